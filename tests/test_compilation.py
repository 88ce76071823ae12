"""What a user sees while machine code is made for the first time."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from cpsolve.compilation import announce
from cpsolve.progress import Progress


class Screen(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")  # type: ignore[attr-defined]
def test_compiling_is_announced_on_a_terminal_and_the_line_is_cleared(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(Progress, "PERIOD", 0.0)
    announce()

    def doubled(number: int) -> int:
        return 2 * number

    compiled: Any = numba.njit(doubled)
    assert compiled(21) == 42
    shown = screen.getvalue()
    if terminal:
        assert "compiling for this machine, once" in shown
        assert "doubled" in shown
        assert shown.endswith(" \r")
    else:
        assert shown == ""  # a function that is not kept is nobody's first use


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")  # type: ignore[attr-defined]
def test_the_first_use_says_once_without_a_terminal_what_it_waits_for_and_later_ones_say_nothing(tmp_path: Path) -> None:
    module = tmp_path / "halves.py"
    module.write_text(
        "import numba\nfrom cpsolve.compilation import announce\nannounce()\n"
        "@numba.njit(cache=True)\ndef half(number):\n    return number // 2\n"
        "@numba.njit(cache=True)\ndef quarter(number):\n    return half(half(number))\n"
        "if __name__ == '__main__':\n    print(quarter(40), half(2.0))\n"
    )
    told = []
    for _ in range(2):
        done = subprocess.run([sys.executable, str(module)], capture_output=True, text=True, check=True)
        assert done.stdout == "10 1.0\n"
        told.append(done.stderr)
    assert told == ["cpsolve: compiling for this machine, once: this may take a minute (cpsolve warm-up does it beforehand)\n", ""]

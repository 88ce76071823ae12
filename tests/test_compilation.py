"""What a user sees while machine code is made for the first time."""

from __future__ import annotations

import io
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
def test_compiling_is_announced_on_a_terminal_only_and_the_line_is_cleared(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
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
        assert shown == ""

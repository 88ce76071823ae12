"""Compiled code that cannot be kept or read: the answer comes all the same, and one line says why it took longer."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import numba
from cpsolve.compilation import announce
announce()
import twice
print(twice.double(21))
"""
MODULE = """
from numba import njit

@njit(cache=True)
def double(x):
    return 2 * x
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "twice.py").write_text(MODULE)
    return tmp_path


def run(folder: Path, cache: Path, largest: int | None = None) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [sys.executable, "-c", SCRIPT, str(folder)]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit)


def told(ended: subprocess.CompletedProcess[str]) -> list[str]:
    """What was said beside that something is compiled."""
    return [line for line in ended.stderr.splitlines() if "compiling for this machine" not in line]


def kept(cache: Path, suffix: str) -> list[Path]:
    return [path for path in cache.rglob(f"*{suffix}") if "double" in path.name]


def test_code_is_kept_without_a_word(folder: Path) -> None:
    for _ in range(2):
        ended = run(folder, folder / "cache")
        assert (ended.stdout, told(ended)) == ("42\n", [])
    assert len(kept(folder / "cache", ".nbi")) == 1


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("length", [0, 10, 60])
def test_code_that_was_cut_off_is_compiled_again(folder: Path, suffix: str, length: int) -> None:
    run(folder, folder / "cache")
    (file,) = kept(folder / "cache", suffix)
    os.truncate(file, length)
    ended = run(folder, folder / "cache")
    assert ended.stdout == "42\n"
    assert "compiled code cannot be read" in ended.stderr
    again = run(folder, folder / "cache")
    assert (again.stdout, again.stderr) == ("42\n", "")


def test_a_disk_without_room_is_told_in_a_line(folder: Path) -> None:
    ended = run(folder, folder / "cache", largest=64)  # a write beyond fails, as on a full disk
    assert ended.stdout == "42\n"
    assert len(told(ended)) == 1
    assert "compiled code cannot be kept" in told(ended)[0]


ONLY_TEMPORARY = """
import os, tempfile
from numba.core.caching import _CacheLocator
def prepare(locator):
    if not locator.get_cache_path().startswith(tempfile.gettempdir() + "/cpsolve-"):
        raise PermissionError
    os.makedirs(locator.get_cache_path(), exist_ok=True)
_CacheLocator.ensure_cache_path = prepare
"""


def test_where_nothing_can_be_written_every_run_compiles(folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    words = [sys.executable, "-c", ONLY_TEMPORARY + SCRIPT, str(folder)]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ended.stdout == "42\n"
    assert len(told(ended)) == 1
    assert "no folder for it can be written" in told(ended)[0]

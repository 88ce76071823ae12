"""Compiling the games' kernels beside the tour: on a new machine that takes longest, so it begins at once, in processes of its own.

A process compiles and leaves the result on disk, as numba always does; the tour then loads it from there. Where a compiled kernel is
already beside its source nothing is started. ``python -m cpsolve.app.tour.compiling minesweeper`` compiles one.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path


def _minesweeper() -> None:
    from models.minesweeper import View, infer

    infer(View.from_text("1--\n---\n--1", mines=2))


def _four_in_a_line() -> None:
    from models.four_in_a_line.engine import warm_up

    warm_up()


def _center() -> None:
    from models.center import Position, solve

    solve(Position(3))


COMPILERS: dict[str, Callable[[], None]] = {"minesweeper": _minesweeper, "four-in-a-line": _four_in_a_line, "center": _center}
"""How to compile the kernels of each game that has some; the longest first."""


class Compiling:
    """The processes that compile, by game."""

    def __init__(self, games: Iterable[str]) -> None:
        nowhere = subprocess.DEVNULL
        self._running = {
            game: subprocess.Popen([sys.executable, "-m", __name__, game], stdin=nowhere, stdout=nowhere, stderr=nowhere) for game in games
        }

    def wait(self, game: str) -> None:
        """Returns when the kernels of a game need no more compiling, or cannot be compiled this way."""
        if game in self._running:
            self._running[game].wait()

    def stop(self) -> None:
        """Ends what still runs."""
        for process in self._running.values():
            if process.poll() is None:
                process.terminate()
                process.wait()


def uncompiled(games: Iterable[str]) -> list[str]:
    """Those of the games that have kernels, of which nothing compiled lies beside the source.

    >>> uncompiled(["pacman"])
    []
    """
    return [game for game in COMPILERS if game in games and not any(_folder(game).glob("__pycache__/*.nbi"))]


def _folder(game: str) -> Path:
    spec = find_spec(f"models.{game.replace('-', '_')}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


@contextmanager
def compiling(games: Iterable[str]) -> Iterator[Compiling]:
    """While the body runs, the kernels of these games are compiled where that was never done."""
    processes = Compiling(uncompiled(games))
    try:
        yield processes
    finally:
        processes.stop()


if __name__ == "__main__":
    COMPILERS[sys.argv[1]]()

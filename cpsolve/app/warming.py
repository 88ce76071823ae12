"""Compiling the games' kernels ahead of their first use: on a new machine that takes longest.

A process of its own compiles what a game's ``warm_up`` calls and leaves the result on disk, as numba always does; others load it from
there. Where something compiled already lies beside a game's source nothing is started. ``python -m cpsolve.app.warming GAME`` compiles
one game.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from cpsolve import catalogue


class Compiling:
    """The processes that compile, by game."""

    def __init__(self, games: Iterable[str]) -> None:
        nowhere = subprocess.DEVNULL
        self.running = {
            game: subprocess.Popen([sys.executable, "-m", __name__, game], stdin=nowhere, stdout=nowhere, stderr=nowhere) for game in games
        }

    def wait(self, game: str) -> None:
        """Returns when the kernels of a game need no more compiling, or cannot be compiled this way."""
        if game in self.running:
            self.running[game].wait()

    def stop(self) -> None:
        """Ends what still runs."""
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
                process.wait()


def uncompiled(games: Iterable[str]) -> list[str]:
    """Those of the games that have something to compile, of which nothing compiled lies beside the source."""
    return [game for game in games if catalogue.game(game).warm_up is not None and not any(_folder(game).glob("__pycache__/*.nbi"))]


def _folder(game: str) -> Path:
    spec = find_spec(catalogue.module_of(game))
    return Path() if spec is None or spec.origin is None else Path(spec.origin).parent


@contextmanager
def compiling(games: Iterable[str]) -> Iterator[Compiling]:
    """While the body runs, the kernels of these games are compiled where that was never done."""
    processes = Compiling(uncompiled(games))
    try:
        yield processes
    finally:
        processes.stop()


def warm_up(game: str) -> bool:
    """Compiles what a game needs, or loads it; whether there was anything."""
    found = catalogue.game(game)
    if found.warm_up is None:
        return False
    found.warm_up()
    return True


if __name__ == "__main__":
    warm_up(sys.argv[1])

"""The tour: what cpsolve does, shown on the five games and on some classic puzzles.

Each stop asks and returns what it found as a :class:`Stop`; showing it is the command line's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cpsolve.app.tour import classics, games
from cpsolve.app.tour.stop import Comparison, Side, Stop

__all__ = ["CLASSICS", "GAMES", "STOPS", "Comparison", "Side", "Stop", "visit"]

GAMES: dict[str, Callable[[], Stop]] = {
    "pacman": games.pacman,
    "busy-police": games.busy_police,
    "center": games.center,
    "four-in-a-line": games.four_in_a_line,
    "minesweeper": games.minesweeper,
}
"""The games, those that take longest to compile last."""
CLASSICS: dict[str, Callable[[], Stop]] = {
    "magic-square": classics.magic_square,
    "send-more-money": classics.send_more_money,
    "queens": classics.queens,
    "dominoes": classics.dominoes,
    "round-trip": classics.round_trip,
    "dinner": classics.dinner,
}
STOPS = GAMES | CLASSICS


def visit(name: str) -> Stop:
    """One stop of the tour, timed.

    >>> visit("send-more-money").findings[0]
    ('solve', '9567 + 1085 = 10652')
    """
    start = time.perf_counter()
    stop = STOPS[name]()
    stop.seconds = time.perf_counter() - start
    return stop

"""The tour: what cpsolve does, shown by the installed games and on some classic puzzles.

Each stop asks and returns what it found as a :class:`Stop`; showing it is the command line's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cpsolve import catalogue
from cpsolve.app.tour import classics
from cpsolve.puzzles.showcase import Stop

CLASSICS: dict[str, Callable[[], Stop]] = {
    "magic-square": classics.magic_square,
    "send-more-money": classics.send_more_money,
    "queens": classics.queens,
    "dominoes": classics.dominoes,
    "round-trip": classics.round_trip,
    "dinner": classics.dinner,
}


def visit(name: str) -> Stop:
    """One stop of the tour, timed: a classic puzzle, or a game that shows itself.

    >>> visit("send-more-money").findings[0]
    ('solve', '9567 + 1085 = 10652')
    """
    show = CLASSICS[name] if name in CLASSICS else catalogue.game(name).tour
    start = time.perf_counter()
    stop = Stop(name) if show is None else show()
    stop.seconds = time.perf_counter() - start
    return stop


def stops() -> tuple[str, ...]:
    """All there is to visit: the games that show themselves, then the classics.

    >>> stops()[-1]
    'dinner'
    """
    return (*(name for name in catalogue.games() if catalogue.game(name).tour is not None), *CLASSICS)

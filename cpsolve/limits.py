"""Limits on work: how long it may take, how many states a search may try, how much memory counting may use.

Whoever takes a ``time_limit`` makes a :class:`Deadline` of it, so that 0, a negative number, NaN or text get the same answer
everywhere. Budgets of states and nodes are checked by :func:`budget`.
"""

from __future__ import annotations

import time
from numbers import Real
from typing import NoReturn

from cpsolve.errors import ModelError, TimeLimitError

MAX_STATES = 5_000_000
"""How many states a search may try, unless told otherwise."""


def budget(value: int, name: str) -> int:
    """A positive whole number, or a ModelError that says so.

    >>> budget(1000, "max_nodes")
    1000
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{name} must be a positive whole number, got {value!r}")
    return value


class Deadline:
    """A moment by which work must be done; without a limit it never comes.

    >>> Deadline(None).passed(), Deadline(0).passed()
    (False, True)
    """

    __slots__ = ("end", "start")

    def __init__(self, time_limit: float | None) -> None:
        if time_limit is not None and not (isinstance(time_limit, Real) and not isinstance(time_limit, bool) and time_limit >= 0):
            raise ModelError(f"time_limit must be a number of seconds, not negative, got {time_limit!r}")
        self.start = time.monotonic()
        self.end = float("inf") if time_limit is None else self.start + time_limit

    def passed(self) -> bool:
        """Whether the moment has come."""
        return time.monotonic() >= self.end

    def remaining(self) -> float:
        """Seconds left: infinite without a limit, never negative."""
        return max(0.0, self.end - time.monotonic())

    def left(self) -> float | None:
        """Seconds left, as the ``time_limit`` of another question; None without a limit.

        >>> Deadline(None).left(), Deadline(0).left()
        (None, 0.0)
        """
        return None if self.end == float("inf") else self.remaining()

    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self.start

    def check(self, what: str) -> None:
        """Raises TimeLimitError once the moment has come."""
        if self.passed():
            self.fail(what)

    def fail(self, what: str) -> NoReturn:
        """Raises TimeLimitError."""
        raise TimeLimitError(f"{what}: the time limit of {self.end - self.start:g} s passed before there was an answer")

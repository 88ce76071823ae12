"""Limits on work: how long it may take, how many states a search may try, how much memory counting may use.

Whoever takes a ``time_limit`` makes a :class:`Deadline` of it, so that 0, a negative number, NaN or text get the same answer
everywhere. Budgets of states and nodes are checked by :func:`budget`. Code far below that builds something large looks at the clock
with :func:`look`: it is late when the deadline that is :meth:`Deadline.watched` there has passed. A deadline made there is never later.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from typing import NoReturn

from cpsolve.errors import ModelError, TimeLimitError

MAX_STATES = 5_000_000
"""How many states a search may try, unless told otherwise."""
LONGEST = 1_000_000_000
"""The longest time limit in seconds, about 30 years; longer ones are a slip of the pen."""


def budget(value: int, name: str) -> int:
    """A positive whole number, or a ModelError that says so.

    >>> budget(1000, "max_nodes")
    1000
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{name} must be a positive whole number, got {value!r}")
    return value


_WATCHED: ContextVar[Deadline | None] = ContextVar("watched deadline", default=None)


class Deadline:
    """A moment by which work must be done; without a limit it never comes.

    >>> Deadline(None).passed(), Deadline(0).passed()
    (False, True)
    """

    __slots__ = ("end", "start")

    def __init__(self, time_limit: float | None) -> None:
        number = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
        if time_limit is not None and not (number and 0 <= time_limit <= LONGEST):
            shown = f"{time_limit!r:.30}"
            raise ModelError(f"time_limit must be a number of seconds from 0 to {LONGEST:,}, or None for no limit, got {shown}")
        self.start = time.monotonic()
        self.end = float("inf") if time_limit is None else self.start + time_limit
        watched = _WATCHED.get()
        if watched is not None:
            self.end = min(self.end, watched.end)

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

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside, :func:`look` raises TimeLimitError once the moment has come, and no question may take longer, whatever its own limit.

        >>> with Deadline(0).watched():
        ...     Deadline(5).passed()
        True
        >>> with Deadline(0).watched():
        ...     look("encoding")
        Traceback (most recent call last):
        cpsolve.errors.TimeLimitError: encoding: the time limit of 0 s passed before there was an answer
        """
        before = _WATCHED.set(self)
        try:
            yield
        finally:
            _WATCHED.reset(before)

    def fail(self, what: str) -> NoReturn:
        """Raises TimeLimitError."""
        raise TimeLimitError(f"{what}: the time limit of {self.end - self.start:g} s passed before there was an answer")


def look(what: str) -> None:
    """Raises TimeLimitError when the work that is going on here is late; where nobody set a limit it never is.

    >>> look("encoding")
    """
    deadline = _WATCHED.get()
    if deadline is not None:
        deadline.check(what)

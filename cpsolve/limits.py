"""Limits on work: how long it may take."""

from __future__ import annotations

import time
from numbers import Real
from typing import NoReturn

from cpsolve.errors import ModelError, TimeLimitError


class Deadline:
    """A moment by which work must be done; without a limit it never comes.

    >>> Deadline(None).passed(), Deadline(0).passed()
    (False, True)
    """

    __slots__ = ("end", "start")

    def __init__(self, time_limit: float | None) -> None:
        if time_limit is not None and not (isinstance(time_limit, Real) and time_limit >= 0):
            raise ModelError(f"time_limit must be a number of seconds, not negative, got {time_limit!r}")
        self.start = time.monotonic()
        self.end = float("inf") if time_limit is None else self.start + time_limit

    def passed(self) -> bool:
        """Whether the moment has come."""
        return time.monotonic() >= self.end

    def remaining(self) -> float:
        """Seconds left: infinite without a limit, never negative."""
        return max(0.0, self.end - time.monotonic())

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

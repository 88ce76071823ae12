"""Limits on work: how long it may take, how much memory, how many states a search may try.

Whoever takes a ``time_limit`` and a ``max_memory`` makes a :class:`Deadline` of them, so that 0, a negative number, NaN or text get the
same answer everywhere. Budgets of states and nodes are checked by :func:`budget`. Code far below that builds something large looks at
clock and memory with :func:`look`: it is late when the deadline that is :meth:`Deadline.watched` there has passed. A deadline made there
is never later, and has no more memory.

Memory is what this process holds beyond what it held when the deadline was made, machine code that is loaded or compiled apart: the
resident size that Linux tells, elsewhere the largest that the process ever had, which is the same while it grows.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from numbers import Real
from typing import NoReturn, TypeVar

from cpsolve.errors import MemoryLimitError, ModelError, TimeLimitError, UnsupportedError

T = TypeVar("T")
MAX_STATES = 5_000_000
"""How many states a search may try, unless told otherwise."""
LONGEST = 1_000_000_000
"""The longest time limit in seconds, about 30 years; longer ones are a slip of the pen."""
MOST_MEMORY = 1 << 50
"""The largest memory limit in bytes, a petabyte; no machine has more."""
PERIOD = 0.002
"""Seconds between two looks at the memory: a look takes a hundredth of that."""


def budget(value: int, name: str) -> int:
    """A positive whole number, or a ModelError that says so.

    >>> budget(1000, "max_nodes")
    1000
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{name} must be a positive whole number, got {value!r}")
    return value


# -- memory


def bytes_of(max_memory: int) -> int:
    """A limit on memory, or a ModelError that says what one is.

    >>> bytes_of(10**9)
    1000000000
    """
    if not isinstance(max_memory, int) or isinstance(max_memory, bool) or not 1 <= max_memory <= MOST_MEMORY:
        shown = f"{max_memory!r:.30}"
        raise ModelError(f"max_memory must be a whole number of bytes from 1 to {MOST_MEMORY:,}, or None for no limit, got {shown}")
    return max_memory


def resident() -> int:
    """The bytes of memory that this process holds; where the system does not tell, the most that it ever held.

    >>> resident() > 10**6
    True
    """
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return _largest()
    try:
        return int(os.read(file, 100).split()[1]) * _PAGE
    finally:
        os.close(file)


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def _largest() -> int:
    try:
        import resource
    except ImportError:
        raise UnsupportedError("this system does not tell how much memory a process takes: leave max_memory out") from None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


_code = 0


@contextmanager
def loading() -> Iterator[None]:
    """What is loaded or compiled inside is code, which no memory limit counts: it stays for all later questions."""
    global _code
    try:
        before = resident()
    except UnsupportedError:
        yield
        return
    known = _code
    try:
        yield
    finally:
        _code = known + max(_code - known, resident() - before)  # what was loaded inside what was loaded counts once


def in_megabytes(size: int) -> str:
    """A number of bytes in words.

    >>> in_megabytes(3 << 20), in_megabytes(5 << 29)
    ('3.0 MB', '2.5 GB')
    """
    return f"{size / (1 << 30):.1f} GB" if size >= 1 << 30 else f"{size / (1 << 20):.1f} MB"


# -- time and memory

_WATCHED: ContextVar[Deadline | None] = ContextVar("watched deadline", default=None)


class Deadline:
    """A moment by which work must be done, and memory that it may take; without a limit neither ever ends it.

    >>> Deadline(None).passed(), Deadline(0).passed(), Deadline(60, max_memory=10**9).passed()
    (False, True, False)
    """

    __slots__ = ("_next", "_outer", "end", "full", "limit", "most", "start")

    def __init__(self, time_limit: float | None, max_memory: int | None = None) -> None:
        number = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
        if time_limit is not None and not (number and 0 <= time_limit <= LONGEST):
            shown = f"{time_limit!r:.30}"
            raise ModelError(f"time_limit must be a number of seconds from 0 to {LONGEST:,}, or None for no limit, got {shown}")
        self.start = time.monotonic()
        self.limit = float("inf") if time_limit is None else float(time_limit)
        self.end = self.start + self.limit
        self.full = False
        """Whether it was seen that the work takes more memory than it may."""
        self.most = None if max_memory is None else (resident() - _code + bytes_of(max_memory), max_memory)
        self._next = 0.0
        self._outer: Deadline | None = None
        self._join(_WATCHED.get())

    def _join(self, outer: Deadline | None) -> None:
        """Has no more time and memory from now on than what it is a part of."""
        if outer is not None and outer.end < self.end:
            self.end, self.limit = outer.end, outer.limit
        if outer is not None and outer.most is not None and (self.most is None or outer.most < self.most):
            self.most, self._outer = outer.most, outer

    def passed(self) -> bool:
        """Whether the moment has come, or more memory is taken than may be."""
        now = time.monotonic()
        return now >= self.end or self._filled(now)

    def _filled(self, now: float) -> bool:
        if self.most is not None and not self.full and now >= self._next:
            self._next = now + PERIOD
            if resident() - _code > self.most[0]:
                self.fill()
        return self.full

    def fill(self) -> None:
        """There is no more memory for this work, nor for that which it is a part of."""
        self.full = True
        if self._outer is not None:
            self._outer.fill()

    def room(self) -> int | None:
        """The bytes of memory that may still be taken: None without a limit, never negative.

        >>> Deadline(None).room(), 0 < Deadline(None, max_memory=10**6).room() <= 10**6
        (None, True)
        """
        return None if self.most is None else max(0, self.most[0] - resident() + _code)

    def require(self, size: int, what: str) -> None:
        """Raises MemoryLimitError when there is no room for some bytes more; for what is about to be made at once.

        >>> Deadline(None, max_memory=10**6).require(10**7, "a table")
        Traceback (most recent call last):
        cpsolve.errors.MemoryLimitError: a table: it takes more than the 1.0 MB that max_memory allows
        """
        room = self.room()
        if room is not None and size > room:
            self.fill()
            self.fail(what)

    def remaining(self) -> float:
        """Seconds left: infinite without a limit, never negative."""
        now = time.monotonic()
        return 0.0 if self._filled(now) else max(0.0, self.end - now)

    def left(self) -> float | None:
        """Seconds left, as the ``time_limit`` of another question; None without a limit.

        >>> Deadline(None).left(), Deadline(0).left()
        (None, 0.0)
        """
        return None if self.end == float("inf") and not self.full else self.remaining()

    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self.start

    def given(self) -> str:
        """The limit that ended the work, in words.

        >>> Deadline(2).given()
        'the time limit of 2 s'
        """
        if self.full and self.most is not None:
            return f"the memory limit of {in_megabytes(self.most[1])}"
        return f"the time limit of {self.limit:g} s"

    def met(self) -> str:
        """Which limit ended the work, in words that follow "stopped".

        >>> Deadline(0).met()[:6]
        'after '
        """
        return f"at {self.given()}" if self.full else f"after {self.elapsed():.2g} s"

    def check(self, what: str) -> None:
        """Raises TimeLimitError once the moment has come, MemoryLimitError when there is more than may be."""
        if self.passed():
            self.fail(what)

    def afford(self, seconds: float, what: str) -> None:
        """Raises an error, as :meth:`check` does, when work that nothing can interrupt would not be done in time.

        >>> Deadline(60).afford(3600, "sorting")
        Traceback (most recent call last):
        cpsolve.errors.TimeLimitError: sorting: the time limit of 60 s passed before there was an answer
        """
        if self.remaining() < seconds:
            self.fail(what)

    @contextmanager
    def watched(self) -> Iterator[Deadline]:
        """Inside, :func:`look` raises an error once a limit is met, and no question may take more time or memory, whatever its own limits.

        >>> with Deadline(0).watched():
        ...     Deadline(5).passed()
        True
        >>> with Deadline(0).watched():
        ...     look("encoding")
        Traceback (most recent call last):
        cpsolve.errors.TimeLimitError: encoding: the time limit of 0 s passed before there was an answer
        """
        outer = _WATCHED.get()
        inner = self
        if outer is not None and (outer.end < self.end or (outer.most is not None and (self.most is None or outer.most < self.most))):
            inner = copy(self)  # this one was made elsewhere
            inner._join(outer)
        before = _WATCHED.set(inner)
        try:
            yield self
        finally:
            _WATCHED.reset(before)

    def fail(self, what: str) -> NoReturn:
        """Raises TimeLimitError, or MemoryLimitError when that was the limit that was met."""
        if self.full and self.most is not None:
            raise MemoryLimitError(f"{what}: it takes more than the {in_megabytes(self.most[1])} that max_memory allows")
        raise TimeLimitError(f"{what}: the time limit of {self.limit:g} s passed before there was an answer")


def look(what: str) -> None:
    """Raises TimeLimitError or MemoryLimitError when the work that is going on here met a limit; where nobody set one it never does.

    >>> look("encoding")
    """
    deadline = _WATCHED.get()
    if deadline is not None:
        deadline.check(what)


def looking(items: Iterable[T], what: str) -> Iterator[T]:
    """The same items, with a :func:`look` after every thousandth: for work on many things that takes little time on each.

    What is small is done even when no time is left, so that a plan that was found in time can still be told.

    >>> with Deadline(0).watched():
    ...     sum(looking(range(5), "counting")), sum(looking(range(5000), "counting"))
    Traceback (most recent call last):
    cpsolve.errors.TimeLimitError: counting: the time limit of 0 s passed before there was an answer
    """
    for number, item in enumerate(items, start=1):
        yield item
        if number % 1000 == 0:
            look(what)


def room() -> int | None:
    """The bytes of memory that the work that is going on here may still take; None where nobody set a limit.

    >>> room() is None
    True
    """
    deadline = _WATCHED.get()
    return None if deadline is None else deadline.room()


def require(size: int, what: str) -> None:
    """Raises MemoryLimitError when the work that is going on here has no room for some bytes more.

    >>> require(10**9, "a table")
    """
    deadline = _WATCHED.get()
    if deadline is not None:
        deadline.require(size, what)

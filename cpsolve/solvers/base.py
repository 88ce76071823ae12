"""What a backend is: a name, what it can do, and two verbs, ``solve`` and ``solutions``."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from cpsolve.errors import ModelError, TimeLimitError
from cpsolve.expressions import Variable
from cpsolve.results import Result, Solution

if TYPE_CHECKING:
    from cpsolve.model import Model


@dataclass(frozen=True)
class Capabilities:
    """What a backend supports, and what it is made for."""

    name: str
    package: str
    version: str
    questions: tuple[str, ...]
    constraints: tuple[str, ...]
    note: str

    def __str__(self) -> str:
        return f"{self.name} ({self.package} {self.version}): {', '.join(self.questions)}. {self.note}"


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


@dataclass(frozen=True)
class Search:
    """How to search: the options of ``Model.solve``."""

    deadline: Deadline
    seed: int = 0
    workers: int | None = None
    on_solution: Callable[[Result], None] | None = None
    progress: bool = False
    options: Mapping[str, Any] | None = None


class Backend(Protocol):
    """A way to answer questions about models."""

    def solve(self, model: Model, search: Search) -> Result:
        """One solution, the best one if the model has an objective."""
        ...

    def solutions(self, model: Model, over: list[Variable], deadline: Deadline) -> Generator[Solution, None, bool]:
        """Every solution over the given variables once; returns whether these were all."""
        ...

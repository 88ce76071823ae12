"""What a backend is: a name, what it can do, and two verbs, ``solve`` and ``solutions``."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cpsolve.expressions import Variable
from cpsolve.limits import Deadline
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

"""What a backend is: a declaration of what it can do, and one function per question that it declares.

The declaration is light and stands behind an entry point of the group ``cpsolve.backends``; the module that answers, and its
solver with it, is imported when it is first asked. Every answer goes through :class:`Backend`: no question has a way of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cpsolve.errors import LimitError
from cpsolve.expressions import Condition, Expression, Variable
from cpsolve.limits import Deadline
from cpsolve.results import Result, Solution

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint

T = TypeVar("T")
QUESTIONS = (
    "solve",
    "optimise",
    "solutions",
    "count",
    "count_by",
    "marginals",
    "distribution",
    "sample",
    "backbone",
    "explain",
    "smallest",
    "conflict",
)
"""All questions; ``optimise`` is ``solve`` for a model with an objective, ``smallest`` is ``explain(smallest=True)``."""


@dataclass(frozen=True)
class Capabilities:
    """What a backend declares: the questions it answers, the constraints it has a form of its own for, and where it lives.

    A constraint that is not listed is decomposed into simpler ones. Among several backends that can answer, those come first that
    are ``best_for`` the question or a constraint of the model, then those of lower ``rank``. ``version`` is that of the installed
    ``package``.
    """

    name: str
    package: str
    module: str
    questions: tuple[str, ...]
    constraints: tuple[str, ...]
    note: str
    rank: int = 100
    best_for: tuple[str, ...] = ()
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.package} {self.version}): {', '.join(self.questions)}. {self.note}"


@dataclass(frozen=True)
class Search:
    """How to search: what the questions of ``Model`` have in common. ``options`` are the backend's own parameters.

    ``exact`` is False where floats will do for fractions, as long as 0 and 1 are exact.
    """

    deadline: Deadline
    seed: int = 0
    workers: int | None = None
    on_solution: Callable[[Result], None] | None = None
    progress: bool = False
    options: Mapping[str, Any] | None = None
    exact: bool = True


class OutOfTime(Exception):
    """The search met a limit: told apart from one that a caller's own questions meet between two solutions."""


@contextmanager
def searching() -> Iterator[None]:
    """A limit that is met in here is that of the search.

    >>> from cpsolve.limits import look
    >>> with Deadline(0).watched(), searching():
    ...     look("solving")
    Traceback (most recent call last):
    cpsolve.solvers.base.OutOfTime
    """
    try:
        yield
    except LimitError:
        raise OutOfTime from None


@contextmanager
def lent(
    model: Model, key: str, make: Callable[[], T], *, fresh: bool = False, shared: Callable[[T], bool] = lambda form: False
) -> Iterator[T]:
    """A backend's form of a model for one question, which has it for itself; then it waits for the next one, until the model changes.

    With ``fresh`` it is one that was asked nothing yet. One that is ``shared`` is for several questions at a time. A question that
    ends in an error leaves behind none that it had for itself.

    >>> from cpsolve import Model
    >>> model = Model()
    >>> with lent(model, "notes", list) as notes:
    ...     notes.append("learned")
    >>> with lent(model, "notes", list) as notes, lent(model, "notes", list) as other:
    ...     print(notes, other)
    ['learned'] []
    """
    waiting: list[T] = model.derived(key, list)
    form: T | None = None
    if not fresh:
        with suppress(IndexError):  # none yet, or another question has it
            form = waiting.pop()
    if form is None:
        form = make()
    if shared(form):
        waiting[:] = [form]
    yield form
    waiting[:] = [form]


class Backend(Protocol):
    """The questions. A backend is a module with a function for each one that its declaration lists."""

    def solve(self, model: Model, search: Search) -> Result:
        """One solution, the best one if the model has an objective."""
        ...

    def solutions(self, model: Model, over: Sequence[Variable], search: Search) -> Generator[Solution, None, bool]:
        """Every solution over the given variables once; returns whether these were all."""
        ...

    def count(self, model: Model, over: Sequence[Variable] | None, search: Search) -> int:
        """The number of solutions, or of assignments of ``over`` that some solution has."""
        ...

    def count_by(self, model: Model, expression: Expression, search: Search) -> dict[int, int]:
        """The number of solutions for each value of an expression."""
        ...

    def marginals(self, model: Model, conditions: Sequence[Condition], search: Search) -> Sequence[Fraction | float]:
        """The share of solutions in which each condition holds."""
        ...

    def distribution(self, model: Model, expression: Expression, search: Search) -> dict[int, Fraction]:
        """The share of solutions for each value of an expression."""
        ...

    def sample(self, model: Model, n: int, search: Search) -> list[Solution]:
        """``n`` independent uniform solutions, the same for the same ``search.seed``."""
        ...

    def backbone(self, model: Model, over: Sequence[Variable], search: Search) -> dict[Variable, int]:
        """The variables of ``over`` that have one value in every solution, with that value."""
        ...

    def explain(self, model: Model, fact: Condition, search: Search) -> list[NamedConstraint]:
        """A minimal list of constraints that imply the fact."""
        ...

    def smallest(self, model: Model, fact: Condition, background: Sequence[NamedConstraint], search: Search) -> list[NamedConstraint]:
        """The first smallest list of constraints that, with those of the background, imply the fact."""
        ...

    def conflict(self, model: Model, search: Search) -> list[NamedConstraint]:
        """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
        ...

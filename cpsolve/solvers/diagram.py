"""Decision diagrams as a backend: every question that exact counting can answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cpsolve.counting import questions
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits
from cpsolve.errors import DiagramTooWide, LimitError, ModelError, UnsupportedError
from cpsolve.expressions import Condition, Expression, Variable
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import Search

if TYPE_CHECKING:
    from cpsolve.model import Model


def _limits(search: Search) -> Limits:
    """The budgets of memory and nodes, the only options there are."""
    options: dict[str, Any] = dict(search.options or {})
    max_memory, max_nodes = options.pop("max_memory", None), options.pop("max_nodes", None)
    options.pop("stats", None)
    if options:
        raise ModelError(f"diagram has no option {next(iter(options))!r}; it has 'max_memory' and 'max_nodes'")
    return Limits(search.deadline, Memory(max_memory, max_nodes))


def solve(model: Model, search: Search) -> Result:
    """A best solution by the shortest way through the diagram."""
    if search.workers not in (None, 1):
        raise UnsupportedError(f"diagram runs on one worker, not {search.workers}; cpsat takes more")
    limits = _limits(search)
    stats = {"backend": "diagram"}
    try:
        solution = questions.best(model, limits)
    except DiagramTooWide:
        raise  # tells what would help
    except LimitError:
        return Result(Status.UNKNOWN, stats={**stats, "wall_time": search.deadline.elapsed()})
    value = None if solution is None or model.objective is None else model.objective.value(solution)
    stats_now = {**stats, "wall_time": search.deadline.elapsed()}
    if solution is None:
        return Result(Status.INFEASIBLE, stats=stats_now)
    if search.on_solution is not None:
        search.on_solution(Result(Status.FEASIBLE, solution, value, value, stats_now))
    return Result(Status.OPTIMAL, solution, value, value, stats_now)


def solutions(model: Model, over: Sequence[Variable], search: Search) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    try:
        return (yield from questions.enumerate_solutions(model, list(over), _limits(search)))
    except DiagramTooWide:
        raise
    except LimitError:
        return False


def count(model: Model, over: Sequence[Variable] | None, search: Search) -> int:
    """The number of solutions, or of assignments of ``over`` that some solution has."""
    stats = (search.options or {}).get("stats")
    return questions.count(model, None if over is None else list(over), _limits(search), stats)


def count_by(model: Model, expression: Expression, search: Search) -> dict[int, int]:
    """The number of solutions for each value of an expression."""
    return questions.count_by(model, expression, _limits(search))


def marginals(model: Model, conditions: Sequence[Condition], search: Search) -> Sequence[Fraction | float]:
    """The share of solutions in which each condition holds."""
    return questions.marginals(model, list(conditions), _limits(search), search.exact)


def distribution(model: Model, expression: Expression, search: Search) -> dict[int, Fraction]:
    """The share of solutions for each value of an expression."""
    return questions.distribution(model, expression, _limits(search))


def sample(model: Model, n: int, search: Search) -> list[Solution]:
    """``n`` independent uniform solutions."""
    return questions.sample(model, n, search.seed, _limits(search))


def backbone(model: Model, over: Sequence[Variable], search: Search) -> dict[Variable, int]:
    """The variables of ``over`` that have one value in every solution, read off the diagram."""
    return questions.backbone(model, list(over), _limits(search))

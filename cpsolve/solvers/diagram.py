"""Decision diagrams as a backend: the same two verbs as the others, on top of exact counting."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from cpsolve.counting import questions
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits
from cpsolve.errors import ModelError, TimeLimitError, UnsupportedError
from cpsolve.expressions import Variable
from cpsolve.limits import Deadline
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import Search

if TYPE_CHECKING:
    from cpsolve.model import Model


def solve(model: Model, search: Search) -> Result:
    """A best solution by the shortest way through the diagram."""
    if search.workers not in (None, 1):
        raise UnsupportedError(f"diagram runs on one worker, not {search.workers}; cpsat takes more")
    options: dict[str, Any] = dict(search.options or {})
    limits = Limits(search.deadline, Memory(options.pop("max_memory", None), options.pop("max_nodes", None)))
    if options:
        raise ModelError(f"diagram has no option {next(iter(options))!r}; it has 'max_memory' and 'max_nodes'")
    stats = {"backend": "diagram"}
    try:
        solution = questions.best(model, limits)
    except TimeLimitError:
        return Result(Status.UNKNOWN, stats={**stats, "wall_time": search.deadline.elapsed()})
    value = None if solution is None or model.objective is None else model.objective.value(solution)
    stats_now = {**stats, "wall_time": search.deadline.elapsed()}
    if solution is None:
        return Result(Status.INFEASIBLE, stats=stats_now)
    if search.on_solution is not None:
        search.on_solution(Result(Status.FEASIBLE, solution, value, value, stats_now))
    return Result(Status.OPTIMAL, solution, value, value, stats_now)


def solutions(model: Model, over: list[Variable], deadline: Deadline) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    try:
        return (yield from questions.enumerate_solutions(model, over, Limits(deadline, Memory())))
    except TimeLimitError:
        return False

"""python-constraint: plain backtracking, for small checks; the only file that imports constraint.

Its own sum constraints are not used (they fail on infeasible sums and on repeated variables): every constraint is judged by
its own interval under the partial assignment, which also prunes early. A guard over all variables keeps the time limit and
lets Ctrl-C through; a problem is built anew for every question because live iterators share state.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import constraint

from cpsolve.errors import ModelError, UnsupportedError
from cpsolve.expressions import Condition, Variable, scope
from cpsolve.limits import Deadline
from cpsolve.lower import conjuncts
from cpsolve.progress import Progress
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import OutOfTime, Search, searching

if TYPE_CHECKING:
    from cpsolve.model import Model

MOST_VALUES = 1_000_000
"""It lists all values of all variables."""
COPY_SECONDS, COPY_BYTES = 1e-6, 110
"""Before it begins it copies what it was given, which nothing can interrupt: about what each variable of each constraint takes."""


class _InPlace(constraint.Constraint):
    """A constraint that is judged during the search only, where the time limit holds."""

    def preProcess(self, variables: Any, domains: Any, constraints: Any, vconstraints: Any) -> None:  # noqa: N802
        """Does nothing."""


class _Judged(_InPlace):
    """One of the model's constraints: rejects a partial assignment under which it must fail."""

    def __init__(self, condition: Condition) -> None:
        self._condition = condition

    def __call__(
        self, variables: Any, domains: Any, assignments: dict[Variable, int], forwardcheck: bool = False, _unassigned: Any = None
    ) -> bool:
        return self._condition.interval(assignments)[1] > 0


class _Guard(_InPlace):
    """Accepts everything until the deadline has passed."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __call__(
        self, variables: Any, domains: Any, assignments: dict[Variable, int], forwardcheck: bool = False, _unassigned: Any = None
    ) -> bool:
        self._deadline.check("searching")
        return True


def _search(model: Model, deadline: Deadline) -> Iterator[Solution]:
    """Every solution, by backtracking; raises OutOfTime at a limit."""
    with searching():
        yield from _found(model, deadline)


def _found(model: Model, deadline: Deadline) -> Iterator[Solution]:
    parts = []
    for part in (part for entry in model.constraints for part in conjuncts(entry.constraint)):
        deadline.check("encoding")
        if variables := scope(part):
            parts.append((part, variables))
        elif not part.value({}):
            return
    if not model.variables:
        yield Solution({})
        return
    problem = constraint.Problem(constraint.BacktrackingSolver(forwardcheck=False))  # type: ignore[no-untyped-call]
    values = sum(variable.hi - variable.lo + 1 for variable in model.variables)
    if values > MOST_VALUES:
        raise UnsupportedError(f"python-constraint lists every value and there are {values:,}; use the backend 'cpsat'")
    for variable in model.variables:
        deadline.check("encoding")
        # values are tried from the end of the list
        problem.addVariable(variable, list(range(variable.hi, variable.lo - 1, -1)))
    problem.addConstraint(_Guard(deadline), list(model.variables))
    for part, variables in parts:
        deadline.check("encoding")
        problem.addConstraint(_Judged(part), variables)
    copied = len(model.variables) + sum(2 + len(variables) for _, variables in parts)
    deadline.require(COPY_BYTES * copied, "searching")
    deadline.afford(COPY_SECONDS * copied, "searching")
    for found in problem.getSolutionIter():  # type: ignore[no-untyped-call]
        yield Solution({variable: found[variable] for variable in model.variables})


def solve(model: Model, search: Search) -> Result:
    """One solution; with an objective, the best of all by enumeration."""
    if search.workers not in (None, 1):
        raise UnsupportedError(f"python-constraint runs on one worker, not {search.workers}; cpsat takes more")
    if search.options:
        raise ModelError(f"python-constraint has no option {next(iter(search.options))!r}")
    best: Solution | None = None
    value: int | None = None
    finished = True
    try:
        with Progress("solving", search.progress) as progress:
            for found in _search(model, search.deadline):
                this = None if model.objective is None else model.objective.value(found)
                if best is None or value is None or this is None or model.sense * this < model.sense * value:
                    best, value = found, this
                    if search.on_solution is not None:
                        search.on_solution(Result(Status.FEASIBLE, found, this, None, _stats(search)))
                if model.objective is None:
                    break
                progress.update(f"best {value}")
    except OutOfTime:
        finished = False
    if best is None:
        return Result(Status.INFEASIBLE if finished else Status.UNKNOWN, stats=_stats(search))
    proven = finished or model.objective is None
    return Result(Status.OPTIMAL if proven else Status.FEASIBLE, best, value, value if proven else None, _stats(search))


def _stats(search: Search) -> dict[str, Any]:
    return {"backend": "python-constraint", "wall_time": search.deadline.elapsed()}


def solutions(model: Model, over: Sequence[Variable], search: Search) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    seen: set[tuple[int, ...]] = set()
    try:
        for found in _search(model, search.deadline):
            if len(over) < len(model.variables):
                model.check(found)
                key = tuple(found[variable] for variable in over)
                if key in seen:
                    continue
                seen.add(key)
                yield Solution(dict(zip(over, key, strict=True)))
            else:
                yield found
    except OutOfTime:
        return False
    return True

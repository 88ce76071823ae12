"""Why: what holds in every solution, and which few constraints make it so.

A list of constraints is *minimal* when dropping any member changes the answer; it need not be the shortest there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsolve.backends.base import Deadline
from cpsolve.diagrams import questions as counting
from cpsolve.errors import DiagramTooWide, InfeasibleError, NotImpliedError, TimeLimitError
from cpsolve.expressions import Condition, Not, Variable
from cpsolve.results import Solution, Status

if TYPE_CHECKING:
    from cpsolve.backends.cpsat import Selectors
    from cpsolve.model import Model, NamedConstraint

NARROW = 20_000
"""A diagram of at most so many nodes answers faster than repeated solving."""


def conflict(model: Model, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    from cpsolve.backends.cpsat import Selectors

    selectors = Selectors(model)
    found = selectors.clash(range(len(model.constraints)), deadline)
    return [] if isinstance(found, Solution) else _named(model, _shrink(selectors, found, deadline))


def explain(model: Model, fact: Condition, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that imply a fact."""
    from cpsolve.backends.cpsat import Selectors

    selectors = Selectors(model, background=Not(fact))
    found = selectors.clash(range(len(model.constraints)), deadline)
    if isinstance(found, Solution):
        raise NotImpliedError(f"`{fact}` does not follow: it fails in {found}", found)
    minimal = _shrink(selectors, found, deadline)
    if isinstance(Selectors(model).clash(minimal, deadline), list):
        clashing = _named(model, minimal)
        raise InfeasibleError(f"the model has no solution, so anything follows from it: {_listed(clashing)} cannot all hold", clashing)
    return _named(model, minimal)


def _shrink(selectors: Selectors, core: list[int], deadline: Deadline) -> list[int]:
    """Drops constraints from a clashing list until every one that is left is needed."""
    needed: list[int] = []
    while core:
        candidate, *others = core
        found = selectors.clash([*needed, *others], deadline)
        if isinstance(found, Solution):
            needed.append(candidate)
            core = others
        else:
            core = [number for number in found if number not in needed]
    return sorted(needed)


def _named(model: Model, numbers: list[int]) -> list[NamedConstraint]:
    return [model.constraints[number] for number in numbers]


def _listed(constraints: list[NamedConstraint]) -> str:
    return "; ".join(map(str, constraints)) or "the domains"


def backbone(model: Model, over: list[Variable], deadline: Deadline) -> dict[Variable, int]:
    """The variables with one value in every solution: by a diagram when it is narrow, else by CP-SAT."""
    try:
        return counting.backbone(model, over, deadline, NARROW)
    except DiagramTooWide:
        return _backbone_by_solving(model, over, deadline)


def _backbone_by_solving(model: Model, over: list[Variable], deadline: Deadline) -> dict[Variable, int]:
    """Asks for solutions that differ from the first in some variable that never differed yet, until there is none."""
    from cpsolve.backends.cpsat import Encoding, feasible, negated

    encoding = Encoding(model, objective=False)
    first = _found(feasible(model, encoding, deadline))
    if first is None:
        raise counting.infeasible(model)
    constant = {variable: first[variable] for variable in over}
    while constant:
        encoding.clause([negated(encoding.equality(variable, value)) for variable, value in constant.items()])
        other = _found(feasible(model, encoding, deadline))
        if other is None:
            break
        constant = {variable: value for variable, value in constant.items() if other[variable] == value}
    return constant


def _found(answer: Solution | Status | None) -> Solution | None:
    if isinstance(answer, Status):
        raise TimeLimitError("backbone: the time limit passed before there was an answer")
    return answer

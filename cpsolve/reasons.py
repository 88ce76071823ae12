"""Why: what holds in every solution, and which few constraints make it so.

A list of constraints is *minimal* when dropping any member changes the answer; it need not be the shortest there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsolve.counting import questions as counting
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits
from cpsolve.errors import InfeasibleError, NotImpliedError
from cpsolve.expressions import Condition, Not, Variable
from cpsolve.limits import Deadline
from cpsolve.results import Solution

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint
    from cpsolve.solvers.cpsat import Selectors


def conflict(model: Model, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    from cpsolve.solvers.cpsat import Selectors

    selectors = Selectors(model)
    found = selectors.clash(range(len(model.constraints)), deadline)
    return [] if isinstance(found, Solution) else _named(model, _shrink(selectors, found, deadline))


def explain(model: Model, fact: Condition, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that imply a fact."""
    from cpsolve.solvers.cpsat import Selectors

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
    """The variables with one value in every solution: read off the diagram of a model that was counted, else by CP-SAT."""
    diagram = model.known("diagram")
    return (
        _backbone_by_solving(model, over, deadline)
        if diagram is None
        else counting.backbone(model, diagram, over, Limits(deadline, Memory()))
    )


def _backbone_by_solving(model: Model, over: list[Variable], deadline: Deadline) -> dict[Variable, int]:
    """Asks for solutions that differ from the first in variables that never differed yet, until there is none."""
    from cpsolve.solvers.cpsat import Program, feasible, most_different
    from cpsolve.solvers.cpsat_encoding import Encoding

    program = Program(Encoding(model, objective=False))
    first = feasible(model, program, deadline)
    if first is None:
        raise counting.infeasible(model)
    constant = {variable: first[variable] for variable in over}
    while constant:
        other = most_different(model, program, constant, deadline)
        if other is None:
            break
        constant = {variable: value for variable, value in constant.items() if other[variable] == value}
    return constant

"""Why: the few constraints that make something hold, or that cannot all hold.

A list of constraints is *minimal* when dropping any member changes the answer; it need not be the shortest there is. How to ask
which constraints clash is a backend's affair (:class:`Clashes`); how to shrink the answer is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from cpsolve.errors import InfeasibleError, NotImpliedError
from cpsolve.expressions import Condition, Not
from cpsolve.limits import Deadline
from cpsolve.results import Solution

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint


class Clashes(Protocol):
    """A model whose constraints can be switched on and off, perhaps with a condition in the background."""

    def clash(self, active: Iterable[int], deadline: Deadline) -> list[int] | Solution:
        """Some of the active constraints (by number) that cannot all hold, or a solution in which all active ones do."""
        ...


Switched = Callable[["Model", Condition | None], Clashes]


def conflict(model: Model, switched: Switched, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    clashes = switched(model, None)
    found = clashes.clash(range(len(model.constraints)), deadline)
    return [] if isinstance(found, Solution) else _named(model, _shrink(clashes, found, deadline))


def explain(model: Model, fact: Condition, switched: Switched, deadline: Deadline) -> list[NamedConstraint]:
    """A minimal list of constraints that imply a fact."""
    clashes = switched(model, Not(fact))
    found = clashes.clash(range(len(model.constraints)), deadline)
    if isinstance(found, Solution):
        raise NotImpliedError(f"`{fact}` does not follow: it fails in {found}", found)
    minimal = _shrink(clashes, found, deadline)
    if isinstance(switched(model, None).clash(minimal, deadline), list):
        clashing = _named(model, minimal)
        raise InfeasibleError(f"the model has no solution, so anything follows from it: {_listed(clashing)} cannot all hold", clashing)
    return _named(model, minimal)


def _shrink(clashes: Clashes, core: list[int], deadline: Deadline) -> list[int]:
    """Drops constraints from a clashing list until every one that is left is needed."""
    needed: list[int] = []
    while core:
        candidate, *others = core
        found = clashes.clash([*needed, *others], deadline)
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

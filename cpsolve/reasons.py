"""Why: the few constraints that make something hold, or that cannot all hold.

A list of constraints is *minimal* when dropping any member changes the answer; it need not be the *smallest* there is. How to ask
which constraints clash is a backend's affair (:class:`Clashes`); how to shrink the answer is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
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
        raise _not_implied(fact, found)
    minimal = _shrink(clashes, found, deadline)
    _require_consistent(model, minimal, switched, deadline)
    return _named(model, minimal)


def smallest(
    model: Model, fact: Condition, background: Iterable[NamedConstraint], switched: Switched, deadline: Deadline
) -> list[NamedConstraint]:
    """A smallest list of constraints that, with those of the background, imply a fact; of several, the first in the model's order.

    Implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, 2015): constraints that can hold without the fact leave out
    some of every explanation, so the smallest list that meets all that was left out so far is the answer once it explains.
    """
    granted = set(background)
    hard = [number for number, entry in enumerate(model.constraints) if entry in granted]
    soft = [number for number, entry in enumerate(model.constraints) if entry not in granted]
    clashes = switched(model, Not(fact))
    found = clashes.clash([*hard, *soft], deadline)
    if isinstance(found, Solution):
        raise _not_implied(fact, found)
    left_out: list[int] = []
    while True:
        chosen = [soft[place] for place in _places(_first_hitting(left_out, deadline))]
        found = clashes.clash([*hard, *chosen], deadline)
        if not isinstance(found, Solution):
            _require_consistent(model, [*hard, *chosen], switched, deadline)
            return _named(model, chosen)
        missing = 0
        holding = set(chosen)
        for place, number in enumerate(soft):  # grow, so that as few as can be are left out
            if number in holding or model.constraints[number].constraint.value(found):
                holding.add(number)
                continue
            more = clashes.clash([*hard, *holding, number], deadline)
            if isinstance(more, Solution):
                found = more
                holding.add(number)
            else:
                missing |= 1 << place
        left_out.append(missing)


def _first_hitting(sets: list[int], deadline: Deadline) -> int:
    """A smallest set that has a member in common with each of some sets (bits of numbers); of several, the one with the first members."""
    size = 0
    while not _can_hit(sets, size, deadline):
        size += 1
    chosen = 0
    for left in range(size - 1, -1, -1):
        for place in _places(reduce(or_, sets)):
            beyond = ~((2 << place) - 1)
            rest = [members & beyond for members in sets if not members >> place & 1]
            if all(rest) and _can_hit(rest, left, deadline):
                chosen |= 1 << place
                sets = rest
                break
    return chosen


def _can_hit(sets: list[int], size: int, deadline: Deadline) -> bool:
    """Whether a set of some size or less has a member in common with each of these."""
    deadline.check("explaining")
    if not sets:
        return True
    disjoint, seen = 0, 0
    for members in sorted(sets, key=int.bit_count):
        if not members & seen:
            disjoint += 1
            seen |= members
    if disjoint > size:
        return False
    tightest = min(sets, key=int.bit_count)
    spent = 0
    for place in _places(tightest):
        spent |= 1 << place  # tried: the next ones do without it
        rest = [members & ~spent for members in sets if not members >> place & 1]
        if all(rest) and _can_hit(rest, size - 1, deadline):
            return True
    return False


def _places(members: int) -> Iterator[int]:
    """The places of the bits of a number that are set, in order."""
    while members:
        last = members & -members
        yield last.bit_length() - 1
        members ^= last


def _not_implied(fact: Condition, found: Solution) -> NotImpliedError:
    return NotImpliedError(f"`{fact}` does not follow: it fails in {found}", found)


def _require_consistent(model: Model, numbers: list[int], switched: Switched, deadline: Deadline) -> None:
    """InfeasibleError when the constraints of an explanation clash by themselves, and so would explain anything."""
    part = model.copy()
    part._constraints = _named(model, numbers)
    if clashing := conflict(part, switched, deadline):
        raise InfeasibleError(f"the model has no solution, so anything follows from it: {_listed(clashing)} cannot all hold", clashing)


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

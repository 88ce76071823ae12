"""Models that are nothing but sums of 0/1 variables between bounds: recognised, taken apart, and counted over a diagram of their own.

Comparisons with equal coefficients, ``exactly_one``, ``at_most_one`` and clauses whose literals are all plain or all negated are such sums.
What a single sum decides is settled first. The longest sum is the *total* if it is over most of what is left: it does not hold the rest
together, since solutions are counted by their number of ones in it. Variables that the other sums cannot tell apart are one group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpsolve.cached import cached_property
from cpsolve.constraints import AtMostOne, ExactlyOne
from cpsolve.counting.exact_sums import ALONE, Counts, Split
from cpsolve.counting.ordering import Slot
from cpsolve.counting.product import Component, Limits, conditions, impossible
from cpsolve.counting.product import Diagram as Layers
from cpsolve.counting.search import clause_of
from cpsolve.expressions import Comparison, Condition, Expression, Variable, linear_form
from cpsolve.limits import look, looking

if TYPE_CHECKING:
    from cpsolve.counting.sum_kernels import Diagram, System
    from cpsolve.model import Model

MOST_NODES = 50_000
"""Wider diagrams are left to the other engines."""
TRIES = 10_000
"""How hard a good order is looked for."""
GENEROUS = 5
"""By this factor estimates are often too large."""
COUNTS, BYTES = 40, 500
"""Floats per node, at most, and about the memory that a node takes with them."""
WORK = 2e10
"""Bits of whole numbers that may be moved for an answer."""
LARGEST_GROUP = 1000
FAR = 1 << 62
"""More than any sum can be."""


def bounded_sum(constraint: Condition) -> tuple[list[Variable], int, int] | None:
    """The 0/1 variables of a sum, the least and the most that it may be; None for a constraint that is no such sum.

    >>> import cpsolve as cp
    >>> x, y, z = cp.Model().bool_vars(3, name="x")
    >>> bounded_sum(2 * x + 2 * y <= 3), bounded_sum(~x | ~z)
    (([x[0], x[1]], 0, 1), ([x[0], x[2]], 0, 1))
    """
    low, high = -FAR, FAR
    terms: Mapping[Expression, int]
    if isinstance(constraint, Comparison):
        terms, constant = linear_form((1, constraint.left), (-1, constraint.right))
        match constraint.op:
            case "==":
                low = high = -constant
            case "<=" | "<":
                high = -constant - (constraint.op == "<")
            case ">=" | ">":
                low = -constant + (constraint.op == ">")
            case _:
                return None
    elif isinstance(constraint, AtMostOne | ExactlyOne):
        terms, constant = linear_form(*[(1, arg) for arg in constraint.args])
        low, high = (1 - constant if isinstance(constraint, ExactlyOne) else -FAR), 1 - constant
    else:
        clause = clause_of(constraint)
        if clause is None:
            return None
        terms, low = {variable: -1 if negated else 1 for variable, negated in clause.items()}, 1 - sum(clause.values())
    found = _units(terms)
    if found is None:
        return None
    members, factor = found
    if factor < 0:
        factor, low, high = -factor, -high, -low
    return members, max(0, -(-low // factor)), min(len(members), high // factor)


def unit_sum(expression: Expression) -> tuple[list[Variable], int, int] | None:
    """An expression as a multiple of a sum of 0/1 variables, and a constant; None for any other.

    >>> import cpsolve as cp
    >>> x, y = cp.Model().bool_vars(2, name="x")
    >>> unit_sum(3 * x + 3 * y + 1)
    ([x[0], x[1]], 3, 1)
    """
    terms, constant = linear_form((1, expression))
    found = _units(terms)
    return None if found is None else (*found, constant)


def _units(terms: Mapping[Expression, int]) -> tuple[list[Variable], int] | None:
    """The 0/1 variables of a sum with one coefficient for all, and that coefficient."""
    members = [atom for atom in terms if isinstance(atom, Variable) and atom.is_boolean]
    factors = set(terms.values())
    return (members, factors.pop() if factors else 1) if len(members) == len(terms) and len(factors) < 2 else None


class _Rows:
    """Sums over variables that are not settled yet; ``possible`` is False when one of them cannot hold."""

    def __init__(self, sums: Sequence[tuple[list[Variable], int, int]]) -> None:
        self.members = [dict.fromkeys(members) for members, _, _ in looking(sums, "counting")]
        self.least, self.most = [least for _, least, _ in sums], [most for _, _, most in sums]
        self.values: dict[Variable, int] = {}
        self.held: dict[Variable, list[int]] = {}
        for number, members in enumerate(self.members):
            look("counting")
            for variable in members:
                self.held.setdefault(variable, []).append(number)
        for variable in [variable for variable in self.held if variable.lo == variable.hi]:
            self._settle(variable, variable.lo)
        self.possible = self._propagate()

    def _settle(self, variable: Variable, value: int) -> None:
        self.values[variable] = value
        for number in self.held[variable]:
            del self.members[number][variable]
            self.least[number] -= value
            self.most[number] -= value

    def _propagate(self) -> bool:
        """Settles the variables of sums that are at their least or most whatever else; False on a contradiction."""
        waiting = dict.fromkeys(range(len(self.members)))
        while waiting:
            look("counting")
            number, _ = waiting.popitem()
            members, least, most = self.members[number], self.least[number], self.most[number]
            if most < 0 or least > len(members):
                return False
            if members and (most == 0 or least == len(members)):
                for variable in list(members):
                    waiting.update(dict.fromkeys(self.held[variable]))
                    self._settle(variable, int(most > 0))
        return True


@dataclass(frozen=True)
class Sums:
    """A model of sums, counted. A variable is ``settled``, in one of the ``groups``, ``alone`` in the total, ``free`` or no 0/1 variable.

    ``free`` are the 0/1 variables that nothing constrains, ``others`` those that are not 0/1: nothing constrains them either.
    """

    settled: Mapping[Variable, int]
    groups: Sequence[Sequence[Variable]]
    alone: Sequence[Variable]
    free: Sequence[Variable]
    others: Sequence[Variable]
    least: int
    most: int
    system: System
    diagram: Diagram

    @cached_property
    def factor(self) -> int:
        """The number of values of all variables that are not 0/1."""
        return prod([v.hi - v.lo + 1 for v in self.others])

    @cached_property
    def _counts(self) -> Counts:
        return Counts(self.system, self.diagram, self.least, self.most, len(self.alone), len(self.free))

    def work(self, near: int = 0) -> float:
        """About how many bits of whole numbers are moved in a pass over the diagram, with ``near`` variables told apart from others."""
        variables, counted = sum(map(len, self.groups)), int((self.system.size * self.system.counted).sum())
        return float(len(self.diagram.target)) * variables * (1 + counted) * (1 + near)

    def count(self) -> int:
        """The number of solutions."""
        return self._counts.solutions * self.factor

    def count_by(self, chosen: Iterable[Variable]) -> dict[int, int]:
        """The number of solutions for each number of ones in some 0/1 variables."""
        near = set(chosen)
        places = [*enumerate(self.groups), (ALONE, self.alone)]
        splits = {
            place: Split(len(near.intersection(members)), len(members) - len(near.intersection(members))) for place, members in places
        }
        free = len(near.intersection(self.free))
        certain = sum([self.settled.get(variable, 0) for variable in near])
        counts = self._counts.by({place: split for place, split in splits.items() if split.near}, Split(free, len(self.free) - free))
        return {ones + certain: ways * self.factor for ones, ways in sorted(counts.items()) if ways}

    def shares(self, exact: bool, limits: Limits) -> dict[Variable, Fraction | float] | None:
        """The share of solutions in which each 0/1 variable is 1, as fractions if ``exact``; None when there is no solution."""
        by_group = None if exact else self._floats()
        if by_group is None:  # also where counts are beyond floats
            if not self._counts.solutions:
                return None
            fractions = self._counts.shares(limits.deadline)
            by_group = [fractions.get(place, 0) for place in (*range(len(self.groups)), ALONE)]
        shares: dict[Variable, Fraction | float] = {variable: Fraction(value) for variable, value in self.settled.items()}
        for members, share in zip([*self.groups, self.alone, self.free], [*by_group, Fraction(1, 2)], strict=True):
            shares.update(dict.fromkeys(members, share))
        return shares

    def certain(self, limits: Limits) -> dict[Variable, int] | None:
        """The variables that have one value in every solution, with that value; None when there is no solution."""
        shares = self.shares(False, limits)
        return None if shares is None else {**{v: int(share) for v, share in shares.items() if share in (0, 1)}, **self.settled}

    def layers(self, limits: Limits) -> Layers:
        """The same as a diagram of the kind that any model has: a state is a node here and the number of ones in the total before it."""
        from cpsolve.counting.sum_kernels import ARCS, FIRST_ARC, HIGH, LEAST, LOW

        d, first = self.diagram, self.diagram.first.tolist()
        slots = [Slot((variable,), (value,)) for variable, value in self.settled.items()]
        line = Component(slots, 0, [np.zeros((1, 1), np.int32)] * len(slots), [1] * (1 + len(slots)))

        def read(members: Sequence[Variable], arcs: NDArray[np.int64], width: int) -> None:
            limits.deadline.check("counting")
            limits.memory.take(arcs.nbytes, width)
            line.slots.append(Slot(tuple(members), range(len(members) + 1)))
            line.arcs.append(arcs.reshape(-1, len(members) + 1).astype(np.int32))
            line.widths.append(width)

        before = here = range(1)  # the ones in the total before a component, and before a row
        for begin, end in pairwise(d.begins.tolist()):
            for row in range(begin, end - 1):
                nodes, following = d.nodes[first[row] : first[row + 1]], d.nodes[first[row + 1] : first[row + 2]]
                if not len(following):
                    return Layers([impossible()], [])
                group = int(d.read[row])
                there = range(before[0] + int(following[:, LOW].min()), before[-1] + int(following[:, HIGH].max()) + 1)
                values = np.arange(len(self.groups[group]) + 1)
                place = (values - nodes[:, LEAST, None])[:, None, :]
                arc = np.minimum(nodes[:, FIRST_ARC, None, None] + place, len(d.target) - 1)
                ones = np.array(here)[None, :, None] + self.system.counted[group] * values
                states = (d.target[arc] - first[row + 1]) * len(there) + ones - there[0]
                led = (place >= 0) & (place < nodes[:, ARCS, None, None]) & (ones >= there[0]) & (ones <= there[-1])
                read(self.groups[group], np.where(led, states, -1), len(following) * len(there))
                here = there
            before = here
        ones = np.array(here)[:, None] + np.arange(len(self.alone) + 1)
        read(self.alone, np.where((ones >= self.least) & (ones <= self.most), 0, -1), 1)
        return Layers([line], [*self.free, *[v for v in self.others if v not in self.settled]])

    def _floats(self) -> Sequence[Fraction | float] | None:
        """The share of each group, last of those in the total alone; None when floats cannot tell."""
        from cpsolve.counting.sum_kernels import SOLVED, weigh

        share = np.empty(len(self.groups) + 1)
        status = weigh(self.least, self.most, len(self.alone), share, *self.system, *self.diagram)
        return share.tolist() if status == SOLVED else None


def of(model: Model, limits: Limits) -> Sums | None:
    """A model as sums, kept until the model changes; None when it is not one, has no solution or needs a wide diagram."""
    found: Sums | None = model.derived("sums", lambda: _taken_apart(model, limits))
    return found


def _taken_apart(model: Model, limits: Limits) -> Sums | None:
    sums: list[tuple[list[Variable], int, int]] = []
    for constraint in conditions(model, limits):
        bounds = bounded_sum(constraint)
        if bounds is None:
            return None
        limits.deadline.check("counting")
        sums.append(bounds)
    rows = _Rows(sums)
    if not rows.possible:
        return None
    limits.deadline.check("counting")
    alive = [n for n, members in enumerate(rows.members) if rows.least[n] > 0 or rows.most[n] < len(members)]
    held: dict[Variable, list[int]] = {}
    for number in alive:
        look("counting")
        for variable in rows.members[number]:
            held.setdefault(variable, []).append(number)
    total = max(alive, key=lambda number: len(rows.members[number]), default=-1)
    if total >= 0 and 2 * len(rows.members[total]) < len(held):
        total = -1
    groups: dict[tuple[int, ...], list[Variable]] = {}
    for variable in looking(model.variables, "counting"):
        if variable in held:
            groups.setdefault(tuple(held[variable]), []).append(variable)
    alone = groups.pop((total,), [])
    settled = {v: v.lo for v in model.variables if v.lo == v.hi} | rows.values
    free = [v for v in model.variables if v.is_boolean and v not in held and v not in settled]
    limits.deadline.check("counting")
    system = _system(groups, total, rows)
    least, most = (rows.least[total], rows.most[total]) if total >= 0 else (0, 0)
    diagram = None if system is None else _diagram(system, most, limits)
    if system is None or diagram is None:
        return None
    others = [v for v in model.variables if not v.is_boolean]
    return Sums(settled, list(groups.values()), alone, free, others, max(0, least), most, system, diagram)


def _system(groups: Mapping[tuple[int, ...], Sequence[Variable]], total: int, rows: _Rows) -> System | None:
    """Groups, given by the numbers of their sums, in arrays; None when one is large."""
    from cpsolve.counting.sum_kernels import System

    numbers = [[number for number in key if number != total] for key in groups]
    place = {number: i for i, number in enumerate(sorted({number for key in numbers for number in key}))}
    sizes = [len(members) for members in groups.values()]
    largest = max(sizes, default=0)
    if largest > LARGEST_GROUP:
        return None
    length = [len(rows.members[number]) for number in place]
    most = [min(rows.most[number], variables) for number, variables in zip(place, length, strict=True)]
    slack = [most - max(0, rows.least[number]) for number, most in zip(place, most, strict=True)]
    choose = np.zeros((largest + 1, largest + 1))
    for variables in set(sizes):
        choose[variables, : variables + 1] = [float(comb(variables, ones)) for ones in range(variables + 1)]
    links = [place[number] for key in numbers for number in key]
    at = list(accumulate(map(len, numbers), initial=0))
    counted = [int(total in key) for key in groups]
    size, total_of, begins, sums, high, loose, lengths = (
        np.array(values, np.int64) for values in (sizes, counted, at, links, most, slack, length)
    )
    return System(size, total_of, begins, sums, high, loose, lengths, choose)


def _diagram(system: System, most: int, limits: Limits) -> Diagram | None:
    from cpsolve.counting import sum_kernels as kernels

    order, bounds, estimates = kernels.ordered(system, TRIES, np.arange(len(system.size))[None, :])
    limits.deadline.check("counting")
    nodes = min(MOST_NODES, limits.memory.max_nodes or MOST_NODES, limits.memory.limit // BYTES)
    if estimates.sum() > GENEROUS * nodes:
        return None
    found, _, complete = kernels.diagram(system, order, bounds, most, nodes, COUNTS * nodes)
    return found if complete else None

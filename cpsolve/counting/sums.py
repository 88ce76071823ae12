"""Models that are nothing but sums of 0/1 variables between bounds: recognised, taken apart, and counted over a diagram of their own.

Comparisons with equal coefficients, ``exactly_one``, ``at_most_one`` and clauses whose literals are all plain or all negated are such sums.
What a single sum decides is settled first. The longest sum is the *total* if it is over most of what is left: it does not hold the rest
together, since solutions are counted by their number of ones in it. Variables that the other sums cannot tell apart are one group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from cpsolve.constraints import AtMostOne, ExactlyOne
from cpsolve.counting.exact_sums import ALONE, Counts, Split
from cpsolve.counting.product import Limits, conditions
from cpsolve.counting.search import clause_of
from cpsolve.expressions import Comparison, Condition, Expression, Variable, linear_form

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
        self.members = [dict.fromkeys(members) for members, _, _ in sums]
        self.least, self.most = [least for _, least, _ in sums], [most for _, _, most in sums]
        self.values: dict[Variable, int] = {}
        self.held: dict[Variable, list[int]] = {}
        for number, members in enumerate(self.members):
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

    ``free`` are the 0/1 variables that nothing constrains; ``factor`` is the number of values of all variables that are not 0/1.
    """

    settled: Mapping[Variable, int]
    groups: Sequence[Sequence[Variable]]
    alone: Sequence[Variable]
    free: Sequence[Variable]
    factor: int
    least: int
    most: int
    system: System
    diagram: Diagram

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

    def shares(self, exact: bool) -> dict[Variable, Fraction | float] | None:
        """The share of solutions in which each 0/1 variable is 1, as fractions if ``exact``; None when there is no solution."""
        by_group = None if exact else self._floats()
        if by_group is None:  # also where counts are beyond floats
            if not self._counts.solutions:
                return None
            fractions = self._counts.shares()
            by_group = [fractions.get(place, 0) for place in (*range(len(self.groups)), ALONE)]
        shares: dict[Variable, Fraction | float] = {variable: Fraction(value) for variable, value in self.settled.items()}
        for members, share in zip([*self.groups, self.alone, self.free], [*by_group, Fraction(1, 2)], strict=True):
            shares.update(dict.fromkeys(members, share))
        return shares

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
        if not len(sums) % 256:
            limits.deadline.check("counting")
        sums.append(bounds)
    rows = _Rows(sums)
    if not rows.possible:
        return None
    alive = [n for n, members in enumerate(rows.members) if rows.least[n] > 0 or rows.most[n] < len(members)]
    held: dict[Variable, list[int]] = {}
    for number in alive:
        for variable in rows.members[number]:
            held.setdefault(variable, []).append(number)
    total = max(alive, key=lambda number: len(rows.members[number]), default=-1)
    if total >= 0 and 2 * len(rows.members[total]) < len(held):
        total = -1
    groups: dict[tuple[int, ...], list[Variable]] = {}
    for variable in model.variables:
        if variable in held:
            groups.setdefault(tuple(held[variable]), []).append(variable)
    alone = groups.pop((total,), [])
    settled = {v: v.lo for v in model.variables if v.lo == v.hi} | rows.values
    free = [v for v in model.variables if v.is_boolean and v not in held and v not in settled]
    system = _system(groups, total, rows)
    least, most = (rows.least[total], rows.most[total]) if total >= 0 else (0, 0)
    diagram = None if system is None else _diagram(system, most, limits)
    if system is None or diagram is None:
        return None
    factor = prod([v.hi - v.lo + 1 for v in model.variables if not v.is_boolean])
    return Sums(settled, list(groups.values()), alone, free, factor, max(0, least), most, system, diagram)


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

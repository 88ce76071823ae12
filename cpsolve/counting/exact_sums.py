"""Whole counts over the diagrams of sums, in Python integers.

A component's count for each number of ones is a polynomial, and a polynomial is kept as one large integer with a fixed number of
bits for each coefficient: to place v ones more is a shift, and a sweep over a diagram is a few shifts and additions per arc. To
also tell apart how many ones lie in some of the variables, that number takes a second digit above the first; the nodes stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from cpsolve.cached import cached_property
from cpsolve.limits import Deadline, look

if TYPE_CHECKING:
    from cpsolve.counting.sum_kernels import Diagram, System

Table: TypeAlias = dict[tuple[int, int], int]
"""Counts by the number of ones in the total and the number of ones in the variables in question."""

EXACT = 2.0**53
"""Floats up to this size are whole numbers if they are sums and products of such."""

ALONE = -1
"""In place of a group: the variables that are in the total alone."""


@dataclass(frozen=True)
class Split:
    """A group's variables, but for one that may be asked about: how many are ``near``, how many are not, and the value of that one."""

    near: int
    far: int
    own: int = 0

    def ways(self, ones: int) -> dict[int, int]:
        """For each number of ones that are near, the ways to place ``ones`` ones in all.

        >>> Split(near=1, far=2).ways(1)
        {0: 2, 1: 1}
        """
        left = ones - self.own
        fewest, most = max(0, left - self.far), min(self.near, left)
        return {near: comb(self.near, near) * comb(self.far, left - near) for near in range(fewest, most + 1)}


@dataclass(frozen=True)
class Component:
    """A connected part: the groups it reads, and for each row of nodes their arcs as (ones, node of the next row).

    ``counted`` tells for each group whether its ones count in the total: 1, or 0.
    """

    groups: Sequence[int]
    sizes: Sequence[int]
    counted: Sequence[int]
    rows: Sequence[Sequence[Sequence[tuple[int, int]]]]

    @cached_property
    def _digit(self) -> int:
        """Bits for a coefficient: no count of placements in the component's variables needs more."""
        return sum(self.sizes) + 1

    def count(self, splits: Mapping[int, Split]) -> Table:
        """The solutions by their number of ones in the total and by how many are near; ``splits`` says in which groups some are.

        >>> pair = Component([0], [2], [1], [[[(1, 0)]]])  # a single 1 in two variables
        >>> pair.count({}), pair.count({0: Split(near=1, far=1)})
        ({(1, 0): 2}, {(1, 0): 1, (1, 1): 1})
        """
        digit = self._digit
        shelf = digit * digit
        here = [1]
        for group, size, counted, row in zip(self.groups, self.sizes, self.counted, self.rows, strict=True):
            look("counting exactly")
            split = splits.get(group) or Split(0, size)
            weights = [
                sum(ways << shelf * near for near, ways in split.ways(value).items()) << digit * value * counted
                for value in range(size + 1)
            ]
            here = _forward(here, row, weights)
        return {
            (ones, near): ways
            for near, inner in enumerate(_digits(here[0], shelf))
            for ones, ways in enumerate(_digits(inner, digit))
            if ways
        }

    def with_a_one(self) -> Iterator[tuple[int, dict[int, int]]]:
        """For each group, the solutions in which a given one of its variables is 1, by their number of ones in the total.

        >>> dict(Component([0], [2], [1], [[[(1, 0)]]]).with_a_one())
        {0: {1: 1}}
        """
        digit = self._digit
        shifts = [digit * counted for counted in self.counted]
        weights = [[comb(size, v) << shift * v for v in range(size + 1)] for size, shift in zip(self.sizes, shifts, strict=True)]
        behind = [[1]]
        for row, weight in zip(reversed(self.rows), reversed(weights), strict=True):
            look("counting exactly")
            behind.append([sum([weight[value] * behind[-1][child] for value, child in arcs]) for arcs in row])
        here = [1]
        for position, (group, size, shift, row) in enumerate(zip(self.groups, self.sizes, shifts, self.rows, strict=True)):
            after = behind[-2 - position]
            given = [0, *(comb(size - 1, v - 1) << shift * v for v in range(1, size + 1))]
            ones = sum([ways * given[value] * after[child] for ways, arcs in zip(here, row, strict=True) for value, child in arcs])
            yield group, {total: ways for total, ways in enumerate(_digits(ones, digit)) if ways}
            here = _forward(here, row, weights[position])


def _forward(here: Sequence[int], row: Sequence[Sequence[tuple[int, int]]], weights: Sequence[int]) -> list[int]:
    """The counts of the next row's nodes from those of a row."""
    following = [0] * (1 + max((child for arcs in row for _, child in arcs), default=0))
    for ways, arcs in zip(here, row, strict=True):
        if ways:
            for value, child in arcs:
                following[child] += ways * weights[value]
    return following


def _digits(number: int, bits: int) -> list[int]:
    mask = (1 << bits) - 1
    digits = []
    while number:
        digits.append(number & mask)
        number >>= bits
    return digits


def components(system: System, diagram: Diagram) -> list[Component]:
    """The components of a diagram as plain lists."""
    from cpsolve.counting.sum_kernels import ARCS, FIRST_ARC, LEAST

    read, first, target = diagram.read.tolist(), diagram.first.tolist(), diagram.target.tolist()
    sizes, counted = system.size.tolist(), system.counted.tolist()
    arc, arcs, least = (diagram.nodes[: first[-1], column].tolist() for column in (FIRST_ARC, ARCS, LEAST))
    parts = []
    for begin, end in pairwise(diagram.begins.tolist()):
        rows = [
            [
                [(least[node] + i, target[arc[node] + i] - first[row + 1]) for i in range(arcs[node])]
                for node in range(first[row], first[row + 1])
            ]
            for row in range(begin, end - 1)
        ]
        groups = read[begin : end - 1]
        parts.append(Component(groups, [sizes[group] for group in groups], [counted[group] for group in groups], rows))
    return parts


def product(tables: Sequence[Table]) -> Table:
    """The counts of several independent parts together.

    >>> product([{(1, 0): 2}, {(0, 0): 1, (1, 1): 1}])
    {(1, 0): 2, (2, 1): 2}
    """
    result: Table = {(0, 0): 1}
    for table in tables:
        joined: Table = {}
        for (ones, near), ways in result.items():
            for (more, further), others in table.items():
                key = (ones + more, near + further)
                joined[key] = joined.get(key, 0) + ways * others
        result = joined
    return result


class Counts:
    """Whole counts of the solutions of a system whose total is ``least`` to ``most``.

    ``alone`` variables are in the total only, ``free`` ones in nothing.
    """

    def __init__(self, system: System, diagram: Diagram | None, least: int, most: int, alone: int, free: int) -> None:
        self._system, self._diagram = system, diagram
        self._least, self._most = least, most
        self._alone, self._free = Split(0, alone), Split(0, free)
        self._shares: dict[int, Fraction] = {}
        self._known: dict[int, int] = {}

    @cached_property
    def components(self) -> list[Component]:
        """The connected parts."""
        return [] if self._diagram is None else components(self._system, self._diagram)

    @cached_property
    def _tables(self) -> list[Table]:
        """The counts of each component: those of the diagram, as long as all of them are whole numbers of floats."""
        from cpsolve.counting.sum_kernels import HIGH, LOW, SLOT

        d = self._diagram
        if d is None or d.counts.max(initial=0.0) > EXACT:
            return [part.count({}) for part in self.components]
        tables = []
        for last in d.begins[1:] - 1:
            low, high, slot = d.nodes[d.first[last], [LOW, HIGH, SLOT]].tolist() if d.first[last] < d.first[last + 1] else (0, -1, 0)
            tables.append({(low + k, 0): int(ways) for k, ways in enumerate(d.counts[slot : slot + high - low + 1].tolist()) if ways})
        return tables

    @cached_property
    def _home(self) -> dict[int, int]:
        """The component of each group."""
        return {group: number for number, part in enumerate(self.components) for group in part.groups}

    @cached_property
    def _others(self) -> dict[int, Table]:
        """For each component, the counts of all the others together."""
        ahead = [product([])]
        for table in self._tables:
            ahead.append(product([ahead[-1], table]))
        behind = [product([])]
        for table in reversed(self._tables):
            behind.append(product([behind[-1], table]))
        return {number: product([ahead[number], behind[-2 - number]]) for number in range(len(self._tables))}

    @cached_property
    def solutions(self) -> int:
        """The number of solutions."""
        return sum([ways * self._completions(ones) for (ones, _), ways in product(self._tables).items()])

    def size(self, group: int) -> int:
        """The number of variables of a group, or of those that are ALONE."""
        return self._alone.far if group == ALONE else int(self._system.size[group])

    def share(self, group: int) -> Fraction:
        """The share of solutions with a 1 in a given variable of a group."""
        if group not in self._shares:
            one = Split(0, self.size(group) - 1, own=1)
            if group == ALONE:
                counts = self.by({ALONE: one})
            else:
                number = self._home[group]
                table = product([self._others[number], self.components[number].count({group: one})])
                counts = self._joined(table, self._alone, self._free)
            self._shares[group] = Fraction(sum(counts.values()), self.solutions)
        return self._shares[group]

    def shares(self, deadline: Deadline) -> dict[int, Fraction]:
        """As :meth:`share`, of all groups and of ALONE if there are such: takes more memory, and less time."""
        for number, part in enumerate(self.components):
            rest = {
                ones: sum([ways * self._completions(ones + others) for (others, _), ways in self._others[number].items()])
                for ones, _ in self._tables[number]
            }
            for group, counts in part.with_a_one():
                deadline.check("counting")
                self._shares[group] = Fraction(sum([ways * rest[ones] for ones, ways in counts.items()]), self.solutions)
        if self.size(ALONE):
            self.share(ALONE)
        return self._shares

    def _completions(self, ones: int) -> int:
        """In how many ways the other variables can be when the components hold a number of ones."""
        if ones not in self._known:
            self._known[ones] = sum([comb(self._alone.far, more) for more in self._missing(ones)]) << self._free.far
        return self._known[ones]

    def _missing(self, ones: int) -> range:
        """How many ones may be elsewhere when the components hold a number of them."""
        return range(max(0, self._least - ones), min(self._alone.far, self._most - ones) + 1)

    def by(self, splits: Mapping[int, Split], free: Split | None = None) -> dict[int, int]:
        """The solutions by how many ones are near; ``splits`` says in which groups some are, ``free`` of the variables in nothing."""
        touched = {self._home[group] for group in splits if group != ALONE}
        tables = [self.components[number].count(splits) if number in touched else table for number, table in enumerate(self._tables)]
        return self._joined(product(tables), splits.get(ALONE, self._alone), free or self._free)

    def _joined(self, table: Table, alone: Split, free: Split) -> dict[int, int]:
        """For each number of ones that are near, the solutions in which the components hold what ``table`` counts."""
        counts: dict[int, int] = {}
        for (ones, near), ways in table.items():
            for missing in self._missing(ones):
                for further, others in alone.ways(missing).items():
                    for more in range(free.near + 1):
                        key = near + further + more
                        counts[key] = counts.get(key, 0) + (ways * others * comb(free.near, more) << free.far)
        return counts

"""Whole counts over the diagrams that the kernels lay out, in Python integers.

A component's count for each number of mines is a polynomial, and a polynomial is kept as one large integer with a fixed number of
bits for each coefficient: to place v mines more is a shift, and a sweep over a diagram is a few shifts and additions per arc. To
also tell apart how many mines lie around one cell, that number takes a second digit above the first; the nodes stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from cpsolve.counting.sum_kernels import Diagram, System

Table: TypeAlias = dict[tuple[int, int], int]
"""Counts by the number of mines and the number of them around the cell in question."""


@dataclass(frozen=True)
class Split:
    """A group's cells, one asked about or none: how many others lie around it, how many elsewhere, and what it holds itself."""

    near: int
    far: int
    mined: int = 0

    def ways(self, mines: int) -> dict[int, int]:
        """For each number of mines around, the ways to place ``mines`` mines in all.

        >>> Split(near=1, far=2).ways(1)
        {0: 2, 1: 1}
        """
        left = mines - self.mined
        fewest, most = max(0, left - self.far), min(self.near, left)
        return {around: comb(self.near, around) * comb(self.far, left - around) for around in range(fewest, most + 1)}


@dataclass(frozen=True)
class Component:
    """A connected part of the frontier: the groups it reads, and for each row of nodes their arcs as (mines, node of the next row)."""

    groups: Sequence[int]
    sizes: Sequence[int]
    rows: Sequence[Sequence[Sequence[tuple[int, int]]]]

    @cached_property
    def plain(self) -> Table:
        """The solutions by their number of mines."""
        return self.count({})

    def count(self, splits: Mapping[int, Split]) -> Table:
        """The solutions by their number of mines and by how many lie around a cell; ``splits`` says which groups do.

        >>> pair = Component([0], [2], [[[(1, 0)]]])  # one mine in two cells
        >>> pair.count({}), pair.count({0: Split(near=1, far=1)})
        ({(1, 0): 2}, {(1, 0): 1, (1, 1): 1})
        """
        cells = sum(self.sizes)
        digit = cells + 1  # no count of placements in that number of cells needs more bits
        shelf = digit * (cells + 1)
        here = [1]
        for group, size, row in zip(self.groups, self.sizes, self.rows, strict=True):
            split = splits.get(group) or Split(0, size)
            weights = [
                sum(ways << shelf * around for around, ways in split.ways(value).items()) << digit * value for value in range(size + 1)
            ]
            following = [0] * (1 + max((child for arcs in row for _, child in arcs), default=0))
            for ways, arcs in zip(here, row, strict=True):
                if ways:
                    for value, child in arcs:
                        following[child] += ways * weights[value]
            here = following
        return {
            (mines, around): ways
            for around, inner in enumerate(_digits(here[0], shelf))
            for mines, ways in enumerate(_digits(inner, digit))
            if ways
        }


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

    read, first, sizes, target = diagram.read.tolist(), diagram.first.tolist(), system.size.tolist(), diagram.target.tolist()
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
        parts.append(Component(groups, [sizes[group] for group in groups], rows))
    return parts


def product(tables: Sequence[Table]) -> Table:
    """The counts of several independent parts together.

    >>> product([{(1, 0): 2}, {(0, 0): 1, (1, 1): 1}])
    {(1, 0): 2, (2, 1): 2}
    """
    result: Table = {(0, 0): 1}
    for table in tables:
        joined: Table = {}
        for (mines, around), ways in result.items():
            for (more, further), others in table.items():
                key = (mines + more, around + further)
                joined[key] = joined.get(key, 0) + ways * others
        result = joined
    return result

"""What a view tells: certain cells, exact probabilities, the number of fields that fit, and what a cell would show.

:func:`infer` gives the numbers to the compiled kernels, which return probabilities as floats (0 and 1 exact). Fractions and whole
counts are worked out from the same diagram when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpsolve.errors import DiagramTooWide, InfeasibleError, ModelError
from models.minesweeper.encode import encode
from models.minesweeper.exact import Component, Split, Table, components, product
from models.minesweeper.formats import Cell
from models.minesweeper.rules import View

if TYPE_CHECKING:
    from models.minesweeper.kernels import Answer

MAX_NODES = 1_000_000
MAX_COUNTS = 24_000_000
"""The budget of a diagram: nodes, and floats kept on them (8 bytes each)."""

UNTOUCHED, SETTLED = -1, -2
"""Instead of a group: no number touches the cell; it is open, or a single number or two prove what it is."""

NEARLY = 1e-9
"""Floats that differ by less may stand for one fraction: whether they do is asked exactly."""


def infer(view: View, *, max_nodes: int = MAX_NODES) -> Inference:
    """All that follows from a view. The very first call compiles the kernels, for half a minute; later processes load them.

    InfeasibleError, with a minimal list of numbers that clash, when no field fits. DiagramTooWide when the frontier needs more than
    ``max_nodes`` nodes.

    >>> answer = infer(View.from_text('''
    ...     001-
    ...     001-
    ...     113-
    ...     ----
    ... ''', mines=3))
    >>> sorted(answer.mines), answer.solutions
    ([(2, 4), (4, 2), (4, 4)], 1)
    >>> infer(View.from_text("1--", mines=1)).exact((1, 3))
    Fraction(0, 1)
    """
    from models.minesweeper import kernels

    mines = -1 if view.mines is None else view.mines
    found = kernels.solve(view.grid, mines, max_nodes, MAX_COUNTS)
    if found.status == kernels.INCONSISTENT:
        raise inconsistent(view)
    if found.status == kernels.TOO_WIDE:
        groups, numbers = len(found.frontier.size), len(found.frontier.asks)
        raise DiagramTooWide(
            f"the frontier is too wide: {groups:,} groups of cells under {numbers:,} numbers gave a row of {found.width:,} nodes "
            f"or more, and the budget is {max_nodes:,} nodes in all. "
            "Raise max_nodes, or ask encode(view).backbone() for what is certain",
            found.width,
            max_nodes,
        )
    answer = Inference(view, found)
    if found.status == kernels.TOO_LARGE:
        if not answer.solutions:
            raise inconsistent(view)
        answer.round_fractions()
    answer.probability.flags.writeable = False
    return answer


def inconsistent(view: View) -> InfeasibleError:
    """The error for a view that no field fits: it lists the fewest numbers that clash.

    >>> print(inconsistent(View.from_text("1-2")))
    no field fits this view: (1,3) shows 2 cannot hold
    >>> print(inconsistent(View.from_text("1-0")))
    no field fits this view: (1,1) shows 1; (1,3) shows 0 cannot all hold
    """
    conflict = encode(view).conflict()
    listed = "; ".join(entry.name for entry in conflict)
    return InfeasibleError(f"no field fits this view: {listed} cannot {'all ' if len(conflict) > 1 else ''}hold", conflict)


class Inference:
    """What follows from a view; made by :func:`infer`.

    ``probability`` is a rows × columns array, counted from 0, of the probability of a mine; open cells have 0. Without a number of
    mines all fields that fit are equally likely, so a cell that no number touches has 1/2.
    """

    def __init__(self, view: View, found: Answer) -> None:
        self.view = view
        self.probability: NDArray[np.float64] = found.probability
        self._left = found.left
        self._untouched = found.untouched
        self._frontier = found.frontier
        self._diagram = found.diagram
        self._risks: dict[int, Fraction] = {}

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """The covered cells that are not a mine in any field that fits."""
        return frozenset(_cells((self.probability == 0.0) & (self.view.grid < 0)))

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The covered cells that are a mine in every field that fits."""
        return frozenset(_cells(self.probability == 1.0))

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The covered cells of least risk, row by row."""
        covered = self.view.grid < 0
        if not covered.any():
            return ()
        least = self.probability[covered].min()
        chosen = covered & (self.probability <= least + NEARLY)
        groups = np.unique(self.groups[chosen])
        if len(groups) > 1 and 0.0 < least < 1.0:
            risks = {group: self._group_risk(group) for group in groups.tolist()}
            chosen &= np.isin(self.groups, [group for group, risk in risks.items() if risk == min(risks.values())])
        else:
            chosen &= self.probability == least
        return tuple(_cells(chosen))

    @cached_property
    def solutions(self) -> int:
        """The number of fields that fit the view."""
        return self._weigh(product([part.plain for part in self._components]), Split(0, self._untouched))[0]

    def risk(self, cell: Cell) -> float:
        """The probability of a mine in a cell ``(row, column)``, counted from 1 as everywhere in the game; 0 if it is open.

        ``probability`` is the same as an array, which is counted from 0.

        >>> infer(View.from_text("1--", mines=None)).risk((1, 3))
        0.5
        """
        self.view[cell]  # says so when it is outside the board
        return float(self.probability[cell[0] - 1, cell[1] - 1])

    def exact(self, cell: Cell) -> Fraction:
        """The probability of a mine in a cell; 0 if it is open.

        >>> infer(View.from_text("1--", mines=None)).exact((1, 3))
        Fraction(1, 2)
        """
        if self.view[cell] is not None:
            return Fraction(0)
        place = (cell[0] - 1, cell[1] - 1)
        group = int(self.groups[place])
        return Fraction(int(self.probability[place])) if group == SETTLED else self._group_risk(group)

    def reveals(self, cell: Cell) -> dict[int, Fraction]:
        """What a covered cell would show if it were opened and no mine: the probability of each number that it can show.

        The probabilities add up to 1; a cell that is a mine for certain shows nothing: {}.

        >>> infer(View.from_text("1--\\n---", mines=2)).reveals((2, 3))
        {1: Fraction(1, 3), 2: Fraction(2, 3)}
        """
        if self.view[cell] is not None:
            raise ModelError(f"the cell {cell} is open: it shows {self.view[cell]}")
        counts = self._around(cell)
        total = sum(counts.values())
        return {number: Fraction(ways, total) for number, ways in sorted(counts.items()) if ways}

    def opens_zero(self, cell: Cell) -> Fraction:
        """The probability that a covered cell is no mine and shows 0, so that its neighbours open with it.

        >>> infer(View.from_text("----", mines=1)).opens_zero((1, 1))
        Fraction(1, 2)
        """
        return (1 - self.exact(cell)) * self.reveals(cell).get(0, Fraction(0))

    def round_fractions(self) -> None:
        """Fills ``probability`` from the fractions, for boards whose counts do not fit in floats; 0 and 1 stay exact."""
        for row, column in self.view.covered:
            risk = self.exact((row, column))
            self.probability[row - 1, column - 1] = risk if risk in (0, 1) else min(max(float(risk), 5e-324), 1.0 - 2.0**-53)

    # -- counting

    @cached_property
    def _components(self) -> list[Component]:
        return [] if self._diagram is None else components(self._frontier, self._diagram)

    @cached_property
    def _home(self) -> dict[int, int]:
        """The component of each group."""
        return {group: number for number, part in enumerate(self._components) for group in part.groups}

    @cached_property
    def _others(self) -> dict[int, Table]:
        """For each component, the counts of all the others together."""
        tables = [part.plain for part in self._components]
        ahead = [product([])]
        for table in tables:
            ahead.append(product([ahead[-1], table]))
        behind = [product([])]
        for table in reversed(tables):
            behind.append(product([behind[-1], table]))
        return {number: product([ahead[number], behind[len(tables) - 1 - number]]) for number in range(len(tables))}

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """The group of each cell, or UNTOUCHED or SETTLED."""
        from models.minesweeper.kernels import MARGIN, UNKNOWN

        shape = (self.view.rows + 2 * MARGIN, self.view.columns + 2 * MARGIN)
        groups = np.where(self._frontier.kind == UNKNOWN, self._frontier.group, SETTLED)
        return groups.reshape(shape)[MARGIN:-MARGIN, MARGIN:-MARGIN]

    def _size(self, group: int) -> int:
        return self._untouched if group == UNTOUCHED else int(self._frontier.size[group])

    def _group_risk(self, group: int) -> Fraction:
        """The probability of a mine in a cell of a group."""
        if group not in self._risks:
            mined = Split(0, self._size(group) - 1, mined=1)
            if group == UNTOUCHED:
                ways = self._weigh(product([part.plain for part in self._components]), mined)[0]
            else:
                number = self._home[group]
                table = product([self._others[number], self._components[number].count({group: mined})])
                ways = self._weigh(table, Split(0, self._untouched))[0]
            self._risks[group] = Fraction(ways, self.solutions)
        return self._risks[group]

    def _weigh(self, table: Table, untouched: Split) -> dict[int, int]:
        """For each number of mines around a cell, the fields in which the components hold what ``table`` counts."""
        counts = dict.fromkeys(range(9), 0)
        for (mines, around), ways in table.items():
            if self.view.mines is None:
                for further in range(untouched.near + 1):
                    counts[around + further] += ways * comb(untouched.near, further) * 2**untouched.far
            else:
                for further, others in untouched.ways(self._left - mines).items():
                    counts[around + further] += ways * others
        return counts

    def _around(self, cell: Cell) -> dict[int, int]:
        """For each number, the fields in which a covered cell is no mine and has it."""
        if self.probability[cell[0] - 1, cell[1] - 1] == 1.0:
            return {}
        places = [(row - 1, column - 1) for row, column in self.view.covered_around(cell)]
        groups = [int(self.groups[place]) for place in places]
        certain = sum(self.probability[place] == 1.0 for place, group in zip(places, groups, strict=True) if group == SETTLED)
        own = int(self.groups[cell[0] - 1, cell[1] - 1])
        splits = {
            group: Split(groups.count(group), self._size(group) - groups.count(group) - (group == own))
            for group in {*groups, own}
            if group != SETTLED
        }
        untouched = splits.pop(UNTOUCHED, Split(0, self._untouched))
        touched = {self._home[group] for group in splits}
        tables = [part.count(splits) if number in touched else part.plain for number, part in enumerate(self._components)]
        counts = self._weigh(product(tables), untouched)
        return {number + certain: ways for number, ways in counts.items() if ways}

    def _repr_svg_(self) -> str:
        from models.minesweeper.drawing import draw

        return draw(self.view, self).svg()

    def __repr__(self) -> str:
        return f"<Inference: {len(self.safe)} safe, {len(self.mines)} mines of {len(self.view.covered)} covered cells>"


def _cells(chosen: NDArray[np.bool_]) -> Iterator[Cell]:
    rows, columns = np.nonzero(chosen)
    return zip((rows + 1).tolist(), (columns + 1).tolist(), strict=True)

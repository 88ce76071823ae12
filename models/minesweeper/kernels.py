"""The fast half of inference: from the sums that a view states to the probability of a mine in each cell, in compiled code.

:func:`state` reads the sums off a grid, one per number: the same that ``encode`` writes into a model. The steps from there: deduce what
single numbers and pairs of overlapping numbers prove; group the cells that the numbers cannot tell apart; hand groups and numbers to the
counting of sums, in ``cpsolve.counting.sum_kernels``, whose rules for compiled code hold here too.

The grid is handled with a margin of two cells, flattened: ``place`` is an index into it. A *mask* is a set of cells around a
place: the cell at ``(place's row + i, place's column + j)`` has the bit ``CENTRE + 8 * i + j``, so seen from a place that lies
``(i, j)`` away a mask is the same mask shifted by ``8 * i + j``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpsolve.counting.sum_kernels import (
    INCONSISTENT,
    TOO_WIDE,
    Diagram,
    Floats,
    Ints,
    System,
    compiled,
    diagram,
    inner,
    ordered,
    weigh,
)
from models.minesweeper.rules import CLOCKWISE

SAFE, MINED, UNKNOWN, OPEN, OUTSIDE = 0, 1, 2, 3, 4
MARGIN = 2
CENTRE = 27
TRIES = 100_000
"""How hard a good order is looked for."""
CHOOSE = np.array([[0.0 if j > n else float(np.prod([(n - i) / (i + 1) for i in range(j)])) for j in range(9)] for n in range(9)]).round()


class Sums(NamedTuple):
    """What a view states: each number is the sum of the mines in the covered cells around it.

    By place: its ``kind`` and, of an open one, the number that it ``asks`` for, and the covered cells around as a ``mask`` and by number.
    """

    kind: Ints
    asks: Ints
    mask: Ints
    cells: Ints

    def around(self, cell: tuple[int, int], columns: int) -> list[tuple[int, int]]:
        """The covered cells that the number of a cell (row, column, from 0) counts, clockwise from the upper left."""
        mask = int(self.mask[(cell[0] + MARGIN) * (columns + 2 * MARGIN) + cell[1] + MARGIN])
        return [(cell[0] + i, cell[1] + j) for i, j in CLOCKWISE if mask >> (CENTRE + 8 * i + j) & 1]


# -- bits


@inner
def _shifted(mask: int, by: int) -> int:
    return mask << by if by >= 0 else mask >> -by


@inner
def _members(mask: int) -> int:
    """How many bits a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


# -- deduction


@compiled
def _state(grid: NDArray[np.int8], kind: Ints, asks: Ints, mask: Ints, cells: Ints) -> None:
    """Fills in the fields of :class:`Sums`."""
    rows, columns = grid.shape
    wide = columns + 2 * MARGIN
    for place in range(len(kind)):
        kind[place], asks[place], mask[place], cells[place] = OUTSIDE, 0, 0, 0
    for row in range(rows):
        for column in range(columns):
            place = (row + MARGIN) * wide + column + MARGIN
            kind[place] = UNKNOWN if grid[row, column] < 0 else OPEN
    for row in range(rows):
        for column in range(columns):
            place = (row + MARGIN) * wide + column + MARGIN
            if kind[place] == OPEN:
                asks[place] = grid[row, column]
                for i in range(-1, 2):
                    for j in range(-1, 2):
                        if kind[place + i * wide + j] == UNKNOWN:
                            mask[place] |= 1 << (CENTRE + 8 * i + j)
                            cells[place] += 1


def state(grid: NDArray[np.int8]) -> Sums:
    """What the numbers of a grid (-1: covered) state.

    >>> sums = state(np.array([[1, -1]], np.int8))
    >>> sums.asks[(0 + MARGIN) * 6 + 0 + MARGIN], sums.around((0, 0), 2)
    (np.int64(1), [(0, 1)])
    """
    places = (grid.shape[0] + 2 * MARGIN) * (grid.shape[1] + 2 * MARGIN)
    sums = Sums(*[np.empty(places, np.int64) for _ in range(4)])
    _state(grid, *sums)
    return sums


@inner
def _settle(
    place: int, seen: int, value: int, wide: int, kind: Ints, asks: Ints, mask: Ints, cells: Ints, queue: Ints, waiting: Ints
) -> None:
    """Makes the cells of a mask safe or mines and queues every number that touches them. ``waiting[-1]`` is the queue's length."""
    for i in range(-1 - MARGIN, 2 + MARGIN):
        for j in range(-1 - MARGIN, 2 + MARGIN):
            if not (seen >> (CENTRE + 8 * i + j)) & 1:
                continue
            cell = place + i * wide + j
            kind[cell] = value
            for k in range(-1, 2):
                for m in range(-1, 2):
                    clue = cell + k * wide + m
                    bit = 1 << (CENTRE - 8 * k - m)
                    if kind[clue] == OPEN and mask[clue] & bit:
                        mask[clue] ^= bit
                        cells[clue] -= 1
                        asks[clue] -= value
                        _enqueue(clue, queue, waiting)


@inner
def _enqueue(clue: int, queue: Ints, waiting: Ints) -> None:
    if not waiting[clue]:
        waiting[clue] = 1
        queue[waiting[-1]] = clue
        waiting[-1] += 1


@inner
def _deduce(wide: int, kind: Ints, asks: Ints, mask: Ints, cells: Ints) -> bool:
    """Settles what one number or two overlapping numbers prove, and takes a number out of any that contains it.

    Of two numbers, when one asks for as many more mines as it has cells of its own, those are mines and the other's own are
    safe. False on a contradiction.
    """
    queue = np.empty(len(kind), np.int64)
    waiting = np.zeros(len(kind) + 1, np.int64)
    for place in range(len(kind)):
        if kind[place] == OPEN:
            if cells[place]:
                _enqueue(place, queue, waiting)
            elif asks[place]:
                return False
    while waiting[-1]:
        waiting[-1] -= 1
        place = queue[waiting[-1]]
        waiting[place] = 0
        if asks[place] < 0 or asks[place] > cells[place]:
            return False
        if not cells[place]:
            continue
        if asks[place] == 0 or asks[place] == cells[place]:
            _settle(place, mask[place], MINED if asks[place] else SAFE, wide, kind, asks, mask, cells, queue, waiting)
            continue
        for i in range(-2, 3):
            for j in range(-2, 3):
                other = place + i * wide + j
                if (i == 0 and j == 0) or kind[other] != OPEN or not cells[other] or waiting[place]:
                    continue
                seen = _shifted(mask[other], 8 * i + j)
                common = mask[place] & seen
                if not common:
                    continue
                mine, theirs = mask[place] ^ common, seen ^ common
                own, others = _members(mine), _members(theirs)
                more = asks[place] - asks[other]
                if more > own or -more > others:
                    return False
                if own + others == 0:  # the same cells: one number is enough
                    mask[other], cells[other], asks[other] = 0, 0, 0
                elif more == own or -more == others:
                    _settle(place, mine, MINED if more == own else SAFE, wide, kind, asks, mask, cells, queue, waiting)
                    _settle(place, theirs, SAFE if more == own else MINED, wide, kind, asks, mask, cells, queue, waiting)
                elif own == 0:
                    mask[other], cells[other] = _shifted(theirs, -8 * i - j), others
                    asks[other] -= asks[place]
                    _enqueue(other, queue, waiting)
                elif others == 0:
                    mask[place], cells[place] = mine, own
                    asks[place] -= asks[other]
                    _enqueue(place, queue, waiting)
    return True


# -- groups


GROUPS, CLUES, MINES, UNTOUCHED = range(4)
"""What :func:`_read_frontier` counts."""


@compiled
def _read_frontier(
    kind: Ints,
    asks: Ints,
    mask: Ints,
    cells: Ints,
    group: Ints,
    size: Ints,
    at: Ints,
    clues: Ints,
    clue_asks: Ints,
    clue_cells: Ints,
    sweeps: Ints,
    probability: Floats,
    found: Ints,
) -> bool:
    """Fills in groups and numbers, 1 on all settled mines, and what there is of each kind; False on a contradiction.

    ``sweeps`` gets the groups row by row and column by column.
    """
    rows, columns = probability.shape
    wide = columns + 2 * MARGIN
    places = len(kind)
    for place in range(places):
        group[place] = -1
    consistent = _deduce(wide, kind, asks, mask, cells)
    touched = np.zeros(places, np.int64)  # for each unknown cell the mask of the clues that count it
    number = np.full(places, -1, np.int64)
    clue_count = 0
    if consistent:
        for place in range(places):
            if kind[place] == OPEN and cells[place]:
                number[place] = clue_count
                clue_count += 1
                for i in range(-1, 2):
                    for j in range(-1, 2):
                        if mask[place] >> (CENTRE + 8 * i + j) & 1:
                            touched[place + i * wide + j] |= 1 << (CENTRE - 8 * i - j)
    leader = np.empty(places, np.int64)
    group_count = 0
    for place in range(places):
        if touched[place]:
            for back in range(1, 2 * 5 + 3):  # cells of one group share a number, so they lie within two of each other
                i, j = (12 - back) // 5 - 2, (12 - back) % 5 - 2
                earlier = place + i * wide + j
                if touched[earlier] and _shifted(touched[earlier], 8 * i + j) == touched[place]:
                    group[place] = group[earlier]
                    break
            if group[place] < 0:
                group[place] = group_count
                leader[group_count] = place
                size[group_count] = 0
                group_count += 1
            size[group[place]] += 1
    for place in range(places):
        if number[place] >= 0:
            clue_asks[number[place]], clue_cells[number[place]] = asks[place], cells[place]
    links = 0
    for g in range(group_count):
        at[g] = links
        for i in range(-1, 2):
            for j in range(-1, 2):
                if touched[leader[g]] >> (CENTRE + 8 * i + j) & 1:
                    clues[links] = number[leader[g] + i * wide + j]
                    links += 1
    at[group_count] = links
    for g in range(group_count):
        sweeps[0, g] = g
    met = np.zeros(group_count, np.bool_)
    swept = 0
    for column in range(wide):
        for place in range(column, places, wide):
            if group[place] >= 0 and not met[group[place]]:
                met[group[place]] = True
                sweeps[1, swept] = group[place]
                swept += 1
    mines = untouched = 0
    for row in range(rows):
        for column in range(columns):
            place = (row + MARGIN) * wide + column + MARGIN
            probability[row, column] = 1.0 if kind[place] == MINED else 0.0
            if kind[place] == MINED:
                mines += 1
            elif kind[place] == UNKNOWN and group[place] < 0:
                untouched += 1
    found[GROUPS], found[CLUES], found[MINES], found[UNTOUCHED] = group_count, clue_count, mines, untouched
    return consistent


# -- all together


class Answer(NamedTuple):
    """What :func:`solve` finds: how it ended, the probability of a mine in each cell, and what that was read from.

    ``left`` is the number of mines in cells that are not settled (-1 when not known), ``untouched`` the number of cells that no
    number touches, ``width`` the nodes of the diagram's widest row; ``kind`` and ``group`` are by place, -1 where there is no group.
    """

    status: int
    probability: Floats
    left: int
    untouched: int
    width: int
    kind: Ints
    group: Ints
    system: System
    diagram: Diagram | None


def solve(grid: NDArray[np.int8], mines: int, max_nodes: int, max_counts: int) -> Answer:
    """The probability of a mine in each cell of a grid (-1: covered); ``mines`` is their number, -1 when it is not known.

    Several compiled calls and not one: compiling code anew inside a larger function would double the time it takes.
    """
    rows, columns = grid.shape
    cells = rows * columns
    size, asks, length = [np.empty(cells, np.int64) for _ in range(3)]
    at, clues = np.empty(cells + 1, np.int64), np.empty(8 * cells, np.int64)
    sums, sweeps = state(grid), np.empty((2, cells), np.int64)
    kind, group = sums.kind, np.empty(len(sums.kind), np.int64)
    probability, found = np.empty((rows, columns)), np.empty(4, np.int64)
    consistent = _read_frontier(*sums, group, size, at, clues, asks, length, sweeps, probability, found)
    group_count, clue_count, settled, untouched = found.tolist()
    left = mines - settled if mines >= 0 else -1
    counted, slack = (np.ones if mines >= 0 else np.zeros)(group_count, np.int64), np.zeros(clue_count, np.int64)
    links = at[: group_count + 1]
    system = System(size[:group_count], counted, links, clues[: links[-1]], asks[:clue_count], slack, length[:clue_count], CHOOSE)
    if not consistent or (mines >= 0 and left < 0):
        return Answer(INCONSISTENT, probability, left, untouched, 0, kind, group, system, None)
    order, bounds, _ = ordered(system, TRIES, sweeps)
    layers, width, complete = diagram(system, order, bounds, left, max_nodes, max_counts)
    status = TOO_WIDE
    if complete:
        risk = np.empty(group_count + 1)
        status = weigh(max(left, 0), max(left, 0), untouched if mines >= 0 else 0, risk, *system, *layers)
        if mines < 0:
            risk[-1] = 0.5
        _fill_in(risk, kind, group, probability)
    return Answer(status, probability, left, untouched, width, kind, group, system, layers)


@compiled
def _fill_in(risk: Floats, kind: Ints, group: Ints, probability: Floats) -> None:
    """Writes the risk of its group into each cell that is not settled; cells that no number touches have the group -1."""
    rows, columns = probability.shape
    for row in range(rows):
        for column in range(columns):
            place = (row + MARGIN) * (columns + 2 * MARGIN) + column + MARGIN
            if kind[place] == UNKNOWN:
                probability[row, column] = risk[group[place]]

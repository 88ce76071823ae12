"""The fast half of inference: from the sums that a view states to the probability of a mine in each cell, in compiled code.

:func:`state` reads the sums off a grid, one per number: the same that ``encode`` writes into a model. The steps from there, each one
function below: deduce what single numbers and pairs of overlapping numbers prove; group the cells that
the numbers cannot tell apart; split groups into connected components; order each component so that few numbers are half read at
a time; lay out the diagram, in which a node is what the half-read numbers still ask for, packed into one integer; sweep it
forwards and backwards with one coefficient for each number of mines; join the components and the cells that no number touches.

Whole counts of a component are kept in doubles without scaling: a count is at least 1 or exactly 0, so zeros are exact as long as
the largest fits, and :func:`solve` says when it does not. Where components are joined, weights are scaled, and what is possible is
kept apart from how much it weighs. All kernels live in this one file because numba's cache sees changes of the file
that holds the compiled entry only. Without numba's compiler (``NUMBA_DISABLE_JIT=1``) the same source runs as plain Python.

What Python calls (``@compiled``) takes arrays and scalars and returns one scalar; results are written into arrays that the caller
made. To return an array or a named tuple numba runs Python code and does not look whether a signal handler raised in there: Ctrl-C at
that moment would end the process. Inside the kernels a named tuple is nothing but its fields.

The grid is handled with a margin of two cells, flattened: ``place`` is an index into it. A *mask* is a set of cells around a
place: the cell at ``(place's row + i, place's column + j)`` has the bit ``CENTRE + 8 * i + j``, so seen from a place that lies
``(i, j)`` away a mask is the same mask shifted by ``8 * i + j``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from cpsolve.compilation import announce
from models.minesweeper.rules import CLOCKWISE

announce()

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

SAFE, MINED, UNKNOWN, OPEN, OUTSIDE = 0, 1, 2, 3, 4
MARGIN = 2
CENTRE = 27
KEY_BITS = 62
ZERO = cast(int, np.int64(0))
"""Where a variable that counts begins: with a literal 0 numba would compile each function it is given to twice."""
ENOUGH, TRIES = 6, 100_000
"""One more order is tried for each such number of nodes per group of the best one; the second number limits the groups ordered in all."""
HUGE = 20_000
"""A component of more groups is only swept: a greedy order takes time that grows with its square."""
FEW = 1024
"""Room for this many nodes is made at first; MORE times what there was when it is not enough."""
MORE = 4
LARGEST = 600
"""Counts of the placements in that number of cells fit in doubles, with room to spare for weights down to TINY."""
PRECISE = 1e-200
"""Tables are scaled so that their largest entry is about 1; entries of this size still have all their digits."""
TINY = 1e-250
"""A weight that changes no probability but says that something can be."""

SOLVED, INCONSISTENT, TOO_WIDE, TOO_LARGE, NO_ROOM = 0, 1, 2, 3, 4
"""How :func:`solve` ends; TOO_LARGE: the diagram is there but its counts are beyond doubles. NO_ROOM: give larger arrays."""

BITS = np.log2(np.arange(1.0, 11.0))
CHOOSE = np.array([[0.0 if j > n else float(np.prod([(n - i) / (i + 1) for i in range(j)])) for j in range(9)] for n in range(9)]).round()


def compiled(function: Function) -> Function:
    """Compiles a function that Python calls, once for all processes."""
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))


def inner(function: Function) -> Function:
    """Compiles a function that only compiled ones call: it goes into their cache."""
    return cast(Function, numba.njit(error_model="numpy")(function))


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


class Frontier(NamedTuple):
    """Groups of cells and the numbers that touch them, after deduction.

    ``kind`` is the state of every place, ``group`` its group or -1. A group has ``size`` cells and ``degree`` clues, numbered in
    ``clues``; a clue asks for ``asks`` mines in ``cells`` cells, in ``spread`` groups, numbered in ``groups``.
    """

    kind: Ints
    group: Ints
    size: Ints
    degree: Ints
    clues: Ints
    asks: Ints
    cells: Ints
    spread: Ints
    groups: Ints


class Diagram(NamedTuple):
    """Layers of nodes. Each component has one row of nodes for each group it reads, and a last row with a single node.

    ``read`` is the group that a row reads (-1 in last rows), ``first`` the row's first node, ``begins`` each component's first row;
    both have one entry more at the end. ``nodes`` has a line for each node, with these columns: from a node, ARCS arcs begin at
    FIRST_ARC in ``target``, for LEAST mines in the group and upwards; LOW to HIGH mines lie behind it; SLOT is where its ``counts``
    begin; KEY is what the half-read clues still ask for.
    """

    read: Ints
    first: Ints
    begins: Ints
    nodes: Ints
    target: Ints
    counts: Floats


FIRST_ARC, ARCS, LEAST, LOW, HIGH, SLOT, KEY = range(7)
READ, OPENED, SHIFT, FIELD = range(4)
"""Columns of the scratch table of clues: cells read, when the first was, and the place and length (as a mask) of its bits in keys."""


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


# -- groups and components


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
    degree: Ints,
    clues: Ints,
    clue_asks: Ints,
    clue_cells: Ints,
    spread: Ints,
    groups: Ints,
    probability: Floats,
    found: Ints,
) -> bool:
    """Fills in the fields of a :class:`Frontier`, 1 on all settled mines, and what there is of each kind; False on a contradiction."""
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
            clue_asks[number[place]], clue_cells[number[place]], spread[number[place]] = asks[place], cells[place], 0
    for g in range(group_count):
        degree[g] = 0
        for i in range(-1, 2):
            for j in range(-1, 2):
                if touched[leader[g]] >> (CENTRE + 8 * i + j) & 1:
                    clue = number[leader[g] + i * wide + j]
                    clues[g, degree[g]] = clue
                    degree[g] += 1
                    groups[clue, spread[clue]] = g
                    spread[clue] += 1
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


def frontier(sums: Sums, rows: int, columns: int) -> tuple[bool, Frontier, Floats, int, int]:
    """Whether the sums can hold as far as it was looked, and what they leave open: groups of cells, and the clues that touch them.

    Also an array with 1 on all settled mines, their number, and the number of cells that no number touches. Uses the sums up: what is
    deduced is taken out of them.
    """
    cells = rows * columns
    lines, tables = [np.empty(cells, np.int64) for _ in range(5)], [np.empty((cells, 8), np.int64) for _ in range(2)]
    kind, group = sums.kind, np.empty(len(sums.kind), np.int64)
    probability, found = np.empty((rows, columns)), np.empty(4, np.int64)
    (size, degree, asks, clue_cells, spread), (clues, groups) = lines, tables
    consistent = _read_frontier(*sums, group, size, degree, clues, asks, clue_cells, spread, groups, probability, found)
    group_count, clue_count, mines, untouched = found.tolist()
    of_groups = (array[:group_count] for array in (size, degree, clues))
    of_clues = (array[:clue_count] for array in (asks, clue_cells, spread, groups))
    return consistent, Frontier(kind, group, *of_groups, *of_clues), probability, mines, untouched


@inner
def _components(f: Frontier) -> tuple[Ints, Ints, Ints]:
    """The groups, component by component, where each component begins (one entry more at the end), and each group's component."""
    count = len(f.size)
    listed, home = np.empty(count, np.int64), np.empty(count, np.int64)
    begins = np.empty(count + 1, np.int64)
    seen = np.zeros(count, np.int64)
    components = done = 0
    for seed in range(count):
        if seen[seed]:
            continue
        begins[components] = done
        components += 1
        listed[done] = seed
        seen[seed] = 1
        end = done + 1
        while done < end:
            g = listed[done]
            home[g] = components - 1
            done += 1
            for a in range(f.degree[g]):
                clue = f.clues[g, a]
                for b in range(f.spread[clue]):
                    near = f.groups[clue, b]
                    if not seen[near]:
                        seen[near] = 1
                        listed[end] = near
                        end += 1
    begins[components] = done
    return listed, begins[: components + 1].copy(), home


# -- the order of reading


@inner
def _bits(f: Frontier, clue: int, read: int) -> float:
    """An estimate of the states of a clue, in bits, when a number of its cells are read: 0 before the first and after the last."""
    asks, left = f.asks[clue], f.cells[clue] - read
    return float(BITS[max(0, min(read, asks) - max(0, asks - left))])


@inner
def _forget(f: Frontier, members: Ints, marks: Ints) -> None:
    """Marks the clues of a component as not read."""
    for g in members:
        for a in range(f.degree[g]):
            marks[f.clues[g, a], READ] = 0
            marks[f.clues[g, a], OPENED] = len(members)


@inner
def _estimate(f: Frontier, order: Ints, marks: Ints) -> float:
    """The estimated number of nodes when groups are read in this order."""
    _forget(f, order, marks)
    bits = nodes = 0.0
    for g in order:
        for a in range(f.degree[g]):
            clue = f.clues[g, a]
            bits -= _bits(f, clue, marks[clue, READ])
            marks[clue, READ] += f.size[g]
            bits += _bits(f, clue, marks[clue, READ])
        nodes += 2.0 ** min(bits, 900.0)
    return nodes


@inner
def _greedy(f: Frontier, members: Ints, start: int, patient: bool, order: Ints, marks: Ints, placed: Ints) -> None:
    """Reads next, among the groups near what is read, the one that leaves least open.

    A patient order first serves the clue that has been half read for longest. ``placed`` is 0 for groups out of reach, 1 for
    those in reach and 2 for those that are read.
    """
    count = len(members)
    near = np.empty(count, np.int64)
    _forget(f, members, marks)
    for g in members:
        placed[g] = 0
    near[0] = start
    waiting = 1
    for step in range(count):
        best, least_age, least_bits = 0, count + 1, 1e300
        for i in range(waiting):
            g = near[i]
            bits = 0.0
            age = count
            for a in range(f.degree[g]):
                clue = f.clues[g, a]
                bits += _bits(f, clue, marks[clue, READ] + f.size[g]) - _bits(f, clue, marks[clue, READ])
                age = min(age, marks[clue, OPENED])
            if patient:
                better = age < least_age or (age == least_age and bits < least_bits)
            else:
                better = bits < least_bits - 1e-9 or (bits < least_bits + 1e-9 and age < least_age)
            if better:
                best, least_age, least_bits = i, age, bits
        g = near[best]
        waiting -= 1
        near[best] = near[waiting]
        placed[g] = 2
        order[step] = g
        for a in range(f.degree[g]):
            clue = f.clues[g, a]
            marks[clue, READ] += f.size[g]
            if marks[clue, OPENED] == count:
                marks[clue, OPENED] = step
                for b in range(f.spread[clue]):
                    if not placed[f.groups[clue, b]]:
                        placed[f.groups[clue, b]] = 1
                        near[waiting] = f.groups[clue, b]
                        waiting += 1


@inner
def _by_column(f: Frontier, wide: int) -> Ints:
    """All groups in the order in which they are met column by column."""
    sweep = np.empty(len(f.size), np.int64)
    met = np.zeros(len(f.size), np.int64)
    count = 0
    for column in range(wide):
        for place in range(column, len(f.group), wide):
            g = f.group[place]
            if g >= 0 and not met[g]:
                met[g] = 1
                sweep[count] = g
                count += 1
    return sweep


@inner
def _swept(sweep: Ints, by_column: bool, home: Ints, component: int, order: Ints) -> None:
    """Writes the groups of one component into ``order`` as they come in ``sweep``, or by their numbers, which are row by row."""
    count = 0
    for i in range(len(home)):
        g = sweep[i] if by_column else i
        if home[g] == component:
            order[count] = g
            count += 1


@inner
def _order(f: Frontier, members: Ints, home: Ints, sweep: Ints, marks: Ints, placed: Ints) -> Ints:
    """A good order of a component's groups: of several greedy ones and two sweeps over the board, that of the least estimate.

    The more nodes the best order has, the more others are worth trying. ``home`` is the component of every group, ``sweep`` all
    groups column by column.
    """
    count = len(members)
    best = members.copy()
    if count <= 2:
        return best
    order = np.empty(count, np.int64)
    least = 1e300
    first, most = (0, max(5, TRIES // count)) if count <= HUGE else (1, 3)
    tried = first
    luck = 12345
    while tried == first or (least > ENOUGH * count * tried and tried < most):
        if tried in (1, 2):
            _swept(sweep, tried == 2, home, home[members[0]], order)
        else:
            # members are listed by distance from the first, so the last is far out; an order's end is a good start
            luck = (luck * 1103515245 + 12345) & 0x7FFFFFFF
            start = members[count - 1] if tried == 0 else best[count - 1] if tried == 3 else members[(luck >> 8) % count]
            _greedy(f, members, start, tried % 2 == 1, order, marks, placed)
        tried += 1
        nodes = _estimate(f, order, marks)
        if nodes < least:
            least = nodes
            best, order = order, best
    return best


# -- the diagram


@inner
def _open_clues(f: Frontier, g: int, marks: Ints, used: int) -> tuple[int, int]:
    """Gives each clue that group ``g`` is the first to touch its bits of the keys.

    The bits in use, or -1 when there are not enough, and what to add to every key: the clues' whole numbers.
    """
    added = 0
    for a in range(f.degree[g]):
        clue = f.clues[g, a]
        if marks[clue, READ] == 0:
            field = 1 if f.asks[clue] < 2 else 3 if f.asks[clue] < 4 else 7  # what is not settled asks for 1 to 7
            at = 0
            while used & (field << at):
                at += 1
                if at + 3 > KEY_BITS:
                    return -1, 0
            used |= field << at
            marks[clue, SHIFT], marks[clue, FIELD] = at, field
            added += f.asks[clue] << at
        marks[clue, READ] += f.size[g]
    return used, added


@inner
def _close_clues(f: Frontier, g: int, marks: Ints, used: int) -> int:
    """The bits in use without those of the clues that group ``g`` is the last to touch."""
    for a in range(f.degree[g]):
        clue = f.clues[g, a]
        if marks[clue, READ] == f.cells[clue]:
            used &= ~(marks[clue, FIELD] << marks[clue, SHIFT])
    return used


@inner
def _expand(
    f: Frontier, d: Diagram, row: int, end: int, added: int, most: int, limit: int, arc: int, marks: Ints, table: Ints
) -> tuple[int, int]:
    """Makes the arcs out of a row's nodes and the nodes they lead to; the ends of both lists, ``limit + 1`` when nodes pass it.

    The row ends before node ``end``; its group is read already. ``most`` is the number of mines that no node may pass, -1 when mines
    are not counted. ``table`` finds nodes by key (open addressing); it is filled with -1.
    """
    g = d.read[row]
    step = 0
    for a in range(f.degree[g]):
        step += 1 << marks[f.clues[g, a], SHIFT]
    following = end
    for node in range(d.first[row], end):
        key = d.nodes[node, KEY] + added
        least, greatest = 0, f.size[g]
        for a in range(f.degree[g]):
            clue = f.clues[g, a]
            asks = key >> marks[clue, SHIFT] & marks[clue, FIELD]
            least = max(least, asks - (f.cells[clue] - marks[clue, READ]))
            greatest = min(greatest, asks)
        if most >= 0:
            greatest = min(greatest, most - d.nodes[node, LOW])
        d.nodes[node, FIRST_ARC], d.nodes[node, ARCS], d.nodes[node, LEAST] = arc, max(0, greatest - least + 1), least
        for value in range(least, greatest + 1):
            wanted = key - value * step
            at = wanted % len(table)
            while table[at] >= 0 and d.nodes[table[at], KEY] != wanted:
                at = at + 1 if at + 1 < len(table) else 0
            child = table[at]
            mines = value if most >= 0 else 0
            low, high = d.nodes[node, LOW] + mines, d.nodes[node, HIGH] + mines
            if child < 0:
                if following >= limit:
                    return limit + 1, arc
                child = following
                following += 1
                table[at] = child
                d.nodes[child, KEY], d.nodes[child, LOW], d.nodes[child, HIGH] = wanted, low, high
            else:
                d.nodes[child, LOW] = min(d.nodes[child, LOW], low)
                d.nodes[child, HIGH] = max(d.nodes[child, HIGH], high)
            d.target[arc] = child
            arc += 1
    return following, arc


@inner
def _offset(d: Diagram, node: int, value: int, child: int) -> int:
    """Where in ``counts`` the first count of a node goes when ``value`` mines lead to a child; uncounted mines all lie at 0."""
    shift = 0 if d.nodes[child, HIGH] == 0 else d.nodes[node, LOW] + value - d.nodes[child, LOW]
    return int(d.nodes[child, SLOT] + shift)


@inner
def _spread_counts(f: Frontier, d: Diagram, row: int, end: int) -> None:
    """Adds to the counts of the next row's nodes what comes in over the arcs from a row, which ends before node ``end``."""
    counts, size = d.counts, f.size[d.read[row]]
    for node in range(d.first[row], end):
        source, length = d.nodes[node, SLOT], d.nodes[node, HIGH] - d.nodes[node, LOW] + 1
        for i in range(d.nodes[node, ARCS]):
            value = d.nodes[node, LEAST] + i
            weight = CHOOSE[size, value]
            to = _offset(d, node, value, d.target[d.nodes[node, FIRST_ARC] + i])
            for k in range(length):
                counts[to + k] += weight * counts[source + k]


@compiled
def _choose_order(wide: int, order: Ints, bounds: Ints, *frontier: Any) -> int:
    """Writes the groups in the order of reading, component by component, and where each begins; returns the number of components."""
    f = Frontier(*frontier)
    listed, begins, home = _components(f)
    sweep = _by_column(f, wide)
    marks, placed = np.zeros((len(f.asks), 4), np.int64), np.zeros(len(listed), np.int64)
    for component in range(len(begins) - 1):
        begin = begins[component]
        chosen = _order(f, listed[begin : begins[component + 1]], home, sweep, marks, placed)
        for i in range(len(chosen)):  # assigning to a slice would bring in the code of its error message
            order[begin + i] = chosen[i]
        bounds[component] = begin
    bounds[len(begins) - 1] = len(listed)
    return len(begins) - 1


NODES, TARGETS, COUNTS, WIDTH = range(4)
"""What :func:`_lay_out` counts: the lines of its arrays that it has filled or, with NO_ROOM, needs; and the nodes of the widest row."""


@inner
def _lacks(d: Diagram, nodes: int, targets: int, counts: int, used: Ints) -> bool:
    """Notes how much room is in use, or needed, and tells whether there is less."""
    used[NODES], used[TARGETS], used[COUNTS] = nodes, targets, counts
    return nodes > len(d.nodes) or targets > len(d.target) or counts > len(d.counts)


@compiled
def _lay_out(most: int, max_nodes: int, max_counts: int, order: Ints, bounds: Ints, used: Ints,
             read: Ints, first: Ints, begins: Ints, nodes: Ints, target: Ints, counts: Floats, *frontier: Any) -> int:  # fmt: skip
    """Fills in the fields of a :class:`Diagram`: SOLVED when it is complete, TOO_WIDE, or NO_ROOM."""
    f, d = Frontier(*frontier), Diagram(read, first, begins, nodes, target, counts)
    marks = np.zeros((len(f.asks), 4), np.int64)
    table = np.empty(FEW, np.int64)
    for i in range(len(read)):
        read[i], first[i] = -1, 0
    arc = node_count = row = cursor = ZERO
    used[WIDTH] = 0
    for component in range(len(bounds) - 1):
        members = order[bounds[component] : bounds[component + 1]]
        _forget(f, members, marks)
        if _lacks(d, node_count + 1, arc, cursor + 1, used):
            return NO_ROOM
        begins[component], first[row] = row, node_count
        nodes[node_count, KEY], nodes[node_count, LOW], nodes[node_count, HIGH], nodes[node_count, SLOT] = 0, 0, 0, cursor
        counts[cursor] = 1.0
        node_count, cursor = node_count + 1, cursor + 1
        bits = ZERO
        for g in members:
            end, start = node_count, cursor
            bits, added = _open_clues(f, g, marks, bits)
            if bits < 0:
                return TOO_WIDE
            read[row], first[row + 1] = g, end
            arcs = (end - first[row]) * (f.size[g] + 1)
            room = min(arcs, max_nodes)
            if _lacks(d, end + room, arc + arcs, cursor, used):
                return NO_ROOM
            if len(table) < 2 * room + 1:
                table = np.empty(2 * (2 * room + 1), np.int64)
            for i in range(2 * room + 1):
                table[i] = -1
            node_count, arc = _expand(f, d, row, end, added, most, max_nodes, arc, marks, table[: 2 * room + 1])
            used[WIDTH] = max(used[WIDTH], node_count - end)
            if node_count > max_nodes:
                return TOO_WIDE
            for node in range(end, node_count):
                nodes[node, SLOT] = cursor
                cursor += nodes[node, HIGH] - nodes[node, LOW] + 1
            if cursor > max_counts:
                return TOO_WIDE
            if _lacks(d, node_count, arc, cursor, used):
                return NO_ROOM
            for i in range(start, cursor):
                counts[i] = 0.0
            _spread_counts(f, d, row, end)
            bits = _close_clues(f, g, marks, bits)
            row += 1
        row += 1
        first[row] = node_count
    begins[len(bounds) - 1] = row
    return SOLVED


def diagram(f: Frontier, wide: int, most: int, max_nodes: int, max_counts: int) -> tuple[Diagram, int, bool]:
    """The diagram of all components with its counts from the front, the nodes of its widest row, and whether it is complete.

    ``most`` is the number of mines left to place, -1 when it is not known and mines are not counted.
    """
    layers = len(f.size)
    order, bounds = np.empty(layers, np.int64), np.empty(layers + 1, np.int64)
    components = _choose_order(wide, order, bounds, *f)
    read, first = np.empty(layers + components, np.int64), np.zeros(layers + components + 1, np.int64)
    begins, used = np.zeros(components + 1, np.int64), np.empty(4, np.int64)
    lines, arcs, length = FEW, 2 * FEW, 4 * FEW
    while True:
        nodes, target, counts = np.empty((lines, 7), np.int64), np.empty(arcs, np.int64), np.empty(length)
        fields = (read, first, begins, nodes, target, counts)
        status = _lay_out(most, max_nodes, max_counts, order, bounds[: components + 1], used, *fields, *f)
        node_count, arc_count, count, width = used.tolist()
        if status != NO_ROOM:
            break
        lines, arcs, length = (had if had >= needed else MORE * needed
                               for had, needed in ((lines, node_count), (arcs, arc_count), (length, count)))  # fmt: skip
    kept = Diagram(read, first, begins, nodes[:node_count].copy(), target[:arc_count].copy(), counts[:count].copy())
    return kept, width, status == SOLVED


# -- joining components


class Joint(NamedTuple):
    """Tables for joining components with each other and with the cells that no number touches.

    ``before[c, a]`` weighs the placements of ``least[c] + a`` mines in the components before c; ``after[c, a]`` those of
    ``left - greatest[c] + a`` mines in the components from c on and in untouched cells, where ``least`` and ``greatest`` are what the
    components before c can hold. Each line is scaled so that its largest entry is about 1 and each mine weighs ``2**tilt``, which keeps
    the weights that matter near the largest. Others may vanish; what is possible at all stands in ``can_before`` and ``can_after``.
    """

    tilt: int
    least: Ints
    greatest: Ints
    before: Floats
    after: Floats
    can_before: NDArray[np.bool_]
    can_after: NDArray[np.bool_]


@inner
def _scale(weights: Floats, tilt: int) -> None:
    """Multiplies entry k by ``2**(tilt * k)`` and all by a power of two, so that the largest is from 1/2 to 1; exact but for underflow."""
    largest = -(1 << 40)
    for k in range(len(weights)):
        if weights[k] > 0.0:
            largest = max(largest, math.frexp(weights[k])[1] + tilt * k)
    for k in range(len(weights)):
        if weights[k] > 0.0:
            mantissa, exponent = math.frexp(weights[k])
            weights[k] = math.ldexp(mantissa, int(max(-2000, exponent + tilt * k - largest)))


@inner
def _untouched_ways(cells: int, fewest: int, tilt: int, ways: Floats, can: NDArray[np.bool_]) -> None:
    """Fills in the weight of placing ``fewest + a`` mines in a number of cells, and whether that can be."""
    exponents = np.zeros(len(ways), np.int64)
    weight, exponent, largest = 1.0, 0, 0
    for a in range(max(0, -fewest), min(len(ways), cells - fewest + 1)):
        mines = fewest + a
        can[a] = True
        ways[a], exponents[a] = weight, exponent
        largest = max(largest, exponent)
        weight, change = math.frexp(weight * (cells - mines) / (mines + 1.0))
        exponent += change + tilt
    for a in range(len(ways)):
        ways[a] = math.ldexp(ways[a], int(max(-2000, exponents[a] - largest)))


@inner
def _join(d: Diagram, ends: Ints, left: int, untouched: int, tilt: int) -> Joint:
    """The tables of :class:`Joint`; ``ends`` are the last nodes of the components. Mines are not counted when ``left`` is -1."""
    count = len(ends)
    least, greatest = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    for c in range(count):
        least[c + 1] = least[c] + d.nodes[ends[c], LOW]
        greatest[c + 1] = greatest[c] + d.nodes[ends[c], HIGH]
    longest = greatest[count] - least[count] + 1
    before, after = np.zeros((count + 1, longest)), np.zeros((count + 1, longest))
    can_before, can_after = np.zeros((count + 1, longest), np.bool_), np.zeros((count + 1, longest), np.bool_)
    before[0, 0], can_before[0, 0] = 1.0, True
    if left >= 0:
        _untouched_ways(untouched, left - greatest[count], tilt, after[count], can_after[count])
    else:
        after[count, 0], can_after[count, 0] = 1.0, True
    shares = np.zeros((count, longest))
    for c in range(count):
        last = d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW]
        for k in range(last + 1):
            shares[c, k] = d.counts[d.nodes[ends[c], SLOT] + k]
        _scale(shares[c], tilt)
        for a in range(greatest[c] - least[c] + 1):
            for k in range(last + 1):
                before[c + 1, a + k] += before[c, a] * shares[c, k]
                can_before[c + 1, a + k] |= can_before[c, a] and d.counts[d.nodes[ends[c], SLOT] + k] > 0.0
        _scale(before[c + 1], 0)
    for c in range(count - 1, -1, -1):
        last = d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW]
        for a in range(greatest[c] - least[c] + 1):
            # of left - greatest[c] + a mines, k above its least are here: the others are at index a + last - k of the next line
            for k in range(last + 1):
                after[c, a] += shares[c, k] * after[c + 1, a + last - k]
                can_after[c, a] |= d.counts[d.nodes[ends[c], SLOT] + k] > 0.0 and can_after[c + 1, a + last - k]
        _scale(after[c], 0)
    return Joint(tilt, least, greatest, before, after, can_before, can_after)


@inner
def _weights_of(j: Joint, c: int, length: int) -> tuple[Floats, float]:
    """How much each number of mines in component c weighs, for ``length`` numbers from its least: what is around it, joined.

    Weights are at most 1, and not 0 where that number is possible. Also the largest before scaling: when it is very small, what
    matters lies where the tables have lost precision.
    """
    weights, can = np.zeros(length), np.zeros(length, np.bool_)
    for k in range(length):
        for a in range(j.greatest[c] - j.least[c] + 1):
            rest = j.greatest[c + 1] - j.least[c + 1] - a - k
            weights[k] += j.before[c, a] * j.after[c + 1, rest]
            can[k] |= j.can_before[c, a] and j.can_after[c + 1, rest]
    largest = weights.max()
    _scale(weights, j.tilt)
    for k in range(length):
        if can[k]:
            weights[k] = max(weights[k], TINY)
    return weights, largest


# -- from the back


@inner
def _sweep_back(size: Ints, d: Diagram, component: int, final: Floats, totals: Floats) -> None:
    """Sweeps one component from the back; ``totals[g, v]`` gets the weight of all boards with v mines in group g.

    ``final`` are the weights of the last node's mines.
    """
    first_row, last_row = d.begins[component], d.begins[component + 1] - 1
    behind, behind_at = final, d.nodes[d.first[last_row], SLOT]
    for row in range(last_row - 1, first_row - 1, -1):
        g, begin, end = d.read[row], d.first[row], d.first[row + 1]
        here_at = d.nodes[begin, SLOT]
        here = np.zeros(behind_at - here_at)
        for node in range(begin, end):
            slot, length = d.nodes[node, SLOT], d.nodes[node, HIGH] - d.nodes[node, LOW] + 1
            for i in range(d.nodes[node, ARCS]):
                value = d.nodes[node, LEAST] + i
                weight = CHOOSE[size[g], value]
                offset = _offset(d, node, value, d.target[d.nodes[node, FIRST_ARC] + i]) - behind_at
                total = 0.0
                for k in range(length):
                    ways = weight * behind[offset + k]
                    here[slot - here_at + k] += ways
                    total += ways * d.counts[slot + k]
                totals[g, value] += total
        behind, behind_at = here, here_at


@inner
def _risk(totals: Floats, size: int) -> float:
    """The probability of a mine in one of ``size`` like cells, from the weights of their numbers of mines; 0 and 1 are exact."""
    everything = mined = 0.0
    for value in range(size + 1):
        everything += totals[value]
        mined += totals[value] * value
    if mined == 0.0:
        return 0.0
    if everything == totals[size]:
        less = 0.0
        for value in range(size):
            less += totals[value]
        if less == 0.0:
            return 1.0
    return min(mined / (everything * size), 1.0 - 2.0**-53)


@inner
def _untouched_risk(j: Joint, left: int, untouched: int) -> float:
    """The probability of a mine in a cell that no number touches."""
    last = len(j.least) - 1
    span = j.greatest[last] - j.least[last]
    everything = mined = saved = 0.0
    for a in range(span + 1):
        if j.can_before[last, span - a] and j.can_after[last, a]:
            weight = max(j.before[last, span - a] * j.after[last, a], TINY)
            mines = left - j.greatest[last] + a
            everything += weight
            mined += weight * mines
            saved += weight * (untouched - mines)
    if mined == 0.0:
        return 0.0
    if saved == 0.0:
        return 1.0
    return min(mined / (everything * untouched), 1.0 - 2.0**-53)


@compiled
def _weigh(left: int, untouched: int, wide: int, probability: Floats, kind: Ints, group: Ints, size: Ints, *diagram: Any) -> int:
    """As :func:`weigh`."""
    d = Diagram(*diagram)
    components = len(d.begins) - 1
    ends = np.empty(components, np.int64)
    touched, largest = ZERO, ZERO
    for c in range(components):
        ends[c] = d.first[d.begins[c + 1] - 1]
        if d.first[d.begins[c + 1]] == ends[c]:
            return INCONSISTENT
        cells = ZERO
        for row in range(d.begins[c], d.begins[c + 1] - 1):
            cells += size[d.read[row]]
        touched += cells
        largest = max(largest, cells)
    if largest > LARGEST:
        return TOO_LARGE
    # mines and free cells balance at about this weight of a mine, in bits
    tilt = round(math.log2((left + 1.0) / (max(0, touched + untouched - left) + 1.0))) if left >= 0 else 0
    j = _join(d, ends, left, untouched, tilt)
    if not j.can_after[0, 0]:
        return INCONSISTENT
    totals = np.zeros((len(size), 9))
    for c in range(components):
        weights, largest_weight = _weights_of(j, c, d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW] + 1)
        if largest_weight < PRECISE:
            return TOO_LARGE
        _sweep_back(size, d, c, weights, totals)
    risk = np.empty(len(size) + 1)
    for g in range(len(size)):
        risk[g] = _risk(totals[g], size[g])
    risk[-1] = _untouched_risk(j, left, untouched) if left >= 0 else 0.5
    rows, columns = probability.shape
    for row in range(rows):
        for column in range(columns):
            place = (row + MARGIN) * wide + column + MARGIN
            if kind[place] == UNKNOWN:
                probability[row, column] = risk[group[place]]  # cells that no number touches have the group -1
    return SOLVED


def weigh(f: Frontier, d: Diagram, left: int, untouched: int, wide: int, probability: Floats) -> int:
    """Fills in the probability of a mine in each cell that is not settled, and tells how it ended.

    ``left`` is the number of mines in cells that are not settled, -1 when it is not known; ``untouched`` the number of cells that
    no number touches.
    """
    return _weigh(left, untouched, wide, probability, f.kind, f.group, f.size, *d)


# -- all together


class Answer(NamedTuple):
    """What :func:`solve` finds: how it ended, the probability of a mine in each cell, and what that was read from.

    ``left`` is the number of mines in cells that are not settled (-1 when not known), ``untouched`` the number of cells that no
    number touches, ``width`` the nodes of the diagram's widest row.
    """

    status: int
    probability: Floats
    left: int
    untouched: int
    width: int
    frontier: Frontier
    diagram: Diagram | None


def solve(grid: NDArray[np.int8], mines: int, max_nodes: int, max_counts: int) -> Answer:
    """The probability of a mine in each cell of a grid (-1: covered); ``mines`` is their number, -1 when it is not known.

    Several compiled calls and not one: compiling code anew inside a larger function would double the time it takes.
    """
    consistent, found, probability, settled, untouched = frontier(state(grid), *grid.shape)
    left = mines - settled if mines >= 0 else -1
    if not consistent or (mines >= 0 and left < 0):
        return Answer(INCONSISTENT, probability, left, untouched, 0, found, None)
    wide = grid.shape[1] + 2 * MARGIN
    layers, width, complete = diagram(found, wide, left, max_nodes, max_counts)
    status = weigh(found, layers, left, untouched, wide, probability) if complete else TOO_WIDE
    return Answer(status, probability, left, untouched, width, found, layers)

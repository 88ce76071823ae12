"""The end of a game, searched to its end: when few fields fit a view, the move that wins most of them is found and proven.

A position is the set of fields that are still possible, and nothing else: cells on which all of them agree teach nothing, open or
not. To open a cell splits the set by the number that it shows, and loses the fields in which it is a mine. What can be won is

    won(fields) = the largest, over the cells, of the sum of won(fields with that number) over the numbers it may show

and 1 when a single field is left. A cell that shows the same number wherever it is no mine is *dead*: it can only lose, so it is
left out as long as another is not. Sets are remembered by a 128-bit hash. The same source runs without numba's compiler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cpsolve.counting.exact_sums import Component
from cpsolve.counting.sum_kernels import HIGH, LOW, SLOT, Diagram, Floats, Ints, compiled, inner
from cpsolve.errors import ModelError
from models.minesweeper.formats import Cell
from models.minesweeper.inference import SETTLED, UNTOUCHED, DiagramInference, infer
from models.minesweeper.rules import View

MAX_FIELDS = 1000
"""Views that more fields fit are not searched."""
MAX_WORK = 10_000_000
"""A search is given up when it has looked at this number of numbers (fields × cells, over all positions)."""

WORK, STORED, CHOSEN = range(3)


@dataclass(frozen=True)
class Endgame:
    """The proven best move: of ``fields`` equally likely fields, play that begins with ``cell`` wins ``won``, and no play wins more."""

    cell: Cell
    won: int
    fields: int

    @property
    def chance(self) -> Fraction:
        """The probability of winning from here."""
        return Fraction(self.won, self.fields)


def search(view: View, *, max_fields: int = MAX_FIELDS, max_work: int = MAX_WORK) -> Endgame | None:
    """The best move and what it wins, or None when more than ``max_fields`` fields fit or the search passes ``max_work``.

    >>> search(View.from_text("1-\\n--", mines=1)).chance
    Fraction(1, 3)
    >>> search(View.from_text("--1-", mines=1))
    Endgame(cell=(1, 1), won=2, fields=2)
    """
    return search_inferred(infer(view), max_fields, max_work)


def search_inferred(answer: DiagramInference, max_fields: int = MAX_FIELDS, max_work: int = MAX_WORK) -> Endgame | None:
    """As :func:`search`, for a view that inference has been asked about.

    >>> search_inferred(infer(View.from_text("11\\n--", mines=1)))
    Endgame(cell=(2, 1), won=1, fields=2)
    """
    if answer.view.mines is None:
        raise ModelError("the endgame is searched when the number of mines is known; this view has mines=None")
    if log_weight(answer) > math.log(max_fields) + 1e-6:
        return None
    found = consistent_fields(answer, max_fields)
    if found is None:
        return None
    cells, mined = found
    fields = len(mined)
    if not cells:
        raise ModelError(f"nothing is left to open:\n{answer.view}")
    values = _numbers(answer, cells, mined)
    distinct, first = np.unique(values, axis=1, return_index=True)
    distinct, first = distinct[:, np.argsort(first)], np.sort(first)  # like cells are asked about once, in the board's order
    state = np.zeros(3, np.int64)
    slots = 1 << 16
    keys, results = np.zeros((slots, 2), np.int64), np.zeros(slots, np.int64)
    won = int(_best(np.ascontiguousarray(distinct), np.arange(fields), _hashes(fields), keys, results, state, max_work))
    return None if won < 0 else Endgame(cells[first[state[CHOSEN]]], won, fields)


def log_weight(answer: DiagramInference) -> float:
    """The logarithm of the number of fields that fit, quickly.

    >>> round(math.exp(log_weight(infer(View.from_text("1--\\n---", mines=2)))), 9)
    6.0
    """
    return log_count(answer._diagram, answer._left, answer._untouched)


def log_count(diagram: Diagram | None, left: int, untouched: int) -> float:
    """As :func:`log_weight`, of what the kernels found."""
    if diagram is None:
        return -math.inf
    return _log_count(left, untouched, diagram.first, diagram.begins, diagram.nodes, diagram.counts)


@compiled
def _log_count(left: int, untouched: int, first: Ints, begins: Ints, nodes: Ints, ways: Floats) -> float:
    low = high = 0
    for c in range(len(begins) - 1):
        end = first[begins[c + 1] - 1]
        low += nodes[end, LOW]
        high += nodes[end, HIGH]
    counts, further = np.zeros(high - low + 1), np.zeros(high - low + 1)
    counts[0] = 1.0
    length = 1
    scale = 0.0
    for c in range(len(begins) - 1):
        end = first[begins[c + 1] - 1]
        more = nodes[end, HIGH] - nodes[end, LOW]
        largest = 0.0
        for k in range(length + more):
            further[k] = 0.0
        for a in range(length):
            for k in range(more + 1):
                further[a + k] += counts[a] * ways[nodes[end, SLOT] + k]
        length += more
        for k in range(length):
            largest = max(largest, further[k])
        for k in range(length):
            counts[k] = further[k] / largest
        scale += math.log(largest)
    if left < 0:
        return scale + math.log(counts[0]) + untouched * math.log(2.0)
    total, greatest = 0.0, -1e300
    for turn in range(2):  # the largest term first, so that none overflows
        for k in range(length):
            mines = left - low - k
            if 0 <= mines <= untouched and counts[k] > 0.0:
                term = math.lgamma(untouched + 1.0) - math.lgamma(mines + 1.0) - math.lgamma(untouched - mines + 1.0) + math.log(counts[k])
                if turn == 0:
                    greatest = max(greatest, term)
                else:
                    total += math.exp(term - greatest)
    return scale + greatest + math.log(total) if total > 0.0 else -math.inf


# -- the fields that fit


def consistent_fields(answer: DiagramInference, most: int) -> tuple[list[Cell], NDArray[np.int8]] | None:
    """The covered cells that may be safe, and a line of 0 and 1 (a mine) over them for each field that fits; None when more than ``most``.

    >>> cells, fields = consistent_fields(infer(View.from_text("1-\\n--", mines=1)), 10)
    >>> cells, fields.tolist()
    ([(1, 2), (2, 1), (2, 2)], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    """
    view, groups = answer.view, answer.groups
    cells = [
        cell for cell in view.covered if answer.probability[cell[0] - 1, cell[1] - 1] < 1.0 or groups[cell[0] - 1, cell[1] - 1] != SETTLED
    ]
    homes: dict[int, list[int]] = {}
    for index, cell in enumerate(cells):
        homes.setdefault(int(groups[cell[0] - 1, cell[1] - 1]), []).append(1 << index)
    boards = [0]
    for part in answer._components:
        if sum(part.plain.values()) > 20 * most:
            return None
        more = _placements(part, homes)
        if len(boards) * len(more) > 100 * most:
            return None
        boards = [board | placement for board in boards for placement in more]
    fields: list[int] = []
    untouched = homes.get(UNTOUCHED, [])
    for board in boards:
        mines = answer._left - board.bit_count()
        if 0 <= mines <= len(untouched):
            fields += [board | sum(chosen) for chosen in combinations(untouched, mines)]
        if len(fields) > most:
            return None
    size = (len(cells) + 7) // 8
    packed = np.frombuffer(b"".join(board.to_bytes(size, "little") for board in fields), np.uint8).reshape(len(fields), size)
    return cells, np.unpackbits(packed, axis=1, count=len(cells), bitorder="little").astype(np.int8)


def _placements(part: Component, homes: dict[int, list[int]]) -> list[int]:
    """All ways to mine a component, as sets of bits."""
    following = [[0]]
    for group, row in zip(reversed(part.groups), reversed(part.rows), strict=True):
        ways = [[sum(chosen) for chosen in combinations(homes[group], value)] for value in range(len(homes[group]) + 1)]
        following = [[way | rest for value, child in arcs for way in ways[value] for rest in following[child]] for arcs in row]
    return following[0]


def _numbers(answer: DiagramInference, cells: Sequence[Cell], mined: NDArray[np.int8]) -> NDArray[np.int8]:
    """For each field and cell the number that the cell would show, -1 where it is a mine."""
    view = answer.view
    index = {cell: i for i, cell in enumerate(cells)}
    near = np.zeros((len(cells), len(cells)), np.float32)
    certain = np.zeros(len(cells), np.float32)
    for i, cell in enumerate(cells):
        for other in view.covered_around(cell):
            if other in index:
                near[index[other], i] = 1.0
            else:
                certain[i] += 1.0
    numbers = mined.astype(np.float32) @ near + certain
    return np.where(mined == 1, -1, numbers).astype(np.int8)


# -- the search


@lru_cache(maxsize=4)
def _hashes(count: int) -> Ints:
    """Two random numbers for each field."""
    return np.random.default_rng(2024).integers(-(2**62), 2**62, size=(count, 2))


@inner
def _slot(keys: Ints, first: int, second: int) -> int:
    """Where a set's result is kept, or the free slot where it belongs."""
    at = first & (len(keys) - 1)
    while (keys[at, 0] != 0 or keys[at, 1] != 0) and (keys[at, 0] != first or keys[at, 1] != second):
        at = (at + 1) & (len(keys) - 1)
    return at


@compiled
def _best(values: NDArray[np.int8], members: Ints, hashes: Ints, keys: Ints, results: Ints, state: Ints, max_work: int) -> int:
    """How many of the fields ``members`` the best play wins, -1 when the search takes too long; the cell is ``state[CHOSEN]``."""
    count, cells = len(members), values.shape[1]
    first = second = 0
    for member in members:
        first ^= hashes[member, 0]
        second ^= hashes[member, 1]
    at = _slot(keys, first, second)
    if keys[at, 0] != 0 or keys[at, 1] != 0:
        return int(results[at])
    state[WORK] += count * cells
    if state[WORK] > max_work or 2 * state[STORED] > len(keys):
        return -1
    safe, shown = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    for member in members:
        for cell in range(cells):
            value = int(values[member, cell])  # an int8 would overflow when it shifts
            if value >= 0:
                safe[cell] += 1
                shown[cell] |= 1 << value
    best, chosen = 0, 0
    for cell in range(cells):
        if safe[cell] > safe[chosen]:
            chosen = cell
    if count == 1:
        state[CHOSEN] = chosen
        return 1
    parts, bounds = np.empty(count, np.int64), np.empty(10, np.int64)
    waiting = np.ones(cells, np.int64)
    while True:
        cell = -1
        for other in range(cells):
            if waiting[other] and shown[other] & (shown[other] - 1) and (cell < 0 or safe[other] > safe[cell]):
                cell = other
        if cell < 0 or safe[cell] <= best:
            break
        waiting[cell] = 0
        end = 0
        for value in range(9):
            bounds[value] = end
            if shown[cell] >> value & 1:
                for member in members:
                    if values[member, cell] == value:
                        parts[end] = member
                        end += 1
        bounds[9] = end
        won, left = 0, end
        for value in range(9):
            size = bounds[value + 1] - bounds[value]
            if size == 0:
                continue
            share = 1
            if size > 1:
                share = _best(values, parts[bounds[value] : bounds[value + 1]].copy(), hashes, keys, results, state, max_work)
            if share < 0:
                return -1
            won += share
            left -= size
            if won + left <= best:
                break
        if won > best:
            best, chosen = won, cell
        if safe[cell] == count:
            break  # a safe cell costs nothing and teaches something: whatever is best can still be done after it
    if best == 0:
        best = 1  # all are dead: whichever is opened, one field is won in the end
    at = _slot(keys, first, second)
    keys[at, 0], keys[at, 1], results[at] = first, second, best
    state[STORED] += 1
    state[CHOSEN] = chosen
    return best

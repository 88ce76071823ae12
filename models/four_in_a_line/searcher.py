"""Between positions and the kernel: its arrays for one shape of board, and a run of it with progress, a time limit and Ctrl-C.

Tables are kept from one search to the next: a bound on a position's score never goes stale. Any number of threads search at a time, in
the same tables, each on a stack of its own; the kernel lets go of Python's lock, and there is no other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

import numpy as np
from numba import config

from cpsolve import limits
from cpsolve.errors import ModelError
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from models.four_in_a_line import kernels
from models.four_in_a_line.rules import Position

LARGEST_BOARD = 120
"""Cells; scores of larger boards do not fit the table's entries, and no such board is within reach of a search."""
TABLE, LONG_TABLE, LATE_TABLE, PLAIN_TABLE = 22, 28, 16, 18
"""Table sizes as powers of two: for most searches, for long ones, for the last plies, and for plain Python."""
SMALLEST_TABLE = 16
"""However little memory there is: an entry of a smaller table could not name its position."""
ENTRY = 8
"""Bytes of an entry."""
LATE = 18
"""Positions with at most this number of free cells go to a table that stays in the processor's cache; most positions are such."""
MULTIPLIER = 0x9E3779B97F4A7C15
"""Odd, with well-mixed bits (2 to the 64th by the golden ratio)."""
SLICE, PLAIN_SLICE = 100_000, 2_000
"""The positions looked at between two looks at the clock: compiled, and in plain Python."""


@cache
def plain_kernel() -> ModuleType:
    """The kernel's source loaded once more without compiling it, for integers of any length."""
    spec = find_spec(kernels.__name__)
    if spec is None or spec.loader is None:
        raise ModelError(f"the source of {kernels.__name__} is not there to be loaded; install the package with its sources")
    module = module_from_spec(spec)
    before, config.DISABLE_JIT = config.DISABLE_JIT, True  # type: ignore[attr-defined]
    try:
        spec.loader.exec_module(module)
    finally:
        config.DISABLE_JIT = before  # type: ignore[attr-defined]
    return module


@cache
def load_kernel() -> None:
    """Compiles the kernel, or loads what an earlier process has compiled; says so on a terminal."""
    notice = "loading the compiled search (it is compiled the first time, which takes some seconds) …" if sys.stderr.isatty() else ""
    sys.stderr.write(notice)
    sys.stderr.flush()
    words, counters = np.zeros(kernels.LANES + 1, np.uint64), np.zeros(kernels.STATE, np.int64)
    pairs, triples = np.zeros((1, 2), np.uint64), np.zeros((1, 3), np.uint64)
    kernels.score_all(pairs[:0], counters[:0], counters, words, words, words, triples, np.zeros((1, 3), np.int64), pairs, counters)
    if notice:
        sys.stderr.write("\r" + " " * len(notice) + "\r")


@dataclass(frozen=True)
class Workspace:
    """What one search needs for itself: a position and its score, the counters, and the stack."""

    boards: Any
    scores: Any
    state: Any
    stack: tuple[Any, ...]


def lines_through(rows: int, columns: int, connect: int) -> list[int]:
    """How many lines run through every cell, by its bit.

    >>> lines_through(6, 7, 4)[:7], max(lines_through(6, 7, 4))
    ([3, 4, 5, 5, 4, 3, 0], 13)
    """
    counts = [0] * ((rows + 1) * columns)
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for column in range(columns):
            for row in range(rows):
                line = [(column + right * step, row + up * step) for step in range(connect)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                    for c, r in line:
                        counts[c * (rows + 1) + r] += 1
    return counts


class Searcher:
    """The kernel for one shape of board; ``long`` for searches that start near the empty board, ``memory`` for the bytes of its tables."""

    def __init__(self, rows: int, columns: int, connect: int, long: bool, memory: int) -> None:
        if rows * columns > LARGEST_BOARD:
            raise ModelError(f"a board of {rows} × {columns} is beyond any search: expected at most {LARGEST_BOARD} cells")
        height, size = rows + 1, rows * columns
        self.columns = columns
        self.compiled = height * columns <= 64 and not config.DISABLE_JIT  # type: ignore[attr-defined]
        if self.compiled:
            with limits.loading():
                load_kernel()
        self.kernel = kernels if self.compiled else plain_kernel()
        self.score_all = self.kernel.score_all
        self.rows, self.connect = rows, connect
        # Plain Python needs its own integers throughout: one of numpy's would cut a long one short.
        self.number: Any = np.uint64 if self.compiled else object
        self.counter: Any = np.int64 if self.compiled else object
        width = max(64, height * columns)
        largest = PLAIN_TABLE if not self.compiled else LONG_TABLE if long else TABLE
        bits = max(SMALLEST_TABLE, min(largest, max(1, memory // ENTRY - (1 << LATE_TABLE)).bit_length() - 1))
        self.settings = np.zeros(kernels.STATE, self.counter)
        for place, value in (
            (kernels.ROWS, rows),
            (kernels.COLUMNS, columns),
            (kernels.CONNECT, connect),
            (kernels.SHIFT, width - bits),
            (kernels.LATE_SHIFT, width - LATE_TABLE),
            (kernels.LATE_FROM, size - LATE),
            # Mirror images meet only in searches that start near the empty board.
            (kernels.MIRROR_UNTIL, size - LATE - 7 if long else -1),
            # A look at the table before each move pays while there is some way to go.
            (kernels.PEEK_UNTIL, size - LATE - 3),
            (kernels.BUDGET, SLICE if self.compiled else PLAIN_SLICE),
        ):
            self.settings[place] = value
        bottom, lane = sum(1 << column * height for column in range(columns)), (1 << rows) - 1
        # The lower cell of each pair when the free cells of every column are paired from the top.
        pairing = sum(1 << column * height + row for column in range(columns) for row in range(height) if (rows - row) % 2 == 0)
        words = list(range(256)) + [0] * (kernels.LANES - 256)
        words[kernels.CELLS], words[kernels.BOTTOM], words[kernels.PAIRING] = bottom * lane, bottom, pairing
        words[kernels.WORD], words[kernels.MULTIPLIER], words[kernels.LANE] = (1 << width) - 1, MULTIPLIER, (1 << height) - 1
        words[kernels.REST], words[kernels.LATE_REST] = (1 << width - bits) - 1, (1 << width - LATE_TABLE) - 1
        middle_first = sorted(range(columns), key=lambda column: (abs(2 * column - columns + 1), column))
        words += [lane << column * height for column in middle_first]
        self.words, self.size = self.array(words), size
        limits.require((1 << bits) * ENTRY + (1 << LATE_TABLE) * ENTRY, "the tables of a search")
        self.worth = np.array(lines_through(rows, columns, connect), self.counter)
        self.tables = np.zeros(1 << bits, self.number), np.zeros(1 << LATE_TABLE, self.number)
        self.idle: list[Workspace] = []

    @property
    def bytes(self) -> int:
        """What the tables take."""
        return sum(int(table.nbytes) for table in self.tables)

    def workspace(self) -> Workspace:
        """One that no other search uses."""
        try:
            return self.idle.pop()
        except IndexError:
            size, columns = self.size, self.columns
            return Workspace(
                np.zeros((1, 2), self.number),
                np.zeros(1, np.int64),
                self.settings.copy(),
                (
                    np.zeros((size + 2, 3), self.number),
                    np.zeros((size + 2, 3), self.counter),
                    np.zeros((size * columns + 2 * columns, 2), self.number),
                    np.zeros(size * columns + 2 * columns, self.counter),
                ),
            )

    def array(self, values: Iterable[int]) -> np.ndarray[Any, Any]:
        """Whole numbers as the kernel takes them: words when compiled, else Python's own."""
        return np.array(list(values), dtype=self.number)

    def forget(self) -> None:
        """Empties the tables."""
        for table in self.tables:
            table[:] = 0

    def look(self, position: Position, plies: int) -> dict[int, int]:
        """What every column is worth, looking that number of plies ahead: a win soon is worth most."""
        own, mask = (self.array([bits])[0] for bits in position.sides)
        values = np.zeros(self.columns, np.int64)
        self.kernel.look_all(own, mask, plies, kernels.WIN, self.rows, self.columns, self.connect, self.words, self.worth, values)
        return {column: int(values[column - 1]) for column in position.legal_columns}

    def run(
        self,
        positions: Sequence[Position],
        by_column: bool = False,
        threshold: int | None = None,
        time_limit: float | None = None,
        progress: bool = False,
    ) -> tuple[list[int], int]:
        """The scores of positions that are not over, or ``by_column`` those of all their columns in one list; and the nodes it took.

        With a threshold, the first score is only told apart: at most the threshold, or more.
        """
        deadline = Deadline(time_limit)
        count = len(positions)
        space = self.workspace()
        boards, scores, state = space.boards, space.scores, space.state
        if count > 1 or by_column:
            boards, scores = np.zeros((count, 2), self.number), np.zeros(count * self.columns if by_column else count, np.int64)
        for place, position in enumerate(positions):
            boards[place, kernels.OWN], boards[place, kernels.MASK] = position.sides
        state[:] = self.settings
        if by_column:
            state[kernels.BY_COLUMN] = 1
        if threshold is not None:
            state[kernels.LOW], state[kernels.HIGH], state[kernels.STARTED] = threshold, threshold + 1, 1
        arrays = (boards, scores, state, self.words, *self.tables, *space.stack)
        if not self.score_all(*arrays):
            self._go_on(arrays, deadline, progress)
        found = scores.tolist(), int(state[kernels.NODES])
        self.idle.append(space)  # one of a search that was stopped is not used again
        return found

    def _go_on(self, arrays: tuple[Any, ...], deadline: Deadline, progress: bool) -> None:
        _, scores, state, *_ = arrays
        with Progress("solving", progress) as shown:
            finished = False
            while not finished:
                nodes, item, low, high = (int(state[place]) for place in (kernels.NODES, kernels.ITEM, kernels.LOW, kernels.HIGH))
                stand = f"search {item + 1} of {len(scores)}, score between {low} and {high}"
                if deadline.passed():
                    deadline.fail(f"solving ({nodes:,} positions, {stand}; give more time, or start from a later position)")
                shown.update(f"{nodes / 1e6:,.0f} million positions, {stand}")
                finished = self.score_all(*arrays)

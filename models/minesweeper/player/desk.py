"""The arrays that the compiled player works on, made once for a size of board and used again for every game.

Compiled code takes plain arrays and allocates nothing. There are seven, and a :class:`Desk` holds them; what lies where in each is said
by the constants below. So few because every array that a function is given costs time to compile. A desk belongs to one thread at a time:
:func:`borrowed` hands out those that nobody uses.

Cells are numbered row by row from 0. What is known of a board is one *state*, six lines with an entry for each cell; the
game, the look-ahead and the roll-outs each have a state of their own, and copying one is all that "supposing" something takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from cpsolve.compilation import announce

announce()

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]
Function = TypeVar("Function", bound=Callable[..., Any])


def numbers(*span: int) -> Iterator[int]:
    """Numbers for constants, as ``range``: numba would compile a function anew for every plain one that it is given.

    >>> list(numbers(2)) == list(numbers(2, 4)) == [0, 1]
    False
    """
    return cast(Iterator[int], map(np.int64, range(*span)))


ZERO, ONE = numbers(2)

# -- limits

MOST_CELLS = 20_000
"""Larger boards get no desk."""
MOST_FIELDS = MOST_COLUMNS = cast(int, np.int64(1000))
"""The endgame is searched within these numbers of fields and covered cells."""
MOST_NODES = 100_000
MOST_ARCS = 4 * MOST_NODES
MOST_COUNTS = 1_000_000
"""The budget of one component: nodes, arcs, and counts on the nodes."""
MOST_JOINED = 1 << 18
"""Room for the tables that join components."""
KEPT_RECORDS, KEPT_MEMBERS, KEPT_WEIGHTS = 1 << 14, 1 << 20, 1 << 21
"""Room for the components that are remembered; when it is used up all are forgotten."""
TABLE_SIZE, HEAP_SIZE, MEMO_SIZE = 1 << 20, 1 << 20, 1 << 16
CANDIDATES = 80

# -- lines: an entry for each cell

SHOWN, KIND, ASKS, FREE, KNOWN, TALLY = numbers(6)
"""The lines of a state: the number shown or -1; what a covered cell is; how many mines an open one still asks for among the unknown
cells around it; how many unknown cells and how many known mines lie around any cell. The last line holds the totals below."""
STATE_LINES = 6
UNKNOWN, SAFE, MINE = numbers(3)
MINES, UNKNOWNS, COVERED, SAFES, BROKEN = numbers(5)
"""In the line TALLY: known mines, unknown cells, covered cells, covered cells known to be safe, and 1 after a contradiction."""
BASE, AHEAD, JOINT, ROLL, DRAWN = numbers(5)
"""The states, and the answers that belong to them: the game, after a number, after a supposition, in a roll-out, a board being drawn.
Functions are given a state by its first line, STATE_LINES times this number."""
PARTS_OF = 5 * STATE_LINES
"""From here on, for each state, its components."""
PARTS, UNTOUCHED, LEFT, FIRST_PART = numbers(4)
"""In such a line: the number of components, of cells that no number touches, of mines left (-1: not known); then the records."""
(WAITING, QUEUED, SEEN_CELL, SEEN_CLUE, LOCAL, CELLS, CLUES, STACK, INSIDE, INDEX, NEED, ROOM, VALUE, CHOICE, PICKED, ORDER, DISTANCE,
 REACHED, NODES_FROM, ARCS_FROM) = numbers(PARTS_OF + 5, PARTS_OF + 25)  # fmt: skip
"""Scratch lines."""
LINES = PARTS_OF + 25

# -- rows: a row for each cell, box or clue

COUNT = 8
"""The number of cells around a cell; before it come those cells."""
CODES = 9
"""Random numbers whose sums modulo 2 name sets: one for each number of mines that a clue asks for, then the next three."""
CELL_CODE, CLUE_CODE, VIEW_CODE = numbers(18, 21)
BOX_SIZE, BOX_DEGREE, BOX_CODE, BOX_CLUES = numbers(21, 25)
CLUE_ASKS, CLUE_SPREAD, CLUE_REST, CLUE_ROOM, CLUE_SHIFT, CLUE_MASK, CLUE_OPEN, CLUE_BOXES = numbers(32, 40)
ROW = 48

# -- tables: eight columns

KEY, NODE_LOW, NODE_HIGH, NODE_AT, AFTER_LOW, AFTER_HIGH, AFTER_AT = numbers(7)
"""Columns of nodes, which come first: see :mod:`models.minesweeper.player.components`."""
RECORDS = MOST_NODES
AT, SIZE, BOXES, LOW, LENGTH, WEIGHTS_AT = numbers(6)
"""Columns of the records of components, which come after the nodes."""

# -- ints

BOARD_MINES, COLUMNS, GUESS, MAX_FIELDS, MAX_WORK, ROLLS, ALWAYS_SEARCH, TO_GUESS = numbers(8)
"""The board (mines are -1 when their number is not known), then how to play; 1 at the last: only until a guess has to be made."""
LEAST_RISK, TWO_STEPS, LINEAR = numbers(3)
"""The ways to guess."""
(STAMP, RECORD_COUNT, MEMBER_COUNT, WEIGHT_COUNT, PART_CELLS, PART_CLUES, SALT, STORED, MET, WORK, CHOSEN, FIELDS, DICE,
 DICE_CODE) = numbers(8, 22)  # fmt: skip
"""Counters; the last changes the fields that are drawn."""
HASHES = 32
SLOTS = HASHES + 11 * MOST_FIELDS
SLOT_COUNT = 2 * KEPT_RECORDS
MEMO = SLOTS + 2 * SLOT_COUNT
MEMBERS = MEMO + 2 * MEMO_SIZE
HEAP = MEMBERS + KEPT_MEMBERS
TABLE = HEAP + HEAP_SIZE
ARCS = TABLE + TABLE_SIZE
INTS = ARCS + 3 * MOST_ARCS

# -- values: an entry for each cell, or a row of features

LOG_TOTAL, LEAST, UNTOUCHED_RISK, EXTRAS = numbers(4)
"""First come the answers, risks by cell; after the last cell the logarithm of the number of fields, the least risk, and the risk where
no number touches."""
INFLUENCE = 5
"""How likely a cell is in a 50/50 of two, of four, makes one possible; and whether it is a mine in one only."""
LOGS = INFLUENCE + 4
"""The logarithms of the factorials."""
FEATURES = LOGS + 1
SAFE_SHARE, NEXT, SECOND_NEXT, FOURTH_NEXT, TENTH_NEXT, KNOWN_SAFE, CLOSED, PAIR, BOX, ENABLER, PROGRESS, DEAD, SCORE, CANDIDATE = numbers(
    14
)
"""What a cell promises, see :mod:`models.minesweeper.player.lookahead`; the weights of a linear score are for those before PROGRESS."""
WEIGHED = PROGRESS
VALUES = FEATURES + CANDIDATES

# -- floats

OPEN_CELL, WON, OF, FOLLOWING, FOUND, WHY = numbers(6)
"""The choice: the cell; the fields that are won of how many, when it is proven best (else 0 of 0); how safe the next move is
and how likely a safe cell is known then; and why, one of the next."""
BY_RISK, BY_END, BY_TWO_STEPS, BY_FIFTY, BY_SCORE, BY_ROLLS = numbers(6)
THETA = 8
ROUGH = THETA + 16
TOPS = ROUGH + 16
ROLLED = TOPS + 24
WEIGHTS = ROLLED + 32
BEFORE = WEIGHTS + KEPT_WEIGHTS
AFTER = BEFORE + MOST_JOINED
FORWARDS = AFTER + MOST_JOINED
BACKWARDS = FORWARDS + MOST_COUNTS
FLOATS = BACKWARDS + MOST_COUNTS

# -- bytes: fields (a mine is 1) and below them, by cell, the numbers that it shows in each field

SHOWS = MOST_FIELDS
DRAWN_FIELD = SHOWS + MOST_COLUMNS
"""The last row: the numbers of a field that was drawn."""

SOLVED, INCONSISTENT, TOO_WIDE, NO_ROOM = numbers(4)
"""How inference ends."""


class Desk(NamedTuple):
    """All that compiled code reads and writes."""

    lines: Ints
    rows: Ints
    tables: Ints
    ints: Ints
    values: Floats
    floats: Floats
    bytes: Bytes


OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "nogil": True}
"""For numba: nothing is allocated, so references need not be counted."""


def inner(function: Function) -> Function:
    """Compiles a function that only compiled ones call: it becomes part of them."""
    return cast(Function, numba.njit(**{**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True})(function))


def once(function: Function) -> Function:
    """As :func:`inner`, for a function that is called in one place, or is tiny: it is written out there, which compiles faster."""
    return cast(Function, numba.njit(**{**OPTIONS, "inline": "always"})(function))


def make_desk(rows: int, columns: int) -> Desk:
    """A desk for boards of a size.

    >>> make_desk(2, 3).rows[0, : COUNT + 1].tolist()
    [1, 4, 3, 0, 0, 0, 0, 0, 3]
    """
    from models.minesweeper.rules import neighbours

    cells, random = rows * columns, np.random.default_rng(20_171)
    wide = max(cells, 16) + 4
    desk = Desk(
        lines=np.zeros((LINES, wide), np.int64),
        rows=np.zeros((cells, ROW), np.int64),
        tables=np.zeros((RECORDS + KEPT_RECORDS, 8), np.int64),
        ints=np.zeros(INTS, np.int64),
        values=np.zeros((VALUES, wide)),
        floats=np.zeros(FLOATS),
        bytes=np.zeros((DRAWN_FIELD + 1, max(MOST_FIELDS, MOST_COLUMNS)), np.int8),
    )
    for cell in range(cells):
        near = [(r - 1) * columns + c - 1 for r, c in neighbours((cell // columns + 1, cell % columns + 1), rows, columns)]
        desk.rows[cell, : len(near)], desk.rows[cell, COUNT] = near, len(near)
    desk.rows[:, CODES : VIEW_CODE + 1] = random.integers(1, 2**62, (cells, VIEW_CODE + 1 - CODES))
    desk.ints[HASHES:SLOTS] = random.integers(1, 2**62, SLOTS - HASHES)
    desk.ints[COLUMNS] = columns
    desk.values[LOGS, 1 : cells + 1] = np.cumsum(np.log(np.arange(1.0, cells + 1.0)))
    return desk


MOST_SIZES = 8
"""Desks are kept for about this number of sizes of board."""
_free: dict[tuple[int, int], list[Desk]] = {}


@contextmanager
def borrowed(rows: int, columns: int) -> Iterator[Desk]:
    """A desk for boards of a size that nobody else uses meanwhile; after an error it is not handed out again.

    >>> with borrowed(4, 4) as desk, borrowed(4, 4) as other:
    ...     desk is other
    False
    """
    if len(_free) > MOST_SIZES:
        _free.clear()
    waiting = _free.setdefault((rows, columns), [])
    try:
        desk = waiting.pop()  # without a lock: a child that is forked while another thread holds one would wait for ever
    except IndexError:
        desk = make_desk(rows, columns)
    yield desk
    waiting.append(desk)

"""The opening book: exact scores of positions with 4, 8 and 12 stones on the board that everybody plays on, by our own search.

``python -m benchmarks.make_book`` makes the file. A score tells who wins and when, so distances are in it too. No position is written down:
those whose columns are equally high are a *block*, and within it the stones of the player to move, read column by column, are one of few
*patterns*, so the place of a score tells its position; mirror images have one place. Positions with another number of stones follow from
those that can come of them within three plies. The file is read when it is first needed.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from cpsolve import limits
from cpsolve.cached import cached_property
from cpsolve.errors import ModelError
from models.four_in_a_line.rules import Position

FILE = Path(__file__).with_name("book.xz")
SHAPE = 6, 7, 4
"""Rows, columns and stones in a line of the board that it is about."""
LEVELS = 4, 8, 12
"""How many stones the positions have whose scores are kept, if the file goes that far."""
NEVER = -127
"""In the table that is packed: a place that is never looked up, since no game leads there or a player wins at once."""

Words = NDArray[np.uint64]
Scores = NDArray[np.int8]


@dataclass(frozen=True)
class Grid:
    """Moves and lines on many boards of one shape at a time. A board is two words, the stones of the player to move and all stones, of
    ``rows + 1`` bits for each column."""

    rows: int
    columns: int
    connect: int

    @cached_property
    def bottom(self) -> np.uint64:
        """The lowest cell of every column."""
        return np.uint64(sum(1 << column * (self.rows + 1) for column in range(self.columns)))

    @cached_property
    def board(self) -> np.uint64:
        """All cells."""
        return self.bottom * np.uint64((1 << self.rows) - 1)

    def moves(self, mask: Words) -> Words:
        """The cell on which a stone lands in each column, one more axis; 0 where there is no room."""
        lanes = np.array([((1 << self.rows) - 1) << column * (self.rows + 1) for column in range(self.columns)], np.uint64)
        return (mask + self.bottom)[..., None] & lanes

    def has_line(self, stones: Words) -> NDArray[np.bool_]:
        """Whether the stones hold a line.

        >>> Grid(6, 7, 4).has_line(np.array([0b1111, 0b10111], np.uint64)).tolist()
        [True, False]
        """
        found = np.zeros(stones.shape, np.bool_)
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            line = stones
            for distance in range(1, self.connect):
                line = line & (stones >> np.uint64(distance * step))
            found |= line != 0
        return found

    def wins_at_once(self, own: Words, mask: Words) -> NDArray[np.bool_]:
        """Whether the player to move can complete a line."""
        moves = self.moves(mask)
        wins: NDArray[np.bool_] = (self.has_line(own[..., None] | moves) & (moves != 0)).any(axis=-1)
        return wins


class Places:
    """Where the scores of positions with some number of stones are: the blocks in order, the patterns in order within each."""

    def __init__(self, grid: Grid, stones: int) -> None:
        self.grid = grid
        base = grid.rows + 1
        heights = np.arange(base**grid.columns)
        digits = [heights // base**column % base for column in range(grid.columns)]
        image = sum(digit * base ** (grid.columns - 1 - column) for column, digit in enumerate(digits))
        # of each block the heights of its columns as the digits of a number; of two mirror images the smaller
        blocks = np.flatnonzero((sum(digits) == stones) & (heights <= image))
        # a pattern is the stones of the player to move, as the bits of a number
        words = np.arange(1 << stones)
        chosen = sum((words >> bit & 1 for bit in range(stones)), np.zeros_like(words)) == stones // 2
        self.arrays = blocks, int(chosen.sum()), np.maximum(np.cumsum(chosen) - 1, 0)
        """The blocks, the number of patterns, and of every pattern how many come before it."""

    def __len__(self) -> int:
        blocks, patterns, _ = self.arrays
        return len(blocks) * patterns

    def of(self, own: Words, mask: Words) -> NDArray[np.int64]:
        """The places of positions; without meaning when they have another number of stones."""
        found = np.empty(len(own), np.int64)
        _kernels().places_of(own, mask, self.grid.rows, self.grid.columns, *self.arrays, found)
        return found


@cache
def places(grid: Grid, stones: int) -> Places:
    """The places of positions with some number of stones."""
    return Places(grid, stones)


@cache
def _kernels() -> ModuleType:
    with limits.loading():
        from models.four_in_a_line import book_kernels  # loads numba: only when something is looked up

    return book_kernels


@dataclass(frozen=True)
class Book:
    """Scores by place, for each number of stones that the book has."""

    grid: Grid
    tables: Mapping[int, Scores]

    @property
    def deepest(self) -> int:
        """The most stones of a position whose score is in the book; -1 when it is empty."""
        return max(self.tables, default=-1)

    def scores(self, own: Words, mask: Words, stones: int) -> NDArray[np.int64]:
        """The scores of positions with that number of stones, in none of which the game is over, for the player to move."""
        return self._look_up(own, mask, stones, stones, len(own))

    def by_column(self, own: Words, mask: Words, stones: int) -> NDArray[np.int64]:
        """The same for every column, a row each; FULL where there is no room."""
        return self._look_up(own, mask, stones, stones + 1, len(own) * self.grid.columns).reshape(len(own), self.grid.columns)

    def _look_up(self, own: Words, mask: Words, stones: int, least: int, count: int) -> NDArray[np.int64]:
        """As many scores as are wanted, from what is kept of positions with at least that number of stones."""
        kernels, grid = _kernels(), self.grid
        level = min(kept for kept in self.tables if kept >= least)
        found = np.empty(count, np.int64)
        shape = grid.rows, grid.columns, grid.connect, grid.board, grid.bottom
        kernels.look_up(
            own, mask, stones, kernels.WORST, kernels.BEST, level, *shape, *places(grid, level).arrays, self.tables[level], found
        )
        return found


def score(position: Position) -> int | None:
    """The exact score of a position that is not over for the player to move, if the book has it.

    >>> score(Position.from_moves("44")), score(Position.from_moves("44444326213163"))
    (1, None)
    """
    known = _book_for(position, position.ply)
    return None if known is None else int(known.scores(*_words(position), position.ply)[0])


def by_column(position: Position) -> dict[int, int] | None:
    """The exact score of every column with room, if the book has them.

    >>> by_column(Position())
    {1: -2, 2: -1, 3: 0, 4: 1, 5: 0, 6: -1, 7: -2}
    """
    known = _book_for(position, position.ply + 1)
    if known is None:
        return None
    found = known.by_column(*_words(position), position.ply)[0].tolist()
    return {column: found[column - 1] for column in position.legal_columns}


def _book_for(position: Position, stones: int) -> Book | None:
    """The book, if it has to do with a position and goes as far as a number of stones."""
    if stones > LEVELS[-1] or (position.rows, position.columns, position.connect) != SHAPE:
        return None
    known = shipped()
    return known if stones <= known.deepest else None


def _words(position: Position) -> tuple[Words, Words]:
    own, mask = position.sides
    return np.array([own], np.uint64), np.array([mask], np.uint64)


@cache
def shipped() -> Book:
    """The book of the file; an empty one when there is none."""
    return unpack(FILE.read_bytes()) if FILE.exists() else Book(Grid(*SHAPE), {})


def pack(tables: Mapping[int, Scores]) -> bytes:
    """The tables as the bytes of a file. A place that is never looked up repeats the one before it, which takes no room."""
    plain = []
    for stones in sorted(tables):
        table = tables[stones]
        kept = np.maximum.accumulate(np.where(table == NEVER, 0, np.arange(len(table))))
        plain.append(table[kept].tobytes())
    return lzma.compress(b"".join(plain), preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> Book:
    """The book of a file; ModelError for any other bytes."""
    try:
        plain = np.frombuffer(lzma.decompress(data), np.int8)
    except lzma.LZMAError as error:
        raise ModelError(f"the opening book cannot be read ({error}): install the package again") from error
    grid = Grid(*SHAPE)
    tables: dict[int, Scores] = {}
    read = 0
    for stones in LEVELS:
        if read < len(plain):
            tables[stones] = plain[read : read + len(places(grid, stones))]
            read += len(places(grid, stones))
    if not tables or read != len(plain):
        raise ModelError(f"the opening book is cut short: it has {len(plain):,} scores, not {read:,}; install the package again")
    return Book(grid, tables)

"""The opening book: exact scores of positions with few stones on the board that everybody plays on, found beforehand by our own search.

``python -m benchmarks.make_book`` makes the file; a position and its mirror image are one entry. A score tells who wins and when, so
distances are in it too. The file is a compressed list of numbers, read when a position with few stones is first asked for. It may hold
any positions: what it does not hold is searched.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from cpsolve.errors import ModelError
from models.four_in_a_line.rules import Position

FILE = Path(__file__).with_name("book.xz")
SHAPE = 6, 7, 4
"""Rows, columns and stones in a line of the board that it is about."""
DEEPEST = 8
"""Positions with more stones are in no book, and not looked up."""


def code(position: Position) -> int:
    """A number that no other position has but its mirror image: in each column the player's stones below a bit that marks the height.

    >>> code(Position.from_moves("12")) == code(Position.from_moves("76")) != code(Position.from_moves("21"))
    True
    """
    own, mask = position.sides
    height = position.rows + 1
    marked = own | (mask + sum(1 << column * height for column in range(position.columns)))
    lanes = [marked >> column * height & (1 << height) - 1 for column in range(position.columns)]
    image = sum(lane << (position.columns - 1 - column) * height for column, lane in enumerate(lanes))
    return min(marked, image)


def score(position: Position) -> int | None:
    """The exact score of a position for the player to move, if the book has it.

    >>> score(Position.from_moves("44444326213163")) is None
    True
    """
    if position.ply > DEEPEST or (position.rows, position.columns, position.connect) != SHAPE:
        return None
    return entries().get(code(position))


@cache
def entries() -> Mapping[int, int]:
    """All entries, scores by code; none when there is no file.

    >>> all(-21 <= worth <= 21 for worth in entries().values())
    True
    """
    return unpack(FILE.read_bytes()) if FILE.exists() else {}


def pack(book: Mapping[int, int]) -> bytes:
    """The entries as the bytes of a file: sorted, each code less the one before it, byte by byte of the same weight together.

    >>> unpack(pack({5: -3, 900: 0})) == {5: -3, 900: 0}
    True
    """
    codes = np.array(sorted(book), np.uint64)
    steps = np.diff(codes, prepend=np.uint64(0)).astype("<u8").view(np.uint8).reshape(-1, 8)
    scores = np.array([book[int(each)] for each in codes], np.int8)
    return lzma.compress(len(codes).to_bytes(8, "little") + steps.T.tobytes() + scores.tobytes(), preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> dict[int, int]:
    """The entries of a file; ModelError for any other bytes."""
    try:
        plain = lzma.decompress(data)
    except lzma.LZMAError as error:
        raise ModelError(f"the opening book cannot be read ({error}): install the package again") from error
    count = int.from_bytes(plain[:8], "little")
    if len(plain) != 8 + 9 * count:
        raise ModelError(f"the opening book is cut short: {len(plain)} bytes for {count} entries; install the package again")
    steps = np.frombuffer(plain, np.uint8, 8 * count, 8).reshape(8, -1).T.copy().view("<u8")
    scores = np.frombuffer(plain, np.int8, count, 8 + 8 * count)
    return dict(zip(np.cumsum(steps, dtype=np.uint64).tolist(), scores.tolist(), strict=True))

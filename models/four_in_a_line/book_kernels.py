"""Looking up in the opening book, compiled: the place of a position, and scores that follow from what can come of it.

A board is two words as in :mod:`models.four_in_a_line.kernels`, whose threats and replies decide here too. A score that is not kept
follows by alpha-beta from those kept of positions with a few stones more, within microseconds. The same source runs uncompiled with
NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from cpsolve.compilation import announce
from models.four_in_a_line.kernels import FULL, count_bits, replies, threats

announce()

WORST, BEST = -120, 120
"""Below and above all scores."""


@njit(cache=True)
def place_of(own: Any, mask: Any, rows: Any, columns: Any, blocks: Any, patterns: Any, ranks: Any) -> Any:
    """Where the score of a position is; some place when it has another number of stones than ``blocks`` and ``ranks`` are about.

    The board is read column by column from the left and from the right, and the smaller reading counts: mirror images have one place.
    """
    height = rows + 1
    lane = np.uint64((1 << rows) - 1)
    block, image, read, read_back = 0, 0, 0, 0
    pattern: Any = 0
    mirrored: Any = 0
    weight = 1
    for column in range(columns):
        start, end = column * height, (columns - 1 - column) * height
        block += count_bits((mask >> start) & lane) * weight
        pattern |= np.int64((own >> start) & lane) << read
        read += count_bits((mask >> start) & lane)
        image += count_bits((mask >> end) & lane) * weight
        mirrored |= np.int64((own >> end) & lane) << read_back
        read_back += count_bits((mask >> end) & lane)
        weight *= height
    if image < block or (image == block and mirrored < pattern):
        block, pattern = image, mirrored
    low, high = 0, len(blocks) - 1
    while low < high:
        middle = (low + high) >> 1
        if blocks[middle] < block:
            low = middle + 1
        else:
            high = middle
    return low * patterns + ranks[pattern & (len(ranks) - 1)]


@njit(cache=True, nogil=True)
def places_of(own: Any, mask: Any, rows: Any, columns: Any, blocks: Any, patterns: Any, ranks: Any, places: Any) -> None:
    """The places of many positions."""
    for each in range(len(places)):
        places[each] = place_of(own[each], mask[each], rows, columns, blocks, patterns, ranks)


@njit(cache=True)
def score_of(own: Any, mask: Any, stones: Any, low: Any, high: Any, level: Any, rows: Any, columns: Any, connect: Any, cells: Any,
             bottom: Any, blocks: Any, patterns: Any, ranks: Any, table: Any) -> Any:  # fmt: skip
    """The score for the player to move by what is kept of positions with ``level`` stones: exact if between ``low`` and ``high``, else a
    bound beyond the one that it misses."""
    size = rows * columns
    empty = cells ^ mask
    if threats(own, empty, rows, columns, connect) & (mask + bottom):
        return (size + 1 - stones) >> 1
    if stones == level:
        return np.int64(table[place_of(own, mask, rows, columns, blocks, patterns, ranks)])
    moves = replies(threats(own ^ mask, empty, rows, columns, connect), mask, cells, bottom)
    if not moves:
        return -((size - stones) >> 1)
    best = WORST
    for number in range(columns):
        column = columns // 2 + (number + 1) // 2 * (1 - number % 2 * 2)  # the middle first
        move = moves & (np.uint64((1 << rows) - 1) << column * (rows + 1))
        if move:
            value = score_of(own ^ mask, mask | move, stones + 1, -high, -low, level, rows, columns, connect, cells, bottom,
                             blocks, patterns, ranks, table)  # fmt: skip
            best = max(best, -value)
            low = max(low, -value)
            if low >= high:
                break
    return best


@njit(cache=True, nogil=True)
def look_up(own: Any, mask: Any, stones: Any, low: Any, high: Any, level: Any, rows: Any, columns: Any, connect: Any, cells: Any,
            bottom: Any, blocks: Any, patterns: Any, ranks: Any, table: Any, scores: Any) -> None:  # fmt: skip
    """The scores of many positions, or of each of their columns (FULL where there is no room) when ``scores`` has room for that.

    ``low`` and ``high`` are WORST and BEST; they come from outside because recursion that begins with a literal is compiled once more.
    """
    for each in range(len(own)):
        if len(scores) == len(own):
            scores[each] = score_of(own[each], mask[each], stones, low, high, level, rows, columns, connect, cells, bottom,
                                    blocks, patterns, ranks, table)  # fmt: skip
            continue
        wins = threats(own[each], cells ^ mask[each], rows, columns, connect)
        for column in range(columns):
            move = (mask[each] + bottom) & (np.uint64((1 << rows) - 1) << column * (rows + 1))
            place = each * columns + column
            if not move:
                scores[place] = FULL
            elif move & wins:
                scores[place] = (rows * columns + 1 - stones) >> 1
            else:
                scores[place] = -score_of(own[each] ^ mask[each], mask[each] | move, stones + 1, low, high, level, rows, columns, connect,
                                          cells, bottom, blocks, patterns, ranks, table)  # fmt: skip

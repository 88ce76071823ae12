"""What opening a cell promises: exact inference after every number that it can show, and how it weighs on unavoidable guesses.

:func:`look` looks at one cell. Its *two-step safety* is the probability that the cell is safe and so is the safest move after it. For a
linear score more is told of what comes after: how safe the second, fourth and tenth safest cells then are, how many are known safe, and
how likely every closed-off component can be survived. :func:`find_fifties` tells how often a cell is part of an unavoidable 50/50:
two cells side by side, or a square of four with mines on one of its diagonals, such that every other cell that could tell them apart is
a mine.
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from models.minesweeper.player.components import solve
from models.minesweeper.player.desk import (
    AHEAD,
    AT,
    BACKWARDS,
    BASE,
    BOX,
    CLOSED,
    COLUMNS,
    COUNT,
    DEAD,
    ENABLER,
    FEATURES,
    FIRST_PART,
    FORWARDS,
    FOURTH_NEXT,
    GUESS,
    HEAP,
    INFLUENCE,
    INSIDE,
    JOINT,
    KIND,
    KNOWN,
    KNOWN_SAFE,
    LEAST,
    LEFT,
    LINEAR,
    LOG_TOTAL,
    LOGS,
    MEMBERS,
    MINE,
    NEED,
    NEXT,
    PAIR,
    PARTS,
    PARTS_OF,
    PICKED,
    PROGRESS,
    RECORDS,
    ROOM,
    ROUGH,
    SAFE,
    SAFE_SHARE,
    SAFES,
    SCORE,
    SECOND_NEXT,
    SHOWN,
    SIZE,
    SOLVED,
    STAMP,
    STATE_LINES,
    TABLE,
    TALLY,
    TENTH_NEXT,
    TOO_WIDE,
    TOPS,
    UNKNOWN,
    UNKNOWNS,
    UNTOUCHED,
    UNTOUCHED_RISK,
    VALUE,
    ZERO,
    Desk,
    Ints,
    inner,
    once,
)
from models.minesweeper.player.states import copy, propagate, settle, show

ROUNDING = 1e-9
"""Shares of all fields that differ by less are taken as equal."""
MOST_TOUCHED, MOST_UNTOUCHED = (cast(int, np.int64(most)) for most in (64, 6))
"""How many cells that a number touches are compared, and how many that none does: those that most likely show 0."""
MOST_MISSING = 2
"""A 50/50 is considered when all but so many of the cells that must be mines for it are."""
UNLIKELY = 0.0005
"""Rarer 50/50s are passed over."""
TOP = 10
MOST_COUNTED = 8


# -- the cells worth comparing


@once
def _coarse(value: float) -> int:
    """A probability as a whole number, the same for values that are equal but for rounding."""
    return int(value * 1e9 + 0.5)


@inner
def _insert(listed: Ints, keys: Ints, cell: int, key: int, count: int, most: int) -> int:
    """Puts a cell into a list after all of at least its key, and drops what is too much; the list's length."""
    if count == most and keys[count - 1] >= key:
        return count
    at = min(count, most - 1)
    while at > 0 and keys[at - 1] < key:
        listed[at], keys[at] = listed[at - 1], keys[at - 1]
        at -= 1
    listed[at], keys[at] = cell, key
    return min(count + 1, most)


@inner
def pick(d: Desk, s: int, near: float) -> int:
    """Lists the cells at least ``near`` times as safe as the safest in line PICKED, the safest first; their number."""
    cells = len(d.rows)
    answer = d.values[BASE]
    bound = _coarse(near * (1.0 - answer[cells + LEAST]))
    picked, keys = d.lines[PICKED], d.lines[VALUE]
    others, other_keys = d.lines[NEED], d.lines[ROOM]
    count, other_count = ZERO, ZERO
    for cell in range(cells):
        key = _coarse(1.0 - answer[cell])
        if d.lines[s + KIND, cell] != UNKNOWN or key < bound:
            continue
        touched, zero = False, 1.0 - answer[cell]
        for i in range(d.rows[cell, COUNT]):
            touched = touched or d.lines[s + SHOWN, d.rows[cell, i]] >= 0
            zero *= 1.0 - answer[d.rows[cell, i]]
        if touched:
            count = _insert(picked, keys, cell, key, count, MOST_TOUCHED)
        else:
            other_count = _insert(others, other_keys, cell, _coarse(zero), other_count, MOST_UNTOUCHED)
    for i in range(other_count):
        count = _insert(picked, keys, others[i], _coarse(1.0 - answer[others[i]]), count, MOST_TOUCHED + MOST_UNTOUCHED)
    return count


# -- after a number


@once
def _rough_chances(d: Desk, s: int, cell: int) -> int:
    """Fills ``d.rough`` with how likely each number of mines in the unknown cells around is if they were independent; how many."""
    rough = d.floats[ROUGH:TOPS]
    count = 1
    rough[0] = 1.0
    for i in range(d.rows[cell, COUNT]):
        near = d.rows[cell, i]
        if d.lines[s + SHOWN, near] < 0 and d.lines[s + KIND, near] == UNKNOWN:
            risk = d.values[BASE, near]
            rough[count] = rough[count - 1] * risk
            for k in range(count - 1, 0, -1):
                rough[k] = rough[k] * (1.0 - risk) + rough[k - 1] * risk
            rough[0] *= 1.0 - risk
            count += 1
    return count


@once
def _after(d: Desk, t: int, share: float, row: int) -> None:
    """Adds to a row of features what is known after a number, in the state AHEAD and its answer, weighed by the number's share."""
    answer, parts, features = d.values[AHEAD], d.lines[PARTS_OF + AHEAD], d.values[FEATURES + row]
    cells = len(d.rows)
    top = d.floats[FORWARDS:BACKWARDS]  # the least risks, in order
    count = 0
    known = d.lines[t + TALLY, SAFES]
    while count < min(TOP, known):
        top[count] = 0.0
        count += 1
    closed = 1.0
    for c in range(parts[PARTS]):
        record = parts[FIRST_PART + c]
        at, size = d.tables[RECORDS + record, AT], d.tables[RECORDS + record, SIZE]
        d.ints[STAMP] += 1
        stamp = d.ints[STAMP]
        for i in range(size):
            d.lines[INSIDE, d.ints[MEMBERS + at + i]] = stamp
        best = 0.0
        reached = False  # something outside may still tell more
        for i in range(size):
            cell = d.ints[MEMBERS + at + i]
            risk = answer[cell]
            known += risk == 0.0
            best = max(best, 1.0 - risk)
            if count < TOP or risk < top[TOP - 1]:
                k = min(count, TOP - 1)
                while k > 0 and top[k - 1] > risk:
                    top[k] = top[k - 1]
                    k -= 1
                top[k] = risk
                count = min(count + 1, TOP)
            for j in range(d.rows[cell, COUNT]):
                near = d.rows[cell, j]
                if d.lines[t + SHOWN, near] < 0 and d.lines[INSIDE, near] != stamp:
                    reached = reached or d.lines[t + KIND, near] == SAFE or (d.lines[t + KIND, near] == UNKNOWN and answer[near] < 1.0)
        if 0.0 < best < 1.0 and not reached:
            closed *= best
    if parts[UNTOUCHED] > 0:
        risk = answer[cells + UNTOUCHED_RISK]
        known += parts[UNTOUCHED] if risk == 0.0 else 0
        for _ in range(min(parts[UNTOUCHED], TOP)):
            if count < TOP or risk < top[TOP - 1]:
                k = min(count, TOP - 1)
                while k > 0 and top[k - 1] > risk:
                    top[k] = top[k - 1]
                    k -= 1
                top[k] = risk
                count = min(count + 1, TOP)
    if count == 0 or d.lines[t + TALLY, UNKNOWNS] == 0 or parts[LEFT] == 0 or top[0] == 1.0:  # all is known
        for k in range(TOP):
            top[k] = 0.0
        count, closed, known = TOP, 1.0, max(known, 1)
    for k in range(count, TOP):
        top[k] = top[count - 1]
    features[NEXT] += share * (1.0 - top[0])
    features[SECOND_NEXT] += share * (1.0 - top[1])
    features[FOURTH_NEXT] += share * (1.0 - top[3])
    features[TENTH_NEXT] += share * (1.0 - top[9])
    features[KNOWN_SAFE] += share * min(known, MOST_COUNTED)
    features[CLOSED] += share * closed * (1.0 - top[0])
    features[PROGRESS] += share if known > 0 else 0.0


@inner
def look(d: Desk, s: int, cell: int, row: int, least: float) -> int:
    """Fills a row of features with what a cell promises: two-step safety and progress, all of them for a linear score.

    Stops, with a lower two-step safety, when that cannot reach ``least``. TOO_WIDE when inference passes its budget.
    """
    cells = len(d.rows)
    features, t = d.values[FEATURES + row], STATE_LINES * AHEAD
    for i in range(SCORE + 1):
        features[i] = 0.0
    safe = 1.0 - d.values[BASE, cell]
    features[SAFE_SHARE] = safe
    count = _rough_chances(d, s, cell)
    left, numbers = safe, 0
    for _ in range(count):
        k = 0
        for other in range(1, count):
            if d.floats[ROUGH + other] > d.floats[ROUGH + k]:
                k = other
        d.floats[ROUGH + k] = -1.0
        copy(d, s, t)
        show(d, t, cell, d.lines[s + KNOWN, cell] + k)
        if not propagate(d, t):
            continue
        status = solve(d, t)
        if status == TOO_WIDE:
            return TOO_WIDE
        if status != SOLVED:
            continue
        numbers += 1
        share = math.exp(d.values[AHEAD, cells + LOG_TOTAL] - d.values[BASE, cells + LOG_TOTAL])
        left -= share
        if d.ints[GUESS] == LINEAR:
            _after(d, t, share, row)
        else:
            risk = d.values[AHEAD, cells + LEAST]
            if d.lines[t + TALLY, SAFES] > 0 or risk == 1.0:  # known to be safe, or only mines are left
                risk = 0.0
            features[NEXT] += share * (1.0 - risk)
            features[PROGRESS] += share if risk == 0.0 else 0.0
        if left < ROUNDING or features[NEXT] + left < least - ROUNDING:
            break
    if numbers == 1 and left < ROUNDING:
        features[DEAD] = 1.0
    return SOLVED


# -- unavoidable guesses


@inner
def _suppose(d: Desk, t: int, cell: int, kind: int) -> bool:
    """Adds that a cell is safe or a mine; False when it cannot be."""
    if d.lines[t + KIND, cell] != UNKNOWN:
        return bool(d.lines[t + KIND, cell] == kind)
    settle(d, t, cell, kind)
    return propagate(d, t)


@inner
def _fifty(d: Desk, s: int, mines: Ints, count: int, free: int, other_free: int) -> float:
    """The probability that the first ``count`` cells of a list are mines, and one or two others are not."""
    t, cells = STATE_LINES * JOINT, len(d.rows)
    copy(d, s, t)
    for i in range(count):
        if not _suppose(d, t, mines[i], MINE):
            return 0.0
    if not _suppose(d, t, free, SAFE) or not _suppose(d, t, other_free, SAFE):
        return 0.0
    if solve(d, t) != SOLVED:
        return 0.0
    return math.exp(d.values[JOINT, cells + LOG_TOTAL] - d.values[BASE, cells + LOG_TOTAL])


@inner
def _missing(d: Desk, s: int, row: int, column: int, count: int) -> int:
    """Adds a cell that must be a mine for a 50/50 to a list, if it is not known to be one; -1 if it cannot be one."""
    columns = d.ints[COLUMNS]
    if count < 0 or row < 0 or column < 0 or column >= columns or row * columns >= len(d.rows):
        return count
    cell = row * columns + column
    if d.lines[s + SHOWN, cell] >= 0 or d.lines[s + KIND, cell] == SAFE:
        return -1
    if d.lines[s + KIND, cell] == UNKNOWN:
        if count >= MOST_MISSING:
            return -1
        d.ints[HEAP + count] = cell
        count += 1
    return count


@once
def _unknown(d: Desk, s: int, row: int, column: int) -> bool:
    columns = d.ints[COLUMNS]
    if column >= columns or row * columns >= len(d.rows):
        return False
    cell = row * columns + column
    return bool(d.lines[s + SHOWN, cell] < 0 and d.lines[s + KIND, cell] == UNKNOWN)


@once
def find_fifties(d: Desk, s: int) -> None:
    """Fills the lines from INFLUENCE on: by cell, how likely it is in a 50/50 of two (line PAIR - PAIR), of four, or a mine that makes one.

    The last line gets 1 for every cell that is a mine in such a 50/50 only: either safe, or a guess that cannot be avoided.
    """
    columns, cells = d.ints[COLUMNS], len(d.rows)
    risk, found = d.values[BASE], d.values[INFLUENCE:LOGS]
    pair, box, enabler, whole = 0, BOX - PAIR, ENABLER - PAIR, 3
    for line in range(4):
        for cell in range(cells):
            found[line, cell] = 0.0
    for cell in range(cells):
        row, column = cell // columns, cell % columns
        if not _unknown(d, s, row, column):
            continue
        for shape in range(3):  # beside each other, one above the other, a square
            down, right = (0, 1) if shape == 0 else (1, 0) if shape == 1 else (1, 1)
            if not _unknown(d, s, row + down, column + right):
                continue
            count = ZERO
            if shape < 2:
                for i in range(-1, 2):
                    count = _missing(d, s, row - down + i * right, column - right + i * down, count)
                    count = _missing(d, s, row + 2 * down + i * right, column + 2 * right + i * down, count)
            else:
                if not _unknown(d, s, row, column + 1) or not _unknown(d, s, row + 1, column):
                    continue
                count = _missing(d, s, row - 1, column - 1, count)
                count = _missing(d, s, row - 1, column + 2, count)
                count = _missing(d, s, row + 2, column - 1, count)
                count = _missing(d, s, row + 2, column + 2, count)
            if count < 0:
                continue
            other = (row + down) * columns + column + right
            likely = risk[cell] * (risk[other] if shape == 2 else 1.0)
            for i in range(count):
                likely *= risk[d.ints[HEAP + i]]
            if likely < UNLIKELY:
                continue
            d.ints[HEAP + count], d.ints[HEAP + count + 1] = cell, other
            if shape < 2:
                chance = _fifty(d, s, d.ints[HEAP:TABLE], count + 1, other, other)
            else:
                chance = _fifty(d, s, d.ints[HEAP:TABLE], count + 2, cell + 1, cell + columns)
            if chance <= 0.0:
                continue
            line = box if shape == 2 else pair
            for i in range(4 if shape == 2 else 2):
                member = cell if i == 0 else other if i == 1 else cell + 1 if i == 2 else cell + columns
                found[line, member] = max(found[line, member], chance)
                if chance > risk[member] - ROUNDING:
                    found[whole, member] = 1.0
            for i in range(count):
                found[enabler, d.ints[HEAP + i]] += chance

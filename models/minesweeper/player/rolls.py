"""Roll-outs: the best few cells of a position are opened on the same drawn fields, and each game played on by least risk.

What a cell is worth on a field is how the game ends, or its exact chance from the first proven move on, without the luck of the guesses
before. The linear score counts as some roll-outs of its own, cells that fall behind are dropped, and the draws depend on the view alone.
"""

from __future__ import annotations

import math

from models.minesweeper.player.components import deduce, solve
from models.minesweeper.player.desk import (
    AT,
    BASE,
    BOARD_MINES,
    CANDIDATE,
    CODES,
    COVERED,
    DICE,
    DICE_CODE,
    DRAWN,
    DRAWN_FIELD,
    FEATURES,
    FIELDS,
    FIRST_PART,
    KIND,
    KNOWN,
    LEFT,
    MAX_FIELDS,
    MEMBERS,
    MINE,
    MOST_COLUMNS,
    NEXT,
    PARTS,
    PARTS_OF,
    RECORDS,
    ROLL,
    ROLLED,
    ROLLS,
    SAFE,
    SAFE_SHARE,
    SAFES,
    SCORE,
    SECOND_NEXT,
    SHOWN,
    SOLVED,
    STATE_LINES,
    TALLY,
    UNKNOWN,
    UNKNOWNS,
    ZERO,
    Desk,
    inner,
    once,
)
from models.minesweeper.player.endings import search
from models.minesweeper.player.states import copy, open_cell, propagate, settle

ROLLED_CELLS = 4
GAP = 0.02
"""Cells whose scores are less by more are not played."""
SPREAD, NOISE, BIAS = 0.0135, 0.0155, 0.00005
"""The standard deviation of what the score misses, the variance of one roll-out, and that of what play by least risk misses.

Measured on 6,197 positions: what cells were worth in the expert's hands, by their score and by 64 roll-outs."""
BEHIND = 0.7
"""Cells are dropped when they are behind by this number of standard deviations."""
FIRST_LOOK, EVERY = 8, 4
SAME, ROUNDING = 1e-6, 1e-9
LUCK_WORTH = 0.51
"""How much of a unit of luck comes back as games won."""
ROLL_FIELDS = 60
"""Roll-outs search the end of a game from this number of fields."""
LATEST = 0.95
"""Roll-outs begin when at most this share of the free cells is still covered."""
ROLL_CELL, ROLL_ROW, ROLL_PRIOR, ROLL_SUM, ROLL_ALIVE, ROLL_COLUMNS = range(6)


@inner
def least_risk(d: Desk, s: int) -> int:
    """The first cell of least risk."""
    answer = d.values[s // STATE_LINES]
    best = -1
    for cell in range(len(d.rows)):
        if d.lines[s + KIND, cell] == UNKNOWN and (best < 0 or answer[cell] < answer[best] - ROUNDING):
            best = cell
    return best


@once
def _dice(d: Desk) -> float:
    """The next random number from 0 to 1."""
    d.ints[DICE] = d.ints[DICE] * 48271 % 2147483647
    return float(d.ints[DICE] / 2147483647.0)


@once
def _throw_in(d: Desk, s: int) -> None:
    """Begins the random numbers of a view."""
    code = d.ints[DICE_CODE]
    for cell in range(len(d.rows)):
        if d.lines[s + SHOWN, cell] >= 0:
            code ^= d.rows[cell, CODES + d.lines[s + SHOWN, cell]]
    d.ints[DICE] = code % 2147483646 + 1


@once
def _draw(d: Desk, s: int) -> bool:
    """Draws one of the fields that fit, all equally likely, into the last row of bytes."""
    t = STATE_LINES * DRAWN
    field = d.bytes[DRAWN_FIELD]
    copy(d, s, t)
    while True:
        if solve(d, t) != SOLVED:
            return False
        if d.lines[PARTS_OF + DRAWN, PARTS] == 0:
            break
        cell = d.ints[MEMBERS + d.tables[RECORDS + d.lines[PARTS_OF + DRAWN, FIRST_PART], AT]]
        settle(d, t, cell, MINE if _dice(d) < d.values[DRAWN, cell] else SAFE)
        if not propagate(d, t):
            return False
    left, rest = d.lines[PARTS_OF + DRAWN, LEFT], d.lines[t + TALLY, UNKNOWNS]
    for cell in range(len(d.rows)):
        if d.lines[t + KIND, cell] == UNKNOWN:
            mined = _dice(d) * rest < left
            settle(d, t, cell, MINE if mined else SAFE)
            left -= 1 if mined else 0
            rest -= 1
    for cell in range(len(d.rows)):
        field[cell] = -1 if d.lines[t + KIND, cell] == MINE else d.lines[t + KNOWN, cell]
    return True


@once
def _roll_out(d: Desk, s: int, first: int, risk: float) -> float:
    """What a cell is worth on the field that was drawn, when the game goes on by least risk."""
    t = STATE_LINES * ROLL
    field = d.bytes[DRAWN_FIELD]
    if field[first] < 0:
        return LUCK_WORTH * (1.0 - risk)
    luck, worth = risk, 0.0
    copy(d, s, t)
    open_cell(d, t, field, first)
    while True:
        if d.lines[t + TALLY, COVERED] == d.ints[BOARD_MINES]:
            worth = 1.0
            break
        if d.lines[t + TALLY, SAFES] > 0:
            for cell in range(len(d.rows)):
                if d.lines[t + SHOWN, cell] < 0 and d.lines[t + KIND, cell] == SAFE:
                    open_cell(d, t, field, cell)
            continue
        if deduce(d, t) != SOLVED:
            break
        if d.lines[t + TALLY, SAFES] > 0:
            continue
        won = search(d, t, min(ROLL_FIELDS, d.ints[MAX_FIELDS]))
        if won >= 0:
            worth = won / d.ints[FIELDS]
            break
        cell = least_risk(d, t)
        luck += d.values[ROLL, cell] - (1.0 if field[cell] < 0 else 0.0)
        if field[cell] < 0:
            break
        open_cell(d, t, field, cell)
    return worth - LUCK_WORTH * luck


@once
def _select(d: Desk, count: int) -> int:
    """Lists the cells to be played, the best score first; their number."""
    chosen = 0
    for _ in range(count):
        best = -1
        for i in range(count):
            if d.values[FEATURES + i, SCORE] > -50.0 and (best < 0 or d.values[FEATURES + i, SCORE] > d.values[FEATURES + best, SCORE]):
                best = i
        if best < 0 or chosen == ROLLED_CELLS:
            break
        row = d.values[FEATURES + best]
        score = row[SCORE]
        row[SCORE] = -100.0
        if chosen > 0 and score < d.floats[ROLLED + ROLL_PRIOR] - GAP:
            break
        new = True
        for j in range(chosen):
            other = d.values[FEATURES + int(d.floats[ROLLED + ROLL_COLUMNS * j + ROLL_ROW])]
            same = abs(row[NEXT] - other[NEXT]) < SAME and abs(row[SECOND_NEXT] - other[SECOND_NEXT]) < SAME
            new = new and not (same and abs(row[SAFE_SHARE] - other[SAFE_SHARE]) < SAME)
        if new:
            at = ROLLED + ROLL_COLUMNS * chosen
            d.floats[at + ROLL_CELL], d.floats[at + ROLL_ROW], d.floats[at + ROLL_PRIOR] = row[CANDIDATE], best, score
            d.floats[at + ROLL_SUM], d.floats[at + ROLL_ALIVE] = 0.0, 1.0
            chosen += 1
    return chosen


@once
def _leader(d: Desk, chosen: int, drawn: int) -> int:
    """Which of the cells is ahead after a number of draws; those that are far behind are dropped."""
    prior, data = 2.0 / (SPREAD * SPREAD), 1.0 / (NOISE / max(1, drawn) + BIAS)
    best, most = 0, -1e9
    for j in range(chosen):
        at = ROLLED + ROLL_COLUMNS * j
        mean = d.floats[at + ROLL_SUM] / max(1, drawn)
        value = (d.floats[at + ROLL_PRIOR] * prior + mean * data) / (prior + data)
        if d.floats[at + ROLL_ALIVE] > 0.0:
            d.floats[at + ROLL_ALIVE] = 2.0 + value
            if value > most:
                best, most = j, value
    for j in range(chosen):
        at = ROLLED + ROLL_COLUMNS * j + ROLL_ALIVE
        if d.floats[at] > 0.0 and d.floats[at] - 2.0 < most - BEHIND * math.sqrt(2.0 / (prior + data)):
            d.floats[at] = 0.0
    return best


@once
def by_rolls(d: Desk, s: int, count: int) -> int:
    """Which of the cells that were scored is best by roll-outs: its row of features, -1 when there is nothing to play."""
    free = len(d.rows) - d.ints[BOARD_MINES]
    covered = d.lines[s + TALLY, COVERED] - d.ints[BOARD_MINES]
    if d.ints[BOARD_MINES] < 0 or len(d.rows) > MOST_COLUMNS or covered > LATEST * free:
        return -1
    chosen = _select(d, count)
    if chosen == 0:
        return -1
    _throw_in(d, s)
    drawn, alive, best = ZERO, chosen, ZERO
    while alive > 1 and drawn < d.ints[ROLLS]:
        if not _draw(d, s):
            break
        for j in range(chosen):
            at = ROLLED + ROLL_COLUMNS * j
            if d.floats[at + ROLL_ALIVE] > 0.0:
                cell = int(d.floats[at + ROLL_CELL])
                d.floats[at + ROLL_SUM] += _roll_out(d, s, cell, d.values[BASE, cell])
        drawn += 1
        if drawn == d.ints[ROLLS] or (drawn >= FIRST_LOOK and drawn % EVERY == 0):
            best = _leader(d, chosen, drawn)
            alive = ZERO
            for j in range(chosen):
                alive += 1 if d.floats[ROLLED + ROLL_COLUMNS * j + ROLL_ALIVE] > 0.0 else 0
    return int(d.floats[ROLLED + ROLL_COLUMNS * best + ROLL_ROW])

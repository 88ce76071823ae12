"""Which cell to open when nothing is safe.

The endgame is searched to its end once few fields fit. Before that, small boards go by two-step safety. On large ones a cell that is
either safe or part of an unavoidable 50/50 comes first: the guess has to be made anyway, and made now it may still teach something.
Else cells are compared by a linear score of what :func:`models.minesweeper.player.lookahead.look` tells, with weights that were fitted to
the differences between cells of the same position (``benchmarks/minesweeper_fit.py``). The ideas of two-step safety and of dead cells are
those of D. Hill's MineSweeperSolver and of Tu et al., "Exploring Efficient Strategies for Minesweeper" (2017).
"""

from __future__ import annotations

from models.minesweeper.player.desk import (
    BASE,
    BY_END,
    BY_FIFTY,
    BY_RISK,
    BY_ROLLS,
    BY_SCORE,
    BY_TWO_STEPS,
    CANDIDATE,
    CANDIDATES,
    CHOSEN,
    DEAD,
    FEATURES,
    FIELDS,
    FOLLOWING,
    FOUND,
    GUESS,
    INFLUENCE,
    KIND,
    LEAST_RISK,
    MAX_FIELDS,
    NEXT,
    OF,
    ONE,
    OPEN_CELL,
    PAIR,
    PICKED,
    PROGRESS,
    ROLLS,
    SAFE_SHARE,
    SCORE,
    SECOND_NEXT,
    SOLVED,
    THETA,
    TOPS,
    TWO_STEPS,
    UNKNOWN,
    WEIGHED,
    WHY,
    WON,
    ZERO,
    Desk,
    Floats,
    inner,
    once,
)
from models.minesweeper.player.endings import search
from models.minesweeper.player.lookahead import ROUNDING, find_fifties, look, pick
from models.minesweeper.player.rolls import by_rolls, least_risk

NEAR, NEAR_LINEAR = 0.9, 0.85
"""Cells are compared when they are at least this times as safe as the safest."""
COMPARED = 5
"""The linear score compares the cells with the best five values of two-step safety."""
ALIKE = 1e-6
SECOND_WEIGHT = 0.8
"""How much the second safest next cell counts beside the safest, among 50/50s."""


@once
def _take(d: Desk, cell: int, row: int, why: int) -> None:
    """Notes the choice of a cell with a row of features."""
    features = d.values[FEATURES + row]
    d.floats[OPEN_CELL], d.floats[WHY] = cell, why
    d.floats[FOLLOWING], d.floats[FOUND] = features[NEXT] / features[SAFE_SHARE], features[PROGRESS] / features[SAFE_SHARE]


@once
def _beats(a: Floats, b: Floats) -> bool:
    """Whether a row of features promises more than another, by two-step safety."""
    if a[DEAD] != b[DEAD]:
        return bool(b[DEAD] > 0.0)
    if abs(a[NEXT] - b[NEXT]) > ROUNDING:
        return bool(a[NEXT] > b[NEXT])
    return bool(a[PROGRESS] > b[PROGRESS] + ROUNDING)


@once
def _by_two_steps(d: Desk, s: int) -> bool:
    """Chooses by two-step safety; False when inference passes its budget."""
    count = pick(d, s, NEAR)
    best, row = -ONE, ZERO
    for i in range(count):
        cell = d.lines[PICKED, i]
        least = d.values[FEATURES + 1 - row, NEXT] if best >= 0 and d.values[FEATURES + 1 - row, DEAD] == 0.0 else 0.0
        if 1.0 - d.values[BASE, cell] < least - ROUNDING:
            break
        if look(d, s, cell, row, least) != SOLVED:
            return False
        if best < 0 or _beats(d.values[FEATURES + row], d.values[FEATURES + 1 - row]):
            best, row = cell, 1 - row
    _take(d, best, 1 - row, BY_TWO_STEPS)
    return True


@once
def _by_fifty(d: Desk, s: int) -> int:
    """Chooses among the cells that are safe or an unavoidable guess; 1 when there is one that teaches something, -1 beyond the budget."""
    best, most, row = -1, 0.0, CANDIDATES - 1
    for cell in range(len(d.rows)):
        if d.lines[s + KIND, cell] == UNKNOWN and d.values[INFLUENCE + 3, cell] > 0.0:
            if look(d, s, cell, row, 0.0) != SOLVED:
                return -1
            value = d.values[FEATURES + row, NEXT] + SECOND_WEIGHT * d.values[FEATURES + row, SECOND_NEXT]
            if d.values[FEATURES + row, DEAD] == 0.0 and (best < 0 or value > most + ROUNDING):
                best, most = cell, value
                _take(d, cell, row, BY_FIFTY)
    return 1 if best >= 0 else 0


@once
def score_cells(d: Desk, s: int) -> int:
    """Lists cells in line PICKED with their features and scores; how many, -1 when inference passes its budget.

    Cells that promise too little to be compared, and dead ones, have scores below -50.
    """
    count = pick(d, s, NEAR_LINEAR)
    tops = d.floats[TOPS:]  # the best values of two-step safety, those that differ
    known = 0
    for i in range(ZERO, count):
        least = tops[COMPARED - 1] - ALIKE if known == COMPARED else 0.0
        if look(d, s, d.lines[PICKED, i], i, least) != SOLVED:
            return -1
        row = d.values[FEATURES + i]
        if row[DEAD] == 0.0:
            new = True
            for k in range(known):
                new = new and abs(tops[k] - row[NEXT]) >= ALIKE
            if new and (known < COMPARED or row[NEXT] > tops[known - 1]):
                k = min(known, COMPARED - 1)
                while k > 0 and tops[k - 1] < row[NEXT]:
                    tops[k] = tops[k - 1]
                    k -= 1
                tops[k] = row[NEXT]
                known = min(known + 1, COMPARED)
    for i in range(count):
        row = d.values[FEATURES + i]
        for k in range(3):
            row[PAIR + k] = d.values[INFLUENCE + k, d.lines[PICKED, i]]
        row[CANDIDATE], row[SCORE] = d.lines[PICKED, i], -100.0 * row[DEAD]
        if known == COMPARED and row[NEXT] < tops[COMPARED - 1] - ALIKE:
            row[SCORE] -= 100.0
        for k in range(WEIGHED):
            row[SCORE] += d.floats[THETA + k] * row[k]
    return count


@once
def _by_score(d: Desk, s: int) -> bool:
    """Chooses by a 50/50 that is alive, else by the linear score; False when inference passes its budget."""
    find_fifties(d, s)
    found = _by_fifty(d, s)
    if found != 0:
        return found > 0
    count = score_cells(d, s)
    if count < 0:
        return False
    best = ZERO
    for i in range(1, count):
        if d.values[FEATURES + i, SCORE] > d.values[FEATURES + best, SCORE] + ROUNDING:
            best = i
    cell = d.lines[PICKED, best]
    why = BY_SCORE
    if d.ints[ROLLS] > 0:
        found = by_rolls(d, s, count)
        if found >= 0:
            best, why = found, BY_ROLLS
            cell = d.values[FEATURES + best, CANDIDATE]
    _take(d, int(cell), best, why)
    return True


@inner
def choose(d: Desk, s: int) -> int:
    """The cell to open in a state in which nothing is safe, which has been solved; ``d.choice`` tells more."""
    for entry in range(WHY + 1):
        d.floats[entry] = 0.0
    guess = d.ints[GUESS]
    won = search(d, s, d.ints[MAX_FIELDS]) if d.ints[MAX_FIELDS] > 0 else -1
    if won >= 0:
        d.floats[OPEN_CELL], d.floats[WON], d.floats[OF], d.floats[WHY] = d.ints[CHOSEN], won, d.ints[FIELDS], BY_END
        return int(d.ints[CHOSEN])
    if guess == LEAST_RISK or not (_by_two_steps(d, s) if guess == TWO_STEPS else _by_score(d, s)):
        d.floats[OPEN_CELL], d.floats[WHY] = least_risk(d, s), BY_RISK
    return int(d.floats[OPEN_CELL])

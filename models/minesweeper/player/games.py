"""Whole games in compiled code: what is certain is opened, then a guess is made, until the game is won or lost.

One compiled function, made here, serves campaigns, agents and the page: it plays games on fields that it is given, or only
looks at a view and says what it would do. Numba keeps the machine code in a cache that knows the file of that function but not those it
calls, so the text of all of them is part of its identity.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numba

from models.minesweeper.player.components import deduce, solve
from models.minesweeper.player.desk import (
    ALWAYS_SEARCH,
    BASE,
    BOARD_MINES,
    COVERED,
    INCONSISTENT,
    KIND,
    OF,
    OPTIONS,
    SAFE,
    SAFES,
    SHOWN,
    SOLVED,
    STATE_LINES,
    TALLY,
    TO_GUESS,
    UNKNOWNS,
    WHY,
    WON,
    Bytes,
    Desk,
    Floats,
    Ints,
    once,
)
from models.minesweeper.player.guessing import choose
from models.minesweeper.player.states import open_cell, read

MODULES = ("desk", "states", "components", "lookahead", "endings", "rolls", "guessing", "games")
"""The files that hold compiled functions."""

STATUS, VICTORY, GUESSES, OPENED, EXPECTED, GAME_LUCK = range(6)
"""What is told of a game: how inference ended, whether it was won, its guesses, cells opened, worth and luck."""


@once
def _play_on(d: Desk, s: int, field: Bytes, view: Bytes, told: Floats) -> None:
    """Plays from a state to the end, or until a guess has to be made: then the view becomes that of the state."""
    cells = len(d.rows)
    proven = False
    while True:
        if d.lines[s + TALLY, COVERED] == d.ints[BOARD_MINES]:
            told[VICTORY] = 1.0
            break
        if d.lines[s + TALLY, SAFES] > 0:
            for cell in range(cells):
                if d.lines[s + SHOWN, cell] < 0 and d.lines[s + KIND, cell] == SAFE:
                    told[OPENED] += open_cell(d, s, field, cell)
            continue
        status = deduce(d, s)
        if status != SOLVED:
            told[STATUS] = status
            return
        if d.lines[s + TALLY, SAFES] > 0:
            continue
        cell = choose(d, s)
        if d.ints[TO_GUESS]:
            for other in range(cells):
                view[other] = d.lines[s + SHOWN, other]
            return
        told[GUESSES] += 1.0
        if d.floats[OF] > 0.0 and not proven:
            proven = True
            told[EXPECTED] = d.floats[WON] / d.floats[OF]
        if not proven:
            told[GAME_LUCK] += d.values[BASE, cell] - (1.0 if field[cell] < 0 else 0.0)
        if field[cell] < 0:
            break
        told[OPENED] += open_cell(d, s, field, cell)
    if not proven:
        told[EXPECTED] = told[VICTORY]


@once
def _play(d: Desk, field: Bytes, view: Bytes, start: int, risk: float, told: Floats) -> None:
    """Plays a game from a view of a field, next opening a cell the risk of which is known."""
    s = STATE_LINES * BASE
    told[:] = 0.0
    told[GUESSES] = 1.0
    told[GAME_LUCK] = risk - (1.0 if field[start] < 0 else 0.0)
    if field[start] >= 0:
        read(d, s, view)
        told[OPENED] += open_cell(d, s, field, start)
        _play_on(d, s, field, view, told)


@once
def _advise(d: Desk, grid: Bytes) -> int:
    """Solves a view, and chooses a cell where nothing is safe and something is left to open."""
    s = STATE_LINES * BASE
    if not read(d, s, grid):
        return INCONSISTENT
    status = deduce(d, s)
    for entry in range(WHY + 1):
        d.floats[entry] = 0.0
    if status != SOLVED:
        return status
    if d.ints[ALWAYS_SEARCH] or (d.lines[s + TALLY, SAFES] == 0 and d.lines[s + TALLY, UNKNOWNS] > 0):
        status = solve(d, s)
        choose(d, s)
    return status


def source() -> str:
    """A code of the text of all compiled functions of this package.

    >>> len(source())
    64
    """
    texts = [Path(__file__).with_name(f"{name}.py").read_bytes() for name in MODULES]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def _compiled(identity: str) -> Any:
    """The function that Python calls."""

    def run(advising: bool, views: Bytes, fields: Bytes, starts: Ints, risks: Floats, told: Floats, *desk: Any) -> int:
        """Looks at the first view, or plays games on fields from views of them, next opening the start cells at their risks.

        How the inference of a view that was looked at ended.
        """
        d = Desk(*desk)
        if identity and advising:
            return _advise(d, views[0])
        for game in range(len(fields)):
            _play(d, fields[game], views[game], starts[game], risks[game], told[game])
        return SOLVED

    return numba.njit(**{**OPTIONS, "cache": True})(run)


run = _compiled(source())

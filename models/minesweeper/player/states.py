"""What is known of a board, kept up to date: numbers shown, cells settled, and all that single numbers prove.

A number whose mines are all known makes the rest of its cells safe, one that needs all its unknown cells makes them mines. Both are done
at once whenever something changes, so what is left to inference are the numbers that a single one does not decide.
"""

from __future__ import annotations

from models.minesweeper.player.desk import (
    ASKS,
    BOARD_MINES,
    BROKEN,
    COUNT,
    COVERED,
    FREE,
    KIND,
    KNOWN,
    MINE,
    MINES,
    QUEUED,
    SAFE,
    SAFES,
    SHOWN,
    STACK,
    TALLY,
    UNKNOWN,
    UNKNOWNS,
    WAITING,
    ZERO,
    Bytes,
    Desk,
    inner,
    once,
)


@once
def cover(d: Desk, s: int) -> None:
    """Makes a state that of a board on which nothing is open."""
    cells = len(d.rows)
    for cell in range(cells):
        d.lines[s + SHOWN, cell], d.lines[s + KIND, cell], d.lines[s + ASKS, cell], d.lines[s + KNOWN, cell] = -1, UNKNOWN, 0, 0
        d.lines[s + FREE, cell] = d.rows[cell, COUNT]
    (
        d.lines[s + TALLY, MINES],
        d.lines[s + TALLY, UNKNOWNS],
        d.lines[s + TALLY, COVERED],
        d.lines[s + TALLY, SAFES],
        d.lines[s + TALLY, BROKEN],
    ) = 0, cells, cells, 0, 0


@inner
def copy(d: Desk, source: int, target: int) -> None:
    """Copies a state."""
    for line in range(TALLY):
        for cell in range(len(d.rows)):
            d.lines[target + line, cell] = d.lines[source + line, cell]
    for entry in range(BROKEN + 1):
        d.lines[target + TALLY, entry] = d.lines[source + TALLY, entry]


@once
def enqueue(d: Desk, clue: int) -> None:
    """Notes that a number may prove something now."""
    if d.lines[QUEUED, clue] == 0:
        d.lines[QUEUED, clue] = 1
        last = len(d.rows)
        d.lines[WAITING, d.lines[QUEUED, last]] = clue
        d.lines[QUEUED, last] += 1


@inner
def settle(d: Desk, s: int, cell: int, kind: int) -> None:
    """Makes an unknown cell safe or a mine."""
    d.lines[s + KIND, cell] = kind
    d.lines[s + TALLY, UNKNOWNS] -= 1
    mined = 1 if kind == MINE else 0
    d.lines[s + TALLY, MINES] += mined
    d.lines[s + TALLY, SAFES] += 1 - mined
    for i in range(d.rows[cell, COUNT]):
        near = d.rows[cell, i]
        d.lines[s + FREE, near] -= 1
        d.lines[s + KNOWN, near] += mined
        if d.lines[s + SHOWN, near] >= 0:
            d.lines[s + ASKS, near] -= mined
            enqueue(d, near)


@inner
def show(d: Desk, s: int, cell: int, number: int) -> None:
    """Opens a covered cell, which shows a number."""
    if d.lines[s + KIND, cell] == UNKNOWN:
        d.lines[s + TALLY, UNKNOWNS] -= 1
        for i in range(d.rows[cell, COUNT]):
            near = d.rows[cell, i]
            d.lines[s + FREE, near] -= 1
            if d.lines[s + SHOWN, near] >= 0:
                enqueue(d, near)
    elif d.lines[s + KIND, cell] == SAFE:
        d.lines[s + TALLY, SAFES] -= 1
    else:
        d.lines[s + TALLY, BROKEN] = 1
    d.lines[s + SHOWN, cell], d.lines[s + KIND, cell], d.lines[s + ASKS, cell] = number, SAFE, number - d.lines[s + KNOWN, cell]
    d.lines[s + TALLY, COVERED] -= 1
    enqueue(d, cell)


@inner
def propagate(d: Desk, s: int) -> bool:
    """Settles what single numbers prove; False on a contradiction."""
    last = len(d.rows)
    while d.lines[QUEUED, last] > 0:
        d.lines[QUEUED, last] -= 1
        clue = d.lines[WAITING, d.lines[QUEUED, last]]
        d.lines[QUEUED, clue] = 0
        asks, free = d.lines[s + ASKS, clue], d.lines[s + FREE, clue]
        if asks < 0 or asks > free:
            d.lines[s + TALLY, BROKEN] = 1
        elif d.lines[s + TALLY, BROKEN] == 0 and free > 0 and (asks == 0 or asks == free):
            for i in range(d.rows[clue, COUNT]):
                near = d.rows[clue, i]
                if d.lines[s + SHOWN, near] < 0 and d.lines[s + KIND, near] == UNKNOWN:
                    settle(d, s, near, MINE if asks > 0 else SAFE)
    if d.ints[BOARD_MINES] >= 0 and d.lines[s + TALLY, MINES] > d.ints[BOARD_MINES]:
        d.lines[s + TALLY, BROKEN] = 1
    return bool(d.lines[s + TALLY, BROKEN] == 0)


@inner
def read(d: Desk, s: int, grid: Bytes) -> bool:
    """Makes a state that of a view (-1: covered); False when single numbers contradict each other."""
    cover(d, s)
    for cell in range(len(d.rows)):
        if grid[cell] >= 0:
            show(d, s, cell, ZERO + grid[cell])
    return propagate(d, s)


@inner
def open_cell(d: Desk, s: int, field: Bytes, start: int) -> int:
    """Opens a cell of a field (its numbers, -1 a mine) that is no mine and, around every 0, all cells; how many were opened."""
    stack = d.lines[STACK]
    show(d, s, start, ZERO + field[start])
    opened, waiting = 1, 0
    if field[start] == 0:
        stack[0], waiting = start, 1
    while waiting > 0:
        waiting -= 1
        cell = stack[waiting]
        for i in range(d.rows[cell, COUNT]):
            near = d.rows[cell, i]
            if d.lines[s + SHOWN, near] < 0:
                show(d, s, near, ZERO + field[near])
                opened += 1
                if field[near] == 0:
                    stack[waiting] = near
                    waiting += 1
    propagate(d, s)
    return opened

"""The end of a game, searched to its end: when few fields fit, the move that wins most of them is found and proven.

A position is the set of fields that are still possible, and nothing else: cells on which all of them agree teach nothing, open or
not. To open a cell splits the set by the number that it shows, and loses the fields in which it is a mine. What can be won is

    won(fields) = the largest, over the cells, of the sum of won(fields with that number) over the numbers it may show

and 1 when a single field is left. A cell that shows the same number wherever it is no mine is *dead*: it can only lose, so it is
left out as long as another is not. Sets are remembered by a 62-bit hash.
"""

from __future__ import annotations

import math

from models.minesweeper.player.desk import (
    ASKS,
    AT,
    CHOICE,
    CHOSEN,
    COUNT,
    FIELDS,
    FIRST_PART,
    FREE,
    HASHES,
    HEAP,
    HEAP_SIZE,
    INDEX,
    KIND,
    KNOWN,
    LEFT,
    LENGTH,
    LOG_TOTAL,
    LOW,
    MAX_WORK,
    MEMBERS,
    MEMO,
    MEMO_SIZE,
    MET,
    MOST_COLUMNS,
    MOST_FIELDS,
    NEED,
    PARTS,
    PARTS_OF,
    PICKED,
    RECORDS,
    ROOM,
    SAFE,
    SALT,
    SHOWN,
    SHOWS,
    SIZE,
    STATE_LINES,
    STORED,
    TABLE,
    UNKNOWN,
    UNTOUCHED,
    VALUE,
    WORK,
    ZERO,
    Desk,
    inner,
    once,
)

NOT_SEARCHED = -1
TRIES = 400_000
"""Listing the fields is given up after trying that number of cells."""
KEPT = 30_000
"""A search is given up when it has met this number of positions."""
SET_CODE = 10


# -- the fields that fit


@once
def _list_cells(d: Desk, s: int) -> int:
    """Numbers the covered cells that may be safe: those of components, untouched ones, known safe ones. How many are of components.

    Also, before each cell of a component, the fewest and the most mines that can still follow in cells of components.
    """
    listed, parts = d.lines[PICKED], d.lines[PARTS_OF + s // STATE_LINES]
    for cell in range(len(d.rows)):
        d.lines[INDEX, cell] = -1
    count = 0
    for c in range(parts[PARTS]):
        record = parts[FIRST_PART + c]
        at = d.tables[RECORDS + record, AT]
        for i in range(d.tables[RECORDS + record, SIZE]):
            cell = d.ints[MEMBERS + at + i]
            listed[count] = cell
            d.lines[INDEX, cell] = count
            count += 1
    touched = count
    for kind in (UNKNOWN, SAFE):
        for cell in range(len(d.rows)):
            if d.lines[s + SHOWN, cell] < 0 and d.lines[s + KIND, cell] == kind and d.lines[INDEX, cell] < 0:
                listed[count] = cell
                d.lines[INDEX, cell] = count
                count += 1
    d.ints[FIELDS] = count
    fewest, most, at = 0, 0, touched
    d.ints[HEAP + 2 * touched], d.ints[HEAP + 2 * touched + 1] = 0, 0
    for c in range(parts[PARTS] - 1, -1, -1):
        record = parts[FIRST_PART + c]
        for i in range(d.tables[RECORDS + record, SIZE]):
            at -= 1
            d.ints[HEAP + 2 * at], d.ints[HEAP + 2 * at + 1] = fewest, most + i + 1
        fewest += d.tables[RECORDS + record, LOW]
        most += d.tables[RECORDS + record, LOW] + d.tables[RECORDS + record, LENGTH] - 1
    return touched


@once
def _write_fields(d: Desk, touched: int, free: int, mines: int, fields: int, columns: int, most: int) -> int:
    """Writes the fields with the components as in ``marks[VALUE]`` and a number of mines in ``free`` untouched cells; their end, or -1."""
    chosen = d.lines[CHOICE]
    for i in range(mines):
        chosen[i] = i
    while True:
        if fields >= most:
            return -1
        for i in range(columns):
            d.bytes[fields, i] = d.lines[VALUE, i] if i < touched else 0
        for i in range(mines):
            d.bytes[fields, touched + chosen[i]] = 1
        fields += 1
        i = mines - 1
        while i >= 0 and chosen[i] == free - mines + i:
            i -= 1
        if i < 0:
            return fields
        chosen[i] += 1
        for k in range(i + 1, mines):
            chosen[k] = chosen[k - 1] + 1


@once
def _list_fields(d: Desk, s: int, touched: int, columns: int, most: int) -> int:
    """Writes all fields that fit into ``d.mined``; their number, -1 when there are too many or it takes too long."""
    parts = d.lines[PARTS_OF + s // STATE_LINES]
    free, left = parts[UNTOUCHED], parts[LEFT]
    need, room, value = d.lines[NEED], d.lines[ROOM], d.lines[VALUE]
    for cell in range(len(d.rows)):
        need[cell], room[cell] = d.lines[s + ASKS, cell], d.lines[s + FREE, cell]
    at, placed, fields, tries = ZERO, ZERO, ZERO, ZERO
    value[0] = -1
    while at >= 0:
        if at == touched:
            mines = left - placed
            if 0 <= mines <= free:
                fields = _write_fields(d, touched, free, mines, fields, columns, most)
                if fields < 0:
                    return -1
            at -= 1
            if at < 0:
                break
        cell, old = d.lines[PICKED, at], value[at]
        # first it is free, then a mine, then put back
        mined, taken = (0, 1) if old < 0 else (1, 0) if old == 0 else (-1, -1)
        placed += mined
        fits = True
        for i in range(d.rows[cell, COUNT]):
            near = d.rows[cell, i]
            if d.lines[s + SHOWN, near] > 0:
                need[near] -= mined
                room[near] -= taken
                fits = fits and 0 <= need[near] <= room[near]
        if old == 1:  # both were tried
            value[at] = -1
            at -= 1
            continue
        value[at] = old + 1
        tries += 1
        if tries > TRIES:
            return -1
        if fits and placed + d.ints[HEAP + 2 * at] <= left <= placed + d.ints[HEAP + 2 * at + 1] - 1 + free:
            at += 1
            if at < touched:
                value[at] = -1
    return fields


@once
def _tell_numbers(d: Desk, s: int, columns: int, fields: int) -> int:
    """For each cell and field the number that it would show, -1 for a mine; cells that always show the same are listed once."""
    kept = ZERO
    for i in range(columns):
        cell = d.lines[PICKED, i]
        code, safe = 0, 0
        for field in range(fields):
            number = -1
            if d.bytes[field, i] == 0:
                number = d.lines[s + KNOWN, cell]
                safe += 1
                for j in range(d.rows[cell, COUNT]):
                    index = d.lines[INDEX, d.rows[cell, j]]
                    if index >= 0:
                        number += d.bytes[field, index]
            d.bytes[SHOWS + kept, field] = number
            code ^= d.ints[HASHES + 11 * field + number + 1]
        if safe == 0:
            continue
        new = True
        for other in range(kept):
            new = new and d.lines[NEED, other] != code
        if new:
            d.lines[NEED, kept], d.lines[ROOM, kept] = code, cell
            kept += 1
    return kept


# -- the search


@inner
def _slot(d: Desk, code: int) -> int:
    """Where a set's result is kept, or the free slot where it belongs."""
    at = code & (MEMO_SIZE - 1)
    while d.ints[MEMO + 2 * at] != 0 and d.ints[MEMO + 2 * at] != code:
        at = (at + 1) & (MEMO_SIZE - 1)
    return at


@inner
def _best(d: Desk, start: int, count: int, free: int, columns: int) -> int:
    """How many of the fields listed in ``heap[start : start + count]`` the best play wins, -1 when the search takes too long.

    The heap may be written from ``free`` on. The column of the move is left in the counters.
    """
    heap = d.ints[HEAP:TABLE]
    code = d.ints[SALT]
    for i in range(start, start + count):
        code ^= d.ints[HASHES + 11 * heap[i] + SET_CODE]
    at = _slot(d, code)
    if d.ints[MEMO + 2 * at] != 0:
        return int(d.ints[MEMO + 2 * at + 1])
    d.ints[WORK] += count * columns
    safe, shown, parts = free, free + columns, free + 2 * columns
    bounds = parts + count
    if d.ints[WORK] > d.ints[MAX_WORK] or bounds + 10 > HEAP_SIZE or d.ints[MET] > KEPT:
        return -1
    chosen = 0
    for column in range(columns):
        number, seen = 0, 0
        for i in range(start, start + count):
            value = int(d.bytes[SHOWS + column, heap[i]])
            if value >= 0:
                number += 1
                seen |= 1 << value
        heap[safe + column], heap[shown + column] = number, seen
        if number > heap[safe + chosen]:
            chosen = column
    if count == 1:
        d.ints[CHOSEN] = chosen
        return 1
    best = 0
    while True:
        column = -1
        for other in range(columns):
            seen = heap[shown + other]
            if seen & (seen - 1) and (column < 0 or heap[safe + other] > heap[safe + column]):
                column = other
        if column < 0 or heap[safe + column] <= best:
            break
        seen = heap[shown + column]
        heap[shown + column] = 0  # it is tried now
        end = parts
        for value in range(9):
            heap[bounds + value] = end
            if seen >> value & 1:
                for i in range(start, start + count):
                    if d.bytes[SHOWS + column, heap[i]] == value:
                        heap[end] = heap[i]
                        end += 1
        heap[bounds + 9] = end
        won, left = 0, end - parts
        for value in range(9):
            size = heap[bounds + value + 1] - heap[bounds + value]
            if size == 0:
                continue
            share = 1
            if size > 1:
                share = _best(d, heap[bounds + value], size, bounds + 10, columns)
            if share < 0:
                return -1
            won += share
            left -= size
            if won + left <= best:
                break
        if won > best:
            best, chosen = won, column
        if heap[safe + column] == count:
            break  # a safe cell costs nothing and teaches something: whatever is best can still be done after it
    if best == 0:
        best = 1  # all are dead: whichever is opened, one field is won in the end
    at = _slot(d, code)
    d.ints[MEMO + 2 * at], d.ints[MEMO + 2 * at + 1] = code, best
    d.ints[STORED] += 1
    d.ints[MET] += 1
    d.ints[CHOSEN] = chosen
    return best


@inner
def search(d: Desk, s: int, most: int) -> int:
    """How many of the fields that fit a state, which has been solved, the best play wins; -1 when more than ``most`` fit, or too long.

    The cell to open and the number of fields are left in the counters.
    """
    if d.lines[PARTS_OF + s // STATE_LINES, LEFT] < 0 or d.values[s // STATE_LINES, len(d.rows) + LOG_TOTAL] > math.log(
        min(most, MOST_FIELDS) + 0.5
    ):
        return NOT_SEARCHED
    touched = _list_cells(d, s)
    columns = d.ints[FIELDS]
    if columns > MOST_COLUMNS or columns == 0:
        return NOT_SEARCHED
    fields = _list_fields(d, s, touched, columns, min(most, MOST_FIELDS))
    if fields <= 0:
        return NOT_SEARCHED
    kept = _tell_numbers(d, s, columns, fields)
    if d.ints[STORED] > MEMO_SIZE // 2 - KEPT:
        for slot in range(MEMO_SIZE):
            d.ints[MEMO + 2 * slot] = 0
        d.ints[STORED] = 0
    d.ints[SALT] += 1
    d.ints[WORK], d.ints[MET] = 0, 0
    for field in range(fields):
        d.ints[HEAP + field] = field
    won = _best(d, ZERO, fields, fields, kept)
    d.ints[FIELDS] = fields
    d.ints[CHOSEN] = d.lines[ROOM, d.ints[CHOSEN]]
    return won

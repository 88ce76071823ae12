"""Exact inference on a state: each component counted once, its result kept by a hash of the component, and all joined.

A *component* is a set of unknown cells and of numbers (clues) that touch each other. Its cells are put into *boxes*, which the clues cannot
tell apart; boxes are read one after the other, and a node of the diagram is what the half-read clues still ask for, packed into one
integer. Sweeps from both ends give, for every number of mines in the component, in how many ways it can be mined, and how many cells of
each box are mines or free in all of them together. That depends on the component alone, so it is kept: a look ahead changes one component
and finds the others again.

Counts are doubles. They are at least 1 or exactly 0, and up to 1,000 cells all of them fit, so a risk is 0 or 1 only where it is certain;
on larger boards what is less likely than about 1e-100 may count as impossible.

A record of a component: where its members begin (its cells, the box of each, the size of each box), its numbers of cells and boxes, its
least number of mines, how many further numbers are possible, and where its weights begin (the ways for each number of mines; then
for each box the mined cells, then for each box the free ones).
"""

from __future__ import annotations

import math

import numpy as np

from models.minesweeper.player.desk import (
    AFTER,
    AFTER_AT,
    AFTER_HIGH,
    AFTER_LOW,
    ARCS,
    ARCS_FROM,
    ASKS,
    AT,
    BACKWARDS,
    BEFORE,
    BOARD_MINES,
    BOX_CLUES,
    BOX_CODE,
    BOX_DEGREE,
    BOX_SIZE,
    BOXES,
    CELL_CODE,
    CELLS,
    CLUE_ASKS,
    CLUE_BOXES,
    CLUE_CODE,
    CLUE_MASK,
    CLUE_OPEN,
    CLUE_REST,
    CLUE_ROOM,
    CLUE_SHIFT,
    CLUE_SPREAD,
    CLUES,
    CODES,
    COUNT,
    DISTANCE,
    FIRST_PART,
    FORWARDS,
    FREE,
    INCONSISTENT,
    KEPT_MEMBERS,
    KEPT_RECORDS,
    KEPT_WEIGHTS,
    KEY,
    KIND,
    LEAST,
    LEFT,
    LENGTH,
    LOCAL,
    LOG_TOTAL,
    LOGS,
    LOW,
    MEMBER_COUNT,
    MEMBERS,
    MINE,
    MINES,
    MOST_ARCS,
    MOST_COUNTS,
    MOST_JOINED,
    MOST_NODES,
    NO_ROOM,
    NODE_AT,
    NODE_HIGH,
    NODE_LOW,
    NODES_FROM,
    ORDER,
    PART_CELLS,
    PART_CLUES,
    PARTS,
    PARTS_OF,
    REACHED,
    RECORD_COUNT,
    RECORDS,
    SAFE,
    SAFES,
    SEEN_CELL,
    SEEN_CLUE,
    SHOWN,
    SIZE,
    SLOT_COUNT,
    SLOTS,
    SOLVED,
    STACK,
    STAMP,
    STATE_LINES,
    TABLE,
    TABLE_SIZE,
    TALLY,
    TOO_WIDE,
    UNKNOWN,
    UNKNOWNS,
    UNTOUCHED,
    UNTOUCHED_RISK,
    WEIGHT_COUNT,
    WEIGHTS,
    WEIGHTS_AT,
    ZERO,
    Desk,
    Floats,
    Ints,
    inner,
    once,
)
from models.minesweeper.player.states import propagate, settle

LARGEST = 600
"""Components of more cells are not counted."""
KEY_BITS = 62
LARGE = 2.0**332
SMALL = 2.0**-332
CHOOSE = np.array([[0.0 if j > n else float(math.comb(n, j)) for j in range(9)] for n in range(9)])


# -- one component


@once
def _make_boxes(d: Desk, s: int, cells: int, clues: int) -> int:
    """Fills the tables of boxes and clues; the box of each cell goes where its record will be."""
    for i in range(clues):
        place = d.lines[CLUES, i]
        d.lines[LOCAL, place] = i
        d.rows[i, CLUE_ASKS], d.rows[i, CLUE_ROOM], d.rows[i, CLUE_SPREAD] = d.lines[s + ASKS, place], d.lines[s + FREE, place], 0
    boxes = ZERO
    home = d.ints[MEMBER_COUNT] + cells
    for i in range(cells):
        cell = d.lines[CELLS, i]
        code = 0
        for j in range(d.rows[cell, COUNT]):
            near = d.rows[cell, j]
            if d.lines[s + SHOWN, near] > 0:
                code ^= d.rows[near, CLUE_CODE]
        box = boxes - 1
        while box >= 0 and d.rows[box, BOX_CODE] != code:
            box -= 1
        if box < 0:
            box = boxes
            boxes += 1
            degree = 0
            for j in range(d.rows[cell, COUNT]):
                near = d.rows[cell, j]
                if d.lines[s + SHOWN, near] > 0:
                    clue = d.lines[LOCAL, near]
                    d.rows[box, BOX_CLUES + degree] = clue
                    degree += 1
                    d.rows[clue, CLUE_BOXES + d.rows[clue, CLUE_SPREAD]] = box
                    d.rows[clue, CLUE_SPREAD] += 1
            d.rows[box, BOX_CODE], d.rows[box, BOX_DEGREE], d.rows[box, BOX_SIZE] = code, degree, 0
        d.ints[MEMBERS + home + i] = box
        d.rows[box, BOX_SIZE] += 1
    return boxes


@inner
def _far_box(d: Desk, boxes: int, start: int) -> int:
    """A box that is as far as any from another."""
    for box in range(boxes):
        d.lines[DISTANCE, box] = -1
    d.lines[REACHED, 0], d.lines[DISTANCE, start] = start, 0
    done, end = 0, 1
    while done < end:
        box = d.lines[REACHED, done]
        done += 1
        for i in range(d.rows[box, BOX_DEGREE]):
            clue = d.rows[box, BOX_CLUES + i]
            for j in range(d.rows[clue, CLUE_SPREAD]):
                other = d.rows[clue, CLUE_BOXES + j]
                if d.lines[DISTANCE, other] < 0:
                    d.lines[DISTANCE, other] = d.lines[DISTANCE, box] + 1
                    d.lines[REACHED, end] = other
                    end += 1
    return int(d.lines[REACHED, end - 1])


@once
def _choose_order(d: Desk, boxes: int, clues: int) -> None:
    """From a far end on, reads next the box that opens fewest clues and closes most."""
    box = _far_box(d, boxes, _far_box(d, boxes, ZERO))
    for clue in range(clues):
        d.rows[clue, CLUE_REST], d.rows[clue, CLUE_OPEN] = d.rows[clue, CLUE_SPREAD], 0
    for i in range(boxes):
        d.lines[DISTANCE, i] = 0  # from here on: 1 when the box is read
    for step in range(boxes):
        if step > 0:
            least = 1 << 30
            for clue in range(clues):
                if d.rows[clue, CLUE_OPEN] == 0 or d.rows[clue, CLUE_REST] == 0:
                    continue
                for i in range(d.rows[clue, CLUE_SPREAD]):
                    other = d.rows[clue, CLUE_BOXES + i]
                    if d.lines[DISTANCE, other]:
                        continue
                    cost = d.rows[clue, CLUE_REST]
                    for j in range(d.rows[other, BOX_DEGREE]):
                        touched = d.rows[other, BOX_CLUES + j]
                        if d.rows[touched, CLUE_OPEN] == 0:
                            cost += 40 if d.rows[touched, CLUE_REST] > 1 else 0
                        elif d.rows[touched, CLUE_REST] == 1:
                            cost -= 40
                    if cost < least:
                        least, box = cost, other
        d.lines[ORDER, step], d.lines[DISTANCE, box] = box, 1
        for i in range(d.rows[box, BOX_DEGREE]):
            clue = d.rows[box, BOX_CLUES + i]
            d.rows[clue, CLUE_OPEN] = 1
            d.rows[clue, CLUE_REST] -= 1


@once
def _lay_out(d: Desk, boxes: int, clues: int) -> int:
    """Lays out the diagram, layer by layer; the number of its nodes, -1 when no placement fits and -2 when it is too wide."""
    for clue in range(clues):
        d.rows[clue, CLUE_REST], d.rows[clue, CLUE_OPEN] = d.rows[clue, CLUE_SPREAD], 0
    nodes, table = d.tables, d.ints[TABLE:ARCS]
    nodes[0, KEY], nodes[0, NODE_LOW], nodes[0, NODE_HIGH] = 0, 0, 0
    node_count, arc_count = 1, 0
    begin = 0
    used = 0
    for step in range(boxes):
        box = d.lines[ORDER, step]
        size, degree = d.rows[box, BOX_SIZE], d.rows[box, BOX_DEGREE]
        added, unit = 0, 0
        for i in range(degree):
            clue = d.rows[box, BOX_CLUES + i]
            if d.rows[clue, CLUE_OPEN] == 0:
                d.rows[clue, CLUE_OPEN] = 1
                asks = d.rows[clue, CLUE_ASKS]
                mask = 1 if asks < 2 else 3 if asks < 4 else 7
                at = 0
                while used & (mask << at):
                    at += 1
                if at + 3 > KEY_BITS:
                    return -2
                used |= mask << at
                d.rows[clue, CLUE_SHIFT], d.rows[clue, CLUE_MASK] = at, mask
                added |= asks << at
            unit |= 1 << d.rows[clue, CLUE_SHIFT]
            d.rows[clue, CLUE_REST] -= 1
            d.rows[clue, CLUE_ROOM] -= size
        d.lines[NODES_FROM, step], d.lines[ARCS_FROM, step] = begin, arc_count
        end = node_count
        slots = 16
        while slots < 2 * (end - begin) * (size + 1):
            slots *= 2
        if slots > TABLE_SIZE or node_count + (end - begin) * (size + 1) > MOST_NODES or arc_count + (end - begin) * (size + 1) > MOST_ARCS:
            return -2
        for i in range(slots):
            table[i] = -1
        for node in range(begin, end):
            key = nodes[node, KEY] | added
            least, most = 0, size
            for i in range(degree):
                clue = d.rows[box, BOX_CLUES + i]
                asks = (key >> d.rows[clue, CLUE_SHIFT]) & d.rows[clue, CLUE_MASK]
                most = min(most, asks)
                least = max(least, asks - d.rows[clue, CLUE_ROOM])
            for value in range(least, most + 1):
                wanted = key - unit * value
                at = (wanted ^ (wanted >> 7) ^ (wanted >> 19) ^ (wanted >> 37)) & (slots - 1)
                while table[at] >= 0 and nodes[table[at], KEY] != wanted:
                    at = (at + 1) & (slots - 1)
                child = table[at]
                low, high = nodes[node, NODE_LOW] + value, nodes[node, NODE_HIGH] + value
                if child < 0:
                    child = node_count
                    node_count += 1
                    table[at] = child
                    nodes[child, KEY], nodes[child, NODE_LOW], nodes[child, NODE_HIGH] = wanted, low, high
                else:
                    nodes[child, NODE_LOW] = min(nodes[child, NODE_LOW], low)
                    nodes[child, NODE_HIGH] = max(nodes[child, NODE_HIGH], high)
                d.ints[ARCS + 3 * arc_count], d.ints[ARCS + 3 * arc_count + 1], d.ints[ARCS + 3 * arc_count + 2] = node, child, value
                arc_count += 1
        if node_count == end:
            return -1
        for i in range(degree):
            clue = d.rows[box, BOX_CLUES + i]
            if d.rows[clue, CLUE_REST] == 0:
                used &= ~(d.rows[clue, CLUE_MASK] << d.rows[clue, CLUE_SHIFT])
        begin = end
    d.lines[NODES_FROM, boxes], d.lines[ARCS_FROM, boxes] = begin, arc_count
    return node_count


@once
def _sweep_forwards(d: Desk, boxes: int, node_count: int) -> bool:
    """For each node, the ways to get there by the number of mines; False when there is no room."""
    nodes, ahead = d.tables, d.floats[FORWARDS:BACKWARDS]
    cursor = 0
    for node in range(node_count):
        nodes[node, NODE_AT] = cursor
        cursor += nodes[node, NODE_HIGH] - nodes[node, NODE_LOW] + 1
    if cursor > MOST_COUNTS:
        return False
    for i in range(cursor):
        ahead[i] = 0.0
    ahead[0] = 1.0
    for step in range(boxes):
        size = d.rows[d.lines[ORDER, step], BOX_SIZE]
        for arc in range(d.lines[ARCS_FROM, step], d.lines[ARCS_FROM, step + 1]):
            node, child, value = d.ints[ARCS + 3 * arc], d.ints[ARCS + 3 * arc + 1], d.ints[ARCS + 3 * arc + 2]
            ways = CHOOSE[size, value]
            source = nodes[node, NODE_AT]
            target = nodes[child, NODE_AT] + nodes[node, NODE_LOW] + value - nodes[child, NODE_LOW]
            for k in range(nodes[node, NODE_HIGH] - nodes[node, NODE_LOW] + 1):
                ahead[target + k] += ways * ahead[source + k]
    return True


@once
def _place_after(d: Desk, boxes: int, node_count: int) -> bool:
    """For each node, how many mines can follow, and where their counts go; False when there is no room."""
    nodes = d.tables
    for node in range(node_count):
        nodes[node, AFTER_LOW], nodes[node, AFTER_HIGH] = 1 << 30, -1
    nodes[node_count - 1, AFTER_LOW], nodes[node_count - 1, AFTER_HIGH] = 0, 0
    for arc in range(d.lines[ARCS_FROM, boxes] - 1, -1, -1):
        node, child, value = d.ints[ARCS + 3 * arc], d.ints[ARCS + 3 * arc + 1], d.ints[ARCS + 3 * arc + 2]
        if nodes[child, AFTER_HIGH] >= 0:
            nodes[node, AFTER_LOW] = min(nodes[node, AFTER_LOW], nodes[child, AFTER_LOW] + value)
            nodes[node, AFTER_HIGH] = max(nodes[node, AFTER_HIGH], nodes[child, AFTER_HIGH] + value)
    cursor = 0
    for node in range(node_count):
        nodes[node, AFTER_AT] = cursor
        if nodes[node, AFTER_HIGH] >= 0:
            cursor += nodes[node, AFTER_HIGH] - nodes[node, AFTER_LOW] + 1
    if cursor > MOST_COUNTS:
        return False
    behind = d.floats[BACKWARDS:]
    for i in range(cursor):
        behind[i] = 0.0
    behind[nodes[node_count - 1, AFTER_AT]] = 1.0
    return True


@once
def _sweep_back(d: Desk, boxes: int, low: int, length: int, mined: int, spare: int) -> None:
    """Adds up, for each box and number of mines in all, the mined cells (from ``mined`` on) and the free ones (``spare``)."""
    nodes, ahead, behind, weights = d.tables, d.floats[FORWARDS:BACKWARDS], d.floats[BACKWARDS:], d.floats[WEIGHTS:BEFORE]
    for step in range(boxes - 1, -1, -1):
        box = d.lines[ORDER, step]
        size = d.rows[box, BOX_SIZE]
        for arc in range(d.lines[ARCS_FROM, step], d.lines[ARCS_FROM, step + 1]):
            node, child, value = d.ints[ARCS + 3 * arc], d.ints[ARCS + 3 * arc + 1], d.ints[ARCS + 3 * arc + 2]
            if nodes[child, AFTER_HIGH] < 0:
                continue
            ways = CHOOSE[size, value]
            source, after = nodes[child, AFTER_AT], nodes[child, AFTER_HIGH] - nodes[child, AFTER_LOW] + 1
            target = nodes[node, AFTER_AT] + nodes[child, AFTER_LOW] + value - nodes[node, AFTER_LOW]
            for k in range(after):
                behind[target + k] += ways * behind[source + k]
            here = nodes[node, NODE_LOW] + value + nodes[child, AFTER_LOW] - low + box * length
            for i in range(nodes[node, NODE_HIGH] - nodes[node, NODE_LOW] + 1):
                before = ways * ahead[nodes[node, NODE_AT] + i]
                if before == 0.0:
                    continue
                if value > 0:
                    for k in range(after):
                        weights[mined + here + i + k] += before * value * behind[source + k]
                if value < size:
                    for k in range(after):
                        weights[spare + here + i + k] += before * (size - value) * behind[source + k]


@once
def _count(d: Desk, s: int, cells: int, clues: int) -> int:
    """Counts the component whose cells and clues are listed in ``marks``, and keeps the result; SOLVED or what went wrong."""
    if cells > LARGEST:
        return TOO_WIDE
    if d.ints[RECORD_COUNT] >= KEPT_RECORDS or d.ints[MEMBER_COUNT] + 3 * cells > KEPT_MEMBERS:
        return NO_ROOM
    boxes = _make_boxes(d, s, cells, clues)
    _choose_order(d, boxes, clues)
    node_count = _lay_out(d, boxes, clues)
    if node_count < 0:
        return INCONSISTENT if node_count == -1 else TOO_WIDE
    if not _sweep_forwards(d, boxes, node_count) or not _place_after(d, boxes, node_count):
        return TOO_WIDE
    last = node_count - 1  # all clues are read: one node is left
    low, length = d.tables[last, NODE_LOW], d.tables[last, NODE_HIGH] - d.tables[last, NODE_LOW] + 1
    start = d.ints[WEIGHT_COUNT]
    needed = length * (1 + 2 * boxes)
    if needed > KEPT_WEIGHTS:
        return TOO_WIDE
    if start + needed > KEPT_WEIGHTS:
        return NO_ROOM
    for i in range(length):
        d.floats[WEIGHTS + start + i] = d.floats[FORWARDS + d.tables[last, NODE_AT] + i]
    for i in range(length, needed):
        d.floats[WEIGHTS + start + i] = 0.0
    _sweep_back(d, boxes, low, length, start + length, start + length * (1 + boxes))
    record, at = d.ints[RECORD_COUNT], d.ints[MEMBER_COUNT]
    for i in range(cells):
        d.ints[MEMBERS + at + i] = d.lines[CELLS, i]
    for box in range(boxes):
        d.ints[MEMBERS + at + 2 * cells + box] = d.rows[box, BOX_SIZE]
    d.tables[RECORDS + record, AT], d.tables[RECORDS + record, SIZE], d.tables[RECORDS + record, BOXES] = at, cells, boxes
    d.tables[RECORDS + record, LOW], d.tables[RECORDS + record, LENGTH], d.tables[RECORDS + record, WEIGHTS_AT] = low, length, start
    d.ints[RECORD_COUNT] += 1
    d.ints[MEMBER_COUNT] += 3 * cells
    d.ints[WEIGHT_COUNT] += needed
    return SOLVED


# -- all components


@once
def forget(d: Desk) -> None:
    """Forgets all components."""
    for slot in range(SLOT_COUNT):
        d.ints[SLOTS + 2 * slot] = 0
    d.ints[RECORD_COUNT], d.ints[MEMBER_COUNT], d.ints[WEIGHT_COUNT] = 0, 0, 0


@once
def _walk(d: Desk, s: int, start: int) -> int:
    """Lists the clues and cells of the component of a clue in ``marks``, counts them, and gives its code."""
    stamp = d.ints[STAMP]
    stack = d.lines[STACK]
    stack[0], waiting = start, 1
    d.lines[SEEN_CLUE, start] = stamp
    cells, clues, code = 0, 0, 0
    while waiting > 0:
        waiting -= 1
        clue = stack[waiting]
        d.lines[CLUES, clues] = clue
        clues += 1
        code ^= d.rows[clue, CODES + d.lines[s + ASKS, clue]]
        for i in range(d.rows[clue, COUNT]):
            cell = d.rows[clue, i]
            if d.lines[s + SHOWN, cell] < 0 and d.lines[s + KIND, cell] == UNKNOWN and d.lines[SEEN_CELL, cell] != stamp:
                d.lines[SEEN_CELL, cell] = stamp
                d.lines[CELLS, cells] = cell
                cells += 1
                code ^= d.rows[cell, CELL_CODE]
                for j in range(d.rows[cell, COUNT]):
                    other = d.rows[cell, j]
                    if d.lines[s + SHOWN, other] > 0 and d.lines[SEEN_CLUE, other] != stamp:
                        d.lines[SEEN_CLUE, other] = stamp
                        stack[waiting] = other
                        waiting += 1
    d.ints[PART_CELLS], d.ints[PART_CLUES] = cells, clues
    return int(code)


@once
def _find_parts(d: Desk, s: int, parts: Ints) -> int:
    """Lists the records of all components, and counts those that are not known yet."""
    d.ints[STAMP] += 1
    stamp = d.ints[STAMP]
    touched, count = 0, 0
    for clue in range(len(d.rows)):
        if d.lines[s + SHOWN, clue] <= 0 or d.lines[s + FREE, clue] == 0 or d.lines[SEEN_CLUE, clue] == stamp:
            continue
        code = _walk(d, s, clue)
        cells, clues = d.ints[PART_CELLS], d.ints[PART_CLUES]
        touched += cells
        slot = code & (SLOT_COUNT - 1)
        while d.ints[SLOTS + 2 * slot] != 0 and d.ints[SLOTS + 2 * slot] != code:
            slot = (slot + 1) & (SLOT_COUNT - 1)
        if d.ints[SLOTS + 2 * slot] == 0:
            status = _count(d, s, cells, clues)
            if status != SOLVED:
                return status
            d.ints[SLOTS + 2 * slot], d.ints[SLOTS + 2 * slot + 1] = code, d.ints[RECORD_COUNT] - 1
        parts[FIRST_PART + count] = d.ints[SLOTS + 2 * slot + 1]
        count += 1
    parts[PARTS], parts[UNTOUCHED] = count, d.lines[s + TALLY, UNKNOWNS] - touched
    parts[LEFT] = d.ints[BOARD_MINES] - d.lines[s + TALLY, MINES] if d.ints[BOARD_MINES] >= 0 else -1
    return SOLVED


@once
def _shrink(row: Floats, begin: int, length: int) -> int:
    """Makes a row small enough that products of two fit; how often it was divided by LARGE."""
    times = 0
    largest = 0.0
    for i in range(length):
        largest = max(largest, row[begin + i])
    while largest > LARGE:
        times += 1
        largest *= SMALL
        for i in range(length):
            row[begin + i] *= SMALL
    return times


@once
def _untouched_ways(d: Desk, untouched: int, left: int, low: int, begin: int, length: int) -> float:
    """Fills in the ways to place the mines that the components leave over, by how many they hold above ``low``.

    They are divided by the largest, the logarithm of which is returned.
    """
    row = d.floats[AFTER:FORWARDS]
    for i in range(length):
        row[begin + i] = 0.0
    if left < 0:
        for i in range(length):
            row[begin + i] = 1.0
        return untouched * math.log(2.0)
    fewest, most = max(0, left - low - length + 1), min(untouched, left - low)
    if fewest > most:
        return 0.0
    top = min(max(untouched // 2, fewest), most)
    ways = 1.0
    for mines in range(top, most + 1):
        row[begin + left - low - mines] = ways
        ways *= (untouched - mines) / (mines + 1.0)
    ways = 1.0
    for mines in range(top, fewest - 1, -1):
        row[begin + left - low - mines] = ways
        ways *= mines / (untouched - mines + 1.0)
    return float(d.values[LOGS, untouched] - d.values[LOGS, top] - d.values[LOGS, untouched - top])


@once
def _share(mined: float, spare: float) -> float:
    """The risk where so much is mined and free; 0 and 1 are exact."""
    if mined == 0.0:
        return 0.0
    if spare == 0.0:
        return 1.0
    return min(mined / (mined + spare), 1.0 - 2.0**-53)


@once
def _join(d: Desk, s: int) -> int:
    """Fills in an answer from the records of the components and the cells that no number touches."""
    answer, parts = d.values[s // STATE_LINES], d.lines[PARTS_OF + s // STATE_LINES]
    cells = len(d.rows)
    count, untouched, left = parts[PARTS], parts[UNTOUCHED], parts[LEFT]
    before, after = d.floats[BEFORE:AFTER], d.floats[AFTER:FORWARDS]
    begins, lengths = d.lines[ORDER], d.lines[DISTANCE]
    begins[0], lengths[0] = 0, 1
    before[0] = 1.0
    low, shrunk = ZERO, ZERO
    for c in range(count):
        record = parts[FIRST_PART + c]
        start, more = d.tables[RECORDS + record, WEIGHTS_AT], d.tables[RECORDS + record, LENGTH]
        low += d.tables[RECORDS + record, LOW]
        begin, length = begins[c], lengths[c]
        further = begin + length
        begins[c + 1], lengths[c + 1] = further, length + more - 1
        if further + length + more > MOST_JOINED:
            return TOO_WIDE
        for i in range(length + more - 1):
            before[further + i] = 0.0
        for i in range(length):
            for k in range(more):
                before[further + i + k] += before[begin + i] * d.floats[WEIGHTS + start + k]
        shrunk += _shrink(before, further, length + more - 1)
    begin, length = begins[count], lengths[count]
    scale = _untouched_ways(d, untouched, left, low, begin, length)
    total = mined = spare = 0.0
    for i in range(length):
        weight = before[begin + i] * after[begin + i]
        total += weight
        mines = left - low - i
        mined += weight * mines
        spare += weight * (untouched - mines)
    if not total > 0.0:
        return INCONSISTENT
    answer[cells + LOG_TOTAL] = math.log(total) + scale + shrunk * math.log(LARGE)
    risk = 0.5 if left < 0 else _share(mined, spare)
    least = risk if untouched > 0 else 1.0
    answer[cells + UNTOUCHED_RISK] = risk
    for cell in range(cells):
        kind = d.lines[s + KIND, cell]
        answer[cell] = risk if kind == UNKNOWN else 1.0 if kind == MINE else 0.0
    for c in range(count - 1, -1, -1):
        least = min(least, _spread(d, answer, parts[FIRST_PART + c], begins[c], lengths[c], begins[c + 1]))
    answer[cells + LEAST] = least
    return SOLVED


@once
def _spread(d: Desk, answer: Floats, record: int, begin: int, length: int, further: int) -> float:
    """Fills in the risks of one component, and the row of ``after`` for those before it; its least risk."""
    before, after, weights = d.floats[BEFORE:AFTER], d.floats[AFTER:FORWARDS], d.floats[WEIGHTS:BEFORE]
    start, more = d.tables[RECORDS + record, WEIGHTS_AT], d.tables[RECORDS + record, LENGTH]
    around = d.floats[FORWARDS:BACKWARDS]  # how much each number of mines in the component weighs
    largest = 0.0
    for k in range(more):
        around[k] = 0.0
    for i in range(length):
        ways = before[begin + i]
        total = 0.0
        for k in range(more):
            rest = after[further + i + k]
            total += weights[start + k] * rest
            around[k] += ways * rest
        after[begin + i] = total
    for k in range(more):
        largest = max(largest, around[k])
    for k in range(more):
        around[k] /= largest
    _shrink(after, begin, length)
    cells, boxes = d.tables[RECORDS + record, SIZE], d.tables[RECORDS + record, BOXES]
    risks = d.floats[BACKWARDS:]
    least = 1.0
    for box in range(boxes):
        mined = spare = 0.0
        at = start + more * (1 + box)
        for k in range(more):
            mined += weights[at + k] * around[k]
            spare += weights[at + boxes * more + k] * around[k]
        risks[box] = _share(mined, spare)
        least = min(least, risks[box])
    at = d.tables[RECORDS + record, AT]
    for i in range(cells):
        answer[d.ints[MEMBERS + at + i]] = risks[d.ints[MEMBERS + at + cells + i]]
    return least


@inner
def solve(d: Desk, s: int) -> int:
    """The risk of every cell of a state, and how many fields fit it, in its answer; SOLVED, INCONSISTENT or TOO_WIDE."""
    parts = d.lines[PARTS_OF + s // STATE_LINES]
    status = NO_ROOM
    for turn in range(2):
        if turn > 0 and status == NO_ROOM:
            forget(d)
        if status == NO_ROOM:
            status = _find_parts(d, s, parts)
    if status != SOLVED:
        return TOO_WIDE if status == NO_ROOM else status
    return _join(d, s)


@inner
def deduce(d: Desk, s: int) -> int:
    """Solves a state and settles all that is certain. Where nothing is safe the answer is that of the state it leaves."""
    status = solve(d, s)
    if status != SOLVED:
        return status
    changed = False
    answer = d.values[s // STATE_LINES]
    for cell in range(len(d.rows)):
        if d.lines[s + KIND, cell] == UNKNOWN and (answer[cell] == 0.0 or answer[cell] == 1.0):
            settle(d, s, cell, MINE if answer[cell] == 1.0 else SAFE)
            changed = True
    if changed:
        if not propagate(d, s):
            return INCONSISTENT
        if d.lines[s + TALLY, SAFES] == 0:
            return solve(d, s)
    return SOLVED

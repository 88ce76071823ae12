"""The search behind exact scores: plain functions on integers, compiled by numba for boards that fit in 64 bits.

A board is two integers, the stones of the player to move (``own``) and all stones (``mask``). Columns lie one after the other, each
of ``rows + 1`` bits from the bottom up; the extra bit on top stays empty, so no shift runs from one column into the next.

The one idea: with a threshold fixed, a score is a yes or no ("does the player at the root score more than this?"), each player
needs one good move or must bear all of the other's, and a table remembers a lower and an upper bound for each position met. An exact
score is a few such questions, each halving what is possible. The open positions lie on a stack of our own, so a search can pause
after any number of nodes and go on later: that is how progress, time limits and Ctrl-C work. An entry of the table is one word that
names its position and holds both bounds, so searches in several threads share a table without a lock: whatever is read there is true.

Nothing here needs numba: the same source runs as plain Python, on integers of any length. A compiled 64-bit word must not meet a
signed number in arithmetic, so whatever boards are combined with comes as a word, from ``words``.

The ideas are John Tromp's (Fhourstones: the key of a position), Pascal Pons' (non-losing moves, threats as move order, null
windows) and Victor Allis' (claimeven, baseinverse, threats that decide at the end).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, njit

from cpsolve.compilation import announce

announce()

ROWS, COLUMNS, CONNECT, SHIFT, LATE_SHIFT, LATE_FROM, MIRROR_UNTIL, PEEK_UNTIL, BY_COLUMN, BUDGET = range(10)
ITEM, LOW, HIGH, THRESHOLD, DEPTH, NODES, STARTED, PAUSED = range(10, 18)
"""Where ``state`` has the settings of a search, and where its counters."""
STATE = 18

CELLS, BOTTOM, PAIRING, WORD, MULTIPLIER, REST, LATE_REST, LANE = range(256, 264)
LANES = 264
"""Where ``words`` has its constants, after the numbers 0 to 255; from LANES on, the cells of each column, the middle first."""

OWN, MASK, KEY = range(3)
"""What an open position keeps in ``boards`` (one that waits to be looked at keeps the opponent's threats in place of its key)."""
STONES, MOVES, TRIED = range(3)
"""What it keeps in ``frames``."""

UNIT: Any = 1 if config.DISABLE_JIT else np.uint64(1)  # type: ignore[attr-defined]
"""The word 1. A constant, for then counting bits compiles to a single instruction."""
BIAS = 64
"""Added to the bounds in a table entry: they are never zero, so no entry looks like an empty one, whatever its key."""
UNDECIDED = -1
FULL = -128
"""In place of a score: there is no room on the column."""


@njit(cache=True)
def count_bits(bits: Any) -> Any:
    """The number of set bits.

    >>> int(count_bits(np.uint64(0b1011)))
    3
    """
    count = 0
    while bits:
        bits &= bits - UNIT
        count += 1
    return count


@njit(cache=True)
def along(stones: Any, step: Any) -> Any:
    """The cells that have three stones in a row of four with them, in one direction."""
    pair = (stones << step) & (stones << 2 * step)
    found = pair & ((stones << 3 * step) | (stones >> step))
    pair = (stones >> step) & (stones >> 2 * step)
    return found | (pair & ((stones << step) | (stones >> 3 * step)))


@njit(cache=True)
def threats(stones: Any, empty: Any, rows: Any, columns: Any, connect: Any) -> Any:
    """The empty cells that would complete a line for the owner of the stones, within reach or not.

    >>> bin(threats(np.uint64(0b111), np.uint64(0b111000), 6, 7, 4))  # three stones at the bottom of a column
    '0b1000'
    """
    height = rows + 1
    if connect == 4 and rows >= 4 and columns >= 4:
        found = (stones << 1) & (stones << 2) & (stones << 3)
        found |= along(stones, height - 1) | along(stones, height) | along(stones, height + 1)
        return found & empty
    found = empty ^ empty
    if connect <= rows:
        line = empty
        for distance in range(1, connect):
            line &= stones << distance
        found |= line
    if connect <= columns:
        for step in range(height - 1, height + 2):
            if step == height or connect <= rows:
                for below in range(connect):
                    line = empty
                    for distance in range(1, below + 1):
                        line &= stones << distance * step
                    for distance in range(1, connect - below):
                        line &= stones >> distance * step
                    found |= line
    return found


@njit(cache=True)
def four_along(stones: Any, step: Any) -> Any:
    """The first stones of four in a row, in one direction."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> 2 * step)


@njit(cache=True)
def has_line(stones: Any, rows: Any, columns: Any, connect: Any) -> Any:
    """Whether the stones hold a line.

    >>> has_line(np.uint64(0b1111), 6, 7, 4), has_line(np.uint64(0b10111), 6, 7, 4)
    (True, False)
    """
    height = rows + 1
    if connect == 4 and rows >= 4 and columns >= 4:
        found = four_along(stones, 1) | four_along(stones, height - 1) | four_along(stones, height) | four_along(stones, height + 1)
        return found != found ^ found
    if connect <= rows:
        line = stones
        for distance in range(1, connect):
            line &= stones >> distance
        if line:
            return True
    if connect <= columns:
        for step in range(height - 1, height + 2):
            if step == height or connect <= rows:
                line = stones
                for distance in range(1, connect):
                    line &= stones >> distance * step
                if line:
                    return True
    return False


@njit(cache=True)
def replies(danger: Any, mask: Any, cells: Any, bottom: Any) -> Any:
    """The moves that do not lose at once to the opponent's threats ``danger``: block one, never play right below one."""
    possible = (mask + bottom) & cells
    forced = possible & danger
    if forced:
        if forced & (forced - UNIT):
            return forced ^ forced
        possible = forced
    return possible & (possible ^ (danger >> 1))


@njit(cache=True)
def above(found: Any, cells: Any, rows: Any) -> Any:
    """The cells of a board above some of them."""
    higher = found ^ found
    for _ in range(rows - 1):
        found = (found << 1) & cells
        higher |= found
    return higher


@njit(cache=True)
def worth_of_waiting(waiting: Any, bottom: Any, rows: Any) -> Any:
    """The score of winning on the lowest of some cells when all that is not above it is full; 0 for none."""
    for row in range(rows):
        if waiting & (bottom << row):
            return (rows + 1 - row) >> 1
    return 0


@njit(cache=True)
def has_line_with_either(stones: Any, either: Any, rows: Any, columns: Any, connect: Any) -> Any:
    """Whether there is a line with one cell of every pair in ``either``: exact for two cells, for more it may say so without need."""
    if not has_line(stones | either, rows, columns, connect):
        return False
    others = either & (either - UNIT)
    if not others or others & (others - UNIT):
        return True
    return has_line(stones | others, rows, columns, connect) or has_line(stones | (either ^ others), rows, columns, connect)


@njit(cache=True, inline="always")
def follower_gets(own: Any, mask: Any, danger: Any, limit: Any, cells: Any, bottom: Any, pairing: Any, lane: Any,
                  rows: Any, columns: Any, connect: Any) -> Any:  # fmt: skip
    """Whether the player who is not to move, and threatens ``danger``, scores more than ``limit`` by answering every stone by a rule.

    The rule: play on top of it, and where that leaves the lowest cells of odd columns (those with an odd number of free cells), play
    on another of these. The player to move then gets the lower cell of each pair, counted from the top, and one of each two lowest
    cells of odd columns. Without a line in these they do not win (Allis' claimeven and baseinverse). If one of the follower's threats
    waits on an upper cell, they lose: at the latest when only the cell below it and those above are left, so nobody gets those above.

    With an odd number of odd columns the rule works if, in one of them, a threat of the follower comes after an odd number of cells: that
    column is left alone when only the cell below the threat is next, and whoever has to play there loses.
    """
    heights = mask + bottom
    odd = heights ^ (heights & pairing)
    empty = cells ^ mask
    upper = empty ^ (empty & (pairing | odd))
    waiting = danger & upper
    lower = empty & pairing
    if not count_bits(odd) & 1:
        worth = worth_of_waiting(waiting, bottom, rows)
        if worth == 0 and limit == 0 and has_line((own ^ mask) | upper, rows, columns, connect):
            worth = 1
        if worth <= limit:
            return False
        if waiting:
            lower ^= lower & above(waiting, cells, rows)
        return not has_line_with_either(own | lower, odd, rows, columns, connect)
    if not danger & lower:
        return False
    if waiting:
        lower ^= lower & above(waiting, cells, rows)
    for number in range(columns):
        column = lane << number * (rows + 1)
        last = danger & pairing & column
        if last and odd & column and worth_of_waiting(last, bottom, rows) > limit:
            below = (last ^ (last - UNIT)) & empty & column
            left = (lower ^ (lower & column)) | (below ^ (below & pairing))
            if not has_line_with_either(own | left, odd ^ (odd & column), rows, columns, connect):
                return True
    return False


@njit(cache=True, inline="always")
def key_of(own: Any, mask: Any, bottom: Any, lane: Any, multiplier: Any, word: Any, rows: Any, columns: Any, mirrored: Any) -> Any:
    """A number that no other position has (except its mirror image, if ``mirrored``), spread over the whole word.

    In every column a bit above the top stone marks the height, and the player's stones lie below it: never zero, not even for the
    empty board. Multiplying by an odd number loses nothing and spreads it.
    """
    code = (mask + bottom) | own
    if mirrored:
        height = rows + 1
        image = code ^ code
        for column in range(columns):
            image |= ((code >> column * height) & lane) << (columns - 1 - column) * height
        if image < code:
            code = image
    return (code * multiplier) & word


@njit(cache=True, inline="always")
def ask(own: Any, mask: Any, rows: Any, columns: Any, connect: Any, last: Any, state: Any, words: Any, table: Any, late_table: Any,
        boards: Any, frames: Any, order: Any, worths: Any) -> Any:  # fmt: skip
    """Whether the player to move at the root scores more than the threshold (1 or 0); UNDECIDED when the node ``last`` is met.

    Assumes that no player to move can win at once: true at the root, and kept by the choice of replies. What is called here takes no
    arrays: for each that is passed to an inlined function, references are counted at every node.
    """
    cells, bottom, pairing, lane = words[CELLS], words[BOTTOM], words[PAIRING], words[LANE]
    multiplier, word, byte = words[MULTIPLIER], words[WORD], words[255]
    shift, late_shift, late_from = state[SHIFT], state[LATE_SHIFT], state[LATE_FROM]
    rest, late_rest = words[REST], words[LATE_REST]
    mirror_until, peek_until = state[MIRROR_UNTIL], state[PEEK_UNTIL]
    size = rows * columns
    threshold = state[THRESHOLD]
    start = count_bits(mask)
    nodes = state[NODES]
    depth = 0
    stones = start
    if state[PAUSED]:
        depth = state[DEPTH]
        stones = frames[depth, STONES]
        own, mask, danger = boards[depth, OWN], boards[depth, MASK], boards[depth, KEY]
        state[PAUSED] = 0
    else:
        danger = threats(own ^ mask, cells ^ mask, rows, columns, connect)
    while True:
        # Down: look at the position (own, mask), in which the opponent threatens ``danger``.
        if nodes >= last:
            boards[depth, OWN], boards[depth, MASK], boards[depth, KEY] = own, mask, danger
            frames[depth, STONES] = stones
            state[DEPTH], state[NODES], state[PAUSED] = depth, nodes, 1
            return UNDECIDED
        nodes += 1
        moves = replies(danger, mask, cells, bottom)
        while moves and not moves & (moves - UNIT) and stones < size - 2:
            # a single reply: no choice, no need to remember the position
            own |= moves
            mask |= moves
            danger = threats(own, cells ^ mask, rows, columns, connect)
            own ^= mask
            stones += 1
            moves = replies(danger, mask, cells, bottom)
        odd = (stones - start) & 1
        limit = -threshold - 1 if odd else threshold
        verdict = UNDECIDED
        if not moves:
            verdict = 1 if -((size - stones) >> 1) > limit else 0
        elif stones >= size - 2:
            verdict = 1 if limit < 0 else 0
        elif -((size - 2 - stones) >> 1) > limit:
            verdict = 1
        elif (size - 1 - stones) >> 1 <= limit:
            verdict = 0
        else:
            key = key_of(own, mask, bottom, lane, multiplier, word, rows, columns, stones <= mirror_until)
            early = stones < late_from
            entry = table[np.int64(key >> shift)] if early else late_table[np.int64(key >> late_shift)]
            if entry and entry >> 16 == key & (rest if early else late_rest):
                if np.int64(entry & words[255]) - BIAS > limit:
                    verdict = 1
                elif np.int64((entry >> 8) & words[255]) - BIAS <= limit:
                    verdict = 0
            if verdict == UNDECIDED:
                # The moves, those that make most threats first, the middle before the sides. It is "yes" at once when one leaves no
                # reply, or lets us follow the other to a good end, or when the table knows it to be good.
                base = depth * columns
                count = 0
                for number in range(columns):
                    move = moves & words[LANES + number]
                    if not move:
                        continue
                    filled = mask | move
                    made = threats(own | move, cells ^ filled, rows, columns, connect)
                    if not replies(made, filled, cells, bottom):
                        verdict = 1
                        break
                    if follower_gets(own ^ mask, filled, made, limit, cells, bottom, pairing, lane, rows, columns, connect):
                        verdict = 1
                        break
                    if stones < peek_until:
                        peeked = key_of(own ^ mask, filled, bottom, lane, multiplier, word, rows, columns, stones < mirror_until)
                        entry = table[np.int64(peeked >> shift)]
                        if entry and entry >> 16 == peeked & rest and np.int64((entry >> 8) & byte) - BIAS < -limit:
                            verdict = 1
                            break
                    worth = count_bits(made)
                    place = base + count
                    while place > base and worths[place - 1] < worth:
                        order[place, 0] = order[place - 1, 0]
                        order[place, 1] = order[place - 1, 1]
                        worths[place] = worths[place - 1]
                        place -= 1
                    order[place, 0] = move
                    order[place, 1] = made
                    worths[place] = worth
                    count += 1
                if verdict == UNDECIDED:
                    boards[depth, OWN], boards[depth, MASK], boards[depth, KEY] = own, mask, key
                    frames[depth, STONES], frames[depth, MOVES], frames[depth, TRIED] = stones, count, 1
                    danger = order[base, 1]
                    own, mask = own ^ mask, mask | order[base, 0]
                    stones += 1
                    depth += 1
                    continue
        answer = verdict ^ odd
        # Up: pass the answer to the position before, until one has a move left to try.
        while depth > 0:
            depth -= 1
            stones, count, tried = frames[depth, STONES], frames[depth, MOVES], frames[depth, TRIED]
            odd = (stones - start) & 1
            yes = answer ^ odd
            if not yes and tried < count:
                frames[depth, TRIED] = tried + 1
                place = depth * columns + tried
                danger = order[place, 1]
                own, mask = boards[depth, OWN] ^ boards[depth, MASK], boards[depth, MASK] | order[place, 0]
                stones += 1
                depth += 1
                break
            limit = -threshold - 1 if odd else threshold
            key = boards[depth, KEY]
            early = stones < late_from
            entry = table[np.int64(key >> shift)] if early else late_table[np.int64(key >> late_shift)]
            name = key & (rest if early else late_rest)
            known = entry != entry ^ entry and entry >> 16 == name
            lower = words[limit + 1 + BIAS] if yes else entry & words[255] if known else UNIT
            upper = words[limit + BIAS] if not yes else (entry >> 8) & words[255] if known else words[255]
            entry = name << 16 | upper << 8 | lower
            if early:
                table[np.int64(key >> shift)] = entry
            else:
                late_table[np.int64(key >> late_shift)] = entry
        else:
            state[NODES] = nodes
            return answer


@njit(cache=True)
def ask_standard(own: Any, mask: Any, last: Any, state: Any, words: Any, table: Any, late_table: Any,
                 boards: Any, frames: Any, order: Any, worths: Any) -> Any:  # fmt: skip
    """The same on the board that everybody plays on: its numbers are known when compiling, which saves a fifth of the time."""
    return ask(own, mask, 6, 7, 4, last, state, words, table, late_table, boards, frames, order, worths)


@njit(cache=True)
def ask_any(own: Any, mask: Any, last: Any, state: Any, words: Any, table: Any, late_table: Any,
            boards: Any, frames: Any, order: Any, worths: Any) -> Any:  # fmt: skip
    """The same on any board."""
    rows, columns, connect = state[ROWS], state[COLUMNS], state[CONNECT]
    return ask(own, mask, rows, columns, connect, last, state, words, table, late_table, boards, frames, order, worths)


@njit(cache=True, nogil=True)
def score_all(positions: Any, scores: Any, state: Any, words: Any, table: Any, late_table: Any,
              boards: Any, frames: Any, order: Any, worths: Any) -> Any:  # fmt: skip
    """The exact score of each position, a row (own, mask), for its player to move; returns False when the budget was spent before the end.

    With BY_COLUMN, the score of each column of each position instead, FULL where there is none. Called again with the same state
    and arrays, it goes on where it stopped. No position may hold a line already. With STARTED, LOW and HIGH set beforehand, the
    first score is only narrowed within these.
    """
    cells, bottom = words[CELLS], words[BOTTOM]
    rows, columns, connect = state[ROWS], state[COLUMNS], state[CONNECT]
    size = rows * columns
    last = state[NODES] + state[BUDGET]
    while state[ITEM] < len(scores):
        item = state[ITEM]
        place = item // columns if state[BY_COLUMN] else item
        own, mask = positions[place, OWN], positions[place, MASK]
        stones = count_bits(mask)
        playable = (mask + bottom) & cells
        wins = threats(own, cells ^ mask, rows, columns, connect) & playable
        if state[BY_COLUMN]:
            playable &= words[LANE] << (item % columns) * (rows + 1)
            wins &= playable
            own, mask = own ^ mask, mask | playable
            if not playable:
                scores[item] = FULL
            elif wins:
                scores[item] = (size + 1 - stones) >> 1
            if not playable or wins:
                state[ITEM] += 1
                continue
            stones += 1
            wins = threats(own, cells ^ mask, rows, columns, connect) & (mask + bottom) & cells
        if wins:
            state[LOW] = state[HIGH] = (size + 1 - stones) >> 1
        elif not state[STARTED]:
            state[LOW], state[HIGH] = -((size - stones) >> 1), (size - 1 - stones) >> 1 if stones < size else 0
            state[STARTED] = 1
        while state[LOW] < state[HIGH]:
            if not state[PAUSED]:
                # who wins first, then away from a draw: most scores are near it, and far ones are told apart quickly
                state[THRESHOLD] = max(0, state[LOW]) if state[HIGH] > 0 else state[HIGH] - 1
            if rows == 6 and columns == 7 and connect == 4:
                more = ask_standard(own, mask, last, state, words, table, late_table, boards, frames, order, worths)
            else:
                more = ask_any(own, mask, last, state, words, table, late_table, boards, frames, order, worths)
            if more == UNDECIDED:
                return False
            if more:
                state[LOW] = state[THRESHOLD] + 1
            else:
                state[HIGH] = state[THRESHOLD]
        scores[item] = -state[LOW] if state[BY_COLUMN] else state[LOW]
        state[STARTED] = 0
        state[ITEM] += 1
    return True


# -- looking ahead, for players that are not perfect

WIN = 10_000
"""The value of a win, less the stones on the board when it happens; no judgement comes near it."""
THREAT = 12
"""What a cell that would complete a line is worth, beside the lines that run through each stone."""


@njit(cache=True)
def look(own: Any, mask: Any, stones: Any, plies: Any, low: Any, high: Any, lead: Any,
         rows: Any, columns: Any, connect: Any, words: Any, worth: Any) -> Any:  # fmt: skip
    """The value for the player to move, some plies ahead, by alpha-beta; a win or an answer to a threat is seen beyond that.

    ``lead`` is what the stones are worth more than the other's, by ``worth``, the number of lines through each cell.
    """
    cells, bottom = words[CELLS], words[BOTTOM]
    empty = cells ^ mask
    playable = (mask + bottom) & cells
    mine = threats(own, empty, rows, columns, connect)
    if mine & playable:
        return WIN - stones - 1
    if stones >= rows * columns - 1:
        return 0  # what is left is at most a cell that does not win
    danger = threats(own ^ mask, empty, rows, columns, connect)
    moves = replies(danger, mask, cells, bottom)
    if not moves:
        return stones + 2 - WIN
    if plies <= 0 and moves & (moves - UNIT):
        return lead + THREAT * (count_bits(mine) - count_bits(danger))
    best = -WIN
    for number in range(columns):
        move = moves & words[LANES + number]
        if move:
            gain = worth[count_bits(move - UNIT)]
            value = -look(own ^ mask, mask | move, stones + 1, plies - 1, -high, -low, -lead - gain,
                          rows, columns, connect, words, worth)  # fmt: skip
            if value > best:
                best = value
                low = max(low, value)
                if value >= high:
                    break
    return best


@njit(cache=True, nogil=True)
def look_all(own: Any, mask: Any, plies: Any, win: Any, rows: Any, columns: Any, connect: Any, words: Any, worth: Any, values: Any) -> None:
    """The value of every column for the player to move, ``plies`` ahead, at most ``win``; for one without room it stays as it is.

    ``win`` is WIN; it comes from outside because recursion that begins with a literal is compiled once more.
    """
    cells, bottom = words[CELLS], words[BOTTOM]
    stones = count_bits(mask)
    lead = 0
    for place in range(len(worth)):
        if (mask >> place) & UNIT:
            lead += worth[place] if (own >> place) & UNIT else -worth[place]
    wins = threats(own, cells ^ mask, rows, columns, connect)
    for column in range(columns):
        move = (mask + bottom) & cells & (words[LANE] << column * (rows + 1))
        if move & wins:
            values[column] = win - stones - 1
        elif move:
            gain = worth[count_bits(move - UNIT)]
            values[column] = -look(own ^ mask, mask | move, stones + 1, plies - 1, -win, win, -lead - gain,
                                   rows, columns, connect, words, worth)  # fmt: skip

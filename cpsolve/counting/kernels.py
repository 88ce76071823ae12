"""The compiled loops of counting: layers of packed states, numbers of ways in words, passes over arcs, draws.

A *row* of a table is a key of one or more words and, where ways are counted on the go, their number behind it; an empty row has 0 in its
first word. A number of ways is an array of 64-bit words, lowest first. An arc of -1 leads nowhere.
"""

# Kernels take and return plain arrays and numbers, and run in slices: between two slices the caller looks at the clock and signals.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from cpsolve.compilation import announce

announce()

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]
Arcs = NDArray[np.int32]

MARK = np.uint64(1 << 63)
"""Set in the first word of every row in use."""


@njit(inline="always")
def mix(word: Any) -> Any:
    """A word whose bits all depend on all bits of the given one."""
    word ^= word >> uint64(32)
    word *= uint64(0xD6E8FEB86659FD93)
    word ^= word >> uint64(32)
    word *= uint64(0xD6E8FEB86659FD93)
    word ^= word >> uint64(32)
    return word


# -- numbers in words


@njit(inline="always")
def add(total: Any, more: Any) -> Any:
    """Adds a number to another that has room for the sum."""
    carry = uint64(0)
    for word in range(total.shape[0]):
        extra = more[word] if word < more.shape[0] else uint64(0)
        value = total[word] + extra
        over = uint64(value < extra)
        value += carry
        carry = over | uint64(value < carry)
        total[word] = value


@njit(cache=True, nogil=True)
def multiply(product: Words, a: Words, b: Words) -> None:
    """Sets ``product`` to a times b; it has room for it. The words are multiplied by halves."""
    product[:] = 0
    half, low = uint64(32), uint64(0xFFFFFFFF)
    for i in range(a.shape[0]):
        x = a[i]
        if x == 0:
            continue
        x0, x1 = x & low, x >> half
        carry = uint64(0)
        for j in range(product.shape[0] - i):
            y = b[j] if j < b.shape[0] else uint64(0)
            if j >= b.shape[0] and carry == 0:
                break
            y0, y1 = y & low, y >> half
            lowest = x0 * y0
            middle = x1 * y0 + (lowest >> half)  # cannot overflow: (2^32 - 1)^2 + 2^32 - 1 < 2^64
            other = x0 * y1 + (middle & low)
            top = x1 * y1 + (middle >> half) + (other >> half)
            bottom = (other << half) | (lowest & low)
            value = product[i + j] + bottom
            over = uint64(value < bottom)
            value += carry
            over += uint64(value < carry)
            product[i + j] = value
            carry = top + over


@njit(cache=True, nogil=True)
def total_ways(table: Words, key_words: int) -> Words:
    """The sums of the lower and of the upper halves of each word behind the keys of a table, one after the other."""
    words = table.shape[1] - key_words
    sums = np.zeros(2 * words, np.uint64)
    for row in range(table.shape[0]):
        for word in range(words):
            value = table[row, key_words + word]
            sums[2 * word] += value & uint64(0xFFFFFFFF)
            sums[2 * word + 1] += value >> uint64(32)
    return sums


# -- hash tables


@njit(inline="always")
def home(key: Any, key_words: Any, mask: Any) -> Any:
    """Where to look first for a key."""
    row = uint64(0)
    for word in range(key_words):
        row = mix(row ^ key[word])
    return row & mask


@njit(inline="always")
def same(one: Any, other: Any, count: Any) -> Any:
    """Whether two rows begin with the same entries."""
    i = 0
    while i < count and one[i] == other[i]:
        i += 1
    return i == count


@njit(cache=True, nogil=True)
def put(table: Words, key: Words, ways: Words, key_words: int) -> int:
    """Adds ``ways`` to the row of a key; 1 if the row is new."""
    mask = uint64(table.shape[0] - 1)
    row = home(key, key_words, mask)
    while table[row, 0] != 0:
        if same(table[row], key, key_words):
            add(table[row, key_words:], ways)
            return 0
        row = (row + uint64(1)) & mask
    for word in range(key_words):
        table[row, word] = key[word]
    for word in range(ways.shape[0]):
        table[row, key_words + word] = ways[word]
    return 1


@njit(cache=True, nogil=True)
def rehash(old: Words, new: Words, key_words: int) -> None:
    """Copies all rows of a table into a larger, empty one."""
    mask = uint64(new.shape[0] - 1)
    for i in range(old.shape[0]):
        if old[i, 0] != 0:
            row = home(old[i], key_words, mask)
            while new[row, 0] != 0:
                row = (row + uint64(1)) & mask
            for word in range(old.shape[1]):
                new[row, word] = old[i, word]


# -- one layer of the product of automata
# A column of ``fields`` is an automaton that reads here: word, shift and mask of its state in the key, where its table begins in
# ``tables``, and whether this is its first and its last reading. State 0 is certain to be accepted, 1 is the start.


@njit(inline="always")
def _states(key: Any, fields: Any, states: Any) -> Any:
    for t in range(fields.shape[1]):
        if fields[4, t]:
            states[t] = 1
        else:
            states[t] = (key[fields[0, t]] >> uint64(fields[1, t])) & uint64(fields[2, t])


@njit(inline="always")
def _follow(states: Any, fields: Any, tables: Any, size: Any, value: Any, key: Any) -> Any:
    """Adds to a key the states after reading a value; False when an automaton rejects it."""
    for t in range(fields.shape[1]):
        if states[t]:
            after = tables[fields[3, t] + states[t] * size + value]
            if after < 0:
                return False
            if not fields[5, t]:
                key[fields[0, t]] |= uint64(after) << uint64(fields[1, t])
    return True


@njit(cache=True, nogil=True)
def count_layer(
    old: Words, first: int, last: int, new: Words, used: int, weights: Words, weighted: bool, fields: Ints, clear: Words, tables: Arcs
) -> tuple[int, int]:
    """Reads one slot in rows first..last of ``old`` and adds up the ways in ``new``.

    Returns the row where it stopped, because ``new`` was half full, and the number of rows in use in ``new``.
    """
    key_words, size = clear.shape[0], weights.shape[0]
    room = new.shape[0] // 2 - size
    states = np.empty(fields.shape[1], np.int64)
    base, key = np.empty(key_words, np.uint64), np.empty(key_words, np.uint64)
    ways = np.empty(old.shape[1] - key_words, np.uint64)
    for i in range(first, last):
        if old[i, 0] == 0:
            continue
        if used > room:
            return i, used
        _states(old[i], fields, states)
        for word in range(key_words):
            base[word] = old[i, word] & clear[word]
        for value in range(size):
            for word in range(key_words):
                key[word] = base[word]
            if _follow(states, fields, tables, size, value, key):
                if weighted:
                    multiply(ways, old[i, key_words:], weights[value])
                    used += put(new, key, ways, key_words)
                else:
                    used += put(new, key, old[i, key_words:], key_words)
    return last, used


@njit(cache=True, nogil=True)
def arc_layer(
    old: Words, first: int, last: int, new: Words, used: int, index: Arcs, arcs: Arcs, fields: Ints, clear: Words, tables: Arcs
) -> tuple[int, int]:
    """Reads one slot in nodes first..last of ``old``; writes the arcs and the keys of the nodes they lead to.

    ``index`` is a hash table of node numbers. Returns the node where it stopped, because ``new`` was full or ``index`` half full, and the
    number of nodes in ``new``.
    """
    key_words, size = clear.shape[0], arcs.shape[1]
    room = min(new.shape[0], index.shape[0] // 2) - size
    mask = uint64(index.shape[0] - 1)
    states = np.empty(fields.shape[1], np.int64)
    base, key = np.empty(key_words, np.uint64), np.empty(key_words, np.uint64)
    for i in range(first, last):
        if used > room:
            return i, used
        _states(old[i], fields, states)
        for word in range(key_words):
            base[word] = old[i, word] & clear[word]
        for value in range(size):
            for word in range(key_words):
                key[word] = base[word]
            if not _follow(states, fields, tables, size, value, key):
                arcs[i, value] = -1
                continue
            row = home(key, key_words, mask)
            while index[row] >= 0 and not same(new[index[row]], key, key_words):
                row = (row + uint64(1)) & mask
            if index[row] < 0:
                index[row] = used
                for word in range(key_words):
                    new[used, word] = key[word]
                used += 1
            arcs[i, value] = index[row]
    return last, used


@njit(cache=True, nogil=True)
def reindex(keys: Words, used: int, index: Arcs) -> None:
    """Enters nodes into a larger, empty hash table."""
    mask = uint64(index.shape[0] - 1)
    for node in range(used):
        row = home(keys[node], keys.shape[1], mask)
        while index[row] >= 0:
            row = (row + uint64(1)) & mask
        index[row] = node


@njit(cache=True, nogil=True)
def equal_rows(table: Arcs, index: Arcs, numbers: Arcs) -> int:
    """Numbers the distinct rows of a table from 1, after all-zero rows (0) and rows of -1 alone (-1); returns how many there are."""
    mask = uint64(index.shape[0] - 1)
    found = 0
    for i in range(table.shape[0]):
        certain, dead = True, True
        row = uint64(0)
        for j in range(table.shape[1]):
            entry = table[i, j]
            certain &= entry == 0
            dead &= entry < 0
            row = mix(row ^ uint64(np.int64(entry) + 2))
        if certain or dead:
            numbers[i] = 0 if certain else -1
            continue
        row &= mask
        while index[row] >= 0 and not same(table[index[row]], table[i], table.shape[1]):
            row = (row + uint64(1)) & mask
        if index[row] < 0:
            index[row] = i
            found += 1
            numbers[i] = found
        else:
            numbers[i] = numbers[index[row]]
    return found


# -- passes over the arcs of a layer


@njit(cache=True, nogil=True)
def carry_over(arcs: Arcs, first: int, last: int, weights: Words, weighted: bool, back: bool, known: Words, sums: Words) -> None:
    """Adds up in ``sums`` the ways that lead over the arcs of nodes first..last.

    From the beginning: ``known`` are the ways to these nodes, ``sums`` those to the nodes of the next layer. ``back``: the other way round.
    """
    ways = np.empty(sums.shape[1], np.uint64)
    for i in range(first, last):
        for value in range(arcs.shape[1]):
            arc = arcs[i, value]
            if arc >= 0:
                source, target = (arc, i) if back else (i, arc)
                if weighted:
                    multiply(ways, known[source], weights[value])
                    add(sums[target], ways)
                else:
                    add(sums[target], known[source])


@njit(cache=True, nogil=True)
def through(arcs: Arcs, first: int, last: int, here: Words, ahead: Words, totals: Words) -> None:
    """Adds to ``totals`` the ways through nodes first..last for each value, without its weight."""
    ways = np.empty(totals.shape[1], np.uint64)
    for i in range(first, last):
        for value in range(arcs.shape[1]):
            arc = arcs[i, value]
            if arc >= 0:
                multiply(ways, here[i], ahead[arc])
                add(totals[value], ways)


# -- draws


@njit(inline="always")
def _random(states: Any, i: Any) -> Any:
    """The next word of a sequence (Steele, Lea and Flood's SplitMix64)."""
    states[i] += uint64(0x9E3779B97F4A7C15)
    word = states[i]
    word = (word ^ (word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> uint64(27))) * uint64(0x94D049BB133111EB)
    return word ^ (word >> uint64(31))


@njit(inline="always")
def _less(a: Any, b: Any) -> Any:
    for j in range(max(a.shape[0], b.shape[0])):
        word = max(a.shape[0], b.shape[0]) - 1 - j
        x = a[word] if word < a.shape[0] else uint64(0)
        y = b[word] if word < b.shape[0] else uint64(0)
        if x != y:
            return x < y
    return False


@njit(inline="always")
def _subtract(a: Any, b: Any) -> Any:
    borrow = uint64(0)
    for word in range(a.shape[0]):
        y = b[word] if word < b.shape[0] else uint64(0)
        value = a[word] - y
        under = uint64(a[word] < y)
        under |= uint64(value < borrow)
        a[word] = value - borrow
        borrow = under


@njit(cache=True, nogil=True)
def draw(
    arcs: Arcs, first: int, last: int, weights: Words, weighted: bool, here: Words, ahead: Words, nodes: Arcs, chosen: Arcs, states: Words
) -> None:
    """Moves walkers first..last from their nodes to the next layer, each way to the end with the same probability."""
    words = here.shape[1]
    ticket, ways = np.empty(words, np.uint64), np.empty(words, np.uint64)
    for i in range(first, last):
        node = nodes[i]
        top = words - 1
        while top > 0 and here[node, top] == 0:
            top -= 1
        mask = here[node, top]
        for shift in (1, 2, 4, 8, 16, 32):
            mask |= mask >> uint64(shift)
        while True:  # as many random bits as the number of ways has, until they are less
            ticket[:] = 0
            for word in range(top + 1):
                ticket[word] = _random(states, i)
            ticket[top] &= mask
            if _less(ticket, here[node]):
                break
        for value in range(arcs.shape[1]):
            arc = arcs[node, value]
            if arc < 0:
                continue
            if weighted:
                multiply(ways, ahead[arc], weights[value])
            else:
                ways[:] = 0
                add(ways, ahead[arc])
            if _less(ticket, ways):
                chosen[i] = value
                nodes[i] = arc
                break
            _subtract(ticket, ways)

"""The compiled loops of counting by search: propagation, splitting into components, caching, listing.

A variable's domain is one word: bit i stands for its least value plus i. Constraints are numbered: first the sums, then the sets of
different values, then the automata. Everything that does not change lies in one array of integers, ``problem``, whose first entries say
where each table in it begins; everything that the search knows lies in arrays that the caller holds, so that it can stop between any two
decisions and go on.

Where nothing but sets of different values holds a component together, its values can be renamed at will: it is remembered by the sorted
columns "which variables can have this value", and of values that the same variables can have only one is tried, for all of them.
"""

# Kernels take and return plain arrays and numbers, and run in slices: between two slices the caller looks at the clock and signals.
# They are given few arrays, and never parts of arrays: each would be counted by reference at every call.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64

from cpsolve.counting.kernels import Arcs, Ints, Words

DONE, RUNNING, FULL = 0, 1, 2

TABLES = 20
(
    LOW, WHERE, HOLDER, ENTRY, SUM_AT, SUM_OF, SUM_BY, LIMIT, EQUAL, SET_AT, SET_OF, SET_SHIFT, PERMUTATION, AUTO_AT, AUTO_OF, TABLE_AT,
    COLUMNS, STATES_AT, ALIGNED, WIDTH,
) = range(TABLES)  # fmt: skip
"""Where the first entries of ``problem`` point to.

For each variable: its least value, where its constraints begin in HOLDER (their numbers) and ENTRY (its place in their rows), and its
distance from the least value of all where its values can be renamed (-1: where they cannot), and how many values it was made with. For
each sum: where its row of variables
and coefficients begins, its limit, whether it is equal to it. For each set: where its row of variables and shifts begins, whether it has
as many values as variables. For each automaton: where its row begins; for each reading: the variable, its table and the columns of
that, and the number of its first state.
"""
VARIABLES, SUMS, SETS = TABLES, TABLES + 1, TABLES + 2
"""How many there are of each."""
HEADER = TABLES + 3

TRAIL, QUEUE, DEPTH, ROWS, STAMP, ARENA_END, ENTRIES, SCOPE_TOP, PARTS_TOP, DECISIONS, WORK = range(11)
"""What the entries of ``now`` count."""
REGISTERS = 11
(
    FIRST, LAST, VARIABLE, MARK, NEXT, BEGIN, KEY, KEY_SIZE, COUNTING, TOP, TIMES, RENAMED
) = range(12)  # fmt: skip
"""The entries of a frame: where its variables begin and end in ``scope``, the variable branched on, the mark of the trail, the part to
count next, where its parts begin, where its key begins in the arena (-1: not remembered) and how long that is, whether a value is being
counted, where ``scope`` ended before, for how many values the present one stands, and whether values can be renamed."""
FRAME = 12
EXACT, LOOSE = 12, 8
"""A sum with this many uncertain variables presses least; exact ones, which decide more, press harder than those that only limit."""


@njit(inline="always")
def _size(word: Any) -> Any:
    word = word - ((word >> uint64(1)) & uint64(0x5555555555555555))
    word = (word & uint64(0x3333333333333333)) + ((word >> uint64(2)) & uint64(0x3333333333333333))
    word = (word + (word >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * uint64(0x0101010101010101)) >> uint64(56))


@njit(inline="always")
def _lowest(word: Any) -> Any:
    """The place of the lowest bit that is set."""
    return _size(~word & (word - uint64(1)))


@njit(inline="always")
def _highest(word: Any) -> Any:
    """The place of the highest bit that is set."""
    word |= word >> uint64(1)
    word |= word >> uint64(2)
    word |= word >> uint64(4)
    word |= word >> uint64(8)
    word |= word >> uint64(16)
    word |= word >> uint64(32)
    return _size(word) - 1


@njit(inline="always")
def _fixed(domain: Any) -> Any:
    return domain & (domain - uint64(1)) == 0


@njit(inline="always")
def _below(places: Any) -> Any:
    """A word with all bits below a place."""
    return ~uint64(0) if places >= 64 else (uint64(1) << uint64(places)) - uint64(1)


# -- propagation


@njit(forceinline=True, nogil=True, error_model="numpy")
def _restrict(v: Any, domain: Any, problem: Any, domains: Any, trail: Any, now: Any, queue: Any, waiting: Any) -> Any:
    """Narrows a domain to another that is not empty, and wakes the variable's constraints."""
    trail[2 * now[TRAIL]] = uint64(v)
    trail[2 * now[TRAIL] + 1] = domains[v]
    now[TRAIL] += 1
    domains[v] = domain
    holder = problem[HOLDER]
    for k in range(problem[problem[WHERE] + v], problem[problem[WHERE] + v + 1]):
        c = problem[holder + k]
        if not waiting[c]:
            waiting[c] = True
            queue[now[QUEUE]] = c
            now[QUEUE] += 1


@njit(forceinline=True, nogil=True, error_model="numpy")
def _undo(mark: Any, domains: Any, trail: Any, now: Any) -> Any:
    while now[TRAIL] > mark:
        now[TRAIL] -= 1
        domains[np.int64(trail[2 * now[TRAIL]])] = trail[2 * now[TRAIL] + 1]


@njit(forceinline=True, nogil=True, error_model="numpy")
def _sum(c: int, problem: Ints, domains: Words, trail: Words, now: Ints, queue: Ints, waiting: Arcs) -> bool:
    """Bounds of a sum of multiples, at most or equal to a limit; False when no value is left for some variable."""
    low_of, of, by_ = problem[LOW], problem[SUM_OF], problem[SUM_BY]
    first, last = problem[problem[SUM_AT] + c], problem[problem[SUM_AT] + c + 1]
    limit, exact = problem[problem[LIMIT] + c], problem[problem[EQUAL] + c] != 0
    least, most, widest = 0, 0, 0
    for k in range(first, last):
        v, by = problem[of + k], problem[by_ + k]
        domain = domains[v]
        low = problem[low_of + v] + _lowest(domain)
        if _fixed(domain):
            least += by * low
            most += by * low
        else:
            wide = by * (problem[low_of + v] + _highest(domain) - low)
            if wide > 0:
                least += by * low
                most += by * low + wide
                widest = max(widest, wide)
            else:
                least += by * low + wide
                most += by * low
                widest = max(widest, -wide)
    now[WORK] += 8 + last - first
    if least > limit or (exact and most < limit):
        return False
    if widest <= limit - least and (not exact or widest <= most - limit):
        return True
    again = True
    while again:  # what one variable loses another may have to give
        again = False
        for k in range(first, last):
            v, by = problem[of + k], problem[by_ + k]
            domain = domains[v]
            if _fixed(domain):
                continue
            lowest, highest = _lowest(domain), _highest(domain)
            wide = abs(by) * (highest - lowest)
            over = wide - (limit - least)  # by how much the far end passes the limit
            under = wide - (most - limit) if exact else 0
            if over <= 0 and under <= 0:
                continue
            if by < 0:
                over, under = under, over
            steps = abs(by)
            kept = domain
            if over > 0:
                kept &= _below(max(0, highest - (over + steps - 1) // steps + 1))
            if under > 0:
                kept &= ~_below(lowest + (under + steps - 1) // steps)
            if kept == 0:
                return False
            _restrict(v, kept, problem, domains, trail, now, queue, waiting)
            fewer, more = by * (_lowest(kept) - lowest), by * (_highest(kept) - highest)
            if by > 0:
                least += fewer
                most += more
            else:
                least += more
                most += fewer
            again = True
            if least > limit or (exact and most < limit):
                return False
        now[WORK] += last - first
    return True


@njit(forceinline=True, nogil=True, error_model="numpy")
def _different(s: int, problem: Ints, domains: Words, trail: Words, now: Ints, queue: Ints, waiting: Arcs) -> bool:
    """No value twice: certain values leave the other domains; as many values as variables and only one place for a value: it goes there."""
    of, shifts = problem[SET_OF], problem[SET_SHIFT]
    first, last = problem[problem[SET_AT] + s], problem[problem[SET_AT] + s + 1]
    permutation = problem[problem[PERMUTATION] + s] != 0
    while True:
        now[WORK] += 8 + last - first
        taken = uint64(0)
        once, twice = uint64(0), uint64(0)
        for k in range(first, last):
            domain = domains[problem[of + k]] << uint64(problem[shifts + k])
            if _fixed(domain):
                if taken & domain:
                    return False
                taken |= domain
            twice |= once & domain
            once |= domain
        if _size(once) < last - first:
            return False
        only = once & ~twice & ~taken if permutation else uint64(0)
        if taken & twice == 0 and only == 0:
            return True
        again = False
        for k in range(first, last):
            v, shift = problem[of + k], uint64(problem[shifts + k])
            domain = domains[v]
            if _fixed(domain):
                continue
            kept = domain & ~(taken >> shift)
            here = kept & (only >> shift)
            if here:
                if not _fixed(here):
                    return False
                kept = here
            if kept != domain:
                if kept == 0:
                    return False
                _restrict(v, kept, problem, domains, trail, now, queue, waiting)
                again = True
        if not again:
            return True


@njit(cache=True, nogil=True, error_model="numpy")
def _automaton(
    a: int, problem: Ints, tables: Arcs, domains: Words, trail: Words, now: Ints, queue: Ints, waiting: Arcs, reached: Arcs, wanted: Arcs
) -> int:
    """Keeps the values that lie on a way to acceptance: 0 when there is none, 1 when some words are rejected, 2 when none is."""
    of, tables_at, columns, states_at = problem[AUTO_OF], problem[TABLE_AT], problem[COLUMNS], problem[STATES_AT]
    first, last = problem[problem[AUTO_AT] + a], problem[problem[AUTO_AT] + a + 1]
    start, end = problem[states_at + first], problem[states_at + last]
    now[WORK] += 8 + 4 * (end - start)
    for state in range(start, end + 1):
        reached[state] = 0
        wanted[state] = 0
    reached[start + 1] = 1
    certain = True
    for k in range(first, last):
        here, there = problem[states_at + k], problem[states_at + k + 1]
        final = k == last - 1
        for state in range(there - here):
            if reached[here + state]:
                rest = domains[problem[of + k]]
                row = problem[tables_at + k] + state * problem[columns + k]
                while rest:
                    after = tables[row + _lowest(rest)]
                    rest &= rest - uint64(1)
                    if after < 0:
                        certain = False
                    elif not final:
                        reached[there + after] = 1
    if certain:
        return 2
    for i in range(last - first):
        k = last - 1 - i
        here, there = problem[states_at + k], problem[states_at + k + 1]
        final = k == last - 1
        v = problem[of + k]
        kept = uint64(0)
        for state in range(there - here):
            if reached[here + state]:
                rest = domains[v]
                row = problem[tables_at + k] + state * problem[columns + k]
                while rest:
                    bit = rest & (~rest + uint64(1))
                    rest ^= bit
                    after = tables[row + _lowest(bit)]
                    if after >= 0 and (final or wanted[there + after]):
                        wanted[here + state] = 1
                        kept |= bit
        if kept == 0:
            return 0
        if kept != domains[v]:
            _restrict(v, kept, problem, domains, trail, now, queue, waiting)
    return 1


@njit(cache=True, nogil=True, error_model="numpy")
def propagate(
    problem: Ints, tables: Arcs, domains: Words, trail: Words, now: Ints, queue: Ints, waiting: Arcs, reached: Arcs, wanted: Arcs
) -> bool:
    """Runs all constraints that were woken, and those they wake, until nothing changes; False when they clash."""
    sums, sets = problem[SUMS], problem[SETS]
    possible = True
    while now[QUEUE]:
        now[QUEUE] -= 1
        c = queue[now[QUEUE]]
        if possible:  # else only the queue is emptied
            if c < sums:
                possible = _sum(c, problem, domains, trail, now, queue, waiting)
            elif c < sums + sets:
                possible = _different(c - sums, problem, domains, trail, now, queue, waiting)
            else:
                possible = _automaton(c - sums - sets, problem, tables, domains, trail, now, queue, waiting, reached, wanted) > 0
        waiting[c] = False  # only now: a constraint goes on by itself until it has nothing more to say
    return possible


# -- listing


@njit(cache=True, nogil=True, error_model="numpy")
def find(
    problem: Ints,
    tables: Arcs,
    domains: Words,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Arcs,
    reached: Arcs,
    wanted: Arcs,
    ranks: Ints,
    stack: Ints,
    rest: Words,
    found: Arcs,
    work: int,
) -> int:
    """Writes solutions (places of values) into the rows of ``found`` until there are no more, it is full, or enough ``work`` is done.

    The stack holds, from 1 to now[DEPTH], variables and marks of the trail.
    """
    count = problem[VARIABLES]
    now[WORK] = 0
    while now[WORK] < work:
        now[WORK] += count
        depth = now[DEPTH]
        if depth < 0:
            return DONE
        if depth > 0:  # try the next value of the variable on top
            v = stack[2 * depth]
            _undo(stack[2 * depth + 1], domains, trail, now)
            if rest[depth] == 0:
                now[DEPTH] = depth - 1 if depth > 1 else -1
                continue
            now[DECISIONS] += 1
            bit = rest[depth] & (~rest[depth] + uint64(1))
            rest[depth] ^= bit
            _restrict(v, bit, problem, domains, trail, now, queue, waiting)
            if not propagate(problem, tables, domains, trail, now, queue, waiting, reached, wanted):
                continue
        best, least = -1, 0
        for v in range(count):
            if not _fixed(domains[v]):
                score = _size(domains[v]) * 100000 + ranks[v]
                if best < 0 or score < least:
                    best, least = v, score
        if best < 0:
            for v in range(count):
                found[now[ROWS], v] = _lowest(domains[v])
            now[ROWS] += 1
            if depth == 0:
                now[DEPTH] = -1
            if now[ROWS] == found.shape[0]:
                return FULL
            continue
        depth += 1
        now[DEPTH] = depth
        stack[2 * depth], stack[2 * depth + 1] = best, now[TRAIL]
        rest[depth] = domains[best]
    return RUNNING


# -- counting with components and a cache


@njit(forceinline=True, nogil=True, error_model="numpy")
def _times(table: Any, row: Any, other: Any, by: Any, product: Any) -> Any:
    """Multiplies a row of words by a row of another table; the product has room. The words are multiplied by halves."""
    words, others = table.shape[1], other.shape[1]
    half, low = uint64(32), uint64(0xFFFFFFFF)
    for word in range(words):
        product[word] = uint64(0)
    for i in range(words):
        x = table[row, i]
        if x == 0:
            continue
        x0, x1 = x & low, x >> half
        carry = uint64(0)
        for j in range(words - i):
            if j >= others and carry == 0:
                break
            y = other[by, j] if j < others else uint64(0)
            y0, y1 = y & low, y >> half
            lowest = x0 * y0
            middle = x1 * y0 + (lowest >> half)  # cannot overflow: (2^32 - 1)^2 + 2^32 - 1 < 2^64
            crossed = x0 * y1 + (middle & low)
            value = product[i + j] + ((crossed << half) | (lowest & low))
            over = uint64(value < product[i + j])
            total = value + carry
            over += uint64(total < value)
            product[i + j] = total
            carry = x1 * y1 + (middle >> half) + (crossed >> half) + over
    for word in range(words):
        table[row, word] = product[word]


@njit(forceinline=True, nogil=True, error_model="numpy")
def _times_small(table: Any, row: Any, by: Any) -> Any:
    """Multiplies a row of words by a number below 2^32."""
    half, low = uint64(32), uint64(0xFFFFFFFF)
    carry = uint64(0)
    for word in range(table.shape[1]):
        x = table[row, word]
        lower = (x & low) * by + carry
        upper = (x >> half) * by + (lower >> half)
        table[row, word] = (upper << half) | (lower & low)
        carry = upper >> half


@njit(forceinline=True, nogil=True, error_model="numpy")
def _plus(table: Any, row: Any, other: Any, more: Any) -> Any:
    """Adds a row of another table to a row of words; there is room for the sum."""
    carry = uint64(0)
    for word in range(table.shape[1]):
        value = table[row, word] + other[more, word]
        over = uint64(value < other[more, word])
        total = value + carry
        carry = over | uint64(total < value)
        table[row, word] = total


@njit(forceinline=True, nogil=True, error_model="numpy")
def _left(c: Any, problem: Any, domains: Any) -> Any:
    """What is left of a sum's limit for its uncertain variables, whether it still excludes anything, and how many are certain."""
    low_of, of, by_ = problem[LOW], problem[SUM_OF], problem[SUM_BY]
    left, most, certain = problem[problem[LIMIT] + c], 0, 0
    for k in range(problem[problem[SUM_AT] + c], problem[problem[SUM_AT] + c + 1]):
        v, by = problem[of + k], problem[by_ + k]
        domain = domains[v]
        if _fixed(domain):
            certain += 1
            left -= by * (problem[low_of + v] + _lowest(domain))
        else:
            most += by * (problem[low_of + v] + (_highest(domain) if by > 0 else _lowest(domain)))
    return left, problem[problem[EQUAL] + c] != 0 or most > left, certain


@njit(cache=True, nogil=True, error_model="numpy")
def split(
    problem: Ints,
    tables: Arcs,
    domains: Words,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Arcs,
    reached: Arcs,
    wanted: Arcs,
    scope: Arcs,
    first: int,
    last: int,
    parts: Arcs,
    group: Ints,
    met: Ints,
    line: Arcs,
    products: Words,
    depth: int,
) -> None:
    """The connected groups of uncertain variables of scope[first:last], written behind its top; ``parts`` gets where they begin and end.

    A variable that is alone multiplies a row of ``products`` by the number of its values: propagation left no others. ``group`` says of
    a variable in which group it was found last: groups are numbered by now[STAMP], which only grows, as ``met`` says of a constraint when
    it was.
    """
    where, holder, entry_of = problem[WHERE], problem[HOLDER], problem[ENTRY]
    sum_at, sum_of = problem[SUM_AT], problem[SUM_OF]
    set_at, set_of, shifts = problem[SET_AT], problem[SET_OF], problem[SET_SHIFT]
    auto_at, auto_of = problem[AUTO_AT], problem[AUTO_OF]
    sums, sets = problem[SUMS], problem[SETS]
    uncertain = 0
    for i in range(first, last):
        uncertain += 0 if _fixed(domains[scope[i]]) else 1
    begin, part, top = now[PARTS_TOP], now[PARTS_TOP], now[SCOPE_TOP]
    stamp = now[STAMP] + 1
    number = stamp
    for i in range(first, last):
        root = scope[i]
        if group[root] >= stamp or _fixed(domains[root]):
            continue
        group[root] = number
        line[0] = root
        size, at = 1, 0
        while at < size and size < uncertain:  # once all are found there is nothing more to look for
            v = line[at]
            at += 1
            now[WORK] += 4
            for j in range(problem[where + v], problem[where + v + 1]):
                c = problem[holder + j]
                if c < sums:
                    if met[c] >= stamp:
                        continue
                    met[c] = stamp
                    if not problem[problem[EQUAL] + c]:
                        _, active, _ = _left(c, problem, domains)
                        if not active:
                            continue
                    for k in range(problem[sum_at + c], problem[sum_at + c + 1]):
                        u = problem[sum_of + k]
                        if group[u] < stamp and not _fixed(domains[u]):
                            group[u] = number
                            line[size] = u
                            size += 1
                elif c < sums + sets:
                    s = c - sums
                    mine = domains[v] << uint64(problem[shifts + problem[entry_of + j]])
                    for k in range(problem[set_at + s], problem[set_at + s + 1]):
                        u = problem[set_of + k]
                        if group[u] < stamp and not _fixed(domains[u]) and (domains[u] << uint64(problem[shifts + k])) & mine:
                            group[u] = number
                            line[size] = u
                            size += 1
                else:
                    if met[c] >= stamp:
                        continue
                    met[c] = stamp
                    a = c - sums - sets
                    if _automaton(a, problem, tables, domains, trail, now, queue, waiting, reached, wanted) == 2:
                        continue
                    for k in range(problem[auto_at + a], problem[auto_at + a + 1]):
                        u = problem[auto_of + k]
                        if group[u] < stamp and not _fixed(domains[u]):
                            group[u] = number
                            line[size] = u
                            size += 1
        uncertain -= size
        if size == 1:
            _times_small(products, depth, uint64(_size(domains[root])))
            group[root] = stamp - 1
            continue
        number += 1
        parts[part, 0], parts[part, 1] = top, top
        top += size
        part += 1
    for i in range(first, last):  # in the order they had
        v = scope[i]
        if group[v] >= stamp and not _fixed(domains[v]):
            place = begin + group[v] - stamp
            scope[parts[place, 1]] = v
            parts[place, 1] += 1
    for i in range(begin + 1, part):  # small groups first: if one of them has no solution the others need not be counted
        j = i
        while j > begin and parts[j, 1] - parts[j, 0] < parts[j - 1, 1] - parts[j - 1, 0]:
            a, b = parts[j, 0], parts[j, 1]
            parts[j, 0], parts[j, 1] = parts[j - 1, 0], parts[j - 1, 1]
            parts[j - 1, 0], parts[j - 1, 1] = a, b
            j -= 1
    now[STAMP] = number
    now[SCOPE_TOP], now[PARTS_TOP] = top, part


@njit(cache=True, nogil=True, error_model="numpy")
def _key(
    problem: Ints, domains: Words, now: Ints, scope: Arcs, first: int, last: int, met: Ints, arena: Words, columns: Words, pressure: Ints
) -> tuple[int, bool]:
    """Writes behind the end of the arena what decides the number of solutions of a group of variables.

    Returns how long it is, and whether its values can be renamed. On the way ``pressure`` gets, for each of the variables, how close its
    sums are to deciding something: each counts twice as much per variable less that it waits for.
    """
    where, holder, aligned, width = problem[WHERE], problem[HOLDER], problem[ALIGNED], problem[WIDTH]
    sum_at, auto_at, auto_of = problem[SUM_AT], problem[AUTO_AT], problem[AUTO_OF]
    sums, sets = problem[SUMS], problem[SETS]
    base = now[ARENA_END]
    size = 1
    now[STAMP] += 1
    stamp = now[STAMP]
    renamed = True
    for i in range(first, last):
        pressure[scope[i]] = 0
    for i in range(first, last):
        v = scope[i]
        renamed &= problem[aligned + v] >= 0
        for j in range(problem[where + v], problem[where + v + 1]):
            c = problem[holder + j]
            if sums <= c < sums + sets or met[c] == stamp:
                continue
            met[c] = stamp
            if c < sums:
                left, active, certain = _left(c, problem, domains)
                if active:
                    renamed = False
                    begin, end = problem[sum_at + c], problem[sum_at + c + 1]
                    press = 1 << max(0, (EXACT if problem[problem[EQUAL] + c] else LOOSE) - (end - begin - certain))
                    for k in range(begin, end):
                        pressure[problem[problem[SUM_OF] + k]] += press
                    if certain:  # else it is all there, and its limit untouched
                        arena[base + size] = (uint64(c) << uint64(44)) | (uint64(left) & _below(44))
                        size += 1
            else:
                renamed = False
                a = c - sums - sets
                begin = problem[auto_at + a]
                for k in range(begin, problem[auto_at + a + 1]):
                    domain = domains[problem[auto_of + k]]
                    if _fixed(domain):
                        arena[base + size] = (uint64(c) << uint64(44)) | uint64((k - begin) * 64 + _lowest(domain))
                        size += 1
    now[WORK] += 2 * (last - first) + size
    told = size
    lowest = int(scope[first])
    span = (int(scope[last - 1]) - lowest) // 64 + 1
    if span <= (last - first + 3) // 4:
        for word in range(span):
            arena[base + size + word] = uint64(0)
        for i in range(first, last):
            place = scope[i] - lowest
            arena[base + size + (place >> 6)] |= uint64(1) << uint64(place & 63)
        size += span
    else:
        lowest = -1
        names = uint64(0)
        for i in range(first, last):
            names = (names << uint64(16)) | uint64(scope[i])
            if (i - first) & 3 == 3 or i == last - 1:
                arena[base + size] = names
                size += 1
                names = uint64(0)
    if renamed:
        words = (last - first + 63) // 64
        values = uint64(0)
        for i in range(64 * words):
            columns[i] = uint64(0)
        for i in range(first, last):
            rest = domains[scope[i]] << uint64(problem[aligned + scope[i]])
            values |= rest
            word, bit = (i - first) >> 6, uint64(1) << uint64((i - first) & 63)
            while rest:
                columns[_lowest(rest) * words + word] |= bit
                rest &= rest - uint64(1)
        begin = base + size
        while values:  # into the sorted columns, one by one
            source = _lowest(values) * words
            values &= values - uint64(1)
            at = base + size
            while at > begin and _before(columns, source, arena, at - words, words):
                for word in range(words):
                    arena[at + word] = arena[at - words + word]
                at -= words
            for word in range(words):
                arena[at + word] = columns[source + word]
            size += words
    else:
        hold, filled = uint64(0), 0
        for i in range(first, last):
            v = scope[i]
            wide = problem[width + v]
            if wide == 2:
                continue
            hold |= domains[v] << uint64(filled)
            filled += wide
            if filled >= 64:
                arena[base + size] = hold
                size += 1
                filled -= 64
                hold = domains[v] >> uint64(wide - filled) if filled else uint64(0)
        if filled:
            arena[base + size] = hold
            size += 1
    arena[base] = (uint64(lowest + 1) << uint64(40)) | (uint64(told) << uint64(14)) | (uint64(last - first) << uint64(1)) | uint64(renamed)
    return size, renamed


@njit(forceinline=True, nogil=True, error_model="numpy")
def _before(columns: Any, source: Any, arena: Any, at: Any, words: Any) -> Any:
    for word in range(words):
        if columns[source + word] != arena[at + word]:
            return columns[source + word] < arena[at + word]
    return False


@njit(forceinline=True, nogil=True, error_model="numpy")
def _code(arena: Any, begin: Any, size: Any) -> Any:
    """A number in which all words of a key have a part."""
    code = uint64(size)
    for i in range(size):
        code = (code ^ arena[begin + i]) * uint64(0x9E3779B97F4A7C15)
        code ^= code >> uint64(32)
    code *= uint64(0xD6E8FEB86659FD93)
    return code ^ (code >> uint64(32))


@njit(cache=True, nogil=True, error_model="numpy")
def count(
    problem: Ints,
    tables: Arcs,
    domains: Words,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Arcs,
    reached: Arcs,
    wanted: Arcs,
    ranks: Ints,
    breadths: Ints,
    scope: Arcs,
    parts: Arcs,
    group: Ints,
    met: Ints,
    line: Arcs,
    columns: Words,
    pressure: Ints,
    frames: Ints,
    rest: Words,
    totals: Words,
    products: Words,
    arena: Words,
    entries: Ints,
    values: Words,
    index: Arcs,
    longest: int,
    work: int,
) -> int:
    """Counts by branching, splitting and remembering, until done, out of room in the cache, or enough ``work`` is done.

    Branches on the variable of the least rank, after adding what ``breadths`` says of the size of its domain and taking off its pressure
    times breadths[0].
    """
    words = totals.shape[1]
    product = np.empty(words, np.uint64)
    mask = uint64(index.shape[0] - 1)
    aligned = problem[ALIGNED]
    now[WORK] = 0
    while True:
        depth = now[DEPTH]
        if frames[depth, COUNTING] and frames[depth, NEXT] < now[PARTS_TOP]:
            zero = True
            for word in range(words):
                zero &= products[depth, word] == 0
            if zero:
                frames[depth, NEXT] = now[PARTS_TOP]
                continue
            if now[ARENA_END] + longest > arena.shape[0] or now[ENTRIES] + depth + 2 > entries.shape[0]:
                return FULL
            part = frames[depth, NEXT]
            first, last = parts[part, 0], parts[part, 1]
            frames[depth, NEXT] += 1
            size, renamed = _key(problem, domains, now, scope, first, last, met, arena, columns, pressure)
            begin = now[ARENA_END]
            code = _code(arena, begin, size)
            row = code & mask
            hit = -1
            while index[row] >= 0:
                entry = index[row]
                if uint64(entries[entry, 2]) == code and entries[entry, 1] == size:
                    same = True
                    other = entries[entry, 0]
                    for i in range(size):
                        if arena[other + i] != arena[begin + i]:
                            same = False
                            break
                    if same:
                        hit = entry
                        break
                row = (row + uint64(1)) & mask
            if hit >= 0:
                _times(products, depth, values, hit, product)
                continue
            best, least = -1, 0
            for i in range(first, last):
                v = scope[i]
                score = ranks[v] + breadths[_size(domains[v])] - breadths[0] * pressure[v]
                if best < 0 or score < least:
                    best, least = v, score
            depth += 1
            now[DEPTH] = depth
            frames[depth, FIRST], frames[depth, LAST], frames[depth, VARIABLE], frames[depth, MARK] = first, last, best, now[TRAIL]
            frames[depth, NEXT] = frames[depth, BEGIN] = now[PARTS_TOP]
            frames[depth, KEY], frames[depth, KEY_SIZE], frames[depth, COUNTING] = begin, size, 0
            frames[depth, TOP], frames[depth, RENAMED] = now[SCOPE_TOP], renamed
            now[ARENA_END] += size
            rest[depth] = domains[best]
            for word in range(words):
                totals[depth, word] = uint64(0)
            continue
        if frames[depth, COUNTING]:
            if frames[depth, TIMES] > 1:
                _times_small(products, depth, uint64(frames[depth, TIMES]))
            _plus(totals, depth, products, depth)
            frames[depth, COUNTING] = 0
            now[PARTS_TOP], now[SCOPE_TOP] = frames[depth, BEGIN], frames[depth, TOP]
            _undo(frames[depth, MARK], domains, trail, now)
        if rest[depth] == 0:
            if depth == 0:
                return DONE
            begin, size = frames[depth, KEY], frames[depth, KEY_SIZE]
            if begin >= 0:
                code = _code(arena, begin, size)
                row = code & mask
                while index[row] >= 0:
                    row = (row + uint64(1)) & mask
                entry = now[ENTRIES]
                index[row] = entry
                entries[entry, 0], entries[entry, 1], entries[entry, 2] = begin, size, np.int64(code)
                for word in range(words):
                    values[entry, word] = totals[depth, word]
                now[ENTRIES] += 1
            _times(products, depth - 1, totals, depth, product)
            now[DEPTH] -= 1
            continue
        if now[WORK] >= work:
            return RUNNING
        now[DECISIONS] += 1
        v = frames[depth, VARIABLE]
        bit = rest[depth] & (~rest[depth] + uint64(1))
        alike = bit
        if frames[depth, RENAMED]:
            alike = rest[depth] << uint64(problem[aligned + v])
            chosen = bit << uint64(problem[aligned + v])
            for i in range(frames[depth, FIRST], frames[depth, LAST]):
                other = domains[scope[i]] << uint64(problem[aligned + scope[i]])
                alike &= other if other & chosen else ~other
            alike >>= uint64(problem[aligned + v])
        rest[depth] &= ~alike
        frames[depth, TIMES] = _size(alike)
        if bit != domains[v]:
            _restrict(v, bit, problem, domains, trail, now, queue, waiting)
        if not propagate(problem, tables, domains, trail, now, queue, waiting, reached, wanted):
            _undo(frames[depth, MARK], domains, trail, now)
            continue
        for word in range(words):
            products[depth, word] = uint64(0)
        products[depth, 0] = uint64(1)
        split(
            problem, tables, domains, trail, now, queue, waiting, reached, wanted, scope, frames[depth, FIRST], frames[depth, LAST], parts,
            group, met, line, products, depth,
        )  # fmt: skip
        frames[depth, NEXT] = frames[depth, BEGIN]
        frames[depth, COUNTING] = 1


@njit(cache=True, nogil=True, error_model="numpy")
def reindex(entries: Ints, used: int, index: Arcs) -> None:
    """Enters all that is remembered into a larger, empty hash table."""
    mask = uint64(index.shape[0] - 1)
    for entry in range(used):
        row = uint64(entries[entry, 2]) & mask
        while index[row] >= 0:
            row = (row + uint64(1)) & mask
        index[row] = entry


# -- tree decomposition


@njit(forceinline=True, nogil=True, error_model="numpy")
def _fill(node: Any, graph: Any) -> Any:
    """Edges missing between the neighbours of a node, each counted twice, and in the lower bits how many neighbours it has."""
    words = graph.shape[1]
    degree, missing = 0, 0
    for word in range(words):
        degree += _size(graph[node, word])
    if degree <= 200:
        for word in range(words):
            rest = graph[node, word]
            while rest:
                other = 64 * word + _lowest(rest)
                rest &= rest - uint64(1)
                for again in range(words):
                    missing += _size(graph[node, again] & ~graph[other, again])
                missing -= 1
    else:
        missing = degree * degree
    return (missing << 13) + degree


@njit(cache=True, nogil=True, error_model="numpy")
def eliminate(graph: Words, costs: Ints, order: Ints, done: int, work: int) -> int:
    """Eliminates nodes, always one that adds fewest edges, until all are gone or enough ``work`` is done; returns how many are.

    A row of ``graph`` is the set of a node's neighbours; it stays as it is when the node goes. ``costs`` are -1 where they are to be
    found anew, -2 of nodes that are gone.
    """
    count, words = graph.shape
    seen = 0
    while done < count and seen < work:
        best = -1
        for node in range(count):
            if costs[node] == -1:
                costs[node] = _fill(node, graph)
                seen += words * (1 + (costs[node] & 8191))
            if costs[node] >= 0 and (best < 0 or costs[node] < costs[best]):
                best = node
        seen += count
        order[done] = best
        done += 1
        costs[best] = -2
        gone_word, gone = best >> 6, uint64(1) << uint64(best & 63)
        for word in range(words):
            rest = graph[best, word]
            while rest:
                bit = rest & (~rest + uint64(1))
                rest ^= bit
                node = 64 * word + _lowest(bit)
                graph[node, gone_word] &= ~gone
                costs[node] = -1
                changed = False
                for again in range(words):
                    joined = graph[node, again] | graph[best, again]
                    if again == word:
                        joined &= ~bit
                    changed |= joined != graph[node, again]
                    graph[node, again] = joined
                if changed:  # others may now be joined by an edge more
                    for again in range(words):
                        near = graph[node, again]
                        while near:
                            costs[64 * again + _lowest(near)] = -1
                            near &= near - uint64(1)
    return done

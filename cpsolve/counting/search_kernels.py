"""The compiled loops of counting by search: propagation, splitting into components, caching, listing.

A variable's domain is one word: bit i stands for its least value plus i. Constraints are numbered: first the sums, then the sets of
different values, then the automata. Everything that the search knows lies in arrays that the caller holds, so that it can stop between
any two decisions and go on.
"""

# Kernels take and return plain arrays and numbers, and run in slices: between two slices the caller looks at the clock and signals.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from cpsolve.counting.kernels import Arcs, Ints, Words, add, mix, multiply

Flags = NDArray[np.bool_]
Problem = tuple[Any, ...]
"""(lows, where, by, sum_at, sum_of, sum_by, limits, equal, set_at, set_of, set_shift, permutation, auto_at, auto_of, tables_at, tables,
columns, states_at): see ``search.Tables``."""

DONE, RUNNING, FULL = 0, 1, 2


@njit(inline="always")
def _lowest(word: Any) -> Any:
    """The place of the lowest bit that is set."""
    place = 0
    if word & uint64(0xFFFFFFFF) == 0:
        word >>= uint64(32)
        place += 32
    if word & uint64(0xFFFF) == 0:
        word >>= uint64(16)
        place += 16
    if word & uint64(0xFF) == 0:
        word >>= uint64(8)
        place += 8
    if word & uint64(0xF) == 0:
        word >>= uint64(4)
        place += 4
    if word & uint64(0x3) == 0:
        word >>= uint64(2)
        place += 2
    if word & uint64(0x1) == 0:
        place += 1
    return place


@njit(inline="always")
def _highest(word: Any) -> Any:
    place = 0
    if word >> uint64(32):
        word >>= uint64(32)
        place += 32
    if word >> uint64(16):
        word >>= uint64(16)
        place += 16
    if word >> uint64(8):
        word >>= uint64(8)
        place += 8
    if word >> uint64(4):
        word >>= uint64(4)
        place += 4
    if word >> uint64(2):
        word >>= uint64(2)
        place += 2
    if word >> uint64(1):
        place += 1
    return place


@njit(inline="always")
def _size(word: Any) -> Any:
    word = word - ((word >> uint64(1)) & uint64(0x5555555555555555))
    word = (word & uint64(0x3333333333333333)) + ((word >> uint64(2)) & uint64(0x3333333333333333))
    word = (word + (word >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * uint64(0x0101010101010101)) >> uint64(56))


@njit(inline="always")
def _fixed(domain: Any) -> Any:
    return domain & (domain - uint64(1)) == 0


@njit(cache=True, nogil=True)
def _restrict(
    v: int, domain: Any, domains: Words, trail_of: Arcs, trail: Words, now: Ints, where: Ints, by: Ints, queue: Ints, waiting: Flags
) -> bool:
    """Narrows a domain and wakes its constraints; False when nothing is left. now[0] is the trail's length, now[1] the queue's."""
    if domain == domains[v]:
        return True
    trail_of[now[0]] = v
    trail[now[0]] = domains[v]
    now[0] += 1
    domains[v] = domain
    if domain == 0:
        return False
    for k in range(where[v], where[v + 1]):
        c = by[k]
        if not waiting[c]:
            waiting[c] = True
            queue[now[1]] = c
            now[1] += 1
    return True


@njit(cache=True, nogil=True)
def _sum(c: int, problem: Problem, domains: Words, trail_of: Arcs, trail: Words, now: Ints, queue: Ints, waiting: Flags) -> bool:
    """Bounds of a sum of multiples, at most or equal to a limit."""
    lows, where, by, sum_at, sum_of, sum_by, limits, equal = problem[:8]
    limit, exact = limits[c], equal[c]
    least, most = 0, 0
    for k in range(sum_at[c], sum_at[c + 1]):
        v, by_ = sum_of[k], sum_by[k]
        low, high = lows[v] + _lowest(domains[v]), lows[v] + _highest(domains[v])
        if by_ > 0:
            least += by_ * low
            most += by_ * high
        else:
            least += by_ * high
            most += by_ * low
    if least > limit or (exact and most < limit):
        return False
    if not exact and most <= limit:
        return True
    for k in range(sum_at[c], sum_at[c + 1]):
        v, by_ = sum_of[k], sum_by[k]
        domain = domains[v]
        if _fixed(domain):
            continue
        low, high = lows[v] + _lowest(domain), lows[v] + _highest(domain)
        if by_ > 0:
            mine_least, mine_most = by_ * low, by_ * high
        else:
            mine_least, mine_most = by_ * high, by_ * low
        if mine_most - mine_least <= limit - least and (not exact or mine_most - mine_least <= most - limit):
            continue
        kept, rest = domain, domain
        while rest:
            bit = rest & (~rest + uint64(1))
            rest ^= bit
            term = by_ * (lows[v] + _lowest(bit))
            if least - mine_least + term > limit or (exact and most - mine_most + term < limit):
                kept ^= bit
        if kept != domain:
            if not _restrict(v, kept, domains, trail_of, trail, now, where, by, queue, waiting):
                return False
            low, high = lows[v] + _lowest(kept), lows[v] + _highest(kept)
            if by_ > 0:
                least += by_ * low - mine_least
                most += by_ * high - mine_most
            else:
                least += by_ * high - mine_least
                most += by_ * low - mine_most
            if least > limit or (exact and most < limit):
                return False
    return True


@njit(cache=True, nogil=True)
def _different(s: int, problem: Problem, domains: Words, trail_of: Arcs, trail: Words, now: Ints, queue: Ints, waiting: Flags) -> bool:
    """No value twice: certain values leave the other domains; as many values as variables and only one place for a value: it goes there."""
    where, by = problem[1], problem[2]
    set_at, set_of, set_shift, permutation = problem[8:12]
    while True:
        taken = uint64(0)
        once, twice = uint64(0), uint64(0)
        for k in range(set_at[s], set_at[s + 1]):
            domain = domains[set_of[k]] << uint64(set_shift[k])
            if _fixed(domain):
                if taken & domain:
                    return False
                taken |= domain
            twice |= once & domain
            once |= domain
        if _size(once) < set_at[s + 1] - set_at[s]:
            return False
        only = once & ~twice & ~taken if permutation[s] else uint64(0)
        again = False
        for k in range(set_at[s], set_at[s + 1]):
            v, shift = set_of[k], uint64(set_shift[k])
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
                if not _restrict(v, kept, domains, trail_of, trail, now, where, by, queue, waiting):
                    return False
                again |= _fixed(kept)
        if not again:
            return True


@njit(cache=True, nogil=True)
def _automaton(
    a: int,
    problem: Problem,
    domains: Words,
    trail_of: Arcs,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Flags,
    reached: Flags,
    wanted: Flags,
) -> int:
    """Keeps the values that lie on a way to acceptance: 0 when there is none, 1 when some words are rejected, 2 when none is."""
    where, by = problem[1], problem[2]
    auto_at, auto_of, tables_at, tables, columns, states_at = problem[12:18]
    first, last = auto_at[a], auto_at[a + 1]
    start, end = states_at[first], states_at[last]
    reached[start : end + 1] = False
    wanted[start : end + 1] = False
    reached[start + 1] = True
    certain = True
    for k in range(first, last):
        here, there = states_at[k], states_at[k + 1]
        final = k == last - 1
        for state in range(there - here):
            if reached[here + state]:
                rest = domains[auto_of[k]]
                while rest:
                    bit = rest & (~rest + uint64(1))
                    rest ^= bit
                    after = tables[tables_at[k] + state * columns[k] + _lowest(bit)]
                    if after < 0:
                        certain = False
                    elif not final:
                        reached[there + after] = True
    if certain:
        return 2
    for i in range(last - first):
        k = last - 1 - i
        here, there = states_at[k], states_at[k + 1]
        final = k == last - 1
        kept = uint64(0)
        for state in range(there - here):
            if reached[here + state]:
                rest = domains[auto_of[k]]
                while rest:
                    bit = rest & (~rest + uint64(1))
                    rest ^= bit
                    after = tables[tables_at[k] + state * columns[k] + _lowest(bit)]
                    if after >= 0 and (final or wanted[there + after]):
                        wanted[here + state] = True
                        kept |= bit
        if kept == 0:
            return 0
        if not _restrict(auto_of[k], kept, domains, trail_of, trail, now, where, by, queue, waiting):
            return 0
    return 1


@njit(cache=True, nogil=True)
def propagate(
    problem: Problem, domains: Words, trail_of: Arcs, trail: Words, now: Ints, queue: Ints, waiting: Flags, reached: Flags, wanted: Flags
) -> bool:
    """Runs all constraints that were woken, and those they wake, until nothing changes; False when they clash."""
    sums, sets = problem[6].shape[0], problem[11].shape[0]
    possible = True
    while now[1]:
        now[1] -= 1
        c = queue[now[1]]
        waiting[c] = False
        if not possible:
            continue  # only empties the queue
        if c < sums:
            possible = _sum(c, problem, domains, trail_of, trail, now, queue, waiting)
        elif c < sums + sets:
            possible = _different(c - sums, problem, domains, trail_of, trail, now, queue, waiting)
        else:
            possible = _automaton(c - sums - sets, problem, domains, trail_of, trail, now, queue, waiting, reached, wanted) > 0
    return possible


@njit(inline="always")
def _undo(mark: Any, domains: Any, trail_of: Any, trail: Any, now: Any) -> Any:
    while now[0] > mark:
        now[0] -= 1
        domains[trail_of[now[0]]] = trail[now[0]]


# -- listing


@njit(cache=True, nogil=True)
def find(
    problem: Problem,
    domains: Words,
    trail_of: Arcs,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Flags,
    reached: Flags,
    wanted: Flags,
    ranks: Ints,
    stack: Ints,
    rest: Words,
    found: Arcs,
    steps: int,
) -> int:
    """Writes solutions (places of values) into the rows of ``found`` until there are no more, it is full, or ``steps`` have been made.

    now[2] is the depth of the stack of (variable, mark of the trail), now[3] the number of rows written.
    """
    count = domains.shape[0]
    while steps > 0:
        steps -= 1
        if now[2] < 0:
            return DONE
        depth = now[2]
        if depth > 0:  # try the next value of the variable on top
            v, mark = stack[2 * depth], stack[2 * depth + 1]
            _undo(mark, domains, trail_of, trail, now)
            if rest[depth] == 0:
                now[2] -= 1
                if now[2] == 0:
                    now[2] = -1
                continue
            bit = rest[depth] & (~rest[depth] + uint64(1))
            rest[depth] ^= bit
            _restrict(v, bit, domains, trail_of, trail, now, problem[1], problem[2], queue, waiting)
            if not propagate(problem, domains, trail_of, trail, now, queue, waiting, reached, wanted):
                continue
        best, least = -1, 0
        for v in range(count):
            if not _fixed(domains[v]):
                score = _size(domains[v]) * 100000 + ranks[v]
                if best < 0 or score < least:
                    best, least = v, score
        if best < 0:
            for v in range(count):
                found[now[3], v] = _lowest(domains[v])
            now[3] += 1
            if depth == 0:
                now[2] = -1
            if now[3] == found.shape[0]:
                return FULL
            continue
        now[2] += 1
        stack[2 * now[2]], stack[2 * now[2] + 1] = best, now[0]
        rest[now[2]] = domains[best]
    return RUNNING


# -- counting with components and a cache


@njit(cache=True, nogil=True)
def _left(c: int, problem: Problem, domains: Words) -> tuple[int, bool]:
    """What is left of a sum's limit for the variables that are not certain, and whether the sum still excludes anything."""
    lows, sum_at, sum_of, sum_by, limits, equal = problem[0], problem[3], problem[4], problem[5], problem[6], problem[7]
    left, most, free = limits[c], 0, 0
    for k in range(sum_at[c], sum_at[c + 1]):
        v, by = sum_of[k], sum_by[k]
        domain = domains[v]
        if _fixed(domain):
            left -= by * (lows[v] + _lowest(domain))
        else:
            free += 1
            most += by * (lows[v] + (_highest(domain) if by > 0 else _lowest(domain)))
    return left, free > 0 and (equal[c] or most > left)


@njit(cache=True, nogil=True)
def split(
    problem: Problem,
    domains: Words,
    scope: Arcs,
    first: int,
    last: int,
    top: int,
    parts: Arcs,
    part: int,
    seen: Ints,
    met: Ints,
    now: Ints,
    queue: Ints,
    waiting: Flags,
    trail_of: Arcs,
    trail: Words,
    reached: Flags,
    wanted: Flags,
    factor: Words,
) -> tuple[int, int]:
    """The connected groups of uncertain variables of scope[first:last], written behind ``top``; ``parts`` gets where they begin and end.

    A variable that nothing holds any more multiplies ``factor`` by the number of its values. now[4] is a stamp for ``seen`` and ``met``.
    Returns the new tops of scope and parts.
    """
    where, by = problem[1], problem[2]
    sum_at, sum_of = problem[3], problem[4]
    set_at, set_of, set_shift = problem[8], problem[9], problem[10]
    auto_at, auto_of = problem[12], problem[13]
    sums, sets = problem[6].shape[0], problem[11].shape[0]
    now[4] += 1
    stamp = now[4]
    product = np.empty(factor.shape[0], np.uint64)
    single = np.empty(1, np.uint64)
    begin = part
    for i in range(first, last):
        root = scope[i]
        if seen[root] == stamp or _fixed(domains[root]):
            continue
        start = top
        held = False
        seen[root] = stamp
        scope[top] = root
        top += 1
        at = start
        while at < top:
            v = scope[at]
            at += 1
            for j in range(where[v], where[v + 1]):
                c = by[j]
                if c < sums:
                    if met[c] == stamp:
                        continue
                    met[c] = stamp
                    _, active = _left(c, problem, domains)
                    if not active:
                        continue
                    held = True
                    for k in range(sum_at[c], sum_at[c + 1]):
                        u = sum_of[k]
                        if seen[u] != stamp and not _fixed(domains[u]):
                            seen[u] = stamp
                            scope[top] = u
                            top += 1
                elif c < sums + sets:
                    s = c - sums
                    mine = uint64(0)
                    for k in range(set_at[s], set_at[s + 1]):
                        if set_of[k] == v:
                            mine = domains[v] << uint64(set_shift[k])
                    for k in range(set_at[s], set_at[s + 1]):
                        u = set_of[k]
                        if u != v and not _fixed(domains[u]) and (domains[u] << uint64(set_shift[k])) & mine:
                            held = True
                            if seen[u] != stamp:
                                seen[u] = stamp
                                scope[top] = u
                                top += 1
                else:
                    if met[c] == stamp:
                        continue
                    met[c] = stamp
                    a = c - sums - sets
                    if _automaton(a, problem, domains, trail_of, trail, now, queue, waiting, reached, wanted) == 2:
                        continue
                    held = True
                    for k in range(auto_at[a], auto_at[a + 1]):
                        u = auto_of[k]
                        if seen[u] != stamp and not _fixed(domains[u]):
                            seen[u] = stamp
                            scope[top] = u
                            top += 1
        if top == start + 1 and not held:
            single[0] = _size(domains[root])
            multiply(product, factor, single)
            factor[:] = product
            top = start
            continue
        scope[start:top].sort()
        parts[part, 0], parts[part, 1] = start, top
        part += 1
    for i in range(begin + 1, part):  # small groups first: if one of them has no solution the others need not be counted
        j = i
        while j > begin and parts[j, 1] - parts[j, 0] < parts[j - 1, 1] - parts[j - 1, 0]:
            a, b = parts[j, 0], parts[j, 1]
            parts[j, 0], parts[j, 1] = parts[j - 1, 0], parts[j - 1, 1]
            parts[j - 1, 0], parts[j - 1, 1] = a, b
            j -= 1
    return top, part


@njit(cache=True, nogil=True)
def _key(problem: Problem, domains: Words, scope: Arcs, first: int, last: int, met: Ints, now: Ints, key: Any) -> int:
    """Writes what decides the number of solutions of a group of variables; returns how long it is."""
    where, by = problem[1], problem[2]
    auto_at, auto_of = problem[12], problem[13]
    sums, sets = problem[6].shape[0], problem[11].shape[0]
    now[4] += 1
    stamp = now[4]
    size = 1
    key[0] = last - first
    for i in range(first, last):
        v = scope[i]
        key[size] = v
        key[size + 1] = np.uint32(domains[v] & uint64(0xFFFFFFFF))
        key[size + 2] = np.uint32(domains[v] >> uint64(32))
        size += 3
    for i in range(first, last):
        v = scope[i]
        for j in range(where[v], where[v + 1]):
            c = by[j]
            if met[c] == stamp or sums <= c < sums + sets:
                continue
            met[c] = stamp
            if c < sums:
                left, active = _left(c, problem, domains)
                if active:
                    key[size] = c
                    key[size + 1] = np.uint32(uint64(left) & uint64(0xFFFFFFFF))
                    key[size + 2] = np.uint32(uint64(left) >> uint64(32))
                    size += 3
            else:
                a = c - sums - sets
                key[size] = c
                size += 1
                for k in range(auto_at[a], auto_at[a + 1]):
                    domain = domains[auto_of[k]]
                    if _fixed(domain):
                        key[size] = 1 + _lowest(domain)
                        size += 1
    return size


@njit(cache=True, nogil=True)
def count(
    problem: Problem,
    domains: Words,
    trail_of: Arcs,
    trail: Words,
    now: Ints,
    queue: Ints,
    waiting: Flags,
    reached: Flags,
    wanted: Flags,
    ranks: Ints,
    breadth: float,
    scope: Arcs,
    parts: Arcs,
    seen: Ints,
    met: Ints,
    frames: Ints,
    rest: Words,
    totals: Words,
    products: Words,
    arena: NDArray[np.uint32],
    entries: Ints,
    values: Words,
    index: Arcs,
    longest: int,
    steps: int,
) -> int:
    """Counts by branching, splitting and remembering, until done, out of room in the cache, or ``steps`` decisions have been made.

    A frame holds: where its variables begin and end in ``scope``, its variable, the mark of the trail, the part to count next, where its
    parts begin, where its key begins in the arena (-1: not remembered), the key's length, and whether a value is being counted.
    now: 0 trail, 1 queue, 2 depth, 4 stamp, 5 end of the arena, 6 entries, 7 top of scope, 8 top of parts, 9 decisions, 10 hits.
    """
    words = totals.shape[1]
    product = np.empty(words, np.uint64)
    mask = uint64(index.shape[0] - 1)
    while True:
        depth = now[2]
        frame = frames[depth]
        if frame[8] and frame[4] < now[8]:
            zero = True
            for word in range(words):
                zero &= products[depth, word] == 0
            if zero:
                frame[4] = now[8]
                continue
            if now[5] + longest > arena.shape[0] or now[6] + depth + 2 > entries.shape[0]:
                return FULL
            first, last = parts[frame[4], 0], parts[frame[4], 1]
            frame[4] += 1
            size = _key(problem, domains, scope, first, last, met, now, arena[now[5] :])
            code = uint64(size)
            for i in range(size):
                code = mix(code ^ uint64(arena[now[5] + i]))
            row = code & mask
            hit = -1
            while index[row] >= 0:
                entry = index[row]
                if uint64(entries[entry, 2]) == code and entries[entry, 1] == size:
                    same = True
                    for i in range(size):
                        if arena[entries[entry, 0] + i] != arena[now[5] + i]:
                            same = False
                            break
                    if same:
                        hit = entry
                        break
                row = (row + uint64(1)) & mask
            if hit >= 0:
                now[10] += 1
                multiply(product, products[depth], values[hit])
                products[depth] = product
                continue
            best, least = -1, 0.0
            for i in range(first, last):
                v = scope[i]
                score = ranks[v] + breadth * np.log2(float(_size(domains[v])))
                if best < 0 or score < least:
                    best, least = v, score
            now[2] += 1
            depth += 1
            frame = frames[depth]
            frame[0], frame[1], frame[2], frame[3] = first, last, best, now[0]
            frame[4] = frame[5] = now[8]
            frame[6], frame[7], frame[8] = now[5], size, 0
            frame[9] = now[7]
            now[5] += size
            rest[depth] = domains[best]
            totals[depth] = 0
            continue
        if frame[8]:
            add(totals[depth], products[depth])
            frame[8] = 0
            now[8], now[7] = frame[5], frame[9]
            _undo(frame[3], domains, trail_of, trail, now)
        if rest[depth] == 0:
            if depth == 0:
                return DONE
            if frame[6] >= 0:
                code = uint64(frame[7])
                for i in range(frame[7]):
                    code = mix(code ^ uint64(arena[frame[6] + i]))
                row = code & mask
                while index[row] >= 0:
                    row = (row + uint64(1)) & mask
                index[row] = now[6]
                entries[now[6], 0], entries[now[6], 1], entries[now[6], 2] = frame[6], frame[7], np.int64(code)
                values[now[6]] = totals[depth]
                now[6] += 1
            multiply(product, products[depth - 1], totals[depth])
            products[depth - 1] = product
            now[2] -= 1
            continue
        if steps <= 0:
            return RUNNING
        steps -= 1
        now[9] += 1
        bit = rest[depth] & (~rest[depth] + uint64(1))
        rest[depth] ^= bit
        _restrict(frame[2], bit, domains, trail_of, trail, now, problem[1], problem[2], queue, waiting)
        if not propagate(problem, domains, trail_of, trail, now, queue, waiting, reached, wanted):
            _undo(frame[3], domains, trail_of, trail, now)
            continue
        products[depth] = 0
        products[depth, 0] = 1
        now[7], now[8] = split(
            problem, domains, scope, frame[0], frame[1], now[7], parts, now[8], seen, met, now, queue, waiting, trail_of, trail, reached,
            wanted, products[depth],
        )  # fmt: skip
        frame[4] = frame[5]
        frame[8] = 1


@njit(cache=True, nogil=True)
def reindex(entries: Ints, used: int, index: Arcs) -> None:
    """Enters all that is remembered into a larger, empty hash table."""
    mask = uint64(index.shape[0] - 1)
    for entry in range(used):
        row = uint64(entries[entry, 2]) & mask
        while index[row] >= 0:
            row = (row + uint64(1)) & mask
        index[row] = entry

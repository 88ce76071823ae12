"""The compiled step of the frontier method: what deciding one node does to all states.

Nodes are decided one by one, with all their edges to nodes that come later. A state has a code for every later node that an edge has
reached or might have: FREE (untouched), DONE (inside a path), or the end of a path with the place of the other end and, in graphs with
one-way arcs, the direction in which the path must go on. The codes lie side by side in the words of a key; behind the key stands the
number of ways, in as many words as it needs. Rows are kept in a hash table, an empty row has 0 in its first word.
"""

# Kernels take and return plain arrays and numbers, and run in slices: between two slices the caller looks at the clock and signals.

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from cpsolve.counting.kernels import Words, add, put

FREE, DONE, FIRST_END = 0, 1, 2
EITHER, LEAVES, ENTERS = 0, 1, 2


@njit(inline="always")
def _get(key: Any, place: Any, bits: Any, fields: Any) -> Any:
    return (key[place // fields] >> uint64((place % fields) * bits)) & uint64((1 << bits) - 1)


@njit(inline="always")
def _set(key: Any, place: Any, code: Any, bits: Any, fields: Any) -> Any:
    shift = uint64((place % fields) * bits)
    key[place // fields] = (key[place // fields] & ~(uint64((1 << bits) - 1) << shift)) | (uint64(code) << shift)


@njit(inline="always")
def _take(key: Any, a: Any, b: Any, ways: Any, directed: Any, bits: Any, fields: Any) -> Any:
    """Joins the nodes at places a and b; -1 if that cannot be, 0 if it was done, else in how many directions it closes a circuit.

    ``ways`` has bit 1 if the edge leads from a to b, bit 2 if it leads from b to a. Without ``directed`` every path may be walked in
    both directions and circuits are counted once.
    """
    shift = 2 if directed else 0
    code_a, code_b = int(_get(key, a, bits, fields)), int(_get(key, b, bits, fields))
    if code_a == DONE or code_b == DONE:
        return -1
    end_a, end_b, way_a, way_b = a, b, EITHER, EITHER
    if code_a != FREE:
        end_a = (code_a - FIRST_END) >> shift
        way_a = (code_a - FIRST_END) & 3 if directed else EITHER
    if code_b != FREE:
        end_b = (code_b - FIRST_END) >> shift
        way_b = (code_b - FIRST_END) & 3 if directed else EITHER
    forward = ways & 1 and way_a != ENTERS and way_b != LEAVES
    backward = ways & 2 and way_a != LEAVES and way_b != ENTERS
    if not (forward or backward):
        return -1
    _set(key, a, DONE, bits, fields)
    _set(key, b, DONE, bits, fields)
    if end_a == b:
        return 2 if directed and forward and backward else 1
    after_a, after_b = EITHER, EITHER
    if directed and not (forward and backward):
        after_a, after_b = (ENTERS, LEAVES) if forward else (LEAVES, ENTERS)
    _set(key, end_a, FIRST_END + (end_b << shift) + after_a, bits, fields)
    _set(key, end_b, FIRST_END + (end_a << shift) + after_b, bits, fields)
    return 0


@njit(inline="always")
def _complete(key: Any, waiting: Any, fields: Any, bits: Any) -> Any:
    """Whether no path is open and every node in ``waiting`` that must be visited is done: 2 may be left out, 1 must be visited."""
    for place in range(waiting.shape[0]):
        code = _get(key, place, bits, fields)
        if code > DONE or (code == FREE and waiting[place] == 1):
            return False
    return True


@njit(cache=True, nogil=True)
def decide(
    old: Words,
    first: int,
    last: int,
    new: Words,
    used: int,
    total: Words,
    own: int,
    optional: bool,
    heads: NDArray[np.int64],
    ways: NDArray[np.int64],
    waiting: NDArray[np.int64],
    closable: bool,
    directed: bool,
    bits: int,
    fields: int,
    key_words: int,
) -> tuple[int, int]:
    """Decides the node at place ``own`` in rows first..last of ``old``: its edges lead to the places ``heads``.

    Returns the row where it stopped, because ``new`` was half full, and the number of rows in use in ``new``.
    """
    room = new.shape[0] // 2 - heads.shape[0] * heads.shape[0] - 2
    base, once, key = np.empty(key_words, np.uint64), np.empty(key_words, np.uint64), np.empty(key_words, np.uint64)
    for i in range(first, last):
        if old[i, 0] == 0:
            continue
        if used > room:
            return i, used
        for word in range(key_words):
            base[word] = old[i, word]
        count = old[i, key_words:]
        code = _get(base, own, bits, fields)
        if code == DONE or (code == FREE and optional):
            key[:] = base
            _set(key, own, FREE, bits, fields)
            used += put(new, key, count, key_words)
        if code == DONE:
            continue
        for j in range(heads.shape[0]):
            once[:] = base
            closed = _take(once, own, heads[j], ways[j], directed, bits, fields)
            if closed < 0:
                continue
            if code != FREE:
                _set(once, own, FREE, bits, fields)
                if closed == 0:
                    used += put(new, once, count, key_words)
                elif closable and _complete(once, waiting, fields, bits):
                    for _ in range(closed):
                        add(total, count)
                continue
            for k in range(j):  # a fresh node is entered and left at once
                key[:] = once
                closed = _take(key, own, heads[k], ways[k], directed, bits, fields)
                if closed < 0:
                    continue
                _set(key, own, FREE, bits, fields)
                if closed == 0:
                    used += put(new, key, count, key_words)
                elif closable and _complete(key, waiting, fields, bits):
                    for _ in range(closed):
                        add(total, count)
    return last, used

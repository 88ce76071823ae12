"""In which order a diagram reads its slots, in compiled code.

A diagram is as wide as the number of states that its factors can be in at once, so a good order keeps few factors half read. Finding
the best order is as hard as counting; several cheap orders are made, their widths estimated, and the best one taken.

Kernels take arrays and scalars and return one scalar; see ``sum_kernels`` for why.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from cpsolve.compilation import announce
from cpsolve.counting.ordering import DIFFERENT, GLUE, STEADY, SUM

announce()

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

ENOUGH = 6
"""One more order is tried for each such number of nodes per slot of the best one."""
LARGE, HUGE = 1000, 10_000
"""A component of more slots is swept first, or only swept: greedy orders take their time."""
LOOKED_AT = 256
"""How many of the slots in reach are compared: where there are more, no order is good."""
HOPELESS = 1e30
"""An estimate after which no more than one order of each kind is tried."""
MOST_LOOKS = 20_000_000
"""How many times a slot's part in a factor is looked at in search of a good order, which nothing can interrupt: a fifth of a second."""
WIDEST = 24.0
"""Beyond this number of bits one factor's estimate no longer matters: the order is bad."""
BITS = np.log2(np.arange(1.0, 130.0))
FACTORIAL_BITS = np.concatenate((np.zeros(1), np.cumsum(BITS)))


def compiled(function: Function) -> Function:
    """Compiles a function that Python calls, once for all processes."""
    return cast(Function, numba.njit(cache=True, error_model="numpy")(function))


def inner(function: Function) -> Function:
    """Compiles a function that only compiled ones call: it goes into their cache."""
    return cast(Function, numba.njit(error_model="numpy")(function))


class Graph(NamedTuple):
    """Slots and the factors that connect them.

    Slot i is in ``factors[at[i] : at[i + 1]]`` and takes up ``spans`` of them; all slots of factor f take up ``whole[f]``. Slots that are
    ``late`` (1) come after all of their component that are not (0).
    """

    at: Ints
    factors: Ints
    spans: Floats
    late: Ints
    kind: Ints
    low: Floats
    high: Floats
    whole: Floats


class _Inverse(NamedTuple):
    """Factor f is over ``slots[over[f] : over[f + 1]]``."""

    over: Ints
    slots: Ints


@inner
def _inverse(g: Graph) -> _Inverse:
    over, slots = np.zeros(len(g.kind) + 2, np.int64), np.empty(len(g.factors), np.int64)
    for f in g.factors:
        over[f + 2] += 1
    for f in range(len(g.kind)):
        over[f + 2] += over[f + 1]
    for slot in range(len(g.late)):
        for i in range(g.at[slot], g.at[slot + 1]):
            f = g.factors[i]
            slots[over[f + 1]] = slot
            over[f + 1] += 1
    return _Inverse(over, slots)


class _Marks(NamedTuple):
    """What is read of each factor: how much, how many slots are left, when it was opened, and the bits it remembers.

    By how many bits ``more`` it remembers after a slot of it is worked out once as long as it stays so: ``asked`` was then ``left``.
    ``looks`` is one number: how often a part of a slot may still be looked at.
    """

    read: Floats
    left: Ints
    opened: Ints
    bits: Floats
    asked: Ints
    more: Floats
    looks: Ints


@inner
def _components(g: Graph, v: _Inverse, listed: Ints, begins: Ints, home: Ints) -> int:
    """Lists the slots, component by component and by distance from the first, where each begins, and each slot's; their number."""
    count = len(home)
    followed = np.zeros(len(g.kind), np.bool_)
    components = done = glued = 0
    for i in range(count):
        home[i] = -1
    for start in range(count):
        if home[start] >= 0:
            continue
        begins[components] = done
        listed[done], home[start] = start, components
        end = done + 1
        while done < end or glued < end:
            plain = done < end  # glue is followed when nothing else is left
            slot = listed[done if plain else glued]
            done, glued = (done + 1, glued) if plain else (done, glued + 1)
            for i in range(g.at[slot], g.at[slot + 1]):
                f = g.factors[i]
                if (g.kind[f] != GLUE) == plain and not followed[f]:
                    followed[f] = True
                    for k in range(v.over[f], v.over[f + 1]):
                        near = v.slots[k]
                        if home[near] < 0:
                            home[near] = components
                            listed[end] = near
                            end += 1
        components += 1
    begins[components] = done
    return components


@inner
def _factorial_bits(n: float) -> float:
    return float(FACTORIAL_BITS[int(n)]) if n < len(FACTORIAL_BITS) else math.lgamma(n + 1.0) / math.log(2.0)


@inner
def _remembered(kind: int, low: float, high: float, read: float, after: float) -> float:
    """An estimate of what a factor remembers, in bits, when so much of it is read and so much comes after."""
    if kind == SUM:
        top = min(read, high)
        states = top - max(0.0, low - after)
        if low < high:  # where both bounds hold whatever follows, all states are one
            states -= max(0.0, min(top, high - after) - max(0.0, low))
        return float(BITS[int(max(0.0, states))]) if states < len(BITS) else min(WIDEST, math.log2(1.0 + states))
    if kind == STEADY:
        return high
    if kind == DIFFERENT:
        return min(WIDEST, _factorial_bits(read + after) - _factorial_bits(read) - _factorial_bits(after))
    return min(WIDEST, read, after)


@inner
def _bits(g: Graph, i: int, marks: _Marks) -> float:
    """The bits that the factor of ``factors[i]`` will remember when its slot is read next."""
    f = g.factors[i]
    if marks.left[f] == 1:
        return 0.0
    read = marks.read[f] + g.spans[i]
    return _remembered(g.kind[f], g.low[f], g.high[f], read, g.whole[f] - read)


@inner
def _forget(g: Graph, v: _Inverse, members: Ints, marks: _Marks) -> None:
    """Marks the factors of a component as not read."""
    for slot in members:
        for i in range(g.at[slot], g.at[slot + 1]):
            f = g.factors[i]
            marks.read[f], marks.left[f], marks.opened[f], marks.bits[f] = 0.0, v.over[f + 1] - v.over[f], len(members), 0.0
            marks.asked[i] = 0


@inner
def _read(g: Graph, slot: int, marks: _Marks) -> float:
    """Marks a slot as read; by how many bits more is remembered."""
    more = 0.0
    for i in range(g.at[slot], g.at[slot + 1]):
        f = g.factors[i]
        if g.kind[f] != GLUE:
            bits = _bits(g, i, marks)
            marks.read[f] += g.spans[i]
            marks.left[f] -= 1
            more += bits - marks.bits[f]
            marks.bits[f] = bits
    return more


@inner
def _estimate(g: Graph, v: _Inverse, order: Ints, enough: float, marks: _Marks) -> float:
    """The estimated number of nodes when slots are read in this order, or some number from ``enough`` on."""
    _forget(g, v, order, marks)
    bits = nodes = 0.0
    for slot in order:
        bits += _read(g, slot, marks)
        nodes += 2.0 ** min(bits, 900.0)
        if nodes >= enough:
            break
    return nodes


@inner
def _greedy(
    g: Graph, v: _Inverse, members: Ints, start: int, patient: bool, enough: float, order: Ints, marks: _Marks, placed: Ints
) -> float:
    """Reads next, among the slots near what is read, the one that leaves least open; returns the estimate of that order.

    The order is left unfinished at an estimate of ``enough``, or when no looks are left: that is told as ``enough`` too. A patient order
    first serves the factor that has been half read for longest.
    ``placed`` is 0 for slots out of reach, 1 for those in reach and 2 for those that are read.
    """
    count = len(members)
    near = np.empty(count, np.int64)
    _forget(g, v, members, marks)
    early = 0
    for slot in members:
        placed[slot] = 0
        early += 1 - g.late[slot]
    near[0], placed[start] = start, 1
    waiting = 1
    remembered = nodes = 0.0
    for step in range(count):
        best, least_age, least_bits = -1, count + 1, 1e300
        looked = 0
        for i in range(waiting):
            slot = near[i]
            if g.late[slot] and step < early:
                continue
            looked += 1
            if looked > LOOKED_AT:
                break
            marks.looks[0] -= g.at[slot + 1] - g.at[slot]
            bits = 0.0
            age = count
            for k in range(g.at[slot], g.at[slot + 1]):
                f = g.factors[k]
                if g.kind[f] != GLUE:
                    if marks.asked[k] != marks.left[f]:
                        marks.asked[k] = marks.left[f]
                        marks.more[k] = _bits(g, k, marks) - marks.bits[f]
                    bits += marks.more[k]
                    age = min(age, marks.opened[f])
            if patient:
                better = age < least_age or (age == least_age and bits < least_bits)
            else:
                better = bits < least_bits - 1e-9 or (bits < least_bits + 1e-9 and age < least_age)
            if better:
                best, least_age, least_bits = i, age, bits
        if marks.looks[0] < 0:
            return enough
        if best < 0:  # nothing in reach may be read now
            slot = -1
            for other in members:
                if placed[other] == 0 and (slot < 0 or other < slot) and not (g.late[other] and step < early):
                    slot = other
        else:
            slot = near[best]
            waiting -= 1
            near[best] = near[waiting]
        placed[slot] = 2
        order[step] = slot
        remembered += _read(g, slot, marks)
        nodes += 2.0 ** min(remembered, 900.0)
        if nodes >= enough:
            break
        for i in range(g.at[slot], g.at[slot + 1]):
            f = g.factors[i]
            if marks.opened[f] == count and g.kind[f] != GLUE:
                marks.opened[f] = step
                for k in range(v.over[f], v.over[f + 1]):
                    other = v.slots[k]
                    if not placed[other]:
                        placed[other] = 1
                        near[waiting] = other
                        waiting += 1
    return nodes


@inner
def _order(g: Graph, v: _Inverse, members: Ints, sweeps: Ints, tries: int, marks: _Marks, placed: Ints, best: Ints) -> float:
    """Writes a good order of a component's slots: of several greedy ones and the given sweeps, that of the least estimate.

    The more nodes the best order has, the more others are worth trying. Returns the estimate.
    """
    count = len(members)
    order = np.empty(count, np.int64)
    least = 1e300
    given = len(sweeps)
    first = 0 if 2 < count <= LARGE else 1
    most = max(given + 3, tries // count) if 2 < count <= HUGE else given + 1
    tried = first
    luck = 12345
    while tried == first or (least > ENOUGH * count * tried and tried < (most if least < HOPELESS else given + 2)):
        if 1 <= tried <= given:
            for i in range(count):  # assigning to a slice would bring in the code of its error message
                order[i] = sweeps[tried - 1, i]
            nodes = _estimate(g, v, order, least, marks)
        else:
            # members are listed by distance from the first, so the last is far out; an order's end is a good start
            luck = (luck * 1103515245 + 12345) & 0x7FFFFFFF
            start = members[count - 1] if tried == 0 else best[count - 1] if tried == given + 1 else members[(luck >> 8) % count]
            nodes = _greedy(g, v, members, start, tried % 2 == 1, least, order, marks, placed)
        tried += 1
        if nodes < least:
            least = nodes
            for i in range(count):
                best[i] = order[i]
    return least


@inner
def _parted(sweeps: Ints, home: Ints, begins: Ints) -> Ints:
    """The sweeps, each with its slots component by component; ``begins`` says where each of these begins."""
    parted, filled = np.empty((len(sweeps), len(home)), np.int64), np.empty(len(begins), np.int64)
    for number in range(len(sweeps)):
        for c in range(len(begins)):
            filled[c] = begins[c]
        for i in range(len(home)):
            slot = sweeps[number, i]
            parted[number, filled[home[slot]]] = slot
            filled[home[slot]] += 1
    return parted


@inner
def _choose(g: Graph, tries: int, sweeps: Ints, order: Ints, bounds: Ints, estimates: Floats) -> int:
    v = _inverse(g)
    count, factors = len(g.late), len(g.kind)
    listed, home, placed = np.empty(count, np.int64), np.empty(count, np.int64), np.zeros(count, np.int64)
    marks = _Marks(
        np.empty(factors), np.empty(factors, np.int64), np.empty(factors, np.int64), np.empty(factors),
        np.empty(len(g.factors), np.int64), np.empty(len(g.factors)), np.full(1, MOST_LOOKS, np.int64),
    )  # fmt: skip
    components = _components(g, v, listed, bounds, home)
    parted = _parted(sweeps, home, bounds)
    for c in range(components):
        begin, end = bounds[c], bounds[c + 1]
        estimates[c] = _order(g, v, listed[begin:end], parted[:, begin:end], tries, marks, placed, order[begin:end])
    return components


@compiled
def choose_order(tries: int, sweeps: Ints, order: Ints, bounds: Ints, estimates: Floats, *graph: Any) -> int:
    """Writes the slots in the order of reading, component by component, and where each begins; returns the number of components.

    ``tries`` limits the slots of a component that are ordered over all attempts. ``sweeps`` are orders of all slots that may be good, at
    least one. ``estimates`` get the number of nodes that is expected of each component.
    """
    return _choose(Graph(*graph), tries, sweeps, order, bounds, estimates)


@compiled
def order_groups(tries: int, sweeps: Ints, order: Ints, bounds: Ints, estimates: Floats, size: Ints, at: Ints, sums: Ints,
                 most: Ints, slack: Ints, length: Ints) -> int:  # fmt: skip
    """The same for groups of 0/1 variables, of a number of members each, and the sums they are in: see ``sum_kernels.System``."""
    count, factors = len(size), len(most)
    spans, late, kind = np.empty(len(sums)), np.zeros(count, np.int64), np.zeros(factors, np.int64)
    low, high, whole = np.empty(factors), np.empty(factors), np.empty(factors)
    for g in range(count):
        for i in range(at[g], at[g + 1]):
            spans[i] = size[g]
    for f in range(factors):
        kind[f], low[f], high[f], whole[f] = SUM, most[f] - slack[f], most[f], length[f]
    return _choose(Graph(at, sums, spans, late, kind, low, high, whole), tries, sweeps, order, bounds, estimates)

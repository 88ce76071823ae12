"""The compiled half of counting by sums: 0/1 variables in sums with bounds, and one total over all or most of them.

Variables that no sum can tell apart are a *group*; a :class:`System` lists groups and sums. The steps from there: split groups into
connected components; order each component so that few sums are half read at a time; lay out the diagram, in which a node is what the
half-read sums still allow, packed into one integer, with one coefficient for each number of ones that count in the total; join the
components and the variables that are in the total alone; sweep the diagram from the back.

Whole counts of a component are kept in doubles without scaling: a count is at least 1 or exactly 0, so zeros are exact as long as
the largest fits, and :func:`weigh` says when it does not. Where components are joined, weights are scaled, and what is possible is
kept apart from how much it weighs. All kernels live in this one file because numba's cache sees changes of the file
that holds the compiled entry only. Without numba's compiler (``NUMBA_DISABLE_JIT=1``) the same source runs as plain Python.

What Python calls (``@compiled``) takes arrays and scalars and returns one scalar; results are written into arrays that the caller
made. To return an array or a named tuple numba runs Python code and does not look whether a signal handler raised in there: Ctrl-C at
that moment would end the process. Inside the kernels a named tuple is nothing but its fields.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cpsolve.counting.order_kernels import Floats as Floats
from cpsolve.counting.order_kernels import Ints as Ints
from cpsolve.counting.order_kernels import compiled as compiled
from cpsolve.counting.order_kernels import inner as inner
from cpsolve.counting.order_kernels import order_groups
from cpsolve.limits import require

KEY_BITS = 62
ZERO = cast(int, np.int64(0))
"""Where a variable that counts begins: with a literal 0 numba would compile each function it is given to twice."""
FEW = 1024
"""Room for this many nodes is made at first; MORE times what there was when it is not enough."""
MORE = 4
LARGEST = 600
"""Counts of the placements of ones in that number of variables fit in doubles, with room to spare for weights down to TINY."""
PRECISE = 1e-200
"""Tables are scaled so that their largest entry is about 1; entries of this size still have all their digits."""
TINY = 1e-250
"""A weight that changes no probability but says that something can be."""

SOLVED, INCONSISTENT, TOO_WIDE, TOO_LARGE, NO_ROOM = 0, 1, 2, 3, 4
"""How a kernel ends; TOO_LARGE: the diagram is there but its counts are beyond doubles. NO_ROOM: give larger arrays."""


class System(NamedTuple):
    """Groups of 0/1 variables and the sums over them.

    Group g has ``size[g]`` variables, which are ``counted`` (1) in the total or not (0), in ``sums[at[g] : at[g + 1]]``. Of the
    ``length[n]`` variables of sum n at most ``most[n]`` are 1, and at least ``most[n] - slack[n]``.
    ``choose[n, k]`` is the number of ways to choose k of n, for every size n.
    """

    size: Ints
    counted: Ints
    at: Ints
    sums: Ints
    most: Ints
    slack: Ints
    length: Ints
    choose: Floats


class Diagram(NamedTuple):
    """Layers of nodes. Each component has one row of nodes for each group it reads, and a last row with a single node.

    ``read`` is the group that a row reads (-1 in last rows), ``first`` the row's first node, ``begins`` each component's first row;
    both have one entry more at the end. ``nodes`` has a line for each node, with these columns: from a node, ARCS arcs begin at
    FIRST_ARC in ``target``, for LEAST ones in the group and upwards; LOW to HIGH ones of the total lie behind it; SLOT is where its
    ``counts`` begin; KEY is what the half-read sums still allow.
    """

    read: Ints
    first: Ints
    begins: Ints
    nodes: Ints
    target: Ints
    counts: Floats


FIRST_ARC, ARCS, LEAST, LOW, HIGH, SLOT, KEY = range(7)
READ, SHIFT, FIELD = range(3)
"""Columns of the scratch table of sums: variables read, and the place and length (as a mask) of its bits in keys."""


# -- the diagram


@inner
def _open_sums(s: System, g: int, marks: Ints, used: int) -> tuple[int, int]:
    """Gives each sum that group ``g`` is the first to touch its bits of the keys.

    The bits in use, or -1 when there are not enough, and what to add to every key: all that the new sums allow.
    """
    added = 0
    for i in range(s.at[g], s.at[g + 1]):
        number = s.sums[i]
        if marks[number, READ] == 0:
            field, at = 1, 0
            while field < s.most[number]:
                field = 2 * field + 1
            while used & (field << at):
                at += 1
                if field << at >= 1 << KEY_BITS:
                    return -1, 0
            used |= field << at
            marks[number, SHIFT], marks[number, FIELD] = at, field
            added += s.most[number] << at
        marks[number, READ] += s.size[g]
    return used, added


@inner
def _close_sums(s: System, g: int, marks: Ints, used: int) -> int:
    """The bits in use without those of the sums that group ``g`` is the last to touch."""
    for i in range(s.at[g], s.at[g + 1]):
        number = s.sums[i]
        if marks[number, READ] == s.length[number]:
            used &= ~(marks[number, FIELD] << marks[number, SHIFT])
    return used


@inner
def _settled(s: System, g: int, marks: Ints, key: int) -> int:
    """A key in which each sum of group ``g`` whose bounds hold whatever follows allows ``slack``, and 0 when it is all read."""
    for i in range(s.at[g], s.at[g + 1]):
        number = s.sums[i]
        slack, left = s.slack[number], s.length[number] - marks[number, READ]
        allowed = key >> marks[number, SHIFT] & marks[number, FIELD]
        if slack and left <= allowed <= slack:
            key += (slack * (left > 0) - allowed) << marks[number, SHIFT]
    return key


@inner
def _expand(
    s: System, d: Diagram, row: int, end: int, added: int, most: int, limit: int, arc: int, marks: Ints, table: Ints
) -> tuple[int, int]:
    """Makes the arcs out of a row's nodes and the nodes they lead to; the ends of both lists, ``limit + 1`` when nodes pass it.

    The row ends before node ``end``; its group is read already. ``most`` is the number of counted ones that no node may pass.
    ``table`` finds nodes by key (open addressing); it is filled with -1.
    """
    g = d.read[row]
    step = loose = 0
    begin = s.at[g]
    fields = np.empty((s.at[g + 1] - begin, 3), np.int64)  # the place, the mask, and how much the sum may allow when all ones follow
    for i in range(len(fields)):
        number = s.sums[begin + i]
        fields[i, 0], fields[i, 1] = marks[number, SHIFT], marks[number, FIELD]
        fields[i, 2] = s.slack[number] + s.length[number] - marks[number, READ]
        step += 1 << marks[number, SHIFT]
        loose += s.slack[number]
    following = end
    for node in range(d.first[row], end):
        key = d.nodes[node, KEY] + added
        least, greatest = 0, s.size[g]
        for i in range(len(fields)):
            allowed = key >> fields[i, 0] & fields[i, 1]
            least = max(least, allowed - fields[i, 2])
            greatest = min(greatest, allowed)
        if s.counted[g]:
            greatest = min(greatest, most - d.nodes[node, LOW])
        d.nodes[node, FIRST_ARC], d.nodes[node, ARCS], d.nodes[node, LEAST] = arc, max(0, greatest - least + 1), least
        for value in range(least, greatest + 1):
            wanted = key - value * step
            if loose:
                wanted = _settled(s, g, marks, wanted)
            at = wanted % len(table)
            while table[at] >= 0 and d.nodes[table[at], KEY] != wanted:
                at = at + 1 if at + 1 < len(table) else 0
            child = table[at]
            ones = value * s.counted[g]
            low, high = d.nodes[node, LOW] + ones, d.nodes[node, HIGH] + ones
            if child < 0:
                if following >= limit:
                    return limit + 1, arc
                child = following
                following += 1
                table[at] = child
                d.nodes[child, KEY], d.nodes[child, LOW], d.nodes[child, HIGH] = wanted, low, high
            else:
                d.nodes[child, LOW] = min(d.nodes[child, LOW], low)
                d.nodes[child, HIGH] = max(d.nodes[child, HIGH], high)
            d.target[arc] = child
            arc += 1
    return following, arc


@inner
def _spread_counts(s: System, d: Diagram, row: int, end: int) -> None:
    """Adds to the counts of the next row's nodes what comes in over the arcs from a row, which ends before node ``end``."""
    g = d.read[row]
    counts = d.counts
    for node in range(d.first[row], end):
        source, length = d.nodes[node, SLOT], d.nodes[node, HIGH] - d.nodes[node, LOW] + 1
        for i in range(d.nodes[node, ARCS]):
            value, child = d.nodes[node, LEAST] + i, d.target[d.nodes[node, FIRST_ARC] + i]
            weight = s.choose[s.size[g], value]
            to = d.nodes[child, SLOT] + d.nodes[node, LOW] + value * s.counted[g] - d.nodes[child, LOW]
            for k in range(length):
                counts[to + k] += weight * counts[source + k]


NODES, TARGETS, COUNTS, WIDTH = range(4)
"""What :func:`lay_out` counts: the lines of its arrays that it has filled or, with NO_ROOM, needs; and the nodes of the widest row."""


@inner
def _lacks(d: Diagram, nodes: int, targets: int, counts: int, used: Ints) -> bool:
    """Notes how much room is in use, or needed, and tells whether there is less."""
    used[NODES], used[TARGETS], used[COUNTS] = nodes, targets, counts
    return nodes > len(d.nodes) or targets > len(d.target) or counts > len(d.counts)


@compiled
def lay_out(most: int, max_nodes: int, max_counts: int, order: Ints, bounds: Ints, used: Ints,
            read: Ints, first: Ints, begins: Ints, nodes: Ints, target: Ints, counts: Floats, *system: Any) -> int:  # fmt: skip
    """Fills in the fields of a :class:`Diagram`: SOLVED when it is complete, TOO_WIDE, or NO_ROOM."""
    s, d = System(*system), Diagram(read, first, begins, nodes, target, counts)
    marks = np.zeros((len(s.most), 3), np.int64)
    table = np.empty(FEW, np.int64)
    for i in range(len(read)):
        read[i], first[i] = -1, 0
    arc = node_count = row = cursor = ZERO
    used[WIDTH] = 0
    for component in range(len(bounds) - 1):
        members = order[bounds[component] : bounds[component + 1]]
        for g in members:
            for i in range(s.at[g], s.at[g + 1]):
                marks[s.sums[i], READ] = 0
        if _lacks(d, node_count + 1, arc, cursor + 1, used):
            return NO_ROOM
        begins[component], first[row] = row, node_count
        nodes[node_count, KEY], nodes[node_count, LOW], nodes[node_count, HIGH], nodes[node_count, SLOT] = 0, 0, 0, cursor
        counts[cursor] = 1.0
        node_count, cursor = node_count + 1, cursor + 1
        bits = ZERO
        for g in members:
            end, start = node_count, cursor
            bits, added = _open_sums(s, g, marks, bits)
            if bits < 0:
                return TOO_WIDE
            read[row], first[row + 1] = g, end
            arcs = (end - first[row]) * (s.size[g] + 1)
            room = min(arcs, max_nodes)
            if _lacks(d, end + room, arc + arcs, cursor, used):
                return NO_ROOM
            if len(table) < 2 * room + 1:
                table = np.empty(2 * (2 * room + 1), np.int64)
            for i in range(2 * room + 1):
                table[i] = -1
            node_count, arc = _expand(s, d, row, end, added, most, max_nodes, arc, marks, table[: 2 * room + 1])
            used[WIDTH] = max(used[WIDTH], node_count - end)
            if node_count > max_nodes:
                return TOO_WIDE
            for node in range(end, node_count):
                nodes[node, SLOT] = cursor
                cursor += nodes[node, HIGH] - nodes[node, LOW] + 1
            if cursor > max_counts:
                return TOO_WIDE
            if _lacks(d, node_count, arc, cursor, used):
                return NO_ROOM
            for i in range(start, cursor):
                counts[i] = 0.0
            _spread_counts(s, d, row, end)
            bits = _close_sums(s, g, marks, bits)
            row += 1
        row += 1
        first[row] = node_count
    begins[len(bounds) - 1] = row
    return SOLVED


def ordered(s: System, tries: int, sweeps: Ints) -> tuple[Ints, Ints, Floats]:
    """The groups in a good order of reading, component by component, where each begins, and the number of nodes expected of each."""
    count = len(s.size)
    order, bounds, estimates = np.empty(count, np.int64), np.empty(count + 1, np.int64), np.empty(count)
    components = order_groups(tries, sweeps, order, bounds, estimates, s.size, s.at, s.sums, s.most, s.slack, s.length)
    return order, bounds[: components + 1], estimates[:components]


def diagram(s: System, order: Ints, bounds: Ints, most: int, max_nodes: int, max_counts: int) -> tuple[Diagram, int, bool]:
    """The diagram of all components with its counts from the front, the nodes of its widest row, and whether it is complete.

    ``most`` is the number of ones that the total may reach.
    """
    layers, components = len(order), len(bounds) - 1
    read, first = np.empty(layers + components, np.int64), np.zeros(layers + components + 1, np.int64)
    begins, used = np.zeros(components + 1, np.int64), np.empty(4, np.int64)
    lines, arcs, length = FEW, 2 * FEW, 4 * FEW
    while True:
        require(56 * lines + 8 * arcs + 8 * length, "counting")
        nodes, target, counts = np.empty((lines, 7), np.int64), np.empty(arcs, np.int64), np.empty(length)
        fields = (read, first, begins, nodes, target, counts)
        status = lay_out(most, max_nodes, max_counts, order, bounds, used, *fields, *s)
        node_count, arc_count, count, width = used.tolist()
        if status != NO_ROOM:
            break
        lines, arcs, length = (had if had >= needed else MORE * needed
                               for had, needed in ((lines, node_count), (arcs, arc_count), (length, count)))  # fmt: skip
    kept = Diagram(read, first, begins, nodes[:node_count].copy(), target[:arc_count].copy(), counts[:count].copy())
    return kept, width, status == SOLVED


# -- joining components


class Joint(NamedTuple):
    """Tables for joining components with each other and with the variables that are in the total alone.

    ``before[c, a]`` weighs the placements of ``least[c] + a`` ones in the components before c; ``after[c, a]`` those of the ones that
    are missing in the components from c on and elsewhere when those before hold ``greatest[c] - a``, where ``least`` and ``greatest``
    are what the components before c can hold. ``alone[a]`` are the ones elsewhere, on average, when all components hold
    ``greatest[-1] - a``. Each line is scaled so that its largest entry is about 1 and each one weighs ``2**tilt``, which keeps the
    weights that matter near the largest. Others may vanish; what is possible at all stands in ``can_before`` and ``can_after``.
    """

    tilt: int
    least: Ints
    greatest: Ints
    before: Floats
    after: Floats
    can_before: NDArray[np.bool_]
    can_after: NDArray[np.bool_]
    alone: Floats


@inner
def _scale(weights: Floats, tilt: int) -> None:
    """Multiplies entry k by ``2**(tilt * k)`` and all by a power of two, so that the largest is from 1/2 to 1; exact but for underflow."""
    largest = -(1 << 40)
    for k in range(len(weights)):
        if weights[k] > 0.0:
            largest = max(largest, math.frexp(weights[k])[1] + tilt * k)
    for k in range(len(weights)):
        if weights[k] > 0.0:
            mantissa, exponent = math.frexp(weights[k])
            weights[k] = math.ldexp(mantissa, int(max(-2000, exponent + tilt * k - largest)))


@inner
def _ways_alone(variables: int, fewest: int, slack: int, tilt: int, ways: Floats, can: NDArray[np.bool_], mean: Floats) -> None:
    """Fills in the weight of ``fewest + a`` to ``fewest + a + slack`` ones in some variables, whether that can be, and their mean."""
    first, last = max(0, fewest), min(variables, fewest + len(ways) - 1 + slack)
    share, exponents = np.empty(max(0, last - first + 1)), np.empty(max(0, last - first + 1), np.int64)
    weight, exponent, largest = 1.0, 0, -(1 << 40)
    for i in range(len(share)):
        share[i], exponents[i] = weight, exponent
        weight, change = math.frexp(weight * (variables - first - i) / (first + i + 1.0))
        exponent += change
    heights = np.zeros(len(ways), np.int64)
    for a in range(len(ways)):
        begin, end = max(first, fewest + a) - first, min(variables, fewest + a + slack) - first + 1
        if begin >= end:
            continue
        can[a] = True
        highest, more = exponents[begin], 0.0
        for i in range(begin + 1, end):
            highest = max(highest, exponents[i])
        for i in range(begin, end):
            part = math.ldexp(share[i], int(max(-2000, exponents[i] - highest)))
            ways[a] += part
            more += part * (i - begin)
        mean[a] = first + begin + more / ways[a]
        heights[a] = highest + tilt * a
        largest = max(largest, heights[a])
    for a in range(len(ways)):
        ways[a] = math.ldexp(ways[a], int(max(-2000, heights[a] - largest)))


@inner
def _join(d: Diagram, ends: Ints, least_total: int, most_total: int, alone: int, tilt: int) -> Joint:
    """The tables of :class:`Joint`; ``ends`` are the last nodes of the components."""
    count = len(ends)
    least, greatest = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    for c in range(count):
        least[c + 1] = least[c] + d.nodes[ends[c], LOW]
        greatest[c + 1] = greatest[c] + d.nodes[ends[c], HIGH]
    longest = greatest[count] - least[count] + 1
    before, after, mean = np.zeros((count + 1, longest)), np.zeros((count + 1, longest)), np.zeros(longest)
    can_before, can_after = np.zeros((count + 1, longest), np.bool_), np.zeros((count + 1, longest), np.bool_)
    before[0, 0], can_before[0, 0] = 1.0, True
    _ways_alone(alone, least_total - greatest[count], most_total - least_total, tilt, after[count], can_after[count], mean)
    shares = np.zeros((count, longest))
    for c in range(count):
        last = d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW]
        for k in range(last + 1):
            shares[c, k] = d.counts[d.nodes[ends[c], SLOT] + k]
        _scale(shares[c], tilt)
        for a in range(greatest[c] - least[c] + 1):
            for k in range(last + 1):
                before[c + 1, a + k] += before[c, a] * shares[c, k]
                can_before[c + 1, a + k] |= can_before[c, a] and d.counts[d.nodes[ends[c], SLOT] + k] > 0.0
        _scale(before[c + 1], 0)
    for c in range(count - 1, -1, -1):
        last = d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW]
        for a in range(greatest[c] - least[c] + 1):
            # when k above its least are here, what is left for the others is at index a + last - k of the next line
            for k in range(last + 1):
                after[c, a] += shares[c, k] * after[c + 1, a + last - k]
                can_after[c, a] |= d.counts[d.nodes[ends[c], SLOT] + k] > 0.0 and can_after[c + 1, a + last - k]
        _scale(after[c], 0)
    return Joint(tilt, least, greatest, before, after, can_before, can_after, mean)


@inner
def _weights_of(j: Joint, c: int, length: int) -> tuple[Floats, float]:
    """How much each number of ones in component c weighs, for ``length`` numbers from its least: what is around it, joined.

    Weights are at most 1, and not 0 where that number is possible. Also the largest before scaling: when it is very small, what
    matters lies where the tables have lost precision.
    """
    weights, can = np.zeros(length), np.zeros(length, np.bool_)
    for k in range(length):
        for a in range(j.greatest[c] - j.least[c] + 1):
            rest = j.greatest[c + 1] - j.least[c + 1] - a - k
            weights[k] += j.before[c, a] * j.after[c + 1, rest]
            can[k] |= j.can_before[c, a] and j.can_after[c + 1, rest]
    largest = weights.max()
    _scale(weights, j.tilt)
    for k in range(length):
        if can[k]:
            weights[k] = max(weights[k], TINY)
    return weights, largest


# -- from the back


@inner
def _sweep_back(s: System, d: Diagram, component: int, final: Floats, totals: Floats) -> None:
    """Sweeps one component from the back; ``totals[g, v]`` gets the weight of all solutions with v ones in group g.

    ``final`` are the weights of the last node's numbers of ones.
    """
    first_row, last_row = d.begins[component], d.begins[component + 1] - 1
    behind, behind_at = final, d.nodes[d.first[last_row], SLOT]
    for row in range(last_row - 1, first_row - 1, -1):
        g, begin, end = d.read[row], d.first[row], d.first[row + 1]
        here_at = d.nodes[begin, SLOT]
        here = np.zeros(behind_at - here_at)
        for node in range(begin, end):
            slot, length = d.nodes[node, SLOT], d.nodes[node, HIGH] - d.nodes[node, LOW] + 1
            for i in range(d.nodes[node, ARCS]):
                value, child = d.nodes[node, LEAST] + i, d.target[d.nodes[node, FIRST_ARC] + i]
                weight = s.choose[s.size[g], value]
                offset = d.nodes[child, SLOT] + d.nodes[node, LOW] + value * s.counted[g] - d.nodes[child, LOW] - behind_at
                total = 0.0
                for k in range(length):
                    ways = weight * behind[offset + k]
                    here[slot - here_at + k] += ways
                    total += ways * d.counts[slot + k]
                totals[g, value] += total
        behind, behind_at = here, here_at


@inner
def _share(totals: Floats, size: int) -> float:
    """The share of solutions with a 1 in one of ``size`` like variables, from the weights of their numbers of ones; 0 and 1 are exact."""
    everything = ones = 0.0
    for value in range(size + 1):
        everything += totals[value]
        ones += totals[value] * value
    if ones == 0.0:
        return 0.0
    if everything == totals[size]:
        less = 0.0
        for value in range(size):
            less += totals[value]
        if less == 0.0:
            return 1.0
    return min(ones / (everything * size), 1.0 - 2.0**-53)


@inner
def _share_alone(j: Joint, alone: int) -> float:
    """The share of solutions with a 1 in a variable that is in the total alone."""
    last = len(j.least) - 1
    span = j.greatest[last] - j.least[last]
    everything = ones = zeros = 0.0
    for a in range(span + 1):
        if j.can_before[last, span - a] and j.can_after[last, a]:
            weight = max(j.before[last, span - a] * j.after[last, a], TINY)
            everything += weight
            ones += weight * j.alone[a]
            zeros += weight * (alone - j.alone[a])
    if ones == 0.0:
        return 0.0
    if zeros == 0.0:
        return 1.0
    return min(ones / (everything * alone), 1.0 - 2.0**-53)


@compiled
def weigh(least: int, most: int, alone: int, share: Floats, *system_and_diagram: Any) -> int:
    """Fills in the share of solutions with a 1 in a variable of each group, last of one in the total alone; tells how it ended.

    The total over the counted variables, of which ``alone`` are in no other sum, is ``least`` to ``most``.
    """
    s, d = System(*system_and_diagram[:8]), Diagram(*system_and_diagram[8:])
    components = len(d.begins) - 1
    ends = np.empty(components, np.int64)
    counted, largest = alone, ZERO
    for c in range(components):
        ends[c] = d.first[d.begins[c + 1] - 1]
        if d.first[d.begins[c + 1]] == ends[c]:
            return INCONSISTENT
        variables = ZERO
        for row in range(d.begins[c], d.begins[c + 1] - 1):
            variables += s.size[d.read[row]]
            counted += s.size[d.read[row]] * s.counted[d.read[row]]
        largest = max(largest, variables)
    if largest > LARGEST:
        return TOO_LARGE
    # ones and zeros balance at about this weight of a one, in bits
    usual = min(max(counted // 2, least), most)
    tilt = round(math.log2((usual + 1.0) / (max(0, counted - usual) + 1.0)))
    j = _join(d, ends, least, most, alone, tilt)
    if not j.can_after[0, 0]:
        return INCONSISTENT
    totals = np.zeros((len(s.size), s.choose.shape[1]))
    for c in range(components):
        weights, largest_weight = _weights_of(j, c, d.nodes[ends[c], HIGH] - d.nodes[ends[c], LOW] + 1)
        if largest_weight < PRECISE:
            return TOO_LARGE
        _sweep_back(s, d, c, weights, totals)
    for g in range(len(s.size)):
        share[g] = _share(totals[g], s.size[g])
    share[len(s.size)] = _share_alone(j, alone)
    return SOLVED

"""How many circuits and simple paths a graph has, without listing them: the frontier method.

Nodes are decided one by one. Of all that was decided before, the future depends only on the later nodes that edges have reached, the
*frontier*: for each, whether it is untouched, used up, or an end of a path with its other end elsewhere on the frontier. Equal states
merge and their counts add (Knuth's Simpath, TAOCP 4A, 7.1.4, here node by node). A pair of opposite arcs is one edge that may be used
either way, and a path gets a direction only from a one-way arc; without any, states have no directions. A simple path is a circuit with
an arc from its end back to its start that must be used. The states are expanded in ``frontier``, which is compiled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from cpsolve.constraints import Circuit
from cpsolve.counting.memory import Memory, int_sum
from cpsolve.errors import DiagramTooWide
from cpsolve.expressions import Not, Variable, scope
from cpsolve.limits import Deadline, looking

Arc = tuple[int, int]
WHAT = "counting paths"
"""What errors of limits say was going on."""
SLICE = 1 << 16
"""How many rows are expanded between two looks at the clock: a few milliseconds."""


def count_simple_paths(
    successors: Sequence[Iterable[int]],
    source: int,
    target: int,
    *,
    max_states: int | None = None,
    max_memory: int | None = None,
    deadline: Deadline | None = None,
) -> int:
    """The number of paths from source to target that visit no node twice.

    ``successors[node]`` are the heads of its arcs; parallel arcs count once. DiagramTooWide when a frontier has more than
    ``max_states`` states or all of them take more than ``max_memory`` bytes.

    >>> count_simple_paths([[1, 2], [0, 3], [0, 3], [1, 2]], 0, 3)  # a square
    2
    """
    if source == target:
        return 1
    every = {(tail, head) for tail, heads in looking(enumerate(successors), WHAT) for head in heads if tail != head}
    arcs = _useful(every, source, target)
    if not arcs:
        return 0
    nodes = {node for arc in looking(arcs, WHAT) for node in arc}
    return count_circuits(arcs, nodes, [(target, source)], max_states=max_states, max_memory=max_memory, deadline=deadline)


def _useful(arcs: set[Arc], source: int, target: int) -> set[Arc]:
    """The arcs that may lie on a path."""
    arcs = {(tail, head) for tail, head in looking(arcs, WHAT) if head != source and tail != target}
    useful = _reach(source, arcs) & _reach(target, {(head, tail) for tail, head in looking(arcs, WHAT)})
    return {(tail, head) for tail, head in looking(arcs, WHAT) if tail in useful and head in useful}


def _reach(start: int, arcs: set[Arc]) -> set[int]:
    following: dict[int, list[int]] = {}
    for tail, head in looking(arcs, WHAT):
        following.setdefault(tail, []).append(head)
    reached, waiting = {start}, [start]
    for node in looking(waiting, WHAT):  # which grow
        for other in following.get(node, ()):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def count_circuits(
    arcs: Collection[Arc],
    optional: Collection[int],
    forced: Sequence[Arc] = (),
    *,
    required: Collection[int] = (),
    max_states: int | None = None,
    max_memory: int | None = None,
    deadline: Deadline | None = None,
) -> int:
    """The number of directed circuits of at least two nodes along ``arcs`` and all of ``forced``.

    They visit every node of an arc and of ``required`` that is not ``optional``.

    >>> square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    >>> both_ways = [*square, *((head, tail) for tail, head in square)]
    >>> count_circuits(both_ways, []), count_circuits(both_ways, range(4)), count_circuits(square, [], forced=[(3, 0)])
    (2, 6, 1)
    """
    deadline = Deadline(None) if deadline is None else deadline
    chains = _chains(forced)
    if chains is None:
        return 0
    inside = {node for chain in chains for node in chain[1:-1]}
    left = {tail for chain in chains for tail in chain[:-1]}  # an arc is already chosen that leaves these, enters those
    entered = {head for chain in chains for head in chain[1:]}
    open_arcs = {(tail, head) for tail, head in looking(arcs, WHAT) if tail != head and tail not in left and head not in entered}
    nodes = ({node for arc in looking([*arcs, *forced], WHAT) for node in arc} | set(required)) - inside
    must = nodes - set(optional) - {end for chain in chains for end in (chain[0], chain[-1])}
    if any(chain[0] == chain[-1] for chain in chains):  # a circuit already
        return int(len(chains) == 1 and not must)
    pairs = 0  # there and back again: the only circuits that use an edge twice
    if not chains and len(must) <= 2:
        pairs = sum(1 for tail, head in looking(open_arcs, WHAT) if tail < head and (head, tail) in open_arcs and must <= {tail, head})
    touched = {node for arc in looking(open_arcs, WHAT) for node in arc}
    if not open_arcs or must - touched or any(chain[0] not in touched or chain[-1] not in touched for chain in chains):
        return pairs
    edges = sorted((a, b, (b, a) not in open_arcs) for a, b in looking(open_arcs, WHAT) if a < b or (b, a) not in open_arcs)
    ends = [(chain[0], chain[-1]) for chain in chains]
    memory = Memory(max_memory)
    return pairs + _Count(edges, _best_order(edges, ends), must, ends).run(max_states, memory, deadline)


def count_circuit(circuit: Circuit, max_memory: int | None = None, deadline: Deadline | None = None) -> int | None:
    """How many assignments of its variables a circuit has; None unless each arc has a 0/1 variable of its own, or is certain.

    Variables of arcs that are certain, whatever these variables are, may have any value.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> count_circuit(cp.circuit([(a, b, m.bool_var()) for a in range(5) for b in range(5)]))
    84
    """
    arcs: set[Arc] = set()
    forced: list[Arc] = []
    optional: set[int] = set()
    left_out: set[int] = set()
    met: set[Variable] = set()
    for (tail, head), condition in zip(circuit.arcs, circuit.args, strict=True):
        low, high = condition.interval()
        if not high:
            continue
        certain = low == high
        if not certain:
            variable = condition.arg if isinstance(condition, Not) else condition
            if not isinstance(variable, Variable) or variable in met or (tail, head) in arcs or (tail == head and tail in optional):
                return None
            met.add(variable)
        if tail == head and certain and tail in left_out:
            return 0
        if tail == head:
            (left_out if certain else optional).add(tail)
        elif certain:
            forced.append((tail, head))
        else:
            arcs.add((tail, head))
    if left_out & optional or arcs & set(forced):
        return None
    if any(node in left_out for arc in forced for node in arc):
        return 0
    arcs = {(tail, head) for tail, head in arcs if tail not in left_out and head not in left_out}
    required = set(range(len(circuit.nodes))) - left_out
    circuits = count_circuits(arcs, optional, forced, required=required, max_memory=max_memory, deadline=deadline)
    return circuits * prod([variable.hi - variable.lo + 1 for variable in scope(circuit) if variable not in met])


def _chains(forced: Sequence[Arc]) -> list[list[int]] | None:
    """Arcs that must be used, put together to paths; None when two leave or enter one node."""
    after = dict(forced)
    before = {head: tail for tail, head in forced}
    if not len(after) == len(before) == len(forced):
        return None
    chains = []
    starts = [tail for tail in after if tail not in before]
    while after:
        chain = [starts.pop() if starts else next(iter(after))]
        while chain[-1] in after:
            chain.append(after.pop(chain[-1]))
        chains.append(chain)
    return chains


Edge = tuple[int, int, bool]
"""Two nodes, and whether it can be used only from the first to the second."""


def _best_order(edges: list[Edge], ends: list[Arc]) -> list[int]:
    """The order of nodes, of a few natural ones, that keeps the frontiers narrow."""
    neighbours: dict[int, list[int]] = {}
    for a, b, _ in looking(edges, WHAT):
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    numbered = sorted(neighbours)
    candidates = [numbered]
    for corner in dict.fromkeys([*(node for pair in ends[:2] for node in pair), numbered[0], numbered[-1]]):
        candidates.append(_sweep(corner, neighbours))
        candidates.append(_sweep(candidates[-1][-1], neighbours))  # from the far side
    return min(candidates, key=lambda order: _cost(order, neighbours))


def _sweep(start: int, neighbours: dict[int, list[int]]) -> list[int]:
    order: list[int] = []
    seen: set[int] = set()
    for corner in [start, *sorted(neighbours)]:
        waiting = [corner] if corner not in seen else []
        seen.add(corner)
        for node in looking(waiting, WHAT):  # which grow
            for other in sorted(neighbours[node], key=lambda node: (len(neighbours[node]), node)):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        order += waiting
    return order


def _cost(order: list[int], neighbours: dict[int, list[int]]) -> float:
    """An estimate of the number of states: a later node that one edge can have reached has about 3, others 4."""
    reached: dict[int, int] = {}
    done: set[int] = set()
    cost = 0.0
    for node in looking(order, WHAT):
        done.add(node)
        reached.pop(node, None)
        for other in neighbours[node]:
            if other not in done:
                reached[other] = reached.get(other, 0) + 1
        logarithm = sum(1.58 if edges == 1 else 2.0 for edges in reached.values())
        cost += 2.0 ** min(logarithm, 900.0)
    return cost


@dataclass(frozen=True)
class _Step:
    """A node as it is decided: its place in a state, where its edges lead, and what is left to visit behind it."""

    own: int
    optional: bool
    heads: np.ndarray[tuple[int], np.dtype[np.int64]]
    ways: np.ndarray[tuple[int], np.dtype[np.int64]]
    waiting: np.ndarray[tuple[int], np.dtype[np.int64]]
    closable: bool


class _Count:
    """Edges, the order in which nodes are decided, the nodes that must be visited and the ends of paths that must be used."""

    def __init__(self, edges: list[Edge], order: list[int], must: set[int], ends: list[Arc]) -> None:
        rank = {node: i for i, node in enumerate(order)}
        later: dict[int, list[tuple[int, int]]] = {node: [] for node in order}
        for a, b, one_way in looking(edges, WHAT):
            ways = 1 if one_way else 3
            if rank[a] > rank[b]:
                a, b, ways = b, a, (2 if one_way else 3)
            later[a].append((b, ways))
        self._directed = any(one_way for _, _, one_way in edges)
        self._circuits_twice = not self._directed and not ends
        place: dict[int, int] = {}
        free: list[int] = []
        top = 0

        def settle(node: int) -> int:
            nonlocal top
            if node not in place:
                place[node] = free.pop() if free else top
                top = max(top, place[node] + 1)
            return place[node]

        self._ends = [(settle(start), settle(end)) for start, end in ends]
        plan = []
        unmet = must - {node for pair in ends for node in pair}
        for node in looking(order, WHAT):
            own = settle(node)
            heads = [settle(other) for other, _ in later[node]]
            unmet = unmet - place.keys()
            del place[node]
            waiting = {at: 1 if other in must else 2 for other, at in place.items()}
            plan.append((own, node not in must, heads, [ways for _, ways in later[node]], waiting, not unmet))
            free.append(own)
        self._top = top
        self._steps = [
            _Step(own, optional, _ints(heads), _ints(ways), _ints([waiting.get(at, 0) for at in range(top)]), closable)
            for own, optional, heads, ways, waiting, closable in looking(plan, WHAT)
        ]

    def run(self, max_states: int | None, memory: Memory, deadline: Deadline) -> int:
        """The number of circuits."""
        from cpsolve.counting import frontier, kernels

        shift = 2 if self._directed else 0
        bits = (frontier.FIRST_END + ((self._top - 1) << shift) + (2 if self._directed else 0)).bit_length()
        fields = 63 // bits
        key_words = -(-self._top // fields)
        codes = [0] * key_words
        for start, end in self._ends:  # the path goes on by leaving its end and by entering its start
            for place, other, way in ((start, end, frontier.ENTERS), (end, start, frontier.LEAVES)):
                code = frontier.FIRST_END + (other << shift) + (way if self._directed else 0)
                codes[place // fields] |= code << place % fields * bits
        old = memory.table(1, key_words + 1)
        old[0] = [codes[0] | int(kernels.MARK), *codes[1:], 1]
        count, total = 1, 0
        for step in self._steps:
            moves = 2 + len(step.heads) * (len(step.heads) + 1)
            words = (int_sum(old[:, key_words:]) * moves).bit_length() // 64 + 1
            if words > old.shape[1] - key_words:
                wider = memory.table(len(old), key_words + words)
                wider[:, : old.shape[1]] = old
                memory.release(old)
                old = wider
            closed = np.zeros(old.shape[1] - key_words, np.uint64)
            new = memory.table(max(1024, 1 << (3 * count).bit_length()), old.shape[1])
            row = used = 0
            while row < len(old):
                deadline.check(WHAT)
                row, used = frontier.decide(
                    old, row, min(row + SLICE, len(old)), new, used, closed, step.own, step.optional, step.heads, step.ways,
                    step.waiting, step.closable, self._directed, bits, fields, key_words,
                )  # fmt: skip
                if max_states is not None and used > max_states:
                    raise DiagramTooWide(
                        f"counting paths needs more than {max_states:,} states at once: the graph is too wide to count in", used, max_states
                    )
                if row < len(old) and 2 * used > len(new) - 4 * moves:
                    larger = memory.table(4 * len(new), new.shape[1])
                    kernels.rehash(new, larger, key_words)
                    memory.release(new)
                    new = larger
            memory.release(old)
            old, count = new, used
            total += int_sum(closed[None, :])
        return total * 2 if self._circuits_twice else total


def _ints(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)

"""A shortest walk through an undirected graph that visits given nodes and may end anywhere, by a dynamic programme over its edges.

A walk is known by how often it passes along each edge: never, once or twice (a third and fourth time could be left out). Such numbers
are a walk exactly if the edges passed along hang together, hold the start and every node to be visited, and if besides the start at most
one node, where the walk ends, has an odd number of them. So edges are decided one by one in an order that sweeps over the graph, and of
what was decided only the *frontier* counts: of every node that has both decided and undecided edges, whether it was reached, whether its
number is odd, and which nodes hang together (as in Knuth's Simpath). Equal frontiers merge, the cheaper one stays.

Where most nodes must be visited, a walk is hardly longer than their number. A state is dropped when what it cost and one more passage for
every node still to be visited exceed a bound, and the bound grows until a walk is found, which then is shortest.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from cpsolve.errors import DiagramTooWide, SolverError
from cpsolve.limits import Deadline

N = TypeVar("N", bound=Hashable)

MOST_STATES = 4_000_000
"""The largest number of frontiers that are kept to find the walk again: about a gigabyte."""
END = 1
"""The bit of a state's first number that says that the walk has its end."""
State = bytes
"""The end, then a number per node of the frontier: 0 not reached, else twice the number of its part, odd if its degree is."""


@dataclass(frozen=True)
class Covering(Generic[N]):
    """A shortest walk: its nodes, start included, and the number of frontiers that were kept."""

    nodes: tuple[N, ...]
    states: int


@dataclass(frozen=True)
class _Step:
    """An edge to be decided: where its nodes stand in the frontier (``len`` for one that enters), and which leave it afterwards."""

    first: int
    second: int
    enters: tuple[int, ...]
    """For each node that enters: 1 if it is the start, else 0."""
    leaves: tuple[tuple[int, bool], ...]
    """Places that leave, from the last, each with whether that node must have been reached."""
    needed: int
    """How many nodes to be visited have no decided edge yet."""
    size: int
    """The number of nodes of the frontier afterwards."""
    waiting: tuple[int, ...]
    """The places, in a state afterwards, of nodes to be visited."""


def cover(
    neighbours: Mapping[N, Sequence[N]], start: N, visit: Collection[N], orders: Iterable[Sequence[N]], deadline: Deadline | None = None
) -> Covering[N] | None:
    """A shortest walk from ``start`` that visits every node of ``visit``; None when one cannot be reached.

    ``neighbours`` must be symmetric; ``orders`` are sweeps over all nodes, of which the one with the narrowest frontiers is taken.
    DiagramTooWide when there are more than ``MOST_STATES`` frontiers.

    >>> line = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
    >>> cover(line, 2, {1, 4}, [[1, 2, 3, 4]]).nodes
    (2, 1, 2, 3, 4)
    """
    deadline = Deadline(None) if deadline is None else deadline
    reached = _reach(neighbours, start)
    wanted = set(visit) - {start}
    if not wanted <= reached:
        return None
    if not wanted:
        return Covering((start,), 0)
    swept = [_edges(neighbours, [node for node in order if node in reached]) for order in orders]
    edges, steps = min(((each, _steps(each, start, wanted | {start})) for each in swept), key=lambda found: _effort(found[1]))
    excess, kept = 2, 0
    while True:
        found, number = _sweep(steps, len(wanted) + excess, deadline, MOST_STATES)
        kept += number
        if found is not None:
            return Covering(_walk(edges, found, start), kept)
        excess *= 2


def _edges(neighbours: Mapping[N, Sequence[N]], sweep: Sequence[N]) -> list[tuple[N, N]]:
    """The edges in the order in which a sweep has passed both their ends."""
    place = {node: number for number, node in enumerate(sweep)}
    return [(near, node) for node in sweep for near in sorted(neighbours[node], key=place.__getitem__) if place[near] < place[node]]


def _effort(steps: Sequence[_Step]) -> float:
    """What a sweep takes, roughly: the number of frontiers grows by a factor with every node."""
    return sum(4.0**step.size for step in steps)


def _reach(neighbours: Mapping[N, Sequence[N]], start: N) -> set[N]:
    reached, waiting = {start}, [start]
    while waiting:
        for near in neighbours[waiting.pop()]:
            if near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached


def _steps(edges: Sequence[tuple[N, N]], start: N, wanted: set[N]) -> list[_Step]:
    """The edges with what happens to the frontier at each."""
    last = {node: number for number, edge in enumerate(edges) for node in edge}
    frontier: list[N] = []
    seen: set[N] = set()
    steps = []
    for number, edge in enumerate(edges):
        enters = []
        for node in edge:
            if node not in seen:
                seen.add(node)
                frontier.append(node)
                enters.append(int(node == start))
        first, second = (frontier.index(node) for node in edge)
        leaving = sorted((frontier.index(node) for node in edge if last[node] == number), reverse=True)
        leaves = tuple((place, frontier[place] in wanted) for place in leaving)
        for place in leaving:
            del frontier[place]
        waiting = tuple(place for place, node in enumerate(frontier, start=1) if node in wanted)
        steps.append(_Step(first, second, tuple(enters), leaves, len(wanted - seen), len(frontier), waiting))
    return steps


def _sweep(steps: Sequence[_Step], bound: int, deadline: Deadline, most: int) -> tuple[list[int] | None, int]:
    """How often a shortest walk of at most ``bound`` passes along each edge, or None; and how many frontiers were kept."""
    layer: dict[State, int] = {bytes(1): 0}
    back: list[dict[State, tuple[State, int]]] = []
    kept = 0
    best: tuple[int, int, State, int] | None = None  # cost, number of the step, the state before it, passages
    for number, step in enumerate(steps):
        following: dict[State, int] = {}
        origin: dict[State, tuple[State, int]] = {}
        for state, cost in layer.items():
            base = bytearray(state)
            for is_start in step.enters:
                base.append(2 * _fresh(base) + 1 if is_start else 0)
            for passages in (0, 1, 2):
                total = cost + passages
                if total + step.needed > bound:
                    break
                after = _decide(base, step, passages)
                if after is None:
                    continue
                if after is FINISHED:
                    if best is None or total < best[0]:
                        best = total, number, state, passages
                    continue
                if total + step.needed + _missing(after, step) > bound:
                    continue
                if total < following.get(after, bound + 1):
                    following[after] = total
                    origin[after] = state, passages
        back.append(origin)
        kept += len(origin)
        if kept > most:
            raise DiagramTooWide(f"more than {most:,} frontiers at passage {number + 1} of {len(steps)}", len(origin), most)
        deadline.check("the sweep over the passages")
        layer = following
        if best is not None:
            layer = {state: cost for state, cost in layer.items() if cost < best[0]}
    if best is None:
        return None, kept
    cost, number, state, passages = best
    counts = [0] * len(steps)
    counts[number] = passages
    for earlier in range(number - 1, -1, -1):
        state, counts[earlier] = back[earlier][state]
    return counts, kept


FINISHED = b""
"""Stands for a walk that is complete: nothing is open."""


def _fresh(state: bytearray) -> int:
    """The number of a part that is not there yet."""
    return max(state[1:], default=0) // 2 + 1


def _missing(state: State, step: _Step) -> int:
    """How many passages it takes at least to join the parts and the nodes of the frontier that are not reached yet."""
    return len({value >> 1 for value in state[1:] if value}) - 1 + sum(not state[place] for place in step.waiting)


def _decide(base: bytearray, step: _Step, passages: int) -> State | None:
    """The frontier after an edge was passed along that often; None where no walk can come of it."""
    state = bytearray(base)
    first, second = step.first + 1, step.second + 1
    if passages:
        one, two = state[first] >> 1, state[second] >> 1
        if one and one == two:
            if passages == 2:
                return None  # both are reached already: there and back is for nothing
        elif one and two:
            for place in range(1, len(state)):
                if state[place] >> 1 == two:
                    state[place] = 2 * one + (state[place] & 1)
        else:
            part = one or two or _fresh(state)
            if not one:
                state[first] = 2 * part
            if not two:
                state[second] = 2 * part
        if passages == 1:
            state[first] ^= 1
            state[second] ^= 1
    closed = False
    for index, wanted in step.leaves:
        value = state.pop(index + 1)
        if not value:
            if wanted:
                return None
            continue
        if value & 1:
            if state[0] & END:
                return None  # a second end
            state[0] |= END
        part = value >> 1
        if not any(other >> 1 == part for other in state[1:]):
            if closed:
                return None  # two parts that never meet
            closed = True  # this part is complete: so must be everything
    if closed:
        return None if step.needed or any(state[1:]) or step.waiting else FINISHED
    return _canonical(state)


def _canonical(state: bytearray) -> State:
    """The state with its parts numbered in the order in which they come."""
    names: dict[int, int] = {}
    for place in range(1, len(state)):
        value = state[place]
        if value:
            state[place] = 2 * names.setdefault(value >> 1, len(names) + 1) + (value & 1)
    return bytes(state)


def _walk(edges: Sequence[tuple[N, N]], counts: Sequence[int], start: N) -> tuple[N, ...]:
    """A walk that passes along every edge as often as counted (Hierholzer), from the start to wherever it must end."""
    left: dict[N, list[N]] = {}
    for (one, two), count in zip(edges, counts, strict=True):
        for _ in range(count):
            left.setdefault(one, []).append(two)
            left.setdefault(two, []).append(one)
    trail, walk = [start], []
    while trail:
        here = trail[-1]
        if left.get(here):
            following = left[here].pop()
            left[following].remove(here)
            trail.append(following)
        else:
            walk.append(trail.pop())
    if walk[-1] != start or len(walk) != sum(counts) + 1:
        raise SolverError(f"the passages {counts} are no walk from {start}", [])
    return tuple(reversed(walk))

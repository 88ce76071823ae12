"""A shortest walk through an undirected graph that visits given nodes and may end anywhere, by a dynamic programme over its passages.

A walk is known by how often it passes along each edge: never, once or twice (a third and fourth time could be left out). Such numbers
are a walk exactly if the edges passed along hang together, hold the start and every node to be visited, and if besides the start at most
one node, where the walk ends, has an odd number of them.

First the graph is made small. What hangs on a node like a tree is walked there and back, but for the way to where the walk ends: it
becomes a rebate of that node. A *corridor*, nodes in a row with two neighbours each, becomes one passage with few ways to use it: through
it once or twice, into it from either side or both, or into it never to come back.

Then passages are decided one by one in an order that sweeps over the graph, and of what was decided only the *frontier* counts: of every
node that has both decided and undecided passages, whether it was reached, whether its number is odd, and which nodes hang together (as in
Knuth's Simpath). Equal frontiers merge, the cheaper one stays. A frontier is dropped when what it cost, with the least that everything
still to be visited must cost, exceeds a bound, and the bound grows until a walk is found, which then is shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Generic, NamedTuple, TypeVar

from cpsolve.errors import DiagramTooWide, SolverError
from cpsolve.limits import Deadline, looking

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
    if not set(visit) <= reached:
        return None
    trees = _Trees(neighbours, reached, start, set(visit) | {start})
    passages = _passages(trees, start)
    if not passages:
        return Covering(_walk(trees.passed(start), start), 0)
    sweeps = [_in_order(passages, order) for order in orders]
    swept, steps = min(((each, _steps(each, trees, start)) for each in sweeps), key=lambda found: _effort(found[1]))
    least = sum(step.least for step in steps) - steps[0].rebate
    excess, kept = 2, 0
    while True:
        found, number = _sweep(steps, least + excess, deadline, MOST_STATES - kept)
        kept += number
        if found is not None:
            return Covering(_walk(_passed(swept, found, trees, start), start), kept)
        excess += max(2, excess // 2)


def _reach(neighbours: Mapping[N, Sequence[N]], start: N) -> set[N]:
    reached, waiting = {start}, [start]
    for node in looking(waiting, "finding what can be reached"):  # which grow
        for near in neighbours[node]:
            if near not in reached:
                reached.add(near)
                waiting.append(near)
    return reached


# -- a smaller graph


class _Trees(Generic[N]):
    """The graph without what hangs on it like a tree; what of that must be visited is kept with the node that it hangs on."""

    def __init__(self, neighbours: Mapping[N, Sequence[N]], reached: set[N], start: N, wanted: set[N]) -> None:
        self.near = {
            node: [each for each in neighbours[node] if each in reached]
            for node in looking(neighbours, "cutting off trees")
            if node in reached
        }
        self.wanted = wanted & reached
        self.depth: dict[N, int] = {}
        """Of a node with a tree to be visited, the length of the longest way down."""
        self.below: dict[N, N] = {}
        """The next node on it."""
        self.branches: dict[N, list[N]] = {}
        leaves = [node for node, near in self.near.items() if len(near) == 1 and node != start]
        for leaf in looking(leaves, "cutting off trees"):  # which grow
            if not self.near[leaf]:
                continue
            (stem,) = self.near.pop(leaf)
            self.near[stem].remove(leaf)
            if leaf in self.wanted:
                self.wanted.add(stem)
                self.branches.setdefault(stem, []).append(leaf)
                depth = 1 + self.depth.get(leaf, 0)
                if depth > self.depth.get(stem, 0):
                    self.depth[stem], self.below[stem] = depth, leaf
            if len(self.near[stem]) == 1 and stem != start:
                leaves.append(stem)

    def rebate(self, node: N) -> int:
        """What is saved if the walk ends in the tree of a node, and not there."""
        return self.depth.get(node, 0)

    def passed(self, end: N | None) -> Counter[tuple[N, N]]:
        """How often each edge of a tree is passed along if the walk comes to its end at a node, for whose longest way down it then goes."""
        counts = Counter({(stem, leaf): 2 for stem, leaves in self.branches.items() for leaf in leaves})
        if end is not None:
            way = [end]
            while way[-1] in self.below:
                way.append(self.below[way[-1]])
            counts.subtract(pairwise(way))
        return counts


class _Use(NamedTuple):
    """A way to use a passage: ``through`` times, or ``first`` and ``second`` edges into it from its sides, and ``end`` stays inside."""

    cost: int
    through: int = 0
    first: int = 0
    second: int = 0
    end: int = 0
    """1 if the walk comes from the first side and ends in the passage, 2 if from the second, else 0."""


@dataclass(frozen=True)
class _Passage(Generic[N]):
    """Nodes in a row: both ends are nodes of the smaller graph, perhaps the same one; ``visit`` are the places to be visited inside."""

    nodes: tuple[N, ...]
    visit: tuple[int, ...]

    def uses(self) -> list[_Use]:
        """The ways to use it that may be best; those that end the walk last."""
        length = len(self.nodes) - 1
        places = (0, *self.visit, length)
        through = [_Use(length, 1), _Use(2 * length, 2)]
        into = [_Use(2 * (left + length - right), 0, left, length - right) for left, right in pairwise(places)]
        ends = [_Use(left + 2 * (length - right), 0, left, length - right, 1) for left, right in pairwise(places) if left]
        ends += [_Use(2 * left + length - right, 0, left, length - right, 2) for left, right in pairwise(places) if right < length]
        return [*_cheapest(into), *through, *_cheapest(ends)]

    def passed(self, use: _Use) -> Counter[tuple[N, N]]:
        """How often each of its edges is passed along."""
        edges = list(pairwise(self.nodes))
        if use.through:
            return Counter(dict.fromkeys(edges, use.through))
        into = dict.fromkeys(edges[: use.first], 1 if use.end == 1 else 2)
        return Counter(into | dict.fromkeys(edges[len(edges) - use.second :], 1 if use.end == 2 else 2))


def _cheapest(uses: list[_Use]) -> list[_Use]:
    """Of uses that touch the same sides the cheapest."""
    best: dict[tuple[bool, bool, int], _Use] = {}
    for use in uses:
        sides = use.first > 0, use.second > 0, use.end
        if sides not in best or use.cost < best[sides].cost:
            best[sides] = use
    return list(best.values())


def _passages(trees: _Trees[N], start: N) -> list[_Passage[N]]:
    """The passages between the nodes of the smaller graph: the start, those with trees, and those with other than two neighbours."""
    kept = {node for node, near in trees.near.items() if node == start or len(near) != 2 or trees.rebate(node)}
    found = []
    walked: set[tuple[N, N]] = set()
    for node in looking(trees.near, "finding passages"):
        for near in trees.near[node] if node in kept else ():
            if (node, near) in walked:
                continue
            nodes = [node, near]
            while nodes[-1] not in kept:
                one, two = trees.near[nodes[-1]]
                nodes.append(two if one == nodes[-2] else one)
            walked |= {(node, near), (nodes[-1], nodes[-2])}
            visit = tuple(place for place, each in enumerate(nodes[1:-1], start=1) if each in trees.wanted)
            found.append(_Passage(tuple(nodes), visit))
    return found


def _in_order(passages: Sequence[_Passage[N]], sweep: Sequence[N]) -> list[_Passage[N]]:
    """The passages in the order in which a sweep has passed both their ends."""
    place = {node: number for number, node in enumerate(sweep)}

    def ends(passage: _Passage[N]) -> tuple[int, int]:
        one, two = place[passage.nodes[0]], place[passage.nodes[-1]]
        return max(one, two), min(one, two)

    return sorted(passages, key=ends)


# -- the dynamic programme


class _Leave(NamedTuple):
    """A node that leaves the frontier: its place in the state, whether it must have been reached, and what an end there saves."""

    place: int
    wanted: bool
    rebate: int


@dataclass(frozen=True)
class _Step:
    """A passage to be decided: where its nodes stand in the state, and which nodes enter the frontier before and leave it after."""

    first: int
    second: int
    uses: tuple[_Use, ...]
    least: int
    """The cheapest use that does not end the walk."""
    enters: tuple[int, ...]
    """For each node that enters: 1 if it is the start, else 0."""
    leaves: tuple[_Leave, ...]
    """From the last."""
    size: int
    """The number of nodes of the frontier afterwards."""
    ahead: int
    """What later passages cost at least."""
    rebate: int
    """The most that an end here or later can save."""
    finished: bool
    """Whether all that must be visited has been met by now."""
    waiting: tuple[int, ...]
    """The places, afterwards, of nodes to be visited."""
    costly: tuple[int, ...]
    """Those of them, and those of other nodes, that no later passage with something to visit leads to."""
    alone: int
    """How many nodes to be visited come later and are such nodes too."""


def _steps(passages: Sequence[_Passage[N]], trees: _Trees[N], start: N) -> list[_Step]:
    """The passages with what happens to the frontier at each."""
    last = {node: number for number, passage in enumerate(passages) for node in passage.nodes[:: len(passage.nodes) - 1]}
    fed = {node: number for number, passage in enumerate(passages) if passage.visit for node in passage.nodes[:: len(passage.nodes) - 1]}
    uses = [tuple(passage.uses()) for passage in looking(passages, "laying out a sweep")]
    least = [min(use.cost for use in each if not use.end) for each in uses]
    ahead = [*accumulate(reversed(least), initial=0)][::-1][1:]
    saved = [max((low - use.cost for use in each if use.end), default=0) for each, low in zip(uses, least, strict=True)]
    saved = [max(save, *(trees.rebate(node) for node in passage.nodes)) for save, passage in zip(saved, passages, strict=True)]
    rebate = [*accumulate(reversed(saved), max)][::-1]
    frontier: list[N] = []
    coming = {node for node in last if node in trees.wanted}
    alone = sum(node not in fed for node in coming)
    last_visit = max((number for number, passage in enumerate(passages) if passage.visit), default=-1)
    steps = []
    for number, passage in looking(enumerate(passages), "laying out a sweep"):
        enters = []
        for node in dict.fromkeys((passage.nodes[0], passage.nodes[-1])):
            if node not in frontier:
                frontier.append(node)
                enters.append(int(node == start))
                alone -= node in coming and node not in fed
                coming.discard(node)
        first, second = (frontier.index(node) + 1 for node in (passage.nodes[0], passage.nodes[-1]))
        leaving = sorted((place for place, node in enumerate(frontier, start=1) if last[node] == number), reverse=True)
        leaves = [_Leave(place, frontier[place - 1] in trees.wanted, trees.rebate(frontier[place - 1])) for place in leaving]
        frontier = [node for node in frontier if last[node] != number]
        waiting = tuple(place for place, node in enumerate(frontier, start=1) if node in trees.wanted)
        costly = tuple(place for place, node in enumerate(frontier, start=1) if fed.get(node, -1) <= number)
        finished = not coming and number >= last_visit
        steps.append(
            _Step(
                first,
                second,
                uses[number],
                least[number],
                tuple(enters),
                tuple(leaves),
                len(frontier),
                ahead[number],
                rebate[number],
                finished,
                waiting,
                costly,
                alone,
            )
        )
    return steps


def _effort(steps: Sequence[_Step]) -> float:
    """What a sweep takes, roughly: the number of frontiers grows by a factor with every node."""
    return sum(4.0**step.size for step in steps)


def _sweep(steps: Sequence[_Step], bound: int, deadline: Deadline, most: int) -> tuple[list[_Use] | None, int]:
    """How a shortest walk of at most ``bound`` uses each passage, or None; and how many frontiers were kept."""
    layer: dict[State, int] = {bytes(1): 0}
    back: list[dict[State, tuple[State, _Use]]] = []
    kept = 0
    best: tuple[int, int, State, _Use] | None = None  # cost, number of the step, the state before it, the use
    for number, step in enumerate(steps):
        later = steps[number + 1].rebate if number + 1 < len(steps) else 0
        following: dict[State, int] = {}
        origin: dict[State, tuple[State, _Use]] = {}
        for place, (state, cost) in enumerate(layer.items(), start=1):
            if place % PERIOD == 0:
                deadline.check("the sweep over the passages")
            base = bytearray(state)
            for is_start in step.enters:
                base.append(2 * _fresh(base) + 1 if is_start else 0)
            for use in step.uses:
                total = cost + use.cost
                if total + step.ahead - (0 if base[0] & END else step.rebate) > bound:
                    continue
                decided = _decide(base, step, use)
                if decided is None:
                    continue
                after, saved = decided
                total -= saved
                if after is FINISHED:
                    if total <= bound:
                        best = total, number, state, use
                        bound = total - 1  # from now on only what is shorter
                    continue
                if total + step.ahead + _missing(after, step) - (0 if after[0] & END else later) > bound:
                    continue
                if total < following.get(after, bound + later + 1):
                    following[after] = total
                    origin[after] = state, use
        back.append(origin)
        kept += len(origin)
        if kept > most:
            raise DiagramTooWide(f"more than {most:,} frontiers at passage {number + 1} of {len(steps)}", len(origin), most)
        deadline.check("the sweep over the passages")
        layer = following
    if best is None:
        return None, kept
    _, number, state, use = best
    uses = [step.uses[0] for step in steps]  # what comes after the end of the walk is not used
    uses[number] = use
    for earlier in range(number - 1, -1, -1):
        state, uses[earlier] = back[earlier][state]
    return uses, kept


PERIOD = 500
"""The frontiers between two looks at the clock."""
FINISHED = b""
"""Stands for a walk that is complete: nothing is open."""


def _fresh(state: bytearray) -> int:
    """The number of a part that is not there yet."""
    return max(state[1:], default=0) // 2 + 1


def _missing(state: State, step: _Step) -> int:
    """How many edges it takes at least, beside the least use of every passage, to join what nothing to be visited leads to."""
    parts = {state[place] >> 1 for place in step.costly}
    parts -= {value >> 1 for place, value in enumerate(state[1:], start=1) if place not in step.costly}
    unreached = sum(1 for place in step.costly if not state[place] and place in step.waiting)
    return max(0, len(parts - {0}) + unreached + step.alone - 1)


def _decide(base: bytearray, step: _Step, use: _Use) -> tuple[State, int] | None:
    """The frontier after a passage was used so, and what an end at a node saved; None where no walk can come of it."""
    state = bytearray(base)
    first, second = step.first, step.second
    if use.through:
        one, two = state[first] >> 1, state[second] >> 1
        if one and one == two:
            if use.through == 2:
                return None  # both are reached already: there and back is for nothing
        elif one and two:
            for place in range(1, len(state)):
                if state[place] >> 1 == two:
                    state[place] = 2 * one + (state[place] & 1)
        else:
            part = one or two or _fresh(state)
            if not one:
                state[first] = 2 * part
            if not state[second]:
                state[second] = 2 * part
        if use.through == 1:
            state[first] ^= 1
            state[second] ^= 1
    else:
        for place, edges in ((first, use.first), (second, use.second)):
            if edges and not state[place]:
                state[place] = 2 * _fresh(state)
        if use.end:
            if state[0] & END:
                return None  # a second end
            state[0] |= END
            state[first if use.end == 1 else second] ^= 1
    closed, saved = False, 0
    for place, wanted, rebate in step.leaves:
        value = state.pop(place)
        if not value:
            if wanted:
                return None
            continue
        if value & 1:
            if state[0] & END:
                return None
            state[0] |= END
            saved = rebate
        part = value >> 1
        if not any(other >> 1 == part for other in state[1:]):
            if closed:
                return None  # two parts that never meet
            closed = True  # this part is complete: so must be everything
    if closed:
        return (FINISHED, saved) if step.finished and not any(state[1:]) and not step.waiting else None
    return _canonical(state), saved


def _canonical(state: bytearray) -> State:
    """The state with its parts numbered in the order in which they come."""
    names: dict[int, int] = {}
    for place in range(1, len(state)):
        value = state[place]
        if value:
            state[place] = 2 * names.setdefault(value >> 1, len(names) + 1) + (value & 1)
    return bytes(state)


# -- the walk


def _passed(passages: Sequence[_Passage[N]], uses: Sequence[_Use], trees: _Trees[N], start: N) -> Counter[tuple[N, N]]:
    """How often each edge of the graph is passed along."""
    counts: Counter[tuple[N, N]] = Counter()
    for passage, use in zip(passages, uses, strict=True):
        counts += passage.passed(use)
    degrees = Counter({start: 1})
    for (one, two), count in counts.items():
        degrees.update({one: count})
        degrees.update({two: count})
    (end,) = (node for node, degree in degrees.items() if degree % 2)
    return counts + trees.passed(end)


def _walk(counts: Mapping[tuple[N, N], int], start: N) -> tuple[N, ...]:
    """A walk that passes along every edge as often as counted (Hierholzer), from the start to wherever it must end."""
    left: dict[N, list[N]] = {}
    for (one, two), count in counts.items():
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
    if walk[-1] != start or len(walk) != sum(counts.values()) + 1:
        raise SolverError(f"the passages {counts} are no walk from {start}", [])
    return tuple(reversed(walk))

"""How many simple paths a directed graph has between two nodes, without listing them: the frontier method.

Edges are decided one by one, taken or not. Of all that was decided before, the future depends only on the nodes that have
both decided and undecided edges, the *frontier*: for each, whether it is untouched, used up, or an end of a path with its
other end elsewhere on the frontier. Equal states merge and their counts add (Knuth's Simpath, TAOCP 4A, 7.1.4). It is what the
tracker of a circuit does in a diagram, with one saving: a pair of opposite arcs is one edge that may be used either way, and a
path gets a direction only from a one-way arc or from the two given nodes. Without one-way arcs, states have no directions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from cpsolve.errors import DiagramTooWide
from cpsolve.limits import Deadline

MAX_STATES = 2_000_000

# A frontier node is FREE (untouched), USED (inside a path), or an end: 3 * (other end) + direction, counted from 2. The direction
# tells whether the path must go on by leaving this end, by entering it, or either way.
FREE, USED, FIRST_END = 0, 1, 2
EITHER, LEAVES, ENTERS = 0, 1, 2

State = tuple[int, ...]


def count_simple_paths(
    successors: Sequence[Iterable[int]],
    source: int,
    target: int,
    *,
    max_states: int = MAX_STATES,
    deadline: Deadline | None = None,
) -> int:
    """The number of paths from source to target that visit no node twice.

    ``successors[node]`` are the heads of its arcs; parallel arcs count once. DiagramTooWide when a frontier has more than
    ``max_states`` states.

    >>> count_simple_paths([[1, 2], [0, 3], [0, 3], [1, 2]], 0, 3)  # a square
    2
    """
    if source == target:
        return 1
    edges = _edges(successors, source, target)
    if not edges:
        return 0
    deadline = Deadline(None) if deadline is None else deadline
    order = _best_order({node for edge in edges for node in edge[:2]}, edges, source, target)
    return _Counter(edges, order, source, target).count(max_states, deadline)


def _edges(successors: Sequence[Iterable[int]], source: int, target: int) -> list[tuple[int, int, bool]]:
    """The edges ``(tail, head, one way)`` that may lie on a path."""
    arcs = {(tail, head) for tail, heads in enumerate(successors) for head in heads if tail != head}
    arcs = {(tail, head) for tail, head in arcs if head != source and tail != target}
    forward = _reach(source, arcs)
    backward = _reach(target, {(head, tail) for tail, head in arcs})
    useful = forward & backward
    arcs = {(tail, head) for tail, head in arcs if tail in useful and head in useful}
    return sorted((a, b, (b, a) not in arcs) for a, b in arcs if a < b or (b, a) not in arcs)


def _reach(start: int, arcs: set[tuple[int, int]]) -> set[int]:
    following: dict[int, list[int]] = {}
    for tail, head in arcs:
        following.setdefault(tail, []).append(head)
    reached, waiting = {start}, [start]
    while waiting:
        for node in following.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


def _best_order(nodes: set[int], edges: list[tuple[int, int, bool]], source: int, target: int) -> list[int]:
    """The order of nodes, of a few natural ones, that keeps the frontiers narrow."""
    neighbours: dict[int, list[int]] = {node: [] for node in nodes}
    for a, b, _ in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    numbered = sorted(nodes)
    candidates = [numbered]
    for corner in (source, target, numbered[0], numbered[-1]):
        candidates.append(_sweep(corner, neighbours))
        candidates.append(_sweep(candidates[-1][-1], neighbours))  # from the far side
    # A wide frontier costs about three times as much for every node more.
    return min(candidates, key=lambda order: sum(3.0 ** min(width, 600) for width in _widths(order, neighbours)))


def _sweep(start: int, neighbours: dict[int, list[int]]) -> list[int]:
    order, seen, waiting = [], {start}, deque([start])
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for other in sorted(neighbours[node], key=lambda node: (len(neighbours[node]), node)):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return order


def _widths(order: list[int], neighbours: dict[int, list[int]]) -> list[int]:
    place = {node: i for i, node in enumerate(order)}
    leaves = [0] * (len(order) + 1)
    for node, others in neighbours.items():
        leaves[max(place[node], *(place[other] for other in others))] += 1
    widths, width = [], 0
    for i in range(len(order)):
        width += 1
        widths.append(width)
        width -= leaves[i]
    return widths


class _Counter:
    """Decides the edges in the order of the later of their two nodes."""

    def __init__(self, edges: list[tuple[int, int, bool]], order: list[int], source: int, target: int) -> None:
        place = {node: i for i, node in enumerate(order)}
        self._edges = sorted(((place[a], place[b], one_way) for a, b, one_way in edges), key=lambda edge: (max(edge[:2]), min(edge[:2])))
        self._last: dict[int, int] = {}
        for number, (a, b, _) in enumerate(self._edges):
            self._last[a] = self._last[b] = number
        self._source, self._target = place[source], place[target]

    def count(self, max_states: int, deadline: Deadline) -> int:
        source, target = self._source, self._target
        # The way from source to target is closed to a circuit by a path that ends in the source and began in the target.
        frontier = [source, target]
        states: dict[State, int] = {(FIRST_END + 3 * target + LEAVES, FIRST_END + 3 * source + ENTERS): 1}
        closed = 0
        for number, (a, b, one_way) in enumerate(self._edges):
            new = [node for node in (a, b) if node not in frontier]
            frontier += new
            place = {node: i for i, node in enumerate(frontier)}
            leaving = [i for i, node in enumerate(frontier) if self._last[node] == number]
            staying = [i for i, node in enumerate(frontier) if self._last[node] != number]
            fresh = (FREE,) * len(new)
            following: dict[State, int] = {}
            at_a, at_b = place[a], place[b]
            deadline.check("counting paths")
            for state, ways in states.items():
                state += fresh
                if all(state[i] < FIRST_END for i in leaving):
                    left_out = tuple([state[i] for i in staying])
                    following[left_out] = following.get(left_out, 0) + ways
                taken = _take(state, at_a, at_b, a, b, one_way, place)
                if taken is None:
                    continue
                if taken == CLOSED:
                    closed += ways
                elif all(taken[i] < FIRST_END for i in leaving):
                    kept = tuple([taken[i] for i in staying])
                    following[kept] = following.get(kept, 0) + ways
            if len(following) > max_states:
                raise DiagramTooWide(
                    f"counting paths needs more than {max_states:,} states at once: the graph is too wide to count in",
                    len(following),
                    max_states,
                )
            frontier = [frontier[i] for i in staying]
            states = following
        return closed


CLOSED: list[int] = []


def _take(state: State, at_a: int, at_b: int, a: int, b: int, one_way: bool, place: dict[int, int]) -> list[int] | None:
    """The state with the edge taken; CLOSED when it closes the circuit; None when it cannot be taken."""
    code_a, code_b = state[at_a], state[at_b]
    if code_a == USED or code_b == USED:
        return None
    end_a, way_a = (a, EITHER) if code_a == FREE else divmod(code_a - FIRST_END, 3)
    end_b, way_b = (b, EITHER) if code_b == FREE else divmod(code_b - FIRST_END, 3)
    forward = way_a != ENTERS and way_b != LEAVES  # along the edge from a to b
    backward = not one_way and way_a != LEAVES and way_b != ENTERS
    if not (forward or backward):
        return None
    if end_a == b:
        # Two ends of one path: a circuit, of interest only if nothing else is open.
        others = sum(code >= FIRST_END for code in state)
        return CLOSED if others == 2 else None
    taken = list(state)
    taken[at_a] = taken[at_b] = USED
    directed = way_a != EITHER or way_b != EITHER or one_way
    # going forward the joined path starts at the other end of a, so that end is entered next, and b's other end is left
    taken[place[end_a]] = FIRST_END + 3 * end_b + ((ENTERS if forward else LEAVES) if directed else EITHER)
    taken[place[end_b]] = FIRST_END + 3 * end_a + ((LEAVES if forward else ENTERS) if directed else EITHER)
    return taken

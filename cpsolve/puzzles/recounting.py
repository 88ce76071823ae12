"""The number of acyclic paths of a puzzle once more, by other means than ``paths``: the second engine of a count.

It knows nothing of routes, stages and items: it asks the rules for every state and every move. States that can be walked to and back
again form the strongly connected components of that graph (Tarjan, 1972). A path passes through components one after another and never
comes back, so what it can do after leaving one is a number, and inside one component the simple paths from an entry are counted, each
weighed by the number of ways to go on from where it ends. That is a sweep over the nodes edge by edge, in plain Python, with the pieces
of paths that cross the border as a dictionary's keys: the idea is Knuth's (Simpath), as in ``cpsolve.counting.paths``, but the graph,
the order of nodes, the states and the arithmetic are not, and no line of code is shared with it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from cpsolve.errors import DiagramTooWide
from cpsolve.limits import Deadline
from cpsolve.puzzles.plans import Puzzle

Node = int
FEW = 10_000
"""Up to so many paths are listed where a number has to be checked, which is the plainest way of all."""
SLICE = 4096
"""States between two looks at the clock: some milliseconds."""
UNTOUCHED, PASSED, FROM_START, TO_END, FIRST_END = range(5)
"""What a node on the border can be: in no piece of a path, inside one, the open end of the piece that begins at the entry or of the one
that ends where the path does; or, from the last on, an end of another piece."""
_FROM_START, _TO_END = bytes([FROM_START]), bytes([TO_END])
MOST_SLOTS = (256 - FIRST_END) // 2
"""Places on the border that a byte can name; far fewer make too many states already."""


def recount(puzzle: Puzzle[Any], deadline: Deadline) -> int:
    """The number of acyclic paths from the start of a puzzle to a goal; LimitError when a limit is met before.

    >>> from cpsolve.puzzles.garden import Garden
    >>> recount(Garden("S...\\n....\\n....\\n...E"), Deadline(None))
    184
    """
    arcs, goals = _graph(puzzle, deadline)
    ways: dict[Node, int] = dict.fromkeys(goals, 1)
    tails: list[list[Node]] = [[] for _ in arcs]
    for tail, heads in enumerate(arcs):
        for head in heads:
            tails[head].append(tail)
    for component in _components(arcs, deadline):
        inside = set(component)
        # the ways to go on after leaving the component at each of its nodes: what lies behind was counted before
        onwards = {node: sum(ways.get(head, 0) for head in arcs[node] if head not in inside) for node in component if node not in ways}
        if not any(onwards.values()):
            continue
        for node in component:
            if node == 0 or any(tail not in inside for tail in tails[node]):
                ways[node] = onwards[node] if len(component) == 1 else _from(node, arcs, inside, onwards, deadline)
    return ways.get(0, 0)


def _graph(puzzle: Puzzle[Any], deadline: Deadline) -> tuple[list[list[Node]], list[Node]]:
    """The states that can be reached, numbered from the start, 0, with the moves of each; a goal has none. And the goals."""
    start = puzzle.start()
    numbers: dict[Hashable, Node] = {start: 0}
    states, arcs, goals = [start], list[list[Node]](), list[Node]()
    for node, state in enumerate(states):  # which grow
        if node % 256 == 0:
            deadline.check("counting once more")
        heads = dict[Node, None]()
        if puzzle.is_goal(state):
            goals.append(node)
        else:
            for _, following in puzzle.moves(state):
                if following not in numbers:
                    numbers[following] = len(states)
                    states.append(following)
                heads[numbers[following]] = None
        heads.pop(node, None)
        arcs.append(list(heads))
    return arcs, goals


def _components(arcs: list[list[Node]], deadline: Deadline) -> Iterator[list[Node]]:
    """The strongly connected components that the first node reaches, each after those that it leads to."""
    found: dict[Node, int] = {0: 0}
    lowest = {0: 0}
    stack, waiting, settled = [0], [(0, iter(arcs[0]))], set[Node]()
    steps = 0
    while waiting:
        steps += 1
        if steps % SLICE == 0:
            deadline.check("counting once more")
        node, heads = waiting[-1]
        for head in heads:
            if head not in found:
                found[head] = lowest[head] = len(found)
                stack.append(head)
                waiting.append((head, iter(arcs[head])))
                break
            if head not in settled:
                lowest[node] = min(lowest[node], found[head])
        else:
            waiting.pop()
            if waiting:
                lowest[waiting[-1][0]] = min(lowest[waiting[-1][0]], lowest[node])
            if lowest[node] == found[node]:
                component: list[Node] = []
                while not component or component[-1] != node:
                    component.append(stack.pop())
                settled.update(component)
                yield component


# -- one component


def _from(entry: Node, arcs: list[list[Node]], inside: set[Node], onwards: Mapping[Node, int], deadline: Deadline) -> int:
    """The simple paths inside a component from an entry, each weighed by the ways to go on from its end.

    A state has a byte for every slot of the border. Nodes enter the border when an edge reaches them, and leave it when all their edges
    are decided: then they are in no piece, inside one, or the end of the whole path, whose weight is counted there.
    """
    both: dict[Node, dict[Node, tuple[bool, bool]]] = {node: {} for node in inside}
    for tail in inside:
        for head in arcs[tail]:
            if head in inside:
                back = tail in arcs[head]
                both[tail][head] = (True, back)
                both[head][tail] = (back, True)
    directed = any(way != (True, True) for ways in both.values() for way in ways.values())
    join = _arc if directed else _edge
    order = list(_order(both))
    slots, width = _slots(order, both)
    states: dict[bytes, int] = {bytes(width): 1}
    total, steps = 0, 0
    done: set[Node] = set()
    begun: set[Node] = set()
    for node in order:
        later = [head for head in both[node] if head not in done]
        if entry not in begun and entry in (node, *later):
            at = slots[entry]
            states = {state[:at] + _FROM_START + state[at + 1 :]: count for state, count in states.items()}
        begun.update(later, (node,))
        own = slots[node]
        for head in later:
            ways = [(own, slots[head])] * both[node][head][0]
            if directed and both[node][head][1]:
                ways.append((slots[head], own))
            grown = dict(states)
            for tail_slot, head_slot in ways:
                for state, count in states.items():
                    steps += 1
                    if steps % SLICE == 0:
                        deadline.check("counting once more")
                    joined = join(state, tail_slot, head_slot)
                    if joined is None:
                        continue
                    if joined:
                        grown[joined] = grown.get(joined, 0) + count
                    elif _no_piece(state, tail_slot, head_slot):
                        total += count
            states = grown
        done.add(node)
        left: dict[bytes, int] = {}
        for state, count in states.items():
            code = state[own]
            rest = state[:own] + b"\0" + state[own + 1 :]
            if code <= PASSED:
                left[rest] = left.get(rest, 0) + count
            elif not (weight := onwards[node]) or TO_END in state:
                continue  # a piece that ends here, and the path does not
            elif code == FROM_START:
                total += count * weight if _no_piece(state, own, own) else 0
            elif code != TO_END and not (directed and code % 2 != FIRST_END % 2):
                at = (code - FIRST_END) // 2
                ended = rest[:at] + _TO_END + rest[at + 1 :]
                left[ended] = left.get(ended, 0) + count * weight
        states = left
    return total


def _order(both: Mapping[Node, Mapping[Node, Any]]) -> Iterator[Node]:
    """Nodes in an order with a narrow border: always the one that brings in the fewest new nodes, of several the one waiting longest."""
    left = dict.fromkeys(sorted(both, key=lambda node: (len(both[node]), node)))
    border: dict[Node, None] = {}
    while left:
        node = min(border, key=lambda each: sum(head in left and head not in border for head in both[each])) if border else next(iter(left))
        border.pop(node, None)
        del left[node]
        border.update(dict.fromkeys(head for head in both[node] if head in left))
        yield node


def _slots(order: list[Node], both: Mapping[Node, Mapping[Node, Any]]) -> tuple[dict[Node, int], int]:
    """The place of every node in a state, used again once its node has left the border; and how many there are."""
    slots: dict[Node, int] = {}
    free: list[int] = []
    width = 0
    for node in order:
        for fresh in (node, *both[node]):
            if fresh not in slots:
                slots[fresh] = free.pop() if free else width
                width = max(width, slots[fresh] + 1)
        free.append(slots[node])
    if width > MOST_SLOTS:
        raise DiagramTooWide(f"counting once more: a border of {width} places is too wide to count in", width, MOST_SLOTS)
    return slots, width


def _no_piece(state: bytes, one: int, other: int) -> bool:
    """Whether no piece of a path is open but those that end at these two places."""
    return all(code <= PASSED for at, code in enumerate(state) if at not in (one, other))


def _edge(state: bytes, one: int, other: int) -> bytes | None:
    """The pieces after an edge is used whose direction does not matter: None when it cannot be, nothing when the path is whole.

    The end of a piece has the place of its other end.
    """
    first, second = state[one], state[other]
    if first == PASSED or second == PASSED or first == FIRST_END + 2 * other:  # the last would close a circle
        return None
    codes = bytearray(state)
    codes[one] = codes[other] = PASSED
    near = FIRST_END + 2 * one if first == UNTOUCHED else first
    far = FIRST_END + 2 * other if second == UNTOUCHED else second
    if near < FIRST_END and far < FIRST_END:
        return b""
    if near >= FIRST_END:
        codes[(near - FIRST_END) // 2] = far
    if far >= FIRST_END:
        codes[(far - FIRST_END) // 2] = near
    return bytes(codes)


def _arc(state: bytes, tail: int, head: int) -> bytes | None:
    """The same for an arc: its tail must be the last node of a piece or in none, its head the first.

    The last node of a piece has the place of the first, the first that of the last and an odd code.
    """
    first, second = state[tail], state[head]
    if first in (PASSED, TO_END) or (first >= FIRST_END and (first - FIRST_END) % 2):
        return None
    if second in (PASSED, FROM_START) or (second >= FIRST_END and (second - FIRST_END) % 2 == 0) or first == FIRST_END + 2 * head:
        return None
    codes = bytearray(state)
    codes[tail] = codes[head] = PASSED
    begin = FIRST_END + 2 * tail if first == UNTOUCHED else first
    end = FIRST_END + 2 * head + 1 if second == UNTOUCHED else second
    if begin == FROM_START and end == TO_END:
        return b""
    if begin != FROM_START:
        codes[(begin - FIRST_END) // 2] = end
    if end != TO_END:
        codes[(end - FIRST_END) // 2] = begin
    return bytes(codes)

"""Tree decompositions: in which order to take a graph apart, and which nodes separate most.

Eliminating a node joins all its neighbours; these and the node are a *bag*. The bags form a tree, and the nodes that two neighbouring bags
share separate what hangs on either side.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

EFFORT = 1 << 21
"""How many words are looked at between two looks at the clock: some milliseconds."""


def eliminated(neighbours: Sequence[set[int]]) -> Generator[None, None, tuple[list[int], dict[int, set[int]]]]:
    """An order of elimination that adds few edges (least fill, then least degree), and the bag of each node when it goes.

    Yields None between two slices of work.
    """
    from cpsolve.counting import search_kernels as kernels

    count = len(neighbours)
    graph = np.zeros((count, count // 64 + 1), np.uint64)
    for node, others in enumerate(neighbours):
        row = sum([1 << other for other in others])
        graph[node] = np.frombuffer(row.to_bytes(8 * graph.shape[1], "little"), np.uint64)
    costs, order = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    done = 0
    while done < count:
        done = kernels.eliminate(graph, costs, order, done, EFFORT)
        yield None
    bags = {}
    for node in order.tolist():  # a node's row is left as it was when it went
        bits = np.unpackbits(graph[node].view(np.uint8), bitorder="little")
        bags[node] = {node, *np.flatnonzero(bits).tolist()}
    return order.tolist(), bags


def dissected(order: list[int], bags: dict[int, set[int]]) -> list[int]:
    """A rank for each node: the bag in the middle of the tree of bags comes first, then the middles of what it leaves, and so on."""
    place = {node: i for i, node in enumerate(order)}
    tree: dict[int, set[int]] = {node: set() for node in order}
    for node in order:
        rest = bags[node] - {node}
        if rest:
            parent = min(rest, key=place.__getitem__)
            tree[node].add(parent)
            tree[parent].add(node)
    depth: dict[int, int] = {}
    waiting = [(0, piece) for piece in _pieces(tree, set(order))]
    while waiting:
        level, piece = waiting.pop()
        centre = _centre(tree, piece)
        for node in bags[centre]:
            depth.setdefault(node, level)
        waiting += [(level + 1, rest) for rest in _pieces(tree, piece - {centre})]
    ranked = sorted(order, key=lambda node: (depth[node], -place[node]))
    ranks = [0] * len(order)
    for rank, node in enumerate(ranked):
        ranks[node] = rank
    return ranks


def _pieces(tree: dict[int, set[int]], nodes: set[int]) -> list[set[int]]:
    pieces = []
    left = set(nodes)
    while left:
        piece = [left.pop()]
        for node in piece:
            more = tree[node] & left
            left -= more
            piece += more
        pieces.append(set(piece))
    return pieces


def _centre(tree: dict[int, set[int]], piece: set[int]) -> int:
    """The node without which the largest rest of a tree is smallest."""
    root = min(piece)
    order, parent = [root], {root: root}
    for node in order:
        for other in sorted(tree[node] & piece):
            if other not in parent:
                parent[other] = node
                order.append(other)
    size = dict.fromkeys(order, 1)
    worst = dict.fromkeys(order, 0)
    for node in reversed(order):
        if node != root:
            size[parent[node]] += size[node]
            worst[parent[node]] = max(worst[parent[node]], size[node])
    return min(order, key=lambda node: (max(worst[node], len(order) - size[node]), node))

"""Constraints on graphs: one loop, a path, connected nodes, regions, no cycle.

A graph is a plain value, and so are the 0/1 variables on its edges. What these constraints say of a whole graph would take very
many simple constraints, so each is *lazy*: it has a cheap part that is stated at once (``relaxation``: every node of a loop has
two edges) and ``cuts``, clauses that follow from it and that a given assignment breaks (two loops: some edge must lead from one to
the other). A solver states the cheap part, asks for cuts after every answer and goes on until there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from cpsolve.arrays import ExpressionArray
from cpsolve.cached import cached_property
from cpsolve.constraints import MAYBE, Clause, LazyConstraint, Table, total
from cpsolve.errors import ModelError
from cpsolve.expressions import (
    And,
    Assignment,
    Comparison,
    Condition,
    Expression,
    Implies,
    Interval,
    as_condition,
    as_expression,
    as_int,
    collect,
)
from cpsolve.limits import looking

if TYPE_CHECKING:
    from cpsolve.model import Model

Node = Any
"""A node may be anything hashable."""
FEW_NODES = 8
"""A part of fewer nodes is cut off by all edges or nodes around it: few of them lead to pockets that it encloses."""


# -- graphs as values


@dataclass(frozen=True)
class Graph:
    """Nodes and undirected edges; a plain value. Made by :func:`graph` and :func:`grid`."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[Node, Node], ...]

    @cached_property
    def number(self) -> Mapping[Node, int]:
        """The place of each node in ``nodes``."""
        return {node: i for i, node in enumerate(self.nodes)}

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The edges as pairs of places of nodes."""
        return tuple((self.number[a], self.number[b]) for a, b in self.edges)

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """For the node at each place, the places of its neighbours."""
        return tuple(tuple(other for other, _ in around) for around in self.links)

    @cached_property
    def links(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For the node at each place, its neighbours' places with the places of the edges to them."""
        links: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for number, (a, b) in enumerate(self.pairs):
            links[a].append((b, number))
            links[b].append((a, number))
        return tuple(tuple(around) for around in links)

    @cached_property
    def incident(self) -> tuple[tuple[int, ...], ...]:
        """For the node at each place, the places of its edges."""
        return tuple(tuple(number for _, number in around) for around in self.links)

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """The nodes that share an edge with a node.

        >>> grid(2, 2).neighbours((0, 0))
        ((0, 1), (1, 0))
        """
        if node not in self.number:
            raise ModelError(f"{node!r} is no node of {self}")
        return tuple(self.nodes[place] for place in self.near[self.number[node]])

    def __str__(self) -> str:
        return f"graph of {len(self.nodes)} nodes and {len(self.edges)} edges"


def graph(edges: Iterable[tuple[Node, Node]], nodes: Iterable[Node] = ()) -> Graph:
    """A graph from its edges; ``nodes`` puts them in an order of your own and adds those without an edge.

    >>> g = graph([("a", "b"), ("b", "c")], nodes="abcd")
    >>> g.nodes, g.neighbours("b")
    (('a', 'b', 'c', 'd'), ('a', 'c'))
    """
    listed = []
    for edge in edges:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            raise ModelError(f"graph: expected edges (node, node), got {edge!r}")
        listed.append((edge[0], edge[1]))
    _check_simple(listed, "graph")
    return Graph(tuple(dict.fromkeys([*nodes, *(node for edge in listed for node in edge)])), tuple(listed))


def grid(rows: int, columns: int) -> Graph:
    """The graph of a board: nodes ``(row, column)`` from (0, 0), row by row, and edges between orthogonal neighbours.

    >>> len(grid(2, 3).nodes), len(grid(2, 3).edges)
    (6, 7)
    """
    height, width = as_int(rows), as_int(columns)
    if height < 1 or width < 1:
        raise ModelError(f"grid: expected at least one row and one column, got {height} × {width}")
    nodes = tuple((row, column) for row in range(height) for column in range(width))
    right = [((row, column), (row, column + 1)) for row, column in nodes if column + 1 < width]
    down = [((row, column), (row + 1, column)) for row, column in nodes if row + 1 < height]
    return Graph(nodes, tuple(sorted(right + down)))


def _check_simple(edges: Sequence[tuple[Node, Node]], what: str) -> None:
    seen: set[frozenset[Node]] = set()
    for a, b in edges:
        if a == b:
            raise ModelError(f"{what}: the edge from {a!r} to itself; edges join two different nodes")
        if frozenset((a, b)) in seen:
            raise ModelError(f"{what}: two edges between {a!r} and {b!r}; combine their conditions with |")
        seen.add(frozenset((a, b)))


@dataclass(frozen=True)
class GridEdges:
    """The 0/1 variables on the edges of a grid of points: ``horizontal`` (rows × columns-1) and ``vertical`` (rows-1 × columns).

    Made by :func:`grid_edges`. ``edges[a, b]`` is the one between two points, ``at`` lists those at a point, ``around`` the four of a cell.
    """

    graph: Graph
    horizontal: ExpressionArray
    vertical: ExpressionArray

    @cached_property
    def triples(self) -> tuple[tuple[Node, Node, Any], ...]:
        """The edges as (point, point, variable), in the order of the graph."""
        return tuple((a, b, self[a, b]) for a, b in self.graph.edges)

    def __getitem__(self, ends: tuple[tuple[int, int], tuple[int, int]]) -> Any:
        (row, column), (other_row, other_column) = sorted(ends)
        if (other_row - row, other_column - column) == (0, 1):
            return self.horizontal[row, column]
        if (other_row - row, other_column - column) == (1, 0):
            return self.vertical[row, column]
        raise ModelError(f"{ends[0]} and {ends[1]} are no neighbours on this grid")

    def get(self, one: tuple[int, int], other: tuple[int, int]) -> Any:
        """The variable of the edge between two neighbours; 0, an edge that is never chosen, where one of them lies beyond the grid.

        >>> import cpsolve as cp
        >>> edges = grid_edges(cp.Model(), 2, 2)
        >>> edges.get((0, 0), (0, 1)), edges.get((0, 0), (0, -1))
        (edge((0, 0), (0, 1)), 0)
        """
        return self[one, other] if one in self.graph.number and other in self.graph.number else 0

    def chosen(self, solution: Assignment) -> list[tuple[Node, Node]]:
        """The edges that a solution chooses, as pairs of points.

        >>> import cpsolve as cp
        >>> m = cp.Model()
        >>> edges = cp.grid_edges(m, 2, 2)
        >>> _ = m.add(cp.path(edges, (0, 0), (0, 1))), m.add(edges[(0, 0), (0, 1)] == 0)
        >>> edges.chosen(m.solve().solution)
        [((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))]
        """
        return [(one, other) for one, other, variable in self.triples if solution[variable]]

    def at(self, row: int, column: int) -> list[Any]:
        """The variables of the edges at a point.

        >>> import cpsolve as cp
        >>> len(grid_edges(cp.Model(), 3, 3).at(0, 1))
        3
        """
        return [self[(row, column), point] for point in self.graph.neighbours((row, column))]

    def around(self, row: int, column: int) -> list[Any]:
        """The variables of the four edges of a cell; the cell (0, 0) lies between the points (0, 0) and (1, 1).

        >>> import cpsolve as cp
        >>> grid_edges(cp.Model(), 2, 2).around(0, 0)
        [edge((0, 0), (0, 1)), edge((1, 0), (1, 1)), edge((0, 0), (1, 0)), edge((0, 1), (1, 1))]
        """
        if not (0 <= row < len(self.vertical) and 0 <= column < self.horizontal.shape[1]):
            rows, columns = len(self.vertical), self.horizontal.shape[1]
            raise ModelError(f"({row}, {column}) is no cell of these edges, which have {rows} × {columns} cells, counted from 0")
        above, below = self.horizontal[row, column], self.horizontal[row + 1, column]
        return [above, below, self.vertical[row, column], self.vertical[row, column + 1]]


def grid_edges(model: Model, rows: int, columns: int, name: str = "edge") -> GridEdges:
    """New 0/1 variables on the edges of a grid of ``rows`` × ``columns`` points.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> edges = cp.grid_edges(m, 3, 3)
    >>> _ = m.add(cp.loop(edges))
    >>> m.count()
    13
    """
    shape = grid(rows, columns)
    horizontal = np.empty((rows, columns - 1), dtype=object)
    vertical = np.empty((rows - 1, columns), dtype=object)
    for a, b in shape.edges:
        (row, column), (other, _) = a, b
        variable = model.bool_var(f"{name}({a}, {b})")
        (horizontal if other == row else vertical)[row, column] = variable
    return GridEdges(shape, horizontal.view(ExpressionArray), vertical.view(ExpressionArray))


# -- what lazy constraints share


class _OnEdges(LazyConstraint):
    """A constraint on the chosen edges of a graph; ``args`` are the edges' conditions."""

    __slots__ = ("graph",)
    graph: Graph

    def __init__(self, shape: Graph, conditions: tuple[Condition, ...]) -> None:
        super().__init__(conditions)
        self.graph = shape

    def pieces(self) -> list[tuple[Expression, ...]]:
        return [self._conditions(numbers) for numbers in self.graph.incident]

    def _conditions(self, numbers: Iterable[int]) -> tuple[Condition, ...]:
        return tuple(self.args[number] for number in numbers)  # type: ignore[misc]

    def _components(self, chosen: Sequence[int]) -> list[tuple[list[int], list[int]]]:
        """The connected parts of the chosen edges: their nodes and their edges."""
        at: dict[int, list[int]] = {}
        for number in chosen:
            for node in self.graph.pairs[number]:
                at.setdefault(node, []).append(number)
        parts = []
        seen: set[int] = set()
        for start in at:
            if start in seen:
                continue
            seen.add(start)
            nodes, numbers = [start], dict.fromkeys(at[start])
            for node in nodes:
                for number in at[node]:
                    numbers[number] = None
                    a, b = self.graph.pairs[number]
                    other = b if a == node else a
                    if other not in seen:
                        seen.add(other)
                        nodes.append(other)
            parts.append((nodes, list(numbers)))
        return parts

    def _crossing(self, inside: Iterable[int], target: int) -> Clause:
        """The literals of edges of which one is chosen on any way from a set of nodes to a target: just those that lead to its side."""
        links, part = self.graph.links, set(inside)
        if len(part) < FEW_NODES:
            return [(number, 1, True) for node in part for other, number in links[node] if other not in part]
        crossing: Clause = []
        reached, queue = {target}, [target]
        for node in queue:
            for other, number in links[node]:
                if other in part:
                    crossing.append((number, 1, True))
                elif other not in reached:
                    reached.add(other)
                    queue.append(other)
        return crossing

    def _too_many(self, values: Sequence[int], most: Sequence[int]) -> list[Clause]:
        """Clauses against nodes with more chosen edges than allowed."""
        found = []
        for node, numbers in enumerate(self.graph.incident):
            chosen = [number for number in numbers if values[number]]
            if len(chosen) > most[node]:
                found.append([(number, 1, False) for number in chosen[: most[node] + 1]])
        return found

    def _too_few(self, values: Sequence[int], ends: Mapping[int, int]) -> list[Clause]:
        """Clauses against nodes with one chosen edge that need two; ``ends`` gives the number that other nodes need."""
        found: list[Clause] = []
        for node, numbers in enumerate(self.graph.incident):
            chosen = [number for number in numbers if values[number]]
            rest: Clause = [(number, 1, True) for number in numbers if not values[number]]
            if node in ends:
                if not chosen:
                    found.append(rest)
            elif len(chosen) == 1:
                found.append([(chosen[0], 1, False), *rest])
        return found

    def _settled_or(self, assignment: Assignment) -> tuple[list[int], list[int], Interval | None]:
        """The edges that are certainly and possibly chosen, and the interval once all are known."""
        ends = [arg.interval(assignment) for arg in self.args]
        sure = [number for number, (low, _) in enumerate(ends) if low]
        possible = [number for number, (_, high) in enumerate(ends) if high]
        if len(sure) == len(possible):
            holds = int(self.compute([low for low, _ in ends]))
            return sure, possible, (holds, holds)
        return sure, possible, None

    def _degrees(self, numbers: Iterable[int]) -> list[int]:
        degrees = [0] * len(self.graph.nodes)
        for number in numbers:
            for node in self.graph.pairs[number]:
                degrees[node] += 1
        return degrees

    def __str__(self) -> str:
        shown = [f"({a}, {b}, {c})" for (a, b), c in zip(self.graph.edges, self.args, strict=True)]
        return f"{self.kind}([{', '.join(shown[:4])}{f', … {len(shown)} edges' if len(shown) > 4 else ''}]{self._more()})"

    def _more(self) -> str:
        return ""


class Loop(_OnEdges):
    """The chosen edges form one loop: each of its nodes has two of them, and all hang together."""

    __slots__ = ()
    kind = "loop"

    def compute(self, values: Sequence[int]) -> int:
        chosen = [number for number, value in enumerate(values) if value]
        return bool(chosen) and all(degree in (0, 2) for degree in self._degrees(chosen)) and len(self._components(chosen)) == 1

    def _interval(self, assignment: Assignment) -> Interval:
        sure, possible, settled = self._settled_or(assignment)
        if settled is not None:
            return settled
        least, most = self._degrees(sure), self._degrees(possible)
        if any(low > 2 or (low and high < 2) for low, high in zip(least, most, strict=True)) or not possible:
            return 0, 0
        closed = [numbers for nodes, numbers in self._components(sure) if len(numbers) == len(nodes)]
        return (0, 0) if closed and len(closed[0]) < len(sure) else MAYBE

    def clauses(self) -> list[Clause]:
        some: Clause = [(number, 1, True) for number in range(len(self.args))]
        return [some, *(clause for numbers in looking(self.graph.incident, "encoding loop") for clause in _none_or_two(numbers))]

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        chosen = [number for number, value in enumerate(values) if value]
        if not chosen:
            return [[(number, 1, True) for number in range(len(self.args))]]
        if any(degree not in (0, 2) for degree in self._degrees(chosen)):
            return self._too_many(values, [2] * len(self.graph.nodes)) + self._too_few(values, {})
        parts = sorted(self._components(chosen), key=lambda part: len(part[0]))
        clauses: list[Clause] = []
        for place, (nodes, numbers) in enumerate(parts if len(parts) > 1 else []):
            beyond, others = parts[-1] if place < len(parts) - 1 else parts[0]
            clauses.append([(numbers[0], 1, False), (others[0], 1, False), *self._crossing(nodes, beyond[0])])
            clauses.append([(others[0], 1, False), *((number, 1, False) for number in numbers)])  # the loop is not this one
        return clauses


class Path(_OnEdges):
    """The chosen edges form one path between two nodes, without branches and without any other edge."""

    __slots__ = ("ends",)
    kind = "path"

    def __init__(self, shape: Graph, conditions: tuple[Condition, ...], ends: tuple[int, int]) -> None:
        super().__init__(shape, conditions)
        self.ends = ends

    def compute(self, values: Sequence[int]) -> int:
        chosen = [number for number, value in enumerate(values) if value]
        degrees = self._degrees(chosen)
        if any(degree != 1 if node in self.ends else degree not in (0, 2) for node, degree in enumerate(degrees)):
            return False
        return len(self._components(chosen)) == 1

    def _interval(self, assignment: Assignment) -> Interval:
        sure, possible, settled = self._settled_or(assignment)
        if settled is not None:
            return settled
        least, most = self._degrees(sure), self._degrees(possible)
        for node, (low, high) in enumerate(zip(least, most, strict=True)):
            if (low > 1 or high < 1) if node in self.ends else (low > 2 or (low and high < 2)):
                return 0, 0
        return (0, 0) if any(len(numbers) >= len(nodes) for nodes, numbers in self._components(sure)) else MAYBE

    def clauses(self) -> list[Clause]:
        forms = (_just_one(numbers) if node in self.ends else _none_or_two(numbers) for node, numbers in enumerate(self.graph.incident))
        return [clause for form in looking(forms, "encoding path") for clause in form]

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        most = [1 if node in self.ends else 2 for node in range(len(self.graph.nodes))]
        if found := self._too_many(values, most) + self._too_few(values, dict.fromkeys(self.ends, 1)):
            return found
        chosen = [number for number, value in enumerate(values) if value]
        return [
            [(numbers[0], 1, False), *self._crossing(nodes, self.ends[0])]
            for nodes, numbers in self._components(chosen)
            if self.ends[0] not in nodes
        ]

    def _more(self) -> str:
        return f", {self.graph.nodes[self.ends[0]]}, {self.graph.nodes[self.ends[1]]}"


def _none_or_two(numbers: Sequence[int]) -> list[Clause]:
    """None of some edges is chosen, or exactly two are."""
    clauses: list[Clause] = [[(other, 1, other != one) for other in numbers] for one in numbers]
    return clauses + [[(number, 1, False) for number in three] for three in combinations(numbers, 3)]


def _just_one(numbers: Sequence[int]) -> list[Clause]:
    """Exactly one of some edges is chosen."""
    some: Clause = [(number, 1, True) for number in numbers]
    return [some, *([(one, 1, False), (other, 1, False)] for one, other in combinations(numbers, 2))]


class Acyclic(_OnEdges):
    """The chosen edges contain no cycle: they form a forest."""

    __slots__ = ()
    kind = "acyclic"

    def compute(self, values: Sequence[int]) -> int:
        return not self._cycles([number for number, value in enumerate(values) if value], first=True)

    def _interval(self, assignment: Assignment) -> Interval:
        sure, possible, settled = self._settled_or(assignment)
        if settled is not None:
            return settled
        if self._cycles(sure, first=True):
            return 0, 0
        return MAYBE if self._cycles(possible, first=True) else (1, 1)

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        cycles = self._cycles([number for number, value in enumerate(values) if value])
        return [[(number, 1, False) for number in cycle] for cycle in cycles]

    def _cycles(self, chosen: Sequence[int], first: bool = False) -> list[list[int]]:
        """Cycles of the chosen edges (one per edge beyond a spanning forest), each as the numbers of its edges."""
        parent: dict[int, tuple[int, int] | None] = {}
        at: dict[int, list[int]] = {}
        for number in chosen:
            for node in self.graph.pairs[number]:
                at.setdefault(node, []).append(number)
        cycles = []
        for root in at:
            if root in parent:
                continue
            parent[root] = None
            queue, used = [root], set()
            for node in queue:
                for number in at[node]:
                    if number in used:
                        continue
                    used.add(number)
                    a, b = self.graph.pairs[number]
                    other = b if a == node else a
                    if other not in parent:
                        parent[other] = (node, number)
                        queue.append(other)
                        continue
                    cycles.append([number, *_between(parent, node, other)])
                    if first:
                        return cycles
        return cycles


def _between(parent: Mapping[int, tuple[int, int] | None], one: int, other: int) -> list[int]:
    """The edges of the way between two nodes of a tree."""

    def climb(node: int) -> list[tuple[int, int]]:
        way = []
        while (step := parent[node]) is not None:
            way.append((node, step[1]))
            node = step[0]
        return way

    left, right = climb(one), climb(other)
    while left and right and left[-1] == right[-1]:
        left.pop()
        right.pop()
    return [number for _, number in left + right]


# -- constraints on nodes


def _separator(near: Sequence[Sequence[int]], part: set[int], target: int) -> list[int]:
    """The nodes next to a part of a graph that any way from it to ``target`` passes, no more than needed."""
    border = {other for node in part for other in near[node] if other not in part}
    if len(part) < FEW_NODES:
        return sorted(border)
    reached, queue = {target}, [target]
    touched: dict[int, None] = {}
    for node in queue:
        for other in near[node]:
            if other in border:
                touched[other] = None
            elif other not in reached and other not in part:
                reached.add(other)
                queue.append(other)
    return list(touched)


def _parts(near: Sequence[Sequence[int]], members: Sequence[int]) -> list[list[int]]:
    """The connected parts of the graph that some of its nodes make."""
    left = set(members)
    parts = []
    for start in members:
        if start in left:
            left.discard(start)
            part = [start]
            for node in part:
                for other in near[node]:
                    if other in left:
                        left.discard(other)
                        part.append(other)
            parts.append(part)
    return parts


class _OnNodes(LazyConstraint):
    """A constraint on the nodes of a graph; the first of ``args`` belong to the nodes, in their order."""

    __slots__ = ("graph",)
    graph: Graph

    def __init__(self, shape: Graph, args: tuple[Expression, ...]) -> None:
        super().__init__(args)
        self.graph = shape

    def pieces(self) -> list[tuple[Expression, ...]]:
        return [tuple(self.args[other] for other in (node, *around)) for node, around in enumerate(self.graph.near)]


class Connected(_OnNodes):
    """The nodes whose condition holds hang together: between any two of them leads a way through such nodes."""

    __slots__ = ()
    kind = "connected"

    def compute(self, values: Sequence[int]) -> int:
        return len(_parts(self.graph.near, [node for node, value in enumerate(values) if value])) <= 1

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        sure = [node for node, (low, _) in enumerate(ends) if low]
        possible = [node for node, (_, high) in enumerate(ends) if high]
        if len(sure) == len(possible):
            holds = int(self.compute([low for low, _ in ends]))
            return holds, holds
        return (0, 0) if sum(any(ends[node][0] for node in part) for part in _parts(self.graph.near, possible)) > 1 else MAYBE

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        near = self.graph.near
        parts = _parts(near, [node for node, value in enumerate(values) if value])
        if len(parts) < 2:
            return []
        parts.sort(key=len)
        clauses = []
        for place, part in enumerate(parts):
            other = parts[-1] if place < len(parts) - 1 else parts[0]
            around = _separator(near, set(part), other[0])
            clauses.append([(part[0], 1, False), (other[0], 1, False), *((node, 1, True) for node in around)])
        return clauses

    def __str__(self) -> str:
        return f"connected([{_shown(self.args)}], {self.graph})"


class Regions(_OnNodes):
    """Nodes with equal labels hang together: each label has one connected region, or none."""

    __slots__ = ()
    kind = "regions"

    def _by_label(self, values: Sequence[int]) -> dict[int, list[int]]:
        members: dict[int, list[int]] = {}
        for node, label in enumerate(values):
            members.setdefault(label, []).append(node)
        return members

    def compute(self, values: Sequence[int]) -> int:
        return all(len(_parts(self.graph.near, members)) == 1 for members in self._by_label(values).values())

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        known = {node: low for node, (low, high) in enumerate(ends) if low == high}
        if len(known) == len(ends):
            holds = int(self.compute([low for low, _ in ends]))
            return holds, holds
        for label, members in self._by_label([known.get(node, -1) for node in range(len(ends))]).items():
            if len(sure := [node for node in members if node in known]) > 1:
                possible = [node for node, (low, high) in enumerate(ends) if low <= label <= high]
                if sum(any(node in part for node in sure) for part in map(set, _parts(self.graph.near, possible))) > 1:
                    return 0, 0
        return MAYBE

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        near = self.graph.near
        clauses: list[Clause] = []
        for label, members in self._by_label(values).items():
            parts = sorted(_parts(near, members), key=len)
            for place, part in enumerate(parts if len(parts) > 1 else []):
                other = parts[-1] if place < len(parts) - 1 else parts[0]
                around = _separator(near, set(part), other[0])
                clauses.append([(part[0], label, False), (other[0], label, False), *((node, label, True) for node in around)])
        return clauses

    def __str__(self) -> str:
        return f"regions([{_shown(self.args)}], {self.graph})"


class RegionSizes(_OnNodes):
    """Each connected part of equally labelled nodes has as many nodes as its members say.

    ``args`` are the labels of all nodes, then their sizes.
    """

    __slots__ = ()
    kind = "region_sizes"

    def pieces(self) -> list[tuple[Expression, ...]]:
        count = len(self.graph.nodes)
        return [(*piece, self.args[count + node]) for node, piece in enumerate(super().pieces())]

    def _regions(self, labels: Sequence[int]) -> list[list[int]]:
        near = self.graph.near
        regions, seen = [], set()
        for start in range(len(labels)):
            if start not in seen:
                seen.add(start)
                region = [start]
                for node in region:
                    for other in near[node]:
                        if other not in seen and labels[other] == labels[start]:
                            seen.add(other)
                            region.append(other)
                regions.append(region)
        return regions

    def compute(self, values: Sequence[int]) -> int:
        count = len(self.graph.nodes)
        return all(values[count + node] == len(region) for region in self._regions(values[:count]) for node in region)

    def _interval(self, assignment: Assignment) -> Interval:
        count = len(self.graph.nodes)
        ends = [arg.interval(assignment) for arg in self.args]
        if all(low == high for low, high in ends):
            holds = int(self.compute([low for low, _ in ends]))
            return holds, holds
        labels = [low if low == high else None for low, high in ends[:count]]
        for region in self._regions([-(2**62) - node if label is None else label for node, label in enumerate(labels)]):
            if (label := labels[region[0]]) is None:
                continue
            inside = set(region)
            can_grow = any(
                ends[other][0] <= label <= ends[other][1] for node in region for other in self.graph.near[node] if other not in inside
            )
            for node in region:
                low, high = ends[count + node]
                if len(region) > high or (not can_grow and len(region) < low):
                    return 0, 0
        return MAYBE

    def relaxation(self) -> Condition:
        count = len(self.graph.nodes)
        return And(
            tuple(
                Implies(Comparison(self.args[a], "==", self.args[b]), Comparison(self.args[count + a], "==", self.args[count + b]))
                for a, b in self.graph.pairs
                if self.args[count + a] is not self.args[a] or self.args[count + b] is not self.args[b]
            )
        )

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        count, near = len(self.graph.nodes), self.graph.near
        clauses: list[Clause] = []
        for region in self._regions(values[:count]):
            label, inside = values[region[0]], set(region)
            for node in region:
                size = values[count + node]
                if size < len(region):  # as many members as are one too many, nearest first
                    chosen = _nearest(near, inside, node, max(size, 0) + 1)
                    clauses.append([(count + node, size, False), *((member, label, False) for member in chosen)])
                elif size > len(region):
                    border = dict.fromkeys(other for member in region for other in near[member] if other not in inside)
                    grow: Clause = [(other, label, True) for other in border]
                    clauses.append([(count + node, size, False), *((member, label, False) for member in region), *grow])
                else:
                    continue
                break  # one clause per region: the other members say the same
        return [list(dict.fromkeys(clause)) for clause in clauses]

    def __str__(self) -> str:
        count = len(self.graph.nodes)
        return f"region_sizes([{_shown(self.args[:count])}], {self.graph}, [{_shown(self.args[count:])}])"


def _nearest(near: Sequence[Sequence[int]], inside: set[int], start: int, count: int) -> list[int]:
    """The first nodes of a part that are met from one of them."""
    found, seen = [start], {start}
    for node in found:
        for other in near[node]:
            if other in inside and other not in seen and len(found) < count:
                seen.add(other)
                found.append(other)
    return found


def _shown(args: Sequence[Expression], most: int = 6) -> str:
    return ", ".join(map(str, args[:most])) + (f", … {len(args)} in all" if len(args) > most else "")


# -- what people call

Edges = GridEdges | Mapping[tuple[Node, Node], Any] | Iterable[tuple[Node, Node, Any]]
"""Edges with conditions: of :func:`grid_edges`, ``{(node, node): condition}`` or ``(node, node, condition)`` one by one."""


def loop(edges: Edges) -> Loop:
    """The chosen edges form exactly one loop, without branches; no edge is no loop. Each loop is one solution.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> ring = {(a, b): m.bool_var() for a, b in ["ab", "bc", "cd", "da", "ac"]}
    >>> _ = m.add(cp.loop(ring))
    >>> m.count()
    3
    """
    return Loop(*_edges(edges, "loop"))


def path(edges: Edges, start: Node, end: Node) -> Path:
    """The chosen edges form one path from ``start`` to ``end``, and no other edge is chosen.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.path(cp.grid_edges(m, 3, 3), (0, 0), (2, 2)))
    >>> m.count()
    12
    """
    shape, conditions = _edges(edges, "path")
    for node in (start, end):
        if node not in shape.number:
            raise ModelError(f"path: no edge leads to {node!r}; the ends must be nodes of the graph")
    if start == end:
        raise ModelError(f"path: both ends are {start!r}; for a way that closes write loop(edges)")
    return Path(shape, conditions, (shape.number[start], shape.number[end]))


def acyclic(edges: Edges) -> Acyclic:
    """The chosen edges contain no cycle: they form a forest.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.acyclic({(a, b): m.bool_var() for a, b in ["ab", "bc", "ca"]}))
    >>> m.count()
    7
    """
    return Acyclic(*_edges(edges, "acyclic"))


def _edges(edges: Edges, what: str) -> tuple[Graph, tuple[Condition, ...]]:
    if isinstance(edges, GridEdges) and edges.triples:
        return edges.graph, tuple(as_condition(condition) for _, _, condition in edges.triples)
    listed: list[tuple[Node, Node, Any]] = []
    given = edges.triples if isinstance(edges, GridEdges) else edges
    for entry in ((*ends, condition) for ends, condition in given.items()) if isinstance(given, Mapping) else given:
        if not isinstance(entry, tuple | list) or len(entry) != 3:
            raise ModelError(f"{what}: expected edges (node, node, condition), got {entry!r}")
        listed.append((entry[0], entry[1], entry[2]))
    if not listed:
        raise ModelError(
            f"{what}: there are no edges; give {{(node, node): condition}} or cp.grid_edges(model, rows, columns) of two points or more"
        )
    _check_simple([(a, b) for a, b, _ in listed], what)
    return graph([(a, b) for a, b, _ in listed]), tuple(as_condition(condition) for _, _, condition in listed)


def connected(bools: Any, shape: Graph) -> Connected:
    """The nodes whose condition holds hang together; none, or one, does so too.

    ``bools`` is an array or list in the order of the graph's nodes (for a grid, an array of its shape), or maps nodes to conditions.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> black = m.bool_vars((2, 2))
    >>> _ = m.add(cp.connected(black, cp.grid(2, 2)))
    >>> m.count()
    14
    """
    return Connected(shape, tuple(as_condition(item) for item in _on_nodes(bools, shape, "connected")))


def regions(labels: Any, shape: Graph, roots: Mapping[int, Node] | None = None, sizes: Mapping[int, Any] | None = None) -> Regions | And:
    """Nodes with equal labels hang together: each label has one connected region, or none.

    ``roots`` gives labels a node each that has them, ``sizes`` the number of nodes of labels.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> label = m.int_vars((2, 2), 0, 1)
    >>> _ = m.add(cp.regions(label, cp.grid(2, 2), roots={0: (0, 0)}, sizes={1: 2}))
    >>> m.count()
    2
    """
    chosen = tuple(as_expression(item) for item in _on_nodes(labels, shape, "regions"))
    places: dict[int, int] = {}
    for label, node in (roots or {}).items():
        if node not in shape.number:
            raise ModelError(f"regions: the root {node!r} of label {label} is no node of the {shape}")
        if shape.number[node] in places.values():
            raise ModelError(f"regions: the node {node!r} is the root of two labels; give each label a root of its own")
        places[as_int(label)] = shape.number[node]
    more: list[Condition] = [Comparison(chosen[place], "==", label) for label, place in places.items()]
    far: list[set[int]] = [set() for _ in chosen]
    for label, size in (sizes or {}).items():
        number = as_int(label)
        if not isinstance(size, Expression) and as_int(size) < 0:
            raise ModelError(f"regions: label {number} cannot have {size} nodes; give a size from 0 on")
        members: Sequence[int] = range(len(chosen))
        if number in places and not isinstance(size, Expression):  # nodes that are too far from the root have another label
            members = _within(shape.near, places[number], as_int(size), {place for other, place in places.items() if other != number})
            for place in set(range(len(chosen))).difference(members):
                far[place].add(number)
        counted = total(tuple(Comparison(chosen[place], "==", number) for place in members))
        more.append(Comparison(counted, "==", size if isinstance(size, Expression) else as_int(size)))
    for each, excluded in zip(chosen, far, strict=True):
        low, high = each.interval()
        if excluded and high - low <= len(chosen) + len(excluded):
            more.append(Table((each,), {(label,): None for label in range(low, high + 1) if label not in excluded}))
        else:  # far more labels than nodes: those that are left are not listed
            more += (Comparison(each, "!=", label) for label in sorted(excluded))
    ends = [label.interval() for label in chosen]
    for label in {**(roots or {}), **(sizes or {})}:
        if not any(low <= label <= high for low, high in ends):
            raise ModelError(f"regions: no node can have the label {label}; {chosen[0]} ranges over {ends[0][0]}..{ends[0][1]}")
    return And((Regions(shape, chosen), *more)) if more else Regions(shape, chosen)


def _within(near: Sequence[Sequence[int]], root: int, size: int, closed: set[int]) -> Sequence[int]:
    """The nodes that a connected part of a size can have if it has the root and none of the closed nodes."""
    distance = {root: 1}
    for node in (queue := [root]):
        for other in near[node] if distance[node] < size else ():
            if other not in distance and other not in closed:
                distance[other] = distance[node] + 1
                queue.append(other)
    return sorted(distance)


def region_sizes(labels: Any, shape: Graph, sizes: Any) -> RegionSizes:
    """Each connected part of equally labelled nodes has as many nodes as ``sizes`` says at each of them.

    Several parts may share a label, so ``region_sizes(x, board, x)`` cuts a board into parts that each show their own size.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars((1, 3), 1, 3)
    >>> _ = m.add(cp.region_sizes(x, cp.grid(1, 3), x))
    >>> sorted(s[x].tolist() for s in m.solutions())
    [[[1, 2, 2]], [[2, 2, 1]], [[3, 3, 3]]]
    """
    chosen = tuple(as_expression(item) for item in _on_nodes(labels, shape, "region_sizes"))
    said = tuple(as_expression(item) for item in _on_nodes(sizes, shape, "region_sizes"))
    return RegionSizes(shape, (*chosen, *said))


def _on_nodes(items: Any, shape: Graph, what: str) -> list[Any]:
    """One item per node, in the order of the graph's nodes."""
    if not isinstance(shape, Graph):
        raise ModelError(f"{what}: expected a graph such as cp.grid(rows, columns) or cp.graph(edges), got {shape!r}")
    if not shape.nodes:
        raise ModelError(f"{what}: the graph has no nodes")
    if isinstance(items, Mapping):
        if strangers := [node for node in items if node not in shape.number]:
            raise ModelError(f"{what}: {strangers[0]!r} is no node of the {shape}")
        if absent := [node for node in shape.nodes if node not in items]:
            raise ModelError(f"{what}: the node {absent[0]!r} has no entry; give one per node of the {shape}")
        return [items[node] for node in shape.nodes]
    if isinstance(items, np.ndarray) and items.ndim == 2 and shape.nodes[0] == (0, 0):
        match shape.nodes[-1]:  # on a grid its last cell; equally many cells in another shape are a slip of the pen
            case (int() as row, int() as column) if items.shape != (row + 1, column + 1) and items.size == (row + 1) * (column + 1):
                raise ModelError(f"{what}: an array of {items.shape[0]} × {items.shape[1]} for a grid of {row + 1} × {column + 1}")
    listed = list(collect([items]))
    if len(listed) != len(shape.nodes):
        raise ModelError(f"{what}: {len(listed)} entries for a {shape}; give one per node, in the order of its nodes")
    return listed

"""Walk a graph of labelled moves, pick things up, end there: what puzzles of this kind have in common.

A route is a row of *stages*. Within a stage the graph of moves does not change: the walker starts where the last stage ended,
visits all items in any order, and ends at the goal. That is what makes landmarks exact: the shortest walk through the items
is made of shortest paths between them, so only the order is left to choose. :mod:`cpsolve.puzzles.encodings` states a route as a
constraint model, :mod:`cpsolve.puzzles.walks` solves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic

import numpy as np
import numpy.typing as npt

from cpsolve.cached import cached_property
from cpsolve.errors import SolverError
from cpsolve.limits import Deadline
from cpsolve.puzzles import orders
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.orders import UNREACHABLE
from cpsolve.puzzles.plans import Cell, Move, Puzzle, W


class Stage:
    """From ``start`` through all ``items``, in any order, to ``goal``, by the moves of one graph.

    ``names`` says what the start, an item and the goal are called.
    """

    def __init__(
        self,
        graph: MoveGraph,
        start: Cell,
        items: Iterable[Cell],
        goal: Cell,
        names: tuple[str, str, str] = ("start", "item", "goal"),
    ) -> None:
        self.graph = graph
        self.start = start
        self.items = tuple(sorted(set(items)))
        self.goal = goal
        self.names = names
        self._ways: npt.NDArray[np.int32] | None = None

    @cached_property
    def missing(self) -> tuple[Cell, ...]:
        """The items that are not at the start already."""
        return tuple(item for item in self.items if item != self.start)

    @cached_property
    def landmarks(self) -> tuple[str, ...]:
        """What the places are called.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> route(Garden("So.E")).stages[0].landmarks
        ('start', 'flower (1,0)', 'gate')
        """
        start, item, goal = self.names
        return (start, *(f"{item} ({x},{y})" for x, y in self.missing), goal)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The landmarks as numbers of the graph: the start, the items that are not there already, the goal."""
        return tuple(self.graph.number[cell] for cell in (self.start, *self.missing, self.goal))

    def prepare(self, deadline: Deadline | None = None) -> npt.NDArray[np.int32]:
        """Builds the graph and measures all ways, once; TimeLimitError when the deadline comes first."""
        if self._ways is None:
            self.graph.expand(deadline)
            self._ways = self.graph.distances_to(self.places[1:], deadline)
        return self._ways

    @property
    def ways(self) -> npt.NDArray[np.int32]:
        """The number of moves from every cell to each landmark but the start; -1 where there is no way."""
        return self.prepare()

    @cached_property
    def distances(self) -> orders.Distances:
        """The number of moves between landmarks."""
        between = np.full((len(self.places), len(self.places)), UNREACHABLE, np.int64)
        between[:, 1:] = self.ways[:, self.places].T
        between[between < 0] = UNREACHABLE
        between[0, 0] = 0
        return between

    def obstacle(self) -> Obstacle | None:
        """What makes the stage impossible; None if it can be done.

        It can be done exactly if the start reaches every landmark, each of them reaches the goal, and of any two items one
        reaches the other: then the items can be sorted so that each reaches the next.
        """
        missing = self.distances >= UNREACHABLE
        cells = [self.graph.cells[place] for place in self.places]
        for place in (*range(1, len(cells) - 1), len(cells) - 1):
            if missing[0, place]:
                return Obstacle(self, cells[0], cells[place])
        for place in range(1, len(cells) - 1):
            if missing[place, -1]:
                return Obstacle(self, cells[place], cells[-1])
        torn = np.argwhere(missing[1:-1, 1:-1] & missing[1:-1, 1:-1].T)
        if len(torn):
            one, other = (int(place) + 1 for place in torn[0])
            return Obstacle(self, cells[one], cells[other], both_ways=True)
        return None

    def walk(self, order: Sequence[int]) -> list[Move]:
        """The moves of shortest paths between landmarks in this order.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> print(*route(Garden("So.E")).stages[0].walk((0, 1, 2)))
        right right right
        """
        return [move for tail, head in pairwise(order) for move in self._downhill(self.places[tail], self.ways[head - 1])]

    def walk_in_order(self, order: Sequence[int]) -> list[Move]:
        """The same, but no item is walked over before its turn; SolverError where every way does.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> print(*route(Garden("Soo\\n..E")).stages[0].walk_in_order((0, 2, 1, 3)))
        down right right up left right down
        """
        moves: list[Move] = []
        for step, (tail, head) in enumerate(pairwise(order), 2):
            later = {self.places[place] for place in order[step:-1]}
            distance = self.graph.distances_around(self.places[head], later)
            if distance[self.places[tail]] < 0:
                raise SolverError(f"no way leads from {self.landmarks[tail]} to {self.landmarks[head]} around what comes later")
            moves += self._downhill(self.places[tail], distance)
        return moves

    def _downhill(self, here: int, distance: npt.NDArray[np.int32]) -> Iterator[Move]:
        """The moves of a shortest path from a place to where the distance is 0."""
        for left in range(int(distance[here]) - 1, -1, -1):
            here, move = next((head, move) for head, move in self.graph.moves[here].items() if distance[head] == left)
            yield move


@dataclass(frozen=True)
class Obstacle:
    """No way leads from ``source`` to ``target`` (nor back, if ``both_ways``), and the stage needs one."""

    stage: Stage
    source: Cell
    target: Cell
    both_ways: bool = False

    @property
    def beyond(self) -> set[Cell]:
        """The cells that no way from the source leads to."""
        return set(self.stage.graph.cells) - self.stage.graph.reach(self.source)


@dataclass(frozen=True)
class Route(Generic[W]):
    """A puzzle that is a row of stages.

    ``divide`` makes the stages, ``explain`` puts an obstacle into words, ``missing`` tells, for a state, the number of its
    stage and which of the stage's items are still to be visited.
    """

    puzzle: Puzzle[W]
    divide: Callable[[], Sequence[Stage]]
    explain: Callable[[Obstacle], str]
    missing: Callable[[W], tuple[int, frozenset[Cell]]]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The stages, in order."""
        return tuple(self.divide())

    def prepare(self, deadline: Deadline | None = None) -> None:
        """Builds all graphs and measures all distances; TimeLimitError when the deadline comes first."""
        for stage in self.stages:
            stage.prepare(deadline)

    def reason(self) -> str:
        """Why there is no plan, in words; empty if there is one."""
        obstacle = self.obstacle()
        return "" if obstacle is None else self.explain(obstacle)

    def obstacle(self) -> Obstacle | None:
        """The first thing that makes a plan impossible; None if there is a plan.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> found = route(Garden("S.#E")).obstacle()
        >>> found.target, found.beyond
        ((3, 0), {(3, 0)})
        """
        return next((found for stage in self.stages if (found := stage.obstacle()) is not None), None)

    def heuristic(self) -> Callable[[W], float]:
        """A number of moves that are needed at least from a state; infinite where the goal is out of reach."""
        later = [0.0] * (len(self.stages) + 1)
        for number in range(len(self.stages) - 1, -1, -1):
            later[number] = later[number + 1] + orders.lower_bound(self.stages[number].distances)
        estimates = [_Estimate(stage) for stage in self.stages]

        def estimate(state: W) -> float:
            number, items = self.missing(state)
            return estimates[number](state.cell, items) + later[number + 1]

        return estimate


class _Estimate:
    """A lower bound on the moves from a cell through the missing items to the goal of a stage.

    Each missing item must be reached and left for the goal, and each must be left for its nearest other landmark.
    """

    def __init__(self, stage: Stage) -> None:
        self._number = stage.graph.number
        self._rows = {item: i for i, item in enumerate(stage.missing)}
        self._ways: list[list[int]] = stage.ways.tolist()
        self._between: list[list[int]] = stage.distances[1:, 1:].tolist()
        self._known: dict[frozenset[Cell], tuple[list[tuple[list[int], int]], int]] = {}

    def __call__(self, cell: Cell, items: frozenset[Cell]) -> float:
        here = self._number[cell]
        if not items:
            direct = self._ways[-1][here]
            return direct if direct >= 0 else float("inf")
        known = self._known.get(items)
        if known is None:
            known = self._known[items] = self._prepare(items)
        ways, rest = known
        longest, nearest = 0, UNREACHABLE
        for way, onward in ways:
            distance = way[here]
            if distance < 0:
                return float("inf")
            longest = max(longest, distance + onward)
            nearest = min(nearest, distance)
        return max(longest, nearest + rest)

    def _prepare(self, items: frozenset[Cell]) -> tuple[list[tuple[list[int], int]], int]:
        rows = [self._rows[item] for item in items]
        rest = sum(min(self._between[row][other] for other in (*rows, -1) if other != row) for row in rows)
        return [(self._ways[row], self._between[row][-1]) for row in rows], rest

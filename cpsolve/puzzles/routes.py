"""Walk a graph of labelled moves, pick things up, end there: shortest plans for puzzles of this kind.

A route is a row of *stages*. Within a stage the graph of moves does not change: the walker starts where the last stage ended,
visits all items in any order, and ends at the goal. That is what makes landmarks exact: the shortest walk through the items
is made of shortest paths between them, so only the order is left to choose (:mod:`cpsolve.puzzles.orders`). The order is expanded to
labelled moves, and the puzzle's own rules replay them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

import numpy as np
import numpy.typing as npt

from cpsolve.errors import ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles import orders, search
from cpsolve.puzzles.orders import UNREACHABLE, Tour
from cpsolve.puzzles.plans import Cell, Move, Plan, Puzzle, S, plan_of
from cpsolve.results import Status

METHODS = ("auto", "circuit", "held-karp", "horizon", "dfs", "bfs", "astar")
HELD_KARP_BEST = 14
"""Up to so many items the dynamic programme is faster than the circuit."""
_SMALL, _PAIRS = 20_000, 4_000_000
"""Up to how many pairs of a target and a cell a list is faster than an array, and how many an array may hold at once."""


class MoveGraph:
    """Cells and the labelled moves between them; the rules are asked for them when they are first needed.

    >>> graph = MoveGraph([(1, 1), (2, 1)], lambda cell: [(Move("right"), (2, 1))] if cell == (1, 1) else [])
    >>> graph.distances_to([graph.number[2, 1]])
    array([[1, 0]], dtype=int32)
    """

    def __init__(self, cells: Iterable[Cell], steps: Callable[[Cell], Iterable[tuple[Move, Cell]]]) -> None:
        self._given_cells = cells
        self._steps = steps

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells; their numbers are the places here."""
        return tuple(self._given_cells)

    @cached_property
    def number(self) -> dict[Cell, int]:
        """The number of each cell."""
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def moves(self) -> list[dict[int, Move]]:
        """For each cell the cells that a move leads to, with the move."""
        number, steps = self.number, self._steps
        return [{number[head]: move for move, head in steps(cell)} for cell in self.cells]

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The cells from which a move leads to each cell."""
        tails: list[list[int]] = [[] for _ in self.cells]
        for tail, moves in enumerate(self.moves):
            for head in moves:
                tails[head].append(tail)
        return tails

    def reach(self, cell: Cell) -> set[Cell]:
        """The cells that can be reached from a cell, itself included."""
        start = self.number[cell]
        reached, waiting = {start}, [start]
        while waiting:
            for head in self.moves[waiting.pop()]:
                if head not in reached:
                    reached.add(head)
                    waiting.append(head)
        return {self.cells[node] for node in reached}

    def distances_to(self, targets: Sequence[int]) -> npt.NDArray[np.int32]:
        """The number of moves from every cell (columns) to each target (rows); -1 where there is no way."""
        if len(targets) * len(self.cells) <= _SMALL:
            return np.array([self._distances_to(target) for target in targets], np.int32).reshape(len(targets), len(self.cells))
        batch = max(1, _PAIRS // len(self.cells))
        return np.concatenate([self._all_distances_to(np.array(targets[i : i + batch])) for i in range(0, len(targets), batch)])

    def _distances_to(self, target: int) -> list[int]:
        distances = [-1] * len(self.cells)
        distances[target] = 0
        frontier, steps = [target], 0
        while frontier:
            steps += 1
            following = []
            for node in frontier:
                for tail in self.predecessors[node]:
                    if distances[tail] < 0:
                        distances[tail] = steps
                        following.append(tail)
            frontier = following
        return distances

    def _all_distances_to(self, targets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Breadth-first search from all targets at once, a level at a time, over pairs (target, cell) numbered as one."""
        count = len(self.cells)
        degree = max(1, max(map(len, self.predecessors)))
        tails = np.full((count, degree), -1)
        for node, listed in enumerate(self.predecessors):
            tails[node, : len(listed)] = listed
        distances = np.full(len(targets) * count, -1, np.int32)
        owner = np.empty(len(distances), np.int64)
        frontier = np.arange(len(targets)) * count + targets
        distances[frontier] = 0
        steps = 0
        while len(frontier):
            steps += 1
            cells = frontier % count
            found = tails[cells]
            pairs = (found + (frontier - cells)[:, None])[found >= 0]
            pairs = pairs[distances[pairs] < 0]
            distances[pairs] = steps
            owner[pairs] = np.arange(len(pairs))  # of equal pairs the last one stays
            frontier = pairs[owner[pairs] == np.arange(len(pairs))]
        return distances.reshape(len(targets), count)


class Stage:
    """From ``start`` through all ``items``, in any order, to ``goal``, by the moves of one graph."""

    def __init__(self, graph: MoveGraph, start: Cell, items: Iterable[Cell], goal: Cell) -> None:
        self.graph = graph
        self.start = start
        self.items = tuple(sorted(set(items)))
        self.goal = goal

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The landmarks as numbers of the graph: the start, the items that are not there already, the goal."""
        return tuple(self.graph.number[cell] for cell in (self.start, *(item for item in self.items if item != self.start), self.goal))

    @cached_property
    def ways(self) -> npt.NDArray[np.int32]:
        """The number of moves from every cell to each landmark but the start; -1 where there is no way."""
        return self.graph.distances_to(self.places[1:])

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
        """The moves of shortest paths between landmarks in this order."""
        moves: list[Move] = []
        here = self.places[order[0]]
        for place in order[1:]:
            distance = self.ways[place - 1]
            for left in range(int(distance[here]) - 1, -1, -1):
                here, move = next((head, move) for head, move in self.graph.moves[here].items() if distance[head] == left)
                moves.append(move)
        return moves


@dataclass(frozen=True)
class Obstacle:
    """No way leads from ``source`` to ``target`` (nor back, if ``both_ways``), and the stage needs one."""

    stage: Stage
    source: Cell
    target: Cell
    both_ways: bool = False


@dataclass(frozen=True)
class Route(Generic[S]):
    """A puzzle that is a row of stages.

    ``divide`` makes the stages, ``explain`` puts an obstacle into words, ``missing`` tells, for a state, the number of its
    stage and which of the stage's items are still to be visited.
    """

    puzzle: Puzzle[S]
    divide: Callable[[], Sequence[Stage]]
    explain: Callable[[Obstacle], str]
    missing: Callable[[S], tuple[int, frozenset[Cell]]]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The stages, in order."""
        return tuple(self.divide())

    def reason(self) -> str:
        """Why there is no plan, in words; empty if there is one."""
        for stage in self.stages:
            if (obstacle := stage.obstacle()) is not None:
                return self.explain(obstacle)
        return ""

    def heuristic(self) -> Callable[[S], float]:
        """A number of moves that are needed at least from a state; infinite where the goal is out of reach."""
        later = [0.0] * (len(self.stages) + 1)
        for number in range(len(self.stages) - 1, -1, -1):
            later[number] = later[number + 1] + orders.lower_bound(self.stages[number].distances)
        estimates = [_Estimate(stage) for stage in self.stages]

        def estimate(state: S) -> float:
            number, items = self.missing(state)
            return estimates[number](state.cell, items) + later[number + 1]  # type: ignore[attr-defined]

        return estimate


class _Estimate:
    """A lower bound on the moves from a cell through the missing items to the goal of a stage.

    Each missing item must be reached and left for the goal, and each must be left for its nearest other landmark.
    """

    def __init__(self, stage: Stage) -> None:
        self._number = stage.graph.number
        self._rows = {item: i for i, item in enumerate(cell for cell in stage.items if cell != stage.start)}
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


# -- one call for all methods


def solve(
    route: Route[S],
    method: str = "auto",
    time_limit: float | None = None,
    *,
    max_states: int | None = search.MAX_STATES,
    backend: str | None = None,
    workers: int | None = None,
) -> Plan[S]:
    """A plan for a puzzle by one of METHODS; ``stats["method"]`` tells which, also if it was chosen by ``auto``.

    ``max_states`` limits the searches ``dfs``, ``bfs`` and ``astar``; ``backend`` is for ``horizon``, ``workers`` for ``circuit``.

    >>> from models.busy_police import SCENES, solve
    >>> solve(SCENES["ambiente1"], method="circuit").cost
    18
    """
    if method not in METHODS:
        raise ModelError(f"unknown method {method!r}: expected one of {', '.join(METHODS)}")
    deadline = Deadline(time_limit)
    chosen = _choose(route) if method == "auto" else method
    if chosen == "dfs":
        plan = search.dfs(route.puzzle, max_states=max_states, time_limit=time_limit)
    elif chosen == "bfs":
        plan = search.bfs(route.puzzle, max_states=max_states, time_limit=time_limit)
    elif reason := route.reason():
        plan = Plan(Status.INFEASIBLE, reason=reason, stats={"method": chosen})
    elif chosen == "astar":
        plan = search.astar(route.puzzle, route.heuristic(), max_states=max_states, time_limit=deadline.remaining())
    else:
        plan = _by_stages(route, chosen, deadline, backend, workers)
    reason = route.reason() if plan.status is Status.INFEASIBLE else plan.reason
    stats = {**plan.stats, "requested": method, "wall_time": deadline.elapsed()}
    return Plan(plan.status, plan.moves, plan.states, plan.bound, reason, stats, route.puzzle)


def _choose(route: Route[S]) -> str:
    """With nothing to collect both are one breadth-first search in the graph, which beats searching the puzzle's states."""
    return "held-karp" if max(len(stage.items) for stage in route.stages) <= HELD_KARP_BEST else "circuit"


def _by_stages(route: Route[S], method: str, deadline: Deadline, backend: str | None, workers: int | None) -> Plan[S]:
    moves: list[Move] | None = []
    bound = 0
    details: list[Mapping[str, Any]] = []
    for stage in route.stages:
        if method == "horizon":
            walked, least, stats = _horizon(stage, deadline, backend)
        else:
            tour = _tour(stage, method, deadline, workers)
            walked, least, stats = None if tour.order is None else stage.walk(tour.order), tour.bound, tour.stats
        bound += least
        details.append(stats)
        moves = None if moves is None or walked is None else moves + walked
    summary = {"method": method, "stages": tuple(details), "landmarks": tuple(len(stage.places) for stage in route.stages)}
    if moves is None:
        return Plan(Status.UNKNOWN, bound=bound, reason=f"stopped after {deadline.elapsed():.3g} s without a plan", stats=summary)
    return plan_of(route.puzzle, moves, bound, summary)


def _tour(stage: Stage, method: str, deadline: Deadline, workers: int | None) -> Tour:
    if len(stage.places) <= 3 or method == "held-karp":
        return orders.held_karp(stage.distances, deadline)
    return orders.circuit(stage.distances, deadline, workers)


# -- the textbook model, step by step


def _horizon(stage: Stage, deadline: Deadline, backend: str | None) -> tuple[list[Move] | None, int, Mapping[str, Any]]:
    """The moves of a shortest walk: the first horizon, counted up from a lower bound, at which the model has a solution."""
    from cpsolve.constraints import any_of, table
    from cpsolve.model import Model

    graph = stage.graph
    labels = sorted({str(move) for moves in graph.moves for move in moves.values()})
    code = {label: i for i, label in enumerate(labels)}
    arcs = [(tail, code[str(move)], head) for tail, moves in enumerate(graph.moves) for head, move in moves.items()]
    start, *items, goal = stage.places
    to_goal = stage.ways[-1]
    from_start = _distances_from(graph, start)
    horizon = orders.lower_bound(stage.distances)
    while not deadline.passed():
        model = Model(f"{horizon} moves")
        position = [model.int_var(0, len(graph.cells) - 1, f"position[{step}]") for step in range(horizon + 1)]
        move = [model.int_var(0, max(0, len(labels) - 1), f"move[{step}]") for step in range(horizon)]
        model.add(position[0] == start, name="start")
        model.add(position[-1] == goal, name="goal")
        for step in range(horizon):
            if deadline.passed():
                return None, horizon, {"horizon": horizon}
            # only what can be reached by now and can still reach the goal
            rows = [
                (tail, label, head)
                for tail, label, head in arcs
                if 0 <= from_start[tail] <= step and 0 <= to_goal[head] <= horizon - step - 1
            ]
            model.add(table([position[step], move[step], position[step + 1]], rows), name=f"step {step}")
        for item in items:
            if deadline.passed():
                return None, horizon, {"horizon": horizon}
            collected = model.bool_vars(horizon + 1, f"collected {graph.cells[item]}")
            model.add(collected[0] == int(item == start))
            for step in range(1, horizon + 1):
                model.add(collected[step] == any_of([collected[step - 1] == 1, position[step] == item]))
            model.add(collected[horizon] == 1, name=f"item {graph.cells[item]}")
        remaining = deadline.remaining()
        result = model.solve(backend=backend, time_limit=None if remaining == float("inf") else remaining)
        if result.solution is not None:
            return (
                [Move(labels[result.solution[taken]]) for taken in move],
                horizon,
                {"horizon": horizon, "backend": result.stats["backend"]},
            )
        if result.status is Status.UNKNOWN:
            break
        horizon += 1
    return None, horizon, {"horizon": horizon}


def _distances_from(graph: MoveGraph, start: int) -> list[int]:
    distances = [-1] * len(graph.cells)
    distances[start] = 0
    frontier = [start]
    for node in frontier:
        for head in graph.moves[node]:
            if distances[head] < 0:
                distances[head] = distances[node] + 1
                frontier.append(head)
    return distances

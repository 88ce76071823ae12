"""Every acyclic path of a route: one at a time, or only their number.

A path is acyclic when no state comes twice, and a state is a place *and* what has been picked up. So a path falls into layers,
one for each set of items picked up: within a layer it is a simple path in the graph of moves, around the items still missing,
and it leaves the layer where it picks up the next. Listing walks the layers depth first, in the order of the rules, and enters
no place from which the goal is cut off by the path itself. Counting multiplies the numbers of simple paths of the layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from cpsolve.constraints import circuit
from cpsolve.counting.paths import count_simple_paths
from cpsolve.errors import IllegalMoveError
from cpsolve.expressions import Variable
from cpsolve.limits import Deadline
from cpsolve.model import Model
from cpsolve.puzzles.plans import Move, Plan, Puzzle, S, plan_of, step
from cpsolve.puzzles.routes import MoveGraph, Route, Stage
from cpsolve.results import Status

Layer = tuple[int, frozenset[int]]
"""The number of a stage, and its items that are still missing."""


def paths(route: Route[S]) -> Iterator[Plan[S]]:
    """Every acyclic path to the goal, each once, as plans that the rules have replayed.

    >>> from models.busy_police import SCENES
    >>> from models.busy_police.encode import route
    >>> [plan.cost for plan in paths(route(SCENES["ambiente2"]))]
    [20, 24]
    """
    if route.puzzle.is_goal(route.puzzle.start()):
        yield plan_of(route.puzzle, [], 0)
    elif not route.reason():
        yield from _replayed(route.puzzle, _Walker(route.stages).walk())


def _replayed(puzzle: Puzzle[S], walks: Iterator[list[Move]]) -> Iterator[Plan[S]]:
    """Plans of walks; of one walk after another, only what is new is replayed."""
    walked: list[Move] = []
    states = [puzzle.start()]
    for moves in walks:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(walked, moves, strict=False)))
        del states[same + 1 :]
        for number, move in enumerate(moves[same:], same + 1):
            states.append(step(puzzle, states[-1], move, number))
        if not puzzle.is_goal(states[-1]):
            raise IllegalMoveError(f"after {len(moves)} moves the goal is not reached: {states[-1]}")
        walked = moves
        yield Plan(Status.FEASIBLE, tuple(moves), tuple(states), stats={"method": "paths"}, puzzle=puzzle)


class _Walker:
    """The depth-first walk through the layers of a route that is known to have a plan."""

    def __init__(self, stages: tuple[Stage, ...]) -> None:
        self._stages = stages
        self._items = [frozenset(stage.places[1:-1]) for stage in stages]
        self._rows = [{place: row for row, place in enumerate(stage.places[1:-1])} for stage in stages]

    def walk(self) -> Iterator[list[Move]]:
        layer = self._arrive((0, self._items[0]), self._stages[0].places[0])
        assert layer is not None, "a start that is a goal has no walk"
        here = self._stages[0].places[0]
        moves: list[Move] = []
        visited: dict[Layer, set[int]] = {layer: {here}}
        trail = [(layer, here)]
        choices = [iter(self._choices(layer, here, visited[layer]))]
        while choices:
            for head, move in choices[-1]:
                following = self._arrive(trail[-1][0], head)
                if following is None:
                    yield [*moves, move]
                    continue
                moves.append(move)
                trail.append((following, head))
                seen = visited.setdefault(following, set())
                seen.add(head)
                choices.append(iter(self._choices(following, head, seen)))
                break
            else:
                choices.pop()
                layer, here = trail.pop()
                visited[layer].discard(here)
                if moves:
                    moves.pop()

    def _arrive(self, layer: Layer, place: int) -> Layer | None:
        """The layer after arriving at a place; None when that ends the route.

        Stages that share a cell have the same number for it, because all graphs of a route list the same cells.
        """
        number, missing = layer
        missing -= {place}
        while not missing and place == self._stages[number].places[-1]:
            number += 1
            if number == len(self._stages):
                return None
            missing = self._items[number] - {place}
        return number, missing

    def _choices(self, layer: Layer, here: int, seen: set[int]) -> list[tuple[int, Move]]:
        """The moves after which the goal can still be reached without coming back to a state."""
        number, missing = layer
        graph = self._stages[number].graph
        open_moves = [
            (head, move)
            for head, move in graph.moves[here].items()
            if head not in seen and (head not in missing or self._alive(layer, head))
        ]
        if len(open_moves) <= 1:
            return open_moves  # this place was entered because the goal can be reached from it
        alive = self._connected(layer, seen)
        return [(head, move) for head, move in open_moves if head in alive]

    def _alive(self, layer: Layer, item: int) -> bool:
        """Whether an item may be picked up next: it must still reach all others that are missing."""
        number, missing = layer
        ways, rows = self._stages[number].ways, self._rows[number]
        return all(ways[rows[other], item] >= 0 for other in missing if other != item)

    def _connected(self, layer: Layer, seen: set[int]) -> set[int]:
        """The places from which the layer can be left for good, around what was seen in it."""
        number, missing = layer
        stage = self._stages[number]
        exits = [item for item in missing if self._alive(layer, item)] if missing else [stage.places[-1]]
        connected = set(exits)
        waiting = exits
        predecessors = stage.graph.predecessors
        while waiting:
            for tail in predecessors[waiting.pop()]:
                if tail not in connected and tail not in seen and tail not in missing:
                    connected.add(tail)
                    waiting.append(tail)
        return connected


# -- counting


def count_paths(route: Route[S], *, time_limit: float | None = None) -> int:
    """The number of acyclic paths to the goal, without listing them.

    DiagramTooWide when the graph is too wide to count in, TimeLimitError when the time limit passes.

    >>> from models.busy_police import Scene
    >>> from models.busy_police.encode import route
    >>> grid = Scene(4, 4, [], [(column, floor) for column in range(1, 5) for floor in range(1, 4)], (1, 1), (4, 4))
    >>> count_paths(route(grid))
    184
    """
    deadline = Deadline(time_limit)
    total = 1
    for stage in route.stages:
        if stage.obstacle() is not None:
            return 0
        total *= _count_stage(stage, deadline)
    return total


def _count_stage(stage: Stage, deadline: Deadline) -> int:
    start, *items, goal = stage.places
    known: dict[tuple[int, frozenset[int]], int] = {}

    def count(here: int, missing: frozenset[int]) -> int:
        if (here, missing) not in known:
            if missing:
                legs = ((item, count(item, missing - {item})) for item in sorted(missing))
                total = sum(_simple_paths(stage.graph, here, item, missing, deadline) * after for item, after in legs if after)
            else:
                total = _simple_paths(stage.graph, here, goal, frozenset(), deadline)
            known[here, missing] = total
        return known[here, missing]

    return count(start, frozenset(items))


def _simple_paths(graph: MoveGraph, start: int, end: int, avoided: frozenset[int], deadline: Deadline) -> int:
    closed = avoided - {end}
    successors = [() if tail in closed else [head for head in moves if head not in closed] for tail, moves in enumerate(graph.moves)]
    return count_simple_paths(successors, start, end, deadline=deadline)


def path_model(stage: Stage) -> tuple[Model, dict[tuple[int, int], Variable]]:
    """The simple paths from start to goal of a stage without items, as a circuit that may leave places out.

    It is the constraint model of what :func:`paths` and :func:`count_paths` do by their own means, and their check.

    >>> from models.busy_police import SCENES
    >>> from models.busy_police.encode import route
    >>> model, legs = path_model(route(SCENES["ambiente1"]).stages[0])
    >>> len(list(model.solutions()))
    4
    """
    start, *_, goal = stage.places
    model = Model("paths")
    legs = {
        (tail, head): model.bool_var(f"{stage.graph.cells[tail]} to {stage.graph.cells[head]}")
        for tail, moves in enumerate(stage.graph.moves)
        for head in moves
        if tail != goal and head != start
    }
    left_out = [(place, place, model.bool_var()) for place in range(len(stage.graph.cells)) if place not in (start, goal)]
    model.add(circuit([*((tail, head, taken) for (tail, head), taken in legs.items()), *left_out, (goal, start, True)]), name="one path")
    return model, legs

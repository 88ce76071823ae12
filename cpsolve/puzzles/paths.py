"""Every acyclic path of a route: one at a time, or only their number.

A path is acyclic when no state comes twice, and a state is a place *and* what has been picked up. So a path falls into layers,
one for each set of items picked up: within a layer it is a simple path in the graph of moves, around the items still missing,
and it leaves the layer where it picks up the next. Listing walks the layers depth first, in the order of the rules, and enters
no place from which the goal is cut off by the path itself. Counting multiplies the numbers of simple paths of the layers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import takewhile

from cpsolve.counting.paths import count_simple_paths
from cpsolve.errors import SolverError
from cpsolve.limits import Deadline, looking
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.plans import Move, Puzzle, W, Walk, plan_of, step
from cpsolve.puzzles.routes import Route, Stage
from cpsolve.results import Status

Layer = tuple[int, frozenset[int]]
"""The number of a stage, and its items that are still missing."""


def paths(route: Route[W], *, time_limit: float | None = None, max_memory: int | None = None) -> Iterator[Walk[W]]:
    """Every acyclic path to the goal, each once, as plans that the rules have replayed; LimitError once a limit is met.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> [str(plan.moves[0]) for plan in paths(route(Garden("S.\\n.E")))]
    ['right', 'down']
    """
    deadline = Deadline(time_limit, max_memory)
    if route.puzzle.is_goal(route.puzzle.start()):
        yield Walk.of(plan_of(route.puzzle, [], 0))
        return
    route.prepare(deadline)
    if not route.reason():
        yield from _replayed(route.puzzle, _Walker(route.stages, deadline).walk())


def _replayed(puzzle: Puzzle[W], walks: Iterator[list[Move]]) -> Iterator[Walk[W]]:
    """Plans of walks; of one walk after another, only what is new is replayed."""
    walked: list[Move] = []
    states = [puzzle.start()]
    for moves in walks:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(walked, moves, strict=False)))
        del states[same + 1 :]
        for number, move in enumerate(moves[same:], same + 1):
            states.append(step(puzzle, states[-1], move, number))
        if not puzzle.is_goal(states[-1]):
            raise SolverError(f"a path misses the goal after {len(moves)} moves: {states[-1]}")
        walked = moves
        yield Walk(Status.FEASIBLE, tuple(moves), tuple(states), stats={"method": "paths"}, puzzle=puzzle)


class _Walker:
    """The depth-first walk through the layers of a route that is known to have a plan."""

    def __init__(self, stages: tuple[Stage, ...], deadline: Deadline) -> None:
        self._stages = stages
        self._deadline = deadline
        self._items = [frozenset(stage.places[1:-1]) for stage in stages]
        self._rows = [{place: row for row, place in enumerate(stage.places[1:-1])} for stage in stages]

    def walk(self) -> Iterator[list[Move]]:
        layer = self._arrive((0, self._items[0]), self._stages[0].places[0])
        if layer is None:
            return  # the start is the goal: nobody walks
        here = self._stages[0].places[0]
        moves: list[Move] = []
        visited: dict[Layer, set[int]] = {layer: {here}}
        trail = [(layer, here)]
        choices = [iter(self._choices(layer, here, visited[layer]))]
        while choices:
            self._deadline.check("listing paths")
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

    def _connected(self, layer: Layer, seen: set[int]) -> Container[int]:
        """The places from which the layer can be left for good, around what was seen in it."""
        number, missing = layer
        stage = self._stages[number]
        exits = [item for item in missing if self._alive(layer, item)] if missing else [stage.places[-1]]
        return stage.graph.search(exits, backwards=True, closed=seen | missing)


# -- counting


def count_paths(route: Route[W], *, time_limit: float | None = None, max_memory: int | None = None) -> int:
    """The number of acyclic paths to the goal, without listing them.

    DiagramTooWide when the graph is too wide to count in, TimeLimitError or MemoryLimitError when a limit is met.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> count_paths(route(Garden("S...\\n....\\n....\\n...E")))
    184
    """
    total = 1
    with Deadline(time_limit, max_memory).watched() as deadline:
        for stage in route.stages:
            stage.prepare(deadline)
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
    moves = looking(enumerate(graph.moves), "counting paths")
    successors = [() if tail in closed else [head for head in heads if head not in closed] for tail, heads in moves]
    return count_simple_paths(successors, start, end, deadline=deadline)

"""Routes as constraint models: :func:`encode` states one, and :func:`decode` makes a plan of a solution that the rules have replayed.

Two forms, each a :class:`Model` that can be printed, given further rules and asked anything:

* *circuit*: one condition per leg, that is a shortest path from one landmark to another; the legs taken are one circuit. It proves
  shortest walks at scale, and carries rules about which leg is taken. With ``order=True`` it also knows the order in which items are
  collected, and carries rules about that.
* *horizon*: where the walker stands after each move, and which move it is. It is much larger, and carries rules about anything.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Self, overload

from cpsolve.constraints import all_of, any_of, circuit, table
from cpsolve.errors import ModelError, UnsupportedError
from cpsolve.expressions import Expression, Variable
from cpsolve.limits import Deadline, looking
from cpsolve.model import Model
from cpsolve.puzzles import orders
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.local_search import improve
from cpsolve.puzzles.orders import UNREACHABLE
from cpsolve.puzzles.plans import Cell, Move, W, Walk, plan_of
from cpsolve.puzzles.routes import Route, Stage

FORMS = ("circuit", "horizon")
ROOM = 10
"""How many moves more than a good plan a plan may have in the horizon form at least, unless somebody says."""
MOST_SEARCHES = 20_000
"""Searches for ways around items, in the circuit form with an order."""
STAY = "stay"
"""The move of a walker who has arrived."""
STATING_STEPS = "stating the steps"


class WalkModel(Model):
    """A model of the plans of a route; ``total`` is the number of moves, which it minimizes."""

    total: Expression

    def copy(self) -> Self:
        """A model with the same variables, constraints and objective, to be changed independently."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__.update(super().copy().__dict__)
        return twin

    __copy__ = copy


class CircuitModel(WalkModel):
    """The legs taken are one circuit; :meth:`leg` and :meth:`order` are what further rules are made of."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._legs: dict[tuple[Cell, Cell], list[Variable]] = {}
        self._order: dict[Cell, Variable] = {}

    def leg(self, tail: Cell, head: Cell) -> Any:
        """Whether the walk leads from the landmark in one cell straight to the landmark in another: 0 or 1.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> encode(route(Garden("So.E"))).leg((0, 0), (1, 0))
        start -> flower (1,0)
        """
        found = self._legs.get((tail, head))
        if found is None:
            known = ", ".join(map(str, sorted({cell for leg in self._legs for cell in leg})))
            raise ModelError(f"no leg leads from {tail} to {head}: the landmarks are {known}")
        return found[0] if len(found) == 1 else sum(found)

    def order(self, cell: Cell) -> Variable:
        """The number of an item in the order of collection: the start has 0, the first item 1.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> encode(route(Garden("So.E")), order=True).order((1, 0))
        order of flower (1,0)
        """
        if not self._order:
            raise ModelError("this model does not know the order of its items: encode(…, order=True) gives one that does")
        if cell not in self._order:
            raise ModelError(f"{cell} is no landmark: expected one of {', '.join(map(str, self._order))}")
        return self._order[cell]


class HorizonModel(WalkModel):
    """Where the walker stands after each move; :meth:`at`, :meth:`made`, :meth:`arrival` … are what further rules are made of."""

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.positions: tuple[Variable, ...] = ()
        """Where the walker stands, a number, at first and after each move."""
        self.moves: tuple[Variable, ...] = ()
        """The moves, as numbers of ``labels``."""
        self.labels: tuple[str, ...] = ()
        """The names of all moves; the first is that of a walker who has arrived."""
        self._nodes: dict[Cell, list[int]] = {}
        self._steps: list[tuple[int, int, int]] = []
        self._collected: dict[Cell, list[Variable]] = {}

    def at(self, cell: Cell, step: int) -> Any:
        """The condition that the walker stands in a cell after ``step`` moves.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> model = encode(route(Garden("So.E")), "horizon")
        >>> _ = model.add(model.at((0, 0), 2), name="back at the start")
        >>> decode(route(Garden("So.E")), model.solve().solution).cost
        5
        """
        if cell not in self._nodes:
            raise ModelError(f"nobody can stand in {cell}")
        if not 0 <= step < len(self.positions):
            raise ModelError(f"there is no step {step}: expected 0 to {len(self.positions) - 1}")
        return any_of([self.positions[step] == node for node in self._nodes[cell]])

    def makes(self, move: str, step: int) -> Any:
        """The condition that the move of this number, from 1, has this name."""
        if move not in self.labels:
            raise ModelError(f"there is no move {move!r}: expected one of {', '.join(self.labels)}")
        if not 1 <= step <= len(self.moves):
            raise ModelError(f"there is no move {step}: expected 1 to {len(self.moves)}")
        return self.moves[step - 1] == self.labels.index(move)

    def made(self, move: str) -> Any:
        """How many times a move is made.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> garden = Garden("S.E\\n...\\n.o.")
        >>> model = encode(route(garden), "horizon")
        >>> _ = model.add(model.made("left") >= 1, name="a step back")
        >>> decode(route(garden), model.solve().solution).cost
        8
        """
        return sum(self.makes(move, step) for step in range(1, len(self.moves) + 1))

    def taken(self, tail: Cell, head: Cell) -> Any:
        """How many times the walker goes from one cell directly to another.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> garden = Garden("S.E\\n.o.")
        >>> model = encode(route(garden), "horizon")
        >>> _ = model.add(model.taken((1, 1), (2, 1)) == 0, name="not along the lower row")
        >>> model.solve().objective
        4
        """
        nodes = [self._nodes.get(cell, []) for cell in (tail, head)]
        codes = sorted({(label, here, there) for here, label, there in self._steps if here in nodes[0] and there in nodes[1]})
        if not codes:
            raise ModelError(f"no move leads from {tail} to {head}")
        return sum(
            all_of([before == here, move == label, after == there])
            for (before, after), move in zip(pairwise(self.positions), self.moves, strict=True)
            for label, here, there in codes
        )

    def arrival(self, item: Cell) -> Any:
        """The number of moves after which an item is collected.

        >>> from cpsolve.puzzles.garden import Garden, route
        >>> garden = Garden("o.S.o.E")
        >>> model = encode(route(garden), "horizon", steps=20)
        >>> _ = model.add(model.arrival((4, 0)) < model.arrival((0, 0)), name="the right one first")
        >>> model.solve().objective
        12
        """
        if item not in self._collected:
            raise ModelError(f"there is nothing to collect in {item}: expected one of {', '.join(map(str, self._collected)) or 'none'}")
        return len(self._collected[item]) - sum(self._collected[item])


@overload
def encode(route: Route[W], form: Literal["circuit"] = ..., *, order: bool = ..., deadline: Deadline | None = ...) -> CircuitModel: ...


@overload
def encode(route: Route[W], form: Literal["horizon"], *, steps: int | None = ..., deadline: Deadline | None = ...) -> HorizonModel: ...


@overload
def encode(
    route: Route[W], form: str, *, order: bool = ..., steps: int | None = ..., deadline: Deadline | None = ...
) -> CircuitModel | HorizonModel: ...


def encode(
    route: Route[W], form: str = "circuit", *, order: bool = False, steps: int | None = None, deadline: Deadline | None = None
) -> CircuitModel | HorizonModel:
    """The model whose solutions are the plans of a route; the best one is a shortest plan.

    ``order`` is for circuits and makes them harder to solve; ``steps``, the most moves that a plan may have, is for horizons. By
    default there is room for half as many moves again as a good plan has, ten at least.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> model = encode(route(Garden("So.E")))
    >>> model.variables
    (start -> flower (1,0), flower (1,0) -> gate, flower (1,0) is visited)
    >>> model.objective, [entry.name for entry in model.constraints]
    (start -> flower (1,0) + 2*flower (1,0) -> gate, ['one walk from start to gate', 'flower (1,0) must be visited'])
    """
    if form not in FORMS:
        raise ModelError(f"unknown form {form!r}: expected one of {', '.join(FORMS)}")
    if form == "circuit":
        if steps is not None:
            raise ModelError("a circuit has no steps: leave them out, or take form='horizon'")
        return _circuit(route, order, deadline or Deadline(None))
    if order:
        raise ModelError("the order of a horizon is that of model.arrival(item): leave order out, or take form='circuit'")
    if steps is not None and (not isinstance(steps, int) or isinstance(steps, bool) or steps < 0):
        raise ModelError(f"steps must be a number of moves, got {steps!r}")
    return _horizon(route, steps, deadline or Deadline(None))


def decode(route: Route[W], solution: Mapping[Variable, int] | None) -> Walk[W]:
    """The plan of a solution of either form, replayed by the rules.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> garden = route(Garden("So.E"))
    >>> print(decode(garden, encode(garden).solve().solution))
    feasible, 3 moves: right, right, right
    """
    if solution is None:
        raise ModelError("there is no solution to decode: the status of the result says why")
    values: dict[str, int] = {}
    for variable, value in solution.items():
        values.setdefault(variable.name, value)  # a rule's own variables come later
    form = "horizon" if _position(0) in values else "circuit"
    try:
        moves = list(_steps_made(route, values)) if form == "horizon" else _legs_walked(route, values)
    except KeyError as missing:
        raise ModelError(f"the solution has no value for {missing}: expected one of a model that encode made of this instance") from None
    return Walk.of(plan_of(route.puzzle, moves, stats={"method": form}))


# -- circuit


def leg_name(tail: str, head: str) -> str:
    """What the leg between two landmarks is called."""
    return f"{tail} -> {head}"


def visit_name(landmark: str) -> str:
    """What the condition is called that a landmark is visited."""
    return f"{landmark} is visited"


def _number(landmark: str) -> str:
    return f"order of {landmark}"


def _circuit(route: Route[W], order: bool, deadline: Deadline) -> CircuitModel:
    model = CircuitModel("walk")
    total: Any = 0
    first = 0
    numbers: list[Variable] = []
    for stage in route.stages:
        stage.prepare(deadline)
        names = stage.landmarks
        cells = (stage.start, *stage.missing, stage.goal)
        last = len(names) - 1
        numbers = _add_numbers(model, stage, first, numbers[-1] if numbers else None) if order else []
        ways = _Ways(stage, deadline) if order else None
        arcs: list[tuple[str, str, Any]] = []
        for tail, distances in enumerate(stage.distances[:-1].tolist()):
            deadline.check("stating the circuit")
            for head in range(1, last + 1):
                if tail == head or distances[head] >= UNREACHABLE or (tail == 0 and head == last > 1):
                    continue
                name = leg_name(names[tail], names[head])
                for length, over in [(distances[head], ())] if ways is None else ways.between(tail, head):
                    taken = model.bool_var(name + "".join(f" over {names[item]}" for item in over))
                    arcs.append((names[tail], names[head], taken))
                    model._legs.setdefault((cells[tail], cells[head]), []).append(taken)
                    total = total + length * taken
                    if numbers:
                        model.add(taken.implies(numbers[head] == numbers[tail] + 1), name=f"{taken.name}: one after the other")
                    for item in over:
                        model.add(taken.implies(numbers[item] < numbers[tail]), name=f"{taken.name}: collected before")
        visited = [model.bool_var(visit_name(name)) for name in names[1:-1]]
        arcs += [(name, name, ~each) for name, each in zip(names[1:-1], visited, strict=True)]
        model.add(circuit([*arcs, (names[-1], names[0], True)]), name=f"one walk from {names[0]} to {names[-1]}")
        for name, each in zip(names[1:-1], visited, strict=True):
            model.add(each, name=f"{name} must be visited")
        first += last
    model.total = total if isinstance(total, Expression) else model.int_var(0, 0, "no move")
    model.minimize(model.total)
    return model


def _add_numbers(model: CircuitModel, stage: Stage, first: int, ended: Variable | None) -> list[Variable]:
    """One variable per landmark for its number in the order; a stage counts on from where the last one ended."""
    names, last = stage.landmarks, len(stage.landmarks) - 1
    ends = [(first, first), *[(first + 1, first + last - 1)] * (last - 1), (first + last, first + last)]
    numbers = [model.int_var(0, 0, _number(names[0])) if ended is None else ended]
    numbers += [model.int_var(*end, _number(name)) for end, name in zip(ends[1:], names[1:], strict=True)]
    # where several are in one cell, an item's number is meant: one that lies at the start is collected there
    model._order.setdefault(stage.start, numbers[0])
    if stage.goal not in stage.items:
        model._order[stage.goal] = numbers[-1]
    model._order.update(zip(stage.missing, numbers[1:-1], strict=True))
    return numbers


class _Ways:
    """The ways between the landmarks of a stage that can be best, whatever was collected before.

    Walking over an item collects it. So a way over items is open only after them, and there is a longer way around, or several,
    for before. Of two ways the longer is left out if it leads over the same items or more.
    """

    def __init__(self, stage: Stage, deadline: Deadline) -> None:
        self._stage = stage
        self._deadline = deadline
        self._item = {place: number for number, place in enumerate(stage.places[1:-1], 1)}
        self._found: dict[tuple[int, frozenset[int]], dict[int, tuple[int, frozenset[int]]]] = {}

    def between(self, tail: int, head: int) -> list[tuple[int, tuple[int, ...]]]:
        """The length of each way and the items, by number, that it leads over."""
        last = len(self._stage.places) - 1
        best: dict[frozenset[int], int] = {}
        waiting: list[frozenset[int]] = [frozenset()]
        tried = set(waiting)
        for closed in waiting:
            found = self._search(tail, closed).get(head)
            if found is None:
                continue
            length, over = found
            over = over - {tail, head} if head != last else frozenset()  # before the goal everything is collected
            best[over] = min(length, best.get(over, length))
            for item in over:
                if (further := closed | {item}) not in tried:
                    tried.add(further)
                    waiting.append(further)
        ways = sorted((length, tuple(sorted(over))) for over, length in best.items())
        return [way for i, way in enumerate(ways) if not any(set(better) <= set(way[1]) for _, better in ways[:i])]

    def _search(self, tail: int, closed: frozenset[int]) -> dict[int, tuple[int, frozenset[int]]]:
        """The shortest way to each landmark around the items closed, and of those one over few items (Dijkstra's algorithm)."""
        if (tail, closed) in self._found:
            return self._found[tail, closed]
        if len(self._found) >= MOST_SEARCHES:
            raise UnsupportedError("there are too many ways over one another's items: use form='horizon'")
        self._deadline.check("looking for ways around items")
        stage, item = self._stage, self._item
        start = stage.places[tail]
        walls = {stage.places[number] for number in closed}
        found: dict[int, tuple[int, frozenset[int]]] = {}
        queue: list[tuple[int, int, int, frozenset[int]]] = [(0, 0, start, frozenset())]
        done: set[int] = set()
        while queue:
            length, _, place, over = heapq.heappop(queue)
            if place in done:
                continue
            done.add(place)
            found[place] = (length, over)
            beyond = over | {item[place]} if place in item and place != start else over
            for head in stage.graph.moves[place]:
                if head not in done and head not in walls:
                    heapq.heappush(queue, (length + 1, len(beyond), head, beyond))
        answer = {number: found[place] for number, place in enumerate(stage.places) if number and place in found}
        self._found[tail, closed] = answer
        return answer


def _legs_walked(route: Route[W], values: Mapping[str, int]) -> list[Move]:
    moves: list[Move] = []
    for stage in route.stages:
        names = stage.landmarks
        last = len(names) - 1
        if _number(names[-1]) in values:
            moves += stage.walk_in_order(sorted(range(last + 1), key=lambda place: values[_number(names[place])]))
            continue
        if absent := [name for name in map(visit_name, names[1:-1]) if name not in values]:
            raise KeyError(absent[0])
        order = [0]
        while order[-1] != last:
            here = names[order[-1]]
            following = [head for head in range(1, last + 1) if values.get(leg_name(here, names[head]))]
            if len(following) != 1 or len(order) > last:
                raise KeyError(leg_name(here, "…"))
            order.append(following[0])
        moves += stage.walk(order)
    return moves


# -- horizon


def _position(step: int) -> str:
    return f"position after {step} moves" if step != 1 else "position after 1 move"


def _move(step: int) -> str:
    return f"move {step}"


def _labels(route: Route[W]) -> tuple[str, ...]:
    return (STAY, *sorted({str(move) for stage in route.stages for moves in stage.graph.moves for move in moves.values()}))


def _layered(route: Route[W]) -> MoveGraph:
    """All stages as one graph: its cells are (number of the stage, place), and the last one is the end of the walk.

    A walker who arrives at the goal of a stage with all its items is in the next stage at once.
    """
    stages = route.stages
    nodes = [(number, place) for number, stage in enumerate(stages) for place in range(len(stage.graph.cells))]

    def steps(node: Cell) -> Iterator[tuple[Move, Cell]]:
        number, place = node
        if number < len(stages):
            for head, move in stages[number].graph.moves[place].items():
                for arrival in _arrivals(stages, number, head):
                    yield move, arrival

    return MoveGraph([*nodes, (len(stages), 0)], steps)


def _arrivals(stages: Sequence[Stage], number: int, place: int) -> Iterator[Cell]:
    """Where a walker may be after arriving at a place: there, or, at a goal, one stage or more further on."""
    while number < len(stages) and place == stages[number].places[-1]:
        if any(item != place for item in stages[number].places[1:-1]):
            yield number, place
        number += 1
    yield (number, place) if number < len(stages) else (number, 0)


def _horizon(route: Route[W], steps: int | None, deadline: Deadline) -> HorizonModel:
    route.prepare(deadline)
    stages = route.stages
    least = sum(orders.lower_bound(stage.distances) for stage in stages)
    if steps is None:
        seconds = min(1.0, 0.2 * deadline.remaining() / len(stages))
        good = sum(orders.length_of(stage.distances, improve(stage.distances, seconds)) for stage in stages)
        steps = good + max(ROOM, good // 2) if good < UNREACHABLE else len(stages[0].graph.cells)
    layers = _layered(route)
    layers.expand(deadline)
    end = len(layers.cells) - 1
    first = next(_arrivals(stages, 0, stages[0].places[0]))
    start = layers.number[first]
    model = HorizonModel("walk, step by step")
    model.labels = _labels(route)
    model.positions = tuple(model.int_var(0, end, _position(step)) for step in looking(range(steps + 1), STATING_STEPS))
    model.moves = tuple(model.int_var(0, len(model.labels) - 1, _move(step)) for step in looking(range(1, steps + 1), STATING_STEPS))
    code = {label: number for number, label in enumerate(model.labels)}
    model._steps = [(tail, code[str(move)], head) for tail, moves in enumerate(layers.moves) for head, move in moves.items()]
    for node, (number, place) in enumerate(layers.cells):
        cell = stages[number].graph.cells[place] if number < len(stages) else stages[-1].goal
        model._nodes.setdefault(cell, []).append(node)
    model.add(model.positions[0] == start, name="the walk begins at the start")
    model.add(model.positions[-1] == end, name="the walk ends at the goal")
    # only what can be reached by now, and from where the end can still be reached
    reached, left = layers.search([start]), layers.search([end], backwards=True)
    useful = [(tail, label, head) for tail, label, head in model._steps if tail in reached and head in left]
    for step in range(1, steps + 1):
        deadline.check(STATING_STEPS)
        rows = [
            (tail, label, head)
            for tail, label, head in useful
            if reached[tail] < step and left[head] <= steps - step and (head != end or step >= least)
        ]
        rows += [(end, 0, end)] * (step > least or start == end)
        model.add(table([model.positions[step - 1], model.moves[step - 1], model.positions[step]], rows), name=f"step {step} is a move")
    for number in range(len(stages)):
        _add_items(model, layers, stages, number, deadline)
    model.total = steps - sum(position == end for position in model.positions[:-1])
    model.minimize(model.total)
    return model


def _add_items(model: HorizonModel, layers: MoveGraph, stages: Sequence[Stage], number: int, deadline: Deadline) -> None:
    """When each item of a stage is collected, and that the stage ends on arrival at its goal with all of them."""
    stage = stages[number]
    goal, beyond = layers.number[number, stage.places[-1]], layers.number[number + 1, 0]
    collected: list[list[Variable]] = []
    for cell, place, name in zip(stage.missing, stage.places[1:-1], stage.landmarks[1:-1], strict=True):
        deadline.check("stating what is collected")
        nodes = [layers.number[node] for node in _arrivals(stages, number, place)]
        so_far = [model.bool_var(f"{name} is collected after {step}") for step in range(len(model.positions))]
        model.add(so_far[0] == 0)  # what lies at the start is not missing
        for step, position in enumerate(model.positions[1:], 1):
            here = [position == node for node in nodes]
            model.add(so_far[step] == any_of([so_far[step - 1], *here]), name=f"{name} is collected on arrival, {step}")
            model.add((position >= beyond).implies(so_far[step]), name=f"{name} must be visited, {step}")
        collected.append(so_far)
        model._collected[cell] = so_far
    if collected:
        for step, position in enumerate(model.positions):
            missing = any_of([~so_far[step] for so_far in collected])
            model.add((position == goal).implies(missing), name=f"arrival with everything ends the walk, {step}")


def _steps_made(route: Route[W], values: Mapping[str, int]) -> Iterator[Move]:
    labels = _labels(route)
    step = 1
    while values.get(_move(step), 0):
        yield Move(labels[values[_move(step)]])
        step += 1

"""Searches through the states of a puzzle: naive depth-first search, breadth-first search, A*, all shortest plans.

They are the baselines that the constraint models are measured against, so each is written as well as it can be: states once
made are never copied, and only what the method needs is remembered. All stop at a limit on states or on time, with UNKNOWN.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

from cpsolve.errors import MemoryLimitError, TimeLimitError
from cpsolve.limits import MAX_STATES as MAX_STATES
from cpsolve.limits import Deadline, budget
from cpsolve.progress import listener
from cpsolve.puzzles.plans import Move, Plan, Puzzle, S, plan_of
from cpsolve.results import Status

_CHECK_EVERY = 256
PROOFS = {
    "bfs": "breadth-first search met no goal in fewer moves",
    "astar": "A*, whose estimates are never too high, met no goal in fewer moves",
}
"""Why the plan of a search is a shortest one."""


class LimitReached(Exception):
    """The search met its limit; the message says which."""


class Meter:
    """Counts states, tells whoever listens, and stops at the limits."""

    def __init__(self, method: str, max_states: int | None, time_limit: float | None, max_memory: int | None = None) -> None:
        self.method = method
        self.states = 0
        self._max_states = None if max_states is None else budget(max_states, "max_states")
        self.deadline = Deadline(time_limit, max_memory)
        self._tell = listener()

    def count(self) -> None:
        """One more state is expanded."""
        if self._max_states is not None and self.states >= self._max_states:
            raise LimitReached(f"stopped after {self.states:,} states")
        if self.states % _CHECK_EVERY == 0:
            if self.deadline.passed():
                raise LimitReached(f"stopped {self.deadline.met()} and {self.states:,} states")
            if self._tell is not None:
                self._tell(self.states)
        self.states += 1

    def stats(self) -> dict[str, Any]:
        """What a plan tells about the search."""
        return {"method": self.method, "states": self.states, "wall_time": self.deadline.elapsed()}


def _answer(puzzle: Puzzle[S], meter: Meter, find: Callable[[Puzzle[S], Meter], list[Move] | None], proves_optimal: bool) -> Plan[S]:
    try:
        moves = find(puzzle, meter)
    except LimitReached as limit:
        return Plan(Status.UNKNOWN, reason=str(limit), stats=meter.stats(), puzzle=puzzle)
    if moves is None:
        tried = f"all {meter.states:,} reachable states were tried"
        return Plan(Status.INFEASIBLE, reason=tried, stats={**meter.stats(), "proof": tried}, puzzle=puzzle)
    proof = PROOFS.get(meter.method, "") if moves else "the start is a goal"
    return plan_of(puzzle, moves, len(moves) if proves_optimal or not moves else None, {**meter.stats(), "proof": proof})


# -- depth first


def dfs(
    puzzle: Puzzle[S], *, max_states: int | None = MAX_STATES, time_limit: float | None = None, max_memory: int | None = None
) -> Plan[S]:
    """The first answer of the naive depth-first search: rules in order, no state twice on the current path.

    Nothing else is remembered, so it may walk around what it walked around before; it explodes on all but small boards.

    >>> from cpsolve.puzzles.garden import Garden
    >>> plan = dfs(Garden("S.\\nE.\\n"))
    >>> plan.status, plan.cost
    (<Status.FEASIBLE: 'feasible'>, 3)
    """
    meter = Meter("dfs", max_states, time_limit, max_memory)
    return _answer(puzzle, meter, lambda puzzle, meter: next(all_paths(puzzle, meter), None), False)


def all_paths(puzzle: Puzzle[S], meter: Meter) -> Iterator[list[Move]]:
    """Every sequence of moves to a goal in which no state comes twice, depth first; LimitReached at the meter's limits.

    >>> from cpsolve.puzzles.garden import Garden
    >>> [len(moves) for moves in all_paths(Garden("S.\\nE."), Meter("dfs", None, None))]
    [3, 1]
    """
    start = puzzle.start()
    if puzzle.is_goal(start):
        yield []
        return
    on_path = {start}
    states = [start]
    moves: list[Move] = []
    meter.count()
    choices = [iter(puzzle.moves(start))]
    while choices:
        for move, state in choices[-1]:
            if state in on_path:
                continue
            if puzzle.is_goal(state):
                yield [*moves, move]
                continue
            meter.count()
            moves.append(move)
            states.append(state)
            on_path.add(state)
            choices.append(iter(puzzle.moves(state)))
            break
        else:
            choices.pop()
            on_path.discard(states.pop())
            if moves:
                moves.pop()


# -- breadth first


def bfs(
    puzzle: Puzzle[S], *, max_states: int | None = MAX_STATES, time_limit: float | None = None, max_memory: int | None = None
) -> Plan[S]:
    """A shortest plan by breadth-first search.

    >>> from cpsolve.puzzles.garden import Garden
    >>> bfs(Garden("S.\\nE.\\n")).cost
    1
    """
    return _answer(puzzle, Meter("bfs", max_states, time_limit, max_memory), _breadth_first, True)


def _breadth_first(puzzle: Puzzle[S], meter: Meter) -> list[Move] | None:
    start = puzzle.start()
    if puzzle.is_goal(start):
        return []
    reached: dict[S, tuple[Move, S] | None] = {start: None}
    frontier = [start]
    while frontier:
        following = []
        for state in frontier:
            meter.count()
            for move, successor in puzzle.moves(state):
                if successor not in reached:
                    reached[successor] = (move, state)
                    if puzzle.is_goal(successor):
                        return _moves_to(successor, reached)
                    following.append(successor)
        frontier = following
    return None


def _moves_to(state: S, reached: dict[S, tuple[Move, S] | None]) -> list[Move]:
    moves = []
    while (step := reached[state]) is not None:
        move, state = step
        moves.append(move)
    return moves[::-1]


# -- A*


def astar(
    puzzle: Puzzle[S],
    heuristic: Callable[[S], float],
    *,
    max_states: int | None = MAX_STATES,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> Plan[S]:
    """A shortest plan by A*, given a heuristic that never overestimates the moves still needed (infinite: none will do).

    >>> from cpsolve.puzzles.garden import Garden
    >>> astar(Garden("S.o.E"), lambda state: 4 - state.cell[0]).cost
    4
    """

    def find(puzzle: Puzzle[S], meter: Meter) -> list[Move] | None:
        return _best_first(puzzle, heuristic, meter)

    return _answer(puzzle, Meter("astar", max_states, time_limit, max_memory), find, True)


def _best_first(puzzle: Puzzle[S], heuristic: Callable[[S], float], meter: Meter) -> list[Move] | None:
    start = puzzle.start()
    reached: dict[S, tuple[Move, S] | None] = {start: None}
    cost = {start: 0}
    estimate = {start: heuristic(start)}
    # Among equal estimates the deepest goes first; the counter keeps states out of the comparison.
    queue: list[tuple[float, int, int, S]] = [(estimate[start], 0, 0, start)]
    pushed = 0
    while queue:
        _, negative_cost, _, state = heapq.heappop(queue)
        if -negative_cost > cost[state]:
            continue  # a shorter way was found since
        if puzzle.is_goal(state):
            return _moves_to(state, reached)
        meter.count()
        following = cost[state] + 1
        for move, successor in puzzle.moves(state):
            if following < cost.get(successor, following + 1):
                remaining = estimate.get(successor)
                if remaining is None:
                    remaining = estimate[successor] = heuristic(successor)
                if remaining == float("inf"):
                    continue
                cost[successor] = following
                reached[successor] = (move, state)
                pushed += 1
                heapq.heappush(queue, (following + remaining, -following, pushed, successor))
    return None


# -- all shortest plans


def shortest_plans(
    puzzle: Puzzle[S],
    heuristic: Callable[[S], float],
    *,
    max_states: int | None = MAX_STATES,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> Iterator[Plan[S]]:
    """Every plan of the fewest moves, each once, in the order of the rules.

    The heuristic must never overestimate, as for :func:`astar`; it keeps the states few. LimitError once a limit has passed.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> garden = Garden("S..\\n..E")
    >>> sum(1 for _ in shortest_plans(garden, route(garden).heuristic()))
    3
    """
    return _shortest_plans(puzzle, heuristic, max_states, Deadline(time_limit, max_memory))


def _shortest_plans(puzzle: Puzzle[S], heuristic: Callable[[S], float], max_states: int | None, deadline: Deadline) -> Iterator[Plan[S]]:
    with deadline.watched():
        best = astar(puzzle, heuristic, max_states=max_states)
        if best.status is Status.UNKNOWN:
            kind = MemoryLimitError if deadline.full else TimeLimitError
            raise kind(f"shortest plans: {best.reason}")
        layers = _tight_layers(puzzle, heuristic, len(best.moves), deadline) if best else []
    if not best:
        return
    moves: list[Move] = []
    states = [puzzle.start()]
    choices = [iter(layers[0][states[0]])] if layers else []
    if not layers:
        yield best
    while choices:
        deadline.check("shortest plans")
        for move, state in choices[-1]:
            if len(choices) == len(layers):
                yield Plan(Status.OPTIMAL, (*moves, move), (*states, state), len(layers), stats=best.stats, puzzle=puzzle)
                continue
            moves.append(move)
            states.append(state)
            choices.append(iter(layers[len(moves)][state]))
            break
        else:
            choices.pop()
            states.pop()
            if moves:
                moves.pop()


def _tight_layers(puzzle: Puzzle[S], heuristic: Callable[[S], float], cost: int, deadline: Deadline) -> list[dict[S, list[tuple[Move, S]]]]:
    """For each number of moves made, the states on shortest plans then, with the moves that stay on one."""
    layers: list[dict[S, list[tuple[Move, S]]]] = []
    frontier = [puzzle.start()]
    for made in range(1, cost + 1):
        deadline.check("shortest plans")
        layers.append({state: list(puzzle.moves(state)) for state in frontier})
        reached = dict.fromkeys(state for moves in layers[-1].values() for _, state in moves)
        frontier = [state for state in reached if made + heuristic(state) <= cost]
    alive = {state for state in frontier if puzzle.is_goal(state)}
    for layer in reversed(layers):
        for state, moves in layer.items():
            layer[state] = [(move, following) for move, following in moves if following in alive]
        alive = {state for state, moves in layer.items() if moves}
    return layers

"""Pacman: eat the dot, then every ghost, then the cherry, in as few moves as can be.

>>> from models import pacman
>>> plan = pacman.solve(pacman.BOARDS["seed"])
>>> plan.optimal, plan.cost
(True, 14)
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsolve.puzzles import paths as acyclic
from cpsolve.puzzles import routes, search
from cpsolve.puzzles.plans import Plan
from models.pacman.drawing import draw
from models.pacman.encode import route
from models.pacman.formats import BOARDS
from models.pacman.rules import Board, State

__all__ = ["BOARDS", "Board", "State", "count_paths", "draw", "paths", "shortest_plans", "solve"]


def solve(
    board: Board,
    method: str = "auto",
    time_limit: float | None = None,
    *,
    max_states: int | None = search.MAX_STATES,
    backend: str | None = None,
    workers: int | None = None,
) -> Plan[State]:
    """A shortest plan, or the reason why there is none; the methods are those of :func:`models.busy_police.solve`.

    >>> solve(BOARDS["seed"], method="dfs").cost
    40
    """
    return routes.solve(route(board), method, time_limit, max_states=max_states, backend=backend, workers=workers)


def paths(board: Board) -> Iterator[Plan[State]]:
    """Every acyclic path to the goal, each once, one at a time: no state comes twice. There may be very many.

    >>> from itertools import islice
    >>> [plan.cost for plan in islice(paths(BOARDS["seed"]), 3)]
    [40, 48, 50]
    """
    return acyclic.paths(route(board))


def count_paths(board: Board, *, time_limit: float | None = None) -> int:
    """The number of acyclic paths, counted without listing them.

    >>> count_paths(Board(3, 2, pacman=(0, 0), dot=(1, 0), cherry=(2, 1), ghosts=[(0, 1)]))
    8
    """
    return acyclic.count_paths(route(board), time_limit=time_limit)


def shortest_plans(board: Board, *, time_limit: float | None = None) -> Iterator[Plan[State]]:
    """Every plan of the fewest moves, each once, one at a time; none when there is no plan.

    >>> sum(1 for plan in shortest_plans(BOARDS["seed"]))
    30
    """
    found = route(board)
    return iter(()) if found.reason() else search.shortest_plans(board, found.heuristic(), time_limit=time_limit)

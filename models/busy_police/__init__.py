"""Busy Police: catch the fugitive, with all evidence, in as few moves as can be.

>>> from models import busy_police
>>> plan = busy_police.solve(busy_police.SCENES["evidencias"])
>>> plan.optimal, plan.cost, plan.moves[0]
(True, 40, Move(name='walk right'))
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsolve.puzzles import paths as acyclic
from cpsolve.puzzles import routes, search
from cpsolve.puzzles.plans import Plan
from models.busy_police.drawing import draw
from models.busy_police.encode import route
from models.busy_police.formats import SCENES
from models.busy_police.rules import Scene, State

__all__ = ["SCENES", "Scene", "State", "count_paths", "draw", "paths", "shortest_plans", "solve"]


def solve(
    scene: Scene,
    method: str = "auto",
    time_limit: float | None = None,
    *,
    max_states: int | None = search.MAX_STATES,
    backend: str | None = None,
    workers: int | None = None,
) -> Plan[State]:
    """A shortest plan, or the reason why there is none.

    ``auto`` chooses a method that proves its plan shortest and says in ``stats["method"]`` which: ``held-karp`` for few
    pieces of evidence, else ``circuit``. Also: ``horizon`` (a model with variables for every step), ``bfs``, ``astar``, and
    ``dfs``, the seed's search, whose first answer need not be the shortest. See :func:`cpsolve.puzzles.routes.solve` for the limits.

    >>> solve(SCENES["ambiente4"]).cost
    22
    >>> print(solve(Scene(5, 1, carts=[(2, 1), (3, 1)], ladders=[], officer=(1, 1), fugitive=(5, 1))).reason)
    the fugitive (5, 1) cannot be reached: on floor 1 only columns 1 to 1 can be reached: carts that cannot be jumped bar the rest
    """
    return routes.solve(route(scene), method, time_limit, max_states=max_states, backend=backend, workers=workers)


def paths(scene: Scene) -> Iterator[Plan[State]]:
    """Every acyclic path to the goal, each once, one at a time: no state, that is place and evidence collected, comes twice.

    >>> sorted(plan.cost for plan in paths(SCENES["ambiente1"]))
    [18, 22, 22, 26]
    """
    return acyclic.paths(route(scene))


def count_paths(scene: Scene, *, time_limit: float | None = None) -> int:
    """The number of acyclic paths, counted without listing them.

    >>> count_paths(SCENES["ambiente1"])
    4
    """
    return acyclic.count_paths(route(scene), time_limit=time_limit)


def shortest_plans(scene: Scene, *, time_limit: float | None = None) -> Iterator[Plan[State]]:
    """Every plan of the fewest moves, each once, one at a time; none when there is no plan.

    >>> [plan.cost for plan in shortest_plans(SCENES["evidencias"])]
    [40]
    """
    found = route(scene)
    return iter(()) if found.reason() else search.shortest_plans(scene, found.heuristic(), time_limit=time_limit)

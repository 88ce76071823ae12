"""The description of a game in which somebody walks: what all such games say of themselves in the same way.

The game's package brings ``solve``, ``paths``, ``count_paths`` and ``draw``; it is imported when one of them is first needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from cpsolve.catalogue import Answer, Game, Listed
from cpsolve.errors import ModelError
from cpsolve.puzzles import search
from cpsolve.puzzles.answers import listed_plans, plan_answer
from cpsolve.puzzles.plans import Plan


def _methods() -> Mapping[str, str]:
    from cpsolve.puzzles.walks import METHODS

    return METHODS


def walking(package: str, name: str, title: str, **more: Any) -> Game:
    """The description of the game in a package; ``more`` is what only that game can say."""

    def library() -> Any:
        return import_module(package)

    def solve(puzzle: Any, **options: Any) -> Answer:
        return plan_answer(name, library().solve(puzzle, **options), partial(library().draw, puzzle))

    def watch(puzzle: Any, method: str = "bfs", time_limit: float | None = None) -> Answer:
        from cpsolve.drawing import searches

        route = import_module(f"{package}.encode").route(puzzle)
        plan, states = watched(route, method, time_limit)
        draw = partial(library().draw, puzzle)
        return replace(plan_answer(name, plan, draw), frames=lambda: searches.frames(states, plan, method, draw))

    def count(puzzle: Any, time_limit: float | None = None) -> tuple[int, str]:
        return library().count_paths(puzzle, time_limit=time_limit), "acyclic path"

    def every(puzzle: Any, time_limit: float | None = None) -> Iterator[Listed]:
        return listed_plans(library().paths(puzzle), time_limit)

    return Game(
        name,
        title,
        solve=solve,
        count=count,
        every=every,
        animated=True,
        watch=watch,
        methods=_methods,
        draw=lambda puzzle: library().draw(puzzle),
        writers={"prolog": lambda puzzle: str(puzzle.to_prolog()), "drawing": str, "text": lambda puzzle: str(puzzle.to_text())},
        **more,
    )


def watched(route: Any, method: str, time_limit: float | None) -> tuple[Plan[Any], list[Any]]:
    """What a search answers, and the states that it looked at, in order."""
    from cpsolve.drawing.searches import MOST_STATES, watch
    from cpsolve.puzzles.walks import SEARCHES

    limits: dict[str, Any] = {"max_states": MOST_STATES, "time_limit": time_limit}
    if method == "astar":
        return watch(route.puzzle, partial(search.astar, heuristic=route.heuristic(), **limits))
    if method not in SEARCHES:
        raise ModelError(f"only a search can be watched, {', '.join(SEARCHES)}: {method!r} looks at no states")
    return watch(route.puzzle, partial(search.dfs if method == "dfs" else search.bfs, **limits))

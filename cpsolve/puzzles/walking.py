"""The description of a game in which somebody walks: what all such games say of themselves in the same way.

The game's package brings ``solve``, ``paths``, ``count_paths`` and ``draw``; it is imported when one of them is first needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

from cpsolve.catalogue import Answer, Game, Listed
from cpsolve.puzzles.answers import listed_plans, plan_answer

METHODS = {
    "auto": "circuit where there is something to collect, else a shortest path",
    "circuit": "CP-SAT over landmarks",
    "horizon": "CP-SAT, one variable per step",
    "held-karp": "dynamic programme, few items",
    "astar": "A*",
    "bfs": "breadth first",
    "dfs": "naive depth first, the first answer",
}


def walking(package: str, name: str, title: str, **more: Any) -> Game:
    """The description of the game in a package; ``more`` is what only that game can say."""

    def library() -> Any:
        return import_module(package)

    def solve(puzzle: Any, **options: Any) -> Answer:
        return plan_answer(name, library().solve(puzzle, **options), partial(library().draw, puzzle))

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
        methods=lambda: METHODS,
        draw=lambda puzzle: library().draw(puzzle),
        writers={"prolog": lambda puzzle: str(puzzle.to_prolog()), "drawing": str},
        **more,
    )

"""Where each method stops being usable as boards grow: the constraint model against naive DFS, BFS, A* and the textbook model.

Four series, in each of which one thing grows: evidence or the building of Busy Police, ghosts or the board of Pacman. All methods get the
same three random boards of a size, turn by turn, and the same time limit. A method has stopped when more than half of the boards of a size
reach the limit; it is not tried on larger ones. ``cpsolve`` is the circuit model, which must prove its plan shortest, as must ``bfs``,
``astar`` and ``horizon`` (CP-SAT step by step through time); they must agree on the length. ``dfs`` is the originals' naive search, with
its first plan: it proves nothing, so its note tells how much longer than the shortest its plans are.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.boards import random_board, random_scene
from benchmarks.measure import Row, seconds, timing
from cpsolve.puzzles import walks
from cpsolve.puzzles.plans import Plan
from cpsolve.puzzles.routes import Route
from models.busy_police import SCENES
from models.busy_police.encode import route as police_route
from models.pacman.encode import route as pacman_route

OURS, PEERS = "circuit", ("dfs", "bfs", "astar", "horizon")
BOARDS = 3
LIMIT, QUICK_LIMIT = 10.0, 0.3


@dataclass(frozen=True)
class Series:
    """Boards of which one thing grows: ``unit`` says what, ``make`` gives the route of a size, from a seed."""

    name: str
    unit: str
    label: Callable[[int], str]
    make: Callable[[int, int], Route[Any]]
    sizes: tuple[int, ...]
    quick_sizes: tuple[int, ...]


def _scene(evidence: int, seed: int) -> Route[Any]:
    return police_route(random_scene(40, 20, evidence, seed))


def _building(cells: int, seed: int) -> Route[Any]:
    floors = round((cells / 2) ** 0.5)
    return police_route(random_scene(2 * floors, floors, 6, seed))


def _ghosts(ghosts: int, seed: int) -> Route[Any]:
    return pacman_route(random_board(20, ghosts, seed))


def _square(cells: int, seed: int) -> Route[Any]:
    return pacman_route(random_board(round(cells**0.5), 4, seed))


def _sides(cells: int, ratio: int) -> str:
    side = round((cells / ratio) ** 0.5)
    return f"{ratio * side}×{side}"


SERIES = (
    Series(
        "Busy Police, 40×20",
        "pieces of evidence",
        "{} pieces of evidence".format,
        _scene,
        (0, 4, 8, 12, 16, 20, 30, 40, 60, 80, 100),
        (0, 4, 8, 12, 16),
    ),
    Series(
        "Busy Police, 6 pieces of evidence",
        "cells of the building",
        lambda cells: _sides(cells, 2),
        _building,
        (50, 200, 800, 3_200, 12_800, 51_200),
        (50, 200, 800),
    ),
    Series(
        "Pacman, 20×20",
        "ghosts",
        "{} ghosts".format,
        _ghosts,
        (0, 2, 4, 8, 12, 16, 20, 30, 40, 60, 100, 150, 200),
        (0, 4, 8, 12),
    ),
    Series(
        "Pacman, 4 ghosts",
        "cells of the board",
        lambda cells: _sides(cells, 1),
        _square,
        (36, 100, 400, 1_600, 6_400, 25_600),
        (36, 100, 400),
    ),
)


@dataclass
class _Tried:
    """What one method did on the boards of one size."""

    times: list[float] = field(default_factory=list)
    plans: list[Plan[Any]] = field(default_factory=list)

    def stopped(self, limit: float) -> bool:
        return 2 * sum(taken >= limit for taken in self.times) > BOARDS


def run(quick: bool) -> Iterator[Row]:
    """One row for each size and each method that has not stopped before."""
    for method in (OURS, *PEERS):  # loads the solvers, so that no row pays for an import
        walks.solve(police_route(SCENES["evidencias"]), method)
    for series in SERIES:
        yield from series_rows(series, series.quick_sizes if quick else series.sizes, QUICK_LIMIT if quick else LIMIT)


def series_rows(series: Series, sizes: tuple[int, ...], limit: float) -> Iterator[Row]:
    """The rows of one series: up to the size at which our own method stops."""
    going = list(PEERS)
    for size in sizes:
        tried = _try(series, size, (OURS, *going), limit)
        row = partial(Row, f"{series.name}, {series.label(size)}", timing(tried[OURS].times, limit), series=series.name, size=size)
        for method in going:
            yield row(method, timing(tried[method].times, limit), note=_note(method, tried), unit=series.unit)
        if not going:
            yield row(unit=series.unit, note="every other method has stopped")
        going = [method for method in going if not tried[method].stopped(limit)]
        if tried[OURS].stopped(limit):
            return


def _try(series: Series, size: int, methods: tuple[str, ...], limit: float) -> dict[str, _Tried]:
    """Every method on each board in turn; one that has stopped is spared the boards that are left."""
    tried = {method: _Tried() for method in methods}
    for seed in range(BOARDS):
        route = series.make(size, seed)
        proven: dict[str, int | None] = {}
        for method in methods:
            if tried[method].stopped(limit):
                continue
            found: list[Plan[Any]] = []
            once = partial(_solve, route, method, limit)
            taken = seconds(lambda once=once, found=found: found.append(once()), collect=method == OURS)  # type: ignore[misc]
            plan = found[0]
            done = plan.optimal or (method == "dfs" and bool(plan))
            tried[method].times.append(taken if done else max(taken, limit))
            tried[method].plans.append(plan)
            if plan.optimal:
                proven[method] = plan.cost
        if len(set(proven.values())) > 1:
            raise AssertionError(f"{series.name}, {series.label(size)}, seed {seed}: the shortest plans differ: {proven}")
    return tried


def _solve(route: Route[Any], method: str, limit: float) -> Plan[Any]:
    """Solves from scratch: a fresh route has nothing computed yet."""
    fresh = Route(route.puzzle, route.divide, route.explain, route.missing)
    if method in walks.SEARCHES:
        return walks.solve(fresh, method, limit, max_states=None)
    return walks.solve(fresh, method, limit)


def _note(method: str, tried: dict[str, _Tried]) -> str:
    """The states that a search tried; how much longer than the shortest the plans of ``dfs`` are."""
    notes = []
    states = [plan.stats["states"] for plan in tried[method].plans if "states" in plan.stats]
    if states:
        notes.append(f"{statistics.median_low(states):,} states")
    if method == "dfs":
        pairs = zip(tried[method].plans, tried[OURS].plans, strict=False)
        longer = [len(plan.moves) / max(1, len(best.moves)) for plan, best in pairs if plan and best.optimal]
        if longer:
            notes.append(f"plans up to {max(longer):.1f} × the shortest")
    return ", ".join(notes)

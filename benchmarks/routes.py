"""Shortest routes, as boards and things to collect grow: our methods, the naive search of the seeds, and clingo.

Run ``python -m benchmarks.routes [--quick]``. Two tables: plans for Busy Police and Pacman, every method with a limit of ten
seconds on one core (a method that failed twice is not tried on larger boards); and self-avoiding walks on grids, counted by us
and by graphillion. A peer that is not installed is reported as missing. ``auto`` is the default method, so its time is "ours";
the ratio is to the fastest other method that proves its plan shortest.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from cpsolve import paths as acyclic
from cpsolve import routes
from cpsolve.puzzles import Cell, Plan
from cpsolve.results import Status
from cpsolve.routes import Route
from models.busy_police import SCENES, Scene
from models.busy_police.encode import route as police_route
from models.pacman import BOARDS, Board
from models.pacman.encode import route as pacman_route

Row = dict[str, Any]
SEARCHES = ("dfs", "bfs", "astar", "held-karp", "horizon", "circuit", "auto")
LIMIT = 10.0


# -- boards


def random_scene(width: int, floors: int, evidence: int, seed: int) -> Scene:
    """A random scene that has a plan: an eighth of the cells are carts, two ladders or more lead up from every floor."""
    chance = random.Random(f"{width}x{floors}, {evidence}, {seed}")
    cells = [(column, floor) for floor in range(1, floors + 1) for column in range(1, width + 1)]
    while True:
        ladders = {(chance.randint(1, width), floor) for floor in range(1, floors) for _ in range(max(2, width // 12))}
        ends = ladders | {(column, floor + 1) for column, floor in ladders}
        carts = {cell for cell in cells if cell not in ends and chance.random() < 0.12}
        free = [cell for cell in cells if cell not in carts]
        officer, fugitive = free[0], free[-1]
        reachable = sorted(_mutually_reachable(Scene(width, floors, carts, ladders, officer, fugitive)))
        if fugitive in reachable and len(reachable) > evidence + 2:
            found = chance.sample([cell for cell in reachable if cell not in (officer, fugitive)], evidence)
            scene = Scene(width, floors, carts, ladders, officer, fugitive, found)
            if not police_route(scene).reason():
                return scene


def _mutually_reachable(scene: Scene) -> set[Cell]:
    """The cells that the officer can reach and from which he can reach the fugitive."""
    graph = police_route(scene).stages[0].graph
    ways = graph.distances_to([graph.number[scene.fugitive]])[0]
    return {cell for cell in graph.reach(scene.officer) if ways[graph.number[cell]] >= 0}


def random_board(side: int, ghosts: int, seed: int) -> Board:
    """A random square board that has a plan, a tenth of it walls."""
    chance = random.Random(f"{side}, {ghosts}, {seed}")
    cells = [(x, y) for y in range(side) for x in range(side)]
    while True:
        pacman, dot, cherry, *rest = chance.sample(cells, len(cells))
        board = Board(side, side, pacman, dot, cherry, rest[:ghosts], rest[ghosts : ghosts + len(cells) // 10])
        if not pacman_route(board).reason():
            return board


# -- plans


def plan_rows(quick: bool) -> list[Row]:
    """One row a board: seconds of every method, or why it has none."""
    sizes = [(10, 5, 0), (10, 5, 3), (10, 5, 6), (10, 5, 12), (20, 10, 10), (20, 10, 14), (20, 10, 16), (20, 10, 20)]
    large = [(40, 20, 30), (100, 50, 0), (100, 50, 12), (100, 50, 30), (100, 50, 40)]
    largest = [(200, 100, 0), (200, 100, 40), (200, 100, 80), (200, 100, 100)]
    boards: list[tuple[str, Callable[[], Route[Any]]]] = [
        (f"police {name}", partial(police_route, SCENES[name])) for name in ("ambiente1", "evidencias")
    ]
    for width, floors, evidence in sizes if quick else sizes + large + largest:
        boards.append((f"police {width}x{floors}, {evidence} evidence", partial(_random_police, width, floors, evidence)))
    boards.append(("pacman seed", partial(pacman_route, BOARDS["seed"])))
    for side, ghosts in [(10, 8)] if quick else [(10, 8), (30, 20), (100, 50), (200, 100)]:
        boards.append((f"pacman {side}x{side}, {ghosts} ghosts", partial(_random_pacman, side, ghosts)))
    limit = 2.0 if quick else LIMIT
    _warm_up()
    failures: dict[str, dict[str, int]] = {}
    return [_plan_row(name, make(), limit, failures.setdefault(name.split()[0], {})) for name, make in boards]


def _random_police(width: int, floors: int, evidence: int) -> Route[Any]:
    return police_route(random_scene(width, floors, evidence, 0))


def _random_pacman(side: int, ghosts: int) -> Route[Any]:
    return pacman_route(random_board(side, ghosts, 0))


def _warm_up() -> None:
    """Loads the solvers, so that no row pays for an import."""
    for method in SEARCHES:
        routes.solve(police_route(SCENES["evidencias"]), method)


def _plan_row(name: str, route: Route[Any], limit: float, failures: dict[str, int]) -> Row:
    row: Row = {"name": name}
    items = max(len(stage.items) for stage in route.stages)
    plans: dict[str, Plan[Any]] = {}
    seconds: dict[str, float] = {}
    for method in SEARCHES:
        if method == "held-karp" and items > 20:
            row[method] = "too many"
        elif failures.get(method, 0) >= 2 and (method == "dfs" or items >= 12):
            row[method] = "gave up"
        else:
            seconds[method], plans[method] = _timed(route, method, limit)
            failures[method] = failures.get(method, 0) + (not plans[method].states)
    for turn in range(20):  # turn by turn, so that a busy moment of the machine hits all methods alike
        for method in seconds:
            if seconds[method] < (0.02 if turn >= 4 else 0.5):
                seconds[method] = min(seconds[method], _timed(route, method, limit)[0])
    for method, plan in plans.items():
        row[method] = seconds[method] if plan.optimal or (plan.states and method == "dfs") else f">{limit:g} s"
        if plan.status is Status.FEASIBLE and method != "dfs":
            row[method] = f"gap {plan.gap:.1%}"
        if "states" in plan.stats:
            row[f"{method} states"] = plan.stats["states"]
    proven = {method: seconds[method] for method, plan in plans.items() if plan.optimal}
    row["clingo"] = _clingo(route, limit, failures, plans["auto"].cost if plans["auto"].optimal else None)
    if isinstance(row["clingo"], float):
        proven["clingo"] = row["clingo"]
    optimum = next((plans[method].cost for method in proven if method in plans), None)
    row["optimum"] = optimum
    if optimum and plans.get("dfs"):
        row["dfs/optimum"] = round(len(plans["dfs"].moves) / optimum, 2)
    if proven:
        best = min((method for method in proven if method != "auto"), key=lambda method: proven[method])
        row |= {"ours": proven.get("auto"), "peer": f"{best} {proven[best]:.4f}"}
        row["ratio"] = round(proven["auto"] / proven[best], 2) if "auto" in proven else None
    return row


def _fresh(route: Route[Any]) -> Route[Any]:
    """The same route with nothing computed yet."""
    return Route(route.puzzle, route.divide, route.explain, route.missing)


def _timed(route: Route[Any], method: str, limit: float) -> tuple[float, Plan[Any]]:
    fresh = _fresh(route)
    begin = time.perf_counter()
    plan = routes.solve(fresh, method, limit, max_states=None)
    return time.perf_counter() - begin, plan


# -- clingo

TOUR = """
{ leg(I, J) : way(I, J, _) } = 1 :- place(I), not last(I).
{ leg(I, J) : way(I, J, _) } = 1 :- place(J), not first(J).
reached(I) :- first(I).
reached(J) :- reached(I), leg(I, J).
:- place(I), not reached(I).
#minimize { D, I : leg(I, J), way(I, J, D) }.
"""


def _clingo(route: Route[Any], limit: float, failures: dict[str, int], optimum: int | None) -> float | str:
    """Seconds in which clingo proves the shortest tour, given our distances between landmarks, which it gets for nothing."""
    try:
        clingo = import_module("clingo")
    except ImportError:
        return "missing"
    if failures.get("clingo", 0) >= 2:
        return "gave up"
    begin = time.perf_counter()
    total = 0
    for stage in route.stages:
        distances = stage.distances
        last = len(distances) - 1
        control = clingo.Control(["--opt-strategy=usc", "--warn=none"])
        facts = [f"place(0..{last}). first(0). last({last})."]
        facts += [
            f"way({i},{j},{distances[i, j]})."
            for i in range(last)
            for j in range(1, last + 1)
            if i != j and (last == 1 or (i, j) != (0, last))
        ]
        control.add("base", [], TOUR + " ".join(facts))
        control.ground([("base", [])])
        found: list[list[int]] = []
        with control.solve(on_model=partial(_note_cost, found), async_=True) as handle:
            if not handle.wait(max(0.0, limit - (time.perf_counter() - begin))):
                handle.cancel()
                failures["clingo"] = failures.get("clingo", 0) + 1
                return f">{limit:g} s"
        total += found[-1][0]
    if optimum is not None and total != optimum:
        raise AssertionError(f"clingo proved {total} moves, we proved {optimum}")
    return time.perf_counter() - begin


def _note_cost(found: list[list[int]], model: Any) -> None:
    found.append(model.cost)


# -- counting


def count_rows(quick: bool) -> list[Row]:
    """Self-avoiding walks between opposite corners of grids."""
    rows = []
    for side in range(4, 8 if quick else 10):
        ladders = [(column, floor) for column in range(1, side + 1) for floor in range(1, side)]
        grid = police_route(Scene(side, side, [], ladders, (1, 1), (side, side)))
        begin = time.perf_counter()
        walks = acyclic.count_paths(grid)
        row: Row = {"name": f"walks on {side}x{side} nodes", "walks": walks, "ours": time.perf_counter() - begin}
        if side <= 5:
            begin = time.perf_counter()
            assert sum(1 for _ in acyclic.paths(grid)) == walks
            row["listing them"] = time.perf_counter() - begin
        row |= _graphillion(side, walks, row["ours"])
        rows.append(row)
    return rows


def _graphillion(side: int, walks: int, ours: float) -> Row:
    try:
        graphs = import_module("graphillion").GraphSet
    except ImportError:
        return {"peer": "graphillion missing"}
    nodes = range(side * side)
    edges = [(node, node + 1) for node in nodes if (node + 1) % side] + [(node, node + side) for node in nodes if node + side < side * side]
    graphs.set_universe(edges)
    times: list[float] = []
    while sum(times) < 1.0 and len(times) < 3:
        begin = time.perf_counter()
        assert graphs.paths(0, side * side - 1).len() == walks
        times.append(time.perf_counter() - begin)
    elapsed = min(times)
    return {"peer": f"graphillion {elapsed:.4f}", "ratio": round(ours / elapsed, 2)}


# -- tables


def run(quick: bool) -> list[Row]:
    """All rows: boards with the seconds of every method, then grids with the seconds of counting."""
    return plan_rows(quick) + count_rows(quick)


def main() -> None:
    """Prints the rows as tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="small boards only")
    quick = parser.parse_args().quick
    for rows in (plan_rows(quick), count_rows(quick)):
        _print(rows)


def _print(rows: list[Row]) -> None:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    texts = [[_text(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in texts)) for i, column in enumerate(columns)]
    for line in [columns, *texts]:
        print(" | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)))
    print()
    sys.stdout.flush()


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    main()

"""Shortest routes, as boards and things to collect grow: the default against every other method, and against clingo.

A row's peer is the fastest other method that proves its plan shortest on that board; its note tells of all methods how long they
took once, how many states they tried and where they failed within the limit. ``dfs`` is the naive search of the seeds: it proves
nothing, so its note gives the length of its plan as a multiple of the optimum. A method that has failed twice is not tried on
larger boards. clingo gets our distances between landmarks for nothing. The last rows count self-avoiding walks, against graphillion.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.measure import Row, as_text, compare, markdown, peer_module
from cpsolve import paths as acyclic
from cpsolve import routes
from cpsolve.puzzles import Cell, Plan
from cpsolve.routes import Route
from models.busy_police import SCENES, Scene
from models.busy_police.encode import route as police_route
from models.pacman import BOARDS, Board
from models.pacman.encode import route as pacman_route

METHODS = ("dfs", "bfs", "astar", "held-karp", "horizon", "circuit")
LIMIT, QUICK_LIMIT, LONG_LIMIT = 10.0, 2.0, 60.0


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

QUICK = [(10, 5, 0), (10, 5, 3), (10, 5, 6), (10, 5, 12), (20, 10, 10), (20, 10, 14), (20, 10, 16), (20, 10, 20)]
FULL = [*QUICK, (40, 20, 30), (100, 50, 0), (100, 50, 12), (100, 50, 30), (100, 50, 40)]
FULL += [(200, 100, 0), (200, 100, 40), (200, 100, 80), (200, 100, 100)]
GHOSTS = [(10, 8), (30, 20), (100, 50), (200, 100)]
TARGETS = {(100, 50, 40): "≤ 2, in 10 s", (200, 100, 80): "≤ 2, in 60 s"}


def plan_rows(quick: bool) -> list[Row]:
    """One row a board."""
    for method in METHODS:  # loads the solvers, so that no row pays for an import
        routes.solve(police_route(SCENES["evidencias"]), method)
    failures: dict[str, int] = {}
    rows = [
        _plan_row(f"police {name}", police_route(SCENES[name]), failures, quick, "≤ 2, in 10 ms") for name in ("ambiente1", "evidencias")
    ]
    for size in QUICK if quick else FULL:
        name = "police {}×{}, {} pieces of evidence".format(*size)
        rows.append(_plan_row(name, police_route(random_scene(*size, seed=0)), failures, quick, TARGETS.get(size, "≤ 2")))
    failures = {}
    rows.append(_plan_row("pacman seed", pacman_route(BOARDS["seed"]), failures, quick, "≤ 2, in 10 ms"))
    for side, ghosts in GHOSTS[:1] if quick else GHOSTS:
        rows.append(
            _plan_row(f"pacman {side}×{side}, {ghosts} ghosts", pacman_route(random_board(side, ghosts, seed=0)), failures, quick, "≤ 2")
        )
    return rows


def _plan_row(name: str, route: Route[Any], failures: dict[str, int], quick: bool, target: str) -> Row:
    limit = QUICK_LIMIT if quick else LIMIT
    items = max(len(stage.items) for stage in route.stages)
    best = _solve(route, "auto", LONG_LIMIT)
    proven: dict[str, float] = {}
    notes = [f"{best.cost} moves" if best.optimal else f"{best.cost} moves, gap {best.gap:.1%}", f"auto took {best.stats['method']}"]
    for method in METHODS:
        if (failures.get(method, 0) >= 2 and (method == "dfs" or items >= 12)) or (method == "held-karp" and items > 20):
            continue
        begin = time.perf_counter()
        plan = _solve(route, method, LONG_LIMIT if method == "circuit" else limit)
        elapsed = time.perf_counter() - begin
        failures[method] = failures.get(method, 0) + (not plan.states)
        if plan.optimal:
            proven[method] = elapsed
        notes.append(_note(method, plan, best, elapsed))
    clingo = partial(_clingo, route, limit)
    if failures.get("clingo", 0) < 2:
        try:
            begin = time.perf_counter()
            length = clingo()
            elapsed = time.perf_counter() - begin
            if length is None:
                failures["clingo"] = failures.get("clingo", 0) + 1
            else:
                assert not best.optimal or length == best.cost, f"clingo proved {length} moves, we have {best.cost}"
                proven["clingo"] = elapsed
            notes.append(f"clingo {as_text(elapsed) if length is not None else f'> {limit:g} s'}")
        except ModuleNotFoundError:
            notes.append("clingo is missing")
    if not proven:
        return compare(name, partial(_solve, route, "auto", limit), "nothing", None, 1, target, "; ".join(notes))
    fastest = min(proven, key=lambda method: proven[method])
    theirs: Callable[[], object] = clingo if fastest == "clingo" else partial(_solve, route, fastest, LONG_LIMIT)
    rounds = 51 if proven[fastest] < 0.01 else 15 if proven[fastest] < 0.1 else 5 if proven[fastest] < 0.5 else 1
    return compare(name, partial(_solve, route, "auto", LONG_LIMIT), fastest, theirs, rounds, target, "; ".join(notes))


def _note(method: str, plan: Plan[Any], best: Plan[Any], elapsed: float) -> str:
    text = as_text(elapsed) if plan.optimal or (plan and method == "dfs") else f"> {as_text(elapsed)}"
    if "states" in plan.stats:
        text += f" ({plan.stats['states']:,} states)"
    if plan and method == "dfs" and best.optimal:
        text += f", {len(plan.moves) / max(1, len(best.moves)):.2f} × the optimum"
    return f"{method} {text}"


def _solve(route: Route[Any], method: str, limit: float) -> Plan[Any]:
    """Solves from scratch: a fresh route has nothing computed yet."""
    return routes.solve(Route(route.puzzle, route.divide, route.explain, route.missing), method, limit, max_states=None)


# -- clingo

TOUR = """
{ leg(I, J) : way(I, J, _) } = 1 :- place(I), not last(I).
{ leg(I, J) : way(I, J, _) } = 1 :- place(J), not first(J).
reached(I) :- first(I).
reached(J) :- reached(I), leg(I, J).
:- place(I), not reached(I).
#minimize { D, I : leg(I, J), way(I, J, D) }.
"""


def _clingo(route: Route[Any], limit: float) -> int | None:
    """The length of the shortest tour that clingo proves; None when it does not within the limit."""
    clingo = peer_module("clingo")
    if clingo is None:
        raise ModuleNotFoundError("clingo")
    deadline = time.perf_counter() + limit
    total = 0
    for stage in route.stages:
        last = len(stage.distances) - 1
        facts = [f"place(0..{last}). first(0). last({last})."]
        for i in range(last):
            for j in range(1, last + 1):
                if i != j and (last == 1 or (i, j) != (0, last)):
                    facts.append(f"way({i},{j},{stage.distances[i, j]}).")
        control = clingo.Control(["--opt-strategy=usc", "--warn=none"])
        control.add("base", [], TOUR + " ".join(facts))
        control.ground([("base", [])])
        costs: list[list[int]] = []
        with control.solve(on_model=partial(_note_cost, costs), async_=True) as handle:
            if not handle.wait(max(0.0, deadline - time.perf_counter())):
                handle.cancel()
                return None
        total += costs[-1][0]
    return total


def _note_cost(costs: list[list[int]], model: Any) -> None:
    costs.append(model.cost)


# -- counting


def count_rows(quick: bool) -> list[Row]:
    """Self-avoiding walks between opposite corners of grids."""
    return [_count_row(side) for side in range(4, 8 if quick else 10)]


def _count_row(side: int) -> Row:
    ladders = [(column, floor) for column in range(1, side + 1) for floor in range(1, side)]
    scene = Scene(side, side, [], ladders, (1, 1), (side, side))
    walks = acyclic.count_paths(police_route(scene))
    graphillion = peer_module("graphillion")
    if graphillion is not None:
        nodes = range(side * side)
        across = [(node, node + 1) for node in nodes if (node + 1) % side]
        graphillion.GraphSet.set_universe(across + [(node, node + side) for node in nodes if node + side < side * side])

    def theirs() -> None:
        assert graphillion is not None
        assert graphillion.GraphSet.paths(0, side * side - 1).len() == walks

    name = f"count the self-avoiding walks on {side}×{side} nodes"
    ours = partial(_count, scene)
    return compare(
        name, ours, "graphillion", theirs if graphillion else None, 1 if side > 6 else 3, "< 10 s" if side == 8 else "", f"{walks:,} walks"
    )


def _count(scene: Scene) -> int:
    return acyclic.count_paths(police_route(scene))


def run(quick: bool) -> list[Row]:
    """All rows: boards, then grids."""
    return plan_rows(quick) + count_rows(quick)


def main() -> None:
    """The command ``python -m benchmarks.routes``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routes", description="Shortest routes against other methods and clingo.")
    parser.add_argument("--quick", action="store_true", help="small boards only")
    print(markdown(run(parser.parse_args().quick)))


if __name__ == "__main__":
    main()

"""Shortest routes on the original boards and random ones: the default against the fastest other method, and against clingo.

The default is the circuit model as soon as there is something to collect. Its peer is the fastest of the other methods that prove their
plan shortest on that board; the note says of all methods how long they took once, how many states they tried and where they reached the
limit. ``dfs`` is the naive search of the original: it proves nothing, so the note gives the length of its plan as a multiple of the
shortest. A method that has failed is not tried on larger boards. clingo gets our distances between landmarks for nothing. The last rows
count self-avoiding walks, against graphillion.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.boards import random_board, random_scene
from benchmarks.measure import Row, Timing, as_text, compare, missing, peer_module, seconds, timing
from cpsolve.puzzles import paths as acyclic
from cpsolve.puzzles import walks
from cpsolve.puzzles.plans import Plan
from cpsolve.puzzles.routes import Route
from models.busy_police import SCENES, Scene
from models.busy_police.encode import route as police_route
from models.pacman import BOARDS
from models.pacman.encode import route as pacman_route

METHODS = ("dfs", "bfs", "astar", "held-karp", "horizon", "circuit")
LIMIT, QUICK_LIMIT, LONG_LIMIT = 10.0, 1.0, 60.0
"""Seconds for a method and for clingo, in a full and in a quick run; seconds for the default and the circuit."""
BUDGET = 0.5
"""Seconds for the rounds of one row, unless three rounds take longer."""
HELD_KARP_MOST = 20
"""More items than this take the dynamic programme gigabytes."""

QUICK = ((10, 5, 6), (20, 10, 14), (20, 10, 20))
SMALL = ((10, 5, 0), (10, 5, 3), (10, 5, 6), (10, 5, 12), (20, 10, 10), (20, 10, 14), (20, 10, 16), (20, 10, 20), (40, 20, 30))
LARGE = ((100, 50, 12), (100, 50, 30), (100, 50, 40), (200, 100, 0), (200, 100, 40), (200, 100, 80), (200, 100, 100))
GHOSTS = ((10, 8), (30, 20), (100, 50), (200, 100))
TARGETS = {(100, 50, 40): "≤ 3, in 10 s", (200, 100, 80): "≤ 3, in 60 s"}


def run(quick: bool) -> Iterator[Row]:
    """All rows: boards, then grids."""
    yield from plan_rows(quick)
    for side in range(4, 7 if quick else 10):
        yield _count_row(side)


# -- plans


def plan_rows(quick: bool) -> Iterator[Row]:
    """Two rows per board: the fastest other method, and clingo."""
    for method in METHODS:  # loads the solvers, so that no row pays for an import
        walks.solve(police_route(SCENES["evidencias"]), method)
    failed: set[str] = set()
    for name in ("ambiente1", "evidencias"):
        yield from _board_rows(f"police {name}", police_route(SCENES[name]), failed, quick, "in 15 ms")
    for size in QUICK if quick else SMALL + LARGE:
        name = "police {}×{}, {} pieces of evidence".format(*size)
        yield from _board_rows(name, police_route(random_scene(*size, seed=0)), failed, quick, TARGETS.get(size, "≤ 3 above 10 ms"))
    failed = set()
    yield from _board_rows("pacman seed", pacman_route(BOARDS["seed"]), failed, quick, "in 15 ms")
    for side, ghosts in GHOSTS[:1] if quick else GHOSTS:
        name = f"pacman {side}×{side}, {ghosts} ghosts"
        yield from _board_rows(name, pacman_route(random_board(side, ghosts, seed=0)), failed, quick, "≤ 3 above 10 ms")


def _board_rows(name: str, route: Route[Any], failed: set[str], quick: bool, target: str) -> Iterator[Row]:
    limit = QUICK_LIMIT if quick else LIMIT
    begin = time.perf_counter()
    best = _solve(route, "auto", LONG_LIMIT)
    own = time.perf_counter() - begin
    chosen = best.stats["method"]
    notes = [f"{best.cost} moves" if best.optimal else f"{best.cost} moves, gap {best.gap:.1%}", f"the default took {chosen}"]
    proven: dict[str, float] = {}
    items = max(len(stage.items) for stage in route.stages)
    for method in METHODS:
        if method in failed or method == chosen or (method == "held-karp" and items > HELD_KARP_MOST):
            continue
        begin = time.perf_counter()
        plan = _solve(route, method, LONG_LIMIT if method == "circuit" else limit)
        elapsed = time.perf_counter() - begin
        if plan.optimal:
            proven[method] = elapsed
            if best.optimal and plan.cost != best.cost:
                raise AssertionError(f"{name}: {method} proved {plan.cost} moves, the default {best.cost}")
        elif not plan:
            failed.add(method)
        notes.append(_note(method, plan, best, elapsed))
    note = "; ".join(notes)
    if proven:
        fastest = min(proven, key=lambda method: proven[method])
        theirs = partial(_solve, route, fastest, LONG_LIMIT)
        yield _again(name, route, own, fastest, theirs, proven[fastest], target, note)
    else:
        rounds = 3 if own < 5.0 else 1
        times = [own] + [seconds(partial(_solve, route, "auto", LONG_LIMIT)) for _ in range(rounds - 1)]
        yield Row(name, timing(times, LONG_LIMIT), target=target, note=f"{note}; no other method proves a plan shortest")
    yield from _clingo_row(name, route, best, own, failed, limit)


def _again(name: str, route: Route[Any], own: float, peer: str, theirs: Any, other: float, target: str = "", note: str = "") -> Row:
    """Both again, turn by turn, as often as BUDGET allows; what took long is not repeated."""
    if own + other > 5.0:
        return Row(name, timing([own], LONG_LIMIT), peer, timing([other]), target, note)
    rounds = max(3, min(51, int(BUDGET / (own + other))))
    return compare(name, partial(_solve, route, "auto", LONG_LIMIT), peer, theirs, rounds, target, note, warm_up=False)


def _clingo_row(name: str, route: Route[Any], best: Plan[Any], own: float, failed: set[str], limit: float) -> Iterator[Row]:
    if "clingo" in failed:
        return
    ours: Timing = timing([own], LONG_LIMIT)
    if peer_module("clingo") is None:
        yield Row(name, ours, "clingo", None, note=missing("clingo"))
        return
    begin = time.perf_counter()
    length = _clingo(route, limit)
    elapsed = time.perf_counter() - begin
    if length is None:
        failed.add("clingo")
        yield Row(name, ours, "clingo", timing([max(limit, elapsed)], limit), note="clingo is not tried on larger boards")
        return
    if best.optimal and length != best.cost:
        raise AssertionError(f"{name}: clingo proved {length} moves, the default {best.cost}")
    yield _again(name, route, own, "clingo", partial(_clingo, route, limit), elapsed)


def _note(method: str, plan: Plan[Any], best: Plan[Any], elapsed: float) -> str:
    text = as_text(elapsed) if plan.optimal or (plan and method == "dfs") else f"> {as_text(elapsed)}"
    if "states" in plan.stats:
        text += f" ({plan.stats['states']:,} states)"
    if plan and method == "dfs" and best.optimal:
        text += f", {len(plan.moves) / max(1, len(best.moves)):.2f} × the shortest"
    return f"{method} {text}"


def _solve(route: Route[Any], method: str, limit: float) -> Plan[Any]:
    """Solves from scratch: a fresh route has nothing computed yet."""
    fresh = Route(route.puzzle, route.divide, route.explain, route.missing)
    if method in walks.SEARCHES:
        return walks.solve(fresh, method, limit, max_states=None)
    return walks.solve(fresh, method, limit)


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
    clingo = importlib.import_module("clingo")
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


def _count_row(side: int) -> Row:
    ladders = [(column, floor) for column in range(1, side + 1) for floor in range(1, side)]
    scene = Scene(side, side, [], ladders, (1, 1), (side, side))
    walks = acyclic.count_paths(police_route(scene))
    # with several threads it waits for them in busy loops, which on a few cores takes up to a hundred times longer than the work
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    graphillion = peer_module("graphillion")
    if graphillion is not None:
        nodes = range(side * side)
        across = [(node, node + 1) for node in nodes if (node + 1) % side]
        edges = sorted(across + [(node, node + side) for node in nodes if node + side < side * side])
        graphillion.GraphSet.set_universe(edges, traversal="as-is")  # row by row: the fastest for it of five orders tried

    def theirs() -> None:
        assert graphillion is not None
        assert graphillion.GraphSet.paths(0, side * side - 1).len() == walks

    name = f"count the self-avoiding walks on {side}×{side} nodes"
    ours = partial(_count, scene)
    rounds, note = 3 if side > 7 else 9, f"{walks:,} walks; graphillion with one thread"
    return compare(name, ours, "graphillion", theirs if graphillion else None, rounds, "< 10 s" if side == 8 else "", note)


def _count(scene: Scene) -> int:
    return acyclic.count_paths(police_route(scene))

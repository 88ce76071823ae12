"""Every method agrees with breadth-first search, and every way of listing or counting paths with every other."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve.counting.paths import count_simple_paths
from cpsolve.errors import DiagramTooWide, IllegalMoveError, ModelError, TimeLimitError, UnsupportedError
from cpsolve.limits import Deadline
from cpsolve.puzzles import orders, search, walks
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.local_search import improve
from cpsolve.puzzles.plans import Move, Plan, replay
from cpsolve.puzzles.routes import Route
from models import busy_police, pacman
from models.busy_police.encode import route as police_route
from models.pacman.encode import route as pacman_route
from tests.routes_oracle import boards, depth_first_paths, path_model, scenes

modest = settings(deadline=None, max_examples=60, derandomize=True)
few = settings(deadline=None, max_examples=25, derandomize=True)


def check(route: Route, method: str, **options: str) -> None:  # type: ignore[type-arg]
    """The plan is legal, proven shortest, and as long as breadth-first search says; or there is none, for a reason."""
    expected = search.bfs(route.puzzle)
    plan = walks.solve(route, method, **options)  # type: ignore[arg-type]
    assert plan.status is expected.status
    assert plan.cost == expected.cost
    if plan.status is cp.Status.OPTIMAL:
        assert plan.bound == plan.cost
        assert replay(route.puzzle, plan.moves) == plan.states
        assert plan.gap == 0
    else:
        assert plan.reason
        assert not plan.states


@pytest.mark.parametrize("method", ["auto", "held-karp", "astar"])
@given(scene=scenes(max_evidence=4))
@modest
def test_scenes_have_plans_as_short_as_breadth_first_search_finds(method: str, scene: busy_police.Scene) -> None:
    check(police_route(scene), method)


@pytest.mark.parametrize("method", ["auto", "held-karp", "astar"])
@given(board=boards())
@modest
def test_boards_have_plans_as_short_as_breadth_first_search_finds(method: str, board: pacman.Board) -> None:
    check(pacman_route(board), method)


@pytest.mark.parametrize("method", ["circuit", "horizon"])
@given(scene=scenes())
@few
def test_the_models_prove_scenes_as_short_as_breadth_first_search_finds(method: str, scene: busy_police.Scene) -> None:
    check(police_route(scene), method)


@pytest.mark.parametrize("method", ["circuit", "horizon"])
@given(board=boards())
@few
def test_the_models_prove_boards_as_short_as_breadth_first_search_finds(method: str, board: pacman.Board) -> None:
    check(pacman_route(board), method)


@given(scene=scenes(max_width=4, max_floors=2, max_evidence=1))
@settings(deadline=None, max_examples=15, derandomize=True)
def test_the_step_by_step_model_runs_on_python_constraint(scene: busy_police.Scene) -> None:
    check(police_route(scene), "horizon", backend="python-constraint")


@given(scene=scenes())
@modest
def test_the_naive_search_finds_a_legal_plan_exactly_when_there_is_one(scene: busy_police.Scene) -> None:
    naive, shortest = search.dfs(scene), search.bfs(scene)
    assert bool(naive) == bool(shortest)
    if naive:
        assert replay(scene, naive.moves) == naive.states
        assert len(set(naive.states)) == len(naive.states)
        assert len(naive.moves) >= len(shortest.moves)


# -- paths


@given(scene=scenes(max_width=6))
@modest
def test_the_paths_of_a_scene_are_those_of_the_naive_search(scene: busy_police.Scene) -> None:
    naive = set(depth_first_paths(scene))
    plans = list(busy_police.paths(scene))
    assert len(plans) == len(naive)
    assert {plan.moves for plan in plans} == naive
    assert busy_police.count_paths(scene) == len(naive)


@given(board=boards(max_width=3, max_height=3, max_ghosts=2))
@modest
def test_the_paths_of_a_board_are_those_of_the_naive_search(board: pacman.Board) -> None:
    naive = set(depth_first_paths(board, most=20_000))
    if pacman.count_paths(board) > 2_000:
        return  # too many to list
    plans = list(pacman.paths(board))
    assert {plan.moves for plan in plans} == naive
    assert len(plans) == len(naive) == pacman.count_paths(board)


@given(scene=scenes(max_width=5))
@modest
def test_the_shortest_plans_of_a_scene_are_its_shortest_paths(scene: busy_police.Scene) -> None:
    plans = list(busy_police.shortest_plans(scene))
    found = list(busy_police.paths(scene))
    least = min((len(plan.moves) for plan in found), default=0)
    assert [plan.moves for plan in plans] == [plan.moves for plan in found if len(plan.moves) == least]
    assert all(plan.optimal and replay(scene, plan.moves) == plan.states for plan in plans)


@given(scene=scenes(max_width=5, max_floors=3, max_evidence=0))
@few
def test_the_circuit_model_has_the_same_paths(scene: busy_police.Scene) -> None:
    if scene.officer == scene.fugitive:
        return  # no circuit: nothing to walk
    stage = police_route(scene).stages[0]
    model, legs = path_model(stage)
    found = {frozenset(leg for leg, taken in legs.items() if solution[taken]) for solution in model.solutions(over=list(legs.values()))}
    number = stage.graph.number
    walked = {
        frozenset((number[tail], number[head]) for tail, head in zip(plan.cells, plan.cells[1:], strict=False))
        for plan in busy_police.paths(scene)
    }
    assert found == walked
    assert len(walked) == busy_police.count_paths(scene)


@given(
    st.integers(2, 6).flatmap(
        lambda count: st.tuples(st.just(count), st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))))
    )
)
@settings(deadline=None, max_examples=200, derandomize=True)
def test_the_frontier_counts_the_simple_paths_of_any_directed_graph(graph: tuple[int, set[tuple[int, int]]]) -> None:
    count, arcs = graph
    inner = range(1, count - 1)
    expected = sum(
        all(arc in arcs for arc in zip((0, *middle), (*middle, count - 1), strict=True))
        for size in range(count - 1)
        for middle in permutations(inner, size)
    )
    assert count_simple_paths([[head for head in range(count) if (tail, head) in arcs] for tail in range(count)], 0, count - 1) == expected


def grid(side: int) -> busy_police.Scene:
    ladders = [(column, floor) for column in range(1, side + 1) for floor in range(1, side)]
    return busy_police.Scene(side, side, [], ladders, (1, 1), (side, side))


@pytest.mark.parametrize(("side", "walks"), [(2, 2), (3, 12), (4, 184), (5, 8_512), (6, 1_262_816), (7, 575_780_564), (8, 789_360_053_252)])
def test_self_avoiding_walks_between_opposite_corners_of_a_grid_are_counted(side: int, walks: int) -> None:
    assert busy_police.count_paths(grid(side)) == walks


def test_the_diagram_of_a_circuit_counts_the_same_walks() -> None:
    model, _ = path_model(police_route(grid(5)).stages[0])
    assert model.count() == 8_512


def test_counting_stops_at_its_limits() -> None:
    with pytest.raises(TimeLimitError):
        busy_police.count_paths(grid(8), time_limit=0)
    ring = [[(node + 1) % 9, (node - 1) % 9, (node + 4) % 9, (node - 4) % 9] for node in range(9)]
    with pytest.raises(DiagramTooWide, match="more than 5 states"):
        count_simple_paths(ring, 0, 4, max_states=5)


def test_paths_come_one_at_a_time() -> None:
    first = next(busy_police.paths(grid(12)))
    assert replay(grid(12), first.moves) == first.states


# -- distances and tours


@given(scene=scenes())
@few
def test_distances_are_the_same_by_lists_and_by_arrays(scene: busy_police.Scene) -> None:
    graph = MoveGraph(scene.cells(), scene.steps)
    targets = list(range(len(graph.cells)))
    by_lists = graph.distances_to(targets)
    assert (by_lists == graph._all_distances_to(np.array(targets), Deadline(None))).all()
    for tail, cell in enumerate(graph.cells):
        assert {graph.cells[target] for target in targets if by_lists[target, tail] >= 0} == graph.reach(cell)


@st.composite
def distance_tables(draw: st.DrawFn) -> orders.Distances:
    count = draw(st.integers(2, 7))
    values = draw(st.lists(st.integers(0, 30), min_size=count * count, max_size=count * count))
    table = np.array(values, np.int64).reshape(count, count)
    np.fill_diagonal(table, 0)
    for middle in range(count):
        table = np.minimum(table, table[:, [middle]] + table[[middle]])
    return table


@given(distance_tables())
@few
def test_tours_are_shortest_over_all_orders(table: orders.Distances) -> None:
    last = len(table) - 1
    best = min(orders.length_of(table, (0, *middle, last)) for middle in permutations(range(1, last)))
    exact, good = orders.held_karp(table), improve(table, 0.05)
    assert exact.length == best
    assert exact.optimal
    for order in (exact.order, good):
        assert order is not None
        assert (order[0], order[-1], sorted(order)) == (0, last, list(range(last + 1)))
    assert orders.length_of(table, good) >= best >= orders.lower_bound(table)


def test_held_karp_refuses_what_would_fill_the_memory() -> None:
    with pytest.raises(UnsupportedError, match="use the method circuit"):
        orders.held_karp(np.ones((30, 30), np.int64))


# -- limits, and what is not a plan


def crowded(evidence: int) -> busy_police.Scene:
    ladders = [(column, floor) for column in (1, 20) for floor in range(1, 10)]
    cells = [(column, floor) for floor in range(1, 11) for column in range(2, 20)]
    return busy_police.Scene(20, 10, [], ladders, (1, 1), (20, 10), cells[3 :: len(cells) // evidence][:evidence])


def test_all_shortest_plans_of_a_crowded_scene_stop_at_a_limit() -> None:
    with pytest.raises(TimeLimitError, match="shortest plans: stopped after"):
        next(busy_police.shortest_plans(crowded(20), time_limit=0))


@pytest.mark.parametrize("method", ["dfs", "bfs", "astar"])
def test_a_search_at_its_limit_is_unknown_and_says_so(method: str) -> None:
    plan = busy_police.solve(crowded(20), method, max_states=10)
    assert plan.status is cp.Status.UNKNOWN
    assert plan.reason == "stopped after 10 states"
    assert (plan.moves, plan.states, plan.cost) == ((), (), None)
    assert busy_police.solve(crowded(20), method, time_limit=0).status is cp.Status.UNKNOWN


def test_a_circuit_out_of_time_gives_its_best_plan_with_a_bound() -> None:
    plan = busy_police.solve(crowded(30), "circuit", time_limit=0.05)
    assert plan.status in (cp.Status.FEASIBLE, cp.Status.OPTIMAL)
    assert plan.cost is not None
    assert plan.bound is not None
    assert 0 < plan.bound <= plan.cost
    assert replay(crowded(30), plan.moves) == plan.states


def test_a_dynamic_programme_out_of_time_gives_a_plan_with_a_bound() -> None:
    plan = busy_police.solve(crowded(16), "held-karp", time_limit=0)
    assert plan.status is cp.Status.FEASIBLE
    assert plan.cost is not None
    assert plan.bound is not None
    assert 0 < plan.bound < plan.cost


def test_a_horizon_out_of_time_is_unknown_with_a_bound() -> None:
    plan = busy_police.solve(crowded(12), "horizon", time_limit=0)
    assert plan.status is cp.Status.UNKNOWN
    assert plan.bound


@pytest.mark.parametrize(("evidence", "chosen"), [(0, "shortest-path"), (1, "circuit"), (5, "circuit"), (20, "circuit")])
def test_the_default_is_the_constraint_model_as_soon_as_there_is_something_to_collect(evidence: int, chosen: str) -> None:
    scene = crowded(evidence) if evidence else busy_police.SCENES["ambiente1"]
    plan = busy_police.solve(scene)
    assert (plan.stats["requested"], plan.stats["method"], plan.optimal) == ("auto", chosen, True)


def test_an_unknown_method_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match="unknown method 'magic': expected one of auto, circuit"):
        busy_police.solve(busy_police.SCENES["ambiente1"], "magic")
    with pytest.raises(ModelError, match="time_limit"):
        busy_police.solve(busy_police.SCENES["ambiente1"], time_limit=-1)


def test_the_referee_refuses_illegal_moves_and_missed_goals() -> None:
    scene = busy_police.SCENES["ambiente4"]
    with pytest.raises(IllegalMoveError, match="move 1, climb, is not legal"):
        replay(scene, [Move("climb")])
    with pytest.raises(IllegalMoveError, match="the goal is not reached"):
        replay(scene, [Move("walk left")])


def test_a_plan_reads_well() -> None:
    assert str(busy_police.solve(busy_police.Scene(2, 1, [], [], (1, 1), (2, 1)))) == "optimal, 1 move: walk right"
    assert str(busy_police.solve(busy_police.Scene(2, 1, [], [], (1, 1), (1, 1)))) == "optimal, 0 moves: none needed"
    assert str(Plan(cp.Status.UNKNOWN, reason="stopped after 10 states")) == "unknown: stopped after 10 states"

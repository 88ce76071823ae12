"""The original's own results: its printed listings and the answers of its programs in SWI-Prolog (see tests/golden/busy_police)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cpsolve.prolog import Struct, Term, parse_term, parse_terms
from cpsolve.puzzles.plans import Cell
from models.busy_police import SCENES, Scene, State, count_paths, paths, solve
from tests.routes_oracle import depth_first_paths

GOLDEN = Path(__file__).parents[1] / "golden" / "busy_police"
QUERIES: dict[str, tuple[Cell, Cell]] = {
    "ambiente1": ((10, 1), (10, 5)),
    "ambiente2": ((5, 1), (7, 5)),
    "ambiente3": ((3, 1), (1, 5)),
    "ambiente4": ((3, 1), (10, 5)),
    "evidencias": ((3, 1), (10, 5)),
}
LISTINGS = {"ambiente1": 3, "ambiente2": 5, "ambiente3": 7, "ambiente4": 9}


def walked(answer: Term, scene: Scene) -> tuple[State, ...]:
    """The states of an answer in walking order: Prolog lists them backwards, without the last, and collects in a step of its own."""
    assert isinstance(answer, list)
    states = []
    for term in reversed(answer):
        assert isinstance(term, Struct)
        column, floor, *evidence = term.args
        assert isinstance(column, int)
        assert isinstance(floor, int)
        collected = frozenset(item.args for item in evidence[0]) if evidence else frozenset()  # type: ignore[union-attr]
        states.append(State((column, floor), collected | (scene.evidence & {(column, floor)})))  # type: ignore[arg-type]
    states.append(State(scene.fugitive, scene.evidence))
    return tuple(state for number, state in enumerate(states) if number == 0 or state != states[number - 1])


def answers(name: str) -> list[tuple[State, ...]]:
    return [walked(term, SCENES[name]) for term in parse_terms((GOLDEN / f"{name}.answers").read_text())]


@pytest.mark.parametrize("name", QUERIES)
def test_the_scenes_are_those_of_the_listings(name: str) -> None:
    officer, fugitive = QUERIES[name]
    text = (GOLDEN / f"{name}.pl").read_text()
    assert Scene.from_prolog(text, officer=officer, fugitive=fugitive) == SCENES[name]


@pytest.mark.parametrize("name", LISTINGS)
def test_the_naive_search_gives_the_printed_answer_state_by_state(name: str) -> None:
    text = (GOLDEN / f"listing{LISTINGS[name]}.txt").read_text()
    printed = re.findall(r"R = (\[[^|]*\]) \.", text)
    assert solve(SCENES[name], "dfs").states == walked(parse_term(printed[-1]), SCENES[name])


@pytest.mark.parametrize("name", QUERIES)
def test_the_naive_search_gives_the_first_answer_of_prolog_state_by_state(name: str) -> None:
    assert solve(SCENES[name], "dfs").states == answers(name)[0]


@pytest.mark.parametrize(
    ("name", "costs"), [("ambiente1", [18, 22, 22, 26]), ("ambiente2", [20, 24]), ("ambiente3", [31]), ("ambiente4", [22])]
)
def test_the_acyclic_paths_are_the_acyclic_answers_of_prolog(name: str, costs: list[int]) -> None:
    acyclic = [states for states in answers(name) if len(set(states)) == len(states)]
    plans = list(paths(SCENES[name]))
    assert [plan.states for plan in plans] == acyclic
    assert [plan.cost for plan in plans] == costs
    assert count_paths(SCENES[name]) == len(costs)


def test_two_answers_of_the_second_scene_pass_the_fugitive_and_come_back() -> None:
    fugitive = SCENES["ambiente2"].fugitive
    assert sorted([state.cell for state in states].count(fugitive) for states in answers("ambiente2")) == [1, 1, 2, 2]


def test_collecting_on_arrival_has_the_paths_of_the_listing_with_evidence() -> None:
    scene = SCENES["evidencias"]
    expected = answers("evidencias")
    assert len(expected) == 13
    assert [plan.states for plan in paths(scene)] == expected
    assert count_paths(scene) == 13
    assert list(map(len, depth_first_paths(scene))) == [len(states) - 1 for states in expected]


@pytest.mark.parametrize(("name", "cost"), [("ambiente1", 18), ("ambiente2", 20), ("ambiente3", 31), ("ambiente4", 22), ("evidencias", 40)])
@pytest.mark.parametrize("method", ["auto", "circuit", "held-karp", "horizon", "bfs", "astar"])
def test_the_seeds_scenes_are_solved_in_the_fewest_moves(name: str, cost: int, method: str) -> None:
    plan = solve(SCENES[name], method)
    assert (plan.optimal, plan.cost, plan.bound) == (True, cost, cost)
    assert cost == min(len(states) - 1 for states in answers(name))

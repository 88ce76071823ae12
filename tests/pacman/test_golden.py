"""The original's own results: the answers of its program in SWI-Prolog, with its typing errors mended (see tests/golden/pacman)."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import pytest

from cpsolve.prolog import Term, parse_terms
from models.pacman import BOARDS, Board, State, paths, solve

GOLDEN = Path(__file__).parents[1] / "golden" / "pacman"
SEED = BOARDS["seed"]


def walked(answer: Term) -> tuple[State, ...]:
    """The states of an answer in walking order; Prolog lists them backwards, each as the list of its cells."""
    assert isinstance(answer, list)
    return tuple(state_of(cells) for cells in reversed(answer))


def state_of(cells: Term) -> State:
    assert isinstance(cells, list)
    place = {(number % SEED.width, number // SEED.width): thing for number, thing in enumerate(cells)}
    ghosts = frozenset(cell for cell, thing in place.items() if thing == "fantasma")
    return State(next(cell for cell, thing in place.items() if thing == "pacman"), "ponto" not in cells, ghosts)


def test_the_board_is_that_of_the_seeds_parameters() -> None:
    assert Board.from_prolog((GOLDEN / "params.pl").read_text()) == SEED


def test_the_naive_search_gives_the_first_answer_of_prolog_state_by_state() -> None:
    first = parse_terms((GOLDEN / "corrected.answers").read_text())[0]
    plan = solve(SEED, "dfs")
    assert plan.states == walked(first)
    assert plan.cost == 40


def test_paths_come_in_the_order_of_prolog() -> None:
    answers = [walked(term) for term in parse_terms((GOLDEN / "corrected.answers").read_text())]
    assert [plan.states for plan in islice(paths(SEED), len(answers))] == answers


def test_the_program_as_printed_finds_a_longer_plan_that_is_legal_all_the_same() -> None:
    states = walked(parse_terms((GOLDEN / "printed.answers").read_text())[0])
    assert len(states) == 53
    assert all(after in [state for _, state in SEED.moves(before)] for before, after in pairwise(states))
    assert SEED.is_goal(states[-1])


@pytest.mark.parametrize("method", ["auto", "circuit", "held-karp", "horizon", "bfs", "astar"])
def test_the_seeds_board_is_solved_in_fourteen_moves(method: str) -> None:
    plan = solve(SEED, method)
    assert (plan.optimal, plan.cost, plan.bound) == (True, 14, 14)
    assert plan.cells[0] == SEED.pacman
    assert plan.cells[-1] == SEED.cherry

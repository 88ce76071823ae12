"""Which order of drops leads to a board: CP-SAT against the exact count, and the count against listing every order."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve.errors import IllegalMoveError, ModelError
from cpsolve.puzzles.games import playout
from cpsolve.puzzles.plans import Move
from models.four_in_a_line import Position, count_orders, reach
from models.four_in_a_line.encode import filling

SHAPE = (3, 3, 3)


@st.composite
def small_boards(draw: st.DrawFn) -> list[list[list[int]]]:
    """Piles of stones of a 3 × 3 board, coloured at random: few of them are positions of a game."""
    board: list[list[list[int]]] = [[], []]
    for column in range(1, 4):
        for row, player in enumerate(draw(st.lists(st.integers(0, 1), max_size=3)), 1):
            board[player].append([row, column])
    return board


def orders_by_listing(board: list[list[list[int]]]) -> int:
    """Plays every different sequence of columns and counts those that end in the board."""
    columns = sorted(column for squares in board for _, column in squares)
    count = 0
    for moves in set(permutations(columns)):
        try:
            end = Position.from_moves(moves, *SHAPE)
        except IllegalMoveError:
            continue
        count += [sorted(squares) for squares in end.to_lists()] == [sorted(squares) for squares in board]
    return count


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_boards())
def test_the_exact_count_is_the_number_of_games_that_end_there(board: list[list[list[int]]]) -> None:
    if sum(map(len, board)) <= 7:
        assert count_orders(board, *SHAPE) == orders_by_listing(board)


@settings(deadline=None, max_examples=80, derandomize=True)
@given(small_boards())
def test_a_plan_is_found_exactly_when_the_count_is_not_zero(board: list[list[list[int]]]) -> None:
    plan = reach(board, *SHAPE)
    assert bool(plan) == (count_orders(board, *SHAPE) > 0)
    if plan:
        assert plan.status is cp.Status.OPTIMAL
        assert Position.from_moves("".join(map(str, plan.moves)), *SHAPE) == plan.states[-1]
        assert plan.cost == sum(map(len, board))
    else:
        assert plan.status is cp.Status.INFEASIBLE
        assert plan.reason


@pytest.mark.parametrize("seed", range(12))
def test_boards_of_real_games_are_traced_back(seed: int) -> None:
    chance = random.Random(seed)
    position = Position()
    for _ in range(chance.randrange(5, 43)):
        if not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
    plan = reach(position)
    assert plan.states[-1] == position
    assert len(plan.moves) == position.ply
    assert all(state.winner is None for state in plan.states[:-1])


def test_the_empty_board_needs_no_move() -> None:
    plan = reach([[], []])
    assert (plan.moves, plan.cost, plan.status) == ((), 0, cp.Status.OPTIMAL)
    assert count_orders([[], []]) == 1


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        ([[[1, 1], [1, 2]], []], "a has 2 stones and b 0"),
        ([[], [[1, 1]]], "a begins"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4]], [[2, 1], [2, 2], [2, 3]]], ""),
        ([[[1, 1], [1, 2], [1, 3], [1, 4]], [[2, 1], [2, 2], [2, 3], [2, 4]]], "both players have a line"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4]], [[2, 1], [2, 2], [2, 3], [1, 7]]], "yet b moved last"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4], [1, 7]], [[2, 1], [2, 2], [2, 3], [2, 4]]], "both players"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4], [3, 1]], [[2, 1], [2, 2], [2, 3], [3, 2]]], ""),
        ([[[1, 1], [1, 2], [1, 3], [1, 4], [3, 1], [3, 3]], [[2, 1], [2, 2], [2, 4], [2, 3], [3, 2]]], "both players"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4], [2, 4], [3, 1]], [[2, 1], [2, 2], [2, 3], [3, 2], [3, 4]]], "a buried line"),
        ([[[2, 1], [2, 2]], [[1, 1], [1, 2]]], "no order of turns fits"),
        ([[[2, 1]], [[1, 1]]], "column 1"),
    ],
)
def test_a_board_that_no_game_reaches_gets_a_reason_in_words(configuration: Any, said: str) -> None:
    plan = reach(configuration)
    if said:
        assert count_orders(configuration) == 0
        assert plan.status is cp.Status.INFEASIBLE
        assert said in plan.reason
    else:
        assert count_orders(configuration) > 0
        assert plan.optimal


def test_two_lines_that_no_single_stone_completes_are_told() -> None:
    ground = [[1, 1], [1, 2], [1, 3], [1, 4]], [[1, 5], [1, 6], [1, 7]]
    # a pillar of a on column 4 besides the row on the ground would need two last stones
    configuration = [[*ground[0], [2, 4], [3, 4], [4, 4]], [*ground[1], [2, 5], [2, 6], [2, 7]]]
    plan = reach(configuration)
    assert count_orders(configuration) == 0
    assert plan.status is cp.Status.INFEASIBLE
    assert "no single last stone" in plan.reason


def test_a_board_that_cannot_be_is_an_error_not_a_plan() -> None:
    with pytest.raises(ModelError, match="floats"):
        reach([[[2, 1]], []])


def test_no_time_is_unknown_and_never_infeasible() -> None:
    position = Position.from_moves("44444326213163525526")
    plan = reach(position, time_limit=0)
    assert plan.status in (cp.Status.UNKNOWN, cp.Status.OPTIMAL)
    assert bool(plan) or "time limit" in plan.reason


@given(seed=st.integers(0, 10**6))
@settings(deadline=None, max_examples=25, derandomize=True)
def test_a_drop_leads_where_the_list_of_all_drops_says(seed: int) -> None:
    puzzle = filling(Position(4, 5))
    for state in playout(puzzle.start(), seed):
        drops = [Move(str(column)) for column in range(7)]
        assert {move: after for move in drops if (after := puzzle.after(state, move)) is not None} == dict(puzzle.moves(state))

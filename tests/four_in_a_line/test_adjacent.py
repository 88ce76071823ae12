"""The original's ``adjacente/3``: its worked example, and successors on random boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.errors import ModelError
from models.four_in_a_line import Position, adjacent
from models.four_in_a_line.formats import write_successors

GOLDEN = Path(__file__).parent.parent / "golden" / "four_in_a_line"
FIGURE_2 = [[[1, 4], [2, 4], [3, 4], [1, 5]], [[1, 3], [2, 5], [1, 6]]]


def test_the_worked_example_of_the_seed_gives_its_seven_answers_in_order() -> None:
    answers = list(adjacent(FIGURE_2, "b"))
    assert write_successors(FIGURE_2, "b", answers) + "\n" == (GOLDEN / "figure_2_successors.pl").read_text()


def test_the_fourth_answer_is_figure_3() -> None:
    figure_3 = list(adjacent(FIGURE_2, "b"))[3]
    assert Position.from_lists(figure_3) == Position.from_text((GOLDEN / "figure_3.txt").read_text())


def test_successors_come_one_at_a_time() -> None:
    successors = adjacent(FIGURE_2, "b")
    assert next(successors)[1][-1] == [1, 1]
    assert next(successors)[1][-1] == [1, 2]


def test_a_full_board_has_no_successor() -> None:
    full = [[[row, column] for row in range(1, 7) for column in range(1, 8) if (row + column // 2) % 2 == rest] for rest in (0, 1)]
    assert list(adjacent(full, "a")) == []


def test_either_player_may_be_asked_about_as_in_the_seed() -> None:
    assert next(adjacent(FIGURE_2, "a")) == [[*FIGURE_2[0], [1, 1]], FIGURE_2[1]]


def test_a_column_that_is_full_is_skipped() -> None:
    column = [[[1, 3], [3, 3], [5, 3]], [[2, 3], [4, 3], [6, 3]]]
    assert [following[0][-1] for following in adjacent(column, "a")] == [[1, 1], [1, 2], [1, 4], [1, 5], [1, 6], [1, 7]]


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.lists(st.integers(1, 7), max_size=42), st.sampled_from("ab"))
def test_successors_are_the_next_free_squares_from_left_to_right(columns: list[int], player: str) -> None:
    heights = dict.fromkeys(range(1, 8), 0)
    board: list[list[list[int]]] = [[], []]
    for turn, column in enumerate(columns):
        if heights[column] < 6:
            heights[column] += 1
            board[turn % 2].append([heights[column], column])
    before = [list(squares) for squares in board]
    expected = [[height + 1, column] for column, height in heights.items() if height < 6]
    mover = "ab".index(player)
    found = list(adjacent(board, player))
    assert [following[mover][-1] for following in found] == expected
    assert all(following[mover][:-1] == before[mover] and following[1 - mover] == before[1 - mover] for following in found)
    assert board == before


@pytest.mark.parametrize(
    ("configuration", "player", "said"),
    [
        ([[[2, 1]], []], "a", "floats"),
        ([[[1, 1]], [[1, 1]]], "a", "both players"),
        ([[[1, 9]], []], "a", "outside"),
        ([[], []], "c", "'a' or 'b'"),
        ([[], [], []], "a", "two lists"),
    ],
)
def test_a_configuration_that_cannot_be_is_an_error_before_any_answer(configuration: Any, player: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        adjacent(configuration, player)

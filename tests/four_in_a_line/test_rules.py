"""Positions against the slow rules, through the suite that all games share, and the ways in and out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cpsolve.errors import FormatError, IllegalMoveError, ModelError
from models.four_in_a_line import Position
from models.four_in_a_line.description import read
from models.four_in_a_line.interaction import paste
from tests.conformance import GameConformance, GameUnderTest
from tests.four_in_a_line import slow_rules

STARTS = (
    Position(),
    Position(4, 4, 3),
    Position(5, 4, 4),
    Position(3, 7, 3),
    Position(7, 9, 5),
    Position(2, 8, 4),
    Position(6, 2, 4),
    Position(1, 5, 2),
)


def invariants(position: Position) -> Iterator[tuple[str, bool]]:
    board = slow_rules.board_of(position)
    a, b = (sum(1 for player in board.values() if player == name) for name in "ab")
    yield "a has as many stones as b or one more", a - b in (0, 1)
    yield "the player to move has fewer stones or begins", position.to_move == ("a" if a == b else "b")
    yield "every stone lies on the ground or on another", all(row == 1 or (row - 1, column) in board for row, column in board)
    yield "the ply is the number of stones", position.ply == len(board)
    yield "heights add up to the stones", sum(position.height(c) for c in range(1, position.columns + 1)) == len(board)


def illegal(position: Position) -> Iterator[Any]:
    yield from (0, -1, position.columns + 1, True, "4", None)
    yield from set(range(1, position.columns + 1)) - set(position.legal_columns)


class TestConformance(GameConformance):
    game = GameUnderTest(
        starts=STARTS,
        legal_slowly=slow_rules.legal_columns,
        winner_slowly=slow_rules.winner,
        invariants=invariants,
        illegal=illegal,
        round_trips={
            "the drawing": (lambda p: (str(p), p.connect), lambda written: Position.from_text(*written)),
            "Prolog": (
                lambda p: (p.to_prolog(), p.rows, p.columns, p.connect),
                lambda written: Position.from_prolog(*written),
            ),
            "nested lists": (
                lambda p: (p.to_lists(), p.rows, p.columns, p.connect),
                lambda written: Position.from_lists(*written),
            ),
        },
        perft=((Position(), (7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234)), (Position(2, 2, 2), (2, 4, 6, 0))),
    )
    playouts = 4


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("1212121", "a"),
        ("1122334", "a"),
        ("12233434474", "a"),
        ("76655454414", "a"),
        ("71717263", None),
        ("1122335", None),
        ("12233434464", "a"),
        ("17273757", "b"),
    ],
)
def test_lines_up_across_and_on_both_diagonals_win(moves: str, winner: str | None) -> None:
    assert Position.from_moves(moves).winner == winner


def test_positions_reached_by_different_orders_are_one_position() -> None:
    assert Position.from_moves("4453") == Position.from_moves("5344")
    assert len({Position.from_moves("1234"), Position.from_moves("3214")}) == 1
    assert Position(6, 7, 4) != Position(6, 7, 5)


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        ([[[2, 1]], []], "floats"),
        ([[[1, 1], [1, 1]], []], "twice"),
        ([[[1, 1]], [[1, 1]]], "both players"),
        ([[[1, 8]], []], "outside"),
        ([[[0, 1]], []], "outside"),
        ([[[7, 1]], []], "outside"),
        ([[[1, 1], [1, 2]], []], "a has 2 stones and b 0"),
        ([[], [[1, 1]]], "a has 0 stones and b 1"),
        ([[["1", 1]], []], "two numbers"),
        ([[[1, 1, 1]], []], "two numbers"),
        ([[[True, 1]], []], "two numbers"),
        ([[[1, 1]]], "two lists"),
        ([[[1, 1]], None], "list of squares"),
        ("[[],[]]", "two lists"),
        ([[[1, 1], [1, 2], [1, 3], [1, 4]], [[2, 1], [2, 2], [2, 3], [3, 1]]], "already has a line"),
    ],
)
def test_a_board_that_cannot_be_is_refused_in_words(configuration: Any, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        Position.from_lists(configuration)


@pytest.mark.parametrize("stones", [{"stones_a": 1 << 6}, {"stones_a": 1 << 49}, {"stones_a": -1}, {"stones_a": 3, "stones_b": 1}])
def test_stones_off_the_board_are_refused(stones: dict[str, int]) -> None:
    with pytest.raises(ModelError):
        Position(**stones)


@pytest.mark.parametrize("shape", [(0, 7, 4), (6, -1, 4), (6, 7, 0), (6, 7, True), (6.0, 7, 4)])
def test_a_board_has_whole_sizes_from_one(shape: Any) -> None:
    with pytest.raises(ModelError, match="whole number"):
        Position(*shape)


@pytest.mark.parametrize("moves", ["448", "4 4", "1111111", "12121213", [4, 0]])
def test_moves_that_no_game_has_are_refused(moves: Any) -> None:
    with pytest.raises(IllegalMoveError):
        Position.from_moves(moves)


@pytest.mark.parametrize(("text", "line"), [("", 1), ("\n\n", 1), (". .\na", 2), (". x\n. .", 1)])
def test_a_bad_drawing_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(FormatError, match=f"line {line}"):
        Position.from_text(text)


@pytest.mark.parametrize("text", ["[[],[]", "[[]]", "a", "[a,b]", "f(x)", "[[],[]] x"])
def test_prolog_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        Position.from_prolog(text)


@pytest.mark.parametrize("connect", [0, -1, 101, 2**62])
def test_a_line_that_no_board_has_is_refused_whatever_the_stones(connect: int) -> None:
    for reader in (read, paste):
        with pytest.raises(ModelError, match="connect must be"):
            reader("a a .\nb a a", connect)


@pytest.mark.parametrize("name", ["rows", "columns", "connect"])
def test_a_board_has_up_to_a_hundred_rows_and_columns(name: str) -> None:
    assert getattr(Position(**{name: 100}), name) == 100
    with pytest.raises(ModelError, match=f"{name} must be at most 100, not 101"):
        Position(**{name: 101})

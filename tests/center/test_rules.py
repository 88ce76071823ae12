"""The rules: the original's boards, passing, draws, the swap rule and what is said about illegal moves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.errors import IllegalMoveError, ModelError
from cpsolve.puzzles.games import playout
from models.center import SWAP, Position
from tests.center.examples import DRAWN_HEXAGON, FINAL, INITIAL, INTERMEDIATE, PASSING


def test_the_seeds_initial_board_is_where_a_game_starts() -> None:
    position = Position.from_rows(INITIAL)
    assert position == Position(size=5)
    assert position.to_move == "x"
    assert position.winner is None
    assert (position.value("x"), position.value("o")) == (2, 2)
    assert position.legal_moves() == tuple((x, y) for y in range(1, 6) for x in range(1, 6) if x in (1, 5) or y in (1, 5))


def test_the_seeds_intermediate_board_gives_x_the_whole_edge_and_the_cells_in_sight() -> None:
    position = Position.from_rows(INTERMEDIATE)
    assert position.to_move == "x"
    assert (position.value("x"), position.value("o")) == (1, 1)
    inner = [cell for cell in position.legal_moves() if cell != SWAP and position.distance(cell) > 0]
    assert inner == [(3, 2), (4, 2), (2, 3), (2, 4), (4, 4)]
    assert not position.may_take("x", (3, 3))


def test_the_seeds_final_board_is_won_by_x() -> None:
    position = Position.from_rows(FINAL)
    assert position.winner == "x"
    assert position.is_over
    assert position.legal_moves() == ()
    assert position.in_sight("x", (3, 3)) == 3


def test_the_seeds_game_can_be_played() -> None:
    position = Position(size=5)
    for cell in [(1, 1), (2, 1), (3, 5), (3, 1), (2, 2), (3, 2), (2, 4), (4, 3), (3, 3)]:
        position = position.play(cell)
    assert position.rows() == FINAL


def test_a_line_of_sight_stops_at_the_first_stone() -> None:
    assert Position.from_rows(["x....", ".o...", ".....", ".....", "....."], "x").in_sight("x", (3, 3)) == 0
    assert Position.from_rows(["x....", ".x...", ".....", ".....", "....."], "x").in_sight("x", (3, 3)) == 1


def test_a_player_without_a_move_passes() -> None:
    position = Position.from_rows(PASSING, to_move="x")
    assert position.to_move == "o"
    assert len(position.legal_moves()) == 9
    after = position.play((2, 2))
    assert after.to_move == "o"


def test_a_game_that_neither_can_continue_is_drawn() -> None:
    position = Position.from_rows(DRAWN_HEXAGON, to_move="o")
    assert position.is_over
    assert position.winner is None
    assert position.why_not((5, 5)) == "the game is over: neither player has a move, it is drawn"
    assert "drawn" in str(position)


def test_whose_turn_it_is_must_be_told_when_it_cannot_be_read_off() -> None:
    with pytest.raises(ModelError, match="x has 0 stones and o has 16"):
        Position.from_rows(PASSING)


# -- the swap rule


def test_a_swap_gives_the_first_stone_to_the_second_player_and_the_turn_back() -> None:
    position = Position(size=5, swap=True).play((3, 1))
    assert position.legal_moves()[-1] == SWAP
    swapped = position.play(SWAP)
    assert (swapped.stone((3, 1)), swapped.to_move) == ("o", "x")
    assert SWAP not in swapped.legal_moves()


def test_a_swap_is_offered_once_and_only_when_agreed() -> None:
    assert SWAP not in Position(size=5).play((3, 1)).legal_moves()
    assert SWAP not in Position(size=5, swap=True).legal_moves()
    assert SWAP not in Position(size=5, swap=True).play((3, 1)).play((1, 1)).legal_moves()
    with pytest.raises(IllegalMoveError, match="without the swap rule"):
        Position(size=5).play((3, 1)).play(SWAP)


# -- words


def test_why_not_here_tells_what_is_needed_seen_and_hidden() -> None:
    position = Position.from_rows(["x.....o", ".......", ".......", "xo.....", ".......", ".......", "...x..o"], to_move="x")
    assert position.why_not((4, 4)) == (
        "x cannot take (4, 4): it needs 3 friends in sight and sees 2: x on (4, 7) to the south; x on (1, 1) to the north-west; "
        "o on (7, 1) to the north-east; o on (7, 7) to the south-east; o on (2, 4) to the west (which hides x on (1, 4))"
    )
    assert position.why_not((2, 2)) is None
    assert position.why_not((1, 1)) == "x cannot take (1, 1): x stands there"
    assert str(position.why_not((8, 1))).startswith("there is no cell (8, 1) on the square board of side 7")
    assert Position.from_rows(FINAL).why_not((1, 2)) == "the game is over: x has won"


def test_an_illegal_move_shows_the_reason_and_the_board() -> None:
    with pytest.raises(IllegalMoveError, match="needs 2 friends in sight and sees 0") as refused:
        Position(size=5).play((3, 3))
    assert str(Position(size=5)) in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["xo", "ox"], "has no centre"),
        (["...", "..", "..."], "no board of Center"),
        ([], "no board of Center"),
        (["..z", "...", "..."], "not 'z'"),
        (["...", "...", "...", "..."], "no board of Center"),
    ],
)
def test_rows_that_are_no_board_are_refused(rows: list[str], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        Position.from_rows(rows)


@pytest.mark.parametrize("rows", [["."] * 4_000_000, ["x" * 99] * 98, [["y" * 10_000]]], ids=["too many", "too few", "no stone"])
def test_what_is_wrong_with_rows_is_told_in_a_few_words(rows: list[str]) -> None:
    with pytest.raises(ModelError) as refusal:
        Position.from_rows(rows)
    assert len(str(refusal.value)) < 300


@given(seed=st.integers(0, 10**6), size=st.sampled_from([3, 5, 9]))
@settings(deadline=None, max_examples=25, derandomize=True)
def test_the_value_after_a_move_is_that_of_the_position_after_it(seed: int, size: int) -> None:
    for position in playout(Position(size, swap=True), seed):
        for move in position.legal_moves():
            after = position.play(move)
            assert [position.value(player, after=move) for player in "xo"] == [after.value(player) for player in "xo"]


def test_only_x_and_o_play() -> None:
    with pytest.raises(ModelError, match="players are 'x' and 'o'"):
        Position(size=3).in_sight("z", (1, 1))
    with pytest.raises(ModelError, match="players are 'x' and 'o'"):
        Position(size=3, to_move="a")


def test_stones_that_do_not_fit_the_board_are_refused() -> None:
    with pytest.raises(ModelError, match=r"expected 9 characters .* found 2 of them"):
        Position(3, stones="xo")
    with pytest.raises(ModelError, match=r"found \['z'\]"):
        Position(3, stones="xo   z   ")

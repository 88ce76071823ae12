"""The original's level 2 plays as its listing says, and a game of Center begins as one chooses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from cpsolve.app.command import app
from models.center import Position, choose_move, computer, from_prolog, play_match
from models.center.players import original

GOLDEN = Path(__file__).parent.parent / "golden" / "center"


def run(*args: str, text: str = "") -> Result:
    return CliRunner().invoke(app, ["play", "center", *args], input=text)


# -- the original's level 2


def in_twos(moves: list[tuple[object, int]], criterion: int) -> list[tuple[object, int]]:
    """``evaluateInTwos`` of the listing: criterion 0 keeps the larger score, 1 the smaller."""
    if len(moves) < 2:
        return moves
    (first, one), (second, two), *rest = moves
    kept = (first, one) if (one >= two if criterion == 0 else one <= two) else (second, two)
    return [kept, *in_twos(rest, criterion)]


def minimax(moves: list[tuple[object, int]], criterion: int) -> tuple[object, int]:
    """``minimax`` of the listing; returns the move and the criterion of the last comparison."""
    if len(moves) == 1:
        return moves[0][0], 1 - criterion
    return minimax(in_twos(moves, criterion), 1 - criterion)


@given(st.sampled_from([("square", 3), ("square", 5), ("hex", 3)]), st.integers(0, 14), st.integers(0, 10**6))
@settings(deadline=None, max_examples=60, derandomize=True)
def test_moves_are_compared_in_twos_as_in_the_listing(board: tuple[str, int], plies: int, seed: int) -> None:
    position = Position(board[1], board[0])
    for ply in range(plies):
        if not position.is_over:
            position = position.play(choose_move(position, 1, seed + ply))
    if position.is_over:
        return
    scored: list[tuple[object, int]] = [(move, position.play(move).value(position.to_move)) for move in position.legal_moves()]
    chosen = {last: move for move, last in (minimax(scored, criterion) for criterion in (0, 1))}
    expected = chosen[1] if len(scored) > 1 else scored[0][0]  # the last comparison keeps the smaller score
    assert original(position) == choose_move(position, "original") == expected


def test_stronger_players_beat_the_originals() -> None:
    """Level 3 wins from either side on the original's board."""
    assert play_match(Position(5), x=computer(10, seed=1), o=computer("original")).winner == "x"
    assert play_match(Position(5), x=computer("original"), o=computer(10, seed=1)).winner == "o"


# -- play


def test_a_hexagon_with_swap_and_the_computer_first() -> None:
    result = run("--shape", "hex", "--size", "3", "--swap", "--mode", "computer-person", "--level", "1", "--seed", "1", text="swap\nq\n")
    assert result.exit_code == 0, result.output
    assert "o: swap." in result.stdout
    assert "x (computer): " in result.stdout


def test_a_game_begins_from_a_file() -> None:
    result = run(str(GOLDEN / "intermediate.pl"), "--mode", "person-person", "--json", text='{"action": "draw"}\n')
    assert result.exit_code == 0, result.output
    rows = from_prolog((GOLDEN / "intermediate.pl").read_text()).rows()
    assert json.loads(result.stdout)["cells"] == rows


def test_any_odd_size_can_be_played() -> None:
    for size in (1, 13, 99):
        assert run("--size", str(size), "--mode", "person-person", text="q\n").exit_code == 0
    assert run("--shape", "hex", "--size", "6", "--mode", "person-person", text="q\n").exit_code == 0


def test_the_original_plays_both_sides() -> None:
    result = run("--size", "5", "--mode", "computer-computer", "--original")
    assert "has won" in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--size", "4"), "has no centre"),
        (("--size", "101"), "fits no screen: expected at most 99"),
        (("--shape", "hex", "--size", "51"), "fits no screen: expected at most 50"),
        (("--shape", "round"), "--shape is one of square, hex"),
        (("7", "--size", "5"), "leave --size, --shape and --swap out"),
        (("--original", "--level", "2"), "give --level or --original, not both"),
        (("--original", "--mode", "person-person"), "no computer plays"),
        (("--mode", "nobody"), "--mode is one of"),
        (("nowhere.pl",), "cannot read nowhere.pl"),
    ],
)
def test_choices_that_do_not_go_together_are_told(args: tuple[str, ...], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())


def test_four_in_a_line_begins_from_moves_with_the_computer_first() -> None:
    words = ["play", "four-in-a-line", "4453", "--mode", "computer-person", "--level", "2", "--seed", "1"]
    result = CliRunner().invoke(app, words, input="q\n")
    assert "a (computer): column" in result.stdout

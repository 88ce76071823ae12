"""``cpsolve next``: the original's only task, the successors of a Four-in-a-line configuration; and orders of drops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cpsolve.app.command import app
from models import four_in_a_line
from models.four_in_a_line import formats

GOLDEN = Path(__file__).parent / "golden" / "four_in_a_line"
FIGURE = "[[[1,4],[2,4],[3,4],[1,5]],[[1,3],[2,5],[1,6]]]"
PRINTED = "?- adjacente([[[[1,4],[2,4],[3,4],[1,5]],[[1,3],[2,5],[1,6]]], b, Proximo)."
"""The original's goal as it prints it, with a bracket too many."""
ADDED = ("[1,1]", "[1,2]", "[2,3]", "[4,4]", "[3,5]", "[2,6]", "[1,7]")
"""The stones that the original's listing adds, in its order."""
FULL = str([[[row, column] for column in range(1, 8) for row in rows] for rows in ((1, 3, 5), (2, 4, 6))])


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=text)


def successors(board: str = FIGURE) -> list[str]:
    return [f"{board[:-2]},{stone}]]" for stone in ADDED]


@pytest.mark.parametrize("board", [FIGURE, FIGURE + ".", PRINTED, f"adjacente({FIGURE}, b, L).", f"adjacente( {FIGURE} ,b,_X )"])
def test_the_successors_are_the_originals_in_its_order(board: str) -> None:
    for result in (run("next", board), run("next", "-", text=board + "\n")):
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines() == successors()


def test_the_answers_look_as_prolog_prints_them() -> None:
    told = run("next", PRINTED, "--prolog").stdout.splitlines()
    assert told == [*(f"Proximo = {board} ? ;" for board in successors()), "no"]
    assert run("next", f"adjacente({FIGURE}, b, L).", "--prolog").stdout.startswith("L = [[")


@pytest.mark.parametrize("player", ["a", "b"])
def test_either_player_may_drop_whoever_is_to_move(player: str) -> None:
    told = json.loads(run("next", FIGURE, "--player", player, "--json").stdout)
    assert told["successors"] == list(four_in_a_line.adjacent(formats.FIGURE, player))
    assert told["player"] == player


def test_moves_and_drawings_are_boards_too() -> None:
    expected = run("next", "4453").stdout
    assert run("next", "-", text=str(four_in_a_line.Position.from_moves("4453"))).stdout == expected
    assert expected.splitlines()[0] == "[[[1,4],[1,5],[1,1]],[[1,3],[2,4]]]"
    small = run("next", "-", "--json", text=". b\na a")
    assert json.loads(small.stdout)["successors"] == [[[[1, 1], [1, 2]], [[2, 2], [2, 1]]]]


@pytest.mark.parametrize("player", ["a", "b"])
def test_a_full_board_has_no_successor(player: str) -> None:
    result = run("next", f"adjacente({FULL}, {player}, Proximo).")
    assert (result.exit_code, result.stdout) == (1, "no\n")
    assert json.loads(run("next", FULL, "--player", player, "--json").stdout)["successors"] == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "give a BOARD"),
        (("nowhere.pl",), "cannot read nowhere.pl"),
        (("[[[1,1],[1,2]],[]]",), "say who drops, as in --player b"),
        (("4453", "--player", "x"), "--player is one of a, b, not 'x'"),
        ((f"adjacente({FIGURE}, b, L).", "--player", "a"), "the goal asks for player b"),
        ((f"adjacente({FIGURE}, c, L).",), "the player is c: expected a or b"),
        (("adjacente(4453).",), "expected a goal such as"),
        (("adjacente([[[1,4]], b, L).",), "line 1, column"),
        (("[[[1,4]],[[3,4]]]",), "floats"),
        (("[[[1,8]],[]]",), "outside"),
        (("[[[1,1]],[[1,1]]]",), "listed for both players"),
    ],
)
def test_bad_boards_are_told_in_a_line(args: tuple[str, ...], message: str) -> None:
    result = run("next", *args)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


# -- an order of drops


def test_an_order_of_drops_leads_to_the_board() -> None:
    told = json.loads(run("solve", "four-in-a-line", FIGURE, "--method", "reach", "--check", "--json").stdout)
    position = four_in_a_line.Position.from_moves("".join(told["moves"]))
    assert position == four_in_a_line.Position.from_lists(formats.FIGURE)
    assert told["checked"] == "counting"
    assert "12 orders" in run("solve", "four-in-a-line", FIGURE, "--method", "reach", "--check").stdout


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("[[],[[1,1]]]", "a has 0 stones and b 1"),
        ("[[[1,1],[2,1],[3,1],[4,1]],[[5,1],[1,2],[1,3],[1,4]]]", "a has the line"),
        ("[[[2,1]],[[1,1]]]", "no order of turns fits"),
    ],
)
def test_a_board_that_no_game_leads_to_has_a_reason(board: str, reason: str) -> None:
    result = run("solve", "four-in-a-line", board, "--method", "reach", "--check")
    assert result.exit_code == 1, result.output
    assert reason in " ".join(result.stdout.split())
    told = json.loads(run("solve", "four-in-a-line", board, "--method", "reach", "--json").stdout)
    assert (told["status"], reason in told["reason"]) == ("infeasible", True)


def test_an_order_and_best_play_can_be_watched() -> None:
    assert run("solve", "four-in-a-line", FIGURE, "--method", "reach", "--animate", "--delay", "0").stdout.count("move ") >= 7
    assert "a has won" in run("solve", "four-in-a-line", "121212", "--animate", "--delay", "0").stdout

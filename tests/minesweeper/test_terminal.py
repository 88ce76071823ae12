"""Minesweeper as a person plays it: scripted commands, piped lines, and keys on a terminal."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import pytest

from cpsolve.errors import ModelError
from models.minesweeper import Field, infer
from models.minesweeper.campaign import Level
from models.minesweeper.session import MinesweeperSession, share
from tests.terminals import DOWN, LEFT, RIGHT, UP, Terminal, playing
from tests.test_terminal import posix

SEED_FIELD = Field(4, 4, {(2, 4), (4, 2), (4, 4)})

main = playing("minesweeper")


def session(field: Field = SEED_FIELD, first_click: Any = "any") -> MinesweeperSession:
    return MinesweeperSession(Level(field.rows, field.columns, len(field.mines)), first_click, seed=1, field=field)


def after(*commands: str, field: Field = SEED_FIELD, first_click: Any = "any") -> MinesweeperSession:
    game = session(field, first_click)
    for command in commands:
        game.do(command)
    return game


def test_opening_a_mine_loses_and_undo_takes_it_back_as_assisted() -> None:
    game = after("1,1", "2,4")
    assert game.status.startswith("Lost: (2,4) is a mine, unaided.")
    game.do("u")
    assert game.game.status == "playing"
    assert game.game.view == after("1,1").game.view
    for cell in ("1,4", "3,4", "4,1", "4,3"):
        game.do(cell)
    assert game.status.startswith("Won, assisted (1 click taken back).")


def test_a_game_won_alone_is_won_unaided() -> None:
    assert after("1,1", "1,4", "3,4", "4,1", "4,3").status.startswith("Won, unaided.")


def test_a_chord_opens_around_a_number_that_has_its_flags_and_nothing_else() -> None:
    game = after("1,1")
    assert game.do("chord 2,3") == "(2,3) shows 1 and 0 of the cells around are flagged: nothing was opened"
    game.do("flag 2,4")
    game.do("c 2,3")
    assert game.view[1, 4] == 1
    assert game.view[3, 4] == 2
    assert game.do("c 2,3") == "all is open around (2,3)"
    assert "is covered" in game.do("c 4,1")


def test_a_chord_with_a_wrong_flag_loses_and_is_taken_back_as_one() -> None:
    game = after("1,1", "f 1,4", "2,3")
    assert game.status.startswith("Lost: (2,4) is a mine")
    game.do("undo")
    assert game.view == after("1,1", "f 1,4").view


def test_a_flagged_cell_is_not_opened_by_mistake_and_a_flag_is_taken_away_by_flagging_again() -> None:
    game = after("1,1", "f 2,4")
    assert "is flagged" in game.do("2,4")
    assert game.game.status == "playing"
    assert game.do("f 2,4") == "(2,4) is no longer flagged."
    game.do("f 2,4")
    assert game.do("u") == "Taken back: the flag of (2,4)."
    assert not game.view.flags
    assert game.taken_back == 0


def test_hints_that_call_a_cell_safe_are_never_wrong_and_guesses_tell_the_exact_risk() -> None:
    proven = guesses = 0
    for seed in range(4):
        game = MinesweeperSession(Level(7, 7, 9), "safe", seed=seed)
        game.do("play")
        while not game.over:
            told = game.do("hint")
            answer = infer(game.view)
            if " is safe: " in told:
                proven += 1
                assert game.cursor in answer.safe
                game.do("play")
                assert game.game.status != "lost"
            else:
                guesses += 1
                risk = answer.exact(answer.best[0])
                assert f"The least risk is {share(risk)}, at (" in told
                game.do("play")
    assert proven > 20
    assert guesses


def test_why_names_the_numbers_of_a_proof_and_the_picture_shows_them() -> None:
    game = after("1,1")
    told = game.do("why 1,4")
    assert re.fullmatch(r"(\(\d,\d\) shows \d(, | and )?)+(there are 3 mines|3 mines in all)?.*, so \(1,4\) is safe\.", told)
    assert game.explanation is not None
    assert all(f"({row},{column})" in told for row, column in game.explanation.because)
    before = after("1,1").board(colour=False, cursor=False)
    assert game.board(colour=False, cursor=False) != before
    game.do("1,4")
    assert game.explanation is None


def test_why_tells_the_risk_of_a_cell_that_may_be_either() -> None:
    game = after("1,1", field=Field(2, 3, {(1, 2), (2, 3)}))
    assert game.do("why 2,3") == "(2,3) may be safe or a mine: it is one in 1/2 = 50.0% of the 6 fields that fit."
    assert game.do("why 1,1").startswith("(1,1) is open and shows 1: 3 around it are covered")


def test_the_first_cell_is_safe_and_stays_so_when_it_is_taken_back() -> None:
    game = after("2,4", "u", "2,4", first_click="safe")
    assert game.game.status == "playing"
    assert "safe by the rules" in session(first_click="safe").do("hint")


def test_a_new_game_has_another_field_and_no_help_taken() -> None:
    game = MinesweeperSession(Level(9, 9, 10), "any", seed=1)
    first = game.field
    game.do("1,1")
    game.do("u")
    game.do("new")
    assert game.field != first
    assert not game.done
    assert "assisted" not in game.status


def test_what_is_outside_the_board_or_no_cell_is_told() -> None:
    assert "outside the board" in session().do("5,1")
    assert "such as 3,4" in session().do("3")
    assert "such as 3,4" in session().do("over there")


def test_a_whole_game_can_be_piped_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    field = Field.random(3, 3, 2, seed=5)
    free = [(row, column) for row in range(1, 4) for column in range(1, 4) if (row, column) not in field.mines]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{row},{column}\n" for row, column in free)))
    assert main(rows=3, columns=3, mines=2, first_click="any", seed=5) == 0
    told = capsys.readouterr().out
    assert "Won, unaided." in told
    assert "\x1b" not in told


def test_the_menu_offers_the_usual_levels(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\n8,15\n"))
    assert main(seed=3) == 0
    told = capsys.readouterr().out
    assert "expert: 16 × 30, 99 mines" in told
    assert max(len(line) for line in told.splitlines()) <= 100


@pytest.mark.parametrize(
    "options",
    [{"level": "hard"}, {"rows": 3}, {"rows": 2, "columns": 2, "mines": 5}, {"level": "expert", "mines": 9}, {"first_click": "no"}],
)
def test_what_cannot_be_played_is_bad_input(options: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        main(**options)


@posix
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_a_game_is_won_with_keys_on_a_terminal(environment: dict[str, str]) -> None:
    mines = Field.random(1, 4, 1, seed=2).mines
    ((_, column),) = mines
    program = "from tests.terminals import playing\n"
    program += "raise SystemExit(playing('minesweeper')(rows=1, columns=4, mines=1, first_click='any', seed=2))"
    with Terminal(program, environment=environment) as screen:
        screen.expect("3 cells to open")
        screen.press(LEFT * 4 + RIGHT * (column - 1) + "f", f"(1,{column}) is flagged.")
        screen.press("\r", "take the flag away first")
        screen.press("f\r", f"Lost: (1,{column}) is a mine")
        screen.press("u", "1 click taken back")
        for other in {1, 2, 3, 4} - {column}:
            screen.send(f"1,{other}\r")
        screen.expect("Won, assisted (1 click taken back)")
        screen.send(UP + DOWN + "q")
        assert screen.end() == 0
        assert screen.restored


def test_one_mine_is_one_mine() -> None:
    session = MinesweeperSession(Level(1, 4, 1), field=Field(1, 4, {(1, 4)}), first_click="any")
    assert session.status == "1 mine; 3 cells to open"

"""Four-in-a-line as a person plays it: scripted commands, piped lines, and keys on a terminal."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import pytest

from cpsolve.errors import ModelError, TimeLimitError
from models.four_in_a_line import Position, book, players, score, solve
from models.four_in_a_line import session as four_session
from models.four_in_a_line.engine import plies_left
from models.four_in_a_line.players import decide
from models.four_in_a_line.session import FourSession
from tests.terminals import LEFT, RIGHT, Terminal, playing
from tests.test_terminal import posix

MIDGAME = "44444326213163"

main = playing("four-in-a-line")


def session(moves: str = "", mode: str = "person-person", **options: Any) -> FourSession:
    return FourSession(Position.from_moves(moves), mode, **options)


def test_a_full_column_is_refused_in_one_line_and_the_turn_stays() -> None:
    game = session("111111")
    assert game.do("1") == "column 1 is full: expected one of 2, 3, 4, 5, 6, 7"
    assert "there is no column 8" in game.do("8")
    assert "a column from 1 to 7" in game.do("the middle")
    assert game.status == "a to move"


def test_a_hint_is_a_column_that_keeps_the_exact_score() -> None:
    game = session(MIDGAME)
    verdict = solve(game.position)
    assert game.do("hint") == "Column 4 wins in 23 plies. As good: 1."
    assert game.cursor in verdict.best
    after_the_mistake = session(MIDGAME + "2")
    assert f" wins in {solve(after_the_mistake.position).plies} plies" in after_the_mistake.do("h")


def test_a_lost_position_is_called_lost_by_a_hint() -> None:
    game = session(MIDGAME + "4")
    assert game.do("hint").endswith(f" loses in {solve(game.position).plies} plies. No column holds out longer.")


def test_why_tells_every_column_and_how_the_game_goes_on() -> None:
    game = session(MIDGAME)
    told, line = game.do("why 2").splitlines()
    verdict = solve(game.position)
    verdict_plies = plies_left(game.position, verdict.scores[2])
    assert told.startswith("1, 4 win in 23 plies; ")
    assert f"loses in {verdict_plies} plies" in told
    following = line.removeprefix("Best play after column 2: ").rstrip(".").split()
    end = game.position.play(2)
    for column in following:
        end = end.play(int(column))
    assert end.winner == "b"
    assert verdict.scores[2] < 0


def test_without_a_proof_in_time_advice_says_how_far_it_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> bool:
        raise TimeLimitError("the time was up")

    monkeypatch.setattr(players, "at_most", late)
    monkeypatch.setattr(book, "SHAPE", None)  # no board has a book
    monkeypatch.setattr(four_session, "GLANCE", 2)
    game = session()
    assert re.fullmatch(r"Column \d looks best \d+ plies ahead\. Nothing was proven within 10 s\.", game.do("hint"))
    told = game.do("why 1")
    assert told == "Exact scores take too long this early. 3 plies ahead: 1, 2, 3, 4, 5, 6, 7 are undecided."
    perfect = session("", "computer-computer", level=10, seed=1)
    perfect.advance()
    assert "Not proven: no search ended within 10 s" in perfect.message
    assert len(perfect.moves) == 1


def test_an_early_hint_without_a_book_proves_who_wins_though_not_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "SHAPE", None)
    game = session("444444")
    column = int(game.do("hint").split()[1])
    assert "wins: proven" in game.message
    assert score(game.position.play(column)) < 0  # b, to move then, loses


def test_a_lost_cause_is_called_so_and_defended() -> None:
    lost = Position.from_moves(MIDGAME + "4")
    column, outcome = decide(lost)
    assert outcome.startswith("loses")
    assert plies_left(lost, solve(lost).scores[column]) > 8


@pytest.mark.parametrize("level", range(2, 11))
def test_the_computer_takes_a_win_and_stops_one(level: int) -> None:
    three_on_column_1 = Position.from_moves("12131", rows=5, columns=5)
    stops = FourSession(three_on_column_1, "person-computer", level=level, seed=3)
    stops.advance()
    assert stops.moves == [1]
    three_on_the_ground = Position.from_moves("5152132", rows=5, columns=5)
    wins = FourSession(three_on_the_ground, "person-computer", level=level, seed=3)
    wins.advance()
    assert wins.position.winner == "b"


def test_the_strongest_wins_a_won_position_against_random_play() -> None:
    game = FourSession(Position.from_moves(MIDGAME), "person-computer", level=10, seed=5)
    game.do("2")  # the person throws the win away
    while not game.over:
        if game.busy:
            game.advance()
        else:
            game.do(str(game.position.legal_columns[0]))
    assert game.position.winner == "b"


def test_undo_takes_the_computers_answer_back_too() -> None:
    game = session("", "person-computer", level=2, seed=1)
    game.do("4")
    game.advance()
    game.do("u")
    assert game.position == Position()
    assert game.do("u") == "there is no move to take back"


def test_a_whole_game_can_be_piped_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n2\n1\n2\n1\n2\n1\n"))
    assert main() == 0
    told = capsys.readouterr().out
    assert "1 - Player vs Player" in told
    assert "a has won after 7 moves" in told
    assert "\x1b" not in told


def test_a_seed_fixes_a_game_of_two_computers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert main(mode="computer-computer", level=1, seed=2) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert " after " in told[0].splitlines()[-1]


@pytest.mark.parametrize("options", [{"mode": "alone"}, {"level": 0}])
def test_what_cannot_be_played_is_bad_input(options: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        main(**options)


@posix
def test_a_line_is_made_with_keys_on_a_terminal() -> None:
    with Terminal("from tests.terminals import playing; raise SystemExit(playing('four-in-a-line')(mode='person-person'))") as screen:
        screen.expect("a to move")
        for _ in range(3):
            screen.press("\r", "b to move")  # the cursor begins in the middle
            screen.press(RIGHT + " " + LEFT, "b: column 5.")
        screen.press("4", ": 4_")
        screen.press("\r", "a has won after 7 moves")
        screen.send("q")
        assert screen.end() == 0
        assert screen.restored

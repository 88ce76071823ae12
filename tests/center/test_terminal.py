"""Center as a person plays it: scripted commands, piped lines, and keys on a terminal."""

from __future__ import annotations

import io
import sys
from itertools import pairwise
from typing import Any

import pytest

from cpsolve.errors import ModelError
from cpsolve.puzzles.games import playout
from models.center import Position, solve
from models.center import session as center_session
from models.center.session import CenterSession
from tests.terminals import CTRL_C, DOWN, LEFT, RIGHT, UP, Terminal, playing
from tests.test_terminal import posix

main = playing("center")


def session(size: int = 5, mode: str = "person-person", **options: Any) -> CenterSession:
    return CenterSession(Position(size=size), mode, **options)


def after(*commands: str, size: int = 5, mode: str = "person-person", **options: Any) -> CenterSession:
    played = session(size, mode, **options)
    for command in commands:
        played.do(command)
        while played.busy:
            played.advance()
    return played


def test_a_cell_can_be_typed_in_every_usual_way() -> None:
    for text in ("3,1", "3 1", "(3, 1)", "3 1."):
        assert after(text).position.stone((3, 1)) == "x", text


def test_an_illegal_cell_is_explained_by_sight_and_distance_and_the_turn_stays() -> None:
    game = after("3,1", "1,1")
    assert game.do("3,3") == game.do("why 3,3") == game.position.why_not((3, 3))
    assert "needs 2 friends in sight and sees 1: x on (3, 1) to the north" in game.message
    assert game.status == "x to move"


def test_a_swap_can_be_typed_where_the_rules_have_one() -> None:
    game = CenterSession(Position(size=5, swap=True), "person-person")
    game.do("3,1")
    assert game.do("swap") == "o: swap."
    assert game.position.stone((3, 1)) == "o"
    assert "without the swap rule" in after("3,1").do("swap")


def test_nonsense_is_answered_with_what_was_expected() -> None:
    assert "such as 3,1" in session().do("northwest")
    assert "such as 3,1" in session().do("3")
    assert "such as 3,1" in session().do("9" * 5000 + " 1")
    assert "as in why 3,3" in session().do("why so")


def test_undo_takes_back_one_move_between_people_and_the_answer_too_against_the_computer() -> None:
    assert after("1,1", "2,1", "u").position == Position(size=5).play((1, 1))
    game = after("1,1", "5,5", mode="person-computer", level=1, seed=4)
    assert len(game.moves) == 4
    game.do("undo")
    assert len(game.moves) == 2
    assert game.position.to_move == "x"
    game.do("undo")
    assert game.position == Position(size=5)
    assert game.do("undo") == "there is no move to take back"


def test_a_won_game_can_be_taken_back() -> None:
    game = after("1,1", "2,1", "2,2", size=3)
    assert game.status.startswith("x has won after 3 moves")
    assert "is over" in game.do("hint")
    game.do("u")
    assert game.status == "x to move"


def test_a_pass_is_told() -> None:
    before, now = next(
        (before, now)
        for seed in range(2000)
        for before, now in pairwise(playout(Position(size=5), seed))
        if not now.is_over and now.to_move == before.to_move
    )
    move = next(cell for cell in before.board.cells if before.stone(cell) != now.stone(cell))
    game = CenterSession(before, "person-person")
    other = "o" if before.to_move == "x" else "x"
    assert game.do(f"{move[0]},{move[1]}").endswith(f"{other} has no move and passes.")


def test_a_hint_is_the_proven_best_move_with_its_value() -> None:
    game = after("3,1", "1,1")
    verdict = solve(game.position)
    assert game.do("hint").startswith(f"Best is {verdict.best[0]}: wins by force in {verdict.plies} plies")
    assert game.cursor == verdict.best[0]
    lost = after("3,1")
    assert "x wins in" in lost.do("h")
    assert "whatever is played" in lost.message


def test_following_hints_wins_as_soon_as_the_first_one_says() -> None:
    game = session(size=5)
    promised = int(game.do("hint").split(" in ")[1].split()[0])
    while not game.over:
        game.do("hint")
        game.do("play")  # a hint moves the cursor to its cell
    assert game.position.winner == "x"
    assert len(game.moves) == promised


def test_a_hint_without_a_proof_says_whose_move_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(center_session, "HINT_SECONDS", 0.0)
    game = session(size=9)
    assert game.do("hint").startswith("Level 10 would play ")
    assert "not found within 0 s" in game.message
    assert game.cursor in game.position.legal_moves()


def test_why_tells_what_a_legal_move_threatens_stops_and_leads_to() -> None:
    # x sees the centre from the corner; a second stone in sight threatens it
    threat = CenterSession(Position.from_rows(["x.o..", ".....", ".....", ".....", "....."]), "person-person")
    assert "x threatens to take it" in threat.do("why 3,5")
    assert "With best play" in threat.message
    stop = CenterSession(Position.from_rows(["x.o..", ".....", ".....", ".....", "..x.."]), "person-person")
    assert "It stops x, who could have taken the centre." in stop.do("why 3,4")
    assert "But x can take the centre at once" in stop.do("why 2,1")
    win = CenterSession(Position.from_rows(["x.o..", ".....", ".....", ".o...", "..x.."]), "person-person")
    assert win.do("why 3,3") == "x may take (3, 3): it needs 2 in sight and sees 2, on (3, 5), (1, 1). It is the centre: x wins."


def test_a_seed_fixes_a_game_of_the_computer_with_itself() -> None:
    games = []
    for _ in range(2):
        game = session(5, "computer-computer", level=1, seed=7)
        while game.busy:
            game.advance()
        games.append(tuple(game.moves))
    assert games[0] == games[1]
    assert game.over


def test_two_computers_need_no_input_and_the_game_ends_by_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(mode="computer-computer", size=3, level=5, seed=1) == 0
    assert "x has won after 3 moves." in capsys.readouterr().out


def test_the_menu_asks_for_the_mode_the_size_and_the_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2.\n4\n3.\n1\n1,1\nq\n"))
    assert main(seed=1) == 0
    told = capsys.readouterr().out
    assert told.index("1 - Player vs Player") < told.index("2 - Player vs Computer") < told.index("3 - Computer vs Computer")
    assert "a square board of side 4 has no centre" in told
    assert told.index("How strong is the computer?") < told.index("x: (1, 1).") < told.index("o (computer): ")


def test_two_people_are_not_asked_for_a_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n3\n1,1\n2,1\n2,2\n"))
    assert main() == 0
    told = capsys.readouterr().out
    assert "How strong" not in told
    assert "x has won after 3 moves" in told


@pytest.mark.parametrize("options", [{"mode": "alone"}, {"level": 11}, {"size": 4}, {"size": 101}])
def test_what_cannot_be_played_is_bad_input_before_anything_is_asked(options: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        main(**options)


@posix
def test_a_game_is_won_with_arrow_keys_on_a_terminal() -> None:
    with Terminal("from tests.terminals import playing; raise SystemExit(playing('center')(mode='person-person'))") as screen:
        screen.expect("How many cells on a side?")
        screen.press("3\r", "x to move")
        screen.press(UP + LEFT + " ", "o to move")
        screen.press(RIGHT + "\r", "x to move")
        screen.press("w", "x cannot take (2, 1): o stands there")
        screen.press(DOWN + "\r", "x has won after 3 moves")
        screen.press("u", "Taken back: (2, 2).")
        screen.press("h", "Best is (2, 2): wins by force in 1 ply.")
        screen.press("\r", "x has won after 3 moves")
        screen.send("q")
        assert screen.end() == 0
        assert screen.restored


@posix
def test_ctrl_c_in_the_menu_restores_the_terminal() -> None:
    with Terminal("from tests.terminals import playing; raise SystemExit(playing('center')())") as screen:
        screen.expect("Who plays?")
        screen.press(DOWN, "> 2 - Player vs Computer")
        screen.send(CTRL_C)
        assert screen.end() == 130
        assert screen.restored


@posix
def test_a_watched_game_can_be_paused_and_goes_on() -> None:
    program = "from models.center.session import CenterSession; from tests.terminals import playing; CenterSession.WATCHING_PACE = 0.01\n"
    program += "raise SystemExit(playing('center')(mode='computer-computer', size=9, level=1, seed=5))"
    with Terminal(program) as screen:
        screen.press(" ", "(paused)")
        screen.press(" ", "after")
        screen.send("q")
        assert screen.end() == 0

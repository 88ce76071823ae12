"""``cpsolve match``: games between computers and programs, what is kept of them, and what the figures say."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cpsolve import catalogue
from cpsolve.app.command import app, match
from cpsolve.errors import FormatError, ModelError
from cpsolve.journal import line
from cpsolve.puzzles.contestants import Computer, Program, Turn, contestant
from cpsolve.puzzles.matches import Match, Played, Tally, elo, played

PLAYER = f"{sys.executable} {Path(__file__).parent.parent / 'examples' / 'player.py'}"
BAD_PLAYERS = {
    "ends": ("pass", 2, "has ended in the middle of a game (exit code 0)"),
    "babbles": ("print('hello', flush=True); input()", 2, "expected a line of JSON"),
    "lists": ("print([1], flush=True); input()", 2, "expected an object of JSON"),
    "cheats": ('print(\'{"move": "3,3"}\', flush=True); input()', 2, "moved '3,3' after"),
    "sulks": ('print(\'{"error": "not today"}\', flush=True); input()', 2, "refused to move"),
    "mumbles": ('import os; os.write(1, b\'{"move": "\\xff"}\\n\'); input()', 2, "which is no UTF-8 (invalid start byte)"),
    "drones": ("print('x' * 5_000_000, flush=True); input()", 2, "answered with more than 1,000,000 bytes"),
    "digs": ("print('[' * 100_000, flush=True); input()", 2, "nested too deeply: expected a line of JSON"),
    "boasts": ("print('{\"move\": \"' + 'x' * 900_000 + '\"}', flush=True); input()", 2, "moved 'xxx"),
    "sleeps": ("input(); input()", 3, "gave no move within 0.2 s"),
}


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["match", *args])


def told(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_program_plays_against_a_level_and_every_game_is_legal() -> None:
    data = told("2", PLAYER, "--game", "center", "--new", "size=3", "--games", "4", "--opening", "1")
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 4
    board = catalogue.game("center").interaction
    assert board.new is not None
    assert board.move is not None
    assert board.standing is not None
    for number, game in enumerate(data["played"]):
        position = board.new(size=3)
        for move in game["moves"]:
            position = board.move(position, move)
        winner = board.standing(position).winner
        assert board.standing(position).over
        first = "x" if number % 2 == 0 else "o"
        assert game["result"] == (0 if not winner else 1 if winner == first else -1)


def test_each_opening_is_played_with_either_colour() -> None:
    games = told("1", "1", "--game", "four-in-a-line", "--games", "6", "--opening", "3")["played"]
    assert [game["began"] for game in games] == [True, False] * 3
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one["moves"][:3] == other["moves"][:3]
    assert len({tuple(game["moves"][:3]) for game in games}) > 1


def test_our_own_player_behind_the_protocol_plays_the_same_games() -> None:
    again = f"{sys.executable} -m cpsolve play center --json --level 2"
    options = ("--game", "center", "--games", "2", "--seed", "5")
    straight, through = told("2", "1", *options), told(again, "1", *options)
    assert straight["played"] == through["played"]


def test_a_match_goes_on_from_its_file_and_a_torn_line_is_played_again(tmp_path: Path) -> None:
    file, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    options = ("1", "2", "--game", "center", "--new", "size=3", "--seed", "3")
    told(*options, "--games", "3", "--resume", str(file))
    file.write_text(file.read_text()[:-20])
    data = told(*options, "--games", "6", "--resume", str(file))
    assert data["played"] == told(*options, "--games", "6", "--resume", str(whole))["played"]
    assert file.read_text() == whole.read_text()
    other = run("1", "2", "--game", "center", "--new", "size=5", "--seed", "3", "--resume", str(file))
    assert other.exit_code == 2
    assert "is of another run: new is {'size': 3} there and {'size': 5} here" in other.stderr


def test_no_game_is_begun_after_the_time_limit_and_those_that_the_file_holds_count(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    options = ("1", "2", "--game", "center", "--new", "size=3", "--resume", str(file))
    told(*options, "--games", "2")
    result = run(*options, "--games", "4", "--time-limit", "0")
    assert result.exit_code == 3
    assert "stopped after 2 of 4 games; the same command goes on from there" in result.stderr
    assert "of 2; score" in result.stdout
    assert told(*options, "--games", "2", "--time-limit", "0")["games"] == 2
    assert run("1", "2", "--game", "center", "--games", "4", "--time-limit", "0").exit_code == 3


def test_ctrl_c_keeps_the_games_that_were_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    real, calls = Computer.move, []

    def move(self: Computer, turn: Turn) -> str:
        calls.append(turn.moves)
        if len(calls) > 12:
            raise KeyboardInterrupt
        return real(self, turn)

    monkeypatch.setattr(Computer, "move", move)
    result = run("1", "1", "--game", "center", "--new", "size=3", "--games", "50", "--resume", str(file))
    assert result.exit_code == 130
    kept = file.read_text().splitlines()[1:]
    assert kept
    assert f"stopped after {len(kept)} of 50 games; the same command goes on from there" in result.stderr
    assert f"of {len(kept)}; score" in result.stdout


@pytest.mark.parametrize("name", BAD_PLAYERS)
def test_a_player_that_does_not_keep_to_the_protocol_is_named(name: str, tmp_path: Path) -> None:
    program, code, message = BAD_PLAYERS[name]
    script = tmp_path / f"{name}.py"
    script.write_text(program)
    result = run("1", f"{sys.executable} {script}", "--game", "center", "--patience", "0.2" if name == "sleeps" else "60")
    assert result.exit_code == code, result.output
    assert f"{name}.py" in result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 1000


def test_a_program_is_not_listened_to_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from cpsolve.puzzles import contestants

    monkeypatch.setattr(contestants, "GRACE", 0.05)
    program = Program(f"{sys.executable} -c 'while True: print(1)'")
    try:
        while not program.lines.full():
            assert program.listener.is_alive()
    finally:
        program.close()
    program.listener.join()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("1", "no-such-player"), "Center itself has 1, 2"),
        (("1", "99"), "has no level 99"),
        (("1", "2", "--game", "chess"), "there is no game 'chess'"),
        (("1", "2", "--game", "pacman"), "is no game for two"),
        (("1", "2", "--new", "colour=red"), "--new takes NAME=VALUE with one of size, shape, swap"),
        (("1", "2", "--new", "size=big"), "--new size takes int, not 'big'"),
        (("1", "2", "--new", "size=3", "--opening", "200"), "give a shorter opening"),
        (("1", "2", "--resume", "/"), "cannot use /"),
        (("1", "2", "--time-limit", "nan"), "expected seconds"),
    ],
)
def test_what_cannot_be_played_is_bad_input(args: tuple[str, ...], message: str) -> None:
    result = run(*args) if "--game" in args else run(*args, "--game", "center")
    assert result.exit_code == 2
    assert message in result.stderr


def test_without_a_game_the_first_for_two_is_played() -> None:
    assert len(catalogue.game(match._game(None).name).interaction.players) == 2


def test_elo_is_that_of_the_logistic_curve_and_its_interval_holds_it() -> None:
    for wins, draws, losses in ((10, 0, 0), (0, 0, 10), (60, 20, 20), (1, 0, 1), (0, 5, 0)):
        tally = Tally(wins, draws, losses)
        low, high = tally.elo_interval
        assert low <= tally.elo <= high
        if math.isfinite(tally.elo):
            assert 1 / (1 + 10 ** (-tally.elo / 400)) == pytest.approx(tally.score)
    assert elo(0.5) == 0
    assert Tally(30, 0, 10).interval[0] > Tally(3, 0, 1).interval[0]


def test_a_program_that_will_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    from cpsolve.puzzles import contestants

    monkeypatch.setattr(contestants, "GRACE", 0.05)
    program = Program(f"{sys.executable} -c 'import time\nwhile True: time.sleep(60)'")
    program.close()
    assert program.process.returncode is not None


def test_played_games_do_not_depend_on_how_many_were_asked_for() -> None:
    what = Match(catalogue.game("center"), {"size": 3}, 1, 9)
    sides = Computer(1), Computer(2)
    assert list(played(what, sides, 5))[:3] == list(played(what, sides, 3))


def test_a_level_of_many_digits_is_none() -> None:
    with pytest.raises(ModelError, match=f"has no level {'9' * 20};"):
        contestant(catalogue.game("center"), "9" * 5000)


def test_two_matches_do_not_write_to_one_file(tmp_path: Path) -> None:
    what, sides, file = Match(catalogue.game("center"), {"size": 3}), (Computer(1), Computer(1)), tmp_path / "games.jsonl"
    games = played(what, sides, 2, file)
    next(games)
    with pytest.raises(ModelError, match="another process is writing"):
        list(played(what, sides, 2, file))
    assert len(list(games)) == 1


def test_a_game_that_was_changed_in_the_file_is_refused_by_its_line(tmp_path: Path) -> None:
    what, sides, file = Match(catalogue.game("center"), {"size": 3}), (Computer(1), Computer(1)), tmp_path / "games.jsonl"
    won = [game.result for game in played(what, sides, 2, file)]
    head, first, second = file.read_text().splitlines()
    file.write_text("\n".join([head, first.replace(f'"result":{won[0]}', f'"result":{-won[0] or 1}'), second, ""]))
    with pytest.raises(FormatError, match="was changed since it was written") as caught:
        list(played(what, sides, 3, file))
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "change",
    [
        {"result": 5},
        {"result": "x"},
        {"result": True},
        {"moves": "abc"},
        {"moves": [1, 2]},
        {"moves": ["9,9", "1,1"]},
        {"moves": ["1,1"]},
        {"moves": []},
        {"opening": -3},
        {"opening": "x"},
        {"opening": 1},
        {"opening": 10**400},
        {"began": "maybe"},
        {"began": True},
        {"number": 1.0},
        {"number": 0},
        {"number": 7},
    ],
)
def test_a_kept_game_that_cannot_have_been_played_is_refused_by_its_line(change: dict[str, Any], tmp_path: Path) -> None:
    what, sides, file = Match(catalogue.game("center"), {"size": 3}), (Computer(1), Computer(1)), tmp_path / "games.jsonl"
    list(played(what, sides, 2, file))
    head, first, second = file.read_text().splitlines(keepends=True)
    file.write_text(head + first + line({"record": json.loads(second)["record"] | change}).decode())
    with pytest.raises(FormatError) as caught:
        list(played(what, sides, 3, file))
    assert caught.value.line == 3


def test_a_kept_game_with_another_result_or_opening_is_refused(tmp_path: Path) -> None:
    what, sides, file = Match(catalogue.game("center"), {"size": 3}), (Computer(1), Computer(1)), tmp_path / "games.jsonl"
    list(played(what, sides, 1, file))
    head, first = file.read_text().splitlines(keepends=True)
    record = json.loads(first)["record"]
    for change in ({"result": -record["result"] or 1}, {"moves": record["moves"][::-1]}, {"moves": [*record["moves"], "1,1"]}):
        file.write_text(head + line({"record": record | change}).decode())
        with pytest.raises(FormatError, match="line 2"):
            list(played(what, sides, 2, file))


@pytest.mark.parametrize("record", [[], "game", 3, None, {}])
def test_a_record_that_is_no_game_is_refused(record: Any) -> None:
    with pytest.raises(FormatError, match="expected a game with number, began, opening, moves and result"):
        Played.from_record(record)


def test_a_match_is_told_in_plain_characters_where_there_are_no_others() -> None:
    drawn = ["1", "1", "--game", "four-in-a-line", "--opening", "0", "--new", "rows=1", "--new", "columns=1", "--new", "connect=2"]
    won = ["1", "1", "--game", "center", "--new", "size=3", "--games", "1"]
    for words, sign in ((drawn, "1/2-1/2"), (won, "inf")):
        command = [sys.executable, "-m", "cpsolve", "match", *words]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
        assert "?" not in done.stdout
        assert sign in done.stdout

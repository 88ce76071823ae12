"""``cpsolve generate`` and ``convert``, and the original's three Minesweeper programs: mina.pl, then ambiente.pl, then jogo.pl."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cpsolve import catalogue
from cpsolve.app.command import app
from models.minesweeper import Field, View

GOLDEN = Path(__file__).parent / "golden" / "minesweeper"


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(args), input=text)


# -- generate


def test_a_field_is_written_to_mina_and_ambiente_and_drawn(tmp_path: Path) -> None:
    result = run("generate", "minesweeper", "9", "9", "--mines", "10", "--seed", "1", "--folder", str(tmp_path))
    assert result.exit_code == 0, result.output
    field = Field.random(9, 9, 10, seed=1)
    assert (tmp_path / "mina.pl").read_text() == field.to_prolog()
    assert (tmp_path / "ambiente.pl").read_text() == field.environment()
    assert result.stdout == f"{field}\n"
    assert "wrote" in result.stderr


def test_one_number_is_a_square_and_files_go_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("generate", "minesweeper", "4", "--mines", "3", "--seed", "1").exit_code == 0
    assert Field.from_prolog((tmp_path / "mina.pl").read_text()) == Field.random(4, 4, 3, seed=1)


def test_for_scripts_no_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = json.loads(run("generate", "minesweeper", "4", "--mines", "3", "--seed", "1", "--json").stdout)
    assert Field.from_prolog(told["files"]["mina.pl"]) == Field.random(4, 4, 3, seed=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("minesweeper", "--mines", "3"), "one number for a square board, not 0 numbers"),
        (("minesweeper", "1", "2", "3", "--mines", "3"), "not 3 numbers"),
        (("minesweeper", "4"), "how many mines? give --mines"),
        (("minesweeper", "4", "--mines", "17"), "holds 0 to 16 mines"),
        (("minesweeper", "four", "--mines", "1"), "four"),
        (("minesweeper", "2", "--mines", "1", "--folder", "/dev/null/x"), "cannot write"),
        (("pacman", "3", "--ghosts", "9"), "there is room for 9 and not for 12"),
        (("pacman", "0"), "the width of a board must be a positive integer"),
        (("pacman", "9", "--maze", "--ghosts", "2"), "leave --ghosts and --walls out"),
        (("pacman", "2", "--maze"), "at least 3 by 4"),
        (("busy-police", "4", "--ladders", "2"), "need at least 3 ladders"),
        (("busy-police", "2", "--carts", "9"), "there is room for 2 and not for 12"),
        (("center", "4"), "has no centre"),
        (("center", "5", "5"), "give one number, the side of the board, not 2 numbers"),
        (("center", "3", "--stones", "9"), "fewer stones than cells"),
        (("four-in-a-line", "--stones", "42"), "has 0 to 41 stones, not 42"),
        (("center", "--time-limit", "nan"), "--time-limit"),
        (("center", "--time-limit", "-1"), "--time-limit"),
        (("chess",), "there is no game 'chess'"),
    ],
)
def test_bad_input_is_told_in_a_line(args: tuple[str, ...], message: str) -> None:
    result = run("generate", *args)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "args",
    [
        ("pacman", "4"),
        ("pacman", "9", "--maze"),
        ("busy-police", "4"),
        ("center", "5"),
        ("four-in-a-line",),
        ("minesweeper", "4", "--mines", "3"),
    ],
)
def test_what_is_not_made_in_time_is_not_written(args: tuple[str, ...], tmp_path: Path) -> None:
    result = run("generate", *args, "--time-limit", "0", "--folder", str(tmp_path))
    assert result.exit_code == 3, result.output
    assert "the time limit of 0 s passed" in result.stderr
    assert list(tmp_path.iterdir()) == []


MADE: dict[str, list[tuple[str, ...]]] = {
    "pacman": [("6",), ("7", "5", "--ghosts", "4", "--walls", "8"), ("13", "9", "--maze")],
    "busy-police": [("6",), ("9", "4", "--carts", "7", "--ladders", "5", "--evidence", "4"), ("9", "1")],
    "center": [(), ("7", "--stones", "11"), ("3", "--shape", "hex")],
    "four-in-a-line": [(), ("4", "5", "--stones", "9")],
    "minesweeper": [("5", "--mines", "4")],
}


@pytest.mark.parametrize("name", catalogue.games())
def test_what_is_generated_can_be_solved_is_the_same_for_a_seed_and_is_read_back_from_every_file(name: str) -> None:
    game = catalogue.game(name)
    for words in MADE[name]:
        first, again, other = (
            json.loads(run("generate", name, *words, "--seed", seed, "--json").stdout)["files"] for seed in ("1", "1", "2")
        )
        assert first == again != other
        readable = {file: text for file, text in first.items() if file != "ambiente.pl" or name != "minesweeper"}
        instances = {game.read(text) for text in readable.values()}
        assert len(instances) == 1
        (instance,) = instances
        if name in ("pacman", "busy-police"):
            assert import_module(f"models.{name.replace('-', '_')}").solve(instance)
        elif name != "minesweeper":
            assert not instance.is_over


# -- convert


@pytest.mark.parametrize("name", catalogue.games())
def test_every_format_of_a_game_is_read_back(name: str) -> None:
    game = catalogue.game(name)
    for instance, (text, options) in ((each, (found.text, found.options)) for each, found in game.instances().items()):
        made = game.read(text, **options)
        for form in game.writers:
            written = run("convert", name, instance, "--to", form)
            assert written.exit_code == 0, written.output
            needed = dict(options)
            if "valor(" in written.stdout:
                needed |= {"rows": made.rows, "columns": made.columns}
            assert game.read(written.stdout, **{key: value for key, value in needed.items() if key in ("mines", "rows", "columns")}) == made


def test_the_originals_files_follow_from_each_other(tmp_path: Path) -> None:
    mina = str(GOLDEN / "mina.pl")
    assert run("convert", "minesweeper", mina, "--to", "ambiente").stdout == (GOLDEN / "ambiente.pl").read_text()
    assert run("convert", "minesweeper", mina, "--to", "drawing").stdout == (GOLDEN / "tabuleiro").read_text()
    assert run("convert", "minesweeper", str(GOLDEN / "tabuleiro"), "--output", str(tmp_path / "mina.pl")).exit_code == 0
    assert (tmp_path / "mina.pl").read_text() == (GOLDEN / "mina.pl").read_text()


def test_an_instance_is_written_to_folders_that_are_there() -> None:
    result = run("convert", "pacman", "--output", "nowhere/at/all.pl")
    assert result.exit_code == 2
    assert "cannot write nowhere/at/all.pl: no such file or directory" in result.stderr
    assert not Path("nowhere").exists()


# -- playing from a file, with a jogo.pl


def test_a_game_played_from_mina_is_written_as_jogo_and_ends_in_the_originals_words(tmp_path: Path) -> None:
    log = tmp_path / "jogo.pl"
    moves = "posicao(3,4).\n2,2\n1,4\n4,1\n4,3\nq\n"
    result = run("play", "minesweeper", str(GOLDEN / "mina.pl"), "--log", str(log), text=moves)
    assert result.exit_code == 0, result.output
    assert "Ganhou :D" in result.stdout
    assert log.read_text().startswith((GOLDEN / "jogo.pl").read_text().rsplit("/*JOGADA 3", 1)[0])
    assert "jogo_encerrado" not in log.read_text()  # on a win nothing more is written
    result = run("play", "minesweeper", str(GOLDEN / "mina.pl"), "--log", str(log), text="4,4\nq\n")
    assert "jogo encerrado" in result.stdout
    assert log.read_text() == "/*JOGADA 1*/\n/*posicao(4,4).*/\n/*AMBIENTE*/\njogo_encerrado.\n"


def test_a_mine_taken_back_leaves_the_jogo(tmp_path: Path) -> None:
    log = tmp_path / "jogo.pl"
    run("play", "minesweeper", str(GOLDEN / "mina.pl"), "--log", str(log), text="1,1\n4,4\nu\nq\n")
    assert "posicao(1,1)" in log.read_text()
    assert "posicao(4,4)" not in log.read_text()


def test_a_game_goes_on_from_a_position_on_a_field_that_fits_it(tmp_path: Path) -> None:
    board = tmp_path / "view.txt"
    board.write_text("1--\n---\n---\n")
    log = tmp_path / "jogo.pl"
    result = run("play", "minesweeper", str(board), "--mines", "2", "--seed", "1", "--log", str(log), text="q\n")
    assert result.exit_code == 0, result.output
    assert "2 mines" in result.stdout
    assert View.from_prolog(log.read_text(), 3, 3).open == {(1, 1): 1}
    again = run("play", "minesweeper", str(log), "--mines", "2", "--rows", "3", text="q\n")
    assert again.exit_code == 0, again.output


def test_a_drawing_with_its_mines_can_be_played() -> None:
    result = run("play", "minesweeper", str(GOLDEN / "tabuleiro"), text="1,1\nq\n")
    assert "(1,1) is open: 9 cells." in result.stdout


@pytest.mark.parametrize(
    ("args", "text", "message"),
    [
        ((), "1--\n---", "does not say how many mines there are: give --mines"),
        (("--mines", "2"), "valor(1,1,1).", "does not say how large the board is: give --rows"),
        (("--mines", "2", "--level", "expert"), "1--\n---", "leave --level out"),
        (("--mines", "1"), "2-", "no field fits this view"),
        (("--mines", "1"), "1#", "leave --mines out"),
    ],
)
def test_a_file_that_cannot_be_played_says_what_is_missing(tmp_path: Path, args: tuple[str, ...], text: str, message: str) -> None:
    board = tmp_path / "board"
    board.write_text(text)
    result = run("play", "minesweeper", str(board), *args, text="q\n")
    assert result.exit_code in (1, 2), result.output
    assert message in " ".join(result.stderr.split())


def test_the_log_must_be_writable() -> None:
    result = run("play", "minesweeper", str(GOLDEN / "mina.pl"), "--log", "/dev/null/x", text="q\n")
    assert result.exit_code == 2
    assert "cannot write /dev/null/x" in result.stderr


def test_an_agents_game_is_told_as_the_original_tells_it(tmp_path: Path) -> None:
    log = tmp_path / "jogo.pl"
    result = run("solve", "minesweeper", str(GOLDEN / "mina.pl"), "--method", "expert", "--transcript", "--log", str(log))
    lines = result.stdout.splitlines()
    assert lines[-1] == ("Ganhou :D" if result.exit_code == 0 else "jogo encerrado")
    told = [line for line in log.read_text().splitlines() if line.startswith("valor")]
    assert lines[:-1] == told


def test_what_is_missing_is_asked_for_at_a_terminal(tmp_path: Path) -> None:
    from tests.terminals import Terminal

    board = tmp_path / "jogo.pl"
    board.write_text("valor(1,1,1).\n")
    words = ["cpsolve", "convert", "minesweeper", str(board), "--to", "text"]
    with Terminal(f"import sys; sys.argv = {words}; from cpsolve.app.command import main; main()") as terminal:
        terminal.expect("Rows of a jogo.pl")
        assert "1-\n--" in terminal.press("2\n", "1-\n--")
        assert terminal.end() == 0

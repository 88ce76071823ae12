"""``cpsolve solve``: every game from its formats, the same answers as the library, errors that name line and column."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve.app.command import app, output
from cpsolve.catalogue import games
from cpsolve.drawing import Picture
from cpsolve.errors import TimeLimitError
from models import busy_police, center, four_in_a_line, minesweeper, pacman
from tests.terminals import plain

GOLDEN = Path(__file__).parent / "golden"
HUGE = "dimensoes(100000, 100000). posicao(pacman, 0, 0). posicao(ponto, 1, 0). posicao(cereja, 2, 0). posicao(fantasma, [])."
UNREACHABLE = "dimensoes(3, 2). policial(1, 1). fugitivo(1, 2)."


def solve(*args: str, text: str | None = None) -> Any:
    return CliRunner().invoke(app, ["solve", *args], input=text)


def data(*args: str, text: str | None = None, code: int = 0) -> Any:
    result = solve(*args, "--json", text=text)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


# -- the same as the library


@pytest.mark.parametrize("game", games())
def test_every_game_solves_its_own_instance_in_plain_text(game: str) -> None:
    result = solve(game)
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("method", ["auto", "circuit", "dfs", "bfs", "astar"])
def test_a_plan_is_the_one_of_the_library(method: str) -> None:
    plan = busy_police.solve(busy_police.SCENES["evidencias"], method)
    told = data("busy_police", "--method", method)
    assert told["moves"] == [str(move) for move in plan.moves]
    assert (told["status"], told["cost"], told["bound"]) == (plan.status.value, plan.cost, plan.bound)
    assert told["cells"] == [list(cell) for cell in plan.cells]


def test_the_files_of_the_originals_are_read() -> None:
    assert data("pacman", str(GOLDEN / "pacman/params.pl"))["cost"] == pacman.solve(pacman.BOARDS["seed"]).cost
    file = str(GOLDEN / "busy_police/ambiente1.pl")
    assert data("busy-police", file, "--officer", "10,1", "--fugitive", "10,5")["cost"] == 18
    assert data("center", str(GOLDEN / "center/intermediate.pl"))["plies"] == 3
    assert data("center", str(GOLDEN / "center/final.txt"))["winner"] == "x"
    assert data("minesweeper", str(GOLDEN / "minesweeper/jogo.pl"), "--rows", "4")["mines"] == [[2, 4], [4, 2], [4, 4]]


def test_a_scene_has_a_name_and_its_officer_may_stand_elsewhere() -> None:
    assert data("busy-police", "ambiente1")["cost"] == 18
    assert data("busy-police", "ambiente1", "--officer", "9,1")["cost"] == 17


def test_all_paths_and_their_number_agree() -> None:
    listed = data("busy-police", "--all")
    assert len(listed) == data("busy-police", "--count")["paths"] == 13
    assert [path["cost"] for path in listed] == [plan.cost for plan in busy_police.paths(busy_police.SCENES["evidencias"])]
    assert len(solve("busy-police", "--all").stdout.splitlines()) == 13


def test_the_first_paths_are_given_when_there_are_very_many() -> None:
    costs = [path["cost"] for path in data("pacman", "--all", "--most", "3")]
    assert costs == [plan.cost for plan in islice(pacman.paths(pacman.BOARDS["seed"]), 3)]


@pytest.mark.parametrize("source", ["44444326213163", "-"])
def test_four_in_a_line_is_scored_exactly(source: str) -> None:
    told = data("four-in-a-line", source, text="44444326213163\n")
    verdict = four_in_a_line.solve(four_in_a_line.Position.from_moves("44444326213163"))
    assert (told["score"], told["winner"], told["plies"]) == (verdict.score, verdict.winner, verdict.plies)
    assert told["scores"] == {str(column): score for column, score in verdict.scores.items()}
    assert told["line"] == list(verdict.line)


def test_four_in_a_line_reads_lists_and_drawings() -> None:
    position = four_in_a_line.Position.from_moves("44444326213163")
    for text in (position.to_prolog(), position.to_prolog() + ".\n", str(position)):
        assert data("four-in-a-line", "-", text=text)["score"] == 3


def test_one_ply_is_one_ply() -> None:
    assert "wins in 1 ply " in solve("four-in-a-line", "121212").stdout
    assert "wins in 1 ply;" in solve("center", "1", "--method", "dfs").stdout


def test_lists_longer_than_any_file_name_are_read() -> None:
    full = [[[row, column] for column in range(1, 8) for row in rows] for rows in ((1, 3, 5), (2, 4, 6))]
    lists = json.dumps(full, separators=(",", ":"))
    assert len(lists) > 255
    result = solve("four-in-a-line", lists, "--json")
    assert result.exit_code == 2, result.output
    assert "a already has a line" in result.stderr


def test_a_board_wider_than_the_terminal_says_how_it_is_drawn_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    for width in (80, 20):
        terminal = Console(file=StringIO(), force_terminal=True, color_system=None, width=width)
        monkeypatch.setattr(output, "console", lambda terminal=terminal: terminal)
        output.show(pacman.draw(pacman.BOARDS["seed"]))
        assert isinstance(terminal.file, StringIO)
        assert ("--svg FILE" in terminal.file.getvalue()) == (width == 20)


def test_a_folder_of_that_name_does_not_hide_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "3").mkdir()
    monkeypatch.chdir(tmp_path)
    assert data("center", "3")["plies"] == 3


def test_center_tells_what_every_move_leads_to() -> None:
    told = data("center", "3")
    assert {(tuple(move["move"]), (move["winner"], move["plies"])) for move in told["moves"]} == set(
        center.outcomes(center.Position(3)).items()
    )


def test_minesweeper_counts_the_fields_that_fit() -> None:
    text = "1--\n---\n---"
    fields = minesweeper.infer(minesweeper.View.from_text(text, mines=2)).solutions
    assert data("minesweeper", "-", "--mines", "2", "--count", text=text)["fields"] == fields
    assert data("minesweeper", "-", "--mines", "2", "--method", "dfs", text=text)["fields"] == fields


@pytest.mark.parametrize("options", [("--seed", "2"), ("--transcript",), ("--log", "jogo.pl"), ("--method", "expert")])
def test_what_is_for_agents_is_refused_where_fields_are_counted(options: tuple[str, ...]) -> None:
    result = solve("minesweeper", "-", "--count", *options, text="1-")
    assert result.exit_code == 2
    assert "are for a board with its mines known" in " ".join(result.stderr.split())


def test_a_view_that_no_field_fits_is_counted_as_data_too() -> None:
    told = data("minesweeper", "-", "--count", text="1-0\n", code=1)
    assert told["status"] == "infeasible"
    assert "cannot all hold" in told["reason"] or "clash" in told["reason"], told
    verified = CliRunner().invoke(app, ["verify", "-"], input=json.dumps(told))
    assert "no field fits" in verified.stdout


def test_an_agent_plays_a_board_with_known_mines() -> None:
    told = data("minesweeper", str(GOLDEN / "minesweeper/mina.pl"), "--method", "expert")
    assert (told["status"], told["opened"]) == ("won", 13)


# -- pictures


def test_the_picture_is_written_as_svg(tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    assert solve("pacman", "--svg", str(file)).exit_code == 0
    board = pacman.BOARDS["seed"]
    assert file.read_text(encoding="utf-8").strip() == pacman.draw(board, pacman.solve(board)).svg().strip()
    assert solve("pacman", "--svg", "-").stdout.startswith("<svg")


def test_a_picture_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    result = solve("pacman", "--svg", str(tmp_path / "missing" / "plan.svg"))
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_into_a_pipe_an_animation_prints_every_frame() -> None:
    result = solve("pacman", "--animate")
    assert result.exit_code == 0
    assert sum(line.startswith("move ") for line in result.stdout.splitlines()) == 15
    assert "\x1b" not in result.stdout


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    for variable in ("NO_COLOR", "TERM", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert output.in_colour(Console(force_terminal=True))
    assert not output.in_colour(Console(force_terminal=False))
    monkeypatch.setenv("TERM", "dumb")
    assert not output.in_colour(Console(force_terminal=True))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not output.in_colour(Console(force_terminal=True))


# -- no solution, a limit, bad input


def test_a_goal_out_of_reach_is_no_solution_with_a_reason() -> None:
    result = solve("busy-police", "-", text=UNREACHABLE)
    assert result.exit_code == 1
    assert result.stdout.count("no ladder leads to floor 2") == 1
    assert "no ladder leads to floor 2" in " ".join(solve("busy-police", "-", "--svg", "-", text=UNREACHABLE).stdout.split())
    assert data("busy-police", "-", text=UNREACHABLE, code=1)["status"] == "infeasible"
    assert data("busy-police", "-", "--all", text=UNREACHABLE, code=1) == []
    assert data("busy-police", "-", "--count", text=UNREACHABLE, code=1)["paths"] == 0


@pytest.mark.parametrize(
    "args",
    [
        ("pacman", "--method", "dfs", "--time-limit", "0"),
        ("pacman", "--all", "--time-limit", "0"),
        ("center", "7", "--time-limit", "0"),
        ("four-in-a-line", "444444", "--time-limit", "0"),
        ("four-in-a-line", "4", "--method", "dfs", "--time-limit", "0.01"),
        ("center", "--method", "dfs", "--time-limit", "0.01"),
        ("minesweeper", "--method", "dfs", "--time-limit", "0"),
    ],
)
def test_a_limit_that_was_reached_has_its_own_exit_code(args: tuple[str, ...]) -> None:
    assert solve(*args).exit_code == 3
    told = data(*args, code=3)
    assert told == [] or told["status"] == "unknown"


def test_a_plan_that_was_not_proven_in_time_is_shown_with_the_exit_code_of_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*args: object, **options: object) -> None:
        raise TimeLimitError("the model is not built in time")

    monkeypatch.setattr("cpsolve.puzzles.encodings.encode", too_late)  # what is left is the tour that the search begins from
    told = data("busy-police", "evidencias", "--method", "circuit", code=3)
    assert told["status"] == "feasible"
    assert told["bound"] < told["cost"] == len(told["moves"])
    assert data("busy-police", "--method", "dfs")["status"] == "feasible"  # any plan was asked for, and found


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("pacman", "dimensoes(3, 2).\nposicao(pacman, 0 0).", "standard input: line 2, column 19:"),
        ("pacman", "", "expected the fact dimensoes"),
        ("pacman", HUGE, "is too large: expected at most 1,000,000 cells"),
        ("busy-police", "dimensoes(100000, 100000). policial(1, 1). fugitivo(2, 1).", "is too large"),
        ("busy-police", "carrinho(1, 1).\nescadas(2, 1).", "standard input: line 2, column 1:"),
        ("busy-police", "", "where the officer is"),
        ("minesweeper", "001\n00x", "standard input: line 2, column 3:"),
        ("minesweeper", "", "standard input: line 1, column 1: expected a board"),
        ("minesweeper", "tamanho(2).\nmina(3,1).", "standard input: line 2, column 1:"),
        ("four-in-a-line", ". . .\n. z .", "standard input: line 2, column 3:"),
        ("four-in-a-line", "4449", "there is no column 9"),
        ("four-in-a-line", "", "an empty drawing"),
        ("center", "x.o\n.z.\nx..", "standard input: line 2, column 2:"),
        ("center", "", "no board of Center"),
    ],
)
def test_bad_text_is_bad_input_and_the_message_says_where(game: str, text: str, message: str) -> None:
    result = solve(game, "-", text=text)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("chess",), "there is no game 'chess'"),
        (("pacman", "nowhere.pl"), "cannot read nowhere.pl: no such file"),
        (("busy-police", "ambiente9"), "no such file or directory; instances with a name are evidencias, ambiente1"),
        (("pacman", str(GOLDEN)), "is a directory"),
        (("center", "--animate"), "No such option: --animate"),
        (("center", "4"), "'4': a square board"),
        (("center", "1001"), "expected at most 99"),
        (("center", "9" * 5000), "cannot read 999"),
        (("four-in-a-line", "4", "--method", "bfs"), "has no method 'bfs'; it has exact, dfs"),
        (("pacman", "--time-limit", "-1"), "--time-limit"),
        (("pacman", "--all", "--count"), "--all or --count, not both"),
        (("pacman", "--count", "--method", "dfs"), "paths are counted without them: leave --method out"),
        (("busy-police", "--count", "--method", "auto", "--json"), "paths are counted without them: leave --method out"),
        (("pacman", "--most", "3"), "--most needs --all"),
        (("pacman", "--svg", "-", "--json"), "not both"),
        (("busy-police", "--officer", "here"), "--officer takes two numbers"),
        (("busy-police", "--officer", "99,1"), "outside the scene"),
        (("minesweeper", "--rows", "3"), "--rows and --columns are for a jogo.pl"),
        (("minesweeper", str(GOLDEN / "minesweeper/jogo.pl")), "does not say how large the board is: give --rows"),
        (("minesweeper", "--method", "dfs", "--svg", "nowhere.svg"), "nothing to draw here: leave --svg out"),
        (("minesweeper", str(GOLDEN / "minesweeper/mina.pl"), "--mines", "3"), "says where the mines are"),
    ],
)
def test_bad_input_is_told_in_a_line_without_a_traceback(args: tuple[str, ...], message: str) -> None:
    result = solve(*args)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_file_that_is_no_text_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "board.pl"
    file.write_bytes(b"\xff\xfe\x00")
    result = solve("pacman", str(file))
    assert result.exit_code == 2
    assert "line 1, column 1: expected UTF-8 text" in result.stderr


# -- what a shell completes


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("solve p", ["pacman"]),
        ("solve busy-police ambiente", ["ambiente1", "ambiente2", "ambiente3", "ambiente4"]),
        ("solve pacman --method h", ["horizon", "held-karp"]),
        ("solve minesweeper --method e", ["exact", "expert"]),
        ("solve Four_in_a_line --method e", ["exact"]),
        ("solve chess --method e", []),
        ("campaign --agent s", ["seed", "strong"]),
        ("campaign --level b", ["beginner-8x8", "beginner"]),
        ("play m", ["minesweeper"]),
        ("play p", []),
        ("hint f", ["four-in-a-line"]),
        ("review b", []),
        ("tour --only q", ["queens"]),
    ],
)
def test_shells_complete_games_methods_scenes_agents_and_levels(words: str, offered: list[str]) -> None:
    line = f"cpsolve {words}"
    environment = {"_CPSOLVE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    result = CliRunner().invoke(app, [], prog_name="cpsolve", env=environment)
    assert result.stdout.split() == offered


# -- on a terminal


def test_an_animation_that_is_interrupted_shows_the_cursor_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    terminal = Console(file=StringIO(), force_terminal=True, color_system="256", width=80)
    monkeypatch.setattr(output, "console", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm-256color")

    def frames() -> Iterator[Picture]:
        yield pacman.draw(pacman.BOARDS["seed"])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        output.animate(frames(), delay=0)
    assert isinstance(terminal.file, StringIO)
    written = terminal.file.getvalue()
    assert written.index("\x1b[?25l") < written.rindex("\x1b[?25h")


def test_an_animation_larger_than_the_terminal_is_cut_so_that_it_stays_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    terminal = Console(file=StringIO(), force_terminal=True, color_system=None, width=20, height=8)
    monkeypatch.setattr(output, "console", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    sizes: list[tuple[int, int]] = []

    def frames() -> Iterator[Picture]:
        for _ in range(3):
            yield pacman.draw(pacman.BOARDS["seed"])
            assert isinstance(terminal.file, StringIO)
            lines = plain(terminal.file.getvalue()).lstrip("\r").splitlines()
            sizes.append((len(lines), max(map(len, lines))))
            terminal.file.seek(0)
            terminal.file.truncate()

    output.animate(frames(), delay=0)
    assert sizes == [(8, 20)] * 3


def test_a_picture_is_in_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    terminal = Console(file=StringIO(), force_terminal=True, color_system="256", width=80, no_color=False)
    monkeypatch.setattr(output, "console", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    picture = pacman.draw(pacman.BOARDS["seed"])
    output.show(picture)
    assert isinstance(terminal.file, StringIO)
    written = terminal.file.getvalue()
    assert "\x1b[" in written
    assert [line.rstrip() for line in plain(written).splitlines()] == picture.text().splitlines()

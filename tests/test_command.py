"""The command line as a whole: help, exit codes, errors without tracebacks, quick start."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cpsolve
from cpsolve import catalogue
from cpsolve.app.command import app, backends
from cpsolve.errors import DiagramTooWide, FormatError, InfeasibleError, ModelError, TimeLimitError

run = CliRunner().invoke
COMMANDS = ["tour", "solve", "mines", "play", "campaign", "games", "backends", "serve", "verify", "warm-up"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str) -> None:
    result = run(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: cpsolve {command}" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_in_80_columns_but_for_examples(command: str) -> None:
    lines = run(app, [command, "--help"], env={"COLUMNS": "80"}).stdout.splitlines()
    assert all(len(line) <= 80 for line in lines if "Example:" not in line)


def test_the_version_is_that_of_the_package() -> None:
    assert run(app, ["--version"]).stdout.strip() == cpsolve.__version__


def test_backends_are_listed_for_people_and_for_scripts() -> None:
    assert "python-constraint" in run(app, ["backends"]).stdout
    assert set(json.loads(run(app, ["backends", "--json"]).stdout)) >= {"cpsat", "python-constraint", "diagram"}


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (KeyboardInterrupt(), 130),
        (InfeasibleError("none"), 1),
        (FormatError("expected a fact", 3, 7), 2),
        (TimeLimitError("too late"), 3),
        (DiagramTooWide("too wide", 10, 5), 3),
        (MemoryError(), 3),
    ],
)
def test_what_a_command_raises_becomes_an_exit_code_and_one_line(raised: BaseException, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: object) -> None:
        raise raised

    monkeypatch.setattr(backends, "give", fail)
    result = run(app, ["backends", "--json"])
    assert result.exit_code == code
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert str(raised) in result.stderr


def test_help_loads_nothing_that_takes_long() -> None:
    program = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from cpsolve.app.command import app\n"
        "assert CliRunner().invoke(app, ['solve', '--help']).exit_code == 0\n"
        "print([name for name in ('numpy', 'ortools', 'numba', 'rich', 'pydantic', 'models') if name in sys.modules])"
    )
    root = Path(cpsolve.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"


def test_an_output_that_nobody_reads_ends_the_command_quietly() -> None:
    root = Path(cpsolve.__file__).parents[1]
    command = [sys.executable, "-m", "cpsolve", "solve", "pacman", "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"40: ")
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""


def test_an_output_that_lacks_a_sign_is_no_traceback() -> None:
    root = Path(cpsolve.__file__).parents[1]
    command = [sys.executable, "-m", "cpsolve", "tour", "--only", "dinner"]
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environment, check=True)
    assert "backbone" in done.stdout
    assert done.stderr == ""


def test_a_board_is_drawn_in_plain_characters_where_there_are_no_others() -> None:
    root = Path(cpsolve.__file__).parents[1]
    command = [sys.executable, "-m", "cpsolve", "solve", "pacman"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, env={"PYTHONIOENCODING": "ascii", "PATH": ""}, check=True)
    assert "?" not in done.stdout
    assert "+---" in done.stdout
    assert "14 moves" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_a_line_and_is_not_no_solution() -> None:
    root = Path(cpsolve.__file__).parents[1]
    command = [sys.executable, "-m", "cpsolve", "backends", "--json"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=root)
    assert done.returncode == 2
    assert done.stderr == "cpsolve: cannot write the answer: no space left on device\n"


@pytest.mark.parametrize("command", [("mines", "-"), ("play", "center")])
def test_a_closed_standard_input_is_bad_input(command: tuple[str, ...]) -> None:
    program = f"import sys; sys.stdin = None; from cpsolve.app.command import app; app({list(command)!r})"
    root = Path(cpsolve.__file__).parents[1]
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root)
    assert result.returncode == 2
    assert "closed" in result.stderr
    assert "Traceback" not in result.stderr


def test_scripts_beside_the_command_hide_no_game(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("raise SystemExit('this is not ours')\n")
    command = tmp_path / "cpsolve"
    command.write_text("from cpsolve.app.command import main\nmain()\n")
    done = subprocess.run([sys.executable, str(command), "games", "pacman", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["name"] == "pacman"


@pytest.mark.parametrize(
    "words", [["games", "pacman", "\u202e\x07"], ["\u202e\x07"], ["solve", "\u202e\x07"], ["--\u202e\x07"], ["games", "--\u202e\x07"]]
)
def test_words_that_are_not_understood_do_not_steer_the_terminal(words: list[str]) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert not {"\u202e", "\x07"} & {*done.output}
    assert "\\u202e\\x07" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "pacman", "--animate", "--delay", "nan"], "--delay takes seconds, not nan"),
        (["solve", "pacman", "--animate", "--delay", "inf"], "--delay takes seconds, not inf"),
        (["solve", "pacman", "--time-limit", "nan"], "--time-limit takes seconds, not nan"),
        (["hint", "center", "--time-limit", "inf"], "--time-limit takes seconds, not inf"),
        (["solve", "pacman", "--time-limit", "-1"], "-1.0 is not in the range x>=0"),
        (["match", "1", "1", "--game", "center", "--patience", "nan"], "expected seconds"),
        (["match", "1", "1", "--game", "center", "--patience", "inf"], "expected seconds"),
        (["serve", "--time-limit", "nan"], "expected seconds"),
        (["serve", "--host", "nowhere.invalid"], "give another --host"),
        (["campaign", "--games", "99999999999999999999999"], "at most 10,000,000 games"),
    ],
)
def test_numbers_without_end_and_names_of_nothing_are_bad_input(words: list[str], message: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())


def test_a_game_that_cannot_be_loaded_does_not_take_the_help_away(monkeypatch: pytest.MonkeyPatch) -> None:
    real = catalogue.game

    def broken(name: str) -> catalogue.Game:
        if name == "center":
            raise ModelError("center cannot be loaded")
        return real(name)

    monkeypatch.setattr(catalogue, "game", broken)
    result = CliRunner().invoke(app, ["play", "--help"])
    assert result.exit_code == 0, result.output
    assert "center, four-in-a-line, minesweeper" in result.stdout


def test_any_number_may_bound_a_list() -> None:
    result = CliRunner().invoke(app, ["solve", "busy-police", "--all", "--most", "99999999999999999999"])
    assert result.exit_code == 0, result.output


ROOT = Path(cpsolve.__file__).parents[1]


def ended(*words: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """What the command did as a process of its own; ``shell`` is how a shell connects its streams."""
    command = f"exec {shlex.quote(sys.executable)} -m cpsolve {shlex.join(words)} {shell}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment})


@pytest.mark.parametrize("columns", ["0", "-3", "²", "wide"])
def test_a_terminal_without_columns_is_not_believed(columns: str) -> None:
    assert "14 moves" in ended("solve", "pacman", COLUMNS=columns).stdout


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="what shells of POSIX do with streams")
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")


@FULL
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["solve", "pacman", "no-such-file"], 2),
        (["--no-such-option"], 2),
        (["solve", "pacman", "--no-such-option"], 2),
        ([], 2),
        (["generate", "minesweeper", "3", "--mines", "2", "--folder", "{folder}"], 0),
    ],
)
def test_a_message_that_cannot_be_written_changes_no_exit_code(words: list[str], code: int, tmp_path: Path) -> None:
    assert ended(*(word.format(folder=tmp_path) for word in words), shell="2>/dev/full").returncode == code


@FULL
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["solve", "--help"]])
def test_help_that_cannot_be_written_is_bad_input_and_no_bug(words: list[str]) -> None:
    done = ended(*words, shell=">/dev/full")
    assert (done.returncode, done.stderr) == (2, "cpsolve: cannot write the answer: no space left on device\n")


@POSIX
def test_help_that_nobody_reads_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([sys.executable, "-m", "cpsolve", "--help"], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@POSIX
@pytest.mark.parametrize("words", [["backends", "--json"], ["solve", "pacman"], ["play", "center", "--size", "5"], ["--version"]])
def test_an_answer_to_a_closed_output_is_not_told_as_given(words: list[str]) -> None:
    done = ended(*words, shell=">&- </dev/null")
    assert (done.returncode, done.stderr) == (2, "cpsolve: cannot write the answer: bad file descriptor\n")


@POSIX
def test_without_any_stream_bad_input_is_bad_input() -> None:
    assert ended("mines", "-", shell="<&- >&- 2>&-").returncode == 2


@POSIX
def test_no_file_gets_the_number_of_a_closed_output(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert ended("solve", "pacman", "--svg", str(picture), shell=">&-").returncode == 2
    assert picture.read_text().endswith("</svg>\n")


def test_ctrl_c_while_the_program_is_loaded_is_no_traceback() -> None:
    program = """
import sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
from cpsolve.app.command import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("words", [["mines"], ["solve", "minesweeper", "--count"]])
def test_a_number_with_more_digits_than_python_writes_is_given_to_scripts(words: list[str], tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("\n".join(["1" + 120 * "-", *120 * [121 * "-"]]))
    done = ended(*words, str(board), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout, parse_int=lambda number: int(number) if len(number) < 9 else number)["fields"]
    assert (len(found), int(found[-1000:])) == (4407, 3 * 2 ** (121 * 121 - 4) % 10**1000)

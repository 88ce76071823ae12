"""The loop of games at a terminal: keys, typed lines, menus, and a terminal that is always given back."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from cpsolve.app.terminal import loop
from cpsolve.app.terminal.consoles import Console
from cpsolve.app.terminal.keys import END, next_key
from cpsolve.puzzles.sessions import Menu, Session
from tests.terminals import CTRL_C, CTRL_D, CTRL_Z, DOWN, LEFT, RIGHT, Counter, Terminal

posix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")


COUNTER = (
    "from tests.terminals import Counter; from cpsolve.app.terminal.loop import play; raise SystemExit(play(lambda console: Counter()))"
)


# -- keys


def keys_of(typed: str) -> list[str | None]:
    keys = []
    while typed:
        key, typed = next_key(typed)
        keys.append(key)
        if key is None:
            break
    return keys


def test_arrows_are_told_in_both_ways_that_terminals_send_them() -> None:
    assert keys_of("\x1b[A\x1b[B\x1b[C\x1b[D") == keys_of("\x1bOA\x1bOB\x1bOC\x1bOD") == ["up", "down", "right", "left"]


def test_a_key_that_arrives_in_parts_waits_for_the_rest() -> None:
    assert keys_of("3\x1b[") == ["3", None]
    assert keys_of("\x1b") == [None]


def test_sequences_of_keys_not_in_use_do_nothing_and_swallow_nothing() -> None:
    assert keys_of("\x1b[15~u\x1b[1;2Aq") == ["", "u", "", "q"]


def test_enter_backspace_and_ctrl_d_have_names() -> None:
    assert keys_of("\r\n\x7f\x04\x01") == ["enter", "enter", "backspace", END, ""]


# -- sessions and typed lines


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, start: Callable[..., Session | None]) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert loop.play(start) == 0
    return capsys.readouterr().out


def test_a_piped_game_reads_as_a_game_without_escape_codes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told = typed(monkeypatch, capsys, "3\n4 5\nq\n7\n", lambda console: Counter())
    assert told == "\ntotal 0\ngo on\n> 3\n\ntotal 3\ngo on\n> 4 5\n\ntotal 12\ngo on\n> q\n"


def test_the_end_of_input_ends_a_game_cleanly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(monkeypatch, capsys, "3", lambda console: Counter()).endswith("total 3\ngo on\n> \n")


def test_what_cannot_be_read_is_told_in_one_line_and_changes_nothing() -> None:
    session = Counter()
    assert session.do("three") == "expected a number, not 'three'"
    assert session.total == 0


def test_a_number_of_thousands_of_digits_is_no_move() -> None:
    assert Counter().do("9" * 5000).startswith("expected a number")


def test_short_and_long_words_are_the_same_command() -> None:
    for word in ("q", "quit", "Quit", "quit.", "exit"):
        session = Counter()
        session.do(word)
        assert session.closed
    assert Counter().do("?") == Counter().do("help") == "type a number"


def test_a_menu_takes_a_number_with_or_without_the_seeds_full_stop() -> None:
    for text in ("2", "2.", " 2 . "):
        menu = Menu("Which?", [("first", "one"), ("second", "two")])
        menu.do(text)
        assert (menu.answer, menu.closed) == ("second", True), text


def test_a_menu_asks_again_for_a_number_that_it_does_not_have() -> None:
    menu = Menu("Which?", [("first", "one"), ("second", "two")])
    assert "from 1 to 2" in menu.do("3")
    assert not menu.closed
    assert menu.answer is None


def test_leaving_a_menu_is_a_normal_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def start(console: Console) -> Session | None:
        return Counter() if loop.ask(console, Menu("Which?", [(1, "one")])) else None

    assert "total" not in typed(monkeypatch, capsys, "q\n", start)
    assert "total" not in typed(monkeypatch, capsys, "", start)
    assert "total" in typed(monkeypatch, capsys, "1\n", start)


# -- a real terminal


@posix
def test_arrows_enter_and_typed_numbers_play_on_a_terminal() -> None:
    with Terminal(COUNTER) as screen:
        screen.expect("total 0 cursor 1")
        screen.press(RIGHT, "cursor 2")
        screen.press(DOWN, "cursor 12")
        screen.press("\r", "total 12 cursor 12")
        screen.press(LEFT, "cursor 11")
        screen.press(" ", "total 23")
        screen.press("40", ": 40_")
        screen.press("\x7f", ": 4_")
        screen.press("\r", "total 27")
        assert ": 4" not in screen.screen
        screen.press(":5", ": 5_")
        screen.press("\x1b", "total 27")  # Escape forgets what was typed
        assert ": 5" not in screen.screen
        screen.press(":what\r", "expected a number, not 'what'")
        screen.send("q")
        assert screen.end() == 0
        assert screen.restored
        assert screen.screen.rstrip().endswith("total 27\ngo on")  # the result stays in sight


@posix
def test_ctrl_c_restores_the_terminal_and_is_130() -> None:
    with Terminal(COUNTER) as screen:
        screen.expect("total 0")
        assert screen.settings() != screen.before
        screen.send(CTRL_C)
        assert screen.end() == 130
        assert screen.restored


@posix
@pytest.mark.parametrize("leave", [CTRL_D, "q"])
def test_leaving_restores_the_terminal_and_is_0(leave: str) -> None:
    with Terminal(COUNTER) as screen:
        screen.expect("total 0")
        screen.send(leave)
        assert screen.end() == 0
        assert screen.restored


@posix
def test_an_error_restores_the_terminal_and_is_seen() -> None:
    with Terminal(COUNTER, environment={"PYTHON_COLORS": "0"}) as screen:  # from 3.13 on tracebacks have colours
        screen.expect("total 0")
        screen.send(":fail\r")
        assert screen.end() == 1
        assert screen.restored
        assert "RuntimeError: the game broke" in screen.written[screen.written.rfind("\x1b[?1049l") :]


@posix
def test_a_program_that_is_told_to_end_restores_the_terminal() -> None:
    with Terminal(COUNTER) as screen:
        screen.expect("total 0")
        screen.process.terminate()
        assert screen.end() == 143
        assert screen.restored


SHELL = """
import os, signal, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    PROGRAM
_, status = os.waitpid(child, os.WUNTRACED)
assert os.WIFSTOPPED(status), status
os.tcsetpgrp(0, os.getpgrp())
print("the game is asleep")
assert sys.stdin.readline() == "wake up\\n"
os.tcsetpgrp(0, child)
os.kill(child, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""As much of a shell as there must be for a program to be suspended and brought back."""


@posix
def test_a_suspended_game_gives_the_terminal_back_and_goes_on_where_it_was() -> None:
    with Terminal(SHELL.replace("PROGRAM", COUNTER)) as screen:
        screen.press("7\r", "total 7")
        screen.press(CTRL_Z, "the game is asleep")
        assert screen.restored
        screen.press("wake up\n", "total 7")
        assert not screen.restored
        screen.press("1\r", "total 8")
        screen.send("q")
        assert screen.end() == 0
        assert screen.restored


@posix
def test_a_terminal_without_escape_codes_gets_plain_text() -> None:
    with Terminal(COUNTER, environment={"TERM": "dumb"}) as screen:
        screen.expect("> ")
        screen.press("3\n", "total 3")
        screen.send(CTRL_D)
        assert screen.end() == 0
        assert "\x1b" not in screen.written


@posix
def test_ctrl_c_at_a_typed_line_is_130_too() -> None:
    with Terminal(COUNTER, environment={"TERM": "dumb"}) as screen:
        screen.expect("> ")
        screen.send(CTRL_C)
        assert screen.end() == 130
        assert "Traceback" not in screen.written


@posix
def test_no_colour_is_sent_where_the_person_wants_none() -> None:
    program = "from cpsolve.app.terminal.loop import play; from cpsolve.puzzles.sessions import Menu\n"
    program += "raise SystemExit(play(lambda console: Menu('Which?', [(1, 'one')])))"
    for environment, bold in ((None, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)):
        with Terminal(program, environment=environment) as screen:
            screen.expect("> 1 - one")
            assert ("\x1b[1m" in screen.written) == bold


@posix
def test_a_board_that_is_too_high_shows_the_part_around_the_cursor() -> None:
    program = COUNTER.replace("Counter())", "Tall())").replace("import Counter", "import Tall")
    with Terminal(program, rows=12) as screen:
        shown = screen.expect("go on")
        assert "row 80" in shown
        assert "row 1 " not in shown
        assert shown.count("\n") < 12
        rows = [int(line.split()[1]) for line in shown.splitlines() if line.startswith("row")]
        assert f"↑ {rows[0] - 1} more lines" in shown
        assert f"↓ {100 - rows[-1]} more lines" in shown


@posix
def test_a_line_that_is_too_long_ends_in_dots() -> None:
    with Terminal(COUNTER, columns=8) as screen:
        assert "total 0…" in screen.expect("go on")


HINT = "from tests.terminals import playing; raise SystemExit(playing('minesweeper')(level='expert', seed=1))"


@posix
@pytest.mark.parametrize(("colours", "code"), [("truecolor", "48;2;0;114;178"), ("", "48;5;25")])
def test_colours_have_24_bits_where_the_terminal_says_so_and_are_the_nearest_it_has_elsewhere(colours: str, code: str) -> None:
    with Terminal(HINT, environment={"COLORTERM": colours}) as screen:
        screen.expect("> 8 │")
        assert code in screen.written  # the ground of the cursor's cell
        assert ("48;2;" in screen.written) == (colours == "truecolor")
        screen.send("q")
        screen.end()
        assert code[:5] in screen.written.rsplit("\x1b[?1049l", 1)[1]  # what stays in sight too


@posix
def test_a_hint_shows_whole_percentages_on_a_terminal_of_120_columns() -> None:
    for columns, words in ((80, "risk of a mine from 30% to 40%"), (120, "risk of a mine in percent")):
        with Terminal(HINT, rows=45, columns=columns) as screen:
            screen.expect("> 8 │")
            screen.press("8,15\r", "is open")
            assert words in screen.press("h", words)


@posix
def test_the_numbers_of_the_columns_stay_in_sight_above_a_board_that_is_too_high() -> None:
    program = "from tests.terminals import playing; raise SystemExit(playing('minesweeper')(level='expert', seed=1))"
    with Terminal(program, rows=24, columns=80, environment={"NO_COLOR": "1"}) as screen:
        screen.expect("> 8 │")
        shown = screen.press(8 * DOWN, ">16 │")
        assert shown.splitlines()[0].strip() == "v"
        assert shown.splitlines()[1].split()[-1] == "30"
        assert shown.count("\n") < 24

"""``cpsolve mines``: exact probabilities, reasons, and views that cannot be."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve import files
from cpsolve.app.command import app
from cpsolve.errors import DiagramTooWide
from models.minesweeper import View, decode, encode, infer, why

GOLDEN = Path(__file__).parent / "golden" / "minesweeper"
SEED = "001-\n001-\n113-\n----\n"
run = CliRunner().invoke


def mines(*args: str, text: str) -> Any:
    return CliRunner().invoke(app, ["mines", "-", *args], input=text)


def test_probabilities_are_those_of_the_library() -> None:
    told = json.loads(mines("--mines", "3", "--json", text="1--\n---\n---\n").stdout)
    answer = infer(View.from_text("1--\n---\n---", mines=3))
    assert told["fields"] == answer.solutions
    assert told["probability"][0] == [None, *answer.probability[0][1:].tolist()]
    assert told["probability"][1:] == answer.probability[1:].tolist()
    assert told["best"] == [list(cell) for cell in answer.best]


def test_without_the_number_of_mines_it_is_not_known() -> None:
    told = json.loads(mines("--json", text="1--\n").stdout)
    assert told["probability"] == [[None, 1.0, 0.5]]


def test_the_reason_is_minimal_and_in_words() -> None:
    result = mines("--mines", "3", "--why", "1,4", text=SEED)
    reason = why(View.from_text(SEED, mines=3), (1, 4))
    assert result.exit_code == 0
    assert str(reason) in result.stdout
    told = json.loads(mines("--mines", "3", "--why", "1,4", "--json", text=SEED).stdout)["why"]
    assert (told["verdict"], told["because"]) == ("safe", [list(cell) for cell in reason.because])


def test_a_cell_that_may_be_either_comes_with_a_field_for_each() -> None:
    result = mines("--mines", "1", "--why", "1,2", text="1--\n---\n")
    assert result.exit_code == 0
    assert "(1,2) is a mine with 33.3%" in result.stdout
    assert "where it is safe" in result.stdout
    assert "where it is a mine" in result.stdout


def test_a_missing_number_of_mines_is_told() -> None:
    assert "the number of mines is not given" in " ".join(mines(text="1--\n---\n").stdout.split())
    assert "the number of mines is not given" not in mines("--mines", "1", text="1--\n---\n").stdout


def test_the_experts_move_stands_beside_the_least_risk() -> None:
    result = mines("--mines", "2", text="1--\n---\n---\n")
    assert "the expert opens (" in result.stdout
    told = json.loads(mines("--mines", "2", "--json", text="1--\n---\n---\n").stdout)
    view = View.from_text("1--\n---\n---", mines=2)
    row, column = told["expert"]["cell"]
    assert told["expert"]["risk"] == pytest.approx(infer(view).risk((row, column)))
    assert told["expert"]["chance"] is not None  # so few cells are played out to the end


def test_on_a_stuck_expert_board_the_expert_opens_another_cell_than_the_safest_and_says_why() -> None:
    text = (GOLDEN / "stuck").read_text()
    told = json.loads(mines("--mines", "99", "--json", text=text).stdout)
    answer = infer(View.from_text(text, mines=99))
    assert told["best"] == [[13, 9]]
    assert answer.risk((13, 9)) == pytest.approx(0.0690, abs=1e-4)
    assert told["expert"]["cell"] not in told["best"]
    assert told["expert"]["risk"] == pytest.approx(answer.risk(tuple(told["expert"]["cell"])))
    shown = " ".join(mines("--mines", "99", text=text).stdout.split())
    assert "least risk: 6.9% at (13,9)" in shown
    row, column = told["expert"]["cell"]
    assert f"the expert opens ({row},{column}), at {told['expert']['risk']:.1%}: {told['expert']['reason']}" in shown
    assert re.search(r"the next move is then \d+\.\d% safe", shown)


def test_an_ending_with_a_tie_of_three_shows_best_play_and_it_is_best() -> None:
    text = (GOLDEN / "ending").read_text()
    told = json.loads(mines("--mines", "99", "--json", text=text).stdout)
    assert told["fields"] == 48
    assert told["best"] == [[16, 25], [16, 26], [16, 28]]
    won = most_won_of(View.from_text(text, mines=99))
    assert told["expert"]["chance"] == pytest.approx(max(won.values()) / 48)
    assert won[tuple(told["expert"]["cell"])] == max(won.values()) > max(won[row, column] for row, column in told["best"])
    shown = " ".join(mines("--mines", "99", text=text).stdout.split())
    assert "proven best: of 48 fields that fit, best play wins 10; the game is won from here with 20.8%" in shown


def most_won_of(view: View) -> dict[tuple[int, int], int]:
    """Of every cell that may be safe, how many fields best play wins after it was opened: CP-SAT lists the fields, all play is tried."""
    model = encode(view)
    fields = [decode(view, solution) for solution in model.solutions(backend="cpsat")]
    unknown = [cell for cell in view.covered if 0 < sum(cell in field.mines for field in fields) < len(fields)]
    values = [{cell: None if cell in field.mines else field.value(cell) for cell in unknown} for field in fields]

    @cache
    def best(possible: frozenset[int], opened: frozenset[tuple[int, int]]) -> int:
        done = [i for i in possible if all(value is None or cell in opened for cell, value in values[i].items())]
        free = {cell for cell in unknown if cell not in opened and all(values[i][cell] is not None for i in possible)}
        cells = sorted(free)[:1] or [cell for cell in unknown if cell not in opened]  # what is safe is opened first
        if len(done) == len(possible):
            return len(possible)
        return max(after(possible, opened, cell) for cell in cells)

    def after(possible: frozenset[int], opened: frozenset[tuple[int, int]], cell: tuple[int, int]) -> int:
        parts: dict[int, set[int]] = {}
        for i in possible:
            value = values[i][cell]
            if value is not None:
                parts.setdefault(value, set()).add(i)
        return sum(best(frozenset(part), opened | {cell}) for part in parts.values())

    everything = frozenset(range(len(fields)))
    return {cell: after(everything, frozenset(), cell) for cell in unknown}


def test_where_something_is_safe_no_expert_is_needed() -> None:
    assert "expert" not in json.loads(mines("--mines", "3", "--json", text=SEED).stdout)


def test_the_two_examples_of_an_undecided_cell_differ_as_little_as_can_be() -> None:
    view = View.from_text("1---\n----\n----\n---1", mines=5)
    free, mined = why(view, (1, 2)).examples
    assert len(free.mines ^ mined.mines) == 2  # the mine moves to another cell beside the same number


def test_numbers_that_cannot_hold_together_are_named() -> None:
    result = mines(text="1-0\n")
    assert result.exit_code == 1
    assert "(1,1) shows 1; (1,3) shows 0 cannot all hold" in result.stdout
    told = mines("--json", text="1-0\n")
    assert told.exit_code == 1
    assert json.loads(told.stdout)["conflict"] == ["(1,1) shows 1", "(1,3) shows 0"]


def test_the_picture_is_drawn_in_plain_text_and_as_svg(tmp_path: Path) -> None:
    result = mines("--mines", "3", "--svg", str(tmp_path / "mines.svg"), text=SEED)
    assert "safe: (1,4), (3,4), (4,1), (4,3)" in result.stdout
    assert "\x1b" not in result.stdout
    assert (tmp_path / "mines.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_least_risk_is_told_once_and_cells_are_written_in_one_way() -> None:
    told = mines("--mines", "2", text="1--\n---\n").stdout
    assert told.count("least risk:") == 1
    assert "least risk: 33.3% at (1,2), (2,1), (2,2)" in told


def test_no_cell_is_advised_where_all_are_mines() -> None:
    for text, number in (("--\n", "2"), ("1-\n", "1")):
        result = mines("--mines", number, text=text)
        assert result.exit_code == 0, result.stderr
        assert "least risk" not in result.stdout
        assert "expert" not in result.stdout


def test_a_size_that_cannot_be_known_is_asked_for() -> None:
    asked = mines(text="valor(2,3,1).")
    assert asked.exit_code == 2
    assert "give --rows" in asked.stderr
    square, given = mines("--rows", "3", text="valor(2,3,1)."), mines("--rows", "3", "--columns", "3", text="valor(2,3,1).")
    assert square.exit_code == given.exit_code == 0
    assert square.stdout == given.stdout


def test_a_frontier_too_wide_is_told_to_scripts_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_wide(view: View) -> None:
        raise DiagramTooWide("too wide", 10, 5)

    monkeypatch.setattr("models.minesweeper.description.infer", too_wide)
    result = mines("--json", text=SEED)
    assert result.exit_code == 3
    assert json.loads(result.stdout) == {"game": "minesweeper", "status": "unknown", "reason": "too wide"}


def test_a_byte_order_mark_and_lines_as_windows_ends_them_change_nothing() -> None:
    plain = mines("--mines", "3", text=SEED)
    marked = CliRunner().invoke(app, ["mines", "-", "--mines", "3"], input=b"\xef\xbb\xbf" + SEED.replace("\n", "\r\n").encode())
    assert (marked.exit_code, marked.stdout) == (0, plain.stdout)


def test_standard_input_that_is_no_text_is_bad_input() -> None:
    result = CliRunner().invoke(app, ["mines", "-"], input=b"\xff\xfe1\x00-\x00")
    assert result.exit_code == 2
    assert "cannot read standard input: line 1, column 1: expected UTF-8 text" in result.stderr


@pytest.mark.parametrize(
    ("args", "text", "message"),
    [
        (("--why", "9,9"), SEED, "outside the board"),
        (("--why", "1,1"), SEED, "is open"),
        (("--why", "corner"), SEED, "--why takes two numbers, ROW,COL"),
        ((), "00\n0\n", "standard input: line 2, column 2"),
        ((), "tamanho(2).", "let an agent play it"),
        (("--mines", "-1"), SEED, "number of mines"),
        (("--rows", "0"), "valor(1,1,1).", "rows 1 to 0"),
    ],
)
def test_bad_input_is_told_without_a_traceback(args: tuple[str, ...], text: str, message: str) -> None:
    result = mines(*args, text=text)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    "words", [["mines", "-"], ["solve", "minesweeper", "-"], ["solve", "minesweeper", "-", "--count"], ["hint", "minesweeper", "-"]]
)
def test_reading_is_part_of_the_time_that_is_given(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run(app, words, input="1-\n--")  # loads what it takes
    now = [0.0]
    monkeypatch.setattr("cpsolve.limits.time.monotonic", lambda: now[0])
    text_of = files.text_of

    def slowly(stream: Any) -> str:
        now[0] += 2
        return text_of(stream)

    monkeypatch.setattr(files, "text_of", slowly)
    assert run(app, [*words, "--time-limit", "3"], input="1-\n--").exit_code == 0
    late = run(app, [*words, "--time-limit", "1"], input="1-\n--")
    assert late.exit_code == 3
    assert "the time limit of 1 s" in late.stderr

"""Drawings, plain rows and Prolog lists."""

from __future__ import annotations

import pytest

from cpsolve.errors import FormatError
from models.center import Position, from_prolog, from_text, to_prolog
from tests.center.examples import DRAWN_HEXAGON, FINAL, GOLDEN, INITIAL, INTERMEDIATE, PASSING


@pytest.mark.parametrize(("name", "rows"), [("initial", INITIAL), ("intermediate", INTERMEDIATE), ("final", FINAL)])
def test_the_seeds_boards_are_read_and_written_as_the_seed_prints_them(name: str, rows: list[list[str]]) -> None:
    text = (GOLDEN / f"{name}.pl").read_text()
    assert from_prolog(text).rows() == rows
    assert to_prolog(Position.from_rows(rows)) == text


def test_the_seeds_final_board_is_drawn_with_its_column_numbers() -> None:
    assert str(Position.from_rows(FINAL)) + "\n" == (GOLDEN / "final.txt").read_text()


def test_a_hexagon_is_drawn_with_indented_rows() -> None:
    text = (GOLDEN / "hexagon.txt").read_text()
    position = from_text(text)
    assert position.shape == "hex"
    assert position.size == 3
    assert str(position) + "\n" == text


@pytest.mark.parametrize(
    "position",
    [
        Position.from_rows(PASSING, to_move="x"),
        Position.from_rows(DRAWN_HEXAGON, to_move="o"),
        Position.from_rows(DRAWN_HEXAGON, to_move="x"),
        Position(size=5, swap=True).play((1, 1)),
        Position(size=5, swap=True).play((1, 1)).play("swap"),
        Position(size=11).play((11, 11)),
        Position.from_rows(["ooo", "oo.", "..."], to_move="x"),
        Position.from_rows(["ooo", "oo.", "..."], to_move="o"),
    ],
)
def test_what_the_stones_do_not_tell_is_written_too(position: Position) -> None:
    assert from_text(str(position)) == position
    assert from_prolog(to_prolog(position)) == position


def test_plain_rows_with_and_without_spaces_are_the_same_board() -> None:
    assert from_text("x.o\n...\n...") == from_text("x . o\n. . .\n. . .\nx to move") == Position.from_rows(["x.o", "...", "..."])


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("x.o\n.?.\n...", 2, 2, "expected x, o or . for a cell, found '?'"),
        ("x.o\n...", 1, 1, "no board of Center"),
        ("", 1, 1, "no board of Center"),
        ("x.o\n...\n...\nx to move\n...", 5, 1, "expected the end of the text"),
        ("ooo\n...\n...", 1, 1, "give to_move"),
        ("1 | x ! o |   |", 1, 7, "expected '|' or a space"),
    ],
)
def test_unreadable_text_says_where_and_what_was_expected(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        from_text(text)
    assert words in str(refused.value)
    assert (refused.value.line, refused.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found no term"),
        ("[[x,o],[o,x]].", "has no centre"),
        ("board(5).", "expected a list of rows"),
        ("[[x,1,o],[x,x,x],[o,o,o]].", "expected 'x', 'o' or ' ' in a row, found 1"),
        ("[[x]].\nto_move(z).", "expected to_move(x), to_move(o)"),
        ("[[x]", "expected ',' or ']'"),
    ],
)
def test_unreadable_prolog_says_what_was_expected(text: str, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        from_prolog(text)
    assert words in str(refused.value)

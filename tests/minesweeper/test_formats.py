"""The original's drawing and plain rows are read back as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.errors import FormatError
from models.minesweeper import Field, Game, View

GOLDEN = Path(__file__).parent.parent / "golden" / "minesweeper"


@st.composite
def fields(draw: st.DrawFn) -> Field:
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    return Field(rows, columns, draw(st.sets(st.sampled_from(cells))))


@settings(deadline=None, max_examples=50, derandomize=True)
@given(fields())
def test_a_field_is_read_back_from_its_drawing_and_from_plain_rows(field: Field) -> None:
    assert Field.from_text(str(field)) == field
    assert Field.from_text(field.to_text()) == field


@settings(deadline=None, max_examples=50, derandomize=True)
@given(fields(), st.data())
def test_a_view_is_read_back_from_its_drawing(field: Field, data: st.DataObject) -> None:
    cells = [(row, column) for row in range(1, field.rows + 1) for column in range(1, field.columns + 1)]
    opened = data.draw(st.sets(st.sampled_from(cells))) - field.mines
    flags = data.draw(st.sets(st.sampled_from(cells))) - opened
    view = View(field.rows, field.columns, field.view(opened).open, len(field.mines), flags)
    assert View.from_text(str(view), len(field.mines)) == view
    assert View.from_prolog(view.to_prolog(), view.rows, view.columns).open == view.open


def test_boards_with_hundreds_of_rows_are_read_back() -> None:
    field = Field.random(120, 3, 40, seed=1)
    assert Field.from_text(str(field)) == field


def test_the_originals_own_drawings_are_read() -> None:
    field = Field.from_text((GOLDEN / "tabuleiro").read_text())
    assert field == Field.from_prolog((GOLDEN / "mina.pl").read_text())
    view = View.from_text((GOLDEN / "heuristica").read_text())
    assert view.to_text() == "001-\n001-\n113-\n----"


def test_words_beside_a_drawing_do_not_count() -> None:
    """The original prints explanations to the right of its boards."""
    text = " 1 | 1 | # |\tPara salvar o desenho, use redirecionamento.\n   |--- ---|\n 2 | 1 | 1 |"
    assert Field.from_text(text).mines == {(1, 2)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" 1 | 1 | # |\n 3 | 1 | 1 |", "line 2, column 2: expected row 2, found row 3"),
        (" 1 | 1 | # |\n 2 | 1 |", "line 2, column 7: expected 2 cells as in the first row, found 1"),
        (" 1 | 2 | # |", r"line 1, column 6: the cell \(1,1\) shows 2, but 1 of its neighbours are mines"),
        (" 1 | 12 | # |", "expected one sign per cell, found '12'"),
        (" 1 | - | # |", "expected '#', '0' to '8' or '.', found '-'"),
        (" 1 | 1 | # |\nhello", "line 2, column 1: expected a row"),
        ("", "expected a board"),
    ],
)
def test_a_bad_drawing_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Field.from_text(text)


def test_a_game_goes_on_from_a_view_of_its_field() -> None:
    field = Field(4, 4, mines={(2, 4), (4, 2), (4, 4)})
    game = Game.from_view(field, View.from_text("001-\n001-\n113-\n----", mines=3))
    assert len(game.view.open) == 9
    for cell in ((1, 4), (3, 4), (4, 1), (4, 3)):
        game.open(cell)
    assert game.status == "won"
    assert View.from_prolog(game.log(), 4, 4).open == game.view.open


def test_a_view_of_another_field_is_refused() -> None:
    from cpsolve.errors import ModelError

    with pytest.raises(ModelError, match="not one of this field"):
        Game.from_view(Field(1, 2, {(1, 2)}), View.from_text("0-"))

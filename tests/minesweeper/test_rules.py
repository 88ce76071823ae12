"""The game and the original's files."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve import FormatError, ModelError
from models.minesweeper import Field, Game, View
from models.minesweeper.formats import Cell
from models.minesweeper.rules import FirstClick, neighbours

GOLDEN = Path(__file__).parent.parent / "golden" / "minesweeper"
SEED = Field(4, 4, mines={(2, 4), (4, 2), (4, 4)})


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8")


# -- the original's files


def test_the_seeds_mina_pl_is_read_and_written_byte_for_byte() -> None:
    assert Field.from_prolog(golden("mina.pl")) == SEED
    assert SEED.to_prolog() == golden("mina.pl")


def test_the_seeds_ambiente_pl_is_read_and_written_byte_for_byte() -> None:
    assert SEED.environment() == golden("ambiente.pl")
    assert Field.from_environment(golden("ambiente.pl")) == SEED


def test_the_seeds_drawing_is_drawn_byte_for_byte() -> None:
    assert f"{SEED}\n" == golden("tabuleiro")


def test_the_seeds_drawing_of_a_view_is_drawn_byte_for_byte() -> None:
    view = View.from_text("001-\n001-\n113-\n----")
    assert f"{view}\n" == golden("heuristica")


def test_the_seeds_game_is_logged_byte_for_byte() -> None:
    game = Game(SEED)
    for cell in [(3, 4), (2, 2), (4, 4)]:
        game.open(cell)
    assert game.log() == golden("jogo.pl")
    assert game.status == "lost"


def test_the_seeds_messages_end_a_game() -> None:
    lost = Game(SEED)
    lost.open((3, 4))
    lost.open((4, 4))
    assert lost.transcript() == "valor(3,4,2).\njogo encerrado\n"
    won = Game(Field(1, 3, {(1, 3)}))
    won.open((1, 1))
    assert won.transcript() == "valor(1,1,0).\nvalor(1,2,1).\nGanhou :D\n"


def test_a_log_tells_the_view() -> None:
    view = View.from_prolog(golden("jogo.pl"), 4, 4, mines=3)
    assert view.to_text() == "001-\n001-\n1132\n----"


def test_a_board_that_is_not_square_tells_rows_and_columns() -> None:
    field = Field(2, 3, {(1, 3)})
    assert field.to_prolog() == "tamanho(2,3).\nmina(1,3).\n"
    assert Field.from_prolog(field.to_prolog()) == field


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32), st.data())
def test_fields_survive_their_files(rows: int, columns: int, seed: int, data: st.DataObject) -> None:
    field = Field.random(rows, columns, data.draw(st.integers(0, rows * columns)), seed)
    assert Field.from_prolog(field.to_prolog()) == field
    if len(field.mines) < rows * columns:
        assert Field.from_environment(field.environment(), rows, columns) == field


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("mina(1,1).", 1, 1, "tamanho"),
        ("tamanho(4).\nmina(5,1).", 2, 1, "outside the board"),
        ("tamanho(4).\n  mina(1,1). mina(1,1).", 2, 14, "twice"),
        ("tamanho(4).\ntamanho(5).", 2, 1, "twice"),
        ("tamanho(0).", 1, 1, "size from 1"),
        ("tamanho(4).\nmina(a,1).", 2, 1, "whole numbers"),
        ("tamanho(4).\nbomba(1,1).", 2, 1, "bomba/2"),
        ("tamanho(4)\nmina(1,1).", 2, 1, "expected"),
    ],
)
def test_a_wrong_mina_pl_says_where(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        Field.from_prolog(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("1-\n-x", 2, 2, "found 'x'"),
        ("1-9", 1, 3, "found '9'"),
        ("---\n--\n---", 2, 3, "expected 3 cells"),
        ("--\n---", 2, 3, "expected 2 cells"),
        ("\n   1-\n   1 -", 3, 5, "found ' '"),
        ("", 1, 1, "found no text"),
        ("1-\n\n1-", 2, 1, "expected 2 cells"),
    ],
)
def test_a_wrong_view_says_where(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        View.from_text(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("text", ["valor(1,1,9).", "valor(1,1,1). valor(1,1,1).", "valor(3,1,0).", "valor(1,1).", "mina(1,1)."])
def test_a_wrong_log_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        View.from_prolog(text, 2, 2)


def test_an_environment_whose_numbers_are_wrong_is_refused() -> None:
    with pytest.raises(FormatError, match="is wrong"):
        Field.from_environment("valor(1,1,1). valor(1,2,0).")


# -- views


def test_a_view_is_equal_to_another_with_the_same_cells_flags_and_mines() -> None:
    view = View.from_text("1-\nF-", mines=1)
    assert view == View(2, 2, open={(1, 1): 1}, mines=1, flags=[(2, 1)])
    assert hash(view) == hash(View.from_text(view.to_text(), mines=1))
    assert view != View.from_text("1-\n--", mines=1)
    assert view != View.from_text("1-\nF-")


@pytest.mark.parametrize(
    ("opened", "mines", "flags", "words"),
    [
        ({(3, 1): 1}, None, (), "outside"),
        ({(1, 1): 9}, None, (), "0 to 8"),
        ({}, -1, (), "0 to 1,000,000"),
        ({}, 10**30, (), "0 to 1,000,000"),
        ({(1, 1): 1}, None, [(1, 1)], "open and cannot be flagged"),
        ({}, None, [(0, 1)], "outside"),
    ],
)
def test_a_view_checks_itself(opened: dict[Cell, int], mines: int | None, flags: list[Cell], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        View(2, 2, opened, mines, flags)


def test_fields_and_views_do_not_change_and_survive_pickling() -> None:
    view = View.from_text("1-\nF-", mines=1)
    assert view.open == {(1, 1): 1}
    with pytest.raises(AttributeError):
        view.mines = 2
    with pytest.raises(AttributeError):
        SEED.rows = 5
    with pytest.raises(ValueError, match="read-only"):
        view.grid[0, 0] = 3
    assert SEED.value((3, 3)) == 3
    for thing in (view, SEED):
        assert pickle.loads(pickle.dumps(thing)) == thing


def test_a_board_needs_cells() -> None:
    with pytest.raises(ModelError, match="1 to 1,000 rows"):
        Field(0, 3, set())
    with pytest.raises(ModelError, match="holds 0 to 4 mines"):
        Field.random(2, 2, 5)


# -- games


def recursive_opening(field: Field, cell: Cell, known: dict[Cell, int]) -> None:
    """The original's posicao/2 as its text tells it."""
    if cell in known:
        return
    known[cell] = field.value(cell)
    if known[cell] == 0:
        for near in neighbours(cell, field.rows, field.columns):
            recursive_opening(field, near, known)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 2**32))
def test_opening_reveals_what_the_seeds_recursion_does_in_the_same_order(rows: int, columns: int, seed: int) -> None:
    field = Field.random(rows, columns, (rows * columns - 1) // 6, seed)
    start = next(cell for cell in View(rows, columns, {}).covered if cell not in field.mines)
    expected: dict[Cell, int] = {}
    recursive_opening(field, start, expected)
    assert list(Game(field).open(start).items()) == list(expected.items())


def test_a_large_empty_board_opens_at_once() -> None:
    game = Game(Field(200, 200, {(1, 1)}))
    assert len(game.open((200, 200))) == 200 * 200 - 1
    assert game.status == "won"


def test_opening_an_open_cell_changes_nothing() -> None:
    game = Game(SEED)
    game.open((3, 4))
    log = game.log()
    assert game.open((3, 4)) == {}
    assert game.log() == log
    assert game.status == "playing"


def test_after_the_end_no_cell_opens() -> None:
    game = Game(SEED)
    game.open((4, 4))
    assert game.status == "lost"
    with pytest.raises(ModelError, match="the game is lost"):
        game.open((1, 1))


def test_the_field_is_hidden_until_the_game_is_over() -> None:
    game = Game(SEED)
    with pytest.raises(ModelError, match="when the game is over"):
        game.reveal()
    game.open((2, 4))
    assert game.reveal() == SEED


def test_flags_mark_covered_cells_only_and_stop_no_opening() -> None:
    game = Game(SEED)
    game.flag((1, 1))
    assert game.view.flags == {(1, 1)}
    game.open((2, 2))
    assert game.view.flags == frozenset()
    with pytest.raises(ModelError, match="is open"):
        game.flag((1, 1))


@pytest.mark.parametrize("cell", [(0, 1), (1, 0), (5, 1), (1, 5)])
def test_cells_outside_the_board_are_refused(cell: Cell) -> None:
    with pytest.raises(ModelError, match="outside the board"):
        Game(SEED).open(cell)


@pytest.mark.parametrize("seed", range(20))
def test_a_first_click_keeps_its_promise_and_the_number_of_mines(seed: int) -> None:
    field = Field.random(5, 5, 12, seed)
    for promise, zero in (("safe", False), ("opening", True)):
        game = Game(field, "safe" if promise == "safe" else "opening", seed)
        revealed = game.open((3, 3))
        assert revealed
        assert not zero or revealed[3, 3] == 0
        assert game.mines == 12


@pytest.mark.parametrize(("promise", "away"), [("safe", 1), ("opening", 4)])
def test_moved_mines_make_every_field_that_keeps_the_promise_equally_likely(promise: FirstClick, away: int) -> None:
    counts: Counter[frozenset[Cell]] = Counter()
    cells = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
    for mines in combinations(cells, 2):
        for seed in range(60):
            game = Game(Field(3, 3, mines), promise, seed)
            game.open((1, 1))
            counts[game._field.mines] += 1
    free = 9 - away
    assert len(counts) == free * (free - 1) // 2
    mean = 36 * 60 / len(counts)
    assert all(0.75 * mean < count < 1.25 * mean for count in counts.values())


def test_where_mines_have_no_place_to_go_they_stay_around_the_first_cell() -> None:
    every = {(row, column) for row in (1, 2, 3) for column in (1, 2, 3)}
    game = Game(Field(3, 3, every - {(1, 1)}), "opening")
    assert game.open((2, 2)) == {(2, 2): 8}
    assert Game(Field(3, 3, every), "safe").status == "won"


def test_an_unknown_first_click_is_refused() -> None:
    with pytest.raises(ModelError, match="first_click"):
        Game(SEED, "lucky")  # type: ignore[arg-type]

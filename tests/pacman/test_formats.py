"""Boards read and write the original's params.pl, draw as the original draws, and errors in a text say where they are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings

from cpsolve.errors import FormatError
from models.pacman import BOARDS, Board, solve
from models.pacman.formats import draw
from tests.routes_oracle import boards

PARAMS = "dimensoes(3, 2).\nposicao(pacman, 0, 0).\nposicao(ponto, 1, 0).\nposicao(cereja, 2, 0).\n"


@given(boards())
@settings(deadline=None, max_examples=60, derandomize=True)
def test_a_written_board_reads_back_as_itself(board: Board) -> None:
    assert Board.from_prolog(board.to_prolog()) == board
    assert Board.from_text(str(board)) == board
    assert Board.from_text(board.to_text()) == board


def test_spaces_and_the_originals_signs_are_read_in_maps() -> None:
    assert Board.from_text("<oC\nX_#") == Board.from_text("PoC\nx #") == Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], [(2, 1)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PoCz", "line 1, column 4: found 'z': a cell is one of"),
        ("PoC\n..", "line 2, column 2: expected 3 cells as in the first row, found 2"),
        ("PoC\n..P", "line 2, column 3: expected one pacman, found a second"),
        ("Po.", "nothing says where the cherry is: expected the sign C"),
        ("-----", "expected a map"),
    ],
)
def test_a_bad_map_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Board.from_text(text)


def test_ghosts_and_walls_may_be_missing() -> None:
    assert Board.from_prolog(PARAMS) == Board(3, 2, (0, 0), (1, 0), (2, 0), [])
    assert Board.from_prolog(PARAMS + "posicao(parede, [[2, 1]]).").walls == {(2, 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dimensoes(3, 2).", r"expected the fact posicao\(pacman, X, Y\), found none"),
        ("posicao(pacman, 0, 0).", r"expected the fact dimensoes\(Largura, Altura\), found none"),
        (PARAMS + "posicao(ponto, 1, 1).", r"line 5, column 1: expected one posicao\(ponto, X, Y\), found a second"),
        (PARAMS + "posicao(fantasma, [[1, 2, 3]]).", r"line 5, column 1: expected cells \[X, Y\] in the list, found \[1, 2, 3\]"),
        (PARAMS + "posicao(fantasma, 1, 1).", r"line 5, column 1: expected dimensoes.*found posicao\(fantasma, 1, 1\)"),
        (PARAMS + "posicao(bruxa, [[1, 1]]).", "line 5, column 1: expected dimensoes"),
        (PARAMS + "posicao(fantasma, [[1, 1]).", "line 5, column 26: expected ',' or ']', found \\)"),
    ],
)
def test_errors_say_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Board.from_prolog(text)


def test_a_board_draws_as_in_the_seed() -> None:
    assert str(BOARDS["seed"]).splitlines()[:6] == [
        "-------------------------",
        "|   <   _   _   _   _   |",
        "-------------------------",
        "|   _   x   _   _   _   |",
        "-------------------------",
        "|   _   o   _   x   _   |",
    ]


def test_a_drawing_shows_what_is_eaten() -> None:
    board = BOARDS["seed"]
    last = draw(board, solve(board).states[-1])
    assert last.count("<") == 1
    assert not set("oxC") & set(last)


def test_importing_pacman_loads_no_other_game_and_no_solver() -> None:
    program = "import sys, models.pacman; print([name for name in sys.modules if name in ('models.busy_police', 'ortools', 'numba')])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize(("text", "message"), [
    ("|<|\n||", "line 2, column 1: expected 1 cells as in the first row, found 0"),
    ("||\nPoC", "line 2, column 3: expected 0 cells as in the first row, found 3"),
])  # fmt: skip
def test_a_row_without_cells_is_as_wrong_as_any_other_of_another_length(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Board.from_text(text)

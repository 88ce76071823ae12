"""Boards as text: what no board is drawn as is refused before anything is made of it, and reading has the limits of the command."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsolve.errors import FormatError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.prolog import parse_facts
from cpsolve.puzzles.boards_as_text import LINE_ENDS, last_place, lines_of, places_of, signs_in
from models import busy_police, center, minesweeper, pacman
from models.four_in_a_line import Position
from models.minesweeper.pasted import read_pasted

READERS: dict[str, Callable[[str], Any]] = {
    "a scene": busy_police.Scene.from_text,
    "a position of Center": center.from_text,
    "a position of four-in-a-line": Position.from_text,
    "a field": minesweeper.Field.from_text,
    "a view": minesweeper.View.from_text,
    "a pasted view": read_pasted,
    "a board of Pacman": pacman.Board.from_text,
    "a maze": pacman.Maze.from_layout,
}
MANY = 2_100_000
"""Lines: more than twice a million, the rows of the longest board that there is."""


@pytest.mark.parametrize(
    "text", [".\n" * MANY, "\n" * MANY, "-\v" * MANY, "-" * 2 * MANY, "1|" + ". " * MANY + "|"], ids=lambda text: text[:2]
)
@pytest.mark.parametrize("name", READERS)
def test_a_text_that_no_board_is_drawn_as_is_refused_before_anything_is_made_of_it(name: str, text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"at most|found no"):
            READERS[name](text)
        assert tracemalloc.get_traced_memory()[1] < 3 * len(text)
    finally:
        tracemalloc.stop()


LARGE: dict[str, str] = {
    "a scene": "\n".join(["P" + "." * 199, *["." * 200] * 8, "." * 199 + "F"]),
    "a field": "\n".join(["#" * 200] * 10),
    "a view": "\n".join(["-" * 200] * 10),
    "a board of Pacman": "\n".join(["PoC" + "." * 197, *["." * 200] * 9]),
    "a maze": "\n".join(["P" + "." * 199, *["." * 200] * 9]),
}


@pytest.mark.parametrize("name", LARGE)
def test_whoever_reads_a_large_board_looks_at_the_clock(name: str) -> None:
    READERS[name](LARGE[name])
    with Deadline(0).watched(), pytest.raises(TimeLimitError, match="reading the"):
        READERS[name](LARGE[name])


def test_whoever_reads_many_facts_looks_at_the_clock() -> None:
    assert len(parse_facts("a.\n" * 1000)) == 1000
    with Deadline(0).watched(), pytest.raises(TimeLimitError, match="reading facts"):
        parse_facts("a.\n" * 1000)


def test_a_small_board_is_read_even_when_no_time_is_left() -> None:
    with Deadline(0).watched():
        assert pacman.Board.from_text("PoC").cherry == (2, 0)
        assert busy_police.SCENES["evidencias"] == busy_police.Scene.from_text(str(busy_police.SCENES["evidencias"]))
        assert len(parse_facts("a. b. c.")) == 3


@given(st.text(alphabet=LINE_ENDS + "ab |", max_size=30))
def test_lines_are_those_of_python(text: str) -> None:
    assert [line for _, line in lines_of(text, 1, 1)] == text.splitlines()
    assert 1 + sum(map(text.count, LINE_ENDS)) >= len(text.splitlines())


@given(st.text(alphabet="ab| \t\u3000\xa0", max_size=20))
def test_the_signs_of_a_line_are_counted_as_they_are_listed(line: str) -> None:
    listed = list(places_of(line))
    assert signs_in(line) == len(listed)
    assert all(line[place - 1] == sign for sign, place in listed)
    assert last_place(line) == (listed[-1][1] if listed else 1)

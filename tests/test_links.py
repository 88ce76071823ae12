"""Links of puzzle sites: what they say is what is written, whatever the puzzle; published ones are read as they are meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve import FormatError, ModelError
from cpsolve.puzzles import links
from cpsolve.puzzles.boards import GridPuzzle

PUBLISHED = {
    "slither/5/5/cbcbcddad": {(0, 0): 2, (0, 3): 1, (1, 1): 2, (1, 4): 1, (2, 2): 2, (3, 0): 3, (3, 3): 3, (4, 1): 0, (4, 4): 3},
    "mashu/6/6/1063000i3000": {(0, 2): "white", (1, 1): "black", (1, 4): "white", (3, 3): "black", (4, 1): "white"},
    "yajilin/5/5/m32j10": {(2, 3): ("left", 2), (4, 4): ("up", 0)},
    "heyawake/6/6/lll155007rs12222j": {(0, 0): 2, (0, 1): 2, (0, 3): 2, (0, 5): 2},
    "nurikabe/5/5/g5k2o1k3g": {(0, 1): 5, (1, 2): 2, (3, 2): 1, (4, 3): 3},
    "lightup/6/6/nekcakbl": {(1, 2): 4, (2, 4): 2, (3, 1): 0, (4, 3): 1},
    "sudoku/4/4/g1k23k3g": {(0, 1): 1, (1, 3): 2, (2, 0): 3, (3, 2): 3},
    "shikaku/6/6/j3g56h6t6h23g5j": {(0, 4): 3, (1, 0): 5, (1, 1): 6, (1, 4): 6, (4, 1): 6, (4, 4): 2, (4, 5): 3, (5, 1): 5},
    "hashikake/5/5/4g2i3h23k3g1g3g4g3": dict(
        zip(
            [(0, 0), (0, 2), (1, 1), (1, 4), (2, 0), (3, 1), (3, 3), (4, 0), (4, 2), (4, 4)],
            [4, 2, 3, 2, 3, 3, 1, 3, 4, 3],
            strict=True,
        )
    ),
    "kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3": {
        **{(0, 0): (4, 8), (0, 3): (10, None), (1, 4): (10, None), (2, 2): (17, 3), (3, 0): (None, 21), (4, 1): (None, 12)},
        **dict.fromkeys([(0, 4), (4, 0), (4, 4)], (None, None)),
    },
    "tents/5/5/2g0h1i1j82323": dict.fromkeys([(0, 2), (2, 1), (2, 4), (3, 3), (4, 1)], "tree"),
    "hitori/4/4/1114142333214213": {divmod(place, 4): int(digit) for place, digit in enumerate("1114142333214213")},
    "fillomino/6/6/h4j53g2k5233k2g14j3h": {
        **{(0, 2): 4, (1, 1): 5, (1, 2): 3, (1, 4): 2, (2, 4): 5, (2, 5): 2},
        **{(3, 0): 3, (3, 1): 3, (4, 1): 2, (4, 3): 1, (4, 4): 4, (5, 3): 3},
    },
    "starbattle/6/6/1/4ilbhgdnmhou": {},
    "skyscrapers/4/4/k13h4j3g": {},
    "nonogram/6/6/12g1111h11112j12g11g21j11g3h": {},
}
"""The examples with which pzprjs tests itself, and the clues in its files for them."""


@pytest.mark.parametrize("link", PUBLISHED)
def test_a_published_link_has_the_clues_of_its_file_and_is_written_again_letter_by_letter(link: str) -> None:
    puzzle = links.read(f"https://puzz.link/p?{link}")
    assert puzzle.clues == PUBLISHED[link]
    assert links.write(puzzle) == f"https://puzz.link/p?{link}"


def test_every_kind_has_a_published_link() -> None:
    assert {links.read(link).kind for link in PUBLISHED} == set(links.KINDS)


def test_what_stands_outside_and_regions_are_read_as_in_the_published_files() -> None:
    assert links.read("tents/5/5/2g0h1i1j82323").outside == {"top": (2, None, 0, None, None), "left": (1, None, None, None, 1)}
    towers = links.read("skyscrapers/4/4/k13h4j3g").outside
    assert (towers["bottom"], towers["left"], towers["right"]) == ((None, 1, 3, None), (None, 4, None, None), (None, None, 3, None))
    assert links.read("kakuro/5/5/48la0.na0lh3l0Bn.0cl.c4a3").outside["top"] == (None, 12, 4, None, None)
    lines = links.read("nonogram/6/6/12g1111h11112j12g11g21j11g3h").outside
    assert lines["top"] == ((2, 1), (1, 1, 1), (1,), (1, 1, 1), (2, 1), ())
    assert lines["left"] == ((2, 1), (1, 1), (1, 2), (), (1, 1), (3,))
    stars = links.read("starbattle/6/6/1/4ilbhgdnmhou")
    assert stars.number == 1
    assert stars.regions[3] == (5, 5, 3, 3, 4, 2)


# -- any puzzle


NUMBERS = st.none() | st.integers(0, 12287)
CLUES: dict[str, st.SearchStrategy[Any]] = {
    "slitherlink": st.none() | st.integers(0, 4),
    "akari": st.none() | st.integers(0, 4),
    "masyu": st.sampled_from(["white", "black"]),
    "yajilin": st.tuples(st.sampled_from([None, "up", "down", "left", "right"]), st.none() | st.integers(0, 4095)),
    "hitori": st.none() | st.integers(0, 1295),
    "kakuro": st.tuples(*[st.none() | st.integers(1, 45)] * 2),
    "tents": st.just("tree"),
    **dict.fromkeys(["nurikabe", "fillomino", "hashi", "shikaku", "sudoku", "skyscrapers", "heyawake"], NUMBERS),
}


@st.composite
def grid_puzzles(draw: Any, kind: str) -> GridPuzzle:
    rows, columns = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    clues = draw(st.dictionaries(cells, CLUES[kind], max_size=draw(st.sampled_from([2, 10, 80])))) if kind in CLUES else {}
    regions: tuple[tuple[int, ...], ...] = ()
    outside: dict[Any, Any] = {}

    def side(count: int, values: st.SearchStrategy[Any]) -> Any:
        return draw(st.lists(values, min_size=count, max_size=count).map(tuple))

    if kind in ("heyawake", "star battle"):
        walls = draw(st.lists(st.lists(st.integers(0, 2), min_size=columns, max_size=columns), min_size=rows, max_size=rows))
        regions = connected_parts(walls)
    if kind == "heyawake":
        firsts = [room[0] for room in GridPuzzle("", rows, columns, regions=regions).rooms()]
        clues = {cell: clue for cell, clue in clues.items() if cell in firsts}
    if kind == "kakuro":
        sums = st.none() | st.integers(1, 45)
        top, left = side(columns, sums), side(rows, sums)
        outside = {
            "top": tuple(None if (0, column) in clues else total for column, total in enumerate(top)),
            "left": tuple(None if (row, 0) in clues else total for row, total in enumerate(left)),
        }
    if kind == "tents":
        outside = {"top": side(columns, st.none() | st.integers(0, 20)), "left": side(rows, st.none() | st.integers(0, 20))}
    if kind == "skyscrapers":
        number = st.none() | st.integers(1, 20)
        outside = {"top": side(columns, number), "bottom": side(columns, number), "left": side(rows, number), "right": side(rows, number)}
    if kind == "nonogram":
        line = st.integers(1, 20)
        outside = {
            "top": side(columns, st.lists(line, max_size=(rows + 1) // 2).map(tuple)),
            "left": side(rows, st.lists(line, max_size=(columns + 1) // 2).map(tuple)),
        }
    return GridPuzzle(kind, rows, columns, clues, regions, outside, draw(st.integers(1, 12)) if kind == "star battle" else None)


def connected_parts(labels: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """Numbers parts of equal labels that touch, in the order of their first cells."""
    rows, columns = len(labels), len(labels[0])
    found: dict[tuple[int, int], int] = {}
    for row in range(rows):
        for column in range(columns):
            if (row, column) in found:
                continue
            number = max(found.values(), default=-1) + 1
            queue = [(row, column)]
            while queue:
                r, c = queue.pop()
                if 0 <= r < rows and 0 <= c < columns and (r, c) not in found and labels[r][c] == labels[row][column]:
                    found[r, c] = number
                    queue += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return tuple(tuple(found[row, column] for column in range(columns)) for row in range(rows))


@pytest.mark.parametrize("kind", links.KINDS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_again(kind: str, data: st.DataObject) -> None:
    puzzle = data.draw(grid_puzzles(kind))
    link = links.write(puzzle)
    assert links.read(link) == puzzle
    assert links.write(links.read(link)) == link


@settings(deadline=None)
@given(
    st.sampled_from(sorted(PUBLISHED)),
    st.integers(0, 40),
    st.text("0123456789abcdefghijklmnopqrstuvwxyzAZ.-+=%@/?_ \né", max_size=3),
    st.integers(0, 3),
)
def test_a_spoiled_link_is_a_puzzle_or_a_format_error_on_the_line(link: str, place: int, letters: str, less: int) -> None:
    spoiled = link[:place] + letters + link[place + less :]
    try:
        assert isinstance(links.read(spoiled), GridPuzzle)
    except FormatError as error:
        place_of_error = error.line, error.column
    else:
        return
    lines = spoiled.split("\n")
    assert 1 <= place_of_error[0] <= len(lines)
    assert 1 <= place_of_error[1] <= len(lines[place_of_error[0] - 1]) + 1


@pytest.mark.parametrize(
    ("link", "line", "column", "words"),
    [
        ("", 1, 1, "expected one link, got 0 lines"),
        ("slither/2/2/a\nslither/2/2/a", 2, 1, "expected one link, got 2 lines"),
        ("https://puzz.link/p?sudoku2/2/2/a", 1, 21, "expected a kind of puzzle among"),
        ("slither/x/2/h", 1, 9, "expected the number of columns"),
        ("slither/2/0/h", 1, 11, "expected the number of rows"),
        ("slither/5/5/cbcb", 1, 17, "the link ends after 12 of 25 places"),
        ("slither/2/2/2f", 1, 14, "got 'f'"),
        ("slither/2/2/2222g", 1, 17, "expected the end of the link, got 'g'"),
        ("nurikabe/2/2/-4", 1, 16, "the link ends in the middle of a clue"),
        ("nurikabe/2/2/-gg12", 1, 15, "expected 2 digits of base 16, got 'gg'"),
        ("nurikabe/2/2/z", 1, 14, "beyond the last of 4 places"),
        ("\n  nurikabe/2/2/h?", 2, 18, "kind of puzzle"),
        ("fillomino/t/3/3/o", 1, 11, "variants of rules are not known here"),
        ("starbattle/4/4/x/000000", 1, 16, "expected the number of stars, got 'x'"),
        ("kakuro/2/2/k.k!", 1, 15, "expected a sum"),
        ("yajilin/2/2/-9001c", 1, 14, "expected a direction from 0 to 4, got 9"),
        ("nonogram/2/2/1g1.", 1, 18, "not told"),
        ("nürikabe/2/2/j", 1, 1, "plain ASCII"),
    ],
)
def test_an_error_says_where_and_what_was_expected(link: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        links.read(link)
    assert words in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "puzzle",
    [
        GridPuzzle("go", 2, 2),
        GridPuzzle("slitherlink", 2, 2, {(0, 0): 5}),
        GridPuzzle("nurikabe", 2, 2, {(0, 0): 99999}),
        GridPuzzle("masyu", 2, 2, {(0, 0): "red"}),
        GridPuzzle("hitori", 1, 1, {(0, 0): 2000}),
        GridPuzzle("kakuro", 1, 1, {(0, 0): (46, None)}),
        GridPuzzle("yajilin", 1, 1, {(0, 0): ("up", 5000)}),
        GridPuzzle("star battle", 2, 2, number=1),
        GridPuzzle("heyawake", 1, 2, {(0, 0): 1, (0, 1): 1}, ((0, 0),)),
        GridPuzzle("nonogram", 1, 2, outside={"top": ((), ()), "left": ((1, 1),)}),
    ],
)
def test_what_a_link_cannot_say_is_refused(puzzle: GridPuzzle) -> None:
    with pytest.raises(ModelError):
        links.write(puzzle)


@pytest.mark.parametrize(
    "make",
    [
        lambda: GridPuzzle("sudoku", 0, 4),
        lambda: GridPuzzle("sudoku", 4, 4, {(4, 0): 1}),
        lambda: GridPuzzle("heyawake", 2, 2, regions=((0, 0),)),
        lambda: GridPuzzle("tents", 2, 2, outside={"top": (1,)}),
    ],
)
def test_a_puzzle_off_its_board_is_refused(make: Any) -> None:
    with pytest.raises(ModelError, match=r"expected|outside|region"):
        make()


def test_what_is_no_text_is_no_link() -> None:
    with pytest.raises(ModelError, match="expected a link as text, got 5"):
        links.read(5)  # type: ignore[arg-type]

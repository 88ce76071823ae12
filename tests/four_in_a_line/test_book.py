"""The opening book: its file, that it is used, and the program that makes it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks import make_book
from cpsolve.errors import FormatError, ModelError
from models.four_in_a_line import Position, book, engine, score, score_many, solve
from models.four_in_a_line.book import Book, Grid
from tests.four_in_a_line import slow_rules

SMALL = Grid(3, 4, 3)
"""A board on which plain minimax scores everything."""
SMALL_TABLE = ("--memory", "0.01")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Books are made for, and used on, the small board; the folder of what a run keeps."""
    monkeypatch.setattr(make_book, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(make_book, "BATCH", 20)
    monkeypatch.setattr(book, "FILE", tmp_path / "book.xz")
    monkeypatch.setattr(book, "SHAPE", (3, 4, 3))
    book.shipped.cache_clear()
    make_book.use.cache_clear()
    yield tmp_path / "kept"
    book.shipped.cache_clear()
    engine.limit_memory(engine.MEMORY)


def make(*arguments: str) -> None:
    """Runs the program; what was read of an earlier book is forgotten."""
    make_book.main([*arguments, *SMALL_TABLE])
    book.shipped.cache_clear()


def all_positions(depth: int) -> list[Position]:
    """All positions of the small board with up to that number of stones in which the game is not over, found by the rules."""
    listed, level = [Position(3, 4, 3)], {Position(3, 4, 3)}
    for _ in range(depth):
        children = {position.play(column) for position in level for column in position.legal_columns}
        level = {position for position in children if not position.is_over}
        listed += level
    return listed


def words(positions: list[Position]) -> tuple[book.Words, book.Words]:
    own, mask = zip(*(position.sides for position in positions), strict=True)
    return np.array(own, np.uint64), np.array(mask, np.uint64)


def mirrored(position: Position) -> Position:
    """The mirror image."""
    height = position.rows + 1
    piles = [
        [stones >> column * height & (1 << height) - 1 for column in range(position.columns)]
        for stones in (position.stones_a, position.stones_b)
    ]
    a, b = (sum(pile << (position.columns - 1 - column) * height for column, pile in enumerate(each)) for each in piles)
    return Position(position.rows, position.columns, position.connect, a, b)


def test_every_position_has_a_place_of_its_own_and_its_mirror_image_has_the_same() -> None:
    for stones in (4, 5, 8):
        positions = [position for position in all_positions(stones) if position.ply == stones]
        found = book.places(SMALL, stones).of(*words(positions)).tolist()
        assert max(found) < len(book.places(SMALL, stones))
        assert book.places(SMALL, stones).of(*words([mirrored(position) for position in positions])).tolist() == found
        assert len(set(found)) == len({min((p.stones_a, p.stones_b), (m.stones_a, m.stones_b)) for p in positions for m in [mirrored(p)]})


def test_the_program_meets_every_position_once() -> None:
    for stones in range(8):
        listed = [make_book.position_of(SMALL, *each) if stones % 2 == 0 else Position(3, 4, 3, each[0] ^ each[1], each[0])
                  for each in zip(*(part.tolist() for part in make_book.level(SMALL, stones)), strict=True)]  # fmt: skip
        expected = {position for position in all_positions(stones) if position.ply == stones}
        assert {each for position in listed for each in (position, mirrored(position))} == expected
        assert len(listed) == len({frozenset((position, mirrored(position))) for position in expected})


@pytest.mark.parametrize("depth", [4, 8])
def test_a_book_has_the_exact_score_of_every_position(small: Path, depth: int) -> None:
    make("--depth", str(depth), "--verify", "3")
    for position in all_positions(depth):
        assert book.score(position) == slow_rules.score(position)
        found = book.by_column(position)
        if position.ply == depth:
            assert found is None
        else:
            assert found == {column: -slow_rules.score(position.play(column)) for column in position.legal_columns}


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_run_that_was_stopped_goes_on_and_the_book_is_the_same(small: Path, executor: str) -> None:
    make("--depth", "8", "--verify", "1")
    kept = small / "8.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    expected = book.FILE.read_bytes()
    book.FILE.unlink()
    kept.write_bytes(b"".join(lines[:3]) + lines[3][:-9])  # two batches, and one that is cut short
    make("--depth", "8", "--seconds", "0")
    assert kept.read_bytes() == b"".join(lines[:3])
    assert not book.FILE.exists()
    make("--depth", "8", "--executor", executor, "--verify", "1")
    assert len(kept.read_bytes().splitlines()) > 3
    assert book.FILE.read_bytes() == expected


def test_a_journal_of_something_else_is_refused(small: Path) -> None:
    make("--depth", "4")
    from cpsolve.journal import line

    with (small / "4.jsonl").open("ab") as file:
        file.write(line({"record": [1, 2, 3]}))
    with pytest.raises(FormatError, match="expected places and scores"):
        make("--depth", "4")


def test_the_program_says_what_it_would_cost(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make("--depth", "4", "--estimate", "2")
    searched = sum(not any(position.play(column).is_over for column in position.legal_columns) for position in distinct(4))
    assert capsys.readouterr().out.startswith(f"{searched} positions with 4 stones at ")
    assert not book.FILE.exists()


def distinct(stones: int) -> list[Position]:
    """The positions of the small board with that number of stones, one of each two mirror images."""
    listed = [position for position in all_positions(stones) if position.ply == stones]
    return [
        position
        for position in listed
        if (position.stones_a, position.stones_b) <= (mirrored(position).stones_a, mirrored(position).stones_b)
    ]


def test_solve_and_score_take_what_the_book_says(small: Path) -> None:
    table = np.full(len(book.places(SMALL, 4)), 2, np.int8)
    book.FILE.write_bytes(book.pack({4: table}))
    position = Position.from_moves("1224", 3, 4, 3)
    before = Position.from_moves("122", 3, 4, 3)
    assert slow_rules.score(position) != 2
    assert score(position) == 2
    assert score_many([position, before]) == [2, score(before)]
    assert engine.at_most(position, 2)
    assert not engine.at_most(position, 1)
    assert solve(before).scores[4] == -2
    assert engine.search(position) == slow_rules.score(position)


def test_a_wrong_entry_does_not_pass_verification(small: Path) -> None:
    make("--depth", "4")
    known = book.shipped()
    assert make_book.verify(known, 1000, seed=1) == len(distinct(4))
    wrong = known.tables[4].copy()
    wrong[book.places(SMALL, 4).of(*words([Position.from_moves("1224", 3, 4, 3)]))] += 1
    with pytest.raises(AssertionError, match="a search anew does not find"):
        make_book.verify(Book(SMALL, {4: wrong}), 1000, seed=1)


def test_a_book_is_written_and_read_back_and_other_bytes_are_refused(small: Path) -> None:
    chance = np.random.default_rng(1)
    tables = {stones: chance.integers(-6, 7, len(book.places(SMALL, stones)), np.int8) for stones in (4, 8)}
    data = book.pack(tables)
    read = book.unpack(data).tables
    assert read.keys() == tables.keys()
    assert all((read[stones] == tables[stones]).all() for stones in tables)
    for wrong in (b"", b"book", data[:-20], book.pack({4: tables[4][:-1]}), book.pack({4: np.zeros(0, np.int8)})):
        with pytest.raises(ModelError, match="install the package again"):
            book.unpack(wrong)


def test_without_a_book_everything_is_searched_and_a_damaged_one_is_refused(small: Path) -> None:
    position = Position.from_moves("12", *book.SHAPE)
    assert not book.FILE.exists()
    assert solve(position).score == score(position) == slow_rules.score(position)
    book.shipped.cache_clear()
    book.FILE.write_bytes(book.pack({4: np.zeros(len(book.places(SMALL, 4)), np.int8)})[:-9])
    for asked in (solve, score):
        with pytest.raises(ModelError, match=r"the opening book cannot be read .*: install the package again"):
            asked(position)


def test_the_book_that_is_shipped_has_the_known_scores_of_the_first_moves() -> None:
    assert dict(solve(Position()).scores) == {1: -2, 2: -1, 3: 0, 4: 1, 5: 0, 6: -1, 7: -2}
    assert solve(Position()).nodes == 0  # nothing is searched
    assert book.FILE.stat().st_size < 3_000_000


def test_the_scores_of_the_book_that_is_shipped_are_those_that_a_search_finds() -> None:
    chance = random.Random(4)
    deepest = book.shipped().deepest
    games = [make_game(chance, stones) for stones in range(deepest + 1) for _ in range(20)]
    for position in games:
        found = book.by_column(position)
        assert (found is None) == (position.ply == deepest)
        assert found is None or max(found.values()) == book.score(position)
    for position in games[-5:]:
        assert book.score(position) == engine.search(position, progress=False)
    assert book.score(make_game(chance, deepest + 1)) is None


def make_game(chance: random.Random, stones: int) -> Position:
    """A position after random moves that is not over."""
    position = Position()
    while position.ply < stones:
        position = position.play(chance.choice(position.legal_columns))
        if position.is_over:
            position = Position()
    return position

"""The opening book: its file, that it is used, and the program that makes it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import make_book
from cpsolve.errors import ModelError
from models.four_in_a_line import Position, book, engine, score, score_many, solve
from tests.four_in_a_line import slow_rules

SMALL = Position(3, 4, 3)
"""A board on which plain minimax scores everything."""
SMALL_TABLE = ("--memory", "0.01")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Books are made for, and used on, the small board; the folder of what a run keeps."""
    monkeypatch.setattr(make_book, "START", SMALL)
    monkeypatch.setattr(make_book, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(make_book, "SAVED", tmp_path / "saved.xz")
    monkeypatch.setattr(make_book, "BATCH", 2)
    monkeypatch.setattr(book, "FILE", tmp_path / "book.xz")
    monkeypatch.setattr(book, "SHAPE", (3, 4, 3))
    book.entries.cache_clear()
    make_book.use.cache_clear()
    yield tmp_path / "kept"
    book.entries.cache_clear()
    engine.limit_memory(engine.MEMORY)


def all_positions(depth: int) -> Iterator[Position]:
    for stones in range(depth + 1):
        yield from make_book.positions(stones).values()


def test_a_book_holds_the_exact_score_of_every_position_and_its_mirror_image(small: Path) -> None:
    make_book.main(["--depth", "3", "--verify", "3", *SMALL_TABLE])
    book.entries.cache_clear()
    for position in all_positions(3):
        assert book.score(position) == slow_rules.score(position)
    mirrored = Position.from_moves("4431", *book.SHAPE)
    assert book.code(mirrored) == book.code(Position.from_moves("1124", *book.SHAPE))
    assert book.score(Position.from_moves("443", *book.SHAPE)) == book.score(Position.from_moves("112", *book.SHAPE))


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_run_that_was_stopped_goes_on_and_the_book_is_the_same(small: Path, executor: str) -> None:
    make_book.main(["--depth", "2", "--verify", "1", *SMALL_TABLE])
    lines = (small / "2.jsonl").read_bytes().splitlines(keepends=True)
    expected = book.FILE.read_bytes()
    assert book.unpack(expected) == {book.code(position): slow_rules.score(position) for position in all_positions(2)}
    book.FILE.unlink()
    (small / "2.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:-9])  # two positions, and one that is cut short
    make_book.main(["--depth", "2", "--seconds", "0", *SMALL_TABLE])
    assert len(book.unpack(make_book.SAVED.read_bytes())) == 2
    assert not book.FILE.exists()
    (small / "2.jsonl").unlink()  # as on another machine, to which only the small file was taken
    make_book.main(["--depth", "2", "--executor", executor, "--verify", "1", *SMALL_TABLE])
    assert len((small / "2.jsonl").read_bytes().splitlines()) == len(lines) - 2
    assert book.FILE.read_bytes() == expected
    assert not make_book.SAVED.exists()


def test_solve_and_score_take_what_the_book_says(small: Path) -> None:
    position = Position.from_moves("1", *book.SHAPE)
    lies = {book.code(position): 4, **{book.code(position.play(column)): -column for column in position.legal_columns}}
    book.FILE.write_bytes(book.pack(lies))
    book.entries.cache_clear()
    assert score(position) == 4
    assert score_many([position, position.play(2)]) == [4, -2]
    assert engine.at_most(position, 4)
    assert not engine.at_most(position, 3)
    assert dict(solve(position).scores) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert engine.search(position) == slow_rules.score(position)


def test_a_wrong_entry_does_not_pass_verification(small: Path) -> None:
    known = {book.code(position): slow_rules.score(position) for position in all_positions(2)}
    assert make_book.verify(known, 3, seed=1) > 3
    known[book.code(SMALL)] += 1
    with pytest.raises(AssertionError, match="contradicts itself"):
        make_book.verify(known, 0, seed=1)


def test_a_book_is_written_and_read_back_and_other_bytes_are_refused() -> None:
    chance = random.Random(1)
    entries = {chance.randrange(2**49): chance.randint(-21, 21) for _ in range(500)}
    data = book.pack(entries)
    assert book.unpack(data) == entries
    assert len(data) < 9 * len(entries)
    for wrong in (b"", b"book", data[:-20]):
        with pytest.raises(ModelError, match="install the package again"):
            book.unpack(wrong)


def test_without_a_book_everything_is_searched_and_a_damaged_one_is_refused(small: Path) -> None:
    position = Position.from_moves("12", *book.SHAPE)
    assert not book.FILE.exists()
    assert solve(position).score == score(position) == slow_rules.score(position)
    book.entries.cache_clear()
    book.FILE.write_bytes(book.pack({book.code(position): 1})[:-9])
    for asked in (solve, score):
        with pytest.raises(ModelError, match=r"the opening book cannot be read .*: install the package again"):
            asked(position)


def test_the_book_that_is_shipped_has_the_known_scores_of_the_first_moves() -> None:
    assert dict(solve(Position()).scores) == {1: -2, 2: -1, 3: 0, 4: 1, 5: 0, 6: -1, 7: -2}
    assert solve(Position()).nodes == 0  # nothing is searched
    assert book.FILE.stat().st_size < 3_000_000


def test_the_book_that_is_shipped_has_every_position_and_its_scores_are_those_that_a_search_finds() -> None:
    chance = random.Random(4)
    games = [make_game(chance, stones) for stones in range(book.DEEPEST + 1) for _ in range(40)]
    for position in games:
        worth = book.score(position)
        assert worth is not None
        assert position.ply == book.DEEPEST or worth == make_book.from_successors(book.entries(), position)
    for position in games[-5:]:
        assert book.score(position) == engine.search(position, progress=False)
    assert book.score(make_game(chance, book.DEEPEST + 1)) is None


def make_game(chance: random.Random, stones: int) -> Position:
    """A position after random moves that is not over."""
    position = Position()
    while position.ply < stones:
        position = position.play(chance.choice(position.legal_columns))
        if position.is_over:
            position = Position()
    return position

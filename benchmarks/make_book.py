"""Makes the opening book of Four-in-a-line: ``python -m benchmarks.make_book`` scores all positions with twelve stones.

Those with eight and four stones follow from their successors for nothing. The positions that can come of one with four stones less are
searched together, in tables that are kept: they share most of their work, so a large table counts (``--memory``). What is found is in a
journal in ``build/book/`` at once, and the same command goes on from there after a stop (``--seconds``, or Ctrl-C). When nothing is
missing the book is written, and some entries of every level are searched again in empty tables (``--verify``). ``--estimate N`` only
searches what comes of N positions drawn at random and says what all would cost. Work goes to an executor: threads that share one
table (the default), processes with a table each, or the workers of a dask scheduler (``--executor tcp://…``).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.executors import executor_of, finished
from cpsolve.journal import journal
from cpsolve.progress import Progress
from models.four_in_a_line import book, engine
from models.four_in_a_line.book import NEVER, Book, Grid, Scores, Words
from models.four_in_a_line.rules import Position

KEPT = Path(__file__).parent.parent / "build" / "book"
STEP = 4
"""How many stones the levels of a book are apart."""
BATCH = 500
"""Positions that are searched by one worker, and kept on the disk together, at least."""
AHEAD = 6
"""Batches that are given to an executor before the first has come back."""
CHUNK = 1_000
"""Positions whose successors are looked up at a time."""
UNKNOWN = -126
"""In place of a score that has still to be found."""

Batch = tuple[list[int], list[Position]]
"""Positions with their places."""


# -- positions


def following(grid: Grid, own: Words, mask: Words, plies: int, stones: int) -> tuple[Words, Words]:
    """The positions that can come of others, which have that number of stones, in the order of the moves; of several that have one place
    the first, and none in which the game is over.

    >>> empty = np.zeros(1, np.uint64)
    >>> [len(following(Grid(6, 7, 4), empty, empty, plies, 0)[0]) for plies in range(5)]
    [1, 4, 25, 121, 568]
    """
    for _ in range(plies):
        moves = grid.moves(mask)
        legal = (moves != 0) & ~grid.has_line(own[:, None] | moves)
        own, mask = np.broadcast_to((own ^ mask)[:, None], moves.shape)[legal], (mask[:, None] | moves)[legal]
        stones += 1
        first = np.sort(np.unique(book.places(grid, stones).of(own, mask), return_index=True)[1])
        own, mask = own[first], mask[first]
    return own, mask


def level(grid: Grid, stones: int) -> tuple[Words, Words]:
    """All positions with that number of stones, neighbours near each other."""
    empty = np.zeros(1, np.uint64)
    return following(grid, empty, empty, stones, 0)


def position_of(grid: Grid, own: int, mask: int) -> Position:
    """A position with as many stones of either player."""
    return Position(grid.rows, grid.columns, grid.connect, own, own ^ mask)


def wanted(grid: Grid, depth: int) -> Scores:
    """UNKNOWN for every position of a level that has to be searched, NEVER where there is none or a player wins at once."""
    table = np.full(len(book.places(grid, depth)), NEVER, np.int8)
    for own, mask in _chunks(*level(grid, depth - STEP)):
        own, mask = following(grid, own, mask, STEP, depth - STEP)
        lasting = ~grid.wins_at_once(own, mask)
        table[book.places(grid, depth).of(own[lasting], mask[lasting])] = UNKNOWN
    return table


def _chunks(own: Words, mask: Words) -> Iterator[tuple[Words, Words]]:
    for start in range(0, len(own), CHUNK):
        yield own[start : start + CHUNK], mask[start : start + CHUNK]


def batches(grid: Grid, depth: int, table: Scores) -> Iterator[Batch]:
    """What has still to be searched, each position once, those that come of one position together."""
    given = table != UNKNOWN
    places, positions = list[int](), list[Position]()
    owns, masks = level(grid, depth - STEP)
    for ancestor in range(len(owns)):
        own, mask = following(grid, owns[[ancestor]], masks[[ancestor]], STEP, depth - STEP)
        found = book.places(grid, depth).of(own, mask)
        new = ~given[found]
        given[found] = True
        places += found[new].tolist()
        positions += [position_of(grid, *words) for words in zip(own[new].tolist(), mask[new].tolist(), strict=True)]
        if len(places) >= BATCH:
            yield places, positions
            places, positions = [], []
    if places:
        yield places, positions


# -- the search


def search(memory: int, batch: Batch) -> tuple[list[int], list[int]]:
    """The places of a batch and the scores of its positions, by the search alone, in tables of that many bytes."""
    use(memory)
    return batch[0], engine.search_many(batch[1], progress=False)


@cache
def use(memory: int) -> None:
    """Once in a process: the tables get larger, and are emptied."""
    engine.limit_memory(memory)


def work(executor: Any, memory: int, tasks: Iterator[Batch], late: Callable[[], bool]) -> Iterator[tuple[list[int], list[int]]]:
    """The scores of batches as they come; none is begun once it is late."""
    running = {executor.submit(search, memory, task) for task in islice(tasks, 0 if late() else AHEAD)}
    while running:
        done = next(finished(executor, running))
        running.remove(done)
        yield done.result()
        if not late():
            running.update(executor.submit(search, memory, task) for task in islice(tasks, 1))


def entries(record: Any) -> NDArray[np.int64]:
    """Places and scores of a line in the journal, one above the other.

    >>> entries([[5, 9], [-3, 0]]).tolist()
    [[5, 9], [-3, 0]]
    """
    found = np.array(record, np.int64)
    if found.ndim != 2 or len(found) != 2:
        raise ValueError("expected places and scores")
    return found


def make(grid: Grid, table: Scores, chosen: argparse.Namespace, late: Callable[[], bool]) -> None:
    """Fills a table with what earlier runs have found and, until it is late, by searching."""
    KEPT.mkdir(parents=True, exist_ok=True)
    run = {"rows": grid.rows, "columns": grid.columns, "connect": grid.connect, "stones": chosen.depth}
    with ExitStack() as stack:
        kept = stack.enter_context(journal(KEPT / f"{chosen.depth}.jsonl", run, entries, resume=True))
        for places, scores in kept.records:
            table[places] = scores
        executor = stack.enter_context(executor_of(chosen.executor, chosen.workers))
        shown = stack.enter_context(Progress("book"))
        left, count = np.count_nonzero(table == UNKNOWN), np.count_nonzero(table != NEVER)
        for found in work(executor, int(chosen.memory * 2**30), batches(grid, chosen.depth, table.copy()), late):
            kept.add([found])
            table[found[0]] = found[1]
            left -= len(found[0])
            shown.update(f"{left:,} of {count:,} positions with {chosen.depth} stones are missing")


# -- the book


def fill(grid: Grid, tables: dict[int, Scores], depth: int) -> None:
    """Adds the levels with fewer stones: a score is the best of the successors', for the other player."""
    for stones in range(depth - STEP, 0, -STEP):
        known = Book(grid, dict(tables))
        table = np.full(len(book.places(grid, stones)), NEVER, np.int8)
        for own, mask in _chunks(*level(grid, stones)):
            lasting = ~grid.wins_at_once(own, mask)
            table[book.places(grid, stones).of(own[lasting], mask[lasting])] = known.scores(own[lasting], mask[lasting], stones)
        tables[stones] = table


def verify(known: Book, count: int, seed: int) -> int:
    """Searches some entries of every level anew; returns how many were right. AssertionError if one is not."""
    checked = 0
    for stones in known.tables:
        own, mask = level(known.grid, stones)
        drawn = random.Random(seed).sample(range(len(own)), min(count, len(own)))
        for words, worth in zip(
            zip(own[drawn].tolist(), mask[drawn].tolist(), strict=True), known.scores(own[drawn], mask[drawn], stones), strict=True
        ):
            position = position_of(known.grid, *words)
            engine.forget()
            assert engine.search(position, progress=False) == worth, f"a search anew does not find {worth}:\n{position}"
            checked += 1
    return checked


def estimate(grid: Grid, depth: int, count: int, seed: int) -> str:
    """What the search would cost, by what comes of some positions with fewer stones."""
    own, mask = level(grid, depth - STEP)
    drawn = random.Random(seed).sample(range(len(own)), min(count, len(own)))
    positions = 0
    seconds = 0.0
    for place in drawn:
        owns, masks = following(grid, own[[place]], mask[[place]], STEP, depth - STEP)
        lasting = ~grid.wins_at_once(owns, masks)
        found = [position_of(grid, *words) for words in zip(owns[lasting].tolist(), masks[lasting].tolist(), strict=True)]
        engine.forget()
        started = time.process_time()
        engine.search_many(found, progress=False)
        seconds += time.process_time() - started
        positions += len(found)
    all_positions = int(np.count_nonzero(wanted(grid, depth) == UNKNOWN))
    each = seconds / positions
    return (
        f"{all_positions:,} positions with {depth} stones at {1e3 * each:.1f} ms: {each * all_positions / 3600:.1f} hours of processor time"
    )


def main(arguments: list[str] | None = None) -> None:
    """Scores, fills, writes and verifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, choices=book.LEVELS, default=book.LEVELS[-1], help="stones of the positions that are searched")
    parser.add_argument("--executor", default="threads", help="threads, processes, or the address of a dask scheduler")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", type=float, default=1.1, metavar="GB", help="of the table (of each process, where there are several)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing after that much processor time of this process")
    parser.add_argument("--verify", type=int, default=5, metavar="N", help="entries of every level searched once more at the end")
    parser.add_argument("--estimate", type=int, default=0, metavar="N", help="only say what it would cost, by N positions")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    grid = Grid(*book.SHAPE)
    if chosen.estimate:
        print(estimate(grid, chosen.depth, chosen.estimate, chosen.seed))
        return
    started = time.process_time()
    table = wanted(grid, chosen.depth)
    make(grid, table, chosen, lambda: time.process_time() - started >= chosen.seconds)
    missing, count = (int(np.count_nonzero(found)) for found in (table == UNKNOWN, table != NEVER))
    told = f"{count - missing:,} of {count:,} positions with {chosen.depth} stones, {time.process_time() - started:.0f} s of processor time"
    if missing:
        print(f"{told}; the same command goes on from there", file=sys.stderr)
        return
    tables = {chosen.depth: table}
    fill(grid, tables, chosen.depth)
    engine.limit_memory(engine.MEMORY)
    data = book.pack(tables)
    checked = verify(book.unpack(data), chosen.verify, chosen.seed)
    book.FILE.write_bytes(data)
    print(f"{told}; {len(data) / 1e3:.1f} kB, {checked:,} entries searched anew", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Makes the opening book of Four-in-a-line: ``python -m benchmarks.make_book`` scores all positions with eight stones.

Positions with fewer stones follow from their successors for nothing. Neighbours are searched one after the other in tables that are kept:
they share most of their work, so a large table counts (``--memory``). What is found is in a journal in ``build/book/`` at once, and a later
run goes on from there. A run that ends early (``--seconds``) also keeps it in ``benchmarks/results/book.xz``, small enough to be taken to
another machine, where the same command goes on. When nothing is missing the book is written, the whole of it checked against itself and
some entries searched again in empty tables (``--verify``). ``--estimate N`` only searches N positions drawn at random and says what all
would cost. Work goes to an executor: threads that share one table (the default), processes with a table each, or the workers of a dask
scheduler (``--executor tcp://…``).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from cpsolve.journal import journal
from cpsolve.progress import Progress
from models.four_in_a_line import book, engine
from models.four_in_a_line.rules import Position

KEPT = Path(__file__).parent.parent / "build" / "book"
SAVED = Path(__file__).parent / "results" / "book.xz"
START = Position()
BATCH = 20
"""Neighbours that are searched by one worker, and kept on the disk together."""
AHEAD = 6
"""Batches that are given to an executor before the first has come back."""


def positions(depth: int) -> dict[int, Position]:
    """All positions with that number of stones in which the game is not over, mirror images merged, by code.

    >>> [len(positions(depth)) for depth in range(5)]
    [1, 4, 25, 121, 568]
    """
    level = {book.code(START): START}
    for _ in range(depth):
        following: dict[int, Position] = {}
        for position in level.values():
            for column in position.legal_columns:
                child = position.play(column)
                if not child.is_over:
                    following.setdefault(book.code(child), child)
        level = following
    return level


def search(memory: int, batch: Mapping[int, Position]) -> dict[int, int]:
    """The scores of neighbours by code, by the search alone, in tables of that many bytes."""
    use(memory)
    return dict(zip(batch, engine.search_many(list(batch.values()), progress=False), strict=True))


@cache
def use(memory: int) -> None:
    """Once in a process: the tables get larger, and are emptied."""
    engine.limit_memory(memory)


def seconds_of(position: Position) -> float:
    """The processor time that a position takes from an empty table."""
    engine.forget()
    started = time.process_time()
    engine.search(position, progress=False)
    return time.process_time() - started


def entry(record: Any) -> tuple[int, int]:
    """The code and the score of a line in the journal.

    >>> entry([5, -3])
    (5, -3)
    """
    code, worth = record
    return int(code), int(worth)


def fill(known: dict[int, int], depth: int) -> None:
    """Adds every position with fewer stones whose successors are all known: its score is the best of theirs, for the other player."""
    for stones in range(depth - 1, -1, -1):
        for code, position in positions(stones).items():
            worth = from_successors(known, position)
            if worth is not None:
                known[code] = worth


def from_successors(known: Mapping[int, int], position: Position) -> int | None:
    """The score that follows from the successors; None when one of them is not known.

    >>> from_successors({}, Position.from_moves("121212")) is None
    True
    """
    scores = []
    for column in position.legal_columns:
        child = position.play(column)
        worth = engine.final_score(child) if child.is_over else known.get(book.code(child))
        if worth is None:
            return None
        scores.append(-worth)
    return max(scores)


def batches(missing: Mapping[int, Position]) -> Iterator[dict[int, Position]]:
    """The positions in their order, some at a time.

    >>> [len(batch) for batch in batches(positions(3))]
    [20, 20, 20, 20, 20, 20, 1]
    """
    waiting = iter(missing.items())
    while batch := dict(islice(waiting, BATCH)):
        yield batch


def work(executor: Any, memory: int, tasks: Iterable[dict[int, Position]], late: Callable[[], bool]) -> Iterator[dict[int, int]]:
    """The scores of batches as they come; none is begun once it is late."""
    waiting = iter(tasks)
    running = {executor.submit(search, memory, task) for task in islice(waiting, 0 if late() else AHEAD)}
    while running:
        done = next(iter(as_completed(running))) if isinstance(executor, Executor) else next(iter(running))
        running.remove(done)
        yield done.result()
        if not late():
            running.update(executor.submit(search, memory, task) for task in islice(waiting, 1))


def executor_of(name: str, workers: int) -> Any:
    """Threads, processes, or the workers of a dask scheduler at an address."""
    if name == "threads":
        return ThreadPoolExecutor(workers)
    if name == "processes":
        return ProcessPoolExecutor(workers)
    from distributed import Client

    return Client(name)


def verify(known: Mapping[int, int], count: int, seed: int) -> int:
    """Checks every entry that follows from others, and searches some anew; returns how many were right. AssertionError if one is not."""
    checked = 0
    last: dict[int, Position] = {}
    for stones in range(book.DEEPEST + 1):
        level = {code: position for code, position in positions(stones).items() if code in known}
        if not level:
            break
        for code, position in level.items():
            worth = from_successors(known, position)
            if worth is not None:
                assert worth == known[code], f"the book contradicts itself:\n{position}\n{known[code]}, and by its successors {worth}"
                checked += 1
        last = level
    drawn = random.Random(seed).sample(sorted(last), min(count, len(last)))
    for code in drawn:
        engine.forget()
        assert engine.search(last[code], progress=False) == known[code], f"a search anew does not find {known[code]}:\n{last[code]}"
    return checked + len(drawn)


def main(arguments: list[str] | None = None) -> None:
    """Scores, fills, writes and verifies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=8, help="stones of the positions that are searched")
    parser.add_argument("--executor", default="threads", help="threads, processes, or the address of a dask scheduler")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", type=float, default=1.1, metavar="GB", help="of the table (of each process, where there are several)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin nothing after that much processor time of this process")
    parser.add_argument("--verify", type=int, default=5, metavar="N", help="entries searched once more at the end")
    parser.add_argument("--estimate", type=int, default=0, metavar="N", help="only say what it would cost, by N positions")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    wanted = positions(chosen.depth)
    if chosen.estimate:
        sample = random.Random(chosen.seed).sample(sorted(wanted), min(chosen.estimate, len(wanted)))
        times = sorted(seconds_of(wanted[code]) for code in sample)
        mean = sum(times) / len(times)
        spread = f"mean {mean:.2f} s, median {times[len(times) // 2]:.2f} s, longest {times[-1]:.1f} s"
        print(f"{len(wanted):,} positions with {chosen.depth} stones; {len(times)} drawn at random, from an empty table each: {spread}")
        print(f"all: {mean * len(wanted) / 3600:.1f} hours of processor time")
        return
    started = time.process_time()
    known = make(wanted, chosen, lambda: time.process_time() - started >= chosen.seconds)
    found = sum(code in known for code in wanted)
    told = f"{found:,} of {len(wanted):,} positions with {chosen.depth} stones, {time.process_time() - started:.0f} s of processor time"
    if found < len(wanted):
        SAVED.write_bytes(book.pack(known))
        print(f"{told}; kept in {SAVED.name}, the same command goes on from there", file=sys.stderr)
        return
    fill(known, chosen.depth)
    data = book.pack(known)
    engine.limit_memory(engine.MEMORY)
    checked = verify(known, chosen.verify, chosen.seed)
    book.FILE.write_bytes(data)
    SAVED.unlink(missing_ok=True)
    print(f"{told}; {len(known):,} entries in {len(data) / 1e3:.1f} kB, {checked:,} of them checked", file=sys.stderr)


def make(wanted: Mapping[int, Position], chosen: argparse.Namespace, late: Callable[[], bool]) -> dict[int, int]:
    """What is known of these positions after searching those that no earlier run has found, until it is late."""
    KEPT.mkdir(parents=True, exist_ok=True)
    run = {"rows": START.rows, "columns": START.columns, "connect": START.connect, "stones": chosen.depth}
    with ExitStack() as stack:
        kept = stack.enter_context(journal(KEPT / f"{chosen.depth}.jsonl", run, entry, resume=True))
        known = {**(book.unpack(SAVED.read_bytes()) if SAVED.exists() else {}), **dict(kept.records)}
        missing = {code: position for code, position in wanted.items() if code not in known}
        executor = stack.enter_context(executor_of(chosen.executor, chosen.workers))
        shown = stack.enter_context(Progress("book"))
        left = len(missing)
        for scores in work(executor, int(chosen.memory * 2**30), batches(missing), late):
            kept.add(scores.items())
            known.update(scores)
            left -= len(scores)
            shown.update(f"{left:,} of {len(wanted):,} positions with {chosen.depth} stones are missing")
    return known


if __name__ == "__main__":
    main()

"""How soon the first player can force a win on an empty board of Center: ``python -m benchmarks.center_bounds --size 9 --plies 15``.

For each number of plies every first stone, one of those alike, is a job: is its owner sure of the centre within the rest? The answers go
to a journal in ``build/center/``, from which a run that was stopped goes on, and to the table ``benchmarks/results/center_bounds.md``.
What is refuted for the first player is refuted for the second within one ply more: a further stone never harms its owner, so being first
and moving on is no worse than being second (the null move, which ``models/center/kernels.py`` rests on too). Jobs go to an executor:
processes (the default), or the workers of a dask scheduler (``--executor tcp://…``).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.executors import executor_of, finished
from cpsolve.journal import journal
from models.center.engine import Proofs, alike
from models.center.rules import FIRST, Move, Position

RESULTS = Path(__file__).parent / "results" / "center_bounds.md"
KEPT = Path(__file__).parent.parent / "build" / "center"


@dataclass(frozen=True)
class Job:
    """A first stone, and what came of it within a number of plies: whether it wins, after how many positions and seconds."""

    plies: int
    move: Any
    wins: bool
    nodes: int
    seconds: float


def prove(shape: str, size: int, move: Move, plies: int, table_bits: int) -> Job:
    """Whether the first player is sure to win within a number of plies that begin with a move.

    >>> prove("square", 3, (1, 1), 3, 10).wins
    True
    """
    begun = time.process_time()
    proofs = Proofs(Position(size, shape).play(move), table_bits=table_bits)
    wins = proofs.wins(FIRST, plies - 1)
    return Job(plies, list(move), wins, proofs.nodes, round(time.process_time() - begun, 2))


def job_of(record: Any) -> Job:
    """A job of a line in the journal."""
    return Job(**record)


def answers(executor: Any, tasks: Iterable[tuple[Any, ...]]) -> Iterator[Job]:
    """What comes of jobs, as it comes."""
    for done in finished(executor, [executor.submit(prove, *task) for task in tasks]):
        yield done.result()


def table(shape: str, size: int, jobs: Iterable[Job]) -> str:
    """What is known, one row for a number of plies of which all first stones were tried, or one was found to win."""
    first_stones = set(map(str, distinct(shape, size)))
    lines = [
        f"# The first player on an empty board, {shape} {size}",
        "",
        "Every first stone, one of those alike (`python -m benchmarks.center_bounds`). What the first player cannot do within a number of",
        "plies, the second cannot within one more.",
        "",
        "| plies | forced win | positions | growth | CPU |",
        "|---|---|---|---|---|",
    ]
    before = 0
    by_plies: dict[int, list[Job]] = {}
    for job in jobs:
        by_plies.setdefault(job.plies, []).append(job)
    for plies, tried in sorted(by_plies.items()):
        won = any(job.wins for job in tried)
        if not won and {str(tuple(job.move)) for job in tried} != first_stones:
            continue
        nodes, seconds = sum(job.nodes for job in tried), sum(job.seconds for job in tried)
        growth = f"× {nodes / before:,.0f}" if before else ""
        lines.append(f"| {plies} | {'yes' if won else 'no'} | {nodes:,} | {growth} | {seconds:,.1f} s |")
        before = nodes
    return "\n".join([*lines, ""])


def distinct(shape: str, size: int) -> list[Move]:
    """The first stones, one of those that a symmetry maps onto each other.

    >>> distinct("square", 5)
    [(1, 1), (2, 1), (3, 1)]
    """
    return list(dict.fromkeys(alike(Position(size, shape)).values()))


def main(arguments: list[str] | None = None) -> None:
    """Proves or refutes, ply by ply, and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=["square", "hex"], default="square")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--plies", type=int, default=13, help="how far at most")
    parser.add_argument("--bits", type=int, default=24, help="the logarithm of the entries of a table; 44 bytes each on 9×9")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--executor", default="processes", help="processes, or the address of a dask scheduler")
    chosen = parser.parse_args(arguments)
    KEPT.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        run = {"shape": chosen.shape, "size": chosen.size}
        kept = stack.enter_context(journal(KEPT / f"{chosen.shape}-{chosen.size}.jsonl", run, job_of, resume=True))
        executor = stack.enter_context(executor_of(chosen.executor, chosen.workers))
        jobs = list(kept.records)
        for plies in range(3, chosen.plies + 1, 2):
            done = {tuple(job.move) for job in jobs if job.plies == plies}
            tasks = [
                (chosen.shape, chosen.size, move, plies, chosen.bits) for move in distinct(chosen.shape, chosen.size) if move not in done
            ]
            for job in answers(executor, tasks):
                kept.add([asdict(job)])
                jobs.append(job)
                told = "wins" if job.wins else "does not win"
                print(
                    f"{tuple(job.move)} {told} within {plies} plies: {job.nodes:,} positions, {job.seconds:.1f} s",
                    file=sys.stderr,
                    flush=True,
                )
            RESULTS.write_text(table(chosen.shape, chosen.size, jobs), encoding="utf-8")
            if any(job.wins for job in jobs if job.plies == plies):
                break


if __name__ == "__main__":
    main()

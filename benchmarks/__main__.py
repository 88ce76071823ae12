"""Speed of cpsolve as ratios against named peers, in the same run on the same inputs: tables, data and plots.

The first run on a machine also compiles the hot parts of the games, which takes a minute or two more.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks import plots, record
from benchmarks.measure import Row
from benchmarks.record import Kept
from benchmarks.runner import Interrupted, run_topics

RESULTS = Path(__file__).parent / "results"
TOPICS = {
    "growth": "Where the constraint model, naive DFS, BFS, A* and the textbook model stop being usable as boards grow",
    "modelling": "What the modelling layer costs, against raw OR-Tools and CPMpy",
    "puzzles": "Pencil puzzles, modelled, solved and proven unique, against cspuz, CPMpy and multi-puzzle-solver",
    "counting": "Counting solutions, against Ganak, d4 and graphillion",
    "routes": "Shortest routes, against the other methods and clingo; counting walks, against graphillion",
    "minesweeper": "Exact mine probabilities, against ms-toollib",
    "four_in_a_line": "Exact scores of Four-in-a-line, against bitbully",
    "center": "Exact answers of Center, for which there is no other public solver",
    "page": "The page: an Expert position analysed and drawn by a warm worker, and in a browser; the weight of the page",
}


def rows(topic: str, quick: bool) -> Iterator[Row]:
    """The rows of a topic; its module, and the solvers with it, are loaded only now."""
    found: Iterator[Row] = importlib.import_module(f"benchmarks.{topic}").run(quick)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m benchmarks``."""
    options = _options(arguments)
    if options.list:
        width = max(map(len, TOPICS))
        print("\n".join(f"{topic:{width}}  {summary}" for topic, summary in TOPICS.items()))
        return 0
    print(_peers(), file=sys.stderr)
    chosen = [topic for topic in TOPICS if topic in options.topics] or list(TOPICS)
    code = 0
    try:
        run_topics({topic: partial(rows, topic) for topic in chosen}, options.quick, options.out, partial(_finish, options.out))
    except Interrupted as interrupted:
        print(interrupted, file=sys.stderr)
        code = 130
    record.write(options.out / "README.md", record.overview(TOPICS, options.out))
    print(f"overview: {options.out / 'README.md'}", file=sys.stderr)
    return code


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="example: python -m benchmarks --quick modelling growth",
    )
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"what to run: {', '.join(TOPICS)} (all)")
    parser.add_argument("--only", action="append", default=[], metavar="TOPIC", help="the same, once for each topic")
    parser.add_argument("--quick", action="store_true", help="smaller inputs and shorter limits: under two minutes in all; else 20 minutes")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="DIR", help="folder of the results (benchmarks/results)")
    parser.add_argument("--list", action="store_true", help="list the topics and stop")
    options = parser.parse_args(arguments)
    options.topics += options.only
    for topic in options.topics:
        if topic not in TOPICS:
            parser.error(f"there is no topic {topic!r}; there are {', '.join(TOPICS)}")
    return options


def _peers() -> str:
    """Which peers are not here: their rows will say so."""
    absent = [package for package in record.PACKAGES if record.version(package) == "missing"]
    return f"missing: {', '.join(absent)}" if absent else "all peers are installed"


def _finish(folder: Path, kept: Kept) -> None:
    """Prints the table of a finished topic and draws its plot."""
    print(f"\n## {kept.topic}\n\n{record.table(kept.rows)}\n")
    for line in record.stops_table(kept.rows):
        print(line)
    told = plots.save(kept, folder)
    if told:
        print(told, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

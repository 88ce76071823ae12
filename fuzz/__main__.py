"""The command ``python -m fuzz``: one program of random trials, its figures, and 1 as exit code when anything was wrong."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from fuzz.runner import Trial, run, table

PROGRAMS = {
    "models": "models of every kind, every question and backend, against brute force",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one program."""
    parser = argparse.ArgumentParser(
        prog="python -m fuzz", description=__doc__, epilog="example: python -m fuzz models --minutes 5 --seed 7"
    )
    parser.add_argument("program", choices=PROGRAMS, help="; ".join(f"{name}: {summary}" for name, summary in PROGRAMS.items()))
    parser.add_argument("--minutes", type=float, default=1.0, help="minutes of processor time (1)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same trials (0)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind of trial; may be given more than once (all)")
    parser.add_argument("--most", type=int, help="the largest number of trials of each kind")
    parser.add_argument("--number", type=int, help="only the trial of this number, to see it again")
    options = parser.parse_args(arguments)
    kinds: Mapping[str, Trial] = importlib.import_module(f"fuzz.{options.program}").KINDS
    for kind in options.kind:
        if kind not in kinds:
            parser.error(f"there is no kind {kind!r}; there are {', '.join(map(repr, kinds))}")
    chosen = {kind: trial for kind, trial in kinds.items() if kind in options.kind or not options.kind}
    print(f"seed {options.seed}", flush=True)
    tallies = run(chosen, options.minutes, options.seed, options.most, options.number, partial(print, flush=True))
    print(table(tallies))
    return int(any(tally.wrong for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())

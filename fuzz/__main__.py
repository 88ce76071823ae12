"""The command ``python -m fuzz``: programs of random trials, their figures, and 1 as exit code when anything was wrong."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from cpsolve.journal import journal
from fuzz.runner import Failure, Kind, Run, Tally, replay, table

INTERRUPTED = 130
"""The exit code that shells use for Ctrl-C."""
PROGRAMS = {
    "models": "models of every kind, every question and backend, against brute force",
    "games": "each of the five games against slow rules",
    "readers": "every format, garbled",
    "commands": "the command line with odd words and numbers",
    "page": "the page's interface with odd bodies",
    "signals": "Ctrl-C, threads, forks and full disks",
    "limits": "large models and boards with little time",
}


def kinds_of(program: str) -> Mapping[str, Kind]:
    """The kinds of trials of a program, loaded now."""
    kinds: Mapping[str, Kind] = importlib.import_module(f"fuzz.{program}").KINDS
    return kinds


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs programs one after the other; the minutes are shared by them."""
    parser = argparse.ArgumentParser(
        prog="python -m fuzz", description=__doc__, epilog="example: python -m fuzz models games --minutes 5 --seed 7"
    )
    told = "; ".join(f"{name}: {summary}" for name, summary in PROGRAMS.items())
    parser.add_argument("programs", nargs="*", metavar="program", help=f"{told} (all)")
    parser.add_argument("--minutes", type=float, default=1.0, help="minutes of processor time in all (1)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same trials (0)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind of trial; may be given more than once (all)")
    parser.add_argument("--most", type=int, help="the largest number of trials of each kind")
    parser.add_argument("--number", type=int, help="only the trial of this number, to see it again")
    parser.add_argument("--resume", metavar="FILE", help="writes down how far it is, and goes on from there")
    parser.add_argument("--failures", metavar="FOLDER", default="build/fuzz", help="where inputs that failed are put (build/fuzz)")
    parser.add_argument("--replay", metavar="FILE", help="only what failed there, once more")
    options = parser.parse_args(arguments)
    if options.replay:
        path = Path(options.replay)
        reply = replay(path, kinds_of(path.resolve().parent.name))
        print(reply.told or reply.outcome)
        return int(reply.failed)
    for program in options.programs:
        if program not in PROGRAMS:
            parser.error(f"there is no program {program!r}; there are {', '.join(PROGRAMS)}")
    programs = {program: kinds_of(program) for program in options.programs or PROGRAMS}
    for kind in options.kind:
        if not any(kind in kinds for kinds in programs.values()):
            parser.error(f"there is no kind {kind!r}; there are {', '.join(repr(kind) for kinds in programs.values() for kind in kinds)}")
    programs = {program: _chosen(kinds, options.kind) for program, kinds in programs.items() if _chosen(kinds, options.kind)}
    print(f"seed {options.seed}", flush=True)
    with ExitStack() as stack:
        log = stack.enter_context(journal(options.resume, {"seed": options.seed}, _record, resume=True)) if options.resume else None
        before = dict(log.records if log else [])
        failed = 0
        for program, kinds in programs.items():
            run = Run(program, kinds, options.seed, partial(print, flush=True), partial(_fail, Path(options.failures)))
            run.tallies.update((kind, tally) for kind, tally in before.get(program, {}).items() if kind in kinds)
            if log:
                run.keep = partial(_keep, log, run)
            try:
                run.go(options.minutes / len(programs), options.most, options.number)
            except KeyboardInterrupt:
                print(f"{program}\n{table(run.tallies)}\nstopped: the same command with --resume FILE goes on where it was", flush=True)
                return INTERRUPTED
            print(f"{program}\n{table(run.tallies)}\n", flush=True)
            failed += sum(tally.failed for tally in run.tallies.values())
    return int(failed > 0)


def _chosen(kinds: Mapping[str, Kind], names: Sequence[str]) -> dict[str, Kind]:
    return {name: kind for name, kind in kinds.items() if name in names or not names}


def _fail(folder: Path, failure: Failure) -> None:
    print(f"kept in {failure.save(folder / failure.program)}; tests/corpus/{failure.program} is its place once it is mended", flush=True)


def _keep(log: Any, run: Run) -> None:
    log.add([{"program": run.program, "tallies": {kind: asdict(tally) for kind, tally in run.tallies.items()}}])


def _record(record: Any) -> tuple[str, dict[str, Tally]]:
    """How far a program is, from a line of a journal."""
    return record["program"], {kind: Tally(**figures) for kind, figures in record["tallies"].items()}


if __name__ == "__main__":
    sys.exit(main())

"""Runs the trials of a program by turns until the time is up, counts them, and shows what was wrong so that it can be run again.

Every trial has a random generator of its own, made from the seed, its kind and its number: it can be repeated alone.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from random import Random

from cpsolve.words import counted

Trial = Callable[[Random], None]

EVERY = 5.0
"""A long run shows its figures again after this number of minutes of processor time."""


class Wrong(Exception):
    """A wrong answer; the message shows how to get it again."""


class Refused(Exception):
    """The toolkit said, by an error of its own, that it does not answer this."""


@dataclass
class Tally:
    """What came of the trials of one kind."""

    tried: int = 0
    refused: int = 0
    wrong: int = 0


def run(
    kinds: Mapping[str, Trial],
    minutes: float,
    seed: int,
    most: int | None = None,
    number: int | None = None,
    show: Callable[[str], None] = print,
) -> dict[str, Tally]:
    """Trials of all kinds by turns: ``minutes`` of processor time, at most ``most`` of each kind; with ``number``, that one of each."""
    tallies = {kind: Tally() for kind in kinds}
    begin = shown = time.process_time()
    for each in count() if number is None else [number]:
        now = time.process_time()
        if each == most or (number is None and now - begin >= 60 * minutes):
            break
        if now - shown >= 60 * EVERY:
            shown = now
            show(f"after {(now - begin) / 60:.0f} minutes\n{table(tallies)}\n")
        for kind, trial in kinds.items():
            if report := once(trial, f"{seed} {kind} {each}", tallies[kind]):
                show(f"WRONG: kind {kind!r}, seed {seed}, number {each}\n{report}\n")
    return tallies


def once(trial: Trial, seed: str, tally: Tally) -> str:
    """One trial; returns what was wrong, or ""."""
    tally.tried += 1
    try:
        trial(Random(seed))
    except Refused:
        tally.refused += 1
    except Wrong as wrong:
        tally.wrong += 1
        return str(wrong)
    except Exception:  # an error that nobody expected is a wrong answer too
        tally.wrong += 1
        return traceback.format_exc()
    return ""


def table(tallies: Mapping[str, Tally]) -> str:
    """The figures of all kinds as text.

    >>> print(table({"sums": Tally(1200, 3), "tables": Tally(1000, 0, 1)}))
    kind      tried  refused   wrong
    sums      1,200        3       0
    tables    1,000        0       1
    2,200 trials, 1 wrong
    """
    width = max(map(len, tallies), default=0)
    lines = [f"{'kind':{width}} {'tried':>8} {'refused':>8} {'wrong':>7}"]
    lines += [f"{kind:{width}} {tally.tried:8,} {tally.refused:8,} {tally.wrong:7,}" for kind, tally in tallies.items()]
    tried, wrong = sum(tally.tried for tally in tallies.values()), sum(tally.wrong for tally in tallies.values())
    return "\n".join([*lines, f"{counted(tried, 'trial')}, {wrong:,} wrong"])

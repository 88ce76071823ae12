"""Timing two ways of doing one thing, turn by turn in one run, and printing the result."""

from __future__ import annotations

import gc
import importlib
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Row:
    """One comparison: median seconds of ours and of the peer, with the spread of each (largest less smallest)."""

    name: str
    ours: float
    ours_spread: float
    peer: str
    peer_seconds: float | None
    peer_spread: float | None
    target: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours divided by the peer's: below 1 we are faster."""
        return None if self.peer_seconds is None else self.ours / self.peer_seconds

    def as_dict(self) -> dict[str, Any]:
        """Plain data, with the ratio."""
        return {**self.__dict__, "ratio": self.ratio}


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes, with the garbage collector off."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start
    finally:
        gc.enable()


def compare(
    name: str, ours: Callable[[], object], peer: str, theirs: Callable[[], object] | None, rounds: int, target: str = "", note: str = ""
) -> Row:
    """Times both in turn, ``rounds`` times, after one round that does not count; a peer of None is missing."""
    own: list[float] = []
    other: list[float] = []
    for number in range(rounds + 1):
        own.append(seconds(ours))
        if theirs is not None:
            other.append(seconds(theirs))
        if number == 0 and rounds > 1:
            own.clear()
            other.clear()
    return Row(
        name,
        statistics.median(own),
        max(own) - min(own),
        peer,
        statistics.median(other) if other else None,
        max(other) - min(other) if other else None,
        target,
        note if theirs is not None else f"{peer} is missing: pip install 'cpsolve[benchmarks]'",
    )


def peer_module(name: str) -> ModuleType | None:
    """A peer's module, or None when it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def as_text(value: float | None) -> str:
    """Seconds in the unit that reads best.

    >>> as_text(0.00052), as_text(0.25), as_text(3.14159), as_text(None)
    ('0.52 ms', '250 ms', '3.1 s', '–')
    """
    if value is None:
        return "–"
    return f"{value:.2g} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | cpsolve | peer | peer's time | ratio | target | note |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        ratio = "–" if row.ratio is None else f"{row.ratio:.3g}"
        ours = f"{as_text(row.ours)} ± {as_text(row.ours_spread)}"
        theirs = "–" if row.peer_seconds is None else f"{as_text(row.peer_seconds)} ± {as_text(row.peer_spread)}"
        lines.append(f"| {row.name} | {ours} | {row.peer} | {theirs} | {ratio} | {row.target} | {row.note} |")
    return "\n".join(lines)

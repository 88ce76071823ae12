"""Timing two ways of doing one thing, turn by turn in one run.

A :class:`Timing` is what was measured of one side: a median with the least and the most. A limit that was reached is kept as what it is, a
lower bound: it never looks like a measurement. A :class:`Row` puts two timings of the same inputs side by side.
"""

from __future__ import annotations

import gc
import importlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from types import ModuleType
from typing import Any

INSTALL = "pip install -e '.[benchmarks]'"


@dataclass(frozen=True)
class Timing:
    """Seconds of one side: the median, or another figure that the row names, with the least and the most of ``rounds`` measurements.

    ``stopped``: half of them or more reached a time limit, so ``seconds`` is that limit, and the truth lies above.
    """

    seconds: float
    least: float
    most: float
    rounds: int
    stopped: bool = False

    def __str__(self) -> str:
        if self.stopped:
            return f"> {as_text(self.seconds)}"
        if self.rounds == 1:
            return as_text(self.seconds)
        return f"{as_text(self.seconds)} ({as_text(self.least)} to {as_text(self.most)})"


def timing(times: Sequence[float], limit: float | None = None, pick: Callable[[Sequence[float]], float] = statistics.median) -> Timing:
    """The timing of several measurements; those of ``limit`` or more were stopped there.

    >>> print(timing([0.3, 0.1, 0.2]))
    200 ms (100 ms to 300 ms)
    >>> print(timing([0.3, 2.0, 2.1], limit=2))
    > 2 s
    """
    if limit is not None:
        times = [min(taken, limit) for taken in times]
        if 2 * sum(taken >= limit for taken in times) >= len(times):
            return Timing(limit, min(times), limit, len(times), stopped=True)
    return Timing(pick(times), min(times), max(times), len(times))


@dataclass(frozen=True)
class Row:
    """One comparison of cpsolve (``ours``) with a peer (``theirs``) on the same inputs.

    Without a ``peer`` nothing is there to compare with; with a peer but without ``theirs`` the peer is missing on this machine. Rows of
    one ``series`` belong together and differ in their ``size``, counted in ``unit``.
    """

    name: str
    ours: Timing
    peer: str = ""
    theirs: Timing | None = None
    target: str = ""
    note: str = ""
    series: str = ""
    size: int | None = None
    unit: str = ""

    @property
    def missing(self) -> bool:
        """Whether the peer is not installed."""
        return bool(self.peer) and self.theirs is None

    @property
    def ratio(self) -> float | None:
        """Ours divided by the peer's: below 1 we are faster. None when nothing is known of it."""
        if self.theirs is None or (self.ours.stopped and self.theirs.stopped):
            return None
        return self.ours.seconds / self.theirs.seconds

    @property
    def ratio_text(self) -> str:
        """The ratio, marked as a bound where a side was stopped."""
        if self.ratio is None or self.theirs is None:
            return "–"
        bound = "< " if self.theirs.stopped else "> " if self.ours.stopped else ""
        return f"{bound}{self.ratio:.3g}"

    def as_dict(self) -> dict[str, Any]:
        """Plain data, with the ratio and whether the peer is missing."""
        return {**asdict(self), "ratio": self.ratio, "missing": self.missing}


def row_of(data: dict[str, Any]) -> Row:
    """The row that :meth:`Row.as_dict` wrote.

    >>> row = Row("a sum", timing([0.1]), "paper", timing([0.2, 0.4]))
    >>> row_of(row.as_dict()) == row
    True
    """
    fields = {name: value for name, value in data.items() if name not in ("ratio", "missing")}
    theirs = fields.pop("theirs")
    return Row(ours=Timing(**fields.pop("ours")), theirs=None if theirs is None else Timing(**theirs), **fields)


# -- measuring


def seconds(action: Callable[[], object], *, collect: bool = True) -> float:
    """How long one call takes, with the garbage collector off; garbage is collected before, which takes longer than many a call."""
    if collect:
        gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start
    finally:
        gc.enable()


def compare(
    name: str,
    ours: Callable[[], object],
    peer: str,
    theirs: Callable[[], object] | None,
    rounds: int,
    target: str = "",
    note: str = "",
    *,
    warm_up: bool = True,
) -> Row:
    """Times both in turn, ``rounds`` times, after one round that does not count; a peer of None is missing.

    >>> row = compare("a sum", lambda: sum(range(9)), "a peer that is not here", None, 3)
    >>> row.missing, row.note
    (True, "a peer that is not here is missing: pip install -e '.[benchmarks]'")
    """
    own: list[float] = []
    other: list[float] = []
    for number in range(rounds + warm_up):
        counts = number >= warm_up
        for times, action in ((own, ours), (other, theirs)):
            if action is not None:
                taken = seconds(action, collect=number == 0)
                if counts:
                    times.append(taken)
    if theirs is None:
        return Row(name, timing(own), peer, None, target, "; ".join(filter(None, [missing(peer), note])))
    return Row(name, timing(own), peer, timing(other), target, note)


def alone(name: str, action: Callable[[], object], rounds: int, target: str = "", note: str = "") -> Row:
    """Times what has no peer."""
    return Row(name, timing([seconds(action) for _ in range(rounds)]), target=target, note=note)


# -- peers


def peer_module(name: str) -> ModuleType | None:
    """A peer's module, or None when it is not installed.

    >>> peer_module("a_module_that_nobody_wrote") is None
    True
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != name.partition(".")[0]:
            raise  # the peer is there, and something that it needs is not
        return None


def missing(peer: str) -> str:
    """What a row says when its peer is not installed."""
    return f"{peer} is missing: {INSTALL}"


# -- text


def as_text(value: float) -> str:
    """Seconds in the unit that reads best.

    >>> as_text(0.0000052), as_text(0.00052), as_text(0.25), as_text(3.14159), as_text(120)
    ('5.2 µs', '0.52 ms', '250 ms', '3.1 s', '120 s')
    """
    if value >= 1:
        return f"{value:.2g} s" if value < 10 else f"{value:,.0f} s"
    if value >= 1e-4 or value == 0:
        return f"{value * 1e3:.3g} ms"
    return f"{value * 1e6:.3g} µs"

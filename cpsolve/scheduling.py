"""Work over time: intervals, machines that do one thing at a time, and resources that several share.

An interval is a plain value made of expressions; it may be optional. CP-SAT has constraints of its own for them; elsewhere they are
spelled out pair by pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from typing import Any

from cpsolve.constraints import MAYBE
from cpsolve.errors import ModelError
from cpsolve.expressions import (
    And,
    Assignment,
    Comparison,
    Condition,
    Expression,
    GlobalConstraint,
    Linear,
    Not,
    Or,
    as_condition,
    as_expression,
)
from cpsolve.expressions import Interval as Bounds
from cpsolve.limits import look, looking, require

PAIR_BYTES, LOAD_BYTES = 270, 260
"""About the memory that two intervals take which must not overlap, and one that may be under way when another starts, spelled out."""


@dataclass(frozen=True, eq=False)
class Interval:
    """A stretch of time from ``start`` to before ``end``, ``duration`` long; absent when ``present`` does not hold."""

    start: Expression
    duration: Expression
    present: Condition

    @property
    def end(self) -> Any:
        """The moment after it."""
        return self.start + self.duration


def interval(start: Any, duration: Any, present: Any = True) -> Interval:
    """An interval of time; ``start`` and ``duration`` are integers or expressions, ``present`` is a condition.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> task = cp.interval(m.int_var(0, 9, "start"), 3)
    >>> task.end
    start + 3
    """
    length = as_expression(duration)
    if length.interval()[0] < 0:
        raise ModelError(f"interval: the duration {length} can be negative; give it a domain from 0 on")
    return Interval(as_expression(start), length, as_condition(present))


class _OnIntervals(GlobalConstraint):
    """A constraint on intervals; ``args`` are their starts, then their durations, then their presence, then anything else."""

    __slots__ = ("intervals",)
    intervals: tuple[Interval, ...]

    def __init__(self, intervals: tuple[Interval, ...], *more: Expression) -> None:
        starts, durations, presence = ([getattr(each, part) for each in intervals] for part in ("start", "duration", "present"))
        super().__init__((*starts, *durations, *presence, *more))
        self.intervals = intervals

    def _read(self, values: Sequence[int]) -> list[tuple[int, int, int]]:
        """The number, start and end of the intervals that are present."""
        count = len(self.intervals)
        found = zip(values[:count], values[count : 2 * count], values[2 * count : 3 * count], strict=True)
        return [(number, start, start + duration) for number, (start, duration, present) in enumerate(found) if present]


class NoOverlap(_OnIntervals):
    """Of any two intervals that are present, one ends before the other starts."""

    __slots__ = ()
    kind = "no_overlap"

    def compute(self, values: Sequence[int]) -> int:
        return _apart([(start, end) for _, start, end in self._read(values)])

    def _interval(self, assignment: Assignment) -> Bounds:
        ends = [arg.interval(assignment) for arg in self.args]
        count = len(self.intervals)
        known = [n for n in range(count) if all(ends[n + k * count][0] == ends[n + k * count][1] for k in range(3))]
        found = [(ends[n][0], ends[n][0] + ends[n + count][0]) for n in known if ends[n + 2 * count][0]]
        if not _apart(found):
            return 0, 0
        return (1, 1) if len(known) == count else MAYBE

    def decomposition(self) -> Condition:
        count = len(self.intervals)
        require(PAIR_BYTES * count * (count - 1) // 2, "encoding no_overlap")
        parts = []
        spans = [(each.start, each.end, Not(each.present)) for each in self.intervals]
        for (start, end, absent), (other, last, gone) in looking(combinations(spans, 2), "encoding no_overlap"):
            parts.append(Or((Comparison(end, "<=", other), Comparison(last, "<=", start), absent, gone)))
        return And(parts)

    def __str__(self) -> str:
        return f"no_overlap([{', '.join(f'{each.start} for {each.duration}' for each in self.intervals)}])"


def _apart(spans: list[tuple[int, int]]) -> bool:
    """Whether of any two stretches one ends before the other starts."""
    return all(end <= start for (_, end), (start, _) in pairwise(sorted(spans)))


class Cumulative(_OnIntervals):
    """At no moment do the intervals that are under way need more than the capacity."""

    __slots__ = ("capacity", "demands")

    kind = "cumulative"

    def __init__(self, intervals: tuple[Interval, ...], demands: tuple[int, ...], capacity: Expression) -> None:
        super().__init__(intervals, capacity)
        self.demands = demands
        self.capacity = capacity

    def compute(self, values: Sequence[int]) -> int:
        present, capacity = self._read(values), values[-1]
        changes: Counter[int] = Counter()
        for number, start, end in present:
            changes[start] += self.demands[number]
            changes[end] -= self.demands[number]
        return capacity >= max(accumulate(changes[moment] for moment in sorted(changes)), default=0)

    def decomposition(self) -> Condition:
        require(LOAD_BYTES * len(self.intervals) ** 2, "encoding cumulative")
        parts: list[Condition] = [Comparison(self.capacity, ">=", 0)]
        spans = [(each.start, each.end, each.present) for each in self.intervals]
        for one in self.intervals:
            running: list[Expression] = []
            for start, end, present in looking(spans, "encoding cumulative"):
                running.append(And((Comparison(start, "<=", one.start), Comparison(end, ">", one.start), present)))
            look("encoding cumulative")
            load = Linear(running, list(self.demands), 0, max(each.depth for each in running))
            parts.append(Or((Not(one.present), Comparison(load, "<=", self.capacity))))
        return And(parts)

    def __str__(self) -> str:
        shown = (f"{each.start} for {each.duration} by {demand}" for each, demand in zip(self.intervals, self.demands, strict=True))
        return f"cumulative([{', '.join(shown)}], {self.capacity})"


def no_overlap(intervals: Iterable[Interval]) -> NoOverlap:
    """Of any two of the intervals that are present, one ends before the other starts.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> start = m.int_vars(2, 0, 5)
    >>> _ = m.add(cp.no_overlap([cp.interval(start[0], 3), cp.interval(start[1], 2)]))
    >>> m.count()
    16
    """
    return NoOverlap(_intervals(intervals, "no_overlap"))


def cumulative(intervals: Iterable[Interval], demands: Iterable[int], capacity: Any) -> Cumulative:
    """At no moment do the intervals that are under way need more than ``capacity``, an integer or an expression.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> start = m.int_vars(3, 0, 4)
    >>> _ = m.add(cp.cumulative([cp.interval(s, 2) for s in start], [1, 1, 1], capacity=2))
    >>> m.solve().status.value
    'optimal'
    """
    listed = _intervals(intervals, "cumulative")
    needs = tuple(_demand(demand) for demand in demands)
    if len(needs) != len(listed):
        raise ModelError(f"cumulative: {len(listed)} intervals and {len(needs)} demands; give one demand per interval")
    return Cumulative(listed, needs, as_expression(capacity))


def _demand(value: Any) -> int:
    if isinstance(value, Expression):
        raise ModelError(f"cumulative: the demand {value} is an expression; demands are integers (make one optional interval per choice)")
    if as_expression(value).interval()[0] < 0:
        raise ModelError(f"cumulative: the demand {value} is negative")
    return int(value)


def _intervals(intervals: Iterable[Interval], what: str) -> tuple[Interval, ...]:
    listed = tuple(intervals)
    if strangers := [each for each in listed if not isinstance(each, Interval)]:
        raise ModelError(f"{what}: expected intervals such as cp.interval(start, duration), got {strangers[0]!r}")
    return listed

"""Constraints in simpler parts: they hold exactly when the constraint itself does, and take no more room than they need."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import cpsolve as cp
from cpsolve import limits
from cpsolve.expressions import Variable, walk


@pytest.mark.parametrize("or_equal", [False, True])
@pytest.mark.parametrize("length", [0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 70])
def test_a_list_comes_before_another_exactly_when_its_parts_say_so(length: int, or_equal: bool) -> None:
    chance, model = Random(length), cp.Model()
    rows = model.int_vars((2, length), 0, 2)
    order = cp.lex_less(rows[0], rows[1], or_equal)
    parts = order.decomposition()
    for _ in range(200):
        left = [chance.randint(0, 2) for _ in range(length)]
        right = [value if chance.random() < 1 - 2 / max(length, 1) else chance.randint(0, 2) for value in left]
        values = dict(zip(model.variables, left + right, strict=True))
        expected = left <= right if or_equal else left < right
        assert bool(order.value(values)) == bool(parts.value(values)) == expected


def test_long_lists_are_spelled_out_in_parts_that_the_places_share() -> None:
    def size(length: int) -> int:
        rows = cp.Model().int_vars((2, length), 0, 9)
        return sum(1 + len(part.args) for part in walk(cp.lex_less(rows[0], rows[1]).decomposition()))

    assert size(4000) < 9 * size(500)
    assert size(4000) < 4000 * 50


def _under_way(moment: int, spans: list[tuple[int, int, int]]) -> int:
    return sum(demand for start, end, demand in spans if start <= moment < end)


def test_intervals_are_judged_moment_by_moment() -> None:
    chance = Random(5)
    for _ in range(1000):
        model, count = cp.Model(), chance.randint(0, 4)
        starts, durations, presence = model.int_vars(count, 0, 5), model.int_vars(count, 0, 3), model.bool_vars(count)
        capacity, demands = model.int_var(-1, 4), [chance.randint(0, 3) for _ in range(count)]
        intervals = [cp.interval(*each) for each in zip(starts, durations, presence, strict=True)]
        values = {variable: chance.randint(variable.lo, variable.hi) for variable in model.variables}
        spans = [
            (values[start], values[start] + values[duration], demand)
            for start, duration, present, demand in zip(starts, durations, presence, demands, strict=True)
            if values[present]
        ]
        shared, alone = cp.cumulative(intervals, demands, capacity), cp.no_overlap(intervals)
        fits = values[capacity] >= 0 and all(_under_way(moment, spans) <= values[capacity] for moment in range(10))
        apart = all(end <= other or last <= start for i, (start, end, _) in enumerate(spans) for other, last, _ in spans[:i])
        assert bool(shared.value(values)) == bool(shared.decomposition().value(values)) == fits
        assert bool(alone.value(values)) == bool(alone.decomposition().value(values)) == apart


def _intervals(count: int) -> list[cp.scheduling.Interval]:
    return [cp.interval(Variable(number, 0, 9), 2) for number in range(count)]


PAIRS: dict[str, Callable[[], cp.Constraint]] = {
    "no_overlap": lambda: cp.no_overlap(_intervals(100)),
    "cumulative": lambda: cp.cumulative(_intervals(100), [1] * 100, 3),
    "inverse": lambda: cp.inverse(cp.Model().int_vars(100, 0, 99), cp.Model().int_vars(100, 0, 99)),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_what_is_spelled_out_pair_by_pair_is_not_begun_without_the_memory_for_it(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    constraint = PAIRS[kind]()
    monkeypatch.setattr(limits, "resident", lambda: 10**9)  # what all pairs will take is to decide, not what is taken
    with limits.Deadline(None, max_memory=10**6).watched(), pytest.raises(cp.MemoryLimitError, match=kind):
        constraint.decomposition()
    with limits.Deadline(None, max_memory=10**7).watched():
        constraint.decomposition()

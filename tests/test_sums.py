"""Models of 0/1 sums: recognised whatever they are written with, and counted as brute force and the other engines count."""

from __future__ import annotations

import random
import time
from collections import Counter
from fractions import Fraction
from itertools import count, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve.counting import sums
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits
from cpsolve.limits import Deadline


@st.composite
def sum_models(draw: st.DrawFn) -> cp.Model:
    """A few 0/1 variables, some of them fixed, in sums of all kinds; perhaps a total, perhaps a variable that no sum is over."""
    m = cp.Model()
    count = draw(st.integers(1, 9))
    bounds = [(0, 1)] * 6 + [(0, 0), (1, 1)]
    x = [m.int_var(*draw(st.sampled_from(bounds))) for _ in range(count)]
    if draw(st.booleans()):
        m.int_var(-1, draw(st.integers(1, 4)))
    for _ in range(draw(st.integers(0, 5))):
        chosen = draw(st.lists(st.sampled_from(x), min_size=1, max_size=5, unique=True))
        number = draw(st.integers(-1, len(chosen) + 1))
        factor = draw(st.sampled_from([1, 1, 1, 2, -1, -3]))
        total = sum(factor * v for v in chosen)
        match draw(st.integers(0, 7)):
            case 0 | 1:
                m.add(total == factor * number)
            case 2:
                m.add(total <= factor * number + draw(st.integers(0, 1)))
            case 3:
                m.add(total >= factor * number)
            case 4:
                m.add(total > number)
            case 5:
                m.add(cp.at_most_one(chosen))
            case 6:
                m.add(cp.exactly_one(chosen))
            case _:
                m.add(cp.any_of(chosen) if draw(st.booleans()) else cp.any_of(~v for v in chosen))
    if draw(st.booleans()):
        everything = x[: draw(st.integers(max(1, count - 2), count))]
        number = draw(st.integers(0, count))
        m.add(draw(st.sampled_from([sum(everything) == number, sum(everything) <= number, sum(everything) >= number])))
    return m


def brute_force(m: cp.Model) -> list[tuple[int, ...]]:
    """All solutions, by trying every assignment."""
    found = []
    for values in product(*[range(v.lo, v.hi + 1) for v in m.variables]):
        assignment = dict(zip(m.variables, values, strict=True))
        if all(entry.constraint.value(assignment) for entry in m.constraints):
            found.append(values)
    return found


def told_apart(m: cp.Model) -> sums.Sums | None:
    m.count()
    found: sums.Sums | None = m.derived("sums", lambda: None)
    return found


@settings(deadline=None, derandomize=True, max_examples=300)
@given(sum_models(), st.data())
def test_every_answer_about_a_model_of_sums_is_that_of_brute_force(m: cp.Model, data: st.DataObject) -> None:
    solutions = brute_force(m)
    assert m.count() == len(solutions)
    assert (told_apart(m) is not None) or not solutions  # what a contradiction shows is no matter for a diagram
    places = data.draw(st.lists(st.sampled_from(range(len(m.variables))), min_size=1, unique=True))
    places = [place for place in places if m.variables[place].is_boolean] or [0]
    factor, constant = data.draw(st.sampled_from([(1, 0), (-2, 3)]))
    expression = factor * sum(m.variables[place] for place in places) + constant
    counts = Counter(factor * sum(values[place] for place in places) + constant for values in solutions)
    assert m.count_by(expression) == dict(sorted(counts.items()))
    booleans = [place for place, v in enumerate(m.variables) if v.is_boolean]
    asked = [m.variables[place] for place in booleans]
    if not solutions:
        for exact in (False, True):
            with pytest.raises(cp.InfeasibleError):
                m.marginals(asked, exact=exact)
        for question in (lambda: m.backbone(backend="diagram"), lambda: m.sample(1)):
            with pytest.raises(cp.InfeasibleError):
                question()
        return
    fixed = {v: solutions[0][i] for i, v in enumerate(m.variables) if len({values[i] for values in solutions}) == 1}
    assert m.backbone(backend="diagram") == fixed
    assert {tuple(drawn.values()) for drawn in m.sample(5)} <= set(solutions)
    shares = [Fraction(sum(values[place] for values in solutions), len(solutions)) for place in booleans]
    assert m.marginals(asked, exact=True).tolist() == shares
    floats = m.marginals(asked).tolist()
    assert floats == pytest.approx([float(share) for share in shares], abs=1e-12)
    assert [(f == 0.0, f == 1.0) for f in floats] == [(share == 0, share == 1) for share in shares]


def board(seed: int, rows: int, columns: int, total: str) -> cp.Model:
    """A board on which some squares tell how many of their neighbours hold something, or a bound of it."""
    luck = random.Random(seed)
    m = cp.Model()
    x = m.bool_vars((rows, columns))
    full = np.array([[luck.random() < 0.25 for _ in range(columns)] for _ in range(rows)])
    for row, column in product(range(rows), range(columns)):
        if luck.random() < 0.3:
            near = np.s_[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            number = int(full[near].sum())
            m.add(luck.choice([x[near].sum() == number] * 3 + [x[near].sum() <= number, x[near].sum() >= number]))
    held = int(full.sum())
    if total:
        m.add({"==": x.sum() == held, "<=": x.sum() <= held, "most": x[1:].sum() == int(full[1:].sum())}[total])
    return m


@pytest.mark.parametrize("total", ["", "==", "<=", "most"])
@pytest.mark.parametrize("seed", [1, 2])
def test_boards_of_sums_are_counted_as_by_the_engines_for_any_model(seed: int, total: str, monkeypatch: pytest.MonkeyPatch) -> None:
    m = board(seed, 6, 7, total)
    stats: dict[str, Any] = {}
    x = list(m.variables)
    few = x[3:11]
    found = (m.count(stats=stats), m.marginals(x, exact=True).tolist(), m.count_by(sum(few)), m.distribution(sum(x[:20])))
    floats = m.marginals(x)
    assert stats["engine"] == "sums"
    monkeypatch.setattr(sums, "of", lambda model, limits: None)
    other = m.copy()
    assert found == (
        other.count(stats=stats), other.marginals(x, exact=True).tolist(), other.count_by(sum(few)), other.distribution(sum(x[:20]))
    )  # fmt: skip
    assert stats["engine"] != "sums"
    np.testing.assert_allclose(floats, other.marginals(x), rtol=1e-12)


def test_samples_of_sums_are_uniform() -> None:
    m = cp.Model()
    x = m.bool_vars(9)
    m.int_var(4, 5)
    m.add([sum(x[:3]) == 1, sum(x[2:5]) <= 2, sum(x[5:7]) >= 1, sum(x[:8]) == 4])  # alike are 0 and 1, 3 and 4, 5 and 6; 8 is free
    solutions = brute_force(m)
    drawn = Counter(tuple(solution.values()) for solution in m.sample(1000 * len(solutions), seed=4))
    assert told_apart(m) is not None
    assert sorted(drawn) == sorted(solutions)
    chi_square = sum((times - 1000) ** 2 / 1000 for times in drawn.values())
    assert abs(chi_square - len(solutions)) < 5 * (2 * len(solutions)) ** 0.5


def test_samples_of_a_wide_board_with_a_total_have_its_shares() -> None:
    m = board(3, 12, 20, "==")
    samples = m.sample(2000, seed=1)
    shares = m.marginals(list(m.variables))
    for place in range(0, len(m.variables), 7):
        times = sum(list(solution.values())[place] for solution in samples[:500])
        assert abs(times - 500 * shares[place]) <= 5 * (500 * shares[place] * (1 - shares[place])) ** 0.5
    assert all(not m.violations(solution) for solution in samples[:20])


def test_a_total_over_most_variables_and_another_sum_count_as_binomials_say() -> None:
    m = cp.Model()
    x = m.bool_vars(40)
    m.add([x[:35].sum() >= 3, x[:35].sum() <= 30, x[30:].sum() <= 4])
    ways = Counter[int]()
    for first, both, last in product(range(31), range(6), range(6)):
        if 3 <= first + both <= 30 and both + last <= 4:
            ways[both] += comb(30, first) * comb(5, both) * comb(5, last)
    assert m.count() == ways.total()
    assert m.count_by(x[30:35].sum()) == dict(ways)
    assert m.marginals([x[32]], exact=True)[0] == Fraction(sum(both * n for both, n in ways.items()), 5 * ways.total())


def test_the_layers_of_sums_know_how_many_states_each_has() -> None:
    model = cp.Model()
    x = model.bool_vars(12)
    model.add([x[i : i + 4].sum() == 2 for i in range(0, 9, 2)])
    model.add(x.sum() <= 7)
    found = told_apart(model)
    assert found is not None
    for component in found.layers(Limits(Deadline(None), Memory())).components:
        assert component.widths == [*map(len, component.arcs), 1]


def test_counts_beyond_floats_stay_exact() -> None:
    m = cp.Model()
    x = m.bool_vars(1500)
    for i in range(0, 1499):
        m.add(x[i] + x[i + 1] <= 1)
    fibonacci = [1, 2]
    while len(fibonacci) <= 1500:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert m.count() == fibonacci[1500]
    expected = Fraction(fibonacci[748] * fibonacci[749], fibonacci[1500])
    assert m.marginals([x[749]], exact=True)[0] == expected
    assert m.marginals([x[749]])[0] == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize(
    "constrain",
    [
        lambda m, x: m.add(x[0] + 2 * x[1] + x[2] == 2),
        lambda m, x: m.add(x[0] <= x[1]),
        lambda m, x: m.add(x[0] | ~x[1]),
        lambda m, x: m.add(x[0] + x[1] != 1),
        lambda m, x: m.add(x[0] + m.int_var(0, 2) == 2),
        lambda m, x: m.add(cp.all_different(x[:2])),
    ],
)
def test_other_constraints_are_left_to_other_engines(constrain: Any) -> None:
    m = cp.Model()
    x = m.bool_vars(4)
    m.add(x.sum() >= 1)
    constrain(m, x)
    stats: dict[str, Any] = {}
    assert m.count(stats=stats) == len(brute_force(m))
    assert stats["engine"] != "sums"


def test_a_diagram_of_sums_keeps_to_the_budget_or_is_left_to_other_engines() -> None:
    m = board(3, 10, 10, "")
    stats: dict[str, Any] = {}
    number = m.count(stats=stats)
    assert stats["engine"] == "sums"
    assert m.copy().count(max_nodes=20, stats=stats) == number
    assert stats["engine"] != "sums"
    with pytest.raises(cp.DiagramTooWide):
        m.copy().marginals(list(m.variables), max_nodes=20)


def long_sums(variables: int) -> cp.Model:
    """Twenty sums over half of all variables each."""
    luck = random.Random(1)
    m = cp.Model()
    x = m.bool_vars(variables)
    for _ in range(20):
        m.add(sum(luck.sample(list(x), variables // 2)) == variables // 4)
    return m


@pytest.mark.parametrize("question", [cp.Model.count, lambda m, **options: m.sample(1, **options)])
def test_sums_over_thousands_of_variables_keep_to_their_time(question: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    m = long_sums(19_000)
    monkeypatch.setattr(time, "monotonic", count(0, 0.1).__next__)  # a clock that goes on whenever it is looked at
    with pytest.raises(cp.TimeLimitError):
        question(m, time_limit=1.0)

"""Every misuse gets its own clear error at the line that caused it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cpsolve as cp
from cpsolve import Model, ModelError

MODEL = Model("home")
X = MODEL.int_var(0, 9, "x")
Y = MODEL.int_var(0, 9, "y")
B = MODEL.bool_var("b")
FOREIGN = Model("abroad").int_var(0, 9, "stranger")
HUGE = MODEL.int_var(0, 2**60, "huge")


@pytest.mark.parametrize(
    "use",
    [
        lambda: bool(X == 3),
        lambda: 1 < X < 5,
        lambda: (X == 1) and (Y == 2),
        lambda: (X == 1) or (Y == 2),
        lambda: not X,
        lambda: bool(X),
        lambda: max(X, Y),
        lambda: X in [Y, X],
        lambda: sorted([X, Y]),
        lambda: any([X == 1, Y == 1]),
        lambda: [n for n in range(3) if n == X],
        lambda: bool(MODEL.int_vars(1, 0, 1) == 1),
    ],
)
def test_a_symbolic_truth_value_says_what_to_write_instead(use: Callable[[], Any]) -> None:
    with pytest.raises(cp.SymbolicTruthError, match=re.escape("(1 < x) & (x < 5)")):
        use()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: Model().int_var(5, 4, "gap"), "the domain 5..4 of gap is empty"),
        (lambda: Model().int_var(0, None, "endless"), "endless is unbounded"),  # type: ignore[arg-type]
        (lambda: Model().int_var(0, float("inf"), "endless"), "endless is unbounded"),  # type: ignore[arg-type]
        (lambda: Model().int_var(0, 2**70, "wide"), "64 bits"),
        (lambda: Model().int_var(0, 2.5), "2.5 is a float"),  # type: ignore[arg-type]
        (lambda: MODEL.add(FOREIGN == 1), "stranger belongs to another model"),
        (lambda: MODEL.add(X + FOREIGN <= 3), "stranger belongs to another model"),
        (lambda: MODEL.add(cp.all_different(X, FOREIGN)), "stranger belongs to another model"),
        (lambda: MODEL.minimize(FOREIGN), "stranger belongs to another model"),
        (lambda: MODEL.backbone(over=[FOREIGN]), "stranger belongs to another model"),
        (lambda: MODEL.explain(FOREIGN == 1), "stranger belongs to another model"),
        (lambda: MODEL.count_by(FOREIGN), "stranger belongs to another model"),
        (lambda: MODEL.hint({FOREIGN: 1}), "stranger belongs to another model"),
        (lambda: X * 0.5, "0.5 is a float: multiply the whole constraint"),
        (lambda: X <= 2.0, "2.0 is a float: write 2"),
        (lambda: X + np.float64(1.5), "1.5 is a float"),
        (lambda: X == "three", "got 'three' (str)"),
        (lambda: X == None, "got None"),  # noqa: E711
        (lambda: HUGE * HUGE, "beyond 64 bits"),
        (lambda: X / Y, "divide with // and %"),
        (lambda: X & B, "x ranges over 0..9"),
        (lambda: ~(X + Y), "is a number"),
        (lambda: MODEL.add(X), "x ranges over 0..9"),
        (lambda: MODEL.add(X + Y), "is a number"),
        (lambda: MODEL.add(7), "expected a constraint"),
        (lambda: MODEL.add("x == 3"), "got 'x == 3' (str)"),
        (lambda: cp.circuit([]), "no arcs"),
        (lambda: cp.circuit([(0, 1)]), "expected arcs"),  # type: ignore[list-item]
        (lambda: cp.element([], X), "the array is empty"),
        (lambda: cp.element([1, 2, 3], X), "the index x ranges over 0..9 but the array has 3 entries"),
        (lambda: cp.maximum(), "maximum of nothing"),
        (lambda: cp.minimum([]), "minimum of nothing"),
        (lambda: cp.table([X, Y], [(1, 2), (3,)]), "row 1 has 1 values for 2 expressions"),
        (lambda: cp.automaton([X], 0, [1], [(0, 1, 1), (0, 1, 2)]), "must be deterministic"),
        (lambda: cp.automaton([X], 0, [1], [(0, 1)]), "expected transitions"),  # type: ignore[list-item]
        (lambda: X * 2**70, "does not fit in 64 bits"),
        (lambda: MODEL.add(HUGE + HUGE + HUGE + HUGE <= 3), "beyond 64 bits"),
        (lambda: MODEL.add(8 * HUGE == X), "beyond 64 bits"),
        (lambda: MODEL.add(X <= 2**63), "beyond 64 bits"),
        (lambda: MODEL.minimize(8 * HUGE), "beyond 64 bits"),
        (lambda: MODEL.solve(time_limit=-1), "time_limit"),
        (lambda: MODEL.solve(time_limit=float("nan")), "time_limit"),
        (lambda: MODEL.solutions(limit=-1), "limit must not be negative"),
        (lambda: MODEL.sample(-1), "cannot draw -1"),
        (lambda: MODEL.solve(options={"no_such_thing": 1}), "no parameter 'no_such_thing'"),
        (lambda: MODEL.solve(options={"symmetry_level": "none"}), "'symmetry_level' is not to be set to 'none'"),
        (lambda: MODEL.solve(options={"num_workers": -1}), "rejects its parameters: parameter 'num_workers' should be in [0,10000]"),
        (lambda: MODEL.solve(options={"search_branching": 99}), "'search_branching' is not to be set to 99"),
        (lambda: MODEL.solve(options={"symmetry_level": [1]}), "'symmetry_level' is not to be set to [1]"),
        (lambda: MODEL.solve(backend="diagram", options={"no_such_thing": 1}), "no option 'no_such_thing'"),
        (lambda: MODEL.solve(backend="sat", options={"no_such_thing": 1}), "no option 'no_such_thing'"),
        (lambda: MODEL.solve(backend="python-constraint", options={"no_such_thing": 1}), "no option 'no_such_thing'"),
        (lambda: cp.cardinality([X, Y], {3: (1, 2, 3)}), "the value 3 is taken (1, 2, 3) times"),
        (lambda: cp.loop([]), "no edges"),
        (lambda: MODEL.violations({X: 3}), "lacks a value for y"),
        (lambda: MODEL.backbone(over=[X + Y]), "expected a variable"),
        (lambda: cp.Solution({X: 1})[Y], "y is not part of this solution: it has x=1"),
        (lambda: cp.Solution({X: 1})[X + Y], "y is not part of this solution"),
        (lambda: cp.Solution({X: 1})["x"], "indexed by variables and expressions"),
    ],
)
def test_a_wrong_model_is_told_at_once(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(ModelError, match=re.escape(message)):
        use()


def test_nothing_is_lost_when_a_constraint_is_refused() -> None:
    model = Model()
    x = model.int_var(0, 3)
    model.add(x >= 1)
    with pytest.raises(ModelError):
        model.add(FOREIGN >= 1)
    assert len(model.constraints) == 1
    assert model.count() == 3


def test_variables_of_a_copy_do_not_leak_into_the_original() -> None:
    model = Model()
    model.int_var(0, 3)
    twin = model.copy()
    fresh = twin.int_var(0, 3, "fresh")
    model.int_var(0, 5, "other")
    with pytest.raises(ModelError, match="fresh belongs to another model"):
        model.add(fresh == 1)


def test_numbers_near_the_limit_still_work() -> None:
    model = Model()
    x = model.int_var(-(2**60), 2**60, "x")
    model.add(x >= 2**60)
    assert model.solve().solution == cp.Solution({x: 2**60})
    model.maximize(x)
    assert model.solve().objective == 2**60


def test_an_unknown_backend_is_answered_with_the_known_ones() -> None:
    with pytest.raises(cp.UnsupportedError, match=r"there are 'cpsat', .*'python-constraint', 'diagram'"):
        MODEL.solve(backend="gurobi")


@pytest.mark.parametrize("backend", ["python-constraint", "diagram", "sat"])
def test_what_a_backend_cannot_do_names_one_that_can(backend: str) -> None:
    with pytest.raises(cp.UnsupportedError, match="cpsat"):
        MODEL.solve(backend=backend, workers=4)


def test_a_domain_too_large_to_list_is_refused_by_those_who_list_it() -> None:
    model = Model()
    x = model.int_var(0, 10**9, "x")
    model.add(x >= 5)
    with pytest.raises(cp.UnsupportedError, match="'cpsat'"):
        model.solve(backend="python-constraint")
    with pytest.raises(cp.DiagramTooWide, match="1,000,000,001 values") as error:
        model.count()
    assert error.value.width == 10**9 + 1
    assert model.solve().status is cp.Status.OPTIMAL


def test_unconstrained_variables_are_counted_whatever_their_domain() -> None:
    model = Model()
    x, y = model.int_var(1, 10**15), model.bool_var()
    assert model.count() == 2 * 10**15
    assert model.count(over=y) == 2
    assert model.sample(1, seed=3)[0][x] > 0


def test_a_diagram_too_wide_says_so_within_its_budget() -> None:
    model = Model()
    x = model.int_vars(40, 0, 1000)
    model.add([(x[::2] - x[1::2]).sum() == 7, cp.all_different(x)])
    with pytest.raises(cp.DiagramTooWide, match="too wide") as error:
        model.count(max_nodes=10_000)
    assert error.value.budget == 10_000
    assert error.value.width <= 10_000 + 1001 * 4096


def test_questions_that_need_a_solution_say_that_there_is_none() -> None:
    model = Model("impossible")
    x = model.int_var(0, 3, "x")
    model.add(x > 5)
    for question in (model.backbone, lambda: model.distribution(x), lambda: model.marginals([x == 1]), lambda: model.sample(1)):
        with pytest.raises(cp.InfeasibleError, match="has no solution"):
            question()
    result = model.solve()
    assert (result.status, result.solution, result.objective, result.bound) == (cp.Status.INFEASIBLE, None, None, None)
    assert model.count() == 0
    assert model.count_by(x) == {}
    assert list(model.solutions()) == []


def test_an_infeasible_model_explains_anything_only_with_its_conflict() -> None:
    model = Model()
    x, y = model.int_var(0, 3, "x"), model.int_var(0, 3, "y")
    model.add(x > 2, name="high")
    model.add(x < 2, name="low")
    with pytest.raises(cp.InfeasibleError) as error:
        model.explain(y == 1)
    assert [entry.name for entry in error.value.conflict] == ["high", "low"]


def test_every_error_has_the_common_root_and_a_familiar_base() -> None:
    for error, familiar in {
        cp.ModelError: ValueError,
        cp.SymbolicTruthError: TypeError,
        cp.UnsupportedError: NotImplementedError,
        cp.FormatError: ValueError,
        cp.TimeLimitError: TimeoutError,
    }.items():
        assert issubclass(error, cp.CPSolveError)
        assert issubclass(error, familiar)

"""Second opinions: a wrong optimum, a wrong "infeasible" and a wrong bound are caught; what cannot be checked says so."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest

import cpsolve as cp
from cpsolve import Model, Result, Solution, SolverError, Status
from cpsolve.checks import NOT_CHECKED, second_count, second_opinion


def knapsack() -> Model:
    model = Model("knapsack")
    x = model.int_vars(3, 0, 5, name="x")
    model.add(3 * x[0] + 4 * x[1] + 5 * x[2] <= 17, name="weight")
    model.maximize(4 * x[0] + 5 * x[1] + 7 * x[2])
    return model


@pytest.mark.parametrize(
    ("backend", "checked"), [("cpsat", "python-constraint"), ("diagram", "python-constraint"), ("python-constraint", "diagram")]
)
def test_an_optimum_is_checked_by_a_backend_that_did_not_give_it(backend: str, checked: str) -> None:
    result = knapsack().solve(backend=backend, check=True)
    assert result.checked == checked
    assert result.check.note == f"checked by {checked}: the same optimum 23"
    assert pickle.loads(pickle.dumps(result)).check == result.check


def test_nothing_is_checked_unless_asked_for() -> None:
    result = knapsack().solve()
    assert result.check is NOT_CHECKED
    assert result.checked == ""


def test_a_worse_answer_called_optimal_is_refuted() -> None:
    model = knapsack()
    worse = Solution(dict.fromkeys(model.variables, 1))
    assert not model.violations(worse)
    with pytest.raises(SolverError, match=r"(?s)cpsat: OPTIMAL, objective 16.*python-constraint: OPTIMAL, objective 23"):
        second_opinion(model, Result(Status.OPTIMAL, worse, 16, 16, {"backend": "cpsat"}))


def test_infeasible_with_a_solution_is_refuted() -> None:
    with pytest.raises(SolverError, match="contradict"):
        second_opinion(knapsack(), Result(Status.INFEASIBLE, stats={"backend": "cpsat"}))


def test_a_bound_below_the_optimum_is_refuted_although_the_answer_claims_no_optimum() -> None:
    model = knapsack()
    worse = Solution(dict.fromkeys(model.variables, 1))
    assert second_opinion(model, Result(Status.FEASIBLE, worse, 16, 23)).note == "checked by python-constraint: the optimum is 23"
    with pytest.raises(SolverError, match="bound 22"):
        second_opinion(model, Result(Status.FEASIBLE, worse, 16, 22))


def test_a_solution_where_the_other_proves_that_there_is_none_is_refuted() -> None:
    model = knapsack()
    model.add(model.variables[0] >= 6)
    with pytest.raises(SolverError, match="contradict"):
        second_opinion(model, Result(Status.OPTIMAL, Solution(dict.fromkeys(model.variables, 1)), 16, 16))


def test_agreement_that_there_is_no_solution_or_that_there_is_one() -> None:
    model = Model()
    x = model.int_vars(2, 0, 3)
    model.add(cp.all_different(x))
    assert model.solve(check=True).check.note == "checked by python-constraint: a solution too"
    model.add(x.sum() == 0)
    result = model.solve(check=True)
    assert (result.status, result.check.note) == (Status.INFEASIBLE, "checked by python-constraint: no solution either")


def test_a_wide_domain_is_checked_by_the_solver_without_presolve_and_named_so() -> None:
    model = Model()
    x = model.int_vars(12, 0, 10**6, name="x")
    model.add([a + 3 * b <= 10**6 - i for i, (a, b) in enumerate(pairwise(x))])
    model.maximize(x.sum())
    result = model.solve(check=True)
    assert result.checked == "cpsat with little presolve"
    assert "python-constraint" not in result.check.note


def test_a_check_without_time_says_why_there_is_none() -> None:
    model = Model()
    x = model.int_vars(40, 0, 40)
    model.add(cp.all_different(x))
    model.add([a + b != c for a, b, c in zip(x, x[1:], x[2:], strict=False)])
    model.minimize(sum(i * v for i, v in enumerate(x)))
    check = second_opinion(model, model.solve(time_limit=0.2), time_limit=0)
    assert check.backend == ""
    assert check.note


def test_no_answer_is_not_checked() -> None:
    assert second_opinion(knapsack(), Result(Status.UNKNOWN)).note == "not checked: there is no answer yet"


def test_a_count_names_the_engine_that_agreed_and_a_wrong_one_is_an_error() -> None:
    model = Model()
    x = model.int_vars(3, 0, 3)
    model.add(x.sum() == 4)
    told: dict[str, Any] = {}
    assert model.count(check=True, stats=told) == 12
    assert (told["checked"], told["check"]) == ("cpsat", "checked by cpsat: the same number, 12")
    assert model.count(over=x[0], check=True, stats=told) == 4
    assert told["check"] == "checked by cpsat: the same number, 4"
    for wrong in (11, 13):
        with pytest.raises(SolverError, match=f"{wrong} solutions were counted"):
            second_count(model, None, wrong)

"""The conflict of an infeasible result: minimal by brute force, the model's own constraints, and still there after pickling."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve import Model, Result, Status
from cpsolve.errors import LimitError, ModelError, SolverError
from cpsolve.model import NamedConstraint
from tests import oracle


def fits(model: Model, entries: list[NamedConstraint]) -> bool:
    """Whether some assignment meets all of these constraints, by trying every one."""
    return any(all(entry.constraint.value(values) for entry in entries) for values in oracle.assignments(model.variables))


@st.composite
def clashing(draw: st.DrawFn) -> Model:
    """A few small variables and many named constraints on them, most often too many."""
    model = Model()
    x = [model.int_var(0, 3, f"x{number}") for number in range(3)]
    kinds = [
        lambda one, other, value: one + other == value,
        lambda one, other, value: one - other >= value - 2,
        lambda one, other, value: (one == value).implies(other != value),
        lambda one, other, value: cp.all_different([one, other]),
    ]
    for number in range(draw(st.integers(1, 8))):
        one, other = draw(st.permutations(x))[:2]
        model.add(draw(st.sampled_from(kinds))(one, other, draw(st.integers(0, 4))), name=f"rule {number}")
    return model


@settings(max_examples=60, deadline=None)
@given(model=clashing())
def test_what_a_conflict_names_cannot_hold_and_without_any_one_of_it_can(model: Model) -> None:
    result = model.solve()
    clash = result.conflict()
    if result.status is not Status.INFEASIBLE:
        assert clash == []
        assert fits(model, list(model.constraints))
        return
    assert clash
    assert all(entry in model.constraints for entry in clash)
    assert not fits(model, clash)
    for entry in clash:
        assert fits(model, [other for other in clash if other is not entry])


def infeasible() -> Model:
    model = Model()
    x = model.int_var(0, 9, "x")
    model.add(x > 5, name="high")
    model.add(x != 7, name="odd one")
    model.add(x < 3, name="low")
    return model


@pytest.mark.parametrize("backend", [name for name, declared in cp.backends().items() if "solve" in declared.questions])
def test_every_backend_s_infeasible_result_has_its_conflict(backend: str) -> None:
    assert [entry.name for entry in infeasible().solve(backend=backend).conflict()] == ["high", "low"]


def test_the_conflict_is_that_of_the_model_when_it_was_asked() -> None:
    model = infeasible()
    result = model.solve()
    model.add(False, name="never")
    assert [entry.name for entry in model.conflict()] == ["never"]
    assert [entry.name for entry in result.conflict()] == ["high", "low"]


def test_a_pickled_result_still_has_its_conflict_and_none_can_be_changed() -> None:
    result = infeasible().solve()
    assert result.proof.endswith("conflict() tells which")
    again = pickle.loads(pickle.dumps(result))
    assert [entry.name for entry in again.conflict()] == ["high", "low"]
    assert "model" not in repr(again)
    with pytest.raises(FrozenInstanceError):
        again.model = None


def test_a_conflict_keeps_its_limits() -> None:
    with pytest.raises(LimitError):
        infeasible().solve().conflict(time_limit=0)


def test_what_is_unknown_has_no_conflict() -> None:
    with pytest.raises(ModelError, match="ask model"):
        Result(Status.UNKNOWN).conflict()


def test_an_infeasible_result_of_a_model_with_a_solution_is_a_broken_promise() -> None:
    model = Model()
    model.bool_var("b")
    with pytest.raises(SolverError, match="the constraints can all hold"):
        Result(Status.INFEASIBLE, model=model).conflict()

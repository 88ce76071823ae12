"""Every backend and every question against brute force, on random models over every constraint in both polarities."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve import Model, Status
from cpsolve.expressions import And, Comparison, Constraint, Expression, Function, Implies, Not, Or, Variable, Xor, walk
from cpsolve.solvers import cpsat_encoding
from cpsolve.solvers.base import QUESTIONS
from tests import oracle
from tests.strategies import Source, models

BACKENDS = [name for name, backend in cp.backends().items() if "solutions" in backend.questions]
ABLE = {question: [name for name, declared in cp.backends().items() if question in declared.questions] for question in QUESTIONS}
Drawn = tuple[Model, Source]


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=400)
@given(drawn=models())
def test_enumeration_neither_repeats_nor_misses_a_solution(backend: str, drawn: Drawn) -> None:
    model, _ = drawn
    found = model.solutions(backend=backend)
    keys = [oracle.key(dict(solution), model.variables) for solution in found]
    assert sorted(keys) == sorted(oracle.key(values, model.variables) for values in oracle.solutions(model))
    assert found.complete


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=200)
@given(drawn=models(), data=st.data())
def test_an_optimum_is_the_best_of_all_solutions(backend: str, drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    objective = Source(data.draw, source.variables).number(1)
    values = [objective.value(solution) for solution in oracle.solutions(model)]
    for best, set_objective in ((min, model.minimize), (max, model.maximize)):
        set_objective(objective)
        result = model.solve(backend=backend)
        if values:
            assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, best(values), best(values))
            assert result.solution is not None
            assert result.solution[objective] == best(values)
        else:
            assert (result.status, result.solution, result.objective) == (Status.INFEASIBLE, None, None)


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=100)
@given(drawn=models(), data=st.data())
def test_a_projection_lists_each_partial_assignment_once(backend: str, drawn: Drawn, data: st.DataObject) -> None:
    model, _ = drawn
    over = data.draw(st.lists(st.sampled_from(model.variables), unique_by=id))
    expected = {oracle.key(values, over) for values in oracle.solutions(model)}
    keys = [oracle.key(dict(solution), over) for solution in model.solutions(over=over, backend=backend)]
    assert sorted(keys) == sorted(expected)
    assert model.count(over=over) == len(expected)


@settings(max_examples=300)
@given(drawn=models(), data=st.data())
def test_counts_and_distributions_are_exact(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    expression = Source(data.draw, source.variables).number(2)
    expected = oracle.counts_by(model, expression)
    total = sum(expected.values())
    assert model.count() == total
    assert model.count_by(expression) == expected
    if total:
        assert model.distribution(expression) == {value: Fraction(ways, total) for value, ways in expected.items()}
    else:
        with pytest.raises(cp.InfeasibleError):
            model.distribution(expression)


@settings(max_examples=200)
@given(drawn=models(), data=st.data())
def test_marginals_are_the_shares_of_solutions(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    conditions = [cp.all_of(Source(data.draw, source.variables).condition(1)), *source.bools]
    found = oracle.solutions(model)
    if not found:
        with pytest.raises(cp.InfeasibleError):
            model.marginals(conditions)
        return
    expected = [Fraction(sum(bool(c.value(values)) for values in found), len(found)) for c in conditions]
    assert model.marginals(conditions, exact=True).tolist() == expected
    assert model.marginals(conditions).tolist() == [float(share) for share in expected]


@pytest.mark.parametrize("backend", ABLE["backbone"])
@settings(max_examples=200)
@given(drawn=models())
def test_the_backbone_is_what_all_solutions_share(backend: str, drawn: Drawn) -> None:
    model, _ = drawn
    if not oracle.solutions(model):
        with pytest.raises(cp.InfeasibleError):
            model.backbone(backend=backend)
        return
    assert model.backbone(backend=backend) == oracle.backbone(model)


@settings(max_examples=150)
@given(drawn=models(), seed=st.integers(0, 5))
def test_samples_are_solutions_and_repeat_with_the_seed(drawn: Drawn, seed: int) -> None:
    model, _ = drawn
    if not oracle.solutions(model):
        with pytest.raises(cp.InfeasibleError):
            model.sample(1, seed)
        return
    drawn_once = model.sample(3, seed)
    assert all(not model.violations(solution) for solution in drawn_once)
    assert drawn_once == model.sample(3, seed)


@pytest.mark.parametrize("backend", ABLE["conflict"])
@settings(max_examples=200)
@given(drawn=models())
def test_a_conflict_is_infeasible_and_loses_that_without_any_member(backend: str, drawn: Drawn) -> None:
    model, _ = drawn
    conflict = model.conflict(backend=backend)
    if oracle.solutions(model):
        assert conflict == []
        return
    assert not _solvable(model, conflict)
    for member in conflict:
        assert _solvable(model, [entry for entry in conflict if entry is not member])


@pytest.mark.parametrize("backend", ABLE["explain"])
@settings(max_examples=200)
@given(drawn=models(), data=st.data())
def test_an_explanation_implies_the_fact_and_no_less_does(backend: str, drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    fact = cp.all_of(Source(data.draw, source.variables).condition(1))
    failing = [values for values in oracle.solutions(model) if not fact.value(values)]
    if failing:
        with pytest.raises(cp.NotImpliedError) as not_implied:
            model.explain(fact, backend=backend)
        counterexample = not_implied.value.counterexample
        assert not model.violations(counterexample)
        assert not counterexample[fact]
        return
    try:
        reasons = model.explain(fact, backend=backend)
    except cp.InfeasibleError as contradiction:
        clashing = contradiction.conflict
        assert not oracle.solutions(model)
        assert not _solvable(model, clashing)
        return
    assert not _solvable(model, reasons, ~fact)
    for member in reasons:
        assert _solvable(model, [entry for entry in reasons if entry is not member], ~fact)


def _solvable(model: Model, constraints: list[cp.NamedConstraint], extra: cp.Constraint | None = None) -> bool:
    part = model.copy()
    part._constraints = list(constraints)
    if extra is not None:
        part.add(extra)
    return bool(oracle.solutions(part))


@settings(max_examples=100)
@given(drawn=models())
def test_a_pickled_model_has_the_same_solutions(drawn: Drawn) -> None:
    model, _ = drawn
    twin: Model = pickle.loads(pickle.dumps(model))
    assert [oracle.key(s, twin.variables) for s in oracle.solutions(twin)] == [
        oracle.key(s, model.variables) for s in oracle.solutions(model)
    ]
    assert str(twin) == str(model)


@settings(max_examples=300)
@given(drawn=models(), data=st.data())
def test_an_interval_contains_every_value_that_a_partial_assignment_allows(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    fresh = Source(data.draw, source.variables)
    expression = data.draw(st.sampled_from([fresh.number(2), cp.all_of(fresh.condition(2))]))
    everything = list(oracle.assignments(model.variables))
    full = data.draw(st.sampled_from(everything))
    kept = data.draw(st.sets(st.sampled_from(model.variables)))
    partial = {variable: full[variable] for variable in kept}
    low, high = expression.interval(partial)
    assert all(low <= expression.value(values) <= high for values in everything if all(values[v] == partial[v] for v in partial))
    assert expression.interval(full) == (expression.value(full),) * 2


@settings(max_examples=300)
@given(drawn=models(), data=st.data())
def test_a_decomposition_says_the_same_in_simpler_parts(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    fresh = Source(data.draw, source.variables)
    everything = list(oracle.assignments(model.variables))
    for part in walk(cp.all_of(fresh.condition(2)), fresh.number(2)):
        if isinstance(part, Constraint) and part.decomposes:
            simpler = part.decomposition()
            assert type(simpler) is not type(part)
            assert all(bool(simpler.value(values)) == bool(part.value(values)) for values in everything)
        elif isinstance(part, Function):
            result = Variable(len(model.variables), *part.interval(), "result")
            definition = part.definition(result)
            for values in everything:
                fitting = [value for value in range(result.lo, result.hi + 1) if definition.value({**values, result: value})]
                assert fitting == [part.value(values)]


CORE: set[type[Expression]] = {Variable, Comparison, And, Or, Not, Xor, Implies}


@settings(max_examples=300)
@given(drawn=models())
def test_a_backend_without_forms_of_its_own_has_the_same_solutions(drawn: Drawn) -> None:
    model, _ = drawn
    expected = sorted(oracle.key(values, model.variables) for values in oracle.solutions(model))
    with pytest.MonkeyPatch.context() as patch:
        for forms in (cpsat_encoding.POST, cpsat_encoding.NEGATED, cpsat_encoding.REIFY, cpsat_encoding.DEFINE):
            for kind in set(forms) - CORE:
                patch.delitem(forms, kind)
        assert sorted(oracle.key(dict(found), model.variables) for found in model.solutions(backend="cpsat")) == expected

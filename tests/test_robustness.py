"""Large, deep, shared and unusual models: right answers, or clear errors within the limits."""

from __future__ import annotations

import copy
import subprocess
import sys
import textwrap
import threading
from math import comb, factorial

import numpy as np
import pytest

import cpsolve as cp
from cpsolve import Model, ModelError, Status
from tests import oracle


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("limit", [0, 1e-4, 0.02])
def test_a_bound_is_never_beaten_by_a_solution(sense: int, limit: float) -> None:
    model = Model()
    x, y = model.int_var(-100, -50), model.int_var(-100, 0)
    model.add(x + y != -150 * sense)
    (model.minimize if sense > 0 else model.maximize)(sense * (x + y))
    result = model.solve(time_limit=limit)
    assert result.bound is not None
    assert sense * result.bound <= -200 if sense > 0 else result.bound >= 200


def test_streamed_bounds_are_exact_beyond_floating_point() -> None:
    model = Model()
    x, y = model.int_var(0, 300), model.int_var(1, 1)
    model.add(x >= 129)
    model.minimize(x + 2**58 * y)
    seen: list[cp.Result] = []
    assert model.solve(on_solution=seen.append).objective == 129 + 2**58
    assert all(step.bound is not None and step.bound <= 129 + 2**58 for step in seen)


def multiplexer(size: int) -> tuple[Model, cp.Constraint]:
    """A formula whose parts are shared at every level: a tree of it would have 2**size nodes."""
    model = Model()
    x, y = model.bool_vars(size), model.bool_vars(size)
    part = x[0] & y[0]
    for i in range(1, size):
        part = (part & x[i]) | (~part & y[i])
    return model, part


def test_shared_parts_are_evaluated_once() -> None:
    model, formula = multiplexer(40)
    model.add(formula)
    assert formula.interval() == (0, 1)
    solution = model.solve().solution
    assert solution is not None
    assert solution[formula]
    with pytest.raises(cp.DiagramTooWide, match="give shared parts names"):
        model.count()


def test_a_shared_formula_counts_right_while_it_is_small() -> None:
    model, formula = multiplexer(4)
    model.add(formula)
    assert model.count() == len(oracle.solutions(model))


def test_nesting_without_end_is_told_where_it_happens() -> None:
    def nest(condition: cp.Constraint, times: int) -> cp.Constraint:
        for _ in range(times):
            condition = condition.implies(condition == 1)
        return condition

    with pytest.raises(ModelError, match="nested more than 150 deep"):
        nest(Model().bool_var("b") == 1, 1000)


def test_long_chains_of_one_operator_are_flat() -> None:
    model = Model()
    x = model.bool_vars(600)
    both = either = odd = x[0]
    largest = x[0]
    for variable in x[1:]:
        both, either, odd, largest = both & variable, either | variable, odd ^ variable, cp.maximum(largest, variable)
    assert [part.depth for part in (both, either, odd, largest)] == [1, 1, 1, 1]
    model.add(odd)
    assert model.count() == 2**599
    model.add(largest == 1)
    assert model.solve().status is Status.OPTIMAL


def test_negated_and_reified_circuits_of_eight_nodes() -> None:
    model = Model()
    nodes = range(5)
    arcs = [(a, b, model.bool_var()) for a in nodes for b in nodes if a != b]
    model.add(~cp.circuit(arcs))
    assert model.count() == 2**20 - factorial(4)
    larger = Model()
    tour = cp.circuit([(a, b, larger.bool_var()) for a in range(8) for b in range(8) if a != b])
    closed = larger.bool_var("closed")
    larger.add(closed == tour)
    larger.add(cp.all_of(tour.args[0], tour.args[7 + 1], tour.args[7 * 2 + 2]))
    for wanted in (0, 1):
        question = larger.copy()
        question.add(closed == wanted)
        solution = question.solve().solution
        assert solution is not None
        assert solution[tour] == bool(wanted)


def test_all_different_over_distant_values() -> None:
    model = Model()
    x, y = model.int_var(0, 3), model.int_var(10**12, 10**12 + 3)
    model.add(cp.all_different(x, y, x + 10**12 - 1 + 0 * y))
    assert model.count() == len(oracle.solutions(model)) == 13


def test_counting_by_an_expression_with_too_many_values_keeps_its_budget() -> None:
    model = Model()
    x, y = model.bool_vars(20), model.bool_vars(20)
    model.add(x <= y)
    with pytest.raises(cp.DiagramTooWide, match="too many values"):
        model.count_by(sum(2**i * x[i] for i in range(20)), max_nodes=1000)


def test_a_table_with_many_columns_counts() -> None:
    model = Model()
    x = model.bool_vars(1200)
    model.add(cp.table(x, [[0] * 1200, [1] * 1200, [0, 1] * 600]))
    assert model.count() == 3


@pytest.mark.parametrize("backend", [name for name, backend in cp.backends().items() if "solutions" in backend.questions])
def test_a_change_of_the_model_does_not_disturb_a_running_iterator(backend: str) -> None:
    model = Model()
    x = model.int_vars(2, 0, 2)
    found = model.solutions(backend=backend)
    model.add(x[0] == x[1])
    assert len(list(found)) == 9
    for solution in model.solutions(backend=backend):
        model.add(cp.any_of(x[0] != solution[x[0]], x[1] != solution[x[1]]))
    assert model.count() == 0


def test_projections_with_many_solutions_each_are_found_all_the_same() -> None:
    model = Model()
    x, rest = model.int_vars(2, 0, 3), model.int_vars(8, 0, 9)
    model.add(x[0] < x[1])
    model.add(rest.sum() >= 1)
    projected = model.solutions(over=x)
    assert sorted((s[x[0]], s[x[1]]) for s in projected) == [(a, b) for a in range(4) for b in range(a + 1, 4)]
    assert projected.complete


def test_nothing_is_added_when_one_of_several_is_refused() -> None:
    model = Model()
    x = model.int_var(0, 5)
    with pytest.raises(ModelError):
        model.add([x > 1, 3.5])
    with pytest.raises(ModelError):
        model.int_vars(3, [0, 0, 9], 5)
    assert (len(model.variables), len(model.constraints)) == (1, 0)


def test_numpy_products_and_stacks_stay_expressions() -> None:
    model = Model()
    x = model.int_vars(3, 0, 5, name="x")
    weights = np.array([1, 2, 3])
    assert str(x @ weights) == "x[0] + 2*x[1] + 3*x[2]"
    assert str(weights @ x) == "x[0] + 2*x[1] + 3*x[2]"
    assert model.add(x @ weights <= 5, name="cap").name == "cap"
    assert model.count_by(x @ weights)[5] == 5
    assert [str(c) for c in np.concatenate([x, x[:1]]) == 1] == ["x[0] == 1", "x[1] == 1", "x[2] == 1", "x[0] == 1"]
    assert np.vstack([x, x]).sum(axis=0).shape == (3,)
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        x.sum(axis=2)
    with pytest.raises(TypeError, match="not initial"):
        np.sum(x, initial=5)


@pytest.mark.parametrize(
    "use",
    [
        lambda x: Model.hint(Model(), {x: 10**30}),
        lambda x: cp.table([x], [(10**30,)]),
        lambda x: cp.element([10**30, 7], x),
        lambda x: cp.automaton([x], 0, [0], [(0, 10**30, 0)]),
        lambda x: cp.automaton([x], "s", "end", []),
        lambda x: cp.table(x, [1, 2, 3]),  # type: ignore[list-item]
        lambda x: x // 0,
        lambda x: 7 % x,
        lambda x: x**-1,
        lambda x: 2**x,
        lambda x: x / 2,
    ],
)
def test_numbers_and_operators_that_no_solver_takes_are_model_errors(use: object) -> None:
    assert callable(use)
    with pytest.raises(ModelError):
        use(Model().int_var(0, 1, "x"))


@pytest.mark.parametrize(
    "options",
    [{"workers": 0}, {"workers": -1}, {"workers": 1.5}, {"seed": 1.5}, {"time_limit": "1"}],
)
def test_options_that_make_no_sense_are_model_errors(options: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=next(iter(options))):
        Model().solve(**options)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="max_nodes"):
        Model().count(max_nodes=0)


def test_a_large_seed_is_welcome() -> None:
    assert Model().solve(seed=2**40).status is Status.OPTIMAL


def test_grouped_variables_keep_their_counts_apart_when_asked_by_weight() -> None:
    model = Model()
    x = model.bool_vars(12)
    model.add(x.sum() == 5)
    by_first = model.count_by(x[:4].sum())
    assert by_first == {k: comb(4, k) * comb(8, 5 - k) for k in range(5)}
    assert model.count(over=x[:3]) == 8
    assert model.marginals(x, exact=True).tolist() == [model.distribution(x[0])[1]] * 12


def test_samples_are_fair() -> None:
    model = Model()
    x = model.bool_vars(5)
    y = model.int_var(0, 2)
    model.add([x.sum() == 2, y <= x[0] + x[1]])
    number = model.count()
    drawn = model.sample(200 * number, seed=5)
    counts = [drawn.count(solution) for solution in set(drawn)]
    assert len(counts) == number
    statistic = sum((count - 200) ** 2 / 200 for count in counts)
    assert statistic < number + 4 * (2 * number) ** 0.5  # four deviations of chi-square


def test_many_threads_may_solve_at_once() -> None:
    def work(results: list[int], number: int) -> None:
        model = Model()
        x = model.int_vars(4, 0, 9)
        model.add([cp.all_different(x), x.sum() == 10 + number])
        results[number] = sum(1 for _ in model.solutions())

    results = [0] * 6
    threads = [threading.Thread(target=work, args=(results, number)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [0] * 6
    for number in range(6):
        work(expected, number)
    assert results == expected


def test_a_forked_child_can_end_while_its_parent_enumerates() -> None:
    script = """
        import os, sys
        from tests.test_limits import golomb

        open_iterator = golomb(9).solutions()
        next(open_iterator)
        child = os.fork()
        if child == 0:
            sys.exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "7\n", done.stderr


def test_a_shallow_copy_is_a_copy() -> None:
    model = Model()
    x = model.int_var(0, 5)
    twin = copy.copy(model)
    twin.add(x > 3)
    assert (model.count(), twin.count()) == (6, 2)

"""Every form that the backend 'sat' has for a constraint, on domains large enough to need it, against every assignment there is."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import cpsolve as cp
from cpsolve import Model

Case = Callable[[Model], Any]


def integers(model: Model, count: int, low: int, high: int) -> Any:
    return model.int_vars(count, low, high)


def weighted(model: Model) -> Any:
    x, y, z = integers(model, 3, -2, 4)
    return 3 * x + 5 * y - 2 * z <= 11


def weighted_equal(model: Model) -> Any:
    x, y, z = integers(model, 3, 0, 6)
    return 2 * x + 3 * y + 4 * z == 17


def some_positive(model: Model) -> Any:
    return integers(model, 3, 0, 6).sum() > 0


def all_least(model: Model) -> Any:
    x, y, z = integers(model, 3, -3, 3)
    return x + 2 * y - z <= -11


def far_apart(model: Model) -> Any:
    x = model.int_var(0, 40)
    return x - 2 * model.int_var(0, 9) == 3


def at_most_apart(model: Model) -> Any:
    return model.int_var(-20, 20) - 3 * model.int_var(0, 9) <= -4


def loop_on_grid(model: Model) -> Any:
    return cp.loop(cp.grid_edges(model, 2, 4))


def path_on_grid(model: Model) -> Any:
    return cp.path(cp.grid_edges(model, 2, 3), (0, 0), (1, 1))


def forest(model: Model) -> Any:
    return cp.acyclic(cp.grid_edges(model, 2, 3))


def joined(model: Model) -> Any:
    return cp.connected(model.bool_vars((3, 3)), cp.grid(3, 3))


def islands(model: Model) -> Any:
    return cp.regions(model.int_vars((2, 3), 0, 2), cp.grid(2, 3), roots={1: (0, 0), 2: (1, 2)}, sizes={1: 2, 2: 1})


def sized(model: Model) -> Any:
    return cp.regions(model.int_vars((1, 5), 0, 2), cp.grid(1, 5), sizes={0: model.int_var(1, 2), 2: 3})


def own_sizes(model: Model) -> Any:
    x = model.int_vars((2, 3), 1, 3)
    return cp.region_sizes(x, cp.grid(2, 3), x)


def other_sizes(model: Model) -> Any:
    return cp.region_sizes(model.int_vars((1, 4), 0, 1), cp.grid(1, 4), model.int_vars((1, 4), 1, 2))


def machine(model: Model) -> Any:
    tasks = [cp.interval(start, length) for start, length in zip(integers(model, 3, 0, 5), (2, 1, 3), strict=True)]
    return cp.cumulative(tasks, [1, 2, 2], 3)


def one_at_a_time(model: Model) -> Any:
    starts = integers(model, 2, 0, 6)
    return cp.no_overlap([cp.interval(starts[0], 3, model.bool_var()), cp.interval(starts[1], 2)])


def cyclic(model: Model) -> Any:
    return cp.circuit([(a, b, model.bool_var()) for a in range(3) for b in range(3)])


def words(model: Model) -> Any:
    steps = [(0, 0, 0), (0, 1, 1), (1, 2, 0), (1, 1, 2), (2, 0, 2), (2, 3, 0)]
    return cp.automaton(integers(model, 4, 0, 3), 0, [0, 2], steps)


def chosen_rows(model: Model) -> Any:
    return cp.table(integers(model, 3, 0, 6), [(0, 1, 2), (6, 6, 6), (3, 1, 2), (3, 1, 9), (0, 0, 0)])


def index(model: Model) -> Any:
    return cp.element([4, *integers(model, 2, 0, 4), 1], model.int_var(0, 3)) == model.int_var(0, 4)


def back_and_forth(model: Model) -> Any:
    return cp.inverse(integers(model, 3, 0, 2), integers(model, 3, 0, 2))


def ordered_words(model: Model) -> Any:
    x = integers(model, 6, 0, 2)
    return cp.lex_less(x[:3], x[3:])


CASES: dict[str, Case] = {
    "sum of products": weighted,
    "sum of products, equal": weighted_equal,
    "sum not at its least": some_positive,
    "sum at its least": all_least,
    "sum of many bits": lambda m: m.bool_vars(9).sum() == 4,
    "sum of many bits, different": lambda m: m.bool_vars(8).sum() != 3,
    "sum of many bits, bounded": lambda m: m.bool_vars(9).sum() >= 6,
    "sum of few bits": lambda m: m.bool_vars(5).sum() == 2,
    "weighted sum of few bits, equal": lambda m: (m.bool_vars(5) * [1, 1, 2, -3, 1]).sum() == 1,
    "weighted sum of few bits, bounded": lambda m: (integers(m, 4, 4, 5) * [3, -1, 2, 2]).sum() <= 26,
    "two wide numbers, equal": far_apart,
    "two wide numbers, bounded": at_most_apart,
    "two numbers, different": lambda m: m.int_var(0, 19) != m.int_var(3, 22),
    "product": lambda m: m.int_var(-4, 4) * m.int_var(0, 12) == m.int_var(-8, 3),
    "square": lambda m: m.int_var(-9, 9) ** 2 <= m.int_var(0, 20),
    "quotient": lambda m: m.int_var(-9, 9) // m.int_var(1, 4) == m.int_var(-3, 3),
    "remainder": lambda m: m.int_var(-9, 9) % 4 == m.int_var(-1, 4),
    "remainder by a negative": lambda m: m.int_var(-9, 9) % -3 == m.int_var(-4, 4),
    "absolute": lambda m: cp.absolute(m.int_var(-9, 9)) >= m.int_var(0, 10),
    "maximum": lambda m: cp.maximum(integers(m, 3, -1, 4)) == m.int_var(0, 2),
    "minimum": lambda m: cp.minimum(integers(m, 3, -1, 4)) == m.int_var(0, 2),
    "element": index,
    "table": chosen_rows,
    "table of one": lambda m: cp.table([m.int_var(-3, 20)], [(1,), (7,), (20,), (33,)]),
    "automaton": words,
    "all different": lambda m: cp.all_different(integers(m, 3, 0, 6)),
    "permutation": lambda m: cp.all_different(integers(m, 4, 1, 4)),
    "at most one": lambda m: cp.at_most_one(m.bool_vars(9)),
    "exactly one": lambda m: cp.exactly_one(m.bool_vars(9)),
    "inverse": back_and_forth,
    "lexicographic order": ordered_words,
    "increasing": lambda m: cp.increasing(integers(m, 4, 0, 3), strict=True),
    "cardinality": lambda m: cp.cardinality(integers(m, 4, 0, 3), {1: 2, 3: (0, 1), 2: m.int_var(0, 1)}),
    "count": lambda m: cp.count(integers(m, 3, 0, 4), m.int_var(0, 3)) == 2,
    "among": lambda m: cp.among(integers(m, 4, 0, 3), [1, 3]) >= 3,
    "no overlap": one_at_a_time,
    "cumulative": machine,
    "circuit": cyclic,
    "loop": loop_on_grid,
    "path": path_on_grid,
    "acyclic": forest,
    "connected": joined,
    "regions with roots and sizes": islands,
    "regions with a size to be found": sized,
    "region sizes of their own": own_sizes,
    "region sizes told apart": other_sizes,
}


def listed(model: Model) -> list[tuple[int, ...]]:
    return [tuple(found[variable] for variable in model.variables) for found in model.solutions(backend="sat")]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("polarity", ["stated", "denied", "told by a variable"])
def test_the_solutions_in_clauses_are_those_of_all_assignments(name: str, polarity: str) -> None:
    model = Model()
    condition: Any = CASES[name](model)
    if polarity == "told by a variable":
        condition = condition == model.bool_var()
    elif polarity == "denied":
        condition = ~condition
    model.add(condition)
    variables = model.variables
    every = itertools.product(*(range(variable.lo, variable.hi + 1) for variable in variables))
    expected = [values for values in every if condition.value(dict(zip(variables, values, strict=True)))]
    if len(expected) > 150:  # a seventh of them, to keep the listing short
        weight = sum((i + 1) * variable for i, variable in enumerate(variables)) % 7
        model.add(weight == 3)
        expected = [values for values in expected if weight.value(dict(zip(variables, values, strict=True))) == 3]
    assert sorted(listed(model)) == sorted(expected)


def test_what_is_said_of_single_variables_narrows_them_and_may_leave_nothing() -> None:
    model = Model()
    x, y, b = model.int_var(0, 30, "x"), model.int_var_of([2, 3, 5, 7], "y"), model.bool_var("b")
    model.add([x >= 4, x != 6, x < 9, cp.all_of(y != 3, ~b), x + y == 12 + 3 * b])
    assert sorted(listed(model)) == [(5, 7, 0), (7, 5, 0)]
    model.add(x == 6)
    assert model.solve(backend="sat").status is cp.Status.INFEASIBLE
    assert {entry.constraint.__class__.__name__ for entry in model.conflict(backend="sat")} == {"Comparison"}


def test_questions_may_be_asked_in_any_order_and_again() -> None:
    model = Model()
    black = model.bool_vars((3, 3))
    model.add([cp.connected(black, cp.grid(3, 3)), black.sum() == 4, black[1, 1]])
    every = sorted(listed(model))
    assert model.solve(backend="sat").solution is not None
    assert model.backbone(backend="sat") == {black[1, 1]: 1}
    assert len(list(model.solutions(limit=3, backend="sat"))) == 3
    first, second = model.solutions(backend="sat"), model.solutions(backend="sat")  # side by side
    pairs = list(zip(first, second, strict=True))
    assert len(pairs) == len(every) == len({tuple(one.values()) for one, _ in pairs}) == len({tuple(other.values()) for _, other in pairs})
    assert sorted(listed(model)) == every
    model.add(~black[0, 1])
    assert sorted(listed(model)) == [values for values in every if not values[1]]


def test_uniqueness_may_be_the_first_question_of_all() -> None:
    text = "import cpsolve as cp; m = cp.Model(); _ = m.add(cp.loop(cp.grid_edges(m, 2, 2))); print(m.unique())"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout == "True\n"

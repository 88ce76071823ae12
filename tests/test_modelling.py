"""Building and printing models: arrays, names, copies, and numbers of every integer type."""

from __future__ import annotations

import copy
import operator
import pickle

import numpy as np
import pytest

import cpsolve as cp
from cpsolve import Model


def test_the_readme_magic_square_prints_as_a_person_would_write_it() -> None:
    model = Model("magic square")
    x = model.int_vars((3, 3), 1, 9, name="x")
    model.add(cp.all_different(x[0]), name="all different")
    model.add(x.sum(axis=0) == 15, name="columns")
    model.add(x.trace() == 15)
    assert str(model).splitlines()[-5:] == [
        "  all different: all_different(x[0,0], x[0,1], x[0,2])",
        "  columns[0]: x[0,0] + x[1,0] + x[2,0] == 15",
        "  columns[1]: x[0,1] + x[1,1] + x[2,1] == 15",
        "  columns[2]: x[0,2] + x[1,2] + x[2,2] == 15",
        "  x[0,0] + x[1,1] + x[2,2] == 15",
    ]


def test_every_kind_of_expression_prints_readably() -> None:
    model = Model()
    x, y = model.int_var(0, 9, "x"), model.int_var(0, 9, "y")
    a, b = model.bool_var("a"), model.bool_var("b")
    i = model.int_var(0, 1, "i")
    expected = {
        "2*x - y + 3 <= 7": 2 * x - y + 3 <= 7,
        "-x + 3 == 0": 3 - x == 0,
        "~a | (x >= 3)": ~a | (x >= 3),
        "(x == 1) & (y == 2)": (x == 1) & (y == 2),
        "a ^ b": a ^ b,
        "a -> (x != y)": a.implies(x != y),
        "~(a & b)": ~(a & b),
        "(x == 1) + a <= 1": (x == 1) + a <= 1,
        "(x + y) * (x + 1) <= 9": (x + y) * (x + 1) <= 9,
        "(x + y) // (x + 1) == 1": (x + y) // (x + 1) == 1,
        "element([5, x], i) > 2": cp.element([5, x], i) > 2,
        "maximum(x, y) - minimum(x, y) == absolute(x - y)": cp.maximum(x, y) - cp.minimum(x, y) == cp.absolute(x - y),
        "at_most_one(a, b)": cp.at_most_one(a, b),
        "exactly_one(a, ~b)": cp.exactly_one(a, ~b),
        "table([x, y], [(1, 2), (3, 4)])": cp.table([x, y], [(1, 2), (3, 4)]),
        "circuit([(0, 1, a), (1, 0, b)])": cp.circuit([(0, 1, a), (1, 0, b)]),
        "automaton([a, b], 2 states, 2 transitions)": cp.automaton([a, b], "p", ["q"], [("p", 1, "q"), ("q", 1, "p")]),
        "all_of()": cp.all_of(),
        "(x == 1) == a": (x == 1) == a,
    }
    for text, expression in expected.items():
        assert str(expression) == text


def test_sums_work_along_any_axis() -> None:
    model = Model()
    x = model.int_vars((2, 3, 4), 0, 1)
    numbers = np.arange(24).reshape(2, 3, 4)
    assignment = dict(zip(model.variables, numbers.ravel().tolist(), strict=True))
    for axis in (None, 0, 1, 2, -1, (0, 2), (1, 2)):
        for keepdims in (False, True):
            sums, expected = x.sum(axis=axis, keepdims=keepdims), numbers.sum(axis=axis, keepdims=keepdims)
            assert np.shape(sums) == expected.shape
            values = [entry.value(assignment) for entry in np.ravel(np.asarray(sums, dtype=object)).tolist()]
            assert values == expected.ravel().tolist()


@pytest.mark.parametrize("three", [3, np.int64(3), np.int8(3), np.uint16(3)])
def test_integers_of_every_type_are_accepted_everywhere(three: int) -> None:
    model = Model()
    x = model.int_var(int(three) - 3, three * 3, "x")
    for constraint in (
        x == three,
        three == x,
        x * three == 9,
        three * x == 9,
        x + three == 6,
        three + x == 6,
        three - x == 0,
        x - three == 0,
    ):
        only = model.copy()
        only.add(constraint)
        assert [solution[x] for solution in only.solutions()] == [3]


def test_numpy_arrays_compare_with_variables_element_by_element() -> None:
    model = Model()
    x = model.int_var(0, 5, "x")
    xs = model.int_vars(3, 0, 5, name="y")
    targets = np.array([1, 2, 3])
    assert [str(c) for c in targets == x] == ["x == 1", "x == 2", "x == 3"]
    assert [str(c) for c in targets == xs] == ["y[0] == 1", "y[1] == 2", "y[2] == 3"]
    assert [str(c) for c in targets <= xs] == ["y[0] >= 1", "y[1] >= 2", "y[2] >= 3"]
    assert [str(e) for e in targets * xs] == ["y[0]", "2*y[1]", "3*y[2]"] or [str(e) for e in targets * xs] == [
        "1*y[0]",
        "2*y[1]",
        "3*y[2]",
    ]
    assert [str(e) for e in targets + x] == ["x + 1", "x + 2", "x + 3"]
    assert str((targets @ xs) <= 10) == "y[0] + 2*y[1] + 3*y[2] <= 10"


def test_a_plain_object_array_of_variables_refuses_to_compare_silently() -> None:
    model = Model()
    plain = np.array([model.int_var(0, 5), model.int_var(0, 5)], dtype=object)
    with pytest.raises(cp.SymbolicTruthError):
        _ = plain == 3


def test_two_variables_of_one_name_stay_two() -> None:
    model = Model()
    first, second = model.bool_var("twin"), model.bool_var("twin")
    model.add(first != second)
    assert model.count() == 2
    solution = model.solve().solution
    assert solution is not None
    assert solution[first] != solution[second]


def test_long_sums_are_built_in_linear_steps() -> None:
    model = Model()
    variables = [model.bool_var() for _ in range(50_000)]
    total = cp.array(variables).sum()
    assert total.interval() == (0, 50_000)
    branch_one, branch_two = total + variables[0], total - variables[1]
    assert (branch_one.interval(), branch_two.interval(), total.interval()) == ((0, 50_001), (-1, 50_000), (0, 50_000))
    assert pickle.loads(pickle.dumps(branch_two)).interval() == (-1, 50_000)


def test_a_shared_prefix_of_two_sums_is_not_changed_by_either() -> None:
    model = Model()
    a, b, c, d = (model.int_var(0, 9, name) for name in "abcd")
    prefix = a + b
    left, right = prefix + c, prefix - 2 * d
    assert (str(prefix), str(left), str(right), str(prefix + prefix)) == ("a + b", "a + b + c", "a + b - 2*d", "a + b + a + b")


@pytest.mark.parametrize("duplicate", [lambda m: m.copy(), copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_copy_changes_independently(duplicate: object) -> None:
    assert callable(duplicate)
    model = Model("original")
    x = model.int_vars(3, 0, 2, name="x")
    model.add(x.sum() == 3)
    before = model.count()
    twin = duplicate(model)
    y = twin.variables[0]
    twin.add(y == 0)
    twin.int_var(0, 1)
    assert model.count() == before == 7
    assert twin.count() == 4


def test_results_and_solutions_survive_pickling_together_with_their_model() -> None:
    model = Model()
    x = model.int_var(2, 2, "x")
    twin, result = pickle.loads(pickle.dumps((model, model.solve())))
    assert result.solution[twin.variables[0]] == 2
    assert model.solve().solution == model.solve().solution
    assert hash(model.solve().solution) == hash(model.solve().solution)
    assert x in (model.solve().solution or ())


def test_an_array_of_constraints_gets_numbered_names() -> None:
    model = Model()
    x = model.int_vars((2, 2), 0, 1, name="x")
    added = model.add(x == 1, name="ones")
    assert [entry.name for entry in added] == ["ones[0,0]", "ones[0,1]", "ones[1,0]", "ones[1,1]"]
    assert [entry.name for entry in model.add([x[0, 0] == 1, x[0, 1] == 0], name="list")] == ["list[0]", "list[1]"]
    assert model.add(x[0, 0] + x[1, 1] <= 1).name == "x[0,0] + x[1,1] <= 1"


def test_truth_values_are_constraints_too() -> None:
    model = Model()
    model.int_var(0, 3)
    model.add(sum([]) == 0)
    assert model.count() == 4
    model.add(False, name="never")
    assert model.solve().status is cp.Status.INFEASIBLE
    assert [entry.name for entry in model.conflict()] == ["never"]


def test_the_empty_model_has_one_empty_solution() -> None:
    model = Model()
    assert model.count() == 1
    assert model.backbone() == {}
    assert model.conflict() == []
    assert model.sample(2) == [cp.Solution({})] * 2
    for backend in [name for name, declared in cp.backends().items() if "solve" in declared.questions]:
        assert model.solve(backend=backend).status is cp.Status.OPTIMAL
        assert list(model.solutions(backend=backend)) == [cp.Solution({})]


def test_solutions_index_by_variables_expressions_arrays_and_lists() -> None:
    model = Model()
    x = model.int_vars((2, 2), 3, 3, name="x")
    solution = model.solve().solution
    assert solution is not None
    assert solution[x].tolist() == [[3, 3], [3, 3]]
    assert solution[x[0, 0] * 2 + 1] == 7
    assert solution[x[0, 0] == 3] is True
    assert solution[x.sum(axis=0)].tolist() == [6, 6]
    assert solution[[x[0, 0], x[1]]][0] == 3
    assert dict(solution) == dict.fromkeys(x.ravel().tolist(), 3)


def test_a_big_model_prints_shortened_and_describes_itself_whole() -> None:
    model = Model("big")
    x = model.bool_vars(500, name="x")
    model.add(x[1:] <= x[:-1], name="down")
    assert "… and 440 more variables" in str(model)
    assert len(model.describe().splitlines()) == 1000


def test_a_hint_changes_no_answer() -> None:
    model = Model()
    x = model.int_var(0, 9)
    model.maximize(x)
    model.hint({x: 3})
    assert model.solve().objective == 9


BETWEEN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LOGICAL = {"&": operator.and_, "|": operator.or_, "^": operator.xor}


@pytest.mark.parametrize("symbol", BETWEEN)
def test_an_operator_between_an_expression_and_a_plain_array_works_entry_by_entry_on_either_side(symbol: str) -> None:
    operation = BETWEEN[symbol]
    model = Model()
    x = model.int_var(2, 5, "x")
    numbers = np.array([[2, 3], [5, 7]])
    for value in range(2, 6):
        for left in (x, x + 0 * x + 1, x * 2):
            here = left.value({x: value})
            for result, expected in (
                (operation(left, numbers), operation(here, numbers)),
                (operation(numbers, left), operation(numbers, here)),
            ):
                assert result.shape == (2, 2)
                assert [entry.value({x: value}) for entry in result.ravel()] == expected.ravel().tolist()


@pytest.mark.parametrize("symbol", LOGICAL)
def test_logic_between_a_condition_and_a_plain_array_works_entry_by_entry_on_either_side(symbol: str) -> None:
    operation = LOGICAL[symbol]
    model = Model()
    x = model.int_var(0, 1, "x")
    truths = np.array([True, False])
    for value in (0, 1):
        for result in (operation(x == 1, truths), operation(truths, x == 1)):
            assert [entry.value({x: value}) for entry in result] == operation(np.array([value, value]), truths).tolist()
        implied = (x == 1).implies(truths)
        assert [entry.value({x: value}) for entry in implied] == [1, 1 - value]


def test_powers_work_entry_by_entry_for_an_array_of_exponents() -> None:
    model = Model()
    x = model.int_var(0, 4, "x")
    powers = x ** np.array([0, 1, 2, 3])
    assert [[entry.value({x: value}) for entry in powers] for value in (2, 3)] == [[1, 2, 4, 8], [1, 3, 9, 27]]
    with pytest.raises(cp.ModelError, match="is a whole number"):
        _ = np.array([1, 2]) ** x

"""Ways through the engines that ordinary models seldom take: wide domains, little room, and parts that have no solution."""

from __future__ import annotations

import builtins
import itertools
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve import Model
from cpsolve.counting import automata, choosing, kept, memory, product, questions, search, search_kernels
from cpsolve.counting.automata import Layout, Tracker, smallest, track
from cpsolve.counting.batch import check_all
from cpsolve.counting.cnf import Formula
from cpsolve.counting.product import Limits
from cpsolve.expressions import Comparison
from cpsolve.limits import Deadline
from cpsolve.lower import conjuncts, negation

COMPARED = {"<=": np.less_equal, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal, "<": np.less, ">": np.greater}
BACKENDS = [name for name, backend in cp.backends().items() if "solutions" in backend.questions]


@pytest.mark.parametrize("op", COMPARED)
@pytest.mark.parametrize("coefficients", [(3, 6, 9), (1, 4, 6), (-2, 5, 10), (1, -1, 1)])
def test_sums_over_wide_domains_are_counted_as_all_assignments_say(op: str, coefficients: tuple[int, int, int]) -> None:
    model = Model()
    x = model.int_vars(3, 0, 24)
    tie = model.int_var(0, 1)
    model.add(Comparison(sum(c * v for c, v in zip(coefficients, x, strict=True)), op, 61))
    model.add((x[0] * x[1] <= 100) | (tie == 1))
    a, b, c = np.meshgrid(*(range(25),) * 3, indexing="ij")
    holds = COMPARED[op](coefficients[0] * a + coefficients[1] * b + coefficients[2] * c, 61)
    assert model.count() == holds.sum() + (holds & (a * b <= 100)).sum()


def test_values_that_lie_far_apart_are_told_apart() -> None:
    model = Model()
    x = model.int_vars(3, 0, 2)
    model.add(cp.all_different(x[0] * 1000, x[1] * 1000, x[2] * 500))
    expected = sum(len({1000 * a, 1000 * b, 500 * c}) == 3 for a, b, c in itertools.product(range(3), repeat=3))
    assert model.count() == expected
    assert sum(1 for _ in model.solutions()) == expected


def latin(order: int) -> Model:
    model = Model()
    x = model.int_vars((order, order), 1, order)
    model.add([cp.all_different(line) for line in (*x, *x.T)])
    return model


@pytest.mark.parametrize(("name", "room"), [("ROOM", 0), ("ROOM", 500), ("MOST", 1)])
def test_what_is_not_kept_is_made_again(name: str, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, name, room)
    model = latin(4)
    assert model.count() == 576
    x = model.variables
    model.add(x[0] + x[5] <= 3)
    other = latin(4)
    other.add(other.variables[0] + other.variables[5] <= 3)
    assert model.count() == other.count()
    assert model.marginals([x[0] == 1]) == other.marginals([other.variables[0] == 1])
    keeper = kept.kept_of(model)
    assert sum(table.nbytes for tables in keeper.tables.values() for table in tables) <= kept.ROOM
    assert len(keeper.automata) <= max(kept.MOST, 1)
    if name == "ROOM":
        assert keeper.diagram is None or room > 0


def test_without_a_word_on_free_memory_two_gigabytes_are_taken_for_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise FileNotFoundError

    assert 0 < memory.available() <= 2 << 30
    monkeypatch.setattr(builtins, "open", refuse)
    assert memory.available() == 2 << 30


def test_the_negation_of_a_negation_is_the_condition_itself() -> None:
    model = Model()
    x = model.int_var(0, 3)
    twice = ~~(x == 1)
    assert [str(part) for part in conjuncts(twice)] == [str(x == 1)]
    parts = [x <= 1, ~(x == 1), (x == 1) & (x == 2), (x == 1) | (x == 3), (x == 1).implies(x == 2), (x == 1) ^ (x <= 2)]
    parts += [cp.at_most_one(x == 1, x <= 2), cp.exactly_one(x == 1, x <= 2)]
    for part in parts:
        opposite = negation(part)
        assert opposite is not None
        assert [opposite.value({x: value}) for value in range(4)] == [1 - part.value({x: value}) for value in range(4)]
    assert negation(cp.all_different(x, x + 1)) is None


def test_many_solutions_at_once_are_checked_one_by_one() -> None:
    model = Model()
    x, y = model.int_var(0, 3, "x"), model.int_var(0, 3, "y")
    model.add(x < y)
    good = [cp.Solution({x: 0, y: 1}), cp.Solution({x: 2, y: 3})]
    check_all(model, good)
    check_all(model, [])
    for wrong in (cp.Solution({x: 1, y: 1}), cp.Solution({x: 3, y: 4}), cp.Solution({x: -1, y: 1})):
        with pytest.raises(cp.SolverError):
            check_all(model, [*good, wrong])


def contradicting() -> Model:
    """No solution, though each constraint by itself leaves all values possible."""
    model = Model()
    x = model.bool_vars(6)
    model.add([x[i] ^ x[(i + 1) % 5] for i in range(5)])
    model.add(x.sum() <= 5)
    return model


def too_many_ones() -> Model:
    """No solution: sums of 0/1 variables that contradict each other."""
    model = Model()
    x = model.bool_vars(8)
    model.add(x[:4].sum() == 1)
    model.add(x[2:6].sum() == 3)
    model.add(x[4:].sum() == 0)
    return model


@pytest.mark.parametrize("make", [contradicting, too_many_ones])
def test_all_questions_to_a_model_without_solution_say_so(make: Any) -> None:
    model = make()
    assert model.count() == 0
    assert model.count(over=model.variables[:2]) == 0
    assert model.count_by(model.variables[0] + model.variables[1]) == {}
    assert not list(model.solutions())
    asked: list[Callable[[], Any]] = [
        lambda: model.marginals(list(model.variables)),
        lambda: model.marginals(list(model.variables), exact=False),
        lambda: model.marginals([model.variables[0] == model.variables[1]]),
        lambda: model.backbone(),
        lambda: model.backbone(backend="diagram"),
        lambda: model.sample(2),
        lambda: model.distribution(model.variables[0] + model.variables[3]),
    ]
    for ask in asked:
        with pytest.raises(cp.InfeasibleError):
            ask()


@pytest.mark.parametrize("backend", BACKENDS)
def test_functions_of_constants_are_constants(backend: str) -> None:
    model = Model()
    x, y = model.int_var(0, 3, "x"), model.int_var(0, 3, "y")
    fixed = model.int_var(2, 2, "fixed")
    model.add(cp.table([fixed, x + y], [(2, 3), (1, 1), (2, 7)]))
    model.add((2 * x == 3) | (y >= 1))
    model.add((2 * x != 3) | (y >= 3))
    model.add(~cp.table([x + y, fixed + 1], [(2, 3), (5, 3)]))
    expected = [(a, b) for a in range(4) for b in range(4) if a + b == 3 and b >= 1]
    assert sorted((s[x], s[y]) for s in model.solutions(backend=backend)) == expected


def test_a_list_of_parameters_is_passed_on_to_cpsat() -> None:
    model = Model()
    x = model.int_var(0, 9)
    model.maximize(x)
    assert model.solve(options={"ignore_subsolvers": ["core", "lb_tree_search"]}).objective == 9
    assert model.solve(options={"num_workers": 1}).objective == 9


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_an_objective_the_one_solution_is_told_as_it_is_found(backend: str) -> None:
    model = Model()
    x = model.int_var(3, 5)
    model.add(x != 4)
    told: list[cp.Result] = []
    result = model.solve(backend=backend, on_solution=told.append)
    assert [one.solution for one in told] == [result.solution]


def test_numbers_too_large_for_clauses_are_refused_with_a_backend_that_can() -> None:
    model = Model()
    x, y, wide = model.int_var(0, 2999), model.int_var(0, 2999), model.int_var(0, 10**9)
    for condition in (wide * 3 + x <= 17, cp.maximum(wide, x) == 3, x * 3001 + y * 2 == wide):
        other = model.copy()
        other.add(condition)
        with pytest.raises(cp.UnsupportedError, match="cpsat"):
            other.solve(backend="sat")


def test_clauses_of_some_constraints_count_their_own_variables_only() -> None:
    model = Model()
    a, b, c = (model.bool_var() for _ in range(3))
    free = Limits(Deadline(None), memory.Memory())
    formula = Formula.of([a, b, c], [a | b], free)
    assert (formula.clauses, formula.counted, formula.factor) == ([[1, 2]], [1, 2], 2)
    wide = model.int_var(0, 10**7)
    with pytest.raises(cp.DiagramTooWide, match="too many for one propositional variable each"):
        Formula.of([wide], [wide >= 3], free)


def test_clauses_of_one_among_some_take_what_is_denied_as_denied() -> None:
    model = Model()
    a, b, c = (model.bool_var() for _ in range(3))
    free = Limits(Deadline(None), memory.Memory())
    assert Formula.of([a, b, c], [cp.at_most_one([~a, b, c])], free).clauses == [[1, -2], [1, -3], [-2, -3]]
    assert Formula.of([a, b], [cp.exactly_one([~a, b])], free).clauses == [[1, -2], [-1, 2]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_condition_that_is_the_first_variable_counts_as_one_in_a_sum(backend: str) -> None:
    model = Model()
    first, rest = model.bool_var(), model.int_var(0, 3)
    model.add(2 * cp.any_of([first]) + rest == 3)
    assert {(found[first], found[rest]) for found in model.solutions(backend=backend)} == {(0, 3), (1, 1)}


def test_the_tables_of_different_values_are_begun_only_where_there_is_time_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    different = cp.all_different(model.int_vars(5, 0, 4))
    layout = Layout({variable: place for place, variable in enumerate(model.variables)}, [(0, 4)] * 5, memory.Memory())
    tracker = track(different, layout)
    assert isinstance(tracker, Tracker)
    assert len(tracker.tables([range(5)] * 5, memory.Memory(), Deadline(1000))) == 5
    with pytest.raises(cp.TimeLimitError):
        tracker.tables([range(5)] * 5, memory.Memory(), Deadline(0))
    monkeypatch.setattr(automata, "SORTING", 100.0)  # seconds that an entry is said to take
    with pytest.raises(cp.TimeLimitError):
        tracker.tables([range(5)] * 5, memory.Memory(), Deadline(1000))


def test_only_what_is_better_than_before_is_told_by_python_constraint() -> None:
    model = Model()
    x = model.int_vars(2, 0, 3)
    model.maximize(x.sum() // 2)
    told: list[int | None] = []
    model.solve(backend="python-constraint", on_solution=lambda result: told.append(result.objective))
    assert told == sorted(set(told))  # type: ignore[type-var]
    assert told[-1] == 3


def test_engines_race_until_one_is_done_or_all_gave_up() -> None:
    free = Limits(Deadline(None), memory.Memory())

    def working(steps: int, answer: Any) -> Any:
        for _ in range(steps):
            yield None
        if answer is None:
            raise cp.DiagramTooWide("too wide", steps, 0)
        yield answer

    stats: dict[str, Any] = {}
    engines = [choosing.Engine("wide", working(2, None), 9.0), choosing.Engine("done", working(5, 42), 0.0)]
    assert choosing.race(engines, free, stats) == 42
    assert stats == {"engine": "done"}
    with pytest.raises(cp.DiagramTooWide) as error:
        choosing.race([choosing.Engine("a", working(3, None), 1.0), choosing.Engine("b", working(4, None), 0.0)], free, {})
    assert error.value.width in (3, 4)
    assert choosing.race([choosing.Engine("slow", itertools.repeat(None), 0.0)], free, {}, seconds=0.01) is None


def test_counts_by_an_expression_are_those_of_the_listed_solutions() -> None:
    model = latin(3)
    x = model.variables
    told = model.count_by(x[0] + 2 * x[4] + 3 * x[8])
    listed = Counter(s[x[0]] + 2 * s[x[4]] + 3 * s[x[8]] for s in model.solutions())
    assert told == listed


@pytest.mark.parametrize("seed", range(30))
def test_arcs_that_are_certain_or_impossible_are_part_of_a_circuit_too(seed: int) -> None:
    chance = random.Random(seed)
    model = Model()
    nodes = range(3)
    drawn = [(a, b, chance.choice([True, False, None, None])) for a in nodes for b in nodes if a != b or chance.random() < 0.5]
    arcs = [(a, b, model.bool_var() if known is None else known) for a, b, known in drawn]
    closed = model.bool_var("closed")
    circuit = cp.circuit(arcs)
    found = {0: 0, 1: 0}
    for values in itertools.product((0, 1), repeat=len(model.variables) - 1):
        found[circuit.value(dict(zip(model.variables, values, strict=False)))] += 1
    model.add(closed == circuit)
    assert model.count_by(closed) == {value: ways for value, ways in found.items() if ways}
    stated = model.copy()
    stated.add(closed == 1)
    for backend in BACKENDS:
        assert sum(1 for _ in stated.solutions(backend=backend)) == found[1]
    alone = Model()
    alone.add(cp.circuit([(a, b, alone.bool_var() if known is None else known) for a, b, known in drawn]))
    assert alone.count() == found[1]


@pytest.mark.parametrize("kind", ["<=", "==", "!=", "different", "multiples"])
def test_tables_made_at_once_are_those_made_value_by_value_and_take_what_is_booked(kind: str) -> None:
    model = Model()
    x = model.int_vars(4, 0, 19)
    if kind == "different":
        constraint: Any = cp.all_different(x[0], x[1] + 3, x[2] - 1, x[3])
    elif kind == "multiples":
        constraint = cp.all_different(x[0], 2 * x[1] - 9, -x[2] + 10, 3 * x[3])
    else:
        constraint = Comparison(3 * x[0] - 2 * x[1] + 4 * x[2] + 6 * x[3], kind, 41)
    variables = model.variables
    layout = Layout({v: i for i, v in enumerate(variables)}, [(v.lo, v.hi) for v in variables], memory.Memory())
    tracker = track(constraint, layout)
    domains = [range(v.lo, v.hi + 1) for v in variables]
    booked, free = memory.Memory(), memory.Memory()
    at_once = tracker.tables(domains, booked, Deadline(None))
    one_by_one = Tracker.tables(tracker, domains, free, Deadline(None))
    assert 0 < booked.used <= sum(table.nbytes for table in at_once)
    assert booked.used >= sum(table[1:].nbytes for table in at_once)
    small, same = smallest(at_once), smallest(one_by_one)
    assert [table.shape for table in small] == [table.shape for table in same]
    for values in itertools.product(range(0, 20, 3), repeat=4):
        assert _reads(small, values) == _reads(same, values) == bool(constraint.value(dict(zip(variables, values, strict=True))))
    least = memory.Memory(booked.used // 2)
    with pytest.raises(cp.DiagramTooWide):
        tracker.tables(domains, least, Deadline(None))


def _reads(tables: list[Any], values: tuple[int, ...]) -> bool:
    state = 1
    for table, value in zip(tables, values, strict=True):
        state = int(table[state, value])
        if state <= 0:
            return state == 0
    raise AssertionError("an automaton that has read everything has not settled")


def pigeons(holes: int) -> Model:
    """One pigeon more than holes, in clauses: a known hard proof."""
    model = Model()
    x = model.bool_vars((holes + 1, holes))
    model.add([cp.any_of(row) for row in x])
    model.add([~a | ~b for hole in x.T for a, b in itertools.combinations(hole, 2)])
    return model


def test_a_long_proof_in_clauses_goes_on_after_every_look_at_the_clock() -> None:
    assert pigeons(7).solve(backend="sat").status is cp.Status.INFEASIBLE


def test_a_proof_in_clauses_that_takes_too_long_is_no_answer() -> None:
    result = pigeons(11).solve(backend="sat", time_limit=0.2)
    assert (result.status, result.solution) == (cp.Status.UNKNOWN, None)
    assert pigeons(3).solve(backend="sat", time_limit=0).status is cp.Status.UNKNOWN


def test_better_and_better_solutions_of_a_loop_are_told_and_each_is_one_loop() -> None:
    model = Model()
    edges = cp.grid_edges(model, 4, 4)
    model.add(cp.loop(edges))
    model.maximize(cp.array(model.variables).sum())
    told: list[cp.Result] = []
    result = model.solve(backend="cpsat", on_solution=told.append)
    assert result.objective == 16
    assert told
    for one in told:
        assert one.solution is not None
        assert not model.violations(one.solution)
        assert one.objective == sum(one.solution[edge] for edge in model.variables)


@pytest.mark.parametrize("loop", [None, True, False])
def test_a_node_that_no_arc_can_reach_is_visited_by_no_circuit(loop: bool | None) -> None:
    model = Model()
    there, back, closed = model.bool_var(), model.bool_var(), model.bool_var()
    arcs: list[Any] = [("a", "b", there), ("b", "a", back), ("a", "island", False)]
    if loop is not None:
        arcs.append(("island", "island", loop))
    circuit = cp.circuit(arcs)
    for condition, ways in ((closed == circuit, 4), (closed | circuit, 5 if loop else 4), ((~closed).implies(circuit), 5 if loop else 4)):
        nested = model.copy()
        nested.add(condition)
        assert nested.count() == ways


def test_a_budget_of_nodes_or_bytes_may_be_used_up_and_no_more() -> None:
    room = memory.Memory(1000, max_nodes=5)
    room.check_nodes(5)
    with pytest.raises(cp.DiagramTooWide, match="it has 6 nodes or more, and the budget is 5 nodes") as error:
        room.check_nodes(6)
    assert error.value.width == 6
    room.take(600)
    room.take(400, width=7)
    assert room.used == 1000
    with pytest.raises(cp.DiagramTooWide, match="a layer of 8 states or more"):
        room.check(1, width=8)
    room.give_back(100)
    room.check(100)


HULLS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[int, int], int]]] = {
    "sum": (lambda x, y: x + 2 * y - 1, lambda x, y: x + 2 * y - 1),
    "difference": (lambda x, y: 3 - x - y, lambda x, y: 3 - x - y),
    "product": (lambda x, y: x * y, lambda x, y: x * y),
    "maximum": (lambda x, y: cp.maximum(x, y), max),
    "minimum": (lambda x, y: cp.minimum(x, y), min),
    "distance": (lambda x, y: cp.absolute(x - y), lambda x, y: abs(x - y)),
    "element": (lambda x, y: cp.element([4, 0, y, 9, 2, 7, 5, 1, 3], x + 4), lambda x, y: [4, 0, y, 9, 2, 7, 5, 1, 3][x + 4]),
    "at least": (lambda x, y: x >= y, lambda x, y: x >= y),
    "less": (lambda x, y: x < y, lambda x, y: x < y),
    "more": (lambda x, y: x > y, lambda x, y: x > y),
    "either": (lambda x, y: (x > 0) | (y < 0), lambda x, y: x > 0 or y < 0),
    "both": (lambda x, y: (x > 0) & (y < 0), lambda x, y: x > 0 and y < 0),
    "one of two": (lambda x, y: (x > 0) ^ (y < 0), lambda x, y: (x > 0) != (y < 0)),
    "if": (lambda x, y: (x > 0).implies(y < 0), lambda x, y: not x > 0 or y < 0),
    "not": (lambda x, y: ~(x > y), lambda x, y: not x > y),
    "at most one": (lambda x, y: cp.at_most_one(x > 0, y < 0), lambda x, y: (x > 0) + (y < 0) <= 1),
    "exactly one": (lambda x, y: cp.exactly_one(x > 0, y < 0), lambda x, y: (x > 0) + (y < 0) == 1),
}


@pytest.mark.parametrize("kind", HULLS)
def test_the_interval_of_a_simple_function_of_two_variables_is_exact(kind: str) -> None:
    expression, function = HULLS[kind]
    for (a, b), (c, d) in itertools.product(itertools.combinations_with_replacement(range(-3, 4), 2), repeat=2):
        model = Model()
        x, y = model.int_var(a, b), model.int_var(c, d)
        values = [int(function(v, w)) for v in range(a, b + 1) for w in range(c, d + 1)]
        assert expression(x, y).interval() == (min(values), max(values)), (a, b, c, d)


@pytest.mark.parametrize("divisor", [-4, -3, -1, 1, 2, 5])
def test_the_interval_of_a_division_by_a_number_is_exact_where_no_multiple_is_passed(divisor: int) -> None:
    for a, b in itertools.combinations_with_replacement(range(-9, 10), 2):
        x = Model().int_var(a, b)
        quotients = [value // divisor for value in range(a, b + 1)]
        remainders = [value % divisor for value in range(a, b + 1)]
        assert (x // divisor).interval() == (min(quotients), max(quotients))
        low, high = (x % divisor).interval()
        assert low <= min(remainders)
        assert max(remainders) <= high
        assert abs(low) < abs(divisor)
        assert abs(high) < abs(divisor)
        if min(quotients) == max(quotients):
            assert (low, high) == (min(remainders), max(remainders))


@pytest.mark.parametrize("negated", [False, True])
def test_tables_of_sums_constants_and_large_numbers_hold_for_just_their_rows(negated: bool) -> None:
    model = Model()
    x, y, wide = model.int_var(0, 3, "x"), model.int_var(0, 3, "y"), model.int_var(2**40, 2**40 + 2, "wide")
    flag = model.bool_var("flag")
    rows = [(2, 7, 2**40), (5, 7, 2**40 + 1), (1, 8, 2**40), (3, 7, 2**40 + 5)]
    table = cp.table([x + y, 7, wide], rows)
    model.add(flag == (~table if negated else table))
    expected = {
        (a, b, w): ((a + b, 7, w) in rows) != negated for a in range(4) for b in range(4) for w in range(2**40, 2**40 + 3)
    }  # fmt: skip
    assert {(s[x], s[y], s[wide]): bool(s[flag]) for s in model.solutions(backend="cpsat")} == expected


@pytest.mark.parametrize("backend", ["python-constraint", "cpsat", "sat"])
def test_a_solution_that_breaks_a_constraint_is_never_handed_on(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x, y = model.int_var(0, 3, "x"), model.int_var(0, 3, "y")
    model.add(x + y == 3)
    wrong = model.copy()
    monkeypatch.setattr(Model, "violations", lambda self, solution: [self.constraints[0]])
    asked: list[Callable[[], Any]] = [
        lambda: list(wrong.solutions(backend=backend)),
        lambda: list(wrong.solutions(over=[x], backend=backend)),
        lambda: wrong.solve(backend=backend),
    ]
    for ask in asked:
        with pytest.raises(cp.SolverError, match="breaks"):
            ask()


@pytest.mark.parametrize("backend", ["sat", "cpsat", "diagram"])
@pytest.mark.parametrize("seed", range(12))
def test_sums_with_uneven_coefficients_have_the_solutions_of_all_assignments(backend: str, seed: int) -> None:
    chance = random.Random(seed)
    model = Model()
    x = [model.int_var(low, low + chance.randint(1, 2)) for low in (chance.randint(-1, 1) for _ in range(4))]
    coefficients = [chance.choice([-13, -9, -5, 2, 3, 7, 10, 11]) for _ in x]
    total = sum(c * v for c, v in zip(coefficients, x, strict=True))
    words = list(itertools.product(*(range(v.lo, v.hi + 1) for v in x)))
    sums = [sum(c * value for c, value in zip(coefficients, word, strict=True)) for word in words]
    for op in ("<=", "==", "!=", ">="):
        limit = chance.choice(sums) + chance.choice([0, 0, 1, -1])
        for condition, holds in (
            (Comparison(total, op, limit), lambda value, op=op, limit=limit: bool(COMPARED[op](value, limit))),
            (cp.maximum(total, limit) - 2 == limit, lambda value, limit=limit: max(value, limit) - 2 == limit),
            (cp.absolute(total - limit) <= 4, lambda value, limit=limit: abs(value - limit) <= 4),
        ):
            stated = model.copy()
            stated.add(condition)
            found = sorted(tuple(s[v] for v in x) for s in stated.solutions(backend=backend))
            assert found == [word for word, value in zip(words, sums, strict=True) if holds(value)]


ORDERED: dict[str, Callable[[list[Any]], Any]] = {
    "automaton": lambda x: cp.automaton(x, 0, [0, 2], [(0, 0, 0), (0, 1, 1), (1, 1, 2), (1, 2, 0), (2, 0, 1), (2, 2, 2), (2, 1, 0)]),
    "table": lambda x: cp.table(x, [(0, 1, 2, 0), (0, 1, 1, 1), (2, 2, 2, 2), (1, 0, 2, 0), (2, 1, 2, 0), (5, 0, 0, 0)]),
    "all different": lambda x: cp.all_different(x[0], x[1] + 1, 2 * x[2], 3 - x[3]),
    "sum": lambda x: 2 * x[0] - 3 * x[1] + x[2] + 5 * x[3] <= 4,
    "circuit": lambda x: cp.circuit([("a", "b", x[0] >= 1), ("b", "a", x[1] >= 1), ("b", "b", x[2] >= 1), ("a", "a", x[3] >= 1)]),
    "element": lambda x: cp.element([x[1], 2, x[2]], x[0]) == x[3],
}


@pytest.mark.parametrize("kind", ORDERED)
def test_a_constraint_is_the_same_in_whatever_order_its_variables_are_read(kind: str) -> None:
    model = Model()
    x = [model.int_var(0, 2) for _ in range(4)]
    constraint = ORDERED[kind](x)
    words = list(itertools.product(range(3), repeat=4))
    expected = [bool(constraint.value(dict(zip(x, word, strict=True)))) for word in words]
    for order in itertools.permutations(range(4)):
        layout = Layout(dict(zip(x, order, strict=True)), [(0, 2)] * 4, memory.Memory())
        tracker = track(constraint, layout)
        tables = smallest(tracker.tables([range(3)] * len(tracker.positions), memory.Memory(), Deadline(None)))
        read = [[word[order.index(position)] for position in tracker.positions] for word in words]
        assert [_reads(tables, tuple(values)) for values in read] == expected


def test_samples_of_large_numbers_are_exact_beside_negative_ones() -> None:
    model = Model()
    x, y = model.int_var(2**60 - 5, 2**60, "x"), model.int_var(-1, 1, "y")
    model.add((y == 0).implies(x == 2**60 - 3))
    drawn = model.sample(60, seed=3)
    assert {row[x] for row in drawn} == set(range(2**60 - 5, 2**60 + 1))
    assert {row[y] for row in drawn} == {-1, 0, 1}
    assert all(type(row[x]) is int for row in drawn)


def test_a_long_list_of_solutions_is_made_in_slices() -> None:
    model = Model()
    x = model.bool_vars(20)
    model.add([cp.any_of(x[k : k + 3]) for k in range(18)])
    limits = Limits(Deadline(None), memory.Memory())
    tables = choosing._tables(list(conjuncts(cp.all_of([entry.constraint for entry in model.constraints]))), limits)
    assert tables is not None
    work = tables.listed(100_000, limits)
    assert next(work) is None
    rows = next(answer for answer in work if answer is not None)
    assert len(rows) == min(model.count(), 100_000)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("low", "high"), [(2, 4), (-3, -1), (3, 3), (-2, -2)])
def test_division_by_a_variable_rounds_down_as_python_does(backend: str, low: int, high: int) -> None:
    model = Model()
    x, y = model.int_var(-7, 7, "x"), model.int_var(low, high, "y")
    left, times = model.int_var(-3, 3, "left"), model.int_var(-7, 7, "times")
    model.add(left == x % y)
    model.add(times == x // y)
    found = sorted((s[x], s[y], s[left], s[times]) for s in model.solutions(backend=backend))
    assert found == sorted((a, b, a % b, a // b) for a in range(-7, 8) for b in range(low, high + 1) if abs(a // b) <= 7)


@given(
    coefficients=st.lists(st.integers(-6, 6).filter(bool), min_size=14, max_size=18),
    op=st.sampled_from(["==", "!=", "<="]),
    limit=st.integers(-30, 60),
)
def test_a_table_of_sums_has_a_state_for_each_that_its_steps_have(coefficients: list[int], op: str, limit: int) -> None:
    domains = [range(5)] * len(coefficients)
    tracker = automata.LinearTracker(dict(enumerate(coefficients)), op, limit, [(0, 4)] * len(coefficients))
    if isinstance(tracker.start, automata.Value) or tracker.start in (automata.TRUE, automata.FALSE):
        return
    at_once, step_by_step = (
        tables(domains, memory.Memory(), Deadline(None)) for tables in (tracker.tables, partial(automata.Tracker.tables, tracker))
    )
    assert [table.shape for table in at_once] == [table.shape for table in step_by_step]


class Doubling(automata.Tracker):
    """A state for each list of bits."""

    start = 1

    def step(self, k: int, state: int, value: int) -> int:
        return 2 * state + value


def test_a_layer_of_many_states_looks_at_the_clock() -> None:
    looks = []

    class Clock(Deadline):
        def check(self, what: str) -> None:
            looks.append(what)

    Doubling().tables([range(2)] * 12, memory.Memory(), Clock(None))
    assert len(looks) > 12 + 4000 // 200


def test_a_sum_that_fits_in_no_word_is_not_counted_by_remembering() -> None:
    model = Model()
    few, many = model.bool_vars(3), model.bool_vars(3)
    for variables, factor in ((few, 1), (many, 1 << 41)):
        condition = factor * variables.sum() + variables[0] <= 2 * factor
        tables = search.Tables(model.variables, [condition], Limits(Deadline(None), memory.Memory()))
        assert tables.countable is (factor == 1)


def test_a_cache_without_room_forgets_and_one_with_room_grows() -> None:
    for limit, grows in ((10**9, True), (0, False)):
        free = memory.Memory()
        cache = search._Cache(1, 1, free)
        now, frames = np.zeros(16, np.int64), np.zeros((4, 16), np.int64)
        now[search_kernels.ARENA_END], now[search_kernels.ENTRIES] = len(cache.arena), 0
        before, free.limit = len(cache.arena), limit or 2 * cache._bytes()
        cache.grow(now, frames)
        assert (len(cache.arena) == 2 * before, now[search_kernels.ARENA_END] == 0) == (grows, not grows)


def test_fields_that_are_not_used_at_once_share_their_place() -> None:
    assert product._pack([(0, 1, 40), (1, 2, 40)]) == ([(0, 0), (0, 0)], 1)
    assert product._pack([(0, 2, 40), (1, 3, 40)]) == ([(0, 0), (1, 0)], 2)


@given(st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 2), min_size=1, max_size=5), st.integers(0, 2))
def test_numbers_are_bounded_by_the_largest_word_that_they_need(numbers: list[tuple[int, int]], above: int) -> None:
    words = np.array([[*number, *[0] * above] for number in numbers], np.uint64)
    narrow, bound = questions._narrow(words, 1 << 1000)
    top = 2 if any(high for _, high in numbers) else 1
    largest = max(number[top - 1] for number in numbers)
    assert narrow.shape == (len(numbers), top)
    assert bound == len(numbers) * (largest + 1 << 64 * (top - 1))
    assert bound > sum(low + (high << 64) for low, high in numbers)

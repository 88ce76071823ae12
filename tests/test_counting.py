"""Every engine that counts against brute force and against every other, and the limits that they keep."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections import Counter
from fractions import Fraction
from importlib.util import find_spec
from math import comb, factorial, perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from benchmarks.counting import (
    SUDOKU,
    colouring_of_a_tree_of_bags,
    dominoes,
    grid_colourings,
    independent_sets,
    latin_squares,
    magic_squares,
    queens,
    random_clauses,
    sudoku,
)
from cpsolve import Model
from cpsolve.counting import choosing
from cpsolve.counting.batch import evaluate
from cpsolve.counting.choosing import _tables, compiled, prepared
from cpsolve.counting.cnf import Formula
from cpsolve.counting.kept import kept_of
from cpsolve.counting.memory import Memory, integers
from cpsolve.counting.paths import count_circuit, count_circuits, count_simple_paths
from cpsolve.counting.product import Limits, count_ways, finish, outline
from cpsolve.counting.questions import values_of, ways_below
from cpsolve.counting.search import Different, Tables, cliques
from cpsolve.limits import Deadline
from cpsolve.lower import conjuncts
from tests import oracle
from tests.strategies import Source, models

Drawn = tuple[Model, Source]
GANAK = pytest.mark.skipif(find_spec("pyganak") is None, reason="pyganak is not installed")
APPROXMC = pytest.mark.skipif(find_spec("pyapproxmc") is None, reason="pyapproxmc is not installed")


def limits(seconds: float | None = None, memory: int | None = None) -> Limits:
    return Limits(Deadline(seconds), Memory(memory))


def parts_of(model: Model) -> list[Any]:
    return [part for entry in model.constraints for part in conjuncts(entry.constraint)]


def searched(model: Model, breadth: float = 20.0, memory: int | None = None) -> int:
    tables = Tables(model.variables, parts_of(model), limits())
    assert tables.fits
    ways: int = finish(tables.counted(limits(memory=memory), breadth, {}), limits())
    return ways


def multiplied(model: Model) -> int:
    plan = outline(model, limits())
    if plan.impossible:
        return 0
    ways = 1
    for variable in plan.free:
        ways *= variable.hi - variable.lo + 1
    for part in plan.parts:
        ways *= sum(finish(count_ways(part, limits()), limits()).values())
    return ways


# -- every engine against every other


@settings(max_examples=300)
@given(drawn=models())
def test_product_search_and_listing_count_what_brute_force_counts(drawn: Drawn) -> None:
    model, _ = drawn
    expected = len(oracle.solutions(model))
    assert multiplied(model) == expected
    assert searched(model, 0.0) == searched(model, 1000.0) == expected
    rows = finish(Tables(model.variables, parts_of(model), limits()).listed(10_000, limits()), limits())
    assert sorted(map(tuple, rows.tolist())) == sorted(tuple(values.values()) for values in oracle.solutions(model))
    assert model.count() == expected
    assert model.copy().unique() == (expected == 1)
    assert model.count(at_most=3) == min(3, expected)


Edges = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn, most: int) -> Edges:
    """The edges of a graph of up to five nodes, or of a grid, with some left out."""
    if draw(st.booleans()):
        count = draw(st.integers(2, 5))
        edges = [(a, b) for b in range(count) for a in range(b)]
    else:
        rows, columns = draw(st.integers(2, 4)), draw(st.integers(2, 4))
        nodes = range(rows * columns)
        edges = [(a, b) for a in nodes for b in nodes if b == a + columns or (b == a + 1 and b % columns)]
    left_out = draw(st.sets(st.sampled_from(edges), max_size=2))
    return [edge for edge in edges if edge not in left_out or edge == edges[0]][:most]


@st.composite
def on_graphs(draw: st.DrawFn, most: int) -> tuple[Model, int | None]:
    """A model of one constraint on a graph, ``most`` variables at most, and its solutions by the frontier method, if that counts such."""
    model = cp.Model()
    kind = draw(st.sampled_from(["circuit", "circuit", "loop", "path", "acyclic", "connected"]))
    edges = draw(graphs(most // 2 if kind == "circuit" else most))
    nodes = sorted({node for edge in edges for node in edge})
    both_ways = [*edges, *((b, a) for a, b in edges)]
    match kind:
        case "circuit":
            ways = both_ways if draw(st.booleans()) else [(b, a) if draw(st.booleans()) else (a, b) for a, b in edges]
            stay = draw(st.sets(st.sampled_from(nodes), max_size=min(3, most - len(ways))))
            arcs = [*ways, *((node, node) for node in sorted(stay))]
            constraint = cp.circuit([(a, b, model.bool_var() if a % 3 else ~model.bool_var()) for a, b in arcs])
            model.add(constraint)
            return model, count_circuit(constraint)
        case "loop":
            model.add(cp.loop([(a, b, model.bool_var()) for a, b in edges]))
            return model, (count_circuits(both_ways, nodes) - len(edges)) // 2
        case "path":
            model.add(cp.path([(a, b, model.bool_var()) for a, b in edges], edges[0][0], nodes[-1]))
            successors = [[b for a, b in both_ways if a == node] for node in range(nodes[-1] + 1)]
            return model, count_simple_paths(successors, edges[0][0], nodes[-1])
        case "acyclic":
            model.add(cp.acyclic([(a, b, model.bool_var()) for a, b in edges]))
        case _:
            model.add(cp.connected(model.bool_vars(len(nodes)), cp.graph(edges)))
    return model, None


@settings(max_examples=200)
@given(drawn=on_graphs(8))
def test_the_frontier_method_and_all_others_count_what_brute_force_counts(drawn: tuple[Model, int | None]) -> None:
    model, by_frontier = drawn
    expected = len(oracle.solutions(model))
    assert by_frontier in (None, expected)
    assert model.count() == multiplied(model) == expected
    assert searched(model, 0.0) == searched(model, 1000.0) == expected
    rows = finish(Tables(model.variables, parts_of(model), limits()).listed(10_000, limits()), limits())
    assert sorted(map(tuple, rows.tolist())) == sorted(tuple(values.values()) for values in oracle.solutions(model))


@settings(max_examples=100)
@given(drawn=on_graphs(24))
def test_the_frontier_method_the_product_and_the_search_agree_on_larger_graphs(drawn: tuple[Model, int | None]) -> None:
    model, by_frontier = drawn
    by_product = multiplied(model)
    assert by_frontier in (None, by_product)
    assert model.count() == searched(model) == by_product


@st.composite
def differences(draw: st.DrawFn) -> Model:
    """Variables of several ranges, most pairs of which differ, some by an offset; at times a sum over two of them."""
    model = cp.Model()
    x = [model.int_var(low, low + draw(st.integers(1, 3))) for low in draw(st.lists(st.integers(0, 2), min_size=3, max_size=6))]
    pairs = [(a, b) for a in range(len(x)) for b in range(a)]
    for a, b in draw(st.lists(st.sampled_from(pairs), min_size=2, unique=True)):
        model.add(x[a] != x[b] + draw(st.sampled_from([0, 0, 0, 0, 0, 1])))
    if draw(st.booleans()):
        a, b = draw(st.sampled_from(pairs))
        model.add(x[a] + x[b] >= draw(st.integers(1, 6)))
    return model


@settings(max_examples=150)
@given(model=differences())
def test_a_search_that_renames_values_counts_what_brute_force_counts(model: Model) -> None:
    expected = len(oracle.solutions(model))
    assert searched(model, 0.0) == searched(model, 1000.0) == multiplied(model) == expected


def test_values_that_can_be_renamed_are_tried_once() -> None:
    """However many colours there are, each of the nodes is given one of those seen, or one for all others."""
    made = []
    for colours in (8, 40):
        tables = Tables((model := colouring_of_a_tree_of_bags(20, 4, colours)).variables, parts_of(model), limits())
        assert finish(tables.counted(limits(), 20.0, {}), limits()) == multiplied_out(colours, 4, 20)
        made.append(tables.decisions)
    assert made[0] == made[1] < 200


def multiplied_out(colours: int, width: int, nodes: int) -> int:
    return perm(colours, width) * int((colours - width) ** (nodes - width))


def test_pairs_that_all_differ_become_one_set() -> None:
    pairs = [Different(((a, 0), (b, 0))) for a, b in ((0, 1), (1, 2), (0, 2), (2, 3))]
    kept = [Different(((0, 0), (3, 1))), Different(((0, 0), (1, 0), (4, 0)))]
    assert {each.members for each in cliques([*kept, *pairs])} == {
        *(each.members for each in kept), ((0, 0), (1, 0), (2, 0)), ((2, 0), (3, 0))
    }  # fmt: skip


@GANAK
@settings(max_examples=15)
@given(drawn=models(), data=st.data())
def test_clauses_keep_the_number_of_solutions(drawn: Drawn, data: st.DataObject) -> None:
    model, _ = drawn
    assert model.count(backend="ganak") == len(oracle.solutions(model))
    over = data.draw(st.lists(st.sampled_from(model.variables), unique_by=id))
    assert model.count(over=over, backend="ganak") == len({oracle.key(values, over) for values in oracle.solutions(model)})


@settings(max_examples=200)
@given(drawn=models())
def test_clauses_have_a_model_exactly_for_each_solution(drawn: Drawn) -> None:
    """The encoding by itself, without a counter: each assignment of the model's variables can be completed or not."""
    model, _ = drawn
    formula = Formula(model, None, limits())
    check = cp.Model()
    literals = check.bool_vars(formula.variables)
    for clause in formula.clauses:
        check.add(cp.any_of([literals[abs(literal) - 1] if literal > 0 else ~literals[abs(literal) - 1] for literal in clause]))
    if formula.variables:
        over = [literals[variable - 1] for variable in formula.counted]
        assert check.count(over=over) * formula.factor == len(oracle.solutions(model))


@settings(max_examples=150)
@given(drawn=models())
def test_a_list_of_solutions_answers_as_the_diagram_does(drawn: Drawn) -> None:
    model, _ = drawn
    found = oracle.solutions(model)
    plan = prepared(model, limits())
    for part in plan.parts:
        if all(len(slot.members) == 1 for slot in part.slots) and found:
            from cpsolve.counting.choosing import _listing

            tables = _tables(part.constraints, limits())
            if tables is None:
                continue
            booked, rows_alone = limits(), limits()
            listed = finish(_listing(tables, part, booked), limits())
            again = _tables(part.constraints, limits())
            assert again is not None
            assert [len(rows) for rows in again.listed(50_001, rows_alone) if rows is not None] == [
                sum(integers(ways_below(listed, limits())[0]))
            ]
            assert booked.memory.used - rows_alone.memory.used == sum(arcs.nbytes for arcs in listed.arcs)
            diagram = compiled(plan, limits(), lists=False)
            component = next(each for each in diagram.components if each.slots[0].members[0] is part.slots[0].members[0])
            assert integers(ways_below(listed, limits())[0]) == integers(ways_below(component, limits())[0])
            for one, other, slot, full in zip(
                values_of(listed, limits()), values_of(component, limits()), listed.slots, component.slots, strict=True
            ):
                by_value = dict(zip(full.values, other, strict=True))
                assert dict(zip(slot.values, one, strict=True)) == {value: by_value[value] for value in slot.values}


def test_a_small_cache_forgets_and_still_counts_right() -> None:
    model = queens(7)
    assert searched(model, memory=3 << 20) == searched(model) == 40


# -- counts that mathematics knows


@pytest.mark.parametrize(("side", "known"), [(2, 2), (4, 36), (6, 6_728), (8, 12_988_816), (10, 258_584_046_368)])
def test_domino_tilings_of_squares(side: int, known: int) -> None:
    """OEIS A004003."""
    assert dominoes(side, side).count() == known


@pytest.mark.parametrize(("side", "known"), [(1, 2), (2, 7), (3, 63), (4, 1_234), (5, 55_447)])
def test_independent_sets_of_grids(side: int, known: int) -> None:
    """OEIS A006506."""
    assert independent_sets(side).count() == known


@pytest.mark.parametrize(("order", "known"), [(2, 2), (3, 12), (4, 576), (5, 161_280)])
def test_latin_squares(order: int, known: int) -> None:
    """OEIS A002860."""
    assert latin_squares(order).count() == known
    if order < 5:
        assert searched(latin_squares(order)) == known


@pytest.mark.parametrize(("side", "known"), [(4, 2), (5, 10), (6, 4), (8, 92)])
def test_queens_as_booleans(side: int, known: int) -> None:
    """OEIS A000170."""
    assert queens(side).count() == multiplied(queens(side)) == searched(queens(side)) == known


def test_colourings_of_a_tree_of_bags_are_a_product() -> None:
    """Every new node sees k others that are all different, so it has as many colours as are left."""
    assert colouring_of_a_tree_of_bags(30, 3, 5).count() == (5 * 4 * 3 * 2) * 2**26


def test_grid_colourings() -> None:
    """OEIS A020698."""
    assert [grid_colourings(side).count() for side in (1, 2, 3, 4, 5)] == [3, 18, 246, 7_812, 580_986]


def test_magic_squares_of_order_three() -> None:
    assert magic_squares(3).count() == searched(magic_squares(3)) == 8


def test_a_proper_sudoku_has_one_solution() -> None:
    stats: dict[str, Any] = {}
    assert sudoku(SUDOKU).count(stats=stats) == 1
    assert stats["engine"] == "list"
    assert sudoku(SUDOKU).unique()
    model = sudoku(SUDOKU)
    assert set(model.marginals([variable == 5 for variable in model.variables])) == {0.0, 1.0}


def test_a_sudoku_with_several_solutions_is_not_unique_and_all_questions_are_answered() -> None:
    several = "..." + SUDOKU[3:30].replace("1", ".") + SUDOKU[30:]
    model = sudoku(several)
    count = model.count()
    assert count == len(list(model.solutions())) > 1
    assert not model.unique()
    assert sum(model.count_by(model.variables[0]).values()) == count
    assert sum(model.distribution(model.variables[0]).values()) == 1
    assert all(not model.violations(solution) for solution in model.sample(20))


# -- a model that changes


MORE = ((0, 1), (6, 7), (13, 2))
ONE_RUN = [(0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 0, 2), (2, 0, 2)]


def runs(more: int) -> Model:
    """Rows and columns of a square with one run of ones at most, and some implications."""
    model = cp.Model()
    x = model.bool_vars((4, 4))
    for line in [*x, *x.T]:
        model.add(cp.automaton(line, 0, [0, 1, 2], ONE_RUN))
    for a, b in MORE[:more]:
        model.add(model.variables[a] | ~model.variables[b])
    return model


def test_automata_are_kept_when_a_model_is_changed() -> None:
    """Each that is read in the same order as before, over the same values, is not made again."""
    model = runs(0)
    model.count()
    made, anew = kept_of(model).made, 0
    for number, (a, b) in enumerate(MORE, 1):
        model.add(model.variables[a] | ~model.variables[b])
        fresh = runs(number)
        assert model.count() == fresh.count()
        anew += kept_of(fresh).made
    assert kept_of(model).made - made < anew // 3


def test_a_diagram_is_extended_by_a_constraint_more_and_answers_as_a_new_one() -> None:
    model = runs(0)
    model.marginals(model.variables)
    for number, (a, b) in enumerate(MORE, 1):
        model.add(model.variables[a] | ~model.variables[b])
        fresh = runs(number)
        assert model.marginals(model.variables, exact=True).tolist() == fresh.marginals(fresh.variables, exact=True).tolist()
        assert kept_of(model).extended == number
        assert kept_of(fresh).extended == 0
    assert [list(a.values()) for a in model.sample(9, seed=1)] == [list(b.values()) for b in runs(3).sample(9, seed=1)]
    model.add(model.variables[0] + model.variables[5] == 3)
    with pytest.raises(cp.InfeasibleError):
        model.marginals(model.variables)


def test_every_seed_draws_its_own_samples_also_beyond_64_bits() -> None:
    model = cp.Model()
    x = model.bool_vars(40)
    model.add(x[:20].sum() == 10)
    drawn = [tuple(map(tuple, (solution[x] for solution in model.sample(3, seed)))) for seed in (1, 2, 1 + 2**64, 1 + 2**65, 2**63)]
    assert len(set(drawn)) == len(drawn)


@settings(max_examples=100)
@given(drawn=models(), data=st.data())
def test_whatever_is_kept_from_fewer_constraints_is_never_stale(drawn: Drawn, data: st.DataObject) -> None:
    model, _ = drawn
    grown = cp.Model()
    grown._variables, grown._own_variables = list(model.variables), set(model.variables)
    for entry in model.constraints:
        grown.add(entry.constraint)
        expected = oracle.solutions(grown)
        if data.draw(st.booleans()):
            assert grown.count(backend="diagram") == len(expected)
        if data.draw(st.booleans()) and expected:
            assert grown.backbone(backend="diagram") == oracle.backbone(grown)


def test_what_a_model_keeps_does_not_answer_for_a_copy_with_other_constraints() -> None:
    model = runs(0)
    twin = model.copy()
    x = model.variables
    model.add(x[0] | x[9])
    model.marginals(x)
    twin.add(x[0] | ~x[9])
    fresh = runs(0)
    fresh.add(fresh.variables[0] | ~fresh.variables[9])
    assert twin.marginals(x, exact=True).tolist() == fresh.marginals(fresh.variables, exact=True).tolist()
    assert twin.count() == fresh.count()


@settings(max_examples=100)
@given(drawn=models())
def test_an_expression_over_many_assignments_at_once_has_the_values_of_each(drawn: Drawn) -> None:
    model, _ = drawn
    rows = list(oracle.assignments(model.variables))
    columns = {variable: np.array([row[variable] for row in rows], np.int64) for variable in model.variables}
    for entry in model.constraints:
        assert evaluate(entry.constraint, columns, len(rows)).tolist() == [int(entry.constraint.value(row)) for row in rows]


# -- what is chosen is told


def test_the_engine_is_told() -> None:
    for model, engine in (
        (dominoes(4, 4), "sums"),
        (grid_colourings(4), "product"),
        (sudoku(SUDOKU), "list"),
        (colouring_of_a_tree_of_bags(30, 3, 5), "search"),
    ):
        stats: dict[str, Any] = {}
        model.count(stats=stats)
        assert stats["engine"] == engine


@GANAK
def test_ganak_counts_random_clauses() -> None:
    model = random_clauses(24)
    assert model.count(backend="ganak") == searched(model) == model.count()


@GANAK
def test_a_hopeless_model_of_clauses_goes_to_ganak(monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_clauses(60, 3.5)
    monkeypatch.setattr(choosing, "PATIENCE", 0.0)
    monkeypatch.setattr(choosing, "HOPELESS", 1.0)
    stats: dict[str, Any] = {}
    asked = model.count(stats=stats)
    assert stats["engine"] == "ganak"
    monkeypatch.undo()
    assert asked == searched(model)
    wide = model.copy()
    wide.add([a + b + c <= 2 for a, b, c in zip(*(model.variables[k:] for k in range(3)), strict=False)])
    monkeypatch.setattr(choosing, "PATIENCE", 0.0)
    monkeypatch.setattr(choosing, "HOPELESS", 1.0)
    wide.count(stats=stats)
    assert stats["engine"] != "ganak"


@settings(max_examples=60)
@given(drawn=models(), data=st.data())
def test_counting_stops_where_it_is_told_to_over_some_variables_too(drawn: Drawn, data: st.DataObject) -> None:
    model, _ = drawn
    found = oracle.solutions(model)
    most = data.draw(st.integers(1, 12))
    over = data.draw(st.lists(st.sampled_from(model.variables), unique=True))
    assert model.count(at_most=most) == min(most, len(found))
    assert model.count(over=over, at_most=most) == min(most, len({oracle.key(values, over) for values in found}))


@APPROXMC
def test_an_approximate_count_keeps_its_guarantee() -> None:
    model = random_clauses(40)
    exact = model.count()
    epsilon = 0.8
    near = sum(exact / (1 + epsilon) <= model.count(approximate=(epsilon, 0.1)) <= exact * (1 + epsilon) for _ in range(3))
    assert near == 3


@pytest.mark.parametrize("wrong", [0.8, (0, 0.1), (0.8, 0), (0.8, 1), (1, 2, 3), "x"])
def test_a_guarantee_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises((cp.ModelError, cp.UnsupportedError), match="approximate"):
        dominoes(2, 2).count(approximate=wrong)


# -- samples


def test_samples_of_dominoes_are_uniform() -> None:
    model = dominoes(4, 4)
    drawn = Counter(tuple(solution.values()) for solution in model.sample(36_000, seed=5))
    assert len(drawn) == 36
    chi_square = sum((times - 1000) ** 2 / 1000 for times in drawn.values())
    assert chi_square < 80  # 35 degrees of freedom: beyond 80 once in 50,000


def test_samples_of_grouped_variables_are_uniform() -> None:
    model = Model()
    x = model.bool_vars(6)
    model.add(x[:4].sum() + 2 * x[4:].sum() == 4)
    solutions = len(oracle.solutions(model))
    drawn = Counter(tuple(solution.values()) for solution in model.sample(1000 * solutions, seed=2))
    assert len(drawn) == solutions
    assert sum((times - 1000) ** 2 / 1000 for times in drawn.values()) < 4 * solutions


def test_samples_whose_number_of_ways_takes_several_words() -> None:
    model = Model()
    x = model.bool_vars(400)
    model.add(x[:300].sum() == 150)
    model.add(x[200:].sum() == 90)
    middle = Counter(int(solution[x[200:300]].sum()) for solution in model.sample(2000, seed=1))
    exact = model.distribution(x[200:300].sum())
    mean = sum(value * times for value, times in middle.items()) / 2000
    expected = float(sum(value * share for value, share in exact.items()))
    assert abs(mean - expected) < 0.5
    assert model.count() == sum(comb(200, 150 - k) * comb(100, k) * comb(100, 90 - k) for k in range(91) if 90 - k <= 100)


# -- limits


def test_the_budget_is_memory_and_the_error_says_what_helps() -> None:
    model = Model()
    x = model.int_vars(20, 0, 99)
    model.add([cp.all_different(x), x.sum() == 900])
    with pytest.raises(cp.DiagramTooWide, match="max_memory") as caught:
        model.count(max_memory=1 << 20)
    assert caught.value.budget == 1 << 20
    for wrong in (0, -5, 1.5, True, "1"):
        with pytest.raises(cp.ModelError, match="max_memory"):
            dominoes(2, 2).count(max_memory=wrong)  # type: ignore[arg-type]


def test_sets_of_used_values_count_against_the_budget() -> None:
    model = Model()
    x = model.int_vars(12, 0, 900_000)
    model.add(cp.all_different(x))
    with pytest.raises(cp.DiagramTooWide):
        model.count(max_memory=64 << 20)


@pytest.mark.parametrize("seconds", [0, 0.05, 0.5])
def test_a_time_limit_ends_counting(seconds: float) -> None:
    with pytest.raises(cp.TimeLimitError):
        latin_squares(7).count(time_limit=seconds)


def test_control_c_ends_counting_and_leaves_the_process_healthy() -> None:
    script = """
        import os, signal, threading
        from benchmarks.counting import latin_squares, dominoes

        dominoes(4, 4).count()
        latin_squares(3).count()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            latin_squares(7).count()
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted, then", dominoes(4, 4).count())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.strip() == "interrupted, then 36", done.stderr


def test_threads_count_side_by_side() -> None:
    found: dict[int, int] = {}
    threads = [threading.Thread(target=lambda side=side: found.update({side: dominoes(side, side).count()})) for side in (4, 6, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {4: 36, 6: 6_728, 8: 12_988_816}


# -- large numbers


def test_counts_of_several_thousand_bits() -> None:
    model = Model()
    x = model.bool_vars(3000)
    model.add(x[:2000].sum() == 700)
    model.add(x[1000:].sum() == 1100)
    expected = sum(comb(1000, 700 - k) * comb(1000, k) * comb(1000, 1100 - k) for k in range(100, 701))
    assert model.count() == expected
    assert model.count_by(x[:10].sum())[0] < expected
    assert sum(model.count_by(x[:10].sum()).values()) == expected


def test_marginals_of_permutations() -> None:
    model = Model()
    x = model.int_vars(9, 1, 9)
    model.add(cp.all_different(x))
    assert model.count() == factorial(9)
    assert model.marginals([x[3] == 7], exact=True).tolist() == [Fraction(1, 9)]


def test_equations_are_counted_as_a_generating_function_does() -> None:
    model = Model()
    x = model.bool_vars(30)
    first, second = [1 + 7 * i % 19 for i in range(30)], [1 + 5 * i % 17 for i in range(30)]
    model.add(sum(c * v for c, v in zip(first, x, strict=True)) == 140)
    model.add(sum(c * v for c, v in zip(second, x, strict=True)) == 120)
    ways = {(0, 0): 1}
    for a, b in zip(first, second, strict=True):
        following = dict(ways)
        for (left, right), number in ways.items():
            following[left + a, right + b] = following.get((left + a, right + b), 0) + number
        ways = following
    assert model.count() == ways[140, 120] > 1000


@GANAK
def test_ganak_says_what_it_does_what_it_has_no_option_for_and_when_time_is_up() -> None:
    from cpsolve.solvers import ganak
    from cpsolve.solvers.base import Search

    model = random_clauses(12)
    stats: dict[str, Any] = {}
    assert model.count(backend="ganak", stats=stats) == len(oracle.solutions(model))
    assert stats["engine"] == "ganak"
    assert model.count(over=[], backend="ganak") == 1
    assert model.count(over=model.variables[:3], backend="ganak") == len(
        {oracle.key(values, model.variables[:3]) for values in oracle.solutions(model)}
    )
    with pytest.raises(cp.ModelError, match="ganak has no option 'speed'"):
        ganak.count(model, None, Search(Deadline(None), options={"speed": 1}))
    with pytest.raises(cp.TimeLimitError):
        random_clauses(200).count(backend="ganak", time_limit=0.2)

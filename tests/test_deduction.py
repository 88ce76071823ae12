"""Steps, smallest explanations, possible values, minimal clues and generated puzzles, against brute force."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve import Model
from cpsolve.limits import Deadline
from cpsolve.puzzles.generate import Draft, generate
from cpsolve.reasons import _first_hitting
from tests import oracle
from tests.strategies import Source, models

Drawn = tuple[Model, Source]


def _part(model: Model, constraints: Any, *extra: Any) -> Model:
    part = model.copy()
    part._constraints = list(constraints)
    for condition in extra:
        part.add(condition)
    return part


@settings(max_examples=150)
@given(drawn=models())
def test_steps_prove_their_facts_and_lead_to_all_that_is_certain(drawn: Drawn) -> None:
    model, _ = drawn
    if not oracle.solutions(model):
        with pytest.raises(cp.InfeasibleError):
            list(model.steps())
        return
    by_name: dict[str, list[cp.NamedConstraint]] = {}
    for entry in model.constraints:
        by_name.setdefault(entry.name, []).append(entry)
    known: dict[cp.Variable, int] = {variable: variable.lo for variable in model.variables if variable.lo == variable.hi}
    for step in model.steps():
        facts = [variable == value for variable, value in known.items()]
        rules = [entry for name in step.because for entry in by_name[name]]
        proven = oracle.backbone(_part(model, rules, *facts))
        assert step.size == len(step.because) >= 1
        assert all(proven[variable] == value for variable, value in step.facts.items())
        for left_out in step.because:  # no rule of a step is idle: without it some fact does not follow
            fewer = oracle.backbone(_part(model, [entry for entry in rules if entry not in by_name[left_out]], *facts))
            assert any(variable not in fewer for variable in step.facts)
        known.update(step.facts)
    assert known == oracle.backbone(model)


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
@settings(max_examples=100)
@given(drawn=models(), data=st.data())
def test_a_smallest_explanation_is_the_first_of_the_shortest_whoever_is_asked(backend: str, drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    fact = cp.all_of(Source(data.draw, source.variables).condition(1))
    assume(oracle.solutions(model))
    if any(not fact.value(values) for values in oracle.solutions(model)):
        with pytest.raises(cp.NotImpliedError):
            model.explain(fact, smallest=True, backend=backend)
        return
    proofs = (
        chosen
        for size in range(len(model.constraints) + 1)
        for chosen in itertools.combinations(model.constraints, size)
        if not oracle.solutions(_part(model, chosen, ~fact))
    )
    assert model.explain(fact, smallest=True, backend=backend) == list(next(proofs))


@settings(max_examples=200)
@given(st.lists(st.integers(1, 255), max_size=8))
def test_the_first_smallest_hitting_set_is_found(sets: list[int]) -> None:
    hitting = (
        sum(1 << place for place in chosen)
        for size in range(9)
        for chosen in itertools.combinations(range(8), size)
        if all(any(members >> place & 1 for place in chosen) for members in sets)
    )
    assert _first_hitting(sets, Deadline(None)) == next(hitting)


def test_what_contradicts_itself_explains_nothing() -> None:
    model = cp.Model()
    x = model.int_var(0, 3, "x")
    model.add(x > 2, name="high")
    model.add(x < 2, name="low")
    for taken in (0, 1):
        with pytest.raises(cp.InfeasibleError, match="anything follows") as caught:
            model.explain(x == 7, background=model.constraints[:taken], smallest=True)
        assert [entry.name for entry in caught.value.conflict] == ["high", "low"]


@settings(max_examples=100)
@given(drawn=models(), data=st.data())
def test_what_is_in_the_background_is_taken_for_granted_and_not_listed(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    fact = cp.all_of(Source(data.draw, source.variables).condition(1))
    found = oracle.solutions(model)
    assume(found and all(fact.value(values) for values in found))
    background = data.draw(st.lists(st.sampled_from(model.constraints), unique_by=id)) if model.constraints else []
    for smallest in (False, True):
        reasons = model.explain(fact, background=background, smallest=smallest)
        assert not set(reasons) & set(background)
        assert not oracle.solutions(_part(model, [*reasons, *background], ~fact))
        for member in reasons:
            assert oracle.solutions(_part(model, [entry for entry in [*reasons, *background] if entry is not member], ~fact))


@settings(max_examples=100)
@given(drawn=models(), data=st.data())
def test_possible_values_are_those_of_solutions(drawn: Drawn, data: st.DataObject) -> None:
    model, source = drawn
    expression = Source(data.draw, source.variables).number(1)
    assert model.possible(expression) == sorted(oracle.counts_by(model, expression))


@settings(max_examples=100)
@given(drawn=models(), data=st.data(), seed=st.integers(0, 3))
def test_minimal_clues_determine_the_solution_and_none_can_go(drawn: Drawn, data: st.DataObject, seed: int) -> None:
    model, _ = drawn
    found = oracle.solutions(model)
    assume(found)
    solution = data.draw(st.sampled_from(found))
    clues = model.minimal_clues(solution, model.variables, seed=seed)
    told = [variable == solution[variable] for variable in clues]
    assert oracle.solutions(_part(model, model.constraints, *told)) == [solution]
    for left_out in range(len(told)):
        assert len(oracle.solutions(_part(model, model.constraints, *told[:left_out], *told[left_out + 1 :]))) > 1
    assert clues == model.minimal_clues(solution, model.variables, seed=seed)


def sudoku(chance: random.Random | None = None, size: int = 3) -> Draft:
    model = cp.Model("sudoku")
    side = size * size
    x = model.int_vars((side, side), 1, side, name="x")
    for i in range(side):
        top, left = size * (i // size), size * (i % size)
        model.add(cp.all_different(x[i]), name=f"row {i + 1}")
        model.add(cp.all_different(x[:, i]), name=f"column {i + 1}")
        model.add(cp.all_different(x[top : top + size, left : left + size]), name=f"box {i + 1}")
    return Draft(model, x)


def test_a_generated_sudoku_is_unique_minimal_and_the_same_for_the_same_seed() -> None:
    puzzle = generate(sudoku, seed=3)
    assert 17 <= len(puzzle.clues) <= 32
    assert [dict(found) for found in puzzle.model.solutions(limit=2, backend="sat")] == [dict(puzzle.solution)]
    for left_out in range(27, len(puzzle.model.constraints)):
        fewer = _part(puzzle.model, [entry for i, entry in enumerate(puzzle.model.constraints) if i != left_out])
        assert len(list(fewer.solutions(limit=2, backend="sat"))) == 2
    again = generate(sudoku, seed=3)
    assert [clue.name for clue in again.clues] == [clue.name for clue in puzzle.clues]
    assert [clue.name for clue in generate(sudoku, seed=4).clues] != [clue.name for clue in puzzle.clues]


def slitherlink() -> tuple[Model, Any]:
    model = cp.Model("slitherlink")
    edges = cp.grid_edges(model, 4, 4)
    model.add(cp.loop(edges), name="one loop")
    for (row, column), number in {(0, 0): 0, (0, 2): 3, (1, 1): 2, (2, 0): 3, (2, 1): 2, (2, 2): 2}.items():
        model.add(sum(edges.around(row, column)) == number, name=f"{number} at {row}, {column}")
    return model, edges


def fillomino() -> tuple[Model, Any]:
    model = cp.Model("fillomino")
    x = model.int_vars((3, 4), 1, 9, name="x")
    model.add(cp.region_sizes(x, cp.grid(3, 4), x), name="areas")
    for cell, number in {(0, 0): 4, (1, 1): 2, (1, 3): 5, (2, 3): 1, (2, 0): 4}.items():
        model.add(x[cell] == number, name=f"given {number}")
    return model, x


@pytest.mark.parametrize("puzzle", [slitherlink, fillomino])
def test_a_step_by_a_rule_about_a_graph_takes_the_known_values_that_it_names(puzzle: Any) -> None:
    model, _ = puzzle()
    givens = [entry for entry in model.constraints if entry.name.startswith("given")]
    known: dict[cp.Variable, int] = {}
    for entry in givens:
        known[entry.constraint.left] = entry.constraint.right
    by_name = {entry.name: entry for entry in model.constraints}
    wide = 0
    for step in model.steps(givens=givens):
        rules = [by_name[name] for name in step.because]
        assert (step.given is not None) == any(name in ("one loop", "areas") for name in step.because)
        if step.given is not None:
            wide += 1
            assert step.given.items() <= known.items()
            told = [variable == value for variable, value in step.given.items()]
            for variable, value in step.facts.items():
                assert _part(model, rules, *told, variable != value).solve(backend="cpsat").status.name == "INFEASIBLE"
            assert str(step).endswith(" and " + ", ".join(f"{variable} = {value}" for variable, value in step.given.items())) or not told
        known.update(step.facts)
    assert wide > 2
    assert known == model.backbone()


def test_a_hint_of_a_loop_names_the_edges_beside_it() -> None:
    model, edges = slitherlink()
    step = next(step for step in model.steps() if step.because == ("one loop",))
    assert step.given is not None
    assert 1 <= len(step.given) <= 2
    ends = {node for a, b, variable in edges.triples if variable in step.facts for node in (a, b)}
    for a, b, variable in edges.triples:
        assert variable not in step.given or {a, b} & ends


def test_a_sudoku_is_solved_in_steps_of_few_rules() -> None:
    draft = sudoku()
    text = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    givens = {draft.clues[divmod(i, 9)]: int(digit) for i, digit in enumerate(text) if digit != "0"}
    steps = list(draft.model.steps(givens=givens))
    assert sum(len(step.facts) for step in steps) + len(givens) == 81
    assert max(step.size for step in steps) <= 3
    assert draft.model.difficulty(givens=givens) == max(step.size for step in steps)
    first = steps[0]
    assert str(first).endswith(f"because of {', '.join(first.because)}")


def test_difficulty_can_be_asked_for_and_its_absence_is_told() -> None:
    puzzle = generate(lambda chance: sudoku(chance, size=2), difficulty=range(1, 4), seed=1)
    assert puzzle.difficulty in range(1, 4)
    with pytest.raises(cp.ModelError, match=r"no puzzle of difficulty range\(50, 60\) in 2 attempts: the 2 made had \d+ to \d+; widen"):
        generate(lambda chance: sudoku(chance, size=2), difficulty=range(50, 60), attempts=2)
    with pytest.raises(cp.TimeLimitError, match="generating"):
        generate(sudoku, time_limit=0)
    with pytest.raises(cp.ModelError, match="difficulty must be a range"):
        generate(sudoku, difficulty=3)  # type: ignore[arg-type]


def test_givens_that_contradict_each_other_are_named() -> None:
    draft = sudoku(size=2)
    x = draft.clues
    with pytest.raises(cp.InfeasibleError, match=r"these cannot all hold: .*given x\[0,0\] == 1; given x\[0,3\] == 1") as caught:
        next(draft.model.steps(givens={x[0, 0]: 1, x[2, 2]: 3, x[0, 3]: 1}))
    assert len(caught.value.conflict) == 3
    draft.model.add([x[1, 1] == 2, x[1, 2] == 2], name="printed")
    with pytest.raises(cp.InfeasibleError, match=r"no puzzle to make of it: these cannot all hold: .*printed\[0\]; printed\[1\]"):
        generate(lambda _: draft)


def test_a_generator_whose_clues_never_suffice_says_what_to_do() -> None:
    def draft(_: random.Random) -> Draft:
        m = cp.Model("two digits")
        x = m.int_vars(2, 1, 3, name="x")
        return Draft(m, clues=[x.sum() == total for total in range(2, 7)])

    puzzle = generate(draft, seed=1, attempts=60)  # 1 + 1 and 3 + 3 are determined by their sum, and found after others that are not
    assert puzzle.model.count() == 1
    with pytest.raises(cp.AmbiguousError, match="offer more clues"):
        generate(lambda chance: replace(draft(chance), clues=[]), attempts=3)


def test_groups_of_constraints_count_as_one_rule() -> None:
    model = cp.Model()
    a, b, c = model.bool_vars(3, name="x")
    chain = model.add([a, a.implies(b), b.implies(c)], name="chain")
    (step,) = model.steps(rules={"the chain": chain})
    assert (step.facts, step.because) == ({a: 1, b: 1, c: 1}, ("the chain",))
    assert [step.size for step in model.steps()] == [1, 1, 1]
    assert list(model.steps(rules={"the rest": chain[1:]}, givens=[chain[0]])) != []
    assert list(cp.Model().steps()) == []


def test_steps_stop_where_small_sets_end() -> None:
    model = cp.Model()
    a, b, c = model.int_vars(3, 1, 3, name="x")
    model.add(a < b, name="first")
    model.add(b < c, name="second")
    assert list(model.steps(most=1)) == []
    assert len(list(model.steps(most=2))) == 1


M = cp.Model()
X, Y = M.int_vars(2, 0, 3, name="x")
RULE = M.add(X + Y == 3, name="sum")
OTHER = cp.Model().add(True)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: M.minimal_clues({X: 1, Y: 1}, [X]), "the solution breaks the rule sum"),
        (lambda: M.minimal_clues({X: 1, Y: 2}, [X == 2]), r"the clue x\[0\] == 2 does not hold in the solution"),
        (lambda: M.minimal_clues({X: 1, Y: 2}, []), "all clues together admit another solution"),
        (lambda: list(M.steps(rules={"r": [OTHER]})), "which is no entry of this model"),
        (lambda: M.explain(X == 1, background=[OTHER]), "is no entry of this model"),
        (lambda: M.steps(most=0), "most must be a positive whole number"),
        (lambda: M.int_var_of([], "z"), "the domain of z is empty"),
        (lambda: X // Y, r"x\[0\] // x\[1\]: the divisor ranges over 0..3; give it a domain without 0"),
        (lambda: X / 2, "is a whole number: divide with // and %"),
        (lambda: X**-1, "the exponent must be an integer, 0 or more"),
        (lambda: cp.interval(0, X - 2), "can be negative"),
        (lambda: cp.no_overlap([X]), "expected intervals such as"),
        (lambda: cp.cumulative([cp.interval(X, 1)], [], 2), "1 intervals and 0 demands"),
        (lambda: cp.cumulative([cp.interval(X, 1)], [-1], 2), "the demand -1 is negative"),
        (lambda: cp.inverse([X], [X, Y]), "the lists have 1 and 2 entries"),
        (lambda: cp.lex_less([X], []), "the lists have 1 and 0 entries"),
    ],
)
def test_bad_questions_say_what_to_do(ask: Any, message: str) -> None:
    with pytest.raises(cp.ModelError, match=message):
        ask()


def test_a_domain_with_gaps_has_just_its_values_on_every_backend() -> None:
    for backend in [name for name, declared in cp.backends().items() if "solutions" in declared.questions]:
        model = cp.Model()
        x = model.int_var_of([7, 1, 3], "x")
        assert sorted(found[x] for found in model.solutions(backend=backend)) == [1, 3, 7]
    assert [entry.name for entry in model.explain(x != 5)] == ["domain of x"]


def test_a_job_shop_has_its_known_optimum() -> None:
    jobs = ["2 1 0 3 1 6 3 7 5 3 4 6", "1 8 2 5 4 10 5 10 0 10 3 4", "2 5 3 4 5 8 0 9 1 1 4 7"]
    jobs += ["1 5 0 5 2 5 3 3 4 8 5 9", "2 9 1 3 4 5 5 4 0 3 3 1", "1 3 3 3 5 9 0 10 4 4 2 1"]  # ft06
    model = cp.Model("ft06")
    end = model.int_var(0, 200, "end")
    machines: dict[int, list[cp.Interval]] = {}
    for line in jobs:
        numbers = [int(word) for word in line.split()]
        previous = None
        for machine, duration in zip(numbers[::2], numbers[1::2], strict=True):
            task = cp.interval(model.int_var(0, 200), duration)
            if previous is not None:
                model.add(previous.end <= task.start)
            previous = task
            machines.setdefault(machine, []).append(task)
        assert previous is not None
        model.add(previous.end <= end)
    for tasks in machines.values():
        model.add(cp.no_overlap(tasks))
    model.minimize(end)
    assert model.solve().objective == 55


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: generate(sudoku, time_limit=0), "no puzzle within the time limit of 0 s; give more time"),
        (lambda: generate(sudoku, difficulty=range(90, 95), seed=1, attempts=1), "widen the range, allow more attempts"),
        (lambda: generate(lambda _: sudoku().model), r"make must give a Draft\(model, clues\)"),  # type: ignore[arg-type, return-value]
        (lambda: list(sudoku().model.steps(givens=5)), "givens: expected values by variable"),
    ],
)
def test_what_cannot_be_made_says_what_to_change(use: Any, message: str) -> None:
    with pytest.raises((cp.ModelError, cp.TimeLimitError), match=message):
        use()


def test_a_generator_that_runs_out_of_time_tells_how_hard_its_puzzles_were() -> None:
    drafts = iter([sudoku(size=2), sudoku(size=2)])

    def make(chance: random.Random) -> Draft:
        draft = next(drafts, None)
        if draft is None:
            raise cp.TimeLimitError("the time is up")
        return draft

    told = (
        r"no puzzle of difficulty range\(90, 95\) within the time limit of 600 s: the 2 made had \d to \d; widen the range, give more time"
    )
    with pytest.raises(cp.TimeLimitError, match=told):
        generate(make, difficulty=range(90, 95), time_limit=600)

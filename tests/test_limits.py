"""Limits, interruption, streams and repeatability: an answer cut short is never mistaken for a proof."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable
from itertools import count
from random import Random

import pytest

import cpsolve as cp
from cpsolve import Model, Result, Status, limits, lower
from cpsolve.counting import automata, choosing, ordering, paths, product, sums
from cpsolve.counting.cnf import Formula
from cpsolve.counting.memory import Memory
from cpsolve.drawing import Picture, Tile
from cpsolve.puzzles import coverings, garden, graphs, plans
from cpsolve.solvers import cpsat, cpsat_encoding, python_constraint, sat_encoding
from cpsolve.solvers.cpsat_encoding import Encoding
from models import busy_police, center, four_in_a_line, minesweeper, pacman
from models.busy_police.encode import route as route_of
from models.center import advice, engine
from models.minesweeper.agent import original_agent
from models.minesweeper.decision import Decision
from models.pacman import maze

BACKENDS = [name for name, backend in cp.backends().items() if "solutions" in backend.questions]


def golomb(marks: int) -> Model:
    """Marks on a ruler with all distances different: easy to state, hard to solve."""
    model = Model("ruler")
    x = model.int_vars(marks, 0, marks * marks, name="x")
    model.add(x[:-1] < x[1:], name="increasing")
    model.add(x[0] == 0, name="start")
    model.add(cp.all_different([x[j] - x[i] for i in range(marks) for j in range(i + 1, marks)]), name="distances")
    model.minimize(x[-1])
    return model


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("limit", [0, 0.05])
def test_a_limit_reached_is_never_a_proof(backend: str, limit: float) -> None:
    result = golomb(14).solve(backend=backend, time_limit=limit)
    assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert (result.solution is None) == (result.status is Status.UNKNOWN)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_enumeration_cut_short_says_that_it_is_not_complete(backend: str) -> None:
    model = Model()
    x = model.int_vars(30, 0, 9)
    model.add(x.sum() == 100)
    cut_by_number = model.solutions(limit=7, backend=backend)
    assert len(list(cut_by_number)) == 7
    assert not cut_by_number.complete
    cut_by_time = model.solutions(time_limit=0.05, backend=backend)
    assert len(set(cut_by_time)) < model.count()
    assert not cut_by_time.complete


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_enumerations_of_one_model_do_not_disturb_each_other(backend: str) -> None:
    model = Model()
    x = model.int_vars(2, 0, 3)
    model.add(x[0] != x[1])
    left, right = model.solutions(backend=backend), model.solutions(backend=backend)
    pairs = list(zip(left, right, strict=True))
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == 12


@pytest.mark.parametrize("question", ["count", "backbone", "conflict"])
def test_a_question_without_a_partial_answer_raises_at_its_limit(question: str) -> None:
    with pytest.raises((cp.TimeLimitError, cp.DiagramTooWide)):
        getattr(golomb(24), question)(time_limit=0.001)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_seed_gives_the_same_answer(backend: str) -> None:
    assert len({_values(backend) for _ in range(3)}) == 1


def _values(backend: str) -> tuple[int, ...]:
    result = golomb(4).solve(backend=backend, seed=7)
    assert result.solution is not None
    return tuple(result.solution.values())


def test_improving_solutions_are_streamed_with_objective_and_bound() -> None:
    seen: list[Result] = []
    result = golomb(8).solve(on_solution=seen.append)
    objectives = [step.objective for step in seen]
    assert result.objective == 34
    assert objectives == sorted(objectives, key=lambda value: -(value or 0))
    assert objectives[-1] == 34
    assert all(step.status is Status.FEASIBLE and step.solution is not None for step in seen)
    assert all(step.bound is not None and step.bound <= 34 for step in seen)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_error_in_a_callback_comes_through_and_ends_the_search(backend: str) -> None:
    class Stop(Exception):
        pass

    def stop(result: Result) -> None:
        raise Stop

    with pytest.raises(Stop):
        golomb(4).solve(backend=backend, on_solution=stop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "work",
    [
        "model.solve(backend=backend)",
        "[0 for _ in model.solutions(backend=backend)]",
    ],
)
def test_control_c_raises_keyboard_interrupt_and_leaves_the_process_healthy(backend: str, work: str) -> None:
    script = f"""
        import os, signal, threading
        import cpsolve as cp
        from tests.test_limits import golomb

        backend, model = {backend!r}, golomb(13)
        golomb(3).solve(backend=backend)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            {work}
            print("not interrupted")
        except KeyboardInterrupt:
            print("interrupted, then", golomb(4).solve(backend=backend).objective)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "interrupted, then 6", done.stderr


def test_a_process_can_end_while_an_iterator_is_still_open() -> None:
    script = "from tests.test_limits import golomb\nopen_iterator = golomb(9).solutions()\nnext(open_iterator)\nprint('bye')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "bye\n", "")


def test_a_solve_can_run_in_a_forked_child() -> None:
    script = """
        import os
        from tests.test_limits import golomb

        golomb(4).solve()
        child = os.fork()
        if child == 0:
            os._exit(golomb(4).solve().objective)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "6\n", done.stderr


def test_progress_is_silent_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    golomb(6).solve(progress=True)
    assert capfd.readouterr().err == ""


def test_solver_parameters_reach_cp_sat() -> None:
    result = golomb(7).solve(options={"linearization_level": 2, "symmetry_level": 0}, workers=2)
    assert (result.objective, result.stats["workers"]) == (25, 2)


@pytest.mark.parametrize("backend", ["cpsat", "sat"])
def test_encoding_ends_with_the_time_too(backend: str) -> None:
    model = Model()
    x = model.int_vars(40, 0, 40, name="x")
    model.add(~cp.all_different(x), name="two alike")
    assert model.solve(backend=backend, time_limit=0).status is Status.UNKNOWN
    cut = model.solutions(backend=backend, time_limit=0)
    assert list(cut) == []
    assert not cut.complete
    for question in (model.backbone, model.conflict):
        with pytest.raises(cp.TimeLimitError):
            question(backend=backend, time_limit=0)
    assert model.solve(backend=backend).status is Status.OPTIMAL  # nothing half made was kept


def test_a_callback_may_ask_without_a_limit_while_the_clock_runs() -> None:
    other = Model()
    x = other.int_vars(30, 0, 30)
    other.add(~cp.all_different(x))
    asked: list[Status] = []
    golomb(5).solve(time_limit=60, on_solution=lambda result: asked.append(other.solve().status))
    assert set(asked) == {Status.OPTIMAL}


LISTS: list[Callable[[], object]] = [
    lambda: list(pacman.paths(pacman.BOARDS["seed"], time_limit=0)),
    lambda: list(busy_police.paths(busy_police.SCENES["ambiente4"], time_limit=0)),
    lambda: list(busy_police.shortest_plans(busy_police.SCENES["evidencias"], time_limit=0)),
    lambda: minesweeper.why(minesweeper.View.from_text("--1"), (1, 1), time_limit=0),
    lambda: minesweeper.infer(minesweeper.View.from_text("--1")).why((1, 1), time_limit=0),
    lambda: minesweeper.infer(minesweeper.View.from_text("-1")).why((1, 1), time_limit=0),
    lambda: four_in_a_line.count_orders([[[1, 4], [2, 4]], [[1, 3]]], time_limit=0),
]


@pytest.mark.parametrize("ask", LISTS)
def test_a_list_and_a_count_end_with_their_time(ask: Callable[[], object]) -> None:
    with pytest.raises(cp.TimeLimitError):
        ask()


def test_plans_after_the_first_end_with_their_time_too() -> None:
    board = pacman.Board(12, 12, pacman=(0, 0), dot=(11, 11), cherry=(11, 10), ghosts=[])  # more than 700,000 shortest plans
    plans = pacman.shortest_plans(board, time_limit=0.2)
    with pytest.raises(cp.TimeLimitError):
        list(plans)


def test_the_check_of_a_certificate_ends_with_its_time() -> None:
    text = center.certify(center.Position(5)).to_text()
    assert center.check(text).winner == "x"
    with pytest.raises(TimeoutError):
        center.check(text, time_limit=0)


@pytest.mark.parametrize("level", range(1, 11))
def test_a_player_whose_time_is_over_still_moves(level: int) -> None:
    large = four_in_a_line.Position(rows=9, columns=9)  # looked at by plain Python, a thousand times slower
    assert four_in_a_line.choose_move(large, level, seed=1, time_limit=0) in large.legal_columns
    wide = center.Position(13)
    assert center.choose_move(wide, level, seed=1, time_limit=0) in wide.legal_moves()


def test_a_line_of_best_play_has_the_limit_of_the_question_that_it_belongs_to(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = four_in_a_line.solve(four_in_a_line.Position.from_moves("44444326213163"), time_limit=60)
    monkeypatch.setattr(time, "monotonic", count(0, 61).__next__)
    with pytest.raises(cp.TimeLimitError):
        _ = verdict.line


def test_a_game_that_takes_too_long_stands_as_far_as_it_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def slow(view: minesweeper.View, luck: Random) -> Decision:
        clock[0] += 1
        return original_agent(view, luck)

    game = minesweeper.Game(minesweeper.Field.random(9, 9, 10, seed=4), first_click="opening")
    with pytest.raises(cp.TimeLimitError):
        minesweeper.play(game, slow, seed=1, time_limit=1.5)
    assert game.view.open
    assert game.status == "playing"
    assert clock == [2.0]


def test_questions_inside_a_question_have_its_time() -> None:
    view = minesweeper.View.from_text("-1", mines=1)
    with limits.Deadline(0).watched(), pytest.raises(cp.TimeLimitError):
        minesweeper.infer(view, time_limit=60)
    assert minesweeper.infer(view).solutions == 1


HUGE: list[Callable[[], object]] = [
    lambda: four_in_a_line.Position(columns=10**9),
    lambda: four_in_a_line.Position(rows=10**9),
    lambda: center.Position(10**9 + 1),
    lambda: center.Position(10**9, shape="hex"),
    lambda: center.Position.from_rows([["."] * 301 for _ in range(301)]),
    lambda: center.from_text("\n".join(["." * 301] * 301)),
    lambda: center.check("center-certificate 1\nboard square 3001\nstart .\nto_move x\nwinner x\nplies 1\nanswers 0\n"),
    lambda: minesweeper.Field.random(10**5, 10**5, 10),
    lambda: pacman.Board(10**9, 10**9, pacman=(0, 0), dot=(1, 1), cherry=(2, 2), ghosts=[]),
    lambda: busy_police.Scene(10**9, 10**9, carts=[], ladders=[], officer=(1, 1), fugitive=(2, 1)),
]


@pytest.mark.parametrize("make", HUGE)
def test_a_board_that_nobody_can_hold_is_refused_before_it_is_made(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"at most|too large|1 to 1,000"):
        make()


def _tour(nodes: int) -> cp.Constraint:
    model = Model()
    return cp.circuit([(i, j, model.bool_var()) for i in range(nodes) for j in range(nodes) if i != j])


def _intervals(count: int) -> list[cp.scheduling.Interval]:
    return [cp.interval(start, 2) for start in Model().int_vars(count, 0, 9)]


def _chain(length: int) -> Model:
    model = Model()
    bits = model.bool_vars(length)
    model.add(bits[:-1] | bits[1:])
    return model


def _corridor() -> dict[tuple[int, int], cp.Expression]:
    return {(k, k + 1): variable for k, variable in enumerate(Model().bool_vars(FAR))}


def _unlimited() -> product.Limits:
    return product.Limits(limits.Deadline(None), Memory())


FAR = 1_500
CORRIDOR = {place: [near for near in (place - 1, place + 1) if 0 <= near < FAR] for place in range(FAR)}
RING = {place: [(place - 1) % FAR, (place + 1) % FAR, (place + FAR // 2) % FAR] for place in range(FAR)}
OPEN_MAZE = coverings._Trees(RING, set(RING), 0, set(RING))
LIST = [Model().int_var(0, FAR)]
HELD: list[ordering.Held] = [(LIST[0] <= 3, (LIST[0],))]
LAYOUT = automata.Layout({LIST[0]: 0}, [(0, FAR)], Memory())
LARGE: dict[str, Callable[[], object]] = {
    "the bounds of a nested condition": lambda: _tour(7).decomposition().interval(),
    "the bounds of many conditions": lambda: cp.all_of(Model().bool_vars(FAR)).interval(),
    "what follows from a path": lambda: cp.path(_corridor(), 0, FAR).clauses(),
    "what follows from a loop": lambda: cp.loop(_corridor()).clauses(),
    "what follows from a loop, in conditions": lambda: cp.loop(_corridor()).relaxation(),
    "a tour in parts": lambda: _tour(2).decomposition(),
    "a negation": lambda: lower.negation(cp.all_of(Model().bool_vars(FAR))),
    "the model of a game of Center": lambda: center.encode(["xo.", "...", "..."]),
    "the model of a view": lambda: minesweeper.encode(minesweeper.View.from_text("\n".join(["1" + 800 * "-"] * 2), mines=1)),
    "the cells of a graph": lambda: graphs.MoveGraph([(x, 0) for x in range(FAR)], lambda cell: []).number,
    "a model for CP-SAT": lambda: Encoding(golomb(3)).take(),
    "the replay of a plan": lambda: plans.replay(garden.Garden("S" + FAR * "." + "E"), [plans.Move("right")] * (FAR + 1)),
    "the cells of a board as text": lambda: minesweeper.View.from_text("\n".join(["-" * 800] * 2)),
    "the ways of a maze": lambda: maze.ways_from(pacman.Maze.from_layout("P" + FAR * "."), (0, 0)),
    "trees cut off a maze": lambda: coverings.cover(CORRIDOR, 0, set(CORRIDOR), [list(CORRIDOR)]),
    "the frontiers of a graph": lambda: automata.frontiers([*range(FAR)], [k + 1 for k in range(FAR)], FAR + 1),
    "the rows of a table": lambda: automata.track(
        cp.table(LIST, [[k] for k in range(FAR)]), automata.Layout({LIST[0]: 0}, [(0, FAR)], Memory())
    ),
    "the order in which paths are counted": lambda: paths._best_order([(k, k + 1, False) for k in range(FAR)], []),
    "the passages of a maze": lambda: coverings._passages(OPEN_MAZE, 0),
    "lists in order": lambda: cp.lex_less(*Model().int_vars((2, FAR), 0, 9)).decomposition(),
    "lists that undo each other": lambda: cp.inverse(*Model().int_vars((2, 50), 0, 49)).decomposition(),
    "intervals apart": lambda: cp.no_overlap(_intervals(50)).decomposition(),
    "intervals that share": lambda: cp.cumulative(_intervals(FAR // 50), [1] * (FAR // 50), 3).decomposition(),
    "a table in parts": lambda: cp.table(LIST, [[k] for k in range(FAR)]).decomposition(),
    "an automaton in parts": lambda: cp.automaton(LIST, 0, [0], [(0, k, 0) for k in range(FAR)]).decomposition(),
    "the conditions of a model": lambda: product.conditions(_chain(FAR), _unlimited()),
    "the size of a condition": lambda: product.tree_size(cp.any_of(LIST[0] == 1)),
    "variables that are read as one": lambda: ordering.group(LIST, HELD, [], {}),
    "an order of reading": lambda: ordering.ordered([ordering.Slot((LIST[0],), range(FAR + 1))], HELD, [False]),
    "the order of a count": lambda: product.outline(_chain(FAR), _unlimited()),
    "the tables of a search": lambda: choosing._tables([LIST[0] <= 3], _unlimited()),
    "sums apart": lambda: sums._Rows([([Model().bool_var()], 0, 1)]),
    "states in words": lambda: product._pack([(0, 1, 3)]),
    "clauses for a counter": lambda: Formula.of(LIST, [LIST[0] <= 3], _unlimited()),
    "a model in clauses": lambda: sat_encoding.Encoding(_chain(2)),
    "the steps of a sweep": lambda: coverings._steps(coverings._passages(OPEN_MAZE, 0), OPEN_MAZE, 0),
}
"""What is built, or gone through, before a search begins or after it has ended."""


@pytest.mark.parametrize("name", LARGE)
def test_whoever_builds_something_large_looks_at_the_clock(name: str) -> None:
    LARGE[name]()
    with limits.Deadline(0).watched(), pytest.raises(cp.TimeLimitError):
        LARGE[name]()


def test_distances_are_measured_in_the_memory_that_there_is() -> None:
    scene = busy_police.Scene(120, 120, [], [(x, y) for y in range(1, 120) for x in (1, 120)], (1, 1), (120, 120))
    graph = route_of(scene).stages[0].graph
    targets = [*range(0, 14_400, 360)]
    expected = graph.distances_to(targets)
    small = limits.Deadline(None, max_memory=6 << 20)  # enough for a few targets at a time
    assert (graph.distances_to(targets, small) == expected).all()
    with pytest.raises(cp.MemoryLimitError, match="measuring distances"):
        graph.distances_to(targets, limits.Deadline(None, max_memory=1 << 20))


def test_a_table_that_the_solver_could_not_leave_in_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    model.add(cp.table(list(model.int_vars(2, 0, 9)), [(a, b) for a in range(10) for b in range(10) if a != b]))
    monkeypatch.setitem(cpsat_encoding.COSTS, "character of a table", (0, 100.0))
    assert model.solve(time_limit=1000).status is Status.UNKNOWN
    assert model.solve().status is Status.OPTIMAL


@pytest.mark.parametrize("kind", ["inverse", "element", "maximum", "all_different", "no_overlap", "automaton"])
def test_what_cp_sat_writes_out_for_itself_is_weighed_too(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.int_vars(50, 0, 49, name="x")
    conditions = {
        "inverse": cp.inverse(x, x),
        "element": cp.element(x, x[0]) == 3,
        "maximum": cp.maximum(x) == 3,
        "all_different": cp.all_different(x),
        "no_overlap": cp.no_overlap([cp.interval(start, 1) for start in x]),
        "automaton": cp.automaton(x, 0, [0], [(0, value, 0) for value in range(49)]),
    }
    model.add(conditions[kind])
    for each in cpsat_encoding.COSTS:
        monkeypatch.setitem(cpsat_encoding.COSTS, each, (1600, 100.0))
    encoding = Encoding(model)
    encoding.take()
    assert encoding.taken > encoding.variables * cpsat_encoding.VARIABLE_BYTES + 50 * 1600
    assert model.solve(backend="cpsat", time_limit=1000).status is Status.UNKNOWN


@pytest.mark.parametrize(
    ("values", "given", "weighed"),
    [
        (cpsat_encoding.MOST_DIFFERENT + 1, 0, 0),
        (cpsat_encoding.MOST_DIFFERENT, 0, 5 * cpsat_encoding.MOST_DIFFERENT),
        (9, 2, 3 * 7),
        (2, 3, 0),
    ],
)
def test_of_different_numbers_those_are_weighed_that_cp_sat_writes_out(values: int, given: int, weighed: int) -> None:
    model = Model()
    numbers = model.int_vars(5, 1, values)
    model.add(cp.all_different(numbers))
    model.add([number == place + 1 for place, number in enumerate(numbers[:given])])
    encoding = Encoding(model)
    encoding.take()
    assert encoding.seconds == pytest.approx(weighed * cpsat_encoding.COSTS["value of one of all different"][1])


def test_large_models_under_a_limit_are_solved_without_what_does_not_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    given = cpsat._set_parameter
    monkeypatch.setattr(cpsat, "_set_parameter", lambda *args: (asked[-1].update([args[1:]]), given(*args)))

    def symmetry(time_limit: float | None = None, options: dict[str, object] | None = None) -> object:
        asked.append({})
        golomb(4).solve(backend="cpsat", options=options, time_limit=time_limit)
        return asked[-1].get("symmetry_level")

    assert symmetry(100) is None
    monkeypatch.setattr(cpsat, "LARGE", 1)
    assert (symmetry(), symmetry(100), symmetry(100, {"symmetry_level": 2})) == (None, 0, 2)
    monkeypatch.setattr(cpsat, "LARGE", 10**6)
    monkeypatch.setattr(cpsat, "LARGE_SECONDS", -1)
    assert symmetry(100) == 0


def test_an_automaton_made_of_many_looks_at_the_clock_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(limits.Deadline, "check", lambda self, what: asked.append(what))

    def looks(conditions: int) -> int:
        asked.clear()
        tracker = automata.track(cp.any_of([LIST[0] == 3 * k for k in range(conditions)]), LAYOUT)
        tracker.tables([range(FAR)], Memory(), limits.Deadline(None))
        return len(asked)

    assert looks(1) < 10
    assert looks(200) > FAR // 100


def test_a_table_of_sums_that_would_not_be_made_in_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    model.add(model.int_vars(3, 0, 50).sum() == 60)
    monkeypatch.setattr(automata, "ADDING", 100.0)
    with pytest.raises(cp.TimeLimitError):
        model.count(time_limit=1000)
    assert model.count() == sum(a + b <= 60 <= a + b + 50 for a in range(51) for b in range(51))


def test_a_search_that_could_not_begin_in_time_or_in_the_memory_there_is_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    model = golomb(3)
    for cost in ("COPY_SECONDS", "COPY_BYTES"):
        monkeypatch.undo()
        monkeypatch.setattr(python_constraint, cost, 10**6)
        assert model.solve(backend="python-constraint", time_limit=1000, max_memory=10**6).status is Status.UNKNOWN
        assert model.solve(backend="python-constraint").status is Status.OPTIMAL


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_limit_of_a_question_in_a_callback_is_not_that_of_the_search(backend: str) -> None:
    with pytest.raises(cp.TimeLimitError):
        golomb(4).solve(backend=backend, on_solution=lambda result: print(golomb(24).count(time_limit=0)))


def _ring() -> Model:
    """A loop in a grid that would rather be four: CP-SAT finds it by cutting off answers."""
    model = Model()
    edges = cp.grid_edges(model, 4, 4)
    model.add(cp.loop(edges))
    model.maximize(sum(sum(edges.around(row, column)) for row in (0, 2) for column in (0, 2)))
    return model


def test_a_limit_that_is_met_while_an_answer_is_cut_off_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _ring()
    with monkeypatch.context() as late:
        late.setattr(Encoding, "cut", lambda self, solution, values: limits.Deadline(0).check("encoding"))
        result = model.solve(backend="cpsat")
    assert (result.status, result.bound) == (Status.UNKNOWN, 16)
    assert model.solve(backend="cpsat").objective == 12


@pytest.mark.parametrize("number", range(3))
def test_what_was_interrupted_while_it_was_written_is_not_used_again(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    labels = model.int_vars((3, 3), 0, 2)  # the larger, the more often beside another: each answer that falls apart is cut off
    model.add(cp.regions(labels, cp.grid(3, 3)))
    model.maximize(sum((-1) ** (row + column) * labels[row, column] for row in range(3) for column in range(3)))
    update, made = cpsat.Program.update, count()

    def interrupted(program: cpsat.Program) -> None:
        if next(made) == number:
            program.encoding.take()  # and nobody gets it
            raise KeyboardInterrupt
        update(program)

    with monkeypatch.context() as broken:
        broken.setattr(cpsat.Program, "update", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.solve(backend="cpsat")
    assert model.solve(backend="cpsat").objective == model.solve(backend="diagram").objective


def test_a_program_that_is_cut_is_for_one_question_at_a_time_and_others_are_for_all() -> None:
    for model, alone in ((_ring(), True), (golomb(4), False)):
        with cpsat._kept(model) as one, cpsat._kept(model) as other:
            assert (one is not other) == alone
        with cpsat._kept(model) as third:
            assert third is one


def test_a_conflict_that_could_not_be_looked_for_in_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.int_vars(3, 1, 2)
    model.add(cp.all_different(x))
    assert len(model.conflict(backend="cpsat", time_limit=60)) == 1
    weigh = Encoding.__init__

    def slow(encoding: Encoding, *arguments: object, **options: object) -> None:
        weigh(encoding, *arguments, **options)  # type: ignore[arg-type]
        encoding.seconds = 3600.0

    begun = []
    monkeypatch.setattr(Encoding, "__init__", slow)
    monkeypatch.setattr(cpsat, "Run", lambda *arguments, **options: begun.append(arguments))
    with pytest.raises(cp.TimeLimitError):
        model.conflict(backend="cpsat", time_limit=60)
    assert not begun


def test_every_pass_over_the_arcs_of_a_graph_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    monkeypatch.setattr(limits, "look", looks.append)
    nodes, passes = 3000, 15  # there are about twice as many arcs as nodes
    assert paths.count_simple_paths([[i for i in (node - 1, node + 1) if 0 <= i < nodes] for node in range(nodes)], 0, nodes - 1) == 1
    assert len(looks) >= passes * 2 * nodes / 1000


def test_terms_of_a_sum_are_gathered_and_halved_for_sat_within_the_time() -> None:
    model = Model()
    bits = model.bool_vars(2000)
    encoding = sat_encoding.Encoding(model)
    terms, constant = encoding._terms((1, bits.sum()))
    assert (len(terms), constant) == (2000, 0)
    for work in (lambda: encoding._terms((1, bits.sum())), lambda: encoding._sum(terms, 0, 2)):
        with pytest.raises(cp.TimeLimitError), limits.Deadline(0).watched():
            work()


def test_clues_and_rules_are_checked_in_the_time_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.int_vars(3, 1, 3)
    model.add(cp.all_different(x))
    checked: list[object] = []
    monkeypatch.setattr(cp.Constraint, "value", lambda self, values: checked.append(self))
    for clues in (list(x), []):
        with pytest.raises(cp.TimeLimitError):
            model.minimal_clues(dict(zip(x, [2, 1, 3], strict=True)), clues, time_limit=0)
    assert not checked


def test_the_first_look_at_the_clock_comes_sooner_on_a_larger_board() -> None:
    with pytest.raises(cp.TimeLimitError) as stopped:
        center.solve(center.Position(15), time_limit=0)
    met = re.search(r"after ([\d,]+) positions", str(stopped.value))
    assert met is not None
    assert int(met[1].replace(",", "")) < engine.FIRST_SLICE // 9**2


def test_a_hint_leaves_time_for_the_player_who_is_asked_when_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def choose(position: center.Position, level: int, seed: int, *, time_limit: float | None = None) -> object:
        asked.append(time_limit)
        return position.legal_moves()[0]

    monkeypatch.setattr(advice, "choose_move", choose)
    assert not center.hint(center.Position(15), time_limit=0).proven
    assert asked == [0]


def test_a_deadline_made_elsewhere_gives_no_more_than_there_is() -> None:
    with limits.Deadline(0).watched(), limits.Deadline(None).watched(), pytest.raises(cp.TimeLimitError):
        limits.look("counting")
    before = limits.Deadline(None)
    with limits.Deadline(0).watched(), before.watched(), pytest.raises(cp.TimeLimitError):
        limits.look("counting")
    assert not before.passed()


def test_an_inference_without_the_memory_for_it_says_so() -> None:
    field = minesweeper.Field.random(30, 30, 225, seed=2)
    cells = [(row, column) for row in range(1, 31) for column in range(1, 31) if (row + column) % 2]
    view = minesweeper.View(30, 30, {cell: field.value(cell) for cell in cells if cell not in field.mines}, 225)
    assert minesweeper.infer(view).solutions
    with pytest.raises(cp.MemoryLimitError):
        minesweeper.infer(view, max_memory=500_000)


def test_a_long_corridor_takes_no_more_memory_than_it_has_cells() -> None:
    length = 3_000
    line = {place: [near for near in (place - 1, place + 1) if 0 <= near < length] for place in range(length)}
    tracemalloc.start()
    try:
        walk = coverings.cover(line, 0, set(line), [list(line)])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert walk is not None
    assert len(walk.nodes) == length
    assert peak < 5_000_000  # the square of its length is twice as much, and more in lists


def test_a_model_that_cp_sat_has_no_memory_to_begin_with_is_not_handed_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(cpsat, "Run", lambda *given, **more: begun.append(given))
    monkeypatch.setattr(limits, "resident", lambda: 10**9)  # the model alone is to decide
    model = Model()
    model.add(cp.circuit([(i, j, model.bool_var()) for i in range(60) for j in range(60) if i != j]))
    size = Encoding(model).needed()
    assert size > 59 * 60 * (cpsat_encoding.VARIABLE_BYTES + cpsat_encoding.COSTS["arc of a circuit"][0])
    result = model.solve(backend="cpsat", max_memory=size - 1)
    assert result.status is Status.UNKNOWN
    assert not begun
    with pytest.raises(AttributeError):  # what stands for the solver here does nothing
        model.solve(backend="cpsat", max_memory=size)
    assert begun


def test_a_model_that_was_encoded_before_is_not_begun_with_too_little_memory_either(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    x = model.int_vars(9, 0, 8, name="x")
    model.add(cp.inverse(x, x))
    assert model.solve(backend="cpsat").status is Status.OPTIMAL
    monkeypatch.setattr(limits, "resident", lambda: 10**9)
    size = Encoding(model).needed()
    assert model.solve(backend="cpsat", max_memory=size - 1).status is Status.UNKNOWN
    assert model.solve(backend="cpsat", max_memory=8 * size).status is Status.OPTIMAL


def test_cp_sat_is_told_to_stop_while_there_is_memory_for_what_it_goes_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    model = golomb(3)
    program = cpsat.Program(Encoding(model))
    assert program.encoding.taken == Encoding(model).needed()
    taken = [0]
    monkeypatch.setattr(limits, "resident", lambda: taken[0])
    deadline = limits.Deadline(None, max_memory=10**6)
    program.encoding.taken = 10**6
    run = cpsat.Run(program, deadline)
    taken[0] = 500_000
    run._heed_limits()
    assert not deadline.full
    taken[0] = 500_001
    run._heed_limits()
    assert deadline.full


BOARD_OF_400 = Picture(
    "a large board", 400, 400, dict.fromkeys(((x, y) for x in range(400) for y in range(400)), Tile(label="1", fill="#000000"))
)


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: minesweeper.draw(minesweeper.View(400, 400, {})),
        lambda: pacman.draw(pacman.Board(400, 400, (0, 0), (1, 0), (2, 0), (), walls=[(x, y) for x in range(400) for y in range(1, 400)])),
        BOARD_OF_400.text,
        BOARD_OF_400.svg,
    ],
    ids=["a view", "walls", "text", "svg"],
)
def test_a_picture_keeps_the_memory_limit_of_the_command_that_draws_it(drawn: Callable[[], object]) -> None:
    none_left = limits.Deadline(None, max_memory=4 << 20)
    none_left.fill()
    with none_left.watched(), pytest.raises(cp.MemoryLimitError, match="drawing"):
        drawn()


def test_a_sweep_looks_at_the_clock_between_frontiers_and_not_only_between_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(limits.Deadline, "check", lambda self, what: asked.append(what))
    open_maze = pacman.Maze.from_layout("\n".join(["P....", ".....", ".....", "....."]))

    def looks() -> int:
        asked.clear()
        assert len(pacman.solve(open_maze, time_limit=100).moves) == 19
        return asked.count("the sweep over the passages")

    seldom = looks()
    monkeypatch.setattr(coverings, "PERIOD", 1)
    assert looks() > 5 * seldom > 0


def test_a_scene_is_looked_at_line_by_line_and_cell_by_cell_within_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(limits, "look", asked.append)
    busy_police.Scene.from_text("P\n" + "H\n" * 2998 + "F")
    assert asked.count("reading the scene") >= 3 * 3  # whether it is drawn, its rows, its cells

"""Routes as models: what a script adds between encode and decode holds, and the best plan is as short as a search of all plans finds."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve.errors import ModelError, SolverError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles import walks
from cpsolve.puzzles.encodings import CircuitModel, HorizonModel
from cpsolve.puzzles.garden import Garden, route
from cpsolve.puzzles.plans import Cell, Move, Puzzle, Walk, plan_of, replay
from models import busy_police, pacman
from models.pacman.encode import route as pacman_route
from tests.routes_oracle import boards, scenes

few = settings(deadline=None, max_examples=40, derandomize=True)
Memory = Callable[[Any, Any, Move, Any], Any]
"""What a rule remembers after a move from one state to another: None when the rule forbids it."""


def shortest(puzzle: Puzzle[Any], memory: Any, after: Memory, fine: Callable[[Any], bool] = lambda memory: True) -> int | None:
    """The length of a shortest plan that keeps a rule, by breadth-first search over states and what the rule remembers."""
    start = (puzzle.start(), memory)
    if puzzle.is_goal(start[0]):
        return 0 if fine(memory) else None
    seen: set[tuple[Hashable, Hashable]] = {start}
    frontier, length = [start], 0
    while frontier:
        length += 1
        following = []
        for state, memory in frontier:
            for move, successor in puzzle.moves(state):
                remembered = after(memory, state, move, successor)
                if remembered is None:
                    continue
                if puzzle.is_goal(successor):
                    if fine(remembered):
                        return length
                elif (successor, remembered) not in seen:
                    seen.add((successor, remembered))
                    following.append((successor, remembered))
        frontier = following
    return None


def before(first: Cell, then: Cell) -> Memory:
    """``first`` is not collected after ``then``."""

    def has(state: Any, cell: Cell) -> bool:
        return cell in state.collected if isinstance(state, busy_police.State) else cell not in state.ghosts

    return lambda memory, state, move, successor: None if has(successor, then) and not has(successor, first) else memory


def checked(result: cp.Result, game: Any, instance: Any, expected: int | None) -> Walk[Any] | None:
    """The plan of a result, which must be as long as the search says."""
    if expected is None:
        assert result.status is cp.Status.INFEASIBLE
        return None
    assert (result.status, result.objective) == (cp.Status.OPTIMAL, expected)
    plan: Walk[Any] = game.decode(instance, result.solution)
    assert plan.cost == expected
    assert replay(instance, plan.moves) == plan.states
    return plan


# -- rules of one's own


@given(scene=scenes(max_evidence=4), data=st.data())
@few
def test_an_order_of_evidence_is_kept_in_the_fewest_moves(scene: busy_police.Scene, data: st.DataObject) -> None:
    assume(len(scene.evidence) > 1)
    first, then = data.draw(st.permutations(sorted(scene.evidence)))[:2]
    expected = shortest(scene, 0, before(first, then)) if then != scene.officer else None
    model = busy_police.encode(scene, order=True)
    model.add(model.order(first) < model.order(then), name="in this order")
    plan = checked(model.solve(), busy_police, scene, expected)
    if plan is not None:
        assert all(first in state.collected or then not in state.collected for state in plan.states)


@given(board=boards(max_width=4, max_height=4, max_ghosts=4), data=st.data())
@few
def test_an_order_of_ghosts_is_kept_in_the_fewest_moves(board: pacman.Board, data: st.DataObject) -> None:
    assume(len(board.ghosts) > 1)
    first, then = data.draw(st.permutations(sorted(board.ghosts)))[:2]
    model = pacman.encode(board, order=True)
    model.add(model.order(first) < model.order(then), name="in this order")
    checked(model.solve(), pacman, board, shortest(board, 0, before(first, then)))


@given(scene=scenes(max_width=5, max_evidence=2), data=st.data())
@few
def test_the_step_by_step_model_keeps_an_order_too(scene: busy_police.Scene, data: st.DataObject) -> None:
    assume(len(scene.evidence - {scene.officer}) > 1)
    first, then = data.draw(st.permutations(sorted(scene.evidence - {scene.officer})))[:2]
    expected = shortest(scene, 0, before(first, then))
    model = busy_police.encode(scene, "horizon", steps=12 if expected is None else expected + 2)
    model.add(model.arrival(first) < model.arrival(then), name="in this order")
    checked(model.solve(), busy_police, scene, expected)


@given(scene=scenes(), data=st.data())
@few
def test_a_ladder_that_is_forbidden_is_not_used(scene: busy_police.Scene, data: st.DataObject) -> None:
    assume(scene.ladders)
    low = data.draw(st.sampled_from(sorted(scene.ladders)))
    high = (low[0], low[1] + 1)
    expected = shortest(scene, 0, lambda memory, state, move, successor: None if {state.cell, successor.cell} == {low, high} else 0)
    model = busy_police.encode(scene, "horizon", steps=10 if expected is None else expected + 2)
    model.add(model.taken(low, high) + model.taken(high, low) == 0, name="never this ladder")
    plan = checked(model.solve(), busy_police, scene, expected)
    assert plan is None or all({low, high} != set(pair) for pair in zip(plan.cells, plan.cells[1:], strict=False))


@given(scene=scenes(max_evidence=2), most=st.integers(0, 3), data=st.data())
@few
def test_moves_of_a_kind_are_limited(scene: busy_police.Scene, most: int, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["climb", "descend", "walk left", "jump right"]))

    def after(made: int, state: object, move: Move, successor: object) -> int | None:
        made += move.name == name
        return None if made > most else made

    expected = shortest(scene, 0, after)
    model = busy_police.encode(scene, "horizon", steps=10 if expected is None else expected + 2)
    if name in model.labels:
        model.add(model.made(name) <= most, name=f"at most {most} times")
    checked(model.solve(), busy_police, scene, expected)


@given(board=boards(max_ghosts=2), data=st.data())
@few
def test_a_cell_that_must_be_stood_in_at_a_moment_is(board: pacman.Board, data: st.DataObject) -> None:
    cell, step = data.draw(st.sampled_from(sorted(board.cells()))), data.draw(st.integers(0, 6))

    def after(made: int, state: object, move: Move, successor: Any) -> int | None:
        return None if made + 1 == step and successor.cell != cell else min(made + 1, step + 1)

    expected = shortest(board, 0, after, lambda made: made >= step) if step or cell == board.pacman else None
    steps = 10 if expected is None else expected + 2
    model = pacman.encode(board, "horizon", steps=steps)
    model.add(model.at(cell, step), name="there at that moment")
    model.add(model.total >= step, name="still on the way")
    checked(model.solve(), pacman, board, expected)


@given(scene=scenes(max_evidence=3))
@few
def test_the_circuit_model_has_the_shortest_plan_without_further_rules(scene: busy_police.Scene) -> None:
    expected = shortest(scene, 0, lambda memory, state, move, successor: memory)
    checked(busy_police.encode(scene).solve(), busy_police, scene, expected)
    checked(busy_police.encode(scene, order=True).solve(), busy_police, scene, expected)


@given(board=boards(max_ghosts=3))
@few
def test_both_phases_of_a_board_are_in_one_model(board: pacman.Board) -> None:
    expected = shortest(board, 0, lambda memory, state, move, successor: memory)
    checked(pacman.encode(board).solve(), pacman, board, expected)
    checked(pacman.encode(board, order=True).solve(), pacman, board, expected)


def test_evidence_in_a_corridor_cannot_be_walked_over_unseen() -> None:
    corridor = busy_police.Scene(5, 1, [], [], officer=(1, 1), fugitive=(5, 1), evidence=[(2, 1), (3, 1)])
    model = busy_police.encode(corridor, order=True)
    model.add(model.order((3, 1)) < model.order((2, 1)), name="the far one first")
    assert model.solve().status is cp.Status.INFEASIBLE


def test_a_way_over_items_is_open_after_them() -> None:
    """The right flower first: the way back to the left one leads over the start, and the way to the gate over both."""
    garden = Garden("oS.o\n#.##\n#E##")
    game = walks.WalkingGame(route)
    model = game.encode(garden, order=True)
    model.add(model.order((3, 0)) < model.order((0, 0)), name="the right one first")
    plan = game.decode(garden, model.solve().solution)
    assert [str(move) for move in plan.moves] == ["right"] * 2 + ["left"] * 3 + ["right", "down", "down"]


# -- what a model says


def test_names_can_be_read() -> None:
    model = busy_police.encode(busy_police.SCENES["evidencias"])
    names = [variable.name for variable in model.variables]
    assert "officer -> evidence (1,3)" in names
    assert "evidence (1,3) -> fugitive" in names
    assert "evidence (1,3) is visited" in names
    assert [entry.name for entry in model.constraints] == [
        "one walk from officer to fugitive",
        "evidence (1,3) must be visited",
        "evidence (1,4) must be visited",
        "evidence (1,5) must be visited",
    ]
    assert [entry.name for entry in pacman.encode(pacman.BOARDS["seed"]).constraints][:2] == [
        "one walk from pacman to dot",
        "one walk from dot to cherry",
    ]


def test_a_model_without_solution_names_what_cannot_be_visited() -> None:
    scene = busy_police.Scene(4, 2, [], [], officer=(1, 1), fugitive=(3, 1), evidence=[(2, 1), (1, 2)])
    assert {entry.name for entry in busy_police.encode(scene).conflict()} == {
        "one walk from officer to fugitive",
        "evidence (1,2) must be visited",
    }


def test_a_copy_keeps_what_rules_are_made_of_and_goes_its_own_way() -> None:
    scene = busy_police.SCENES["evidencias"]
    model = busy_police.encode(scene, order=True)
    twin = model.copy()
    assert isinstance(twin, CircuitModel)
    twin.add(twin.order((1, 4)) < twin.order((1, 3)))
    assert (model.solve().objective, twin.solve().objective) == (40, 46)
    steps = pickle.loads(pickle.dumps(busy_police.encode(busy_police.SCENES["ambiente1"], "horizon")))
    assert isinstance(steps, HorizonModel)
    steps.add(steps.made("climb") >= 5)
    assert steps.solve().status is not cp.Status.UNKNOWN


def test_all_questions_can_be_asked_of_a_route() -> None:
    scene = busy_police.SCENES["evidencias"]
    model = busy_police.encode(scene)
    assert model.count() == 6, "as many tours as orders of three"
    fixed = busy_police.encode(scene, order=True)
    fixed.add(fixed.total == 40)
    assert fixed.backbone([fixed.order((1, 3)), fixed.order((1, 5))]) == {fixed.order((1, 3)): 1, fixed.order((1, 5)): 3}


def test_what_a_form_cannot_do_is_refused() -> None:
    scene = busy_police.SCENES["evidencias"]
    with pytest.raises(ModelError, match="unknown form 'spiral': expected one of circuit, horizon"):
        busy_police.encode(scene, "spiral")  # type: ignore[call-overload]
    with pytest.raises(ModelError, match="order=True"):
        busy_police.encode(scene).order((1, 3))
    with pytest.raises(ModelError, match="no landmark"):
        busy_police.encode(scene, order=True).order((2, 2))
    with pytest.raises(ModelError, match=r"no leg leads from \(1, 3\) to \(2, 2\)"):
        busy_police.encode(scene).leg((1, 3), (2, 2))
    with pytest.raises(ModelError, match="no steps"):
        busy_police.encode(scene, "circuit", steps=10)  # type: ignore[call-overload]
    with pytest.raises(ModelError, match="leave order out"):
        busy_police.encode(scene, "horizon", order=True)  # type: ignore[call-overload]
    with pytest.raises(ModelError, match="steps must be"):
        busy_police.encode(scene, "horizon", steps=-1)
    steps = busy_police.encode(scene, "horizon", steps=40)
    wrong: list[Callable[[], object]] = [
        lambda: steps.made("fly"),
        lambda: steps.makes("climb", 41),
        lambda: steps.at((7, 1), 3),
        lambda: steps.taken((1, 1), (9, 5)),
        lambda: steps.arrival((2, 2)),
    ]
    for asked in wrong:
        with pytest.raises(ModelError):
            asked()


def test_a_horizon_that_is_too_short_has_no_solution() -> None:
    scene = busy_police.SCENES["evidencias"]
    assert busy_police.encode(scene, "horizon", steps=39).solve().status is cp.Status.INFEASIBLE
    assert busy_police.encode(scene, "horizon", steps=40).solve().objective == 40


def test_only_a_solution_of_the_instance_is_decoded() -> None:
    scene = busy_police.SCENES["evidencias"]
    with pytest.raises(ModelError, match="no solution to decode"):
        busy_police.decode(scene, None)
    with pytest.raises(ModelError, match="expected one of a model that encode made"):
        busy_police.decode(scene, busy_police.encode(busy_police.SCENES["ambiente1"]).solve().solution)


def test_an_answer_that_the_rules_refuse_is_a_broken_promise() -> None:
    with pytest.raises(SolverError, match="the rules refuse an answer: move 1, up, is not legal"):
        plan_of(Garden("So.E"), [Move("up")])


# -- options and checks


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("auto", {"backend": "nonsense"}, "there is no backend 'nonsense'"),
        ("circuit", {"workers": -5}, "workers must be"),
        ("horizon", {"workers": True}, "workers must be"),
        ("dfs", {"workers": 2}, "the method dfs asks no backend"),
        ("held-karp", {"backend": "cpsat"}, "the method held-karp asks no backend"),
        ("circuit", {"max_states": 10}, "does not count states"),
        ("bfs", {"max_states": -1}, "max_states must be"),
    ],
)
def test_an_option_that_a_method_cannot_use_is_refused(method: str, options: dict[str, Any], said: str) -> None:
    for scene in (busy_police.SCENES["evidencias"], busy_police.SCENES["ambiente1"]):
        with pytest.raises(ModelError, match=said):
            busy_police.solve(scene, method, **options)


@pytest.mark.parametrize("method", walks.METHODS)
def test_what_ran_is_what_is_said(method: str) -> None:
    one = busy_police.Scene(4, 1, [], [], officer=(2, 1), fugitive=(4, 1), evidence=[(1, 1)])
    plan = busy_police.solve(one, method)
    assert plan.stats["method"] == ("circuit" if method == "auto" else method)
    assert ("solver" in plan.stats) == (plan.stats["method"] in ("circuit", "horizon"))


@pytest.mark.parametrize("backend", ["cpsat", "python-constraint", "diagram"])
def test_every_backend_solves_the_circuit(backend: str) -> None:
    plan = pacman.solve(pacman.BOARDS["seed"], "circuit", backend=backend)
    assert (plan.cost, plan.optimal, plan.stats["solver"]["backend"]) == (14, True, backend)


@given(scene=scenes(max_evidence=2))
@settings(deadline=None, max_examples=20, derandomize=True)
def test_small_scenes_are_checked_by_python_constraint(scene: busy_police.Scene) -> None:
    plan = busy_police.solve(scene, check=True)
    assert plan.checked == "python-constraint"
    assert plan.check.note == (
        f"checked by python-constraint: the same optimum {plan.cost}" if plan else "checked by python-constraint: no solution either"
    )
    assert not busy_police.solve(scene).checked


def test_a_check_says_when_an_instance_is_too_large() -> None:
    cells = [(column, floor) for floor in range(1, 9) for column in range(2, 9)]
    ladders = [(column, floor) for column in range(1, 10) for floor in range(1, 8)]
    scene = busy_police.Scene(9, 8, [], ladders, (1, 1), (9, 8), cells[::2])
    plan = busy_police.solve(scene, time_limit=1, check=True)
    assert plan.checked in ("", "cpsat with little presolve")
    assert plan.checked or "too large for a check" in plan.check.note


def test_a_check_that_contradicts_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    garden = Garden("So.E")
    honest = walks._by_tours

    def too_long(found: Any, deadline: Any) -> Any:
        plan = honest(found, deadline)
        moves = [*plan.moves[:1], Move("left"), *plan.moves]
        return plan_of(garden, moves, bound=len(moves))

    monkeypatch.setattr(walks, "_by_tours", too_long)
    with pytest.raises(SolverError, match="contradict each other"):
        walks.solve(route(garden), "held-karp", check=True)


def test_time_is_kept_while_a_graph_is_built() -> None:
    board = pacman.Board(400, 400, (0, 0), (399, 0), (399, 399), [(7, 7)])
    plan = pacman.solve(board, time_limit=0.01)
    assert (plan.status, plan.moves) == (cp.Status.UNKNOWN, ())
    assert "without a plan" in plan.reason
    graph = pacman_route(board).stages[0].graph
    with pytest.raises(TimeLimitError, match="listing all cells"):
        graph.expand(Deadline(0))
    assert graph.number
    with pytest.raises(TimeLimitError, match="asking the rules for all moves"):
        graph.expand(Deadline(0))
    graph.expand()
    assert len(graph.moves) == 160_000, "the next call goes on"

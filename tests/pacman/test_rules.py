"""The rules of Pacman, one fact at a time, and the boards that cannot be."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import cpsolve as cp
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Cell
from models.pacman import Board, State, solve


def board(drawing: str) -> Board:
    """A board from rows: < pacman, o dot, C cherry, x ghost, # wall."""
    rows = drawing.split("/")
    things: dict[str, list[Cell]] = {mark: [] for mark in "<oCx#_"}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            things[mark].append((x, y))
    return Board(len(rows[0]), len(rows), things["<"][0], things["o"][0], things["C"][0], things["x"], things["#"])


def moves(where: Board, state: State | None = None) -> list[str]:
    return [str(move) for move, _ in where.moves(state or where.start())]


def test_moves_come_in_the_order_right_left_up_down_and_stay_on_the_board() -> None:
    assert moves(board("___/_<_/_oC")) == ["right", "left", "up", "down"]
    assert moves(board("<_/oC")) == ["right", "down"]
    assert moves(board("oC/_<")) == ["left", "up"]


def test_nobody_enters_a_wall() -> None:
    assert moves(board("<#/oC")) == ["down"]


def test_no_ghost_is_entered_before_the_dot() -> None:
    where = board("<x_/o_C")
    assert moves(where) == ["down"]
    assert moves(where, State((0, 0), True, where.ghosts)) == ["right", "down"]


@pytest.mark.parametrize(("drawing", "towards"), [("<x/oC", "right"), ("x</oC", "left"), ("x_/<C/o_", "up"), ("</x/o/C", "down")])
def test_ghosts_stop_pacman_in_every_direction_and_are_eaten_in_every_direction(drawing: str, towards: str) -> None:
    where = board(drawing)
    assert towards not in moves(where)
    after = {str(move): state for move, state in where.moves(State(where.pacman, True, where.ghosts))}
    assert after[towards].ghosts == frozenset()


def test_the_dot_is_eaten_on_arrival() -> None:
    where = board("<oC")
    ((_, state),) = where.moves(where.start())
    assert state == State((1, 0), True, frozenset())


def test_the_cherrys_cell_is_entered_only_when_no_ghost_is_left() -> None:
    where = board("<C/ox")
    assert moves(where) == ["down"]
    assert moves(where, State((0, 0), True, where.ghosts)) == ["down"]
    assert moves(where, State((0, 0), True, frozenset())) == ["right", "down"]


def test_without_ghosts_pacman_may_pass_the_cherry_to_the_dot_and_come_back() -> None:
    assert [str(move) for move in solve(board("<Co")).moves] == ["right", "right", "left"]


def test_the_goal_needs_the_dot_and_every_ghost() -> None:
    where = board("<oxC")
    assert where.is_goal(State((3, 0), True, frozenset()))
    assert not where.is_goal(State((3, 0), False, frozenset()))
    assert not where.is_goal(State((3, 0), True, where.ghosts))
    assert not where.is_goal(State((2, 0), True, frozenset()))


GOOD: dict[str, Any] = {"width": 4, "height": 2, "pacman": (0, 0), "dot": (1, 0), "cherry": (3, 1), "ghosts": [(2, 0)]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": -1}, "the width of a board must be a positive integer, got -1"),
        ({"height": True}, "the height of a board must be a positive integer, got True"),
        ({"pacman": (4, 0)}, r"pacman at \(4, 0\) is outside the board: x is 0 to 3 and y is 0 to 1"),
        ({"dot": (0, 2)}, r"the dot at \(0, 2\) is outside"),
        ({"cherry": (-1, 0)}, r"the cherry at \(-1, 0\) is outside"),
        ({"ghosts": [(9, 9)]}, r"a ghost at \(9, 9\) is outside"),
        ({"walls": [(9, 9)]}, r"a wall at \(9, 9\) is outside"),
        ({"dot": (0, 0)}, r"pacman and the dot are in one place, \(0, 0\)"),
        ({"cherry": (1, 0)}, r"the dot and the cherry are in one place, \(1, 0\)"),
        ({"ghosts": [(3, 1)]}, r"the cherry and a ghost are in one place, \(3, 1\)"),
        ({"walls": [(2, 0)]}, r"a ghost and a wall are in one place, \(2, 0\)"),
        ({"ghosts": [(2, 0), (2, 0)]}, r"a ghost at \(2, 0\) is given twice"),
        ({"dot": (1, 2, 3)}, r"expected a cell \(x, y\) for the dot, got \(1, 2, 3\)"),
    ],
)
def test_a_board_that_cannot_be_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Board(**{**GOOD, **change})


def test_boards_are_values() -> None:
    one, other = Board(**GOOD), Board(**{**GOOD, "ghosts": {(2, 0)}})
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.width = 7  # type: ignore[misc]


CLOSED = "which is closed while a ghost is left"


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("<xoC", "the dot (2, 0) cannot be reached: the ghost (1, 0) bars the way, and only the dot makes it edible"),
        ("<x_/xoC", "the dot (1, 1) cannot be reached: the ghosts (0, 1), (1, 0) bar the way, and only the dot makes them edible"),
        ("<#oC", "the dot (2, 0) cannot be reached: walls close it off from pacman (0, 0)"),
        ("<o#C", "the cherry (3, 0) cannot be reached: walls close it off from the dot (1, 0)"),
        ("<o#x/_C#_", "the ghost (3, 0) cannot be reached: walls close it off from the dot (1, 0)"),
        ("<oCx", f"the ghost (3, 0) cannot be reached: the only way leads through the cherry's cell (2, 0), {CLOSED}"),
        ("x<Co", f"the dot (3, 0) cannot be reached: the only way around the ghosts leads through the cherry's cell (2, 0), {CLOSED}"),
        ("<Cxo", f"the dot (3, 0) cannot be reached: the only way leads through the cherry's cell (1, 0), {CLOSED}, "
                 "and ghosts bar it beyond"),
        ("<xCo", "the dot (3, 0) cannot be reached: the ghost (1, 0) bars the way, and only the dot makes it edible; "
                 f"beyond, it leads through the cherry's cell (2, 0), {CLOSED}"),
    ],
)  # fmt: skip
def test_no_plan_has_a_reason_that_a_person_can_use(drawing: str, reason: str) -> None:
    for method in ("auto", "circuit", "dfs", "bfs"):
        plan = solve(board(drawing), method)
        assert plan.status is cp.Status.INFEASIBLE
        assert plan.reason == reason


def test_the_cherry_is_drawn_until_it_is_eaten() -> None:
    board = Board(3, 1, pacman=(0, 0), dot=(1, 0), cherry=(2, 0), ghosts=[])
    plan = solve(board)
    shown = [[tile.note for tile in board.picture(plan, step).tiles.values()] for step in range(3)]
    assert [any("cherry" in note for note in notes) for notes in shown] == [True, True, False]

"""The rules of Busy Police, one fact at a time, and the scenes that cannot be."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import cpsolve as cp
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Cell
from models.busy_police import Scene, State, solve


def scene(drawing: str, ladders: list[Cell] | None = None) -> Scene:
    """A scene from rows, top floor first: P officer, F fugitive, o cart, e evidence, H ladder."""
    rows = drawing.split("/")
    things: dict[str, list[Cell]] = {mark: [] for mark in "PFoeH."}
    for floor, row in enumerate(reversed(rows), 1):
        for column, mark in enumerate(row, 1):
            things[mark].append((column, floor))
    places = things["P"][0], things["F"][0] if things["F"] else things["P"][0]
    return Scene(len(rows[0]), len(rows), things["o"], things["H"] + (ladders or []), *places, things["e"])


def moves(where: Scene, cell: Cell | None = None) -> list[str]:
    state = State(cell, frozenset()) if cell else where.start()
    return [str(move) for move, _ in where.moves(state)]


def test_the_officer_walks_both_ways_within_the_scene() -> None:
    assert moves(scene("P.F")) == ["walk right"]
    assert moves(scene(".PF")) == ["walk right", "walk left"]
    assert moves(scene("F.P")) == ["walk left"]


def test_a_cart_is_passed_only_by_jumping_over_it() -> None:
    assert moves(scene("Po.F")) == ["jump right"]
    assert moves(scene("F.oP")) == ["jump left"]


@pytest.mark.parametrize(
    ("drawing", "why"),
    [
        ("Poo.F", "on another cart"),
        ("PoF", "on the fugitive"),
        (".../PoH/F..", "on a ladder"),
        ("Poe.F", "on evidence"),
        ("FPo", "outside"),
    ],
)
def test_a_jump_never_lands_where_it_must_not(drawing: str, why: str) -> None:
    where = scene(drawing)
    column, floor = where.officer
    assert "jump right" not in moves(where)
    assert where.landing_obstacle((column + 2, floor)) == why


def test_a_jump_may_land_in_the_fugitives_column_on_another_floor() -> None:
    assert "jump right" in moves(scene("..F/Po."))


def test_a_jump_never_lands_on_evidence_collected_or_not() -> None:
    where = scene("Poe.F")
    assert [str(move) for move, _ in where.moves(State((1, 1), where.evidence))] == []


def test_a_jump_may_land_at_the_upper_end_of_a_ladder() -> None:
    assert "jump right" in moves(scene("Po./F.H"))


def test_a_ladder_leads_up_from_its_cell_and_down_from_the_cell_above() -> None:
    where = scene("F../P.H")
    assert moves(where, (3, 1)) == ["climb", "walk left"]
    assert moves(where, (3, 2)) == ["descend", "walk left"]
    assert moves(where, (1, 2)) == ["walk right"]


def test_moves_come_in_the_order_of_the_seeds_rules() -> None:
    where = scene("...../F.P../.....", ladders=[(3, 1), (3, 2)])
    assert moves(where) == ["climb", "descend", "walk right", "walk left"]
    assert moves(scene("....F/.oPo.")) == ["jump right", "jump left"]


def test_evidence_is_collected_by_standing_on_it() -> None:
    where = scene("PeF")
    (_, state), *_ = where.moves(where.start())
    assert state == State((2, 1), frozenset({(2, 1)}))
    assert not where.is_goal(State((3, 1)))
    assert where.is_goal(State((3, 1), where.evidence))


def test_evidence_where_the_officer_starts_is_collected_at_once() -> None:
    where = Scene(3, 1, [], [], (1, 1), (3, 1), [(1, 1)])
    assert where.start().collected == {(1, 1)}
    assert solve(where).cost == 2


def test_the_officer_may_pass_the_fugitive_while_evidence_is_missing() -> None:
    assert [str(move) for move in solve(scene("PFe")).moves] == ["walk right", "walk right", "walk left"]


def test_evidence_is_reached_by_ladder_too() -> None:
    where = Scene(2, 2, [], [(1, 1)], (1, 1), (2, 2), [(1, 2)])
    assert solve(where).cost == 2


GOOD: dict[str, Any] = {"width": 5, "floors": 3, "carts": [(3, 1)], "ladders": [(5, 1)], "officer": (1, 1), "fugitive": (1, 3)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 0}, "the width of a scene must be a positive integer, got 0"),
        ({"floors": 2.5}, "the number of floors of a scene must be a positive integer, got 2.5"),
        ({"officer": (6, 1)}, r"the officer at \(6, 1\) is outside the scene: columns are 1 to 5 and floors 1 to 3"),
        ({"fugitive": (1, 4)}, r"the fugitive at \(1, 4\) is outside"),
        ({"carts": [(0, 1)]}, r"the cart at \(0, 1\) is outside"),
        ({"ladders": [(5, 0)]}, r"the ladder at \(5, 0\) is outside"),
        ({"evidence": [(1, 9)]}, r"the evidence at \(1, 9\) is outside"),
        ({"officer": (3, 1)}, r"the officer at \(3, 1\) and a cart are in one place"),
        ({"fugitive": (3, 1)}, r"the fugitive at \(3, 1\) and a cart are in one place"),
        ({"evidence": [(3, 1)]}, r"the evidence at \(3, 1\) and a cart are in one place"),
        ({"ladders": [(3, 1)]}, r"the ladder at \(3, 1\) and a cart are in one place"),
        ({"carts": [(5, 2)]}, r"the ladder at \(5, 1\) ends at the cart at \(5, 2\)"),
        ({"ladders": [(5, 3)]}, r"the ladder at \(5, 3\) leads up from floor 3, which is the top floor"),
        ({"carts": [(3, 1), (3, 1)]}, r"the cart at \(3, 1\) is given twice"),
        ({"officer": "here"}, r"expected a cell \(column, floor\) for the officer, got 'here'"),
        ({"carts": [3]}, r"expected a cell \(column, floor\) for the cart, got 3"),
    ],
)
def test_a_scene_that_cannot_be_is_refused_by_name(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Scene(**{**GOOD, **change})


def test_scenes_are_values() -> None:
    one, other = Scene(**GOOD), Scene(**{**GOOD, "carts": {(3, 1)}})
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.width = 7  # type: ignore[misc]


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("F../..H/P..", "the fugitive (1, 3) cannot be reached: no ladder within reach leads to floor 3 (its ladders are at (3, 2)), "
                        "the way ends on floor 1"),
        ("e../..F/P.H", "evidence (1, 3) cannot be reached: no ladder leads to floor 3"),
        ("P.ooF", "the fugitive (5, 1) cannot be reached: on floor 1 only columns 1 to 2 can be reached: "
                  "carts that cannot be jumped bar the rest"),
        ("P.oeF", "evidence (4, 1) cannot be reached: the jump from (2, 1) over the cart at (3, 1) would land on evidence at (4, 1)"),
        ("..F/PoH", "the fugitive (3, 2) cannot be reached: the jump from (1, 1) over the cart at (2, 1) would land on a ladder at (3, 1)"),
        ("PoF.", "the fugitive (3, 1) cannot be reached: "
                 "the jump from (1, 1) over the cart at (2, 1) would land on the fugitive at (3, 1)"),
        ("FPeo.e", "the fugitive (1, 1) cannot be reached from evidence (6, 1), which has to be collected: "
                   "the jump from (5, 1) over the cart at (4, 1) would land on evidence at (3, 1)"),
    ],
)  # fmt: skip
def test_no_plan_has_a_reason_that_a_person_can_use(drawing: str, reason: str) -> None:
    where = scene(drawing)
    for method in ("auto", "circuit", "dfs", "bfs"):
        plan = solve(where, method)
        assert plan.status is cp.Status.INFEASIBLE
        assert plan.reason == reason


def test_two_pieces_of_evidence_that_exclude_each_other_are_named() -> None:
    # To either side leads a jump, and from there a ladder and a jump to the fugitive; evidence forbids all jumps back.
    carts = [(3, 1), (7, 1), (3, 2), (7, 2)]
    evidence = [(1, 1), (9, 1), (4, 1), (6, 1), (2, 2), (8, 2)]
    plan = solve(Scene(9, 2, carts, [(1, 1), (9, 1)], (5, 1), (5, 2), evidence))
    assert plan.status is cp.Status.INFEASIBLE
    assert plan.reason == (
        "evidence (8, 2) cannot be reached from evidence (1, 1), nor the other way round: "
        "whichever is collected first, the other one is lost"
    )
    assert solve(Scene(9, 2, carts, [(1, 1), (9, 1)], (5, 1), (5, 2), set(evidence) - {(9, 1), (8, 2)})).optimal


def test_evidence_is_collected_by_a_ladder_too() -> None:
    scene = Scene(2, 2, [], [(1, 1)], officer=(1, 1), fugitive=(2, 2), evidence=[(1, 2)])
    assert [str(move) for move in solve(scene).moves] == ["climb", "walk right"]


@pytest.mark.parametrize("cart", [(1, 1), (1, 2)])
def test_a_cart_at_either_end_of_a_ladder_is_an_error(cart: Cell) -> None:
    with pytest.raises(ModelError, match="cart"):
        Scene(3, 2, [cart], [(1, 1)], officer=(2, 1), fugitive=(3, 2))

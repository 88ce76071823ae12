"""The model of a board: its solutions are the orders of drops, each replayed; checks by an independent solver."""

from __future__ import annotations

import pytest

from cpsolve import Model
from cpsolve.errors import ModelError, SolverError
from models.four_in_a_line import Position, adjacent, count_orders, decode, encode, reach

SMALL = "4453"


def test_the_solutions_of_the_model_are_the_orders_of_drops() -> None:
    position = Position.from_moves(SMALL)
    plans = [decode(position, solution) for solution in encode(position).solutions()]
    assert len({plan.moves for plan in plans}) == len(plans) == count_orders(position.to_lists())
    assert all(plan.states[-1] == position for plan in plans)


def test_a_rule_of_ones_own_goes_between_encode_and_decode() -> None:
    position = Position.from_moves(SMALL)
    model = encode(position)
    (late,) = [variable for variable in model.variables if variable.name == "turn of a[1, 5]"]
    model.add(late == 0, name="a begins on column 5")
    solution = model.solve().solution
    assert solution is not None
    assert str(decode(position, solution).moves[0]) == "5"


def test_a_solution_of_another_board_is_refused() -> None:
    solution = encode(Position.from_moves("12")).solve().solution
    assert solution is not None
    with pytest.raises(ModelError, match="a model that encode made of this board"):
        decode(Position.from_moves(SMALL), solution)


def test_checks_name_who_agreed() -> None:
    plan = reach(Position.from_moves(SMALL), check=True)
    assert plan.checked == "python-constraint"
    assert "not checked" in reach([[], [[1, 1]]], check=True).check.note
    assert reach(Position.from_moves(SMALL)).check.note == ""


def test_drops_that_two_solvers_see_differently_are_a_solver_error(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Model.solutions
    assert len(list(adjacent([[[1, 4]], []], "b", check=True))) == 7

    def partly(self: Model, backend: str | None = None) -> object:
        found = list(whole(self, backend=backend))
        return found[1:] if backend == "cpsat" else found

    monkeypatch.setattr(Model, "solutions", partly)
    with pytest.raises(SolverError, match="two solvers find different drops"):
        adjacent([[[1, 4]], []], "b", check=True)


@pytest.mark.parametrize("board", [[[], [[1, 1]]], [[[1, 1], [1, 2]], []], [[[1, 1], [2, 1], [1, 2]], []]])
def test_the_model_of_a_board_on_which_nobody_alternated_has_no_solution(board: list[list[list[int]]]) -> None:
    assert encode(board).count() == count_orders(board) == 0

"""The naive searches, against brute force and against the engines that know better."""

from __future__ import annotations

from hypothesis import given, settings

from cpsolve.model import Model
from cpsolve.puzzles.naive import minimax, solutions
from models import center, four_in_a_line
from tests import oracle
from tests.strategies import Source, models


@settings(max_examples=40)
@given(models())
def test_depth_first_search_finds_as_many_solutions_as_there_are(made: tuple[Model, Source]) -> None:
    model, _ = made
    found = solutions(model)
    assert found.finished
    assert found.solutions == len(oracle.solutions(model))


def test_a_model_without_variables_has_one_solution() -> None:
    assert solutions(Model()).solutions == 1


def test_a_search_that_met_its_limit_says_so() -> None:
    model = Model()
    model.bool_vars(20, "b")
    found = solutions(model, max_states=1000)
    assert (found.finished, found.states) == (False, 1000)
    assert not minimax(center.Position(5), max_states=1000).finished
    assert minimax(center.Position(5), time_limit=0).states == 0


def test_minimax_agrees_with_the_solver_of_center() -> None:
    position = center.Position.from_rows(["xo.", "...", ".ox"])
    found, verdict = minimax(position), center.solve(position)
    assert (found.winner, found.plies) == (verdict.winner, verdict.plies)


def test_minimax_agrees_with_the_solver_of_four_in_a_line_and_its_line_is_legal() -> None:
    position = four_in_a_line.Position(rows=3, columns=3, connect=3)
    found, verdict = minimax(position.play(2)), four_in_a_line.solve(position.play(2))
    assert (found.winner, found.plies) == (verdict.winner, verdict.plies)
    end = position.play(2)
    for column in found.line:
        end = end.play(column)
    assert (end.is_over, end.winner) == (True, found.winner)

"""Legality and whole games as constraints, held against the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from cpsolve import NotImpliedError
from cpsolve.puzzles.games import perft
from models.center import Position
from models.center.encode import Game, legal_moves, legality
from tests.center.examples import INTERMEDIATE, arbitrary_position, boards, random_position, seeds

checked = settings(deadline=None, max_examples=25, derandomize=True)


@checked
@given(boards, seeds)
def test_the_constraints_allow_exactly_the_legal_moves_of_games(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = random_position(size, shape, seed % 40, seed)
    for player in "xo":
        assert legal_moves(position, player) == tuple(cell for cell in position.board.cells if position.may_take(player, cell))


@checked
@given(boards, seeds)
def test_the_constraints_allow_exactly_the_legal_moves_of_any_stones(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = arbitrary_position(size, shape, (seed % 10) / 10, seed)
    if not position.is_over:
        assert legal_moves(position) == position.legal_moves()


def test_an_illegal_cell_is_explained_by_the_stones_in_its_lines() -> None:
    legal = legality(Position.from_rows(INTERMEDIATE))
    names = {reason.name for reason in legal.model.explain(legal.take[3, 3] == 0)}
    assert "(3, 3) needs 2 in sight" in names
    assert "o on (3, 1)" in names or "no x on (3, 2)" in names
    assert "x on (1, 1)" not in names  # it stands behind (2, 2)
    with pytest.raises(NotImpliedError):
        legal.model.explain(legal.take[4, 4] == 0)


@pytest.mark.parametrize(("shape", "size", "turns"), [("square", 3, 3), ("hex", 2, 4), ("hex", 3, 3), ("square", 5, 2)])
def test_a_horizon_has_as_many_games_as_the_rules(shape: str, size: int, turns: int) -> None:
    start = Position(size, shape)
    game = Game(start.board, turns, may_hold=lambda player, cell: True)
    found = {game.decode(solution) for solution in game.model.solutions()}
    for moves in found:
        position = start
        for cell in moves:
            position = position.play(cell)
    assert len(found) == perft(start, turns)

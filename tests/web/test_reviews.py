"""Looking back on a game: the move that is blamed is the one that plain minimax blames."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from cpsolve.errors import InfeasibleError
from models.center import interaction as center
from models.center.rules import Position as CenterPosition
from models.four_in_a_line import interaction as four
from models.four_in_a_line.rules import Position as FourPosition
from models.minesweeper import View, infer
from models.minesweeper.interaction import marks


@cache
def value(position: Any) -> int:
    """1 when the player to move wins, -1 when the other does, 0 for a draw; by looking at everything."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.to_move else -1
    best = -1
    for move in position.legal_moves():
        after = position.play(move)
        found = value(after) if after.to_move == position.to_move and not after.is_over else -_for_other(after, position.to_move)
        best = max(best, found)
    return best


def _for_other(after: Any, player: str) -> int:
    """The value for the opponent of a player."""
    if after.is_over:
        return 0 if after.winner is None else -1 if after.winner == player else 1
    return value(after) if after.to_move != player else -value(after)


def blamed(positions: list[Any]) -> int | None:
    for number in range(1, len(positions)):
        before, after = positions[number - 1], positions[number]
        if -_for_other(after, before.to_move) < value(before):
            return number
    return None


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", ["four", "center"])
def test_the_first_move_that_gave_a_game_away_is_found(game: str, seed: int) -> None:
    chance = random.Random(seed)
    start: Any = FourPosition(rows=3, columns=4, connect=3) if game == "four" else CenterPosition(size=3)
    positions, moves = [start], []
    while not positions[-1].is_over:
        move = chance.choice(positions[-1].legal_moves())
        moves.append(str(move) if game == "four" else center.name_of(move))
        positions.append(positions[-1].play(move))
    told = (four.review if game == "four" else center.review)(start, moves)
    assert told.data()["number"] == blamed(positions)


@pytest.mark.parametrize("text", ["11\n--", "1-\n1-\n11", "2--1\n2--1", "11-\n---", "--1\n--1\n111"])
def test_an_unavoidable_guess_is_one_that_no_other_cell_can_decide(text: str) -> None:
    """Of every pair that is named, opening all other cells that are no mine leaves both at 1/2, whatever they show."""
    pairs = 0
    for mines in (None, 1, 2, 3):
        view = View.from_text(text, mines)
        try:
            found = infer(view)
        except InfeasibleError:
            continue
        for one, other in marks(found)[1]:
            pairs += 1
            for field in _fields(view):
                opened = {cell: field.value(cell) for cell in _cells(view) if cell not in field.mines and cell not in (one, other)}
                later = infer(View(view.rows, view.columns, opened, mines))
                assert later.exact(one) == later.exact(other) == found.exact(one)
    assert pairs or text != "11\n--"


def _cells(view: View) -> list[tuple[int, int]]:
    return [(row, column) for row in range(1, view.rows + 1) for column in range(1, view.columns + 1)]


def _fields(view: View) -> list[Any]:
    """Every field that fits."""
    from itertools import combinations

    from models.minesweeper import Field

    covered = view.covered
    found = []
    for number in range(len(covered) + 1):
        for mined in combinations(covered, number):
            field = Field(view.rows, view.columns, set(mined))
            if view.fits(field):
                found.append(field)
    return found

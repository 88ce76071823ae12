"""Forced wins of Center by trying everything: no bound, no table, no zone, only which cells a player may take. Compiled, for speed."""

from __future__ import annotations

from typing import Any

from models.center.engine import PLAYERS, state_of
from models.center.kernels import State, can_move, compiled, inner, lift, may_take, put
from models.center.rules import Position


@inner
def forced(s: State, mover: int, attacker: int, stones: int) -> bool:
    if stones == 0:
        return False
    centre = s.distance.shape[0] // 2
    stuck = True
    for cell in range(s.distance.shape[0]):
        if not may_take(s, cell, mover):
            continue
        stuck = False
        if cell == centre:
            wins = mover == attacker
        else:
            put(s, cell, mover)
            wins = forced(s, 1 - mover, attacker, stones - 1)
            lift(s, cell, mover)
        if wins == (mover == attacker):
            return wins
    if stuck:
        return can_move(s, 1 - mover) and forced(s, 1 - mover, attacker, stones)
    return mover != attacker


@compiled
def _forced(mover: int, attacker: int, stones: int, *state: Any) -> bool:
    return forced(State(*state), mover, attacker, stones)


def wins_by_force(position: Position, attacker: str, stones: int) -> bool:
    """Whether a player can be sure to take the centre within a number of stones."""
    return bool(_forced(PLAYERS[position.to_move], PLAYERS[attacker], stones, *state_of(position, table_bits=1)))

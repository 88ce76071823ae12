"""Random numbers for one purpose tell nothing about another."""

from __future__ import annotations

from models.minesweeper import Field, Game, play


def test_a_field_and_an_agent_with_one_seed_do_not_draw_the_same_cells() -> None:
    games = 100
    hits = sum(not play(Game(Field.random(9, 9, 10, seed=seed)), "exact", seed=seed).moves[0].revealed for seed in range(games))
    assert hits < games / 3  # 10 mines in 81 cells: about 12 are expected

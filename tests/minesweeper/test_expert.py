"""The expert: its endgame is the best play that brute force finds, and its record says what it did and why."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from typing import get_args

import pytest
from hypothesis import given, settings

from cpsolve import ModelError
from models.minesweeper import AGENTS, Field, Game, View, infer, play
from models.minesweeper.endgame import search
from models.minesweeper.rules import FirstClick
from tests.minesweeper.oracle import consistent_views, fitting


def most_won(view: View) -> int:
    """The fields that the best play wins, by the definition: every cell is tried in every position, open cells and all."""
    fields = [{cell: -1 if cell in field.mines else field.value(cell) for cell in view.covered} for field in fitting(view)]

    @cache
    def won(possible: frozenset[int], opened: frozenset[tuple[int, int]]) -> int:
        going = [i for i in possible if any(value >= 0 and cell not in opened for cell, value in fields[i].items())]
        best = 0
        for cell in set(view.covered) - opened:
            parts: dict[int, list[int]] = {}
            for i in going:
                parts.setdefault(fields[i][cell], []).append(i)
            best = max(best, sum(won(frozenset(part), opened | {cell}) for value, part in parts.items() if value >= 0))
        return len(possible) - len(going) + best

    return won(frozenset(range(len(fields))), frozenset())


def with_mines(view: View) -> View:
    return View(view.rows, view.columns, view.open, len(fitting(view)[0].mines)) if view.mines is None else view


@given(consistent_views(most_covered=7))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_endgame_wins_as_many_fields_as_brute_force(view: View) -> None:
    view = with_mines(view)
    if len(view.covered) > (view.mines or 0):
        found = search(view)
        assert found is not None
        assert (found.won, found.fields) == (most_won(view), len(fitting(view)))


@given(consistent_views(most_covered=6))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_endgames_first_move_keeps_the_chance_it_promises(view: View) -> None:
    view = with_mines(view)
    if len(view.covered) > (view.mines or 0):
        found = search(view)
        assert found is not None
        kept = 0
        fields = fitting(view)
        for number in {field.value(found.cell) for field in fields if found.cell not in field.mines}:
            after = View(view.rows, view.columns, {**view.open, found.cell: number}, view.mines)
            kept += most_won(after)
        assert kept == found.won


def test_a_search_gives_up_within_its_budget() -> None:
    view = View.from_text("1---\n----\n----", mines=3)
    assert search(view, max_fields=10) is None
    assert search(view, max_work=10) is None
    found = search(view)
    assert found is not None
    assert found.chance == Fraction(found.won, found.fields)


def test_the_endgame_needs_the_number_of_mines() -> None:
    with pytest.raises(ModelError, match="mines=None"):
        search(View.from_text("1--"))


def test_nothing_left_to_open_is_an_error() -> None:
    with pytest.raises(ModelError, match="nothing is left to open"):
        search(View.from_text("1-", mines=1))


def test_a_guess_is_nearly_as_safe_as_the_safest_cell() -> None:
    game = Game(Field.random(16, 30, 99, seed=2), "opening", seed=2)
    game.open((1, 1))
    answer = infer(game.view)
    while answer.safe:
        for cell in sorted(answer.safe):
            game.open(cell)
        answer = infer(game.view)
    decision = AGENTS["expert"](game.view, random.Random(0))
    assert decision.guess
    assert decision.risk == pytest.approx(answer.risk(decision.open[0]))
    assert 1 - decision.risk >= 0.85 * (1 - answer.risk(answer.best[0])) - 1e-9


def test_a_record_tells_each_moves_kind_risk_and_reason() -> None:
    record = play(Game(Field.random(9, 9, 10, seed=3), "safe", seed=3), "expert")
    assert record.moves[0].risk == 0.0  # the rule makes the first move safe
    for move in record.moves:
        assert move.reason
        assert (move.kind == "guess") == move.guess
        assert move.guess or move.risk == 0.0
    assert str(record).splitlines()[-1] == f"expert {'won' if record.won else 'lost'}"


def test_the_expert_starts_off_the_sides_where_an_opening_is_promised_and_else_in_a_corner() -> None:
    starts = {rule: play(Game(Field.random(9, 9, 10, seed=3), rule, seed=3)).moves[0].cell for rule in get_args(FirstClick)}
    assert starts["any"] == starts["safe"] == (1, 1)
    assert min(starts["opening"]) > 2


def test_a_proven_best_move_is_recorded_with_the_exact_chance_of_winning() -> None:
    record = play(Game(Field(1, 3, {(1, 1)}), "any"), "expert")
    assert not record.won  # it starts in the corner
    record = play(Game(Field(2, 2, {(2, 2)}), "any"), "expert")
    assert record.moves[1].chance == Fraction(1, 3)
    assert record.moves[1].risk == pytest.approx(1 / 3)
    assert "proven best" in record.moves[1].reason


def test_the_expert_wins_more_games_than_least_risk() -> None:
    wins = {
        agent: sum(play(Game(Field.random(8, 8, 12, seed), "safe", seed), agent, seed).won for seed in range(150))
        for agent in ("exact", "expert")
    }
    assert wins["expert"] > wins["exact"]


def test_the_expert_plays_without_knowing_the_number_of_mines() -> None:
    view = View.from_text("001-\n001-\n112-\n----", mines=None)
    decision = AGENTS["expert"](view, random.Random(0))
    assert decision.open


def test_the_endgame_is_the_same_uncompiled() -> None:
    text = "1----\n2----\n-1---"
    script = "import sys; from models.minesweeper import endgame, View; print(endgame.search(View.from_text(sys.stdin.read(), mines=3)))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", script]
    found = subprocess.run(command, input=text, env=environment, capture_output=True, text=True, check=True).stdout
    assert found.strip() == str(search(View.from_text(text, mines=3)))

"""Agents: they play by the view alone and never lose on a move that they call safe."""

from __future__ import annotations

import random

import pytest

from cpsolve import ModelError, SolverError
from models.minesweeper import AGENTS, Decision, Field, Game, View, infer, play
from models.minesweeper.agent import local_risks, original_agent, original_frontier


@pytest.mark.parametrize("agent", sorted(AGENTS))
@pytest.mark.parametrize("seed", range(6))
def test_a_game_ends_won_or_by_a_guess_that_hit_a_mine(agent: str, seed: int) -> None:
    game = Game(Field.random(9, 9, 12, seed), first_click="safe", seed=seed)
    record = play(game, agent, seed)
    assert record.won == (game.status == "won")
    assert record.moves[0].guess
    assert record.guesses >= 1
    if record.won:
        assert record.opened == 81 - 12
    else:
        assert record.moves[-1].guess
        assert not record.moves[-1].revealed
    assert record.flags <= game.reveal().mines


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_the_same_seed_plays_the_same_game(agent: str) -> None:
    field = Field.random(9, 9, 12, 5)
    assert play(Game(field), agent, seed=3) == play(Game(field), agent, seed=3)


def test_least_exact_risk_wins_more_games_than_the_seeds_rule_of_thumb() -> None:
    wins = {
        agent: sum(play(Game(Field.random(9, 9, 13, seed), "opening", seed), agent, seed).won for seed in range(60)) for agent in AGENTS
    }
    assert wins["exact"] > wins["seed"] > 0


def test_the_seeds_worked_example_gives_the_risks_that_its_text_gives() -> None:
    view = View.from_text("001-\n001-\n113-\n----")
    numbers = {cell: around for cell, around in original_frontier(view).items() if cell in [(1, 3), (2, 3)]}
    risks = local_risks(view, numbers)
    assert risks == {(1, 4): 0.5, (2, 4): 0.5, (3, 4): pytest.approx(1 / 3)}


def test_the_seeds_frontier_leaves_out_zeros_and_numbers_whose_neighbours_are_open_or_flagged() -> None:
    view = View.from_text("01F\n01F\n01-\n000")
    assert set(original_frontier(view)) == {(2, 2), (3, 2)}


def test_the_seeds_agent_opens_around_a_number_whose_flags_are_complete() -> None:
    decision = original_agent(View.from_text("1F\n--"), random.Random(0))
    assert decision == Decision(open=((2, 2), (2, 1)))


def test_the_seeds_agent_goes_on_where_no_number_helps() -> None:
    view = View.from_text("1F-\nFF-", mines=None)
    assert original_agent(View.from_text("3F-\nFF-"), random.Random(0)).open[0] in {(1, 3), (2, 3)}
    assert original_agent(view, random.Random(0)).guess


def test_the_exact_agent_opens_every_safe_cell() -> None:
    view = View.from_text("11-\n---", mines=1)
    assert set(AGENTS["exact"](view, random.Random(0)).open) == infer(view).safe


def test_an_agent_of_ones_own_plays_too() -> None:
    def corner_first(view: View, luck: random.Random) -> Decision:
        return Decision((view.covered[0],), guess=True)

    record = play(Game(Field(1, 3, {(1, 3)})), corner_first)
    assert (record.won, record.agent) == (True, "corner_first")


def test_an_agent_that_calls_a_mine_safe_is_found_out() -> None:
    with pytest.raises(SolverError, match="called"):
        play(Game(Field(1, 2, {(1, 1)})), lambda view, luck: Decision((view.covered[0],)))


def test_an_agent_that_does_nothing_is_stopped() -> None:
    with pytest.raises(ModelError, match="opens and flags nothing"):
        play(Game(Field(1, 2, {(1, 1)})), lambda view, luck: Decision(()))
    with pytest.raises(ModelError, match="opens and flags nothing"):
        play(Game(Field(1, 2, {(1, 1)})), lambda view, luck: Decision((), flag=((1, 1),)))


def test_wrong_flags_from_before_mislead_no_agent() -> None:
    for agent in AGENTS:
        game = Game(Field(1, 4, {(1, 4)}))
        for column in (1, 2, 3):
            game.flag((1, column))
        assert play(game, agent, seed=2).flags <= {(1, 4)}


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(ModelError, match="choose one of 'seed', 'exact', 'expert', 'strong'"):
        play(Game(Field(1, 2, {(1, 1)})), "oracle")

"""Hints, scores and the first losing move: against exact scores and brute force, in Python and on the command line."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from cpsolve import catalogue
from cpsolve.app.command import app
from cpsolve.errors import ModelError
from cpsolve.puzzles.games import Review, outcomes, playout
from cpsolve.puzzles.levels import Level
from models import center, four_in_a_line
from models.center.players import LADDERS
from models.four_in_a_line import book, engine
from models.four_in_a_line.players import LADDER

LOST = "44444326213163255"
"""On move 15 the first player takes column 2, and a won game is lost."""


def game_value(position: four_in_a_line.Position) -> int:
    """1, 0 or -1 for the player to move, by alpha-beta on the rules alone."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.to_move else -1
    return max(sign for sign, _ in outcomes(position).values())


@pytest.mark.parametrize("seed", range(6))
def test_the_first_losing_move_is_the_first_that_alpha_beta_calls_so(seed: int) -> None:
    start = four_in_a_line.Position(rows=3, columns=4, connect=3)
    positions = list(playout(start, seed))
    moves = [next(column for column in one.legal_columns if one.play(column) == two) for one, two in pairwise(positions)]
    values = [game_value(position) for position in positions]
    expected = next((number for number in range(1, len(positions)) if -values[number] < values[number - 1]), None)
    mistake = four_in_a_line.first_losing_move(moves, start)
    assert (None if mistake is None else mistake.number) == expected
    if mistake is not None:
        assert set(mistake.better) == set(four_in_a_line.solve(mistake.position).best)


def test_a_game_is_looked_back_on_as_far_as_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "SHAPE", None)  # with the opening book there is always time enough
    found = four_in_a_line.review(LOST, time_limit=0)
    assert found.since > 0
    assert found.mistake is not None
    assert found.since <= found.mistake.number <= 15  # the first from there on
    assert four_in_a_line.review("44", time_limit=0) == Review(None, since=3)


def test_a_hint_keeps_the_score_and_scores_are_those_of_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "SHAPE", None)
    position = four_in_a_line.Position.from_moves(LOST[:14])
    found = four_in_a_line.hint(position)
    assert four_in_a_line.scores(position) == dict(four_in_a_line.solve(position).scores)
    assert found.proven
    assert four_in_a_line.scores(position)[found.move] == 3
    early = four_in_a_line.hint(four_in_a_line.Position.from_moves("1"), time_limit=0)
    assert not early.proven
    assert early.move in range(1, 8)
    with pytest.raises(ModelError, match="the game is over"):
        four_in_a_line.hint(four_in_a_line.Position.from_moves("1212121"))


def test_a_hint_in_center_wins_as_fast_as_can_be() -> None:
    position = center.Position(5)
    found = center.hint(position)
    assert found.proven
    assert center.scores(position)[found.move] == ("x", 7)
    assert not center.hint(center.Position(9), time_limit=0).proven


def test_the_command_line_says_where_a_game_was_lost() -> None:
    small = ["--rows", "4", "--columns", "5"]  # soon proven to the beginning
    result = CliRunner().invoke(app, ["review", "four-in-a-line", "255235451", *small, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["number"], found["move"], found["better"]) == (6, "5", [1, 2, 3, 4])
    told = CliRunner().invoke(app, ["review", "center", "-", "--size", "3"], input="1,1 3,1 3,3\n")
    assert "move 3, x on 3,3, gave it away" in told.stdout
    hinted = CliRunner().invoke(app, ["hint", "four-in-a-line", LOST[:14], "--json"])
    assert json.loads(hinted.stdout)["move"] == "4"
    for args in (["review", "pacman", "1"], ["hint", "chess"], ["review", "four-in-a-line", "9"], ["review", "four-in-a-line"]):
        assert CliRunner().invoke(app, args).exit_code == 2, args


@pytest.mark.parametrize("ladder", [LADDER, *LADDERS.values()])
def test_from_level_to_level_one_looks_no_less_far_or_plays_by_chance_less_often(ladder: dict[int, Level]) -> None:
    levels = [ladder[number] for number in range(2, 10)]
    for lower, higher in pairwise(levels):
        assert higher.misses <= lower.misses
        assert higher.overlooks <= lower.overlooks
        less_by_chance = (higher.misses, higher.overlooks, higher.slips) < (lower.misses, lower.overlooks, lower.slips)
        assert less_by_chance or (higher.plies, higher.perfect) > (lower.plies, lower.perfect)
        assert (higher.plies, higher.perfect) >= (lower.plies, lower.perfect)


@pytest.mark.parametrize("name", ["four-in-a-line", "center"])
def test_ten_levels_are_offered_wherever_a_level_is_chosen(name: str) -> None:
    game = catalogue.game(name)
    assert sorted(game.interaction.levels) == list(range(1, 11))
    assert game.play is not None
    level = next(option for option in game.play.options if option.name == "level")
    assert level.choices is not None
    assert list(level.choices()) == list(range(1, 11))


def test_looking_ahead_to_the_end_finds_who_wins_and_when() -> None:
    chance = random.Random(3)
    for shape in ((4, 4, 4), (3, 5, 3), (4, 5, 4)):
        for _ in range(6):
            position = four_in_a_line.Position(*shape)
            while not position.is_over and position.size - position.ply > 9:
                position = position.play(chance.choice(position.legal_columns))
            if position.is_over:
                continue
            exact = {column: plies for column, (sign, plies) in outcomes(position).items() if sign}
            signs = {column: sign for column, (sign, _) in outcomes(position).items()}
            for column, value in engine.look_ahead(position, position.size).items():
                if signs[column]:
                    assert value == signs[column] * (10_000 - position.ply - exact[column]), (position, column)
                else:
                    assert value == 0

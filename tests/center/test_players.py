"""Computer players and people."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from cpsolve.errors import ModelError
from cpsolve.puzzles.games import alpha_beta
from models.center import SWAP, Position, choose_move, computer, outcomes, person, play_match, players
from models.center.engine import PLAYERS, state_of
from tests.center.examples import FINAL, arbitrary_position, random_position, seeds, small_boards


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the effort for a move, for tests that play whole games on larger boards."""
    for name in ("PROOF_EFFORT", "LOOK_EFFORT", "DOUBT_EFFORT"):
        monkeypatch.setattr(players, name, getattr(players, name) // 5)


@pytest.mark.parametrize("level", [1, 2, 6, 8, 10])
def test_a_seed_repeats_a_game_and_another_changes_it(level: int) -> None:
    games = [play_match(Position(size=5), computer(level, seed), computer(1, seed)).moves for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len(set(games)) > 1


AT_HAND = {
    5: Position.from_rows(["x.x..", ".....", ".....", ".....", "o.o.o"], to_move="x"),
    7: Position.from_rows(["x..x..x", ".......", ".......", ".......", ".......", ".......", "oo.oo.o"], to_move="x"),
}
"""The centre can be taken."""
THREATENED = {
    5: Position.from_rows(["x.x..", ".....", ".....", ".....", ".oo.."], to_move="o"),
    7: Position.from_rows(["x..x..x", "o......", ".......", ".......", ".......", ".......", "o.....o"], to_move="o"),
}
"""The other can take the centre, and can be stopped."""


def taken(size: int, level: int) -> int:
    """How often out of 40 times a player of a level takes the centre when it can."""
    position = AT_HAND[size]
    return sum(choose_move(position, level, seed) == position.centre for seed in range(40))


def stopped(size: int, level: int) -> int:
    """How often out of 40 times a player of a level stops the threat to take the centre."""
    position = THREATENED[size]
    assert position.value("x") == 0
    return sum(position.play(choose_move(position, level, seed)).value("x") > 0 for seed in range(40))


def test_from_level_2_on_nobody_misses_a_win_unless_the_board_is_as_small_as_5x5() -> None:
    for shape, size in players.LADDERS:
        missing = [number for number, level in players.LADDERS[shape, size].items() if level.misses]
        assert missing == ([2, 3, 4] if (shape, size) == ("square", 5) else [])
    assert [taken(7, level) for level in range(2, 11)] == [40] * 9
    assert [taken(5, level) for level in range(5, 11)] == [40] * 6


def test_levels_1_to_4_miss_fewer_and_fewer_wins_on_5x5() -> None:
    seen = [taken(5, level) for level in (1, 2, 3, 4, 5)]
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("size", THREATENED)
def test_threats_are_overlooked_less_and_less_until_a_level_sees_them_all(size: int) -> None:
    overlooks = {level: chances.overlooks for level, chances in players.LADDERS["square", size].items()}
    assert all(stopped(size, level) == 40 for level in range(2, 11) if not overlooks.get(level))
    seen = [stopped(size, level) for level in overlooks if 0 < overlooks[level] < 1]
    assert len(seen) == 3
    assert seen == sorted(set(seen))
    assert seen[0] < 20


def test_the_strongest_wins_5x5_in_seven_plies_against_anybody() -> None:
    for seed in range(4):
        match = play_match(Position(size=5), computer(10, seed), computer((1, 4, 7, 10)[seed], seed))
        assert match.winner == "x"
        assert len(match.moves) <= 7


def test_the_strongest_never_gives_a_decided_position_away() -> None:
    for seed in range(6):
        position = random_position(5, "square", 6, seed)
        values = outcomes(position)
        best = {winner for winner, _ in values.values()}
        move = choose_move(position, 10, seed)
        if position.to_move in best:
            assert values[move][0] == position.to_move


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("size", "shape"), [(7, "square"), (9, "square"), (4, "hex")])
def test_stronger_levels_beat_weaker_ones(size: int, shape: str) -> None:
    start = Position(size, shape)
    for seed in range(2):
        assert play_match(start, computer(4, seed), computer(1, seed)).winner == "x"
        assert play_match(start, computer(1, seed), computer(10, seed)).winner == "o"


@pytest.mark.usefixtures("hurried")
def test_the_strongest_beats_level_4_when_each_begins_once_from_the_same_stones() -> None:
    won = 0
    for seed in range(3):
        start = random_position(9, "square", 2, seed)
        won += play_match(start, computer(10, seed), computer(4, seed)).winner == "x"
        won += play_match(start, computer(4, seed), computer(10, seed)).winner == "o"
    assert won > 3


def test_all_levels_play_any_board() -> None:
    for start in (Position(size=1), Position(size=3), Position(size=13), Position(shape="hex", size=1), Position(shape="hex", size=6)):
        for level in range(1, 11):
            assert choose_move(start, level, seed=5) in start.legal_moves()


def test_the_strongest_knows_the_swap_rule() -> None:
    opening = choose_move(Position(size=7, swap=True), 10, seed=1)
    assert opening in {(1, 1), (7, 1), (1, 7), (7, 7)}
    assert choose_move(Position(size=5, swap=True).play((3, 1)), 10, seed=1) == SWAP
    match = play_match(Position(size=5, swap=True), computer(10, 1), computer(10, 2))
    assert match.winner == "o"


def test_a_person_is_asked_again_and_told_why() -> None:
    answers = iter(["centre", "2 2", "9 9", "1,1", "(3, 1)", "2 2"])
    told: list[str] = []
    player = person(lambda question: next(answers), told.append)
    match = play_match(Position(size=3), player, computer(1, seed=2))
    assert match.moves[0] == (1, 1)
    assert any("expected two numbers such as 3 1" in line for line in told)
    assert any("needs 1 friend in sight and sees 0" in line for line in told)
    assert any("there is no cell (9, 9)" in line for line in told)


def test_there_is_no_move_to_choose_when_the_game_is_over() -> None:
    with pytest.raises(ModelError, match="the game is over"):
        choose_move(Position.from_rows(FINAL))
    with pytest.raises(ModelError, match="the levels are 1 to 10 and 'original', not 11"):
        choose_move(Position(), level=11)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(small_boards, seeds)
def test_the_compiled_look_ahead_is_the_toolkits_alpha_beta_where_it_sees_the_end(board: tuple[str, int], seed: int) -> None:
    from models.center.kernels import FIELDS, WIN

    shape, size = board
    position = arbitrary_position(size, shape, 0.6 + (seed % 4) / 10, seed)
    assume(0 < position.stones.count(" ") <= 7 and not position.is_over)
    outlook = alpha_beta(position)
    for hasty in (False, True):
        table = np.zeros((1 << 10, FIELDS), np.int64)
        value = state_of(position, table_bits=1).look_ahead(table, PLAYERS[position.to_move], 99, -WIN, WIN, 0, hasty)
        assert (value > 0) - (value < 0) == (outlook.value > 0) - (outlook.value < 0)
        if value:
            assert WIN - abs(value) == outlook.plies


def test_a_move_of_many_digits_is_none() -> None:
    assert players.read_move(f"1, {'9' * 5000}") is None

"""The fit of the score's weights, on made-up data of which the weights are known, and where its data come from."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.minesweeper_campaigns import choices
from benchmarks.minesweeper_fit import FEATURES, GAME, LUCK, POSITION, SCORE, WORTH, Floats, collect, fit, gain, positions, together, within
from models.minesweeper.campaign import LEVELS, Task, campaign
from models.minesweeper.expert import EXPERT, WEIGHTS, Expert

TRUE = np.array([-0.1, 0.3, 0.2, 0.0])
LUCK_WORTH = 0.5


def made_up(games: int, seed: int, noise: float = 0.1, used: Floats | None = None) -> Floats:
    """Games of three positions of four cells, the worth of which follows from TRUE, the position, the game, luck and noise."""
    luck = np.random.default_rng(seed)
    count = 12 * games
    rows = np.zeros((count, FEATURES + len(TRUE)))
    rows[:, GAME], rows[:, POSITION] = np.arange(count) // 12, np.arange(count) // 4
    # what a position is worth is far more than what a cell is, and goes with its features
    level = luck.normal(0, 1, 3 * games)[rows[:, POSITION].astype(int)]
    rows[:, FEATURES:] = luck.normal(0, 1, (count, len(TRUE))) + level[:, None]
    slant = luck.normal(0, noise, (games, len(TRUE)))[rows[:, GAME].astype(int)]  # a game's field favours some features
    rows[:, LUCK] = luck.normal(0, 0.4, count)
    cell_worth = (rows[:, FEATURES:] * (TRUE + slant)).sum(axis=1)
    rows[:, WORTH] = 5 * level + cell_worth + LUCK_WORTH * rows[:, LUCK] + luck.normal(0, noise, count)
    rows[:, SCORE] = rows[:, FEATURES:] @ (TRUE if used is None else used)
    return rows


def test_the_weights_of_made_up_data_are_found_again() -> None:
    found = fit(made_up(4000, seed=1))
    assert found.weights == pytest.approx(TRUE, abs=0.01)
    assert found.luck_worth == pytest.approx(LUCK_WORTH, abs=0.01)


def test_the_errors_are_those_of_many_fits() -> None:
    fits = [fit(made_up(60, seed)) for seed in range(2, 202)]
    spread = np.std([found.weights for found in fits], axis=0)
    assert np.mean([found.errors for found in fits], axis=0) == pytest.approx(spread, rel=0.2)


def test_a_fit_is_drawn_towards_known_weights() -> None:
    rows, known = made_up(100, seed=3), TRUE + 1.0
    free, drawn, held = (fit(rows, known, strength).weights for strength in (0.0, len(rows), 1e9))
    assert free == pytest.approx(TRUE, abs=0.05)
    assert held == pytest.approx(known, abs=1e-3)
    assert drawn == pytest.approx(TRUE + 0.5, abs=0.1)


def test_the_gain_of_a_fit_is_that_of_the_cells_it_would_open() -> None:
    poor = np.array([0.0, 0.0, 0.0, 1.0])
    rows = made_up(2000, seed=4, used=poor)
    more, error, changed = gain(rows, 2000)
    worth = rows[:, FEATURES:] @ TRUE
    best, used = (worth.reshape(-1, 4)[np.arange(6000), scores.reshape(-1, 4).argmax(axis=1)] for scores in (worth, rows[:, SCORE]))
    assert abs(more - (best - used).sum() / 2000) < 4 * error
    assert error < more / 20
    assert changed == pytest.approx(0.75, abs=0.05)
    assert abs(gain(made_up(2000, seed=5), 2000)[0]) < 0.01  # the weights in use are the true ones


def test_collections_are_joined_without_mixing_positions() -> None:
    parts = [made_up(5, seed) for seed in (6, 7)]
    rows = together(parts)
    assert len(np.unique(rows[:, GAME])) == 10
    assert within(rows, rows[:, WORTH:]) == pytest.approx(np.concatenate([within(part, part[:, WORTH:]) for part in parts]))


# -- what is collected


def test_the_guesses_are_those_of_the_games_that_the_expert_plays() -> None:
    size, seed = LEVELS["expert"], 11
    task = Task(size.rows, size.columns, size.mines, "expert", "opening", seed)
    for number in range(6):
        field = task.field(number, (4, 4))
        for numbers, guess in positions(size, "opening", number, seed):
            assert (numbers == field.numbers).all()
            seen = guess.grid >= 0
            assert (guess.grid[seen] == numbers[seen]).all()
            if guess.prospects:
                best = max(guess.prospects, key=lambda prospect: prospect.score)
                assert next(other.score for other in guess.prospects if other.cell == guess.cell) == pytest.approx(best.score)
                assert best.features @ list(WEIGHTS.values()) == pytest.approx(best.score)


def test_a_cell_is_worth_what_the_game_comes_to_from_there() -> None:
    size = LEVELS["expert"]
    rows = collect(size, "opening", 8, seed=12)
    task = Task(size.rows, size.columns, size.mines, "expert", "opening", 12)
    outcomes = list(task.play_all(range(8)))
    assert len(rows) > 20
    for number in np.unique(rows[:, GAME]):
        own = rows[rows[:, GAME] == number]
        assert own[0, SCORE] == own[own[:, POSITION] == own[0, POSITION], SCORE].max()
        assert own[0, WORTH] == outcomes[int(number)].expected  # the best score is what the expert opens
    late = collect(size, "opening", 8, seed=12, latest=0.4)
    assert 0 < len(late) < len(rows)


def test_no_guess_follows_a_mine_a_game_that_is_won_or_one_whose_end_is_proven() -> None:
    field = np.array([[0, 0, 1, -1]], np.int8)
    assert EXPERT.next_guess(field, 1, (1, 4)) is None
    assert EXPERT.next_guess(field, 1, (1, 1)) is None
    assert EXPERT.next_guess(np.array([[1, -1], [1, 1]], np.int8), 1, (1, 1)) is None


def test_what_choices_are_worth_is_the_difference_of_the_games() -> None:
    least = Expert("least risk")
    assert choices("beginner-8x8-safe", 20, 13, EXPERT, EXPERT) == (0.0, 0.0, 0.0)
    more, error, differ = choices("beginner-8x8-safe", 2000, 13, least, EXPERT, fields=1, luck_worth=0.8)
    played = [campaign(8, 8, 10, 2500, player, "safe", 13, workers=1, progress=False).without_luck for player in (least, EXPERT)]
    apart = played[1] - played[0]
    assert differ > 0.3
    assert abs(more - apart.mean()) < 3 * (error**2 + apart.var() / len(apart)) ** 0.5
    assert more > 2 * error

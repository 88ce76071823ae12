"""Fits the weights of the expert's score: ``python -m benchmarks.minesweeper_fit --games 5000 --seed 7102``.

Whole games are a bad teacher: what a position is worth varies far more than what the choice of a cell is. So wherever the expert guesses
by its score, the best few cells are all opened on the same field, the game is played on by the expert itself, and least squares fits what
they were worth to their features *within each position*: a position's own worth cancels out. The field is the one that is being played:
given what is seen, it is as good a draw as any. The luck of the guesses (``campaign.fortune``) is one more feature: on average it
is 0 whichever cell was opened, so its weight biases nothing, and it takes two thirds of the noise away.

A run keeps its rows in a file of the folder of ``--data``, named by level, first click and seed; the fit is over all files there of the
same level. Its answer is judged by cross-validation: what the games left out would have won more had the score been fitted to
the others. That, and not a closer fit, is what new weights have to show.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cpsolve.progress import Progress
from models.minesweeper import LEVELS, View
from models.minesweeper.campaign import NORMAL, Level, Task
from models.minesweeper.expert import EXPERT, WEIGHTS, Guess, Prospect
from models.minesweeper.rules import FirstClick

Floats = NDArray[np.float64]

DATA = Path("minesweeper_fit")
COMPARED = 5
FOLDS = 5
GAME, POSITION, LEFT, WORTH, LUCK, SCORE, FEATURES = range(7)
"""The columns of the data: the number of the game and of the position, the share of the free cells still covered, what a cell was worth,
the luck of the game from there, its score with the weights in use, and from then on its features. Positions list their best score first."""


# -- games


def positions(level: Level, first_click: FirstClick, number: int, seed: int) -> Iterator[tuple[NDArray[np.int8], Guess]]:
    """The numbers of the field of one of the expert's games, with each guess that its score decides."""
    start = EXPERT.start(View(level.rows, level.columns, {}, level.mines), first_click).open[0]
    numbers = Task(level.rows, level.columns, level.mines, "expert", first_click, seed).field(number, start).numbers
    guess = EXPERT.next_guess(numbers, level.mines, start)
    while guess is not None:
        yield numbers, guess
        guess = EXPERT.next_guess(numbers, level.mines, guess.cell, guess.grid)


def distinct(prospects: list[Prospect]) -> list[Prospect]:
    """The best few cells by their score, one of each that have the same features."""
    chosen: list[Prospect] = []
    for prospect in sorted(prospects, key=lambda prospect: -prospect.score):
        if all(np.abs(prospect.features - other.features).max() > 1e-6 for other in chosen):
            chosen.append(prospect)
    return chosen[:COMPARED]


def collect(level: Level, first_click: FirstClick, games: int, seed: int, latest: float = 1.0, shown: bool = False) -> Floats:
    """The rows of all positions of some games in which at most the share ``latest`` of the free cells is covered.

    >>> rows = collect(Level(16, 16, 40), "opening", 4, seed=1)
    >>> rows.shape[1] == FEATURES + len(WEIGHTS), bool(np.isin(rows[:, WORTH], (0, 1)).all())
    (True, False)
    """
    rows: list[Floats] = []
    position = 0
    with Progress("games", shown) as progress:
        for number in range(games):
            for numbers, guess in positions(level, first_click, number, seed):
                left = (int((guess.grid < 0).sum()) - level.mines) / (numbers.size - level.mines)
                chosen = distinct(guess.prospects) if left <= latest else []
                if len(chosen) < 2:
                    continue
                risks = [1.0 - float(prospect.features[0]) for prospect in chosen]
                cells, fields = [prospect.cell for prospect in chosen], [numbers] * len(chosen)
                results = EXPERT.play_all(fields, level.mines, cells, risks, guess.grid)
                for prospect, result in zip(chosen, results, strict=True):
                    if result is not None:
                        known = number, position, left, result.expected, result.luck, prospect.score
                        rows.append(np.array([*known, *prospect.features]))
                position += 1
            progress.update(f"{number + 1:,} of {games:,}, {position:,} positions")
    return np.array(rows).reshape(len(rows), FEATURES + len(WEIGHTS))


def together(parts: list[Floats]) -> Floats:
    """Several collections as one: their games and positions get numbers of their own."""
    moved, games, count = [], 0, 0
    for part in parts:
        own = part.copy()
        own[:, GAME] += games
        own[:, POSITION] += count
        games, count = int(own[:, GAME].max(initial=games)) + 1, int(own[:, POSITION].max(initial=count)) + 1
        moved.append(own)
    return np.concatenate(moved)


# -- least squares


class Fit(NamedTuple):
    """Weights of the features with their standard errors, and what a unit of luck is worth."""

    weights: Floats
    errors: Floats
    luck_worth: float


def _numbered(column: Floats) -> NDArray[np.intp]:
    """The entries of a column as numbers from 0 without gaps."""
    return np.unique(column, return_inverse=True)[1].reshape(-1)


def within(rows: Floats, columns: Floats) -> Floats:
    """Columns less their mean over the cells of the same position.

    >>> within(np.array([[0.0, 5.0], [0.0, 5.0], [0.0, 6.0]]), np.array([[1.0], [3.0], [9.0]])).tolist()
    [[-1.0], [1.0], [0.0]]
    """
    place = _numbered(rows[:, POSITION])
    count = np.bincount(place)
    means = np.stack([np.bincount(place, column) / count for column in columns.T], axis=1)
    apart: Floats = columns - means[place]
    return apart


def fit(rows: Floats, known: Floats | None = None, strength: float = 0.0) -> Fit:
    """The weights that fit best what cells were worth within their positions.

    With ``known`` weights the answer is drawn towards them, as if they had been fitted to ``strength`` rows. The errors take
    into account that the positions of a game share its field.
    """
    parts = within(rows, rows[:, WORTH:])
    worth, luck, features = parts[:, 0], parts[:, LUCK - WORTH], parts[:, FEATURES - WORTH :]
    x = np.column_stack([features, luck])
    spread = x.std(axis=0) + 1e-12
    scaled = x / spread
    towards = np.append(np.zeros(features.shape[1]) if known is None else known, 0.0)
    pull = np.append(np.full(features.shape[1], 1e-6 + strength), 0.0)
    inverse = np.linalg.inv(scaled.T @ scaled + np.diag(pull))
    weights = towards + inverse @ scaled.T @ (worth - x @ towards) / spread
    missed = scaled * (worth - x @ weights)[:, None]
    game = _numbered(rows[:, GAME])
    by_game = np.stack([np.bincount(game, column) for column in missed.T], axis=1)
    errors = np.sqrt(np.diag(inverse @ by_game.T @ by_game @ inverse)) / spread
    return Fit(weights[:-1], errors[:-1], float(weights[-1]))


def gain(rows: Floats, games: int, known: Floats | None = None, strength: float = 0.0) -> tuple[float, float, float]:
    """What a fit to the other games wins more of a game than the weights in use, its standard error, and the share of choices changed.

    Games are left out a fifth at a time. Where the fit would open another cell, their difference on the field counts, without luck.
    """
    scores = np.zeros(len(rows))
    for fold in range(FOLDS):
        out = rows[:, GAME] % FOLDS == fold
        scores[out] = rows[out, FEATURES:] @ fit(rows[~out], known, strength).weights
    worth = rows[:, WORTH] - fit(rows).luck_worth * rows[:, LUCK]
    used, first = _firsts(rows, rows[:, SCORE]), _firsts(rows, scores)
    by_game = np.bincount(_numbered(rows[used, GAME]), worth[first] - worth[used])
    return float(by_game.sum() / games), float(np.sqrt((by_game**2).sum()) / games), float((used != first).mean())


def _firsts(rows: Floats, scores: Floats) -> NDArray[np.intp]:
    """The row of the best score of each position; of equal ones that listed first."""
    order = np.lexsort((np.arange(len(rows)), -scores, rows[:, POSITION]))
    firsts: NDArray[np.intp] = order[np.append(True, np.diff(rows[order, POSITION]) != 0)]
    return firsts


def main() -> None:
    """Plays, keeps what came out, and prints the fit beside the weights in use."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="games to play and keep; 0: only fit what is kept")
    parser.add_argument("--seed", type=int, default=7007)
    parser.add_argument("--level", choices=list(LEVELS), default="expert")
    parser.add_argument("--first-click", choices=["safe", "opening"], default="opening")
    parser.add_argument("--latest", type=float, default=1.0, help="compare cells from when this share of the free cells is covered")
    parser.add_argument("--strength", type=float, default=0.0, help="draw the fit towards the weights in use, as by this number of rows")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER")
    options = parser.parse_args()
    options.data.mkdir(exist_ok=True)
    if options.games:
        begun = time.process_time()
        rows = collect(LEVELS[options.level], options.first_click, options.games, options.seed, options.latest, shown=True)
        name = f"{options.level}_{options.first_click}_{options.seed}"
        np.savez_compressed(options.data / f"{name}.npz", rows=rows, games=options.games)
        count, taken = len(np.unique(rows[:, POSITION])), time.process_time() - begun
        print(f"{name}: {options.games:,} games, {count:,} positions, {len(rows):,} cells, {taken:.0f} s of CPU")
    kept = [np.load(path) for path in sorted(options.data.glob(f"{options.level}_*.npz"))]
    rows, games = together([part["rows"] for part in kept]), sum(int(part["games"]) for part in kept)
    used = np.array(list(WEIGHTS.values()))
    found = fit(rows, used, options.strength)
    print(f"{games:,} games, {len(rows):,} cells; a unit of luck is worth {found.luck_worth:.3f}")
    for name, old, weight, error in zip(WEIGHTS, used, found.weights, found.errors, strict=True):
        print(f"{name:12} {weight:+.4f} ± {NORMAL * error:.4f}   in use {old:+.4f}")
    more, error, changed = gain(rows, games, used, options.strength)
    print(f"games left out: {changed:.1%} of the choices change, {100 * more:+.3f} ± {100 * NORMAL * error:.3f} points")


if __name__ == "__main__":
    main()

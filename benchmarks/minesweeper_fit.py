"""Fits the weights of the expert's score: ``python -m benchmarks.minesweeper_fit --games 2000 --seed 7007``.

Whole games are a bad teacher: what a position is worth varies far more than what the choice of a cell is. So wherever the expert guesses,
the best few cells are all opened on the same field, the game is played on by the expert itself, and least squares fits the
*differences* of what they were worth (without the luck of their guesses) to the differences of their features. The field is the one that
is being played: given what is seen, it is as good a draw as any. One line of JSON per position goes to the file of ``--data``, which
a later run with other seeds can add to; the fit is over all of it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.progress import Progress
from models.minesweeper import LEVELS, Field, Game, View
from models.minesweeper.campaign import Level, Task
from models.minesweeper.expert import EXPERT, WEIGHTS, Prospect, look_at, prospects
from models.minesweeper.rules import FirstClick

DATA = Path("minesweeper_fit.jsonl")
COMPARED = 5
LUCK_WORTH = 0.51
"""How much of a unit of luck comes back as games won, about: it takes noise out."""
RIDGE = 1e-4


def positions(level: Level, first_click: FirstClick, number: int, seed: int) -> Iterator[tuple[Field, View]]:
    """The guesses of one of the expert's games, before each is made, without those that are proven best."""
    start = EXPERT.start(View(level.rows, level.columns, {}, level.mines), first_click).open[0]
    field = Task(level.rows, level.columns, level.mines, "expert", first_click, seed).field(number, start)
    game = Game(field)
    game.open(start)
    while game.status == "playing":
        found = look_at(game.view)
        if not found.safe and found.end is None:
            yield field, game.view
        for cell in sorted(found.safe) or ([found.choice.cell] if found.choice else []):
            if game.status == "playing":
                game.open(cell)


def compared(field: Field, view: View) -> dict[str, Any] | None:
    """The features of the best few cells of a position and what each was worth on the field; None when there is one only."""
    chosen: list[Prospect] = []
    for look in sorted(prospects(view), key=lambda look: -look.score):
        if look.score > -50 and all(np.abs(look.features - other.features).max() > 1e-6 for other in chosen):
            chosen.append(look)
    chosen = chosen[:COMPARED]
    if len(chosen) < 2:
        return None
    risks = [1.0 - float(look.features[0]) for look in chosen]
    cells, fields = [look.cell for look in chosen], [field.numbers] * len(chosen)
    results = EXPERT.play_all(fields, len(field.mines), cells, risks, view=view.grid)
    worth = [result.expected - LUCK_WORTH * result.luck for result in results if result is not None]
    if len(worth) < len(chosen):
        return None
    left = len(view.covered) - len(field.mines)
    return {"left": left, "features": [look.features.tolist() for look in chosen], "worth": worth}


def fit(lines: list[dict[str, Any]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of the features, and their standard errors, from the differences to each position's first cell."""
    steps, gains = [], []
    for line in lines:
        features, worth = np.array(line["features"]), np.array(line["worth"])
        steps.append(features[1:] - features[0])
        gains.append(worth[1:] - worth[0])
    x, y = np.concatenate(steps), np.concatenate(gains)
    spread = x.std(axis=0) + 1e-12
    scaled = x / spread
    inverse = np.linalg.inv(scaled.T @ scaled + RIDGE * len(x) * np.eye(x.shape[1]))
    weights = inverse @ scaled.T @ y
    errors = [(scaled[at : at + len(step)] * (y - scaled @ weights)[at : at + len(step), None]).sum(axis=0)
              for at, step in zip(np.cumsum([0, *map(len, steps[:-1])]), steps, strict=True)]  # fmt: skip
    variance = inverse @ np.array(errors).T @ np.array(errors) @ inverse
    return weights / spread, np.sqrt(np.diag(variance)) / spread


def main() -> None:
    """Plays, keeps what came out, and prints the fit beside the weights in use."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7007)
    parser.add_argument("--level", choices=list(LEVELS), default="expert")
    parser.add_argument("--first-click", choices=["safe", "opening"], default="opening")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    begun = time.process_time()
    with options.data.open("a", encoding="utf-8") as file, Progress("positions") as progress:
        for number in range(options.games):
            for field, view in positions(LEVELS[options.level], options.first_click, number, options.seed):
                line = compared(field, view)
                if line is not None:
                    file.write(json.dumps(line) + "\n")
            progress.update(f"{number + 1:,} of {options.games:,} games")
    lines = [json.loads(line) for line in options.data.read_text(encoding="utf-8").splitlines()]
    weights, errors = fit(lines)
    print(f"{len(lines):,} positions, {time.process_time() - begun:.0f} s of CPU")
    for (name, used), weight, error in zip(WEIGHTS.items(), weights, errors, strict=True):
        print(f"{name:12} {weight:+.4f} ± {1.96 * error:.4f}   in use {used:+.4f}")


if __name__ == "__main__":
    main()

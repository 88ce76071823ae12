"""The strongest player: exact risk weighed by what a cell will reveal, and the endgame searched to its end.

When nothing is safe, the cells nearly as safe as the safest are compared by *two-step safety*: for every number that a cell can
show, exact inference on the view with that number added tells how safe the next move then is. Once few fields fit, the rest of
the game is searched (:mod:`models.minesweeper.endgame`) and the move is proven best. The ideas are those of D. Hill's
MineSweeperSolver and of Tu et al., "Exploring Efficient Strategies for Minesweeper" (2017); each is kept because it won games.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.minesweeper.agent import Decision
from models.minesweeper.formats import Cell
from models.minesweeper.inference import Inference, infer
from models.minesweeper.rules import View, neighbours

NEAR = float(os.environ.get("X_NEAR", 0.9))
"""Cells are compared when they are at least this times as safe as the safest."""
PROGRESS = float(os.environ.get("X_PROGRESS", 0.1))
"""How much a safe next move counts beside the safety of the next move."""
MOST_FREE = int(os.environ.get("X_FREE", 6))
MAX_NODES = 100_000


@dataclass(frozen=True)
class Prospect:
    """What opening a cell promises: its own safety, the expected safety of the move after it, the chance of a safe one."""

    cell: Cell
    safety: float
    following: float
    progress: float
    score: float


def candidates(view: View, answer: Inference) -> list[tuple[float, Cell]]:
    """The cells worth a look, safest first, with their safety. Of the cells that no number touches, only the most promising."""
    covered = view.grid < 0
    risk = answer.probability
    limit = 1.0 - NEAR * (1.0 - float(risk[covered].min()))
    chosen = covered & (risk <= limit)
    rows, columns = np.nonzero(chosen)
    touched: list[tuple[float, Cell]] = []
    free: list[tuple[float, float, Cell]] = []
    groups = answer._groups
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        cell = (row + 1, column + 1)
        safety = 1.0 - float(risk[row, column])
        if groups[row, column] >= 0:
            touched.append((safety, cell))
        else:
            zero = 1.0
            for near in neighbours(cell, view.rows, view.columns):
                zero *= 1.0 - risk[near[0] - 1, near[1] - 1]
            free.append((safety, zero, cell))
    free.sort(key=lambda entry: (-entry[1], entry[2]))
    found = touched + [(safety, cell) for safety, _, cell in free[:MOST_FREE]]
    found.sort(key=lambda entry: -entry[0])
    return found


def _chances(view: View, risk: NDArray[np.float64], cell: Cell) -> list[tuple[float, int]]:
    """The numbers that a cell may show, with a rough chance of each, likely ones first."""
    chances = [1.0]
    for near in neighbours(cell, view.rows, view.columns):
        p = float(risk[near[0] - 1, near[1] - 1])
        if view.grid[near[0] - 1, near[1] - 1] < 0 and p > 0.0:
            chances = [a * (1.0 - p) + b * p for a, b in zip([*chances, 0.0], [0.0, *chances], strict=True)]
    return sorted(((chance, number) for number, chance in enumerate(chances) if chance > 0.0), reverse=True)


def prospects(view: View, answer: Inference) -> Iterator[Prospect]:
    """Prospects of the candidates that may be best, each better than those before it."""
    from models.minesweeper import kernels
    from models.minesweeper.endgame import log_count, log_weight

    mines = -1 if view.mines is None else view.mines
    everything = log_weight(answer)
    grid = view.grid.copy()
    covered = grid < 0
    best = 0.0
    for safety, cell in candidates(view, answer):
        if safety <= best:
            break
        place = (cell[0] - 1, cell[1] - 1)
        covered[place] = False
        left, following, progress = safety, 0.0, 0.0
        for _, number in _chances(view, answer.probability, cell):
            grid[place] = number
            found = kernels.solve(grid, mines, MAX_NODES, 24_000_000)
            if found.status == kernels.INCONSISTENT:
                continue
            share = math.exp(log_count(found.diagram, found.left, found.untouched) - everything)
            least = float(found.probability[covered].min(initial=1.0))
            if least == 1.0:  # only mines are left: won
                least = 0.0
            following += share * (1.0 - least)
            progress += share * (least == 0.0)
            left -= share
            if left < 1e-12 or (1.0 - PROGRESS) * following + PROGRESS * progress + left <= best:
                break
        grid[place] = -1
        covered[place] = True
        score = (1.0 - PROGRESS) * following + PROGRESS * progress + max(0.0, left if left > 1e-9 else 0.0)
        if left <= 1e-9 and score > best:
            best = score
            yield Prospect(cell, safety, following / safety, progress / safety, score)


MODE = os.environ.get("X_MODE", "2e")
ENDGAME = int(os.environ.get("X_END", 1000))
START = eval(os.environ.get("X_START", "(1, 1)"))


def expert_agent(view: View, luck: random.Random) -> Decision:
    if not view.open:
        return Decision((START,), guess=True)
    answer = infer(view)
    flags = tuple(sorted(answer.mines - view.flags))
    if answer.safe:
        return Decision(tuple(sorted(answer.safe)), flags)
    if "e" in MODE:
        from models.minesweeper.endgame import search_inferred

        end = search_inferred(answer, ENDGAME)
        if end is not None:
            return Decision((end.cell,), flags, guess=True)
    if "2" in MODE:
        found = list(prospects(view, answer))
        return Decision((found[-1].cell,), flags, guess=True)
    return Decision((luck.choice(answer.best),), flags, guess=True)

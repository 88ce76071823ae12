"""The strongest player's guesses: exact risk weighed by what a cell will reveal, and the endgame searched to its end.

When nothing is safe, the cells nearly as safe as the safest are compared by *two-step safety*: for every number that a cell can
show, exact inference on the view with that number added tells how safe the next move then is. A dead cell, which can show one
number only, teaches nothing and is left out as long as another is not. Once few fields fit, the rest of the game is searched
(:mod:`models.minesweeper.endgame`) and the move is proven best. The ideas are those of D. Hill's MineSweeperSolver and of Tu et
al., "Exploring Efficient Strategies for Minesweeper" (2017).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from models.minesweeper.formats import Cell
from models.minesweeper.inference import MAX_COUNTS, UNTOUCHED, DiagramInference

Floats: TypeAlias = NDArray[np.float64]

NEAR = 0.9
"""Cells are compared when they are at least this times as safe as the safest."""
MOST_TOUCHED, MOST_UNTOUCHED = 64, 6
"""How many cells that a number touches are compared, and how many that none does: those that most likely show 0."""
MAX_NODES = 100_000
"""The budget of one inference of the look-ahead."""
ROUNDING = 1e-9
"""Shares of all fields that differ by less are taken as equal."""


@dataclass(frozen=True)
class Choice:
    """A cell to open and why; ``chance`` is the exact probability of winning, when the cell is proven best."""

    cell: Cell
    reason: str
    chance: Fraction | None = None


@dataclass(frozen=True)
class Prospect:
    """What a cell promises: the probability that it is safe, that the move after it is safe too, and that a safe cell is known then.

    Prospects are compared by ``twice_safe``, and by ``progress`` where those are equal; to weigh the two together wins no more games.
    """

    cell: Cell
    safe: float
    twice_safe: float
    progress: float
    dead: bool

    def beats(self, other: Prospect) -> bool:
        """Whether this cell is to be opened rather than the other.

        >>> certain, likely = Prospect((1, 1), 0.9, 0.8, 0.5, dead=False), Prospect((1, 2), 0.9, 0.8, 0.4, dead=False)
        >>> certain.beats(likely), likely.beats(certain)
        (True, False)
        """
        if self.dead != other.dead:
            return other.dead
        if abs(self.twice_safe - other.twice_safe) > ROUNDING:
            return self.twice_safe > other.twice_safe
        return self.progress > other.progress + ROUNDING


def choose(answer: DiagramInference) -> Choice:
    """The best cell to open in a view in which nothing is proven safe.

    >>> from models.minesweeper import View, infer
    >>> choose(infer(View.from_text("11\\n--", mines=1)))
    Choice(cell=(2, 1), reason='proven best: of 2 fields that fit, best play wins 1', chance=Fraction(1, 2))
    >>> choose(infer(View(16, 30, {}, mines=99)))
    Choice(cell=(1, 1), reason='the first move, in a corner, opens most often', chance=None)
    """
    from models.minesweeper.endgame import search_inferred

    if (answer.view.grid < 0).all():
        return Choice((1, 1), "the first move, in a corner, opens most often")
    if answer.view.mines is not None:
        end = search_inferred(answer)
        if end is not None:
            return Choice(end.cell, f"proven best: of {end.fields:,} fields that fit, best play wins {end.won:,}", end.chance)
    best = look_ahead(answer)
    if best is None:
        return Choice(answer.best[0], "the least exact risk; there is too much to look ahead")
    following, progress = best.twice_safe / best.safe, best.progress / best.safe
    return Choice(best.cell, f"best two moves ahead: the next move is then {following:.1%} safe, a safe cell known in {progress:.1%}")


def look_ahead(answer: DiagramInference) -> Prospect | None:
    """The cell of the best two-step safety, None when inference passes its budget.

    >>> from models.minesweeper import View, infer
    >>> look_ahead(infer(View.from_text("1---\\n----\\n----", mines=3))).cell
    (2, 4)
    """
    from models.minesweeper.endgame import log_weight

    whole = log_weight(answer)
    if not math.isfinite(whole):
        return None
    best: Prospect | None = None
    for cell in candidates(answer):
        least = best.twice_safe if best is not None and not best.dead else 0.0
        if _safety(answer, cell) < least - ROUNDING:
            break
        found = _prospect(answer, cell, whole, least)
        if found is None:
            return None
        if best is None or found.beats(best):
            best = found
    return best


def candidates(answer: DiagramInference) -> Sequence[Cell]:
    """The cells worth comparing, safest first.

    >>> from models.minesweeper import View, infer
    >>> candidates(infer(View.from_text("1--------", mines=2)))
    ((1, 9), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8))
    """
    risk, covered = answer.probability, answer.view.grid < 0
    safety = 1.0 - risk
    near = covered & (safety >= NEAR * safety[covered].max())
    untouched = near & (answer.groups == UNTOUCHED)
    chosen = _largest(safety, near & ~untouched, MOST_TOUCHED) + _largest(_around(safety), untouched, MOST_UNTOUCHED)
    chosen.sort(key=lambda place: -safety[place])
    return tuple((row + 1, column + 1) for row, column in chosen)


def _largest(values: Floats, among: NDArray[np.bool_], most: int) -> list[tuple[int, int]]:
    """The places of the largest values, the largest first."""
    places = np.argwhere(among)
    order = np.argsort(-values[among], kind="stable")[:most]
    return [(row, column) for row, column in places[order].tolist()]


def _around(values: Floats) -> Floats:
    """For each place the product of the values in the three by three places around it."""
    padded = np.ones((values.shape[0] + 2, values.shape[1] + 2))
    padded[1:-1, 1:-1] = values
    lines = padded[:-2] * padded[1:-1] * padded[2:]
    product: Floats = lines[:, :-2] * lines[:, 1:-1] * lines[:, 2:]
    return product


def _safety(answer: DiagramInference, cell: Cell) -> float:
    return 1.0 - float(answer.probability[cell[0] - 1, cell[1] - 1])


def _rough_chances(answer: DiagramInference, cell: Cell) -> list[float]:
    """The probability of each number, as if the cells around were independent: 0 exactly where the number cannot be."""
    chances = [1.0]
    for near in answer.view.covered_around(cell):
        risk = float(answer.probability[near[0] - 1, near[1] - 1])
        chances = [none * (1.0 - risk) + one * risk for none, one in zip([*chances, 0.0], [0.0, *chances], strict=True)]
    return chances


def _prospect(answer: DiagramInference, cell: Cell, whole: float, least: float) -> Prospect | None:
    """A cell's prospect, or a lower one when its two-step safety cannot reach ``least``; ``whole`` is the log of the number of fields."""
    from cpsolve.counting.sum_kernels import INCONSISTENT, SOLVED
    from models.minesweeper.endgame import log_count
    from models.minesweeper.kernels import solve

    view = answer.view
    place = (cell[0] - 1, cell[1] - 1)
    grid: NDArray[np.int8] = view.grid.copy()
    covered = grid < 0
    covered[place] = False
    safe = left = _safety(answer, cell)
    twice_safe = progress = 0.0
    numbers = 0
    rough = _rough_chances(answer, cell)
    for number in sorted((number for number in range(len(rough)) if rough[number] > 0.0), key=lambda number: -rough[number]):
        grid[place] = number
        found = solve(grid, -1 if view.mines is None else view.mines, MAX_NODES, MAX_COUNTS)
        if found.status == INCONSISTENT:
            continue
        if found.status != SOLVED:
            return None
        numbers += 1
        share = math.exp(log_count(found.diagram, found.left, found.untouched) - whole)
        risk = float(found.probability[covered].min(initial=1.0))
        if risk == 1.0:  # only mines are left: the game is won
            risk = 0.0
        twice_safe += share * (1.0 - risk)
        progress += share * (risk == 0.0)
        left -= share
        if left < ROUNDING or twice_safe + left < least - ROUNDING:
            break
    return Prospect(cell, safe, twice_safe, progress, numbers == 1 and left < ROUNDING)

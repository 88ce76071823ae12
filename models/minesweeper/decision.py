"""What an agent is: a function that looks at a view and decides what to open and flag."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from models.minesweeper.formats import Cell
from models.minesweeper.rules import View

CERTAIN = "no field that fits has a mine there"


@dataclass(frozen=True)
class Decision:
    """What an agent does next: cells to flag, then cells to open in this order. A guess is a move that may hit a mine.

    ``risk`` is the probability of that, as the agent sees it, and ``reason`` why this move, in words. ``chance`` is the exact
    probability of winning from here, when the move is proven to be the best there is.
    """

    open: tuple[Cell, ...]
    flag: tuple[Cell, ...] = ()
    guess: bool = False
    risk: float = field(default=0.0, compare=False, repr=False)
    reason: str = field(default="", compare=False, repr=False)
    chance: Fraction | None = field(default=None, compare=False, repr=False)


Agent: TypeAlias = Callable[[View, random.Random], Decision]


def density(view: View) -> float:
    """The share of mines among the covered cells without a flag; 1/2 when their number is not known.

    >>> density(View.from_text("----", mines=1))
    0.25
    """
    free = int((view.grid < 0).sum()) - len(view.flags)  # the covered cells of a large board are not listed for it
    return 0.5 if view.mines is None else min(1.0, max(0, view.mines - len(view.flags)) / max(1, free))

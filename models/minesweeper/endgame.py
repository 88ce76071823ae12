"""The end of a game, searched to its end: when few fields fit a view, the move that wins most of them is found and proven.

The search is the compiled player's, see :mod:`models.minesweeper.player.endings`; here it is asked about a view.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cpsolve.errors import ModelError
from models.minesweeper.expert import MAX_FIELDS, MAX_WORK, Expert, look_at
from models.minesweeper.formats import Cell
from models.minesweeper.rules import View


@dataclass(frozen=True)
class Endgame:
    """The proven best move: of ``fields`` equally likely fields, play that begins with ``cell`` wins ``won``, and no play wins more."""

    cell: Cell
    won: int
    fields: int

    @property
    def chance(self) -> Fraction:
        """The probability of winning from here."""
        return Fraction(self.won, self.fields)


def search(view: View, *, max_fields: int = MAX_FIELDS, max_work: int = MAX_WORK) -> Endgame | None:
    """The best move and what it wins, or None when more than ``max_fields`` fields fit or the search passes ``max_work``.

    >>> search(View.from_text("1-\\n--", mines=1)).chance
    Fraction(1, 3)
    >>> search(View.from_text("--1-", mines=1))
    Endgame(cell=(1, 1), won=2, fields=2)
    """
    if view.mines is None:
        raise ModelError("the endgame is searched when the number of mines is known; this view has mines=None")
    found = look_at(view, Expert("least risk", max_fields), always=True, max_work=max_work)
    if len(found.mines) == len(view.covered):
        raise ModelError(f"nothing is left to open:\n{view}")
    if found.choice is None or found.end is None:
        return None
    return Endgame(found.choice.cell, *found.end)

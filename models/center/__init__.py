"""Center: put stones where enough friends are in sight; the first on the centre wins.

Cells are ``(x, y)``, from 1, as in the seed; players are ``"x"`` (first) and ``"o"``.
"""

from models.center.engine import Verdict, outcomes, solve
from models.center.formats import draw, from_prolog, from_text, to_prolog
from models.center.rules import SWAP, IllegalMoveError, Move, Position, opponent

__all__ = [
    "SWAP",
    "IllegalMoveError",
    "Move",
    "Position",
    "Verdict",
    "draw",
    "from_prolog",
    "from_text",
    "opponent",
    "outcomes",
    "solve",
    "to_prolog",
]

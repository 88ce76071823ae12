"""Center: put stones where enough friends are in sight; the first on the centre wins.

Cells are ``(x, y)``, from 1, as in the original; players are ``"x"`` (first) and ``"o"``.

>>> from models import center
>>> position = center.Position(size=5).play((3, 1)).play((1, 1))
>>> position.why_not((3, 3))
'x cannot take (3, 3): it needs 2 friends in sight and sees 1: x on (3, 1) to the north; o on (1, 1) to the north-west'
>>> verdict = center.solve(position)
>>> verdict.winner, verdict.plies
('x', 3)
"""

from models.center.advice import first_losing_move, hint, review, scores
from models.center.certificate import Certificate, certify, check
from models.center.checker import CertificateError, Checked
from models.center.drawing import draw
from models.center.engine import Verdict, outcomes, solve
from models.center.formats import from_prolog, from_text, to_prolog
from models.center.players import Match, choose_move, computer, person, play_match
from models.center.reach import Placement, cooperative_win, decode, encode, reach
from models.center.rules import SWAP, Move, Position, opponent

__all__ = [
    "SWAP",
    "Certificate",
    "CertificateError",
    "Checked",
    "Match",
    "Move",
    "Placement",
    "Position",
    "Verdict",
    "certify",
    "check",
    "choose_move",
    "computer",
    "cooperative_win",
    "decode",
    "draw",
    "encode",
    "first_losing_move",
    "from_prolog",
    "from_text",
    "hint",
    "opponent",
    "outcomes",
    "person",
    "play_match",
    "reach",
    "review",
    "scores",
    "solve",
    "to_prolog",
]

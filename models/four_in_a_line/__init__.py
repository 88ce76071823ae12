"""Four-in-a-line: legal by constraints, perfect by search, and any board traced back to the moves that made it.

>>> from models import four_in_a_line as four
>>> position = four.Position.from_moves("444555544221")
>>> print(four.solve(position))
a wins in 25 plies (score +3); best: 4
"""

from models.four_in_a_line.advice import first_losing_move, hint, review, scores
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.encode import adjacent, decode, encode, reach
from models.four_in_a_line.engine import Verdict, score, score_many, solve, solve_many
from models.four_in_a_line.orders import count_orders
from models.four_in_a_line.players import choose_move
from models.four_in_a_line.rules import Position

__all__ = [
    "Position",
    "Verdict",
    "adjacent",
    "choose_move",
    "count_orders",
    "decode",
    "draw",
    "encode",
    "first_losing_move",
    "hint",
    "reach",
    "review",
    "score",
    "score_many",
    "scores",
    "solve",
    "solve_many",
]

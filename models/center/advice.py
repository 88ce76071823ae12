"""Advice: the best move, what every move leads to, and the first losing move of a game."""

from __future__ import annotations

from collections.abc import Sequence

from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.answers import in_words
from cpsolve.puzzles.games import Hint, Mistake, Review, for_a_proof, look_back
from models.center.engine import outcomes, solve
from models.center.players import SLOW, STRONGEST, choose_move
from models.center.rules import Move, Position

SECONDS = 4.0
"""The time for a proof before a hint is what the strongest player does, unless another is given."""


def scores(position: Position, time_limit: float | None = None, *, max_memory: int | None = None) -> dict[Move, tuple[str | None, int]]:
    """For every legal move the winner after it and the plies to the end; TimeLimitError when the limit (seconds) passes first.

    >>> scores(Position.from_rows(["x..", "...", "..o"]))[2, 2]
    ('x', 1)
    """
    return outcomes(position, time_limit, max_memory=max_memory)


def hint(position: Position, time_limit: float | None = None, *, max_memory: int | None = None) -> Hint[Move]:
    """The best move, proven where a proof is found in time, else that of the strongest player.

    >>> hint(Position.from_rows(["x..", "...", "..o"]))
    Hint(move=(2, 2), words='x wins in 1 ply', proven=True)
    """
    if position.is_over:
        raise ModelError(f"the game is over: there is no move to make\n{position}")
    with Deadline(time_limit, max_memory).watched() as deadline:
        try:
            verdict = solve(position, SECONDS if deadline.left() is None else for_a_proof(deadline.remaining(), SLOW))
        except LimitError:
            words = "who wins by force was not found in time; the strongest player moves there"
            return Hint(choose_move(position, STRONGEST, 0, time_limit=deadline.left()), words, proven=False)
    return Hint(verdict.best[0], in_words(verdict.winner, verdict.plies), proven=True)


def first_losing_move(
    moves: Sequence[Move], start: Position, time_limit: float | None = None, *, max_memory: int | None = None
) -> Mistake[Move] | None:
    """The first move of a game after which its player no longer wins, or no longer draws; None when there is none.

    Looks from the end back, as far as the time limit (seconds) allows; :func:`review` tells how far that was.

    >>> mistake = first_losing_move([(1, 1), (3, 1), (3, 3)], Position(size=3))
    >>> mistake.number, mistake.winner, mistake.winner_after, mistake.better
    (3, 'x', 'o', ((2, 2),))
    """
    return review(moves, start, time_limit, max_memory=max_memory).mistake


def review(moves: Sequence[Move], start: Position, time_limit: float | None = None, *, max_memory: int | None = None) -> Review[Move]:
    """The first losing move, and from which move on the game was looked at.

    >>> review([(1, 1), (3, 1), (2, 2)], Position(size=3))
    Review(mistake=None, since=0)
    """
    return look_back(start, moves, solve, lambda position, limit: solve(position, limit).winner, time_limit, max_memory=max_memory)

"""Advice: the best column, what every column is worth, and the first losing move of a game."""

from __future__ import annotations

from collections.abc import Sequence

from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.games import Hint, Mistake, Review, for_a_proof, in_plies, look_back
from models.four_in_a_line.engine import Verdict, at_most, plies_left, solve
from models.four_in_a_line.players import decide, look, middle_first, scores_take_long
from models.four_in_a_line.rules import PLAYERS, Position

LOOK_SECONDS = 2.0
"""What is kept of a longer time to look ahead when there is no proof."""


def scores(position: Position, time_limit: float | None = None, *, max_memory: int | None = None) -> dict[int, int]:
    """The exact score of every column for the player to move; TimeLimitError when the limit (seconds) passes first.

    >>> scores(Position.from_moves("44444326213163"))[4]
    3
    """
    return dict(solve(position, time_limit, progress=False, max_memory=max_memory).scores)


def hint(position: Position, time_limit: float | None = None, *, max_memory: int | None = None) -> Hint[int]:
    """The best column, nearest to the middle, with what it is worth; where no proof ends in time, what looks best.

    >>> hint(Position.from_moves("44444326213163"))
    Hint(move=4, words='wins in 23 plies', proven=True)
    """
    if position.is_over:
        raise ModelError(f"the game is over: there is no move to make\n{position}")
    with Deadline(time_limit, max_memory).watched() as deadline:
        seconds = None if deadline.left() is None else for_a_proof(deadline.remaining(), LOOK_SECONDS)
        try:
            if scores_take_long(position):
                column, outcome = decide(position, seconds)
                return Hint(column, outcome, proven=True)
            verdict = solve(position, seconds, progress=False)
        except LimitError:
            choice = look(position, deadline.left())
            return Hint(choice.column, f"looks best {choice.depth} plies ahead; nothing was proven in time", proven=False)
    column = middle_first(position, verdict.best)[0]
    return Hint(column, worth(verdict, column), proven=True)


def first_losing_move(
    moves: str | Sequence[int], start: Position | None = None, time_limit: float | None = None, *, max_memory: int | None = None
) -> Mistake[int] | None:
    """The first move of a game after which its player no longer wins, or no longer draws; None when there is none.

    Looks from the end back, as far as the time limit (seconds) allows; :func:`review` tells how far that was.

    >>> mistake = first_losing_move("63255", start=Position.from_moves("444443262131"))
    >>> mistake.number, mistake.move, mistake.winner, mistake.winner_after, mistake.better
    (3, 2, 'a', 'b', (1, 4))
    """
    return review(moves, start, time_limit, max_memory=max_memory).mistake


def review(
    moves: str | Sequence[int], start: Position | None = None, time_limit: float | None = None, *, max_memory: int | None = None
) -> Review[int]:
    """The first losing move, and from which move on the game was looked at.

    >>> review("44", Position(rows=7, columns=8), time_limit=0)
    Review(mistake=None, since=3)
    """
    begun = start or Position()
    listed = [int(move) for move in moves]
    return look_back(
        begun, listed, lambda position, limit: solve(position, limit, progress=False), winner, time_limit, max_memory=max_memory
    )


def winner(position: Position, time_limit: float | None = None) -> str | None:
    """Who wins under perfect play, which is faster to tell than when; None for a draw.

    >>> winner(Position.from_moves("44444326213163"))
    'a'
    """
    if position.is_over:
        return position.winner
    if not at_most(position, 0, time_limit, progress=False):
        return position.to_move
    return None if not at_most(position, -1, time_limit, progress=False) else PLAYERS[1 - PLAYERS.index(position.to_move)]


def worth(verdict: Verdict, column: int) -> str:
    """What a column is worth to the player to move, in words.

    >>> verdict = solve(Position.from_moves("44444326213163"))
    >>> worth(verdict, 1), worth(verdict, 2)
    ('wins in 23 plies', 'loses in 22 plies')
    """
    score = verdict.scores[column]
    if score == 0:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {in_plies(plies_left(verdict.position, score))}"


def told_of(mistake: Mistake[int]) -> str:
    """A mistake in a sentence.

    >>> told_of(first_losing_move("63255", start=Position.from_moves("444443262131")))
    'Move 3, a on column 2, gave it away: before it a wins, after it b wins.'
    """
    before, after = ("nobody wins" if name is None else f"{name} wins" for name in (mistake.winner, mistake.winner_after))
    player = mistake.position.to_move
    return f"Move {mistake.number}, {player} on column {mistake.move}, gave it away: before it {before}, after it {after}."

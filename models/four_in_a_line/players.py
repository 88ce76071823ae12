"""The computer players: ten levels, from random moves to perfect play.

Level 1 plays at random; levels 2 to 9 look further and further ahead and slip less and less (:mod:`cpsolve.puzzles.levels`); level 10
plays perfectly: from the opening book, then by search. Where there is no book (other boards), proofs take long while the board is nearly
empty: there level 10 asks who wins and not how fast, and when some seconds have passed without an answer it looks ahead.
All other levels are fixed by their seed, whatever the machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.levels import Level, check_level, in_words
from models.four_in_a_line.engine import at_most, in_book, look_ahead, look_as_far, solve
from models.four_in_a_line.rules import Position

LADDER = {
    2: Level(1, 1.0),
    3: Level(2, 0.6),
    4: Level(2, 0.36),
    5: Level(4, 0.18),
    6: Level(7, 0.11),
    7: Level(7, 0.015, perfect=10),
    8: Level(9, perfect=20),
    9: Level(11, perfect=28),
}
STRONGEST = 10
LEVELS = dict(in_words({number: [level] for number, level in LADDER.items()}, "perfect, as soon as its proofs end in time"))
"""The levels, each in words."""
LONGEST = 34
"""Free cells up to which exact scores of all columns are asked for; before, only who wins."""
SOLVE_SECONDS = 10.0
"""The time for a proof."""
LOOK_PLIES = 12
"""How far the strongest looks ahead when that time has passed."""


@dataclass(frozen=True)
class Choice:
    """A column and, where the strongest found no proof in time, how many plies ahead it looked instead."""

    column: int
    depth: float | None = None


def choose_move(
    position: Position, level: int = 1, seed: int | None = None, *, time_limit: float | None = None, max_memory: int | None = None
) -> int:
    """A column by a computer player: 1 random … 10 perfect, as soon as its proofs end in time.

    The same seed gives the same move (at level 10 as long as proofs end in time); without one it may differ where several are as good.
    With a ``time_limit`` (seconds) every level looks less far where it would take longer.

    >>> position = Position.from_moves("121212")
    >>> choose_move(position, level=2, seed=1), choose_move(position, level=10, seed=1)
    (1, 1)
    >>> choose_move(Position(), level=5, seed=7) == choose_move(Position(), level=5, seed=7)
    True
    """
    with Deadline(time_limit, max_memory).watched():
        return choose(position, level, seed, time_limit).column


def choose(position: Position, level: int, seed: int | None, time_limit: float | None = None) -> Choice:
    """As :func:`choose_move`, with how it was found.

    >>> choose(Position.from_moves("121212"), 10, seed=1)
    Choice(column=1, depth=None)
    """
    check_level(level, LEVELS, {})
    deadline = Deadline(time_limit)
    if position.is_over:
        raise ModelError(f"the game is over, there is no move to choose:\n{position}")
    chance = random.Random(seed)
    if level == 1:
        return Choice(chance.choice(position.legal_columns))
    if level in LADDER:
        return Choice(_looking(position, LADDER[level], chance, deadline))
    try:
        if scores_take_long(position):
            return Choice(decide(position, _for_proofs(deadline))[0])
        return Choice(chance.choice(solve(position, _for_proofs(deadline)).best))
    except LimitError:
        return look(position, deadline.left())


def _for_proofs(deadline: Deadline) -> float:
    """The seconds for a proof, so that some are left to look ahead when it does not end."""
    return min(SOLVE_SECONDS, deadline.remaining() / 2)


def _looking(position: Position, level: Level, chance: random.Random, deadline: Deadline) -> int:
    """The best column some plies ahead; or, if this is a slip, any that takes a win or does not lose at once."""
    if level.slip(chance):
        values = {column: (value > DECISIVE) - (value < -DECISIVE) for column, value in look_ahead(position, 1).items()}
    elif position.size - position.ply <= level.perfect:
        try:
            values = dict(solve(position, None if deadline.left() is None else _for_proofs(deadline), progress=False).scores)
        except LimitError:
            values = look_ahead(position, level.plies, deadline.left())
    else:
        values = look_ahead(position, level.plies, deadline.left())
    best = max(values.values())
    return chance.choice([column for column, value in values.items() if value == best])


DECISIVE = 5_000
"""Beyond this a value of looking ahead means a win that was seen."""


def scores_take_long(position: Position) -> bool:
    """Whether exact scores of all columns are beyond a person's patience.

    >>> scores_take_long(Position(rows=7, columns=8)), scores_take_long(Position())
    (True, False)
    """
    return position.size - position.ply > LONGEST and in_book(position) is None


def decide(position: Position, time_limit: float | None = None) -> tuple[int, str]:
    """A column that keeps the outcome of perfect play, and what it does, in words; how long the game lasts is not asked.

    Raises TimeLimitError after the time limit, ``SOLVE_SECONDS`` unless one is given.

    >>> decide(Position.from_moves("44444326213163"))
    (4, 'wins')
    """
    deadline = Deadline(SOLVE_SECONDS if time_limit is None else time_limit)
    columns = middle_first(position, position.legal_columns)
    for outcome, threshold in (("wins", -1), ("draws", 0)):
        for column in columns:
            if at_most(position.play(column), threshold, deadline.remaining()):
                return column, outcome
    return look(position, deadline.left()).column, "loses like every column, and looks hardest to beat"


def middle_first(position: Position, columns: Sequence[int]) -> list[int]:
    """The columns, those near the middle first: more lines go through them.

    >>> middle_first(Position(), (1, 2, 3, 4, 5, 6, 7))
    [4, 3, 5, 2, 6, 1, 7]
    """
    return sorted(columns, key=lambda column: (abs(2 * column - position.columns - 1), column))


def look(position: Position, time_limit: float | None = None) -> Choice:
    """The best move ``LOOK_PLIES`` plies ahead, or fewer after a time limit, the one nearest to the middle if there are several.

    >>> look(Position.from_moves("121212"))
    Choice(column=1, depth=12)
    """
    values, depth = look_as_far(position, LOOK_PLIES, time_limit)
    return Choice(max(middle_first(position, tuple(values)), key=lambda column: values[column]), depth)

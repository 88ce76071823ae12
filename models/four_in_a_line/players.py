"""The computer players: three levels, from random moves to perfect play.

Level 1 plays at random, level 2 looks four plies ahead by alpha-beta, level 3 plays perfectly. Proofs take long while the board is nearly
empty: there level 3 asks who wins and not how fast, and when some seconds have passed without an answer it looks ahead.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from cpsolve.errors import ModelError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles.games import Outlook, alpha_beta, deepen
from models.four_in_a_line.engine import at_most, solve
from models.four_in_a_line.rules import PLAYERS, Position

LEVELS = (1, 2, 3)
PLIES = 4
"""How far level 2 looks ahead."""
LONGEST = 34
"""Free cells up to which exact scores of all columns are asked for; before, only who wins."""
SOLVE_SECONDS, LOOK_SECONDS = 10.0, 2.0
"""The time for a proof, and that for looking ahead when it has passed."""


@dataclass(frozen=True)
class Choice:
    """A column and, where level 3 found no proof in time, how many plies ahead it looked instead."""

    column: int
    depth: float | None = None


def choose_move(position: Position, level: int = 1, seed: int | None = None) -> int:
    """A column by a computer player: 1 random, 2 looks ahead, 3 perfect as soon as its proofs end in time.

    The same seed gives the same move as long as proofs end in time; without one it may differ where several are as good.

    >>> position = Position.from_moves("121212")
    >>> choose_move(position, level=2, seed=1), choose_move(position, level=3, seed=1)
    (1, 1)
    >>> choose_move(Position(), level=1, seed=7) == choose_move(Position(), level=1, seed=7)
    True
    """
    return choose(position, level, seed).column


def choose(position: Position, level: int, seed: int | None) -> Choice:
    """As :func:`choose_move`, with how it was found.

    >>> choose(Position.from_moves("121212"), 3, seed=1)
    Choice(column=1, depth=None)
    """
    check_level(level)
    if position.is_over:
        raise ModelError(f"the game is over, there is no move to choose:\n{position}")
    chance = random.Random(seed)
    if level == 1:
        return Choice(chance.choice(position.legal_columns))
    if level == 2:
        return Choice(_column(alpha_beta(position, PLIES, open_lines, lambda _, columns: chance.sample(list(columns), len(columns)))))
    try:
        if scores_take_long(position):
            return Choice(decide(position)[0])
        return Choice(chance.choice(solve(position, SOLVE_SECONDS).best))
    except TimeLimitError:
        return look(position)


def check_level(level: int) -> int:
    """The level itself, or a ModelError when there is none such.

    >>> check_level(4)
    Traceback (most recent call last):
    cpsolve.errors.ModelError: the levels are (1, 2, 3), not 4
    """
    if level not in LEVELS:
        raise ModelError(f"the levels are {LEVELS}, not {level!r}")
    return level


def scores_take_long(position: Position) -> bool:
    """Whether exact scores of all columns are beyond a person's patience.

    >>> scores_take_long(Position()), scores_take_long(Position(rows=4, columns=5))
    (True, False)
    """
    return position.size - position.ply > LONGEST


def decide(position: Position) -> tuple[int, str]:
    """A column that keeps the outcome of perfect play, and what it does, in words; how long the game lasts is not asked.

    Raises TimeLimitError after ``SOLVE_SECONDS``.

    >>> decide(Position.from_moves("44444326213163"))
    (4, 'wins')
    """
    deadline = Deadline(SOLVE_SECONDS)
    columns = list(middle_first(position, position.legal_columns))
    for outcome, threshold in (("wins", -1), ("draws", 0)):
        for column in columns:
            if at_most(position.play(column), threshold, deadline.remaining()):
                return column, outcome
    return look(position).column, "loses like every column, and looks hardest to beat"


@cache
def lines(rows: int, columns: int, connect: int) -> tuple[int, ...]:
    """All lines of a board, each as the bits of its cells.

    >>> len(lines(6, 7, 4))
    69
    """
    found = []
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for column in range(columns):
            for row in range(rows):
                cells = [(column + right * step, row + up * step) for step in range(connect)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in cells):
                    found.append(sum(1 << c * (rows + 1) + r for c, r in cells))
    return tuple(dict.fromkeys(found))


def open_lines(position: Position) -> float:
    """How a position looks to the player to move: lines that only one side has stones on, each worth the square of their number.

    >>> open_lines(Position.from_moves("4")), open_lines(Position.from_moves("1"))
    (-7, -3)
    """
    stones = position.stones_a, position.stones_b
    own, other = stones if position.to_move == PLAYERS[0] else stones[::-1]
    value = 0
    for line in lines(position.rows, position.columns, position.connect):
        mine, theirs = (own & line).bit_count(), (other & line).bit_count()
        if not theirs:
            value += mine * mine
        elif not mine:
            value -= theirs * theirs
    return value


def middle_first(position: Position, columns: Sequence[int]) -> Iterable[int]:
    """The columns, those near the middle first: more lines go through them.

    >>> middle_first(Position(), (1, 2, 3, 4, 5, 6, 7))
    [4, 3, 5, 2, 6, 1, 7]
    """
    return sorted(columns, key=lambda column: (abs(2 * column - position.columns - 1), column))


def look(position: Position) -> Choice:
    """The best move as far ahead as there is time to look.

    >>> look(Position.from_moves("121212")).column
    1
    """
    outlook = deepen(position, LOOK_SECONDS, open_lines, middle_first)
    return Choice(_column(outlook), outlook.depth)


def _column(outlook: Outlook[int]) -> int:
    assert outlook.move is not None  # only asked while the game lasts
    return outlook.move

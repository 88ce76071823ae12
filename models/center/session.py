"""Center at a terminal: the original's menu (three modes, the size of the board, the level), then the game, with hints and reasons.

A hint is what a proof says where one is found in time, else the move of the strongest level, and it says which of the two it is. ``why``
tells of a cell why it may not be taken (which friends see it and how many are needed), or what taking it threatens, stops and leads to.
"""

from __future__ import annotations

import random
from dataclasses import replace

from cpsolve.errors import LimitError, ModelError
from cpsolve.puzzles.games import in_plies
from cpsolve.puzzles.levels import check_level
from cpsolve.puzzles.sessions import numbers_in
from cpsolve.puzzles.two_players import TwoPlayers
from models.center.board import Cell, board
from models.center.drawing import draw
from models.center.engine import Verdict, solve
from models.center.players import LEVELS, NAMED, STRONGEST, choose_move
from models.center.rules import FIRST, SECOND, SWAP, Move, Position, opponent

TITLE = "Center: the first stone on the centre wins"
SIZES = ((5, "small"), (7, "medium"), (9, "large"), (11, "very large"))
LARGEST = 99
"""The longest side of a board."""
HINT_SECONDS, WHY_SECONDS = 6.0, 3.0
"""The time for a proof before a hint falls back on the strongest level, and before ``why`` goes without one."""

HELP = """\
Take an empty cell that has at least as many of your stones in sight as it is
far from the edge; a line of sight ends at the first stone. Who first stands on
the centre wins; who has no move passes.
3,1         take column 3 of row 1 (or: arrows, then Enter)
h, hint     the best move and what it is worth
w, why 3,3  why a cell may not be taken, or what taking it does
swap        change sides, as the second move of a game with --swap
u, undo     take back your last move
n, new  begin again     ?, help  this page     q, quit  leave
With keys, w is about the cursor's cell; type more after a colon: :why 3,3"""


class CenterSession(TwoPlayers[Position]):
    """A game of Center in progress.

    >>> session = CenterSession(Position(size=3), "person-person")
    >>> session.do("2,2")
    'x cannot take (2, 2): it needs 1 friend in sight and sees 0: no stone in any direction'
    >>> session.do("1,1"), session.status
    ('x: (1, 1).', 'o to move')
    """

    title = TITLE
    help = HELP

    def __init__(self, start: Position, mode: str, level: int | str = 2, seed: int | None = None) -> None:
        super().__init__(start, mode, (FIRST, SECOND))
        check_level(level, LEVELS, NAMED)
        self.level = level
        self.seed = random.randrange(2**32) if seed is None else seed
        self.cursor: Cell = start.centre
        self.verdict: Verdict | None = None

    # -- the board

    def board(self, colour: bool, cursor: bool) -> str:
        """The board, with the best moves marked after a hint."""
        here = self.cursor if cursor and not self.watched else None
        return replace(draw(self.position, verdict=self.verdict, cursor=here), captions=()).text(colour)

    @property
    def focus(self) -> float:
        """The row of the cursor."""
        return (self.cursor[1] - 0.5) / len(self.position.board.row_lengths)

    def go(self, right: int, down: int) -> None:
        """Moves the cursor, as far as the board goes."""
        lengths = self.position.board.row_lengths
        y = min(max(1, self.cursor[1] + down), len(lengths))
        self.cursor = (min(max(1, self.cursor[0] + right), lengths[y - 1]), y)

    # -- moves

    def at_cursor(self) -> Move:
        """The cell of the cursor."""
        return self.cursor

    def move(self, text: str) -> None:
        """Takes a typed cell."""
        numbers = numbers_in(text)
        if text.lower() != SWAP and (numbers is None or len(numbers) != 2):
            raise ModelError(f"expected a cell such as 3,1 (column, row) or a command (? lists them), not {text!r}")
        if self.watched:
            raise ModelError("the computer plays both sides; space pauses, q leaves")
        if numbers is None:
            self.play(SWAP)
        else:
            self.play((numbers[0], numbers[1]))
            self.cursor = numbers[0], numbers[1]

    def move_name(self, move: Move) -> str:
        """The cell."""
        return str(move)

    def choose(self) -> tuple[str, Move]:
        """The move of the level that was chosen; a seed fixes the whole game."""
        return "", choose_move(self.position, self.level, hash((self.seed, self.games, len(self.moves))))

    # -- advice

    def forget_advice(self) -> None:
        """The marks of a hint go with the position."""
        self.verdict = None

    def hint(self) -> None:
        """The best move: by proof if one is found in time, else that of the strongest level."""
        if self.over:
            raise ModelError("the game is over: there is no move to advise")
        player = self.position.to_move
        try:
            self.verdict = solve(self.position, time_limit=HINT_SECONDS, progress=True)
        except LimitError:
            move = choose_move(self.position, STRONGEST, seed=self.seed)
            self.message = f"Level {STRONGEST} would play {move}. Who wins by force was not found within {HINT_SECONDS:g} s."
        else:
            move = self.verdict.best[0]
            self.message = f"Best is {move}: {outcome(player, self.verdict)}."
            if len(self.verdict.best) > 1:
                self.message += f" As good: {', '.join(map(str, self.verdict.best[1:6]))}{' …' if len(self.verdict.best) > 6 else ''}."
        if not isinstance(move, str):
            self.cursor = move

    def why(self, rest: str) -> None:
        """Why a cell may not be taken, or what taking it does."""
        cell = self.cursor
        if rest:
            numbers = numbers_in(rest)
            if numbers is None or len(numbers) != 2:
                raise ModelError(f"expected a cell, as in why 3,3, not {rest!r}")
            cell = numbers[0], numbers[1]
        reason = self.position.why_not(cell)
        if reason is None:
            reason = " ".join([what_it_does(self.position, cell), *what_follows(self.position.play(cell))])
        if cell in self.position.board.index:
            self.cursor = cell
        self.message = reason


def outcome(player: str, verdict: Verdict) -> str:
    """What a verdict means for a player, in words.

    >>> outcome("x", solve(Position(size=5)))
    'wins by force in 7 plies'
    """
    if verdict.winner is None:
        return "nobody can force a win, best play is a draw"
    if verdict.winner == player:
        return f"wins by force in {in_plies(verdict.plies)}"
    return f"{verdict.winner} wins in {in_plies(verdict.plies)} whatever is played; this holds out longest"


def what_it_does(position: Position, cell: Cell) -> str:
    """What a legal move threatens and stops, without looking further ahead.

    >>> position = Position.from_rows(["x.o..", ".....", ".....", ".....", "....."])
    >>> what_it_does(position, (3, 5)).split(". ")[1]
    'Then x has 2 of the 2 friends in sight of the centre: x threatens to take it.'
    """
    player = position.to_move
    other = opponent(player)
    after = position.play(cell)
    needed = position.distance(cell)
    if needed == 0:
        told = [f"{player} may take {cell}: it is on the edge and needs no friend."]
    else:
        friends = position.friends(player, cell)
        told = [f"{player} may take {cell}: it needs {needed} in sight and sees {len(friends)}, on {', '.join(map(str, friends))}."]
    if after.winner is not None:
        return f"{told[0]} It is the centre: {player} wins."
    required = position.distance(position.centre)
    seen = f"Then {player} has {after.in_sight(player, position.centre)} of the {required} friends in sight of the centre"
    told.append(f"{seen}: {player} threatens to take it." if after.value(player) <= 0 else f"{seen}.")
    if after.value(other) <= 0:
        told.append(f"But {other} can take the centre at once.")
    elif position.value(other) <= 0:
        told.append(f"It stops {other}, who could have taken the centre.")
    return " ".join(told)


def what_follows(after: Position) -> list[str]:
    """Who wins from a position, if that is found in time: a sentence, or none when the game is over.

    >>> what_follows(Position.from_rows(["x..", "...", "..."]))
    ['With best play x wins 2 plies later.']
    """
    if after.is_over:
        return []
    try:
        verdict = solve(after, time_limit=WHY_SECONDS)
    except LimitError:
        return [f"Who wins then was not found within {WHY_SECONDS:g} s."]
    if verdict.winner is None:
        return ["With best play nobody wins."]
    return [f"With best play {verdict.winner} wins {in_plies(verdict.plies)} later."]


# -- the size of the board


def read_size(text: str, shape: str = "square") -> int:
    """The side of a board, from what was typed.

    >>> read_size("7."), read_size("6")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: a square board of side 6 has no centre: give an odd side, 5 or 7
    """
    numbers = numbers_in(text)
    if numbers is None or len(numbers) != 1:
        kind = "odd number" if shape == "square" else "number"
        raise ModelError(f"expected the {kind} of cells on a side, such as 5, not {text!r}")
    return check_size(numbers[0], shape)


def check_size(size: int, shape: str = "square") -> int:
    """The side of a board that can be played at a terminal, or a ModelError that says why not.

    >>> check_size(101)
    Traceback (most recent call last):
    cpsolve.errors.ModelError: a board of side 101 fits no screen: expected at most 99
    """
    largest = LARGEST if shape == "square" else (LARGEST + 1) // 2  # the middle row of a hexagon is as long as two sides less one
    if size > largest:
        raise ModelError(f"a board of side {size} fits no screen: expected at most {largest}")
    return board(shape, size).size

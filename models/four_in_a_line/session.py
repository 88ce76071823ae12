"""Four-in-a-line at a terminal: people, or a computer of ten levels, with hints and reasons from exact scores.

Proofs take long while the board is nearly empty: there hints ask who wins and not how fast, and when some seconds have passed without an
answer they look ahead and say so, as the strongest computer player does (:mod:`models.four_in_a_line.players`).
"""

from __future__ import annotations

import random
from dataclasses import replace

from cpsolve.errors import LimitError, ModelError
from cpsolve.puzzles.games import alpha_beta, in_plies
from cpsolve.puzzles.levels import check_level
from cpsolve.puzzles.sessions import numbers_in
from cpsolve.puzzles.two_players import TwoPlayers
from models.four_in_a_line.advice import worth
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.engine import Verdict, principal_variation, solve
from models.four_in_a_line.players import LEVELS, SOLVE_SECONDS, choose, decide, look, middle_first, scores_take_long
from models.four_in_a_line.rules import PLAYERS, Position

TITLE = "Four-in-a-line: drop stones, the first line of four wins"
GLANCE = 6
"""How far each column is looked at when exact scores are not to be had."""

HELP = """\
Drop a stone on a column; four in a row, a column or a diagonal win.
4         column 4 (or: arrows, then Enter)
h, hint   the best column and what it is worth
w, why 3  what every column is worth, and how it goes on after column 3
u, undo   take back your last move
n, new  begin again     ?, help  this page     q, quit  leave
With keys, w is about the cursor's column; type more after a colon: :why 3"""


class FourSession(TwoPlayers[Position]):
    """A game of Four-in-a-line in progress.

    >>> session = FourSession(Position.from_moves("121212", rows=4, columns=4), "person-person")
    >>> session.do("hint"), session.do("1"), session.status.split(".")[0]
    ('Column 1 wins in 1 ply.', 'a: column 1.', 'a has won after 1 move')
    """

    title = TITLE
    help = HELP

    def __init__(self, start: Position, mode: str, level: int = 2, seed: int | None = None) -> None:
        super().__init__(start, mode, (PLAYERS[0], PLAYERS[1]))
        check_level(level, LEVELS, {})
        self.level = level
        self.seed = random.randrange(2**32) if seed is None else seed
        self.cursor = (start.columns + 1) // 2
        self.verdict: Verdict | None = None

    # -- the board

    def board(self, colour: bool, cursor: bool) -> str:
        """The board, with the score of every column after a hint."""
        here = self.cursor if cursor and not self.watched else None
        return replace(draw(self.position, verdict=self.verdict, cursor=here), captions=()).text(colour)

    def go(self, right: int, down: int) -> None:
        """Moves the cursor, as far as the board goes."""
        self.cursor = min(max(1, self.cursor + right), self.position.columns)

    # -- moves

    def at_cursor(self) -> int:
        """The column of the cursor."""
        return self.cursor

    def move(self, text: str) -> None:
        """Drops a stone on a typed column."""
        column = read_column(text)
        if column is None:
            raise ModelError(f"expected a column from 1 to {self.position.columns} or a command (? lists them), not {text!r}")
        if self.watched:
            raise ModelError("the computer plays both sides; space pauses, q leaves")
        self.play(column)
        self.cursor = column

    def move_name(self, move: int) -> str:
        """The column."""
        return f"column {move}"

    def choose(self) -> tuple[str, int]:
        """The move of the level that was chosen; a seed fixes what is left to chance."""
        choice = choose(self.position, self.level, hash((self.seed, self.games, len(self.moves))))
        if choice.depth is None:
            return "", choice.column
        return f" Not proven: no search ended within {SOLVE_SECONDS:g} s, it looked {choice.depth} plies ahead.", choice.column

    # -- advice

    def forget_advice(self) -> None:
        """The scores of a hint go with the position."""
        self.verdict = None

    def _solved(self) -> Verdict | None:
        """The exact scores, if they are found in time."""
        if self.verdict is None and not scores_take_long(self.position):
            try:
                self.verdict = solve(self.position, SOLVE_SECONDS)
            except LimitError:
                return None
        return self.verdict

    def hint(self) -> None:
        """The best column: by exact scores if they are found in time, else by who wins, else by looking ahead."""
        if self.over:
            raise ModelError("the game is over: there is no move to advise")
        verdict = self._solved()
        if verdict is None:
            self._hint_early()
            return
        self.cursor = min(verdict.best, key=lambda column: abs(2 * column - self.position.columns - 1))
        self.message = f"Column {self.cursor} {worth(verdict, self.cursor)}."
        if verdict.score < 0:
            self.message += " No column holds out longer."
        elif len(verdict.best) > 1:
            self.message += f" As good: {', '.join(str(column) for column in verdict.best if column != self.cursor)}."

    def _hint_early(self) -> None:
        try:
            self.cursor, outcome = decide(self.position)
        except LimitError:
            choice = look(self.position)
            self.cursor = choice.column
            self.message = f"Column {self.cursor} looks best {choice.depth} plies ahead. Nothing was proven within {SOLVE_SECONDS:g} s."
        else:
            self.message = f"Column {self.cursor} {outcome}: proven, but not in how many plies, which takes long this early."

    def why(self, rest: str) -> None:
        """What every column is worth, and how the game goes on after one of them."""
        column = read_column(rest) if rest else self.cursor
        if column is None or not 1 <= column <= self.position.columns:
            raise ModelError(f"expected a column from 1 to {self.position.columns}, as in why 3, not {rest!r}")
        if self.over:
            raise ModelError("the game is over: no column is worth anything now")
        self.cursor = column
        verdict = self._solved()
        if verdict is None:
            self.message = f"Exact scores take too long this early. {GLANCE + 1} plies ahead: {told(glance(self.position))}"
            return
        self.message = told({each: worth(verdict, each) for each in verdict.scores})
        if column not in verdict.scores:
            self.message += f"\nColumn {column} is full."
            return
        after = self.position.play(column)
        line = () if after.is_over else principal_variation(after, -verdict.scores[column])
        self.message += f"\nBest play after column {column}: {' '.join(map(str, line)) or 'none, the game is over'}."


def read_column(text: str) -> int | None:
    """The column that was typed; None when it is no number.

    >>> read_column("4."), read_column("left")
    (4, None)
    """
    numbers = numbers_in(text)
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


def told(worths: dict[int, str]) -> str:
    """What the columns are worth, those that are worth the same together.

    >>> told({1: "draws", 2: "wins in 3 plies", 3: "draws"})
    '2 wins in 3 plies; 1, 3 draw.'
    """
    together: dict[str, list[str]] = {}
    for column, text in worths.items():
        together.setdefault(text, []).append(str(column))
    parts = []
    for text in sorted(together, key=_order):
        verb, _, rest = text.partition(" ")
        columns = together[text]
        parts.append(f"{', '.join(columns)} {verb if len(columns) == 1 else PLURAL[verb]} {rest}".rstrip())
    return "; ".join(parts) + "."


PLURAL = {"wins": "win", "draws": "draw", "loses": "lose", "is": "are"}


def _order(text: str) -> tuple[int, int]:
    """Wins first, the quick ones before the slow; losses last, the slow ones before the quick."""
    verb = text.split()[0]
    plies = next((int(word) for word in text.split() if word.isdecimal()), 0)
    return ["wins", "draws", "is", "loses"].index(verb), -plies if verb == "loses" else plies


# -- without exact scores


def glance(position: Position) -> dict[int, str]:
    """What is certain of each column some plies ahead, in words.

    >>> seen = glance(Position.from_moves("2233", rows=4, columns=5))
    >>> seen[4], seen[5]
    ('wins in 3 plies', 'is undecided')
    """
    seen = {}
    for column in position.legal_columns:
        child = position.play(column)
        outlook = alpha_beta(child, GLANCE, order=middle_first)
        if outlook.plies is None:
            seen[column] = "draws" if outlook.proven else "is undecided"
        else:
            seen[column] = f"{'wins' if outlook.value < 0 else 'loses'} in {in_plies(outlook.plies + 1)}"
    return seen

"""The game: stones fall to the lowest free cell of a column, and whoever first has ``connect`` of them in a line wins.

Squares are ``[row, column]``, both from 1, row 1 at the bottom; player ``a`` begins. The original's text is the rule: a player drops one
stone on any column that is not full, and the game is won by four in a row, a column or a diagonal. Its predicate ``adjacente/3``
looks at a single drop and at nothing else: it holds for either player, whoever's turn it would be, and after a win as before
(only a full board has no successor). So ``adjacent`` does the same, while a :class:`Position` knows turns and ends at a win. The
listing of its example has one bracket too many at the front; the text and the figure have two lists, and so do we.

A position holds two integers, one bit a cell: column after column, ``rows + 1`` bits each, from the bottom up. The spare bit on top
of each column stays empty, so that lines are found by shifting and none runs over the edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpsolve.cached import cached_property
from cpsolve.errors import IllegalMoveError, ModelError

if TYPE_CHECKING:
    from cpsolve.drawing import Picture
    from cpsolve.puzzles.games import Verdict

Square = tuple[int, int]
"""(row, column), from 1, row 1 at the bottom."""
Configuration = list[list[list[int]]]
"""The original's form: ``[squares of a, squares of b]``, each square ``[row, column]``."""

PLAYERS = ("a", "b")
LARGEST = 100
"""The longest side of a board, and the longest line."""


@dataclass(frozen=True)
class Position:
    """A board, and whose turn it is: ``a`` when both have the same number of stones, else ``b``.

    >>> position = Position.from_moves("4453")
    >>> print(position)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . b . . .
    . . b a a . .
    >>> position.to_move, position.legal_columns, position.play(6).winner
    ('a', (1, 2, 3, 4, 5, 6, 7), None)
    """

    rows: int = 6
    columns: int = 7
    connect: int = 4
    stones_a: int = 0
    stones_b: int = 0

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "connect"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ModelError(f"{name} must be a whole number from 1, not {value!r}")
            if value > LARGEST:
                raise ModelError(f"{name} must be at most {LARGEST}, not {value:,}")
        height, mask = self.rows + 1, self.stones_a | self.stones_b
        if self.stones_a & self.stones_b:
            raise ModelError("a cell holds a stone of both players; each cell holds at most one")
        if mask < 0 or mask >> height * self.columns:
            raise ModelError(f"a stone lies outside the {self.rows} × {self.columns} board")
        for column in range(self.columns):
            pile = mask >> column * height & (1 << height) - 1
            if pile & pile + 1 or pile >> self.rows:
                raise ModelError(f"column {column + 1} is no pile of at most {self.rows} stones: one floats or lies above the board")
        ahead = self.stones_a.bit_count() - self.stones_b.bit_count()
        if ahead not in (0, 1):
            raise ModelError(
                f"a has {self.stones_a.bit_count()} stones and b {self.stones_b.bit_count()}: "
                "players alternate and a begins, so a has as many as b or one more"
            )
        if self._has_line(self.stones_b if ahead else self.stones_a):
            raise ModelError(f"{self.to_move} already has a line, yet the other player has moved since; the game ends with a line")

    # -- ways in

    @classmethod
    def from_moves(cls, moves: str | Iterable[int], rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
        """The position after dropping stones on these columns in turn; digits as text, or any iterable of numbers.

        >>> Position.from_moves("4453") == Position.from_moves([4, 4, 5, 3])
        True
        """
        position = cls(rows, columns, connect)
        drops: Iterable[str | int] = moves
        for number, move in enumerate(drops, start=1):
            if isinstance(move, str) and not move.isdecimal():
                raise IllegalMoveError(f"move {number} is {move!r}: expected the digit of a column, 1 to {columns}, or a list of numbers")
            position = position.play(int(move) if isinstance(move, str) else move)
        return position

    @classmethod
    def from_lists(cls, configuration: Sequence[object], rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
        """The position of the original's nested lists; the order of the squares does not matter.

        >>> Position.from_lists([[[1, 4], [2, 4], [3, 4], [1, 5]], [[1, 3], [2, 5], [1, 6]]]).to_move
        'b'
        """
        stones = [sum(1 << _bit(square, rows) for square in squares) for squares in read_configuration(configuration, rows, columns)]
        return cls(rows, columns, connect, *stones)

    @classmethod
    def from_prolog(cls, text: str, rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
        """The position of the original's nested lists as Prolog text; see :func:`models.four_in_a_line.formats.from_prolog`.

        >>> Position.from_prolog("[[[1,4]],[[1,3]]]").ply
        2
        """
        from models.four_in_a_line import formats

        return formats.from_prolog(text, rows, columns, connect)

    @classmethod
    def from_text(cls, text: str, connect: int = 4) -> Position:
        """The position of a drawing like that of ``str``; see :func:`models.four_in_a_line.formats.from_text`.

        >>> Position.from_text(". . .\\nb a a").legal_columns
        (1, 2, 3)
        """
        from models.four_in_a_line import formats

        return formats.from_text(text, connect)

    # -- what can be asked

    @property
    def to_move(self) -> str:
        """The player whose turn it is, or would be if the game were not over.

        >>> Position().to_move
        'a'
        """
        return PLAYERS[self.ply % 2]

    @property
    def sides(self) -> tuple[int, int]:
        """The stones of the player to move and all stones, as bits: a column after the other, from the bottom, a free bit on top of each.

        >>> Position.from_moves("12").sides
        (1, 129)
        """
        return self.stones_b if self.ply & 1 else self.stones_a, self.stones_a | self.stones_b

    @cached_property
    def ply(self) -> int:
        """The number of stones on the board.

        >>> Position.from_moves("4453").ply
        4
        """
        return (self.stones_a | self.stones_b).bit_count()

    @property
    def size(self) -> int:
        """The number of cells.

        >>> Position().size
        42
        """
        return self.rows * self.columns

    @cached_property
    def winner(self) -> str | None:
        """The player who has a line, if any.

        >>> Position.from_moves("1212121").winner
        'a'
        """
        last, stones = ("b", self.stones_b) if self.ply % 2 == 0 else ("a", self.stones_a)
        return last if self._has_line(stones) else None

    @property
    def is_over(self) -> bool:
        """Whether somebody has a line or the board is full.

        >>> Position.from_moves("1212121").is_over
        True
        """
        return self.winner is not None or self.ply == self.size

    @property
    def legal_columns(self) -> tuple[int, ...]:
        """The columns that take a stone, from left to right; none once the game is over.

        >>> Position.from_moves("111111").legal_columns
        (2, 3, 4, 5, 6, 7)
        """
        if self.is_over:
            return ()
        top, step, mask = self.rows - 1, self.rows + 1, self.stones_a | self.stones_b
        return tuple(column + 1 for column in range(self.columns) if not mask >> column * step + top & 1)

    def legal_moves(self) -> tuple[int, ...]:
        """The same as ``legal_columns``, under the name that all games share.

        >>> Position(rows=4, columns=3).legal_moves()
        (1, 2, 3)
        """
        return self.legal_columns

    def height(self, column: int) -> int:
        """The number of stones on a column.

        >>> Position.from_moves("4453").height(4)
        2
        """
        step = self.rows + 1
        return ((self.stones_a | self.stones_b) >> (column - 1) * step & (1 << self.rows) - 1).bit_count()

    def at(self, row: int, column: int) -> str | None:
        """The player whose stone is on a square, if any.

        >>> Position.from_moves("4453").at(2, 4)
        'b'
        """
        bit = 1 << _bit((row, column), self.rows)
        return "a" if self.stones_a & bit else "b" if self.stones_b & bit else None

    def play(self, column: int) -> Position:
        """The position after the player to move drops a stone on a column.

        >>> Position().play(4).at(1, 4)
        'a'
        """
        if self.is_over:
            ended = f"{self.winner} has won" if self.winner else "the board is full"
            raise IllegalMoveError(f"no stone can be dropped on column {column}: {ended}\n{self}")
        if isinstance(column, bool) or not isinstance(column, int) or not 1 <= column <= self.columns:
            raise IllegalMoveError(f"there is no column {column!r}: expected one of {', '.join(map(str, self.legal_columns))}\n{self}")
        bottom = (column - 1) * (self.rows + 1)
        # one more than the pile is the cell on top of it
        stone = (self.stones_a | self.stones_b) + (1 << bottom) & (1 << self.rows) - 1 << bottom
        if not stone:
            raise IllegalMoveError(f"column {column} is full: expected one of {', '.join(map(str, self.legal_columns))}\n{self}")
        if self.ply & 1:
            return self._with(self.stones_a, self.stones_b | stone)
        return self._with(self.stones_a | stone, self.stones_b)

    def _with(self, stones_a: int, stones_b: int) -> Position:
        """A position that a legal move leads to: nothing to check again."""
        child = object.__new__(Position)
        child.__dict__.update(
            rows=self.rows, columns=self.columns, connect=self.connect, stones_a=stones_a, stones_b=stones_b, ply=self.ply + 1
        )
        return child

    def squares(self, player: str) -> Iterator[Square]:
        """The squares of a player's stones, column by column from the left, from the bottom up.

        >>> list(Position.from_moves("4453").squares("b"))
        [(1, 3), (2, 4)]
        """
        stones = self.stones_a if player == "a" else self.stones_b
        for column in range(1, self.columns + 1):
            for row in range(1, self.rows + 1):
                if stones >> _bit((row, column), self.rows) & 1:
                    yield row, column

    def to_lists(self) -> Configuration:
        """The original's nested lists: squares column by column, from the bottom up, as its example has them.

        >>> Position.from_moves("4453").to_lists()
        [[[1, 4], [1, 5]], [[1, 3], [2, 4]]]
        """
        return [[[row, column] for row, column in self.squares(player)] for player in PLAYERS]

    def to_prolog(self) -> str:
        """The original's nested lists as Prolog text.

        >>> Position.from_moves("4453").to_prolog()
        '[[[1,4],[1,5]],[[1,3],[2,4]]]'
        """
        from models.four_in_a_line import formats

        return formats.to_prolog(self)

    def __str__(self) -> str:
        return "\n".join(" ".join(self.at(row, column) or "." for column in range(1, self.columns + 1)) for row in range(self.rows, 0, -1))

    def picture(self, verdict: Verdict[int] | None = None) -> Picture:
        """The board, with the scores of a verdict; see :func:`models.four_in_a_line.drawing.draw`."""
        from models.four_in_a_line.drawing import draw

        return draw(self, verdict)

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def _has_line(self, stones: int) -> bool:
        if stones.bit_count() < self.connect:
            return False
        height = self.rows + 1
        for step in (1, height - 1, height, height + 1):  # up, the two diagonals and across
            line, length = stones, 1  # where a run of this length begins
            while line and length < self.connect:
                more = min(length, self.connect - length)
                line &= line >> more * step
                length += more
            if line:
                return True
        return False


def read_configuration(configuration: Sequence[object], rows: int = 6, columns: int = 7) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """The squares of a and of b, in the order given, checked: within the board, none twice, none floating.

    >>> read_configuration([[[1, 4]], []])
    (((1, 4),), ())
    """
    if not isinstance(configuration, list | tuple) or len(configuration) != 2:
        raise ModelError(f"expected two lists, the squares of a and those of b, found {configuration!r:.300}")
    owner: dict[Square, str] = {}
    for player, squares in zip(PLAYERS, configuration, strict=True):
        if not isinstance(squares, list | tuple):
            raise ModelError(f"expected a list of squares [row, column] for player {player}, found {squares!r:.300}")
        for square in squares:
            pair = _read_square(square, player, rows, columns)
            if pair in owner:
                whose = "both players" if owner[pair] != player else f"player {player} twice"
                raise ModelError(f"the square {list(pair)} is listed for {whose}; a square holds one stone")
            owner[pair] = player
    for (row, column), player in owner.items():
        if row > 1 and (row - 1, column) not in owner:
            raise ModelError(f"the stone of {player} on {[row, column]} floats: {[row - 1, column]} below it is empty")
    return (
        tuple(square for square, player in owner.items() if player == "a"),
        tuple(square for square, player in owner.items() if player == "b"),
    )


def _read_square(square: object, player: str, rows: int, columns: int) -> Square:
    if (
        not isinstance(square, list | tuple)
        or len(square) != 2
        or not all(isinstance(part, int) and not isinstance(part, bool) for part in square)
    ):
        raise ModelError(f"expected a square [row, column] of two numbers for player {player}, found {square!r:.300}")
    row, column = square
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise ModelError(f"the square {[row, column]} of {player} is outside: rows are 1 to {rows}, columns 1 to {columns}")
    return row, column


def _bit(square: Square, rows: int) -> int:
    row, column = square
    return (column - 1) * (rows + 1) + row - 1

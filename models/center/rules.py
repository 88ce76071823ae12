"""The game of Center: where a stone may go, who passes, and who has won.

Players ``x`` (first) and ``o`` put stones on empty cells in turn. A cell may be taken by a player who has at least as many stones
in sight of it as it is far from the perimeter; a line of sight stops at the first stone, so each direction shows one friend at most.
Who first stands on the centre wins. A player without a move passes; when neither has one the game is drawn.

A pass is not a move here: ``to_move`` is the player who moves next, so the same player may move twice, and ``legal_moves()`` is
empty exactly when the game is over. With ``swap`` the second player may answer the first stone with ``SWAP``: the stone becomes
theirs and the first player moves again.

The original counts friends by rows, columns and diagonals but prints neither those predicates nor what ends a game that nobody can
continue. Sight that ends at the first stone, passing and the draw are the published rules (Erickson and Amundsen, 2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cpsolve.cached import cached_property
from cpsolve.errors import IllegalMoveError, ModelError
from cpsolve.words import listed
from models.center.board import DIRECTIONS, MOST_ROWS, Board, Cell, board

if TYPE_CHECKING:
    from cpsolve.drawing import Picture
    from cpsolve.puzzles.games import Verdict

FIRST, SECOND = "x", "o"
EMPTY = " "
SWAP: Literal["swap"] = "swap"
Move = Cell | Literal["swap"]


def opponent(player: str) -> str:
    """The other player.

    >>> opponent("x")
    'o'
    """
    if player not in (FIRST, SECOND):
        raise ModelError(f"players are {FIRST!r} and {SECOND!r}, not {player!r}")
    return SECOND if player == FIRST else FIRST


@dataclass(frozen=True)
class Position:
    """A position: the stones, the player to move and the board. Immutable; ``play`` gives a new one.

    ``stones`` has one character per cell in reading order; :meth:`from_rows` is the easier way in.

    >>> position = Position(size=3).play((1, 1)).play((3, 1))
    >>> position.to_move, position.in_sight("x", (2, 2)), position.value("x")
    ('x', 1, 0)
    >>> position.play((2, 2)).winner
    'x'
    >>> len(Position(shape="hex", size=4).legal_moves())
    18
    """

    size: int = 5
    shape: str = "square"
    swap: bool = False
    stones: str = ""
    to_move: str = FIRST

    def __post_init__(self) -> None:
        cells = self.board.cells
        if not self.stones:
            object.__setattr__(self, "stones", EMPTY * len(cells))
        if len(self.stones) != len(cells) or (strange := set(self.stones) - {FIRST, SECOND, EMPTY}):
            found = f"{len(self.stones)} of them" if len(self.stones) != len(cells) else f"{sorted(strange)}"
            raise ModelError(f"stones: expected {len(cells)} characters 'x', 'o' or ' ' for {self.board}, found {found}")
        other = opponent(self.to_move)
        if self.winner is None and not self._can_move(self.to_move) and self._can_move(other):
            object.__setattr__(self, "to_move", other)

    @classmethod
    def from_rows(
        cls, rows: Sequence[Sequence[str]], to_move: str | None = None, *, shape: str | None = None, swap: bool = False
    ) -> Position:
        """The position on a board given row by row from the top, as the original writes it: 'x', 'o' and ' ' (or '.').

        Rows of one length make a square, rows that grow and shrink again a hexagon. Without ``to_move`` it is x's turn when both
        have as many stones and o's when x has one more; after passes or a swap that cannot be read off and must be given.

        >>> print(Position.from_rows(["x o", " x ", "   "]))
            1   2   3
           ___________
        1 | x |   | o |
        2 |   | x |   |
        3 |   |   |   |
        x has won
        """
        if len(rows) > MOST_ROWS:
            raise ModelError(f"{len(rows):,} rows are no board of Center: expected at most {MOST_ROWS}")
        lengths = [len(row) for row in rows]
        size = lengths[0] if lengths else 0
        if shape is None:
            shape = "square" if all(length == size for length in lengths) else "hex"
        if not lengths or tuple(lengths) != board(shape, size).row_lengths:
            raise ModelError(
                f"rows of {listed(lengths, 20)} cells are no board of Center: "
                "expected a square with an odd number of rows of as many cells, or a hexagon "
                "whose rows grow by one from the side to the middle and shrink again"
            )
        stones = "".join(EMPTY if stone == "." else str(stone) for row in rows for stone in row)
        if len(stones) != sum(lengths) or set(stones) - {FIRST, SECOND, EMPTY}:
            strange = next(stone for row in rows for stone in row if stone not in (FIRST, SECOND, EMPTY, "."))
            raise ModelError(f"a cell holds 'x', 'o' or ' ' (or '.'), not {strange!r:.40}")
        if to_move is None:
            to_move = turn_by_count(stones)
        return cls(size, shape, swap, stones, to_move)

    # -- the board

    @cached_property
    def board(self) -> Board:
        """The board without its stones."""
        return board(self.shape, self.size)

    @property
    def centre(self) -> Cell:
        """The cell that wins."""
        return self.board.centre

    def distance(self, cell: Cell) -> int:
        """How far a cell lies from the perimeter: the friends that must be in sight of it.

        >>> Position(size=5).distance((3, 3))
        2
        """
        return self.board.distance(cell)

    def stone(self, cell: Cell) -> str:
        """What stands on a cell: 'x', 'o' or ' '.

        >>> Position(size=3).play((2, 1)).stone((2, 1))
        'x'
        """
        return self.stones[self.board.index[self.board.require(cell)]]

    def count(self, player: str) -> int:
        """The number of stones of a player.

        >>> Position(size=3).play((2, 1)).count("x")
        1
        """
        return self.stones.count(player)

    def rows(self) -> list[list[str]]:
        """The board row by row from the top, as the original writes it.

        >>> Position(size=3).play((1, 1)).rows()
        [['x', ' ', ' '], [' ', ' ', ' '], [' ', ' ', ' ']]
        """
        remaining = iter(self.stones)
        return [[next(remaining) for _ in range(length)] for length in self.board.row_lengths]

    # -- sight

    def seen_from(self, cell: Cell) -> dict[str, Cell]:
        """The first stone in each direction that shows one.

        >>> Position(size=3).play((1, 1)).seen_from((3, 1))
        {'west': (1, 1)}
        """
        index = self.board.index
        rays = self.board.rays[index[self.board.require(cell)]]
        firsts = ((name, next((other for other in ray if self.stones[index[other]] != EMPTY), None)) for name, ray in rays.items())
        return {name: first for name, first in firsts if first is not None}

    def friends(self, player: str, cell: Cell) -> tuple[Cell, ...]:
        """The stones of a player that are in sight of a cell.

        >>> Position(size=3).play((1, 1)).friends("x", (2, 2))
        ((1, 1),)
        """
        return tuple(other for other in self.seen_from(cell).values() if self.stone(other) == player)

    def in_sight(self, player: str, cell: Cell) -> int:
        """How many stones of a player are in sight of a cell: the original's ``howManyFriendsInSight``.

        >>> Position.from_rows(["x.o", "...", "..."]).in_sight("o", (2, 2))
        1
        """
        opponent(player)  # says so when that is no player
        return len(self.friends(player, cell))

    def value(self, player: str, after: Move | None = None) -> int:
        """How many more friends a player needs in sight of the centre: the original's ``value``; 0 or less may take it.

        With ``after`` it is what this will be after a move of the player to move, whose legality is not looked at.

        >>> Position(size=7).value("x"), Position(size=7).value("x", after=(1, 1))
        (3, 2)
        """
        opponent(player)
        stones = self.stones if after is None else self._stones_after(after)
        return self._missing(stones, player, len(stones) // 2)

    # -- moves

    def may_take(self, player: str, cell: Cell) -> bool:
        """Whether a player may put a stone on a cell, if it were their turn: the original's ``legalStonePlacement``.

        >>> Position(size=3).may_take("x", (2, 2))
        False
        """
        opponent(player)
        return self._may_take(player, self.board.index[self.board.require(cell)])

    def _may_take(self, player: str, number: int) -> bool:
        return self.stones[number] == EMPTY and self._missing(self.stones, player, number) <= 0

    def _missing(self, stones: str, player: str, number: int) -> int:
        """How many more friends a player needs in sight of a cell, with these stones on the board."""
        missing = self.board.distances[number]
        for ray in self.board.ray_numbers[number] if missing else ():
            for other in ray:
                if stones[other] != EMPTY:
                    missing -= stones[other] == player
                    break
        return missing

    def _takeable(self, player: str) -> Iterator[int]:
        """The numbers of the cells that a player may take; none of those farther in than there are friends or directions to see one in."""
        most = min(self.stones.count(player), len(DIRECTIONS[self.shape]))
        return (number for number, needed in enumerate(self.board.distances) if needed <= most and self._may_take(player, number))

    def _can_move(self, player: str) -> bool:
        return next(self._takeable(player), None) is not None

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may take over the only stone."""
        return self.swap and self.to_move == SECOND and self.count(FIRST) == 1 and self.count(SECOND) == 0 and self.winner is None

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        if self.winner is not None:
            return ()
        cells: tuple[Move, ...] = tuple(self.board.cells[number] for number in self._takeable(self.to_move))
        return (*cells, SWAP) if self.can_swap else cells

    def legal_moves(self) -> tuple[Move, ...]:
        """The cells that the player to move may take, in reading order (and ``"swap"`` when that is allowed).

        Empty exactly when the game is over: a player without a move has passed already.

        >>> Position(size=3).play((1, 1)).play((2, 1)).legal_moves()
        ((3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (3, 3))
        """
        return self._moves

    def play(self, move: Move) -> Position:
        """The position after a legal move; any other is an IllegalMoveError that says why and shows the position.

        >>> Position(size=3).play((2, 2))
        Traceback (most recent call last):
        cpsolve.errors.IllegalMoveError: x cannot take (2, 2): it needs 1 friend in sight and sees 0: no stone in any direction
            1   2   3
           ___________
        1 |   |   |   |
        2 |   |   |   |
        3 |   |   |   |
        x to move
        """
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMoveError(f"{reason}\n{self}")
        return Position(self.size, self.shape, self.swap, self._stones_after(move), opponent(self.to_move))

    def _stones_after(self, move: Move) -> str:
        if move == SWAP:
            return self.stones.replace(FIRST, SECOND)
        place = self.board.index[move]
        return self.stones[:place] + self.to_move + self.stones[place + 1 :]

    def why_not(self, move: Any) -> str | None:
        """Why the player to move may not make a move, in words; None when it is legal.

        >>> Position.from_rows(["x.o..", ".....", ".....", ".....", "....."]).why_not((3, 3))
        'x cannot take (3, 3): it needs 2 friends in sight and sees 1: x on (1, 1) to the north-west; o on (3, 1) to the north'
        """
        if self.winner is not None:
            return f"the game is over: {self.winner} has won"
        if move == SWAP:
            return None if self.can_swap else f"{self.to_move} cannot swap: {self._why_no_swap()}"
        if self.is_over:
            return "the game is over: neither player has a move, it is drawn"
        try:
            cell = self.board.require(move)
        except ModelError as error:
            return str(error)
        if self.stone(cell) != EMPTY:
            return f"{self.to_move} cannot take {cell}: {self.stone(cell)} stands there"
        if self.may_take(self.to_move, cell):
            return None
        needed, found = self.distance(cell), self.in_sight(self.to_move, cell)
        return f"{self.to_move} cannot take {cell}: it needs {_friends(needed)} in sight and sees {found}: {self._view(cell)}"

    def _view(self, cell: Cell) -> str:
        """What is in sight of a cell, friends of the player to move first, and which friends are hidden behind others' stones."""
        seen = self.seen_from(cell)
        rays = self.board.rays[self.board.index[cell]]
        told = []
        for player in (self.to_move, opponent(self.to_move)):
            for name, other in seen.items():
                if self.stone(other) == player:
                    behind = rays[name][rays[name].index(other) + 1 :]
                    hidden = next((far for far in behind if player != self.to_move and self.stone(far) == self.to_move), None)
                    told.append(f"{player} on {other} to the {name}" + (f" (which hides {self.to_move} on {hidden})" if hidden else ""))
        return "; ".join(told) or "no stone in any direction"

    def _why_no_swap(self) -> str:
        if not self.swap:
            return "this game is played without the swap rule"
        return f"only {SECOND} may, in answer to the first stone"

    # -- the end

    @property
    def winner(self) -> str | None:
        """The player on the centre: the original's ``game_over``."""
        stone = self.stones[len(self.stones) // 2]
        return None if stone == EMPTY else stone

    @cached_property
    def is_over(self) -> bool:
        """Whether somebody has won or neither player has a move; found without listing the moves, which takes long on a large board."""
        return self.winner is not None or not (self.can_swap or self._can_move(self.to_move))

    def __str__(self) -> str:
        from models.center.formats import draw

        return draw(self)

    def picture(self, verdict: Verdict[Move] | None = None) -> Picture:
        """The board, with the best moves of a verdict; see :func:`models.center.drawing.draw`."""
        from models.center.drawing import draw

        return draw(self, verdict)

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def turn_by_count(stones: Iterable[str]) -> str:
    """Whose turn it is by the number of stones, when nobody has passed or swapped.

    >>> turn_by_count("xox")
    'o'
    """
    listed = list(stones)
    lead = listed.count(FIRST) - listed.count(SECOND)
    if lead not in (0, 1):
        raise ModelError(
            f"x has {listed.count(FIRST)} stones and o has {listed.count(SECOND)}: "
            "whose turn it is cannot be read off; give to_move='x' or 'o'"
        )
    return SECOND if lead else FIRST


def _friends(number: int) -> str:
    return f"{number} friend{'' if number == 1 else 's'}"

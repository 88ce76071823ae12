"""Pacman, the game: eat the dot, then every ghost, then the cherry, on a board of cells.

Cells are ``(x, y)``, both from 0, y downwards, as in the original. Pacman moves right, left, up or down, stays on the board, and
eats what lies where he arrives. He enters a ghost's cell only after the dot, and the cherry's cell only when no ghost is left;
the goal is to stand there with the dot eaten. Ghosts do not move. ``walls`` are an addition: nobody enters them.

The original's listing has typing errors; the text wins:

* ``come_fantasma(Estado, X, Y, …)`` in ``move_direita`` empties Pacman's cell instead of the ghost's.
* ``posicao(cereja, X, Ynext)`` in ``move_cima`` names a fresh variable, so that no move up is possible in that clause while
  the cherry is anywhere in Pacman's column.
* ``coordenadas(fantasmas, …)`` in ``move_baixo`` never finds a ghost, so that Pacman enters ghosts from above without the dot.
* ``come_ponto(Estado, X, YNext, EstadoAux)`` in ``move_baixo`` does not exist with four arguments.

With these mended the listing and the rules here allow the same moves while a ghost is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Cell, Move, Plan, cell_of, cells_of, check_sizes

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

DIRECTIONS = ((Move("right"), (1, 0)), (Move("left"), (-1, 0)), (Move("up"), (0, -1)), (Move("down"), (0, 1)))


@dataclass(frozen=True, slots=True)
class State:
    """Where Pacman is, whether the dot is eaten, and the ghosts that are left."""

    cell: Cell
    dot_eaten: bool
    ghosts: frozenset[Cell]


@dataclass(frozen=True, init=False)
class Board:
    """A board of the game; a board that cannot be is a ModelError that names what is wrong.

    >>> board = Board(3, 1, pacman=(1, 0), dot=(0, 0), cherry=(2, 0), ghosts=[])
    >>> [str(move) for move, _ in board.moves(board.start())]
    ['right', 'left']
    >>> Board(3, 1, pacman=(1, 0), dot=(1, 0), cherry=(2, 0), ghosts=[])
    Traceback (most recent call last):
        ...
    cpsolve.errors.ModelError: pacman and the dot are in one place, (1, 0)
    """

    width: int
    height: int
    pacman: Cell
    dot: Cell
    cherry: Cell
    ghosts: frozenset[Cell]
    walls: frozenset[Cell]

    def __init__(
        self,
        width: int,
        height: int,
        pacman: Cell,
        dot: Cell,
        cherry: Cell,
        ghosts: Iterable[Cell],
        walls: Iterable[Cell] = (),
    ) -> None:
        values = {
            "width": width,
            "height": height,
            "pacman": cell_of(pacman, "pacman"),
            "dot": cell_of(dot, "the dot"),
            "cherry": cell_of(cherry, "the cherry"),
            "ghosts": cells_of(ghosts, "a ghost"),
            "walls": cells_of(walls, "a wall"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._validate()

    def _validate(self) -> None:
        check_sizes(self.width, self.height, "a board")
        things = [("pacman", self.pacman), ("the dot", self.dot), ("the cherry", self.cherry)]
        things += [("a ghost", cell) for cell in sorted(self.ghosts)] + [("a wall", cell) for cell in sorted(self.walls)]
        owner: dict[Cell, str] = {}
        for name, cell in things:
            if not (0 <= cell[0] < self.width and 0 <= cell[1] < self.height):
                raise ModelError(f"{name} at {cell} is outside the board: x is 0 to {self.width - 1} and y is 0 to {self.height - 1}")
            if cell in owner:
                raise ModelError(f"{owner[cell]} and {name} are in one place, {cell}")
            owner[cell] = name

    # -- the rules

    def start(self) -> State:
        """Pacman at his place, with everything still to eat."""
        return State(self.pacman, False, self.ghosts)

    def is_goal(self, state: State) -> bool:
        """Whether Pacman stands where the cherry is, with the dot and every ghost eaten."""
        return state.cell == self.cherry and state.dot_eaten and not state.ghosts

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """The legal moves, in the order of the original's rules: right, left, up, down."""
        x, y = state.cell
        for move, (dx, dy) in DIRECTIONS:
            cell = (x + dx, y + dy)
            if not (0 <= cell[0] < self.width and 0 <= cell[1] < self.height) or cell in self.walls:
                continue
            if cell in state.ghosts:
                if state.dot_eaten:
                    yield move, State(cell, True, state.ghosts - {cell})
            elif cell != self.cherry or not state.ghosts:
                yield move, State(cell, state.dot_eaten or cell == self.dot, state.ghosts)

    def cells(self) -> Iterator[Cell]:
        """The cells without a wall, row by row."""
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) not in self.walls:
                    yield x, y

    # -- formats

    @classmethod
    def from_prolog(cls, text: str) -> Board:
        """A board from the original's ``params.pl``; see :func:`models.pacman.formats.from_prolog`."""
        from models.pacman import formats

        return formats.from_prolog(text)

    def to_prolog(self) -> str:
        """The board as ``params.pl``, which :meth:`from_prolog` reads back."""
        from models.pacman import formats

        return formats.to_prolog(self)

    @classmethod
    def from_text(cls, text: str) -> Board:
        """A board from the original's drawing or a plain map; see :func:`models.pacman.formats.from_text`."""
        from models.pacman import formats

        return formats.from_text(text)

    def to_text(self) -> str:
        """The board as a plain map, which :meth:`from_text` reads back."""
        from models.pacman import formats

        return formats.to_text(self)

    def picture(self, plan: Plan[State] | None = None, step: int | None = None) -> Picture:
        """A picture, of a plan too; see :func:`models.pacman.drawing.draw`."""
        from models.pacman import drawing

        return drawing.draw(self, plan, step)

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def __str__(self) -> str:
        from models.pacman import formats

        return formats.draw(self)

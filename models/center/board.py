"""The board without stones: which cells there are, how far each lies from the perimeter, and what lies on each line of sight.

A square board has an odd side, so that it has a centre, and eight directions; a hexagonal board has any side and six. Everything
that tells the two apart is here: the rest of the game sees cells, distances, rays and symmetries only.

A cell is ``(x, y)``, counted from 1: the x-th cell of the y-th row from the top. On a hexagonal board the rows grow from ``size``
cells to ``2 * size - 1`` and shrink again. A *ray* is the cells seen from a cell in one direction, nearest first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from cpsolve.cached import cached_property
from cpsolve.errors import ModelError

Cell = tuple[int, int]
Place = tuple[int, int]
"""Where a cell lies in the plane that directions are added in: (column, row) from 0; oblique axes on a hexagonal board."""

SHAPES = ("square", "hex")
LARGEST = {"square": 99, "hex": 50}
"""The longest side of a board of each shape: about 10,000 cells, whose lines of sight are kept once somebody looks along them."""
MOST_ROWS = 99
"""Of the largest boards of either shape."""

DIRECTIONS: dict[str, dict[str, Place]] = {
    "square": {
        "north": (0, -1),
        "north-east": (1, -1),
        "east": (1, 0),
        "south-east": (1, 1),
        "south": (0, 1),
        "south-west": (-1, 1),
        "west": (-1, 0),
        "north-west": (-1, -1),
    },
    "hex": {
        "north-east": (1, -1),
        "east": (1, 0),
        "south-east": (0, 1),
        "south-west": (-1, 1),
        "west": (-1, 0),
        "north-west": (0, -1),
    },
}


@dataclass(frozen=True)
class Board:
    """An empty board; get it from :func:`board`, which keeps one of each.

    >>> square = board("square", 5)
    >>> square.centre, square.distance(square.centre), square.distance((1, 4)), len(square.cells)
    ((3, 3), 2, 0, 25)
    >>> hexagon = board("hex", 4)
    >>> hexagon.centre, hexagon.distance(hexagon.centre), hexagon.row_lengths
    ((4, 4), 3, (4, 5, 6, 7, 6, 5, 4))
    """

    shape: str
    size: int
    row_lengths: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ModelError(f"a board is 'square' or 'hex', not {self.shape!r}")
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 1:
            raise ModelError(f"the size of a board is the number of cells on a side, 1 or more, not {self.size!r}")
        if self.shape == "square" and self.size % 2 == 0:
            raise ModelError(f"a square board of side {self.size} has no centre: give an odd side, {self.size - 1} or {self.size + 1}")
        if self.size > LARGEST[self.shape]:
            raise ModelError(f"a {self.shape} board of side {self.size:,} is too large: expected at most {LARGEST[self.shape]}")
        rows = 2 * self.size - 1
        lengths = [self.size] * self.size if self.shape == "square" else [rows - abs(row - self.size + 1) for row in range(rows)]
        object.__setattr__(self, "row_lengths", tuple(lengths))

    # -- cells

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell in reading order, the order of the original's ``valid_moves``."""
        return tuple((x, y) for y, length in enumerate(self.row_lengths, 1) for x in range(1, length + 1))

    @cached_property
    def index(self) -> dict[Cell, int]:
        """The number of each cell in reading order, from 0."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def centre(self) -> Cell:
        """The cell that wins."""
        return self.cells[len(self.cells) // 2]

    def require(self, cell: object) -> Cell:
        """The cell itself, or a ModelError when it is not on this board.

        >>> board("square", 3).require((4, 1))
        Traceback (most recent call last):
        cpsolve.errors.ModelError: there is no cell (4, 1) on the square board of side 3: expected (x, y) with y in 1..3 and x in 1..3
        """
        if not (isinstance(cell, tuple) and len(cell) == 2) or cell not in self.index:
            width = f"1..{self.size}" if self.shape == "square" else f"1..{self.size} to 1..{2 * self.size - 1} by row"
            raise ModelError(f"there is no cell {cell!r} on {self}: expected (x, y) with y in 1..{len(self.row_lengths)} and x in {width}")
        return cell

    # -- distance and sight

    def distance(self, cell: Cell) -> int:
        """How far a cell lies from the perimeter: 0 on it.

        >>> [board("square", 7).distance((x, 3)) for x in range(1, 8)]
        [0, 1, 2, 2, 2, 1, 0]
        """
        return self.distances[self.index[self.require(cell)]]

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """The distance of each cell by number: the farther from the centre, the nearer to the perimeter."""
        middle = self._places[self.centre]
        offsets = ((column - middle[0], row - middle[1]) for column, row in self._places.values())
        if self.shape == "square":
            return tuple(self.size // 2 - max(abs(across), abs(down)) for across, down in offsets)
        return tuple(self.size - 1 - max(abs(across), abs(down), abs(across + down)) for across, down in offsets)

    @cached_property
    def rays(self) -> Rays:
        """For each cell by number: the cells in each direction, nearest first."""
        return Rays(self)

    @cached_property
    def ray_numbers(self) -> RayNumbers:
        """The same with cells as numbers and without the directions that show nothing, for loops that matter."""
        return RayNumbers(self)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell by number: the next cell in each direction, by number, or the number of all cells where the board ends.

        >>> board("square", 3).neighbours[0]
        (9, 9, 1, 4, 3, 9, 9, 9)
        """
        steps = DIRECTIONS[self.shape].values()
        numbers = {place: number for number, place in enumerate(self._places.values())}
        beyond = len(self.cells)
        return tuple(tuple(numbers.get((column + right, row + down), beyond) for right, down in steps) for column, row in numbers)

    def line(self, number: int, direction: int) -> tuple[int, ...]:
        """The cells from a cell to the end of the board in a direction, counted from 0, without itself; all by number.

        >>> board("square", 3).line(0, 3)
        (4, 8)
        """
        found: list[int] = []
        neighbours, beyond = self.neighbours, len(self.cells)
        while (number := neighbours[number][direction]) != beyond:
            found.append(number)
        return tuple(found)

    @cached_property
    def _places(self) -> dict[Cell, Place]:
        shift = [0 if self.shape == "square" else max(0, self.size - y) for y in range(1, len(self.row_lengths) + 1)]
        return {(x, y): (x - 1 + shift[y - 1], y - 1) for x, y in self.cells}

    @cached_property
    def _at(self) -> dict[Place, Cell]:
        return {place: cell for cell, place in self._places.items()}

    # -- symmetry

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The board's symmetries (8 of a square, 12 of a hexagon), the identity first: where each cell number goes.

        >>> len(board("square", 5).symmetries), len(board("hex", 3).symmetries)
        (8, 12)
        """
        middle = self._places[self.centre]
        turn: Callable[[Place], Place] = (lambda p: (-p[1], p[0])) if self.shape == "square" else (lambda p: (-p[1], p[0] + p[1]))
        found: list[tuple[int, ...]] = []
        for mirrored in (False, True):
            places = [(column - middle[0], row - middle[1]) for column, row in (self._places[cell] for cell in self.cells)]
            if mirrored:
                places = [(row, column) for column, row in places]
            for _ in range(4 if self.shape == "square" else 6):
                found.append(tuple(self.index[self._at[column + middle[0], row + middle[1]]] for column, row in places))
                places = [turn(place) for place in places]
        return tuple(dict.fromkeys(found))  # a board of one cell has but one

    def __str__(self) -> str:
        return f"the {'square' if self.shape == 'square' else 'hexagonal'} board of side {self.size}"


class Rays(dict[int, dict[str, tuple[Cell, ...]]]):
    """The lines of sight of a board, by the number of the cell that they begin at; each is found when it is asked for."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def __missing__(self, number: int) -> dict[str, tuple[Cell, ...]]:
        cells, names = self.board.cells, DIRECTIONS[self.board.shape]
        lines = (self.board.line(number, direction) for direction in range(len(names)))
        found = self[number] = {name: tuple(cells[each] for each in line) for name, line in zip(names, lines, strict=True)}
        return found


class RayNumbers(dict[int, tuple[tuple[int, ...], ...]]):
    """The same as numbers of cells."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def __missing__(self, number: int) -> tuple[tuple[int, ...], ...]:
        lines = (self.board.line(number, direction) for direction in range(len(DIRECTIONS[self.board.shape])))
        found = self[number] = tuple(line for line in lines if line)
        return found


@lru_cache(maxsize=64)
def board(shape: str, size: int) -> Board:
    """The board of a shape and size, made once.

    >>> board("hex", 2).cells
    ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3))
    """
    return Board(shape, size)

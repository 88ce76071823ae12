"""A puzzle on a grid as it is printed: its clues, its regions and what stands around it, before any model is made of it.

Cells are ``(row, column)`` from (0, 0) at the upper left, as in :func:`cpsolve.grid`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from cpsolve.errors import ModelError

Cell = tuple[int, int]
Side = Literal["top", "left", "bottom", "right"]
SIDES: tuple[Side, ...] = ("top", "left", "bottom", "right")

DIRECTIONS: Mapping[str, Cell] = MappingProxyType({"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)})
"""The step that each direction is."""


@dataclass(frozen=True)
class GridPuzzle:
    """What is printed of a puzzle on a grid.

    ``clues`` says what stands in a cell; what that is depends on the kind (a number, None for a clue whose number is not told, a word, a
    pair). ``regions`` gives each cell the number of its region, row by row, or is empty. ``outside`` are the clues along the sides, one
    entry per row or column. ``number`` is one that goes for the whole board, such as the stars of every row.

    >>> puzzle = GridPuzzle("slitherlink", 2, 3, {(0, 0): 3})
    >>> puzzle.clues[0, 0], len(list(puzzle.cells))
    (3, 6)
    """

    kind: str
    rows: int
    columns: int
    clues: Mapping[Cell, Any] = field(default_factory=dict)
    regions: tuple[tuple[int, ...], ...] = ()
    outside: Mapping[Side, tuple[Any, ...]] = field(default_factory=dict)
    number: int | None = None

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise ModelError(f"{self.kind}: expected at least one row and one column, got {self.rows} × {self.columns}")
        for cell in self.clues:
            if cell not in self:
                raise ModelError(f"{self.kind}: the clue at {cell} is outside the board of {self.rows} × {self.columns} cells")
        regions = tuple(tuple(row) for row in self.regions)
        if regions and [len(row) for row in regions] != [self.columns] * self.rows:
            raise ModelError(f"{self.kind}: give one region per cell, {self.rows} rows of {self.columns}")
        for side, entries in self.outside.items():
            if side not in SIDES or len(entries) != (self.columns if side in ("top", "bottom") else self.rows):
                raise ModelError(f"{self.kind}: expected one clue per row at the left and right and per column at the top and bottom")
        object.__setattr__(self, "clues", MappingProxyType(dict(sorted(self.clues.items()))))
        object.__setattr__(self, "outside", MappingProxyType({side: tuple(entries) for side, entries in self.outside.items()}))
        object.__setattr__(self, "regions", regions)

    def __reduce__(self) -> tuple[Any, ...]:
        return GridPuzzle, (self.kind, self.rows, self.columns, dict(self.clues), self.regions, dict(self.outside), self.number)

    def __hash__(self) -> int:
        return hash((self.kind, self.rows, self.columns, tuple(self.clues.items()), self.regions, tuple(sorted(self.outside.items()))))

    def __contains__(self, cell: Cell) -> bool:
        row, column = cell
        return 0 <= row < self.rows and 0 <= column < self.columns

    @property
    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row.

        >>> list(GridPuzzle("", 1, 2).cells)
        [(0, 0), (0, 1)]
        """
        return ((row, column) for row in range(self.rows) for column in range(self.columns))

    def rooms(self) -> list[list[Cell]]:
        """The cells of each region, in the order of the regions' first cells.

        >>> GridPuzzle("", 1, 3, regions=((7, 2, 2),)).rooms()
        [[(0, 0)], [(0, 1), (0, 2)]]
        """
        members: dict[int, list[Cell]] = {}
        for row, column in self.cells if self.regions else ():
            members.setdefault(self.regions[row][column], []).append((row, column))
        return list(members.values())

    def ray(self, cell: Cell, direction: str) -> list[Cell]:
        """The cells that lie from a cell in a direction (up, down, left, right), nearest first, without itself.

        >>> GridPuzzle("", 2, 3).ray((0, 0), "right")
        [(0, 1), (0, 2)]
        """
        if direction not in DIRECTIONS:
            raise ModelError(f"expected a direction among {', '.join(DIRECTIONS)}, got {direction!r}")
        (row, column), (down, right) = cell, DIRECTIONS[direction]
        found = []
        while (row := row + down, column := column + right) in self:
            found.append((row, column))
        return found

    def lines(self) -> list[list[Cell]]:
        """Every row, then every column, as lists of cells.

        >>> GridPuzzle("", 1, 2).lines()
        [[(0, 0), (0, 1)], [(0, 0)], [(0, 1)]]
        """
        rows = [[(row, column) for column in range(self.columns)] for row in range(self.rows)]
        return [*rows, *([row[column] for row in rows] for column in range(self.columns))]


def at(cell: Sequence[int]) -> str:
    """How a cell is called in words, counted from 1.

    >>> at((0, 3))
    'r1c4'
    """
    return f"r{cell[0] + 1}c{cell[1] + 1}"

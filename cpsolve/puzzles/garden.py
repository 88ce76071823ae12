"""The smallest puzzle with a walk: pick all flowers of a garden and leave by the gate. The examples of this package are about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cpsolve.cached import cached_property
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.plans import Cell, Move
from cpsolve.puzzles.routes import Route, Stage

DIRECTIONS = ((Move("right"), (1, 0)), (Move("left"), (-1, 0)), (Move("up"), (0, -1)), (Move("down"), (0, 1)))


@dataclass(frozen=True, slots=True)
class Visit:
    """Where the visitor is, and the flowers that are left."""

    cell: Cell
    flowers: frozenset[Cell]


@dataclass(frozen=True)
class Garden:
    """A garden as text: ``S`` the start, ``o`` a flower, ``E`` the gate, ``#`` a hedge; cells are (column, row), from 0.

    >>> garden = Garden("So.\\n#.E")
    >>> [str(move) for move, _ in garden.moves(garden.start())], garden.gate
    (['right'], (2, 1))
    """

    text: str

    @cached_property
    def marks(self) -> dict[Cell, str]:
        """What is in each cell that is no hedge."""
        return {(x, y): mark for y, line in enumerate(self.text.splitlines()) for x, mark in enumerate(line) if mark != "#"}

    @cached_property
    def gate(self) -> Cell:
        """The cell of the gate."""
        return next(cell for cell, mark in self.marks.items() if mark == "E")

    def start(self) -> Visit:
        """The visitor at the start, with all flowers to pick."""
        start = next(cell for cell, mark in self.marks.items() if mark == "S")
        return Visit(start, frozenset(cell for cell, mark in self.marks.items() if mark == "o"))

    def is_goal(self, state: Visit) -> bool:
        """Whether the visitor is at the gate with all flowers."""
        return state.cell == self.gate and not state.flowers

    def moves(self, state: Visit) -> Iterator[tuple[Move, Visit]]:
        """The steps to neighbouring cells; a flower is picked on arrival."""
        for move, cell in self.steps(state.cell):
            yield move, Visit(cell, state.flowers - {cell})

    def steps(self, cell: Cell) -> Iterator[tuple[Move, Cell]]:
        """The steps from a cell, whatever was picked."""
        for move, (dx, dy) in DIRECTIONS:
            beside = (cell[0] + dx, cell[1] + dy)
            if beside in self.marks:
                yield move, beside


def route(garden: Garden) -> Route[Visit]:
    """The garden as a route of one stage.

    >>> route(Garden("So.E")).stages[0].items
    ((1, 0),)
    """
    start = garden.start()

    def divide() -> list[Stage]:
        return [Stage(MoveGraph(garden.marks, garden.steps), start.cell, start.flowers, garden.gate, ("start", "flower", "gate"))]

    return Route(garden, divide, lambda obstacle: f"no way leads to {obstacle.target}", lambda state: (0, state.flowers))

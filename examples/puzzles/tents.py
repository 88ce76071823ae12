"""Tents: one tent for each tree, beside it; no two tents touch, not even at a corner. Numbers outside tell the tents of rows and columns.

python examples/puzzles/tents.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import DIRECTIONS, Cell, GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?tents/8/8/2211301230213030j353b43102b07"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the tents."""
    m = cp.Model("tents")
    tent = m.bool_vars((puzzle.rows, puzzle.columns), name="tent")
    beside: dict[Cell, list[Any]] = {cell: [] for cell in puzzle.cells}
    for row, column in puzzle.clues:
        near = [(row + down, column + right) for down, right in DIRECTIONS.values()]
        own = {cell: m.bool_var(f"pitched({row}, {column}){cell}") for cell in near if cell in puzzle and cell not in puzzle.clues}
        m.add(cp.exactly_one(list(own.values())), name=f"the tree in {at((row, column))} has a tent")
        for cell, belongs in own.items():
            beside[cell].append(belongs)
    for cell in puzzle.cells:
        m.add(tent[cell] == sum(beside[cell]), name=f"a tent in {at(cell)} belongs to one tree")
    for row in range(puzzle.rows - 1):
        for column in range(puzzle.columns - 1):
            m.add(cp.at_most_one(tent[row : row + 2, column : column + 2]), name=f"no two touch around {at((row, column))}")
    for side, lines, word in (("left", tent, "row"), ("top", tent.T, "column")):
        for line, number in enumerate(puzzle.outside.get(side, ())):  # type: ignore[call-overload]
            if number is not None:
                m.add(lines[line].sum() == number, name=f"{number} in {word} {line + 1}")
    return m, tent


def draw(puzzle: GridPuzzle, tent: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the tents of a solution."""
    return pictures.draw(puzzle, marks={cell: "tent" for cell in puzzle.cells if solution[tent[cell]]} if solution else {})


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

"""Shikaku: cut the board into rectangles; each has one number, which tells how many cells it has.

python examples/puzzles/shikaku.py [LINK or FILE] [--svg FILE]
"""

import sys
from itertools import product
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?shikaku/8/8/i8j6h7i4r3g6g6g7w3g9g2l3"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and a 0/1 variable for every rectangle that may be cut out, by its cells."""
    m = cp.Model("shikaku")
    rectangles = {}
    for corner in puzzle.cells:
        for last in puzzle.cells:
            cells = tuple(product(range(corner[0], last[0] + 1), range(corner[1], last[1] + 1)))
            numbers = [puzzle.clues[cell] for cell in cells if cell in puzzle.clues]
            if len(numbers) == 1 and numbers[0] in (None, len(cells)):
                rectangles[cells] = m.bool_var(f"rectangle{corner}{last}")
    for cell in puzzle.cells:
        covering = [chosen for cells, chosen in rectangles.items() if cell in cells]
        m.add(cp.exactly_one(covering), name=f"{at(cell)} is in one rectangle")
    return m, rectangles


def draw(puzzle: GridPuzzle, rectangles: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the rectangles of a solution."""
    area = {cell: cells[0] for cells, chosen in (rectangles or {}).items() if solution[chosen] for cell in cells}
    labels = [[area.get((row, column)) for column in range(puzzle.columns)] for row in range(puzzle.rows)]
    return pictures.draw(puzzle, areas=labels)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

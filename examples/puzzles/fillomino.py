"""Fillomino: write a number in every cell, so that cells with equal numbers that touch form areas of as many cells as the number.

python examples/puzzles/fillomino.py [LINK or FILE] [--svg FILE]
"""

from typing import Any

import cpsolve as cp
from cpsolve.puzzles.boards import GridPuzzle, at


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the numbers."""
    m = cp.Model("fillomino")
    x = m.int_vars((puzzle.rows, puzzle.columns), 1, puzzle.rows * puzzle.columns, name="x")
    m.add(cp.region_sizes(x, cp.grid(puzzle.rows, puzzle.columns), x), name="areas of the right size")
    for cell, number in puzzle.clues.items():
        if number is not None:
            m.add(x[cell] == number, name=f"the {number} in {at(cell)}")
    return m, x

"""Fillomino: write a number in every cell, so that cells with equal numbers that touch form areas of as many cells as the number.

python examples/puzzles/fillomino.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?fillomino/6/6/i1g24475g1g6r1g4g23j"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the numbers."""
    m = cp.Model("fillomino")
    x = m.int_vars((puzzle.rows, puzzle.columns), 1, puzzle.rows * puzzle.columns, name="x")
    m.add(cp.region_sizes(x, cp.grid(puzzle.rows, puzzle.columns), x), name="areas of the right size")
    for cell, number in puzzle.clues.items():
        if number is not None:
            m.add(x[cell] == number, name=f"given {number} in {at(cell)}")
    return m, x


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the numbers and areas of a solution."""
    numbers = solution[x] if solution else None
    return pictures.draw(puzzle, numbers=numbers, areas=numbers)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

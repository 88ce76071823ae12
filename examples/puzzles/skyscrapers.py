"""Skyscrapers: every row and every column has a building of every height once. A number outside tells how many buildings one sees from
there: higher ones hide those behind them.

python examples/puzzles/skyscrapers.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?skyscrapers/5/5/n244i2g3h2"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the heights."""
    size = puzzle.rows
    if puzzle.columns != size:
        raise cp.ModelError(f"skyscrapers stand on as many rows as columns: got {size} × {puzzle.columns}")
    m = cp.Model("skyscrapers")
    x = m.int_vars((size, size), 1, size, name="x")
    for line in range(size):
        m.add(cp.all_different(x[line]), name=f"row {line + 1}")
        m.add(cp.all_different(x[:, line]), name=f"column {line + 1}")
    views = {"left": x, "right": x[:, ::-1], "top": x.T, "bottom": x[::-1].T}  # line by line, as seen from a side
    for side, numbers in puzzle.outside.items():
        for line, number in enumerate(numbers):
            if number is not None:
                m.add(seen(views[side][line]) == number, name=f"the {number} at the {side} of line {line + 1}")
    for cell, number in puzzle.clues.items():
        if number is not None:
            m.add(x[cell] == number, name=f"given {number} in {at(cell)}")
    return m, x


def seen(heights: Any) -> Any:
    """How many buildings one sees: those that are higher than all before them."""
    return 1 + sum(heights[place] > cp.maximum(heights[:place]) for place in range(1, len(heights)))


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the heights of a solution."""
    return pictures.draw(puzzle, numbers=solution[x] if solution else None)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

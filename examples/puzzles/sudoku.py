"""Sudoku: every row, every column and every box has every number once.

python examples/puzzles/sudoku.py [LINK or FILE] [--svg FILE]
"""

import sys
from math import isqrt
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?sudoku/9/9/93t98g6j1l874k41h8g8g76m1g7g54g59k1l16h"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the cells."""
    size, (height, width) = puzzle.rows, box(puzzle)
    m = cp.Model("sudoku")
    x = m.int_vars((size, size), 1, size, name="x")
    for line in range(size):
        m.add(cp.all_different(x[line]), name=f"row {line + 1}")
        m.add(cp.all_different(x[:, line]), name=f"column {line + 1}")
    for row in range(0, size, height):
        for column in range(0, size, width):
            m.add(cp.all_different(x[row : row + height, column : column + width]), name=f"the box of {at((row, column))}")
    for cell, number in puzzle.clues.items():
        if number is not None:
            m.add(x[cell] == number, name=f"given {number} in {at(cell)}")
    return m, x


def box(puzzle: GridPuzzle) -> tuple[int, int]:
    """The rows and columns of a box: 2 and 3 where there are six of each."""
    height = isqrt(puzzle.rows)
    if puzzle.rows != puzzle.columns or puzzle.rows % height:
        raise cp.ModelError(f"a sudoku has as many rows as columns, and boxes: got {puzzle.rows} × {puzzle.columns}")
    return height, puzzle.rows // height


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle with its boxes, and the numbers of a solution."""
    height, width = box(puzzle)
    boxes = [[(row // height, column // width) for column in range(puzzle.columns)] for row in range(puzzle.rows)]
    return pictures.draw(puzzle, numbers=solution[x] if solution else None, areas=boxes)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

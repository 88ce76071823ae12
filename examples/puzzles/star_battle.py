"""Star Battle: as many stars as told in every row, every column and every region; no two touch, not even at a corner.

python examples/puzzles/star_battle.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?starbattle/7/7/1/2559igka0678nhqg00"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the stars."""
    m = cp.Model("star battle")
    star = m.bool_vars((puzzle.rows, puzzle.columns), name="star")
    for row in range(puzzle.rows):
        m.add(star[row].sum() == puzzle.number, name=f"row {row + 1}")
    for column in range(puzzle.columns):
        m.add(star[:, column].sum() == puzzle.number, name=f"column {column + 1}")
    for room in puzzle.rooms():
        m.add(sum(star[cell] for cell in room) == puzzle.number, name=f"the region of {at(room[0])}")
    for row in range(puzzle.rows - 1):
        for column in range(puzzle.columns - 1):
            m.add(cp.at_most_one(star[row : row + 2, column : column + 2]), name=f"no two touch around {at((row, column))}")
    return m, star


def draw(puzzle: GridPuzzle, star: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the stars of a solution."""
    return pictures.draw(puzzle, marks={cell: "star" for cell in puzzle.cells if solution[star[cell]]} if solution else {})


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

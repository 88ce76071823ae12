"""Hitori: shade cells so that no number is twice in a row or column; no two shaded cells touch, and the others hang together.

python examples/puzzles/hitori.py [LINK or FILE] [--svg FILE]
"""

import sys
from itertools import combinations
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?hitori/6/6/414465321516542212146253644232466325"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the shaded cells."""
    m = cp.Model("hitori")
    grid = cp.grid(puzzle.rows, puzzle.columns)
    shaded = m.bool_vars((puzzle.rows, puzzle.columns), name="shaded")
    m.add(cp.connected(~shaded, grid), name="the clear cells hang together")
    for one, other in grid.edges:
        m.add(shaded[one] + shaded[other] <= 1, name=f"{at(one)} and {at(other)} are not both shaded")
    for line in puzzle.lines():
        for one, other in combinations([cell for cell in line if puzzle.clues.get(cell) is not None], 2):
            if puzzle.clues[one] == puzzle.clues[other]:
                m.add(shaded[one] | shaded[other], name=f"the {puzzle.clues[one]} in {at(one)} and {at(other)}")
    return m, shaded


def draw(puzzle: GridPuzzle, shaded: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the shaded cells of a solution."""
    return pictures.draw(puzzle, shaded=solution[shaded] if solution else None)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

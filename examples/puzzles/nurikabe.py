"""Nurikabe: shade cells so that the shaded ones hang together and nowhere fill 2 × 2 cells. The clear cells form islands that do not
touch; each has exactly one number, which tells its size.

python examples/puzzles/nurikabe.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?nurikabe/7/7/1g1t4g4g2p1p2h2g2"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the cells: the island that a cell belongs to, from 1, or 0 for the sea."""
    m = cp.Model("nurikabe")
    grid = cp.grid(puzzle.rows, puzzle.columns)
    roots = dict(enumerate(puzzle.clues, start=1))
    sizes = {label: puzzle.clues[cell] for label, cell in roots.items() if puzzle.clues[cell] is not None}
    island = m.int_vars((puzzle.rows, puzzle.columns), 0, len(roots), name="island")
    for label, cell in roots.items():
        m.add(island[cell] == label, name=f"given island {label} in {at(cell)}")
    m.add(cp.regions(island, grid, roots=roots, sizes=sizes), name="islands of the right size")
    m.add(cp.connected(island == 0, grid), name="the sea hangs together")
    for one, other in grid.edges:
        m.add(
            cp.any_of(island[one] == 0, island[other] == 0, island[one] == island[other]),
            name=f"{at(one)} and {at(other)} are not of two islands",
        )
    for row in range(puzzle.rows - 1):
        for column in range(puzzle.columns - 1):
            m.add(cp.any_of(island[row : row + 2, column : column + 2] > 0), name=f"no square of sea at {at((row, column))}")
    return m, island


def draw(puzzle: GridPuzzle, island: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the sea of a solution."""
    return pictures.draw(puzzle, shaded=solution[island] == 0 if solution else None)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

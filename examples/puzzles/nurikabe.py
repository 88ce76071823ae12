"""Nurikabe: shade cells so that the shaded ones hang together and nowhere fill 2 × 2 cells. The clear cells form islands that do not
touch; each has exactly one number, which tells its size.

python examples/puzzles/nurikabe.py [LINK or FILE] [--svg FILE]
"""

from typing import Any

import cpsolve as cp
from cpsolve.puzzles.boards import GridPuzzle, at


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the cells: the island that a cell belongs to, from 1, or 0 for the sea."""
    m = cp.Model("nurikabe")
    grid = cp.grid(puzzle.rows, puzzle.columns)
    roots = dict(enumerate(puzzle.clues, start=1))
    sizes = {label: puzzle.clues[cell] for label, cell in roots.items() if puzzle.clues[cell] is not None}
    island = m.int_vars((puzzle.rows, puzzle.columns), 0, len(roots), name="island")
    m.add(cp.regions(island, grid, roots=roots, sizes=sizes), name="islands of the right size")
    m.add(cp.connected(island == 0, grid), name="the sea hangs together")
    for one, other in grid.edges:
        m.add(cp.any_of(island[one] == 0, island[other] == 0, island[one] == island[other]), name=f"{at(one)} and {at(other)}")
    for row in range(puzzle.rows - 1):
        for column in range(puzzle.columns - 1):
            m.add(cp.any_of(island[row : row + 2, column : column + 2] > 0), name=f"no square of sea at {at((row, column))}")
    return m, island

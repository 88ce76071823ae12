"""Slitherlink: draw one loop along the dotted lines. A number tells how many sides of its cell the loop takes.

python examples/puzzles/slitherlink.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?slither/8/8/gdgaididc01706c2bg0862dgb76dg6c"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the edges between neighbouring dots."""
    m = cp.Model("slitherlink")
    edges = cp.grid_edges(m, puzzle.rows + 1, puzzle.columns + 1)
    m.add(cp.loop(edges), name="one loop")
    for cell, number in puzzle.clues.items():
        if number is not None:
            m.add(sum(edges.around(*cell)) == number, name=f"the {number} in {at(cell)}")
    return m, edges


def draw(puzzle: GridPuzzle, edges: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the loop of a solution."""
    return pictures.draw(puzzle, fence=edges.chosen(solution) if solution else ())


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

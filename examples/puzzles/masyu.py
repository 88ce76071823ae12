"""Masyu: one loop through all circles. It turns on a black one and runs straight through the cells before and after it; it runs straight
through a white one and turns in at least one of the cells before and after it.

python examples/puzzles/masyu.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import DIRECTIONS, GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?mashu/6/6/001940013930"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the lines between neighbouring cells."""
    m = cp.Model("masyu")
    lines = cp.grid_edges(m, puzzle.rows, puzzle.columns, name="line")
    m.add(cp.loop(lines), name="one loop")
    for (row, column), colour in puzzle.clues.items():
        near, far = {}, {}  # the lines from the circle, and those that follow straight on
        for way, (down, right) in DIRECTIONS.items():
            first, second = (row + down, column + right), (row + 2 * down, column + 2 * right)
            near[way], far[way] = lines.get((row, column), first), lines.get(first, second)
        rules = []
        for one, other in (("left", "right"), ("up", "down")):
            if colour == "black":
                rules += [near[one] + near[other] == 1, near[one] <= far[one], near[other] <= far[other]]
            else:
                rules += [near[one] == near[other], near[one] + far[one] + far[other] <= 2]
        m.add(cp.all_of(rules, sum(near.values()) == 2), name=f"the {colour} circle in {at((row, column))}")
    return m, lines


def draw(puzzle: GridPuzzle, lines: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the loop of a solution."""
    return pictures.draw(puzzle, lines=lines.chosen(solution) if solution else ())


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

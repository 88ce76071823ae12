"""Yajilin: shade cells, no two side by side, and draw one loop through all the others. An arrow tells how many are shaded that way.

python examples/puzzles/yajilin.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?yajilin/8/8/2221g4020j30c41d31j4011b11g11a32a1111a11a11a"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, tuple[Any, Any]]:
    """The model, and its 0/1 variables: the shaded cells, and the lines between neighbouring cells."""
    m = cp.Model("yajilin")
    shaded = m.bool_vars((puzzle.rows, puzzle.columns), name="shaded")
    lines = cp.grid_edges(m, puzzle.rows, puzzle.columns, name="line")
    m.add(cp.loop(lines), name="one loop")
    for cell in puzzle.cells:
        if cell in puzzle.clues:
            m.add(cp.all_of(shaded[cell] == 0, sum(lines.at(*cell)) == 0), name=f"the clue in {at(cell)} is neither shaded nor crossed")
        else:
            m.add(sum(lines.at(*cell)) == 2 * (1 - shaded[cell]), name=f"{at(cell)} is shaded or crossed")
    for one, other in lines.graph.edges:
        m.add(shaded[one] + shaded[other] <= 1, name=f"{at(one)} and {at(other)} are not both shaded")
    for cell, (direction, number) in puzzle.clues.items():
        if direction is not None and number is not None:
            m.add(sum(shaded[other] for other in puzzle.ray(cell, direction)) == number, name=f"{number} {direction} of {at(cell)}")
    return m, (shaded, lines)


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the shaded cells and the loop of a solution."""
    if not solution:
        return pictures.draw(puzzle)
    shaded, lines = x
    return pictures.draw(puzzle, shaded=solution[shaded], lines=lines.chosen(solution))


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

"""Heyawake: shade cells, no two side by side, so that the others hang together. A number tells how many cells of its room are shaded, and
no straight line of clear cells reaches through more than two rooms.

python examples/puzzles/heyawake.py [LINK or FILE] [--svg FILE]
"""

import sys
from itertools import pairwise
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?heyawake/8/8/31ufntvfrur0us0e0408pgdg01022231211110010"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the shaded cells."""
    m = cp.Model("heyawake")
    grid = cp.grid(puzzle.rows, puzzle.columns)
    shaded = m.bool_vars((puzzle.rows, puzzle.columns), name="shaded")
    m.add(cp.connected(~shaded, grid), name="the clear cells hang together")
    for one, other in grid.edges:
        m.add(shaded[one] + shaded[other] <= 1, name=f"{at(one)} and {at(other)} are not both shaded")
    for room in puzzle.rooms():
        for cell in room:
            if puzzle.clues.get(cell) is not None:
                m.add(sum(shaded[other] for other in room) == puzzle.clues[cell], name=f"{puzzle.clues[cell]} in the room of {at(cell)}")
    for line in puzzle.lines():
        for run in runs([puzzle.regions[row][column] for row, column in line]):
            cells = [line[place] for place in run]
            m.add(cp.any_of(shaded[cell] for cell in cells), name=f"{at(cells[0])} to {at(cells[-1])} is not all clear")
    return m, shaded


def runs(rooms: list[int]) -> list[range]:
    """The shortest stretches of a line that reach into three rooms."""
    starts = [place for place in range(1, len(rooms)) if rooms[place] != rooms[place - 1]]  # where each room but the first begins
    return [range(one - 1, other + 1) for one, other in pairwise(starts)]


def draw(puzzle: GridPuzzle, shaded: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the shaded cells of a solution."""
    return pictures.draw(puzzle, shaded=solution[shaded] if solution else None)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

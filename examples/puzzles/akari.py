"""Akari: place lamps so that every clear cell is lit and no lamp lights another. A lamp lights its row and column up to the next wall; a
number tells how many lamps stand beside its wall.

python examples/puzzles/akari.py [LINK or FILE] [--svg FILE]
"""

import sys
from itertools import takewhile
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import DIRECTIONS, GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?lightup/8/8/.g.ga6bh.v2.vch6c6.g."  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the lamps, by their cells."""
    m = cp.Model("akari")
    lamp = {cell: m.bool_var(f"lamp[{cell[0]},{cell[1]}]") for cell in puzzle.cells if cell not in puzzle.clues}
    for cell in lamp:
        lights = {way: list(takewhile(lambda other: other in lamp, puzzle.ray(cell, way))) for way in DIRECTIONS}
        m.add(cp.any_of(lamp[cell], *(lamp[other] for seen in lights.values() for other in seen)), name=f"{at(cell)} is lit")
        for other in lights["right"] + lights["down"]:
            m.add(~(lamp[cell] & lamp[other]), name=f"{at(cell)} and {at(other)} do not light each other")
    for (row, column), number in puzzle.clues.items():
        if number is not None:
            beside = [lamp[near] for down, right in DIRECTIONS.values() if (near := (row + down, column + right)) in lamp]
            m.add(sum(beside) == number, name=f"the {number} in {at((row, column))}")
    return m, lamp


def draw(puzzle: GridPuzzle, lamp: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the lamps of a solution."""
    return pictures.draw(puzzle, marks={cell: "lamp" for cell, placed in lamp.items() if solution[placed]} if solution else {})


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

"""Kakuro: digits from 1 to 9 that sum to what the dark cells say of the cells below and to the right; no digit twice in a sum.

python examples/puzzles/kakuro.py [LINK or FILE] [--svg FILE]
"""

import sys
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import Cell, GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?kakuro/5/5/hdlc0.nc0lfbl0cn.0cl.AbK9"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the cells that are not dark."""
    m = cp.Model("kakuro")
    x = {cell: m.int_var(1, 9, f"x[{cell[0]},{cell[1]}]") for cell in puzzle.cells if cell not in puzzle.clues}
    for start, direction, total in sums(puzzle):
        cells = list(takewhile(lambda cell: cell in x, puzzle.ray(start, direction)))
        if cells:
            where = f"from {at(cells[0])} {direction}"
            m.add(cp.all_different([x[cell] for cell in cells]), name=f"no digit twice {where}")
            if total is not None:
                m.add(sum(x[cell] for cell in cells) == total, name=f"the sum {total} {where}")
    return m, x


def sums(puzzle: GridPuzzle) -> Iterator[tuple[Cell, str, int | None]]:
    """Where each sum starts, its direction, and what it is."""
    yield from (((-1, column), "down", total) for column, total in enumerate(puzzle.outside["top"]))
    yield from (((row, -1), "right", total) for row, total in enumerate(puzzle.outside["left"]))
    for cell, (down, right) in puzzle.clues.items():
        yield cell, "down", down
        yield cell, "right", right


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the digits of a solution."""
    digits = [[solution[x[r, c]] if solution and (r, c) in x else 0 for c in range(puzzle.columns)] for r in range(puzzle.rows)]
    return pictures.draw(puzzle, numbers=digits)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

"""Nonogram: shade cells. The numbers of a row or column are the lengths of its runs of shaded cells, in order.

python examples/puzzles/nonogram.py [LINK or FILE] [--svg FILE]
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?nonogram/8/8/43h33h21h411g411g21h33h43h121g22h222g22h121g222g8i8i"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the shaded cells."""
    m = cp.Model("nonogram")
    shaded = m.bool_vars((puzzle.rows, puzzle.columns), name="shaded")
    for row, lengths in enumerate(puzzle.outside["left"]):
        m.add(runs(shaded[row], lengths), name=f"row {row + 1}")
    for column, lengths in enumerate(puzzle.outside["top"]):
        m.add(runs(shaded[:, column], lengths), name=f"column {column + 1}")
    return m, shaded


def runs(line: Any, lengths: tuple[int, ...]) -> cp.Constraint:
    """The line has these runs of 1, in order: an automaton reads them off, one state per cell of a run and one per gap."""
    transitions: list[tuple[int, int, int]] = []
    state = 0
    for length in lengths:
        transitions.append((state, 0, state))  # as many clear cells as one likes
        for _ in range(length):
            transitions.append((state, 1, state + 1))
            state += 1
        transitions.append((state, 0, state + 1))  # and one at least after a run
        state += 1
    transitions.append((state, 0, state))
    return cp.automaton(line, 0, [state, state - 1] if lengths else [0], transitions)


def draw(puzzle: GridPuzzle, shaded: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the shaded cells of a solution."""
    return pictures.draw(puzzle, shaded=solution[shaded] if solution else None)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

"""Killer Sudoku: a Sudoku without numbers. Instead, the cells of each cage sum to what its corner tells, and no number is in a cage twice.

python examples/puzzles/killer.py [FILE] [--svg FILE]

A file has nine lines with the cage of each cell, a letter, and then every cage with its sum, as in: a 12 b 7 ...
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.puzzles.showing import show

# made by make.py
PUZZLE = """
abbccdeee
afghddiij
afghhkilj
mnnopqqll
mnrstuqvv
wxrsyyyzv
wwAsBBzzC
DAAEBFGHH
DDEEIGGHJ
a 9 b 13 c 10 d 19 e 8 f 15 g 8 h 12 i 14 j 17 k 4 l 17 m 12 n 14 o 5 p 9 q 11 r 15 s 14 t 1 u 3 v 18 w 18 x 1 y 20 z 10 A 13 B 13
C 7 D 15 E 15 F 1 G 23 H 12 I 5 J 4
"""


def read(text: str) -> GridPuzzle:
    """A killer Sudoku from text."""
    words = text.split()
    letters, told = words[:9], words[9:]
    if any(len(row) != 9 for row in letters) or len(letters) < 9 or not all(number.isdigit() for number in told[1::2]):
        raise cp.FormatError("expected nine rows of nine letters, one per cage, and then every letter with its sum")
    puzzle = GridPuzzle("killer", 9, 9, regions=tuple(tuple(map(ord, row)) for row in letters))
    firsts = {letters[row][column]: (row, column) for row, column in (room[0] for room in puzzle.rooms())}
    sums = dict(zip(told[::2], map(int, told[1::2]), strict=True))
    if set(sums) != set(firsts):
        raise cp.FormatError(f"expected a sum for each of the cages {' '.join(firsts)}, got {' '.join(sums)}", line=10)
    return GridPuzzle("killer", 9, 9, {firsts[letter]: total for letter, total in sums.items()}, puzzle.regions)


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the variables of the cells."""
    m = cp.Model("killer")
    x = m.int_vars((9, 9), 1, 9, name="x")
    for line in range(9):
        row, column = line // 3 * 3, line % 3 * 3
        m.add(cp.all_different(x[line]), name=f"row {line + 1}")
        m.add(cp.all_different(x[:, line]), name=f"column {line + 1}")
        m.add(cp.all_different(x[row : row + 3, column : column + 3]), name=f"the box of {at((row, column))}")
    for cage in puzzle.rooms():
        total, cells = puzzle.clues[cage[0]], [x[cell] for cell in cage]
        m.add(cp.all_of(sum(cells) == total, cp.all_different(cells)), name=f"the cage of {at(cage[0])} with {total}")
    return m, x


def draw(puzzle: GridPuzzle, x: Any = None, solution: Any = None) -> Picture:
    """The puzzle with boxes and cages, and the numbers of a solution."""
    boxes = [[(row // 3, column // 3) for column in range(9)] for row in range(9)]
    return pictures.draw(puzzle, numbers=solution[x] if solution else None, areas=boxes)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE, read))

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
abbccddee
aafcghhij
kkffllhij
mmmnlopqq
rrnnooppq
rstttuvvw
xxyyzuAvw
xBBCzzADD
EEECFFAGG
a 21 b 3 c 10 d 10 e 16 f 16 g 8 h 14 i 13 j 5 k 12 l 11 m 13 n 22 o 11 p 17 q 16 r 13 s 2 t 24 u 9 v 16 w 5 x 16 y 10 z 19 A 13 B
7 C 7 D 11 E 16 F 7 G 12
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

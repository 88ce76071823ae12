"""Knight's tour: a knight visits every square once and comes back to where it began. Some of its moves are told.

python examples/puzzles/knights_tour.py [FILE] [--svg FILE]

A file has the rows and columns of the board, and then moves as pairs of squares: 6 6 a1-b3 c2-e1 ...
"""

import re
import sys
from dataclasses import replace
from typing import Any

import cpsolve as cp
from cpsolve.drawing import SKY, Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import Cell, GridPuzzle
from cpsolve.puzzles.showing import show

PUZZLE = "6 6 b6-c4 e6-d4 f5-d4 a4-b2 e4-d2 c3-e2 e2-c1"  # made by make.py
Tour = tuple[GridPuzzle, list[tuple[Cell, Cell]]]


def read(text: str) -> Tour:
    """The board, and the moves that are told; squares are named as in chess, with a1 at the lower left."""
    rows, columns, *moves = text.split() if len(text.split()) > 1 else ("", "")
    if not (rows.isdigit() and columns.isdigit() and all(re.fullmatch(r"[a-z]\d+-[a-z]\d+", move) for move in moves)):
        raise cp.FormatError(f"expected rows, columns and moves, as in `6 6 a1-b3`, got {text.strip()!r}")
    board = GridPuzzle("knight's tour", int(rows), int(columns))
    squares = [(board.rows - int(name[1:]), ord(name[0]) - ord("a")) for move in moves for name in move.split("-")]
    return board, list(zip(squares[::2], squares[1::2], strict=True))


def model(puzzle: Tour) -> tuple[cp.Model, Any]:
    """The model, and the 0/1 variables of the moves between squares."""
    board, told = puzzle
    m = cp.Model("knight's tour")
    jumps = ((1, 2), (2, 1), (2, -1), (1, -2))
    pairs = [((r, c), (r + down, c + right)) for r, c in board.cells for down, right in jumps if (r + down, c + right) in board]
    move: dict[Any, Any] = {pair: m.bool_var(f"{square(board, pair[0])}-{square(board, pair[1])}") for pair in pairs}
    m.add(cp.loop(move), name="one tour")
    for cell in board.cells:
        m.add(sum(chosen for pair, chosen in move.items() if cell in pair) == 2, name=f"to {square(board, cell)} and from there")
    for one, other in told:
        pair = (min(one, other), max(one, other))
        if pair not in move:
            raise cp.ModelError(f"{square(board, one)} and {square(board, other)} are no knight's move apart on this board")
        m.add(move[pair], name=f"given {square(board, one)}-{square(board, other)}")
    return m, move


def square(board: GridPuzzle, cell: Cell) -> str:
    """The name of a square."""
    return f"{chr(ord('a') + cell[1])}{board.rows - cell[0]}"


def draw(puzzle: Tour, move: Any = None, solution: Any = None) -> Picture:
    """The board with the moves that are told, and with the order of the squares in a solution, from a1 on."""
    board, told = puzzle
    chosen = [pair for pair, taken in move.items() if solution[taken]] if solution else []
    order = [(board.rows - 1, 0)] if chosen else []
    while len(order) < len(chosen):
        order.append(next(cell for pair in chosen if order[-1] in pair for cell in pair if cell not in order))
    numbers = [[order.index((r, c)) + 1 if order else square(board, (r, c)) for c in range(board.columns)] for r in range(board.rows)]
    words = "told: " + ", ".join(f"{square(board, one)}-{square(board, other)}" for one, other in told)
    picture = pictures.draw(board, numbers=numbers, lines=chosen or told, caption=words)
    return replace(picture, lines=tuple(replace(line, colour=SKY, width=3) for line in picture.lines))


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE, read))

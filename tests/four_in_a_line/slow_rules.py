"""The game written a second time, on a dictionary of squares, straight from the original's text: slow, and hard to get wrong."""

from __future__ import annotations

from functools import cache

from models.four_in_a_line.rules import Position

Board = dict[tuple[int, int], str]


def board_of(position: Position) -> Board:
    """The stones as the drawing shows them."""
    rows = [line.split() for line in str(position).splitlines()]
    return {(len(rows) - place, number): sign for place, row in enumerate(rows) for number, sign in enumerate(row, 1) if sign != "."}


def winner(position: Position) -> str | None:
    board = board_of(position)
    for (row, column), player in board.items():
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all(board.get((row + step * up, column + step * right)) == player for step in range(position.connect)):
                return player
    return None


def legal_columns(position: Position) -> set[int]:
    if winner(position) is not None:
        return set()
    board = board_of(position)
    return {column for column in range(1, position.columns + 1) if (position.rows, column) not in board}


@cache
def score(position: Position) -> int:
    """The score by plain minimax: 1 for a win with one's last stone, 2 with the one before …, + for the player to move."""
    if winner(position) is not None:
        left = position.rows * position.columns - len(board_of(position))
        return -(left // 2 + 1)  # stones that the winner, who has just moved, has left, and the one that won
    children = [-score(position.play(column)) for column in legal_columns(position)]
    return max(children, default=0)

"""The rules of Center once more, from the text of the original, slow and plain: what the fast ones are held against.

A board is a list of rows. Cells are placed where they are drawn (a hexagon's rows are indented), and a line of sight is walked on
the drawing: on a square one step sideways, up, down or both; on a hexagon two columns sideways or one column and one row.
"""

from __future__ import annotations

from collections.abc import Iterator

from models.center.rules import Position

Rows = list[list[str]]


def drawn(rows: Rows) -> dict[tuple[int, int], tuple[int, int]]:
    """Where each cell (x, y) is drawn: (column, row)."""
    if all(len(row) == len(rows) for row in rows):
        return {(x, y): (x, y) for y in range(1, len(rows) + 1) for x in range(1, len(rows) + 1)}
    widest = max(map(len, rows))
    return {(x, y): (widest - len(row) + 2 * x, y) for y, row in enumerate(rows, 1) for x in range(1, len(row) + 1)}


def friends_in_sight(rows: Rows, player: str, cell: tuple[int, int]) -> int:
    places = drawn(rows)
    stone_at = {places[x, y]: rows[y - 1][x - 1] for x, y in places}
    square = all(len(row) == len(rows) for row in rows)
    steps = (
        [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
        if square
        else [(2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    )
    friends = 0
    for a, b in steps:
        column, row = places[cell]
        column, row = column + a, row + b
        while stone_at.get((column, row)) == " ":
            column, row = column + a, row + b
        friends += stone_at.get((column, row)) == player
    return friends


def distance_from_perimeter(rows: Rows, cell: tuple[int, int]) -> int:
    x, y = cell
    if all(len(row) == len(rows) for row in rows):
        return min(x - 1, y - 1, len(rows) - x, len(rows) - y)
    places = set(drawn(rows).values())
    column, row = drawn(rows)[cell]
    steps = [(2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    return min(next(n for n in range(99) if (column + (n + 1) * a, row + (n + 1) * b) not in places) for a, b in steps)


def moves_of(rows: Rows, player: str) -> Iterator[tuple[int, int]]:
    for y, row in enumerate(rows, 1):
        for x, stone in enumerate(row, 1):
            if stone == " " and friends_in_sight(rows, player, (x, y)) >= distance_from_perimeter(rows, (x, y)):
                yield x, y


def winner_of(rows: Rows) -> str | None:
    middle = rows[len(rows) // 2]
    stone = middle[len(middle) // 2]
    return None if stone == " " else stone


def legal(position: Position) -> list[tuple[int, int]]:
    rows = position.rows()
    return [] if winner_of(rows) else list(moves_of(rows, position.to_move))


def count_games(rows: Rows, player: str, depth: int) -> int:
    """The number of sequences of ``depth`` moves."""
    if depth == 0:
        return 1
    if winner_of(rows):
        return 0
    moves = list(moves_of(rows, player))
    other = "o" if player == "x" else "x"
    if not moves:
        return count_games(rows, other, depth) if any(moves_of(rows, other)) else 0
    if depth == 1:
        return len(moves)
    total = 0
    for x, y in moves:
        rows[y - 1][x - 1] = player
        total += count_games(rows, other, depth - 1)
        rows[y - 1][x - 1] = " "
    return total

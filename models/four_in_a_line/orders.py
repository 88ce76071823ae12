"""Orders of drops that lead to a board, counted exactly without any solver: a board fills up pile by pile, and only heights matter.

How high each column stands tells which stones are there and, since players alternate, whose turn it is; the next stone of a column
may fall if it is that player's. So orders are paths through vectors of heights, and are counted layer by layer. A line may be
completed only by the last stone of all: it must be on top, and part of every line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from cpsolve.limits import Deadline, looking
from models.four_in_a_line.rules import PLAYERS, Square, read_configuration


def lines(squares: Sequence[Square], connect: int = 4) -> list[tuple[Square, ...]]:
    """Every line of ``connect`` squares among the given ones, in any of the four directions.

    >>> lines([(1, 1), (1, 2), (1, 3), (2, 2)], connect=3)
    [((1, 1), (1, 2), (1, 3))]
    """
    there = set(squares)
    found = set()
    for (row, column), (up, right) in looking(product(sorted(there), ((0, 1), (1, 0), (1, 1), (1, -1))), "looking for lines"):
        if all((row + step * up, column + step * right) in there for step in range(connect)):
            found.add(tuple((row + step * up, column + step * right) for step in range(connect)))
    return sorted(found)


def last_stones(stones_a: Sequence[Square], stones_b: Sequence[Square], connect: int = 4) -> list[Square]:
    """The stones that may have fallen last: of the player whose turn it was, on top of a column, and part of every line.

    >>> last_stones([(1, 1), (1, 2)], [(2, 1)])
    [(1, 2)]
    """
    mover = stones_a if len(stones_a) > len(stones_b) else stones_b
    everyone = {*stones_a, *stones_b}
    complete = lines(stones_a, connect) + lines(stones_b, connect)
    return [square for square in mover if (square[0] + 1, square[1]) not in everyone and all(square in line for line in complete)]


def count_orders(
    configuration: Sequence[object],
    rows: int = 6,
    columns: int = 7,
    connect: int = 4,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> int:
    """In how many orders stones can have fallen, players alternating from a, with no line before the last stone.

    >>> count_orders([[[1, 4], [2, 4], [3, 4], [1, 5]], [[1, 3], [2, 5], [1, 6]]])
    12
    """
    deadline = Deadline(time_limit, max_memory)
    stones_a, stones_b = read_configuration(configuration, rows, columns)
    if len(stones_a) - len(stones_b) not in (0, 1):
        return 0
    owner = {square: player for player, stones in zip(PLAYERS, (stones_a, stones_b), strict=True) for square in stones}
    full = tuple(sum(1 for _, column in owner if column == number) for number in range(1, columns + 1))
    ways: Counter[tuple[int, ...]] = Counter({(0,) * columns: 1})
    ends = set(last_stones(stones_a, stones_b, connect))
    for turn in range(len(owner)):
        following: Counter[tuple[int, ...]] = Counter()
        for number, (heights, count) in enumerate(ways.items()):
            if number % 1024 == 0:
                deadline.check("counting orders")
            for place, height in enumerate(heights):
                square = (height + 1, place + 1)
                if height == full[place] or owner[square] != PLAYERS[turn % 2]:
                    continue
                if turn == len(owner) - 1 and square not in ends:
                    continue
                following[(*heights[:place], height + 1, *heights[place + 1 :])] += count
        ways = following
    return ways.total()

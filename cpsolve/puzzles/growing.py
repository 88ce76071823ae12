"""Boards that grow: random things on a board of one's own, so that one can see how each method copes with more of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Cell, Puzzle

I = TypeVar("I")  # noqa: E741
TRIES = 200


def between(puzzle: Puzzle[Any]) -> list[Cell]:
    """The cells on ways from the start of a puzzle to its goal, the ends included, in order.

    >>> from cpsolve.puzzles.garden import Garden
    >>> between(Garden("S.E#."))
    [(0, 0), (1, 0), (2, 0)]
    """
    start = puzzle.start()
    back: dict[Any, list[Any]] = {start: []}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for _, following in puzzle.moves(state):
            if following not in back:
                back[following] = []
                waiting.append(following)
            back[following].append(state)
    good = {state for state in back if puzzle.is_goal(state)}
    waiting = list(good)
    while waiting:
        for earlier in back[waiting.pop()]:
            if earlier not in good:
                good.add(earlier)
                waiting.append(earlier)
    return sorted({state.cell for state in good})


def scattered(free: Iterable[Cell], count: int, seed: int, place: Callable[[list[Cell]], I], possible: Callable[[I], bool]) -> I:
    """A board with ``count`` things on free cells at random, such that it can be solved; ModelError when there is no room for them.

    >>> scattered([(0, 0), (1, 0)], 2, 0, sorted, lambda board: True)
    [(0, 0), (1, 0)]
    >>> scattered([(0, 0)], 2, 0, sorted, lambda board: True)
    Traceback (most recent call last):
    cpsolve.errors.ModelError: there is room for 1 and not for 2: give fewer, or a larger board
    """
    cells = sorted(set(free))
    if count > len(cells):
        raise ModelError(f"there is room for {len(cells)} and not for {count}: give fewer, or a larger board")
    chance = random.Random(f"{count}, {seed}")
    for _ in range(TRIES):
        board = place(sorted(chance.sample(cells, count)))
        if possible(board):
            return board
    raise ModelError(f"{TRIES} random boards with {count} cannot be solved: give fewer, or a larger board")

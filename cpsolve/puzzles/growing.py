"""Random boards that can be solved: things scattered on a board of one's own, to see how each method copes with more, and new boards."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from cpsolve.errors import ModelError
from cpsolve.limits import look
from cpsolve.puzzles.plans import Cell, Puzzle
from cpsolve.words import counted

I = TypeVar("I")  # noqa: E741
TRIES = 200
GENERATING = "generating"


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
    check_room(len(cells), count)
    return solvable(lambda chance: place(sorted(chance.sample(cells, count))), f"{count}, {seed}", possible)


def check_room(room: int, count: int) -> None:
    """ModelError unless there is room for that number of things.

    >>> check_room(3, 3)
    """
    if count > room:
        raise ModelError(f"there is room for {room} and not for {count}: give fewer, or a larger board")


def solvable(make: Callable[[random.Random], I], seed: int | str | None, possible: Callable[[I], bool]) -> I:
    """The first random board that can be solved; the same seed gives the same board, None any.

    >>> solvable(lambda chance: chance.randrange(10), 0, lambda board: board > 8)
    9
    """
    chance = random.Random(seed)
    for _ in range(TRIES):
        look(GENERATING)
        if possible(board := make(chance)):
            return board
    raise ModelError(f"{TRIES} random boards of this kind cannot be solved: give fewer things, or a larger board")


def pair_of(sizes: Sequence[int], words: str) -> tuple[int, int]:
    """Two sizes as they were given: one number stands for both.

    >>> pair_of([5], "the width and the height"), pair_of([5, 3], "the width and the height")
    ((5, 5), (5, 3))
    """
    if len(sizes) not in (1, 2):
        raise ModelError(f"give {words}, or one number for a square board, not {counted(len(sizes), 'number')}")
    return sizes[0], sizes[-1]

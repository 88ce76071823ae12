"""New boards of Pacman, which can be solved, and new mazes full of food."""

from __future__ import annotations

import random

from cpsolve.catalogue import Generator, Option
from cpsolve.errors import ModelError
from cpsolve.limits import look
from cpsolve.puzzles.growing import GENERATING, check_room, pair_of, solvable
from cpsolve.puzzles.plans import Cell, check_sizes
from models.pacman.encode import route
from models.pacman.maze import Maze
from models.pacman.rules import Board

LOOPS = 0.1
"""The share of the walls between two corridors that are taken out, so that there is more than one way."""


def generated(
    *sizes: int, ghosts: int | None = None, walls: int | None = None, maze: bool = False, seed: int | None = None
) -> Board | Maze:
    """A random board with everything at random places, or a maze; width and height, or one number for a square.

    >>> board = generated(6, ghosts=3, walls=5, seed=1)
    >>> len(board.ghosts), len(board.walls), board == generated(6, 6, ghosts=3, walls=5, seed=1)
    (3, 5, True)
    """
    width, height = pair_of(sizes, "the width and the height")
    check_sizes(width, height, "a board")
    if maze:
        if (ghosts, walls) != (None, None):
            raise ModelError("a maze has no ghosts, and its walls are its own: leave --ghosts and --walls out")
        return new_maze(width, height, seed)
    cells = [(x, y) for y in range(height) for x in range(width)]
    haunting = len(cells) // 6 if ghosts is None else ghosts
    count = 3 + haunting + (walls or 0)
    if min(haunting, walls or 0) < 0:
        raise ModelError("expected no negative number of ghosts or walls")
    check_room(len(cells), count)

    def make(chance: random.Random) -> Board:
        pacman, dot, cherry, *others = chance.sample(cells, count)
        return Board(width, height, pacman, dot, cherry, others[:haunting], others[haunting:])

    return solvable(make, seed, lambda board: not route(board).reason())


def new_maze(width: int, height: int, seed: int | None = None) -> Maze:
    """A maze of corridors full of food, with Pacman in a corner; depth-first search digs it, and some walls more are taken out.

    >>> print(new_maze(7, 5, seed=1))
    %%%%%%%
    %.....%
    %%%%%.%
    %P....%
    %%%%%%%
    """
    if min(width, height) < 3 or width + height < 7:
        raise ModelError(f"a maze of {width} by {height}: expected at least 3 by 4, with the walls around it")
    chance = random.Random(seed)
    columns, rows = (width - 1) // 2, (height - 1) // 2
    trail: list[Cell] = [(1, 1)]
    dug = {(1, 1)}
    while trail:
        look(GENERATING)
        x, y = trail[-1]
        around = [(x + right, y + down) for right, down in ((2, 0), (-2, 0), (0, 2), (0, -2))]
        near = [(x, y) for x, y in around if 0 < x <= 2 * columns and 0 < y <= 2 * rows and (x, y) not in dug]
        if near:
            following = chance.choice(near)
            dug |= {following, ((x + following[0]) // 2, (y + following[1]) // 2)}
            trail.append(following)
        else:
            trail.pop()
    cells = {(x, y) for x in range(width) for y in range(height)}
    inner = [(x, y) for x, y in sorted(cells) if 0 < x < 2 * columns and 0 < y < 2 * rows and (x + y) % 2]
    dug |= {cell for cell in inner if cell not in dug and chance.random() < LOOPS}
    start = (1, 2 * rows - 1)
    return Maze(width, height, start, frozenset(cells - dug), frozenset(dug - {start}))


GENERATOR = Generator(
    generated,
    "Width and height; one number for a square.",
    {"params.pl": lambda board: str(board.to_prolog()), "board.txt": lambda board: f"{board.to_text()}\n"},
    options=(
        Option("ghosts", "How many ghosts there are (without it: one for six cells).", int, "N"),
        Option("walls", "How many walls there are (without it: none).", int, "N"),
        Option("maze", "A maze of corridors full of food, to be eaten up.", bool),
        Option("seed", "The same seed gives the same board.", int, "N"),
    ),
    examples=("cpsolve generate pacman 8 6 --ghosts 5 --walls 6 --seed 1", "cpsolve generate pacman 21 11 --maze --seed 1"),
)

"""What Pacman says of itself: names, formats, options, and its stop of the tour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cpsolve.catalogue import Growth, Instance
from cpsolve.puzzles.descriptions import reason_of, walking_game
from cpsolve.puzzles.growing import scattered
from cpsolve.puzzles.showcase import Stop, compare_walk, show_walk
from cpsolve.puzzles.walks import METHODS
from models.pacman import BOARDS, shortest_plans, solve
from models.pacman.drawing import draw
from models.pacman.encode import route
from models.pacman.generate import GENERATOR
from models.pacman.interaction import INTERACTION
from models.pacman.maze import FOOD, Maze, closed_off
from models.pacman.maze import METHODS as MAZE_METHODS
from models.pacman.rules import Board

LARGER = Board(10, 10, (0, 0), (4, 5), (9, 9), [(2, 2), (7, 1), (1, 8), (8, 6), (5, 3), (3, 7), (6, 8), (9, 2)])
"""A board on which naive search loses its way."""


def read(text: str) -> Board | Maze:
    """A board from facts, the original's drawing or a plain map; a maze of food from a layout.

    >>> read("PoC").cherry, len(read("%P..%").food)
    ((2, 0), 2)
    """
    if "%" in text and "(" not in text:
        return Maze.from_layout(text)
    if FOOD in text:
        return Maze.from_prolog(text)
    return Board.from_prolog(text) if "(" in text or not text.strip() else Board.from_text(text)


def _instances() -> Mapping[str, Instance]:
    return {name: Instance(board.to_prolog()) for name, board in BOARDS.items()}


def haunted(board: Board, ghosts: int, seed: int) -> Board:
    """The board with other ghosts, at random, such that there is a plan.

    >>> len(haunted(BOARDS["seed"], 7, seed=0).ghosts)
    7
    """
    taken = {board.pacman, board.dot, board.cherry, *board.walls}
    free = [(x, y) for y in range(board.height) for x in range(board.width) if (x, y) not in taken]
    return scattered(free, ghosts, seed, lambda cells: replace(board, ghosts=frozenset(cells)), lambda made: not route(made).reason())


def tour() -> Stop:
    """The dot, every ghost, the cherry."""
    stop = Stop("Pacman")
    board = BOARDS["seed"]
    plan = show_walk(stop, "original, 5×5", board, solve)
    stop.tell("all shortest plans", sum(1 for _ in shortest_plans(board)))
    stop.draw(draw(board, plan))
    compare_walk(stop, "10×10, 8 ghosts", LARGER, solve)
    return stop


GAME = walking_game(
    "models.pacman",
    "pacman",
    "Pacman",
    summary="reach the dot around the ghosts, eat every ghost, then the cherry.",
    rules="Walk to the dot without meeting a ghost; from then on every ghost can be eaten. The cherry comes last: its cell is closed "
    "while a ghost is left.",
    read=read,
    methods=lambda: {**METHODS, "passages": MAZE_METHODS["passages"]},
    apart=("passages",),
    instances=_instances,
    grow={"ghosts": Growth("ghosts", haunted)},
    generator=GENERATOR,
    reason=lambda board: closed_off(board) if isinstance(board, Maze) else reason_of(route(board)),
    tour=tour,
    interaction=INTERACTION,
    examples=("cpsolve solve pacman --animate", "cpsolve solve pacman params.pl --method dfs", "cpsolve solve pacman --count"),
)

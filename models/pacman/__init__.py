"""Pacman: eat the dot, then every ghost, then the cherry, in as few moves as can be.

>>> from models import pacman
>>> board = pacman.BOARDS["seed"]
>>> plan = pacman.solve(board)
>>> plan.optimal, plan.cost, pacman.solve(board, method="dfs").cost
(True, 14, 40)
>>> sum(1 for plan in pacman.shortest_plans(board))
30
>>> pacman.count_paths(pacman.Board(3, 2, pacman=(0, 0), dot=(1, 0), cherry=(2, 1), ghosts=[(0, 1)]))
8

Rules of one's own go between ``encode`` and ``decode``:

>>> model = pacman.encode(board, order=True)
>>> _ = model.add(model.order((3, 2)) < model.order((0, 3)), name="this ghost before that one")
>>> pacman.decode(board, model.solve().solution).cost
16

A maze of food, in the layout that most courses use, is eaten up and ended anywhere:

>>> pacman.solve(pacman.Maze.from_layout("%%%%%%%\\n%.. P.%\\n%.%.%.%\\n%.....%\\n%%%%%%%")).cost
12
"""

from __future__ import annotations

from typing import Any

from cpsolve.puzzles.plans import Walk
from cpsolve.puzzles.walks import WalkingGame
from models.pacman import maze as mazes
from models.pacman.drawing import draw
from models.pacman.encode import route
from models.pacman.formats import BOARDS
from models.pacman.maze import Maze
from models.pacman.rules import Board, State

__all__ = ["BOARDS", "Board", "Maze", "State", "count_paths", "decode", "draw", "encode", "paths", "shortest_plans", "solve"]

_game: WalkingGame[Board, State] = WalkingGame(route)
encode, decode = _game.encode, _game.decode
paths, count_paths, shortest_plans = _game.paths, _game.count_paths, _game.shortest_plans


def solve(
    board: Board | Maze, method: str = "auto", time_limit: float | None = None, *, max_memory: int | None = None, **options: Any
) -> Walk[Any]:
    """A shortest plan, or the reason why there is none; see :func:`cpsolve.puzzles.walks.solve` for methods and options.

    For a :class:`Maze` see :func:`models.pacman.maze.solve`.

    >>> solve(BOARDS["seed"], method="bfs").cost
    14
    """
    if isinstance(board, Maze):
        return mazes.solve(board, method, time_limit, max_memory=max_memory, **options)
    return _game.solve(board, method, time_limit, max_memory=max_memory, **options)

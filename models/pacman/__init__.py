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
"""

from __future__ import annotations

from cpsolve.puzzles.walks import WalkingGame
from models.pacman.drawing import draw
from models.pacman.encode import route
from models.pacman.formats import BOARDS
from models.pacman.rules import Board, State

__all__ = ["BOARDS", "Board", "State", "count_paths", "decode", "draw", "encode", "paths", "shortest_plans", "solve"]

_game: WalkingGame[Board, State] = WalkingGame(route)
encode, decode, solve = _game.encode, _game.decode, _game.solve
paths, count_paths, shortest_plans = _game.paths, _game.count_paths, _game.shortest_plans

"""Busy Police: catch the fugitive, with all evidence, in as few moves as can be.

>>> from models import busy_police
>>> scene = busy_police.SCENES["evidencias"]
>>> plan = busy_police.solve(scene)
>>> plan.optimal, plan.cost, plan.moves[0], plan.stats["method"]
(True, 40, Move(name='walk right'), 'circuit')
>>> sorted(plan.cost for plan in busy_police.paths(busy_police.SCENES["ambiente1"])), busy_police.count_paths(scene)
([18, 22, 22, 26], 13)

Rules of one's own go between ``encode`` and ``decode``:

>>> model = busy_police.encode(scene, "horizon")
>>> _ = model.add(model.made("jump right") == 2, name="spare the knees")
>>> busy_police.decode(scene, model.solve().solution).cost
40

What cannot be done is told with its reason:

>>> print(busy_police.solve(busy_police.Scene(5, 1, [(2, 1), (3, 1)], [], officer=(1, 1), fugitive=(5, 1))).reason)
the fugitive (5, 1) cannot be reached: on floor 1 only columns 1 to 1 can be reached: carts that cannot be jumped bar the rest
"""

from __future__ import annotations

from cpsolve.puzzles.walks import WalkingGame
from models.busy_police.drawing import draw
from models.busy_police.encode import route
from models.busy_police.formats import SCENES
from models.busy_police.rules import Scene, State

__all__ = ["SCENES", "Scene", "State", "count_paths", "decode", "draw", "encode", "paths", "shortest_plans", "solve"]

_game: WalkingGame[Scene, State] = WalkingGame(route)
encode, decode, solve = _game.encode, _game.decode, _game.solve
paths, count_paths, shortest_plans = _game.paths, _game.count_paths, _game.shortest_plans

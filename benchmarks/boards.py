"""Random boards of Busy Police and Pacman that have a plan: the same in every run."""

from __future__ import annotations

import random

from cpsolve.puzzles.plans import Cell
from models.busy_police import Scene
from models.busy_police.encode import route as police_route
from models.pacman import Board
from models.pacman.encode import route as pacman_route


def random_scene(width: int, floors: int, evidence: int, seed: int) -> Scene:
    """A random scene that has a plan: an eighth of the cells are carts, two ladders or more lead up from every floor.

    >>> random_scene(10, 5, 3, seed=0) == random_scene(10, 5, 3, seed=0)
    True
    """
    chance = random.Random(f"{width}x{floors}, {evidence}, {seed}")
    cells = [(column, floor) for floor in range(1, floors + 1) for column in range(1, width + 1)]
    while True:
        ladders = {(chance.randint(1, width), floor) for floor in range(1, floors) for _ in range(max(2, width // 12))}
        ends = ladders | {(column, floor + 1) for column, floor in ladders}
        carts = {cell for cell in cells if cell not in ends and chance.random() < 0.12}
        free = [cell for cell in cells if cell not in carts]
        officer, fugitive = free[0], free[-1]
        reachable = sorted(_mutually_reachable(Scene(width, floors, carts, ladders, officer, fugitive)))
        if fugitive in reachable and len(reachable) > evidence + 2:
            found = chance.sample([cell for cell in reachable if cell not in (officer, fugitive)], evidence)
            scene = Scene(width, floors, carts, ladders, officer, fugitive, found)
            if not police_route(scene).reason():
                return scene


def _mutually_reachable(scene: Scene) -> set[Cell]:
    """The cells that the officer can reach and from which he can reach the fugitive."""
    graph = police_route(scene).stages[0].graph
    ways = graph.distances_to([graph.number[scene.fugitive]])[0]
    return {cell for cell in graph.reach(scene.officer) if ways[graph.number[cell]] >= 0}


def random_board(side: int, ghosts: int, seed: int) -> Board:
    """A random square board that has a plan, a tenth of it walls.

    >>> len(random_board(8, 5, seed=0).ghosts)
    5
    """
    chance = random.Random(f"{side}, {ghosts}, {seed}")
    cells = [(x, y) for y in range(side) for x in range(side)]
    while True:
        pacman, dot, cherry, *rest = chance.sample(cells, len(cells))
        board = Board(side, side, pacman, dot, cherry, rest[:ghosts], rest[ghosts : ghosts + len(cells) // 10])
        if not pacman_route(board).reason():
            return board

"""Pacman on a board that answers: cells to point at, and things to put there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cpsolve.catalogue import Interaction, Option, Spot, Standing
from cpsolve.drawing import Place
from cpsolve.errors import ModelError
from cpsolve.words import counted, pair
from models.pacman.maze import Maze
from models.pacman.rules import Board

BRUSHES = {"ghost": "ghost", "wall": "wall", "pacman": "Pacman", "dot": "dot", "cherry": "cherry", "empty": "empty"}
LARGEST = 60


def new(width: int = 8, height: int = 8) -> Board:
    """A board without ghosts and walls.

    >>> new(4, 3).cherry
    (3, 2)
    """
    if width * height < 3 or max(width, height) > LARGEST:
        raise ModelError(f"a board of {width} by {height}: expected at least 3 cells and at most {LARGEST} on a side")
    cells = [(x, y) for y in range(height) for x in range(width)]
    return Board(width, height, cells[0], cells[len(cells) // 2], cells[-1], [])


def spots(board: Board | Maze) -> Mapping[Place, Spot]:
    """Every cell."""
    if isinstance(board, Maze):
        names = dict.fromkeys(board.food, "food") | {board.pacman: "Pacman"}
    else:
        names = {board.pacman: "Pacman", board.dot: "dot", board.cherry: "cherry"}
    names |= dict.fromkeys(board.ghosts, "ghost") | dict.fromkeys(board.walls, "wall")
    cells = ((x, y) for y in range(board.height) for x in range(board.width))
    return {(x, y): Spot(f"{x},{y}", f"x {x}, y {y}: {names.get((x, y), 'empty')}") for x, y in cells}


def standing(board: Board | Maze) -> Standing:
    """What there is on the board."""
    if isinstance(board, Maze):
        return Standing(
            f"{board.width} by {board.height}, {counted(len(board.food), 'piece')} of food, {counted(len(board.walls), 'wall')}"
        )
    return Standing(f"{board.width} by {board.height}, {counted(len(board.ghosts), 'ghost')}, {counted(len(board.walls), 'wall')}")


def paint(board: Board | Maze, spot: str, brush: str) -> Board:
    """The board with something put on a cell, in place of what was there; Pacman, the dot and the cherry can only move.

    >>> sorted(paint(new(3, 3), "1,0", "ghost").ghosts)
    [(1, 0)]
    """
    if isinstance(board, Maze):
        raise ModelError("a maze of food is changed in its text, the layout, not cell by cell")
    cell = pair(spot, "a cell", "X,Y")
    only: dict[str, Any] = {"pacman": board.pacman, "dot": board.dot, "cherry": board.cherry}
    if (there := next((name for name, place in only.items() if place == cell and name != brush), None)) is not None:
        raise ModelError(f"the {there} is there: put it elsewhere first")
    ghosts, walls = board.ghosts - {cell}, board.walls - {cell}
    if brush in only:
        only[brush] = cell
    elif brush == "ghost":
        ghosts |= {cell}
    elif brush == "wall":
        walls |= {cell}
    return Board(board.width, board.height, ghosts=ghosts, walls=walls, **only)


INTERACTION = Interaction(
    spots=spots,
    standing=standing,
    brushes=BRUSHES,
    paint=paint,
    new=new,
    new_options=(Option("width", "Columns.", int, least=1), Option("height", "Rows.", int, least=1)),
)

"""What a picture of Pacman shows: the board and, of a plan, both parts of the way: to the dot, and from there to the cherry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cpsolve.drawing import (
    BLUE,
    GREEN,
    INK,
    PAPER,
    SKY,
    VERMILLION,
    YELLOW,
    Entry,
    Icon,
    Picture,
    Route,
    Shape,
    Tile,
    disc,
    stroke,
)
from cpsolve.drawing.plans import barred, moves_in_words, steps_shown, tiles_alike
from cpsolve.drawing.searches import heated
from cpsolve.puzzles.plans import Cell, Plan
from cpsolve.results import Status
from models.pacman.encode import route as route_of
from models.pacman.maze import Maze, ways_from
from models.pacman.rules import Board

PACMAN = Icon("<", YELLOW, (Shape("M0 0L12.1 -7A14 14 0 1 0 12.1 7z", YELLOW, INK, 2), disc(1, -7.5, 1.8, INK)))
GHOST = Icon(
    "x",
    SKY,
    (
        Shape("M-12 14V-2A12 12 0 0 1 12 -2V14L8 10 4 14 0 10 -4 14 -8 10z", SKY, INK, 2),
        disc(-4.5, -3, 3.2, PAPER, INK, 1),
        disc(4.5, -3, 3.2, PAPER, INK, 1),
    ),
)
DOT = Icon("o", INK, (disc(0, 0, 6, INK),))
CHERRY = Icon(
    "C",
    VERMILLION,
    (stroke("M-6 6Q-2 -8 9 -13Q5 -4 6 8", GREEN, 2.5), disc(-6, 8, 6, VERMILLION, INK, 1.5), disc(7, 9, 6, VERMILLION, INK, 1.5)),
)
WALL = "#4A545D"
BRICKS = Icon("#", WALL, (stroke("M-20 -7H20M-20 7H20M-7 -20V-7M9 -7V7M-7 7V20", "#8A939B", 1.5),), behind=True)
TO_THE_DOT = Route((), BLUE, note="to the dot")
TO_THE_CHERRY = Route((), VERMILLION, dashed=True, arrows=("⇒", "⇐", "⇑", "⇓"), note="to the ghosts and the cherry")


def draw(board: Board | Maze, plan: Plan[Any] | None = None, step: int | None = None, visits: Mapping[Cell, int] | None = None) -> Picture:
    """The board; with a plan its route; with ``step`` the board after that many of its moves; ``visits`` warm the cells of a search.

    Where there is no plan, what is out of reach is hatched.

    >>> print(draw(Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], walls=[(2, 1)])))
        0   1   2
      ┌───────────┐
    0 │ <   o   C │
    1 │ x   ·   # │
      └───────────┘
    < Pacman   o dot   C cherry   x ghost   # wall
    """
    if isinstance(board, Maze):
        return draw_maze(board, plan, step)
    moves, states = steps_shown(plan, step)
    state = states[-1] if step is not None else board.start()
    tiles = tiles_alike(board.walls, Tile((BRICKS,), fill=WALL), "wall")
    icons = {} if board.is_goal(state) else {board.cherry: [(CHERRY, "cherry")]}
    if not state.dot_eaten:
        icons.setdefault(board.dot, []).append((DOT, "dot"))
    for cell in state.ghosts:
        icons.setdefault(cell, []).append((GHOST, "ghost"))
    icons.setdefault(state.cell, []).append((PACMAN, "Pacman"))
    for cell, things in icons.items():
        tiles[cell] = Tile(tuple(icon for icon, _ in things), note=f"{cell}: {', '.join(name for _, name in things)}")
    split = next((number for number, each in enumerate(states) if each.dot_eaten), len(moves))
    cells = tuple(each.cell for each in states)
    legend = [Entry("Pacman", Tile((PACMAN,))), Entry("dot", Tile((DOT,))), Entry("cherry", Tile((CHERRY,)))]
    legend += [Entry("ghost", Tile((GHOST,)))] * bool(board.ghosts)
    legend += [Entry("wall", Tile((BRICKS,), fill=WALL))] * bool(board.walls)
    if plan:
        legend += [Entry(route.note, route) for route in (TO_THE_DOT, TO_THE_CHERRY)]
    captions, words = moves_in_words(plan, step)
    words += tuple(tiles[cell].note for cell, things in sorted(icons.items()) if len(things) > 1)  # text shows the last of them only
    picture = Picture(
        "Pacman",
        board.width,
        board.height,
        heated(tiles, visits or {}),
        routes=(replace(TO_THE_DOT, points=cells[: split + 1]), replace(TO_THE_CHERRY, points=cells[split:])) if plan else (),
        column_labels=tuple(map(str, range(board.width))),
        row_labels=tuple(map(str, range(board.height))),
        captions=captions,
        words=words,
        legend=tuple(legend),
    )
    obstacle = route_of(board).obstacle() if plan is not None and plan.status is Status.INFEASIBLE else None
    if obstacle is None:
        return picture
    wanted = (obstacle.target, obstacle.source) if obstacle.both_ways else (obstacle.target,)
    return barred(picture, obstacle.beyond, wanted)


def draw_maze(maze: Maze, plan: Plan[Any] | None = None, step: int | None = None) -> Picture:
    """A maze of food; with a plan its route; with ``step`` the maze after that many of its moves.

    >>> print(draw_maze(Maze.from_layout("%P.%")))
        0   1   2   3
      ┌───────────────┐
    0 │ #   <   o   # │
      └───────────────┘
    < Pacman   o food   # wall
    """
    _, states = steps_shown(plan, step)
    state = states[-1] if step is not None else maze.start()
    tiles = tiles_alike(maze.walls, Tile((BRICKS,), fill=WALL), "wall") | tiles_alike(state.food, Tile((DOT,)), "food")
    tiles[state.cell] = Tile((PACMAN,), note=f"{state.cell}: Pacman")
    legend = [Entry("Pacman", Tile((PACMAN,))), Entry("food", Tile((DOT,)))]
    legend += [Entry("wall", Tile((BRICKS,), fill=WALL))] * bool(maze.walls)
    captions, words = moves_in_words(plan, step)
    picture = Picture(
        "Pacman",
        maze.width,
        maze.height,
        tiles,
        routes=(replace(TO_THE_DOT, points=tuple(each.cell for each in states), note="the way"),) if plan else (),
        column_labels=tuple(map(str, range(maze.width))),
        row_labels=tuple(map(str, range(maze.height))),
        captions=captions,
        words=words,
        legend=tuple(legend),
    )
    if plan is None or plan.status is not Status.INFEASIBLE:
        return picture
    closed = set(maze.cells) - ways_from(maze, maze.pacman).keys()
    return barred(picture, closed, closed & maze.food)

"""Pacman as a route in two stages: to the dot, around the ghosts; then through all ghosts to the cherry.

The rules say which moves there are in each. While ghosts are left nobody enters the cherry's cell, and the second stage ends
on arrival there: so in its graph no move leads out of the cherry's cell, and with the ghosts as items the moves are those of a
board without ghosts.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsolve.errors import ModelError
from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.plans import Cell, Move
from cpsolve.puzzles.routes import Obstacle, Route, Stage
from models.pacman.maze import Maze
from models.pacman.rules import Board, State


def route(board: Board | Maze) -> Route[State]:
    """The board as a route.

    >>> from models.pacman import BOARDS
    >>> [(stage.start, len(stage.items), stage.goal) for stage in route(BOARDS["seed"]).stages]
    [((0, 0), 0, (1, 2)), ((1, 2), 4, (4, 4))]
    """

    if isinstance(board, Maze):
        raise ModelError("a maze of food is no board with a dot and a cherry: ask pacman.solve(maze) for a shortest route")

    def before_the_dot(cell: Cell) -> Iterator[tuple[Move, Cell]]:
        return ((move, state.cell) for move, state in board.moves(State(cell, False, board.ghosts)))

    def after_the_dot(cell: Cell) -> Iterator[tuple[Move, Cell]]:
        if cell != board.cherry:
            yield from ((move, state.cell) for move, state in board.moves(State(cell, True, frozenset())))

    def divide() -> list[Stage]:
        return [
            Stage(MoveGraph(board.cells(), before_the_dot), board.pacman, (), board.dot, ("pacman", "", "dot")),
            Stage(MoveGraph(board.cells(), after_the_dot), board.dot, board.ghosts, board.cherry, ("dot", "ghost", "cherry")),
        ]

    def missing(state: State) -> tuple[int, frozenset[Cell]]:
        return (1, state.ghosts) if state.dot_eaten else (0, frozenset())

    return Route(board, divide, lambda obstacle: explain(board, obstacle), missing)


# -- why there is no plan


def explain(board: Board, obstacle: Obstacle) -> str:
    """An obstacle in words: what cannot be reached and what is in the way.

    >>> board = Board(4, 1, pacman=(0, 0), dot=(2, 0), cherry=(3, 0), ghosts=[(1, 0)])
    >>> explain(board, route(board).stages[0].obstacle())
    'the dot (2, 0) cannot be reached: the ghost (1, 0) bars the way, and only the dot makes it edible'
    """
    source, target = obstacle.source, obstacle.target
    text = f"{_name(board, target)} cannot be reached"
    cherry = board.cherry if board.ghosts and target != board.cherry else None
    closed = f"the cherry's cell {cherry}, which is closed while a ghost is left"
    graph = MoveGraph(board.cells(), lambda cell: ((move, state.cell) for move, state in board.moves(State(cell, True, frozenset()))))
    if target not in graph.reach(source):
        return f"{text}: walls close it off from {_name(board, source)}"
    if target != board.dot:
        return f"{text}: the only way leads through {closed}"
    if target in graph.reach(source, board.ghosts):
        return f"{text}: the only way around the ghosts leads through {closed}"
    around = graph.reach(source, board.ghosts | {board.cherry})
    ghosts = sorted(ghost for ghost in board.ghosts if any(graph.cells[head] in around for head in graph.moves[graph.number[ghost]]))
    if not ghosts:
        return f"{text}: the only way leads through {closed}, and ghosts bar it beyond"
    bars = f"the ghost {ghosts[0]} bars" if len(ghosts) == 1 else f"the ghosts {', '.join(map(str, ghosts))} bar"
    text += f": {bars} the way, and only the dot makes {'it' if len(ghosts) == 1 else 'them'} edible"
    if target in graph.reach(source, {board.cherry}):
        return text
    return f"{text}; beyond, it leads through {closed}"


def _name(board: Board, cell: Cell) -> str:
    names = {board.pacman: "pacman", board.dot: "the dot", board.cherry: "the cherry"}
    return f"{names.get(cell, 'the ghost')} {cell}"

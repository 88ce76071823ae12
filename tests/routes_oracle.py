"""Random scenes and boards, and brute force on them, for the tests of both games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from cpsolve.constraints import circuit
from cpsolve.expressions import Variable
from cpsolve.model import Model
from cpsolve.puzzles.plans import Cell, Move, Puzzle
from cpsolve.puzzles.routes import Stage
from models.busy_police import Scene
from models.pacman import Board


@st.composite
def scenes(draw: st.DrawFn, max_width: int = 7, max_floors: int = 3, max_evidence: int = 3) -> Scene:
    """A scene of a few cells, with many carts, so that some have no plan."""
    width, floors = draw(st.integers(2, max_width)), draw(st.integers(1, max_floors))
    cells = [(column, floor) for floor in range(1, floors + 1) for column in range(1, width + 1)]
    ladders = draw(st.sets(st.sampled_from(cells), max_size=5)) if floors > 1 else set()
    ladders = {(column, floor) for column, floor in ladders if floor < floors}
    ends = ladders | {(column, floor + 1) for column, floor in ladders}
    officer, fugitive = draw(st.sampled_from(cells)), draw(st.sampled_from(cells))
    evidence = draw(st.sets(st.sampled_from(cells), max_size=max_evidence))
    standing = ends | evidence | {officer, fugitive}
    carts = draw(st.sets(st.sampled_from(cells), max_size=len(cells) // 2)) - standing
    return Scene(width, floors, carts, ladders, officer, fugitive, evidence)


@st.composite
def boards(draw: st.DrawFn, max_width: int = 4, max_height: int = 3, max_ghosts: int = 3) -> Board:
    """A board of a few cells, with walls, so that some have no plan."""
    width, height = draw(st.integers(2, max_width)), draw(st.integers(2, max_height))
    cells: list[Cell] = [(x, y) for y in range(height) for x in range(width)]
    order = draw(st.permutations(cells))
    pacman, dot, cherry, *rest = order
    ghosts = draw(st.integers(0, min(max_ghosts, len(rest))))
    walls = draw(st.integers(0, max(0, min(4, len(rest) - ghosts))))
    return Board(width, height, pacman, dot, cherry, rest[:ghosts], rest[ghosts : ghosts + walls])


def depth_first_paths(puzzle: Puzzle[Any], most: int | None = None) -> Iterator[tuple[Move, ...]]:
    """All answers of naive depth-first search, in its order: every path without a repeated state that ends in the goal.

    It stops once it has looked at ``most`` states.
    """
    looked = 0

    def go(moves: tuple[Move, ...], path: tuple[Any, ...]) -> Iterator[tuple[Move, ...]]:
        nonlocal looked
        if puzzle.is_goal(path[-1]):
            yield moves
            return
        for move, state in puzzle.moves(path[-1]):
            looked += 1
            if most is not None and looked > most:
                return
            if state not in path:
                yield from go((*moves, move), (*path, state))

    return go((), (puzzle.start(),))


def path_model(stage: Stage) -> tuple[Model, dict[tuple[int, int], Variable]]:
    """The simple paths from start to goal of a stage without items, as a circuit that may leave places out.

    It is the constraint model of what ``paths`` and ``count_paths`` do by their own means, and their check.
    """
    start, *_, goal = stage.places
    model = Model("paths")
    legs = {
        (tail, head): model.bool_var(f"{stage.graph.cells[tail]} to {stage.graph.cells[head]}")
        for tail, moves in enumerate(stage.graph.moves)
        for head in moves
        if tail != goal and head != start
    }
    left_out = [(place, place, model.bool_var()) for place in range(len(stage.graph.cells)) if place not in (start, goal)]
    model.add(circuit([*((tail, head, taken) for (tail, head), taken in legs.items()), *left_out, (goal, start, True)]), name="one path")
    return model, legs

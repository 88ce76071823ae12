"""Random scenes and boards, and brute force on them, for the tests of both games."""

from __future__ import annotations

from hypothesis import strategies as st

from cpsolve.puzzles.plans import Cell
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

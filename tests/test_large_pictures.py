"""Pictures of boards that are too large for any terminal: named in text, drawn in SVG, and cheap to make."""

from __future__ import annotations

import pytest

from cpsolve import Status
from cpsolve.drawing import Picture, Tile
from cpsolve.drawing import plans as drawn_plans
from cpsolve.drawing.plans import MOST_NOTES, tiles_alike
from cpsolve.drawing.text import MOST_CELLS
from cpsolve.puzzles.plans import Plan
from models import busy_police, pacman

WALLS = [(x, y) for y in range(1, 500) for x in range(500)]


def test_a_board_that_is_too_large_for_a_terminal_is_named_and_its_captions_stay() -> None:
    board = pacman.Board(500, 500, (0, 0), (1, 0), (2, 0), (), walls=WALLS)
    plan: Plan[pacman.State] = Plan(Status.UNKNOWN, reason="stopped", puzzle=board)
    assert pacman.draw(board, plan).text().splitlines() == [
        "(a board of 500 by 500 cells is too large to be drawn as text; SVG shows it)",
        "unknown: stopped",
    ]


def test_the_largest_board_that_is_drawn_in_text_has_all_its_cells() -> None:
    assert Picture("a line", MOST_CELLS, 1).text().count("·") == MOST_CELLS
    assert "·" not in Picture("a line", MOST_CELLS + 1, 1).text()


def test_cells_that_are_too_many_to_have_a_note_each_share_one_tile() -> None:
    few, many = [(x, 0) for x in range(MOST_NOTES)], [(x, 0) for x in range(MOST_NOTES + 1)]
    assert tiles_alike(few, Tile(label="#"), "wall")[7, 0].note == "(7, 0): wall"
    shared = tiles_alike(many, Tile(label="#"), "wall")
    assert list(shared) == many
    assert {id(tile) for tile in shared.values()} == {id(shared[0, 0])}
    assert shared[0, 0] == Tile(label="#", note="wall")


@pytest.mark.parametrize("most", [0, MOST_NOTES])
def test_a_scene_shows_the_same_signs_whether_its_cells_have_notes_of_their_own_or_not(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_plans, "MOST_NOTES", most)
    scene = busy_police.Scene(4, 2, [(2, 1)], [(4, 1)], (4, 1), (1, 2), evidence=[(2, 2)])
    assert str(busy_police.draw(scene)).splitlines()[:5] == [
        "  ┌───────────────┐",
        "2 │ F   e   ·   · │",
        "  │             H │",
        "1 │ ·   o   ·   P │",
        "  └───────────────┘",
    ]

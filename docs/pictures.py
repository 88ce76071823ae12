"""Draws the pictures of the documents into ``docs/pictures/``: ``python docs/pictures.py``.

Every picture is what the program shows; the tests draw them again and compare.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from cpsolve.drawing import Picture
from cpsolve.puzzles import links
from models import busy_police, center, four_in_a_line, minesweeper, pacman

FOLDER = Path(__file__).parent / "pictures"
NUMBERS = ("sudoku", "killer", "kakuro", "skyscrapers", "fillomino", "zebra")
LOOPS = ("slitherlink", "masyu", "yajilin", "knights_tour", "hashi")
MARKS = ("heyawake", "nurikabe", "hitori", "nonogram", "shikaku", "akari", "star_battle", "tents")
"""The scripts in ``examples/puzzles`` whose solution is the only one, and so the same picture everywhere."""


def puzzle(name: str) -> Picture:
    """The solution that a script of the gallery draws."""
    script = importlib.import_module(f"examples.puzzles.{name}")
    given = getattr(script, "read", links.read)(script.PUZZLE)
    model, variables = script.model(given)
    return script.draw(given, variables, model.solve().solution)  # type: ignore[no-any-return]


def pictures() -> dict[str, Picture]:
    """Every picture by the name of its file."""
    scene = busy_police.SCENES["evidencias"]
    board = pacman.BOARDS["seed"]
    game = minesweeper.Game(minesweeper.Field.random(9, 9, 10, seed=4), first_click="opening")
    game.open((5, 5))
    drops = four_in_a_line.Position.from_moves("444555544221")
    stones = center.Position(5).play((3, 1)).play((1, 1))
    return {
        "busy_police": busy_police.draw(scene, busy_police.solve(scene)),
        "pacman": pacman.draw(board, pacman.solve(board)),
        "minesweeper": minesweeper.draw(game, minesweeper.infer(game.view)),
        "minesweeper_why": minesweeper.draw(game, explanation=minesweeper.why(game.view, (1, 5))),
        "four_in_a_line": four_in_a_line.draw(drops, four_in_a_line.solve(drops)),
        "center": center.draw(stones, center.solve(stones)),
        **{f"puzzle_{name}": puzzle(name) for name in (*NUMBERS, *LOOPS, *MARKS)},
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        picture.save(FOLDER / f"{name}.svg")

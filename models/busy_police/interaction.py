"""Busy Police on a board that answers: cells to point at, and things to put there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cpsolve.catalogue import Interaction, Option, Spot, Standing
from cpsolve.drawing import Place
from cpsolve.errors import ModelError
from cpsolve.words import counted, pair
from models.busy_police.rules import Scene

BRUSHES = {"cart": "cart", "ladder": "ladder", "evidence": "evidence", "officer": "officer", "fugitive": "fugitive", "empty": "empty"}
LARGEST = 60


def new(width: int = 10, floors: int = 5) -> Scene:
    """A scene with a ladder between each two floors and nothing in the way.

    >>> new(4, 2).fugitive
    (4, 2)
    """
    if width < 2 or floors < 1 or max(width, floors) > LARGEST:
        raise ModelError(f"a scene of {width} columns and {floors} floors: expected 2 to {LARGEST} columns and 1 to {LARGEST} floors")
    return Scene(width, floors, [], [(2 if floor % 2 == 0 else width - 1, floor) for floor in range(1, floors)], (1, 1), (width, floors))


def spots(scene: Scene) -> Mapping[Place, Spot]:
    """Every cell."""
    found = {}
    for floor in range(1, scene.floors + 1):
        for column in range(1, scene.width + 1):
            cell = (column, floor)
            things = [("officer", {scene.officer}), ("fugitive", {scene.fugitive}), ("cart", scene.carts), ("ladder", scene.ladders)]
            names = [name for name, cells in [*things, ("evidence", scene.evidence)] if cell in cells]
            found[column - 1, scene.floors - floor] = Spot(
                f"{column},{floor}", f"column {column}, floor {floor}: {', '.join(names) or 'empty'}"
            )
    return found


def standing(scene: Scene) -> Standing:
    """What there is in the scene."""
    things = (counted(len(scene.carts), "cart"), counted(len(scene.ladders), "ladder"), f"{len(scene.evidence)} evidence")
    return Standing(f"{scene.width} columns, {counted(scene.floors, 'floor')}, {', '.join(things)}")


def paint(scene: Scene, spot: str, brush: str) -> Scene:
    """The scene with something put on a cell: a cart takes the place of evidence and ladders, and all else takes that of a cart.

    >>> scene = paint(new(4, 2), "3,1", "cart")
    >>> sorted(scene.carts), sorted(scene.ladders)
    ([(3, 1)], [])
    """
    cell = pair(spot, "a cell", "COLUMN,FLOOR")
    people: dict[str, Any] = {"officer": scene.officer, "fugitive": scene.fugitive}
    carts, ladders, evidence = set(scene.carts), set(scene.ladders), set(scene.evidence)
    if brush == "cart":
        carts ^= {cell}
        evidence.discard(cell)
        ladders -= {cell, (cell[0], cell[1] - 1)}
    else:
        carts.discard(cell)
    if brush == "empty":
        ladders, evidence = ladders - {cell}, evidence - {cell}
    elif brush == "ladder":
        ladders ^= {cell}
        carts.discard((cell[0], cell[1] + 1))
    elif brush == "evidence":
        evidence ^= {cell}
    elif brush in people:
        people[brush] = cell
    return Scene(scene.width, scene.floors, carts, ladders, people["officer"], people["fugitive"], evidence)


INTERACTION = Interaction(
    spots=spots,
    standing=standing,
    brushes=BRUSHES,
    paint=paint,
    new=new,
    new_options=(Option("width", "Columns.", int, least=2), Option("floors", "Floors.", int, least=1)),
)

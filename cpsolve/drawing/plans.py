"""What every picture of a plan says, whatever the puzzle: the part that is shown, its captions, and what bars the way if there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

from cpsolve.drawing.palette import VERMILLION
from cpsolve.drawing.picture import Entry, Icon, Picture, Place, Tile, stroke
from cpsolve.errors import ModelError
from cpsolve.limits import looking
from cpsolve.puzzles.plans import Move, Plan, S
from cpsolve.results import Status
from cpsolve.words import counted


def steps_shown(plan: Plan[S] | None, step: int | None) -> tuple[tuple[Move, ...], tuple[S, ...]]:
    """The moves and states of a plan up to a step, all of them without one.

    >>> from cpsolve.puzzles.garden import Garden
    >>> from cpsolve.puzzles.search import bfs
    >>> [len(part) for part in steps_shown(bfs(Garden("So.E")), 2)]
    [2, 3]
    """
    if plan is None or not plan:
        if step is not None:
            raise ModelError(f"step {step} of no plan: give a plan that has moves")
        return (), ()
    if step is not None and not 0 <= step <= len(plan.moves):
        raise ModelError(f"the plan has {len(plan.moves)} moves: expected a step from 0 to {len(plan.moves)}, got {step}")
    end = len(plan.moves) if step is None else step
    return plan.moves[:end], plan.states[: end + 1]


def moves_in_words(plan: Plan[Any] | None, step: int | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The captions of a picture of a plan: how good it is or why there is none; and its moves, for a picture in text.

    >>> from cpsolve.puzzles.garden import Garden
    >>> from cpsolve.puzzles.search import bfs
    >>> moves_in_words(bfs(Garden("So.E")), 1)
    (('move 1 of 3: right',), ())
    >>> moves_in_words(bfs(Garden("So.E")), None)
    (('3 moves, proven the fewest',), ('right ×3',))
    """
    if plan is None:
        return (), ()
    if not plan:
        return (str(plan),), ()
    if step is not None:
        return (f"move {step} of {len(plan.moves)}" + (f": {plan.moves[step - 1]}" if step else ""),), ()
    runs = [(move, len(list(group))) for move, group in groupby(plan.moves)]
    listed = ", ".join(f"{move}" + (f" ×{count}" if count > 1 else "") for move, count in runs)
    quality = {Status.OPTIMAL: ", proven the fewest"}.get(plan.status, "")
    if not quality and plan.bound is not None:
        quality = f", no plan has fewer than {plan.bound}"
    return (counted(len(plan.moves), "move") + quality,), (listed,) if listed else ()


# -- boards of many cells

MOST_NOTES = 40_000
"""More cells than this share one note: nobody rests the mouse on each, and a tile of its own for each takes long to make."""


def tiles_alike(cells: Collection[Place], tile: Tile, name: str) -> dict[Place, Tile]:
    """A tile on each of some cells, with a note that says where it is, as long as they are not too many.

    >>> {place: tile.note for place, tile in tiles_alike([(1, 2)], Tile(label="#"), "wall").items()}
    {(1, 2): '(1, 2): wall'}
    """
    if len(cells) > MOST_NOTES:
        return dict.fromkeys(looking(cells, "drawing"), replace(tile, note=name))
    return {cell: replace(tile, note=f"{cell}: {name}") for cell in looking(cells, "drawing")}


# -- why there is no plan

HATCH = Icon("/", None, (stroke("M-20 0L0 -20M-20 20L20 -20M0 20L20 0", "#8A939B", 2),), behind=True)
OUT_OF_REACH = (Entry("out of reach", Tile((HATCH,))), Entry("what cannot be reached", Tile(frame=VERMILLION, dashed=True), "svg"))


def barred(picture: Picture, beyond: Iterable[Place], wanted: Iterable[Place]) -> Picture:
    """The picture with what lies ``beyond`` reach hatched, and what is ``wanted`` of it framed.

    >>> print(barred(Picture("A wall", 3, 1, {(1, 0): Tile(label="#")}), [(2, 0)], [(2, 0)]))
    ┌───────────┐
    │ ·   #   / │
    └───────────┘
    / out of reach
    """
    tiles: dict[Place, Tile] = dict(picture.tiles)
    for place in beyond:
        tile = tiles.get(place, Tile())
        note = f"{tile.note}; out of reach" if tile.note else "out of reach"
        tiles[place] = replace(tile, icons=(HATCH, *tile.icons), note=note)
    for place in wanted:
        tiles[place] = replace(tiles.get(place, Tile()), frame=VERMILLION, dashed=True)
    return replace(picture, tiles=tiles, legend=(*picture.legend, *OUT_OF_REACH))

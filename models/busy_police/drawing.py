"""What a picture of Busy Police shows: floors with carts and ladders, who stands where, and the officer's route."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cpsolve.drawing import (
    BLUE,
    INK,
    PAPER,
    VERMILLION,
    YELLOW,
    Entry,
    Icon,
    Picture,
    Place,
    Route,
    Shape,
    Tile,
    disc,
    stroke,
)
from cpsolve.drawing.plans import barred, moves_in_words, steps_shown, tiles_alike
from cpsolve.drawing.searches import heated
from cpsolve.limits import looking
from cpsolve.puzzles.plans import Cell, Plan
from cpsolve.results import Status
from models.busy_police.encode import route as route_of
from models.busy_police.rules import Scene

SKIN, RAIL, STEEL = "#F2D3B3", "#8A5A2B", "#4A545D"

OFFICER = Icon(
    "P",
    BLUE,
    (
        Shape("M-10 16V9A10 9 0 0 1 10 9V16z", BLUE, PAPER, 1.5),
        disc(0, -6, 6.5, SKIN, PAPER, 1.5),
        Shape("M-8 -8H10L7 -10 6 -15H-6L-8 -8z", BLUE, PAPER, 1),
    ),
)
FUGITIVE = Icon(
    "F",
    VERMILLION,
    (
        Shape("M-10 16V9A10 9 0 0 1 10 9V16z", VERMILLION, PAPER, 1.5),
        stroke("M-8 6.5H8M-9 11.5H9", PAPER, 2.5),
        disc(0, -6, 6.5, SKIN, PAPER, 1.5),
        Shape("M-7 -9H7V-5H-7z", INK),
    ),
)
CART = Icon(
    "o",
    STEEL,
    (
        Shape("M-9 -6H14L10 5H-6z", "#C3CBD2", STEEL, 2),
        stroke("M-15 -10H-10L-5 9H11", STEEL, 2),
        disc(-3, 13, 2.5, STEEL),
        disc(9, 13, 2.5, STEEL),
    ),
)
LADDER = Icon("H", RAIL, (stroke("M-8 16V-38M8 16V-38M-8 9H8M-8 0H8M-8 -9H8M-8 -18H8M-8 -27H8M-8 -36H8", RAIL, 2.5),), behind=True)
SHORT_LADDER = Icon("H", RAIL, (stroke("M-8 18V-18M8 18V-18M-8 12H8M-8 4H8M-8 -4H8M-8 -12H8", RAIL, 2.5),))
EVIDENCE = Icon("e", YELLOW, (stroke("M4 5L12 14", INK, 4), disc(-2, -2, 9, YELLOW, INK, 2.5)))
FOUND = Icon("x", "#B9C1C8", (disc(-2, -2, 9, "none", "#8A939B", 2), stroke("M-6 -2L-3 2 3 -6", "#6B6B6B", 2.5)))


def draw(scene: Scene, plan: Plan[Any] | None = None, step: int | None = None, visits: Mapping[Cell, int] | None = None) -> Picture:
    """The scene; with a plan its route; with ``step`` the scene after that many of its moves; ``visits`` warm the cells of a search.

    Where there is no plan, what is out of reach is hatched.

    >>> print(draw(Scene(4, 2, [(2, 1)], [(4, 1)], (1, 1), (2, 2))))
      ┌───────────────┐
    2 │ ·   F   ·   · │
      │             H │
    1 │ P   o   ·   H │
      └───────────────┘
        1   2   3   4
    P officer   F fugitive   o cart   H ladder
    """
    moves, states = steps_shown(plan, step)
    state = states[-1] if step is not None else scene.start()

    def place(cell: Cell) -> Place:
        return cell[0] - 1, scene.floors - cell[1]

    alone = scene.ladders ^ scene.carts
    alone -= {*scene.evidence, scene.fugitive, state.cell}
    icons: dict[Cell, list[tuple[Icon, str]]] = {}
    for cell in scene.ladders - alone:
        icons.setdefault(cell, []).append((LADDER, "ladder"))
    for cell in scene.carts - alone:
        icons.setdefault(cell, []).append((CART, "cart"))
    for cell in scene.evidence:
        found = step is not None and cell in state.collected
        icons.setdefault(cell, []).append((FOUND, "evidence, collected") if found else (EVIDENCE, "evidence"))
    icons.setdefault(scene.fugitive, []).append((FUGITIVE, "fugitive"))
    icons.setdefault(state.cell, []).append((OFFICER, "officer"))
    shown = {
        cell: Tile(
            tuple(icon for icon, _ in things),
            note=f"{cell}: {', '.join(name for _, name in things)}",
            above="H" if cell in scene.ladders else "",
        )
        for cell, things in looking(icons.items(), "drawing")
    }
    shown |= tiles_alike(scene.ladders & alone, Tile((LADDER,), above="H"), "ladder")
    shown |= tiles_alike(scene.carts & alone, Tile((CART,)), "cart")
    tiles = {(column - 1, scene.floors - floor): tile for (column, floor), tile in shown.items()}
    route = Route(
        tuple(place(each.cell) for each in states),
        BLUE,
        hops=frozenset(number for number, move in enumerate(moves) if move.name.startswith("jump")),
        note=f"the route, {len(moves)} moves",
    )
    legend = [Entry("officer", Tile((OFFICER,))), Entry("fugitive", Tile((FUGITIVE,)))]
    legend += [Entry("cart", Tile((CART,)))] * bool(scene.carts) + [Entry("ladder", Tile((SHORT_LADDER,), text="H"))] * bool(scene.ladders)
    if scene.evidence:
        legend.append(Entry("evidence", Tile((EVIDENCE,))))
        if step is not None:
            legend.append(Entry("collected", Tile((FOUND,))))
    if plan:
        legend.append(Entry("route", Route((), BLUE)))
        if route.hops:
            legend.append(Entry("jump", Tile(text="↷"), where="text"))
    captions, words = moves_in_words(plan, step)
    crowded = [cell for cell, things in sorted(icons.items()) if sum(not icon.behind for icon, _ in things) > 1]
    words += tuple(tiles[place(cell)].note for cell in crowded)  # in text only the last of them is seen
    picture = Picture(
        "Busy Police",
        scene.width,
        scene.floors,
        heated(tiles, {place(cell): number for cell, number in (visits or {}).items()}),
        routes=(route,) if plan else (),
        column_labels=tuple(map(str, range(1, scene.width + 1))),
        row_labels=tuple(map(str, range(scene.floors, 0, -1))),
        labels_below=True,
        captions=captions,
        words=words,
        legend=tuple(legend),
        ground="floors",
    )
    obstacle = route_of(scene).obstacle() if plan is not None and plan.status is Status.INFEASIBLE else None
    if obstacle is None:
        return picture
    wanted = (obstacle.target, obstacle.source) if obstacle.both_ways else (obstacle.target,)
    return barred(picture, map(place, obstacle.beyond), map(place, wanted))

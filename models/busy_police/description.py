"""What Busy Police says of itself: names, formats, options, and its stop of the tour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cpsolve.catalogue import Growth, Instance, Option
from cpsolve.puzzles.descriptions import walking_game
from cpsolve.puzzles.growing import between, scattered
from cpsolve.puzzles.showcase import Stop, show_walk
from cpsolve.words import pair
from models.busy_police import SCENES, count_paths, solve
from models.busy_police.drawing import draw
from models.busy_police.encode import route
from models.busy_police.generate import GENERATOR
from models.busy_police.interaction import INTERACTION
from models.busy_police.rules import Scene

FIRST = "evidencias"
"""The scene that is taken when none is given: the one with evidence."""


def read(text: str, officer: str | None = None, fugitive: str | None = None) -> Scene:
    """A scene from facts, a drawing or a plain map; the officer and the fugitive may be placed elsewhere, as in ``3,4``.

    >>> read("dimensoes(3, 1). policial(1, 1). fugitivo(3, 1).", officer="2,1").officer
    (2, 1)
    """
    make = Scene.from_prolog if "(" in text or not text.strip() else Scene.from_text
    return make(
        text,
        None if officer is None else pair(officer, "--officer", "COLUMN,FLOOR"),
        None if fugitive is None else pair(fugitive, "--fugitive", "COLUMN,FLOOR"),
    )


def _instances() -> Mapping[str, Instance]:
    names = [FIRST, *(name for name in SCENES if name != FIRST)]
    return {name: Instance(SCENES[name].to_prolog()) for name in names}


def with_evidence(scene: Scene, evidence: int, seed: int) -> Scene:
    """The scene with other evidence, at random, such that there is a plan.

    >>> len(with_evidence(SCENES["ambiente1"], 7, seed=0).evidence)
    7
    """
    bare = replace(scene, evidence=frozenset())
    free = [cell for cell in between(bare) if cell not in (scene.officer, scene.fugitive)]
    return scattered(free, evidence, seed, lambda cells: replace(scene, evidence=frozenset(cells)), lambda made: not route(made).reason())


def tour() -> Stop:
    """All evidence, then the arrest."""
    stop = Stop("Busy Police")
    scene = SCENES[FIRST]
    plan = show_walk(stop, f"original, {FIRST}", scene, solve)
    stop.tell("count_paths", f"{count_paths(scene)} acyclic paths, without listing them")
    stop.draw(draw(scene, plan))
    return stop


GAME = walking_game(
    "models.busy_police",
    "busy-police",
    "Busy Police",
    summary="collect all evidence over carts and ladders, then catch the fugitive.",
    rules="Walk along a floor, jump over single carts, climb and descend ladders. All evidence must be collected before the arrest; a "
    "jump never lands on evidence, a cart or the fugitive.",
    read=read,
    read_options=(
        Option("officer", "Where the officer starts.", metavar="COLUMN,FLOOR"),
        Option("fugitive", "Where the fugitive is.", metavar="COLUMN,FLOOR"),
    ),
    instances=_instances,
    grow={"evidence": Growth("pieces of evidence", with_evidence)},
    generator=GENERATOR,
    tour=tour,
    interaction=INTERACTION,
    examples=("cpsolve solve busy-police ambiente1 --method dfs", "cpsolve solve busy-police --all", "cpsolve solve busy-police --animate"),
)

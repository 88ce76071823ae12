"""New scenes of Busy Police, which can be solved."""

from __future__ import annotations

import random

from cpsolve.catalogue import Generator, Option
from cpsolve.errors import ModelError
from cpsolve.puzzles.growing import check_room, pair_of, solvable
from cpsolve.puzzles.plans import check_sizes
from models.busy_police.encode import route
from models.busy_police.rules import Scene


def generated(*sizes: int, carts: int | None = None, ladders: int | None = None, evidence: int = 3, seed: int | None = None) -> Scene:
    """A random scene, the officer on the lowest floor and the fugitive on the highest: columns and floors; one number for a square.

    >>> scene = generated(10, 5, carts=6, ladders=8, seed=1)
    >>> len(scene.carts), len(scene.ladders), len(scene.evidence), scene.officer[1], scene.fugitive[1]
    (6, 8, 3, 1, 5)
    """
    width, floors = pair_of(sizes, "the columns and the floors")
    check_sizes(width, floors, "a scene", ("width", "number of floors"))
    if width == 1:
        raise ModelError("a scene has at least 2 columns")
    steps = floors - 1
    climbs = 2 * steps if ladders is None else ladders
    blocking = floors if carts is None else carts
    if min(climbs, blocking, evidence) < 0:
        raise ModelError("expected no negative number of carts, ladders or evidence")
    if climbs < steps:
        raise ModelError(f"{floors} floors need at least {steps} ladders, one from each to the next: give more --ladders")
    check_room(width * steps, climbs)
    cells = [(column, floor) for floor in range(1, floors + 1) for column in range(1, width + 1)]
    check_room(len(cells) - 2, blocking + evidence)  # nobody stands where they are

    def make(chance: random.Random) -> Scene | None:
        """Carts stand neither at the ends of ladders nor on people; evidence lies where no cart is; None where there is no room left."""
        held = {(chance.randint(1, width), floor) for floor in range(1, floors)}  # a ladder from every floor to the next
        held |= set(chance.sample([cell for cell in cells if cell[1] < floors and cell not in held], climbs - steps))
        officer = (chance.randint(1, width), 1)
        fugitive = chance.choice([(column, floors) for column in range(1, width + 1) if (column, floors) != officer])
        taken = {officer, fugitive, *held, *((column, floor + 1) for column, floor in held)}
        free = [cell for cell in cells if cell not in taken]
        if len(free) < blocking:
            return None
        standing = set(chance.sample(free, blocking))
        taken = {officer, fugitive, *standing}
        places = [cell for cell in cells if cell not in taken]
        return Scene(width, floors, standing, held, officer, fugitive, chance.sample(places, evidence))

    found = solvable(make, seed, lambda scene: scene is not None and not route(scene).reason())
    assert found is not None  # it can be solved
    return found


GENERATOR = Generator(
    generated,
    "Columns and floors; one number for a square.",
    {"ambiente.pl": Scene.to_prolog, "scene.txt": lambda scene: f"{scene.to_text()}\n"},
    options=(
        Option("carts", "How many carts there are (without it: as many as floors).", int, "N"),
        Option("ladders", "How many ladders there are (without it: two between each two floors).", int, "N"),
        Option("evidence", "How many pieces of evidence there are (without it: 3).", int, "N"),
        Option("seed", "The same seed gives the same scene.", int, "N"),
    ),
    examples=("cpsolve generate busy-police 10 5 --carts 6 --ladders 8 --seed 1",),
)

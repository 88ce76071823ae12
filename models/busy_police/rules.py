"""Busy Police, the game: a police officer in a shopping centre walks, jumps over carts and uses ladders to reach a fugitive.

Cells are ``(column, floor)``, both from 1, as in the original. A move leads one column aside, over a cart, or along a ladder to
the next floor. A cart is passed only by jumping over it, and a jump lands neither on a cart, outside, on a ladder, on the
fugitive nor on evidence. Evidence is collected by standing on it, whether he walked there or came by a ladder; the fugitive is
arrested by standing where he stands once all evidence is collected.

Where the original's listings and its text disagree, the text wins, but for one thing: by the text evidence is reached by a step aside
only, by the listing wherever the officer comes to stand on it, by a ladder too; so it is here.

* The listing forbids a jump to land in the fugitive's *column* (``PHor_new \\= LHor``); the text, in his *cell*.
* The listing collects evidence by a separate step that the search may leave out; by the text it is collected on arrival. The
  first answer of the search is the same: whatever can be done without the evidence can be done with it.
* The listing goes on past the fugitive and may come back to him, because its first clause tests no visited state; a path that
  repeats a state is not acyclic, so it is not one of ours.
* The listing counts three pieces of evidence and ten columns; here a scene says how many.

What both leave open: a ladder stands in its lower cell for the rule of landing (``escada(Hor, Ver)`` leads up from there); the
officer may pass the fugitive while evidence is missing; evidence that was collected still forbids landing, as in the
listing. A cart at either end of a ladder is an error: the listing lets the officer climb onto it and stand there, and by the text a
cart is passed only by jumping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cpsolve.cached import cached_property
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Cell, Move, Plan, cell_of, cells_of, check_sizes

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

CLIMB, DESCEND = Move("climb"), Move("descend")
JUMP = {1: Move("jump right"), -1: Move("jump left")}
WALK = {1: Move("walk right"), -1: Move("walk left")}


@dataclass(frozen=True, slots=True)
class State:
    """Where the officer stands and which evidence he has."""

    cell: Cell
    collected: frozenset[Cell] = frozenset()


@dataclass(frozen=True, init=False)
class Scene:
    """A scene of the game; a scene that cannot be is a ModelError that names what is wrong.

    >>> scene = Scene(4, 2, carts=[(2, 1)], ladders=[(4, 1)], officer=(1, 1), fugitive=(1, 2))
    >>> [str(move) for move, _ in scene.moves(scene.start())]
    ['jump right']
    >>> Scene(4, 2, carts=[], ladders=[(4, 2)], officer=(1, 1), fugitive=(1, 2))
    Traceback (most recent call last):
        ...
    cpsolve.errors.ModelError: the ladder at (4, 2) leads up from floor 2, which is the top floor
    """

    width: int
    floors: int
    carts: frozenset[Cell]
    ladders: frozenset[Cell]
    officer: Cell
    fugitive: Cell
    evidence: frozenset[Cell]

    def __init__(
        self,
        width: int,
        floors: int,
        carts: Iterable[Cell],
        ladders: Iterable[Cell],
        officer: Cell,
        fugitive: Cell,
        evidence: Iterable[Cell] = (),
    ) -> None:
        values = {
            "width": width,
            "floors": floors,
            "carts": cells_of(carts, "the cart", "(column, floor)"),
            "ladders": cells_of(ladders, "the ladder", "(column, floor)"),
            "officer": cell_of(officer, "the officer", "(column, floor)"),
            "fugitive": cell_of(fugitive, "the fugitive", "(column, floor)"),
            "evidence": cells_of(evidence, "the evidence", "(column, floor)"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._validate()

    def _validate(self) -> None:
        check_sizes(self.width, self.floors, "a scene", ("width", "number of floors"))
        things = [("officer", self.officer), ("fugitive", self.fugitive)]
        things += [(name, cell) for name in ("carts", "ladders", "evidence") for cell in sorted(getattr(self, name))]
        for name, (column, floor) in things:
            if not (1 <= column <= self.width and 1 <= floor <= self.floors):
                raise ModelError(
                    f"the {_SINGULAR.get(name, name)} at ({column}, {floor}) is outside the scene: "
                    f"columns are 1 to {self.width} and floors 1 to {self.floors}"
                )
        for name, cell in things:
            if name != "carts" and cell in self.carts:
                raise ModelError(f"the {_SINGULAR.get(name, name)} at {cell} and a cart are in one place: nobody can stand on a cart")
        for column, floor in sorted(self.ladders):
            if floor == self.floors:
                raise ModelError(f"the ladder at ({column}, {floor}) leads up from floor {floor}, which is the top floor")
            if (column, floor + 1) in self.carts:
                raise ModelError(f"the ladder at ({column}, {floor}) ends at the cart at ({column}, {floor + 1})")

    # -- the rules

    def start(self) -> State:
        """The officer at his place; evidence that lies there is collected."""
        return State(self.officer, self.evidence & {self.officer})

    def is_goal(self, state: State) -> bool:
        """Whether the officer stands where the fugitive stands, with all evidence."""
        return state.cell == self.fugitive and len(state.collected) == len(self.evidence)

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """The legal moves, in the order of the original's rules: ladders first, then jumps, then steps aside."""
        for move, cell in self.steps(state.cell):
            yield move, State(cell, state.collected | {cell} if cell in self.evidence else state.collected)

    def steps(self, cell: Cell) -> Iterator[tuple[Move, Cell]]:
        """The legal moves of an officer in this cell and where they lead; what he has collected changes none of them."""
        column, floor = cell
        if cell in self.ladders:
            yield CLIMB, (column, floor + 1)
        if (column, floor - 1) in self.ladders:
            yield DESCEND, (column, floor - 1)
        for side in (1, -1):
            if (column + side, floor) in self.carts and (column + 2 * side, floor) in self._landings:
                yield JUMP[side], (column + 2 * side, floor)
        for side in (1, -1):
            beside = (column + side, floor)
            if 1 <= beside[0] <= self.width and beside not in self.carts:
                yield WALK[side], beside

    @cached_property
    def _landings(self) -> frozenset[Cell]:
        """The cells beyond a cart in which a jump may land."""
        beyond = {(column + side, floor) for column, floor in self.carts for side in (1, -1)}
        return frozenset(cell for cell in beyond if self.landing_obstacle(cell) is None)

    def landing_obstacle(self, cell: Cell) -> str | None:
        """Why a jump may not land in a cell; None if it may.

        >>> scene = Scene(4, 2, carts=[(2, 1)], ladders=[(3, 1)], officer=(1, 1), fugitive=(1, 2))
        >>> scene.landing_obstacle((3, 1)), scene.landing_obstacle((4, 1)), scene.landing_obstacle((5, 1))
        ('on a ladder', None, 'outside')
        """
        if not 1 <= cell[0] <= self.width:
            return "outside"
        for words, cells in (("on another cart", self.carts), ("on a ladder", self.ladders), ("on evidence", self.evidence)):
            if cell in cells:
                return words
        return "on the fugitive" if cell == self.fugitive else None

    def cells(self) -> Iterator[Cell]:
        """The cells in which the officer can stand, floor by floor."""
        for floor in range(1, self.floors + 1):
            for column in range(1, self.width + 1):
                if (column, floor) not in self.carts:
                    yield column, floor

    # -- formats

    @classmethod
    def from_prolog(
        cls, text: str, officer: Cell | None = None, fugitive: Cell | None = None, width: int | None = None, floors: int | None = None
    ) -> Scene:
        """A scene from the original's facts; see :func:`models.busy_police.formats.from_prolog`."""
        from models.busy_police import formats

        return formats.from_prolog(text, officer, fugitive, width, floors)

    def to_prolog(self) -> str:
        """The scene as Prolog facts, which :meth:`from_prolog` reads back."""
        from models.busy_police import formats

        return formats.to_prolog(self)

    @classmethod
    def from_text(cls, text: str, officer: Cell | None = None, fugitive: Cell | None = None) -> Scene:
        """A scene from a drawing or a plain map; see :func:`models.busy_police.formats.from_text`."""
        from models.busy_police import formats

        return formats.from_text(text, officer, fugitive)

    def to_text(self) -> str:
        """The scene as a plain map, which :meth:`from_text` reads back."""
        from models.busy_police import formats

        return formats.to_text(self)

    def picture(self, plan: Plan[State] | None = None, step: int | None = None) -> Picture:
        """A picture, of a plan too; see :func:`models.busy_police.drawing.draw`."""
        from models.busy_police import drawing

        return drawing.draw(self, plan, step)

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def __str__(self) -> str:
        from models.busy_police import formats

        return formats.draw(self)


_SINGULAR = {"carts": "cart", "ladders": "ladder"}

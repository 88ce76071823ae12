"""Why a cell is safe or a mine: few numbers that prove it, in words; or two fields that show that it may be either.

The numbers near the cell are tried first and the circle is widened until they suffice, so a proof stays close to the cell;
then whatever can be spared is dropped, so that everything left is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cpsolve import NamedConstraint
from cpsolve.errors import DiagramTooWide, ModelError, NotImpliedError
from models.minesweeper.encode import decode, encode, encode_numbers, name_of, number_name, total_name
from models.minesweeper.formats import Cell
from models.minesweeper.inference import inconsistent, infer
from models.minesweeper.rules import Field, View

Verdict: TypeAlias = Literal["safe", "mine", "undecided"]

CIRCLES = (1, 2, 3, 4, 6)
"""How far away numbers are looked at before all are."""


@dataclass(frozen=True)
class Explanation:
    """Why a cell is what it is.

    ``because`` are the cells of a minimal set of numbers that prove the verdict, row by row; ``mines`` is the number of mines where the
    proof needs it, else None. An undecided cell has two ``examples``: a field in which it is safe, and one in which it is a mine.
    """

    view: View
    cell: Cell
    verdict: Verdict
    because: tuple[Cell, ...] = ()
    mines: int | None = None
    examples: tuple[Field, ...] = ()

    def __str__(self) -> str:
        if self.verdict == "undecided":
            free, mined = self.examples
            return f"{name_of(self.cell)} may be safe or a mine. Safe:\n{free}\nA mine:\n{mined}"
        reasons = [number_name(number, self.view.open[number]) for number in self.because]
        if self.mines is not None:
            reasons.append(total_name(self.mines))
        *others, last = reasons
        return f"{', '.join(others)}{' and ' if others else ''}{last}, so {name_of(self.cell)} is {_NOUN[self.verdict]}."

    def _repr_svg_(self) -> str:
        from models.minesweeper.drawing import draw

        return draw(self.view, explanation=self).svg()


_NOUN = {"safe": "safe", "mine": "a mine"}


def why(view: View, cell: Cell) -> Explanation:
    """Why a covered cell is safe or a mine; or that it is neither for certain, with two examples.

    InfeasibleError, with a minimal list of numbers that clash, when no field fits the view.

    >>> print(why(View.from_text("-1-\\n-1-\\n---"), (3, 1)))
    (1,2) shows 1 and (2,2) shows 1, so (3,1) is safe.
    """
    if view[cell] is not None:
        raise ModelError(f"the cell {cell} is open: it shows {view[cell]}. Ask about a covered cell")
    try:
        answer = infer(view)
    except DiagramTooWide:
        return _by_examples(view, cell)
    if cell in answer.safe:
        return _proven(view, cell, "safe")
    if cell in answer.mines:
        return _proven(view, cell, "mine")
    return _by_examples(view, cell)


def _proven(view: View, cell: Cell, verdict: Verdict) -> Explanation:
    constraints = _proof(view, cell, int(verdict == "mine"))
    numbers = {number_name(number, value): number for number, value in view.open.items()}
    because = tuple(sorted(numbers[entry.name] for entry in constraints if entry.name in numbers))
    return Explanation(view, cell, verdict, because, view.mines if len(because) < len(constraints) else None)


def _proof(view: View, cell: Cell, value: int) -> list[NamedConstraint]:
    for circle in CIRCLES:
        near = [number for number in view.open if max(abs(number[0] - cell[0]), abs(number[1] - cell[1])) <= circle]
        model, mine = encode_numbers(view, near, [cell])
        try:
            return model.explain(mine[cell] == value)
        except NotImpliedError:
            continue
    model = encode(view)
    return model.explain(model.variables[view.covered.index(cell)] == value)


def _example(view: View, cell: Cell, value: int) -> Field | None:
    """A field that fits the view with this cell safe (0) or a mine (1); None when there is none."""
    model = encode(view)
    model.add(model.variables[view.covered.index(cell)] == value)
    solution = model.solve().solution
    return None if solution is None else decode(view, solution)


NEAREST_SECONDS = 2.0
"""The time for an example that differs as little as can be."""


def _nearest(view: View, cell: Cell, free: Field) -> Field | None:
    """The field with a mine in a cell that differs least from one without; None when there is no time to find it."""
    model = encode(view)
    mine = dict(zip(view.covered, model.variables, strict=True))
    model.add(mine[cell] == 1, name="a mine here")
    model.minimize(sum(1 - mine[each] if each in free.mines else mine[each] for each in view.covered))
    found = model.solve(time_limit=NEAREST_SECONDS).solution
    return None if found is None else decode(view, found)


def _by_examples(view: View, cell: Cell) -> Explanation:
    free, mined = _example(view, cell, 0), _example(view, cell, 1)
    if free is not None and mined is not None:
        mined = _nearest(view, cell, free) or mined
    if free is None and mined is None:
        raise inconsistent(view)
    if mined is None:
        return _proven(view, cell, "safe")
    if free is None:
        return _proven(view, cell, "mine")
    return Explanation(view, cell, "undecided", examples=(free, mined))

"""Why a cell is safe or a mine: few numbers that prove it, in words; or two fields that show that it may be either.

The numbers near the cell are tried first and the circle is widened until they suffice, then as far as a shorter proof could lie: no
proof has fewer numbers, and of those of one length it is one that stays close to the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cpsolve import all_of
from cpsolve.errors import DiagramTooWide, ModelError, NotImpliedError
from cpsolve.limits import Deadline, look
from models.minesweeper.encode import decode, encode_numbers, encoding, name_of, number_name, total_name
from models.minesweeper.formats import Cell
from models.minesweeper.inference import Inference, inconsistent, infer
from models.minesweeper.rules import Field, View

Verdict: TypeAlias = Literal["safe", "mine", "undecided"]

CIRCLES = (1, 2, 3, 4, 6)
"""How far away numbers are looked at before all are, and the number of mines with them."""


@dataclass(frozen=True)
class Explanation:
    """Why a cell is what it is.

    ``because`` are the cells of a smallest set of numbers that prove the verdict, row by row; ``mines`` is the number of mines where the
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


def why(view: View, cell: Cell, *, time_limit: float | None = None, max_memory: int | None = None) -> Explanation:
    """Why a covered cell is safe or a mine; or that it is neither for certain, with two examples.

    InfeasibleError, with a minimal list of numbers that clash, when no field fits the view; TimeLimitError when ``time_limit`` seconds
    pass, MemoryLimitError beyond ``max_memory`` bytes.

    >>> print(why(View.from_text("-1-\\n-1-\\n---"), (3, 1)))
    (1,2) shows 1 and (2,2) shows 1, so (3,1) is safe.
    """
    _require_covered(view, cell)
    with Deadline(time_limit, max_memory).watched():
        try:
            return explained(infer(view), cell)
        except DiagramTooWide:
            return _by_examples(view, cell)


def explained(answer: Inference, cell: Cell) -> Explanation:
    """As :func:`why`, for a view that inference has been asked about.

    >>> print(explained(infer(View.from_text("1-")), (1, 2)))
    (1,1) shows 1, so (1,2) is a mine.
    """
    _require_covered(answer.view, cell)
    if cell in answer.safe:
        return _proven(answer.view, cell, "safe")
    if cell in answer.mines:
        return _proven(answer.view, cell, "mine")
    return _by_examples(answer.view, cell)


def _require_covered(view: View, cell: Cell) -> None:
    if view[cell] is not None:
        raise ModelError(f"the cell {cell} is open: it shows {view[cell]}. Ask about a covered cell")


def _proven(view: View, cell: Cell, verdict: Verdict) -> Explanation:
    """The smallest proof; of several, the one whose numbers are nearest to the cell."""
    value = int(verdict == "mine")
    whole = max(view.rows, view.columns)
    for circle in (*CIRCLES, whole):
        try:
            because, mines = _proof(view, cell, value, circle)
            break
        except NotImpliedError:
            continue
    else:
        because, mines = _proof(view, cell, value, whole, mines=True)
    # A shorter one has numbers that share covered cells, which leads no further than this from the cell; and the number of mines says
    # something to so few numbers only if all mines, or all safe cells, have room around them.
    fewer = len(because) + (mines is not None) - 1
    room = view.mines is not None and min(view.mines, len(view.covered) - view.mines) <= 8 * (fewer - 1)
    if 2 * fewer - 1 > circle or (room and mines is None):
        because, mines = _proof(view, cell, value, max(circle, 2 * fewer - 1), mines=room)
    return Explanation(view, cell, verdict, because, mines)


def _proof(view: View, cell: Cell, value: int, circle: int, mines: bool = False) -> tuple[tuple[Cell, ...], int | None]:
    """The smallest proof by numbers in a circle, and the number of mines if asked for; NotImpliedError when there is none."""
    distance = {number: max(abs(number[0] - cell[0]), abs(number[1] - cell[1])) for number in view.open}
    near = sorted((number for number in view.open if distance[number] <= circle), key=lambda number: (distance[number], number))
    found = encode_numbers(view, near, [cell])
    if mines and view.mines is not None:
        elsewhere = len(view.covered) - len(found.mine)
        here = sum(found.mine.values())
        found.model.add(all_of(here <= view.mines, here >= view.mines - elsewhere), name=total_name(view.mines))
    proof = found.model.explain(found.mine[cell] == value, smallest=True)
    because = tuple(sorted(found.numbers[entry] for entry in proof if entry in found.numbers))
    return because, view.mines if len(because) < len(proof) else None


def _example(view: View, cell: Cell, value: int) -> Field | None:
    """A field that fits the view with this cell safe (0) or a mine (1); None when there is none."""
    found = encoding(view)
    found.model.add(found.mine[cell] == value)
    solution = found.model.solve().solution
    look("explaining")  # that there is none is a proof only while there is time
    return None if solution is None else decode(view, solution)


NEAREST_SECONDS = 2.0
"""The time for an example that differs as little as can be."""


def _nearest(view: View, cell: Cell, free: Field) -> Field | None:
    """The field with a mine in a cell that differs least from one without; None when there is no time to find it."""
    found = encoding(view)
    found.model.add(found.mine[cell] == 1, name="a mine here")
    found.model.minimize(sum(1 - mine if each in free.mines else mine for each, mine in found.mine.items()))
    solution = found.model.solve(time_limit=NEAREST_SECONDS).solution
    return None if solution is None else decode(view, solution)


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

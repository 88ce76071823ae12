"""A view as a constraint model: one boolean per covered cell, one named sum per number, one for the number of mines.

The model decides nothing about the game: it only repeats what the numbers say, and every method of inference begins with the same sums.
Its solutions are the fields that fit the view, and :func:`decode` turns one back into a field, which the rules check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cpsolve import Model, NamedConstraint, SolverError, Variable
from cpsolve.limits import Deadline, looking
from models.minesweeper.formats import Cell
from models.minesweeper.rules import Field, View


def encode(view: View, *, time_limit: float | None = None, max_memory: int | None = None) -> Model:
    """The model of a view: its variables are the covered cells, row by row (``view.covered``), 1 for a mine.

    >>> m = encode(View.from_text("1-\\n--", mines=1))
    >>> print(m)
    Model 'minesweeper': 3 variables, 2 constraints
      (1,2) in 0..1
      (2,1) in 0..1
      (2,2) in 0..1
      (1,1) shows 1: (1,2) + (2,2) + (2,1) == 1
      there is 1 mine in all: (1,2) + (2,1) + (2,2) == 1
    >>> m.count(), m.backbone()
    (3, {})
    """
    with Deadline(time_limit, max_memory).watched():
        return encoding(view).model


@dataclass(frozen=True)
class Encoding:
    """A model with what its parts stand for: the variable of each cell, and the open cell of each number's constraint."""

    model: Model
    mine: Mapping[Cell, Variable]
    numbers: Mapping[NamedConstraint, Cell]


def encoding(view: View) -> Encoding:
    """The model of a whole view, with what its parts stand for.

    >>> found = encoding(View.from_text("1-"))
    >>> [(entry.name, cell) for entry, cell in found.numbers.items()]
    [('(1,1) shows 1', (1, 1))]
    """
    found = encode_numbers(view, view.open, view.covered)
    if view.mines is not None:
        found.model.add(sum(looking(found.mine.values(), "stating the view")) == view.mines, name=total_name(view.mines))
    return found


def encode_numbers(view: View, numbers: Iterable[Cell], cells: Iterable[Cell] = ()) -> Encoding:
    """The model of some of a view's numbers, over ``cells`` and the covered cells around the numbers.

    >>> found = encode_numbers(View.from_text("1-1-"), [(1, 1)])
    >>> found.model.backbone() == {found.mine[1, 2]: 1}
    True
    """
    from models.minesweeper.kernels import state

    sums = state(view.grid)
    model = Model("minesweeper")
    mine = {cell: model.bool_var(name_of(cell)) for cell in looking(cells, "stating the view")}
    entries = {}
    for number in looking(numbers, "stating the view"):
        around = [(row + 1, column + 1) for row, column in sums.around((number[0] - 1, number[1] - 1), view.columns)]
        for cell in around:
            if cell not in mine:
                mine[cell] = model.bool_var(name_of(cell))
        value = view.open[number]
        entries[model.add(sum(mine[cell] for cell in around) == value, name=number_name(number, value))] = number
    return Encoding(model, mine, entries)


def decode(view: View, solution: Mapping[Variable, int]) -> Field:
    """The field that a solution of ``encode(view)`` stands for; SolverError if the view is not one of it.

    >>> view = View.from_text("1-")
    >>> decode(view, encode(view).solve().solution)
    Field(1, 2, mines={(1, 2)})
    """
    values = {variable.index: value for variable, value in solution.items()}  # variables that a script added come after the cells
    field = Field(view.rows, view.columns, {cell for place, cell in enumerate(view.covered) if values[place]})
    if not view.fits(field):
        raise SolverError(f"the solver's field does not fit the view:\n{field}\n{view}", [])
    return field


def name_of(cell: Cell) -> str:
    """How a cell is written in names and sentences.

    >>> name_of((3, 4))
    '(3,4)'
    """
    return f"({cell[0]},{cell[1]})"


def number_name(cell: Cell, value: int) -> str:
    """The name of the constraint of an open cell.

    >>> number_name((3, 4), 2)
    '(3,4) shows 2'
    """
    return f"{name_of(cell)} shows {value}"


def total_name(mines: int) -> str:
    """The name of the constraint on the number of mines.

    >>> total_name(10)
    'there are 10 mines in all'
    """
    return f"there {'is' if mines == 1 else 'are'} {mines} mine{'' if mines == 1 else 's'} in all"

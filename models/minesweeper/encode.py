"""A view as a constraint model: one boolean a covered cell, one named sum a number, one for the number of mines.

The model decides nothing about the game: it only repeats what the numbers say. Its solutions are the fields that fit the view,
and :func:`decode` turns one back into a field, which the rules check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cpsolve import Model, SolverError, Variable
from models.minesweeper.formats import Cell
from models.minesweeper.rules import Field, View


def encode(view: View) -> Model:
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
    model, mine = encode_numbers(view, view.open, view.covered)
    if view.mines is not None:
        model.add(sum(mine.values()) == view.mines, name=total_name(view.mines))
    return model


def encode_numbers(view: View, numbers: Iterable[Cell], cells: Iterable[Cell] = ()) -> tuple[Model, dict[Cell, Variable]]:
    """The model of some of a view's numbers, over the covered cells around them and ``cells``; and the cells' variables.

    >>> model, mine = encode_numbers(View.from_text("1-1-"), [(1, 1)])
    >>> model.backbone() == {mine[1, 2]: 1}
    True
    """
    model = Model("minesweeper")
    mine = {cell: model.bool_var(name_of(cell)) for cell in cells}
    for number in numbers:
        around = view.covered_around(number)
        for cell in around:
            if cell not in mine:
                mine[cell] = model.bool_var(name_of(cell))
        value = view.open[number]
        model.add(sum(mine[cell] for cell in around) == value, name=number_name(number, value))
    return model, mine


def decode(view: View, solution: Mapping[Variable, int]) -> Field:
    """The field that a solution of ``encode(view)`` stands for; SolverError if the view is not one of it.

    >>> view = View.from_text("1-")
    >>> decode(view, encode(view).solve().solution)
    Field(1, 2, mines={(1, 2)})
    """
    values = [value for _, value in sorted(solution.items(), key=lambda item: item[0].index)]
    field = Field(view.rows, view.columns, {cell for cell, value in zip(view.covered, values, strict=True) if value})
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

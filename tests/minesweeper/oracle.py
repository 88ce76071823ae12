"""Brute force over all placements of mines in the covered cells, and the views to try it on."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from models.minesweeper.rules import Field, View


def fitting(view: View) -> list[Field]:
    """All fields that fit a view: placements are tried as bits of a number, and the rules confirm some that are kept."""
    cells = view.covered
    numbers = [(sum(1 << cells.index(near) for near in view.covered_around(cell)), value) for cell, value in view.open.items()]
    if view.mines is not None:
        numbers.append(((1 << len(cells)) - 1, view.mines))
    fields = []
    for placement in range(1 << len(cells)):
        if all((placement & around).bit_count() == value for around, value in numbers):
            field = Field(view.rows, view.columns, {cell for i, cell in enumerate(cells) if placement >> i & 1})
            fields.append(field)
    assert all(view.fits(field) for field in fields[:3])
    return fields


def _real_view(seed: int, most_covered: int) -> View:
    luck = random.Random(seed)
    rows, columns = luck.randint(1, 5), luck.randint(1, 6)
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    covered = luck.sample(cells, luck.randint(0, min(most_covered, len(cells))))
    field = Field(rows, columns, covered[: luck.randint(0, len(covered))])
    opened = {cell: field.value(cell) for cell in cells if cell not in covered}
    flags = luck.sample(covered, luck.randint(0, len(covered)))
    return View(rows, columns, opened, luck.choice([None, len(field.mines)]), flags)


def _disturbed_view(seed: int) -> View:
    luck = random.Random(-seed - 1)
    view = _real_view(seed, most_covered=9)
    opened = dict(view.open)
    for cell in luck.sample(sorted(opened), min(len(opened), luck.randint(0, 2))):
        opened[cell] = luck.randint(0, 4)
    return View(view.rows, view.columns, opened, luck.choice([view.mines, None, 0, 1, 2, 5, 30]), view.flags)


def consistent_views(most_covered: int = 11) -> st.SearchStrategy[View]:
    """Views of real fields: any shape, any cells open, the number of mines known or not, flags right and wrong."""
    return st.builds(_real_view, st.integers(0, 2**40), st.just(most_covered))


def any_views() -> st.SearchStrategy[View]:
    """Views with up to two numbers and perhaps the number of mines replaced: some fit a field, most do not."""
    return st.builds(_disturbed_view, st.integers(0, 2**40))

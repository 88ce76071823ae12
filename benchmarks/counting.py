"""Counting solutions without listing them, against listing them with CP-SAT, as boards grow until the listing passes its limit."""

from __future__ import annotations

from collections.abc import Iterator

import cpsolve as cp
from benchmarks.measure import Row, seconds, timing

SIZES = ((4, 6), (6, 6), (6, 7), (8, 8))
QUICK_SIZES = ((4, 6), (5, 6), (8, 8))
ROUNDS = 3
LIMIT, QUICK_LIMIT = 20.0, 2.0


def dominoes(rows: int, columns: int) -> cp.Model:
    """Tilings of a board by dominoes: one boolean per place of a domino, each square covered once."""
    model = cp.Model(f"dominoes {rows}×{columns}")
    covering: dict[tuple[int, int], list[cp.Variable]] = {(r, c): [] for r in range(rows) for c in range(columns)}
    for r, c in covering:
        for other in ((r + 1, c), (r, c + 1)):
            if other in covering:
                place = model.bool_var()
                covering[r, c].append(place)
                covering[other].append(place)
    for square, places in covering.items():
        model.add(cp.exactly_one(places), name=f"square {square}")
    return model


def run(quick: bool) -> Iterator[Row]:
    """One row a board; a listing that passes its limit once is not repeated."""
    dominoes(2, 2).count()
    sum(1 for _ in dominoes(2, 2).solutions())  # loads CP-SAT
    for rows, columns in QUICK_SIZES if quick else SIZES:
        yield _row(rows, columns, QUICK_LIMIT if quick else LIMIT)


def _row(rows: int, columns: int, limit: float) -> Row:
    counts: list[int] = []
    listings: list[tuple[int, bool]] = []
    own: list[float] = []
    other: list[float] = []
    for _ in range(ROUNDS):
        own.append(seconds(lambda: counts.append(dominoes(rows, columns).count())))
        if all(complete for _, complete in listings):
            taken = seconds(lambda: listings.append(_list(rows, columns, limit)))
            other.append(taken if listings[-1][1] else max(taken, limit))
    for listed, complete in listings:
        if complete and listed != counts[0]:
            raise AssertionError(f"{counts[0]:,} tilings of {rows}×{columns} were counted, {listed:,} were listed")
    theirs = timing(other, limit)
    note = f"{counts[0]:,} tilings" + (f", {listings[-1][0]:,} of them listed within the limit" if theirs.stopped else "")
    target = "≤ 0.01 at 8×8, < 5 s" if (rows, columns) == (8, 8) else ""
    return Row(f"count the tilings of {rows}×{columns}", timing(own), "enumerating with CP-SAT", theirs, target, note)


def _list(rows: int, columns: int, limit: float) -> tuple[int, bool]:
    """How many tilings are listed within the limit, and whether that is all of them."""
    found = dominoes(rows, columns).solutions(time_limit=limit)
    return sum(1 for _ in found), found.complete

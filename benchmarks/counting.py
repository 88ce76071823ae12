"""Counting solutions without listing them, against listing them with CP-SAT."""

from __future__ import annotations

import cpsolve as cp
from benchmarks.measure import Row, compare


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


def run(quick: bool) -> list[Row]:
    """Counting against enumeration on boards small enough to enumerate, then the full board by counting alone."""
    rows = []
    for side, columns in ((4, 6), (6, 6)) if quick else ((4, 6), (6, 6), (6, 7)):
        rows.append(
            compare(
                f"count the tilings of {side}×{columns}",
                lambda side=side, columns=columns: dominoes(side, columns).count(),  # type: ignore[misc]
                "enumerating with CP-SAT",
                lambda side=side, columns=columns: sum(1 for _ in dominoes(side, columns).solutions()),  # type: ignore[misc]
                3,
                "≤ 0.01 at 8×8" if side == 6 else "",
                note=f"{dominoes(side, columns).count():,} tilings",
            )
        )
    full = compare("count the tilings of 8×8", lambda: dominoes(8, 8).count(), "enumerating with CP-SAT", None, 3, "< 5 s")
    per_tiling = (rows[-1].peer_seconds or 0.0) / dominoes(6, 6 if quick else 7).count()
    number = dominoes(8, 8).count()
    note = f"{number:,} tilings; enumerating them would take about {per_tiling * number:,.0f} s at the rate of the row above"
    rows.append(Row(full.name, full.ours, full.ours_spread, full.peer, None, None, full.target, note))
    return rows

"""A saved inference, checked by laying mines: every way to lay them beside the numbers is tried, by the rule and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.verifying import SECONDS, Findings, Refuted, claim
from cpsolve.words import counted
from models.minesweeper.encode import number_name, total_name
from models.minesweeper.formats import Cell
from models.minesweeper.rules import Field, View

CLOSE = 1e-9
"""How far a probability that was saved as a float may lie from the exact one."""


def verify(board: Field | View, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks what a saved answer says of a view: how many fields fit, what is safe, what is a mine, and every risk.

    >>> said = {"fields": 2, "safe": [], "mines": [], "probability": [[0.5, None, 0.5]]}
    >>> verify(View.from_text("-1-", mines=1), said).proven
    ('2 fields, by laying every mine', '0 safe cells, 0 mines and every risk')
    """
    if isinstance(board, Field):
        raise ModelError("a game that an agent played is no claim: only what follows from a view is verified")
    status = data.get("status")
    if status == "unknown":
        return Findings((), ("the answer claims nothing",))
    deadline = Deadline(SECONDS if time_limit is None else time_limit)
    only_number = "probability" not in data and (status is None or data.get("method") == "dfs")  # --count, and naive search
    impossible = status == "infeasible"
    told = not (impossible or only_number)
    fields = 0 if impossible else claim(data, "fields", int)
    risks = claim(data, "probability", list) if told else []
    safe, mines = ({tuple(cell) for cell in claim(data, name, list)} if told else set() for name in ("safe", "mines"))
    try:
        if impossible and data.get("conflict"):
            return _clash(board, claim(data, "conflict", list), deadline)
        count, mined = laid(board, deadline)
    except LimitError:
        return Findings((), ("fields, safe cells, mines and risks: too many ways to lay the mines",))
    if count != fields:
        raise Refuted(f"{counted(count, 'field')} fit, not {fields:,}")
    if impossible:
        return Findings(("no field fits, by laying every mine",))
    if only_number:
        return Findings((f"{counted(count, 'field')}, by laying every mine",))
    exact = {cell: Fraction(number, count) for cell, number in mined.items()}
    for name, cells, risk in (("safe", safe, 0), ("mines", mines, 1)):
        right = {cell for cell, value in exact.items() if value == risk}
        if cells != right:
            raise Refuted(f"{name!r} should be {sorted(right)}, not {sorted(cells)}")
    for cell, value in exact.items():
        row = risks[cell[0] - 1] if cell[0] <= len(risks) and isinstance(risks[cell[0] - 1], list) else []
        said = row[cell[1] - 1] if cell[1] <= len(row) else None
        if not isinstance(said, int | float) or not abs(said - float(value)) <= CLOSE:
            raise Refuted(f"the risk of {cell} is {float(value)}, not {said!r:.40}")
    settled = f"{counted(len(safe), 'safe cell')}, {counted(len(mines), 'mine')} and every risk"
    return Findings((f"{counted(count, 'field')}, by laying every mine", settled))


def _clash(view: View, names: list[Any], deadline: Deadline) -> Findings:
    """Checks that what a conflict names cannot be together, whatever the other numbers say."""
    known = {number_name(cell, value): cell for cell, value in view.open.items()}
    total = None if view.mines is None else total_name(view.mines)
    if strange := [name for name in names if name not in known and name != total]:
        raise Refuted(f"the conflict names {strange[0]!r:.60}, which the view does not show")
    count, _ = laid(view, deadline, {known[name] for name in names if name in known}, total in names)
    if count:
        raise Refuted(f"what the conflict names can be together: {counted(count, 'field')} fit")
    return Findings(("no field fits, by laying every mine", f"the conflict alone rules out all of them: {'; '.join(names)}"))


def laid(view: View, deadline: Deadline, only: Collection[Cell] | None = None, total: bool = True) -> tuple[int, dict[Cell, int]]:
    """The number of fields that fit a view, and in how many of them each covered cell is a mine.

    With ``only`` some numbers count and the others say nothing; without ``total`` nor does the number of mines.

    >>> laid(View.from_text("1-", mines=1), Deadline(None))
    (1, {(1, 2): 1})
    """
    numbers = {cell: value for cell, value in view.open.items() if view.covered_around(cell) or value}
    if only is not None:
        numbers = {cell: value for cell, value in numbers.items() if cell in only}
    all_mines = view.mines if total else None
    beside = {cell: [near for near in view.neighbours(cell) if near in numbers] for cell in view.covered}
    cells = [cell for cell in view.covered if beside[cell]]
    far = [cell for cell in view.covered if not beside[cell]]
    missing, room = dict(numbers), {cell: len(view.covered_around(cell)) for cell in numbers}
    ways: Counter[int] = Counter()
    mined: dict[Cell, Counter[int]] = {cell: Counter() for cell in cells}
    mines: list[Cell] = []
    if any(not 0 <= missing[number] <= room[number] for number in numbers):
        return 0, {}

    def lay(place: int) -> None:
        deadline.check("laying mines")
        if place == len(cells):
            ways[len(mines)] += 1
            for cell in mines:
                mined[cell][len(mines)] += 1
            return
        cell = cells[place]
        for mine in (0, 1):
            for number in beside[cell]:
                missing[number] -= mine
                room[number] -= 1
            if all(0 <= missing[number] <= room[number] for number in beside[cell]):
                mines.extend([cell] * mine)
                lay(place + 1)
                del mines[len(mines) - mine :]
            for number in beside[cell]:
                missing[number] += mine
                room[number] += 1

    lay(0)

    def rest(laid: int, free: int) -> int:
        """In how many ways the cells far from numbers are filled, ``free`` of them undecided."""
        if all_mines is None:
            return 1 << free
        return comb(free, all_mines - laid) if all_mines >= laid else 0

    count = sum(number * rest(size, len(far)) for size, number in ways.items())
    found = {cell: sum(number * rest(size, len(far)) for size, number in sizes.items()) for cell, sizes in mined.items()}
    if far:
        found |= dict.fromkeys(far, sum(number * rest(size + 1, len(far) - 1) for size, number in ways.items()))
    return count, found

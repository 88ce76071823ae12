"""Models to be asked on the page: small classics with their constraints as text. They are chosen by name; nothing is ever executed.

Each model is a square of variables. A visitor may fix some of them and ask for a solution, a fair sample, the number of solutions, what
holds in all of them, or why there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cpsolve as cp
from cpsolve.errors import ModelError
from cpsolve.words import counted

QUESTIONS = ("solve", "count", "sample", "backbone", "conflict")
TIME_LIMIT = 20.0


@dataclass(frozen=True)
class Classic:
    """A model: ``build`` makes it with its variables, a square array; ``least`` to ``most`` is what each can be."""

    title: str
    summary: str
    build: Callable[[], tuple[cp.Model, Any]]
    rows: int
    columns: int
    least: int
    most: int
    fixed: Mapping[str, int]
    """What is fixed when the page opens."""
    boxes: int = 0
    """The side of the boxes that are framed, 0 for none."""


def magic_square() -> tuple[cp.Model, Any]:
    """The numbers 1 to 9 with equal rows, columns and diagonals.

    >>> magic_square()[0].count()
    8
    """
    m = cp.Model("magic square")
    x = m.int_vars((3, 3), 1, 9, name="x")
    m.add(cp.all_different(x), name="all different")
    m.add(x.sum(axis=0) == 15, name="columns")
    m.add(x.sum(axis=1) == 15, name="rows")
    m.add([x.trace() == 15, x[::-1].trace() == 15], name="diagonals")
    return m, x


def queens(size: int = 8) -> tuple[cp.Model, Any]:
    """Queens that do not attack each other: 1 where one stands.

    >>> queens(5)[0].count()
    10
    """
    m = cp.Model("queens")
    x = m.bool_vars((size, size), name="x")
    for number in range(size):
        m.add(cp.exactly_one(list(x[number])), name=f"row {number + 1}")
        m.add(cp.exactly_one(list(x[:, number])), name=f"column {number + 1}")
    for number in range(-size + 2, size - 1):
        m.add(cp.at_most_one(list(x.diagonal(number))), name=f"falling diagonal {number}")
        m.add(cp.at_most_one(list(x[::-1].diagonal(number))), name=f"rising diagonal {number}")
    return m, x


def sudoku() -> tuple[cp.Model, Any]:
    """Nine by nine: every row, column and box holds 1 to 9."""
    m = cp.Model("sudoku")
    x = m.int_vars((9, 9), 1, 9, name="x")
    for number in range(9):
        m.add(cp.all_different(x[number]), name=f"row {number + 1}")
        m.add(cp.all_different(x[:, number]), name=f"column {number + 1}")
        box = x[number // 3 * 3 : number // 3 * 3 + 3, number % 3 * 3 : number % 3 * 3 + 3]
        m.add(cp.all_different(box), name=f"box {number + 1}")
    return m, x


SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MODELS = {
    "magic-square": Classic("Magic square", "1 to 9, all sums 15", magic_square, 3, 3, 1, 9, {"x[0,0]": 2}),
    "queens": Classic("Eight queens", "none attacks another; 1 where one stands", queens, 8, 8, 0, 1, {"x[0,0]": 1}),
    "sudoku": Classic(
        "Sudoku",
        "rows, columns and boxes hold 1 to 9",
        sudoku,
        9,
        9,
        1,
        9,
        {f"x[{place // 9},{place % 9}]": int(digit) for place, digit in enumerate(SUDOKU) if digit != "."},
        boxes=3,
    ),
}


def describe() -> list[dict[str, Any]]:
    """What a page has to know of the models."""
    return [
        {
            "name": name,
            "title": each.title,
            "summary": each.summary,
            "rows": each.rows,
            "columns": each.columns,
            "least": each.least,
            "most": each.most,
            "fixed": dict(each.fixed),
            "boxes": each.boxes,
            "text": str(each.build()[0]),
            "questions": list(QUESTIONS),
        }
        for name, each in MODELS.items()
    ]


def ask(name: str, question: str = "solve", fixed: Mapping[str, int] | None = None, seed: int = 0) -> dict[str, Any]:
    """The answer to a question, with some variables fixed.

    >>> ask("magic-square", "count", {"x[0,0]": 2})["words"]
    '2 solutions'
    >>> ask("magic-square", "conflict", {"x[1,1]": 4})["words"]
    'x[1,1] = 4 cannot hold together with all different; columns[1]; rows[1]; diagonals[0]; diagonals[1]'
    """
    if question not in QUESTIONS:
        raise ModelError(f"there is no question {question!r}; there are {', '.join(QUESTIONS)}")
    classic = MODELS[name]
    model, x = classic.build()
    variables = {variable.name: variable for variable in model.variables}
    for variable, value in (fixed or {}).items():
        if variable not in variables or not classic.least <= value <= classic.most:
            raise ModelError(f"{variable} cannot be {value}: expected a variable of the model from {classic.least} to {classic.most}")
        model.add(variables[variable] == value, name=f"{variable} = {value}")
    return {"model": name, "question": question, "text": str(model), **_answer(model, x, question, seed)}


def _answer(model: cp.Model, x: Any, question: str, seed: int) -> dict[str, Any]:
    found = model.solve(time_limit=TIME_LIMIT)
    if found.status is cp.Status.INFEASIBLE:
        return {"count": "0", "words": "0 solutions"} if question == "count" else _conflict(model)
    if found.solution is None:
        raise cp.TimeLimitError(f"no solution was found within {TIME_LIMIT:g} s")
    if question == "conflict":
        return {"conflict": [], "words": "there is no conflict: the model has a solution"}
    if question == "solve":
        return {"values": {variable.name: found.solution[variable] for variable in x.ravel()}, "words": "a solution"}
    known = model.backbone()
    if question == "backbone":
        words = f"{counted(len(known), 'variable')} of {len(model.variables)} have one value in every solution"
        return {"values": {variable.name: value for variable, value in known.items()}, "words": words}
    for variable, value in known.items():  # what holds in every solution changes none, and keeps the diagram narrow
        model.add(variable == value)
    if question == "count":
        number = model.count()
        return {"count": str(number), "words": counted(number, "solution")}
    solution = model.sample(1, seed)[0]
    values = {variable.name: solution[variable] for variable in x.ravel()}
    return {"values": values, "words": "a solution drawn fairly: each is equally likely"}


def _conflict(model: cp.Model) -> dict[str, Any]:
    """A smallest set of constraints that cannot all hold; what the visitor fixed comes first."""
    names = [constraint.name for constraint in model.conflict()]
    mine = [each for each in names if " = " in each]
    others = [each for each in names if " = " not in each]
    words = f"{'; '.join(mine)} cannot hold together" + (f" with {'; '.join(others)}" if others else "")
    return {"conflict": names, "words": words}

"""Expressions evaluated on many assignments at once, to check what was drawn by the thousand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.constraints import AllDifferent, AtMostOne, ExactlyOne
from cpsolve.expressions import And, Comparison, Expression, Implies, Linear, Not, Or, Variable, Xor, scope
from cpsolve.results import Solution, TableRow

if TYPE_CHECKING:
    from cpsolve.model import Model

Column = NDArray[np.int64]
COMPARE = {"==": np.equal, "!=": np.not_equal, "<=": np.less_equal, "<": np.less, ">=": np.greater_equal, ">": np.greater}

COUNT: dict[type[Expression], Callable[[Column, int], Any]] = {
    And: lambda true, among: true == among,
    Or: lambda true, among: true > 0,
    Xor: lambda true, among: true % 2 == 1,
    AtMostOne: lambda true, among: true <= 1,
    ExactlyOne: lambda true, among: true == 1,
}
"""Whether a condition made of others holds, from the number of those that do."""


def evaluate(expression: Expression, columns: Mapping[Variable, Column], rows: int) -> Column:
    """The value of an expression in each of ``rows`` assignments, given as one column per variable.

    >>> import cpsolve as cp
    >>> x, y = cp.Model().int_vars(2, 0, 9)
    >>> evaluate(x + 2 * y > 5, {x: np.array([1, 2]), y: np.array([2, 2])}, 2)
    array([0, 1])
    """

    def of(part: Expression | int) -> Column:
        return evaluate(part, columns, rows) if isinstance(part, Expression) else np.full(rows, part, np.int64)

    match expression:
        case Variable():
            return columns[expression]
        case Linear():
            total = np.full(rows, expression.constant, np.int64)
            for atom, coefficient in zip(expression.atoms, expression.coefficients, strict=True):
                total += coefficient * of(atom)
            return total
        case Comparison():
            return np.array(COMPARE[expression.op](of(expression.left), of(expression.right)), np.int64)
        case And() | Or() | Xor() | AtMostOne() | ExactlyOne():
            true = np.zeros(rows, np.int64)
            for arg in expression.args:
                true += of(arg)
            return np.array(COUNT[type(expression)](true, len(expression.args)), np.int64)
        case Not():
            return 1 - of(expression.arg)
        case Implies():
            return np.maximum(1 - of(expression.left), of(expression.right))
        case AllDifferent() if expression.args:
            values = np.sort(np.stack([of(arg) for arg in expression.args]), axis=0)
            return np.array((values[1:] != values[:-1]).all(axis=0), np.int64)
    variables = scope(expression)
    if not variables:
        return np.full(rows, expression.value({}), np.int64)
    lists: Sequence[list[int]] = [columns[variable].tolist() for variable in variables]
    return np.array([expression.value(dict(zip(variables, row, strict=True))) for row in zip(*lists, strict=True)], np.int64)


def check_all(model: Model, solutions: Sequence[Solution]) -> None:
    """Raises SolverError if one of many solutions breaks a constraint or leaves a domain."""
    if not solutions or not model.variables:
        return
    columns = dict(zip(model.variables, np.ascontiguousarray(_table(model.variables, solutions).T, np.int64), strict=True))
    wrong = np.zeros(len(solutions), np.bool_)
    for variable, column in columns.items():
        wrong |= (column < variable.lo) | (column > variable.hi)
    for entry in model.constraints:
        wrong |= evaluate(entry.constraint, columns, len(solutions)) == 0
    if wrong.any():
        model.check(solutions[int(wrong.argmax())])


def _table(variables: Sequence[Variable], solutions: Sequence[Solution]) -> NDArray[Any]:
    first = solutions[0]
    if (
        isinstance(first, TableRow)
        and len(first.variables) == len(variables)
        and all(a is b for a, b in zip(first.variables, variables, strict=True))
    ):
        rows = [solution.row for solution in solutions if isinstance(solution, TableRow) and solution.table is first.table]
        if len(rows) == len(solutions):
            return first.table[rows]
    return np.array([[solution[variable] for variable in variables] for solution in solutions], np.int64)

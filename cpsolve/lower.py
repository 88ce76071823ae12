"""Rewriting constraints into simpler ones: pure functions that backends chain as they need.

Nothing here adds a variable: each result is an equivalent constraint over the same variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsolve.constraints import AtMostOne, ExactlyOne
from cpsolve.expressions import And, Comparison, Condition, Constraint, Implies, Not, Or, Xor
from cpsolve.limits import looking

OPPOSITE = {"==": "!=", "!=": "==", "<=": ">", ">": "<=", "<": ">=", ">=": "<"}


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """The conditions that hold exactly when ``condition`` does, with conjunctions taken apart."""
    if isinstance(condition, And):
        for arg in condition.args:
            yield from conjuncts(arg)
    elif isinstance(condition, Not) and isinstance(condition.arg, Constraint) and (opposite := negation(condition.arg)) is not None:
        yield from conjuncts(opposite)
    else:
        yield condition


def negation(constraint: Constraint) -> Constraint | None:
    """The opposite of a constraint with the negation moved one level inwards; None where it has no simple form.

    One level only: shared parts stay shared.

    >>> import cpsolve as cp
    >>> x, y = cp.Model().int_vars(2, 0, 9, name="x")
    >>> negation(x <= 3), negation((x <= 3) & (y == 2))
    (x[0] > 3, ~(x[0] <= 3) | ~(x[1] == 2))
    """
    match constraint:
        case Comparison():
            return Comparison(constraint.left, OPPOSITE[constraint.op], constraint.right)
        case And():
            return Or(_not(arg) for arg in looking(constraint.args, "encoding"))
        case Or():
            return And(_not(arg) for arg in looking(constraint.args, "encoding"))
        case Not():
            return And((constraint.arg,))
        case Implies():
            return And((constraint.left, _not(constraint.right)))
        case Xor():
            return Xor((*constraint.args, And(())))
        case AtMostOne() | ExactlyOne():
            return negation(constraint.decomposition())
    return None


def _not(condition: Condition) -> Condition:
    return condition.arg if isinstance(condition, Not) else Not(condition)

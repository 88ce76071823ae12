"""Brute force: every assignment judged by the constraints' own evaluation. Slow, obvious, and what all else is held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product

from cpsolve import Expression, Model, Variable

Assignment = dict[Variable, int]


def solutions(model: Model) -> list[Assignment]:
    """All solutions of a model with few assignments."""
    return [values for values in assignments(model.variables) if all(entry.constraint.value(values) for entry in model.constraints)]


def assignments(variables: Sequence[Variable]) -> Iterable[Assignment]:
    """Every assignment of the variables from their domains."""
    for values in product(*(range(variable.lo, variable.hi + 1) for variable in variables)):
        yield dict(zip(variables, values, strict=True))


def key(values: Assignment, over: Sequence[Variable]) -> tuple[int, ...]:
    """An assignment of some variables as a tuple, to compare and count."""
    return tuple(values[variable] for variable in over)


def counts_by(model: Model, expression: Expression) -> dict[int, int]:
    """How many solutions have each value of an expression."""
    return dict(Counter(int(expression.value(values)) for values in solutions(model)))


def backbone(model: Model) -> Assignment:
    """The variables with one value in all solutions."""
    found = solutions(model)
    return {v: found[0][v] for v in model.variables if len({values[v] for values in found}) == 1}

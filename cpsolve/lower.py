"""Rewriting constraints into simpler ones: pure functions that backends chain as they need.

Nothing here adds a variable: each result is an equivalent constraint over the same variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from cpsolve.constraints import AllDifferent, AtMostOne, Circuit, ExactlyOne
from cpsolve.expressions import And, Comparison, Condition, Constraint, Implies, Linear, Not, Or, Xor

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
            return Or(tuple(_not(arg) for arg in constraint.args))
        case Or():
            return And(tuple(_not(arg) for arg in constraint.args))
        case Not():
            return And((constraint.arg,))
        case Implies():
            return And((constraint.left, _not(constraint.right)))
        case Xor():
            return Xor((*constraint.args, And(())))
        case AtMostOne():
            return Comparison(total(constraint.args), ">=", 2)
        case ExactlyOne():
            return Comparison(total(constraint.args), "!=", 1)
    return None


def _not(condition: Condition) -> Condition:
    return condition.arg if isinstance(condition, Not) else Not(condition)


def total(conditions: tuple[Condition, ...]) -> Linear:
    """How many of the conditions hold, as a sum."""
    return Linear(list(conditions), None, 0, max((condition.depth for condition in conditions), default=0))


def some_equal(constraint: AllDifferent) -> Constraint:
    """The opposite of all_different: some two of the expressions are equal."""
    return Or(tuple(Comparison(a, "==", b) for a, b in combinations(constraint.args, 2)))


def circuit_formula(circuit: Circuit) -> Constraint:
    """A circuit spelled out in sums and logic, for where it is negated or reified.

    Every node is left and entered once; some node is visited; and starting at the first visited node, following the chosen
    arcs once per node reaches every visited node.
    """
    count = len(circuit.nodes)
    arcs = list(zip(circuit.arcs, circuit.args, strict=True))
    leaving: list[list[Condition]] = [[] for _ in range(count)]
    entering: list[list[Condition]] = [[] for _ in range(count)]
    visited: list[list[Condition]] = [[] for _ in range(count)]
    for (tail, head), chosen in arcs:
        leaving[tail].append(chosen)
        entering[head].append(chosen)
        if tail != head:
            visited[tail].append(chosen)
    degrees: list[Condition] = [Comparison(total(tuple(side[node])), "==", 1) for side in (leaving, entering) for node in range(count)]
    is_visited = [Or(tuple(visited[node])) for node in range(count)]
    first: list[Condition] = [And((is_visited[node], *(Not(is_visited[other]) for other in range(node)))) for node in range(count)]
    reached = first
    for _ in range(count - 1):
        reached = [
            Or((first[node], *(And((reached[tail], chosen)) for (tail, head), chosen in arcs if head == node and tail != node)))
            for node in range(count)
        ]
    return And((*degrees, Or(tuple(is_visited)), *(Implies(is_visited[node], reached[node]) for node in range(count))))

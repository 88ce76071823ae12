"""Which variables are read together, and in which order.

Variables that the constraints cannot tell apart are one slot. What the constraints remember of slots that are read is described by
factors; ``order_kernels`` looks for an order in which that is little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import log2

import numpy as np

from cpsolve.cached import cached_property
from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, LazyConstraint, total
from cpsolve.expressions import Comparison, Condition, Expression, Variable, linear_form, scope
from cpsolve.limits import look, looking

EFFORT = 4_000
"""About how many slots of a component may be placed, over all attempts, in search of a good order."""

SUM, DIFFERENT, STEADY, VALUES, GLUE = range(5)
"""Kinds of factors, by what they remember while they are half read. A sum between ``low`` and ``high``: what is added up so far. Different
values: which are taken. A steady one: ``high`` bits. Values: those read, or what they leave open. Glue remembers nothing: it only keeps
slots in one component."""


@dataclass(frozen=True)
class Slot:
    """Variables that are read as one: a single variable, or 0/1 variables that the constraints cannot tell apart.

    ``values`` are the possible values of the sum of the members.
    """

    members: tuple[Variable, ...]
    values: Sequence[int]

    @cached_property
    def weights(self) -> list[int]:
        """How many assignments of the members have each of the values as their sum."""
        if len(self.members) < 2:
            return [1] * len(self.values)
        weights = [1]
        for value in range(len(self.members)):  # each binomial coefficient from the last: they may be thousands of long numbers
            weights.append(weights[-1] * (len(self.members) - value) // (value + 1))
        return [weights[value] for value in self.values]


Held = tuple[Condition, tuple[Variable, ...]]
"""A constraint with its variables."""
Domains = Mapping[Variable, Sequence[int]]
"""The values that a variable may have, in increasing order, where they are fewer than it was made with."""


def group(variables: Sequence[Variable], held: Sequence[Held], apart: Sequence[dict[Variable, int]], domains: Domains) -> list[Slot]:
    """Groups the 0/1 variables that have the same coefficient in the same sums and nowhere else a part.

    ``apart`` holds further properties (a number for each variable) in which members of a group must agree.
    """
    signature: dict[Variable, list[tuple[int, int]]] = {variable: [] for variable in variables}
    single: set[Variable] = set()
    for number, (constraint, those) in enumerate(held):
        look("choosing an order")
        terms = linear_terms(constraint)
        if terms is None:
            single.update(those)
            continue
        for variable, coefficient in terms.items():
            signature[variable].append((number, coefficient))
    groups: dict[object, list[Variable]] = {}
    for variable in looking(variables, "choosing an order"):
        alone = variable in single or (variable.lo, variable.hi) != (0, 1) or len(domains.get(variable, (0, 1))) == 1
        key = variable if alone else (tuple(signature[variable]), tuple(table.get(variable, 0) for table in apart))
        groups.setdefault(key, []).append(variable)
    return [_slot(tuple(members), domains) for members in groups.values()]


def _slot(members: tuple[Variable, ...], domains: Domains) -> Slot:
    if len(members) > 1:
        return Slot(members, range(len(members) + 1))
    only = members[0]
    return Slot(members, domains.get(only, range(only.lo, only.hi + 1)))


def linear_terms(constraint: Condition) -> dict[Variable, int] | None:
    """The coefficients of a constraint that compares a sum of plain variables; None for any other."""
    parts: list[tuple[int, Expression | int]]
    if isinstance(constraint, AtMostOne | ExactlyOne):
        parts = [(1, total(constraint.args))]
    elif isinstance(constraint, Comparison):
        parts = [(1, constraint.left), (-1, constraint.right)]
    else:
        return None
    terms, _ = linear_form(*parts)
    plain = {atom: coefficient for atom, coefficient in terms.items() if isinstance(atom, Variable)}
    return plain if len(plain) == len(terms) else None


@dataclass(frozen=True)
class Factor:
    """What holds some variables together: a constraint, or a part of one that is remembered by itself.

    Each variable takes up a span of it. How large its memory is while it is half read depends on its ``kind``, ``low`` and ``high``.
    """

    spans: dict[Variable, float]
    kind: int
    low: float = 0.0
    high: float = 0.0


def factors(constraint: Condition, held: Sequence[Variable]) -> list[Factor]:
    """A circuit is remembered node by node and an automaton step by step; other constraints are of one piece."""
    pieces: Iterable[Iterable[Variable]]
    bits = 2.0
    match constraint:
        case Circuit():
            at: list[set[Variable]] = [set() for _ in constraint.nodes]
            for ends, arg in zip(constraint.arcs, constraint.args, strict=True):
                for node in ends:
                    at[node].update(scope(arg))
            pieces = (sorted(around, key=lambda variable: variable.index) for around in at)
        case LazyConstraint():
            pieces = (scope(*piece) for piece in constraint.pieces())
        case Automaton() if len(constraint.args) > 1:
            bits = log2(1 + len({state for state, _ in constraint.transitions}))
            pieces = (scope(left, right) for left, right in pairwise(constraint.args))
        case AllDifferent():
            return [Factor(dict.fromkeys(held, 1.0), DIFFERENT)]
        case _:
            terms = linear_terms(constraint)
            if terms is None:
                return [Factor({v: log2(v.hi - v.lo + 1) for v in held}, VALUES)]
            # variables that cancel out are kept: their constraint must be read somewhere
            ranges = {variable: float(abs(terms.get(variable, 0)) * (variable.hi - variable.lo)) for variable in held}
            half = sum(ranges.values()) / 2
            return [Factor(ranges, SUM, half, half)]
    steps = [Factor(dict.fromkeys(piece, 1.0), STEADY, high=bits) for piece in looking(map(list, pieces), "choosing an order") if piece]
    return [*steps, Factor({variable: 0.0 for step in steps for variable in step.spans}, GLUE)] if len(steps) > 1 else steps


@dataclass(frozen=True)
class Ordered:
    """A connected part: its slots in the order in which they are read, its constraints, and the number of nodes that is expected."""

    slots: list[Slot]
    constraints: list[Condition]
    cost: float


def ordered(slots: Sequence[Slot], held: Sequence[Held], late: Sequence[bool]) -> list[Ordered]:
    """The parts that share no constraint, each in a good order in which slots that are late come last."""
    from cpsolve.counting.order_kernels import choose_order

    home = {variable: number for number, slot in enumerate(slots) for variable in slot.members}
    listed: list[tuple[int, Factor]] = []
    for number, (constraint, variables) in enumerate(held):
        look("choosing an order")
        listed += ((number, factor) for factor in factors(constraint, variables))
    reads: list[dict[int, float]] = [{} for _ in slots]
    for place, (_, factor) in enumerate(listed):
        look("choosing an order")
        for variable, span in factor.spans.items():
            spans = reads[home[variable]]
            spans[place] = spans.get(place, 0.0) + span
    count = len(slots)
    sweep = np.array([sorted(range(count), key=late.__getitem__)], np.int64).reshape(1, count)
    order, bounds, costs = np.empty(count, np.int64), np.empty(count + 1, np.int64), np.empty(count)
    parts = choose_order(
        EFFORT, sweep, order, bounds, costs,
        np.array([0, *accumulate(map(len, reads))], np.int64),
        np.array([place for spans in looking(reads, "choosing an order") for place in spans], np.int64),
        np.array([span for spans in looking(reads, "choosing an order") for span in spans.values()], np.float64),
        np.array(late, np.int64),
        np.array([factor.kind for _, factor in listed], np.int64),
        np.array([factor.low for _, factor in listed], np.float64),
        np.array([factor.high for _, factor in listed], np.float64),
        np.array([sum(factor.spans.values()) for _, factor in looking(listed, "choosing an order")], np.float64),
    )  # fmt: skip
    found = []
    for begin, end, cost in zip(bounds[:parts].tolist(), bounds[1 : parts + 1].tolist(), costs[:parts].tolist(), strict=True):
        look("choosing an order")
        members = order[begin:end].tolist()
        numbers = sorted({listed[place][0] for slot in members for place in reads[slot]})
        found.append(Ordered([slots[slot] for slot in members], [held[number][0] for number in numbers], cost))
    return found

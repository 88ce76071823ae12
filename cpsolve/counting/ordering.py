"""Which variables are read together, and in which order.

A diagram is as wide as the number of states that its constraints can be in at once, so a good order keeps few constraints
half read. Finding the best order is as hard as counting; several cheap orders are made, their widths estimated, and the best
one taken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb, log2

from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, LazyConstraint, total
from cpsolve.expressions import Comparison, Condition, Expression, Variable, linear_form, scope
from cpsolve.limits import Deadline

RESTARTS = 6
NARROW = 16
"""An order with so few nodes a layer is good enough: looking for a better one would take longer than counting."""
EFFORT = 10_000
"""About how many slots may be placed, over all restarts, in search of a good order."""
WIDEST = 24.0
"""Beyond this number of bits one constraint's estimate no longer matters: the order is bad."""


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
        return [comb(len(self.members), value) for value in self.values] if len(self.members) > 1 else [1] * len(self.values)


Domains = Mapping[Variable, Sequence[int]]
"""The values that a variable may have, in increasing order, where they are fewer than it was made with."""


def group(
    variables: Sequence[Variable], constraints: Sequence[Condition], apart: Sequence[dict[Variable, int]], domains: Domains
) -> list[Slot]:
    """Groups the 0/1 variables that have the same coefficient in the same sums and nowhere else a part.

    ``apart`` holds further properties (a number for each variable) in which members of a group must agree.
    """
    signature: dict[Variable, list[tuple[int, int]]] = {variable: [] for variable in variables}
    single: set[Variable] = set()
    for number, constraint in enumerate(constraints):
        terms = linear_terms(constraint)
        if terms is None:
            single.update(scope(constraint))
            continue
        for variable, coefficient in terms.items():
            signature[variable].append((number, coefficient))
    groups: dict[object, list[Variable]] = {}
    for variable in variables:
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

    ``bits`` is the size of its memory while it is half read, as a function of how much is read and how much is not: a pair of
    numbers that grow with each variable by its ``spans``.
    """

    part: int
    spans: dict[Variable, float]
    bits: Callable[[float, float], float]


def factors(number: int, constraint: Condition) -> list[Factor]:
    """A circuit is remembered node by node and an automaton step by step; other constraints are of one piece."""
    match constraint:
        case Circuit():
            at: list[set[Variable]] = [set() for _ in constraint.nodes]
            for ends, arg in zip(constraint.arcs, constraint.args, strict=True):
                for node in ends:
                    at[node].update(scope(arg))
            return [Factor(number, dict.fromkeys(_in_order(around), 1.0), lambda before, after: 2.0) for around in at if around]
        case LazyConstraint():
            pieces = [scope(*piece) for piece in constraint.pieces()]
            return [Factor(number, dict.fromkeys(around, 1.0), lambda before, after: 2.0) for around in pieces if around]
        case Automaton() if len(constraint.args) > 1:
            states = log2(1 + len({state for state, _ in constraint.transitions}))
            links = [scope(left, right) for left, right in pairwise(constraint.args)]
            return [Factor(number, dict.fromkeys(link, 1.0), lambda before, after: states) for link in links if link]
        case AllDifferent():
            return [
                Factor(number, dict.fromkeys(scope(constraint), 1.0), lambda before, after: log2(comb(int(before + after), int(before))))
            ]
    terms = linear_terms(constraint)
    if terms is not None:
        # variables that cancel out are kept: their constraint must be read somewhere
        ranges = {variable: float(abs(terms.get(variable, 0)) * (variable.hi - variable.lo)) for variable in scope(constraint)}
        # large ranges do not cancel exactly in floats: what is left may come out below zero
        return [Factor(number, ranges, lambda before, after: log2(1 + max(0.0, min(before, after))))]
    return [Factor(number, {v: log2(v.hi - v.lo + 1) for v in scope(constraint)}, min)]


def _in_order(variables: set[Variable]) -> list[Variable]:
    return sorted(variables, key=lambda variable: variable.index)


class FactorGraph:
    """Slots and the factors that connect them."""

    def __init__(self, slots: Sequence[Slot], constraints: Sequence[Condition]) -> None:
        self.slots = slots
        home = {variable: number for number, slot in enumerate(slots) for variable in slot.members}
        self.factors = [factor for number, constraint in enumerate(constraints) for factor in factors(number, constraint)]
        self._spans: list[dict[int, float]] = []
        self.read_by: list[list[int]] = [[] for _ in slots]
        for number, factor in enumerate(self.factors):
            spans: dict[int, float] = {}
            for variable, span in factor.spans.items():
                spans[home[variable]] = spans.get(home[variable], 0.0) + span
            self._spans.append(spans)
            for slot in spans:
                self.read_by[slot].append(number)
        self.reads = [list(spans) for spans in self._spans]

    def components(self) -> list[list[int]]:
        """The slots in groups that share no constraint, each in its original order."""
        leader = list(range(len(self.slots)))

        def find(slot: int) -> int:
            while leader[slot] != slot:
                leader[slot] = slot = leader[leader[slot]]
            return slot

        first: dict[int, int] = {}
        for factor, reads in zip(self.factors, self.reads, strict=True):
            for slot in reads:
                leader[find(slot)] = find(first.setdefault(factor.part, slot))
        groups: dict[int, list[int]] = {}
        for slot in range(len(self.slots)):
            groups.setdefault(find(slot), []).append(slot)
        return list(groups.values())

    def order(self, component: list[int], first: set[int], deadline: Deadline) -> list[int]:
        """A good order of a component's slots in which those of ``first`` come first."""
        leading = [slot for slot in component if slot in first]
        trailing = [slot for slot in component if slot not in first]
        phases = [set(phase) for phase in (leading, trailing) if phase]
        head = phases[0]
        generator = random.Random(len(component))
        far = self._far_end(min(head), head)
        starts = [min(head), far, self._far_end(far, head), max(head), min(head, key=lambda slot: (len(self.read_by[slot]), slot))]
        starts += generator.sample(sorted(head), min(RESTARTS, len(head)))
        best, least = leading + trailing, self.cost(leading + trailing)
        for start in list(dict.fromkeys(starts))[: max(1, EFFORT // len(component))]:
            for patient in (False, True):
                if least <= NARROW * len(component):
                    return best
                candidate = self._greedy(start, phases, patient, deadline)
                cost = self.cost(candidate)
                if cost < least:
                    best, least = candidate, cost
        return best

    def _far_end(self, start: int, among: set[int]) -> int:
        """A slot as many constraints away from ``start`` as there is."""
        seen, ring = {start}, [start]
        last = start
        while ring:
            last = ring[-1]
            nearby = {slot for here in ring for constraint in self.read_by[here] for slot in self.reads[constraint]}
            ring = sorted(slot for slot in nearby - seen if slot in among)
            seen.update(ring)
        return last

    def _greedy(self, start: int, phases: list[set[int]], patient: bool, deadline: Deadline) -> list[int]:
        """Reads next, among the neighbours of what is read, the slot that opens least and closes most factors.

        A patient order prefers the factor that has been open for longest.
        """
        placed: list[int] = []
        waiting = set().union(*phases)
        left = {factor: len(self.reads[factor]) for slot in waiting for factor in self.read_by[slot]}
        growth = {slot: len(self.read_by[slot]) for slot in waiting}  # factors it would open, less those it would close
        since: dict[int, int] = {}  # for slots next to an open factor: when the first of these was opened
        opened: set[int] = set()

        def key(slot: int) -> tuple[int, int, int]:
            return (since[slot], growth[slot], slot) if patient else (growth[slot], since[slot], slot)

        for phase in phases:
            inside = sorted(phase)
            for _ in inside:
                candidates = [slot for slot in since if slot in phase]
                if not placed:
                    chosen = start
                elif candidates:
                    chosen = min(candidates, key=key)
                else:
                    chosen = next(slot for slot in inside if slot in waiting)
                placed.append(chosen)
                waiting.discard(chosen)
                since.pop(chosen, None)
                for factor in self.read_by[chosen]:
                    left[factor] -= 1
                    if factor not in opened:
                        opened.add(factor)
                        for slot in self.reads[factor]:
                            growth[slot] -= 1
                            if slot in waiting:
                                since.setdefault(slot, len(placed))
                    if left[factor] == 1:
                        growth[next(slot for slot in self.reads[factor] if slot in waiting)] -= 1
                if len(placed) % 256 == 0:
                    deadline.check("choosing an order")
        return placed

    def cost(self, order: Sequence[int]) -> float:
        """The estimated number of nodes: for each layer the product of the states of all half-read factors."""
        touched = {factor for slot in order for factor in self.read_by[slot]}
        before = dict.fromkeys(touched, 0.0)
        after = {factor: sum(self._spans[factor].values()) for factor in touched}
        left = {factor: len(self._spans[factor]) for factor in touched}
        bits = dict.fromkeys(touched, 0.0)
        width = nodes = 0.0
        for slot in order:
            for factor in self.read_by[slot]:
                span = self._spans[factor][slot]
                before[factor] += span
                after[factor] -= span
                left[factor] -= 1
                width -= bits[factor]
                bits[factor] = min(WIDEST, self.factors[factor].bits(before[factor], after[factor])) if left[factor] else 0.0
                width += bits[factor]
            nodes += 2.0 ** min(width, 900.0)
        return nodes

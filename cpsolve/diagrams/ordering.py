"""Which variables are read together, and in which order.

A diagram is as wide as the number of states that its constraints can be in at once, so a good order keeps few constraints
half read. Finding the best order is as hard as counting; several cheap orders are made, their widths estimated, and the best
one taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, log2

from cpsolve.constraints import AllDifferent, AtMostOne, ExactlyOne
from cpsolve.expressions import Comparison, Condition, Expression, Variable, linear_form, scope
from cpsolve.lower import total

RESTARTS = 6
NARROW = 16
"""An order with so few nodes a layer is good enough: looking for a better one would take longer than counting."""
WIDEST = 24.0
"""Beyond so many bits one constraint's estimate no longer matters: the order is bad."""


@dataclass(frozen=True)
class Slot:
    """Variables that are read as one: a single variable, or 0/1 variables that the constraints cannot tell apart.

    ``values`` are the values of the sum of the members, ``weights`` how many assignments of the members have that sum.
    """

    members: tuple[Variable, ...]
    values: range = field(init=False)
    weights: list[int] = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.members)
        if size == 1:
            values = range(self.members[0].lo, self.members[0].hi + 1)
            weights = [1] * len(values)
        else:
            values = range(size + 1)
            weights = [comb(size, chosen) for chosen in values]
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "weights", weights)


def group(variables: Sequence[Variable], constraints: Sequence[Condition], apart: Sequence[dict[Variable, int]]) -> list[Slot]:
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
        alone = variable in single or (variable.lo, variable.hi) != (0, 1)
        key = variable if alone else (tuple(signature[variable]), tuple(table.get(variable, 0) for table in apart))
        groups.setdefault(key, []).append(variable)
    return [Slot(tuple(members)) for members in groups.values()]


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


class Web:
    """Slots and the constraints that connect them."""

    def __init__(self, slots: Sequence[Slot], constraints: Sequence[Condition]) -> None:
        self.slots = slots
        home = {variable: number for number, slot in enumerate(slots) for variable in slot.members}
        self.reads = [sorted({home[variable] for variable in scope(constraint) if variable in home}) for constraint in constraints]
        self.read_by: list[list[int]] = [[] for _ in slots]
        for number, read in enumerate(self.reads):
            for slot in read:
                self.read_by[slot].append(number)
        self._spans = [self._span(constraint, home) for constraint in constraints]
        self._different = [isinstance(constraint, AllDifferent) for constraint in constraints]
        self._sums = [linear_terms(constraint) is not None for constraint in constraints]

    def _span(self, constraint: Condition, home: dict[Variable, int]) -> dict[int, float]:
        """What each slot adds to the number of states of a constraint: to a sum its range, to others its bits."""
        terms = linear_terms(constraint)
        if terms is None:
            return {slot: log2(max(2, len(self.slots[slot].values))) for slot in {home[v] for v in scope(constraint)}}
        return {home[v]: float(abs(c) * (len(self.slots[home[v]].values) - 1)) for v, c in terms.items()}

    def components(self) -> list[list[int]]:
        """The slots in connected parts, each in its original order."""
        part = [-1] * len(self.slots)
        parts = 0
        for seed in range(len(self.slots)):
            if part[seed] >= 0:
                continue
            stack = [seed]
            part[seed] = parts
            while stack:
                for constraint in self.read_by[stack.pop()]:
                    for slot in self.reads[constraint]:
                        if part[slot] < 0:
                            part[slot] = parts
                            stack.append(slot)
            parts += 1
        result: list[list[int]] = [[] for _ in range(parts)]
        for slot, number in enumerate(part):
            result[number].append(slot)
        return result

    def order(self, component: list[int], first: set[int]) -> list[int]:
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
        for start in dict.fromkeys(starts):
            for patient in (False, True):
                if least <= NARROW * len(component):
                    return best
                candidate = self._greedy(start, phases, patient)
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

    def _greedy(self, start: int, phases: list[set[int]], patient: bool) -> list[int]:
        """Reads next, among the neighbours of what is read, the slot that opens least and closes most constraints.

        A patient order prefers, all else equal, the constraint that has been open for longest.
        """
        placed: list[int] = []
        waiting = set().union(*phases)
        left = {c: len(self.reads[c]) for slot in waiting for c in self.read_by[slot]}
        opened: dict[int, int] = {}
        frontier: set[int] = set()
        phase = 0
        while waiting:
            while not phases[phase] & waiting:
                phase += 1
            allowed = phases[phase]
            candidates = [slot for slot in frontier if slot in allowed]
            if not placed:
                chosen = start
            elif candidates:
                chosen = min(candidates, key=lambda slot: self._appetite(slot, left, opened, patient))
            else:
                chosen = min(allowed & waiting)
            placed.append(chosen)
            waiting.discard(chosen)
            frontier.discard(chosen)
            for constraint in self.read_by[chosen]:
                left[constraint] -= 1
                if constraint not in opened:
                    opened[constraint] = len(placed)
                    frontier.update(slot for slot in self.reads[constraint] if slot in waiting)
        return placed

    def _appetite(self, slot: int, left: dict[int, int], opened: dict[int, int], patient: bool) -> tuple[int, int, int]:
        fresh = sum(constraint not in opened for constraint in self.read_by[slot])
        closed = sum(left[constraint] == 1 for constraint in self.read_by[slot])
        oldest = min((opened[constraint] for constraint in self.read_by[slot] if constraint in opened), default=0)
        return (oldest, fresh - closed, slot) if patient else (fresh - closed, oldest, slot)

    def cost(self, order: Sequence[int]) -> float:
        """The estimated number of nodes: for each layer the product of the states of all half-read constraints."""
        before: dict[int, float] = {}
        count: dict[int, int] = {}
        after = {c: sum(self._spans[c].values()) for slot in order for c in self.read_by[slot]}
        bits: dict[int, float] = {}
        width = nodes = 0.0
        for slot in order:
            for constraint in self.read_by[slot]:
                span = self._spans[constraint].get(slot, 0.0)
                before[constraint] = before.get(constraint, 0.0) + span
                after[constraint] -= span
                count[constraint] = count.get(constraint, 0) + 1
                width -= bits.get(constraint, 0.0)
                bits[constraint] = min(WIDEST, self._bits(constraint, before[constraint], after[constraint], count[constraint]))
                width += bits[constraint]
            nodes += 2.0 ** min(width, 900.0)
        return nodes

    def _bits(self, constraint: int, before: float, after: float, count: int) -> float:
        size = len(self.reads[constraint])
        if count == size:
            return 0.0
        if self._different[constraint]:
            return log2(comb(size, count))
        smaller = min(before, after)
        return log2(smaller + 1) if self._sums[constraint] else smaller

"""Reading answers off a diagram: counts, distributions, samples, solutions, best solutions.

Counts are exact however large: words of 64 bits while they are added up, Python integers when they come back. ``below[p][node]`` is the
number of ways from a node of layer p to the end, ``above[p][node]`` from the beginning to it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.counting import choosing, sums
from cpsolve.counting.memory import integers
from cpsolve.counting.ordering import Slot
from cpsolve.counting.product import (
    SLICE,
    Arcs,
    Component,
    Diagram,
    Limits,
    Words,
    too_many_values,
    weight_words,
)
from cpsolve.errors import InfeasibleError
from cpsolve.expressions import Condition, Expression, Variable, linear_form
from cpsolve.results import Solution, TableRow

if TYPE_CHECKING:
    from cpsolve.model import Model


def plain(model: Model, limits: Limits) -> Diagram:
    """The diagram of a model, kept until the model changes."""
    limits = choosing.keeping(model, limits)

    def make() -> Diagram:
        diagram = choosing.compiled(choosing.prepared(model, limits), limits)
        limits.kept.keep_diagram(model, diagram)
        return diagram

    diagram: Diagram = model.derived("diagram", make)
    return diagram


def in_any_order(model: Model, limits: Limits) -> Diagram:
    """A diagram for questions whose answers do not depend on its order: if possible, that of the model before its last constraints."""
    limits = choosing.keeping(model, limits)

    def make() -> Diagram:
        diagram = choosing.extended(model, limits)
        if diagram is None:
            return plain(model, limits)
        limits.kept.keep_diagram(model, diagram)
        return diagram

    diagram: Diagram = model.derived("diagram in any order", make)
    return diagram


# -- passes over one component


def ways_below(component: Component, limits: Limits, projected: bool = False) -> list[Words]:
    """For each layer, the number of ways from each node to the end (past the cut of a projection: 1 if there is any)."""
    from cpsolve.counting import kernels

    below: list[Words] = [np.ones((component.widths[-1], 1), np.uint64)]
    bound = 1
    for position in range(len(component.slots) - 1, -1, -1):
        slot, arcs, ahead = component.slots[position], component.arcs[position], below[-1]
        weights, weighted = weight_words(slot)
        bound *= sum(slot.weights)
        here = _room(len(arcs), bound, limits)
        for first in _slices(arcs, limits):
            kernels.carry_over(arcs, first, min(first + _stride(arcs), len(arcs)), weights, weighted, True, ahead, here)
        if projected and position >= component.cut:
            here, bound = (here != 0).any(axis=1, keepdims=True).astype(np.uint64), 1
        here, bound = _narrow(here, bound)
        below.append(here)
    below.reverse()
    return below


def ways_above(component: Component, limits: Limits) -> list[Words]:
    """For each layer, the number of ways from the beginning to each node."""
    from cpsolve.counting import kernels

    above: list[Words] = [np.ones((1, 1), np.uint64)]
    bound = 1
    for position, (slot, arcs) in enumerate(zip(component.slots, component.arcs, strict=True)):
        here = above[-1]
        weights, weighted = weight_words(slot)
        bound *= sum(slot.weights)
        ahead = _room(component.widths[position + 1], bound, limits)
        for first in _slices(arcs, limits):
            kernels.carry_over(arcs, first, min(first + _stride(arcs), len(arcs)), weights, weighted, False, here, ahead)
        ahead, bound = _narrow(ahead, bound)
        above.append(ahead)
    return above


def _stride(arcs: Arcs) -> int:
    return max(1, SLICE // int(arcs.shape[1]))


def _slices(arcs: Arcs, limits: Limits) -> Generator[int, None, None]:
    for first in range(0, len(arcs), _stride(arcs)):
        limits.deadline.check("counting")
        yield first


def _room(rows: int, bound: int, limits: Limits) -> Words:
    """Zeros in as many words as numbers up to ``bound`` may need."""
    return limits.memory.table(rows, bound.bit_length() // 64 + 1)


def _narrow(words: Words, bound: int) -> tuple[Words, int]:
    """The same numbers without words that are 0 in all of them, and a bound on them that is no larger than needed."""
    if words.shape[1] == 1 or not len(words):
        return words, bound
    top = words.shape[1]
    while top > 1 and not words[:, top - 1].any():
        top -= 1
    rest = int(words[:, top - 1].max()) + 1
    return np.ascontiguousarray(words[:, :top]), min(bound, len(words) * (rest << 64 * (top - 1)))


def values_of(component: Component, limits: Limits) -> list[list[int]]:
    """For each slot, the number of solutions of the component with each of its values."""
    from cpsolve.counting import kernels

    below, above = ways_below(component, limits), ways_above(component, limits)
    result = []
    for position, (slot, arcs) in enumerate(zip(component.slots, component.arcs, strict=True)):
        here, ahead = above[position], below[position + 1]
        totals = np.zeros((len(slot.values), here.shape[1] + ahead.shape[1] + 1), np.uint64)
        for first in _slices(arcs, limits):
            kernels.through(arcs, first, min(first + _stride(arcs), len(arcs)), here, ahead, totals)
        result.append([total * weight for total, weight in zip(integers(totals), slot.weights, strict=True)])
    return result


def member_counts(slot: Slot, totals: Sequence[int]) -> dict[int, int]:
    """From the counts of a slot's values, those of any one member's values."""
    if len(slot.members) == 1:
        return dict(zip(slot.values, totals, strict=True))
    ones = sum(total * value for value, total in zip(slot.values, totals, strict=True)) // len(slot.members)
    return {0: sum(totals) - ones, 1: ones}


# -- questions


def count(model: Model, over: list[Variable] | None, limits: Limits, stats: dict[str, Any] | None = None) -> int:
    """The number of solutions, or of assignments of ``over`` that some solution has; ``stats`` tells how it was found."""
    if over is not None:
        return _count_projected(model, over, limits)

    def answer() -> tuple[int, dict[str, Any]]:
        found: dict[str, Any] = {}
        return choosing.count(model, limits, found), found

    ways, found = model.derived("count", answer)
    if stats is not None:
        stats.update(found)
    return int(ways)


def _count_projected(model: Model, over: list[Variable], limits: Limits) -> int:
    """The number of assignments of ``over`` that some solution has."""
    diagram = choosing.compiled(choosing.prepared(model, limits, over), limits, lists=False)
    chosen = set(over)
    ways = prod([integers(ways_below(component, limits, projected=True)[0])[0] for component in diagram.components])
    return ways * prod([variable.hi - variable.lo + 1 for variable in diagram.free if variable in chosen])


def count_by(model: Model, expression: Expression, limits: Limits) -> dict[int, int]:
    """The number of solutions for each value of an expression, in increasing order of the values."""
    summed = sums.of(model, limits)
    if summed is not None and (chosen := sums.unit_sum(expression)) is not None and summed.work(len(chosen[0])) < sums.WORK:
        variables, factor, constant = chosen
        return dict(sorted((constant + factor * ones, ways) for ones, ways in summed.count_by(variables).items()))
    work, terms, constant = flattened(model, expression)
    plan = choosing.prepared(work, limits, weights=terms)
    if plan.impossible:
        return {}
    totals = {constant: 1}
    for part in plan.parts:
        coefficients = {position: terms.get(slot.members[0], 0) for position, slot in enumerate(part.slots)}
        share = choosing.spread(part, {position: c for position, c in coefficients.items() if c}, limits)
        totals = _multiply(totals, share, limits)
    for variable in plan.free:
        size = variable.hi - variable.lo + 1
        if coefficient := terms.get(variable, 0):
            _within(size, limits)
            totals = _multiply(totals, {coefficient * value: 1 for value in range(variable.lo, variable.hi + 1)}, limits)
        else:
            totals = {value: ways * size for value, ways in totals.items()}
    return {value: totals[value] for value in sorted(totals) if totals[value]}


def flattened(model: Model, expression: Expression) -> tuple[Model, dict[Variable, int], int]:
    """A model and a sum of its variables that has the value of the expression in every solution.

    Parts that are not variables get one each, tied to them; that changes no count.
    """
    terms, constant = linear_form((1, expression))
    work = model.copy()
    flat = {work.tied(atom): coefficient for atom, coefficient in terms.items()}
    return work, flat, constant


def _within(values: int, limits: Limits) -> None:
    if values > limits.memory.most_values:
        raise too_many_values(values, limits)


def _multiply(left: dict[int, int], right: dict[int, int], limits: Limits) -> dict[int, int]:
    product: dict[int, int] = {}
    for a, ways in left.items():
        limits.deadline.check("counting")
        _within(len(product), limits)
        for b, more in right.items():
            product[a + b] = product.get(a + b, 0) + ways * more
    return product


def distribution(model: Model, expression: Expression, limits: Limits) -> dict[int, Fraction]:
    """The share of solutions for each value of an expression."""
    counts = count_by(model, expression, limits)
    total = sum(counts.values())
    if not total:
        raise InfeasibleError.of(model)
    return {value: Fraction(ways, total) for value, ways in counts.items()}


def marginals(model: Model, conditions: list[Condition], limits: Limits, exact: bool = True) -> Sequence[Fraction | float]:
    """The share of solutions in which each condition holds; with ``exact`` as fractions."""
    chosen = [condition for condition in conditions if isinstance(condition, Variable)]
    summed = sums.of(model, limits) if len(chosen) == len(conditions) else None
    if summed is not None and (not exact or summed.work() < sums.WORK):
        found = summed.shares(exact, limits)
        if found is None:
            raise InfeasibleError.of(model)
        return [found[variable] for variable in chosen]
    work = model
    stand_in: dict[Condition, Variable] = {}
    for condition in conditions:
        if not isinstance(condition, Variable) and condition not in stand_in:
            work = model.copy() if work is model else work
            stand_in[condition] = work.bool_var()
            work.add(stand_in[condition] == condition)
    diagram = plain(work, limits) if stand_in else in_any_order(work, limits)
    shares = {variable: Fraction(int(variable.lo <= 1 <= variable.hi), variable.hi - variable.lo + 1) for variable in diagram.free}
    for component in diagram.components:
        for slot, totals in zip(component.slots, values_of(component, limits), strict=True):
            if not (total := sum(totals)):
                raise InfeasibleError.of(model)
            share = Fraction(member_counts(slot, totals).get(1, 0), total)
            shares.update(dict.fromkeys(slot.members, share))
    return [shares[condition if isinstance(condition, Variable) else stand_in[condition]] for condition in conditions]


def backbone(model: Model, over: list[Variable], limits: Limits) -> dict[Variable, int]:
    """The variables that have one value in every solution, with that value."""
    if (summed := sums.of(model, limits)) is not None:
        certain = summed.certain(limits)
        if certain is None:
            raise InfeasibleError.of(model)
        return {variable: certain[variable] for variable in over if variable in certain}
    diagram = in_any_order(model, limits)
    fixed = {variable: variable.lo for variable in diagram.free if variable.lo == variable.hi}
    for component in diagram.components:
        for slot, totals in zip(component.slots, values_of(component, limits), strict=True):
            if not any(totals):
                raise InfeasibleError.of(model)
            possible = [value for value, ways in member_counts(slot, totals).items() if ways]
            if len(possible) == 1:
                fixed.update(dict.fromkeys(slot.members, possible[0]))
    return {variable: fixed[variable] for variable in over if variable in fixed}


def sample(model: Model, n: int, seed: int, limits: Limits) -> list[Solution]:
    """``n`` independent uniform solutions."""
    from cpsolve.counting import kernels

    summed = sums.of(model, limits)
    diagram: Diagram = plain(model, limits) if summed is None else model.derived("layers of sums", lambda: summed.layers(limits))
    generator = np.random.Generator(np.random.PCG64([seed & (1 << 64) - 1, seed >> 64 & (1 << 64) - 1]))
    columns = {v: generator.integers(v.lo, v.hi, size=n, endpoint=True) for v in diagram.free}
    states = generator.integers(0, 1 << 64, size=n, dtype=np.uint64)  # each walker has a sequence of random words of its own
    limits.memory.take(8 * n * (len(model.variables) + 4), n)
    for component in diagram.components:
        below = ways_below(component, limits)
        if not below[0][0].any():
            raise InfeasibleError.of(model)
        nodes, chosen = np.zeros(n, np.int32), np.zeros(n, np.int32)
        for position, (slot, arcs) in enumerate(zip(component.slots, component.arcs, strict=True)):
            weights, weighted = weight_words(slot)
            for first in range(0, n, SLICE // 8):
                limits.deadline.check("sampling")
                kernels.draw(
                    arcs, first, min(first + SLICE // 8, n), weights, weighted, below[position], below[position + 1], nodes, chosen, states
                )
            columns.update(_deal(slot, np.asarray(slot.values, np.int64)[chosen], generator))
    lows, highs = [variable.lo for variable in model.variables], [variable.hi for variable in model.variables]
    smallest = np.promote_types(np.min_scalar_type(min(lows, default=0)), np.min_scalar_type(max(highs, default=0)))
    table = np.empty((n, len(model.variables)), smallest if smallest.kind in "ui" else np.int64)
    for place, variable in enumerate(model.variables):
        table[:, place] = columns[variable]
    variables = model.variables
    return [TableRow(variables, table, row) for row in range(n)]


def _deal(slot: Slot, values: NDArray[np.int64], generator: np.random.Generator) -> dict[Variable, NDArray[np.int64]]:
    """Assignments of a slot's members with the given sums, drawn uniformly."""
    if len(slot.members) == 1:
        return {slot.members[0]: values}
    ranks = generator.permuted(np.tile(np.arange(len(slot.members)), (len(values), 1)), axis=1)
    return {member: (ranks[:, i] < values).astype(np.int64) for i, member in enumerate(slot.members)}


def _deals(slot: Slot, value: int) -> Generator[dict[Variable, int], None, None]:
    """Every assignment of a slot's members with the given sum."""
    if len(slot.members) == 1:
        yield {slot.members[0]: value}
        return
    for chosen in map(set, combinations(slot.members, value)):
        yield {member: int(member in chosen) for member in slot.members}


def enumerate_solutions(model: Model, over: list[Variable], limits: Limits) -> Generator[Solution, None, bool]:
    """Every assignment of ``over`` that some solution has, each once.

    Past the cut of a projection the first way is taken, whatever others there are: it shows that a solution exists.
    """
    everything = len(over) == len(model.variables)
    with limits.deadline.watched():
        diagram = plain(model, limits) if everything else choosing.compiled(choosing.prepared(model, limits, over), limits, lists=False)
    layers: list[_Layer] = []
    for component in diagram.components:
        below = ways_below(component, limits)
        if not below[0][0].any():
            return True
        for position, slot in enumerate(component.slots):
            alive: NDArray[np.bool_] = below[position + 1].any(axis=1)  # type: ignore[assignment]
            layers.append(_Layer(slot, component.arcs[position], alive, everything or position < component.cut))
    chosen = set(over)
    nothing = np.ones(1, np.bool_)
    layers += [_Layer(Slot((v,), range(v.lo, v.hi + 1)), None, nothing, v in chosen) for v in diagram.free]
    values: dict[Variable, int] = {}
    stack = [layers[0].moves(0)] if layers else []
    if not layers:
        yield Solution({})
    while stack:
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            continue
        if limits.deadline.passed():
            return False
        dealt, node = move
        values.update(dealt)
        if len(stack) < len(layers):
            stack.append(layers[len(stack)].moves(node))
            continue
        if not everything:
            model.check(Solution({variable: values[variable] for variable in model.variables}))
        yield Solution({variable: values[variable] for variable in over})
    return True


@dataclass(frozen=True)
class _Layer:
    """A slot as it is walked through; without arcs every value leads to node 0.

    A component's last node and the next one's first are both number 0, so layers simply follow each other.
    """

    slot: Slot
    arcs: Arcs | None
    alive: NDArray[np.bool_]
    all_ways: bool

    def moves(self, node: int) -> Generator[tuple[dict[Variable, int], int], None, None]:
        """The assignments of the slot from a node on which a solution lies, with the node after; only the first unless ``all_ways``."""
        for i, value in enumerate(self.slot.values):
            arc = int(self.arcs[node, i]) if self.arcs is not None else 0
            if arc >= 0 and self.alive[arc]:
                for dealt in _deals(self.slot, value):
                    yield dealt, arc
                    if not self.all_ways:
                        return


def best(model: Model, limits: Limits) -> Solution | None:
    """A solution with the best objective (any solution if there is none), or None when there is no solution."""
    work, terms, _ = (model, {}, 0) if model.objective is None else flattened(model, model.objective)
    diagram = choosing.compiled(choosing.prepared(work, limits, weights=terms), limits)
    values: dict[Variable, int] = {}
    for variable in diagram.free:
        values[variable] = variable.lo if terms.get(variable, 0) * model.sense >= 0 else variable.hi
    for component in diagram.components:
        found = _best_path(component, terms, model.sense, limits)
        if found is None:
            return None
        values.update(found)
    return Solution({variable: values[variable] for variable in model.variables})


FAR = np.int64(2**62 - 1)
"""More than any objective can be."""


def _best_path(component: Component, terms: dict[Variable, int], sense: int, limits: Limits) -> dict[Variable, int] | None:
    ahead = np.append(np.zeros(component.widths[-1], np.int64), FAR)
    choices: list[NDArray[Any]] = []
    for slot, arcs in zip(reversed(component.slots), reversed(component.arcs), strict=True):
        limits.deadline.check("counting")
        step = sense * terms.get(slot.members[0], 0) * np.asarray(slot.values, np.int64)
        costs = ahead[arcs]  # an arc of -1 finds FAR
        costs = np.where(costs == FAR, FAR, costs + step[None, :])
        choice = costs.argmin(axis=1)
        ahead = np.append(costs[np.arange(len(arcs)), choice], FAR)
        choices.append(choice)
    if ahead[0] == FAR:
        return None
    values: dict[Variable, int] = {}
    node = 0
    for slot, arcs, choice in zip(component.slots, component.arcs, reversed(choices), strict=True):
        i = int(choice[node])
        values.update(next(_deals(slot, slot.values[i])))
        node = int(arcs[node, i])
    return values

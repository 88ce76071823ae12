"""Reading answers off a diagram: counts, distributions, samples, solutions, best solutions.

Counts are Python integers, so they are exact however large. ``below[p][node]`` is the number of ways from a node of layer p
to the end; a 0 stands behind each list so that the arc NOWHERE (-1) finds it.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from cpsolve.constraints import Circuit
from cpsolve.counting.ordering import Slot
from cpsolve.counting.paths import count_circuit
from cpsolve.counting.product import Component, Diagram, compile_model
from cpsolve.errors import DiagramTooWide, InfeasibleError
from cpsolve.expressions import Condition, Expression, Variable, linear_form, scope
from cpsolve.limits import Deadline
from cpsolve.results import Solution

if TYPE_CHECKING:
    from cpsolve.model import Model

MAX_NODES = 1_000_000
"""The budget of a diagram: a node takes a few hundred bytes."""
ENTRIES_PER_NODE = 4
"""How many (value, count) pairs a layer may hold for each node of the budget, when counting by an expression."""


def plain(model: Model, max_nodes: int, deadline: Deadline) -> Diagram:
    """The diagram of a model, kept until the model changes."""
    diagram: Diagram = model.derived("diagram", lambda: compile_model(model, max_nodes, deadline))
    return diagram


def infeasible(model: Model) -> InfeasibleError:
    """The error for a question that needs a solution."""
    return InfeasibleError(f"{model!r} has no solution; model.conflict() tells which constraints cannot all hold")


# -- passes over one component


def ways_below(component: Component, deadline: Deadline, projected: bool = False) -> list[list[int]]:
    """For each layer, the number of ways from each node to the end (past the cut of a projection: 1 if there is any)."""
    below = [[1] * component.widths[-1] + [0]]
    for position in range(len(component.slots) - 1, -1, -1):
        deadline.check("counting")
        arcs, weights = component.arcs[position], component.slots[position].weights
        ahead, size = below[-1], len(weights)
        here = [
            sum([weight * ahead[arc] for weight, arc in zip(weights, arcs[node : node + size], strict=True)])
            for node in range(0, len(arcs), size)
        ]
        if projected and position >= component.cut:
            here = [int(ways > 0) for ways in here]
        below.append([*here, 0])
    below.reverse()
    return below


def ways_above(component: Component, deadline: Deadline) -> list[list[int]]:
    """For each layer, the number of ways from the beginning to each node."""
    above = [[1]]
    for position, slot in enumerate(component.slots):
        deadline.check("counting")
        arcs, size = component.arcs[position], len(slot.weights)
        ahead = [0] * (component.widths[position + 1] + 1)
        for node, ways in enumerate(above[-1][: component.widths[position]]):
            for weight, arc in zip(slot.weights, arcs[node * size : (node + 1) * size], strict=True):
                ahead[arc] += ways * weight
        above.append(ahead)
    return above


def values_of(component: Component, deadline: Deadline) -> list[list[int]]:
    """For each slot, the number of solutions of the component with each of its values."""
    below, above = ways_below(component, deadline), ways_above(component, deadline)
    result = []
    for position, slot in enumerate(component.slots):
        deadline.check("counting")
        arcs, size = component.arcs[position], len(slot.weights)
        ahead = below[position + 1]
        totals = [0] * size
        for node, ways in enumerate(above[position][: component.widths[position]]):
            if ways:
                for i, arc in enumerate(arcs[node * size : (node + 1) * size]):
                    totals[i] += ways * ahead[arc]
        result.append([total * weight for total, weight in zip(totals, slot.weights, strict=True)])
    return result


def member_counts(slot: Slot, totals: Sequence[int]) -> dict[int, int]:
    """From the counts of a slot's values, those of any one member's values."""
    if len(slot.members) == 1:
        return dict(zip(slot.values, totals, strict=True))
    ones = sum(total * value for value, total in zip(slot.values, totals, strict=True)) // len(slot.members)
    return {0: sum(totals) - ones, 1: ones}


# -- questions


def count(model: Model, over: list[Variable] | None, deadline: Deadline, max_nodes: int) -> int:
    """The number of solutions, or of assignments of ``over`` that some solution has."""
    if over is None:
        if len(model.constraints) == 1 and isinstance(model.constraints[0].constraint, Circuit):
            ways = count_circuit(model.constraints[0].constraint, deadline=deadline)
            if ways is not None:
                mentioned = set(scope(model.constraints[0].constraint))
                return ways * prod(variable.hi - variable.lo + 1 for variable in model.variables if variable not in mentioned)
        diagram = plain(model, max_nodes, deadline)
        free = diagram.free
    else:
        diagram = compile_model(model, max_nodes, deadline, over=over)
        chosen = set(over)
        free = [variable for variable in diagram.free if variable in chosen]
    ways = prod(ways_below(component, deadline, projected=over is not None)[0][0] for component in diagram.components)
    return ways * prod(variable.hi - variable.lo + 1 for variable in free)


def count_by(model: Model, expression: Expression, deadline: Deadline, max_nodes: int) -> dict[int, int]:
    """The number of solutions for each value of an expression, in increasing order of the values."""
    work, terms, constant = flattened(model, expression)
    diagram = compile_model(work, max_nodes, deadline, weights=terms)
    totals = {constant: 1}
    for component in diagram.components:
        totals = _multiply(totals, _spread(component, terms, deadline, max_nodes), deadline, max_nodes)
    for variable in diagram.free:
        size = variable.hi - variable.lo + 1
        if coefficient := terms.get(variable, 0):
            _within(size, max_nodes)
            totals = _multiply(totals, {coefficient * value: 1 for value in range(variable.lo, variable.hi + 1)}, deadline, max_nodes)
        else:
            totals = {value: ways * size for value, ways in totals.items()}
    return {value: totals[value] for value in sorted(totals) if totals[value]}


def flattened(model: Model, expression: Expression) -> tuple[Model, dict[Variable, int], int]:
    """A model and a sum of its variables that has the value of the expression in every solution.

    Parts that are not variables get one each, tied to them; that changes no count.
    """
    terms, constant = linear_form((1, expression))
    work = model.copy()
    flat: dict[Variable, int] = {}
    for atom, coefficient in terms.items():
        variable = atom
        if not isinstance(variable, Variable):
            variable = work.int_var(*atom.interval())
            work.add(variable == atom)
        flat[variable] = coefficient
    return work, flat, constant


def _within(values: int, max_nodes: int) -> None:
    if values > max_nodes:
        raise DiagramTooWide(
            f"the expression takes too many values: {values:,} and more, with a budget of {max_nodes:,}", values, max_nodes
        )


def _spread(component: Component, terms: dict[Variable, int], deadline: Deadline, max_nodes: int) -> dict[int, int]:
    """The number of solutions of a component for each value of its share of a sum."""
    ahead: list[dict[int, int]] = [{0: 1} for _ in range(component.widths[-1])] + [{}]
    for position in range(len(component.slots) - 1, -1, -1):
        deadline.check("counting")
        slot, arcs = component.slots[position], component.arcs[position]
        coefficient, size = terms.get(slot.members[0], 0), len(slot.weights)
        here: list[dict[int, int]] = []
        entries = 0
        for node in range(0, len(arcs), size):
            totals: dict[int, int] = {}
            for value, weight, arc in zip(slot.values, slot.weights, arcs[node : node + size], strict=True):
                shift = coefficient * value
                for partial, ways in ahead[arc].items():
                    totals[partial + shift] = totals.get(partial + shift, 0) + ways * weight
            here.append(totals)
            entries += len(totals)
            _within(entries, ENTRIES_PER_NODE * max_nodes)
        ahead = [*here, {}]
    return ahead[0]


def _multiply(left: dict[int, int], right: dict[int, int], deadline: Deadline, max_nodes: int) -> dict[int, int]:
    product: dict[int, int] = {}
    for a, ways in left.items():
        deadline.check("counting")
        _within(len(product), max_nodes)
        for b, more in right.items():
            product[a + b] = product.get(a + b, 0) + ways * more
    return product


def distribution(model: Model, expression: Expression, deadline: Deadline, max_nodes: int) -> dict[int, Fraction]:
    """The share of solutions for each value of an expression."""
    counts = count_by(model, expression, deadline, max_nodes)
    total = sum(counts.values())
    if not total:
        raise infeasible(model)
    return {value: Fraction(ways, total) for value, ways in counts.items()}


def marginals(model: Model, conditions: list[Condition], deadline: Deadline, max_nodes: int) -> list[Fraction]:
    """The share of solutions in which each condition holds."""
    work = model
    stand_in: dict[Condition, Variable] = {}
    for condition in conditions:
        if not isinstance(condition, Variable) and condition not in stand_in:
            work = model.copy() if work is model else work
            stand_in[condition] = work.bool_var()
            work.add(stand_in[condition] == condition)
    diagram = plain(work, max_nodes, deadline)
    shares = {variable: Fraction(int(variable.lo <= 1 <= variable.hi), variable.hi - variable.lo + 1) for variable in diagram.free}
    for component in diagram.components:
        for slot, totals in zip(component.slots, values_of(component, deadline), strict=True):
            if not (total := sum(totals)):
                raise infeasible(model)
            share = Fraction(member_counts(slot, totals).get(1, 0), total)
            shares.update(dict.fromkeys(slot.members, share))
    return [shares[condition if isinstance(condition, Variable) else stand_in[condition]] for condition in conditions]


def backbone(model: Model, diagram: Diagram, over: list[Variable], deadline: Deadline) -> dict[Variable, int]:
    """The variables that have one value in every solution, with that value."""
    fixed = {variable: variable.lo for variable in diagram.free if variable.lo == variable.hi}
    for component in diagram.components:
        for slot, totals in zip(component.slots, values_of(component, deadline), strict=True):
            if not any(totals):
                raise infeasible(model)
            possible = [value for value, ways in member_counts(slot, totals).items() if ways]
            if len(possible) == 1:
                fixed.update(dict.fromkeys(slot.members, possible[0]))
    return {variable: fixed[variable] for variable in over if variable in fixed}


def sample(model: Model, n: int, seed: int, deadline: Deadline, max_nodes: int) -> list[Solution]:
    """``n`` independent uniform solutions."""
    diagram = plain(model, max_nodes, deadline)
    below = [ways_below(component, deadline) for component in diagram.components]
    if not all(ways[0][0] for ways in below):
        raise infeasible(model)
    generator = random.Random(seed)
    drawn = []
    for _ in range(n):
        deadline.check("sampling")
        values = {variable: generator.randint(variable.lo, variable.hi) for variable in diagram.free}
        for component, ways in zip(diagram.components, below, strict=True):
            node = 0
            for position, slot in enumerate(component.slots):
                arcs, size = component.arcs[position], len(slot.weights)
                ticket = generator.randrange(ways[position][node])
                for value, weight, arc in zip(slot.values, slot.weights, arcs[node * size : (node + 1) * size], strict=True):
                    ticket -= weight * ways[position + 1][arc]
                    if ticket < 0:
                        values.update(_deal(slot, value, generator))
                        node = arc
                        break
        drawn.append(Solution({variable: values[variable] for variable in model.variables}))
    return drawn


def _deal(slot: Slot, value: int, generator: random.Random) -> dict[Variable, int]:
    """An assignment of a slot's members with the given sum, drawn uniformly."""
    if len(slot.members) == 1:
        return {slot.members[0]: value}
    ones = set(generator.sample(slot.members, value))
    return {member: int(member in ones) for member in slot.members}


def _deals(slot: Slot, value: int) -> Generator[dict[Variable, int], None, None]:
    """Every assignment of a slot's members with the given sum."""
    if len(slot.members) == 1:
        yield {slot.members[0]: value}
        return
    for chosen in map(set, combinations(slot.members, value)):
        yield {member: int(member in chosen) for member in slot.members}


def enumerate_solutions(model: Model, over: list[Variable], deadline: Deadline, max_nodes: int) -> Generator[Solution, None, bool]:
    """Every assignment of ``over`` that some solution has, each once.

    Past the cut of a projection the first way is taken, whatever others there are: it shows that a solution exists.
    """
    everything = len(over) == len(model.variables)
    diagram = plain(model, max_nodes, deadline) if everything else compile_model(model, max_nodes, deadline, over=over)
    layers: list[_Layer] = []
    for component in diagram.components:
        below = ways_below(component, deadline)
        if not below[0][0]:
            return True
        for position, slot in enumerate(component.slots):
            layers.append(_Layer(slot, component.arcs[position], below[position + 1], everything or position < component.cut))
    chosen = set(over)
    layers += [_Layer(Slot((variable,)), None, [1], variable in chosen) for variable in diagram.free]
    values: dict[Variable, int] = {}
    stack = [layers[0].moves(0)] if layers else []
    if not layers:
        yield Solution({})
    while stack:
        move = next(stack[-1], None)
        if move is None:
            stack.pop()
            continue
        if deadline.passed():
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
    arcs: Sequence[int] | None
    ahead: list[int]
    all_ways: bool

    def moves(self, node: int) -> Generator[tuple[dict[Variable, int], int], None, None]:
        """The assignments of the slot from a node on which a solution lies, with the node after; only the first unless ``all_ways``."""
        first = node * len(self.slot.values)
        for i, value in enumerate(self.slot.values):
            arc = self.arcs[first + i] if self.arcs is not None else 0
            if self.ahead[arc]:
                for dealt in _deals(self.slot, value):
                    yield dealt, arc
                    if not self.all_ways:
                        return


def best(model: Model, deadline: Deadline, max_nodes: int) -> Solution | None:
    """A solution with the best objective (any solution if there is none), or None when there is no solution."""
    work, terms, _ = (model, {}, 0) if model.objective is None else flattened(model, model.objective)
    diagram = compile_model(work, max_nodes, deadline, weights=terms)
    values: dict[Variable, int] = {}
    for variable in diagram.free:
        values[variable] = variable.lo if terms.get(variable, 0) * model.sense >= 0 else variable.hi
    for component in diagram.components:
        found = _best_path(component, terms, model.sense, deadline)
        if found is None:
            return None
        values.update(found)
    return Solution({variable: values[variable] for variable in model.variables})


def _best_path(component: Component, terms: dict[Variable, int], sense: int, deadline: Deadline) -> dict[Variable, int] | None:
    ahead: list[int | None] = [*([0] * component.widths[-1]), None]
    choices: list[list[int]] = []
    for position in range(len(component.slots) - 1, -1, -1):
        deadline.check("counting")
        slot, arcs = component.slots[position], component.arcs[position]
        coefficient, size = sense * terms.get(slot.members[0], 0), len(slot.weights)
        here: list[int | None] = []
        choice: list[int] = []
        for node in range(0, len(arcs), size):
            costs = [(cost + coefficient * value, i) for i, value in enumerate(slot.values) if (cost := ahead[arcs[node + i]]) is not None]
            cheapest = min(costs, default=(None, 0))
            here.append(cheapest[0])
            choice.append(cheapest[1])
        ahead = [*here, None]
        choices.append(choice)
    if ahead[0] is None:
        return None
    values: dict[Variable, int] = {}
    node = 0
    for position, (slot, choice) in enumerate(zip(component.slots, reversed(choices), strict=True)):
        i = choice[node]
        values.update(next(_deals(slot, slot.values[i])))
        node = component.arcs[position][node * len(slot.weights) + i]
    return values

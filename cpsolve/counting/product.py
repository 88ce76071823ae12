"""From a model to layers of merged states: the product of the constraints' automata, compiled.

A layer reads one slot. A node is a key: the states of all automata that are half read there, side by side in bit fields of a few words;
equal keys are one node. An arc leads from a node and a value to a node of the next layer, or nowhere. Parts of the model that share no
constraint are compiled apart: each begins and ends in a single node, number 0. :func:`count_ways` adds up the ways while it goes and
keeps no more than two layers; :func:`compile_part` keeps the arcs, for all other questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.counting import graph_automata as graph_automata  # the trackers of constraints on graphs
from cpsolve.counting.automata import Layered, Layout, automaton_of, smallest
from cpsolve.counting.kept import Kept
from cpsolve.counting.memory import Memory, integers
from cpsolve.counting.ordering import Domains, Slot, group, ordered
from cpsolve.errors import DiagramTooWide
from cpsolve.expressions import Condition, Expression, Variable, scope
from cpsolve.limits import Deadline, look, looking
from cpsolve.lower import conjuncts

if TYPE_CHECKING:
    from cpsolve.model import Model

Arcs = NDArray[np.int32]
Words = NDArray[np.uint64]

LARGEST_TREE = 50_000
SLICE = 1 << 18
"""How many arcs are followed between two looks at the clock: some milliseconds."""
LEAST_ROWS = 64


@dataclass(frozen=True)
class Limits:
    """What a question may use."""

    deadline: Deadline
    memory: Memory
    kept: Kept = field(default_factory=Kept)


@dataclass
class Component:
    """A connected part of a model. ``arcs[p][node, i]`` is the node after reading value i at slot p.

    ``cut`` is the number of slots, from the front, that belong to a projection.
    """

    slots: list[Slot]
    cut: int
    arcs: list[Arcs] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)


@dataclass
class Diagram:
    """A compiled model: its connected parts, and the variables that no constraint mentions."""

    components: list[Component]
    free: list[Variable]


@dataclass(frozen=True)
class Part:
    """A connected part of a model before it is compiled: slots in the order in which they are read, and what constrains them.

    ``cost`` is the estimated number of nodes.
    """

    slots: list[Slot]
    constraints: list[Condition]
    cut: int
    cost: float


@dataclass(frozen=True)
class Outline:
    """A model taken apart; ``impossible`` when that alone shows that there is no solution."""

    parts: list[Part]
    free: list[Variable]
    impossible: bool = False


def outline(
    model: Model,
    limits: Limits,
    over: Sequence[Variable] | None = None,
    weights: dict[Variable, int] | None = None,
    domains: Domains | None = None,
) -> Outline:
    """The connected parts of a model. Variables of ``over`` are read first; members of a group agree in ``weights``."""
    domains = domains or {}
    held: list[tuple[Condition, tuple[Variable, ...]]] = []
    for constraint in conditions(model, limits):
        look("choosing an order")
        if variables := scope(constraint):
            held.append((constraint, variables))
        elif not constraint.value({}):
            return Outline([], [], impossible=True)
    mentioned = {variable for _, variables in looking(held, "choosing an order") for variable in variables}
    chosen = dict.fromkeys(model.variables if over is None else over, 1)
    slots = group([variable for variable in model.variables if variable in mentioned], held, [chosen, weights or {}], domains)
    for slot in slots:
        _readable(slot, limits)
    parts = []
    for part in ordered(slots, held, [slot.members[0] not in chosen for slot in slots]):
        limits.deadline.check("choosing an order")
        parts.append(Part(part.slots, part.constraints, sum(slot.members[0] in chosen for slot in part.slots), part.cost))
    return Outline(parts, [variable for variable in model.variables if variable not in mentioned])


def conditions(model: Model, limits: Limits) -> list[Condition]:
    """The constraints of a model with conjunctions taken apart; DiagramTooWide when one is too large to be followed part by part."""
    found: list[Condition] = model.derived("conditions", lambda: _conditions(model, limits))
    return found


def _conditions(model: Model, limits: Limits) -> list[Condition]:
    constraints = []
    for constraint in looking((part for entry in model.constraints for part in conjuncts(entry.constraint)), "counting"):
        constraints.append(constraint)
        if constraint.depth > 1 and tree_size(constraint) > LARGEST_TREE:
            raise DiagramTooWide(
                "a constraint repeats its parts too often for counting: give shared parts names, as in model.add(part == model.bool_var())",
                LARGEST_TREE,
                limits.memory.limit,
            )
    return constraints


def _readable(slot: Slot, limits: Limits) -> None:
    size = len(slot.values)
    if size > limits.memory.most_values:
        raise DiagramTooWide(
            f"the variable {slot.members[0]} has {size:,} values, read one by one: too many for the budget of counting",
            size,
            limits.memory.max_nodes or limits.memory.limit,
        )


def tree_size(root: Expression) -> int:
    """The number of parts of an expression, a shared part as often as it is met."""
    look("counting")
    known: dict[Expression, int] = {}

    def size(node: Expression) -> int:
        if type(node) is Variable:
            return 1
        if node not in known:
            known[node] = 1 + sum(map(size, looking(node.args, "counting")))
        return known[node]

    return size(root)


# -- the automata of a part, packed


class _Machine:
    """The automata of a part and where their states lie in a key.

    With ``total`` (coefficients of slots) one more automaton keeps that sum to the end; ``sums`` are its last states' values. What is
    ``before`` is compiled already, over the same slots, and becomes one automaton.
    """

    def __init__(self, part: Part, limits: Limits, total: dict[int, int] | None = None, before: Component | None = None) -> None:
        slots = part.slots
        layout = Layout(
            {variable: position for position, slot in enumerate(slots) for variable in slot.members},
            [(slot.values[0], slot.values[-1]) for slot in slots],
            limits.memory,
        )
        domains = [slot.values for slot in slots]
        self.possible = True
        self.sums: list[int] = []
        automata: list[Layered] = []
        if before is not None:
            tables = smallest(_as_tables(before, limits))
            if len(tables[0]) > 1:  # else everything is accepted
                automata.append(Layered(tuple(range(len(slots))), tables))
        for constraint in part.constraints:
            limits.deadline.check("counting")
            made = automaton_of(constraint, layout, domains, limits.kept, limits.memory, limits.deadline)
            if isinstance(made, Layered):
                automata.append(made)
            elif not made:
                self.possible = False
                return
        spans = [(automaton.positions[0], automaton.positions[-1], automaton.bits) for automaton in automata]
        if total:
            summing, self.sums = _summing(total, domains, limits)
            automata.append(summing)
            spans.append((summing.positions[0], len(slots), len(self.sums).bit_length()))
        places, self.key_words = _pack(spans)
        offsets: dict[int, int] = {}
        pieces: list[Arcs] = []
        size = 0
        reading: list[list[tuple[int, ...]]] = [[] for _ in slots]
        for automaton, (word, shift), (_, end, bits) in looking(zip(automata, places, spans, strict=True), "counting"):
            for k, (position, table) in enumerate(zip(automaton.positions, automaton.tables, strict=True)):
                if id(table) not in offsets:
                    offsets[id(table)] = size
                    pieces.append(table.ravel())
                    size += table.size
                reading[position].append((word, shift, (1 << bits) - 1, offsets[id(table)], k == 0, position == end))
        self.tables = np.concatenate(pieces) if pieces else np.zeros(1, np.int32)
        self.layers: list[tuple[NDArray[np.int64], Words]] = []
        shapes: dict[tuple[tuple[int, ...], ...], tuple[NDArray[np.int64], Words]] = {}
        for columns in looking(map(tuple, reading), "counting"):
            if columns not in shapes:
                clear = [(1 << 64) - 1] * self.key_words
                for word, shift, mask, *_ in columns:
                    clear[word] &= ~(mask << shift)
                shapes[columns] = (
                    np.array(columns, np.int64).reshape(len(columns), 6).T.copy() if columns else np.zeros((6, 0), np.int64),
                    np.array(clear, np.uint64),
                )
            self.layers.append(shapes[columns])


def _as_tables(component: Component, limits: Limits) -> list[Arcs]:
    """The arcs of a component that has solutions, as the tables of an automaton that reads all its slots."""
    tables = []
    for position, arcs in enumerate(component.arcs):
        limits.memory.take(4 * (len(arcs) + 1) * int(arcs.shape[1]), len(arcs))
        table = np.zeros((len(arcs) + 1, arcs.shape[1]), np.int32)
        table[1:] = np.where(arcs >= 0, 0 if position == len(component.arcs) - 1 else arcs + 1, -1)
        tables.append(table)
    return tables


def _summing(total: dict[int, int], domains: Sequence[Sequence[int]], limits: Limits) -> tuple[Layered, list[int]]:
    """The automaton that adds up multiples of the values at some positions, and the sums that its last states stand for."""
    sums = np.zeros(1, np.int64)
    tables = []
    positions = tuple(sorted(total))
    for position in positions:
        limits.deadline.check("counting")
        values = np.array(domains[position], np.int64) * total[position]
        if len(sums) * len(values) * 20 + limits.memory.used > limits.memory.limit or len(sums) > 4 * limits.memory.most_values:
            raise too_many_values(len(sums), limits)
        after = sums[:, None] + values[None, :]
        table = np.zeros((len(sums) + 1, len(values)), np.int32)
        sums, numbers = np.unique(after, return_inverse=True)
        table[1:] = numbers.reshape(after.shape) + 1
        limits.memory.take(table.nbytes, len(sums))
        tables.append(table)
    return Layered(positions, tables), sums.tolist()


def too_many_values(values: int, limits: Limits) -> DiagramTooWide:
    """The error for counting by an expression that takes more values than there is room for."""
    budget = limits.memory.max_nodes or limits.memory.limit
    return DiagramTooWide(f"the expression takes too many values: {values:,} or more, each counted by itself", values, budget)


def _pack(spans: list[tuple[int, int, int]]) -> tuple[list[tuple[int, int]], int]:
    """Word and shift of each field, given where it begins to be used, where it ends and its bits; fields in use never overlap."""
    places: list[tuple[int, int]] = [(0, 0)] * len(spans)
    taken: list[int] = [0]
    live: list[tuple[int, int, int, int]] = []
    for number in sorted(range(len(spans)), key=lambda number: spans[number]):
        begin, end, bits = spans[number]
        if begin == end:
            continue
        look("counting")
        for _, word, shift, size in [span for span in live if span[0] <= begin]:
            taken[word] &= ~(((1 << size) - 1) << shift)
        live = [span for span in live if span[0] > begin]
        place = next(
            ((word, shift) for word, used in enumerate(taken) for shift in range(64 - bits) if not used >> shift & ((1 << bits) - 1)),
            (len(taken), 0),
        )
        if place[0] == len(taken):
            taken.append(0)
        taken[place[0]] |= ((1 << bits) - 1) << place[1]
        live.append((end, *place, bits))
        places[number] = place
    return places, len(taken)


def weight_words(slot: Slot) -> tuple[Words, bool]:
    """A slot's weights in words, and whether any is not 1."""
    if len(slot.members) == 1:
        return np.ones((len(slot.values), 1), np.uint64), False
    words = max(slot.weights).bit_length() // 64 + 1
    written = b"".join([weight.to_bytes(8 * words, "little") for weight in slot.weights])
    return np.frombuffer(written, "<u8").astype(np.uint64).reshape(-1, words), True


# -- counting as it goes


def count_ways(
    part: Part, limits: Limits, total: dict[int, int] | None = None, stats: dict[str, Any] | None = None
) -> Iterator[dict[int, int] | None]:
    """The number of solutions of a part for each value of ``total`` (0 for all when there is none).

    A generator: yields None between two slices of work, then the answer.
    """
    from cpsolve.counting import kernels

    limits = replace(limits, memory=limits.memory.apart())
    machine = _Machine(part, limits, total)
    if not machine.possible:
        yield {}
        return
    memory, key_words = limits.memory, machine.key_words
    old = memory.table(LEAST_ROWS, key_words + 1)
    old[0, 0], old[0, key_words] = kernels.MARK, 1
    used, bound, nodes = 1, 1, 0
    for slot, (fields, clear) in zip(part.slots, machine.layers, strict=True):
        weights, weighted = weight_words(slot)
        size, heaviest = len(slot.values), sum(slot.weights)
        bound *= heaviest
        if bound.bit_length() > 64 * (old.shape[1] - key_words):
            bound = _total(kernels.total_ways(old, key_words)) * heaviest
            old = _wider(old, key_words + bound.bit_length() // 64 + 1, memory)
        new = memory.table(max(LEAST_ROWS, 1 << (2 * (used + size)).bit_length()), old.shape[1])
        row, used = 0, 0
        stride = max(1, SLICE // size)
        while row < len(old):
            yield None
            row, used = kernels.count_layer(
                old, row, min(row + stride, len(old)), new, used, weights, weighted, fields, clear, machine.tables
            )
            if row < len(old) and used > len(new) // 2 - size:
                memory.check_nodes(nodes + used)
                larger = memory.table(4 * len(new), new.shape[1])
                kernels.rehash(new, larger, key_words)
                memory.release(new)
                new = larger
        nodes += used
        memory.check_nodes(nodes)
        memory.release(old)
        old = new
        if stats is not None:
            stats["nodes"] = stats.get("nodes", 0) + used
            stats["width"] = max(stats.get("width", 0), used)
        if not used:
            yield {}
            return
    rows = old[old[:, 0] != 0]
    ways = integers(rows[:, key_words:])
    if not total:
        yield {0: sum(ways)}
        return
    word, shift, mask = machine.layers[max(total)][0][:3, -1].tolist()  # the sum was the last automaton to be added
    states = [(int(key) >> shift) & mask for key in rows[:, word]]
    yield {machine.sums[state - 1]: number for state, number in zip(states, ways, strict=True)}


def _total(halves: Words) -> int:
    return sum(half << 32 * i for i, half in enumerate(halves.tolist()))


def _wider(table: Words, columns: int, memory: Memory) -> Words:
    if columns <= table.shape[1]:
        return table
    wider = memory.table(len(table), columns)
    wider[:, : table.shape[1]] = table
    memory.release(table)
    return wider


# -- keeping the arcs


def compile_part(part: Part, limits: Limits, before: Component | None = None) -> Iterator[Component | None]:
    """The layers of a part with their arcs. A generator: yields None between two slices of work, then the component.

    With ``before``, a component with the same slots, only what leads to its end is followed.
    """
    from cpsolve.counting import kernels

    machine = _Machine(part, limits, before=before)
    component = Component(part.slots, part.cut, [], [1])
    if not machine.possible:
        component.slots = part.slots[:1]
        component.arcs, component.widths = [np.full((1, len(part.slots[0].values)), -1, np.int32)], [1, 0]
        yield component
        return
    memory = limits.memory
    old = memory.table(1, machine.key_words)
    old[0, 0] = kernels.MARK
    nodes = 0
    for position, (slot, (fields, clear)) in enumerate(zip(part.slots, machine.layers, strict=True)):
        size = len(slot.values)
        memory.take(4 * len(old) * size, len(old))
        arcs = np.empty((len(old), size), np.int32)
        new = memory.table(max(LEAST_ROWS, 2 * (len(old) + size)), machine.key_words)
        index = _index(4 * len(new), memory)
        row = used = 0
        stride = max(1, SLICE // size)
        while row < len(old):
            yield None
            row, used = kernels.arc_layer(old, row, min(row + stride, len(old)), new, used, index, arcs, fields, clear, machine.tables)
            if row < len(old) and used > len(new) - size:
                memory.check_nodes(nodes + used)
                larger = memory.table(4 * len(new), machine.key_words)
                larger[:used] = new[:used]
                memory.release(new)
                memory.release(index)
                new, index = larger, _index(4 * len(larger), memory)
                kernels.reindex(new, used, index)
        memory.release(index)
        memory.release(old)
        nodes += used
        memory.check_nodes(nodes)
        memory.give_back(new.nbytes - new[:used].nbytes)
        old = new[:used].copy()
        component.arcs.append(arcs)
        component.widths.append(used)
        if not used:
            component.slots = part.slots[: position + 1]
            break
    memory.release(old)
    yield component


def _index(size: int, memory: Memory) -> Arcs:
    size = 1 << (size - 1).bit_length()
    memory.take(4 * size, size // 2)
    return np.full(size, -1, np.int32)


def finish(work: Iterator[Any], limits: Limits) -> Any:
    """Runs slices of work to their end, looking at the clock between them."""
    for answer in work:
        if answer is not None:
            return answer
        limits.deadline.check("counting")
    raise AssertionError("work ends with an answer")


def impossible() -> Component:
    """A component with no way from its first node to its last."""
    return Component([Slot((Variable(0, 0, 0),), (0,))], 0, [np.array([[-1]], np.int32)], [1, 0])

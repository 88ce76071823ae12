"""From a model to layers of merged states.

A layer reads one slot. Its nodes are the distinct tuples of states of the trackers that are half read there; an arc leads
from a node and a value to a node of the next layer, or nowhere. Parts of the model that share no constraint are compiled
apart: each begins and ends in a single node, number 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cpsolve.counting.automata import FALSE, TRUE, Layout, State, Tracker, Value, track
from cpsolve.counting.ordering import Slot, Web, group
from cpsolve.errors import DiagramTooWide
from cpsolve.expressions import Condition, Expression, Variable, scope
from cpsolve.limits import Deadline
from cpsolve.lower import conjuncts

if TYPE_CHECKING:
    from cpsolve.model import Model

NOWHERE = -1
ARCS_PER_NODE = 16
LARGEST_TREE = 50_000


@dataclass
class Component:
    """A connected part of a model. ``arcs[p][node * len(values) + i]`` is the node after reading value i at slot p.

    ``cut`` is the number of slots, from the front, that belong to a projection.
    """

    slots: list[Slot]
    cut: int
    arcs: list[array[int]] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)


@dataclass
class Diagram:
    """A compiled model: its connected parts, and the variables that no constraint mentions."""

    components: list[Component]
    free: list[Variable]

    @property
    def width(self) -> int:
        """The number of nodes of the widest layer."""
        return max((width for component in self.components for width in component.widths), default=1)

    @property
    def nodes(self) -> int:
        """The number of nodes of all layers."""
        return sum(sum(component.widths) for component in self.components)


def compile_model(
    model: Model,
    max_nodes: int,
    deadline: Deadline,
    over: Sequence[Variable] | None = None,
    weights: dict[Variable, int] | None = None,
) -> Diagram:
    """Compiles a model. Variables of ``over`` are read first; members of a group agree in ``weights``."""
    parts = [part for entry in model.constraints for part in conjuncts(entry.constraint)]
    for part in parts:
        if not scope(part) and not part.value({}):
            return Diagram([_impossible()], [])
        if tree_size(part) > LARGEST_TREE:
            raise DiagramTooWide(
                "a constraint repeats its parts too often for counting: give shared parts names, as in model.add(part == model.bool_var())",
                LARGEST_TREE,
                max_nodes,
            )
    parts = [part for part in parts if scope(part)]
    mentioned = {variable for part in parts for variable in scope(part)}
    chosen = dict.fromkeys(model.variables if over is None else over, 1)
    slots = group([variable for variable in model.variables if variable in mentioned], parts, [chosen, weights or {}])
    web = Web(slots, parts)
    diagram = Diagram([], [variable for variable in model.variables if variable not in mentioned])
    left = max_nodes
    for members in web.components():
        first = {slot for slot in members if slots[slot].members[0] in chosen}
        order = web.order(members, first, deadline)
        numbers = sorted({web.strands[strand].part for slot in members for strand in web.read_by[slot]})
        component = Component([slots[slot] for slot in order], cut=len(first))
        _compile(component, [parts[number] for number in numbers], left, max_nodes, deadline)
        left -= sum(component.widths)
        diagram.components.append(component)
        if not component.widths[-1]:
            break
    return diagram


def tree_size(root: Expression) -> int:
    """The number of parts of an expression, a shared part as often as it is met."""
    known: dict[Expression, int] = {}

    def size(node: Expression) -> int:
        if node not in known:
            known[node] = 1 + sum(map(size, node.args))
        return known[node]

    return size(root)


def _impossible() -> Component:
    """A component with no way from its first node to its last."""
    return Component([Slot((Variable(0, 0, 0),))], 0, [array("i", [NOWHERE])], [1, 0])


def _compile(component: Component, parts: list[Condition], left: int, budget: int, deadline: Deadline) -> None:
    slots = component.slots
    for slot in slots:
        if len(slot.values) > left:
            raise DiagramTooWide(
                f"the variable {slot.members[0]} has {len(slot.values):,} values, read one by one; the budget is {budget:,} nodes",
                len(slot.values),
                budget,
            )
    layout = Layout(
        {variable: position for position, slot in enumerate(slots) for variable in slot.members},
        [(slot.values[0], slot.values[-1]) for slot in slots],
    )
    trackers = [track(part, layout) for part in parts]
    reading: list[list[tuple[int, int]]] = [[] for _ in slots]
    for number, tracker in enumerate(trackers):
        if tracker.start is FALSE:
            component.slots, component.arcs, component.widths = [slots[0]], [array("i", [NOWHERE] * len(slots[0].values))], [1, 0]
            return
        if tracker.start is not TRUE:
            for k, position in enumerate(tracker.positions):
                reading[position].append((number, k))
    live: list[int] = []
    nodes: list[tuple[State, ...]] = [()]
    component.widths.append(1)
    for position, slot in enumerate(slots):
        layer = _Layer(trackers, reading[position], live)
        nodes, arcs = layer.expand(nodes, slot.values, left, budget, deadline)
        live = layer.live
        left -= len(nodes)
        component.arcs.append(arcs)
        component.widths.append(len(nodes))
        if not nodes:
            component.slots = slots[: position + 1]
            return


class _Layer:
    """One step: which trackers read here, which go on, and how their states move."""

    def __init__(self, trackers: list[Tracker], reading: list[tuple[int, int]], live: list[int]) -> None:
        touched = {number for number, _ in reading}
        place = {number: i for i, number in enumerate(live)}
        untouched = [i for i, number in enumerate(live) if number not in touched]
        continuing = [i for i, (number, k) in enumerate(reading) if k + 1 < len(trackers[number].positions)]
        self.live = [live[i] for i in untouched] + [reading[i][0] for i in continuing]
        self._steps = [(trackers[number].step, k) for number, k in reading]
        self._sources = [place.get(number, -1) for number, _ in reading]
        self._starts = [trackers[number].start for number, _ in reading]
        self._rest = _picker(untouched)
        self._go_on = _picker(continuing)

    def expand(
        self, nodes: list[tuple[State, ...]], values: range, left: int, budget: int, deadline: Deadline
    ) -> tuple[list[tuple[State, ...]], array[int]]:
        """The nodes of the next layer and the arcs that lead to them."""
        stride = max(1, 4096 // len(values))
        index: dict[tuple[State, ...], int] = {}
        arcs = array("i")
        moves: dict[tuple[State, ...], list[tuple[State, ...] | None]] = {}
        for done, states in enumerate(nodes):
            here = tuple(states[source] if source >= 0 else start for source, start in zip(self._sources, self._starts, strict=True))
            following = moves.get(here)
            if following is None:
                following = moves[here] = [self._move(here, value) for value in values]
            rest = self._rest(states)
            for moved in following:
                arcs.append(NOWHERE if moved is None else index.setdefault(rest + moved, len(index)))
            if done % stride == 0:
                deadline.check("counting")
                if len(index) > left or len(arcs) > ARCS_PER_NODE * budget:
                    raise _too_wide(len(index), budget)
        if len(index) > left:
            raise _too_wide(len(index), budget)
        return list(index), arcs

    def _move(self, here: tuple[State, ...], value: int) -> tuple[State, ...] | None:
        after: list[Any] = list(here)
        for i, (step, k) in enumerate(self._steps):
            if type(after[i]) is not Value:
                after[i] = step(k, after[i], value)
                if after[i] is FALSE:
                    return None
        return self._go_on(after)


def _too_wide(width: int, budget: int) -> DiagramTooWide:
    return DiagramTooWide(
        f"the diagram is too wide: a layer has {width:,} nodes or more, and the budget is {budget:,} nodes in all. "
        "Raise max_nodes, enumerate with model.solutions(), or state the model with constraints on fewer variables",
        width,
        budget,
    )


def _picker(places: list[int]) -> Callable[[Sequence[State]], tuple[State, ...]]:
    """A function from a sequence to the tuple of its items at the given places."""
    if not places:
        return lambda states: ()
    if len(places) == 1:
        only = places[0]
        return lambda states: (states[only],)
    return itemgetter(*places)

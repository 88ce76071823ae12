"""Trackers of the constraints on graphs, by the frontier method (Knuth's Simpath and its kin).

Only nodes that are half read have to be remembered: for a loop what hangs at them, for connected nodes which of them hang together. A
component that no remembered node belongs to any more is complete and never grows again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from cpsolve.constraints import LazyConstraint
from cpsolve.counting.automata import FALSE, TRACKERS, TRUE, FunctionTracker, Layout, State, Tracker, _literal, frontiers, track
from cpsolve.expressions import Expression, Variable
from cpsolve.graphs import Acyclic, Connected, Loop, Path, Regions, RegionSizes

FREE, DONE = -1, -2
LEFT = -1


Read: TypeAlias = dict[int, list[tuple[int, int]]]
"""What each position says: (number of the argument, value that makes it hold)."""


def _readings(args: Sequence[Expression], layout: Layout) -> tuple[Read, list[int]] | None:
    """What is read of 0/1 arguments, and those that hold anyway; None if one is no plain variable."""
    read: Read = {}
    sure = []
    for number, arg in enumerate(args):
        literal = _literal(arg)  # type: ignore[arg-type]
        if literal is None:
            return None
        if isinstance(literal, tuple):
            variable, truth = literal
            read.setdefault(layout.position[variable], []).append((number, truth))
        elif literal:
            sure.append(number)
    return read, sure


def _remembering_all(constraint: LazyConstraint, layout: Layout) -> Tracker:
    """Arguments that are no plain variables: remember what they are and judge at the end."""
    return FunctionTracker([track(arg, layout) for arg in constraint.args], constraint.compute)


def _by_readings(make: Callable[[Any, Read, list[int]], Tracker]) -> Callable[[Any, Layout], Tracker]:
    """The tracker of a constraint made from what is read of its arguments, where that is plain."""

    def of(constraint: LazyConstraint, layout: Layout) -> Tracker:
        readings = _readings(constraint.args, layout)
        return _remembering_all(constraint, layout) if readings is None else make(constraint, *readings)

    return of


class _EdgeTracker(Tracker):
    """Reads edges. The state holds a code for each node that has edges both read and unread."""

    def __init__(self, pairs: Sequence[tuple[int, int]], count: int, read: Read, sure: Sequence[int]) -> None:
        self.positions = tuple(sorted(read))
        self._pairs = pairs
        self._read = [read[position] for position in self.positions]
        self._count = count
        first, last = [len(read)] * count, [-1] * count
        for number in sure:
            for node in pairs[number]:
                first[node] = -1
        for k, edges in enumerate(self._read):
            for number, _ in edges:
                for node in pairs[number]:
                    first[node], last[node] = min(first[node], k), max(last[node], k)
        self._live, self._leaving = frontiers(first, last, len(read))
        self.start = self._advance(-1, self._begin(), list(sure))

    def _begin(self) -> Any:
        """The state before anything is read, with a code for every node."""
        raise NotImplementedError

    def _advance(self, k: int, state: Any, chosen: list[int]) -> State:
        """The state after the k-th reading, in which some edges are chosen."""
        raise NotImplementedError

    def step(self, k: int, state: Any, value: int) -> State:
        return self._advance(k, self._spread(k, state), [number for number, truth in self._read[k] if truth == value])

    def _spread(self, k: int, state: Any) -> Any:
        """A stored state with a code for every node."""
        raise NotImplementedError


class LoopTracker(_EdgeTracker):
    """One loop: a node is free, done, or the end of a path, with the other end; in front stands whether the loop is closed."""

    def _begin(self) -> Any:
        return False, [FREE] * self._count

    def _spread(self, k: int, state: Any) -> Any:
        codes = [FREE] * self._count
        for node, code in zip(self._live[k], state[1:], strict=True):
            codes[node] = code
        return state[0], codes

    def _advance(self, k: int, state: Any, chosen: list[int]) -> State:
        closed, codes = state
        for number in chosen:
            a, b = self._pairs[number]
            if closed or codes[a] == DONE or codes[b] == DONE:
                return FALSE
            if codes[a] == b:  # the two ends of one path
                codes[a] = codes[b] = DONE
                closed = True
                if any(code >= 0 for code in codes):
                    return FALSE
                continue
            end_a, end_b = (a if codes[a] == FREE else codes[a]), (b if codes[b] == FREE else codes[b])
            codes[a] = codes[b] = DONE
            codes[end_a], codes[end_b] = end_b, end_a
        if any(codes[node] >= 0 for node in self._leaving[k + 1]):
            return FALSE
        if k == len(self.positions) - 1:
            return TRUE if closed else FALSE
        return (closed, *(codes[node] for node in self._live[k + 1]))


class AcyclicTracker(_EdgeTracker):
    """No cycle: which of the remembered nodes hang together."""

    def _begin(self) -> Any:
        return list(range(self._count))

    def _spread(self, k: int, state: Any) -> Any:
        codes = [self._count + node for node in range(self._count)]
        for node, code in zip(self._live[k], state, strict=True):
            codes[node] = code
        return codes

    def _advance(self, k: int, state: Any, chosen: list[int]) -> State:
        codes = state
        for number in chosen:
            one, other = (codes[node] for node in self._pairs[number])
            if one == other:
                return FALSE
            codes = [one if code == other else code for code in codes]
        if k == len(self.positions) - 1:
            return TRUE
        return _numbered([codes[node] for node in self._live[k + 1]])


def _numbered(codes: list[int]) -> tuple[int, ...]:
    """Codes numbered in the order met, so that equal partitions look equal."""
    known: dict[int, int] = {}
    return tuple(known.setdefault(code, len(known)) for code in codes)


class RegionTracker(Tracker):
    """Labelled nodes: the state holds, for each node with unread neighbours, its label and its component, and the complete labels.

    ``once`` is the set of labels of which there may be only one component; with ``sized`` each component has as many nodes as its label
    says, and the state keeps how many it has so far. A label of None is no label at all.
    """

    def __init__(
        self,
        near: Sequence[Sequence[int]],
        read: dict[int, list[tuple[int, dict[int, int | None]]]],
        sure: dict[int, int | None],
        sized: bool,
    ) -> None:
        self.positions = tuple(sorted(read))
        self._near = near
        self._read = [read[position] for position in self.positions]
        self._sized = sized
        time = dict.fromkeys(sure, -1)
        for k, nodes in enumerate(self._read):
            for node, _ in nodes:
                time[node] = k
        last = [max([time[node], *(time[other] for other in around)]) for node, around in enumerate(near)]
        self._live, _ = frontiers([time[node] for node in range(len(near))], last, len(read))
        self._future: list[set[int | None]] = [set() for _ in range(len(read) + 1)]
        for k in range(len(read) - 1, -1, -1):
            self._future[k] = self._future[k + 1].union(*(labels.values() for _, labels in self._read[k]))
        self.start = self._advance(-1, [], {}, frozenset(), dict(sure))

    def step(self, k: int, state: Any, value: int) -> State:
        codes, sizes, complete = state
        components = {i: [label, size] for i, (label, size) in enumerate(sizes)}
        return self._advance(k, list(codes), components, complete, {node: labels[value] for node, labels in self._read[k]})

    def _advance(
        self, k: int, codes: list[int], components: dict[int, Any], complete: frozenset[int], fresh: dict[int, int | None]
    ) -> State:
        """The state after the k-th reading, in which some nodes got their labels."""
        member = dict(zip(self._live[k], codes, strict=True)) if k >= 0 else {}
        following = len(components)
        for node, label in fresh.items():
            if label is None:
                member[node] = LEFT
                continue
            if label in complete:
                return FALSE
            member[node] = following
            components[following] = [label, 1]
            following += 1
            for other in self._near[node]:
                there = member.get(other, LEFT)
                here = member[node]
                if there != LEFT and there != here and components[there][0] == label:
                    components[there][1] += components[here][1]
                    del components[here]
                    for each, code in member.items():
                        if code == here:
                            member[each] = there
        live = self._live[k + 1]
        kept = {member[node] for node in live} - {LEFT}
        for number, (label, size) in components.items():
            if self._sized and (size > label or (number not in kept and size != label)):
                return FALSE
            if number in kept:
                continue
            if not self._sized:
                if any(other != number and each[0] == label for other, each in components.items()):
                    return FALSE
                if label in self._future[k + 1]:
                    complete |= {label}
        if k == len(self.positions) - 1:
            return TRUE
        order = {number: i for i, number in enumerate(dict.fromkeys(member[node] for node in live if member[node] != LEFT))}
        sizes = tuple((components[number][0], components[number][1] if self._sized else 0) for number in order)
        return tuple(LEFT if member[node] == LEFT else order[member[node]] for node in live), sizes, complete & self._future[k + 1]


# -- which tracker reads which constraint


@_by_readings
def _loop(constraint: Loop, read: Read, sure: list[int]) -> Tracker:
    return LoopTracker(constraint.graph.pairs, len(constraint.graph.nodes), read, sure)


@_by_readings
def _path(constraint: Path, read: Read, sure: list[int]) -> Tracker:
    """A path closes to a loop by one more edge between its ends."""
    pairs = (*constraint.graph.pairs, constraint.ends)
    return LoopTracker(pairs, len(constraint.graph.nodes), read, [len(constraint.args), *sure])


@_by_readings
def _acyclic(constraint: Acyclic, read: Read, sure: list[int]) -> Tracker:
    return AcyclicTracker(constraint.graph.pairs, len(constraint.graph.nodes), read, sure)


@_by_readings
def _connected(constraint: Connected, read: Read, sure: list[int]) -> Tracker:
    labelled = {position: [(node, {truth: 1, 1 - truth: None}) for node, truth in nodes] for position, nodes in read.items()}
    unread = set(range(len(constraint.args))).difference(node for nodes in read.values() for node, _ in nodes)
    labels = {node: 1 if node in sure else None for node in sorted(unread)}
    return RegionTracker(constraint.graph.near, labelled, labels, sized=False)


def _regions(constraint: Regions | RegionSizes, layout: Layout) -> Tracker:
    count = len(constraint.graph.nodes)
    sized = isinstance(constraint, RegionSizes)
    read: dict[int, list[tuple[int, dict[int, int | None]]]] = {}
    labels: dict[int, int | None] = {}
    for node, arg in enumerate(constraint.args[:count]):
        low, high = arg.interval()
        if sized and constraint.args[count + node] is not arg:
            return _remembering_all(constraint, layout)
        if low == high:
            labels[node] = low
        elif isinstance(arg, Variable):
            position = layout.position[arg]
            low, high = layout.ranges[position]
            read.setdefault(position, []).append((node, {value: value for value in range(low, high + 1)}))
        else:
            return _remembering_all(constraint, layout)
    return RegionTracker(constraint.graph.near, read, labels, sized)


TRACKERS.update({Loop: _loop, Path: _path, Acyclic: _acyclic, Connected: _connected, Regions: _regions, RegionSizes: _regions})

"""Trackers: constraints as automata that read variables one at a time.

A tracker's state is what it must remember of the values read so far: a sum keeps what is left to place, a table which rows
are still possible, all-different the values used, a circuit the ends of its open paths. States that are equal have the same
future, which is what lets a diagram merge them. Once the outcome is certain the state is a :class:`Value`.

Variables are read in the order of their *positions*. A tracker lists the positions it reads; ``step(k, state, value)``
reads the k-th of them. After the last one the state is a Value.

:func:`track` is the one place where a constraint says its automaton. :func:`layered` turns any tracker into tables of integers, the
smallest that accept the same values, which is what the compiled engines read; a tracker with a faster way to its tables than being asked
value by value overrides ``tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from operator import xor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, Table, total
from cpsolve.counting.kept import Kept
from cpsolve.counting.memory import Memory
from cpsolve.errors import UnsupportedError
from cpsolve.expressions import (
    Absolute,
    And,
    Comparison,
    Condition,
    Constraint,
    Element,
    Expression,
    Extremum,
    Function,
    Implies,
    Linear,
    Not,
    Or,
    Variable,
    Xor,
    linear_form,
    scope,
)
from cpsolve.limits import Deadline, look, looking
from cpsolve.lower import negation

Arcs = NDArray[np.int32]


class Value:
    """A certain outcome. Equal values are one object."""

    __slots__ = ("number",)
    _known: dict[int, Value] = {}  # noqa: RUF012

    def __init__(self, number: int) -> None:
        self.number = number

    @classmethod
    def of(cls, number: int) -> Value:
        """The one Value of this number."""
        number = int(number)
        known = cls._known.get(number)
        if known is None:
            known = cls(number)
            if len(cls._known) < 100_000:
                cls._known[number] = known
        return known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and other.number == self.number

    def __hash__(self) -> int:
        return hash(("Value", self.number))


TRUE, FALSE = Value.of(1), Value.of(0)
SORTING = 1e-7
"""About how many seconds it takes to make one entry of a table by sorting, which nothing can interrupt."""
ADDING = 4e-8
"""The same for a table of sums, most of which are settled and not sorted."""
DROPPED = object()
State = Hashable


@dataclass(frozen=True)
class Layout:
    """Where each variable is read, and the least and largest value read there (for a group, of the sum of its members)."""

    position: Mapping[Variable, int]
    ranges: Sequence[tuple[int, int]]
    memory: Memory


class Tracker:
    """An automaton over the values at ``positions``, from the state ``start``."""

    positions: tuple[int, ...]
    start: State
    state_bytes = 400
    """About what a state that Python holds takes."""
    weight = 1
    """How many trackers it is made of, itself included: a step takes about as long as one of each of them."""

    def step(self, k: int, state: Any, value: int) -> State:
        """The state after reading ``value`` at the k-th position."""
        raise NotImplementedError

    def signature(self) -> Hashable:
        """What decides the tables besides the values read: trackers with the same one share theirs. None if that is not known."""
        return None

    def tables(self, domains: Sequence[Sequence[int]], memory: Memory, deadline: Deadline) -> list[Arcs]:
        """For each reading, the state after each state (a row; 1 is the first, the start) and value; 0 is certain, -1 rejected."""
        states: dict[State, int] = {self.start: 1}
        result = []
        for k, values in enumerate(domains):
            deadline.check("counting")
            memory.check_nodes(len(states))
            memory.take(len(states) * (self.state_bytes + 4 * len(values)), len(states))
            following: dict[State, int] = {}
            table = np.zeros((len(states) + 1, len(values)), np.int32)
            slow = 1 + self.weight // 20
            stride, length = max(1, 200 // (len(values) * slow)), max(1, 1000 // slow)
            for row, state in enumerate(states, 1):
                for begin in range(0, len(values), length):
                    after = [self.step(k, state, value) for value in values[begin : begin + length]]
                    table[row, begin : begin + length] = [
                        (0 if state is TRUE else -1) if type(state) is Value else following.setdefault(state, len(following) + 1)
                        for state in after
                    ]
                    if row % stride == 0 or begin:
                        deadline.check("counting")
                        memory.check(len(following) * self.state_bytes, len(following))
                        memory.check_nodes(len(following))
            result.append(table)
            memory.give_back(len(states) * self.state_bytes)
            states = following
        return result


@dataclass(frozen=True)
class Layered:
    """An automaton in tables: ``tables[k][state, i]`` is the state after the k-th reading gave the i-th value of its domain.

    State 0 is certain to be accepted, 1 is the start, -1 is rejected.
    """

    positions: tuple[int, ...]
    tables: list[Arcs]

    @property
    def bits(self) -> int:
        """How many bits a state takes between the first and the last reading."""
        return max((len(table) - 1 for table in self.tables[1:]), default=0).bit_length()

    @property
    def size(self) -> int:
        """The number of entries of all tables."""
        return sum(table.size for table in self.tables)


def automaton_of(
    constraint: Condition, layout: Layout, domains: Sequence[Sequence[int]], kept: Kept, memory: Memory, deadline: Deadline
) -> Layered | bool:
    """A constraint in tables over the given domains (one per position of the layout); True or False when it is certain."""
    positions = [layout.position[variable] for variable in scope(constraint)]
    places = sorted(set(positions))
    ranks = {position: rank for rank, position in enumerate(places)}
    key = constraint, tuple([ranks[position] for position in positions]), tuple([_frozen(domains[place]) for place in places])
    known = kept.automata.get(key)
    if known is not None:
        return known if isinstance(known, bool) else Layered(tuple([places[rank] for rank in known[0]]), known[1])
    made = layered(track(constraint, layout), domains, kept, memory, deadline)
    kept.remember(key, made if isinstance(made, bool) else (tuple([ranks[position] for position in made.positions]), made.tables))
    return made


def layered(tracker: Tracker, domains: Sequence[Sequence[int]], kept: Kept, memory: Memory, deadline: Deadline) -> Layered | bool:
    """The smallest tables of a tracker over the given domains (one per position of the layout); True or False when it is certain."""
    if type(tracker.start) is Value:
        return tracker.start is TRUE
    read = [domains[position] for position in tracker.positions]
    signature = tracker.signature()
    key: Hashable = object()
    if signature is not None:
        key = type(tracker), signature, tuple(map(_frozen, read))
    tables = kept.tables.get(key)
    if tables is None:
        tables = smallest(tracker.tables(read, memory, deadline))
        kept.keep(key, tables)
    if len(tables[0]) < 2:
        return bool(len(tables[0]))
    return Layered(tracker.positions, tables)


def _frozen(values: Sequence[int]) -> Hashable:
    return values if isinstance(values, range) else tuple(values)


def smallest(tables: list[Arcs]) -> list[Arcs]:
    """The tables with states of the same future made one; a first table without a start (one row) is certain, without any, impossible."""
    from cpsolve.counting.kernels import equal_rows

    result: list[Arcs] = []
    numbers = np.zeros(1, np.int32)
    for table in reversed(tables):
        if result:
            table = np.where(table > 0, numbers[table], table)
        numbers = np.zeros(len(table), np.int32)
        found = equal_rows(table, np.full(1 << (2 * len(table)).bit_length(), -1, np.int32), numbers)
        if found == len(table) - 1:
            smaller = table
        else:
            smaller = np.zeros((found + 1, table.shape[1]), np.int32)
            kept = numbers > 0
            smaller[numbers[kept]] = table[kept]
        result.append(np.ascontiguousarray(smaller, np.int32))
    if len(result[-1]) < 2:
        result[-1] = result[-1][: 1 if numbers[1] == 0 else 0]
    return result[::-1]


def track(expression: Expression, layout: Layout) -> Tracker:
    """The tracker of any expression: a constraint ends in TRUE or FALSE, a number in its Value."""
    look("counting")
    match expression:
        case Variable():
            return VariableTracker(expression, layout)
        case Linear():
            return _track_sum([(1, expression)], None, layout)
        case Comparison():
            return _track_sum([(1, expression.left), (-1, expression.right)], expression.op, layout)
        case AtMostOne():
            return _track_sum([(1, total(expression.args)), (-1, 1)], "<=", layout)
        case ExactlyOne():
            return _track_sum([(1, total(expression.args)), (-1, 1)], "==", layout)
        case And():
            return LogicTracker([track(arg, layout) for arg in expression.args], ends_on=FALSE)
        case Or():
            return LogicTracker([track(arg, layout) for arg in expression.args], ends_on=TRUE)
        case Implies():
            return LogicTracker([track(Not(expression.left), layout), track(expression.right, layout)], ends_on=TRUE)
        case AllDifferent():
            return _track_all_different(expression, layout)
        case Table() if _distinct_variables(expression.args):
            return TableTracker(expression, layout)
        case Automaton() if _distinct_variables(expression.args):
            return AutomatonTracker(expression, layout)
        case Circuit() if all(_literal(arg) is not None for arg in expression.args):
            return CircuitTracker(expression, layout)
        case Extremum():
            return FoldTracker([track(arg, layout) for arg in expression.args], expression.pick)
        case Element():
            entries = [entry if isinstance(entry, Expression) else Linear([], None, entry) for entry in expression.array]
            return ElementTracker([track(arg, layout) for arg in (expression.index, *entries)])
        case Not(arg=Constraint() as arg) if (opposite := negation(arg)) is not None:
            return track(opposite, layout)
        case Not():
            return FunctionTracker([track(expression.arg, layout)], lambda values: not values[0])
        case Xor():
            return FoldTracker([track(arg, layout) for arg in expression.args], xor, 0)
        case Absolute():
            return FunctionTracker([track(expression.args[0], layout)], lambda values: abs(values[0]))
        case Table():
            return FunctionTracker([track(arg, layout) for arg in expression.args], expression.rows.__contains__)
        case Automaton():
            return FunctionTracker([track(arg, layout) for arg in expression.args], expression.accepts)
        case Circuit():
            arcs = expression.arcs
            return FunctionTracker(
                [track(arg, layout) for arg in expression.args],
                lambda values: expression.accepts([arc for arc, chosen in zip(arcs, values, strict=True) if chosen]),
            )
    if make := TRACKERS.get(type(expression)):
        return make(expression, layout)
    if isinstance(expression, Constraint):
        return track(expression.decomposition(), layout)
    if isinstance(expression, Function):
        return FunctionTracker([track(arg, layout) for arg in expression.args], expression.compute)
    raise UnsupportedError(f"diagram knows no expression {type(expression).__name__}")


TRACKERS: dict[type[Expression], Callable[[Any, Layout], Tracker]] = {}
"""Fast paths for constraints and functions that are defined elsewhere; what has none is decomposed."""


def _distinct_variables(args: Sequence[Expression]) -> bool:
    return all(isinstance(arg, Variable) for arg in args) and len(set(args)) == len(args) > 0


def _literal(condition: Condition) -> tuple[Variable, int] | int | None:
    """A 0/1 variable and the value that makes the condition hold; 0 or 1 for a constant; None for anything else."""
    low, high = condition.interval()
    if low == high:
        return low
    if isinstance(condition, Variable):
        return condition, 1
    if isinstance(condition, Not) and isinstance(condition.arg, Variable):
        return condition.arg, 0
    return None


class VariableTracker(Tracker):
    """A single variable: its value is the outcome."""

    def __init__(self, variable: Variable, layout: Layout) -> None:
        self.positions = (layout.position[variable],)
        self.start = None

    def step(self, k: int, state: Any, value: int) -> State:
        return Value.of(value)


# -- sums


class LinearTracker(Tracker):
    """A comparison of a sum of variables: the state is what is left for the variables not yet read.

    ``op`` is one of == != <=: the sum of ``terms`` {position: coefficient} is compared with ``limit``.
    """

    def __init__(self, terms: Mapping[int, int], op: str, limit: int, ranges: Sequence[tuple[int, int]]) -> None:
        self.positions = tuple(sorted(terms))
        self._coefficients = [terms[position] for position in self.positions]
        least = most = divisor = 0
        self._rest: list[tuple[int, int, int]] = []  # least and largest sum of what comes after, and its common divisor
        for position, coefficient in zip(reversed(self.positions), reversed(self._coefficients), strict=True):
            self._rest.append((least, most, divisor))
            ends = [coefficient * end for end in ranges[position]]
            least, most, divisor = least + min(ends), most + max(ends), gcd(divisor, coefficient)
        self._rest.reverse()
        self._settle = {"==": _settle_equal, "!=": _settle_unequal, "<=": _settle_at_most}[op]
        self._op = op
        self.start = self._settle(limit, least, most, divisor)

    def step(self, k: int, state: Any, value: int) -> State:
        least, most, divisor = self._rest[k]
        return self._settle(state - self._coefficients[k] * value, least, most, divisor)

    def signature(self) -> Hashable:
        return self._op, self.start, tuple(self._coefficients)

    def tables(self, domains: Sequence[Sequence[int]], memory: Memory, deadline: Deadline) -> list[Arcs]:
        if sum(map(len, domains)) <= 64:  # asking value by value is faster where there is little to ask
            return super().tables(domains, memory, deadline)
        states = np.array([self.start], np.int64)
        result = []
        for (least, most, divisor), coefficient, values in zip(self._rest, self._coefficients, domains, strict=True):
            deadline.afford(ADDING * len(states) * len(values), "counting")
            memory.check_nodes(len(states))
            memory.take(36 * len(states) * len(values), len(states))
            left = states[:, None] - coefficient * np.array(values, np.int64)[None, :]
            table = np.zeros((len(states) + 1, len(values)), np.int32)
            rows = table[1:]
            if self._op == "<=":
                settled = (left < least) | (left >= most)
                rows[left < least] = -1
                if divisor > 1:
                    left -= left % divisor
            else:
                settled = (left < least) | (left > most)
                if divisor > 1:
                    settled |= left % divisor != 0
                met = (least == most) & ~settled
                rows[settled if self._op == "==" else met] = -1
                settled |= met
            states, numbers = np.unique(left[~settled], return_inverse=True)
            rows[~settled] = numbers + 1
            memory.give_back(32 * rows.size)
            result.append(table)
        return result


def _settle_equal(left: int, least: int, most: int, divisor: int) -> State:
    if left < least or left > most or (divisor > 1 and left % divisor):
        return FALSE
    return TRUE if least == most else left


def _settle_unequal(left: int, least: int, most: int, divisor: int) -> State:
    if left < least or left > most or (divisor > 1 and left % divisor):
        return TRUE
    return FALSE if least == most else left


def _settle_at_most(left: int, least: int, most: int, divisor: int) -> State:
    if left < least:
        return FALSE
    if left >= most:
        return TRUE
    return left - left % divisor if divisor > 1 else left


def _settle_number(left: int, least: int, most: int, divisor: int) -> State:
    return Value.of(-left) if least == most == 0 else left


def _track_sum(parts: list[tuple[int, Expression | int]], op: str | None, layout: Layout) -> Tracker:
    terms, constant = linear_form(*parts)
    if op in (">", ">="):
        terms, constant, op = {atom: -c for atom, c in terms.items()}, -constant, {">": "<", ">=": "<="}[op]
    if op == "<":
        constant, op = constant + 1, "<="
    if op is not None and all(isinstance(atom, Variable) for atom in terms):
        merged: dict[int, int] = {}
        for atom, coefficient in terms.items():
            assert isinstance(atom, Variable)
            merged[layout.position[atom]] = coefficient  # members of a group share a position and a coefficient
        return LinearTracker(merged, op, -constant, layout.ranges)
    return SumTracker(terms, op, -constant, layout)


# -- trackers made of others


class Composite(Tracker):
    """Children that read the same values; the state is a pair of a memory and the children's states.

    ``settle`` folds certain children into the memory and decides as soon as possible. A child's state is DROPPED once it
    is no longer of interest.
    """

    def __init__(self, children: Sequence[Tracker], memory: Any = None) -> None:
        self._children = children
        self.weight = 1 + sum(child.weight for child in children)
        steps: dict[int, list[tuple[int, int]]] = {}
        for number, child in enumerate(children):
            for k, position in enumerate(child.positions):
                steps.setdefault(position, []).append((number, k))
        self.positions = tuple(sorted(steps))
        self._steps = [steps[position] for position in self.positions]
        self.start = self.settle(memory, [child.start for child in children])

    def settle(self, memory: Any, states: list[State]) -> State:
        """The state of this tracker from a memory and the children's states."""
        raise NotImplementedError

    def step(self, k: int, state: Any, value: int) -> State:
        memory, known = state
        states = list(known)
        for number, j in self._steps[k]:
            child = states[number]
            if child is not DROPPED and type(child) is not Value:
                states[number] = self._children[number].step(j, child, value)
        return self.settle(memory, states)


class LogicTracker(Composite):
    """All (``ends_on`` FALSE) or any (``ends_on`` TRUE) of some conditions hold."""

    def __init__(self, children: Sequence[Tracker], ends_on: Value) -> None:
        self._ends_on = ends_on
        super().__init__(children)

    def settle(self, memory: Any, states: list[State]) -> State:
        ends_on = self._ends_on
        certain = True
        for state in states:
            if type(state) is Value:
                if state is ends_on:
                    return ends_on
            else:
                certain = False
        if certain:
            return TRUE if ends_on is FALSE else FALSE
        return memory, tuple(states)


class SumTracker(Composite):
    """A sum of any expressions, compared with a limit or (``op`` None) as a number; the memory is what is left."""

    def __init__(self, terms: Mapping[Expression, int], op: str | None, limit: int, layout: Layout) -> None:
        self._coefficients = list(terms.values())
        ends = [[coefficient * end for end in atom.interval()] for atom, coefficient in terms.items()]
        self._ends = [(min(pair), max(pair)) for pair in ends]
        self._settle = {"==": _settle_equal, "!=": _settle_unequal, "<=": _settle_at_most, None: _settle_number}[op]
        super().__init__([track(atom, layout) for atom in terms], limit)

    def settle(self, memory: Any, states: list[State]) -> State:
        left = memory
        least = most = 0
        for number, state in enumerate(states):
            if type(state) is Value:
                left -= self._coefficients[number] * state.number
                states[number] = DROPPED
            elif state is not DROPPED:
                low, high = self._ends[number]
                least, most = least + low, most + high
        settled = self._settle(left, least, most, 1)
        if type(settled) is Value:
            return settled
        return left, tuple(states)


class FoldTracker(Composite):
    """Numbers put together two by two, such as their least or the parity of conditions; the memory is the result so far."""

    def __init__(self, children: Sequence[Tracker], fold: Callable[..., int], memory: int | None = None) -> None:
        self._fold = fold
        super().__init__(children, memory)

    def settle(self, memory: Any, states: list[State]) -> State:
        certain = True
        for number, state in enumerate(states):
            if type(state) is Value:
                memory = state.number if memory is None else self._fold(memory, state.number)
                states[number] = DROPPED
            elif state is not DROPPED:
                certain = False
        return Value.of(memory) if certain else (memory, tuple(states))


class ElementTracker(Composite):
    """An entry of an array; the first child is the index. Once it is known the other entries are dropped."""

    def settle(self, memory: Any, states: list[State]) -> State:
        index = states[0]
        if type(index) is Value:
            chosen = states[1 + index.number]
            if type(chosen) is Value:
                return chosen
            states[1:] = [state if number == index.number else DROPPED for number, state in enumerate(states[1:])]
        return memory, tuple(states)


class FunctionTracker(Composite):
    """Any function of some numbers: remembers them all until the last is known."""

    def __init__(self, children: Sequence[Tracker], function: Callable[[tuple[int, ...]], int]) -> None:
        self._function = function
        super().__init__(children)

    def settle(self, memory: Any, states: list[State]) -> State:
        numbers = tuple(state.number for state in states if type(state) is Value)
        if len(numbers) == len(states):
            return Value.of(self._function(numbers))
        return memory, tuple(states)


class DifferentTracker(Composite):
    """No two of some numbers are equal; the memory is the set of numbers met."""

    def __init__(self, children: Sequence[Tracker]) -> None:
        super().__init__(children, frozenset())

    def settle(self, memory: Any, states: list[State]) -> State:
        certain = True
        for number, state in enumerate(states):
            if type(state) is Value:
                if state.number in memory:
                    return FALSE
                memory = memory | {state.number}
                states[number] = DROPPED
            elif state is not DROPPED:
                certain = False
        return TRUE if certain else (memory, tuple(states))


# -- constraints over plain variables


def _track_all_different(constraint: AllDifferent, layout: Layout) -> Tracker:
    readings: dict[int, tuple[int, int]] = {}
    for arg in constraint.args:
        terms, constant = linear_form((1, arg))
        (atom, coefficient) = next(iter(terms.items()), (None, 0))
        if len(terms) != 1 or not isinstance(atom, Variable) or layout.position[atom] in readings:
            return DifferentTracker([track(arg, layout) for arg in constraint.args])
        readings[layout.position[atom]] = (coefficient, constant)
    if len(readings) < 2:
        return LogicTracker([], ends_on=FALSE)
    return AllDifferentTracker(readings, layout)


class AllDifferentTracker(Tracker):
    """No two of some multiples of variables are equal; the state is the set of used values that still matter, as bits."""

    def __init__(self, readings: Mapping[int, tuple[int, int]], layout: Layout) -> None:
        self.positions = tuple(sorted(readings))
        self._readings = [readings[position] for position in self.positions]
        reached: list[range] = []
        for position, (coefficient, constant) in zip(self.positions, self._readings, strict=True):
            low, high = layout.ranges[position]
            ends = coefficient * low + constant, coefficient * high + constant
            reached.append(range(min(ends), max(ends) + 1, abs(coefficient)))
        places = min(sum(map(len, reached)), max(values[-1] for values in reached) - min(values[0] for values in reached) + 1)
        layout.memory.take(places * 150 + places // 8 * len(reached), places)  # sets of values as bits
        self.state_bytes += places // 8
        low = min(values[0] for values in reached)
        span = max(values[-1] for values in reached) - low + 1
        self._place: Mapping[int, int] | None = None  # where values lie close together, the distance from the lowest
        self._low = low
        if span > 2 * places:
            self._place = {value: place for place, value in enumerate(sorted({value for values in reached for value in values}))}
        self._places = span if self._place is None else len(self._place)
        self._future: list[int] = []
        future = 0
        for values in reversed(reached):
            self._future.append(future)
            if self._place is None and values.step == 1:
                future |= ((1 << len(values)) - 1) << (values[0] - low)
                continue
            bits = bytearray(self._places // 8 + 1)
            for value in values:
                place = self._at(value)
                bits[place // 8] |= 1 << place % 8
            future |= int.from_bytes(bits, "little")
        self._future.reverse()
        self.start = 0 if future.bit_count() >= len(reached) else FALSE

    def _at(self, value: int) -> int:
        return value - self._low if self._place is None else self._place[value]

    def step(self, k: int, state: Any, value: int) -> State:
        coefficient, constant = self._readings[k]
        bit = 1 << self._at(coefficient * value + constant)
        if state & bit:
            return FALSE
        future = self._future[k]
        if not future:
            return TRUE
        used = (state | bit) & future
        return FALSE if (future & ~used).bit_count() < len(self.positions) - k - 1 else used

    def signature(self) -> Hashable:
        return tuple(self._readings)

    def tables(self, domains: Sequence[Sequence[int]], memory: Memory, deadline: Deadline) -> list[Arcs]:
        if self._places > 63:
            return super().tables(domains, memory, deadline)
        states = np.zeros(1, np.int64)
        result = []
        for k, ((coefficient, constant), values) in enumerate(zip(self._readings, domains, strict=True)):
            deadline.afford(SORTING * len(states) * len(values), "counting")
            memory.check_nodes(len(states))
            memory.take(28 * len(states) * len(values), len(states))
            bits = np.array([1 << self._at(coefficient * value + constant) for value in values], np.int64)
            future, left = self._future[k], len(self.positions) - k - 1
            used = (states[:, None] | bits[None, :]) & future
            table = np.zeros((len(states) + 1, len(values)), np.int32)
            rows = table[1:]
            dead = (states[:, None] & bits[None, :] != 0) | (np.bitwise_count(future & ~used) < left)
            rows[dead] = -1
            if left:
                states, numbers = np.unique(used[~dead], return_inverse=True)
                rows[~dead] = numbers + 1
            memory.give_back(24 * rows.size)
            result.append(table)
        return result


class TableTracker(Tracker):
    """A table of plain variables, as the smallest diagram of its rows; the state is a node of it."""

    def __init__(self, table: Table, layout: Layout) -> None:
        columns = sorted(range(len(table.args)), key=lambda column: layout.position[table.args[column]])  # type: ignore[index]
        self.positions = tuple(layout.position[table.args[column]] for column in columns)  # type: ignore[index]
        ends = [layout.ranges[position] for position in self.positions]
        rows = [tuple(row[column] for column in columns) for row in looking(table.rows, "counting")]
        rows = [row for row in rows if all(low <= cell <= high for cell, (low, high) in zip(row, ends, strict=True))]
        levels: list[list[dict[int, int]]] = []  # the rows as a tree: for each node of a level, value to node of the next
        groups = [rows] if rows else []
        for column in range(len(self.positions)):
            following: list[list[tuple[int, ...]]] = []
            level = []
            for group in looking(groups, "counting"):
                by_value: dict[int, list[tuple[int, ...]]] = {}
                for row in group:
                    by_value.setdefault(row[column], []).append(row)
                level.append({value: len(following) + i for i, value in enumerate(by_value)})
                following.extend(by_value.values())
            levels.append(level)
            groups = following
        self._nodes: list[dict[int, State]] = []
        states: list[State] = [TRUE] * len(groups)
        for level in reversed(levels):  # equal subtrees become one node
            known: dict[frozenset[tuple[int, State]], State] = {}
            merged: list[State] = []
            for edges in looking(level, "counting"):
                key = frozenset((value, states[node]) for value, node in edges.items())
                if key not in known:
                    known[key] = len(self._nodes)
                    self._nodes.append(dict(key))
                merged.append(known[key])
            states = merged
        self.start = states[0] if states else FALSE

    def step(self, k: int, state: Any, value: int) -> State:
        edges: dict[int, State] = self._nodes[state]
        return edges.get(value, FALSE)


class AutomatonTracker(Tracker):
    """An automaton of plain variables read in any order.

    The state holds, for each stretch of neighbouring variables already read, the state in which the automaton would leave
    it for each state in which it could enter; for the stretch at the beginning there is only one. Stretches that meet are
    composed.
    """

    def __init__(self, automaton: Automaton, layout: Layout) -> None:
        accepting, steps, self._rejected = automaton.numbered()
        self._accepting = set(accepting)
        self._moves: dict[int, tuple[int, ...]] = {
            label: tuple(steps.get((state, label), self._rejected) for state in range(self._rejected + 1))
            for label in {label for _, label in steps}
        }
        self._nowhere = (self._rejected,) * (self._rejected + 1)
        place = [layout.position[arg] for arg in automaton.args]  # type: ignore[index]
        self.positions = tuple(sorted(place))
        self._plan: list[tuple[int, bool, bool, bool]] = []  # slot in the state, joins left, joins right, is the beginning
        stretches: list[tuple[int, int]] = []
        for position in self.positions:
            index = place.index(position)
            slot = sum(last < index for _, last in stretches)
            left = slot > 0 and stretches[slot - 1][1] == index - 1
            right = slot < len(stretches) and stretches[slot][0] == index + 1
            first = stretches[slot - 1][0] if left else index
            last = stretches[slot][1] if right else index
            stretches[slot - left : slot + right] = [(first, last)]
            self._plan.append((slot, left, right, first == 0))
        self.start = ()

    def step(self, k: int, state: Any, value: int) -> State:
        slot, left, right, beginning = self._plan[k]
        move = self._moves.get(value, self._nowhere)
        if left:
            move = tuple(move[entered] for entered in state[slot - 1])
        elif beginning:
            move = (move[0],)
        if right:
            after = state[slot]
            move = tuple(after[entered] for entered in move)
        if beginning and move[0] == self._rejected:
            return FALSE
        if k == len(self.positions) - 1:
            return TRUE if move[0] in self._accepting else FALSE
        return (*state[: slot - left], move, *state[slot + right :])


def frontiers(first: Sequence[int], last: Sequence[int], readings: int) -> tuple[list[list[int]], list[list[int]]]:
    """Before the first reading and after each: the nodes that were met and will be again, and those that were met for the last time.

    >>> frontiers([0, 0, 1], [0, 1, 2], 3)
    ([[], [1], [2], []], [[], [0], [1], [2]])
    """
    entering: list[list[int]] = [[] for _ in range(readings + 1)]
    leaving: list[list[int]] = [[] for _ in range(readings + 1)]
    for node, (begin, end) in enumerate(zip(first, last, strict=True)):
        leaving[end + 1].append(node)
        if begin < end:
            entering[begin + 1].append(node)
    live: list[list[int]] = []
    here: list[int] = []
    for k, fresh in looking(enumerate(entering, -1), "counting"):
        here = sorted([*(node for node in here if last[node] > k), *fresh])
        live.append(here)
    return live, leaving


class CircuitTracker(Tracker):
    """One circuit through all nodes but those with a chosen self-loop, by the frontier method (Knuth's Simpath, directed).

    For each node with arcs both read and unread the state keeps a code: not touched, done, the start of a path with its
    end, or the end of a path with its start. In front stands whether the circuit is closed.
    """

    FREE, DONE = 0, 1

    def __init__(self, circuit: Circuit, layout: Layout) -> None:
        count = len(circuit.nodes)
        chosen: list[tuple[int, int]] = []
        arcs: dict[int, list[tuple[int, int, int]]] = {}
        for (tail, head), arg in zip(circuit.arcs, circuit.args, strict=True):
            literal = _literal(arg)
            if isinstance(literal, tuple):
                variable, truth = literal
                arcs.setdefault(layout.position[variable], []).append((tail, head, truth))
            elif literal:
                chosen.append((tail, head))
        self.positions = tuple(sorted(arcs))
        self._arcs = [arcs[position] for position in self.positions]
        first, last = [len(arcs)] * count, [-1] * count
        for tail, head in chosen:
            first[tail] = first[head] = -1
        for k, read in enumerate(self._arcs):
            for tail, head, _ in read:
                for node in (tail, head):
                    first[node], last[node] = min(first[node], k), max(last[node], k)
        self._live, self._leaving = frontiers(first, last, len(arcs))
        self._count = count
        self.start = self._settle(-1, False, [self.FREE] * count, chosen)

    def step(self, k: int, state: Any, value: int) -> State:
        codes = [self.FREE] * self._count
        for node, code in zip(self._live[k], state[1:], strict=True):
            codes[node] = code
        return self._settle(k, state[0], codes, [(tail, head) for tail, head, truth in self._arcs[k] if truth == value])

    def _settle(self, k: int, closed: bool, codes: list[int], chosen: list[tuple[int, int]]) -> State:
        for tail, head in chosen:
            if tail == head:
                if codes[tail] != self.FREE:
                    return FALSE
                codes[tail] = self.DONE
                continue
            leave, enter = codes[tail], codes[head]
            # codes from 2 on: 2 + 2 * end for the start of a path, 3 + 2 * start for its end
            if closed or leave == self.DONE or enter == self.DONE or (leave and leave % 2 == 0) or enter % 2:
                return FALSE
            start = (leave - 3) // 2 if leave else tail
            end = (enter - 2) // 2 if enter else head
            codes[tail] = codes[head] = self.DONE
            if start == head:
                closed = True
                if any(code > self.DONE for code in codes):
                    return FALSE
            else:
                codes[start], codes[end] = 2 + 2 * end, 3 + 2 * start
        if any(codes[node] != self.DONE for node in self._leaving[k + 1]):
            return FALSE
        if k == len(self.positions) - 1:
            return TRUE if closed else FALSE
        return (closed, *(codes[node] for node in self._live[k + 1]))

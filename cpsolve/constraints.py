"""The constraints with a name: all_different, table, element, circuit, automaton, counting and extremes.

Each is a small class that evaluates itself, and a function that people call. Like every constraint they can be negated,
reified and combined with others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from cpsolve.errors import ModelError
from cpsolve.expressions import (
    Absolute,
    And,
    Assignment,
    Comparison,
    Condition,
    Element,
    Expression,
    GlobalConstraint,
    Implies,
    Interval,
    Linear,
    Logic,
    Maximum,
    Minimum,
    Not,
    Or,
    as_condition,
    as_expression,
    as_int64,
    collect,
)
from cpsolve.limits import look, looking, require


def _settled(holds: bool) -> Interval:
    return (1, 1) if holds else (0, 0)


MAYBE: Interval = (0, 1)
SHORT = 8
"""Up to this length equal places of two lists are named one by one."""
TIE_BYTES = 200
"""About the memory that one place of an inverse takes at each of the others, spelled out."""


def total(conditions: tuple[Condition, ...]) -> Linear:
    """How many of the conditions hold, as a sum."""
    return Linear(list(conditions), None, 0, max((condition.depth for condition in conditions), default=0))


Literal = tuple[int, int, bool]
"""The argument of that number has that value (True), or has not (False)."""
Clause = list[Literal]


class LazyConstraint(GlobalConstraint):
    """A constraint that may be stated in part and completed by cuts: clauses that follow from it and that an answer breaks.

    A solver states the relaxation, asks for cuts after every answer, and goes on until there is none.
    """

    __slots__ = ()

    def clauses(self) -> list[Clause]:
        """What follows from it at once, in clauses: the relaxation of most."""
        return []

    def relaxation(self) -> Condition:
        """What follows from it at once, in simple constraints."""
        parts = []
        for clause in looking(self.clauses(), "encoding"):
            literals = [(Comparison(self.args[place], "==", value), holds) for place, value, holds in clause]
            parts.append(Or(tuple(literal if holds else Not(literal) for literal, holds in literals)))
        return And(tuple(parts))

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        """Clauses that follow from it and that these values break; none exactly when the values satisfy it."""
        raise NotImplementedError

    def pieces(self) -> list[tuple[Expression, ...]]:
        """The arguments in parts that have to be remembered together while they are read: for counting in a good order."""
        return [self.args]


class AllDifferent(GlobalConstraint):
    """No two of some expressions have the same value."""

    __slots__ = ()
    kind = "all_different"

    def compute(self, values: Sequence[int]) -> int:
        return len(set(values)) == len(values)

    def _interval(self, assignment: Assignment) -> Interval:
        fixed = [low for low, high in (arg.interval(assignment) for arg in self.args) if low == high]
        if len(set(fixed)) < len(fixed):
            return _settled(False)
        return _settled(True) if len(fixed) == len(self.args) else MAYBE

    def decomposition(self) -> Condition:
        pairs: list[Comparison] = []
        for place, arg in enumerate(self.args):
            look("encoding all_different")
            pairs += (Comparison(arg, "!=", other) for other in self.args[place + 1 :])
        return And(tuple(pairs))

    def __str__(self) -> str:
        return f"all_different({', '.join(map(str, self.args))})"


class Table(GlobalConstraint):
    """Some expressions together take the values of one of ``rows``."""

    __slots__ = ("rows",)
    kind = "table"

    def __init__(self, args: tuple[Expression, ...], rows: dict[tuple[int, ...], None]) -> None:
        super().__init__(args)
        self.rows = rows  # a dict keeps the order given and finds a row at once

    def compute(self, values: Sequence[int]) -> int:
        return tuple(values) in self.rows

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        if not any(all(low <= cell <= high for cell, (low, high) in zip(row, ends, strict=True)) for row in self.rows):
            return _settled(False)
        return _settled(True) if all(low == high for low, high in ends) else MAYBE

    def decomposition(self) -> Condition:
        rows = looking(self.rows, "encoding a table")
        return Or(And(Comparison(arg, "==", cell) for arg, cell in zip(self.args, row, strict=True)) for row in rows)

    def __str__(self) -> str:
        shown = ", ".join(map(str, list(self.rows)[:4])) + (f", … {len(self.rows)} rows" if len(self.rows) > 4 else "")
        return f"table([{', '.join(map(str, self.args))}], [{shown}])"


class AtMostOne(Logic):
    """No two of some conditions hold."""

    __slots__ = ()
    kind = "at_most_one"

    def compute(self, values: Sequence[int]) -> int:
        return sum(map(bool, values)) <= 1

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        return int(sum(high for _, high in ends) <= 1), int(sum(low for low, _ in ends) <= 1)

    def decomposition(self) -> Comparison:
        return Comparison(total(self.args), "<=", 1)

    def __str__(self) -> str:
        return f"at_most_one({', '.join(map(str, self.args))})"


class ExactlyOne(Logic):
    """One of some conditions holds and the others do not."""

    __slots__ = ()
    kind = "exactly_one"

    def compute(self, values: Sequence[int]) -> int:
        return sum(map(bool, values)) == 1

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
        return int(least == most == 1), int(least <= 1 <= most)

    def decomposition(self) -> Comparison:
        return Comparison(total(self.args), "==", 1)

    def __str__(self) -> str:
        return f"exactly_one({', '.join(map(str, self.args))})"


class Circuit(Logic, LazyConstraint):
    """The chosen arcs form one circuit through every node whose self-loop is not chosen.

    Nodes are numbered in the order met; ``arcs`` holds (tail, head) numbers beside the conditions in ``args``.
    """

    __slots__ = ("arcs", "nodes")
    kind = "circuit"

    def __init__(self, nodes: tuple[Hashable, ...], arcs: tuple[tuple[int, int], ...], conditions: tuple[Condition, ...]) -> None:
        self.nodes = nodes
        self.arcs = arcs
        super().__init__(conditions)

    def compute(self, values: Sequence[int]) -> int:
        return self.accepts([arc for arc, value in zip(self.arcs, values, strict=True) if value])

    def accepts(self, chosen: list[tuple[int, int]]) -> bool:
        """Whether exactly these arcs form a circuit."""
        following = dict(chosen)
        everywhere = len(self.nodes)
        if not len(chosen) == len(following) == len(set(following.values())) == everywhere:
            return False
        visited = [tail for tail, head in chosen if tail != head]
        if not visited:
            return False
        node, length = following[visited[0]], 1
        while node != visited[0]:
            node, length = following[node], length + 1
        return length == len(visited)

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        chosen = [arc for arc, (low, _) in zip(self.arcs, ends, strict=True) if low]
        if all(low == high for low, high in ends):
            return _settled(self.accepts(chosen))
        possible = [arc for arc, (_, high) in zip(self.arcs, ends, strict=True) if high]
        for side in (0, 1):
            taken = [arc[side] for arc in chosen]
            if len(set(taken)) < len(taken) or len({arc[side] for arc in possible}) < len(self.nodes):
                return _settled(False)
        return MAYBE

    def relaxation(self) -> Condition:
        """Every node is left and entered once, by itself or another, and some node is visited."""
        sides: list[list[list[Condition]]] = [[[] for _ in self.nodes] for _ in range(2)]
        for (tail, head), chosen in zip(self.arcs, self.args, strict=True):
            sides[0][tail].append(chosen)
            sides[1][head].append(chosen)
        visiting = tuple(chosen for (tail, head), chosen in zip(self.arcs, self.args, strict=True) if tail != head)
        return And((Or(visiting), *(ExactlyOne(tuple(chosen)) for side in sides for chosen in side)))

    def cuts(self, values: Sequence[int]) -> list[Clause]:
        """A tour beside others is left by some arc, or one of its nodes or of the others' is not visited."""
        chosen = [(number, self.arcs[number]) for number, value in enumerate(values) if value]
        for side in (0, 1):
            known: dict[int, int] = {}
            for number, arc in chosen:
                if arc[side] in known:
                    return [[(known[arc[side]], 1, False), (number, 1, False)]]
                known[arc[side]] = number
            if missing := set(range(len(self.nodes))) - set(known):
                return [[(number, 1, True) for number, arc in enumerate(self.arcs) if arc[side] == node] for node in missing]
        following = {tail: head for _, (tail, head) in chosen if tail != head}
        if not following:
            return [[(number, 1, True) for number, (tail, head) in enumerate(self.arcs) if tail != head]]
        tours: list[list[int]] = []
        left = dict(following)
        while left:
            node, _ = next(iter(left.items()))
            tour = []
            while node in left:
                tour.append(node)
                node = left.pop(node)
            tours.append(tour)
        clauses: list[Clause] = []
        for place, tour in enumerate(tours if len(tours) > 1 else []):
            inside, other = set(tour), tours[(place + 1) % len(tours)][0]
            leaving: Clause = [(n, 1, True) for n, (tail, head) in enumerate(self.arcs) if tail in inside and head not in inside]
            resting: Clause = [(n, 1, True) for n, (tail, head) in enumerate(self.arcs) if tail == head and tail in (tour[0], other)]
            clauses.append(leaving + resting)
        return clauses

    def decomposition(self) -> Condition:
        """Sums and logic.

        Every node is left and entered once; some node is visited; and starting at the first visited node, following the chosen
        arcs once per node reaches every visited node.
        """
        count = len(self.nodes)
        leaving: list[list[Condition]] = [[] for _ in range(count)]
        entering: list[list[Condition]] = [[] for _ in range(count)]
        visited: list[list[Condition]] = [[] for _ in range(count)]
        coming: list[list[tuple[int, Condition]]] = [[] for _ in range(count)]
        for (tail, head), chosen in zip(self.arcs, self.args, strict=True):
            leaving[tail].append(chosen)
            entering[head].append(chosen)
            if tail != head:
                visited[tail].append(chosen)
                coming[head].append((tail, chosen))
        degrees: list[Condition] = [Comparison(total(tuple(side[node])), "==", 1) for side in (leaving, entering) for node in range(count)]
        is_visited = [Or(tuple(visited[node])) for node in range(count)]
        first: list[Condition] = [And((is_visited[node], *(Not(is_visited[other]) for other in range(node)))) for node in range(count)]
        reached = first
        for _ in range(count - 1):
            before, reached = reached, []
            for node in range(count):
                look("encoding circuit")
                reached.append(Or((first[node], *(And((before[tail], chosen)) for tail, chosen in coming[node]))))
        return And((*degrees, Or(tuple(is_visited)), *(Implies(is_visited[node], reached[node]) for node in range(count))))

    def __str__(self) -> str:
        shown = [f"({self.nodes[t]}, {self.nodes[h]}, {c})" for (t, h), c in zip(self.arcs, self.args, strict=True)]
        return f"circuit([{', '.join(shown[:6])}{f', … {len(shown)} arcs' if len(shown) > 6 else ''}])"


class Automaton(GlobalConstraint):
    """The values of some expressions, read in order, lead from ``start`` to an accepting state."""

    __slots__ = ("accepting", "start", "transitions")
    kind = "automaton"

    def __init__(
        self,
        args: tuple[Expression, ...],
        start: Hashable,
        accepting: frozenset[Hashable],
        transitions: dict[tuple[Hashable, int], Hashable],
    ) -> None:
        super().__init__(args)
        self.start = start
        self.accepting = accepting
        self.transitions = transitions

    def compute(self, values: Sequence[int]) -> int:
        return self.accepts(values)

    def numbered(self) -> tuple[list[int], dict[tuple[int, int], int], int]:
        """Accepting states and transitions with states numbered (the start is 0), and the first number that is no state."""
        number: dict[Hashable, int] = {self.start: 0}
        for (tail, _), head in self.transitions.items():
            number.setdefault(tail, len(number))
            number.setdefault(head, len(number))
        accepting = sorted(number[state] for state in self.accepting if state in number)
        steps = {(number[tail], label): number[head] for (tail, label), head in self.transitions.items()}
        return accepting, steps, len(number)

    def accepts(self, word: Sequence[int]) -> bool:
        """Whether these values, read in order, lead to an accepting state."""
        state = self.start
        for value in word:
            step = (state, value)
            if step not in self.transitions:
                return False
            state = self.transitions[step]
        return state in self.accepting

    def _interval(self, assignment: Assignment) -> Interval:
        states = {self.start}
        settled = True
        for arg in self.args:
            low, high = arg.interval(assignment)
            settled &= low == high
            states = {head for (tail, label), head in self.transitions.items() if tail in states and low <= label <= high}
        if not states & self.accepting:
            return _settled(False)
        return _settled(True) if settled else MAYBE

    def decomposition(self) -> Condition:
        """Per step and state, the condition "this is the state now"; the last step's accepting states remain."""
        reached: dict[Hashable, Condition] = {self.start: And(())}
        for arg in self.args:
            ways: dict[Hashable, list[Condition]] = {}
            for (tail, label), head in looking(self.transitions.items(), "encoding automaton"):
                if tail in reached:
                    ways.setdefault(head, []).append(And((reached[tail], Comparison(arg, "==", label))))
            reached = {head: Or(tuple(conditions)) for head, conditions in ways.items()}
        return Or(tuple(condition for state, condition in reached.items() if state in self.accepting))

    def __str__(self) -> str:
        states = {self.start, *self.accepting, *(tail for tail, _ in self.transitions), *self.transitions.values()}
        return f"automaton([{', '.join(map(str, self.args))}], {len(states)} states, {len(self.transitions)} transitions)"


class Inverse(GlobalConstraint):
    """Two lists of places undo each other: the first says j at i exactly when the second says i at j. Counts from 0."""

    __slots__ = ()
    kind = "inverse"

    @property
    def halves(self) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
        """The two lists."""
        half = len(self.args) // 2
        return self.args[:half], self.args[half:]

    def compute(self, values: Sequence[int]) -> int:
        half = len(values) // 2
        there, back = values[:half], values[half:]
        return all(0 <= j < half and back[j] == i for i, j in enumerate(there)) and all(0 <= i < half for i in back)

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        half = len(ends) // 2
        for mine, yours in ((ends[:half], ends[half:]), (ends[half:], ends[:half])):
            for i, (low, high) in enumerate(mine):
                if high < 0 or low >= half or (low == high and not yours[low][0] <= i <= yours[low][1]):
                    return _settled(False)
        return _settled(bool(self.compute([low for low, _ in ends]))) if all(low == high for low, high in ends) else MAYBE

    def decomposition(self) -> Condition:
        there, back = self.halves
        size = len(there)
        inside = [part for arg in self.args for part in (arg >= 0, arg < size)]
        require(TIE_BYTES * size**2, "encoding inverse")
        places = looking(product(range(size), repeat=2), "encoding inverse")
        ties = [Comparison(there[i] == j, "==", back[j] == i) for i, j in places]
        return And((*inside, *ties))

    def __str__(self) -> str:
        there, back = (", ".join(map(str, half)) for half in self.halves)
        return f"inverse([{there}], [{back}])"


class LexLess(GlobalConstraint):
    """One list comes before another of the same length, as words in a dictionary do; ``or_equal`` admits equal lists."""

    __slots__ = ("or_equal",)
    kind = "lex_less"

    def __init__(self, left: tuple[Expression, ...], right: tuple[Expression, ...], or_equal: bool) -> None:
        super().__init__((*left, *right))
        self.or_equal = or_equal

    def compute(self, values: Sequence[int]) -> int:
        half = len(values) // 2
        left, right = list(values[:half]), list(values[half:])
        return left < right or (self.or_equal and left == right)

    def _interval(self, assignment: Assignment) -> Interval:
        half = len(self.args) // 2
        for left, right in zip(self.args[:half], self.args[half:], strict=True):
            (a, b), (c, d) = left.interval(assignment), right.interval(assignment)
            if b < c:
                return _settled(True)
            if a > d:
                return _settled(False)
            if not a == b == c == d:
                return MAYBE
        return _settled(self.or_equal)

    def decomposition(self) -> Condition:
        """At each place the left is at most the right, if all before is equal; that is said in few blocks, which the places share."""
        half = len(self.args) // 2
        parts: list[Condition] = []
        equal: list[Condition] = []  # blocks of places, each shorter than the one before it
        for number, (left, right) in looking(enumerate(zip(self.args[:half], self.args[half:], strict=True), 1), "encoding lex_less"):
            parts.append(Implies(And(equal), Comparison(left, "<=", right)))
            equal.append(Comparison(left, "==", right))
            size = 2
            while number % size == 0:  # two blocks of one length become one; a long one stays a part by itself
                one, other = equal[-2:]
                equal[-2:] = [And((one, other)) if size <= SHORT else Not(Or((Not(one), Not(other))))]
                size *= 2
        return And((*parts, *(() if self.or_equal else (Not(And(equal)),))))

    def __str__(self) -> str:
        half = len(self.args) // 2
        left, right = (", ".join(map(str, side)) for side in (self.args[:half], self.args[half:]))
        return f"lex_less([{left}], [{right}]{', or_equal=True' if self.or_equal else ''})"


# -- what people call


def all_different(*items: Any) -> AllDifferent:
    """No two of the given expressions (lists and arrays are flattened) are equal.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars(3, 1, 3)
    >>> _ = m.add(cp.all_different(x))
    >>> m.count()
    6
    """
    return AllDifferent(tuple(as_expression(item) for item in collect(items)))


def table(variables: Iterable[Any], rows: Iterable[Sequence[int]] | np.ndarray[Any, Any]) -> Table:
    """The expressions take the values of one of ``rows``.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x, y = m.int_var(0, 9), m.int_var(0, 9)
    >>> _ = m.add(cp.table([x, y], [(1, 2), (3, 4)]))
    >>> m.count()
    2
    """
    args = tuple(as_expression(item) for item in collect([variables]))
    unique: dict[tuple[int, ...], None] = {}
    for number, row in enumerate(rows):
        if not isinstance(row, Iterable):
            raise ModelError(f"table: row {number} is {row!r}: expected a row of {len(args)} values")
        cells = tuple(as_int64(cell) for cell in row)
        if len(cells) != len(args):
            raise ModelError(f"table: row {number} has {len(cells)} values for {len(args)} expressions")
        unique[cells] = None
    return Table(args, unique)


def element(array: Iterable[Any], index: Any) -> Expression:
    """``array[index]`` where the index is an expression; entries are integers or expressions. Counts from 0.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> i = m.int_var(0, 2, "i")
    >>> _ = m.add(cp.element([10, 20, 30], i) == 20)
    >>> m.solve().solution[i]
    1
    """
    entries = tuple(item if isinstance(item, Expression) else as_int64(item) for item in collect([array]))
    if not entries:
        raise ModelError("element: the array is empty")
    return Element(entries, as_expression(index))


def maximum(*items: Any) -> Expression:
    """The largest of the given expressions (lists and arrays are flattened).

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars(2, 0, 3)
    >>> _ = m.add(cp.maximum(x) <= 1)
    >>> m.count()
    4
    """
    return Maximum(_some(items, "maximum"))


def minimum(*items: Any) -> Expression:
    """The least of the given expressions (lists and arrays are flattened).

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars(2, 0, 3)
    >>> _ = m.add(cp.minimum(x) == 2)
    >>> m.count()
    3
    """
    return Minimum(_some(items, "minimum"))


def _some(items: tuple[Any, ...], name: str) -> tuple[Expression, ...]:
    args = tuple(as_expression(item) for item in collect(items))
    if not args:
        raise ModelError(f"{name} of nothing")
    return args


def absolute(item: Any) -> Expression:
    """The absolute value of an expression.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x, y = m.int_vars(2, 0, 9)
    >>> _ = m.add(cp.absolute(x - y) == 1)
    >>> m.count()
    18
    """
    return Absolute(as_expression(item))


def at_most_one(*items: Any) -> AtMostOne:
    """No two of the given conditions hold.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.at_most_one(m.bool_vars(4)))
    >>> m.count()
    5
    """
    return AtMostOne(_conditions(items))


def exactly_one(*items: Any) -> ExactlyOne:
    """One of the given conditions holds and the others do not.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.exactly_one(m.bool_vars(4)))
    >>> m.count()
    4
    """
    return ExactlyOne(_conditions(items))


def any_of(*items: Any) -> Or:
    """At least one of the given conditions holds.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_var(0, 9, "x")
    >>> _ = m.add(cp.any_of(x == 3, x >= 8))
    >>> m.count()
    3
    """
    return Or(_conditions(items))


def all_of(*items: Any) -> And:
    """All of the given conditions hold.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_var(0, 9, "x")
    >>> _ = m.add(~cp.all_of(x >= 3, x <= 5))
    >>> m.count()
    7
    """
    return And(_conditions(items))


def _conditions(items: Iterable[Any]) -> tuple[Condition, ...]:
    return tuple(as_condition(item) for item in collect(items))


def circuit(arcs: Iterable[tuple[Hashable, Hashable, Any]]) -> Circuit:
    """The chosen arcs ``(tail, head, condition)`` form one circuit through all nodes.

    A node whose self-loop ``(node, node, condition)`` is chosen is left out; leaving out every node is no circuit.
    Nodes may be anything hashable.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> cities = ["Aveiro", "Braga", "Coimbra", "Évora"]
    >>> _ = m.add(cp.circuit([(a, b, m.bool_var()) for a in cities for b in cities if a != b]))
    >>> m.count()
    6
    """
    listed = list(arcs)
    if not listed:
        raise ModelError("circuit: there are no arcs")
    number: dict[Hashable, int] = {}
    pairs: list[tuple[int, int]] = []
    conditions: list[Condition] = []
    for arc in listed:
        if not isinstance(arc, tuple | list) or len(arc) != 3:
            raise ModelError(f"circuit: expected arcs (tail, head, condition), got {arc!r}")
        tail, head, condition = arc
        pairs.append((number.setdefault(tail, len(number)), number.setdefault(head, len(number))))
        conditions.append(as_condition(condition))
    return Circuit(tuple(number), tuple(pairs), tuple(conditions))


def automaton(
    variables: Iterable[Any],
    start: Hashable,
    accepting: Iterable[Hashable],
    transitions: Iterable[tuple[Hashable, int, Hashable]],
) -> Automaton:
    """The values, read in order, drive a deterministic automaton from ``start`` into an accepting state.

    A transition is ``(state, value, next state)``; a missing one rejects. States may be anything hashable.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> nights = m.bool_vars(4)  # never work two nights in a row
    >>> _ = m.add(cp.automaton(nights, "rested", ["rested", "tired"],
    ...           [("rested", 0, "rested"), ("rested", 1, "tired"), ("tired", 0, "rested")]))
    >>> m.count()
    8
    """
    if isinstance(accepting, str):
        raise ModelError(f"automaton: accepting is a collection of states; write [{accepting!r}]")
    moves: dict[tuple[Hashable, int], Hashable] = {}
    for transition in transitions:
        if not isinstance(transition, tuple | list) or len(transition) != 3:
            raise ModelError(f"automaton: expected transitions (state, value, next state), got {transition!r}")
        state, label, following = transition
        if moves.setdefault((state, as_int64(label)), following) != following:
            raise ModelError(f"automaton: two transitions from state {state!r} on {label}: it must be deterministic")
    return Automaton(tuple(as_expression(item) for item in collect([variables])), start, frozenset(accepting), moves)


def inverse(there: Iterable[Any], back: Iterable[Any]) -> Inverse:
    """``there[i] == j`` exactly when ``back[j] == i``; both count from 0.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> place, guest = m.int_vars(3, 0, 2), m.int_vars(3, 0, 2)
    >>> _ = m.add(cp.inverse(place, guest)), m.add(place[0] == 2)
    >>> m.count(), m.backbone()[guest[2]]
    (2, 0)
    """
    first, second = (tuple(as_expression(item) for item in collect([items])) for items in (there, back))
    if len(first) != len(second):
        raise ModelError(f"inverse: the lists have {len(first)} and {len(second)} entries; they must have as many")
    return Inverse((*first, *second))


def lex_less(left: Iterable[Any], right: Iterable[Any], or_equal: bool = False) -> LexLess:
    """``left`` comes before ``right``, as words in a dictionary do; with ``or_equal`` they may be equal.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> rows = m.bool_vars((2, 2))
    >>> _ = m.add(cp.lex_less(rows[0], rows[1]))
    >>> m.count()
    6
    """
    first, second = (tuple(as_expression(item) for item in collect([items])) for items in (left, right))
    if len(first) != len(second):
        raise ModelError(f"lex_less: the lists have {len(first)} and {len(second)} entries; they must have as many")
    return LexLess(first, second, or_equal)


def increasing(*items: Any, strict: bool = False) -> And:
    """Each of the given expressions is at least the one before it; with ``strict``, larger.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.increasing(m.int_vars(3, 1, 4), strict=True))
    >>> m.count()
    4
    """
    listed = [as_expression(item) for item in collect(items)]
    return And(tuple(Comparison(a, "<" if strict else "<=", b) for a, b in pairwise(listed)))


def at_least(number: Any, *items: Any) -> Comparison:
    """At least ``number`` of the given conditions hold.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.at_least(3, m.bool_vars(4)))
    >>> m.count()
    5
    """
    return Comparison(total(_conditions(items)), ">=", number if isinstance(number, Expression) else as_int64(number))


def among(items: Iterable[Any], values: Iterable[int]) -> Expression:
    """How many of the expressions have one of the values.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.among(m.int_vars(3, 0, 9), [2, 3, 5, 7]) == 3)
    >>> m.count()
    64
    """
    rows: dict[tuple[int, ...], None] = {(as_int64(value),): None for value in values}
    return total(tuple(Table((as_expression(item),), rows) for item in collect([items])))


def count(items: Iterable[Any], value: Any) -> Expression:
    """How many of the expressions have the value, which may be an expression too.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> dice = m.int_vars(3, 1, 6)
    >>> _ = m.add(cp.count(dice, 6) == 2)
    >>> m.count()
    15
    """
    wanted = value if isinstance(value, Expression) else as_int64(value)
    return total(tuple(Comparison(as_expression(item), "==", wanted) for item in collect([items])))


def cardinality(items: Iterable[Any], times: Mapping[int, Any], closed: bool = False) -> And:
    """Each value of ``times`` is taken as often as it says: a number, an expression, or ``(least, most)``.

    With ``closed`` no other value is taken.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.add(cp.cardinality(m.int_vars(4, 0, 2), {1: 2, 2: (1, 2)}))
    >>> m.count()
    18
    """
    args = tuple(as_expression(item) for item in collect([items]))
    parts: list[Condition] = []
    for value, often in times.items():
        found = total(tuple(Comparison(arg, "==", as_int64(value)) for arg in args))
        if isinstance(often, tuple):
            if len(often) != 2:
                raise ModelError(f"cardinality: the value {value} is taken {often!r} times; give a number, an expression or (least, most)")
            parts += [Comparison(found, ">=", as_int64(often[0])), Comparison(found, "<=", as_int64(often[1]))]
        else:
            parts.append(Comparison(found, "==", often if isinstance(often, Expression) else as_int64(often)))
    if closed:
        rows: dict[tuple[int, ...], None] = {(as_int64(value),): None for value in times}
        parts += [Table((arg,), rows) for arg in args]
    return And(tuple(parts))

"""What every function of the toolkit means, said once more in the plainest way: on numbers instead of expressions.

A constraint is written as text that speaks of ``x`` and ``cp``. With the toolkit as ``cp`` it makes a constraint; with this module as
``cp``, and a number in the place of every variable, it is 1 or 0. Nothing here is taken from the toolkit, so that a mistake in how a
constraint evaluates itself is noticed too.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple


class Number(int):
    """An integer; comparisons of it are such numbers too, so that they can be negated, combined and added up as conditions are."""

    __hash__ = int.__hash__

    def __invert__(self) -> Number:
        return Number(not self)

    def implies(self, other: int) -> Number:
        """Whether the other holds if this one does."""
        return Number(not self or other)


def _kept(name: str) -> Callable[..., Number]:
    whole = getattr(int, name)
    return lambda *numbers: Number(whole(*map(int, numbers)))


for _names in ("eq ne lt le gt ge", "neg add sub mul floordiv mod pow and or xor", "radd rsub rmul rfloordiv rmod rand ror rxor"):
    for _name in _names.split():
        setattr(Number, f"__{_name}__", _kept(f"__{_name}__"))


def _number(function: Callable[..., Any]) -> Callable[..., Number]:
    return lambda *given, **named: Number(function(*given, **named))


def _flat(items: Iterable[Any]) -> list[int]:
    return [number for item in items for number in (_flat(item) if isinstance(item, list) else [item])]


# -- numbers and how many hold


@_number
def maximum(*items: Any) -> int:
    """The largest."""
    return max(_flat(items))


@_number
def minimum(*items: Any) -> int:
    """The least."""
    return min(_flat(items))


absolute = _number(abs)
element = _number(operator.getitem)


@_number
def among(items: Sequence[int], values: Sequence[int]) -> int:
    """How many have one of the values."""
    return sum(int(item) in values for item in items)


@_number
def count(items: Sequence[int], value: int) -> int:
    """How many have the value."""
    return [int(item) for item in items].count(int(value))


@_number
def any_of(*items: Any) -> bool:
    """One holds at least."""
    return any(_flat(items))


@_number
def all_of(*items: Any) -> bool:
    """All hold."""
    return all(_flat(items))


@_number
def at_most_one(*items: Any) -> bool:
    """None holds, or one."""
    return sum(map(bool, _flat(items))) < 2


@_number
def exactly_one(*items: Any) -> bool:
    """One holds."""
    return sum(map(bool, _flat(items))) == 1


@_number
def at_least(number: int, *items: Any) -> bool:
    """As many hold, or more."""
    return sum(map(bool, _flat(items))) >= number


# -- lists of numbers


@_number
def all_different(*items: Any) -> bool:
    """No two are equal."""
    return all(int(one) != int(other) for one, other in combinations(_flat(items), 2))


@_number
def table(items: Sequence[int], rows: Sequence[Sequence[int]]) -> bool:
    """They are one of the rows."""
    return any([int(item) for item in items] == [int(cell) for cell in row] for row in rows)


@_number
def automaton(word: Sequence[int], start: int, accepting: Sequence[int], moves: Sequence[tuple[int, int, int]]) -> bool:
    """They lead from the start to an accepting state."""
    states = {start}
    for value in word:
        states = {head for tail, label, head in moves if tail in states and label == int(value)}
    return bool(states & set(accepting))


@_number
def inverse(there: Sequence[int], back: Sequence[int]) -> bool:
    """Whatever the one leads to, the other leads back from."""
    places = range(len(there))
    pairs = {(place, int(there[place])) for place in places}
    return pairs == {(int(back[place]), place) for place in places} and all(goal in places for _, goal in pairs)


@_number
def lex_less(left: Sequence[int], right: Sequence[int], or_equal: bool = False) -> bool:
    """At the first place where they differ, the left one is smaller."""
    differ = [int(one) < int(other) for one, other in zip(left, right, strict=True) if int(one) != int(other)]
    return differ[0] if differ else or_equal


@_number
def increasing(*items: Any, strict: bool = False) -> bool:
    """None is smaller than the one before; if strict, nor equal to it."""
    return all(int(other) - int(one) >= strict for one, other in pairwise(_flat(items)))


@_number
def cardinality(items: Sequence[int], times: Mapping[int, Any], closed: bool = False) -> bool:
    """Each value is there as often as is said; if closed, no other."""
    found = Counter(map(int, items))
    wanted = {value: often if isinstance(often, tuple) else (int(often), int(often)) for value, often in times.items()}
    return all(least <= found[value] <= most for value, (least, most) in wanted.items()) and not (closed and set(found) - set(times))


# -- time


class interval(NamedTuple):  # noqa: N801  # the name that the toolkit has for it
    """A stretch of time."""

    start: int
    duration: int
    present: int = 1


@_number
def no_overlap(intervals: Sequence[interval]) -> bool:
    """Of any two that are there, one is over when the other starts."""
    spans = [(int(each.start), int(each.start) + int(each.duration)) for each in intervals if each.present]
    return not any(a < d and c < b for (a, b), (c, d) in combinations(spans, 2))


@_number
def cumulative(intervals: Sequence[interval], demands: Sequence[int], capacity: int) -> bool:
    """At every moment at which something starts, or is about to end, what is under way needs no more than there is."""
    spans = [
        (int(each.start), int(each.start) + int(each.duration), demand)
        for each, demand in zip(intervals, demands, strict=True)
        if each.present
    ]
    moments = {moment for start, end, _ in spans for moment in (start, end - 1)}
    loads = [sum(demand for start, end, demand in spans if start <= moment < end) for moment in moments]
    return all(load <= int(capacity) for load in (0, *loads))


# -- graphs

Edge = tuple[Hashable, Hashable, int]


class Shape(NamedTuple):
    """Nodes, and pairs of them that are near each other."""

    nodes: Sequence[Hashable]
    edges: Sequence[tuple[Hashable, Hashable]]


def graph(edges: Sequence[tuple[Hashable, Hashable]], nodes: Sequence[Hashable]) -> Shape:
    """A graph."""
    return Shape(nodes, edges)


def _parts(nodes: Iterable[Hashable], edges: Iterable[tuple[Hashable, Hashable]]) -> list[set[Hashable]]:
    """The nodes in parts that hang together: every edge makes one part of two."""
    parts = [{node} for node in nodes]
    for ends in edges:
        touched = [part for part in parts if part.intersection(ends)]
        parts = [part for part in parts if part not in touched] + [set().union(*touched)]
    return parts


def _ends(edges: Iterable[tuple[Hashable, Hashable]]) -> Counter[Hashable]:
    return Counter(node for ends in edges for node in ends)


@_number
def circuit(arcs: Sequence[Edge]) -> bool:
    """Every node is left once and entered once, and those that are not left to themselves hang together."""
    chosen = [(tail, head) for tail, head, taken in arcs if taken]
    everywhere = {node: 1 for tail, head, _ in arcs for node in (tail, head)}
    moves = [(tail, head) for tail, head in chosen if tail != head]
    once = Counter(tail for tail, _ in chosen) == everywhere == Counter(head for _, head in chosen)
    return once and len(_parts(_ends(moves), moves)) == 1


@_number
def loop(edges: Sequence[Edge]) -> bool:
    """The chosen edges hang together, and where one of them ends another goes on."""
    chosen = [(one, other) for one, other, taken in edges if taken]
    return set(_ends(chosen).values()) == {2} and len(_parts(_ends(chosen), chosen)) == 1


@_number
def path(edges: Sequence[Edge], start: Hashable, end: Hashable) -> bool:
    """The same with one edge more, from the end back to the start."""
    chosen = [*((one, other) for one, other, taken in edges if taken), (end, start)]
    return len(chosen) > 1 and set(_ends(chosen).values()) == {2} and len(_parts(_ends(chosen), chosen)) == 1


@_number
def acyclic(edges: Sequence[Edge]) -> bool:
    """Every chosen edge makes the parts fewer by one."""
    chosen = [(one, other) for one, other, taken in edges if taken]
    nodes = _ends(chosen)
    return len(_parts(nodes, chosen)) == len(nodes) - len(chosen)


def _alike(labels: Sequence[int], shape: Shape) -> Iterator[tuple[int, list[set[Hashable]]]]:
    """Each label with the parts that its nodes make."""
    label = dict(zip(shape.nodes, map(int, labels), strict=True))
    for value in set(label.values()):
        inside = [(one, other) for one, other in shape.edges if label[one] == label[other] == value]
        yield value, _parts([node for node in shape.nodes if label[node] == value], inside)


@_number
def connected(bools: Sequence[int], shape: Shape) -> bool:
    """Those that hold make one part, or none."""
    return len(dict(_alike([bool(item) for item in bools], shape)).get(1, [])) < 2


@_number
def regions(
    labels: Sequence[int], shape: Shape, roots: Mapping[int, Hashable] | None = None, sizes: Mapping[int, int] | None = None
) -> bool:
    """Each label makes one part, or none; roots and sizes are as said."""
    parts = dict(_alike(labels, shape))
    at_root = all(any(root in part for part in parts.get(label, [])) for label, root in (roots or {}).items())
    as_large = all(sum(map(len, parts.get(label, []))) == int(size) for label, size in (sizes or {}).items())
    return at_root and as_large and all(len(each) == 1 for each in parts.values())


@_number
def region_sizes(labels: Sequence[int], shape: Shape, sizes: Sequence[int]) -> bool:
    """Every node says how many are in its part."""
    said = dict(zip(shape.nodes, map(int, sizes), strict=True))
    return all(said[node] == len(part) for _, parts in _alike(labels, shape) for part in parts for node in part)

"""Counting by search: propagate, branch, split into components, and remember what each component came to.

This is what counters of propositional models do (Bayardo and Pehoushek 2000; Sang et al. 2004), here over integer variables: sums, sets of
different values, and any other constraint as its automaton. It is at its best where propagation decides much, or where a few variables
cut the rest into pieces; a tree decomposition tells which to branch on first. The loops are in ``search_kernels``, compiled.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.constraints import AllDifferent, AtMostOne, ExactlyOne
from cpsolve.counting.automata import Layered, Layout, layered, track
from cpsolve.counting.memory import Memory, integers
from cpsolve.counting.ordering import linear_terms
from cpsolve.counting.product import Limits
from cpsolve.expressions import Comparison, Condition, Implies, Not, Or, Variable, linear_form, scope

MOST_VALUES = 64
"""A domain is one word."""
MOST_VARIABLES = 3000
LARGEST_AUTOMATON = 200_000
"""Entries of an automaton's tables: they are read at every propagation."""
SLICE = 256
"""Decisions between two looks at the clock."""

Term = tuple[int, int]
"""A variable's number and its coefficient."""


@dataclass(frozen=True)
class Sum:
    """A sum of multiples is at most, or exactly, ``limit``."""

    terms: tuple[Term, ...]
    limit: int
    equal: bool


@dataclass(frozen=True)
class Different:
    """Variables, each with an offset, all of different values."""

    members: tuple[tuple[int, int], ...]


class Tables:
    """Some constraints over some variables in the arrays that the kernels read; ``impossible`` when one of them never holds.

    ``fits`` is False when a variable has too many values or a constraint too large an automaton.
    """

    def __init__(self, variables: Sequence[Variable], constraints: Sequence[Condition], limits: Limits) -> None:
        self.variables = list(variables)
        self.impossible = False
        self.fits = len(self.variables) <= MOST_VARIABLES and all(v.hi - v.lo < MOST_VALUES for v in self.variables)
        if not self.fits:
            return
        self._number = {variable: i for i, variable in enumerate(self.variables)}
        self._layout = Layout(self._number, [(v.lo, v.hi) for v in self.variables], limits.memory)
        self._domains = [range(v.lo, v.hi + 1) for v in self.variables]
        self.sums: list[Sum] = []
        self.sets: list[Different] = []
        automata: list[Layered] = []
        known: dict[Hashable, list[NDArray[np.int32]]] = {}
        for constraint in constraints:
            if not scope(constraint):
                self.impossible |= not constraint.value({})
                continue
            if self._simple(constraint):
                continue
            if len(scope(constraint)) > WIDE_SCOPE:
                self.fits = False
                return
            made = layered(track(constraint, self._layout), self._domains, known, limits.memory, limits.deadline)
            if isinstance(made, Layered):
                automata.append(made)
                if made.size > LARGEST_AUTOMATON:
                    self.fits = False
                    return
            elif not made:
                self.impossible = True
        self._build(automata)

    def _simple(self, constraint: Condition) -> bool:
        """Takes a constraint that is a sum, a clause or a set of different values; False for any other."""
        clause = clause_of(constraint)
        if clause is not None:
            terms = tuple((self._number[variable], 1 if negated else -1) for variable, negated in clause.items())
            self._add_sum(terms, sum(clause.values()) - 1, False)
            return True
        if isinstance(constraint, AllDifferent):
            return self._add_different(constraint)
        terms_of = linear_terms(constraint)
        if terms_of is None or not terms_of:
            return False
        terms = tuple((self._number[variable], coefficient) for variable, coefficient in terms_of.items())
        if isinstance(constraint, AtMostOne | ExactlyOne):
            _, constant = linear_form(*[(1, arg) for arg in constraint.args])
            self._add_sum(terms, 1 - constant, isinstance(constraint, ExactlyOne))
            return True
        assert isinstance(constraint, Comparison)
        _, constant = linear_form((1, constraint.left), (-1, constraint.right))
        op, limit = constraint.op, -constant
        if op in (">", ">="):
            terms, limit, op = tuple((v, -c) for v, c in terms), -limit, {">": "<", ">=": "<="}[op]
        if op == "<":
            limit, op = limit - 1, "<="
        if op == "!=":
            if len(terms) != 2 or sorted(c for _, c in terms) != [-1, 1]:
                return False
            (plus,), (minus,) = ([v for v, c in terms if c == sign] for sign in (1, -1))
            return self._add_set(((plus, 0), (minus, limit)))  # plus - minus != limit
        self._add_sum(terms, limit, op == "==")
        return True

    def _add_sum(self, terms: tuple[Term, ...], limit: int, equal: bool) -> None:
        self.sums.append(Sum(terms, limit, equal))

    def _add_different(self, constraint: AllDifferent) -> bool:
        members = []
        for arg in constraint.args:
            terms, constant = linear_form((1, arg))
            if len(terms) != 1:
                return False
            (atom, coefficient), *_ = terms.items()
            if coefficient != 1 or not isinstance(atom, Variable):
                return False
            members.append((self._number[atom], constant))
        if len({number for number, _ in members}) < len(members):
            return False
        return len(members) < 2 or self._add_set(tuple(members))

    def _add_set(self, members: tuple[tuple[int, int], ...]) -> bool:
        """Takes variables with offsets; False when their values do not lie in one word."""
        low = min(self.variables[number].lo + offset for number, offset in members)
        if max(self.variables[number].hi + offset for number, offset in members) - low >= MOST_VALUES:
            return False
        self.sets.append(Different(members))
        return True

    def _build(self, automata: list[Layered]) -> None:
        count = len(self.variables)
        lows = _ints([v.lo for v in self.variables])
        sum_at, sum_of, sum_by = _rows([each.terms for each in self.sums])
        set_at, set_of, offsets = _rows([each.members for each in self.sets])
        shifts, permutation = [], []
        for each in self.sets:
            spans = [(self.variables[number].lo + offset, self.variables[number].hi + offset) for number, offset in each.members]
            low = min(span[0] for span in spans)
            shifts += [span[0] - low for span in spans]
            permutation.append(max(span[1] for span in spans) - low + 1 == len(spans))
        del offsets
        auto_at, auto_of, tables_at, columns, states_at = [0], [], [], [], [0]
        pieces: list[NDArray[np.int32]] = []
        offset_of: dict[int, int] = {}
        size = 0
        for automaton in automata:
            for position, table in zip(automaton.positions, automaton.tables, strict=True):
                if id(table) not in offset_of:
                    offset_of[id(table)] = size
                    pieces.append(table.ravel())
                    size += table.size
                auto_of.append(position)
                tables_at.append(offset_of[id(table)])
                columns.append(table.shape[1])
                states_at.append(states_at[-1] + len(table))
            auto_at.append(len(auto_of))
        held: list[list[int]] = [[] for _ in range(count)]
        scopes: list[list[int]] = [[number for number, _ in each.terms] for each in self.sums]
        scopes += [[number for number, _ in each.members] for each in self.sets]
        scopes += [list(automaton.positions) for automaton in automata]
        for number, members in enumerate(scopes):
            for member in members:
                held[member].append(number)
        where = np.cumsum([0, *map(len, held)]).astype(np.int64)
        self.scopes = scopes
        self.longest = 2 + 3 * count + 3 * len(self.sums) + len(auto_of) + len(automata)
        self.problem = (
            lows, where, _ints([number for numbers in held for number in numbers]), sum_at, sum_of, sum_by,
            _ints([each.limit for each in self.sums]), np.array([each.equal for each in self.sums], np.bool_),
            set_at, set_of, _ints(shifts), np.array(permutation, np.bool_),
            _ints(auto_at), _ints(auto_of), _ints(tables_at), np.concatenate(pieces) if pieces else np.zeros(1, np.int32), _ints(columns),
            _ints(states_at),
        )  # fmt: skip
        self.domains = np.array([(1 << (v.hi - v.lo + 1)) - 1 for v in self.variables], np.uint64)
        room = sum(v.hi - v.lo + 1 for v in self.variables) + count + 1
        self.state = (
            np.zeros(room, np.int32), np.zeros(room, np.uint64), np.zeros(16, np.int64), np.zeros(len(scopes) + 1, np.int64),
            np.zeros(len(scopes) + 1, np.bool_), np.zeros(states_at[-1] + 2, np.bool_), np.zeros(states_at[-1] + 2, np.bool_),
        )  # fmt: skip

    def propagate(self) -> bool:
        """Narrows the domains by all constraints; False when they clash."""
        from cpsolve.counting import search_kernels as kernels

        _, _, now, queue, waiting, _, _ = self.state
        queue[: len(self.scopes)] = np.arange(len(self.scopes))[::-1]
        waiting[: len(self.scopes)] = True
        now[0], now[1] = 0, len(self.scopes)
        possible = kernels.propagate(self.problem, self.domains, *self.state)
        now[0] = 0
        return bool(possible)

    def narrowed(self) -> dict[Variable, tuple[int, ...]]:
        """The variables that lost values, with those they have left."""
        result = {}
        for variable, domain in zip(self.variables, self.domains.tolist(), strict=True):
            if domain.bit_count() < variable.hi - variable.lo + 1:
                result[variable] = tuple(variable.lo + place for place in range(variable.hi - variable.lo + 1) if domain >> place & 1)
        return result

    # -- listing

    def listed(self, most: int, limits: Limits) -> Iterator[NDArray[np.int64] | None]:
        """Up to ``most`` solutions, one row of values each. Yields None between two slices of work, then the rows."""
        from cpsolve.counting import search_kernels as kernels

        count = len(self.variables)
        if self.impossible or not self.propagate():
            yield np.zeros((0, count), np.int64)
            return
        ranks = _ints([99_999 - min(99_998, len(members)) for members in self._holders()])
        stack, rest = np.zeros(2 * count + 4, np.int64), np.zeros(count + 2, np.uint64)
        rows = min(most, 1024)
        limits.memory.take(4 * rows * count, rows)
        found = np.empty((rows, count), np.int32)
        now = self.state[2]
        now[2] = now[3] = 0
        while True:
            state = kernels.find(self.problem, self.domains, *self.state, ranks, stack, rest, found, SLICE)
            if state == kernels.DONE or (state == kernels.FULL and len(found) >= most):
                yield found[: now[3]].astype(np.int64) + np.array([v.lo for v in self.variables], np.int64)
                return
            if state == kernels.FULL:
                rows = min(most, 4 * len(found))
                limits.memory.take(4 * (rows - len(found)) * count, rows)
                larger = np.empty((rows, count), np.int32)
                larger[: len(found)] = found
                found = larger
            yield None

    def _holders(self) -> list[list[int]]:
        held: list[list[int]] = [[] for _ in self.variables]
        for number, members in enumerate(self.scopes):
            for member in members:
                held[member].append(number)
        return held

    # -- counting

    def counted(self, limits: Limits, breadth: float, stats: dict[str, Any]) -> Iterator[int | None]:
        """The number of solutions. Yields None between two slices of work, then the number.

        Branches on variables in the order of a tree decomposition; ``breadth`` is how many places a variable waits per doubling of its
        domain.
        """
        from cpsolve.counting import search_kernels as kernels

        if self.impossible or not self.propagate():
            yield 0
            return
        count = len(self.variables)
        ranks = _ints((yield from self._ranks()))
        words = prod(domain.bit_count() for domain in self.domains.tolist()).bit_length() // 64 + 1
        cache = _Cache(words, self.longest, limits.memory)
        free = int(sum(domain.bit_count() > 1 for domain in self.domains.tolist()))
        room = count * (free + 2) + 2
        limits.memory.take(4 * room + 8 * (free + 3) * (12 + 2 * words), free)
        scope_stack = np.zeros(room, np.int32)
        parts = np.zeros((count * 2 + 4, 2), np.int32)
        seen, met = np.zeros(count, np.int64), np.zeros(len(self.scopes) + 1, np.int64)
        frames = np.zeros((free + 3, 10), np.int64)
        rest, totals, products = (
            np.zeros(free + 3, np.uint64), np.zeros((free + 3, words), np.uint64), np.zeros((free + 3, words), np.uint64)
        )  # fmt: skip
        trail_of, trail, now, queue, waiting, reached, wanted = self.state
        now[2:] = 0
        scope_stack[:count] = np.arange(count)
        products[0, 0] = 1
        now[7], now[8] = kernels.split(
            self.problem, self.domains, scope_stack, 0, count, count, parts, 0, seen, met, now, queue, waiting, trail_of, trail, reached,
            wanted, products[0],
        )  # fmt: skip
        frames[0, 6], frames[0, 8], frames[0, 9] = -1, 1, now[7]
        while True:
            state = kernels.count(
                self.problem, self.domains, *self.state, ranks, breadth, scope_stack, parts, seen, met, frames, rest, totals, products,
                cache.arena, cache.entries, cache.values, cache.index, self.longest, SLICE,
            )  # fmt: skip
            stats.update(decisions=int(now[9]), remembered=int(now[6]))
            if state == kernels.DONE:
                cache.close()
                yield integers(totals[:1])[0]
                return
            if state == kernels.FULL:
                cache.grow(now, frames)
            yield None

    def _ranks(self) -> Generator[None, None, list[int]]:
        """The order in which to branch: what separates most comes first. Yields None between two slices of work."""
        count = len(self.variables)
        neighbours: list[set[int]] = [set() for _ in range(count)]
        alive = [domain.bit_count() > 1 for domain in self.domains.tolist()]
        for members in self.scopes:
            free = [member for member in members if alive[member]]
            if len(free) <= WIDE_SCOPE:
                for a, b in combinations(free, 2):
                    neighbours[a].add(b)
                    neighbours[b].add(a)
        order, bags = yield from eliminated(neighbours)
        return dissected(order, bags)


WIDE_SCOPE = 24
"""Constraints on more variables than this do not count as edges of the graph that is decomposed, and are no automata of the search."""


class _Cache:
    """What components came to: keys in one long array, numbers in words, found through a hash table. It is emptied when memory is short."""

    def __init__(self, words: int, longest: int, memory: Memory) -> None:
        self._memory = memory
        size = 1 << 13
        self.arena = np.zeros(max(8 * longest, 1 << 16), np.uint32)
        self.entries = np.zeros((size, 3), np.int64)
        self.values = np.zeros((size, words), np.uint64)
        self.index = np.full(4 * size, -1, np.int32)
        memory.take(self._bytes(), size)

    def _bytes(self) -> int:
        return self.arena.nbytes + self.entries.nbytes + self.values.nbytes + self.index.nbytes

    def grow(self, now: NDArray[np.int64], frames: NDArray[np.int64]) -> None:
        """Makes room: twice as much if there is memory for it, else by forgetting everything."""
        from cpsolve.counting import search_kernels as kernels

        if self._memory.used + 2 * self._bytes() > self._memory.limit:
            frames[:, 6] = -1
            now[5] = now[6] = 0
            self.index[:] = -1
            return
        self._memory.give_back(self._bytes())
        if now[5] + len(self.arena) // 8 > len(self.arena) or now[5] > now[6] * 8:
            self.arena = np.concatenate([self.arena, np.zeros_like(self.arena)])
        if now[6] + len(frames) + 2 > len(self.entries):
            self.entries = np.concatenate([self.entries, np.zeros_like(self.entries)])
            self.values = np.concatenate([self.values, np.zeros_like(self.values)])
            self.index = np.full(2 * len(self.index), -1, np.int32)
            kernels.reindex(self.entries, int(now[6]), self.index)
        self._memory.take(self._bytes(), int(now[6]))

    def close(self) -> None:
        """Gives the memory back."""
        self._memory.give_back(self._bytes())


def clause_of(constraint: Condition) -> dict[Variable, bool] | None:
    """The 0/1 variables of a clause, each with whether it is negated; None for anything else."""
    if isinstance(constraint, Or):
        literals = list(constraint.args)
    elif isinstance(constraint, Implies):
        literals = [Not(constraint.left) if not isinstance(constraint.left, Not) else constraint.left.arg, constraint.right]
    else:
        literals = [constraint]
    clause: dict[Variable, bool] = {}
    for literal in literals:
        negated = isinstance(literal, Not)
        variable = literal.arg if isinstance(literal, Not) else literal
        if not isinstance(variable, Variable) or not variable.is_boolean or clause.get(variable, negated) != negated:
            return None
        clause[variable] = negated
    return clause


def _ints(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def _rows(pairs: Sequence[Sequence[tuple[int, int]]]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each row begins, and the two columns of all rows."""
    return (
        np.cumsum([0, *map(len, pairs)]).astype(np.int64),
        _ints([first for row in pairs for first, _ in row]),
        _ints([second for row in pairs for _, second in row]),
    )


# -- tree decomposition


def eliminated(neighbours: Sequence[set[int]]) -> Generator[None, None, tuple[list[int], dict[int, set[int]]]]:
    """An order of elimination that adds few edges (least fill, then least degree), and the bag of each node when it goes.

    Yields None between two slices of work.
    """
    graph = [set(others) for others in neighbours]
    left = set(range(len(graph)))

    def cost(node: int) -> tuple[int, int, int]:
        others = graph[node]
        missing = sum(len(others) - 1 - len(others & graph[other]) for other in others) if len(others) <= 200 else len(others) ** 2
        return missing, len(others), node

    costs = {node: cost(node) for node in left}
    order: list[int] = []
    bags: dict[int, set[int]] = {}
    while left:
        if len(order) % 8 == 7:
            yield None
        node = min(costs.values())[2]
        others = graph[node]
        order.append(node)
        bags[node] = others | {node}
        left.discard(node)
        del costs[node]
        touched = set(others)
        for other in others:
            new = others - graph[other] - {other}
            graph[other] |= new
            graph[other].discard(node)
            if new:
                touched |= graph[other]
        for other in touched:
            if other in left:
                costs[other] = cost(other)
    return order, bags


def dissected(order: list[int], bags: dict[int, set[int]]) -> list[int]:
    """A rank for each node: the bag in the middle of the tree of bags comes first, then the middles of what it leaves, and so on."""
    place = {node: i for i, node in enumerate(order)}
    tree: dict[int, set[int]] = {node: set() for node in order}
    for node in order:
        rest = bags[node] - {node}
        if rest:
            parent = min(rest, key=place.__getitem__)
            tree[node].add(parent)
            tree[parent].add(node)
    depth: dict[int, int] = {}
    waiting = [(0, piece) for piece in _pieces(tree, set(order))]
    while waiting:
        level, piece = waiting.pop()
        centre = _centre(tree, piece)
        for node in bags[centre]:
            depth.setdefault(node, level)
        waiting += [(level + 1, rest) for rest in _pieces(tree, piece - {centre})]
    ranked = sorted(order, key=lambda node: (depth[node], -place[node]))
    ranks = [0] * len(order)
    for rank, node in enumerate(ranked):
        ranks[node] = rank
    return ranks


def _pieces(tree: dict[int, set[int]], nodes: set[int]) -> list[set[int]]:
    pieces = []
    left = set(nodes)
    while left:
        piece = [left.pop()]
        for node in piece:
            more = tree[node] & left
            left -= more
            piece += more
        pieces.append(set(piece))
    return pieces


def _centre(tree: dict[int, set[int]], piece: set[int]) -> int:
    """The node without which the largest rest of a tree is smallest."""
    root = min(piece)
    order, parent = [root], {root: root}
    for node in order:
        for other in sorted(tree[node] & piece):
            if other not in parent:
                parent[other] = node
                order.append(other)
    size = dict.fromkeys(order, 1)
    worst = dict.fromkeys(order, 0)
    for node in reversed(order):
        if node != root:
            size[parent[node]] += size[node]
            worst[parent[node]] = max(worst[parent[node]], size[node])
    return min(order, key=lambda node: (max(worst[node], len(order) - size[node]), node))

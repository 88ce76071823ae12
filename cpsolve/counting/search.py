"""Counting by search: propagate, branch, split into components, and remember what each component came to.

This is what counters of propositional models do (Bayardo and Pehoushek 2000; Sang et al. 2004), here over integer variables: sums, sets of
different values, and any other constraint as its automaton. It is at its best where propagation decides much, or where a few variables
cut the rest into pieces; a tree decomposition tells which to branch on first. The loops are in ``search_kernels``, compiled.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.constraints import AllDifferent, AtMostOne, ExactlyOne
from cpsolve.counting.automata import Layered, Layout, automaton_of
from cpsolve.counting.decomposition import dissected, eliminated
from cpsolve.counting.memory import Memory, integers
from cpsolve.counting.ordering import linear_terms
from cpsolve.counting.product import Limits
from cpsolve.expressions import Comparison, Condition, Implies, Not, Or, Variable, linear_form, scope
from cpsolve.limits import look, looking

MOST_VALUES = 64
"""A domain is one word."""
MOST_VARIABLES = 3000
LARGEST_AUTOMATON = 200_000
"""Entries of an automaton's tables: they are read at every propagation."""
SLICE = 1 << 19
"""How many entries of constraints are looked at between two looks at the clock: some milliseconds."""
SCALE = 1000
"""Of the ranks of variables, so that they can be added to logarithms as whole numbers."""

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
        for constraint in constraints:
            look("counting")
            held = scope(constraint)
            if not held:
                self.impossible |= not constraint.value({})
                continue
            if self._simple(constraint):
                continue
            if len(held) > WIDE_SCOPE:
                self.fits = False
                return
            made = automaton_of(constraint, self._layout, self._domains, limits.kept, limits.memory, limits.deadline)
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
        self.sets = cliques(self.sets)
        sum_at, sum_of, sum_by = _rows([each.terms for each in self.sums])
        set_at, set_of, _ = _rows([each.members for each in self.sets])
        shifts, permutation = [], []
        plain = [True] * count
        for each in self.sets:
            spans = [(self.variables[number].lo + offset, self.variables[number].hi + offset) for number, offset in each.members]
            low = min(span[0] for span in spans)
            shifts += [span[0] - low for span in spans]
            permutation.append(max(span[1] for span in spans) - low + 1 == len(spans))
            if len({offset for _, offset in each.members}) > 1:
                for number, _ in each.members:
                    plain[number] = False
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
        self.scopes = [[number for number, _ in each.terms] for each in looking(self.sums, "counting")]
        self.scopes += [[number for number, _ in each.members] for each in self.sets]
        self.scopes += [list(automaton.positions) for automaton in automata]
        held: list[list[Term]] = [[] for _ in range(count)]  # constraints, each with the place in the rows of its kind
        places = [*range(sum_at[-1]), *range(set_at[-1]), *range(len(auto_of))]
        entry = iter(places)
        for number, members in looking(enumerate(self.scopes), "counting"):
            for member in members:
                held[member].append((number, next(entry)))
        where, holders, entries = _rows(held)
        base = min((v.lo for v in self.variables), default=0)
        aligned = [v.lo - base if plain[i] and v.hi - base < MOST_VALUES else -1 for i, v in enumerate(self.variables)]
        sizes = [v.hi - v.lo + 1 for v in self.variables]
        self.problem = _joined(
            [
                [v.lo for v in self.variables], where, holders, entries, sum_at, sum_of, sum_by, [each.limit for each in self.sums],
                [each.equal for each in self.sums], set_at, set_of, shifts, permutation, auto_at, auto_of, tables_at, columns, states_at,
                aligned, sizes,
            ],
            [count, len(self.sums), len(self.sets)],
        )  # fmt: skip
        self.tables = np.concatenate(pieces) if pieces else np.zeros(1, np.int32)
        self.longest = 8 + 4 * count + 64 * (count // 64 + 1) + len(self.sums) + len(auto_of)
        self.domains = np.array([(1 << size) - 1 for size in sizes], np.uint64)
        self.now = np.zeros(16, np.int64)
        constraints, states = len(self.scopes) + 1, states_at[-1] + 2
        self.state = (
            np.zeros(2 * (sum(sizes) + count + 1), np.uint64), self.now, np.zeros(constraints, np.int64), np.zeros(constraints, np.int32),
            np.zeros(states, np.int32), np.zeros(states, np.int32),
        )  # fmt: skip

    @property
    def countable(self) -> bool:
        """Whether components can be remembered: what is left of a sum has to fit beside its number in a word."""
        reach = max((abs(each.limit) + sum(abs(c) * self._far(v) for v, c in each.terms) for each in self.sums), default=0)
        return reach < 1 << 42 and len(self.scopes) < 1 << 20

    def _far(self, number: int) -> int:
        return max(abs(self.variables[number].lo), abs(self.variables[number].hi))

    def propagate(self) -> bool:
        """Narrows the domains by all constraints; False when they clash."""
        from cpsolve.counting import search_kernels as kernels

        _, now, queue, waiting, _, _ = self.state
        queue[: len(self.scopes)] = np.arange(len(self.scopes))[::-1]
        waiting[: len(self.scopes)] = 1
        now[kernels.TRAIL], now[kernels.QUEUE] = 0, len(self.scopes)
        possible = kernels.propagate(self.problem, self.tables, self.domains, *self.state)
        now[kernels.TRAIL] = 0
        return bool(possible)

    def narrowed(self) -> dict[Variable, tuple[int, ...]]:
        """The variables that lost values, with those they have left."""
        result = {}
        for variable, domain in zip(self.variables, self.domains.tolist(), strict=True):
            if domain.bit_count() < variable.hi - variable.lo + 1:
                result[variable] = tuple(variable.lo + place for place in range(variable.hi - variable.lo + 1) if domain >> place & 1)
        return result

    # -- listing

    def listed(self, most: int, limits: Limits) -> Iterator[NDArray[Any] | None]:
        """Up to ``most`` solutions, one row of values each. Yields None between two slices of work, then the rows.

        Of ``most`` rows only the number means something: there may be more.
        """
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
        now = self.now
        now[kernels.DEPTH] = now[kernels.ROWS] = now[kernels.DECISIONS] = 0
        while True:
            state = kernels.find(self.problem, self.tables, self.domains, *self.state, ranks, stack, rest, found, SLICE)
            if state == kernels.DONE:
                limits.memory.check(8 * int(now[kernels.ROWS]) * count, int(now[kernels.ROWS]))
                yield np.add(found[: now[kernels.ROWS]], np.array([v.lo for v in self.variables], np.int64), dtype=np.int64)
                return
            if state == kernels.FULL and len(found) >= most:
                yield found
                return
            if state == kernels.FULL:
                rows = min(most, 4 * len(found))
                limits.memory.take(4 * (rows - len(found)) * count, rows)
                larger = np.empty((rows, count), np.int32)
                larger[: len(found)] = found
                found = larger
            yield None

    @property
    def decisions(self) -> int:
        """How many have been made since listing or counting began."""
        from cpsolve.counting import search_kernels as kernels

        return int(self.now[kernels.DECISIONS])

    def _holders(self) -> list[list[int]]:
        held: list[list[int]] = [[] for _ in self.variables]
        for number, members in looking(enumerate(self.scopes), "counting"):
            for member in members:
                held[member].append(number)
        return held

    # -- counting

    def counted(self, limits: Limits, breadth: float, stats: dict[str, Any]) -> Iterator[int | None]:
        """The number of solutions. Yields None between two slices of work, then the number.

        Branches on variables in the order of a tree decomposition; ``breadth`` is how many places a variable waits per doubling of its
        domain. Where that is wide, the variables of constraints that are close to deciding something come first.
        """
        from cpsolve.counting import search_kernels as kernels

        if self.impossible or not self.propagate():
            yield 0
            return
        count = len(self.variables)
        free = int(sum(domain.bit_count() > 1 for domain in self.domains.tolist()))
        order, width = yield from self._ranks()
        ranks = _ints(order) * SCALE
        weight = min(1.0, (2 * width / max(1, free)) ** 4)  # the wider the decomposition is, the less there is to hope from it
        breadths = np.array([SCALE * weight, *(SCALE * breadth * np.log2(np.arange(1, MOST_VALUES + 1)))], np.int64)
        words = prod(domain.bit_count() for domain in self.domains.tolist()).bit_length() // 64 + 1
        cache = _Cache(words, self.longest, limits.memory)
        room = count * (free + 2) + 2
        limits.memory.take(4 * room + 8 * (free + 3) * (kernels.FRAME + 2 + 2 * words), free)
        scope = np.zeros(room, np.int32)
        parts = np.zeros((count * 2 + 4, 2), np.int32)
        group, met, line = np.zeros(count, np.int64), np.zeros(len(self.scopes) + 1, np.int64), np.zeros(count, np.int32)
        columns, pressure = np.zeros(64 * (count // 64 + 1), np.uint64), np.zeros(count, np.int64)
        frames = np.zeros((free + 3, kernels.FRAME), np.int64)
        rest = np.zeros(free + 3, np.uint64)
        totals, products = np.zeros((free + 3, words), np.uint64), np.zeros((free + 3, words), np.uint64)
        now = self.now
        now[kernels.DEPTH :] = 0
        scope[:count] = np.arange(count)
        now[kernels.SCOPE_TOP] = count
        products[0, 0] = 1
        kernels.split(
            self.problem, self.tables, self.domains, *self.state, scope, 0, count, parts, group, met, line, products, 0
        )  # fmt: skip
        frames[0, kernels.KEY], frames[0, kernels.COUNTING], frames[0, kernels.TOP] = -1, 1, now[kernels.SCOPE_TOP]
        while True:
            state = kernels.count(
                self.problem, self.tables, self.domains, *self.state, ranks, breadths, scope, parts, group, met, line, columns, pressure,
                frames, rest, totals, products, cache.arena, cache.entries, cache.values, cache.index, self.longest, SLICE,
            )  # fmt: skip
            stats.update(decisions=self.decisions, remembered=int(now[kernels.ENTRIES]))
            if state == kernels.DONE:
                cache.close()
                yield integers(totals[:1])[0]
                return
            if state == kernels.FULL:
                cache.grow(now, frames)
            yield None

    def _ranks(self) -> Generator[None, None, tuple[list[int], int]]:
        """The order in which to branch, what separates most first, and the largest bag. Yields None between two slices of work."""
        count = len(self.variables)
        neighbours: list[set[int]] = [set() for _ in range(count)]
        alive = [domain.bit_count() > 1 for domain in self.domains.tolist()]
        for members in looking(self.scopes, "counting"):
            free = [member for member in members if alive[member]]
            if len(free) <= WIDE_SCOPE:
                for a, b in combinations(free, 2):
                    neighbours[a].add(b)
                    neighbours[b].add(a)
        order, bags = yield from eliminated(neighbours)
        return dissected(order, bags), max(map(len, bags.values()), default=0)


WIDE_SCOPE = 24
"""Constraints on more variables than this do not count as edges of the graph that is decomposed, and are no automata of the search."""


class _Cache:
    """What components came to: keys in one long array, numbers in words, found through a hash table. It is emptied when memory is short."""

    def __init__(self, words: int, longest: int, memory: Memory) -> None:
        self._memory = memory
        size = 1 << 13
        self.arena = np.zeros(max(8 * longest, 1 << 15), np.uint64)
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
            frames[:, kernels.KEY] = -1
            now[kernels.ARENA_END] = now[kernels.ENTRIES] = 0
            self.index[:] = -1
            return
        self._memory.give_back(self._bytes())
        if 8 * now[kernels.ARENA_END] > 7 * len(self.arena):
            self.arena = np.concatenate([self.arena, np.zeros_like(self.arena)])
        if now[kernels.ENTRIES] + len(frames) + 2 > len(self.entries):
            self.entries = np.concatenate([self.entries, np.zeros_like(self.entries)])
            self.values = np.concatenate([self.values, np.zeros_like(self.values)])
            self.index = np.full(2 * len(self.index), -1, np.int32)
            kernels.reindex(self.entries, int(now[kernels.ENTRIES]), self.index)
        self._memory.take(self._bytes(), int(now[kernels.ENTRIES]))

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


def _joined(tables: Sequence[Sequence[int] | NDArray[np.int64]], numbers: Sequence[int]) -> NDArray[np.int64]:
    """The tables in one array, behind where each begins and some numbers."""
    begins = np.cumsum([len(tables) + len(numbers), *map(len, tables)])
    return np.concatenate([np.asarray(part, np.int64) for part in (begins[:-1], numbers, *tables)])


def _ints(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)


def cliques(sets: Sequence[Different]) -> list[Different]:
    """The same sets, with pairs of variables that all differ from each other made one: more follows from that, in fewer steps."""
    pairs = [each for each in sets if len(each.members) == 2 and each.members[0][1] == each.members[1][1]]
    neighbours: dict[int, set[int]] = {}
    for (a, _), (b, _) in (each.members for each in pairs):
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    kept = set(map(id, pairs))
    result = [each for each in sets if id(each) not in kept]
    covered: set[tuple[int, int]] = set()
    for (a, _), (b, _) in (each.members for each in pairs):
        if (a, b) in covered:
            continue
        look("counting")
        clique = [a, b]
        common = neighbours[a] & neighbours[b]
        while common:
            node = max(common, key=lambda node: (len(neighbours[node] & common), -node))
            clique.append(node)
            common = common & neighbours[node]
        for one, other in combinations(clique, 2):
            covered |= {(one, other), (other, one)}
        result.append(Different(tuple([(node, 0) for node in sorted(clique)])))
    return result


def _rows(pairs: Sequence[Sequence[tuple[int, int]]]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each row begins, and the two columns of all rows."""
    return (
        np.cumsum([0, *map(len, pairs)]).astype(np.int64),
        _ints([first for row in looking(pairs, "counting") for first, _ in row]),
        _ints([second for row in looking(pairs, "counting") for _, second in row]),
    )

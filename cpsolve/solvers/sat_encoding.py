"""A model written in clauses.

A *literal* is a positive number for a 0/1 variable of the solver, the negative number for its opposite. A number (:class:`Number`) is
written in unary: one literal per value ("it is 3"), one per step ("it is at least 3"), or both, made when they are first asked for. A
sum of many terms is added up in a tree of such numbers (the generalised totalizer of Joshi, Martins and Manquinho, 2015), each cut down
to the range that matters. Every auxiliary variable is a function of the model's variables, so that solutions are counted once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise
from math import gcd
from typing import TYPE_CHECKING, Any

from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Clause, ExactlyOne, LazyConstraint, Table
from cpsolve.errors import UnsupportedError
from cpsolve.expressions import (
    And,
    Comparison,
    Condition,
    Constraint,
    Expression,
    Extremum,
    Function,
    Implies,
    Maximum,
    Minimum,
    Not,
    Or,
    Variable,
    Xor,
    linear_form,
    remembering,
)
from cpsolve.limits import look, looking
from cpsolve.lower import OPPOSITE

if TYPE_CHECKING:
    from cpsolve.model import Model

MOST_VALUES = 20_000
"""A number with more values is refused: each takes a variable of the solver."""
MOST_CLAUSES = 1_000_000
"""A sum whose parts need more clauses than this is refused."""
FEW_TERMS = 5
"""Up to this number of terms with two values, one apart, a sum is spelled out subset by subset."""
FEW_VALUES = 8
"""Up to this number of values a number that is asked for single values does without steps between them."""


class Number:
    """A whole number in unary: ``values`` in increasing order, with literals for "it is" and "it is at least"."""

    __slots__ = ("_encoding", "_equal", "_steps", "values")

    def __init__(self, encoding: Encoding, values: Sequence[int], steps: list[int] | None = None) -> None:
        self._encoding = encoding
        self.values = values
        self._steps = steps if steps is not None or len(values) > 1 else []
        self._equal: dict[int, int] = {}

    def at_least(self, bound: int) -> int:
        """The literal "it is ``bound`` or more"."""
        place = bisect_left(self.values, bound)
        if place == 0:
            return self._encoding.true
        if place == len(self.values):
            return -self._encoding.true
        return self.steps[place - 1]

    @property
    def steps(self) -> list[int]:
        """The literals "it is at least the second value", "at least the third" …"""
        if self._steps is None:
            encoding = self._encoding
            self._steps = [encoding.new() for _ in self.values[1:]]
            for lower, higher in pairwise(self._steps):
                encoding.clause([-higher, lower])
            if self._equal:  # single values came first: tie the two together
                for place, value in enumerate(self.values):
                    self._tie(place, self._equal[value])
        return self._steps

    def _tie(self, place: int, equal: int) -> None:
        """The literal ``equal`` is true exactly when the number is the value at a place."""
        steps = self.steps
        reached = steps[place - 1] if place else None
        beyond = steps[place] if place < len(steps) else None
        clause = [equal]
        if reached is not None:
            self._encoding.clause([-equal, reached])
            clause.append(-reached)
        if beyond is not None:
            self._encoding.clause([-equal, -beyond])
            clause.append(beyond)
        self._encoding.clause(clause)

    def equal(self, value: int) -> int:
        """The literal "it is ``value``"."""
        known = self._equal.get(value)
        if known is not None:
            return known
        encoding, values = self._encoding, self.values
        place = bisect_left(values, value)
        if place == len(values) or values[place] != value:
            return -encoding.true
        if len(values) == 1:
            return encoding.true
        if place == 0 and len(values) == 2:
            return -self.steps[0]
        if place == len(values) - 1 and (self._steps is not None or len(values) == 2):
            return self.steps[-1]
        if place == 0 and self._steps is not None:
            return -self.steps[0]
        if self._steps is None and len(values) <= FEW_VALUES:
            for each in values:
                self._equal[each] = encoding.new()
            literals = list(self._equal.values())
            encoding.clause(literals)
            for one, other in combinations(literals, 2):
                encoding.clause([-one, -other])
            return self._equal[value]
        _ = self.steps  # before the literal, which would otherwise be taken for one of a full set
        literal = self._equal[value] = encoding.new()
        self._tie(place, literal)
        return literal

    def read(self, truth: Sequence[bool]) -> int:
        """Its value where ``truth[variable]`` says which of the solver's variables are true; the least if nobody asked for it."""
        if self._steps is not None:
            low, high = 0, len(self._steps)
            while low < high:  # steps are true up to a point
                middle = (low + high) // 2
                step = self._steps[middle]
                if truth[step] if step > 0 else not truth[-step]:
                    low = middle + 1
                else:
                    high = middle
            return self.values[low]
        for value, literal in self._equal.items():
            if truth[literal]:
                return value
        return self.values[0]


@dataclass(frozen=True)
class Pending:
    """A constraint of which only a part is stated: it must hold (or, ``negated``, fail) whenever all literals of ``when`` are true."""

    constraint: LazyConstraint
    when: tuple[int, ...]
    negated: bool
    numbers: tuple[Number, ...]
    bits: tuple[int, ...] | None
    """The literals "it is 1" where all numbers are 0 or 1."""


Terms = list[tuple[int, Number]]


class Encoding:
    """Clauses under construction: ``take`` hands out what was written since it was last called.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> a, b, c = m.bool_vars(3)
    >>> _ = m.add(a | ~b), m.add(a + b + c >= 2)
    >>> Encoding(m).take()
    [[1], [2, -3], [2, 3], [2, 4], [3, 4]]
    """

    def __init__(self, model: Model, constraints: bool = True) -> None:
        self.top = 1
        self.true = 1
        self._clauses: list[list[int]] = [[1]]
        self._domains = remembering()
        self._literals: dict[Expression, int] = {}
        self._comparisons: dict[Any, int] = {}
        self.numbers: dict[Expression, Number] = {}
        self.pending: list[Pending] = []
        narrowed = _narrowed(model) if constraints else {}
        for variable in model.variables:
            self.numbers[variable] = self.number_over(variable, narrowed.get(variable))
        if constraints:
            for entry in model.constraints:
                self.post(entry.constraint)

    def number_over(self, variable: Variable, narrowed: Narrowed | None = None) -> Number:
        """A number with the domain of a variable, or what is left of it; with all of it if nothing is."""
        values: Sequence[int] = range(variable.lo, variable.hi + 1)
        if narrowed is not None and narrowed.high - narrowed.low <= MOST_VALUES:
            values = narrowed.values() or values
        if variable.is_boolean and len(values) == 2:
            return Number(self, (0, 1), [self.new()])
        if len(values) > MOST_VALUES:
            raise UnsupportedError(
                f"sat writes every value apart and {variable} has {variable.hi - variable.lo + 1:,}; use the backend 'cpsat'"
            )
        return Number(self, values)

    def take(self) -> list[list[int]]:
        """The clauses written since the last call."""
        taken, self._clauses = self._clauses, []
        return taken

    def new(self) -> int:
        """A new variable of the solver."""
        look("encoding")
        self.top += 1
        return self.top

    def clause(self, literals: Iterable[int], when: Sequence[int] = ()) -> None:
        """At least one of the literals is true whenever all of ``when`` are."""
        self._clauses.append([*(-literal for literal in when), *literals])

    # -- numbers

    def number(self, expression: Expression) -> Number:
        """A number that equals an expression."""
        known = self.numbers.get(expression)
        if known is None:
            known = self.numbers[expression] = self._define(expression)
        return known

    def _define(self, expression: Expression) -> Number:
        if isinstance(expression, Constraint):
            return Number(self, (0, 1), [self.literal(expression)])
        if fast := DEFINE.get(type(expression)):
            return fast(self, expression)
        low, high = expression.interval(self._domains)
        if isinstance(expression, Function):
            result = Variable(-1, low, high, str(expression))
            number = self.numbers[result] = self.number_over(result)
            self.post(expression.definition(result))
            return number
        terms, constant = self._terms((1, expression))
        total = self._sum(terms, low - constant, high - constant) if terms else Number(self, (0,))
        return Number(self, [value + constant for value in total.values], total.steps if len(total.values) > 1 else None)

    def _largest(self, extremum: Extremum) -> Number:
        """The largest (least) of numbers reaches a bound when one of them (all of them) does."""
        numbers = [self.number(arg) for arg in extremum.args]
        low, high = extremum.interval(self._domains)
        if high - low >= MOST_VALUES:
            raise UnsupportedError(f"sat writes every value apart and {extremum} has {high - low + 1:,}; use the backend 'cpsat'")
        steps = []
        for bound in range(low + 1, high + 1):
            literals = [number.at_least(bound) for number in numbers]
            steps.append(self._any(literals) if extremum.sign > 0 else -self._any([-literal for literal in literals]))
        return Number(self, range(low, high + 1), steps)

    def _terms(self, *parts: tuple[int, Expression | int]) -> tuple[Terms, int]:
        """A sum as (coefficient, number) pairs and a constant."""
        terms, constant = linear_form(*parts)
        found: dict[Number, int] = {}
        for atom, coefficient in looking(terms.items(), "encoding"):
            if isinstance(atom, Not):
                constant += coefficient
                atom, coefficient = atom.arg, -coefficient
            number = self.number(atom)
            found[number] = found.get(number, 0) + coefficient
        varying: Terms = []
        for number, coefficient in looking(found.items(), "encoding"):
            if len(number.values) == 1:
                constant += coefficient * number.values[0]
            elif coefficient:
                varying.append((coefficient, number))
        return varying, constant

    def _sum(self, terms: Terms, low: int, high: int) -> Number:
        """A sum, exact where it lies in low..high; smaller and larger values may be told as one that is beyond that end."""
        if len(terms) == 1:
            coefficient, number = terms[0]
            if coefficient == 1:
                return number
            if coefficient > 0:
                return Number(self, [coefficient * value for value in number.values], number.steps)
            return Number(self, [coefficient * value for value in reversed(number.values)], [-step for step in reversed(number.steps)])
        look("encoding")
        half = len(terms) // 2
        left, right = terms[:half], terms[half:]
        (least, most), (other_least, other_most) = _reach(left), _reach(right)
        first = self._sum(left, max(least, low - other_most), min(most, high - other_least))
        second = self._sum(right, max(other_least, low - most), min(other_most, high - least))
        return self._plus(first, second, low, high)

    def _plus(self, first: Number, second: Number, low: int, high: int) -> Number:
        if len(first.values) * len(second.values) > MOST_CLAUSES:
            raise UnsupportedError(
                f"sat adds numbers value by value, and {len(first.values):,} × {len(second.values):,} are too many; use the backend 'cpsat'"
            )
        sums = sorted({a + b for a in first.values for b in second.values})
        below = max(bisect_left(sums, low) - 1, 0)
        above = min(bisect_left(sums, high), len(sums) - 1)
        if above + 1 < len(sums) and sums[above] == high:
            above += 1
        values = sums[below : above + 1]
        if len(values) == 1:
            return Number(self, values)
        steps = [self.new() for _ in values[1:]]
        for lower, higher in pairwise(steps):
            self.clause([-higher, lower])
        place = {value: i for i, value in enumerate(values)}
        ones, others = _with_steps(first), _with_steps(second)
        for a, reached, beyond in ones:
            look("encoding")
            for b, other_reached, other_beyond in others:
                total = a + b
                at = place.get(total)
                if at is None:
                    at = 0 if total < values[0] else len(values) - 1
                if at > 0:  # both reach theirs: the sum reaches theirs together
                    clause = [steps[at - 1]]
                    if reached is not None:
                        clause.append(-reached)
                    if other_reached is not None:
                        clause.append(-other_reached)
                    self.clause(clause)
                if total < values[-1] and at < len(steps):  # neither goes beyond: nor does the sum
                    clause = [-steps[at]]
                    if beyond is not None:
                        clause.append(beyond)
                    if other_beyond is not None:
                        clause.append(other_beyond)
                    self.clause(clause)
        return Number(self, values, steps)

    # -- literals

    def literal(self, condition: Condition) -> int:
        """A literal that is true exactly when the condition holds."""
        if isinstance(condition, Variable):
            return self.numbers[condition].at_least(1)
        if isinstance(condition, Not):
            return -self.literal(condition.arg)
        known = self._literals.get(condition)
        if known is None:
            known = self._literals[condition] = self._reify(condition)
        return known

    def _reify(self, constraint: Constraint) -> int:
        low, high = constraint.interval(self._domains)
        if low == high:
            return self.true if low else -self.true
        if fast := REIFY.get(type(constraint)):
            return fast(self, constraint)
        if isinstance(constraint, LazyConstraint):
            result = self.new()
            self.post(constraint, (result,))
            self._lazy(constraint, (-result,), negated=True)
            return result
        return self.literal(constraint.decomposition())

    def _any(self, literals: Sequence[int]) -> int:
        """The literal "one of ``literals`` is true"."""
        chosen = list(dict.fromkeys(literal for literal in literals if literal != -self.true))
        if self.true in chosen or any(-literal in chosen for literal in chosen):
            return self.true
        if not chosen:
            return -self.true
        if len(chosen) == 1:
            return chosen[0]
        result = self.new()
        self.clause([-result, *chosen])
        for literal in chosen:
            self.clause([result, -literal])
        return result

    def _reify_and(self, condition: And) -> int:
        return -self._any([-self.literal(arg) for arg in condition.args])

    def _reify_or(self, condition: Or) -> int:
        return self._any([self.literal(arg) for arg in condition.args])

    def _reify_implies(self, condition: Implies) -> int:
        return self._any([-self.literal(condition.left), self.literal(condition.right)])

    def _reify_xor(self, condition: Xor) -> int:
        result = -self.true
        for literal in [self.literal(arg) for arg in condition.args]:
            result = self._either(result, literal)
        return result

    def _either(self, one: int, other: int) -> int:
        """The literal "exactly one of the two is true"."""
        if abs(one) == self.true:
            return other if one < 0 else -other
        if abs(other) == self.true:
            return one if other < 0 else -one
        result = self.new()
        for clause in ([-one, -other, -result], [one, other, -result], [one, -other, result], [-one, other, result]):
            self.clause(clause)
        return result

    def _reify_table(self, table: Table) -> int:
        return self._any([self._row(table, row) for row in table.rows])

    def _row(self, table: Table, row: Sequence[int]) -> int:
        return -self._any([-self.number(arg).equal(cell) for arg, cell in zip(table.args, row, strict=True)])

    def _reify_automaton(self, automaton: Automaton) -> int:
        accepting, steps, count = automaton.numbered()
        states = [self.true if state == 0 else -self.true for state in range(count)]
        for arg in automaton.args:
            number = self.number(arg)
            ways: list[list[int]] = [[] for _ in range(count)]
            for (tail, label), head in looking(steps.items(), "encoding"):
                if states[tail] != -self.true and (literal := number.equal(label)) != -self.true:
                    ways[head].append(-self._any([-states[tail], -literal]))
            states = [self._any(literals) for literals in ways]
        return self._any([states[state] for state in accepting])

    # -- comparisons

    def _compared(self, comparison: Comparison) -> tuple[Terms, str, int]:
        """A comparison as terms, one of == != <=, and a limit, divided by the common divisor."""
        terms, constant = self._terms((1, comparison.left), (-1, comparison.right))
        op, limit = comparison.op, -constant
        if op in (">", ">="):
            terms, limit, op = [(-coefficient, number) for coefficient, number in terms], -limit, {">": "<", ">=": "<="}[op]
        if op == "<":
            limit, op = limit - 1, "<="
        divisor = gcd(*(coefficient for coefficient, _ in terms))
        if divisor > 1:
            if op == "<=":
                limit //= divisor
            elif limit % divisor:
                return [], op, 1  # never equal
            else:
                limit //= divisor
            terms = [(coefficient // divisor, number) for coefficient, number in terms]
        return terms, op, limit

    def _single(self, comparison: Comparison) -> int | None:
        """The literal of a comparison of one variable with a constant; None of any other."""
        left, op, right = comparison.left, comparison.op, comparison.right
        if type(left) is not Variable or type(right) is not int:
            return None
        number = self.numbers[left]
        if op in ("==", "!="):
            return number.equal(right) if op == "==" else -number.equal(right)
        reached = number.at_least(right + (op in (">", "<=")))
        return reached if op in (">", ">=") else -reached

    def _reify_comparison(self, comparison: Comparison) -> int:
        if (single := self._single(comparison)) is not None:
            return single
        terms, op, limit = self._compared(comparison)
        simple = self._simple(terms, op, limit)
        if simple is not None:
            return simple
        key = (frozenset((coefficient, id(number)) for coefficient, number in terms), op, limit)
        known = self._comparisons.get(key)
        if known is None:
            known = self._comparisons[key] = self.new()
            self._state(terms, op, limit, (known,))
            if op == "<=":
                self._state([(-coefficient, number) for coefficient, number in terms], op, -limit - 1, (-known,))
            else:
                self._state(terms, OPPOSITE[op], limit, (-known,))
        return known

    def _simple(self, terms: Terms, op: str, limit: int) -> int | None:
        """The literal of a comparison that needs no clauses, or None."""
        least, most = _reach(terms)
        if op == "<=":
            if most <= limit:
                return self.true
            if least > limit:
                return -self.true
        elif not least <= limit <= most:
            return -self.true if op == "==" else self.true
        if not terms:
            return self.true if (limit == 0) == (op == "==") or (op == "<=" and limit >= 0) else -self.true
        if len(terms) > 1:
            return None
        ((coefficient, number),) = terms
        if op == "<=":
            return -number.at_least(limit // coefficient + 1) if coefficient > 0 else number.at_least(-(limit // -coefficient))
        if limit % coefficient:
            return -self.true if op == "==" else self.true
        equal = number.equal(limit // coefficient)
        return equal if op == "==" else -equal

    def _compare(self, comparison: Comparison, when: Sequence[int]) -> None:
        simple = self._single(comparison)
        if simple is None:
            terms, op, limit = self._compared(comparison)
            simple = self._simple(terms, op, limit)
        if simple is None:
            self._state(terms, op, limit, when)
        elif simple != self.true:
            self.clause([simple], when)

    def _state(self, terms: Terms, op: str, limit: int, when: Sequence[int]) -> None:
        """Clauses for a comparison of two or more terms, whenever all of ``when`` are true."""
        simple = self._simple(terms, op, limit)
        if simple is not None:
            if simple != self.true:
                self.clause([simple], when)
            return
        if op == "<=" and self._one_step(terms, limit, when):
            return
        if len(terms) <= FEW_TERMS and all(_is_bit(number) for _, number in terms):
            self._subsets(terms, op, limit, when)
        elif len(terms) == 2:
            self._pair(terms, op, limit, when)
        elif op == "<=":
            total = self._sum(_sorted(terms), limit, limit + 1)
            self.clause([-total.at_least(limit + 1)], when)
        else:
            total = self._sum(_sorted(terms), limit - 1, limit + 1)
            reached, beyond = total.at_least(limit), total.at_least(limit + 1)
            if op == "==":
                self.clause([reached], when)
                self.clause([-beyond], when)
            else:
                self.clause([-reached, beyond], when)

    def _one_step(self, terms: Terms, limit: int, when: Sequence[int]) -> bool:
        """A sum that is to be at its least, or not at its most: every term is at its least, or some term is not at its most."""
        least, most = _reach(terms)
        ends = [(number, -1, 0) if coefficient < 0 else (number, 0, -1) for coefficient, number in terms]
        gaps = [(abs(c) * (n.values[1] - n.values[0]), abs(c) * (n.values[-1] - n.values[-2])) for c, n in terms]
        rise = min(first if coefficient > 0 else last for (coefficient, _), (first, last) in zip(terms, gaps, strict=True))
        fall = min(last if coefficient > 0 else first for (coefficient, _), (first, last) in zip(terms, gaps, strict=True))
        if limit < least + rise:
            for number, low, _ in ends:
                self.clause([number.equal(number.values[low])], when)
        elif limit >= most - fall:
            self.clause([-number.equal(number.values[high]) for number, _, high in ends], when)
        else:
            return False
        return True

    def _subsets(self, terms: Terms, op: str, limit: int, when: Sequence[int]) -> None:
        """Sums of few terms with two values, one apart: no subset may be true (or false) that would break the limit."""
        literals = [number.steps[0] if coefficient > 0 else -number.steps[0] for coefficient, number in terms]
        weights = tuple(abs(coefficient) for coefficient, _ in terms)
        limit -= _reach(terms)[0]
        if op in ("<=", "=="):
            for chosen in _covers(weights, limit):
                self.clause([-literals[i] for i in chosen], when)
        if op == "==":
            for chosen in _covers(weights, sum(weights) - limit):
                self.clause([literals[i] for i in chosen], when)
        if op == "!=":
            for chosen in _exact(weights, limit):
                self.clause([-literal if i in chosen else literal for i, literal in enumerate(literals)], when)

    def _pair(self, terms: Terms, op: str, limit: int, when: Sequence[int]) -> None:
        """Two numbers: each value of the one says what the other may be."""
        (a, one), (b, other) = terms
        if op == "<=" or (op == "==" and max(len(one.values), len(other.values)) > 4 * FEW_VALUES):
            self._at_most(a, one, b, other, limit, when)
            if op == "==":
                self._at_most(-a, one, -b, other, -limit, when)
            return
        for value in one.values:
            rest = limit - a * value
            match = other.equal(rest // b) if rest % b == 0 else -self.true
            if op == "==":
                self.clause([-one.equal(value), match], when)
            elif match != -self.true:
                self.clause([-one.equal(value), -match], when)
        if op == "==":
            for value in other.values:
                rest = limit - b * value
                match = one.equal(rest // a) if rest % a == 0 else -self.true
                self.clause([-other.equal(value), match], when)

    def _at_most(self, a: int, one: Number, b: int, other: Number, limit: int, when: Sequence[int]) -> None:
        """a × one + b × other is at most the limit."""
        for value in one.values:
            reached = one.at_least(value) if a > 0 else -one.at_least(value + 1)
            rest = limit - a * value
            bound = -other.at_least(rest // b + 1) if b > 0 else other.at_least(-(rest // -b))
            if bound != self.true:
                self.clause([-reached, bound], when)

    # -- constraints

    def post(self, condition: Condition, when: Sequence[int] = ()) -> None:
        """Makes the condition hold whenever all literals of ``when`` are true."""
        look("encoding")
        if fast := POST.get(type(condition)):
            fast(self, condition, when)
        elif isinstance(condition, LazyConstraint):
            low, high = condition.interval(self._domains)
            if not high:
                self.clause([], when)
            elif not low:
                pending = self._lazy(condition, when, negated=False)
                if clauses := condition.clauses():
                    self._clauses += [self._written(pending, clause) for clause in clauses]
                else:
                    self.post(condition.relaxation(), when)
        elif isinstance(condition, Constraint):
            self.post(condition.decomposition(), when)
        else:
            self.clause([self.literal(condition)], when)

    def _lazy(self, constraint: LazyConstraint, when: Sequence[int], negated: bool) -> Pending:
        numbers = tuple(self.number(arg) for arg in looking(constraint.args, "encoding"))
        binary = all(isinstance(arg, Constraint) or (isinstance(arg, Variable) and arg.is_boolean) for arg in constraint.args)
        bits = tuple(number.at_least(1) for number in numbers) if binary else None
        self.pending.append(Pending(constraint, tuple(when), negated, numbers, bits))
        return self.pending[-1]

    def _all(self, condition: And, when: Sequence[int]) -> None:
        for part in condition.args:
            self.post(part, when)

    def _some(self, condition: Or, when: Sequence[int]) -> None:
        literals = [self.literal(arg) for arg in condition.args]
        if self.true not in literals:
            self.clause([literal for literal in literals if literal != -self.true], when)

    def _implies(self, condition: Implies, when: Sequence[int]) -> None:
        given = self.literal(condition.left)
        if given != -self.true:
            self.post(condition.right, (*when, given))

    def _not(self, condition: Not, when: Sequence[int]) -> None:
        arg = condition.arg
        match arg:
            case Comparison():
                self._compare(Comparison(arg.left, OPPOSITE[arg.op], arg.right), when)
            case Or():
                for part in arg.args:
                    self.post(Not(part), when)
            case Table():
                for row in looking(arg.rows, "encoding"):
                    self.clause([-self.number(each).equal(cell) for each, cell in zip(arg.args, row, strict=True)], when)
            case LazyConstraint() if arg.interval(self._domains) == (0, 1):
                self._lazy(arg, when, negated=True)
            case _:
                self.clause([-self.literal(arg)], when)

    def _at_most_one(self, condition: AtMostOne, when: Sequence[int]) -> None:
        self._one_at_most([self.literal(arg) for arg in condition.args], when)

    def _exactly_one(self, condition: ExactlyOne, when: Sequence[int]) -> None:
        literals = [self.literal(arg) for arg in condition.args]
        self.clause(literals, when)
        self._one_at_most(literals, when)

    def _one_at_most(self, literals: Sequence[int], when: Sequence[int]) -> None:
        """Pair by pair if there are few; else group by group, with a literal "one of this group" each."""
        varying = [literal for literal in literals if literal != -self.true]
        while len(varying) > FEW_VALUES:
            groups = [varying[start : start + 4] for start in range(0, len(varying), 4)]
            for group in groups:
                self._one_at_most(group, when)
            varying = [self._any(group) for group in groups]
        for one, other in combinations(varying, 2):
            self.clause([-one, -other], when)

    def _all_different(self, condition: AllDifferent, when: Sequence[int]) -> None:
        """At most one of the numbers has each value; all values are taken if there are as many as numbers."""
        numbers = [self.number(arg) for arg in condition.args]
        values = sorted({value for number in numbers for value in number.values})
        if len(values) < len(numbers):
            self.clause([], when)
            return
        for value in values:
            literals = [literal for number in numbers if (literal := number.equal(value)) != -self.true]
            self._one_at_most(literals, when)
            if len(values) == len(numbers):
                self.clause(literals, when)

    def _table(self, table: Table, when: Sequence[int]) -> None:
        numbers = [self.number(arg) for arg in table.args]
        if len(numbers) == 1:
            missing = [-numbers[0].equal(value) for value in numbers[0].values if (value,) not in table.rows]
            self._clauses += [[*(-literal for literal in when), literal] for literal in missing]
            return
        possible = looking(table.rows, "encoding")
        rows = [row for row in possible if all(n.equal(cell) != -self.true for n, cell in zip(numbers, row, strict=True))]
        chosen = [self._row(table, row) for row in rows]
        self.clause(chosen, when)
        for column, number in enumerate(numbers):  # a value needs a row that has it
            supports: dict[int, list[int]] = {}
            for row, literal in looking(zip(rows, chosen, strict=True), "encoding"):
                supports.setdefault(row[column], []).append(literal)
            for value in number.values:
                self.clause([-number.equal(value), *supports.get(value, [])], when)

    def cuts(self, truth: Sequence[bool]) -> list[list[int]]:
        """Clauses that an answer breaks although pending constraints imply them; none if it keeps all of these.

        What is broken is found before any of it is written: that makes new literals, of which the answer knows nothing.
        """
        broken = [(pending, clause) for pending in self.pending for clause in self._broken(pending, truth)]
        return [self._written(pending, clause) for pending, clause in broken]

    def _broken(self, pending: Pending, truth: Sequence[bool]) -> list[Clause]:
        """What an answer breaks of one of them."""
        if not all(truth[literal] if literal > 0 else not truth[-literal] for literal in pending.when):
            return []
        if pending.bits is None:
            values = [number.read(truth) for number in pending.numbers]
        else:
            values = [truth[literal] if literal > 0 else not truth[-literal] for literal in pending.bits]
        if not pending.negated:
            return pending.constraint.cuts(values)
        return [[(place, value, False) for place, value in enumerate(values)]] if pending.constraint.compute(values) else []

    def _written(self, pending: Pending, clause: Clause) -> list[int]:
        """A clause that a pending constraint implies, in literals."""
        literals = [-literal for literal in pending.when]
        if pending.bits is not None:
            bits = pending.bits
            return literals + [bits[place] if bool(value) == holds else -bits[place] for place, value, holds in clause]
        for place, value, holds in clause:
            equal = pending.numbers[place].equal(value)
            literals.append(equal if holds else -equal)
        return [literal for literal in literals if literal != -self.true]


@dataclass
class Narrowed:
    """What constraints on a variable alone say of its values."""

    low: int
    high: int
    excluded: set[int] = field(default_factory=set)
    listed: set[int] | None = None

    def compare(self, op: str, limit: int) -> None:
        """The value compares like this with the limit."""
        if op == "!=":
            self.excluded.add(limit)
        if op in ("==", ">=", ">"):
            self.low = max(self.low, limit + (op == ">"))
        if op in ("==", "<=", "<"):
            self.high = min(self.high, limit - (op == "<"))

    def values(self) -> list[int]:
        """The values that are left."""
        left = range(self.low, self.high + 1)
        return [value for value in left if value not in self.excluded and (self.listed is None or value in self.listed)]


def _narrowed(model: Model) -> dict[Expression, Narrowed]:
    """What the model's constraints on single variables say of their values."""
    found: dict[Expression, Narrowed] = {}

    def of(variable: Variable) -> Narrowed:
        if variable not in found:
            found[variable] = Narrowed(variable.lo, variable.hi)
        return found[variable]

    waiting: list[Expression] = [entry.constraint for entry in model.constraints]
    while waiting:
        look("encoding")
        match waiting.pop():
            case And(args=args):
                waiting += args
            case Comparison(left=Variable() as variable, op=op, right=int(limit)):
                of(variable).compare(op, limit)
            case Table(args=(Variable() as variable,), rows=rows):
                narrowed, listed = of(variable), {row[0] for row in rows}
                narrowed.listed = listed if narrowed.listed is None else narrowed.listed & listed
            case Variable() as variable:
                of(variable).compare("==", 1)
            case Not(arg=Variable() as variable):
                of(variable).compare("==", 0)
    return found


def _subsets_of(weights: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (chosen for size in range(len(weights) + 1) for chosen in combinations(range(len(weights)), size))


@lru_cache(maxsize=1000)
def _covers(weights: tuple[int, ...], limit: int) -> list[tuple[int, ...]]:
    """The subsets that weigh more than a limit and that no member can leave.

    >>> _covers((1, 1, 2), 2)
    [(0, 2), (1, 2)]
    """
    found = []
    for chosen in _subsets_of(weights):
        excess = sum(weights[i] for i in chosen) - limit
        if excess > 0 and all(weights[i] >= excess for i in chosen):
            found.append(chosen)
    return found


@lru_cache(maxsize=1000)
def _exact(weights: tuple[int, ...], limit: int) -> list[tuple[int, ...]]:
    """The subsets that weigh just as much as a limit."""
    return [chosen for chosen in _subsets_of(weights) if sum(weights[i] for i in chosen) == limit]


def _reach(terms: Terms) -> tuple[int, int]:
    """The least and the largest value of a sum."""
    ends = [sorted((coefficient * number.values[0], coefficient * number.values[-1])) for coefficient, number in terms]
    return sum(low for low, _ in ends), sum(high for _, high in ends)


def _with_steps(number: Number) -> list[tuple[int, int | None, int | None]]:
    """Each value with the literals "it is reached" (None for the first) and "it is passed" (None for the last)."""
    return list(zip(number.values, [None, *number.steps], [*number.steps, None], strict=True))


def _is_bit(number: Number) -> bool:
    """Whether a number has two values, one apart."""
    return len(number.values) == 2 and number.values[1] == number.values[0] + 1


def _sorted(terms: Terms) -> Terms:
    """Terms of one size next to each other: their sums have fewer values."""
    return sorted(terms, key=lambda term: (abs(term[0]), len(term[1].values)))


# -- which constraints have a form of their own; all others are lazy or decomposed

POST: dict[type[Expression], Callable[[Encoding, Any, Sequence[int]], None]] = {
    Comparison: Encoding._compare,
    And: Encoding._all,
    Or: Encoding._some,
    Implies: Encoding._implies,
    Not: Encoding._not,
    AtMostOne: Encoding._at_most_one,
    ExactlyOne: Encoding._exactly_one,
    AllDifferent: Encoding._all_different,
    Table: Encoding._table,
    Xor: lambda encoding, condition, when: encoding.clause([encoding.literal(condition)], when),
    Automaton: lambda encoding, condition, when: encoding.clause([encoding.literal(condition)], when),
}
"""The constraint holds whenever all literals of ``when`` are true: ``post(encoding, constraint, when)``."""
REIFY: dict[type[Expression], Callable[[Encoding, Any], int]] = {
    Comparison: Encoding._reify_comparison,
    And: Encoding._reify_and,
    Or: Encoding._reify_or,
    Implies: Encoding._reify_implies,
    Xor: Encoding._reify_xor,
    Table: Encoding._reify_table,
    Automaton: Encoding._reify_automaton,
}
"""The literal "the constraint holds"."""
DEFINE: dict[type[Expression], Callable[[Encoding, Any], Number]] = {
    Maximum: Encoding._largest,
    Minimum: Encoding._largest,
}
"""The number that equals a function."""

"""A model written in CP-SAT's own text form.

Every auxiliary variable is a function of the model's variables, so that solutions are counted once. Text is not only easy to
read: the solver parses it twice as fast as it takes the same constraints one call at a time.

A *literal* is the index of a 0/1 variable, or -index - 1 for its opposite, as CP-SAT has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, Inverse, LazyConstraint, Table, total
from cpsolve.errors import ModelError, UnsupportedError
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
    Maximum,
    Minimum,
    Not,
    Or,
    Product,
    Variable,
    Xor,
    as_expression,
    linear_form,
    remembering,
)
from cpsolve.limits import look, looking, require
from cpsolve.lower import negation
from cpsolve.scheduling import Cumulative, Interval, NoOverlap

if TYPE_CHECKING:
    from cpsolve.model import Model

LEAST, MOST = str(-(2**63)), str(2**63 - 1)
BYTES, VARIABLE_BYTES = 7, 400
"""What CP-SAT takes to begin with a model, per character of its text, and more for each variable: the memory that it was seen to take
before it listens to anybody who tells it to stop. It must be there."""
COSTS: dict[str, tuple[int, float]] = {
    "character of a table": (153, 5e-7),
    "arc of a circuit": (500, 0.0),
    "pair of places that undo each other": (1650, 9e-6),
    "entry of an array": (2500, 8e-6),
    "number of which one is the largest": (1600, 1.4e-5),
    "value of one of all different": (600, 3.8e-6),
    "pair of stretches that do not overlap": (0, 9e-8),
    "step of an automaton": (150, 1.5e-7),
}
"""What it takes besides for some constraints, in bytes, and the seconds for which it goes on before it looks at the clock."""
MOST_DIFFERENT = 256
"""Up to this number of values CP-SAT writes "all different" as a clause for each value."""
PIECE = 5_000
"""The lines that CP-SAT reads at a time, between two looks at the limits."""
NARROW = 2**31 - 1
"""CP-SAT 9.15 is wrong about larger numbers in tables, automata and products, and as coefficients under conditions: these are written in
other ways."""


def negated(literal: int) -> int:
    """The opposite of a literal.

    >>> negated(3), negated(-4)
    (-4, 3)
    """
    return -literal - 1


class Encoding:
    """A CP-SAT model under construction: ``take`` hands out what was written since it was last called.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x, y = m.int_vars(2, 0, 5)
    >>> _ = m.add(2 * x + y <= 7)
    >>> print(Encoding(m).take())
    variables{domain:[0,5]}
    variables{domain:[0,5]}
    constraints{linear{vars:[0, 1] coeffs:[2, 1] domain:[-9223372036854775808,7]}}
    """

    def __init__(self, model: Model, objective: bool = True, constraints: bool = True) -> None:
        self.tables = True
        """Whether tables are written as such; else in clauses: without presolve CP-SAT may abort the process on a table."""
        self.size = len(model.variables)
        self.variables = self.size
        self.offset = 0
        self._lines = [_variable(variable.lo, variable.hi) for variable in looking(model.variables, "encoding")]
        self._reach = [_reach(variable.lo, variable.hi) for variable in model.variables]
        self._true: int | None = None
        self._literals: dict[Expression, int] = {}
        self._domains = remembering()
        self._equalities: dict[tuple[int, int], int] = {}
        self._integers: dict[Expression, int] = {}
        self._totals: dict[tuple[tuple[int, int], ...], int] = {}
        self.constraints = 0
        self.taken, self.seconds = 0, 0.0
        self._bytes = 0
        """The bytes of memory that CP-SAT needs to begin with what it was handed, and the seconds before it looks at the clock."""
        self._differences: list[tuple[Expression, ...]] = []
        self._fixed: set[int] = set()
        self.pending: list[tuple[LazyConstraint, tuple[int, ...], bool]] = []
        if constraints:
            for entry in model.constraints:
                self.post(entry.constraint)
        if objective and model.objective is not None:
            self._objective(model.sense, model.objective)
        if model.hints:
            indices = [variable.index for variable in model.hints]
            self._lines.append(f"solution_hint{{vars:{indices} values:{list(model.hints.values())}}}")

    def needed(self) -> int:
        """The bytes of memory that CP-SAT takes to begin with what was written since the last call of ``take``.

        >>> import cpsolve as cp
        >>> m = cp.Model()
        >>> _ = m.int_var(0, 5)
        >>> Encoding(m).needed()
        561
        """
        self._weigh_differences()
        characters = sum(map(len, self._lines))
        return BYTES * characters + VARIABLE_BYTES * sum(line.startswith("variables{") for line in self._lines) + self._bytes

    def _weigh(self, what: str, number: int) -> None:
        """What is about to be written has that number of things for which CP-SAT takes more."""
        size, seconds = COSTS[what]
        self._bytes += size * number
        self.seconds += seconds * number

    def _weigh_differences(self) -> None:
        """Weighs the lists of different numbers once all is written: of numbers that are fixed CP-SAT makes nothing."""
        for args in self._differences:
            ends = [arg.interval(self._domains) for arg in args if not (isinstance(arg, Variable) and arg.index in self._fixed)]
            if ends and max(high for _, high in ends) - min(low for low, _ in ends) < MOST_DIFFERENT:
                gone = len(args) - len(ends)
                self._weigh("value of one of all different", sum(max(0, high - low + 1 - gone) for low, high in ends))
        self._differences.clear()

    def take(self) -> str:
        """The text written since the last call."""
        return "\n".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        """The same in pieces that CP-SAT reads one by one."""
        size = self.needed()
        require(size, "handing the model to CP-SAT")
        self.taken += size
        lines, self._lines, self._bytes = self._lines, [], 0
        for start in range(0, len(lines), PIECE):
            look("handing the model to CP-SAT")
            yield "\n".join(lines[start : start + PIECE])

    def cut(self, solution: Mapping[Variable, int], values: Sequence[int]) -> int:
        """States what an answer breaks of the constraints that are stated in part; returns the number of clauses."""
        count = 0
        for constraint, when, negate in self.pending[:]:  # a cut may name conditions that are stated in part themselves
            if not all(values[literal] if literal >= 0 else not values[negated(literal)] for literal in when):
                continue
            args = [int(arg.value(solution)) for arg in constraint.args]
            if negate:
                broken = [[(place, value, False) for place, value in enumerate(args)]] if constraint.compute(args) else []
            else:
                broken = constraint.cuts(args)
            for clause in broken:
                literals = [(self.literal(Comparison(constraint.args[place], "==", value)), holds) for place, value, holds in clause]
                self.clause([literal if holds else negated(literal) for literal, holds in literals], when)
            count += len(broken)
        return count

    @property
    def has_auxiliaries(self) -> bool:
        """Whether there are variables beyond the model's own."""
        return self.variables > self.size

    # -- variables and literals

    def variable(self, lo: int, hi: int) -> int:
        """A new auxiliary variable."""
        look("encoding")
        self._lines.append(_variable(lo, hi))
        self._reach.append(_reach(lo, hi))
        self.variables += 1
        return self.variables - 1

    def constant(self, value: bool) -> int:
        """The literal that is always true, or always false."""
        if self._true is None:
            self._true = self.variable(1, 1)
        return self._true if value else negated(self._true)

    def literal(self, condition: Condition) -> int:
        """A literal that is true exactly when the condition holds."""
        if isinstance(condition, Variable):
            return condition.index
        if isinstance(condition, Not):
            return negated(self.literal(condition.arg))
        known = self._literals.get(condition)
        if known is None:
            known = self._literals[condition] = self._reify(condition)
        return known

    def equality(self, variable: Variable, value: int) -> int:
        """The literal "the variable has this value"."""
        if variable.is_boolean:
            return variable.index if value else negated(variable.index)
        return self._reify_comparison(Comparison(variable, "==", value))

    def _reify(self, constraint: Constraint) -> int:
        low, high = constraint.interval(self._domains)
        if low == high:
            return self.constant(bool(low))
        if fast := REIFY.get(type(constraint)):
            return fast(self, constraint)
        if type(constraint) not in NEGATED and constraint.decomposes:
            return self.literal(constraint.decomposition())
        return self._reify_both(constraint)

    def _reify_both(self, constraint: Constraint) -> int:
        """A literal with the constraint posted under it, and its negation under the opposite."""
        result = self.variable(0, 1)
        self.post(constraint, [result])
        self.post(Not(constraint), [negated(result)])
        return result

    def _reify_and(self, condition: And) -> int:
        return self._reify_all([self.literal(arg) for arg in condition.args])

    def _reify_or(self, condition: Or) -> int:
        return self._reify_any([self.literal(arg) for arg in condition.args])

    def _reify_implies(self, condition: Implies) -> int:
        return self._reify_any([negated(self.literal(condition.left)), self.literal(condition.right)])

    def _reify_xor(self, condition: Xor) -> int:
        result = self.variable(0, 1)
        self.write(f"bool_xor{{literals:{[*(self.literal(arg) for arg in condition.args), negated(result)]}}}")
        return result

    def _reify_any(self, literals: list[int]) -> int:
        """The literal "one of ``literals`` is true"."""
        if len(literals) == 1:
            return literals[0]
        result = self.variable(0, 1)
        self.clause(literals, [result])
        self.write(f"bool_and{{literals:{[negated(literal) for literal in literals]}}}", [negated(result)])
        return result

    def _reify_all(self, literals: list[int]) -> int:
        """The literal "all of ``literals`` are true"."""
        return negated(self._reify_any([negated(literal) for literal in literals]))

    def _reify_comparison(self, comparison: Comparison) -> int:
        """A literal for a comparison; "variable = value" gets one only once."""
        terms, constant = linear_form((1, comparison.left), (-1, comparison.right))
        if len(terms) == 1 and comparison.op in ("==", "!="):
            ((atom, coefficient),) = terms.items()
            if constant % coefficient:
                return self.constant(comparison.op == "!=")
            equal = self._has_value(self.integer(atom), -constant // coefficient)
            return equal if comparison.op == "==" else negated(equal)
        return self._reify_both(comparison)

    def _has_value(self, index: int, value: int) -> int:
        """The literal "the variable of this index has this value", made once."""
        if self._reach[index] == 1 and value in (0, 1):
            return index if value else negated(index)
        known = self._equalities.get((index, value))
        if known is None:
            known = self._equalities[index, value] = self.variable(0, 1)
            self._linear({index: 1}, _allowed("==", value), [known])
            self._linear({index: 1}, _allowed("!=", value), [negated(known)])
        return known

    def integer(self, atom: Expression) -> int:
        """The index of a variable equal to an expression."""
        if isinstance(atom, Variable):
            return atom.index
        known = self._integers.get(atom)
        if known is None:
            known = self._integers[atom] = self._define(atom)
        return known

    def _define(self, atom: Expression) -> int:
        if isinstance(atom, Constraint):
            literal = self.literal(atom)
            if literal >= 0:
                return literal
            result = self.variable(0, 1)
            self._linear({result: 1, negated(literal): 1}, "[1,1]")
            return result
        low, high = atom.interval(self._domains)
        result = self.variable(low, high)
        if fast := DEFINE.get(type(atom)):
            fast(self, atom, result)
        elif isinstance(atom, Function):
            self.post(atom.definition(Variable(result, low, high)))
        else:
            terms, constant = self._indexed((1, atom))
            terms[result] = terms.get(result, 0) - 1
            self._fit(terms, constant)
            self._linear(terms, _allowed("==", -constant))
        return result

    def _element(self, element: Element, result: int) -> None:
        self._weigh("entry of an array", len(element.array))
        entries = "".join(f"exprs{{{self.affine(entry)}}}" for entry in looking(element.array, "encoding"))
        self.write(f"element{{linear_index{{{self.affine(element.index)}}}linear_target{{{_single(result)}}}{entries}}}")

    def _extremum(self, extremum: Extremum, result: int) -> None:
        self._largest(result, [(extremum.sign, arg) for arg in extremum.args], extremum.sign)

    def _absolute(self, absolute: Absolute, result: int) -> None:
        self._largest(result, [(1, absolute.args[0]), (-1, absolute.args[0])], 1)

    def _largest(self, result: int, args: list[tuple[int, Expression]], sign: int) -> None:
        self._weigh("number of which one is the largest", len(args))
        entries = "".join(f"exprs{{{self.affine(arg, factor)}}}" for factor, arg in looking(args, "encoding"))
        self.write(f"lin_max{{target{{{_single(result, sign)}}}{entries}}}")

    def affine(self, expression: Expression | int, factor: int = 1) -> str:
        """``factor * expression`` as a multiple of one variable plus a constant."""
        terms, constant = linear_form((factor, expression))
        if not terms:
            return f"offset:{constant}"
        ((atom, coefficient), *others) = terms.items()
        if others or abs(coefficient) > NARROW:  # such coefficients would come under conditions
            return _single(self.integer(as_expression(expression)), factor)
        return _single(self.integer(atom), coefficient, constant)

    # -- constraints

    def post(self, condition: Condition, when: Sequence[int] = ()) -> None:
        """Makes the condition hold whenever all literals of ``when`` are true."""
        if fast := POST.get(type(condition)):
            fast(self, condition, when)
        elif isinstance(condition, LazyConstraint):
            self.post(condition.relaxation(), when)
            self.pending.append((condition, tuple(when), False))
        elif isinstance(condition, Constraint):
            self.post(condition.decomposition(), when)
        else:
            raise ModelError(f"cpsat knows no condition {type(condition).__name__}")

    def _holds(self, variable: Variable, when: Sequence[int]) -> None:
        self.clause([variable.index], when)

    def _all(self, condition: And, when: Sequence[int]) -> None:
        for part in condition.args:
            self.post(part, when)

    def _implies(self, condition: Implies, when: Sequence[int]) -> None:
        self.post(condition.right, [*when, self.literal(condition.left)])

    def _xor(self, condition: Xor, when: Sequence[int]) -> None:
        self.write(f"bool_xor{{literals:{[self.literal(arg) for arg in condition.args]}}}", when)

    def _not(self, condition: Not, when: Sequence[int]) -> None:
        arg = condition.arg
        if isinstance(arg, Variable):
            self.clause([negated(arg.index)], when)
        elif fast := NEGATED.get(type(arg)):
            fast(self, arg, when)
        elif isinstance(arg, LazyConstraint) and not arg.decomposes:
            self.pending.append((arg, tuple(when), True))
        else:
            self.clause([negated(self.literal(arg))], when)

    def _opposite(self, constraint: Constraint, when: Sequence[int]) -> None:
        """The negation of a constraint that has a simple one."""
        opposite = negation(constraint)
        self.post(opposite if opposite is not None else Not(constraint.decomposition()), when)

    def _all_different(self, condition: AllDifferent, when: Sequence[int]) -> None:
        self._differences.append(condition.args)
        self.write(f"all_diff{{{''.join(f'exprs{{{self.affine(arg)}}}' for arg in condition.args)}}}", when)

    def write(self, body: str, when: Sequence[int] = ()) -> None:
        """Adds a constraint in CP-SAT's own text, which holds whenever all literals of ``when`` are true."""
        if when:
            body = f"enforcement_literal:{list(when)} {body}"
        self._lines.append(f"constraints{{{body}}}")
        self.constraints += 1
        if self.constraints % 1000 == 0:
            look("encoding")

    def clause(self, literals: Sequence[int], when: Sequence[int] = ()) -> None:
        """At least one of the literals is true whenever all of ``when`` are."""
        self.write(f"bool_or{{literals:{list(literals)}}}", when)

    def _any(self, condition: Or, when: Sequence[int]) -> None:
        """A disjunction; a single arm that is no plain literal is posted under the failure of the others, without a new literal."""
        args = condition.args
        heavy = [arg for arg in args if not isinstance(arg, Variable | Not)]
        if len(heavy) == 1:
            others = [negated(self.literal(arg)) for arg in args if arg is not heavy[0]]
            self.post(heavy[0], [*when, *others])
        else:
            self.clause([self.literal(arg) for arg in args], when)

    def _one_of(self, constraint: AtMostOne | ExactlyOne, when: Sequence[int]) -> None:
        literals = [self.literal(arg) for arg in constraint.args]
        kind = "at_most_one" if isinstance(constraint, AtMostOne) else "exactly_one"
        if len(set(literals)) < len(literals):
            self._compare(Comparison(total(constraint.args), "<=" if kind == "at_most_one" else "==", 1), when)
        else:
            self.write(f"{kind}{{literals:{literals}}}", when)

    def _compare(self, comparison: Comparison, when: Sequence[int]) -> None:
        left, right = comparison.left, comparison.right
        if type(left) is Linear and left.depth == 0 and left.is_plain and type(right) is int:  # the common case, made fast
            indices = [atom.index for atom in left.atoms]  # type: ignore[attr-defined]
            if len(set(indices)) == left.size:
                self.write(_plain_sum(left.size, comparison.op, right - left.constant) % tuple(indices), when)
                return
        terms, constant = self._indexed((1, left), (-1, right))
        if len(terms) == 1 and comparison.op == "==" and not when:
            self._fixed.update(terms)
        self._fit(terms, constant)
        if when and len(terms) > 1 and max(map(abs, terms.values())) > NARROW and max(self._reach[index] for index in terms) > 1:
            (low, high), (least, most) = left.interval(self._domains), as_expression(right).interval(self._domains)
            terms = {self._total(terms, low - most - constant, high - least - constant): 1}
        self._linear(terms, _allowed(comparison.op, -constant), when)

    def _fit(self, terms: dict[int, int], constant: int) -> None:
        """UnsupportedError for a sum of which a coefficient times a value leaves 64 bits.

        CP-SAT 9.15 was seen to call such sums infeasible, most of all sums of two; never those of 0/1 variables alone.
        """
        reach = max((self._reach[index] for index in terms), default=0)
        if len(terms) > 1 and reach > 1 and max(map(abs, terms.values())) * max(reach, abs(constant)) >= 2**63:
            raise UnsupportedError(
                f"cpsat cannot hold these numbers: a coefficient of {max(map(abs, terms.values())):,} beside a value of "
                f"{max(reach, abs(constant)):,}; use smaller ones, or backend='python-constraint' or 'diagram'"
            )

    def _total(self, terms: dict[int, int], low: int, high: int) -> int:
        """The index of a variable that is a sum, whatever holds: CP-SAT 9.15 is wrong about large coefficients under a condition."""
        key = tuple(sorted(terms.items()))
        if key not in self._totals:
            self._totals[key] = self.variable(low, high)
            self._fit({**terms, self._totals[key]: -1}, 0)
            self._linear({**terms, self._totals[key]: -1}, "[0,0]")
        return self._totals[key]

    def _indexed(self, *parts: tuple[int, Expression | int]) -> tuple[dict[int, int], int]:
        """A sum as {variable index: coefficient} and a constant, with literals for the conditions in it."""
        terms, constant = linear_form(*parts)
        indexed: dict[int, int] = {}
        for atom, coefficient in terms.items():
            if isinstance(atom, Constraint) and (literal := self.literal(atom)) < 0:
                index, coefficient, constant = negated(literal), -coefficient, constant + coefficient
            else:
                index = self.integer(atom)
            indexed[index] = indexed.get(index, 0) + coefficient
        return indexed, constant

    def _linear(self, terms: dict[int, int], domain: str, when: Sequence[int] = ()) -> None:
        self.write(f"linear{{vars:{list(terms)} coeffs:{list(terms.values())} domain:{domain}}}", when)

    def _table(self, table: Table, when: Sequence[int], negate: bool = False) -> None:
        low, high = table.interval(self._domains)
        if low == high:
            if bool(low) == negate:
                self.clause([], when)
        elif not self.tables or self._is_wide(table.args, table.rows):
            holds = self.literal(table)
            self.clause([negated(holds) if negate else holds], when)
        else:
            columns = "".join(f"exprs{{{self.affine(arg)}}}" for arg in table.args)
            cells = [cell for row in table.rows for cell in row]
            text = f"table{{{columns}values:{cells}{'negated:true' if negate else ''}}}"
            self._weigh("character of a table", len(text))
            self.write(text, when)

    def _is_wide(self, args: Sequence[Expression], rows: Iterable[Sequence[int]]) -> bool:
        """Whether an expression or a value of a table or automaton leaves the 32 bits that CP-SAT reads them in."""
        if any(abs(cell) > NARROW for row in rows for cell in row):
            return True
        for arg in args:
            terms, constant = linear_form((1, arg))
            ends = [end for atom in terms for end in atom.interval(self._domains)]  # -x + 1 may be narrow where x is not
            if max(map(abs, (*arg.interval(self._domains), *ends, *terms.values(), constant))) > NARROW:
                return True
        return False

    def _reify_table(self, table: Table) -> int:
        """The literal "the table holds"; of a wide one, by a literal for every row that can be."""
        if self.tables and not self._is_wide(table.args, table.rows):
            return self._reify_both(table)
        ends = [arg.interval(self._domains) for arg in table.args]
        possible = [row for row in table.rows if all(low <= cell <= high for cell, (low, high) in zip(row, ends, strict=True))]
        rows = [[self._equals(arg, cell) for arg, cell in zip(table.args, row, strict=True)] for row in possible]
        return self._reify_any([self._reify_all(row) for row in rows])

    def _equals(self, arg: Expression, value: int) -> int:
        """The literal "the expression has this value"."""
        terms, constant = linear_form((1, arg))
        if not terms:
            return self.constant(constant == value)
        if len(terms) > 1:
            return self._has_value(self.integer(arg), value)
        return self._reify_comparison(Comparison(arg, "==", value))

    def _product(self, product: Product, result: int) -> None:
        if self._is_wide((product, *product.args), ()):
            self._wide_product(product, result)
            return
        factors = "".join(f"exprs{{{self.affine(arg)}}}" for arg in product.args)
        self.write(f"int_prod{{target{{{_single(result)}}}{factors}}}")

    def _wide_product(self, product: Product, result: int) -> None:
        """A product beyond 32 bits, bit by bit of one of the factors.

        CP-SAT 9.15 calls such products infeasible, or takes them for others, once a factor has only two values left.
        """
        ends = [arg.interval(self._domains) for arg in product.args]
        parted = sorted(zip(ends, product.args, strict=True), key=lambda each: max(abs(each[0][0]), each[0][1] - each[0][0]))
        ((low, high), one), ((least, most), other) = parted  # the one whose coefficients are smaller is taken apart
        factor = self.integer(other)
        bits = [self.variable(0, 1) for _ in range((high - low).bit_length())]
        parts = [self.variable(min(0, least), max(0, most)) for _ in bits]
        for bit, part in zip(bits, parts, strict=True):
            self._linear({part: 1, factor: -1}, "[0,0]", [bit])
            self._linear({part: 1}, "[0,0]", [negated(bit)])
        for terms, constant in (
            ({self.integer(one): -1} | {bit: 1 << place for place, bit in enumerate(bits)}, low),
            ({result: -1, factor: low} | {part: 1 << place for place, part in enumerate(parts)}, 0),
        ):
            self._fit(terms, constant)
            self._linear(terms, _allowed("==", -constant))

    def _inverse(self, inverse: Inverse, when: Sequence[int]) -> None:
        if when:  # CP-SAT has no inverse under a condition
            self.post(inverse.decomposition(), when)
            return
        there, back = ([self.integer(arg) for arg in half] for half in inverse.halves)
        self._weigh("pair of places that undo each other", len(there) ** 2)
        self.write(f"inverse{{f_direct:{there} f_inverse:{back}}}")

    def _intervals(self, intervals: Sequence[Interval]) -> list[int]:
        """The numbers of CP-SAT's own intervals."""
        numbers = []
        for each in intervals:
            ends = f"start{{{self.affine(each.start)}}}end{{{self.affine(each.end)}}}size{{{self.affine(each.duration)}}}"
            present = [] if each.present.interval(self._domains) == (1, 1) else [self.literal(each.present)]
            numbers.append(self.constraints)  # after all that writing the parts wrote
            self.write(f"interval{{{ends}}}", present)
        return numbers

    def _no_overlap(self, constraint: NoOverlap, when: Sequence[int]) -> None:
        if when:
            self.post(constraint.decomposition(), when)
            return
        self._weigh("pair of stretches that do not overlap", len(constraint.intervals) ** 2)
        self.write(f"no_overlap{{intervals:{self._intervals(constraint.intervals)}}}")

    def _cumulative(self, constraint: Cumulative, when: Sequence[int]) -> None:
        """CP-SAT 9.15 is wrong about capacities that vary: what is missing to the largest one is always under way."""
        low, high = constraint.capacity.interval(self._domains)
        if when or low < 0:
            self.post(constraint.decomposition(), when)
            return
        numbers = self._intervals(constraint.intervals)
        demands = [f"offset:{demand}" for demand in constraint.demands]
        if low < high and numbers:
            first = min(each.start.interval(self._domains)[0] for each in constraint.intervals)
            last = max(each.end.interval(self._domains)[1] for each in constraint.intervals)
            numbers.append(self.constraints)
            self.write(f"interval{{start{{offset:{first}}}end{{offset:{last}}}size{{offset:{last - first}}}}}")
            demands.append(self.affine(high - constraint.capacity))
        needs = "".join(f"demands{{{demand}}}" for demand in demands)
        self.write(f"cumulative{{capacity{{offset:{high}}}intervals:{numbers} {needs}}}")

    def _not_table(self, table: Table, when: Sequence[int]) -> None:
        self._table(table, when, negate=True)

    def _circuit(self, circuit: Circuit, when: Sequence[int]) -> None:
        """CP-SAT's circuit admits the empty tour and only one arc between two nodes: both are put right here.

        That every node is left and entered once is said once more: parallel arcs look like one to CP-SAT, and 9.15 may forget it in
        presolve and end the process at the answer, where a node has one arc left or one literal chooses two arcs.
        """
        if circuit.interval(self._domains) == (0, 0):
            self.clause([], when)
            return
        parallel: dict[tuple[int, int], list[Condition]] = {}
        for arc, arg in zip(circuit.arcs, circuit.args, strict=True):
            parallel.setdefault(arc, []).append(arg)
        for end in range(2):
            at: dict[int, list[Condition]] = {}
            for arc, arg in zip(circuit.arcs, circuit.args, strict=True):
                at.setdefault(arc[end], []).append(arg)
            for chosen in at.values():
                self.post(ExactlyOne(tuple(chosen)), when)
        literals = {arc: self.literal(args[0] if len(args) == 1 else Or(args)) for arc, args in parallel.items()}
        tails, heads = [tail for tail, _ in literals], [head for _, head in literals]
        self._weigh("arc of a circuit", len(literals))
        self.write(f"circuit{{tails:{tails} heads:{heads} literals:{list(literals.values())}}}", when)
        self.clause([literal for (tail, head), literal in literals.items() if tail != head], when)

    def _automaton(self, automaton: Automaton, when: Sequence[int]) -> None:
        low, high = automaton.interval(self._domains)
        accepting, steps, _ = automaton.numbered()
        if low == high:
            if not low:
                self.clause([], when)
        elif when or self._is_wide(automaton.args, steps):  # under a condition CP-SAT's automaton repeats solutions
            self.clause([self.literal(automaton)], when)
        else:
            tails, labels = [tail for tail, _ in steps], [label for _, label in steps]
            columns = "".join(f"exprs{{{self.affine(arg)}}}" for arg in automaton.args)
            self._weigh("step of an automaton", len(steps) * len(automaton.args))
            self.write(
                f"automaton{{starting_state:0 final_states:{accepting} {columns}"
                f"transition_tail:{tails} transition_label:{labels} transition_head:{list(steps.values())}}}"
            )

    def _accepts(self, automaton: Automaton) -> int:
        """The literal "the automaton accepts", by a literal for every state that can be reached after each step."""
        accepting, steps, _ = automaton.numbered()
        reached = {0: self.constant(True)}
        for arg in automaton.args:
            low, high = arg.interval(self._domains)
            entering: dict[int, list[int]] = {}
            for (tail, label), head in steps.items():
                if tail in reached and low <= label <= high:
                    entering.setdefault(head, []).append(self._reify_all([reached[tail], self._equals(arg, label)]))
            reached = {state: self._reify_any(literals) for state, literals in entering.items()}
        return self._reify_any([reached[state] for state in accepting if state in reached])

    def _objective(self, sign: int, expression: Expression) -> None:
        terms, self.offset = self._indexed((sign, expression))
        indices, coefficients = list(terms), list(terms.values())
        self._lines.append(f"objective{{vars:{indices} coeffs:{coefficients} offset:{self.offset} scaling_factor:{sign}}}")


# -- which constraints have a form of their own; all others are decomposed

POST: dict[type[Expression], Callable[[Encoding, Any, Sequence[int]], None]] = {
    Variable: Encoding._holds,
    Comparison: Encoding._compare,
    And: Encoding._all,
    Or: Encoding._any,
    Implies: Encoding._implies,
    Xor: Encoding._xor,
    Not: Encoding._not,
    AtMostOne: Encoding._one_of,
    ExactlyOne: Encoding._one_of,
    AllDifferent: Encoding._all_different,
    Table: Encoding._table,
    Circuit: Encoding._circuit,
    Automaton: Encoding._automaton,
    Inverse: Encoding._inverse,
    NoOverlap: Encoding._no_overlap,
    Cumulative: Encoding._cumulative,
}
"""The constraint holds whenever all literals of ``when`` are true: ``post(encoding, constraint, when)``."""
NEGATED: dict[type[Expression], Callable[[Encoding, Any, Sequence[int]], None]] = {
    Table: Encoding._not_table,
    **dict.fromkeys((Comparison, And, Or, Implies, Xor, Not, AtMostOne, ExactlyOne, AllDifferent), Encoding._opposite),
}
"""The constraint fails whenever all literals of ``when`` are true."""
REIFY: dict[type[Expression], Callable[[Encoding, Any], int]] = {
    Comparison: Encoding._reify_comparison,
    And: Encoding._reify_and,
    Or: Encoding._reify_or,
    Implies: Encoding._reify_implies,
    Xor: Encoding._reify_xor,
    Automaton: Encoding._accepts,
    Table: Encoding._reify_table,
}
"""The literal "the constraint holds"; without an entry it is posted under the literal, and negated under its opposite."""
DEFINE: dict[type[Expression], Callable[[Encoding, Any, int], None]] = {
    Element: Encoding._element,
    Maximum: Encoding._extremum,
    Minimum: Encoding._extremum,
    Absolute: Encoding._absolute,
    Product: Encoding._product,
}
"""A function's value is that of the variable ``result``: ``define(encoding, function, result)``."""


@lru_cache(maxsize=1024)
def _reach(lo: int, hi: int) -> int:
    """How far from 0 a variable can be; 1 for one of 0 and 1 alone."""
    return max(-lo, hi) if lo >= 0 else max(-lo, hi, 2)


def _variable(lo: int, hi: int) -> str:
    return f"variables{{domain:[{lo},{hi}]}}"


def _single(index: int, coefficient: int = 1, offset: int = 0) -> str:
    return f"vars:{index} coeffs:{coefficient} offset:{offset}"


@lru_cache(maxsize=1024)
def _plain_sum(size: int, op: str, limit: int) -> str:
    """The constraint that a sum of ``size`` different variables is ``op limit``, with places for their indices."""
    return f"linear{{vars:[{','.join(['%d'] * size)}] coeffs:{[1] * size} domain:{_allowed(op, limit)}}}"


def _allowed(op: str, limit: int) -> str:
    """The values v with ``v op limit``, as CP-SAT's list of interval ends.

    >>> _allowed("==", 3), _allowed(">", 3)
    ('[3,3]', '[4,9223372036854775807]')
    """
    if op == "==":
        return f"[{limit},{limit}]"
    if op == "<=":
        return f"[{LEAST},{limit}]"
    if op == ">=":
        return f"[{limit},{MOST}]"
    if op == "<":
        return f"[{LEAST},{limit - 1}]"
    if op == ">":
        return f"[{limit + 1},{MOST}]"
    return f"[{LEAST},{limit - 1},{limit + 1},{MOST}]"

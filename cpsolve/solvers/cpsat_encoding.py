"""A model written in CP-SAT's own text form.

Every auxiliary variable is a function of the model's variables, so that solutions are counted once. Text is not only easy to
read: the solver parses it twice as fast as it takes the same constraints one call at a time.

A *literal* is the index of a 0/1 variable, or -index - 1 for its opposite, as CP-SAT has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, Table
from cpsolve.errors import ModelError
from cpsolve.expressions import (
    Absolute,
    And,
    Comparison,
    Condition,
    Constraint,
    Element,
    Expression,
    Extremum,
    Implies,
    Linear,
    Not,
    Or,
    Variable,
    Xor,
    linear_form,
    remembering,
)
from cpsolve.lower import circuit_formula, negation, some_equal, total

if TYPE_CHECKING:
    from cpsolve.model import Model

LEAST, MOST = str(-(2**63)), str(2**63 - 1)
NARROW = 2**31 - 1
"""CP-SAT 9.15 takes values of tables and automata beyond this for others: they are spelled out in literals instead."""


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
        self.size = len(model.variables)
        self.variables = self.size
        self.offset = 0
        self._lines = [_variable(variable.lo, variable.hi) for variable in model.variables]
        self._true: int | None = None
        self._literals: dict[Expression, int] = {}
        self._domains = remembering()
        self._equalities: dict[tuple[int, int], int] = {}
        self._integers: dict[Expression, int] = {}
        if constraints:
            for entry in model.constraints:
                self.post(entry.constraint)
        if objective and model.objective is not None:
            self._objective(model.sense, model.objective)
        if model.hints:
            indices = [variable.index for variable in model.hints]
            self._lines.append(f"solution_hint{{vars:{indices} values:{list(model.hints.values())}}}")

    def take(self) -> str:
        """The text written since the last call."""
        text = "\n".join(self._lines)
        self._lines.clear()
        return text

    @property
    def has_auxiliaries(self) -> bool:
        """Whether there are variables beyond the model's own."""
        return self.variables > self.size

    # -- variables and literals

    def variable(self, lo: int, hi: int) -> int:
        """A new auxiliary variable."""
        self._lines.append(_variable(lo, hi))
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
        match constraint:
            case Comparison():
                return self._reify_comparison(constraint)
            case And():
                return self._reify_all([self.literal(arg) for arg in constraint.args])
            case Or():
                return self._reify_any([self.literal(arg) for arg in constraint.args])
            case Implies():
                return self._reify_any([negated(self.literal(constraint.left)), self.literal(constraint.right)])
            case Xor():
                result = self.variable(0, 1)
                self._add(f"bool_xor{{literals:{[*(self.literal(arg) for arg in constraint.args), negated(result)]}}}")
                return result
            case Automaton():
                return self._accepts(constraint)
            case Table() if self._is_wide(constraint.args, constraint.rows):
                return self._reify_any([self._reify_all(row) for row in self._row_literals(constraint)])
            case Circuit():
                return self.literal(circuit_formula(constraint))
        result = self.variable(0, 1)
        self.post(constraint, [result])
        self.post(Not(constraint), [negated(result)])
        return result

    def _reify_any(self, literals: list[int]) -> int:
        """The literal "one of ``literals`` is true"."""
        if len(literals) == 1:
            return literals[0]
        result = self.variable(0, 1)
        self.clause(literals, [result])
        self._add(f"bool_and{{literals:{[negated(literal) for literal in literals]}}}", [negated(result)])
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
        result = self.variable(0, 1)
        self.post(comparison, [result])
        self.post(Not(comparison), [negated(result)])
        return result

    def _has_value(self, index: int, value: int) -> int:
        """The literal "the variable of this index has this value", made once."""
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
        result = self.variable(*atom.interval(self._domains))
        match atom:
            case Element():
                entries = "".join(f"exprs{{{self._affine(entry)}}}" for entry in atom.array)
                self._add(f"element{{linear_index{{{self._affine(atom.index)}}}linear_target{{{_single(result)}}}{entries}}}")
            case Extremum():
                self._largest(result, [(atom.sign, arg) for arg in atom.args], atom.sign)
            case Absolute():
                self._largest(result, [(1, atom.args[0]), (-1, atom.args[0])], 1)
            case _:
                terms, constant = self._indexed((1, atom))
                terms[result] = terms.get(result, 0) - 1
                self._linear(terms, _allowed("==", -constant))
        return result

    def _largest(self, result: int, args: list[tuple[int, Expression]], sign: int) -> None:
        entries = "".join(f"exprs{{{self._affine(arg, factor)}}}" for factor, arg in args)
        self._add(f"lin_max{{target{{{_single(result, sign)}}}{entries}}}")

    def _affine(self, expression: Expression | int, factor: int = 1) -> str:
        """``factor * expression`` as a multiple of one variable plus a constant."""
        terms, constant = linear_form((factor, expression))
        if not terms:
            return f"offset:{constant}"
        if len(terms) > 1:
            assert isinstance(expression, Expression)
            return _single(self.integer(expression), factor)
        ((atom, coefficient),) = terms.items()
        return _single(self.integer(atom), coefficient, constant)

    # -- constraints

    def post(self, condition: Condition, when: Sequence[int] = ()) -> None:
        """Makes the condition hold whenever all literals of ``when`` are true."""
        match condition:
            case Comparison():
                self._compare(condition, when)
            case Variable():
                self.clause([condition.index], when)
            case And():
                for part in condition.args:
                    self.post(part, when)
            case Or():
                self._any(condition.args, when)
            case Implies():
                self.post(condition.right, [*when, self.literal(condition.left)])
            case Xor():
                self._add(f"bool_xor{{literals:{[self.literal(arg) for arg in condition.args]}}}", when)
            case Not():
                self._post_negation(condition.arg, when)
            case AtMostOne() | ExactlyOne():
                self._one_of(condition, when)
            case AllDifferent():
                self._add(f"all_diff{{{''.join(f'exprs{{{self._affine(arg)}}}' for arg in condition.args)}}}", when)
            case Table():
                self._table(condition, when, negate=False)
            case Circuit():
                self._circuit(condition, when)
            case Automaton():
                self._automaton(condition, when)
            case _:
                raise ModelError(f"cpsat knows no constraint {type(condition).__name__}")

    def _post_negation(self, condition: Condition, when: Sequence[int]) -> None:
        if isinstance(condition, Variable):
            self.clause([negated(condition.index)], when)
        elif isinstance(condition, Table):
            self._table(condition, when, negate=True)
        elif isinstance(condition, AllDifferent):
            self.post(some_equal(condition), when)
        elif (opposite := negation(condition)) is not None:
            self.post(opposite, when)
        else:
            self.clause([negated(self.literal(condition))], when)

    def _add(self, body: str, when: Sequence[int] = ()) -> None:
        if when:
            body = f"enforcement_literal:{list(when)} {body}"
        self._lines.append(f"constraints{{{body}}}")

    def clause(self, literals: Sequence[int], when: Sequence[int] = ()) -> None:
        """At least one of the literals is true whenever all of ``when`` are."""
        self._add(f"bool_or{{literals:{list(literals)}}}", when)

    def _any(self, args: Sequence[Condition], when: Sequence[int]) -> None:
        """A disjunction; a single arm that is no plain literal is posted under the failure of the others, without a new literal."""
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
            self._add(f"{kind}{{literals:{literals}}}", when)

    def _compare(self, comparison: Comparison, when: Sequence[int]) -> None:
        left, right = comparison.left, comparison.right
        if type(left) is Linear and left.depth == 0 and left.is_plain and type(right) is int:  # the common case, made fast
            indices = [atom.index for atom in left.atoms]  # type: ignore[attr-defined]
            if len(set(indices)) == left.size:
                self._add(_plain_sum(left.size, comparison.op, right - left.constant) % tuple(indices), when)
                return
        terms, constant = self._indexed((1, left), (-1, right))
        self._linear(terms, _allowed(comparison.op, -constant), when)

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
        self._add(f"linear{{vars:{list(terms)} coeffs:{list(terms.values())} domain:{domain}}}", when)

    def _table(self, table: Table, when: Sequence[int], negate: bool) -> None:
        low, high = table.interval(self._domains)
        if low == high:
            if bool(low) == negate:
                self.clause([], when)
        elif self._is_wide(table.args, table.rows):
            holds = self.literal(table)
            self.clause([negated(holds) if negate else holds], when)
        else:
            columns = "".join(f"exprs{{{self._affine(arg)}}}" for arg in table.args)
            cells = [cell for row in table.rows for cell in row]
            self._add(f"table{{{columns}values:{cells}{'negated:true' if negate else ''}}}", when)

    def _is_wide(self, args: Sequence[Expression], rows: Iterable[Sequence[int]]) -> bool:
        """Whether an expression or a value of a table or automaton leaves the 32 bits that CP-SAT reads them in."""
        if any(abs(cell) > NARROW for row in rows for cell in row):
            return True
        for arg in args:
            terms, constant = linear_form((1, arg))
            if max(map(abs, (*arg.interval(self._domains), *terms.values(), constant))) > NARROW:
                return True
        return False

    def _row_literals(self, table: Table) -> list[list[int]]:
        """For every row that can be, the literals "this expression has this value"."""
        ends = [arg.interval(self._domains) for arg in table.args]
        possible = [row for row in table.rows if all(low <= cell <= high for cell, (low, high) in zip(row, ends, strict=True))]
        return [[self._equals(arg, cell) for arg, cell in zip(table.args, row, strict=True)] for row in possible]

    def _equals(self, arg: Expression, value: int) -> int:
        """The literal "the expression has this value"."""
        terms, constant = linear_form((1, arg))
        if not terms:
            return self.constant(constant == value)
        if len(terms) > 1:
            return self._has_value(self.integer(arg), value)
        return self._reify_comparison(Comparison(arg, "==", value))

    def _circuit(self, circuit: Circuit, when: Sequence[int]) -> None:
        """CP-SAT's circuit admits the empty tour and only one arc between two nodes: both are put right here."""
        if circuit.interval(self._domains) == (0, 0):
            self.clause([], when)
            return
        parallel: dict[tuple[int, int], list[Condition]] = {}
        for arc, arg in zip(circuit.arcs, circuit.args, strict=True):
            parallel.setdefault(arc, []).append(arg)
        for args in parallel.values():
            if len(args) > 1:
                self.post(AtMostOne(tuple(args)), when)
        literals = {arc: self.literal(args[0] if len(args) == 1 else Or(args)) for arc, args in parallel.items()}
        tails, heads = [tail for tail, _ in literals], [head for _, head in literals]
        self._add(f"circuit{{tails:{tails} heads:{heads} literals:{list(literals.values())}}}", when)
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
            columns = "".join(f"exprs{{{self._affine(arg)}}}" for arg in automaton.args)
            self._add(
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


@lru_cache(maxsize=1024)
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


def _ranges(values: Iterable[int]) -> list[int]:
    """A set of integers as CP-SAT's list of interval ends.

    >>> _ranges({5, 1, 2, 3})
    [1, 3, 5, 5]
    """
    ends: list[int] = []
    for value in sorted(values):
        if ends and ends[-1] == value - 1:
            ends[-1] = value
        else:
            ends += [value, value]
    return ends

"""A model as clauses, for counters of propositional formulas, such that the number of solutions stays the same.

A 0/1 variable is a propositional variable; any other has one per value, of which exactly one is true. Clauses stay clauses; every other
constraint becomes its automaton, spelled out: a propositional variable per state after each reading, and "in this state, on this value,
into that state". These are not counted: a counter projects onto the variables of the model (``counted``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from cpsolve.constraints import AllDifferent, AtMostOne, ExactlyOne
from cpsolve.counting.automata import Layered, Layout, automaton_of
from cpsolve.counting.product import Limits, conditions
from cpsolve.counting.search import clause_of
from cpsolve.errors import DiagramTooWide
from cpsolve.expressions import Condition, Not, Variable, scope
from cpsolve.limits import look, looking

if TYPE_CHECKING:
    from cpsolve.model import Model

PAIRWISE = 12
"""Up to so many literals "at most one" is a clause per pair."""


class Formula:
    """The clauses of a model. ``counted`` are the propositional variables of ``over``; ``factor`` counts variables of no constraint.

    >>> import cpsolve as cp
    >>> from cpsolve.counting.memory import Memory
    >>> from cpsolve.limits import Deadline
    >>> m = cp.Model()
    >>> a, b = m.bool_vars(2)
    >>> _ = m.add(a | ~b)
    >>> Formula(m, None, Limits(Deadline(None), Memory())).clauses
    [[1, -2]]
    """

    def __init__(self, model: Model, over: Sequence[Variable] | None, limits: Limits) -> None:
        self._write(model.variables, conditions(model, limits), over, limits)

    @classmethod
    def of(cls, variables: Sequence[Variable], constraints: Sequence[Condition], limits: Limits) -> Formula:
        """The clauses of some constraints over some variables, all of them counted."""
        formula = cls.__new__(cls)
        formula._write(variables, constraints, None, limits)
        return formula

    def _write(
        self, variables: Sequence[Variable], constraints: Sequence[Condition], over: Sequence[Variable] | None, limits: Limits
    ) -> None:
        self.clauses: list[list[int]] = []
        self.variables = 0
        self._limits = limits
        self._literals: dict[Variable, list[int]] = {}
        mentioned: set[Variable] = set()
        for constraint in constraints:
            look("writing clauses")
            mentioned.update(scope(constraint))
        held = [variable for variable in variables if variable in mentioned]
        chosen = set(variables if over is None else over)
        self.factor = prod([variable.hi - variable.lo + 1 for variable in chosen - mentioned])
        for variable in held:
            self._literals[variable] = self._values(variable)
        self.counted = sorted({abs(literal) for variable in held if variable in chosen for literal in self._literals[variable]})
        self._layout = Layout({v: i for i, v in enumerate(held)}, [(v.lo, v.hi) for v in held], limits.memory)
        self._domains = [range(v.lo, v.hi + 1) for v in held]
        self._held = held
        for constraint in constraints:
            limits.deadline.check("writing clauses")
            self._add(constraint)

    def _new(self) -> int:
        self.variables += 1
        return self.variables

    def _values(self, variable: Variable) -> list[int]:
        """The literals that stand for the values of a variable."""
        size = variable.hi - variable.lo + 1
        if size > self._limits.memory.most_values // 100:
            raise DiagramTooWide(f"the variable {variable} has {size:,} values: too many for one propositional variable each", size, size)
        if size == 2:
            true = self._new()
            return [-true, true]
        literals = [self._new() for _ in range(size)]
        self.clauses.append(literals)
        self.clauses += ([-a, -b] for a, b in looking(combinations(literals, 2), "writing clauses"))
        return literals

    def _add(self, constraint: Condition) -> None:
        clause = clause_of(constraint)
        if clause is not None and all(len(self._literals[variable]) == 2 for variable in clause):
            self.clauses.append([self._literals[variable][0 if negated else 1] for variable, negated in clause.items()])
            return
        if isinstance(constraint, AtMostOne | ExactlyOne) and len(constraint.args) <= PAIRWISE:
            literals = [self._literal(arg) for arg in constraint.args]
            if None not in literals:
                plain = [literal for literal in literals if literal is not None]
                self.clauses += [[-a, -b] for a, b in combinations(plain, 2)]
                if isinstance(constraint, ExactlyOne):
                    self.clauses.append(plain)
                return
        if isinstance(constraint, AllDifferent) and all(isinstance(arg, Variable) for arg in constraint.args):
            for a, b in combinations(constraint.args, 2):
                look("writing clauses")
                assert isinstance(a, Variable)
                assert isinstance(b, Variable)
                for value in range(max(a.lo, b.lo), min(a.hi, b.hi) + 1):
                    self.clauses.append([-self._literals[a][value - a.lo], -self._literals[b][value - b.lo]])
            return
        if not scope(constraint):
            if not constraint.value({}):
                self.clauses.append([])
            return
        limits = self._limits
        made = automaton_of(constraint, self._layout, self._domains, limits.kept, limits.memory, limits.deadline)
        if isinstance(made, Layered):
            self._spell_out(made)
        elif not made:
            self.clauses.append([])

    def _literal(self, condition: Condition) -> int | None:
        negated = isinstance(condition, Not)
        variable = condition.arg if isinstance(condition, Not) else condition
        if not isinstance(variable, Variable) or len(self._literals[variable]) != 2:
            return None
        return self._literals[variable][0 if negated else 1]

    def _spell_out(self, automaton: Layered) -> None:
        """One propositional variable per state after each reading; a state that is certain to be accepted needs none."""
        here: list[int | None] = [None, 0]  # the start always holds
        for k, (position, table) in enumerate(zip(automaton.positions, automaton.tables, strict=True)):
            literals = self._literals[self._held[position]]
            last = k == len(automaton.tables) - 1
            there: list[int | None] = [None] + ([] if last else [self._new() for _ in range(len(automaton.tables[k + 1]) - 1)])
            for state in range(1, len(table)):
                look("writing clauses")
                guard = [-here[state]] if here[state] else []  # type: ignore[operator]
                for literal, after in zip(literals, table[state].tolist(), strict=True):
                    if after < 0:
                        self.clauses.append([*guard, -literal])
                    elif after > 0:
                        target = there[after]
                        assert target is not None
                        self.clauses.append([*guard, -literal, target])
            here = there

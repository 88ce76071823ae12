"""The model: variables, named constraints and an objective, and every question that can be asked of them.

A model is data. It can be printed, copied and pickled, and it answers any number of questions in any order; each question
goes to the backend that is made for it (the table is in the README).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, overload

import numpy as np

from cpsolve import checks, deduction
from cpsolve.arrays import ExpressionArray
from cpsolve.constraints import table
from cpsolve.counting import choosing
from cpsolve.counting.batch import check_all
from cpsolve.deduction import Step
from cpsolve.errors import ModelError, NotImpliedError, SolverError, UnsupportedError
from cpsolve.expressions import (
    DOMAIN_MAX,
    SUM_MAX,
    And,
    Comparison,
    Condition,
    Constraint,
    Expression,
    Linear,
    Not,
    Or,
    Variable,
    as_condition,
    as_expression,
    as_int,
    as_int64,
    collect,
    walk,
)
from cpsolve.limits import Deadline, budget
from cpsolve.results import Result, Solution, Solutions, Status
from cpsolve.solvers import backend as answering
from cpsolve.solvers.base import Search
from cpsolve.words import counted

_PLAIN: set[type[Expression]] = {Comparison}
"""The kinds in a comparison of a sum."""


class NamedConstraint:
    """A constraint as it stands in a model. Two of them are equal only if they are the same entry."""

    __slots__ = ("constraint", "given_name")

    def __init__(self, constraint: Condition, given_name: str | None = None) -> None:
        self.constraint = constraint
        self.given_name = given_name

    @property
    def name(self) -> str:
        """The given name; without one, the constraint as text."""
        return str(self.constraint) if self.given_name is None else self.given_name

    def __str__(self) -> str:
        return str(self.constraint) if self.given_name is None else f"{self.given_name}: {self.constraint}"

    def __repr__(self) -> str:
        return f"<{self}>"


class _Forms:
    """What backends made of one state of a model. Variables and constraints are only ever added, the rest is replaced."""

    __slots__ = ("constraints", "hint", "made", "objective", "variables")

    def __init__(self, model: Model) -> None:
        self.constraints, self.variables = len(model._constraints), len(model._variables)
        self.objective, self.hint = model._objective, model._hint
        self.made: dict[str, Any] = {}

    def of(self, model: Model) -> bool:
        """Whether the model is still in that state."""
        return (
            self.constraints == len(model._constraints)
            and self.variables == len(model._variables)
            and self.objective is model._objective
            and self.hint is model._hint
        )


class Model:
    """Variables, named constraints and an objective; see the package's documentation for all questions.

    >>> import cpsolve as cp
    >>> m = cp.Model("coins")
    >>> ones, fives = m.int_var(0, 9, "ones"), m.int_var(0, 9, "fives")
    >>> _ = m.add(ones + 5 * fives == 17, name="total")
    >>> m.minimize(ones + fives)
    >>> r = m.solve()
    >>> r.status, r.objective, r.solution[fives]
    (<Status.OPTIMAL: 'optimal'>, 5, 3)
    >>> m.count()
    2
    >>> print(m)
    Model 'coins': 2 variables, 1 constraint
      ones in 0..9
      fives in 0..9
      minimize ones + fives
      total: ones + 5*fives == 17
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._variables: list[Variable] = []
        self._own_variables: set[Expression] = set()
        self._widest = 1
        self._constraints: list[NamedConstraint] = []
        self._objective: tuple[int, Expression] | None = None
        self._hint: dict[Variable, int] = {}
        self._kinds: set[type[Expression]] = set()
        self._forms = _Forms(self)
        self.lasting: dict[str, Any] = {}
        """What backends keep even when the model changes, shared with its copies: nothing that depends on all constraints."""

    # -- building

    def int_var(self, lo: int, hi: int, name: str = "") -> Variable:
        """A new integer variable with values lo..hi, both included.

        >>> Model().int_var(1, 6, "die")
        die
        """
        return self._new_variable(*_domain(lo, hi, name), name)

    def int_var_of(self, values: Iterable[int], name: str = "") -> Variable:
        """A new integer variable that has one of the values. The gaps between them are a constraint, "domain of" the variable.

        >>> m = Model()
        >>> coin = m.int_var_of([1, 2, 5, 10, 20, 50], "coin")
        >>> m.count_by(coin)
        {1: 1, 2: 1, 5: 1, 10: 1, 20: 1, 50: 1}
        """
        listed = sorted({as_int64(value) for value in values})
        if not listed:
            raise ModelError(f"the domain of {name or 'a variable'} is empty: give at least one value")
        variable = self.int_var(listed[0], listed[-1], name)
        if len(listed) <= listed[-1] - listed[0]:
            self.add(table([variable], [(value,) for value in listed]), name=f"domain of {variable}")
        return variable

    def bool_var(self, name: str = "") -> Variable:
        """A new variable with values 0 and 1.

        >>> Model().bool_var("open")
        open
        """
        return self._new_variable(0, 1, name)

    def _new_variable(self, low: int, high: int, name: str) -> Variable:
        variable = Variable(len(self._variables), low, high, name)
        self._variables.append(variable)
        self._own_variables.add(variable)
        if high > self._widest or -low > self._widest:
            self._widest = max(high, -low)
        return variable

    def int_vars(self, shape: int | Sequence[int], lo: Any, hi: Any, name: str = "") -> ExpressionArray:
        """A numpy array of new variables; lo and hi are integers or arrays of that shape.

        >>> x = Model().int_vars((2, 3), 1, 9, name="x")
        >>> x.shape, x[1, 2]
        ((2, 3), x[1,2])
        """
        array = np.empty(shape, dtype=object)
        lows, highs = (np.broadcast_to(np.asarray(end, dtype=object), array.shape).ravel().tolist() for end in (lo, hi))
        names = [name and f"{name}{suffix}" for suffix in _suffixes(array.shape)]
        domains = [_domain(*entry) for entry in zip(lows, highs, names, strict=True)]
        array.ravel()[:] = [self._new_variable(low, high, name) for (low, high), name in zip(domains, names, strict=True)]
        return array.view(ExpressionArray)

    def bool_vars(self, shape: int | Sequence[int], name: str = "") -> ExpressionArray:
        """A numpy array of new variables with values 0 and 1.

        >>> Model().bool_vars(2, name="b")
        ExpressionArray([b[0], b[1]], dtype=object)
        """
        array = np.empty(shape, dtype=object)
        array.ravel()[:] = [self.bool_var(name and f"{name}{suffix}") for suffix in _suffixes(array.shape)]
        return array.view(ExpressionArray)

    @overload
    def add(self, constraint: Constraint | Variable | bool, name: str | None = None) -> NamedConstraint: ...

    @overload
    def add(self, constraint: Any, name: str | None = None) -> Any: ...

    def add(self, constraint: Any, name: str | None = None) -> Any:
        """Adds a constraint, or each of an array or list of them, and returns it as it stands in the model (or a list).

        The members of an array called ``name`` are called ``name[0]``, ``name[1]`` …

        >>> m = Model()
        >>> x = m.int_vars(3, 0, 9, name="x")
        >>> m.add(x[:2] < x[1:], name="increasing")
        [<increasing[0]: x[0] < x[1]>, <increasing[1]: x[1] < x[2]>]
        """
        if isinstance(constraint, Constraint):  # the common case, made fast
            self._kinds |= self._admit(constraint)
            entry = NamedConstraint(constraint, name)
            self._constraints.append(entry)
            return entry
        entries = self._entries(constraint, name)
        added = _flat([entries])
        for kinds in [self._admit(entry.constraint) for entry in added]:
            self._kinds |= kinds
        self._constraints += added
        return entries

    def _entries(self, constraint: Any, name: str | None) -> Any:
        """The entry for a constraint, or a list of entries for an array or a list."""
        if isinstance(constraint, Constraint):
            return NamedConstraint(constraint, name)
        if isinstance(constraint, np.ndarray):
            names = [None if name is None else f"{name}{suffix}" for suffix in _suffixes(constraint.shape)]
            return [self._entries(item, each) for item, each in zip(constraint.ravel().tolist(), names, strict=True)]
        if isinstance(constraint, Iterable) and not isinstance(constraint, str):
            return [self._entries(item, None if name is None else f"{name}[{i}]") for i, item in enumerate(constraint)]
        return NamedConstraint(as_condition(constraint), name)

    def minimize(self, expression: Any) -> None:
        """Sets the objective: solutions with a smaller value are better.

        >>> m = Model()
        >>> m.minimize(m.int_var(2, 5))
        >>> m.solve().objective
        2
        """
        self._set_objective(1, expression)

    def maximize(self, expression: Any) -> None:
        """Sets the objective: solutions with a larger value are better.

        >>> m = Model()
        >>> m.maximize(m.int_var(2, 5))
        >>> m.solve().objective
        5
        """
        self._set_objective(-1, expression)

    def _set_objective(self, sign: int, expression: Any) -> None:
        objective = as_expression(expression)
        self._kinds |= self._admit(objective)
        self._objective = (sign, objective)

    def hint(self, assignment: Mapping[Variable, int]) -> None:
        """Suggests values to start the search from; a wrong or partial hint does no harm.

        >>> m = Model()
        >>> x = m.int_var(0, 9)
        >>> m.hint({x: 4})
        """
        for variable in assignment:
            self._own(variable)
        self._hint = {**self._hint, **{variable: as_int64(value) for variable, value in assignment.items()}}

    def copy(self) -> Model:
        """A model with the same variables, constraints and objective, to be changed independently.

        The variables are shared: an expression over them can be used in both.

        >>> m = Model()
        >>> x = m.int_var(0, 9)
        >>> half = m.copy()
        >>> _ = half.add(x < 5)
        >>> m.count(), half.count()
        (10, 5)
        """
        twin = Model(self.name)
        # What refers to variables comes before the variables: another thread may be adding both.
        twin._constraints, twin._objective, twin._hint = self._constraints.copy(), self._objective, self._hint
        twin._variables = self._variables.copy()
        twin._own_variables = self._own_variables.copy()
        twin._widest = self._widest
        twin._kinds = self._kinds.copy()
        twin._forms = _Forms(twin)
        twin.lasting = self.lasting
        return twin

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_forms": None, "lasting": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forms = _Forms(self)

    # -- what it holds

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables in the order made."""
        return tuple(self._variables)

    @property
    def constraints(self) -> tuple[NamedConstraint, ...]:
        """The constraints in the order added."""
        return tuple(self._constraints)

    @property
    def kinds(self) -> frozenset[type[Expression]]:
        """The kinds of expressions and constraints in it, at any depth."""
        return frozenset(self._kinds)

    @property
    def hints(self) -> Mapping[Variable, int]:
        """The values suggested with :meth:`hint`."""
        return self._hint

    @property
    def objective(self) -> Expression | None:
        """The expression to minimize or maximize, if any."""
        return None if self._objective is None else self._objective[1]

    @property
    def sense(self) -> int:
        """1 if the objective is minimized, -1 if it is maximized, 0 if there is none."""
        return 0 if self._objective is None else self._objective[0]

    def derived(self, key: str, make: Callable[[], Any]) -> Any:
        """A backend's own form of this model, kept until the model changes."""
        forms = self._forms
        if not forms.of(self):
            forms = self._forms = _Forms(self)
        if key in forms.made:
            return forms.made[key]
        form = make()
        if forms.of(self):  # else another thread has changed the model meanwhile
            forms.made[key] = form
        return form

    def _snapshot(self) -> Model:
        """This model as it is now, for one question: what is added while that is answered, in whichever thread, plays no part."""
        snapshot = self.copy()
        if self._forms.of(snapshot):
            snapshot._forms = self._forms
        else:
            self._forms = snapshot._forms
        return snapshot

    def _own(self, variable: Any) -> None:
        if not isinstance(variable, Variable):
            raise ModelError(f"expected a variable, got {variable!r} ({type(variable).__name__})")
        if variable not in self._own_variables:
            raise ModelError(f"the variable {variable} belongs to another model than {self._title()}")

    def _admit(self, root: Expression) -> set[type[Expression]]:
        """Checks that all variables are this model's and that no sum can leave 64 bits; returns the kinds of its parts."""
        if type(root) is Comparison and type(root.left) is Linear and type(root.right) is int:  # the common case, made fast
            left = root.left
            if self._own_variables.issuperset(left.atoms):
                largest = 1 if left.is_plain else max(map(abs, left.coefficients), default=0)
                if abs(root.right) + abs(left.constant) + self._widest * largest * left.size < SUM_MAX:
                    return _PLAIN
        kinds: set[type[Expression]] = set()
        for node in walk(root):
            if isinstance(node, Variable):
                self._own(node)
                continue
            if isinstance(node, Comparison | Linear) and _reach(node) >= SUM_MAX:
                raise ModelError(_overflow(node))
            if node.kind:
                kinds.add(type(node))
        return kinds

    def variables_of(self, over: Any) -> tuple[Variable, ...]:
        """The distinct variables in nested lists and arrays, all of this model; all variables for None."""
        if over is None:
            return self.variables
        chosen = tuple(dict.fromkeys(collect([over])))
        for variable in chosen:
            self._own(variable)
        return chosen

    def _title(self) -> str:
        return f"Model {self.name!r}" if self.name else "Model"

    def __repr__(self) -> str:
        return f"<{self._title()}: {counted(len(self._variables), 'variable')}, {counted(len(self._constraints), 'constraint')}>"

    def __str__(self) -> str:
        return self.describe(most=60)

    def describe(self, most: int | None = None) -> str:
        """The whole model as text, with at most ``most`` variables and as many constraints.

        >>> m = Model("tiny")
        >>> _ = m.add(m.bool_var("a") | m.bool_var("b"), name="some")
        >>> print(m.describe())
        Model 'tiny': 2 variables, 1 constraint
          a in 0..1
          b in 0..1
          some: a | b
        """
        lines = [f"{self._title()}: {counted(len(self._variables), 'variable')}, {counted(len(self._constraints), 'constraint')}"]
        lines += _shortened([f"{v} in {v.lo}..{v.hi}" for v in self._variables[:most]], len(self._variables), "variables")
        if self._objective is not None:
            lines.append(f"  {'minimize' if self.sense > 0 else 'maximize'} {self.objective}")
        lines += _shortened([str(entry) for entry in self._constraints[:most]], len(self._constraints), "constraints")
        return "\n".join(lines)

    # -- questions

    def solve(
        self,
        backend: str | None = None,
        time_limit: float | None = None,
        seed: int = 0,
        workers: int | None = None,
        on_solution: Callable[[Result], None] | None = None,
        *,
        max_memory: int | None = None,
        progress: bool = False,
        options: Mapping[str, Any] | None = None,
        check: bool = False,
    ) -> Result:
        """One solution; with an objective, the best.

        After ``time_limit`` seconds, or when the process takes ``max_memory`` bytes more than before, the answer is the best that was
        found, FEASIBLE, or UNKNOWN. That is so for every question; those without a partial answer raise TimeLimitError and
        MemoryLimitError.

        ``on_solution`` is called in this thread with a FEASIBLE Result for every improving solution. ``progress`` shows a
        line on the terminal once the solve takes longer than a second. ``options`` are the backend's own parameters.
        ``check`` asks an independent backend for a second opinion (``Result.check``), within what is left of the time limit and
        at most a few seconds; SolverError if the two contradict each other.

        >>> m = Model()
        >>> x, y = m.int_vars(2, 0, 9, name="x")
        >>> _ = m.add(x + y == 12)
        >>> m.maximize(2 * x - y)
        >>> r = m.solve(time_limit=10)
        >>> r.objective, r.bound, r.solution
        (15, 15, Solution(x[0]=9, x[1]=3))
        >>> m.solve(check=True).checked
        'python-constraint'
        """
        chosen = answering("solve" if self._objective is None else "optimise", self._kinds, backend)  # importing it is not part of its time
        if workers is not None and (not isinstance(workers, int) or workers < 1):
            raise ModelError(f"workers must be a positive number of threads, got {workers!r}")
        if not isinstance(seed, int | np.integer):
            raise ModelError(f"seed must be an integer, got {seed!r}")
        model = self._snapshot()
        search = Search(Deadline(time_limit, max_memory), int(seed), workers, model._checking(on_solution), progress, options)
        with search.deadline.watched():
            result = chosen.solve(model, search)
            model.check(result.solution)
            if check:
                seconds = min(checks.SECONDS, search.deadline.remaining())
                result = replace(result, check=checks.second_opinion(model, result, seconds))
        return replace(result, model=model) if result.status is Status.INFEASIBLE else result

    def solutions(
        self,
        over: Any = None,
        limit: int | None = None,
        time_limit: float | None = None,
        backend: str | None = None,
        *,
        max_memory: int | None = None,
    ) -> Solutions:
        """All solutions, each once, as they are found; the objective plays no part.

        With ``over``, all different assignments of those variables that some solution has.

        >>> m = Model()
        >>> x, y = m.int_vars(2, 0, 2, name="x")
        >>> _ = m.add(x < y)
        >>> sorted((s[x], s[y]) for s in m.solutions())
        [(0, 1), (0, 2), (1, 2)]
        >>> sorted(s[x] for s in m.solutions(over=x))
        [0, 1]
        """
        model = self._snapshot()
        chosen = model.variables_of(over)
        if limit is not None and as_int(limit) < 0:
            raise ModelError(f"limit must not be negative, got {limit}")
        answers = answering("solutions", model._kinds, backend)
        source = answers.solutions(model, chosen, Search(Deadline(time_limit, max_memory)))
        return Solutions(source, limit, model.check if len(chosen) == len(model._variables) else None)

    def count(
        self,
        over: Any = None,
        *,
        at_most: int | None = None,
        approximate: tuple[float, float] | None = None,
        time_limit: float | None = None,
        max_memory: int | None = None,
        max_nodes: int | None = None,
        backend: str | None = None,
        stats: dict[str, Any] | None = None,
        check: bool = False,
    ) -> int:
        """The exact number of solutions; with ``over``, of different assignments of those variables in solutions.

        With ``at_most`` counting stops there: the answer is that number if there are as many solutions or more. Raises DiagramTooWide
        when counting would need more than ``max_memory`` bytes (by default half of what is free, at most 2 GB) or, if that is given, more
        than ``max_nodes`` nodes. When a model is too wide for any exact count, ``approximate=(epsilon, delta)`` asks ApproxMC: its answer
        is within a factor of 1 + epsilon of the number with probability 1 - delta or more. ``stats`` is a dict to be told how it was done.
        With ``check`` another engine counts once more where it can: ``stats["checked"]`` names the one that agreed, ``stats["check"]`` says
        what became of it, and SolverError is raised when the numbers differ.

        >>> m = Model()
        >>> x = m.bool_vars(100)
        >>> _ = m.add(x.sum() == 50)
        >>> m.count(), m.count(at_most=1000)
        (100891344545564193334812497256, 1000)
        """
        model = self._snapshot()
        chosen = None if over is None else model.variables_of(over)
        search = _counting(time_limit, max_memory, max_nodes, stats=stats)
        with search.deadline.watched():
            if at_most is not None:
                return choosing.count_at_most(model, chosen, budget(at_most, "at_most"), search)
            if approximate is not None:
                return choosing.approximate(model, chosen, approximate, search)
            number = answering("count", model._kinds, backend).count(model, chosen, search)
            if check:
                opinion = checks.second_count(model, chosen, number, min(checks.SECONDS, search.deadline.remaining()))
                if stats is not None:
                    stats |= {"checked": opinion.backend, "check": opinion.note}
            return number

    def unique(self, over: Any = None, *, time_limit: float | None = None, max_memory: int | None = None) -> bool:
        """Whether there is exactly one solution; with ``over``, exactly one assignment of those variables in solutions.

        >>> m = Model()
        >>> x, y = m.int_vars(2, 0, 3)
        >>> _ = m.add(x + y == 6)
        >>> m.unique(), m.copy().unique(over=x)
        (True, True)
        """
        return self.count(over, at_most=2, time_limit=time_limit, max_memory=max_memory) == 1

    def count_by(
        self,
        expr: Any,
        *,
        time_limit: float | None = None,
        max_memory: int | None = None,
        max_nodes: int | None = None,
        backend: str | None = None,
    ) -> dict[int, int]:
        """How many solutions there are for each value of an expression.

        >>> m = Model()
        >>> dice = m.int_vars(2, 1, 6)
        >>> m.count_by(dice.sum())[7]
        6
        """
        expression, kinds = self._expression(expr)
        answers, search = answering("count_by", kinds, backend), _counting(time_limit, max_memory, max_nodes)
        with search.deadline.watched():
            return answers.count_by(self._snapshot(), expression, search)

    def marginals(
        self,
        bools: Any,
        exact: bool = False,
        *,
        time_limit: float | None = None,
        max_memory: int | None = None,
        max_nodes: int | None = None,
        backend: str | None = None,
    ) -> np.ndarray[Any, Any]:
        """The share of all solutions in which each condition holds, as an array of the shape of ``bools``.

        Floats, or with ``exact`` Fractions; 0 and 1 are exact either way. InfeasibleError when there is no solution.

        >>> m = Model()
        >>> x = m.bool_vars(3)
        >>> _ = m.add(x.sum() == 2)
        >>> m.marginals(x, exact=True)
        array([Fraction(2, 3), Fraction(2, 3), Fraction(2, 3)], dtype=object)
        """
        shape = bools.shape if isinstance(bools, np.ndarray) else np.shape(np.array(bools, dtype=object))
        conditions = [as_condition(item) for item in collect([bools])]
        kinds = self._kinds.union(*map(self._admit, conditions))
        answers, search = answering("marginals", kinds, backend), replace(_counting(time_limit, max_memory, max_nodes), exact=exact)
        with search.deadline.watched():
            shares = answers.marginals(self._snapshot(), conditions, search)
        return np.array(shares if exact else [float(share) for share in shares], dtype=object if exact else float).reshape(shape)

    def distribution(
        self,
        expr: Any,
        *,
        time_limit: float | None = None,
        max_memory: int | None = None,
        max_nodes: int | None = None,
        backend: str | None = None,
    ) -> dict[int, Fraction]:
        """The share of all solutions for each value of an expression. InfeasibleError when there is no solution.

        >>> m = Model()
        >>> dice = m.int_vars(2, 1, 6)
        >>> m.distribution(dice.sum())[7]
        Fraction(1, 6)
        """
        expression, kinds = self._expression(expr)
        answers, search = answering("distribution", kinds, backend), _counting(time_limit, max_memory, max_nodes)
        with search.deadline.watched():
            return answers.distribution(self._snapshot(), expression, search)

    def sample(
        self,
        n: int = 1,
        seed: int = 0,
        *,
        time_limit: float | None = None,
        max_memory: int | None = None,
        max_nodes: int | None = None,
        backend: str | None = None,
    ) -> list[Solution]:
        """``n`` solutions drawn independently, each with the same probability. InfeasibleError when there is none.

        >>> m = Model()
        >>> x = m.int_vars(3, 0, 2)
        >>> _ = m.add(x.sum() == 3)
        >>> [sum(s[x]) for s in m.sample(4, seed=1)] == [3, 3, 3, 3]
        True
        """
        if as_int(n) < 0:
            raise ModelError(f"cannot draw {n} solutions")
        model = self._snapshot()
        answers, search = answering("sample", model._kinds, backend), _counting(time_limit, max_memory, max_nodes, as_int(seed))
        with search.deadline.watched():
            drawn = answers.sample(model, as_int(n), search)
        check_all(model, drawn)
        return drawn

    def backbone(
        self, over: Any = None, *, time_limit: float | None = None, max_memory: int | None = None, backend: str | None = None
    ) -> dict[Variable, int]:
        """The variables (of ``over``, else of the model) that have one value in every solution, with that value.

        InfeasibleError when there is no solution.

        >>> m = Model()
        >>> x, y, z = m.int_vars(3, 0, 5, name="x")
        >>> _ = m.add([x + y == 10, z <= x])
        >>> m.backbone()
        {x[0]: 5, x[1]: 5}
        """
        model = self._snapshot()
        chosen = model.variables_of(over)
        answers, search = answering("backbone", model._kinds, backend), Search(Deadline(time_limit, max_memory))
        with search.deadline.watched():
            return answers.backbone(model, chosen, search)

    def explain(
        self,
        fact: Any,
        *,
        background: Sequence[Any] = (),
        smallest: bool = False,
        time_limit: float | None = None,
        max_memory: int | None = None,
        backend: str | None = None,
    ) -> list[NamedConstraint]:
        """A minimal list of constraints that together imply ``fact``: without any one of them it would not follow.

        The entries in ``background`` (what :meth:`add` returned) are taken for granted and not listed. With ``smallest`` no shorter
        list exists, and of those of equal length it is the first in the model's order, whichever backend is asked.

        NotImpliedError, with a counter-example, when the fact does not follow from the model; InfeasibleError, with the
        conflict, when the constraints found contradict each other and so imply anything.

        >>> m = Model()
        >>> a, b, c = m.bool_vars(3, name="x")
        >>> _ = m.add(a | b, name="first"), m.add(~b, name="second"), m.add(c | b, name="third")
        >>> m.explain(a == 1)
        [<first: x[0] | x[1]>, <second: ~x[1]>]
        """
        condition = as_condition(fact)
        kinds = self._kinds | self._admit(condition)
        taken = self._given_entries(background)
        answers = answering("smallest" if smallest else "explain", kinds, backend)
        search = Search(Deadline(time_limit, max_memory))
        with search.deadline.watched():
            if smallest:
                return answers.smallest(self._snapshot(), condition, taken, search)
            if not taken:
                return answers.explain(self._snapshot(), condition, search)
            granted = self.copy()
            apart = set(taken)
            granted._constraints = [entry for entry in self._constraints if entry not in apart]
            fact_then = Or((condition, *(Not(entry.constraint) for entry in taken)))
            try:
                return answers.explain(granted, fact_then, search)
            except NotImpliedError as error:
                raise NotImpliedError(f"`{condition}` does not follow: it fails in {error.counterexample}", error.counterexample) from None

    def _given_entries(self, entries: Any) -> list[NamedConstraint]:
        own = set(self._constraints)
        listed = _flat([list(entries)])
        if strangers := [entry for entry in listed if entry not in own]:
            raise ModelError(f"{strangers[0]} is no entry of this model: give what its add returned")
        return listed

    def possible(
        self, expr: Any, *, time_limit: float | None = None, max_memory: int | None = None, backend: str | None = None
    ) -> list[int]:
        """The values that an expression has in some solution, in increasing order; [] when there is none.

        >>> m = Model()
        >>> x, y = m.int_vars(2, 0, 5)
        >>> _ = m.add(x + 2 * y == 7)
        >>> m.possible(x), m.possible(x * y)
        ([1, 3, 5], [3, 5, 6])
        """
        deadline = Deadline(time_limit, max_memory)
        expression, _ = self._expression(expr)
        twin = self if isinstance(expression, Variable) else self.copy()
        variable = twin.tied(expression)
        with deadline.watched():
            found = twin.solutions(over=variable, backend=backend)
            values = sorted(solution[variable] for solution in found)
        if not found.complete:
            deadline.fail("possible values")
        return values

    def tied(self, expression: Expression) -> Variable:
        """A variable with the value of an expression in every solution: a new one, unless the expression is one itself.

        >>> m = Model()
        >>> x = m.int_var(0, 5, "x")
        >>> square = m.tied(x * x)
        >>> m.count(), square.hi
        (6, 25)
        """
        if isinstance(expression, Variable):
            return expression
        low, high = expression.interval()
        if max(-low, high) > DOMAIN_MAX:
            raise UnsupportedError(f"{expression} ranges over {low}..{high}: no variable can stand for it, as none goes beyond 2**60")
        variable = self.int_var(low, high)
        self.add(variable == expression)
        return variable

    def steps(
        self,
        rules: Mapping[str, Any] | None = None,
        givens: Any = None,
        *,
        over: Any = None,
        most: int | None = None,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> Iterator[Step]:
        """The easiest next deduction, again and again: few rules that, with what is known, determine variables.

        ``rules`` maps names to entries that :meth:`add` returned (one or a list); without it every constraint is a rule. ``givens`` are
        known from the start: values by variable, conditions, or entries of the model. Stops where no deduction of at most ``most`` rules
        is left. A rule about the whole of a graph (a loop, connected cells, regions) gives a few facts at a time, with the few known
        values that they take in ``Step.given``. Needs the backend 'sat'.

        >>> m = Model()
        >>> a, b, c = m.int_vars(3, 1, 3, name="x")
        >>> _ = m.add(a < b, name="first"), m.add(b < c, name="second")
        >>> for step in m.steps():
        ...     print(step)
        x[0] = 1, x[1] = 2, x[2] = 3 because of first, second
        """
        return self._deductions(rules, givens, over, most, Deadline(time_limit, max_memory), focused=True)

    def _deductions(
        self, rules: Mapping[str, Any] | None, givens: Any, over: Any, most: int | None, deadline: Deadline, focused: bool
    ) -> Iterator[Step]:
        known, apart = deduction.known_of(self, givens)
        for condition in known:
            self._admit(condition)
        groups = deduction.groups_of(self, rules, apart)
        limit = len(groups) if most is None else budget(most, "most")
        return deduction.steps(self._snapshot(), self.variables_of(over), groups, known, deadline, limit, focused)

    def difficulty(
        self,
        rules: Mapping[str, Any] | None = None,
        givens: Any = None,
        *,
        over: Any = None,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> int:
        """The number of rules of the hardest of the :meth:`steps` to the solution; 0 when all is known.

        >>> m = Model()
        >>> a, b, c = m.bool_vars(3, name="x")
        >>> _ = m.add(a), m.add(a.implies(b)), m.add(b.implies(c))
        >>> m.difficulty()
        1
        """
        deadline = Deadline(time_limit, max_memory)
        return max((step.size for step in self._deductions(rules, givens, over, None, deadline, focused=False)), default=0)

    def minimal_clues(
        self,
        solution: Mapping[Variable, int],
        clues: Any,
        rules: Any = None,
        *,
        over: Any = None,
        seed: int = 0,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> list[Any]:
        """Some of the clues under which the solution is the only one, and would not be without any one of them.

        A clue is a variable (its value in the solution is told), a condition that the solution meets, or an entry of this model. ``rules``
        are the entries that hold anyway: by default all that are no clues. ``over`` are the variables that must be determined. Clues are
        dropped in an order drawn with ``seed``. Needs the backend 'sat'.

        >>> import cpsolve as cp
        >>> m = Model()
        >>> x = m.int_vars(4, 1, 4, name="x")
        >>> _ = m.add(cp.all_different(x))
        >>> m.minimal_clues(dict(zip(x, [2, 1, 4, 3])), x, seed=1)
        [x[0], x[1], x[2]]
        """
        deadline = Deadline(time_limit, max_memory)
        answer = Solution({variable: as_int(solution[variable]) for variable in self._variables})
        listed = list(collect([clues])) if not isinstance(clues, NamedConstraint) else [clues]
        entries = [clue for clue in listed if isinstance(clue, NamedConstraint)]
        conditions: list[Condition] = []
        for clue in listed:
            deadline.check("dropping clues")
            if isinstance(clue, NamedConstraint):
                conditions.append(clue.constraint)
            elif isinstance(clue, Variable) and not isinstance(clue, Constraint):
                self._own(clue)
                conditions.append(clue == answer[clue])
            else:
                conditions.append(as_condition(clue))
                self._admit(conditions[-1])
            if not conditions[-1].value(answer):
                raise ModelError(f"the clue {conditions[-1]} does not hold in the solution")
        apart = set(entries)
        kept = [entry for entry in self._constraints if entry not in apart] if rules is None else self._given_entries([rules])
        for entry in kept:
            deadline.check("dropping clues")
            if not entry.constraint.value(answer):
                raise ModelError(f"the solution breaks the rule {entry}")
        needed = deduction.minimal_clues(self._snapshot(), answer, conditions, kept, self.variables_of(over), seed, deadline)
        return [listed[number] for number in needed]

    def conflict(
        self, *, time_limit: float | None = None, max_memory: int | None = None, backend: str | None = None
    ) -> list[NamedConstraint]:
        """A minimal list of constraints that cannot all hold; [] when the model has a solution.

        >>> m = Model()
        >>> x = m.int_var(0, 9, "x")
        >>> _ = m.add(x > 5, name="high"), m.add(x != 7, name="odd one"), m.add(x < 3, name="low")
        >>> m.conflict()
        [<high: x > 5>, <low: x < 3>]
        """
        answers, search = answering("conflict", self._kinds, backend), Search(Deadline(time_limit, max_memory))
        with search.deadline.watched():
            return answers.conflict(self._snapshot(), search)

    def violations(self, assignment: Mapping[Variable, int]) -> list[NamedConstraint]:
        """The constraints that an assignment of all variables breaks; a value outside its domain is one too.

        >>> m = Model()
        >>> x = m.int_var(0, 9, "x")
        >>> _ = m.add(x > 5, name="high")
        >>> m.violations({x: 3}), m.violations({x: 7}), m.violations({x: 12})
        ([<high: x > 5>], [], [<domain of x: (x >= 0) & (x <= 9)>])
        """
        values = {variable: as_int(value) for variable, value in assignment.items()}
        broken = []
        for variable in self._variables:
            value = values.get(variable)
            if value is None:
                raise ModelError(f"the assignment lacks a value for {variable}")
            if not variable.lo <= value <= variable.hi:
                broken.append(NamedConstraint(And((variable >= variable.lo, variable <= variable.hi)), f"domain of {variable}"))
        return broken + [entry for entry in self._constraints if not entry.constraint.value(values)]

    # -- answers are checked before anyone sees them

    def check(self, solution: Solution | None) -> None:
        """Raises SolverError if a solution breaks a constraint; None breaks none."""
        if solution is not None and (broken := self.violations(solution)):
            raise SolverError(f"the solver's answer {solution} breaks {broken[0]}", broken)

    def _checking(self, on_solution: Callable[[Result], None] | None) -> Callable[[Result], None] | None:
        if on_solution is None:
            return None

        def checked(result: Result) -> None:
            self.check(result.solution)
            on_solution(result)

        return checked

    def _expression(self, value: Any) -> tuple[Expression, set[type[Expression]]]:
        """An expression over this model's variables, and the kinds of constraints in it and in the model."""
        expression = as_expression(value)
        return expression, self._kinds | self._admit(expression)


def _suffixes(shape: tuple[int, ...]) -> list[str]:
    """The names' endings of an array's members: [0], [1] … or [0,0], [0,1] …"""
    return ["[" + ",".join(map(str, place)) + "]" for place in product(*map(range, shape))]


def _flat(entries: list[Any]) -> list[NamedConstraint]:
    return [entry for part in entries for entry in ([part] if isinstance(part, NamedConstraint) else _flat(part))]


def _domain(lo: Any, hi: Any, name: str) -> tuple[int, int]:
    low, high = _bound(lo, name), _bound(hi, name)
    if low > high:
        raise ModelError(f"the domain {low}..{high} of {name or 'a variable'} is empty")
    return low, high


def _bound(value: Any, name: str) -> int:
    if value is None or (isinstance(value, float) and value in (float("inf"), float("-inf"))):
        raise ModelError(f"the domain of {name or 'a variable'} is unbounded: give finite integers")
    bound = as_int(value)
    if not -DOMAIN_MAX <= bound <= DOMAIN_MAX:
        raise ModelError(f"the bound {bound} of {name or 'a variable'} is beyond {DOMAIN_MAX} (2**60): solvers work in 64 bits")
    return bound


def _counting(
    time_limit: float | None, max_memory: int | None, max_nodes: int | None, seed: int = 0, stats: dict[str, Any] | None = None
) -> Search:
    """What the questions about all solutions have in common."""
    budgets = {"max_memory": max_memory, "max_nodes": None if max_nodes is None else budget(max_nodes, "max_nodes")}
    options: dict[str, Any] = {name: value for name, value in budgets.items() if value is not None}
    deadline = Deadline(time_limit, max_memory)
    deadline.check("counting")  # so that no time is no time, however small the model
    return Search(deadline, seed, options=options if stats is None else {**options, "stats": stats})


def _reach(node: Comparison | Linear) -> int:
    """The largest absolute value that any partial sum of this node can have."""
    if isinstance(node, Linear):
        ends = [atom.interval() for atom in node.atoms]
        return abs(node.constant) + sum(abs(c) * max(high, -low) for c, (low, high) in zip(node.coefficients, ends, strict=True))
    right = node.right if isinstance(node.right, int) else max(map(abs, node.right.interval()))
    return max(map(abs, node.left.interval())) + abs(right)


def _overflow(node: Expression) -> str:
    text = str(node)
    return f"{text if len(text) < 200 else text[:200] + '…'} can go beyond 64 bits (the limit is 2**62): scale its coefficients down"


def _shortened(lines: list[str], total: int, noun: str) -> list[str]:
    rest = [f"  … and {total - len(lines):,} more {noun}"] if total > len(lines) else []
    return [f"  {line}" for line in lines] + rest

"""OR-Tools CP-SAT: the default backend, and the only file that imports ortools.

:class:`Encoding` writes a model straight into CP-SAT's own form. Every auxiliary variable it adds is a function of the
model's variables, so that solutions are counted once. The solver runs in a thread of its own while the caller's thread
waits: Ctrl-C, callbacks and laziness all stay with the caller.

Measured on ortools 9.15 and relied on here: enumeration is wrong with more than one worker; automata under a condition
repeat solutions (they are spelled out instead); assumption cores are sound with fresh literals and presolve off.
"""

from __future__ import annotations

import atexit
import math
import queue
import threading
import weakref
from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from cpsolve.backends.base import Deadline, Search
from cpsolve.constraints import AllDifferent, AtMostOne, Automaton, Circuit, ExactlyOne, Table
from cpsolve.errors import ModelError, TimeLimitError
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
    as_int,
    linear_form,
)
from cpsolve.lower import circuit_formula, negation, total
from cpsolve.progress import Progress
from cpsolve.results import Result, Solution, Status

if TYPE_CHECKING:
    from cpsolve.model import Model

LEAST, MOST = -(2**63), 2**63 - 1
STATUS = {
    cp_model.OPTIMAL: Status.OPTIMAL,
    cp_model.FEASIBLE: Status.FEASIBLE,
    cp_model.INFEASIBLE: Status.INFEASIBLE,
    cp_model.UNKNOWN: Status.UNKNOWN,
}


def negated(literal: int) -> int:
    """The opposite of a literal: CP-SAT writes "not variable i" as -i - 1."""
    return -literal - 1


class Encoding:
    """A CP-SAT model under construction. A literal is a 0/1 variable's index, or ``negated`` of one."""

    def __init__(self, model: Model, objective: bool = True, constraints: bool = True) -> None:
        self.target = cp_model.CpModel()
        self.proto = self.target.proto
        self._new_variable = self.proto.variables.add
        self._new_constraint = self.proto.constraints.add
        for variable in model.variables:
            self._new_variable().domain.extend((variable.lo, variable.hi))
        self.size = len(model.variables)
        self._true: int | None = None
        self._literals: dict[Expression, int] = {}
        self._equalities: dict[tuple[int, int], int] = {}
        self._integers: dict[Expression, int] = {}
        if constraints:
            for entry in model.constraints:
                self.post(entry.constraint)
        if objective and model.objective is not None:
            self._objective(model.sense, model.objective)
        if model._hint:
            self.proto.solution_hint.vars.extend([variable.index for variable in model._hint])
            self.proto.solution_hint.values.extend(list(model._hint.values()))

    @property
    def has_auxiliaries(self) -> bool:
        """Whether there are variables beyond the model's own."""
        return len(self.proto.variables) > self.size

    # -- variables and literals

    def variable(self, lo: int, hi: int) -> int:
        """A new auxiliary variable."""
        self._new_variable().domain.extend((lo, hi))
        return len(self.proto.variables) - 1

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

    def _reify(self, constraint: Constraint) -> int:
        low, high = constraint.interval()
        if low == high:
            return self.constant(bool(low))
        match constraint:
            case Comparison():
                return self._reify_comparison(constraint)
            case And():
                return self._reify_any([negated(self.literal(arg)) for arg in constraint.args], holds=False)
            case Or():
                return self._reify_any([self.literal(arg) for arg in constraint.args], holds=True)
            case Implies():
                return self._reify_any([negated(self.literal(constraint.left)), self.literal(constraint.right)], holds=True)
            case Xor():
                result = self.variable(0, 1)
                literals = [self.literal(constraint.left), self.literal(constraint.right), negated(result)]
                self._new_constraint().bool_xor.literals.extend(literals)
                return result
            case Automaton():
                return self._accepts(constraint)
            case Circuit():
                return self.literal(circuit_formula(constraint))
        result = self.variable(0, 1)
        self.post(constraint, [result])
        self.post(Not(constraint), [negated(result)])
        return result

    def _reify_any(self, literals: list[int], holds: bool) -> int:
        """The literal "one of ``literals`` is true" (``holds``), or its opposite."""
        result = self.variable(0, 1)
        some, none = (result, negated(result)) if holds else (negated(result), result)
        self.clause(literals, [some])
        every = self._new_constraint()
        every.enforcement_literal.append(none)
        every.bool_and.literals.extend([negated(literal) for literal in literals])
        return result

    def _reify_comparison(self, comparison: Comparison) -> int:
        terms, constant = linear_form((1, comparison.left), (-1, comparison.right))
        key = None
        if len(terms) == 1 and comparison.op in ("==", "!="):
            ((atom, coefficient),) = terms.items()
            index, value = self.integer(atom), -constant // coefficient
            if constant % coefficient:
                return self.constant(comparison.op == "!=")
            key = (index, value)
            known = self._equalities.get(key)
            if known is not None:
                return known if comparison.op == "==" else negated(known)
        result = self.variable(0, 1)
        if key is not None:
            self._equalities[key] = result if comparison.op == "==" else negated(result)
        self._compare(comparison, [result])
        self.post(Not(comparison), [negated(result)])
        return result

    def integer(self, atom: Expression) -> int:
        """The index of a variable equal to an expression."""
        if isinstance(atom, Variable):
            return atom.index
        known = self._integers.get(atom)
        if known is None:
            known = self._integers[atom] = self._define(atom)
        return known

    def equality(self, variable: Variable, value: int) -> int:
        """The literal "the variable has this value"."""
        if variable.is_boolean:
            return variable.index if value else negated(variable.index)
        return self._reify_comparison(Comparison(variable, "==", value))

    def _define(self, atom: Expression) -> int:
        if isinstance(atom, Constraint):
            literal = self.literal(atom)
            if literal >= 0:
                return literal
            result = self.variable(0, 1)
            self._linear({result: 1, negated(literal): 1}, (1, 1), ())
            return result
        result = self.variable(*atom.interval())
        match atom:
            case Element():
                element = self._new_constraint().element
                self._affine(element.linear_index, atom.index)
                self._single(element.linear_target, result)
                for entry in atom.array:
                    self._affine(element.exprs.add(), entry)
            case Extremum():
                self._largest(result, [(atom.sign, arg) for arg in atom.args], atom.sign)
            case Absolute():
                self._largest(result, [(1, atom.arg), (-1, atom.arg)], 1)
            case _:
                terms, constant = self._indexed((1, atom))
                terms[result] = terms.get(result, 0) - 1
                self._linear(terms, (-constant, -constant), ())
        return result

    def _largest(self, result: int, args: list[tuple[int, Expression]], sign: int) -> None:
        largest = self._new_constraint().lin_max
        self._single(largest.target, result, sign)
        for factor, arg in args:
            self._affine(largest.exprs.add(), arg, factor)

    def _single(self, place: Any, index: int, coefficient: int = 1, offset: int = 0) -> None:
        place.vars.append(index)
        place.coeffs.append(coefficient)
        place.offset = offset

    def _affine(self, place: Any, expression: Expression | int, factor: int = 1) -> None:
        """Writes ``factor * expression`` as a multiple of one variable plus a constant."""
        if isinstance(expression, int):
            place.offset = factor * expression
            return
        terms, constant = linear_form((factor, expression))
        if len(terms) > 1:
            self._single(place, self.integer(expression), factor)
        elif not terms:
            place.offset = constant
        else:
            ((atom, coefficient),) = terms.items()
            self._single(place, self.integer(atom), coefficient, constant)

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
                either = self._start(when)
                either.bool_xor.literals.extend([self.literal(condition.left), self.literal(condition.right)])
            case Not():
                self._post_negation(condition.arg, when)
            case AtMostOne() | ExactlyOne():
                literals = [self.literal(arg) for arg in condition.args]
                if len(set(literals)) < len(literals):
                    self._compare(Comparison(total(condition.args), "<=" if isinstance(condition, AtMostOne) else "==", 1), when)
                elif isinstance(condition, AtMostOne):
                    self._start(when).at_most_one.literals.extend(literals)
                else:
                    self._start(when).exactly_one.literals.extend(literals)
            case AllDifferent():
                different = self._start(when).all_diff
                for arg in condition.args:
                    self._affine(different.exprs.add(), arg)
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
        elif (opposite := negation(condition)) is not None:
            self.post(opposite, when)
        else:
            self.clause([negated(self.literal(condition))], when)

    def _start(self, when: Sequence[int]) -> Any:
        constraint = self._new_constraint()
        if when:
            constraint.enforcement_literal.extend(when)
        return constraint

    def clause(self, literals: Sequence[int], when: Sequence[int] = ()) -> None:
        """At least one of the literals is true whenever all of ``when`` are."""
        self._start(when).bool_or.literals.extend(literals)

    def _any(self, args: Sequence[Condition], when: Sequence[int]) -> None:
        """A disjunction; one arm that is not a plain literal is posted under the failure of the others, without a new literal."""
        heavy = [arg for arg in args if not isinstance(arg, Variable | Not)]
        if len(heavy) == 1:
            others = [negated(self.literal(arg)) for arg in args if arg is not heavy[0]]
            self.post(heavy[0], [*when, *others])
        else:
            self.clause([self.literal(arg) for arg in args], when)

    def _compare(self, comparison: Comparison, when: Sequence[int]) -> None:
        left, op, right = comparison.left, comparison.op, comparison.right
        if isinstance(left, Linear) and isinstance(right, int):
            atoms = left.atoms
            indices = [atom.index for atom in atoms if isinstance(atom, Variable)]
            if len(indices) == len(atoms) == len(set(indices)):
                linear = self._start(when).linear
                linear.vars.extend(indices)
                linear.coeffs.extend(left.coefficients)
                linear.domain.extend(_allowed(op, right - left.constant))
                return
        terms, constant = self._indexed((1, left), (-1, right))
        self._linear(terms, _allowed(op, -constant), when)

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

    def _linear(self, terms: dict[int, int], domain: Sequence[int], when: Sequence[int]) -> None:
        linear = self._start(when).linear
        linear.vars.extend(list(terms))
        linear.coeffs.extend(list(terms.values()))
        linear.domain.extend(domain)

    def _table(self, table: Table, when: Sequence[int], negate: bool) -> None:
        low, high = table.interval()
        if low == high:
            if bool(low) == negate:
                self.clause([], when)
            return
        target = self._start(when).table
        for arg in table.args:
            self._affine(target.exprs.add(), arg)
        target.values.extend([cell for row in table.rows for cell in row])
        target.negated = negate

    def _circuit(self, circuit: Circuit, when: Sequence[int]) -> None:
        if circuit.interval() == (0, 0):
            self.clause([], when)
            return
        parallel: dict[tuple[int, int], list[Condition]] = {}
        for arc, arg in zip(circuit.arcs, circuit.args, strict=True):
            parallel.setdefault(arc, []).append(arg)
        literals = {arc: self.literal(args[0] if len(args) == 1 else Or(args)) for arc, args in parallel.items()}
        for args in parallel.values():
            if len(args) > 1:
                self.post(AtMostOne(tuple(args)), when)
        target = self._start(when).circuit
        target.tails.extend([tail for tail, _ in literals])
        target.heads.extend([head for _, head in literals])
        target.literals.extend(list(literals.values()))
        self.clause([literal for (tail, head), literal in literals.items() if tail != head], when)

    def _automaton(self, automaton: Automaton, when: Sequence[int]) -> None:
        low, high = automaton.interval()
        if low == high:
            if not low:
                self.clause([], when)
        elif when:
            self.clause([self.literal(automaton)], when)
        else:
            start, accepting, steps, _ = _numbered(automaton)
            target = self._new_constraint().automaton
            target.starting_state = start
            target.final_states.extend(accepting)
            target.transition_tail.extend([tail for tail, _ in steps])
            target.transition_label.extend([label for _, label in steps])
            target.transition_head.extend(list(steps.values()))
            for arg in automaton.args:
                self._affine(target.exprs.add(), arg)

    def _accepts(self, automaton: Automaton) -> int:
        """The literal "the automaton accepts", by a variable for the state after each step; the last state means "rejected"."""
        start, accepting, steps, rejected = _numbered(automaton)
        labels = sorted({label for _, label in steps})
        state = self.variable(start, start)
        for arg in automaton.args:
            following = self.variable(0, rejected)
            inside = self.literal(Table((arg,), dict.fromkeys((label,) for label in labels)))
            table = self._start([inside]).table
            self._single(table.exprs.add(), state)
            self._affine(table.exprs.add(), arg)
            self._single(table.exprs.add(), following)
            for tail in range(rejected + 1):
                for label in labels:
                    table.values.extend((tail, label, steps.get((tail, label), rejected)))
            self._linear({following: 1}, (rejected, rejected), [negated(inside)])
            state = following
        accepted = self.variable(0, 1)
        self._linear({state: 1}, _ranges(accepting), [accepted])
        self._linear({state: 1}, _ranges(set(range(rejected + 1)).difference(accepting)), [negated(accepted)])
        return accepted

    def _objective(self, sign: int, expression: Expression) -> None:
        terms, constant = self._indexed((sign, expression))
        objective = self.proto.objective
        objective.vars.extend(list(terms))
        objective.coeffs.extend(list(terms.values()))
        objective.offset = constant
        objective.scaling_factor = sign


def _allowed(op: str, limit: int) -> tuple[int, ...]:
    """The values v with ``v op limit``, as CP-SAT's list of interval ends."""
    match op:
        case "==":
            return (limit, limit)
        case "<=":
            return (LEAST, limit)
        case ">=":
            return (limit, MOST)
        case "<":
            return (LEAST, limit - 1)
        case ">":
            return (limit + 1, MOST)
    return (LEAST, limit - 1, limit + 1, MOST)


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


def _numbered(automaton: Automaton) -> tuple[int, list[int], dict[tuple[int, int], int], int]:
    """Start, accepting states and transitions with states numbered from 0, and the first number that is no state."""
    number: dict[Any, int] = {automaton.start: 0}
    for (tail, _), head in automaton.transitions.items():
        number.setdefault(tail, len(number))
        number.setdefault(head, len(number))
    accepting = sorted(number[state] for state in automaton.accepting if state in number)
    steps = {(number[tail], label): number[head] for (tail, label), head in automaton.transitions.items()}
    return 0, accepting, steps, len(number)


# -- running the solver


class _Callback(cp_model.CpSolverSolutionCallback):
    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def on_solution_callback(self) -> None:
        run = self._run
        if not run.stopped:
            bound = self.best_objective_bound if run.optimising else 0.0
            run.put((list(self.response_proto.solution)[: run.size], bound))
        if run.stopped:
            self.stop_search()


class Run:
    """A solver at work in its own thread. Iterate over ``events`` for (values, bound) pairs; then read ``solver``.

    The queue between the threads is short, so a consumer that waits makes the solver wait.
    """

    def __init__(self, encoding: Encoding, deadline: Deadline, stream: bool, parameters: dict[str, Any]) -> None:
        self.size = encoding.size
        self.optimising = encoding.proto.has_objective()
        self.stopped = False
        self.text = "no solution yet"
        self.status: Any = None
        self.solver = cp_model.CpSolver()
        self._target = encoding.target
        self._queue: queue.Queue[tuple[list[int], float] | None] = queue.Queue(maxsize=256)
        self._error: BaseException | None = None
        settings = self.solver.parameters
        settings.catch_sigint_signal = False
        settings.num_workers = 1
        if deadline.remaining() != float("inf"):
            settings.max_time_in_seconds = deadline.remaining()
        for name, value in parameters.items():
            _set_parameter(settings, name, value)
        callback = _Callback(self) if stream else None
        self._thread = threading.Thread(target=self._work, args=(callback,), daemon=True)
        _RUNS.add(self)
        self._thread.start()

    def _work(self, callback: _Callback | None) -> None:
        try:
            self.status = self.solver.solve(self._target, callback)
        except BaseException as error:  # handed to the thread that waits
            self._error = error
        self.put(None)

    def put(self, event: tuple[list[int], float] | None) -> None:
        """Hands an event to the waiting thread; gives up once the run was stopped."""
        while True:
            try:
                return self._queue.put(event, timeout=0.1)
            except queue.Full:
                if self.stopped:
                    return None

    def events(self, progress: Progress | None = None) -> Generator[tuple[list[int], float], None, None]:
        """Every solution as it is found, until the solver has ended. Leaving early stops the solver."""
        try:
            while True:
                try:
                    event = self._queue.get(timeout=None if progress is None else Progress.PERIOD)
                except queue.Empty:
                    if progress is not None:
                        progress.update(self.text)
                    continue
                if event is None:
                    break
                yield event
            if self._error is not None:
                raise self._error
        finally:
            self.stop()

    def stop(self) -> None:
        """Stops the solver, if it still runs, and waits until it has ended."""
        self.stopped = True
        while self._thread.is_alive():
            self.solver.stop_search()
            while not self._queue.empty():
                self._queue.get_nowait()
            self._thread.join(0.02)

    def outcome(self) -> Status:
        """How the solver ended."""
        if self.status == cp_model.MODEL_INVALID:
            raise ModelError(f"CP-SAT rejects the model: {self._target.validate()}")
        return STATUS[self.status]


_RUNS: weakref.WeakSet[Run] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for run in list(_RUNS):
        run.stop()


def _set_parameter(settings: Any, name: str, value: Any) -> None:
    if not hasattr(settings, name):
        raise ModelError(f"CP-SAT has no parameter {name!r}")
    if isinstance(value, list | tuple):
        getattr(settings, name).extend(list(value))
    else:
        setattr(settings, name, value)


def _solution(model: Model, values: Sequence[int]) -> Solution:
    return Solution(dict(zip(model.variables, values, strict=True)))


def _sharpened(sense: int, bound: float) -> int | None:
    """A floating bound of an integer objective as the integer that is just as good."""
    if math.isinf(bound):
        return None
    return math.ceil(bound - 1e-6) if sense > 0 else math.floor(bound + 1e-6)


def solve(model: Model, search: Search) -> Result:
    """One solution, the best one if the model has an objective."""
    encoding = model.derived("cpsat", lambda: Encoding(model))
    parameters: dict[str, Any] = {"random_seed": as_int(search.seed), "num_workers": search.workers or 1, **(search.options or {})}
    stream = search.on_solution is not None or search.progress
    run = Run(encoding, search.deadline, stream, parameters)
    with Progress("solving", search.progress) as progress:
        for values, bound in run.events(progress if search.progress else None):
            solution = _solution(model, values)
            value = None if model.objective is None else model.objective.value(solution)
            run.text = "a solution found" if value is None else f"best {value}, bound {bound:g}"
            if search.on_solution is not None:
                sharp = None if value is None else _sharpened(model.sense, bound)
                search.on_solution(
                    Result(Status.FEASIBLE, solution, value, sharp, {"backend": "cpsat", "wall_time": search.deadline.elapsed()})
                )
    status = run.outcome()
    response = run.solver.response_proto
    found = _solution(model, list(response.solution)[: encoding.size]) if status in (Status.OPTIMAL, Status.FEASIBLE) else None
    objective = bound_reached = None
    if model.objective is not None:
        objective = None if found is None else model.objective.value(found)
        bound_reached = objective if status is Status.OPTIMAL else _bound(model, encoding, status, response)
    stats = {
        "backend": "cpsat",
        "wall_time": search.deadline.elapsed(),
        "branches": response.num_branches,
        "conflicts": response.num_conflicts,
        "deterministic_time": response.deterministic_time,
        "workers": parameters["num_workers"],
    }
    return Result(status, found, objective, bound_reached, stats)


def _bound(model: Model, encoding: Encoding, status: Status, response: Any) -> int | None:
    if status is Status.INFEASIBLE or math.isinf(response.best_objective_bound):
        return None
    inner: int = response.inner_objective_lower_bound
    return model.sense * inner + round(encoding.proto.objective.offset) * model.sense


def solutions(model: Model, over: list[Variable], deadline: Deadline) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    if len(over) < len(model.variables):
        return (yield from _projected(model, over, deadline))
    encoding = model.derived("cpsat-enumerate", lambda: Encoding(model, objective=False))
    seen: set[tuple[int, ...]] = set()
    run = Run(encoding, deadline, True, {"enumerate_all_solutions": True})
    for values, _ in run.events():
        if encoding.has_auxiliaries:
            key = tuple(values)
            if key in seen:
                continue
            seen.add(key)
        yield _solution(model, values)
    return run.outcome() in (Status.OPTIMAL, Status.INFEASIBLE)


def _projected(model: Model, over: list[Variable], deadline: Deadline) -> Generator[Solution, None, bool]:
    """Solves again and again, each time forbidding the assignment of ``over`` just found."""
    encoding = Encoding(model, objective=False)
    while (found := feasible(model, encoding, deadline)) is not None:
        if isinstance(found, Status):
            return False
        yield Solution({variable: found[variable] for variable in over})
        encoding.clause([negated(encoding.equality(variable, found[variable])) for variable in over])
    return True


def feasible(model: Model, encoding: Encoding, deadline: Deadline, parameters: dict[str, Any] | None = None) -> Solution | Status | None:
    """A solution of an encoding, None when there is none, Status.UNKNOWN when the time was not enough."""
    run = Run(encoding, deadline, False, parameters or {})
    for _ in run.events():
        pass
    match run.outcome():
        case Status.INFEASIBLE:
            return None
        case Status.UNKNOWN:
            return Status.UNKNOWN
    return _solution(model, list(run.solver.response_proto.solution)[: encoding.size])


class Selectors:
    """A model whose constraints can be switched on and off, to ask which of them clash with a background condition."""

    def __init__(self, model: Model, background: Condition | None = None) -> None:
        self._model = model
        self._encoding = Encoding(model, objective=False, constraints=False)
        self._switches = [self._encoding.variable(0, 1) for _ in model.constraints]
        for entry, switch in zip(model.constraints, self._switches, strict=True):
            self._encoding.post(entry.constraint, [switch])
        if background is not None:
            self._encoding.post(background)

    def clash(self, active: Iterable[int], deadline: Deadline) -> list[int] | Solution:
        """Some of the active constraints (by number) that cannot all hold, or a solution in which all active ones do."""
        proto = self._encoding.proto
        proto.assumptions.clear()
        number = {self._switches[i]: i for i in active}
        proto.assumptions.extend(list(number))
        run = Run(self._encoding, deadline, False, {"cp_model_presolve": False})
        for _ in run.events():
            pass
        match run.outcome():
            case Status.UNKNOWN:
                raise TimeLimitError("the time limit passed before the constraints at fault were found")
            case Status.INFEASIBLE:
                return sorted(number[literal] for literal in run.solver.response_proto.sufficient_assumptions_for_infeasibility)
        return _solution(self._model, list(run.solver.response_proto.solution)[: self._encoding.size])

"""Incremental SAT with lazily added cuts: the backend for puzzles on graphs, and the only file that imports pysat.

One solver lives through a question: what it learned from one answer serves the next. Constraints that are stated in part are completed
here: an answer that breaks one is cut off, and the search goes on from where it was. The solver works in short slices, between which the
time limit and Ctrl-C are seen.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pysat.solvers import Solver

from cpsolve import reasons
from cpsolve.errors import InfeasibleError, ModelError, TimeLimitError, UnsupportedError
from cpsolve.expressions import Condition, Variable
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import Search
from cpsolve.solvers.sat_encoding import Encoding

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint

SOLVER = "glucose4"
SLICE = 0.1
"""About how many seconds the solver works before it is asked to stop."""


class Program:
    """A model in clauses, with a solver that has them. Use it in a ``with`` block: the solver's memory is freed at its end."""

    def __init__(self, model: Model, constraints: bool = True) -> None:
        self.model = model
        self.encoding = Encoding(model, constraints)
        self.truth: list[bool] = []
        self.cuts = 0
        self._solver: Any = Solver(name=SOLVER, bootstrap_with=self.encoding.take())  # type: ignore[no-untyped-call]
        self._budget = 2000
        self._phased = False

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        """Takes over what was written to the encoding, and further clauses."""
        self._solver.append_formula(self.encoding.take(), no_return=True)
        self._solver.append_formula(list(clauses), no_return=True)

    def holds(self, assumptions: Sequence[int], deadline: Deadline, what: str) -> bool:
        """Whether all constraints and assumptions can hold; then ``truth`` tells how. TimeLimitError when the time is up."""
        if not self._phased and self.model.hints:
            self._solver.set_phases([self.encoding.numbers[variable].equal(value) for variable, value in self.model.hints.items()])
        self._phased = True
        self.add()
        while self._satisfiable(assumptions, deadline, what):
            truth = [False] * (self.encoding.top + 1)
            for literal in self._solver.get_model():
                if literal > 0:
                    truth[literal] = True
            self.truth = truth
            broken = [clause for pending in self.encoding.pending for clause in self.encoding.cut(pending, truth)]
            if not broken:
                return True
            self.cuts += len(broken)
            self.add(broken)
        return False

    def _satisfiable(self, assumptions: Sequence[int], deadline: Deadline, what: str) -> bool:
        if deadline.passed():
            deadline.fail(what)
        while True:
            self._solver.conf_budget(self._budget)
            began = time.monotonic()
            found: bool | None = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            if found is not None:
                return found
            deadline.check(what)
            took = time.monotonic() - began
            self._budget = max(100, int(self._budget * min(4.0, SLICE / max(took, SLICE / 4))))

    def core(self) -> list[int]:
        """The assumptions that cannot all hold, after ``holds`` said no."""
        core: list[int] | None = self._solver.get_core()
        return core or []

    def solution(self) -> Solution:
        """The model's variables in the last answer."""
        return Solution({variable: self.encoding.numbers[variable].read(self.truth) for variable in self.model.variables})

    def stats(self) -> dict[str, Any]:
        """What the solver did."""
        return {**self._solver.accum_stats(), "cuts": self.cuts}


def _only_options_of_none(search: Search) -> None:
    if search.workers not in (None, 1):
        raise UnsupportedError(f"sat runs on one worker, not {search.workers}; cpsat takes more")
    if search.options:
        raise ModelError(f"sat has no option {next(iter(search.options))!r}")


def solve(model: Model, search: Search) -> Result:
    """One solution; with an objective, better and better ones until there is none."""
    _only_options_of_none(search)
    deadline = search.deadline
    best: Solution | None = None
    value: int | None = None
    proven = False
    try:
        encoded = Program(model)
    except TimeLimitError:
        return Result(Status.UNKNOWN, stats={"backend": "sat", "wall_time": deadline.elapsed()})
    with encoded as program, Progress("solving", search.progress) as progress:
        number = None if model.objective is None else program.encoding.number(model.objective)
        assumptions: list[int] = []
        try:
            while program.holds(assumptions, deadline, "solving"):
                best = program.solution()
                if model.objective is None or number is None:
                    break
                value = model.objective.value(best)
                if search.on_solution is not None:
                    search.on_solution(Result(Status.FEASIBLE, best, value, None, _stats(search, program)))
                progress.update(f"best {value}")
                assumptions = [-number.at_least(value) if model.sense > 0 else number.at_least(value + 1)]
            proven = True
        except TimeLimitError:
            pass
        stats = _stats(search, program)
    if best is None:
        return Result(Status.INFEASIBLE if proven else Status.UNKNOWN, bound=_trivial(model, proven), stats=stats)
    if model.objective is None and search.on_solution is not None:
        search.on_solution(Result(Status.FEASIBLE, best, None, None, stats))
    return Result(Status.OPTIMAL if proven else Status.FEASIBLE, best, value, value if proven else _trivial(model, proven), stats)


def _trivial(model: Model, proven: bool) -> int | None:
    """What the domains alone say of the objective."""
    if model.objective is None or proven:
        return None
    return model.objective.interval()[0 if model.sense > 0 else 1]


def _stats(search: Search, program: Program) -> dict[str, Any]:
    return {"backend": "sat", "wall_time": search.deadline.elapsed(), **program.stats()}


def solutions(model: Model, over: Sequence[Variable], search: Search) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    try:
        with search.deadline.watched():
            encoded = Program(model)
        with encoded as program:
            numbers = [program.encoding.numbers[variable] for variable in over]
            while program.holds([], search.deadline, "enumerating"):
                if len(over) < len(model.variables):
                    model.check(program.solution())
                values = [number.read(program.truth) for number in numbers]
                program.encoding.clause([-number.equal(value) for number, value in zip(numbers, values, strict=True)])
                yield Solution(dict(zip(over, values, strict=True)))
    except TimeLimitError:
        return False
    return True


def backbone(model: Model, over: Sequence[Variable], search: Search) -> dict[Variable, int]:
    """Asks for solutions that differ from the first in variables that never differed yet, until there is none."""
    with Program(model) as program:
        if not program.holds([], search.deadline, "backbone"):
            raise InfeasibleError.of(model)
        numbers = program.encoding.numbers
        constant = {variable: numbers[variable].read(program.truth) for variable in over}
        while constant:
            switch = program.encoding.new()
            differing = [-numbers[variable].equal(value) for variable, value in constant.items()]
            program.encoding.clause(differing, [switch])
            if not program.holds([switch], search.deadline, "backbone"):
                break
            constant = {variable: value for variable, value in constant.items() if numbers[variable].read(program.truth) == value}
        return constant


def explain(model: Model, fact: Condition, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that imply the fact."""
    return reasons.explain(model, fact, Switches, search.deadline)


def conflict(model: Model, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    return reasons.conflict(model, Switches, search.deadline)


class Switches:
    """A model whose constraints can be switched on and off, to ask which of them clash with a background condition."""

    def __init__(self, model: Model, background: Condition | None = None) -> None:
        self._program = Program(model, constraints=False)
        encoding = self._program.encoding
        self._switches = [encoding.new() for _ in model.constraints]
        for entry, switch in zip(model.constraints, self._switches, strict=True):
            encoding.post(entry.constraint, (switch,))
        if background is not None:
            encoding.post(background)

    def clash(self, active: Iterable[int], deadline: Deadline) -> list[int] | Solution:
        """Some of the active constraints (by number) that cannot all hold, or a solution in which all active ones do."""
        number = {self._switches[i]: i for i in active}
        if self._program.holds(list(number), deadline, "explaining"):
            return self._program.solution()
        return sorted(number[literal] for literal in self._program.core())

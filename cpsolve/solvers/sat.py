"""Incremental SAT with lazily added cuts: the backend for puzzles on graphs, and the only file that imports PySAT (its ``pysolvers``).

One solver lives through a question: what it learned from one answer serves the next. Constraints that are stated in part are completed
here: an answer that breaks one is cut off, and the search goes on from where it was. The solver works in short slices, between which the
time limit and Ctrl-C are seen.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pysolvers

from cpsolve import reasons
from cpsolve.errors import InfeasibleError, LimitError, ModelError, UnsupportedError
from cpsolve.expressions import Condition, Variable
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import OutOfTime, Search, lent, searching
from cpsolve.solvers.sat_encoding import Encoding

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint

SLICE = 0.1
"""About how many seconds the solver works before it is asked to stop."""


class _Handle(weakref.ref["Solver"]):
    """Knows where the memory of a solver is, also when nobody holds the solver any more."""

    memory: Any


_HANDLES: set[_Handle] = set()
_LEFT: list[_Handle] = []
"""Handles of solvers that nobody holds any more."""


class Solver:
    """MiniSat, by PySAT's own functions: its class frees memory in a destructor, where Python would lose a Ctrl-C, and twice after one.

    The memory of a solver that was only forgotten is freed when the next one is made.
    """

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        while _LEFT:
            _free(_LEFT.pop())
        self._handle = _Handle(self, _LEFT.append)
        _HANDLES.add(self._handle)
        self._memory = self._handle.memory = pysolvers.minisat22_new()
        for clause in clauses:
            self.add_clause(clause)

    def delete(self) -> None:
        """Frees the memory."""
        _free(self._handle)

    def add_clause(self, clause: Sequence[int]) -> None:
        """At least one of these literals is true."""
        pysolvers.minisat22_add_cl(self._memory, clause)

    def set_phases(self, literals: Sequence[int]) -> None:
        """These literals are tried first."""
        pysolvers.minisat22_setphases(self._memory, literals)

    def solve(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """Whether all clauses and assumptions can hold; None after some conflicts without an answer."""
        pysolvers.minisat22_cbudget(self._memory, conflicts)
        found: bool | None = pysolvers.minisat22_solve_lim(
            self._memory, assumptions, 0, 1
        )  # without its own handler of signals, without the GIL
        return found

    def model(self) -> list[int]:
        """All true literals, after a yes."""
        return pysolvers.minisat22_model(self._memory) or []

    def core(self) -> list[int]:
        """Assumptions that cannot all hold, after a no."""
        return pysolvers.minisat22_core(self._memory) or []

    def stats(self) -> dict[str, int]:
        """What it did."""
        return dict(pysolvers.minisat22_acc_stats(self._memory))


def _free(handle: _Handle) -> None:
    """Frees the memory of a solver once; an interrupt between the two steps loses it, which is better than freeing it twice."""
    if handle in _HANDLES:
        _HANDLES.discard(handle)
        if (memory := getattr(handle, "memory", None)) is not None:
            pysolvers.minisat22_del(memory)


class Program:
    """A model in clauses, with a solver that has them. Use it in a ``with`` block: the solver's memory is freed at its end."""

    def __init__(self, model: Model, constraints: bool = True) -> None:
        self.variables, self.hints = model.variables, model.hints
        self.encoding = Encoding(model, constraints)
        self._truth: list[bool] | None = None
        self.cuts = 0
        self._solver = Solver(self.encoding.take())
        self._budget = 2000
        self._phased = False

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        """Takes over what was written to the encoding, and further clauses."""
        for clause in (*self.encoding.take(), *clauses):
            self._solver.add_clause(clause)

    def holds(self, assumptions: Sequence[int], deadline: Deadline, what: str, rounds: int | None = None) -> bool:
        """Whether all constraints and assumptions can hold; then ``truth`` tells how. TimeLimitError when the time is up.

        With ``rounds`` answers are cut off that many times at most: then yes means "for all that is seen".
        """
        if not self._phased and self.hints:
            self._solver.set_phases([self.encoding.numbers[variable].equal(value) for variable, value in self.hints.items()])
        self._phased = True
        self.add()
        for tried in count(1):
            if not self._satisfiable(assumptions, deadline, what):
                return False
            self._truth = None
            if tried == rounds:
                break
            broken = self.encoding.cuts(self.truth)
            if not broken:
                break
            self.cuts += len(broken)
            self.add(broken)
        return True

    @property
    def truth(self) -> list[bool]:
        """Which of the solver's variables are true, after ``holds`` said yes."""
        if self._truth is None:
            self._truth = [False, *(literal > 0 for literal in self._solver.model())]
            self._truth += [False] * (self.encoding.top + 1 - len(self._truth))  # variables that no clause has
        return self._truth

    def _satisfiable(self, assumptions: Sequence[int], deadline: Deadline, what: str) -> bool:
        if deadline.passed():
            deadline.fail(what)
        while True:
            began = time.monotonic()
            found = self._solver.solve(assumptions, self._budget)
            if found is not None:
                return found
            deadline.check(what)
            took = time.monotonic() - began
            self._budget = max(100, int(self._budget * min(4.0, SLICE / max(took, SLICE / 4))))

    def core(self) -> list[int]:
        """The assumptions that cannot all hold, after ``holds`` said no."""
        return self._solver.core()

    def solution(self) -> Solution:
        """The model's variables in the last answer."""
        return Solution({variable: self.encoding.numbers[variable].read(self.truth) for variable in self.variables})

    def stats(self) -> dict[str, Any]:
        """What the solver did."""
        return {**self._solver.stats(), "cuts": self.cuts}


@contextmanager
def _kept(model: Model, deadline: Deadline, fresh: bool = False) -> Iterator[Program]:
    """A program for a question, with what earlier questions taught it; closed when the question ends in an error."""
    with lent(model, "sat", partial(_program, model, deadline), fresh=fresh) as program, ExitStack() as stack:
        stack.enter_context(program)
        yield program
        stack.pop_all()


def _program(model: Model, deadline: Deadline) -> Program:
    with deadline.watched():
        return Program(model)


def _only_options_of_none(search: Search) -> None:
    if search.workers not in (None, 1):
        raise UnsupportedError(f"sat runs on one worker, not {search.workers}; cpsat takes more")
    if search.options:
        raise ModelError(f"sat has no option {next(iter(search.options))!r}")


def solve(model: Model, search: Search) -> Result:
    """One solution; with an objective, better and better ones until there is none."""
    _only_options_of_none(search)
    best: Solution | None = None
    value: int | None = None
    stats: dict[str, Any] = {"backend": "sat"}
    try:
        with Progress("solving", search.progress) as progress, closing(_better(model, search, stats)) as better:
            for best in better:
                value = None if model.objective is None else model.objective.value(best)
                if search.on_solution is not None:
                    search.on_solution(Result(Status.FEASIBLE, best, value, None, dict(stats)))
                progress.update("a solution found" if value is None else f"best {value}")
        proven = True
    except OutOfTime:
        proven = False
    stats["wall_time"] = search.deadline.elapsed()
    if best is None:
        return Result(Status.INFEASIBLE if proven else Status.UNKNOWN, bound=_trivial(model, proven), stats=stats)
    return Result(Status.OPTIMAL if proven else Status.FEASIBLE, best, value, value if proven else _trivial(model, proven), stats)


def _better(model: Model, search: Search, stats: dict[str, Any]) -> Generator[Solution, None, None]:
    """Better and better solutions, or one where all are as good; OutOfTime at a limit. ``stats`` tell how far the solver is."""
    with searching(), _kept(model, search.deadline, fresh=True) as program:
        try:
            number = None if model.objective is None else program.encoding.number(model.objective)
            assumptions: list[int] = []
            while program.holds(assumptions, search.deadline, "solving"):
                best = program.solution()
                stats.update(_stats(search, program))
                yield best
                if model.objective is None or number is None:
                    break
                value = model.objective.value(best)
                assumptions = [-number.at_least(value) if model.sense > 0 else number.at_least(value + 1)]
        finally:
            stats.update(_stats(search, program))


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
        with _kept(model, search.deadline) as program:
            numbers = [program.encoding.numbers[variable] for variable in over]
            new = program.encoding.new()  # true as long as only new solutions are wanted
            try:
                while program.holds([new], search.deadline, "enumerating"):
                    if len(over) < len(model.variables):
                        model.check(program.solution())
                    values = [number.read(program.truth) for number in numbers]
                    program.encoding.clause([-number.equal(value) for number, value in zip(numbers, values, strict=True)], [new])
                    yield Solution(dict(zip(over, values, strict=True)))
            finally:
                program.encoding.clause([-new])
    except LimitError:
        return False
    return True


def backbone(model: Model, over: Sequence[Variable], search: Search) -> dict[Variable, int]:
    """Asks for solutions that differ from the first in variables that never differed yet, until there is none."""
    with _kept(model, search.deadline) as program:
        if not program.holds([], search.deadline, "backbone"):
            raise InfeasibleError.of(model)
        numbers = program.encoding.numbers
        constant = {variable: numbers[variable].read(program.truth) for variable in over}
        while constant:
            other = program.encoding.new()
            differing = [-numbers[variable].equal(value) for variable, value in constant.items()]
            program.encoding.clause(differing, [other])
            found = program.holds([other], search.deadline, "backbone")
            program.encoding.clause([-other])
            if not found:
                break
            constant = {variable: value for variable, value in constant.items() if numbers[variable].read(program.truth) == value}
        return constant


def explain(model: Model, fact: Condition, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that imply the fact."""
    with _switched() as switched:
        return reasons.explain(model, fact, switched, search.deadline)


def smallest(model: Model, fact: Condition, background: Sequence[NamedConstraint], search: Search) -> list[NamedConstraint]:
    """The first smallest list of constraints that, with those of the background, imply the fact."""
    with _switched() as switched:
        return reasons.smallest(model, fact, background, switched, search.deadline)


def conflict(model: Model, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    with _switched() as switched:
        return reasons.conflict(model, switched, search.deadline)


@contextmanager
def _switched() -> Iterator[reasons.Switched]:
    """How to make models with switches, whose solvers are freed at the end of the block: in a destructor Python would lose a Ctrl-C."""
    with ExitStack() as stack:
        yield lambda model, background: Switches(model, background, stack.enter_context(Program(model, constraints=False)))


class Switches:
    """A model whose constraints can be switched on and off, to ask which of them clash with a background condition."""

    def __init__(self, model: Model, background: Condition | None, program: Program) -> None:
        self._program = program
        encoding = self._program.encoding
        self._switches = [encoding.new() for _ in model.constraints]
        for entry, switch in zip(model.constraints, self._switches, strict=True):
            encoding.post(entry.constraint, (switch,))
        if background is not None:
            encoding.post(background)

    def clash(self, active: Iterable[int], deadline: Deadline) -> list[int] | Solution:
        """Some of the active constraints (by number) that cannot all hold, or a solution in which all active ones do."""
        number = {self._switches[i]: i for i in active}
        others = [-switch for switch in self._switches if switch not in number]  # off: they must not be satisfied by accident
        if self._program.holds([*number, *others], deadline, "explaining"):
            return self._program.solution()
        return sorted(number[literal] for literal in self._program.core())

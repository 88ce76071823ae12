"""OR-Tools CP-SAT: the default backend, and the only file that imports ortools.

The solver runs in a thread of its own while the caller's thread waits: Ctrl-C, callbacks and laziness all stay with the
caller. Measured on ortools 9.15 and relied on here: enumeration is wrong with more than one worker, and assumption cores are
sound with fresh literals and presolve off. What its default settings get wrong is switched off in ``SOUND``.
"""

from __future__ import annotations

import _thread
import atexit
import os
import queue
import signal
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from cpsolve import reasons
from cpsolve.errors import InfeasibleError, LimitError, ModelError, UnsupportedError
from cpsolve.expressions import Condition, Expression, Variable
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from cpsolve.results import Result, Solution, Status
from cpsolve.solvers.base import OutOfTime, Search, lent, searching
from cpsolve.solvers.cpsat_encoding import Encoding, negated

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint

STATUS = {
    cp_model.OPTIMAL: Status.OPTIMAL,
    cp_model.FEASIBLE: Status.FEASIBLE,
    cp_model.INFEASIBLE: Status.INFEASIBLE,
    cp_model.UNKNOWN: Status.UNKNOWN,
}

SOUND: dict[str, Any] = {
    # Reductions that keep only one of several optima lose all of them: x == (3*x + 2*y - 9*z == -7) beside at_most_one(x, z).
    "keep_all_feasible_solutions_in_presolve": True,
    # Sums beside an at-most-one are bounded in 32 bits (google/or-tools issue 5293).
    "presolve_inclusion_work_limit": 0,
    # The gap between answer and bound is taken in doubles: beyond 2**53 it looks closed before it is.
    "absolute_gap_limit": 0.0,
    # A bound that depends on 0/1 variables is taken times a coefficient, beyond 64 bits: element([5, 2**20 - 1], b) != 2*c + 1, with c up
    # to 2**50, is called infeasible.
    "auto_detect_greater_than_at_least_one_of": False,
}
"""Settings with which CP-SAT 9.15 never called a worse answer optimal, in the measurements of ``fuzz``; each names what it avoids."""
PROMPT: dict[str, Any] = {
    # Merging the rows of a table may take seconds without a look at the clock, and no table that was measured was solved later without.
    "table_compression_level": 1,
}
"""Settings with which CP-SAT 9.15 keeps its time limit."""
PROMPT_WHEN_LARGE: dict[str, Any] = {
    # Looks for symmetries and for clauses that are more than clauses: seconds without a look at the clock.
    "symmetry_level": 0,
    "find_clauses_that_are_exactly_one": False,
}
"""The same for large models."""
LARGE, LARGE_SECONDS = 40_000, 0.3
"""A model is large with more variables and constraints, or when CP-SAT is busy for longer before it looks at the clock."""


class Program:
    """An encoding together with the CP-SAT model parsed from it."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.target = cp_model.CpModel()
        self.update()

    @property
    def is_large(self) -> bool:
        """Whether CP-SAT may be busy for long between two looks at the clock."""
        encoding = self.encoding
        return encoding.variables + encoding.constraints > LARGE or encoding.seconds > LARGE_SECONDS

    def cut(self, model: Model, run: Run) -> bool:
        """Whether the answer of a run breaks a constraint that is stated in part; if so, what it breaks is stated now."""
        if not self.encoding.pending or not run.response.solution:
            return False
        if not self.encoding.cut(_solution(model, run.values), list(run.response.solution)):
            return False
        self.update()
        return True

    def update(self) -> None:
        """Takes over what was written to the encoding since the last time."""
        for piece in self.encoding.pieces():
            if not self.target.proto.merge_text_format(piece):
                raise ModelError("CP-SAT cannot read the model")


# -- running the solver


MEMORY_PERIOD = 0.01
"""Seconds between two looks at the memory that the solver takes, where it has a limit."""
SPARE = 0.25
"""The share of its memory that must be left while the solver works: told to stop, it goes on for a while."""
QUEUE_LENGTH = 256
"""Solutions that wait to be taken; the solver pauses while there are more."""


class _Worker:
    """A thread that runs one job after another: starting a new thread for each would cost more than a small solve."""

    idle: list[_Worker] = []  # noqa: RUF012

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Run] = queue.SimpleQueue()
        _thread.start_new_thread(self._loop, ())  # Thread.start waits in Python code, which Ctrl-C could leave half done

    @classmethod
    def start(cls, run: Run) -> None:
        """Hands a run to a thread that has nothing to do."""
        try:
            worker = cls.idle.pop()
        except IndexError:
            worker = cls()
        _RUNS.add(run)
        worker._jobs.put(run)

    def _loop(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # Python misses a signal that another thread than the main one receives until that waits
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            self._jobs.get().work(self)


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_Worker.idle.clear)


class _Callback(cp_model.CpSolverSolutionCallback):
    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def on_solution_callback(self) -> None:
        run = self._run
        if not run.stopped:
            response = self.response_proto
            run.hand_over((list(response.solution)[: run.size], response.inner_objective_lower_bound))
        if run.stopped:
            self.stop_search()


def _interrupt_soon() -> None:
    """Ctrl-C once more, when the main thread has left the destructor in which Python would ignore it."""
    time.sleep(0.01)
    _thread.interrupt_main()


class Run:
    """A solver that works in another thread: iterate over ``events`` or call ``wait``, either starts it; then ask for the ``outcome``.

    The queue between the threads is short, so a consumer that takes its time makes the solver wait. Ctrl-C may come between any two
    steps of the thread that waits, so no step relies on the one before having been finished: ``_fate`` is settled once, by whoever
    comes first, and ``_ended`` tells that the solver is done.
    """

    def __init__(self, program: Program, deadline: Deadline, stream: bool = False, **parameters: Any) -> None:
        self.size = program.encoding.size
        self._spare = program.encoding.taken / 2  # told to stop while it takes the model in, it goes on until it has
        self.stopped = False
        self.text = "no solution yet"
        self._target = program.target
        self._deadline = deadline
        self._solver = cp_model.CpSolver()
        self._status: Any = None
        self._error: BaseException | None = None
        settings = self._solver.parameters
        settings.catch_sigint_signal = False
        settings.num_workers = 1
        if deadline.most is not None and program.encoding.taken > deadline.most[1]:  # of a program that was kept nobody has asked before
            deadline.fill()
        prompt = PROMPT
        if (left := deadline.remaining()) != float("inf"):
            settings.max_time_in_seconds = left if left >= program.encoding.seconds else 0.0  # before that it does not look at the clock
            prompt = {**PROMPT, **PROMPT_WHEN_LARGE} if program.is_large else PROMPT
        for name, value in {**SOUND, **prompt, **parameters}.items():
            _set_parameter(settings, name, value)
        self._callback = _Callback(self) if stream else None
        self._queue: queue.SimpleQueue[tuple[list[int], int] | None] = queue.SimpleQueue()
        self._room: queue.SimpleQueue[None] = queue.SimpleQueue()  # a semaphore is Python code, which Ctrl-C could leave half done
        for _ in range(QUEUE_LENGTH):
            self._room.put(None)
        self._process = os.getpid()
        self._fate: dict[str, str] = {}
        self._busy = _thread.allocate_lock()
        self._busy.acquire()
        self._ended = False

    def work(self, worker: _Worker) -> None:
        """Solves, unless the run was stopped before; called in the other thread."""
        if self._fate.setdefault("fate", "work") == "work":
            try:
                self._status = self._solver.solve(self._target, self._callback)
            except BaseException as error:  # raised again in the thread that waits
                self._error = error
            if self._callback is not None:
                self.hand_over(None)
        _RUNS.discard(self)
        worker.idle.append(worker)
        self._ended = True
        self._busy.release()

    def hand_over(self, event: tuple[list[int], int] | None) -> None:
        """Passes an event to the waiting thread; gives up once the run was stopped."""
        while not self.stopped:
            try:
                self._room.get(timeout=0.1)
            except queue.Empty:
                continue
            self._queue.put(event)
            return

    def wait(self) -> None:
        """Waits until the solver has ended; Ctrl-C stops it."""
        try:
            _Worker.start(self)
            while not self._busy.acquire(timeout=self._patience):
                self._heed_limits()
            self._busy.release()
        except BaseException:
            self.stop()
            raise
        if self._error is not None:
            raise self._error

    def events(self, progress: Progress | None = None) -> Generator[tuple[list[int], int], None, None]:
        """The values and the bound at every solution, as they are found. Leaving early stops the solver."""
        try:
            _Worker.start(self)
            patience = self._patience if progress is None or self._patience > 0 else Progress.PERIOD
            while True:
                self._heed_limits()
                try:
                    event = self._queue.get(timeout=patience if patience > 0 else None)
                except queue.Empty:
                    if progress is not None:
                        progress.update(self.text)
                    continue
                self._room.put(None)
                if event is None:
                    break
                yield event
        except GeneratorExit:  # perhaps the iterator was only forgotten: Python would lose a Ctrl-C while this waited
            self.stopped = True
            try:
                self._solver.stop_search()
            except KeyboardInterrupt:  # nor may it be lost if it comes just now
                _thread.start_new_thread(_interrupt_soon, ())
            raise
        except BaseException:
            self.stop()
            raise
        if self._error is not None:
            raise self._error

    @property
    def _patience(self) -> float:
        """How long to wait before the memory is looked at again; -1 when there is nothing to look at."""
        return -1 if self._deadline.most is None else MEMORY_PERIOD

    def _heed_limits(self) -> None:
        """Tells the solver to end with what it has, once it takes too much memory; its time it knows itself."""
        room = self._deadline.room()
        if room is not None and self._deadline.most is not None and room < max(SPARE * self._deadline.most[1], self._spare):
            self._deadline.fill()
            self._solver.stop_search()

    def stop(self) -> None:
        """Stops the solver, if it still runs, and waits until it has ended."""
        self.stopped = True
        if self._process != os.getpid() or self._fate.setdefault("fate", "stop") == "stop":
            return  # a forked child has no part in its parent's threads; and what has not begun never will
        while not self._ended:
            self._solver.stop_search()
            self._room.put(None)
            if self._busy.acquire(timeout=0.02):
                self._busy.release()

    @property
    def response(self) -> Any:
        """All that CP-SAT tells of the run."""
        return self._solver.response_proto

    @property
    def values(self) -> list[int]:
        """The values of the model's variables in the last solution."""
        return list(self.response.solution)[: self.size]

    def outcome(self) -> Status:
        """How the solver ended."""
        if self._status == cp_model.MODEL_INVALID:
            reason = self._target.validate()
            if not reason and "parameter" in self.response.solution_info.lower():
                raise ModelError(f"CP-SAT rejects its parameters: {self.response.solution_info.strip()}")
            # what overflows when CP-SAT rewrites it has no reason
            if not reason or "sum of all variable domains" in reason or "overflow" in reason:
                raise UnsupportedError(
                    "cpsat cannot hold these numbers: the ends of all domains, and of all parts of expressions, "
                    "must add up to less than 2**63; use smaller domains, or backend='python-constraint' or 'diagram'"
                )
            raise ModelError(f"CP-SAT rejects the model: {reason}")
        return STATUS[self._status]


_RUNS: set[Run] = set()
"""The runs that threads work on. No weak references: Ctrl-C during their callbacks would be lost."""


@atexit.register
def _stop_all() -> None:
    for run in list(_RUNS):
        run.stop()


def _set_parameter(settings: Any, name: str, value: Any) -> None:
    if not hasattr(settings, name):
        raise ModelError(f"CP-SAT has no parameter {name!r}")
    before = getattr(settings, name)
    members = getattr(type(before), "__members__", {})
    try:
        if members:  # by their names or numbers: CP-SAT ends the process at other numbers
            setattr(settings, name, {**members, **{int(member): member for member in members.values()}}[value])
        elif isinstance(value, list | tuple):
            before.extend(list(value))
        else:
            setattr(settings, name, value)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise ModelError(f"CP-SAT's parameter {name!r} is not to be set to {value!r:.60}") from error


def _solution(model: Model, values: Sequence[int]) -> Solution:
    return Solution(dict(zip(model.variables, values, strict=True)))


# -- questions

PATIENCE = 1000
"""After this number of solutions in a row that show nothing new of a projection, forbid what was seen instead of enumerating."""


def solve(model: Model, search: Search) -> Result:
    """One solution, the best one if the model has an objective."""
    if not (search.options or {}).get("cp_model_presolve", True):
        raise ModelError(
            "without presolve CP-SAT 9.15 may end the whole process (it writes outside its memory when everything is fixed at the start): "
            "give max_presolve_iterations=1 instead of cp_model_presolve=False"
        )
    parameters: dict[str, Any] = {"random_seed": search.seed % 2**31, "num_workers": search.workers or 1, **(search.options or {})}
    try:
        with _kept(model) as program:
            cut = True
            while cut:
                run = Run(program, search.deadline, search.on_solution is not None or search.progress, **parameters)
                if search.on_solution is None and not search.progress:
                    run.wait()
                else:
                    _stream(model, program, run, search)
                with searching():
                    cut = program.cut(model, run)
    except OutOfTime:
        bound = None if model.objective is None else model.sense * _trivial(model.sense, model.objective)
        return Result(Status.UNKNOWN, bound=bound, stats={"backend": "cpsat", "wall_time": search.deadline.elapsed()})
    status, response = run.outcome(), run.response
    found = _solution(model, run.values) if status in (Status.OPTIMAL, Status.FEASIBLE) else None
    objective = bound = None
    if model.objective is not None:
        objective = None if found is None else model.objective.value(found)
        if status is Status.OPTIMAL:
            bound = objective
        elif status is not Status.INFEASIBLE:
            bound = _bound(model.sense, model.objective, program, response.inner_objective_lower_bound, found is not None)
    stats = {
        "backend": "cpsat",
        "wall_time": search.deadline.elapsed(),
        "branches": response.num_branches,
        "conflicts": response.num_conflicts,
        "deterministic_time": response.deterministic_time,
        "workers": parameters["num_workers"],
    }
    return Result(status, found, objective, bound, stats)


def _program(model: Model) -> Program:
    with searching():
        return Program(Encoding(model))


def _kept(model: Model) -> AbstractContextManager[Program]:
    """The program of a model; one to which cuts are added is for one question at a time. OutOfTime at a limit."""
    return lent(model, "cpsat", partial(_program, model), shared=lambda program: not program.encoding.pending)


def _stream(model: Model, program: Program, run: Run, search: Search) -> None:
    """Passes improving solutions on while the solver works, and shows progress."""
    with Progress("solving", search.progress) as progress:
        for values, bound in run.events(progress):
            solution = _solution(model, values)
            if program.encoding.pending and model.violations(solution):
                continue  # it will be cut off
            objective = proven = None
            run.text = "a solution found"
            if model.objective is not None:
                objective = model.objective.value(solution)
                proven = _bound(model.sense, model.objective, program, bound, told=True)
                run.text = f"best {objective}, bound {proven}"
            if search.on_solution is not None:
                stats = {"backend": "cpsat", "wall_time": search.deadline.elapsed()}
                search.on_solution(Result(Status.FEASIBLE, solution, objective, proven, stats))


def _bound(sense: int, objective: Expression, program: Program, inner: int, told: bool) -> int:
    """What no solution can beat, from the solver's bound and from the domains.

    Without a solution the solver may have told nothing, which looks like 0.
    """
    trivial = _trivial(sense, objective)
    return sense * (max(trivial, inner + program.encoding.offset) if told or inner else trivial)


def _trivial(sense: int, objective: Expression) -> int:
    """What no solution can beat, from the domains, as of an objective that is minimised."""
    low, high = objective.interval()
    return low if sense > 0 else -high


def solutions(model: Model, over: Sequence[Variable], search: Search) -> Generator[Solution, None, bool]:
    """Every solution over the given variables once; returns whether these were all."""
    deadline = search.deadline
    everything = len(over) == len(model.variables)
    indices = [variable.index for variable in over]
    try:
        with deadline.watched():
            program: Program = model.derived("cpsat, no objective", lambda: Program(Encoding(model, objective=False)))
    except LimitError:
        return False
    if program.encoding.pending:  # the solver alone does not know which of its solutions are solutions
        return (yield from _others(model, over, set(), deadline))
    unique = everything and not program.encoding.has_auxiliaries
    seen: set[tuple[int, ...]] = set()
    repeats = 0
    run = Run(program, deadline, stream=True, enumerate_all_solutions=True)
    for values, _ in run.events():
        key = tuple([values[index] for index in indices])
        if not unique:
            repeats = repeats + 1 if key in seen else 0
            if repeats >= PATIENCE and not everything:
                break
            if repeats:
                continue
            seen.add(key)
        if not everything:
            model.check(_solution(model, values))
        yield Solution(dict(zip(over, key, strict=True)))
    if repeats >= PATIENCE:
        return (yield from _others(model, over, seen, deadline))
    return run.outcome() in (Status.OPTIMAL, Status.INFEASIBLE)


def _others(model: Model, over: Sequence[Variable], seen: set[tuple[int, ...]], deadline: Deadline) -> Generator[Solution, None, bool]:
    """The assignments of ``over`` that were not seen: solves again and again, each time forbidding what was found."""
    try:
        with deadline.watched():
            program = Program(Encoding(model, objective=False))
        for key in seen:
            differ(program, dict(zip(over, key, strict=True)))
        while (found := feasible(model, program, deadline)) is not None:
            model.check(found)
            values = {variable: found[variable] for variable in over}
            yield Solution(values)
            differ(program, values)
    except LimitError:
        return False
    return True


def feasible(model: Model, program: Program, deadline: Deadline) -> Solution | None:
    """A solution of a program, or None when there is none."""
    while True:
        run = Run(program, deadline)
        run.wait()
        if not program.cut(model, run):
            break
    match run.outcome():
        case Status.INFEASIBLE:
            return None
        case Status.UNKNOWN:
            deadline.fail("solving")
    return _solution(model, run.values)


def differ(program: Program, values: dict[Variable, int]) -> None:
    """Adds that at least one variable differs from the given value."""
    encoding = program.encoding
    encoding.clause([negated(encoding.equality(variable, value)) for variable, value in values.items()])
    program.update()


def most_different(model: Model, program: Program, values: dict[Variable, int], deadline: Deadline) -> Solution | None:
    """A solution in which at least one of the values differs, and many do; None when none can."""
    differ(program, values)
    literals = [program.encoding.equality(variable, value) for variable, value in values.items()]
    proto = program.target.proto
    proto.clear_objective()
    proto.objective.vars.extend([literal if literal >= 0 else negated(literal) for literal in literals])
    proto.objective.coeffs.extend([1 if literal >= 0 else -1 for literal in literals])
    effort = 0.1  # many is enough: the most would take much longer
    while True:
        run = Run(program, deadline, max_deterministic_time=effort)
        run.wait()
        if program.cut(model, run):
            continue
        match run.outcome():
            case Status.INFEASIBLE:
                return None
            case Status.UNKNOWN:
                deadline.check("backbone")
                effort *= 4
            case _:
                return _solution(model, run.values)


def backbone(model: Model, over: Sequence[Variable], search: Search) -> dict[Variable, int]:
    """Asks for solutions that differ from the first in variables that never differed yet, until there is none."""
    program = Program(Encoding(model, objective=False))
    first = feasible(model, program, search.deadline)
    if first is None:
        raise InfeasibleError.of(model)
    constant = {variable: first[variable] for variable in over}
    while constant:
        other = most_different(model, program, constant, search.deadline)
        if other is None:
            break
        constant = {variable: value for variable, value in constant.items() if other[variable] == value}
    return constant


def explain(model: Model, fact: Condition, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that imply the fact."""
    return reasons.explain(model, fact, Selectors, search.deadline)


def smallest(model: Model, fact: Condition, background: Sequence[NamedConstraint], search: Search) -> list[NamedConstraint]:
    """The first smallest list of constraints that, with those of the background, imply the fact."""
    return reasons.smallest(model, fact, background, Selectors, search.deadline)


def conflict(model: Model, search: Search) -> list[NamedConstraint]:
    """A minimal list of constraints that cannot all hold; [] when the model has a solution."""
    return reasons.conflict(model, Selectors, search.deadline)


class Selectors:
    """A model whose constraints can be switched on and off, to ask which of them clash with a background condition."""

    def __init__(self, model: Model, background: Condition | None = None) -> None:
        self._model = model
        encoding = Encoding(model, objective=False, constraints=False)
        self._switches = [encoding.variable(0, 1) for _ in model.constraints]
        for entry, switch in zip(model.constraints, self._switches, strict=True):
            encoding.post(entry.constraint, [switch])
        if background is not None:
            encoding.tables = False  # those under a switch are no danger
            encoding.post(background)
        self._program = Program(encoding)

    def clash(self, active: Iterable[int], deadline: Deadline) -> list[int] | Solution:
        """Some of the active constraints (by number) that cannot all hold, or a solution in which all active ones do."""
        deadline.afford(self._program.encoding.seconds, "explaining")  # without presolve CP-SAT would begin all the same
        number = {self._switches[i]: i for i in active}
        assumptions = self._program.target.proto.assumptions
        assumptions.clear()
        assumptions.extend(list(number))
        while True:
            run = Run(self._program, deadline, cp_model_presolve=False)
            run.wait()
            if not self._program.cut(self._model, run):
                break
        match run.outcome():
            case Status.UNKNOWN:
                deadline.fail("explaining")
            case Status.INFEASIBLE:
                return sorted(number[literal] for literal in run.response.sufficient_assumptions_for_infeasibility)
        return _solution(self._model, run.values)

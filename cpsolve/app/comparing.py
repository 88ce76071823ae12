"""One instance by every method of its game, side by side: what each answers, whether it proves it, what it takes.

Each method runs in a process of its own, so that its memory can be measured and a method that does not stop at the limit can be ended.
The game is loaded and another instance solved before a clock starts: no method pays for an import or a compiler. What is compared is what
the games' descriptions say (:class:`cpsolve.catalogue.Summary`); nothing here knows a game.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from cpsolve import catalogue
from cpsolve.catalogue import Answer, Game, Outcome, Summary
from cpsolve.errors import CPSolveError, LimitError, ModelError, SolverError
from cpsolve.processes import end_with_parent
from cpsolve.words import counted, duration

WARM = 0.3
"""Seconds that a method may spend on another instance before it is measured."""
RUNS, QUICK = 3, 0.05
"""What takes less than QUICK seconds is measured RUNS times, with the other instance in between."""
STARTING, GRACE = 300.0, 3.0
"""How long a process may take to load (compiling included), and to stop once its limit has passed."""

State = Literal["solved", "no solution", "limit", "refused", "ended"]


@dataclass(frozen=True)
class Row:
    """What one method did: ``seconds`` and ``memory`` (bytes, beyond what the process had before) are of the answer alone."""

    method: str
    state: State
    seconds: float
    memory: int | None = None
    summary: Summary = field(default_factory=Summary)
    note: str = ""
    ran: str = ""

    @property
    def answered(self) -> bool:
        """Whether there is an answer, be it that there is none."""
        return self.state in ("solved", "no solution")

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for scripts: a value that is infinite, since there is no solution, is None, which JSON knows."""
        data = asdict(self)
        summary = data["summary"]
        if isinstance(summary["value"], float) and not isfinite(summary["value"]):
            summary["value"] = None
        return {**{name: data[name] for name in ("method", "state", "seconds", "memory", "note")}, **summary}


# -- a process per method


class Worker:
    """A process that answers by one method; it is started anew after it had to be ended."""

    def __init__(self, game: Game, method: str, options: Mapping[str, Any]) -> None:
        self.game, self.method, self.options = game, method, options
        self._process: Any = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        """Starts the process, unless it runs: it loads the game while others do the same."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self.game.name, self.method, dict(self.options)), daemon=True)
            self._process.start()
            theirs.close()

    def ask(self, instance: Any, time_limit: float) -> Row:
        """The row of one instance."""
        self.start()
        assert self._pipe is not None
        try:
            if not self._pipe.poll(STARTING):
                return self._ended(f"was not ready after {STARTING:g} s", 0.0)
            self._pipe.recv()  # it is ready
            self._pipe.send((instance, time_limit))
            started = time.perf_counter()
            if not self._pipe.poll(time_limit + RUNS * WARM + GRACE):
                return self._ended("did not stop at the limit and was ended", time.perf_counter() - started, "limit")
            answer = self._pipe.recv()
        except (EOFError, ConnectionError):
            return self._ended("the process ended without an answer, for want of memory perhaps", 0.0)
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Row)
        return answer

    def _ended(self, note: str, seconds: float, state: State = "ended") -> Row:
        self.close()
        return Row(self.method, state, seconds, note=note)

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _serve(pipe: Connection, name: str, method: str, options: dict[str, Any]) -> None:
    """Answers instances until nobody asks any more."""
    end_with_parent()
    game = catalogue.game(name)
    with suppress(KeyboardInterrupt, EOFError, BrokenPipeError):
        if game.warm_up is not None:
            game.warm_up()
        while True:
            pipe.send("ready")
            instance, limit = pipe.recv()
            try:
                pipe.send(_median(game, instance, method, limit, options))
            except Exception as error:  # a program that fails is not a method that is slow: whoever asked raises it
                pipe.send(error)


def _median(game: Game, instance: Any, method: str, limit: float, options: Mapping[str, Any]) -> Row:
    """The row of an instance, with the median time of a few runs where one run is quick."""
    other = _another(game, instance)
    rows: list[Row] = []
    while len(rows) < RUNS and (not rows or rows[0].seconds < QUICK):
        with suppress(CPSolveError):  # the method may not be for the other instance, or take too long: what it loads is loaded
            game.solve(other, method=method, time_limit=WARM, **options)
        rows.append(measured(game, instance, method, limit, options))
    return replace(rows[0], seconds=statistics.median(row.seconds for row in rows))


def _another(game: Game, instance: Any) -> Any:
    """An instance to load everything with: not the one to be measured, of which the game might remember something."""
    others = [made for made in map(game.named, game.instances()) if made != instance]
    if others:
        return others[0]
    for growth in game.grow.values():
        return growth.make(instance, 3, 99)
    return instance


def measured(game: Game, instance: Any, method: str, limit: float, options: Mapping[str, Any]) -> Row:
    """One answer with its time and memory; what a method refuses, and a limit that was reached, are rows too."""
    before = _forget_peak()
    started = time.perf_counter()
    try:
        answer = game.solve(instance, method=method, time_limit=limit, **options)
    except SolverError:
        raise  # a broken promise is nothing to put into a table
    except (LimitError, MemoryError) as error:
        return Row(method, "limit", time.perf_counter() - started, _peak() - before, note=str(error) or "not enough memory")
    except CPSolveError as error:
        return Row(method, "refused", time.perf_counter() - started, note=str(error))
    seconds = time.perf_counter() - started
    summary = summary_of(answer)
    late: State = "limit" if summary.value is None else "solved"  # an answer that was not proven in time is one
    state: dict[Outcome, State] = {Outcome.SOLVED: "solved", Outcome.NO_SOLUTION: "no solution", Outcome.LIMIT_REACHED: late}
    return Row(method, state[answer.outcome], seconds, max(0, _peak() - before), summary, ran=_ran(answer, method))


def summary_of(answer: Answer) -> Summary:
    """What an answer says of itself, or what its data tells of it."""
    if answer.summary is not None:
        return answer.summary()
    data = answer.data()
    return Summary(str(data.get("status", "")), states=data.get("states", data.get("positions")))


def _ran(answer: Answer, method: str) -> str:
    """The method that ran, where the one asked for chose another."""
    return str(answer.data().get("method") or method)


STATUS = Path("/proc/self/status")


def _forget_peak() -> int:
    """Starts measuring the peak of memory anew, where the system can; the memory of the process now."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # what is free already would hide what is used
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    """The most memory that the process held, in bytes."""
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


# -- one instance


def compare(
    game: Game,
    instance: Any,
    methods: Sequence[str],
    time_limit: float,
    options: Mapping[str, Any] = catalogue.NOTHING,
    progress: Callable[[str], None] = lambda text: None,
) -> list[Row]:
    """A row per method; SolverError when two that claim a proof differ."""
    rows = []
    for method in methods:
        progress(method)
        with Worker(game, method, options) as worker:
            rows.append(worker.ask(instance, time_limit))
    check(rows)
    return rows


def check(rows: Sequence[Row]) -> None:
    """SolverError when two methods claim different things to be proven."""
    proven = [row for row in rows if row.answered and row.summary.proven and row.summary.value is not None]
    for row in proven[1:]:
        if row.summary.value != proven[0].summary.value:
            told = "\n".join(f"{each.method}: {each.summary.answer}" for each in proven)
            raise SolverError(f"methods that prove their answers differ; please report this:\n{told}")


def distinct(rows: Sequence[Row], chooser: str) -> tuple[list[Row], str]:
    """The rows without that of a method which only chose another of them, and a sentence on the choice."""
    first = next((row for row in rows if row.method == chooser), None)
    if first is None or first.ran == first.method or first.ran not in {row.method for row in rows}:
        return list(rows), ""
    return [row for row in rows if row is not first], f"{first.method} chooses {first.ran} here"


def verdict(rows: Sequence[Row]) -> list[str]:
    """Who was fastest, who proved what, and who was left behind: in words, for better or worse."""
    proven = sorted((row for row in rows if row.answered and row.summary.proven), key=lambda row: row.seconds)
    said = []
    if proven:
        best, *others = proven
        told = f"fastest with a proof: {best.method}, {duration(best.seconds)}"
        if others:
            told += "; then " + ", ".join(f"{row.method} ({_times(row.seconds / max(best.seconds, 1e-9))} as long)" for row in others)
        said.append(told)
    else:
        said.append("no method proved its answer within the limit")
    unproven = [row for row in rows if row.state == "solved" and not row.summary.proven]
    for row in unproven:
        length, shortest = row.summary.value, proven[0].summary.value if proven else None
        if isinstance(length, int) and isinstance(shortest, int) and shortest > 0:
            compared = "as good as the best" if length == shortest else f"{length / shortest:.2f} × the best"
            said.append(f"{row.method} proves nothing: its answer is {compared}, found in {duration(row.seconds)}")
        else:
            said.append(f"{row.method} proves nothing")
    late = [row.method for row in rows if row.state in ("limit", "ended")]
    if late:
        said.append(f"without an answer: {', '.join(late)}")
    return said


def _times(ratio: float) -> str:
    return f"{ratio:.1f} ×" if ratio < 10 else f"{ratio:,.0f} ×"


# -- growth


@dataclass(frozen=True)
class Point:
    """What one method did on the boards of one size; ``seconds`` is the median, None where most boards reached the limit."""

    method: str
    size: int
    seconds: float | None
    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for scripts."""
        return {"method": self.method, "size": self.size, "seconds": self.seconds, "boards": [row.as_dict() for row in self.rows]}


def sizes(text: str, most: int = 12) -> list[int]:
    """Sizes as in ``1..40`` (evenly spread, at most twelve, both ends among them) or ``5,10,20``.

    >>> sizes("1..4"), sizes("0..100"), sizes("5,10")
    ([1, 2, 3, 4], [0, 9, 18, 27, 36, 45, 55, 64, 73, 82, 91, 100], [5, 10])
    """
    try:
        if ".." in text:
            first, last = (int(part) for part in text.split(".."))
            count = min(most, last - first + 1)
            found = [first + round(place * (last - first) / max(1, count - 1)) for place in range(count)]
        else:
            found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or any(size < 0 for size in found) or sorted(set(found)) != found:
        raise ModelError(f"sizes are written as 1..40, or as 5,10,20, from small to large; found {text!r}")
    return found


Sized = list[tuple[int, list[Any]]]
"""Sizes, from small to large, with the instances of each."""


def instances_of(make: Callable[[int, int], Any], wanted: Sequence[int], boards: int, seed: int) -> tuple[Sized, str]:
    """Instances of every size, made by ``make(size, seed)``; where a size cannot be made they end before it, and a sentence says why.

    >>> instances_of(lambda size, seed: 10 * size + seed, [1, 2], boards=2, seed=0)
    ([(1, [10, 11]), (2, [20, 21])], '')
    """
    made: Sized = []
    for size in wanted:
        try:
            made.append((size, [make(size, seed + number) for number in range(boards)]))
        except ModelError as error:
            if not made:
                raise
            return made, f"there is nothing beyond {made[-1][0]}: {error}"
    return made, ""


def grow(
    game: Game,
    sized: Sized,
    methods: Sequence[str],
    time_limit: float,
    options: Mapping[str, Any] = catalogue.NOTHING,
    progress: Callable[[str], None] = lambda text: None,
) -> Iterator[Point]:
    """Point by point how each method grows: all get the same boards of a size.

    A method that reaches the limit on more than half of the boards of a size has stopped, and is not tried on larger ones.
    """
    going = list(methods)
    with ExitStack() as stack:
        workers = {method: stack.enter_context(Worker(game, method, options)) for method in methods}
        for size, instances in sized:
            boards = len(instances)
            found: dict[str, list[Row]] = {method: [] for method in going}
            for number, instance in enumerate(instances):
                for method in going:
                    if 2 * _late(found[method]) > boards:
                        continue  # it has stopped: it is spared the boards that are left
                    progress(f"{size}, board {number + 1} of {boards}, {method}")
                    found[method].append(workers[method].ask(instance, time_limit))
                check([rows[-1] for rows in found.values() if len(rows) == number + 1])
            for method, rows in found.items():
                stopped = 2 * _late(rows) > boards
                yield Point(method, size, None if stopped else statistics.median(row.seconds for row in rows), tuple(rows))
                if stopped:
                    going.remove(method)
                    workers[method].close()
            if not going:
                return


def _late(rows: Sequence[Row]) -> int:
    return sum(not row.answered for row in rows)


def growth_verdict(points: Sequence[Point], unit: str) -> list[str]:
    """Up to where each method came, and who was fastest where."""
    said = []
    proven = [point for point in points if point.seconds is not None and all(row.summary.proven for row in point.rows if row.answered)]
    fastest = [
        min((point for point in proven if point.size == size), key=lambda point: point.seconds or 0.0, default=None)
        for size in dict.fromkeys(point.size for point in points)
    ]
    runs: list[tuple[str, int, int]] = []
    for point in fastest:
        if point is not None:
            if runs and runs[-1][0] == point.method:
                runs[-1] = (point.method, runs[-1][1], point.size)
            else:
                runs.append((point.method, point.size, point.size))
    if runs:
        spans = (f"{method} at {first}" if first == last else f"{method} from {first} to {last}" for method, first, last in runs)
        said.append(f"fastest with a proof: {', '.join(spans)} {unit}")
    for method in dict.fromkeys(point.method for point in points):
        own = [point for point in points if point.method == method]
        if own[-1].seconds is None:
            refused = [row.note for row in own[-1].rows if row.state == "refused"]
            reason = f" ({refused[0]})" if refused else ""
            said.append(f"{method} stops at {own[-1].size} {unit}{reason}")
        unproven = [row for point in own for row in point.rows if row.state == "solved" and not row.summary.proven]
        if unproven:
            said.append(f"{method} proves nothing on {counted(len(unproven), 'board')}")
    return said

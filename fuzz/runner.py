"""Runs the trials of a program until the time is up, counts what came of them, and makes what failed small so that it can be kept.

A trial is an input, a plain value that JSON knows, and a check of it. Every trial has a random generator of its own, made from the seed,
its kind and its number: it can be repeated alone. Inputs are made here and checked in a worker process, one for many trials: a check that
ends the process or does not come back is counted and told like a wrong answer, and another worker takes its place.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from random import Random
from typing import IO, Any, NamedTuple

from cpsolve import files
from cpsolve.words import counted
from fuzz.shrinking import smaller

EVERY = 5.0
"""A long run shows its figures again after this number of minutes of processor time."""
KEPT = 5.0
"""Seconds after which a run that can be resumed writes down how far it is."""
SHRINKING = 60.0
"""Seconds for which a failure is made smaller."""
MOST_ALIKE = 3
"""Failures of one kind and cause that are made smaller and told; more of them are only counted."""
LAST_WORDS = 10.0
"""Seconds that a worker which hangs has to say where."""
WAITING = 5
"""How many times its seconds a check may take by the clock: one that takes no processor time waits for something."""
LOOKS = 1.0
"""Seconds between two looks at how much processor time a check has taken."""
MEMORY = 8 << 30
"""Bytes that a worker may ask for: what wants more gets a MemoryError, and the machine stays usable."""


class Wrong(Exception):
    """A wrong answer; the message shows how to get it again."""


class Refused(Exception):
    """The toolkit said, by an error of its own, that it does not answer this."""


@dataclass(frozen=True)
class Kind:
    """A kind of trial: ``make`` draws an input, ``check`` returns when all was right with it and raises :class:`Wrong`,
    :class:`Refused` or anything else when not, ``smaller`` gives inputs with a little less. A check hangs after ``seconds`` of processor
    time, or :data:`WAITING` times that by the clock: on a busy machine the clock alone says little.
    """

    make: Callable[[Random], Any]
    check: Callable[[Any], None]
    smaller: Callable[[Any], Iterable[Any]] = smaller
    seconds: float = 60.0


@dataclass
class Tally:
    """What came of the trials of one kind, the processor time that they took, and the largest memory of their worker in megabytes."""

    tried: int = 0
    refused: int = 0
    wrong: int = 0
    crashed: int = 0
    hung: int = 0
    peak: int = 0
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        """Trials that should have ended otherwise."""
        return self.wrong + self.crashed + self.hung


class Reply(NamedTuple):
    """What came of one check: ``cause`` names the error or signal, so that two failures can be told apart; ``told`` is for people."""

    outcome: str
    cause: str
    told: str
    seconds: float
    peak: int

    @property
    def failed(self) -> bool:
        """Whether it should have been otherwise."""
        return self.outcome not in ("right", "refused")


@dataclass(frozen=True)
class Failure:
    """A failed trial that can be kept in a file and tried again."""

    program: str
    kind: str
    seed: int
    number: int
    outcome: str
    told: str
    input: Any

    def save(self, folder: Path) -> Path:
        """Writes it to a file of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{re.sub('[^a-z0-9]+', '-', self.kind.lower())}-{self.seed}-{self.number}.json"
        told = re.sub('File "/[^"]*/([^"/]+/[^"/]+)"', r'File "\1"', self.told)  # the same on every machine
        files.write(path, json.dumps({**asdict(self), "told": told}, indent=1).encode() + b"\n")
        return path


# -- the process that checks


def check(kind: Kind, value: Any) -> tuple[str, str, str]:
    """Outcome, cause and report of a check in this process."""
    try:
        kind.check(value)
    except Refused:
        return "refused", "", ""
    except Wrong as wrong:
        return "wrong", "", str(wrong)
    except Exception as error:  # an error that nobody expected is a wrong answer too
        return "wrong", type(error).__name__, traceback.format_exc()
    return "right", "", ""


class Worker:
    """A process that checks inputs, one after another; another takes its place after a crash or a hang."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self.kinds = kinds
        self.process = 0
        self.connection: Connection[Any, Any] | None = None
        self.log: IO[str] = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed with this

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process:
            self._end(signal.SIGKILL)
        self.log.close()

    def ask(self, kind: str, value: Any) -> Reply:
        """Checks an input, whatever happens meanwhile."""
        connection = self.connection or self._start()
        try:
            connection.send((kind, value))
            if self._comes_back(connection, self.kinds[kind].seconds):
                return Reply(*connection.recv())
        except (EOFError, OSError):
            return self._lost("crashed", 0)
        return self._lost("hung", signal.SIGABRT)  # it tells where

    def _comes_back(self, connection: Connection[Any, Any], seconds: float) -> bool:
        """Waits for the reply to a check, until it hangs."""
        most, end = taken(self.process) + seconds, time.monotonic() + WAITING * seconds
        while not connection.poll(min(LOOKS, seconds)):
            if taken(self.process) > most or time.monotonic() > end:
                return False
        return True

    def _start(self) -> Connection[Any, Any]:
        self.log.seek(0)
        self.log.truncate()
        ours, theirs = Pipe()
        sys.stdout.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: ours do nothing while we fork
            self.process = os.fork()
        if not self.process:
            try:
                ours.close()
                _serve(self.kinds, theirs, self.log)
            finally:
                os._exit(1)
        theirs.close()
        self.connection = ours
        return ours

    def _lost(self, outcome: str, by: int) -> Reply:
        status, usage = self._end(by)
        code = os.waitstatus_to_exitcode(status)
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self.log.seek(0)
        said = self.log.read()
        told = f"{outcome}: {cause}\n{said[max(said.rfind('Fatal Python error'), 0) :][:4000]}"
        return Reply(outcome, cause, told, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10)

    def _end(self, by: int) -> tuple[int, Any]:
        """Ends the process and whatever it has started, by a signal first; what has become of it."""
        assert self.connection is not None
        self.connection.close()
        if by:
            os.kill(self.process, by)
        done, status, usage = 0, 0, None
        end = time.monotonic() + LAST_WORDS
        while not done:
            if time.monotonic() > end:
                os.kill(self.process, signal.SIGKILL)
            done, status, usage = os.wait4(self.process, os.WNOHANG)
            time.sleep(0 if done else 0.005)
        with suppress(ProcessLookupError):  # when it had started nothing that is left
            os.killpg(self.process, signal.SIGKILL)
        self.process, self.connection = 0, None
        return status, usage


def _serve(kinds: Mapping[str, Kind], connection: Connection[Any, Any], log: IO[str]) -> None:
    """Checks what comes until nothing comes any more; a session of its own hears no Ctrl-C."""
    os.setsid()
    # coverage learns nothing of a process that ends at once, and Ctrl-C while it holds its lock would leave that locked
    sys.settrace(None)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream in (1, 2):
        os.dup2(log.fileno(), stream)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115  # for as long as the process lives
    faulthandler.enable(log)
    gc.callbacks.clear()  # those of Hypothesis: Python ignores a Ctrl-C that comes inside one
    while True:
        try:
            name, value = connection.recv()
        except EOFError:
            os._exit(0)
        begin = _used()
        outcome = check(kinds[name], value)
        connection.send((*outcome, _used() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10))


def taken(process: int) -> float:
    """The processor time of a process that is not this one, and of its children that have ended; 0 once it has ended itself.

    >>> taken(os.getpid()) > 0
    True
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _used() -> float:
    """The processor time of this process and of those that it has started."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


# -- running


@dataclass
class Run:
    """A run of a program: ``tallies`` say how far it is, and may be those of a run that was stopped before.

    ``show`` gets lines for people, ``fail`` every failure, and ``keep`` is called now and then, when the tallies are worth to be kept.
    """

    program: str
    kinds: Mapping[str, Kind]
    seed: int
    show: Callable[[str], None] = print
    fail: Callable[[Failure], object] = lambda failure: None
    keep: Callable[[], object] = lambda: None
    tallies: dict[str, Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tallies = {kind: self.tallies.get(kind, Tally()) for kind in self.kinds}
        self._alike: Counter[tuple[str, str, str]] = Counter()

    @property
    def seconds(self) -> float:
        """The processor time that the checks took."""
        return sum(tally.seconds for tally in self.tallies.values())

    def go(self, minutes: float, most: int | None = None, number: int | None = None) -> dict[str, Tally]:
        """Trials, the kind that had least time first: ``minutes`` of processor time, at most ``most`` of each kind; or only ``number``."""
        shown, kept = self.seconds, time.monotonic()
        with Worker(self.kinds) as worker:
            try:
                for kind in self.kinds if number is not None else self._turns(minutes, most):
                    self._trial(worker, kind, self.tallies[kind].tried if number is None else number)
                    if self.seconds - shown >= 60 * EVERY:
                        shown = self.seconds
                        self.show(f"after {shown / 60:.0f} minutes\n{table(self.tallies)}\n")
                    if time.monotonic() - kept >= KEPT:
                        kept = time.monotonic()
                        self.keep()
            finally:
                self.keep()
        return self.tallies

    def _turns(self, minutes: float, most: int | None) -> Iterator[str]:
        while self.seconds < 60 * minutes:
            open_kinds = [kind for kind, tally in self.tallies.items() if most is None or tally.tried < most]
            if not open_kinds:
                return
            yield min(open_kinds, key=lambda kind: self.tallies[kind].seconds)

    def _trial(self, worker: Worker, kind: str, number: int) -> None:
        value = self.kinds[kind].make(Random(f"{self.seed} {kind} {number}"))
        reply = worker.ask(kind, value)
        tally = self.tallies[kind]
        tally.seconds += reply.seconds
        tally.peak = max(tally.peak, reply.peak)
        self._alike[kind, reply.outcome, reply.cause] += 1
        if reply.failed and self._alike[kind, reply.outcome, reply.cause] <= MOST_ALIKE:
            value, reply = shrunk(worker, kind, value, reply)
            self.fail(Failure(self.program, kind, self.seed, number, reply.outcome, reply.told, value))
            self.show(f"{reply.outcome.upper()}: kind {kind!r}, seed {self.seed}, number {number}\n{json.dumps(value)}\n{reply.told}\n")
        tally.tried += 1
        if reply.outcome != "right":
            setattr(tally, reply.outcome, getattr(tally, reply.outcome) + 1)


def shrunk(worker: Worker, kind: str, value: Any, reply: Reply) -> tuple[Any, Reply]:
    """The smallest input found that fails in the same way."""
    end = time.monotonic() + SHRINKING
    found = True
    while found:
        found = False
        for less in worker.kinds[kind].smaller(value):
            if time.monotonic() > end:
                break
            again = worker.ask(kind, less)
            if (again.outcome, again.cause) == (reply.outcome, reply.cause):
                value, reply, found = less, again, True
                break
    return value, reply


def replay(path: Path, kinds: Mapping[str, Kind]) -> Reply:
    """Tries the failure in a file again, in a worker."""
    kept = Failure(**json.loads(path.read_text(encoding="utf-8")))
    with Worker(kinds) as worker:
        return worker.ask(kept.kind, kept.input)


# -- telling


def table(tallies: Mapping[str, Tally]) -> str:
    """The figures of all kinds as text.

    >>> print(table({"sums": Tally(1200, 3, peak=212), "tables": Tally(1000, 0, 1, 0, 2, 230)}))
    kind      tried  refused   wrong crashed    hung  peak MB
    sums      1,200        3       0       0       0      212
    tables    1,000        0       1       0       2      230
    2,200 trials, 3 refused, 1 wrong, 0 crashed, 2 hung, at most 230 MB
    """
    width = max(map(len, tallies), default=0)
    lines = [f"{'kind':{width}} {'tried':>8} {'refused':>8} {'wrong':>7} {'crashed':>7} {'hung':>7} {'peak MB':>8}"]
    rows = [astuple(tally)[:6] for tally in tallies.values()]
    for kind, (tried, refused, wrong, crashed, hung, peak) in zip(tallies, rows, strict=True):
        lines.append(f"{kind:{width}} {tried:8,} {refused:8,} {wrong:7,} {crashed:7,} {hung:7,} {peak:8,}")
    tried, refused, wrong, crashed, hung, _ = (sum(column) for column in zip(*rows, strict=True)) if rows else (0,) * 6
    peak = max((tally.peak for tally in tallies.values()), default=0)
    figures = f"{refused:,} refused, {wrong:,} wrong, {crashed:,} crashed, {hung:,} hung, at most {peak:,} MB"
    return "\n".join([*lines, f"{counted(tried, 'trial')}, {figures}"])

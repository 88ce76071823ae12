"""One trial: a fork in which the changed file is imported in place of the true one, and the tests that reach the change are run.

The parent has loaded the packages of others but nothing of this project, so that the fork imports the project anew, with the change.
"""

from __future__ import annotations

import importlib
import math
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import NoReturn

import hypothesis
import pytest

from tests.mutants.changes import Change, Changes
from tests.mutants.record import PLACE, ROOT

PACKAGES = ("numpy", "numba", "ortools.sat.python.cp_model", "constraint", "pysat.solvers", "rich.console", "typer", "networkx")
MEMORY = 6 * 2**30
BROKEN = 70
TIMED_OUT = "timed out: "
RUNNING = PLACE / "running"
"""Where a trial says which test it has begun."""
LOADING, ALLOWED = 60.0, 10.0
"""Seconds of processor time for loading a test file, and for each test beside what it takes."""
PASSED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def load() -> None:
    """Loads what all trials share."""
    for package in PACKAGES:
        with suppress(ImportError):
            importlib.import_module(package)
    ours = [name for name in sys.modules if name.partition(".")[0] in ("cpsolve", "models")]
    if ours:
        raise RuntimeError(f"{ours[0]} was loaded before the fork: changes of it would not be seen")


def trial(change: Change | None, batches: Sequence[Mapping[str, float]]) -> str:
    """What happened: the name of a test that failed or of a file that could not be loaded, "" when all passed.

    Of a test that took too long, the name after "timed out: ".

    Each batch has tests of one file, with the seconds they take. Each test may take five times that, and ten seconds more.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _run(change, batches, write)
    os.close(write)
    try:
        status = _wait(child, 120 + 4 * sum(sum(tests.values()) for tests in batches))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    with os.fdopen(read) as pipe:
        told = pipe.read()
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return f"{TIMED_OUT}{RUNNING.read_text()}"
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    if os.WEXITSTATUS(status) == BROKEN:
        raise RuntimeError(f"the trial itself failed: {told}")
    return told if os.WEXITSTATUS(status) == 0 else f"exit code {os.WEXITSTATUS(status)}"


def _wait(child: int, seconds: float) -> int | None:
    """The status of a process when it has ended; None if it does not in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _run(change: Change | None, batches: Sequence[Mapping[str, float]], write: int) -> NoReturn:
    """In the fork: the tests, batch by batch, until one fails."""
    code = BROKEN
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        os.chdir(ROOT)
        if change is not None:
            replace_on_import(change)
        os.write(write, _first_failure(batches).encode())
        code = 0
    except BaseException:
        os.write(write, traceback.format_exc().encode())
        raise
    finally:
        os._exit(code)


def _first_failure(batches: Sequence[Mapping[str, float]]) -> str:
    for tests in batches:
        allow(LOADING)
        path = next(iter(tests)).partition("::")[0]
        RUNNING.write_text(path)
        chosen = Chosen(tests)
        # what pytest rewrites, the asserts of a file that it is given, is not loaded by the loader that was replaced: plain asserts
        options = ["-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "--assert=plain"]
        if pytest.main([*options, path], plugins=[chosen]) not in PASSED:
            return chosen.failed or path
    return ""


def replace_on_import(change: Change) -> None:
    """From now on importing the changed file gives the changed code."""
    place = str(ROOT / change.path)
    changes = Changes(change.path, (ROOT / change.path).read_text(), ())
    same = [other for other in changes.found if other.key == change.key]
    same[0].apply()
    code = compile(changes.tree, place, "exec", dont_inherit=True)
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code if loader.path == place else usual(loader, name)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010 - on purpose, in a process that is about to end


def allow(seconds: float) -> None:
    """From now on this process may take that much processor time; then it is killed."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), resource.RLIM_INFINITY))


class Chosen:
    """A plugin of pytest that runs the chosen tests only, the quickest first, and remembers which one failed."""

    def __init__(self, tests: Mapping[str, float]) -> None:
        self.tests = tests
        self.failed = ""

    def pytest_configure(self) -> None:
        """One failing example is enough: it need not be made smaller."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        now = hypothesis.settings.get_profile(hypothesis.settings.get_current_profile_name())
        hypothesis.settings.register_profile("mutants", now, phases=phases)
        hypothesis.settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only the chosen ones."""
        items[:] = sorted((item for item in items if item.nodeid in self.tests), key=lambda item: self.tests[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Each test has a time of its own."""
        RUNNING.write_text(nodeid)
        allow(ALLOWED + 5 * self.tests[nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers the one that failed."""
        if report.failed:
            self.failed = report.nodeid

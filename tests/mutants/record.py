"""Which tests reach which lines, and how long each takes: from one run of all tests under coverage, kept in ``build/mutants``.

When a test file changes only that file is run again; when the code changes, everything is.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "build" / "mutants"
DATA = PLACE / "coverage"
NOTES = PLACE / "record.json"
DURATIONS = PLACE / "durations.json"
CODE = (
    "cpsolve/expressions.py",
    "cpsolve/constraints.py",
    "cpsolve/lower.py",
    "cpsolve/solvers/*.py",
    "cpsolve/counting/*.py",
    "models/*/rules.py",
)
TESTS = ("tests/**/test_*.py", "cpsolve/**/*.py", "models/**/*.py")


@dataclass
class Record:
    """What the run under coverage has shown; digests tell what has changed since."""

    code: dict[str, str] = field(default_factory=dict)
    tests: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Of each test that passed."""

    def reaching(self, path: str) -> Reaching:
        """Which tests reach which lines of a file."""
        import coverage  # here, as the other tests can do without it

        data = coverage.CoverageData(basename=str(DATA))
        data.read()
        lines = {
            line: {name for context in contexts if (name := context.partition("|")[0]) in self.seconds}
            for line, contexts in data.contexts_by_lineno(str(ROOT / path)).items()
        }
        return Reaching(lines)


@dataclass
class Reaching:
    """The tests that reach the lines of one file."""

    lines: Mapping[int, set[str]]

    def tests(self, line: int) -> set[str]:
        """Those that reach a line; all if no test was seen there: coverage does not follow threads that ``threading`` does not know."""
        return self.lines.get(line) or self.all

    @cached_property
    def all(self) -> set[str]:
        """Those that reach any line."""
        return set().union(*self.lines.values())


def excluded(path: str) -> set[int]:
    """The lines that the configuration of coverage leaves out: above all what is compiled."""
    import coverage

    return set(coverage.Coverage(data_file=None).analysis2(str(ROOT / path))[2])


def files(patterns: Sequence[str]) -> dict[str, str]:
    """The digests of the files that match, by their names."""
    found = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def up_to_date() -> Record:
    """The record, after running what has changed since it was written."""
    PLACE.mkdir(parents=True, exist_ok=True)
    old = Record(**json.loads(NOTES.read_text())) if NOTES.exists() else Record()
    code, tests = files(CODE), files(TESTS)
    fresh = code != old.code
    stale = [path for path, digest in tests.items() if fresh or old.tests.get(path) != digest]
    if not stale:
        return old
    print(f"Which tests reach which lines: running {'all' if fresh else ', '.join(stale)} under coverage", flush=True)
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutants.record", "--cov", "--cov-context=test", "--cov-report="]
    targets = ["tests", "cpsolve", "models"] if fresh else [*stale, "--cov-append"]
    subprocess.run([*command, *targets], cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(DATA)}, check=False)
    kept = (
        {}
        if fresh
        else {name: took for name, took in old.seconds.items() if (path := name.partition("::")[0]) in tests and path not in stale}
    )
    record = Record(code, tests, {**kept, **json.loads(DURATIONS.read_text())})
    NOTES.write_text(json.dumps(asdict(record)))
    return record


# as a plugin of pytest, in the process that runs the tests

_passed: dict[str, float] = {}
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up what each test takes with its fixtures."""
    _passed[report.nodeid] = _passed.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Writes down those that passed."""
    DURATIONS.write_text(json.dumps({name: round(took, 4) for name, took in _passed.items() if name not in _failed}))

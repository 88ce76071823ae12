"""Which tests reach which lines, and how long each takes: from runs of the tests under coverage, kept in ``build/mutants``.

``python -m tests.mutants.record`` runs all tests and reports the coverage; after that only the test files that have changed are run
again, by ``python -m tests.mutants``. Lines are found again in code that has changed by comparing it with the code of the run; when little
of that is left, run all tests again.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "build" / "mutants"
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


@dataclass(frozen=True)
class Run:
    """One run under coverage: where its data is, the code and the digests of the test files at that time, and the seconds of each test."""

    data: str
    code: dict[str, str]
    tests: dict[str, str]
    seconds: dict[str, float]

    def lines(self, path: str) -> dict[int, set[str]]:
        """Which tests reached which lines of a file, as it is now."""
        import coverage  # here, as the other tests can do without it

        data = coverage.CoverageData(basename=str(PLACE / self.data))
        data.read()
        contexts = data.contexts_by_lineno(str(ROOT / path))
        then, now = self.code.get(path, "").splitlines(), (ROOT / path).read_text().splitlines()
        return {
            block.b + k + 1: {context.partition("|")[0] for context in contexts.get(block.a + k + 1, ())}
            for block in SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
            for k in range(block.size)
        }


class Record:
    """All runs; of a test file that was run more than once the last run counts."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs
        self.tests = {path: digest for run in runs for path, digest in run.tests.items()}
        self._last = {path: run for run in runs for path in run.tests}
        self.seconds = {name: took for run in runs for name, took in run.seconds.items() if self._counts(run, name)}

    def _counts(self, run: Run, name: str) -> bool:
        return self._last.get(name.partition("::")[0]) is run and name in run.seconds

    def reaching(self, path: str) -> Reaching:
        """Which tests reach which lines of a file."""
        found: dict[int, set[str]] = {}
        for run in self.runs:
            for line, names in run.lines(path).items():
                found.setdefault(line, set()).update(name for name in names if self._counts(run, name))
        return Reaching(found)


@dataclass
class Reaching:
    """The tests that reach the lines of one file; ``all`` are those that reach any."""

    lines: Mapping[int, set[str]]
    all: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.all = set().union(*self.lines.values())

    def tests(self, line: int) -> set[str]:
        """Those that reach a line; where no test was seen, as in code that is new, all."""
        return self.lines.get(line) or self.all


def excluded(path: str) -> set[int]:
    """The lines that the configuration of coverage leaves out: above all what is compiled."""
    import coverage

    return set(coverage.Coverage(data_file=None).analysis2(str(ROOT / path))[2])


def files(patterns: Sequence[str]) -> dict[str, str]:
    """The text of the files that match, by their names."""
    return {str(path.relative_to(ROOT)): path.read_text() for pattern in patterns for path in sorted(ROOT.glob(pattern))}


def up_to_date() -> Record:
    """The record, after running what has changed since it was written."""
    runs = [Run(**noted) for noted in json.loads(NOTES.read_text())] if NOTES.exists() else []
    if not runs:
        anew()
        return up_to_date()
    known = Record(runs).tests
    stale = {path: digest for path, digest in digests().items() if known.get(path) != digest}
    if stale:
        print(f"Which tests reach which lines: running {', '.join(stale)} under coverage", flush=True)
        _run(runs, stale, [*stale])
    return Record(runs)


def anew() -> int:
    """Writes the record by running all tests; the exit code of that."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for old in (NOTES, *PLACE.glob("coverage-*")):
        old.unlink(missing_ok=True)
    print("Which tests reach which lines: running all under coverage", flush=True)
    return _run([], digests(), ["tests", "cpsolve", "models"])


def digests() -> dict[str, str]:
    """What tells whether a test file has changed."""
    return {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files(TESTS).items()}


def _run(runs: list[Run], tests: dict[str, str], targets: Sequence[str]) -> int:
    """Runs tests and adds what came of it to the runs; the exit code of the tests."""
    data = f"coverage-{len(runs)}"
    command = [sys.executable, "-m", "pytest", "-n", "2", "-p", "tests.mutants.record", "--cov", "--cov-context=test", "--cov-report="]
    done = subprocess.run([*command, *targets], cwd=ROOT, env={**os.environ, "COVERAGE_FILE": str(PLACE / data)}, check=False)
    runs.append(Run(data, files(CODE), tests, json.loads(DURATIONS.read_text())))
    NOTES.write_text(json.dumps([asdict(run) for run in runs]))
    return done.returncode


def main() -> int:
    """All tests under coverage, and the report; the exit code is not 0 when a test failed or too little was gone through."""
    failed = anew()
    report = [sys.executable, "-m", "coverage", "report", f"--data-file={PLACE / 'coverage-0'}"]
    return subprocess.run(report, cwd=ROOT, check=False).returncode or failed


# as a plugin of pytest, in the process that runs the tests

_passed: dict[str, float] = {}
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Adds up what each test takes with its fixtures."""
    _passed[report.nodeid] = _passed.get(report.nodeid, 0.0) + report.duration
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes down those that passed; the process that gives the tests to others hears of all."""
    if not hasattr(session.config, "workerinput"):
        DURATIONS.write_text(json.dumps({name: round(took, 4) for name, took in _passed.items() if name not in _failed}))


if __name__ == "__main__":
    sys.exit(main())

"""The tests on every interpreter that is there, with the oldest and the newest packages allowed, and with single extras.

``python -m tests.matrix`` makes a virtual environment for each row under ``build/matrix``, installs what the row says, and runs there what
the row asks for, with warnings as errors and another order of hashes each time. Only wheels are installed: the oldest packages are the
oldest ones that have a wheel for the interpreter. A row whose interpreter or wheels are not to be had is reported as missing, and why.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "build" / "matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CORE = (
    "tests/test_modelling.py", "tests/test_known_counts.py", "tests/busy_police", "tests/pacman", "tests/minesweeper/test_rules.py",
    "tests/minesweeper/test_inference.py", "tests/four_in_a_line/test_rules.py", "tests/center/test_rules.py",
)  # fmt: skip
"""What must pass without any extra."""
EXTRAS = {
    "": (),
    "sat": ("tests/test_sat_encoding.py", "tests/test_graphs.py"),
    "images": ("tests/test_films.py",),
    "counting": ("tests/test_counting.py",),
    "cluster": ("tests/minesweeper/test_campaign.py",),
}
"""What is looked at besides the core where this extra alone is installed."""
NO_WHEEL = re.compile(r"(\S+) has no\s+wheels\s+with\s+a\s+matching\s+Python")
"""How the installer says that the packages are not made for an interpreter."""


class Missing(Exception):
    """What a row needs is not to be had; says why."""


@dataclass(frozen=True)
class Row:
    """One environment and what is run in it."""

    python: str
    packages: str
    extras: str
    tests: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"Python {self.python}, {self.packages} packages, {self.extras or 'no extras'}"

    @property
    def name(self) -> str:
        """A name for folders."""
        return "-".join([self.python, self.packages, *filter(None, [self.extras])])

    @property
    def environment(self) -> Path:
        """Where its environment lies."""
        return PLACE / self.name

    def install(self, interpreter: Path) -> None:
        """Makes the environment anew."""
        wanted = f".[{self.extras}]" if self.extras else "."
        tests = [] if self.extras == "test" else ["pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100"]
        resolution = "lowest-direct" if self.packages == "oldest" else "highest"
        which = ["--resolution", resolution, "--only-binary", ":all:", "--no-binary", "cpsolve"]
        subprocess.run([interpreter, "-m", "venv", "--clear", "--without-pip", self.environment], check=True)
        done = subprocess.run(
            [uv(), "pip", "install", "--quiet", "--python", self.environment / "bin" / "python", *which, "--editable", wanted, *tests],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            if package := NO_WHEEL.search(done.stderr):
                raise Missing(f"{package[1]} has no wheel for this Python")
            raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)

    def run(self, processes: int, hash_seed: int) -> int:
        """Runs the tests; returns their exit code."""
        kernels = PLACE / "kernels" / self.name  # beside the environment, which is made anew
        settings = {"PYTHONWARNINGS": "error", "PYTHONHASHSEED": str(hash_seed), "NUMBA_CACHE_DIR": str(kernels)}
        command: list[str | Path] = [self.environment / "bin" / "python", "-m", "pytest", "-rs", "-n", str(processes), *self.tests]
        return subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode


def uv() -> str:
    """The installer that can take the oldest packages allowed; it is put under ``build`` where it is missing."""
    found = shutil.which("uv") or str(PLACE / "uv" / "bin" / "uv")
    if not Path(found).exists():
        subprocess.run([sys.executable, "-m", "venv", PLACE / "uv"], check=True)
        subprocess.run([PLACE / "uv" / "bin" / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return found


def interpreters(given: Iterable[Path], path: Iterable[Path]) -> dict[str, Path]:
    """An interpreter for each version that has one: the given ones, those of the path's folders, and this one.

    A name is no interpreter yet (pyenv has a file for every version, which only runs for those that are chosen): each is asked what it is.
    """
    on_path = [folder / f"python{version}" for folder in path for version in VERSIONS]
    found: dict[str, Path] = {}
    for interpreter in [*given, *filter(Path.is_file, on_path), Path(sys.executable)]:
        if (version := version_of(interpreter)) is not None:
            found.setdefault(version, interpreter)
    return found


def version_of(interpreter: Path) -> str | None:
    """Which Python this is, as in ``3.12``; ``None`` if it does not run."""
    asked: list[str | Path] = [interpreter, "-c", "import sys; print(*sys.version_info[:2], sep='.')"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def rows() -> Iterator[Row]:
    """All rows: the whole suite with the newest packages everywhere, with the oldest on the first and last version; and single extras."""
    for version in (VERSIONS[0], VERSIONS[-1]):
        yield Row(version, "oldest", "test")
    for version in VERSIONS:
        yield Row(version, "newest", "test")
    for version in VERSIONS:
        for extra, tests in EXTRAS.items():
            yield Row(version, "newest", extra, (*CORE, *tests))


def outcome(row: Row, found: Mapping[str, Path], processes: int, hash_seed: int) -> str:
    """Installs and runs a row; returns what came of it."""
    begun = time.monotonic()
    try:
        if row.python not in found:
            raise Missing(f"there is no python{row.python} on PATH that runs; --python FILE names one elsewhere")
        row.install(found[row.python])
    except Missing as missing:
        return f"missing: {missing}"
    except subprocess.CalledProcessError as error:
        print(error.stderr or "", file=sys.stderr)
        return f"FAILED to install with exit code {error.returncode}"
    code = row.run(processes, hash_seed)
    return f"{'passed' if code == 0 else f'FAILED with exit code {code}'} after {time.monotonic() - begun:.0f} s"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the rows, or some of them, and prints one line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description=__doc__, epilog="example: python -m tests.matrix oldest")
    parser.add_argument("words", nargs="*", help="only rows whose name has all these words, such as 3.12, oldest or sat")
    parser.add_argument("--list", action="store_true", help="only name the rows")
    parser.add_argument(
        "--python", type=Path, action="append", default=[], metavar="FILE", help="an interpreter elsewhere; may be given again"
    )
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="how many tests run at once")
    parser.add_argument("--hash-seed", type=int, metavar="N", help="a PYTHONHASHSEED to be tried again; without it one is drawn")
    options = parser.parse_args(arguments)
    wanted = [row for row in rows() if all(word in str(row) for word in options.words)]
    if options.list:
        print(*wanted, sep="\n")
        return 0
    for given in options.python:
        if version_of(given) not in VERSIONS:
            parser.error(f"{given} is no Python {VERSIONS[0]} to {VERSIONS[-1]} that runs")
    found = interpreters(options.python, map(Path, os.get_exec_path()))
    results: list[tuple[Row, str]] = []
    for row in wanted:
        hash_seed = random.randrange(2**32) if options.hash_seed is None else options.hash_seed
        print(f"== {row}, PYTHONHASHSEED={hash_seed}", flush=True)
        results.append((row, outcome(row, found, options.processes, hash_seed)))
    for row, result in results:
        print(f"{row}: {result}")
    return int(any("FAILED" in result for _, result in results))


if __name__ == "__main__":
    sys.exit(main())

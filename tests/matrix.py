"""The tests on every interpreter that is there, with the oldest and the newest packages allowed, and with single extras.

``python -m tests.matrix`` makes a virtual environment for each row under ``build/matrix``, installs what the row says, and runs there what
the row asks for, with warnings as errors and another order of hashes each time. An interpreter that is not here is reported as missing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "build" / "matrix"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("sat", "images", "counting", "cluster")
WHOLE = ("-m", "pytest", "-n", "2")
CORE = (
    "-m", "pytest", "tests/test_modelling.py", "tests/test_known_counts.py", "tests/busy_police", "tests/pacman",
)  # fmt: skip
"""What must pass without any extra."""


@dataclass(frozen=True)
class Row:
    """One environment and what is run in it."""

    python: str
    packages: str
    extras: str
    command: tuple[str, ...]
    hash_seed: str = "random"

    def __str__(self) -> str:
        return f"Python {self.python}, {self.packages} packages, {self.extras or 'no extras'}"

    @property
    def folder(self) -> Path:
        """Where its environment lies."""
        return PLACE / "-".join([self.python, self.packages, *self.extras.split(",")]).rstrip("-")

    def install(self) -> None:
        """Makes the environment."""
        wanted = f".[{self.extras}]" if self.extras else "."
        tests = [] if "test" in self.extras else ["pytest>=8", "hypothesis>=6.100"]
        lowest = ["--resolution", "lowest-direct"] if self.packages == "oldest" else ["--upgrade"]
        subprocess.run([f"python{self.python}", "-m", "venv", self.folder], check=True)
        subprocess.run(
            [uv(), "pip", "install", "--quiet", "--python", self.folder / "bin" / "python", *lowest, "--editable", wanted, *tests],
            cwd=ROOT,
            check=True,
        )

    def run(self) -> int:
        """Runs the tests; returns their exit code."""
        settings = {"PYTHONWARNINGS": "error", "PYTHONHASHSEED": self.hash_seed, "NUMBA_CACHE_DIR": str(self.folder / "kernels")}
        return subprocess.run(
            [self.folder / "bin" / "python", *self.command], cwd=ROOT, env={**os.environ, **settings}, check=False
        ).returncode


def uv() -> str:
    """The installer that can take the oldest packages allowed; it is put under ``build`` where it is missing."""
    found = shutil.which("uv") or str(PLACE / "uv" / "bin" / "uv")
    if not Path(found).exists():
        subprocess.run([sys.executable, "-m", "venv", PLACE / "uv"], check=True)
        subprocess.run([PLACE / "uv" / "bin" / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    return found


def rows(here: str) -> Iterator[Row]:
    """All rows: the whole suite on every version, newest packages; the oldest ones on the oldest; and extras one by one."""
    yield Row(VERSIONS[0], "oldest", "test", WHOLE)
    for version in VERSIONS:
        yield Row(version, "newest", "test", WHOLE)
    for extra in ("", *EXTRAS):
        yield Row(here, "newest", extra, CORE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the rows, or some of them, and prints one line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description=__doc__, epilog="example: python -m tests.matrix oldest")
    parser.add_argument("words", nargs="*", help="only rows whose name has all these words, such as 3.12, oldest or sat")
    parser.add_argument("--list", action="store_true", help="only name the rows")
    parser.add_argument("--core", action="store_true", help="the core's tests instead of the whole suite")
    options = parser.parse_args(arguments)
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    results: list[tuple[Row, str]] = []
    for row in rows(here):
        if not all(word in str(row) for word in options.words):
            continue
        if options.list:
            print(row)
            continue
        print(f"== {row}", flush=True)
        begun = time.monotonic()
        if shutil.which(f"python{row.python}") is None:
            result = "missing: this machine has no such interpreter"
        else:
            row.install()
            code = (replace(row, command=CORE) if options.core else row).run()
            result = f"{'passed' if code == 0 else f'FAILED with exit code {code}'} after {time.monotonic() - begun:.0f} s"
        results.append((row, result))
    for row, result in results:
        print(f"{row}: {result}")
    return int(any("FAILED" in result for _, result in results))


if __name__ == "__main__":
    sys.exit(main())

"""Which interpreters the matrix takes, and what it says about what is missing; nothing is installed here."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import matrix

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHER = next(version for version in matrix.VERSIONS if version != HERE)
NO_WHEEL = """error: No solution found when resolving dependencies
  cause: Because ortools==9.15.6755 has no wheels with a matching Python ABI tag (e.g., `cp315`) and only these versions are available:
             ortools<9.15
"""


def script(file: Path, text: str) -> Path:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of POSIX")
def test_a_name_on_the_path_that_does_not_run_is_no_interpreter(tmp_path: Path) -> None:
    script(tmp_path / f"python{OTHER}", "exit 127")
    assert matrix.interpreters([], [tmp_path]) == {HERE: Path(sys.executable)}


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of POSIX")
def test_an_interpreter_that_is_named_comes_before_those_of_the_path(tmp_path: Path) -> None:
    named = script(tmp_path / "mine", f"echo {OTHER}")
    script(tmp_path / f"python{OTHER}", f"echo {OTHER}")
    assert matrix.interpreters([named], [tmp_path]) == {OTHER: named, HERE: Path(sys.executable)}
    assert matrix.interpreters([], [tmp_path]) == {OTHER: tmp_path / f"python{OTHER}", HERE: Path(sys.executable)}


def test_a_row_without_its_interpreter_is_missing_not_passed() -> None:
    told = matrix.outcome(matrix.Row(OTHER, "newest", "test"), {}, 1, 0)
    assert told.startswith(f"missing: there is no python{OTHER}")


@pytest.mark.parametrize(
    ("says", "told"), [(NO_WHEEL, "missing: ortools==9.15.6755 has no wheel for this Python"), ("no network", "FAILED to install")]
)
def test_only_a_wheel_that_does_not_exist_is_missing_any_other_trouble_of_the_installer_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, says: str, told: str
) -> None:
    def run(command: list[str | Path], check: bool = False, **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0 if check else 1, "", says)

    monkeypatch.setattr(matrix, "uv", lambda: "uv")
    monkeypatch.setattr(subprocess, "run", run)
    assert matrix.outcome(matrix.Row(HERE, "newest", "test"), {HERE: Path(sys.executable)}, 1, 0).startswith(told)


def test_the_versions_of_the_matrix_are_those_that_are_promised() -> None:
    project = tomllib.loads((matrix.ROOT / "pyproject.toml").read_text())["project"]
    promised = [match[1] for line in project["classifiers"] if (match := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))]
    assert promised == list(matrix.VERSIONS)
    assert project["requires-python"].startswith(f">={matrix.VERSIONS[0]},")
    assert set(matrix.EXTRAS) - {""} <= set(project["optional-dependencies"])

"""The program that changes the code to see whether the tests notice: which changes it makes, which it draws, and that they are loaded."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from tests.mutants.changes import Changes, drawn

SOURCE = '''
"""A file with a bit of everything."""
LIMIT = 10

def least(numbers: list[int | None], start: int = 0) -> int:
    """Its docstring."""
    best = start
    for number in numbers:
        if number is None or not number:
            continue
        best += 1
        best = min(best, -number)
    return best
'''


def test_each_part_that_runs_is_changed_and_nothing_else_is() -> None:
    found = {(change.line, change.before, change.after) for change in Changes("a.py", SOURCE, ()).found}
    assert found == {
        (3, "10", "11"),
        (5, "0", "1"),
        (9, "number is None or not number", "not (number is None or not number)"),
        (9, "number is None or not number", "number is None and (not number)"),
        (9, "number is None", "number is not None"),
        (9, "not number", "number"),
        (10, "continue", "break"),
        (11, "best += 1", "best -= 1"),
        (11, "best += 1", "pass"),
        (11, "1", "2"),
        (12, "min(best, -number)", "max(best, -number)"),
        (12, "-number", "number"),
        (13, "return best", "return None"),
    }


def test_a_line_that_is_left_out_is_not_changed() -> None:
    assert {change.line for change in Changes("a.py", SOURCE, {5}).found} == {3}


def test_a_sample_is_spread_over_the_files_and_depends_on_the_seed_alone() -> None:
    changes = [change for name, times in (("a.py", 1), ("b.py", 3)) for change in Changes(name, SOURCE * times, ()).found]
    sample = drawn(changes, 12, seed=1)
    assert Counter(change.path for change in sample) == {"a.py": 3, "b.py": 9}
    assert len({change.key for change in sample}) == 12
    assert [change.key for change in drawn(changes, 12, seed=1)] == [change.key for change in sample]
    assert [change.key for change in drawn(changes, 12, seed=2)] != [change.key for change in sample]
    moved = [change for name, times in (("a.py", 1), ("b.py", 3)) for change in Changes(name, "\n\n" + SOURCE * times, ()).found]
    assert [change.key for change in drawn(moved, 12, seed=1)] == [change.key for change in sample]


def test_what_may_be_changed_is_not_loaded_before_a_trial() -> None:
    program = "import tests.mutants.__main__\ntests.mutants.__main__.load()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_changed_file_is_loaded_with_its_change() -> None:
    program = """
from tests.mutants.changes import Changes
from tests.mutants.record import ROOT
from tests.mutants.trial import replace_on_import
path = "models/pacman/rules.py"
changes = Changes(path, (ROOT / path).read_text(), ()).found
replace_on_import(next(change for change in changes if change.text.startswith("DIRECTIONS") and change.before == "0"))
from models.pacman import rules
print(*(step for _, step in rules.DIRECTIONS))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 1) (-1, 0) (0, -1) (0, 1)\n"

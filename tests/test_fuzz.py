"""The fuzz programs: a short run of each finds nothing, and they do find what is put there for them."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from cpsolve.solvers import cpsat, cpsat_encoding
from fuzz import __main__, models, runner
from fuzz.runner import Refused, Tally, Trial, Wrong, run


@pytest.mark.parametrize("kind", models.KINDS)
def test_every_kind_of_model_is_answered_as_brute_force_does(kind: str) -> None:
    told: list[str] = []
    tallies = run({kind: models.KINDS[kind]}, minutes=5, seed=1, most=60, show=told.append)
    assert told == []
    assert tallies[kind].tried == 60
    assert tallies[kind].refused < 20


def test_a_wrong_backend_is_found_and_shown_as_a_program_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat_encoding, "NARROW", 2**63)
    monkeypatch.setattr(cpsat, "SOUND", {})
    told: list[str] = []
    kind = "the same, wide domains"
    tallies = run({kind: models.KINDS[kind]}, minutes=5, seed=5, most=60, show=told.append)
    assert tallies[kind].wrong == len(told) > 0
    program = told[0].partition("import cpsolve")
    assert subprocess.run([sys.executable, "-c", "import cpsolve" + program[2]], capture_output=True, check=False).returncode == 0


def test_right_refused_wrong_and_broken_trials_are_counted() -> None:
    def some(random: Random) -> None:
        match random.randrange(4):
            case 1:
                raise Refused("too large")
            case 2:
                raise Wrong("two and two are five")
            case 3:
                raise ZeroDivisionError

    told: list[str] = []
    tally = run({"some": some}, minutes=5, seed=1, most=200, show=told.append)["some"]
    assert tally.tried == 200
    assert 20 < tally.refused < 80
    assert tally.wrong == len(told)
    assert {"two and two" in report or "ZeroDivisionError" in report for report in told} == {True}


def test_the_same_seed_makes_the_same_trials_and_a_number_repeats_one() -> None:
    def drawing(into: list[float]) -> Trial:
        return lambda random: into.append(random.random())

    first: list[float] = []
    second: list[float] = []
    again: list[float] = []
    run({"a": drawing(first)}, minutes=1, seed=3, most=5)
    run({"a": drawing(second)}, minutes=1, seed=3, most=5)
    run({"a": drawing(again)}, minutes=1, seed=3, number=4)
    assert first == second
    assert again == first[4:]
    assert len(set(first)) == 5


def test_no_time_means_no_trial() -> None:
    assert run({"a": lambda random: None}, minutes=0, seed=1) == {"a": Tally()}


def test_a_long_run_shows_its_figures_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EVERY", 0.0)
    told: list[str] = []
    run({"a": lambda random: None}, minutes=1, seed=1, most=3, show=told.append)
    assert [report.splitlines()[-1] for report in told] == ["0 trials, 0 wrong", "1 trial, 0 wrong", "2 trials, 0 wrong"]


def test_the_command_tells_figures_and_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["models", "--most", "2", "--seed", "4", "--kind", "logic", "--kind", "everything"]) == 0
    assert "4 trials, 0 wrong" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        __main__.main(["models", "--kind", "nothing"])
    assert stopped.value.code == 2

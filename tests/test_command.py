"""The command line as a person or a script would use it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from cpsolve.command import app
from cpsolve.tour import STOPS

run = CliRunner().invoke


@pytest.mark.parametrize("stop", STOPS)
def test_every_stop_of_the_tour_tells_something(stop: str) -> None:
    result = run(app, ["tour", "--only", stop, "--json"])
    assert result.exit_code == 0, result.output
    (told,) = json.loads(result.stdout)
    assert told["findings"]


def test_the_tour_draws_plain_text_into_a_pipe() -> None:
    result = run(app, ["tour", "--only", "queens"])
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert result.stdout.count("Q") == 8


def test_an_unknown_stop_is_bad_input_and_names_the_known_ones() -> None:
    result = run(app, ["tour", "--only", "nowhere"])
    assert result.exit_code == 2
    assert "magic-square" in result.output


def test_backends_are_listed_for_people_and_for_scripts() -> None:
    assert "python-constraint" in run(app, ["backends"]).stdout
    assert set(json.loads(run(app, ["backends", "--json"]).stdout)) == {"cpsat", "python-constraint", "diagram"}


@pytest.mark.parametrize("command", ["tour", "backends"])
def test_help_has_an_example(command: str) -> None:
    assert "Example: cpsolve" in run(app, [command, "--help"]).stdout

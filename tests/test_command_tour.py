"""``cpsolve tour``: every stop tells something, and the games are set beside naive search."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve import catalogue
from cpsolve.app import warming
from cpsolve.app.command import app
from cpsolve.app.tour import CLASSICS
from cpsolve.puzzles import showcase
from cpsolve.puzzles.showcase import Comparison, Side, Stop

run = CliRunner().invoke


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A naive search that does not end need not take long to show that."""
    monkeypatch.setattr(showcase, "PATIENCE", 0.1)


def visited(*names: str) -> Any:
    result = run(app, ["tour", "--json", *(part for name in names for part in ("--only", name))])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("stop", CLASSICS)
def test_every_classic_puzzle_tells_something(stop: str) -> None:
    (told,) = visited(stop)
    assert told["findings"]


@pytest.mark.parametrize("stop", catalogue.games())
def test_every_game_is_verified_drawn_and_compared(stop: str) -> None:
    (told,) = visited(stop)
    assert told["findings"]["verified"]
    assert told["findings"]["check"].startswith("checked by python-constraint")
    assert told["drawing"]
    assert "\x1b" not in told["drawing"]
    assert told["comparisons"]


def test_the_walks_of_the_originals_are_shorter_than_those_of_naive_search() -> None:
    pacman, police = (stop["comparisons"][0] for stop in visited("pacman", "busy_police"))
    assert (pacman["ours"]["answer"], pacman["naive"]["answer"]) == ("14 moves, shortest", "40 moves")
    assert (police["ours"]["answer"], police["naive"]["answer"]) == ("40 moves, shortest", "60 moves")


def test_a_naive_search_that_was_stopped_gives_no_answer() -> None:
    (center,) = visited("center")
    (row,) = center["comparisons"]
    assert row["ours"]["answer"] == "x wins in 7 plies"
    assert (row["naive"]["finished"], row["naive"]["answer"]) == (False, "no answer yet")


def test_the_table_says_which_search_did_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def made_up() -> Stop:
        ended = Comparison("small", Side("yes", 0.01), Side("yes", 0.2, 10))
        stopped = Comparison("large", Side("no", 0.02), Side("?", 2.0, 99, False))
        return Stop("Made up", comparisons=[ended, stopped])

    monkeypatch.setitem(CLASSICS, "queens", made_up)
    shown = run(app, ["tour", "--only", "queens"], env={"COLUMNS": "80"}).stdout
    assert "2.0 s *" in shown
    assert "200 ms *" not in shown
    assert "* stopped there" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_tour_draws_plain_text_into_a_pipe() -> None:
    result = run(app, ["tour", "--only", "queens"])
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert result.stdout.count("Q") == 8


def test_the_whole_tour_fits_into_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cpsolve.app.tour.visit", Stop)
    monkeypatch.setattr(warming, "uncompiled", lambda games: [])
    shown = run(app, ["tour"], env={"COLUMNS": "80"}).stdout
    assert "More stops" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_classics_come_after_the_stops_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def visit(name: str) -> Stop:
        seen.append(name)
        return Stop(name)

    monkeypatch.setattr("cpsolve.app.tour.visit", visit)
    assert run(app, ["tour", "--only", "queens", "--only", "pacman", "--classics", "--json"]).exit_code == 0
    assert seen[:2] == ["queens", "pacman"]
    assert set(seen[2:]) == set(CLASSICS) - {"queens"}


def test_an_unknown_stop_is_bad_input_and_names_the_known_ones() -> None:
    result = run(app, ["tour", "--only", "nowhere"])
    assert result.exit_code == 2
    assert "magic-square" in result.stderr
    assert "pacman" in result.stderr


def test_every_game_with_compiled_kernels_can_be_compiled_ahead() -> None:
    assert [game for game in catalogue.games() if warming.warm_up(game)] == ["center", "four-in-a-line", "minesweeper"]


def test_a_process_that_compiles_is_ended_with_the_tour() -> None:
    processes = warming.Compiling(["center"])
    processes.stop()
    processes.wait("center")
    assert all(process.returncode is not None for process in processes.running.values())

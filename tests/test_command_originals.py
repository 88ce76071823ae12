"""The answers of Busy Police and Pacman as the originals print them, and their animations with the keys of the original's interface."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cpsolve.app.command import app
from cpsolve.prolog import parse_term, parse_terms, to_text
from models import busy_police, pacman
from models.busy_police import formats as police_texts
from models.pacman import formats as pacman_texts
from tests.terminals import Terminal

GOLDEN = Path(__file__).parent / "golden"
LISTINGS = {"ambiente1": 3, "ambiente2": 5, "ambiente3": 7, "ambiente4": 9}
UNREACHABLE = "dimensoes(3, 2). policial(1, 1). fugitivo(3, 2)."


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["solve", *args], input=text)


# -- Busy Police


@pytest.mark.parametrize("name", LISTINGS)
def test_the_naive_answer_is_printed_as_in_the_listing(name: str) -> None:
    listing = (GOLDEN / "busy_police" / f"listing{LISTINGS[name]}.txt").read_text()
    printed = re.findall(r"R = \[[^|]*\] \.", listing)[-1]
    assert run("busy-police", name, "--method", "dfs", "--prolog").stdout.split() == printed.split()


def test_evidence_is_printed_as_prolog_prints_it() -> None:
    first = parse_terms((GOLDEN / "busy_police" / "evidencias.answers").read_text())[0]
    told = run("busy-police", "evidencias", "--method", "dfs", "--prolog").stdout
    assert to_text(parse_term(told.removeprefix("R = ").rstrip().removesuffix("."))) == to_text(first)


def test_further_answers_are_listed_as_by_semicolons_until_there_are_no_more() -> None:
    lines = run("busy-police", "--all", "--prolog").stdout.splitlines()
    assert len(lines) == 14
    assert lines[-1] == "false."
    assert all(line.startswith("R = [estado(") and line.endswith("] ;") for line in lines[:-1])
    assert [len(parse_term(line[4:-2])) for line in lines[:-1]] == [  # type: ignore[arg-type]
        len(plan.moves) + 3 for plan in busy_police.paths(busy_police.SCENES["evidencias"])
    ]


def test_without_an_answer_prolog_says_false() -> None:
    for options in ((), ("--all",)):
        result = run("busy-police", "-", "--prolog", *options, text=UNREACHABLE)
        assert (result.exit_code, result.stdout) == (1, "false.\n")


def test_a_film_of_texts_ends_at_the_arrest() -> None:
    scene = busy_police.SCENES["ambiente1"]
    plan = busy_police.solve(scene)
    texts = list(police_texts.film(scene, plan, 1))
    assert len(texts) == len(plan.states)
    assert "&" in texts[-1]


# -- Pacman


def test_the_states_are_those_that_the_original_hands_to_its_interface() -> None:
    printed = (GOLDEN / "pacman" / "corrected.answers").read_text().splitlines()[0]
    told = run("pacman", "--method", "dfs", "--prolog").stdout.splitlines()
    assert told[0] == "5x5"
    assert f"[{','.join(told[1:])}]" == printed.replace(" ", "").rstrip(".")


def test_every_state_of_a_plan_is_a_list_with_a_name_per_cell() -> None:
    board = pacman.Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], walls=[(2, 1)])
    lists = [pacman_texts.state_list(board, state) for state in pacman.solve(board).states]
    assert lists[0] == "[pacman,ponto,cereja,fantasma,vazio,parede]"
    assert all(len(parse_term(each)) == 6 for each in lists)  # type: ignore[arg-type]


def test_executions_are_numbered_and_end_in_game_over() -> None:
    told = run("pacman", "--all", "--animate", "--most", "2", "--delay", "0").stdout
    assert told.count("GAME OVER") == 2
    assert "Execucao numero: 2" in told
    assert "|   <   _   _   _   _   |" in told
    assert "Execucao numero: 3" not in told


def test_one_plan_is_animated_as_the_original_draws_it() -> None:
    told = run("pacman", "--animate", "--prolog", "--delay", "0").stdout
    assert told.count("Execucao numero: 1") == 15
    assert "GAME OVER" in told


def test_space_shows_the_next_execution_and_enter_ends() -> None:
    words = ["cpsolve", "solve", "pacman", "--all", "--animate", "--delay", "0"]
    with Terminal(f"import sys; sys.argv = {words}; from cpsolve.app.command import main; main()") as terminal:
        terminal.expect("Enter: no more")
        terminal.press(" ", "Execucao numero: 2")
        terminal.expect("Enter: no more")
        terminal.send("\n")
        assert terminal.end() == 0


@pytest.mark.parametrize("other", ["--json", "--count", "--svg=-"])
def test_the_originals_form_excludes_others(other: str) -> None:
    result = run("pacman", "--prolog", other)
    assert result.exit_code == 2
    assert "--prolog" in result.stderr

"""``cpsolve verify``: what was saved is proven by the rules, what was changed afterwards is refuted, and what is no answer is bad input."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cpsolve import catalogue, limits
from cpsolve.app.command import app
from cpsolve.errors import InfeasibleError
from cpsolve.limits import Deadline
from cpsolve.puzzles import verifying
from cpsolve.puzzles.garden import Garden
from models import center, minesweeper, pacman
from models.minesweeper.verifying import laid

run = CliRunner().invoke


def saved(game: str, folder: Path) -> dict[str, Any]:
    words = ["solve", game]
    if game == "four-in-a-line":
        (folder / "board.txt").write_text(". . . .\n. . b .\na b a .\n")
        words += [str(folder / "board.txt"), "--connect", "3"]
    if game == "center":
        words += ["3"]
    result = run(app, [*words, "--json"])
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def verified(data: object, *words: str) -> Any:
    return run(app, ["verify", "-", *words], input=data if isinstance(data, str) else json.dumps(data))


@pytest.mark.parametrize("game", [name for name in catalogue.games() if catalogue.game(name).verify is not None])
def test_what_is_saved_is_proven_whole(game: str, tmp_path: Path) -> None:
    result = verified(saved(game, tmp_path))
    assert result.exit_code == 0, result.stdout
    assert result.stdout.startswith("proven: ")
    assert "not checked" not in result.stdout


@pytest.mark.parametrize(("text", "told"), [("1--\n---\n---\n", "every risk"), ("1-0\n", "no field fits")])
def test_what_mines_told_is_proven_too(text: str, told: str) -> None:
    answer = run(app, ["mines", "-", "--mines", "2", "--json"], input=text)
    result = verified(answer.stdout)
    assert result.exit_code == 0, result.stdout + result.stderr
    assert told in result.stdout


CHANGES = [
    ("pacman", "cost", 13, "the plan costs 14, not 13"),
    ("pacman", "moves", ["left"], "is not legal"),
    ("pacman", "status", "infeasible", "there is a plan"),
    ("busy-police", "moves", [], "goal"),
    ("minesweeper", "fields", 2, "1 field fit, not 2"),
    ("minesweeper", "safe", [[4, 4]], "'safe' should be"),
    ("minesweeper", "probability", [], "the risk of"),
    ("minesweeper", "status", "infeasible", "1 field fit, not 0"),
    ("center", "winner", "o", "does not end as claimed"),
    ("center", "best", [[1, 1]], "best play is another"),
    ("four-in-a-line", "line", [1], "the line does not end as claimed"),
]


@pytest.mark.parametrize(("game", "part", "value", "told"), CHANGES)
def test_what_was_changed_is_refuted(game: str, part: str, value: object, told: str, tmp_path: Path) -> None:
    result = verified({**saved(game, tmp_path), part: value})
    assert result.exit_code == 1
    assert result.stdout.startswith("refuted: ")
    assert told in " ".join(result.stdout.split())
    asked = verified({**saved(game, tmp_path), part: value}, "--json")
    assert asked.exit_code == 1
    assert json.loads(asked.stdout)["refuted"]


def test_a_longer_plan_is_no_optimal_one() -> None:
    detour = {"status": "optimal", "cost": 4, "bound": 4, "moves": ["right", "left", "right", "right"]}
    with pytest.raises(verifying.Refuted, match="a plan of 2 moves is shorter"):
        verifying.plan(Garden("S.E"), detour)
    assert verifying.plan(Garden("S.E"), {**detour, "status": "feasible"}).open == ()


def test_certificates_are_proofs() -> None:
    text = center.certify(center.Position(5)).to_text()
    assert verified(text).stdout == "proven: x wins within 7 plies: 21 positions of the winner\n"
    broken = verified(text.replace("plies 7", "plies 5"))
    assert (broken.exit_code, broken.stdout.split()[0]) == (1, "refuted:")


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "[]", "{", "{}", "[" * 100_000, "{" * 9, '{"game": 3}', '{"game": "pacman"}'),
        '{"game": "pacman", "instance": {"text": 3}}',
        '{"game": "pacman", "instance": {"text": "x", "options": {"colour": 1}}}',
        '{"game": "pacman", "instance": {"text": "nothing"}}',
    ],
)
def test_what_is_no_answer_is_bad_input(text: str) -> None:
    result = verified(text)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("part", ["status", "moves", "cost"])
def test_an_answer_without_one_of_its_parts_is_bad_input(part: str, tmp_path: Path) -> None:
    data = saved("pacman", tmp_path)
    del data[part]
    result = verified(data)
    assert result.exit_code == 2
    assert f"expected {part!r}" in result.stderr


@st.composite
def views(draw: st.DrawFn) -> minesweeper.View:
    """Some cells of a small board open; sometimes a number is wrong, or the number of mines is not known."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    field = minesweeper.Field(rows, columns, mines=draw(st.sets(st.sampled_from(cells), max_size=len(cells) - 1)))
    free = [cell for cell in cells if cell not in field.mines]
    shown = {cell: field.value(cell) for cell in draw(st.sets(st.sampled_from(free)))}
    if shown and draw(st.integers(0, 5)) == 0:
        shown[draw(st.sampled_from(sorted(shown)))] = draw(st.integers(0, 3))
    return minesweeper.View(rows, columns, open=shown, mines=draw(st.sampled_from([len(field.mines), None])))


@settings(max_examples=60, deadline=None)
@given(view=views())
def test_laying_every_mine_agrees_with_the_inference(view: minesweeper.View) -> None:
    count, mined = laid(view, Deadline(None))
    try:
        answer = minesweeper.infer(view)
    except InfeasibleError:
        assert count == 0
        return
    assert count == answer.solutions
    assert {cell: number / count for cell, number in mined.items()} == pytest.approx({cell: answer.risk(cell) for cell in mined})


CLOSED = pacman.Board(3, 3, (0, 0), (2, 2), (0, 2), [], walls=[(1, 0), (0, 1), (1, 1)]).to_prolog()
VIEW = "1--\n---\n"
ANSWERS: list[tuple[list[str], str, tuple[str, str], str]] = [
    (["solve", "busy-police", "ambiente1", "--count"], "", ('"paths": 4', '"paths": 3'), "more than 3 acyclic paths"),
    (["solve", "busy-police", "ambiente1", "--all"], "", ('"walk right"', '"walk left"'), "answer 1"),
    (["solve", "four-in-a-line", "4453", "--method", "reach"], "", ('"moves": ["4"', '"moves": ["5"'), "refuse"),
    (["solve", "center", "3", "--method", "dfs"], "", ('"plies": 3', '"plies": 5'), "does not end as claimed"),
    (["solve", "minesweeper", "-", "--mines", "2", "--count"], VIEW, ('"fields": 6', '"fields": 5'), "6 fields fit, not 5"),
    (["solve", "minesweeper", "-", "--mines", "2", "--method", "dfs"], VIEW, ('"fields": 6', '"fields": 7'), "6 fields fit, not 7"),
    (["mines", "-"], "1-0\n", ('"(1,1) shows 1", ', ""), "can be together"),
]
"""A command, what it reads, a change, and what is said of the changed answer."""


@pytest.mark.parametrize(("words", "text", "change", "told"), ANSWERS)
def test_every_kind_of_answer_is_proven_and_refuted_when_changed(words: list[str], text: str, change: tuple[str, str], told: str) -> None:
    answer = run(app, [*words, "--json"], input=text)
    assert answer.exit_code in (0, 1), answer.stderr
    found = verified(answer.stdout)
    assert found.exit_code == 0, found.stdout + found.stderr
    assert found.stdout.startswith("proven: ")
    changed = answer.stdout.replace(*change, 1)
    assert changed != answer.stdout
    refuted = verified(changed)
    assert refuted.exit_code == 1, refuted.stdout + refuted.stderr
    assert told in " ".join(refuted.stdout.split())


def test_the_reason_why_there_is_no_plan_is_told_and_checked(tmp_path: Path) -> None:
    (tmp_path / "board.pl").write_text(CLOSED)
    answer = run(app, ["solve", "pacman", str(tmp_path / "board.pl"), "--json"])
    data = json.loads(answer.stdout)
    assert (answer.exit_code, data["status"]) == (1, "infeasible")
    assert data["reason"] in " ".join(run(app, ["solve", "pacman", str(tmp_path / "board.pl")]).stdout.split())
    assert data["proof"] == "the ways between all places were measured by breadth-first search"
    assert f"the reason: {data['reason']}" in " ".join(verified(data).stdout.split())
    assert "the reason is another" in verified({**data, "reason": "it rains"}).stdout


def test_a_win_on_center_comes_with_its_certificate(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    assert run(app, ["solve", "center", "5", "--certificate", str(path)]).exit_code == 0
    assert verified(path.read_text()).stdout.startswith("proven: x wins within 7 plies")
    assert verified(path.read_text().replace("plies 7", "plies 5")).exit_code == 1


def test_a_plan_tells_how_it_was_proven() -> None:
    answer = run(app, ["solve", "pacman", "--json"])
    assert json.loads(answer.stdout)["proof"] == "cpsat proved that no tour has fewer moves"
    assert "proven: cpsat proved that no tour has fewer moves" in run(app, ["solve", "pacman"]).stdout
    for method in ("bfs", "astar", "held-karp", "horizon", "circuit"):
        assert pacman.solve(pacman.BOARDS["seed"], method).proof
    assert pacman.solve(pacman.BOARDS["seed"], "dfs").proof == ""
    assert center.cooperative_win(5).proof == "cpsat refuted every game of fewer stones"


COUNTED = [(["busy-police", "ambiente1"], "", "listing"), (["minesweeper", "-", "--mines", "2"], VIEW, "python-constraint")]


@pytest.mark.parametrize(("words", "text", "engine"), COUNTED)
def test_a_number_tells_the_second_engine_that_agreed(words: list[str], text: str, engine: str) -> None:
    asked = ["solve", *words, "--count", "--check"]
    assert json.loads(run(app, [*asked, "--json"], input=text).stdout)["checked"] == engine
    assert f"checked by {engine}" in run(app, asked, input=text).stdout
    assert json.loads(run(app, [*asked[:-1], "--json"], input=text).stdout)["checked"] == ""


def test_a_command_keeps_the_memory_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "resident", count(10**9, 10**7).__next__)
    monkeypatch.setattr(limits, "PERIOD", 0.0)
    result = run(app, ["--max-memory", "1", "solve", "center", "7"])
    assert result.exit_code == 3
    assert "max_memory allows" in result.stderr or "allow more memory" in result.stderr

"""``cpsolve verify``: what was saved is proven by the rules, what was changed afterwards is refuted, and what is no answer is bad input."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from models.minesweeper import endgame
from models.minesweeper.verifying import laid, wins

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
    ("pacman", "cells", [], "after move 0 it is [0, 0]"),
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
    found = {**detour, "status": "feasible"}
    assert verifying.plan(Garden("S.E"), {**found, "bound": 2}).open == ()
    assert verifying.plan(Garden("S.E"), {**found, "bound": 1}, time_limit=0).open == ("that no plan costs less than 1",)
    assert verifying.plan(Garden("S.E"), {**found, "bound": None}).open == ()
    for time_limit, bound in ((None, 3), (0, 5)):
        with pytest.raises(verifying.Refuted, match=f"not true that no plan costs less than {bound}"):
            verifying.plan(Garden("S.E"), {**found, "bound": bound}, time_limit=time_limit)


def test_certificates_are_proofs() -> None:
    text = center.certify(center.Position(5)).to_text()
    proven = "proven: x wins within 7 plies from the empty square board of side 5, x to move: 12 positions of the winner\n"
    assert verified(text).stdout == proven
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
TWO_ONES = "-1-\n-1-\n---\n"
MAZE = "%%%%%%%\n%.....%\n%%%%%.%\n%P....%\n%%%%%%%\n"
SMALL = ". . . .\n. . b .\na b a .\n"
FIELD = "tamanho(4). mina(1,2). mina(4,4)."
LOST = "1234"
TINY = ["--rows", "4", "--columns", "4", "--mines", "4", "--first-click", "safe", "--seed", "2"]
ANSWERS: list[tuple[list[str], str, tuple[str, str], str]] = [
    (["solve", "busy-police", "ambiente1", "--count"], "", ('"paths": 4', '"paths": 3'), "more than 3 acyclic paths"),
    (["solve", "pacman", "--count"], "", ('"paths": 1', '"paths": 2'), "there are 175,156,189,686,704,556 acyclic paths"),
    (["solve", "busy-police", "ambiente1", "--all"], "", ('"walk right"', '"walk left"'), "answer 1"),
    (["solve", "four-in-a-line", "4453", "--method", "reach"], "", ('"moves": ["4"', '"moves": ["5"'), "refuse"),
    (["solve", "center", "3", "--method", "dfs"], "", ('"plies": 3', '"plies": 5'), "does not end as claimed"),
    (["solve", "minesweeper", "-", "--mines", "2", "--count"], VIEW, ('"fields": 6', '"fields": 5'), "6 fields fit, not 5"),
    (["solve", "minesweeper", "-", "--mines", "2", "--method", "dfs"], VIEW, ('"fields": 6', '"fields": 7'), "6 fields fit, not 7"),
    (["mines", "-"], "1-0\n", ('"(1,1) shows 1", ', ""), "can be together"),
    (["mines", "-", "--mines", "2"], VIEW, ('"best": [[', '"best": [[1, 2], ['), "'best' should be"),
    (["mines", "-", "--why", "3,1"], TWO_ONES, ('"because": [[1, 2], [2, 2]]', '"because": [[1, 2]]'), "does not prove"),
    (["mines", "-", "--why", "3,1"], TWO_ONES, ('"verdict": "safe"', '"verdict": "mine"'), "(3, 1) is safe"),
    (["mines", "-", "--mines", "1"], "1-\n--\n", ('"chance": 0.3333333333333333', '"chance": 0.5'), "the probability of winning is"),
    (["solve", "pacman", "-"], MAZE, ('"cells": [[1, 3], [2, 3]', '"cells": [[1, 3], [2, 4]'), "after move 1"),
    (["solve", "pacman", "-"], MAZE, ('"bound": 10', '"bound": 9'), "the bound of an optimal plan"),
    (["solve", "pacman", "-"], "%P.%.%\n", ("the food", "a ghost"), "the reason is another"),
    (["solve", "center", "3"], "", ('"winner": "x", "plies": 3}', '"winner": "o", "plies": 3}'), "after (1, 1) it is"),
    (["solve", "four-in-a-line", "-", "--connect", "3"], SMALL, ('"scores": {"1": -1', '"scores": {"1": -2'), "'scores' should be"),
    (["solve", "minesweeper", "-"], FIELD, ('"opened": 14', '"opened": 13'), "'opened' should be 14"),
    (["solve", "minesweeper", "-"], FIELD, ('"kind": "guess"', '"kind": "proven"'), "is not proven"),
    (["solve", "minesweeper", "-"], FIELD, ('"risk": 0.0', '"risk": 0.25'), "the risk of move"),
    (["solve", "minesweeper", "-"], FIELD, ('"cell": [', '"cell": [9'), "is no covered cell"),
    (["hint", "center", "3"], "", ('"words": "x wins in 3 plies"', '"words": "x wins in 1 ply"'), "are not so"),
    (["hint", "center", "-"], "[['x',' ',' '],[' ',' ',' '],[' ',' ','o']]", ('"move": "2,2"', '"move": "3,1"'), "are not so"),
    (["hint", "center", "3"], "", ('"move": "', '"move": "9'), "is not legal"),
    (["hint", "four-in-a-line", "-", "--connect", "3"], SMALL, ("loses in 8 plies", "loses in 6 plies"), "are not so"),
    (["hint", "four-in-a-line", "-", "--connect", "3"], SMALL, ('"move": "', '"move": "1'), "is not legal"),
    (["hint", "minesweeper"], "", ('"risk": 0.0', '"risk": 0.1'), "the risk of (1, 4) is 0.0"),
    (["hint", "minesweeper"], "", ('"next_safety": 1.0', '"next_safety": 0.9'), "the safety of the move after"),
    (["hint", "minesweeper", "-", "--mines", "1"], "1-\n--\n", ('"chance": "1/3"', '"chance": "2/3"'), "the probability of winning is"),
    (["hint", "minesweeper", "-"], "1-0\n", ('"conflict": [[1, 1], [1, 3]]', '"conflict": [[1, 1]]'), "can be together"),
    (
        ["review", "center", "1,1 3,1 3,3", "--size", "3"],
        "",
        ('"number": 3, "move": "3,3"', '"number": 2, "move": "3,1"'),
        "gave nothing away",
    ),
    (["review", "center", "1,1 3,1 3,3", "--size", "3"], "", ('"better": [[2, 2]]', '"better": [[1, 2]]'), "'better' should be"),
    (["review", "center", "1,1 3,1 3,3", "--size", "3"], "", ('"number": 3', '"number": null'), "move 3, 3,3, gave something away"),
    (["review", "center", "1,1 3,1 2,2", "--size", "3"], "", ('"1,1", "3,1"', '"1,1", "1,1"'), "move 2, 1,1"),
    (
        ["review", "four-in-a-line", LOST, "--connect", "3", "--rows", "3", "--columns", "4"],
        "",
        ('"move": "', '"move": "1'),
        "of the game is",
    ),
    (["review", "minesweeper", "1,1 1,2", *TINY], "", ('"risk": ', '"risk": 1'), "the risk of (1, 2)"),
    (["review", "minesweeper", "1,1 1,2", *TINY], "", ('"number": 2', '"number": 1'), "took no risk"),
    (["review", "minesweeper", "1,1", *TINY], "", ('"status": "playing"', '"status": "won"'), "the game is playing"),
    (["next", "4453"], "", ("[1, 1]", "[2, 1]"), "successor 1 should be"),
    (["next", "4453"], "", ('"player": "a"', '"player": "b"'), "successor 1 should be"),
    (["next", "-", "--player", "a"], ". .\na b\n", ('"successors": [', '"successors": [[], '), "successor 1 should be"),
    (["generate", "minesweeper", "3", "--mines", "2", "--seed", "1"], "", ("valor(1,1,1)", "valor(1,1,2)"), "ambiente.pl, line 1"),
    (["generate", "pacman", "5", "--seed", "1"], "", ('"board.txt": "', '"board.txt": "x'), "board.txt, line 1"),
    (["generate", "busy-police", "6", "3", "--seed", "1"], "", ("evidencia(2, 2)", "evidencia(1, 2)"), "line"),
    (["generate", "center", "5", "--seed", "1"], "", ("].", "] ."), "board.pl, line 7"),
    (["generate", "four-in-a-line", "--seed", "1"], "", ("[[[", "[ [["), "board.pl, line 1"),
    (["match", "1", "2", "--games", "2", "--game", "center", "--new", "size=3"], "", ('"result": -1', '"result": 1'), "its result is -1"),
    (
        ["match", "1", "2", "--games", "2", "--game", "center", "--new", "size=3"],
        "",
        ('"losses": 2', '"losses": 1'),
        "'losses' should be 2",
    ),
    (["match", "1", "2", "--games", "2", "--game", "center", "--new", "size=3"], "", ('"2,2"]', '"2,3"]'), "game 1, move 8"),
    (["compare", "center", "3", "--methods", "exact"], "", ('"value": ["x", 3]', '"value": ["x", 5]'), "the rules give ['x', 3]"),
    (
        ["compare", "pacman", "--methods", "bfs,dfs"],
        "",
        ('"value": 14, "proven": true', '"value": 13, "proven": true'),
        "the rules give 14",
    ),
    (["campaign", "--games", "3", *TINY, "--workers", "1"], "", ('"win_rate": ', '"win_rate": 1'), "the rate of"),
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


@settings(max_examples=40, deadline=None)
@given(view=views())
def test_playing_every_game_to_its_end_agrees_with_the_endgame(view: minesweeper.View) -> None:
    count, mined = laid(view, Deadline(None))
    if view.mines is None or not 0 < count <= 12 or all(number == count for number in mined.values()):
        return
    found = endgame.search(view)
    assert found is not None
    won = wins(view, Deadline(None))
    assert max(won.values()) == found.chance == won[found.cell]


def test_what_no_search_by_the_rules_can_reach_is_named() -> None:
    for words in (["hint", "four-in-a-line", "44444326213163"], ["review", "four-in-a-line", "44444326213163255"], ["hint", "minesweeper"]):
        answer = run(app, [*words, "--json"])
        found = json.loads(verified(answer.stdout, "--json", "--time-limit", "0").stdout)
        assert found["refuted"] is None
        assert found["open"]


def test_of_a_game_of_which_no_position_was_searched_only_its_moves_are_proven() -> None:
    answer = run(app, ["review", "four-in-a-line", "44", "--json"])
    found = json.loads(verified(answer.stdout, "--json", "--time-limit", "0").stdout)
    assert found["proven"] == ["2 moves, each legal"]
    assert found["open"] == ["moves 1 to 2: too many positions for alpha-beta"]


@pytest.mark.parametrize("text", ["{}", '{"games": []}'])
def test_json_that_is_about_no_game_is_refused_as_such(text: str) -> None:
    result = verified(text)
    assert result.exit_code == 2
    assert "no game is named there" in result.stderr


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"command": "sing"}, "cpsolve sing says of center cannot be verified"),
        ({"command": 3}, "cpsolve 3 says of center"),
        ({"new": {"size": "large"}}, "--size takes int"),
        ({"new": {"size": 0}}, "--size is at least 1"),
        ({"new": {"colour": 1}}, "does not begin with colour"),
        ({"new": None}, "expected 'new'"),
        ({"moves": [1]}, "expected 'new'"),
        ({"since": "0"}, "expected 'since'"),
        ({"moves": ["1,1", "x", "3,3"]}, "expected"),
        ({"command": "campaign"}, "cpsolve campaign says of center"),
        ({"command": "generate"}, "expected 'files'"),
        ({"command": "match"}, "expected 'played'"),
        ({"command": "hint"}, "expected the instance"),
        ({"command": "compare"}, "expected the instance"),
    ],
)
def test_an_answer_of_a_command_that_cannot_be_understood_is_bad_input(change: dict[str, Any], told: str) -> None:
    data = json.loads(run(app, ["review", "center", "1,1 3,1 3,3", "--size", "3", "--json"]).stdout)
    result = verified({**data, **change})
    assert result.exit_code == 2, result.stdout
    assert len(result.stderr.splitlines()) == 1
    assert told in result.stderr


ODD: list[Any] = [None, True, 3, -1, 10**30, 1e400, "x", "", [], [3], [[3]], [[[]]], {}, {"x": []}, [None]]
SAVED: list[tuple[list[str], str]] = [
    (["solve", "pacman"], ""),
    (["solve", "center", "3"], ""),
    (["solve", "four-in-a-line", "-", "--connect", "3"], SMALL),
    (["solve", "four-in-a-line", "4453", "--method", "reach"], ""),
    (["solve", "minesweeper", "-"], FIELD),
    (["mines", "-", "--why", "3,1"], TWO_ONES),
    (["mines", "-", "--mines", "1"], "1-\n--\n"),
    (["mines", "-"], "1-0\n"),
    (["hint", "center", "3"], ""),
    (["hint", "minesweeper"], ""),
    (["hint", "minesweeper", "-"], "1-0\n"),
    (["review", "center", "1,1 3,1 3,3", "--size", "3"], ""),
    (["review", "minesweeper", "1,1 1,2", *TINY], ""),
    (["next", "4453"], ""),
    (["generate", "minesweeper", "3", "--mines", "2", "--seed", "1"], ""),
    (["match", "1", "2", "--games", "2", "--game", "center", "--new", "size=3"], ""),
    (["compare", "center", "3", "--methods", "exact"], ""),
    (["campaign", "--games", "3", *TINY, "--compare", "seed", "--workers", "1"], ""),
]


def changes(value: Any) -> Iterator[Any]:
    """The same data with one part replaced by something odd, at any depth; of a long list only the first part."""
    yield from ODD
    parts = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    for key, part in parts:
        for other in changes(part):
            yield {**value, key: other} if isinstance(value, dict) else [*value[:key], other, *value[key + 1 :]]


@pytest.mark.parametrize(("words", "text"), SAVED)
def test_whatever_stands_in_a_file_is_proven_refuted_or_refused_and_never_a_bug(words: list[str], text: str) -> None:
    data = json.loads(run(app, [*words, "--json"], input=text).stdout)
    for changed in changes(data):
        result = verified(changed, "--time-limit", "0.1")
        assert result.exit_code in (0, 1, 2)
        assert isinstance(result.exception, SystemExit | None), f"{changed}: {result.exception!r}"


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


COUNTED = [
    (["busy-police", "ambiente1"], "", "listing"),
    (["pacman"], "", "recount"),
    (["minesweeper", "-", "--mines", "2"], VIEW, "python-constraint"),
]


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

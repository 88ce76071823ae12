"""The line protocol of ``cpsolve play --json``: the documented conversation, errors, and the schema that it shares with the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve import catalogue
from cpsolve.app.command import app
from cpsolve.app.protocol import Conversation
from cpsolve.app.web import work

DOCUMENT = Path(__file__).parent.parent / "docs" / "protocol.md"


def talk(game: str, *requests: dict[str, Any] | str, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    result = CliRunner().invoke(app, ["play", game, "--json", *options], input="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def holds(found: Any, expected: Any) -> bool:
    """Whether a reply has what is expected, and perhaps more."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(name in found and holds(found[name], value) for name, value in expected.items())
    return bool(found == expected)


def test_the_documented_conversation_goes_as_it_is_written() -> None:
    found = re.search(r'```text title="([\w-]+)"\n(.*?)```', DOCUMENT.read_text(encoding="utf-8"), re.S)
    assert found is not None
    game, lines = found[1], found[2].splitlines()
    requests = [line[2:] for line in lines if line.startswith("> ")]
    expected = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    replies = talk(game, *requests)
    assert len(requests) == len(expected) == len(replies)
    for request, reply, wanted in zip(requests, replies, expected, strict=True):
        assert holds(reply, wanted), (request, reply)


def test_every_game_with_moves_begins_at_once_and_counts_its_cells() -> None:
    for name in catalogue.games():
        if catalogue.game(name).interaction.move is None:
            continue
        (reply,) = talk(name, {"action": "draw"})
        assert reply["standing"]["legal"], name
        assert all(isinstance(cell, str) for row in reply["cells"] for cell in row), name


@pytest.mark.parametrize("name", [9, "nine"])
def test_a_request_with_a_wrong_field_gets_its_id_back(name: int | str) -> None:
    wrong, right = talk("center", {"action": "move", "move": 4, "id": name}, {"action": "legal", "id": name})
    assert (wrong["id"], wrong["code"], right["id"]) == (name, "bad-input", name)


def test_an_illegal_move_is_told_by_its_number_in_the_game() -> None:
    *_, refused = talk("four-in-a-line", {"move": "4"}, {"move": "4"}, {"move": "9"})
    assert refused["error"].startswith("move 3, 9: ")


def test_a_position_begins_from_one_thing() -> None:
    both, still = talk("four-in-a-line", {"action": "legal", "new": {}, "instance": "4453"}, {"action": "legal"})
    assert (both["code"], both["error"]) == (
        "bad-input",
        "a position begins from one of new, instance, named: give new or instance, not both",
    )
    assert still["to_move"] == "a"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("hello", "bad-input"),
        ("[1, 2]", "bad-input"),
        ('{"action": "sing"}', "not-found"),
        ('{"action": "move", "wish": 3}', "bad-input"),
        ('{"move": 4}', "bad-input"),
        ('{"move": "2,2"}', "illegal-move"),
        ('{"level": 77}', "bad-input"),
        ('{"action": "undo"}', "bad-input"),
        ('{"action": "draw", "instance": "[[x"}', "format"),
        ('{"action": "draw", "new": {"size": 4}}', "bad-input"),
        ('{"action": "draw", "named": "gigantic"}', "bad-input"),
    ],
)
def test_an_error_has_a_code_and_changes_nothing(line: str, code: str) -> None:
    before, error, after = talk("center", {"action": "draw", "new": {}}, line, {"action": "draw"})
    assert error["code"] == code
    assert error["error"]
    assert before == after


def test_options_say_where_the_game_begins_and_how_strong_the_computer_is() -> None:
    legal, moved = talk("center", {"action": "legal"}, {"action": "move"}, options=("--size", "3", "--original"))
    assert len(legal["cells"]) == 3
    assert moved["move"] == "1,1"  # what the original takes first
    (reply,) = talk("four-in-a-line", {"action": "legal"}, options=("44",))
    assert [row[3] for row in reply["cells"]][-2:] == ["b", "a"]


@pytest.mark.parametrize("options", [("--mode", "computer-person"), ("44", "--level", "1", "--mode", "person-computer")])
def test_who_plays_is_not_said_beforehand(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["play", "four-in-a-line", "--json", *options], input="")
    assert result.exit_code == 2
    assert "--mode does not go with --json" in result.stderr


def test_a_field_that_is_found_at_the_first_move_stays_that_field() -> None:
    new = {"rows": 8, "columns": 8, "mines": 10, "no_guess": True, "seed": 4}
    first, again = talk("minesweeper", {"new": new, "move": "3,3"}, {"action": "draw"})
    assert first["cells"] == again["cells"]
    assert first["new"] == again["new"]


def test_a_reply_is_what_the_page_is_told() -> None:
    body = {"new": {"size": 5}, "moves": ["1,1"], "move": "2,1", "picture": False}
    status, text = work.run({"action": "move", "game": "center", "body": body})
    told = json.loads(text)
    told.pop("milliseconds")
    assert status == 200
    assert Conversation(catalogue.game("center")).answer(json.dumps({"action": "move", **body})) == told

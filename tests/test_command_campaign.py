"""``cpsolve campaign``: the library's campaigns, resumed and compared."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve.app.command import app
from models.minesweeper import campaign as library_campaign
from models.minesweeper import compare

SMALL = ("--rows", "5", "--columns", "5", "--mines", "4", "--games", "20", "--seed", "3", "--workers", "1")


def campaign(*args: str) -> Any:
    return CliRunner().invoke(app, ["campaign", *args])


def test_wins_are_those_of_the_library() -> None:
    told = json.loads(campaign(*SMALL, "--agent", "exact", "--json").stdout)["campaigns"]
    result = library_campaign(5, 5, 4, 20, "exact", "safe", seed=3, workers=1)
    assert [(entry["wins"], entry["games"], tuple(entry["interval"])) for entry in told] == [(result.wins, 20, result.interval)]


def test_two_agents_are_compared_on_the_same_boards() -> None:
    told = json.loads(campaign(*SMALL, "--agent", "seed", "--compare", "exact", "--json").stdout)
    both = [library_campaign(5, 5, 4, 20, agent, "safe", seed=3, workers=1) for agent in ("seed", "exact")]
    assert told["comparison"]["difference"] == compare(*both).difference
    assert str(compare(*both)) in campaign(*SMALL, "--agent", "seed", "--compare", "exact").stdout


def test_a_campaign_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first = campaign(*SMALL, "--agent", "exact", "--resume", str(file))
    assert first.exit_code == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 21
    longer = campaign(*SMALL, "--agent", "exact", "--games", "25", "--resume", str(file))
    assert longer.exit_code == 0
    assert file.read_text(encoding="utf-8").splitlines()[:21] == lines
    assert "25 games" in longer.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--agent", "nobody"), "--agent is one of seed, exact, expert, strong, not 'nobody'"),
        (("--level", "easy"), "--level is one of beginner-8x8, beginner, intermediate, expert, not 'easy'"),
        (("--rows", "5"), "all of --rows, --columns and --mines"),
        (("--first-click", "lucky"), "--first-click is one of any, safe, opening"),
        (("--games", "0"), "'--games': 0 is not in the range"),
        (("--agent", "exact", "--compare", "exact"), "another agent"),
        (("--games", "1", "--workers", "0"), "'--workers': 0 is not in the range"),
        (("--games", "1", "--resume", "missing/games.jsonl"), "cannot use missing/games.jsonl"),
        ((*SMALL[:4], "--mines", "99"), "holds 0 to 25 mines"),
    ],
)
def test_bad_input_is_told_without_a_traceback(args: tuple[str, ...], message: str) -> None:
    result = campaign(*args)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


def test_a_limit_reached_is_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["models.minesweeper.campaign"], "GRACE", 600.0)  # however long the first game takes
    result = campaign(*SMALL, "--agent", "exact", "--games", "500", "--workers", "1", "--time-limit", "0", "--json")
    assert result.exit_code == 3
    assert 0 < json.loads(result.stdout)["campaigns"][0]["games"] < 500


def test_a_campaign_without_a_game_in_time_ends_as_a_limit_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["models.minesweeper.campaign"], "GRACE", 0.0)
    large = ("--rows", "30", "--columns", "30", "--mines", "150", "--workers", "1", "--time-limit", "0", "--agent", "seed")
    result = campaign(*large)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "playing a first game: the time limit of 0 s passed" in result.stderr
    result = campaign(*large[:-2], "--agent", "expert", "--compare", "seed", "--json")
    assert result.exit_code == 3
    assert [each["agent"] for each in json.loads(result.stdout)["campaigns"]] == ["expert"]


def test_a_file_of_another_campaign_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    campaign(*SMALL, "--agent", "exact", "--resume", str(file))
    result = campaign(*SMALL, "--agent", "seed", "--resume", str(file))
    assert result.exit_code == 2
    assert "is of another run" in result.stderr

"""``cpsolve play``: the options reach the game that has them; what was not given is left for the game to ask."""

from __future__ import annotations

from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve.app.command import app
from cpsolve.app.terminal import loop
from cpsolve.catalogue import Game


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the game on the terminal was called with, in place of the game."""
    options: dict[str, Any] = {}

    def play_game(game: Game, **given: Any) -> int:
        options.update(game=game.name, **given)
        return 7

    monkeypatch.setattr(loop, "play_game", play_game)
    return options


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (["center"], {"game": "center"}),
        (["center", "--size", "7", "--level", "2", "--seed", "1"], {"game": "center", "size": 7, "level": 2, "seed": 1}),
        (["four_in_a_line", "--mode", "person-computer"], {"game": "four-in-a-line", "mode": "person-computer"}),
        (["minesweeper", "--level", "expert", "--first-click", "safe"], {"game": "minesweeper", "level": "expert", "first_click": "safe"}),
        (["minesweeper", "--rows", "4", "--columns", "5", "--mines", "3"], {"game": "minesweeper", "rows": 4, "columns": 5, "mines": 3}),
    ],
)
def test_the_game_gets_the_options_given_and_its_exit_code_is_passed_on(
    args: list[str], options: dict[str, Any], called: dict[str, Any]
) -> None:
    assert CliRunner().invoke(app, ["play", *args]).exit_code == 7
    assert called == options


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["pacman"], "cpsolve solve pacman --animate"),
        (["chess"], "there is no game 'chess'"),
        (["center", "--mines", "3"], "No such option: --mines"),
        (["minesweeper", "--mode", "person-person"], "No such option: --mode"),
        (
            ["center", "--mode", "robots"],
            "--mode is one of person-person, person-computer, computer-computer, computer-person, not 'robots'",
        ),
        (["center", "--level", "99"], "--level is one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
        (["minesweeper", "--level", "9"], "--level is one of beginner-8x8, beginner, intermediate, expert, not '9'"),
        (["minesweeper", "--first-click", "lucky"], "--first-click is one of"),
    ],
)
def test_options_that_a_game_does_not_have_are_bad_input(args: list[str], message: str, called: dict[str, Any]) -> None:
    result = CliRunner().invoke(app, ["play", *args])
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert called == {}

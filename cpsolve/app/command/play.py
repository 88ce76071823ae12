"""``cpsolve play GAME``: the games for people, on the terminal."""

from __future__ import annotations

import sys
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import GameGroup, make
from cpsolve.app.command.outcome import BadInput
from cpsolve.catalogue import Game, Option

EXAMPLES = ("cpsolve play GAME", "cpsolve play GAME --help")
JSON = Option("json", "For scripts: a line of JSON after every line typed.", bool)


class Play(GameGroup):
    """``cpsolve play``: a command per game that can be played."""

    def command_of(self, game: str) -> Any:
        """``cpsolve play GAME``, with what can be chosen beforehand."""
        found = catalogue.game(game)
        if found.play is None:
            film = f": cpsolve solve {game} --animate shows it" if found.animated else ""
            raise BadInput(f"{game} is not played at a terminal{film}")
        lines = found.play.examples or (f"cpsolve play {game}",)
        summary = f"{found.title}: {found.summary} What is not given is asked."
        return make(game, lambda **values: _run(found, **values), summary, (*found.play.options, JSON), lines)


def _run(game: Game, json: bool, **values: Any) -> None:
    if sys.stdin is None:
        raise BadInput("standard input is closed: moves are typed there")
    from cpsolve.app.terminal.loop import play_game

    raise typer.Exit(play_game(game, json, **{name: value for name, value in values.items() if value is not None}))

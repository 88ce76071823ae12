"""``cpsolve play GAME``: the games for people, on the terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import GameGroup, make
from cpsolve.app.command.outcome import BadInput, load
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
        source = None
        if found.play.read is not None:
            names = f"; or one with a name: {', '.join(found.instances())}" if found.instances() else ""
            source = Option("source", f"Begin from this file{names}. Without it: a new game.", metavar="FILE", choices=found.instances)
        return make(game, lambda **values: _run(found, **values), summary, (*found.play.options, JSON), lines, source)


def _run(game: Game, json: bool, source: str | None = None, **values: Any) -> None:
    if sys.stdin is None:
        raise BadInput("standard input is closed: moves are typed there")
    if source == "-":
        raise BadInput("moves are typed on standard input: give the beginning as a file")
    from cpsolve.app.terminal.loop import play_game

    how = game.play
    given = {name: value for name, value in values.items() if value is not None and value is not False}
    if source is not None and how is not None and how.read is not None:
        options = tuple(option for option in how.options if option.name in how.read_options)
        reader = replace(game, read=how.read, read_options=options)
        given["instance"] = load(reader, source, {option.name: given.pop(option.name, None) for option in options})
    raise typer.Exit(play_game(game, json, **given))

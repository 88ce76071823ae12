"""``cpsolve play GAME``: the games for people, on the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import GameGroup, make
from cpsolve.app.command.outcome import BadInput, load, read
from cpsolve.catalogue import Game, Option

EXAMPLES = ("cpsolve play GAME", "cpsolve play GAME --help")
BOTH_SIDES = "person-person"
"""The mode that a program plays in anyway: it makes the moves of both sides, or asks for them."""
JSON = Option("json", "For programs: an object of JSON per line, each way (docs/protocol.md).", bool)


class Play(GameGroup):
    """``cpsolve play``: a command per game that can be played."""

    def has(self, game: str) -> bool:
        """Whether it is played at a terminal."""
        return catalogue.game(game).play is not None

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
    how = game.play
    given = {name: value for name, value in values.items() if value is not None and value is not False}
    if json:
        _talk(game, source, given)
        return
    from cpsolve.app.terminal.loop import play_game

    if source is not None and how is not None and how.read is not None:
        options = tuple(option for option in how.options if option.name in how.read_options)
        reader = replace(game, read=how.read, read_options=options)
        given["instance"] = load(reader, source, {option.name: given.pop(option.name, None) for option in options})
    raise typer.Exit(play_game(game, **given))


def _talk(game: Game, source: str | None, given: dict[str, Any]) -> None:
    """Speaks the protocol: whoever writes the lines makes the moves, and asks for those of the computer."""
    from cpsolve.app.protocol import Conversation, serve

    new = {option.name: given.pop(option.name) for option in game.interaction.new_options if option.name in given}
    names = [name for name in game.interaction.named_levels if given.pop(name, False)]
    if given.get("mode") == BOTH_SIDES:
        del given["mode"]
    level, seed = next(iter(names), given.pop("level", None)), given.pop("seed", None)
    if given:
        raise BadInput(f"--{next(iter(given)).replace('_', '-')} does not go with --json: who moves, and when, is said line by line")
    if source is not None and new:
        raise BadInput(f"the position says what is played: leave --{next(iter(new)).replace('_', '-')} out")
    start = _position(game, source) if source is not None else {"new": new} if game.interaction.new is not None else None
    serve(Conversation(game, start, level, seed))


def _position(game: Game, source: str) -> dict[str, Any]:
    """Where a game begins, as a request says it: a named instance, or a text."""
    if source in game.instances() and not os.path.isfile(source):
        return {"named": source}
    return {"instance": source if game.inline(source) else read(source, game.instances())}

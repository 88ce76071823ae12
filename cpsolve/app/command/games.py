"""``cpsolve games``: what is installed, and what can be asked of each game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import completing
from cpsolve.app.command.output import console, give, say
from cpsolve.catalogue import Game

EXAMPLES = ("cpsolve games", "cpsolve games --json")


def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this one.", autocompletion=completing(catalogue.games))] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Plain data for scripts.")] = False,
) -> None:
    """List the installed games, their instances and methods."""
    from rich.table import Table

    found = [catalogue.game(each) for each in (catalogue.games() if name is None else [name])]
    if as_json:
        give([_data(game) for game in found])
        return
    if not found:
        say("no game is installed")
        return
    table = Table(title="Games")
    for column in ("name", "what it is", "instances", "methods", "played"):
        table.add_column(column, overflow="fold")
    for game in found:
        table.add_row(game.name, game.summary, ", ".join(game.instances()), ", ".join(game.methods()), "yes" if game.play else "")
    console().print(table)
    for game in found if name else ():
        if game.rules:
            say(game.rules)


def _data(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rules": game.rules,
        "instances": list(game.instances()),
        "methods": dict(game.methods()),
        "formats": list(game.writers),
        "played": game.play is not None,
    }

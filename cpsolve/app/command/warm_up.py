"""``cpsolve warm-up``: everything compiled now, so that nothing has to be later."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import completing
from cpsolve.app.command.output import say, working
from cpsolve.words import duration

EXAMPLES = ("cpsolve warm-up",)


def warm_up(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Only these games.", autocompletion=completing(catalogue.games)),
    ] = None,
) -> None:
    """Compile what the games need for this machine, once."""
    from cpsolve.app.warming import warm_up as warm

    for name in games or catalogue.games():
        start = time.perf_counter()
        with working(f"compiling {name}"):
            compiled = warm(name)
        say(
            f"{catalogue.game(name).name}: ready after {duration(time.perf_counter() - start)}"
            if compiled
            else f"{name}: nothing to compile"
        )

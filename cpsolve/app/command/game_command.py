"""Commands that single games bring along: found like the games, by entry point, and loaded when they are run."""

from __future__ import annotations

from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import HTML, JSON, SVG, make
from cpsolve.app.command.outcome import load
from cpsolve.app.command.output import check_files, deliver, give_unknown, working
from cpsolve.catalogue import Command, Option
from cpsolve.errors import LimitError
from cpsolve.limits import Deadline


def command_named(name: str) -> Any:
    """The command of that name, with its game's options."""
    found = catalogue.command(name)
    argument = Option("source", found.argument, metavar=found.metavar) if found.argument else None
    options = (*found.read_options, *found.options, *((SVG, HTML) if found.drawn else ()), JSON)
    return make(found.name, lambda **values: _run(found, **values), found.summary, options, found.examples, argument)


def _run(command: Command, json: bool, source: str | None = None, svg: str | None = None, html: str | None = None, **values: Any) -> None:
    given = {option.name: values[option.name] for option in command.options}
    chosen = {name: value for name, value in given.items() if value is not None and value is not False}  # but 0 is a value
    check_files({"svg": svg, "html": html}, json)
    try:
        if command.argument:  # reading is part of the time that is given
            with Deadline(chosen.get("time_limit")).watched(), working(command.name):
                instance = load(command, source, {option.name: values[option.name] for option in command.read_options})
                answer = command.run(instance, **chosen)
        else:
            with working(command.name):
                answer = command.run(**chosen)
    except LimitError as limit:
        if not json:
            raise
        raise typer.Exit(give_unknown(command.game, limit)) from limit
    deliver(answer, command.name, {"svg": svg, "html": html}, json)
    raise typer.Exit(int(answer.outcome))

"""``cpsolve solve GAME``: one instance of one game, from a file or the game's own, in the form that was asked for."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import islice
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import JSON, SVG, TIME_LIMIT, GameGroup, make
from cpsolve.app.command.outcome import LIMIT_REACHED, NO_SOLUTION, SOLVED, BadInput, load, note
from cpsolve.app.command.screen import animate, deliver, give, give_unknown, say, working
from cpsolve.catalogue import Game, Option
from cpsolve.errors import DiagramTooWide, TimeLimitError
from cpsolve.words import counted

EXAMPLES = ("cpsolve solve GAME", "cpsolve solve GAME --help", "cpsolve solve GAME FILE --json")
DELAY = 0.25
"""Seconds between two pictures of a film."""

CHECK = Option("check", "Have a small instance answered once more by an independent solver.", bool)
COUNT = Option("count", "Only the number of solutions.", bool)
EVERY = (
    Option("all", "Every solution, as it is found.", bool),
    Option("most", "With --all: stop after that number.", int, "N", least=1),
)
ANIMATE = (
    Option("animate", "Show the moves one by one on the terminal.", bool),
    Option("delay", "With --animate: the time between moves.", float, "SECONDS", least=0.0),
)


class Solve(GameGroup):
    """``cpsolve solve``: a command per game."""

    def command_of(self, game: str) -> Any:
        """``cpsolve solve GAME``, with that game's options."""
        return solving(catalogue.game(game))


def solving(game: Game) -> Any:
    """The command that solves a game."""
    methods = game.methods()
    words = "; ".join(f"{name} ({summary})" if summary else name for name, summary in methods.items())
    method = (Option("method", f"How: {words}. The first unless one is given.", metavar="METHOD"),) if methods else ()
    options = (
        *method,
        TIME_LIMIT,
        CHECK,
        *((COUNT,) if game.count else ()),
        *(EVERY if game.every else ()),
        *(ANIMATE if game.animated else ()),
        *game.read_options,
        *game.solve_options,
        SVG,
        JSON,
    )
    names = ", ".join(game.instances())
    source = Option(
        "source",
        f"The instance in a file, - for standard input{f'; or one with a name: {names}' if names else ''}. Without it: the game's own.",
        metavar="FILE",
        choices=game.instances,
    )
    lines = game.examples or (f"cpsolve solve {game.name}",)
    command = make(game.name, lambda **values: _run(game, **values), f"{game.title}: {game.summary}", options, lines, source)
    for parameter in command.params:
        if parameter.name == "method":  # completed like a choice, but refused in words of its own
            parameter._custom_shell_complete = lambda ctx, param, incomplete: [m for m in methods if m.startswith(incomplete)]
    return command


def _run(game: Game, **values: Any) -> None:
    _check(game, values)
    try:
        code = _answer(game, values)
    except (TimeLimitError, DiagramTooWide) as limit:
        if not values["json"]:
            raise
        code = give_unknown(game.name, limit)
    raise typer.Exit(code)


EXCLUDES = {"all": ("count", "animate", "svg", "method", "check"), "count": ("animate", "svg"), "animate": ("json", "svg")}


def _check(game: Game, values: dict[str, Any]) -> None:
    """BadInput for a method that the game does not know, or options that exclude each other."""
    methods = game.methods()
    given = {name for name, value in values.items() if value not in (None, False)}
    if values.get("method") is not None and values["method"] not in methods:
        raise BadInput(f"{game.name} has no method {values['method']!r}; it has {', '.join(methods)}")
    if values["time_limit"] is not None and not values["time_limit"] >= 0:
        raise BadInput(f"--time-limit takes seconds, 0 or more, not {values['time_limit']:g}")
    for one, others in EXCLUDES.items():
        for other in others:
            if {one, other} <= given:
                raise BadInput(f"give --{one} or --{other}, not both")
    for only, needed in (("most", "all"), ("delay", "animate")):
        if only in given and needed not in given:
            raise BadInput(f"--{only} needs --{needed}")


def _answer(game: Game, values: dict[str, Any]) -> int:
    instance = load(game, values["source"], {option.name: values[option.name] for option in game.read_options})
    method = {"method": values["method"]} if values.get("method") is not None else {}
    chosen = {option.name: values[option.name] for option in game.solve_options if values[option.name] is not None}
    check = {"check": True} if values["check"] else {}
    limit = values["time_limit"]
    if values.get("count"):
        return _count(game, instance, limit, values["json"], {**method, **chosen})
    if values.get("all"):
        return _list(game, instance, limit, values)
    with working(f"solving {game.name}"):
        answer = game.solve(instance, time_limit=limit, **check, **method, **chosen)
    if values.get("animate") and answer.frames is not None:
        animate(answer.frames(), DELAY if values["delay"] is None else values["delay"])
        say(*answer.sentences())
    else:
        deliver(answer, values["svg"], values["json"])
    return int(answer.outcome)


def _count(game: Game, instance: Any, limit: float | None, as_json: bool, options: dict[str, Any]) -> int:
    assert game.count is not None
    with working(f"counting for {game.name}"):
        number, noun = game.count(instance, time_limit=limit, **options)
    if as_json:
        give({"game": game.name, f"{noun.split()[-1]}s": number})
    else:
        say(counted(number, noun))
    return SOLVED if number else NO_SOLUTION


def _list(game: Game, instance: Any, limit: float | None, values: dict[str, Any]) -> int:
    """Every solution as it is found: one line each, or the elements of one JSON list."""
    assert game.every is not None
    number, stopped = 0, ""
    with closing(game.every(instance, time_limit=limit)) as found:  # type: ignore[type-var]
        try:
            for each in islice(found, values["most"]):
                number += 1
                if values["json"]:
                    typer.echo(("[\n" if number == 1 else ",\n") + json.dumps(dict(each.data)), nl=False)
                else:
                    typer.echo(each.line)
        except TimeLimitError as error:
            stopped = str(error)
    if values["json"]:
        typer.echo("\n]" if number else "[]")
    if stopped:
        note(f"{stopped}; {number:,} came before")
        return LIMIT_REACHED
    if not number and not values["json"]:
        answer = game.solve(instance, time_limit=limit)  # says why there is none
        deliver(answer, None, False)
    return SOLVED if number else NO_SOLUTION

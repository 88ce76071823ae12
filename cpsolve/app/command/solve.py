"""``cpsolve solve GAME``: one instance of one game, from a file or the game's own, in the form that was asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import GIF, HTML, JSON, SVG, TIME_LIMIT, GameGroup, instance_argument, make
from cpsolve.app.command.outcome import LIMIT_REACHED, NO_SOLUTION, SOLVED, BadInput, load, note
from cpsolve.app.command.output import animate, check_files, deliver, give, give_unknown, more_wanted, say, working
from cpsolve.catalogue import Game, Instance, Option
from cpsolve.errors import InfeasibleError, LimitError
from cpsolve.limits import Deadline
from cpsolve.words import counted

EXAMPLES = ("cpsolve solve GAME", "cpsolve solve GAME --help", "cpsolve solve GAME FILE --json")
DELAY = 0.25
"""Seconds between two pictures on the terminal; in a file they stay twice as long."""
MORE = "space: the next one  Enter: no more"
QUICK = 0.1
"""The same for a search, which has many pictures."""

CHECK = Option("check", "Have a small instance answered once more by an independent solver.", bool)
COUNT = Option("count", "Only the number of solutions.", bool)
EVERY = (
    Option("all", "Every solution, as it is found.", bool),
    Option("most", "With --all: stop after that number.", int, "N", least=1),
)
ANIMATE = (
    Option("animate", "Show the moves one by one on the terminal.", bool),
    Option("delay", "With --animate, --html or --gif: the time between pictures.", float, "SECONDS", least=0.0),
    Option("step", "With --svg: the picture after that many moves.", int, "N", least=0),
    GIF,
)
WATCH = Option("watch", "With --animate, --html or --gif: show the search at work, not its plan.", bool)


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
        *((WATCH,) if game.watch else ()),
        *game.read_options,
        *game.solve_options,
        SVG,
        HTML,
        JSON,
    )
    lines = game.examples or (f"cpsolve solve {game.name}",)
    summary = f"{game.title}: {game.summary}"
    command = make(game.name, lambda **values: _run(game, **values), summary, options, lines, instance_argument(game))
    for parameter in command.params:
        if parameter.name == "method":  # completed like a choice, but refused in words of its own
            parameter._custom_shell_complete = lambda ctx, param, incomplete: [m for m in methods if m.startswith(incomplete)]
    return command


def _run(game: Game, **values: Any) -> None:
    _check(game, values)
    try:
        code = _answer(game, values)
    except LimitError as limit:
        if not values["json"]:
            raise
        code = give_unknown(game.name, limit)
    raise typer.Exit(code)


FILES = ("svg", "html", "gif")
EXCLUDES = {
    "all": ("count", *FILES, "method", "check"),
    "count": ("animate", *FILES),
    "animate": ("json", *FILES),
    "watch": ("check",),
    "prolog": ("json", "count", "watch", *FILES),
}
NEEDS = {"most": ("all",), "delay": ("animate", "html", "gif"), "watch": ("animate", "html", "gif"), "step": ("svg",)}
"""Options that mean something only beside one of others."""


def _check(game: Game, values: dict[str, Any]) -> None:
    """BadInput for a method that the game does not know, or options that exclude each other."""
    methods = game.methods()
    given = {name for name, value in values.items() if value is not None and value is not False}
    if values.get("method") is not None and values["method"] not in methods:
        raise BadInput(f"{game.name} has no method {values['method']!r}; it has {', '.join(methods)}")
    for one, others in EXCLUDES.items():
        for other in others:
            if {one, other} <= given:
                raise BadInput(f"give --{one} or --{other}, not both")
    for only, needed in NEEDS.items():
        if only in given and not given & set(needed):
            raise BadInput(f"--{only} needs {' or '.join(f'--{name}' for name in needed)}")
    if "delay" in given and "animate" not in given and not values["delay"] > 0:
        raise BadInput("a picture of a film is shown for some time: give --delay more than 0")
    check_files({kind: values.get(kind) for kind in FILES}, values["json"])


def _answer(game: Game, values: dict[str, Any]) -> int:
    reader = replace(game, read=game.reads.get(values.get("method") or "", game.read))
    deadline = Deadline(values["time_limit"])  # reading is part of the time that is given
    with deadline.watched():
        instance = load(reader, values["source"], {option.name: values[option.name] for option in game.read_options})
    method = {"method": values["method"]} if values.get("method") is not None else {}
    chosen = {option.name: values[option.name] for option in game.solve_options if values[option.name] not in (None, False)}
    check = {"check": True} if values["check"] else {}
    limit = values["time_limit"]
    if values.get("count"):
        return _count(game, instance, deadline, limit, values["json"], {**method, **chosen, **check})
    if values.get("all"):
        return _list(game, instance, deadline.left(), values, chosen)
    ask = game.watch if values.get("watch") and game.watch else game.solve
    with deadline.watched(), working(f"solving {game.name}"):
        answer = ask(instance, time_limit=limit, **check, **method, **chosen)
    if game.verify is not None and game.interaction.write is not None and values.get("method") not in game.reads:
        answer = replace(answer, data=partial(_with_instance, answer.data, game.interaction.write, instance))
    film = answer.texts or answer.frames
    if values.get("animate") and film is not None:
        animate(film(), DELAY if values["delay"] is None else values["delay"])
        say(*answer.sentences())
    else:
        files = {kind: values.get(kind) for kind in FILES}
        seconds = values.get("delay") or (QUICK if values.get("watch") else 2 * DELAY)
        deliver(answer, game.title, files, values["json"], values.get("step"), seconds)
    return int(answer.outcome)


def _with_instance(data: Callable[[], Mapping[str, Any]], write: Callable[[Any], Instance], instance: Any) -> Mapping[str, Any]:
    """An answer together with what was asked: all that it takes to verify it."""
    return {**data(), "instance": write(instance).data()}


def _count(game: Game, instance: Any, deadline: Deadline, limit: float | None, as_json: bool, options: dict[str, Any]) -> int:
    assert game.count is not None
    number = 0
    data: dict[str, Any] = {"game": game.name}
    try:
        with deadline.watched(), working(f"counting for {game.name}"):
            number, noun, opinion = game.count(instance, time_limit=limit, **options)
    except InfeasibleError as error:
        if not as_json:
            raise
        data |= {"status": "infeasible", "reason": str(error)}
    else:
        data |= {f"{noun.split()[-1]}s": number, "checked": opinion.backend}
        if not as_json:
            say(counted(number, noun), *([opinion.note] if opinion.note else []))
    if as_json:
        if game.verify is not None and game.interaction.write is not None:
            data["instance"] = game.interaction.write(instance).data()
        give(data)
    return SOLVED if number else NO_SOLUTION


def _list(game: Game, instance: Any, limit: float | None, values: dict[str, Any], options: dict[str, Any]) -> int:
    """Every solution as it is found: one line each, one film each, or the elements of one JSON list."""
    assert game.every is not None
    number, stopped, ended = 0, "", False
    write = game.interaction.write if game.verify is not None else None
    delay = DELAY if values.get("delay") is None else values["delay"]
    with closing(game.every(instance, time_limit=limit, **options)) as found:  # type: ignore[type-var]
        try:
            for each in islice(found, None if values["most"] is None else min(values["most"], sys.maxsize)):
                if each.data is None:
                    ended = True
                    if not values["json"] and not values.get("animate"):
                        typer.echo(each.line)
                    continue
                number += 1
                if values.get("animate") and each.frames is not None:
                    animate(each.frames(), delay)
                    if not more_wanted(MORE):
                        break
                elif values["json"]:
                    asked = {"game": game.name, "instance": write(instance).data()} if number == 1 and write is not None else {}
                    typer.echo(("[\n" if number == 1 else ",\n") + json.dumps({**each.data, **asked}, allow_nan=False), nl=False)
                else:
                    typer.echo(each.line)
        except LimitError as error:
            stopped = str(error)
    if values["json"]:
        typer.echo("\n]" if number else "[]")
    if stopped:
        note(f"{stopped}; {number:,} came before")
        return LIMIT_REACHED
    if not number and not values["json"] and not ended:
        answer = game.solve(instance, time_limit=limit)  # says why there is none
        deliver(answer, game.title, {}, False)
    return SOLVED if number else NO_SOLUTION

"""Commands made of descriptions: a game's options become the options of a command, when that command is first asked for.

``cpsolve solve`` and ``cpsolve play`` are groups with one command per game. Listing the games loads none; a game is loaded when its own
command is run, completed or asked for help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cpsolve import catalogue
from cpsolve.app.command.outcome import BadInput
from cpsolve.catalogue import Game, Option
from cpsolve.errors import ModelError

TYPER = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}
CONTEXT = {"help_option_names": ["-h", "--help"]}

JSON = Option("json", "Plain data for scripts.", bool)
SVG = Option("svg", "Write the picture as SVG too (- for standard output).", metavar="FILE")
HTML = Option("html", "Write a page that plays the film, or shows the picture: one file, no network.", metavar="FILE")
GIF = Option("gif", "Write the film as GIF (needs cpsolve[images]).", metavar="FILE")
TIME_LIMIT = Option("time_limit", "Stop after that time (exit code 3).", float, "SECONDS", least=0.0)


def examples(lines: Sequence[str]) -> str:
    """The last lines of a command's help; \b keeps them as they are."""
    return "\b\n" + "\n".join(f"Example: {line}" for line in lines)


def completing(choices: Callable[[], Iterable[Any]]) -> Callable[[str], list[str]]:
    """What a shell offers for an option, of choices that are looked up only then.

    >>> completing(lambda: ("left", "right"))("l")
    ['left']
    """

    def complete(incomplete: str) -> list[str]:
        return [str(choice) for choice in choices() if str(choice).startswith(incomplete)]

    return complete


def make(
    name: str, run: Callable[..., None], summary: str, options: Sequence[Option], lines: Sequence[str], argument: Option | None = None
) -> Any:
    """A command that calls ``run`` with the values of its options by name; None for those not given."""
    names = [option.name for option in options]
    if twice := {each for each in names if names.count(each) > 1}:
        raise ModelError(f"{name} has the option {', '.join(sorted(twice))} twice")

    def call(**values: Any) -> None:
        for option in options:
            option.check(values[option.name])
        run(**values)

    parameters = [] if argument is None else [_parameter(argument, _argument(argument))]
    parameters += [_parameter(option, _option(option)) for option in options]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.__doc__ = summary
    application = typer.Typer(**TYPER)  # type: ignore[arg-type]
    application.command(name, epilog=examples(lines) if lines else None, context_settings=CONTEXT)(call)
    return typer.main.get_command(application)


def _parameter(option: Option, declared: Any) -> inspect.Parameter:
    kind = bool if option.kind is bool else option.kind | None
    default = False if option.kind is bool else None
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


def _option(option: Option) -> Any:
    complete = None if option.choices is None else completing(option.choices)
    if option.kind is bool:
        return typer.Option(option.flag, help=option.help)
    return typer.Option(option.flag, metavar=option.metavar or None, help=option.help, min=option.least, autocompletion=complete)


def _argument(option: Option) -> Any:
    complete = None if option.choices is None else completing(option.choices)
    return typer.Argument(metavar=option.metavar or None, help=option.help, autocompletion=complete)


def instance_argument(game: Game) -> Option:
    """The argument that says which instance of a game."""
    names = ", ".join(game.instances())
    known = f"; or one with a name: {names}" if names else ""
    told = f"The instance in a file, - for standard input{known}. Without it: the game's own."
    return Option("source", told, metavar="FILE", choices=game.instances)


class GameGroup(TyperGroup):
    """A command with one command below it per game; a subclass says what that is in ``command_of``."""

    def command_of(self, game: str) -> Any:
        """The command of one game."""
        raise NotImplementedError

    def has(self, game: str) -> bool:
        """Whether a game has this command; a subclass that asks the game loads it."""
        return True

    def games(self) -> list[str]:
        """The games that have this command, and those that cannot be loaded, which say so themselves: for the help and for shells."""
        found = []
        for game in catalogue.games():
            try:
                there = self.has(game)
            except ModelError:
                there = True
            found += [game] if there else []
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the games that have it."""
        return self.games()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a game, however its name is written; None when there is no such game."""
        name = catalogue.key(cmd_name)
        return self.command_of(name) if name in catalogue.games() else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words ask for."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            raise BadInput(f"there is no game {args[0]!r}; there are {', '.join(catalogue.games()) or 'none installed'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The names alone: a word on each would mean loading them all."""
        with formatter.section("Games"):
            formatter.write_text(", ".join(self.games()))

"""The names that several commands take, what a shell completes them to, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from cpsolve.app.command.outcome import BadInput

GAMES = ("pacman", "busy-police", "minesweeper", "four-in-a-line", "center")
WALKS = ("pacman", "busy-police")
TERMINAL_GAMES = ("center", "four-in-a-line", "minesweeper")
FIRST_CLICKS = ("any", "safe", "opening")


def game(text: str) -> str:
    """The name of a game as written here, whatever its case and with underscores for dashes.

    >>> game("Four_in_a_line")
    'four-in-a-line'
    """
    name = text.lower().replace("_", "-")
    if name not in GAMES:
        raise typer.BadParameter(f"there is no game {text!r}; there are {', '.join(GAMES)}")
    return name


def completing(choices: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What a shell offers for an option, of choices that are looked up only then.

    >>> completing(lambda: GAMES)("p")
    ['pacman']
    """

    def complete(incomplete: str) -> list[str]:
        return [choice for choice in choices() if choice.startswith(incomplete)]

    return complete


def methods(name: str) -> tuple[str, ...]:
    """The methods that a game can be solved by; the first is taken when none is given.

    >>> methods("center")
    ('exact', 'dfs')
    """
    if name in WALKS:
        from cpsolve.puzzles.walks import METHODS

        return METHODS
    if name == "minesweeper":
        return ("exact", "dfs", *(agent for agent in agents() if agent != "exact"))
    return ("exact", "dfs")


def agents() -> tuple[str, ...]:
    """The players of Minesweeper."""
    from models.minesweeper import AGENTS

    return tuple(AGENTS)


def levels() -> tuple[str, ...]:
    """The usual boards of Minesweeper."""
    from models.minesweeper import LEVELS

    return tuple(LEVELS)


def check_first_click(text: str) -> None:
    """BadInput unless this is a rule for the first click.

    >>> check_first_click("lucky")
    Traceback (most recent call last):
    cpsolve.app.command.outcome.BadInput: --first-click is one of any, safe, opening, not 'lucky'
    """
    if text not in FIRST_CLICKS:
        raise BadInput(f"--first-click is one of {', '.join(FIRST_CLICKS)}, not {text!r}")


def check_level(text: str) -> None:
    """BadInput unless this is one of the usual boards of Minesweeper."""
    if text not in levels():
        raise BadInput(f"there is no level {text!r}; there are {', '.join(levels())}")


def instances(name: str) -> tuple[str, ...]:
    """The instances of a game that have a name.

    >>> instances("pacman")
    ('seed',)
    """
    if name == "pacman":
        from models.pacman import BOARDS

        return tuple(BOARDS)
    if name == "busy-police":
        from models.busy_police import SCENES

        return tuple(SCENES)
    return ()


def complete_method(ctx: typer.Context, incomplete: str) -> list[str]:
    """The methods of the game on the command line."""
    chosen = _chosen(ctx)
    return [method for method in (methods(chosen) if chosen else ()) if method.startswith(incomplete)]


def complete_instance(ctx: typer.Context, incomplete: str) -> list[str]:
    """The named instances of the game on the command line; a shell completes files by itself."""
    chosen = _chosen(ctx)
    return [instance for instance in (instances(chosen) if chosen else ()) if instance.startswith(incomplete)]


def _chosen(ctx: typer.Context) -> str | None:
    """The game on a command line that is not complete: behind an option without its value, arguments are words not read yet."""
    words = [ctx.params.get("name") or "", *ctx.args]
    return next((name for name in (word.lower().replace("_", "-") for word in words) if name in GAMES), None)


Game = Annotated[str, typer.Argument(metavar="GAME", parser=game, help=", ".join(GAMES) + ".", autocompletion=completing(lambda: GAMES))]
Json = Annotated[bool, typer.Option("--json", help="Plain data for scripts.")]
Svg = Annotated[str | None, typer.Option("--svg", metavar="FILE", help="Write the picture as SVG too (- for standard output).")]

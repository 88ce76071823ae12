"""``cpsolve play``: the games for people, on the terminal."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from cpsolve.app.command.options import FIRST_CLICKS, TERMINAL_GAMES, check_first_click, check_level, completing, game, levels
from cpsolve.app.command.outcome import BadInput

EXAMPLES = (
    "cpsolve play center --size 5 --mode person-computer --level 2",
    "cpsolve play four-in-a-line",
    "cpsolve play minesweeper --level beginner",
)
MODES = ("person-person", "person-computer", "computer-computer")
_OPTIONS = {
    "center": ("mode", "size", "level", "seed"),
    "four-in-a-line": ("mode", "level", "seed"),
    "minesweeper": ("level", "rows", "columns", "mines", "first_click", "seed"),
}


def _playable(text: str) -> str:
    name = game(text)
    if name not in TERMINAL_GAMES:
        raise typer.BadParameter(f"{name} is a puzzle for one: cpsolve solve {name} --animate shows it; to play there are "
                                 f"{', '.join(TERMINAL_GAMES)}")  # fmt: skip
    return name


def play(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME", parser=_playable, help=", ".join(TERMINAL_GAMES) + ".", autocompletion=completing(lambda: TERMINAL_GAMES)
        ),
    ],
    mode: Annotated[
        str | None, typer.Option(metavar="MODE", help=f"Who plays: {', '.join(MODES)}.", autocompletion=completing(lambda: MODES))
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="How strong the computer is, 1 to 3; for minesweeper the board, such as beginner.",
            autocompletion=completing(lambda: ("1", "2", "3", *levels())),
        ),
    ] = None,
    size: Annotated[int | None, typer.Option(metavar="N", help="The side of the board (center).")] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="Rows of the board (minesweeper).")] = None,
    columns: Annotated[int | None, typer.Option(metavar="N", help="Columns of the board (minesweeper).")] = None,
    mines: Annotated[int | None, typer.Option(metavar="N", help="Mines on the board (minesweeper).")] = None,
    first_click: Annotated[
        str | None,
        typer.Option(
            metavar="CLICK",
            help="What the first cell may be (minesweeper): any, safe, opening.",
            autocompletion=completing(lambda: FIRST_CLICKS),
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Makes the computer's moves and the mines repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts: a line of JSON after every line typed.")] = False,
) -> None:
    """Play a game on the terminal; what is not given is asked."""
    board = {"size": size, "rows": rows, "columns": columns, "mines": mines, "first_click": first_click}
    given: dict[str, Any] = {"mode": mode, "level": level, "seed": seed, **board}
    options = {option: value for option, value in given.items() if value is not None}
    for option in options:
        if option not in _OPTIONS[name]:
            raise BadInput(f"{name} has no --{option.replace('_', '-')}; it has --{', --'.join(_OPTIONS[name]).replace('_', '-')}")
    if mode is not None and mode not in MODES:
        raise BadInput(f"there is no mode {mode!r}; there are {', '.join(MODES)}")
    if first_click is not None:
        check_first_click(first_click)
    if level is not None:
        options["level"] = _level(name, level)
    if sys.stdin is None:
        raise BadInput("standard input is closed: moves are typed there")
    terminal = import_module(f"models.{name.replace('-', '_')}.terminal")
    raise typer.Exit(terminal.main(**options, as_json=as_json))


def _level(name: str, level: str) -> int | str:
    if name == "minesweeper":
        check_level(level)
        return level
    if level not in ("1", "2", "3"):
        raise BadInput(f"the levels of {name} are 1, 2 and 3, not {level!r}")
    return int(level)

"""``cpsolve solve``: one instance of one game, from a file or the seed's own."""

from __future__ import annotations

from typing import Annotated

import typer

from cpsolve.app.command.options import Game, Json, Svg, complete_instance, complete_method
from cpsolve.app.command.request import Request, check
from cpsolve.app.command.screen import give_unknown
from cpsolve.errors import DiagramTooWide, TimeLimitError

EXAMPLES = (
    "cpsolve solve pacman params.pl --animate",
    "cpsolve solve busy-police ambiente1 --method dfs",
    "cpsolve solve four-in-a-line 4453",
    "cpsolve solve center 5 --json",
)


def solve(
    name: Game,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="The instance in the game's format, - for standard input; or its name (ambiente1), moves (4453), a size (5). "
            "Without it: the seed's own.",
            autocompletion=complete_instance,
        ),
    ] = None,
    method: Annotated[
        str | None, typer.Option(metavar="METHOD", help="How to solve it; dfs is naive search.", autocompletion=complete_method)
    ] = None,
    time_limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="Stop after so long (exit code 3).")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every acyclic path, as it is found (pacman, busy-police).")] = False,
    count: Annotated[bool, typer.Option("--count", help="Only the number of paths, or of fields that fit.")] = False,
    most: Annotated[int | None, typer.Option(metavar="N", min=1, help="With --all: stop after so many.")] = None,
    animate: Annotated[bool, typer.Option("--animate", help="Walk on the terminal (pacman, busy-police).")] = False,
    delay: Annotated[float | None, typer.Option(metavar="SECONDS", min=0.0, help="With --animate: the time between moves.")] = None,
    officer: Annotated[str | None, typer.Option(metavar="COLUMN,FLOOR", help="Where the officer starts (busy-police).")] = None,
    fugitive: Annotated[str | None, typer.Option(metavar="COLUMN,FLOOR", help="Where the fugitive is (busy-police).")] = None,
    mines: Annotated[int | None, typer.Option(metavar="N", help="How many mines there are (minesweeper).")] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="Rows of a jogo.pl that is not square (minesweeper).")] = None,
    columns: Annotated[int | None, typer.Option(metavar="N", help="Columns of a jogo.pl that is not square (minesweeper).")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The luck of an agent that plays a mina.pl (minesweeper).")] = None,
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Solve one instance of a game, check it by the rules, draw it."""
    request = Request(
        name, source, method, time_limit, every, count, most, animate, delay, officer, fugitive, mines, rows, columns, seed, svg, as_json
    )
    check(request)
    try:
        code = _answer(request)
    except (TimeLimitError, DiagramTooWide) as limit:
        if not as_json:
            raise
        code = give_unknown(name, limit)
    raise typer.Exit(code)


def _answer(request: Request) -> int:
    if request.name == "minesweeper":
        from cpsolve.app.command.fields import solve_field

        return solve_field(request)
    if request.name == "four-in-a-line":
        from cpsolve.app.command.positions import solve_four

        return solve_four(request)
    if request.name == "center":
        from cpsolve.app.command.positions import solve_center

        return solve_center(request)
    from cpsolve.app.command.walks import solve_walk

    return solve_walk(request)

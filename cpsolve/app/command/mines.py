"""``cpsolve mines``: what follows from a Minesweeper board, drawn, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from cpsolve.app.command.options import Json, Svg
from cpsolve.app.command.outcome import BadInput, pair

EXAMPLES = ("cpsolve mines board.txt --mines 10", "printf '001-\\n001-\\n113-\\n----' | cpsolve mines - --mines 3 --why 4,2")


def mines(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The board: one line a row, - covered, 0 to 8 open, F flagged.")],
    number: Annotated[int | None, typer.Option("--mines", metavar="N", help="How many mines there are (otherwise not known).")] = None,
    why: Annotated[str | None, typer.Option(metavar="ROW,COL", help="Tell why this cell is safe or a mine.")] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="The number of rows of a jogo.pl whose board is not square.")] = None,
    columns: Annotated[int | None, typer.Option(metavar="N", help="The number of columns of a jogo.pl whose board is not square.")] = None,
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Draw the exact probability of a mine in every covered cell."""
    from cpsolve.app.command.fields import read_board, tell
    from models.minesweeper import Field

    board = read_board(source, number, rows, columns)
    if isinstance(board, Field):
        raise BadInput("this file tells where the mines are: let an agent play it with cpsolve solve minesweeper FILE")
    raise typer.Exit(tell(board, svg, as_json, None if why is None else pair(why, "--why", "ROW,COL")))

"""``cpsolve campaign``: how often an agent wins at Minesweeper, or which of two is better on the same boards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from cpsolve.app.command.options import FIRST_CLICKS, Json, agents, check_first_click, check_level, completing, levels
from cpsolve.app.command.outcome import BadInput, trouble
from cpsolve.app.command.screen import give, say

if TYPE_CHECKING:
    from models.minesweeper import CampaignResult
    from models.minesweeper.rules import FirstClick

EXAMPLES = (
    "cpsolve campaign --agent expert --level beginner --games 1000",
    "cpsolve campaign --agent seed --compare exact --rows 8 --columns 8 --mines 10 --games 200",
)


def campaign(
    agent: Annotated[
        str,
        typer.Option(metavar="AGENT", help="Who plays.", autocompletion=completing(agents)),
    ] = "expert",
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Compare with this agent on the same boards.",
            autocompletion=completing(agents),
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="The board: beginner-8x8, beginner, intermediate, expert.", autocompletion=completing(levels)),
    ] = None,
    rows: Annotated[int | None, typer.Option(metavar="N", help="Rows, instead of a level.")] = None,
    columns: Annotated[int | None, typer.Option(metavar="N", help="Columns, instead of a level.")] = None,
    mines: Annotated[int | None, typer.Option(metavar="N", help="Mines, instead of a level.")] = None,
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 100,
    first_click: Annotated[
        str,
        typer.Option(
            metavar="CLICK", help="What the first cell may be: any, safe, opening.", autocompletion=completing(lambda: FIRST_CLICKS)
        ),
    ] = "safe",
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same games.")] = 0,
    workers: Annotated[int | None, typer.Option(metavar="N", help="Processes that share the work (default: all cores).")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep every game in this file, and go on from those that it holds.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Let an agent play many games of Minesweeper and count its wins."""
    from models.minesweeper import campaign as run
    from models.minesweeper import compare as compared

    size = _size(level, rows, columns, mines)
    check_first_click(first_click)
    for name in (agent, compare):
        if name is not None and name not in agents():
            raise BadInput(f"there is no agent {name!r}; there are {', '.join(agents())}")
    if compare == agent:
        raise BadInput(f"--compare takes another agent than {agent!r}")
    if workers is not None and workers < 1:
        raise BadInput(f"--workers takes a number from 1, not {workers}")
    results: list[CampaignResult] = []
    click = cast("FirstClick", first_click)
    for name in [agent] if compare is None else [agent, compare]:
        path = None if resume is None else resume if name == agent else resume.with_name(f"{resume.stem}.{name}{resume.suffix}")
        try:
            results.append(run(*size, games, name, click, seed, workers, path=path, resume=True))
        except OSError as error:
            raise BadInput(f"cannot use {path}: {trouble(error)}") from error
        if not as_json:
            say(str(results[-1]))
    comparison = compared(*results) if compare is not None else None
    if as_json:
        data: dict[str, Any] = {"campaigns": [_data(result) for result in results]}
        if comparison is not None:
            data["comparison"] = {
                "both": comparison.both,
                "only_first": comparison.first,
                "only_second": comparison.second,
                "neither": comparison.neither,
                "difference": comparison.difference,
                "interval": list(comparison.interval),
                "p_value": comparison.p_value,
            }
        give(data)
    elif comparison is not None:
        say(str(comparison))


def _size(level: str | None, rows: int | None, columns: int | None, mines: int | None) -> tuple[int, int, int]:
    from models.minesweeper import LEVELS

    own = (rows, columns, mines)
    if own == (None, None, None):
        name = level or "beginner"
        check_level(name)
        return LEVELS[name].rows, LEVELS[name].columns, LEVELS[name].mines
    if level is not None or rows is None or columns is None or mines is None:
        raise BadInput("give a --level, or all of --rows, --columns and --mines")
    return rows, columns, mines


def _data(result: CampaignResult) -> dict[str, Any]:
    names = ("agent", "rows", "columns", "mines", "first_click", "seed", "games", "wins", "win_rate")
    return {**{name: getattr(result, name) for name in names}, "interval": list(result.interval)}

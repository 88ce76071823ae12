"""The command line: ``cpsolve tour``, ``cpsolve backends``.

Every command takes ``--json`` for scripts. Solvers are imported only by the commands that solve.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer

app = typer.Typer(
    help="One constraint model, asked many questions: solve, count, sample, explain.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Plain data for scripts.")]


@app.callback(invoke_without_command=True)
def version(show: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    """One constraint model, asked many questions: solve, count, sample, explain."""
    if show:
        from cpsolve import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.command(epilog="Example: cpsolve tour --only queens --only dominoes")
def tour(
    only: Annotated[list[str] | None, typer.Option(help="Visit this stop (may be given several times).")] = None,
    as_json: Json = False,
) -> None:
    """Classic puzzles solved, counted, sampled and explained, each answer checked against its constraints."""
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    from cpsolve.tour import STOPS, visit

    for name in only or []:
        if name not in STOPS:
            raise typer.BadParameter(f"there is no stop {name!r}; there are {', '.join(STOPS)}", param_hint="--only")
    console = Console(highlight=False)
    stops = []
    for name in only or STOPS:
        with Console(stderr=True).status(f"{name} …"):
            stop = visit(name)
        stops.append(stop)
        if as_json:
            continue
        table = Table.grid(padding=(0, 2))
        table.add_column(style="cyan", no_wrap=False, ratio=1)
        table.add_column(ratio=3)
        for question, answer in stop.findings:
            table.add_row(question, answer)
        console.print(Panel(table, title=f"[bold]{stop.title}[/bold]", subtitle=f"{stop.seconds:.2f} s", title_align="left"))
        if stop.drawing:
            console.print(Text(stop.drawing + "\n", style="green"))
    if as_json:
        typer.echo(json.dumps([stop.as_dict() for stop in stops], ensure_ascii=False, indent=2))


@app.command(epilog="Example: cpsolve backends --json")
def backends(as_json: Json = False) -> None:
    """The installed backends and the questions that each answers."""
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table

    from cpsolve.solvers import backends as installed

    found = installed()
    if as_json:
        typer.echo(json.dumps({name: asdict(capabilities) for name, capabilities in found.items()}, indent=2))
        return
    table = Table(title="Backends")
    for column in ("name", "package", "answers", "made for"):
        table.add_column(column)
    for name, capabilities in found.items():
        table.add_row(name, f"{capabilities.package} {capabilities.version}", ", ".join(capabilities.questions), capabilities.note)
    Console().print(table)


def main() -> None:
    """Runs the command line."""
    app()

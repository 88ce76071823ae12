"""``cpsolve tour``: the installed games solved, verified, drawn and set beside naive depth-first search; and classic puzzles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from cpsolve.app.command.building import completing
from cpsolve.app.command.outcome import BadInput
from cpsolve.app.command.output import console, give, in_colour, say, working
from cpsolve.catalogue import key
from cpsolve.drawing.text import in_colours_of, written_in
from cpsolve.words import duration

if TYPE_CHECKING:
    from rich.console import Console

    from cpsolve.puzzles.showcase import Stop

EXAMPLES = ("cpsolve tour", "cpsolve tour --only queens --only dinner", "cpsolve tour --classics --json")


def _stops() -> Iterable[str]:
    from cpsolve.app.tour import stops

    return stops()


def tour(
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="STOP", help="Visit this game or classic puzzle (may be repeated).", autocompletion=completing(_stops)),
    ] = None,
    classics: Annotated[bool, typer.Option("--classics", help="Visit the classic puzzles too: queens, dominoes, …")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Plain data for scripts.")] = False,
) -> None:
    """Solve, verify and draw every game; compare with naive search."""
    from cpsolve.app.tour import CLASSICS, stops, visit
    from cpsolve.app.warming import compiling

    known = stops()
    names = [key(name) for name in only or []]
    for name in names:
        if name not in known:
            raise BadInput(f"there is no stop {name!r}; there are {', '.join(known)}")
    games = [name for name in known if name not in CLASSICS]
    names = list(dict.fromkeys([*(names or games), *(CLASSICS if classics else ())]))
    out = console()
    shown = []
    with compiling([name for name in names if name in games] if len(names) > 1 else ()) as processes:
        for name in names:
            with working("compiling for this machine, once"):
                processes.wait(name)
            with working(name):
                stop = visit(name)
            shown.append(stop)
            if not as_json:
                _show(stop, out)
    if as_json:
        give([stop.as_dict() for stop in shown])
        return
    _compare(shown, out)
    if not only and not classics:
        say("More stops: cpsolve tour --classics, or some of them with", f"--only {', '.join(CLASSICS)}")


def _show(stop: Stop, out: Console) -> None:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    findings = Table.grid(padding=(0, 2))
    findings.add_column(style="cyan", ratio=1)
    findings.add_column(ratio=4)
    for question, answer in stop.findings:
        findings.add_row(written_in(question, out.encoding), written_in(answer, out.encoding))
    out.print(Panel(findings, title=Text(stop.title, style="bold"), subtitle=f"{stop.seconds:.2f} s", title_align="left"))
    if stop.coloured and in_colour(out):
        out.print(in_colours_of(out, stop.coloured), soft_wrap=True)
    elif stop.drawing:
        out.print(Text(written_in(stop.drawing, out.encoding)), soft_wrap=True)
    out.print()


def _compare(stops: list[Stop], out: Console) -> None:
    """One table of all comparisons; nothing when there are none."""
    from rich.table import Table

    if not any(stop.comparisons for stop in stops):
        return
    table = Table(title="The same questions, put to cpsolve and to naive depth-first search", title_justify="left")
    table.add_column("instance", ratio=5)
    table.add_column("cpsolve", ratio=6)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("naive search", ratio=6)
    table.add_column("time", justify="right", no_wrap=True)
    stopped = False
    for stop in stops:
        for row in stop.comparisons:
            ours = row.ours.answer + ("" if row.ours.states is None else f"\n{row.ours.states:,} states")
            theirs = f"{row.naive.answer}\n{row.naive.states:,} states"
            stopped = stopped or not row.naive.finished
            limit = duration(row.naive.seconds) + ("" if row.naive.finished else " *")
            table.add_row(f"{stop.title}\n{row.instance}", ours, duration(row.ours.seconds), theirs, limit)
    out.print(table)
    if stopped:
        say("* stopped there: it had not ended, and how long it would take is not known")

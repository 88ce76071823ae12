"""The command line: ``cpsolve tour``, ``solve``, ``mines``, ``play``, ``campaign``, ``backends``; one file a command.

Exit codes: 0 solved, 1 no solution, 2 bad input, 3 limit reached, 130 stopped by Ctrl-C. Games and solvers are imported only by the
commands that need them, and help is plain text, so that the command line answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cpsolve.app.command import backends, campaign, mines, play, solve, tour
from cpsolve.app.command.outcome import INTERRUPTED, Commands

app = typer.Typer(
    cls=Commands,
    help="Games and puzzles as constraint models: solved, counted, explained, played.",
    epilog="Example: cpsolve tour",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _examples(lines: Sequence[str]) -> str:
    """The last lines of a command's help; \b keeps them as they are."""
    return "\b\n" + "\n".join(f"Example: {line}" for line in lines)


app.command(epilog=_examples(tour.EXAMPLES))(tour.tour)
app.command(epilog=_examples(solve.EXAMPLES))(solve.solve)
app.command(epilog=_examples(mines.EXAMPLES))(mines.mines)
app.command(epilog=_examples(play.EXAMPLES))(play.play)
app.command(epilog=_examples(campaign.EXAMPLES))(campaign.campaign)
app.command(epilog=_examples(backends.EXAMPLES))(backends.backends)


def _version(wanted: bool) -> None:
    if wanted:
        from cpsolve import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign gets a question mark, not a traceback
    try:
        app(prog_name="cpsolve")
    except KeyboardInterrupt:  # before a command began, or while it cleaned up
        sys.exit(INTERRUPTED)

"""All commands together, and the options that stand before their names."""

from __future__ import annotations

from typing import Annotated

import typer

from cpsolve.app.command import advise, backends, compare, games, generate, match, play, serve, solve, tour, verify, warm_up
from cpsolve.app.command.building import CONTEXT, examples
from cpsolve.app.command.outcome import Commands

app = typer.Typer(
    cls=Commands,
    help="Games and puzzles as constraint models: solved, counted, explained, played.",
    epilog="Example: cpsolve tour",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=CONTEXT,
)


def _group(cls: type[typer.core.TyperGroup], name: str, summary: str, lines: tuple[str, ...]) -> None:
    """A group with a command per game."""

    def nothing() -> None:
        pass

    nothing.__doc__ = summary
    group = typer.Typer(cls=cls, no_args_is_help=True, rich_markup_mode=None, context_settings=CONTEXT)
    group.callback(epilog=examples(lines), subcommand_metavar="GAME [OPTIONS]")(nothing)
    app.add_typer(group, name=name)


app.command(epilog=examples(tour.EXAMPLES))(tour.tour)
_group(solve.Solve, "solve", "Solve one instance of a game, and draw it.", solve.EXAMPLES)
_group(compare.Compare, "compare", "Set every method side by side.", compare.EXAMPLES)
_group(play.Play, "play", "Play a game on the terminal.", play.EXAMPLES)
_group(advise.Hint, "hint", "The best move of a position.", advise.HINT_EXAMPLES)
_group(advise.Review, "review", "Where a game was lost.", advise.REVIEW_EXAMPLES)
_group(generate.Generate, "generate", "Make a new instance of a game, in its own files.", generate.GENERATE_EXAMPLES)
_group(generate.Convert, "convert", "Write an instance in another format.", generate.CONVERT_EXAMPLES)
app.command(epilog=examples(match.EXAMPLES))(match.match)
app.command(epilog=examples(serve.EXAMPLES))(serve.serve)
app.command(epilog=examples(verify.EXAMPLES))(verify.verify)
app.command(epilog=examples(games.EXAMPLES))(games.games)
app.command(epilog=examples(backends.EXAMPLES))(backends.backends)
app.command("warm-up", epilog=examples(warm_up.EXAMPLES))(warm_up.warm_up)


def _version(wanted: bool) -> None:
    if wanted:
        from cpsolve import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)] = False,
    max_memory: Annotated[
        int | None,
        typer.Option("--max-memory", metavar="MB", help="Stop when the command takes that much memory (exit code 3).", min=1),
    ] = None,
) -> None:
    if max_memory is not None:
        from cpsolve.limits import Deadline

        context.with_resource(Deadline(None, max_memory << 20).watched())

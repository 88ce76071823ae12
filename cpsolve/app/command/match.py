"""``cpsolve match A B``: two players, ours or any program's, play each other; score, Elo with its interval, and the games."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.outcome import INTERRUPTED, LIMIT_REACHED, BadInput, note, seconds, trouble
from cpsolve.app.command.output import give, say
from cpsolve.errors import CPSolveError
from cpsolve.progress import Progress

if TYPE_CHECKING:
    from cpsolve.catalogue import Game
    from cpsolve.puzzles.matches import Match, Played, Tally

EXAMPLES = (
    "cpsolve match 5 4 --games 20",
    "cpsolve match 5 'python my_player.py' --game GAME --new size=7 --games 100 --resume games.jsonl",
)
TOLD = "A level of the game, the name of a player, or a command that speaks the protocol (docs/protocol.md)."


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=TOLD)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player, likewise.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="What is played; without it: the first game for two.")] = None,
    games: Annotated[int, typer.Option("--games", metavar="N", help="How many games, every opening with either colour.", min=1)] = 20,
    new: Annotated[list[str] | None, typer.Option("--new", metavar="NAME=VALUE", help="An option of every new game.")] = None,
    opening: Annotated[int, typer.Option("--opening", metavar="PLIES", help="Random plies before the players take over.", min=0)] = 2,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same openings and luck.", min=0)] = 0,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Keep every game in this file, and go on from those that it holds.")
    ] = None,
    patience: Annotated[
        float, typer.Option("--patience", metavar="SECONDS", help="The longest a program may think.", min=0.001, callback=seconds)
    ] = 60.0,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit", metavar="SECONDS", help="Begin no more games after that time (exit code 3).", min=0.0, callback=seconds
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Plain data for scripts.")] = False,
) -> None:
    """Let two players play each other: score, Elo with its interval, and the games."""
    from cpsolve.puzzles.contestants import contestant
    from cpsolve.puzzles.matches import Match, Tally, played

    found = _game(game)
    what = Match(found, _options(found, new or ()), opening, seed)
    done: list[Played] = []
    stopped = False
    with ExitStack() as stack:
        first = contestant(found, a, patience)
        stack.callback(first.close)
        second = contestant(found, b, patience)
        stack.callback(second.close)
        try:
            with Progress("match") as progress:
                progress.update(f"0 of {games} games")
                for each in played(what, (first, second), games, resume, time_limit):
                    done.append(each)
                    tally = Tally.of(game.result for game in done)
                    progress.update(f"{len(done)} of {games} games, +{tally.wins} ={tally.draws} −{tally.losses}")
        except KeyboardInterrupt:
            stopped = True
        except CPSolveError:  # one of a time limit is a TimeoutError, and so an OSError, too
            raise
        except OSError as error:
            raise BadInput(f"cannot use {resume}: {trouble(error)}") from error
    _tell(what, (first.name, second.name), done, Tally.of(game.result for game in done), as_json)
    if stopped or len(done) < games:
        note(f"stopped after {len(done)} of {games} games" + ("" if resume is None else "; the same command goes on from there"))
        raise typer.Exit(INTERRUPTED if stopped else LIMIT_REACHED)


def _game(name: str | None) -> Game:
    """The game of that name, or the first that two can play and the computer too."""
    if name is not None:
        return catalogue.game(name)
    for each in catalogue.games():
        board = catalogue.game(each).interaction
        if len(board.players) == 2 and board.reply is not None:
            return catalogue.game(each)
    raise BadInput("no game for two is installed")


def _options(game: Game, given: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """The options of new games, each of its type."""
    known = {option.name: option for option in game.interaction.new_options}
    values: dict[str, Any] = {}
    for each in given:
        name, equals, text = each.partition("=")
        option = known.get(name.replace("-", "_"))
        if option is None or not equals:
            raise BadInput(f"--new takes NAME=VALUE with one of {', '.join(known) or 'no name at all'}, not {each!r}")
        try:
            value = {"true": True, "false": False}[text] if option.kind is bool else option.kind(text)
        except (ValueError, KeyError):
            raise BadInput(f"--new {name} takes {'true or false' if option.kind is bool else option.kind.__name__}, not {text!r}") from None
        option.check(value)
        values[option.name] = value
    return values


def _tell(what: Match, names: tuple[str, str], done: list[Played], tally: Tally, as_json: bool) -> None:
    if as_json:
        games = [vars(each) for each in done]
        give({"command": "match", **what.settings(*names), **tally.data(), "played": games})
        return
    for each in done:
        sides = names if each.began else names[::-1]
        result = "½–½" if not each.result else "1–0" if (each.result == 1) == each.began else "0–1"
        opening, rest = " ".join(each.moves[: each.opening]), " ".join(each.moves[each.opening :])
        say(f"{each.number + 1}. {sides[0]} – {sides[1]}  {result}  {opening}{' | ' if opening else ''}{rest}")
    say(f"{what.game.title}, {names[0]} – {names[1]}: {tally}")

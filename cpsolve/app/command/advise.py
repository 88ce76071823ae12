"""``cpsolve hint GAME`` and ``cpsolve review GAME MOVES``: the best move of a position, and where a game was lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import HTML, JSON, SVG, TIME_LIMIT, GameGroup, instance_argument, make
from cpsolve.app.command.outcome import BadInput, load, read
from cpsolve.app.command.output import check_files, deliver, working
from cpsolve.catalogue import Game, Option
from cpsolve.limits import Deadline

HINT_EXAMPLES = ("cpsolve hint GAME FILE", "cpsolve hint GAME --json")
REVIEW_EXAMPLES = ("cpsolve review GAME 'MOVE MOVE MOVE'", "cpsolve review GAME - --json")
MOVES = Option("moves", "The moves from the beginning, with spaces between them; - for standard input.", metavar="MOVES")


class Hint(GameGroup):
    """``cpsolve hint``: a command per game that gives hints."""

    def has(self, game: str) -> bool:
        """Whether it gives hints."""
        return catalogue.game(game).interaction.hint is not None

    def command_of(self, game: str) -> Any:
        """``cpsolve hint GAME``."""
        found = catalogue.game(game)
        if found.interaction.hint is None:
            raise BadInput(f"{found.title} gives no hints: cpsolve solve {game} solves it")
        options = (TIME_LIMIT, *found.read_options, SVG, HTML, JSON)
        summary = f"{found.title}: the best move, and what it is worth."
        return make(game, lambda **values: _hint(found, **values), summary, options, (f"cpsolve hint {game}",), instance_argument(found))


class Review(GameGroup):
    """``cpsolve review``: a command per game that can be looked back on."""

    def has(self, game: str) -> bool:
        """Whether it can be looked back on."""
        return catalogue.game(game).interaction.review is not None

    def command_of(self, game: str) -> Any:
        """``cpsolve review GAME``, with the options of a new game."""
        found = catalogue.game(game)
        if found.interaction.review is None:
            raise BadInput(f"{found.title} is no game that can be looked back on")
        summary = f"{found.title}: the first move of a game after which it was lost, or no longer won."
        options = (TIME_LIMIT, *found.interaction.new_options, SVG, HTML, JSON)
        return make(game, lambda **values: _review(found, **values), summary, options, (f"cpsolve review {game} MOVES",), MOVES)


def _hint(game: Game, source: str | None, json: bool, svg: str | None, html: str | None, time_limit: float | None, **values: Any) -> None:
    check_files({"svg": svg, "html": html}, json)
    assert game.interaction.hint is not None
    with Deadline(time_limit).watched(), working("hint"):
        instance = load(game, source, values)
        answer = game.interaction.hint(instance, time_limit=time_limit)
    write = game.interaction.write
    asked = {"game": game.name, "command": "hint", **({} if write is None else {"instance": write(instance).data()})}
    answer = replace(answer, data=partial(_with, asked, answer.data))
    deliver(answer, game.title, {"svg": svg, "html": html}, json)
    raise typer.Exit(int(answer.outcome))


def _review(game: Game, moves: str | None, json: bool, svg: str | None, html: str | None, time_limit: float | None, **values: Any) -> None:
    check_files({"svg": svg, "html": html}, json)
    if moves is None:
        raise BadInput("give the moves of the game, or - for standard input")
    board = game.interaction
    if board.new is None or board.review is None or board.standing is None:
        raise BadInput(f"{game.title} cannot be played move by move")
    given = {name: value for name, value in values.items() if value is not None and value is not False}  # but 0 is a value
    start = board.new(**given)
    listed = split(read(moves) if moves == "-" else moves, board.standing(start).legal)
    with Deadline(time_limit).watched(), working("review"):
        answer = board.review(start, listed)
    asked = {"game": game.name, "command": "review", "new": given, "moves": listed}
    answer = replace(answer, data=partial(_with, asked, answer.data))
    deliver(answer, game.title, {"svg": svg, "html": html}, json)
    raise typer.Exit(int(answer.outcome))


def _with(asked: Mapping[str, Any], data: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """An answer together with what was asked: all that it takes to verify it."""
    return {**asked, **data()}


def split(text: str, first: tuple[str, ...]) -> list[str]:
    """The moves of a text: words; or the characters of a single word that is itself no ``first`` move, but begins with one.

    >>> split("1,1 2,1", ("1,1",)), split("4453", ("4", "5")), split("4", ("4",))
    (['1,1', '2,1'], ['4', '4', '5', '3'], ['4'])
    """
    words = text.split()
    return list(words[0]) if len(words) == 1 and words[0] not in first and words[0][0] in first else words

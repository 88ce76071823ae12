"""``cpsolve verify FILE``: an answer that was saved, checked by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.outcome import NO_SOLUTION, SOLVED, BadInput, name_of, read, reading
from cpsolve.app.command.output import give, say, working
from cpsolve.catalogue import Game, taken

if TYPE_CHECKING:
    from cpsolve.puzzles.verifying import Findings

EXAMPLES = ("cpsolve verify answer.json", "cpsolve solve GAME FILE --json | cpsolve verify -")


def verify(
    source: Annotated[str, typer.Argument(metavar="FILE", help="What --json printed, or a proof of a game; - for standard input.")],
    time_limit: Annotated[float | None, typer.Option("--time-limit", metavar="SECONDS", help="For each search by the rules (10).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Plain data for scripts.")] = False,
) -> None:
    """Check a saved answer by the rules alone: 0 nothing is wrong, 1 it is refuted."""
    text = read(source)
    with reading(name_of(source)):
        game, check = _asked(text, time_limit)
    from cpsolve.puzzles.verifying import Refuted

    try:
        with reading(name_of(source)), working("verifying"):
            try:
                found = check()
            except Refuted as error:
                refuted = str(error)
            else:
                refuted = ""
    except RecursionError as error:
        raise BadInput(f"{name_of(source)}: it is nested too deeply") from error
    if as_json:
        proven, unproven = ((), ()) if refuted else (found.proven, found.open)
        give({"game": game, "refuted": refuted or None, "proven": list(proven), "open": list(unproven)})
    elif refuted:
        say(f"refuted: {refuted}")
    else:
        say(*(f"proven: {each}" for each in found.proven), *(f"not checked: {each}" for each in found.open))
    raise typer.Exit(NO_SOLUTION if refuted else SOLVED)


def _asked(text: str, time_limit: float | None) -> tuple[str, Any]:
    """Whose answer it is, and how to check it."""
    if not text.lstrip().startswith(("{", "[")):
        for name in catalogue.games():
            proof = catalogue.game(name).proof
            if proof is not None and proof[0](text):
                return name, partial(proof[1], text, time_limit=time_limit)
        raise BadInput("expected what --json printed, or a proof that a game knows")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"expected the JSON of one answer: {str(error)[:200]}") from error
    every = data if isinstance(data, list) else [data]
    if not every or not all(isinstance(each, dict) for each in every):
        raise BadInput("expected the JSON of one answer, or the list that --all writes")
    data = every[0]
    name = data.get("game")
    if name is None:
        raise BadInput("no game is named there: this is not an answer that can be verified")
    if not isinstance(name, str) or catalogue.key(name) not in catalogue.games():
        raise BadInput(f"there is no game {name!r:.60}; there are {', '.join(catalogue.games())}")
    game = catalogue.game(name)
    if data.get("command") is not None:
        return game.name, _of_command(game, data, time_limit)
    if game.verify is None:
        raise BadInput(f"answers of {game.name} cannot be verified by rules alone")
    board = _instance(game, data, game.reads.get(str(data.get("method")), game.read))
    if len(every) == 1:
        return game.name, partial(game.verify, board, data, time_limit=time_limit)
    return game.name, partial(_all, game.verify, board, every, time_limit)


def _instance(game: Game, data: dict[str, Any], read: Callable[..., Any]) -> Any:
    """What was asked about: the instance that an answer holds."""
    instance = data.get("instance")
    if not isinstance(instance, dict) or not isinstance(instance.get("text"), str) or not isinstance(instance.get("options", {}), dict):
        raise BadInput("expected the instance in the answer, as cpsolve solve --json writes it")
    return read(instance["text"], **taken(game.read_options, instance.get("options", {}), f"{game.name} is not read with"))


def _of_command(game: Game, data: dict[str, Any], time_limit: float | None) -> Callable[[], Findings]:
    """How to check the answer of another command than ``solve``."""
    from cpsolve.puzzles import verifying_games

    command = data["command"]
    check = game.verifies.get(command) if isinstance(command, str) else None
    if command == "match":
        return partial(verifying_games.match, game, data, time_limit=time_limit)
    if command == "generate":
        return partial(verifying_games.generated, game, data, time_limit=time_limit)
    if command == "compare":
        value = None if check is None else partial(check, _instance(game, data, game.read), time_limit=time_limit)
        return partial(verifying_games.compared, data, value)
    if command == "review" and check is not None and game.interaction.new is not None:
        new, moves = data.get("new"), data.get("moves")
        if not isinstance(new, dict) or not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadInput("expected 'new', the options of the game, and 'moves', a list of texts")
        new = taken(game.interaction.new_options, new, f"{game.name} does not begin with")
        return partial(check, game.interaction.new(**new), moves, data, time_limit=time_limit)
    if check is not None:
        return partial(check, _instance(game, data, game.read), data, time_limit=time_limit)
    if isinstance(command, str) and command in catalogue.commands():
        found = catalogue.command(command)
        if found.verify is not None and found.game == game.name:
            asked = (_instance(game, data, found.read),) if found.argument else ()
            return partial(found.verify, *asked, data, time_limit=time_limit)
    raise BadInput(f"what cpsolve {command!s:.60} says of {game.name} cannot be verified by rules alone")


def _all(verify: Callable[..., Findings], board: Any, answers: list[dict[str, Any]], time_limit: float | None) -> Findings:
    """Checks a list of answers: each by itself, and that none comes twice."""
    from cpsolve.puzzles.verifying import Findings, Refuted

    seen: set[str] = set()
    unproven: dict[str, None] = {}
    for number, answer in enumerate(answers, start=1):
        moves = json.dumps(answer.get("moves"))
        if moves in seen:
            raise Refuted(f"answer {number} comes twice")
        seen.add(moves)
        try:
            found = verify(board, {**answer, "status": "feasible"} if answer.get("status") == "optimal" else answer, time_limit=time_limit)
        except Refuted as error:
            raise Refuted(f"answer {number}: {error}") from error
        unproven.update(dict.fromkeys(found.open))
    return Findings((f"{len(answers):,} answers, no two alike, each legal to the end",), ("that these are all there are", *unproven))

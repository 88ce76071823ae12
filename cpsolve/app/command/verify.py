"""``cpsolve verify FILE``: an answer that was saved, checked by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from cpsolve import catalogue
from cpsolve.app.command.outcome import NO_SOLUTION, SOLVED, BadInput, name_of, read, reading
from cpsolve.app.command.output import give, say, working
from cpsolve.catalogue import Game, taken
from cpsolve.errors import FormatError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.words import counted

if TYPE_CHECKING:
    from cpsolve.puzzles.verifying import Findings, Looked

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
    first = every[0]
    name = first.get("game")
    if name is None:
        raise BadInput("no game is named there: this is not an answer that can be verified")
    if not isinstance(name, str) or catalogue.key(name) not in catalogue.games():
        raise BadInput(f"there is no game {name!r:.60}; there are {', '.join(catalogue.games())}")
    game = catalogue.game(name)
    if isinstance(data, list):
        return game.name, partial(_all, game, every, time_limit)
    return game.name, partial(_one, game, first, time_limit)


def _one(game: Game, data: dict[str, Any], time_limit: float | None) -> Findings:
    """Checks one answer; parts of it that nobody looked at are named."""
    from cpsolve.puzzles.verifying import Looked

    said = Looked(data)
    if data.get("command") is not None:
        found = _of_command(game, said, time_limit)
    elif "grow" in data and "points" in data:
        raise BadInput("what compare --grow tells cannot be verified: its boards are not in it; compare one board without --grow")
    else:
        found = _checked(_verifier(game), partial(_solved, game, said, time_limit), said, time_limit)
    return replace(found, open=(*found.open, *said.unseen()))


def _verifier(game: Game) -> Callable[..., Findings]:
    if game.verify is None:
        raise BadInput(f"answers of {game.name} cannot be verified by rules alone")
    return game.verify


def _solved(game: Game, data: Looked, time_limit: float | None) -> Any:
    """The instance of an answer of ``solve``."""
    return _instance(game, data, game.reads.get(str(data.get("method")), game.read), time_limit)


def _checked(check: Callable[..., Findings], instance: Callable[[], Any], data: Looked, time_limit: float | None) -> Findings:
    """Reads the instance, which is part of the time that is given, and checks what is told of it."""
    from cpsolve.puzzles.verifying import Findings

    try:
        board = instance()
    except TimeLimitError as error:
        return Findings((), (f"the answer: {error}",))
    return check(board, data, time_limit=time_limit)


def _instance(game: Game, data: Looked, read: Callable[..., Any], time_limit: float | None) -> Any:
    """What was asked about: the instance that an answer holds."""
    instance = data.get("instance")
    if not isinstance(instance, dict) or not isinstance(instance.get("text"), str) or not isinstance(instance.get("options", {}), dict):
        raise BadInput("expected the instance in the answer, as cpsolve solve --json writes it")
    with Deadline(time_limit).watched():
        return read(instance["text"], **taken(game.read_options, instance.get("options", {}), f"{game.name} is not read with"))


def _of_command(game: Game, data: Looked, time_limit: float | None) -> Findings:
    """Checks the answer of another command than ``solve``."""
    from cpsolve.puzzles import verifying_games

    command = data["command"]
    check = game.verifies.get(command) if isinstance(command, str) else None
    if command == "match":
        return verifying_games.match(game, data, time_limit=time_limit)
    if command == "generate":
        return verifying_games.generated(game, data, time_limit=time_limit)
    asked = partial(_instance, game, data, game.read, time_limit)
    if command == "compare":
        if check is None:
            return verifying_games.compared(data, None)
        best = partial(check, time_limit=time_limit)
        return _checked(lambda board, data, time_limit: verifying_games.compared(data, partial(best, board)), asked, data, time_limit)
    if command == "review" and check is not None and game.interaction.new is not None:
        new, moves = data.get("new"), data.get("moves")
        if not isinstance(new, dict) or not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadInput("expected 'new', the options of the game, and 'moves', a list of texts")
        new = taken(game.interaction.new_options, new, f"{game.name} does not begin with")
        return cast("Findings", check(game.interaction.new(**new), moves, data, time_limit=time_limit))
    if check is not None:
        return _checked(check, asked, data, time_limit)
    if isinstance(command, str) and command in catalogue.commands():
        found = catalogue.command(command)
        if found.verify is not None and found.game == game.name:
            if not found.argument:
                return found.verify(data, time_limit=time_limit)
            return _checked(found.verify, partial(_instance, game, data, found.read, time_limit), data, time_limit)
    raise BadInput(f"what cpsolve {command!s:.60} says of {game.name} cannot be verified by rules alone")


PLAN = ("feasible", "optimal")
"""The statuses of an answer in a list."""


def _all(game: Game, answers: list[dict[str, Any]], time_limit: float | None) -> Findings:
    """Checks a list of answers: each by itself, and that none comes twice."""
    from cpsolve.puzzles.verifying import Findings, Looked, Refuted

    first, verify = Looked(answers[0]), _verifier(game)
    for number, answer in enumerate(answers, start=1):
        if answer.get("status") not in PLAN or not isinstance(answer.get("moves"), list) or {"command", "paths", "fields"} & set(answer):
            raise FormatError(f"expected a plan as answer {number} of the list, its status {' or '.join(PLAN)}, found {answer!r:.60}")
        if number > 1 and any(answer.get(name, answers[0].get(name)) != answers[0].get(name) for name in ("game", "instance")):
            raise FormatError(f"expected answers to one question in a list: answer {number} names another game or instance")
    try:
        board = _instance(game, first, game.read, time_limit)
    except TimeLimitError as error:
        return Findings((), (f"the answers: {error}",))
    seen: set[str] = set()
    unproven: dict[str, None] = {}
    for number, answer in enumerate(answers, start=1):
        moves = json.dumps(answer["moves"])
        if moves in seen:
            raise Refuted(f"answer {number} comes twice")
        seen.add(moves)
        said = Looked(answer)
        try:
            found = verify(board, said, time_limit=time_limit)
        except Refuted as error:
            raise Refuted(f"answer {number}: {error}") from error
        unproven.update(dict.fromkeys((*found.open, *said.unseen())))
    legal = f"{counted(len(answers), 'answer')}, no two alike, each legal to the end"
    return Findings((legal,), ("that these are all there are", *unproven))

"""What a worker of the page does: a question about a game, answered through the game's description, as JSON.

:func:`run` takes a job and gives back a status, as HTTP numbers them, and the text of a JSON document; a search that is watched
tells its number of states meanwhile. Whatever was wrong with the input becomes ``{"error": …, "code": …}``, with line and column where
they are known; numbers too large for JavaScript become strings.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from cpsolve import catalogue
from cpsolve.catalogue import Answer, Game, Option, Standing
from cpsolve.errors import (
    CPSolveError,
    FormatError,
    IllegalMoveError,
    InfeasibleError,
    MemoryLimitError,
    ModelError,
    SolverError,
    TimeLimitError,
)
from cpsolve.progress import listening

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

MOST_FRAMES = 400
"""The longest film that is sent at once."""
MOST_LISTED = 100
WATCHED = "run"
"""The question whose answer is watched: solve, told while it runs."""
SAFE_INTEGER = 2**53
"""JavaScript's numbers are exact up to here."""

Reply = tuple[int, str]


def run(job: Mapping[str, Any], tell: Callable[[Any], None] = lambda said: None) -> Reply:
    """The status and the JSON of an answer; ``tell`` hears of a search that is watched while it runs.

    >>> run({"action": "games"})[0]
    200
    >>> run({"action": "draw", "game": "chess", "body": {}})[0]
    404
    """
    try:
        return 200, encode(_answer(job, tell))
    except SolverError:
        raise
    except (CPSolveError, MemoryError) as error:
        status, data = refusal(error)
        return status, encode(data)


class _Counter:
    """Tells the states and seconds of a search, a few times a second."""

    PERIOD = 0.1

    def __init__(self, tell: Callable[[Any], None]) -> None:
        self.tell = tell
        self.start = self.last = time.perf_counter()
        tell({"states": 0, "seconds": 0.0})

    def __call__(self, states: int) -> None:
        now = time.perf_counter()
        if now - self.last >= self.PERIOD:
            self.last = now
            self.tell({"states": states, "seconds": round(now - self.start, 3)})


class Missing(CPSolveError):
    """There is no such game, or the game has no answer of this kind."""


def refusal(error: Exception) -> tuple[int, dict[str, Any]]:
    """What is said of an error: a status, as HTTP numbers them, and an object with words and a code.

    >>> refusal(ModelError("there is no column 9"))
    (422, {'error': 'there is no column 9', 'code': 'bad-input'})
    """
    first = (str(error).splitlines() or [""])[0]
    match error:
        case FormatError():
            return 422, {"error": error.message, "code": "format", "line": error.line, "column": error.column}
        case TimeLimitError():
            return 504, {"error": str(error), "code": "time-limit"}
        case Missing():
            return 404, {"error": str(error), "code": "not-found"}
        case InfeasibleError():
            names = [getattr(each, "name", str(each)) for each in error.conflict]
            return 422, {"error": str(error), "code": "no-solution", "conflict": names}
        case MemoryLimitError():
            return 422, {"error": first, "code": "too-large"}
        case MemoryError():
            return 422, {"error": "this needs more memory than there is: try a smaller instance", "code": "too-large"}
        case IllegalMoveError():
            return 422, {"error": first, "code": "illegal-move"}
        case _:
            return 422, {"error": first, "code": "bad-input"}


def encode(value: Any) -> str:
    """A value as JSON: whole numbers beyond 2**53 as strings, nothing that JSON does not know.

    >>> encode({"fields": 2**60, "risk": 0.5, "gap": float("nan")})
    '{"fields":"1152921504606846976","risk":0.5,"gap":null}'
    """
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value) if abs(value) > SAFE_INTEGER else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(each) for each in value]
    return str(value)


# -- jobs


def _answer(job: Mapping[str, Any], tell: Callable[[Any], None]) -> Any:
    action = job["action"]
    if action == "games":
        return {"games": [describe(catalogue.game(name)) for name in catalogue.games()]}
    if action == "models":
        from cpsolve.app.web import classics

        return {"models": classics.describe()}
    if action == "model":
        from cpsolve.app.web import classics

        if job["model"] not in classics.MODELS:
            raise Missing(f"there is no model {job['model']!r}; there are {', '.join(classics.MODELS)}")
        return classics.ask(job["model"], **job["body"])
    name = catalogue.key(job["game"])
    if name not in catalogue.games():
        raise Missing(f"there is no game {job['game']!r}; there are {', '.join(catalogue.games())}")
    game = catalogue.game(name)
    started = time.perf_counter()
    with listening(_Counter(tell)) if action == WATCHED else nullcontext():
        data = ACTIONS[action](game, job["body"])
    data["milliseconds"] = round(1000 * (time.perf_counter() - started), 1)
    return data


def warm_up() -> None:
    """Loads every game, the solvers and all kernels, so that workers that are forked from this process have them."""
    import cpsolve.solvers.cpsat  # noqa: F401  # loading it takes longest; it must not solve here: its threads would not be forked
    from cpsolve.app.warming import warm_up as warm
    from cpsolve.app.web.classics import magic_square

    magic_square()[0].count()
    for name in catalogue.games():
        try:
            warm(name)
        except CPSolveError as error:  # a game that cannot be loaded must not keep the others from the page
            print(f"cpsolve serve: {error}")


# -- descriptions


def describe(game: Game) -> dict[str, Any]:
    """What a page has to know of a game before anything is asked."""
    board = game.interaction
    offered = {
        "draw": game.draw,
        "move": board.move,
        "reply": board.reply,
        "paint": board.paint,
        "new": board.new,
        "hint": board.hint,
        "why": board.why,
        "review": board.review,
        "count": game.count,
        "every": game.every,
        "best": board.every_best,
    }
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "rules": game.rules,
        "instances": [{"name": name, "text": each.text, "options": dict(each.options)} for name, each in game.instances().items()],
        "options": [_option(option) for option in game.read_options],
        "solve_options": [_option(option) for option in _harmless(game.solve_options)],
        "methods": dict(game.methods()),
        "animated": game.animated,
        "formats": list(game.writers),
        "brushes": [{"name": name, "words": words} for name, words in board.brushes.items()],
        "levels": [{"level": level, "words": words} for level, words in (*board.levels.items(), *board.named_levels.items())],
        "players": list(board.players),
        "new_options": [_option(option, _defaults(board.new).get(option.name)) for option in board.new_options],
        "can": ["solve", *(name for name, there in offered.items() if there is not None)],
    }


def _harmless(options: Sequence[Option]) -> list[Option]:
    """The options that touch no file: a visitor must not name one on the server."""
    return [option for option in options if option.metavar != "FILE"]


def _defaults(function: Callable[..., Any] | None) -> dict[str, Any]:
    """What the parameters of a function are when they are not given.

    >>> _defaults(lambda size=5, seed=None: size)
    {'size': 5, 'seed': None}
    """
    parameters = () if function is None else inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if parameter.default is not inspect.Parameter.empty}


def _option(option: Option, default: Any = None) -> dict[str, Any]:
    kinds = {int: "whole number", float: "number", bool: "switch"}
    choices = [] if option.choices is None else list(option.choices())
    return {
        "name": option.name,
        "help": option.help,
        "kind": kinds.get(option.kind, "text"),
        "least": option.least,
        "choices": choices,
        "default": default,
    }


# -- instances

BEGINNINGS = ("new", "instance", "named")
"""What a position begins from: one of these."""


def instance_of(game: Game, body: Mapping[str, Any]) -> Any:
    """The instance that a body is about, before any move: given as text, by its name, or as a new game."""
    given = [name for name in BEGINNINGS if body.get(name) is not None]
    if len(given) > 1:
        raise ModelError(f"a position begins from one of {', '.join(BEGINNINGS)}: give {' or '.join(given)}, not both")
    if body.get("new") is not None:
        _have(game, game.interaction.new, "new games")
        assert game.interaction.new is not None
        return game.interaction.new(**_checked(body["new"], game.interaction.new_options, "new"))
    if body.get("instance") is not None:
        return _read(game, game.reads.get(body.get("method") or "", game.read), body)[0]
    return game.named(body.get("named"), **_read_options(game, body))


def _read_options(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    """What has to be said beside a text; null says nothing."""
    given = {name: value for name, value in (body.get("options") or {}).items() if value is not None}
    return _checked(given, game.read_options, "options")


def _read(game: Game, read: Callable[..., Any], body: Mapping[str, Any]) -> tuple[Any, str]:
    """An instance and what was understood beyond the game's own formats; where nothing was, the error of the game's own reader."""
    text, options = body["instance"], _read_options(game, body)
    try:
        return read(text, **options), ""
    except (FormatError, ModelError) as error:
        if game.interaction.paste is None:
            raise
        try:
            found: tuple[Any, str] = game.interaction.paste(text, **options)
        except (FormatError, ModelError):
            raise error from None
        return found


def played(game: Game, start: Any, moves: Sequence[str], first: int = 1) -> Any:
    """The instance after some moves, the first of which has this number in the game."""
    if not moves:
        return start
    _have(game, game.interaction.move, "moves")
    assert game.interaction.move is not None
    for number, move in enumerate(moves, first):
        try:
            start = game.interaction.move(start, move)
        except CPSolveError as error:
            raise IllegalMoveError(f"move {number}, {move}: {error}") from error
    return start


def _have(game: Game, part: object, words: str) -> None:
    if part is None:
        raise Missing(f"{game.title} has no {words}")


KINDS: dict[type, tuple[type, ...]] = {int: (int,), float: (int, float), bool: (bool,), str: (str,)}


def _checked(values: Mapping[str, Any], options: Sequence[Option], where: str) -> dict[str, Any]:
    """The values of options, each of its type and one of its choices; ModelError otherwise."""
    known = {option.name: option for option in options}
    value: Any
    for name, value in values.items():
        if name not in known:
            raise ModelError(f"{where} has {name!r}: expected {', '.join(known) or 'none'}")
        option = known[name]
        fits = isinstance(value, KINDS[option.kind]) and (option.kind is bool or not isinstance(value, bool))
        if not fits:
            raise ModelError(f"{where}.{name} is {value!r}: expected {option.kind.__name__}")
        if option.least is not None and value < option.least:
            raise ModelError(f"{where}.{name} is {value!r}: expected at least {option.least}")
        option.check(value)
    return dict(values)


# -- pictures


def picture_of(game: Game, instance: Any, picture: Picture) -> dict[str, Any]:
    """A picture with the places to point at, and what is said around it."""
    spots = game.interaction.spots(instance) if game.interaction.spots is not None else {}
    notes = {place: tile.note for place, tile in picture.tiles.items()}
    board = picture.board(
        {place: (spot.name, f"{spot.words}{_besides(notes.get(place, ''), spot.words)}") for place, spot in spots.items()}
    )
    legend = [{"words": words, "svg": svg} for words, svg in picture.samples()]
    return {"svg": board, "captions": list(picture.captions), "legend": legend, "title": picture.title, "columns": picture.columns}


def _besides(note: str, words: str) -> str:
    """What a note adds to words that name the same place.

    >>> _besides("(1, 4) is safe; the best move", "row 1, column 4"), _besides("[1, 4]: a; lost", "column 4: a")
    (', safe; the best move', ', lost')
    """
    said = [part for part in PLACE.sub("", note).split("; ") if part and part not in words]
    return f", {'; '.join(said)}" if said else ""


PLACE = re.compile(r"^[(\[]\d+, ?\d+[)\]](?: is|:|;)? ?")
"""The name of a cell at the beginning of a note."""


def _drawn(game: Game, instance: Any) -> dict[str, Any]:
    _have(game, game.draw, "picture")
    assert game.draw is not None
    return picture_of(game, instance, game.draw(instance))


def _shown(game: Game, instance: Any, body: Mapping[str, Any]) -> dict[str, Any]:
    """An instance with its picture, its text, its cells and how it stands."""
    data: dict[str, Any] = {"game": game.name}
    if game.draw is not None and body.get("picture") is not False:
        data["picture"] = _drawn(game, instance)
    if game.interaction.write is not None:
        written = game.interaction.write(instance)
        data["instance"], data["options"] = written.text, dict(written.options)
    if game.interaction.begun is not None:
        data["new"] = game.interaction.begun(instance)
    if game.interaction.standing is not None:
        data["standing"] = how_it_stands(game.interaction.standing(instance))
    return {**data, **_cells(game, instance), **_scores(game, instance, body)}


def how_it_stands(standing: Standing) -> dict[str, Any]:
    """How an instance stands, as plain data.

    >>> how_it_stands(Standing("x to move", "x", legal=("1,1",)))
    {'words': 'x to move', 'to_move': 'x', 'over': False, 'legal': ['1,1'], 'winner': ''}
    """
    return {**vars(standing), "legal": list(standing.legal)}


def _cells(game: Game, instance: Any) -> dict[str, Any]:
    """What is on every cell, where the game says it."""
    return {} if game.interaction.cells is None else {"cells": game.interaction.cells(instance)}


def _scores(game: Game, instance: Any, body: Mapping[str, Any]) -> dict[str, Any]:
    """What every move is worth, if that was asked: None where it is not found in time."""
    if not body.get("scores"):
        return {}
    _have(game, game.interaction.analyse, "scores")
    assert game.interaction.analyse is not None
    return {"scores": game.interaction.analyse(instance, time_limit=body.get("time_limit")).data().get("scores")}


def _told(game: Game, instance: Any, answer: Answer, body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer: its data, its sentences, its picture and, where that is wanted, its film."""
    data: dict[str, Any] = {**answer.data(), "outcome": answer.outcome.name.lower().replace("_", " ")}
    data["sentences"] = list(answer.sentences())
    if answer.picture is not None and body.get("picture") is not False:
        data["picture"] = picture_of(game, instance, answer.picture())
    if body.get("frames") and answer.frames is not None:
        film = islice(answer.frames(), MOST_FRAMES)
        data["frames"] = [{"svg": frame.board({}), "captions": list(frame.captions)} for frame in film]
    return data


# -- actions


def _instance(game: Game, body: Mapping[str, Any]) -> Any:
    return played(game, instance_of(game, body), body.get("moves") or ())


def _draw(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    data = _shown(game, _instance(game, body), body)
    if body.get("instance") is not None:
        data["understood"] = _read(game, game.read, body)[1]
    return data


def _solve(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    instance = _instance(game, body)
    chosen = _checked(body.get("settings") or {}, _harmless(game.solve_options), "settings")
    method = body.get("method")
    if method is not None:
        if method not in game.methods():
            raise ModelError(f"{game.name} has no method {method!r}; it has {', '.join(game.methods())}")
        chosen["method"] = method
    solve = game.solve if game.interaction.analyse is None or method is not None else game.interaction.analyse
    return _told(game, instance, solve(instance, time_limit=body.get("time_limit"), **chosen), body)


def _legal(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.interaction.standing, "moves to list")
    assert game.interaction.standing is not None
    instance = _instance(game, body)
    stands = how_it_stands(game.interaction.standing(instance))
    return {"game": game.name, **stands, **_cells(game, instance), **_scores(game, instance, body)}


def _move(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    """The position after one more move: the one given, or the computer's."""
    _have(game, game.interaction.move, "moves")
    instance, move = _instance(game, body), body.get("move")
    if move is None:
        _have(game, game.interaction.reply, "computer player")
        assert game.interaction.reply is not None
        known = (*game.interaction.levels, *game.interaction.named_levels)
        level = body.get("level") or next(iter(known), 1)
        if level not in known:
            raise ModelError(f"level is {level}: expected one of {', '.join(map(str, known))}")
        move = game.interaction.reply(instance, level, body.get("seed") or 0)
    after = played(game, instance, [move], len(body.get("moves") or ()) + 1)
    return {**_shown(game, after, body), "move": move}


def _paint(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.interaction.paint, "brushes")
    assert game.interaction.paint is not None
    brush, spot = body.get("brush"), body.get("spot")
    if brush is None or brush not in game.interaction.brushes or spot is None:
        raise ModelError(f"paint takes a spot and a brush, one of {', '.join(game.interaction.brushes)}; found {spot!r} and {brush!r}")
    return _shown(game, game.interaction.paint(_instance(game, body), spot, brush), body)


def _hint(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.interaction.hint, "hints")
    assert game.interaction.hint is not None
    instance = _instance(game, body)
    return _told(game, instance, game.interaction.hint(instance, time_limit=body.get("time_limit")), body)


def _why(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.interaction.why, "reasons")
    assert game.interaction.why is not None
    instance, spot = _instance(game, body), body.get("spot")
    if spot is None:
        raise ModelError("why is about a spot: give one, such as 3,4")
    return _told(game, instance, game.interaction.why(instance, spot), body)


def _review(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.interaction.review, "games to look back on")
    assert game.interaction.review is not None
    start, moves = instance_of(game, body), body.get("moves") or ()
    return _told(game, played(game, start, moves), game.interaction.review(start, moves), body)


def _write(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    instance = _instance(game, body)
    return {"game": game.name, "texts": {name: write(instance) for name, write in game.writers.items()}}


def _count(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.count, "solutions to count")
    assert game.count is not None
    number, noun, _ = game.count(_instance(game, body), time_limit=body.get("time_limit"))
    return {"game": game.name, "count": str(number), "noun": noun}


def _every(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    _have(game, game.every, "list of solutions")
    assert game.every is not None
    found = islice(game.every(_instance(game, body), time_limit=body.get("time_limit")), min(body.get("most") or 20, MOST_LISTED))
    return {"game": game.name, "solutions": [{"line": each.line, **each.data} for each in found if each.data is not None]}


def _best(game: Game, body: Mapping[str, Any]) -> dict[str, Any]:
    """The best solutions, one after another: the one numbered ``number``, from 0, and whether another follows."""
    _have(game, game.interaction.every_best, "several best solutions")
    assert game.interaction.every_best is not None
    instance, number = _instance(game, body), body.get("number") or 0
    found = list(islice(game.interaction.every_best(instance, time_limit=body.get("time_limit")), number, number + 2))
    if not found:
        raise Missing(f"there is no best solution number {number + 1}")
    return {**_told(game, instance, found[0], body), "number": number, "more": len(found) > 1}


ACTIONS: dict[str, Callable[[Game, Mapping[str, Any]], dict[str, Any]]] = {
    "draw": _draw,
    "solve": _solve,
    "legal": _legal,
    "move": _move,
    "paint": _paint,
    "hint": _hint,
    "why": _why,
    "review": _review,
    "write": _write,
    "count": _count,
    "every": _every,
    "best": _best,
    WATCHED: _solve,
}
"""What can be asked of a game, by the last part of the address."""

"""The line protocol of ``cpsolve play GAME --json``: a JSON object per line in, one per line out, with the schema of the page's interface.

A request names an action (``move``, ``legal``, ``hint``, …, or ``undo`` and ``quit``) and holds the fields of a :class:`Question`.
One that names a position (``new``, ``instance``, ``named`` or ``moves``) is about that position, which is the game in progress from then
on; any other is about the game in progress. An error is an object with ``error`` and ``code``, and changes nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from cpsolve.app.web import work
from cpsolve.app.web.schema import Question
from cpsolve.catalogue import Game
from cpsolve.errors import CPSolveError, ModelError, SolverError

LONGEST = 1_000_000
"""Characters of a line."""


class Request(Question):
    """A line: a question with its action; ``id`` comes back with the reply.

    ``game``, ``cells`` and ``standing`` are what a match tells its players so that they need no rules; here they are not looked at.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    action: str = Field("move", max_length=20)
    id: int | str | None = None
    picture: bool = False
    game: Any = None
    cells: Any = None
    standing: Any = None


class Conversation:
    """A game in progress and what is asked about it, line by line.

    ``start`` says where it begins, as a request does; ``level`` and ``seed`` are those of requests that name none.

    >>> from cpsolve import catalogue
    >>> game = next(catalogue.game(name) for name in catalogue.games() if catalogue.game(name).interaction.reply)
    >>> talk = Conversation(game)
    >>> first = talk.answer('{"action": "legal"}')["legal"][0]
    >>> talk.answer(f'{{"move": "{first}"}}')["move"] == first, talk.answer('{"action": "sing"}')["code"]
    (True, 'not-found')
    """

    def __init__(self, game: Game, start: Mapping[str, Any] | None = None, level: int | str | None = None, seed: int | None = None) -> None:
        if game.interaction.move is None or game.interaction.standing is None:
            raise ModelError(f"{game.title} says nothing of its moves: its description needs an interaction with move and standing")
        self.game = game
        self.begun: dict[str, Any] = {"new": {}} if start is None and game.interaction.new is not None else dict(start or {})
        self.moves: list[str] = []
        self.defaults = {"level": level, "seed": seed}
        self.closed = False

    def answer(self, line: str) -> dict[str, Any]:
        """The reply to a line."""
        named: dict[str, Any] = {}
        try:
            if len(line) > LONGEST:
                raise ModelError(f"the line is longer than {LONGEST:,} characters")
            request = Request.model_validate_json(line)
            named = {} if request.id is None else {"id": request.id}
            return {**self._do(request), **named}
        except ValidationError as error:
            named = _named(line)
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            return {"error": f"{where}: {first['msg']}", "code": "bad-input", **named}
        except SolverError:
            raise  # a wrong answer is a bug: it must not look like bad input
        except (CPSolveError, MemoryError) as error:
            return {**work.refusal(error)[1], **named}

    def _do(self, request: Request) -> dict[str, Any]:
        given = request.model_fields_set
        begun, moves = self.begun, self.moves
        if given.intersection(work.BEGINNINGS):
            names = (*work.BEGINNINGS, "options")
            begun, moves = {name: getattr(request, name) for name in names if name in given}, []
        if "moves" in given:
            moves = list(request.moves)
        if request.action == "quit":
            self.closed = True
            return {"game": self.game.name, "closed": True}
        if request.action == "undo":
            if not moves:
                raise ModelError("there is no move to take back")
            moves = moves[:-1]
        details = {
            name: value for name, value in request.model_dump().items() if value is not None and name not in (*work.BEGINNINGS, "options")
        }
        body = {**self.defaults, **details, **begun, "moves": moves}
        action = {"undo": "draw"}.get(request.action, request.action)
        if action not in work.ACTIONS:
            raise work.Missing(f"there is no action {request.action!r}; there are {', '.join((*work.ACTIONS, 'undo', 'quit'))}")
        data = work.ACTIONS[action](self.game, body)
        if action == "move":
            moves = [*moves, data["move"]]
        if data.get("new") is not None:  # a field that was made when the first cell was opened, say: from now on it is that one
            begun = {"new": data["new"]}
        self.begun, self.moves = begun, moves
        return data


def serve(conversation: Conversation) -> None:
    """Answers the lines of standard input on standard output, until ``quit`` or the end of the input."""
    while not conversation.closed:
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            sys.stdout.write(work.encode(conversation.answer(line)) + "\n")
            sys.stdout.flush()


def _named(line: str) -> dict[str, Any]:
    """The id of a request that is wrong in another field, if it can be read."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    name = found.get("id") if isinstance(found, dict) else None
    return {"id": name} if isinstance(name, int | str) and not isinstance(name, bool) else {}

"""Who plays in a match: a computer player of a game, or any program that speaks the line protocol (``docs/protocol.md``).

A contestant is asked for a move with a :class:`Turn`, which says all that a player has to know, and answers with the move as text. It is
the match that knows the rules and checks the move.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from cpsolve.catalogue import Game, Standing
from cpsolve.errors import ModelError, TimeLimitError

PATIENCE = 60.0
"""Seconds that a program has for a move, unless told otherwise."""
GRACE = 2.0
"""Seconds that a program has to end after it was told to."""
LONGEST, MOST_LINES = 1_000_000, 100
"""Bytes of a line that a program answers with, and lines that it may be ahead: further ones wait where it writes them."""


@dataclass(frozen=True)
class Turn:
    """A position in which somebody is to move: how the game began, the moves since, and how it stands; ``seed`` is for chance."""

    game: Game
    new: Mapping[str, Any]
    moves: Sequence[str]
    instance: Any
    standing: Standing
    seed: int


class Contestant(Protocol):
    """Somebody who plays."""

    @property
    def name(self) -> str:
        """What the player is called in a table."""

    def move(self, turn: Turn) -> str:
        """A legal move."""

    def close(self) -> None:
        """Ends what the player has running."""


@dataclass(frozen=True)
class Computer:
    """A computer player of the game itself, by its level or its name."""

    level: int | str

    @property
    def name(self) -> str:
        """The level in words, or the name.

        >>> Computer(3).name, Computer("original").name
        ('level 3', 'original')
        """
        return f"level {self.level}" if isinstance(self.level, int) else self.level

    def move(self, turn: Turn) -> str:
        """The move of that level."""
        reply = turn.game.interaction.reply
        if reply is None:
            raise ModelError(f"{turn.game.title} has no computer player")
        return reply(turn.instance, self.level, turn.seed)

    def close(self) -> None:
        """Nothing runs."""


class Program:
    """Another program: it gets a line of JSON per move and answers with one that holds ``move``."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.name = command
        self.patience = patience
        try:
            words = shlex.split(command)
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError, IndexError) as error:
            raise ModelError(f"the player {command!r} cannot be started: {error}") from error
        self.lines: queue.Queue[bytes] = queue.Queue(MOST_LINES)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            while line := self.process.stdout.readline(LONGEST + 1):
                self.lines.put(line)
                if len(line) > LONGEST:
                    break
        self.lines.put(b"")  # the end

    def move(self, turn: Turn) -> str:
        """The move that the program answers with; ModelError when that is none, TimeLimitError when it takes too long."""
        cells = turn.game.interaction.cells
        request = {
            "action": "move",
            "game": turn.game.name,
            "new": dict(turn.new),
            "moves": list(turn.moves),
            "seed": turn.seed,
            "cells": None if cells is None else cells(turn.instance),
            "standing": {**vars(turn.standing), "legal": list(turn.standing.legal)},
        }
        reply = self._ask(request)
        if "error" in reply:
            told = f"{reply['error']!s:.200}"
            raise ModelError(f"{self.name} refused to move after {' '.join(turn.moves) or 'no move'}: {told}")
        if not isinstance(reply.get("move"), str):
            raise ModelError(f"{self.name} answered {reply!r:.200}: expected an object with a move, such as {{'move': '4'}}")
        return str(reply["move"])

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=self.patience)
        except queue.Empty:
            raise TimeLimitError(f"{self.name} gave no move within {self.patience:g} s") from None
        except OSError:  # it has closed its input: what it said last, if anything, does not matter
            line = b""
        if not line:
            raise ModelError(f"{self.name} has ended in the middle of a game (exit code {self._ended()})")
        if len(line) > LONGEST:
            raise ModelError(f"{self.name} answered with more than {LONGEST:,} bytes: expected a line of JSON")
        shown = f"{line.strip().decode(errors='backslashreplace')!r:.200}"
        try:
            reply = json.loads(line.decode())
        except UnicodeDecodeError as error:
            raise ModelError(f"{self.name} answered {shown}, which is no UTF-8 ({error.reason}): expected a line of JSON") from None
        except RecursionError:
            raise ModelError(f"{self.name} answered {shown:.60}, nested too deeply: expected a line of JSON") from None
        except ValueError:
            raise ModelError(f"{self.name} answered {shown}: expected a line of JSON") from None
        if not isinstance(reply, dict):
            raise ModelError(f"{self.name} answered {shown}: expected an object of JSON")
        return reply

    def _ended(self) -> int | None:
        try:
            return self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """Asks the program to end, and ends it if it does not."""
        assert self.process.stdin is not None
        try:
            if self.process.poll() is None:
                self.process.stdin.write(b'{"action": "quit"}\n')
            self.process.stdin.close()
        except OSError:  # it is gone already
            pass
        if self._ended() is None:
            self.process.kill()
            self.process.wait()
        with suppress(queue.Empty):
            while self.listener.is_alive():  # it may wait to put a line
                self.lines.get(timeout=0.05)
        self.listener.join(GRACE)  # a child of the program may still hold its output


def contestant(game: Game, text: str, patience: float = PATIENCE) -> Contestant:
    """The player that a word stands for: a level, a name, or the command of a program.

    >>> from cpsolve import catalogue
    >>> game = next(catalogue.game(name) for name in catalogue.games() if catalogue.game(name).interaction.reply)
    >>> contestant(game, "2")
    Computer(level=2)
    """
    levels, named = game.interaction.levels, game.interaction.named_levels
    if text.isdecimal():
        if len(text) > 9 or int(text) not in levels:
            raise ModelError(f"{game.title} has no level {text:.20}; it has {', '.join(map(str, levels))}")
        return Computer(int(text))
    if text in named:
        return Computer(text)
    try:
        return Program(text, patience)
    except ModelError as error:
        known = ", ".join(map(str, (*levels, *named)))
        raise ModelError(f"{error}; {game.title} itself has {known}") from error

"""A game as a person meets it: a board, a cursor, what was done so far, and ``do(command)``.

A :class:`Session` reads no key and writes on no screen, so a test plays it by calling ``do``; a terminal turns keys or typed lines into
commands and shows what the session says. A :class:`Menu`, a question with a few answers, is a session too.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from cpsolve.errors import IllegalMoveError, ModelError

T = TypeVar("T")

WORDS = {"u": "undo", "h": "hint", "w": "why", "?": "help", "q": "quit", "n": "new", "exit": "quit"}
"""Short for a command, in every game."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
"""Columns to the right and rows down."""

DIGITS = 9
"""Longer numbers name no cell; Python refuses to read very long ones."""


def numbers_in(text: str) -> tuple[int, ...] | None:
    """The whole numbers that a typed move consists of; None when it is anything else.

    >>> numbers_in("(3, 4)"), numbers_in("3 4."), numbers_in("4"), numbers_in("four")
    ((3, 4), (3, 4), (4,), None)
    """
    words = re.split(r"[\s,]+", text.strip().strip("()[].").strip())
    return tuple(map(int, words)) if all(word.isdecimal() and len(word) <= DIGITS for word in words) else None


class Session(ABC):
    """A game in progress as a person meets it; ``do`` carries out one command, the rest says what there is to see.

    A subclass lists its commands in ``commands`` (word to method, which gets the rest of the line) and reads a move in ``move``.
    """

    title: str = ""
    help: str = ""
    """What can be done, a line each."""
    words: ClassVar[Mapping[str, str]] = WORDS
    keys: str = "arrows: move  Enter: play  u: undo  h: hint  w: why  n: new  ?: help  q: quit"
    """The keys, in one line."""
    slow: frozenset[str] = frozenset({"hint", "why"})
    """Commands that may take a while."""
    width: int = 80
    """The columns that a line of the board may have."""
    pace: float = 0.0
    """Seconds for which the board stays on a screen before the computer's next move."""

    def __init__(self) -> None:
        self.message = ""
        self.closed = False

    def do(self, command: str) -> str:
        """Carries out a command; returns what there is to say about it, which is also kept as ``message``."""
        self.message = ""
        rest = command.strip().partition(" ")[2]
        method = self.commands().get(self.word(command))
        try:
            if method is not None:
                method(rest.strip())
            else:
                self.move(command.strip())
        except (IllegalMoveError, ModelError) as error:
            self.message = str(error).splitlines()[0]  # what follows the first line is the board, which is in sight already
        return self.message

    def word(self, command: str) -> str:
        """The full word of the command that a line begins with."""
        first = command.strip().partition(" ")[0].lower().rstrip(".")  # the originals end every answer with a full stop
        return self.words.get(first, first)

    def commands(self) -> dict[str, Callable[[str], None]]:
        """The commands by their words."""
        arrows = {name: self._arrow(*step) for name, step in ARROWS.items()}
        return {**arrows, "help": self._help, "quit": self._quit}

    def _arrow(self, right: int, down: int) -> Callable[[str], None]:
        return lambda rest: self.go(right, down)

    def _help(self, rest: str) -> None:
        self.message = self.help

    def _quit(self, rest: str) -> None:
        self.closed = True

    @abstractmethod
    def move(self, text: str) -> None:
        """Plays a typed move, or says what was expected."""

    @abstractmethod
    def go(self, right: int, down: int) -> None:
        """Moves the cursor by a number of columns and rows."""

    @abstractmethod
    def board(self, colour: bool, cursor: bool) -> str:
        """The board as text, with escape codes for colours or without, with the cursor or without."""

    @property
    @abstractmethod
    def status(self) -> str:
        """Whose turn it is, or how the game ended: one line."""

    @property
    def focus(self) -> float:
        """Where the cursor is on the board, from 0 at the top to 1 at the bottom."""
        return 0.5

    @property
    def busy(self) -> bool:
        """Whether the computer is to move."""
        return False

    @property
    def watched(self) -> bool:
        """Whether nobody but the computer plays, so that the end of the game needs no answer."""
        return False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return False

    def advance(self) -> None:
        """Makes the computer's move."""
        raise NotImplementedError(f"{type(self).__name__} has no computer player")


# -- menus


class Menu(Session, Generic[T]):
    """A question with a few answers to choose from, by cursor or by number; ``read`` takes typed answers that are not listed.

    >>> menu = Menu("How many?", [(5, "few"), (7, "many")])
    >>> menu.do("2.")
    ''
    >>> menu.answer
    7
    """

    keys = "arrows: choose  Enter: take it  q: quit; or type the number"
    slow = frozenset()

    def __init__(self, question: str, options: Sequence[tuple[T, str]], read: Callable[[str], T] | None = None, title: str = "") -> None:
        super().__init__()
        self.title = title
        self.question = question
        self.options = options
        self.read = read
        self.cursor = 0
        self.answer: T | None = None

    def commands(self) -> dict[str, Callable[[str], None]]:
        """Those of every session, and Enter."""
        return {**super().commands(), "play": lambda rest: self._choose(self.options[self.cursor][0])}

    def _help(self, rest: str) -> None:
        self.message = self.keys

    def go(self, right: int, down: int) -> None:
        """Moves to another option."""
        self.cursor = (self.cursor + right + down) % len(self.options)

    def move(self, text: str) -> None:
        """Takes a typed answer: the number of an option, or what ``read`` understands."""
        if self.read is not None:
            self._choose(self.read(text))
            return
        numbers = numbers_in(text)
        if numbers is None or len(numbers) != 1 or not 1 <= numbers[0] <= len(self.options):
            raise ModelError(f"expected a number from 1 to {len(self.options)}, or q to leave, not {text!r}")
        self._choose(self.options[numbers[0] - 1][0])

    def _choose(self, answer: T) -> None:
        self.answer = answer
        self.closed = True

    def board(self, colour: bool, cursor: bool) -> str:
        """The question and its answers."""
        lines = [self.question]
        for number, (value, text) in enumerate(self.options, start=1):
            here = cursor and number == self.cursor + 1
            line = f"{'>' if here else ' '} {value if self.read else number} - {text}"
            lines.append(f"\x1b[1m{line}\x1b[0m" if here and colour else line)
        return "\n".join(lines)

    @property
    def status(self) -> str:
        """Nothing: the question says it."""
        return ""

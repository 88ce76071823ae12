"""The two ways in which a game talks to a person: keys and a screen that is drawn in place, or typed lines and plain text.

What a person does becomes a command (a word, or a move such as ``3,4``), whichever way it came; what is shown is what a session tells. The
screen is the terminal's second one, so that nothing of the person's own is overwritten, and the terminal is given back as it was when a
game ends, fails, is interrupted or suspended.
"""

from __future__ import annotations

import os
import signal
import sys
import textwrap
from abc import ABC, abstractmethod
from contextlib import ExitStack
from types import FrameType
from typing import TYPE_CHECKING

from cpsolve.app.terminal.keys import END, Keyboard
from cpsolve.drawing.text import written_in
from cpsolve.words import printable

if TYPE_CHECKING:
    from cpsolve.puzzles.sessions import Session

WIDTH = 80
"""Columns of a line of plain text, at most, unless it is part of a board."""


class Console(ABC):
    """Where a session is shown and where its commands come from."""

    def __enter__(self) -> Console:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    @abstractmethod
    def show(self, session: Session) -> None:
        """Shows a session as it is now."""

    @abstractmethod
    def command(self, session: Session, within: float | None = None) -> str | None:
        """The person's next command; "" when none comes ``within`` that number of seconds, None at the end of input."""

    def note(self, text: str) -> None:  # noqa: B027 - a console need not show it
        """Tells that something takes a while."""

    @abstractmethod
    def farewell(self, session: Session) -> None:
        """What stays in sight after a game."""


class LineConsole(Console):
    """Typed lines in, plain text out: for pipes, files and terminals that know no escape codes.

    A line that does not come from a terminal is written out after its prompt, so that what was written reads as a game.
    """

    def __init__(self) -> None:
        self._shown = ""

    def show(self, session: Session) -> None:
        """Writes the board when it has changed, then the message and the status."""
        board = session.board(colour=False, cursor=False)
        lines = [] if board == self._shown else ["", board]
        self._shown = board
        message = [textwrap.fill(line, WIDTH) if len(line) > WIDTH else line for line in session.message.splitlines()]
        write_plain("\n".join([*lines, *message, session.status]) + "\n")

    def command(self, session: Session, within: float | None = None) -> str | None:
        """The next line; the computer never waits for one, and a game that is only watched ends by itself."""
        if within is not None:
            return ""
        if session.over and session.watched:
            return None
        line = self._read()
        return line.strip() if line else None

    def _read(self) -> str:
        write_plain("> ")
        line = sys.stdin.readline()
        if not line or not sys.stdin.isatty():
            write_plain(printable(line.rstrip("\n")) + "\n")
        return line

    def farewell(self, session: Session) -> None:
        """Nothing more: all has been written."""


def write_plain(text: str) -> None:
    """Writes text at once; where the output knows no lines and dots, with the nearest plain characters.

    >>> write_plain("x to move\\n")
    x to move
    """
    sys.stdout.write(written_in(text, sys.stdout.encoding))
    sys.stdout.flush()


ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""A screen of its own, no cursor, no wrapping of long lines."""
LEAVE_SCREEN = "\x1b[?7h\x1b[?25h\x1b[?1049l"
FREE_LINES = 2
"""Lines below what is drawn: for a note or what is being typed, and for progress."""
STARTS_TYPING = frozenset("0123456789(:")
"""Keys after which the rest of a command is typed, up to Enter; a colon is not part of it."""


class KeyConsole(Console):
    """Keys in, a screen drawn in place out; the terminal is restored when the ``with`` ends, and while the game is suspended."""

    def __init__(self) -> None:
        self.colour = not os.environ.get("NO_COLOR")  # set but empty means nothing: no-color.org
        self._screen = sys.stdout.fileno()
        self._keyboard = Keyboard()
        self._typing: str | None = None
        self._session: Session | None = None
        self._open = ExitStack()

    # -- the terminal, taken and given back

    def __enter__(self) -> KeyConsole:
        with ExitStack() as stack:  # whatever fails on the way in is undone
            stack.enter_context(self._keyboard)
            stack.callback(self._write, LEAVE_SCREEN)
            self._write(ENTER_SCREEN)
            for name, handler in (("SIGTSTP", self._suspend), ("SIGWINCH", self._resize), ("SIGTERM", self._terminate)):
                if hasattr(signal, name):
                    number = getattr(signal, name)
                    stack.callback(signal.signal, number, signal.signal(number, handler))
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _suspend(self, number: int, frame: FrameType | None) -> None:
        self._write(LEAVE_SCREEN)
        self._keyboard.give_back()
        mine = signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # stops here; what follows happens when the person comes back
        signal.signal(number, mine)
        self._keyboard.take()
        self._write(ENTER_SCREEN)
        self._draw()

    def _resize(self, number: int, frame: FrameType | None) -> None:
        self._draw()

    def _terminate(self, number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def _write(self, text: str) -> None:
        """Straight to the terminal: a signal may come at any time, and buffers of files do not allow a second writer."""
        encoding = sys.stdout.encoding or "utf-8"
        left = written_in(text, encoding).encode(encoding)
        while left:
            left = left[os.write(self._screen, left) :]

    # -- the screen

    def show(self, session: Session) -> None:
        """Draws a session over what was there."""
        self._session = session
        self._draw()

    def _draw(self) -> None:
        if self._session is not None:
            lines = self._frame(self._session, *self._size())
            self._write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J" + self._typed_line())

    def _size(self) -> tuple[int, int]:
        """Columns and rows, asked anew for every drawing: the person may have changed them; some terminals do not know and say 0."""
        columns, rows = os.get_terminal_size(self._screen)
        return columns or 80, rows or 24

    def _frame(self, session: Session, width: int, height: int) -> list[str]:
        """The title, the board and what there is to say.

        Where that is too high: no title, and below what stands above the board's frame (the numbers of its columns, say) the part of
        the board around the cursor, with a word on the lines that are out of sight above and below. Lines that are too long end in dots.
        """
        session.width = width
        told = [part for line in session.message.splitlines() for part in textwrap.wrap(line, width) or [""]]
        head, foot = [session.title[:width], ""], [session.status, *told, "", *textwrap.wrap(session.keys, width)]
        board = session.board(self.colour, cursor=True).splitlines()
        room = height - FREE_LINES - len(foot)
        if len(head) + len(board) > room:
            above = next((number for number, line in enumerate(board) if "┌" in line), 0)
            head, board = (board[:above], board[above:]) if 2 * above < room else ([], board)
            board = _in_sight(board, room - len(head), session.focus)
        return [*self._coloured([*head, *board], width), *foot][: height - FREE_LINES]

    def _coloured(self, lines: list[str], width: int) -> list[str]:
        """Lines in the colours that the terminal has, no longer than it is wide."""
        if not lines:
            return []
        from rich.console import Console

        from cpsolve.drawing.text import in_colours_of

        terminal = Console(force_terminal=True)  # a new one each time: a signal may ask for a drawing within a drawing
        with terminal.capture() as captured:
            for line in in_colours_of(terminal, "\n".join(lines)).split():
                line.truncate(width, overflow="ellipsis")
                terminal.print(line, soft_wrap=True)
        return captured.get().splitlines()

    def _typed_line(self) -> str:
        return "" if self._typing is None else f": {printable(self._typing)}_"

    def note(self, text: str) -> None:
        """Writes on the first free line at the bottom; progress is shown on the second."""
        self._write(f"\r{text}\x1b[K\n")

    def farewell(self, session: Session) -> None:
        """The last board, on the terminal's own screen."""
        width, _ = self._size()
        session.width = width
        board = self._coloured(session.board(self.colour, cursor=False).splitlines(), width)
        write_plain("\n".join([*board, *session.message.splitlines(), session.status]) + "\n")

    # -- the keys

    def command(self, session: Session, within: float | None = None) -> str | None:
        """The command of the next key, or of a line that was typed."""
        while True:
            key = self._keyboard.read(within)
            if key is None:
                return ""
            if key == END:
                return None
            command = self._press(key)
            if command:
                return command
            self._draw()

    def _press(self, key: str) -> str:
        """The command that a key completes; "" when it completes none."""
        if self._typing is None:
            if key in STARTS_TYPING:
                self._typing = key.strip(":")
                return ""
            return {"enter": "play", " ": "play", "escape": ""}.get(key, key)
        if key == "enter":
            command, self._typing = self._typing.strip(), None
            return command
        if key == "escape":
            self._typing = None
        elif key == "backspace":
            self._typing = self._typing[:-1] or None
        elif len(key) == 1:
            self._typing += key
        return ""


def _in_sight(lines: list[str], room: int, focus: float) -> list[str]:
    """The lines around a focus (0 the first, 1 the last) that there is room for; where others are left out a line says how many.

    >>> _in_sight([f"row {number}" for number in range(1, 8)], 4, 0.5)
    ['↑ 3 more lines', 'row 4', 'row 5', '↓ 2 more lines']
    """
    if len(lines) <= room:
        return lines
    room = max(room, 3)
    first = min(max(0, round(focus * len(lines)) - room // 2), len(lines) - room)
    last = first + room
    above = [] if first == 0 else [f"↑ {first + 1} more lines"]
    below = [] if last == len(lines) else [f"↓ {len(lines) - last + 1} more lines"]
    return [*above, *lines[first + len(above) : last - len(below)], *below]


def on_a_terminal() -> bool:
    """Whether a person sits at a terminal that knows keys and escape codes.

    >>> import io, sys
    >>> before, sys.stdin = sys.stdin, io.StringIO()
    >>> on_a_terminal()
    False
    >>> sys.stdin = before
    """
    capable = sys.platform == "win32" or os.environ.get("TERM", "dumb") != "dumb"
    return capable and sys.stdin.isatty() and sys.stdout.isatty()

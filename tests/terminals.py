"""A terminal for tests: a program on a pseudo-terminal, keys sent to it, its screen read back; and a small game to run there."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any

from cpsolve import catalogue
from cpsolve.app.terminal.loop import play_game
from cpsolve.errors import ModelError
from cpsolve.puzzles.sessions import Session, numbers_in

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
CTRL_C, CTRL_D, CTRL_Z = "\x03", "\x04", "\x1a"
HANGING = 120
"""Seconds without the expected text after which a program counts as hanging; no test waits that long unless it fails."""

CONTROLLING = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
"""Makes the terminal the one whose Ctrl-C reaches the program."""


def playing(game: str) -> Callable[..., int]:
    """What ``cpsolve play`` does for a game: a function of the choices."""
    return partial(play_game, catalogue.game(game))


class Terminal:
    """A Python program that runs on a terminal of its own."""

    def __init__(self, program: str, rows: int = 40, columns: int = 100, environment: Mapping[str, str] | None = None) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = self.settings()
        inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        variables = {**inherited, "TERM": "xterm-256color", **(environment or {})}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONTROLLING + program],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=variables,
            start_new_session=True,
        )
        self.written = ""

    def settings(self) -> list[Any]:
        """How the terminal is set: what must be the same before and after."""
        import termios

        return termios.tcgetattr(self.slave)

    def send(self, keys: str) -> None:
        """Presses keys."""
        os.write(self.master, keys.encode())

    def expect(self, text: str) -> str:
        """Reads until the text is on the screen; returns the screen. What was on it before does not count."""
        seen, waited = self.written, 0
        while text not in plain(self.written[len(seen) :]):
            ended = self.process.poll() is not None  # asked first: what it wrote before it ended is still there to be read
            if select.select([self.master], [], [], 0 if ended else 1)[0]:
                self.written += os.read(self.master, 65536).decode(errors="replace")
            else:
                waited += 1
                if ended or waited == HANGING:
                    raise AssertionError(f"waited in vain for {text!r}; the screen is\n{self.screen}")
        return self.screen

    def press(self, keys: str, text: str) -> str:
        """Presses keys and waits for what they lead to."""
        self.send(keys)
        return self.expect(text)

    @property
    def screen(self) -> str:
        """What is on the screen: every drawing begins at the upper left."""
        return plain(self.written.rsplit("\x1b[H", 1)[-1])

    def end(self) -> int:
        """Waits until the program has ended; returns its exit code."""
        code = self.process.wait(HANGING)
        while select.select([self.master], [], [], 0)[0]:
            self.written += os.read(self.master, 65536).decode(errors="replace")
        return code

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was: its settings, the first screen, a visible cursor, long lines wrapped."""
        switches = [("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?7l", "\x1b[?7h")]
        back = all(self.written.rfind(after) > self.written.rfind(before) >= 0 for before, after in switches)
        return back and self.settings() == self.before

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


def plain(text: str) -> str:
    """Text without escape codes."""
    return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text).replace("\r\n", "\n")


class Counter(Session):
    """A game for tests: type a number to add it; the arrows choose what Enter adds."""

    title = "Counter"
    help = "type a number"

    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.cursor = 1

    def move(self, text: str) -> None:
        numbers = numbers_in(text)
        if numbers is None:
            raise ModelError(f"expected a number, not {text!r}\nand this second line is not told")
        self.total += sum(numbers)

    def go(self, right: int, down: int) -> None:
        self.cursor += right + 10 * down

    def commands(self) -> dict[str, Callable[[str], None]]:
        return {**super().commands(), "play": lambda rest: self.move(str(self.cursor)), "fail": self._fail}

    def _fail(self, rest: str) -> None:
        raise RuntimeError("the game broke")

    def board(self, colour: bool, cursor: bool) -> str:
        return f"total {self.total}" + (f" cursor {self.cursor}" if cursor else "")

    @property
    def status(self) -> str:
        return "go on"


class Tall(Counter):
    """A hundred rows with the cursor on the eightieth."""

    def board(self, colour: bool, cursor: bool) -> str:
        return "\n".join(f"row {number} " for number in range(1, 101))

    @property
    def focus(self) -> float:
        return 0.8

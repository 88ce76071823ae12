"""The keyboard of a terminal, key by key: arrows and letters as they are pressed, without waiting for Enter.

A key is a word (``"left"``, ``"enter"``, ``"escape"`` …) or is the character itself. Terminals send an arrow as several
characters that begin with Escape, so a lone Escape is one after which nothing follows for a moment. Ctrl-C stays what it is elsewhere:
KeyboardInterrupt. POSIX terminals are switched to that mode and back by ``termios``; on Windows ``msvcrt`` reads single keys.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
from contextlib import ExitStack
from types import TracebackType

PATIENCE = 0.05
"""Seconds to wait for what follows an Escape before it counts as the key of that name."""

END = "end of input"
"""The key that stands for a terminal that was closed, and for Ctrl-D."""

_NAMED = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\t": "tab", "\x04": END}
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*([@-~])|O([@-~]))")
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


def next_key(typed: str) -> tuple[str | None, str]:
    """The first key of what was typed, and the rest; None when more characters are needed to tell.

    Sequences that stand for no key in use (F5, say) are the key ``""``.

    >>> next_key("\\x1b[A3"), next_key("q"), next_key("\\x1b["), next_key("\\r")
    (('up', '3'), ('q', ''), (None, '\\x1b['), ('enter', ''))
    """
    if not typed or _UNFINISHED.match(typed):
        return None, typed
    found = _SEQUENCE.match(typed)
    if found:
        plain = found.end() <= 3  # with a modifier, as in Shift-Up, it is another key
        return _ARROWS.get(found[1] or found[2], "") if plain else "", typed[found.end() :]
    if typed[0] == "\x1b":
        return "escape", typed[1:]
    character = typed[0]
    return _NAMED.get(character, character if character.isprintable() else ""), typed[1:]


if sys.platform == "win32":
    import ctypes
    import msvcrt
    import time

    _WINDOWS_ARROWS = {"H": "up", "P": "down", "K": "left", "M": "right"}

    class Keyboard:
        """Keys of the console, one at a time."""

        def __enter__(self) -> Keyboard:
            console = ctypes.windll.kernel32
            screen = console.GetStdHandle(-11)
            mode = ctypes.c_ulong()
            if console.GetConsoleMode(screen, ctypes.byref(mode)):
                console.SetConsoleMode(screen, mode.value | 4)  # ENABLE_VIRTUAL_TERMINAL_PROCESSING: obey escape codes
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def read(self, within: float | None = None) -> str | None:
            """The next key; None when none is pressed ``within`` that number of seconds."""
            end = None if within is None else time.monotonic() + within
            while not msvcrt.kbhit():
                if end is not None and time.monotonic() >= end:
                    return None
                time.sleep(0.01)
            character = msvcrt.getwch()
            if character == "\x03":
                raise KeyboardInterrupt
            if character in "\x00\xe0":
                return _WINDOWS_ARROWS.get(msvcrt.getwch(), "")
            return "escape" if character == "\x1b" else next_key(character)[0]

else:
    import termios
    import tty

    class Keyboard:
        """Keys of the terminal on standard input, one at a time; leaving the ``with`` restores the terminal as it was.

        A signal writes into a pipe that is waited for together with the keys: one that comes just before the waiting begins would
        otherwise be noticed only at the next key.
        """

        def __init__(self) -> None:
            self._input = sys.stdin.fileno()
            self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
            self._typed = ""
            self._before = termios.tcgetattr(self._input)
            self._open = ExitStack()

        def __enter__(self) -> Keyboard:
            with ExitStack() as stack:
                self._signals, signalled = os.pipe()
                for end in (self._signals, signalled):
                    stack.callback(os.close, end)
                    os.set_blocking(end, False)
                stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(signalled, warn_on_full_buffer=False))
                stack.callback(self.give_back)
                self.take()
                self._open = stack.pop_all()
            return self

        def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
            self._open.close()

        def take(self) -> None:
            """Switches the terminal to single keys, as it now is."""
            self._before = termios.tcgetattr(self._input)
            tty.setcbreak(self._input, termios.TCSADRAIN)

        def give_back(self) -> None:
            """Sets the terminal as it was: at the end, and while the program sleeps."""
            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

        def read(self, within: float | None = None) -> str | None:
            """The next key; None when none is pressed ``within`` that number of seconds."""
            while True:
                key, self._typed = next_key(self._typed)
                if key is not None:
                    return key
                patience = PATIENCE if self._typed else within
                ready = select.select([self._input, self._signals], [], [], patience)[0]
                if not ready:
                    if not self._typed:
                        return None
                    self._typed = ""
                    return "escape"
                if self._signals in ready:  # what is to be done about it is done by its handler, which has run by now
                    os.read(self._signals, 1024)
                    continue
                try:
                    read = os.read(self._input, 1024)
                except OSError:  # what a terminal that is gone answers
                    return END
                if not read:
                    return END
                self._typed += self._decode(read)

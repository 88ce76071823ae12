"""The command line: one file per command of ours; ``building`` makes those that follow from the games' descriptions.

Exit codes: 0 solved, 1 no solution, 2 bad input, 3 limit reached, 70 a bug of ours, 130 stopped by Ctrl-C. Games and solvers are
imported only by the commands that need them, and help is plain text, so that the command line answers at once. This file itself loads
nothing before :func:`main` runs, so that Ctrl-C is heard from then on.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsolve.app.command.commands import app

__all__ = ["app", "main"]

STOPPED = 130
"""The exit code after Ctrl-C, before there is anything that could tell more of it."""


def main() -> None:
    """Runs the command line."""
    try:
        if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(sys.argv[0])):
            del sys.path[0]  # the folder of commands: what others leave there (PySAT has a models.py) must not hide a package
        _prepare()
        from cpsolve.app.command.commands import app
        from cpsolve.app.command.outcome import bug

        try:
            app(prog_name="cpsolve")
        except Exception as error:
            sys.exit(bug(error))
    except KeyboardInterrupt:  # before a command began, or while it cleaned up
        sys.exit(STOPPED)


def _prepare() -> None:
    """Makes streams, numbers and the size of the terminal what commands can rely on."""
    from cpsolve.words import allow_long_numbers

    allow_long_numbers()
    for name in ("COLUMNS", "LINES"):
        size = os.environ.get(name, "")
        if size and not (size.isascii() and size.isdecimal() and int(size)):
            del os.environ[name]  # no terminal has none: rich would believe it, and print nothing
    _open_missing()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign gets a question mark, not a traceback
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="backslashreplace")  # a typed line that is no text is refused by what reads it


def _open_missing() -> None:
    """Puts something in the place of standard streams that are closed: a file that is opened later must not get their numbers.

    What is written to an output that is closed fails, as to a full disk; messages for people go nowhere; input is seen to be closed.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest number that is free
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def __getattr__(name: str) -> Any:
    """``app``, all commands together, is loaded when it is first used."""
    if name == "app":
        from cpsolve.app.command.commands import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""How a command ends: exit codes, and one place where errors become a line on standard error instead of a traceback."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

from cpsolve import catalogue, files
from cpsolve.catalogue import Command, Game, MissingOption, Option
from cpsolve.errors import CPSolveError, InfeasibleError, LimitError, SolverError
from cpsolve.limits import LONGEST
from cpsolve.words import printable

SOLVED, NO_SOLUTION, BAD_INPUT, LIMIT_REACHED, INTERNAL, INTERRUPTED, UNHEARD = 0, 1, 2, 3, 70, 130, 141
"""The exit codes: 70 is a bug of ours, as sysexits.h has it; the last two are what shells use for Ctrl-C and for an output that nobody
reads any more, as in ``| head``."""
TRACEBACK = "CPSOLVE_TRACEBACK"
"""The environment variable that asks for the traceback of a bug."""


class BadInput(Exception):
    """What the user gave cannot be used; the message says why and what to give instead."""


USAGE_ERROR: Any = typer.BadParameter.__base__
"""What typer raises, and shows, for words that it does not understand."""


class Commands(TyperGroup):
    """The group of all commands, those of single games included: turns what a command raises into a message and an exit code."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Takes the words apart, and answers those such as ``--help`` that need no command."""
        with _ending():
            return super().make_context(info_name, args, parent, **extra)

    def list_commands(self, ctx: Any) -> list[str]:
        """Our commands and those that games bring along."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in catalogue.commands() if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name, loaded if it is a game's."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in catalogue.commands():
            return own
        from cpsolve.app.command.game_command import command_named

        return command_named(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Ours with a word on each; of those that games bring along the names alone, so that no game has to be loaded."""
        rows = [(name, command.get_short_help_str(66)) for name, command in sorted(self.commands.items()) if not command.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        if catalogue.commands():
            with formatter.section("Commands of single games (cpsolve COMMAND --help says more)"):
                formatter.write_text(", ".join(catalogue.commands()))

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        with _ending():
            return super().invoke(ctx)


@contextmanager
def _ending() -> Iterator[None]:
    """Turns what is raised inside into a message and an exit code."""
    try:
        yield
    except USAGE_ERROR as error:
        error.message = printable(error.message)  # words that are quoted because they were not understood do not steer the terminal
        _tell(error.show)
        raise typer.Exit(error.exit_code) from error
    except KeyboardInterrupt:
        raise _end("stopped", INTERRUPTED) from None
    except BrokenPipeError:
        _forget(sys.stdout)
        raise typer.Exit(UNHEARD) from None
    except BadInput as error:
        raise _end(str(error), BAD_INPUT) from error
    except SolverError:
        raise  # a wrong answer of a solver is a bug, told as one
    except CPSolveError as error:
        raise _end(str(error), code_of(error)) from error
    except MemoryError:  # not a limit of ours
        raise _end("there is not enough memory for this instance", LIMIT_REACHED) from None
    except OSError as error:  # a full disk, say; files that were given by name have been reported already
        _forget(sys.stdout)
        raise _end(f"cannot write {error.filename or 'the answer'}: {trouble(error)}", BAD_INPUT) from error
    except RecursionError:
        raise _end("this instance is nested or linked too deeply", LIMIT_REACHED) from None


def bug(error: Exception) -> int:
    """Tells of a bug in one line, with the traceback for those who ask for it; returns the exit code."""
    if os.environ.get(TRACEBACK):
        _tell(lambda: traceback.print_exception(error))
    again = "" if os.environ.get(TRACEBACK) else f" Please run it again with {TRACEBACK}=1 and report what that prints, with the input."
    told = " ".join(str(error).split())
    note(f"internal error, no fault of yours: {type(error).__name__}: {told[:300]}.{again}")
    return INTERNAL


def _forget(stream: TextIO | None) -> None:
    """Whatever is still to be written there goes nowhere."""
    with suppress(OSError, AttributeError):  # one that has no file, or is closed, keeps nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]


def _tell(write: Callable[[], None]) -> None:
    """Writes to standard error; that nobody can read it changes nothing about how a command ends."""
    try:
        write()
    except OSError:
        _forget(sys.stderr)


def trouble(error: OSError) -> str:
    """What the system says of a file, in lower case.

    >>> trouble(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    return (error.strerror or str(error)).lower()


def seconds(value: float | None) -> float | None:
    """A number of seconds that was given as an option, if it was: neither endless nor no number.

    >>> seconds(0.5)
    0.5
    """
    if value is not None and not value <= LONGEST:
        raise typer.BadParameter(f"expected seconds, at most {LONGEST:,}, not {value:g}")
    return value


def note(message: str) -> None:
    """Tells something on standard error, where it is in nobody's way."""
    _tell(lambda: typer.echo(f"cpsolve: {printable(message)}", err=True))


def _end(message: str, code: int) -> typer.Exit:
    note(message)
    return typer.Exit(code)


def code_of(error: CPSolveError) -> int:
    """The exit code that an error stands for.

    >>> code_of(InfeasibleError("none")), code_of(LimitError("late")), code_of(CPSolveError("odd"))
    (1, 3, 2)
    """
    if isinstance(error, InfeasibleError):
        return NO_SOLUTION
    return LIMIT_REACHED if isinstance(error, LimitError) else BAD_INPUT


@contextmanager
def reading(source: str) -> Iterator[None]:
    """Errors inside are about the text of ``source``, and say so.

    >>> from cpsolve.errors import FormatError
    >>> with reading("board.pl"):
    ...     raise FormatError("expected a fact", 3, 7)
    Traceback (most recent call last):
    cpsolve.app.command.outcome.BadInput: board.pl: line 3, column 7: expected a fact
    """
    try:
        yield
    except LimitError:
        raise  # the input may be as it should
    except CPSolveError as error:
        raise BadInput(f"{source}: {error}") from error


def read(source: str, names: Iterable[str] = ()) -> str:
    """The text of a file, or of standard input for ``-``: UTF-8 whatever the terminal speaks, with or without a byte order mark.

    Where ``names`` could have been given instead of a file, a file that is not there may be one of them, misspelt.
    """
    if source == "-" and sys.stdin is None:
        raise BadInput("cannot read standard input: it is closed; give a file")
    try:
        return files.text_of(sys.stdin.buffer) if source == "-" else files.read(source)
    except OSError as error:
        known = f"; instances with a name are {', '.join(names)}" if names and isinstance(error, FileNotFoundError) else ""
        raise BadInput(f"cannot read {name_of(source)}: {trouble(error)}{known}") from error
    except CPSolveError as error:
        raise BadInput(f"cannot read {name_of(source)}: {error}") from error


def asking(make: Callable[[dict[str, Any]], Any], given: dict[str, Any], options: Iterable[Option]) -> Any:
    """What ``make`` makes of the options that were given; one that it misses is asked for where somebody can answer."""
    while True:
        try:
            return make(given)
        except MissingOption as missing:
            option = next((each for each in options if each.name == missing.option), None)
            if option is None or not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
                raise
            note(str(missing))
            try:
                given = {**given, option.name: typer.prompt(option.help.rstrip("."), type=option.kind, err=True)}
            except typer.Abort:
                raise KeyboardInterrupt from None


def load(owner: Game | Command, source: str | None, options: Mapping[str, Any]) -> Any:
    """The instance that a word on the command line stands for: a name, a text, a file; the game's own without any."""
    given = {name: value for name, value in options.items() if value is not None}
    instances = owner.instances() if isinstance(owner, Game) else {}
    if source is None or (source in instances and not os.path.isfile(source)):
        if not isinstance(owner, Game):
            raise BadInput(f"give a {owner.metavar}, or - for standard input")
        with reading(source or "the game's own instance"):
            return asking(lambda options: owner.named(source, **options), given, owner.read_options)
    direct = owner.inline(source) and not os.path.isfile(source)  # a text may be longer than any file name
    text = source if direct else read(source, instances)
    with reading(repr(source) if direct else name_of(source)):
        return asking(lambda options: owner.read(text, **options), given, owner.read_options)


def name_of(source: str) -> str:
    """How messages call a source.

    >>> name_of("-"), name_of("board.pl")
    ('standard input', 'board.pl')
    """
    return "standard input" if source == "-" else source

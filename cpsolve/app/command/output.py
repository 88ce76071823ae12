"""What a command shows: sentences, pictures, tables and data on standard output, and signs of life on standard error.

Colours and moving text are for terminals only: into a pipe, with ``NO_COLOR`` or on a dumb terminal everything is plain text.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cpsolve.app.command.outcome import LIMIT_REACHED, BadInput, trouble
from cpsolve.drawing.text import WIDTH, in_colours_of, written_in
from cpsolve.progress import Progress
from cpsolve.words import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from cpsolve.catalogue import Answer
    from cpsolve.drawing import Picture


def console() -> Console:
    """Standard output as rich sees it now."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with 1, which means no solution here

    return Output(highlight=False, markup=False, emoji=False)


def in_colour(out: Console) -> bool:
    """Whether colours are welcome."""
    return out.is_terminal and not out.no_color and not out.is_dumb_terminal


def say(*sentences: str) -> None:
    """Prints sentences, wrapped at words on a terminal, as they are into a pipe."""
    out = console()
    for sentence in sentences:
        out.print(written_in(printable(sentence), out.encoding), soft_wrap=not out.is_terminal)


def show(picture: Picture) -> None:
    """Prints a picture, in colour where that is welcome; says so when it is wider than the terminal, which breaks its lines."""
    out = console()
    drawn = _rendered(picture, out)
    out.print(drawn, soft_wrap=True)
    if out.is_terminal and max(map(len, drawn.plain.splitlines()), default=0) > out.width:
        say("This picture is wider than the terminal; --svg FILE draws it whole.")


def _rendered(picture: Picture | str, out: Console) -> Text:
    from rich.text import Text

    if isinstance(picture, str):
        return Text(written_in(picture, out.encoding))
    text = picture.text(in_colour(out), out.width if out.is_terminal else WIDTH)
    return in_colours_of(out, text) if in_colour(out) else Text(written_in(text, out.encoding))


def animate(frames: Iterable[Picture | str], delay: float) -> None:
    """Shows pictures one after the other: in place on a terminal, below each other elsewhere."""
    from rich.live import Live

    out = console()
    if not out.is_terminal or out.is_dumb_terminal:
        for picture in frames:
            out.print(_rendered(picture, out), "", sep="\n", soft_wrap=True)
        return
    # a board larger than the terminal is cut, and dots say so: one that scrolls or wraps could not be drawn over
    with Live(console=out, auto_refresh=False, vertical_overflow="ellipsis") as live:
        for number, picture in enumerate(frames):
            if number:
                time.sleep(delay)
            frame = _rendered(picture, out)
            frame.no_wrap, frame.overflow = True, "ellipsis"
            live.update(frame, refresh=True)


def more_wanted(question: str) -> bool:
    """Whether the person wants another answer: space or ; for more, Enter for no more. Without a keyboard there is always more."""
    import sys

    from cpsolve.app.terminal.keys import END, Keyboard

    if not (console().is_terminal and sys.stdin is not None and sys.stdin.isatty()):
        return True
    typer.echo(question)
    with Keyboard() as keyboard:
        while True:
            key = keyboard.read()
            if key in (" ", ";"):
                return True
            if key in ("enter", "q", "escape", END):
                return False


def check_files(files: Mapping[str, str | None], as_json: bool) -> None:
    """BadInput for files that no picture can go to, before anything is solved; ``files`` are paths by what is to be in them."""
    wanted = {kind: path for kind, path in files.items() if path is not None}
    spoken = [f"--{kind}" for kind, path in wanted.items() if path == "-"] + ["--json"] * as_json
    if len(spoken) > 1:
        raise BadInput(f"standard output takes one of {', '.join(spoken)}, not both: give {spoken[0]} a file")
    for kind, path in wanted.items():
        if Path(path).suffix.lower() not in ("", f".{kind}"):
            raise BadInput(f"--{kind} writes {kind.upper()}: give it a file that ends in .{kind}, not {path}")
        if path != "-" and not Path(path).absolute().parent.is_dir():
            raise BadInput(f"cannot write {path}: no such file or directory")
    if "gif" in wanted:
        from cpsolve.drawing.images import check

        check("GIF")


def deliver(
    answer: Answer, title: str, files: Mapping[str, str | None], as_json: bool, step: int | None = None, seconds: float = 0.5
) -> None:
    """An answer in the form asked for: pictures in ``files``, data for scripts, else a picture and words, or the answer's own text."""
    wanted = {kind: path for kind, path in files.items() if path is not None}
    if wanted and answer.picture is None:
        raise BadInput(f"there is nothing to draw here: leave --{next(iter(wanted))} out")
    picture = None if answer.picture is None or (as_json and not wanted) else answer.picture()
    if picture is not None:
        for kind, path in wanted.items():
            put(_file(kind, picture, answer, title, step, seconds), path)
    if as_json:
        give(dict(answer.data()))
    elif answer.text is not None:
        typer.echo(answer.text())
    elif "-" not in wanted.values():
        if picture is not None:
            show(picture)
        say(*answer.sentences())


def _file(kind: str, picture: Picture, answer: Answer, title: str, step: int | None, seconds: float) -> bytes:
    """What a file of a kind holds: the picture, the one after a step, or the film where there is one."""
    from cpsolve.drawing import Film

    if kind == "svg":
        return f"{(picture if step is None else _after(answer, step)).svg()}\n".encode()
    film = Film(title, [picture] if answer.frames is None else answer.frames(), seconds)
    return film.gif() if kind == "gif" else film.html().encode()


def _after(answer: Answer, step: int) -> Picture:
    frames = [] if answer.frames is None else list(answer.frames())
    if step >= len(frames):
        known = f"the last step is {len(frames) - 1}" if frames else "there are no steps"
        raise BadInput(f"there is no picture after step {step}: {known}")
    return frames[step]


def put(data: bytes, path: str) -> None:
    """Writes to a file, or to standard output for ``-``."""
    from cpsolve.files import write

    if path == "-":
        typer.echo(data, nl=False)
        return
    try:
        write(path, data)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {trouble(error)}") from error


def give(data: Any) -> None:
    """Prints data as JSON, for scripts; in ASCII, which is right whatever the output's encoding. Numbers that JSON has not are a bug."""
    typer.echo(json.dumps(data, allow_nan=False))


def give_unknown(name: str, limit: Exception) -> int:
    """Tells a script that a limit was reached before there was an answer; returns the exit code."""
    give({"game": name, "status": "unknown", "reason": str(limit)})
    return LIMIT_REACHED


def working(label: str) -> Progress:
    """A line on standard error that says how long the work inside has lasted, from the second second on; on terminals only."""
    return Progress(label, ticking=True)

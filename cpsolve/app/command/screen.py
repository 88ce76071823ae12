"""What a command shows: sentences, pictures, tables and data on standard output, and signs of life on standard error.

Colours and moving text are for terminals only: into a pipe, with ``NO_COLOR`` or on a dumb terminal everything is plain text.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from cpsolve.app.command.outcome import LIMIT_REACHED, BadInput, trouble
from cpsolve.drawing.text import written_in
from cpsolve.progress import Progress

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
        out.print(written_in(sentence, out.encoding), soft_wrap=not out.is_terminal)


def show(picture: Picture) -> None:
    """Prints a picture, in colour where that is welcome; says so when it is wider than the terminal, which breaks its lines."""
    out = console()
    drawn = _rendered(picture, out)
    out.print(drawn, soft_wrap=True)
    if out.is_terminal and max(map(len, drawn.plain.splitlines()), default=0) > out.width:
        say("This picture is wider than the terminal; --svg FILE draws it whole.")


def _rendered(picture: Picture, out: Console) -> Text:
    from rich.text import Text

    # through rich, so that a terminal with few colours gets the nearest it has
    text = written_in(picture.text(colour=in_colour(out)), out.encoding)
    return Text.from_ansi(text) if in_colour(out) else Text(text)


def animate(frames: Iterable[Picture], delay: float) -> None:
    """Shows pictures one after the other: in place on a terminal, below each other elsewhere."""
    from rich.live import Live

    out = console()
    if not out.is_terminal or out.is_dumb_terminal:
        for picture in frames:
            out.print(_rendered(picture, out), "", sep="\n", soft_wrap=True)
        return
    # a board larger than the terminal is cut: one that scrolls or wraps could not be drawn over
    with Live(console=out, auto_refresh=False, vertical_overflow="crop") as live:
        for number, picture in enumerate(frames):
            if number:
                time.sleep(delay)
            frame = _rendered(picture, out)
            frame.no_wrap, frame.overflow = True, "crop"
            live.update(frame, refresh=True)


def save(picture: Picture, path: str) -> None:
    """Writes a picture as SVG to a file, or to standard output for ``-``."""
    if path == "-":
        typer.echo(picture.svg())
        return
    try:
        picture.save(path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {trouble(error)}") from error


def deliver(answer: Answer, svg: str | None, as_json: bool) -> None:
    """An answer in the form asked for: SVG in a file, data for scripts, else a picture and words."""
    if svg == "-" and as_json:
        raise BadInput("standard output takes the SVG or the JSON, not both: give --svg a file")
    if svg is not None and answer.picture is None:
        raise BadInput("there is nothing to draw here: leave --svg out")
    picture = None if answer.picture is None or (as_json and svg is None) else answer.picture()
    if svg is not None and picture is not None:
        save(picture, svg)
    if as_json:
        give(dict(answer.data()))
    elif svg != "-":
        if picture is not None:
            show(picture)
        say(*answer.sentences())


def give(data: Any) -> None:
    """Prints data as JSON, for scripts; in ASCII, which is right whatever the output's encoding."""
    typer.echo(json.dumps(data))


def give_unknown(name: str, limit: Exception) -> int:
    """Tells a script that a limit was reached before there was an answer; returns the exit code."""
    give({"game": name, "status": "unknown", "reason": str(limit)})
    return LIMIT_REACHED


@contextmanager
def working(label: str) -> Iterator[None]:
    """A line on standard error that tells how long the work inside has lasted, from the second second on; on terminals only."""
    done = threading.Event()
    with Progress(label) as progress:
        ticking = threading.Thread(target=_tick, args=(progress, done), daemon=True)
        if progress.enabled:
            ticking.start()
        try:
            yield
        finally:
            done.set()
            if progress.enabled:
                ticking.join()


def _tick(progress: Progress, done: threading.Event) -> None:
    while not done.wait(progress.PERIOD):
        progress.update("Ctrl-C stops it")

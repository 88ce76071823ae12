"""``cpsolve generate GAME``: a new instance in the game's own files; ``cpsolve convert GAME``: an instance in another of its formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from cpsolve import catalogue, files
from cpsolve.app.command.building import JSON, TIME_LIMIT, GameGroup, make
from cpsolve.app.command.outcome import BadInput, asking, load, note, trouble
from cpsolve.app.command.output import give, put, working
from cpsolve.catalogue import Game, Generator, Option
from cpsolve.limits import Deadline

GENERATE_EXAMPLES = ("cpsolve generate GAME --help",)
CONVERT_EXAMPLES = ("cpsolve convert GAME FILE --to FORMAT", "cpsolve convert GAME --help")

FOLDER = Option("folder", "Where the files go (without it: here). Files of these names are written over.", metavar="FOLDER")


class Generate(GameGroup):
    """``cpsolve generate``: a command per game that has a generator."""

    def has(self, game: str) -> bool:
        """Whether it has a generator."""
        return catalogue.game(game).generator is not None

    def command_of(self, game: str) -> Any:
        """``cpsolve generate GAME``, with that game's numbers and options."""
        found = catalogue.game(game)
        generator = found.generator
        if generator is None:
            raise BadInput(f"{game} has no generator; {', '.join(self.games()) or 'no game'} has")
        sizes = Option("sizes", generator.sizes, list[int], "N...")
        summary = f"A new instance of {found.title}, written to {' and '.join(generator.files)} and drawn; --json writes no file."
        options = (*generator.options, TIME_LIMIT, FOLDER, JSON)
        return make(game, lambda **values: _generate(found, generator, **values), summary, options, generator.examples, sizes)


def _generate(
    game: Game, generator: Generator, sizes: list[int] | None, time_limit: float | None, folder: str | None, json: bool, **values: Any
) -> None:
    options = {name: value for name, value in values.items() if value is not None}
    deadline = Deadline(time_limit)
    with deadline.watched(), working(f"generating {game.name}"):
        instance = asking(lambda given: generator.make(*(sizes or ()), **given), options, generator.options)
        texts = {}
        for name, write in generator.files.items():
            deadline.check(f"writing {name}")
            texts[name] = write(instance)
    if json:
        give({"game": game.name, "command": "generate", "files": texts})
        return
    _write(texts, Path(folder or "."))
    typer.echo(generator.show(instance))


def _write(texts: Mapping[str, str], folder: Path) -> None:
    for name, text in texts.items():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            files.write(folder / name, text.encode())
        except OSError as error:
            raise BadInput(f"cannot write {folder / name}: {trouble(error)}") from error
    note(f"wrote {', '.join(str(folder / name) for name in texts)}")


class Convert(GameGroup):
    """``cpsolve convert``: a command per game that writes its instances."""

    def has(self, game: str) -> bool:
        """Whether it writes any format."""
        return bool(catalogue.game(game).writers)

    def command_of(self, game: str) -> Any:
        """``cpsolve convert GAME``, with that game's formats."""
        found = catalogue.game(game)
        if not found.writers:
            raise BadInput(f"{game} writes no format")
        formats = ", ".join(found.writers)
        to = Option("to", f"The format: {formats}. The first unless one is given.", metavar="FORMAT", choices=lambda: found.writers)
        output = Option("output", "Write to this file (without it: standard output).", metavar="FILE")
        source = Option(
            "source", "The instance in a file, - for standard input, or one with a name. Without it: the game's own.", metavar="FILE"
        )
        summary = f"An instance of {found.title}, in any format that the game reads, written in one of {formats}."
        lines = (f"cpsolve convert {game} FILE --to {list(found.writers)[-1]}",)
        return make(game, lambda **values: _convert(found, **values), summary, (to, output, *found.read_options), lines, source)


def _convert(game: Game, source: str | None, to: str | None, output: str | None, **values: Any) -> None:
    instance = load(game, source, values)
    text = game.writers[to or next(iter(game.writers))](instance).rstrip("\n")
    if output is None:
        typer.echo(text)
    else:
        put(f"{text}\n".encode(), output)
        note(f"wrote {output}")

"""What the documentation site has that is made when it is built: films, the reference of every public name, the pages of the games.

MkDocs calls the functions below (``mkdocs.yml`` names this file). Nothing here is kept in the repository: the pages are always those of
the program as it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cpsolve
from cpsolve import catalogue
from cpsolve.drawing import Film

FOLDER = Path(__file__).parent
FILMS = (("busy-police", "auto", False), ("busy-police", "bfs", True), ("pacman", "auto", False), ("pacman", "dfs", True))
"""The films of the gallery: game, method, and whether the search is shown or its plan."""
TOOLKIT = (
    "cpsolve.drawing",
    "cpsolve.catalogue",
    "cpsolve.prolog",
    "cpsolve.puzzles.plans",
    "cpsolve.puzzles.routes",
    "cpsolve.puzzles.walks",
    "cpsolve.puzzles.search",
    "cpsolve.puzzles.games",
    "cpsolve.puzzles.generate",
    "cpsolve.puzzles.boards",
    "cpsolve.puzzles.links",
    "cpsolve.puzzles.pictures",
    "cpsolve.puzzles.showing",
    "cpsolve.puzzles.matches",
    "cpsolve.puzzles.contestants",
)
"""Modules that people who add a game or a puzzle use, beside the names of the package itself."""


def on_config(config: Any) -> Any:
    """The menu: what is written, what there is of games and notebooks, and the reference."""
    games = [f"games/{path.name}" for path in sorted((FOLDER / "games").glob("*.md"))]
    more = ["formats.md"] * (FOLDER / "formats.md").exists()
    config["nav"] = [
        {"Start": "index.md"},
        {"Tutorial": "tutorial.md"},
        {"How to": "how_to.md"},
        {"Gallery": "gallery.md"},
        {"Notebooks": [f"notebooks/{path.name}" for path in sorted((FOLDER / "notebooks").glob("*.ipynb"))]},
        *([{"Games": [*games, *more]}] if games or more else []),
        {"For programs": "protocol.md"},
        {"Adding": ["adding_a_game.md", "adding_a_constraint.md", "adding_a_backend.md"]},
        {"Reference": [f"reference/{name}" for name in pages()]},
    ]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds what is made now."""
    from mkdocs.structure.files import File

    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}", content=text))
    for game, method, watched in FILMS:
        files.append(File.generated(config, f"films/{film_name(game, method, watched)}", content=film(game, method, watched).html()))
    return files


# -- films


def film_name(game: str, method: str, watched: bool) -> str:
    """The file of a film."""
    return f"{game}-{'search-' if watched else ''}{method}.html"


def film(game: str, method: str, watched: bool) -> Film:
    """A plan of a game's own instance, or the search for it."""
    description = catalogue.game(game)
    ask = description.watch if watched and description.watch is not None else description.solve
    answer = ask(description.named(), method=method)
    assert answer.frames is not None
    return Film(f"{description.title}: {method}", answer.frames(), 0.1 if watched else 0.5)


# -- the reference


def public_names() -> dict[str, list[str]]:
    """Every public name by the module that offers it."""
    games = [catalogue.module_of(game).rpartition(".")[0] for game in catalogue.games()]
    return {"cpsolve": list(cpsolve.__all__), **{module: list(names_of(module)) for module in (*TOOLKIT, *games)}}


def names_of(module: str) -> Iterator[str]:
    """The public names of a module: those it lists, or those it defines."""
    loaded = importlib.import_module(module)
    listed = getattr(loaded, "__all__", None)
    for name in listed if listed is not None else vars(loaded):
        if listed is not None or (not name.startswith("_") and getattr(getattr(loaded, name), "__module__", None) == module):
            yield name


def pages() -> dict[str, str]:
    """The pages of the reference, by the names of their files."""
    made = {}
    for module, names in public_names().items():
        entries = "\n\n".join(_entry(name, module) for name in names)
        made[f"{module.replace('.', '_')}.md"] = f"# {module}\n\n{entries}\n"
    return made


def _entry(name: str, module: str) -> str:
    """A public name under its own heading: what its home says of it, or its value where it is one."""
    value = getattr(importlib.import_module(module), name)
    heading = f"## {name} {{ #{module}.{name} }}"
    home = getattr(value, "__module__", None)
    if not callable(value) or home in (None, "builtins", "typing"):
        shown = repr(value)
        if isinstance(value, Mapping):
            return f"{heading}\n\nBy name: {', '.join(f'`{name}`' for name in value)}."
        return f"{heading}\n\nA value: `{shown if len(shown) <= 100 else type(value).__name__}`"
    return f"{heading}\n\n::: {home}.{value.__qualname__}"

"""Every example of docs/formats.md is read, and those that show the same thing give the same instance; the pages of the games hold."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cpsolve import catalogue
from cpsolve.app.command import app
from models import busy_police, center, four_in_a_line, minesweeper, pacman

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLES = re.findall(r'```(?:prolog|text) title="([\w-]+)"\n(.*?)```', (DOCS / "formats.md").read_text(encoding="utf-8"), re.DOTALL)
FIELD = minesweeper.Field(4, 4, {(2, 4), (4, 2), (4, 4)})
SHOWN: dict[str, Any] = {
    "busy-police": busy_police.Scene(4, 2, [(2, 1)], [(4, 1)], (1, 1), (1, 2), [(2, 2)]),
    "pacman": pacman.Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], [(2, 1)]),
    "layout": pacman.Maze.from_layout("%%%%%%%\n%.. P.%\n%.%.%.%\n%.....%\n%%%%%%%"),
    "minesweeper-field": FIELD,
    "minesweeper-view": minesweeper.View.from_text("001-\n001-\n113-\n----", mines=3),
    "minesweeper-game": FIELD.view([(3, 4)]),
    "four-in-a-line": four_in_a_line.Position.from_moves("4453"),
    "center": center.Position.from_rows(["xo.", "...", "..."]),
}
OPTIONS: dict[str, dict[str, Any]] = {"minesweeper-view": {"mines": 3}, "minesweeper-game": {"rows": 4}}
GAMES = {"layout": "pacman", **dict.fromkeys(("minesweeper-field", "minesweeper-view", "minesweeper-game"), "minesweeper")}


def test_the_document_has_examples_of_every_kind() -> None:
    assert {kind for kind, _ in EXAMPLES} == set(SHOWN)
    assert len(EXAMPLES) >= 17


@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_an_example_is_read_as_what_it_shows(kind: str, text: str) -> None:
    game = catalogue.game(GAMES.get(kind, kind))
    assert game.read(text, **OPTIONS.get(kind, {})) == SHOWN[kind]


@pytest.mark.parametrize("page", sorted(path.name for path in (DOCS / "games").glob("*.md")))
def test_the_commands_on_the_page_of_a_game_have_their_options(page: str) -> None:
    text = (DOCS / "games" / page).read_text(encoding="utf-8")
    lines = re.findall(r"^cpsolve .*$", text, re.MULTILINE)
    assert lines
    for line in lines:
        words = shlex.split(line)[1:]
        command: Any = get_command(app)
        context = command.make_context("cpsolve", [], resilient_parsing=True)
        while hasattr(command, "get_command"):
            command = command.get_command(context, words.pop(0))
            assert command is not None, line
        known = {flag for parameter in command.params for flag in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_every_game_has_its_page_and_the_readme_links_all() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for name in catalogue.games():
        assert f"docs/games/{name.replace('-', '_')}.md" in readme
        assert (DOCS / "games" / f"{name.replace('-', '_')}.md").exists()
    assert "docs/formats.md" in readme

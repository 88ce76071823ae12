"""Games describe themselves: a game of somebody else's appears everywhere, and the toolkit knows none by name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cpsolve
from cpsolve import catalogue
from cpsolve.catalogue import Game, Option
from cpsolve.errors import ModelError

ROOT = Path(cpsolve.__file__).parents[1]
DOCUMENT = ROOT / "docs" / "adding_a_game.md"


# -- a game that is not ours


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game of the document is installed, as an installer would leave it there."""
    folder = tmp_path_factory.mktemp("site")
    write_foreign_game(folder)
    return folder


def write_foreign_game(folder: Path) -> None:
    """Installs the game of the document into a folder."""
    text = DOCUMENT.read_text(encoding="utf-8")
    (project,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    described = tomllib.loads(project)["project"]
    module = next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "GAME = Game(" in block)
    (folder / "lights_out.py").write_text(module, encoding="utf-8")
    information = folder / f"{described['name'].replace('-', '_')}-{described['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {described['name']}\nVersion: {described['version']}\n")
    groups = described["entry-points"].items()
    lines = [line for group, points in groups for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")


def run(installed: Path, *args: str, code: int = 0, **environment: str) -> str:
    variables = {**os.environ, "PYTHONPATH": str(installed), **environment}
    done = subprocess.run([sys.executable, "-m", "cpsolve", *args], capture_output=True, text=True, env=variables, cwd=ROOT)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_foreign_game_is_listed(installed: Path) -> None:
    assert "lights-out" in run(installed, "games")
    (data,) = json.loads(run(installed, "games", "lights-out", "--json"))
    assert data["instances"] == ["lit", "cross"]
    assert "lights-out" in run(installed, "solve", "--help")


def test_a_foreign_game_is_solved_drawn_and_checked_for_bad_input(installed: Path, tmp_path: Path) -> None:
    told = json.loads(run(installed, "solve", "lights-out", "cross", "--json"))
    assert (told["status"], told["moves"]) == ("optimal", ["press 2,2"])
    assert "press 2,2" in run(installed, "solve", "lights-out", "cross")
    assert "--mines" not in run(installed, "solve", "lights-out", "--help")
    board = tmp_path / "board.txt"
    board.write_text("*.\n*x\n")
    assert "line 2" in run(installed, "solve", "lights-out", str(board), code=2)


def test_the_methods_of_a_foreign_game_are_compared(installed: Path) -> None:
    told = json.loads(run(installed, "compare", "lights-out", "cross", "--json"))
    model, naive = told["methods"]
    assert (model["method"], model["value"], model["proven"]) == ("model", 1, True)
    assert (naive["method"], naive["proven"]) == ("dfs", False)
    assert naive["states"] > 0
    grown = json.loads(run(installed, "compare", "lights-out", "--methods", "model", "--grow", "size", "1..3", "--boards", "1", "--json"))
    assert [point["boards"][0]["value"] for point in grown["points"]] == [1, 4, 5]


def test_a_foreign_game_has_its_stop_on_the_tour(installed: Path) -> None:
    (stop,) = json.loads(run(installed, "tour", "--only", "lights-out", "--json"))
    assert stop["findings"]["verified"]
    assert stop["findings"]["check"] == "checked by python-constraint: the same optimum 5"


def test_a_shell_completes_a_foreign_game(installed: Path) -> None:
    for words, offered in (("solve li", "lights-out"), ("solve lights-out c", "cross"), ("solve lights-out --method d", "dfs")):
        line = f"cpsolve {words}"
        environment = {"_CPSOLVE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        program = "from cpsolve.app.command import app; app(prog_name='cpsolve')"
        variables = {**os.environ, "PYTHONPATH": str(installed), **environment}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=variables, cwd=ROOT)
        assert done.stdout.split() == [offered]


def test_a_description_that_cannot_be_loaded_says_where_it_should_be(tmp_path: Path) -> None:
    information = tmp_path / "broken-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[cpsolve.games]\nbroken = nowhere_at_all:GAME\n")
    assert "broken cannot be loaded from nowhere_at_all:GAME" in run(tmp_path, "solve", "broken", code=2)


# -- the toolkit knows no game


TOOLKIT = sorted((ROOT / "cpsolve").rglob("*.py"))


GAMES = ("pacman", "busy_police", "busy-police", "busy police", "minesweeper", "four_in_a_line", "four-in-a-line")


@pytest.mark.parametrize("path", TOOLKIT, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_toolkit_names_no_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert not [name for name in GAMES if name in text]
    assert not re.search(r"^\s*(from|import) models\b", text, re.MULTILINE)


def test_the_toolkit_does_not_lean_on_the_application() -> None:
    leaning = [
        path
        for path in TOOLKIT
        if "app" not in path.relative_to(ROOT / "cpsolve").parts
        and path.name != "__main__.py"
        and re.search(r"^\s*(from|import) cpsolve\.app\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert leaning == []


@pytest.mark.parametrize("game", catalogue.games())
def test_a_game_imports_neither_the_application_nor_another_game(game: str) -> None:
    package = catalogue.module_of(game).rpartition(".")[0]
    for path in (ROOT / package.replace(".", "/")).glob("*.py"):
        for imported in re.findall(
            r"^\s*(?:from|import) (models[\w.]*|cpsolve\.app[\w.]*)", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert imported == "models" or f"{imported}.".startswith(f"{package}."), path


# -- descriptions


@pytest.mark.parametrize("name", catalogue.games())
def test_every_named_instance_can_be_read_drawn_and_written(name: str) -> None:
    game = catalogue.game(name)
    for instance in game.instances():
        made = game.named(instance)
        assert game.draw is not None
        assert game.draw(made).svg().startswith("<svg")
        for write in game.writers.values():
            assert write(made)


def test_misuse_of_a_description_is_told() -> None:
    with pytest.raises(ModelError, match="small letters with dashes"):
        Game("Lights_Out", "Lights Out", "", read=str, solve=str)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="has no instance 'x'; it has none with a name"):
        Game("lights", "Lights", "", read=str, solve=str).named("x")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="there is no game 'chess'; there are busy-police"):
        catalogue.game("chess")
    with pytest.raises(ModelError, match="--level is one of 1, 2, not 3"):
        Option("level", "", int, choices=lambda: (1, 2)).check(3)

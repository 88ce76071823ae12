"""The example scripts run, and say what is known of their instances."""

from __future__ import annotations

import io
import json
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    script = EXAMPLES / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(script), *arguments])
    runpy.run_path(str(script), run_name="__main__")


def test_every_example_is_run_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    for script in EXAMPLES.glob("*.py"):
        assert f'run("{script.stem}"' in source, script.name


def test_the_sudoku_has_one_solution_and_its_hint_names_constraints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("sudoku_hint", monkeypatch)
    said = capsys.readouterr().out
    assert "the only solution:" in said
    assert "[5 3 4 6 7 8 9 1 2]" in said
    assert "because of" in said
    assert "given" in said.split("because of")[1]


def test_all_exact_methods_catch_the_fugitive_in_as_many_moves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("catch_the_fugitive", monkeypatch)
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if "yes" in line.split() or "no" in line.split()}
    for method in ("auto", "circuit", "astar", "bfs"):
        assert rows[method][1:3] == ["49", "yes"], method
    assert int(rows["dfs"][1]) >= 49


def test_advice_on_minesweeper_names_safe_cells_and_reasons(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run("minesweeper_advice", monkeypatch)
    said = capsys.readouterr().out
    assert "fields fit; safe: [(" in said
    assert "is safe" in said


def test_advice_reads_a_board_from_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1-\n--\n")
    run("minesweeper_advice", monkeypatch, str(board), "1")
    said = capsys.readouterr().out
    assert "3 fields fit; safe: none; mines: none" in said
    assert "least risk: (1, 2) 1/3, (2, 1) 1/3, (2, 2) 1/3" in said


def test_advice_on_a_board_whose_mines_nobody_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("1--\n")
    run("minesweeper_advice", monkeypatch, str(board))
    assert "2 fields fit; safe: none; mines: [(1, 2)]" in capsys.readouterr().out


def test_the_maze_is_solved_and_drawn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "maze.svg"
    run("pacman_picture", monkeypatch, str(picture))
    assert "proven shortest" in capsys.readouterr().out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_the_player_takes_the_move_in_the_middle(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    request = json.dumps({"action": "move", "standing": {"legal": ["1", "2", "4"]}})
    monkeypatch.setattr(sys, "stdin", io.StringIO(f'{request}\n{{"action": "quit"}}\n'))
    run("player", monkeypatch)
    assert json.loads(capsys.readouterr().out) == {"move": "2"}

"""The program that bounds how soon the first player wins on an empty board."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import center_bounds
from models.center import Position, solve


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(center_bounds, "KEPT", tmp_path)
    monkeypatch.setattr(center_bounds, "RESULTS", tmp_path / "bounds.md")
    return tmp_path


def rows(folder: Path) -> list[tuple[str, str]]:
    """Plies and answers of the table."""
    lines = (folder / "bounds.md").read_text(encoding="utf-8").splitlines()
    return [(cells[1].strip(), cells[2].strip()) for line in lines if (cells := line.split("|"))[1:] and cells[1].strip().isdigit()]


@pytest.mark.parametrize(("shape", "size"), [("square", 5), ("hex", 3)])
def test_the_first_player_wins_when_the_solver_says_so_and_not_before(folder: Path, shape: str, size: int) -> None:
    center_bounds.main(["--shape", shape, "--size", str(size), "--plies", "9", "--bits", "14"])
    plies = solve(Position(size, shape)).plies
    assert rows(folder) == [(str(number), "yes" if number == plies else "no") for number in range(3, plies + 1, 2)]


def test_a_run_that_was_stopped_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--size", "5", "--plies", "5", "--bits", "14"]
    center_bounds.main(arguments)
    kept = folder / "square-5.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 2 * len(center_bounds.distinct("square", 5))
    kept.write_bytes(b"".join(lines[:-1]))
    capsys.readouterr()
    center_bounds.main(arguments)
    assert capsys.readouterr().err.count("does not win within 5 plies") == 1
    assert rows(folder) == [("3", "no"), ("5", "no")]


def test_a_number_of_plies_is_bounded_only_when_every_first_stone_was_tried() -> None:
    job = center_bounds.Job(7, [1, 1], False, 10, 0.1)
    assert "| 7 |" not in center_bounds.table("square", 5, [job])
    assert "| 7 | yes |" in center_bounds.table("square", 5, [center_bounds.Job(7, [1, 1], True, 10, 0.1)])

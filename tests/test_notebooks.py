"""The notebooks of the documents run from top to bottom, their exercises have answers, and what they show is what they keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(notebook: Any) -> list[str]:
    """What every cell says: printed text and values; of a picture only that there is one, since equally good plans may differ."""
    return ["".join(output.get("text") or _said(output.get("data", {})) for output in cell.outputs) for cell in code(notebook)]


def _said(data: Any) -> str:
    return "a picture" if "image/svg+xml" in data else str(data.get("text/plain", ""))


def test_there_are_three_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["a_puzzle_of_ones_own", "search_against_constraints", "solve_and_explain"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_keeps(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONWARNINGS", raising=False)  # where warnings are errors, Jupyter's own would keep its kernel from starting
    kept = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    run = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(run, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert shown(run) == shown(kept), f"run {path.name} once more and keep what it shows"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_answers_of_exercises_are_there_and_folded(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    answers = [cell for cell in code(notebook) if "answer" in cell.metadata.get("tags", [])]
    assert len(answers) == 3
    assert all(cell.metadata["jupyter"] == {"source_hidden": True, "outputs_hidden": True} for cell in answers)
    pictures = [output for cell in code(notebook) for output in cell.outputs if "image/svg+xml" in output.get("data", {})]
    assert pictures

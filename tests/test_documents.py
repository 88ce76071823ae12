"""The code blocks of the documents run as they stand, and give what their comments promise; the command lines are understood."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cpsolve.app.command import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = {
    path.name: re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
}


@pytest.mark.parametrize("document", [name for name, blocks in DOCUMENTS.items() if blocks])
def test_code_in_documents_does_what_it_says(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what a document saves is not kept
    namespace: dict[str, object] = {}  # later blocks go on from earlier ones
    for block in DOCUMENTS[document]:
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            source = ast.unparse(statement)
            comment = lines[(statement.end_lineno or 0) - 1].partition("# → ")[2]
            if isinstance(statement, ast.Expr):
                value = eval(source, namespace)
                if comment:
                    assert "".join(repr(value).split()) == "".join(comment.split()), source
            else:
                exec(source, namespace)


def command_lines() -> list[str]:
    """The command lines of all documents but those with a word in capitals, which stands for something, or of a game that one adds."""
    found = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        blocks = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
        found += [line for block in blocks for line in block.splitlines() if line.startswith("cpsolve ")]
        found += re.findall(r"`(cpsolve [^`…|<>]+)`", text)
    return sorted({line for line in found if not re.search(r"\b[A-Z]{2,}\b|lights-out", line)})


def test_command_lines_in_documents_are_understood() -> None:
    lines = command_lines()
    assert len(lines) > 40
    for line in lines:
        result = CliRunner().invoke(app, [*shlex.split(line, comments=True)[1:], "--help"])  # options are read before help is given
        assert result.exit_code == 0, (line, result.output)
    assert CliRunner().invoke(app, ["solve", "pacman", "--magic", "--help"]).exit_code == 2

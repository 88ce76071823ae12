"""The code blocks of the documents run as they stand, and give what their comments promise."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

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

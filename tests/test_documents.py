"""The code blocks of the documents run as they stand, and give what their comments promise."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCKS = [
    pytest.param(block, id=f"{path.name}-{number}")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL), start=1)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_code_in_documents_does_what_it_says(block: str) -> None:
    lines = block.splitlines()
    namespace: dict[str, object] = {}
    for statement in ast.parse(block).body:
        source = ast.unparse(statement)
        comment = lines[(statement.end_lineno or 0) - 1].partition("# → ")[2]
        if isinstance(statement, ast.Expr):
            value = eval(source, namespace)
            if comment:
                assert "".join(repr(value).split()) == "".join(comment.split())
        else:
            exec(source, namespace)

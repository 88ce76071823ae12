"""Docstrings as the site shows them: examples become blocks of code, and marks of reStructuredText those of Markdown."""

from __future__ import annotations

import re
from typing import Any

import griffe


def to_markdown(text: str) -> str:
    """A docstring in Markdown.

    >>> print(to_markdown("See :func:`solve` and ``x``.\\n\\n>>> 1 + 1\\n2\\n\\nSo it is."))
    See `solve` and `x`.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    So it is.
    """
    blocks = []
    for block in re.split(r"\n[ \t]*\n", text):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```pycon\n{block}\n```")
        else:
            plain = re.sub(r":[a-z]+:`~?([^`]+)`", r"`\1`", block)
            blocks.append(re.sub(r"``([^`]+)``", r"`\1`", plain))
    return "\n\n".join(blocks)


class Docstrings(griffe.Extension):
    """Rewrites every docstring when it is loaded."""

    def on_object(self, *, obj: griffe.Object, **arguments: Any) -> None:
        """One module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)

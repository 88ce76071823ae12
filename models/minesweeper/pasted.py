"""Boards as people paste them: JSMinesweeper's export, spaced text, and the signs that other programs and chats use.

A text that :func:`~models.minesweeper.description.read` understands is left alone; this is for the others. Signs for covered cells are
many; a few (``.``, ``_``, ``□``, ``⬜``) stand for a covered cell in some texts and for an open cell without a number in others: they are
open when the text also has a sign that can only be covered.
"""

from __future__ import annotations

import re

from cpsolve.errors import FormatError, ModelError
from cpsolve.puzzles.boards_as_text import lines_of
from models.minesweeper.formats import COVERED, FLAGGED, LARGEST
from models.minesweeper.rules import View

HIDDEN = set("-H#?■▢█▒░*🟦🟩🟪🟫🟥🟧🟨⬛🔲🔳🟰")
EITHER = set("._·□⬜◻◽▫")
FLAGS = set("F⚑🚩🏴🏁⛳💣")
DECORATION = re.compile("[\ufe0f\u20e3\u200d|]")
"""What makes a digit an emoji, joins signs, or draws lines between cells."""
HEAD = re.compile(r"\s*(\d{1,4})\s*[x×]\s*(\d{1,4})\s*[x×]\s*(\d{1,6})\s*")
"""JSMinesweeper's first line: columns, rows, mines."""


def read_pasted(text: str, mines: int | None = None) -> tuple[View, str]:
    """A view from what was pasted, and what was understood, in words.

    >>> view, words = read_pasted("3x2x1\\nHHH\\n1HF")
    >>> view.to_text(), view.mines, words
    ('---\\n1-F', 1, '2 rows, 3 columns, 1 mine; H is a covered cell, F a flag')
    >>> read_pasted("1 . .\\n. . .")[0].to_text(), read_pasted("1 .\\n# #")[0].to_text()
    ('1--\\n---', '10\\n--')
    """
    lines = [(number, line) for number, line in lines_of(text, LARGEST, LARGEST) if line.strip()]
    size: tuple[int, int] | None = None
    if lines and (head := HEAD.fullmatch(lines[0][1])):
        columns, rows, told = (int(part) for part in head.groups())
        size, mines = (rows, columns), told if mines is None else mines
        lines = lines[1:]
    cells = [[sign for sign in DECORATION.sub("", line) if not sign.isspace()] for _, line in lines]
    if not cells:
        raise FormatError("expected a board, one line per row, found no cells")
    used = {sign for row in cells for sign in row}
    hidden = HIDDEN if used & HIDDEN else HIDDEN | EITHER
    out = []
    for (number, _), row in zip(lines, cells, strict=True):
        if len(row) != len(cells[0]):
            raise FormatError(f"expected {len(cells[0])} cells as in the first row, found {len(row)}", number, 1)
        out.append("".join(_sign(sign, hidden, number, place) for place, sign in enumerate(row, 1)))
    if size is not None and size != (len(out), len(out[0])):
        raise ModelError(f"the first line says {size[0]} rows of {size[1]} cells, the board has {len(out)} of {len(out[0])}")
    return View.from_text("\n".join(out), mines), _words(out, mines, used, hidden)


def _sign(sign: str, hidden: set[str], line: int, column: int) -> str:
    if sign in "012345678":
        return sign
    if sign in FLAGS:
        return FLAGGED
    if sign in hidden:
        return COVERED
    if sign in EITHER:
        return "0"
    raise FormatError(f"expected a number from 0 to 8, a covered cell or a flag, found {sign!r}", line, column)


def _words(rows: list[str], mines: int | None, used: set[str], hidden: set[str]) -> str:
    total = "" if mines is None else f", {mines} mine{'' if mines == 1 else 's'}"
    meanings = [f"{sign} is a covered cell" for sign in sorted(used & hidden - {COVERED})]
    meanings += [f"{sign} an open cell without a number" for sign in sorted(used & EITHER - hidden)]
    meanings += [f"{sign} a flag" for sign in sorted(used & FLAGS)]
    return f"{len(rows)} rows, {len(rows[0])} columns{total}" + (f"; {', '.join(meanings)}" if meanings else "")

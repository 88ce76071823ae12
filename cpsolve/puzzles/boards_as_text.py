"""The lines of a board that is drawn as text, for all readers of such texts.

How many lines there are, and how long they are, is looked at before anything is made of them: a text that no board is drawn as costs
neither time nor memory, however long it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsolve.errors import FormatError
from cpsolve.limits import looking, require

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What ``str.splitlines`` takes for the end of a line."""
LINES_PER_ROW, SIGNS_PER_CELL, AIR = 2, 10, 200
"""What a drawing takes at most: a line between two rows, a cell as wide as the number of a column; and what stands around it."""
LINE_BYTES = 100
"""The memory that a short line takes, with its number."""
BLANKS = "|" + "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace())
SIGN = re.compile(r"[^\s|]")


def lines_of(text: str, rows: int, columns: int) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, from 1; FormatError for more or longer ones than a board of that size is drawn with.

    >>> lines_of("ab\\ncd", 2, 2)
    [(1, 'ab'), (2, 'cd')]
    >>> lines_of(".\\n" * 4_000_000, 100, 100)
    Traceback (most recent call last):
    cpsolve.errors.FormatError: line 401, column 1: expected at most 100 rows and columns, found 4,000,001 lines
    """
    most = f"{rows:,} rows and columns" if rows == columns else f"{rows:,} rows and {columns:,} columns"
    count = 1 + sum(map(text.count, LINE_ENDS))
    if count > LINES_PER_ROW * rows + AIR:
        raise FormatError(f"expected at most {most}, found {count:,} lines", LINES_PER_ROW * rows + AIR + 1)
    require(LINE_BYTES * count, "reading the board")
    lines = list(looking(enumerate(text.splitlines(), start=1), "reading the board"))
    for number, line in lines:
        if len(line) > SIGNS_PER_CELL * columns + AIR:
            raise FormatError(f"expected at most {most}, found a line of {len(line):,} signs", number, SIGNS_PER_CELL * columns + AIR + 1)
    return lines


def signs_in(line: str) -> int:
    """How many signs there are in a line besides spaces and bars.

    >>> signs_in("| a  b |")
    2
    """
    return len(line) - sum(map(line.count, BLANKS))


def places_of(line: str, first: int = 1) -> Iterator[tuple[str, int]]:
    """These signs with their places; ``first`` is that of the line's first character.

    >>> list(places_of("| a  b |"))
    [('a', 3), ('b', 6)]
    """
    return ((match.group(), first + match.start()) for match in SIGN.finditer(line))


def last_place(line: str, first: int = 1) -> int:
    """Where the last of these signs stands; ``first`` without any.

    >>> last_place("| a  b |"), last_place("|  |")
    (6, 1)
    """
    return first + max(1, len(line.rstrip(BLANKS))) - 1

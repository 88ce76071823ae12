"""Positions as text: the drawing that ``str(position)`` makes, read back, and the seed's Prolog lists, read and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cpsolve.errors import FormatError
from cpsolve.prolog import Atom, Struct, Term, parse_term, to_text
from models.four_in_a_line.rules import Configuration, Position, read_configuration

FIGURE: Configuration = [[[1, 4], [2, 4], [3, 4], [1, 5]], [[1, 3], [2, 5], [1, 6]]]
"""The seed's example of a board; b is to move."""


def from_text(text: str, connect: int = 4) -> Position:
    """The position of a drawing: a line a row from the top, ``a``, ``b`` or ``.`` for each cell, spaces between or not.

    >>> position = Position.from_moves("4453")
    >>> from_text(str(position)) == position
    True
    """
    rows = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not rows:
        raise FormatError("an empty drawing: expected a line of a, b and . for each row, the top row first")
    columns = len("".join(rows[0][1].split()))
    configuration: Configuration = [[], []]
    for place, (number, line) in enumerate(rows):
        column = 0
        for offset, sign in enumerate(line, 1):
            if sign.isspace():
                continue
            column += 1
            if sign not in "ab.":
                raise FormatError(f"found {sign!r}: a cell is a, b or . (free)", number, offset)
            if sign != ".":
                configuration["ab".index(sign)].append([len(rows) - place, column])
        if column != columns:
            raise FormatError(f"this row has {column} cells, the first has {columns}: expected rows of the same length", number, 1)
    return Position.from_lists(configuration, len(rows), columns, connect)


def from_prolog(text: str, rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
    """The position of the seed's nested lists as Prolog writes them.

    >>> from_prolog("[[[1,4],[2,4],[3,4],[1,5]],[[1,3],[2,5],[1,6]]]").to_move
    'b'
    """
    return Position.from_lists(read_lists(text), rows, columns, connect)


def to_prolog(configuration: Sequence[object] | Position) -> str:
    """Nested lists, or those of a position, as Prolog text.

    >>> to_prolog(Position.from_moves("4453"))
    '[[[1,4],[1,5]],[[1,3],[2,4]]]'
    """
    lists = configuration.to_lists() if isinstance(configuration, Position) else configuration
    return to_text(cast(Term, lists))


def read_lists(text: str) -> Configuration:
    """The seed's nested lists, in the order written; only their form is checked here, the stones by whoever uses them.

    >>> read_lists("[ [[1,4]], [] ]")
    [[[1, 4]], []]
    """
    term = parse_term(text)
    if not isinstance(term, list) or len(term) != 2 or not all(isinstance(squares, list) for squares in term):
        raise FormatError(f"expected [squares of a, squares of b], found {to_text(term)}")
    return cast(Configuration, term)


def write_successors(configuration: Sequence[object], player: str, successors: Sequence[Configuration]) -> str:
    """The answers of ``adjacente/3`` as facts, one a line, in order.

    >>> print(write_successors([[], []], "a", [[[[1, 1]], []]]))
    adjacente([[],[]],a,[[[1,1]],[]]).
    """
    read_configuration(configuration)
    goals = [Struct("adjacente", (cast(Term, configuration), Atom(player), cast(Term, following))) for following in successors]
    return "\n".join(f"{to_text(goal)}." for goal in goals)

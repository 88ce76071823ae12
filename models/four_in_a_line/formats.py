"""Positions as text: the drawing that ``str(position)`` makes, read back, and the original's Prolog lists and goal, read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from cpsolve.errors import FormatError, ModelError
from cpsolve.prolog import Atom, Struct, Term, parse_term, to_text
from cpsolve.puzzles.boards_as_text import lines_of
from models.four_in_a_line.rules import LARGEST, PLAYERS, Configuration, Position, read_configuration

FIGURE: Configuration = [[[1, 4], [2, 4], [3, 4], [1, 5]], [[1, 3], [2, 5], [1, 6]]]
"""The original's example of a board; b is to move."""


def from_text(text: str, connect: int = 4) -> Position:
    """The position of a drawing: a line per row from the top, ``a``, ``b`` or ``.`` for each cell, spaces between or not.

    >>> position = Position.from_moves("4453")
    >>> from_text(str(position)) == position
    True
    """
    configuration, height, columns = read_drawing(text)
    return Position.from_lists(configuration, height, columns, connect)


def read_drawing(text: str) -> tuple[Configuration, int, int]:
    """The lists that a drawing shows, column by column, with its numbers of rows and columns; only its form is checked here.

    >>> read_drawing("b . .\\nb a a")
    ([[[1, 2], [1, 3]], [[1, 1], [2, 1]]], 2, 3)
    """
    rows = [(number, line) for number, line in lines_of(text, LARGEST, LARGEST) if line.strip()]
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
    return [sorted(squares, key=lambda square: square[::-1]) for squares in configuration], len(rows), columns


def from_prolog(text: str, rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
    """The position of the original's nested lists as Prolog writes them.

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
    """The original's nested lists, in the order written; only their form is checked here, the stones by whoever uses them.

    >>> read_lists("[ [[1,4]], [] ]")
    [[[1, 4]], []]
    """
    if text.count("[") == text.count("]") + 1 and text.lstrip().startswith("[[[["):  # as the original prints its example
        text = text.replace("[", " ", 1)
    term = parse_term(text)
    if isinstance(term, list) and len(term) == 1 and isinstance(term[0], list) and len(term[0]) == 2:
        term = term[0]
    if not isinstance(term, list) or len(term) != 2 or not all(isinstance(squares, list) for squares in term):
        raise FormatError(f"expected [squares of a, squares of b], found {' '.join(text.split()):.60}")
    return cast(Configuration, term)


@dataclass(frozen=True)
class Query:
    """A board as it was written, and what the original's goal asks about it: whose stone is dropped, and the name of the answer.

    ``player`` is empty when the text does not say who drops; nothing but the form of the text has been checked.
    """

    configuration: Configuration
    rows: int = 6
    columns: int = 7
    player: str = ""
    variable: str = "Proximo"

    def mover(self) -> str:
        """The player who drops: the one named, else whose turn it is by the number of stones.

        >>> Query([[[1, 4]], []]).mover(), Query([[[1, 4]], []], player="a").mover()
        ('b', 'a')
        """
        if self.player:
            return self.player
        ahead = len(self.configuration[0]) - len(self.configuration[1])
        if ahead not in (0, 1):
            raise ModelError(
                f"a has {len(self.configuration[0])} stones and b {len(self.configuration[1])}, which does not tell whose turn it is: "
                "say who drops, as in --player b"
            )
        return "ab"[ahead]


GOAL = re.compile(
    r"\s*(?:\?-\s*)?adjacente\s*\((?P<board>.*),\s*(?P<player>\w+)\s*,\s*(?P<variable>[A-Z_]\w*)\s*\)\s*(?:\.\s*)?", re.DOTALL
)
"""The original's goal; no two repetitions follow each other, so that a text full of spaces is not looked at in every way to part them."""


def read_query(text: str) -> Query:
    """A board in any form: the original's goal, its lists, moves such as 4453, or a drawing.

    The original prints its lists with a bracket more than they have (four in front, or a list around both); these are read as well.

    >>> read_query("adjacente([[[1,4]],[]], b, L).")
    Query(configuration=[[[1, 4]], []], rows=6, columns=7, player='b', variable='L')
    >>> read_query("4453").configuration
    [[[1, 4], [1, 5]], [[1, 3], [2, 4]]]
    """
    stripped = text.strip()
    goal = GOAL.fullmatch(text)
    if goal is not None:
        if goal["player"] not in PLAYERS:
            raise FormatError(f"the player is {goal['player']}: expected a or b")
        before = re.sub(r"\S", " ", text[: goal.start("board")])  # errors keep their line and column
        return Query(read_lists(before + goal["board"]), player=goal["player"], variable=goal["variable"])
    if stripped.startswith(("?-", "adjacente")):
        raise FormatError("expected a goal such as adjacente([[[1,4]],[]], b, L): a board, a player and a variable for the answer")
    if stripped.startswith("["):
        return Query(read_lists(text))
    if stripped.isdecimal():
        return Query(Position.from_moves(stripped).to_lists())
    return Query(*read_drawing(text))


def write_successors(configuration: Sequence[object], player: str, successors: Sequence[Configuration]) -> str:
    """The answers of ``adjacente/3`` as facts, one per line, in order.

    >>> print(write_successors([[], []], "a", [[[[1, 1]], []]]))
    adjacente([[],[]],a,[[[1,1]],[]]).
    """
    read_configuration(configuration)
    goals = [Struct("adjacente", (cast(Term, configuration), Atom(player), cast(Term, following))) for following in successors]
    return "\n".join(f"{to_text(goal)}." for goal in goals)


def write_answers(successors: Sequence[Configuration], variable: str = "Proximo") -> str:
    """The answers as Prolog prints them when each is asked for by ``;``, ended by ``no``.

    >>> print(write_answers([[[[1, 1]], []], [[[1, 2]], []]]))
    Proximo = [[[1,1]],[]] ? ;
    Proximo = [[[1,2]],[]] ? ;
    no
    """
    return "\n".join([*(f"{variable} = {to_prolog(following)} ? ;" for following in successors), "no"])

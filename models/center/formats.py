"""Center as text: the drawing, plain rows and the original's Prolog lists, each with a reader that undoes the writer.

A square board is drawn as the original draws it, with its column numbers, a hexagonal one with its rows indented. What cannot be read off
the stones (who moves after a pass, the swap rule) is written in words below the drawing and as facts after the list.
"""

from __future__ import annotations

import re

from cpsolve.errors import CPSolveError, FormatError
from cpsolve.prolog import Atom, Fact, Struct, parse_facts
from cpsolve.puzzles.boards_as_text import lines_of
from models.center.board import MOST_ROWS
from models.center.rules import EMPTY, FIRST, SECOND, Position, turn_by_count

# -- drawings


def draw(position: Position) -> str:
    """The board and whose turn it is, or how the game ended.

    >>> print(draw(Position(size=3).play((2, 1))))
        1   2   3
       ___________
    1 |   | x |   |
    2 |   |   |   |
    3 |   |   |   |
    o to move
    >>> print(draw(Position(shape="hex", size=2).play((1, 1))))
    1   x .
    2  . . .
    3   . .
    o to move
    """
    lines = _square(position) if position.shape == "square" else _hexagon(position)
    return "\n".join([*lines, how_it_stands(position)])


def _square(position: Position) -> list[str]:
    width = len(str(position.size))
    numbers = "".join(f"{column:^4}" for column in range(1, position.size + 1))
    lines = [" " * (width + 2) + numbers.rstrip(), " " * (width + 2) + "_" * (4 * position.size - 1)]
    return lines + [f"{number:>{width}} | {' | '.join(row)} |" for number, row in enumerate(position.rows(), 1)]


def _hexagon(position: Position) -> list[str]:
    rows = position.rows()
    width = len(str(len(rows)))
    return [
        f"{number:>{width}} {' ' * (len(rows) - len(row))} {' '.join('.' if stone == EMPTY else stone for stone in row)}"
        for number, row in enumerate(rows, 1)
    ]


def how_it_stands(position: Position) -> str:
    """Whose turn it is, or how the game ended.

    >>> how_it_stands(Position(size=3))
    'x to move'
    """
    if position.winner is not None:
        text = f"{position.winner} has won"
        if _read_off(position) != position.to_move:
            text += f", {position.to_move} would be next"
    elif position.is_over:
        text = f"drawn: neither player has a move, {position.to_move} would be next"
    else:
        text = f"{position.to_move} to move"
    return text + (" (swap rule)" if position.swap else "")


def _read_off(position: Position) -> str | None:
    """Who would be next by the number of stones; None when that does not tell."""
    return turn_by_count(position.stones) if position.count(FIRST) - position.count(SECOND) in (0, 1) else None


_STANDING = re.compile(r"(?:(?P<mover>[xo]) to move|[xo] has won|drawn[^,]*)(?:, (?P<next>[xo]) would be next)?(?P<swap> \(swap rule\))?")


def from_text(text: str, shape: str | None = None) -> Position:
    """The position of a drawing, or of plain rows of ``x``, ``o`` and ``.`` with or without spaces between.

    ``shape`` need be given for a board of one cell only: it is taken for a square.

    >>> from_text(str(Position(size=5).play((1, 1)))) == Position(size=5).play((1, 1))
    True
    >>> from_text("x.o\\n.o.\\nx..").winner
    'o'
    >>> from_text("x.o\\n.z.\\nx..")
    Traceback (most recent call last):
    cpsolve.errors.FormatError: line 2, column 2: expected x, o or . for a cell, found 'z'
    """
    rows: list[list[str]] = []
    standing: re.Match[str] | None = None
    for number, line in lines_of(text, MOST_ROWS, MOST_ROWS):
        if not line.strip(" _0123456789"):  # empty, or the head of a drawing
            continue
        if standing is not None:
            raise FormatError(f"expected the end of the text after {standing.group()!r}, found {line.strip()!r}", number)
        standing = _STANDING.fullmatch(line.strip())
        if standing is None:
            rows.append(_row(line, number))
    to_move = standing and (standing["mover"] or standing["next"])
    try:
        return Position.from_rows(rows, to_move, shape=shape, swap=bool(standing and standing["swap"]))
    except CPSolveError as error:
        raise FormatError(str(error)) from error


def _row(line: str, number: int) -> list[str]:
    """The cells of one line of a drawing, or of plain text."""
    start = len(line) - len(line.lstrip(" 0123456789"))
    framed = line[start:].startswith("|")
    cells = []
    for column, character in enumerate(line[start:], start + 1):
        if framed and (column - start) % 4 == 3:  # in a frame a space is an empty cell
            cells.append((column, character))
        elif framed and character not in "| ":
            raise FormatError(f"expected '|' or a space between cells, found {character!r}", number, column)
        elif not framed and character != " ":
            cells.append((column, character))
    for column, character in cells:
        if character not in (FIRST, SECOND, ".") and not (framed and character == EMPTY):
            raise FormatError(f"expected x, o or . for a cell, found {character!r}", number, column)
    return [EMPTY if character == "." else character for _, character in cells]


# -- Prolog


def to_prolog(position: Position) -> str:
    """The board as the original's list of lists; facts follow for what the list does not tell.

    >>> print(to_prolog(Position(size=3).play((3, 1))), end="")
    [
        [' ', ' ', 'x'],
        [' ', ' ', ' '],
        [' ', ' ', ' ']
    ].
    """
    rows = ",\n".join("    [" + ", ".join(f"'{stone}'" for stone in row) + "]" for row in position.rows())
    facts = ""
    if position.size == 1 and position.shape == "hex":
        facts += "shape(hex).\n"
    if _read_off(position) != position.to_move:
        facts += f"to_move({position.to_move}).\n"
    return f"[\n{rows}\n].\n{facts}" + ("swap.\n" if position.swap else "")


def from_prolog(text: str) -> Position:
    """The position of a Prolog list of rows, as the original writes it; ``to_move(o).`` and ``swap.`` may follow.

    >>> from_prolog("[['x',' ',' '],[' ',' ',' '],[' ',' ',' ']]").to_move
    'o'
    """
    facts = parse_facts(text if text.rstrip().endswith(".") else text.rstrip() + ".") if text.strip() else []
    if not facts:
        raise FormatError("expected a list of rows such as [['x',' ',' '], …], found no term")
    board, *others = facts
    to_move: str | None = None
    shape: str | None = None
    swap = False
    for fact in others:
        match fact.term:
            case Struct("to_move", (Atom() as player,)) if player in (FIRST, SECOND):
                to_move = str(player)
            case Struct("shape", (Atom() as name,)):
                shape = str(name)
            case Atom("swap"):
                swap = True
            case term:
                raise fact.error(f"expected to_move(x), to_move(o), shape(hex) or swap after the board, found {term}")
    try:
        return Position.from_rows(_rows(board), to_move, shape=shape, swap=swap)
    except FormatError:
        raise
    except CPSolveError as error:
        raise board.error(str(error)) from error


def _rows(board: Fact) -> list[list[str]]:
    if not isinstance(board.term, list) or not all(isinstance(row, list) for row in board.term):
        raise board.error(f"expected a list of rows, each a list of 'x', 'o' and ' ', found {board.term}")
    rows = []
    for row in board.term:
        assert isinstance(row, list)
        for stone in row:
            if not isinstance(stone, str):
                raise board.error(f"expected 'x', 'o' or ' ' in a row, found {stone}")
        rows.append([str(stone) for stone in row])
    return rows

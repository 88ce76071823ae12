"""The original's files and drawings as text, from and to plain data: cells are ``(row, column)`` from 1.

``mina.pl`` holds ``tamanho(N).`` and one ``mina(Row,Column).`` per mine; ``ambiente.pl`` one ``valor(Row,Column,Number).`` per cell
without a mine; ``jogo.pl`` the same facts in the order in which a game revealed them, below a comment for each move. The original's
boards are square; of others, ``tamanho`` tells rows and columns: ``tamanho(16,30).`` A board is also read from the original's drawing,
or from plain rows: ``-`` covered, ``F`` flagged, ``0`` to ``8`` open, ``#`` a mine, ``.`` no mine and no number told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from cpsolve.errors import FormatError
from cpsolve.limits import looking
from cpsolve.prolog import Fact, Struct, parse_facts
from cpsolve.puzzles.boards_as_text import lines_of

Cell: TypeAlias = tuple[int, int]

COVERED, FLAGGED, MINE = "-", "F", "#"
ORIGINAL_VIEW, ORIGINAL_MINES = "001-\n001-\n113-\n----", 3
"""The example of the original: what its player sees after two moves, and how many mines there are."""
LARGEST = 1_000
"""Boards of more rows or columns are refused: a typing error must not eat the machine."""


# -- mina.pl, ambiente.pl, jogo.pl


def read_mines(text: str) -> tuple[int, int, set[Cell]]:
    """Rows, columns and mines of a ``mina.pl``.

    >>> read_mines("tamanho(4). mina(2,4).")
    (4, 4, {(2, 4)})
    """
    size: tuple[int, int] | None = None
    mines: dict[Cell, Fact] = {}
    for fact in parse_facts(text):
        name, numbers = _numbers(fact)
        if name == "tamanho" and len(numbers) in (1, 2):
            if size is not None:
                raise fact.error("tamanho is given twice: keep one of the two facts")
            if not all(1 <= number <= LARGEST for number in numbers):
                raise fact.error(f"expected a size from 1 to {LARGEST:,}, found {', '.join(map(str, numbers))}")
            size = (numbers[0], numbers[-1])
        elif name == "mina" and len(numbers) == 2:
            cell = (numbers[0], numbers[1])
            if cell in mines:
                raise fact.error(f"the mine {cell} is given twice: remove one of the two facts")
            mines[cell] = fact
        else:
            raise fact.error(f"expected tamanho(N) or mina(Row,Column), found {name}/{len(numbers)}")
    if size is None:
        raise FormatError("expected a fact tamanho(N), found none")
    for cell, fact in mines.items():
        _within(cell, size, fact)
    return *size, set(mines)


def write_mines(rows: int, columns: int, mines: Iterable[Cell]) -> str:
    """The text of a ``mina.pl``.

    >>> print(write_mines(4, 4, [(4, 2), (2, 4)]), end="")
    tamanho(4).
    mina(2,4).
    mina(4,2).
    """
    size = f"tamanho({rows})." if rows == columns else f"tamanho({rows},{columns})."
    return "\n".join([size, *(f"mina({row},{column})." for row, column in sorted(mines))]) + "\n"


def read_values(text: str, size: tuple[int, int] | None = None) -> dict[Cell, int]:
    """The numbers of an ``ambiente.pl`` or a ``jogo.pl``, in the order of the file.

    >>> read_values("/*JOGADA 1*/ valor(3,4,2). jogo_encerrado.")
    {(3, 4): 2}
    """
    values: dict[Cell, int] = {}
    for fact in parse_facts(text):
        if fact.term == "jogo_encerrado":
            continue
        name, numbers = _numbers(fact)
        if name != "valor" or len(numbers) != 3:
            raise fact.error(f"expected valor(Row,Column,Number), found {name}/{len(numbers)}")
        row, column, value = numbers
        _within((row, column), size or (LARGEST, LARGEST), fact)
        if not 0 <= value <= 8:
            raise fact.error(f"expected a number from 0 to 8, found {value}")
        if (row, column) in values:
            raise fact.error(f"the number of {row, column} is given twice: remove one of the two facts")
        values[row, column] = value
    return values


def write_values(values: Mapping[Cell, int]) -> str:
    """One fact ``valor(Row,Column,Number).`` per line, in the order given.

    >>> print(write_values({(1, 1): 0, (1, 2): 3}), end="")
    valor(1,1,0).
    valor(1,2,3).
    """
    return "".join(f"valor({row},{column},{value}).\n" for (row, column), value in values.items())


def write_log(moves: Iterable[tuple[Cell, Mapping[Cell, int]]], before: Mapping[Cell, int] | None = None) -> str:
    """The text of a ``jogo.pl``: each move's cell and what it revealed; a move that revealed nothing hit a mine.

    What was open ``before`` the first move comes first.

    >>> print(write_log([((3, 4), {(3, 4): 2}), ((4, 4), {})]), end="")
    /*JOGADA 1*/
    /*posicao(3,4).*/
    /*AMBIENTE*/
    valor(3,4,2).
    /*JOGADA 2*/
    /*posicao(4,4).*/
    /*AMBIENTE*/
    jogo_encerrado.
    """
    begun = f"/*AMBIENTE*/\n{write_values(before)}" if before else ""
    return begun + "".join(
        f"/*JOGADA {number}*/\n/*posicao({row},{column}).*/\n/*AMBIENTE*/\n{write_values(revealed) or 'jogo_encerrado.' + chr(10)}"
        for number, ((row, column), revealed) in enumerate(moves, start=1)
    )


def _numbers(fact: Fact) -> tuple[str, list[int]]:
    """The name and the arguments of a fact that has whole numbers only."""
    term = fact.term
    if not isinstance(term, Struct):
        raise fact.error(f"expected a fact with arguments, such as mina(2,4), found {term}")
    numbers = [argument for argument in term.args if isinstance(argument, int)]
    if len(numbers) != len(term.args):
        raise fact.error(f"expected whole numbers as the arguments of {term.name}")
    return term.name, numbers


def _within(cell: Cell, size: tuple[int, int], fact: Fact) -> None:
    if not (1 <= cell[0] <= size[0] and 1 <= cell[1] <= size[1]):
        raise fact.error(f"the cell {cell} is outside the board: rows 1 to {size[0]}, columns 1 to {size[1]}")


# -- boards as drawings or plain rows


DRAWN = re.compile(r"\s*(\d+)\s*\|(.*)\|.*", re.DOTALL)
"""A row of the original's drawing: its number, then the cells between bars; what stands after the last bar does not count."""


def is_drawn(text: str) -> bool:
    """Whether a text is a drawing like the original's, not plain rows.

    >>> is_drawn(" 1 | - | 1 |"), is_drawn("-1")
    (True, False)
    """
    return _is_drawn(lines_of(text, LARGEST, LARGEST))


def _is_drawn(lines: list[tuple[int, str]]) -> bool:
    return any(DRAWN.fullmatch(line) for _, line in lines)


def symbols(text: str) -> tuple[int, int, Iterator[tuple[Cell, str, int, int]]]:
    """Rows, columns and the symbols of a board with their cells, lines and columns in the text; an empty cell of a drawing is a 0.

    Space around a plain row and empty lines before and after the board do not count.

    >>> rows, columns, found = symbols("1-\\n-F")
    >>> rows, columns, list(found)[3]
    (2, 2, ((2, 2), 'F', 2, 2))
    """
    lines = lines_of(text, LARGEST, LARGEST)
    rows = list(_drawn_rows(lines) if _is_drawn(lines) else _plain_rows(lines))
    if not rows:
        raise FormatError("expected a board, one line per row, found no text")
    width = rows[0].size
    if len(rows) > LARGEST or width > LARGEST:
        raise FormatError(f"expected at most {LARGEST:,} rows and columns, found {len(rows):,} by {width:,}", rows[0].line)
    return len(rows), width, _signs(rows, width)


class Row(NamedTuple):
    """A row of a board: its line, its text and where that begins there, how many cells it has, and whether bars part them."""

    line: int
    text: str
    start: int
    size: int
    drawn: bool

    def signs(self) -> Iterator[tuple[str, int]]:
        """The sign of every cell, and where it stands."""
        place = self.start
        for cell in self.text.split("|") if self.drawn else self.text:
            if len(cell.strip()) > 1:
                raise FormatError(f"expected one sign per cell, found {cell.strip()!r}", self.line, place)
            yield (cell.strip() or "0" if self.drawn else cell), place + len(cell) // 2 * self.drawn
            place += len(cell) + self.drawn


def _signs(rows: list[Row], width: int) -> Iterator[tuple[Cell, str, int, int]]:
    for i, each in enumerate(rows, start=1):
        line, row = each.line, list(each.signs())
        for j, (symbol, place) in enumerate(row, start=1):
            yield (i, j), symbol, line, place
        if len(row) != width:
            place = row[min(len(row) - 1, width)][1] + (len(row) < width) if row else 1
            raise FormatError(f"expected {width} cells as in the first row, found {len(row)}", line, place)


def _plain_rows(lines: list[tuple[int, str]]) -> Iterator[Row]:
    told = [number for number, line in lines if line.strip()]
    for number, line in lines[told[0] - 1 : told[-1]] if told else ():
        text = line.strip()
        yield Row(number, text, len(line) - len(line.lstrip()) + 1, len(text), drawn=False)


def _drawn_rows(lines: list[tuple[int, str]]) -> Iterator[Row]:
    expected = 1
    for number, line in lines:
        drawn = DRAWN.fullmatch(line)
        if drawn is None:
            if line.strip(" -|\t0123456789"):
                raise FormatError(f"expected a row such as ' 1 | - | 2 |' or a line between rows, found {line.strip()!r}", number, 1)
            continue
        if len(drawn[1]) > 9 or int(drawn[1]) != expected:
            raise FormatError(f"expected row {expected}, found row {drawn[1]:.20}", number, drawn.start(1) + 1)
        expected += 1
        yield Row(number, drawn[2], drawn.start(2) + 1, drawn[2].count("|") + 1, drawn=True)


def read_view(text: str) -> tuple[int, int, dict[Cell, int], list[Cell]]:
    """Rows, columns, open cells and flags of a view, drawn or in plain rows of ``-`` covered, ``0`` to ``8`` open, ``F`` flagged.

    >>> read_view("1-\\n-F")
    (2, 2, {(1, 1): 1}, [(2, 2)])
    """
    opened: dict[Cell, int] = {}
    flags: list[Cell] = []
    rows, columns, found = symbols(text)
    for cell, symbol, line, place in looking(found, "reading the board"):
        if symbol in "012345678":
            opened[cell] = int(symbol)
        elif symbol == FLAGGED:
            flags.append(cell)
        elif symbol != COVERED:
            raise FormatError(f"expected '-', '0' to '8' or 'F', found {symbol!r}", line, place)
    return rows, columns, opened, flags


def read_field(text: str) -> tuple[int, int, set[Cell]]:
    """Rows, columns and mines of a field, drawn or in plain rows of ``#`` a mine, ``0`` to ``8`` or ``.`` none; numbers must be right.

    >>> read_field("1#\\n11"), read_field("..#")
    ((2, 2, {(1, 2)}), (1, 3, {(1, 3)}))
    """
    rows, columns, found = symbols(text)
    told: dict[Cell, tuple[int, int, int]] = {}
    mines: set[Cell] = set()
    for cell, symbol, line, place in looking(found, "reading the board"):
        if symbol == MINE:
            mines.add(cell)
        elif symbol in "012345678":
            told[cell] = int(symbol), line, place
        elif symbol != ".":
            raise FormatError(f"expected '#', '0' to '8' or '.', found {symbol!r}", line, place)
    for (row, column), (number, line, place) in looking(told.items(), "reading the board"):
        around = sum((row + i, column + j) in mines for i in (-1, 0, 1) for j in (-1, 0, 1))
        if number != around:
            raise FormatError(f"the cell ({row},{column}) shows {number}, but {around} of its neighbours are mines", line, place)
    return rows, columns, mines


# -- the drawing


def draw(rows: int, columns: int, symbol: Callable[[Cell], str]) -> str:
    """The original's drawing of a board, one character per cell.

    >>> print(draw(2, 3, lambda cell: "#" if cell == (2, 3) else " "))
         1   2   3
        -----------
     1 |   |   |   |
       |--- --- ---|
     2 |   |   | # |
        -----------
    """
    margin = max(2, len(str(rows)))
    pad = " " * (margin + 1)
    edge = pad + " " + "-" * (4 * columns - 1)
    between = "\n" + pad + "|" + " ".join(["---"] * columns) + "|\n"
    lines = [
        f"{row:>{margin}} |" + "".join(f" {symbol((row, column))} |" for column in range(1, columns + 1)) for row in range(1, rows + 1)
    ]
    header = pad + "".join(f"{column:>3} " for column in range(1, columns + 1)).rstrip()
    return "\n".join([header, edge, between.join(lines), edge])

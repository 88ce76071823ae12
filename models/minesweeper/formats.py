"""The seed's files and drawings as text, from and to plain data: cells are ``(row, column)`` from 1.

``mina.pl`` holds ``tamanho(N).`` and one ``mina(Row,Column).`` a mine; ``ambiente.pl`` one ``valor(Row,Column,Number).`` a cell
without a mine; ``jogo.pl`` the same facts in the order in which a game revealed them, below a comment for each move. The seed's
boards are square; of others, ``tamanho`` tells rows and columns: ``tamanho(16,30).``
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from cpsolve.errors import FormatError
from cpsolve.prolog import Fact, Struct, parse_facts

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
    """One fact ``valor(Row,Column,Number).`` a line, in the order given.

    >>> print(write_values({(1, 1): 0, (1, 2): 3}), end="")
    valor(1,1,0).
    valor(1,2,3).
    """
    return "".join(f"valor({row},{column},{value}).\n" for (row, column), value in values.items())


def write_log(moves: Iterable[tuple[Cell, Mapping[Cell, int]]]) -> str:
    """The text of a ``jogo.pl``: each move's cell and what it revealed; a move that revealed nothing hit a mine.

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
    return "".join(
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


# -- a view as plain text


def read_view(text: str) -> tuple[int, int, dict[Cell, int], list[Cell]]:
    """Rows, columns, open cells and flags of a view: one line a row of ``-`` covered, ``0`` to ``8`` open, ``F`` flagged.

    Space around a line and empty lines before and after the board do not count.

    >>> read_view("1-\\n-F")
    (2, 2, {(1, 1): 1}, [(2, 2)])
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    while lines and not lines[0][1].strip():
        lines.pop(0)
    while lines and not lines[-1][1].strip():
        lines.pop()
    if not lines:
        raise FormatError("expected a board, one line a row, found no text")
    width = len(lines[0][1].strip())
    opened: dict[Cell, int] = {}
    flags: list[Cell] = []
    for row, (number, line) in enumerate(lines, start=1):
        indent = len(line) - len(line.lstrip())
        symbols = line.strip()
        for column, symbol in enumerate(symbols, start=1):
            if symbol in "012345678":
                opened[row, column] = int(symbol)
            elif symbol == FLAGGED:
                flags.append((row, column))
            elif symbol != COVERED:
                raise FormatError(f"expected '-', '0' to '8' or 'F', found {symbol!r}", number, indent + column)
        if len(symbols) != width:
            raise FormatError(
                f"expected {width} cells as in the first row, found {len(symbols)}", number, indent + min(len(symbols), width) + 1
            )
    if len(lines) > LARGEST or width > LARGEST:
        raise FormatError(f"expected at most {LARGEST:,} rows and columns, found {len(lines):,} by {width:,}", lines[0][0])
    return len(lines), width, opened, flags


# -- the drawing


def draw(rows: int, columns: int, symbol: Callable[[Cell], str]) -> str:
    """The seed's drawing of a board, one character a cell.

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

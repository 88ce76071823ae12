"""The game: fields of mines, what a player sees of them, and moves. No solver lives here.

Cells are ``(row, column)`` from 1. A :class:`Field` knows where the mines are; a :class:`View` is what a player knows: open
cells with their numbers, covered cells, perhaps the number of mines. Whoever plays gets a view, never the field, and so cannot
cheat.

As in the original, opening a 0 opens its neighbours, clockwise from the upper left, each with all that follows from it before the
next; opening an open cell does nothing. Two things the original leaves open are settled here: boards need not be square, and a flag
is a player's mark that the game keeps but never obeys (opening a flagged cell opens it).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from cpsolve.cached import cached_property
from cpsolve.errors import FormatError, IllegalMoveError, ModelError
from models.minesweeper import formats
from models.minesweeper.formats import COVERED, FLAGGED, LARGEST, MINE, Cell

CLOCKWISE = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The way to each neighbour, from the upper left: the original's Vdi and Vdj."""

FirstClick: TypeAlias = Literal["any", "safe", "opening"]
GameStatus: TypeAlias = Literal["playing", "won", "lost"]


@lru_cache(maxsize=100_000)
def neighbours(cell: Cell, rows: int, columns: int) -> tuple[Cell, ...]:
    """The cells around a cell, clockwise from the upper left.

    >>> neighbours((1, 1), 4, 4)
    ((1, 2), (2, 2), (2, 1))
    """
    row, column = cell
    return tuple((row + i, column + j) for i, j in CLOCKWISE if 1 <= row + i <= rows and 1 <= column + j <= columns)


def _check_size(rows: int, columns: int) -> None:
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise ModelError(f"a board has 1 to {LARGEST:,} rows and columns, not {rows} by {columns}")


def _check_cell(cell: Cell, rows: int, columns: int) -> None:
    row, column = cell
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise ModelError(f"the cell {cell} is outside the board: rows 1 to {rows}, columns 1 to {columns}")


class Field:
    """A board with its mines; immutable.

    >>> field = Field(4, 4, mines={(2, 4), (4, 2), (4, 4)})
    >>> field.value((3, 3))
    3
    >>> print(field)
         1   2   3   4
        ---------------
     1 |   |   | 1 | 1 |
       |--- --- --- ---|
     2 |   |   | 1 | # |
       |--- --- --- ---|
     3 | 1 | 1 | 3 | 2 |
       |--- --- --- ---|
     4 | 1 | # | 2 | # |
        ---------------
    """

    rows: int
    columns: int
    mines: frozenset[Cell]

    def __init__(self, rows: int, columns: int, mines: Iterable[Cell]) -> None:
        _check_size(rows, columns)
        self.__dict__.update(rows=rows, columns=columns, mines=frozenset(mines))
        for cell in self.mines:
            _check_cell(cell, rows, columns)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a field does not change: make a new one")

    @classmethod
    def random(cls, rows: int, columns: int, mines: int, seed: int | None = None) -> Field:
        """A field with that number of mines, all placements equally likely.

        >>> len(Field.random(16, 30, 99, seed=1).mines)
        99
        """
        _check_size(rows, columns)
        if not 0 <= mines <= rows * columns:
            raise ModelError(f"a board of {rows} by {columns} holds 0 to {rows * columns} mines, not {mines}")
        places = random.Random(seed).sample(range(rows * columns), mines)
        return cls(rows, columns, {(place // columns + 1, place % columns + 1) for place in places})

    @classmethod
    def from_prolog(cls, text: str) -> Field:
        """The field that a ``mina.pl`` tells.

        >>> Field.from_prolog("tamanho(4). mina(2,4). mina(4,2). mina(4,4).")
        Field(4, 4, mines={(2, 4), (4, 2), (4, 4)})
        """
        return cls(*formats.read_mines(text))

    @classmethod
    def from_text(cls, text: str) -> Field:
        """The field of a drawing like that of ``str``, or of plain rows: ``#`` a mine, ``0`` to ``8`` or ``.`` none.

        >>> field = Field(4, 4, mines={(2, 4), (4, 2), (4, 4)})
        >>> Field.from_text(str(field)) == Field.from_text(field.to_text()) == field
        True
        """
        return cls(*formats.read_field(text))

    def to_text(self) -> str:
        """Plain rows: ``#`` a mine, else the number.

        >>> Field(2, 2, {(1, 2)}).to_text()
        '1#\\n11'
        """
        return "\n".join("".join(MINE if value < 0 else str(value) for value in row) for row in self.numbers.tolist())

    @classmethod
    def from_environment(cls, text: str, rows: int | None = None, columns: int | None = None) -> Field:
        """The field that an ``ambiente.pl`` tells; without a size, that of the last row and column that has a number.

        >>> Field.from_environment("valor(1,2,1). valor(2,1,1). valor(2,2,1).")
        Field(2, 2, mines={(1, 1)})
        """
        values = formats.read_values(text, (rows or LARGEST, columns or LARGEST))
        height = rows or max((row for row, _ in values), default=0)
        width = columns or max((column for _, column in values), default=0)
        if not height or not width:
            raise FormatError("expected a fact valor(Row,Column,Number) or the size of the board, found neither")
        field = cls(height, width, {cell for cell in _cells(height, width) if cell not in values})
        for cell, value in values.items():
            if field.value(cell) != value:
                raise FormatError(
                    f"valor({cell[0]},{cell[1]},{value}) is wrong: {field.value(cell)} of its neighbours have no number, so are mines"
                )
        return field

    def to_prolog(self) -> str:
        """The text of ``mina.pl``.

        >>> print(Field(2, 2, {(1, 2)}).to_prolog(), end="")
        tamanho(2).
        mina(1,2).
        """
        return formats.write_mines(self.rows, self.columns, self.mines)

    def environment(self) -> str:
        """The text of ``ambiente.pl``: the number of every cell without a mine.

        >>> print(Field(2, 2, {(1, 2)}).environment(), end="")
        valor(1,1,1).
        valor(2,1,1).
        valor(2,2,1).
        """
        return formats.write_values({cell: self.value(cell) for cell in _cells(self.rows, self.columns) if cell not in self.mines})

    @cached_property
    def numbers(self) -> NDArray[np.int8]:
        """The number of mines around every cell, rows × columns, counted from 0; -1 on a mine."""
        mined = np.zeros((self.rows + 2, self.columns + 2), dtype=np.int8)
        for row, column in self.mines:
            mined[row, column] = 1
        around = np.zeros((self.rows, self.columns), dtype=np.int8)
        for i, j in CLOCKWISE:
            around += mined[1 + i : 1 + i + self.rows, 1 + j : 1 + j + self.columns]
        around[mined[1:-1, 1:-1] == 1] = -1
        around.flags.writeable = False
        return around

    def value(self, cell: Cell) -> int:
        """The number of mines around a cell that is not one.

        >>> Field(3, 3, {(1, 1)}).value((2, 2))
        1
        """
        _check_cell(cell, self.rows, self.columns)
        if cell in self.mines:
            raise ModelError(f"{cell} is a mine: it has no number")
        return int(self.numbers[cell[0] - 1, cell[1] - 1])

    def view(self, opened: Iterable[Cell], mines: int | None = None) -> View:
        """What a player sees with these cells open.

        >>> print(Field(2, 2, {(1, 2)}).view([(1, 1)]).to_text())
        1-
        --
        """
        return View(self.rows, self.columns, open={cell: self.value(cell) for cell in opened}, mines=mines)

    def __reduce__(self) -> tuple[Any, ...]:
        return Field, self._key()

    def _key(self) -> tuple[int, int, frozenset[Cell]]:
        return self.rows, self.columns, self.mines

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        mines = ", ".join(map(str, sorted(self.mines)))
        return f"Field({self.rows}, {self.columns}, mines={{{mines}}})" if mines else f"Field({self.rows}, {self.columns}, mines=set())"

    def __str__(self) -> str:
        return formats.draw(self.rows, self.columns, lambda cell: MINE if cell in self.mines else str(self.value(cell)).replace("0", " "))

    def _repr_svg_(self) -> str:
        return _svg(self)


def _cells(rows: int, columns: int) -> Iterator[Cell]:
    return ((row, column) for row in range(1, rows + 1) for column in range(1, columns + 1))


class View:
    """What a player knows: open cells with their numbers, the rest covered; ``mines`` is their number, None when not known.

    Flags are the player's marks; nothing follows from them. A view is immutable; whether any field fits it is not checked here.

    >>> view = View.from_text('''
    ...     001-
    ...     001F
    ...     113-
    ...     ----
    ... ''', mines=3)
    >>> view[3, 3], view[4, 4], len(view.covered)
    (3, None, 7)
    """

    rows: int
    columns: int
    mines: int | None
    flags: frozenset[Cell]
    grid: NDArray[np.int8]
    """Rows × columns, counted from 0: the number of an open cell, -1 for a covered one."""

    def __init__(self, rows: int, columns: int, open: Mapping[Cell, int], mines: int | None = None, flags: Iterable[Cell] = ()) -> None:
        _check_size(rows, columns)
        grid = np.full((rows, columns), -1, dtype=np.int8)
        for cell, value in open.items():
            _check_cell(cell, rows, columns)
            if not 0 <= value <= 8:
                raise ModelError(f"the cell {cell} cannot show {value}: numbers are 0 to 8")
            grid[cell[0] - 1, cell[1] - 1] = value
        marks = frozenset(flags)
        for cell in marks:
            _check_cell(cell, rows, columns)
            if grid[cell[0] - 1, cell[1] - 1] >= 0:
                raise ModelError(f"the cell {cell} is open and cannot be flagged")
        if mines is not None and not 0 <= mines <= LARGEST * LARGEST:
            raise ModelError(f"the number of mines is 0 to {LARGEST * LARGEST:,}, or None when not known, not {mines}")
        self._set(grid, mines, marks)

    def _set(self, grid: NDArray[np.int8], mines: int | None, flags: frozenset[Cell]) -> None:
        grid = np.ascontiguousarray(grid, dtype=np.int8)
        grid.flags.writeable = False
        self.__dict__.update(grid=grid, rows=grid.shape[0], columns=grid.shape[1], mines=mines, flags=flags)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a view does not change: make a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return View.of_grid, (self.grid, self.mines, self.flags)

    @classmethod
    def of_grid(cls, grid: NDArray[np.int8], mines: int | None = None, flags: frozenset[Cell] = frozenset()) -> View:
        """A view of an array as in ``.grid``, taken over without checks.

        >>> View.of_grid(np.array([[1, -1]], dtype=np.int8)).covered
        ((1, 2),)
        """
        view = cls.__new__(cls)
        view._set(grid, mines, flags)
        return view

    @classmethod
    def from_text(cls, text: str, mines: int | None = None) -> View:
        """A view from one line per row, ``-`` covered, ``0`` to ``8`` open, ``F`` flagged; or from a drawing like that of ``str``.

        >>> View.from_text("1-", mines=1).open
        mappingproxy({(1, 1): 1})
        """
        rows, columns, opened, flags = formats.read_view(text)
        return cls(rows, columns, opened, mines, flags)

    @classmethod
    def from_prolog(cls, text: str, rows: int, columns: int, mines: int | None = None) -> View:
        """What a player knows from a ``jogo.pl``.

        >>> View.from_prolog("/*JOGADA 1*/ valor(1,1,1).", 1, 2).to_text()
        '1-'
        """
        return cls(rows, columns, formats.read_values(text, (rows, columns)), mines)

    def to_prolog(self) -> str:
        """The open cells as the facts of a ``jogo.pl``.

        >>> View.from_text("1-").to_prolog()
        'valor(1,1,1).\\n'
        """
        return formats.write_values(self.open)

    def to_text(self) -> str:
        """The text that ``from_text`` reads.

        >>> View(1, 3, open={(1, 1): 1}, flags=[(1, 2)]).to_text()
        '1F-'
        """
        return "\n".join("".join(self._symbol((row, column)) for column in range(1, self.columns + 1)) for row in range(1, self.rows + 1))

    @cached_property
    def open(self) -> Mapping[Cell, int]:
        """The open cells with their numbers, row by row."""
        rows, columns = np.nonzero(self.grid >= 0)
        cells = zip((rows + 1).tolist(), (columns + 1).tolist(), strict=True)
        return MappingProxyType(dict(zip(cells, self.grid[rows, columns].tolist(), strict=True)))

    @cached_property
    def covered(self) -> tuple[Cell, ...]:
        """The covered cells, row by row."""
        rows, columns = np.nonzero(self.grid < 0)
        return tuple(zip((rows + 1).tolist(), (columns + 1).tolist(), strict=True))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells around a cell, clockwise from the upper left.

        >>> View.from_text("1-").neighbours((1, 1))
        ((1, 2),)
        """
        return neighbours(cell, self.rows, self.columns)

    def covered_around(self, cell: Cell) -> tuple[Cell, ...]:
        """The covered cells around a cell.

        >>> View.from_text("1-").covered_around((1, 2))
        ()
        """
        return tuple(near for near in neighbours(cell, self.rows, self.columns) if self.grid[near[0] - 1, near[1] - 1] < 0)

    def chord(self, cell: Cell) -> tuple[Cell, ...]:
        """What a click on an open number opens: all around it without a flag, if as many are flagged as it shows.

        >>> View.from_text("F1-").chord((1, 2))
        ((1, 3),)
        """
        name, number, around = f"({cell[0]},{cell[1]})", self[cell], self.covered_around(cell)
        flagged = sum(near in self.flags for near in around)
        if number is None:
            raise IllegalMoveError(f"{name} is covered: only an open number tells what is around it")
        if not around or flagged == len(around) == number:
            raise IllegalMoveError(f"all is open around {name}")
        if flagged != number:
            raise IllegalMoveError(f"{name} shows {number} and {flagged} of the cells around are flagged: nothing was opened")
        return tuple(near for near in around if near not in self.flags)

    def fits(self, field: Field) -> bool:
        """Whether this is a view of that field: same size and numbers, no mine open, the number of mines right if it is known.

        >>> View.from_text("1-").fits(Field(1, 2, {(1, 2)})), View.from_text("1-").fits(Field(1, 2, set()))
        (True, False)
        """
        if (self.rows, self.columns) != (field.rows, field.columns) or self.mines not in (None, len(field.mines)):
            return False
        return bool(np.all((self.grid < 0) | (self.grid == field.numbers)))

    def __getitem__(self, cell: Cell) -> int | None:
        """The number of an open cell, None for a covered one."""
        _check_cell(cell, self.rows, self.columns)
        value = int(self.grid[cell[0] - 1, cell[1] - 1])
        return None if value < 0 else value

    def _key(self) -> tuple[Any, ...]:
        return self.rows, self.columns, self.grid.tobytes(), self.mines, self.flags

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _symbol(self, cell: Cell) -> str:
        value = self[cell]
        if value is None:
            return FLAGGED if cell in self.flags else COVERED
        return str(value)

    def __repr__(self) -> str:
        return f"View.from_text({self.to_text()!r}, mines={self.mines})"

    def __str__(self) -> str:
        return formats.draw(self.rows, self.columns, lambda cell: self._symbol(cell).replace("0", " "))

    def _repr_svg_(self) -> str:
        return _svg(self)


class Game:
    """One game on a field: open and flag cells, look at the view.

    ``first_click`` is what the first cell opened may be: ``"any"``; ``"safe"``, never a mine; ``"opening"``, always a 0. To
    keep the promise, mines in the way move to cells that are drawn from all others, so every field that keeps it is equally
    likely. Where the others are too few to hold them, mines stay: around the cell first, on it last.

    >>> game = Game(Field(4, 4, mines={(2, 4), (4, 2), (4, 4)}))
    >>> game.open((3, 4))
    {(3, 4): 2}
    >>> len(game.open((2, 2))), game.status
    (9, 'playing')
    >>> print(game.view.to_text())
    001-
    001-
    1132
    ----
    """

    def __init__(self, field: Field, first_click: FirstClick = "any", seed: int | None = None) -> None:
        if first_click not in get_args(FirstClick):
            raise ModelError(f"first_click is one of {', '.join(map(repr, get_args(FirstClick)))}, not {first_click!r}")
        self._field = field
        self._first_click: FirstClick = first_click
        self._seed = seed
        self._grid: NDArray[np.int8] = np.full((field.rows, field.columns), -1, dtype=np.int8)
        self._flags: set[Cell] = set()
        self._moves: list[tuple[Cell, Mapping[Cell, int]]] = []
        self._left = field.rows * field.columns - len(field.mines)
        self._status: GameStatus = "playing" if self._left else "won"
        self._before: Mapping[Cell, int] = {}

    @classmethod
    def from_view(cls, field: Field, view: View) -> Game:
        """A game on a field that goes on from what is open in a view of it.

        >>> game = Game.from_view(Field(1, 3, {(1, 3)}), View.from_text("0--"))
        >>> game.open((1, 2)), game.status
        ({(1, 2): 1}, 'won')
        """
        if not view.fits(field):
            raise ModelError("the view is not one of this field: its size, a number or the number of mines differs")
        game = cls(field)
        game._grid = view.grid.copy()
        game._flags = set(view.flags)
        game._left -= len(view.open)
        game._status = "playing" if game._left else "won"
        game._before = view.open
        return game

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._field.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self._field.columns

    @property
    def mines(self) -> int:
        """The number of mines."""
        return len(self._field.mines)

    @property
    def first_click(self) -> FirstClick:
        """What the first cell opened may be."""
        return self._first_click

    @property
    def status(self) -> GameStatus:
        """``"won"`` when every cell without a mine is open, ``"lost"`` when a mine is, else ``"playing"``."""
        return self._status

    @property
    def view(self) -> View:
        """What the player sees now."""
        return View.of_grid(self._grid.copy(), self.mines, frozenset(self._flags))

    def copy(self) -> Game:
        """The same game, to be played on apart from this one.

        >>> game = Game(Field(1, 3, {(1, 3)}))
        >>> _ = game.copy().open((1, 1))
        >>> game.view.to_text()
        '---'
        """
        twin = copy(self)
        twin._grid, twin._flags, twin._moves = self._grid.copy(), set(self._flags), list(self._moves)
        return twin

    @property
    def hit(self) -> Cell | None:
        """The mine that was opened, once the game is lost.

        >>> game = Game(Field(1, 2, {(1, 2)}))
        >>> _ = game.open((1, 2))
        >>> game.hit
        (1, 2)
        """
        return self._moves[-1][0] if self._status == "lost" else None

    def reveal(self) -> Field:
        """The field, once the game is over.

        >>> Game(Field(1, 1, {(1, 1)})).reveal()
        Field(1, 1, mines={(1, 1)})
        """
        if self._status == "playing":
            raise ModelError("the field is shown when the game is over; now it is being played")
        return self._field

    def open(self, cell: Cell) -> dict[Cell, int]:
        """Opens a cell and, around every 0, all cells; tells what was revealed, in order: nothing when it is a mine.

        >>> game = Game(Field(1, 3, {(1, 3)}))
        >>> game.open((1, 1)), game.status
        ({(1, 1): 0, (1, 2): 1}, 'won')
        """
        _check_cell(cell, self.rows, self.columns)
        if self._status != "playing":
            raise ModelError(f"the game is {self._status}: no cell can be opened")
        if self._grid[cell[0] - 1, cell[1] - 1] >= 0:
            return {}
        if not self._moves:
            self._field = cleared(self._field, cell, self._first_click, self._seed)
        revealed = {} if cell in self._field.mines else self._flood(cell)
        self._moves.append((cell, revealed))
        self._left -= len(revealed)
        if not revealed:
            self._status = "lost"
        elif not self._left:
            self._status = "won"
        return revealed

    def _flood(self, start: Cell) -> dict[Cell, int]:
        """Opens a cell as the original's recursion does; the stack stands for it, since a wide board would be too deep."""
        numbers, grid = self._field.numbers, self._grid
        revealed: dict[Cell, int] = {}
        stack: list[Iterator[Cell]] = [iter((start,))]
        while stack:
            cell = next(stack[-1], None)
            if cell is None:
                stack.pop()
                continue
            row, column = cell[0] - 1, cell[1] - 1
            if grid[row, column] >= 0:
                continue
            value = int(numbers[row, column])
            grid[row, column] = value
            revealed[cell] = value
            self._flags.discard(cell)
            if value == 0:
                stack.append(iter(neighbours(cell, self.rows, self.columns)))
        return revealed

    def flag(self, cell: Cell) -> None:
        """Marks a covered cell as a mine, in the player's opinion.

        >>> game = Game(Field(1, 2, {(1, 2)}))
        >>> game.flag((1, 2))
        >>> game.view.to_text()
        '-F'
        """
        _check_cell(cell, self.rows, self.columns)
        if self._grid[cell[0] - 1, cell[1] - 1] >= 0:
            raise ModelError(f"the cell {cell} is open and cannot be flagged")
        self._flags.add(cell)

    def unflag(self, cell: Cell) -> None:
        """Takes a mark away.

        >>> game = Game(Field(1, 2, {(1, 2)}))
        >>> game.flag((1, 1))
        >>> game.unflag((1, 1))
        >>> game.view.flags
        frozenset()
        """
        _check_cell(cell, self.rows, self.columns)
        self._flags.discard(cell)

    def transcript(self) -> str:
        """What the original's programs print on the screen: the cells revealed, and how the game ended.

        >>> game = Game(Field(1, 2, {(1, 2)}))
        >>> _ = game.open((1, 1))
        >>> print(game.transcript(), end="")
        valor(1,1,1).
        Ganhou :D
        """
        end = {"playing": "", "won": "Ganhou :D\n", "lost": "jogo encerrado\n"}[self._status]
        return "".join(formats.write_values(revealed) for _, revealed in self._moves) + end

    def log(self) -> str:
        """The text of ``jogo.pl``: every move and what it revealed.

        >>> game = Game(Field(1, 2, {(1, 2)}))
        >>> _ = game.open((1, 1))
        >>> print(game.log(), end="")
        /*JOGADA 1*/
        /*posicao(1,1).*/
        /*AMBIENTE*/
        valor(1,1,1).
        """
        return formats.write_log(self._moves, self._before)

    def _repr_svg_(self) -> str:
        return _svg(self)


def _svg(board: View | Game | Field) -> str:
    from models.minesweeper.drawing import draw

    return draw(board).svg()


def check_playable(field: Field) -> None:
    """ModelError for a field of nothing but mines.

    >>> check_playable(Field(2, 2, mines={(1, 1)}))
    """
    if len(field.mines) == field.rows * field.columns:
        raise ModelError(f"all {len(field.mines):,} cells are mines: there is nothing to open, and nothing to win")


def cleared(field: Field, cell: Cell, first_click: FirstClick, seed: int | None) -> Field:
    """The field on which a game goes on after its first cell: mines in the way are moved to cells drawn from all others.

    >>> cleared(Field(1, 3, {(1, 1)}), (1, 1), "opening", seed=1)
    Field(1, 3, mines={(1, 3)})
    """
    if first_click == "any":
        return field
    near = [cell, *neighbours(cell, field.rows, field.columns)] if first_click == "opening" else [cell]
    moving = [place for place in near if place in field.mines]
    if not moving:
        return field
    free = [place for place in _cells(field.rows, field.columns) if place not in field.mines and place not in near]
    # the draw depends on the whole field: a fixed order of places would favour some of them
    generator = random.Random(f"{seed} {sorted(field.mines)}")
    drawn = generator.sample(free, min(len(moving), len(free)))
    moved = moving[: len(drawn)]  # the cell itself comes first
    if not drawn and cell in field.mines and (spare := [place for place in near if place not in field.mines]):
        moved, drawn = [cell], [generator.choice(spare)]
    return Field(field.rows, field.columns, (field.mines - set(moved)) | set(drawn))

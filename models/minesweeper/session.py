"""Minesweeper at a terminal: open, flag, chord, take back; ask what is proven, how likely a mine is, and why.

The session holds the list of what was done and plays it again to take something back, so a game needs no memory of its own past. Hints and
clicks taken back are counted and shown at the end. Advice comes from the view alone: asking never tells more than the numbers do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

from cpsolve import files
from cpsolve.drawing import BLUE, Picture
from cpsolve.errors import DiagramTooWide, ModelError
from cpsolve.puzzles.sessions import Session, numbers_in
from cpsolve.words import counted
from models.minesweeper.campaign import Level
from models.minesweeper.drawing import draw
from models.minesweeper.encode import name_of
from models.minesweeper.expert import EXPERT
from models.minesweeper.explanation import Explanation
from models.minesweeper.formats import Cell
from models.minesweeper.inference import Inference, infer
from models.minesweeper.rules import Field, FirstClick, Game, View

TITLE = "Minesweeper: open every cell that is no mine"

MANY, READABLE = 10**12, 10**6
"""A number of fields and the lower half of a fraction are written out below these: nobody reads larger ones."""

HELP = """\
3,4           open row 3, column 4 (or: arrows, then Enter)
f, flag 3,4   mark a mine or take the mark away; nothing follows from marks
c, chord 3,4  open around a number whose mines are all marked (or: Enter on it)
h, hint       what is proven, or where the risk is least
w, why 3,4    why a cell is safe or a mine
u, undo       take back the last thing done, even a mine: assisted, then
n, new  another field     ?, help  this page     q, quit  leave
With keys, f, c and w are about the cursor's cell; type more after a colon,
as in :why 3,4"""


@dataclass(frozen=True)
class Done:
    """One thing that was done: the cells that it opened one after the other, or the cell whose flag it turned."""

    opened: tuple[Cell, ...] = ()
    flagged: Cell | None = None


class MinesweeperSession(Session):
    """A game of Minesweeper in progress.

    >>> session = MinesweeperSession(Level(1, 4, 1), field=Field(1, 4, {(1, 4)}), first_click="any")
    >>> session.do("1,2"), session.game.view.to_text(), session.game.status
    ('(1,2) is open: 3 cells.', '001-', 'won')
    """

    title = TITLE
    help = HELP
    keys = "Enter: open  f: flag  c: chord  u: undo  h: hint  w: why  ?: help  q: quit"
    words: ClassVar[Mapping[str, str]] = {**Session.words, "f": "flag", "c": "chord", "o": "open"}

    def __init__(
        self,
        level: Level,
        first_click: FirstClick = "safe",
        seed: int | None = None,
        field: Field | None = None,
        view: View | None = None,
        log: str | None = None,
    ) -> None:
        super().__init__()
        self.level = level
        self.first_click: FirstClick = first_click
        self.seed = random.randrange(2**32) if seed is None else seed
        self.log = None if log is None else Path(log)
        self._begin(field or Field.random(level.rows, level.columns, level.mines, self.seed), view)

    def _begin(self, field: Field, view: View | None = None) -> None:
        self.field = field
        self.begun = view
        self.done: list[Done] = []
        self.hints = self.taken_back = 0
        self.game = self._fresh()
        self._write_log()
        self.cursor: Cell = ((field.rows + 1) // 2, (field.columns + 1) // 2)
        self._forget_advice()

    def _fresh(self) -> Game:
        """The game before anything was done."""
        return Game(self.field, self.first_click, self.seed) if self.begun is None else Game.from_view(self.field, self.begun)

    def _write_log(self) -> None:
        """The game so far as the original's jogo.pl, in the file that was asked for."""
        if self.log is not None:
            try:
                files.write(self.log, self.game.log().encode())
            except OSError as error:
                raise ModelError(f"cannot write {self.log}: {(error.strerror or str(error)).lower()}") from error

    # -- what there is to see

    @property
    def view(self) -> View:
        """What the player knows."""
        return self.game.view

    def board(self, colour: bool, cursor: bool) -> str:
        """The board, with risks after a hint and the numbers of a proof after ``why``; all mines once the game is over."""
        picture = replace(draw(self.game, inference=self.inference, explanation=self.explanation), captions=())
        return (_pointed(picture, self.cursor, colour) if cursor else picture).text(colour, self.width)

    @property
    def focus(self) -> float:
        """The row of the cursor."""
        return (self.cursor[0] - 0.5) / self.game.rows

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.game.status != "playing"

    @property
    def status(self) -> str:
        """What is left to do, or how the game ended and with how much help."""
        view = self.view
        left = len(view.covered) - self.game.mines
        if self.game.status == "playing":
            flags = f", {len(view.flags)} flagged" if view.flags else ""
            return f"{counted(self.game.mines, 'mine')}{flags}; {counted(left, 'cell')} to open{self._help_taken(', ')}"
        ended = "Won" if self.game.status == "won" else f"Lost: {name_of(self.done[-1].opened[-1])} is a mine"
        if self.log is not None:  # as the original's programs end
            ended = f"{'Ganhou :D' if self.game.status == 'won' else 'jogo encerrado'}  {ended}"
        return f"{ended}{self._help_taken(', ') or ', unaided'}. u takes back, n begins another, q leaves."

    def _help_taken(self, before: str) -> str:
        parts = [f"{counted(number, what)}" for number, what in ((self.hints, "hint"), (self.taken_back, "click")) if number]
        if self.taken_back:
            parts[-1] += " taken back"
        return f"{before}assisted ({', '.join(parts)})" if parts else ""

    # -- commands

    def commands(self) -> dict[str, Callable[[str], None]]:
        """Those of every session and those of Minesweeper."""
        return {
            **super().commands(),
            "play": lambda rest: self._open_or_chord(self.cursor),
            "open": lambda rest: self._open_or_chord(self._cell(rest)),
            "flag": lambda rest: self._flag(self._cell(rest)),
            "chord": lambda rest: self._chord(self._cell(rest)),
            "undo": self._undo,
            "new": self._new,
            "hint": lambda rest: self._hint(),
            "why": lambda rest: self._why(self._cell(rest)),
        }

    def go(self, right: int, down: int) -> None:
        """Moves the cursor, as far as the board goes."""
        row, column = self.cursor
        self.cursor = min(max(1, row + down), self.game.rows), min(max(1, column + right), self.game.columns)

    def move(self, text: str) -> None:
        """Opens a typed cell."""
        text = text.removeprefix("posicao")  # the original's goal posicao(3,4).
        if numbers_in(text) is None:
            raise ModelError(f"expected a cell such as 3,4 (row, column) or a command (? lists them), not {text!r}")
        self._open_or_chord(self._cell(text))

    def _cell(self, text: str) -> Cell:
        """The cell that was typed, where the cursor goes too; without any, that of the cursor."""
        if text:
            numbers = numbers_in(text)
            if numbers is None or len(numbers) != 2:
                raise ModelError(f"expected a cell such as 3,4 (row, column), not {text!r}")
            cell = numbers[0], numbers[1]
            self.view[cell]  # says so when it is outside the board
            self.cursor = cell
        return self.cursor

    def _open_or_chord(self, cell: Cell) -> None:
        if not self.over and self.view[cell] is not None:
            self._chord(cell)
        elif cell in self.view.flags:
            raise ModelError(f"{name_of(cell)} is flagged: take the flag away first (f), or open another cell")
        else:
            self._open(cell, (cell,))

    def _chord(self, cell: Cell) -> None:
        self._open(cell, self.view.chord(cell))

    def _open(self, cell: Cell, cells: tuple[Cell, ...]) -> None:
        revealed = 0
        opened = []
        for each in cells:
            revealed += len(self.game.open(each))
            opened.append(each)
            if self.over:
                break
        self.done.append(Done(opened=tuple(opened)))
        self._write_log()
        self._forget_advice()
        if self.game.status != "lost":
            self.message = f"{'' if cells == (cell,) else 'All around '}{name_of(cell)} is open: {counted(revealed, 'cell')}."

    def _flag(self, cell: Cell) -> None:
        if self.over:
            raise ModelError(f"the game is {self.game.status}: there is nothing to flag")
        self._turn_flag(cell)
        self.done.append(Done(flagged=cell))
        self._forget_advice()
        self.message = f"{name_of(cell)} is {'flagged' if cell in self.view.flags else 'no longer flagged'}."

    def _turn_flag(self, cell: Cell) -> None:
        if cell in self.view.flags:
            self.game.unflag(cell)
        else:
            self.game.flag(cell)

    def _undo(self, rest: str) -> None:
        if not self.done:
            raise ModelError("there is nothing to take back")
        last = self.done.pop()
        self.taken_back += bool(last.opened)  # a flag taken back tells nothing
        self.game = self._fresh()
        for done in self.done:
            if done.flagged is not None:
                self._turn_flag(done.flagged)
            for cell in done.opened:
                self.game.open(cell)
        self._write_log()
        self._forget_advice()
        what = f"the flag of {name_of(last.flagged)}" if last.flagged else f"opening {', '.join(map(name_of, last.opened))}"
        self.message = f"Taken back: {what}."

    def _new(self, rest: str) -> None:
        self.seed += 1
        self._begin(Field.random(self.level.rows, self.level.columns, self.level.mines, self.seed))
        self.message = "A new field."

    # -- advice

    def _forget_advice(self) -> None:
        self.inference: Inference | None = None
        self.explanation: Explanation | None = None

    def _infer(self) -> Inference:
        if self.over:
            raise ModelError(f"the game is {self.game.status}: all is known")
        try:
            return infer(self.view)
        except DiagramTooWide as error:
            raise ModelError(f"this is too much to count exactly: {error}") from error

    def _hint(self) -> None:
        """What is proven, else the least exact risk and what the expert would open."""
        self._forget_advice()
        answer = self._infer()
        self.hints += 1
        if not self.view.open and self.first_click != "any":
            promise = "is safe" if self.first_click == "safe" else "and all around it are safe"
            self.message = f"The first cell {promise} by the rules: open any."
            return
        self.inference = answer
        if answer.safe:
            self.cursor = min(answer.safe, key=self._away)
            mines = f" and {counted(len(answer.mines), 'mine')}" if answer.mines else ""
            self.message = f"{name_of(self.cursor)} is safe: {counted(len(answer.safe), 'safe cell')}{mines} can be proven. w tells why."
            return
        decision = EXPERT(self.view, random.Random(self.seed))
        advised = decision.open[0]
        self.cursor = advised if advised in answer.best else min(answer.best, key=self._away)
        others = len(answer.best) - 1
        alike = f" ({counted(others, 'other cell')} with the same)" if others else ""
        self.message = f"No cell is proven safe. The least risk is {share(answer.exact(self.cursor))}, at {name_of(self.cursor)}{alike}."
        risk = "" if advised == self.cursor else f", at {share(answer.exact(advised))}"
        self.message += f" The expert opens {name_of(advised)}{risk}: {decision.reason}."
        if decision.chance is not None:
            self.message += f" The game is won from here with probability {share(decision.chance)}."

    def _away(self, cell: Cell) -> tuple[int, Cell]:
        """How far a cell is from the cursor."""
        return max(abs(cell[0] - self.cursor[0]), abs(cell[1] - self.cursor[1])), cell

    def _why(self, cell: Cell) -> None:
        self._forget_advice()
        number = self.view[cell]
        if number is not None:
            around = self.view.covered_around(cell)
            flagged = sum(near in self.view.flags for near in around)
            self.message = f"{name_of(cell)} is open and shows {number}: {len(around)} around it are covered, {flagged} of them flagged."
            return
        answer = self._infer()
        self.hints += 1
        explanation = answer.why(cell)
        self.explanation = explanation
        if explanation.verdict == "undecided":
            fields = f"the {answer.solutions:,} fields" if answer.solutions < MANY else "all fields"
            self.message = f"{name_of(cell)} may be safe or a mine: it is one in {share(answer.exact(cell))} of {fields} that fit."
        else:
            self.message = str(explanation)


def _pointed(picture: Picture, cell: Cell, colour: bool) -> Picture:
    """The picture with the cursor on a cell: its row and column are marked, and the cell itself where there are colours."""
    row, column = cell
    place = column - 1, row - 1
    width = max(map(len, picture.row_labels))  # the same wherever the cursor is
    labels = tuple((">" if number == row else " ") + label.rjust(width) for number, label in enumerate(picture.row_labels, start=1))
    tiles = {**picture.tiles, place: replace(picture.tiles[place], fill=BLUE)} if colour else picture.tiles
    return replace(picture, tiles=tiles, row_labels=labels, pointer=column - 1)


def share(fraction: Fraction) -> str:
    """A probability, exactly as far as a person reads it, and in percent.

    >>> share(Fraction(1, 3)), share(Fraction(10**9, 3 * 10**9 + 1))
    ('1/3 = 33.3%', '33.3%')
    """
    percent = f"{float(fraction):.1%}"
    return f"{fraction} = {percent}" if fraction.denominator < READABLE else percent

"""What a picture of Minesweeper shows: what is open, what is marked, and on covered cells how likely a mine is.

Cells that are proven bear a sign and not a number: a tick where it is safe, a mine where one is certain. Where nothing is safe the cells
of least risk are marked. An explanation frames the numbers that prove it and the cell that it is about. Boards of many columns have two
characters a cell in text, to fit into 80 columns: there a risk is cut to tenths, ``.3`` for 30% to 40%; on longer lines they have three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from cpsolve.drawing import BLUE, GREEN, INK, PAPER, VERMILLION, Entry, Icon, Picture, Shape, Tile, disc, heat, stroke
from cpsolve.errors import ModelError
from cpsolve.limits import looking
from cpsolve.words import about, counted, listed
from models.minesweeper.encode import name_of
from models.minesweeper.explanation import Explanation
from models.minesweeper.formats import Cell
from models.minesweeper.inference import Inference
from models.minesweeper.rules import Field, Game, View

ROOMY = 18
"""Up to this number of columns a cell has three characters and a blank, else two or, where lines are long enough, three."""
COVER, CLUE, CERTAIN, TICK = "#B9C4CE", "#DCEFFB", "#D5F0E6", "#00795A"
LEAST = "•"

LID = Icon("-", None, (stroke("M-16 16V-16H16", "#E6ECF1", 3), stroke("M-16 16H16V-16", "#8A97A3", 3)))
MINE = Icon("*", INK, (stroke("M-13 0H13M0 -13V13M-9 -9L9 9M-9 9L9 -9", INK, 2.5), disc(0, 0, 8.5, INK), disc(-3, -3, 2.2, PAPER)))
BURST = Icon("X", VERMILLION, (*MINE.shapes, stroke("M-15 -15L15 15M15 -15L-15 15", PAPER, 3)))
SAFE = Icon("s", GREEN, (stroke("M-9 1L-3 8L10 -8", TICK, 5),))
FLAG = Icon("F", VERMILLION, (stroke("M-5 13V-13M-10 13H2", INK, 2.5), Shape("M-4 -13L11 -7L-4 -1z", VERMILLION, INK, 1)))
SMALL_FLAG = Icon("F", VERMILLION, (stroke("M-14 -3V-17", INK, 2), Shape("M-13 -17L-5 -13.5L-13 -10z", VERMILLION, INK, 0.8)))
WRONG = Icon("W", VERMILLION, (*FLAG.shapes, stroke("M-14 14L14 -14", INK, 3.5)))
DOUBT = Icon("?", None, (), label="?")

VERDICTS = {"safe": (SAFE, "safe"), "mine": (MINE, "a mine"), "undecided": (DOUBT, "safe or a mine")}
MEANINGS = {
    "-": Entry("covered", Tile((LID,), fill=COVER)),
    "s": Entry("safe", Tile((SAFE,), fill=CERTAIN)),
    "*": Entry("mine", Tile((MINE,), fill=COVER)),
    "F": Entry("flag", Tile((FLAG,), fill=COVER)),
    "X": Entry("mine that was opened", Tile((BURST,), fill=VERMILLION)),
    "W": Entry("wrong flag", Tile((WRONG,), fill=COVER)),
}


def draw(board: View | Game | Field, inference: Inference | None = None, explanation: Explanation | None = None) -> Picture:
    """A view, a game or a whole field; with an inference the risk of a mine on every covered cell; with an explanation its reasons.

    A game that is over shows its mines, the one that was opened, and flags that were wrong.

    >>> from models.minesweeper import infer
    >>> view = View.from_text("1--\\n---", mines=2)
    >>> print(draw(view, infer(view)))
        1   2   3
      ┌─────────────┐
    1 │  1  33• 50% │
    2 │ 33• 33• 50% │
      └─────────────┘
    2 mines in 5 covered cells; 6 fields fit
    least risk: 33.3% at (1,2), (2,1), (2,2)
    33% risk of a mine   • least risk
    """
    if isinstance(board, Game):
        view: View | None = board.view
    else:
        view = board if isinstance(board, View) else None
    for subject in (inference, explanation):
        # flags may differ: they are marks, and nothing follows from them
        if subject is not None and (view is None or not _same(subject.view, view)):
            raise ModelError("the inference or explanation is about another view than the one to draw")
    roomy = board.columns <= ROOMY
    cells = looking(((row, column) for row in range(1, board.rows + 1) for column in range(1, board.columns + 1)), "drawing")
    if isinstance(board, Field):
        tiles = {cell: _open(board.value(cell)) if cell not in board.mines else _thing(MINE) for cell in cells}
    elif isinstance(board, Game) and board.status != "playing" and inference is None and explanation is None:
        tiles = {cell: _uncovered(board, cell) for cell in cells}
    else:
        assert view is not None
        tiles = {cell: _seen(view, inference, cell, roomy) for cell in cells}
    if explanation is not None:
        tiles |= _reasons(explanation, tiles)
    wide = inference is not None or explanation is not None
    return Picture(
        "Minesweeper",
        board.columns,
        board.rows,
        {(column - 1, row - 1): _fitted(tile, roomy) if wide else tile for (row, column), tile in looking(tiles.items(), "drawing")},
        column_labels=tuple(map(str, range(1, board.columns + 1))),
        row_labels=tuple(map(str, range(1, board.rows + 1))),
        captions=tuple(_captions(board, view, inference, explanation)),
        legend=tuple(_legend(tiles, inference, explanation, roomy)),
        gap=1 if roomy or not wide else 0,
    )


def _same(one: View, other: View) -> bool:
    return one.grid.shape == other.grid.shape and bool((one.grid == other.grid).all()) and one.mines == other.mines


# -- cells


@lru_cache(maxsize=9)
def _open(value: int) -> Tile:
    return Tile(label=str(value) if value else "", fill=PAPER, bold=True)


@lru_cache(maxsize=8)
def _thing(icon: Icon, fill: str = COVER) -> Tile:
    return Tile((icon,), fill=fill)


def _uncovered(game: Game, cell: Cell) -> Tile:
    """A cell of a game that is over."""
    view, field = game.view, game.reveal()
    value = view[cell]
    if value is not None:
        return _open(value)
    if cell == game.hit:
        return _thing(BURST, VERMILLION)
    if cell in view.flags:
        return _thing(FLAG if cell in field.mines else WRONG)
    return _thing(MINE if cell in field.mines else LID)


def _seen(view: View, inference: Inference | None, cell: Cell, roomy: bool) -> Tile:
    """A cell as the player sees it, with what is inferred."""
    value = int(view.grid[cell[0] - 1, cell[1] - 1])
    if value >= 0:
        return _open(value)
    flagged = cell in view.flags
    if inference is None:
        return _thing(FLAG if flagged else LID)
    risk = float(inference.probability[cell[0] - 1, cell[1] - 1])
    flag, sign = ((SMALL_FLAG,), "F") if flagged else ((), "")
    if risk == 0.0:
        return Tile((*flag, SAFE), f"{sign}s", fill=CERTAIN, note=f"{cell} is safe")
    if risk == 1.0:
        return Tile((*flag, MINE), f"{sign}*", fill=COVER, note=f"{cell} is a mine")
    shown, least = percent(risk), cell in _least(inference)
    number, mark = shown.strip("%"), LEAST if least else ""
    if flagged:
        wide = f"F{mark or number.strip('<>')}"
        text = wide if roomy else f"F{mark or int(10 * risk)}"
    elif roomy:
        text, wide = f"{number}{mark or '%'}"[:3], ""
    else:
        text, wide = f"{mark or '.'}{int(10 * risk)}", f"{mark}{number}"[:3]
    words = f"{cell}: {100 * risk:.3g}%{', the least risk' if least else ''}"
    return Tile(flag, text, shown, heat(risk), words, low=flagged, wide=wide, frame=TICK if least else None)


def _least(inference: Inference) -> tuple[Cell, ...]:
    """The cells of least risk where that tells something: none is safe, and not all are alike."""
    best = inference.best
    alike = len(best) == len(inference.view.covered) - len(inference.mines)
    return () if inference.safe or alike or best[0] in inference.mines else best


def percent(risk: float) -> str:
    """A risk that is neither 0 nor 1 in three characters, and never as if it were.

    >>> percent(0.333), percent(0.0001), percent(0.9999)
    ('33%', '<1%', '>99')
    """
    whole = round(100 * risk)
    return "<1%" if whole == 0 else ">99" if whole == 100 else f"{whole}%"


def _fitted(tile: Tile, roomy: bool) -> Tile:
    """The tile with a text of three characters, or of two and another of three for long lines."""
    sign = tile.sign or "·"
    if roomy:
        return replace(tile, text=sign.center(3))
    short = sign if len(sign) == 2 else {"[": sign[:2], "(": ">" + sign[1:2]}.get(sign[0], sign.rjust(2))
    return replace(tile, text=short, wide=(tile.wide or sign).center(3))


def _reasons(explanation: Explanation, tiles: dict[Cell, Tile]) -> dict[Cell, Tile]:
    """The cells of an explanation, framed: its numbers, and what it is about."""
    found = {}
    for cell in explanation.because:
        found[cell] = replace(tiles[cell], text=f"[{tiles[cell].sign or 0}]", fill=CLUE, frame=BLUE, note=f"{cell}: a reason")
    icon, words = VERDICTS[explanation.verdict]
    found[explanation.cell] = Tile(
        (icon,),
        f"({icon.letter})",
        fill=CERTAIN if icon is SAFE else COVER,
        note=f"{explanation.cell}: {words}",
        frame=VERMILLION,
        dashed=True,
    )
    return found


# -- words


def _captions(board: View | Game | Field, view: View | None, inference: Inference | None, explanation: Explanation | None) -> Iterator[str]:
    if isinstance(board, Field):
        yield f"a field with {counted(len(board.mines), 'mine')}"
    elif view is not None:
        covered = counted(len(view.covered), "covered cell")
        standing = covered if view.mines is None else f"{counted(view.mines, 'mine')} in {covered}"
        if isinstance(board, Game):
            standing = f"{board.status}: {standing}" + (f"; the mine at {board.hit} was opened" if board.hit else "")
        if inference is not None:
            standing += f"; {_fields(inference.solutions)}"
        yield standing
    if inference is not None and inference.best and not inference.safe and inference.best[0] not in inference.mines:
        cells = listed(list(map(name_of, inference.best)), 6)
        row, column = inference.best[0]
        yield f"least risk: {100 * float(inference.probability[row - 1, column - 1]):.3g}% at {cells}"
    if explanation is not None:
        yield str(explanation).partition("\n")[0].removesuffix(" Safe:")


def _fields(number: int) -> str:
    if number < 10**9:
        return f"{number:,} field{' fits' if number == 1 else 's fit'}"
    return f"about {about(number)} fields fit"


def _legend(tiles: dict[Cell, Tile], inference: Inference | None, explanation: Explanation | None, roomy: bool) -> Iterator[Entry]:
    letters = {icon.letter for tile in tiles.values() for icon in tile.icons}
    yield from (entry for letter, entry in MEANINGS.items() if letter in letters)
    risky = next((tile for tile in tiles.values() if tile.label and not tile.bold), None)
    if inference is not None and risky is not None:  # one of the board: a number that is not there would be looked for
        yield Entry("risk of a mine", Tile(label=risky.label, fill=risky.fill), "both" if roomy else "svg")
        if not roomy:
            yield Entry("risk of a mine from 30% to 40%", Tile(text=".3", fill=heat(1 / 3)), "narrow")
            yield Entry("risk of a mine in percent", Tile(text=risky.label.strip("%"), fill=risky.fill), "wide")
        if _least(inference):
            yield Entry("least risk", Tile(text=LEAST, frame=TICK))
    if explanation is not None:
        if explanation.because:
            yield from _framed("reason", Tile(text="[1]", label="1", fill=CLUE, frame=BLUE, bold=True), "[1", roomy)
        yield from _framed("what it is about", Tile(text="( )", fill=COVER, frame=VERMILLION, dashed=True), ">", roomy)


def _framed(words: str, sample: Tile, short: str, roomy: bool) -> Iterator[Entry]:
    """An entry whose sign is shorter where there is little room."""
    if roomy:
        yield Entry(words, sample)
    else:
        yield Entry(words, replace(sample, text=short), "narrow")
        yield from (Entry(words, sample, where) for where in ("wide", "svg"))

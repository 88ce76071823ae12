"""What a picture of Center shows: the stones, where the player to move may go, the best moves, and the friends that the winner saw.

The darker a cell, the farther it lies from the perimeter: that is how many friends must be in sight of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cpsolve.drawing import INK, ORANGE, PAPER, VERMILLION, Entry, Icon, Line, Picture, Place, Tile, disc, stroke
from cpsolve.drawing.plans import moves_in_words, steps_shown
from cpsolve.errors import ModelError
from cpsolve.puzzles.games import in_plies
from cpsolve.puzzles.plans import Plan
from models.center.board import Cell
from models.center.engine import Verdict
from models.center.formats import how_it_stands
from models.center.rules import EMPTY, FIRST, SECOND, SWAP, Position

if TYPE_CHECKING:
    from models.center.reach import Arrangement

STONES = {
    FIRST: Icon("x", "#33414C", (disc(0, 0, 15, "#33414C", INK, 1.5), stroke("M-6 -6L6 6M6 -6L-6 6", PAPER, 3.5))),
    SECOND: Icon("o", ORANGE, (disc(0, 0, 15, ORANGE, INK, 1.5), disc(0, 0, 6.5, "none", INK, 3.5))),
}
LEGAL = Icon("·", None, (disc(0, 0, 3.5, "#5C6770"),))
SCORED = Icon("·", None, (disc(0, 0, 15.5, PAPER, "#8A939B", 1.5),))
BEST = Icon("*", None, (disc(0, 0, 14.5, PAPER, "#00795A", 4),))
CENTRE = {
    "square": Icon("+", VERMILLION, (stroke("M-17 -17H17V17H-17z", VERMILLION, 2),), behind=True),
    "hex": Icon("+", VERMILLION, (stroke("M0 -19.6L17 -9.8V9.8L0 19.6L-17 9.8V-9.8z", VERMILLION, 2),), behind=True),
}
RINGS = ("#FFFFFF", "#EDF1F4", "#DAE2E8", "#C8D3DC")
"""Fills of cells by their distance from the perimeter; farther ones are as dark as the last."""


def draw(
    position: Position,
    verdict: Verdict | None = None,
    cursor: Cell | None = None,
    *,
    scores: Mapping[Cell, str] | None = None,
    framed: str = "cursor",
) -> Picture:
    """The position with its legal moves; with a verdict the best ones; ``scores`` are words for cells; ``cursor`` frames a cell,
    which the legend calls ``framed``.

    >>> print(draw(Position(size=3).play((1, 1)), cursor=(2, 1)))
         1   2   3
      ┌─────────────┐
    1 │  x  >·<  ·  │
    2 │  ·   #   ·  │
    3 │  ·   ·   ·  │
      └─────────────┘
    o to move
    x first player   o second player   · legal   # centre, not legal   > < cursor
    """
    captions = [how_it_stands(position)]
    best: tuple[Cell, ...] = ()
    if verdict is not None:
        best = tuple(move for move in verdict.best if move != SWAP)
        for cell in best:
            if cell not in position.legal_moves():
                raise ModelError(f"the verdict is about another position than the one to draw: {cell} cannot be taken")
        if not position.is_over:
            outcome = f"{verdict.winner} wins" if verdict.winner else "a draw"
            swap = "; swapping is best" if SWAP in verdict.best else ""
            captions[0] += f": {outcome} in {in_plies(verdict.plies)}{swap}"
    legal = set(position.legal_moves())
    tiles: dict[Cell, Tile] = {}
    for cell in position.board.cells:
        score = (scores or {}).get(cell, "")
        if position.stone(cell) != EMPTY:
            tiles[cell] = _stone(position, cell)
        elif cell in best:
            tiles[cell] = _ground(position, cell, (BEST,), f"{score}*", score, "best", bold=True)
        elif score:
            tiles[cell] = _ground(position, cell, (SCORED,), score, score, "legal" if cell in legal else "")
        elif cell in legal:
            tiles[cell] = _ground(position, cell, (LEGAL,), "·", "", "legal")
        elif legal:
            tiles[cell] = _ground(position, cell, (), "-", "", "not legal now")
        else:
            tiles[cell] = _ground(position, cell, (), "·", "", "")
    if cursor is not None:
        position.board.require(cursor)
    legend = [Entry("first player", Tile((STONES[FIRST],))), Entry("second player", Tile((STONES[SECOND],)))]
    signs = {tile.sign for cell, tile in tiles.items() if cell != position.centre}  # the centre has signs of its own
    if legal and "·" in signs:
        legend.append(Entry("legal", Tile((LEGAL,))))
    if "-" in signs:
        legend.append(Entry("not legal", Tile(text="-"), "text"))
    if best:
        legend.append(Entry("best", Tile((BEST,))))
    meaning = {"·": ("+", "centre, legal"), "-": ("#", "centre, not legal")}
    return _board(position, tiles, tuple(captions), legend, meaning.get(tiles[position.centre].sign), cursor, framed=framed)


def draw_order(arrangement: Arrangement, plan: Plan[Any] | None = None, step: int | None = None) -> Picture:
    """The stones to be reached; with a plan the order in which they come is written on them.

    >>> from models.center import cooperative_win
    >>> "[x3]" in str(cooperative_win(3).picture())
    True
    """
    moves, states = steps_shown(plan, step)
    wished = replace(arrangement.empty, stones=arrangement.stones or "")
    position = states[-1] if states else wished
    numbers: dict[Cell, int] = {}
    for number, (before, after) in enumerate(pairwise(states), 1):
        numbers |= {cell: number for cell in after.board.cells if before.stone(cell) != after.stone(cell)}
    tiles = {}
    for cell in position.board.cells:
        if position.stone(cell) == EMPTY:
            tiles[cell] = _ground(position, cell, (), "·", "", "")
        else:
            tiles[cell] = _stone(position, cell, numbers.get(cell))
    captions, words = moves_in_words(plan, step)
    legend = [Entry("first player", Tile((STONES[FIRST],))), Entry("second player", Tile((STONES[SECOND],)))]
    if plan and step is None and arrangement.stones is not None:
        captions = (f"{len(moves)} stones in the order of their numbers",)
    return _board(position, tiles, captions, legend, ("+", "centre"), words=words)


def _stone(position: Position, cell: Cell, number: int | None = None) -> Tile:
    player = position.stone(cell)
    icon, note = STONES[player], f"{cell}: {player}"
    if number is None:
        return Tile((icon,), fill=_ring(position, cell), note=note)
    numbered = Icon(player, icon.colour, icon.shapes[:1], label=str(number))
    return Tile((numbered,), f"{player}{number}", fill=_ring(position, cell), note=f"{note}, stone {number}")


def _ground(position: Position, cell: Cell, icons: tuple[Icon, ...], text: str, label: str, words: str, bold: bool = False) -> Tile:
    needed = position.distance(cell)
    note = f"{cell}: needs {needed} friend{'' if needed == 1 else 's'} in sight" + (f", {words}" if words else "")
    return Tile(icons, text, label, _ring(position, cell), note + (f", {label}" if label else ""), bold=bold)


def _ring(position: Position, cell: Cell) -> str:
    return RINGS[min(position.distance(cell), len(RINGS) - 1)]


def _board(
    position: Position,
    tiles: dict[Cell, Tile],
    captions: tuple[str, ...],
    legend: list[Entry],
    centre_sign: tuple[str, str] | None,
    cursor: Cell | None = None,
    words: tuple[str, ...] = (),
    framed: str = "cursor",
) -> Picture:
    """The picture of the tiles, with what every board shows: the centre, the winner's friends, the cursor."""
    centre, lengths = position.centre, position.board.row_lengths

    def place(cell: Cell) -> Place:
        return cell[0] - 1, cell[1] - 1

    friends = friends_in_sight(position)
    middle = tiles[centre]
    tiles[centre] = replace(middle, icons=(CENTRE[position.shape], *middle.icons), note=f"{middle.note} (the centre)")
    if position.stone(centre) == EMPTY:
        legend.append(Entry("centre", Tile((CENTRE[position.shape],)), "svg"))
        if centre_sign is not None:
            sign, meaning = centre_sign
            tiles[centre] = replace(tiles[centre], text=sign)
            legend.append(Entry(meaning, Tile(text=sign), "text"))
    for cell in friends:
        tiles[cell] = replace(tiles[cell], text=f"[{tiles[cell].sign}]")
    if friends:
        legend.append(Entry("centre and friends in sight", Tile(text="[ ]"), "text"))
    if cursor is not None:
        sign = tiles[cursor].sign
        tiles[cursor] = replace(tiles[cursor], text=f">{sign}<" if len(sign) == 1 else f">{sign}", frame=VERMILLION, dashed=True)
        legend.append(Entry(framed, Tile(text="> <", frame=VERMILLION, dashed=True)))
    hexagonal = position.shape == "hex"
    return Picture(
        "Center",
        max(lengths),
        len(lengths),
        {place(cell): replace(tile, text=tile.sign.center(3)) for cell, tile in tiles.items()},
        lines=tuple(Line(place(centre), place(cell), VERMILLION, 5, f"{centre} sees {cell}") for cell in friends[1:]),
        column_labels=() if hexagonal else tuple(map(str, range(1, position.size + 1))),
        row_labels=tuple(map(str, range(1, len(lengths) + 1))),
        captions=(*captions, "cell (x, y) is the x-th of row y") if hexagonal else captions,
        words=words,
        legend=tuple(legend),
        ground="hexagons" if hexagonal else "grid",
        indents=tuple(max(lengths) - length for length in lengths) if hexagonal else (),
        gap=1,
    )


def friends_in_sight(position: Position) -> tuple[Cell, ...]:
    """The centre and the winner's stones in sight of it; none before the game is won.

    >>> friends_in_sight(Position.from_rows(["x.o", ".x.", "..."]))
    ((2, 2), (1, 1))
    """
    if position.winner is None:
        return ()
    seen = sorted(position.seen_from(position.centre).values())
    return position.centre, *(cell for cell in seen if position.stone(cell) == position.winner)

"""Pictures of puzzles on grids: what is printed, and an answer drawn into it in the ways in which people write answers.

An answer is numbers in cells, shaded cells, marks, lines through cells, a fence along their edges, bridges, or areas. Which clue looks how
is in the tables below; the picture itself is a :class:`cpsolve.drawing.Picture`, for text, SVG and PNG alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cpsolve.drawing import BLUE, GREEN, GREY, INK, ORANGE, PAPER, YELLOW, Icon, Line, Picture, Tile, Wall, disc, stroke
from cpsolve.drawing.picture import Shape
from cpsolve.puzzles.boards import Cell, GridPuzzle

THIN = "#9AA3AB"
SHADE = "#4D4D4D"
ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→", None: ""}

_STAR = "M0 -14L3.4 -4.6L13.3 -4.3L5.4 1.8L8.2 11.3L0 5.7L-8.2 11.3L-5.4 1.8L-13.3 -4.3L-3.4 -4.6z"
ICONS: Mapping[str, Icon] = {
    "white": Icon("○", None, (disc(0, 0, 14, fill=PAPER, ink=INK, width=2),)),
    "black": Icon("●", None, (disc(0, 0, 14, fill=INK, ink=INK, width=2),)),
    "star": Icon("★", None, (Shape(_STAR, fill=INK),)),
    "tree": Icon("♣", None, (disc(0, -4, 11, fill=GREEN), stroke("M0 7v9", width=4))),
    "tent": Icon("▲", None, (Shape("M0 -13L14 12H-14z", fill=ORANGE, ink=INK, width=2), Shape("M0 0L5 12H-5z", fill=INK))),
    "lamp": Icon("○", None, (disc(0, 0, 12, fill=YELLOW, ink=INK, width=2),)),
}
"""Marks by name: clues that are no numbers, and what is placed in answers."""


def _clue(puzzle: GridPuzzle, clue: Any) -> Tile:
    """How a clue looks."""
    if puzzle.kind == "akari":
        return Tile(label="" if clue is None else str(clue), text="■" if clue is None else str(clue), fill=INK)
    if puzzle.kind == "kakuro":
        down, right = ("" if number is None else str(number) for number in clue)
        return Tile(label=f"{down}\\{right}" if down or right else "", text=f"{down}\\{right}" if down or right else "■", fill=SHADE)
    if puzzle.kind == "killer":
        return Tile(corner=str(clue))
    if puzzle.kind == "hashi":
        label = "?" if clue is None else str(clue)
        return Tile((Icon(label, None, (disc(0, 0, 17, fill=PAPER, ink=INK, width=2),), label=label),))
    if clue in ICONS:
        return Tile((ICONS[clue],))
    if isinstance(clue, tuple):
        direction, number = clue
        return Tile(label=f"{'?' if number is None else number}{ARROWS[direction]}", bold=True)
    return Tile(label="?" if clue is None else str(clue), bold=True)


def draw(
    puzzle: GridPuzzle,
    *,
    numbers: Any = None,
    shaded: Any = None,
    marks: Mapping[Cell, str] | None = None,
    lines: Iterable[tuple[Cell, Cell]] = (),
    fence: Iterable[tuple[Cell, Cell]] = (),
    bridges: Mapping[tuple[Cell, Cell], int] | None = None,
    areas: Any = None,
    caption: str = "",
) -> Picture:
    """A picture of a puzzle, with an answer if there is one.

    ``numbers``, ``shaded`` (0/1) and ``areas`` (labels: walls stand between different ones) are arrays of the board's shape. ``marks`` are
    names in ``ICONS``. ``lines`` join the middles of cells; ``fence`` joins corners, named by the cell below and right of each; ``bridges``
    join cells once or twice.

    >>> print(draw(GridPuzzle("nurikabe", 2, 3, {(0, 0): 2}), shaded=[[0, 1, 1], [0, 1, 1]]))
    ┌───────────┐
    │ 2   ■   ■ │
    │ ·   ■   ■ │
    └───────────┘
    """
    left, top, right, bottom = _margins(puzzle)
    tiles: dict[tuple[int, int], Tile] = {}
    for row, column in puzzle.cells:
        place = (column + left, row + top)
        tile = _clue(puzzle, puzzle.clues[row, column]) if (row, column) in puzzle.clues else Tile()
        if shaded is not None and shaded[row][column]:
            tile = Tile(label=tile.label, text=f"[{tile.label}]" if tile.label else "■", fill=SHADE, bold=tile.bold)
        elif numbers is not None and not tile.sign and numbers[row][column]:
            tile = replace(tile, label=str(numbers[row][column]))
        if marks and (row, column) in marks:
            tile = Tile((ICONS[marks[row, column]],), fill=tile.fill)
        tiles[place] = tile
    for place, label in _outside(puzzle, left, top):
        tiles[place] = Tile(label=label)

    def moved(cell: Cell) -> tuple[int, int]:
        return cell[1] + left, cell[0] + top

    board = (left, top, left + puzzle.columns, top + puzzle.rows)
    return Picture(
        puzzle.kind,
        puzzle.columns + left + right,
        puzzle.rows + top + bottom,
        tiles,
        lines=(
            *(Line(moved(one), moved(other), BLUE, 5) for one, other in lines),
            *(Line(moved(one), moved(other), BLUE, 3, double=count == 2) for (one, other), count in (bridges or {}).items() if count),
        ),
        walls=(
            *_grid_lines(puzzle, board),
            *_walls_between(puzzle.regions, left, top, *((BLUE, 2) if areas is not None else (INK, 3))),
            *_walls_between(areas if areas is not None else (), left, top, INK, 3),
            *(Wall(moved(one), moved(other), BLUE, 5) for one, other in fence),
        ),
        captions=(caption,) if caption else (),
        ground="dots" if puzzle.kind == "slitherlink" else "paper",
    )


def _margins(puzzle: GridPuzzle) -> tuple[int, int, int, int]:
    """How many columns and rows stand left of, above, right of and below the board."""
    depth = {side: max((len(_words(entry)) for entry in entries), default=0) for side, entries in puzzle.outside.items()}
    return depth.get("left", 0), depth.get("top", 0), depth.get("right", 0), depth.get("bottom", 0)


def _words(entry: Any) -> list[str]:
    """What stands outside at a line: nothing, a number, or several."""
    return [] if entry is None else [str(number) for number in entry] if isinstance(entry, tuple) else [str(entry)]


def _outside(puzzle: GridPuzzle, left: int, top: int) -> Iterable[tuple[tuple[int, int], str]]:
    for side, entries in puzzle.outside.items():
        for line, entry in enumerate(entries):
            for step, word in enumerate(reversed(_words(entry))):
                if side == "top":
                    yield (left + line, top - 1 - step), word
                elif side == "left":
                    yield (left - 1 - step, top + line), word
                elif side == "bottom":
                    yield (left + line, top + puzzle.rows + step), word
                else:
                    yield (left + puzzle.columns + step, top + line), word


def _grid_lines(puzzle: GridPuzzle, board: tuple[int, int, int, int]) -> Iterable[Wall]:
    """The thin lines between cells and the frame; a slitherlink has dots instead, and islands stand free."""
    x1, y1, x2, y2 = board
    if puzzle.kind == "slitherlink":
        return
    if puzzle.kind != "hashi":
        yield from (Wall((x, y1), (x, y2), THIN, 1) for x in range(x1 + 1, x2))
        yield from (Wall((x1, y), (x2, y), THIN, 1) for y in range(y1 + 1, y2))
    ink = GREY if puzzle.kind == "hashi" else INK
    yield from (Wall((x, y1), (x, y2), ink, 2) for x in (x1, x2))
    yield from (Wall((x1, y), (x2, y), ink, 2) for y in (y1, y2))


def _walls_between(labels: Any, left: int, top: int, colour: str, width: float) -> Iterable[Wall]:
    """A wall between neighbours with different labels."""
    rows = [list(row) for row in labels]
    for row, entries in enumerate(rows):
        for column, label in enumerate(entries):
            x, y = column + left, row + top
            if column and entries[column - 1] != label:
                yield Wall((x, y), (x, y + 1), colour, width)
            if row and rows[row - 1][column] != label:
                yield Wall((x, y), (x + 1, y), colour, width)

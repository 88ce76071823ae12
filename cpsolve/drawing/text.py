"""A picture in characters: a framed board with its labels, then captions and the legend.

The steps of a route stand in the room between two cells as arrows, in the order in which they are walked, so that going there and
coming back are both seen. Colour repeats what the characters say and adds nothing; its escape codes are those of 24 bits, which rich
turns into what a terminal has (:func:`in_colours_of`).
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, product
from operator import itemgetter
from typing import TYPE_CHECKING

from cpsolve.drawing.palette import contrast, legible
from cpsolve.drawing.picture import Entry, Picture, Route, Tile
from cpsolve.limits import looking, require

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDTH = 80
"""Captions and the legend are broken at this width."""
MOST_CELLS = 160_000
"""A board of more cells is wider than any terminal, or longer than anybody reads: it is named, not drawn."""
EMPTY = "·"
HOPS = "↷↶"
POINTER = "v"

PLAINER: dict[int, str] = {
    **dict(zip(map(ord, "┌┐└┘─│·×…–•→←↑↓⇒⇐⇑⇓↷↶├┤┬┴┼╴╶╵╷═║■●○★♣▲−"), "++++-|.x.-@><^v)(AV}{+++++--||=#X@o*TA-", strict=True)),
    **{ord("∞"): "inf", ord("½"): "1/2", ord("±"): "+-"},
}
"""The nearest plain characters, each arrow with one of its own, for outputs that have no others, as in the C locale of old systems."""

Style = tuple[str | None, str | None, bool]
"""Ink, fill, bold."""
PLAIN: Style = (None, None, False)


class Canvas:
    """Characters with a style each."""

    def __init__(self, width: int, height: int) -> None:
        require(8 * width * height, "drawing")
        self.rows: list[list[tuple[str, Style]]] = [[(" ", PLAIN)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: Style = PLAIN) -> None:
        """Puts text on a line from x on."""
        self.rows[y][x : x + len(text)] = [(character, style) for character in text]

    def is_free(self, x: int, y: int) -> bool:
        """Whether nothing is written there."""
        return self.rows[y][x][0] == " "

    def lines(self, colour: bool) -> list[str]:
        """The text line by line, without blanks at the end."""
        if not colour:
            return ["".join(character for character, _ in row).rstrip() for row in self.rows]
        return [_coloured(row) for row in self.rows]


def _coloured(row: list[tuple[str, Style]]) -> str:
    last = max((place for place, (character, style) in enumerate(row) if character != " " or style[1]), default=-1)
    runs = groupby(row[: last + 1], key=itemgetter(1))
    return "".join(_written("".join(character for character, _ in run), style) for style, run in runs)


@lru_cache(maxsize=1024)
def _written(text: str, style: Style) -> str:
    """Text with the escape codes of a style, in 24-bit colours."""
    from rich.style import Style as RichStyle

    ink, fill, bold = style
    return RichStyle(color=ink, bgcolor=fill, bold=bold or None).render(text)


def style_of(tile: Tile) -> Style:
    """How a tile is coloured: as its icon, else on its own fill.

    >>> style_of(Tile(fill="#000000"))
    ('#FFFFFF', '#000000', False)
    """
    fill = (tile.icons[-1].colour if tile.icons and not tile.icons[-1].behind else None) or tile.fill
    return (None if fill is None else contrast(fill), fill, tile.bold)


def written_in(text: str, encoding: str | None) -> str:
    """The text in characters that an encoding has: as it is where that can be, else with the nearest plain ones.

    >>> written_in("4 × 4 ⇒ é", "utf-8"), written_in("4 × 4 ⇒ é", "ascii")
    ('4 × 4 ⇒ é', '4 x 4 ) ?')
    """
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(PLAINER).encode(encoding, "replace").decode(encoding)
    return text


def in_colours_of(console: Console, text: str) -> Text:
    """A text with escape codes as rich writes it on a console: in 24-bit colours, or in the nearest ones that the terminal has.

    >>> from rich.console import Console
    >>> in_colours_of(Console(), "\\x1b[1mbold\\x1b[0m").plain
    'bold'
    """
    from rich.text import Text

    return Text.from_ansi(written_in(text, console.encoding), no_wrap=True)


def render(picture: Picture, colour: bool, width: int = WIDTH) -> str:
    """The whole text of a picture; the longer texts of its tiles are taken where the board then is no wider than ``width``.

    >>> print(render(Picture("A plain", 1000, 1000, captions=("Nothing grows there.",)), colour=False))
    (a board of 1,000 by 1,000 cells is too large to be drawn as text; SVG shows it)
    Nothing grows there.
    """
    if picture.columns * picture.rows > MOST_CELLS:
        told = f"(a board of {picture.columns:,} by {picture.rows:,} cells is too large to be drawn as text; SVG shows it)"
        return "\n".join([told, *_captions(picture)])
    wider = _widened(picture)
    board = None if wider is None else _board(wider)
    fits = board is not None and len(board.rows[0]) <= width
    lines = (board if board is not None and fits else _board(picture)).lines(colour)
    shown = ("both", "text", "wide" if fits else "narrow")
    return "\n".join(lines + _captions(picture) + _legend([entry for entry in picture.legend if entry.where in shown], colour))


def _captions(picture: Picture) -> list[str]:
    return [line for caption in (*picture.captions, *picture.words) for line in textwrap.wrap(caption, WIDTH) or [""]]


def _widened(picture: Picture) -> Picture | None:
    """The picture with the longer texts of its tiles; None where there are none."""
    if not any(tile.wide for tile in picture.tiles.values()):
        return None
    return replace(
        picture, tiles={place: replace(tile, text=tile.wide or tile.text) for place, tile in looking(picture.tiles.items(), "drawing")}
    )


def _board(picture: Picture) -> Canvas:
    if picture.walls or picture.ground in ("paper", "dots"):
        return _walled(picture)
    width = max((len(tile.sign) for tile in picture.tiles.values()), default=1) or 1
    tall = bool(picture.routes) or any(tile.above for tile in picture.tiles.values())
    gap = max(picture.gap, 3) if picture.routes else picture.gap
    pitch = width + gap
    if picture.indents:
        pitch += pitch % 2
    step = 2 if tall else 1
    margin = max(map(len, picture.row_labels), default=0)
    left = margin + (3 if margin else 2)  # the label, a blank, the frame and a blank
    frame = left - 2
    cells = picture.tiles if picture.indents else [(picture.columns - 1, 0)]
    last = max((column * pitch + _indent(picture, row) * pitch // 2 for column, row in cells), default=0)
    inside = last + width + 2 + (2 if picture.routes else 0)  # a blank on both sides, and room for arrows
    header = (0 if picture.pointer is None else 1) + (1 if picture.column_labels and not picture.labels_below else 0)
    height = header + 2 + step * (picture.rows - 1) + 1 + (1 if picture.column_labels and picture.labels_below else 0)
    canvas = Canvas(frame + inside + 2, height)
    top = header + 1
    bottom = top + step * (picture.rows - 1) + 1

    def at(column: int, row: int) -> int:
        return left + column * pitch + _indent(picture, row) * pitch // 2

    # the frame and the labels
    canvas.write(frame, top - 1, "┌" + "─" * inside + "┐")
    canvas.write(frame, bottom, "└" + "─" * inside + "┘")
    for y in range(top, bottom):
        canvas.write(frame, y, "│")
        canvas.write(frame + inside + 1, y, "│")
    for row, label in enumerate(picture.row_labels):
        canvas.write(0, top + step * row, label.rjust(margin))
    if picture.column_labels:
        _column_labels(canvas, picture, bottom + 1 if picture.labels_below else header - 1, left, pitch, width)
    if picture.pointer is not None:
        canvas.write(left + picture.pointer * pitch, 0, POINTER.center(width))

    # the cells
    plain = EMPTY.center(width)
    for row, column in looking(product(range(picture.rows), range(picture.columns)), "drawing"):
        tile = picture.tiles.get((column, row))
        x, y = at(column, row), top + step * row
        if tile is not None:
            canvas.write(x, y, (tile.sign or EMPTY).center(width), style_of(tile))
            if gap == 1 and tile.fill and (following := picture.tiles.get((column + 1, row))) and following.fill:
                canvas.write(x + width, y, " ", style_of(tile))  # filled cells touch each other
            if tile.above:
                canvas.write(x, y - 1, tile.above)
        elif not picture.indents:
            canvas.write(x, y, plain)
    if picture.routes:
        _steps(canvas, picture, at, top, width)
    return canvas


ARMS = " ╴╶─╵┘└┴╷┐┌┬│┤├┼"
"""The sign for arms to the left (1), to the right (2), up (4) and down (8)."""


def _walled(picture: Picture) -> Canvas:
    """A board with walls around cells and lines from cell to cell; rows of edges that show nothing are left out."""
    width = max((len(tile.sign) for tile in picture.tiles.values()), default=1) | 1
    pitch = max(width, max((len(tile.corner) for tile in picture.tiles.values()), default=0)) // 2 * 2 + 4
    canvas = Canvas(picture.columns * pitch + 1, 2 * picture.rows + 1)
    if picture.ground == "dots":
        for row in range(picture.rows + 1):
            for column in range(picture.columns + 1):
                canvas.write(column * pitch, 2 * row, EMPTY)
    walls = [(wall.start, wall.end, wall.colour, False) for wall in picture.walls if wall.width >= 2]
    _strokes(canvas, walls, pitch, 0, 0)
    _strokes(canvas, [(line.start, line.end, line.colour, line.double) for line in picture.lines], pitch, pitch // 2, 1)
    for (column, row), tile in looking(picture.tiles.items(), "drawing"):
        x, y = column * pitch + pitch // 2, 2 * row + 1
        if sign := tile.sign or (EMPTY if canvas.is_free(x, y) and picture.ground != "dots" else ""):
            canvas.write(x - (len(sign) - 1) // 2 - (len(sign) % 2 == 0), y, sign, style_of(tile))
        canvas.write(column * pitch + 1, 2 * row, tile.corner)
    nothing = " " if picture.lines else " │"
    canvas.rows = [row for y, row in enumerate(canvas.rows) if y % 2 or any(character not in nothing for character, _ in row)]
    return canvas


def _strokes(canvas: Canvas, strokes: list[tuple[tuple[int, int], tuple[int, int], str, bool]], pitch: int, across: int, down: int) -> None:
    """Strokes along rows and columns of points that lie ``pitch`` apart, with joints where they meet."""
    arms: dict[tuple[int, int], int] = defaultdict(int)
    styles: dict[tuple[int, int], Style] = {}
    doubles: set[tuple[int, int]] = set()
    for start, end, colour, double in strokes:
        (column, row), (last_column, last_row) = min(start, end), max(start, end)
        style: Style = (colour, None, True)
        if row == last_row:
            for each in range(column, last_column):
                canvas.write(each * pitch + across + 1, 2 * row + down, ("═" if double else "─") * (pitch - 1), style)
                arms[each, row] |= 2
                arms[each + 1, row] |= 1
        elif column == last_column:
            for each in range(row, last_row):
                canvas.write(column * pitch + across, 2 * each + down + 1, "║" if double else "│", style)
                arms[column, each] |= 8
                arms[column, each + 1] |= 4
        else:
            continue
        for point in ((x, y) for x in range(column, last_column + 1) for y in range(row, last_row + 1)):
            styles[point] = style
            doubles |= {point} if double else set()
    for (column, row), joint in arms.items():
        straight = {3: "═", 12: "║"} if (column, row) in doubles else {}
        canvas.write(column * pitch + across, 2 * row + down, straight.get(joint, ARMS[joint]), styles[column, row])


def _indent(picture: Picture, row: int) -> int:
    return picture.indents[row] if picture.indents else 0


def _column_labels(canvas: Canvas, picture: Picture, y: int, left: int, pitch: int, width: int) -> None:
    """Every label, or as many as have room: every second, fifth, tenth …"""
    longest = max(map(len, picture.column_labels))
    every = next(number for scale in (1, 10, 100, 1000) for number in (scale, 2 * scale, 5 * scale) if number * pitch > longest)
    for column, label in enumerate(picture.column_labels):
        if every == 1 or (label.isdecimal() and int(label) % every == 0) or column == 0:
            text = label.rjust(width) if width == 2 else label.center(width)
            text = text[: len(canvas.rows[y]) - left - column * pitch]
            canvas.write(left + column * pitch, y, text)


def _steps(canvas: Canvas, picture: Picture, at: Callable[[int, int], int], top: int, width: int) -> None:
    """The arrows of the routes, in the gaps between cells."""
    beside: dict[tuple[int, int], list[tuple[str, Style]]] = defaultdict(list)
    between: dict[tuple[int, int], list[tuple[str, Style]]] = defaultdict(list)
    for route in picture.routes:
        style: Style = (legible(route.colour), None, True)
        for number, (start, end) in enumerate(zip(route.points, route.points[1:], strict=False)):
            sign = _arrow(route, number, start, end)
            if start[1] == end[1]:  # in the gap next to where the step starts
                beside[start[0] if end[0] > start[0] else start[0] - 1, start[1]].append((sign, style))
            else:
                between[start[0], min(start[1], end[1])].append((sign, style))
    for (column, row), signs in beside.items():
        x = at(column, row) + width
        if len(signs) == 1:
            x += 1
        _write_signs(canvas, x, top + 2 * row, signs)
    for (column, row), signs in between.items():
        x = at(column, row)
        while not canvas.is_free(x, top + 2 * row + 1):
            x += 1
        _write_signs(canvas, x, top + 2 * row + 1, signs)


def _write_signs(canvas: Canvas, x: int, y: int, signs: list[tuple[str, Style]]) -> None:
    shown = signs if len(signs) <= 3 else [*signs[:2], ("+", signs[2][1])]
    for place, (sign, style) in enumerate(shown):
        canvas.write(x + place, y, sign, style)


def _arrow(route: Route, number: int, start: tuple[int, int], end: tuple[int, int]) -> str:
    right, left, up, down = route.arrows
    if start[1] == end[1]:
        forward = end[0] > start[0]
        return HOPS[not forward] if number in route.hops else (right if forward else left)
    return up if end[1] < start[1] else down


def _legend(entries: list[Entry], colour: bool) -> list[str]:
    lines: list[str] = []
    length = WIDTH + 1
    style: Style
    for entry in entries:
        if isinstance(entry.sample, Route):
            sign, style = entry.sample.arrows[0], (legible(entry.sample.colour), None, True)
        else:
            sign, style = entry.sample.sign or EMPTY, style_of(entry.sample)
        shown = _written(sign, style) if colour else sign
        size = len(sign) + 1 + len(entry.words)
        if length + 3 + size > WIDTH:
            lines.append(f"{shown} {entry.words}")
            length = size
        else:
            lines[-1] += f"   {shown} {entry.words}"
            length += 3 + size
    return lines

"""A picture as SVG that can be read on light and on dark pages: the board has a ground of its own, all around it is clear.

Words beside the board have a grey that is legible on white and on black; a page that shows the picture inline may give them its own
colour with ``svg { color: inherit }``. There are no ids, style sheets, scripts or fonts to load: several pictures on one page cannot
disturb each other. Cells of one colour are one path, and numbers have one decimal at most, which keeps large boards small. Who walks
keeps to the right, so that going there and coming back are two lines; further walks of the same way lie further out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import pairwise

from cpsolve.drawing.palette import INK, PALE, PAPER, contrast
from cpsolve.drawing.picture import Entry, Icon, Picture, Place, Route, Tile
from cpsolve.limits import looking

CELL = 40
HALF = CELL // 2
MARGIN = 14
LEAST_WIDTH = 250
"""A picture is at least this wide, for the captions of a small board."""
LABEL, CAPTION, LINE = 13, 14, 20
"""Sizes of labels and captions, and from line to line."""
LANES = (4, 9, 14)
"""How far from the middle of a cell a route runs, the first, the second and any further time that it goes this way."""
FONT = "Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
WORDS = "#767676"
"""As far from white as from black: a contrast of 4.5 to both, which small text needs."""
EDGE, BOARD, FLOOR, HALL = "#9AA3AB", "#C9D3DC", "#7D868E", "#F4F6F8"
ROW_HEIGHT = {"hexagons": 35, "floors": 54}
"""From row to row: of hexagons 40 · √3 / 2; floors are high enough for a jump."""
LAST_ROW = {"hexagons": 46, "floors": 54}
MIDDLE = {"hexagons": 23, "floors": 34}
"""From the upper edge of a row to the middle of its cells."""
FEET = 16
"""From the middle of a cell to the floor on which things stand."""


@lru_cache(maxsize=10_000)
def number(value: float) -> str:
    """A number with one decimal at most.

    >>> number(3.0), number(2.25), number(-0.01)
    ('3', '2.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_width(text: str, size: float) -> float:
    """About how wide a text is, rather too wide than too narrow.

    >>> text_width("abcd", 10)
    23.2
    """
    return 0.58 * size * len(text)


def wrapped(text: str, room: float, size: float) -> list[str]:
    """A text broken at words into lines that there is room for.

    >>> wrapped("one two", 20, 10)
    ['one', 'two']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class _Layout:
    """Where things are on the page."""

    def __init__(self, picture: Picture, least_width: float = LEAST_WIDTH) -> None:
        self.picture = picture
        self.row_height = ROW_HEIGHT.get(picture.ground, CELL)
        halves = 2 * picture.columns
        if picture.indents:  # rows have cells of their own: as far right as any of them goes
            halves = max((2 * column + 2 + picture.indents[row] for column, row in picture.tiles), default=halves)
        labels = max((text_width(label, LABEL) + 8 for label in picture.row_labels), default=0.0)
        above = (0 if picture.pointer is None else LINE) + (LINE if picture.column_labels and not picture.labels_below else 0)
        self.board_width = halves * HALF
        self.board_height = self.row_height * (picture.rows - 1) + LAST_ROW.get(picture.ground, CELL)
        self.top = MARGIN + above
        self.bottom = self.top + self.board_height + (LINE if picture.column_labels and picture.labels_below else 0)
        entries = (
            max((_entry_width(entry) for entry in picture.legend if entry.where in ("both", "svg")), default=0.0) if least_width else 0.0
        )
        self.width = max(least_width, 2 * MARGIN + entries, 2 * MARGIN + 2 * labels + self.board_width)
        self.left = (self.width - self.board_width) / 2
        by_row = sorted(picture.tiles.items(), key=lambda entry: entry[0][::-1])
        self.tiles = [(*self.middle(place), tile) for place, tile in looking(by_row, "drawing")]
        """Every tile with the middle of its cell, row by row."""

    def corner(self, place: Place) -> tuple[float, float]:
        """The upper left corner of a cell."""
        return self.left + place[0] * CELL, self.top + place[1] * CELL

    def middle(self, place: Place) -> tuple[float, float]:
        """The middle of a cell."""
        column, row = place
        indent = self.picture.indents[row] * HALF if self.picture.indents else 0
        return self.left + column * CELL + HALF + indent, self.top + row * self.row_height + MIDDLE.get(self.picture.ground, HALF)


def _entry_width(entry: Entry) -> float:
    """The room that a line of the legend takes: its sample, its words and a blank."""
    return 46 + text_width(entry.words, LABEL)


def render(picture: Picture, paper: str | None = None) -> str:
    """The whole document, on a ground of the colour ``paper``, or on none.

    >>> render(Picture("One cell", 1, 1)).splitlines()[1]
    '<title>One cell</title>'
    """
    layout = _Layout(picture)
    below, height = _below(picture, layout)
    size = f'width="{number(layout.width)}" height="{number(height)}"'
    words = WORDS if paper is None else contrast(paper)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(layout.width)} {number(height)}" {size} role="img" '
        f'style="max-width:100%" color="{words}" font-family="{escape(FONT)}">',
        f"<title>{escape(picture.title)}</title>",
        f"<desc>{escape(' '.join(picture.captions) or picture.title)}</desc>",
        *([] if paper is None else [f'<rect {size} fill="{paper}"/>']),
        *_ground(picture, layout),
        *_labels(picture, layout),
        *_icons(picture, layout, behind=True),
        *_routes(picture, layout),
        *_walls(picture, layout),
        *_lines(picture, layout),
        *_icons(picture, layout, behind=False),
        *_frames(picture, layout),
        *below,
        "</svg>",
    ]
    return "\n".join(out)


def render_board(picture: Picture, spots: Mapping[Place, tuple[str, str]]) -> str:
    """The board alone, for a page that says the rest itself: each spot, a name and words, is a button over its cell.

    >>> board = render_board(Picture("One cell", 1, 1), {(0, 0): ("1,1", "empty")})
    >>> board.splitlines()[-2]
    '<path class="spot" role="button" tabindex="-1" data-spot="1,1" data-column="0" data-row="0" aria-label="empty" fill="none" \
pointer-events="all" d="M14 14h40v40h-40z"/>'
    """
    layout = _Layout(picture, least_width=0)
    height = layout.bottom + MARGIN
    buttons = []
    for (column, row), (name, words) in sorted(spots.items(), key=lambda spot: spot[0][::-1]):
        outline = _outline(picture, *layout.middle((column, row)))
        buttons.append(
            f'<path class="spot" role="button" tabindex="-1" data-spot="{escape(name)}" data-column="{column}" data-row="{row}" '
            f'aria-label="{escape(words)}" fill="none" pointer-events="all" d="{outline}"/>'
        )
    size = f'width="{number(layout.width)}" height="{number(height)}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(layout.width)} {number(height)}" {size} '
        f'role="{"group" if spots else "img"}" aria-label="{escape(picture.title)}" color="{INK}" font-family="{escape(FONT)}">',
        f'<rect class="paper" {size} rx="6" fill="{PAPER}"/>',
        *_ground(picture, layout),
        *_labels(picture, layout),
        *_icons(picture, layout, behind=True),
        *_routes(picture, layout),
        *_walls(picture, layout),
        *_lines(picture, layout),
        *_icons(picture, layout, behind=False),
        *_frames(picture, layout),
        *buttons,
        "</svg>",
    ]
    return "\n".join(out)


def render_samples(picture: Picture) -> list[tuple[str, str]]:
    """The legend, each entry as its words and a small SVG document.

    >>> from cpsolve.drawing import Entry
    >>> [words for words, svg in render_samples(Picture("One cell", 1, 1, legend=(Entry("a wall", Tile(label="#")),)))]
    ['a wall']
    """
    size = 'viewBox="-15 -15 30 30" width="30" height="30"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-hidden="true" color="{INK}" font-family="{escape(FONT)}">'
    opening = f'{head}<rect x="-15" y="-15" width="30" height="30" rx="3" fill="{PAPER}"/>'
    shown = [entry for entry in picture.legend if entry.where in ("both", "svg")]
    return [(entry.words, "".join([opening, *_sample(picture, entry.sample, 0, 0), "</svg>"])) for entry in shown]


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{number(x)}" y="{number(y)}"{more}>{escape(text)}</text>'


# -- the board


def _outline(picture: Picture, x: float, y: float, inset: float = 0.0) -> str:
    """The path around a cell with this middle."""
    if picture.ground == "hexagons":
        half, tip = HALF - inset, 23.1 - inset * 1.15
        return (
            f"M{number(x)} {number(y - tip)}l{number(half)} {number(tip / 2)}v{number(tip)}l{number(-half)} {number(tip / 2)}"
            f"l{number(-half)} {number(-tip / 2)}v{number(-tip)}z"
        )
    side = CELL - 2 * inset
    return f"M{number(x - side / 2)} {number(y - side / 2)}h{number(side)}v{number(side)}h{number(-side)}z"


def _ground(picture: Picture, layout: _Layout) -> Iterator[str]:
    """The board itself and the fills of its cells."""
    left, top, width, height = (number(value) for value in (layout.left, layout.top, layout.board_width, layout.board_height))
    box = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    if picture.ground in ("grid", "floors", "paper", "dots"):
        yield f'<rect {box} fill="{HALL if picture.ground == "floors" else PAPER}"/>'
    elif picture.ground == "holes":
        yield f'<rect {box} rx="8" fill="{BOARD}"/>'
    elif picture.ground == "hexagons":
        yield f'<path fill="{PAPER}" d="{"".join(_outline(picture, x, y) for x, y, _ in layout.tiles)}"/>'
    fills: dict[str, list[str]] = defaultdict(list)
    for x, y, tile in looking(layout.tiles, "drawing"):
        if tile.fill is not None:
            fills[tile.fill].append(_outline(picture, x, y))
    for fill, paths in fills.items():
        yield f'<path fill="{fill}" d="{"".join(paths)}"/>'
    if picture.ground == "grid":
        across = "".join(f"M{left} {number(layout.top + row * CELL)}h{width}" for row in range(picture.rows + 1))
        down = "".join(f"M{number(layout.left + column * CELL)} {top}v{height}" for column in range(picture.columns + 1))
        yield f'<path fill="none" stroke="{EDGE}" d="{across}{down}"/>'
    elif picture.ground == "floors":
        floors = [layout.middle((0, row))[1] + FEET for row in range(picture.rows)]
        slabs = "".join(f"M{left} {number(y)}h{width}v4h-{width}z" for y in floors)
        walls = "".join(f"M{number(x)} {top}h4v{height}h-4z" for x in (layout.left - 4, layout.left + layout.board_width))
        roof = f"M{number(layout.left - 4)} {number(layout.top - 4)}h{number(layout.board_width + 8)}v4h{number(-layout.board_width - 8)}z"
        yield f'<path fill="{FLOOR}" d="{slabs}{walls}{roof}"/>'
    elif picture.ground == "holes":
        holes = []
        for row in range(picture.rows):
            for column in range(picture.columns):
                x, y = layout.middle((column, row))
                holes.append(f"M{number(x - 17)} {number(y)}a17 17 0 1 0 34 0a17 17 0 1 0 -34 0z")
        yield f'<path fill="{PAPER}" d="{"".join(holes)}"/>'
    elif picture.ground == "dots":
        corners = [layout.corner((column, row)) for row in range(picture.rows + 1) for column in range(picture.columns + 1)]
        dots = "".join(f"M{number(x)} {number(y)}h0" for x, y in corners)
        yield f'<path fill="none" stroke="{INK}" stroke-width="4" stroke-linecap="round" d="{dots}"/>'
    elif picture.ground == "hexagons":
        cells = "".join(_outline(picture, x, y) for x, y, _ in layout.tiles)
        yield f'<path fill="none" stroke="{EDGE}" d="{cells}"/>'


def _labels(picture: Picture, layout: _Layout) -> Iterator[str]:
    yield f'<g fill="currentColor" font-size="{LABEL}" text-anchor="middle">'
    if picture.column_labels:
        y: float = layout.top + layout.board_height + 16 if picture.labels_below else layout.top - 6
        longest = max(text_width(label, LABEL) for label in picture.column_labels)
        for column, label in enumerate(picture.column_labels):
            if longest < CELL or column % 5 == 0:
                yield _text(layout.left + column * CELL + HALF, y, label)
    for row, label in enumerate(picture.row_labels):
        x, y = layout.middle((0, row))
        yield _text(x - HALF - 8 - text_width(label, LABEL) / 2, y + 4.5, label)
    if picture.pointer is not None:
        x = layout.middle((picture.pointer, 0))[0]
        yield f'<path d="M{number(x - 9)} {number(layout.top - 18)}h18l-9 14z"/>'
    yield "</g>"


# -- what stands on the cells


def _icons(picture: Picture, layout: _Layout, behind: bool) -> Iterator[str]:
    yield '<g text-anchor="middle" stroke-linecap="round" stroke-linejoin="round">'
    for x, y, tile in looking(layout.tiles, "drawing"):
        parts = [part for icon in tile.icons if icon.behind == behind for part in _drawn(icon, x, y)]
        if not behind and tile.label:
            parts.append(_label(tile, x, y))
        if not behind and tile.corner:
            ink = contrast(tile.fill) if tile.fill else INK
            parts.append(_text(x - HALF + 4, y - HALF + 13, tile.corner, f' font-size="11" text-anchor="start" fill="{ink}"'))
        if not behind and tile.note:
            # a clear cell under the mouse: the note shows wherever in the cell it rests
            parts.append(f'<path fill="none" pointer-events="all" d="{_outline(picture, x, y)}"/>')
            yield f"<g><title>{escape(tile.note)}</title>{''.join(parts)}</g>"
        elif parts:
            yield "".join(parts)
    yield "</g>"


def _drawn(icon: Icon, x: float, y: float) -> list[str]:
    """The shapes of an icon around a middle."""
    parts = []
    where = f"translate({number(x)} {number(y)})"
    for shape in icon.shapes:
        edge = f' stroke="{shape.ink}" stroke-width="{number(shape.width)}"' if shape.ink != "none" else ""
        parts.append(f'<path transform="{where}" fill="{shape.fill}"{edge} d="{shape.path}"/>')
    if icon.label:
        ink = contrast(icon.colour or PAPER)
        size = 16 if len(icon.label) < 3 else 12
        parts.append(_text(x, y + size * 0.36, icon.label, f' font-size="{size}" font-weight="bold" fill="{ink}"'))
    return parts


def _label(tile: Tile, x: float, y: float) -> str:
    size = 17 if len(tile.label) <= 1 else 14 if len(tile.label) <= 3 else 11
    down = size * 0.36
    if tile.low:
        size, down = size - 3, 16.0
    ink = contrast(tile.fill) if tile.fill else INK
    weight = ' font-weight="bold"' if tile.bold else ""
    return _text(x, y + down, tile.label, f' font-size="{size}" fill="{ink}"{weight}')


def _frames(picture: Picture, layout: _Layout) -> Iterator[str]:
    for x, y, tile in layout.tiles:
        if tile.frame is not None:
            yield _frame(tile, _outline(picture, x, y, inset=2.5))


def _frame(tile: Tile, path: str) -> str:
    dash = ' stroke-dasharray="6 4"' if tile.dashed else ""
    return f'<path fill="none" stroke="{tile.frame}" stroke-width="4"{dash} pointer-events="none" d="{path}"/>'


def _lines(picture: Picture, layout: _Layout) -> Iterator[str]:
    for line in picture.lines:
        (x1, y1), (x2, y2) = layout.middle(line.start), layout.middle(line.end)
        note = f"<title>{escape(line.note)}</title>" if line.note else ""
        cap = ' stroke-linecap="round"' if picture.walls else ""  # lines that follow each other are one
        length = max(abs(x2 - x1), abs(y2 - y1), 1.0)
        aside_x, aside_y = (y2 - y1) / length * line.width, (x2 - x1) / length * line.width
        for side in (-1, 1) if line.double else (0,):
            ends = f'x1="{number(x1 + side * aside_x)}" y1="{number(y1 + side * aside_y)}" '
            ends += f'x2="{number(x2 + side * aside_x)}" y2="{number(y2 + side * aside_y)}"'
            yield f'<line {ends} stroke="{line.colour}" stroke-width="{number(line.width)}"{cap}>{note}</line>'


def _walls(picture: Picture, layout: _Layout) -> Iterator[str]:
    """Walls of one look are one path; thin ones come first."""
    looks: dict[tuple[float, str], list[str]] = defaultdict(list)
    for wall in picture.walls:
        (x1, y1), (x2, y2) = layout.corner(wall.start), layout.corner(wall.end)
        looks[wall.width, wall.colour].append(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
    for (width, colour), paths in sorted(looks.items()):
        yield f'<path fill="none" stroke="{colour}" stroke-width="{number(width)}" stroke-linecap="square" d="{"".join(paths)}"/>'


# -- routes


def _routes(picture: Picture, layout: _Layout) -> Iterator[str]:
    walked: dict[tuple[Place, Place], int] = defaultdict(int)
    for route in picture.routes:
        if len(route.points) > 1:
            path, heads = _walk(route, layout, walked)
            note = f"<title>{escape(route.note)}</title>" if route.note else ""
            yield f'<g stroke-linejoin="round">{note}{_trail(route, path)}<path fill="{route.colour}" d="{heads}"/></g>'


def _trail(route: Route, path: str) -> str:
    dash = ' stroke-dasharray="7 4"' if route.dashed else ""
    return f'<path fill="none" stroke="{route.colour}" stroke-width="3"{dash} d="{path}"/>'


def _walk(route: Route, layout: _Layout, walked: dict[tuple[Place, Place], int]) -> tuple[str, str]:
    """The path of a route and its arrow heads, one a step; ``walked`` counts how often each step was drawn."""
    steps: list[tuple[float, float, float, float]] = []
    directions: list[tuple[float, float]] = []
    shifts: list[tuple[float, float]] = []  # how far each step lies to the right of its middle line
    for start, end in pairwise(route.points):
        (x1, y1), (x2, y2) = layout.middle(start), layout.middle(end)
        length = max(abs(x2 - x1), abs(y2 - y1), 1.0)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        lane = LANES[min(walked[start, end], len(LANES) - 1)]
        walked[start, end] += 1
        directions.append((dx, dy))
        shifts.append((-dy * lane, dx * lane))
        steps.append((x1 - dy * lane, y1 + dx * lane, x2 - dy * lane, y2 + dx * lane))
    path: list[str] = []
    heads: list[str] = []
    for step, (x1, y1, x2, y2) in enumerate(steps):
        if step and _turns(directions[step - 1], directions[step]):  # two lanes meet where they cross
            x1, y1 = x1 + shifts[step - 1][0], y1 + shifts[step - 1][1]
        if step + 1 < len(steps) and _turns(directions[step], directions[step + 1]):
            x2, y2 = x2 + shifts[step + 1][0], y2 + shifts[step + 1][1]
        path.append(f"{'L' if step else 'M'}{number(x1)} {number(y1)}")
        middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2
        if step in route.hops:
            path.append(f"Q{number(middle_x)} {number(middle_y - 48)} {number(x2)} {number(y2)}")
            middle_y -= 24  # the top of that curve
        else:
            path.append(f"L{number(x2)} {number(y2)}")
        heads.append(_head(middle_x, middle_y, directions[step]))
    return "".join(path), "".join(heads)


def _turns(before: tuple[float, float], after: tuple[float, float]) -> bool:
    return before[0] * after[0] + before[1] * after[1] == 0


def _head(x: float, y: float, direction: tuple[float, float]) -> str:
    dx, dy = direction
    corners = ((x + 6 * dx, y + 6 * dy), (x - 5 * dx - 5 * dy, y - 5 * dy + 5 * dx), (x - 5 * dx + 5 * dy, y - 5 * dy - 5 * dx))
    return "M" + "L".join(f"{number(corner_x)} {number(corner_y)}" for corner_x, corner_y in corners) + "z"


# -- below the board


def _below(picture: Picture, layout: _Layout) -> tuple[list[str], float]:
    """Captions and legend, and the height of the page."""
    out = [f'<g font-size="{CAPTION}" fill="currentColor">']
    y = layout.bottom + 4.0
    room = layout.width - 2 * MARGIN
    for caption in picture.captions:
        for line in wrapped(caption, room, CAPTION):
            y += LINE
            out.append(_text(MARGIN, y, line))
    entries = [entry for entry in picture.legend if entry.where in ("both", "svg")]
    x = room + 1.0
    for entry in entries:
        width = _entry_width(entry)
        if x + width > room:
            x = 0.0
            y += 30
        out += _sample(picture, entry.sample, MARGIN + x + 13, y)
        out.append(_text(MARGIN + x + 32, y + 4.5, entry.words, f' font-size="{LABEL}"'))
        x += width
    out.append("</g>")
    return out, y + MARGIN + (10 if entries else 4)


def _sample(picture: Picture, sample: Tile | Route, x: float, y: float) -> Iterable[str]:
    """A small tile or a piece of a route."""
    if isinstance(sample, Route):
        return [_trail(sample, f"M{number(x - 13)} {number(y)}h26"), f'<path fill="{sample.colour}" d="{_head(x, y, (1.0, 0.0))}"/>']
    where = f'transform="translate({number(x)} {number(y)}) scale(.65)"'
    parts = [f'<g {where} text-anchor="middle" stroke-linecap="round" stroke-linejoin="round">']
    # on its own ground, as on the board: what is drawn in ink would be lost on a dark page
    parts.append(f'<path fill="{sample.fill or PAPER}" stroke="{EDGE if sample.fill else PALE}" d="{_outline(picture, 0, 0)}"/>')
    for icon in sample.icons:
        parts += _drawn(icon, 0, 0)
    if sample.label:
        parts.append(_label(sample, 0, 0))
    if sample.frame:
        parts.append(_frame(sample, _outline(picture, 0, 0, inset=2.5)))
    return [*parts, "</g>"]

"""Charts as SVG: bars for one instance, lines for growth; like the pictures of boards they need nothing and fit on light and dark pages.

Every method has a colour and a marker of its own. Scales are logarithmic: methods differ by powers of ten. What was stopped is drawn
hollow, at the limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from cpsolve.drawing.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from cpsolve.drawing.svg import FONT, WORDS, number, text_width, wrapped

COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, "#808080")
MARKERS = (
    "M-5 -5h10v10h-10z",
    "M0 -6L6 5H-6z",
    "M0 6L6 -5H-6z",
    "M0 -6.5L6.5 0 0 6.5 -6.5 0z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    "M-6 -2h12v4h-12z",
)
GRID = "#80808055"
SIZE = 13


@dataclass(frozen=True)
class Bar:
    """A value with its words; ``hollow`` where it is a limit that was reached. None: there is none."""

    value: float | None
    words: str
    hollow: bool = False


@dataclass(frozen=True)
class Panel:
    """Bars of one measure, one per row."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Line:
    """A method's points; ``stopped`` is the size at which it reached the limit."""

    name: str
    points: tuple[tuple[float, float], ...]
    stopped: float | None = None


def _document(width: float, height: float, title: str, words: str, body: Sequence[str]) -> str:
    size = f'width="{number(width)}" height="{number(height)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" {size} role="img" '
            f'style="max-width:100%" color="{WORDS}" font-family="{escape(FONT)}" font-size="{SIZE}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(words or title)}</desc>",
            '<g fill="currentColor">',
            f'<text x="14" y="24" font-size="16" font-weight="bold">{escape(title)}</text>',
            *body,
            "</g>",
            "</svg>",
        ]
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def bars(title: str, rows: Sequence[str], panels: Sequence[Panel], captions: Sequence[str] = ()) -> str:
    """Panels side by side, with one bar per row in each, on logarithmic scales.

    >>> bars("Two", ["a", "b"], [Panel("time", (Bar(0.1, "100 ms"), Bar(2.0, "2.0 s")))]).count("<rect")
    2
    """
    left = 28 + max(text_width(row, SIZE) for row in rows)
    panel_width, step = 210.0, 26.0
    out = []
    for row, name in enumerate(rows):
        out.append(_text(14, 78 + step * row, name))
    for place, panel in enumerate(panels):
        x = left + place * (panel_width + 24)
        out.append(_text(x, 50, panel.title))
        room = panel_width - max((text_width(bar.words, SIZE) for bar in panel.bars), default=0.0) - 8
        known = [bar.value for bar in panel.bars if bar.value is not None and bar.value > 0]
        low = math.log10(min(known)) - 0.3 if known else 0.0
        high = math.log10(max(known)) if known else 1.0
        for row, bar in enumerate(panel.bars):
            y = 64 + step * row
            length = 0.0
            if bar.value is not None and bar.value > 0:
                length = max(2.0, room * (math.log10(bar.value) - low) / max(0.3, high - low))
                colour = COLOURS[row % len(COLOURS)]
                paint = f'fill="none" stroke="{colour}" stroke-dasharray="4 3"' if bar.hollow else f'fill="{colour}"'
                out.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(length)}" height="18" rx="2" {paint}/>')
            out.append(_text(x + length + 6, y + 14, bar.words))
    y = 64 + step * len(rows) + 6
    width = left + len(panels) * (panel_width + 24)
    for caption in (*captions, "bars are on logarithmic scales"):
        for line in wrapped(caption, width - 28, SIZE):
            y += 18
            out.append(_text(14, y, line))
    return _document(width, y + 16, title, " ".join(captions), out)


def lines(
    title: str,
    across: str,
    drawn: Sequence[Line],
    limit: float,
    say: Callable[[float], str],
    captions: Sequence[str] = (),
) -> str:
    """Time against size, one line per method, on a logarithmic scale; a method that stopped ends hollow at the limit.

    >>> lines("Growth", "items", [Line("a", ((1, 0.1), (2, 0.4)), stopped=3)], 1.0, str).count("<path")
    8
    """
    left, top, wide, tall = 74.0, 46.0, 560.0, 320.0
    every = [point for line in drawn for point in line.points]
    xs = sorted({x for x, _ in every} | {line.stopped for line in drawn if line.stopped is not None})
    low = math.floor(math.log10(min((max(y, 1e-6) for _, y in every), default=limit / 10)))
    high = math.log10(limit)
    first, last = (xs[0], xs[-1]) if xs else (0.0, 1.0)

    def x_of(size: float) -> float:
        return left + wide * (size - first) / max(1e-9, last - first)

    def y_of(seconds: float) -> float:
        return top + tall * (high - math.log10(max(seconds, 10.0**low))) / max(0.5, high - low)

    out = []
    powers = [10.0**power for power in range(low, math.ceil(high)) if 10.0**power < 0.7 * limit]
    grid = "".join(f"M{number(left)} {number(y_of(power))}h{number(wide)}" for power in powers)
    out.append(f'<path fill="none" stroke="{GRID}" d="{grid}M{number(left)} {number(top)}v{number(tall)}h{number(wide)}"/>')
    out.append(f'<path fill="none" stroke="currentColor" stroke-dasharray="6 4" d="M{number(left)} {number(top)}h{number(wide)}"/>')
    out += [_text(left - 8, y_of(power) + 4.5, say(power), "end") for power in powers]
    out.append(_text(left - 8, top + 4.5, say(limit), "end"))
    shown = float("-inf")
    for x in xs:
        if x_of(x) - shown > 8 + text_width(f"{x:g}", SIZE):
            out.append(_text(x_of(x), top + tall + 18, f"{x:g}", "middle"))
            shown = x_of(x)
    out.append(_text(left + wide / 2, top + tall + 38, across, "middle"))
    for place, line in enumerate(drawn):
        colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
        points = [(x_of(x), y_of(y)) for x, y in line.points]
        if points:
            track = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
            out.append(f'<path fill="none" stroke="{colour}" stroke-width="2" d="{track}"/>')
        if line.stopped is not None:
            end = (x_of(line.stopped), top)
            if points:
                way = f"M{number(points[-1][0])} {number(points[-1][1])}L{number(end[0])} {number(end[1])}"
                out.append(f'<path fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="2 4" d="{way}"/>')
            out.append(_marker(marker, *end, colour, hollow=True))
        out += [_marker(marker, x, y, colour) for x, y in points]
    y = top + tall + 62
    x = left
    for place, line in enumerate(drawn):
        width = 34 + text_width(line.name, SIZE)
        if x + width > left + wide and x > left:
            x, y = left, y + 22
        out.append(_marker(MARKERS[place % len(MARKERS)], x + 6, y - 4.5, COLOURS[place % len(COLOURS)]))
        out.append(_text(x + 18, y, line.name))
        x += width
    for caption in (*captions, f"hollow: not answered within {say(limit)}"):
        for part in wrapped(caption, left + wide - 14, SIZE):
            y += 20
            out.append(_text(14, y, part))
    return _document(left + wide + 30, y + 18, title, " ".join(captions), out)


def _marker(path: str, x: float, y: float, colour: str, hollow: bool = False) -> str:
    paint = f'fill="none" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
    return f'<path transform="translate({number(x)} {number(y)})" {paint} d="{path}"/>'

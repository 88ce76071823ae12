"""What a picture holds: tiles with icons and words, routes, lines, labels, captions and a legend.

Places are ``(column, row)`` of the drawing, counted from 0 at the upper left; which coordinates people read there is for the labels to
say. An icon's shapes are SVG path data around the middle of a cell that reaches from -20 to 20 both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from cpsolve.drawing.palette import BLUE, INK, PAPER

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

Place = tuple[int, int]
Ground = Literal["grid", "floors", "holes", "hexagons", "paper", "dots"]


@dataclass(frozen=True, slots=True)
class Shape:
    """SVG path data with its colours."""

    path: str
    fill: str = "none"
    ink: str = "none"
    width: float = 0.0


def disc(x: float, y: float, radius: float, fill: str = "none", ink: str = "none", width: float = 0.0) -> Shape:
    """A circle.

    >>> disc(0, 0, 5, fill="#000000").path
    'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z'
    """
    arc = f"a{radius:g} {radius:g} 0 1 0"
    return Shape(f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0z", fill, ink, width)


def stroke(path: str, ink: str = INK, width: float = 2.0) -> Shape:
    """A line without a filling.

    >>> stroke("M0 0h5").fill
    'none'
    """
    return Shape(path, "none", ink, width)


@dataclass(frozen=True, slots=True)
class Icon:
    """A thing that stands on a cell: a letter in text, shapes in SVG; ``label`` is a word written on the shapes.

    ``colour`` is that of the letter's ground in coloured text and of what lies under the label; None leaves both as they are.

    An icon ``behind`` is painted before every route and every other icon.
    """

    letter: str
    colour: str | None
    shapes: tuple[Shape, ...]
    label: str = ""
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """What is shown on one cell.

    ``text`` stands for the cell in text (else the letter of its last icon, or its label), ``wide`` does where lines may be long enough
    for it. ``label`` is written on it in SVG, below its icons when ``low``, and ``corner`` small in its upper left. ``note`` says it all in
    words: SVG shows it where the mouse rests. ``above`` is a sign in text between this cell and the one above it. A ``frame`` is a thick
    edge.
    """

    icons: tuple[Icon, ...] = ()
    text: str = ""
    label: str = ""
    fill: str | None = None
    note: str = ""
    above: str = ""
    frame: str | None = None
    dashed: bool = False
    bold: bool = False
    low: bool = False
    wide: str = ""
    corner: str = ""

    @property
    def sign(self) -> str:
        """The characters that stand for the cell in text.

        >>> Tile(label="+3").sign
        '+3'
        """
        return self.text or (self.icons[-1].letter if self.icons else self.label)


@dataclass(frozen=True, slots=True)
class Route:
    """A walk from place to place, drawn with one arrow a step; steps numbered in ``hops`` (from 0) are drawn as jumps."""

    points: tuple[Place, ...]
    colour: str = BLUE
    dashed: bool = False
    hops: frozenset[int] = frozenset()
    arrows: tuple[str, str, str, str] = ("→", "←", "↑", "↓")
    """What text shows for a step right, left, up and down."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke between the middles of two cells, below what stands there, or two strokes if ``double``.

    Only SVG shows it, so the tiles must tell it to text; a picture with walls shows lines along rows and columns in text too.
    """

    start: Place
    end: Place
    colour: str = INK
    width: float = 4.0
    note: str = ""
    double: bool = False


@dataclass(frozen=True, slots=True)
class Wall:
    """A straight stroke along the edges of cells, between two of their corners: the corner (0, 0) is the upper left of the cell (0, 0).

    Text shows walls that are at least 2 wide.
    """

    start: Place
    end: Place
    colour: str = INK
    width: float = 3.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the legend: a sample and what it means; ``narrow`` and ``wide`` are text without and with the tiles' longer texts."""

    words: str
    sample: Tile | Route
    where: Literal["both", "text", "narrow", "wide", "svg"] = "both"


@dataclass(frozen=True)
class Picture:
    """A picture, ready to be drawn: ``text()``, ``svg()``, ``save(path)``; a notebook shows it by itself.

    ``indents`` moves each row to the right, in half cells. ``gap`` is the room between cells in text. ``words`` are captions of the
    text alone, for what SVG shows by shapes. ``pointer`` is a column that an arrow above the board points at. A picture with ``walls`` has
    no frame and no labels but theirs in text, and cells without a tile are left blank. The ground "paper" has no lines of its own, "dots"
    has one dot per corner.
    """

    title: str
    columns: int
    rows: int
    tiles: Mapping[Place, Tile] = field(default_factory=dict)
    routes: tuple[Route, ...] = ()
    lines: tuple[Line, ...] = ()
    walls: tuple[Wall, ...] = ()
    column_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    labels_below: bool = False
    pointer: int | None = None
    captions: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    legend: tuple[Entry, ...] = ()
    ground: Ground = "grid"
    indents: tuple[int, ...] = ()
    gap: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", MappingProxyType(dict(self.tiles)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Picture, tuple(dict(value) if value is self.tiles else value for value in self.__dict__.values())

    def text(self, colour: bool = False, width: int = 80) -> str:
        """The picture in characters, on lines of at most ``width`` where that can be.

        With ``colour`` there are escape codes of 24-bit colours; ``rich.print(picture)`` takes those that the terminal has.

        >>> print(Picture("One cell", 1, 1, captions=("It is empty.",)).text())
        ┌───┐
        │ · │
        └───┘
        It is empty.
        """
        from cpsolve.drawing.text import render

        return render(self, colour, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from cpsolve.drawing.text import in_colours_of

        yield in_colours_of(console, self.text(colour=True, width=options.max_width))

    def svg(self, paper: str | None = None) -> str:
        """The picture as SVG, without scripts, fonts or references; what is around the board is clear, or ``paper``.

        >>> Picture("One cell", 1, 1).svg().endswith("</svg>")
        True
        """
        from cpsolve.drawing.svg import render

        return render(self, paper)

    def html(self) -> str:
        """The picture on a page of its own, light or dark as the reader likes it.

        >>> "<title>One cell</title>" in Picture("One cell", 1, 1).html()
        True
        """
        from cpsolve.drawing.film import Film

        return Film(self.title, (self,)).html()

    def png(self) -> bytes:
        """The picture in pixels, through the extra ``images``."""
        from cpsolve.drawing.images import png

        return png(self.svg(paper=PAPER))

    def board(self, spots: Mapping[Place, tuple[str, str]]) -> str:
        """The board alone as SVG, with a button over every spot, by its name and words; for pages that show captions themselves.

        >>> Picture("One cell", 1, 1).board({}).count("button")
        0
        """
        from cpsolve.drawing.svg import render_board

        return render_board(self, spots)

    def samples(self) -> list[tuple[str, str]]:
        """The legend: words, each with a small SVG."""
        from cpsolve.drawing.svg import render_samples

        return render_samples(self)

    def save(self, path: str | Path) -> None:
        """Writes the picture as .svg, .html or .png, whichever the suffix is.

        >>> import tempfile
        >>> target = Path(tempfile.mkdtemp()) / "cell.svg"
        >>> Picture("One cell", 1, 1).save(target)
        >>> target.read_text(encoding="utf-8").startswith("<svg")
        True
        """
        from cpsolve.files import save

        kinds = {".svg": lambda: f"{self.svg()}\n".encode(), ".html": lambda: self.html().encode(), ".png": self.png}
        save(path, kinds, "a picture")

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

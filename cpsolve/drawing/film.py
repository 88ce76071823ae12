"""Pictures in a row: a page that plays them, without a network or anything else beside it, or a GIF.

The page holds every line of SVG once, and each frame as a list of line numbers: frames differ in a few lines only, so a film is
little larger than one of its pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

from cpsolve.drawing.images import gif
from cpsolve.drawing.palette import PAPER
from cpsolve.drawing.picture import Picture
from cpsolve.errors import ModelError
from cpsolve.files import save

PLAYER = Path(__file__).with_name("player.html")


@dataclass(frozen=True, init=False)
class Film:
    """Frames with a title and the ``seconds`` that each is shown: ``html()``, ``gif()``, ``save(path)``.

    >>> film = Film("Two frames", [Picture("Empty", 1, 1), Picture("Empty", 2, 1)])
    >>> len(film.frames), "<script" in film.html(), "src=" in film.html()
    (2, True, False)
    """

    title: str
    frames: tuple[Picture, ...]
    seconds: float

    def __init__(self, title: str, frames: Iterable[Picture], seconds: float = 0.5) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "frames", tuple(frames))
        object.__setattr__(self, "seconds", seconds)
        if not self.frames:
            raise ModelError(f"a film needs at least one frame: {title!r} has none")
        if not 0 < seconds < float("inf"):
            raise ModelError(f"a frame is shown for a positive number of seconds, not {seconds!r}")

    def html(self) -> str:
        """The page: play, pause, step, speed and a slider; also by keys."""
        numbers: dict[str, int] = {}
        drawn = [picture.svg() for picture in self.frames]
        frames = [[numbers.setdefault(line, len(numbers)) for line in svg.splitlines()] for svg in drawn]
        data = {"lines": list(numbers), "frames": frames, "milliseconds": round(1000 * self.seconds)}
        # no sign in the data can end the script that it stands in
        packed = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
        still = "" if len(drawn) > 1 else " hidden"
        template = Template(PLAYER.read_text(encoding="utf-8"))
        return template.substitute(title=escape(self.title), first=drawn[0], last=len(drawn) - 1, still=still, data=packed)

    def gif(self) -> bytes:
        """The film as a GIF, through the extra ``images``."""
        return gif((picture.svg(paper=PAPER) for picture in self.frames), self.seconds)

    def save(self, path: str | Path) -> None:
        """Writes the film as .html or .gif, whichever the suffix is.

        >>> Film("One frame", [Picture("Empty", 1, 1)]).save("film.mp4")
        Traceback (most recent call last):
        cpsolve.errors.ModelError: a film is saved as .html, .gif, by the suffix of the file: cannot save 'film.mp4'
        """
        save(path, {".html": lambda: self.html().encode(), ".gif": self.gif}, "a film")

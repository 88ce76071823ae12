"""Pictures of boards: one description, drawn as text for a terminal and as SVG for a page or a notebook.

Nothing here knows a game. A game says what lies on which cell, where a route leads and what each mark means, as a :class:`Picture`;
``text`` and ``svg`` turn it into characters and into shapes. No mark goes by its colour alone: each has a letter in text and a
shape of its own in SVG.

>>> from cpsolve.drawing import Icon, Picture, Tile, disc
>>> stone = Icon("a", "#D55E00", (disc(0, 0, 15, fill="#D55E00"),))
>>> picture = Picture("A board", 2, 1, {(0, 0): Tile(icons=(stone,))}, column_labels=("1", "2"), row_labels=("1",))
>>> print(picture)
    1   2
  ┌───────┐
1 │ a   · │
  └───────┘
>>> picture.svg()[:4]
'<svg'
"""

from cpsolve.drawing.film import Film
from cpsolve.drawing.palette import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    SKY,
    VERMILLION,
    YELLOW,
    contrast,
    heat,
)
from cpsolve.drawing.picture import Entry, Icon, Line, Picture, Place, Route, Shape, Tile, Wall, disc, stroke

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "INK",
    "ORANGE",
    "PALE",
    "PAPER",
    "PURPLE",
    "SKY",
    "VERMILLION",
    "YELLOW",
    "Entry",
    "Film",
    "Icon",
    "Line",
    "Picture",
    "Place",
    "Route",
    "Shape",
    "Tile",
    "Wall",
    "contrast",
    "disc",
    "heat",
    "stroke",
]

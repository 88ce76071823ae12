"""Colours that people with any kind of colour vision can tell apart, and the nearest ones that a terminal has.

The named colours are the palette of Okabe and Ito ("Color Universal Design", 2008); the scale of :func:`heat` follows the yellow to
brown scheme of ColorBrewer (Brewer and Harrower), which is safe for the colour-blind and prints in grey.
"""

from __future__ import annotations

from functools import lru_cache

ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILLION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
INK, GREY, PALE, PAPER = "#1A1A1A", "#6B6B6B", "#E8EBEE", "#FFFFFF"

_HEAT = ((255, 255, 229), (254, 227, 145), (254, 153, 41), (204, 76, 2), (102, 37, 6))
_LEVELS = 20
"""So many colours are enough for the eye, and few keep a picture small."""


@lru_cache(maxsize=_LEVELS + 1)
def _heat(level: int) -> str:
    place = level / _LEVELS * (len(_HEAT) - 1)
    low = min(int(place), len(_HEAT) - 2)
    share = place - low
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in zip(_HEAT[low], _HEAT[low + 1], strict=True))


def heat(share: float) -> str:
    """A colour for a share from 0 (pale) to 1 (dark).

    >>> heat(0.0), heat(0.5), heat(1.0)
    ('#FFFFE5', '#FE9929', '#662506')
    """
    return _heat(round(min(max(share, 0.0), 1.0) * _LEVELS))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    """The relative luminance of the Web Content Accessibility Guidelines."""
    linear = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@lru_cache(maxsize=256)
def contrast(colour: str) -> str:
    """Ink or paper, whichever is easier to read on a colour.

    >>> contrast("#F0E442"), contrast("#0072B2")
    ('#1A1A1A', '#FFFFFF')
    """
    light = _luminance(colour) + 0.05
    return INK if light / (_luminance(INK) + 0.05) >= 1.05 / light else PAPER


@lru_cache(maxsize=256)
def terminal_colour(colour: str) -> int:
    """The number of the nearest of the 256 colours of a terminal.

    >>> terminal_colour("#FFFFFF"), terminal_colour("#6B6B6B"), terminal_colour("#D55E00")
    (231, 242, 166)
    """
    wanted = _channels(colour)
    steps = (0, 95, 135, 175, 215, 255)
    known = {16 + 36 * r + 6 * g + b: (steps[r], steps[g], steps[b]) for r in range(6) for g in range(6) for b in range(6)} | {
        232 + grey: (8 + 10 * grey,) * 3 for grey in range(24)
    }
    return min(known, key=lambda number: sum((a - b) ** 2 for a, b in zip(known[number], wanted, strict=True)))

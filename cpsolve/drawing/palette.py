"""Colours that people with any kind of colour vision can tell apart.

The named colours are the palette of Okabe and Ito ("Color Universal Design", 2008); the scale of :func:`heat` follows the yellow to
brown scheme of ColorBrewer (Brewer and Harrower), which is safe for the colour-blind and prints in grey.
"""

from __future__ import annotations

from functools import lru_cache

ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILLION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
INK, GREY, PALE, PAPER = "#1A1A1A", "#6B6B6B", "#E8EBEE", "#FFFFFF"

Channels = tuple[int, int, int]
_HEAT: tuple[Channels, ...] = ((255, 255, 229), (254, 227, 145), (254, 153, 41), (204, 76, 2), (102, 37, 6))
_LEVELS = 20
"""So many colours are enough for the eye, and few keep a picture small."""


@lru_cache(maxsize=_LEVELS + 1)
def _heat(level: int) -> str:
    place = level / _LEVELS * (len(_HEAT) - 1)
    low = min(int(place), len(_HEAT) - 2)
    share = place - low
    return _mix(_HEAT[low], _HEAT[low + 1], share)


def _mix(one: Channels, two: Channels, share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in zip(one, two, strict=True))


def heat(share: float) -> str:
    """A colour for a share from 0 (pale) to 1 (dark).

    >>> heat(0.0), heat(0.5), heat(1.0)
    ('#FFFFE5', '#FE9929', '#662506')
    """
    return _heat(round(min(max(share, 0.0), 1.0) * _LEVELS))


def _channels(colour: str) -> Channels:
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


@lru_cache(maxsize=64)
def legible(colour: str) -> str:
    """The colour, lighter or darker as needed to be read on black and on white alike, as nobody knows a terminal's ground.

    >>> legible("#0072B2"), legible("#D55E00"), legible("#FFFFFF")
    ('#127CB7', '#C15500', '#757575')
    """
    target = (1.05 * 0.05) ** 0.5 - 0.05  # as far from white as from black
    towards = _channels(PAPER if _luminance(colour) < target else "#000000")
    mixed = (_mix(_channels(colour), towards, share / 256) for share in range(257))
    return min(mixed, key=lambda found: abs(_luminance(found) - target))

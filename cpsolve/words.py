"""Numbers and lists in sentences: one place, so that nobody ever reads of "1 moves"; and texts of others made fit to be shown."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from cpsolve.errors import ModelError

LONGEST_NUMBER = 400_000
"""Digits of the longest number that a program of ours reads and writes: a board of a million cells has fewer than 2**1,000,000 answers."""


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "move"), counted(1200, "move")
    ('1 move', '1,200 moves')
    """
    return f"{digits(number, ',')} {noun}{'' if number == 1 else 's'}"


def digits(number: int, mark: str = "") -> str:
    """A whole number, however long it is, with a mark before every three digits: Python itself refuses to write more than 4,300.

    >>> digits(1200, ","), len(digits(10**5000))
    ('1,200', 5001)
    """
    try:
        return f"{number:{mark}}"
    except ValueError:
        from decimal import Decimal

        return f"{Decimal(number):{mark}f}"


def about(number: int) -> str:
    """The first two digits of a number from 10 on, and its power of ten: short, however long the number is.

    >>> about(98765), about(10**5000)
    ('9.8 × 10^4', '1.0 × 10^5000')
    """
    power = round(math.log10(number))
    power -= 10**power > number
    first, second = divmod(number // 10 ** (power - 1), 10)
    return f"{first}.{second} × 10^{power}"


def allow_long_numbers() -> None:
    """Lets this process read and write whole numbers of up to LONGEST_NUMBER digits: for programs, not for those who import us."""
    sys.set_int_max_str_digits(LONGEST_NUMBER)


def listed(items: Sequence[object], most: int) -> str:
    """The first few of some things, and how many there are beyond.

    >>> listed([1, 2, 3], most=3), listed([1, 2, 3], most=1)
    ('1, 2, 3', '1 and 2 more')
    """
    return ", ".join(map(str, items[:most])) + (f" and {len(items) - most} more" if len(items) > most else "")


def duration(seconds: float) -> str:
    """A time as people read it.

    >>> duration(0.00417), duration(0.4), duration(2.04)
    ('4.2 ms', '400 ms', '2.0 s')
    """
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def pair(text: str, flag: str, meaning: str) -> tuple[int, int]:
    """Two numbers as in ``3,4``.

    >>> pair("3,4", "--why", "ROW,COL"), pair("(3, 4)", "--why", "ROW,COL")
    ((3, 4), (3, 4))
    """
    parts = text.strip().strip("()").replace(",", " ").split()
    try:
        first, second = (int(part) for part in parts)
    except ValueError:
        raise ModelError(f"{flag} takes two numbers, {meaning}, such as {flag} 3,4; found {text!r:.60}") from None
    return first, second


def printable(text: str) -> str:
    """A text without signs that would steer a terminal: those are shown as Python writes them. Line ends and tabs stay.

    >>> printable("wall\\x1b[2J\\u202e.pl"), printable("größer\\n\\t1")
    ('wall\\\\x1b[2J\\\\u202e.pl', 'größer\\n\\t1')
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\t" else ascii(sign)[1:-1] for sign in text)

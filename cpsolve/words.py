"""Numbers and lists in sentences: one place, so that nothing is ever told of "1 moves"."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "move"), counted(1200, "move")
    ('1 move', '1,200 moves')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(items: Sequence[object], most: int) -> str:
    """The first few of some things, and how many there are beyond.

    >>> listed([1, 2, 3], most=3), listed([1, 2, 3], most=1)
    ('1, 2, 3', '1 and 2 more')
    """
    return ", ".join(map(str, items[:most])) + (f" and {len(items) - most} more" if len(items) > most else "")

"""Inputs with a little less, for plain values: texts lose lines and signs, lists lose items, numbers come nearer to zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

S = TypeVar("S", str, list[Any])


def smaller(value: Any) -> Iterator[Any]:
    """Values with one thing less, those with much less first.

    >>> list(smaller([7, "ab"]))
    [[], ['ab'], [7], [0, 'ab'], [4, 'ab'], [6, 'ab'], [7, ''], [7, 'b'], [7, 'a']]
    >>> list(smaller({"moves": "1\\n2"}))[:3]
    [{'moves': ''}, {'moves': '2'}, {'moves': '1\\n'}]
    """
    match value:
        case bool():
            if value:
                yield False
        case int():
            size = abs(value)
            while size:
                yield value - size if value > 0 else value + size
                size //= 2
        case str():
            lines = value.splitlines(keepends=True)
            if len(lines) > 1:
                yield from map("".join, _cuts(lines))
            yield from _cuts(value)
        case list():
            yield from _cuts(value)
            for place, item in enumerate(value):
                yield from ([*value[:place], less, *value[place + 1 :]] for less in smaller(item))
        case dict():
            for name, item in value.items():
                yield from ({**value, name: less} for less in smaller(item))


def _cuts(whole: S) -> Iterator[S]:
    """A text or a list without one of its parts, from all of it down to single items."""
    size = len(whole)
    while size:
        for start in range(0, len(whole), size):
            yield whole[:start] + whole[start + size :]
        size //= 2

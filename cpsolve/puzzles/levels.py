"""Levels of computer players: how far one looks ahead, and how often it slips.

The ladder is the same idea in every game. Level 1 plays at random; the levels between miss fewer wins (where a game is long enough for ten
levels without that, none), overlook fewer of the other's, look further and slip less; the last one is as strong as can be and says itself
how. What a level does is counted in plies and drawn from a seed, never by the clock, so a game can be played again.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cpsolve.errors import ModelError


@dataclass(frozen=True)
class Level:
    """A level between random and strongest: it looks ``plies`` ahead, but this share of its moves is random (``slips``).

    A slip does not let the other win at once; before that, this share of its moves is random whatever the other threatens (``overlooks``).
    Where it can win at once it does, but for this share of times, when it moves at random (``misses``). From ``perfect`` free cells on it
    plays perfectly, if not by a slip.
    """

    plies: int
    slips: float = 0.0
    perfect: int = 0
    overlooks: float = 0.0
    misses: float = 0.0

    def miss(self, chance: random.Random) -> bool:
        """Whether a win at hand is not seen.

        >>> Level(4).miss(random.Random(1)), Level(1, misses=1.0).miss(random.Random(1))
        (False, True)
        """
        return self.misses > 0 and chance.random() < self.misses

    def overlook(self, chance: random.Random) -> bool:
        """Whether this move is made without a look at what the other threatens.

        >>> Level(4).overlook(random.Random(1)), Level(1, overlooks=1.0).overlook(random.Random(1))
        (False, True)
        """
        return self.overlooks > 0 and chance.random() < self.overlooks

    def slip(self, chance: random.Random) -> bool:
        """Whether this move is a slip.

        >>> Level(4).slip(random.Random(1)), Level(4, slips=1.0).slip(random.Random(1))
        (False, True)
        """
        return chance.random() < self.slips


def in_words(levels: Mapping[int, Collection[Level]], strongest: str) -> tuple[tuple[int, str], ...]:
    """All levels, each with a word on it: 1, those of the mapping, each as it is on all boards, and the strongest.

    >>> in_words({2: [Level(1, 1.0)], 3: [Level(4, 0.25), Level(4, 0.5)]}, "perfect")[2:]
    ((3, 'looks 4 plies ahead, slips 25% to 50% of the time, by the board'), (4, 'perfect'))
    """
    last = max(levels, default=1) + 1
    return (1, "random moves"), *((number, told(same)) for number, same in sorted(levels.items())), (last, strongest)


def told(levels: Collection[Level]) -> str:
    """What a level does, in words: that of one board, or what it is on several.

    >>> told([Level(2, 0.5, perfect=9)])
    'looks 2 plies ahead, perfect from 9 free cells on, slips 50% of the time'
    >>> told([Level(1, 1.0, overlooks=0.3), Level(1, 1.0, overlooks=1.0, misses=0.7)])
    'takes a win, stops one, else moves at random, overlooks 30% to 100% of the threats, misses up to 70% of the wins, by the board'
    """
    plies = max(level.plies for level in levels)
    if min(level.slips for level in levels) >= 1:
        words = ["takes a win, stops one, else moves at random"]
    else:
        words = [f"looks {plies} {'ply' if plies == 1 else 'plies'} ahead"]
        words += [f"perfect from {cells} free cells on" for cells in sorted({level.perfect for level in levels} - {0})]
        words += _share("slips {} of the time", [level.slips for level in levels])
    words += _share("overlooks {} of the threats", [level.overlooks for level in levels])
    words += _share("misses {} of the wins", [level.misses for level in levels])
    return ", ".join([*words, *["by the board"] * (len(set(levels)) > 1)])


def _share(words: str, chances: Collection[float]) -> list[str]:
    least, most = min(chances), max(chances)
    if not most:
        return []
    return [words.format(f"{most:.0%}" if least == most else f"{least:.0%} to {most:.0%}" if least else f"up to {most:.0%}")]


def check_level(level: object, known: Mapping[int, str], named: Mapping[str, str]) -> None:
    """ModelError when there is no such level, nor a player of that name.

    >>> check_level(12, {1: "random", 2: "perfect"}, {"original": "as the original"})
    Traceback (most recent call last):
    cpsolve.errors.ModelError: the levels are 1 to 2 and 'original', not 12
    """
    if isinstance(level, bool) or level not in (*known, *named):
        names = "".join(f" and {name!r}" for name in named)
        raise ModelError(f"the levels are {min(known)} to {max(known)}{names}, not {level!r}")

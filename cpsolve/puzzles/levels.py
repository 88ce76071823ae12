"""Levels of computer players: how far one looks ahead, and how often it slips.

The ladder is the same idea in every game. Level 1 plays at random; from level 2 on nobody misses a win; the levels between overlook fewer
of the other's, look further and slip less; the last one is as strong as can be and says itself how. What a level does is counted in
plies and drawn from a seed, never by the clock, so a game can be played again.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from cpsolve.errors import ModelError


@dataclass(frozen=True)
class Level:
    """A level between random and strongest: it looks ``plies`` ahead, but this share of its moves is random (``slips``).

    A slip does not let the other win at once; before that, this share of its moves is random whatever the other threatens (``overlooks``).
    From ``perfect`` free cells on it plays perfectly, if not by a slip.
    """

    plies: int
    slips: float = 0.0
    perfect: int = 0
    overlooks: float = 0.0

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

    def __str__(self) -> str:
        if self.slips >= 1:
            return "takes a win, stops one, else moves at random"
        told = [f"looks {self.plies} {'ply' if self.plies == 1 else 'plies'} ahead"]
        told += [f"perfect from {self.perfect} free cells on"] * bool(self.perfect)
        told += [f"slips {self.slips:.0%} of the time"] * bool(self.slips)
        told += [f"overlooks {self.overlooks:.0%} of the threats"] * bool(self.overlooks)
        return ", ".join(told)


def in_words(levels: Mapping[int, Level], strongest: str) -> tuple[tuple[int, str], ...]:
    """All levels, each with a word on it: 1, those of the mapping, and the strongest.

    >>> in_words({2: Level(1, 1.0), 3: Level(4, 0.25)}, "perfect")[2:]
    ((3, 'looks 4 plies ahead, slips 25% of the time'), (4, 'perfect'))
    """
    last = max(levels, default=1) + 1
    return (1, "random moves"), *((number, str(level)) for number, level in sorted(levels.items())), (last, strongest)


def check_level(level: object, known: Mapping[int, str], named: Mapping[str, str]) -> None:
    """ModelError when there is no such level, nor a player of that name.

    >>> check_level(12, {1: "random", 2: "perfect"}, {"original": "as the original"})
    Traceback (most recent call last):
    cpsolve.errors.ModelError: the levels are 1 to 2 and 'original', not 12
    """
    if isinstance(level, bool) or level not in (*known, *named):
        names = "".join(f" and {name!r}" for name in named)
        raise ModelError(f"the levels are {min(known)} to {max(known)}{names}, not {level!r}")

"""In which order to visit: the shortest way from the first place to the last through all others, given only distances.

``distances[i, j]`` is the length of the way from place i to place j; place 0 is the start and the last one the end.
:mod:`cpsolve.puzzles.local_search` finds a good tour fast and proves nothing, :func:`held_karp` is exact and for few places only; the
constraint model that proves the best tour of many is in :mod:`cpsolve.puzzles.encodings`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cpsolve.errors import UnsupportedError
from cpsolve.limits import Deadline
from cpsolve.puzzles.local_search import improve

Distances = npt.NDArray[np.int64]
UNREACHABLE = 5 * 10**8
"""The distance between places without a way: above any real tour, and three of them still fit in 32 bits."""
HELD_KARP_MOST = 20


@dataclass(frozen=True)
class Tour:
    """An order of all places, first and last included, with its length; ``bound`` is what no tour can beat.

    ``order`` is None when none was found.
    """

    order: tuple[int, ...] | None
    length: int
    bound: int

    @property
    def optimal(self) -> bool:
        """Whether no tour is shorter."""
        return self.order is not None and self.length <= self.bound


def length_of(distances: Distances, order: tuple[int, ...]) -> int:
    """The length of a tour.

    >>> length_of(np.array([[0, 2, 9], [9, 0, 3], [9, 9, 0]]), (0, 1, 2))
    5
    """
    return int(distances[list(order[:-1]), list(order[1:])].sum())


def lower_bound(distances: Distances) -> int:
    """A length that no tour can beat, if no way is shorter by a detour: each place but the last is left, each but the first entered.

    >>> lower_bound(np.array([[0, 2, 9], [9, 0, 3], [9, 9, 0]]))
    5
    """
    if len(distances) < 2:
        return 0
    costs = distances.copy()
    np.fill_diagonal(costs, UNREACHABLE)
    if len(costs) > 2:
        costs[0, -1] = UNREACHABLE
    legs = costs[:-1, 1:]
    through = int((distances[0, 1:-1] + distances[1:-1, -1]).max()) if len(costs) > 2 else int(distances[0, -1])
    return max(int(legs.min(axis=1).sum()), int(legs.min(axis=0).sum()), through)


# -- exact, for few places


def held_karp(distances: Distances, deadline: Deadline | None = None) -> Tour:
    """The shortest tour, by the dynamic programme of Held and Karp (1962) over sets of visited places.

    Out of time it gives a good tour with a lower bound.

    >>> held_karp(np.array([[0, 1, 5, 9], [9, 0, 1, 9], [9, 1, 0, 1], [9, 9, 9, 0]])).order
    (0, 1, 2, 3)
    """
    count = len(distances) - 2
    if count > HELD_KARP_MOST:
        raise UnsupportedError(f"Held–Karp keeps 2^k tables: k = {count} is above {HELD_KARP_MOST}; use the method circuit")
    if count <= 0:
        return _proven(distances, tuple(range(len(distances))))
    between = distances[1:-1, 1:-1].astype(np.int32)
    best = np.full((1 << count, count), 2 * UNREACHABLE, np.int32)  # best[visited, last]
    places = np.arange(count)
    best[1 << places, places] = distances[0, 1:-1]
    visited = np.arange(1 << count)
    size = np.zeros(1 << count, np.int8)
    for place in places:
        size += (visited >> place & 1).astype(np.int8)
    for step in range(2, count + 1):
        layer = visited[size == step]
        for place in places:
            if deadline is not None and deadline.passed():
                good = improve(distances, 0.0)
                length = length_of(distances, good)
                return Tour(good if length < UNREACHABLE else None, length, min(length, lower_bound(distances)))
            ending = layer[layer >> place & 1 == 1]
            shortest = (best[ending ^ (1 << place)] + between[:, place]).min(axis=1)
            best[ending, place] = np.minimum(shortest, 2 * UNREACHABLE)
    last = int((best[-1] + distances[1:-1, -1]).argmin())
    backwards, left = [last], (1 << count) - 1
    while left := left ^ (1 << last):
        last = int((best[left] + between[:, last]).argmin())
        backwards.append(last)
    return _proven(distances, (0, *(place + 1 for place in reversed(backwards)), count + 1))


def _proven(distances: Distances, order: tuple[int, ...]) -> Tour:
    length = length_of(distances, order)
    return Tour(order, length, length)

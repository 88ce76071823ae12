"""In which order to visit: the shortest way from the first place to the last through all others, given only distances.

``distances[i, j]`` is the length of the way from place i to place j; place 0 is the start and the last one the end. Three ways
to an answer: :func:`improve` finds a good tour fast and proves nothing, :func:`held_karp` is exact and best for few places,
:func:`circuit` is a constraint model that starts from the good tour and proves the best one for many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from cpsolve.backends.base import Deadline
from cpsolve.errors import UnsupportedError

Distances = npt.NDArray[np.int64]
UNREACHABLE = 10**7
"""The distance between places without a way; above any sum of real distances."""
HELD_KARP_MOST = 20


@dataclass(frozen=True)
class Tour:
    """An order of all places, first and last included, with its length; ``bound`` is what no tour can beat.

    ``order`` is None when none was found.
    """

    order: tuple[int, ...] | None
    length: int
    bound: int
    stats: Mapping[str, Any] = field(default_factory=dict)

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


def held_karp(distances: Distances) -> Tour:
    """The shortest tour, by the dynamic programme of Held and Karp (1962) over sets of visited places.

    >>> held_karp(np.array([[0, 1, 5, 9], [9, 0, 1, 9], [9, 1, 0, 1], [9, 9, 9, 0]])).order
    (0, 1, 2, 3)
    """
    count = len(distances) - 2
    if count > HELD_KARP_MOST:
        raise UnsupportedError(f"Held–Karp keeps 2^k tables: k = {count} is above {HELD_KARP_MOST}; use the method circuit")
    if count <= 0:
        order = tuple(range(len(distances)))
        length = length_of(distances, order)
        return Tour(order, length, length, {"tables": 1})
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
            ending = layer[layer >> place & 1 == 1]
            best[ending, place] = (best[ending ^ (1 << place)] + between[:, place]).min(axis=1)
    last = int((best[-1] + distances[1:-1, -1]).argmin())
    backwards, left = [last], (1 << count) - 1
    while left := left ^ (1 << last):
        last = int((best[left] + between[:, last]).argmin())
        backwards.append(last)
    tour = (0, *(place + 1 for place in reversed(backwards)), count + 1)
    length = length_of(distances, tour)
    return Tour(tour, length, length, {"tables": 1 << count})


# -- good, for many places


def improve(distances: Distances, seconds: float, seed: int = 0) -> tuple[int, ...]:
    """A good tour: the nearest place next, then moves of short pieces (Or-opt) and reversals (2-opt), kicked and repeated.

    Stops after ``seconds``, or earlier when kicks have long been in vain.

    >>> line = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    >>> improve(line[[0, 3, 1, 4, 2, 5]][:, [0, 3, 1, 4, 2, 5]], seconds=1)
    (0, 2, 4, 1, 3, 5)
    """
    deadline = Deadline(seconds)
    random = np.random.default_rng(seed)
    tour = _descend(distances, _nearest(distances), deadline)
    length = int(distances[tour[:-1], tour[1:]].sum())
    vain = 0
    while len(tour) > 5 and vain < 20 * len(tour) and not deadline.passed():
        kicked = _descend(distances, _kick(tour, random), deadline)
        kicked_length = int(distances[kicked[:-1], kicked[1:]].sum())
        vain = 0 if kicked_length < length else vain + 1
        if kicked_length <= length:
            tour, length = kicked, kicked_length
    return tuple(tour.tolist())


def _nearest(distances: Distances) -> npt.NDArray[np.int64]:
    count = len(distances)
    costs = distances.copy()
    costs[:, [0, count - 1]] = 2 * UNREACHABLE
    order = [0]
    for _ in range(count - 2):
        order.append(int(costs[order[-1]].argmin()))
        costs[:, order[-1]] = 2 * UNREACHABLE
    return np.array([*order, count - 1])


def _kick(tour: npt.NDArray[np.int64], random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Swaps two neighbouring pieces near a random place (a double bridge): what the descent cannot do itself."""
    reach = min(len(tour) - 2, 50)
    first = int(random.integers(1, len(tour) - reach)) if len(tour) - reach > 1 else 1
    a, b, c = np.sort(random.choice(np.arange(first, first + reach + 1), 3, replace=False)).tolist()
    c = min(c, len(tour) - 1)
    return np.concatenate([tour[:a], tour[b:c], tour[a:b], tour[c:]])


def _descend(distances: Distances, tour: npt.NDArray[np.int64], deadline: Deadline) -> npt.NDArray[np.int64]:
    """Applies the best move of a piece or reversal until none shortens the tour."""
    while len(tour) > 3 and not deadline.passed():
        costs = distances[np.ix_(tour, tour)]  # costs[i, j]: from the i-th place of the tour to the j-th
        saving, following = _best_reversal(costs)
        for length in (1, 2, 3):
            if len(tour) - 2 > length:
                candidate = _best_piece_move(costs, length)
                if candidate[0] < saving:
                    saving, following = candidate
        if saving >= 0:
            break
        tour = tour[following]
    return tour


def _best_reversal(costs: Distances) -> tuple[int, npt.NDArray[np.int64]]:
    """The largest change by reversing the places i..j, and the order it leads to."""
    count = len(costs)
    forth = np.concatenate([[0], np.cumsum(np.diagonal(costs, 1))])
    back = np.concatenate([[0], np.cumsum(np.diagonal(costs, -1))])
    change = costs[:-2, 1:-1] + costs[1:-1, 2:]  # row i-1, column j-1
    change = change + (back[None, 1:-1] - back[1:-1, None]) - (forth[None, 2:] - forth[:-2, None])
    change[np.tril_indices(count - 2)] = 0
    i, j = divmod(int(change.argmin()), count - 2)
    order = np.arange(count)
    order[i + 1 : j + 2] = order[i + 1 : j + 2][::-1]
    return int(change[i, j]), order


def _best_piece_move(costs: Distances, length: int) -> tuple[int, npt.NDArray[np.int64]]:
    """The largest change by moving the piece of ``length`` places from i on between q and q + 1, turned or not."""
    count = len(costs)
    first = np.arange(1, count - length)
    last = first + length - 1
    legs = np.diagonal(costs, 1)
    gain = legs[first - 1] + legs[last] - costs[first - 1, last + 1]
    gaps = np.arange(count - 1)
    straight = costs[gaps][:, first].T + costs[last][:, gaps + 1] - legs[None, :] - gain[:, None]
    inner_turn = sum(
        (costs[first + s + 1, first + s] - costs[first + s, first + s + 1] for s in range(length - 1)), np.zeros(len(first), int)
    )
    turned = costs[gaps][:, last].T + costs[first][:, gaps + 1] - legs[None, :] - (gain - inner_turn)[:, None]
    inside = (gaps[None, :] >= first[:, None] - 1) & (gaps[None, :] <= last[:, None])
    straight[inside] = turned[inside] = 0
    turn = bool(turned.min() < straight.min())
    change = turned if turn else straight
    row, q = divmod(int(change.argmin()), count - 1)
    i = int(first[row])
    piece = np.arange(i, i + length)
    rest = np.delete(np.arange(count), piece)
    at = q + 1 if q < i else q + 1 - length
    return int(change[row, q]), np.concatenate([rest[:at], piece[::-1] if turn else piece, rest[at:]])


# -- exact, for many places


def circuit(distances: Distances, deadline: Deadline, workers: int | None = None, seed: int = 0) -> Tour:
    """The shortest tour as a circuit: one condition for every leg, started from a good tour, which also bounds it.

    >>> circuit(np.array([[0, 1, 5, 9], [9, 0, 1, 9], [9, 1, 0, 1], [9, 9, 9, 0]]), Deadline(60)).order
    (0, 1, 2, 3)
    """
    from cpsolve.constraints import circuit as one_circuit
    from cpsolve.model import Model
    from cpsolve.results import Status

    count = len(distances)
    good = improve(distances, min(1.0, 0.0002 * count**2, 0.2 * deadline.remaining()), seed)
    length, bound = length_of(distances, good), lower_bound(distances)
    stats: dict[str, Any] = {"first_length": length}
    if bound >= UNREACHABLE or length == bound:
        return Tour(good if length < UNREACHABLE else None, length, bound, stats)
    model = Model("tour")
    legs = {
        (i, j): model.bool_var(f"{i} to {j}")
        for i in range(count - 1)
        for j in range(1, count)
        if i != j and distances[i, j] < UNREACHABLE and not (i == 0 and j == count - 1)
    }
    model.add(one_circuit([*((i, j, taken) for (i, j), taken in legs.items()), (count - 1, 0, True)]), name="one circuit")
    total = sum(int(distances[leg]) * taken for leg, taken in legs.items())
    model.minimize(total)
    if length < UNREACHABLE:
        model.add(total <= length, name="no longer than the tour known")
        used = set(pairwise(good))
        model.hint({taken: int(leg in used) for leg, taken in legs.items()})
    limit = None if deadline.remaining() == float("inf") else deadline.remaining()
    result = model.solve(time_limit=limit, workers=workers or 1, seed=seed, options=CIRCUIT_OPTIONS)
    stats |= {"solver": dict(result.stats)}
    bound = max(bound, result.bound if result.bound is not None else 0)
    if result.solution is not None:
        following = {i: j for (i, j), taken in legs.items() if result.solution[taken]}
        order = [0]
        while order[-1] != count - 1:
            order.append(following[order[-1]])
        good, length = tuple(order), length_of(distances, tuple(order))
    if result.status is Status.OPTIMAL:
        bound = length
    return Tour(good if length < UNREACHABLE else None, length, min(bound, length), stats)


CIRCUIT_OPTIONS = {"linearization_level": 2, "cp_model_probing_level": 0, "symmetry_level": 0}
"""Of the parameters tried, those with which CP-SAT proves tours fastest: its linear relaxation does the work."""

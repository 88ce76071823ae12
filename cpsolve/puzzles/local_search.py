"""A good tour, fast, with no proof: greedy, then small improvements until none is left, then kicks and more of them.

Two improvements are tried, both only towards the nearest places of a place: moving a piece of up to three places elsewhere,
turned or not (Or-opt), and turning a stretch around (2-opt). A kick swaps two neighbouring stretches, of any length, that meet
near one place, or lie close to each other in the tour; only what the kick touched is improved again, which makes kicks cheap.
A longer tour is sometimes kept, as in simulated annealing (Martin, Otto and Felten, 1991, "Large-step Markov chains").

OR-Tools' routing was tried in its place: with guided local search and more time its tours of 80 to 200 places are 1 to 5% longer.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import exp

import numpy as np
import numpy.typing as npt

from cpsolve.limits import Deadline

NEAREST = 8
LONGEST_PIECE = 3
LONGEST_TURN = 50
WINDOW = 30
TEMPERATURE = 0.05
"""How much longer than before, as a share of a leg, a tour is that is kept once in e times."""
FEW = 20
"""How many vain kicks in a row are enough: one per place, or, of many places, one per place and 20 places."""

Change = tuple[int, tuple[int, ...]]
"""By how much the tour got longer, and the places whose legs changed."""


def improve(distances: npt.NDArray[np.int64], seconds: float = 1.0, seed: int = 0) -> tuple[int, ...]:
    """A good tour from the first place to the last through all others.

    Stops after ``seconds``, or earlier when kicks have long been in vain.

    >>> line = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    >>> improve(line[[0, 3, 1, 4, 2, 5]][:, [0, 3, 1, 4, 2, 5]], seconds=1)
    (0, 2, 4, 1, 3, 5)
    """
    deadline = Deadline(seconds)
    chance = random.Random(seed)
    tour = _Tour(distances)
    tour.improve(list(tour.order), deadline)
    best, shortest, vain = tour.order.copy(), tour.length, 0
    temperature = max(1e-9, TEMPERATURE * tour.length / len(tour.order))
    patience = len(tour.order) * max(1, len(tour.order) // FEW) if len(tour.order) > 5 else 0
    while vain < patience and not deadline.passed():
        order, length = tour.order.copy(), tour.length
        tour.improve(tour.kick(chance), deadline)
        vain += 1
        if tour.length > length and chance.random() >= exp((length - tour.length) / temperature):
            tour.restore(order, length)
        elif tour.length < shortest:
            best, shortest, vain = tour.order.copy(), tour.length, 0
    return tuple(best)


class _Tour:
    """An order of places that knows where each place stands in it; the first and the last never move."""

    def __init__(self, distances: npt.NDArray[np.int64]) -> None:
        self._cost: list[list[int]] = distances.tolist()
        never = 4 * int(distances.max(initial=1)) + 1
        legs = distances.copy()
        np.fill_diagonal(legs, never)
        legs[-1, :] = legs[:, 0] = never
        self._after: list[list[int]] = np.argsort(legs, axis=1, kind="stable")[:, :NEAREST].tolist()
        self._before: list[list[int]] = np.argsort(legs, axis=0, kind="stable")[:NEAREST].T.tolist()
        self.order = _greedy(legs, never)
        self._at = [0] * len(self.order)
        self._renumber(0, len(self.order))
        self.length = sum(self._cost[a][b] for a, b in zip(self.order, self.order[1:], strict=False))

    def restore(self, order: list[int], length: int) -> None:
        """Goes back to an order that it had before."""
        self.order, self.length = order, length
        self._renumber(0, len(order))

    def _renumber(self, start: int, end: int) -> None:
        at, order = self._at, self.order
        for position in range(start, end):
            at[order[position]] = position

    def improve(self, places: Iterable[int], deadline: Deadline) -> None:
        """Applies improvements at these places, and at the places that they touch, until there are none."""
        waiting = list(places)
        queued = set(waiting)
        while waiting and not deadline.passed():
            place = waiting.pop()
            queued.discard(place)
            while (change := self._move_piece(place) or self._turn(place)) is not None:
                self.length += change[0]
                waiting += [touched for touched in change[1] if touched not in queued]
                queued.update(change[1])

    def kick(self, chance: random.Random) -> tuple[int, ...]:
        """Swaps two neighbouring stretches; returns the places touched."""
        order, cost = self.order, self._cost
        a, b, c = self._cuts(chance)
        touched = (order[a - 1], order[a], order[b - 1], order[b], order[c - 1], order[c])
        before_a, first, before_b, second, before_c, third = touched
        self.length += cost[before_a][second] + cost[before_c][first] + cost[before_b][third]
        self.length -= cost[before_a][first] + cost[before_b][second] + cost[before_c][third]
        order[a:c] = order[b:c] + order[a:b]
        self._renumber(a, c)
        return touched

    def _cuts(self, chance: random.Random) -> list[int]:
        """Three positions before which to cut: near one place, or near each other in the tour."""
        last = len(self.order) - 1
        if chance.random() < 0.5:
            place = self.order[chance.randint(1, last - 1)]
            near = [place, *(far for close in self._after[place][:5] for far in (close, *self._after[close][:5]))]
            positions = sorted({self._at[other] for other in near} - {0})
            if len(positions) >= 3:
                return sorted(chance.sample(positions, 3))
        reach = min(last - 1, WINDOW)
        first = chance.randint(1, last - reach)
        return sorted(chance.sample(range(first, first + reach + 1), 3))

    def _move_piece(self, place: int) -> Change | None:
        """Moves a piece that starts at a place to a better gap, turned or not, if there is one."""
        order, at, cost = self.order, self._at, self._cost
        start, last = at[place], len(order) - 1
        if start in (0, last):
            return None
        left, end, turning = order[start - 1], place, 0
        for stop in range(start, min(start + LONGEST_PIECE, last)):
            if stop > start:
                turning += cost[order[stop]][end] - cost[end][order[stop]]
                end = order[stop]
            right = order[stop + 1]
            gain = cost[left][place] + cost[end][right] - cost[left][right]
            for first, final, extra in ((place, end, 0), (end, place, turning)) if gain > 0 else ():
                for other in self._before[first]:
                    gap = at[other]
                    if start - 1 <= gap <= stop or gap == last:
                        continue
                    beyond = order[gap + 1]
                    change = cost[other][first] + extra + cost[final][beyond] - cost[other][beyond] - gain
                    if change < 0:
                        piece = order[start : stop + 1] if first == place else order[start : stop + 1][::-1]
                        if gap < start:
                            order[gap + 1 : stop + 1] = piece + order[gap + 1 : start]
                            self._renumber(gap + 1, stop + 1)
                        else:
                            order[start : gap + 1] = order[stop + 1 : gap + 1] + piece
                            self._renumber(start, gap + 1)
                        return change, (left, right, place, end, other, beyond)
        return None

    def _turn(self, place: int) -> Change | None:
        """Turns the stretch after a place, or before it, so that a nearer place comes next to it, if that is better."""
        order, at, cost = self.order, self._at, self._cost
        here, last = at[place], len(order) - 1
        for other in self._after[place] if here < last else ():
            if cost[place][other] >= cost[place][order[here + 1]]:
                break
            if here + 1 < at[other] < last and (change := self._turn_stretch(here + 1, at[other])):
                return change
        for other in self._before[place] if here > 0 else ():
            if cost[other][place] >= cost[order[here - 1]][place]:
                break
            if 0 < at[other] < here - 1 and (change := self._turn_stretch(at[other], here - 1)):
                return change
        return None

    def _turn_stretch(self, start: int, stop: int) -> Change | None:
        if stop - start > LONGEST_TURN:
            return None
        order, cost = self.order, self._cost
        left, first, end, right = order[start - 1], order[start], order[stop], order[stop + 1]
        change = cost[left][end] + cost[first][right] - cost[left][first] - cost[end][right]
        for position in range(start, stop):
            change += cost[order[position + 1]][order[position]] - cost[order[position]][order[position + 1]]
        if change >= 0:
            return None
        order[start : stop + 1] = order[start : stop + 1][::-1]
        self._renumber(start, stop + 1)
        return change, (left, first, end, right)


def _greedy(legs: npt.NDArray[np.int64], never: int) -> list[int]:
    """Always on to the nearest place."""
    left = legs.copy()
    left[:, -1] = never
    order = [0]
    for _ in range(len(legs) - 2):
        order.append(int(left[order[-1]].argmin()))
        left[:, order[-1]] = never
    return [*order, len(legs) - 1]

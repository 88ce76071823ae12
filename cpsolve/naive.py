"""Depth-first search with no idea at all: what two-player games and models are compared with.

:func:`minimax` plays every game to its end; :func:`assignments` gives every variable every value and looks at the constraints when all
have one. Neither prunes nor remembers anything, so both explode at once: each stops at its limit and says that it did. (The
same for one-player puzzles is :func:`cpsolve.search.dfs`.)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from cpsolve.games import Position
from cpsolve.model import Model
from cpsolve.solvers.base import Deadline

_CHECK_EVERY = 256


@dataclass(frozen=True)
class Search:
    """How a naive search went: how many ``states`` it visited, in how many ``seconds``, and whether it ``finished``."""

    states: int
    seconds: float
    finished: bool


@dataclass(frozen=True)
class GameSearch(Search):
    """``winner`` and ``plies`` of best play, and one such ``line``; all empty when the search did not finish."""

    winner: str | None = None
    plies: int | None = None
    line: tuple[Any, ...] = ()


@dataclass(frozen=True)
class ModelSearch(Search):
    """How many assignments satisfied the model, of those tried."""

    solutions: int = 0


class _Stopped(Exception):
    """The limit was reached."""


class _Meter:
    def __init__(self, time_limit: float | None, max_states: int | None) -> None:
        self.states = 0
        self.deadline = Deadline(time_limit)
        self._max_states = max_states

    def count(self) -> None:
        if self.states == self._max_states or (self.states % _CHECK_EVERY == 0 and self.deadline.passed()):
            raise _Stopped
        self.states += 1


def minimax(position: Position[Any], time_limit: float | None = None, max_states: int | None = None) -> GameSearch:
    """Who wins and how soon, by playing every game to its end.

    >>> from cpsolve.games import Pile
    >>> found = minimax(Pile(7))
    >>> found.winner, found.plies, found.states, minimax(Pile(7), max_states=10).finished
    ('first', 3, 97, False)
    """
    meter = _Meter(time_limit, max_states)
    try:
        winner, line = _best(position, meter)
    except _Stopped:
        return GameSearch(meter.states, meter.deadline.elapsed(), False)
    return GameSearch(meter.states, meter.deadline.elapsed(), True, winner, len(line), line)


def _best(position: Any, meter: _Meter) -> tuple[str | None, tuple[Any, ...]]:
    meter.count()
    if position.is_over:
        return position.winner, ()
    player = position.to_move
    found: list[tuple[str | None, tuple[Any, ...]]] = []
    for move in position.legal_moves():
        winner, line = _best(position.play(move), meter)
        found.append((winner, (move, *line)))
    return max(found, key=lambda end: _worth(end[0], len(end[1]), player))


def _worth(winner: str | None, plies: int, player: str) -> tuple[int, int]:
    """A soon win, then a draw, then a late loss."""
    return (1, -plies) if winner == player else (0, 0) if winner is None else (-1, plies)


def assignments(model: Model, time_limit: float | None = None, max_states: int | None = None) -> ModelSearch:
    """How many solutions a model has, by trying every value of every variable.

    A state is a complete assignment.

    >>> m = Model()
    >>> x = m.int_vars(3, 0, 1, name="x")
    >>> _ = m.add(x.sum() == 2)
    >>> found = assignments(m)
    >>> found.solutions, found.states, found.finished
    (3, 8, True)
    """
    meter = _Meter(time_limit, max_states)
    variables = model.variables
    solutions = 0
    finished = True
    try:
        for values in product(*(range(variable.lo, variable.hi + 1) for variable in variables)):
            meter.count()
            solutions += not model.violations(dict(zip(variables, values, strict=True)))
    except _Stopped:
        finished = False
    return ModelSearch(meter.states, meter.deadline.elapsed(), finished, solutions)

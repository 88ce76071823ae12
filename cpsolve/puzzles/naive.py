"""Naive depth-first search for two-player games and for models: what the constraint models are compared with.

:func:`minimax` plays every game to its end; :func:`solutions` gives variable after variable every value and goes back when a constraint
is broken. Neither infers or remembers anything, so both explode: each stops at its limit and says that it did. (The same for
one-player puzzles is :func:`cpsolve.puzzles.search.dfs`.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cpsolve.expressions import Expression, Variable, scope
from cpsolve.model import Model
from cpsolve.puzzles.games import Position
from cpsolve.puzzles.search import LimitReached, Meter


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
    """How many solutions were found."""

    solutions: int = 0


def minimax(
    position: Position[Any], time_limit: float | None = None, max_states: int | None = None, *, max_memory: int | None = None
) -> GameSearch:
    """Who wins and how soon, by playing every game to its end.

    >>> from cpsolve.puzzles.games import Pile
    >>> found = minimax(Pile(7))
    >>> found.winner, found.plies, found.states, minimax(Pile(7), max_states=10).finished
    ('first', 3, 96, False)
    """
    meter = Meter("dfs", max_states, time_limit, max_memory)
    try:
        winner, line = _best(position, meter)
    except LimitReached:
        return GameSearch(meter.states, meter.deadline.elapsed(), False)
    return GameSearch(meter.states, meter.deadline.elapsed(), True, winner, len(line), line)


def _best(position: Any, meter: Meter) -> tuple[str | None, tuple[Any, ...]]:
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


def solutions(
    model: Model, time_limit: float | None = None, max_states: int | None = None, *, max_memory: int | None = None
) -> ModelSearch:
    """How many solutions a model has, by giving its variables every value in turn.

    A constraint is looked at when the last of its variables has a value. A state is a value given to a variable.

    >>> m = Model()
    >>> x = m.int_vars(3, 0, 1, name="x")
    >>> _ = m.add(x.sum() == 2)
    >>> found = solutions(m)
    >>> found.solutions, found.states, found.finished
    (3, 14, True)
    """
    meter = Meter("dfs", max_states, time_limit, max_memory)
    variables = model.variables
    due: list[list[Expression]] = [[] for _ in variables]
    for entry in model.constraints:
        places = [variable.index for variable in scope(entry.constraint)]
        if places:
            due[max(places)].append(entry.constraint)
        elif not entry.constraint.value({}):
            return ModelSearch(0, meter.deadline.elapsed(), True)
    found = 0
    values: dict[Variable, int] = {}
    choices = [iter(range(variable.lo, variable.hi + 1)) for variable in variables[:1]]
    try:
        while choices:
            place = len(choices) - 1
            value = next(choices[-1], None)
            if value is None:
                choices.pop()
                continue
            meter.count()
            values[variables[place]] = value
            if not all(constraint.value(values) for constraint in due[place]):
                continue
            if len(choices) == len(variables):
                found += 1
            else:
                following = variables[place + 1]
                choices.append(iter(range(following.lo, following.hi + 1)))
    except LimitReached:
        return ModelSearch(meter.states, meter.deadline.elapsed(), False, found)
    return ModelSearch(meter.states, meter.deadline.elapsed(), True, found if variables else 1)

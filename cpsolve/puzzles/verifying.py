"""Answers that were saved, checked with nothing but the rules: no model, no solver, no table of the program that found them.

A plan is replayed move by move, and a claim that none is shorter, or that there is none, is tried by breadth-first search. A verdict is
played out along its line, and what it says of every move is tried by plain alpha-beta. Where that is too much for the limit, the part
that could not be checked is named: what stands in :class:`Findings` as ``proven`` was proven, and :class:`Looked` tells of parts that
nobody looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from cpsolve.errors import CPSolveError, FormatError, LimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles import search
from cpsolve.puzzles.games import WIN, alpha_beta, in_plies, outcomes
from cpsolve.puzzles.plans import Move, Puzzle, plan_of
from cpsolve.puzzles.recounting import FEW, recount
from cpsolve.results import Status
from cpsolve.words import counted

SECONDS = 10.0
"""How long a search by the rules alone may take, unless told otherwise."""
CLOSE = 1e-9
"""How far a number that was saved as a float may lie from the exact one."""
ASKED = ("game", "command", "instance", "new")
"""Parts of an answer that say what was asked."""
MEASURED = ("method", "time_limit", "states", "branches", "positions", "seconds", "memory", "note", "checked", "proof")
"""Parts of an answer that say how it was found and what that took: no claims about the instance."""


class Refuted(CPSolveError):
    """A saved answer says something that is not so."""


@dataclass(frozen=True)
class Findings:
    """What was proven of a saved answer, and what it claims beyond that; each in a sentence."""

    proven: tuple[str, ...]
    open: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solutions:
    """The value by the rules of a question that asks how many solutions there are: who stopped early has found fewer."""

    number: int


class Looked(Mapping[str, Any]):
    """An answer that notes which of its parts somebody looked at.

    >>> said = Looked({"cost": 3, "colour": "red", "reason": None})
    >>> said["cost"], said.unseen()
    (3, ("what 'colour' says",))
    """

    def __init__(self, data: Mapping[str, Any], name: str = "") -> None:
        self._data, self._name = data, f" of {name}" if name else ""
        self._seen: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        value = self._data[name]
        self._seen.add(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def unseen(self) -> tuple[str, ...]:
        """The parts that nobody looked at and that say something, each in a sentence."""
        parts = (name for name, value in self._data.items() if name not in self._seen and not _empty(value))
        return tuple(f"what {name!r:.60}{self._name} says" for name in parts if name not in ASKED and name not in MEASURED)


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def only(data: Mapping[str, Any], parts: tuple[str, ...], what: str, empty: tuple[str, ...] = ()) -> None:
    """FormatError when an answer has other parts than its own; those in ``empty`` may be there if they say nothing.

    >>> only({"game": "walks", "paths": 4, "cost": 3}, ("paths",), "a number of paths")
    Traceback (most recent call last):
    cpsolve.errors.FormatError: line 1, column 1: expected a number of paths, which has no 'cost'; found 3
    """
    for name in data:
        if name not in parts and name not in ASKED and name not in MEASURED and not (name in empty and _empty(data[name])):
            raise FormatError(f"expected {what}, which has no {name!r:.60}{' then' if name in empty else ''}; found {data[name]!r:.60}")


def not_known(data: Mapping[str, Any], empty: tuple[str, ...] = (), parts: tuple[str, ...] = ()) -> Findings:
    """Checks that an answer that is not known claims nothing, but for ``parts`` that are checked elsewhere.

    >>> not_known({"status": "unknown", "reason": "stopped after 1 s", "moves": []}, ("moves",)).open
    ('the answer claims nothing',)
    """
    only(data, ("status", "reason", *parts), "an answer that is not known", empty)
    data.get("reason")  # which limit was met: no claim about the instance
    return Findings((), ("the answer claims nothing",))


def alike(told: Any, right: Any) -> bool:
    """Whether two parts of JSON are the same, in kind too: 1 is neither true nor 1.0.

    >>> alike([[1, 2]], [[1, 2]]), alike([[1, 2.0]], [[1, 2]]), alike({"x": True}, {"x": 1})
    (True, False, False)
    """
    if isinstance(right, list):
        return isinstance(told, list) and len(told) == len(right) and all(map(alike, told, right))
    if isinstance(right, dict):
        return isinstance(told, dict) and told.keys() == right.keys() and all(alike(told[name], right[name]) for name in right)
    return type(told) is type(right) and bool(told == right)


def claim(data: Mapping[str, Any], name: str, kind: type) -> Any:
    """A part of a saved answer; FormatError when it is missing or of another kind.

    >>> claim({"cost": 3}, "cost", int)
    3
    """
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise FormatError(f"expected {name!r} as {kind.__name__}, found {value!r:.60}")
    return value


def plan(puzzle: Puzzle[Any], data: Mapping[str, Any], time_limit: float | None = None, why: Callable[[], str] | None = None) -> Findings:
    """Checks a saved plan: Refuted when a move is illegal, the goal is missed, or a shorter plan exists.

    ``why()`` says by the rules why there is no plan: a reason that was saved must be the same.

    >>> from cpsolve.puzzles.garden import Garden
    >>> plan(Garden("S.E"), {"status": "optimal", "cost": 2, "bound": 2, "moves": ["right", "right"]}).proven
    ('2 moves, each legal, reach the goal', 'no plan is shorter: breadth-first search')
    """
    status = claim(data, "status", str)
    if status == Status.UNKNOWN.value:
        nothing = not_known(data, ("cost", "moves", "cells"), ("bound",))
        return nothing if data.get("bound") is None else _bounded(puzzle, data, None, time_limit)
    if status == Status.INFEASIBLE.value:
        found = _no_plan(puzzle, data, time_limit, why)
        only(data, ("status", "reason"), "the answer that there is no plan", ("cost", "bound", "moves", "cells"))
        return found
    if status not in (Status.OPTIMAL.value, Status.FEASIBLE.value):
        raise FormatError(f"expected a status of a plan, found {status!r:.60}")
    names = claim(data, "moves", list)
    if strange := [name for name in names if not isinstance(name, str)]:
        raise FormatError(f"expected the names of moves, found {strange[0]!r:.60}")
    try:
        replayed = plan_of(puzzle, [Move(name) for name in names])
    except CPSolveError as error:
        raise Refuted(str(error)) from error
    if claim(data, "cost", int) != replayed.cost:
        raise Refuted(f"the plan costs {replayed.cost}, not {data['cost']}")
    cells = [list(state.cell) for state in replayed.states if hasattr(state, "cell")]
    if data.get("cells") is not None and not alike(claim(data, "cells", list), cells):
        same = takewhile(lambda pair: alike(*pair), zip(data["cells"], cells, strict=False))
        wrong = sum(1 for _ in same)
        raise Refuted(f"'cells' are not where the moves lead: after move {wrong} it is {cells[wrong] if wrong < len(cells) else 'over'}")
    proven = f"{counted(len(names), 'move')}, each legal, reach the goal"
    if status == Status.FEASIBLE.value:
        if data.get("bound") is None:
            return Findings((proven,))
        found = _bounded(puzzle, data, replayed.cost, time_limit)
        return Findings((proven, *found.proven), found.open)
    bound = None if data.get("bound") is None else claim(data, "bound", int)
    if bound not in (None, replayed.cost):
        raise Refuted(f"the bound of an optimal plan is its cost, {replayed.cost}, not {bound}")
    shortest = search.bfs(puzzle, time_limit=SECONDS if time_limit is None else time_limit)
    if not shortest:
        return Findings((proven,), ("that no plan is shorter: too many states for breadth-first search",))
    if shortest.cost != replayed.cost:
        raise Refuted(f"a plan of {counted(len(shortest.moves), 'move')} is shorter: {', '.join(map(str, shortest.moves))}")
    return Findings((proven, "no plan is shorter: breadth-first search"))


def _bounded(puzzle: Puzzle[Any], data: Mapping[str, Any], cost: int | None, time_limit: float | None) -> Findings:
    """Checks that no plan costs less than told; ``cost`` is that of the plan that was found, None without one."""
    bound = claim(data, "bound", int)
    shortest = search.bfs(puzzle, time_limit=SECONDS if time_limit is None else time_limit)
    least = shortest.cost if shortest else cost
    told = f"no plan costs less than {bound}"
    if least is not None and bound > least:
        raise Refuted(f"not true that {told}: one costs {least}")
    searched = shortest.status is not Status.UNKNOWN
    return Findings((f"{told}: breadth-first search",)) if searched else Findings((), (f"that {told}",))


def _no_plan(puzzle: Puzzle[Any], data: Mapping[str, Any], time_limit: float | None, why: Callable[[], str] | None) -> Findings:
    """Checks that there is no plan, and the reason."""
    found = search.bfs(puzzle, time_limit=SECONDS if time_limit is None else time_limit)
    if found.status is Status.UNKNOWN:
        return Findings((), ("that there is no plan: too many states for breadth-first search",))
    if found:
        raise Refuted(f"there is a plan, of {counted(len(found.moves), 'move')}: {', '.join(map(str, found.moves))}")
    said = "there is no plan: breadth-first search"
    if why is None or data.get("reason") is None:
        return Findings((said,), (f"the reason: {data['reason']!s:.300}",) if data.get("reason") else ())
    if (reason := why()) != data["reason"]:
        raise Refuted(f"the reason is another: {reason}")
    return Findings((said, f"the reason: {reason}"))


def number_of_paths(puzzle: Puzzle[Any], number: int, time_limit: float | None = None) -> Findings:
    """Checks a saved number of acyclic paths by walking all of them, depth first; too many for that are counted once more.

    >>> from cpsolve.puzzles.garden import Garden
    >>> number_of_paths(Garden("S.\\n.E"), 2).proven
    ('2 acyclic paths, walked one by one',)
    """
    limit = SECONDS if time_limit is None else time_limit
    if number > FEW:
        try:
            found = recount(puzzle, Deadline(limit))
        except LimitError:
            return Findings((), (f"that there are {counted(number, 'acyclic path')}: too many to count by the rules",))
        if found != number:
            raise Refuted(f"there are {counted(found, 'acyclic path')}, not {number:,}")
        return Findings((f"{counted(found, 'acyclic path')}, through the states that the rules give",))
    meter = search.Meter("dfs", None, limit)
    found = 0
    try:
        for _ in search.all_paths(puzzle, meter):
            found += 1
            if found > number:
                raise Refuted(f"there are more than {counted(number, 'acyclic path')}")
    except search.LimitReached:
        return Findings((), (f"that there are {counted(number, 'acyclic path')}: too many to walk",))
    if found != number:
        raise Refuted(f"there are {counted(found, 'acyclic path')}, not {number:,}")
    return Findings((f"{counted(found, 'acyclic path')}, walked one by one",))


def verdict(
    position: Any,
    data: Mapping[str, Any],
    move_of: Callable[[Any], Any],
    time_limit: float | None = None,
    scores: Callable[[Mapping[Any, tuple[int, int]]], None] | None = None,
) -> Findings:
    """Checks a saved verdict on a game for two; ``move_of`` makes a move of what JSON has for it.

    ``scores(outcomes)`` checks what the answer says of every single move: Refuted where that is not so.

    >>> from cpsolve.puzzles.games import Pile
    >>> verdict(Pile(7), {"winner": "first", "plies": 3, "best": [3], "line": [3, 1, 3]}, int).proven
    ('the line is legal and ends as claimed: first wins in 3 plies', 'winner, plies and best moves: alpha-beta')
    """
    status = data.get("status")
    if status == Status.UNKNOWN.value:
        return not_known(data, ("winner", "plies", "line", "best"), ("to_move",))
    if status not in (None, "solved"):
        raise FormatError(f"expected 'status' as solved or unknown, found {status!r:.60}")
    winner, plies = data.get("winner"), claim(data, "plies", int)
    naive = data.get("method") == "dfs"  # plain minimax names one line and no other best moves
    line, best = ([told_move(move_of, move) for move in claim(data, name, list)] for name in ("line", "line" if naive else "best"))
    end = position
    for number, move in enumerate(line, start=1):
        try:
            end = end.play(move)
        except CPSolveError as error:
            raise Refuted(f"move {number} of the line, {move}: {error}") from error
    told = "a draw" if winner is None else f"{winner} wins in {in_plies(plies)}"
    if not end.is_over or end.winner != winner or len(line) != plies:
        raise Refuted(f"the line does not end as claimed, {told}, but with\n{end}")
    proven = f"the line is legal and ends as claimed: {told}"
    if data.get("to_move") not in (None, position.to_move):
        raise Refuted(f"{position.to_move} is to move, not {data['to_move']!r:.40}")
    if position.is_over:
        return Findings((proven,))
    try:
        found = outcomes(position, SECONDS if time_limit is None else time_limit)
    except LimitError:
        return Findings((proven,), ("that neither player can do better: too many positions for alpha-beta",))
    worth = {move: worth_of(outcome) for move, outcome in found.items()}
    top = max(worth.values())
    sign, after = next(outcome for move, outcome in found.items() if worth[move] == top)
    claimed = 0 if winner is None else 1 if winner == position.to_move else -1
    right = {move for move in found if worth[move] == top}
    if claimed != sign or (sign and plies != after) or (best[0] not in right if naive else set(best) != right):
        lines = ", ".join(f"{move} {('draws', 'wins', 'loses')[sign]} in {in_plies(after)}" for move, (sign, after) in found.items())
        raise Refuted(f"best play is another: {lines}")
    if scores is not None:
        scores(found)
    return Findings((proven, f"winner, plies and {'the first move' if naive else 'best moves'}: alpha-beta"))


def best_value(position: Any, time_limit: float | None = None) -> tuple[str | None, int | None] | None:
    """Who wins and in how many plies (None for a draw), as the summary of a verdict has it; None when alpha-beta takes too long.

    >>> from cpsolve.puzzles.games import Pile
    >>> best_value(Pile(7))
    ('first', 3)
    """
    try:
        found = alpha_beta(position, time_limit=SECONDS if time_limit is None else time_limit)
    except LimitError:
        return None
    end = position
    for move in found.line:
        end = end.play(move)
    return end.winner, found.plies


def worth_of(outcome: tuple[int, int]) -> int:
    """What it is worth to win (1), draw (0) or lose (-1) in some plies: sooner wins and later losses are worth more.

    >>> worth_of((1, 3)) > worth_of((1, 5)) > worth_of((0, 0)) > worth_of((-1, 4)) > worth_of((-1, 2))
    True
    """
    sign, plies = outcome
    return sign * (WIN - plies)


def told_move(move_of: Callable[[Any], Any], told: Any) -> Any:
    """The move that is told; FormatError when it is none.

    >>> told_move(int, "4")
    4
    """
    try:
        return move_of(told)
    except (ValueError, TypeError, OverflowError) as error:
        raise FormatError(f"expected a move, found {told!r:.60}") from error

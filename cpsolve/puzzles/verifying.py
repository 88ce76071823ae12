"""Answers that were saved, checked with nothing but the rules: no model, no solver, no table of the program that found them.

A plan is replayed move by move, and a claim that none is shorter, or that there is none, is tried by breadth-first search. A verdict is
played out along its line, and what it says of every move is tried by plain alpha-beta. Where that is too much for the limit, the part
that could not be checked is named: what stands in :class:`Findings` as ``proven`` was proven.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


class Refuted(CPSolveError):
    """A saved answer says something that is not so."""


@dataclass(frozen=True)
class Findings:
    """What was proven of a saved answer, and what it claims beyond that; each in a sentence."""

    proven: tuple[str, ...]
    open: tuple[str, ...] = ()


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
        return Findings((), ("the answer claims nothing",))
    if status == Status.INFEASIBLE.value:
        found = search.bfs(puzzle, time_limit=SECONDS if time_limit is None else time_limit)
        if found.status is Status.UNKNOWN:
            return Findings((), ("that there is no plan: too many states for breadth-first search",))
        if found:
            raise Refuted(f"there is a plan, of {counted(len(found.moves), 'move')}: {', '.join(map(str, found.moves))}")
        said = ["there is no plan: breadth-first search"]
        if why is not None and data.get("reason") is not None:
            if (reason := why()) != data["reason"]:
                raise Refuted(f"the reason is another: {reason}")
            said.append(f"the reason: {reason}")
            return Findings(tuple(said))
        return Findings(tuple(said), (f"the reason: {data['reason']!s:.300}",) if data.get("reason") else ())
    if status not in (Status.OPTIMAL.value, Status.FEASIBLE.value):
        raise FormatError(f"expected a status of a plan, found {status!r:.60}")
    names = claim(data, "moves", list)
    try:
        replayed = plan_of(puzzle, [Move(str(name)) for name in names])
    except CPSolveError as error:
        raise Refuted(str(error)) from error
    if claim(data, "cost", int) != replayed.cost:
        raise Refuted(f"the plan costs {replayed.cost}, not {data['cost']}")
    cells = [list(state.cell) for state in replayed.states if hasattr(state, "cell")]
    if data.get("cells") is not None and claim(data, "cells", list) != cells:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(data["cells"], cells, strict=False))
        wrong = sum(1 for _ in same)
        raise Refuted(f"'cells' are not where the moves lead: after move {wrong} it is {cells[wrong] if wrong < len(cells) else 'over'}")
    proven = f"{counted(len(names), 'move')}, each legal, reach the goal"
    if status == Status.FEASIBLE.value and data.get("bound") is None:
        return Findings((proven,))
    shortest = search.bfs(puzzle, time_limit=SECONDS if time_limit is None else time_limit)
    if status == Status.FEASIBLE.value:
        bound, least = claim(data, "bound", int), shortest.cost if shortest else replayed.cost
        told = f"no plan costs less than {bound}"
        if bound > least:
            raise Refuted(f"not true that {told}: one costs {least}")
        return Findings((proven, f"{told}: breadth-first search")) if shortest else Findings((proven,), (f"that {told}",))
    if not shortest:
        return Findings((proven,), ("that no plan is shorter: too many states for breadth-first search",))
    if shortest.cost != replayed.cost:
        raise Refuted(f"a plan of {counted(len(shortest.moves), 'move')} is shorter: {', '.join(map(str, shortest.moves))}")
    if data.get("bound") not in (None, shortest.cost):
        raise Refuted(f"the bound of an optimal plan is its cost, {shortest.cost}, not {data['bound']!r:.40}")
    return Findings((proven, "no plan is shorter: breadth-first search"))


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
    if data.get("status") == "unknown":
        return Findings((), ("the answer claims nothing",))
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

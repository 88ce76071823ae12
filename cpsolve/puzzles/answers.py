"""Plans and verdicts as answers: the same picture captions, sentences and data whatever the puzzle or game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cpsolve.catalogue import Answer, Listed, Outcome, Summary
from cpsolve.limits import Deadline
from cpsolve.puzzles.games import Mistake, Review, in_plies
from cpsolve.puzzles.plans import Plan, Walk
from cpsolve.results import Status
from cpsolve.words import counted, duration

if TYPE_CHECKING:
    from cpsolve.drawing import Picture


def check_notes(answer: Any) -> list[str]:
    """What a check of an answer found, in a sentence; nothing when none was asked for."""
    note = answer.check.note
    return [note] if note else []


# -- plans


def plan_answer(name: str, plan: Plan[Any], draw: Callable[..., Picture]) -> Answer:
    """A plan, or why there is none; ``draw(plan, step=None)`` makes its pictures."""
    return Answer(
        data=lambda: {"game": name, **plan_data(plan)},
        sentences=lambda: plan_sentences(plan),
        picture=lambda: draw(plan),
        frames=(lambda: (draw(plan, step=step) for step in range(len(plan.states)))) if plan else None,
        outcome=plan_outcome(plan),
        summary=lambda: plan_summary(plan),
    )


def plan_summary(plan: Plan[Any]) -> Summary:
    """A plan in figures: that there is none is a proof too.

    >>> from cpsolve.puzzles.plans import Plan
    >>> plan_summary(Plan(Status.INFEASIBLE, reason="the door is locked"))
    Summary(answer='no plan: the door is locked', value=inf, proven=True, states=None)
    """
    states = plan.stats.get("states")
    if plan:
        return Summary(counted(len(plan.moves), "move"), len(plan.moves), plan.optimal, states)
    if plan.status is Status.INFEASIBLE:
        return Summary(f"no plan: {plan.reason}", float("inf"), True, states)
    return Summary(plan.reason, states=states)


def plan_outcome(plan: Plan[Any]) -> Outcome:
    """Found, proven impossible, or stopped by a limit: a plan whose bound is still open is what was found until then.

    >>> from cpsolve.puzzles.garden import Garden
    >>> from cpsolve.puzzles.plans import Move, plan_of
    >>> [plan_outcome(plan_of(Garden("S.E"), [Move("right")] * 2, bound)).name for bound in (None, 1, 2)]
    ['SOLVED', 'LIMIT_REACHED', 'SOLVED']
    """
    if plan and (plan.optimal or plan.bound is None):  # a search for any plan has no bound
        return Outcome.SOLVED
    return Outcome.NO_SOLUTION if plan.status is Status.INFEASIBLE else Outcome.LIMIT_REACHED


def plan_sentences(plan: Plan[Any]) -> list[str]:
    """What the picture of a plan does not say: how it was found, and what a check found; the picture says why there is none.

    >>> plan_sentences(Plan(Status.INFEASIBLE, reason="the door is locked"))
    []
    """
    proof = [f"proven: {plan.proof}"] if plan.proof else []
    if not plan:
        return proof
    found = f"found by {plan.stats['method']} in {duration(plan.stats['wall_time'])}, replayed by the rules"
    said = [found if plan.optimal else f"{found}; it need not be the shortest"]
    return [*said, *proof, *check_notes(plan)]


def plan_data(plan: Plan[Any]) -> dict[str, Any]:
    """A plan as plain data.

    >>> plan_data(Plan(Status.INFEASIBLE, reason="the door is locked"))["reason"]
    'the door is locked'
    """
    return {
        "status": plan.status.value,
        "cost": plan.cost,
        "bound": plan.bound,
        "moves": [str(move) for move in plan.moves],
        "cells": [list(cell) for cell in plan.cells] if isinstance(plan, Walk) else [],
        "reason": plan.reason or None,
        "proof": plan.proof or None,
        "method": plan.stats.get("method"),
        "states": plan.stats.get("states"),
        "branches": plan.stats.get("solver", {}).get("branches"),
        "seconds": plan.stats.get("wall_time"),
        "checked": plan.checked,
    }


def listed_plans(
    found: Iterable[Plan[Any]],
    time_limit: float | None,
    line: Callable[[Plan[Any]], str] | None = None,
    film: Callable[[Plan[Any], int], Iterable[Picture | str]] | None = None,
) -> Iterator[Listed]:
    """Plans as the lines of a list; TimeLimitError once the time has passed.

    ``line`` writes a plan otherwise than by its moves; ``film`` shows the plan of a number, counted from 1.
    """
    deadline = Deadline(time_limit)
    for number, plan in enumerate(found, start=1):
        deadline.check("listing")
        told = f"{len(plan.moves)}: {', '.join(map(str, plan.moves))}" if line is None else line(plan)
        yield Listed(told, plan_data(plan), None if film is None else partial(film, plan, number))


# -- games for two


def plain_moves(moves: Iterable[Any]) -> list[Any]:
    """Moves as JSON has them: a cell is a list.

    >>> plain_moves([(1, 2), "swap", 4])
    [[1, 2], 'swap', 4]
    """
    return [list(move) if isinstance(move, tuple) else move for move in moves]


def in_words(winner: str | None, plies: int) -> str:
    """How best play ends.

    >>> in_words("x", 7), in_words(None, 9)
    ('x wins in 7 plies', 'a draw')
    """
    return "a draw" if winner is None else f"{winner} wins in {in_plies(plies)}"


def review_answer(
    found: Review[Any], moves: Sequence[str], told: Callable[[Mistake[Any]], list[str]], draw: Callable[[Mistake[Any] | None], Picture]
) -> Answer:
    """A game looked back on: ``told`` says a mistake in sentences, ``draw`` shows where it was made, or with None how the game ended."""
    mistake = found.mistake
    if mistake is None:
        since = f" from move {found.since + 1} on" if found.since else ""
        return Answer(
            data=lambda: {"number": None, "since": found.since},
            sentences=lambda: [f"No move changed who wins{since}."],
            picture=lambda: draw(None),
        )
    sentences = told(mistake)
    return Answer(
        data=lambda: {
            "number": mistake.number,
            "move": moves[mistake.number - 1],
            "better": plain_moves(mistake.better),
            "since": found.since,
        },
        sentences=lambda: sentences,
        picture=lambda: replace(draw(mistake), captions=(sentences[0],)),
    )


def minimax_answer(name: str, position: Any, time_limit: float | None, draw: Callable[[Any], Picture]) -> Answer:
    """What plain minimax says of a position."""
    from cpsolve.puzzles.naive import minimax

    found = minimax(position, time_limit)
    looked = f"minimax looked at {found.states:,} positions in {duration(found.seconds)}"
    if not found.finished:
        words = f"unknown: stopped; {looked}"
    elif found.winner is None:
        words = f"a draw; {looked}"
    else:
        words = f"{position.to_move} to move: {in_words(found.winner, found.plies or 0)}; {looked}"
    return Answer(
        data=lambda: {
            "game": name,
            "method": "dfs",
            "status": "solved" if found.finished else "unknown",
            "winner": found.winner,
            "plies": found.plies,
            "line": plain_moves(found.line),
            "positions": found.states,
            "seconds": found.seconds,
        },
        sentences=lambda: [words],
        picture=lambda: draw(position),
        outcome=Outcome.SOLVED if found.finished else Outcome.LIMIT_REACHED,
        summary=lambda: verdict_summary(found.winner, found.plies, found.states) if found.finished else Summary(states=found.states),
    )


def verdict_summary(winner: str | None, plies: int | None, states: int | None) -> Summary:
    """How best play ends, in figures.

    >>> verdict_summary("x", 7, 12).answer
    'x wins in 7 plies'
    """
    return Summary(in_words(winner, plies or 0), (winner, None if winner is None else plies), True, states)

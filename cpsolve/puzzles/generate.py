"""New puzzles: a solution is drawn, then clues are dropped as long as it stays the only one, until the puzzle is as hard as wanted.

What a puzzle is, is said by a function that makes a :class:`Draft`: the model of its rules and what may be told as a clue.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cpsolve.constraints import LazyConstraint
from cpsolve.errors import AmbiguousError, InfeasibleError, LimitError, MemoryLimitError, ModelError, TimeLimitError
from cpsolve.expressions import Variable, collect, walk
from cpsolve.limits import Deadline, budget
from cpsolve.model import Model
from cpsolve.progress import Progress
from cpsolve.results import Solution, Status

SAMPLING_NODES = 50_000
"""A diagram of more nodes is not made just to draw a solution."""
SAMPLING_PARTS = 60
"""Nor is one for a constraint on a graph of more edges (or nodes)."""


DECISIONS = 6
"""How many variables get a random value where solutions cannot be counted."""


@dataclass(frozen=True)
class Draft:
    """A puzzle without clues: its rules as a ``model``, and the ``clues`` that may be told (variables or conditions, as arrays or lists).

    ``over`` are the variables that make up the answer (all by default); ``rules`` groups the constraints for counting difficulty.
    """

    model: Model
    clues: Any
    over: Any = None
    rules: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Generated:
    """A puzzle with its answer: ``clues`` as they stand in the draft, and the ``model`` with them added (named "clue")."""

    model: Model
    clues: tuple[Any, ...]
    solution: Solution
    difficulty: int | None
    attempts: int
    stats: Mapping[str, Any] = field(default_factory=dict)


def generate(
    make: Callable[[random.Random], Draft],
    *,
    unique: bool = True,
    difficulty: range | None = None,
    seed: int = 0,
    attempts: int = 100,
    time_limit: float | None = None,
    max_memory: int | None = None,
    progress: bool = False,
) -> Generated:
    """A puzzle with one solution and no clue too many, the same for the same seed.

    ``make`` gets a source of chance and gives a Draft; it is called once per attempt. The solution is drawn with equal chances where the
    solutions can be counted, else found from a random start. With ``unique=False`` all clues stay. ``difficulty`` is a range for the number
    of rules of the hardest step (``Model.difficulty``).

    Raises ModelError after ``attempts`` failures (an AmbiguousError if the clues never sufficed), LimitError when a limit is met.

    >>> import cpsolve as cp
    >>> def latin(chance: random.Random) -> Draft:
    ...     m = cp.Model("Latin square")
    ...     x = m.int_vars((4, 4), 1, 4, name="x")
    ...     for i in range(4):
    ...         _ = m.add(cp.all_different(x[i]), name=f"row {i}"), m.add(cp.all_different(x[:, i]), name=f"column {i}")
    ...     return Draft(m, clues=x)
    >>> puzzle = generate(latin, seed=7)
    >>> len(puzzle.clues) <= 7, puzzle.model.count(), generate(latin, seed=7).clues[0].name == puzzle.clues[0].name
    (True, 1, True)
    """
    deadline = Deadline(time_limit, max_memory)
    tries = budget(attempts, "attempts")
    if difficulty is not None and (not isinstance(difficulty, range) or not difficulty):
        raise ModelError(f"difficulty must be a range of sizes such as range(1, 4), got {difficulty!r}")
    met: list[int] = []
    ambiguous = 0
    with Progress("generating", progress) as shown, deadline.watched(), _telling_what_was_made(difficulty, met, deadline):
        for attempt in range(1, tries + 1):
            deadline.check("generating")
            chance = random.Random(f"{seed} {attempt}")
            draft = make(chance)
            if not isinstance(draft, Draft):
                raise ModelError(f"make must give a Draft(model, clues), got {draft!r}")
            solution = draw(draft.model, chance, deadline)
            try:
                clues = _clues(draft, solution, unique, chance, deadline)
            except AmbiguousError:  # this solution cannot be told by the clues there are; another may
                ambiguous += 1
                shown.update(f"attempt {attempt}, {ambiguous} that no clues determine")
                continue
            puzzle = _with_clues(draft, solution, clues)
            hardness = None
            if difficulty is not None:
                rules = draft.rules or {entry.name: [entry] for entry in draft.model.constraints}
                givens = puzzle.constraints[len(draft.model.constraints) :]
                hardness = puzzle.difficulty(rules, givens, over=draft.over, time_limit=deadline.left())
                met.append(hardness)
                if hardness not in difficulty:
                    shown.update(f"attempt {attempt}, difficulty {hardness}")
                    continue
            return Generated(puzzle, tuple(clues), solution, hardness, attempt, {"wall_time": deadline.elapsed()})
    if not met:
        raise AmbiguousError(
            f"in {tries} attempts no solution was determined by all clues together; offer more clues, or allow more attempts"
        )
    others = f", and {ambiguous} were not determined by their clues" if ambiguous else ""
    raise ModelError(
        f"no puzzle of difficulty {difficulty} in {tries} attempts: the {len(met)} made had {min(met)} to {max(met)}{others}; "
        "widen the range, allow more attempts, or offer other clues"
    )


@contextmanager
def _telling_what_was_made(difficulty: range | None, made: list[int], deadline: Deadline) -> Iterator[None]:
    """A limit that is met, wherever, tells what the puzzles made so far are like and what to change."""
    try:
        yield
    except LimitError:
        difficulties = f": the {len(made)} made had {min(made)} to {max(made)}" if made else ""
        wanted = f" of difficulty {difficulty}" if difficulty is not None else ""
        more = "memory" if deadline.full else "time"
        change = f"widen the range, give more {more}, or offer other clues" if made else f"give more {more}, or make a smaller puzzle"
        kind = MemoryLimitError if deadline.full else TimeLimitError
        raise kind(f"generating: no puzzle{wanted} within {deadline.given()}{difficulties}; {change}") from None


def draw(model: Model, chance: random.Random, deadline: Deadline) -> Solution:
    """A random solution: each with the same chance where they can be counted, else one found from a random start."""
    seed = chance.randrange(2**31)
    try:
        if not _on_large_graphs(model):
            limit = None if deadline.left() is None else deadline.remaining() / 4
            return model.sample(1, seed, max_nodes=SAMPLING_NODES, time_limit=limit)[0]
    except InfeasibleError:
        raise _impossible(model, deadline) from None
    except LimitError:
        deadline.check("generating")
    return found(model, chance, deadline)


def found(model: Model, chance: random.Random, deadline: Deadline) -> Solution:
    """A solution found from a random start, with a few variables at random values where that can be.

    >>> m = Model()
    >>> x = m.int_vars(3, 1, 9)
    >>> _ = m.add(x.sum() == 12)
    >>> len({tuple(found(m, random.Random(seed), Deadline(None))[x]) for seed in range(9)}) > 5
    True
    """
    start = model.copy()
    start.hint({variable: chance.randint(variable.lo, variable.hi) for variable in model.variables})
    solution: Solution | None = None
    chosen = chance.sample(model.variables, min(DECISIONS, len(model.variables)))
    for decision in (None, *(variable == chance.randint(variable.lo, variable.hi) for variable in chosen)):
        trial = start.copy()
        if decision is not None:
            trial.add(decision)
        if decision is None or solution is None or not decision.value(solution):
            result = trial.solve(backend="sat", time_limit=deadline.left())
            if result.status is Status.INFEASIBLE and decision is None:
                raise _impossible(model, deadline)
            if result.status is Status.UNKNOWN:
                deadline.fail("generating")
            if result.solution is None:
                continue
            solution = result.solution
        start = trial
    if solution is None:
        deadline.fail("generating")
    return solution


def _impossible(model: Model, deadline: Deadline) -> InfeasibleError:
    conflict = model.conflict(time_limit=deadline.left())
    names = "; ".join(entry.name for entry in conflict)
    return InfeasibleError(f"{model!r} has no solution, so there is no puzzle to make of it: these cannot all hold: {names}", conflict)


def _on_large_graphs(model: Model) -> bool:
    """Whether a constraint on a graph has so many parts that its solutions are not counted just to draw one."""
    if not any(issubclass(kind, LazyConstraint) for kind in model.kinds):
        return False
    parts = (node for entry in model.constraints for node in walk(entry.constraint))
    return any(isinstance(node, LazyConstraint) and len(node.args) > SAMPLING_PARTS for node in parts)


def _clues(draft: Draft, solution: Solution, unique: bool, chance: random.Random, deadline: Deadline) -> list[Any]:
    listed = [clue for clue in collect([draft.clues]) if isinstance(clue, Variable) or clue.value(solution)]
    if not unique:
        return listed
    model, order = draft.model, chance.randrange(2**31)
    return model.minimal_clues(solution, listed, model.constraints, over=draft.over, seed=order, time_limit=deadline.left())


def _with_clues(draft: Draft, solution: Solution, clues: Sequence[Any]) -> Model:
    puzzle = draft.model.copy()
    for clue in clues:
        puzzle.add(clue == solution[clue] if isinstance(clue, Variable) else clue, name="clue")
    return puzzle

"""The description of a game in which somebody walks: what all such games say of themselves in the same way.

The game's package brings ``solve``, ``paths``, ``count_paths`` and ``draw``; it is imported when one of them is first needed. Its
``formats`` write a plan as the original prints it: ``answer(puzzle, plan)`` is one answer, ``film(puzzle, plan, number)`` the texts
that the original shows one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from cpsolve.catalogue import Answer, Counted, Game, Generator, Instance, Interaction, Listed, Option
from cpsolve.checks import NOT_CHECKED, SECONDS, Check
from cpsolve.errors import LimitError, ModelError, SolverError
from cpsolve.limits import Deadline
from cpsolve.puzzles import search, verifying
from cpsolve.puzzles.answers import listed_plans, plan_answer
from cpsolve.puzzles.plans import Plan
from cpsolve.puzzles.recounting import FEW, recount
from cpsolve.puzzles.routes import Route
from cpsolve.puzzles.verifying import Findings, Refuted
from cpsolve.results import Status
from cpsolve.words import counted

RECOUNT_SECONDS = 30.0
"""How long a second count may take when nobody says."""


def _methods() -> Mapping[str, str]:
    from cpsolve.puzzles.walks import METHODS

    return METHODS


def walking_game(package: str, name: str, title: str, **more: Any) -> Game:
    """The description of the game in a package; ``more`` is what only that game can say.

    ``reason(puzzle)`` tells why there is no plan, where the game has puzzles that are no routes.
    """

    def library() -> Any:
        return import_module(package)

    def formats() -> Any:
        return import_module(f"{package}.formats")

    def solve(puzzle: Any, prolog: bool = False, **options: Any) -> Answer:
        plan = library().solve(puzzle, **options)
        found = plan_answer(name, plan, partial(library().draw, puzzle))
        if not prolog:
            return found
        text = str(formats().answer(puzzle, plan)) if plan else "false."
        return replace(found, text=lambda: text, texts=(lambda: formats().film(puzzle, plan, 1)) if plan else None)

    def watch(puzzle: Any, method: str = "bfs", time_limit: float | None = None, prolog: bool = False) -> Answer:
        from cpsolve.drawing import searches

        route = import_module(f"{package}.encode").route(puzzle)
        plan, states = watched(route, method, time_limit)
        draw = partial(library().draw, puzzle)
        return replace(plan_answer(name, plan, draw), frames=lambda: searches.frames(states, plan, method, draw))

    def count(
        puzzle: Any, method: str | None = None, time_limit: float | None = None, prolog: bool = False, check: bool = False
    ) -> Counted:
        if method is not None:
            raise ModelError("methods look for one plan, and paths are counted without them: leave --method out")
        deadline = Deadline(time_limit)
        number = library().count_paths(puzzle, time_limit=time_limit)
        if not check:
            opinion = NOT_CHECKED
        elif number <= FEW:
            opinion = listed_too(number, library().paths(puzzle), deadline)
        else:
            opinion = recounted(number, puzzle, deadline)
        return Counted(number, "acyclic path", opinion)

    def why_none(puzzle: Any) -> str:
        return reason_of(import_module(f"{package}.encode").route(puzzle))

    def every(puzzle: Any, time_limit: float | None = None, prolog: bool = False) -> Iterator[Listed]:
        def line(plan: Plan[Any]) -> str:
            return re.sub(r" \.$", " ;", formats().answer(puzzle, plan))  # Prolog's full stop, were it the last answer

        yield from listed_plans(library().paths(puzzle), time_limit, line if prolog else None, partial(formats().film, puzzle))
        if prolog:
            yield Listed("false.", None)

    def every_best(puzzle: Any, time_limit: float | None = None) -> Iterator[Answer]:
        for plan in library().shortest_plans(puzzle, time_limit=time_limit):
            yield plan_answer(name, plan, partial(library().draw, puzzle))

    def verify(puzzle: Any, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
        if "paths" in data:
            verifying.only(data, ("paths",), "a number of paths")
            return verifying.number_of_paths(puzzle, verifying.claim(data, "paths", int), time_limit)
        return verifying.plan(puzzle, data, time_limit, lambda: reason(puzzle))

    def shortest(puzzle: Any, time_limit: float | None = None) -> float | None:
        """The length of a shortest plan, infinite when there is none; None when breadth-first search takes too long."""
        found = search.bfs(puzzle, time_limit=verifying.SECONDS if time_limit is None else time_limit)
        return float("inf") if found.status is Status.INFEASIBLE else len(found.moves) if found else None

    def promised(puzzle: Any, time_limit: float | None = None) -> Findings:
        """That an instance that was made has a plan."""
        length = shortest(puzzle, time_limit)
        if length is None:
            return Findings((), ("that there is a plan: too many states for breadth-first search",))
        if length == float("inf"):
            raise Refuted(f"there is no plan: {reason(puzzle)}")
        return Findings((f"there is a plan, of {counted(int(length), 'move')}: breadth-first search",))

    board: Interaction = more.pop("interaction", Interaction())
    generator: Generator | None = more.pop("generator", None)
    reason: Callable[[Any], str] = more.pop("reason", why_none)
    return Game(
        name,
        title,
        solve=solve,
        count=count,
        every=every,
        animated=True,
        verify=verify,
        verifies={"compare": shortest},
        generator=None if generator is None else replace(generator, promised=promised),
        watch=watch,
        solve_options=(Option("prolog", "The answer as the original prints it; with --all, ; after each and false at the end.", bool),),
        methods=more.pop("methods", _methods),
        draw=lambda puzzle: library().draw(puzzle),
        writers={"prolog": lambda puzzle: str(puzzle.to_prolog()), "drawing": str, "text": lambda puzzle: str(puzzle.to_text())},
        interaction=replace(board, write=lambda puzzle: Instance(str(puzzle.to_prolog())), every_best=every_best),
        **more,
    )


def reason_of(route: Route[Any]) -> str:
    """Why a route has no plan; "" where nothing stands in its way."""
    route.prepare()
    return route.reason()


def listed_too(number: int, paths: Iterator[Any], deadline: Deadline) -> Check:
    """Compares a number of paths with those that are listed, if they are few and the time is enough: SolverError if it is another.

    >>> listed_too(2, iter("ab"), Deadline(None)).note
    'checked by listing: the same 2 paths, one by one'
    """
    until = Deadline(min(SECONDS, deadline.remaining()))
    found = 0
    for _ in paths:
        found += 1
        if found > number:
            raise SolverError(f"{number:,} paths were counted, and more than that are listed")
        if until.passed():
            return Check(note=f"too large for a check by listing: {found:,} paths within {until.given()}")
    if found < number:
        raise SolverError(f"{number:,} paths were counted, and {found:,} are listed")
    return Check("listing", f"checked by listing: the same {counted(number, 'path')}, one by one")


def recounted(number: int, puzzle: Any, deadline: Deadline) -> Check:
    """Compares a number of paths with that of the second engine, if the time is enough: SolverError if it is another.

    >>> from cpsolve.puzzles.garden import Garden
    >>> recounted(2, Garden("S.\\n.E"), Deadline(None)).note
    'checked by recount: the same 2 paths, through the states that the rules give'
    """
    until = Deadline(min(RECOUNT_SECONDS, deadline.remaining()))
    try:
        with until.watched():
            found = recount(puzzle, until)
    except LimitError as limit:
        return Check(note=f"too large for a check by recount: {limit}")
    if found != number:
        raise SolverError(f"{number:,} paths were counted, and {found:,} when they were counted once more")
    return Check("recount", f"checked by recount: the same {counted(number, 'path')}, through the states that the rules give")


def watched(route: Any, method: str, time_limit: float | None) -> tuple[Plan[Any], list[Any]]:
    """What a search answers, and the states that it looked at, in order."""
    from cpsolve.drawing.searches import MOST_STATES, watch
    from cpsolve.puzzles.walks import SEARCHES

    limits: dict[str, Any] = {"max_states": MOST_STATES, "time_limit": time_limit}
    if method == "astar":
        return watch(route.puzzle, partial(search.astar, heuristic=route.heuristic(), **limits))
    if method not in SEARCHES:
        raise ModelError(f"only a search can be watched, {', '.join(SEARCHES)}: {method!r} looks at no states")
    return watch(route.puzzle, partial(search.dfs if method == "dfs" else search.bfs, **limits))

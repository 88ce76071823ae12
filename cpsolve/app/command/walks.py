"""``cpsolve solve pacman`` and ``cpsolve solve busy-police``: plans, all paths or their number, and the walk on the terminal."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import typer

from cpsolve.app.command.outcome import LIMIT_REACHED, NO_SOLUTION, SOLVED, name_of, note, pair, read, reading
from cpsolve.app.command.request import Request
from cpsolve.app.command.screen import animate, deliver, duration, give, say, working
from cpsolve.words import counted

if TYPE_CHECKING:
    from cpsolve.drawing import Picture
    from cpsolve.puzzles.plans import Plan, Walk

DELAY = 0.25
"""Seconds between two moves of an animated walk."""


def solve_walk(request: Request) -> int:
    """Answers a request; returns the exit code."""
    from models import busy_police, pacman

    module: Any = pacman if request.name == "pacman" else busy_police
    instance = _board(request) if request.name == "pacman" else _scene(request)
    if request.count:
        return _count(request, module, instance)
    if request.every:
        return _list(request, module, instance)
    with working(f"solving {request.name}"):
        plan = module.solve(instance, request.method or "auto", request.time_limit)
    if request.animate and plan:
        frames = (module.draw(instance, plan, step=number) for number in range(len(plan.states)))
        animate(frames, DELAY if request.delay is None else request.delay)
        say(summary(plan))
        return SOLVED
    deliver(
        request.svg,
        request.as_json,
        picture=lambda: cast("Picture", module.draw(instance, plan)),
        data=lambda: {"game": request.name, **plan_data(plan)},
        sentences=lambda: [summary(plan)] if plan else [],  # the picture tells why there is none
    )
    return code(plan)


def _board(request: Request) -> Any:
    from models.pacman import BOARDS, Board

    if request.source is None or request.source in BOARDS:
        return BOARDS[request.source or "seed"]
    text = read(request.source, BOARDS)
    with reading(name_of(request.source)):
        return Board.from_prolog(text)


def _scene(request: Request) -> Any:
    from models.busy_police import SCENES, Scene

    officer = None if request.officer is None else pair(request.officer, "--officer", "COLUMN,FLOOR")
    fugitive = None if request.fugitive is None else pair(request.fugitive, "--fugitive", "COLUMN,FLOOR")
    if request.source is None or request.source in SCENES:
        source = request.source or "evidencias"
        text = SCENES[source].to_prolog()
    else:
        source = request.source
        text = read(source, SCENES)
    with reading(name_of(source)):
        return Scene.from_prolog(text, officer, fugitive)


def plan_data(plan: Walk[Any]) -> dict[str, Any]:
    """A plan as plain data.

    >>> from models.pacman import BOARDS, solve
    >>> data = plan_data(solve(BOARDS["seed"]))
    >>> data["status"], data["cost"], data["cells"][0]
    ('optimal', 14, [0, 0])
    """
    return {
        "status": plan.status.value,
        "cost": plan.cost,
        "bound": plan.bound,
        "moves": [str(move) for move in plan.moves],
        "cells": [list(cell) for cell in plan.cells],
        "reason": plan.reason or None,
        "method": plan.stats.get("method"),
        "states": plan.stats.get("states"),
        "seconds": plan.stats.get("wall_time"),
    }


def summary(plan: Plan[Any]) -> str:
    """What the picture of a plan does not tell: how it was found, or why there is none.

    >>> from models.busy_police import Scene, solve
    >>> summary(solve(Scene(3, 2, [], [], officer=(1, 1), fugitive=(1, 2))))
    'no plan: the fugitive (1, 2) cannot be reached: no ladder leads to floor 2'
    """
    if not plan:
        return f"{'no plan' if code(plan) == NO_SOLUTION else 'unknown'}: {plan.reason}"
    told = f"found by {plan.stats['method']} in {duration(plan.stats['wall_time'])}, replayed by the rules"
    return told if plan.optimal else f"{told}; it need not be the shortest"


def code(plan: Plan[Any]) -> int:
    """The exit code of a plan: found, proven impossible, or not known."""
    if plan:
        return SOLVED
    return NO_SOLUTION if plan.status.value == "infeasible" else LIMIT_REACHED


def _count(request: Request, module: Any, instance: Any) -> int:
    with working(f"counting the paths of {request.name}"):
        number = module.count_paths(instance, time_limit=request.time_limit)
    if request.as_json:
        give({"game": request.name, "paths": number})
    else:
        say(counted(number, "acyclic path"))
    return SOLVED if number else NO_SOLUTION


def _list(request: Request, module: Any, instance: Any) -> int:
    """Every acyclic path as it is found: a line each, or the elements of one JSON list."""
    from cpsolve.limits import Deadline

    deadline = Deadline(request.time_limit)
    given = 0
    stopped = False
    with closing(module.paths(instance)) as found:
        for plan in islice(found, request.most):
            if deadline.passed():
                stopped = True
                break
            given += 1
            if request.as_json:
                typer.echo(("[\n" if given == 1 else ",\n") + json.dumps(plan_data(plan)), nl=False)
            else:
                typer.echo(f"{len(plan.moves)}: {', '.join(map(str, plan.moves))}")
    if request.as_json:
        typer.echo("\n]" if given else "[]")
    if stopped:
        note(f"the time limit of {request.time_limit:g} s passed after {counted(given, 'path')}")
        return LIMIT_REACHED
    if not given and not request.as_json:
        say(summary(module.solve(instance)))
    return SOLVED if given else NO_SOLUTION

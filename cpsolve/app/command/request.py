"""What ``cpsolve solve`` was asked for: the options of all games in one value, and a check that the game has those that were given."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cpsolve.app.command.options import GAMES, WALKS, methods
from cpsolve.app.command.outcome import BadInput


@dataclass(frozen=True)
class Request:
    """The options of ``cpsolve solve``; an option that was not given has the value it has here."""

    name: str
    source: str | None = None
    method: str | None = None
    time_limit: float | None = None
    every: bool = False
    count: bool = False
    most: int | None = None
    animate: bool = False
    delay: float | None = None
    officer: str | None = None
    fugitive: str | None = None
    mines: int | None = None
    rows: int | None = None
    columns: int | None = None
    seed: int | None = None
    svg: str | None = None
    as_json: bool = False


_ONLY: dict[str, tuple[str, ...]] = {
    "every": WALKS,
    "count": (*WALKS, "minesweeper"),
    "most": WALKS,
    "animate": WALKS,
    "delay": WALKS,
    "officer": ("busy-police",),
    "fugitive": ("busy-police",),
    "mines": ("minesweeper",),
    "rows": ("minesweeper",),
    "columns": ("minesweeper",),
    "seed": ("minesweeper",),
}
"""The games that have an option; every game has the others."""

_EXCLUDES = {"every": ("count", "animate", "svg"), "count": ("animate", "svg"), "animate": ("as_json", "svg")}


def check(request: Request) -> None:
    """BadInput for an option that the game does not have, a method that it does not know, or options that exclude each other.

    >>> check(Request("center", animate=True))
    Traceback (most recent call last):
    cpsolve.app.command.outcome.BadInput: center has no --animate: pacman, busy-police have
    """
    for field in fields(Request):
        games = _ONLY.get(field.name, GAMES)
        if getattr(request, field.name) not in (None, False) and request.name not in games:
            raise BadInput(f"{request.name} has no {_flag(field.name)}: {', '.join(games)} {'has' if len(games) == 1 else 'have'}")
    if request.method is not None and request.method not in methods(request.name):
        raise BadInput(f"{request.name} has no method {request.method!r}; it has {', '.join(methods(request.name))}")
    if request.time_limit is not None and not request.time_limit >= 0:
        raise BadInput(f"--time-limit takes seconds, 0 or more, not {request.time_limit:g}")
    for one, others in _EXCLUDES.items():
        for other in others:
            if getattr(request, one) not in (None, False) and getattr(request, other) not in (None, False):
                raise BadInput(f"give {_flag(one)} or {_flag(other)}, not both")
    if request.method is not None and (request.every or request.count) and request.name in WALKS:
        raise BadInput("--all and --count have one method of their own: leave --method out")
    for only, needed in (("most", "every"), ("delay", "animate")):
        if getattr(request, only) is not None and not getattr(request, needed):
            raise BadInput(f"{_flag(only)} needs {_flag(needed)}")


def _flag(name: str) -> str:
    return {"every": "--all", "as_json": "--json"}.get(name, f"--{name.replace('_', '-')}")

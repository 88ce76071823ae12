"""The registry of backends. A backend's solver is imported when it is first used, not before."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import cast

from cpsolve.errors import UnsupportedError
from cpsolve.solvers.base import Backend, Capabilities

EVERY_CONSTRAINT = (
    "comparison",
    "and",
    "or",
    "not",
    "xor",
    "implies",
    "all_different",
    "table",
    "element",
    "circuit",
    "at_most_one",
    "exactly_one",
    "maximum",
    "minimum",
    "absolute",
    "automaton",
)

_KNOWN = {
    "cpsat": (
        "ortools",
        ("solve", "optimise", "solutions", "backbone", "explain", "conflict"),
        "The default: proves optimality, enumerates, explains.",
    ),
    "python-constraint": (
        "python-constraint2",
        ("solve", "optimise", "solutions"),
        "Plain backtracking in Python, for small checks.",
    ),
    "diagram": (
        "cpsolve",
        ("solve", "optimise", "solutions", "count", "count_by", "marginals", "distribution", "sample", "backbone"),
        "Exact counting by decision diagrams, for models that can be cut into narrow layers.",
    ),
}
DEFAULT = "cpsat"


def backends() -> dict[str, Capabilities]:
    """The installed backends by name, with what each supports.

    >>> list(backends())
    ['cpsat', 'python-constraint', 'diagram']
    >>> "count" in backends()["diagram"].questions
    True
    """
    found = {}
    for name, (package, questions, note) in _KNOWN.items():
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
        found[name] = Capabilities(name, package, version, questions, EVERY_CONSTRAINT, note)
    return found


def backend(name: str | None) -> Backend:
    """The backend of that name (the default one for None)."""
    name = DEFAULT if name is None else name
    if name not in _KNOWN:
        raise UnsupportedError(f"there is no backend {name!r}; there are {', '.join(map(repr, _KNOWN))}")
    return cast(Backend, importlib.import_module(f"cpsolve.solvers.{name.replace('-', '_')}"))

"""Who answers: the backends found through the entry-point group ``cpsolve.backends``, and the choice among them.

What a backend declares decides whether it is asked and what the error says. Its solver is imported when it is first asked.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import metadata
from typing import cast

from cpsolve.errors import UnsupportedError
from cpsolve.expressions import Expression
from cpsolve.limits import loading
from cpsolve.solvers.base import Backend, Capabilities

GROUP = "cpsolve.backends"


@cache
def _declared() -> dict[str, Capabilities]:
    """Every backend that some installed package declares, by rank; without a version where its solver is not installed."""
    found = []
    for point in metadata.entry_points(group=GROUP):
        try:
            declared = point.load()
        except Exception as error:  # a stranger's mistake must not take the other backends away
            warnings.warn(f"the backend {point.name!r} ({point.value}) cannot be loaded: {error!r}", RuntimeWarning, stacklevel=2)
            continue
        try:
            found.append(replace(declared, version=metadata.version(declared.package)))
        except metadata.PackageNotFoundError:
            found.append(replace(declared, version=""))
    return {declared.name: declared for declared in sorted(found, key=lambda each: (each.rank, each.name))}


def backends() -> dict[str, Capabilities]:
    """The installed backends by name, with what each supports.

    >>> [name for name in backends() if name in ("cpsat", "python-constraint", "diagram")]
    ['cpsat', 'python-constraint', 'diagram']
    >>> "count" in backends()["diagram"].questions
    True
    """
    return {name: declared for name, declared in _declared().items() if declared.version}


def backend(question: str, kinds: Iterable[type[Expression]] = (), name: str | None = None) -> Backend:
    """The backend of that name, or the best for the question and the kinds of constraints; UnsupportedError says who can.

    >>> backend("count").__name__
    'cpsolve.solvers.diagram'
    """
    used = list(kinds)
    if name is None:
        able = _able(question, used)
        if not able:
            raise UnsupportedError(_nobody(question, used))
        chosen = able[0]
    else:
        chosen = _named(name)
        if obstacle := _obstacle(chosen, question, used):
            raise UnsupportedError(f"{name} {obstacle}; {_who(question, used)}")
    with loading():
        return cast(Backend, importlib.import_module(chosen.module))


def _named(name: str) -> Capabilities:
    if name not in _declared():
        raise UnsupportedError(f"there is no backend {name!r}; there are {', '.join(map(repr, backends()))}")
    chosen = _declared()[name]
    if not chosen.version:
        raise UnsupportedError(
            f"the backend {name!r} needs the package {chosen.package}, which is not installed: pip install {chosen.package}; "
            f"installed are {', '.join(map(repr, backends()))}"
        )
    return chosen


def _able(question: str, kinds: list[type[Expression]]) -> list[Capabilities]:
    """The installed backends that can answer, best first."""
    able = [declared for declared in backends().values() if _obstacle(declared, question, kinds) is None]
    names = [question, *(kind.kind for kind in kinds)]
    return sorted(able, key=lambda declared: (not any(name in declared.best_for for name in names), declared.rank))


def _obstacle(declared: Capabilities, question: str, kinds: list[type[Expression]]) -> str | None:
    """Why a backend cannot answer, if it cannot."""
    if question not in declared.questions:
        return f"does not answer {question!r}"
    for kind in kinds:
        if kind.kind not in declared.constraints and not kind.decomposes:
            return f"has no form for {kind.kind}, which has no decomposition"
    return None


def _who(question: str, kinds: list[type[Expression]]) -> str:
    able = [repr(declared.name) for declared in _able(question, kinds)]
    return f"use the backend {' or '.join(able)}" if able else _nobody(question, kinds)


def _nobody(question: str, kinds: list[type[Expression]]) -> str:
    if not backends():
        return f"no backend is installed: the group {GROUP!r} has no entry points; install cpsolve with pip"
    absent = [each for each in _declared().values() if not each.version and _obstacle(each, question, kinds) is None]
    names = ", ".join(sorted({kind.kind for kind in kinds})) or "no constraint"
    hint = "".join(f"; {each.name} does: pip install {each.package}" for each in absent)
    return f"no installed backend answers {question!r} for a model with {names}{hint}"

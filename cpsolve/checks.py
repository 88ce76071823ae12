"""Second opinions: an answer compared with that of an independent backend.

Every solution is checked by its constraints before anyone sees it; what they cannot tell is whether a better one exists, or one at all.
Here the same model is answered once more: by python-constraint where its plain search ends soon, else by the diagram where the model is
narrow, else by CP-SAT with little presolve, which shares its search with the default backend and is therefore named in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cpsolve.errors import DiagramTooWide, LimitError, SolverError, UnsupportedError
from cpsolve.limits import Deadline

if TYPE_CHECKING:
    from cpsolve.expressions import Variable
    from cpsolve.model import Model
    from cpsolve.results import Result

SECONDS = 5.0
"""How long a second opinion may take when nobody says."""
MOST_VALUES = 2_000
"""Plain backtracking is not tried on models with more values than this in all domains together."""


@dataclass(frozen=True)
class Check:
    """What became of a check: the independent ``backend`` that gave the same answer ("" if none did), and a ``note`` of one line.

    >>> Check("diagram", "checked by diagram: the same optimum 18").backend
    'diagram'
    """

    backend: str = ""
    note: str = ""


NOT_CHECKED = Check()


@dataclass(frozen=True)
class _Opinion:
    """Whom to ask: the name people see, the backend behind it, its share of the time left, and its options."""

    name: str
    backend: str
    share: float
    options: dict[str, Any]


_OPINIONS = (
    _Opinion("python-constraint", "python-constraint", 0.25, {}),
    _Opinion("diagram", "diagram", 0.5, {"max_nodes": 200_000}),
    _Opinion("cpsat with little presolve", "cpsat", 1.0, {"max_presolve_iterations": 1, "random_seed": 1}),
)


def second_opinion(model: Model, result: Result, time_limit: float = SECONDS) -> Check:
    """Answers the same model by a backend that did not give ``result`` and compares the two: SolverError when they differ.

    An optimum must be the other's optimum, and "infeasible" must be infeasible; a solution that is not proven best must not beat the
    other's optimum, nor its bound exclude it.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x, y = m.int_vars(2, 0, 9, name="x")
    >>> _ = m.add(x + 2 * y <= 10)
    >>> m.maximize(2 * x + 3 * y)
    >>> second_opinion(m, m.solve()).note
    'checked by python-constraint: the same optimum 19'
    """
    from cpsolve.results import Status

    deadline = Deadline(time_limit)
    if result.status is Status.UNKNOWN:
        return Check(note="not checked: there is no answer yet")
    answered = str(result.stats.get("backend", ""))
    tried = []
    for opinion in _OPINIONS:
        if opinion.name == answered:
            continue
        if opinion.backend == "python-constraint" and (values := sum(v.hi - v.lo + 1 for v in model.variables)) > MOST_VALUES:
            tried.append(f"too large for a check by python-constraint: {values:,} values in all domains")
            continue
        seconds = opinion.share * deadline.remaining()
        try:
            other = model.copy().solve(backend=opinion.backend, time_limit=seconds, options=opinion.options)
        except (DiagramTooWide, UnsupportedError) as error:
            tried.append(f"too large for a check by {opinion.name}: {error}")
            continue
        _compare(model, result, other, answered or "the answer", opinion.name)
        if other.status in (Status.OPTIMAL, Status.INFEASIBLE):
            return Check(opinion.name, f"checked by {opinion.name}: {_agreement(result, other)}")
        tried.append(f"too large for a check by {opinion.name}: no proof within {seconds:.2g} s")
    return Check(note="; ".join(tried))


MOST_LISTED = 10_000
"""A number of solutions up to which a check lists them."""


def second_count(model: Model, over: Sequence[Variable] | None, number: int, time_limit: float = SECONDS) -> Check:
    """Counts once more by another engine, where there is one that ends in time: SolverError when the numbers differ.

    Few solutions are listed by CP-SAT; more are counted by Ganak, where it is installed.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> _ = m.int_vars(2, 0, 2)
    >>> second_count(m, None, 9).note
    'checked by cpsat: the same number, 9'
    """
    from cpsolve.solvers import backends

    twin = model.copy()
    name = "cpsat" if number <= MOST_LISTED else "ganak"
    if name not in backends():
        return Check(
            note=f"too many solutions for a check: at most {MOST_LISTED:,} are listed, and ganak, which counts more, is not installed"
        )
    try:
        if name == "ganak":
            other = twin.count(over, backend=name, time_limit=time_limit)
        else:
            found = twin.solutions(over, limit=number + 1, time_limit=time_limit, backend=name)
            other = sum(1 for _ in found)
            if other <= number and not found.complete:
                return Check(note=f"too large for a check by {name}: {other:,} solutions listed within {time_limit:.2g} s")
    except (LimitError, UnsupportedError) as error:
        return Check(note=f"too large for a check by {name}: {error}")
    if other != number:
        raise SolverError(f"{number:,} solutions were counted of {model!r}, and {name} finds {other:,}; please report this with the model")
    return Check(name, f"checked by {name}: the same number, {number:,}")


def _agreement(result: Result, other: Result) -> str:
    """What two answers that do not differ have in common."""
    if other.solution is None:
        return "no solution either"
    if other.objective is None:
        return "a solution too"
    return f"the same optimum {other.objective}" if result.objective == other.objective else f"the optimum is {other.objective}"


def _compare(model: Model, result: Result, other: Result, first: str, second: str) -> None:
    """Raises SolverError if not both answers can be true; either may be cut short by a limit."""
    from cpsolve.results import Status

    for claim, witness in ((result, other), (other, result)):
        refuted = claim.status is Status.INFEASIBLE and witness.solution is not None
        if claim.bound is not None and witness.objective is not None:  # nothing may be better than what was proven
            refuted = refuted or model.sense * witness.objective < model.sense * claim.bound
        if refuted:
            both = f"{first}: {_told(result)}\n{second}: {_told(other)}"
            raise SolverError(f"two solvers contradict each other on {model!r}; please report this with the model:\n{both}")


def _told(result: Result) -> str:
    value = "" if result.objective is None else f", objective {result.objective}, bound {result.bound}"
    return f"{result.status.name}{value}, {result.solution or 'no solution'}"

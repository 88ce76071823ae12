"""What comes back: the four states of an answer, solutions, and iterators over them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from cpsolve.checks import NOT_CHECKED, Check
from cpsolve.errors import ModelError, SolverError
from cpsolve.expressions import Constraint, Expression, Variable, scope

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint


class Status(enum.Enum):
    """How a solve ended. A limit that was reached is UNKNOWN or FEASIBLE, never INFEASIBLE."""

    OPTIMAL = "optimal"
    """A best solution, proven; without an objective, any solution."""
    FEASIBLE = "feasible"
    """A solution, not proven best."""
    INFEASIBLE = "infeasible"
    """Proven: there is no solution."""
    UNKNOWN = "unknown"
    """Neither a solution nor a proof was found within the limits."""


class Solution(Mapping[Variable, int]):
    """An immutable assignment of integers to variables.

    Index it with a variable, any expression, or an array or list of them.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars(2, 1, 1, name="x")
    >>> s = m.solve().solution
    >>> s[x], s[x[0] + 5], s[x[0] == x[1]], s
    (array([1, 1]), 6, True, Solution(x[0]=1, x[1]=1))
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[Variable, int]) -> None:
        self._values = dict(values)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Variable):
            try:
                return self._values[key]
            except KeyError:
                raise ModelError(f"{key} is not part of this solution: it has {self._names()}") from None
        if isinstance(key, Expression):
            if absent := [variable for variable in scope(key) if variable not in self._values]:
                raise ModelError(f"{absent[0]} is not part of this solution: it has {self._names()}")
            value = key.value(self._values)
            return bool(value) if isinstance(key, Constraint) else int(value)
        if isinstance(key, np.ndarray):
            flat = [self[item] if isinstance(item, Expression) else item for item in key.ravel().tolist()]
            return np.array(flat, dtype=np.int64).reshape(key.shape)
        if isinstance(key, list | tuple):
            return [self[item] if isinstance(item, Expression | np.ndarray | list | tuple) else item for item in key]
        raise ModelError(f"a solution is indexed by variables and expressions, not by {key!r}")

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, Variable) and key in self._values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return len(self) == len(other) and all(other._values.get(v) == value for v, value in self._values.items())

    def __hash__(self) -> int:
        return hash(frozenset((id(variable), value) for variable, value in self._values.items()))

    def _names(self, most: int = 12) -> str:
        shown = [f"{variable}={value}" for variable, value in list(self._values.items())[:most]]
        return ", ".join(shown + ["…"] * (len(self) > most)) or "no variables"

    def __repr__(self) -> str:
        return f"Solution({self._names() if self._values else ''})"


class TableRow(Solution):
    """A solution among many that share one table: column i holds the values of the i-th variable. Its mapping is made when first read."""

    __slots__ = ("_made", "row", "table", "variables")

    def __init__(self, variables: Sequence[Variable], table: np.ndarray[Any, Any], row: int) -> None:
        self.variables = variables
        self.table = table
        self.row = row
        self._made: dict[Variable, int] | None = None

    @property
    def _values(self) -> dict[Variable, int]:  # type: ignore[override]
        if self._made is None:
            self._made = dict(zip(self.variables, self.table[self.row].tolist(), strict=True))
        return self._made

    def __reduce__(self) -> tuple[Any, ...]:
        return Solution, (self._values,)


@dataclass(frozen=True)
class Result:
    """The answer of ``Model.solve``: read ``status`` first; ``solution`` is None unless it is OPTIMAL or FEASIBLE.

    ``objective`` is the value of the solution, ``bound`` what no solution can beat; both are None without an objective.
    ``stats`` tells at least ``backend`` and ``wall_time`` (seconds); ``check`` what became of the second opinion, if one was asked for.
    """

    status: Status
    solution: Solution | None = None
    objective: int | None = None
    bound: int | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)
    check: Check = NOT_CHECKED
    model: Model | None = field(default=None, repr=False, compare=False)
    """Of an infeasible answer the model as it was asked, for :meth:`conflict`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stats", MappingProxyType(dict(self.stats)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Result, (self.status, self.solution, self.objective, self.bound, dict(self.stats), self.check, self.model)

    @property
    def checked(self) -> str:
        """The independent backend that gave the same answer; "" if none was asked or none could tell."""
        return self.check.backend

    @property
    def proof(self) -> str:
        """Who proved what the status says, in a few words; "" where nothing was proven.

        >>> import cpsolve as cp
        >>> m = cp.Model()
        >>> x = m.int_var(0, 9, "x")
        >>> m.solve().proof, m.minimize(x), m.solve().proof
        ('the solution meets every constraint', None, 'cpsat proved that no solution is better than 0')
        >>> _ = m.add(x > 9)
        >>> m.solve().proof
        'cpsat found that the constraints cannot all hold; conflict() tells which'
        """
        backend = self.stats.get("backend", "the solver")
        if self.status is Status.INFEASIBLE:
            return f"{backend} found that the constraints cannot all hold; conflict() tells which"
        if self.status is not Status.OPTIMAL:
            return ""
        return (
            "the solution meets every constraint"
            if self.bound is None
            else f"{backend} proved that no solution is better than {self.bound}"
        )

    def conflict(
        self, *, time_limit: float | None = None, max_memory: int | None = None, backend: str | None = None
    ) -> list[NamedConstraint]:
        """A minimal list of constraints that cannot all hold, worked out now; [] when there is a solution.

        It is :meth:`Model.conflict` of the model as it was asked, whatever was added since. ModelError when it is not known whether
        there is a solution.

        >>> import cpsolve as cp
        >>> m = cp.Model()
        >>> x = m.int_var(0, 9, "x")
        >>> _ = m.add(x > 5, name="high"), m.add(x != 7, name="odd one"), m.add(x < 3, name="low")
        >>> m.solve().conflict()
        [<high: x > 5>, <low: x < 3>]
        """
        if self.solution is not None:
            return []
        if self.status is not Status.INFEASIBLE or self.model is None:
            raise ModelError(f"a result that is {self.status.value} has no conflict: ask model.conflict()")
        found = self.model.conflict(time_limit=time_limit, max_memory=max_memory, backend=backend)
        if not found:
            names = self.stats.get("backend", "the solver")
            raise SolverError(f"{names} found no solution, and yet the constraints can all hold; please report this: {self.model!r}")
        return found

    @property
    def gap(self) -> float | None:
        """How far the objective may be from the best, relative to itself; 0 when proven, None when not known."""
        if self.objective is None or self.bound is None:
            return None
        distance = abs(self.objective - self.bound)
        return distance / max(1, abs(self.objective))


class Solutions(Iterator[Solution]):
    """A lazy iterator over solutions, each once.

    ``complete`` tells whether the iterator has given all there are: False until the end, and False for good when a limit
    cut it short. ``close()`` stops the work behind it; leaving a loop early does too.
    """

    def __init__(
        self,
        source: Generator[Solution, None, bool],
        limit: int | None = None,
        check: Callable[[Solution], None] | None = None,
    ) -> None:
        self._source = source
        self._left = limit
        self._check = check
        self.complete = False

    def __next__(self) -> Solution:
        if self._left is not None and self._left <= 0:
            self.close()
            raise StopIteration
        try:
            solution = next(self._source)
        except StopIteration as end:
            self.complete = self.complete or end.value is True
            raise StopIteration from None
        if self._check is not None:
            self._check(solution)
        if self._left is not None:
            self._left -= 1
        return solution

    def close(self) -> None:
        """Stops the search behind this iterator."""
        self._source.close()

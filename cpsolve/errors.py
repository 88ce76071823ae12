"""Every error that cpsolve raises on purpose.

All share the root :class:`CPSolveError`; each also derives from the built-in error that a Python programmer would have
expected (``ValueError``, ``TypeError``, …), so both styles of ``except`` work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint
    from cpsolve.results import Solution


LONGEST = 600
"""The longest message about a text, in characters."""


class CPSolveError(Exception):
    """The root of all errors of cpsolve."""


class ModelError(CPSolveError, ValueError):
    """A model that cannot be: an empty domain, a foreign variable, a float coefficient, a sum beyond 64 bits."""


class AmbiguousError(ModelError):
    """Clues that are to determine a solution admit another one, all of them together."""


class SymbolicTruthError(CPSolveError, TypeError):
    """An expression was used where Python needs a plain True or False."""


class UnsupportedError(CPSolveError, NotImplementedError):
    """The chosen backend cannot do this; the message names one that can."""


class LimitError(CPSolveError):
    """A limit was met before a question that has no partial answer was answered."""


class TimeLimitError(LimitError, TimeoutError):
    """The time limit passed before a question that has no partial answer was answered."""


class MemoryLimitError(LimitError, MemoryError):
    """A question that has no partial answer takes more memory than it was allowed."""


class InfeasibleError(CPSolveError):
    """A question that needs at least one solution was asked of a model that has none.

    ``conflict`` lists constraints that cannot all hold, where they are known.
    """

    def __init__(self, message: str, conflict: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.conflict: list[Any] = list(conflict)

    @classmethod
    def of(cls, model: Model) -> InfeasibleError:
        """The error for a question that needs a solution of this model."""
        return cls(f"{model!r} has no solution; model.conflict() tells which constraints cannot all hold")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.conflict)


class NotImpliedError(CPSolveError):
    """The fact to explain does not follow: ``counterexample`` is a solution in which it fails."""

    def __init__(self, message: str, counterexample: Solution) -> None:
        super().__init__(message)
        self.counterexample = counterexample

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.counterexample)


class DiagramTooWide(MemoryLimitError):
    """Exact counting would need more nodes or memory than its budget: ``width`` is the widest layer met, ``budget`` the limit."""

    def __init__(self, message: str, width: int, budget: int) -> None:
        super().__init__(message)
        self.width = width
        self.budget = budget

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.width, self.budget)


class IllegalMoveError(CPSolveError, ValueError):
    """A move that the rules of a game or puzzle do not allow, or moves that miss the goal; the message shows the state."""


class SolverError(CPSolveError, RuntimeError):
    """A broken promise: an answer that its own constraints (``broken``) or rules refuse, or another solver refutes. Never a result."""

    def __init__(self, message: str, broken: Sequence[NamedConstraint] = ()) -> None:
        super().__init__(message)
        self.broken = list(broken)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.broken)


class FormatError(CPSolveError, ValueError):
    """Text that cannot be read: says where (``line`` and ``column``, from 1) and what was expected.

    What was found is quoted in part when it is long: half a file would bury what is said of it.

    >>> len(str(FormatError(f"expected a fact, found {'x' * 100_000}")))
    621
    """

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        if len(message) > LONGEST:
            message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.line, self.column)

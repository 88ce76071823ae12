"""cpsolve: one constraint model, asked many questions.

import cpsolve as cp

m = cp.Model("magic square")
x = m.int_vars((3, 3), 1, 9, name="x")
m.add(cp.all_different(x), name="all different")
m.add(x.sum(axis=0) == 15, name="columns")
m.add(x.sum(axis=1) == 15, name="rows")
m.solve().solution[x], m.count(), m.sample(3), m.backbone(), m.conflict()
"""

from cpsolve.arrays import ExpressionArray
from cpsolve.constraints import (
    absolute,
    all_different,
    all_of,
    any_of,
    at_most_one,
    automaton,
    circuit,
    element,
    exactly_one,
    maximum,
    minimum,
    table,
)
from cpsolve.errors import (
    CPSolveError,
    DiagramTooWide,
    FormatError,
    IllegalMoveError,
    InfeasibleError,
    ModelError,
    NotImpliedError,
    SolverError,
    SymbolicTruthError,
    TimeLimitError,
    UnsupportedError,
)
from cpsolve.expressions import Constraint, Expression, Variable, array
from cpsolve.model import Model, NamedConstraint
from cpsolve.results import Result, Solution, Solutions, Status
from cpsolve.solvers import backends
from cpsolve.solvers.base import Capabilities

__all__ = [
    "CPSolveError",
    "Capabilities",
    "Constraint",
    "DiagramTooWide",
    "Expression",
    "ExpressionArray",
    "FormatError",
    "IllegalMoveError",
    "InfeasibleError",
    "Model",
    "ModelError",
    "NamedConstraint",
    "NotImpliedError",
    "Result",
    "Solution",
    "Solutions",
    "SolverError",
    "Status",
    "SymbolicTruthError",
    "TimeLimitError",
    "UnsupportedError",
    "Variable",
    "absolute",
    "all_different",
    "all_of",
    "any_of",
    "array",
    "at_most_one",
    "automaton",
    "backends",
    "circuit",
    "element",
    "exactly_one",
    "maximum",
    "minimum",
    "table",
]
__version__ = "0.1.0"

"""cpsolve: one constraint model, asked many questions.

import cpsolve as cp

m = cp.Model("magic square")
x = m.int_vars((3, 3), 1, 9, name="x")
m.add(cp.all_different(x), name="all different")
m.add(x.sum(axis=0) == 15, name="columns")
m.add(x.sum(axis=1) == 15, name="rows")
m.solve().solution[x], m.count(), m.sample(3), m.backbone(), m.conflict()

A name is loaded from its module when it is first used, so that ``import cpsolve`` and the command line start at once. No module
of the package may have the name of a public function: importing it would hide the function.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpsolve.arrays import ExpressionArray
    from cpsolve.constraints import (
        absolute,
        all_different,
        all_of,
        among,
        any_of,
        at_least,
        at_most_one,
        automaton,
        cardinality,
        circuit,
        count,
        element,
        exactly_one,
        increasing,
        inverse,
        lex_less,
        maximum,
        minimum,
        table,
    )
    from cpsolve.errors import (
        AmbiguousError,
        CPSolveError,
        DiagramTooWide,
        FormatError,
        IllegalMoveError,
        InfeasibleError,
        LimitError,
        MemoryLimitError,
        ModelError,
        NotImpliedError,
        SolverError,
        SymbolicTruthError,
        TimeLimitError,
        UnsupportedError,
    )
    from cpsolve.expressions import Constraint, Expression, Variable, array
    from cpsolve.graphs import Graph, acyclic, connected, graph, grid, grid_edges, loop, path, region_sizes, regions
    from cpsolve.model import Model, NamedConstraint
    from cpsolve.results import Result, Solution, Solutions, Status
    from cpsolve.scheduling import Interval, cumulative, interval, no_overlap
    from cpsolve.solvers import backends
    from cpsolve.solvers.base import Capabilities

_NAMES = {
    "cpsolve.arrays": "ExpressionArray",
    "cpsolve.constraints": "absolute all_different all_of among any_of at_least at_most_one automaton cardinality circuit count element "
    "exactly_one increasing inverse lex_less maximum minimum table",
    "cpsolve.errors": "AmbiguousError CPSolveError DiagramTooWide FormatError IllegalMoveError InfeasibleError LimitError MemoryLimitError "
    "ModelError NotImpliedError SolverError SymbolicTruthError TimeLimitError UnsupportedError",
    "cpsolve.expressions": "Constraint Expression Variable array",
    "cpsolve.graphs": "Graph acyclic connected graph grid grid_edges loop path region_sizes regions",
    "cpsolve.model": "Model NamedConstraint",
    "cpsolve.results": "Result Solution Solutions Status",
    "cpsolve.scheduling": "Interval cumulative interval no_overlap",
    "cpsolve.solvers": "backends",
    "cpsolve.solvers.base": "Capabilities",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "AmbiguousError",
    "CPSolveError",
    "Capabilities",
    "Constraint",
    "DiagramTooWide",
    "Expression",
    "ExpressionArray",
    "FormatError",
    "Graph",
    "IllegalMoveError",
    "InfeasibleError",
    "Interval",
    "LimitError",
    "MemoryLimitError",
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
    "acyclic",
    "all_different",
    "all_of",
    "among",
    "any_of",
    "array",
    "at_least",
    "at_most_one",
    "automaton",
    "backends",
    "cardinality",
    "circuit",
    "connected",
    "count",
    "cumulative",
    "element",
    "exactly_one",
    "graph",
    "grid",
    "grid_edges",
    "increasing",
    "interval",
    "inverse",
    "lex_less",
    "loop",
    "maximum",
    "minimum",
    "no_overlap",
    "path",
    "region_sizes",
    "regions",
    "table",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'cpsolve' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

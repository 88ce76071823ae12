"""What the backends of this package declare. Entry points of the group ``cpsolve.backends`` lead here; no solver is loaded."""

from __future__ import annotations

from cpsolve.solvers.base import Capabilities

LOGIC = ("comparison", "and", "or", "not", "xor", "implies")
GLOBAL = ("all_different", "table", "circuit", "at_most_one", "exactly_one", "automaton")
FUNCTIONS = ("element", "maximum", "minimum", "absolute")
ARITHMETIC = ("product", "quotient", "remainder")
ORDERS = ("inverse", "lex_less", "no_overlap", "cumulative")
GRAPHS = ("loop", "path", "connected", "regions", "region_sizes", "acyclic")

CPSAT = Capabilities(
    name="cpsat",
    package="ortools",
    module="cpsolve.solvers.cpsat",
    questions=("solve", "optimise", "solutions", "backbone", "explain", "smallest", "conflict"),
    constraints=LOGIC + GLOBAL + FUNCTIONS + GRAPHS + ("product", "inverse", "no_overlap", "cumulative"),
    note="The default: proves optimality, enumerates, explains.",
    rank=0,
)
SAT = Capabilities(
    name="sat",
    package="python-sat",
    module="cpsolve.solvers.sat",
    questions=("solve", "optimise", "solutions", "backbone", "explain", "smallest", "conflict"),
    constraints=LOGIC + GLOBAL + FUNCTIONS + GRAPHS,
    note="Incremental SAT with lazily added cuts, for puzzles on graphs: loops, connected cells, regions.",
    rank=10,
    best_for=("smallest", *GRAPHS),
)
PYTHON_CONSTRAINT = Capabilities(
    name="python-constraint",
    package="python-constraint2",
    module="cpsolve.solvers.python_constraint",
    questions=("solve", "optimise", "solutions"),
    constraints=LOGIC + GLOBAL + FUNCTIONS + GRAPHS + ARITHMETIC + ORDERS,
    note="Plain backtracking in Python, for small checks.",
    rank=20,
)
DIAGRAM = Capabilities(
    name="diagram",
    package="cpsolve",
    module="cpsolve.solvers.diagram",
    questions=("solve", "optimise", "solutions", "count", "count_by", "marginals", "distribution", "sample", "backbone"),
    constraints=LOGIC + GLOBAL + FUNCTIONS + GRAPHS + ARITHMETIC,
    note="Exact counting by decision diagrams, for models that can be cut into narrow layers.",
    rank=30,
)
GANAK = Capabilities(
    name="ganak",
    package="pyganak",
    module="cpsolve.solvers.ganak",
    questions=("count",),
    constraints=LOGIC + GLOBAL + FUNCTIONS + GRAPHS + ARITHMETIC,
    note="Exact counting of models that are mostly clauses, of any width.",
    rank=40,
)

"""Ganak as a backend: exact counting of models that are mostly clauses (Sharma, Roy, Soos and Meel 2019).

The model is written as clauses (``counting.cnf``) and counted in a process of its own, so that a time limit and Ctrl-C end it at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cpsolve.counting.cnf import Formula
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits
from cpsolve.errors import ModelError, SolverError
from cpsolve.expressions import Variable
from cpsolve.limits import Deadline
from cpsolve.solvers.base import Search

if TYPE_CHECKING:
    from cpsolve.model import Model

GANAK = """
import json, sys, pyganak
task = json.load(sys.stdin)
counter = pyganak.Counter()
counter.new_vars(task["variables"])
counter.add_clauses(task["clauses"])
counter.set_sampling_set(task["counted"])
print(counter.count())
"""

APPROXMC = """
import json, sys, pyapproxmc
task = json.load(sys.stdin)
counter = pyapproxmc.Counter(seed=task["seed"], epsilon=task["epsilon"], delta=task["delta"])
counter.add_clauses(task["clauses"] + [[variable, -variable] for variable in range(1, task["variables"] + 1)])
cells, hashes = counter.count(task["counted"])
print(cells * 2**hashes)
"""


def count(model: Model, over: Sequence[Variable] | None, search: Search) -> int:
    """The number of solutions, or of assignments of ``over`` that some solution has."""
    options: dict[str, Any] = dict(search.options or {})
    limits = Limits(search.deadline, Memory(options.pop("max_memory", None)))
    stats = options.pop("stats", None)
    options.pop("max_nodes", None)
    if options:
        raise ModelError(f"ganak has no option {next(iter(options))!r}; it has 'max_memory'")
    if stats is not None:
        stats["engine"] = "ganak"
    return count_formula(Formula(model, over, limits), search.deadline)


def count_formula(formula: Formula, deadline: Deadline) -> int:
    """The number of assignments of a formula's counted variables that satisfy it."""
    return _ask(GANAK, formula, {}, deadline)


def approximate(model: Model, over: Sequence[Variable] | None, epsilon: float, delta: float, seed: int, limits: Limits) -> int:
    """About the number of solutions: within a factor of 1 + epsilon of it with probability 1 - delta or more (ApproxMC)."""
    task = {"epsilon": epsilon, "delta": delta, "seed": seed % 2**31}
    return _ask(APPROXMC, Formula(model, over, limits), task, limits.deadline)


def _ask(script: str, formula: Formula, task: dict[str, Any], deadline: Deadline) -> int:
    if [] in formula.clauses or not formula.factor:
        return 0
    if not formula.variables:
        return formula.factor
    if not formula.counted:  # only whether there is a solution
        formula.counted = [formula._new()]
        formula.clauses.append([formula.counted[0]])
    task |= {"variables": formula.variables, "clauses": formula.clauses, "counted": formula.counted}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            answer, errors = process.communicate(json.dumps(task), timeout=deadline.left())
        except subprocess.TimeoutExpired:
            deadline.fail("counting")
        finally:
            process.kill()
    if process.returncode:
        raise SolverError(f"the counter failed: {errors.strip().splitlines()[-1] if errors.strip() else process.returncode}", [])
    return int(answer.strip().splitlines()[-1]) * formula.factor

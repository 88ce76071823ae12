"""How many solutions: which engine counts which part of a model.

A part that is one circuit is counted by the frontier method, all others by the product of their automata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsolve.constraints import Circuit
from cpsolve.counting.paths import count_circuit
from cpsolve.counting.product import Limits, Part, count_ways, finish, outline

if TYPE_CHECKING:
    from cpsolve.model import Model


def count(model: Model, limits: Limits) -> int:
    """The number of solutions."""
    plan = outline(model, limits)
    if plan.impossible:
        return 0
    ways = 1
    for variable in plan.free:
        ways *= variable.hi - variable.lo + 1
    for part in plan.parts:
        ways *= _count_part(part, limits)
        if not ways:
            break
    return ways


def _count_part(part: Part, limits: Limits) -> int:
    if len(part.constraints) == 1 and isinstance(part.constraints[0], Circuit):
        circuits = count_circuit(part.constraints[0], limits.memory.limit, limits.deadline)
        if circuits is not None:
            return circuits
    ways: dict[int, int] = finish(count_ways(part, limits), limits)
    return sum(ways.values())

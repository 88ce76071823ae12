"""Who counts: the engines side by side, chosen by what each is expected to cost.

A model of 0/1 sums has an engine of its own. In others certain values are found first. A part that is one circuit is counted by the
frontier method. For any other the product of its automata and
a search with components are set to work in turns, so that a wrong estimate costs little: the one expected to be cheaper has a head start,
and whichever is done first gives the answer. Work that a narrow budget of memory stops leaves the other to go on alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import zip_longest
from math import inf, log10, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.constraints import Circuit, LazyConstraint
from cpsolve.counting import sums
from cpsolve.counting.kept import kept_of
from cpsolve.counting.memory import Memory
from cpsolve.counting.ordering import Slot
from cpsolve.counting.paths import count_circuit
from cpsolve.counting.product import (
    Component,
    Diagram,
    Limits,
    Outline,
    Part,
    compile_part,
    conditions,
    count_ways,
    finish,
    impossible,
    outline,
)
from cpsolve.counting.search import MOST_VARIABLES, Tables, clause_of
from cpsolve.errors import DiagramTooWide, ModelError, UnsupportedError
from cpsolve.expressions import Condition, Variable, scope
from cpsolve.limits import look, looking
from cpsolve.lower import conjuncts

if TYPE_CHECKING:
    from cpsolve.model import Model
    from cpsolve.solvers.base import Search

NODES_PER_SECOND = 5e6
"""About how fast the product is."""
HEAD_START = 0.3
"""Seconds for the engine that is expected to be faster, before the other begins."""
HOPELESS = 1e11
"""Estimated nodes from which on the product is not expected to be the faster one."""
UNLIKELY = 1 / 8
"""The share of time of a product that is just hopeless: estimates are high, and it may yet be done first. More nodes make it smaller."""
LAST_CHANCE = 20.0
"""Seconds, at least, for an engine whose rivals have met the budget of memory, before their error is told."""
PATIENCE = 4.0
"""Seconds for our own engines on a model of clauses before Ganak is asked."""
QUICK = 600
"""Steps that are tried before anything is compiled, where propagation has decided something."""
FEW = 50_000
"""Solutions that may be listed in place of compiling a part."""
WIDER = 4
"""How many times as many nodes a diagram may get by a constraint more, before it is made anew in an order of its own."""
SETUP = 64 << 20
"""Bytes that the tables of the search may take."""
BREADTH = 20.0
"""How many places of the tree decomposition's order a variable waits for each doubling of its domain."""


class Engine:
    """Work in slices, with the seconds it has taken, those it has a head start of, and its share of all time in a race."""

    def __init__(self, name: str, work: Iterator[Any], head_start: float, share: float = 1.0) -> None:
        self.name = name
        self.work = work
        self.spent = -head_start
        self.share = share


def race(engines: list[Engine], limits: Limits, stats: dict[str, Any], seconds: float = inf) -> Any:
    """The answer of the engine that is done first, None after some seconds of work; DiagramTooWide when all of them gave up."""
    given_up: DiagramTooWide | None = None
    patience = inf
    begun = time.thread_time()
    while engines:
        if time.thread_time() - begun > seconds:
            return None
        engine = min(engines, key=lambda engine: engine.spent)
        if engine.spent > patience and given_up is not None:
            raise given_up
        turn = time.thread_time()
        try:
            answer = next(engine.work)
        except DiagramTooWide as error:
            given_up = given_up or error
            engines.remove(engine)
            patience = max(LAST_CHANCE, 4 * engine.spent * engine.share)
            continue
        if answer is not None:
            stats["engine"] = engine.name
            return answer
        engine.spent += (time.thread_time() - turn) / engine.share
        limits.deadline.check("counting")
    assert given_up is not None
    raise given_up


def _tables(constraints: list[Condition], limits: Limits) -> Tables | None:
    """The search's view of some constraints; None where it has none."""
    if any(isinstance(constraint, Circuit) for constraint in looking(constraints, "counting")):
        return None
    variables: set[Variable] = set()
    for constraint in constraints:
        look("counting")
        variables.update(scope(constraint))
        if len(variables) > MOST_VARIABLES:
            return None
    listed = sorted(variables, key=lambda variable: variable.index)
    try:
        tables = Tables(listed, constraints, Limits(limits.deadline, Memory(min(SETUP, limits.memory.limit)), limits.kept))
    except DiagramTooWide:
        return None
    return tables if tables.fits else None


def prepared(model: Model, limits: Limits, over: list[Variable] | None = None, weights: dict[Variable, int] | None = None) -> Outline:
    """A model taken apart after its constraints have narrowed the domains."""
    limits = keeping(model, limits)
    tables = _tables(conditions(model, limits), limits)
    if tables is None:
        return outline(model, limits, over, weights)
    if tables.impossible or not tables.propagate():
        return Outline([], [], impossible=True)
    return outline(model, limits, over, weights, tables.narrowed())


# -- how many


def count(model: Model, limits: Limits, stats: dict[str, Any]) -> int:
    """The number of solutions; ``stats`` tells by which engine."""
    limits = keeping(model, limits)
    constraints = conditions(model, limits)
    circuits = _circuits(constraints, limits, stats)  # before an order is chosen, which takes long for a large one
    if circuits is not None:
        held = set(scope(constraints[0]))
        return circuits * prod([v.hi - v.lo + 1 for v in model.variables if v not in held])
    summed = sums.of(model, limits)
    if summed is not None and summed.work() < sums.WORK:
        stats["engine"], stats["nodes"] = "sums", len(summed.diagram.nodes)
        return summed.count()
    tables = _tables(constraints, limits)
    narrowed: dict[Variable, tuple[int, ...]] = {}
    if tables is not None:
        if tables.impossible or not tables.propagate():
            stats["engine"] = "propagation"
            return 0
        narrowed = tables.narrowed()
        if narrowed:  # where propagation decides much, it may well decide all
            listed = _few(tables, limits)
            if listed is not None:
                stats["engine"] = "list"
                held = set(tables.variables)
                return listed * prod([v.hi - v.lo + 1 for v in model.variables if v not in held])
    plan = outline(model, limits, domains=narrowed)
    if plan.impossible:
        return 0
    ways = prod([variable.hi - variable.lo + 1 for variable in plan.free])
    for part in plan.parts:
        found: dict[str, Any] = {}
        ways *= _count_part(part, limits, found)
        stats.setdefault("parts", []).append(found)
        stats["engine"] = found["engine"]
        if not ways:
            break
    return ways


def _few(tables: Tables, limits: Limits) -> int | None:
    """The number of solutions if they can be listed in a moment."""
    for rows in tables.listed(QUICK, limits):
        if rows is not None:
            return len(rows) if len(rows) < QUICK else None
        limits.deadline.check("counting")
        if tables.decisions > QUICK:
            break
    return None


def _circuits(constraints: list[Condition], limits: Limits, stats: dict[str, Any]) -> int | None:
    """The number of solutions of one circuit by the frontier method; None of anything else."""
    if len(constraints) != 1 or not isinstance(constraints[0], Circuit):
        return None
    circuits = count_circuit(constraints[0], limits.memory.limit, limits.deadline)
    if circuits is not None:
        stats["engine"] = "frontier"
    return circuits


def _count_part(part: Part, limits: Limits, stats: dict[str, Any]) -> int:
    circuits = _circuits(part.constraints, limits, stats)
    if circuits is not None:
        return circuits
    stats["estimated_nodes"] = part.cost
    seconds = part.cost / NODES_PER_SECOND
    hopeless = part.cost >= HOPELESS
    engines = [_product(part, _total(count_ways(part, limits, stats=stats)))]
    if seconds > 0.002:
        tables = _tables(part.constraints, limits)
        if tables is not None and tables.countable:
            search = tables.counted(Limits(limits.deadline, Memory(limits.memory.limit)), BREADTH, stats)
            engines.append(Engine("search", search, HEAD_START if hopeless else 0.0))
    if hopeless and find_spec("pyganak") is not None and _clausal(part):
        return _clauses_first(engines, part, limits, stats)
    ways: int = race(engines, limits, stats)
    return ways


def _product(part: Part, work: Iterator[Any]) -> Engine:
    """The product as an engine: with a head start, or with a small share of the time where the estimate leaves no hope."""
    if part.cost < HOPELESS:
        return Engine("product", work, HEAD_START)
    return Engine("product", work, 0.0, UNLIKELY / (1.0 + log10(part.cost / HOPELESS)))


def _clausal(part: Part) -> bool:
    """Whether nearly all constraints are clauses of three literals or more."""
    clauses = [clause for constraint in looking(part.constraints, "counting") if (clause := clause_of(constraint)) is not None]
    return sum(len(clause) >= 3 for clause in clauses) >= 0.9 * len(part.constraints)


def _clauses_first(engines: list[Engine], part: Part, limits: Limits, stats: dict[str, Any]) -> int:
    """A moment for the engines at hand, then Ganak."""
    from cpsolve.counting.cnf import Formula
    from cpsolve.solvers import ganak

    try:
        ways: int | None = race(engines, limits, stats, PATIENCE)
    except DiagramTooWide:
        ways = None
    if ways is not None:
        return ways
    stats["engine"] = "ganak"
    variables = [variable for slot in part.slots for variable in slot.members]
    return ganak.count_formula(Formula.of(variables, part.constraints, limits), limits.deadline)


def spread(part: Part, total: dict[int, int], limits: Limits) -> dict[int, int]:
    """The number of solutions of a part for each value of a sum of multiples of its slots."""
    engines = [_product(part, count_ways(part, limits, total))]
    tables = _tables(part.constraints, limits) if part.cost > NODES_PER_SECOND / 50 else None
    if tables is not None:
        engines.append(Engine("list", _listed_sums(tables, part, total, limits), 0.0))
    ways: dict[int, int] = race(engines, limits, {})
    return ways


def _listed_sums(tables: Tables, part: Part, total: dict[int, int], limits: Limits) -> Iterator[dict[int, int] | None]:
    coefficients = {member: total.get(position, 0) for position, slot in enumerate(part.slots) for member in slot.members}
    for rows in tables.listed(FEW + 1, limits):
        if rows is None:
            yield None
        elif len(rows) > FEW:
            raise DiagramTooWide(f"there are more than {FEW:,} solutions, too many to list", len(rows), FEW)
        else:
            sums = rows @ np.array([coefficients[variable] for variable in tables.variables], np.int64)
            values, times = np.unique(sums, return_counts=True)
            yield dict(zip(values.tolist(), times.tolist(), strict=True))


def _total(work: Iterator[dict[int, int] | None]) -> Iterator[int | None]:
    for answer in work:
        yield None if answer is None else sum(answer.values())


def limits_of(search: Search) -> Limits:
    """The deadline and the budgets of a question."""
    options = search.options or {}
    return Limits(search.deadline, Memory(options.get("max_memory"), options.get("max_nodes")))


def approximate(model: Model, over: Sequence[Variable] | None, guarantee: tuple[float, float], search: Search) -> int:
    """About the number of solutions: for a guarantee (epsilon, delta) within a factor 1 + epsilon with probability 1 - delta or more."""
    if find_spec("pyapproxmc") is None:
        raise UnsupportedError("approximate counting needs the package pyapproxmc: pip install 'cpsolve[counting]'")
    if not isinstance(guarantee, tuple) or len(guarantee) != 2:
        raise ModelError(f"approximate is a pair (epsilon, delta), got {guarantee!r}")
    epsilon, delta = guarantee
    if not epsilon > 0 or not 0 < delta < 1:
        raise ModelError(f"approximate=(epsilon, delta) needs epsilon > 0 and 0 < delta < 1, got {guarantee!r}")
    from cpsolve.solvers import ganak

    return ganak.approximate(model, over, epsilon, delta, search.seed, limits_of(search))


def count_at_most(model: Model, over: Sequence[Variable] | None, most: int, search: Search) -> int:
    """The number of solutions, or ``most`` if there are more: they are listed, by search while that is quick, else by a solver."""
    limits = limits_of(search)
    on_graphs = any(issubclass(kind, LazyConstraint) for kind in model.kinds)
    tables = _tables(conditions(model, limits), limits) if over is None and not on_graphs else None
    if tables is not None:
        held = set(tables.variables)
        free = prod([v.hi - v.lo + 1 for v in model.variables if v not in held])
        needed = -(-most // free)
        for rows in tables.listed(needed, limits):
            if rows is not None:
                return min(most, len(rows) * free)
            limits.deadline.check("counting")
            if tables.decisions > 10 * QUICK + 10 * most:
                break
    found = model.solutions(over=over, limit=most, time_limit=limits.deadline.left())
    listed = sum(1 for _ in found)
    if listed < most and not found.complete:
        limits.deadline.fail("counting")
    return listed


# -- diagrams


def compiled(plan: Outline, limits: Limits, lists: bool = True) -> Diagram:
    """The diagram of a model that was taken apart. With ``lists`` a wide part with few solutions becomes the list of these."""
    if plan.impossible:
        return Diagram([impossible()], [])
    diagram = Diagram([], plan.free)
    for part in plan.parts:
        seconds = part.cost / NODES_PER_SECOND
        engines = [_product(part, compile_part(part, limits))]
        if lists and seconds > 0.02:
            tables = _tables(part.constraints, limits)
            if tables is not None:
                engines.append(Engine("list", _listing(tables, part, limits), 0.0))
        component: Component = race(engines, limits, {})
        diagram.components.append(component)
        if not component.widths[-1]:
            break
    return diagram


def extended(model: Model, limits: Limits) -> Diagram | None:
    """The diagram of a model made of that of fewer constraints, which was kept; None where there is none that serves, or it gets wide.

    A part is read in the same order as before, and what it excluded is not looked at again.
    """
    if limits.kept.diagram is None:
        return None
    variables, constraints, diagram = limits.kept.diagram
    earlier = [*zip_longest(variables, model.variables), *zip_longest(constraints, model.constraints[: len(constraints)])]
    if any(kept is not here for kept, here in earlier):
        return None
    home = {v: i for i, part in enumerate(diagram.components) for slot in part.slots for v in slot.members if len(slot.members) == 1}
    added: dict[int, list[Condition]] = {}
    for entry in model.constraints[len(constraints) :]:
        for constraint in conjuncts(entry.constraint):
            homes = {home.get(variable) for variable in scope(constraint)}
            place = homes.pop() if len(homes) == 1 else None
            if place is None:
                return None
            added.setdefault(place, []).append(constraint)
    components = list(diagram.components)
    for place, more in added.items():
        before = components[place]
        if before.widths[-1]:
            budget = Memory(limits.memory.limit, WIDER * sum(before.widths) + WIDER * 1000)
            part = Part(before.slots, more, before.cut, float(sum(before.widths)))
            try:
                components[place] = finish(compile_part(part, replace(limits, memory=budget), before), limits)
            except DiagramTooWide:
                return None
    limits.kept.extended += 1 if added else 0
    return Diagram(components, diagram.free)


def keeping(model: Model, limits: Limits) -> Limits:
    """The same limits, with what the model has kept."""
    return replace(limits, kept=kept_of(model))


def _listing(tables: Tables, part: Part, limits: Limits) -> Iterator[Component | None]:
    """A part as the list of its solutions: a tree whose leaves are one node."""
    if any(len(slot.members) > 1 for slot in part.slots):
        raise DiagramTooWide("a part with variables that are read as one is not listed", FEW, FEW)
    rows: NDArray[np.int64] | None = None
    for rows in tables.listed(FEW + 1, limits):
        if rows is None:
            yield None
    assert rows is not None
    if len(rows) > FEW:
        raise DiagramTooWide(f"there are more than {FEW:,} solutions, too many to list", len(rows), FEW)
    column = {variable: rows[:, i] for i, variable in enumerate(tables.variables)}
    component = Component([], part.cut, [], [1])
    nodes = np.zeros(len(rows), np.int64)
    for position, slot in enumerate(part.slots):
        values = np.unique(column[slot.members[0]]) if len(rows) else np.array(slot.values[:1])
        component.slots.append(Slot(slot.members, [int(value) for value in values]))
        places = np.searchsorted(values, column[slot.members[0]])
        arcs = np.full((component.widths[-1], len(values)), -1, np.int32)
        limits.memory.take(arcs.nbytes, len(rows))
        codes = nodes * len(values) + places
        if position == len(part.slots) - 1:
            following = np.zeros(len(rows), np.int64)
            width = min(1, len(rows))
        else:
            distinct, following = np.unique(codes, return_inverse=True)
            width = len(distinct)
        arcs.reshape(-1)[codes] = following
        component.arcs.append(arcs)
        component.widths.append(width)
        nodes = following
        if not width:
            component.slots = component.slots[: position + 1]
            break
    yield component

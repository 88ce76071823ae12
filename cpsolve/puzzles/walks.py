"""Walking puzzles solved: one base for every game whose instances are routes.

The default is the circuit model of :mod:`cpsolve.puzzles.encodings`, answered by CP-SAT, as soon as there is something to collect. A good
tour is found first; it is where the solver begins, and what it may not exceed. The other methods are there to be compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Generic, Literal, TypeVar, overload

from cpsolve.checks import NOT_CHECKED, SECONDS, Check
from cpsolve.errors import LimitError, ModelError, SolverError
from cpsolve.limits import Deadline
from cpsolve.puzzles import encodings, orders, search
from cpsolve.puzzles import paths as acyclic
from cpsolve.puzzles.encodings import CircuitModel, HorizonModel
from cpsolve.puzzles.local_search import improve
from cpsolve.puzzles.orders import UNREACHABLE
from cpsolve.puzzles.plans import Move, Plan, W, Walk, plan_of
from cpsolve.puzzles.routes import Route
from cpsolve.results import Result, Status

METHODS = {
    "auto": "circuit where there is something to collect, else a shortest path",
    "circuit": "CP-SAT over landmarks",
    "horizon": "CP-SAT, one variable per step",
    "held-karp": "dynamic programme, few items",
    "astar": "A*",
    "bfs": "breadth first",
    "dfs": "naive depth first, the first answer",
}
"""What a plan may be found by."""
SEARCHES = ("dfs", "bfs", "astar")
MODELS = ("auto", "circuit", "horizon")
CIRCUIT_OPTIONS = {"linearization_level": 2, "cp_model_probing_level": 0, "symmetry_level": 0}
"""Of the parameters tried, those with which CP-SAT proves tours fastest: its linear relaxation does the work."""
I = TypeVar("I", bound=Hashable)  # noqa: E741


class WalkingGame(Generic[I, W]):
    """Everything that can be asked about the instances of a game of walks, given how an instance becomes a route.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> game = WalkingGame(route)
    >>> plan = game.solve(Garden("So.\\n#.E"))
    >>> plan.cost, plan.optimal, plan.stats["method"], game.count_paths(Garden("So.\\n#.E"))
    (3, True, 'circuit', 2)
    """

    def __init__(self, route: Callable[[I], Route[W]]) -> None:
        self.route: Callable[[I], Route[W]] = lru_cache(maxsize=1)(route)
        """The route of an instance; that of the last one is kept, so that one answer builds its graphs once."""

    @overload
    def encode(
        self,
        instance: I,
        form: Literal["circuit"] = ...,
        *,
        order: bool = ...,
        time_limit: float | None = ...,
        max_memory: int | None = ...,
    ) -> CircuitModel: ...

    @overload
    def encode(
        self,
        instance: I,
        form: Literal["horizon"],
        *,
        steps: int | None = ...,
        time_limit: float | None = ...,
        max_memory: int | None = ...,
    ) -> HorizonModel: ...

    def encode(
        self,
        instance: I,
        form: Literal["circuit", "horizon"] = "circuit",
        *,
        order: bool = False,
        steps: int | None = None,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> CircuitModel | HorizonModel:
        """An instance as a constraint model, to print, to add rules to and to solve; see :func:`cpsolve.puzzles.encodings.encode`.

        ``circuit`` has a condition per leg between landmarks, ``model.leg(a, b)``, and with ``order=True`` the order in which things
        are collected, ``model.order(cell)``. ``horizon`` has a place and a move per step, up to ``steps``: ``model.at(cell, step)``,
        ``model.made(move)``, ``model.taken(cell, next_cell)``, ``model.arrival(cell)``.
        """
        with Deadline(time_limit, max_memory).watched() as deadline:
            return encodings.encode(self.route(instance), form, order=order, steps=steps, deadline=deadline)

    def decode(self, instance: I, solution: Mapping[Any, int] | None) -> Walk[W]:
        """The plan of a solution of either model of an instance, replayed by the rules."""
        return encodings.decode(self.route(instance), solution)

    def solve(
        self,
        instance: I,
        method: str = "auto",
        time_limit: float | None = None,
        *,
        max_memory: int | None = None,
        max_states: int | None = search.MAX_STATES,
        backend: str | None = None,
        workers: int | None = None,
        check: bool = False,
    ) -> Walk[W]:
        """A shortest plan, or the reason why there is none; see :func:`cpsolve.puzzles.walks.solve` for methods and options."""
        route = self.route(instance)
        limits: dict[str, Any] = {"max_memory": max_memory, "max_states": max_states}
        return solve(route, method, time_limit, **limits, backend=backend, workers=workers, check=check)

    def paths(self, instance: I, *, time_limit: float | None = None, max_memory: int | None = None) -> Iterator[Walk[W]]:
        """Every acyclic path to the goal, each once, one at a time: no state, that is place and what was collected, comes twice."""
        return acyclic.paths(self.route(instance), time_limit=time_limit, max_memory=max_memory)

    def count_paths(self, instance: I, *, time_limit: float | None = None, max_memory: int | None = None) -> int:
        """The number of acyclic paths, counted without listing them."""
        return acyclic.count_paths(self.route(instance), time_limit=time_limit, max_memory=max_memory)

    def shortest_plans(self, instance: I, *, time_limit: float | None = None, max_memory: int | None = None) -> Iterator[Walk[W]]:
        """Every plan of the fewest moves, each once, one at a time; none when there is no plan."""
        deadline = Deadline(time_limit, max_memory)
        found = self.route(instance)
        found.prepare(deadline)
        if not found.reason():
            with deadline.watched():
                plans = search.shortest_plans(found.puzzle, found.heuristic())
            yield from map(Walk.of, plans)


def solve(
    route: Route[W],
    method: str = "auto",
    time_limit: float | None = None,
    *,
    max_memory: int | None = None,
    max_states: int | None = search.MAX_STATES,
    backend: str | None = None,
    workers: int | None = None,
    check: bool = False,
) -> Walk[W]:
    """A shortest plan, or the reason why there is none; ``stats["method"]`` is what ran.

    ``auto`` is ``circuit``, a constraint model, when there is something to collect, and a ``shortest-path`` otherwise. Also:
    ``horizon`` (a model with variables for every step), ``held-karp`` (a dynamic programme), ``bfs``, ``astar``, and ``dfs``, the
    naive search, whose first answer need not be the shortest. ``backend`` and ``workers`` are for the two models, ``max_states`` for
    the three searches: a method that cannot use one refuses it. ``check`` has the circuit model of a small instance answered once
    more, by an independent backend; the plan's ``check`` says what became of it, and SolverError is raised if the two differ.

    >>> from cpsolve.puzzles.garden import Garden, route
    >>> solve(route(Garden("So.E")), method="held-karp", check=True).check.note
    'checked by python-constraint: the same optimum 3'
    >>> print(solve(route(Garden("S#E"))).reason)
    no way leads to (2, 0)
    """
    deadline = Deadline(time_limit, max_memory)
    _refuse(method, max_states, backend, workers)
    chosen = method
    if method == "auto":
        chosen = "circuit" if any(stage.missing for stage in route.stages) else "shortest-path"
    with deadline.watched():
        try:
            plan = _plan(route, chosen, deadline, max_states, backend, workers)
        except LimitError:
            plan = Plan(Status.UNKNOWN, reason=f"stopped {deadline.met()} without a plan")
        stats = {**plan.stats, "method": chosen, "requested": method, "wall_time": deadline.elapsed()}
        opinion = _check(route, plan, deadline) if check else NOT_CHECKED
    return Walk(plan.status, plan.moves, plan.states, plan.bound, plan.reason, stats, route.puzzle, opinion)


def _refuse(method: str, max_states: int | None, backend: str | None, workers: int | None) -> None:
    """Raises ModelError for what is no option, or none of this method."""
    if method not in METHODS:
        raise ModelError(f"unknown method {method!r}: expected one of {', '.join(METHODS)}")
    if max_states is not None and (not isinstance(max_states, int) or isinstance(max_states, bool) or max_states < 0):
        raise ModelError(f"max_states must be a number of states, or None for no limit, got {max_states!r}")
    if max_states != search.MAX_STATES and method not in SEARCHES:
        raise ModelError(f"max_states is for {', '.join(SEARCHES)}: the method {method} does not count states, leave it out")
    for name, value in (("backend", backend), ("workers", workers)):
        if value is not None and method not in MODELS:
            raise ModelError(f"{name} is for {', '.join(MODELS)}: the method {method} asks no backend, leave it out")
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise ModelError(f"workers must be a positive number of threads, got {workers!r}")
    if backend is not None:
        from cpsolve.solvers import backends

        if backend not in backends():
            raise ModelError(f"there is no backend {backend!r}: expected one of {', '.join(backends())}")


def _plan(route: Route[W], method: str, deadline: Deadline, max_states: int | None, backend: str | None, workers: int | None) -> Plan[W]:
    if method in ("dfs", "bfs"):
        find = search.dfs if method == "dfs" else search.bfs
        plan = find(route.puzzle, max_states=max_states)
        if plan.status is not Status.INFEASIBLE:
            return plan
        try:
            route.prepare(deadline)
        except LimitError:
            return plan
        return Plan(Status.INFEASIBLE, reason=route.reason(), stats=plan.stats)
    route.prepare(deadline)
    if reason := route.reason():
        return Plan(Status.INFEASIBLE, reason=reason, stats={"proof": "the ways between all places were measured by breadth-first search"})
    if method == "astar":
        return search.astar(route.puzzle, route.heuristic(), max_states=max_states)
    if method == "circuit":
        return _by_circuit(route, deadline, backend, workers)
    if method == "horizon":
        return _by_horizon(route, deadline, backend, workers)
    return _by_tours(route, deadline)


def _by_tours(route: Route[W], deadline: Deadline) -> Plan[W]:
    """Held and Karp's order of each stage; with nothing to collect, a shortest path."""
    moves: list[Move] = []
    bound = 0
    for stage in route.stages:
        tour = orders.held_karp(stage.distances, deadline)
        bound += tour.bound
        if tour.order is None:
            deadline.fail("held-karp")
        moves += stage.walk(tour.order)
    collects = any(stage.missing for stage in route.stages)
    proof = "Held and Karp's programme went through all orders" if collects else "breadth-first search measured the ways"
    return plan_of(route.puzzle, moves, bound, {"proof": proof})


# -- the models


def _by_circuit(route: Route[W], deadline: Deadline, backend: str | None, workers: int | None) -> Plan[W]:
    """The circuit model, begun from a good tour, which also bounds it."""
    seconds = 0.2 * deadline.remaining() / len(route.stages)
    tours = [improve(stage.distances, min(1.0, seconds)) for stage in route.stages]
    length = sum(orders.length_of(stage.distances, tour) for stage, tour in zip(route.stages, tours, strict=True))
    bound = sum(orders.lower_bound(stage.distances) for stage in route.stages)
    result = Result(Status.UNKNOWN)
    try:
        model = encodings.encode(route, deadline=deadline)
        if length < UNREACHABLE:
            model.add(model.total <= length, name="no longer than the tour known")
            _hint(model, route, tours)
        options = CIRCUIT_OPTIONS if backend in (None, "cpsat") else None
        result = model.solve(backend=backend, workers=workers, options=options)
    except LimitError:
        pass  # the good tour stands
    stats = {"first_length": length, "landmarks": sum(len(stage.missing) for stage in route.stages), "solver": dict(result.stats)}
    stats["proof"] = _proof(result, bound)
    bound = max(bound, result.bound or 0)
    if result.solution is not None:
        plan = encodings.decode(route, result.solution)
        return plan_of(route.puzzle, plan.moves, bound, stats)
    if length < UNREACHABLE:
        moves = [move for stage, tour in zip(route.stages, tours, strict=True) for move in stage.walk(tour)]
        return plan_of(route.puzzle, moves, bound, stats)
    return Plan(Status.UNKNOWN, bound=bound, reason=f"stopped {deadline.met()} without a plan", stats=stats)


def _proof(result: Result, bound: int) -> str:
    """Why no tour is shorter: the solver's bound, or the one that was there before."""
    if result.bound is not None and result.bound > bound:
        return f"{result.stats['backend']} proved that no tour has fewer moves"
    return "no tour is shorter than the shortest ways into or out of all landmarks, or the way by the farthest of them"


def _hint(model: CircuitModel, route: Route[W], tours: list[tuple[int, ...]]) -> None:
    chosen: set[str] = set()
    for stage, tour in zip(route.stages, tours, strict=True):
        names = stage.landmarks
        chosen |= {encodings.leg_name(names[tail], names[head]) for tail, head in pairwise(tour)}
        chosen |= {encodings.visit_name(name) for name in names[1:-1]}
    model.hint({variable: int(variable.name in chosen) for variable in model.variables})


def _by_horizon(route: Route[W], deadline: Deadline, backend: str | None, workers: int | None) -> Plan[W]:
    """The step-by-step model, with as many steps as a good tour takes."""
    tours = [improve(stage.distances, min(1.0, 0.2 * deadline.remaining())) for stage in route.stages]
    steps = sum(orders.length_of(stage.distances, tour) for stage, tour in zip(route.stages, tours, strict=True))
    bound = sum(orders.lower_bound(stage.distances) for stage in route.stages)
    result = Result(Status.UNKNOWN)
    try:
        model = encodings.encode(route, "horizon", steps=steps, deadline=deadline)
        result = model.solve(backend=backend, workers=workers)
    except LimitError:
        pass
    stats = {"steps": steps, "solver": dict(result.stats), "proof": _proof(result, bound)}
    bound = max(bound, result.bound or 0)
    if result.solution is None:
        return Plan(Status.UNKNOWN, bound=bound, reason=f"stopped {deadline.met()} without a plan", stats=stats)
    return plan_of(route.puzzle, encodings.decode(route, result.solution).moves, bound, stats)


# -- a second opinion


def _check(route: Route[W], plan: Plan[W], deadline: Deadline) -> Check:
    """Compares a plan with the optimum of the circuit model, and has that checked by an independent backend."""
    limit = min(SECONDS, deadline.remaining())
    until = Deadline(limit)
    if plan.status is Status.UNKNOWN:
        return Check(note="not checked: there is no answer yet")
    try:
        model = encodings.encode(route, deadline=until)
    except LimitError:
        return Check(note=f"too large for a check: no model within {limit:.2g} s")
    result = model.solve(time_limit=until.remaining(), options=CIRCUIT_OPTIONS, check=True)
    if result.status is Status.UNKNOWN:
        return Check(note=f"too large for a check: no answer of the model within {limit:.2g} s")
    impossible = [answer.status is Status.INFEASIBLE for answer in (plan, result)]
    beaten = plan.optimal and result.objective is not None and result.objective < len(plan.moves)
    if any(impossible) != all(impossible) or beaten or (plan and result.bound is not None and len(plan.moves) < result.bound):
        raise SolverError(f"the plan and the model contradict each other; please report this:\nplan: {plan}\nmodel: {result}")
    return result.check

"""What the modelling layer costs: building and solving through cpsolve against raw OR-Tools and CPMpy on the same models."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ortools.sat.python import cp_model

import cpsolve as cp
from benchmarks.measure import Row, compare, peer_module
from cpsolve.solvers.cpsat import Program
from cpsolve.solvers.cpsat_encoding import Encoding


def run(quick: bool) -> Iterator[Row]:
    """All comparisons of this topic."""
    yield from building(10_000 if quick else 100_000, rounds=3)
    yield from small_solves(rounds=50 if quick else 200)
    yield backbones(rounds=5 if quick else 20)


def building(size: int, rounds: int) -> Iterator[Row]:
    """``size`` booleans and as many constraints of four terms, up to a model that CP-SAT can solve."""
    generator = random.Random(1)
    quads = [[generator.randrange(size) for _ in range(4)] for _ in range(size)]

    def ours() -> object:
        model = cp.Model()
        x = [model.bool_var(f"b{i}") for i in range(size)]
        for a, b, c, d in quads:
            model.add(x[a] + x[b] + x[c] + x[d] <= 2)
        return Program(Encoding(model))

    def raw() -> object:
        model = cp_model.CpModel()
        x = [model.new_bool_var(f"b{i}") for i in range(size)]
        for a, b, c, d in quads:
            model.add(x[a] + x[b] + x[c] + x[d] <= 2)
        return model

    cpmpy = peer_module("cpmpy")

    def with_cpmpy() -> object:
        assert cpmpy is not None
        model = cpmpy.Model()
        x = [cpmpy.boolvar(name=f"b{i}") for i in range(size)]
        for a, b, c, d in quads:
            model += x[a] + x[b] + x[c] + x[d] <= 2
        return cpmpy.SolverLookup.get("ortools", model)

    name = f"build {size:,} booleans and constraints"
    yield compare(name, ours, "OR-Tools", raw, rounds, "≤ 1.3")
    yield compare(name, ours, "CPMpy", None if cpmpy is None else with_cpmpy, 3, warm_up=False)


def small_model(seed: int) -> tuple[list[tuple[list[int], int]], int]:
    """Thirty sums over fifty booleans that have a solution: (members, total) pairs."""
    generator = random.Random(seed)
    hidden = [generator.randrange(2) for _ in range(50)]
    sums = []
    for _ in range(30):
        members = generator.sample(range(50), 5)
        sums.append((members, sum(hidden[i] for i in members)))
    return sums, 50


def small_cpsolve(seed: int) -> cp.Model:
    """The small model in cpsolve."""
    sums, size = small_model(seed)
    model = cp.Model()
    x = model.bool_vars(size)
    for members, total in sums:
        model.add(x[members].sum() == total)
    return model


def small_solves(rounds: int) -> Iterator[Row]:
    """Build and solve of fifty booleans with thirty sums."""

    def raw() -> object:
        sums, size = small_model(3)
        model = cp_model.CpModel()
        x = [model.new_bool_var("") for _ in range(size)]
        for members, total in sums:
            model.add(sum(x[i] for i in members) == total)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.solve(model)
        return [solver.value(variable) for variable in x]

    cpmpy = peer_module("cpmpy")

    def with_cpmpy() -> object:
        assert cpmpy is not None
        sums, size = small_model(3)
        model = cpmpy.Model()
        x = cpmpy.boolvar(shape=size)
        for members, total in sums:
            model += x[members].sum() == total
        model.solve(solver="ortools", num_workers=1)
        return x.value()

    name = "build and solve 50 booleans, 30 sums"
    yield compare(name, lambda: small_cpsolve(3).solve(), "OR-Tools, 1 worker", raw, rounds, "≤ 1.5")
    yield compare(name, lambda: small_cpsolve(3).solve(), "CPMpy, 1 worker", None if cpmpy is None else with_cpmpy, rounds)


def backbones(rounds: int) -> Row:
    """The backbone of such a model against asking for each value of each variable by a solve of its own."""

    def one_by_one() -> object:
        model = small_cpsolve(3)
        forced = {}
        for variable in model.variables:
            possible = []
            for value in (0, 1):
                twin = model.copy()
                twin.add(variable == value)
                if twin.solve().solution is not None:
                    possible.append(value)
            if len(possible) == 1:
                forced[variable] = possible[0]
        return forced

    return compare("backbone of it", lambda: small_cpsolve(3).backbone(), "100 separate solves", one_by_one, rounds, "< 1")

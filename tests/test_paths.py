"""Circuits and simple paths, counted by the frontier method, against brute force, known numbers and the diagram."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cpsolve as cp
from cpsolve.counting.memory import Memory
from cpsolve.counting.paths import count_circuit, count_circuits, count_simple_paths
from cpsolve.errors import DiagramTooWide, ModelError, TimeLimitError
from cpsolve.limits import Deadline
from tests import oracle

Arc = tuple[int, int]


def grid(side: int) -> list[Arc]:
    nodes = [(row, column) for row in range(side) for column in range(side)]
    return [(i, j) for i, a in enumerate(nodes) for j, b in enumerate(nodes) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]


def listed(arcs: set[Arc], optional: set[int], forced: list[Arc], nodes: set[int]) -> int:
    """The circuits among all cyclic sequences of nodes."""
    allowed = arcs | set(forced)
    found = 0
    for size in range(2, len(nodes) + 1):
        for chosen in permutations(sorted(nodes), size):
            steps = list(zip(chosen, (*chosen[1:], chosen[0]), strict=True))
            found += (
                chosen[0] == min(chosen)
                and nodes - set(chosen) <= optional
                and all(step in allowed for step in steps)
                and all(arc in steps for arc in forced)
            )
    return found


@settings(max_examples=300)
@given(data=st.data())
def test_circuits_are_those_that_can_be_listed(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 6))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    arcs = set(data.draw(st.lists(st.sampled_from(pairs), max_size=22)))
    if data.draw(st.booleans()):
        arcs |= {(head, tail) for tail, head in arcs}
    optional = data.draw(st.sets(st.integers(0, count - 1)))
    forced = data.draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True))
    nodes = set(range(count))
    assert count_circuits(arcs - set(forced), optional, forced, required=nodes) == listed(arcs, optional, forced, nodes)


@settings(max_examples=200)
@given(data=st.data())
def test_a_circuit_of_variables_counts_as_brute_force_does(data: st.DataObject) -> None:
    model = cp.Model()
    count = data.draw(st.integers(1, 4))
    pairs = [(a, b) for a in range(count) for b in range(count)]
    arcs = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=9))
    conditions: list[object] = []
    for _ in arcs:
        kind = data.draw(st.integers(0, 6))
        conditions.append(data.draw(st.booleans()) if kind == 0 else ~model.bool_var() if kind == 1 else model.bool_var())
    circuit = cp.circuit([(tail, head, condition) for (tail, head), condition in zip(arcs, conditions, strict=True)])
    model.bool_var("of no constraint")
    model.add(circuit)
    expected = len(oracle.solutions(model))
    assert model.count() == expected
    assert count_circuit(circuit) in (None, expected // 2)


@pytest.mark.parametrize(("side", "cycles"), [(2, 1), (4, 6), (6, 1_072), (8, 4_638_576), (10, 467_260_456_608)])
def test_hamiltonian_cycles_of_grids(side: int, cycles: int) -> None:
    """OEIS A003763."""
    assert count_circuits(grid(side), []) == 2 * cycles
    model = cp.Model()
    model.add(cp.circuit([(tail, head, model.bool_var()) for tail, head in grid(side)]))
    assert model.count() == 2 * cycles


@pytest.mark.parametrize(
    ("side", "walks"),
    [(9, 3_266_598_486_981_642), (10, 41_044_208_702_632_496_804), (11, 1_568_758_030_464_750_013_214_100)],
)
def test_walks_between_opposite_corners_whose_number_takes_more_than_a_word(side: int, walks: int) -> None:
    """OEIS A007764."""
    successors = [[head for tail, head in grid(side) if tail == node] for node in range(side * side)]
    assert count_simple_paths(successors, 0, side * side - 1) == walks


@pytest.mark.parametrize("count", [2, 5, 9])
def test_permutations_of_a_complete_graph(count: int) -> None:
    model = cp.Model()
    model.add(cp.circuit([(a, b, model.bool_var()) for a in range(count) for b in range(count) if a != b]))
    factorial = 1
    for factor in range(2, count):
        factorial *= factor
    assert model.count() == factorial


def test_a_wide_frontier_takes_several_words_for_its_states() -> None:
    ladder = [(i, j) for i in range(0, 60, 2) for j in (i + 1,)]
    rails = [(i, i + 2) for i in range(58)]
    both = [*ladder, *rails, *((b, a) for a, b in [*ladder, *rails])]
    shuffled = {node: (node * 37) % 60 for node in range(60)}  # numbered so that every natural order is wide
    arcs = {(shuffled[a], shuffled[b]) for a, b in both}
    assert count_circuits(arcs, range(60)) == count_circuits(both, range(60)) == 2 * (30 * 29 // 2) + 88


def test_limits_are_kept() -> None:
    arcs = grid(12)
    with pytest.raises(TimeLimitError):
        count_circuits(arcs, range(144), deadline=Deadline(0.05))
    with pytest.raises(DiagramTooWide, match="max_memory") as caught:
        count_circuits(arcs, range(144), max_memory=10**6)
    assert caught.value.budget == 10**6
    for wrong in (0, -1, True, 1.5, "1"):
        with pytest.raises(ModelError, match="max_memory"):
            Memory(wrong)  # type: ignore[arg-type]


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 2)), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 2), st.sampled_from([-9, 0, 9])), min_size=2, max_size=5),
    st.none() | st.integers(-2, 4),
)
def test_conditions_of_arcs_that_are_certain_leave_their_variables_free(
    domains: list[tuple[int, int]], arcs: list[tuple[int, int, int, int]], most: int | None
) -> None:
    model = cp.Model()
    x = [model.int_var(low, low + more) for low, more in domains]
    constraints: list[cp.Constraint] = [cp.circuit([(tail, head, x[i] <= number) for tail, head, i, number in arcs])]
    if most is not None:
        constraints.append(x[-1] + x[-1] <= most)  # a part of its own
    model.add(constraints)
    every = product(*(range(variable.lo, variable.hi + 1) for variable in x))
    right = sum(all(constraint.value(dict(zip(x, values, strict=True))) for constraint in constraints) for values in every)
    assert model.count() == right

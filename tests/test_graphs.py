"""Constraints on graphs: known numbers, brute force on grids, and bad input."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

import cpsolve as cp
from cpsolve.constraints import LazyConstraint

BACKENDS = [name for name, backend in cp.backends().items() if "solutions" in backend.questions]


def model_of(kind: str, rows: int, columns: int) -> cp.Model:
    model = cp.Model(kind)
    board = cp.grid(rows, columns)
    if kind == "loop":
        model.add(cp.loop(cp.grid_edges(model, rows, columns)))
    elif kind == "path":
        model.add(cp.path(cp.grid_edges(model, rows, columns), (0, 0), (rows - 1, columns - 1)))
    elif kind == "acyclic":
        model.add(cp.acyclic(cp.grid_edges(model, rows, columns)))
    elif kind == "connected":
        model.add(cp.connected(model.bool_vars((rows, columns)), board))
    elif kind == "regions":
        model.add(cp.regions(model.int_vars((rows, columns), 0, 1), board))
    elif kind == "circuit":  # among all nodes, of which the first two may be left out
        nodes = range(rows * columns)
        model.add(cp.circuit([(a, b, model.bool_var()) for a in nodes for b in nodes if a != b or a < 2]))
    elif kind == "any circuit":  # each node may be left out, but not all
        nodes = range(rows * columns)
        model.add(cp.circuit([(a, b, model.bool_var()) for a in nodes for b in nodes]))
    else:
        x = model.int_vars((rows, columns), 1, rows * columns)
        model.add(cp.region_sizes(x, board, x))
    return model


KNOWN = [
    ("loop", 3, 3, 13),  # simple cycles of the 3 × 3 grid
    ("loop", 4, 4, 213),
    ("path", 3, 3, 12),  # self-avoiding walks from corner to corner
    ("path", 4, 4, 184),
    ("acyclic", 2, 2, 15),  # all sets of edges but the square itself
    ("acyclic", 2, 3, 112),  # forests of the 2 × 3 grid
    ("connected", 3, 3, 219),  # connected sets of cells, and none at all
    ("regions", 2, 3, 32),
    ("circuit", 1, 2, 1),
    ("circuit", 1, 3, 4),  # 2 through all, 2 with one of the first two left out
    ("circuit", 2, 2, 11),  # 6, 2 + 2, 1
    ("any circuit", 1, 3, 5),  # 2 through all, 3 through two
    ("region_sizes", 1, 4, 4),  # 4, 1 + 3, 3 + 1, 1 + 2 + 1: neighbours differ
]


@pytest.mark.parametrize(("kind", "rows", "columns", "count"), KNOWN)
def test_known_numbers_are_counted_without_listing(kind: str, rows: int, columns: int, count: int) -> None:
    assert model_of(kind, rows, columns).count() == count


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("kind", "rows", "columns", "count"), [entry for entry in KNOWN if entry[-1] < 120])
def test_every_backend_lists_each_of_them_once(backend: str, kind: str, rows: int, columns: int, count: int) -> None:
    found = list(model_of(kind, rows, columns).solutions(backend=backend))
    assert len(found) == len(set(found)) == count


@pytest.mark.parametrize("kind", sorted({entry[0] for entry in KNOWN}))
def test_cuts_follow_from_the_constraint_and_exclude_just_the_wrong_values(kind: str) -> None:
    rows, columns = {"region_sizes": (2, 2), "circuit": (2, 2), "any circuit": (1, 3)}.get(kind, (2, 3))
    model = model_of(kind, rows, columns)
    constraint: Any = model.constraints[0].constraint
    assert isinstance(constraint, LazyConstraint)
    everything = list(itertools.product(*(range(low, high + 1) for low, high in (arg.interval() for arg in constraint.args))))
    if kind == "region_sizes":  # labels and sizes are the same variables
        everything = [values for values in everything if values[: len(values) // 2] == values[len(values) // 2 :]]
    good = [values for values in everything if constraint.compute(values)]
    relaxation = constraint.relaxation()
    for values in everything:
        cuts = constraint.cuts(values)
        assert bool(cuts) != bool(constraint.compute(values))
        for clause in cuts:
            assert not any((values[place] == value) == holds for place, value, holds in clause)
            assert all(any((each[place] == value) == holds for place, value, holds in clause) for each in good)
    for solution in model.solutions():
        assert relaxation.value(solution)


def test_a_loop_may_be_required_forbidden_or_a_choice() -> None:
    model = cp.Model()
    edges = cp.grid_edges(model, 2, 3)
    closed = model.bool_var("closed")
    model.add(closed == cp.loop(edges))
    assert model.count(over=[closed]) == 2
    assert model.count_by(closed) == {0: 2**7 - 3, 1: 3}
    for backend in BACKENDS:
        assert sum(s[closed] for s in model.solutions(backend=backend)) == 3


def test_graph_constraints_go_to_sat_where_it_is_installed() -> None:
    model = model_of("loop", 3, 3)
    assert model.solve().stats["backend"] == "sat"
    plain = cp.Model()
    plain.add(plain.bool_var() | plain.bool_var())
    assert plain.solve().stats["backend"] == "cpsat"


def test_an_explanation_of_a_loop_names_the_clues_that_matter() -> None:
    model = cp.Model()
    edges = cp.grid_edges(model, 3, 3)
    model.add(cp.loop(edges), name="one loop")
    model.add(sum(edges.around(0, 0)) == 4, name="4 in the corner")
    model.add(sum(edges.around(1, 1)) <= 3, name="idle")
    for backend in ("sat", "cpsat"):
        reasons = model.explain(sum(edges.at(2, 2)) == 0, backend=backend)
        assert [reason.name for reason in reasons] == ["one loop", "4 in the corner"]


def test_the_best_loop_is_found_by_every_backend() -> None:
    model = cp.Model()
    edges = cp.grid_edges(model, 3, 4)
    model.add(cp.loop(edges))
    model.maximize(sum((2 * i % 5) * variable for i, (_, _, variable) in enumerate(edges.triples)))
    assert len({model.solve(backend=backend).objective for backend in BACKENDS}) == 1


M = cp.Model()
A, B = M.bool_var("a"), M.bool_var("b")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cp.loop([]), r"loop: there are no edges; give \{\(node, node\): condition\} or cp\.grid_edges"),
        (lambda: cp.loop(cp.grid_edges(cp.Model(), 1, 1)), "loop: there are no edges; give"),
        (lambda: cp.acyclic({}), "acyclic: there are no edges; give"),
        (lambda: cp.loop([("x", "x", A)]), "edges join two different nodes"),
        (lambda: cp.loop([("x", "y", A), ("y", "x", B)]), r"two edges between 'y' and 'x'; combine their conditions with \|"),
        (
            lambda: cp.loop([("x", "y")]),  # type: ignore[list-item]
            r"expected edges \(node, node, condition\), got \('x', 'y'\)",
        ),
        (lambda: cp.path([("x", "y", A)], "x", "z"), "no edge leads to 'z'"),
        (lambda: cp.path([("x", "y", A)], "x", "x"), "both ends are 'x'; for a way that closes write loop"),
        (lambda: cp.connected([A], cp.grid(1, 2)), "1 entries for a graph of 2 nodes and 1 edges; give one per node"),
        (lambda: cp.connected({"p": A}, cp.grid(1, 1)), "'p' is no node of the graph"),
        (lambda: cp.connected({}, cp.grid(1, 1)), r"the node \(0, 0\) has no entry"),
        (
            lambda: cp.connected([A], "grid"),  # type: ignore[arg-type]
            r"expected a graph such as cp.grid\(rows, columns\)",
        ),
        (lambda: cp.grid(0, 3), "expected at least one row and one column, got 0 × 3"),
        (
            lambda: cp.graph([("a",)]),  # type: ignore[list-item]
            r"expected edges \(node, node\), got \('a',\)",
        ),
        (lambda: cp.regions([A, B], cp.grid(1, 2), roots={0: (5, 5)}), r"the root \(5, 5\) of label 0 is no node"),
        (lambda: cp.regions([A, B], cp.grid(1, 2), sizes={7: 1}), r"no node can have the label 7; a ranges over 0\.\.1"),
        (lambda: cp.grid(2, 2).neighbours("x"), "'x' is no node of graph of 4 nodes"),
        (lambda: cp.grid_edges(cp.Model(), 2, 2)[(0, 0), (1, 1)], "are no neighbours on this grid"),
        (lambda: cp.grid_edges(cp.Model(), 3, 3).around(-1, 0), r"\(-1, 0\) is no cell of these edges, which have 2 × 2 cells"),
        (lambda: cp.grid_edges(cp.Model(), 3, 3).around(0, 2), "counted from 0"),
        (lambda: cp.connected(cp.Model().bool_vars((3, 2)), cp.grid(2, 3)), "an array of 3 × 2 for a grid of 2 × 3"),
        (lambda: cp.regions([A, B], cp.grid(1, 2), roots={0: (0, 0), 1: (0, 0)}), "is the root of two labels"),
        (lambda: cp.regions([A, B], cp.grid(1, 2), sizes={1: -1}), "label 1 cannot have -1 nodes"),
    ],
)
def test_bad_input_says_what_to_do(make: Callable[[], object], message: str) -> None:
    with pytest.raises(cp.ModelError, match=message):
        make()

"""Counts that mathematics knows, through ``count``."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import cpsolve as cp
from benchmarks.counting import dominoes


@pytest.mark.parametrize(("side", "known"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens(side: int, known: int) -> None:
    model = cp.Model()
    queens = model.int_vars(side, 0, side - 1)
    for slope in (-1, 0, 1):
        model.add(cp.all_different(queens + slope * np.arange(side)))
    assert model.count() == known


def test_magic_squares_of_order_three() -> None:
    model = cp.Model()
    x = model.int_vars((3, 3), 1, 9)
    model.add(cp.all_different(x))
    model.add([x.sum(axis=0) == 15, x.sum(axis=1) == 15, x.trace() == 15, x[::-1].trace() == 15])
    assert model.count() == 8
    assert model.backbone() == {x[1, 1]: 5}


@pytest.mark.parametrize(("order", "known"), [(3, 12), (4, 576), (5, 161_280), (6, 812_851_200)])
def test_latin_squares(order: int, known: int) -> None:
    model = cp.Model()
    x = model.int_vars((order, order), 1, order)
    for line in [*x, *x.T]:
        model.add(cp.all_different(line))
    assert model.count() == known


@pytest.mark.parametrize(("rows", "columns", "known"), [(2, 10, 89), (3, 3, 0), (4, 4, 36), (6, 6, 6_728), (8, 8, 12_988_816)])
def test_domino_tilings(rows: int, columns: int, known: int) -> None:
    assert dominoes(rows, columns).count() == known


@pytest.mark.parametrize(("colours", "known"), [(2, 2), (3, 7_812), (4, 6_000_732)])
def test_proper_colourings_of_the_four_by_four_grid(colours: int, known: int) -> None:
    model = cp.Model()
    x = model.int_vars((4, 4), 1, colours)
    model.add([x[1:] != x[:-1], x[:, 1:] != x[:, :-1]])
    assert model.count() == known


@pytest.mark.parametrize(("side", "known"), [(2, 2), (3, 12), (4, 184)])
def test_self_avoiding_walks_from_corner_to_corner(side: int, known: int) -> None:
    model = cp.Model()
    nodes = [(row, column) for row in range(side) for column in range(side)]
    steps = [(a, b) for a in nodes for b in nodes if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    skipped = [(node, node) for node in nodes[1:-1]]
    arcs = [(tail, head, model.bool_var()) for tail, head in steps + skipped if (tail, head) != (nodes[-1], nodes[0])]
    model.add(cp.circuit([*arcs, (nodes[-1], nodes[0], True)]))
    assert model.count() == known


def test_binomials_through_grouped_variables() -> None:
    model = cp.Model()
    x = model.bool_vars(300)
    model.add(x[:200].sum() == 77)
    assert model.count() == comb(200, 77) * 2**100


def test_a_thousand_booleans_in_two_overlapping_sums_are_grouped() -> None:
    model = cp.Model()
    x = model.bool_vars(1000)
    model.add([x[:600].sum() == 250, x[400:].sum() == 300])
    assert model.count() == sum(comb(200, k) * comb(400, 250 - k) * comb(400, 300 - k) for k in range(201))


def test_two_dice() -> None:
    model = cp.Model()
    dice = model.int_vars(2, 1, 6)
    assert model.count_by(dice.sum()) == {total: 6 - abs(7 - total) for total in range(2, 13)}
    assert model.count_by(cp.maximum(dice)) == {face: 2 * face - 1 for face in range(1, 7)}

"""The puzzles of the benchmark: each has one answer, and they are made as it says."""

from __future__ import annotations

import doctest

import pytest

from benchmarks import puzzles
from benchmarks.puzzle_instances import SIZES, Instance, instances, make
from benchmarks.puzzle_models import KINDS

KEPT = instances()


@pytest.mark.parametrize("instance", KEPT, ids=lambda each: f"{each.kind} {each.size}")
def test_a_kept_puzzle_has_one_answer(instance: Instance) -> None:
    assert len(instance.words) == instance.rows
    assert {len(row) for row in instance.words} == {instance.columns}
    assert KINDS[instance.kind](instance.words).unique()


def test_every_kind_comes_in_three_sizes() -> None:
    kept = [(each.kind, each.rows, each.columns) for each in KEPT]
    assert kept == [(kind, *size) for kind, sizes in SIZES.items() for size in sizes]
    assert [len(SIZES[kind]) for kind in KINDS] == [3] * len(KINDS)


@pytest.mark.parametrize("kind", ["nurikabe", "fillomino", "masyu", "slitherlink", "yajilin"])
def test_a_small_puzzle_is_made_the_same_for_the_same_seed_and_has_one_answer(kind: str) -> None:
    made = make(kind, 5, 5)
    assert made == make(kind, 5, 5)
    assert KINDS[kind](made.words).unique()
    assert make(kind, 5, 5, seed=made.seed + 1) != made


def test_the_length_of_a_model_is_told_without_its_docstring() -> None:
    found = doctest.testmod(puzzles)
    assert (found.attempted, found.failed) == (1, 0)

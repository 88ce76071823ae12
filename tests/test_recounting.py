"""The second engine for numbers of acyclic paths: against walking them one by one, against mathematics, and against the first engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.catalogue import game
from cpsolve.errors import LimitError, SolverError
from cpsolve.limits import Deadline
from cpsolve.puzzles import recounting, search
from cpsolve.puzzles.descriptions import recounted
from cpsolve.puzzles.garden import Garden, route
from cpsolve.puzzles.paths import count_paths
from cpsolve.puzzles.plans import Move, Puzzle
from cpsolve.puzzles.recounting import recount
from models import busy_police, pacman


@dataclass(frozen=True)
class Graph:
    """A puzzle that is nothing but a graph: from node 0 to one of the goals."""

    arcs: tuple[tuple[int, ...], ...]
    goals: frozenset[int]

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> Iterable[tuple[Move, int]]:
        return ((Move(str(head)), head) for head in self.arcs[state])

    def is_goal(self, state: int) -> bool:
        return state in self.goals


def walked(puzzle: Puzzle[Any]) -> int:
    return sum(1 for _ in search.all_paths(puzzle, search.Meter("dfs", None, None)))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to eight nodes, with arcs of which some, none or all can be walked both ways."""
    size = draw(st.integers(1, 8))
    pairs = [(tail, head) for tail in range(size) for head in range(tail)]
    edges = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    two_way = draw(st.booleans())
    arcs: list[set[int]] = [set() for _ in range(size)]
    for tail, head in edges:
        way = 3 if two_way else draw(st.integers(1, 3))
        if way & 1:
            arcs[tail].add(head)
        if way & 2:
            arcs[head].add(tail)
    goals = draw(st.sets(st.integers(0, size - 1), max_size=3))
    return Graph(tuple(tuple(sorted(heads)) for heads in arcs), frozenset(goals))


@settings(max_examples=400, deadline=None)
@given(graph=graphs())
def test_the_number_is_that_of_walking_every_path(graph: Graph) -> None:
    assert recount(graph, Deadline(None)) == walked(graph)


@st.composite
def gardens(draw: st.DrawFn) -> Garden:
    """A small garden with flowers and stones."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    cells = draw(st.lists(st.sampled_from("..o#"), min_size=width * height, max_size=width * height))
    start, end = draw(st.permutations(range(width * height)))[:2]
    cells[start], cells[end] = "S", "E"
    return Garden("\n".join("".join(cells[row * width : (row + 1) * width]) for row in range(height)))


@settings(max_examples=100, deadline=None)
@given(garden=gardens())
def test_both_engines_agree_where_things_are_picked_up(garden: Garden) -> None:
    assert recount(garden, Deadline(None)) == count_paths(route(garden)) == walked(garden)


@pytest.mark.parametrize(("side", "known"), [(2, 2), (4, 184), (6, 1_262_816), (8, 789_360_053_252)])
def test_self_avoiding_walks_from_corner_to_corner_are_as_many_as_is_known(side: int, known: int) -> None:
    rows = ["S" + "." * (side - 1), *["." * side] * (side - 2), "." * (side - 1) + "E"]
    assert recount(Garden("\n".join(rows)), Deadline(None)) == known


def test_both_engines_agree_on_the_boards_that_come_along() -> None:
    for scene in busy_police.SCENES.values():
        assert recount(scene, Deadline(None)) == busy_police.count_paths(scene)
    assert recount(pacman.BOARDS["seed"], Deadline(None)) == pacman.count_paths(pacman.BOARDS["seed"])


def test_a_wrong_number_of_paths_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    board = pacman.BOARDS["seed"]
    right = pacman.count_paths(board)
    with pytest.raises(SolverError, match="when they were counted once more"):
        recounted(right + 1, board, Deadline(None))
    monkeypatch.setattr(pacman, "count_paths", lambda board, time_limit=None: right - 1)
    counting = game("pacman").count
    assert counting is not None
    with pytest.raises(SolverError, match="when they were counted once more"):
        counting(board, check=True)


def test_a_second_count_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    large = Garden("\n".join(["S" + "." * 19, *["." * 20] * 18, "." * 19 + "E"]))
    looks = count()
    monkeypatch.setattr(recounting, "SLICE", 16)
    monkeypatch.setattr("cpsolve.limits.time.monotonic", lambda: float(next(looks)))
    with pytest.raises(LimitError):
        recount(large, Deadline(50))
    assert recounted(1, large, Deadline(50)).backend == ""

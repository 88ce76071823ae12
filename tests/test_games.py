"""The generic search against plain minimax, on a game with passes and on one without."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.errors import ModelError, TimeLimitError
from cpsolve.puzzles.games import DECISIVE, WIN, Pile, alpha_beta, deepen, perft, playout

checked = settings(deadline=None, max_examples=150, derandomize=True)


@dataclass(frozen=True)
class Walk:
    """A random finite game: a node of an implicit tree, in which a player may move twice in a row and a game may be drawn."""

    node: int
    height: int
    seed: int
    to_move: str = "a"

    def _chance(self, salt: int, sides: int) -> int:
        return hash((self.node, self.seed, self.height, ord(self.to_move), salt)) % 1009 % sides

    @property
    def is_over(self) -> bool:
        return self.height == 0 or self._chance(1, 7) == 0

    @property
    def winner(self) -> str | None:
        return ("a", "b", None)[self._chance(2, 3)] if self.is_over else None

    def legal_moves(self) -> tuple[int, ...]:
        return () if self.is_over else tuple(range(1 + self._chance(3, 3)))

    def play(self, move: int) -> Walk:
        other = "b" if self.to_move == "a" else "a"
        # few nodes a level, so that different moves meet again
        node = (self.node + move + self._chance(4, 3)) % 5
        return Walk(node, self.height - 1, self.seed, self.to_move if self._chance(5, 4) == 0 else other)


def judge(position: Walk) -> float:
    return hash((position.node, position.seed)) % 21 - 10


@cache
def minimax(position: Any, depth: float) -> float:
    """For the player to move; no pruning, no table of bounds."""
    if position.is_over:
        return 0 if position.winner is None else WIN if position.winner == position.to_move else -WIN
    if depth == 0:
        return judge(position)
    values = []
    for move in position.legal_moves():
        child = position.play(move)
        value = minimax(child, depth - 1) * (1 if child.to_move == position.to_move else -1)
        values.append(value - 1 if value > DECISIVE else value + 1 if value < -DECISIVE else value)
    return max(values)


walks = st.builds(Walk, st.integers(0, 4), st.integers(0, 8), st.integers(0, 10**6))


@checked
@given(walks, st.one_of(st.integers(0, 6), st.just(math.inf)))
def test_alpha_beta_finds_the_value_of_plain_minimax(walk: Walk, depth: float) -> None:
    outlook = alpha_beta(walk, depth, judge)
    assert outlook.value == minimax(walk, depth)
    assert alpha_beta(walk, depth, judge, order=lambda _, moves: reversed(moves)).value == outlook.value


@checked
@given(walks, st.integers(1, 8))
def test_the_line_of_best_play_keeps_the_value_to_its_end(walk: Walk, depth: int) -> None:
    outlook = alpha_beta(walk, depth, judge)
    position, sign = walk, 1
    for move in outlook.line:
        child = position.play(move)
        sign *= 1 if child.to_move == position.to_move else -1
        position = child
    assert position.is_over or len(outlook.line) == depth
    end = sign * minimax(position, 0)
    faded = end - len(outlook.line) if end > DECISIVE else end + len(outlook.line) if end < -DECISIVE else end
    assert faded == outlook.value


@checked
@given(walks, st.integers(1, 8))
def test_a_proven_value_is_the_value_of_the_whole_game(walk: Walk, depth: int) -> None:
    outlook = alpha_beta(walk, depth, judge)
    if outlook.proven:
        assert outlook.value == minimax(walk, math.inf)


@checked
@given(walks)
def test_deepening_without_haste_proves_the_game(walk: Walk) -> None:
    outlook = deepen(walk, time_limit=60, evaluate=judge)
    assert outlook.proven
    assert outlook.value == minimax(walk, math.inf)


def test_deepening_looks_one_ply_ahead_without_any_time() -> None:
    outlook = deepen(Pile(60), time_limit=0)
    assert outlook.depth >= 1
    assert outlook.move in (1, 2, 3)


def test_a_search_out_of_time_says_so_and_gives_no_value() -> None:
    with pytest.raises(TimeLimitError, match="deepen"):
        alpha_beta(Pile(500), depth=400, time_limit=0)


@pytest.mark.parametrize("stones", range(1, 25))
def test_who_faces_a_multiple_of_four_loses_the_pile(stones: int) -> None:
    outlook = alpha_beta(Pile(stones))
    assert outlook.proven
    assert (outlook.value < 0) == (stones % 4 == 0)
    assert outlook.plies == len(outlook.line)


def test_an_evaluation_cannot_pass_for_a_win() -> None:
    with pytest.raises(ModelError, match="evaluation"):
        alpha_beta(Pile(9), 1, evaluate=lambda _: DECISIVE)


@pytest.mark.parametrize("depth", [-1, 1.5])
def test_a_depth_is_a_number_of_plies(depth: float) -> None:
    with pytest.raises(ModelError, match="plies"):
        alpha_beta(Pile(3), depth)


def test_perft_counts_the_ordered_sums_of_a_pile() -> None:
    for depth in range(11):
        assert perft(Pile(10), depth) == sum(len(ordered_sums(taken, depth)) for taken in range(11))


def ordered_sums(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 0:
        return [()] if total == 0 else []
    return [(first, *rest) for first in (1, 2, 3) if first <= total for rest in ordered_sums(total - first, parts - 1)]


def test_a_playout_is_the_same_for_the_same_seed_and_ends() -> None:
    games = [[pile.stones for pile in playout(Pile(30), seed)] for seed in (4, 4, 5)]
    assert games[0] == games[1] != games[2]
    assert all(game[-1] == 0 for game in games)

"""What every two-player game promises, checked on random games: subclass GameConformance and give it a GameUnderTest.

    class TestConformance(GameConformance):
        game = GameUnderTest(...)

The slow rules are written anew in the game's tests from the text of the original, on plain lists and sets, so that a mistake in the
fast ones has to be made twice to pass.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from cpsolve.puzzles.games import Position, perft, playout


@dataclass(frozen=True)
class GameUnderTest:
    """A game and the independent knowledge that it is held against.

    ``legal_slowly`` and ``winner_slowly`` are other implementations of the rules; ``invariants`` yields (what, whether it holds) for
    a position; ``illegal`` gives moves that must be refused; ``round_trips`` pairs a writer with its reader, by name;
    ``perft`` holds the known numbers of sequences of 1, 2, 3 … moves from a position.
    """

    starts: Sequence[Position[Any]]
    legal_slowly: Callable[[Any], Iterable[Any]]
    winner_slowly: Callable[[Any], str | None]
    invariants: Callable[[Any], Iterable[tuple[str, bool]]]
    illegal: Callable[[Any], Iterable[Any]]
    round_trips: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]
    perft: Sequence[tuple[Position[Any], Sequence[int]]]


class GameConformance:
    """The suite: one subclass a game."""

    game: ClassVar[GameUnderTest]
    playouts = 12

    def positions(self) -> Iterable[Any]:
        for number, start in enumerate(self.game.starts):
            for seed in range(self.playouts):
                yield from playout(start, seed=100 * number + seed)

    def test_random_games_end_and_keep_every_invariant(self) -> None:
        for position in self.positions():
            for what, holds in self.game.invariants(position):
                assert holds, f"{what} does not hold in\n{position}"

    def test_legal_moves_are_those_of_the_slow_rules(self) -> None:
        for position in self.positions():
            moves = list(position.legal_moves())
            assert len(set(moves)) == len(moves), f"a move is listed twice in\n{position}"
            assert set(moves) == set(self.game.legal_slowly(position)), f"\n{position}"

    def test_the_winner_is_that_of_the_slow_rules(self) -> None:
        for position in self.positions():
            assert position.winner == self.game.winner_slowly(position), f"\n{position}"

    def test_a_game_is_over_exactly_when_nobody_may_move(self) -> None:
        for position in self.positions():
            assert position.is_over == (len(position.legal_moves()) == 0), f"\n{position}"
            assert position.is_over or position.winner is None, f"\n{position}"

    def test_a_move_leaves_the_position_it_came_from_unchanged(self) -> None:
        for position in self.positions():
            before = (str(position), hash(position), position.to_move)
            for move in position.legal_moves():
                child = position.play(move)
                assert child != position
                assert child == position.play(move)
                assert hash(child) == hash(position.play(move))
            assert before == (str(position), hash(position), position.to_move)

    def test_an_illegal_move_is_refused_with_the_position_in_the_message(self) -> None:
        for position in self.positions():
            for move in self.game.illegal(position):
                with pytest.raises(ValueError, match=r"\S") as refused:
                    position.play(move)
                assert str(position) in str(refused.value)

    def test_every_written_form_reads_back_as_the_same_position(self) -> None:
        for position in self.positions():
            for name, (write, read) in self.game.round_trips.items():
                assert read(write(position)) == position, f"{name} of\n{position}"
            assert pickle.loads(pickle.dumps(position)) == position

    def test_the_number_of_games_is_the_known_one(self) -> None:
        for start, counts in self.game.perft:
            assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == list(counts)

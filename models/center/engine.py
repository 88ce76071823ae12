"""Perfect play: who wins, in how many plies, with which moves.

The idea: ask for a forced win of either player within 1, 2, 3 … stones until one is found; then the number is exact, because all
smaller ones were refuted. Each question is answered by the compiled search in ``kernels``; what is here turns positions into
arrays, asks in slices (so that limits, progress and Ctrl-C are heard) and reads best moves and lines off the same table.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cpsolve import limits
from cpsolve.checks import SECONDS
from cpsolve.errors import MemoryLimitError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from cpsolve.puzzles import games
from models.center.board import board
from models.center.rules import EMPTY, FIRST, SECOND, SWAP, Move, Position, opponent

if TYPE_CHECKING:
    from models.center.kernels import State

TABLE_BITS = {25: 14, 40: 20}
"""The logarithm of the table's size by the number of cells up to which it is enough; see LARGEST_TABLE for larger boards."""
SMALLEST_TABLE, LARGEST_TABLE = 10, 192 << 20
"""However little memory there is; and the bytes that a table takes at most if nobody asks for more."""
FIRST_SLICE = 500_000
"""Cells of positions searched before the clock is looked at for the first time; later slices grow with what was done."""
SMALLEST_SLICE, LAST_SLICE = 100, 60.0
"""Positions; and the seconds left from which on no slice is to take longer than there is time."""
PLAYERS = {FIRST: 0, SECOND: 1}


Verdict = games.Verdict[Move]
"""Who wins, when and how: ``plies`` counts the stones, and a swap."""


def solve(
    position: Position, time_limit: float | None = None, *, max_memory: int | None = None, check: bool = False, progress: bool = False
) -> Verdict:
    """Who wins under best play and in how many plies, exactly, with all best moves and a line that was replayed by the rules.

    Raises TimeLimitError, which tells what was refuted so far, when ``time_limit`` seconds pass. With ``max_memory`` (bytes) its table is
    made so small that it fits, which is slower; where nothing fits, MemoryLimitError. With ``check`` plain alpha-beta answers once more,
    where it ends in time.

    >>> verdict = solve(Position(size=3))
    >>> verdict.winner, verdict.plies, len(verdict.best), verdict.line[-1]
    ('x', 3, 8, (2, 2))
    >>> solve(Position(size=3), check=True).check.note
    'checked by alpha-beta: the same winner, plies and best moves'
    """
    started = time.perf_counter()
    load()
    with Deadline(time_limit, max_memory).watched() as deadline, Progress("solving Center", enabled=progress) as shown:
        verdict = replace(_solve(position, deadline, shown), seconds=time.perf_counter() - started)
        _ = verdict.line  # replayed by the rules before anyone sees it
        return games.confirmed(verdict, min(SECONDS, deadline.remaining())) if check else verdict


def outcomes(
    position: Position, time_limit: float | None = None, *, max_memory: int | None = None, progress: bool = False
) -> dict[Move, tuple[str | None, int]]:
    """For every legal move the winner after it and the plies to the end, the move included.

    >>> set(outcomes(Position(size=5)).values())
    {('x', 7)}
    """
    load()
    with Deadline(time_limit, max_memory).watched() as deadline, Progress("solving Center", enabled=progress) as shown:
        if position.swap and position.count(FIRST) + position.count(SECOND) <= 1:
            verdicts = {move: _solve(position.play(move), deadline, shown) for move in _in_time(position.legal_moves(), deadline)}
            return {move: (verdict.winner, verdict.plies + 1) for move, verdict in verdicts.items()}
        proofs = Proofs(position, deadline, shown)
        found: dict[Move, tuple[str | None, int]] = {}
        twins = alike(position)
        for move in _in_time(dict.fromkeys(twins.values()), deadline):
            with proofs.after(move):
                winner, plies = proofs.decide()
                found[move] = (winner, plies + 1)
        return {move: found[twin] for move, twin in twins.items()}


def alike(position: Position) -> dict[Move, Move]:
    """For every legal move the first of those that a symmetry of the position maps it onto: they are worth the same.

    >>> sorted(set(alike(Position(size=5)).values()))
    [(1, 1), (2, 1), (3, 1)]
    """
    area, stones = position.board, position.stones
    kept = [image for image in area.symmetries if all(stones[image[number]] == stone for number, stone in enumerate(stones))]
    return {move: SWAP if move == SWAP else area.cells[min(image[area.index[move]] for image in kept)] for move in position.legal_moves()}


def _in_time(moves: Iterable[Move], deadline: Deadline) -> Iterator[Move]:
    """The moves, each as long as there is time for what follows it: on a large board even the end of a game takes long to see."""
    for move in moves:
        deadline.check("finding what every move leads to")
        yield move


def _solve(position: Position, deadline: Deadline, shown: Progress) -> Verdict:
    if position.is_over:
        return Verdict(position, position.winner, 0, ())
    if position.can_swap:
        return _solve_with_swap(position, deadline, shown)
    if position.swap and EMPTY * len(position.stones) == position.stones:
        return _solve_before_swap(position, deadline, shown)
    proofs = Proofs(position, deadline, shown)
    winner, plies = proofs.decide()
    best = proofs.best(winner, plies)
    line = proofs.line(winner, plies, best[0])
    return Verdict(position, winner, len(line) if winner is None else plies, best, nodes=proofs.nodes, continuation=line)


def _solve_with_swap(position: Position, deadline: Deadline, shown: Progress) -> Verdict:
    """The better of going on and of taking over the stone."""
    on = replace(_solve(replace(position, swap=False), deadline, shown), position=position)
    over = _solve(position.play(SWAP), deadline, shown)
    over = replace(over, position=position, plies=over.plies + 1, best=(SWAP,), continuation=(SWAP, *over.line))
    player = position.to_move
    if _worth(on, player) == _worth(over, player):
        return replace(on, best=(*on.best, SWAP))
    return max(on, over, key=lambda verdict: _worth(verdict, player))


def _solve_before_swap(position: Position, deadline: Deadline, shown: Progress) -> Verdict:
    """The first stone when the answer may be a swap: every first stone, one of those alike."""
    twins = alike(position)
    found = {move: _solve(position.play(move), deadline, shown) for move in _in_time(dict.fromkeys(twins.values()), deadline)}
    player = position.to_move
    top = max(_worth(verdict, player) for verdict in found.values())
    best = tuple(move for move, twin in twins.items() if _worth(found[twin], player) == top)
    after = found[twins[best[0]]]
    line = (twins[best[0]], *after.line)
    nodes = sum(verdict.nodes for verdict in found.values())
    return Verdict(position, after.winner, after.plies + 1, best, nodes=nodes, continuation=line)


def _worth(verdict: Verdict, player: str) -> int:
    """Wins before draws before losses; soon before late wins, late before soon losses."""
    if verdict.winner is None:
        return 0
    return 10_000 - verdict.plies if verdict.winner == player else verdict.plies - 10_000


class Proofs:
    """A position, its arrays and a table that all questions about it and what follows from it share."""

    def __init__(
        self,
        position: Position,
        deadline: Deadline | None = None,
        shown: Progress | None = None,
        limit: int | None = None,
        table_bits: int | None = None,
    ) -> None:
        self.position = position
        self.deadline = Deadline(None) if deadline is None else deadline
        self.shown = shown or Progress("", enabled=False)
        self.limit = limit
        self.nodes = 0
        self.refuted = {FIRST: 0, SECOND: 0}
        self.state = state_of(position, table_bits, self.deadline.room())

    @contextmanager
    def after(self, move: Move) -> Iterator[None]:
        """Everything inside is about the position after a move."""
        before = self.position
        assert move != SWAP  # positions that allow it are taken apart before
        cell = before.board.index[move]
        self.position = before.play(move)
        self.state.put(cell, PLAYERS[before.to_move])
        try:
            yield
        finally:
            self.state.lift(cell, PLAYERS[before.to_move])
            self.position = before

    def wins(self, attacker: str, stones: int) -> bool:
        """Whether a player can be sure to win within a number of stones from here.

        Raises TimeLimitError when the deadline passes or more positions were met than ``limit``.
        """
        from models.center.kernels import ABORTED, LIMIT, NODES

        counters = self.state.counters
        slice_size, begun, before = FIRST_SLICE // len(self.position.stones), time.perf_counter(), self.nodes
        while True:
            if self.limit is not None:
                slice_size = min(slice_size, self.limit - self.nodes)
            counters[NODES], counters[LIMIT], counters[ABORTED] = 0, slice_size, 0
            found = self.state.prove(PLAYERS[self.position.to_move], PLAYERS[attacker], stones)
            self.nodes += int(counters[NODES])
            if not counters[ABORTED]:
                return found
            self.shown.update(f"{attacker} within {stones} plies, {self.nodes:,} positions")
            if (self.limit is not None and self.nodes >= self.limit) or self.deadline.passed():
                kind, more = (MemoryLimitError, "memory") if self.deadline.full else (TimeLimitError, "time")
                raise kind(
                    f"the limit was met after {self.nodes:,} positions; so far x cannot force a win within {self.refuted['x']} plies, "
                    f"nor o within {self.refuted['o']}: allow more {more}"
                )
            slice_size *= 2  # what was found so far is in the table, the next slice gets there quickly
            left = self.deadline.remaining()
            if left < LAST_SLICE:
                speed = (self.nodes - before) / (time.perf_counter() - begun)
                slice_size = max(SMALLEST_SLICE, min(slice_size, int(left * speed)))

    def decide(self) -> tuple[str | None, int]:
        """The winner and the plies to the end; (None, the number of empty cells) when neither can force a win."""
        position = self.position
        if position.is_over:
            return position.winner, 0
        empty = position.stones.count(EMPTY)
        free = self._free()
        hopeful = [player for player in (position.to_move, opponent(position.to_move)) if may_ever_win(position, player)]
        for stones in range(1, empty + 1):
            for attacker in hopeful:
                # While nobody can be made to pass, a player ends the game on their own turn only.
                own_turn = (stones % 2 == 1) == (attacker == position.to_move)
                if own_turn or free < stones:
                    if self.wins(attacker, stones):
                        return attacker, stones
                    self.refuted[attacker] = stones
        return None, empty

    def _free(self) -> int:
        from models.center.kernels import FREE

        return int(self.state.counters[FREE])

    def keeps(self, move: Move, winner: str | None, plies: int) -> bool:
        """Whether a move is best when the position is worth ``plies`` to ``winner``."""
        self.deadline.check("finding a game of best play")
        player = self.position.to_move
        with self.after(move):
            if self.position.is_over:
                return self.position.winner == winner and (winner is not None or self.position.winner is None)
            if winner == player:
                return self.wins(player, plies - 1)
            if winner is None:
                return not (may_ever_win(self.position, opponent(player)) and self.wins(opponent(player), plies - 1))
            return not self.wins(winner, plies - 2)

    def best(self, winner: str | None, plies: int) -> tuple[Move, ...]:
        """All moves that keep the value of the position."""
        twins = alike(self.position)
        kept = {move: self.keeps(move, winner, plies) for move in dict.fromkeys(twins.values())}
        return tuple(move for move, twin in twins.items() if kept[twin])

    def line(self, winner: str | None, plies: int, first: Move) -> tuple[Move, ...]:
        """A game of best play that starts with a best move; TimeLimitError when the deadline passes before its end."""
        moves = [first]
        with ExitStack() as played:  # a drawn game on a large board has more plies than Python lets a function call itself
            played.enter_context(self.after(first))
            while not self.position.is_over:
                self.shown.update(f"a game of best play, {len(moves):,} plies")
                self.deadline.check("finding a game of best play")
                plies -= 1
                moves.append(next(move for move in self._likely() if self.keeps(move, winner, plies)))
                played.enter_context(self.after(moves[-1]))
        return tuple(moves)

    def _likely(self) -> list[Move]:
        """The legal moves, those that decided most often first: finding one best move needs few tries."""
        history = self.state.history[PLAYERS[self.position.to_move]]
        numbers = self.position.board.index
        return sorted(self.position.legal_moves(), key=lambda move: 0 if move == SWAP else -int(history[numbers[move]]))


def may_ever_win(position: Position, player: str) -> bool:
    """False when too few directions are left in which a player can ever be seen from the centre.

    >>> may_ever_win(Position(size=17), "x"), may_ever_win(Position(size=19), "x")
    (True, False)
    """
    open_directions = 0
    for ray in position.board.rays[position.board.index[position.centre]].values():
        nearest = next((position.stone(cell) for cell in ray[:1]), EMPTY)
        open_directions += nearest in (EMPTY, player)
    return open_directions >= position.distance(position.centre)


@lru_cache(maxsize=16)
def _geometry(shape: str, size: int) -> tuple[NDArray[Any], ...]:
    """The arrays that every position on a board shares: steps, distances, hashes of the symmetries, salts."""
    area = board(shape, size)
    chance = np.random.default_rng(2022)
    code = chance.integers(1, 2**64, (2, len(area.cells)), dtype=np.uint64)
    random = np.stack([code[:, list(image)] for image in area.symmetries])
    salt = chance.integers(1, 2**64, (2, 2), dtype=np.uint64)
    images = np.array(area.symmetries, np.int16)
    back = np.argsort(images, axis=1).astype(np.int16)
    carry = np.stack([back[:, image] for image in images])
    distance = np.array(area.distances, np.int8)
    return np.array(area.neighbours, np.int64), distance, np.ascontiguousarray(random), salt, np.ascontiguousarray(carry)


@cache
def load() -> None:
    """Compiles the search, or loads it: neither is part of an answer's time."""
    Proofs(Position(size=3)).decide()


def state_of(position: Position, table_bits: int | None = None, room: int | None = None) -> State:
    """The arrays of a position with an empty table, which takes at most half of the room in memory.

    >>> state_of(Position(size=3), table_bits=4).sight.shape, len(state_of(Position(size=9), room=10**6).keys)
    ((2, 9), 8192)
    """
    with limits.loading():
        from models.center import kernels

    step, distance, random, salt, carry = _geometry(position.shape, position.size)
    cells = len(distance)
    words = -(-(cells + kernels.IMAGE_BITS) // 64)
    entry = 12 + 16 * words  # the key, two numbers of stones and two zones
    if table_bits is None:
        table_bits = next((bits for most, bits in TABLE_BITS.items() if cells <= most), (LARGEST_TABLE // entry).bit_length() - 1)
    if room is not None:
        table_bits = max(SMALLEST_TABLE, min(table_bits, (room // (2 * entry)).bit_length() - 1))
    limits.require(entry << table_bits, "the table of the search")
    state = kernels.State(
        stone=np.array([kernels.EMPTY] * cells + [kernels.WALL], np.int8),
        sight=np.zeros((2, cells), np.int8),
        step=step,
        distance=distance,
        hashes=np.zeros(len(random), np.uint64),
        random=random,
        salt=salt,
        keys=np.zeros(1 << table_bits, np.uint64),
        known=np.full((1 << table_bits, 2), (kernels.NEVER, -1), np.int16),
        kept=np.zeros((1 << table_bits, 2, words), np.uint64),
        carry=carry,
        zone=np.zeros((cells + 2, words), np.uint64),
        doubtful=np.zeros((cells + 2, words), np.uint64),
        cost=np.zeros(step.shape[1], np.int64),
        history=np.zeros((2, cells), np.int64),
        moves=np.zeros((cells + 2, cells), np.int64),
        scores=np.zeros((cells + 2, cells), np.int64),
        counters=np.zeros(5, np.int64),
    )
    state.counters[kernels.FREE] = np.count_nonzero(distance == 0)
    state.counters[kernels.LIMIT] = np.iinfo(np.int64).max
    for number, stone in enumerate(position.stones):
        if stone != EMPTY:
            state.put(number, PLAYERS[stone])
    return state

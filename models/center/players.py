"""Who plays: ten levels of computer players, people at a keyboard, and matches between any two of them.

A player is a function from a position to one of its legal moves. Level 1 plays at random; those above it take the centre but overlook
threats, less and less; the next look further and further ahead by alpha-beta and slip less and less (:mod:`cpsolve.puzzles.levels`). How
often depends on the board, so that each level beats the one below on all; on 5×5, where games are short, levels 2 to 4 even miss the
centre. Level 10 first tries to prove a forced win of either side and, where it cannot, looks six to nine plies ahead for the best move
that no proof refutes. ``"original"`` is the second level of the original's own program, to measure the others against. Work is counted in
positions, never by the clock, so a seed fixes every game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.levels import Level, check_level, in_words
from models.center.board import Board, Cell
from models.center.engine import PLAYERS, Proofs
from models.center.rules import EMPTY, FIRST, SECOND, SWAP, Move, Position, opponent

Player = Callable[[Position], Move]


def _ladder(misses: Sequence[float] = (), overlooks: Sequence[float] = (), slips: Sequence[float] = ()) -> dict[int, Level]:
    """The levels from 2 to 9: first those that miss wins (and see no threat), then those that overlook threats, then those that slip."""
    levels = [Level(1, 1.0, overlooks=1.0, misses=chance) for chance in misses]
    levels += [Level(1, 1.0, overlooks=chance) for chance in overlooks]
    levels += [Level(PLIES.get(number, 2), chance) for number, chance in enumerate(slips, len(levels) + 2)]
    return dict(enumerate(levels, 2))


PLIES = {8: 3, 9: 4}
"""How far these look ahead; those below two plies, if at all."""
STANDARD = {
    2: Level(1, 0.3, overlooks=0.93),
    3: Level(1, 0.85, overlooks=0.44),
    4: Level(2, 0.87, overlooks=0.12),
    5: Level(2, 0.78),
    6: Level(2, 0.56),
    7: Level(2, 0.345),
    8: Level(3, 0.25),
    9: Level(4, 0.1),
}
LADDERS = {
    ("square", 5): _ladder(misses=(0.92, 0.78, 0.48), overlooks=(0.88, 0.42, 0.03), slips=(0.7, 0.37)),
    ("square", 7): _ladder(overlooks=(0.98, 0.49, 0.16), slips=(0.91, 0.725, 0.5, 0.37, 0.18)),
    ("square", 9): STANDARD,
    ("square", 11): STANDARD,
    ("square", 13): STANDARD | {4: Level(2, 0.83, overlooks=0.12)},
    ("hex", 4): _ladder(overlooks=(0.98, 0.49, 0.08), slips=(0.845, 0.59, 0.35, 0.265, 0.1)),
    ("hex", 5): STANDARD
    | {
        2: Level(1, 0.3, overlooks=0.94),
        3: Level(1, 0.78, overlooks=0.44),
        4: Level(2, 0.8, overlooks=0.12),
        5: Level(2, 0.7),
        6: Level(2, 0.51),
        7: Level(2, 0.3),
    },
    ("hex", 6): STANDARD
    | {
        2: Level(1, 0.3, overlooks=0.89),
        3: Level(1, 0.72, overlooks=0.44),
        4: Level(2, 0.74, overlooks=0.12),
        5: Level(2, 0.65),
        6: Level(2, 0.49),
        7: Level(2, 0.31),
        8: Level(3, 0.22),
    },
}
"""The levels by shape and size, chosen by thousands of games so that each beats the one below clearly (``benchmarks/results/ladder.md``).

On 5×5, where few moves decide a game, nine equal steps are two to one each, and only if the lowest levels miss wins."""
STRONGEST = 10
ORIGINAL = "original"
"""The name of the original's own level 2."""
LEVELS = dict(
    in_words({number: [each[number] for each in LADDERS.values()] for number in STANDARD}, "as strong as it can be within a second")
)
"""The levels, each in words."""
NAMED = {ORIGINAL: "the original's own level 2"}
PROOF_EFFORT, LOOK_EFFORT, DOUBT_EFFORT = 24_000_000, 100_000_000, 10_000_000
"""What the strongest spends on forced wins, on looking ahead and on refuting what it found: together about 0.7 s on one core."""
SLOW = 2.0
"""Seconds in which the whole effort is done on a slow core."""
PROOF_TABLE_BITS, LOOK_TABLE_BITS = 18, 16


def choose_move(
    position: Position,
    level: int | str = 1,
    seed: int | None = None,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> Move:
    """A move by a computer player: 1 random … 10 as strong as it can be within a second; or ``"original"``.

    The same seed gives the same move; without one it may differ from call to call where several are as good. With a ``time_limit``
    below ``SLOW`` seconds it looks at fewer positions in proportion.

    >>> position = Position.from_rows(["x..", "...", "..o"])
    >>> choose_move(position, level=5, seed=1), choose_move(position, level=10, seed=1)
    ((2, 2), (2, 2))
    >>> choose_move(Position(size=5), level=1, seed=7) == choose_move(Position(size=5), level=1, seed=7)
    True
    """
    check_level(level, LEVELS, NAMED)
    with Deadline(time_limit, max_memory).watched() as deadline:
        return _chosen(position, level, seed, deadline)


def _chosen(position: Position, level: int | str, seed: int | None, deadline: Deadline) -> Move:
    share = min(1.0, deadline.remaining() / SLOW)
    if position.is_over:
        raise ModelError(f"the game is over, there is no move to choose:\n{position}")
    if isinstance(level, str):
        return original(position)
    chance = random.Random(seed)
    moves = list(position.legal_moves())
    chance.shuffle(moves)
    if level == 1 or len(moves) == 1:
        return moves[0]
    chosen = None if level == STRONGEST else ladder(position.board)[level]
    if position.centre in moves:
        return moves[0] if chosen and chosen.miss(chance) else position.centre
    if chosen is None:
        return _proving(position, moves, share)
    if chosen.overlook(chance):
        return moves[0]
    if chosen.slip(chance):
        return _slip(position, moves)
    return _looking_ahead(position, moves, chosen.plies, share)


def ladder(board: Board) -> dict[int, Level]:
    """The levels between random and strongest on a board; where none were measured, those of the nearest size of the same shape.

    >>> from models.center.board import board
    >>> ladder(board("square", 3)) == ladder(board("square", 5)), ladder(board("hex", 9)) == LADDERS["hex", 6]
    (True, True)
    """
    sizes = [size for shape, size in LADDERS if shape == board.shape]
    return LADDERS[board.shape, min(sizes, key=lambda size: abs(size - board.size))]


def original(position: Position) -> Move:
    """The move of the original's level 2, which compares moves two by two and keeps half of them until one is left.

    A move's score is how many friends the centre still lacks after it. Rounds keep the larger and the smaller score of each pair in
    turn, so that the last keeps the smaller; of equal scores the first, and a move left over stays. It looks no further, not even for
    the centre itself, and it never swaps.

    >>> original(Position(size=5))
    (2, 1)
    """
    moves = [move for move in position.legal_moves() if move != SWAP]
    player = position.to_move
    left = [(position.value(player, after=move), move) for move in moves]
    rounds = (len(left) - 1).bit_length()
    for number in range(rounds, 0, -1):
        smaller = number % 2 == 1
        pairs = [left[start : start + 2] for start in range(0, len(left), 2)]
        left = [min(pair, key=lambda each: each[0] if smaller else -each[0]) for pair in pairs]
    return left[0][1]


def _slip(position: Position, moves: list[Move]) -> Move:
    """The first move that does not let the other take the centre at once."""
    other = opponent(position.to_move)
    return next((move for move in moves if move == SWAP or position.value(other, after=move) > 0), moves[0])


def _looking_ahead(position: Position, moves: list[Move], plies: int, share: float) -> Move:
    """The best move some plies ahead, less on very large boards, the first of those given that are as good."""
    if position.can_swap or (position.swap and position.count(FIRST) == 0):
        return moves[0]  # there is nothing to see yet
    return _deepest_look(Proofs(position, table_bits=1), moves, _positions(share * LOOK_EFFORT, position), plies, hasty=False)[0]


def _positions(effort: float, position: Position) -> int:
    """How many positions an effort buys: each costs as much as its cells and about 60 more."""
    return int(effort) // (len(position.stones) + 60)


# -- the strongest level


def _proving(position: Position, moves: list[Move], effort: float) -> Move:
    """The move of the strongest player, who spends this share of the whole effort."""
    if position.swap and position.count(FIRST) + position.count(SECOND) == 0:
        return next(move for move in moves if move in corners(position.board))
    proofs = Proofs(position, limit=_positions(effort * PROOF_EFFORT, position), table_bits=PROOF_TABLE_BITS)
    placements: list[Move] = [move for move in moves if move != SWAP]
    try:
        winner, plies = proofs.decide()
        if position.can_swap and winner == opponent(position.to_move):
            return SWAP  # the stone that wins for the other is one's own then, with the other to move
        return next(move for move in placements if proofs.keeps(move, winner, plies))
    except LimitError:
        pass  # undecided; what was refuted on the way stays in the table of the proofs
    if position.can_swap and not any(position.stone(cell) == FIRST for cell in corners(position.board)):
        return SWAP
    ranked = _deepest_look(proofs, placements, _positions(effort * LOOK_EFFORT, position), len(position.stones), hasty=True)
    proofs.limit = proofs.nodes + _positions(effort * DOUBT_EFFORT, position)
    try:
        return next((move for move in ranked if not _refuted(proofs, move)), ranked[0])
    except LimitError:
        return ranked[0]


def corners(board: Board) -> list[Cell]:
    """The cells with the fewest directions to look in: the first stones that give least.

    >>> from models.center.board import board
    >>> corners(board("square", 5)), len(corners(board("hex", 4)))
    ([(1, 1), (5, 1), (1, 5), (5, 5)], 6)
    """
    blind = [near.count(len(board.cells)) for near in board.neighbours]
    return [cell for cell, number in zip(board.cells, blind, strict=True) if number == max(blind)]


def _deepest_look(proofs: Proofs, moves: list[Move], limit: int, plies: int, hasty: bool) -> list[Move]:
    """The moves as looks of 1, 2, … ``plies`` rank them, until the limit is met; the last look counts as far as it got."""
    from models.center.kernels import ABORTED, FIELDS, LIMIT, NODES

    counters = proofs.state.counters
    counters[NODES], counters[LIMIT], counters[ABORTED] = 0, limit, 0
    table = np.zeros((1 << LOOK_TABLE_BITS, FIELDS), np.int64)
    for depth in range(1, plies + 1):
        ranked = _ranked(proofs, table, moves, depth, hasty)
        moves = ranked + [move for move in moves if move not in ranked]
        if counters[ABORTED]:
            break
    return moves


def _ranked(proofs: Proofs, table: NDArray[np.int64], moves: list[Move], depth: int, hasty: bool) -> list[Move]:
    """The moves, best first, that were looked at; those that cannot be better than an earlier one keep their order behind it."""
    from models.center.kernels import ABORTED, WIN

    state, index = proofs.state, proofs.position.board.index
    player = PLAYERS[proofs.position.to_move]
    top = -WIN
    ranked: list[Move] = []
    for move in moves:
        assert move != SWAP
        state.put(index[move], player)
        better = not ranked or -state.look_ahead(table, 1 - player, depth - 1, -top - 1, -top, 1, hasty) > top
        value = -state.look_ahead(table, 1 - player, depth - 1, -WIN, -top, 1, hasty) if better else top
        state.lift(index[move], player)
        if state.counters[ABORTED]:
            break
        if value > top:
            top = value
            ranked.insert(0, move)
        else:
            ranked.append(move)
    return ranked


def _refuted(proofs: Proofs, move: Move) -> bool:
    """Whether the other player has a forced win after a move, as far ahead as was searched before the move."""
    other = opponent(proofs.position.to_move)
    horizon = proofs.refuted[other] - 1
    with proofs.after(move):
        return horizon > 0 and proofs.wins(other, horizon)


# -- people, matches


def computer(level: int | str, seed: int | None = None) -> Player:
    """A computer player of a level, or the original's; with a seed it plays the same game again.

    >>> computer(1, seed=3)(Position(size=3)) == computer(1, seed=3)(Position(size=3))
    True
    """
    check_level(level, LEVELS, NAMED)
    return lambda position: choose_move(position, level, None if seed is None else hash((seed, position.stones.count(EMPTY))))


def person(ask: Callable[[str], str] = input, tell: Callable[[str], object] = print) -> Player:
    """A person who is shown the board and types a cell such as ``3 1``; what is not legal is explained and asked again.

    >>> answers = iter(["2 2", "1 1"])
    >>> person(lambda question: next(answers), print)(Position(size=3))
        1   2   3
       ___________
    1 |   |   |   |
    2 |   |   |   |
    3 |   |   |   |
    x to move
    x cannot take (2, 2): it needs 1 friend in sight and sees 0: no stone in any direction
    (1, 1)
    """

    def choose(position: Position) -> Move:
        tell(str(position))
        while True:
            move = read_move(ask(f"{position.to_move} takes (x y): "))
            problem = (
                "expected two numbers such as 3 1" + (", or swap" if position.can_swap else "") if move is None else position.why_not(move)
            )
            if move is not None and problem is None:
                return move
            tell(str(problem))

    return choose


def read_move(text: str) -> Move | None:
    """The move that a text such as ``3 1``, ``(3, 1)`` or ``swap`` stands for; None for any other.

    >>> read_move("3, 1"), read_move("swap"), read_move("north")
    ((3, 1), 'swap', None)
    """
    cleaned = text.strip().strip("().").replace(",", " ").lower()
    if cleaned == SWAP:
        return SWAP
    numbers = cleaned.split()
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(_short, numbers)) else None


def _short(number: str) -> bool:
    """Whether a word is a number that a cell could have: what is longer is no cell, and need not be computed."""
    return number.isdecimal() and len(number) < 10


@dataclass(frozen=True)
class Match:
    """A game between two players: the moves and the positions, one more."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]

    @property
    def winner(self) -> str | None:
        """Who won; None for a draw."""
        return self.positions[-1].winner


def play_match(position: Position, x: Player, o: Player) -> Match:
    """Plays a game to its end; every move is checked by the rules.

    >>> match = play_match(Position(size=3), x=computer(2, seed=1), o=computer(1, seed=1))
    >>> match.winner, len(match.moves)
    ('x', 3)
    """
    moves, positions = [], [position]
    for move, following in _turns(position, {FIRST: x, SECOND: o}):
        moves.append(move)
        positions.append(following)
    return Match(tuple(moves), tuple(positions))


def _turns(position: Position, players: dict[str, Player]) -> Iterator[tuple[Move, Position]]:
    while not position.is_over:
        move = players[position.to_move](position)
        position = position.play(move)
        yield move, position

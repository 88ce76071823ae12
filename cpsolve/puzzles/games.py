"""The protocol of a two-player game, and what can be asked of any game that speaks it.

A position is an immutable, hashable value with five verbs: whose turn it is, which moves are legal, what a move leads to, whether
the game is over and who won. The search asks ``to_move`` after every move and never assumes that players alternate, so a game
in which a player may have to pass needs nothing special. A win is worth less the later it comes: :func:`alpha_beta` prefers the
quick win and the slow loss, and a finished search is a proof.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Generic, Protocol, Self, TypeVar

from cpsolve.cached import cached_property
from cpsolve.checks import NOT_CHECKED, SECONDS, Check
from cpsolve.errors import LimitError, ModelError, SolverError
from cpsolve.limits import Deadline

MoveT = TypeVar("MoveT", bound=Hashable)

WIN = 1_000_000
"""The value of a won game; a win that needs n more plies is worth ``WIN - n``."""
DECISIVE = WIN // 2
"""Every value beyond this (or below its negative) is a proven win (or loss); an evaluation must stay within."""


class Position(Protocol[MoveT]):
    """A position of a two-player game of perfect information: immutable, and equal positions are equal and hash alike.

    ``winner`` is None while the game lasts and when it is drawn; ``legal_moves()`` is empty exactly when ``is_over``.
    """

    @property
    def to_move(self) -> str:
        """The player whose turn it is."""
        ...

    @property
    def winner(self) -> str | None:
        """The player who has won, if any."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by a win or drawn."""
        ...

    def legal_moves(self) -> Sequence[MoveT]:
        """The moves of the player to move, always in the same order."""
        ...

    def play(self, move: MoveT) -> Self:
        """The position after a legal move; raises a ValueError that shows the position for any other."""
        ...

    def __hash__(self) -> int: ...


PositionT = TypeVar("PositionT", bound=Position[Any])

Evaluation = Callable[[Any], float]
"""How good a position looks for the player to move, without looking ahead; 0 is even."""
Ordering = Callable[[Any, Sequence[Any]], Iterable[Any]]
"""Legal moves, the most promising first."""


@dataclass(frozen=True)
class Outlook(Generic[MoveT]):
    """What a search found: ``value`` for the player to move and a ``line`` of best play, of which the first move is ``move``.

    ``proven`` tells that no evaluation entered the value: it is the value of the whole game. ``depth`` is how far the search
    looked, ``nodes`` how many positions it met.
    """

    value: float
    line: tuple[MoveT, ...]
    proven: bool
    depth: float
    nodes: int

    @property
    def move(self) -> MoveT | None:
        """The best move, or None when the game is over or nothing was looked at."""
        return self.line[0] if self.line else None

    @property
    def plies(self) -> int | None:
        """The number of plies until somebody wins under best play, if that is known."""
        return WIN - round(abs(self.value)) if abs(self.value) > DECISIVE else None


@dataclass(frozen=True)
class Verdict(Generic[MoveT]):
    """What best play leads to from ``position``.

    ``winner`` is None for a draw; ``plies`` counts the moves to the end when the winner hurries and the loser delays; ``best`` holds all
    moves that win as fast, or draw, or lose as late as any. Where a game has scores, ``score`` and ``scores`` (by move) are for the
    player to move. ``nodes`` tells how many positions were searched, ``seconds`` how long that took, ``check`` what a second
    opinion found. ``continuation`` is where ``line`` comes from: moves, or how to find them when they are asked for.
    """

    position: Any
    winner: str | None
    plies: int
    best: tuple[MoveT, ...]
    score: int = 0
    scores: Mapping[MoveT, int] = field(default_factory=dict)
    nodes: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    check: Check = field(default=NOT_CHECKED, compare=False)
    continuation: tuple[MoveT, ...] | Callable[[], tuple[MoveT, ...]] = field(default=(), compare=False, repr=False)

    @property
    def checked(self) -> str:
        """The name of the independent search that gave the same answer; "" when none was asked or it did not end in time."""
        return self.check.backend

    @cached_property
    def line(self) -> tuple[MoveT, ...]:
        """A game of best play by both to the end, replayed by the rules."""
        moves = self.continuation() if callable(self.continuation) else self.continuation
        end = self.position
        for move in moves:
            end = end.play(move)
        if not end.is_over or end.winner != self.winner or len(moves) != self.plies:
            raise SolverError(f"the line {moves} from\n{self.position}\ndoes not end as {self} says, but with\n{end}")
        return moves

    def _repr_svg_(self) -> str:
        return str(self.position.picture(self).svg())

    def __str__(self) -> str:
        if self.position.is_over:
            return f"the game is over: {f'{self.winner} has won' if self.winner else 'a draw'}"
        outcome = "a draw" if self.winner is None else f"{self.winner} wins in {in_plies(self.plies)}"
        score = "" if not self.scores else f" (score {f'{self.score:+d}' if self.score else 0})"
        return f"{outcome}{score}; best: {', '.join(map(str, self.best))}"


def confirmed(verdict: Verdict[MoveT], seconds: float = SECONDS, score: Callable[[int, int], int] | None = None) -> Verdict[MoveT]:
    """The verdict with what plain alpha-beta says of every move, by the rules alone: SolverError when the two differ.

    ``score(sign, plies)`` is the score of a move that wins (1), draws (0) or loses (-1) in that many plies, in games that have scores.

    >>> found = Verdict(Pile(7), "first", 3, (3,), continuation=(3, 1, 3))
    >>> confirmed(found).check.note
    'checked by alpha-beta: the same winner, plies and best moves'
    """
    position = verdict.position
    if position.is_over:
        return replace(verdict, check=Check(note="nothing to check: the game is over"))
    try:
        found = outcomes(position, seconds)
    except LimitError:
        return replace(verdict, check=Check(note=f"too large for a check by alpha-beta: it did not end within {seconds:g} s"))
    worth = {move: sign * (WIN - plies) for move, (sign, plies) in found.items()}
    best = [move for move in found if worth[move] == max(worth.values())]
    sign, plies = found[best[0]]
    claimed = 0 if verdict.winner is None else 1 if verdict.winner == position.to_move else -1
    same = claimed == sign and set(verdict.best) == set(best) and (sign == 0 or verdict.plies == plies)
    if score is not None:
        same = same and verdict.scores == {move: score(*outcome) for move, outcome in found.items()}
    if not same:
        told = "; ".join(f"{move} {('draws', 'wins', 'loses')[sign]} in {in_plies(plies)}" for move, (sign, plies) in found.items())
        raise SolverError(f"two searches contradict each other; please report this:\n{position}\n{verdict!r}\nalpha-beta: {told}")
    what = "winner, plies and best moves" if score is None else "scores of all moves"
    return replace(verdict, check=Check("alpha-beta", f"checked by alpha-beta: the same {what}"))


@dataclass(frozen=True)
class Hint(Generic[MoveT]):
    """A move to make, what is known of it in words, and whether that is proven."""

    move: MoveT
    words: str
    proven: bool


@dataclass(frozen=True)
class Mistake(Generic[MoveT]):
    """A move after which the game was no longer worth what it had been: ``winner`` before it, then ``winner_after``, None for a draw.

    ``number`` counts from 1, ``position`` is the one before the move, ``better`` are the moves that would have been best (none when they
    were not found in time).
    """

    number: int
    position: Any
    move: MoveT
    winner: str | None
    winner_after: str | None
    better: tuple[MoveT, ...]


@dataclass(frozen=True)
class Review(Generic[MoveT]):
    """A game looked back on: the first ``mistake``, if there is one after the first ``since`` moves; before, nothing is known."""

    mistake: Mistake[MoveT] | None
    since: int = 0


def look_back(
    start: Position[MoveT],
    moves: Sequence[MoveT],
    solve: Callable[[Any, float | None], Verdict[MoveT]],
    winner: Callable[[Any, float | None], str | None],
    time_limit: float | None = None,
    *,
    max_memory: int | None = None,
) -> Review[MoveT]:
    """The first move of a game that changed who wins, looking from the end, where it is easiest, as far back as the limits allow.

    ``winner(position, time_limit)`` is who wins under best play, ``solve`` gives the best moves too; both raise LimitError.

    >>> def who(pile, time_limit):
    ...     return pile.winner if pile.is_over else pile.to_move if pile.stones % 4 else ("second" if pile.to_move == "first" else "first")
    >>> def best(pile, time_limit):
    ...     return Verdict(pile, who(pile, None), 0, (pile.stones % 4,))
    >>> review = look_back(Pile(7), [2, 1, 1, 3], best, who)
    >>> review.mistake.number, review.mistake.move, review.mistake.better, review.since
    (1, 2, (3,), 0)
    """
    deadline = Deadline(time_limit, max_memory)
    with deadline.watched():
        return _look_back(start, moves, solve, winner, deadline)


def _look_back(
    start: Position[MoveT],
    moves: Sequence[MoveT],
    solve: Callable[[Any, float | None], Verdict[MoveT]],
    winner: Callable[[Any, float | None], str | None],
    deadline: Deadline,
) -> Review[MoveT]:
    positions: list[Any] = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    winners: list[str | None] = []
    for position in reversed(positions):
        try:
            winners.insert(0, position.winner if position.is_over else winner(position, deadline.left()))
        except LimitError:
            break
    since = len(positions) - len(winners)
    for number, (before, after) in enumerate(pairwise(winners), since + 1):
        position = positions[number - 1]
        if _keeps(after, position.to_move) < _keeps(before, position.to_move):
            try:
                better = solve(position, deadline.left()).best
            except LimitError:  # who won is known, and not how
                better = ()
            return Review(Mistake(number, position, moves[number - 1], before, after, better), since)
    return Review(None, since)


def _keeps(winner: str | None, player: str) -> int:
    return 0 if winner is None else 1 if winner == player else -1


def last_signs(positions: Sequence[Position[Any]], time_limit: float | None = None, *, max_memory: int | None = None) -> list[int]:
    """Whether the player to move wins (1), draws (0) or loses (-1) each position of a game, by alpha-beta from the game's end back.

    Of the last positions only, where a limit is met before the first is reached.

    >>> last_signs([Pile(5), Pile(4, "second"), Pile(1, "first")])
    [1, -1, 1]
    """
    search = _Search(None, None, Deadline(time_limit, max_memory))
    found: list[int] = []
    for position in reversed(positions):
        try:
            value, _ = search.value(position, math.inf, -math.inf, math.inf)
        except LimitError:
            break
        found.insert(0, (value > 0) - (value < 0))
    return found


def for_a_proof(seconds: float, reserve: float) -> float:
    """How much of the time goes to a proof when something else must be done, within ``reserve`` seconds, where it fails.

    >>> for_a_proof(1.0, 2.0), for_a_proof(60.0, 2.0)
    (0.5, 58.0)
    """
    return max(seconds / 2, seconds - reserve)


def outcomes(position: Position[MoveT], time_limit: float | None = None, *, max_memory: int | None = None) -> dict[MoveT, tuple[int, int]]:
    """For every legal move whether it wins (1), draws (0) or loses (-1), and in how many plies (0 of a draw), by alpha-beta to the end.

    >>> outcomes(Pile(5))
    {1: (1, 3), 2: (-1, 2), 3: (-1, 2)}
    """
    search = _Search(None, None, Deadline(time_limit, max_memory))
    values = {move: search.after(position, move, math.inf, -math.inf, math.inf)[0] for move in position.legal_moves()}
    return {move: (0, 0) if value == 0 else (1 if value > 0 else -1, WIN - round(abs(value))) for move, value in values.items()}


@dataclass(frozen=True)
class Pile:
    """The protocol by example: take one, two or three stones from a pile; who takes the last wins.

    >>> pile = Pile(4).play(3)
    >>> pile.to_move, pile.legal_moves(), pile.play(1).winner
    ('second', (1,), 'second')
    """

    stones: int
    to_move: str = "first"

    @property
    def is_over(self) -> bool:
        """Whether no stone is left."""
        return self.stones == 0

    @property
    def winner(self) -> str | None:
        """The player who took the last stone."""
        return self._other if self.is_over else None

    @property
    def _other(self) -> str:
        return "second" if self.to_move == "first" else "first"

    def legal_moves(self) -> tuple[int, ...]:
        """One, two or three stones, as far as there are that many."""
        return tuple(range(1, min(3, self.stones) + 1))

    def play(self, move: int) -> Pile:
        """The pile after taking ``move`` stones."""
        if move not in self.legal_moves():
            raise ModelError(f"cannot take {move} stones from {self}: expected one of {self.legal_moves()}")
        return Pile(self.stones - move, self._other)


def in_plies(count: int) -> str:
    """A number of plies, in words.

    >>> in_plies(1), in_plies(7)
    ('1 ply', '7 plies')
    """
    return "1 ply" if count == 1 else f"{count} plies"


def perft(position: Position[Any], depth: int) -> int:
    """The number of sequences of ``depth`` legal moves: the count that tells whether rules are right.

    >>> [perft(Pile(4), depth) for depth in range(5)]
    [1, 3, 6, 4, 1]
    """
    return _perft(position, depth, {})


def _perft(position: Any, depth: int, table: dict[tuple[Any, int], int]) -> int:
    """Counts each position once for each depth, however many sequences lead to it."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves())
    if (position, depth) not in table:
        table[position, depth] = sum(_perft(position.play(move), depth - 1, table) for move in position.legal_moves())
    return table[position, depth]


def playout(position: PositionT, seed: int) -> Iterator[PositionT]:
    """The positions of a random game from here to its end, this one included; the same for the same seed.

    >>> [pile.stones for pile in playout(Pile(9), seed=1)][-1]
    0
    """
    chance = random.Random(seed)
    yield position
    while not position.is_over:
        position = position.play(chance.choice(list(position.legal_moves())))
        yield position


def alpha_beta(
    position: Position[MoveT],
    depth: float = math.inf,
    evaluate: Evaluation | None = None,
    order: Ordering | None = None,
    time_limit: float | None = None,
    *,
    max_memory: int | None = None,
) -> Outlook[MoveT]:
    """The value of a position looking ``depth`` plies ahead (by default to the end of the game) and a line of best play.

    Equal to plain minimax of that depth, by alpha-beta with a table of the positions met. ``evaluate`` judges the positions
    where the depth ends (all are even without it). Raises LimitError when a limit is met: :func:`deepen` gives what it has.

    >>> outlook = alpha_beta(Pile(7))
    >>> outlook.value, outlook.plies, outlook.line, outlook.proven
    (999997, 3, (3, 1, 3), True)
    """
    return _Search(evaluate, order, Deadline(time_limit, max_memory)).run(position, depth)


def deepen(
    position: Position[MoveT],
    time_limit: float,
    evaluate: Evaluation | None = None,
    order: Ordering | None = None,
    depth: float = math.inf,
    *,
    max_memory: int | None = None,
) -> Outlook[MoveT]:
    """The deepest look that ends within ``time_limit`` seconds: one ply, two plies … until proven or ``depth`` is reached.

    Looks one ply ahead whatever the time; the best moves of each round are tried first in the next.

    >>> deepen(Pile(7), time_limit=60).depth
    3
    """
    deadline = Deadline(time_limit, max_memory)
    search = _Search(evaluate, order, Deadline(None))
    outlook: Outlook[MoveT] = search.run(position, 1)
    search.deadline = deadline
    while not outlook.proven and outlook.depth < depth:
        try:
            outlook = search.run(position, outlook.depth + 1)
        except LimitError:
            break
    return outlook


EXACT, AT_LEAST, AT_MOST = range(3)


class _Search:
    """One table of positions: what was found of each, to what depth, and the best move, which is tried first next time."""

    def __init__(self, evaluate: Evaluation | None, order: Ordering | None, deadline: Deadline) -> None:
        self.evaluate = evaluate
        self.order = order
        self.deadline = deadline
        self.table: dict[Any, tuple[float, float, int, Any, bool]] = {}
        self.nodes = 0

    def run(self, position: Position[MoveT], depth: float) -> Outlook[MoveT]:
        if depth != math.inf and (depth < 0 or depth != int(depth)):
            raise ModelError(f"the depth of a search is a number of plies, 0 or more, or math.inf, not {depth}")
        self.nodes = 0
        value, proven = self.value(position, depth, -math.inf, math.inf)
        return Outlook(value, tuple(self.line(position, depth, value)), proven, depth, self.nodes)

    def value(self, position: Any, depth: float, alpha: float, beta: float) -> tuple[float, bool]:
        """The value if it is within the window, else a bound beyond that end; and whether no evaluation entered it."""
        self.nodes += 1
        if self.nodes % 256 == 1 and self.deadline.passed():
            self.deadline.fail(f"alpha-beta, {self.nodes:,} positions; give more or less depth, or use deepen()")
        if position.is_over:
            return _result(position), True
        if depth <= 0:
            return self.judge(position), False
        stored = self.table.get(position)
        best_move = None
        if stored is not None:
            known, value, bound, best_move, proven = stored
            if known == depth and (bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)):
                return value, proven
        best, certain, low = -math.inf, True, alpha
        for move in self.ordered(position, best_move):
            found, proven = self.after(position, move, depth, low, beta)
            certain = certain and proven
            if found > best:
                best, best_move = found, move
                low = max(low, best)
            if best >= beta:
                certain = proven
                break
        certain = certain or best > DECISIVE  # a win is a win whatever the other moves are worth
        bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        self.table[position] = (depth, best, bound, best_move, certain)
        return best, certain

    def after(self, position: Any, move: Any, depth: float, alpha: float, beta: float) -> tuple[float, bool]:
        """The value of a move for the player who makes it."""
        child = position.play(move)
        near, far = _sooner(alpha), _sooner(beta)
        if child.to_move == position.to_move:
            value, proven = self.value(child, depth - 1, near, far)
        else:
            value, proven = self.value(child, depth - 1, -far, -near)
            value = -value
        return _later(value), proven

    def judge(self, position: Any) -> float:
        if self.evaluate is None:
            return 0
        value = self.evaluate(position)
        if not -DECISIVE < value < DECISIVE:
            raise ModelError(f"an evaluation must lie within ±{DECISIVE:,} (beyond is a proven win), got {value} for\n{position}")
        return value

    def ordered(self, position: Any, first: Any) -> Iterator[Any]:
        moves = position.legal_moves()
        if first is not None:
            yield first
        for move in moves if self.order is None else self.order(position, moves):
            if move != first:
                yield move

    def line(self, position: Any, depth: float, value: float) -> Iterator[Any]:
        """Best play, found again move by move: each keeps the value, so bounds left in the table do no harm."""
        while depth > 0 and not position.is_over:
            for move in self.ordered(position, self.table[position][3] if position in self.table else None):
                if self.after(position, move, depth, -math.inf, math.inf)[0] == value:
                    break
            child = position.play(move)
            yield move
            value = _sooner(value) if child.to_move == position.to_move else -_sooner(value)
            position, depth = child, depth - 1


def _result(position: Any) -> float:
    if position.winner is None:
        return 0
    return WIN if position.winner == position.to_move else -WIN


def _later(value: float) -> float:
    """A decisive value seen from one ply earlier."""
    return value - 1 if value > DECISIVE else value + 1 if value < -DECISIVE else value


def _sooner(value: float) -> float:
    """The inverse of _later, for the ends of a window."""
    return value + 1 if value > DECISIVE else value - 1 if value < -DECISIVE else value

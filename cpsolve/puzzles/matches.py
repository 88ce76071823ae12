"""Matches: two contestants play many games of one kind, from openings drawn at random, each opening once with either colour.

Everything follows from the settings of a match and the number of a game, so a match that was stopped goes on where it was, in a journal
with a line per game. :class:`Tally` is what came out: score and Elo, with intervals.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cpsolve.catalogue import Game, Standing
from cpsolve.errors import FormatError, IllegalMoveError, ModelError
from cpsolve.journal import journal
from cpsolve.limits import Deadline
from cpsolve.puzzles.contestants import Contestant, Turn

CONFIDENCE = 1.959964
"""Standard deviations on either side of the mean: 95%."""
TRIES = 1_000
"""Openings drawn before it is said that there is none of that length."""


@dataclass(frozen=True)
class Match:
    """What is played: ``new`` are the options of every game, ``opening`` the random plies before the players take over."""

    game: Game
    new: Mapping[str, Any] = field(default_factory=dict)
    opening: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        board = self.game.interaction
        if len(board.players) != 2 or board.new is None or board.move is None or board.standing is None:
            raise ModelError(f"{self.game.title} is no game for two that can be played move by move")
        known = [option.name for option in board.new_options]
        for name in self.new:
            if name not in known:
                raise ModelError(f"{self.game.name} has no option {name!r}; it has {', '.join(known) or 'none'}")

    def settings(self, first: str, second: str) -> dict[str, Any]:
        """All that decides how the games go, as plain data."""
        return {"game": self.game.name, "new": dict(self.new), "opening": self.opening, "seed": self.seed, "players": [first, second]}


@dataclass(frozen=True)
class Played:
    """A game of a match: its number, whether the first contestant began, the moves with those of the opening, and the result.

    ``result`` is 1 when the first contestant won, 0 for a draw, -1 when the second won.
    """

    number: int
    began: bool
    opening: int
    moves: tuple[str, ...]
    result: int

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Played:
        """A game from the record of it in a journal or a saved answer; FormatError when that cannot be one.

        >>> Played.from_record({"number": 0, "began": True, "opening": 1, "moves": ["4", "4"], "result": 0}).moves
        ('4', '4')
        """
        kinds = {"number": int, "began": bool, "opening": int, "moves": list, "result": int}
        fits = isinstance(record, Mapping) and all(type(record.get(name)) is kind for name, kind in kinds.items())
        if not fits or not all(isinstance(move, str) for move in record["moves"]):
            raise FormatError(f"expected a game with number, began, opening, moves and result, found {record!r:.60}")
        game = cls(record["number"], record["began"], record["opening"], tuple(record["moves"]), record["result"])
        if game.number < 0 or not 0 <= game.opening <= len(game.moves) or game.result not in (-1, 0, 1):
            told = f"number {game.number}, opening {game.opening}, {len(game.moves)} moves, result {game.result}"
            raise FormatError(f"expected a number from 0 on, an opening within the moves and a result of -1, 0 or 1, found {told:.100}")
        return game


@dataclass(frozen=True)
class Tally:
    """What came out of a match, for the first contestant.

    >>> tally = Tally(wins=75, draws=0, losses=25)
    >>> tally.score, [round(end, 3) for end in tally.interval]
    (0.75, [0.657, 0.825])
    >>> print(tally)
    +75 =0 −25 of 100; score 75.0% (65.7% to 82.5%); Elo +191 (+113 to +269)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, results: Iterable[int]) -> Tally:
        """The tally of results: 1, 0 or -1 each.

        >>> Tally.of([1, 1, 0, -1])
        Tally(wins=2, draws=1, losses=1)
        """
        listed = list(results)
        return cls(listed.count(1), listed.count(0), listed.count(-1))

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game, a draw being half a point; one half when nothing was played."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the score; draws only make the truth closer than it says.

        >>> Tally(wins=5).interval[1]
        1.0
        """
        if not self.games:
            return 0.0, 1.0
        z, n, p = CONFIDENCE, self.games, self.score
        middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)
        return (0.0 if p == 0 else max(0.0, low)), (1.0 if p == 1 else min(1.0, high))

    @property
    def elo(self) -> float:
        """How much stronger the first contestant is."""
        return elo(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95% interval of that."""
        low, high = self.interval
        return elo(low), elo(high)

    def data(self) -> dict[str, Any]:
        """The tally for scripts; what is infinite is None.

        >>> Tally(wins=1).data()["elo"] is None
        True
        """
        finite = [None if math.isinf(each) else each for each in (self.elo, *self.elo_interval)]
        counts = {"games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {**counts, "score": self.score, "interval": list(self.interval), "elo": finite[0], "elo_interval": finite[1:]}

    def __str__(self) -> str:
        low, high = self.interval
        elos = [_signed(each) for each in (self.elo, *self.elo_interval)]
        return (
            f"+{self.wins} ={self.draws} −{self.losses} of {self.games}; score {self.score:.1%} ({low:.1%} to {high:.1%}); "
            f"Elo {elos[0]} ({elos[1]} to {elos[2]})"
        )


def elo(score: float) -> float:
    """The difference in rating that a score stands for.

    >>> round(elo(0.75)), elo(1.0)
    (191, inf)
    """
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def _signed(value: float) -> str:
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{value:+.0f}".replace("-", "−")


# -- games


def play(match: Match, contestants: tuple[Contestant, Contestant], number: int) -> Played:
    """The game of that number, from 0: an odd one has the opening of the one before with the colours exchanged."""
    board = match.game.interaction
    assert board.new is not None  # a Match has them
    assert board.standing is not None
    moves = opening(match, number // 2)
    instance = _after(match, board.new(**match.new), moves)
    drawn = len(moves)
    seats = dict(zip(board.players, contestants if number % 2 == 0 else contestants[::-1], strict=True))
    seeds = {player: _chance(match, number, place).randrange(2**32) for place, player in enumerate(board.players)}
    while not (standing := board.standing(instance)).over:
        mover = seats[standing.to_move]
        move = mover.move(Turn(match.game, match.new, tuple(moves), instance, standing, seeds[standing.to_move]))
        try:
            instance = _after(match, instance, [move])
        except (IllegalMoveError, ModelError) as error:
            words = str(error).splitlines()[0]
            raise IllegalMoveError(f"{mover.name} moved {move!r:.60} after {' '.join(moves) or 'no move'}: {words}") from error
        moves.append(move)
    return Played(number, number % 2 == 0, drawn, tuple(moves), _result(match, standing, number))


def _result(match: Match, standing: Standing, number: int) -> int:
    """The result of a game that stands like this, for the first contestant."""
    return 0 if not standing.winner else 1 if match.game.interaction.players.index(standing.winner) == number % 2 else -1


def check(match: Match, game: Played) -> None:
    """Replays a game that was kept: ModelError, or the error of a move, unless it is one of this match, with its opening and result.

    >>> from cpsolve import catalogue
    >>> game = next(catalogue.game(name) for name in catalogue.games() if catalogue.game(name).interaction.reply)
    >>> check(Match(game, opening=0), Played(0, True, 0, (), 1))
    Traceback (most recent call last):
    cpsolve.errors.ModelError: game 1 is not over after its moves
    """
    board = match.game.interaction
    assert board.new is not None  # a Match has them
    assert board.standing is not None
    drawn = opening(match, game.number // 2)
    if game.began != (game.number % 2 == 0) or [*game.moves[: game.opening]] != drawn:
        raise ModelError(f"game {game.number + 1} begins otherwise than the settings say")
    standing = board.standing(_after(match, board.new(**match.new), game.moves))
    if not standing.over:
        raise ModelError(f"game {game.number + 1} is not over after its moves")
    if game.result != _result(match, standing, game.number):
        raise ModelError(f"game {game.number + 1} ended otherwise than its result, {game.result}, says")


def opening(match: Match, number: int) -> list[str]:
    """The random moves of an opening: the same for the same number, and never the end of a game.

    >>> from cpsolve import catalogue
    >>> game = next(catalogue.game(name) for name in catalogue.games() if catalogue.game(name).interaction.reply)
    >>> len(opening(Match(game, opening=3), 7)), opening(Match(game), 7) == opening(Match(game), 7)
    (3, True)
    """
    board = match.game.interaction
    assert board.new is not None
    assert board.standing is not None
    chance = _chance(match, number, "opening")
    for _ in range(TRIES):
        instance, moves = board.new(**match.new), list[str]()
        while len(moves) < match.opening and not (standing := board.standing(instance)).over:
            moves.append(chance.choice(standing.legal))
            instance = _after(match, instance, moves[-1:])
        if not board.standing(instance).over:
            return moves
    raise ModelError(f"games of {match.game.title} are over within {match.opening} plies: give a shorter opening")


def _chance(match: Match, number: int, what: object) -> random.Random:
    return random.Random(f"{match.seed}, {number}, {what}")


def _after(match: Match, instance: Any, moves: Sequence[str]) -> Any:
    move = match.game.interaction.move
    assert move is not None
    for each in moves:
        instance = move(instance, each)
    return instance


def played(
    match: Match, contestants: tuple[Contestant, Contestant], games: int, file: Path | None = None, time_limit: float | None = None
) -> Iterator[Played]:
    """The games of a match one after another: first those that the file holds, then new ones, each kept there as soon as it is over.

    After ``time_limit`` seconds no more games are begun.
    """
    deadline = Deadline(time_limit)

    def begun(first: int) -> Iterator[int]:
        return itertools.takewhile(lambda _: not deadline.passed(), range(first, games))

    if file is None:
        yield from (play(match, contestants, number) for number in begun(0))
        return
    settings = match.settings(contestants[0].name, contestants[1].name)
    numbers = itertools.count()

    def kept_game(record: Any) -> Played:
        game, number = Played.from_record(record), next(numbers)
        if game.number != number:
            raise ModelError(f"expected the game numbered {number}, found {game.number}")
        check(match, game)
        return game

    with journal(file, settings, kept_game, resume=True) as kept:
        yield from kept.records[:games]
        for number in begun(len(kept.records)):
            game = play(match, contestants, number)
            kept.add([asdict(game)])
            yield game

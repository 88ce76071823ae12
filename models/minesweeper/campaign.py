"""Many games, counted: how often an agent wins, with an interval, and which of two agents is better on the same boards.

Everything random in a game follows from the campaign's seed and the game's number, so a result does not depend on how many
workers there were or which of them was faster. Games run through a ``concurrent.futures.Executor``: processes of this machine
unless another is passed. Results are appended to a file as they come, and a campaign that was stopped goes on from there.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from math import comb, inf, isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.cached import cached_property
from cpsolve.errors import MemoryLimitError, ModelError, TimeLimitError
from cpsolve.journal import journal
from cpsolve.limits import Deadline
from cpsolve.processes import end_with_parent
from cpsolve.progress import Progress
from models.minesweeper.agent import AGENTS, Record, play
from models.minesweeper.decision import Agent
from models.minesweeper.expert import Expert
from models.minesweeper.formats import Cell
from models.minesweeper.rules import Field, FirstClick, Game, View, check_playable, cleared

MOST_WORKERS = 1_000
"""More processes than that would only be in each other's way."""
NOTHING_SHARED = "no board was played by both: there is nothing to compare"
MOST_GAMES = 10_000_000
"""More are several campaigns: the numbers of those to play are listed beforehand."""
ROUNDED = 1e-6
"""Sums of probabilities may be off by this much."""
NORMAL = 1.959963984540054
"""95% of a normal distribution lie within this number of standard deviations."""
EXACT_RISKS = ("exact", "expert", "strong")
"""The agents whose moves record the exact probability of a mine."""


@dataclass(frozen=True)
class Level:
    """The size of a board and its number of mines."""

    rows: int
    columns: int
    mines: int


LEVELS = {
    "beginner-8x8": Level(8, 8, 10),
    "beginner": Level(9, 9, 10),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
}
"""The usual levels by name."""


@dataclass(frozen=True)
class Outcome:
    """How one game of a campaign ended, and how lucky it was: see :func:`fortune`."""

    game: int
    won: bool
    guesses: int
    opened: int
    expected: float
    luck: float

    @classmethod
    def of(cls, record: Any) -> Outcome:
        """The outcome that a line of a journal tells; ValueError when it tells none.

        >>> Outcome.of({"game": 0, "won": "x", "guesses": 1, "opened": 5, "expected": 1.0, "luck": 0.0})
        Traceback (most recent call last):
        ValueError: 'won' is 'x'
        """
        outcome = cls(**record)
        for name, kinds in (("game", int), ("won", bool), ("guesses", int), ("opened", int), ("expected", float), ("luck", float)):
            value = getattr(outcome, name)
            if type(value) is not kinds or (kinds is int and not 0 <= value < MOST_GAMES) or not isfinite(value):
                raise ValueError(f"{name!r} is {value!r:.60}")
        if not -ROUNDED <= outcome.expected <= 1 + ROUNDED or abs(outcome.luck) > outcome.guesses + ROUNDED:
            raise ValueError(f"worth {outcome.expected} and luck {outcome.luck} in {outcome.guesses} guesses cannot be")
        return outcome


def fortune(record: Record) -> tuple[float, float]:
    """What a game was worth, and its luck on the way there.

    The worth is the exact probability of winning at the first move that was proven best, if there was one; else 1 when the game was
    won and 0 when it was lost. The luck adds up, over the guesses until then, 1 for a guess that was safe and 0 for a mine, less the
    probability of its being safe. As long as the agent's risks are exact the luck of a game is 0 on average, whatever it decides.

    >>> from models.minesweeper.agent import Move
    >>> fortune(Record("exact", False, (Move((1, 1), {(1, 1): 1}, True, risk=0.25), Move((1, 2), {}, True, risk=0.5)), frozenset()))
    (0.0, -0.25)
    """
    luck = 0.0
    for move in record.moves:
        if move.chance is not None:
            return float(move.chance), luck
        if move.guess:
            luck += move.risk if move.revealed else move.risk - 1.0
    return float(record.won), luck


@dataclass(frozen=True)
class CampaignResult:
    """The outcomes of a campaign, by the games' numbers, and how it was set up."""

    rows: int
    columns: int
    mines: int
    agent: str
    first_click: FirstClick
    seed: int
    outcomes: tuple[Outcome, ...]

    @property
    def games(self) -> int:
        """The number of games played."""
        return len(self.outcomes)

    @cached_property
    def wins(self) -> int:
        """The number of games won."""
        return sum(outcome.won for outcome in self.outcomes)

    @property
    def win_rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def adjusted_rate(self) -> float:
        """The win rate without the luck of the guesses: as sharp an estimate as two to four times the games would give.

        What games were worth is lowered by their luck, as much for each unit as fits best (a control variate; Burch et al., "AIVAT",
        2018, do this for poker). Luck is 0 on average, so nothing is gained or lost, only noise is. It takes exact risks: ModelError
        for agents that are not in EXACT_RISKS.

        >>> result = campaign(5, 5, 4, games=40, agent="expert", seed=3, workers=1)
        >>> 0 < result.adjusted_rate < 1
        True
        """
        return float(self.without_luck.mean())

    @property
    def adjusted_interval(self) -> tuple[float, float]:
        """The 95% interval of the adjusted rate."""
        half = NORMAL * float(self.without_luck.std()) / sqrt(self.games)
        return max(0.0, self.adjusted_rate - half), min(1.0, self.adjusted_rate + half)

    @cached_property
    def without_luck(self) -> NDArray[np.float64]:
        """For each game its worth without luck; the mean is ``adjusted_rate``."""
        if self.agent not in EXACT_RISKS and not self.agent.startswith("Expert("):
            exact = ", ".join(map(repr, EXACT_RISKS))
            raise ModelError(f"luck is measured where risks are exact, by the agents {exact}, not {self.agent!r}")
        expected = np.array([outcome.expected for outcome in self.outcomes])
        luck = np.array([outcome.luck for outcome in self.outcomes])
        spread = float(luck.var())
        slope = float(((expected - expected.mean()) * (luck - luck.mean())).mean()) / spread if spread else 0.0
        adjusted: NDArray[np.float64] = expected - slope * luck
        return adjusted

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.agent} on {self.rows}×{self.columns} with {self.mines} mines, first click {self.first_click}: "
            f"{self.wins:,} of {self.games:,} games won, {self.win_rate:.2%} (95%: {low:.2%} to {high:.2%})"
        )


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same boards: how many games both won, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def games(self) -> int:
        """The number of boards that both played."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> float:
        """The second's win rate less the first's; ModelError when there is no board that both played."""
        if not self.games:
            raise ModelError(NOTHING_SHARED)
        return (self.second - self.first) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """A 95% interval of the difference; narrower than two win rates would give, since boards that agree cancel out."""
        apart, difference = self.first + self.second, self.difference
        deviation = sqrt(max(0.0, apart - (self.second - self.first) ** 2 / self.games)) / self.games
        return difference - NORMAL * deviation, difference + NORMAL * deviation

    @property
    def p_value(self) -> float:
        """How likely so uneven a split is between equal agents (McNemar's exact test on the boards where they differ)."""
        apart, fewer = self.first + self.second, min(self.first, self.second)
        tail: int = sum(comb(apart, k) for k in range(fewer + 1))
        return min(1.0, float(2 * tail / 2**apart))

    def __str__(self) -> str:
        if not self.games:
            return NOTHING_SHARED
        low, high = self.interval
        return (
            f"{self.games:,} boards: only the first won {self.first:,}, only the second {self.second:,}; "
            f"difference {self.difference:+.2%} (95%: {low:+.2%} to {high:+.2%}), p = {self.p_value:.3g}"
        )


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a share.

    >>> low, high = wilson(41, 100)
    >>> round(low, 3), round(high, 3)
    (0.319, 0.508)
    """
    if not 0 <= wins <= games or not games:
        raise ModelError(f"{wins} wins of {games} games are no share: give at least one game and at most as many wins")
    share, square = wins / games, NORMAL**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = NORMAL / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def compare(first: CampaignResult, second: CampaignResult) -> Comparison:
    """Pairs two campaigns over the same boards, game by game.

    >>> played = [campaign(5, 5, 4, 30, agent, "safe", seed=1, workers=1) for agent in ("seed", "exact")]
    >>> compare(*played).games
    30
    """
    ours, theirs = _setting(first), _setting(second)
    if ours != theirs:
        raise ModelError(f"only campaigns over the same boards can be compared, not {ours} with {theirs}")
    won = {outcome.game: outcome.won for outcome in first.outcomes}
    counts = {(mine, other): 0 for mine in (False, True) for other in (False, True)}
    for outcome in second.outcomes:
        if outcome.game in won:
            counts[won[outcome.game], outcome.won] += 1
    return Comparison(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def _setting(result: CampaignResult) -> dict[str, object]:
    names = ("rows", "columns", "mines", "first_click", "seed")
    return {name: getattr(result, name) for name in names}


def campaign(
    rows: int,
    columns: int,
    mines: int,
    games: int,
    agent: str | Agent = "expert",
    first_click: FirstClick = "safe",
    seed: int = 0,
    workers: int | None = None,
    *,
    executor: Executor | None = None,
    path: str | Path | None = None,
    resume: bool = False,
    progress: bool = True,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> CampaignResult:
    """Plays many games and counts the wins.

    ``workers`` processes share the work, all cores when it is None; 1 plays in this process. An ``executor`` of yours is used
    instead when it is given, and not shut down. Outcomes are appended to the file ``path`` as they come; with ``resume`` the games that
    it already holds are not played again. ``progress`` shows the running win rate on a terminal. After
    ``time_limit`` seconds no more games are begun, those that are not over a moment later do not count, and the result has the others;
    the same when this process, or one of the workers with its share, takes more than ``max_memory`` bytes. LimitError when there are
    none. What an ``executor`` of yours has begun it plays to its end, for nobody.

    >>> result = campaign(5, 5, 4, games=40, agent="exact", first_click="safe", seed=3, workers=1)
    >>> result.games, result == campaign(5, 5, 4, games=40, agent="exact", first_click="safe", seed=3, workers=1)
    (40, True)
    """
    if games < 1:
        raise ModelError(f"a campaign has at least one game, not {games}")
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise ModelError(f"a campaign has 1 to {MOST_WORKERS:,} workers, not {workers}")
    if isinstance(agent, str) and agent not in AGENTS:
        raise ModelError(f"there is no agent {agent!r}: choose one of {', '.join(map(repr, AGENTS))}")
    field = Field.random(rows, columns, mines, seed=0)  # a wrong size or rule is reported before any worker starts
    Game(field, first_click)
    check_playable(field)
    if games > MOST_GAMES:
        raise ModelError(f"a campaign has at most {MOST_GAMES:,} games: take several, with seeds of their own")
    name = (
        agent if isinstance(agent, str) else repr(agent) if isinstance(agent, Expert) else getattr(agent, "__name__", type(agent).__name__)
    )
    task = Task(rows, columns, mines, agent, first_click, seed)
    deadline = Deadline(time_limit, max_memory)
    header = {"campaign": {"rows": rows, "columns": columns, "mines": mines, "agent": name, "first_click": first_click, "seed": seed}}
    with ExitStack() as stack:
        log = None if path is None else stack.enter_context(journal(path, header, _kept(rows * columns - mines), resume))
        outcomes = {} if log is None else {outcome.game: outcome for outcome in log.records if outcome.game < games}
        missing = [number for number in range(games) if number not in outcomes]
        tally = stack.enter_context(Tally(name, games, progress))
        tally.show(outcomes.values())
        stack.enter_context(Deadline(None, max_memory).watched())  # time ends after a moment of grace
        try:
            for batch in stack.enter_context(closing(_run(task, missing, workers, executor, stack, deadline))):
                outcomes |= {outcome.game: outcome for outcome in batch}
                if log is not None:
                    log.add(map(asdict, batch))
                tally.show(batch)
        except MemoryLimitError:
            if not outcomes:
                raise
            # the games that were played stand
    if not outcomes:
        deadline.fail("playing a first game")
    ordered = tuple(outcomes[number] for number in sorted(outcomes))
    return CampaignResult(rows, columns, mines, name, first_click, seed, ordered)


def _kept(free: int) -> Callable[[Any], Outcome]:
    """What makes outcomes of the records of a campaign, each game once, on boards with that number of cells without a mine."""
    seen: set[int] = set()

    def make(record: Any) -> Outcome:
        outcome = Outcome.of(record)
        if outcome.opened > free or outcome.won != (outcome.opened == free) or outcome.guesses > outcome.opened + (not outcome.won):
            ended = f"{'won' if outcome.won else 'lost'} with {outcome.opened} cells open after {outcome.guesses} guesses"
            raise ValueError(f"game {outcome.game} cannot have been {ended}: {free} cells have no mine")
        if outcome.game in seen:
            raise ValueError(f"game {outcome.game} is there already")
        seen.add(outcome.game)
        return outcome

    return make


# -- playing


@dataclass(frozen=True)
class Task:
    """What a worker must know to play any game of a campaign."""

    rows: int
    columns: int
    mines: int
    agent: str | Agent
    first_click: FirstClick
    seed: int

    @property
    def together(self) -> int:
        """How many games are played at a time: between, progress is shown and Ctrl-C and limits are heard.

        >>> Task(16, 30, 99, "expert", "safe", 1).together, Task(16, 30, 99, "strong", "safe", 1).together
        (20, 2)
        """
        slow = isinstance(self._player, Expert) and self._player.rolls > 0
        return max(1, min(SLICE, (CELLS_WITH_ROLLS if slow else CELLS) // (self.rows * self.columns)))

    @property
    def _player(self) -> Agent:
        return AGENTS[self.agent] if isinstance(self.agent, str) else self.agent

    def play(self, number: int) -> Outcome:
        """Plays one game.

        >>> Task(4, 4, 2, "exact", "safe", 1).play(7).game
        7
        """
        field, opening, choices = self._drawn(number)
        record = play(Game(field, self.first_click, seed=opening), self.agent, seed=choices)
        return Outcome(number, record.won, record.guesses, record.opened, *fortune(record))

    def play_all(self, numbers: Sequence[int]) -> Iterator[Outcome]:
        """Plays some games, in order, one at a time; those of a compiled player together, in compiled code.

        >>> task = Task(5, 5, 4, "expert", "safe", 1)
        >>> list(task.play_all([3, 7])) == [task.play(3), task.play(7)]
        True
        """
        agent = self._player
        if not isinstance(agent, Expert):
            yield from map(self.play, numbers)
            return
        start = agent.start(View(self.rows, self.columns, {}, self.mines), self.first_click)
        (cell,) = start.open
        fields = [self.field(number, cell).numbers for number in numbers]
        risk = start.risk if self.first_click == "any" else 0.0
        results = agent.play_all(fields, self.mines, [cell] * len(fields), [risk] * len(fields))
        for number, result in zip(numbers, results, strict=True):
            yield self.play(number) if result is None else Outcome(number, **asdict(result))

    def field(self, number: int, start: Cell) -> Field:
        """The field of a game that begins with a cell.

        >>> Task(4, 4, 12, "expert", "safe", 1).field(0, (1, 1)).value((1, 1)) >= 0
        True
        """
        field, opening, _ = self._drawn(number)
        return cleared(field, start, self.first_click, opening)

    def _drawn(self, number: int) -> tuple[Field, int, int]:
        """The field of a game, and the seeds of its opening and of the agent's choices."""
        luck = random.Random(f"minesweeper campaign {self.seed} game {number}")
        field = Field.random(self.rows, self.columns, self.mines, seed=luck.getrandbits(62))
        return field, luck.getrandbits(62), luck.getrandbits(62)


SLICE, CELLS, CELLS_WITH_ROLLS = 20, 10_000, 1_000
"""At most this number of games, or of cells, are played at a time; of cells fewer where games are played out before each guess."""
GRACE, LATENESS = 0.25, 0.1
"""Seconds after the limit in which a game that was begun may still end, and those after which a worker that told nothing is stopped."""


def _run(
    task: Task, numbers: Sequence[int], workers: int | None, executor: Executor | None, stack: ExitStack, deadline: Deadline
) -> Generator[Sequence[Outcome], None, None]:
    """The outcomes of the games with these numbers, a few at a time as they come, until a limit is met."""
    most = task.together
    if executor is None and (workers == 1 or len(numbers) == 1):
        for start in range(0, len(numbers), most):
            yield _play_within(deadline.end, None, task, numbers[start : start + most])
            if deadline.passed():
                return
        return
    if not numbers:
        return
    try:
        pickle.dumps(task.agent)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ModelError(
            f"the agent cannot be sent to other processes ({error}): define it at the top of a module, or play with workers=1"
        ) from error
    count = workers or os.cpu_count() or 1
    chosen = executor if executor is not None else stack.enter_context(_processes(count, deadline))
    length = max(1, min(most, len(numbers) // (4 * count)))
    batches = iter([numbers[start : start + length] for start in range(0, len(numbers), length)])
    end = deadline.end if executor is None else inf  # another machine has a clock of its own
    play = partial(_play_within, end, None if deadline.most is None else max(1, deadline.most[1] // count), task)
    waiting: set[Future[list[Outcome]]] = {chosen.submit(play, batch) for batch in islice(batches, 4 * count)}
    try:
        while waiting:
            patience = None if deadline.end == inf else max(0.0, deadline.end + GRACE + LATENESS - time.monotonic())
            done, waiting = wait(waiting, patience, FIRST_COMPLETED)
            if not done:
                return
            if deadline.passed():
                waiting = {future for future in waiting if not future.cancel()}
            else:
                waiting |= {chosen.submit(play, batch) for batch in islice(batches, len(done))}
            for future in done:
                yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def _play_within(end: float, max_memory: int | None, task: Task, numbers: Sequence[int]) -> list[Outcome]:
    """The outcomes of a few games, of those only that were begun by ``end``, on the clock of this machine, and over soon after."""
    left = max(0.0, end - time.monotonic())
    begun, over = (Deadline(None if left == inf else left + more) for more in (0.0, GRACE))
    outcomes: list[Outcome] = []
    with Deadline(None, max_memory).watched(), over.watched():
        try:
            for outcome in task.play_all(numbers):
                outcomes.append(outcome)
                if begun.passed():
                    break
        except TimeLimitError:
            if not over.passed():  # a limit that the agent set itself
                raise
    return outcomes


@contextmanager
def _processes(count: int, deadline: Deadline) -> Iterator[Executor]:
    """Processes that leave Ctrl-C to this one, which ends them at once then and when time is up."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(count, initializer=_work)
    done = False
    try:
        yield executor
        done = not deadline.passed()
    finally:
        if not done:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        executor.shutdown(cancel_futures=True)


def _work() -> None:
    """Makes this process a worker: Ctrl-C is for its parent, and when that is gone there is nobody to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


# -- progress


class Tally:
    """The running win rate with its interval, on the line of progress; silent when not ``shown``."""

    def __init__(self, name: str, games: int, shown: bool) -> None:
        self._games = games
        self._wins = self._played = 0
        self._progress = Progress(name, shown)

    def __enter__(self) -> Tally:
        self._progress.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.__exit__(None, None, None)

    def show(self, outcomes: Iterable[Outcome]) -> None:
        """Counts further outcomes in."""
        for outcome in outcomes:
            self._played += 1
            self._wins += outcome.won
        if self._played:
            self._progress.update(f"{self._played:,} of {self._games:,} games, {self.summary()}")

    def summary(self) -> str:
        """The win rate so far.

        >>> tally = Tally("exact", 10, shown=False)
        >>> tally.show([Outcome(0, True, 1, 5, 1.0, 0.0), Outcome(1, False, 1, 5, 0.0, 0.0)])
        >>> tally.summary()
        'wins 50.00% (9.45% to 90.55%)'
        """
        low, high = wilson(self._wins, self._played)
        return f"wins {self._wins / self._played:.2%} ({low:.2%} to {high:.2%})"

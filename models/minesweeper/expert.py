"""The strongest players: one compiled player (:mod:`models.minesweeper.player`), asked about a view or given whole games.

``EXPERT`` opens all that is proven safe. Else it searches the endgame to its end once few fields fit, and before that weighs exact risk by
what a cell will reveal: small boards by two-step safety, large ones by a fitted score. ``STRONG`` plays games out on drawn fields
besides. What is shown to people comes from the same compiled code that plays campaigns.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpsolve.errors import ModelError
from models.minesweeper.decision import CERTAIN, Decision, density
from models.minesweeper.formats import Cell
from models.minesweeper.inference import inconsistent, infer
from models.minesweeper.rules import FirstClick, View

if TYPE_CHECKING:
    from models.minesweeper.player.desk import Desk

GUESSES = ("auto", "score", "two steps", "least risk")
"""How an expert guesses: by what suits the board, the fitted score, two-step safety, or the least exact risk."""
MAX_FIELDS = 1000
"""The endgame is searched when at most this number of fields fit."""
MAX_WORK = 10_000_000
"""A search is given up when it has looked at this number of numbers (fields × cells, over all positions)."""
LARGE = 200
"""Boards of at least this number of cells are large."""
WEIGHTS = {
    "safe": -0.084806, "next": 0.066001, "second": 0.169188, "fourth": 0.05047, "tenth": 0.069911, "known safe": 0.0017462,
    "closed": 0.161968, "pair": 2 * 0.186462, "square": 2 * 0.114401, "enabler": 2 * 0.132507,
}  # fmt: skip
"""The score's weights, fitted to differences between cells of the same position (``benchmarks/minesweeper_fit.py`` fits such weights).

How safe the cell is; how safe the safest, second, fourth and tenth safest cells are after it; the number of cells known to be safe then, up
to eight; the safest next cell times the best safety of each component that nothing outside can help; and how likely the cell is part of
an unavoidable 50/50 of two cells, of four, or one of the mines that make one. The last three count double: measured to be better so."""


@dataclass(frozen=True)
class Choice:
    """A cell to open and why; ``chance`` is the exact probability of winning, when the cell is proven best."""

    cell: Cell
    reason: str
    chance: Fraction | None = None


@dataclass(frozen=True)
class Result:
    """How a game went: won or not, its guesses, cells opened, what it was worth and its luck (see ``campaign.fortune``)."""

    won: bool
    guesses: int
    opened: int
    expected: float
    luck: float


@dataclass(frozen=True)
class Prospect:
    """A cell that the fitted score compares: its features, in the order of WEIGHTS, and its score."""

    cell: Cell
    features: NDArray[np.float64]
    score: float


@dataclass(frozen=True)
class Guess:
    """Where a game comes to a guess: the grid, the cell chosen and its risk, and the cells compared if a score decides (none if not)."""

    grid: NDArray[np.int8]
    cell: Cell
    risk: float
    prospects: list[Prospect]


@dataclass(frozen=True)
class Expert:
    """A compiled player: one of GUESSES, the fields from which the endgame is searched (0: never), and roll-outs before each guess.

    It is an agent: called with a view it decides.

    >>> decision = Expert()(View.from_text("1-\\n--", mines=1), random.Random(0))
    >>> decision.risk, decision.chance
    (0.3333333333333333, Fraction(1, 3))
    """

    guess: str = "auto"
    max_fields: int = MAX_FIELDS
    rolls: int = 0

    def __post_init__(self) -> None:
        if self.guess not in GUESSES:
            raise ModelError(f"guess is one of {', '.join(map(repr, GUESSES))}, not {self.guess!r}")
        if not 0 <= self.max_fields <= MAX_FIELDS:
            raise ModelError(f"the endgame is searched from at most {MAX_FIELDS:,} fields, not {self.max_fields:,}")
        if self.rolls < 0:
            raise ModelError(f"the number of roll-outs is 0 or more, not {self.rolls}")

    def __call__(self, view: View, luck: random.Random) -> Decision:
        """What to do in a view: open what is proven safe, else guess; flag what is proven a mine."""
        if not view.open:
            return self.start(view)
        found = look_at(view, self)
        flags = tuple(sorted(found.mines - view.flags))
        if found.safe:
            return Decision(tuple(sorted(found.safe)), flags, reason=CERTAIN)
        if found.choice is None:
            raise ModelError(f"nothing is left to open:\n{view}")
        return Decision((found.choice.cell,), flags, True, found.risk, found.choice.reason, found.choice.chance)

    def choose(self, view: View) -> Choice:
        """The best cell to open in a view in which nothing is proven safe.

        >>> EXPERT.choose(View.from_text("11\\n--", mines=1))
        Choice(cell=(2, 2), reason='proven best: of 2 fields that fit, best play wins 1', chance=Fraction(1, 2))
        >>> EXPERT.choose(View(16, 30, {}, mines=99))
        Choice(cell=(1, 1), reason='the first move, in a corner, opens most often', chance=None)
        """
        decision = self(view, random.Random(0))
        return Choice(decision.open[0], decision.reason, decision.chance)

    def start(self, view: View, first_click: FirstClick = "any") -> Decision:
        """The first move: in a corner, but off the sides when the rules promise an opening, which is larger there.

        >>> EXPERT.start(View(16, 30, {}, mines=99), "opening").open
        ((4, 4),)
        """
        if first_click == "opening":
            cell = (min(4, (view.rows + 1) // 2), min(4, (view.columns + 1) // 2))
            return Decision((cell,), guess=True, risk=density(view), reason="the first move opens most off the sides where a 0 is promised")
        return Decision(((1, 1),), guess=True, risk=density(view), reason="the first move, in a corner, opens most often")

    def play_all(
        self,
        fields: Sequence[NDArray[np.int8]],
        mines: int,
        starts: Sequence[Cell],
        risks: Sequence[float],
        view: NDArray[np.int8] | None = None,
    ) -> list[Result | None]:
        """Plays a game on each of some fields of one size (their numbers, -1 a mine), with a first cell and its known risk.

        Games begin with all covered, or from the grid of a ``view`` of all the fields. None where a position was too wide to count.

        >>> from models.minesweeper.rules import Field
        >>> EXPERT.play_all([Field(2, 3, {(2, 1)}).numbers], 1, [(1, 1)], [0.0])
        [Result(won=True, guesses=1, opened=5, expected=1.0, luck=0.0)]
        """
        from models.minesweeper.player import games
        from models.minesweeper.player.desk import MOST_CELLS, SOLVED, borrowed

        rows, columns = fields[0].shape
        if rows * columns > MOST_CELLS:
            return [None] * len(fields)
        boards = np.array([field.ravel() for field in fields], np.int8)
        views = np.full(boards.shape, -1, np.int8) if view is None else np.repeat(view.reshape(1, -1), len(boards), axis=0)
        places = np.array([(row - 1) * columns + column - 1 for row, column in starts], np.int64)
        told = np.zeros((len(fields), games.GAME_LUCK + 1))
        with borrowed(rows, columns) as desk:
            self._instruct(desk, mines)
            games.run(False, views, boards, places, np.array(risks, np.float64), told, *desk)
        return [
            Result(bool(game[games.VICTORY]), int(game[games.GUESSES]), int(game[games.OPENED]), *game[games.EXPECTED :].tolist())
            if game[games.STATUS] == SOLVED
            else None
            for game in told
        ]

    def next_guess(self, field: NDArray[np.int8], mines: int, cell: Cell, grid: NDArray[np.int8] | None = None) -> Guess | None:
        """Opens a cell of a field (see ``play_all``), then all that is proven safe, up to the next guess.

        The game begins with all covered, or from a ``grid``. None when it ends before, or its end is proven.

        >>> from models.minesweeper.rules import Field
        >>> guess = EXPERT.next_guess(Field.random(16, 30, 99, seed=8).numbers, 99, (1, 1))
        >>> guess.cell, [(prospect.cell, round(prospect.score, 3)) for prospect in guess.prospects][:2]
        ((14, 2), [((13, 1), 0.389), ((14, 2), 0.393)])
        """
        from models.minesweeper.player import desk as places
        from models.minesweeper.player import games

        rows, columns = field.shape
        view = np.full((1, field.size), -1, np.int8) if grid is None else grid.reshape(1, -1).copy()
        start, told = np.array([(cell[0] - 1) * columns + cell[1] - 1]), np.zeros((1, games.GAME_LUCK + 1))
        if field.flat[start[0]] < 0:
            return None
        with places.borrowed(rows, columns) as desk:
            self._instruct(desk, mines)
            desk.ints[places.TO_GUESS] = 1
            games.run(False, view, field.reshape(1, -1), start, np.zeros(1), told, *desk)
            if told[0, games.VICTORY] or told[0, games.STATUS] != places.SOLVED or desk.floats[places.OF]:
                return None
            chosen, by_score = int(desk.floats[places.OPEN_CELL]), int(desk.floats[places.WHY]) == places.BY_SCORE
            risk = float(desk.values[places.BASE, chosen])
            found = desk.values[places.FEATURES : places.VALUES if by_score else places.FEATURES, : places.CANDIDATE + 1].copy()
        prospects = [
            Prospect((int(row[-1]) // columns + 1, int(row[-1]) % columns + 1), row[: places.WEIGHED], float(row[places.SCORE]))
            for row in found
            if row[places.CANDIDATE] >= 0 and row[places.SCORE] > -50
        ]
        return Guess(view.reshape(rows, columns), (chosen // columns + 1, chosen % columns + 1), risk, prospects)

    def drawn(self, grid: NDArray[np.int8], mines: int, seed: int) -> NDArray[np.int8] | None:
        """The numbers of one of the fields that fit a grid, all equally likely; None where the fitted score has no choice to make.

        >>> grid = np.full((3, 4), -1, np.int8)
        >>> grid[0, 0] = 1
        >>> field = EXPERT.drawn(grid, 2, seed=1)
        >>> int(field[0, 0]), int((field < 0).sum())
        (1, 2)
        """
        from models.minesweeper.player import desk as places
        from models.minesweeper.player import games

        view, told = grid.reshape(1, -1).copy(), np.zeros((1, games.GAME_LUCK + 1))
        with places.borrowed(*grid.shape) as desk:
            Expert("score", max_fields=0, rolls=1)._instruct(desk, mines)
            desk.ints[places.DICE_CODE] = random.Random(seed).getrandbits(62)
            field = desk.bytes[places.DRAWN_FIELD, : grid.size]
            field[:] = nothing = -2
            games.run(True, view, view, np.zeros(1, np.int64), np.zeros(1), told, *desk)
            return None if field[0] == nothing else field.reshape(grid.shape).copy()

    def _instruct(self, desk: Desk, mines: int | None, always: bool = False, max_work: int = MAX_WORK) -> None:
        """Writes down on a desk which board is played and how."""
        from models.minesweeper.player import desk as places

        large = len(desk.rows) >= LARGE
        guess = ("score" if large else "two steps") if self.guess == "auto" else self.guess
        ints = desk.ints
        ints[places.BOARD_MINES] = -1 if mines is None else mines
        ints[places.GUESS] = {"score": places.LINEAR, "two steps": places.TWO_STEPS, "least risk": places.LEAST_RISK}[guess]
        ints[places.MAX_FIELDS], ints[places.MAX_WORK] = self.max_fields, max_work
        ints[places.ROLLS], ints[places.ALWAYS_SEARCH], ints[places.TO_GUESS] = self.rolls, always, 0
        desk.floats[places.THETA : places.THETA + places.WEIGHED] = list(WEIGHTS.values())
        desk.values[places.FEATURES : places.VALUES, places.CANDIDATE] = -1
        ints[places.DICE_CODE] = 0


EXPERT = Expert()
STRONG = Expert(guess="score", rolls=150)


@dataclass(frozen=True)
class Look:
    """What the compiled player finds in a view: what is certain, and what it would open if nothing is safe, at which risk.

    ``following`` is how safe the next move is after that cell, and ``progress`` how likely a safe cell is known then (not told by an
    endgame, where ``end`` is what is won of how many fields). ``risks`` are those of all cells, ``log_fields`` the logarithm of the
    number of fields that fit.
    """

    safe: frozenset[Cell]
    mines: frozenset[Cell]
    choice: Choice | None
    risk: float
    following: float
    progress: float
    end: tuple[int, int] | None
    risks: NDArray[np.float64]
    log_fields: float


def look_at(view: View, player: Expert = EXPERT, always: bool = False, max_work: int = MAX_WORK) -> Look:
    """Has a view looked at by a player; ``always`` makes it search the endgame even where something is safe.

    >>> look = look_at(View.from_text("1--", mines=1))
    >>> sorted(look.safe), sorted(look.mines), look.risks.tolist()
    ([(1, 3)], [(1, 2)], [[0.0, 1.0, 0.0]])
    """
    from models.minesweeper.player import desk as places

    rows, columns = view.rows, view.columns
    with _asked(view, player, always, max_work) as desk:
        if desk is None:
            return _too_wide(view)
        cells = rows * columns
        covered, kind = view.grid < 0, desk.lines[places.KIND, :cells].reshape(rows, columns)
        safe, mines = _cells(covered & (kind == places.SAFE)), _cells(covered & (kind == places.MINE))
        answer = desk.values[places.BASE].copy()
        chosen = desk.floats[: places.WHY + 1].tolist()
    risks = answer[:cells].reshape(rows, columns)
    cell = (int(chosen[0]) // columns + 1, int(chosen[0]) % columns + 1)
    end = (int(chosen[places.WON]), int(chosen[places.OF])) if chosen[places.OF] else None
    nothing = len(safe) + len(mines) == int(covered.sum())
    choice = None if nothing and end is None else Choice(cell, _reason(player, chosen), None if end is None else Fraction(*end))
    risk = float(risks[cell[0] - 1, cell[1] - 1])
    following, progress = chosen[places.FOLLOWING], chosen[places.FOUND]
    return Look(safe, mines, choice, risk, following, progress, end, risks, float(answer[cells + places.LOG_TOTAL]))


@contextmanager
def _asked(view: View, player: Expert, always: bool = False, max_work: int = MAX_WORK) -> Iterator[Desk | None]:
    """A desk on which a player has looked at a view; None when the view passes its budget."""
    from models.minesweeper.player import desk as places
    from models.minesweeper.player import games

    if view.rows * view.columns > places.MOST_CELLS:
        yield None
        return
    with places.borrowed(view.rows, view.columns) as desk:
        player._instruct(desk, view.mines, always, max_work)
        views, told = view.grid.reshape(1, -1).copy(), np.zeros((1, games.GAME_LUCK + 1))
        status = games.run(True, views, views, np.zeros(1, np.int64), np.zeros(1), told, *desk)
        if status == places.INCONSISTENT:
            raise inconsistent(view)
        yield desk if status == places.SOLVED else None


def _too_wide(view: View) -> Look:
    """What inference alone tells, where the player's own passes its budget."""
    answer = infer(view)
    choice = None if not answer.best else Choice(answer.best[0], "the least exact risk; there is too much to look ahead")
    risk = answer.risk(choice.cell) if choice is not None else 0.0
    return Look(answer.safe, answer.mines, choice, risk, 0.0, 0.0, None, answer.probability, math.log(answer.solutions))


def _reason(player: Expert, chosen: Sequence[float]) -> str:
    from models.minesweeper.player import desk as places

    why = int(chosen[places.WHY])
    if why == places.BY_END:
        return f"proven best: of {int(chosen[places.OF]):,} fields that fit, best play wins {int(chosen[places.WON]):,}"
    if why == places.BY_RISK:
        return "the least exact risk" if player.guess == "least risk" else "the least exact risk; there is too much to look ahead"
    words = {
        places.BY_TWO_STEPS: "best two moves ahead",
        places.BY_FIFTY: "safe, or a 50/50 that cannot be avoided",
        places.BY_SCORE: "best by what it opens up",
        places.BY_ROLLS: "best of the games played out from here",
    }
    following, progress = chosen[places.FOLLOWING], chosen[places.FOUND]
    return f"{words[why]}: the next move is then {following:.1%} safe, a safe cell known in {progress:.1%}"


def _cells(chosen: NDArray[np.bool_]) -> frozenset[Cell]:
    rows, columns = np.nonzero(chosen)
    return frozenset(zip((rows + 1).tolist(), (columns + 1).tolist(), strict=True))

"""Players: each looks at a view and decides what to open and flag. None ever sees the field.

``"seed"`` is the original's agent: what one number and the flags around it prove, and when that is used up the cell of least *local*
risk. ``"exact"`` opens whatever is proven safe and else a cell of least exact risk. ``"expert"`` weighs risk by what a cell will
reveal and searches the endgame to its end, and ``"strong"`` plays games out besides, at many times the cost: see
:mod:`models.minesweeper.expert`.

The original's agent stands still for ever when no open number touches a covered cell without a flag; here it opens any such cell. Its
flags come from proofs only, so they are right.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from cpsolve.errors import ModelError, SolverError
from cpsolve.limits import Deadline
from models.minesweeper.decision import CERTAIN, Agent, Decision, density
from models.minesweeper.expert import EXPERT, STRONG, Expert
from models.minesweeper.formats import Cell
from models.minesweeper.inference import Inference, infer
from models.minesweeper.rules import Game, View


@dataclass(frozen=True)
class Move:
    """A cell opened, what that revealed (nothing: it was a mine), and whether, at what risk and why it was a guess.

    ``chance`` is the exact probability of winning before the move, when the move was proven best.
    """

    cell: Cell
    revealed: Mapping[Cell, int]
    guess: bool
    risk: float = 0.0
    reason: str = ""
    chance: Fraction | None = None

    @property
    def kind(self) -> str:
        """``"proven"`` when the cell was known to be safe, else ``"guess"``."""
        return "guess" if self.guess else "proven"

    def __str__(self) -> str:
        told = f"guess, risk {self.risk:.1%}" if self.guess else "proven safe"
        shown = f"shows {self.revealed[self.cell]}" if self.revealed else "a mine"
        opened = f", {len(self.revealed)} cells open" if len(self.revealed) > 1 else ""
        return f"({self.cell[0]},{self.cell[1]}) {shown}{opened}; {told}{': ' if self.reason else ''}{self.reason}"


@dataclass(frozen=True)
class Record:
    """How a game went: won or lost, its moves in order, and how many of them were guesses (the first move is one)."""

    agent: str
    won: bool
    moves: tuple[Move, ...]
    flags: frozenset[Cell]

    @property
    def guesses(self) -> int:
        """The number of moves that might have hit a mine."""
        return sum(move.guess for move in self.moves)

    @property
    def opened(self) -> int:
        """The number of cells opened."""
        return sum(len(move.revealed) for move in self.moves)

    def __str__(self) -> str:
        moves = (f"{number}. {move}" for number, move in enumerate(self.moves, start=1))
        return "\n".join([*moves, f"{self.agent} {'won' if self.won else 'lost'}"])


def play(
    game: Game,
    agent: str | Agent = "expert",
    seed: int | None = None,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> Record:
    """Plays a game to its end. Flags that stand at the beginning are taken away: an agent trusts its own only.

    Raises TimeLimitError when ``time_limit`` seconds pass before, MemoryLimitError beyond ``max_memory`` bytes; the game then stands as
    far as it was played.

    >>> from models.minesweeper.rules import Field
    >>> record = play(Game(Field.random(9, 9, 10, seed=4), first_click="opening"), "exact", seed=1)
    >>> record.won, record.opened
    (True, 71)
    >>> print(play(Game(Field(2, 3, {(2, 1)}), first_click="safe"), "expert"))
    1. (1,1) shows 1; guess, risk 0.0%: the first move, in a corner, opens most often
    2. (1,3) shows 0, 4 cells open; proven safe: no field that fits has a mine there
    expert won
    """
    chooser = agent if callable(agent) else _agent(agent)
    # a stream of its own: the field may have been drawn with the same seed, and its mines would be the first choices
    luck = random.Random(None if seed is None else f"an agent's choices {seed}")
    moves: list[Move] = []
    for cell in game.view.flags:
        game.unflag(cell)
    known = set(game.view.open)
    deadline = Deadline(time_limit, max_memory)
    while game.status == "playing":
        deadline.check("playing")
        view = game.view
        with deadline.watched():
            if isinstance(chooser, Expert) and not known:
                decision = chooser.start(view, game.first_click)
            else:
                decision = chooser(view, luck)
        for cell in decision.flag:
            game.flag(cell)
        # the rule takes the first move's risk away
        risk = 0.0 if not known and game.first_click != "any" else decision.risk
        made = [
            Move(cell, revealed, decision.guess, risk, decision.reason, decision.chance)
            for cell, revealed in _opened(game, decision.open, known)
        ]
        if not made and view.flags.issuperset(decision.flag):
            raise ModelError(f"the agent opens and flags nothing new, and the game is not over:\n{game.view}")
        if made and not made[-1].revealed and not decision.guess:
            raise SolverError(f"the agent called {made[-1].cell} safe, and it is a mine:\n{game.view}", [])
        moves += made
    return Record(
        agent if isinstance(agent, str) else getattr(agent, "__name__", "agent"), game.status == "won", tuple(moves), game.view.flags
    )


def _opened(game: Game, cells: Iterable[Cell], known: set[Cell]) -> Iterator[tuple[Cell, dict[Cell, int]]]:
    """Opens cells one by one while the game goes on; leaves out those that are open, which are ``known``, and adds what it opens."""
    for cell in cells:
        if game.status == "playing" and cell not in known:
            revealed = game.open(cell)
            known.update(revealed)
            yield cell, revealed


def _agent(name: str) -> Agent:
    if name not in AGENTS:
        raise ModelError(f"there is no agent {name!r}: choose one of {', '.join(map(repr, AGENTS))}")
    return AGENTS[name]


# -- the original's agent


def original_agent(view: View, luck: random.Random) -> Decision:
    """The original's agent: what single numbers prove, else the cell of least local risk.

    >>> original_agent(View.from_text("1-\\n11"), random.Random(0))
    Decision(open=(), flag=((1, 2),), guess=False)
    """
    if not view.open:
        return Decision((luck.choice(view.covered),), guess=True, risk=density(view), reason="the first move: any cell")
    border = original_frontier(view)
    certain = _certain(view, border)
    if certain.open or certain.flag:
        return certain
    risks = local_risks(view, border)
    if not risks:
        free = [cell for cell in view.covered if cell not in view.flags]
        return Decision((luck.choice(free),), guess=True, risk=density(view), reason="no number tells more: any cell")
    least = min(risks.values())
    chosen = luck.choice([cell for cell, risk in risks.items() if risk == least])
    return Decision((chosen,), guess=True, risk=least, reason="the least local risk")


def original_frontier(view: View) -> dict[Cell, tuple[Cell, ...]]:
    """The open cells from which something can still be learnt, with the covered cells around each.

    They show more than 0 and have a covered neighbour without a flag.

    >>> original_frontier(View.from_text("1-\\nF1"))
    {(1, 1): ((1, 2), (2, 1)), (2, 2): ((1, 2), (2, 1))}
    """
    frontier = {}
    for cell, value in view.open.items():
        if value > 0:
            around = view.covered_around(cell)
            if any(near not in view.flags for near in around):
                frontier[cell] = around
    return frontier


def _certain(view: View, frontier: dict[Cell, tuple[Cell, ...]]) -> Decision:
    opened: dict[Cell, None] = {}
    flagged: dict[Cell, None] = {}
    for cell, around in frontier.items():
        free = [near for near in around if near not in view.flags]
        if len(around) - len(free) == view[cell]:
            opened.update(dict.fromkeys(free))
        elif len(around) == view[cell]:
            flagged.update(dict.fromkeys(free))
    return Decision(tuple(opened), tuple(flagged), reason="a number has all its mines flagged")


def local_risks(view: View, frontier: dict[Cell, tuple[Cell, ...]]) -> dict[Cell, float]:
    """For each cell near the frontier, the largest risk that one number alone gives it: a rule of thumb, not a probability.

    >>> view = View.from_text("001-\\n001-\\n113-\\n----")
    >>> risks = local_risks(view, original_frontier(view))
    >>> risks[1, 4], risks[2, 4]
    (0.5, 0.6)
    """
    risks: dict[Cell, float] = {}
    for cell, around in frontier.items():
        free = [near for near in around if near not in view.flags]
        risk = ((view[cell] or 0) - (len(around) - len(free))) / len(free)
        for near in free:
            risks[near] = max(risk, risks.get(near, 0.0))
    return risks


# -- the exact agent


def exact_agent(view: View, luck: random.Random) -> Decision:
    """Opens all that is proven safe, else one of the cells of least exact risk.

    >>> exact_agent(View.from_text("1--", mines=1), random.Random(0))
    Decision(open=((1, 3),), flag=((1, 2),), guess=False)
    """
    answer = infer(view)
    if answer.safe:
        return Decision(tuple(sorted(answer.safe)), _flags(answer), reason=CERTAIN)
    chosen = luck.choice(answer.best)
    return Decision((chosen,), _flags(answer), True, answer.risk(chosen), "the least exact risk")


def _flags(answer: Inference) -> tuple[Cell, ...]:
    return tuple(sorted(answer.mines - answer.view.flags))


AGENTS: dict[str, Agent] = {"seed": original_agent, "exact": exact_agent, "expert": EXPERT, "strong": STRONG}
"""The agents by name."""

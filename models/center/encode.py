"""Center as constraints: sight, distance and whole games, in the common modelling language.

The one idea is how to say what is seen. From a cell in one direction a player's stone comes first if it stands on the next cell, or if
that cell is empty and the player's stone comes first from there. One 0/1 variable per cell and direction says so exactly, and a
move is legal when enough of a cell's variables hold. :func:`legality` states this for one position; :class:`Game` for each turn of a
game with a given number of turns (its *horizon*).

Nothing here decides what is legal in a position: the rules do, and every decoded game is replayed by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cpsolve import Model, NamedConstraint, Solution, Variable, all_of, exactly_one
from cpsolve.expressions import Condition
from cpsolve.limits import look
from models.center.board import Board, Cell
from models.center.rules import EMPTY, FIRST, SECOND, Position, opponent

STATING_GAMES, STATING_PLACEMENTS = "stating a game", "stating the placements"
Stones = Mapping[Cell, Condition | None]
"""Where a player has stones: a condition per cell; None where there can be none."""


class Sight:
    """What a player sees from each cell, for stones that are conditions: variables are made when they are asked for.

    >>> position = Position.from_rows(["x..", "...", "..o"])
    >>> m = Model()
    >>> corner = m.bool_var("x on (1, 1)")
    >>> sight = Sight(m, position.board, {(1, 1): corner}, {}, "x")
    >>> sight.friends((2, 2))
    [x on (1, 1)]
    """

    def __init__(self, model: Model, board: Board, own: Stones, others: Stones, label: str) -> None:
        self._model = model
        self._board = board
        self._own = own
        self._others = others
        self._label = label
        self._first: dict[tuple[Cell, str], Condition | None] = {}

    def friends(self, cell: Cell) -> list[Condition]:
        """A condition for each direction in which a stone of the player may come first."""
        directions = self._board.rays[self._board.index[cell]]
        seen = (self.first(cell, direction) for direction in directions)
        return [condition for condition in seen if condition is not None]

    def first(self, cell: Cell, direction: str) -> Condition | None:
        """The condition that the first stone in a direction is the player's; None when it cannot be."""
        key = (cell, direction)
        if key not in self._first:
            self._first[key] = self._define(cell, direction)
        return self._first[key]

    def _define(self, cell: Cell, direction: str) -> Condition | None:
        ray = self._board.rays[self._board.index[cell]][direction]
        if not ray:
            return None
        near = ray[0]
        own, other, beyond = self._own.get(near), self._others.get(near), self.first(near, direction)
        if beyond is None:
            return own
        if own is None and other is None:
            return beyond
        first = self._model.bool_var(f"{self._label} first {direction} of {cell}")
        standing = [stone for stone in (own, other) if stone is not None]
        self._model.add([_any(beyond, ~first, *standing), _any(~beyond, first, *standing)], name=f"past {near} if empty")
        if own is not None:
            self._model.add(~own | first, name=f"own stone on {near} shows")
        if other is not None:
            self._model.add(~other | ~first, name=f"other stone on {near} hides")
        return first


def _any(first: Any, *others: Any) -> Any:
    for other in others:
        first = first | other
    return first


def enough(friends: Iterable[Condition], distance: int) -> Any:
    """The constraint that at least ``distance`` of the conditions hold.

    >>> m = Model()
    >>> enough(m.bool_vars(3, name="sees"), 2)
    sees[0] + sees[1] + sees[2] >= 2
    """
    listed = list(friends)
    if len(listed) < distance:
        return False
    return sum(listed[1:], start=listed[0]) >= distance if distance > 0 else True


# -- one position


@dataclass(frozen=True)
class Legality:
    """A model whose solutions are the legal placements in a position: exactly one of ``take`` holds in each."""

    model: Model
    take: Mapping[Cell, Variable]

    def cell(self, solution: Solution) -> Cell:
        """The cell that a solution takes.

        >>> legal = legality(Position(size=1))
        >>> [legal.cell(solution) for solution in legal.model.solutions()]
        [(1, 1)]
        """
        return next(cell for cell, chosen in self.take.items() if solution[chosen])


def legality(position: Position, player: str | None = None) -> Legality:
    """The rule of placement as constraints: the stones are named facts, one cell is taken, enough friends are in sight of it.

    >>> legal = legality(Position.from_rows(["x.o", "...", "..."]))
    >>> sorted(legal.cell(solution) for solution in legal.model.solutions(over=list(legal.take.values())))
    [(1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
    >>> reasons = legal.model.explain(legal.take[1, 1] == 0)
    >>> [reason.name for reason in reasons]
    ['x on (1, 1)', '(1, 1) must be empty']
    """
    mover = player or position.to_move
    other = opponent(mover)
    model = Model(f"legal moves of {mover}")
    stones: dict[str, dict[Cell, Condition | None]] = {mover: {}, other: {}}
    for cell in position.board.cells:
        look(STATING_PLACEMENTS)
        for owner in (mover, other):
            stands = model.bool_var(f"{owner} on {cell}")
            stones[owner][cell] = stands
            fact = position.stone(cell) == owner
            model.add(stands == int(fact), name=f"{owner} on {cell}" if fact else f"no {owner} on {cell}")
    sight = Sight(model, position.board, stones[mover], stones[other], mover)
    take = {cell: model.bool_var(f"take {cell}") for cell in position.board.cells}
    model.add(exactly_one(list(take.values())), name="one stone")
    for cell, chosen in take.items():
        look(STATING_PLACEMENTS)
        own, theirs, needed = stones[mover][cell], stones[other][cell], position.distance(cell)
        assert own is not None
        assert theirs is not None
        model.add(chosen.implies(~own & ~theirs), name=f"{cell} must be empty")
        model.add(chosen.implies(enough(sight.friends(cell), needed)), name=f"{cell} needs {needed} in sight")
    return Legality(model, take)


def legal_moves(position: Position, player: str | None = None) -> tuple[Cell, ...]:
    """The cells that a player may take, found by the constraints alone, in reading order.

    >>> position = Position.from_rows(["x.o", "...", "..."])
    >>> legal_moves(position) == position.legal_moves()
    True
    """
    legal = legality(position, player)
    found = {legal.cell(solution) for solution in legal.model.solutions(over=list(legal.take.values()))}
    return tuple(cell for cell in position.board.cells if cell in found)


# -- whole games


class Game:
    """A game of ``horizon`` turns from the empty board, x on the odd ones, as a model.

    ``may_hold(player, cell)`` tells where a player may put stones at all. A turn puts one stone or, where ``passes`` allows it, is a
    pass, which needs that the player has no legal move. The centre can be taken on the last turn only: that ends the game.

    >>> game = Game(Position(size=3).board, horizon=3, may_hold=lambda player, cell: True)
    >>> _ = game.model.add(game.taken(3, (2, 2)), name="x ends on the centre")
    >>> moves = game.decode(game.model.solve().solution)
    >>> len(moves), moves[-1]
    (3, (2, 2))
    """

    def __init__(self, board: Board, horizon: int, may_hold: Callable[[str, Cell], bool], passes: bool = False) -> None:
        self.board = board
        self.horizon = horizon
        self.model = Model(f"a game of {horizon} turns")
        self.passes: dict[int, Variable] = {}
        self._take: dict[tuple[int, Cell], Variable] = {}
        self._holds: dict[str, dict[Cell, Condition | None]] = {FIRST: {}, SECOND: {}}
        self.needs: dict[NamedConstraint, tuple[str, Cell]] = {}
        """The constraints that say how many friends a stone needs, with the stone."""
        self._rules: dict[tuple[str, Cell], list[Any]] = {}
        for turn in range(1, horizon + 1):
            self._add_turn(turn, may_hold, passes)
        for (player, cell), rules in self._rules.items():
            look(STATING_GAMES)
            needed = board.distance(cell)
            entry = self.model.add(all_of(rules), name=f"{player} on {cell} needs {needed} friend{'' if needed == 1 else 's'} in sight")
            self.needs[entry] = player, cell
        for cell in board.cells:
            turns = [self._take[turn, cell] for turn in range(1, horizon + 1) if (turn, cell) in self._take]
            if len(turns) > 1:
                self.model.add(sum(turns[1:], start=turns[0]) <= 1, name=f"one stone on {cell}")

    def player(self, turn: int) -> str:
        """Whose turn it is."""
        return FIRST if turn % 2 else SECOND

    def taken(self, turn: int, cell: Cell) -> Any:
        """The condition that a cell is taken on a turn; False when it cannot be."""
        return self._take.get((turn, cell), False)

    def ever_taken(self, player: str, cell: Cell) -> Any:
        """The condition that a player has a stone on a cell in the end; False when they cannot."""
        stands = self._holds[player].get(cell)
        return False if stands is None else stands

    def decode(self, solution: Solution) -> tuple[Cell, ...]:
        """The cells in the order taken; passes leave no trace, as in the rules."""
        return tuple(cell for (_, cell), chosen in sorted(self._take.items()) if solution[chosen])

    def demand(self, stones: Mapping[Cell, str]) -> None:
        """Adds that these stones stand in the end."""
        for cell, player in stones.items():
            self.model.add(self.ever_taken(player, cell), name=f"{player} must come to stand on {cell}")

    def _add_turn(self, turn: int, may_hold: Callable[[str, Cell], bool], passes: bool) -> None:
        player = self.player(turn)
        other = opponent(player)
        sight = Sight(self.model, self.board, self._holds[player], self._holds[other], f"turn {turn}: {player}")
        choices: list[Variable] = []
        for cell in self.board.cells:
            look(STATING_GAMES)
            # A player sees at most one friend per stone, so cells farther in than they have stones are out of reach.
            reachable = self.board.distance(cell) <= (turn - 1) // 2
            if may_hold(player, cell) and reachable and (cell != self.board.centre or turn == self.horizon):
                choices.append(self._add_choice(turn, cell, sight))
        if passes and turn > 1:
            choices.append(self._add_pass(turn, sight))
        self.model.add(exactly_one(choices), name=f"turn {turn}: one move")
        # Sight looks at the stones of the turns before: what this turn adds is known from the next turn on.
        holds = dict(self._holds[player])
        for cell in self.board.cells:
            chosen = self._take.get((turn, cell))
            if chosen is not None:
                holds[cell] = self._add_stone(turn, cell, holds.get(cell), chosen)
        self._holds[player] = holds

    def _add_choice(self, turn: int, cell: Cell, sight: Sight) -> Variable:
        player = self.player(turn)
        chosen = self._take[turn, cell] = self.model.bool_var(take_name(turn, player, cell))
        theirs = self._holds[opponent(player)].get(cell)
        if theirs is not None:
            self.model.add(~chosen | ~theirs, name=f"turn {turn}: {cell} must be empty")
        needed = self.board.distance(cell)
        if needed:
            self._rules.setdefault((player, cell), []).append(chosen.implies(enough(sight.friends(cell), needed)))
        return chosen

    def _add_stone(self, turn: int, cell: Cell, before: Condition | None, chosen: Variable) -> Condition:
        if before is None:
            return chosen
        after = self.model.bool_var(f"turn {turn}: {self.player(turn)} on {cell}")
        self.model.add([~before | after, ~chosen | after, before | chosen | ~after], name=f"turn {turn}: stones stay on {cell}")
        return after

    def _add_pass(self, turn: int, sight: Sight) -> Variable:
        """A pass: every cell is occupied or out of the player's sight; never two in a row, for that ends the game."""
        passed = self.passes[turn] = self.model.bool_var(f"turn {turn}: pass")
        for cell in self.board.cells:
            look(STATING_GAMES)
            stones = [stone for stone in (self._holds[player].get(cell) for player in (FIRST, SECOND)) if stone is not None]
            needed = self.board.distance(cell)
            friends = sight.friends(cell) if needed else []
            if needed and len(friends) < needed:
                continue
            blocked = [friends[0] + sum(friends[1:]) <= needed - 1] if needed else []
            self.model.add(_any(~passed, *stones, *blocked), name=f"turn {turn}: no pass while {cell} can be taken")
        if turn - 1 in self.passes:
            self.model.add(~passed | ~self.passes[turn - 1], name=f"turn {turn}: a second pass would end the game")
        return passed


def take_name(turn: int, player: str, cell: Cell) -> str:
    """What the variable is called that says that a player takes a cell on a turn.

    >>> take_name(3, "x", (2, 2))
    'turn 3: x takes (2, 2)'
    """
    return f"turn {turn}: {player} takes {cell}"


def stones_of(position: Position) -> dict[Cell, str]:
    """Who stands where.

    >>> stones_of(Position(size=3).play((2, 1)))
    {(2, 1): 'x'}
    """
    return {cell: stone for cell, stone in zip(position.board.cells, position.stones, strict=True) if stone != EMPTY}

"""Games that end as wished: an order of moves that leads to a board, and the shortest game in which x reaches the centre.

Both are asked as "is there a game of this number of turns?" for a growing horizon. :func:`encode` gives the model of one such question,
or that of legal placements, :func:`decode` the answer of a solution; a found game is replayed by the rules before it is given back as a
Plan. Where there is none the reason is given in words, from the plainest that holds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cpsolve import Model, Result, Status, Variable
from cpsolve.checks import NOT_CHECKED, Check
from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline, looking
from cpsolve.puzzles.plans import Move, Plan, plan_of
from models.center.board import Cell
from models.center.encode import Game, legality, stones_of, take_name
from models.center.rules import EMPTY, FIRST, SECOND, Position, opponent

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

SETTINGS = {"cp_model_probing_level": 0, "symmetry_level": 0, "linearization_level": 0}
"""Games are long chains of clauses: probing, symmetry and linear relaxations of them cost more than half the time and find nothing."""
ONE_EACH = "every order has one move per stone"
REASON_SECONDS = 5.0
"""How long to look for the few stones that rule out every order, once it is known that none exists."""


@dataclass(frozen=True, slots=True)
class Placement(Move):
    """A stone put on a cell.

    >>> print(placement("x", (3, 1)))
    x (3, 1)
    """

    player: str
    cell: Cell


def placement(player: str, cell: Cell) -> Placement:
    """The move of a player to a cell.

    >>> placement("o", (1, 2)).cell
    (1, 2)
    """
    return Placement(f"{player} {cell}", player, cell)


@dataclass(frozen=True)
class Arrangement:
    """The puzzle of playing, for both sides, from the empty board to given stones (or, without them, to x on the centre)."""

    empty: Position
    stones: str | None = None

    def start(self) -> Position:
        """The empty board."""
        return self.empty

    def moves(self, state: Position) -> Iterable[tuple[Move, Position]]:
        """All legal placements."""
        for cell in state.legal_moves():
            if cell != "swap":
                yield placement(state.to_move, cell), state.play(cell)

    def after(self, state: Position, move: Move) -> Position | None:
        """The position after a placement; None when it is not legal."""
        if not isinstance(move, Placement) or move != placement(state.to_move, move.cell) or state.why_not(move.cell) is not None:
            return None
        return state.play(move.cell)

    def is_goal(self, state: Position) -> bool:
        """Whether the stones stand as wished."""
        return state.winner == FIRST if self.stones is None else state.stones == self.stones

    def picture(self, plan: Plan[Position] | None = None, step: int | None = None) -> Picture:
        """The stones to be reached, numbered by a plan; see :func:`models.center.drawing.draw_order`."""
        from models.center.drawing import draw_order

        return draw_order(self, plan, step)

    def plan(self, cells: Sequence[Cell], bound: int, stats: Mapping[str, object]) -> Plan[Position]:
        """A plan of the cells in order, replayed by the rules."""
        state, moves = self.empty, []
        for cell in cells:
            moves.append(placement(state.to_move, cell))
            state = state.play(cell)
        return plan_of(self, moves, bound, stats)


# -- the models, for rules of one's own

FORMS = ("order", "legality")


def encode(
    board: Position | Sequence[Sequence[str]],
    form: str = "order",
    *,
    turns: int | None = None,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> Model:
    """A position as a model: ``order``, whose solutions are the games that lead to it, or ``legality``, the legal placements in it.

    A game has one turn per stone, or ``turns``, which leaves room for passes.

    >>> encode(["xo.", "...", "..."]).count()
    1
    >>> len({decode(["xo.", "...", "..."], s) for s in encode(["xo.", "...", "..."], "legality").solutions()})
    7
    """
    if form not in FORMS:
        raise ModelError(f"unknown form {form!r}: expected one of {', '.join(FORMS)}")
    target = _target(board)
    if form == "legality" and turns is not None:
        raise ModelError("a placement has no turns: leave them out, or take form='order'")
    with Deadline(time_limit, max_memory).watched():
        return legality(target).model if form == "legality" else _game(target, stones_of(target), turns).model


def decode(board: Position | Sequence[Sequence[str]], solution: Mapping[Variable, int]) -> Plan[Position] | Cell:
    """The game of a solution of the form ``order``, replayed by the rules; of the form ``legality`` the cell that is taken.

    >>> decode(["xo.", "...", "..."], encode(["xo.", "...", "..."]).solve().solution).moves
    (Placement(name='x (1, 1)', player='x', cell=(1, 1)), Placement(name='o (2, 1)', player='o', cell=(2, 1)))
    """
    target = _target(board)
    values = {variable.name: value for variable, value in solution.items()}
    cells = target.board.cells
    if any(f"take {cell}" in values for cell in cells):
        return next(cell for cell in cells if values[f"take {cell}"])
    turns = range(1, len(values) + 1)
    game = [cell for turn in turns for cell in cells for player in (FIRST, SECOND) if values.get(take_name(turn, player, cell))]
    return Arrangement(Position(target.size, target.shape), target.stones).plan(game, len(game), {})


def _target(board: Position | Sequence[Sequence[str]]) -> Position:
    return board if isinstance(board, Position) else Position.from_rows(board, to_move=FIRST)


def _game(target: Position, stones: dict[Cell, str], turns: int | None) -> Game:
    """All games of a number of turns that lead to the stones."""
    horizon = len(stones) if turns is None else turns
    game = Game(target.board, horizon, lambda player, cell: stones.get(cell) == player, passes=horizon > len(stones))
    game.demand(stones)
    return game


# -- which order of stones leads here?


def reach(
    board: Position | Sequence[Sequence[str]], *, time_limit: float | None = None, max_memory: int | None = None, check: bool = False
) -> Plan[Position]:
    """An order of legal moves from the empty board, x first, that leads to the given stones; else the reason why there is none.

    ``plan.moves`` are placements with ``player`` and ``cell``, ``plan.states`` the positions. Players pass when they must. UNKNOWN
    when ``time_limit`` seconds pass or more than ``max_memory`` bytes are needed. With ``check`` the models of small boards are answered
    once more by an independent backend.

    >>> plan = reach(["xoo..", ".x...", ".....", ".....", "....."])
    >>> plan.cost, plan.states[-1].to_move
    (4, 'x')
    """
    target = _target(board)
    puzzle = Arrangement(Position(target.size, target.shape), target.stones)
    with Deadline(time_limit, max_memory).watched() as deadline:
        try:
            return _reach(target, puzzle, stones_of(target), check, deadline)
        except LimitError:
            return Plan(Status.UNKNOWN, reason=f"{deadline.given()} passed before all stones were looked at", puzzle=puzzle)


def _reach(target: Position, puzzle: Arrangement, stones: dict[Cell, str], check: bool, deadline: Deadline) -> Plan[Position]:
    if not stones:
        return puzzle.plan((), 0, {"horizon": 0, "proof": ONE_EACH})
    reason = _plain_reason(target, stones)
    if reason:
        note = "not checked: the rules alone say that no order leads here" if check else ""
        return Plan(Status.INFEASIBLE, reason=reason, stats={"proof": "seen from the stones alone"}, puzzle=puzzle, check=Check(note=note))
    game, opinion = None, NOT_CHECKED
    for horizon in _horizons(target, stones):
        try:
            game = _game(target, stones, horizon)
            result = game.model.solve(workers=1, options=SETTINGS, check=check)
        except LimitError:
            result = Result(Status.UNKNOWN)
        opinion = result.check
        if result.status is Status.UNKNOWN:
            reason = f"{deadline.given()} passed with no answer for a game of {horizon} turns"
            return Plan(Status.UNKNOWN, reason=reason, puzzle=puzzle)
        if result.solution is not None and game is not None:
            plan = puzzle.plan(game.decode(result.solution), len(stones), {"horizon": horizon, **result.stats, "proof": ONE_EACH})
            return replace(plan, check=opinion)
    stats = {"proof": "cpsat refuted every order of turns"}
    return Plan(Status.INFEASIBLE, reason=_clash(game, stones, deadline), stats=stats, puzzle=puzzle, check=opinion)


def _horizons(target: Position, stones: dict[Cell, str]) -> Iterable[int]:
    """The numbers of turns that the game can have had: one a stone, and more when players may have had to pass."""
    counts = {player: sum(owner == player for owner in stones.values()) for player in (FIRST, SECOND)}
    free = _free_edge(target)
    edge = sum(target.distance(cell) == 0 for cell in target.board.cells)
    most_passes = 0 if free else len(stones) - edge  # nobody passes before the edge is full, nor twice in a row
    for horizon in range(len(stones), len(stones) + most_passes + 1):
        turns = {FIRST: (horizon + 1) // 2, SECOND: horizon // 2}
        last = target.winner
        if all(turns[player] >= counts[player] for player in counts) and (last is None or (last == FIRST) == (horizon % 2 == 1)):
            yield horizon


def _free_edge(target: Position) -> Cell | None:
    return next((cell for cell in target.board.cells if target.distance(cell) == 0 and target.stone(cell) == EMPTY), None)


def _plain_reason(target: Position, stones: dict[Cell, str]) -> str:
    """A reason that can be seen without search; empty when there is none."""
    first, second = target.count(FIRST), target.count(SECOND)
    free = _free_edge(target)
    lead = first - second
    if free is not None and lead not in (0, 1):
        return (
            f"wrong balance: x has {first} stones and o has {second}, but players alternate from x "
            f"(nobody ever had to pass, for {free} on the edge is still free)"
        )
    if free is not None and target.winner is not None and (target.winner == FIRST) != (lead == 1):
        loser = opponent(target.winner)
        return (
            f"{target.winner} stands on the centre, which ends the game, but by the number of stones "
            f"({first} of x, {second} of o) {loser} has moved last"
        )
    for cell, player in looking(stones.items(), "looking at the stones"):
        directions, needed = _directions(target, stones, cell, stones), target.distance(cell)
        if directions < needed:
            return (
                f"{player} on {cell} needs {needed} friend{'' if needed == 1 else 's'} in sight, "
                f"but there are stones of {player} in {directions} direction{'' if directions == 1 else 's'} only"
            )
    if waiting := _waiting_for_each_other(target, stones):
        listed = " and ".join(f"{player} on {cell}" for cell, player in waiting.items())
        return f"{listed} could not be placed in any order: each needs friends in sight that need it, or one another, first"
    return ""


def _waiting_for_each_other(target: Position, stones: dict[Cell, str]) -> dict[Cell, str]:
    """The stones that cannot come even if nothing ever hid anything and the players did not have to take turns."""
    placed: set[Cell] = set()
    waiting = dict(stones)
    while ready := [
        cell for cell in looking(waiting, "looking at the stones") if target.distance(cell) <= _directions(target, stones, cell, placed)
    ]:
        placed.update(ready)
        for cell in ready:
            del waiting[cell]
    return waiting


def _directions(target: Position, stones: dict[Cell, str], cell: Cell, among: Container[Cell]) -> int:
    """In how many directions from a cell there are stones of its own player among the given ones."""
    rays = target.board.rays[target.board.index[cell]].values()
    return sum(any(other in among and stones[other] == stones[cell] and other != target.centre for other in ray) for ray in rays)


def _clash(game: Game | None, stones: dict[Cell, str], deadline: Deadline) -> str:
    """Which stones cannot all have been placed, by a minimal conflict among the constraints."""
    if game is None:
        return "the numbers of stones fit no game: players alternate from x and pass only when they have no move"
    try:
        limit = min(REASON_SECONDS, deadline.remaining())
        needing = {game.needs[entry] for entry in game.model.conflict(time_limit=limit) if entry in game.needs}
    except LimitError:
        return "no order of the stones gives each enough friends in sight when it is placed"
    guilty = [f"{player} on {cell}" for cell, player in stones.items() if (player, cell) in needing]
    if not guilty:
        return "no order of the stones fits: players alternate from x and the centre comes last"
    return f"no order of the stones gives {' and '.join(guilty)} enough friends in sight when placed, players alternating from x"


# -- the shortest cooperative win


def cooperative_win(
    size: int = 5, shape: str = "square", *, time_limit: float | None = None, max_memory: int | None = None, check: bool = False
) -> Plan[Position]:
    """The fewest stones, of both players together, after which x can stand on the centre when o helps.

    With ``check`` the model of every length is answered once more by an independent backend, where it is small.

    >>> plan = cooperative_win(5)
    >>> plan.cost, plan.optimal, plan.states[-1].winner
    (5, True, 'x')
    """
    with Deadline(time_limit, max_memory).watched() as deadline:
        return _cooperative_win(Position(size, shape), check, deadline)


def _cooperative_win(empty: Position, check: bool, deadline: Deadline) -> Plan[Position]:
    area = empty.board
    directions = len(area.rays[0])
    needed = area.distance(area.centre)
    if needed > directions:
        return Plan(
            Status.INFEASIBLE,
            reason=f"the centre of {area} needs {needed} friends in sight, but there are only {directions} directions to see one in",
            stats={"proof": "counted on the board"},
            puzzle=Arrangement(empty),
        )
    for horizon in range(1, len(area.cells) + 1, 2):
        try:
            game = Game(area, horizon, lambda player, cell: True)
            game.model.add(game.taken(horizon, area.centre), name="x ends on the centre")
            result = game.model.solve(workers=1, options=SETTINGS, check=check)
        except LimitError:
            result = Result(Status.UNKNOWN)
        if result.status is Status.UNKNOWN:
            return Plan(
                Status.UNKNOWN,
                bound=horizon,
                reason=f"{deadline.given()} passed; games of fewer than {horizon} stones were ruled out",
                puzzle=Arrangement(empty),
            )
        if result.solution is not None:
            proof = "cpsat refuted every game of fewer stones"
            plan = Arrangement(empty).plan(game.decode(result.solution), horizon, {"horizon": horizon, **result.stats, "proof": proof})
            return replace(plan, check=result.check)
    raise ModelError(f"no game on {area} ends with x on the centre, although {needed} friends can be seen: please report this")

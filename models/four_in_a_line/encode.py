"""The two constraint models: where a stone can fall (for python-constraint), and in which order stones fell (for CP-SAT).

A drop is a row and a column of which one thing is asked: the row is the first free one of the column. An order gives each stone
the number of its move: odd for a, even for b, all different, each above the stone below it, and where there are lines, the last
stone of all is part of each. Whether the moves are legal is for the rules to say, which replay them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cpsolve as cp
from cpsolve.checks import Check
from cpsolve.errors import LimitError, ModelError, SolverError
from cpsolve.limits import Deadline, looking
from cpsolve.puzzles.plans import Move, Plan, plan_of
from models.four_in_a_line.orders import last_stones, lines
from models.four_in_a_line.rules import PLAYERS, Configuration, Position, Square, read_configuration

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

PLAIN_SEARCH = {"max_presolve_iterations": 1, "linearization_level": 0, "cp_model_probing_level": 0, "symmetry_level": 0}
"""Orders are found by propagation alone; preparing the model takes CP-SAT three times as long as solving it."""


def adjacent(configuration: Sequence[object], player: str, rows: int = 6, columns: int = 7, check: bool = False) -> Iterator[Configuration]:
    """The boards that one drop of a player leads to, one at a time from the left: the original's ``adjacente/3``.

    The new stone comes last in its player's list; the other squares keep their order. A full board has no successor. The drops are found
    by python-constraint; with ``check`` CP-SAT lists them once more, and SolverError is raised if the two differ.

    >>> for following in adjacent([[[1, 4]], [[2, 4]]], "a", rows=2, columns=4):
    ...     print(following)
    [[[1, 4], [1, 1]], [[2, 4]]]
    [[[1, 4], [1, 2]], [[2, 4]]]
    [[[1, 4], [1, 3]], [[2, 4]]]
    """
    if player not in PLAYERS:
        raise ModelError(f"the player is {player!r}: expected 'a' or 'b'")
    stones = read_configuration(configuration, rows, columns)
    if check:
        model, row, column = drop_model([*stones[0], *stones[1]], rows, columns)
        found = {name: sorted((s[column], s[row]) for s in model.solutions(backend=name)) for name in ("python-constraint", "cpsat")}
        if found["python-constraint"] != found["cpsat"]:
            raise SolverError(f"two solvers find different drops (column, row): {found}")
    return _successors(stones, PLAYERS.index(player), rows, columns)


def _successors(stones: tuple[tuple[Square, ...], ...], mover: int, rows: int, columns: int) -> Iterator[Configuration]:
    model, row, column = drop_model([*stones[0], *stones[1]], rows, columns)
    for number in range(1, columns + 1):
        here = model.copy()
        here.add(column == number)
        for solution in here.solutions(backend="python-constraint"):
            following = [[list(square) for square in squares] for squares in stones]
            following[mover].append([solution[row], solution[column]])
            yield following


def drop_model(stones: Sequence[Square], rows: int, columns: int) -> tuple[cp.Model, cp.Variable, cp.Variable]:
    """A model whose solutions are the drops onto a board, with its variables row and column.

    >>> model, row, column = drop_model([(1, 2)], rows=1, columns=3)
    >>> sorted(solution[column] for solution in model.solutions(backend="python-constraint"))
    [1, 3]
    """
    model = cp.Model("a drop")
    row, column = model.int_var(1, rows, "row"), model.int_var(1, columns, "column")
    heights = [sum(1 for _, place in stones if place == number) for number in range(1, columns + 1)]
    model.add(cp.element(heights, column - 1) + 1 == row, name="gravity")
    return model, row, column


@dataclass(frozen=True)
class Filling:
    """The puzzle "drop stones in turn until the board looks like this": a puzzle for one, by the rules of the game for two."""

    stones_a: frozenset[Square]
    stones_b: frozenset[Square]
    rows: int = 6
    columns: int = 7
    connect: int = 4

    def stones(self) -> list[tuple[str, Square]]:
        """All stones, with whose they are."""
        return [
            (player, square) for player, squares in zip(PLAYERS, (self.stones_a, self.stones_b), strict=True) for square in sorted(squares)
        ]

    def start(self) -> Position:
        """The empty board."""
        return Position(self.rows, self.columns, self.connect)

    def moves(self, state: Position) -> Iterable[tuple[Move, Position]]:
        """Every legal drop, named by its column."""
        return [(Move(str(column)), state.play(column)) for column in state.legal_columns]

    def after(self, state: Position, move: Move) -> Position | None:
        """The position after a drop; None when it is not legal."""
        column = next((column for column in state.legal_columns if str(column) == move.name), None)
        return None if column is None else state.play(column)

    def is_goal(self, state: Hashable) -> bool:
        """Whether the board holds exactly these stones."""
        return isinstance(state, Position) and self.stones_a == set(state.squares("a")) and self.stones_b == set(state.squares("b"))

    def picture(self, plan: Plan[Position] | None = None, step: int | None = None) -> Picture:
        """The board to be reached, its stones numbered by a plan; see :func:`models.four_in_a_line.drawing.draw_order`."""
        from models.four_in_a_line.drawing import draw_order

        return draw_order(self, plan, step)


def filling(board: Sequence[object] | Position, rows: int = 6, columns: int = 7, connect: int = 4) -> Filling:
    """The puzzle of a board: a position, or nested lists on a board of the given size.

    >>> len(filling(Position.from_moves("44")).stones_a)
    1
    """
    if isinstance(board, Position):
        rows, columns, connect = board.rows, board.columns, board.connect
        board = board.to_lists()
    stones_a, stones_b = read_configuration(board, rows, columns)
    return Filling(frozenset(stones_a), frozenset(stones_b), rows, columns, connect)


def encode(
    board: Sequence[object] | Position,
    rows: int = 6,
    columns: int = 7,
    connect: int = 4,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> cp.Model:
    """The model whose solutions are the orders in which the stones of a board can have been dropped.

    >>> encode(Position.from_moves("4453")).count()
    3
    """
    with Deadline(time_limit, max_memory).watched():
        return order_model(filling(board, rows, columns, connect)).model


def decode(
    board: Sequence[object] | Position, solution: Mapping[cp.Variable, int], rows: int = 6, columns: int = 7, connect: int = 4
) -> Plan[Position]:
    """The drops of a solution, in order, replayed by the rules.

    >>> position = Position.from_moves("4453")
    >>> len(decode(position, encode(position).solve().solution).moves)
    4
    """
    return _decoded(filling(board, rows, columns, connect), solution)


def _decoded(puzzle: Filling, solution: Mapping[cp.Variable, int]) -> Plan[Position]:
    turns = {variable.name: value for variable, value in solution.items()}
    try:
        number = {stone: 2 * turns[_turn(*stone)] + PLAYERS.index(stone[0]) for stone in puzzle.stones()}
    except KeyError as missing:
        raise ModelError(f"the solution has no value for {missing}: expected one of a model that encode made of this board") from None
    fallen = sorted(number, key=lambda stone: number[stone])
    return plan_of(puzzle, [Move(str(column)) for _, (_, column) in fallen], bound=len(fallen))


ONE_EACH = "every order has one move per stone"
STATING = "stating an order of drops"


def reach(
    configuration: Sequence[object] | Position,
    rows: int = 6,
    columns: int = 7,
    connect: int = 4,
    time_limit: float | None = None,
    check: bool = False,
    *,
    max_memory: int | None = None,
) -> Plan[Position]:
    """An order of legal drops, players alternating from a and no line before the last stone, that leads to a board; or why none does.

    With ``check`` the model of a small board is answered once more by an independent backend; ``plan.check`` says what became of it.

    >>> plan = reach([[[1, 4], [2, 4]], [[1, 3]]])
    >>> ", ".join(map(str, plan.moves))
    '4, 3, 4'
    >>> reach([[], [[1, 1]]]).reason
    'a has 0 stones and b 1: players alternate and a begins, so a has as many as b or one more'
    """
    with Deadline(time_limit, max_memory).watched() as deadline:
        puzzle = filling(configuration, rows, columns, connect)
        try:
            return _reach(puzzle, check, deadline)
        except LimitError:
            return Plan(cp.Status.UNKNOWN, reason=f"{deadline.given()} passed; give more", puzzle=puzzle)


def _reach(puzzle: Filling, check: bool, deadline: Deadline) -> Plan[Position]:
    if reason := _why_not(puzzle):
        note = "not checked: the rules alone say that no order leads here" if check else ""
        return Plan(
            cp.Status.INFEASIBLE, reason=reason, stats={"proof": "seen from the stones alone"}, puzzle=puzzle, check=Check(note=note)
        )
    order = order_model(puzzle)
    result = order.model.solve(options=PLAIN_SEARCH, check=check)
    if result.solution is not None:
        return replace(_decoded(puzzle, result.solution), stats={**result.stats, "proof": ONE_EACH}, check=result.check)
    if result.status is cp.Status.INFEASIBLE:
        reason = _words(order, result, deadline)
    else:
        reason = f"{deadline.given()} passed; give more"
    proof = f"{result.stats['backend']} refuted every order of turns"
    return Plan(result.status, reason=reason, stats={**result.stats, "proof": proof}, puzzle=puzzle, check=result.check)


@dataclass(frozen=True)
class Order:
    """A model of orders, with what its constraints stand for: the column of each that says "a stone lies on another"."""

    model: cp.Model
    gravity: Mapping[cp.NamedConstraint, int]
    ending: cp.NamedConstraint | None


def order_model(puzzle: Filling) -> Order:
    """The model whose solutions are the orders in which stones can have fallen.

    >>> order_model(filling([[[1, 1], [1, 2]], [[2, 1]]])).model.count()
    1
    """
    model = cp.Model("an order of drops")
    numbers: dict[Square, cp.Expression] = {}
    for player in PLAYERS:
        squares = [square for owner, square in puzzle.stones() if owner == player]
        turns = [model.int_var(0, len(squares) - 1, _turn(player, square)) for square in looking(squares, STATING)]
        if len(turns) > 1:
            model.add(cp.all_different(turns), name=f"{player} drops one stone per turn")
        numbers.update((square, 2 * turn + PLAYERS.index(player) + 1) for square, turn in zip(squares, turns, strict=True))
    gravity = {}
    for row, column in looking(sorted(numbers, key=lambda square: (square[1], square[0])), STATING):
        if row > 1:
            entry = model.add(numbers[row - 1, column] < numbers[row, column], name=f"gravity on column {column}")
            gravity[entry] = column
    ending = None
    stones_a, stones_b = sorted(puzzle.stones_a), sorted(puzzle.stones_b)
    if len(stones_a) - len(stones_b) not in (0, 1):
        model.add(False, name="players alternate and a begins")
    if lines(stones_a, puzzle.connect) or lines(stones_b, puzzle.connect):
        ends = [numbers[square] == len(numbers) for square in last_stones(stones_a, stones_b, puzzle.connect)]
        ending = model.add(cp.any_of(*ends), name="the last stone completes every line")
    return Order(model, gravity, ending)


def _turn(player: str, square: Square) -> str:
    return f"turn of {player}{list(square)}"


def _why_not(puzzle: Filling) -> str:
    """What is wrong with a board at first sight, in words; empty when nothing is."""
    stones_a, stones_b, connect = sorted(puzzle.stones_a), sorted(puzzle.stones_b), puzzle.connect
    if len(stones_a) - len(stones_b) not in (0, 1):
        return f"a has {len(stones_a)} stones and b {len(stones_b)}: players alternate and a begins, so a has as many as b or one more"
    found = {player: lines(stones, connect) for player, stones in zip(PLAYERS, (stones_a, stones_b), strict=True)}
    if found["a"] and found["b"]:
        return f"both players have a line: a {_squares(found['a'][0])} and b {_squares(found['b'][0])}; the game ends with the first"
    mover, other = PLAYERS if len(stones_a) > len(stones_b) else PLAYERS[::-1]
    if found[other]:
        return f"{other} has the line {_squares(found[other][0])}, yet {mover} moved last; the game ends with a line"
    everyone = {*stones_a, *stones_b}
    for line in found[mover]:
        if all((row + 1, column) in everyone for row, column in line):
            return f"a buried line: {mover} has {_squares(line)}, and on each of these lies a later stone; the game ends with a line"
    if found[mover] and not last_stones(stones_a, stones_b, connect):
        first, second = next((one, two) for one in found[mover] for two in found[mover] if one != two)
        return (
            f"{mover} has several lines, such as {_squares(first)} and {_squares(second)}, "
            "that no single last stone can have completed together"
        )
    return ""


def _words(order: Order, result: cp.Result, deadline: Deadline) -> str:
    """The reason that no order exists: a minimal set of things that cannot be together; where there is time to find one."""
    try:
        clashing = result.conflict(time_limit=deadline.left())
    except LimitError:
        return f"no order of turns fits; which stones clash was not found before {deadline.given()} passed"
    piles = sorted({order.gravity[entry] for entry in clashing if entry in order.gravity})
    if not piles:
        where = "the board"
    elif len(piles) == 1:
        where = f"column {piles[0]}"
    else:
        where = f"columns {', '.join(map(str, piles[:-1]))} and {piles[-1]} together"
    ending = ", and a last stone that completes every line," if order.ending in clashing else ""
    return f"no order of turns fits: players alternate, and the way stones lie on {where}{ending} would need one of them to move twice"


def _squares(line: Iterable[Square]) -> str:
    return " ".join(str(list(square)) for square in line)

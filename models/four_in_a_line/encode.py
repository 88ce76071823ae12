"""The two constraint models: where a stone can fall (for python-constraint), and in which order stones fell (for CP-SAT).

A drop is a row and a column of which one thing is asked: the row is the first free one of the column. An order gives each stone
the number of its move: odd for a, even for b, all different, each above the stone below it, and where there are lines, the last
stone of all is part of each. Whether the moves are legal is for the rules to say, which replay them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cpsolve as cp
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Move, Plan, plan_of
from models.four_in_a_line.orders import last_stones, lines
from models.four_in_a_line.rules import PLAYERS, Configuration, Position, Square, read_configuration

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

PLAIN_SEARCH = {"cp_model_presolve": False, "linearization_level": 0, "cp_model_probing_level": 0, "symmetry_level": 0}
"""Orders are found by propagation alone; preparing the model takes CP-SAT three times as long as solving it."""


def adjacent(configuration: Sequence[object], player: str, rows: int = 6, columns: int = 7) -> Iterator[Configuration]:
    """The boards that one drop of a player leads to, one at a time from the left: the seed's ``adjacente/3``.

    The new stone comes last in its player's list; the other squares keep their order. A full board has no successor.

    >>> for following in adjacent([[[1, 4]], [[2, 4]]], "a", rows=2, columns=4):
    ...     print(following)
    [[[1, 4], [1, 1]], [[2, 4]]]
    [[[1, 4], [1, 2]], [[2, 4]]]
    [[[1, 4], [1, 3]], [[2, 4]]]
    """
    if player not in PLAYERS:
        raise ModelError(f"the player is {player!r}: expected 'a' or 'b'")
    return _successors(read_configuration(configuration, rows, columns), PLAYERS.index(player), rows, columns)


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

    def start(self) -> Position:
        """The empty board."""
        return Position(self.rows, self.columns, self.connect)

    def moves(self, state: Position) -> Iterable[tuple[Move, Position]]:
        """Every legal drop, named by its column."""
        return [(Move(str(column)), state.play(column)) for column in state.legal_columns]

    def is_goal(self, state: Hashable) -> bool:
        """Whether the board holds exactly these stones."""
        return isinstance(state, Position) and self.stones_a == set(state.squares("a")) and self.stones_b == set(state.squares("b"))

    def picture(self, plan: Plan[Position] | None = None, step: int | None = None) -> Picture:
        """The board to be reached, its stones numbered by a plan; see :func:`models.four_in_a_line.drawing.draw_order`."""
        from models.four_in_a_line.drawing import draw_order

        return draw_order(self, plan, step)


def reach(
    configuration: Sequence[object] | Position, rows: int = 6, columns: int = 7, connect: int = 4, time_limit: float | None = None
) -> Plan[Position]:
    """An order of legal drops, players alternating from a and no line before the last stone, that leads to a board; or why none does.

    >>> plan = reach([[[1, 4], [2, 4]], [[1, 3]]])
    >>> ", ".join(map(str, plan.moves))
    '4, 3, 4'
    >>> reach([[], [[1, 1]]]).reason
    'a has 0 stones and b 1: players alternate and a begins, so a has as many as b or one more'
    """
    if isinstance(configuration, Position):
        rows, columns, connect = configuration.rows, configuration.columns, configuration.connect
        configuration = configuration.to_lists()
    stones_a, stones_b = read_configuration(configuration, rows, columns)
    filling = Filling(frozenset(stones_a), frozenset(stones_b), rows, columns, connect)
    if reason := _why_not(stones_a, stones_b, connect):
        return Plan(cp.Status.INFEASIBLE, reason=reason, puzzle=filling)
    model, numbers = order_model(stones_a, stones_b, connect)
    result = model.solve(time_limit=time_limit, options=PLAIN_SEARCH)
    if result.status is cp.Status.INFEASIBLE:
        return Plan(cp.Status.INFEASIBLE, reason=_words(model, columns), stats=result.stats, puzzle=filling)
    if result.solution is None:
        return Plan(
            cp.Status.UNKNOWN, reason=f"the time limit of {time_limit} s passed; give more time", stats=result.stats, puzzle=filling
        )
    fallen = sorted(numbers, key=lambda square: result.solution[numbers[square]] if result.solution else 0)
    return plan_of(filling, [Move(str(column)) for _, column in fallen], bound=len(fallen), stats=result.stats)


def order_model(stones_a: Sequence[Square], stones_b: Sequence[Square], connect: int = 4) -> tuple[cp.Model, dict[Square, cp.Expression]]:
    """A model whose solutions are the orders in which stones can have fallen, with the number of each stone's move.

    >>> model, numbers = order_model([(1, 1), (1, 2)], [(2, 1)])
    >>> model.count()
    1
    """
    model = cp.Model("an order of drops")
    numbers: dict[Square, cp.Expression] = {}
    for player, stones in zip(PLAYERS, (stones_a, stones_b), strict=True):
        turns = [model.int_var(0, len(stones) - 1, f"turn of {player}{list(square)}") for square in stones]
        if len(turns) > 1:
            model.add(cp.all_different(turns), name=f"{player} drops one stone a turn")
        numbers.update((square, 2 * turn + PLAYERS.index(player) + 1) for square, turn in zip(stones, turns, strict=True))
    for row, column in sorted(numbers, key=lambda square: (square[1], square[0])):
        if row > 1:
            model.add(numbers[row - 1, column] < numbers[row, column], name=f"gravity on column {column}")
    if lines(stones_a, connect) or lines(stones_b, connect):
        ends = [numbers[square] == len(numbers) for square in last_stones(stones_a, stones_b, connect)]
        model.add(cp.any_of(*ends), name="the last stone completes every line")
    return model, numbers


def _why_not(stones_a: Sequence[Square], stones_b: Sequence[Square], connect: int) -> str:
    """What is wrong with a board at first sight, in words; empty when nothing is."""
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


def _words(model: cp.Model, columns: int) -> str:
    """The reason that no order exists: a smallest set of things that cannot be together."""
    names = list(dict.fromkeys(entry.name for entry in model.conflict()))
    piles = [number for number in range(1, columns + 1) if f"gravity on column {number}" in names]
    if not piles:
        where = "the board"
    elif len(piles) == 1:
        where = f"column {piles[0]}"
    else:
        where = f"columns {', '.join(map(str, piles[:-1]))} and {piles[-1]} together"
    ending = ", and a last stone that completes every line," if any("last stone" in name for name in names) else ""
    return f"no order of turns fits: players alternate, and the way stones lie on {where}{ending} would need one of them to move twice"


def _squares(line: Iterable[Square]) -> str:
    return " ".join(str(list(square)) for square in line)

"""Center keeps what every two-player game promises."""

from __future__ import annotations

from collections.abc import Iterable

from models.center import SWAP, Position, from_prolog, from_text, to_prolog
from models.center.formats import draw
from tests.center import slow_rules
from tests.center.examples import GOLDEN, PASSING
from tests.conformance import GameConformance, GameUnderTest


def legal_slowly(position: Position) -> list[object]:
    moves: list[object] = list(slow_rules.legal(position))
    first_answer = position.stones.count("x") == 1 and position.stones.count("o") == 0 and position.to_move == "o"
    return [*moves, SWAP] if position.swap and first_answer and position.winner is None else moves


def invariants(position: Position) -> Iterable[tuple[str, bool]]:
    yield "a stone is x or o", set(position.stones) <= {"x", "o", " "}
    yield (
        "a player sees at most one friend per direction",
        all(
            position.in_sight(player, cell) <= len(position.board.ray_numbers[number])
            for player in "xo"
            for number, cell in enumerate(position.board.cells)
        ),
    )
    yield (
        "nobody sees a cell through a stone",
        all(position.in_sight("x", cell) + position.in_sight("o", cell) == len(position.seen_from(cell)) for cell in position.board.cells),
    )
    yield (
        "the value is what is lacking at the centre",
        all(position.value(player) == position.distance(position.centre) - position.in_sight(player, position.centre) for player in "xo"),
    )
    yield (
        "who may take the centre lacks nothing",
        all(
            position.stone(position.centre) != " " or position.may_take(player, position.centre) == (position.value(player) <= 0)
            for player in "xo"
        ),
    )
    yield (
        "every other move has a reason",
        all((position.why_not(cell) is None) == (cell in position.legal_moves()) for cell in position.board.cells),
    )


def illegal(position: Position) -> Iterable[object]:
    legal = set(position.legal_moves())
    yield from [cell for cell in position.board.cells if cell not in legal][:5]
    yield from [(0, 1), (1, 99), "north", None]


def known_counts() -> list[tuple[Position, list[int]]]:
    known = []
    for line in (GOLDEN / "perft.txt").read_text().splitlines():
        name, counts = line.split(": ")
        shape, size = name.split()
        known.append((Position(int(size), shape), [int(count) for count in counts.split()]))
    return known


class TestConformance(GameConformance):
    playouts = 3
    game = GameUnderTest(
        starts=[
            Position(size=3),
            Position(size=5),
            Position(size=5, swap=True),
            Position(shape="hex", size=2),
            Position(shape="hex", size=3),
            Position.from_rows(PASSING, to_move="x"),
        ],
        legal_slowly=legal_slowly,
        winner_slowly=lambda position: slow_rules.winner_of(position.rows()),
        invariants=invariants,
        illegal=illegal,
        round_trips={"the drawing": (draw, from_text), "the Prolog list": (to_prolog, from_prolog)},
        perft=known_counts(),
    )


def test_the_known_counts_are_those_of_the_slow_rules() -> None:
    for start, counts in known_counts():
        depths = [depth for depth, count in enumerate(counts, 1) if count < 3_000]
        slow = [slow_rules.count_games(start.rows(), "x", depth) for depth in depths]
        assert slow == counts[: len(depths)]

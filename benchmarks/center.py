"""Center: how long exact answers take, and whether they are the known ones.

No other solver of Center is public, so most rows have no peer; the smallest board is also solved by the toolkit's own alpha-beta on the
plain rules. A row's note tells the result; a result that is not the known one stops the run.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Row, alone, compare, seconds, timing
from cpsolve.puzzles.games import alpha_beta, playout
from models.center import Position, Verdict, certify, check, choose_move, cooperative_win, outcomes, reach, solve

KNOWN = {("square", 3): ("x", 3), ("square", 5): ("x", 7), ("square", 7): ("x", 11), ("hex", 3): ("x", 7), ("hex", 4): ("x", 13)}
FIRST_MOVES = {("x", 11): 8, ("x", 13): 12, ("o", 14): 4}


def run(quick: bool) -> Iterator[Row]:
    """All rows; quick leaves out what takes longer than a few seconds."""
    compiling = seconds(lambda: (certify(Position(size=3)), choose_move(Position(size=5), level=2, seed=1)))
    yield Row("first calls: compiled, or read from disk", timing([compiling]), note="everything below is warm")
    yield compare("3×3 solved", lambda: solve(Position(size=3)), "alpha_beta", lambda: alpha_beta(Position(size=3)), 3, "≤ 1")
    for shape, size in KNOWN:
        if not (quick and (shape, size) == ("hex", 4)):
            yield _solved(shape, size, rounds=1 if size > 5 or (shape, size) == ("hex", 4) else 3)
    yield _certified(5 if quick else 7)
    if not quick:
        yield _first_moves()
    for size in (5, 7) if quick else (5, 7, 9):
        yield _reached(size)
    for size in (7,) if quick else (7, 11):
        yield alone(f"cooperative win on {size}×{size}", partial(cooperative_win, size), 3, note=f"{size} stones")
    yield _level_3()


def _expect(found: object, known: object) -> None:
    if found != known:
        raise AssertionError(f"expected {known}, found {found}")


def _solved(shape: str, size: int, rounds: int) -> Row:
    found: list[Verdict] = []
    times = [seconds(lambda: found.append(solve(Position(size, shape)))) for _ in range(rounds)]
    verdict = found[0]
    _expect((verdict.winner, verdict.plies), KNOWN[shape, size])
    note = f"{verdict.winner} in {verdict.plies}, {len(verdict.best)} best first moves, {verdict.nodes:,} positions"
    return Row(f"{shape} {size} solved", timing(times), target="≤ 10 s" if size == 7 else "", note=note)


def _certified(size: int) -> Row:
    """The peer is the checker, which only follows what the search found."""
    text = certify(Position(size)).to_text()
    proven = check(text)
    note = f"{proven.winner} within {proven.plies}, {proven.positions:,} answers, {len(text) / 1e6:.2f} MB"
    name = f"{size}×{size} certified"
    rounds = 9 if size <= 5 else 1
    return compare(name, lambda: certify(Position(size)), "checker", lambda: check(text), rounds, "", note, warm_up=size <= 5)


def _first_moves() -> Row:
    found: list[object] = []
    note = "8 win in 11, 12 in 13, 4 lose in 14"
    row = alone("all first moves on 7×7", lambda: found.append(outcomes(Position(size=7)).values()), 1, "", note)
    _expect(Counter(found[0]), FIRST_MOVES)  # type: ignore[call-overload]
    return row


def _reached(size: int) -> Row:
    boards = [random.Random(seed).choice(list(playout(Position(size), seed))).rows() for seed in range(10)]
    return Row(f"order of stones on {size}×{size}", timing([seconds(partial(_reach, rows)) for rows in boards]), note="10 boards")


def _reach(rows: list[list[str]]) -> None:
    _expect(reach(rows).optimal, True)


def _level_3() -> Row:
    positions = [random.Random(seed).choice(list(playout(Position(size), seed))[:-1]) for seed, size in enumerate((5, 7, 9, 9, 11, 13))]
    times = [seconds(partial(choose_move, position, 10, seed=1)) for position in positions]
    return Row("a move of level 10, slowest", timing(times, pick=max), target="≤ 1 s", note="the slowest of 6 boards up to 13×13")

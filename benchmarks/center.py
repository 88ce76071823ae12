"""Center: how long exact answers take, and whether they are the known ones.

No other solver of Center is public, so most rows have no peer; the smallest boards are also solved by the toolkit's own alpha-beta on the
plain rules. A row's note tells the result; a result that is not the known one stops the run.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Callable
from functools import partial

from benchmarks.measure import Row, compare, markdown, seconds
from cpsolve.games import alpha_beta, playout
from models.center import Position, certify, check, choose_move, cooperative_win, outcomes, reach, solve

KNOWN = {("square", 3): ("x", 3), ("square", 5): ("x", 7), ("square", 7): ("x", 11), ("hex", 3): ("x", 7), ("hex", 4): ("x", 13)}
FIRST_MOVES = {("x", 11): 8, ("x", 13): 12, ("o", 14): 4}


def run(quick: bool) -> list[Row]:
    """All rows; quick leaves out what takes longer than a few seconds."""
    compiling = seconds(lambda: (certify(Position(size=3)), choose_move(Position(size=5), level=2, seed=1)))
    rows = [Row("first calls: compiled, or read from disk", compiling, 0.0, "none", None, None, note="everything below is warm")]
    rows.append(compare("3×3 solved", lambda: solve(Position(size=3)), "alpha_beta", lambda: alpha_beta(Position(size=3)), 3, "≤ 1"))
    rows += [_solved(shape, size, rounds=1 if size > 5 else 3) for shape, size in KNOWN if not (quick and (shape, size) == ("hex", 4))]
    rows.append(_certified(5 if quick else 7))
    if not quick:
        rows.append(_first_moves())
    rows += [_reached(size) for size in (5, 7, 9)]
    rows += [_alone(f"cooperative win on {size}×{size}", partial(cooperative_win, size), "", f"{size} stones") for size in (7, 11)]
    rows.append(_level_3())
    return rows


def _alone(name: str, action: Callable[[], object], target: str, note: str, rounds: int = 1) -> Row:
    times = [seconds(action) for _ in range(rounds)]
    return Row(name, statistics.median(times), max(times) - min(times), "none", None, None, target, note)


def _expect(found: object, known: object) -> None:
    if found != known:
        raise AssertionError(f"expected {known}, found {found}")


def _solved(shape: str, size: int, rounds: int) -> Row:
    verdict = solve(Position(size, shape))
    _expect((verdict.winner, verdict.plies), KNOWN[shape, size])
    note = f"{verdict.winner} in {verdict.plies}, {len(verdict.best)} best first moves, {verdict.nodes:,} positions"
    return _alone(f"{shape} {size} solved", lambda: solve(Position(size, shape)), "≤ 10 s" if size == 7 else "", note, rounds)


def _certified(size: int) -> Row:
    """The peer is the checker, which only follows what the search found."""
    text = certify(Position(size)).to_text()
    proven = check(text)
    note = f"{proven.winner} within {proven.plies}, {proven.positions:,} answers, {len(text) / 1e6:.2f} MB"
    return compare(f"{size}×{size} certified", lambda: certify(Position(size)), "checker", lambda: check(text), 1, "", note)


def _first_moves() -> Row:
    found: list[object] = []
    row = _alone(
        "all first moves on 7×7", lambda: found.append(outcomes(Position(size=7)).values()), "", "8 win in 11, 12 in 13, 4 lose in 14"
    )
    _expect(Counter(found[0]), FIRST_MOVES)  # type: ignore[call-overload]
    return row


def _reached(size: int) -> Row:
    boards = [random.Random(seed).choice(list(playout(Position(size), seed))).rows() for seed in range(10)]
    times = [seconds(partial(_reach, rows)) for rows in boards]
    return Row(f"order of stones on {size}×{size}", statistics.median(times), max(times) - min(times), "none", None, None, note="10 boards")


def _reach(rows: list[list[str]]) -> None:
    _expect(reach(rows).optimal, True)


def _level_3() -> Row:
    positions = [random.Random(seed).choice(list(playout(Position(size), seed))[:-1]) for seed, size in enumerate((5, 7, 9, 9, 11, 13))]
    times = [seconds(partial(choose_move, position, 3, seed=1)) for position in positions]
    return Row("a move of level 3", max(times), max(times) - min(times), "none", None, None, "≤ 1 s", "the slowest of 6 boards up to 13×13")


def main() -> None:
    """The command ``python -m benchmarks.center``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes longer than a few seconds")
    print(markdown(run(parser.parse_args().quick)))


if __name__ == "__main__":
    main()

"""Exact scores of random positions against BitBully without its opening book, orders of drops, and the empty board.

Run ``python -m benchmarks.four_in_a_line [--quick]``. Both solvers get the same positions turn by turn in one run, start every round
with an empty table (emptying it is not timed), and must agree on every score. BitBully has no call for many positions at once, so our
batch is compared with its calls one by one. The empty board takes minutes and is left out by ``--quick``.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Row, markdown, peer_module, seconds
from models.four_in_a_line import Position, count_orders, engine, reach, score, score_many, solve, solve_many

PEER = "bitbully"
PLIES = {28: 1_000, 20: 200, 14: 40, 10: 16}
QUICK_PLIES = {28: 300, 20: 60, 14: 10, 10: 3}
TARGET = "≤ 1"


def random_games(plies: int, count: int, seed: int = 0) -> list[list[int]]:
    """Games of ``plies`` random moves that nobody has won."""
    chance = random.Random(f"{plies} plies, {seed}")
    games: list[list[int]] = []
    while len(games) < count:
        position, moves = Position(), list[int]()
        while position.ply < plies and not position.is_over:
            moves.append(chance.choice(position.legal_columns))
            position = position.play(moves[-1])
        if not position.is_over:
            games.append(moves)
    return games


def contest(
    name: str, ours: Callable[[], list[Any]], theirs: Callable[[], list[Any]] | None, forget: Callable[[], None], rounds: int, count: int
) -> Row:
    """Times both turn by turn from empty tables, in seconds a position; raises if they disagree."""
    times: tuple[list[float], list[float]] = ([], [])
    answers: list[list[Any]] = [[], []]
    for _ in range(rounds):
        for side, action in enumerate((ours, theirs)):
            if action is not None:
                engine.forget()
                forget()

                def run(side: int = side, action: Callable[[], list[Any]] = action) -> None:
                    answers[side] = action()

                times[side].append(seconds(run) / count)
    if theirs is not None and answers[0] != answers[1]:
        wrong = next(place for place, pair in enumerate(zip(*answers, strict=True)) if pair[0] != pair[1])
        raise AssertionError(f"{name}: position {wrong} has {answers[0][wrong]} by cpsolve and {answers[1][wrong]} by {PEER}")
    own, other = (statistics.median(side) if side else None for side in times)
    spread = [max(side) - min(side) if side else None for side in times]
    note = f"{count} positions, all scores equal; time a position" if theirs else f"{PEER} is missing: pip install 'cpsolve[benchmarks]'"
    return Row(name, own or 0.0, spread[0] or 0.0, PEER, other, spread[1], TARGET, note)


def search_rows(quick: bool) -> list[Row]:
    """Scores alone and scores of all columns, one call each and all in one, at each depth."""
    peer = peer_module(PEER)
    rows = []
    for plies, count in (QUICK_PLIES if quick else PLIES).items():
        games = random_games(plies, count)
        positions = [Position.from_moves(moves) for moves in games]
        agent = None if peer is None else peer.BitBully(opening_book=None)
        boards = [] if peer is None else [peer.Board([column - 1 for column in moves]) for moves in games]

        def by_peer(agent: Any = agent, boards: list[Any] = boards) -> list[int]:
            return [agent.mtdf(board) for board in boards]

        def columns_by_peer(agent: Any = agent, boards: list[Any] = boards) -> list[dict[int, int]]:
            return [{column + 1: value for column, value in agent.score_all_moves(board).items()} for board in boards]

        def one_by_one(positions: list[Position] = positions) -> list[int]:
            return [score(position) for position in positions]

        def together(positions: list[Position] = positions) -> list[int]:
            return score_many(positions)

        def columns_one_by_one(positions: list[Position] = positions) -> list[Any]:
            return [solve(position).scores for position in positions]

        def columns_together(positions: list[Position] = positions) -> list[Any]:
            return [verdict.scores for verdict in solve_many(positions)]

        empty = (lambda: None) if agent is None else agent.reset_transposition_table
        rounds = {28: 9, 20: 5, 14: 3}.get(plies, 1 if quick else 2)
        for name, ours, theirs in (
            (f"{plies} plies, score, a call each", one_by_one, by_peer),
            (f"{plies} plies, score, one call for all", together, by_peer),
            (f"{plies} plies, all columns, a call each", columns_one_by_one, columns_by_peer),
            (f"{plies} plies, all columns, one call for all", columns_together, columns_by_peer),
        ):
            rows.append(contest(name, ours, None if agent is None else theirs, empty, rounds, count))
    return rows


def compile_rows() -> list[Row]:
    """The first call on a machine, which compiles, and the first of a later process, which loads what was kept on disk."""
    program = "from models.four_in_a_line.engine import warm_up; print(warm_up())"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("first call ever (compiles)", "first call of a later process (loads)"):
            done = subprocess.run(
                [sys.executable, "-c", program], env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=True
            )
            rows.append(Row(name, float(done.stdout), 0.0, "none", None, None, note="once, not part of any other row"))
    return rows


def reach_row(quick: bool) -> Row:
    """Boards of random games traced back by CP-SAT: the slowest of them, each found and possible by the exact count."""
    chance = random.Random(0)
    slowest, total, count = 0.0, 0.0, 10 if quick else 50
    for _ in range(count):
        position, plies = Position(), chance.randrange(4, 43)
        while position.ply < plies and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        plans: list[Any] = []
        took = seconds(lambda position=position, plans=plans: plans.append(reach(position)))  # type: ignore[misc]
        if not plans[0] or count_orders(position.to_lists()) == 0:
            raise AssertionError(f"no order of drops was found for the board of a real game:\n{position}")
        slowest, total = max(slowest, took), total + took
    note = f"the slowest of {count} boards of random games; {total / count * 1e3:.1f} ms on average"
    return Row("an order of drops, by CP-SAT", slowest, 0.0, "none", None, None, "≤ 0.2 s", note)


def empty_board_row() -> Row:
    """The whole game: the exact score of the empty board from an empty table."""
    engine.forget()
    found: list[int] = []
    took = seconds(lambda: found.append(score(Position())))
    if found != [1]:
        raise AssertionError(f"the empty board scored {found[0]}; the first player wins with the last stone, so it is 1")
    return Row("the empty board, exact score", took, 0.0, "none", None, None, note="score 1: the first player wins with the last stone")


def run(quick: bool) -> list[Row]:
    """Every row of this topic."""
    rows = compile_rows()
    engine.warm_up()
    score(Position.from_moves("44444326213163"))  # makes the table for this board
    rows += search_rows(quick)
    reach(Position.from_moves("44"))  # loads CP-SAT
    rows.append(reach_row(quick))
    if not quick:
        rows.append(empty_board_row())
    return rows


def main() -> None:
    """The command ``python -m benchmarks.four_in_a_line``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.four_in_a_line", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer positions, without the empty board")
    print(markdown(run(parser.parse_args().quick)))


if __name__ == "__main__":
    main()

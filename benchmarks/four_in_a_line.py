"""Exact scores of random positions against BitBully, by search and with both opening books, orders of drops, and the empty board.

Both solvers get the same positions turn by turn in one run, start every round with an empty table (emptying it is not timed), and must
agree on every score. BitBully has no call for many positions at once, so our batch is compared with its calls one by one. Both books have
all positions with twelve stones. The empty board by search takes some ten seconds, and so does compiling from nothing: a quick run
leaves both out.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.measure import Row, missing, peer_module, seconds, timing
from models.four_in_a_line import Position, count_orders, engine, reach, score, score_many, solve, solve_many

PEER = "bitbully"
PLIES = {28: 1_000, 20: 200, 14: 40, 13: 16}
QUICK_PLIES = {28: 300, 20: 40, 14: 3}
BOOK_PLIES = {0: 1, 2: 20, 4: 40, 6: 40, 7: 40, 8: 10, 9: 10, 10: 16, 11: 20, 12: 40}
QUICK_BOOK_PLIES = {0: 1, 6: 20}
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
        for side, (action, empty) in enumerate(((ours, engine.forget), (theirs, forget))):
            if action is not None:
                empty()

                def run(side: int = side, action: Callable[[], list[Any]] = action) -> None:
                    answers[side] = action()

                times[side].append(seconds(run) / count)
    if theirs is not None and answers[0] != answers[1]:
        wrong = next(place for place, pair in enumerate(zip(*answers, strict=True)) if pair[0] != pair[1])
        raise AssertionError(f"{name}: position {wrong} has {answers[0][wrong]} by cpsolve and {answers[1][wrong]} by {PEER}")
    note = f"{count} positions, all scores equal; time a position" if theirs else missing(PEER)
    return Row(name, timing(times[0]), PEER, timing(times[1]) if theirs else None, TARGET, note)


def search_rows(quick: bool) -> Iterator[Row]:
    """Scores alone and scores of all columns, one call each and all in one, at each depth, none of which is in our book."""
    peer = peer_module(PEER)
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
        rounds = 3 if quick else {28: 9, 20: 5}.get(plies, 3)
        for name, ours, theirs in (
            (f"{plies} plies, score, a call each", one_by_one, by_peer),
            (f"{plies} plies, score, one call for all", together, by_peer),
            (f"{plies} plies, all columns, a call each", columns_one_by_one, columns_by_peer),
            (f"{plies} plies, all columns, one call for all", columns_together, columns_by_peer),
        ):
            yield contest(name, ours, None if agent is None else theirs, empty, rounds, count)


def book_rows(quick: bool) -> Iterator[Row]:
    """Scores of all columns of positions with few stones, each side with its opening book, which is loaded before."""
    peer = peer_module(PEER)
    agent = None if peer is None else peer.BitBully()
    for plies, count in (QUICK_BOOK_PLIES if quick else BOOK_PLIES).items():
        games = random_games(plies, count)

        def ours(games: list[list[int]] = games) -> list[Any]:
            return [solve(Position.from_moves(moves)).scores for moves in games]

        def theirs(peer: Any = peer, agent: Any = agent, games: list[list[int]] = games) -> list[Any]:
            boards = [peer.Board([column - 1 for column in moves]) for moves in games]
            return [{column + 1: value for column, value in agent.score_all_moves(board).items()} for board in boards]

        ours()
        if agent is not None:
            theirs()
        empty = (lambda: None) if agent is None else agent.reset_transposition_table
        yield contest(f"{plies} plies, all columns, with books", ours, None if agent is None else theirs, empty, 3, count)


def compile_rows() -> Iterator[Row]:
    """The first call on a machine, which compiles, and the first of a later process, which loads what was kept on disk."""
    program = "from models.four_in_a_line.engine import warm_up; print(warm_up())"
    with tempfile.TemporaryDirectory() as folder:
        for name in ("first call ever (compiles)", "first call of a later process (loads)"):
            done = subprocess.run(
                [sys.executable, "-c", program], env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=True
            )
            yield Row(name, timing([float(done.stdout)]), note="once, not part of any other row")


def reach_row(quick: bool) -> Row:
    """Boards of random games traced back by CP-SAT: the slowest of them, each found and possible by the exact count."""
    chance = random.Random(0)
    times: list[float] = []
    count = 10 if quick else 50
    for _ in range(count):
        position, plies = Position(), chance.randrange(4, 43)
        while position.ply < plies and not position.is_over:
            position = position.play(chance.choice(position.legal_columns))
        plans: list[Any] = []
        times.append(seconds(lambda position=position, plans=plans: plans.append(reach(position))))  # type: ignore[misc]
        if not plans[0] or count_orders(position.to_lists()) == 0:
            raise AssertionError(f"no order of drops was found for the board of a real game:\n{position}")
    note = f"the slowest of {count} boards of random games; {sum(times) / count * 1e3:.1f} ms on average"
    return Row("an order of drops, by CP-SAT, slowest", timing(times, pick=max), target="≤ 0.2 s", note=note)


def empty_board_row() -> Row:
    """The whole game: the exact score of the empty board by search, from an empty table."""
    engine.forget()
    found: list[int] = []
    took = seconds(lambda: found.append(engine.search(Position())))
    if found != [1]:
        raise AssertionError(f"the empty board scored {found[0]}; the first player wins with the last stone, so it is 1")
    return Row("the empty board, exact score without book", timing([took]), note="score 1: the first player wins with the last stone")


def run(quick: bool) -> Iterator[Row]:
    """Every row of this topic."""
    if not quick:
        yield from compile_rows()
    engine.warm_up()
    score(Position.from_moves("44444326213163"))  # makes the table for this board
    yield from search_rows(quick)
    yield from book_rows(quick)
    reach(Position.from_moves("44"))  # loads CP-SAT
    yield reach_row(quick)
    if not quick:
        yield empty_board_row()

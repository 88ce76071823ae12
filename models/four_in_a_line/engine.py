"""Exact scores: asks the kernel, shows progress, keeps its table, and turns scores into words a player understands.

The usual convention of scores: a win with one's last stone is worth 1, with the one before 2, and so on; a loss the same with a minus
sign; a draw 0. A score tells who wins and when, so every other part of a :class:`Verdict` follows from scores. The first plies of the
usual board come from the opening book (:mod:`models.four_in_a_line.book`), as far as it goes.

The kernel is compiled once on a machine and kept on disk by numba: some seconds the first time, half a second in later processes; a
terminal says so, and no verdict counts it as time spent searching. The same code serves every board of at most 64 bits,
``(rows + 1) × columns``. Larger boards, and all boards under ``NUMBA_DISABLE_JIT=1``, run the same source as plain Python: right, but
some hundred times slower.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cpsolve import limits
from cpsolve.checks import SECONDS
from cpsolve.errors import ModelError
from cpsolve.limits import Deadline, budget
from cpsolve.puzzles import games
from models.four_in_a_line import book
from models.four_in_a_line.rules import Position

if TYPE_CHECKING:
    from models.four_in_a_line.searcher import Searcher

LONG = 37
"""With this number of free cells a search is a long one: it takes a large table, and mirror images share entries."""
GROWTH = 8
"""Looking one ply further takes about this many times as long, at most."""
FULL = -128
"""The kernel's word for a column without room."""
MEMORY = 512 << 20
"""Bytes that the tables of all searches together take at most, unless :func:`limit_memory` says otherwise."""
_searchers: dict[tuple[int, int, int, bool], Searcher] = {}
_memory = MEMORY


Verdict = games.Verdict[int]
"""What perfect play leads to; ``score`` and ``scores`` (by column) are for the player to move."""


def solve(
    position: Position, time_limit: float | None = None, progress: bool = True, *, max_memory: int | None = None, check: bool = False
) -> Verdict:
    """The exact score of a position and of each column; raises TimeLimitError when the limit (seconds) passes first.

    With ``max_memory`` (bytes) its tables are made so small that they fit, which is slower; where nothing fits, MemoryLimitError. With
    ``check`` plain alpha-beta by the rules finds the scores of all columns once more, where it ends in time.

    >>> verdict = solve(Position.from_moves("44444326213163"))
    >>> verdict.score, verdict.winner, verdict.plies, verdict.best
    (3, 'a', 23, (1, 4))
    >>> verdict.scores[2], len(verdict.line), verdict.line[0]
    (-4, 23, 4)
    >>> solve(Position.from_moves("123412341234", rows=4, columns=4), check=True).check.note
    'checked by alpha-beta: the same scores of all moves'
    """
    if not check:
        return solve_many((position,), time_limit, progress, max_memory=max_memory)[0]
    with Deadline(time_limit, max_memory).watched() as deadline:
        verdict = solve_many((position,), time_limit, progress, max_memory=max_memory)[0]
        return games.confirmed(verdict, min(SECONDS, deadline.remaining()), partial(score_of, position))


def solve_many(
    positions: Iterable[Position], time_limit: float | None = None, progress: bool = True, *, max_memory: int | None = None
) -> list[Verdict]:
    """The verdicts of several positions, faster than one by one.

    >>> [verdict.score for verdict in solve_many([Position.from_moves("4444432621316"), Position.from_moves("44444326213163")])]
    [-3, 3]
    """
    listed = list(positions)
    deadline = Deadline(time_limit, max_memory)
    known = [in_book(position) for position in listed]
    lasting = [position for position, scores in zip(listed, known, strict=True) if scores is None and not position.is_over]
    found, nodes, seconds = list[int](), 0, 0.0
    if lasting:
        with deadline.watched():
            searcher = _searcher_for(lasting)
            started = time.perf_counter()
            found, nodes = searcher.run(lasting, True, None, time_limit, progress)
            seconds = time.perf_counter() - started
    verdicts = []
    place = 0
    for position, looked_up in zip(listed, known, strict=True):
        scores = looked_up or {}
        if looked_up is None and not position.is_over:
            columns = found[place : place + position.columns]
            place += position.columns
            scores = {column: score for column, score in enumerate(columns, 1) if score > FULL}
        score = max(scores.values()) if scores else final_score(position)
        winner = None if score == 0 else position.to_move if score > 0 else _other(position.to_move)
        best = tuple(column for column, worth in scores.items() if worth == score)
        line = partial(principal_variation, position, score, time_limit, max_memory=max_memory)
        plies = plies_left(position, score)
        verdicts.append(games.Verdict(position, winner, plies, best, score, scores, nodes, seconds, continuation=line))
    return verdicts


def score(position: Position, time_limit: float | None = None, progress: bool = True, *, max_memory: int | None = None) -> int:
    """The exact score of a position for the player to move, without the scores of its columns (several times faster).

    >>> score(Position.from_moves("44444326213163"))
    3
    """
    if position.is_over:
        return final_score(position)
    known = book.score(position)
    with Deadline(time_limit, max_memory).watched():
        return search(position, time_limit, progress) if known is None else known


def search(position: Position, time_limit: float | None = None, progress: bool = True) -> int:
    """The exact score of a position that is not over, by the search alone, without the opening book.

    >>> search(Position.from_moves("44444326213163"))
    3
    """
    return _searcher_for((position,)).run((position,), False, None, time_limit, progress)[0][0]


def search_many(positions: Sequence[Position], time_limit: float | None = None, progress: bool = True) -> list[int]:
    """The same of several positions of one shape near each other, in the large table for long searches: they share most of the work.

    >>> search_many([Position.from_moves("44444326213163"), Position.from_moves("4444432621316")])
    [3, -3]
    """
    first = positions[0]
    return _searcher(first.rows, first.columns, first.connect, True).run(positions, False, None, time_limit, progress)[0]


def in_book(position: Position) -> dict[int, int] | None:
    """The scores of all columns, if the opening book has them; None otherwise, and for a game that is over.

    >>> in_book(Position.from_moves("44444326213163")) is None
    True
    """
    return None if position.is_over else book.by_column(position)


def score_many(
    positions: Sequence[Position], time_limit: float | None = None, progress: bool = True, *, max_memory: int | None = None
) -> list[int]:
    """The exact scores of several positions, in one go.

    >>> score_many([Position.from_moves("4444432621316"), Position.from_moves("1212121")])
    [-3, -18]
    """
    known = [final_score(position) if position.is_over else book.score(position) for position in positions]
    lasting = [position for position, worth in zip(positions, known, strict=True) if worth is None]
    with Deadline(time_limit, max_memory).watched():
        found = iter(_searcher_for(lasting).run(lasting, False, None, time_limit, progress)[0] if lasting else [])
    return [next(found) if worth is None else worth for worth in known]


def at_most(position: Position, threshold: int, time_limit: float | None = None, progress: bool = True) -> bool:
    """Whether the score of a position is at most a threshold, which is much faster to tell than the score itself.

    >>> at_most(Position.from_moves("44444326213163"), 2), at_most(Position.from_moves("44444326213163"), 3)
    (False, True)
    """
    if position.is_over:
        return final_score(position) <= threshold
    known = book.score(position)
    if known is not None:
        return known <= threshold
    return _searcher_for((position,)).run((position,), False, threshold, time_limit, progress)[0][0] <= threshold


def look_ahead(position: Position, plies: int, time_limit: float | None = None) -> dict[int, int]:
    """What every column looks to be worth that number of plies ahead, for the player to move: a win 10,000 less the stones then.

    Where no end is in sight, lines through one's stones and cells that would complete a line count. With a limit (seconds) it looks less
    far when the time would not be enough.

    >>> look_ahead(Position.from_moves("121212"), 1)[1]
    9993
    >>> look_ahead(Position.from_moves("121212"), 11, time_limit=0) == look_ahead(Position.from_moves("121212"), 1)
    True
    """
    return look_as_far(position, plies, time_limit)[0]


def look_as_far(position: Position, plies: int, time_limit: float | None = None) -> tuple[dict[int, int], int]:
    """As :func:`look_ahead`, with the number of plies that it was.

    >>> look_as_far(Position.from_moves("121212"), 11, time_limit=0)[1]
    1
    """
    searcher = _searcher_for((position,))
    deadline = Deadline(time_limit)
    if deadline.left() is None:
        return searcher.look(position, plies), plies
    for depth in range(1, plies + 1):
        begun = deadline.elapsed()
        values = searcher.look(position, depth)
        if GROWTH * (deadline.elapsed() - begun) > deadline.remaining():
            break
    return values, depth


def final_score(position: Position) -> int:
    """The score of a game that is over: 0 for a draw, else what the last stone cost the player to move.

    >>> final_score(Position.from_moves("1212121"))
    -18
    """
    return 0 if position.winner is None else -((position.size + 2 - position.ply) // 2)


def plies_left(position: Position, score: int) -> int:
    """How many plies a score means from a position on.

    >>> plies_left(Position(), 1), plies_left(Position(), 0)
    (41, 42)
    """
    if position.winner is not None:
        return 0
    free = position.size - position.ply
    if score == 0:
        return free
    return 2 * ((free + 1) // 2 - score) + 1 if score > 0 else 2 * (free // 2 + score) + 2


def score_of(position: Position, sign: int, plies: int) -> int:
    """The score of a move that wins (1), draws (0) or loses (-1) in that many plies.

    >>> score_of(Position(), 1, 41), score_of(Position(), -1, 42)
    (1, -1)
    """
    free = position.size - position.ply
    if sign == 0:
        return 0
    return (free + 1) // 2 - (plies - 1) // 2 if sign > 0 else (plies - 2) // 2 - free // 2


def principal_variation(
    position: Position, score: int, time_limit: float | None = None, *, max_memory: int | None = None
) -> tuple[int, ...]:
    """Moves by which both players keep the score to the end, the middle preferred; raises TimeLimitError when the limit passes first.

    >>> principal_variation(Position.from_moves("121212"), 18)
    (1,)
    """
    line: list[int] = []
    with Deadline(time_limit, max_memory).watched() as deadline:
        while not position.is_over:
            deadline.check("finding a line of best play")
            for column in sorted(position.legal_columns, key=lambda c: (abs(2 * c - position.columns - 1), c)):
                child = position.play(column)
                if at_most(child, -score, progress=False):
                    break
            line.append(column)
            position, score = child, -score
    return tuple(line)


def forget() -> None:
    """Empties the tables that searches keep, for measurements that must start cold.

    >>> forget()
    """
    for searcher in _searchers.values():
        searcher.forget()


def limit_memory(limit: int) -> None:
    """Sets how many bytes the tables of all searches take together, 512 MB unless told otherwise; less is slower, never wrong.

    The tables that there are go; a search that is under way keeps its own to the end.

    >>> limit_memory(64 << 20)
    >>> score(Position.from_moves("44444326213163"))
    3
    >>> limit_memory(MEMORY)
    """
    global _memory
    _memory = budget(limit, "the memory limit")
    _searchers.clear()


def warm_up() -> float:
    """Compiles the kernels, or loads them from disk if that was done before, and reads the book; returns the seconds that this took.

    >>> warm_up() >= 0
    True
    """
    started = time.perf_counter()
    from models.four_in_a_line.searcher import load_kernel

    load_kernel()
    in_book(Position())
    return time.perf_counter() - started


# -- the kernel's side


def _searcher(rows: int, columns: int, connect: int, long: bool) -> Searcher:
    """The searcher of a shape; the oldest make room for a new one. Threads may do this at once: at worst a table is made twice.

    Where a question has a limit on memory below that of the tables, it gets a searcher of its own.
    """
    key = (rows, columns, connect, long)
    known = _searchers.get(key)
    room = limits.room()
    if known is not None and (room is None or known.bytes <= room):
        return known
    with limits.loading():
        from models.four_in_a_line.searcher import Searcher  # loads numba and the compiled kernel: only when something is solved

    if room is not None and room < _memory:
        return Searcher(rows, columns, connect, long, room)
    made = Searcher(rows, columns, connect, long, _memory)
    for other in list(_searchers):
        if sum(each.bytes for each in list(_searchers.values())) + made.bytes > _memory:
            _searchers.pop(other, None)
    return _searchers.setdefault(key, made)


def _searcher_for(positions: Sequence[Position]) -> Searcher:
    """The searcher for positions that are all of one shape."""
    first = positions[0]
    shape = (first.rows, first.columns, first.connect)
    most = first.size - first.ply
    for position in positions[1:]:
        if (position.rows, position.columns, position.connect) != shape:
            raise ModelError("positions that are solved together must have the same rows, columns and connect; solve them one by one")
        most = max(most, position.size - position.ply)
    return _searcher(*shape, most >= LONG)


def _other(player: str) -> str:
    return "b" if player == "a" else "a"

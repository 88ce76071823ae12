"""Exact mine probabilities against ``ms-toollib`` (Rust), on the same positions in the same run.

Positions are 30×16 with 99 mines: stuck after single-cell deductions; deeper, in the same way stuck later in a game; where a guess is
forced; with random safe cells open (scatter); with every second cell of every second row open (lattice) or the squares of one colour
(checkerboard), where the peer can take minutes and is therefore asked in a process of its own, with a limit.

Each position is timed several times on both sides and the least time counts, since other work on the machine only adds; the figures of a
row are over positions. The peer stops the whole process on boards that are empty, ragged or impossible, so it is given views of real
fields only.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.measure import Row, missing, peer_module, timing
from benchmarks.ms_toollib_process import ask
from models.minesweeper import Field, Game, View, infer
from models.minesweeper.agent import original_agent

if TYPE_CHECKING:
    from models.minesweeper.kernels import Answer

ROWS, COLUMNS, MINES = 16, 30, 99
PEER = "ms-toollib"
REPEATS = 3
LIMIT, QUICK_LIMIT = 20.0, 1.0
"""Seconds that the peer gets for one lattice or checkerboard."""
HARD = 3
"""How many of these the peer is asked."""


# -- positions


def stuck(seed: int) -> View | None:
    """A game after its opening, played as far as single numbers prove cells safe."""
    game = _opened(seed)
    _play_singles(game)
    return game.view if game.status == "playing" else None


def deeper(seed: int) -> View | None:
    """A game played on by all that is provable, three times, and then stuck for single numbers."""
    game = _opened(seed)
    for _ in range(3):
        _open_all(game, sorted(infer(game.view).safe))
        if game.status != "playing":
            return None
    _play_singles(game)
    return game.view if game.status == "playing" else None


def forced_guess(seed: int) -> View | None:
    """A game in which nothing is provable any more, with up to four guesses before."""
    game = _opened(seed)
    luck = random.Random(seed)
    guesses = luck.randrange(5)
    while game.status == "playing":
        answer = infer(game.view)
        if answer.safe:
            _open_all(game, sorted(answer.safe))
        elif guesses:
            guesses -= 1
            game.open(luck.choice(answer.best))
        else:
            return game.view
    return None


def scatter(seed: int) -> View:
    """A field with 20 to 60 of 100 safe cells open, drawn at random."""
    field, luck = Field.random(ROWS, COLUMNS, MINES, seed), random.Random(seed)
    safe = [(row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1) if (row, column) not in field.mines]
    return field.view(luck.sample(safe, int(len(safe) * luck.uniform(0.2, 0.6))), MINES)


def lattice(seed: int) -> View:
    """A field with every second cell of every second row open, unless it is a mine."""
    field = Field.random(ROWS, COLUMNS, MINES, seed)
    cells = [(row, column) for row in range(2, ROWS + 1, 2) for column in range(2, COLUMNS + 1, 2)]
    return field.view([cell for cell in cells if cell not in field.mines], MINES)


def checkerboard(seed: int) -> View:
    """A field with every second cell open, like the squares of one colour, unless it is a mine."""
    field = Field.random(ROWS, COLUMNS, MINES, seed)
    cells = [(row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1) if (row + column) % 2]
    return field.view([cell for cell in cells if cell not in field.mines], MINES)


def _opened(seed: int) -> Game:
    game = Game(Field.random(ROWS, COLUMNS, MINES, seed), first_click="opening", seed=seed)
    game.open((ROWS // 2, COLUMNS // 2))
    return game


def _open_all(game: Game, cells: list[tuple[int, int]]) -> None:
    for cell in cells:
        if game.status == "playing":
            game.open(cell)


def _play_singles(game: Game) -> None:
    """Opens and flags as the original's agent does until it would have to guess."""
    luck = random.Random(0)
    while game.status == "playing":
        decision = original_agent(game.view, luck)
        if decision.guess:
            return
        for cell in decision.flag:
            game.flag(cell)
        _open_all(game, list(decision.open))


KINDS: dict[str, tuple[Callable[[int], View | None], int]] = {
    "stuck": (stuck, 300),
    "deeper": (deeper, 300),
    "forced guess": (forced_guess, 300),
    "scatter": (scatter, 60),
    "lattice": (lattice, 20),
    "checkerboard": (checkerboard, 20),
}


def positions(kind: str, count: int) -> list[View]:
    """So many positions of a kind, the same in every run."""
    make = KINDS[kind][0]
    found: list[View] = []
    seed = 1_000 * list(KINDS).index(kind)
    while len(found) < count:
        seed += 1
        view = make(seed)
        if view is not None:
            found.append(View.of_grid(view.grid, view.mines))
    return found


# -- the two sides


def ours(view: View) -> Any:
    """What the peer gives, probabilities, and the cells that are certain."""
    answer = infer(view)
    return answer.probability, answer.safe, answer.mines


def peer_board(view: View) -> list[list[int]]:
    """A view as the peer wants it: 10 is covered."""
    return [[10 if value < 0 else value for value in row] for row in view.grid.tolist()]


def timed(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The least time of several calls, in seconds, and what the last one gave."""
    least, found = float("inf"), None
    for _ in range(repeats):
        begin = time.perf_counter()
        found = call()
        least = min(least, time.perf_counter() - begin)
    return least, found


def disagreement(view: View, found: Any) -> float:
    """The largest difference between the peer's probabilities and ours."""
    probability = infer(view).probability
    return max((abs(probability[row, column] - risk) for (row, column), risk in found[0]), default=0.0)


def peer_limited(view: View, limit: float) -> float | None:
    """The peer's seconds on a view in a process of its own; None when it passes the limit."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=ask, args=(peer_board(view), MINES, there))
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process, which ends the other
    process.start()
    signal.signal(signal.SIGINT, heard)
    there.close()  # only the child has it now, so its end is noticed here
    try:
        here.recv()  # it has started: from now on time counts
        return float(here.recv()) if here.poll(limit) else None
    finally:
        process.kill()
        process.join()


def first_call() -> float:
    """Seconds that the first ``infer`` of a new process takes, with kernels that were compiled before."""
    script = (
        "import time; from models.minesweeper import View, infer; view = View.from_text('1-\\n--', mines=1); "
        "begin = time.perf_counter(); infer(view); print(time.perf_counter() - begin)"
    )
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


# -- rows


def run(quick: bool) -> Iterator[Row]:
    """Median, 99th percentile and slowest of each kind of position, with the sizes met; last the first call of a process."""
    peer = peer_module("ms_toollib")
    for kind, (_, count) in KINDS.items():
        views = positions(kind, max(4, count // 10) if quick else count)
        infer(views[0])
        if kind in ("lattice", "checkerboard"):
            yield from _limited(kind, views, peer is not None, QUICK_LIMIT if quick else LIMIT)
        else:
            yield from _compared(kind, views, peer)
    yield Row("first call of a new process", timing([first_call() for _ in range(3)]), target="< 1 s")


def _compared(kind: str, views: list[View], peer: ModuleType | None) -> Iterator[Row]:
    """Both sides in turn on each position."""
    mine, theirs, apart = [], [], 0.0
    for view in views:
        mine.append(timed(partial(ours, view), REPEATS)[0])
        if peer is not None:
            call = partial(peer.cal_probability_csp, peer_board(view), float(MINES))
            least, found = timed(call, 1 if kind == "scatter" else REPEATS)
            theirs.append(least)
            apart = max(apart, disagreement(view, found))
    note = f"{sizes(views)}; probabilities differ by at most {apart:.0e}" if theirs else f"{missing(PEER)}; {sizes(views)}"
    target = {"slowest": "≤ 0.1"} if kind == "scatter" else {"median": "≤ 1", "p99": "≤ 1"}
    for figure, pick in FIGURES.items():
        yield Row(
            f"{kind}, {figure} of {len(views)}",
            timing(mine, pick=pick),
            PEER,
            timing(theirs, pick=pick) if theirs else None,
            target.get(figure, ""),
            note if figure == "median" else "",
        )


def _limited(kind: str, views: list[View], peer: bool, limit: float) -> Iterator[Row]:
    """The first three against the peer with a limit, then our slowest of all."""
    mine = [timed(partial(ours, view), REPEATS)[0] for view in views]
    name = f"{kind}, median of {HARD}"
    if peer:
        tried = [peer_limited(view, limit) for view in views[:HARD]]
        theirs = timing([limit if taken is None else taken for taken in tried], limit)
        yield Row(name, timing(mine[:HARD]), PEER, theirs, note=f"{PEER} reaches {limit:g} s on {tried.count(None)} of {HARD}")
    else:
        yield Row(name, timing(mine[:HARD]), PEER, None, note=missing(PEER))
    yield Row(f"{kind}, slowest of {len(views)}", timing(mine, pick=max), target="≤ 2 s", note=sizes(views))


def sizes(views: list[View]) -> str:
    """The largest numbers of groups, clues, clues half read at a time, nodes in a row and nodes in all."""
    from models.minesweeper.kernels import solve

    found = [solve(view.grid, MINES, 1_000_000, 24_000_000) for view in views]
    return (
        f"up to {max(len(answer.system.size) for answer in found)} groups, {max(len(answer.system.most) for answer in found)} clues, "
        f"{max(_live(answer) for answer in found)} live, {max(answer.width for answer in found):,} states in a row, "
        f"{max(int(answer.diagram.first[-1]) for answer in found if answer.diagram is not None):,} in all"
    )


def _live(answer: Answer) -> int:
    """The most clues that are half read at a time."""
    if answer.diagram is None:
        return 0
    system, most = answer.system, 0
    left: dict[int, int] = {}
    spread = np.bincount(system.sums, minlength=len(system.most)).tolist()
    for group in answer.diagram.read.tolist():
        for clue in system.sums[system.at[group] : system.at[group + 1]].tolist() if group >= 0 else ():
            left[clue] = left.get(clue, spread[clue]) - 1
        left = {clue: groups for clue, groups in left.items() if groups}
        most = max(most, len(left))
    return most


FIGURES: dict[str, Callable[[Sequence[float]], float]] = {
    "median": statistics.median,
    "p99": lambda times: float(np.percentile(times, 99)),
    "slowest": max,
}

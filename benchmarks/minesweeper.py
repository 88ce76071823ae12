"""Exact mine probabilities against ``ms-toollib`` (Rust), on the same positions in the same run: ``python -m benchmarks.minesweeper``.

Positions are 30×16 with 99 mines: stuck after single-cell deductions; deeper, in the same way stuck later in a game; where a guess is
forced; with random safe cells open (scatter); with every second cell of every second row open (lattice) or the squares of one colour
(checkerboard), where the peer can take minutes and is therefore asked in a process of its own, with a limit.

Each position is timed several times on both sides and the least time counts, since other work on the machine only adds. The peer
stops the whole process on boards that are empty, ragged or impossible, so it is given views of real fields only.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from models.minesweeper import Field, Game, View, infer
from models.minesweeper.agent import seed_agent

if TYPE_CHECKING:
    from models.minesweeper.kernels import Answer

ROWS, COLUMNS, MINES = 16, 30, 99
LATTICE_LIMIT = 20.0
"""Seconds that the peer gets for one lattice."""


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
    """Opens and flags as the seed's agent does until it would have to guess."""
    luck = random.Random(0)
    while game.status == "playing":
        decision = seed_agent(game.view, luck)
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
    """The least time of several calls, in milliseconds, and what the last one gave."""
    least, found = float("inf"), None
    for _ in range(repeats):
        begin = time.perf_counter()
        found = call()
        least = min(least, time.perf_counter() - begin)
    return 1e3 * least, found


def disagreement(view: View, found: Any) -> float:
    """The largest difference between the peer's probabilities and ours."""
    probability = infer(view).probability
    return max((abs(probability[row, column] - risk) for (row, column), risk in found[0]), default=0.0)


def _peer_on_lattice(board: list[list[int]], answers: Any) -> None:
    import ms_toollib

    begin = time.perf_counter()
    ms_toollib.cal_probability_csp(board, float(MINES))
    answers.put(time.perf_counter() - begin)


def peer_limited(view: View, limit: float) -> float | None:
    """The peer's seconds on a view in a process of its own; None when it passes the limit."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_peer_on_lattice, args=(peer_board(view), answers))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return float(answers.get())


def first_call() -> float:
    """Seconds from the first line of a new process's first ``infer`` to its answer, kernels compiled before."""
    script = (
        "import time; from models.minesweeper import View, infer; view = View.from_text('1-\\n--', mines=1); "
        "begin = time.perf_counter(); infer(view); print(time.perf_counter() - begin)"
    )
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)


# -- rows


def run(quick: bool = False) -> list[dict[str, Any]]:
    """One row a kind of position: milliseconds of both sides (median, p99, largest), and the sizes met."""
    peer = find_spec("ms_toollib") is not None
    rows = []
    for kind, (_, count) in KINDS.items():
        views = positions(kind, max(4, count // 10) if quick else count)
        infer(views[0])
        rows.append(_row(kind, views, peer, repeats=3))
    return rows


def _row(kind: str, views: list[View], peer: bool, repeats: int) -> dict[str, Any]:
    row: dict[str, Any] = {"name": kind, "positions": len(views)}
    mine = [timed(partial(ours, view), repeats)[0] for view in views]
    row |= _figures("ours", mine) | _sizes(views)
    if not peer:
        return row | {"peer": "missing"}
    if kind in ("lattice", "checkerboard"):
        found = [peer_limited(view, LATTICE_LIMIT) for view in views[:3]]
        return row | {"peer": f"{found.count(None)} of {len(found)} past {LATTICE_LIMIT:.0f} s"}
    from ms_toollib import cal_probability_csp

    theirs, differences = [], []
    for view in views:
        milliseconds, found = timed(partial(cal_probability_csp, peer_board(view), float(MINES)), 1 if kind == "scatter" else repeats)
        theirs.append(milliseconds)
        differences.append(disagreement(view, found))
    row |= _figures("peer", theirs) | {"peer": "ms-toollib", "largest difference": max(differences)}
    return row | {"median ratio": row["peer median"] / row["ours median"], "p99 ratio": row["peer p99"] / row["ours p99"]}


def _figures(side: str, times: list[float]) -> dict[str, float]:
    return {f"{side} median": float(np.median(times)), f"{side} p99": float(np.percentile(times, 99)), f"{side} max": max(times)}


def _sizes(views: list[View]) -> dict[str, int]:
    """The largest numbers of groups, clues, clues half read at a time, nodes in a row and nodes in all."""
    from models.minesweeper.kernels import solve

    found = [solve(view.grid, MINES, 1_000_000, 24_000_000) for view in views]
    return {
        "groups": max(len(answer.frontier.size) for answer in found),
        "clues": max(len(answer.frontier.asks) for answer in found),
        "live": max(_live(answer) for answer in found),
        "widest row": max(int(answer.width) for answer in found),
        "nodes": max(int(answer.diagram.first[-1]) for answer in found if answer.diagram is not None),
    }


def _live(answer: Answer) -> int:
    """The most clues that are half read at a time."""
    if answer.diagram is None:
        return 0
    left: dict[int, int] = {}
    most = 0
    for group in answer.diagram.read.tolist():
        for clue in answer.frontier.clues[group, : answer.frontier.degree[group]].tolist() if group >= 0 else ():
            left[clue] = left.get(clue, int(answer.frontier.spread[clue])) - 1
        left = {clue: groups for clue, groups in left.items() if groups}
        most = max(most, len(left))
    return most


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the positions")
    quick = parser.parse_args().quick
    print(f"{'':13} {'n':>4} | ours ms: median    p99     max | peer ms: median     p99      max | groups clues live widest  nodes")
    rows = run(quick)
    for row in rows:
        line = f"{row['name']:13} {row['positions']:4} | {row['ours median']:15.3f} {row['ours p99']:6.3f} {row['ours max']:7.3f} | "
        if "peer median" in row:
            line += f"{row['peer median']:15.3f} {row['peer p99']:7.3f} {row['peer max']:8.3f}"
        else:
            line += f"{row['peer']:>32}"
        print(f"{line} | {row['groups']:6} {row['clues']:5} {row['live']:4} {row['widest row']:6} {row['nodes']:6}")
    if differences := [row["largest difference"] for row in rows if "largest difference" in row]:
        print(f"largest difference between the two sides' probabilities: {max(differences):.1e}")
    print(f"first call of a new process: {first_call():.2f} s")


if __name__ == "__main__":
    main()

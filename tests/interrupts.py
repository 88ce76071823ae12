"""Ctrl-C at random moments: every long call must raise KeyboardInterrupt and leave a process that still answers rightly.

A call is worked on again and again until a timer interrupts it, as Ctrl-C would; then the same process answers a question whose answer
is known. ``python -m tests.interrupts --times 200`` does that 200 times for every call, each in a process of its own, and prints
what became of them; the test suite does it a few times.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import cpsolve as cp
from models import busy_police, center, four_in_a_line, minesweeper, pacman
from models.four_in_a_line.engine import forget
from tests.test_limits import golomb

PATIENCE, HANGS = 10.0, 3600.0
"""Seconds after which an interrupt that nobody has heard counts as lost, and those after which a process counts as hanging."""


class Call(NamedTuple):
    """Something that takes long, the span in seconds within which it is interrupted, and a question with its known answer."""

    work: Callable[[], Any]
    question: Callable[[], Any]
    answer: Any
    span: float = 0.03


# -- what is interrupted


def queens(size: int) -> cp.Model:
    """Queens that do not attack each other, by columns."""
    model = cp.Model("queens")
    row = model.int_vars(size, 0, size - 1, name="row")
    model.add(cp.all_different(row), name="rows")
    model.add(cp.all_different([row[i] + i for i in range(size)]), name="rising")
    model.add(cp.all_different([row[i] - i for i in range(size)]), name="falling")
    return model


def permutations(size: int) -> cp.Model:
    """All orders of some things."""
    model = cp.Model("permutations")
    model.add(cp.all_different(model.int_vars(size, 0, size - 1, name="x")), name="different")
    return model


def shares(size: int) -> list[float]:
    """How often each thing comes first."""
    model = permutations(size)
    found: list[float] = model.marginals([variable == 0 for variable in model.variables]).tolist()
    return found


def crowd(pigeons: int) -> cp.Model:
    """More pigeons than holes."""
    model = cp.Model("pigeons")
    inside = model.bool_vars((pigeons, pigeons - 1), name="x")
    model.add(inside.sum(axis=1) == 1, name="somewhere")
    model.add(inside.sum(axis=0) <= 1, name="alone")
    return model


def explained() -> list[str]:
    """Why the smallest queens have no solution with the first in a corner."""
    model = queens(4)
    return [entry.name for entry in model.explain(model.variables[0] != 0)]


def expert_view() -> minesweeper.View:
    """An Expert board with a wide frontier."""
    game = minesweeper.Game(minesweeper.Field.random(16, 30, 99, seed=8), first_click="opening", seed=8)
    game.open((4, 4))
    for _ in range(5):
        for cell in sorted(minesweeper.infer(game.view).safe):
            game.open(cell)
    return game.view


def proven(view: minesweeper.View) -> tuple[int, int]:
    """How much of a view is certain."""
    found = minesweeper.infer(view)
    return len(found.safe), found.solutions


def cold(position: four_in_a_line.Position) -> int:
    """A score that is searched for anew."""
    forget()
    return four_in_a_line.solve(position, progress=False).score


SMALL_VIEW = minesweeper.View.from_text("1--\n---", mines=2)
CORNER = minesweeper.View.from_text("001-\n001-\n113-\n----", mines=3)
COMB = minesweeper.View.from_text("1-" * 15 + "\n" + "--" * 15)
SCENE = busy_police.SCENES["evidencias"]
BOARD = pacman.BOARDS["seed"]
OPEN_SCENE = busy_police.Scene(9, 6, [], [(x, y) for y in range(1, 6) for x in (1, 5, 9)], (1, 1), (9, 6), [(5, 2), (3, 4), (7, 5)])
OPEN_BOARD = pacman.Board(5, 4, pacman=(0, 0), dot=(2, 1), cherry=(4, 3), ghosts=[(0, 3), (4, 0)])
FOUR = four_in_a_line.Position.from_moves("44444326213163")
FOUR_EARLY = four_in_a_line.Position.from_moves("4444432621316")
CENTER_ROWS = center.Position.from_rows(["x..", "...", "..o"])

CALLS: dict[str, Callable[[], Call]] = {
    "minesweeper.infer": lambda: Call(lambda: minesweeper.infer(COMB), lambda: proven(SMALL_VIEW), (0, 6)),
    "minesweeper.infer, Expert": lambda: Call(partial(proven, expert_view()), lambda: proven(SMALL_VIEW), (0, 6)),
    "minesweeper.infer, cpsat": lambda: Call(
        lambda: minesweeper.infer(CORNER, "cpsat", check=True), lambda: minesweeper.infer(SMALL_VIEW, "cpsat").solutions, 6
    ),
    "minesweeper.why": lambda: Call(
        lambda: minesweeper.why(CORNER, (1, 4)),
        lambda: minesweeper.why(minesweeper.View.from_text("1-"), (1, 2)).verdict,
        "mine",
    ),
    "minesweeper.campaign": lambda: Call(
        lambda: minesweeper.campaign(16, 30, 99, 20, "expert", "opening", seed=1, workers=1),
        lambda: minesweeper.campaign(4, 4, 2, 3, "exact", "safe", seed=1, workers=1).games,
        3,
    ),
    "minesweeper.play": lambda: Call(
        lambda: minesweeper.play(minesweeper.Game(minesweeper.Field.random(16, 30, 99, seed=3), first_click="opening"), "expert", seed=1),
        lambda: minesweeper.play(minesweeper.Game(minesweeper.Field(2, 3, {(2, 1)}), first_click="safe"), "expert").won,
        True,
    ),
    "four_in_a_line.solve": lambda: Call(lambda: cold(FOUR_EARLY), lambda: four_in_a_line.solve(FOUR, progress=False).score, 3, 0.1),
    "four_in_a_line.choose_move": lambda: Call(
        lambda: four_in_a_line.choose_move(FOUR, 5, seed=1), lambda: four_in_a_line.choose_move(FOUR, 10, seed=1) in (1, 4), True
    ),
    "four_in_a_line.reach": lambda: Call(
        lambda: four_in_a_line.reach(FOUR).cost,
        lambda: four_in_a_line.reach(four_in_a_line.Position.from_moves("121")).cost,
        3,
    ),
    "center.solve": lambda: Call(lambda: center.solve(center.Position(5)), lambda: center.solve(center.Position(3)).plies, 3, 0.1),
    "center.choose_move": lambda: Call(
        lambda: center.choose_move(center.Position(7), 10, seed=1), lambda: center.choose_move(CENTER_ROWS, 10, seed=1), (2, 2), 0.1
    ),
    "center.reach": lambda: Call(
        lambda: center.reach(["x.o..", ".....", "..x..", "o....", "x...o"]), lambda: center.reach(["x..", "...", "..o"]).cost, 2
    ),
    "center.cooperative_win": lambda: Call(lambda: center.cooperative_win(5), lambda: center.cooperative_win(3).cost, 3, 0.1),
    "busy_police.solve": lambda: Call(lambda: busy_police.solve(SCENE), lambda: busy_police.solve(SCENE).cost, 40),
    "busy_police.solve, circuit": lambda: Call(
        lambda: busy_police.solve(OPEN_SCENE, "circuit"), lambda: busy_police.solve(SCENE, "circuit").cost, 40, 0.1
    ),
    "busy_police.paths": lambda: Call(
        lambda: list(islice(busy_police.paths(OPEN_SCENE), 1000)), lambda: len(list(busy_police.paths(SCENE))), 13
    ),
    "busy_police.count_paths": lambda: Call(
        lambda: busy_police.count_paths(OPEN_SCENE), lambda: busy_police.count_paths(busy_police.SCENES["ambiente1"]), 4
    ),
    "pacman.solve": lambda: Call(lambda: pacman.solve(BOARD), lambda: pacman.solve(BOARD).cost, 14),
    "pacman.solve, circuit": lambda: Call(lambda: pacman.solve(BOARD, "circuit"), lambda: pacman.solve(BOARD, "circuit").cost, 14, 0.1),
    "pacman.paths": lambda: Call(lambda: list(islice(pacman.paths(OPEN_BOARD), 1000)), lambda: next(pacman.paths(BOARD)).cost, 40),
    "pacman.count_paths": lambda: Call(
        lambda: pacman.count_paths(OPEN_BOARD),
        lambda: pacman.count_paths(pacman.Board(3, 2, pacman=(0, 0), dot=(1, 0), cherry=(2, 1), ghosts=[(0, 1)])),
        8,
    ),
    "Model.solve": lambda: Call(lambda: golomb(9).solve(), lambda: golomb(4).solve().objective, 6, 0.1),
    "Model.solve, small": lambda: Call(lambda: golomb(4).solve(), lambda: golomb(4).solve().objective, 6),
    "Model.solve, python-constraint": lambda: Call(
        lambda: golomb(5).solve(backend="python-constraint"), lambda: golomb(4).solve(backend="python-constraint").objective, 6
    ),
    "Model.solve, on_solution": lambda: Call(
        lambda: golomb(7).solve(on_solution=lambda _: None), lambda: golomb(4).solve().objective, 6, 0.1
    ),
    "Model.solutions": lambda: Call(lambda: len(list(queens(7).solutions())), lambda: len(list(queens(6).solutions())), 4, 0.1),
    "Model.solutions, left early": lambda: Call(
        lambda: list(islice(queens(10).solutions(), 3)), lambda: len(list(queens(6).solutions())), 4, 0.1
    ),
    "Model.solutions, diagram": lambda: Call(
        lambda: len(list(queens(6).solutions(backend="diagram"))), lambda: len(list(queens(5).solutions(backend="diagram"))), 10
    ),
    "Model.count": lambda: Call(lambda: permutations(9).count(), lambda: permutations(5).count(), 120),
    "Model.marginals": lambda: Call(lambda: shares(8), lambda: shares(4), [0.25] * 4),
    "Model.sample": lambda: Call(lambda: permutations(8).sample(5), lambda: len(permutations(4).sample(7)), 7),
    "Model.backbone": lambda: Call(lambda: queens(7).backbone(), lambda: queens(4).backbone(), {}, 0.1),
    "Model.explain": lambda: Call(explained, explained, ["rows", "falling"], 0.1),
    "Model.conflict": lambda: Call(lambda: len(crowd(5).conflict()), lambda: len(crowd(3).conflict()), 5, 0.1),
}


# -- interrupting


def interrupt(call: Call, moment: float) -> str:
    """What becomes of a call that is interrupted so long after it began: interrupted, lost, another error or wrong answer."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    end = time.monotonic() + moment + PATIENCE
    outcome = "lost"
    try:
        signal.setitimer(signal.ITIMER_REAL, moment)
        while time.monotonic() < end:
            call.work()
    except KeyboardInterrupt:
        outcome = "interrupted"
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        outcome = "another error"
    signal.setitimer(signal.ITIMER_REAL, 0)
    if (found := call.question()) != call.answer:
        print(f"found {found!r}, expected {call.answer!r}", file=sys.stderr)
        outcome = "wrong answer"
    return outcome


def run(name: str, times: int, seed: int) -> Counter[str]:
    """Interrupts a call many times in this process."""
    call = CALLS[name]()
    call.work()
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    for _ in range(times):
        counts[interrupt(call, chance.uniform(1e-6, call.span))] += 1
    return counts


def run_apart(names: Sequence[str], times: int, seed: int = 0) -> dict[str, Counter[str]]:
    """The same in a process of its own; "crashed" counts the calls during which that ended."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.interrupts", "--here", "--times", str(times), "--seed", str(seed), *names]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        output, errors = process.communicate(timeout=HANGS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # it tells where it hangs
        output, errors = process.communicate()
    counts: dict[str, Counter[str]] = {}
    for line in output.splitlines():
        name, outcome, number = line.split(": ")
        counts.setdefault(name, Counter())[outcome] = int(number)
    for name in names:
        if name not in counts:
            counts[name] = Counter(crashed=1)
    if process.returncode or errors:
        print(f"{', '.join(names)}: exit code {process.returncode}\n{errors}", file=sys.stderr)
    return counts


def main() -> int:
    """Interrupts all calls, or those named, and prints one line per call."""
    parser = argparse.ArgumentParser(description="Interrupts long calls at random moments.")
    parser.add_argument("names", nargs="*", help="calls; all when none is named")
    parser.add_argument("--times", type=int, default=200, help="interrupts per call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--here", action="store_true", help="in this process, instead of one process per call")
    options = parser.parse_args()
    failed = False
    for name in options.names or CALLS:
        counts = run(name, options.times, options.seed) if options.here else run_apart([name], options.times, options.seed)[name]
        for outcome, number in counts.items():
            print(f"{name}: {outcome}: {number}", flush=True)
        failed = failed or counts != Counter(interrupted=options.times)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

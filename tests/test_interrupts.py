"""Ctrl-C, threads and forks: whatever happens meanwhile, the process stays healthy and every later answer is right."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from typing import Any

import pytest
from ortools.sat.python import cp_model

import cpsolve as cp
from cpsolve.cached import cached_property
from cpsolve.counting.memory import Memory
from cpsolve.counting.product import Limits, count_ways, outline
from cpsolve.limits import Deadline
from tests.interrupts import CALLS, permutations, run_apart

TIMES = 4
"""Interrupts per call here; ``python -m tests.interrupts`` makes 200."""


@pytest.mark.parametrize("game", ["minesweeper", "four_in_a_line", "center", "busy_police", "pacman", "Model"])
def test_ctrl_c_at_any_moment_raises_keyboard_interrupt_and_later_answers_are_right(game: str) -> None:
    calls = [name for name in CALLS if name.split(".")[0] == game]
    assert run_apart(calls, TIMES) == {name: Counter(interrupted=TIMES) for name in calls}


def test_solutions_may_be_interrupted_at_every_single_step() -> None:
    """A trace raises at the first step of the listing, at the second and so on, also inside the locks that it uses; none may stay shut."""
    script = """
        import sys
        import cpsolve as cp

        model = cp.Model()
        x = model.int_vars(3, 0, 2, name="x")
        model.add(cp.all_different(x))
        list(model.solutions(backend="cpsat"))

        def tracing(last):
            steps = 0

            def step(frame, event, _):
                nonlocal steps
                steps += 1
                if steps == last:
                    sys.settrace(None)
                    raise KeyboardInterrupt
                return step

            return lambda frame, *_: step if frame.f_code.co_filename.endswith(("cpsat.py", "threading.py", "queue.py")) else None

        interrupted = 0
        for last in range(1, 10_000):
            try:
                sys.settrace(tracing(last))
                found = len(list(model.solutions(backend="cpsat")))
                sys.settrace(None)
            except KeyboardInterrupt:
                interrupted += 1
                continue
            break
        print(interrupted > 100, found, len(list(model.solutions(backend="cpsat"))))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.returncode) == ("True 6 6", 0), done.stderr


# -- a model that changes while it is asked


def test_a_form_of_a_model_that_changed_while_it_was_made_is_not_kept() -> None:
    model = cp.Model()
    x = model.int_var(0, 9, "x")

    def make() -> str:
        model.add(x >= 5)
        return "of a model without x >= 5"

    model.derived("form", make)
    assert model.derived("form", lambda: "of the whole model") == "of the whole model"


@pytest.mark.parametrize("change", ["constraint", "objective", "hint", "variable"])
def test_every_change_of_a_model_forgets_its_forms(change: str) -> None:
    model = cp.Model()
    x = model.int_var(0, 9, "x")
    model.minimize(x)
    model.hint({x: 3})
    model.derived("form", lambda: "old")
    assert model.derived("form", lambda: "new") == "old"
    changes: dict[str, Any] = {
        "constraint": lambda: model.add(x > 1),
        "objective": lambda: model.minimize(x),
        "hint": lambda: model.hint({x: 3}),
        "variable": lambda: model.bool_var(),
    }
    changes[change]()
    assert model.derived("form", lambda: "new") == "new"


def test_an_answer_is_of_the_model_as_it_was_asked() -> None:
    model = cp.Model()
    x = model.int_vars(2, 0, 9, name="x")
    model.maximize(x.sum())
    seen: list[cp.Result] = []

    def forbid(result: cp.Result) -> None:
        seen.append(result)
        model.add(x.sum() <= 3)

    assert model.solve(on_solution=forbid).objective == 18
    assert seen
    assert model.solve().objective == 3


def test_a_count_that_another_thread_overtakes_spoils_no_later_count() -> None:
    model = cp.Model()
    x = model.int_vars(9, 0, 8, name="x")
    model.add(cp.all_different(x))
    started = threading.Event()
    counts: list[int] = []

    def count() -> None:
        started.set()
        counts.append(model.count())

    thread = threading.Thread(target=count)
    thread.start()
    started.wait()
    for cell in x:
        model.add(cell <= 7 + int(cell is x[0]))
    thread.join()
    assert counts[0] % 40_320 == 0  # of all constraints added up to some moment
    assert model.count() == model.copy().count() == 40_320


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork")
def test_a_child_forked_while_another_thread_searches_can_search() -> None:
    script = """
        import os, threading
        from cpsolve.progress import Progress
        from models import four_in_a_line as four

        searching, done = threading.Event(), threading.Event()

        def pause(self, text):
            searching.set()
            done.wait()

        real, Progress.update = Progress.update, pause
        early, long = four.Position.from_moves("4444432621316"), four.Position(rows=7, columns=8)
        threading.Thread(target=four.score, args=(long,), daemon=True).start()
        searching.wait()
        Progress.update = real
        child = os.fork()
        if not child:
            os._exit(four.solve(early, progress=False).score + 100)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) - 100)
        done.set()
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.returncode) == ("-3", 0), done.stderr


def test_a_value_that_a_thread_works_out_keeps_nobody_waiting_for_that_of_another_object() -> None:
    begun, others_done = threading.Event(), threading.Event()
    waited: list[bool] = []

    class Board:
        def __init__(self, is_large: bool) -> None:
            self.is_large = is_large

        @cached_property
        def size(self) -> int:
            if self.is_large:
                begun.set()
                waited.append(others_done.wait(10))
            return 1 + self.is_large

    large = Board(True)
    thread = threading.Thread(target=lambda: large.size)
    thread.start()
    assert begun.wait(10)
    assert Board(False).size == 1
    others_done.set()
    thread.join()
    assert (large.size, waited) == (2, [True])


# -- work that is left unfinished


def test_dropping_unfinished_work_runs_no_code_that_could_swallow_an_interrupt() -> None:
    model = permutations(6)
    limits = Limits(Deadline(None), Memory())
    part = outline(model, limits).parts[0]
    work = count_ways(part, limits)
    while next(work) is None:
        pass
    called: list[str] = []
    sys.setprofile(lambda frame, event, _: called.append(frame.f_code.co_name) if event == "call" else None)
    try:
        del work
    finally:
        sys.setprofile(None)
    assert called in ([], ["count_ways"])
    assert limits.memory.used == 0


def test_the_memory_of_a_sat_solver_is_freed_once_even_if_ctrl_c_comes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    pysolvers = pytest.importorskip("pysolvers")
    sat = importlib.import_module("cpsolve.solvers.sat")
    freed: list[object] = []

    def free(memory: object) -> None:
        freed.append(memory)
        raise KeyboardInterrupt

    program = sat.Program(permutations(3))  # frees what was left before
    monkeypatch.setattr(pysolvers, "minisat22_del", free)
    with pytest.raises(KeyboardInterrupt), program:
        pass
    del program
    gc.collect()
    assert len(freed) == 1


def test_ctrl_c_while_a_forgotten_iterator_is_stopped_comes_a_little_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def forget() -> None:
        kept.clear()
        threading.Event().wait(60)

    kept = [permutations(6).solutions(backend="cpsat")]
    next(kept[0])
    monkeypatch.setattr(cp_model.CpSolver, "stop_search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        forget()

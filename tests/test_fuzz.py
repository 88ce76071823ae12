"""The fuzz programs: a short run of each finds nothing, and they do find what is put there for them."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpsolve import files, journal
from cpsolve.app.command import outcome
from cpsolve.app.web import work
from cpsolve.errors import FormatError, ModelError
from cpsolve.solvers import cpsat, cpsat_encoding
from fuzz import __main__, commands, games, limits, models, page, readers, runner, signals
from fuzz.runner import Failure, Kind, Refused, Run, Tally, Wrong, replay
from models import center, four_in_a_line, minesweeper, pacman
from models.busy_police import Scene
from tests import interrupts


@pytest.fixture(autouse=True)
def _soon_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SHRINKING", 2.0)


def run(kinds: dict[str, Kind], most: int, seed: int = 1) -> tuple[Run, list[Failure]]:
    """A short run, and what failed."""
    failures: list[Failure] = []
    done = Run("test", kinds, seed, show=lambda told: None, fail=failures.append)
    done.go(minutes=5, most=most)
    return done, failures


def drawn(check: Callable[[int], None]) -> Kind:
    """A kind whose inputs are numbers from 0 to 9999."""
    return Kind(lambda random: random.randrange(10_000), check)


def test_no_tool_takes_a_ctrl_c_from_a_worker() -> None:
    def check(value: int) -> None:
        if gc.callbacks:
            raise Wrong("a callback of the garbage collector, in which Python ignores Ctrl-C")

    gc.callbacks.append(lambda phase, info: None)
    try:
        assert run({"collecting": drawn(check)}, most=1)[1] == []
    finally:
        gc.callbacks.pop()


# -- every program


@pytest.mark.parametrize("kind", models.KINDS)
def test_every_kind_of_model_is_answered_as_brute_force_does(kind: str) -> None:
    done, failures = run({kind: models.KINDS[kind]}, most=50)
    assert failures == []
    assert done.tallies[kind].tried == 50
    assert done.tallies[kind].refused < 20


@pytest.mark.parametrize(("program", "most"), [(games, 25), (readers, 25), (commands, 15), (page, 60), (signals, 3)])
def test_a_short_run_finds_nothing(program: Any, most: int) -> None:
    done, failures = run(program.KINDS, most)
    assert not failures, "\n".join(failure.told for failure in failures)
    assert all(tally.tried == most for tally in done.tallies.values())
    assert all(tally.refused < most for tally in done.tallies.values())


def test_every_program_is_run_by_default() -> None:
    assert all(__main__.kinds_of(program) for program in __main__.PROGRAMS)
    assert {path.stem for path in Path(runner.__file__).parent.glob("*.py") if "\nKINDS" in path.read_text()} == set(__main__.PROGRAMS)


def test_a_wrong_backend_is_found_and_shown_as_a_program_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat_encoding, "NARROW", 2**63)
    monkeypatch.setattr(cpsat, "SOUND", {})
    kind = "the same, wide domains"
    done, failures = run({kind: models.KINDS[kind]}, most=60, seed=5)
    assert done.tallies[kind].wrong >= len(failures) > 0
    program = failures[0].told.partition("import cpsolve")
    assert subprocess.run([sys.executable, "-c", "import cpsolve" + program[2]], capture_output=True, check=False).returncode == 0


def test_a_call_that_goes_on_after_its_limit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def heedless(model: Any, limit: float) -> None:
        """Works for as long as it takes to be noticed."""
        begun = time.process_time()
        while time.process_time() - begun <= limit + limits.ALLOWED:
            pass

    monkeypatch.setattr(limits, "ALLOWED", 0.05)
    monkeypatch.setattr(limits, "WARM", 0.01)
    monkeypatch.setattr(limits, "QUESTIONS", {"play": heedless})
    value = {"model": "different", "size": 3, "question": "play", "limit": 0.01}
    assert runner.check(limits.KINDS["models"], value)[0] == "wrong"
    assert runner.check(Kind(limits.make_model, lambda value: limits.kept("nothing", lambda limit: None, 1.0)), value)[0] == "right"


ASKED = [{"model": name, "question": question, "size": 3} for name, question in zip(limits.MODELS, limits.QUESTIONS, strict=False)]


@pytest.mark.parametrize(
    "value", [*ASKED, *({"call": name, "size": 6} for name in limits.CALLS)], ids=lambda value: next(iter(value.values()))
)
def test_everything_large_can_be_made_and_asked_about(value: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ALLOWED", 3600.0)  # how long it takes is for the fuzz to say
    monkeypatch.setattr(limits, "WARM", 0.1)
    kind = limits.KINDS["models" if "model" in value else "boards"]
    assert runner.check(kind, {**value, "limit": 0.1})[0] in ("right", "refused")


def _blind(position: Any, player: str, number: int) -> bool:
    return bool(position.stones[number] == " " and position.board.distance[number] <= 1)


PLANTED: dict[str, tuple[Any, str, Any]] = {
    "Pacman": (pacman, "count_paths", lambda board: 7),
    "Busy Police": (Scene, "landing_obstacle", lambda scene, cell: None if 1 <= cell[0] <= scene.width else "outside"),
    "mazes": (pacman.Maze, "moves", lambda maze, state: iter(())),
    "Minesweeper": (minesweeper, "infer", lambda view, method, real=minesweeper.infer: real(minesweeper.View.from_text(view.to_text()))),
    "Four-in-a-line": (four_in_a_line, "adjacent", lambda lists, player: iter(())),
    "Center": (center.Position, "_may_take", _blind),
}


@pytest.mark.parametrize("kind", games.KINDS)
def test_a_wrong_game_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[kind])
    monkeypatch.setattr(runner, "MOST_ALIKE", 1)
    _, failures = run({kind: games.KINDS[kind]}, most=60)
    assert failures


def test_a_reader_that_takes_bad_bytes_for_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "decoded", lambda data: data.decode("utf-8"))
    _, failures = run({"center": readers.KINDS["center"]}, most=60)
    assert "UnicodeDecodeError" in failures[0].told
    assert len(failures[0].input["text"]) == 1


def test_a_writer_that_loses_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacman.Board, "to_text", lambda board: "P.oC")
    _, failures = run({"pacman": readers.KINDS["pacman"]}, most=20)
    assert "written and read back" in failures[0].told


def test_a_command_with_a_bug_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    solving = {words: command for words, command in commands.commands().items() if words[0] == "solve"}
    monkeypatch.setattr(commands, "commands", lambda: solving)
    monkeypatch.setattr(files, "read", lambda path: 1 // 0)
    _, failures = run(commands.KINDS, most=12)
    assert "ZeroDivisionError" in failures[0].told
    assert len(failures[0].input["words"]) <= 5


def test_a_command_that_steers_the_terminal_is_found() -> None:
    shown = {"words": ["games", "pacman", "\u202e"], "board": "", "typed": ""}
    assert runner.check(commands.KINDS["commands"], shown)[0] == "right"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outcome, "printable", str)
        assert "it printed '\\u202e'" in runner.check(commands.KINDS["commands"], shown)[2]


def test_an_address_may_be_as_long_as_a_client_allows() -> None:
    page.check({"method": "GET", "address": "|" * 21_842 + "/", "headers": page.HEADERS[0], "body": ""})


def test_a_page_with_a_bug_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "instance_of", lambda game, body: 1 // 0)
    monkeypatch.setattr(runner, "MOST_ALIKE", 1)
    _, failures = run({"bodies": page.KINDS["bodies"]}, most=30)
    assert "ZeroDivisionError" in failures[0].told


def test_an_interrupt_that_is_swallowed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def swallow() -> None:
        with suppress(KeyboardInterrupt):
            threading.Event().wait(0.2)

    monkeypatch.setattr(interrupts, "PATIENCE", 0.3)
    monkeypatch.setattr(signals, "CALLS", {"deaf": lambda: interrupts.Call(swallow, int, 0)})
    _, failures = run({"Ctrl-C": signals.KINDS["Ctrl-C"]}, most=2)
    assert failures[0].told == "deaf: lost"


@pytest.mark.parametrize("kind", ["threads", "forks"])
def test_an_answer_that_a_thread_or_a_fork_spoils_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_the_process_that_began(began: int) -> bool:
        return os.getpid() == began and threading.current_thread() is threading.main_thread()

    def begin() -> interrupts.Call:
        process = os.getpid()
        return interrupts.Call(list, lambda: in_the_process_that_began(process), True)

    monkeypatch.setattr(signals, "CALLS", {"shy": begin})
    _, failures = run({kind: signals.KINDS[kind]}, most=2)
    assert "shy" in failures[0].told


def test_a_file_that_is_written_in_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "write", lambda path, data: Path(path).write_bytes(data) and None)
    monkeypatch.setattr(runner, "MOST_ALIKE", 1)
    for kind in ("files on a full disk", "outputs on a full disk"):
        _, failures = run({kind: signals.KINDS[kind]}, most=12)
        assert failures


def test_a_journal_that_loses_records_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal.Journal, "add", lambda self, records: None)
    _, failures = run({"a": signals.KINDS["journals on a full disk"]}, most=2)
    assert failures[0].input["records"] == 1


# -- what the runner does


def test_right_refused_wrong_and_broken_trials_are_counted_and_made_small() -> None:
    def some(number: int) -> None:
        match number // 2500:
            case 1:
                raise Refused("too large")
            case 2:
                raise Wrong("two and two are five")
            case 3:
                raise ZeroDivisionError

    done, failures = run({"some": drawn(some)}, most=100)
    tally = done.tallies["some"]
    assert tally.tried == 100
    assert 10 < tally.refused < 40
    assert tally.wrong > len(failures) == 2 * runner.MOST_ALIKE
    assert {(failure.input, "ZeroDivisionError" in failure.told) for failure in failures} == {(5000, False), (7500, True)}


def test_a_crash_and_a_hang_are_counted_and_the_run_goes_on() -> None:
    def end(number: int) -> None:
        if number >= 5000:
            os.kill(os.getpid(), signal.SIGSEGV)

    def wait(number: int) -> None:
        if number >= 8:
            threading.Event().wait()

    runs = {"crash": drawn(end), "hang": Kind(lambda random: random.randrange(10), wait, smaller=lambda value: [], seconds=0.1)}
    done, failures = run(runs, most=12, seed=2)
    assert done.tallies["crash"].tried == done.tallies["hang"].tried == 12
    assert done.tallies["crash"].crashed > 0
    assert done.tallies["hang"].hung > 0
    assert done.tallies["crash"].peak > 0
    told = {failure.outcome: failure.told for failure in failures}
    assert "SIGSEGV" in told["crashed"]
    assert "in wait" in told["hung"]


def test_a_check_that_works_hangs_by_its_processor_time_and_one_that_sleeps_a_little_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "WAITING", 10**6)  # the clock never says that it hangs

    def check(number: int) -> None:
        if number:
            while True:
                pass
        threading.Event().wait(0.05)

    done, _ = run({"some": Kind(lambda random: random.randrange(2), check, smaller=lambda value: [], seconds=0.02)}, most=8)
    assert 0 < done.tallies["some"].hung < 8


def test_the_same_seed_makes_the_same_trials_and_a_number_repeats_one() -> None:
    def drawing(into: list[float]) -> dict[str, Kind]:
        return {"a": Kind(lambda random: into.append(random.random()), lambda value: None)}

    first: list[float] = []
    second: list[float] = []
    again: list[float] = []
    Run("test", drawing(first), 3).go(minutes=1, most=5)
    Run("test", drawing(second), 3).go(minutes=1, most=5)
    Run("test", drawing(again), 3).go(minutes=1, number=4)
    assert first == second
    assert again == first[4:]
    assert len(set(first)) == 5


def test_no_time_means_no_trial() -> None:
    assert Run("test", {"a": drawn(lambda number: None)}, 1).go(minutes=0) == {"a": Tally()}


def test_a_long_run_shows_its_figures_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EVERY", 0.0)
    told: list[str] = []
    Run("test", {"a": drawn(lambda number: None)}, 1, told.append).go(minutes=1, most=3)
    assert [report.strip().splitlines()[-1].split(",")[0] for report in told] == ["1 trial", "2 trials", "3 trials"]


def test_what_failed_can_be_kept_and_tried_again(tmp_path: Path) -> None:
    def check(number: int) -> None:
        if number >= 7:
            raise Wrong("too large")

    _, failures = run({"some": drawn(check)}, most=3)
    path = failures[0].save(tmp_path / "test")
    assert json.loads(path.read_text())["input"] == 7
    assert replay(path, {"some": drawn(check)}).outcome == "wrong"
    assert replay(path, {"some": drawn(lambda number: None)}).outcome == "right"


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[float] = []

    def make(random: Random) -> float:
        made.append(random.random())
        if len(made) == 4:
            raise KeyboardInterrupt
        return made[-1]

    monkeypatch.setattr(models, "KINDS", {"logic": Kind(make, lambda value: None)})
    words = ["models", "--seed", "4", "--most", "6", "--resume", str(tmp_path / "run.jsonl")]
    assert __main__.main(words) == 130
    assert "3 trials" in capsys.readouterr().out
    assert __main__.main(words) == 0
    assert made[3] == made[4]
    assert len(made) == 7
    assert "6 trials" in capsys.readouterr().out
    assert __main__.main(words) == 0
    assert len(made) == 7
    with pytest.raises(ModelError, match="another run"):
        __main__.main(["models", "--seed", "5", "--resume", str(tmp_path / "run.jsonl")])
    (tmp_path / "run.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match="checksum"):
        __main__.main(words)


def test_the_command_tells_figures_and_its_exit_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["models", "--most", "2", "--seed", "4", "--failures", str(tmp_path)]
    assert __main__.main([*words, "--kind", "logic", "--kind", "everything"]) == 0
    assert "4 trials, 0 refused, 0 wrong" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        __main__.main(["models", "--kind", "nothing"])
    assert stopped.value.code == 2

    def broken(value: int) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(models, "KINDS", {"logic": drawn(broken)})
    assert __main__.main(words) == 1
    (kept, _) = sorted((tmp_path / "models").iterdir())
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert __main__.main(["--replay", str(kept)]) == 1

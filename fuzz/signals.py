"""Ctrl-C at random moments, threads and forks during calls, and disks that are full: whatever happens, later answers are right.

The long calls are those of ``tests/interrupts.py``, each with a question whose answer is known.
"""

from __future__ import annotations

import json
import os
import resource
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner

from cpsolve import files
from cpsolve.app.command import app
from cpsolve.journal import journal
from fuzz.runner import Kind, Wrong
from tests.interrupts import CALLS, Call, interrupt

SAME = 99
"""How a child ends that got the right answer."""
OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "a.svg": ("solve", "center", "3", "--svg", "a.svg"),
    "a.html": ("solve", "pacman", "--method", "bfs", "--html", "a.html"),
    "jogo.pl": ("solve", "minesweeper", "mina.pl", "--method", "exact", "--seed", "1", "--log", "jogo.pl"),
    "chart.svg": ("compare", "pacman", "--methods", "bfs,dfs", "--svg", "chart.svg"),
}
"""Commands that write a file, by its name."""


@cache
def call(name: str) -> Call:
    """A long call that has run once, so that all is compiled and loaded."""
    found = CALLS[name]()
    found.work()
    return found


# -- Ctrl-C


def make_interrupt(random: Random) -> dict[str, Any]:
    """A call, and the part of its span after which it is interrupted."""
    return {"call": random.choice(list(CALLS)), "moment": random.random()}


def check_interrupt(value: Mapping[str, Any]) -> None:
    """The call is interrupted at once, and the process answers rightly afterwards."""
    found = call(value["call"])
    outcome = interrupt(found, max(1e-6, value["moment"] * found.span))
    if outcome != "interrupted":
        raise Wrong(f"{value['call']}: {outcome}")


# -- threads


def make_threads(random: Random) -> dict[str, Any]:
    """A few calls that run at once."""
    return {"calls": random.choices(list(CALLS), k=random.randint(2, 4))}


def check_threads(value: Mapping[str, Any]) -> None:
    """Every thread gets the answer that it would get alone."""
    calls = [call(name) for name in value["calls"]]
    told: dict[int, Any] = {}

    def ask(number: int) -> None:
        try:
            told[number] = calls[number].question()
        except Exception:  # told in the main thread
            told[number] = traceback.format_exc()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, each in enumerate(calls):
        if told[number] != each.answer:
            raise Wrong(f"{value['calls'][number]}: answered {told[number]}, right is {each.answer}")


# -- forks


def make_fork(random: Random) -> dict[str, Any]:
    """A call that runs in a thread, one that a child is asked meanwhile, and when it is born."""
    return {"running": random.choice(list(CALLS)), "asked": random.choice(list(CALLS)), "moment": random.random()}


def check_fork(value: Mapping[str, Any]) -> None:
    """A child that was born while another thread worked answers rightly, and so does its parent."""
    running, asked = call(value["running"]), call(value["asked"])
    thread = threading.Thread(target=running.work, daemon=True)
    thread.start()
    thread.join(value["moment"] * running.span)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            found = asked.question()
            os._exit(SAME if found == asked.answer else 1)
        finally:
            os._exit(2)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    thread.join()
    if code != SAME:
        raise Wrong(f"{value['asked']} in a child, while {value['running']} ran: it ended with {code}")
    if (found := running.question()) != running.answer:
        raise Wrong(f"{value['running']} afterwards: answered {found}, right is {running.answer}")


# -- full disks


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may become longer, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder to work in."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def make_output(random: Random) -> dict[str, Any]:
    """A command, the room that is left, and whether there was a file before."""
    return {
        "file": random.choice(list(OUTPUTS)),
        "room": random.choice((0, 1, random.randint(0, 4000), 10**6)),
        "before": random.random() < 0.5,
    }


@cache
def whole(name: str) -> int:
    """How long a file is that was written with room enough."""
    with folder() as place:
        _write(name, place)
        return (place / name).stat().st_size


def _write(name: str, place: Path) -> Any:
    (place / "mina.pl").write_text("tamanho(4). mina(2,4). mina(4,2).")
    return CliRunner().invoke(app, list(OUTPUTS[name]))


def check_output(value: Mapping[str, Any]) -> None:
    """The file is whole, or what it was before; and nothing else is left."""
    name, long = value["file"], whole(value["file"])
    with folder() as place:
        if value["before"]:
            (place / name).write_text("before")
        with room(max(value["room"], 100)):
            done = _write(name, place)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        left = {path.name: path.read_bytes() for path in place.iterdir()}
    if done.exit_code not in (0, 1, 2):
        raise Wrong(f"exit code {done.exit_code}: {done.output}")
    left.pop("mina.pl")
    if done.exit_code == 2 and left != ({name: b"before"} if value["before"] else {}):
        raise Wrong(f"it failed and left {left}")
    if done.exit_code != 2 and (set(left) != {name} or not 0.9 < len(left[name]) / long < 1.1):
        raise Wrong(f"{name} has {len(left.get(name, b''))} bytes of about {long}: {done.output}")


def make_file(random: Random) -> dict[str, Any]:
    """A text to be written, one that was there, and the room that is left."""
    return {"size": random.randint(0, 20_000), "before": random.randint(-1, 300), "room": random.randint(0, 20_000)}


def check_file(value: Mapping[str, Any]) -> None:
    """``files.write`` writes all or nothing."""
    with folder() as place:
        path, new = place / "out", b"n" * value["size"]
        old = None if value["before"] < 0 else b"o" * value["before"]
        if old is not None:
            path.write_bytes(old)
        failed = False
        try:
            with room(value["room"]):
                files.write(path, new)
        except OSError:
            failed = True
        found = path.read_bytes() if path.exists() else None
        if (
            found != (old if failed else new)
            or failed != (value["size"] > value["room"])
            or len(list(place.iterdir())) != (found is not None)
        ):
            raise Wrong(f"failed: {failed}, found {len(found or b'')} bytes and {list(place.iterdir())}")


def make_journal(random: Random) -> dict[str, Any]:
    """How many records are added, how long they are, and the room for them."""
    return {"records": random.randint(1, 20), "length": random.randint(0, 500), "room": random.randint(0, 5000)}


def check_journal(value: Mapping[str, Any]) -> None:
    """A journal on a full disk keeps what it was told that it kept, and goes on when there is room again."""
    records = [[number, "x" * value["length"]] for number in range(value["records"])]
    run = {"seed": 1}
    with folder() as place:
        path, safe = place / "run.jsonl", 0
        try:
            with room(value["room"]), journal(path, run, list, resume=True) as kept:
                for record in records:
                    kept.add([record])
                    safe += 1
        except OSError:
            pass  # the disk is full; what was added before is safe
        with journal(path, run, list, resume=True) as kept:
            found = list(kept.records)
            if found[:safe] != records[:safe] or found != records[: len(found)]:
                raise Wrong(f"{safe} records were safe, found {json.dumps(found)[:500]}")
            kept.add(records[len(found) :])
        with journal(path, run, list, resume=True) as kept:
            if kept.records != records:
                raise Wrong(f"went on to {json.dumps(kept.records)[:500]}")


def kind(make: Callable[[Random], Any], check: Callable[[Any], None]) -> Kind:
    """A kind whose first checks may have to compile."""
    return Kind(make, check, seconds=180.0)


KINDS = {
    "Ctrl-C": kind(make_interrupt, check_interrupt),
    "threads": kind(make_threads, check_threads),
    "forks": kind(make_fork, check_fork),
    "outputs on a full disk": kind(make_output, check_output),
    "files on a full disk": kind(make_file, check_file),
    "journals on a full disk": kind(make_journal, check_journal),
}

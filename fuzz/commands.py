"""The command line with odd words and numbers: whatever is typed, it ends with one of its exit codes and a clean output.

Commands, options and their types are those that the command line tells of itself. A limit of time is always given where there is one,
so that what does not end hangs. The server is never really started.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from cpsolve import catalogue
from cpsolve.app.command import app
from cpsolve.app.command.outcome import BadInput
from fuzz.garbling import CONTROL, garbled
from fuzz.readers import examples
from fuzz.runner import Kind, Wrong

CODES = (0, 1, 2, 3)
"""Solved, no solution, bad input, limit reached."""
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Signs that would steer a terminal."""
NUMBERS = ("0", "-1", "1", "2", "3", "5", "nan", "inf", "1e308", "1.5", "", "x", str(2**31), str(2**53 + 1), str(-(2**62)), "9" * 5000, "٣")
SMALL = ("1", "2", "3", "0", "-1", "x", "nan", "1.5")
WORDS = (
    "",
    " ",
    "-",
    "--",
    "x",
    "1,1",
    "3,4",
    "0,0",
    "(2, 2)",
    "1,2,3",
    "../x",
    "/dev/null",
    "é",
    "a" * 300,
    "\udcff",
    *CONTROL[1:],
    *NUMBERS,
)
"""Words that may stand anywhere; NUL, the first of the control characters, cannot: it ends a word before any program sees it."""
LINES = ("1", "4", "1,1", "2 2", "f1,1", "hint", "help", "undo", "quit", "q", "y", "", "why 1,1", "new", "level 3", *CONTROL, "9" * 5000)
VALUES: Mapping[str, Sequence[str]] = {
    "--time-limit": ("0.3", "0.3", "0.3", "0", "0.01", "-1", "nan", "x", "1e-300"),
    "--games": SMALL,
    "--boards": SMALL,
    "--delay": ("0", "-1", "nan", "0.1"),
    "--svg": ("a.svg", "-", "a.png", "no/a.svg", "/dev/null", ""),
    "--html": ("a.html", "-", "a.txt", "\x1b.html"),
    "--gif": ("a.gif", "no/a.gif"),
    "--log": ("jogo.pl", "-", "no/jogo.pl"),
    "--resume": ("games.jsonl", "board.txt", "no/x"),
    "--new": ("size=3", "rows=4", "=", "x", "size=nan", "connect=3", "size=9999999999"),
    "--port": ("-1", "65536", "x", str(2**31)),
    "--player": ("a", "b", "c", ""),
    "--agent": ("exact", "seed", "expert", "x"),
    "--compare": ("exact", "seed", "x"),
    "--level": ("1", "2", "beginner", "x", "0", "11"),
    "--first-click": ("any", "safe", "opening", "x"),
    "--why": ("1,4", "2,4", "9,9", "0,0", "x", "9" * 5000),
    "--methods": ("bfs", "bfs,dfs", "x", "", "dfs,"),
    "--grow": ("ghosts", "evidence", "empty", "x"),
    "--only": ("x", ""),
    "--to": ("prolog", "drawing", "text", "x", ""),
    "--game": ("center", "four-in-a-line", "x"),
    "--opening": ("0", "2", "-1", str(2**62)),
    "--patience": ("1", "0", "nan", "-1"),
    "--workers": ("1", "2", "0", "-1", str(2**31)),
    "--method": ("auto", "bfs", "dfs", "circuit", "exact", "diagram", "cpsat", "reach", "expert", "x"),
    "--rows": ("3", "4", "0", "-1", "1001", str(2**62), "x"),
    "--columns": ("3", "4", "0", "-1", "1001", str(2**62), "x"),
    "--mines": ("3", "1", "0", "-1", str(2**62), "x"),
}
ALWAYS = ("--time-limit", "--games", "--boards")
"""Options without which a command may take as long as it likes."""


@cache
def commands() -> Mapping[tuple[str, ...], Any]:
    """Every command by its words."""
    found: dict[tuple[str, ...], Any] = {}

    def walk(words: tuple[str, ...], command: Any) -> None:
        if not hasattr(command, "list_commands"):
            found[words] = command
            return
        context = command.make_context("cpsolve", [], resilient_parsing=True)
        for name in command.list_commands(context):
            try:
                walk((*words, name), command.get_command(context, name))
            except BadInput:
                found[*words, name] = command  # what this game does not have

    walk((), get_command(app))
    return found


@cache
def texts() -> Sequence[str]:
    """Good texts of all games."""
    return [text for kind in examples().values() for text in kind]


def make(random: Random) -> dict[str, Any]:
    """A command with some of its options, a file beside it and something to be typed."""
    words, command = random.choice(list(commands().items()))
    arguments = [parameter for parameter in command.params if not parameter.opts[0].startswith("-")]
    chosen = list(words)
    for argument in arguments:
        chosen += _arguments(random, words, argument)
    for parameter in command.params:
        flag = parameter.opts[0]
        if flag.startswith("--") and (flag in ALWAYS or random.random() < 0.2):
            chosen += _option(random, flag, parameter)
    if words == ("serve",):
        chosen += ["--port", random.choice(VALUES["--port"])]
    if words in (("tour",), ("warm-up",)):
        chosen.append("nothing of the kind")
    if random.random() < 0.15:
        chosen.insert(random.randint(0, len(chosen)), random.choice((*WORDS, "--help", "-h", "--x", "--json", "--version", "--\x1b[2J")))
    typed = "\n".join(random.choice(LINES) for _ in range(random.randint(0, 6)))
    board = garbled(random, random.choice(texts()), texts()) if random.random() < 0.5 else random.choice(texts())
    return {"words": chosen, "board": board, "typed": board if "-" in chosen else typed}


def _arguments(random: Random, words: Sequence[str], argument: Any) -> Iterator[str]:
    if argument.nargs == -1 or words[0] == "generate":
        yield from (random.choice((*NUMBERS, "2", "3", "4", "5")) for _ in range(random.randint(0, 3)))
    elif words[0] == "match":
        yield random.choice(("1", "2", "1", "2", "x", "0", "99", "", "9" * 5000, "\x1b"))
    elif argument.required or random.random() < 0.6:
        named = [*catalogue.game(words[1]).instances()] if len(words) == 2 and words[1] in catalogue.games() else []
        yield random.choice(("board.txt", "board.txt", "board.txt", "-", *named, random.choice(WORDS), "4453", "3", "[[],[]]"))


def _option(random: Random, flag: str, parameter: Any) -> Iterator[str]:
    if flag == "--port":
        return
    yield flag
    if not getattr(parameter, "is_flag", False):
        known = VALUES.get(flag, NUMBERS if "Int" in type(parameter.type).__name__ else WORDS)
        yield random.choice(known)
        if parameter.nargs == 2:
            yield random.choice(("1:3", "1,2", "3", "x", "0", str(2**62)))


def check(value: Mapping[str, Any]) -> None:
    """Runs the command in a folder of its own."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("board.txt").write_bytes(value["board"].encode("utf-8", "surrogateescape"))
            typed = value["typed"].encode("utf-8", "surrogateescape")
            if "-" not in value["words"]:
                typed = typed.decode("utf-8", "backslashreplace").encode()  # lines come like this: ``main`` says so to standard input
            done = CliRunner().invoke(app, list(value["words"]), input=typed)
        finally:
            os.chdir(before)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in CODES or "Traceback (most" in done.output:
        raise Wrong(f"exit code {done.exit_code}\n{done.output[-2000:]}")
    if steering := STEERING.search(done.output):
        raise Wrong(f"it printed {steering.group()!r}: {done.output[max(0, steering.start() - 200) : steering.end() + 50]!r}")


def fewer(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Without one of the words or two, but never without a limit of time; then with less text."""
    words = value["words"]
    for size in (2, 1):
        for place in range(1, len(words)):
            if not {*ALWAYS, "serve", "tour", "warm-up", "nothing of the kind"} & {*words[max(place - 1, 0) : place + size]}:
                yield {**value, "words": [*words[:place], *words[place + size :]]}
    for name in ("typed", "board"):
        lines = value[name].split("\n")
        if lines != [""]:
            yield {**value, name: ""}
        yield from ({**value, name: "\n".join(lines[:place] + lines[place + 1 :])} for place in range(len(lines)))


KINDS = {"commands": Kind(make, check, fewer, seconds=180.0)}

"""Pencil puzzles: model, solve and prove that the answer is the only one, against cspuz, CPMpy and multi-puzzle-solver.

The puzzles, several sizes of each kind, were made for this (``puzzle_instances``). Times are processor seconds of the whole call. A peer
works in a process of its own, a copy of this one so that nothing is imported on its time, with a limit on its processor time. A row's note
tells how long the models are: lines and tokens, without docstrings and comments.
"""

from __future__ import annotations

import ast
import inspect
import io
import multiprocessing
import resource
import signal
import time
import tokenize
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.measure import Row, Timing, missing, peer_module, timing
from benchmarks.puzzle_instances import Instance, instances
from benchmarks.puzzle_models import KINDS
from benchmarks.puzzle_peers import BOARDS, CPMPY, SHARED, cpmpy_answers, cspuz_answers, multi_puzzle_solver_answers

LIMIT, QUICK_LIMIT = 2, 1
"""Processor seconds that a peer has, in a full and in a quick run."""
ROUNDS = 3


def run(quick: bool) -> Iterator[Row]:
    """All comparisons of this topic; a quick run has the smallest puzzle of each kind."""
    limit = QUICK_LIMIT if quick else LIMIT
    seen: set[str] = set()
    for instance in instances():
        if not quick or instance.kind not in seen:
            seen.add(instance.kind)
            yield from rows(instance, limit)


def rows(instance: Instance, limit: int) -> Iterator[Row]:
    """One puzzle against each peer."""
    name = f"{instance.kind} {instance.size}"
    words = instance.words
    ours = timing([processor_seconds(lambda: own_answers(instance)) for _ in range(ROUNDS)])
    text = f"model: {length(KINDS[instance.kind])}"
    cpmpy = peer_module("cpmpy")
    boards = peer_module(f"puzzle_solver.puzzles.{BOARDS[instance.kind]}.{BOARDS[instance.kind]}")
    peers: list[tuple[str, Callable[[], int] | None, str]] = [
        (
            "CPMpy, 1 worker",
            None if cpmpy is None else lambda: cpmpy_answers(cpmpy, instance.kind, words),
            f"CPMpy's {length(CPMPY[instance.kind], *SHARED.get(instance.kind, ()))}",
        ),
        (
            "multi-puzzle-solver",
            None if boards is None else lambda: multi_puzzle_solver_answers(boards, instance.kind, words),
            "multi-puzzle-solver has this kind ready-made",
        ),
        (
            "cspuz",
            None if peer_module("cspuz") is None else lambda: cspuz_answers(instance.kind, words),
            "cspuz has this kind ready-made",
        ),
    ]
    for peer, answers, other in peers:
        if answers is None:
            absent = "cspuz is missing: see its repository" if peer == "cspuz" else missing(peer)
            yield Row(name, ours, peer, None, note=f"{absent}; {text}")
        else:
            yield Row(name, ours, peer, limited(answers, limit, f"{peer}, {name}"), note=f"{text}; {other}")


def own_answers(instance: Instance) -> None:
    """Our whole call: build, solve, unique."""
    model = KINDS[instance.kind](instance.words)
    assert model.solve().solution is not None
    assert model.unique()


def processor_seconds(action: Callable[[], object]) -> float:
    """The processor time of a call, of all its threads."""
    begun = time.process_time()
    action()
    return time.process_time() - begun


# -- peers, in a process of their own


def limited(answers: Callable[[], int], limit: int, what: str) -> Timing:
    """The processor time that a peer takes for its answers, which must be one, or that the limit was reached."""
    context = multiprocessing.get_context("fork")
    there, here = context.Pipe()
    process = context.Process(target=_work, args=(answers, limit, here))
    process.start()
    here.close()
    try:
        found: Any = there.recv()
    except EOFError:
        found = None
    process.join()
    there.close()
    if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        return timing([limit], limit)
    assert found is not None, f"{what}: the peer ended with {process.exitcode} and without an answer"
    assert found[0] == 1, f"{what}: {found[0]} answers to a puzzle that has one"
    return timing([found[1]], limit)


def _work(answers: Callable[[], int], limit: int, told: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    begun = time.process_time()
    number = answers()
    told.send((number, time.process_time() - begun))


# -- how long a model is


def length(*functions: Callable[..., Any]) -> str:
    """The lines and tokens of functions, without docstrings, comments and blank lines.

    >>> length(processor_seconds)
    '4 lines, 34 tokens'
    """
    lines = tokens = 0
    for function in functions:
        tree = ast.parse(inspect.getsource(function))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        text = ast.unparse(tree)
        lines += len(text.splitlines())
        skipped = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT)
        tokens += sum(token.type not in skipped for token in tokenize.generate_tokens(io.StringIO(text).readline))
    return f"{lines} lines, {tokens} tokens"

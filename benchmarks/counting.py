"""Exact counting against exact counters: Ganak and d4 on the same models as clauses, graphillion on graphs.

Every figure is CPU seconds on one core. A peer runs in a process of its own, with one thread and a limit on its CPU time and memory; its
start-up is not counted, nor is writing the clauses. graphillion gets the edges of a grid row by row, the order in which it is fastest. A
peer that reaches the limit is not tried on larger sizes. One that is not installed is reported as missing: pyganak and graphillion come
with the benchmarks, d4 is used when it is on the path.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import cpsolve as cp
from benchmarks.measure import Row, missing, peer_module, timing
from cpsolve.counting.cnf import Formula
from cpsolve.counting.memory import Memory
from cpsolve.counting.paths import count_simple_paths
from cpsolve.counting.product import Limits
from cpsolve.limits import Deadline

LIMIT, QUICK_LIMIT = 4.0, 2.0
MEMORY = 6 << 30
PATIENCE = 600.0
"""Seconds on the clock for a count of our own, which on a busy machine are many more than those of work."""

# -- the models


def dominoes(rows: int, columns: int) -> cp.Model:
    """Tilings of a board by dominoes: one boolean per place of a domino, each square covered once."""
    model = cp.Model(f"dominoes {rows}×{columns}")
    covering: dict[tuple[int, int], list[cp.Variable]] = {(r, c): [] for r in range(rows) for c in range(columns)}
    for r, c in covering:
        for other in ((r + 1, c), (r, c + 1)):
            if other in covering:
                place = model.bool_var()
                covering[r, c].append(place)
                covering[other].append(place)
    for square, places in covering.items():
        model.add(cp.exactly_one(places), name=f"square {square}")
    return model


def grid_colourings(side: int, colours: int = 3) -> cp.Model:
    """Colours of a grid's squares, those of neighbours different."""
    model = cp.Model("colourings")
    x = model.int_vars((side, side), 1, colours)
    model.add([x[1:] != x[:-1], x[:, 1:] != x[:, :-1]])
    return model


def independent_sets(side: int) -> cp.Model:
    """Sets of a grid's squares without neighbours."""
    model = cp.Model("independent sets")
    x = model.bool_vars((side, side))
    for line in [*x, *x.T]:
        for a, b in pairwise(line):
            model.add(~a | ~b)
    return model


def latin_squares(order: int) -> cp.Model:
    """Squares with each number once in each row and column."""
    model = cp.Model("Latin squares")
    x = model.int_vars((order, order), 1, order)
    for line in [*x, *x.T]:
        model.add(cp.all_different(line))
    return model


def magic_squares(order: int) -> cp.Model:
    """Squares of different numbers with the same sum in rows, columns and diagonals."""
    model = cp.Model("magic squares")
    x = model.int_vars((order, order), 1, order * order)
    total = order * (order * order + 1) // 2
    model.add(cp.all_different(x))
    model.add([x.sum(axis=0) == total, x.sum(axis=1) == total, x.trace() == total, x[::-1].trace() == total])
    return model


def queens(side: int) -> cp.Model:
    """Queens that do not attack each other, one boolean per square."""
    model = cp.Model("queens")
    x = model.bool_vars((side, side))
    for line in [*x, *x.T]:
        model.add(cp.exactly_one(line))
    for offset in range(2 - side, side - 1):
        model.add(cp.at_most_one(x.diagonal(offset)))
        model.add(cp.at_most_one(x[::-1].diagonal(offset)))
    return model


def colouring_of_a_tree_of_bags(nodes: int, width: int, colours: int) -> cp.Model:
    """Colourings of a random graph of the given treewidth: each new node sees ``width`` nodes that see each other."""
    generator = random.Random(1)
    bags = [list(range(width + 1))]
    edges = set(combinations(range(width + 1), 2))
    for node in range(width + 1, nodes):
        seen = generator.sample(generator.choice(bags), width)
        edges |= {(other, node) for other in seen}
        bags.append([*seen, node])
    model = cp.Model("colourings of a tree of bags")
    x = model.int_vars(nodes, 1, colours)
    for a, b in sorted(edges):
        model.add(x[a] != x[b])
    return model


SUDOKU = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
"""A hard one with one solution (Norvig's list)."""


def several_sudoku() -> str:
    """The 24 clues of a Sudoku with several thousand solutions."""
    model = sudoku("." * 81)
    model.add(cp.all_of(model.variables[i] == 1 + i for i in range(9)))
    solution = model.solve(seed=1).solution
    assert solution is not None
    cells = random.Random(4).sample(range(81), 24)
    return "".join(str(value) if place in cells else "." for place, value in enumerate(solution.values()))


def sudoku(clues: str) -> cp.Model:
    """A Sudoku from 81 characters, of which digits are clues."""
    model = cp.Model("Sudoku")
    x = model.int_vars((9, 9), 1, 9)
    for line in [*x, *x.T]:
        model.add(cp.all_different(line))
    for row in range(0, 9, 3):
        for column in range(0, 9, 3):
            model.add(cp.all_different(x[row : row + 3, column : column + 3]))
    for place, clue in enumerate(clues):
        if clue.isdigit():
            model.add(x[place // 9, place % 9] == int(clue))
    return model


def random_clauses(variables: int, ratio: float = 3.0) -> cp.Model:
    """Random clauses of three literals."""
    generator = random.Random(1)
    model = cp.Model("random clauses")
    x = model.bool_vars(variables)
    for _ in range(int(ratio * variables)):
        chosen = generator.sample(range(variables), 3)
        model.add(cp.any_of([x[i] if generator.random() < 0.5 else ~x[i] for i in chosen]))
    return model


def equations(variables: int) -> cp.Model:
    """Two equations with coefficients up to 20 over booleans."""
    generator = random.Random(1)
    model = cp.Model("equations")
    x = model.bool_vars(variables)
    for _ in range(2):
        coefficients = [generator.randint(1, 20) for _ in range(variables)]
        model.add(sum(c * v for c, v in zip(coefficients, x, strict=True)) == sum(coefficients) // 2)
    return model


def neighbour_sums(side: int) -> cp.Model:
    """A board on which a third of the squares show how many of their neighbours hold something."""
    generator = random.Random(1)
    squares = [(r, c) for r in range(side) for c in range(side)]
    full = {square: generator.random() < 0.2 for square in squares}
    shown = {square for square in squares if not full[square] and generator.random() < 0.35}
    model = cp.Model("neighbour sums")
    hidden = {square: model.bool_var() for square in squares if square not in shown}
    for r, c in sorted(shown):
        near = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i or j) and (r + i, c + j) in full]
        model.add(sum(hidden[square] for square in near if square in hidden) == sum(full[square] for square in near))
    return model


def grid_arcs(side: int) -> list[tuple[int, int]]:
    """The arcs of a grid graph, both ways."""
    nodes = [(r, c) for r in range(side) for c in range(side)]
    return [(a, b) for a, (r, c) in enumerate(nodes) for b, (s, d) in enumerate(nodes) if abs(r - s) + abs(c - d) == 1]


def hamiltonian_cycles(side: int) -> cp.Model:
    """Circuits through all nodes of a grid graph."""
    model = cp.Model("Hamiltonian cycles")
    model.add(cp.circuit([(tail, head, model.bool_var()) for tail, head in grid_arcs(side)]))
    return model


def walks(side: int) -> int:
    """Simple paths between opposite corners of a grid graph."""
    successors: list[list[int]] = [[] for _ in range(side * side)]
    for tail, head in grid_arcs(side):
        successors[tail].append(head)
    return count_simple_paths(successors, 0, side * side - 1)


# -- the peers

GRAPHILLION = """
import json, sys, time
from graphillion import GraphSet
task = json.load(sys.stdin)
begun = time.process_time()
GraphSet.set_universe([tuple(edge) for edge in task["edges"]], traversal="as-is")
if task["what"] == "paths":
    found = GraphSet.paths(*task["ends"])
elif task["what"] == "cycles":
    found = GraphSet.cycles(is_hamilton=True)
else:
    found = GraphSet.perfect_matchings()
print(found.len(), time.process_time() - begun)
"""
GANAK = """
import json, sys, time, pyganak
task = json.load(sys.stdin)
begun = time.process_time()
counter = pyganak.Counter()
counter.new_vars(task["variables"])
counter.add_clauses(task["clauses"])
counter.set_sampling_set(task["counted"])
print(counter.count(), time.process_time() - begun)
"""


@dataclass(frozen=True)
class Answer:
    """What a process answered, and its CPU seconds; None when it was stopped."""

    value: int | None
    seconds: float


def _run(command: list[str], text: str, limit: float) -> tuple[str, float]:
    """What a process wrote, nothing if it was stopped, and its CPU seconds."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    single = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, preexec_fn=limited, env=single)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout if done.returncode == 0 else "", after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _python(script: str, task: dict[str, Any], limit: float) -> Answer:
    """The answer of a script that writes it and how long it took from when it had its task."""
    written, taken = _run([sys.executable, "-c", script], json.dumps(task), limit)
    if not written:
        return Answer(None, taken)
    number, seconds = written.split()[-2:]
    return Answer(int(number), float(seconds))


def _formula(model: cp.Model) -> Formula:
    return Formula(model, None, Limits(Deadline(None), Memory()))


def ganak(model: cp.Model, limit: float) -> Answer:
    """Ganak on the model as clauses; writing them is not counted."""
    formula = _formula(model)
    task = {"variables": formula.variables, "clauses": formula.clauses, "counted": formula.counted}
    answer = _python(GANAK, task, limit)
    return Answer(None if answer.value is None else answer.value * formula.factor, answer.seconds)


def d4(model: cp.Model, limit: float) -> Answer:
    """d4 on the model as clauses, projected; writing them is not counted."""
    formula = _formula(model)
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as file:
        file.write(f"p cnf {formula.variables} {len(formula.clauses)}\n")
        file.write(f"c p show {' '.join(map(str, formula.counted))} 0\n")
        file.writelines(f"{' '.join(map(str, clause))} 0\n" for clause in formula.clauses)
        file.flush()
        written, taken = _run(["d4", "-m", "counting", "-i", file.name], "", limit)
    numbers = [line.removeprefix("s ") for line in written.splitlines() if line.removeprefix("s ").strip().isdigit()]
    return Answer(int(numbers[-1]) * formula.factor if numbers else None, taken)


def graphillion(what: str, side: int, limit: float) -> Answer:
    """graphillion on a grid graph."""
    edges = [arc for arc in grid_arcs(side) if arc[0] < arc[1]]
    return _python(GRAPHILLION, {"what": what, "edges": edges, "ends": [0, side * side - 1]}, limit)


PEERS: dict[str, Callable[[], bool]] = {
    "ganak": lambda: peer_module("pyganak") is not None,
    "d4": lambda: shutil.which("d4") is not None,
    "graphillion": lambda: peer_module("graphillion") is not None,
}


# -- the rows


@dataclass(frozen=True)
class Case:
    """A model in several sizes: how to make one, the sizes, and which graph question it is, if it is one."""

    name: str
    make: Callable[[int], cp.Model]
    sizes: tuple[int, ...]
    graph: str = ""
    series: bool = False
    formula: bool = True


CASES = (
    Case("dominoes", lambda side: dominoes(side, side), (8, 10, 12, 14, 16), "matchings", series=True),
    Case("3-colourings of a grid", grid_colourings, (6, 8, 10, 11), series=True),
    Case("independent sets of a grid", independent_sets, (8, 12, 16, 20), series=True),
    Case("Latin squares", latin_squares, (4, 5, 6), series=True),
    Case("magic squares", magic_squares, (3, 4)),
    Case("queens as booleans", queens, (7, 9, 12), series=True),
    Case("colourings of 50 nodes, by treewidth", lambda width: colouring_of_a_tree_of_bags(50, width, width + 2), (4, 6)),
    Case("Sudoku, solutions", lambda several: sudoku(several_sudoku() if several else SUDOKU), (0, 1)),
    Case("random 3-SAT, ratio 3", random_clauses, (50, 80)),
    Case("Hamiltonian cycles of a grid", hamiltonian_cycles, (6, 8, 10), "cycles", series=True, formula=False),
    Case("two equations over booleans", equations, (30, 40)),
    Case("sums over neighbours", neighbour_sums, (16, 20)),
)
WALKS = (5, 7, 9, 10, 11)


def run(quick: bool) -> Iterator[Row]:
    """One row per model, size and peer."""
    limit = QUICK_LIMIT if quick else LIMIT
    for model in (dominoes(2, 2), grid_colourings(3), sudoku(SUDOKU), hamiltonian_cycles(4), colouring_of_a_tree_of_bags(20, 3, 5)):
        model.count()  # compiled, or loaded
    walks(3)
    for case in CASES:
        stopped: set[str] = set()
        for size in case.sizes[:2] if quick else case.sizes:
            yield from _rows(case, size, limit, stopped)
    for side in WALKS[:2] if quick else WALKS:
        yield from _walks(side, limit)


def _walks(side: int, limit: float) -> Iterator[Row]:
    begun = time.process_time()
    number = walks(side)
    own = Answer(number, time.process_time() - begun)
    yield from _against("walks between corners", side, own, {"graphillion": lambda: graphillion("paths", side, limit)}, limit, set(), True)


def _rows(case: Case, size: int, limit: float, stopped: set[str]) -> Iterator[Row]:
    model = case.make(size)
    stats: dict[str, Any] = {}
    begun, children = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        number: int | None = model.count(time_limit=PATIENCE, stats=stats)
    except (cp.TimeLimitError, cp.DiagramTooWide):
        number = None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time() - begun + after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    peers: dict[str, Callable[[], Answer]] = {}
    if case.formula:
        peers["ganak"] = lambda: ganak(case.make(size), limit)
        peers["d4"] = lambda: d4(case.make(size), limit)
    if case.graph:
        peers["graphillion"] = lambda: graphillion(case.graph, size, limit)
    yield from _against(case.name, size, Answer(number, own), peers, limit, stopped, case.series, stats.get("engine", ""))


def _against(
    name: str,
    size: int,
    own: Answer,
    peers: dict[str, Callable[[], Answer]],
    limit: float,
    stopped: set[str],
    series: bool,
    engine: str = "",
) -> Iterator[Row]:
    """One row per peer; those in ``stopped`` have reached the limit on a smaller size."""
    for peer, ask in peers.items():
        ours = timing([own.seconds if own.value is not None else limit], limit)
        told = f"{own.value:,}" if own.value is not None and own.value < 10**15 else ""
        note = ", ".join(filter(None, [told, engine and f"by {engine}"]))
        line = {"series": name, "size": size, "unit": "size"} if series else {}
        if not PEERS[peer]():
            yield Row(f"{name}, {size}", ours, peer, None, note="; ".join(filter(None, [missing(peer), note])), **line)  # type: ignore[arg-type]
            continue
        answer = Answer(None, limit) if peer in stopped else ask()
        value = answer.value
        if value is None:
            stopped.add(peer)
        if value is not None and own.value is not None and value != own.value // (2 if peer == "graphillion" and "cycles" in name else 1):
            raise AssertionError(f"{name} of size {size}: {own.value:,} were counted, {value:,} by {peer}")
        theirs = timing([answer.seconds if value is not None else limit], limit)
        yield Row(f"{name}, {size}", ours, peer, theirs, "≤ 1", note, **line)  # type: ignore[arg-type]

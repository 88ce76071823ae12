"""The same puzzles stated for the peers: for CPMpy as its documentation models, for cspuz and multi-puzzle-solver, which have all of these
kinds ready-made, as they want them.

CPMpy has no constraint for nodes that hang together, so that is said as modellers do: one root, and every other node has a neighbour that
is nearer to it. Each function gives the model and the variables that make up the answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.puzzle_models import STEPS, Words

# -- CPMpy


def cpmpy_sudoku(cp: Any, words: Words) -> tuple[Any, Any]:
    """Digits 1..n, each once per row, column and box."""
    n = len(words)
    box = round(n**0.5)
    x = cp.intvar(1, n, shape=(n, n))
    m = cp.Model([cp.AllDifferent(row) for row in x], [cp.AllDifferent(column) for column in x.T])
    for top in range(0, n, box):
        for left in range(0, n, box):
            m += cp.AllDifferent(x[top : top + box, left : left + box])
    for r, row in enumerate(words):
        for c, word in enumerate(row):
            if word != ".":
                m += x[r, c] == int(word)
    return m, x


def cpmpy_hangs_together(cp: Any, m: Any, inside: Any, links: dict[Any, list[tuple[Any, Any]]]) -> None:
    """One root, and every other node inside has a neighbour inside, over a link that is there, that is nearer to it."""
    root = dict(zip(links, cp.boolvar(shape=len(links)), strict=True))
    far = dict(zip(links, cp.intvar(0, len(links), shape=len(links)), strict=True))
    m += cp.sum(list(root.values())) == 1
    for node, around in links.items():
        m += root[node].implies(inside[node])
        m += (inside[node] & ~root[node]).implies(cp.any([there & (far[other] < far[node]) for other, there in around]))


def cpmpy_loop(cp: Any, m: Any, rows: int, columns: int) -> tuple[Any, Any, dict[Any, list[tuple[Any, Any]]]]:
    """0/1 variables on the sides between points of a grid that form one loop, and the links at each point."""
    across = cp.boolvar(shape=(rows, columns - 1))
    down = cp.boolvar(shape=(rows - 1, columns))
    links: dict[Any, list[tuple[Any, Any]]] = {(r, c): [] for r in range(rows) for c in range(columns)}
    for r, c in links:
        if c + 1 < columns:
            links[r, c].append(((r, c + 1), across[r, c]))
            links[r, c + 1].append(((r, c), across[r, c]))
        if r + 1 < rows:
            links[r, c].append(((r + 1, c), down[r, c]))
            links[r + 1, c].append(((r, c), down[r, c]))
    on = dict(zip(links, cp.boolvar(shape=len(links)), strict=True))
    for point, around in links.items():
        m += cp.sum([there for _, there in around]) == 2 * on[point]
    cpmpy_hangs_together(cp, m, on, links)
    return across, down, links


def cpmpy_slitherlink(cp: Any, words: Words) -> tuple[Any, Any]:
    """One loop along the sides of cells; a number tells how many sides of its cell are used."""
    m = cp.Model()
    across, down, _ = cpmpy_loop(cp, m, len(words) + 1, len(words[0]) + 1)
    for r, row in enumerate(words):
        for c, word in enumerate(row):
            if word != ".":
                m += across[r, c] + across[r + 1, c] + down[r, c] + down[r, c + 1] == int(word)
    return m, np.concatenate([across.flatten(), down.flatten()])


def cpmpy_masyu(cp: Any, words: Words) -> tuple[Any, Any]:
    """One loop through cells: straight on at ``W`` with a turn just before or after, a turn at ``B`` and straight on before and after."""
    m = cp.Model()
    across, down, links = cpmpy_loop(cp, m, len(words), len(words[0]))

    def side(r: int, c: int, i: int, j: int) -> Any:
        return dict(links.get((r, c), [])).get((r + i, c + j), False)

    for r, row in enumerate(words):
        for c, word in enumerate(row):
            if word == ".":
                continue
            up, below, left, right = [cp.BoolVal(False) | side(r, c, i, j) for i, j in STEPS.values()]
            further = [cp.BoolVal(False) | side(r + i, c + j, i, j) for i, j in STEPS.values()]
            if word == "B":
                m += [up != below, left != right]
                m += [near.implies(far) for near, far in zip((up, below, left, right), further, strict=True)]
            else:
                m += [up == below, left == right, up | left]
                m += [up.implies(~(further[0] & further[1])), left.implies(~(further[2] & further[3]))]
    return m, np.concatenate([across.flatten(), down.flatten()])


def cpmpy_yajilin(cp: Any, words: Words) -> tuple[Any, Any]:
    """A loop through all cells but the black ones and the clues; no two black cells touch; ``2r``: two black cells to the right."""
    rows, columns = len(words), len(words[0])
    m = cp.Model()
    black = cp.boolvar(shape=(rows, columns))
    across, down, links = cpmpy_loop(cp, m, rows, columns)
    m += [~black[:, 1:][r, c] | ~black[:, :-1][r, c] for r in range(rows) for c in range(columns - 1)]
    m += [~black[1:][r, c] | ~black[:-1][r, c] for r in range(rows - 1) for c in range(columns)]
    for r, row in enumerate(words):
        for c, word in enumerate(row):
            degree = cp.sum([there for _, there in links[r, c]])
            if word == ".":
                m += degree == 2 * ~black[r, c]
                continue
            seen = {"u": black[:r, c], "d": black[r + 1 :, c], "l": black[r, :c], "r": black[r, c + 1 :]}[word[-1]]
            m += [~black[r, c], degree == 0, cp.sum(seen) == int(word[:-1])]
    return m, np.concatenate([black.flatten(), across.flatten(), down.flatten()])


def cpmpy_heyawake(cp: Any, words: Words) -> tuple[Any, Any]:
    """Rooms: no two black cells touch, the white ones hang together, no white line meets 3 rooms."""
    rows, columns = len(words), len(words[0])
    black = cp.boolvar(shape=(rows, columns))
    m = cp.Model()
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    links: dict[Any, list[tuple[Any, Any]]] = {cell: [] for cell in cells}
    for r, c in cells:
        for other in ((r, c + 1), (r + 1, c)):
            if other in links:
                m += ~black[r, c] | ~black[other]
                links[r, c].append((other, ~black[other]))
                links[other].append(((r, c), ~black[r, c]))
    cpmpy_hangs_together(cp, m, {cell: ~black[cell] for cell in cells}, links)
    room = [[word.partition(":")[0] for word in row] for row in words]
    for name, number in dict.fromkeys(tuple(word.split(":")) for row in words for word in row if ":" in word):
        m += cp.sum([black[r, c] for r, c in cells if room[r][c] == name]) == int(number)
    for line in [[(r, c) for c in range(columns)] for r in range(rows)] + [[(r, c) for r in range(rows)] for c in range(columns)]:
        borders = [i for i in range(1, len(line)) if room[line[i][0]][line[i][1]] != room[line[i - 1][0]][line[i - 1][1]]]
        for start, end in pairwise(borders):
            m += cp.any([black[cell] for cell in line[start - 1 : end + 1]])
    return m, black


def cpmpy_nurikabe(cp: Any, words: Words) -> tuple[Any, Any]:
    """Each number has an island of that size; islands do not touch; the sea hangs together and has no 2 × 2 block."""
    rows, columns = len(words), len(words[0])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    clues = [(r, c) for r, c in cells if words[r][c] != "."]
    island = cp.intvar(0, len(clues), shape=(rows, columns))
    far = cp.intvar(0, rows * columns, shape=(rows, columns))
    root = cp.boolvar(shape=(rows, columns))
    m = cp.Model(cp.sum(root) == 1)
    for number, cell in enumerate(clues, 1):
        m += [island[cell] == number, cp.Count(island, number) == int(words[cell[0]][cell[1]])]
    for r, c in cells:
        near = [(r + i, c + j) for i, j in STEPS.values() if 0 <= r + i < rows and 0 <= c + j < columns]
        m += root[r, c].implies(island[r, c] == 0)
        if (r, c) not in clues:
            nearer = cp.any([(island[other] == island[r, c]) & (far[other] < far[r, c]) for other in near])
            m += (~root[r, c]).implies(nearer)
        m += [(island[r, c] == 0) | (island[other] == 0) | (island[r, c] == island[other]) for other in near]
    m += [cp.sum(island[r : r + 2, c : c + 2]) > 0 for r in range(rows - 1) for c in range(columns - 1)]
    return m, island


def cpmpy_fillomino(cp: Any, words: Words) -> tuple[Any, Any]:
    """Every cell tells the size of its region, and regions of one size do not touch."""
    rows, columns = len(words), len(words[0])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    x = cp.intvar(1, 9, shape=(rows, columns))
    region = cp.intvar(0, len(cells) - 1, shape=(rows, columns))
    far = cp.intvar(0, 9, shape=(rows, columns))
    m = cp.Model()
    for number, (r, c) in enumerate(cells):
        near = [(r + i, c + j) for i, j in STEPS.values() if 0 <= r + i < rows and 0 <= c + j < columns]
        nearer = cp.any([(region[other] == region[r, c]) & (far[other] < far[r, c]) for other in near])
        m += (region[r, c] != number).implies(nearer)
        m += [(x[r, c] == x[other]) == (region[r, c] == region[other]) for other in near]
        m += x[r, c] == cp.sum([region[other] == region[r, c] for other in cells])
        if words[r][c] != ".":
            m += x[r, c] == int(words[r][c])
    return m, x


CPMPY: dict[str, Callable[[Any, Words], tuple[Any, Any]]] = {
    "sudoku": cpmpy_sudoku,
    "slitherlink": cpmpy_slitherlink,
    "masyu": cpmpy_masyu,
    "yajilin": cpmpy_yajilin,
    "heyawake": cpmpy_heyawake,
    "nurikabe": cpmpy_nurikabe,
    "fillomino": cpmpy_fillomino,
}
SHARED: dict[str, Sequence[Callable[..., Any]]] = {
    "slitherlink": (cpmpy_loop, cpmpy_hangs_together),
    "masyu": (cpmpy_loop, cpmpy_hangs_together),
    "yajilin": (cpmpy_loop, cpmpy_hangs_together),
    "heyawake": (cpmpy_hangs_together,),
}
"""What several of these models share: part of the text of each."""


def cpmpy_answers(cp: Any, kind: str, words: Words) -> int:
    """How many answers CPMpy finds, of two at most: one solve, and one more for another answer."""
    m, answer = CPMPY[kind](cp, words)
    if not m.solve(solver="ortools", num_workers=1):
        return 0
    found = answer.value() if hasattr(answer, "value") else np.array([each.value() for each in answer])
    m += cp.any([variable != value for variable, value in zip(answer.flatten(), found.flatten().tolist(), strict=True)])
    return 2 if m.solve(solver="ortools", num_workers=1) else 1


# -- multi-puzzle-solver

BOARDS = {
    "sudoku": "sudoku",
    "slitherlink": "slitherlink",
    "masyu": "pearl",
    "yajilin": "yajilin",
    "heyawake": "heyawake",
    "nurikabe": "nurikabe",
    "fillomino": "filling",
}
"""The names of its modules."""


def multi_puzzle_solver_answers(boards: Any, kind: str, words: Words) -> int:
    """How many answers its board finds."""
    if kind == "heyawake":
        rooms = np.array([[word.partition(":")[0] for word in row] for row in words])
        told = [word.split(":") for row in words for word in row if ":" in word]
        board = boards.Board(rooms, {room: int(number) for room, number in told})
    elif kind == "yajilin":
        board = boards.Board(np.array([[" " if word == "." else word[-1].upper() + word[:-1] for word in row] for row in words]))
    elif kind == "sudoku":
        digits = [[" " if word == "." else word if int(word) < 10 else chr(ord("a") + int(word) - 10) for word in row] for row in words]
        board = boards.Board(np.array(digits))
    else:
        board = boards.Board(np.array([[" " if word == "." else word for word in row] for row in words]))
    return len(board.solve_and_print(verbose=False))


# -- cspuz


def cspuz_answers(kind: str, words: Words) -> int:
    """How many answers the solver of that kind finds, of two at most: it leaves open what several answers do not share."""
    height, width = len(words), len(words[0])
    solve = getattr(importlib.import_module(f"cspuz.puzzle.{kind}"), f"solve_{kind}")
    numbers = [[int(word) if word.isdecimal() else {"W": 1, "B": 2}.get(word, 0) for word in row] for row in words]
    if kind == "sudoku":
        found = solve(numbers, n=round(height**0.5))
    elif kind == "slitherlink":
        found = solve(height, width, [[-1 if word == "." else int(word) for word in row] for row in words])
    elif kind == "yajilin":
        arrows = dict(zip("udlr", "^v<>", strict=True))
        found = solve(height, width, [[".." if word == "." else arrows[word[-1]] + word[:-1] for word in row] for row in words])
    elif kind == "heyawake":
        rooms: dict[str, list[tuple[int, int]]] = {}
        told: dict[str, int] = {}
        for r, row in enumerate(words):
            for c, word in enumerate(row):
                room, _, number = word.partition(":")
                rooms.setdefault(room, []).append((r, c))
                told[room] = int(number) if number else -1
        found = solve(height, width, list(rooms.values()), list(told.values()))
    else:
        found = solve(height, width, numbers)
    if not found[0]:
        return 0
    return 1 if all(variable.sol is not None for part in found[1:] for variable in part) else 2

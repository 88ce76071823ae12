"""The puzzles of the comparison as cpsolve models, one short function each, as a user would write them.

A puzzle is told in rows of words, one word per cell, ``.`` where nothing is printed. Each function gives the model; its solutions are the
puzzle's. How many lines and tokens these functions take is part of the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import cpsolve as cp

Words = Sequence[Sequence[str]]
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def sudoku(words: Words) -> cp.Model:
    """Digits 1..n, each once per row, column and box."""
    n = len(words)
    box = round(n**0.5)
    m = cp.Model()
    x = m.int_vars((n, n), 1, n)
    for i in range(n):
        top, left = i // box * box, i % box * box
        m.add([cp.all_different(x[i]), cp.all_different(x[:, i]), cp.all_different(x[top : top + box, left : left + box])])
    m.add([x[r, c] == int(word) for r, row in enumerate(words) for c, word in enumerate(row) if word != "."])
    return m


def slitherlink(words: Words) -> cp.Model:
    """One loop along the sides of cells; a number tells how many sides of its cell are used."""
    m = cp.Model()
    edges = cp.grid_edges(m, len(words) + 1, len(words[0]) + 1)
    m.add(cp.loop(edges))
    m.add([sum(edges.around(r, c)) == int(word) for r, row in enumerate(words) for c, word in enumerate(row) if word != "."])
    return m


def masyu(words: Words) -> cp.Model:
    """One loop through cells: straight on at ``W`` with a turn just before or after, a turn at ``B`` and straight on before and after."""
    m = cp.Model()
    edges = cp.grid_edges(m, len(words), len(words[0]))
    m.add(cp.loop(edges))

    def side(r: int, c: int, way: tuple[int, int]) -> Any:
        """Whether the loop leaves a cell that way."""
        there = r + way[0], c + way[1]
        return edges[(r, c), there] if {(r, c), there} <= edges.graph.number.keys() else cp.any_of()

    for r, row in enumerate(words):
        for c, word in enumerate(row):
            up, down, left, right = (side(r, c, way) for way in STEPS.values())
            further = [side(r + i, c + j, (i, j)) for i, j in STEPS.values()]
            if word == "B":
                ahead = [near.implies(far) for near, far in zip((up, down, left, right), further, strict=True)]
                m.add(cp.all_of(up ^ down, left ^ right, ahead))
            elif word == "W":
                turns = [up.implies(~cp.all_of(further[:2])), left.implies(~cp.all_of(further[2:]))]
                m.add(cp.all_of(up == down, left == right, up | left, turns))
    return m


def yajilin(words: Words) -> cp.Model:
    """A loop through all cells but the black ones and the clues; no two black cells touch; ``2r``: two black cells to the right."""
    rows, columns = len(words), len(words[0])
    m = cp.Model()
    black = m.bool_vars((rows, columns), name="black")
    edges = cp.grid_edges(m, rows, columns)
    m.add(cp.loop(edges))
    for a, b in edges.graph.edges:
        m.add(~(black[a] & black[b]))
    for r, row in enumerate(words):
        for c, word in enumerate(row):
            if word == ".":
                m.add(sum(edges.at(r, c)) == 2 * ~black[r, c])
                continue
            seen = {"u": black[:r, c], "d": black[r + 1 :, c], "l": black[r, :c], "r": black[r, c + 1 :]}[word[-1]]
            m.add([~black[r, c], sum(edges.at(r, c)) == 0, seen.sum() == int(word[:-1])])
    return m


def heyawake(words: Words) -> cp.Model:
    """Rooms (``3:2``, room 3 with 2 black cells): no two black cells touch, the white ones hang together, no white line meets 3 rooms."""
    rows, columns = len(words), len(words[0])
    m = cp.Model()
    black = m.bool_vars((rows, columns))
    board = cp.grid(rows, columns)
    m.add(cp.connected(~black, board))
    m.add([~(black[a] & black[b]) for a, b in board.edges])
    room = [[word.partition(":")[0] for word in row] for row in words]
    lines = [[(r, c) for c in range(columns)] for r in range(rows)] + [[(r, c) for r in range(rows)] for c in range(columns)]
    for line in lines:
        borders = [i for i in range(1, len(line)) if room[line[i][0]][line[i][1]] != room[line[i - 1][0]][line[i - 1][1]]]
        m.add([cp.any_of(black[cell] for cell in line[start - 1 : end + 1]) for start, end in pairwise(borders)])
    for name, number in dict.fromkeys(tuple(word.split(":")) for row in words for word in row if ":" in word):
        m.add(sum(black[cell] for cell in board.nodes if room[cell[0]][cell[1]] == name) == int(number))
    return m


def nurikabe(words: Words) -> cp.Model:
    """Each number has an island of that size; islands do not touch; the sea hangs together and has no 2 × 2 block."""
    rows, columns = len(words), len(words[0])
    board = cp.grid(rows, columns)
    clues = {cell: int(words[cell[0]][cell[1]]) for cell in board.nodes if words[cell[0]][cell[1]] != "."}
    m = cp.Model()
    island = m.int_vars((rows, columns), 0, len(clues))
    numbered = dict(enumerate(clues, 1))
    m.add(cp.regions(island, board, roots=numbered, sizes={number: clues[cell] for number, cell in numbered.items()}))
    m.add([(island[a] == 0) | (island[b] == 0) | (island[a] == island[b]) for a, b in board.edges])
    m.add([island[r : r + 2, c : c + 2].sum() > 0 for r in range(rows - 1) for c in range(columns - 1)])
    return m


def fillomino(words: Words) -> cp.Model:
    """Every cell tells the size of its region, and regions of one size do not touch."""
    m = cp.Model()
    x = m.int_vars((len(words), len(words[0])), 1, 9)
    m.add(cp.region_sizes(x, cp.grid(*x.shape), x))
    m.add([x[r, c] == int(word) for r, row in enumerate(words) for c, word in enumerate(row) if word != "."])
    return m


KINDS: dict[str, Callable[[Words], cp.Model]] = {
    each.__name__: each for each in (sudoku, slitherlink, masyu, yajilin, heyawake, nurikabe, fillomino)
}

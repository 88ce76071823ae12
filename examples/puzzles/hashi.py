"""Hashi: build bridges between islands in one row or column, at most two between the same ones, none crossing another, so that each island
has as many as its number tells and one can walk from any to any other.

python examples/puzzles/hashi.py [LINK or FILE] [--svg FILE]
"""

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture
from cpsolve.puzzles import pictures
from cpsolve.puzzles.boards import Cell, GridPuzzle, at
from cpsolve.puzzles.showing import show

PUZZLE = "https://puzz.link/p?hashikake/8/8/g2h2g1g2n3h4h3o1j1o3g3g4g2n1"  # made by make.py


def model(puzzle: GridPuzzle) -> tuple[cp.Model, Any]:
    """The model, and the number of bridges for each pair of islands that see each other."""
    m = cp.Model("hashi")
    pairs = list(sights(puzzle))
    bridges = {(one, other): m.int_var(0, 2, f"bridges{one}{other}") for one, other in pairs}
    for island, number in puzzle.clues.items():
        if number is not None:
            m.add(sum(count for pair, count in bridges.items() if island in pair) == number, name=f"the {number} in {at(island)}")
    for (one, other), (third, fourth) in combinations(pairs, 2):
        (across, down) = ((one, other), (third, fourth)) if one[0] == other[0] else ((third, fourth), (one, other))
        if down[0][0] < across[0][0] < down[1][0] and across[0][1] < down[0][1] < across[1][1]:
            m.add(cp.any_of(bridges[across] == 0, bridges[down] == 0), name=f"no crossing in {at((across[0][0], down[0][1]))}")
    # islands and bridges are the nodes of one graph: a bridge that is built hangs together with its islands
    ways = cp.graph([(island, pair) for pair in pairs for island in pair], nodes=puzzle.clues)
    m.add(
        cp.connected({**dict.fromkeys(puzzle.clues, True), **{pair: bridges[pair] > 0 for pair in pairs}}, ways), name="all hangs together"
    )
    return m, bridges


def sights(puzzle: GridPuzzle) -> Iterator[tuple[Cell, Cell]]:
    """The pairs of islands that see each other along a row or a column."""
    for island in puzzle.clues:
        for direction in ("right", "down"):
            seen = [cell for cell in puzzle.ray(island, direction) if cell in puzzle.clues]
            yield from ((island, other) for other in seen[:1])


def draw(puzzle: GridPuzzle, bridges: Any = None, solution: Any = None) -> Picture:
    """The puzzle, with the bridges of a solution."""
    return pictures.draw(puzzle, bridges={pair: solution[count] for pair, count in bridges.items()} if solution else {})


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE))

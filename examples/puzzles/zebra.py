"""Zebra: who lives where? Things of several kinds stand in a row of houses, one of each kind per house, and a few facts are known.

python examples/puzzles/zebra.py [FILE] [--svg FILE]

A file lists the kinds (`drinks: tea milk`) and the facts (`tea = blue`, `tea beside blue`, `tea right_of blue`, `tea at 3`), one per line.
"""

import sys
from typing import Any

import cpsolve as cp
from cpsolve.drawing import Picture, Tile, Wall
from cpsolve.puzzles.showing import show

# made by make.py
PUZZLE = """
houses: amber blue coral green white; people: Ada Boole Curry Dijkstra Euler; drinks: cocoa coffee milk tea water;
pets: cat dog goat snail zebra; music: cello drum flute harp oboe; green right_of Curry; amber beside zebra; amber beside goat;
cello right_of Dijkstra; coffee right_of oboe; dog beside flute; cat beside cocoa; coral right_of Boole; tea right_of zebra;
Ada right_of harp; cocoa = zebra; harp right_of white; flute beside green; coffee right_of Curry; flute = milk
"""
# A statement that goes round among solvers (as in the PyCSP3 models): it sounds like a puzzle, and count() tells that 48 answers fit it.
LOOSE = """
colours: yellow green red white blue; people: Italian Spaniard Japanese Englishman Norwegian; pets: cat zebra bear snails horse
drinks: milk water tea coffee juice; trades: painter sculptor diplomat pianist doctor; painter = horse; diplomat = coffee; milk = white
Spaniard = painter; Englishman = red; snails = sculptor; red right_of green; Norwegian right_of blue; doctor = milk; diplomat = Japanese
Norwegian = zebra; green beside white; horse beside diplomat
"""
Facts = tuple[dict[str, list[str]], list[list[str]]]


def read(text: str) -> Facts:
    """The things of each kind, and the facts as three words each."""
    lines = [line.split() for line in text.replace(";", "\n").splitlines() if line.strip()]
    kinds = {line[0][:-1]: line[1:] for line in lines if line[0].endswith(":")}
    facts = [line for line in lines if not line[0].endswith(":")]
    known = {"at": {"1", "2", "3", "4", "5"}, **dict.fromkeys(("=", "beside", "right_of"), set().union(*kinds.values()))}
    for fact in facts:
        if len(fact) != 3 or fact[0] not in known["="] or fact[2] not in known.get(fact[1], ()):
            raise cp.FormatError(f"expected a fact such as `tea beside blue` about things that are listed, got {' '.join(fact)!r}")
    return kinds, facts


def model(puzzle: Facts) -> tuple[cp.Model, Any]:
    """The model, and the house of each thing, from 1."""
    kinds, facts = puzzle
    m = cp.Model("zebra")
    house: dict[str, Any] = {thing: m.int_var(1, len(things), thing) for things in kinds.values() for thing in things}
    for kind, things in kinds.items():
        m.add(cp.all_different([house[thing] for thing in things]), name=f"{kind} differ")
    for one, relation, other in facts:
        away = house[one] - (int(other) if relation == "at" else house[other])
        m.add(cp.absolute(away) == 1 if relation == "beside" else away == (relation == "right_of"), name=f"{one} {relation} {other}")
    return m, house


def draw(puzzle: Facts, house: Any = None, solution: Any = None) -> Picture:
    """The houses from left to right, with what each has in a solution."""
    kinds, facts = puzzle
    columns = max(map(len, kinds.values()))
    tiles = {(place, row): Tile() for row in range(len(kinds)) for place in range(columns)}
    for row, things in enumerate(kinds.values() if solution else ()):
        tiles.update({(solution[house[thing]] - 1, row): Tile(label=thing) for thing in things})
    walls = [Wall((x, 0), (x, len(kinds))) for x in range(columns + 1)] + [Wall((0, y), (columns, y)) for y in (0, len(kinds))]
    words = () if solution else ("; ".join(map(" ".join, facts)),)
    return Picture("zebra", columns, len(kinds), tiles, walls=tuple(walls), ground="paper", captions=words)


if __name__ == "__main__":
    sys.exit(show(model, draw, PUZZLE, read))

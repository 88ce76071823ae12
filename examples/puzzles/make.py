"""Makes the puzzles of this folder: draws a solution by chance, tells what can be seen of it, and keeps it if that has one answer only.

python -m examples.puzzles.make [NAME ...] [--seed N]

Where clues can be left out, they are, as long as the answer stays the only one.
"""

from __future__ import annotations

import argparse
import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import cpsolve as cp
from cpsolve.limits import Deadline
from cpsolve.puzzles import links
from cpsolve.puzzles.boards import DIRECTIONS, Cell, GridPuzzle
from cpsolve.puzzles.generate import Draft, found, generate
from cpsolve.puzzles.showing import variables_in
from examples.puzzles import (
    akari,
    fillomino,
    hashi,
    heyawake,
    hitori,
    kakuro,
    killer,
    knights_tour,
    masyu,
    nonogram,
    nurikabe,
    shikaku,
    skyscrapers,
    slitherlink,
    star_battle,
    sudoku,
    tents,
    yajilin,
    zebra,
)

Chance = random.Random


def is_puzzle(example: Any, puzzle: Any) -> bool:
    """Whether there is exactly one answer."""
    m, x = example.model(puzzle)
    return bool(m.unique(variables_in(x)))


def thinned(example: Any, puzzle: GridPuzzle, chance: Chance, blank: bool = False) -> GridPuzzle:
    """The puzzle without the clues that it can do without (or, if ``blank``, without their numbers)."""
    for cell in chance.sample(sorted(puzzle.clues), len(puzzle.clues)):
        fewer = {**puzzle.clues, cell: None} if blank else {other: clue for other, clue in puzzle.clues.items() if other != cell}
        if is_puzzle(example, replace(puzzle, clues=fewer)):
            puzzle = replace(puzzle, clues=fewer)
    return puzzle


def first(example: Any, make: Callable[[], Any]) -> Any:
    """The first of many that has exactly one answer."""
    while True:
        puzzle = make()
        if puzzle is not None and is_puzzle(example, puzzle):
            return puzzle


def draw(model: cp.Model, chance: Chance) -> cp.Solution:
    """A solution that is found from a random start."""
    return found(model, chance, Deadline(None))


def random_loop(rows: int, columns: int, lengths: range, chance: Chance) -> list[tuple[Cell, Cell]]:
    """A loop of so many lines on a grid of points."""
    m = cp.Model("loop")
    edges = cp.grid_edges(m, rows, columns)
    m.add(cp.loop(edges))
    length = sum(variable for _, _, variable in edges.triples)
    m.add([length >= lengths[0], length <= lengths[-1]])
    return edges.chosen(draw(m, chance))


def neighbours(puzzle: GridPuzzle, cell: Cell) -> list[Cell]:
    """The cells beside a cell."""
    near = [(cell[0] + down, cell[1] + right) for down, right in DIRECTIONS.values()]
    return [other for other in near if other in puzzle]


def grown_regions(puzzle: GridPuzzle, roots: list[Cell], chance: Chance) -> tuple[tuple[int, ...], ...]:
    """Regions that grow from their roots, cell by cell, until the board is full."""
    region = {root: number for number, root in enumerate(roots)}
    while len(region) < puzzle.rows * puzzle.columns:
        cell, other = chance.choice([(cell, other) for cell in region for other in neighbours(puzzle, cell) if other not in region])
        region[other] = region[cell]
    return tuple(tuple(region[row, column] for column in range(puzzle.columns)) for row in range(puzzle.rows))


# -- one function per puzzle


def make_sudoku(chance: Chance) -> str:
    """Numbers are dropped while the answer stays the only one."""

    def draft(_: Chance) -> Draft:
        m, x = sudoku.model(GridPuzzle("sudoku", 9, 9))
        return Draft(m, clues=x)

    made = generate(draft, seed=chance.randrange(1000))
    given = {variable: made.solution[variable] for variable in made.clues}
    _, x = sudoku.model(GridPuzzle("sudoku", 9, 9))
    cells = {str(x[cell]): cell for cell in product(range(9), range(9))}
    return links.write(GridPuzzle("sudoku", 9, 9, {cells[str(variable)]: value for variable, value in given.items()}))


def make_killer(chance: Chance) -> str:
    """Cages over the answer of a Sudoku: neighbours are joined, by chance, as long as a cage has no number twice."""
    m, x = sudoku.model(GridPuzzle("sudoku", 9, 9))
    values = draw(m, chance)[x]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def cages() -> GridPuzzle | None:
        board = GridPuzzle("killer", 9, 9)
        cage = {cell: [cell] for cell in board.cells}
        for cell in chance.sample(list(board.cells) * 2, 162):
            other = cage[chance.choice(neighbours(board, cell))]
            both = cage[cell] + other
            if other is not cage[cell] and len(both) <= 3 and len({values[each] for each in both}) == len(both):
                cage.update(dict.fromkeys(both, both))
        labels = tuple(tuple(min(cage[r, c])[0] * 9 + min(cage[r, c])[1] for c in range(9)) for r in range(9))
        puzzle = replace(board, regions=labels)
        rooms = puzzle.rooms()
        sums = {room[0]: int(sum(values[cell] for cell in room)) for room in rooms}
        return replace(puzzle, clues=sums) if len(rooms) <= len(letters) else None

    puzzle = first(killer, cages)
    names = {room[0]: letters[number] for number, room in enumerate(puzzle.rooms())}
    by_cell = {cell: names[room[0]] for room in puzzle.rooms() for cell in room}
    rows = ["".join(by_cell[row, column] for column in range(9)) for row in range(9)]
    sums = [f"{names[cell]} {total}" for cell, total in puzzle.clues.items()]
    return "\n".join([*rows, *textwrap.wrap(" ".join(sums), 130)])


def make_kakuro(chance: Chance) -> str:
    """Digits for a pattern of dark cells that is the same upside down, and their sums."""

    def filled() -> GridPuzzle | None:
        size = 5
        dark = {cell for cell in product(range(size), range(size)) if chance.random() < 0.2}
        dark |= {(size - 1 - row, size - 1 - column) for row, column in dark}
        empty = GridPuzzle("kakuro", size, size, dict.fromkeys(dark, (None, None)), outside={"top": (None,) * size, "left": (None,) * size})
        starts = list(kakuro.sums(empty))
        runs = [until_dark(empty, start, way) for start, way, _ in starts]
        if any(len(run) == 1 or len(run) > 4 for run in runs) or len(dark) > 11:
            return None
        m, x = kakuro.model(empty)
        answer = draw(m, chance)
        sums = [sum(answer[x[cell]] for cell in run) or None for run in runs]
        told = {(start, way): total for (start, way, _), total in zip(starts, sums, strict=True)}
        return GridPuzzle(
            "kakuro",
            size,
            size,
            {cell: (told[cell, "down"], told[cell, "right"]) for cell in empty.clues},
            outside={
                "top": tuple(told[(-1, column), "down"] for column in range(size)),
                "left": tuple(told[(row, -1), "right"] for row in range(size)),
            },
        )

    return links.write(first(kakuro, filled))


def until_dark(puzzle: GridPuzzle, start: Cell, way: str) -> list[Cell]:
    """The cells from a place to the next dark one."""
    run = []
    for cell in puzzle.ray(start, way):
        if cell in puzzle.clues:
            break
        run.append(cell)
    return run


def make_slitherlink(chance: Chance) -> str:
    """The numbers of a long loop."""
    size = 8
    loop = {frozenset(edge) for edge in random_loop(size + 1, size + 1, range(50, 51), chance)}
    clues = {}
    for row, column in product(range(size), range(size)):
        corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
        clues[row, column] = sum(frozenset((corners[i - 1], corners[i])) in loop for i in range(4))
    return links.write(thinned(slitherlink, first_of(slitherlink, GridPuzzle("slitherlink", size, size, clues)), chance))


def first_of(example: Any, puzzle: GridPuzzle) -> GridPuzzle:
    """The puzzle itself; RuntimeError if all its clues are not enough."""
    if not is_puzzle(example, puzzle):
        raise RuntimeError("all clues together have several answers: try another seed")
    return puzzle


def make_masyu(chance: Chance) -> str:
    """All circles that a loop allows, then as few as are needed."""

    def circles() -> GridPuzzle:
        size = 6
        lines = random_loop(size, size, range(28, 33), chance)
        steps: dict[Cell, set[Cell]] = {}
        for one, other in lines:
            steps.setdefault(one, set()).add((other[0] - one[0], other[1] - one[1]))
            steps.setdefault(other, set()).add((one[0] - other[0], one[1] - other[1]))
        straight = {cell: sum(down for down, _ in ways) == 0 == sum(right for _, right in ways) for cell, ways in steps.items()}
        clues = {}
        for cell, ways in steps.items():
            beside = [straight[cell[0] + down, cell[1] + right] for down, right in ways]
            if straight[cell] and not all(beside):
                clues[cell] = "white"
            elif not straight[cell] and all(beside):
                clues[cell] = "black"
        return GridPuzzle("masyu", size, size, clues)

    return links.write(thinned(masyu, first(masyu, circles), chance))


def make_yajilin(chance: Chance) -> str:
    """A long loop; what it leaves out is shaded or gets an arrow."""

    def arrows() -> GridPuzzle:
        size = 8
        board = GridPuzzle("yajilin", size, size)
        passed = {cell for line in random_loop(size, size, range(38, 39), chance) for cell in line}
        rest = chance.sample([cell for cell in board.cells if cell not in passed], size * size - len(passed))
        shaded: set[Cell] = set()
        for cell in rest:
            if not shaded.intersection(neighbours(board, cell)) and chance.random() < 0.8:
                shaded.add(cell)
        clues = {}
        for cell in rest:
            if cell not in shaded:
                way = max(DIRECTIONS, key=lambda way: (len(board.ray(cell, way)), chance.random()))
                clues[cell] = (way, len(shaded.intersection(board.ray(cell, way))))
        return replace(board, clues=clues)

    return links.write(first(yajilin, arrows))


def make_heyawake(chance: Chance) -> str:
    """Rooms that are rectangles, and the numbers of an answer that they allow."""

    def rooms() -> GridPuzzle | None:
        size = 8
        board = GridPuzzle("heyawake", size, size, regions=rectangles(size, chance, 6))
        m, shaded = heyawake.model(board)
        if not m.solve().solution:
            return None
        answer = draw(m, chance)
        return replace(board, clues={room[0]: sum(answer[shaded[cell]] for cell in room) for room in board.rooms()})

    return links.write(first(heyawake, rooms))


def rectangles(size: int, chance: Chance, most: int) -> tuple[tuple[int, ...], ...]:
    """A board cut into rectangles of at most so many cells."""
    label: dict[Cell, int] = {}
    for row, column in product(range(size), range(size)):
        if (row, column) in label:
            continue
        fits = []
        for height, width in product(range(1, most + 1), range(1, most + 1)):
            cells = set(product(range(row, row + height), range(column, column + width)))
            if len(cells) <= most and not cells & set(label) and max(map(max, cells)) < size:
                fits += [cells] * len(cells)
        label.update(dict.fromkeys(chance.choice(fits), len(set(label.values()))))
    return tuple(tuple(label[row, column] for column in range(size)) for row in range(size))


def make_nurikabe(chance: Chance) -> str:
    """A sea that hangs together without squares, and the sizes of the islands in it."""
    size = 7
    grid = cp.grid(size, size)
    m = cp.Model("sea")
    sea = m.bool_vars((size, size))
    m.add(cp.connected(sea, grid))
    for row, column in product(range(size - 1), range(size - 1)):
        square = sea[row : row + 2, column : column + 2].sum()
        m.add(cp.all_of(square <= 3, square >= 1))

    def islands() -> GridPuzzle | None:
        board = GridPuzzle("nurikabe", size, size)
        answer = draw(m, chance)[sea]
        left = {cell for cell in board.cells if not answer[cell]}
        clues = {}
        while left:
            island = [min(left)]
            for cell in island:
                island += [other for other in neighbours(board, cell) if other in left and other not in island]
            left -= set(island)
            clues[chance.choice(island)] = len(island)
        return None if max(clues.values()) > 8 else replace(board, clues=clues)

    return links.write(first(nurikabe, islands))


def make_hitori(chance: Chance) -> str:
    """A Latin square in which shaded cells get a number that stands in their row or column anyway."""
    size = 6
    shading, shaded = hitori.model(GridPuzzle("hitori", size, size))
    shading.add(shaded.sum() >= size + 2)
    square = cp.Model("Latin square")
    x = square.int_vars((size, size), 1, size)
    for line in range(size):
        square.add([cp.all_different(x[line]), cp.all_different(x[:, line])])

    def numbers() -> GridPuzzle:
        dark, values = draw(shading, chance)[shaded], draw(square, chance)[x]
        clues = {}
        for row, column in product(range(size), range(size)):
            seen = [values[row, c] for c in range(size) if not dark[row, c]] + [
                values[r, column] for r in range(size) if not dark[r, column]
            ]
            clues[row, column] = int(chance.choice(seen) if dark[row, column] else values[row, column])
        return GridPuzzle("hitori", size, size, clues)

    return links.write(first(hitori, numbers))


def make_fillomino(chance: Chance) -> str:
    """Areas of different sizes, and then as few of their numbers as are needed."""
    size = 6
    board = GridPuzzle("fillomino", size, size)

    def areas() -> GridPuzzle | None:
        regions = grown_regions(board, chance.sample(list(board.cells), 11), chance)
        rooms = replace(board, regions=regions).rooms()
        number = {cell: len(room) for room in rooms for cell in room}
        label = {cell: room[0] for room in rooms for cell in room}
        touching = [(one, other) for one in board.cells for other in neighbours(board, one) if label[one] != label[other]]
        return (
            None
            if any(number[one] == number[other] for one, other in touching) or max(number.values()) > 7
            else replace(board, clues=number)
        )

    return links.write(thinned(fillomino, first(fillomino, areas), chance))


def make_hashi(chance: Chance) -> str:
    """Bridges are built from island to island."""

    def islands() -> GridPuzzle | None:
        board = GridPuzzle("hashi", 8, 8)
        degree = {(chance.randrange(8), chance.randrange(8)): 0}
        taken: set[Cell] = set()
        for _ in range(60):
            start = chance.choice(sorted(degree))
            ray = board.ray(start, chance.choice(list(DIRECTIONS)))[: chance.randint(2, 5)]
            if len(ray) < 2 or any(cell in degree or cell in taken for cell in ray) or any(n in degree for n in neighbours(board, ray[-1])):
                continue
            count = chance.choice([1, 1, 2])
            degree[start] += count
            degree[ray[-1]] = count
            taken.update(ray[:-1])
        return GridPuzzle("hashi", 8, 8, degree) if len(degree) > 13 and max(degree.values()) <= 8 else None

    return links.write(first(hashi, islands))


def make_shikaku(chance: Chance) -> str:
    """A board cut into rectangles, each with its size in one of its cells."""

    def cut() -> GridPuzzle:
        board = GridPuzzle("shikaku", 8, 8, regions=rectangles(8, chance, 10))
        return GridPuzzle("shikaku", 8, 8, {chance.choice(room): len(room) for room in board.rooms()})

    return links.write(first(shikaku, cut))


def make_akari(chance: Chance) -> str:
    """Walls that look the same upside down, and the numbers of lamps beside them, as few as are needed."""

    def walls() -> GridPuzzle | None:
        size = 8
        dark = {cell for cell in product(range(size), range(size)) if chance.random() < 0.13}
        dark |= {(size - 1 - row, size - 1 - column) for row, column in dark}
        board = GridPuzzle("akari", size, size, dict.fromkeys(dark))
        m, lamp = akari.model(board)
        if not m.solve().solution:
            return None
        answer = draw(m, chance)
        return replace(board, clues={c: sum(answer[lamp[n]] for n in neighbours(board, c) if n in lamp) for c in dark})

    return links.write(thinned(akari, first(akari, walls), chance, blank=True))


def make_star_battle(chance: Chance) -> str:
    """Regions that grow from the stars."""
    size = 7
    m, star = star_battle.model(GridPuzzle("star battle", size, size, number=1))

    def regions() -> GridPuzzle:
        answer = draw(m, chance)
        board = GridPuzzle("star battle", size, size, number=1)
        return replace(board, regions=grown_regions(board, [cell for cell in board.cells if answer[star[cell]]], chance))

    return links.write(first(star_battle, regions))


def make_skyscrapers(chance: Chance) -> str:
    """What one sees of a Latin square from all sides, as little as is needed."""
    size = 5
    m, x = skyscrapers.model(GridPuzzle("skyscrapers", size, size))
    while True:
        answer = draw(m, chance)[x]
        views = {"top": answer.T, "bottom": answer[::-1].T, "left": answer, "right": answer[:, ::-1]}
        told: dict[Any, Any] = {
            side: tuple(sum(line[i] > max(line[:i], default=0) for i in range(size)) for line in view) for side, view in views.items()
        }
        puzzle = GridPuzzle("skyscrapers", size, size, outside=told)
        if is_puzzle(skyscrapers, puzzle):
            break
    for side, line in chance.sample([(side, line) for side in told for line in range(size)], 4 * size):
        fewer = {**puzzle.outside, side: tuple(None if i == line else number for i, number in enumerate(puzzle.outside[side]))}
        if is_puzzle(skyscrapers, replace(puzzle, outside=fewer)):
            puzzle = replace(puzzle, outside=fewer)
    return links.write(puzzle)


def make_tents(chance: Chance) -> str:
    """Tents that do not touch, each with a tree beside it, and how many there are in every row and column."""

    def camp() -> GridPuzzle:
        size = 8
        board = GridPuzzle("tents", size, size)
        tents_, trees = set[Cell](), dict[Cell, str]()
        for row, column in chance.sample(list(board.cells), size * size):
            near = [n for n in neighbours(board, (row, column)) if n not in tents_ and n not in trees]
            around = {(row + down, column + right) for down, right in product((-1, 0, 1), repeat=2)}
            if near and (row, column) not in trees and not around & tents_ and len(tents_) < 12:
                tents_.add((row, column))
                trees[chance.choice(near)] = "tree"
        top = tuple(sum(c == column for _, c in tents_) for column in range(size))
        left = tuple(sum(r == row for r, _ in tents_) for row in range(size))
        return replace(board, clues=trees, outside={"top": top, "left": left})

    return links.write(first(tents, camp))


def make_nonogram(chance: Chance) -> str:
    """Chance dots, the same from left and right."""

    def blots() -> GridPuzzle:
        size = 8
        dark = {(row, column): chance.random() < 0.6 for row, column in product(range(size), range(size // 2))}
        dark |= {(row, size - 1 - column): value for (row, column), value in dark.items()}

        def runs(line: list[bool]) -> tuple[int, ...]:
            words = "".join("#" if value else " " for value in line).split()
            return tuple(map(len, words))

        top = tuple(runs([dark[row, column] for row in range(size)]) for column in range(size))
        left = tuple(runs([dark[row, column] for column in range(size)]) for row in range(size))
        return GridPuzzle("nonogram", size, size, outside={"top": top, "left": left})

    return links.write(first(nonogram, blots))


def make_zebra(chance: Chance) -> str:
    """Facts that are true of chance houses, as few as are needed."""
    kinds = {
        "houses": ["amber", "blue", "coral", "green", "white"],
        "people": ["Ada", "Boole", "Curry", "Dijkstra", "Euler"],
        "drinks": ["cocoa", "coffee", "milk", "tea", "water"],
        "pets": ["cat", "dog", "goat", "snail", "zebra"],
        "music": ["cello", "drum", "flute", "harp", "oboe"],
    }
    place = {thing: spot for things in kinds.values() for spot, thing in enumerate(chance.sample(things, 5), start=1)}
    apart = [(one, other) for one in place for other in place if not any({one, other} <= set(things) for things in kinds.values())]
    facts = [f"{one} = {other}" for one, other in apart if one < other and place[one] == place[other]]
    facts += [f"{one} beside {other}" for one, other in apart if one < other and abs(place[one] - place[other]) == 1]
    facts += [f"{one} right_of {other}" for one, other in apart if place[one] == place[other] + 1]
    facts = chance.sample(facts, 40)
    centre = next(thing for thing in kinds["drinks"] if place[thing] == 3)
    facts.append(f"{centre} at 3")
    text = "\n".join([*(f"{kind}: {' '.join(things)}" for kind, things in kinds.items()), *facts])
    m, house = zebra.model(zebra.read(text))
    entries = m.constraints[len(kinds) :]
    kept = m.minimal_clues({house[thing]: spot for thing, spot in place.items()}, list(entries), seed=chance.randrange(1000))
    said = [*(f"{kind}: {' '.join(things)}" for kind, things in kinds.items()), *(entry.name for entry in kept)]
    whole = [each.replace(" ", "\N{NO-BREAK SPACE}") for each in said]  # lines are broken between facts
    return "\n".join(textwrap.wrap("; ".join(whole), 130)).replace("\N{NO-BREAK SPACE}", " ")


def make_job_shop(chance: Chance) -> str:
    """Five jobs on five machines, each in an order of its own."""
    return "\n".join(" ".join(f"{machine} {chance.randint(1, 6)}" for machine in chance.sample(range(5), 5)) for _ in range(5))


def make_knights_tour(chance: Chance) -> str:
    """A tour of 6 × 6 squares, and as few of its moves as determine it."""

    def draft(_: Chance) -> Draft:
        m, move = knights_tour.model((board, []))
        return Draft(m, clues=[chosen == 1 for chosen in move.values()])

    board = GridPuzzle("knight's tour", 6, 6)
    made = generate(draft, seed=chance.randrange(1000))
    _, move = knights_tour.model((board, []))
    names = {f"{chosen} == 1": pair for pair, chosen in move.items()}
    told = [names[str(clue)] for clue in made.clues]
    return "6 6 " + " ".join(f"{knights_tour.square(board, one)}-{knights_tour.square(board, other)}" for one, other in told)


MAKERS = {name.removeprefix("make_"): made for name, made in list(globals().items()) if name.startswith("make_")}
SEED = 1
"""The seed of the puzzles in this folder."""


def write(name: str, puzzle: str) -> None:
    """Puts a puzzle into its script."""
    script = Path(__file__).with_name(f"{name}.py")
    literal = f'"""\n{puzzle}\n"""' if name in ("killer", "zebra", "job_shop") else f'"{puzzle}"'
    pattern = re.compile(r'^PUZZLE = (""".*?"""|".*?")', re.MULTILINE | re.DOTALL)
    text = pattern.sub(lambda _: f"PUZZLE = {literal}", script.read_text(encoding="utf-8"), count=1)
    script.write_text(text, encoding="utf-8")


def main() -> None:
    """Prints the puzzles with these names, or all; with ``--write`` they become those of the scripts."""
    parser = argparse.ArgumentParser(description="Makes puzzles, each with exactly one answer.")
    parser.add_argument("names", nargs="*", choices=[[], *MAKERS], default=[])
    parser.add_argument("--seed", type=int, default=SEED, help="another seed makes other puzzles")
    parser.add_argument("--write", action="store_true", help="write them into the scripts")
    options = parser.parse_args()
    for name in options.names or MAKERS:
        puzzle = MAKERS[name](random.Random(options.seed))
        print(f"{name} (seed {options.seed})", puzzle, sep="\n", flush=True)
        if options.write:
            write(name, puzzle)


if __name__ == "__main__":
    main()

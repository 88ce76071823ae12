"""The puzzles of the gallery: their models against brute force with the rules written anew, and their instances."""

from __future__ import annotations

import importlib
import random
import re
import runpy
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import examples.puzzles
from cpsolve import FormatError
from cpsolve.drawing import BLUE, Picture
from cpsolve.puzzles import links, pictures
from cpsolve.puzzles.boards import DIRECTIONS, Cell, GridPuzzle
from cpsolve.puzzles.showing import show, variables_in
from examples.puzzles import fillomino, heyawake, job_shop, knights_tour, make, masyu, nurikabe, yajilin, zebra

Lines = frozenset[frozenset[Cell]]


# -- the rules, written without models


def around(puzzle: GridPuzzle, cell: Cell) -> list[Cell]:
    near = [(cell[0] + down, cell[1] + right) for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return [other for other in near if 0 <= other[0] < puzzle.rows and 0 <= other[1] < puzzle.columns]


def parts(puzzle: GridPuzzle, cells: Set[Cell]) -> list[set[Cell]]:
    """The connected parts of some cells."""
    left, found = set(cells), []
    while left:
        part, queue = set(), [left.pop()]
        while queue:
            cell = queue.pop()
            part.add(cell)
            near = [other for other in around(puzzle, cell) if other in left]
            left.difference_update(near)
            queue += near
        found.append(part)
    return found


def is_one_loop(lines: Lines) -> bool:
    """Whether one walks from line to line through all of them and comes back."""
    if not lines:
        return False
    at: dict[Cell, list[Cell]] = {}
    for line in lines:
        one, other = line
        at.setdefault(one, []).append(other)
        at.setdefault(other, []).append(one)
    if any(len(ends) != 2 for ends in at.values()):
        return False
    start = before = next(iter(at))
    here, walked = at[start][0], 1
    while here != start:
        before, here = here, next(cell for cell in at[here] if cell != before)
        walked += 1
    return walked == len(lines)


def steps_at(lines: Lines, cell: Cell) -> set[Cell]:
    """The steps from a cell along the lines."""
    ends = [other for line in lines if cell in line for other in line if other != cell]
    return {(row - cell[0], column - cell[1]) for row, column in ends}


def is_straight(steps: set[Cell]) -> bool:
    return steps in ({(0, 1), (0, -1)}, {(1, 0), (-1, 0)})


def masyu_holds(puzzle: GridPuzzle, lines: Lines) -> bool:
    if not is_one_loop(lines):
        return False
    for cell, colour in puzzle.clues.items():
        here = steps_at(lines, cell)
        beside = [is_straight(steps_at(lines, (cell[0] + down, cell[1] + right))) for down, right in here]
        if len(here) != 2 or not (not is_straight(here) and all(beside) if colour == "black" else is_straight(here) and not all(beside)):
            return False
    return True


def no_neighbours(puzzle: GridPuzzle, shaded: Set[Cell]) -> bool:
    return not any(other in shaded for cell in shaded for other in around(puzzle, cell))


def seen(way: str, one: Cell, other: Cell) -> bool:
    """Whether a cell lies in a direction from another."""
    if way in ("up", "down"):
        return one[1] == other[1] and (other[0] < one[0] if way == "up" else other[0] > one[0])
    return one[0] == other[0] and (other[1] < one[1] if way == "left" else other[1] > one[1])


def yajilin_holds(puzzle: GridPuzzle, answer: tuple[Set[Cell], Lines]) -> bool:
    shaded, lines = answer
    passed = {cell for line in lines for cell in line}
    every = set(product(range(puzzle.rows), range(puzzle.columns)))
    if not is_one_loop(lines) or not no_neighbours(puzzle, shaded) or passed & shaded or passed | shaded != every - set(puzzle.clues):
        return False
    return all(sum(seen(way, cell, other) for other in shaded) == number for cell, (way, number) in puzzle.clues.items())


def heyawake_holds(puzzle: GridPuzzle, shaded: Set[Cell]) -> bool:
    every = set(product(range(puzzle.rows), range(puzzle.columns)))
    if not no_neighbours(puzzle, shaded) or len(parts(puzzle, every - shaded)) > 1:
        return False
    for (row, column), number in puzzle.clues.items():
        room = puzzle.regions[row][column]
        if sum(puzzle.regions[r][c] == room for r, c in shaded) != number:
            return False
    for row, column in every - shaded:
        for down, right in ((1, 0), (0, 1)):
            rooms, cell = [puzzle.regions[row][column]], (row + down, column + right)
            while cell in every - shaded:
                if puzzle.regions[cell[0]][cell[1]] != rooms[-1]:
                    rooms.append(puzzle.regions[cell[0]][cell[1]])
                cell = (cell[0] + down, cell[1] + right)
            if len(rooms) > 2:
                return False
    return True


def nurikabe_holds(puzzle: GridPuzzle, clear: Set[Cell]) -> bool:
    sea = set(product(range(puzzle.rows), range(puzzle.columns))) - clear
    if len(parts(puzzle, sea)) > 1 or any({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} <= sea for r, c in sea):
        return False
    islands = parts(puzzle, clear)
    if not set(puzzle.clues) <= clear or len(islands) != len(puzzle.clues):
        return False
    return all(
        len(island & set(puzzle.clues)) == 1 and puzzle.clues[min(island & set(puzzle.clues))] in (None, len(island)) for island in islands
    )


def fillomino_holds(puzzle: GridPuzzle, numbers: dict[Cell, int]) -> bool:
    if any(number not in (None, numbers[cell]) for cell, number in puzzle.clues.items()):
        return False
    for number in set(numbers.values()):
        if any(len(part) != number for part in parts(puzzle, {cell for cell in numbers if numbers[cell] == number})):
            return False
    return True


# -- answers in plain values, from models and by brute force


def chosen(edges: Any, solution: Any) -> Lines:
    return frozenset(frozenset((one, other)) for one, other, variable in edges.triples if solution[variable])


def marked(cells: Any, solution: Any) -> frozenset[Cell]:
    values = solution[cells]
    return frozenset((int(r), int(c)) for r, c in zip(*values.nonzero(), strict=True))


def subsets(items: list[Any]) -> Iterator[frozenset[Any]]:
    for choice in product((False, True), repeat=len(items)):
        yield frozenset(item for item, taken in zip(items, choice, strict=True) if taken)


def cells_of(rows: int, columns: int) -> list[Cell]:
    return list(product(range(rows), range(columns)))


@cache
def all_loops(rows: int, columns: int) -> list[Lines]:
    board = GridPuzzle("", rows, columns)
    lines = sorted({frozenset((cell, other)) for cell in board.cells for other in around(board, cell)}, key=sorted)
    return [chosen for chosen in subsets(lines) if is_one_loop(chosen)]


def rest_of(puzzle: GridPuzzle, lines: Lines) -> set[Cell]:
    """The cells without a clue that a loop leaves out."""
    return {cell for cell in puzzle.cells if cell not in puzzle.clues and not any(cell in line for line in lines)}


def random_regions(rows: int, columns: int, chance: random.Random) -> tuple[tuple[int, ...], ...]:
    """Connected regions: cells join those of a neighbour, or begin one."""
    regions = [[0] * columns for _ in range(rows)]
    count = 0
    for row, column in product(range(rows), range(columns)):
        near = [regions[row - 1][column]] * (row > 0) + [regions[row][column - 1]] * (column > 0)
        if near and chance.random() < 0.6:
            regions[row][column] = chance.choice(near)
        else:
            regions[row][column] = count
            count += 1
    return tuple(map(tuple, regions))


def few(items: Iterable[Any], chance: random.Random) -> list[Any]:
    listed = list(items)
    return chance.sample(listed, min(len(listed), chance.randint(1, 3)))


# -- models against brute force: clues that are true of some answer, and all answers that they have


SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loops_of_masyu_are_those_that_brute_force_finds(seed: int) -> None:
    chance = random.Random(seed)
    loops = all_loops(3, 4)
    hidden = chance.choice(loops)
    circles = [(cell, colour) for cell in cells_of(3, 4) for colour in ("black", "white")]
    true = [(cell, colour) for cell, colour in circles if masyu_holds(GridPuzzle("masyu", 3, 4, {cell: colour}), hidden)]
    puzzle = GridPuzzle("masyu", 3, 4, dict(few(true, chance)))
    m, lines = masyu.model(puzzle)
    found = {chosen(lines, solution) for solution in m.solutions()}
    assert found == {loop for loop in loops if masyu_holds(puzzle, loop)}
    assert hidden in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_of_yajilin_are_those_that_brute_force_finds(seed: int) -> None:
    chance = random.Random(seed)
    hidden = chance.choice([loop for loop in all_loops(3, 4) if len(loop) > 4])
    rest = [cell for cell in cells_of(3, 4) if not any(cell in line for line in hidden)]
    shaded = set(chance.sample(rest, len(rest) // 2))
    clear = [cell for cell in rest if cell not in shaded or any(other in shaded for other in around(GridPuzzle("", 3, 4), cell))]
    shaded -= set(clear)
    ways = {cell: chance.choice(list(DIRECTIONS)) for cell in clear}
    clues = {cell: (way, sum(seen(way, cell, other) for other in shaded)) for cell, way in ways.items()}
    puzzle = GridPuzzle("yajilin", 3, 4, clues)
    m, (cells, lines) = yajilin.model(puzzle)
    found = {(marked(cells, solution), chosen(lines, solution)) for solution in m.solutions()}
    every = [(frozenset(rest_of(puzzle, loop)), loop) for loop in all_loops(3, 4)]
    assert found == {answer for answer in every if yajilin_holds(puzzle, answer)}
    assert (frozenset(shaded), hidden) in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_of_heyawake_are_those_that_brute_force_finds(seed: int) -> None:
    chance = random.Random(seed)
    while True:
        rooms = GridPuzzle("heyawake", 3, 4, regions=random_regions(3, 4, chance))
        if every := [cells for cells in subsets(list(rooms.cells)) if heyawake_holds(rooms, cells)]:
            break
    hidden = chance.choice(every)
    clues = {room[0]: len(hidden & set(room)) for room in few(rooms.rooms(), chance)}
    puzzle = GridPuzzle("heyawake", 3, 4, clues, rooms.regions)
    m, shaded = heyawake.model(puzzle)
    found = {marked(shaded, solution) for solution in m.solutions()}
    assert found == {cells for cells in every if heyawake_holds(puzzle, cells)}
    assert hidden in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_of_nurikabe_are_those_that_brute_force_finds(seed: int) -> None:
    chance = random.Random(seed)
    board = GridPuzzle("nurikabe", 3, 4)
    while True:
        hidden = {cell for cell in board.cells if chance.random() < 0.5}
        clues = {chance.choice(sorted(island)): chance.choice([None, len(island)]) for island in parts(board, hidden)}
        puzzle = GridPuzzle("nurikabe", 3, 4, clues)
        if nurikabe_holds(puzzle, hidden):
            break
    m, island = nurikabe.model(puzzle)
    found = [marked(island, solution) for solution in m.solutions()]
    assert len(set(found)) == len(found)
    assert set(found) == {cells for cells in subsets(list(puzzle.cells)) if nurikabe_holds(puzzle, cells)}
    assert hidden in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_of_fillomino_are_those_that_brute_force_finds(seed: int) -> None:
    chance = random.Random(seed)
    every = [dict(zip(cells_of(2, 3), numbers, strict=True)) for numbers in product(range(1, 7), repeat=6)]
    valid = [numbers for numbers in every if fillomino_holds(GridPuzzle("fillomino", 2, 3), numbers)]
    hidden = chance.choice(valid)
    puzzle = GridPuzzle("fillomino", 2, 3, dict(few(hidden.items(), chance)))
    m, x = fillomino.model(puzzle)
    found = [dict(zip(puzzle.cells, solution[x].ravel().tolist(), strict=True)) for solution in m.solutions()]
    assert sorted(map(str, found)) == sorted(str(numbers) for numbers in valid if fillomino_holds(puzzle, numbers))
    assert hidden in found


# -- the instances: the solution is taken from the picture, and obeys the rules as they are written here

FOLDER = Path(examples.puzzles.__path__[0])
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "make")
GRIDS = [name for name in NAMES if name not in ("zebra", "job_shop", "knights_tour")]


@dataclass
class Drawn:
    """What stands on a picture, by cells."""

    picture: Picture
    puzzle: GridPuzzle

    def __post_init__(self) -> None:
        depth = {
            side: max((len(e) if isinstance(e, tuple) else e is not None for e in row), default=0)
            for side, row in self.puzzle.outside.items()
        }
        self.left, self.top = int(depth.get("left", 0)), int(depth.get("top", 0))
        self.tiles = {(row, column): self.picture.tiles[column + self.left, row + self.top] for row, column in self.puzzle.cells}

    @property
    def numbers(self) -> dict[Cell, int]:
        return {cell: int(tile.label) for cell, tile in self.tiles.items() if tile.label.isdigit()}

    @property
    def shaded(self) -> frozenset[Cell]:
        return frozenset(cell for cell, tile in self.tiles.items() if tile.fill == pictures.SHADE)

    def marked(self, name: str) -> frozenset[Cell]:
        return frozenset(cell for cell, tile in self.tiles.items() if pictures.ICONS[name] in tile.icons)

    @property
    def lines(self) -> Lines:
        return frozenset(frozenset((line.start[::-1], line.end[::-1])) for line in self.picture.lines)

    @property
    def fence(self) -> Lines:
        return frozenset(frozenset((wall.start[::-1], wall.end[::-1])) for wall in self.picture.walls if wall.colour == BLUE)

    def areas(self) -> list[set[Cell]]:
        """The parts into which thick walls cut the board."""
        walls = {(wall.start[::-1], wall.end[::-1]) for wall in self.picture.walls if wall.width == 3}
        left, found = set(self.puzzle.cells), []
        while left:
            part, queue = set(), [left.pop()]
            while queue:
                row, column = queue.pop()
                part.add((row, column))
                beside = {
                    (row, column + 1): ((row, column + 1), (row + 1, column + 1)),
                    (row, column - 1): ((row, column), (row + 1, column)),
                    (row + 1, column): ((row + 1, column), (row + 1, column + 1)),
                    (row - 1, column): ((row, column), (row, column + 1)),
                }
                near = [cell for cell, wall in beside.items() if cell in left and wall not in walls]
                left.difference_update(near)
                queue += near
            found.append(part)
        return found


def latin(numbers: Mapping[Cell, int], puzzle: GridPuzzle) -> bool:
    wanted = list(range(1, puzzle.rows + 1))
    rows = [[numbers.get((r, c)) for c in range(puzzle.columns)] for r in range(puzzle.rows)]
    return all(sorted(number or 0 for number in line) == wanted for line in [*rows, *zip(*rows, strict=True)])


def boxes(numbers: Mapping[Cell, int]) -> bool:
    return all(len({numbers[r + i, c + j] for i in range(3) for j in range(3)}) == 9 for r in (0, 3, 6) for c in (0, 3, 6))


def sudoku_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    numbers = drawn.numbers
    return latin(numbers, puzzle) and boxes(numbers) and all(numbers[cell] == number for cell, number in puzzle.clues.items())


def killer_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    cages: dict[int, list[int]] = {}
    for (row, column), number in drawn.numbers.items():
        cages.setdefault(puzzle.regions[row][column], []).append(number)
    sums = {puzzle.regions[row][column]: total for (row, column), total in puzzle.clues.items()}
    fair = all(len(set(cage)) == len(cage) and sum(cage) == sums[name] for name, cage in cages.items())
    return fair and len(sums) == len(cages) and latin(drawn.numbers, puzzle) and boxes(drawn.numbers)


def kakuro_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    numbers = {cell: number for cell, number in drawn.numbers.items() if cell not in puzzle.clues}
    if len(numbers) + len(puzzle.clues) != puzzle.rows * puzzle.columns or not set(numbers.values()) <= set(range(1, 10)):
        return False
    told = {(cell, way): clue[way == "right"] for cell, clue in puzzle.clues.items() for way in ("down", "right")}
    told |= {((-1, column), "down"): total for column, total in enumerate(puzzle.outside["top"])}
    told |= {((row, -1), "right"): total for row, total in enumerate(puzzle.outside["left"])}
    for ((row, column), way), total in told.items():
        run: list[int] = []
        while (step := (row + len(run) + 1, column) if way == "down" else (row, column + len(run) + 1)) in numbers:
            run.append(numbers[step])
        if len(set(run)) < len(run) or (total is not None and sum(run) != total) or (run and total is None):
            return False
    return True


def slitherlink_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    def sides(row: int, column: int) -> int:
        corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
        return sum(frozenset((corners[i - 1], corners[i])) in drawn.fence for i in range(4))

    return is_one_loop(drawn.fence) and all(sides(*cell) == number for cell, number in puzzle.clues.items())


def hitori_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    clear = set(puzzle.cells) - drawn.shaded
    pairs = [(one, other) for one in clear for other in clear if one < other and (one[0] == other[0] or one[1] == other[1])]
    differ = all(puzzle.clues[one] != puzzle.clues[other] for one, other in pairs)
    return differ and no_neighbours(puzzle, drawn.shaded) and len(parts(puzzle, clear)) == 1


def hashi_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    degree = dict.fromkeys(puzzle.clues, 0)
    joined = {island: {island} for island in puzzle.clues}
    covered: list[Cell] = []
    for line in drawn.picture.lines:
        one, other = line.start[::-1], line.end[::-1]
        degree[one] += 1 + line.double
        degree[other] += 1 + line.double
        both = joined[one] | joined[other]
        joined.update(dict.fromkeys(both, both))
        (r1, c1), (r2, c2) = sorted((one, other))
        covered += [(r, c) for r in range(r1, r2 + 1) for c in range(c1, c2 + 1)][1:-1]
    crossing = len(set(covered)) < len(covered) or set(covered) & set(puzzle.clues)
    return not crossing and degree == dict(puzzle.clues) and joined[min(puzzle.clues)] == set(puzzle.clues)


def shikaku_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    for area in drawn.areas():
        rows, columns = {row for row, _ in area}, {column for _, column in area}
        if len(area) != len(rows) * len(columns) or [puzzle.clues[cell] for cell in area if cell in puzzle.clues] != [len(area)]:
            return False
    return True


def akari_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    lamps = drawn.marked("lamp")
    lit = dict.fromkeys(set(puzzle.cells) - set(puzzle.clues), 0)
    for lamp in lamps:
        lit[lamp] += 1
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            cell = (lamp[0] + down, lamp[1] + right)
            while cell in lit:
                lit[cell] += 1
                cell = (cell[0] + down, cell[1] + right)
    told = all(number in (None, len(lamps.intersection(around(puzzle, wall)))) for wall, number in puzzle.clues.items())
    return told and all(lit.values()) and all(lit[lamp] == 1 for lamp in lamps)


def apart(cells: Set[Cell]) -> bool:
    return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 1 for a in cells for b in cells if a < b)


def star_battle_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    stars = drawn.marked("star")
    groups = [[row for row, _ in stars], [column for _, column in stars], [puzzle.regions[r][c] for r, c in stars]]
    wanted = [puzzle.rows, puzzle.columns, len({label for row in puzzle.regions for label in row})]
    counts = [Counter(group) for group in groups]
    even = all(len(count) == many and set(count.values()) == {puzzle.number} for count, many in zip(counts, wanted, strict=True))
    return even and apart(stars)


def skyscrapers_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    size, numbers = puzzle.rows, drawn.numbers
    if not latin(numbers, puzzle):
        return False
    sight = {
        "left": lambda i: [numbers[i, j] for j in range(size)],
        "right": lambda i: [numbers[i, j] for j in reversed(range(size))],
        "top": lambda i: [numbers[j, i] for j in range(size)],
        "bottom": lambda i: [numbers[j, i] for j in reversed(range(size))],
    }
    for side, told in puzzle.outside.items():
        for i, number in enumerate(told):
            if number is not None and number != len(set(accumulate(sight[side](i), max))):
                return False
    return True


def tents_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    tents = drawn.marked("tent")
    rows, columns = Counter(row for row, _ in tents), Counter(column for _, column in tents)
    told = [(rows[i], number) for i, number in enumerate(puzzle.outside["left"])]
    told += [(columns[i], number) for i, number in enumerate(puzzle.outside["top"])]
    pitched: dict[Cell, Cell] = {}

    def pitch(tree: Cell, tried: set[Cell]) -> bool:
        """Finds the tree a tent of its own, moving others to other tents."""
        for tent in around(puzzle, tree):
            if tent in tents and tent not in tried:
                tried.add(tent)
                if tent not in pitched or pitch(pitched[tent], tried):
                    pitched[tent] = tree
                    return True
        return False

    matched = all(pitch(tree, set()) for tree in puzzle.clues) and len(pitched) == len(tents) == len(puzzle.clues)
    return matched and apart(tents) and not tents & set(puzzle.clues) and all(number in (None, count) for count, number in told)


def nonogram_obeyed(puzzle: GridPuzzle, drawn: Drawn) -> bool:
    def runs(line: list[Cell]) -> tuple[int, ...]:
        return tuple(map(len, "".join("#" if cell in drawn.shaded else " " for cell in line).split()))

    rows = [runs([(r, c) for c in range(puzzle.columns)]) for r in range(puzzle.rows)]
    columns = [runs([(r, c) for r in range(puzzle.rows)]) for c in range(puzzle.columns)]
    return (tuple(columns), tuple(rows)) == (puzzle.outside["top"], puzzle.outside["left"])


OBEYED: dict[str, Callable[[GridPuzzle, Drawn], bool]] = {
    "sudoku": sudoku_obeyed,
    "killer": killer_obeyed,
    "kakuro": kakuro_obeyed,
    "slitherlink": slitherlink_obeyed,
    "masyu": lambda puzzle, drawn: masyu_holds(puzzle, drawn.lines),
    "yajilin": lambda puzzle, drawn: yajilin_holds(puzzle, (drawn.shaded, drawn.lines)),
    "heyawake": lambda puzzle, drawn: heyawake_holds(puzzle, drawn.shaded),
    "nurikabe": lambda puzzle, drawn: nurikabe_holds(puzzle, set(puzzle.cells) - drawn.shaded),
    "hitori": hitori_obeyed,
    "fillomino": lambda puzzle, drawn: fillomino_holds(puzzle, drawn.numbers),
    "hashi": hashi_obeyed,
    "shikaku": shikaku_obeyed,
    "akari": akari_obeyed,
    "star_battle": star_battle_obeyed,
    "skyscrapers": skyscrapers_obeyed,
    "tents": tents_obeyed,
    "nonogram": nonogram_obeyed,
}


def example(name: str) -> Any:
    return importlib.import_module(f"examples.puzzles.{name}")


@pytest.mark.parametrize("name", GRIDS)
def test_the_drawn_solution_obeys_the_rules_and_is_the_only_one(name: str) -> None:
    script = example(name)
    puzzle = getattr(script, "read", links.read)(script.PUZZLE)
    m, x = script.model(puzzle)
    solution = m.solve().solution
    assert OBEYED[name](puzzle, Drawn(script.draw(puzzle, x, solution), puzzle))
    assert not OBEYED[name](puzzle, Drawn(script.draw(puzzle), puzzle)), "the rules refuse an empty board"
    assert m.unique(variables_in(x))


@pytest.mark.parametrize("name", NAMES)
def test_a_script_prints_the_puzzle_the_solution_and_the_first_steps(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = FOLDER / f"{name}.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--svg", str(tmp_path / "solution.svg"), "--steps", "2"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    said = capsys.readouterr().out
    assert ended.value.code == 0, said
    if name != "job_shop":
        assert "This is the only solution." in said
        assert "1. " in said
        assert "because of" in said
    assert ElementTree.parse(tmp_path / "solution.svg").getroot().tag.endswith("svg")


def test_scripts_are_short() -> None:
    for name in NAMES:
        assert len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 70, name


def test_every_script_says_how_it_is_run() -> None:
    for name in NAMES:
        assert f"python examples/puzzles/{name}.py [" in (FOLDER / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["hashi", "job_shop", "nonogram", "shikaku", "tents"])
def test_a_puzzle_is_the_one_that_its_maker_makes_for_its_seed(name: str) -> None:
    made = make.MAKERS[name](random.Random(make.SEED))
    assert made == example(name).PUZZLE.strip()


# -- the three that are on no grid of clues


def test_the_zebra_has_one_answer_that_fits_every_fact_and_the_loose_statement_has_48() -> None:
    kinds, facts = zebra.read(zebra.PUZZLE)
    m, house = zebra.model((kinds, facts))
    picture = zebra.draw((kinds, facts), house, m.solve().solution)
    spot = {tile.label: column for (column, _), tile in picture.tiles.items()}
    assert sorted(spot) == sorted(thing for things in kinds.values() for thing in things)
    for one, relation, other in facts:
        away = spot[one] - (int(other) - 1 if relation == "at" else spot[other])
        assert away in {"=": (0,), "at": (0,), "beside": (1, -1), "right_of": (1,)}[relation]
    assert m.count() == 1
    assert zebra.model(zebra.read(zebra.LOOSE))[0].count() == 48


def test_no_machine_works_on_two_jobs_and_the_end_is_proven() -> None:
    jobs = job_shop.read(job_shop.PUZZLE)
    m, tasks = job_shop.model(jobs)
    result = m.solve(workers=1)
    assert result.solution is not None
    assert result.bound == result.objective
    starts = [[result.solution[task.start] for task in job] for job in tasks]
    busy: set[tuple[int, int]] = set()
    for job, when in zip(jobs, starts, strict=True):
        free = 0
        for (machine, duration), start in zip(job, when, strict=True):
            assert start >= free
            free = start + duration
            span = {(machine, time) for time in range(start, free)}
            assert not busy & span
            busy |= span
    assert max(time for _, time in busy) + 1 == result.objective
    assert {(row, column) for (column, row), tile in job_shop.draw(jobs, tasks, result.solution).tiles.items() if tile.label} == busy


def test_the_knight_comes_everywhere_once_and_back_and_makes_the_moves_that_are_told() -> None:
    board, told = knights_tour.read(knights_tour.PUZZLE)
    m, move = knights_tour.model((board, told))
    picture = knights_tour.draw((board, told), move, m.solve().solution)
    place = {int(tile.label): (row, column) for (column, row), tile in picture.tiles.items()}
    assert sorted(place) == list(range(1, 37))
    walk = [place[number] for number in sorted(place)]
    hops = [frozenset(hop) for hop in zip(walk, [*walk[1:], walk[0]], strict=True)]
    assert all({abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2} for a, b in map(tuple, hops))
    assert {frozenset(pair) for pair in told} <= set(hops)
    assert m.unique()


# -- pictures


def test_text_shows_fences_bridges_corners_and_what_stands_outside() -> None:
    fence = [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 0)), ((1, 0), (0, 0))]
    assert str(pictures.draw(GridPuzzle("slitherlink", 1, 2, {(0, 0): 4}), fence=fence)).split("\n") == ["┌───┐   ·", "│ 4 │", "└───┘   ·"]
    islands = GridPuzzle("hashi", 2, 3, {(0, 0): 3, (0, 2): 2, (1, 0): None})
    assert str(pictures.draw(islands, bridges={((0, 0), (0, 2)): 2, ((0, 0), (1, 0)): 1})).split("\n") == [
        "┌───────────┐",
        "│ 3═══════2 │",
        "│ │         │",
        "│ ?   ·   · │",
        "└───────────┘",
    ]
    cages = GridPuzzle("killer", 1, 2, {(0, 0): 12, (0, 1): 3}, ((0, 1),))
    assert str(pictures.draw(cages, numbers=[[9, 3]])).split("\n") == ["┌12───┬3────┐", "│  9  │  3  │", "└─────┴─────┘"]
    towers = GridPuzzle("skyscrapers", 1, 1, outside={"left": (1,), "top": (2,), "right": (3,), "bottom": (4,)})
    assert str(pictures.draw(towers)).split("\n") == ["      2", "    ┌───┐", "  1 │ · │ 3", "    └───┘", "      4"]


def test_svg_has_walls_double_lines_and_corners() -> None:
    islands = GridPuzzle("hashi", 1, 3, {(0, 0): 2, (0, 2): 2})
    single, double = (pictures.draw(islands, bridges={((0, 0), (0, 2)): count}).svg().count("<line") for count in (1, 2))
    assert (single, double) == (1, 2)
    assert ">12</text>" in pictures.draw(GridPuzzle("killer", 1, 1, {(0, 0): 12})).svg()
    walls = [pictures.draw(GridPuzzle("shikaku", 1, 2), areas=labels).svg().count("<path") for labels in ([[1, 1]], [[1, 2]])]
    assert walls[1] == walls[0] + 1


# -- what people bring


def run(name: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    script = example(name)
    code = show(script.model, script.draw, script.PUZZLE, getattr(script, "read", links.read), arguments=arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_link_or_a_file_is_solved_in_place_of_the_own_puzzle(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    link = "https://puzz.link/p?slither/5/5/cbcbcddad"
    (tmp_path / "mine.txt").write_text(f"{link}\n")
    by_link, by_file = (
        run("slitherlink", capsys, link, "--steps", "0"),
        run("slitherlink", capsys, str(tmp_path / "mine.txt"), "--steps", "0"),
    )
    assert by_link == by_file
    assert by_link[0] == 0
    assert "This is the only solution." in by_link[1]


def test_contradictory_givens_are_named_and_end_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = run("sudoku", capsys, links.write(GridPuzzle("sudoku", 4, 4, {(0, 0): 1, (0, 3): 1, (2, 2): 4})))
    assert code == 1
    assert said.split("cannot all hold:")[1].split("\n")[1:4] == ["  row 1", "  given 1 in r1c1", "  given 1 in r1c4"]


def test_several_solutions_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, said, _ = run("sudoku", capsys, "sudoku/4/4/v")
    assert (code, "There are other solutions." in said) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["slither/5/5/cb"], "line 1, column 15: the link ends after 6 of 25 places"),
        (["nurikabe/5/5/g5k2o1k3g"], "this solves slitherlink, and the link shows nurikabe"),
        (["no such file"], "cannot read 'no such file' (No such file or directory): give a link"),
    ],
)
def test_bad_input_is_told_and_ends_with_2(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = run("slitherlink", capsys, *arguments)
    assert code == 2
    assert words in said


def test_a_time_limit_that_is_over_ends_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = run("slitherlink", capsys, "--time-limit", "0")
    assert (code, "time limit" in said) == (3, True)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("killer", "abc", "nine rows of nine letters"),
        ("killer", "\n".join(["aaaaaaaaa"] * 9 + ["b 12"]), "expected a sum for each of the cages a, got b"),
        ("zebra", "pets: cat dog\ncat near dog", "expected a fact such as"),
        ("job_shop", "0 3 1", "expected pairs of a machine and a duration"),
        ("knights_tour", "six", "expected rows, columns and moves"),
    ],
)
def test_files_that_cannot_be_read_say_what_was_expected(name: str, text: str, words: str) -> None:
    with pytest.raises(FormatError, match=re.escape(words)):
        example(name).read(text)

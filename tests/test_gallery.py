"""The puzzles of the gallery: their models against brute force with the rules written anew, and their instances."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Set
from functools import cache
from itertools import product
from typing import Any

import pytest

from cpsolve.puzzles.boards import DIRECTIONS, Cell, GridPuzzle
from examples.puzzles import fillomino, heyawake, masyu, nurikabe, yajilin

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

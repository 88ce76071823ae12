"""Puzzles made for the comparison: a random answer is drawn, clues are read off it, and it is mended until it is the only one.

``python -m benchmarks.puzzle_instances`` makes them again and writes ``puzzle_instances.json``, where each has its seed; another version of
the solver, which draws the answers, may lead to other puzzles. A kind whose clues can be dropped one by one ends with none too many
(``Model.minimal_clues``). Where they cannot (an island has its number) the answer is changed here and there as long as that leaves no more
cells undecided.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

import cpsolve as cp
from benchmarks.puzzle_models import KINDS, STEPS

KEPT = Path(__file__).parent / "puzzle_instances.json"
Cell = tuple[int, int]
Cells = set[Cell]


@dataclass(frozen=True)
class Instance:
    """A puzzle with one solution: its words row by row, and the seed that it was made with."""

    kind: str
    rows: int
    columns: int
    seed: int
    text: tuple[str, ...]

    @property
    def words(self) -> list[list[str]]:
        """One word per cell."""
        return [row.split() for row in self.text]

    @property
    def size(self) -> str:
        """Rows × columns, as people write it: the width first."""
        return f"{self.columns}×{self.rows}"


SIZES: dict[str, list[tuple[int, int]]] = {
    "sudoku": [(4, 4), (9, 9), (16, 16)],
    "slitherlink": [(10, 10), (10, 18), (15, 25)],
    "masyu": [(10, 10), (10, 18), (15, 21)],
    "yajilin": [(8, 8), (10, 10), (13, 19)],
    "heyawake": [(8, 8), (12, 12), (15, 19)],
    "nurikabe": [(7, 7), (10, 10), (12, 19)],
    "fillomino": [(6, 6), (8, 8), (10, 10)],
}
"""Rows and columns of the puzzles of each kind."""


def instances() -> list[Instance]:
    """The puzzles as they were made and kept."""
    return [Instance(**{**entry, "text": tuple(entry["text"])}) for entry in json.loads(KEPT.read_text(encoding="utf-8"))]


def make(kind: str, rows: int, columns: int, seed: int = 1) -> Instance:
    """A puzzle with exactly one solution: of the first seed, from the given one on, that leads to one."""
    while True:
        words = MAKERS[kind](rows, columns, random.Random(f"{kind} {rows} {columns} {seed}"))
        if words is not None:
            assert KINDS[kind](words).unique()
            return Instance(kind, rows, columns, seed, tuple(" ".join(row) for row in words))
        seed += 1


# -- shapes


def around(cell: Cell) -> list[Cell]:
    """The four cells beside a cell, some perhaps off the board."""
    return [(cell[0] + i, cell[1] + j) for i, j in STEPS.values()]


def board(rows: int, columns: int) -> list[Cell]:
    """All cells, row by row."""
    return [(r, c) for r in range(rows) for c in range(columns)]


def hangs_together(cells: Cells) -> bool:
    """Whether one can walk from each cell to each other one."""
    return not cells or len(part(cells, next(iter(cells)))) == len(cells)


def part(cells: Cells, start: Cell) -> Cells:
    """The cells that can be reached from one of them."""
    found, queue = {start}, [start]
    for cell in queue:
        for other in around(cell):
            if other in cells and other not in found:
                found.add(other)
                queue.append(other)
    return found


def one_outline(inside: Cells, cell: Cell) -> bool:
    """Whether an area without holes that has one outline still has if a cell joins or leaves it: its ring is inside in one stretch."""
    ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    circle = [(cell[0] + i, cell[1] + j) in inside for i, j in ring]
    return sum(circle[i] != circle[i - 1] for i in range(8)) == 2 and any(circle[1::2]) and not all(circle[1::2])


def random_area(rows: int, columns: int, chance: random.Random) -> Cells:
    """Cells whose outline is one long loop: grown cell by cell from one, thin, without holes and without touching itself at a corner."""
    inside = {(chance.randrange(rows), chance.randrange(columns))}
    waiting = sorted(inside)
    while waiting:
        cell = waiting.pop(chance.randrange(len(waiting)))
        for r, c in chance.sample(around(cell), 4):
            if (r, c) in inside or not (0 <= r < rows and 0 <= c < columns) or not one_outline(inside, (r, c)):
                continue
            if sum(other in inside for other in around((r, c))) == 1 and chance.random() < 0.9:
                inside.add((r, c))
                waiting += [(r, c), cell]
    return inside


SIDES = {(-1, 0): ((0, 0), (0, 1)), (1, 0): ((1, 0), (1, 1)), (0, -1): ((0, 0), (1, 0)), (0, 1): ((0, 1), (1, 1))}
"""The corners at both ends of the side of a cell that looks each way."""


def outline(inside: Cells) -> set[frozenset[Cell]]:
    """The sides between cells inside and outside, as pairs of corners."""
    return {
        frozenset((r + down, c + right) for down, right in ends)
        for r, c in inside
        for (i, j), ends in SIDES.items()
        if (r + i, c + j) not in inside
    }


# -- clues that can be dropped one by one


def without_spare_clues(kind: str, full: list[list[str]], chance: random.Random) -> list[list[str]] | None:
    """The words with clues left out while the solution stays the only one; None if it never was."""
    model = KINDS[kind](full)
    if not model.unique():
        return None
    solution = model.solve().solution
    assert solution is not None
    told: list[object]
    if kind == "heyawake":  # one clue per room
        told = list(dict.fromkeys(word for row in full for word in row))
    else:
        told = [(r, c) for r, row in enumerate(full) for c, word in enumerate(row) if word != "."]
    entries = model.constraints[-len(told) :]
    needed = set(model.minimal_clues(solution, entries, seed=chance.randrange(2**31)))
    spare = {clue for clue, entry in zip(told, entries, strict=True) if entry not in needed}
    if kind == "heyawake":
        return [[word.partition(":")[0] if word in spare else word for word in row] for row in full]
    return [["." if (r, c) in spare else word for c, word in enumerate(row)] for r, row in enumerate(full)]


def make_sudoku(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """A filled square, most of whose digits are left out."""
    empty = KINDS["sudoku"]([["."] * columns] * rows)
    empty.hint({variable: chance.randint(1, rows) for variable in empty.variables})
    solution = empty.solve(backend="sat").solution
    assert solution is not None
    digits = [str(solution[variable]) for variable in empty.variables]
    return without_spare_clues("sudoku", [digits[r * columns : (r + 1) * columns] for r in range(rows)], chance)


def make_slitherlink(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """A loop with the numbers of all cells, most of which are left out."""
    sides = outline(random_area(rows, columns, chance))
    numbers = []
    for r in range(rows):
        corners = [[(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)] for c in range(columns)]
        numbers.append([str(sum(frozenset((four[i], four[i - 1])) in sides for i in range(4))) for four in corners])
    return without_spare_clues("slitherlink", numbers, chance)


def make_fillomino(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """Regions of at most 9 cells, grown from single cells; most of their numbers are left out."""
    region = {cell: frozenset([cell]) for cell in board(rows, columns)}
    for _ in range(100 * rows * columns):
        cell = chance.choice(board(rows, columns))
        other = chance.choice(around(cell))
        if other not in region or region[other] is region[cell]:
            continue
        alike = len(region[other]) == len(region[cell])
        together = region[cell] | region[other]
        if len(together) <= 9 and (alike or chance.random() < 0.002):
            region.update(dict.fromkeys(together, together))
    if any(region[a] is not region[b] and len(region[a]) == len(region[b]) for a in region for b in around(a) if b in region):
        return None
    numbers = [[str(len(region[r, c])) for c in range(columns)] for r in range(rows)]
    return without_spare_clues("fillomino", numbers, chance)


# -- clues that belong to the answer


State = TypeVar("State")
PATIENCE = 2
"""Seconds for one answer, and for what all answers share: what takes longer is not looked for."""


def mended(
    state: State, undecided: Callable[[State], Cells], changed: Callable[[State, Cell], State | None], chance: random.Random, tries: int
) -> State | None:
    """Changes a puzzle near cells that its clues leave undecided, and keeps what leaves no more of them than before, until none is left."""
    left = undecided(state)
    for _ in range(tries):
        if not left:
            return state
        r, c = chance.choice(sorted(left))
        other = changed(state, (r + chance.randrange(-1, 2), c + chance.randrange(-1, 2)))
        if other is None:
            continue
        try:
            then = undecided(other)
        except cp.TimeLimitError:
            continue  # too hard to tell: another change
        if len(then) <= len(left):
            state, left = other, then
    return None


def doubtful(model: cp.Model, places: Iterable[Iterable[Cell]]) -> Cells:
    """The cells at the places of variables that are not the same in all solutions; ``places`` tells those of the first variables."""
    decided = model.backbone(time_limit=PATIENCE)
    return {cell for place, variable in zip(places, model.variables, strict=False) if variable not in decided for cell in place}


def solution_near(model: cp.Model, wanted: Mapping[cp.Variable, int]) -> cp.Solution | None:
    """A solution that is found from given values on."""
    model.hint(wanted)
    return model.solve(backend="sat", time_limit=PATIENCE).solution


def make_masyu(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """A pearl of one loop after the other that has the pearls so far, where these leave it open, until they decide all."""
    words = [["."] * columns for _ in range(rows)]
    ends = cp.grid(rows, columns).edges
    for _ in range(rows * columns):
        model = KINDS["masyu"](words)
        decided = model.backbone() if words != [["."] * columns] * rows else {}
        open_cells = {cell for pair, variable in zip(ends, model.variables, strict=True) if variable not in decided for cell in pair}
        if not open_cells:
            return without_spare_clues("masyu", words, chance)
        solution = solution_near(model, {variable: chance.randrange(2) for variable in model.variables})
        assert solution is not None
        found = pearls({frozenset(pair) for pair, v in zip(ends, model.variables, strict=True) if solution[v]}, rows, columns)
        choices = [(r, c) for r, c in sorted(open_cells) if found[r][c] != words[r][c]]
        if not choices:
            return None
        for r, c in chance.sample(choices, min(len(choices), 3)):
            words[r][c] = found[r][c]
    return None


def pearls(sides: set[frozenset[Cell]], rows: int, columns: int) -> list[list[str]]:
    """All pearls that a loop through cells could have."""

    def leaves(cell: Cell) -> list[Cell]:
        return [way for way in STEPS.values() if frozenset((cell, (cell[0] + way[0], cell[1] + way[1]))) in sides]

    def straight(cell: Cell) -> bool:
        ways = leaves(cell)
        return len(ways) == 2 and ways[0][0] == -ways[1][0] and ways[0][1] == -ways[1][1]

    words = [["."] * columns for _ in range(rows)]
    for r, c in board(rows, columns):
        ways = leaves((r, c))
        neighbours = [straight((r + i, c + j)) for i, j in ways]
        if ways and straight((r, c)) and not all(neighbours):
            words[r][c] = "W"
        elif ways and not straight((r, c)) and all(neighbours):
            words[r][c] = "B"
    return words


REACH = 3
"""How far from a changed clue of Yajilin the answer may change."""


@dataclass(frozen=True)
class Yajilin:
    """An answer: where the clues are, which way they look, which cells are black, where the loop goes."""

    rows: int
    columns: int
    clues: Mapping[Cell, str]
    dark: frozenset[Cell]
    sides: Mapping[tuple[Cell, Cell], int]

    def words(self) -> list[list[str]]:
        """The puzzle."""
        words = [["."] * self.columns for _ in range(self.rows)]
        for cell, way in self.clues.items():
            words[cell[0]][cell[1]] = f"{sum(other in self.dark for other in ray(cell, way, self.rows, self.columns))}{way}"
        return words


def make_yajilin(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """Clues here and there, and a loop with black cells for them; clues come, go and turn until all is decided.

    A change of a clue changes the answer near it only, so that what is decided elsewhere mostly stays so.
    """
    cells = board(rows, columns)
    places = [*zip(cells), *cp.grid(rows, columns).edges]

    def answered(clues: Mapping[Cell, str], state: Yajilin | None = None, near: Cell = (0, 0)) -> Yajilin | None:
        m = cp.Model()
        black = m.bool_vars((rows, columns))
        edges = cp.grid_edges(m, rows, columns)
        m.add(cp.loop(edges))
        m.add([~(black[a] & black[b]) for a, b in edges.graph.edges])
        m.add([sum(edges.at(*cell)) == (0 if cell in clues else 2 * ~black[cell]) for cell in cells])
        shown = {other for cell, way in clues.items() for other in ray(cell, way, rows, columns)} - clues.keys()
        m.add([~black[cell] for cell in cells if cell not in shown])
        if state is None:
            m.hint({variable: chance.randrange(2) for variable in m.variables})
        else:
            kept = {cell for cell in cells if max(abs(cell[0] - near[0]), abs(cell[1] - near[1])) > REACH}
            m.add([black[cell] == (cell in state.dark) for cell in kept])
            m.add([edges[a, b] == chosen for (a, b), chosen in state.sides.items() if a in kept and b in kept])
        solution = m.solve(backend="sat", time_limit=PATIENCE).solution
        if solution is None:
            return None
        black_cells = frozenset(cell for cell in cells if solution[black[cell]])
        return Yajilin(rows, columns, clues, black_cells, {(a, b): solution[variable] for a, b, variable in edges.triples})

    def changed(state: Yajilin, cell: Cell) -> Yajilin | None:
        if cell not in cells:
            return None
        clues = dict(state.clues)
        if cell in clues and chance.random() < 0.5:
            del clues[cell]
        else:
            clues[cell] = chance.choice(list(STEPS))
        return answered(clues, state, cell) if len(clues) * 5 < len(cells) else None

    first = answered({cell: chance.choice("udlr") for cell in chance.sample(cells, len(cells) // 9)})
    if first is None:
        return None
    found = mended(first, lambda state: doubtful(KINDS["yajilin"](state.words()), places), changed, chance, 1500)
    return None if found is None else found.words()


def ray(cell: Cell, way: str, rows: int, columns: int) -> list[Cell]:
    """The cells that one sees from a cell."""
    (r, c), (i, j) = cell, STEPS[way]
    found = []
    while 0 <= r + i < rows and 0 <= c + j < columns:
        r, c = r + i, c + j
        found.append((r, c))
    return found


Room = tuple[int, int, int, int]
"""Row and column of the upper left cell, height, width."""


@dataclass(frozen=True)
class Heyawake:
    """An answer: the rooms, and which cells are black."""

    rows: int
    columns: int
    rooms: tuple[Room, ...]
    dark: frozenset[Cell]

    def words(self, told: bool = True) -> list[list[str]]:
        """Each cell's room, with the number of its black cells where these are told."""
        words = [[""] * self.columns for _ in range(self.rows)]
        for number, room in enumerate(sorted(self.rooms)):
            for r, c in cells_of(room):
                words[r][c] = f"{number}:{len(self.dark.intersection(cells_of(room)))}" if told else str(number)
        return words


def make_heyawake(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """Rooms cut at random and black cells for them; rooms are cut and cells change colour until all is decided."""
    cells = board(rows, columns)

    def answered(state: Heyawake, cell: Cell | None = None) -> Heyawake | None:
        m = KINDS["heyawake"](state.words(told=False))
        variable = dict(zip(cells, m.variables, strict=True))
        if cell is not None:
            m.add(variable[cell] == (cell not in state.dark))
        solution = solution_near(m, {variable[cell]: int(cell in state.dark) for cell in cells})
        return None if solution is None else replace(state, dark=frozenset(cell for cell in cells if solution[variable[cell]]))

    def changed(state: Heyawake, cell: Cell) -> Heyawake | None:
        if cell not in cells:
            return None
        if chance.random() < 0.7:
            return answered(state, cell)
        room = next(room for room in state.rooms if cell in cells_of(room))
        if room[2] * room[3] < 4:
            return None
        return answered(replace(state, rooms=(*(other for other in state.rooms if other != room), *cut(room, chance))))

    rooms: list[Room] = [(0, 0, rows, columns)]
    while (largest := max(rooms, key=lambda room: (room[2] * room[3], room)))[2] * largest[3] > 12:
        rooms.remove(largest)
        rooms += cut(largest, chance)
    first = answered(Heyawake(rows, columns, tuple(rooms), frozenset(cell for cell in cells if chance.random() < 0.35)))
    if first is None:
        return None
    found = mended(first, lambda state: doubtful(KINDS["heyawake"](state.words()), zip(cells)), changed, chance, 300)
    return None if found is None else without_spare_clues("heyawake", found.words(), chance)


def cut(room: Room, chance: random.Random) -> list[Room]:
    """A room as two, across its longer side."""
    r, c, height, width = room
    if height > width:
        at = chance.randrange(1, height)
        return [(r, c, at, width), (r + at, c, height - at, width)]
    at = chance.randrange(1, width)
    return [(r, c, height, at), (r, c + at, height, width - at)]


def cells_of(room: Room) -> list[Cell]:
    """The cells of a room."""
    return [(room[0] + i, room[1] + j) for i in range(room[2]) for j in range(room[3])]


@dataclass(frozen=True)
class Nurikabe:
    """An answer: the sea, and the cells of the clues."""

    rows: int
    columns: int
    sea: frozenset[Cell]
    clues: tuple[Cell, ...]

    def words(self) -> list[list[str]]:
        """The size of its island at each clue."""
        size = {clue: len(part(set(board(self.rows, self.columns)) - self.sea, clue)) for clue in self.clues}
        return [[str(size.get((r, c), ".")) for c in range(self.columns)] for r in range(self.rows)]


def make_nurikabe(rows: int, columns: int, chance: random.Random) -> list[list[str]] | None:
    """Islands that break up all 2 × 2 blocks of the sea; they and their clues change until all is decided."""
    cells = board(rows, columns)

    def flooded(sea: frozenset[Cell]) -> list[Cell]:
        return [(r, c) for r, c in cells if all((r + i, c + j) in sea for i in (0, 1) for j in (0, 1))]

    def flipped(sea: frozenset[Cell], cell: Cell) -> frozenset[Cell] | None:
        """The sea with one cell more or less, if it hangs together and no island gets larger than 7."""
        other = sea ^ {cell}
        land = set(cells) - other
        sizes = [len(part(land, near)) for near in (cell, *around(cell)) if near in land]
        return other if hangs_together(set(other)) and max(sizes, default=0) <= 7 else None

    def changed(state: Nurikabe, cell: Cell) -> Nurikabe | None:
        if cell not in cells:
            return None
        sea: frozenset[Cell] | None = state.sea
        if cell in state.sea or chance.random() < 0.3:
            sea = flipped(state.sea, cell)
            if sea is None or flooded(sea):
                return None
        assert sea is not None
        clues, land = [], set(cells) - sea
        while land:
            island = part(land, min(land))
            land -= island
            told = [clue for clue in state.clues if clue in island]
            clues.append(cell if cell in island else told[0] if len(told) == 1 else chance.choice(sorted(island)))
        return Nurikabe(rows, columns, sea, tuple(clues))

    sea = frozenset(cells)
    for _ in range(100 * len(cells)):
        if not (blocks := flooded(sea)):
            break
        r, c = chance.choice(blocks)
        sea = flipped(sea, (r + chance.randrange(2), c + chance.randrange(2))) or sea
    else:
        return None
    shapes = dict.fromkeys(frozenset(part(set(cells) - sea, cell)) for cell in cells if cell not in sea)
    clues = [chance.choice(sorted(island)) for island in shapes]
    first = Nurikabe(rows, columns, sea, tuple(sorted(clues)))
    found = mended(first, lambda state: doubtful(KINDS["nurikabe"](state.words()), zip(cells)), changed, chance, 400)
    return None if found is None else found.words()


MAKERS: dict[str, Callable[[int, int, random.Random], list[list[str]] | None]] = {
    "sudoku": make_sudoku,
    "slitherlink": make_slitherlink,
    "masyu": make_masyu,
    "yajilin": make_yajilin,
    "heyawake": make_heyawake,
    "nurikabe": make_nurikabe,
    "fillomino": make_fillomino,
}


def main(kinds: Iterable[str]) -> None:
    """Makes the puzzles of some kinds again and keeps the others."""
    chosen = list(kinds) or list(SIZES)
    kept = {(each.kind, each.rows, each.columns): each for each in instances()} if KEPT.exists() else {}
    for kind in chosen:
        for rows, columns in SIZES[kind]:
            kept[kind, rows, columns] = make(kind, rows, columns)
            print(kind, rows, columns, kept[kind, rows, columns].seed, *kept[kind, rows, columns].text, sep="\n", file=sys.stderr)
            ordered = [kept[each, *size] for each in SIZES for size in SIZES[each] if (each, *size) in kept]
            KEPT.write_text(json.dumps([asdict(each) for each in ordered], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

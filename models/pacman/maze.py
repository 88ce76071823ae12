"""Mazes full of food, as most Pacman courses use them: eat all of it in as few moves as can be, and end anywhere.

A layout (``.lay``) has a line per row: ``%`` wall, ``.`` food, ``o`` capsule, ``G`` ghost, ``P`` where Pacman starts, a space for a free
cell. Here it is a route puzzle: nobody else moves, so a ghost's cell is free, and capsules need not be eaten. Cells are ``(x, y)``
from 0, y downwards, as on a :class:`models.pacman.Board`.

Two models find a shortest route. ``circuit`` orders the pieces of food, with shortest ways between them, and leaves the way back to the
start free of charge: good for few pieces far apart. Where nearly every cell has food its ties are too many, and ``passages`` decides
instead how often each passage between two cells is used (:mod:`cpsolve.puzzles.coverings`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import cpsolve as cp
from cpsolve.cached import cached_property
from cpsolve.errors import DiagramTooWide, FormatError, LimitError, ModelError
from cpsolve.limits import Deadline, look, looking
from cpsolve.prolog import Atom, Fact, Struct, Term, parse_facts, to_facts
from cpsolve.puzzles import search
from cpsolve.puzzles.boards_as_text import lines_of
from cpsolve.puzzles.coverings import cover
from cpsolve.puzzles.plans import MOST_CELLS, Cell, Move, Plan, Walk, check_sizes, plan_of
from models.pacman.rules import DIRECTIONS

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

METHODS = {
    "auto": "passages where food is dense, else circuit",
    "passages": "dynamic programme over the passages of a maze",
    "circuit": "CP-SAT over the pieces of food",
    "astar": "A*",
    "bfs": "breadth first",
}
DENSE = 0.25
"""The share of cells with food from which ``auto`` takes ``passages``."""
FEW = 12
"""Up to that number of pieces ``circuit`` is quick however dense they are."""
SIGNS = "%.oGP "
FOOD = "comida"
LISTS = {FOOD: "food", "parede": "walls", "capsula": "capsules", "fantasma": "ghosts"}
"""The fields that facts list."""


@dataclass(frozen=True, slots=True)
class Hunger:
    """Where Pacman is, and the food that is left."""

    cell: Cell
    food: frozenset[Cell]


@dataclass(frozen=True)
class Maze:
    """A maze with food; ``capsules`` and ``ghosts`` are there to be seen.

    >>> maze = Maze.from_layout("%%%%%\\n%.P.%\\n%%%%%")
    >>> maze.start().cell, len(maze.start().food), [str(move) for move, _ in maze.moves(maze.start())]
    ((2, 1), 2, ['right', 'left'])
    """

    width: int
    height: int
    pacman: Cell
    walls: frozenset[Cell]
    food: frozenset[Cell]
    capsules: frozenset[Cell] = frozenset()
    ghosts: frozenset[Cell] = frozenset()

    def __post_init__(self) -> None:
        check_sizes(self.width, self.height, "a maze")
        for cell in {self.pacman, *self.walls, *self.food, *self.capsules, *self.ghosts}:
            if not (0 <= cell[0] < self.width and 0 <= cell[1] < self.height):
                raise ModelError(f"the cell {cell} is outside the maze: x is 0 to {self.width - 1} and y is 0 to {self.height - 1}")
        if buried := self.walls & {self.pacman, *self.food, *self.capsules, *self.ghosts}:
            raise ModelError(f"something is in the wall {min(buried)}")

    @classmethod
    def from_layout(cls, text: str) -> Maze:
        """The maze of a layout; what is wrong with one is told by line and column.

        >>> Maze.from_layout("P.\\n. ").food == {(1, 0), (0, 1)}
        True
        """
        lines = [line for _, line in lines_of(text, MOST_CELLS, MOST_CELLS)]
        while lines and not lines[-1].strip():
            lines.pop()
        if not lines:
            raise FormatError("expected a layout, one line per row, found no text")
        found: dict[str, list[Cell]] = {sign: [] for sign in SIGNS}
        width = max(map(len, lines))
        if width * len(lines) > MOST_CELLS:
            raise FormatError(f"a layout of {width:,} by {len(lines):,} is too large: expected at most {MOST_CELLS:,} cells")
        cells = ((x, y, sign) for y, line in enumerate(lines) for x, sign in enumerate(line.ljust(width)))
        for x, y, sign in looking(cells, "reading the board"):
            if sign not in found:
                raise FormatError(f"found {sign!r}: a cell is % wall, . food, o capsule, G ghost, P Pacman or a space", y + 1, x + 1)
            if sign == "P" and found["P"]:
                raise FormatError("expected one P, found a second", y + 1, x + 1)
            if sign != " ":
                found[sign].append((x, y))
        if not found["P"]:
            raise FormatError("nothing says where Pacman starts: expected the sign P")
        walls, food, capsules, ghosts = (frozenset(found[sign]) for sign in "%.oG")
        return cls(width, len(lines), found["P"][0], walls, food, capsules, ghosts)

    def to_layout(self) -> str:
        """The layout, which :meth:`from_layout` reads back.

        >>> Maze.from_layout("%P.%").to_layout()
        '%P.%'
        """
        signs = dict.fromkeys(self.walls, "%") | dict.fromkeys(self.food, ".") | dict.fromkeys(self.capsules, "o")
        signs |= dict.fromkeys(self.ghosts, "G") | {self.pacman: "P"}
        return "\n".join("".join(signs.get((x, y), " ") for x in range(self.width)) for y in range(self.height))

    to_text = to_layout
    __str__ = to_layout

    def to_prolog(self) -> str:
        """The maze as facts like the original's; ``comida`` and ``capsula`` are additions.

        >>> print(Maze.from_layout("%P.").to_prolog(), end="")
        dimensoes(3, 1).
        posicao(pacman, 1, 0).
        posicao(comida, [[2, 0]]).
        posicao(parede, [[0, 0]]).
        """
        facts = [Struct("dimensoes", (self.width, self.height)), Struct("posicao", (Atom("pacman"), *self.pacman))]
        for name, field in LISTS.items():
            cells: list[Term] = [list(cell) for cell in sorted(getattr(self, field))]
            if cells or name == FOOD:
                facts.append(Struct("posicao", (Atom(name), cells)))
        return to_facts(facts, spaced=True)

    @classmethod
    def from_prolog(cls, text: str) -> Maze:
        """The maze of such facts.

        >>> maze = Maze.from_layout("%P.o")
        >>> Maze.from_prolog(maze.to_prolog()) == maze
        True
        """
        found: dict[str, Any] = {}
        for fact in parse_facts(text, skip_rules=True):
            match fact.term:
                case Struct("dimensoes", (int(width), int(height))):
                    found |= {"width": width, "height": height}
                case Struct("posicao", (Atom("pacman"), int(x), int(y))):
                    found["pacman"] = (x, y)
                case Struct("posicao", (Atom(name), [*cells])) if name in LISTS:
                    found[LISTS[name]] = frozenset(_cell(fact, item) for item in cells)
                case _:
                    raise fact.error(f"expected dimensoes, posicao(pacman, X, Y) or a list of cells of {', '.join(LISTS)}")
        if not {"width", "height", "pacman"} <= found.keys():
            raise FormatError("expected the facts dimensoes(Largura, Altura) and posicao(pacman, X, Y)")
        return cls(**{"walls": frozenset(), "food": frozenset(), **found})

    # -- the rules

    def start(self) -> Hunger:
        """Pacman at his place, with all food still to eat but what lies there."""
        return Hunger(self.pacman, self.food - {self.pacman})

    def is_goal(self, state: Hunger) -> bool:
        """Whether no food is left."""
        return not state.food

    def moves(self, state: Hunger) -> Iterator[tuple[Move, Hunger]]:
        """The legal moves: right, left, up, down."""
        for move, cell in self.steps(state.cell):
            yield move, Hunger(cell, state.food - {cell} if cell in state.food else state.food)

    def steps(self, cell: Cell) -> Iterator[tuple[Move, Cell]]:
        """The cells beside a cell that are no wall, with the moves that lead there."""
        for move, (right, down) in DIRECTIONS:
            x, y = cell[0] + right, cell[1] + down
            if 0 <= x < self.width and 0 <= y < self.height and (x, y) not in self.walls:
                yield move, (x, y)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that are no wall, row by row."""
        return tuple((x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in self.walls)

    def picture(self, plan: Plan[Hunger] | None = None, step: int | None = None) -> Picture:
        """The maze with a plan on it, or after ``step`` moves of it."""
        from models.pacman.drawing import draw_maze

        return draw_maze(self, plan, step)

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def _cell(fact: Fact, item: Term) -> Cell:
    match item:
        case [int(x), int(y)]:
            return x, y
    raise fact.error("expected cells [X, Y] in the list")


# -- solving


def solve(
    maze: Maze,
    method: str = "auto",
    time_limit: float | None = None,
    check: bool = False,
    *,
    max_memory: int | None = None,
    **options: Any,
) -> Walk[Hunger]:
    """A shortest route that eats all food, or why there is none.

    >>> plan = solve(Maze.from_layout("%%%%%%\\n%. P.%\\n%%%%%%"))
    >>> plan.cost, plan.optimal, " ".join(map(str, plan.moves))
    (4, True, 'right left left left')
    """
    if method not in METHODS:
        raise ModelError(f"a maze has no method {method!r}; it has {', '.join(METHODS)}")
    if check or any(value is not None for value in options.values()):
        raise ModelError("a maze is solved without --check and further options: leave them out")
    with Deadline(time_limit, max_memory).watched() as deadline:
        return _solve(maze, method, deadline)


def _solve(maze: Maze, method: str, deadline: Deadline) -> Walk[Hunger]:
    dense = len(maze.food) > max(FEW, DENSE * len(maze.cells))
    chosen = ("passages" if dense else "circuit") if method == "auto" else method
    try:
        if reason := closed_off(maze):
            proof = "breadth-first search from Pacman does not come there"
            return Walk(cp.Status.INFEASIBLE, reason=reason, stats=_stats(chosen, deadline, proof=proof), puzzle=maze)
        if chosen == "passages":
            try:
                return _by_passages(maze, deadline)
            except DiagramTooWide:
                if method != "auto":
                    raise
                chosen = "circuit"  # too many passages side by side: the other model needs no memory
        if chosen == "circuit":
            return _by_circuit(maze, deadline)
        find = search.bfs if chosen == "bfs" else partial(search.astar, heuristic=lambda state: len(state.food))
        plan = find(maze)
        return Walk.of(Plan(plan.status, plan.moves, plan.states, plan.bound, plan.reason, {**plan.stats, "method": chosen}, maze))
    except LimitError as limit:
        return Walk(cp.Status.UNKNOWN, reason=str(limit), stats=_stats(chosen, deadline), puzzle=maze)


def closed_off(maze: Maze) -> str:
    """Why no route eats all food: a piece that cannot be reached; "" where all can.

    >>> closed_off(Maze.from_layout("%P.%.%"))
    'the food (4, 0) cannot be reached: walls close it off from Pacman (1, 0)'
    """
    closed = sorted(maze.food - ways_from(maze, maze.pacman).keys())
    return f"the food {closed[0]} cannot be reached: walls close it off from Pacman {maze.pacman}" if closed else ""


def _stats(method: str, deadline: Deadline, **more: Any) -> dict[str, Any]:
    return {"method": method, "wall_time": deadline.elapsed(), **more}


SWEPT = "no frontier of the sweep over all passages gave fewer moves"


def _by_passages(maze: Maze, deadline: Deadline) -> Walk[Hunger]:
    neighbours = {cell: [near for _, near in maze.steps(cell)] for cell in looking(maze.cells, "listing passages")}
    found = cover(neighbours, maze.pacman, maze.food, [maze.cells, sorted(maze.cells)], deadline)
    assert found is not None  # all food can be reached
    return _planned(
        maze,
        found.nodes,
        len(found.nodes) - 1,
        _stats("passages", deadline, states=found.states, proof=SWEPT),
    )


def encode(maze: Maze) -> tuple[cp.Model, dict[tuple[Cell, Cell], cp.Variable]]:
    """The circuit model: a variable per way from one landmark (Pacman, a piece of food) to another, and the way back for nothing.

    >>> model, ways = encode(Maze.from_layout("P.."))
    >>> model.solve().objective
    2
    """
    landmarks = [maze.pacman, *sorted(maze.food - {maze.pacman})]
    model = cp.Model("maze")
    ways: dict[tuple[Cell, Cell], cp.Variable] = {}
    costs = []
    for one in landmarks:
        look("the ways between all food")
        lengths = ways_from(maze, one)
        for two in landmarks:
            if one != two:
                ways[one, two] = model.bool_var(f"{one} to {two}")
                costs.append((0 if two == maze.pacman else lengths[two][0]) * ways[one, two])
    number = {cell: place for place, cell in enumerate(landmarks)}
    if ways:
        model.add(cp.circuit([(number[one], number[two], way) for (one, two), way in ways.items()]), name="one round")
        model.minimize(sum(costs))
    return model, ways


def _by_circuit(maze: Maze, deadline: Deadline) -> Walk[Hunger]:
    model, ways = encode(maze)
    if not ways:
        return _planned(maze, (maze.pacman,), 0, _stats("circuit", deadline, proof="there is nothing to eat"))
    result = model.solve()
    if result.solution is None:
        deadline.fail("the circuit over all food")
    following = dict(pair for pair, way in ways.items() if result.solution[way])
    order = [maze.pacman]
    while (near := following[order[-1]]) != maze.pacman:
        order.append(near)
    nodes = [maze.pacman]
    for one, two in pairwise(order):
        back = ways_from(maze, two)  # from the end: each cell knows the next towards it
        while nodes[-1] != two:
            nodes.append(back[nodes[-1]][1])
        assert nodes[-1] == two != one
    bound = len(nodes) - 1 if result.status is cp.Status.OPTIMAL else result.bound
    return _planned(maze, nodes, bound, _stats("circuit", deadline, proof=result.proof))


def _planned(maze: Maze, nodes: Any, bound: int | None, stats: dict[str, Any]) -> Walk[Hunger]:
    """The moves from cell to cell, replayed by the rules."""
    moves = [next(move for move, near in maze.steps(one) if near == two) for one, two in pairwise(nodes)]
    return Walk.of(plan_of(maze, moves, bound=bound, stats=stats))


def ways_from(maze: Maze, source: Cell) -> dict[Cell, tuple[int, Cell]]:
    """Of every cell that can be reached, how far it is from a source, and the cell before it on a shortest way.

    >>> ways_from(Maze.from_layout("P.%."), (0, 0))
    {(0, 0): (0, (0, 0)), (1, 0): (1, (0, 0))}
    """
    ways = {source: (0, source)}
    waiting = [source]
    for cell in looking(waiting, "measuring ways"):  # which grow
        for _, near in maze.steps(cell):
            if near not in ways:
                ways[near] = ways[cell][0] + 1, cell
                waiting.append(near)
    return ways

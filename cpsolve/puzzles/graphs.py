"""Cells and the labelled moves between them, and how far it is from one to another.

The rules of a puzzle are asked once for each cell; everything else, who reaches what and in how many moves, is breadth-first search.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from cpsolve.cached import cached_property
from cpsolve.limits import Deadline, looking
from cpsolve.puzzles.plans import Cell, Move

_SMALL, _PAIRS = 20_000, 4_000_000
"""Up to how many pairs of a target and a cell one search per target is faster than all at once, and how many pairs at once."""
_PAIR_BYTES = 24
"""What the search takes for each pair, at most."""
_CELLS, _LEVELS = 1_024, 8
"""After how many cells, and levels of a search from all targets at once, the time is looked at: smaller boards are always done."""


class MoveGraph:
    """The moves between cells; the rules are asked for them when they are first needed, or by :meth:`expand`.

    >>> graph = MoveGraph([(1, 1), (2, 1)], lambda cell: [(Move("right"), (2, 1))] if cell == (1, 1) else [])
    >>> graph.distances_to([graph.number[2, 1]])
    array([[1, 0]], dtype=int32)
    """

    def __init__(self, cells: Iterable[Cell], steps: Callable[[Cell], Iterable[tuple[Move, Cell]]]) -> None:
        self._unlisted = iter(cells)
        self._listed: list[Cell] = []
        self._steps = steps
        self._moves: list[dict[int, Move]] = []

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells; their numbers are the places here."""
        for cell in looking(self._unlisted, "listing all cells"):
            self._listed.append(cell)  # one by one: when the time is up, the next call goes on
        return tuple(self._listed)

    @cached_property
    def number(self) -> dict[Cell, int]:
        """The number of each cell."""
        return {cell: i for i, cell in enumerate(looking(self.cells, "listing all cells"))}

    def expand(self, deadline: Deadline | None = None) -> None:
        """Asks the rules for the moves of every cell; TimeLimitError when the deadline comes first, and the next call goes on."""
        deadline = deadline or Deadline(None)
        with deadline.watched():
            number, steps, moves = self.number, self._steps, self._moves
        for tail in range(len(moves), len(self.cells)):
            if tail % _CELLS == _CELLS - 1:
                deadline.check("asking the rules for all moves")
            moves.append({number[head]: move for move, head in steps(self.cells[tail])})

    @property
    def moves(self) -> list[dict[int, Move]]:
        """For each cell the cells that a move leads to, with the move."""
        if len(self._moves) < len(self.cells):
            self.expand()
        return self._moves

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The cells from which a move leads to each cell."""
        tails: list[list[int]] = [[] for _ in self.cells]
        for tail, moves in enumerate(self.moves):
            for head in moves:
                tails[head].append(tail)
        return tails

    def search(self, starts: Iterable[int], *, backwards: bool = False, closed: Container[int] = ()) -> dict[int, int]:
        """Breadth-first search: the places that can be reached from ``starts``, nearest first, with the number of moves.

        ``backwards`` asks from which places the starts can be reached; nobody enters a place that is ``closed``.

        >>> line = MoveGraph([(x, 0) for x in range(4)], lambda cell: [(Move("on"), (cell[0] + 1, 0))] if cell[0] < 3 else [])
        >>> line.search([1]), line.search([2], backwards=True), line.search([0], closed={2})
        ({1: 0, 2: 1, 3: 2}, {2: 0, 1: 1, 0: 2}, {0: 0, 1: 1})
        """
        neighbours: Sequence[Iterable[int]] = self.predecessors if backwards else self.moves
        found = dict.fromkeys(starts, 0)
        waiting = list(found)
        for node in waiting:
            steps = found[node] + 1
            for other in neighbours[node]:
                if other not in found and other not in closed:
                    found[other] = steps
                    waiting.append(other)
        return found

    def reach(self, cell: Cell, avoiding: Iterable[Cell] = ()) -> set[Cell]:
        """The cells that can be reached from a cell, itself included, without entering those to avoid."""
        closed = {self.number[avoided] for avoided in avoiding}
        return {self.cells[node] for node in self.search([self.number[cell]], closed=closed)}

    def distances_to(self, targets: Sequence[int], deadline: Deadline | None = None) -> npt.NDArray[np.int32]:
        """The number of moves from every cell (columns) to each target (rows); -1 where there is no way."""
        deadline = deadline or Deadline(None)
        count = len(self.cells)
        if len(targets) * count > _SMALL:
            kept, room = 4 * len(targets) * count, deadline.room()
            pairs = _PAIRS if room is None else min(_PAIRS, max(0, room - kept) // _PAIR_BYTES)
            batch = min(len(targets), max(1, pairs // count))
            deadline.require(kept + _PAIR_BYTES * batch * count, "measuring distances")
            distances = np.empty((len(targets), count), np.int32)
            for i in range(0, len(targets), batch):
                distances[i : i + batch] = self._all_distances_to(np.array(targets[i : i + batch]), deadline)
            return distances
        return np.array([self.distances_around(target) for target in targets]).reshape(len(targets), len(self.cells))

    def distances_around(self, target: int, closed: Container[int] = ()) -> npt.NDArray[np.int32]:
        """The number of moves from every cell to a target if nobody enters what is closed; -1 where there is no way."""
        found = self.search([target], backwards=True, closed=closed)
        distances = np.full(len(self.cells), -1, np.int32)
        distances[list(found)] = list(found.values())
        return distances

    def _all_distances_to(self, targets: npt.NDArray[np.int64], deadline: Deadline) -> npt.NDArray[np.int32]:
        """The same search from all targets at once, a level at a time, over pairs (target, cell) numbered as one."""
        count = len(self.cells)
        degree = max(1, max(map(len, self.predecessors)))
        tails = np.full((count, degree), -1)
        for node, listed in enumerate(self.predecessors):
            tails[node, : len(listed)] = listed
        distances = np.full(len(targets) * count, -1, np.int32)
        owner = np.empty(len(distances), np.int64)
        frontier = np.arange(len(targets)) * count + targets
        distances[frontier] = 0
        steps = 0
        while len(frontier):
            steps += 1
            if steps % _LEVELS == 0:
                deadline.check("measuring distances")
            cells = frontier % count
            found = tails[cells]
            pairs = (found + (frontier - cells)[:, None])[found >= 0]
            pairs = pairs[distances[pairs] < 0]
            distances[pairs] = steps
            owner[pairs] = np.arange(len(pairs))  # of equal pairs the last one stays
            frontier = pairs[owner[pairs] == np.arange(len(pairs))]
        return distances.reshape(len(targets), count)

"""What a view tells: certain cells, exact probabilities, the number of fields that fit, and what a cell would show.

:func:`infer` has three methods that all begin with the sums of ``encode(view)`` and give the same :class:`Inference`. ``diagram`` hands
the sums to compiled kernels, which return probabilities as floats (0 and 1 exact); fractions and whole counts are worked out from the
same diagram when they are asked for. ``cpsat`` asks the model itself: what is certain is its backbone, by CP-SAT, and the rest
are its marginals and distributions. ``python-constraint`` lists the ways to place mines next to numbers and counts them: for small views,
and as the second opinion of ``check=True``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Literal, overload

import numpy as np
from numpy.typing import NDArray

from cpsolve.cached import cached_property
from cpsolve.checks import NOT_CHECKED, SECONDS, Check
from cpsolve.counting.exact_sums import ALONE, Component, Counts, Split
from cpsolve.errors import DiagramTooWide, InfeasibleError, LimitError, ModelError, SolverError
from cpsolve.limits import Deadline
from cpsolve.words import counted
from models.minesweeper.encode import Encoding, encode, encode_numbers, encoding
from models.minesweeper.formats import Cell
from models.minesweeper.rules import View

if TYPE_CHECKING:
    from models.minesweeper.explanation import Explanation
    from models.minesweeper.kernels import Answer

METHODS = {
    "diagram": "compiled counting over a decision diagram",
    "cpsat": "certain cells by CP-SAT, probabilities by the model",
    "python-constraint": "all placements, one by one: small views only",
}
"""The methods of :func:`infer`, the default first."""

MAX_NODES = 1_000_000
MAX_COUNTS = 24_000_000
"""The budget of a diagram: nodes, and floats kept on them (8 bytes each)."""

SLOWEST, LEAST_SHARE = 8.0, 0.02
"""The seconds that this budget takes at most on a slow core; and the share of it that is there however little the time."""
BYTES_PER_CELL, BYTES_PER_NODE, BYTES_PER_COUNT = 200, 250, 32
"""What the kernels take, tables that were too small included."""

UNTOUCHED, SETTLED = ALONE, -2
"""Instead of a group: no number touches the cell; it is open, or a single number or two prove what it is."""

MOST_LISTED = 40
"""Views with more cells next to numbers are not listed for a check."""

NEARLY = 1e-9
"""Floats that differ by less may stand for one fraction: whether they do is asked exactly."""


@overload
def infer(
    view: View,
    method: Literal["diagram"] = "diagram",
    time_limit: float | None = None,
    check: bool = False,
    *,
    max_memory: int | None = None,
    max_nodes: int = MAX_NODES,
) -> DiagramInference: ...


@overload
def infer(
    view: View,
    method: str,
    time_limit: float | None = None,
    check: bool = False,
    *,
    max_memory: int | None = None,
    max_nodes: int = MAX_NODES,
) -> Inference: ...


def infer(
    view: View,
    method: str = "diagram",
    time_limit: float | None = None,
    check: bool = False,
    *,
    max_memory: int | None = None,
    max_nodes: int = MAX_NODES,
) -> Inference:
    """All that follows from a view, by one of METHODS. The first call on a machine compiles the kernels, for half a minute.

    InfeasibleError, with a minimal list of numbers that clash, when no field fits. DiagramTooWide when the frontier needs more than
    ``max_nodes`` nodes, TimeLimitError when ``time_limit`` seconds pass, MemoryLimitError beyond ``max_memory`` bytes. With ``check`` a
    small view is answered once more by python-constraint (by the diagram if that was the method): SolverError if the two differ.

    >>> answer = infer(View.from_text('''
    ...     001-
    ...     001-
    ...     113-
    ...     ----
    ... ''', mines=3), check=True)
    >>> sorted(answer.mines), answer.solutions
    ([(2, 4), (4, 2), (4, 4)], 1)
    >>> answer.check.note
    'checked by python-constraint: the same 1 field and 7 probabilities'
    >>> infer(View.from_text("1--", mines=1), method="cpsat").exact((1, 3))
    Fraction(0, 1)
    """
    if time_limit is not None or max_memory is not None:
        _load()  # compiling is not part of the answer's time, nor of its memory
    with Deadline(time_limit, max_memory).watched() as deadline:
        if method == "diagram":
            answer: Inference = _infer_by_diagram(view, max_nodes, deadline)
        elif method == "cpsat":
            answer = _infer_by_model(view, max_nodes, deadline)
        elif method == "python-constraint":
            answer = _infer_by_listing(view, deadline)
        else:
            raise ModelError(f"there is no method {method!r}: choose one of {', '.join(map(repr, METHODS))}")
        if check:
            answer.check = second_opinion(answer, min(SECONDS, deadline.remaining()))
        return answer


@cache
def _load() -> None:
    """Compiles the kernels, or loads them."""
    _infer_by_diagram(View.from_text("1-", mines=1))


def _infer_by_diagram(view: View, max_nodes: int = MAX_NODES, deadline: Deadline | None = None) -> DiagramInference:
    """By the compiled kernels."""
    from cpsolve.counting.sum_kernels import INCONSISTENT, TOO_LARGE, TOO_WIDE
    from models.minesweeper.kernels import solve

    mines = -1 if view.mines is None else view.mines
    deadline = Deadline(None) if deadline is None else deadline
    deadline.check("inference")
    seconds = deadline.remaining()
    nodes, counts = _affordable(max_nodes, seconds, deadline.room())
    deadline.require(BYTES_PER_CELL * view.rows * view.columns, "inference")
    with deadline.watched():
        found = solve(view.grid, mines, nodes, counts)
    if found.status == TOO_WIDE and (nodes, counts) != (max_nodes, MAX_COUNTS):
        if (nodes, counts) != _affordable(max_nodes, seconds, None):
            deadline.fill()  # it was not the time that was short
        deadline.fail("inference")
    deadline.check("inference")
    if found.status == INCONSISTENT:
        raise inconsistent(view)
    if found.status == TOO_WIDE:
        groups, numbers = len(found.system.size), len(found.system.most)
        raise DiagramTooWide(
            f"the frontier is too wide: {groups:,} groups of cells under {numbers:,} numbers gave a row of {found.width:,} nodes "
            f"or more, and the budget is {max_nodes:,} nodes in all. "
            "Raise max_nodes, or ask encode(view).backbone() for what is certain",
            found.width,
            max_nodes,
        )
    answer = DiagramInference(view, found)
    if found.status == TOO_LARGE:
        if not answer.solutions:
            raise inconsistent(view)
        answer.round_fractions(deadline)
    answer.probability.flags.writeable = False
    return answer


def _affordable(max_nodes: int, seconds: float, room: int | None) -> tuple[int, int]:
    """The budget of a diagram, nodes and floats, that the time and the memory are enough for: nobody looks at them meanwhile."""
    nodes, counts = max_nodes, MAX_COUNTS
    if seconds < SLOWEST:
        share = max(LEAST_SHARE, seconds / SLOWEST)
        nodes, counts = min(nodes, int(share * MAX_NODES)), int(share * counts)
    if room is not None:
        nodes, counts = min(nodes, room // BYTES_PER_NODE), min(counts, room // BYTES_PER_COUNT)
    return max(1, nodes), max(1, counts)


def _infer_by_model(view: View, max_nodes: int, deadline: Deadline) -> Inference:
    """By the model: CP-SAT finds what is certain, the model's own counting the rest."""
    found = encoding(view)
    cells = view.covered
    try:
        certain = found.model.backbone(time_limit=deadline.left(), backend="cpsat")
    except InfeasibleError:
        raise inconsistent(view) from None
    unsure = [cell for cell in cells if found.mine[cell] not in certain]
    shares = found.model.marginals([found.mine[cell] for cell in unsure], exact=True, time_limit=deadline.left(), max_nodes=max_nodes)
    risks = {cell: Fraction(certain[found.mine[cell]]) for cell in cells if found.mine[cell] in certain}
    risks |= dict(zip(unsure, shares.tolist(), strict=True))
    solutions = found.model.count(time_limit=deadline.left(), max_nodes=max_nodes)
    return ModelInference(view, "cpsat", risks, solutions, found)


def _infer_by_listing(view: View, deadline: Deadline) -> Inference:
    """By listing all ways to place mines next to numbers; each weighs as many fields as the other cells can be mined in."""
    touched = encode_numbers(view, view.open)
    others = len(view.covered) - len(touched.mine)
    listed = touched.model.solutions(backend="python-constraint", time_limit=deadline.left())
    ways: Counter[Cell] = Counter()
    total = elsewhere = 0  # elsewhere: the mines in cells that no number touches, summed over all fields
    for solution in listed:
        mined = [cell for cell, variable in touched.mine.items() if solution[variable]]
        left = None if view.mines is None else view.mines - len(mined)
        weight = 2**others if left is None else comb(others, left) if left >= 0 else 0
        total += weight
        elsewhere += weight * others // 2 if left is None else weight * left
        for cell in mined:
            ways[cell] += weight
    if not listed.complete:
        deadline.fail("inference by python-constraint")
    if not total:
        raise inconsistent(view)
    risks = {cell: Fraction(ways[cell], total) if cell in touched.mine else Fraction(elsewhere, total * others) for cell in view.covered}
    return ModelInference(view, "python-constraint", risks, total, encoding(view))


def second_opinion(answer: Inference, time_limit: float = SECONDS) -> Check:
    """Has the view of an answer answered once more, by listing (what was listed: by the diagram), and compares all fractions.

    >>> second_opinion(infer(View.from_text("1--", mines=1))).note
    'checked by python-constraint: the same 1 field and 2 probabilities'
    """
    view, deadline = answer.view, Deadline(time_limit)
    name = "diagram" if answer.method == "python-constraint" else "python-constraint"
    cells = len(encode_numbers(view, view.open).mine)
    if name == "python-constraint" and cells > MOST_LISTED:
        return Check(note=f"too large for a check by {name}: {cells} cells next to numbers, and at most {MOST_LISTED} are listed")
    try:
        other = _infer_by_diagram(view, deadline=deadline) if name == "diagram" else _infer_by_listing(view, deadline)
    except LimitError as error:
        return Check(note=f"too large for a check by {name}: {error}")
    except InfeasibleError as error:
        raise SolverError(f"two methods contradict each other on\n{view}\n{answer.method}: {answer!r}\n{name}: {error}") from error
    for cell in view.covered:
        if answer.exact(cell) != other.exact(cell):
            both = f"{answer.method}: {answer.exact(cell)}\n{name}: {other.exact(cell)}"
            raise SolverError(f"two methods contradict each other on the risk of {cell} in\n{view}\n{both}")
    if answer.solutions != other.solutions or (answer.safe, answer.mines) != (other.safe, other.mines):
        both = f"{answer.method}: {answer!r}, {counted(answer.solutions, 'field')}\n{name}: {other!r}, {counted(other.solutions, 'field')}"
        raise SolverError(f"two methods contradict each other on\n{view}\n{both}")
    return Check(name, f"checked by {name}: the same {counted(answer.solutions, 'field')} and {len(view.covered)} probabilities")


def inconsistent(view: View) -> InfeasibleError:
    """The error for a view that no field fits: it lists the fewest numbers that clash.

    >>> print(inconsistent(View.from_text("1-2")))
    no field fits this view: (1,3) shows 2 cannot hold
    >>> print(inconsistent(View.from_text("1-0")))
    no field fits this view: (1,1) shows 1; (1,3) shows 0 cannot all hold
    """
    conflict = encode(view).conflict()
    listed = "; ".join(entry.name for entry in conflict)
    return InfeasibleError(f"no field fits this view: {listed} cannot {'all ' if len(conflict) > 1 else ''}hold", conflict)


class Inference:
    """What follows from a view; made by :func:`infer`.

    ``probability`` is a rows × columns array, counted from 0, of the probability of a mine; open cells have 0. Without a number of
    mines all fields that fit are equally likely, so a cell that no number touches has 1/2. ``method`` tells how it was found, ``check``
    what a second opinion said.
    """

    view: View
    method: str
    probability: NDArray[np.float64]
    check: Check

    @property
    def checked(self) -> str:
        """The name of the independent backend that gave the same answer; "" when none was asked or it was too large."""
        return self.check.backend

    def risk(self, cell: Cell) -> float:
        """The probability of a mine in a cell ``(row, column)``, counted from 1 as everywhere in the game; 0 if it is open.

        ``probability`` is the same as an array, which is counted from 0.

        >>> infer(View.from_text("1--", mines=None)).risk((1, 3))
        0.5
        """
        self.view[cell]  # says so when it is outside the board
        return float(self.probability[cell[0] - 1, cell[1] - 1])

    def why(self, cell: Cell, *, time_limit: float | None = None, max_memory: int | None = None) -> Explanation:
        """Why a covered cell is safe or a mine, without inferring again; see :func:`models.minesweeper.why`.

        >>> print(infer(View.from_text("1-")).why((1, 2)))
        (1,1) shows 1, so (1,2) is a mine.
        """
        from models.minesweeper.explanation import explained

        with Deadline(time_limit, max_memory).watched():
            return explained(self, cell)

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """The covered cells that are not a mine in any field that fits."""
        return frozenset(_cells((self.probability == 0.0) & (self.view.grid < 0)))

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The covered cells that are a mine in every field that fits."""
        return frozenset(_cells(self.probability == 1.0))

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The covered cells of least risk, row by row."""
        raise NotImplementedError

    @property
    def solutions(self) -> int:
        """The number of fields that fit the view."""
        raise NotImplementedError

    def exact(self, cell: Cell) -> Fraction:
        """The probability of a mine in a cell; 0 if it is open.

        >>> infer(View.from_text("1--", mines=None)).exact((1, 3))
        Fraction(1, 2)
        """
        raise NotImplementedError

    def reveals(self, cell: Cell) -> dict[int, Fraction]:
        """What a covered cell would show if it were opened and no mine: the probability of each number that it can show.

        The probabilities add up to 1; a cell that is a mine for certain shows nothing: {}.

        >>> infer(View.from_text("1--\\n---", mines=2)).reveals((2, 3))
        {1: Fraction(1, 3), 2: Fraction(2, 3)}
        """
        if self.view[cell] is not None:
            raise ModelError(f"the cell {cell} is open: it shows {self.view[cell]}")
        counts = self._around(cell)
        total = sum(counts.values())
        return {number: Fraction(ways, total) for number, ways in sorted(counts.items()) if ways}

    def _around(self, cell: Cell) -> Mapping[int, int]:
        """For each number, the fields in which a covered cell is no mine and has it."""
        raise NotImplementedError

    def opens_zero(self, cell: Cell) -> Fraction:
        """The probability that a covered cell is no mine and shows 0, so that its neighbours open with it.

        >>> infer(View.from_text("----", mines=1)).opens_zero((1, 1))
        Fraction(1, 2)
        """
        return (1 - self.exact(cell)) * self.reveals(cell).get(0, Fraction(0))

    def _repr_svg_(self) -> str:
        from models.minesweeper.drawing import draw

        return draw(self.view, self).svg()

    def __repr__(self) -> str:
        return f"<Inference: {len(self.safe)} safe, {len(self.mines)} mines of {len(self.view.covered)} covered cells>"


class ModelInference(Inference):
    """What follows from a view, as fractions that a method found from its model."""

    def __init__(self, view: View, method: str, risks: Mapping[Cell, Fraction], solutions: int, found: Encoding) -> None:
        self.view, self.method, self.check = view, method, NOT_CHECKED
        self._risks, self._solutions, self._encoding = risks, solutions, found
        self.probability = np.zeros((view.rows, view.columns))
        for (row, column), risk in risks.items():
            self.probability[row - 1, column - 1] = _rounded(risk)
        self.probability.flags.writeable = False

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The covered cells of least risk, row by row."""
        least = min(self._risks.values(), default=None)
        return tuple(cell for cell in self.view.covered if self._risks[cell] == least)

    @property
    def solutions(self) -> int:
        """The number of fields that fit the view."""
        return self._solutions

    def exact(self, cell: Cell) -> Fraction:
        """The probability of a mine in a cell; 0 if it is open."""
        return Fraction(0) if self.view[cell] is not None else self._risks[cell]

    def _around(self, cell: Cell) -> Mapping[int, int]:
        if self._risks[cell] == 1:
            return {}
        model, mine = self._encoding.model.copy(), self._encoding.mine
        model.add(mine[cell] == 0)
        around = [mine[near] for near in self.view.covered_around(cell)]
        return model.count_by(sum(around)) if around else {0: model.count()}


class DiagramInference(Inference):
    """What follows from a view, read off the diagram that the kernels laid out."""

    def __init__(self, view: View, found: Answer) -> None:
        self.view, self.method, self.check = view, "diagram", NOT_CHECKED
        self.probability = found.probability
        self._left, self._untouched = found.left, found.untouched
        self._kind, self._group = found.kind, found.group
        self._system, self._diagram = found.system, found.diagram

    @cached_property
    def _counts(self) -> Counts:
        alone, free = (self._untouched, 0) if self._left >= 0 else (0, self._untouched)
        left = max(0, self._left)
        return Counts(self._system, self._diagram, left, left, alone, free)

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The covered cells of least risk, row by row."""
        covered = self.view.grid < 0
        if not covered.any():
            return ()
        least = self.probability[covered].min()
        chosen = covered & (self.probability <= least + NEARLY)
        groups = np.unique(self.groups[chosen])
        if len(groups) > 1 and 0.0 < least < 1.0:
            risks = {group: self._risk(group) for group in groups.tolist()}
            chosen &= np.isin(self.groups, [group for group, risk in risks.items() if risk == min(risks.values())])
        else:
            chosen &= self.probability == least
        return tuple(_cells(chosen))

    @property
    def solutions(self) -> int:
        """The number of fields that fit the view."""
        return self._counts.solutions

    def exact(self, cell: Cell) -> Fraction:
        """The probability of a mine in a cell; 0 if it is open."""
        if self.view[cell] is not None:
            return Fraction(0)
        place = (cell[0] - 1, cell[1] - 1)
        group = int(self.groups[place])
        return Fraction(int(self.probability[place])) if group == SETTLED else self._risk(group)

    def round_fractions(self, deadline: Deadline) -> None:
        """Fills ``probability`` from the fractions, for boards whose counts do not fit in floats; 0 and 1 stay exact."""
        self._counts.shares(deadline)  # of all groups at once: cell by cell it would take much longer
        for row, column in self.view.covered:
            self.probability[row - 1, column - 1] = _rounded(self.exact((row, column)))

    @property
    def _components(self) -> list[Component]:
        return self._counts.components

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """The group of each cell, or UNTOUCHED or SETTLED."""
        from models.minesweeper.kernels import MARGIN, UNKNOWN

        shape = (self.view.rows + 2 * MARGIN, self.view.columns + 2 * MARGIN)
        groups = np.where(self._kind == UNKNOWN, self._group, SETTLED)
        return groups.reshape(shape)[MARGIN:-MARGIN, MARGIN:-MARGIN]

    def _size(self, group: int) -> int:
        return self._untouched if group == UNTOUCHED else self._counts.size(group)

    def _risk(self, group: int) -> Fraction:
        """The probability of a mine in a cell of a group."""
        return Fraction(1, 2) if group == UNTOUCHED and self._left < 0 else self._counts.share(group)

    def _around(self, cell: Cell) -> Mapping[int, int]:
        if self.probability[cell[0] - 1, cell[1] - 1] == 1.0:
            return {}
        places = [(row - 1, column - 1) for row, column in self.view.covered_around(cell)]
        groups = [int(self.groups[place]) for place in places]
        certain = sum(self.probability[place] == 1.0 for place, group in zip(places, groups, strict=True) if group == SETTLED)
        own = int(self.groups[cell[0] - 1, cell[1] - 1])
        splits = {
            group: Split(groups.count(group), self._size(group) - groups.count(group) - (group == own))
            for group in {*groups, own}
            if group != SETTLED
        }
        free = splits.pop(UNTOUCHED, None) if self._left < 0 else None
        counts = self._counts.by(splits, free)
        return {number + certain: ways for number, ways in sorted(counts.items())}


def _rounded(risk: Fraction) -> float:
    """A fraction as a float that is 0 or 1 only where the fraction is."""
    return float(risk) if risk in (0, 1) else min(max(float(risk), 5e-324), 1.0 - 2.0**-53)


def _cells(chosen: NDArray[np.bool_]) -> Iterator[Cell]:
    rows, columns = np.nonzero(chosen)
    return zip((rows + 1).tolist(), (columns + 1).tolist(), strict=True)

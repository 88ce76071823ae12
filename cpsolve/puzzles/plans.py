"""One-player puzzles: what a puzzle is, what an answer to one is, and the referee between them.

A puzzle gives its start, the labelled moves that its rules allow in a state, and its goal. An answer is a :class:`Plan`. No
solver is trusted: :func:`replay` walks the moves by the rules, and a plan can only be made of moves that were replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from cpsolve.checks import NOT_CHECKED, Check
from cpsolve.errors import IllegalMoveError, ModelError, SolverError
from cpsolve.limits import looking
from cpsolve.results import Status
from cpsolve.words import counted

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

Cell = tuple[int, int]
MOST_CELLS = 1_000_000
"""The largest board that anybody walks on: a slip in a file must not fill the memory."""
S = TypeVar("S", bound=Hashable)


def cell_of(value: object, name: str, axes: str = "(x, y)") -> Cell:
    """A cell, or a ModelError that says what was given for it.

    >>> cell_of([1, 2], "the dot")
    (1, 2)
    >>> cell_of("A1", "the dot")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: expected a cell (x, y) for the dot, got 'A1'
    """
    if isinstance(value, tuple | list) and len(value) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in value):
        return int(value[0]), int(value[1])
    raise ModelError(f"expected a cell {axes} for {name}, got {value!r}")


def cells_of(values: Iterable[object], name: str, axes: str = "(x, y)") -> frozenset[Cell]:
    """Cells, each given once.

    >>> cells_of([(1, 1), (1, 1)], "a ghost")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: a ghost at (1, 1) is given twice
    """
    listed = [cell_of(value, name, axes) for value in values]
    if twice := [cell for cell, count in Counter(listed).items() if count > 1]:
        raise ModelError(f"{name} at {twice[0]} is given twice")
    return frozenset(listed)


def check_sizes(width: int, height: int, what: str, names: tuple[str, str] = ("width", "height")) -> None:
    """ModelError unless both sizes of a board are positive integers and it is not too large.

    >>> check_sizes(0, 3, "a board")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: the width of a board must be a positive integer, got 0
    """
    for name, size in zip(names, (width, height), strict=True):
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ModelError(f"the {name} of {what} must be a positive integer, got {size!r}")
    if width * height > MOST_CELLS:
        raise ModelError(f"{what} of {width:,} by {height:,} is too large: expected at most {MOST_CELLS:,} cells")


class Walker(Hashable, Protocol):
    """A state in which somebody stands in a cell."""

    @property
    def cell(self) -> Cell:
        """Where."""


W = TypeVar("W", bound=Walker)


@dataclass(frozen=True, slots=True)
class Move:
    """A labelled move; ``str(move)`` is its name.

    >>> print(Move("walk right"))
    walk right
    """

    name: str

    def __str__(self) -> str:
        return self.name


class Puzzle(Protocol[S]):
    """The rules of a one-player puzzle. States are hashable values; equal states are the same state."""

    def start(self) -> S:
        """The state in which the puzzle begins."""

    def moves(self, state: S) -> Iterable[tuple[Move, S]]:
        """The legal moves in a state with the states they lead to, in the order of the rules."""

    def is_goal(self, state: S) -> bool:
        """Whether the puzzle is solved in this state."""


@runtime_checkable
class Direct(Protocol):
    """A puzzle that tells what one move leads to without listing all, where there are many; a replay asks it."""

    def after(self, state: Any, move: Move) -> Any:
        """The state after a move; None when the rules forbid it."""


@runtime_checkable
class Drawable(Protocol):
    """A puzzle that draws itself and plans for it; a plan without moves is drawn as the start with the reason why there is none."""

    def picture(self, plan: Plan[Any] | None = None, step: int | None = None) -> Picture:
        """The puzzle, a plan on it, or the state after ``step`` moves of the plan."""


@dataclass(frozen=True)
class Plan(Generic[S]):
    """An answer to a puzzle: read ``status`` first.

    OPTIMAL and FEASIBLE come with ``moves``, which the rules have replayed into ``states`` (one more than moves). INFEASIBLE
    comes with a ``reason``; UNKNOWN says in ``reason`` which limit was reached. ``bound`` is a number of moves that no plan
    can beat, as far as it is known.
    """

    status: Status
    moves: tuple[Move, ...] = ()
    states: tuple[S, ...] = ()
    bound: int | None = None
    reason: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict, compare=False)
    puzzle: Puzzle[S] | None = field(default=None, compare=False, repr=False)
    """What the plan is an answer to, when whoever made it said so: with it a plan can be drawn."""
    check: Check = field(default=NOT_CHECKED, compare=False)
    """What an independent solver said of it, if somebody asked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stats", MappingProxyType(dict(self.stats)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.moves, self.states, self.bound, self.reason, dict(self.stats), self.puzzle, self.check)

    @property
    def cost(self) -> int | None:
        """The number of moves; None without a plan."""
        return len(self.moves) if self.states else None

    @property
    def optimal(self) -> bool:
        """Whether no plan has fewer moves, proven."""
        return self.status is Status.OPTIMAL

    @property
    def checked(self) -> str:
        """The name of the independent backend that gave the same answer; empty if none was asked, or none did."""
        return self.check.backend

    @property
    def proof(self) -> str:
        """How it was proven that no plan has fewer moves, or that there is none, in a few words; "" where neither was.

        >>> from cpsolve.puzzles.garden import Garden
        >>> from cpsolve.puzzles.search import bfs
        >>> bfs(Garden("S.E")).proof
        'breadth-first search met no goal in fewer moves'
        """
        return str(self.stats.get("proof", "")) if self.status in (Status.OPTIMAL, Status.INFEASIBLE) else ""

    @property
    def gap(self) -> float | None:
        """How much of the cost might be saved at most, as a share: 0 when proven best, None when not known."""
        if self.cost is None or self.bound is None:
            return None
        return (self.cost - self.bound) / max(1, self.cost)

    def picture(self, step: int | None = None) -> Picture | None:
        """The puzzle with the plan drawn on it, or the state after ``step`` moves; None for a puzzle that cannot be drawn."""
        return self.puzzle.picture(self, step) if isinstance(self.puzzle, Drawable) else None

    def _repr_svg_(self) -> str | None:
        picture = self.picture()
        return None if picture is None else picture.svg()

    def __bool__(self) -> bool:
        return bool(self.states)

    def __str__(self) -> str:
        if not self.states:
            return f"{self.status.value}: {self.reason}" if self.reason else self.status.value
        count = counted(len(self.moves), "move")
        return f"{self.status.value}, {count}: {', '.join(map(str, self.moves)) or 'none needed'}"


class Walk(Plan[W]):
    """A plan of which every state has a walker in some cell."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Where the walker stands in each state, the start included.

        >>> from cpsolve.puzzles.garden import Garden
        >>> Walk.of(plan_of(Garden("So.E"), [Move("right")] * 3)).cells
        ((0, 0), (1, 0), (2, 0), (3, 0))
        """
        return tuple(state.cell for state in self.states)

    @classmethod
    def of(cls, plan: Plan[W]) -> Walk[W]:
        """The same plan, with cells."""
        return cls(*(getattr(plan, each.name) for each in fields(plan)))


def replay(puzzle: Puzzle[S], moves: Sequence[Move]) -> tuple[S, ...]:
    """The states that moves lead through, start included; IllegalMoveError when the rules forbid one or the goal is missed.

    >>> from cpsolve.puzzles.garden import Garden
    >>> replay(Garden("So.E"), [Move("up")])
    Traceback (most recent call last):
        ...
    cpsolve.errors.IllegalMoveError: move 1, up, is not legal in Visit(cell=(0, 0), flowers=frozenset({(1, 0)})): the rules allow right
    """
    states = [puzzle.start()]
    for number, move in enumerate(looking(moves, "replaying"), 1):
        states.append(step(puzzle, states[-1], move, number))
    if not puzzle.is_goal(states[-1]):
        raise IllegalMoveError(f"after {len(moves)} moves the goal is not reached: {states[-1]}")
    return tuple(states)


def step(puzzle: Puzzle[S], state: S, move: Move, number: int) -> S:
    """The state after one move, the one of this number; IllegalMoveError when the rules forbid it.

    >>> from cpsolve.puzzles.garden import Garden
    >>> garden = Garden("So.E")
    >>> step(garden, garden.start(), Move("right"), 1)
    Visit(cell=(1, 0), flowers=frozenset())
    """
    if isinstance(puzzle, Direct):
        found: S | None = puzzle.after(state, move)
        if found is not None:
            return found
    else:
        for legal, following in puzzle.moves(state):
            if legal == move:
                return following
    names = ", ".join(str(legal) for legal, _ in puzzle.moves(state)) or "none"
    raise IllegalMoveError(f"move {number}, {move}, is not legal in {state}: the rules allow {names}")


def plan_of(puzzle: Puzzle[S], moves: Sequence[Move], bound: int | None = None, stats: Mapping[str, Any] | None = None) -> Plan[S]:
    """A plan of moves that the rules have just replayed; OPTIMAL when ``bound`` shows that no plan is shorter.

    The moves are somebody's answer: SolverError when the rules refuse them.

    >>> from cpsolve.puzzles.garden import Garden
    >>> print(plan_of(Garden("So.E"), [Move("right")] * 3, bound=3))
    optimal, 3 moves: right, right, right
    """
    try:
        states = replay(puzzle, moves)
    except IllegalMoveError as refused:
        raise SolverError(f"the rules refuse an answer: {refused}") from refused
    status = Status.OPTIMAL if bound is not None and bound >= len(moves) else Status.FEASIBLE
    return Plan(status, tuple(moves), states, bound, stats=stats or {}, puzzle=puzzle)

"""A search at work, as a film: the state it looks at, and how often it has been on each cell so far.

The search runs once, on a puzzle that notes whose moves are asked for; the pictures are drawn afterwards, so that drawing does not slow
the search down. A long search is shown in even leaps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Generic

from cpsolve.drawing.palette import heat
from cpsolve.drawing.picture import Entry, Picture, Route, Tile
from cpsolve.puzzles.plans import Cell, Move, Plan, Puzzle, S
from cpsolve.results import Status
from cpsolve.words import counted

MOST_FRAMES = 200
MOST_STATES = 1_000_000
"""More states than this are not watched: a search that needs more ends here, and says so."""
WARMEST = 0.6
"""How far up the scale of colours the most visited cell goes: what stands there must still be seen."""

LOOKED_AT = Entry("how often it was here", Tile(label="5", fill=heat(WARMEST / 2)))


class Watched(Generic[S]):
    """A puzzle that notes the states whose moves are asked for, in order: those that a search looks at."""

    def __init__(self, puzzle: Puzzle[S]) -> None:
        self.puzzle = puzzle
        self.states: list[S] = []

    def start(self) -> S:
        """The state in which the puzzle begins."""
        return self.puzzle.start()

    def moves(self, state: S) -> Iterable[tuple[Move, S]]:
        """The legal moves in a state, which is noted."""
        self.states.append(state)
        return self.puzzle.moves(state)

    def is_goal(self, state: S) -> bool:
        """Whether the puzzle is solved in this state."""
        return self.puzzle.is_goal(state)


def watch(puzzle: Puzzle[S], find: Callable[[Puzzle[S]], Plan[S]]) -> tuple[Plan[S], list[S]]:
    """What a search finds, and the states that it looked at, in order."""
    watched = Watched(puzzle)
    plan = find(watched)
    seen = watched.states[: plan.stats["states"]]  # then the rules replay the plan, and ask for moves too
    return replace(plan, puzzle=puzzle), seen


def frames(states: list[S], plan: Plan[S], method: str, draw: Callable[..., Picture], most: int = MOST_FRAMES) -> Iterator[Picture]:
    """The pictures of a search that looked at ``states`` in this order, and last the plan that it found.

    ``draw(plan, step=None, visits=None)`` draws the state after a step of a plan, and how often each cell was visited.
    """
    every = max(1, -(-len(states) // most))
    visits: Counter[Cell] = Counter()
    for number, state in enumerate(states, 1):
        visits[state.cell] += 1  # type: ignore[attr-defined]
        if number % every == 0 or number in (1, len(states)):
            here = Plan(Status.FEASIBLE, (), (state,))
            told = f"{method}: {counted(number, 'state')} looked at" + (f" of {len(states):,}" if number < len(states) else "")
            drawn = draw(here, step=0, visits=visits)
            legend = tuple(entry for entry in drawn.legend if not isinstance(entry.sample, Route))
            yield replace(drawn, routes=(), captions=(told,), legend=(*legend, LOOKED_AT))
    end = draw(plan)
    unproven = "; the plan need not be the shortest" if plan and not plan.optimal else ""
    told = f"{method} looked at {counted(len(states), 'state')}{unproven}"
    yield replace(end, captions=(*end.captions, told))


def warmed(tile: Tile, visits: int, most: int) -> Tile:
    """A tile in the colour of its visits, with their number where nothing stands on it.

    >>> warmed(Tile(), 12_345, 12_345).label, warmed(Tile(label="e"), 1, 10).label
    ('12k', 'e')
    """
    if not visits:
        return tile
    label = tile.label if tile.icons or tile.label else short(visits)
    said = f"{tile.note}; " if tile.note else ""
    return replace(tile, label=label, fill=heat(WARMEST * visits / most), note=f"{said}looked at {counted(visits, 'time')}")


def short(number: int) -> str:
    """A number in at most four characters.

    >>> [short(number) for number in (999, 1_000, 45_678, 3_000_000)]
    ['999', '1k', '45k', '3M']
    """
    return str(number) if number < 1_000 else f"{number // 1_000}k" if number < 1_000_000 else f"{number // 1_000_000}M"


def heated(tiles: Mapping[tuple[int, int], Tile], visits: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], Tile]:
    """The tiles of a board with what a search has visited, both by place."""
    most = max(visits.values(), default=1)
    return {**tiles, **{place: warmed(tiles.get(place, Tile()), number, most) for place, number in visits.items()}}

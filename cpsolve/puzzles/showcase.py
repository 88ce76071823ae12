"""What a game shows of itself on the tour: findings, a drawing, and how naive depth-first search did on the same questions.

Times are those of the answers alone: solvers are loaded and kernels compiled before a clock starts. A naive search that has not
ended after ``PATIENCE`` seconds is stopped, and its row says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cpsolve.errors import SolverError
from cpsolve.puzzles.answers import in_words
from cpsolve.puzzles.plans import Plan, replay

if TYPE_CHECKING:
    from cpsolve.drawing import Picture

PATIENCE = 1.0
"""Seconds that a naive search gets."""


@dataclass(frozen=True)
class Side:
    """One answer to a question: in words, how many ``states`` were looked at (where that means something) and the time it took."""

    answer: str
    seconds: float
    states: int | None = None
    finished: bool = True


@dataclass(frozen=True)
class Comparison:
    """The same question about the same instance, answered by cpsolve and by naive depth-first search."""

    instance: str
    ours: Side
    naive: Side


@dataclass
class Stop:
    """What one game or puzzle showed: findings as (question, answer) pairs, a drawing, comparisons."""

    title: str
    findings: list[tuple[str, str]] = field(default_factory=list)
    drawing: str = ""
    coloured: str = ""
    seconds: float = 0.0
    comparisons: list[Comparison] = field(default_factory=list)

    def tell(self, question: str, answer: object) -> None:
        """Notes a question and its answer."""
        self.findings.append((question, str(answer)))

    def draw(self, picture: Picture) -> None:
        """Notes a picture, plain and in colour."""
        self.drawing, self.coloured = picture.text(), picture.text(colour=True)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for scripts.

        >>> stop = Stop("Nothing")
        >>> stop.tell("count", 0)
        >>> stop.as_dict()["findings"]
        {'count': '0'}
        """
        return {
            "title": self.title,
            "findings": dict(self.findings),
            "drawing": self.drawing,
            "seconds": round(self.seconds, 3),
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
        }


# -- what stops have in common


def show_walk(stop: Stop, label: str, puzzle: Any, solve: Callable[..., Plan[Any]]) -> Plan[Any]:
    """A plan of a puzzle, replayed and compared; ``solve`` takes the puzzle and a method."""
    plan = compare_walk(stop, label, puzzle, solve)
    stop.tell("solve", f"{plan.cost} moves, {'proven shortest' if plan.optimal else 'not proven shortest'}, by {plan.stats['method']}")
    states = replay(puzzle, plan.moves)
    stop.tell("verified", f"the rules replayed all {len(states) - 1} moves and found the goal reached")
    stop.tell("check", solve(puzzle, check=True).check.note)
    return plan


def compare_walk(stop: Stop, label: str, puzzle: Any, solve: Callable[..., Plan[Any]], **options: Any) -> Plan[Any]:
    """A plan of a puzzle beside that of naive search."""
    import cpsolve.solvers.cpsat  # noqa: F401  (loading the solver is not part of solving)

    plan = solve(puzzle, **options)
    found = solve(puzzle, method="dfs", time_limit=PATIENCE, max_states=None)
    ours = Side(f"{plan.cost} moves{', shortest' if plan.optimal else ''}", plan.stats["wall_time"])
    theirs = f"{found.cost} moves" if found else "no answer yet"
    naive_side = Side(theirs, found.stats["wall_time"], found.stats["states"], finished=bool(found))
    stop.comparisons.append(Comparison(label, ours, naive_side))
    return plan


def played_out(position: Any, verdict: Any) -> Any:
    """The position after the verdict's line, which must end the game as the verdict says."""
    end = position
    for move in verdict.line:
        end = end.play(move)
    if not end.is_over or end.winner != verdict.winner or len(verdict.line) != verdict.plies:
        raise SolverError(f"the line {verdict.line} ends otherwise than the verdict says:\n{end}", [])
    return end


def compare_game(stop: Stop, label: str, position: Any, ours: Side) -> None:
    """A verdict beside that of plain minimax."""
    from cpsolve.puzzles.naive import minimax

    found = minimax(position, time_limit=PATIENCE)
    theirs = in_words(found.winner, found.plies or 0) if found.finished else "no answer yet"
    stop.comparisons.append(Comparison(label, ours, Side(theirs, found.seconds, found.states, found.finished)))

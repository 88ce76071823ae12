"""What a stop of the tour shows, as plain values: findings, drawings, and how naive depth-first search did on the same question."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsolve.drawing import Picture


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

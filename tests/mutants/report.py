"""What became of the changes, as a table, and the list of changes that cannot be noticed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.mutants.changes import Change


@dataclass(frozen=True)
class Verdict:
    """What became of one change."""

    change: Change
    outcome: str
    """killed, timed out, survived or explained."""
    told: str
    """Which test noticed, or how many did not."""

    def __str__(self) -> str:
        change = self.change
        return f"{change.path}:{change.line} {change.function}: {change.before} -> {change.after}   [{self.outcome}: {self.told}]"


def explanations(text: str) -> dict[tuple[str, str], str]:
    """Blocks of three lines: the change, the line of code, and why no test can notice; lines that begin with # are remarks.

    >>> explanations("# a remark\\n\\na.py in f: 1 -> 2\\n    wait(1)\\n    Only waits longer.\\n")
    {('a.py in f: 1 -> 2', 'wait(1)'): 'Only waits longer.'}
    """
    found = {}
    remarks_left_out = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in remarks_left_out.strip().split("\n\n"):
        if block.strip():
            change, line, *why = block.strip().splitlines()
            found[change, line.strip()] = " ".join(part.strip() for part in why)
    return found


def interval(killed: int, total: int) -> tuple[float, float]:
    """Within which the true share lies, 19 times of 20 (Wilson, Journal of the American Statistical Association 22, 1927).

    >>> [round(bound, 3) for bound in interval(90, 100)]
    [0.826, 0.945]
    """
    z = 1.96
    share = killed / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return middle - half, middle + half


def table(verdicts: Sequence[Verdict], changes: Mapping[str, int]) -> str:
    """One line per file, the sum, and what was not noticed."""
    outcomes = ("killed", "timed out", "survived", "explained")
    lines = [f"{'file':<44}{'changes':>9}{'tried':>7}" + "".join(f"{outcome:>13}" for outcome in outcomes)]
    for path, possible in [*changes.items(), ("all", sum(changes.values()))]:
        count = Counter(verdict.outcome for verdict in verdicts if path in ("all", verdict.change.path))
        lines.append(f"{path:<44}{possible:>9}{sum(count.values()):>7}" + "".join(f"{count[outcome]:>13}" for outcome in outcomes))
    lines += ["", *(str(verdict) for verdict in verdicts if verdict.outcome not in ("killed", "timed out"))]
    return "\n".join(lines)


def counts(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    """How many were noticed, of how many that have no explanation."""
    count = Counter(verdict.outcome for verdict in verdicts)
    return count["killed"] + count["timed out"], len(verdicts) - count["explained"]


def summary(verdicts: Sequence[Verdict]) -> str:
    """The share that was noticed, of all and of those without explanation, with the interval in which the true share lies."""
    noticed, open_ones = counts(verdicts)
    lines = []
    for what, number in (("all", len(verdicts)), ("those without explanation", open_ones)):
        low, high = interval(noticed, number) if number else (0.0, 1.0)
        lines.append(f"noticed: {noticed} of {number}, {noticed / max(number, 1):.1%} of {what} ({low:.1%} to {high:.1%})")
    return "\n".join(lines)

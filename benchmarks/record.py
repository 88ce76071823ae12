"""What a run leaves behind: for each topic its rows as JSON and as a Markdown table, and one page over all topics.

Quick and full runs are kept in folders of their own, so neither overwrites the other. While a topic runs, its rows are kept in a file
called *partial*, which takes the place of an earlier result only when the topic has ended: an interrupted run loses nothing. Every file is
written beside its place and then moved there, so a file is never half written.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, row_of

PACKAGES = (
    "cpsolve",
    "ortools",
    "python-constraint2",
    "numpy",
    "numba",
    "python-sat",
    "cpmpy",
    "cspuz",
    "multi-puzzle-solver",
    "clingo",
    "graphillion",
    "ms-toollib",
    "bitbully",
    "matplotlib",
)
MODES = ("full", "quick")
PICTURES = (".svg", ".png")


@dataclass(frozen=True)
class Kept:
    """The rows of one topic with where they come from: the mode, whether the topic ran to its end, the command, the machine."""

    topic: str
    mode: str
    complete: bool
    machine: Mapping[str, Any]
    rows: tuple[Row, ...]

    @property
    def command(self) -> str:
        """What makes these rows again."""
        return f"python -m benchmarks {'--quick ' if self.mode == 'quick' else ''}{self.topic}"

    def path(self, folder: Path, suffix: str) -> Path:
        """The file of this topic, mode and completeness."""
        return folder / self.mode / f"{self.topic}{'' if self.complete else '.partial'}{suffix}"


# -- the machine


def machine() -> dict[str, Any]:
    """What the figures were measured on; nothing that tells whose machine it is."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
    }


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def version(package: str) -> str:
    """The installed version of a package, or ``missing``."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


# -- writing and reading


def write(path: Path, text: str) -> None:
    """Writes a text whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def save(kept: Kept, folder: Path) -> None:
    """Writes the JSON and the table; a complete result takes the place of the partial one."""
    data = {
        "topic": kept.topic,
        "mode": kept.mode,
        "complete": kept.complete,
        "command": kept.command,
        "machine": dict(kept.machine),
        "rows": [row.as_dict() for row in kept.rows],
    }
    write(kept.path(folder, ".json"), json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    write(kept.path(folder, ".md"), page(kept))
    if kept.complete:
        for suffix in (".json", ".md"):
            (folder / kept.mode / f"{kept.topic}.partial{suffix}").unlink(missing_ok=True)


def load(path: Path) -> Kept:
    """Reads what :func:`save` wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Kept(data["topic"], data["mode"], data["complete"], data["machine"], tuple(map(row_of, data["rows"])))


def best_of(topic: str, folder: Path) -> Kept | None:
    """The best result that is kept of a topic: a complete one before a partial one, a full one before a quick one."""
    for partial in ("", ".partial"):
        for mode in MODES:
            path = folder / mode / f"{topic}{partial}.json"
            if path.exists():
                return load(path)
    return None


# -- one topic


def page(kept: Kept) -> str:
    """One topic as a Markdown page."""
    about = kept.machine
    versions = ", ".join(f"{package} {number}" for package, number in about["versions"].items())
    state = "" if kept.complete else f" **Interrupted: only the first {len(kept.rows)} rows.**"
    lines = [
        f"# {kept.topic}",
        "",
        f"Made by `{kept.command}` on {about['processor']}, {about['cores']} cores, {about['system']}, Python {about['python']}, "
        f"{versions}.{state}",
        "",
        "A figure is the median (least to most), unless its row names another. A ratio is the time of cpsolve divided by the time of the",
        "peer on the same inputs in the same run: below 1 cpsolve is faster. `>` marks a time limit that was reached.",
        "",
        table(kept.rows),
        "",
    ]
    lines += stops_table(kept.rows)
    return "\n".join(lines)


def table(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | cpsolve | peer | peer's time | ratio | target | note |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        theirs = "missing" if row.missing else "–" if row.theirs is None else str(row.theirs)
        cells = (row.name, str(row.ours), row.peer or "none", theirs, row.ratio_text, row.target, row.note)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Stop:
    """How far a method came in a series: the largest size it solved, if any, and the size at which it stopped, if it did."""

    series: str
    unit: str
    method: str
    solved: int | None
    stopped: int | None
    limit: float | None


def stops(rows: Iterable[Row]) -> list[Stop]:
    """For each series and method, cpsolve last, where it stops.

    >>> from benchmarks.measure import timing
    >>> fast, slow = timing([0.1]), timing([2.0], limit=2)
    >>> rows = [Row("", fast, "dfs", took, series="stairs", size=size, unit="steps") for size, took in ((1, fast), (2, slow))]
    >>> [(stop.method, stop.solved, stop.stopped) for stop in stops(rows)]
    [('dfs', 1, 2), ('cpsolve', 2, None)]
    """
    found: dict[tuple[str, str], Stop] = {}
    listed = [row for row in rows if row.series]
    sides = [(row, row.peer, row.theirs) for row in listed if row.peer] + [(row, "cpsolve", row.ours) for row in listed]
    for row, method, took in sides:
        if took is None:
            continue
        known = found.get((row.series, method), Stop(row.series, row.unit, method, None, None, None))
        if took.stopped:
            known = Stop(row.series, row.unit, method, known.solved, row.size, took.seconds)
        else:
            known = Stop(row.series, row.unit, method, row.size, known.stopped, known.limit)
        found[row.series, method] = known
    order = list(dict.fromkeys(row.series for row in listed))
    return sorted(found.values(), key=lambda stop: order.index(stop.series))


def stops_table(rows: Sequence[Row]) -> list[str]:
    """Where each method stops, as lines of Markdown; none without a series."""
    found = stops(rows)
    if not found:
        return []
    lines = ["## Where each method stops", "", "| series | method | solved up to | stopped at |", "|---|---|---|---|"]
    for stop in found:
        solved = "nothing" if stop.solved is None else f"{stop.solved:,} {stop.unit}"
        stopped = "not met" if stop.stopped is None else f"{stop.stopped:,} {stop.unit}, limit {stop.limit:g} s"
        lines.append(f"| {stop.series} | {stop.method} | {solved} | {stopped} |")
    return [*lines, ""]


# -- all topics


def overview(summaries: Mapping[str, str], folder: Path) -> str:
    """One page over the best results kept of all topics: a table, then each topic with its plot."""
    found = [kept for kept in (best_of(topic, folder) for topic in summaries) if kept is not None]
    lines = [
        "# Benchmarks",
        "",
        "Written by `python -m benchmarks`. A ratio is the time of cpsolve divided by the time of the peer on the same inputs in the same",
        "run: below 1 cpsolve is faster. Where a side reached its time limit the ratio is a bound, and counts as such.",
        "",
        "| topic | peer | comparisons | cpsolve faster in | ratio: median (least to most) | peer reached its limit in | run |",
        "|---|---|---|---|---|---|---|",
    ]
    for kept in found:
        lines += _summary_lines(kept)
    for kept in found:
        lines += ["", f"## {kept.topic}", "", f"{summaries[kept.topic]}."]
        about = kept.machine
        where = f"{kept.mode}/{kept.path(folder, '').name}"
        made = f"`{kept.command}` on {about['processor']}, {about['cores']} cores, Python {about['python']}"
        lines += ["", f"[Table]({where}.md), [data]({where}.json): {made}{'' if kept.complete else '; interrupted'}."]
        absent = sorted({row.peer for row in kept.rows if row.missing})
        if absent:
            lines += ["", f"Missing: {', '.join(absent)}."]
        if stops(kept.rows):
            lines += ["", *(line.replace("## ", "### ") for line in stops_table(kept.rows))][:-1]
        if kept.complete and kept.path(folder, ".svg").exists():
            lines += ["", f"![{kept.topic}: times of cpsolve and its peers]({where}.svg)"]
    if (folder / "minesweeper_campaigns.md").exists():
        lines += ["", "How often the Minesweeper agents win: [minesweeper_campaigns.md](minesweeper_campaigns.md)."]
    return "\n".join(lines) + "\n"


def _summary_lines(kept: Kept) -> list[str]:
    """One line for each peer of a topic."""
    run = kept.mode if kept.complete else f"{kept.mode}, interrupted"
    lines = []
    for peer in dict.fromkeys(row.peer for row in kept.rows if row.peer):
        rows = [row for row in kept.rows if row.peer == peer]
        known = [row for row in rows if row.ratio is not None]
        if not known:
            lines.append(f"| {kept.topic} | {peer} | {'missing' if rows[0].missing else '0'} | – | – | – | {run} |")
            continue
        ratios = [row.ratio for row in known if row.ratio is not None]
        faster = sum(ratio < 1 for ratio in ratios)
        limited = sum(row.theirs is not None and row.theirs.stopped for row in known)
        least, most = (pick(known, key=lambda row: row.ratio or 0.0).ratio_text for pick in (min, max))
        middle = f"{statistics.median(ratios):.3g} ({least} to {most})" if len(known) > 1 else known[0].ratio_text
        lines.append(f"| {kept.topic} | {peer} | {len(known)} | {faster} | {middle} | {limited} | {run} |")
    alone = sum(not row.peer for row in kept.rows)
    if alone:
        lines.append(f"| {kept.topic} | none | {alone} alone | – | – | – | {run} |")
    return lines

"""Runs the benchmarks, prints their tables, and keeps the results as they come."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, markdown

TOPICS = ("modelling", "counting", "routes", "minesweeper", "four_in_a_line", "center")
RESULTS = Path(__file__).parent / "results"
PACKAGES = ("cpsolve", "ortools", "python-constraint2", "numpy", "numba", "cpmpy", "clingo", "graphillion", "ms-toollib", "bitbully")


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "missing"
    return {
        "when": datetime.now(UTC).isoformat(timespec="minutes"),
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "versions": versions,
    }


def save(topic: str, rows: list[Row], quick: bool, folder: Path) -> None:
    """Writes a topic's rows as JSON and as a Markdown table."""
    folder.mkdir(parents=True, exist_ok=True)
    about = machine()
    data = {"topic": topic, "quick": quick, "machine": about, "rows": [row.as_dict() for row in rows]}
    (folder / f"{topic}.json").write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    versions = ", ".join(f"{package} {version}" for package, version in about["versions"].items())
    head = f"# {topic}\n\nPython {about['python']}, {about['cores']} cores, {versions}. Medians ± spread.\n\n"
    (folder / f"{topic}.md").write_text(head + markdown(rows) + "\n", encoding="utf-8")


def main() -> None:
    """The command ``python -m benchmarks``."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, epilog="example: python -m benchmarks --quick modelling"
    )
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"what to run: {', '.join(TOPICS)} (all)")
    parser.add_argument("--quick", action="store_true", help="smaller inputs, under two minutes in all")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder of the results (benchmarks/results)")
    options = parser.parse_args()
    unknown = [topic for topic in options.topics if topic not in TOPICS]
    if unknown:
        parser.error(f"there is no topic {unknown[0]!r}; there are {', '.join(TOPICS)}")
    try:
        for topic in options.topics or TOPICS:
            print(f"{topic} …", file=sys.stderr)
            rows = importlib.import_module(f"benchmarks.{topic}").run(options.quick)
            save(topic, rows, options.quick, options.output)
            print(f"\n## {topic}\n\n{markdown(rows)}")
    except KeyboardInterrupt:
        print(f"interrupted; finished topics are in {options.output}", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()

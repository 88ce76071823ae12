"""How far a run is, on stderr: a bar on a terminal, a plain line for each row elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from benchmarks.measure import Row


def describe(row: Row) -> str:
    """One row in one line.

    >>> from benchmarks.measure import timing
    >>> describe(Row("a sum", timing([0.1]), "paper", timing([0.2])))
    'a sum: 100 ms, paper 200 ms, ratio 0.5'
    """
    if row.missing:
        return f"{row.name}: {row.ours}, {row.peer} is missing"
    return f"{row.name}: {row.ours}" + (f", {row.peer} {row.theirs}, ratio {row.ratio_text}" if row.peer else "")


class TopicProgress:
    """Shows one topic, the ``number``-th of ``total``, while it runs.

    >>> with TopicProgress("counting", 2, 7) as progress:
    ...     pass
    """

    def __init__(self, topic: str, number: int, total: int) -> None:
        self._topic, self._number, self._total = topic, number, total
        self._rows = 0
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> TopicProgress:
        if sys.stderr.isatty():
            last = TextColumn("{task.fields[last]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
            columns = (TextColumn("{task.description}"), BarColumn(20), TimeElapsedColumn(), last)
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, expand=True)
            self._bar.start()
            described = f"{self._topic} ({self._number} of {self._total})"
            self._task = self._bar.add_task(described, total=self._total, completed=self._number - 1, last="")
        else:
            print(f"{self._topic} ({self._number} of {self._total}) …", file=sys.stderr, flush=True)
        return self

    def row(self, row: Row) -> None:
        """One more row is measured."""
        self._rows += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, last=f"{self._rows} rows, last {row.name}")
        else:
            print(f"  {describe(row)}", file=sys.stderr, flush=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

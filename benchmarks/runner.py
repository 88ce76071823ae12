"""Runs topics one after the other and keeps every row as soon as it is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks import record
from benchmarks.measure import Row
from benchmarks.progress import TopicProgress
from benchmarks.record import Kept

Run = Callable[[bool], Iterator[Row]]
"""A topic: given whether to be quick, it measures one row after the other."""


class Interrupted(Exception):
    """Ctrl-C; the message says what was kept."""


def run_topics(topics: Mapping[str, Run], quick: bool, folder: Path, when_done: Callable[[Kept], None]) -> None:
    """Runs topics, keeps their rows in ``folder`` and hands each finished topic on; Interrupted tells what a Ctrl-C left."""
    about = record.machine()
    done: list[Kept] = []
    for number, (topic, run) in enumerate(topics.items(), 1):
        kept = Kept(topic, "quick" if quick else "full", False, about, ())
        try:
            with TopicProgress(topic, number, len(topics)) as progress:
                for row in run(quick):
                    kept = Kept(topic, kept.mode, False, about, (*kept.rows, row))
                    record.save(kept, folder)
                    progress.row(row)
            kept = Kept(topic, kept.mode, True, about, kept.rows)
            record.save(kept, folder)
            when_done(kept)
        except KeyboardInterrupt as interrupt:
            raise Interrupted(_what_was_kept(done, kept, folder)) from interrupt
        done.append(kept)


def _what_was_kept(done: list[Kept], last: Kept, folder: Path) -> str:
    finished = ", ".join(kept.topic for kept in done) or "none"
    text = f"interrupted in {last.topic}. Finished topics: {finished}."
    if last.rows and not last.complete:
        text += f" The first {len(last.rows)} rows of {last.topic} are in {last.path(folder, '.md')}."
    return text

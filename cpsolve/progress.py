"""One line of progress on stderr for work that takes longer than a second; silent when stderr is not a terminal.

There is one such line at a time: work inside other work speaks through the line of the outer one. A program that shows progress
elsewhere, as a page does, listens to the searches that it starts: :func:`listening`.
"""

from __future__ import annotations

import _thread
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import ClassVar

Listener = Callable[[int], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(tell: Listener) -> Iterator[None]:
    """While the body runs, searches that it starts call ``tell`` with the number of states looked at so far, every few hundred.

    >>> from cpsolve.puzzles.garden import Garden
    >>> from cpsolve.puzzles.search import bfs
    >>> heard = []
    >>> with listening(heard.append):
    ...     plan = bfs(Garden("S" + 299 * "." + "E"))
    >>> heard, plan.stats["states"]
    ([0, 256], 300)
    """
    token = _listener.set(tell)
    try:
        yield
    finally:
        _listener.reset(token)


def listener() -> Listener | None:
    """Whoever listens now, if anybody does.

    >>> listener() is None
    True
    """
    return _listener.get()


class Progress:
    """Shows ``label`` and whatever ``update`` says, a few times a second, and clears the line at the end.

    With ``ticking`` the line appears, and its seconds go on, also while nothing is said.

    >>> with Progress("counting", enabled=False) as progress:
    ...     progress.update("layer 3 of 9")
    """

    PATIENCE = 1.0
    PERIOD = 0.2
    WAITING = "Ctrl-C stops it"
    """What stands behind the label of work that says nothing."""

    _outermost: ClassVar[Progress | None] = None

    def __init__(self, label: str, enabled: bool = True, ticking: bool = False) -> None:
        self.label = label
        self.enabled = enabled and sys.stderr is not None and sys.stderr.isatty()  # a program without a console has none
        self._start = self._last = time.monotonic()
        self._text = self.WAITING
        self._shown = 0
        self._outer: Progress | None = None
        self._ticking = ticking and self.enabled
        self._done: SimpleQueue[None] = SimpleQueue()  # events and threads are Python code, which Ctrl-C could leave half done
        self._ended: SimpleQueue[None] = SimpleQueue()

    def update(self, text: str) -> None:
        """Says how far the work is; cheap to call often."""
        if not self.enabled:
            return
        if self._outer is not None:
            self._outer.update(f"{self.label}: {text}")
            return
        self._text = text
        now = time.monotonic()
        if now - self._start < self.PATIENCE or now - self._last < self.PERIOD:
            return
        self._last = now
        line = f"{self.label}: {now - self._start:.0f} s, {text}"[: self._room()]
        sys.stderr.write("\r" + line.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(line)

    def _tick(self) -> None:
        while True:
            try:
                self._done.get(timeout=self.PERIOD)
            except Empty:
                self.update(self._text)
            else:
                self._ended.put(None)
                return

    def _room(self) -> int:
        """The characters of a line: one that wraps could not be written over. Some terminals do not know and say 0."""
        try:
            return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
        except OSError:  # a stream that calls itself a terminal and is none
            return 79

    def __enter__(self) -> Progress:
        self._outer = Progress._outermost
        if self._outer is None and self.enabled:
            Progress._outermost = self
            if self._ticking:
                _thread.start_new_thread(self._tick, ())
        else:
            self._ticking = False
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if Progress._outermost is self:
            Progress._outermost = None
        if self._ticking:
            self._done.put(None)
            self._ended.get()
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

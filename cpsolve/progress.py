"""One line of progress on stderr for work that takes longer than a second; silent when stderr is not a terminal."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType


class Progress:
    """Shows ``label`` and whatever ``update`` is told, a few times a second, and clears the line at the end.

    >>> with Progress("counting", enabled=False) as progress:
    ...     progress.update("layer 3 of 9")
    """

    PATIENCE = 1.0
    PERIOD = 0.2

    def __init__(self, label: str, enabled: bool = True) -> None:
        self.label = label
        self.enabled = enabled and sys.stderr.isatty()
        self._start = self._last = time.monotonic()
        self._shown = 0

    def update(self, text: str) -> None:
        """Tells how far the work is; cheap to call often."""
        if not self.enabled:
            return
        now = time.monotonic()
        if now - self._start < self.PATIENCE or now - self._last < self.PERIOD:
            return
        self._last = now
        line = f"{self.label}: {now - self._start:.0f} s, {text}"[: self._room()]
        sys.stderr.write("\r" + line.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(line)

    def _room(self) -> int:
        """The characters of a line: one that wraps could not be written over. Some terminals do not know and say 0."""
        try:
            return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
        except OSError:  # a stream that calls itself a terminal and is none
            return 79

    def __enter__(self) -> Progress:
        return self

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

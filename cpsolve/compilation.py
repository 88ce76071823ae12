"""A word on the terminal while numba makes machine code: seconds on the first run of a machine, nothing in later ones.

Every module of kernels calls :func:`announce` when it is loaded; numba then tells when it begins a function and when it is done.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba.core import event

from cpsolve.code_cache import be_careful
from cpsolve.progress import Progress


class _Announcer(event.Listener):
    """Shows one line from the first function that is begun until the last one open is done."""

    def __init__(self) -> None:
        self._open = 0
        self._progress = Progress("compiling for this machine, once")

    def on_start(self, event: Any) -> None:
        """A function is begun, perhaps inside another."""
        if self._open == 0:
            self._progress = Progress(self._progress.label).__enter__()
        self._open += 1
        self._progress.update(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """A function is done."""
        self._open -= 1
        if self._open == 0:
            self._progress.__exit__(None, None, None)


@cache
def announce() -> None:
    """From now on tells on the terminal, once compiling has taken a second, that it does. May be called again and again.

    >>> announce()
    """
    be_careful()
    event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

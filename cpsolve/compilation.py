"""A word on standard error while numba makes machine code: on the first run of a machine that takes a minute, in later ones nothing.

On a terminal it is a line that comes after a second and goes; elsewhere, in a log say, one line that stays. Every module of kernels calls
:func:`announce` when it is loaded; numba then tells when it begins a function and when it is done.
"""

from __future__ import annotations

import multiprocessing
import sys
from functools import cache
from typing import Any

from numba.core import event

from cpsolve.code_cache import be_careful
from cpsolve.limits import loading
from cpsolve.progress import Progress


class _Announcer(event.Listener):
    """Shows one line from the first function that is begun until the last one open is done."""

    def __init__(self) -> None:
        self._open = 0
        self._told = multiprocessing.parent_process() is not None  # where several work together the first one speaks for all
        self._progress = Progress("compiling for this machine, once")
        self._loading = loading()

    def on_start(self, event: Any) -> None:
        """A function is begun, perhaps inside another."""
        if self._open == 0:
            self._progress = Progress(self._progress.label).__enter__()
            self._loading = loading()
            self._loading.__enter__()
        self._open += 1
        function = event.data["dispatcher"]
        self._progress.update(function.py_func.__name__)
        if not self._told and not self._progress.enabled and sys.stderr is not None and function.stats.cache_path is not None:
            self._told = True
            print(
                f"cpsolve: {self._progress.label}: this may take a minute (cpsolve warm-up does it beforehand)", file=sys.stderr, flush=True
            )

    def on_end(self, event: Any) -> None:
        """A function is done."""
        self._open -= 1
        if self._open == 0:
            self._loading.__exit__(None, None, None)
            self._progress.__exit__(None, None, None)


@cache
def announce() -> None:
    """From now on tells that something is compiled, when it is. May be called again and again.

    >>> announce()
    """
    be_careful()
    event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

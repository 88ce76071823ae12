"""The files in which numba keeps machine code between runs: where they cannot be kept, or were damaged, things are slower, not broken.

numba itself gives up: when no folder can be written (a read-only installation and no home), when a file was cut off, when the disk is
full. Here each means compiling anew, with one line on standard error that says why.
"""

from __future__ import annotations

import atexit
import pickle
import shutil
import sys
import tempfile
from functools import cache
from typing import Any

import numba
from numba.core import dispatcher
from numba.core.caching import FunctionCache

from cpsolve import limits

DAMAGED = (OSError, EOFError, pickle.UnpicklingError, ValueError, TypeError, AttributeError, ImportError, IndexError, KeyError)
"""What reading a file of code may raise that was cut off, overwritten, or written by another version."""


class CarefulCache(FunctionCache):
    """numba's cache of a function, in which failing to read or write is the same as not having the code."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None when there is none that can be read."""
        try:
            with limits.loading():
                return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except DAMAGED as error:
            _tell(f"compiled code cannot be read ({type(error).__name__}): compiling it again")
            try:
                self.flush()  # type: ignore[no-untyped-call]
            except OSError as trouble:
                _tell(f"nor can it be replaced: {trouble}")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps the code for a signature, if that can be done."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            _tell(f"compiled code cannot be kept ({error}): the next run compiles it again; NUMBA_CACHE_DIR may name a folder with room")


@cache
def _tell(message: str) -> None:
    """One line, once."""
    print(f"cpsolve: {message}", file=sys.stderr)


@cache
def be_careful() -> None:
    """From now on functions are compiled whatever the state of the files; may be called again and again.

    >>> be_careful()
    """
    setattr(dispatcher, "FunctionCache", CarefulCache)  # noqa: B010 - a name that numba imports, not its own
    try:
        numba.njit(cache=True)(_nothing)
    except RuntimeError:  # numba has looked everywhere
        folder = tempfile.mkdtemp(prefix="cpsolve-")
        setattr(numba.config, "CACHE_DIR", folder)  # noqa: B010 - numba declares its settings in words only
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        _tell("compiled code cannot be kept: no folder for it can be written. NUMBA_CACHE_DIR may name one; without it every run compiles")


def _nothing() -> None:
    """A function to try it with."""

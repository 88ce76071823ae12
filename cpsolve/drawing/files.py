"""Pictures and films in files: what a suffix stands for, and files that are whole or not there.

A file is written beside its place under another name and then renamed, so that nobody ever reads half of one, and a failure leaves
what was there before.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from cpsolve.errors import ModelError


def save(path: str | Path, kinds: Mapping[str, Callable[[], bytes]], what: str) -> None:
    """Writes the kind of file that the suffix names; ModelError, and no file, for a suffix that is not among ``kinds``.

    >>> save("board.doc", {".svg": bytes, ".png": bytes}, "a picture")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: a picture is saved as .svg, .png, by the suffix of the file: cannot save 'board.doc'
    """
    make = kinds.get(Path(path).suffix.lower())
    if make is None:
        raise ModelError(f"{what} is saved as {', '.join(kinds)}, by the suffix of the file: cannot save {str(path)!r}")
    write(path, make())


def write(path: str | Path, data: bytes) -> None:
    """Writes a file at once: all of it, or nothing."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # a device or a pipe has no name to be renamed to
        target.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _umask() -> int:
    """The permissions that this process takes away from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

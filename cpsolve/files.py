"""Files: text that can be trusted to be text, what a suffix stands for, and files that are whole or not there.

What is read is a file of bounded size, in UTF-8; anything else is refused before it is taken in, with the place of the first wrong byte.
A file is written beside its place under another name and then renamed, so that nobody ever reads half of one, and a failure leaves
what was there before.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import BinaryIO

from cpsolve.errors import FormatError, ModelError

MOST_BYTES = 8_000_000
"""The longest text that is read: a board of a million cells, with some air."""


def read(path: str | Path) -> str:
    """The text of a file; OSError when there is none, ModelError for what is no file or too long, FormatError for what is no text.

    >>> read(os.devnull)
    Traceback (most recent call last):
    cpsolve.errors.ModelError: expected a file, found a device, a pipe or a folder; what another program writes is read as standard input
    """
    _check_name(path)
    # without waiting for a writer: a pipe that nobody fills would keep us for ever
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ModelError("expected a file, found a device, a pipe or a folder; what another program writes is read as standard input")
        return text_of(file)


def text_of(file: BinaryIO) -> str:
    """All the text of a file that is open, to its end.

    >>> from io import BytesIO
    >>> text_of(BytesIO(b"1 2\\r\\n3"))
    '1 2\\n3'
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ModelError(f"it is longer than {MOST_BYTES:,} bytes: no board is")
    return decoded(data)


def decoded(data: bytes) -> str:
    """UTF-8 as text, with or without a byte order mark; every kind of line end becomes one.

    >>> decoded(b"ok\\nno\\xff")
    Traceback (most recent call last):
    cpsolve.errors.FormatError: line 2, column 3: expected UTF-8 text, found the byte ff (invalid start byte)
    """
    try:
        return _lines(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = _lines(error.object[: error.start].decode("utf-8"))
        found = f"found the byte {error.object[error.start]:02x} ({error.reason})"
        raise FormatError(f"expected UTF-8 text, {found}", before.count("\n") + 1, len(before) - before.rfind("\n")) from error


def _lines(text: str) -> str:
    """A text with one kind of line end."""
    return StringIO(text, newline=None).read()


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
    """Writes a file at once: all of it, or nothing; OSError when that cannot be, ModelError for what is no name of a file.

    A name of standard output or standard error, and of the device that forgets everything, is written to; other devices and pipes are
    refused: one that nobody reads would keep us for ever.

    >>> write(os.devnull, b"forgotten")
    """
    _check_name(path)
    target = Path(os.path.realpath(path))
    with suppress(FileNotFoundError):
        found = os.stat(path)  # of the path, not the target: the name of a stream leads to what is none
        open_stream = _stream(found)
        if open_stream is not None or os.path.samestat(found, os.stat(os.devnull)):
            _pour(data, os.devnull if open_stream is None else open_stream)
            return
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise ModelError(f"cannot write {path}: expected a file, found a device or a pipe")
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".cpsolve-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)  # a name for what is not on the disk yet would be half a file after a crash
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _stream(found: os.stat_result) -> int | None:
    """The number of the standard stream that this is, if it is one: 1 or 2."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with suppress(OSError):  # it is closed
            if os.path.samestat(found, os.fstat(number)):
                if stream is not None:
                    stream.flush()  # what was said before comes before
                return number
    return None


def _pour(data: bytes, where: int | str) -> None:
    """Writes to what is no file, as much at a time as it takes."""
    with open(where, "wb", closefd=isinstance(where, str)) as file:
        file.write(data)


def _check_name(path: str | Path) -> None:
    """No system has files with NUL in their names, and Python says so by a plain ValueError."""
    if "\0" in str(path):
        raise ModelError(f"a path cannot hold the character NUL: {str(path)!r:.60}")


def _umask() -> int:
    """The permissions that this process takes away from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

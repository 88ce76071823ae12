"""Journals: files to which the results of a long run are added as they come, so that a run that was stopped goes on from there.

A journal is lines of JSON. The first says which format this is and of what run; every other line holds one record and its checksum. Only
one process writes to a journal at a time, and what :meth:`Journal.add` was given is on the disk when it returns. A last line that was cut
off, by a crash or a full disk, is dropped; any other line that is not what was written is refused by its number.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, Generic, TypeVar
from zlib import crc32

from cpsolve.errors import FormatError, ModelError

FORMAT = 1
"""The version of the format; another one is refused."""
LONGEST = 16_000_000
"""Bytes of a line, at most: what is no journal is refused before it fills the memory."""

T = TypeVar("T")


class Journal(Generic[T]):
    """A journal that is open for more: ``records`` are those that it held when it was opened."""

    def __init__(self, file: IO[bytes], records: list[T]) -> None:
        self._file = file
        self.records = records

    def add(self, records: Iterable[Any]) -> None:
        """Puts further records, plain values that JSON knows, at the end; they are safe when this returns."""
        self._file.write(b"".join(line({"record": record}) for record in records))
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def journal(path: str | Path, run: Any, make: Callable[[Any], T], resume: bool = False) -> Iterator[Journal[T]]:
    """Opens the journal of a run, whose description is ``run``; ``make`` checks a record and makes a value of it, or raises ValueError.

    A file that exists already is used only to ``resume``, and only if it is of the same run; ModelError says what is in the way, and
    FormatError which line is no record.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for number in (1, 2):
    ...         with journal(Path(folder) / "run.jsonl", {"seed": 7}, int, resume=True) as kept:
    ...             kept.add([10 * number])
    ...     with journal(Path(folder) / "run.jsonl", {"seed": 7}, int, resume=True) as kept:
    ...         kept.records
    [10, 20]
    """
    path = Path(path)
    with open(path, "a+b") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ModelError(f"{path} is a device or a pipe, and a journal is a file: choose another path")
        if not _lock(file):
            raise ModelError(f"another process is writing to {path}: wait for it, or choose another path")
        file.seek(0)
        if not resume and file.read(1):
            raise ModelError(f"{path} exists: pass resume=True to go on from there, or another path")
        records, length = read(path, run, make)
        file.truncate(length)
        if not length:
            file.write(line({"journal": FORMAT, "run": run}))
            file.flush()
        yield Journal(file, records)


def read(path: str | Path, run: Any, make: Callable[[Any], T]) -> tuple[list[T], int]:
    """The records of a journal, and how many of its bytes are whole lines: a last line that was cut off is none."""
    records: list[T] = []
    length = 0
    for number, text in enumerate(_lines(path), start=1):
        with _at(path, number):
            held = _checked(text)
            if number > 1:
                records.append(make(held["record"]))
            else:
                version, found = itemgetter("journal", "run")(held)
        if number == 1:
            _compare(path, version, found, run)
        length += len(text)
    return records, length


def _lines(path: str | Path) -> Iterator[bytes]:
    """The lines of a file that have an end; of one that is too long as much as shows it."""
    with open(path, "rb") as file:
        while (text := file.readline(LONGEST + 1)).endswith(b"\n") or len(text) > LONGEST:
            yield text


@contextmanager
def _at(path: str | Path, number: int) -> Iterator[None]:
    """Errors inside are about a line, and say so."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        told = f"{type(error).__name__}: {str(error)[:100]}"
        raise FormatError(f"{path} is no journal, or was changed since it was written ({told})", number) from error


def line(held: dict[str, Any]) -> bytes:
    """A line of a journal: what it holds, and the checksum of that.

    >>> line({"record": 3})
    b'{"record":3,"crc":"e46fcd9c"}\\n'
    """
    return _text({**held, "crc": _checksum(held)}) + b"\n"


def _text(held: dict[str, Any]) -> bytes:
    return json.dumps(held, separators=(",", ":"), allow_nan=False).encode("ascii")


def _checksum(held: dict[str, Any]) -> str:
    return f"{crc32(_text(held)):08x}"


def _checked(text: bytes) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise ValueError(f"the line is longer than {LONGEST:,} bytes")
    held = json.loads(text)
    if not isinstance(held, dict) or held.pop("crc", None) != _checksum(held):
        raise ValueError("the checksum is not that of the line")
    return held


def _compare(path: str | Path, version: Any, found: Any, run: Any) -> None:
    if version != FORMAT:
        raise ModelError(f"{path} is a journal of format {version!r}, expected {FORMAT}: another version of cpsolve wrote it")
    wanted = json.loads(json.dumps(run))
    if found == wanted:
        return
    if isinstance(found, dict) and isinstance(wanted, dict):
        names = [name for name in {**wanted, **found} if found.get(name) != wanted.get(name)]
        differs = ", ".join(f"{name} is {found.get(name)!r} there and {wanted.get(name)!r} here" for name in names)
    else:
        differs = f"{found}, not {run}"
    raise ModelError(f"{path} is of another run: {differs}. Choose another path, or the same settings")


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> bool:
        """Keeps other processes out until the file is closed; whether that could be done."""
        file.seek(1 << 40)  # a place beyond all lines: what is locked cannot be read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        """Keeps other processes out until the file is closed; whether that could be done."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

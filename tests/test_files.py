"""Files that are no boards: bytes that are no text, pipes and devices, texts without end, signs that steer a terminal; and bugs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpsolve import files
from cpsolve.errors import FormatError, ModelError
from cpsolve.words import printable

NO_TEXT = b"[[1,1]],\n[[1,\xff"


def cpsolve(*words: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "cpsolve", *words], input=given, capture_output=True, env={**os.environ, **environment}, timeout=120
    )


@given(lines=st.lists(st.text("a\u00e9\u2603", max_size=4), max_size=4), end=st.sampled_from(["\n", "\r", "\r\n"]), rest=st.binary())
def test_the_first_byte_that_is_no_text_is_told_by_its_place(lines: list[str], end: str, rest: bytes) -> None:
    with pytest.raises(FormatError) as told:
        files.decoded(end.join([*lines, "last"]).encode() + b"\xff" + rest)
    assert (told.value.line, told.value.column) == (len(lines) + 1, 5)


@given(text=st.text())
def test_a_text_is_read_with_one_kind_of_line_end(text: str) -> None:
    assert files.decoded(b"\xef\xbb\xbf" + text.encode()) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_the_command_tells_where_a_file_is_no_text() -> None:
    ended = cpsolve("solve", "pacman", "-", given=NO_TEXT)
    assert ended.returncode == 2
    assert b"standard input: line 2, column 5: expected UTF-8 text" in ended.stderr


def test_a_typed_line_that_is_no_text_is_refused_and_the_game_goes_on() -> None:
    ended = cpsolve("play", "center", "--size", "5", given=b"\xff\x1b[2J\nq\n", PYTHONIOENCODING="utf-8:strict")
    assert ended.returncode == 0
    assert b"Traceback" not in ended.stderr
    assert b"\x1b" not in ended.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names, and devices")
def test_pipes_devices_and_folders_are_no_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody writes to it: opening it would wait for ever
    for path in (pipe, "/dev/zero"):
        with pytest.raises(ModelError, match="expected a file"):
            files.read(path)
    with pytest.raises(OSError, match="directory"):
        files.read(tmp_path)


def test_a_text_without_end_is_refused_after_its_first_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    with path.open("wb") as file:
        file.truncate(files.MOST_BYTES + 1)
    with pytest.raises(ModelError, match="longer than"):
        files.read(path)


@given(text=st.text())
def test_what_is_printable_steers_no_terminal(text: str) -> None:
    shown = printable(text)
    assert all(sign.isprintable() or sign in "\n\t" for sign in shown)
    assert printable(shown) == shown


def test_a_file_name_cannot_steer_the_terminal() -> None:
    ended = cpsolve("solve", "pacman", "missing\x1b[2J.pl")
    assert ended.returncode == 2
    assert b"\x1b" not in ended.stderr
    assert rb"missing\x1b[2J.pl" in ended.stderr


BROKEN = """
import sys
from cpsolve.app import command
from cpsolve.app.command import backends
def broken(data):
    raise ZeroDivisionError("a bug\\nin two lines")
backends.give = broken
sys.argv = ["cpsolve", "backends", "--json"]
command.main()
"""


@pytest.mark.parametrize("asked", ["", "1"])
def test_a_bug_is_one_line_and_an_exit_code_of_its_own(asked: str) -> None:
    environment = {**os.environ, "CPSOLVE_TRACEBACK": asked}
    ended = subprocess.run([sys.executable, "-c", BROKEN], capture_output=True, text=True, env=environment, timeout=120)
    assert ended.returncode == 70
    *before, last = ended.stderr.splitlines()
    assert last.startswith("cpsolve: internal error, no fault of yours: ZeroDivisionError: a bug in two lines.")
    assert bool(before) == bool(asked)
    assert ("CPSOLVE_TRACEBACK=1" in last) == (not asked)


def test_a_path_with_a_nul_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="a path cannot hold the character NUL"):
        files.read("board\0.txt")
    with pytest.raises(ModelError, match="a path cannot hold the character NUL"):
        files.write(tmp_path / "board\0.txt", b"")


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes with names, and devices")


@POSIX
def test_a_pipe_that_nobody_reads_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "picture.svg"
    os.mkfifo(pipe)
    ended = cpsolve("solve", "pacman", "--svg", str(pipe))
    assert ended.returncode == 2
    assert b"expected a file, found a device or a pipe" in ended.stderr


@POSIX
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full"])
def test_a_device_is_not_written_to(device: str) -> None:
    with pytest.raises(ModelError, match="found a device or a pipe"):
        files.write(device, b"1")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no names of streams")
def test_the_names_of_streams_are_those_streams(tmp_path: Path) -> None:
    words = ("solve", "pacman", "--svg")
    picture = cpsolve(*words, "-").stdout
    assert cpsolve(*words, "/dev/stderr").stderr == picture
    with (tmp_path / "both.txt").open("wb") as both:
        subprocess.run([sys.executable, "-m", "cpsolve", *words, "/dev/stdout"], stdout=both, check=True)
    for whole in (cpsolve(*words, "/dev/stdout").stdout, (tmp_path / "both.txt").read_bytes()):
        assert whole.startswith(picture)
        assert b"14 moves" in whole.removeprefix(picture)


def test_a_file_may_have_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / f"{251 * 'x'}.svg"
    files.write(path, b"1")
    assert path.read_bytes() == b"1"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    sync, replace = os.fsync, os.replace

    def noted(handle: int) -> None:
        sync(handle)
        kept.append(os.fstat(handle).st_ino)

    def named(source: str, target: Path) -> None:
        assert kept == [os.stat(source).st_ino]
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "replace", named)
    files.write(tmp_path / "board.txt", b"1")
    assert (tmp_path / "board.txt").read_bytes() == b"1"


def test_a_folder_is_not_written_to_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        files.write(tmp_path / "folder", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]

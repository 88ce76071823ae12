"""Journals: what was added is there after every kind of accident, and nothing else is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpsolve.errors import FormatError, ModelError
from cpsolve.journal import journal, line, read

RUN = {"what": "squares", "seed": 7}


def number(record: object) -> int:
    if type(record) is not int or record < 0:
        raise ValueError(f"{record!r} is no number")
    return record


def kept(path: Path) -> list[int]:
    with journal(path, RUN, number, resume=True) as held:
        return held.records


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with journal(tmp_path / "run.jsonl", RUN, number) as held:
        held.add([1, 2])
        held.add([3])
    return tmp_path / "run.jsonl"


def test_records_come_back_in_order(path: Path) -> None:
    assert kept(path) == [1, 2, 3]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(1, 40))
def test_a_line_that_was_cut_off_is_dropped_and_written_over(path: Path, cut: int) -> None:
    whole = path.read_bytes()
    held = [1, 2, 3][: len(whole[:-cut].splitlines(keepends=True)[1:])]
    if not whole[:-cut].endswith(b"\n"):
        held = held[:-1]
    torn = path.with_name("torn.jsonl")
    torn.write_bytes(whole[:-cut])
    with journal(torn, RUN, number, resume=True) as again:
        assert again.records == held
        again.add([9])
    assert kept(torn) == [*held, 9]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_changed_byte_goes_unseen(path: Path, data: st.DataObject) -> None:
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte not in (whole[place], 10)))
    if whole[place] == 10:
        return  # two lines become one: the same as a changed byte in either
    changed = path.with_name("changed.jsonl")
    changed.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
    with pytest.raises((FormatError, ModelError)) as told:
        read(changed, RUN, number)
    if isinstance(told.value, FormatError):
        assert told.value.line == whole[:place].count(b"\n") + 1


@pytest.mark.parametrize("record", ["x", -1, None, {"deep": 1}, [[]]])
def test_a_record_that_makes_no_sense_is_refused_by_its_line(path: Path, record: object) -> None:
    path.write_bytes(path.read_bytes() + line({"record": record}))
    with pytest.raises(FormatError, match="line 5"):
        kept(path)


def test_deep_nesting_is_refused_by_its_line(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"[" * 100_000 + b"\n")
    with pytest.raises(FormatError, match="line 5"):
        kept(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without end")
def test_a_device_is_no_journal() -> None:
    with pytest.raises(ModelError, match="a journal is a file"):
        kept(Path("/dev/zero"))


def test_a_line_without_end_is_refused_before_it_is_read(path: Path) -> None:
    with path.open("ab") as file:
        file.truncate(path.stat().st_size + 1 + (1 << 32))  # a hole: it takes no room on the disk, and would take all in memory
    with pytest.raises(FormatError, match=r"line 5.*longer than"):
        kept(path)


def test_what_a_record_breaks_in_is_told_by_its_line(path: Path) -> None:
    with pytest.raises(FormatError, match=r"line 2.*OverflowError"):
        read(path, RUN, lambda record: float(10**400))


def test_another_run_and_another_version_are_refused(path: Path) -> None:
    with pytest.raises(ModelError, match="of another run"), journal(path, {**RUN, "seed": 8}, number, resume=True):
        pass
    path.write_bytes(line({"journal": 0, "run": RUN}))
    with pytest.raises(ModelError, match="format 0"):
        kept(path)


def test_a_file_is_used_again_only_to_resume(path: Path) -> None:
    with pytest.raises(ModelError, match="pass resume=True"), journal(path, RUN, number):
        pass
    assert kept(path) == [1, 2, 3]


def test_two_writers_never_share_a_journal(path: Path) -> None:
    with journal(path, RUN, number, resume=True) as held:
        with pytest.raises(ModelError, match="another process is writing"):
            kept(path)
        held.add([4])
    assert kept(path) == [1, 2, 3, 4]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_what_was_added_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "killed.jsonl"
    script = f"""
import itertools
from cpsolve.journal import journal
with journal({str(path)!r}, {RUN!r}, int) as held:
    for number in itertools.count():
        held.add([number])
        print(number, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(20)]
        os.kill(process.pid, signal.SIGKILL)
    records = kept(path)
    assert records[:20] == [int(each) for each in told] == list(range(20))
    assert json.loads(path.read_bytes().splitlines()[0])["run"] == RUN

"""Progress on a terminal: one line that is written over and leaves nothing behind."""

from __future__ import annotations

import os
import sys
from io import StringIO

import pytest

from cpsolve.progress import Progress


class FakeTerminal(StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2


def test_a_line_longer_than_the_terminal_is_cut_so_that_it_can_be_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((20, 24)))
    monkeypatch.setattr(Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(Progress, "PERIOD", 0.0)
    with Progress("counting") as progress:
        progress.update("layer 3 of 9, which is a long story")
    assert max(map(len, terminal.getvalue().split("\r"))) == 19
    assert terminal.getvalue().endswith("\r" + " " * 19 + "\r")


def test_work_inside_other_work_speaks_through_the_outer_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((80, 24)))
    monkeypatch.setattr(Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(Progress, "PERIOD", 0.0)
    with Progress("outer"), Progress("inner") as inner:
        inner.update("half")
        assert terminal.getvalue() == "\router: 0 s, inner: half"
    with Progress("later") as later:
        later.update("alone")
    assert "later: 0 s, alone" in terminal.getvalue()


def test_a_ticking_line_appears_while_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((80, 24)))
    monkeypatch.setattr(Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(Progress, "PERIOD", 0.001)
    with Progress("waiting", ticking=True):
        while "waiting" not in terminal.getvalue():
            pass
    assert terminal.getvalue().endswith("\r")

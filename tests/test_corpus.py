"""What the fuzz programs once found stays found: every input of the corpus is tried again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz import __main__
from fuzz.runner import replay

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(CORPUS.glob("*/*.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_failed_once_fails_no_more(path: Path) -> None:
    reply = replay(path, __main__.kinds_of(path.parent.name))
    assert not reply.failed, reply.told


def test_the_corpus_is_of_programs_that_there_are_and_small() -> None:
    assert KEPT
    for path in KEPT:
        kept = json.loads(path.read_text(encoding="utf-8"))
        assert kept["program"] == path.parent.name
        assert kept["program"] in __main__.PROGRAMS
        assert path.stat().st_size < 50_000
        assert 'File "/' not in kept["told"], f"{path.name} names a folder of the machine on which it failed"

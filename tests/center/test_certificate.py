"""Certificates: what they prove, and that the checker sees through false ones."""

from __future__ import annotations

import hashlib
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

import models.center.checker
from cpsolve.errors import ModelError
from models.center import CertificateError, Position, certify, check, solve
from tests.center.examples import DRAWN_HEXAGON, PASSING, arbitrary_position, seeds, small_boards

TEXT = certify(Position(size=5)).to_text()
ACCEPTED = "140238424f00411c3f49544778d37c93c3f78de4c0c45696514edc8f860b8d98"
"""The digest of the certificate of 9×9 that the checker was seen to accept, which takes minutes."""


@pytest.mark.parametrize(
    ("position", "winner", "plies"),
    [
        (Position(size=1), "x", 1),
        (Position(size=3), "x", 3),
        (Position(size=5), "x", 7),
        (Position(shape="hex", size=2), "x", 3),
        (Position(shape="hex", size=3), "x", 7),
        (Position.from_rows(PASSING, to_move="x"), "o", 1),
        (Position(size=7).play((3, 1)).play((1, 6)).play((6, 4)).play((2, 1)), "x", 7),
    ],
)
def test_a_proof_is_accepted_by_the_independent_checker(position: Position, winner: str, plies: int) -> None:
    proof = certify(position)
    checked = check(proof.to_text())
    assert (checked.winner, checked.plies) == (winner, plies)
    assert checked.positions == len(proof.answers)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(small_boards, seeds)
def test_every_won_position_has_a_proof(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = arbitrary_position(size, shape, 0.4 + (seed % 5) / 10, seed)
    assume(not position.is_over and 0 < position.stones.count(" ") <= 16)
    verdict = solve(position)
    assume(verdict.winner is not None)
    checked = check(certify(position).to_text())
    assert (checked.winner, checked.plies) == (verdict.winner, verdict.plies)


def edited(line: int, text: str) -> str:
    lines = TEXT.splitlines()
    lines[line] = text
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (edited(5, "plies 5"), "no win within 5 stones"),
        (edited(4, "winner o"), "no answer|loser can take|no win within"),
        (edited(7, TEXT.splitlines()[8]), "no answer"),
        (edited(7, TEXT.splitlines()[7].rsplit(" ", 2)[0] + " 3 3"), "illegal"),
        (edited(7, TEXT.splitlines()[7].rsplit(" ", 2)[0] + " 9 9"), "no cell 9 9"),
        (edited(1, "board square 4"), "no square board of side 4"),
        (edited(1, "board square 7"), "does not describe a position"),
        (edited(2, "start ............x............"), "over at the start"),
        (edited(6, "answers 3"), "expected 3 answers"),
        (edited(6, "answers many"), "expected the lines board"),
        ("hello", "expected the first line"),
        ("\n".join([*TEXT.splitlines()[:6], "answers 0"]) + "\n", "no answer"),
    ],
)
def test_a_false_proof_is_refused(text: str, words: str) -> None:
    with pytest.raises(CertificateError, match=words):
        check(text)


def test_only_a_win_has_a_proof() -> None:
    with pytest.raises(ModelError, match="is over"):
        certify(Position.from_rows(DRAWN_HEXAGON, to_move="x"))
    with pytest.raises(ModelError, match="swap=False"):
        certify(Position(size=5, swap=True))


def test_the_checker_runs_alone_on_plain_and_compressed_files(tmp_path: Path) -> None:
    program = Path(models.center.checker.__file__)
    compressed = lzma.compress(TEXT.encode())
    files = {"proof.txt": TEXT.encode(), "proof.xz": compressed, "false.txt": edited(5, "plies 5").encode(), "cut.xz": compressed[:-20]}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        done = subprocess.run([sys.executable, "-I", str(program), str(tmp_path / name)], capture_output=True, text=True, check=False)
        if name.startswith("proof"):
            assert done.stdout.startswith("proven: x wins within 7 plies from the empty square board of side 5, x to move (")
        else:
            assert done.returncode == 1
            assert "not proven" in done.stderr


def test_the_certificate_of_9x9_that_is_kept_is_about_the_empty_board() -> None:
    kept = Path(__file__).parents[2] / "benchmarks" / "results" / "center_9x9.cert.xz"
    with lzma.open(kept, "rt", encoding="utf-8") as file:
        head = [next(file).rstrip() for _ in range(8)]
    assert head[1:6] == ["board square 9", f"start {'.' * 81}", "to_move x", "winner x", "plies 17"]
    assert head[7] == f"{'.' * 81} 5 1"
    assert hashlib.sha256(kept.read_bytes()).hexdigest() == ACCEPTED

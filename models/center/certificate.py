"""Proofs that travel: a certificate lists, for a won position, one answer to every position that the winner can meet.

It proves the winner and that the win takes no more than ``plies`` stones whatever the loser does; that no faster win exists is the word
of the search. Positions that a symmetry of the board maps onto each other are listed once, and those in which the winner can take
the centre at once not at all. ``checker`` verifies the text with rules of its own; nothing is shared between the two but the format:

    center-certificate 1
    board square 5
    start .........................
    to_move x
    winner x
    plies 7
    answers 86
    ......................... 3 1      (a position of the winner in reading order, then the cell x y to take)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpsolve.errors import ModelError, SolverError
from cpsolve.limits import Deadline
from cpsolve.progress import Progress
from models.center import checker
from models.center.board import Cell
from models.center.checker import Checked
from models.center.engine import PLAYERS, Proofs, load
from models.center.rules import EMPTY, Position

FIRST_ROOM = 1 << 12
"""Entries there is room for at first; it doubles until all fit."""


@dataclass(frozen=True)
class Certificate:
    """A position, its winner, the plies within which they win, and their answer in each position they can meet.

    ``answers`` has one line per position: its stones in reading order (``.`` is empty) and the cell to take.

    >>> proof = certify(Position(size=3))
    >>> proof.winner, proof.plies, len(proof.answers)
    ('x', 3, 1)
    """

    position: Position
    winner: str
    plies: int
    answers: tuple[tuple[str, Cell], ...]

    def to_text(self) -> str:
        """The certificate as text, for a file and for the checker.

        >>> for line in certify(Position(size=3)).to_text().splitlines()[:7]:
        ...     print(line)
        center-certificate 1
        board square 3
        start .........
        to_move x
        winner x
        plies 3
        answers 1
        """
        head = [
            "center-certificate 1",
            f"board {self.position.shape} {self.position.size}",
            f"start {self.position.stones.replace(EMPTY, '.')}",
            f"to_move {self.position.to_move}",
            f"winner {self.winner}",
            f"plies {self.plies}",
            f"answers {len(self.answers)}",
        ]
        return "\n".join([*head, *(f"{stones} {x} {y}" for stones, (x, y) in self.answers)]) + "\n"


def certify(position: Position, time_limit: float | None = None, *, max_memory: int | None = None, progress: bool = False) -> Certificate:
    """Solves a position and writes the proof down. A drawn or finished position has none: ModelError.

    >>> certify(Position(size=5)).plies
    7
    """
    if position.is_over or (position.swap and len(position.stones.replace(EMPTY, "")) <= 1):
        state = "is over" if position.is_over else "still allows a swap (give it swap=False)"
        raise ModelError(f"expected a position in play to certify, this one {state}:\n{position}")
    load()
    with Deadline(time_limit, max_memory).watched() as deadline, Progress("certifying Center", enabled=progress) as shown:
        proofs = Proofs(position, deadline, shown)
        winner, plies = proofs.decide()
        if winner is None:
            raise ModelError(f"neither player can force a win, and only a win has a certificate:\n{position}")
        return Certificate(position, winner, plies, _answers(proofs, winner, plies))


def check(text: str, time_limit: float | None = None, *, max_memory: int | None = None) -> Checked:
    """Checks a certificate by the ``checker`` and tells what it proves; CertificateError when that is nothing, LimitError at a limit.

    >>> check(certify(Position(size=3)).to_text()).winner
    'x'
    """
    deadline = Deadline(time_limit, max_memory)
    return checker.check(text, lambda: deadline.check("checking the certificate"))


def _answers(proofs: Proofs, winner: str, plies: int) -> tuple[tuple[str, Cell], ...]:
    from models.center.kernels import ABORTED, ENTRIES, LIMIT, NODES

    state, board = proofs.state, proofs.position.board
    room = FIRST_ROOM
    while True:
        proofs.deadline.require(room * (len(board.cells) + 40), "the answers of a certificate")
        boards, cells = np.zeros((room, len(board.cells)), np.int8), np.zeros(room, np.int64)
        seen = np.zeros(4 * room, np.uint64)
        state.counters[[NODES, LIMIT, ABORTED, ENTRIES]] = 0, np.iinfo(np.int64).max, 0, 0
        done = state.collect(PLAYERS[proofs.position.to_move], PLAYERS[winner], plies, seen, boards, cells)
        count = int(state.counters[ENTRIES])
        if done:
            break
        if count < room:
            raise SolverError(f"the search that proved a win in {plies} plies found no answer in a position it leads to")
        proofs.shown.update(f"more than {room:,} answers")
        proofs.deadline.check(f"certifying, {room:,} answers written")
        room *= 2
    letters = np.array(list("xo."))
    lines = ("".join(row) for row in letters[boards[:count]])
    return tuple(sorted(zip(lines, (board.cells[cell] for cell in cells[:count]), strict=True), key=_by_length))


def _by_length(answer: tuple[str, Cell]) -> tuple[int, str]:
    return -answer[0].count("."), answer[0]

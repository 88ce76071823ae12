"""Checks certificates of Center with nothing but the rules, written anew here: no import from the rest of the game, no search.

The winner answers as the certificate says, the loser tries everything, and every branch must end with the winner on the centre within
the promised number of stones. Run as a script (``python models/center/checker.py FILE``, compressed by ``xz`` or not) it needs nothing but
Python.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

Place = tuple[int, int]
Turn = Callable[[int, int], Place]

LARGEST = 99
"""The longest side of a board."""


class CertificateError(ValueError):
    """The text is no certificate, or it does not prove what it claims."""


@dataclass(frozen=True)
class Checked:
    """What was proven: ``winner`` wins within ``plies`` stones from ``start``, in words; ``positions`` of the winner were visited."""

    winner: str
    plies: int
    positions: int
    start: str


class Lines:
    """The geometry: cells in reading order, the lines of sight from each, distances and symmetries, from coordinates alone."""

    def __init__(self, shape: str, size: int) -> None:
        if size > LARGEST:
            raise CertificateError(f"a board of side {str(size)[:30]} is too large: expected at most {LARGEST}")
        if shape == "square" and size > 0 and size % 2:
            reach = size // 2
            self.places = [(x, y) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1)]
            steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
            turns: list[Turn] = [lambda x, y: (x, y), lambda x, y: (-y, x), lambda x, y: (-x, -y), lambda x, y: (y, -x)]
        elif shape == "hex" and size > 0:
            reach = size - 1
            self.places = [(x, y) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1) if abs(x + y) <= reach]
            steps = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
            turns = [lambda x, y: (x, y), lambda x, y: (-y, x + y), lambda x, y: (-x - y, x)]
            turns += [lambda x, y: (-x, -y), lambda x, y: (y, -x - y), lambda x, y: (x + y, -x)]
        else:
            raise CertificateError(f"there is no {shape:.20} board of side {size}")
        number = {place: cell for cell, place in enumerate(self.places)}
        self.centre = number[0, 0]
        self.rays = [[tuple(self._walk(place, step, number)) for step in steps] for place in self.places]
        self.distance = [min(map(len, rays)) if any(rays) else 0 for rays in self.rays]
        images = [[number[turn(x, y)] for x, y in self.places] for turn in turns]
        images += [[number[turn(y, x)] for x, y in self.places] for turn in turns]
        self.images = images if len(number) > 1 else images[:1]

    def _walk(self, place: Place, step: Place, number: dict[Place, int]) -> list[int]:
        x, y = place
        found = []
        while (x + step[0], y + step[1]) in number:
            x, y = x + step[0], y + step[1]
            found.append(number[x, y])
        return found

    def cell(self, x: int, y: int) -> int:
        """The number of the x-th cell of the y-th row, both from 1."""
        rows = sorted({place[1] for place in self.places})
        row = [cell for cell, place in enumerate(self.places) if 1 <= y <= len(rows) and place[1] == rows[y - 1]]
        if not 1 <= x <= len(row):
            raise CertificateError(f"there is no cell {x} {y} on this board")
        return row[x - 1]


def _nobody() -> None:
    """Nobody looks, so nobody ends the check."""


class Checker:
    """A certificate that was read; :meth:`run` checks it."""

    def __init__(self, text: str, look: Callable[[], None] = _nobody) -> None:
        self.look = look
        """Called again and again; what it raises ends the check."""
        lines = text.splitlines()
        if not lines or lines[0] != "center-certificate 1":
            raise CertificateError("expected the first line 'center-certificate 1'")
        head = dict(line.split(" ", 1) for line in lines[1:7] if " " in line)
        try:
            shape, size = head["board"].split()
            self.board = f"{shape} board of side {size}"
            self.lines = Lines(shape, int(size))
            self.plies, count = int(head["plies"]), int(head["answers"])
            self.start, self.mover, self.winner = head["start"], head["to_move"], head["winner"]
        except (KeyError, ValueError) as error:
            if isinstance(error, CertificateError):
                raise
            raise CertificateError(
                f"expected the lines board, start, to_move, winner, plies and answers, found {str(lines[1:7])[:300]}"
            ) from error
        if not {self.mover, self.winner} <= {"x", "o"} or len(self.start) != len(self.lines.places) or set(self.start) - set("xo."):
            raise CertificateError("the head does not describe a position of this board")
        if len(lines) != 7 + count:
            raise CertificateError(f"expected {str(count)[:30]} answers, found {len(lines) - 7}")
        self.pick = [itemgetter(*image) if len(image) > 1 else (lambda board: (board[0],)) for image in self.lines.images]
        self.loser = "o" if self.winner == "x" else "x"
        self.answers: dict[tuple[str, ...], int] = {}
        for line in lines[7:]:
            look()
            self._read(line)
        self.checked: set[tuple[str, ...]] = set()

    def _read(self, line: str) -> None:
        try:
            stones, x, y = line.split()
            cell = self.lines.cell(int(x), int(y))
            key, image = self.canonical(stones)
        except (ValueError, IndexError) as error:
            raise CertificateError(f"expected stones and a cell x y, found {line!r:.300}: {str(error)[:100]}") from error
        self.answers[key] = self.lines.images[image].index(cell)

    def canonical(self, board: str | list[str]) -> tuple[tuple[str, ...], int]:
        """The smallest image of a board and the number of the symmetry that gives it."""
        return min((pick(board), number) for number, pick in enumerate(self.pick))

    def run(self) -> Checked:
        """Plays everything through; raises CertificateError where the proof fails."""
        if self.start[self.lines.centre] != ".":
            raise CertificateError("the game is over at the start")
        self.follow(list(self.start), self.mover, self.plies)
        empty = not set(self.start) - {"."}
        start = f"the empty {self.board}" if empty else f"{self.start} on the {self.board}"
        return Checked(self.winner, self.plies, len(self.checked), f"{start}, {self.mover} to move")

    def follow(self, board: list[str], mover: str, left: int) -> None:
        """The winner must win within ``left`` stones from here."""
        self.look()
        if mover == self.winner:
            if left < 1:
                raise CertificateError(f"no win within {self.plies} stones: still open at {''.join(board)}")
            if self.legal(board, self.lines.centre, mover):
                return
            if not self.moves(board, mover):
                self.passed(board, mover, left)
                return
            key, image = self.canonical(board)
            if key in self.checked:
                return  # as many stones, so as many are left
            if key not in self.answers:
                raise CertificateError(f"no answer for {''.join(board)}")
            cell = self.lines.images[image][self.answers[key]]
            if not self.legal(board, cell, mover):
                raise CertificateError(f"the answer in {''.join(board)} is illegal")
            board[cell] = mover
            self.follow(board, self.loser, left - 1)
            board[cell] = "."
            self.checked.add(key)
            return
        moves = self.moves(board, mover)
        if self.lines.centre in moves:
            raise CertificateError(f"the loser can take the centre at {''.join(board)}")
        for cell in moves:
            board[cell] = mover
            self.follow(board, self.winner, left - 1)
            board[cell] = "."
        if not moves:
            self.passed(board, mover, left)

    def passed(self, board: list[str], mover: str, left: int) -> None:
        """The mover has no move: the other goes on, unless that is a draw."""
        other = "o" if mover == "x" else "x"
        if not self.moves(board, other):
            raise CertificateError(f"neither player has a move at {''.join(board)}: a draw")
        self.follow(board, other, left)

    def moves(self, board: list[str], player: str) -> list[int]:
        """All cells that a player may take."""
        return [cell for cell in range(len(board)) if self.legal(board, cell, player)]

    def legal(self, board: list[str], cell: int, player: str) -> bool:
        """The rule: empty, and at least as many friends in sight as the cell is far from the perimeter."""
        if board[cell] != ".":
            return False
        missing = self.lines.distance[cell]
        for ray in self.lines.rays[cell] if missing else ():
            for other in ray:
                if board[other] != ".":
                    missing -= board[other] == player
                    break
        return missing <= 0


def check(text: str, look: Callable[[], None] = _nobody) -> Checked:
    """Checks a certificate and tells what it proves; CertificateError when it proves nothing. ``look`` may end it by what it raises.

    >>> check("center-certificate 1\\nboard square 1\\nstart .\\nto_move x\\nwinner x\\nplies 1\\nanswers 0\\n")
    Checked(winner='x', plies=1, positions=0, start='the empty square board of side 1, x to move')
    """
    return Checker(text, look).run()


def main() -> None:
    """Checks the file named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python checker.py FILE")
    try:
        data = Path(sys.argv[1]).read_bytes()
        text = (lzma.decompress(data) if sys.argv[1].endswith(".xz") else data).decode("utf-8")
        found = check(text)
    except (OSError, UnicodeDecodeError, lzma.LZMAError, CertificateError) as error:
        sys.exit(f"not proven: {error}")
    print(f"proven: {found.winner} wins within {found.plies} plies from {found.start} ({found.positions:,} positions of the winner)")


if __name__ == "__main__":
    main()

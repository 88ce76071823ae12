"""A game for two at a terminal: who plays which side, moves taken back, the computer's turn.

What is common to all games that speak the protocol of ``cpsolve.puzzles.games`` is here; a game adds its cursor, its drawing and
its words. The modes are those of the original's menu: two people, a person against the computer, or the computer against itself; and
one more, in which the computer has the first move.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from cpsolve.catalogue import Option
from cpsolve.errors import ModelError
from cpsolve.puzzles.games import Position
from cpsolve.puzzles.sessions import Menu, Session

PositionT = TypeVar("PositionT", bound=Position[Any])

MODES = {
    "person-person": "Player vs Player",
    "person-computer": "Player vs Computer",
    "computer-computer": "Computer vs Computer",
    "computer-person": "Computer vs Player",
}


def choices(title: str, levels: Sequence[tuple[int, str]]) -> tuple[Option, Option, Option]:
    """What is chosen before a game for two: who plays, how strong the computer is, and the seed of its chance.

    >>> [option.flag for option in choices("Chess", [(1, "weak"), (2, "strong")])]
    ['--mode', '--level', '--seed']
    """

    def ask_mode(known: Mapping[str, Any]) -> Menu[str]:
        return Menu("Who plays?", tuple(MODES.items()), title=title)

    def ask_level(known: Mapping[str, Any]) -> Menu[int] | None:
        return (
            None if known["mode"] == "person-person" or known.get("original") else Menu("How strong is the computer?", levels, title=title)
        )

    numbers = [level for level, _ in levels]
    return (
        Option("mode", f"Who plays: {', '.join(MODES)}.", metavar="MODE", choices=lambda: MODES, menu=ask_mode),
        Option("level", f"How strong the computer is, {numbers[0]} to {numbers[-1]}.", int, "N", choices=lambda: numbers, menu=ask_level),
        Option("seed", "Makes the computer's moves repeatable.", int, "N"),
    )


class TwoPlayers(Session, Generic[PositionT]):
    """A game between two sides, each a person or the computer; the position can be taken back move by move."""

    WATCHING_PACE = 0.7

    def __init__(self, start: PositionT, mode: str, players: tuple[str, str]) -> None:
        super().__init__()
        if mode not in MODES:
            raise ModelError(f"there is no mode {mode!r}; there are {', '.join(MODES)}")
        self.players = players
        self.people = {"person-person": players, "person-computer": players[:1], "computer-computer": (), "computer-person": players[1:]}[
            mode
        ]
        self.pace = 0.0 if self.people else self.WATCHING_PACE
        if self.watched:
            self.keys = "space: pause or go on  n: new  ?: help  q: quit"
        self.positions: list[PositionT] = [start]
        self.moves: list[Any] = []
        self.paused = False
        self.games = 1

    # -- what there is to see

    @property
    def position(self) -> PositionT:
        """The position on the board."""
        return self.positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def watched(self) -> bool:
        """Whether the computer plays both sides."""
        return not self.people

    @property
    def busy(self) -> bool:
        """Whether it is the computer's turn."""
        return not self.over and not self.paused and self.position.to_move not in self.people

    @property
    def status(self) -> str:
        """Whose turn it is, or how the game ended."""
        if not self.over:
            return f"{self.name(self.position.to_move)} to move{' (paused)' if self.paused else ''}"
        ended = "The game is drawn" if self.position.winner is None else f"{self.name(self.position.winner)} has won"
        moves = "1 move" if len(self.moves) == 1 else f"{len(self.moves)} moves"
        return f"{ended} after {moves}." + ("" if self.watched else " u takes moves back, n begins again, q leaves.")

    def name(self, player: str) -> str:
        """A player, with who that is when it is the computer."""
        return player if player in self.people or self.watched else f"{player} (computer)"

    # -- commands

    def commands(self) -> dict[str, Callable[[str], None]]:
        """Those of every session and those of a game for two."""
        return {
            **super().commands(),
            "play": self._play_here,
            "undo": self._undo,
            "new": self._new,
            "hint": lambda rest: self.hint(),
            "why": self.why,
        }

    def _play_here(self, rest: str) -> None:
        if self.watched:
            self.paused = not self.paused
        else:
            self.play(self.at_cursor())

    def play(self, move: Any) -> None:
        """Makes a move of the player whose turn it is, and says so."""
        before = self.position
        self.positions.append(before.play(move))
        self.moves.append(move)
        self.forget_advice()
        self.message = f"{self.name(before.to_move)}: {self.move_name(move)}."
        if not self.over and self.position.to_move == before.to_move:
            self.message += f" {self.name(self.other(before.to_move))} has no move and passes."

    def other(self, player: str) -> str:
        """The other side."""
        return self.players[1 - self.players.index(player)]

    def _undo(self, rest: str) -> None:
        """Takes back the last move, and with it the computer's answers to it."""
        if self.watched:
            raise ModelError("nobody plays whose move could be taken back; n begins a new game")
        mine = [number for number, position in enumerate(self.positions[:-1]) if position.to_move in self.people]
        if not mine:
            raise ModelError("there is no move to take back")
        back = mine[-1]
        taken = self.moves[back:]
        del self.positions[back + 1 :], self.moves[back:]
        self.forget_advice()
        self.message = f"Taken back: {', '.join(self.move_name(move) for move in taken)}."

    def _new(self, rest: str) -> None:
        del self.positions[1:], self.moves[:]
        self.games += 1
        self.paused = False
        self.forget_advice()
        self.message = "A new game."

    def advance(self) -> None:
        """Makes the computer's move."""
        remark, move = self.choose()
        self.play(move)
        self.message += remark

    # -- what a game adds

    @abstractmethod
    def choose(self) -> tuple[str, Any]:
        """The computer's move, after a remark on how it was found (or "")."""

    @abstractmethod
    def at_cursor(self) -> Any:
        """The move that the cursor stands on."""

    @abstractmethod
    def move_name(self, move: Any) -> str:
        """A move in words."""

    @abstractmethod
    def hint(self) -> None:
        """Says which move is best and what it is worth."""

    @abstractmethod
    def why(self, rest: str) -> None:
        """Says what speaks for or against a move."""

    @abstractmethod
    def forget_advice(self) -> None:
        """Forgets hints that belong to another position."""

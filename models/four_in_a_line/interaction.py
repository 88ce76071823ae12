"""Four-in-a-line on a board that answers: columns to point at, scores on every move, and where a game was lost.

A move is a column. A position is set up by the moves that lead to it, by its text, or stone by stone: then it is a :class:`Draft` for as
long as the rules do not allow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from cpsolve.catalogue import Answer, Instance, Interaction, Option, Spot, Standing
from cpsolve.drawing import Picture, Place
from cpsolve.errors import ModelError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles.answers import in_words, plain_moves
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.engine import Verdict, plies_left, principal_variation, score_many, solve
from models.four_in_a_line.formats import read_query
from models.four_in_a_line.players import choose_move, scores_take_long
from models.four_in_a_line.rules import PLAYERS, Position, read_configuration
from models.four_in_a_line.session import LEVEL_NAMES, glance, told, worth

SMALLEST, LARGEST = 1, 12
BRUSHES = {"a": "a stone of a", "b": "a stone of b", ".": "take one away"}


class Draft(Position):
    """Stones that are being set up and are no position of the game yet: nobody can move.

    >>> Draft(2, 3, 3, stones_a=0b1001).trouble
    'a has 2 stones and b 0: players alternate and a begins, so a has as many as b or one more'
    """

    def __post_init__(self) -> None:
        pass  # what a position has to be is not asked of it

    @cached_property
    def winner(self) -> str | None:
        """Nobody."""
        return None

    @property
    def is_over(self) -> bool:
        """No move can be made."""
        return True

    @property
    def trouble(self) -> str:
        """Why this is no position."""
        try:
            Position(self.rows, self.columns, self.connect, self.stones_a, self.stones_b)
        except ModelError as error:
            return str(error)
        return ""


def settled(rows: int, columns: int, connect: int, stones_a: int, stones_b: int) -> Position:
    """The position that these stones make; a draft where they make none."""
    draft = Draft(rows, columns, connect, stones_a, stones_b)
    return draft if draft.trouble else Position(rows, columns, connect, stones_a, stones_b)


def ready(position: Position) -> Position:
    """The position, if it is one; ModelError that says what is missing otherwise."""
    if isinstance(position, Draft):
        raise ModelError(f"this is no position yet: {position.trouble}")
    return position


def paste(text: str, connect: int | None = None) -> tuple[Position, str]:
    """Stones that are no position yet, from the texts that positions are read from; nothing is to be said of them here.

    >>> paste("a a .\\nb a a")[0].at(2, 1)
    'a'
    """
    query = read_query(text)
    squares = read_configuration(query.configuration, query.rows, query.columns)
    stones = [sum(1 << (column - 1) * (query.rows + 1) + row - 1 for row, column in each) for each in squares]
    return settled(query.rows, query.columns, connect or 4, *stones), ""


def paint(position: Position, spot: str, brush: str) -> Position:
    """The board with a stone dropped on a column, or with the top stone of it taken away.

    >>> print(paint(paint(new(rows=2, columns=2, connect=2), "1", "b"), "1", "a"))
    a .
    b .
    """
    column = column_of(spot, position)
    height = position.height(column)
    stones = {"a": position.stones_a, "b": position.stones_b}
    bottom = (column - 1) * (position.rows + 1)
    if brush == ".":
        stones = {player: each & ~(1 << bottom + height - 1) if height else each for player, each in stones.items()}
    elif height == position.rows:
        raise ModelError(f"column {column} is full")
    else:
        stones[brush] |= 1 << bottom + height
    return settled(position.rows, position.columns, position.connect, stones["a"], stones["b"])


def column_of(text: str, position: Position) -> int:
    """The column that a move or spot names.

    >>> column_of("4", Position())
    4
    """
    if not text.isdecimal() or len(text) > 3 or not 1 <= int(text) <= position.columns:
        raise ModelError(f"there is no column {text!r}: expected 1 to {position.columns}")
    return int(text)


def move(position: Position, text: str) -> Position:
    """The position after a stone on a column."""
    return ready(position).play(column_of(text, position))


def new(rows: int = 6, columns: int = 7, connect: int = 4) -> Position:
    """An empty board of a size.

    >>> new(rows=4, columns=5).size
    20
    """
    for name, value in (("rows", rows), ("columns", columns), ("connect", connect)):
        if not SMALLEST <= value <= LARGEST:
            raise ModelError(f"{name} is {value}: expected {SMALLEST} to {LARGEST}")
    return Position(rows, columns, connect)


NEW_OPTIONS = (
    Option("rows", "How high a column is.", int, least=SMALLEST),
    Option("columns", "How many columns there are.", int, least=SMALLEST),
    Option("connect", "How many in a line win.", int, least=SMALLEST),
)


def write(position: Position) -> Instance:
    """The drawing, from which the same position is read."""
    return Instance(str(position), {} if position.connect == 4 else {"connect": position.connect})


def show(position: Position) -> Picture:
    """The board; under one that is no position yet nothing is written."""
    return replace(draw(position), captions=()) if isinstance(position, Draft) else draw(position)


def spots(position: Position) -> Mapping[Place, Spot]:
    """Every cell stands for its column."""
    found = {}
    for row in range(1, position.rows + 1):
        for column in range(1, position.columns + 1):
            stone = position.at(row, column)
            found[column - 1, position.rows - row] = Spot(str(column), f"column {column}, row {row}: {stone or 'free'}")
    return found


def cells(position: Position) -> list[list[str]]:
    """The stones, row by row from the top.

    >>> cells(Position.from_moves("12", rows=2, columns=3))
    [[' ', ' ', ' '], ['a', 'b', ' ']]
    """
    columns = range(1, position.columns + 1)
    return [[position.at(row, column) or " " for column in columns] for row in range(position.rows, 0, -1)]


def standing(position: Position) -> Standing:
    """Whose turn it is, or who has won; of a draft, what is missing."""
    if isinstance(position, Draft):
        return Standing(f"no position yet: {position.trouble}")
    if position.winner:
        return Standing(f"{position.winner} has won", over=True, winner=position.winner)
    if position.is_over:
        return Standing("a draw: the board is full", over=True)
    return Standing(f"{position.to_move} to move", position.to_move, legal=tuple(map(str, position.legal_columns)))


def reply(position: Position, level: int, seed: int) -> str:
    """The computer's column."""
    return str(_chosen(ready(position), level, seed))


def _chosen(position: Position, level: int, seed: int) -> int:
    return choose_move(position, level, seed + position.ply)


# -- questions


def analyse(position: Position, time_limit: float | None = None, **options: Any) -> Answer:
    """What every column is worth: exactly where that takes no more than a moment, else as far as one looks ahead."""
    if ready(position).is_over or not scores_take_long(position):
        verdict = solve(position, time_limit, progress=False)
        return Answer(
            data=lambda: {**_data(position, verdict), "exact": True},
            sentences=lambda: _sentences(position, verdict),
            picture=lambda: draw(position, verdict),
        )
    seen = glance(position)
    return Answer(
        data=lambda: {"status": "unknown", "exact": False, "to_move": position.to_move, "worth": seen},
        sentences=lambda: [f"exact scores take too long this early; some plies ahead: {told(seen)}"],
        picture=lambda: draw(position),
    )


def _data(position: Position, verdict: Verdict) -> dict[str, Any]:
    return {
        "status": "solved",
        "to_move": position.to_move,
        "score": verdict.score,
        "winner": verdict.winner,
        "plies": verdict.plies,
        "best": plain_moves(verdict.best),
        "scores": {str(column): score for column, score in verdict.scores.items()},
        "line": plain_moves(verdict.line),
        "positions": verdict.nodes,
        "seconds": verdict.seconds,
    }


def _sentences(position: Position, verdict: Verdict) -> list[str]:
    if position.is_over:
        return []
    scores = "a score tells who wins and when: 1 is a win with the last stone, 2 with the one before; minus is a loss, 0 a draw"
    return [told({column: worth(verdict, column) for column in verdict.scores}), f"best play: {' '.join(map(str, verdict.line))}", scores]


def hint(position: Position, time_limit: float | None = None) -> Answer:
    """The best column and what it is worth."""
    if ready(position).is_over:
        raise ModelError("the game is over: there is no move to make")
    if scores_take_long(position):
        column = _chosen(position, max(level for level, _ in LEVEL_NAMES), 0)
        words = f"column {column} looks best; exact scores take too long this early"
    else:
        verdict = solve(position, time_limit, progress=False)
        column, words = verdict.best[0], ""
        words = f"column {column}: {worth(verdict, column)}"
    return Answer(
        data=lambda: {"move": str(column), "words": words},
        sentences=lambda: [words],
        picture=lambda: draw(position, cursor=column),
    )


def why(position: Position, spot: str) -> Answer:
    """What a column is worth, and how the game goes on after it."""
    column = column_of(spot, ready(position))
    if position.is_over:
        raise ModelError("the game is over: no column is worth anything now")
    if column not in position.legal_columns:
        raise ModelError(f"column {column} is full")
    if scores_take_long(position):
        words = [f"column {column} {glance(position)[column]}, as far as one looks ahead"]
    else:
        verdict = solve(position, progress=False)
        after = position.play(column)
        line = () if after.is_over else principal_variation(after, -verdict.scores[column])
        words = [f"column {column} {worth(verdict, column)}", f"best play after it: {' '.join(map(str, line)) or 'none, the game is over'}"]
    return Answer(data=lambda: {"move": str(column)}, sentences=lambda: words, picture=lambda: draw(position, cursor=column))


REVIEW_SECONDS = 8.0


def review(start: Position, moves: Sequence[str]) -> Answer:
    """The first move after which a game that was won or drawn no longer was, as far back as exact scores are within reach.

    >>> review(Position(rows=4, columns=5), ["3", "3", "2", "1"]).data()["number"]
    3
    """
    positions = [ready(start)]
    for text in moves:
        positions.append(move(positions[-1], text))
    first = next((number for number, position in enumerate(positions) if position.is_over or not scores_take_long(position)), None)
    if first is None:
        raise ModelError("exact scores take too long this early: play on, then ask again")
    deadline = Deadline(REVIEW_SECONDS)
    values: list[int] = []
    for position in positions[first:]:
        try:
            values += score_many([position], deadline.remaining(), progress=False)
        except TimeLimitError:
            break
    for number, (before, after) in enumerate(pairwise(values), first + 1):
        if _sign(-after) < _sign(before):
            return _given_away(positions[number - 1], number, int(moves[number - 1]), before, after)
    since = f" from move {first + 1} on" if first else ""
    return Answer(
        data=lambda: {"number": None},
        sentences=lambda: [f"No move changed who wins{since}."],
        picture=lambda: draw(positions[-1]),
    )


def _given_away(position: Position, number: int, column: int, before: int, after: int) -> Answer:
    """A move that changed who wins; the scores before and after it are each for the player to move then."""
    words = (
        f"Move {number}, {position.to_move} on column {column}, gave it away: before it {_outcome(position, before)}, "
        f"after it {_outcome(position.play(column), after)}."
    )
    verdict = solve(position, progress=False)
    return Answer(
        data=lambda: {"number": number, "move": str(column), "better": plain_moves(verdict.best)},
        sentences=lambda: [words, f"Better: {', '.join(map(str, verdict.best))}."],
        picture=lambda: replace(draw(position, verdict), captions=(words,)),
    )


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _outcome(position: Position, score: int) -> str:
    if not score:
        return "it was a draw"
    other = PLAYERS[1 - PLAYERS.index(position.to_move)]
    return in_words(position.to_move if score > 0 else other, plies_left(position, score))


INTERACTION = Interaction(
    write=write,
    paste=paste,
    spots=spots,
    standing=standing,
    cells=cells,
    move=move,
    reply=reply,
    levels=dict(LEVEL_NAMES),
    players=PLAYERS,
    brushes=BRUSHES,
    paint=paint,
    new=new,
    new_options=NEW_OPTIONS,
    analyse=analyse,
    hint=hint,
    why=why,
    review=review,
)

"""Four-in-a-line on a board that answers: columns to point at, scores on every move, and where a game was lost.

A move is a column. A position is set up by the moves that lead to it, by its text, or stone by stone: then it is a :class:`Draft` for as
long as the rules do not allow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cpsolve.cached import cached_property
from cpsolve.catalogue import Answer, Instance, Interaction, Option, Spot, Standing
from cpsolve.drawing import Picture, Place
from cpsolve.errors import ModelError
from cpsolve.puzzles.answers import plain_moves, review_answer
from cpsolve.puzzles.games import Mistake
from models.four_in_a_line import advice
from models.four_in_a_line.advice import worth
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.engine import Verdict, principal_variation, solve
from models.four_in_a_line.formats import read_query
from models.four_in_a_line.players import LEVELS, choose_move, scores_take_long
from models.four_in_a_line.rules import PLAYERS, Position, read_configuration
from models.four_in_a_line.session import glance, told

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
    empty = Position(query.rows, query.columns, 4 if connect is None else connect)
    squares = read_configuration(query.configuration, query.rows, query.columns)
    stones = [sum(1 << (column - 1) * (query.rows + 1) + row - 1 for row, column in each) for each in squares]
    return settled(empty.rows, empty.columns, empty.connect, *stones), ""


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
            data=lambda: {**verdict_data(position, verdict), "exact": True},
            sentences=lambda: _sentences(position, verdict),
            picture=lambda: draw(position, verdict),
        )
    seen = glance(position)
    return Answer(
        data=lambda: {"status": "unknown", "exact": False, "to_move": position.to_move, "worth": seen},
        sentences=lambda: [f"exact scores take too long this early; some plies ahead: {told(seen)}"],
        picture=lambda: draw(position),
    )


def verdict_data(position: Position, verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain values.

    >>> position = Position.from_moves("121212")
    >>> verdict_data(position, solve(position))["best"]
    [1]
    """
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
    found = advice.hint(ready(position), time_limit)
    words = f"column {found.move}: {found.words}"
    return Answer(
        data=lambda: {"move": str(found.move), "words": words, "proven": found.proven},
        sentences=lambda: [words],
        picture=lambda: draw(position, cursor=found.move),
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
    """The first losing move of a game, as far back as there is time to look.

    >>> review(Position(rows=4, columns=5), ["3", "3", "2", "1"]).data()["number"]
    3
    """
    positions = [ready(start)]
    for text in moves:
        positions.append(move(positions[-1], text))
    found = advice.review([int(text) for text in moves], start, REVIEW_SECONDS)

    def sentences(mistake: Mistake[int]) -> list[str]:
        return [advice.told_of(mistake), *([f"Better: {', '.join(map(str, mistake.better))}."] if mistake.better else [])]

    def shown(mistake: Mistake[int] | None) -> Picture:
        return draw(positions[-1]) if mistake is None else draw(mistake.position, cursor=mistake.move)

    return review_answer(found, moves, sentences, shown)


INTERACTION = Interaction(
    write=write,
    paste=paste,
    spots=spots,
    standing=standing,
    cells=cells,
    move=move,
    reply=reply,
    levels=LEVELS,
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

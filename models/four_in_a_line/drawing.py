"""What a picture of Four-in-a-line shows: the stones, the scores of the columns that can be played, and the line that won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cpsolve.drawing import INK, ORANGE, PAPER, SKY, Entry, Icon, Line, Picture, Place, Tile, disc
from cpsolve.drawing.plans import moves_in_words, steps_shown
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Plan
from models.four_in_a_line.engine import Verdict
from models.four_in_a_line.rules import PLAYERS, Position, Square

if TYPE_CHECKING:
    from models.four_in_a_line.encode import Filling

STONES = {
    "a": Icon("a", ORANGE, (disc(0, 0, 16, ORANGE, INK, 1.5),), label="a"),
    "b": Icon("b", SKY, (disc(0, 0, 16, SKY, INK, 1.5), disc(0, 0, 13, "none", PAPER, 2)), label="b"),
}
BEST = Icon("*", None, (disc(0, 0, 15.5, "none", INK, 3),))
OPTION = Icon("·", None, (disc(0, 0, 16, "none", "#8A939B", 1.5),))
PLAYERS_LEGEND = (Entry("first player", Tile((STONES["a"],))), Entry("second player", Tile((STONES["b"],))))


def draw(position: Position, verdict: Verdict | None = None, cursor: int | None = None) -> Picture:
    """The position; with a verdict the score of each column where its stone would land; ``cursor`` points at a column.

    >>> print(draw(Position.from_moves("12121", rows=4, columns=3), cursor=2))
          v
      ┌───────┐
    4 │ · · · │
    3 │ a · · │
    2 │ a b · │
    1 │ a b · │
      └───────┘
        1 2 3
    b to move
    a first player   b second player
    """
    if verdict is not None and verdict.position != position:
        raise ModelError("the verdict is about another position than the one to draw")
    if cursor is not None and not 1 <= cursor <= position.columns:
        raise ModelError(f"there is no column {cursor}: expected 1 to {position.columns}")
    tiles = {square: _stone(square, player) for player in PLAYERS for square in position.squares(player)}
    legend = list(PLAYERS_LEGEND)
    if verdict is not None and position.legal_columns:
        for column in position.legal_columns:
            tiles[position.height(column) + 1, column] = _option(column, verdict)
        legend.append(Entry(f"score for {position.to_move}", Tile((OPTION,), "+1", "+1")))
        legend.append(Entry("best", Tile((BEST,), "*", "+2", bold=True)))
    return _board(position.rows, position.columns, tiles, winning_lines(position), (_standing(position, verdict),), legend, cursor)


def draw_order(filling: Filling, plan: Plan[Any] | None = None, step: int | None = None) -> Picture:
    """The stones to be reached; with a plan the order in which they fall is written on them.

    >>> from models.four_in_a_line import reach
    >>> print(reach([[[1, 4], [2, 4]], [[1, 3]]], rows=2, columns=4).picture())
      ┌─────────────┐
    2 │ ·  ·  ·  a3 │
    1 │ ·  ·  b2 a1 │
      └─────────────┘
        1  2  3  4
    the stones in the order of their numbers, dropped on columns 4, 3, 4
    a first player   b second player
    """
    moves, states = steps_shown(plan, step)
    stones = dict.fromkeys(filling.stones_a, "a") | dict.fromkeys(filling.stones_b, "b")
    numbers: dict[Square, int] = {}
    for number, (move, before) in enumerate(zip(moves, states, strict=False), 1):
        numbers[before.height(int(move.name)) + 1, int(move.name)] = number
    shown = stones if step is None else {square: stones[square] for square in numbers}
    tiles = {square: _stone(square, player, numbers.get(square)) for square, player in shown.items()}
    captions, words = moves_in_words(plan, step)
    if plan and step is None:
        listed = ", ".join(map(str, moves))
        captions, words = (f"the stones in the order of their numbers, dropped on columns {listed}" if moves else "no stones",), ()
    won = winning_lines(states[-1]) if states else []
    return _board(filling.rows, filling.columns, tiles, won, captions, PLAYERS_LEGEND, words=words)


def winning_lines(position: Position) -> list[tuple[Square, ...]]:
    """Every line of the winner, as long as it goes.

    >>> winning_lines(Position.from_moves("1212121"))
    [((1, 1), (2, 1), (3, 1), (4, 1))]
    """
    if position.winner is None:
        return []
    stones = set(position.squares(position.winner))
    found = []
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in sorted(stones):
            if (row - up, column - right) in stones:
                continue
            line = [(row, column)]
            while (following := (line[-1][0] + up, line[-1][1] + right)) in stones:
                line.append(following)
            if len(line) >= position.connect:
                found.append(tuple(line))
    return found


def _stone(square: Square, player: str, number: int | None = None) -> Tile:
    icon = STONES[player]
    if number is None:
        return Tile((icon,), note=f"{list(square)}: {player}")
    return Tile((replace(icon, label=str(number)),), f"{player}{number}", note=f"{list(square)}: {player}, stone {number}")


def _option(column: int, verdict: Verdict) -> Tile:
    """Where a stone on a column would land, with the score."""
    score = f"{verdict.scores[column]:+d}" if verdict.scores[column] else "0"
    if column in verdict.best:
        return Tile((BEST,), f"{score}*", score, note=f"column {column}: score {score}, best", bold=True)
    return Tile((OPTION,), score, score, note=f"column {column}: score {score}")


def _board(
    rows: int,
    columns: int,
    tiles: dict[Square, Tile],
    won: list[tuple[Square, ...]],
    captions: tuple[str, ...],
    legend: Iterable[Entry],
    cursor: int | None = None,
    words: tuple[str, ...] = (),
) -> Picture:
    def place(square: Square) -> Place:
        return square[1] - 1, rows - square[0]

    for square in {square for line in won for square in line}:
        (stone,) = tiles[square].icons
        ringed = replace(stone, shapes=(*stone.shapes, disc(0, 0, 16.5, "none", INK, 4)))
        tiles[square] = replace(tiles[square], icons=(ringed,), text=f"[{tiles[square].sign}]")
    brackets = (Entry("winning line", Tile(text="[ ]"), "text"),) if won else ()
    return Picture(
        "Four-in-a-line",
        columns,
        rows,
        {place(square): tile for square, tile in tiles.items()},
        lines=tuple(Line(place(line[0]), place(line[-1]), INK, 12, "the winning line") for line in won),
        column_labels=tuple(map(str, range(1, columns + 1))),
        row_labels=tuple(map(str, range(rows, 0, -1))),
        labels_below=True,
        pointer=None if cursor is None else cursor - 1,
        captions=captions,
        words=words,
        legend=(*legend, *brackets),
        ground="holes",
        gap=1,
    )


def _standing(position: Position, verdict: Verdict | None) -> str:
    if position.winner:
        return f"{position.winner} has won"
    if position.is_over:
        return "a draw: the board is full"
    return f"{position.to_move} to move" + (f": {verdict}" if verdict is not None else "")

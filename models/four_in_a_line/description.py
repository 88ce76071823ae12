"""What Four-in-a-line says of itself: names, formats, options, how it is played, and its stop of the tour."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cpsolve.catalogue import Answer, Game, Instance, Play
from cpsolve.puzzles.answers import check_notes, in_words, minimax_answer, plain_moves
from cpsolve.puzzles.showcase import Side, Stop, compare_game, played_out
from cpsolve.puzzles.two_players import choices
from cpsolve.words import duration
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.encode import adjacent, reach
from models.four_in_a_line.engine import Verdict, solve, warm_up
from models.four_in_a_line.formats import FIGURE
from models.four_in_a_line.rules import Position
from models.four_in_a_line.session import LEVEL_NAMES, TITLE, FourSession

NAME = "four-in-a-line"


def read(text: str) -> Position:
    """A position from the original's lists, from moves such as 4453, or from a drawing.

    >>> read("4453").to_move, read("[[[1, 4]], []]").to_move
    ('a', 'b')
    """
    stripped = text.strip()
    if stripped.startswith("["):
        return Position.from_prolog(stripped.removesuffix("."))
    return Position.from_moves(stripped) if stripped.isdecimal() else Position.from_text(text)


def inline(word: str) -> bool:
    """Whether a word is itself a position: moves or lists.

    >>> inline("4453"), inline("board.txt")
    (True, False)
    """
    return word.isdecimal() or word.lstrip().startswith("[")


def _instances() -> Mapping[str, Instance]:
    return {"figure": Instance(Position.from_lists(FIGURE).to_prolog()), "empty": Instance(Position().to_prolog())}


# -- answers


def answer(position: Position, method: str = "exact", time_limit: float | None = None, **options: Any) -> Answer:
    """What every column is worth under perfect play, or what minimax says."""
    if method == "dfs":
        return minimax_answer(NAME, position, time_limit, draw)
    verdict = solve(position, time_limit, **options)
    return Answer(
        data=lambda: {
            "game": NAME,
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
            "checked": getattr(verdict, "checked", ""),
        },
        sentences=lambda: _sentences(position, verdict),
        picture=lambda: draw(position, verdict),
    )


def _sentences(position: Position, verdict: Verdict) -> list[str]:
    """What the picture does not say."""
    note = check_notes(verdict)
    if position.is_over:
        return note
    return [f"best play: {' '.join(map(str, verdict.line))}", f"{verdict.nodes:,} positions in {duration(verdict.seconds)}", *note]


# -- play and tour


def session(mode: str, level: int = 1, seed: int | None = None) -> FourSession:
    """A game on the empty board."""
    return FourSession(Position(), mode, level, seed)


def tour() -> Stop:
    """The original's board, its successors, an order that leads to it, and perfect play."""
    stop = Stop("Four-in-a-line")
    position = Position.from_lists(FIGURE)
    warm_up()
    stop.tell("adjacent", f"{len(list(adjacent(FIGURE, 'b')))} boards can follow")
    stop.tell("reach", "dropped in this order: " + ", ".join(map(str, reach(FIGURE).moves)))
    started = time.perf_counter()
    verdict = solve(position, progress=False)
    seconds = time.perf_counter() - started
    stop.tell("solve", f"{position.to_move} to move; {verdict}")
    end = played_out(position, verdict)
    won = "a draw" if end.winner is None else f"{end.winner} has won"
    stop.tell("verified", f"the rules replayed a best line of {len(verdict.line)} drops to its end: {won}")
    stop.draw(draw(position, verdict))
    compare_game(stop, "original, 7 stones", position, Side(in_words(verdict.winner, verdict.plies), seconds, verdict.nodes))
    return stop


GAME = Game(
    NAME,
    "Four-in-a-line",
    "drop stones, the first line of four wins; every column is worth an exact score.",
    read=read,
    solve=answer,
    inline=inline,
    instances=_instances,
    methods=lambda: {"exact": "perfect play", "dfs": "naive minimax"},
    rules="Drop a stone on a column; four in a row, a column or a diagonal win. A full board without a line is a draw.",
    draw=draw,
    writers={"prolog": lambda position: str(position.to_prolog()), "drawing": str},
    play=Play(session, choices(TITLE, LEVEL_NAMES), examples=("cpsolve play four-in-a-line --mode person-computer --level 2",)),
    tour=tour,
    warm_up=warm_up,
    examples=("cpsolve solve four-in-a-line 4453", "cpsolve solve four-in-a-line '[[[1,4]],[[1,3]]]' --json"),
)

"""Center on a board that answers: cells to point at, what each is worth, why one may not be taken, and where a game was lost.

A move is ``X,Y``, or ``swap``. Pointing at a cell that may not be taken draws the friends that are in sight of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cpsolve.catalogue import Answer, Instance, Interaction, Option, Outcome, Spot, Standing
from cpsolve.drawing import BLUE, PURPLE, Line, Picture, Place
from cpsolve.errors import LimitError, ModelError
from cpsolve.limits import Deadline
from cpsolve.puzzles.answers import plain_moves, review_answer
from cpsolve.puzzles.games import Mistake
from cpsolve.words import listed, pair
from models.center import advice
from models.center.board import Cell
from models.center.drawing import draw
from models.center.engine import Verdict, outcomes, solve
from models.center.formats import how_it_stands, to_prolog
from models.center.players import LEVELS, NAMED, STRONGEST, choose_move
from models.center.rules import EMPTY, FIRST, SECOND, SWAP, Move, Position, turn_by_count
from models.center.session import what_follows, what_it_does

LARGEST = {"square": 21, "hex": 11}
SCORE_SECONDS, REVIEW_SECONDS = 4.0, 8.0
LAST_SECONDS = 0.2
"""For a move when the time that was given is over."""
BRUSHES = {FIRST: "a stone of x", SECOND: "a stone of o", ".": "empty"}


def move_of(text: str) -> Move:
    """The move that a text names.

    >>> move_of("3,1"), move_of("swap")
    ((3, 1), 'swap')
    """
    return SWAP if text == SWAP else pair(text, "a cell", "X,Y")


def name_of(move: Move) -> str:
    """A move as text.

    >>> name_of((3, 1))
    '3,1'
    """
    return SWAP if move == SWAP else f"{move[0]},{move[1]}"


def move(position: Position, text: str) -> Position:
    """The position after a move."""
    return position.play(move_of(text))


def new(size: int = 5, shape: str = "square", swap: bool = False) -> Position:
    """An empty board.

    >>> new(size=4, shape="hex").shape
    'hex'
    """
    if not 1 <= size <= LARGEST[shape]:
        raise ModelError(f"the side of a {shape} board is {size}: expected 1 to {LARGEST[shape]}")
    return Position(size, shape, swap)


NEW_OPTIONS = (
    Option("size", "The side of the board; of a square an odd number.", int, least=1),
    Option("shape", "square or hex.", choices=lambda: tuple(LARGEST)),
    Option("swap", "o may take over the first stone.", bool),
)


def write(position: Position) -> Instance:
    """The original's rows, from which the same position is read."""
    return Instance(to_prolog(position))


def spots(position: Position) -> Mapping[Place, Spot]:
    """Every cell."""
    legal = set(position.legal_moves())
    found = {}
    for cell in position.board.cells:
        stone = position.stone(cell)
        what = stone if stone != EMPTY else "may be taken" if cell in legal else f"needs {position.distance(cell)} friends in sight"
        centre = "the centre, " if cell == position.centre else ""
        found[cell[0] - 1, cell[1] - 1] = Spot(name_of(cell), f"column {cell[0]}, row {cell[1]}: {centre}{what}")
    return found


def standing(position: Position) -> Standing:
    """Whose turn it is, or how the game ended."""
    legal = tuple(map(name_of, position.legal_moves()))
    over = position.is_over
    return Standing(how_it_stands(position), "" if over else position.to_move, over, legal, position.winner or "")


def reply(position: Position, level: int | str, seed: int) -> str:
    """The computer's move."""
    return name_of(choose_move(position, level, seed + len(position.stones) - position.stones.count(EMPTY)))


def paint(position: Position, spot: str, brush: str) -> Position:
    """The position with a stone put on a cell or taken away; whose turn it is follows from the stones."""
    cell = position.board.require(pair(spot, "a cell", "X,Y"))
    place = position.board.index[cell]
    stones = position.stones[:place] + (EMPTY if brush == "." else brush) + position.stones[place + 1 :]
    lead = stones.count(FIRST) - stones.count(SECOND)
    return Position(position.size, position.shape, position.swap, stones, turn_by_count(stones) if lead in (0, 1) else position.to_move)


# -- questions


def analyse(position: Position, time_limit: float | None = None, **options: Any) -> Answer:
    """Who wins, and what every move leads to, as far as a proof is found in time; else the strongest player's move."""
    if position.is_over:
        return Answer(data=lambda: {"status": "over"}, sentences=lambda: [how_it_stands(position)], picture=lambda: draw(position))
    deadline = Deadline(SCORE_SECONDS if time_limit is None else min(time_limit, SCORE_SECONDS))
    try:
        verdict = solve(position, deadline.remaining())
    except LimitError:
        chosen = choose_move(position, STRONGEST, 0, time_limit=None if time_limit is None else LAST_SECONDS)
        return Answer(
            data=lambda: {"status": "unknown", "best": plain_moves([chosen])},
            sentences=lambda: [f"who wins by force was not found in time; the strongest player takes {chosen}"],
            picture=lambda: draw(position, scores={} if chosen == SWAP else {chosen: "?"}),
            outcome=Outcome.LIMIT_REACHED,
        )
    try:
        after = outcomes(position, max(1.0, deadline.remaining()))
    except LimitError:
        after = {}
    scores = {cell: _mark(winner, plies) for cell, (winner, plies) in after.items() if cell != SWAP}
    return Answer(
        data=lambda: _data(position, verdict, after),
        sentences=lambda: _sentences(verdict, bool(after)),
        picture=lambda: draw(position, verdict, scores=scores),
    )


def _mark(winner: str | None, plies: int) -> str:
    return "=" if winner is None else f"{winner}{plies}"


def _data(position: Position, verdict: Verdict, after: Mapping[Move, tuple[str | None, int]]) -> dict[str, Any]:
    return {
        "status": "solved",
        "to_move": position.to_move,
        "winner": verdict.winner,
        "plies": verdict.plies,
        "best": plain_moves(verdict.best),
        "line": plain_moves(verdict.line),
        "positions": verdict.nodes,
        "scores": {name_of(move): {"winner": winner, "plies": plies} for move, (winner, plies) in after.items()},
    }


def _sentences(verdict: Verdict, all_moves: bool) -> list[str]:
    said = [f"best play: {listed(verdict.line, 40)}"]
    marks = "a move's mark: who wins after it and in how many plies, or = for a draw"
    return [*said, marks if all_moves else "what the other moves are worth takes longer"]


def hint(position: Position, time_limit: float | None = None) -> Answer:
    """The best move, proven where a proof is found in time."""
    found = advice.hint(position, SCORE_SECONDS if time_limit is None else min(SCORE_SECONDS, time_limit))
    return Answer(
        data=lambda: {"move": name_of(found.move), "words": found.words, "proven": found.proven},
        sentences=lambda: [f"{found.move}: {found.words}"],
        picture=lambda: draw(position, cursor=None if found.move == SWAP else found.move, framed="hint"),
    )


def why(position: Position, spot: str) -> Answer:
    """Why a cell may not be taken, or what taking it does; the friends in sight are joined to it.

    >>> why(Position(size=3), "2,2").sentences()
    ['x cannot take (2, 2): it needs 1 friend in sight and sees 0: no stone in any direction']
    """
    cell = position.board.require(pair(spot, "a cell", "X,Y"))
    reason = position.why_not(cell)
    told = [reason] if reason is not None else [what_it_does(position, cell), *what_follows(position.play(cell))]
    return Answer(
        data=lambda: {
            "cell": list(cell),
            "legal": reason is None,
            "needed": position.distance(cell),
            "friends": [list(each) for each in position.friends(position.to_move, cell)],
        },
        sentences=lambda: told,
        picture=lambda: sighted(position, cell),
    )


def sighted(position: Position, cell: Cell) -> Picture:
    """The position with lines of sight from a cell: thick to friends, thin to others."""
    plain = draw(position, cursor=cell, framed="asked about")
    friends = position.friends(position.to_move, cell)
    lines = [
        Line(_place(cell), _place(other), BLUE if other in friends else PURPLE, 6 if other in friends else 2, f"{cell} sees {other}")
        for other in position.seen_from(cell).values()
    ]
    return replace(plain, lines=(*plain.lines, *lines))


def _place(cell: Cell) -> Place:
    return cell[0] - 1, cell[1] - 1


def review(start: Position, moves: Sequence[str]) -> Answer:
    """The first losing move of a game, as far back as there is time to look.

    >>> review(Position(size=3), ["1,1", "3,1", "3,3"]).data()["number"]
    3
    """
    positions = [start]
    for text in moves:
        positions.append(move(positions[-1], text))
    found = advice.review([move_of(text) for text in moves], start, REVIEW_SECONDS)
    return review_answer(found, moves, _told_of, lambda mistake: draw(positions[-1] if mistake is None else mistake.position))


def _told_of(mistake: Mistake[Move]) -> list[str]:
    words = (
        f"move {mistake.number}, {mistake.position.to_move} on {name_of(mistake.move)}, gave it away: before it "
        f"{_outcome(mistake.winner)}, after it {_outcome(mistake.winner_after)}"
    )
    return [words + (f"; better: {listed(mistake.better, 6)}" if mistake.better else "")]


def _outcome(winner: str | None) -> str:
    return "nobody could force a win" if winner is None else f"{winner} could force a win"


INTERACTION = Interaction(
    write=write,
    spots=spots,
    standing=standing,
    cells=Position.rows,
    move=move,
    reply=reply,
    levels=LEVELS,
    named_levels=NAMED,
    players=(FIRST, SECOND),
    brushes=BRUSHES,
    paint=paint,
    new=new,
    new_options=NEW_OPTIONS,
    analyse=analyse,
    hint=hint,
    why=why,
    review=review,
)

"""What Four-in-a-line says of itself: names, formats, options, how it is played, and its stop of the tour."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cpsolve.catalogue import Answer, Command, Game, Generator, Growth, Instance, Option, Outcome, Play
from cpsolve.errors import FormatError, ModelError, SolverError
from cpsolve.limits import look
from cpsolve.puzzles import verifying, verifying_games
from cpsolve.puzzles.answers import check_notes, in_words, minimax_answer, plan_answer, plan_data, verdict_summary
from cpsolve.puzzles.games import in_plies
from cpsolve.puzzles.growing import GENERATING, pair_of
from cpsolve.puzzles.showcase import Side, Stop, compare_game, played_out
from cpsolve.puzzles.two_players import choices
from cpsolve.puzzles.verifying import Findings, Refuted, best_value
from cpsolve.results import Status
from cpsolve.words import counted, duration
from models.four_in_a_line.drawing import draw
from models.four_in_a_line.encode import adjacent, filling, reach
from models.four_in_a_line.engine import Verdict, score_of, solve, warm_up
from models.four_in_a_line.formats import FIGURE, Query, read_query, to_prolog, write_answers
from models.four_in_a_line.interaction import INTERACTION, ready, show, verdict_data
from models.four_in_a_line.orders import count_orders
from models.four_in_a_line.players import LEVELS
from models.four_in_a_line.rules import PLAYERS, Position
from models.four_in_a_line.session import TITLE, FourSession

NAME = "four-in-a-line"
GAMES = 10_000
"""Random games that are tried: one in some hundreds fills the board without a line."""


def read(text: str, connect: int | None = None) -> Position:
    """A position from the original's lists or goal, from moves such as 4453, or from a drawing; ``connect`` in a line win, 4 unless given.

    >>> read("4453").to_move, read("[[[1, 4]], []]").to_move, read("a . .", connect=3).connect
    ('a', 'b', 3)
    """
    query = read_query(text)
    return Position.from_lists(query.configuration, query.rows, query.columns, 4 if connect is None else connect)


def _read_query(text: str, connect: int | None = None) -> Query:
    if connect not in (None, 4):
        raise ModelError(f"an order of drops is found for lines of four only, not for {connect}: leave --connect out")
    return read_query(text)


def inline(word: str) -> bool:
    """Whether a word is itself a position: moves, lists or a goal.

    >>> inline("4453"), inline("board.txt")
    (True, False)
    """
    return word.isdecimal() or word.lstrip().startswith(("[", "adjacente(", "?-"))


def _instances() -> Mapping[str, Instance]:
    return {"figure": Instance(Position.from_lists(FIGURE).to_prolog()), "empty": Instance(Position().to_prolog())}


# -- answers


def answer(position: Position | Query, method: str = "exact", time_limit: float | None = None, **options: Any) -> Answer:
    """What every column is worth under perfect play, what minimax says, or an order of drops that leads to the board."""
    if method == "reach" or isinstance(position, Query):
        return _order(position, time_limit, **options)
    ready(position)
    if method == "dfs":
        return minimax_answer(NAME, position, time_limit, draw)
    verdict = solve(position, time_limit, **options)
    return Answer(
        data=lambda: {"game": NAME, **verdict_data(position, verdict), "checked": verdict.checked},
        sentences=lambda: _sentences(position, verdict),
        picture=lambda: draw(position, verdict),
        summary=lambda: verdict_summary(verdict.winner, verdict.plies, verdict.nodes),
        frames=lambda: map(draw, _line(position, verdict)),
    )


def _line(position: Position, verdict: Verdict) -> Iterator[Position]:
    """The positions of best play to the end."""
    yield position
    for column in verdict.line:
        position = position.play(column)
        yield position


def _order(board: Position | Query, time_limit: float | None, check: bool = False) -> Answer:
    """An order of drops that leads to a board, or why none does; a check counts all orders, which takes no solver."""
    rows, columns = board.rows, board.columns
    lists = board.to_lists() if isinstance(board, Position) else board.configuration
    plan = reach(lists, rows, columns, time_limit=time_limit)
    note: list[str] = []
    if check and plan.status is not Status.UNKNOWN:
        orders = count_orders(lists, rows, columns)
        if bool(plan) != bool(orders):
            raise SolverError(f"the model finds {'an' if plan else 'no'} order of drops, yet {orders} were counted for {lists}", [])
        note = [f"checked by counting without a solver: {counted(orders, 'order')} of drops lead{'s' if orders == 1 else ''} there"]
    shown = plan_answer(NAME, plan, lambda found, step=None: found.picture(step))
    return replace(
        shown,
        data=lambda: {
            "game": NAME,
            **plan_data(plan),
            "method": "reach",
            "checked": "counting" if note else "",
            "instance": {"text": _drawing(lists, rows, columns), "options": {}},
        },
        sentences=lambda: [*(["replayed by the rules"] if plan else []), *note],
    )


def _text(query: Query) -> str:
    """A board as it was written, the order of its stones included; one of another size can only have been drawn."""
    lists, rows, columns = query.configuration, query.rows, query.columns
    return to_prolog(lists) if (rows, columns) == (6, 7) else _drawing(lists, rows, columns)


def _drawing(lists: Any, rows: int, columns: int) -> str:
    """A board as it stands, whether its stones can have been dropped or not."""
    owner = {tuple(square): player for player, squares in zip(PLAYERS, lists, strict=True) for square in squares}
    lines = (" ".join(owner.get((row, column), ".") for column in range(1, columns + 1)) for row in range(rows, 0, -1))
    return "\n".join(lines) + "\n"


def _verify(board: Position | Query, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a verdict, or an order of drops, by the rules."""
    if isinstance(board, Query):
        return verifying.plan(filling(board.configuration, board.rows, board.columns), data, time_limit)
    return verifying.verdict(board, data, column_told, time_limit, partial(_scores_told, board, data))


def column_told(said: Any) -> int:
    """A column as JSON has it: a number, or its digits.

    >>> column_told("4"), column_told(4)
    (4, 4)
    """
    if not isinstance(said, int | str) or isinstance(said, bool):
        raise TypeError(f"{said!r:.40} is no column")
    return int(said)


def _scores_told(position: Position, data: Mapping[str, Any], found: Mapping[int, tuple[int, int]]) -> None:
    """The score of every column is told as it is."""
    scores = {str(column): score_of(position, *outcome) for column, outcome in found.items()}
    for name, right in (("scores", scores), ("score", max(scores.values()))):
        if name in data and not verifying.alike(data[name], right):
            raise Refuted(f"{name!r} should be {right}, not {data[name]!r:.80}")


def _hint_told(column: int, sign: int, plies: int) -> list[str]:
    """All that a hint may truly say of a column."""
    short = ("draws", "wins", "loses like every column, and looks hardest to beat")[sign]
    return [f"column {column}: {words}" for words in ([f"{('', 'wins', 'loses')[sign]} in {in_plies(plies)}"] if sign else []) + [short]]


def _verify_hint(position: Position, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    return verifying_games.hint(position, data, column_told, _hint_told, time_limit)


def _verify_review(start: Position, moves: Sequence[Any], data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    return verifying_games.review(start, moves, data, column_told, time_limit)


def _verify_next(query: Query, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks the boards that one drop leads to: a stone on top of every column that is not full, and nothing else changed."""
    player = verifying.claim(data, "player", str)
    if player not in PLAYERS:
        raise Refuted(f"{player!r:.40} is no player")
    own = PLAYERS.index(player)
    squares = [square for stones in query.configuration for square in stones]
    if not all(isinstance(square, list) and len(square) == 2 and all(type(number) is int for number in square) for square in squares):
        raise FormatError(f"expected squares [row, column], found {to_prolog(query.configuration):.60}")
    right = []
    for column in range(1, query.columns + 1):
        rows = sorted(square[0] for square in squares if square[1] == column)
        height = len(rows)
        if rows != list(range(1, height + 1)) or height > query.rows:
            raise Refuted(f"the stones of column {column} lie in the rows {rows}: nothing can follow such a board")
        if height < query.rows:
            right.append([[*stones, [height + 1, column]] if place == own else stones for place, stones in enumerate(query.configuration)])
    told = verifying.claim(data, "successors", list)
    for number, (said, board) in enumerate(zip(told, right, strict=False), start=1):
        if not verifying.alike(said, board):
            raise Refuted(f"successor {number} should be {to_prolog(board)}, not {said!r:.200}")
    if len(told) != len(right):
        raise Refuted(f"{counted(len(right), 'board')} can follow, not {len(told)}")
    return Findings((f"{counted(len(right), 'board')}, by a stone of {player} on top of each column that is not full",))


def following(query: Query, player: str = "", prolog: bool = False) -> Answer:
    """The boards that one drop leads to, in the original's order; ``no`` when the board is full."""
    if player and query.player and player != query.player:
        raise ModelError(f"the goal asks for player {query.player}, --player for {player}: give one of them")
    mover = player or query.mover()
    found = list(adjacent(query.configuration, mover, query.rows, query.columns))
    text = write_answers(found, query.variable) if prolog or not found else "\n".join(map(to_prolog, found))
    return Answer(
        data=lambda: {
            "game": NAME,
            "command": "next",
            "instance": {"text": _text(query), "options": {}},
            "player": mover,
            "successors": found,
        },
        sentences=list,
        text=lambda: text,
        outcome=Outcome.SOLVED if found else Outcome.NO_SOLUTION,
    )


def _sentences(position: Position, verdict: Verdict) -> list[str]:
    """What the picture does not say."""
    note = check_notes(verdict)
    if position.is_over:
        return note
    return [f"best play: {' '.join(map(str, verdict.line))}", f"{verdict.nodes:,} positions in {duration(verdict.seconds)}", *note]


# -- play and tour


def session(mode: str, level: int = 1, seed: int | None = None, instance: Position | None = None) -> FourSession:
    """A game on the empty board, or from a position."""
    return FourSession(instance or Position(), mode, level, seed)


def unfinished(position: Position, empty: int, seed: int) -> Position:
    """A game at random that is not over when that number of squares is empty.

    >>> unfinished(Position(), 5, seed=0).is_over
    False
    """
    start = Position(position.rows, position.columns, position.connect)
    if not 0 < empty <= start.size:
        raise ModelError(f"a board of {start.size} squares cannot have {empty} empty ones before the game is over")
    chance = random.Random(f"{empty}, {seed}")
    for _ in range(GAMES):
        look(GENERATING)
        made = start
        while not made.is_over and made.size - made.ply > empty:
            made = made.play(chance.choice(made.legal_columns))
        if not made.is_over:
            return made
    raise ModelError(f"{GAMES:,} random games were over before {empty} squares were left: leave more empty")


def generated(*sizes: int, stones: int = 12, seed: int | None = None) -> Position:
    """A game at random after that number of stones, not over yet; rows and columns, or the original's board.

    >>> generated(stones=20, seed=1).ply, generated(4, 5, stones=3, seed=1).columns
    (20, 5)
    """
    rows, columns = pair_of(sizes, "the rows and the columns") if sizes else (6, 7)
    start = Position(rows, columns)
    if not 0 <= stones < start.size:
        raise ModelError(f"a game on {start.size} squares that is not over has 0 to {start.size - 1} stones, not {stones}")
    return unfinished(start, start.size - stones, random.randrange(2**32) if seed is None else seed)


def tour() -> Stop:
    """The original's board, its successors, an order that leads to it, and perfect play."""
    stop = Stop("Four-in-a-line")
    position = Position.from_lists(FIGURE)
    warm_up()
    stop.tell("adjacent", f"{len(list(adjacent(FIGURE, 'b', check=True)))} boards can follow, say python-constraint and CP-SAT")
    order = reach(FIGURE, check=True)
    stop.tell("reach", "dropped in this order: " + ", ".join(map(str, order.moves)))
    stop.tell("check", order.check.note)
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
    read_options=(Option("connect", "How many in a line win; 4 unless given.", int, least=1),),
    reads={"reach": _read_query},
    methods=lambda: {"exact": "perfect play", "dfs": "naive minimax", "reach": "an order of drops that leads to the board"},
    animated=True,
    verify=_verify,
    verifies={"hint": _verify_hint, "review": _verify_review, "compare": best_value},
    rules="Drop a stone on a column; four in a row, a column or a diagonal win. A full board without a line is a draw.",
    draw=show,
    writers={"prolog": lambda position: str(position.to_prolog()), "drawing": str},
    play=Play(
        session,
        choices(TITLE, tuple(LEVELS.items())),
        examples=(
            "cpsolve play four-in-a-line --mode person-computer --level 5",
            "cpsolve play four-in-a-line 4453 --mode computer-person --level 10",
        ),
        read=read,
    ),
    generator=Generator(
        generated,
        "Rows and columns; without them the original's 6 and 7.",
        {"board.pl": lambda position: str(position.to_prolog())},
        options=(
            Option("stones", "How many stones have been dropped (without it: 12).", int, "N"),
            Option("seed", "The same seed gives the same position.", int, "N"),
        ),
        examples=("cpsolve generate four-in-a-line --stones 20 --seed 1", "cpsolve generate four-in-a-line 5 6 --stones 8"),
    ),
    apart=("reach",),
    grow={"empty": Growth("empty squares", unfinished)},
    tour=tour,
    warm_up=warm_up,
    interaction=INTERACTION,
    examples=(
        "cpsolve solve four-in-a-line 4453",
        "cpsolve solve four-in-a-line '[[[1,4]],[[1,3]]]' --json",
        "cpsolve solve four-in-a-line --method reach --animate",
    ),
)

NEXT = Command(
    "next",
    NAME,
    "The boards that one drop leads to, as the original's adjacente lists them; no (exit code 1) when the board is full.",
    following,
    argument="The board: the original's lists, its goal adjacente(BOARD, PLAYER, L), moves such as 4453, or a file; - for standard input.",
    metavar="BOARD",
    read=read_query,
    inline=inline,
    options=(
        Option("player", "Who drops, a or b; without it: the goal's player, or whose turn it is.", metavar="a|b", choices=lambda: PLAYERS),
        Option("prolog", "As Prolog answers: the name of the variable, ; for more, no at the end.", bool),
    ),
    examples=(
        "cpsolve next 4453",
        "cpsolve next 'adjacente([[[1,4],[2,4],[3,4],[1,5]],[[1,3],[2,5],[1,6]]], b, L).'",
        "cpsolve next - --player b",
    ),
    drawn=False,
    verify=_verify_next,
)

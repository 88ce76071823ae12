"""What Center says of itself: names, formats, options, how it is played, and its stop of the tour."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from cpsolve import files
from cpsolve.catalogue import Answer, Game, Generator, Growth, Instance, Option, Play
from cpsolve.errors import FormatError, LimitError, ModelError
from cpsolve.limits import Deadline, look
from cpsolve.puzzles import verifying, verifying_games
from cpsolve.puzzles.answers import check_notes, in_words, minimax_answer, plain_moves, verdict_summary
from cpsolve.puzzles.games import in_plies
from cpsolve.puzzles.growing import GENERATING, solvable
from cpsolve.puzzles.sessions import Menu
from cpsolve.puzzles.showcase import Side, Stop, compare_game, played_out
from cpsolve.puzzles.two_players import choices
from cpsolve.puzzles.verifying import Findings, Refuted, best_value
from cpsolve.words import counted, listed
from models.center.board import SHAPES
from models.center.certificate import Certificate, certify, check
from models.center.checker import CertificateError
from models.center.drawing import draw
from models.center.engine import Verdict, outcomes, solve
from models.center.formats import from_prolog, from_text, to_prolog
from models.center.interaction import INTERACTION, move_of
from models.center.players import LEVELS, ORIGINAL, STRONGEST, choose_move
from models.center.reach import cooperative_win
from models.center.rules import FIRST, SECOND, SWAP, Move, Position
from models.center.session import SIZES, TITLE, CenterSession, check_size, read_size

NAME = "center"
EXTRA = 5.0
"""Seconds given to what every move is worth, when no limit is set: who wins is known before."""
MOST = 40
"""The longest line of play that a sentence lists."""


def read(text: str) -> Position:
    """A position from the original's rows, from a drawing, or the empty board of a size.

    >>> read("5").size, read("[['x',' ',' '],[' ',' ',' '],[' ',' ','o']]").to_move
    (5, 'x')
    """
    stripped = text.strip()
    if stripped.isdecimal() and len(stripped) < 10:
        return Position(check_size(int(stripped)))
    return from_prolog(text) if stripped.startswith("[") else from_text(text)


def inline(word: str) -> bool:
    """Whether a word is itself a position: a size, or rows.

    >>> inline("5"), inline("board.pl")
    (True, False)
    """
    return (word.isdecimal() and len(word) < 10) or word.lstrip().startswith("[")


def _instances() -> Mapping[str, Instance]:
    return {words.replace(" ", "-"): Instance(str(size)) for size, words in SIZES}


# -- answers


def answer(position: Position, method: str = "exact", time_limit: float | None = None, **options: Any) -> Answer:
    """Who wins under best play and what every move leads to, or what minimax says."""
    if method == "dfs":
        return minimax_answer(NAME, position, time_limit, draw)
    deadline = Deadline(time_limit)
    certificate = options.pop("certificate", None)
    if certificate is not None:
        write_proof(certify(position, time_limit, progress=True), certificate)
    verdict = solve(position, deadline.left(), progress=True, **options)
    after = _outcomes(position, deadline.left())
    marks = {move: _mark(winner, plies) for move, (winner, plies) in after.items() if move != SWAP}
    return Answer(
        data=lambda: {
            "game": NAME,
            "status": "solved",
            "to_move": position.to_move,
            "winner": verdict.winner,
            "plies": verdict.plies,
            "best": plain_moves(verdict.best),
            "line": plain_moves(verdict.line),
            "positions": verdict.nodes,
            "moves": [{"move": plain_moves([move])[0], "winner": winner, "plies": plies} for move, (winner, plies) in after.items()],
            "checked": verdict.checked,
        },
        sentences=lambda: _sentences(position, verdict, bool(after)),
        picture=lambda: draw(position, verdict, scores=marks),
        summary=lambda: verdict_summary(verdict.winner, verdict.plies, verdict.nodes),
    )


def write_proof(proof: Certificate, path: str) -> None:
    """Writes a certificate to a file."""
    try:
        files.write(path, proof.to_text().encode())
    except OSError as error:
        raise ModelError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error


def _move(move: Any) -> Move:
    """A move as JSON has it: a cell is a list, or written as on the command line."""
    if isinstance(move, str):
        return move_of(move)
    if not isinstance(move, list) or [type(number) for number in move] != [int, int]:
        raise TypeError(f"{move!r:.40} is no move")
    return move[0], move[1]


def _verify(position: Position, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    return verifying.verdict(position, data, _move, time_limit, partial(_moves_told, position, data))


def _moves_told(position: Position, data: Mapping[str, Any], found: Mapping[Move, tuple[int, int]]) -> None:
    """What is told of every move is so: who wins after it, and in how many plies."""
    listed = data.get("moves")
    if not listed:
        return  # the time was over before every move was known
    told = {}
    for each in verifying.claim(data, "moves", list):
        if not isinstance(each, dict):
            raise FormatError(f"expected a move with its winner and plies, found {each!r:.60}")
        told[verifying.told_move(_move, each.get("move"))] = each.get("winner"), each.get("plies")
    if len(told) != len(listed) or set(told) != set(found):
        raise Refuted(f"'moves' should be {plain_moves(found)}")
    for move, (sign, plies) in found.items():
        winner = _winner(position, sign)
        if told[move][0] != winner or (sign and told[move][1] != plies):
            raise Refuted(f"after {move} it is {in_words(winner, plies)}, not {told[move][0]!r:.20} in {told[move][1]!r:.20} plies")


def _winner(position: Position, sign: int) -> str | None:
    """Who wins when the player to move wins (1), draws (0) or loses (-1)."""
    return (None, position.to_move, FIRST if position.to_move == SECOND else SECOND)[sign]


def _verify_hint(position: Position, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    def told(move: Move, sign: int, plies: int) -> list[str]:
        return [in_words(_winner(position, sign), plies)]

    return verifying_games.hint(position, data, _move, told, time_limit)


def _verify_review(start: Position, moves: Sequence[Any], data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    return verifying_games.review(start, moves, data, _move, time_limit)


def is_certificate(text: str) -> bool:
    """Whether a text says that it is a certificate.

    >>> is_certificate("center-certificate 1\\nboard square 5")
    True
    """
    return text.startswith("center-certificate ")


def checked(text: str, time_limit: float | None = None) -> Findings:
    """What a certificate proves, by the checker that shares nothing with the search."""
    try:
        found = check(text, time_limit)
    except CertificateError as error:
        raise Refuted(str(error)) from error
    positions = counted(found.positions, "position")
    return Findings((f"{found.winner} wins within {in_plies(found.plies)} from {found.start}: {positions} of the winner",))


def _outcomes(position: Position, time_limit: float | None) -> dict[Move, tuple[str | None, int]]:
    """What every move is worth, beyond the verdict; nothing when that takes too long."""
    if position.is_over:
        return {}
    try:
        return outcomes(position, EXTRA if time_limit is None else time_limit, progress=True)
    except LimitError:
        return {}


def _mark(winner: str | None, plies: int) -> str:
    return "=" if winner is None else f"{winner}{plies}"


def _sentences(position: Position, verdict: Verdict, all_moves: bool) -> list[str]:
    """What the picture does not say."""
    note = check_notes(verdict)
    if position.is_over:
        return note
    said = [f"best play: {listed(verdict.line, MOST)}", counted(verdict.nodes, "position"), *note]
    if not all_moves:
        return [*said, "what the other moves are worth takes longer: give a --time-limit to wait for it"]
    return ["a move's mark: who wins after it and in how many plies from now, or = for a draw", *said]


# -- play and tour


def _ask_size(known: Mapping[str, Any]) -> Menu[int] | None:
    if known.get("instance") is not None:
        return None
    shape = known.get("shape") or "square"
    if shape == "square":
        return Menu("How many cells on a side? Any odd number; large boards take long.", SIZES, read_size, TITLE)
    return Menu("How many cells on a side of the hexagon? Large boards take long.", HEXAGONS, partial(read_size, shape=shape), TITLE)


MODE, LEVEL, SEED = choices(TITLE, tuple(LEVELS.items()))
SHAPE = Option("shape", "The board: square (the one that is taken unless given) or hex.", metavar="SHAPE", choices=lambda: SHAPES)
SIZE = Option("size", "The side of the board: an odd number, or any for a hexagon.", int, "N", menu=_ask_size)
SWAPPING = Option("swap", "The second player may change sides instead of moving.", bool)
ORIGINALS = Option("original", "The computer plays as the original's level 2 does, not by a level of ours.", bool)
HEXAGONS = ((3, "small"), (4, "medium"), (5, "large"), (6, "very large"))


def check_play(
    size: int | None = None,
    shape: str | None = None,
    instance: Position | None = None,
    swap: bool = False,
    original: bool = False,
    level: int | None = None,
    mode: str | None = None,
    **others: Any,
) -> None:
    """ModelError for a board that cannot be played, or choices that do not go together."""
    if instance is not None and (size, shape, swap) != (None, None, False):
        raise ModelError("the file says which board is played: leave --size, --shape and --swap out")
    if size is not None:
        check_size(size, shape or "square")
    if original and level is not None:
        raise ModelError("give --level or --original, not both")
    if original and mode == "person-person":
        raise ModelError("--original is a computer player: no computer plays in the mode person-person")


def session(
    mode: str,
    size: int = 5,
    level: int = 1,
    seed: int | None = None,
    shape: str = "square",
    swap: bool = False,
    original: bool = False,
    instance: Position | None = None,
) -> CenterSession:
    """A game on an empty board, or from a position."""
    start = Position(size, shape, swap) if instance is None else instance
    return CenterSession(start, mode, ORIGINAL if original else level, seed)


def warm_up() -> None:
    """Compiles or loads the kernels: of the proof, of the certificate, and of the look ahead."""
    certify(Position(3))
    choose_move(Position(5), STRONGEST, time_limit=0)


def generated(*sizes: int, stones: int = 4, shape: str = "square", seed: int | None = None) -> Position:
    """A game at random after that number of stones, not over yet.

    >>> position = generated(5, stones=6, seed=1)
    >>> sum(map(len, position.rows())), position.is_over, position == generated(5, stones=6, seed=1)
    (25, False, True)
    """
    if len(sizes) > 1:
        raise ModelError(f"give one number, the side of the board, not {counted(len(sizes), 'number')}")
    start = Position(check_size(sizes[0] if sizes else 5, shape), shape)
    if not 0 <= stones < len(start.board.cells):
        raise ModelError(f"a game on {len(start.board.cells)} cells that is not over has fewer stones than cells, not {stones}")

    def make(chance: random.Random) -> Position:
        position = start
        for _ in range(stones):
            if not position.is_over:
                look(GENERATING)
                position = position.play(chance.choice(position.legal_moves()))
        return position

    return solvable(make, seed, lambda position: not position.is_over)


def tour() -> Stop:
    """The empty board of the original, solved."""
    stop = Stop("Center")
    position = Position(5)
    warm_up()
    started = time.perf_counter()
    verdict = solve(position)
    seconds = time.perf_counter() - started
    words = in_words(verdict.winner, verdict.plies)
    stop.tell("solve", f"{words} of best play; first stones that win so fast: {len(verdict.best)}")
    end = played_out(position, verdict)
    won = "a draw" if end.winner is None else f"{end.winner} has won"
    stop.tell("verified", f"the rules replayed a best line to its end: {' '.join(map(str, verdict.line))}; {won}")
    together = cooperative_win(3, check=True)
    stop.tell("cooperative_win(3)", f"{counted(len(together.moves), 'stone')} if both help x")
    stop.tell("check", together.check.note)
    stop.draw(draw(end))
    compare_game(stop, "original, 5×5 empty", position, Side(words, seconds, verdict.nodes))
    return stop


GAME = Game(
    NAME,
    "Center",
    "place stones by sight until one stands in the centre; who wins, and in how many plies.",
    read=read,
    solve=answer,
    inline=inline,
    instances=_instances,
    solve_options=(Option("certificate", "Write the proof of a win, for cpsolve verify.", metavar="FILE"),),
    methods=lambda: {"exact": "proof by AND/OR search", "dfs": "naive minimax"},
    rules="Take an empty cell that has at least as many of your stones in sight as it is far from the edge; a line of sight ends at the "
    "first stone. Who first stands on the centre wins; who has no move passes.",
    verify=_verify,
    verifies={"hint": _verify_hint, "review": _verify_review, "compare": best_value},
    proof=(is_certificate, checked),
    draw=draw,
    writers={"prolog": to_prolog, "drawing": str},
    play=Play(
        session,
        (MODE, SHAPE, SIZE, SWAPPING, ORIGINALS, LEVEL, SEED),
        check_play,
        (
            "cpsolve play center --size 5 --mode person-computer --level 5",
            "cpsolve play center --shape hex --size 4 --swap --mode computer-person --level 10",
            "cpsolve play center board.pl --mode person-computer --original",
        ),
        read,
    ),
    generator=Generator(
        generated,
        "The side of the board; without it 5.",
        {"board.pl": to_prolog},
        options=(
            Option("stones", "How many stones there are (without it: 4).", int, "N"),
            SHAPE,
            Option("seed", "The same seed gives the same position.", int, "N"),
        ),
        examples=("cpsolve generate center 7 --stones 10 --seed 1", "cpsolve generate center 4 --shape hex"),
    ),
    grow={
        "size": Growth(
            "cells on a side", lambda position, size, seed: Position(check_size(size)), fits=lambda size: size % 2 == 1 and size > 1
        )
    },
    tour=tour,
    warm_up=warm_up,
    interaction=INTERACTION,
    examples=("cpsolve solve center 5 --json", "cpsolve solve center 5 --certificate proof.txt", "cpsolve solve center board.pl"),
)

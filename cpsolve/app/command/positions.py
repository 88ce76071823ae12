"""``cpsolve solve four-in-a-line`` and ``cpsolve solve center``: who wins under perfect play, when, and what each move is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cpsolve.app.command.outcome import LIMIT_REACHED, SOLVED, is_file, name_of, read, reading
from cpsolve.app.command.request import Request
from cpsolve.app.command.screen import deliver, duration, working
from cpsolve.errors import TimeLimitError
from cpsolve.puzzles.games import in_plies
from cpsolve.words import counted, listed

if TYPE_CHECKING:
    from cpsolve.drawing import Picture
    from models import center, four_in_a_line

EXTRA = 5.0
"""Seconds given to what every move of Center is worth, when no limit is set: who wins is known before."""
MOST = 40
"""So many moves of a line of play are listed at most in a sentence."""


# -- Four-in-a-line


def solve_four(request: Request) -> int:
    """Answers a request about Four-in-a-line; returns the exit code."""
    from models import four_in_a_line

    position = _four(request.source)
    if request.method == "dfs":
        return _naively(request, position, lambda: four_in_a_line.draw(position))
    verdict = four_in_a_line.solve(position, request.time_limit)
    deliver(
        request.svg,
        request.as_json,
        picture=lambda: four_in_a_line.draw(position, verdict),
        data=lambda: {
            "game": request.name,
            "status": "solved",
            "to_move": position.to_move,
            "score": verdict.score,
            "winner": verdict.winner,
            "plies": verdict.plies,
            "best": _plain(verdict.best),
            "scores": {str(column): score for column, score in verdict.scores.items()},
            "line": _plain(verdict.line),
            "positions": verdict.nodes,
            "seconds": verdict.seconds,
        },
        sentences=lambda: _four_sentences(position, verdict),
    )
    return SOLVED


def _four_sentences(position: four_in_a_line.Position, verdict: four_in_a_line.Verdict) -> list[str]:
    """What the picture does not tell."""
    if position.is_over:
        return []
    return [f"best play: {' '.join(map(str, verdict.line))}", f"{verdict.nodes:,} positions in {duration(verdict.seconds)}"]


def _four(source: str | None) -> four_in_a_line.Position:
    """A position from a file, or from moves or lists given in its place."""
    from models.four_in_a_line import Position
    from models.four_in_a_line.formats import FIGURE

    if source is None:
        return Position.from_lists(FIGURE)
    direct = not is_file(source) and (source.isdecimal() or source.lstrip().startswith("["))
    text = source if direct else read(source)
    with reading(repr(source) if direct else name_of(source)):
        stripped = text.strip()
        if stripped.startswith("["):
            return Position.from_prolog(stripped.removesuffix("."))
        if stripped.isdecimal():
            return Position.from_moves(stripped)
        return Position.from_text(text)


# -- Center


def solve_center(request: Request) -> int:
    """Answers a request about Center; returns the exit code."""
    from models import center

    position = _center(request.source)
    if request.method == "dfs":
        return _naively(request, position, lambda: center.draw(position))
    verdict = center.solve(position, request.time_limit, progress=True)
    outcomes = _outcomes(position, request.time_limit)
    marks = {move: _mark(winner, plies) for move, (winner, plies) in outcomes.items() if move != center.SWAP}
    deliver(
        request.svg,
        request.as_json,
        picture=lambda: center.draw(position, verdict, scores=marks),
        data=lambda: {
            "game": request.name,
            "status": "solved",
            "to_move": position.to_move,
            "winner": verdict.winner,
            "plies": verdict.plies,
            "best": _plain(verdict.best),
            "line": _plain(verdict.line),
            "positions": verdict.nodes,
            "moves": [{"move": _plain([move])[0], "winner": winner, "plies": plies} for move, (winner, plies) in outcomes.items()],
        },
        sentences=lambda: _center_sentences(position, verdict, bool(outcomes)),
    )
    return SOLVED


def _outcomes(position: center.Position, time_limit: float | None) -> dict[center.Move, tuple[str | None, int]]:
    """What every move is worth, beyond the verdict; nothing when that takes too long."""
    from models import center

    if position.is_over:
        return {}
    try:
        return center.outcomes(position, EXTRA if time_limit is None else time_limit, progress=True)
    except TimeLimitError:
        return {}


def _center(source: str | None) -> center.Position:
    """A position from a file, or an empty board of the size given in its place."""
    from models import center

    if source is None:
        return center.Position(5)
    if source.isdecimal() and len(source) < 10 and not is_file(source):
        from models.center.terminal import check_size

        with reading(f"size {source}"):
            return center.Position(check_size(int(source)))
    text = read(source)
    with reading(name_of(source)):
        return center.from_prolog(text) if text.lstrip().startswith("[") else center.from_text(text)


def _mark(winner: str | None, plies: int) -> str:
    return "=" if winner is None else f"{winner}{plies}"


def _plain(moves: Iterable[Any]) -> list[Any]:
    """Moves as JSON has them: a cell is a list."""
    return [list(move) if isinstance(move, tuple) else move for move in moves]


def _center_sentences(position: center.Position, verdict: center.Verdict, all_moves: bool) -> list[str]:
    """What the picture does not tell."""
    if position.is_over:
        return []
    told = [f"best play: {listed(verdict.line, MOST)}", counted(verdict.nodes, "position")]
    if not all_moves:
        return [*told, "what the other moves are worth takes longer: give a --time-limit to wait for it"]
    return ["a move's mark: who wins after it and in how many plies from now, or = for a draw", *told]


# -- by naive search


def _naively(request: Request, position: Any, picture: Callable[[], Picture]) -> int:
    """The same question put to plain minimax."""
    from cpsolve.puzzles.naive import minimax

    with working(f"solving {request.name} by minimax"):
        found = minimax(position, request.time_limit)
    looked = f"{found.states:,} positions in {duration(found.seconds)}"
    if not found.finished:
        words = f"unknown: minimax was stopped after {looked}"
    elif found.winner is None:
        words = f"a draw; minimax looked at {looked}"
    else:
        words = f"{position.to_move} to move: {found.winner} wins in {in_plies(found.plies or 0)}; minimax looked at {looked}"
    deliver(
        request.svg,
        request.as_json,
        picture=picture,
        data=lambda: {
            "game": request.name,
            "method": "dfs",
            "status": "solved" if found.finished else "unknown",
            "winner": found.winner,
            "plies": found.plies,
            "line": _plain(found.line),
            "positions": found.states,
            "seconds": found.seconds,
        },
        sentences=lambda: [words],
    )
    return SOLVED if found.finished else LIMIT_REACHED

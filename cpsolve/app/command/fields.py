"""Minesweeper on the command line: reading what is known of a board, and telling what follows from it or how an agent plays it.

A text is told apart by what it holds: ``mina/2`` or ``tamanho`` make a field with its mines known, ``valor/3`` the numbers of a game
so far, anything else is a view, one line a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpsolve.app.command.outcome import LIMIT_REACHED, NO_SOLUTION, SOLVED, BadInput, name_of, note, read, reading
from cpsolve.app.command.request import Request
from cpsolve.app.command.screen import deliver, duration, give, give_unknown, say, working
from cpsolve.errors import DiagramTooWide, InfeasibleError
from cpsolve.words import counted, listed

if TYPE_CHECKING:
    from models.minesweeper import Explanation, Field, Inference, View

MOST = 12
"""So many cells are listed at most in a sentence."""


def solve_field(request: Request) -> int:
    """Answers ``cpsolve solve minesweeper``; returns the exit code."""
    from models.minesweeper import Field, View
    from models.minesweeper.formats import SEED_MINES, SEED_VIEW

    if request.source is None:
        if (request.rows, request.columns) != (None, None):
            raise BadInput("the seed's own board has its size: --rows and --columns are for a jogo.pl")
        board: Field | View = View.from_text(SEED_VIEW, SEED_MINES if request.mines is None else request.mines)
    else:
        board = read_board(request.source, request.mines, request.rows, request.columns)
    if isinstance(board, Field):
        return _play(request, board)
    if request.seed is not None or request.method not in (None, "exact", "dfs"):
        raise BadInput("agents and --seed are for a board with its mines known (mina.pl); of this board only what follows can be told")
    if request.method == "dfs":
        if request.svg is not None:
            raise BadInput("--method dfs counts fields and has nothing to draw: leave --svg or --method out")
        return _naively(request, board)
    if request.time_limit is not None:
        raise BadInput("exact inference takes no --time-limit (a frontier too wide for it is told at once); --method dfs does")
    return tell(board, request.svg, request.as_json, only_count=request.count)


def read_board(source: str, mines: int | None, rows: int | None, columns: int | None) -> Field | View:
    """The board of a file or of standard input."""
    from models.minesweeper import Field, View
    from models.minesweeper.formats import read_values

    text = read(source)
    with reading(name_of(source)):
        if "mina(" in text or "tamanho(" in text:
            if (mines, rows, columns) != (None, None, None):
                raise BadInput(f"{name_of(source)} tells its mines and its size: leave --mines, --rows and --columns out")
            return Field.from_prolog(text)
        if "valor(" in text:
            # the seed's boards are square
            size = max((place for cell in read_values(text) for place in cell), default=1)
            if rows is None or columns is None:
                taken = f"{size if rows is None else rows} by {size if columns is None else columns}"
                note(f"{name_of(source)} does not tell the size: taken to be {taken}; --rows and --columns say otherwise")
            return View.from_prolog(text, size if rows is None else rows, size if columns is None else columns, mines)
        if (rows, columns) != (None, None):
            raise BadInput(f"{name_of(source)} shows its size: leave --rows and --columns out")
        return View.from_text(text, mines)


# -- what follows from a view


def tell(view: View, svg: str | None, as_json: bool, cell: tuple[int, int] | None = None, only_count: bool = False) -> int:
    """Probabilities, certain cells and, for one cell, the reason; returns the exit code."""
    from models import minesweeper

    try:
        with working("solving minesweeper"):
            answer = minesweeper.infer(view)
            reason = None if cell is None else minesweeper.why(view, cell)
            fields = answer.solutions
    except InfeasibleError as error:
        return _inconsistent(error, as_json)
    except DiagramTooWide as limit:
        if not as_json:
            raise
        return give_unknown("minesweeper", limit)
    if only_count:
        if as_json:
            give({"game": "minesweeper", "fields": fields})
        else:
            say(counted(fields, "field"))
        return SOLVED
    deliver(
        svg,
        as_json,
        picture=lambda: minesweeper.draw(view, answer, reason),
        data=lambda: inference_data(answer, reason),
        sentences=lambda: sentences(answer) + ([] if reason is None else _doubts(answer, reason)),
    )
    return SOLVED


def _inconsistent(error: InfeasibleError, as_json: bool) -> int:
    if as_json:
        names = [constraint.name for constraint in error.conflict]
        give({"game": "minesweeper", "status": "infeasible", "reason": str(error), "conflict": names})
    else:
        say(str(error))
    return NO_SOLUTION


def inference_data(answer: Inference, reason: Explanation | None = None) -> dict[str, Any]:
    """What follows from a view, as plain data; probabilities by row, open cells None.

    >>> from models.minesweeper import View, infer
    >>> data = inference_data(infer(View.from_text("1-", mines=1)))
    >>> data["mines"], data["fields"], data["probability"]
    ([[1, 2]], 1, [[None, 1.0]])
    """
    covered = set(answer.view.covered)
    rows = [
        [float(risk) if (row, column) in covered else None for column, risk in enumerate(line, 1)]
        for row, line in enumerate(answer.probability, 1)
    ]
    data: dict[str, Any] = {
        "game": "minesweeper",
        "status": "solved",
        "fields": answer.solutions,
        "safe": [list(cell) for cell in sorted(answer.safe)],
        "mines": [list(cell) for cell in sorted(answer.mines)],
        "best": [list(cell) for cell in answer.best],
        "probability": rows,
    }
    if reason is not None:
        data["why"] = {
            "cell": list(reason.cell),
            "verdict": reason.verdict,
            "because": [list(cell) for cell in reason.because],
            "text": str(reason),
        }
    return data


def sentences(answer: Inference) -> list[str]:
    """What is certain, in words; where nothing is safe, the picture tells the least risk.

    >>> from models.minesweeper import View, infer
    >>> sentences(infer(View.from_text("1--")))
    ['mines: (1,2)', 'nothing is safe']
    """
    told = [f"safe: {_listed(sorted(answer.safe))}"] if answer.safe else []
    if answer.mines:
        told.append(f"mines: {_listed(sorted(answer.mines))}")
    if answer.view.covered and not answer.safe:
        told.append("nothing is safe")
    return told


def _doubts(answer: Inference, reason: Explanation) -> list[str]:
    """What the picture of a reason does not tell: of a cell that may be either, the risk and a field for each."""
    from models.minesweeper import draw

    if not reason.examples:
        return []
    cell = f"({reason.cell[0]},{reason.cell[1]})"
    free, mined = (draw(field).text() for field in reason.examples)
    return [
        f"{cell} is a mine with {float(answer.exact(reason.cell)):.1%}. A field where it is safe:",
        free,
        "And where it is a mine:",
        mined,
    ]


def _listed(cells: Any) -> str:
    return listed([f"({row},{column})" for row, column in cells], MOST)


def _naively(request: Request, view: View) -> int:
    from cpsolve.puzzles.naive import solutions
    from models import minesweeper

    with working("trying every layout of mines"):
        found = solutions(minesweeper.encode(view), request.time_limit)
    if request.as_json:
        status = "solved" if found.finished and found.solutions else "infeasible" if found.finished else "unknown"
        data = {"fields": found.solutions, "states": found.states, "seconds": found.seconds}
        give({"game": "minesweeper", "method": "dfs", "status": status, **data})
    else:
        number = counted(found.solutions, "field")
        looked = f"{found.states:,} states in {duration(found.seconds)}"
        say(f"{number} after {looked}" if found.finished else f"unknown: {number} until it was stopped after {looked}")
    if not found.finished:
        return LIMIT_REACHED
    return SOLVED if found.solutions else NO_SOLUTION


# -- an agent on a board with known mines


def _play(request: Request, field: Field) -> int:
    from models import minesweeper

    if request.count or request.method == "dfs" or request.time_limit is not None:
        raise BadInput("of a board with its mines known, an agent plays a game: no --count, --time-limit or --method dfs")
    game = minesweeper.Game(field)
    with working("playing"):
        record = minesweeper.play(game, request.method or "expert", seed=0 if request.seed is None else request.seed)
    moves = [{"cell": list(move.cell), "kind": move.kind, "risk": move.risk, "reason": move.reason} for move in record.moves]
    deliver(
        request.svg,
        request.as_json,
        picture=lambda: minesweeper.draw(game),
        data=lambda: {
            "game": "minesweeper",
            "agent": record.agent,
            "status": "won" if record.won else "lost",
            "guesses": record.guesses,
            "opened": record.opened,
            "moves": moves,
        },
        sentences=lambda: str(record).splitlines(),
    )
    return SOLVED if record.won else NO_SOLUTION

"""What Minesweeper says of itself: names, formats, options, the commands ``mines`` and ``campaign``, play, and its stop of the tour.

A text is recognised by what it holds: ``mina/2`` or ``tamanho`` make a field with its mines known, ``valor/3`` the numbers of a game
so far; anything else is a board, drawn or one line per row: a field where mines are marked, else a view.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from cpsolve import files
from cpsolve.catalogue import Answer, Command, Counted, Game, Generator, Instance, MissingOption, Option, Outcome, Play, Summary
from cpsolve.errors import InfeasibleError, LimitError, ModelError, SolverError
from cpsolve.limits import Deadline
from cpsolve.puzzles import naive, showcase
from cpsolve.puzzles.answers import check_notes
from cpsolve.puzzles.growing import pair_of
from cpsolve.puzzles.sessions import Menu
from cpsolve.puzzles.showcase import Comparison, Side, Stop
from cpsolve.words import counted, duration, listed, pair
from models.minesweeper.agent import AGENTS, play
from models.minesweeper.campaign import LEVELS, CampaignResult, Level, campaign, compare
from models.minesweeper.decision import Decision
from models.minesweeper.drawing import draw
from models.minesweeper.encode import decode, encode
from models.minesweeper.expert import EXPERT
from models.minesweeper.explanation import Explanation
from models.minesweeper.formats import MINE, ORIGINAL_MINES, ORIGINAL_VIEW, Cell
from models.minesweeper.inference import METHODS, Inference, infer
from models.minesweeper.interaction import INTERACTION, show, view_of, write
from models.minesweeper.rules import Field, FirstClick, View, check_playable
from models.minesweeper.rules import Game as MinesweeperGame
from models.minesweeper.session import TITLE, MinesweeperSession
from models.minesweeper.verifying import campaigns, fields_of, hint, review, verify

NAME = "minesweeper"
MOST = 12
"""The largest number of cells that a sentence lists."""


# -- reading


def read(text: str, mines: int | None = None, rows: int | None = None, columns: int | None = None) -> Field | View:
    """A field with its mines known, or what a player knows of one: facts, a drawing or plain rows.

    >>> read("mina(1,2). tamanho(2).").rows, read("1-", mines=1).covered
    (2, ((1, 2),))
    """
    if "mina(" in text or "tamanho(" in text:
        if (mines, rows, columns) != (None, None, None):
            raise ModelError("the file says where the mines are and how large the board is: leave --mines, --rows and --columns out")
        return Field.from_prolog(text)
    if "valor(" in text:
        if rows is None and columns is None:
            message = "a jogo.pl does not say how large the board is: give --rows (and --columns, unless it is square)"
            raise MissingOption(message, "rows")
        return View.from_prolog(text, rows or columns or 0, columns or rows or 0, mines)
    if (rows, columns) != (None, None):
        raise ModelError("the board shows its size: --rows and --columns are for a jogo.pl")
    if MINE in text:
        if mines is not None:
            raise ModelError("the board shows where the mines are: leave --mines out")
        return Field.from_text(text)
    return View.from_text(text, mines)


def _known(board: Any) -> Field | View:
    """A field, or what a player knows."""
    return board if isinstance(board, Field) else view_of(board)


def read_view(text: str, mines: int | None = None, rows: int | None = None, columns: int | None = None) -> View:
    """What a player knows of a board; a field with its mines known is refused."""
    board = read(text, mines, rows, columns)
    if isinstance(board, Field):
        raise ModelError("this board shows where the mines are: let an agent play it with cpsolve solve minesweeper FILE")
    return board


READ_OPTIONS = (
    Option("mines", "How many mines there are (otherwise not known).", int, "N"),
    Option("rows", "Rows of a jogo.pl.", int, "N"),
    Option("columns", "Columns of a jogo.pl.", int, "N"),
)


# -- answers


def methods() -> Mapping[str, str]:
    """How a view is solved, and who plays a field with its mines known."""
    return {**METHODS, "dfs": "naive search over layouts", **dict.fromkeys(AGENTS, "an agent, for a mina.pl")}


def answer(
    board: Field | View, method: str | None = None, time_limit: float | None = None, seed: int | None = None, **options: Any
) -> Answer:
    """What follows from a view, or how an agent plays a field."""
    board = _known(board)
    if isinstance(board, Field):
        transcript = options.pop("transcript", False)
        log = options.pop("log", None)
        if method not in (None, *AGENTS) or options:
            raise ModelError(f"a board with its mines known is played by an agent ({', '.join(AGENTS)}): no other method, and no --check")
        return _played(board, method or "expert", seed, transcript, log, time_limit)
    _check_for_a_view(method, seed=seed, **options)
    if method == "dfs":
        return _naively(board, time_limit)
    return inferred(board, method=method or next(iter(METHODS)), time_limit=time_limit, **options)


def _check_for_a_view(method: str | None, **options: Any) -> None:
    """ModelError for what only a game that an agent plays can use."""
    if method in AGENTS or any(options.get(name) is not None for name in ("seed", "transcript", "log")):
        raise ModelError(
            "agents, --seed, --log and --transcript are for a board with its mines known (mina.pl); this one shows only what a player sees"
        )


def inferred(view: View, cell: Cell | None = None, **options: Any) -> Answer:
    """Probabilities, certain cells and, for one cell, the reason."""
    try:
        found = infer(view, **{name: value for name, value in options.items() if value is not None})
    except InfeasibleError as error:
        return _inconsistent(error)
    reason = None if cell is None else found.why(cell)
    return Answer(
        data=lambda: inference_data(found, reason),
        sentences=lambda: [*sentences(found), *([] if reason is None else _doubts(found, reason)), *check_notes(found)],
        picture=lambda: draw(view, found, reason),
        summary=lambda: Summary(counted(found.solutions, "field"), found.solutions, proven=True),
    )


def _inconsistent(error: InfeasibleError) -> Answer:
    names = [constraint.name for constraint in error.conflict]
    return Answer(
        data=lambda: {"game": NAME, "status": "infeasible", "reason": str(error), "conflict": names},
        sentences=lambda: [str(error)],
        outcome=Outcome.NO_SOLUTION,
    )


def inference_data(answer: Inference, reason: Explanation | None = None) -> dict[str, Any]:
    """What follows from a view, as plain data; probabilities by row, open cells None.

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
        "game": NAME,
        "status": "solved",
        "fields": answer.solutions,
        "safe": [list(cell) for cell in sorted(answer.safe)],
        "mines": [list(cell) for cell in sorted(answer.mines)],
        "best": [list(cell) for cell in answer.best],
        "probability": rows,
        "checked": answer.checked,
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
    """What is certain, in words; where nothing is safe, the picture says where the risk is least.

    >>> sentences(infer(View.from_text("1--")))
    ['mines: (1,2)', 'nothing is safe']
    """
    said = [f"safe: {_listed(sorted(answer.safe))}"] if answer.safe else []
    if answer.mines:
        said.append(f"mines: {_listed(sorted(answer.mines))}")
    if answer.view.covered and not answer.safe:
        said.append("nothing is safe")
    return said


def _doubts(answer: Inference, reason: Explanation) -> list[str]:
    """What the picture of a reason does not say: of a cell that may be either, the risk and a field for each."""
    if not reason.examples:
        return []
    cell = f"({reason.cell[0]},{reason.cell[1]})"
    free, mined = (field.mines for field in reason.examples)
    return [
        f"{cell} is a mine with {float(answer.exact(reason.cell)):.1%}. Fields that fit differ in few cells:",
        f"where it is safe, mines are at {_listed(sorted(free - mined)) or 'no other cell'}",
        f"where it is a mine, mines are at {_listed(sorted(mined - free))} instead",
    ]


def _listed(cells: Any) -> str:
    return listed([f"({row},{column})" for row, column in cells], MOST)


def _naively(view: View, time_limit: float | None) -> Answer:
    found = naive.solutions(encode(view), time_limit)
    number, looked = counted(found.solutions, "field"), f"{found.states:,} states in {duration(found.seconds)}"
    status = "solved" if found.finished and found.solutions else "infeasible" if found.finished else "unknown"
    outcomes = {"solved": Outcome.SOLVED, "infeasible": Outcome.NO_SOLUTION, "unknown": Outcome.LIMIT_REACHED}
    words = f"{number} after {looked}" if found.finished else f"unknown: {number} until it was stopped after {looked}"
    return Answer(
        data=lambda: {
            "game": NAME,
            "method": "dfs",
            "status": status,
            "fields": found.solutions,
            "states": found.states,
            "seconds": found.seconds,
        },
        sentences=lambda: [words],
        outcome=outcomes[status],
        summary=lambda: Summary(number, found.solutions, found.finished, found.states),
    )


def count(board: Field | View, method: str | None = None, time_limit: float | None = None, **options: Any) -> Counted:
    """The number of fields that fit a view."""
    board = _known(board)
    if isinstance(board, Field):
        raise ModelError("all is known of a board with its mines known: there is nothing to count")
    _check_for_a_view(method, **options)
    found = infer(board, method or next(iter(METHODS)), time_limit=time_limit, **options)
    return Counted(found.solutions, "field", found.check)


def _played(field: Field, agent: str, seed: int | None, transcript: bool, log: str | None, time_limit: float | None) -> Answer:
    """A game that an agent plays; the limit is looked at before every move."""
    game = MinesweeperGame(field)
    deadline = Deadline(time_limit)

    def choose_in_time(view: View, luck: random.Random) -> Decision:
        deadline.check("the agent's game")
        return AGENTS[agent](view, luck)

    record = replace(play(game, choose_in_time, seed=0 if seed is None else seed), agent=agent)
    ended = f"{'won' if record.won else 'lost'}, {counted(record.opened, 'cell')} open"
    if log is not None:
        try:
            files.write(log, game.log().encode())
        except OSError as error:
            raise ModelError(f"cannot write {log}: {(error.strerror or str(error)).lower()}") from error
    moves = [{"cell": list(move.cell), "kind": move.kind, "risk": move.risk, "reason": move.reason} for move in record.moves]
    return Answer(
        data=lambda: {
            "game": NAME,
            "agent": record.agent,
            "status": "won" if record.won else "lost",
            "guesses": record.guesses,
            "opened": record.opened,
            "moves": moves,
        },
        sentences=lambda: str(record).splitlines(),
        picture=lambda: draw(game),
        text=(lambda: game.transcript().rstrip("\n")) if transcript else None,
        outcome=Outcome.SOLVED if record.won else Outcome.NO_SOLUTION,
        summary=lambda: Summary(ended, int(not record.won), proven=record.won),
    )


# -- the commands mines and campaign


def _mines(view: View, why: str | None = None, **options: Any) -> Answer:
    """Risks and certain cells, with what the expert would open where nothing is safe, and a word where the number of mines is missing."""
    found = inferred(view, None if why is None else pair(why, "--why", "ROW,COL"), **options)
    more: dict[str, Any] = {"instance": write(view).data()}
    told = replace(found, data=lambda: {**found.data(), **more})
    if found.outcome is not Outcome.SOLVED or not view.covered:
        return told
    if view.mines is None or len(view.covered) == view.mines or infer(view).safe:
        return replace(told, sentences=lambda: [*found.sentences(), *_unsaid(view)])
    decision = EXPERT(view, random.Random(0))
    more["expert"] = _decision_data(decision)
    return replace(told, sentences=lambda: [*found.sentences(), _advised(decision)])


def _advised(decision: Decision) -> str:
    (row, column), *_ = decision.open
    chance = "" if decision.chance is None else f"; the game is won from here with {float(decision.chance):.1%}"
    return f"the expert opens ({row},{column}), at {decision.risk:.1%}: {decision.reason}{chance}"


def _decision_data(decision: Decision) -> dict[str, Any]:
    chance = None if decision.chance is None else float(decision.chance)
    return {"cell": list(decision.open[0]), "risk": decision.risk, "reason": decision.reason, "chance": chance}


def _unsaid(view: View) -> list[str]:
    if view.mines is not None:
        return []
    return ["the number of mines is not given: every field that fits counts the same, whatever its number; --mines N makes it right"]


METHOD = Option("method", f"How: {', '.join(METHODS)}.", metavar="METHOD", choices=lambda: METHODS)
MINES = Command(
    "mines",
    NAME,
    "Draw the exact probability of a mine in every covered cell.",
    _mines,
    argument="The board: one line per row, - covered, 0 to 8 open, F flagged; or a jogo.pl.",
    read=read_view,
    read_options=READ_OPTIONS,
    options=(
        Option("why", "Say why this cell is safe or a mine.", metavar="ROW,COL"),
        METHOD,
        Option("time_limit", "Stop after that time (exit code 3).", float, "SECONDS", least=0.0),
        Option("check", "Have a small board answered once more by python-constraint.", bool),
    ),
    examples=("cpsolve mines board.txt --mines 10", "printf '001-\\n001-\\n113-\\n----' | cpsolve mines - --mines 3 --why 4,2"),
)

FIRST_CLICK = Option(
    "first_click", "What the first cell may be: any, safe, opening.", metavar="CLICK", choices=lambda: get_args(FirstClick)
)
SIZE_OPTIONS = (
    Option("rows", "Rows, instead of a level.", int, "N"),
    Option("columns", "Columns, instead of a level.", int, "N"),
    Option("mines", "Mines, instead of a level.", int, "N"),
)


def _size(level: str | None, rows: int | None, columns: int | None, mines: int | None) -> Level | None:
    """The board of a level, or that of the numbers given; None when nothing is."""
    if (rows, columns, mines) == (None, None, None):
        return None if level is None else LEVELS[level]
    if level is not None or rows is None or columns is None or mines is None:
        raise ModelError("give a --level, or all of --rows, --columns and --mines")
    return Level(rows, columns, mines)


def _campaign(
    agent: str = "expert",
    compare: str | None = None,
    level: str | None = None,
    rows: int | None = None,
    columns: int | None = None,
    mines: int | None = None,
    games: int = 100,
    first_click: FirstClick = "safe",
    seed: int = 0,
    workers: int | None = None,
    resume: str | None = None,
    time_limit: float | None = None,
) -> Answer:
    size = _size(level, rows, columns, mines) or LEVELS["beginner"]
    if compare == agent:
        raise ModelError(f"--compare takes another agent than {agent!r}")
    results: list[CampaignResult] = []
    deadline = Deadline(time_limit)
    agents = [agent] if compare is None else [agent, compare]
    for name in agents:
        left = deadline.left()
        path = None if resume is None else Path(resume)
        if path is not None and name != agent:
            path = path.with_name(f"{path.stem}.{name}{path.suffix}")
        try:
            results.append(
                campaign(
                    size.rows, size.columns, size.mines, games, name, first_click, seed, workers,
                    path=path, resume=True, time_limit=None if left is None else left / (len(agents) - len(results)),
                )
            )  # fmt: skip
        except LimitError:  # one of time is an OSError, too
            if not results:
                raise
            break  # what the first agent has played stands
        except OSError as error:
            raise ModelError(f"cannot use {path}: {(error.strerror or str(error)).lower()}") from error
    comparison = _compare(*results) if len(results) == 2 else None
    return Answer(
        data=lambda: {
            "game": NAME,
            "command": "campaign",
            "campaigns": [_campaign_data(result) for result in results],
            **({} if comparison is None or not comparison.games else {"comparison": _comparison_data(comparison)}),
        },
        sentences=lambda: [*map(str, results), *([] if comparison is None else [str(comparison)])],
        outcome=Outcome.SOLVED if [result.games for result in results] == [games] * len(agents) else Outcome.LIMIT_REACHED,
    )


_compare = compare


def _campaign_data(result: CampaignResult) -> dict[str, Any]:
    names = ("agent", "rows", "columns", "mines", "first_click", "seed", "games", "wins", "win_rate")
    return {**{name: getattr(result, name) for name in names}, "interval": list(result.interval)}


def _comparison_data(comparison: Any) -> dict[str, Any]:
    return {
        "both": comparison.both,
        "only_first": comparison.first,
        "only_second": comparison.second,
        "neither": comparison.neither,
        "difference": comparison.difference,
        "interval": list(comparison.interval),
        "p_value": comparison.p_value,
    }


CAMPAIGN = Command(
    "campaign",
    NAME,
    "Let an agent play many games of Minesweeper and count its wins.",
    _campaign,
    options=(
        Option("agent", "Who plays.", metavar="AGENT", choices=lambda: AGENTS),
        Option("compare", "Compare with this agent on the same boards.", metavar="AGENT", choices=lambda: AGENTS),
        Option("level", f"The board: {', '.join(LEVELS)}.", metavar="LEVEL", choices=lambda: LEVELS),
        *SIZE_OPTIONS,
        Option("games", "How many games.", int, "N", least=1),
        FIRST_CLICK,
        Option("seed", "The same seed gives the same games.", int, "N"),
        Option("workers", "Processes that share the work (default: all cores).", int, "N", least=1),
        Option("resume", "Keep every game in this file, and go on from those that it holds.", metavar="FILE"),
        Option("time_limit", "Stop after that time, and count the games played until then (exit code 3).", float, "SECONDS", least=0.0),
    ),
    examples=(
        "cpsolve campaign --agent expert --level beginner --games 1000",
        "cpsolve campaign --agent seed --compare exact --rows 8 --columns 8 --mines 10 --games 200",
    ),
    drawn=False,
    verify=campaigns,
)


# -- play and tour


def _ask_level(known: Mapping[str, Any]) -> Menu[str] | None:
    if known.get("rows") is not None or known.get("instance") is not None:
        return None
    options = [(name, f"{name}: {each.rows} × {each.columns}, {each.mines} mines") for name, each in LEVELS.items()]
    return Menu("Which field?", options, title=TITLE)


def check_play(instance: Field | View | None = None, **given: Any) -> None:
    """ModelError for a board that there is not, or that is given in two ways."""
    if instance is not None:
        if given.get("level") is not None:
            raise ModelError("the file says which board is played: leave --level out")
        return
    size = _size(*(given.get(name) for name in ("level", "rows", "columns", "mines")))
    if size is not None:
        check_playable(Field.random(size.rows, size.columns, size.mines, 0))  # says so when there is no such field


def session(
    level: str | None = None,
    rows: int | None = None,
    columns: int | None = None,
    mines: int | None = None,
    first_click: FirstClick | None = None,
    seed: int | None = None,
    log: str | None = None,
    instance: Field | View | None = None,
) -> MinesweeperSession:
    """A game on a new field, on one that is known, or on one drawn from all that fit a view."""
    if isinstance(instance, Field):
        level_of = Level(instance.rows, instance.columns, len(instance.mines))
        return MinesweeperSession(level_of, first_click or "any", seed, field=instance, log=log)
    if isinstance(instance, View):
        field = drawn(instance, random.randrange(2**32) if seed is None else seed)
        return MinesweeperSession(Level(field.rows, field.columns, len(field.mines)), "any", seed, field, instance, log)
    first_click = first_click or "safe"
    return MinesweeperSession(_size(level, rows, columns, mines) or LEVELS["beginner"], first_click, seed, log=log)


def read_start(text: str, mines: int | None = None, rows: int | None = None, columns: int | None = None) -> Field | View:
    """What a game can begin from: a field, or a view with the number of mines."""
    board = read(text, mines, rows, columns)
    if isinstance(board, View) and board.mines is None:
        raise MissingOption("the file does not say how many mines there are: give --mines", "mines")
    return board


def drawn(view: View, seed: int) -> Field:
    """A field drawn from all that fit a view, each with the same probability; InfeasibleError, which says why, when none does.

    >>> drawn(View.from_text("1-", mines=1), seed=0)
    Field(1, 2, mines={(1, 2)})
    """
    infer(view)
    return decode(view, encode(view).sample(1, seed)[0])


def generated(*sizes: int, mines: int | None = None, seed: int | None = None) -> Field:
    """A random field: rows and columns, or one number for a square.

    >>> generated(3, mines=2, seed=1) == generated(3, 3, mines=2, seed=1)
    True
    """
    rows, columns = pair_of(sizes, "the rows and the columns")
    if mines is None:
        raise MissingOption("how many mines? give --mines", "mines")
    return Field.random(rows, columns, mines, seed)


def warm_up() -> None:
    """Compiles or loads the kernels."""
    infer(View.from_text("1--\n---\n--1", mines=2))
    EXPERT.choose(View.from_text("11\n--", mines=1))


def tour() -> Stop:
    """What the original's player could have known, and the same on a large board."""
    stop = Stop("Minesweeper")
    view = View.from_text(ORIGINAL_VIEW, ORIGINAL_MINES)
    warm_up()
    found, tried = _compare_view(stop, "original, 4×4", view)
    stop.tell("infer", f"safe: {_listed(sorted(found.safe))}; mines: {_listed(sorted(found.mines))}; {found.solutions} field fits")
    stop.tell("why", str(found.why(min(found.safe))))
    if tried.solutions != found.solutions:
        raise SolverError(f"depth-first search finds {tried.solutions} fields, inference {found.solutions}", [])
    stop.tell("verified", "depth-first search over the layouts of mines finds as many that fit")
    stop.tell("check", infer(view, check=True).check.note)
    stop.draw(draw(view, found))
    game = MinesweeperGame(Field.random(16, 30, 99, seed=1), first_click="opening", seed=1)
    game.open((8, 15))
    large, _ = _compare_view(stop, "16×30, 99 mines", game.view)
    stop.tell("on 16×30", f"{_about(large.solutions)} fields fit; {len(large.safe)} cells are safe, {len(large.mines)} are mines")
    return stop


def _compare_view(stop: Stop, label: str, view: View) -> tuple[Inference, naive.ModelSearch]:
    started = time.perf_counter()
    found = infer(view)
    fields = found.solutions
    seconds = time.perf_counter() - started
    tried = naive.solutions(encode(view), time_limit=showcase.PATIENCE)
    ours = Side(f"{_about(fields)} field{'' if fields == 1 else 's'}, risks exact", seconds)
    theirs = counted(tried.solutions, "field") + ("" if tried.finished else " so far")
    stop.comparisons.append(Comparison(label, ours, Side(theirs, tried.seconds, tried.states, tried.finished)))
    return found, tried


def _about(number: int) -> str:
    digits = len(str(number))
    return f"{number:,}" if digits <= 9 else f"10^{digits - 1}"


GAME = Game(
    NAME,
    "Minesweeper",
    "what is safe, what is a mine, and how likely everything else is, exactly.",
    read=read,
    solve=answer,
    instances=lambda: {"original": Instance(ORIGINAL_VIEW, {"mines": ORIGINAL_MINES})},
    read_options=READ_OPTIONS,
    solve_options=(
        Option("seed", "The luck of an agent that plays a mina.pl.", int, "N"),
        Option("log", "Write the agent's game to this file, as the original's jogo.pl.", metavar="FILE"),
        Option("transcript", "Print the agent's game as the original does: what was revealed, and how it ended.", bool),
    ),
    methods=methods,
    count=count,
    verify=verify,
    verifies={"hint": hint, "review": review, "compare": fields_of},
    rules="Every number counts the mines around its cell. Open every cell that is no mine.",
    draw=show,
    writers={
        "prolog": lambda board: _known(board).to_prolog(),
        "ambiente": lambda board: board.environment() if isinstance(board, Field) else _known(board).to_prolog(),
        "drawing": lambda board: str(_known(board)),
        "text": lambda board: _known(board).to_text(),
    },
    generator=Generator(
        generated,
        "Rows and columns; one number for a square.",
        {"mina.pl": Field.to_prolog, "ambiente.pl": Field.environment},
        options=(
            Option("mines", "How many mines there are.", int, "N"),
            Option("seed", "The same seed gives the same field.", int, "N"),
        ),
        examples=("cpsolve generate minesweeper 9 9 --mines 10 --seed 1", "cpsolve generate minesweeper 4 --mines 3 > tabuleiro"),
    ),
    play=Play(
        session,
        (
            Option("level", f"The board: {', '.join(LEVELS)}.", metavar="LEVEL", choices=lambda: LEVELS, menu=_ask_level),
            *SIZE_OPTIONS,
            FIRST_CLICK,
            Option("seed", "Makes the mines repeatable.", int, "N"),
            Option("log", "Write the game to this file while it is played, as the original's jogo.pl.", metavar="FILE"),
        ),
        check_play,
        (
            "cpsolve play minesweeper --level beginner",
            "cpsolve play minesweeper --rows 5 --columns 9 --mines 7",
            "cpsolve play minesweeper mina.pl --log jogo.pl",
        ),
        read_start,
        ("mines", "rows", "columns"),
    ),
    tour=tour,
    warm_up=warm_up,
    interaction=INTERACTION,
    examples=(
        "cpsolve solve minesweeper board.txt --mines 10",
        "cpsolve solve minesweeper mina.pl --method expert --log jogo.pl",
        "cpsolve solve minesweeper --count",
    ),
)

"""Every reader with good texts made odd: what comes out is a value, which is written and read back the same, or an error with its place.

Each must be done within two seconds of processor time and within bounded memory, whatever the text. A few texts are as long as a file may
be, a short piece again and again: these are read within a limit, as a command reads them.
"""

from __future__ import annotations

import json
import re
import resource
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner

from cpsolve import catalogue, files, journal, prolog
from cpsolve.app.command import app
from cpsolve.errors import CPSolveError, FormatError
from cpsolve.limits import Deadline
from cpsolve.puzzles import links
from cpsolve.puzzles.boards_as_text import LINE_ENDS
from fuzz.garbling import garbled, huge
from fuzz.runner import Kind, Refused, Wrong
from models import center
from models.center import checker
from models.minesweeper import Field
from models.minesweeper.campaign import Outcome
from models.pacman import Maze

SECONDS, MEGABYTES = 2.0, 300
"""What reading one text may take."""
FLOODS = 0.01
"""How many of the texts are as long as can be: they take a hundred times as long as others."""
LONGEST_WORDS = 2_000
"""Longer messages bury what they say."""
DOCUMENT = Path(__file__).parents[1] / "docs" / "formats.md"
GAMES = {"layout": "pacman", **dict.fromkeys(("minesweeper-field", "minesweeper-view", "minesweeper-game"), "minesweeper")}
PUZZLES = Path(__file__).parents[1] / "examples" / "puzzles"
"""Scripts, each with a link."""


# -- one reading


def check(
    read: Callable[[str, Mapping[str, Any]], Any], back: Callable[[Any], None] = lambda value: None
) -> Callable[[Mapping[str, Any]], None]:
    """Reads an input as a file is read, within the limits; ``back`` raises Wrong when what was read is not written back the same."""

    def run(value: Mapping[str, Any]) -> None:
        times = value.get("times", 1)
        data = (value["text"] * times).encode("utf-8", "surrogateescape")
        limit = Deadline(None if times == 1 else SECONDS / 2, None if times == 1 else MEGABYTES << 19)
        begin, memory = time.process_time(), _megabytes()
        error: CPSolveError | None = None
        text, found = data.decode("latin-1"), None
        try:
            with limit.watched():
                text = files.text_of(BytesIO(data))
                found = read(text, value.get("options", {}))
        except CPSolveError as refusal:
            error = refusal
        seconds, grown = time.process_time() - begin, _megabytes() - memory
        if seconds > SECONDS or grown > MEGABYTES:
            raise Wrong(f"it took {seconds:.1f} s of processor time and {grown} MB: {error}"[:LONGEST_WORDS])
        if error is not None:
            _place(error, text)
            raise Refused(str(error))
        back(found)

    return run


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _place(error: CPSolveError, text: str) -> None:
    """Wrong unless the place of an error is one of the text, and it is told in a few words."""
    if len(str(error)) > LONGEST_WORDS:
        raise Wrong(f"{len(str(error)):,} signs to say {str(error)[:200]!r}")
    if isinstance(error, FormatError):
        lines = 1 + sum(map(text.count, LINE_ENDS))
        longest = max((len(line.group()) for line in re.finditer(r"[^\n]+", text)), default=0)  # without a list of all lines
        if not (1 <= error.line <= lines + 1 and 1 <= error.column <= longest + 2):  # beyond a full stop that was left out
            raise Wrong(f"{error}: the text has {lines} lines of at most {longest} signs")


def same(what: str, value: object, again: object) -> None:
    """Wrong unless what was written was read back the same."""
    if value != again:
        raise Wrong(f"{what}: read\n{value!r:.1000}\nwritten and read back\n{again!r:.1000}")


def again(what: str, read: Callable[[], object], text: str) -> object:
    """What is read of a text that was just written; it may not be refused."""
    try:
        return read()
    except CPSolveError as error:
        raise Wrong(f"{what}: its own text is refused: {error}\n{text[:1000]}") from error


# -- the formats


def unwalled(board: Any) -> bool:
    """Whether a layout does not tell what it is, or how high: one without walls, or with nothing in its last row."""
    return isinstance(board, Maze) and (not board.walls or not board.to_layout().splitlines()[-1].strip())


LOSSY: Sequence[tuple[str, str, Callable[[Any], bool]]] = (
    ("minesweeper", "ambiente", lambda board: True),  # where the mines are
    ("minesweeper", "prolog", lambda board: not isinstance(board, Field)),  # how large the board is
    ("minesweeper", "drawing", lambda board: isinstance(board, Field) and not board.mines),  # that nothing is covered
    ("minesweeper", "text", lambda board: isinstance(board, Field) and not board.mines),
    ("pacman", "drawing", unwalled),
    ("pacman", "text", unwalled),
    ("four-in-a-line", "prolog", lambda board: (board.rows, board.columns) != (6, 7)),  # how large the board is
)
"""What formats of the original do not tell, and of which boards."""


def read_game(name: str) -> Callable[[str, Mapping[str, Any]], Any]:
    """Reads an instance of a game."""
    return lambda text, options: _board(catalogue.game(name), text, options)


def write_game(name: str) -> Callable[[Any], None]:
    """Writes an instance in the format that keeps everything, and in all others."""

    def back(board: Any) -> None:
        game = catalogue.game(name)
        assert game.interaction.write is not None
        kept = game.interaction.write(board)
        same(f"{name}, as kept", board, again(name, partial(_board, game, kept.text, kept.options), kept.text))
        for form, write in game.writers.items():
            told = write(board)
            if not any(form == lossy and name == of and lost(board) for of, lossy, lost in LOSSY):
                what = f"{name}, as {form}"
                same(what, board, again(what, partial(_board, game, told, kept.options), told))

    return back


def _board(game: catalogue.Game, text: str, options: Mapping[str, Any]) -> Any:
    """What the page makes of a text: the game's own formats, then those of others."""
    try:
        return game.read(text, **options)
    except CPSolveError as error:
        if game.interaction.paste is None:
            raise
        try:
            return game.interaction.paste(text, **options)[0]
        except CPSolveError:
            raise error from None


def read_prolog(text: str, options: Mapping[str, Any]) -> Any:
    """Facts of any kind."""
    return prolog.parse_terms(text, **options)


def write_prolog(terms: Any) -> None:
    """The same facts once more."""
    told = prolog.to_facts(terms)
    same("facts", terms, again("facts", lambda: prolog.parse_terms(told), told))


def read_link(text: str, options: Mapping[str, Any]) -> Any:
    """A link of a puzzle site."""
    return links.read(text)


def write_link(puzzle: Any) -> None:
    """The same puzzle once more."""
    told = links.write(puzzle)
    same("a link", puzzle, again("a link", lambda: links.read(told), told))


def read_certificate(text: str, options: Mapping[str, Any]) -> None:
    """A proof of Center; there is nothing to write back."""
    try:
        center.check(text, time_limit=1.0)
    except checker.CertificateError as error:  # the checker shares nothing with the package, its errors included
        raise CPSolveError(str(error)) from error


RUN = {"campaign": {"rows": 4, "columns": 4, "mines": 3, "agent": "exact", "first_click": "safe", "seed": 1}}


def read_journal(text: str, options: Mapping[str, Any]) -> Any:
    """The journal of a campaign."""
    return _read_journal(text.encode())


def write_journal(records: Sequence[Outcome]) -> None:
    """The same records once more."""
    told = journal.line({"journal": journal.FORMAT, "run": RUN}) + b"".join(map(_line, records))
    same("a journal", records, again("a journal", lambda: _read_journal(told), told.decode()))


def _read_journal(data: bytes) -> Sequence[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.jsonl"
        path.write_bytes(data)
        return journal.read(path, RUN, Outcome.of)[0]


def _line(outcome: Outcome) -> bytes:
    return journal.line({"record": asdict(outcome)})


def read_saved(text: str, options: Mapping[str, Any]) -> None:
    """An answer that was saved, as ``cpsolve verify`` takes it: 0 proven, 1 refuted, 2 no answer, 3 not in time."""
    done = CliRunner().invoke(app, ["verify", "-", "--time-limit", "0.5"], input=text.encode())
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in (0, 1, 2, 3):
        raise Wrong(f"exit code {done.exit_code}\n{done.output[:1000]}")
    if done.exit_code == 2:
        raise FormatError(done.stderr)


# -- good texts


@cache
def examples() -> Mapping[str, Sequence[str]]:
    """Good texts by format: those of the document, and a few that it describes in words."""
    found: dict[str, list[str]] = {}
    for kind, text in re.findall(r'```(?:prolog|text) title="([\w-]+)"\n(.*?)```', DOCUMENT.read_text(encoding="utf-8"), re.DOTALL):
        found.setdefault(kind, []).append(text)
    found["minesweeper-view"] += ["3x2x1\nHHH\n1HF", "1 . .\n. . .", "🟦1️⃣🟦\n🚩2️⃣🟦\n", "1 .\n# #", "-1-\n-1-\n---"]
    found["center"] += ["3", "x.\n.o.\n..", ".o\nx.x\no.\no to move", "xo.\n...\n...\nx to move (swap rule)", "[['x']]. to_move(o). swap."]
    found["four-in-a-line"] += ["", "44444", ". . .\nb a a", "adjacente([[],[]], b, L)."]
    found["pacman"] += [
        "P.o\n#xC",
        "dimensoes(2, 2). posicao(pacman, 0, 0). posicao(ponto, 1, 0). posicao(cereja, 1, 1). posicao(fantasma, []).",
    ]
    found["busy-police"] += ["&", "P.o.F", "@H\n .", "f.p"]
    return found


def _start() -> list[str]:
    return ["f('a b', \"c\", [1, -2, [x|[]]]).\ng(0'a, 0x1f, 'it''s').\n% end\nh([]). /* no */ ok.", "a.", "f(X) :- g(X).", "x([1,2|T])."]


def _journals() -> list[str]:
    lines = [_line(Outcome(game, game % 2 == 0, 1, 5, 0.5, -0.25)) for game in range(3)]
    return [b"".join([journal.line({"journal": journal.FORMAT, "run": RUN}), *lines[:count]]).decode() for count in (0, 1, 3)]


@cache
def _links() -> list[str]:
    return [link for path in sorted(PUZZLES.glob("*.py")) for link in re.findall(r'https://puzz.link/p\?[^"\s]+', path.read_text("utf-8"))]


@cache
def _certificates() -> list[str]:
    from models import center

    return [center.certify(center.Position(3)).to_text(), center.certify(center.Position(5)).to_text()]


@cache
def _saved() -> list[str]:
    found = []
    for words in (["pacman", "--method", "bfs"], ["busy-police", "--method", "bfs"], ["minesweeper"], ["center", "3"]):
        found.append(CliRunner().invoke(app, ["solve", *words, "--json"]).stdout)
    four = {"winner": "a", "plies": 1, "best": [3], "line": [3], "instance": {"text": "b b .\na a .", "options": {"connect": 3}}}
    return [*found, json.dumps({"game": "four-in-a-line", **four}), *_certificates()[:1]]


OPTIONS: dict[str, Mapping[str, Sequence[Any]]] = {
    "minesweeper-view": {"mines": (3, 0, 1)},
    "minesweeper-game": {"rows": (4, 5), "columns": (4, 1000), "mines": (3,)},
    "busy-police": {"officer": ("1,1", "2,1", "(1, 1)", "x"), "fugitive": ("4,2", "")},
    "four-in-a-line": {"connect": (4, 3, 1)},
    "prolog": {"skip_rules": (True,)},
}


def make(name: str, texts: Callable[[], Sequence[str]]) -> Callable[[Random], dict[str, Any]]:
    """Draws a garbled text, sometimes with options beside it."""

    def draw(random: Random) -> dict[str, Any]:
        good = texts()
        if random.random() < FLOODS:
            return flood(random, good)
        options = {}
        for option, values in OPTIONS.get(name, {}).items():
            if random.random() < (0.9 if option == "rows" else 0.1):
                odd = random.choice((-1, 0, 2**31, 2**62, 10**30)) if isinstance(values[0], int) else huge(random)
                options[option] = random.choice(values) if name == "prolog" or random.random() < 0.8 else odd
        return {"text": garbled(random, random.choice(good), good), "options": options}

    return draw


def flood(random: Random, good: Sequence[str]) -> dict[str, Any]:
    """A piece of a good text, or a sign or two, again and again until it is as long as a file may be, or a little longer."""
    text = random.choice(good)
    place = random.randint(0, len(text))
    signs = random.choice((*".-x#P1%[(a|", " ", *LINE_ENDS, huge(random)))
    piece = random.choice((text[place : place + random.randint(1, 30)], signs, signs + random.choice(" .\n\v|"))) or "."
    most = files.MOST_BYTES // len(piece.encode("utf-8", "surrogateescape"))
    return {"text": piece, "times": max(2, random.choice((most, most, most // 2, most // 10, most + 1))), "options": {}}


def _document(kind: str) -> Callable[[], Sequence[str]]:
    return lambda: examples()[kind]


KINDS = {
    **{
        kind: Kind(make(kind, _document(kind)), check(read_game(GAMES.get(kind, kind)), write_game(GAMES.get(kind, kind))))
        for kind in (
            *("busy-police", "pacman", "layout", "minesweeper-field", "minesweeper-view", "minesweeper-game", "four-in-a-line"),
            "center",
        )
    },
    "prolog": Kind(make("prolog", _start), check(read_prolog, write_prolog)),
    "links": Kind(make("links", _links), check(read_link, write_link)),
    "certificates": Kind(make("certificates", _certificates), check(read_certificate)),
    "journals": Kind(make("journals", _journals), check(read_journal, write_journal)),
    "saved answers": Kind(make("saved answers", _saved), check(read_saved)),
}

"""Minesweeper on a board that answers: cells to point at, games that are played, and the analysis that a page shows.

A game is data here: a :class:`Match` is a field (by its seed) with the moves made on it, so that a link holds a whole game. A spot is
``ROW,COL``; a move is a spot to open, or ``f`` and a spot to flag it or take the flag away; opening an open number opens what is around
it, once its mines are flagged. Nothing that is told of a match uses more than its view.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cpsolve.cached import cached_property
from cpsolve.catalogue import Answer, Instance, Interaction, Option, Outcome, Spot, Standing
from cpsolve.drawing import BLUE, INK, PURPLE, VERMILLION, Entry, Icon, Picture, Place, Tile, disc, stroke
from cpsolve.errors import DiagramTooWide, IllegalMoveError, InfeasibleError, ModelError
from cpsolve.limits import Deadline, looking
from cpsolve.words import counted, digits, pair
from models.minesweeper.campaign import LEVELS
from models.minesweeper.drawing import draw
from models.minesweeper.encode import name_of
from models.minesweeper.expert import EXPERT
from models.minesweeper.explanation import Explanation
from models.minesweeper.formats import Cell
from models.minesweeper.inference import DiagramInference, Inference, infer
from models.minesweeper.pasted import read_pasted
from models.minesweeper.rules import Field, Game, View

TRIES = 3_000
"""Fields that are tried for one that logic alone wins."""
LARGEST_SIDE = 100
BRUSHES = {"-": "covered", **{str(number): f"{number}" for number in range(9)}, "F": "flag"}


@dataclass(frozen=True)
class Match:
    """A game in progress: the field by its size and seed, what the first cell may be, and the moves made."""

    rows: int
    columns: int
    mines: int
    first_click: str = "opening"
    seed: int = 0
    no_guess: bool = False
    moves: tuple[str, ...] = ()

    @cached_property
    def game(self) -> Game:
        """The game after its moves."""
        game = Game(self.field, self.first_click, self.seed)  # type: ignore[arg-type]
        for move in self.moves:
            _make(game, move)
        return game

    def after(self, move: str) -> Match:
        """The match after one more move; the game goes on from here, so that a long one is not played again for each of its moves."""
        found, game = replace(self, moves=(*self.moves, move)), self.game.copy()
        _make(game, move)
        found.__dict__["game"] = game
        return found

    @cached_property
    def field(self) -> Field:
        """The field, before the first move clears its way."""
        return Field.random(self.rows, self.columns, self.mines, self.seed)

    @property
    def view(self) -> View:
        """What the player sees."""
        return self.game.view


Board = Field | View | Match


def _make(game: Game, move: str) -> None:
    if move.startswith("f"):
        cell = spot_of(move[1:])
        (game.unflag if cell in game.view.flags else game.flag)(cell)
        return
    for cell in opened_by(game.view, spot_of(move)):
        if game.status == "playing":
            game.open(cell)


def opened_by(view: View, cell: Cell) -> tuple[Cell, ...]:
    """What a click opens: a covered cell, or all around an open number whose mines are flagged.

    >>> opened_by(View.from_text("F1-"), (1, 2)), opened_by(View.from_text("F1-"), (1, 3))
    (((1, 3),), ((1, 3),))
    """
    if view[cell] is not None:
        return view.chord(cell)
    if cell in view.flags:
        raise IllegalMoveError(f"{name_of(cell)} is flagged: take the flag away first")
    return (cell,)


def spot_of(text: str) -> Cell:
    """The cell that a spot names.

    >>> spot_of("3,4")
    (3, 4)
    """
    return pair(text, "a cell", "ROW,COL")


def view_of(board: Board) -> View:
    """What a player knows; a field with its mines known is refused."""
    if isinstance(board, Field):
        raise ModelError("this board says where the mines are: there is nothing to work out")
    return board if isinstance(board, View) else board.view


def new(
    level: str | None = "beginner",
    rows: int | None = None,
    columns: int | None = None,
    mines: int | None = None,
    first_click: str = "opening",
    seed: int | None = None,
    no_guess: bool = False,
) -> Match:
    """A new game, of a level or of a size; a board without guesses is looked for when its first cell is opened.

    >>> new(level="beginner", seed=1).view.mines
    10
    """
    size = LEVELS[level or "beginner"]
    match = Match(rows or size.rows, columns or size.columns, size.mines if mines is None else mines, first_click, seed or 0, no_guess)
    if max(match.rows, match.columns) > LARGEST_SIDE:
        raise ModelError(f"a board of {match.rows} by {match.columns} fits no page: expected at most {LARGEST_SIDE} rows and columns")
    if not 0 <= match.mines < match.rows * match.columns:
        raise ModelError(
            f"a board of {match.rows} by {match.columns} holds fewer than {match.rows * match.columns} mines, not {match.mines}"
        )
    return match


NEW_OPTIONS = (
    Option("level", f"The board: {', '.join(LEVELS)}.", choices=lambda: LEVELS),
    Option("rows", "Rows, instead of a level.", int, least=1),
    Option("columns", "Columns, instead of a level.", int, least=1),
    Option("mines", "Mines, instead of a level.", int, least=0),
    Option("first_click", "What the first cell may be.", choices=lambda: ("any", "safe", "opening")),
    Option("seed", "Makes the mines repeatable.", int, least=0),
    Option("no_guess", "A board that logic alone wins.", bool),
)


def move(board: Board, text: str) -> Match:
    """The match after a cell is opened or flagged; opening the first of a board without guesses chooses its field."""
    if not isinstance(board, Match):
        raise ModelError("moves are made in a game: begin a new one")
    if board.game.status != "playing":
        raise IllegalMoveError(f"the game is {board.game.status}: no move can be made")
    cell = spot_of(text.removeprefix("f"))
    if text.startswith("f"):
        board.game.view[cell]  # says so when there is no such cell
        if board.game.view[cell] is not None:
            raise IllegalMoveError(f"{name_of(cell)} is open and cannot be flagged")
    if board.no_guess and not text.startswith("f") and not any(not each.startswith("f") for each in board.moves):
        board = without_guesses(board, cell)
    return board.after(f"{'f' if text.startswith('f') else ''}{cell[0]},{cell[1]}")


def without_guesses(match: Match, cell: Cell) -> Match:
    """The match on a field that can be won from this cell without ever taking a risk: every opening is proven by ``infer``.

    >>> found = without_guesses(new(level="beginner", seed=3, no_guess=True), (1, 1))
    >>> won_by_logic(found, (1, 1))
    True
    """
    chance = random.Random(match.seed)
    for _ in range(TRIES):
        tried = replace(match, seed=chance.randrange(2**31), no_guess=False, first_click="opening")
        if won_by_logic(tried, cell):
            return tried
    raise ModelError(f"none of {TRIES:,} boards of this size and number of mines could be won without a guess: try fewer mines")


def won_by_logic(match: Match, cell: Cell) -> bool:
    """Whether the game is won by opening proven cells alone, after this one."""
    game = Game(match.field, match.first_click, match.seed)  # type: ignore[arg-type]
    game.open(cell)
    while game.status == "playing":
        try:
            safe = infer(game.view).safe
        except DiagramTooWide:
            return False
        if not safe:
            return False
        for each in safe:
            if game.status == "playing":  # the last opening may have shown the others too
                game.open(each)
    return game.status == "won"


# -- what is shown


def write(board: Board) -> Instance:
    """The text and options that give the same board; of a match, what its player sees."""
    if isinstance(board, Field):
        return Instance(board.to_prolog())
    view = view_of(board)
    return Instance(view.to_text(), {} if view.mines is None else {"mines": view.mines})


def begun(board: Board) -> Mapping[str, Any] | None:
    """The options of ``new`` that begin this match, on the field that was found for it."""
    names = ("rows", "columns", "mines", "first_click", "seed", "no_guess")
    return {name: getattr(board, name) for name in names} if isinstance(board, Match) else None


def show(board: Board) -> Picture:
    """The board, of a match as its player sees it."""
    return draw(board.game if isinstance(board, Match) else board)


def spots(board: Board) -> Mapping[Place, Spot]:
    """Every cell."""
    view = None if isinstance(board, Field) else view_of(board)
    found = {}
    for row in range(1, board.rows + 1):
        for column in range(1, board.columns + 1):
            value = None if view is None else view[row, column]
            flagged = view is not None and (row, column) in view.flags
            what = "" if view is None else f"shows {value}" if value is not None else "flagged" if flagged else "covered"
            found[column - 1, row - 1] = Spot(f"{row},{column}", f"row {row}, column {column}: {what}")
    return found


def cells(board: Board) -> list[list[str]]:
    """What a player sees, row by row: a number, ``F`` for a flag, ``-`` for a covered cell; of a field its mines, ``*``, and no more.

    >>> cells(View.from_text("1-"))
    [['1', '-']]
    """

    def seen(cell: Cell) -> str:
        if isinstance(board, Field):
            return "*" if cell in board.mines else " "
        view = view_of(board)
        value = view[cell]
        return str(value) if value is not None else "F" if cell in view.flags else "-"

    return [[seen((row, column)) for column in range(1, board.columns + 1)] for row in range(1, board.rows + 1)]


def standing(board: Board) -> Standing:
    """How a match stands; of anything else, how much is covered."""
    if isinstance(board, Match):
        game = board.game
        flags, words = len(game.view.flags), {"playing": "playing", "won": "won", "lost": "lost: that was a mine"}[game.status]
        covered = [f"{row},{column}" for row, column in game.view.covered] if game.status == "playing" else []
        left = f"{counted(game.mines, 'mine')}, {counted(flags, 'flag')}"
        return Standing(f"{words}; {left}", over=game.status != "playing", legal=tuple(covered))
    if isinstance(board, Field):
        return Standing(f"a field with {counted(len(board.mines), 'mine')}")
    known = "the number of mines is not known" if board.mines is None else counted(board.mines, "mine")
    return Standing(f"{board.rows} rows, {board.columns} columns, {counted(len(board.covered), 'covered cell')}; {known}")


def paint(board: Board, spot: str, brush: str) -> View:
    """The view with a cell covered, flagged or showing a number."""
    view, cell = view_of(board), spot_of(spot)
    view[cell]  # says so when there is no such cell
    opened, flags = dict(view.open), set(view.flags)
    opened.pop(cell, None)
    flags.discard(cell)
    if brush == "F":
        flags.add(cell)
    elif brush != "-":
        opened[cell] = int(brush)
    return View(view.rows, view.columns, opened, view.mines, flags)


# -- the analysis


EITHER_INK = "#6A1B53"
"""A purple dark enough to be seen on every colour of risk."""
RING = Icon("!", None, (disc(0, 0, 17, "none", BLUE, 4), disc(0, 0, 17, "none", "#FFFFFF", 1)))
DEAD = Icon("d", None, (stroke("M-17 17L-8 8M-17 8L-8 17", INK, 3),))
EITHER = Icon("½", None, (stroke("M-17 -7V-17H-7M7 17H17V7", "#FFFFFF", 6), stroke("M-17 -7V-17H-7M7 17H17V7", EITHER_INK, 3.5)))
CLASH = Icon("!", VERMILLION, (stroke("M-17 -17H17V17H-17z", VERMILLION, 4), stroke("M10 -15V-9M10 -6V-5", VERMILLION, 3)))


def analyse(board: Board, time_limit: float | None = None, **options: Any) -> Answer:
    """All that follows from what a player sees: exact risks, proven cells, the expert's move, dead cells and unavoidable guesses.

    >>> answer = analyse(View.from_text("11\\n--", mines=1))
    >>> answer.data()["risk"], answer.data()["solutions"], answer.data()["expert"]["chance"]
    ([[None, None], [0.5, 0.5]], '2', '1/2')
    """
    view = view_of(board)
    with Deadline(time_limit).watched():
        try:
            found = infer(view)
        except InfeasibleError as error:
            return _clash(view, error)
        expert = _expert(found)
        dead, either = marks(found)
    return Answer(
        data=lambda: analysis_data(found, expert, dead, either),
        sentences=lambda: _sentences(found, expert, dead, either),
        picture=lambda: _picture(view, found, expert, dead, either),
    )


@dataclass(frozen=True)
class Advice:
    """The expert's cell, why, its risk, how safe the move after it is then, and the chance to win where that is known."""

    cell: Cell
    reason: str
    risk: float
    next_safety: float
    chance: str


def _expert(found: DiagramInference) -> Advice | None:
    view = found.view
    if not view.covered or len(found.mines) == len(view.covered):
        return None
    if found.safe:
        cell = min(found.safe)
        return Advice(cell, "proven safe", 0.0, next_safety(found, cell), "")
    chosen = EXPERT.choose(view)
    chance = "" if chosen.chance is None else str(chosen.chance)
    return Advice(chosen.cell, chosen.reason, found.risk(chosen.cell), next_safety(found, chosen.cell), chance)


def next_safety(found: Inference, cell: Cell) -> float:
    """How safe the safest move is once a cell has been opened, over all numbers that it may show; 1 where the game is then won.

    >>> next_safety(infer(View.from_text("1---", mines=1)), (1, 3)), next_safety(infer(View.from_text("--", mines=1)), (1, 1))
    (1.0, 1.0)
    >>> round(next_safety(infer(View.from_text("-----", mines=2)), (1, 3)), 3)
    0.667
    """
    view = found.view
    return float(sum(share * _least_safety(view, cell, number) for number, share in found.reveals(cell).items()))


def _least_safety(view: View, cell: Cell, number: int) -> float:
    """How safe the safest cell is when a cell shows a number."""
    after = infer(View(view.rows, view.columns, {**view.open, cell: int(number)}, view.mines))
    if len(after.mines) == len(after.view.covered):
        return 1.0  # nothing is left to open
    row, column = after.best[0]
    return 1.0 - float(after.probability[row - 1, column - 1])


def marks(found: Inference) -> tuple[list[Cell], list[tuple[Cell, Cell]]]:
    """Dead cells, which teach nothing when they are opened, and pairs of which one is a mine whatever is learned outside.

    A pair is unavoidable when both have risk 1/2, are joined in one mine, and every number that touches one touches the other.

    >>> marks(infer(View.from_text("11\\n--", mines=1)))[1]
    [((2, 1), (2, 2))]
    """
    view = found.view
    undecided = [cell for cell in view.covered if 0.0 < found.probability[cell[0] - 1, cell[1] - 1] < 1.0]
    dead = [cell for cell in looking(undecided, "analysis") if _touched(view, cell) and _can_show(found, cell) == 1]
    pairs, open_questions = [], set(undecided)
    for cell in looking(undecided, "analysis"):
        if found.probability[cell[0] - 1, cell[1] - 1] != 0.5:
            continue
        around = view.neighbours(cell)
        for other in around:
            if other > cell and other in open_questions and _unavoidable(found, cell, other):
                pairs.append((cell, other))
    guesses = {cell for both in pairs for cell in both}
    return [cell for cell in dead if cell not in guesses], pairs


def _touched(view: View, cell: Cell) -> bool:
    return any(view[near] is not None for near in view.neighbours(cell))


def _can_show(found: Inference, cell: Cell) -> int:
    """An upper bound on how many numbers a cell can show if it is opened: 1 when all cells around it are known."""
    unknown = [near for near in found.view.covered_around(cell) if 0.0 < found.probability[near[0] - 1, near[1] - 1] < 1.0]
    if not unknown:
        return 1
    return len(found.reveals(cell)) if len(unknown) <= 3 and found.exact(cell) != 1 else 2


def _unavoidable(found: Inference, one: Cell, other: Cell) -> bool:
    """Whether nothing outside two neighbours can tell which of them is the mine."""
    view = found.view
    numbers = [near for near in view.neighbours(one) if view[near] is not None]
    joined = any(
        number in view.neighbours(other) and sum(0.0 < found.probability[r - 1, c - 1] < 1.0 for r, c in view.covered_around(number)) == 2
        for number in numbers
    )
    if not joined:
        return False
    outside = set(view.neighbours(one)) ^ set(view.neighbours(other))
    # what lies beside one of them only is a certain mine: no number there, now or later, can tell them apart
    return all(found.probability[row - 1, column - 1] == 1.0 for row, column in outside - {one, other})


def analysis_data(
    found: Inference, expert: Advice | None, dead: Sequence[Cell] = (), either: Sequence[tuple[Cell, Cell]] = ()
) -> dict[str, Any]:
    """The analysis as plain data: cells are ``[row, column]``, the number of fields is a text."""
    covered = set(found.view.covered)
    risks = [
        [float(risk) if (row, column) in covered else None for column, risk in enumerate(line, 1)]
        for row, line in enumerate(found.probability, 1)
    ]
    least = min((risk for line in risks for risk in line if risk is not None), default=None)
    return {
        "status": "solved",
        "safe": [list(cell) for cell in sorted(found.safe)],
        "mines": [list(cell) for cell in sorted(found.mines)],
        "risk": risks,
        "solutions": digits(found.solutions),
        "best": [list(cell) for cell in found.best],
        "least_risk": least,
        "expert": None
        if expert is None
        else {
            "cell": list(expert.cell),
            "reason": expert.reason,
            "risk": expert.risk,
            "next_safety": expert.next_safety,
            "chance": expert.chance or None,
        },
        "facts": [] if expert is None or least is None else _facts(expert, least),
        "dead": [list(cell) for cell in dead],
        "unavoidable": [[list(cell) for cell in both] for both in either],
    }


def _facts(expert: Advice, least: float) -> list[list[str]]:
    """What is known of the expert's move, each with its name."""
    chance = "not known"
    if expert.chance:
        chance = (
            f"{expert.chance} = {float(Fraction(expert.chance)):.1%}"
            if len(expert.chance) < 12
            else f"{float(Fraction(expert.chance)):.1%}"
        )
    return [
        ["the expert opens", name_of(expert.cell)],
        ["its risk", f"{expert.risk:.1%}"],
        ["the least risk", f"{least:.1%}"],
        ["the next move is then safe", f"{expert.next_safety:.1%}"],
        ["chance to win", chance],
    ]


def _sentences(found: Inference, expert: Advice | None, dead: Sequence[Cell], either: Sequence[tuple[Cell, Cell]]) -> list[str]:
    said = []
    if found.safe:
        said.append(f"{counted(len(found.safe), 'cell')} proven safe, {counted(len(found.mines), 'mine')} certain")
    elif found.view.covered:
        said.append("nothing is safe")
    if expert is not None and not found.safe:
        said.append(f"the expert opens {name_of(expert.cell)}: {expert.reason}")
    if dead:
        said.append(f"{counted(len(dead), 'dead cell')}: opening one teaches nothing")
    said += [f"{name_of(one)} or {name_of(other)}: an unavoidable guess, 50/50" for one, other in either]
    return said


def _picture(view: View, found: Inference, expert: Advice | None, dead: Sequence[Cell], either: Sequence[tuple[Cell, Cell]]) -> Picture:
    picture = draw(view, found)
    tiles, legend = dict(picture.tiles), list(picture.legend)
    for cell in dead:
        _add(tiles, cell, DEAD, "dead: opening it teaches nothing")
    for cell in [cell for both in either for cell in both]:
        _add(tiles, cell, EITHER, "an unavoidable 50/50")
    if expert is not None:
        _add(tiles, expert.cell, RING, f"the expert's move: {expert.reason}")
        legend.append(Entry("the expert's move", Tile((RING,))))
    legend += [Entry("dead: teaches nothing", Tile((DEAD,)))] * bool(dead) + [Entry("unavoidable 50/50", Tile((EITHER,)))] * bool(either)
    return replace(picture, tiles=tiles, legend=tuple(legend))


def _add(tiles: dict[Place, Tile], cell: Cell, icon: Icon, note: str) -> None:
    place = cell[1] - 1, cell[0] - 1
    tile = tiles[place]
    tiles[place] = replace(tile, icons=(*tile.icons, icon), text=tile.sign, note=f"{tile.note or name_of(cell)}; {note}")


def _clash(view: View, error: InfeasibleError) -> Answer:
    """Which numbers cannot all hold, marked on the board."""
    names = [constraint.name for constraint in error.conflict]
    clashing = [cell for cell, value in view.open.items() if f"{name_of(cell)} shows {value}" in names]

    def picture() -> Picture:
        plain = draw(view)
        tiles = dict(plain.tiles)
        for cell in clashing:
            _add(tiles, cell, CLASH, "clashes")
        return replace(plain, tiles=tiles, legend=(*plain.legend, Entry("numbers that clash", Tile((CLASH,)))), captions=(str(error),))

    return Answer(
        data=lambda: {"status": "infeasible", "reason": str(error), "conflict": [list(cell) for cell in clashing]},
        sentences=lambda: [str(error)],
        picture=picture,
        outcome=Outcome.NO_SOLUTION,
    )


# -- smaller questions


def hint(board: Board, time_limit: float | None = None) -> Answer:
    """The expert's move."""
    view = view_of(board)
    with Deadline(time_limit).watched():
        try:
            found = infer(view)
        except InfeasibleError as error:
            return _clash(view, error)
        expert = _expert(found)
    if expert is None:
        raise ModelError("there is nothing left to open")
    words = f"open {name_of(expert.cell)}: " + ("it is proven safe" if not expert.risk else f"risk {expert.risk:.1%}; {expert.reason}")

    def picture() -> Picture:
        plain = draw(view)
        tiles = dict(plain.tiles)
        _add(tiles, expert.cell, RING, words)
        return replace(plain, tiles=tiles, legend=(*plain.legend, Entry("the expert's move", Tile((RING,)))))

    return Answer(
        data=lambda: {
            "cell": list(expert.cell),
            "risk": expert.risk,
            "next_safety": expert.next_safety,
            "chance": expert.chance or None,
            "reason": expert.reason,
        },
        sentences=lambda: [words],
        picture=picture,
    )


def because(board: Board, spot: str) -> Answer:
    """Why a cell is safe or a mine: the numbers that prove it; of any other, where two fields differ around it.

    >>> because(View.from_text("-1-\\n-1-\\n---"), "3,1").sentences()
    ['(1,2) shows 1 and (2,2) shows 1, so (3,1) is safe.']
    """
    view, cell = view_of(board), spot_of(spot)
    if view[cell] is not None:
        around = view.covered_around(cell)
        return Answer(
            data=lambda: {"cell": list(cell), "verdict": "open", "because": [], "around": [list(each) for each in around]},
            sentences=lambda: [f"{name_of(cell)} is open and shows {view[cell]}: {counted(len(around), 'covered cell')} around it"],
            picture=lambda: _framed(view, [cell], around),
        )
    try:
        found = infer(view)
    except InfeasibleError as error:
        return _clash(view, error)
    reason = found.why(cell)
    if reason.verdict == "undecided":
        return _doubt(found, reason)
    return Answer(
        data=lambda: {
            "cell": list(cell),
            "verdict": reason.verdict,
            "because": [list(each) for each in reason.because],
            "text": str(reason),
        },
        sentences=lambda: [str(reason)],
        picture=lambda: draw(view, explanation=reason),
    )


def plain_cells(cells: Sequence[Cell]) -> list[list[int]]:
    """Cells as JSON has them.

    >>> plain_cells([(1, 2)])
    [[1, 2]]
    """
    return [list(cell) for cell in cells]


def _framed(view: View, framed: Sequence[Cell], dashed: Sequence[Cell]) -> Picture:
    plain = draw(view)
    tiles = dict(plain.tiles)
    for cells, dash in ((framed, False), (dashed, True)):
        for row, column in cells:
            tiles[column - 1, row - 1] = replace(tiles[column - 1, row - 1], frame=BLUE, dashed=dash)
    return replace(plain, tiles=tiles)


SAFE_HERE, MINE_HERE = Icon("s", None, (stroke("M-9 -2L-4 3L6 -8", "#00795A", 4),)), Icon("*", INK, (disc(0, 0, 8, INK),))


def _doubt(found: Inference, reason: Explanation) -> Answer:
    """Where the two example fields differ, no more: the cells that change from the one to the other."""
    view, cell = found.view, reason.cell
    free, mined = reason.examples
    local = _nearby(view, free, mined, cell)
    moved, added = sorted(free.mines & local), sorted(mined.mines & local)
    risk = found.exact(cell)
    share = f"{risk} = {float(risk):.1%}" if risk.denominator < 10_000 else f"{float(risk):.1%}"
    told = f"{name_of(cell)} may be safe or a mine: a mine in {share} of the fields that fit."
    example = (
        f"If it is safe, {_are(moved)}; if it is a mine, {_are(added)}: the numbers allow both." if moved or added else "No number decides."
    )

    def picture() -> Picture:
        plain = draw(view, found)
        tiles = dict(plain.tiles)
        for each in local:
            place = each[1] - 1, each[0] - 1
            icon, words = (MINE_HERE, "a mine in one example") if each in mined.mines else (SAFE_HERE, "safe in that example")
            tiles[place] = Tile((icon,), icon.letter, fill=tiles[place].fill, frame=PURPLE, dashed=True, note=f"{name_of(each)}: {words}")
        legend = (Entry("with a mine at the cell: mines", Tile((MINE_HERE,))), Entry("and safe cells", Tile((SAFE_HERE,))))
        return replace(plain, tiles=tiles, legend=legend, captions=(told,))

    return Answer(
        data=lambda: {
            "cell": list(cell),
            "verdict": "undecided",
            "risk": float(risk),
            "exact": str(risk),
            "because": [],
            "if_safe": [list(each) for each in moved],
            "if_mine": [list(each) for each in added],
        },
        sentences=lambda: [told, example],
        picture=picture,
    )


def _are(cells: Sequence[Cell]) -> str:
    if not cells:
        return "no other cell here is one"
    return f"{', '.join(map(name_of, cells))} {'is a mine' if len(cells) == 1 else 'are mines'}"


def _nearby(view: View, free: Field, mined: Field, cell: Cell) -> set[Cell]:
    """The cells in which two fields differ and that numbers connect with a cell."""
    differ = free.mines ^ mined.mines
    found, edge = {cell}, [cell]
    while edge:
        for number in view.neighbours(edge.pop()):
            if view[number] is not None:
                fresh = [near for near in view.covered_around(number) if near in differ and near not in found]
                found.update(fresh)
                edge += fresh
    return found


def review(start: Board, moves: Sequence[str]) -> Answer:
    """The first move of a game that took a risk where a safer one was known."""
    if not isinstance(start, Match):
        raise ModelError("a game is looked back on: begin a new one")
    match, mistake = start, None
    for number, text in enumerate(moves, start=1):
        before, match = match, move(match, text)
        if mistake is not None or text.startswith("f") or (number == 1 and match.first_click != "any"):
            continue
        if (before.view.grid < 0).all():
            continue
        found = infer(before.view)
        least = found.risk(found.best[0])
        cell = max(opened_by(before.view, spot_of(text)), key=found.risk)  # of several the riskiest
        if found.risk(cell) > least + 1e-9:
            mistake = _avoidable(before.view, found, number, cell, found.risk(cell), least)
    if mistake is not None:
        return mistake
    won = {"won": "The game was won", "lost": "The game was lost by bad luck", "playing": "So far"}[match.game.status]
    return Answer(
        data=lambda: {"number": None, "status": match.game.status},
        sentences=lambda: [f"{won}: no move took more risk than it had to."],
        picture=lambda: show(match),
    )


def _avoidable(view: View, found: Inference, number: int, cell: Cell, risk: float, least: float) -> Answer:
    better = name_of(found.best[0])
    words = f"Move {number} opened {name_of(cell)} at a risk of {risk:.1%}; {better} had {least:.1%}" + (
        ", it was proven safe." if least == 0 else "."
    )

    def picture() -> Picture:
        plain = draw(view, found)
        place = cell[1] - 1, cell[0] - 1
        tiles = {**plain.tiles, place: replace(plain.tiles[place], frame=VERMILLION, dashed=True)}
        _add(tiles, found.best[0], RING, "a safer move")
        legend = (Entry("what was opened", Tile(frame=VERMILLION, dashed=True)), Entry("a safer move", Tile((RING,))))
        return replace(plain, tiles=tiles, legend=(*plain.legend, *legend), captions=(words,))

    return Answer(
        data=lambda: {"number": number, "cell": list(cell), "risk": risk, "least": least, "better": list(found.best[0])},
        sentences=lambda: [words],
        picture=picture,
    )


INTERACTION = Interaction(
    write=write,
    paste=lambda text, mines=None, **others: read_pasted(text, mines),
    spots=spots,
    standing=standing,
    cells=cells,
    move=move,
    brushes=BRUSHES,
    paint=paint,
    new=new,
    new_options=NEW_OPTIONS,
    begun=begun,
    analyse=analyse,
    hint=hint,
    why=because,
    review=review,
)

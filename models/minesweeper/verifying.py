"""A saved inference, checked by laying mines: every way to lay them beside the numbers is tried, by the rule and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from cpsolve.errors import CPSolveError, FormatError, LimitError
from cpsolve.limits import Deadline, looking
from cpsolve.puzzles.verifying import CLOSE, SECONDS, Findings, Looked, Refuted, Solutions, alike, claim, not_known, only
from cpsolve.words import counted
from models.minesweeper.campaign import EXACT_RISKS, MOST_GAMES, Comparison, wilson
from models.minesweeper.decision import CERTAIN
from models.minesweeper.encode import name_of, number_name, total_name
from models.minesweeper.formats import Cell
from models.minesweeper.interaction import Match, move, opened_by, spot_of
from models.minesweeper.rules import Field, Game, View

TOO_MANY, LAYING = "too many ways to lay the mines", "laying mines"
SURE = ("proven safe", CERTAIN)
"""Words for why a cell is opened that the rules can check: it is safe in every field that fits."""


def verify(board: Field | View, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks what a saved answer says of a view: how many fields fit, what is safe, what is a mine, and every risk.

    >>> said = {"status": "solved", "fields": 2, "safe": [], "mines": [], "probability": [[0.5, None, 0.5]]}
    >>> verify(View.from_text("-1-", mines=1), said).proven
    ('2 fields, by laying every mine', '0 safe cells, 0 mines and every risk')
    """
    if isinstance(board, Field):
        return played(board, data, time_limit)
    status, deadline = data.get("status"), Deadline(SECONDS if time_limit is None else time_limit)
    if status == "unknown":
        nothing = not_known(data, parts=("fields",))
        return _at_least(board, claim(data, "fields", int), deadline) if "fields" in data else nothing
    if status == "infeasible":
        found = _impossible(board, data, deadline)
        only(data, IMPOSSIBLE, "the answer that no field fits")
        return found
    if status not in (None, "solved"):
        raise FormatError(f"expected 'status' as solved, infeasible or unknown, found {status!r:.60}")
    number = f"{counted(claim(data, 'fields', int), 'field')}, by laying every mine"
    told = status is not None and data.get("method") != "dfs"
    if not told:  # --count, and naive search
        only(data, ("status", "fields"), "a number of fields")
    risks = claim(data, "probability", list) if told else []
    safe, mines = (set(_cells(data, name)) if told else set() for name in ("safe", "mines"))
    try:
        count, mined = laid(board, deadline)
    except LimitError:
        return Findings((), (f"fields, safe cells, mines and risks: {TOO_MANY}",))
    if count != data["fields"]:
        raise Refuted(f"{counted(count, 'field')} fit, not {data['fields']:,}")
    if not told:
        return Findings((number,))
    if not count:
        raise Refuted("no field fits: nothing follows from the view")
    exact = {cell: Fraction(number, count) for cell, number in mined.items()}
    for name, cells, risk in (("safe", safe, 0), ("mines", mines, 1)):
        right = {cell for cell, value in exact.items() if value == risk}
        if cells != right:
            raise Refuted(f"{name!r} should be {sorted(right)}, not {sorted(cells)}")
    _risks(board, risks, exact)
    proven = [number, f"{counted(len(safe), 'safe cell')}, {counted(len(mines), 'mine')} and every risk"]
    if "best" in data:
        proven += _least(claim(data, "best", list), exact)
    unproven: list[str] = []
    for name, check in (("why", _reason), ("expert", _advice)):
        if data.get(name) is not None:
            said = Looked(claim(data, name, dict), repr(name))
            try:
                found = check(board, said, exact, deadline)
            except LimitError:
                found = Findings((), (f"{name!r}: {TOO_MANY}",))
            proven += found.proven
            unproven += [*found.open, *said.unseen()]
    return Findings(tuple(proven), tuple(unproven))


def _at_least(view: View, number: int, deadline: Deadline) -> Findings:
    """Checks the number of fields that were found until a search was stopped."""
    told = f"at least {counted(number, 'field')} fit"
    try:
        count, _ = laid(view, deadline)
    except LimitError:
        return Findings((), (f"that {told}: {TOO_MANY}",))
    if count < number:
        raise Refuted(f"{counted(count, 'field')} fit, not {number:,}")
    return Findings((f"{told}, by laying every mine",))


def _risks(view: View, told: list[Any], exact: Mapping[Cell, Fraction]) -> None:
    """Refuted unless the risk of every covered cell is told as it is, and none of an open cell."""
    shape = [len(row) if isinstance(row, list) else None for row in told]
    for number in range(max(len(shape), view.rows)):
        found = shape[number] if number < len(shape) else None
        if number >= view.rows or found != view.columns:
            size = f"{view.rows} rows of {view.columns} risks"
            raise Refuted(f"'probability' should have {size}: the risk of the cells of row {number + 1} is missing, or too much is there")
    for row, risks in enumerate(told, start=1):
        for column, said in enumerate(risks, start=1):
            cell = row, column
            if cell in exact:
                _same(f"the risk of {cell}", said, exact[cell])
            elif said is not None:
                raise Refuted(f"{cell} is open: its risk is null, not {said!r:.40}")


def _same(what: str, said: Any, value: Fraction | float) -> None:
    """Refuted unless a number is told as it is."""
    if type(said) not in (int, float) or not abs(said - float(value)) <= CLOSE:
        raise Refuted(f"{what} is {float(value)}, not {said!r:.40}")


def _cells(data: Mapping[str, Any], name: str) -> list[Cell]:
    """Cells, as JSON has them."""
    found = claim(data, name, list)
    if not all(isinstance(cell, list) and len(cell) == 2 and all(type(number) is int for number in cell) for cell in found):
        raise FormatError(f"expected {name!r} as cells [row, column], found {found!r:.60}")
    return [(row, column) for row, column in found]


def _cell(view: View, said: Any) -> Cell:
    """A covered cell, as JSON has it."""
    if not isinstance(said, list) or [type(number) for number in said] != [int, int]:
        raise FormatError(f"expected a cell [row, column], found {said!r:.40}")
    row, column = said
    if not (1 <= row <= view.rows and 1 <= column <= view.columns) or view[row, column] is not None:
        raise Refuted(f"{said!r:.40} is no covered cell")
    return row, column


def _least(said: list[Any], exact: Mapping[Cell, Fraction]) -> Iterator[str]:
    """The cells of least risk are told as they are."""
    least = min(exact.values(), default=None)
    right = [list(cell) for cell, risk in exact.items() if risk == least]
    if not alike(said, right):
        raise Refuted(f"'best' should be {right}, not {said!r:.80}")
    yield "the cells of least risk"


def _reason(view: View, said: Mapping[str, Any], exact: Mapping[Cell, Fraction], deadline: Deadline) -> Findings:
    """A reason proves what it says, none of its numbers can be left out, and its words say the same."""
    cell, numbers = _cell(view, said.get("cell")), _cells(said, "because")
    verdict, text = claim(said, "verdict", str), claim(said, "text", str)
    right = {0: "safe", 1: "mine"}.get(int(exact[cell]) if exact[cell] in (0, 1) else -1, "undecided")
    if verdict != right:
        raise Refuted(f"{cell} is {right}, not {verdict!r:.40}")
    if right == "undecided":
        return _either(view, cell, numbers, text)
    if strange := [number for number in numbers if number not in view.open]:
        raise Refuted(f"the reason names {strange[0]!r:.40}, which shows no number")
    total = view.mines is not None and total_name(view.mines) in text
    names = [*(number_name(number, view.open[number]) for number in numbers), *([total_name(view.mines or 0)] if total else [])]
    if not _proves(view, cell, right, numbers, total, deadline):
        raise Refuted(f"the reason does not prove that {cell} is {right}: {numbers}")
    words = f"{_together(names)}, so {name_of(cell)} is {'safe' if right == 'safe' else 'a mine'}."
    if text != words:
        raise Refuted(f"the words of the reason should be {words!r}, not {text!r:.200}")
    if total and _proves(view, cell, right, numbers, False, deadline):
        raise Refuted(f"the reason that {cell} is {right} does not need the number of mines")
    for number in numbers:
        if _proves(view, cell, right, [each for each in numbers if each != number], total, deadline):
            raise Refuted(f"the reason that {cell} is {right} does not need {number}")
    return Findings((f"why {cell} is {right}, by {counted(len(numbers), 'number')}, of which none can be left out",))


def _together(names: list[str]) -> str:
    """Names in a sentence.

    >>> _together(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _either(view: View, cell: Cell, numbers: list[Cell], text: str) -> Findings:
    """Two fields that are drawn in the words show that a cell may be safe or a mine."""
    if numbers:
        raise Refuted(f"no number decides whether {cell} is safe: 'because' should be empty")
    begin, middle = f"{name_of(cell)} may be safe or a mine. Safe:\n", "\nA mine:\n"
    drawn = text.removeprefix(begin).split(middle)
    if not text.startswith(begin) or len(drawn) != 2:
        raise Refuted(f"the words of the reason should show two fields, one where {cell} is safe and one where it is a mine")
    for what, drawing in zip(("safe", "a mine"), drawn, strict=True):
        try:
            field = Field.from_text(drawing)
        except CPSolveError as error:
            raise Refuted(f"the field in which {cell} is {what} cannot be read: {error}") from error
        if not view.fits(field) or (cell in field.mines) != (what == "a mine"):
            raise Refuted(f"the field in which {cell} is {what} does not fit, or shows something else:\n{field}")
    return Findings((f"{cell} may be either, as two fields that fit show",))


def _proves(view: View, cell: Cell, verdict: str, numbers: Collection[Any], total: bool, deadline: Deadline) -> bool:
    count, mined = laid(view, deadline, numbers, total)
    return mined.get(cell, 0) == (0 if verdict == "safe" else count)


def _advice(view: View, said: Mapping[str, Any], exact: Mapping[Cell, Fraction], deadline: Deadline) -> Findings:
    """The risk of the cell that is advised and, where they are told, what it wins and how safe the next move is."""
    cell = _cell(view, said.get("cell"))
    _same(f"the risk of {cell}", said.get("risk"), exact[cell])
    proven, unproven = [f"the risk of {cell}, which is advised"], []
    if said.get("reason") is not None:
        reason = claim(said, "reason", str)
        if reason in SURE and exact[cell]:
            raise Refuted(f"{cell} is not proven safe: its risk is {exact[cell]}")
        if reason not in SURE:
            unproven.append(f"why {cell} is advised, in words: {reason:.300}")
    if said.get("next_safety") is not None:
        try:
            _same(f"the safety of the move after {cell}", said["next_safety"], _next_safety(view, cell, deadline))
            proven.append(f"how safe the move after {cell} is")
        except LimitError:
            unproven.append(f"how safe the move after {cell} is: {TOO_MANY}")
    if said.get("chance") is not None:
        try:
            won = wins(view, deadline)
        except (LimitError, RecursionError):  # every cell that is opened is a level deeper
            unproven.append("the probability of winning: too many ways to go on")
        else:
            _same("the probability of winning", _number(said["chance"]), max(won.values()))
            if won[cell] != max(won.values()):
                raise Refuted(f"{cell} wins with {won[cell]}, and another cell with {max(won.values())}")
            proven.append(f"the probability of winning, {max(won.values())}, by playing every game to its end")
    elif exact[cell]:
        unproven.append(f"that {cell} is the best move: that is the expert's opinion")
    return Findings(tuple(proven), tuple(unproven))


def _number(said: Any) -> Any:
    """A number that may be written as a fraction."""
    try:
        return float(Fraction(said)) if isinstance(said, str) and len(said) < 1000 else said
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise FormatError(f"expected a probability, found {said!r:.40}") from error


def _shown(view: View, cell: Cell, deadline: Deadline) -> Iterator[tuple[View, int, dict[Cell, int]]]:
    """The views that opening a cell may lead to, each with the number of fields, and in how many of them each cell is a mine."""
    for number in range(9):
        after = View(view.rows, view.columns, {**view.open, cell: number}, view.mines)
        count, mined = laid(after, deadline)
        if count:
            yield after, count, mined


def _next_safety(view: View, cell: Cell, deadline: Deadline) -> Fraction:
    """How safe the safest move is once a cell has been opened and is no mine; 1 where nothing is left to open."""
    total, safe = 0, 0
    for _, count, mined in _shown(view, cell, deadline):
        least = min(mined.values(), default=count)
        total += count
        safe += count if least == count else count - least
    return Fraction(safe, total)


def wins(view: View, deadline: Deadline) -> dict[Cell, Fraction]:
    """With what probability the best play wins that begins with each cell, by playing every game to its end.

    >>> wins(View.from_text("1-\\n--", mines=1), Deadline(None))[1, 2]
    Fraction(1, 3)
    """
    known: dict[View, int] = {}

    def most(view: View) -> int:
        """The number of fields that the best play wins."""
        if view not in known:
            count, mined = laid(view, deadline)
            if all(number == count for number in mined.values()):
                known[view] = count  # nothing is left to open
            else:
                safe = [cell for cell, number in mined.items() if not number][:1]  # what is safe is opened first: it takes no risk
                known[view] = max(after(view, cell) for cell in safe or [cell for cell, number in mined.items() if number < count])
        return known[view]

    def after(view: View, cell: Cell) -> int:
        return sum(most(opened) for opened, _, _ in _shown(view, cell, deadline))

    count, mined = laid(view, deadline)
    return {cell: Fraction(after(view, cell), count) for cell in mined}


def hint(view: View, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a saved hint: the risk of the cell and, where they are told, what it wins and how safe the next move is.

    >>> said = {"cell": [1, 3], "risk": 0.0, "next_safety": 1.0, "chance": None, "reason": "proven safe"}
    >>> hint(View.from_text("1---", mines=1), said).proven
    ('the risk of (1, 3), which is advised', 'how safe the move after (1, 3) is')
    """
    deadline = Deadline(SECONDS if time_limit is None else time_limit)
    if data.get("status") == "infeasible":
        found = _impossible(view, data, deadline)
        only(data, IMPOSSIBLE, "the answer that no field fits")
        return found
    if data.get("status") is not None:
        raise FormatError(f"expected no 'status' of a hint, or infeasible, found {data['status']!r:.60}")
    try:
        count, mined = laid(view, deadline)
    except LimitError:
        return Findings((), (f"what is told of the cell: {TOO_MANY}",))
    if not count:
        raise Refuted("no field fits the view: there is nothing to advise")
    return _advice(view, data, {cell: Fraction(number, count) for cell, number in mined.items()}, deadline)


def review(start: Match, moves: Sequence[str], data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a game looked back on: that the move named is the first that took more risk than it had to.

    >>> review(Match(1, 3, 1, "any", 0), ["1,1"], {"number": None, "status": "won"}).proven
    Traceback (most recent call last):
    cpsolve.puzzles.verifying.Refuted: after its moves the game is playing, not 'won'
    """
    number = data.get("number")
    if number is not None and not 1 <= claim(data, "number", int) <= len(moves):
        raise Refuted(f"a game of {counted(len(moves), 'move')} has no move {number}")
    deadline = Deadline(SECONDS if time_limit is None else time_limit)
    match, unseen, looked = start, [], 0
    for place, text in enumerate(moves, start=1):
        before = match
        try:
            match = move(match, text)
        except CPSolveError as error:
            raise Refuted(f"move {place}, {text}: {str(error).splitlines()[0]}") from error
        if number is not None and place > number:
            continue  # nothing is told of what came later
        if text.startswith("f") or (place == 1 and match.first_click != "any") or not before.view.open:
            if place == number:
                raise Refuted(f"move {place}, {text}, took no risk")
            continue
        try:
            count, mined = laid(before.view, deadline)
        except LimitError:
            unseen.append(place)
            continue
        looked += 1
        opened = opened_by(before.view, spot_of(text))
        cell = max(opened, key=lambda each: mined.get(each, 0))
        least = min(mined.values())
        if (mined.get(cell, 0) > least) != (place == number):
            risk, other = Fraction(mined.get(cell, 0), count), Fraction(least, count)
            raise Refuted(f"move {place} opened {cell} at a risk of {risk}, and the least was {other}")
        if place == number:
            _mistake(before.view, data, count, mined, opened, least)
    if (number is None or data.get("status") is not None) and data.get("status") != match.game.status:
        raise Refuted(f"after its moves the game is {match.game.status}, not {data.get('status')!r:.40}")
    told = f"{counted(len(moves), 'move')}, each legal; {looked} of them beside numbers, and the risk of these is as told"
    return Findings((told,), tuple(f"the risk of move {place}: {TOO_MANY}" for place in unseen))


def _mistake(view: View, data: Mapping[str, Any], count: int, mined: Mapping[Cell, int], cells: Sequence[Cell], least: int) -> None:
    """What is told of a move that took too much risk: of the cells that it opened, the riskiest."""
    opened, better = _cell(view, data.get("cell")), _cell(view, data.get("better"))
    riskiest = max(cells, key=mined.__getitem__)
    if opened not in cells or mined[opened] != mined[riskiest]:
        raise Refuted(f"the move opened {riskiest}, not {opened}")
    _same(f"the risk of {opened}", data.get("risk"), Fraction(mined[opened], count))
    _same("the least risk", data.get("least"), Fraction(least, count))
    if mined[better] != least:
        raise Refuted(f"{better} has a risk of {Fraction(mined[better], count)}, and the least is {Fraction(least, count)}")


def played(field: Field, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a game that an agent played: every cell is opened again, and the risk of each is what the rules give.

    >>> moves = [{"cell": [1, 1], "kind": "guess", "risk": 0.5}]
    >>> played(Field(1, 2, {(1, 2)}), {"status": "won", "guesses": 1, "opened": 1, "moves": moves}).proven
    ('1 move, each legal: the game is won, with 1 guess and 1 open cell', 'the risk of 1 move')
    """
    if data.get("status") == "unknown":
        return not_known(data)
    game, deadline = Game(field), Deadline(SECONDS if time_limit is None else time_limit)
    opened, guesses, right, wrong, unseen = 0, 0, 0, [], []
    for place, said in enumerate(claim(data, "moves", list), start=1):
        if not isinstance(said, dict) or said.get("kind") not in ("guess", "proven"):
            raise FormatError(f"expected move {place} with cell, kind and risk, found {said!r:.60}")
        view = game.view
        try:
            cell = _cell(view, said.get("cell"))
            opened += len(game.open(cell))
        except CPSolveError as error:
            raise Refuted(f"move {place}: {str(error).splitlines()[0]}") from error
        guesses += said["kind"] == "guess"
        try:
            count, mined = laid(view, deadline)
        except LimitError:
            unseen.append(place)
            continue
        risk = Fraction(mined[cell], count)
        if said["kind"] == "proven" and risk:
            raise Refuted(f"move {place}, {cell}, is not proven: its risk is {risk}")
        if type(said.get("risk")) in (int, float) and abs(said["risk"] - float(risk)) <= CLOSE:
            right += 1
        elif data.get("agent") in EXACT_RISKS:
            raise Refuted(f"the risk of move {place}, {cell}, is {risk}, not {said.get('risk')!r:.40}")
        else:
            wrong.append(place)
    for name, value in (("status", game.status), ("opened", opened), ("guesses", guesses)):
        if not alike(data.get(name), value):
            raise Refuted(f"{name!r} should be {value!r}, not {data.get(name)!r:.40}")
    guessed = f"{guesses} {'guess' if guesses == 1 else 'guesses'}"
    told = (
        f"{counted(len(data['moves']), 'move')}, each legal: the game is {game.status}, with {guessed} and {counted(opened, 'open cell')}"
    )
    risks = [f"the risk of {counted(right, 'move')}"] if right else []
    own = [f"the risk of move {place}: the agent's own idea, which is not exact" for place in wrong]
    if any(said.get("reason") and (said["reason"] != CERTAIN or said["kind"] != "proven") for said in data["moves"]):
        own.append("the agent's reasons, in words")
    if data.get("agent") is not None:
        own.append(f"that {data['agent']!r:.60} played")
    return Findings((told, *risks), (*own, *(f"the risk of move {place}: {TOO_MANY}" for place in unseen)))


def campaigns(data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks the figures of saved campaigns: rates and intervals follow from wins and games. The games were not kept.

    >>> said = {"agent": "seed", "games": 4, "wins": 1, "win_rate": 0.25, "interval": list(wilson(1, 4))}
    >>> campaigns({"campaigns": [said]}).proven
    ('seed: the rate and the interval of 1 win of 4 games',)
    """
    proven: list[str] = []
    listed: list[Looked] = []
    for each in claim(data, "campaigns", list):
        if not isinstance(each, dict):
            raise FormatError(f"expected an object per campaign, found {each!r:.60}")
        said = Looked(each, f"campaign {len(listed) + 1}")
        listed.append(said)
        agent, wins, games = claim(said, "agent", str), claim(said, "wins", int), claim(said, "games", int)
        if not 0 <= wins <= games or not 0 < games <= MOST_GAMES:
            raise Refuted(f"{agent}: {wins} wins of {games} games")
        _same(f"{agent}: the rate of {wins} of {games}", said.get("win_rate"), wins / games)
        _both(f"{agent}: an end of the interval", said.get("interval"), wilson(wins, games))
        proven.append(f"{agent}: the rate and the interval of {counted(wins, 'win')} of {counted(games, 'game')}")
    if not listed:
        raise FormatError("expected a campaign in 'campaigns', found none")
    if "comparison" in data:
        told = Looked(claim(data, "comparison", dict), "the comparison")
        _difference(told, listed)
        proven.append("their difference, its interval and its p-value")
        listed.append(told)
    for said in listed:
        for name in BOARDS:
            said.get(name)  # the wins, which are not checked, are those of these boards
    unseen = (sentence for said in listed for sentence in said.unseen())
    return Findings(tuple(proven), ("the wins: the games are not in the answer; the same seed plays them again", *unseen))


BOARDS = ("rows", "columns", "mines", "first_click", "seed")
"""What decides which boards a campaign is played on."""


def _difference(told: Mapping[str, Any], campaigns: Sequence[Mapping[str, Any]]) -> None:
    """Refuted unless a comparison is one of two campaigns over the same boards, and its figures follow from its numbers."""
    if len(campaigns) != 2:
        raise Refuted(f"a comparison is one of two campaigns, not of {len(campaigns)}")
    first, second = campaigns
    for name in BOARDS:
        if not alike(first.get(name), second.get(name)):
            other = f"{first.get(name)!r:.40} and {second.get(name)!r:.40}"
            raise Refuted(f"campaigns over other boards cannot be compared: {name!r} is {other}")
    found = Comparison(*(claim(told, name, int) for name in ("both", "only_first", "only_second", "neither")))
    shared = found.games
    fits = min(found.both, found.first, found.second, found.neither) >= 0 and shared > 0
    for said, won in ((first, found.both + found.first), (second, found.both + found.second)):
        fits = fits and 0 <= said["wins"] - won <= said["games"] - shared  # where one was stopped, some boards were played by one alone
    if not fits:
        raise Refuted("the comparison does not add up to the wins of two campaigns")
    _same("the difference", told.get("difference"), found.difference)
    _both("an end of the interval of the difference", told.get("interval"), found.interval)
    _same("the p-value", told.get("p_value"), found.p_value)


def _both(what: str, said: Any, right: tuple[float, float]) -> None:
    for place, value in enumerate(right):
        _same(what, said[place] if isinstance(said, list) and len(said) == 2 else None, value)


def fields_of(board: Field | View, time_limit: float | None = None) -> Solutions | None:
    """How many fields fit a view, by laying every mine; None when that takes too long, or when all mines are known.

    >>> fields_of(View.from_text("-1-", mines=1))
    Solutions(number=2)
    """
    if isinstance(board, Field):
        return None
    try:
        return Solutions(laid(board, Deadline(SECONDS if time_limit is None else time_limit))[0])
    except LimitError:
        return None


WRONG = "no field fits this view: "
"""How the reason begins that a view is impossible; then come the names of a conflict."""
IMPOSSIBLE = ("status", "reason", "conflict", "fields")


def _impossible(view: View, data: Mapping[str, Any], deadline: Deadline) -> Findings:
    """Checks that no field fits, and the conflict and the words that say why."""
    reason = "" if data.get("reason") is None else claim(data, "reason", str)
    told, total = data.get("conflict"), [] if view.mines is None else [total_name(view.mines)]
    if told:  # a hint names the numbers by their cells, and the number of mines not at all
        cells = not all(isinstance(name, str) for name in claim(data, "conflict", list))
        names = _numbers(view, _cells(data, "conflict")) if cells else told
        ways = [names, *([[*names, *total]] if cells and total else [])]
    else:
        listed = reason.removeprefix(WRONG).removesuffix(" hold").removesuffix(" all").removesuffix(" cannot")
        ways = [listed.split("; ")] if reason.startswith(WRONG) else []
    same = [names for names in ways if reason == f"{WRONG}{'; '.join(names)} cannot {'all ' if len(names) > 1 else ''}hold"]
    doubt = (f"the reason: {reason:.300}",) if reason and not same else ()
    try:
        if told or same:
            proven = _clash(view, (same or ways[-1:])[0], deadline)
        else:
            count, _ = laid(view, deadline)
            if count:
                raise Refuted(f"{counted(count, 'field')} fit, not 0")
            proven = ("no field fits, by laying every mine",)
    except LimitError:
        return Findings((), (f"that no field fits: {TOO_MANY}", *doubt))
    if not alike(data.get("fields", 0), 0):
        raise Refuted(f"no field fits, not {data['fields']!r:.40}")
    return Findings(proven, doubt)


def _numbers(view: View, cells: list[Cell]) -> list[str]:
    """The names of numbers; Refuted when a cell shows none."""
    if strange := [cell for cell in cells if cell not in view.open]:
        raise Refuted(f"the conflict names {strange[0]}, which shows no number")
    return [number_name(cell, view.open[cell]) for cell in cells]


def _clash(view: View, names: list[str], deadline: Deadline) -> tuple[str, ...]:
    """Checks that what a conflict names cannot be together, whatever the other numbers say."""
    known = {number_name(cell, value): cell for cell, value in view.open.items()}
    total = None if view.mines is None else total_name(view.mines)
    if strange := [name for name in names if name not in known and name != total]:
        raise Refuted(f"the conflict names {strange[0]!r:.60}, which the view does not show")
    count, _ = laid(view, deadline, {known[name] for name in names if name in known}, total in names)
    if count:
        raise Refuted(f"what the conflict names can be together: {counted(count, 'field')} fit")
    return "no field fits, by laying every mine", f"the conflict alone rules out all of them: {'; '.join(names)}"


def laid(view: View, deadline: Deadline, only: Collection[Cell] | None = None, total: bool = True) -> tuple[int, dict[Cell, int]]:
    """The number of fields that fit a view, and in how many of them each covered cell is a mine.

    With ``only`` some numbers count and the others say nothing; without ``total`` nor does the number of mines.

    >>> laid(View.from_text("1-", mines=1), Deadline(None))
    (1, {(1, 2): 1})
    """
    with deadline.watched():
        numbers = {
            cell: value
            for cell, value in looking(view.open.items(), LAYING)
            if (only is None or cell in only) and (value or view.covered_around(cell))
        }
        beside = {cell: [near for near in view.neighbours(cell) if near in numbers] for cell in looking(view.covered, LAYING)}
        room = {cell: len(view.covered_around(cell)) for cell in looking(numbers, LAYING)}
    all_mines = view.mines if total else None
    cells = [cell for cell in view.covered if beside[cell]]
    far = [cell for cell in view.covered if not beside[cell]]
    missing = dict(numbers)
    ways: Counter[int] = Counter()
    mined: dict[Cell, Counter[int]] = {cell: Counter() for cell in cells}
    mines: list[Cell] = []
    if any(not 0 <= missing[number] <= room[number] for number in numbers):
        return 0, {}

    def put(cell: Cell, mine: int, sign: int) -> None:
        for number in beside[cell]:
            missing[number] -= sign * mine
            room[number] -= sign

    tried: list[int] = []  # what was laid last in each of the first cells: nothing (0), or a mine (1)
    fits = True
    while True:
        deadline.check(LAYING)
        if fits and len(tried) == len(cells):
            ways[len(mines)] += 1
            for cell in mines:
                mined[cell][len(mines)] += 1
            fits = False
        if fits:
            mine = 0
        else:  # the last cell that has not had a mine gets one
            while tried and tried[-1]:
                put(mines.pop(), tried.pop(), -1)
            if not tried:
                break
            put(cells[len(tried) - 1], tried.pop(), -1)
            mine = 1
        cell = cells[len(tried)]
        put(cell, mine, 1)
        tried.append(mine)
        mines.extend([cell] * mine)
        fits = all(0 <= missing[number] <= room[number] for number in beside[cell])

    def rest(laid: int, free: int) -> int:
        """In how many ways the cells far from numbers are filled, ``free`` of them undecided."""
        if all_mines is None:
            return 1 << free
        return comb(free, all_mines - laid) if all_mines >= laid else 0

    count = sum(number * rest(size, len(far)) for size, number in ways.items())
    found = {cell: sum(number * rest(size, len(far)) for size, number in sizes.items()) for cell, sizes in mined.items()}
    if far:
        found |= dict.fromkeys(far, sum(number * rest(size + 1, len(far) - 1) for size, number in ways.items()))
    return count, found

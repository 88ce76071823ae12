"""A saved inference, checked by laying mines: every way to lay them beside the numbers is tried, by the rule and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from cpsolve.errors import CPSolveError, FormatError, LimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles.verifying import CLOSE, SECONDS, Findings, Refuted, claim
from cpsolve.words import counted
from models.minesweeper.campaign import EXACT_RISKS, Comparison, wilson
from models.minesweeper.encode import number_name, total_name
from models.minesweeper.formats import Cell
from models.minesweeper.interaction import Match, move, opened_by, spot_of
from models.minesweeper.rules import Field, Game, View

TOO_MANY = "too many ways to lay the mines"


def verify(board: Field | View, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks what a saved answer says of a view: how many fields fit, what is safe, what is a mine, and every risk.

    >>> said = {"fields": 2, "safe": [], "mines": [], "probability": [[0.5, None, 0.5]]}
    >>> verify(View.from_text("-1-", mines=1), said).proven
    ('2 fields, by laying every mine', '0 safe cells, 0 mines and every risk')
    """
    if isinstance(board, Field):
        return played(board, data, time_limit)
    status = data.get("status")
    if status == "unknown":
        return Findings((), ("the answer claims nothing",))
    deadline = Deadline(SECONDS if time_limit is None else time_limit)
    only_number = "probability" not in data and (status is None or data.get("method") == "dfs")  # --count, and naive search
    impossible = status == "infeasible"
    told = not (impossible or only_number)
    fields = 0 if impossible else claim(data, "fields", int)
    risks = claim(data, "probability", list) if told else []
    safe, mines = (set(_cells(data, name)) if told else set() for name in ("safe", "mines"))
    try:
        if impossible and data.get("conflict"):
            return _clash(board, claim(data, "conflict", list), deadline)
        count, mined = laid(board, deadline)
    except LimitError:
        return Findings((), (f"fields, safe cells, mines and risks: {TOO_MANY}",))
    if count != fields:
        raise Refuted(f"{counted(count, 'field')} fit, not {fields:,}")
    if impossible:
        return Findings(("no field fits, by laying every mine",))
    if only_number:
        return Findings((f"{counted(count, 'field')}, by laying every mine",))
    exact = {cell: Fraction(number, count) for cell, number in mined.items()}
    for name, cells, risk in (("safe", safe, 0), ("mines", mines, 1)):
        right = {cell for cell, value in exact.items() if value == risk}
        if cells != right:
            raise Refuted(f"{name!r} should be {sorted(right)}, not {sorted(cells)}")
    for cell, value in exact.items():
        row = risks[cell[0] - 1] if cell[0] <= len(risks) and isinstance(risks[cell[0] - 1], list) else []
        _same(f"the risk of {cell}", row[cell[1] - 1] if cell[1] <= len(row) else None, value)
    settled = f"{counted(len(safe), 'safe cell')}, {counted(len(mines), 'mine')} and every risk"
    more = [
        *(_least(claim(data, "best", list), exact) if "best" in data else ()),
        *(_reason(board, claim(data, "why", dict), exact, deadline) if data.get("why") is not None else ()),
    ]
    expert = _advice(board, claim(data, "expert", dict), exact, deadline) if data.get("expert") is not None else Findings(())
    return Findings((f"{counted(count, 'field')}, by laying every mine", settled, *more, *expert.proven), expert.open)


def _same(what: str, said: Any, value: Fraction | float) -> None:
    """Refuted unless a number is told as it is."""
    if not isinstance(said, int | float) or not abs(said - float(value)) <= CLOSE:
        raise Refuted(f"{what} is {float(value)}, not {said!r:.40}")


def _cells(data: Mapping[str, Any], name: str) -> list[Cell]:
    """Cells, as JSON has them."""
    found = claim(data, name, list)
    if not all(isinstance(cell, list) and len(cell) == 2 and all(type(number) is int for number in cell) for cell in found):
        raise FormatError(f"expected {name!r} as cells [row, column], found {found!r:.60}")
    return [(row, column) for row, column in found]


def _cell(view: View, said: Any) -> Cell:
    """A covered cell, as JSON has it."""
    if not isinstance(said, list) or tuple(said) not in view.covered:
        raise Refuted(f"{said!r:.40} is no covered cell")
    return said[0], said[1]


def _least(said: list[Any], exact: Mapping[Cell, Fraction]) -> Iterator[str]:
    """The cells of least risk are told as they are."""
    least = min(exact.values(), default=None)
    right = [list(cell) for cell, risk in exact.items() if risk == least]
    if said != right:
        raise Refuted(f"'best' should be {right}, not {said!r:.80}")
    yield "the cells of least risk"


def _reason(view: View, said: Mapping[str, Any], exact: Mapping[Cell, Fraction], deadline: Deadline) -> Iterator[str]:
    """A reason proves what it says, and none of its numbers can be left out."""
    cell, verdict, numbers = _cell(view, said.get("cell")), claim(said, "verdict", str), _cells(said, "because")
    right = {0: "safe", 1: "mine"}.get(int(exact[cell]) if exact[cell] in (0, 1) else -1, "undecided")
    if verdict != right:
        raise Refuted(f"{cell} is {right}, not {verdict!r:.40}")
    if right == "undecided":
        yield f"{cell} may be either"
        return
    if strange := [number for number in numbers if number not in view.open]:
        raise Refuted(f"the reason names {strange[0]!r:.40}, which shows no number")
    total = view.mines is not None and total_name(view.mines) in claim(said, "text", str)
    if not _proves(view, cell, right, numbers, total, deadline):
        raise Refuted(f"the reason does not prove that {cell} is {right}: {numbers}")
    for number in numbers:
        if _proves(view, cell, right, [each for each in numbers if each != number], total, deadline):
            raise Refuted(f"the reason that {cell} is {right} does not need {number}")
    yield f"why {cell} is {right}, by {counted(len(numbers), 'number')}, of which none can be left out"


def _proves(view: View, cell: Cell, verdict: str, numbers: Collection[Any], total: bool, deadline: Deadline) -> bool:
    count, mined = laid(view, deadline, numbers, total)
    return mined.get(cell, 0) == (0 if verdict == "safe" else count)


def _advice(view: View, said: Mapping[str, Any], exact: Mapping[Cell, Fraction], deadline: Deadline) -> Findings:
    """The risk of the cell that is advised and, where they are told, what it wins and how safe the next move is."""
    cell = _cell(view, said.get("cell"))
    _same(f"the risk of {cell}", said.get("risk"), exact[cell])
    proven, unproven = [f"the risk of {cell}, which is advised"], []
    if said.get("next_safety") is not None:
        try:
            _same(f"the safety of the move after {cell}", said["next_safety"], _next_safety(view, cell, deadline))
            proven.append(f"how safe the move after {cell} is")
        except LimitError:
            unproven.append(f"how safe the move after {cell} is: {TOO_MANY}")
    if said.get("chance") is not None:
        try:
            won = wins(view, deadline)
        except LimitError:
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
    try:
        if data.get("status") == "infeasible":
            names = [number_name(cell, view.open[cell]) for cell in _cells(data, "conflict") if cell in view.open]
            return _clash(view, [*names, *([] if view.mines is None else [total_name(view.mines)])], deadline)
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
    for place, text in enumerate(moves[:number], start=1):
        before = match
        try:
            match = move(match, text)
        except CPSolveError as error:
            raise Refuted(f"move {place}, {text}: {str(error).splitlines()[0]}") from error
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
        cell = max(opened_by(before.view, spot_of(text)), key=lambda each: mined.get(each, 0))
        least = min(mined.values())
        if (mined.get(cell, 0) > least) != (place == number):
            risk, other = Fraction(mined.get(cell, 0), count), Fraction(least, count)
            raise Refuted(f"move {place} opened {cell} at a risk of {risk}, and the least was {other}")
        if place == number:
            _mistake(before.view, data, count, mined, cell, least)
    if number is None and data.get("status") != match.game.status:
        raise Refuted(f"after its moves the game is {match.game.status}, not {data.get('status')!r:.40}")
    told = f"{counted(len(moves[:number]), 'move')}, each legal; {looked} of them beside numbers, and the risk of these is as told"
    return Findings((told,), tuple(f"the risk of move {place}: {TOO_MANY}" for place in unseen))


def _mistake(view: View, data: Mapping[str, Any], count: int, mined: Mapping[Cell, int], cell: Cell, least: int) -> None:
    """What is told of a move that took too much risk."""
    opened, better = _cell(view, data.get("cell")), _cell(view, data.get("better"))
    if mined[opened] != mined[cell]:
        raise Refuted(f"the move opened {cell}, not {opened}")
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
        return Findings((), ("the answer claims nothing",))
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
        if isinstance(said.get("risk"), int | float) and abs(said["risk"] - float(risk)) <= CLOSE:
            right += 1
        elif data.get("agent") in EXACT_RISKS:
            raise Refuted(f"the risk of move {place}, {cell}, is {risk}, not {said.get('risk')!r:.40}")
        else:
            wrong.append(place)
    for name, value in (("status", game.status), ("opened", opened), ("guesses", guesses)):
        if data.get(name) != value:
            raise Refuted(f"{name!r} should be {value!r}, not {data.get(name)!r:.40}")
    guessed = f"{guesses} {'guess' if guesses == 1 else 'guesses'}"
    told = (
        f"{counted(len(data['moves']), 'move')}, each legal: the game is {game.status}, with {guessed} and {counted(opened, 'open cell')}"
    )
    risks = [f"the risk of {counted(right, 'move')}"] if right else []
    own = [f"the risk of move {place}: the agent's own idea, which is not exact" for place in wrong]
    return Findings((told, *risks), (*own, *(f"the risk of move {place}: {TOO_MANY}" for place in unseen)))


def campaigns(data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks the figures of saved campaigns: rates and intervals follow from wins and games. The games were not kept.

    >>> said = {"agent": "seed", "games": 4, "wins": 1, "win_rate": 0.25, "interval": list(wilson(1, 4))}
    >>> campaigns({"campaigns": [said]}).proven
    ('seed: the rate and the interval of 1 win of 4 games',)
    """
    proven = []
    listed = claim(data, "campaigns", list)
    for said in listed:
        if not isinstance(said, dict):
            raise FormatError(f"expected an object per campaign, found {said!r:.60}")
        agent, wins, games = claim(said, "agent", str), claim(said, "wins", int), claim(said, "games", int)
        if not 0 <= wins <= games or not games:
            raise Refuted(f"{agent}: {wins} wins of {games} games")
        _same(f"{agent}: the rate of {wins} of {games}", said.get("win_rate"), wins / games)
        _both(f"{agent}: an end of the interval", said.get("interval"), wilson(wins, games))
        proven.append(f"{agent}: the rate and the interval of {counted(wins, 'win')} of {counted(games, 'game')}")
    if "comparison" in data:
        told = claim(data, "comparison", dict)
        found = Comparison(*(claim(told, name, int) for name in ("both", "only_first", "only_second", "neither")))
        if len(listed) != 2 or [found.both + found.first, found.both + found.second] != [said["wins"] for said in listed]:
            raise Refuted("the comparison does not add up to the wins of two campaigns")
        _same("the difference", told.get("difference"), found.difference)
        _both("an end of the interval of the difference", told.get("interval"), found.interval)
        _same("the p-value", told.get("p_value"), found.p_value)
        proven.append("their difference, its interval and its p-value")
    return Findings(tuple(proven), ("the wins: the games are not in the answer; the same seed plays them again",))


def _both(what: str, said: Any, right: tuple[float, float]) -> None:
    for place, value in enumerate(right):
        _same(what, said[place] if isinstance(said, list) and len(said) == 2 else None, value)


def fields_of(board: Field | View, time_limit: float | None = None) -> int | None:
    """How many fields fit a view, by laying every mine; None when that takes too long, or when all mines are known.

    >>> fields_of(View.from_text("-1-", mines=1))
    2
    """
    try:
        return laid(board, Deadline(SECONDS if time_limit is None else time_limit))[0] if isinstance(board, View) else None
    except LimitError:
        return None


def _clash(view: View, names: list[Any], deadline: Deadline) -> Findings:
    """Checks that what a conflict names cannot be together, whatever the other numbers say."""
    known = {number_name(cell, value): cell for cell, value in view.open.items()}
    total = None if view.mines is None else total_name(view.mines)
    if not all(isinstance(name, str) for name in names):
        raise FormatError(f"expected 'conflict' as names of numbers, found {names!r:.60}")
    if strange := [name for name in names if name not in known and name != total]:
        raise Refuted(f"the conflict names {strange[0]!r:.60}, which the view does not show")
    count, _ = laid(view, deadline, {known[name] for name in names if name in known}, total in names)
    if count:
        raise Refuted(f"what the conflict names can be together: {counted(count, 'field')} fit")
    return Findings(("no field fits, by laying every mine", f"the conflict alone rules out all of them: {'; '.join(names)}"))


def laid(view: View, deadline: Deadline, only: Collection[Cell] | None = None, total: bool = True) -> tuple[int, dict[Cell, int]]:
    """The number of fields that fit a view, and in how many of them each covered cell is a mine.

    With ``only`` some numbers count and the others say nothing; without ``total`` nor does the number of mines.

    >>> laid(View.from_text("1-", mines=1), Deadline(None))
    (1, {(1, 2): 1})
    """
    numbers = {cell: value for cell, value in view.open.items() if view.covered_around(cell) or value}
    if only is not None:
        numbers = {cell: value for cell, value in numbers.items() if cell in only}
    all_mines = view.mines if total else None
    beside = {cell: [near for near in view.neighbours(cell) if near in numbers] for cell in view.covered}
    cells = [cell for cell in view.covered if beside[cell]]
    far = [cell for cell in view.covered if not beside[cell]]
    missing, room = dict(numbers), {cell: len(view.covered_around(cell)) for cell in numbers}
    ways: Counter[int] = Counter()
    mined: dict[Cell, Counter[int]] = {cell: Counter() for cell in cells}
    mines: list[Cell] = []
    if any(not 0 <= missing[number] <= room[number] for number in numbers):
        return 0, {}

    def lay(place: int) -> None:
        deadline.check("laying mines")
        if place == len(cells):
            ways[len(mines)] += 1
            for cell in mines:
                mined[cell][len(mines)] += 1
            return
        cell = cells[place]
        for mine in (0, 1):
            for number in beside[cell]:
                missing[number] -= mine
                room[number] -= 1
            if all(0 <= missing[number] <= room[number] for number in beside[cell]):
                mines.extend([cell] * mine)
                lay(place + 1)
                del mines[len(mines) - mine :]
            for number in beside[cell]:
                missing[number] += mine
                room[number] += 1

    lay(0)

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

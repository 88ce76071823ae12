"""Saved answers of the smaller commands, checked by the rules: hints, games looked back on, matches, comparisons, new instances.

As in ``verifying``, nothing of the program that found an answer is used: moves are replayed, who wins is tried by plain alpha-beta, and
what that could not reach within the limit is named in the :class:`~cpsolve.puzzles.verifying.Findings` as open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from cpsolve.catalogue import Game, taken
from cpsolve.errors import CPSolveError, FormatError, LimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles.answers import in_words
from cpsolve.puzzles.games import in_plies, last_signs, outcomes
from cpsolve.puzzles.matches import Match, Played, Tally
from cpsolve.puzzles.verifying import CLOSE, SECONDS, Findings, Looked, Refuted, Solutions, alike, claim, told_move, worth_of
from cpsolve.words import counted

TRUTH = ("draws", "wins", "loses")


def hint(
    position: Any,
    data: Mapping[str, Any],
    move_of: Callable[[Any], Any],
    words: Callable[[Any, int, int], Sequence[str]],
    time_limit: float | None = None,
) -> Findings:
    """Checks a saved hint: a legal move and, where it says that it is proven, the best one, of which nothing untrue is told.

    ``words(move, sign, plies)`` are all the ways to say truly what a move does that wins (1), draws (0) or loses (-1) in some plies.

    >>> from cpsolve.puzzles.games import Pile
    >>> def words(move, sign, plies):
    ...     return [f"{TRUTH[sign]} in {plies}"]
    >>> hint(Pile(5), {"move": "1", "words": "wins in 3", "proven": True}, int, words).proven
    ('1 is legal', 'no move is better, and it does as told (wins in 3): alpha-beta')
    """
    move, said, proven = told_move(move_of, data.get("move")), claim(data, "words", str), data.get("proven")
    if not isinstance(proven, bool):
        raise FormatError(f"expected 'proven' as true or false, found {proven!r:.60}")
    if move not in position.legal_moves():
        raise Refuted(f"the move {data['move']} is not legal in\n{position}")
    legal = f"{data['move']} is legal"
    if not proven:
        return Findings((legal,), (f"what it says of the move, {said!r:.100}: that is not called proven",))
    try:
        found = outcomes(position, SECONDS if time_limit is None else time_limit)
    except LimitError:
        return Findings((legal,), (f"that no move is better, and what it does ({said}): too many positions for alpha-beta",))
    sign, plies = found[move]
    true = words(move, sign, plies)
    if said not in true:
        raise Refuted(f"the words {said!r:.100} are not so: {data['move']} {TRUTH[sign]}{f' in {in_plies(plies)}' if sign else ''}")
    best = max(found.values(), key=worth_of)
    if sign < best[0] or (said == true[0] and worth_of((sign, plies)) < worth_of(best)):
        better = ", ".join(str(each) for each, outcome in found.items() if outcome == best)
        raise Refuted(f"{data['move']} {TRUTH[sign]} in {in_plies(plies)}, and better is {better}, which {TRUTH[best[0]]}")
    return Findings((legal, f"no move is better, and it does as told ({said}): alpha-beta"))


def review(
    start: Any, moves: Sequence[Any], data: Mapping[str, Any], move_of: Callable[[Any], Any], time_limit: float | None = None
) -> Findings:
    """Checks a game looked back on: that the move named is the first, of those that were looked at, that changed who wins for the worse.

    >>> from cpsolve.puzzles.games import Pile
    >>> said = {"number": 1, "move": "2", "better": [3], "since": 0}
    >>> review(Pile(7), ["2", "1", "1", "3"], said, int).proven
    ('4 moves, each legal', 'move 1 is the first that gave something away, and better moves are as told: alpha-beta')
    """
    number, since = data.get("number"), claim(data, "since", int)
    if number is not None:
        claim(data, "number", int)
    if not 0 <= since <= len(moves) + 1 or (number is not None and not since < number <= len(moves)):
        raise Refuted(f"a game of {counted(len(moves), 'move')}, looked at after move {since}, has no move {number} to name")
    made = [told_move(move_of, move) for move in moves]
    positions = [start]
    for place, move in enumerate(made, start=1):
        try:
            positions.append(positions[-1].play(move))
        except CPSolveError as error:
            raise Refuted(f"move {place}, {moves[place - 1]}: {error}") from error
    if number is not None and told_move(move_of, data.get("move")) != made[number - 1]:
        raise Refuted(f"move {number} of the game is {moves[number - 1]}, not {data.get('move')!r:.40}")
    legal = f"{counted(len(moves), 'move')}, each legal"
    signs = last_signs(positions[since:], SECONDS if time_limit is None else time_limit)
    reached = min(len(positions) - len(signs), len(moves))  # what was played before is not known
    for place in range(reached + 1, len(positions) if number is None else number + 1):
        before, after = signs[place - 1 - reached], signs[place - reached]
        if positions[place].to_move != positions[place - 1].to_move:
            after = -after
        if (after < before) != (place == number):
            words = f"{positions[place - 1].to_move} {TRUTH[before]} before it and {TRUTH[after]} after it"
            raise Refuted(f"move {place}, {moves[place - 1]}, gave {'something' if after < before else 'nothing'} away: {words}")
    if number is not None and reached >= number:
        return Findings((legal,), (f"that move {number} is the first that gave something away: too many positions for alpha-beta",))
    unseen = [f"moves {since + 1} to {reached}: too many positions for alpha-beta"] if reached > since else []
    looked = f"from move {reached + 1} on " if reached else ""
    if number is None:
        judged = (f"{looked}no move changed who wins: alpha-beta",) if reached < len(moves) else ()
        return Findings((legal, *judged), tuple(unseen))
    better = _better(positions[number - 1], data, move_of, time_limit)
    if better is None:
        unseen.append("which moves were better: too many positions for alpha-beta")
    told = ", and better moves are as told" if better else ""
    return Findings((legal, f"{looked}move {number} is the first that gave something away{told}: alpha-beta"), tuple(unseen))


def _name(winner: str | None) -> str:
    return winner or "nobody"


def _better(position: Any, data: Mapping[str, Any], move_of: Callable[[Any], Any], time_limit: float | None) -> bool | None:
    """Whether better moves are told, and are the best there are; None when that could not be found out."""
    told = {told_move(move_of, move) for move in claim(data, "better", list)}
    if not told:
        return False
    try:
        found = outcomes(position, SECONDS if time_limit is None else time_limit)
    except LimitError:
        return None
    best = max(map(worth_of, found.values()))
    right = {move for move, outcome in found.items() if worth_of(outcome) == best}
    if told != right:
        raise Refuted(f"'better' should be {sorted(map(str, right))}, not {sorted(map(str, told))}")
    return True


def match(game: Game, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a saved match: every game is replayed by the rules to its end, and score and rating follow from the results."""
    deadline = Deadline(SECONDS if time_limit is None else time_limit)
    new = taken(game.interaction.new_options, claim(data, "new", dict), f"{game.name} does not begin with")
    games, names = claim(data, "played", list), claim(data, "players", list)
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise FormatError(f"expected 'players' as two names, found {names!r:.60}")
    unknown = f"who played: that the first is {names[0]!r:.60} and the second {names[1]!r:.60}; and that the seed drew the openings"
    what = Match(game, new, claim(data, "opening", int), claim(data, "seed", int))
    board = game.interaction
    assert board.new is not None  # a Match has them
    assert board.move is not None
    assert board.standing is not None
    results: list[int] = []
    for place, record in enumerate(games):
        if deadline.passed():
            told = f"{counted(place, 'game')}, legal to the end, with the results told"
            left = f"the other {counted(len(games) - place, 'game')}, and the score: no time was left"
            return Findings((told,) if place else (), (left, unknown))
        each = _played(record, place)
        instance = board.new(**new)
        for number, move in enumerate(each.moves, start=1):
            try:
                instance = board.move(instance, move)
            except CPSolveError as error:
                raise Refuted(f"game {place + 1}, move {number}, {move}: {str(error).splitlines()[0]}") from error
        standing = board.standing(instance)
        if not standing.over:
            raise Refuted(f"game {place + 1} is not over after {counted(len(each.moves), 'move')}")
        result = 0 if not standing.winner else 1 if (standing.winner == board.players[0]) == each.began else -1
        if each.result != result:
            raise Refuted(f"game {place + 1} ended with {_name(standing.winner)} as winner: its result is {result}, not {each.result}")
        before = results and place % 2 and _played(games[place - 1], place - 1)
        if before and (before.opening != each.opening or before.moves[: each.opening] != each.moves[: each.opening]):
            raise Refuted(f"game {place + 1} has another opening than game {place}, which is to be played with either colour")
        if each.opening != what.opening:
            raise Refuted(f"game {place + 1} has an opening of {counted(each.opening, 'move')}, not {what.opening}")
        results.append(result)
    right = Tally.of(results).data()
    for name, value in right.items():
        if not _close(data.get(name), value):
            raise Refuted(f"{name!r} should be {value}, not {data.get(name)!r:.60}")
    told = f"{counted(len(games), 'game')}, legal to the end, with the results told"
    return Findings((told, "score, rating and their intervals"), (unknown,))


def _played(record: Any, place: int) -> Played:
    """A game of a saved match."""
    each = Played.from_record(record)
    if each.number != place or each.began != (place % 2 == 0):
        raise Refuted(f"game {place + 1} has number {each.number}, begun by the {'first' if each.began else 'second'} player")
    return each


def _close(told: Any, value: Any) -> bool:
    """Whether a number, or a list of numbers, is told as it is, up to the last digits of a float."""
    if isinstance(value, list):
        return isinstance(told, list) and len(told) == len(value) and all(map(_close, told, value))
    if isinstance(value, float) and isinstance(told, int | float) and not isinstance(told, bool):
        return abs(told - value) <= CLOSE * max(1.0, abs(value))
    return type(told) is type(value) and bool(told == value)


def generated(game: Game, data: Mapping[str, Any], time_limit: float | None = None) -> Findings:
    """Checks a new instance: its files are read, say the same, and the instance is what the game promises of one."""
    texts = claim(data, "files", dict)
    if game.generator is None or set(texts) != set(game.generator.files):
        made = [] if game.generator is None else list(game.generator.files)
        raise FormatError(f"expected the files {', '.join(made) or 'of no generator'}, found {', '.join(map(str, texts))[:60]}")
    first, *_ = game.generator.files
    instance = game.read(claim(texts, first, str))
    for name, write in game.generator.files.items():
        right, told = write(instance).splitlines(), claim(texts, name, str).splitlines()
        for line, (one, other) in enumerate(zip([*right, ""], [*told, ""], strict=False), start=1):
            if one != other or (len(right) != len(told) and line > min(len(right), len(told))):
                raise Refuted(f"{name}, line {line}: expected {one!r:.60} after {first}, found {other!r:.60}")
    same = f"{counted(len(texts), 'file')} of one instance" if len(texts) > 1 else f"{first} is an instance of {game.title}"
    if game.generator.promised is None:
        return Findings((same,))
    found = game.generator.promised(instance, time_limit)
    return Findings((same, *found.proven), found.open)


ANSWERED = ("solved", "no solution")
STATES = (*ANSWERED, "limit", "refused", "ended")
"""How a method of a comparison may have ended."""


def compared(data: Mapping[str, Any], value: Callable[[], Any] | None) -> Findings:
    """Checks a saved comparison: what methods proved is the same, nobody beats it, and it is what the rules give.

    ``value()`` is the value of the best answer by the rules, infinite or no :class:`Solutions` where there is none, and None when that
    takes too long.

    >>> row = {"method": "bfs", "state": "no solution", "answer": "no plan", "value": None, "proven": True}
    >>> compared({"methods": [row]}, lambda: 14)
    Traceback (most recent call last):
    cpsolve.puzzles.verifying.Refuted: bfs tells that there is no solution, and the rules give 14
    """
    rows = [_row(row) for row in claim(data, "methods", list)]
    if not rows:
        raise FormatError("expected a row per method in 'methods', found none")
    told = [row for row in rows if row["state"] in ANSWERED]
    proven = [row for row in told if row["proven"]]
    for row in proven[1:]:
        if not alike(_worth(row), _worth(proven[0])):
            raise Refuted(f"{proven[0]['method']} proved {_shown(proven[0])}, and {row['method']} {_shown(row)}")
    words = tuple(f"the words of {row['method']}: {row['answer']}" for row in told if row.get("answer") and not _says(row))
    unseen = tuple(sentence for row in rows for sentence in row.unseen())
    measured = "times and memory were measured, and states counted: that is no claim about the instance"
    right = None if value is None or not told else value()
    if right is None:
        late = ": too much for the rules alone" if value is not None and told else ""
        return Findings(("no two methods contradict each other",), (f"what the methods found{late}", *words, *unseen, measured))
    for row in told:
        _against(row, right)
    sure = [row["method"] for row in told if row["proven"] or row["state"] == "no solution"]
    loose = [row["method"] for row in told if row["method"] not in sure]
    settled = f"what {', '.join(sure)} proved is so by the rules alone" if sure else "no method tells what cannot be so by the rules"
    kept = (f"what {', '.join(loose)} found without a proof: the answers themselves are not kept",) if loose else ()
    return Findings((settled,), (*kept, *words, *unseen, measured))


def _row(row: Any) -> Looked:
    """What a comparison tells of one method."""
    if not isinstance(row, dict) or not isinstance(row.get("method"), str):
        raise FormatError("expected an object per method, each with its name in 'method'")
    said, method = Looked(row, f"{row['method']:.60}"), f"{row['method']:.60}"
    if said.get("state") not in STATES:
        raise FormatError(f"expected the state of {method} as one of {', '.join(STATES)}, found {said.get('state')!r:.60}")
    value, proven = said.get("value"), said.get("proven")
    if not isinstance(proven, bool):
        raise FormatError(f"expected 'proven' of {method} as true or false, found {proven!r:.60}")
    if said["state"] not in ANSWERED and (proven or value is not None):
        raise FormatError(f"expected nothing found by {method}, which ended as {said['state']!r}; found {value!r:.60}")
    if said["state"] == "solved" and (value in (inf, -inf) or (proven and value is None)):
        raise FormatError(f"expected the value that {method} found, found {value!r}")
    if not isinstance(said.get("answer", ""), str):
        raise FormatError(f"expected words in 'answer' of {method}, found {said['answer']!r:.60}")
    return said


def _worth(row: Mapping[str, Any]) -> Any:
    """The value of a row; infinite where it says that there is no solution."""
    return inf if row["state"] == "no solution" and row["value"] is None else row["value"]


def _shown(row: Mapping[str, Any]) -> str:
    return "that there is no solution" if _worth(row) == inf else f"{row['value']!r:.60}"


def _against(row: Mapping[str, Any], right: Any) -> None:
    """Refuted when a row says what cannot be so, where ``right`` is the value by the rules."""
    method, worth = row["method"], _worth(row)
    none, count = right == inf or right == Solutions(0), isinstance(right, Solutions)
    best = right.number if isinstance(right, Solutions) else list(right) if isinstance(right, tuple) else right
    if row["state"] == "no solution" and not none:
        raise Refuted(f"{method} tells that there is no solution, and the rules give {best}")
    if row["state"] == "solved" and none and (row["proven"] or not count):
        raise Refuted(f"{method} tells {worth!r:.60}, and there is no solution by the rules")
    if worth is None or worth == inf:
        return
    if row["proven"] and not alike(worth, best):
        raise Refuted(f"{method} proved {worth}, and the rules give {best}")
    if isinstance(best, int | float):
        if type(worth) is not int:
            raise FormatError(f"expected the value of {method} as a whole number, found {worth!r:.60}")
        if worth > best if count else worth < best:
            raise Refuted(f"{method} found {worth}, and nothing is better than {best}")


def _says(row: Mapping[str, Any]) -> bool:
    """Whether the words of a row say what its value says."""
    value, words = row["value"], row["answer"]
    if isinstance(value, list) and len(value) == 2 and type(value[1]) in (int, type(None)):
        return bool(words == in_words(value[0], value[1] or 0))
    return type(value) is int and words in (counted(value, "move"), counted(value, "field"))

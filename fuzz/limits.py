"""Large models and boards with little time: every call ends within half a second of its limit, whatever it was doing then.

What is measured is processor time: on a busy machine the clock says little. Instances are made before the time begins.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from random import Random
from typing import Any

import cpsolve as cp
from fuzz.runner import Kind, Refused, Wrong
from models import busy_police, center, four_in_a_line, minesweeper, pacman

ALLOWED = 0.5
"""Seconds of processor time that a call may take after its limit."""
SMALL, MIDDLE, WARM, HARDLY_ANY = 5, 25, 5.0, 0.01
"""The sizes of the model and of the board that are asked about first, to load and compile what is needed, and the seconds for it; those
for the board itself, which may need something else."""


# -- models, by their size


def _different(size: int) -> cp.Model:
    model = cp.Model()
    squares = model.int_vars((size, size), 1, size)
    model.add([cp.all_different(line) for line in (*squares, *squares.T)])
    return model


def _denied(size: int) -> cp.Model:
    model = cp.Model()
    model.add(~cp.all_different(model.int_vars(10 * size, 0, 10 * size)))
    return model


def _circuit(size: int) -> cp.Model:
    model = cp.Model()
    closed = model.bool_var()
    model.add(closed == cp.circuit([(a, b, model.bool_var()) for a in range(size) for b in range(size) if a != b]))
    return model


def _loop(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.loop(cp.grid_edges(model, size, size)))
    return model


def _connected(size: int) -> cp.Model:
    model = cp.Model()
    cells = model.bool_vars((size, size))
    model.add(cp.connected(cells, cp.grid(size, size)))
    model.add(cells.sum() >= size)
    return model


def _regions(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.regions(model.int_vars((size, size), 0, 3), cp.grid(size, size)))
    return model


def _table(size: int) -> cp.Model:
    model = cp.Model()
    chance = Random(size)
    model.add(cp.table(list(model.int_vars(4, 0, size)), [[chance.randint(0, size) for _ in range(4)] for _ in range(1000 * size)]))
    return model


def _automaton(size: int) -> cp.Model:
    model = cp.Model()
    steps = [(state, value, (3 * state + value) % (5 * size)) for state in range(5 * size) for value in range(10)]
    model.add(cp.automaton(list(model.int_vars(4 * size, 0, 9)), 0, [0], steps))
    return model


def _products(size: int) -> cp.Model:
    model = cp.Model()
    numbers = model.int_vars(2 * size, 0, 300)
    model.add([numbers[i] * numbers[i + 1] <= 5000 for i in range(2 * size - 1)])
    model.maximize(numbers.sum())
    return model


def _sums(size: int) -> cp.Model:
    model = cp.Model()
    bits = model.bool_vars(20 * size)
    chance = Random(size)
    model.add([bits[chance.sample(range(20 * size), 8)].sum() == 3 for _ in range(5 * size)])
    return model


def _lexical(size: int) -> cp.Model:
    model = cp.Model()
    rows = model.int_vars((size, size), 0, 5)
    model.add([cp.lex_less(rows[i], rows[i + 1]) for i in range(size - 1)])
    return model


def _cumulative(size: int) -> cp.Model:
    model = cp.Model()
    starts = model.int_vars(2 * size, 0, 10 * size)
    model.add(cp.cumulative([cp.interval(start, 5) for start in starts], [2] * len(starts), 7))
    return model


def _long_lists(size: int) -> cp.Model:
    model = cp.Model()
    rows = model.int_vars((2, 200 * size), 0, 1000)
    model.add([cp.lex_less(rows[0], rows[1]), ~cp.lex_less(rows[1], rows[0])])
    return model


def _tasks(model: cp.Model, count: int) -> list[Any]:
    return [cp.interval(start, 500) for start in model.int_vars(count, 0, 10**6)]


def _many_tasks(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.cumulative(_tasks(model, 20 * size), [3] * (20 * size), 8))
    return model


def _apart(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.no_overlap(_tasks(model, 20 * size)))
    return model


def _perhaps_apart(size: int) -> cp.Model:
    model = cp.Model()
    model.add(model.bool_var() == cp.no_overlap(_tasks(model, 10 * size)))
    return model


def _inverse(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.inverse(*model.int_vars((2, 12 * size), 0, 12 * size - 1)))
    return model


def _cardinality(size: int) -> cp.Model:
    model = cp.Model()
    model.add(cp.cardinality(model.int_vars(50 * size, 0, 5 * size), dict.fromkeys(range(5 * size), 10)))
    return model


def _counted(size: int) -> cp.Model:
    model = cp.Model()
    numbers = model.int_vars(8 * size, 0, 8 * size - 1)
    model.add([cp.count(numbers, place) == number for place, number in enumerate(numbers)])
    return model


def _elements(size: int) -> cp.Model:
    model = cp.Model()
    entries, places = model.int_vars((2, 7 * size), 0, 7 * size - 1)
    model.add([cp.element(entries, place) == number for number, place in enumerate(places)])
    return model


def _extremes(size: int) -> cp.Model:
    model = cp.Model()
    numbers = model.int_vars(300 * size, 0, 100)
    model.add([cp.maximum(numbers) <= 50, cp.minimum(numbers[1:]) != numbers[0]])
    return model


def _clauses(size: int) -> cp.Model:
    model = cp.Model()
    bits, chance = list(model.bool_vars(300 * size)), Random(size)
    model.add([cp.any_of(chance.sample(bits, 30)) for _ in range(900 * size)])
    return model


def _pairs(size: int) -> cp.Model:
    model = cp.Model()
    bits = model.bool_vars(1500 * size)
    model.add(bits[:-1] | bits[1:])
    return model


def _neighbours(size: int) -> cp.Model:
    model = cp.Model()
    numbers = model.int_vars(1500 * size, 0, 5)
    model.add(numbers[:-1] + numbers[1:] <= 7)
    return model


def _wide(size: int) -> cp.Model:
    model = cp.Model()
    numbers = model.int_vars(20, 0, 400 * size)
    model.add([numbers[:-1] + numbers[1:] <= 700 * size, cp.all_different(numbers), numbers.sum() >= 100 * size])
    return model


def _field(size: int) -> cp.Model:
    return _connected(4 * size)


MODELS: Mapping[str, Callable[[int], cp.Model]] = {
    "different": _different,
    "denied": _denied,
    "circuit": _circuit,
    "loop": _loop,
    "connected": _connected,
    "regions": _regions,
    "table": _table,
    "automaton": _automaton,
    "products": _products,
    "sums": _sums,
    "lexical": _lexical,
    "cumulative": _cumulative,
    "long lists": _long_lists,
    "many tasks": _many_tasks,
    "apart": _apart,
    "perhaps apart": _perhaps_apart,
    "inverse": _inverse,
    "cardinality": _cardinality,
    "counted": _counted,
    "elements": _elements,
    "extremes": _extremes,
    "clauses": _clauses,
    "pairs": _pairs,
    "neighbours": _neighbours,
    "wide": _wide,
    "field": _field,
}
LARGEST = 60
"""The largest size of a model."""
QUESTIONS: Mapping[str, Callable[[cp.Model, float], Any]] = {
    "solve": lambda model, limit: model.solve(time_limit=limit),
    "solve by sat": lambda model, limit: model.solve(backend="sat", time_limit=limit),
    "solve by python-constraint": lambda model, limit: model.solve(backend="python-constraint", time_limit=limit),
    "solutions": lambda model, limit: list(islice(model.solutions(time_limit=limit), 50)),
    "solutions by diagram": lambda model, limit: list(islice(model.solutions(backend="diagram", time_limit=limit), 50)),
    "count": lambda model, limit: model.count(time_limit=limit),
    "unique": lambda model, limit: model.unique(time_limit=limit),
    "distribution": lambda model, limit: model.distribution(model.variables[0], time_limit=limit),
    "count_by": lambda model, limit: model.count_by(model.variables[0], time_limit=limit),
    "marginals": lambda model, limit: model.marginals([model.variables[0] >= 1], time_limit=limit),
    "sample": lambda model, limit: model.sample(5, time_limit=limit),
    "backbone": lambda model, limit: model.backbone(time_limit=limit),
    "possible": lambda model, limit: model.possible(model.variables[0], time_limit=limit),
    "conflict": lambda model, limit: model.conflict(time_limit=limit),
    "explain": lambda model, limit: model.explain(model.variables[0] >= 0, time_limit=limit),
    "steps": lambda model, limit: list(model.steps(time_limit=limit)),
    "difficulty": lambda model, limit: model.difficulty(time_limit=limit),
}


# -- boards, by their size


def _scene(size: int) -> busy_police.Scene:
    ladders = [(x, y) for y in range(1, size) for x in (1, size // 2 + 1, size)]
    evidence = [(5 * i % size + 1, 7 * i % size + 1) for i in range(1, min(size, 80))]
    return busy_police.Scene(size, size, [], sorted(set(ladders)), (1, 1), (size, size), sorted(set(evidence) - {(1, 1), (size, size)}))


def _board(size: int) -> pacman.Board:
    ghosts = {(7 * i % size, 11 * i % size) for i in range(1, 3 * size)} - {(0, 0), (size - 1, 0), (0, size - 1)}
    return pacman.Board(size, size, (0, 0), (size - 1, 0), (0, size - 1), sorted(ghosts))


def _maze(size: int) -> pacman.Maze:
    return pacman.Maze.from_layout("\n".join(["P" + "." * (size - 1), *["." * size] * (size - 1)]))


def _view(size: int) -> minesweeper.View:
    field = minesweeper.Field.random(size, size, size * size // 4, seed=size)
    cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1) if (row + column) % 2]
    return minesweeper.View(size, size, {cell: field.value(cell) for cell in cells if cell not in field.mines}, len(field.mines))


def _stones(size: int) -> center.Position:
    position, chance = center.Position(2 * (min(size, 60) // 4) + 3), Random(size)
    for _ in range(size):
        after = position.play(chance.choice(position.legal_moves()))
        position = position if after.is_over else after
    return position


def _drops(size: int) -> four_in_a_line.Position:
    return four_in_a_line.Position(rows=4 + size % 5, columns=4 + size % 7)


def _dropped(size: int) -> four_in_a_line.Position:
    """A board that is as good as full, without a winner."""
    position, chance = four_in_a_line.Position(size, size, connect=size), Random(size)
    while not position.is_over:
        after = position.play(chance.choice(position.legal_moves()))
        if after.winner is not None:
            break
        position = after
    return position


def _field_of(size: int) -> minesweeper.Field:
    return minesweeper.Field.random(size, size, max(1, size * size // 6), seed=size)


def _played(agent: str, field: minesweeper.Field, limit: float) -> Any:
    return minesweeper.play(minesweeper.Game(field, "safe"), agent, seed=1, time_limit=limit)


def _campaign(agent: str, field: minesweeper.Field, limit: float) -> Any:
    mines = len(field.mines)
    return minesweeper.campaign(field.rows, field.columns, mines, 1000, agent, workers=1, progress=False, time_limit=limit)


def _made_sure(size: int) -> str:
    return center.certify(center.Position(3 if size % 2 else 5)).to_text()


CALLS: Mapping[str, tuple[Callable[[int], Any], int, Callable[[Any, float], Any]]] = {
    "busy_police.solve": (_scene, 400, lambda scene, limit: busy_police.solve(scene, time_limit=limit)),
    "busy_police.encode": (_scene, 400, lambda scene, limit: busy_police.encode(scene, order=True, time_limit=limit)),
    "busy_police.encode, horizon": (_scene, 100, lambda scene, limit: busy_police.encode(scene, "horizon", time_limit=limit)),
    "pacman.encode": (_board, 400, lambda board, limit: pacman.encode(board, time_limit=limit)),
    "minesweeper.encode": (_view, 150, lambda view, limit: minesweeper.encode(view, time_limit=limit)),
    "center.encode": (_stones, 100, lambda position, limit: center.encode(position, time_limit=limit)),
    "center.encode, legality": (_stones, 100, lambda position, limit: center.encode(position, "legality", time_limit=limit)),
    "four_in_a_line.encode": (_dropped, 100, lambda position, limit: four_in_a_line.encode(position, time_limit=limit)),
    "busy_police.paths": (_scene, 400, lambda scene, limit: list(islice(busy_police.paths(scene, time_limit=limit), 50))),
    "busy_police.count_paths": (_scene, 400, lambda scene, limit: busy_police.count_paths(scene, time_limit=limit)),
    "pacman.solve": (_board, 400, lambda board, limit: pacman.solve(board, time_limit=limit)),
    "busy_police.shortest_plans": (_scene, 400, lambda scene, limit: list(islice(busy_police.shortest_plans(scene, time_limit=limit), 50))),
    "pacman.paths": (_board, 400, lambda board, limit: list(islice(pacman.paths(board, time_limit=limit), 50))),
    "pacman.shortest_plans": (_board, 400, lambda board, limit: list(islice(pacman.shortest_plans(board, time_limit=limit), 50))),
    "pacman.count_paths": (_board, 400, lambda board, limit: pacman.count_paths(board, time_limit=limit)),
    "pacman.solve, a maze": (_maze, 400, lambda maze, limit: pacman.solve(maze, time_limit=limit)),
    "minesweeper.infer": (_view, 100, lambda view, limit: minesweeper.infer(view, time_limit=limit)),
    "minesweeper.infer, cpsat": (_view, 60, lambda view, limit: minesweeper.infer(view, "cpsat", time_limit=limit)),
    "minesweeper.why": (_view, 60, lambda view, limit: minesweeper.why(view, min(view.covered), time_limit=limit)),
    **{f"minesweeper.play, {agent}": (_field_of, 150, partial(_played, agent)) for agent in minesweeper.AGENTS},
    **{f"minesweeper.campaign, {agent}": (_field_of, 150, partial(_campaign, agent)) for agent in minesweeper.AGENTS},
    "center.solve": (_stones, 100, lambda position, limit: center.solve(position, time_limit=limit)),
    "center.certify": (_stones, 100, lambda position, limit: center.certify(position, time_limit=limit)),
    "center.check": (_made_sure, 5, lambda text, limit: center.check(text, time_limit=limit)),
    "center.reach": (_stones, 100, lambda position, limit: center.reach(position.rows(), time_limit=limit)),
    "center.cooperative_win": (_stones, 100, lambda position, limit: center.cooperative_win(position.size, time_limit=limit)),
    "center.outcomes": (_stones, 100, lambda position, limit: center.outcomes(position, time_limit=limit)),
    "center.scores": (_stones, 100, lambda position, limit: center.scores(position, time_limit=limit)),
    "center.hint": (_stones, 100, lambda position, limit: center.hint(position, time_limit=limit)),
    "center.choose_move": (_stones, 100, lambda position, limit: center.choose_move(position, 10, time_limit=limit)),
    "four_in_a_line.solve": (_drops, 100, lambda position, limit: four_in_a_line.solve(position, time_limit=limit)),
    "four_in_a_line.scores": (_drops, 100, lambda position, limit: four_in_a_line.scores(position, time_limit=limit)),
    "four_in_a_line.hint": (_drops, 100, lambda position, limit: four_in_a_line.hint(position, time_limit=limit)),
    "four_in_a_line.review": (_drops, 100, lambda position, limit: four_in_a_line.review([1, 2, 3, 2, 1], position, time_limit=limit)),
    "four_in_a_line.choose_move": (_drops, 100, lambda position, limit: four_in_a_line.choose_move(position, 10, time_limit=limit)),
    "four_in_a_line.reach": (_dropped, 100, lambda position, limit: four_in_a_line.reach(position, time_limit=limit)),
    "four_in_a_line.count_orders": (
        _dropped,
        100,
        lambda position, limit: four_in_a_line.count_orders(
            position.to_lists(), position.rows, position.columns, position.connect, time_limit=limit
        ),
    ),
}


# -- trials


def kept(what: str, ask: Callable[[float], Any], limit: float) -> None:
    """Asks, and looks whether the limit was kept."""
    gc.collect()  # what earlier trials left is no work of this one
    begun = time.process_time()
    refused = None
    try:
        ask(limit)
    except cp.LimitError:
        pass
    except cp.CPSolveError as error:
        refused = error
    taken = time.process_time() - begun
    if taken > limit + ALLOWED:
        raise Wrong(f"{what} took {taken:.2f} s of processor time at a limit of {limit:g} s")
    if refused is not None:
        raise Refused from refused


def _limit(random: Random) -> float:
    """Mostly short; some leave time for what comes after a model was written."""
    return random.random() * random.choice((1, 1, 3))


def make_model(random: Random) -> dict[str, Any]:
    """A model and a question about it."""
    size = random.randint(2, LARGEST)
    return {"model": random.choice(list(MODELS)), "size": size, "question": random.choice(list(QUESTIONS)), "limit": _limit(random)}


@cache
def _asked_before(model: str, question: str) -> None:
    """The question asked about a small model of the kind, so that all is loaded and compiled."""
    with suppress(cp.CPSolveError):
        QUESTIONS[question](MODELS[model](SMALL), WARM)


def check_model(value: Mapping[str, Any]) -> None:
    """The question is answered, or given up, in time."""
    _asked_before(value["model"], value["question"])
    model = MODELS[value["model"]](value["size"])
    what = f"{value['question']} of {value['model']} of size {value['size']}"
    kept(what, lambda limit: QUESTIONS[value["question"]](model, limit), value["limit"])


def make_call(random: Random) -> dict[str, Any]:
    """A call about a board."""
    name = random.choice(list(CALLS))
    return {"call": name, "size": random.randint(4, CALLS[name][1]), "limit": _limit(random)}


@cache
def _called_before(name: str) -> None:
    """The call made about a board of middling size, so that all is loaded and compiled."""
    make, _, call = CALLS[name]
    with suppress(cp.CPSolveError):
        call(make(MIDDLE), WARM)


def check_call(value: Mapping[str, Any]) -> None:
    """The call ends in time, once what it needs is loaded and compiled."""
    _called_before(value["call"])
    make, _, call = CALLS[value["call"]]
    instance = make(value["size"])
    with suppress(cp.CPSolveError):
        call(instance, HARDLY_ANY)
    kept(f"{value['call']} of size {value['size']}", lambda limit: call(instance, limit), value["limit"])


KINDS = {"models": Kind(make_model, check_model, seconds=180.0), "boards": Kind(make_call, check_call, seconds=180.0)}

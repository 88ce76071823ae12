"""Every public call that can run long takes the same two limits: found by its signature, so that none is forgotten."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

import cpsolve as cp
from cpsolve import Model, Status, limits
from cpsolve.puzzles import games, garden, generate, naive, paths, search, walks
from models import busy_police, center, four_in_a_line, minesweeper, pacman

PLACES: list[Any] = [
    *(Model, walks.WalkingGame, minesweeper.Inference),
    *(games, generate, naive, paths, search, walks),
    *(busy_police, center, four_in_a_line, minesweeper, pacman),
]


def limited() -> dict[str, Callable[..., Any]]:
    """Every public call that takes a time limit."""
    found: dict[str, Callable[..., Any]] = {}
    for place in PLACES:
        names = getattr(place, "__all__", None) or [name for name in vars(place) if not name.startswith("_")]
        for name in names:
            call = getattr(place, name)
            own = isinstance(place, type) or hasattr(place, "__all__") or getattr(call, "__module__", "") == place.__name__
            if own and (inspect.isfunction(call) or inspect.ismethod(call)) and "time_limit" in inspect.signature(call).parameters:
                found[f"{place.__name__.rpartition('.')[2]}.{name}"] = call
    return found


MODEL = Model("small")
X = MODEL.int_vars(3, 0, 2, name="x")
MODEL.add(X.sum() == 3, name="three")
FIXED = Model("fixed")
Y = FIXED.int_var(0, 2, name="y")
FIXED.add(Y > 1, name="high")
CLASH = Model("clash")
CLASH.add(CLASH.int_var(0, 2, name="z") > 2, name="too high")


def draft(chance: Random) -> generate.Draft:
    """A Latin square of side 3."""
    model = Model("Latin square")
    x = model.int_vars((3, 3), 1, 3, name="x")
    for i in range(3):
        model.add([cp.all_different(x[i]), cp.all_different(x[:, i])])
    return generate.Draft(model, clues=x)


GARDEN = garden.Garden("So.\n#.E")
ROUTE = garden.route(GARDEN)
WALKS = walks.WalkingGame(garden.route)
DROPS = four_in_a_line.Position.from_moves("44444326213163")
STONES = center.Position.from_rows(["x..", "...", "..o"])
PROOF = center.certify(center.Position(3)).to_text()
VIEW = minesweeper.View.from_text("-1", mines=1)
WIDE_VIEW = minesweeper.View(40, 40, {(1, 1): 0}, mines=1)
MANY_DROPS = four_in_a_line.Position.from_moves([column for column in range(1, 31) for _ in range(34)], 34, 30, connect=34)
SCENE, BOARD = busy_police.SCENES["evidencias"], pacman.BOARDS["seed"]


def played(**given: Any) -> Any:
    """A game of Minesweeper by an agent."""
    return minesweeper.play(minesweeper.Game(minesweeper.Field.random(4, 4, 2, seed=1)), "exact", seed=1, **given)


CALLS: dict[str, Callable[..., Any]] = {
    "Model.solve": MODEL.solve,
    "Model.solutions": lambda **given: list(MODEL.solutions(**given)),
    "Model.count": MODEL.count,
    "Model.unique": MODEL.unique,
    "Model.count_by": lambda **given: MODEL.count_by(X[0], **given),
    "Model.marginals": lambda **given: MODEL.marginals(X == 1, **given),
    "Model.distribution": lambda **given: MODEL.distribution(X[0], **given),
    "Model.sample": MODEL.sample,
    "Model.backbone": MODEL.backbone,
    "Model.explain": lambda **given: FIXED.explain(Y == 2, **given),
    "Model.possible": lambda **given: MODEL.possible(X[0], **given),
    "Model.steps": lambda **given: list(FIXED.steps(**given)),
    "Model.difficulty": FIXED.difficulty,
    "Model.minimal_clues": lambda **given: MODEL.minimal_clues({X[0]: 1, X[1]: 1, X[2]: 1}, X, **given),
    "Model.conflict": CLASH.conflict,
    "games.look_back": lambda **given: games.look_back(games.Pile(3), [3], _best, lambda pile, limit: "first", **given),
    "games.last_signs": lambda **given: games.last_signs([games.Pile(7), games.Pile(3)], **given),
    "games.outcomes": lambda **given: games.outcomes(games.Pile(7), **given),
    "games.alpha_beta": lambda **given: games.alpha_beta(games.Pile(7), **given),
    "games.deepen": lambda **given: games.deepen(games.Pile(7), **{"time_limit": 60, **given}),
    "generate.generate": lambda **given: generate.generate(draft, seed=1, **given),
    "naive.minimax": lambda **given: naive.minimax(games.Pile(7), **given),
    "naive.solutions": lambda **given: naive.solutions(MODEL, **given),
    "paths.paths": lambda **given: list(paths.paths(ROUTE, **given)),
    "paths.count_paths": lambda **given: paths.count_paths(ROUTE, **given),
    "search.dfs": lambda **given: search.dfs(GARDEN, **given),
    "search.bfs": lambda **given: search.bfs(GARDEN, **given),
    "search.astar": lambda **given: search.astar(GARDEN, ROUTE.heuristic(), **given),
    "search.shortest_plans": lambda **given: list(search.shortest_plans(GARDEN, ROUTE.heuristic(), **given)),
    "walks.solve": lambda **given: walks.solve(ROUTE, **given),
    "WalkingGame.encode": lambda **given: WALKS.encode(GARDEN, **given),
    "WalkingGame.solve": lambda **given: WALKS.solve(GARDEN, **given),
    "WalkingGame.paths": lambda **given: list(WALKS.paths(GARDEN, **given)),
    "WalkingGame.count_paths": lambda **given: WALKS.count_paths(GARDEN, **given),
    "WalkingGame.shortest_plans": lambda **given: list(WALKS.shortest_plans(GARDEN, **given)),
    "Inference.why": lambda **given: minesweeper.infer(VIEW).why((1, 1), **given),
    "busy_police.count_paths": lambda **given: busy_police.count_paths(SCENE, **given),
    "busy_police.encode": lambda **given: busy_police.encode(SCENE, "horizon", **given),
    "busy_police.paths": lambda **given: next(busy_police.paths(SCENE, **given)),
    "busy_police.shortest_plans": lambda **given: next(busy_police.shortest_plans(SCENE, **given)),
    "busy_police.solve": lambda **given: busy_police.solve(SCENE, **given),
    "center.certify": lambda **given: center.certify(STONES, **given),
    "center.check": lambda **given: center.check(PROOF, **given),
    "center.choose_move": lambda **given: center.choose_move(center.Position(3), 5, seed=1, **given),
    "center.cooperative_win": lambda **given: center.cooperative_win(3, **given),
    "center.encode": lambda **given: center.encode(STONES, "legality", **given),
    "center.first_losing_move": lambda **given: center.first_losing_move([(1, 1), (3, 1)], center.Position(3), **given),
    "center.hint": lambda **given: center.hint(STONES, **given),
    "center.outcomes": lambda **given: center.outcomes(STONES, **given),
    "center.reach": lambda **given: center.reach(["xo.", "...", "..."], **given),
    "center.review": lambda **given: center.review([(1, 1), (3, 1)], center.Position(3), **given),
    "center.scores": lambda **given: center.scores(STONES, **given),
    "center.solve": lambda **given: center.solve(STONES, **given),
    "four_in_a_line.choose_move": lambda **given: four_in_a_line.choose_move(DROPS, 5, seed=1, **given),
    "four_in_a_line.count_orders": lambda **given: four_in_a_line.count_orders([[[1, 4], [2, 4]], [[1, 3]]], **given),
    "four_in_a_line.encode": lambda **given: four_in_a_line.encode(MANY_DROPS, **given),
    "four_in_a_line.first_losing_move": lambda **given: four_in_a_line.first_losing_move("25", DROPS, **given),
    "four_in_a_line.hint": lambda **given: four_in_a_line.hint(DROPS, **given),
    "four_in_a_line.reach": lambda **given: four_in_a_line.reach([[[1, 4], [2, 4]], [[1, 3]]], **given),
    "four_in_a_line.review": lambda **given: four_in_a_line.review("25", DROPS, **given),
    "four_in_a_line.score": lambda **given: four_in_a_line.score(DROPS, **given),
    "four_in_a_line.score_many": lambda **given: four_in_a_line.score_many([DROPS], **given),
    "four_in_a_line.scores": lambda **given: four_in_a_line.scores(DROPS, **given),
    "four_in_a_line.solve": lambda **given: four_in_a_line.solve(DROPS, **given),
    "four_in_a_line.solve_many": lambda **given: four_in_a_line.solve_many([DROPS], **given),
    "minesweeper.campaign": lambda **given: minesweeper.campaign(4, 4, 2, 2, "exact", "safe", 1, workers=1, **given),
    "minesweeper.encode": lambda **given: minesweeper.encode(WIDE_VIEW, **given),
    "minesweeper.infer": lambda **given: minesweeper.infer(VIEW, **given),
    "minesweeper.play": played,
    "minesweeper.why": lambda **given: minesweeper.why(VIEW, (1, 1), **given),
    "pacman.count_paths": lambda **given: pacman.count_paths(BOARD, **given),
    "pacman.encode": lambda **given: pacman.encode(BOARD, order=True, **given),
    "pacman.paths": lambda **given: next(pacman.paths(BOARD, **given)),
    "pacman.shortest_plans": lambda **given: next(pacman.shortest_plans(BOARD, **given)),
    "pacman.solve": lambda **given: pacman.solve(BOARD, **given),
}
"""Each of them, on something small."""


def _best(pile: games.Pile, time_limit: float | None) -> games.Verdict[int]:
    return games.Verdict(pile, "first", 1, (3,))


def test_every_call_that_takes_a_time_limit_is_asked_here() -> None:
    assert sorted(limited()) == sorted(CALLS)


def test_every_call_that_takes_a_time_limit_takes_one_on_memory() -> None:
    assert [name for name, call in limited().items() if "max_memory" not in inspect.signature(call).parameters] == []


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_limit_gets_one_clear_error(name: str) -> None:
    for value in (float("nan"), -1, float("inf"), 1e300, 10**400, "1", True):
        with pytest.raises(cp.ModelError, match="time_limit must be a number of seconds from 0 to 1,000,000,000, or None"):
            CALLS[name](time_limit=value)
    for value in (float("nan"), -1, 0, 0.5, 10**400, "1", True):
        with pytest.raises(cp.ModelError, match="max_memory must be a whole number of bytes from 1 to 1,125,899,906,842,624, or None"):
            CALLS[name](max_memory=value)


@pytest.mark.parametrize("name", CALLS)
def test_limits_that_are_not_met_change_nothing(name: str) -> None:
    """Compared by what is told of an answer, without its times."""
    plain, bounded = CALLS[name](), CALLS[name](time_limit=600, max_memory=1 << 40)
    assert _told(plain) == _told(bounded)


def _told(answer: Any) -> str:
    shown = (answer.status, answer.objective) if isinstance(answer, cp.Result) else answer
    return re.sub(r"\d+\.\d+(e-\d+)?", "", str(shown))


@pytest.fixture
def growing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that takes a megabyte more whenever somebody looks."""
    monkeypatch.setattr(limits, "resident", count(10**9, 10**6).__next__)
    monkeypatch.setattr(limits, "PERIOD", 0.0)


PARTIAL = {
    "Model.solve",
    "center.cooperative_win",
    "center.reach",
    "four_in_a_line.reach",
    *(f"search.{name}" for name in ("dfs", "bfs", "astar")),
}
"""Those that answer UNKNOWN."""
SOMETHING = {
    "games.look_back",
    "games.last_signs",
    "games.deepen",
    "naive.minimax",
    "naive.solutions",
    "Model.solutions",
    "minesweeper.campaign",
}
SOMETHING |= {"walks.solve", "WalkingGame.solve", "pacman.solve", "busy_police.solve"}
SOMETHING |= {f"{game}.{name}" for game in ("center", "four_in_a_line") for name in ("choose_move", "hint", "review", "first_losing_move")}
"""Those that answer with what they have."""


@pytest.mark.usefixtures("growing")
@pytest.mark.parametrize("name", CALLS)
def test_a_process_that_grows_beyond_its_memory_is_stopped(name: str) -> None:
    try:
        answer = CALLS[name](max_memory=1)
    except cp.MemoryLimitError:
        assert name not in PARTIAL
        return
    assert name in PARTIAL | SOMETHING
    if name in PARTIAL:
        assert answer.status is Status.UNKNOWN


def test_memory_is_what_was_taken_since_the_call_began(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [5 * 10**9]
    monkeypatch.setattr(limits, "resident", lambda: held[0])
    monkeypatch.setattr(limits, "PERIOD", 0.0)
    deadline = limits.Deadline(None, max_memory=10**6)
    assert not deadline.passed()
    held[0] += 10**6
    assert not deadline.passed()
    with limits.loading():
        held[0] += 10**8
    assert not deadline.passed()  # code is not counted
    held[0] += 1
    assert deadline.passed()
    assert deadline.remaining() == 0


def test_what_is_part_of_a_question_has_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    held = [10**9]
    monkeypatch.setattr(limits, "resident", lambda: held[0])
    with limits.Deadline(None, max_memory=10**6).watched() as outer:
        inner = limits.Deadline(None, max_memory=10**9)
        held[0] += 10**6 + 1
        assert inner.passed()
    assert outer.full
    with pytest.raises(cp.MemoryLimitError, match=r"counting: it takes more than the 1\.0 MB that max_memory allows"):
        inner.fail("counting")


def test_cp_sat_is_stopped_before_its_memory_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model("ruler")
    x = model.int_vars(14, 0, 200, name="x")
    model.add(x[:-1] < x[1:])
    model.add(cp.all_different([x[j] - x[i] for i in range(14) for j in range(i + 1, 14)]))
    model.minimize(x[-1])
    model.solve(time_limit=0)  # encoded
    looked = count()
    monkeypatch.setattr(limits, "resident", lambda: 10**9 + 10**6 * next(looked))
    result = model.solve(max_memory=10**8)  # there is no other limit: without a look it would run for hours
    assert result.status in (Status.FEASIBLE, Status.UNKNOWN)
    assert 70 < next(looked) < 110  # a quarter is left

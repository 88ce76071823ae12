"""The compiled player: its risks are those of inference, its look-ahead is what counting fields gives, its games are those of ``play``."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from cpsolve import InfeasibleError, ModelError
from models.minesweeper import Field, Game, View, infer
from models.minesweeper.campaign import Task
from models.minesweeper.expert import EXPERT, Expert, look_at
from models.minesweeper.player import desk as places
from models.minesweeper.player import games
from tests.minesweeper.oracle import any_views, consistent_views, fitting

SCORE, TWO_STEPS = Expert("score", max_fields=0), Expert("two steps", max_fields=0)


def assert_same(view: View) -> None:
    """The player and inference say the same of a view."""
    answer = infer(view)
    found = look_at(view, TWO_STEPS)
    assert (found.safe, found.mines) == (answer.safe, answer.mines)
    assert ((found.risks == 0.0) == (answer.probability == 0.0)).all()
    assert found.risks == pytest.approx(answer.probability, rel=1e-12)


@given(consistent_views())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_risks_are_those_of_inference(view: View) -> None:
    assert_same(view)


@given(any_views())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_view_that_no_field_fits_is_refused(view: View) -> None:
    try:
        infer(view)
    except InfeasibleError:
        with pytest.raises(InfeasibleError):
            look_at(view)
    else:
        assert_same(view)


def positions(rows: int, columns: int, mines: int, seeds: range) -> Iterator[View]:
    """The views of games by an exact player in which nothing is safe, and some in which something is."""
    for seed in seeds:
        game = Game(Field.random(rows, columns, mines, seed), "opening", seed)
        game.open((rows // 2, columns // 2))
        while game.status == "playing":
            answer = infer(game.view)
            yield game.view
            for cell in sorted(answer.safe) or answer.best[:1]:
                if game.status == "playing":
                    game.open(cell)


@pytest.mark.parametrize("size", [(16, 30, 99), (16, 16, 40), (40, 40, 330)])
def test_risks_are_those_of_inference_on_large_boards(size: tuple[int, int, int]) -> None:
    views = list(positions(*size, range(4)))
    assert len(views) > 15
    for view in views[:40]:
        assert_same(view)


@given(consistent_views())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_the_number_of_fields_is_the_exact_one(view: View) -> None:
    answer = infer(view)
    if not answer.safe and not answer.mines:
        assert look_at(view).log_fields == pytest.approx(math.log(answer.solutions), abs=1e-9)


# -- what the look-ahead tells


def undecided(view: View) -> bool:
    answer = infer(view)
    return not answer.safe and len(answer.mines) < len(view.covered)


@given(consistent_views())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_two_step_safety_is_what_counting_fields_gives(view: View) -> None:
    if not undecided(view):
        return
    found = look_at(view, TWO_STEPS)
    assert found.choice is not None
    fields, cell = fitting(view), found.choice.cell
    safe = [field for field in fields if cell not in field.mines]
    twice = known = 0
    rest = [other for other in view.covered if other != cell]
    for number in {field.value(cell) for field in safe}:
        part = [field for field in safe if field.value(cell) == number]
        survived = [sum(other not in field.mines for field in part) for other in rest]
        best = max((count for count in survived if count), default=len(part))
        twice += best
        known += len(part) if best == len(part) else 0
    assert found.risk == pytest.approx(1 - len(safe) / len(fields))
    assert found.following == pytest.approx(twice / len(safe))
    assert found.progress == pytest.approx(known / len(safe))


@given(consistent_views())
@settings(max_examples=80, deadline=None, derandomize=True)
def test_a_dead_cell_is_chosen_only_where_all_safe_enough_cells_next_to_numbers_are_dead(view: View) -> None:
    if not undecided(view):
        return
    answer, found = infer(view), look_at(view, TWO_STEPS)
    assert found.choice is not None
    if len(answer.reveals(found.choice.cell)) == 1:
        bound = 0.9 * (1 - answer.risk(answer.best[0])) + 1e-6
        near = [
            cell
            for cell in view.covered
            if 1 - answer.risk(cell) >= bound and any(view[other] is not None for other in view.neighbours(cell))
        ]
        assert all(len(answer.reveals(cell)) == 1 for cell in near)


def looked_at(view: View) -> tuple[NDArray[np.float64], dict[tuple[int, int], NDArray[np.float64]]]:
    """How likely each cell is in a 50/50 of each kind, and the features of the cells that were compared."""
    with places.borrowed(view.rows, view.columns) as desk:
        SCORE._instruct(desk, view.mines)
        grid, told = view.grid.reshape(1, -1).copy(), np.zeros((1, 6))
        games.run(True, grid, grid, np.zeros(1, np.int64), np.zeros(1), told, *desk)
        cells = view.rows * view.columns
        influence = desk.values[places.INFLUENCE : places.LOGS, :cells].copy()
        rows = desk.values[places.FEATURES : places.VALUES, : places.CANDIDATE + 1].copy()
    features = {
        (int(row[places.CANDIDATE]) // view.columns + 1, int(row[places.CANDIDATE]) % view.columns + 1): row
        for row in rows
        if row[places.CANDIDATE] >= 0
    }
    return influence, features


@given(consistent_views())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_unavoidable_guesses_are_as_likely_as_counting_fields_gives(view: View) -> None:
    if not undecided(view):
        return
    answer, fields = infer(view), fitting(view)
    influence, _ = looked_at(view)
    unknown = {cell for cell in view.covered if cell not in answer.mines}
    expected = np.zeros((3, view.rows, view.columns))
    for row, column in sorted(unknown):
        for down, right in ((0, 1), (1, 0), (1, 1)):
            other = row + down, column + right
            members = [(row, column), other]
            if (down, right) == (1, 1):
                members += [(row, column + 1), (row + 1, column)]
            if not unknown.issuperset(members):
                continue
            if (down, right) == (1, 1):
                tellers = [(r, c) for r in (row - 1, row + 2) for c in (column - 1, column + 2)]
                mined, free = members[:2], members[2:]
            else:
                tellers = [cell for cell in set(view.neighbours(members[0])) ^ set(view.neighbours(other)) if cell not in members]
                mined, free = members[:1], members[1:]
            tellers = [(r, c) for r, c in tellers if 1 <= r <= view.rows and 1 <= c <= view.columns]
            missing = [cell for cell in tellers if cell in unknown]
            if len(missing) > 2 or any(cell not in unknown and cell not in answer.mines for cell in tellers):
                continue
            rough = math.prod(answer.risk(cell) for cell in [*missing, *mined])
            if rough < 0.0005:
                continue
            hits = sum(field.mines.issuperset([*missing, *mined]) and not field.mines & set(free) for field in fields)
            line = 1 if len(members) == 4 else 0
            for r, c in members:
                expected[line, r - 1, c - 1] = max(expected[line, r - 1, c - 1], hits / len(fields))
            for r, c in missing:
                expected[2, r - 1, c - 1] += hits / len(fields)
    assert influence[:3].reshape(expected.shape) == pytest.approx(expected)


@given(consistent_views())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_safest_next_cells_are_those_that_counting_fields_gives(view: View) -> None:
    if not undecided(view):
        return
    fields = fitting(view)
    for cell, row in looked_at(view)[1].items():
        if row[places.SCORE] < -50:
            continue
        safe = [field for field in fields if cell not in field.mines]
        first = second = 0.0
        for number in {field.value(cell) for field in safe}:
            part = [field for field in safe if field.value(cell) == number]
            counts = sorted((sum(other not in field.mines for field in part) for other in view.covered if other != cell), reverse=True)
            counts = [count for count in counts if count] or [len(part)]
            first += counts[0]
            second += counts[1] if len(counts) > 1 else counts[0]
        assert row[places.SAFE_SHARE] == pytest.approx(len(safe) / len(fields))
        assert row[places.NEXT] == pytest.approx(first / len(fields))
        assert row[places.SECOND_NEXT] <= second / len(fields) + 1e-9


# -- games


PLAYERS = {
    "expert": EXPERT,
    "strong": Expert("score", rolls=12),
    "two steps": Expert("two steps"),
    "least": Expert("least risk", max_fields=0),
}


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("setting", [(16, 30, 99, "opening"), (8, 8, 10, "safe"), (6, 7, 9, "any")])
def test_compiled_games_are_those_that_the_same_agent_plays_move_by_move(name: str, setting: tuple[int, int, int, str]) -> None:
    rows, columns, mines, first_click = setting
    task = Task(rows, columns, mines, PLAYERS[name], first_click, 11)  # type: ignore[arg-type]
    numbers = range(3 if rows * columns > 200 else 8)
    for fast, slow in zip(task.play_all(numbers), map(task.play, numbers), strict=True):
        assert (fast.won, fast.guesses, fast.opened) == (slow.won, slow.guesses, slow.opened)
        assert (fast.expected, fast.luck) == pytest.approx((slow.expected, slow.luck))


def test_a_games_result_does_not_depend_on_those_before_it() -> None:
    task = Task(16, 16, 40, "expert", "safe", 5)
    together = list(task.play_all(range(12)))
    assert [next(task.play_all([number])) for number in reversed(range(12))] == together[::-1]


def test_a_position_too_wide_to_count_is_left_to_inference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_CELLS", 3)
    view = View.from_text("11\n--", mines=1)
    decision = EXPERT(view, random.Random(0))
    assert decision.open[0] in infer(view).best
    assert "too much to look ahead" in decision.reason
    assert EXPERT.play_all([Field(2, 2, {(1, 2)}).numbers], 1, [(1, 1)], [0.0]) == [None]


def test_roll_outs_depend_on_the_view_alone() -> None:
    view = next(view for view in positions(9, 9, 16, range(20)) if undecided(view) and infer(view).solutions > 2000)
    player = Expert("score", rolls=20)
    assert len({look_at(view, player).choice for _ in range(3)}) == 1


def test_fields_are_drawn_equally_often() -> None:
    view = View.from_text("1---\n----\n----", mines=2)
    fields = {tuple(field.numbers.ravel().tolist()): 0 for field in fitting(view)}
    draws = 60 * len(fields)
    for seed in range(draws):
        drawn = EXPERT.drawn(view.grid, 2, seed)
        assert drawn is not None
        fields[tuple(drawn.ravel().tolist())] += 1  # a KeyError if it does not fit
    chi_square = sum((count - 60) ** 2 / 60 for count in fields.values())
    freedom = len(fields) - 1
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


def test_senseless_experts_are_refused() -> None:
    for options in ({"guess": "best"}, {"max_fields": 10**6}, {"rolls": -1}):
        with pytest.raises(ModelError):
            Expert(**options)

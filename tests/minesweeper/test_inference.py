"""Inference against brute force over all placements, and against the constraint model."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from cpsolve import DiagramTooWide, InfeasibleError, ModelError, TimeLimitError
from cpsolve.counting.sum_kernels import TOO_LARGE
from cpsolve.limits import Deadline, look
from models.minesweeper import Field, Game, View, decode, encode, infer, interaction, kernels
from models.minesweeper.drawing import draw
from tests.minesweeper.oracle import any_views, consistent_views, fitting

SEED_VIEW = View.from_text(
    """
    001-
    001-
    113-
    ----
    """
)


def assert_equals_brute_force(view: View) -> None:
    fields = fitting(view)
    if not fields:
        with pytest.raises(InfeasibleError):
            infer(view)
        return
    answer = infer(view)
    assert answer.solutions == len(fields)
    risks = {cell: Fraction(sum(cell in field.mines for field in fields), len(fields)) for cell in view.covered}
    assert {cell: answer.exact(cell) for cell in view.covered} == risks
    assert answer.safe == {cell for cell, risk in risks.items() if risk == 0}
    assert answer.mines == {cell for cell, risk in risks.items() if risk == 1}
    assert answer.best == tuple(cell for cell, risk in risks.items() if risk == min(risks.values()))
    for row in range(1, view.rows + 1):
        for column in range(1, view.columns + 1):
            risk = risks.get((row, column), Fraction(0))
            found = answer.probability[row - 1, column - 1]
            assert found == pytest.approx(float(risk), abs=1e-12)
            assert (found == 0.0, found == 1.0) == (risk == 0, risk == 1)


@settings(deadline=None, derandomize=True, max_examples=2000)
@given(consistent_views())
def test_every_probability_equals_the_share_of_all_placements_that_fit(view: View) -> None:
    assert_equals_brute_force(view)


@settings(deadline=None, derandomize=True, max_examples=1000)
@given(any_views())
def test_views_that_no_field_fits_are_told_from_those_that_some_does(view: View) -> None:
    assert_equals_brute_force(view)


@settings(deadline=None, derandomize=True, max_examples=250)
@given(consistent_views(most_covered=9))
def test_what_a_cell_would_show_is_its_share_of_the_placements_in_which_it_is_safe(view: View) -> None:
    fields = fitting(view)
    answer = infer(view)
    for cell in view.covered:
        shown = Counter(field.value(cell) for field in fields if cell not in field.mines)
        assert answer.reveals(cell) == {value: Fraction(count, shown.total()) for value, count in sorted(shown.items())}
        assert answer.opens_zero(cell) == Fraction(shown[0], len(fields))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(consistent_views(most_covered=9))
def test_the_constraint_model_counts_and_decides_as_inference_does(view: View) -> None:
    answer, model = infer(view), encode(view)
    assert model.count() == answer.solutions
    assert {decode(view, solution) for solution in model.solutions()} == set(fitting(view))
    certain = model.backbone()
    cells = dict(zip(model.variables, view.covered, strict=True))
    assert {cells[variable] for variable, value in certain.items() if value} == answer.mines
    assert {cells[variable] for variable, value in certain.items() if not value} == answer.safe
    marginals = model.marginals(list(model.variables), exact=True)
    assert [answer.exact(cell) for cell in view.covered] == list(marginals)


def position(seed: int, share: float) -> View:
    """A view of an Expert field with that share of its safe cells open."""
    field = Field.random(16, 30, 99, seed=seed)
    cells = [(row, column) for row in range(1, 17) for column in range(1, 31) if (row, column) not in field.mines]
    chosen = np.random.default_rng(seed).permutation(len(cells))[: int(share * len(cells))]
    return field.view([cells[i] for i in chosen], mines=99)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_board_in_play_has_the_same_counts_in_the_kernels_and_in_the_constraint_model(seed: int) -> None:
    game = Game(Field.random(16, 16, 40, seed=seed), first_click="opening", seed=seed)
    game.open((8, 8))
    view = game.view
    answer, model = infer(view), encode(view)
    assert model.count() == answer.solutions
    marginals = model.marginals(list(model.variables), exact=True)
    chosen = range(0, len(view.covered), 17)
    assert [answer.exact(view.covered[i]) for i in chosen] == [marginals[i] for i in chosen]
    floats = [answer.probability[row - 1, column - 1] for row, column in view.covered]
    np.testing.assert_allclose(floats, [float(share) for share in marginals], rtol=1e-11)


def test_the_seeds_worked_example_has_one_solution_with_three_mines() -> None:
    answer = infer(View.of_grid(SEED_VIEW.grid, mines=3))
    assert answer.solutions == 1
    assert answer.mines == {(2, 4), (4, 2), (4, 4)}
    assert answer.safe == {(1, 4), (3, 4), (4, 1), (4, 3)}


def test_the_seeds_local_probabilities_are_wrong_where_the_exact_ones_are_certain() -> None:
    # the original's text gives (1,4) and (2,4) a half each and (3,4) a third
    answer = infer(SEED_VIEW)
    assert [answer.exact((row, 4)) for row in (1, 2, 3)] == [0, 1, 0]


def test_flags_change_nothing() -> None:
    view = View.from_text("1--\n---\n---", mines=2)
    flagged = View.from_text("1F-\nFF-\n--F", mines=2)
    assert np.array_equal(infer(view).probability, infer(flagged).probability)
    assert infer(flagged).solutions == infer(view).solutions


def test_a_fully_open_board_has_one_solution_and_no_best_cell() -> None:
    answer = infer(View.from_text("00\n00", mines=0))
    assert (answer.solutions, answer.safe, answer.mines, answer.best) == (1, frozenset(), frozenset(), ())
    assert not answer.probability.any()


def test_without_a_frontier_all_cells_share_the_mines_equally() -> None:
    answer = infer(View(16, 30, open={}, mines=99))
    assert answer.exact((7, 7)) == Fraction(99, 480)
    assert answer.solutions == comb(480, 99)
    assert len(answer.best) == 480


def test_without_mines_every_covered_cell_is_safe() -> None:
    answer = infer(View.from_text("0--\n---", mines=0))
    assert answer.safe == set(answer.view.covered)


def test_an_open_zero_beside_covered_cells_makes_them_safe() -> None:
    assert infer(View.from_text("-0-\n---")).safe == set(View.from_text("-0-\n---").covered)


def test_with_an_unknown_number_of_mines_an_isolated_cell_is_a_mine_in_half_of_the_fields() -> None:
    answer = infer(View.from_text("1----"))
    assert answer.exact((1, 2)) == 1
    assert answer.exact((1, 5)) == Fraction(1, 2)
    assert answer.solutions == 8


def test_the_number_of_mines_alone_can_decide_cells_far_from_any_number() -> None:
    answer = infer(View.from_text("1-----", mines=1))
    assert answer.mines == {(1, 2)}
    assert answer.safe == {(1, 3), (1, 4), (1, 5), (1, 6)}


@pytest.mark.parametrize(
    ("text", "mines", "names"),
    [
        ("1-2", None, ["(1,3) shows 2"]),
        ("1-0", None, ["(1,1) shows 1", "(1,3) shows 0"]),
        ("---", 4, ["there are 4 mines in all"]),
        ("-2-", 1, ["(1,2) shows 2", "there is 1 mine in all"]),
        ("3", None, ["(1,1) shows 3"]),
    ],
)
def test_an_inconsistent_view_names_a_minimal_set_of_clashing_numbers(text: str, mines: int | None, names: list[str]) -> None:
    with pytest.raises(InfeasibleError) as caught:
        infer(View.from_text(text, mines))
    assert [entry.name for entry in caught.value.conflict] == names


@settings(deadline=None, derandomize=True, max_examples=60)
@given(any_views())
def test_a_conflict_is_minimal(view: View) -> None:
    if fitting(view):
        return
    with pytest.raises(InfeasibleError) as caught:
        infer(view)
    conflict = caught.value.conflict
    assert conflict
    for spared in range(len(conflict)):
        model = encode(view)
        model._constraints = conflict[:spared] + conflict[spared + 1 :]
        assert not model.conflict()


def large_view(step: int) -> View:
    """A field of 60 by 60 with every ``step``-th cell of every ``step``-th row open."""
    field = Field.random(60, 60, 700, seed=5)
    cells = [(row, column) for row in range(1, 61, step) for column in range(1, 61, step)]
    return field.view([cell for cell in cells if cell not in field.mines], mines=700)


def test_boards_with_more_fields_than_a_float_can_count_have_right_probabilities() -> None:
    view = large_view(step=3)
    answer = infer(view)
    assert answer.solutions > 2**1100
    assert answer.probability.sum() == pytest.approx(700, rel=1e-12)
    for row, column in view.covered[::301]:
        assert answer.probability[row - 1, column - 1] == pytest.approx(float(answer.exact((row, column))), rel=1e-11)


@pytest.mark.parametrize("extra", [0, 1, 2, 77, 210, 418, 419, 420])
def test_extreme_numbers_of_mines_leave_certain_cells_certain_and_others_not(extra: int) -> None:
    # in each block one mine is in the middle, or two are at its ends; so with 140 + extra mines the 140 choices and the 280 cells
    # that no number touches share the extra ones like 420 equal cells
    answer = infer(View.from_text("-1-1---" * 140, mines=140 + extra))
    share = Fraction(extra, 420)
    for cell, risk in {(1, 8): share, (1, 10): 1 - share, (1, 12): share, (1, 13): share}.items():
        assert answer.exact(cell) == risk
        assert answer.probability[0, cell[1] - 1] == pytest.approx(float(risk), rel=1e-12)
        assert (answer.probability[0, cell[1] - 1] in (0.0, 1.0)) == (risk in (0, 1))


def test_counts_beyond_floats_are_worked_out_in_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = kernels.solve

    def too_large(*arguments: Any) -> kernels.Answer:
        found = solve(*arguments)
        cleared = np.where(found.kind.reshape(8, 9)[2:-2, 2:-2] == kernels.MINED, 1.0, 0.0)
        return found._replace(status=TOO_LARGE, probability=cleared)

    view = View.from_text("1-1--\n-----\n-2-1-\n-----", mines=5)
    expected = infer(view).probability
    monkeypatch.setattr(kernels, "solve", too_large)
    np.testing.assert_allclose(infer(view).probability, expected, rtol=1e-12)
    with pytest.raises(InfeasibleError):
        infer(View.from_text("1-1--\n-----\n-2-1-\n-----", mines=17))


def test_exact_shares_are_the_same_at_once_and_one_by_one_and_counted_within_the_time() -> None:
    for mines in (None, 4, 5, 6):
        at_once, singly = (infer(View.from_text("1-1--\n-----\n-2-1-\n-----\n----1\n-----", mines=mines)) for _ in range(2))
        shares = at_once._counts.shares(Deadline(None))
        assert shares == {group: singly._counts.share(group) for group in shares}
        for part in singly._components:
            for count in (lambda part=part: part.count({}), lambda part=part: list(part.with_a_one())):
                with pytest.raises(TimeLimitError, match="counting exactly"), Deadline(0).watched():
                    count()


def test_a_frontier_too_wide_for_its_budget_says_how_wide_it_was() -> None:
    view = position(7, 0.35)
    with pytest.raises(DiagramTooWide) as caught:
        infer(view, max_nodes=50)
    assert caught.value.budget == 50
    assert caught.value.width > 0


def test_a_hopeless_frontier_is_refused_and_does_not_hang() -> None:
    field = Field.random(100, 100, 2000, seed=3)
    view = field.view([(row, column) for row in range(1, 101, 2) for column in range(1, 101, 2) if (row, column) not in field.mines], 2000)
    with pytest.raises(DiagramTooWide):
        infer(view)


def test_an_open_cell_reveals_nothing_more() -> None:
    with pytest.raises(ModelError, match="is open"):
        infer(View.from_text("1-")).reveals((1, 1))


def test_probabilities_of_a_game_add_up_to_its_mines() -> None:
    game = Game(Field.random(16, 30, 99, seed=11), first_click="opening")
    game.open((8, 15))
    assert infer(game.view).probability.sum() == pytest.approx(99)


def test_the_kernels_give_the_same_answers_uncompiled() -> None:
    view = position(4, 0.3)
    script = (
        "import sys; from models.minesweeper import View, infer\n"
        "answer = infer(View.from_text(sys.stdin.read(), mines=99))\n"
        "print(*answer.probability.ravel().tolist())"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", script]
    found = subprocess.run(command, input=view.to_text(), env=environment, capture_output=True, text=True, check=True).stdout
    np.testing.assert_allclose([float(word) for word in found.split()], infer(view).probability.ravel(), rtol=1e-12)


LARGE = View.from_text("\n".join(["1" + 120 * "-", *120 * [121 * "-"]]))
FITTING = 3 * 2 ** (121 * 121 - 4)
"""The fields that fit: a mine in one of three cells, anything in all others. That number has more digits than Python writes by itself."""


def test_a_number_of_fields_beyond_what_python_writes_is_drawn_told_and_checked() -> None:
    found = infer(LARGE, check=True)
    assert found.solutions == FITTING
    assert "about 4.4 × 10^4406 fields fit" in str(draw(LARGE, found))
    assert "python-constraint: the same 449,953,659" in found.check.note
    told = interaction.analyse(LARGE).data()["solutions"]
    assert (len(told), int(told[-4000:])) == (4407, FITTING % 10**4000)


def test_marks_of_a_large_board_keep_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = infer(LARGE)
    with Deadline(0).watched(), pytest.raises(TimeLimitError):
        interaction.marks(found)
    now = [0.0]
    monkeypatch.setattr("cpsolve.limits.time.monotonic", lambda: now[0])

    def slowly(found: Any) -> Any:
        now[0] += 2
        look("marks")

    monkeypatch.setattr(interaction, "marks", slowly)
    with pytest.raises(TimeLimitError):
        interaction.analyse(SEED_VIEW, time_limit=1)

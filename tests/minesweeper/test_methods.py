"""The methods of inference: from one model, they tell the same; and an answer that is wrong does not pass a check."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve.errors import InfeasibleError, ModelError, SolverError, TimeLimitError
from models.minesweeper import Field, View, decode, encode, infer
from models.minesweeper.encode import encoding
from models.minesweeper.inference import METHODS, DiagramInference, second_opinion
from models.minesweeper.kernels import CENTRE, MARGIN, OPEN, state


@st.composite
def small_views(draw: st.DrawFn, lies: bool = False) -> View:
    """Views of small fields, some with the number of mines known; with ``lies``, one number may be wrong."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    mined = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    field = Field(rows, columns, {cell for cell, mine in zip(cells, mined, strict=True) if mine and draw(st.booleans())})
    free = [cell for cell in cells if cell not in field.mines]
    shown = {cell: field.value(cell) for cell in free if draw(st.integers(0, 2))}
    if lies and shown and draw(st.booleans()):
        wrong = draw(st.sampled_from(sorted(shown)))
        shown[wrong] = draw(st.integers(0, 8))
    return View(rows, columns, shown, draw(st.sampled_from([None, len(field.mines)])))


@settings(deadline=None, max_examples=80, derandomize=True)
@given(small_views())
def test_all_methods_tell_the_same(view: View) -> None:
    first, *others = [infer(view, method) for method in METHODS]
    for other in others:
        assert other.solutions == first.solutions
        assert (other.safe, other.mines, other.best) == (first.safe, first.mines, first.best)
        assert np.allclose(other.probability, first.probability, rtol=0, atol=1e-12)
        for cell in view.covered:
            assert other.exact(cell) == first.exact(cell)
            assert other.reveals(cell) == first.reveals(cell)
            assert other.opens_zero(cell) == first.opens_zero(cell)
            assert other.risk(cell) == float(other.probability[cell[0] - 1, cell[1] - 1])


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_views(lies=True))
def test_all_methods_refuse_the_same_views(view: View) -> None:
    fits = encode(view).solve().solution is not None
    for method in METHODS:
        if fits:
            assert infer(view, method, check=True).checked
        else:
            with pytest.raises(InfeasibleError, match="no field fits this view"):
                infer(view, method)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_views())
def test_the_model_states_the_sums_that_the_kernels_read(view: View) -> None:
    sums, found = state(view.grid), encoding(view)
    wide = view.columns + 2 * MARGIN
    numbers = {}
    for row, column in view.open:
        place = (row - 1 + MARGIN) * wide + column - 1 + MARGIN
        assert sums.kind[place] == OPEN
        seen = {(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if int(sums.mask[place]) >> (CENTRE + 8 * i + j) & 1}
        assert seen == set(view.covered_around((row, column)))
        assert sums.cells[place] == len(seen)
        numbers[row, column] = (seen, int(sums.asks[place]))
    assert set(found.numbers.values()) == set(numbers)
    for entry, number in found.numbers.items():
        seen, asked = numbers[number]
        for solution in ({cell: int(cell in chosen) for cell in view.covered} for chosen in (seen, set())):
            values = {found.mine[cell]: value for cell, value in solution.items()}
            assert bool(entry.constraint.value(values)) == (sum(solution[cell] for cell in seen) == asked)


@settings(deadline=None, max_examples=40, derandomize=True)
@given(small_views())
def test_solutions_are_decoded_to_fields_that_fit(view: View) -> None:
    model = encode(view)
    extra = model.bool_var("a rule of one's own")
    model.add(extra == 1)
    fields = {decode(view, solution) for solution in model.solutions()}
    assert len(fields) == infer(view).solutions
    assert all(view.fits(field) for field in fields)


@pytest.mark.parametrize("method", METHODS)
def test_a_reason_is_told_without_inferring_again(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from models.minesweeper import explanation

    answer = infer(View.from_text("-1-\n-1-\n---"), method)
    monkeypatch.setattr(explanation, "infer", None)
    assert str(answer.why((3, 1))) == "(1,2) shows 1 and (2,2) shows 1, so (3,1) is safe."
    with pytest.raises(ModelError, match="is open"):
        answer.why((1, 2))


def test_a_wrong_answer_does_not_pass_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = infer(View.from_text("1--\n---", mines=2))
    monkeypatch.setattr(DiagramInference, "exact", lambda self, cell: Fraction(1, 7))
    with pytest.raises(SolverError, match=r"two methods contradict each other on the risk of \(1, 2\)"):
        second_opinion(answer)


def test_a_view_too_large_for_a_check_says_so() -> None:
    answer = infer(View.from_text("-" * 60 + "\n" + "1" * 60 + "\n" + "-" * 60), check=True)
    assert answer.checked == ""
    assert answer.check.note == "too large for a check by python-constraint: 120 cells next to numbers, and at most 40 are listed"


@pytest.mark.parametrize("method", METHODS)
def test_a_time_limit_is_kept(method: str) -> None:
    with pytest.raises(TimeLimitError):
        infer(View.from_text("1--\n---", mines=2), method, time_limit=0)
    with pytest.raises(ModelError, match="time_limit"):
        infer(View.from_text("1--\n---", mines=2), method, time_limit=-1)


def test_a_method_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match="there is no method 'guess': choose one of 'diagram', 'cpsat', 'python-constraint'"):
        infer(View.from_text("1-"), "guess")

"""Explanations: they prove what they say, and need all they name."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from cpsolve import DiagramTooWide, InfeasibleError, ModelError, solvers
from models.minesweeper import Field, Game, View, explanation, infer, why
from tests.minesweeper.oracle import consistent_views, fitting


def values(view: View, cell: tuple[int, int]) -> set[bool]:
    """Whether a cell is a mine, over all fields that fit."""
    return {cell in field.mines for field in fitting(view)}


@settings(deadline=None, derandomize=True, max_examples=40)
@given(consistent_views(most_covered=8))
def test_a_proof_suffices_and_nothing_in_it_can_be_spared(view: View) -> None:
    for cell in view.covered[:4]:
        found = why(view, cell)
        if found.verdict == "undecided":
            free, mined = found.examples
            assert view.fits(free)
            assert cell not in free.mines
            assert view.fits(mined)
            assert cell in mined.mines
            assert values(view, cell) == {False, True}
            continue
        # open cells that the proof does not name are kept open, but as cells that say nothing: see `forgotten`
        assert forgotten(view, found.because, found.mines, cell) == {found.verdict == "mine"}
        for spared in found.because:
            others = tuple(number for number in found.because if number != spared)
            assert forgotten(view, others, found.mines, cell) == {False, True}
        if found.mines is not None:
            assert forgotten(view, found.because, None, cell) == {False, True}


@settings(deadline=None, derandomize=True, max_examples=60)
@given(consistent_views(most_covered=8))
def test_no_proof_is_shorter(view: View) -> None:
    numbers = [number for number in view.open if view.covered_around(number)]
    for cell in view.covered[:4]:
        found = why(view, cell)
        if found.verdict == "undecided":
            continue
        size = len(found.because) + (found.mines is not None)
        for mines in {None, view.mines}:
            for fewer in range(size - (mines is not None)):
                for chosen in combinations(numbers, fewer):
                    assert forgotten(view, chosen, mines, cell) == {False, True}


@settings(deadline=None, derandomize=True, max_examples=40)
@given(consistent_views(most_covered=8))
def test_proofs_are_the_same_without_pysat(view: View) -> None:
    cells = view.covered[:4]
    before = [why(view, cell) for cell in cells]
    installed = {name: declared for name, declared in solvers.backends().items() if name != "sat"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solvers, "backends", lambda: installed)
        after = [why(view, cell) for cell in cells]
    assert [(each.verdict, each.because, each.mines) for each in before] == [(each.verdict, each.because, each.mines) for each in after]


def test_two_numbers_further_away_are_better_than_three_close_by() -> None:
    view = View.from_text("1-\n1-\n2-\n1-\n1-")
    assert forgotten(view, ((2, 1), (3, 1), (4, 1)), None, (3, 2)) == {False}
    assert why(view, (3, 2)).because == ((1, 1), (2, 1))


def forgotten(view: View, numbers: tuple[tuple[int, int], ...], mines: int | None, cell: tuple[int, int]) -> set[bool]:
    """Whether a cell can be safe and can be a mine when only some numbers are known, and the open cells are still no mines."""
    cells = view.covered
    sums = [({cells.index(near) for near in view.covered_around(number)}, view.open[number]) for number in numbers]
    if mines is not None:
        sums.append((set(range(len(cells))), mines))
    return {
        bool(placement >> cells.index(cell) & 1)
        for placement in range(1 << len(cells))
        if all(sum(placement >> i & 1 for i in around) == value for around, value in sums)
    }


def test_two_ones_by_a_wall_prove_the_third_cell_safe() -> None:
    view = View.from_text("11-\n---")
    assert str(why(View.from_text("11-\n---"), (2, 3))) == "(1,1) shows 1 and (1,2) shows 1, so (2,3) is safe."
    assert why(view, (2, 3)).because == ((1, 1), (1, 2))


def test_one_number_is_reason_enough_for_its_only_neighbour() -> None:
    assert str(why(View.from_text("1-"), (1, 2))) == "(1,1) shows 1, so (1,2) is a mine."


def test_the_number_of_mines_is_named_when_it_is_needed() -> None:
    found = why(View.from_text("1----", mines=1), (1, 5))
    assert str(found) == "(1,1) shows 1 and there is 1 mine in all, so (1,5) is safe."
    assert (found.verdict, found.because, found.mines) == ("safe", ((1, 1),), 1)


def test_an_undecided_cell_has_an_example_each_way() -> None:
    found = why(View.from_text("1-\n--", mines=1), (1, 2))
    assert found.verdict == "undecided"
    assert [(1, 2) in field.mines for field in found.examples] == [False, True]
    assert str(found).startswith("(1,2) may be safe or a mine. Safe:\n")


def test_an_open_cell_needs_no_reason() -> None:
    with pytest.raises(ModelError, match="is open"):
        why(View.from_text("1-"), (1, 1))


def test_an_inconsistent_view_is_not_explained() -> None:
    with pytest.raises(InfeasibleError) as caught:
        why(View.from_text("1-0\n111"), (1, 2))
    assert caught.value.conflict


def test_a_view_too_wide_to_count_is_still_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(view: View) -> None:
        raise DiagramTooWide("too wide", 10, 5)

    monkeypatch.setattr(explanation, "infer", refuse)
    assert why(View.from_text("11-\n---"), (2, 3)).because == ((1, 1), (1, 2))
    assert why(View.from_text("1-"), (1, 2)).verdict == "mine"
    assert why(View.from_text("1-\n--"), (1, 2)).verdict == "undecided"
    with pytest.raises(InfeasibleError):
        why(View.from_text("1-0"), (1, 2))


def test_proofs_on_a_board_in_play_are_short() -> None:
    game = Game(Field.random(16, 30, 99, seed=2), first_click="opening", seed=2)
    game.open((8, 15))
    answer = infer(game.view)
    for cell in sorted(answer.safe | answer.mines)[:6]:
        found = why(game.view, cell)
        assert found.verdict == ("safe" if cell in answer.safe else "mine")
        assert 1 <= len(found.because) <= 6

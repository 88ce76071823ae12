"""Exact scores: against plain minimax on small boards, and against the known truths of the real one."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

from cpsolve.errors import ModelError, SolverError, TimeLimitError
from cpsolve.progress import Progress
from cpsolve.puzzles.games import alpha_beta, confirmed
from models.four_in_a_line import Position, choose_move, engine, score, score_many, solve, solve_many
from models.four_in_a_line.engine import plies_left
from tests.four_in_a_line import slow_rules

SHAPES = ((3, 3, 3), (4, 4, 3), (3, 4, 4), (4, 4, 4), (2, 6, 3), (5, 2, 4), (1, 6, 3), (4, 3, 2), (3, 5, 5), (5, 3, 5))


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Positions of small boards of many shapes, with at most seven free cells, over or not."""
    position = Position(*draw(st.sampled_from(SHAPES)))
    while not position.is_over and (position.size - position.ply > 7 or draw(st.integers(0, 5))):
        position = position.play(draw(st.sampled_from(position.legal_columns)))
    return position


@settings(deadline=None, max_examples=100, derandomize=True)
@given(small_positions())
def test_scores_are_those_of_plain_minimax(position: Position) -> None:
    verdict = solve(position)
    assert verdict.score == score(position) == slow_rules.score(position)
    if not position.is_over:
        assert dict(verdict.scores) == {c: -slow_rules.score(position.play(c)) for c in slow_rules.legal_columns(position)}
        assert verdict.best == tuple(c for c, value in verdict.scores.items() if value == verdict.score)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(small_positions())
def test_the_line_of_best_play_ends_when_and_as_the_verdict_says(position: Position) -> None:
    verdict = solve(position)
    end = position
    for column in verdict.line:
        end = end.play(column)
    assert end.is_over
    assert end.winner == verdict.winner
    assert len(verdict.line) == verdict.plies


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_positions())
def test_the_generic_search_agrees_on_who_wins_and_when(position: Position) -> None:
    verdict, outlook = solve(position), alpha_beta(position)
    assert outlook.proven
    assert (verdict.score > 0) - (verdict.score < 0) == (outlook.value > 0) - (outlook.value < 0)
    if verdict.winner is not None:
        assert verdict.plies == outlook.plies


@pytest.mark.parametrize("shape", [(4, 4, 3), (4, 5, 4), (5, 4, 4), (6, 3, 3), (3, 6, 4), (6, 7, 4)])
def test_a_player_who_follows_gets_what_the_rule_promises(shape: tuple[int, int, int]) -> None:
    from models.four_in_a_line import kernels
    from models.four_in_a_line.searcher import Searcher, plain_kernel

    kernel, words = plain_kernel(), [int(word) for word in Searcher(*shape, False, 1 << 20).words]
    cells, bottom, pairing, lane = (words[place] for place in (kernels.CELLS, kernels.BOTTOM, kernels.PAIRING, kernels.LANE))
    chance = random.Random(3)
    promises = 0
    for _ in range(120):
        position = Position(*shape)
        while not position.is_over and position.size - position.ply > 7:
            position = position.play(chance.choice(position.legal_columns))
        if position.is_over:
            continue
        own, mask = position.sides
        danger = kernel.threats(own ^ mask, cells ^ mask, *shape)
        promised = [
            limit
            for limit in range(-5, 5)
            if kernel.follower_gets(own, mask, danger, limit, cells, bottom, pairing, lane, *shape)  # more than this
        ]
        if promised:
            assert -slow_rules.score(position) > max(promised), position
            promises += max(promised) >= -1
    assert promises > 0


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_positions())
def test_a_search_that_pauses_all_the_time_finds_the_same_scores(position: Position) -> None:
    from models.four_in_a_line import kernels
    from models.four_in_a_line.searcher import Searcher

    if position.is_over:
        return
    patient = Searcher(position.rows, position.columns, position.connect, long=False, memory=1 << 20)
    patient.settings[kernels.BUDGET] = 1
    assert patient.run([position])[0] == [score(position)]


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_positions(), st.integers(0, 14))
def test_mirror_images_and_looking_ahead_in_the_table_change_no_score(position: Position, until: int) -> None:
    from models.four_in_a_line import kernels
    from models.four_in_a_line.searcher import Searcher

    if position.is_over:
        return
    searcher = Searcher(position.rows, position.columns, position.connect, long=False, memory=1 << 20)
    searcher.settings[kernels.LATE_FROM] = until
    searcher.settings[kernels.MIRROR_UNTIL] = until
    searcher.settings[kernels.PEEK_UNTIL] = until - 1
    for _ in range(2):  # the second time with what the first has left in the tables
        assert searcher.run([position])[0] == [score(position)]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((4, 4, 4), 0), ((4, 5, 4), 0), ((5, 4, 4), 0), ((4, 4, 3), 4), ((5, 5, 4), 0), ((4, 6, 4), -1), ((6, 4, 4), 0), ((2, 2, 2), 1)],
)
def test_small_empty_boards_have_their_known_scores(shape: tuple[int, int, int], expected: int) -> None:
    assert score(Position(*shape)) == expected


# Scored by BitBully 0.0.79 without an opening book.
REAL = {
    "44444326213163": {1: 3, 2: -4, 3: 1, 4: 3, 5: 0, 6: 0, 7: 0},
    "4444432621316": {1: -3, 2: -3, 3: -3, 4: -12, 5: -12, 6: -12, 7: -12},
    "444555544221": {1: 0, 2: 2, 3: 2, 4: 3, 5: 2, 6: 2, 7: 2},
}


@pytest.mark.parametrize("moves", REAL)
def test_real_positions_have_the_scores_that_another_solver_found(moves: str) -> None:
    assert dict(solve(Position.from_moves(moves)).scores) == REAL[moves]


def test_many_positions_at_once_get_the_scores_of_each() -> None:
    positions = [Position.from_moves(moves) for moves in (*REAL, "1212121", "44444326213163")]
    assert score_many(positions) == [score(position) for position in positions]
    assert [verdict.scores for verdict in solve_many(positions)] == [solve(position).scores for position in positions]
    assert solve_many([]) == []
    assert score_many([]) == []


def test_a_finished_game_has_nothing_left_to_solve() -> None:
    verdict = solve(Position.from_moves("1212121"))
    assert (verdict.score, verdict.winner, verdict.plies, verdict.best, dict(verdict.scores), verdict.line) == (-18, "a", 0, (), {}, ())


def test_a_score_tells_the_plies_to_the_end() -> None:
    empty = Position()
    assert plies_left(empty, 1) == 41
    assert plies_left(empty.play(4), -1) == 40
    assert plies_left(empty, 0) == 42
    assert plies_left(Position.from_moves("121212"), 18) == 1


def test_verdicts_can_be_kept_and_compared() -> None:
    verdict = solve(Position.from_moves("44444326213163"))
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert str(verdict) == "a wins in 23 plies (score +3); best: 1, 4"


def test_a_time_limit_ends_a_long_search_with_what_is_known_so_far() -> None:
    with pytest.raises(TimeLimitError, match="score between"):
        score(Position(6, 6, 4), time_limit=0)


def test_searches_in_several_threads_share_a_table_and_find_the_same_scores() -> None:
    from models.four_in_a_line import kernels

    positions = [Position.from_moves(moves) for moves in REAL] + [Position.from_moves(moves[:-1]) for moves in REAL]
    expected = [score(position) for position in positions]
    engine.forget()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(score, positions)) == expected
    if isinstance(kernels.score_all, Dispatcher):
        assert kernels.score_all.targetoptions["nogil"]


def test_two_searches_are_under_way_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from models.four_in_a_line import searcher

    together = threading.Barrier(2, timeout=60)  # broken, and an error, if one search waits for the other to end
    waited = threading.local()

    def update(self: Progress, text: str) -> None:
        if not getattr(waited, "once", False):
            waited.once = True
            together.wait()

    monkeypatch.setattr(Progress, "update", update)
    monkeypatch.setattr(searcher, "SLICE", 1_000)
    monkeypatch.setattr(engine, "_searchers", {})
    moves = ("44444326213163", "444555544221")
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(engine.search, Position.from_moves(each)) for each in moves]
        assert [each.result() for each in found] == [3, 3]


def test_tables_keep_within_the_memory_limit_and_scores_do_not_change() -> None:
    limit = 1 << 20
    engine.limit_memory(limit)
    try:
        for shape in ((4, 4, 4), (5, 4, 4), (6, 4, 4), (6, 7, 4)):
            position = Position(*shape)
            moves = "44444326213163" if position.columns == 7 else "1"
            assert score(Position.from_moves(moves, *shape)) == {16: 0, 20: 0, 24: 0, 42: 3}[position.size]
            assert sum(searcher.bytes for searcher in engine._searchers.values()) <= limit
    finally:
        engine.limit_memory(engine.MEMORY)
    with pytest.raises(ModelError, match="memory limit"):
        engine.limit_memory(0)


def test_boards_of_different_shapes_are_not_solved_together() -> None:
    with pytest.raises(ModelError, match="same rows"):
        score_many([Position(4, 4, 4), Position(4, 5, 4)])


@pytest.mark.parametrize("connect", [4, 5, 9])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_beyond_64_bits_is_solved_by_the_same_source_as_plain_python(connect: int, seed: int) -> None:
    chance = random.Random(seed)
    # the last free cells of a 9 × 8 board on which nobody has a line yet, by trial
    position = Position(9, 8, connect)
    while position.size - position.ply > 6:
        quiet = [column for column in position.legal_columns if position.play(column).winner is None]
        position = position.play(chance.choice(quiet)) if quiet else Position(9, 8, connect)
    assert score(position) == slow_rules.score(position)
    assert not engine._searcher(9, 8, connect, False).compiled


def test_a_board_beyond_any_search_is_refused() -> None:
    with pytest.raises(ModelError, match="beyond any search"):
        score(Position(12, 11, 4))


def test_without_numba_the_same_source_finds_the_same_scores() -> None:
    program = (
        "from models.four_in_a_line import Position, solve, engine\n"
        "print(solve(Position.from_moves('44444326213163525526')).score, solve(Position(4, 4, 3)).score,"
        " engine._searcher(4, 4, 3, False).compiled)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    )
    expected = solve(Position.from_moves("44444326213163525526")).score, solve(Position(4, 4, 3)).score
    assert done.stdout.split() == [str(expected[0]), str(expected[1]), "False"]


def test_importing_the_game_does_not_load_the_compiler() -> None:
    program = "import sys, models.four_in_a_line; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@settings(deadline=None, max_examples=60, derandomize=True)
@given(small_positions())
def test_alpha_beta_confirms_the_scores_of_small_boards(position: Position) -> None:
    verdict = solve(position, check=True)
    assert verdict.checked == ("" if position.is_over else "alpha-beta")
    assert verdict == solve(position)


def test_a_wrong_score_does_not_pass_a_check() -> None:
    position = Position.from_moves("123412341234", rows=4, columns=4)
    verdict = solve(position)
    column, worth = next(iter(verdict.scores.items()))
    wrong = replace(verdict, scores={**verdict.scores, column: worth - 1})
    with pytest.raises(SolverError, match="two searches contradict each other"):
        confirmed(wrong, score=partial(engine.score_of, position))
    with pytest.raises(SolverError, match="two searches contradict each other"):
        confirmed(replace(verdict, plies=verdict.plies + 1))


def test_a_board_too_large_for_a_check_says_so() -> None:
    verdict = solve(Position.from_moves("44444326213163"), time_limit=60)
    found = confirmed(verdict, seconds=0.01)
    assert found.checked == ""
    assert found.check.note == "too large for a check by alpha-beta: it did not end within 0.01 s"


@pytest.mark.parametrize("level", range(1, 11))
def test_a_seed_fixes_what_a_level_leaves_to_chance(level: int) -> None:
    position = Position.from_moves("44444326213163")
    chosen = [choose_move(position, level, seed) for seed in range(8)]
    assert chosen == [choose_move(position, level, seed) for seed in range(8)]
    assert set(chosen) <= set(solve(position).best if level == 10 else position.legal_columns)
    assert 3 < level < 10 or len(set(chosen)) > 1

"""Perfect play: the solved boards, and agreement with plain search on small and crowded positions."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpsolve.errors import TimeLimitError
from cpsolve.puzzles.games import alpha_beta
from models.center import Position, outcomes, solve
from models.center.engine import PLAYERS, Proofs, may_ever_win, state_of
from models.center.rules import opponent
from tests.center import slow_rules
from tests.center.examples import (
    DRAWN_HEXAGON,
    GOLDEN,
    PASSING,
    arbitrary_position,
    boards,
    contested_position,
    random_position,
    seeds,
    small_boards,
)
from tests.center.plain_search import wins_by_force

checked = settings(deadline=None, max_examples=40, derandomize=True)
DEEPEST = {2: 6, 3: 6, 4: 4, 5: 5, 7: 4}
"""How many stones trying everything can look ahead on a board, by its side."""


@pytest.mark.parametrize("line", (GOLDEN / "solved.txt").read_text().splitlines())
def test_the_solved_boards_are_worth_what_is_known(line: str) -> None:
    shape, size = line.split(":")[0].split()
    start = Position(int(size), shape)
    verdict = solve(start)
    described = f"{verdict.winner} in {verdict.plies}, {len(verdict.best)} of {len(start.legal_moves())} first moves are best"
    assert line == f"{shape} {size}: {described}"
    if (shape, size) == ("square", "7"):
        assert set(verdict.best) == {(3, 1), (5, 1), (1, 3), (7, 3), (1, 5), (7, 5), (3, 7), (5, 7)}


@pytest.mark.parametrize(("first", "winner", "plies"), [((3, 1), "x", 11), ((4, 1), "x", 13)])
def test_first_moves_on_7x7_win_in_11_or_in_13(first: tuple[int, int], winner: str, plies: int) -> None:
    assert Proofs(Position(size=7).play(first)).decide() == (winner, plies - 1)


@checked
@given(small_boards, seeds)
def test_winner_plies_and_best_moves_are_those_of_plain_search(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = arbitrary_position(size, shape, 0.6 + (seed % 4) / 10, seed)
    assume(0 < position.stones.count(" ") <= 7 and not position.is_over)
    outlook = alpha_beta(position)
    verdict = solve(position)
    expected = None if outlook.value == 0 else position.to_move if outlook.value > 0 else "xo".replace(position.to_move, "")
    assert verdict.winner == expected
    if expected is not None:
        assert verdict.plies == outlook.plies
    values = {}
    for move in position.legal_moves():
        child = position.play(move)
        found = alpha_beta(child)
        same = child.to_move == position.to_move
        values[move] = found.value if same else -found.value
    worth = max(values.values())
    assert set(verdict.best) == {move for move, value in values.items() if value == worth}


@cache
def wins_plainly(position: Position, attacker: str, stones: int) -> bool:
    """Whether a player can force a win within a number of stones: no pruning, no facts of the game, only the rules."""
    if position.is_over or stones == 0:
        return position.winner == attacker
    following = (wins_plainly(position.play(move), attacker, stones - 1) for move in position.legal_moves())
    return any(following) if position.to_move == attacker else all(following)


@pytest.mark.parametrize(
    ("stones", "to_move", "winner", "plies"),
    [
        ("ooxooooxxxxxxoooxoooooxxxooxx   ooxoxxxooooxxxxoooxoxxoxxoxoo", "o", "o", 2),
        ("oxoxoxoooxoxoooxxxx x  oxooxox oxoxxxxoxoxooxxxxooxxoxxooooox", "o", "o", 4),
        ("xxxoooxoxxxxooooooxooxoxooooxo  xoooooxoooooxxxxoooooxoxooxox", "o", "o", 2),
        ("xxxoxoxxoxooox xxooxxx oxxxxoo ooxxxoxoxoxxxoxxxxxooooxxxoxoo", "x", None, 2),
    ],
)
def test_whoever_makes_the_other_pass_has_a_stone_more(stones: str, to_move: str, winner: str | None, plies: int) -> None:
    position = Position(5, "hex", stones=stones, to_move=to_move)
    verdict = solve(position, check=True)
    assert (verdict.winner, verdict.plies, verdict.checked) == (winner, plies, "alpha-beta")


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.sampled_from([("hex", 5), ("hex", 6), ("square", 11)]), seeds)
def test_on_a_large_board_with_a_full_edge_forced_wins_are_those_of_trying_everything(board: tuple[str, int], seed: int) -> None:
    position = contested_position(board[1], board[0], seed)
    empty = position.stones.count(" ")
    assume(empty <= 8 and not position.is_over)
    proofs = Proofs(position, table_bits=10)
    for attacker in "xo":
        for within in range(1, empty + 1):
            assert proofs.wins(attacker, within) == wins_plainly(position, attacker, within)


@checked
@given(small_boards, seeds)
def test_forced_wins_are_found_exactly_where_trying_everything_finds_them(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    stones = 3 if size == 5 else 4
    position = random_position(size, shape, 2 + seed % 7, seed)
    assume(not position.is_over)
    proofs = Proofs(position, table_bits=10)
    for attacker in "xo":
        for within in range(1, stones + 1):
            assert proofs.wins(attacker, within) == wins_plainly(position, attacker, within)


@checked
@given(boards, seeds)
def test_forced_wins_are_those_of_a_search_that_tries_everything(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = random_position(size, shape, 2 + seed % (size * size), seed)
    assume(not position.is_over)
    proofs = Proofs(position, table_bits=10)
    for attacker in "xo":
        for within in range(1, DEEPEST[size] + 1):
            assert proofs.wins(attacker, within) == wins_by_force(position, attacker, within)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(boards, seeds)
def test_what_a_player_adds_outside_the_zone_of_an_answer_does_not_change_it(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = random_position(size, shape, 2 + seed % (size * size // 2), seed)
    assume(not position.is_over)
    proofs, chance = Proofs(position, table_bits=10), random.Random(seed)
    for attacker in "xo":
        for within in range(1, DEEPEST[size] + 1):
            wins = proofs.wins(attacker, within)
            adding = opponent(attacker) if wins else attacker
            outside = [cell for cell in cells_outside(proofs) if cell != position.centre and position.stone(cell) == " "]
            added = add(position, adding, chance.sample(outside, chance.randint(0, len(outside))), within)
            assert wins_by_force(added, attacker, within) == wins


def cells_outside(proofs: Proofs) -> list[tuple[int, int]]:
    """The cells that are not in the zone of the last answer."""
    zone = sum(int(word) << 64 * place for place, word in enumerate(proofs.state.zone[0]))
    return [cell for cell, number in proofs.position.board.index.items() if not zone >> number & 1]


def add(position: Position, player: str, cells: list[tuple[int, int]], stones: int) -> Position:
    """The position with more stones of a player, but for those that would leave less free perimeter cells than stones to place."""
    spare = sum(position.distance(cell) == 0 and position.stone(cell) == " " for cell in position.board.cells) - stones
    board = list(position.stones)
    for cell in cells:
        if position.distance(cell) == 0:
            if spare <= 0:
                continue
            spare -= 1
        board[position.board.index[cell]] = player
    return Position(position.size, position.shape, stones="".join(board), to_move=position.to_move)


def test_the_zone_of_a_position_in_the_table_is_turned_with_it() -> None:
    position = random_position(7, "square", 9, seed=4)
    found = Proofs(position)
    assert not found.wins("x", 8)
    outside = {position.board.index[cell] for cell in cells_outside(found)}
    assert outside
    for image in position.board.symmetries:
        stones = [" "] * len(image)
        for number, stone in enumerate(position.stones):
            stones[image[number]] = stone
        turned = Proofs(Position(7, stones="".join(stones), to_move=position.to_move), table_bits=1)
        turned.state = turned.state._replace(keys=found.state.keys, known=found.state.known, kept=found.state.kept)
        assert not turned.wins("x", 8)
        assert turned.nodes == 1
        assert {position.board.index[cell] for cell in cells_outside(turned)} == {image[number] for number in outside}


@checked
@given(boards, seeds)
def test_the_arrays_keep_the_sight_of_the_rules(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    position = random_position(size, shape, seed % 30, seed)
    state = state_of(position, table_bits=1)
    before = [array.copy() for array in state]
    rows = position.rows()
    for cell, number in position.board.index.items():
        if position.stone(cell) == " ":
            for player in "xo":
                assert state.sight[PLAYERS[player], number] == slow_rules.friends_in_sight(rows, player, cell)
            state.put(number, seed % 2)
            state.lift(number, seed % 2)
    assert all((array == old).all() for array, old in zip(state, before, strict=True))


def test_symmetric_positions_are_one_to_the_search() -> None:
    position = random_position(7, "square", 9, seed=4)
    keys = set()
    for image in position.board.symmetries:
        stones = [" "] * len(image)
        for number, stone in enumerate(position.stones):
            stones[image[number]] = stone
        keys.add(state_of(Position(7, stones="".join(stones), to_move=position.to_move), table_bits=1).key(0, 0))
    assert len(keys) == 1


def test_every_first_move_on_5x5_wins_in_seven() -> None:
    assert outcomes(Position(size=5)) == dict.fromkeys(Position(size=5).legal_moves(), ("x", 7))


def test_a_late_position_has_an_outcome_for_every_move() -> None:
    position = random_position(5, "square", 8, seed=11)
    found = outcomes(position)
    verdict = solve(position)
    assert set(found) == set(position.legal_moves())
    assert {move for move, outcome in found.items() if outcome == (verdict.winner, verdict.plies)} == set(verdict.best)


# -- passes, draws, swaps, limits


def test_a_pass_gives_the_other_player_two_moves_in_a_row() -> None:
    verdict = solve(Position.from_rows(PASSING, to_move="x"))
    assert (verdict.winner, verdict.plies, verdict.best) == ("o", 1, ((3, 3),))


def test_a_finished_game_has_nothing_to_solve() -> None:
    assert solve(Position.from_rows(DRAWN_HEXAGON, to_move="x")).winner is None
    assert solve(Position.from_rows(["x..", ".x.", "o.."])).plies == 0


def test_a_draw_is_proven() -> None:
    open_cells = [row.replace(".", "·") for row in DRAWN_HEXAGON]
    rows = ["." + open_cells[0][1:], "." + open_cells[1][1:], *(row.replace("·", ".") for row in open_cells[2:])]
    position = Position.from_rows(rows, to_move="x")
    verdict = solve(position)
    assert verdict.winner is None
    assert verdict.plies == len(verdict.line) == 2
    assert set(verdict.best) == set(position.legal_moves())


def test_from_side_19_on_neither_player_has_hope() -> None:
    assert not may_ever_win(Position(size=19), "x")
    assert may_ever_win(Position(size=17), "o")


@pytest.mark.parametrize(("size", "plies"), [(3, 4), (5, 8)])
def test_with_the_swap_rule_the_second_player_takes_over_the_winning_stone(size: int, plies: int) -> None:
    verdict = solve(Position(size=size, swap=True))
    assert (verdict.winner, verdict.plies, verdict.line[1]) == ("o", plies, "swap")
    assert len(verdict.best) == 4 * (size - 1)


def test_a_time_limit_tells_what_was_refuted() -> None:
    with pytest.raises(TimeLimitError, match=r"x cannot force a win within \d+ plies, nor o within \d+"):
        solve(Position(size=9), time_limit=0)


def test_a_drawn_game_on_a_large_board_is_played_to_its_end_within_the_time_limit_or_not_at_all() -> None:
    with pytest.raises(TimeLimitError, match="finding a game of best play"):
        solve(Position(size=31), time_limit=0)


@pytest.mark.parametrize("position", [Position(19), Position(10, shape="hex"), Position(19, swap=True)], ids=str)
def test_what_every_move_leads_to_is_not_told_when_there_is_no_time_even_where_nobody_can_win(position: Position) -> None:
    with pytest.raises(TimeLimitError, match="finding what every move leads to"):
        outcomes(position, time_limit=0)


def test_the_same_source_solves_uncompiled() -> None:
    program = (
        "from models.center import Position, certify, check, choose_move, solve; start = Position(size=5); v = solve(start); "
        "print(v.winner, v.plies, len(v.best), check(certify(start).to_text()).plies, choose_move(Position(size=3), 10, seed=1) != (2, 2))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["x", "7", "16", "7", "True"]


@pytest.mark.parametrize("shape", ["square", "hex"])
@pytest.mark.parametrize("seed", range(10))
def test_alpha_beta_confirms_the_verdicts_of_small_boards(shape: str, seed: int) -> None:
    position = random_position(3 if shape == "square" else 2, shape, seed % 4, seed)
    verdict = solve(position, check=True)
    assert verdict.checked == ("" if position.is_over else "alpha-beta")

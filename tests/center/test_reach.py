"""Orders of stones and cooperative wins, held against searching everything on small boards."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsolve import ModelError, Status
from cpsolve.puzzles.games import playout
from cpsolve.puzzles.plans import Move, Plan
from models.center import Placement, Position, cooperative_win, decode, encode, reach
from models.center.reach import Arrangement, placement
from tests.center.examples import FINAL, INTERMEDIATE, boards, seeds

checked = settings(deadline=None, max_examples=25, derandomize=True)


def reachable(start: Position) -> set[str]:
    """The stones of every position that a game can come to."""
    layer, found = {start}, {start.stones}
    while layer:
        layer = {position.play(move) for position in layer for move in position.legal_moves()}
        found |= {position.stones for position in layer}
    return found


EVERYTHING = {("square", 3): reachable(Position(size=3)), ("hex", 2): reachable(Position(shape="hex", size=2))}


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.sampled_from(sorted(EVERYTHING)), st.data())
def test_on_small_boards_an_order_is_found_exactly_for_what_games_come_to(board: tuple[str, int], data: st.DataObject) -> None:
    shape, size = board
    empty = Position(size, shape)
    stones = "".join(data.draw(st.lists(st.sampled_from("xo "), min_size=len(empty.stones), max_size=len(empty.stones))))
    rows = Position(size, shape, stones=stones).rows()
    plan = reach(rows)
    assert (plan.status is Status.OPTIMAL) == (stones in EVERYTHING[board])
    assert bool(plan.reason) == (plan.status is Status.INFEASIBLE)


@checked
@given(boards, seeds)
def test_every_position_of_a_random_game_is_reached(board: tuple[str, int], seed: int) -> None:
    shape, size = board
    game = list(playout(Position(size, shape), seed))
    target = random.Random(seed).choice(game)
    plan = reach(target.rows())
    assert plan.optimal
    assert plan.states[-1].stones == target.stones
    assert all(isinstance(move, Placement) for move in plan.moves)
    assert [state.stone(move.cell) for state, move in zip(plan.states[1:], plan.moves, strict=True) if isinstance(move, Placement)] == [
        "xo"[turn % 2] for turn in range(len(plan.moves))
    ]


def test_the_seeds_boards_are_reached() -> None:
    assert reach(INTERMEDIATE).cost == 4
    plan = reach(FINAL)
    assert plan.cost == 9
    assert str(plan.moves[-1]) == "x (3, 3)"


def test_an_empty_board_needs_no_move() -> None:
    assert reach([[" "] * 3] * 3).moves == ()


def crowded_game(size: int, shape: str, seed: int) -> list[Position]:
    """A game in which x keeps to the edge and o builds inside, so that x runs out of moves first; both leave the centre alone."""
    chance = random.Random(seed)
    game = [Position(size, shape)]
    while not (position := game[-1]).is_over:
        moves = [move for move in position.legal_moves() if move != position.centre] or list(position.legal_moves())
        inner = [move for move in moves if move != "swap" and position.distance(move) > 0]
        edge = [move for move in moves if move not in inner]
        game.append(position.play(chance.choice((edge or inner) if position.to_move == "x" else (inner or edge))))
    return game


@pytest.mark.parametrize(("size", "shape"), [(5, "square"), (3, "hex")])
def test_a_board_to_which_x_had_to_pass_is_reached_with_more_turns_than_stones(size: int, shape: str) -> None:
    game = crowded_game(size, shape, seed=0)
    assert any(before.to_move == after.to_move for before, after in pairwise(game) if not after.is_over)
    plan = reach(game[-1].rows())
    assert plan.optimal
    assert plan.stats["horizon"] == len(plan.moves) + 1 == len(game)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["xx.", "...", "..."], "wrong balance: x has 2 stones and o has 0"),
        (["x..", ".o.", "..o"], "wrong balance: x has 1 stones and o has 2"),
        (
            ["xo.", ".x.", ".o."],
            "x stands on the centre, which ends the game, but by the number of stones (2 of x, 2 of o) o has moved last",
        ),
        (
            [".....", ".x...", ".....", ".....", "....o"],
            "x on (2, 2) needs 1 friend in sight, but there are stones of x in 0 directions only",
        ),
        ([".....", ".xx..", ".....", ".....", "o...o"], "x on (2, 2) and x on (3, 2) could not be placed in any order"),
        (["...x.", "...o.", "...x.", "...ox", "..o.."], "no order of the stones gives o on (4, 2) enough friends in sight"),
    ],
)
def test_why_a_board_cannot_come_up_is_told(rows: list[str], words: str) -> None:
    plan = reach(rows)
    assert plan.status is Status.INFEASIBLE
    assert words in plan.reason


def test_when_there_is_no_time_to_look_at_all_stones_of_a_large_board_it_is_unknown() -> None:
    stones = "".join("x" if distance < 3 else " " for distance in Position(99).board.distances)
    plan = reach(Position(99, stones=stones), time_limit=0)
    assert plan.status is Status.UNKNOWN
    assert plan.reason == "the time limit of 0 s passed before all stones were looked at"


def test_a_limit_is_unknown_not_impossible() -> None:
    rows = list(playout(Position(size=9), seed=3))[-1].rows()
    assert reach(rows, time_limit=0).status is Status.UNKNOWN
    assert cooperative_win(9, time_limit=0).status is Status.UNKNOWN


# -- cooperative wins


def fewest(start: Position) -> int:
    """The length of the shortest game that x wins, by breadth-first search."""
    layer, plies = {start}, 0
    while not any(position.winner == "x" for position in layer):
        layer, plies = {position.play(move) for position in layer for move in position.legal_moves()}, plies + 1
    return plies


@pytest.mark.parametrize(("size", "shape"), [(1, "square"), (3, "square"), (2, "hex")])
def test_the_shortest_cooperative_win_is_that_of_breadth_first_search(size: int, shape: str) -> None:
    plan = cooperative_win(size, shape)
    assert plan.optimal
    assert plan.cost == fewest(Position(size, shape))


@pytest.mark.parametrize("size", [1, 3, 5, 7, 9])
def test_x_needs_one_stone_more_than_half_the_side_and_o_one_less(size: int) -> None:
    plan = cooperative_win(size)
    assert plan.cost == size
    assert plan.states[-1].count("x") == size // 2 + 1


def test_from_side_19_on_nobody_can_ever_win() -> None:
    assert cooperative_win(19).status is Status.INFEASIBLE
    assert "needs 9 friends in sight, but there are only 8 directions" in cooperative_win(19).reason
    assert cooperative_win(8, "hex").status is Status.INFEASIBLE


def test_a_position_is_reached_like_its_rows() -> None:
    position = Position.from_rows(["xoo..", ".x...", ".....", ".....", "....."])
    assert reach(position).moves == reach(position.rows()).moves


def test_the_solutions_of_the_model_are_the_games_that_lead_there() -> None:
    rows = ["xox", "o..", "..."]
    games = [decode(rows, solution) for solution in encode(rows).solutions()]
    assert len({game.moves for game in games if isinstance(game, Plan)}) == len(games) == 4
    assert all(isinstance(game, Plan) and game.states[-1].rows() == Position.from_rows(rows).rows() for game in games)


def test_the_model_of_legality_has_the_legal_moves_as_solutions() -> None:
    position = Position.from_rows(["x.o", "...", "..."])
    assert {decode(position, solution) for solution in encode(position, "legality").solutions()} == set(position.legal_moves())


def test_forms_that_there_are_not_are_refused() -> None:
    for options, said in (({"form": "horizon"}, "unknown form"), ({"form": "legality", "turns": 3}, "has no turns")):
        with pytest.raises(ModelError, match=said):
            encode(["x..", "...", "..."], **options)


def test_checks_name_who_agreed_on_small_boards() -> None:
    assert reach(["xox", "o..", "..."], check=True).checked
    assert cooperative_win(3, check=True).checked
    assert "not checked" in reach(["xx.", "...", "..."], check=True).check.note


@checked
@given(seed=seeds)
def test_a_placement_leads_where_the_list_of_all_placements_says(seed: int) -> None:
    puzzle = Arrangement(Position(5))
    for state in playout(puzzle.empty, seed):
        listed = dict(puzzle.moves(state))
        every = [placement(player, cell) for player in "xo" for cell in state.board.cells]
        assert {move: after for move in every if (after := puzzle.after(state, move)) is not None} == listed
    assert puzzle.after(puzzle.empty, Move("x (1, 1)")) is None

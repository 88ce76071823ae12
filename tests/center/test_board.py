"""The board: distances, lines of sight and symmetries."""

from __future__ import annotations

import pytest

from cpsolve.errors import ModelError
from models.center.board import Board, board
from tests.center.slow_rules import distance_from_perimeter

BOARDS = [("square", size) for size in (1, 3, 5, 9)] + [("hex", size) for size in (1, 2, 3, 5)]


@pytest.mark.parametrize(("shape", "size"), [pair for pair in BOARDS if pair != ("hex", 1)])
def test_the_distance_is_the_shortest_way_to_the_perimeter(shape: str, size: int) -> None:
    area = board(shape, size)
    rows = [[" "] * length for length in area.row_lengths]
    assert all(area.distance(cell) == distance_from_perimeter(rows, cell) for cell in area.cells)


@pytest.mark.parametrize(("shape", "size"), [pair for pair in BOARDS if pair[1] > 1])
def test_the_distance_is_the_length_of_the_shortest_line_of_sight(shape: str, size: int) -> None:
    area = board(shape, size)
    shortest = [min(len(ray) for ray in area.rays[number].values()) for number in range(len(area.cells))]
    assert list(area.distances) == shortest


def test_lines_of_sight_are_kept_of_those_cells_only_from_which_somebody_looked() -> None:
    area = Board("square", 99)
    assert area.ray_numbers[area.index[area.centre]][0][0] == area.index[50, 49]
    assert len(area.ray_numbers) == 1
    assert not area.rays


def test_a_hexagon_of_side_n_has_3n_squared_minus_3n_plus_1_cells() -> None:
    assert [len(board("hex", n).cells) for n in range(1, 8)] == [3 * n * n - 3 * n + 1 for n in range(1, 8)]


@pytest.mark.parametrize(("shape", "size"), BOARDS)
def test_the_centre_is_the_only_cell_that_every_symmetry_keeps(shape: str, size: int) -> None:
    area = board(shape, size)
    kept = [cell for number, cell in enumerate(area.cells) if all(image[number] == number for image in area.symmetries)]
    assert kept == [area.centre]


@pytest.mark.parametrize(("shape", "size"), BOARDS)
def test_symmetries_keep_distances_and_lines_of_sight(shape: str, size: int) -> None:
    area = board(shape, size)
    for image in area.symmetries:
        for number in range(len(area.cells)):
            assert area.distances[number] == area.distances[image[number]]
            moved = {tuple(image[other] for other in ray) for ray in area.ray_numbers[number]}
            assert moved == set(area.ray_numbers[image[number]])


@pytest.mark.parametrize(
    ("shape", "size", "words"),
    [("square", 4, "give an odd side, 3 or 5"), ("square", 0, "1 or more"), ("round", 5, "'square' or 'hex'"), ("hex", -1, "1 or more")],
)
def test_a_board_that_cannot_be_says_why(shape: str, size: int, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        board(shape, size)

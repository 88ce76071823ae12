"""Mazes of food: layouts are read back, and every method finds routes of the same length."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from cpsolve.app.command import app
from cpsolve.errors import FormatError, ModelError
from cpsolve.puzzles.plans import Cell, replay
from models import pacman
from models.pacman import Maze
from models.pacman.generate import new_maze
from models.pacman.maze import ways_from

SMALL = """\
%%%%%%%%%
%...%..G%
%.%.%.%.%
%o.P....%
%.%%%.%.%
%...%...%
%%%%%%%%%
"""


@st.composite
def mazes(draw: st.DrawFn, side: int = 5, dense: bool = True) -> Maze:
    width, height = draw(st.integers(1, side)), draw(st.integers(1, side))
    signs = st.sampled_from("....% " if dense else ".%    ")
    rows = [[draw(signs) for _ in range(width)] for _ in range(height)]
    rows[draw(st.integers(0, height - 1))][draw(st.integers(0, width - 1))] = "P"
    return Maze.from_layout("\n".join("".join(row) for row in rows))


@settings(deadline=None, max_examples=100, derandomize=True)
@given(mazes())
def test_a_layout_is_read_back(maze: Maze) -> None:
    assert Maze.from_layout(maze.to_layout()) == maze
    assert Maze.from_prolog(maze.to_prolog()) == maze


@settings(deadline=None, max_examples=120, derandomize=True, phases=[Phase.generate])
@given(mazes(side=4))
def test_passages_find_routes_as_short_as_breadth_first_search(maze: Maze) -> None:
    found, expected = pacman.solve(maze, "passages"), pacman.solve(maze, "bfs")
    assert (found.status, found.cost) == (expected.status, expected.cost)
    if found:
        assert maze.is_goal(replay(maze, found.moves)[-1])


@settings(deadline=None, max_examples=30, derandomize=True, phases=[Phase.generate])
@given(mazes(side=6), mazes(side=7, dense=False))
def test_passages_and_circuit_agree(dense: Maze, sparse: Maze) -> None:
    for maze in (dense, sparse):
        one, two = pacman.solve(maze, "passages"), pacman.solve(maze, "circuit")
        assert (one.status, one.cost, one.optimal) == (two.status, two.cost, two.optimal)


@st.composite
def corridors(draw: st.DrawFn) -> Maze:
    """Mazes with long corridors, dead ends and some rounds, with little food or much."""
    maze = new_maze(draw(st.integers(5, 11)), draw(st.integers(3, 9)), draw(st.integers(0, 10**6)))
    food = sorted(maze.food)
    kept = draw(st.lists(st.sampled_from(food), unique=True, max_size=len(food)))
    opened = draw(st.lists(st.sampled_from(sorted(maze.walls)), max_size=6))
    inside = {(x, y) for x, y in opened if 0 < x < maze.width - 1 and 0 < y < maze.height - 1}
    return replace(maze, food=frozenset(kept), walls=maze.walls - inside)


@settings(deadline=None, max_examples=60, derandomize=True, phases=[Phase.generate])
@given(corridors())
def test_passages_and_circuit_agree_on_corridors(maze: Maze) -> None:
    few = replace(maze, food=frozenset(sorted(maze.food)[::3][:14]))
    one, two = pacman.solve(few, "passages"), pacman.solve(few, "circuit")
    assert (one.status, one.cost, one.optimal) == (two.status, two.cost, two.optimal)


@settings(deadline=None, max_examples=60, derandomize=True, phases=[Phase.generate])
@given(corridors())
def test_passages_and_breadth_first_search_agree_on_corridors(maze: Maze) -> None:
    few = replace(maze, food=frozenset(sorted(maze.food)[-9:]))
    assert pacman.solve(few, "passages").cost == pacman.solve(few, "bfs").cost


def test_a_maze_with_two_hundred_pieces_of_food_is_proven() -> None:
    maze = new_maze(21, 19, seed=3)
    assert len(maze.food) > 180
    plan = pacman.solve(maze)
    assert plan.optimal
    assert plan.stats["states"] < 50_000


def test_dense_food_goes_by_passages_and_sparse_food_by_circuit() -> None:
    assert pacman.solve(Maze.from_layout(SMALL)).stats["method"] == "passages"
    assert pacman.solve(Maze.from_layout("%P   .   .%")).stats["method"] == "circuit"


def test_a_dense_maze_is_proven() -> None:
    plan = pacman.solve(Maze.from_layout(SMALL))
    assert plan.optimal
    assert plan.cost == pacman.solve(Maze.from_layout(SMALL), "astar").cost


def test_nothing_to_eat_takes_no_move() -> None:
    for method in ("passages", "circuit", "bfs"):
        assert pacman.solve(Maze.from_layout("%P %"), method).cost == 0


def test_food_behind_walls_is_a_reason() -> None:
    for method in ("passages", "circuit", "bfs", "astar"):
        plan = pacman.solve(Maze.from_layout("P%."), method)
        assert plan.status.value == "infeasible"
        assert "the food (2, 0) cannot be reached" in plan.reason


def test_a_limit_that_passes_is_unknown() -> None:
    wide = "\n".join(["P" + "." * 11, *["." * 12] * 11])
    assert pacman.solve(Maze.from_layout(wide), time_limit=0).status.value == "unknown"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%P.z%", "line 1, column 4: found 'z'"),
        ("%P.%\n%P.%", "line 2, column 2: expected one P, found a second"),
        ("%..%", "nothing says where Pacman starts"),
        ("", "expected a layout"),
    ],
)
def test_a_bad_layout_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Maze.from_layout(text)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("dimensoes(2, 1). posicao(comida, [[1, 0]]).", "expected the facts"),
        ("dimensoes(2, 1). posicao(pacman, 0, 0). posicao(comida, [[1]]).", "expected cells"),
        ("dimensoes(2, 1). posicao(pacman, 5, 0). posicao(comida, [[1, 0]]).", "outside the maze"),
        ("dimensoes(2, 1). posicao(pacman, 0, 0). posicao(parede, [[0, 0]]).", "in the wall"),
        ("dimensoes(2, 1). posicao(pacman, 0, 0). posicao(queijo, []).", "line 1, column 41: expected dimensoes"),
    ],
)
def test_bad_facts_are_told(facts: str, message: str) -> None:
    with pytest.raises((ModelError, FormatError), match=message):
        Maze.from_prolog(facts)


def test_what_a_maze_has_not_is_told() -> None:
    maze = Maze.from_layout(SMALL)
    with pytest.raises(ModelError, match="a maze has no method 'horizon'; it has auto, passages"):
        pacman.solve(maze, "horizon")


def test_the_page_shows_and_solves_a_maze() -> None:
    from cpsolve.app.web import work

    for action, code in (("draw", 200), ("solve", 200), ("move", 404)):
        assert work.run({"action": action, "game": "pacman", "body": {"instance": SMALL, "move": "1,1"}})[0] == code


def test_a_layout_is_solved_from_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "small.lay"
    file.write_text(SMALL)

    def run(*args: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, [args[0], "pacman", str(file), *args[1:]])
        return result.exit_code, result.output

    assert "proven the fewest" in run("solve")[1]
    assert run("solve", "--method", "passages", "--json")[0] == 0
    assert run("solve", "--animate", "--delay", "0")[0] == 0
    assert run("convert", "--to", "text") == (0, SMALL)
    for words in (("solve", "--count"), ("solve", "--all"), ("solve", "--prolog"), ("solve", "--method", "dfs")):
        code, told = run(*words)
        assert code == 2, told
        assert "maze" in told


def test_the_ways_between_much_food_are_looked_for_only_while_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Cell] = []

    def counted(found: Maze, cell: Cell) -> dict[Cell, tuple[int, Cell]]:
        asked.append(cell)
        return ways_from(found, cell)

    monkeypatch.setattr("models.pacman.maze.ways_from", counted)
    corridor = Maze.from_layout("P" + " " * 9 + ". " * 40)
    assert pacman.solve(corridor, method="circuit", time_limit=0).status.value == "unknown"
    assert len(asked) < 3


def test_a_maze_too_large_to_be_measured_in_time_is_not_known_and_no_error() -> None:
    large = Maze.from_layout("\n".join(["P" + 59 * "."] + [60 * "."] * 39))
    plan = pacman.solve(large, time_limit=0)
    assert plan.status.value == "unknown"
    assert "time limit of 0 s" in plan.reason

"""Every picture says the same in text, in coloured text and in SVG, and nothing on the board is missing from any of them."""

from __future__ import annotations

import copy
import pickle
import re
import runpy
from collections import Counter
from collections.abc import Callable
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from rich.color import Color, ColorSystem
from rich.console import Console

from cpsolve.drawing import Picture, Route, Tile
from cpsolve.drawing.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION, YELLOW, contrast, heat, legible
from cpsolve.errors import ModelError
from cpsolve.puzzles.plans import Move, Walk, plan_of
from models import busy_police, center, four_in_a_line, minesweeper, pacman
from models.minesweeper.drawing import percent

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
ARROWS = "→←↑↓⇒⇐⇑⇓↷↶"


# -- boards


@st.composite
def scenes(draw: st.DrawFn) -> busy_police.Scene:
    width, floors = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    cells = [(column, floor) for column in range(1, width + 1) for floor in range(1, floors + 1)]
    things = draw(st.lists(st.sampled_from("      .oHe"), min_size=len(cells), max_size=len(cells)))
    officer, fugitive = draw(st.sampled_from(cells)), draw(st.sampled_from(cells))
    ladders = {cell for cell, thing in zip(cells, things, strict=True) if thing == "H" and cell[1] < floors}
    held = {officer, fugitive} | ladders | {(column, floor + 1) for column, floor in ladders}
    carts = {cell for cell, thing in zip(cells, things, strict=True) if thing == "o" and cell not in held}
    evidence = {cell for cell, thing in zip(cells, things, strict=True) if thing == "e"}
    return busy_police.Scene(width, floors, carts, ladders, officer, fugitive, evidence)


@st.composite
def mazes(draw: st.DrawFn) -> pacman.Board:
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 5))
    cells = draw(st.permutations([(x, y) for x in range(width) for y in range(height)]))
    ghosts = draw(st.integers(0, min(3, len(cells) - 3)))
    walls = draw(st.integers(0, (len(cells) - 3 - ghosts) // 2))
    return pacman.Board(width, height, cells[0], cells[1], cells[2], cells[3 : 3 + ghosts], cells[3 + ghosts : 3 + ghosts + walls])


@st.composite
def mine_games(draw: st.DrawFn) -> minesweeper.Game:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(2, 22))
    field = minesweeper.Field.random(rows, columns, draw(st.integers(0, rows * columns // 3)), seed=draw(st.integers(0, 99)))
    game = minesweeper.Game(field)
    cells = st.tuples(st.integers(1, rows), st.integers(1, columns))
    for cell in draw(st.lists(cells, max_size=4)):
        if game.status == "playing":
            game.open(cell)
    for cell in draw(st.lists(cells, max_size=3)):
        if game.view[cell] is None:
            game.flag(cell)
    return game


@st.composite
def drop_positions(draw: st.DrawFn) -> four_in_a_line.Position:
    position = four_in_a_line.Position(draw(st.integers(1, 6)), draw(st.integers(1, 8)), draw(st.integers(3, 4)))
    for number in draw(st.lists(st.integers(0, 9), max_size=24)):
        if position.legal_columns:
            position = position.play(position.legal_columns[number % len(position.legal_columns)])
    return position


@st.composite
def center_positions(draw: st.DrawFn) -> center.Position:
    shape = draw(st.sampled_from(["square", "hex"]))
    position = center.Position(draw(st.sampled_from([1, 3, 5, 7])), shape, swap=draw(st.booleans()))
    for number in draw(st.lists(st.integers(0, 99), max_size=12)):
        if position.legal_moves():
            position = position.play(position.legal_moves()[number % len(position.legal_moves())])
    return position


def plan_for(puzzle: Any) -> Walk[Any]:
    package = busy_police if isinstance(puzzle, busy_police.Scene) else pacman
    plan: Walk[Any] = package.solve(puzzle, method="bfs", max_states=20_000)
    return plan


PICTURES: st.SearchStrategy[Picture] = st.one_of(
    scenes().map(lambda scene: busy_police.draw(scene, plan_for(scene))),
    mazes().map(lambda board: pacman.draw(board, plan_for(board))),
    mine_games().map(minesweeper.draw),
    mine_games().map(lambda game: minesweeper.draw(game, minesweeper.infer(game.view))),
    drop_positions().map(lambda position: four_in_a_line.draw(position, cursor=1)),
    center_positions().map(lambda position: center.draw(position, cursor=position.centre, scores={position.centre: "+1"})),
)


def notes(picture: Picture) -> list[str]:
    """What the SVG says about its cells, read from the document."""
    root = ElementTree.fromstring(picture.svg())
    return [title.text or "" for group in root.iter(f"{SVG}g") for title in group.findall(f"{SVG}title")]


def board_lines(text: str) -> list[str]:
    """The lines of the frame and what is inside."""
    return [line for line in text.splitlines() if line.endswith(("┐", "│", "┘"))]


def inside(picture: Picture) -> str:
    return "".join(line[line.index("│") + 1 : -1] for line in board_lines(picture.text()) if line.endswith("│"))


# -- what holds for every picture


@settings(max_examples=60, deadline=None)
@given(PICTURES)
def test_svg_is_xml_with_a_title_and_refers_to_nothing_outside_itself(picture: Picture) -> None:
    root = ElementTree.fromstring(picture.svg())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == picture.title
    assert root.findtext(f"{SVG}desc")
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    assert (width, height) == (float(root.attrib["width"]), float(root.attrib["height"]))
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"id", "href", "class", "{http://www.w3.org/1999/xlink}href"}
    assert not {element.tag for element in root.iter()} & {f"{SVG}script", f"{SVG}style", f"{SVG}image"}
    assert picture.svg() == picture.svg() == picture._repr_svg_()


@settings(max_examples=60, deadline=None)
@given(PICTURES)
def test_everything_in_a_picture_lies_on_its_page(picture: Picture) -> None:
    root = ElementTree.fromstring(picture.svg())
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for text in root.iter(f"{SVG}text"):
        if text.get("x") != "0":  # samples of the legend have a middle of their own
            assert 0 < float(text.attrib["x"]) < width
            assert 0 < float(text.attrib["y"]) < height
    for caption in picture.captions:
        assert caption.split()[0] in picture.svg()
    lines = [text for group in root.findall(f"{SVG}g")[-1:] for text in group.findall(f"{SVG}text")]
    assert all(float(line.attrib["x"]) + 0.5 * 14 * len(line.text or "") <= width for line in lines)


@settings(max_examples=60, deadline=None)
@given(PICTURES)
def test_colour_adds_nothing_to_the_words_and_plain_text_has_no_escape_codes(picture: Picture) -> None:
    plain, coloured = picture.text(), picture.text(colour=True)
    assert "\x1b" not in plain
    assert ESCAPE.sub("", coloured) == plain == str(picture)


@settings(max_examples=60, deadline=None)
@given(PICTURES)
def test_the_lines_of_a_board_in_text_are_of_one_width(picture: Picture) -> None:
    lines = board_lines(picture.text())
    assert len(lines) >= picture.rows + 2
    assert len({len(line) for line in lines}) == 1


def test_signs_of_markup_in_captions_notes_and_labels_are_escaped() -> None:
    nasty = "<b> & \"quotes\" 'and' ]]>"
    picture = Picture(nasty, 1, 1, {(0, 0): Tile(label="<", note=nasty)}, captions=(nasty,), row_labels=("&",))
    root = ElementTree.fromstring(picture.svg())
    assert root.findtext(f"{SVG}title") == nasty
    assert notes(picture) == [nasty]
    assert {"<", "&", nasty} <= {text.text for text in root.iter(f"{SVG}text")}


def test_a_picture_survives_pickling() -> None:
    picture = pacman.draw(pacman.BOARDS["seed"])
    assert pickle.loads(pickle.dumps(picture)).svg() == copy.deepcopy(picture).svg() == picture.svg()


def test_saving_writes_the_svg(tmp_path: Path) -> None:
    picture = pacman.draw(pacman.BOARDS["seed"])
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == picture.svg() + "\n"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0])
def test_numbers_on_the_heat_map_have_the_contrast_that_small_text_needs(share: float) -> None:
    assert contrast_ratio(heat(share), contrast(heat(share))) >= 4.5  # the Web Content Accessibility Guidelines, level AA


@pytest.mark.parametrize("colour", [BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION, YELLOW, "#000000", "#FFFFFF"])
def test_arrows_can_be_read_on_black_and_on_white(colour: str) -> None:
    assert min(contrast_ratio(legible(colour), ground) for ground in ("#000000", "#FFFFFF")) >= 4.5
    few = Color.parse(legible(colour)).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex
    assert min(contrast_ratio(few, ground) for ground in ("#000000", "#FFFFFF")) >= 3  # what bold text needs, on 256 colours


def contrast_ratio(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


# -- what a terminal has


def printed(picture: Picture, width: int = 80) -> str:
    terminal = Console(file=StringIO(), force_terminal=True, color_system="truecolor", width=width, no_color=False)
    terminal.print(picture)
    assert isinstance(terminal.file, StringIO)
    return terminal.file.getvalue()


def test_rich_prints_a_picture_in_colour_and_in_the_same_words() -> None:
    picture = pacman.draw(pacman.BOARDS["seed"], pacman.solve(pacman.BOARDS["seed"]))
    assert ESCAPE.search(printed(picture))
    assert [line.rstrip() for line in ESCAPE.sub("", printed(picture)).splitlines()] == picture.text().splitlines()


def test_percentages_are_whole_where_lines_are_long_enough() -> None:
    view = minesweeper.View.from_text("1" + "-" * 29 + "\n" + "-" * 30, mines=21)
    picture = minesweeper.draw(view, minesweeper.infer(view))
    risk = round(100 * minesweeper.infer(view).risk((2, 30)))
    assert "\n2 │ •3•3.3.3.3" in picture.text()
    assert picture.text(width=95).splitlines()[0] == picture.text().splitlines()[0] != picture.text(width=96).splitlines()[0]
    assert f"\n2 │ •33•33 {risk} {risk} {risk}" in picture.text(width=120)
    assert "risk of a mine in percent" in ESCAPE.sub("", printed(picture, width=120))
    assert "from 30% to 40%" in ESCAPE.sub("", printed(picture, width=80))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 26), st.randoms(use_true_random=False))
def test_every_heat_map_marks_the_cells_of_least_risk_unless_some_are_safe_or_all_alike(rows: int, columns: int, random: Random) -> None:
    field = minesweeper.Field.random(rows, columns, random.randint(0, rows * columns), random.randrange(1000))
    known = [cell for cell in product(range(1, rows + 1), range(1, columns + 1)) if cell not in field.mines and random.random() < 0.4]
    view = minesweeper.View(rows, columns, {cell: field.value(cell) for cell in known}, len(field.mines))
    found = minesweeper.infer(view)
    risks = {cell: found.risk(cell) for cell in view.covered if found.risk(cell) < 1}
    least = (
        {cell for cell in risks if risks[cell] == min(risks.values()) < max(risks.values())} if min(risks.values(), default=0) else set()
    )
    picture = minesweeper.draw(view, found)
    assert {(row + 1, column + 1) for (column, row), tile in picture.tiles.items() if tile.frame} == least
    for width in (80, 120):
        assert picture.text(width=width).count("•") == (len(least) + 1 if least else 0)  # and once in the legend


# -- puzzles and routes


@settings(max_examples=60, deadline=None)
@given(scenes())
def test_every_thing_of_a_scene_is_in_svg_and_in_text(scene: busy_police.Scene) -> None:
    picture = busy_police.draw(scene)
    said = Counter(word for note in notes(picture) for word in note.partition(": ")[2].split(", "))
    expected = {"cart": scene.carts, "ladder": scene.ladders, "evidence": scene.evidence, "officer": [1], "fugitive": [1]}
    assert said == Counter({word: len(cells) for word, cells in expected.items() if cells})
    signs = Counter(inside(picture))
    crowded = "\n".join(picture.words)  # things that share a cell are told in words
    assert signs["o"] == len(scene.carts)
    assert signs["P"] == 1
    assert signs["F"] == 1 or "fugitive, officer" in crowded
    assert signs["e"] + crowded.count("evidence") == len(scene.evidence)
    hidden = scene.ladders & ({scene.officer, scene.fugitive} | scene.evidence)  # seen in the row above only
    assert signs["H"] == 2 * len(scene.ladders) - len(hidden)


@settings(max_examples=60, deadline=None)
@given(mazes())
def test_every_thing_of_a_pacman_board_is_in_svg_and_in_text(board: pacman.Board) -> None:
    picture = pacman.draw(board)
    said = Counter(note.partition(": ")[2] for note in notes(picture))
    expected = {"Pacman": 1, "dot": 1, "cherry": 1, "ghost": len(board.ghosts), "wall": len(board.walls)}
    assert said == Counter({word: count for word, count in expected.items() if count})
    signs = Counter(inside(picture))
    assert [signs[sign] for sign in "<oCx#"] == list(expected.values())


def heads(picture: Picture) -> int:
    """The arrow heads of the routes in SVG: closed triangles."""
    root = ElementTree.fromstring(picture.svg())
    routes = [group for group in root.findall(f"{SVG}g") if group.get("stroke-linejoin") and group.find(f"{SVG}title") is not None]
    return sum(path.attrib["d"].count("z") for group in routes for path in group.findall(f"{SVG}path"))


@settings(max_examples=40, deadline=None)
@given(st.one_of(scenes(), mazes()))
def test_a_route_has_as_many_segments_as_the_plan_has_moves(puzzle: busy_police.Scene | pacman.Board) -> None:
    plan = plan_for(puzzle)
    picture = plan.picture()
    assert picture is not None
    assert heads(picture) == len(plan.moves)
    arrows = sum(inside(picture).count(arrow) for arrow in ARROWS)
    assert arrows == len(plan.moves) or "+" in inside(picture)
    assert sum(len(route.points) - 1 for route in picture.routes) == (len(plan.moves) if plan else 0)


@pytest.mark.parametrize("name", busy_police.SCENES)
def test_every_move_of_the_seeds_scenes_is_an_arrow_in_text(name: str) -> None:
    scene = busy_police.SCENES[name]
    plan = busy_police.solve(scene)
    shown = inside(busy_police.draw(scene, plan))
    signs = {"walk right": "→", "walk left": "←", "climb": "↑", "descend": "↓", "jump right": "↷", "jump left": "↶"}
    moves = Counter(str(move) for move in plan.moves)
    assert {name: shown.count(sign) for name, sign in signs.items()} == {name: moves[name] for name in signs}


def test_going_there_and_back_are_two_lines() -> None:
    route = Route(((0, 0), (1, 0), (0, 0)))
    (path,) = re.findall(r'stroke-width="3" d="([^"]*)"', Picture("there and back", 2, 1, routes=(route,)).svg())
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path)]
    assert heights[0] == heights[1] != heights[2] == heights[3]


def test_pacmans_two_phases_are_two_routes_that_meet_at_the_dot() -> None:
    board = pacman.BOARDS["seed"]
    first, second = pacman.draw(board, pacman.solve(board)).routes
    assert first.points[-1] == second.points[0] == board.dot
    assert (first.dashed, first.arrows) != (second.dashed, second.arrows)


@settings(max_examples=30, deadline=None)
@given(st.one_of(scenes(), mazes()), st.data())
def test_a_step_shows_the_state_after_so_many_moves(puzzle: busy_police.Scene | pacman.Board, data: st.DataObject) -> None:
    plan = plan_for(puzzle)
    if not plan:
        with pytest.raises(ModelError, match="of no plan"):
            puzzle.picture(plan, 0)
        return
    step = data.draw(st.integers(0, len(plan.moves)))
    picture = puzzle.picture(plan, step)
    walker = "officer" if isinstance(puzzle, busy_police.Scene) else "Pacman"
    (note,) = [note for note in notes(picture) if walker in note]
    assert note.startswith(f"{plan.cells[step]}: ")
    assert heads(picture) == step
    if isinstance(puzzle, busy_police.Scene):
        assert sum("collected" in note for note in notes(picture)) == len(plan.states[step].collected)
    else:
        assert inside(picture).count("x") == len(plan.states[step].ghosts)


def test_a_step_beyond_the_plan_is_refused() -> None:
    board = pacman.BOARDS["seed"]
    with pytest.raises(ModelError, match="expected a step from 0 to 14, got 15"):
        pacman.draw(board, pacman.solve(board), 15)


def test_a_scene_without_a_plan_is_drawn_with_the_reason() -> None:
    plan = busy_police.solve(busy_police.Scene(3, 1, [(2, 1)], [], (1, 1), (3, 1)))
    picture = plan.picture()
    assert picture is not None
    assert plan.reason in picture.captions[0]
    assert not picture.routes


def test_a_plan_of_a_puzzle_that_cannot_be_drawn_shows_nothing() -> None:
    class Countdown:
        def start(self) -> int:
            return 1

        def moves(self, state: int) -> list[tuple[Move, int]]:
            return [(Move("down"), state - 1)]

        def is_goal(self, state: int) -> bool:
            return state == 0

    plan = plan_of(Countdown(), [Move("down")])
    assert plan.picture() is None
    assert plan._repr_svg_() is None


def test_a_plan_keeps_what_it_draws_when_pickled() -> None:
    plan = busy_police.solve(busy_police.SCENES["evidencias"])
    assert pickle.loads(pickle.dumps(plan))._repr_svg_() == plan._repr_svg_()


# -- Minesweeper


@settings(max_examples=40, deadline=None)
@given(mine_games())
def test_the_heat_map_tells_every_risk_and_never_a_certainty_that_is_none(game: minesweeper.Game) -> None:
    view = game.view
    answer = minesweeper.infer(view)
    picture = minesweeper.draw(view, answer)
    for row, column in view.covered:
        tile = picture.tiles[column - 1, row - 1]
        risk = float(answer.probability[row - 1, column - 1])
        if (row, column) in answer.safe:
            assert tile.note.endswith("is safe")
            assert tile.sign.strip(" F") == "s"
        elif (row, column) in answer.mines:
            assert tile.note.endswith("is a mine")
            assert tile.sign.strip(" F") == "*"
        else:
            assert tile.label == percent(risk)
            assert tile.label not in ("0%", "100%")
            assert float(tile.note.rpartition(": ")[2].partition("%")[0]) == pytest.approx(100 * risk, rel=0.01)
        assert ("F" in tile.sign) == ((row, column) in view.flags)
    assert sorted(notes(picture)) == sorted(picture.tiles[column - 1, row - 1].note for row, column in view.covered)


def test_an_expert_heat_map_fits_into_80_columns_and_is_a_small_file() -> None:
    game = minesweeper.Game(minesweeper.Field.random(16, 30, 99, seed=1), first_click="opening")
    game.open((8, 15))
    picture = minesweeper.draw(game, minesweeper.infer(game.view))
    assert max(map(len, picture.text().splitlines())) <= 80
    assert len(picture.svg()) < 120_000


def test_an_explanation_frames_its_numbers_and_its_cell() -> None:
    view = minesweeper.View.from_text("-1-\n-1-\n---")
    reason = minesweeper.why(view, (3, 1))
    picture = minesweeper.draw(view, explanation=reason)
    assert {place for place, tile in picture.tiles.items() if tile.frame} == {(1, 0), (1, 1), (0, 2)}
    assert inside(picture).count("[1]") == 2
    assert inside(picture).count("(s)") == 1
    assert str(reason) in picture.captions


def test_a_cell_that_may_be_either_is_framed_with_a_question_mark() -> None:
    view = minesweeper.View.from_text("1--", mines=None)
    picture = minesweeper.draw(view, explanation=minesweeper.why(view, (1, 3)))
    assert "(?)" in inside(picture)
    assert "(1,3) may be safe or a mine." in picture.captions


def test_a_lost_game_shows_the_mine_that_was_opened_the_others_and_the_wrong_flags() -> None:
    game = minesweeper.Game(minesweeper.Field(2, 3, {(1, 1), (2, 3), (1, 3)}))
    game.flag((1, 2))
    game.flag((1, 3))
    game.open((1, 1))
    lines = board_lines(minesweeper.draw(game).text())
    assert [line[4:-2].split() for line in lines[1:-1]] == [["X", "W", "F"], ["-", "-", "*"]]


def test_an_inference_of_another_view_is_refused_but_flags_may_differ() -> None:
    view = minesweeper.View.from_text("1--", mines=1)
    flagged = minesweeper.View.from_text("1F-", mines=1)
    assert "F*" in minesweeper.draw(flagged, minesweeper.infer(view)).text()
    with pytest.raises(ModelError, match="another view"):
        minesweeper.draw(minesweeper.View.from_text("-1-", mines=1), minesweeper.infer(view))


# -- games for two


@settings(max_examples=60, deadline=None)
@given(drop_positions())
def test_every_stone_is_in_svg_and_in_text_and_a_win_is_marked(position: four_in_a_line.Position) -> None:
    picture = four_in_a_line.draw(position)
    said = {note for note in notes(picture) if ": " in note}
    assert said == {f"{list(square)}: {player}" for player in "ab" for square in position.squares(player)}
    signs = Counter(inside(picture))
    assert [signs["a"], signs["b"]] == [sum(1 for _ in position.squares(player)) for player in "ab"]
    if position.winner:
        assert signs["["] >= position.connect
        assert inside(picture).count(f"[{position.winner}]") == signs["["]
    assert bool(picture.lines) == (position.winner is not None)


def test_scores_stand_where_the_stone_would_land_and_the_best_is_marked() -> None:
    position = four_in_a_line.Position.from_moves("444555544221")
    verdict = four_in_a_line.solve(position)
    picture = four_in_a_line.draw(position, verdict)
    for column, score in verdict.scores.items():
        tile = picture.tiles[column - 1, position.rows - position.height(column) - 1]
        assert int(tile.label) == score
        assert ("*" in tile.sign) == (column in verdict.best)
    with pytest.raises(ModelError, match="another position"):
        four_in_a_line.draw(position.play(4), verdict)


def test_an_order_of_drops_is_written_on_the_stones_and_an_impossible_board_is_still_drawn() -> None:
    plan = four_in_a_line.reach([[[1, 4], [2, 4]], [[1, 3]]])
    assert {"a1", "b2", "a3"} <= set(inside(plan.picture() or Picture("", 1, 1)).split())
    impossible = four_in_a_line.reach([[], [[1, 1], [1, 2]]]).picture()
    assert impossible is not None
    assert inside(impossible).count("b") == 2


@settings(max_examples=60, deadline=None)
@given(center_positions())
def test_stones_legal_moves_and_the_centre_are_in_svg_and_in_text(position: center.Position) -> None:
    picture = center.draw(position)
    said = notes(picture)
    assert [sum(bool(re.search(rf"\): {player}( |$)", note)) for note in said) for player in "xo"] == [
        position.count("x"),
        position.count("o"),
    ]
    legal = [cell for cell in position.legal_moves() if cell != "swap"]
    assert sum(", legal" in note for note in said) == len(legal)
    assert sum("(the centre)" in note for note in said) == 1
    signs = Counter(inside(picture))
    assert [signs["x"], signs["o"]] == [position.count("x"), position.count("o")]
    if legal:
        assert signs["·"] + signs["+"] == len(legal)
        assert signs["-"] + signs["#"] == position.stones.count(" ") - len(legal)
    assert (signs["["] > 0) == (position.winner is not None)


def test_the_friends_in_sight_of_the_centre_are_joined_to_it() -> None:
    plan = center.cooperative_win(5)
    position = plan.states[-1]
    picture = center.draw(position)
    assert len(picture.lines) >= position.distance(position.centre)
    assert {line.start for line in picture.lines} == {(2, 2)}


def test_best_moves_of_a_verdict_are_marked() -> None:
    position = center.Position(5).play((3, 1)).play((1, 1))
    verdict = center.solve(position)
    picture = center.draw(position, verdict)
    assert inside(picture).count("*") == len(verdict.best)
    assert sum("best" in note for note in notes(picture)) == len(verdict.best)


# -- notebooks and documents

VIEW = minesweeper.View.from_text("1--", mines=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: busy_police.SCENES["ambiente1"],
        lambda: busy_police.solve(busy_police.SCENES["ambiente1"]),
        lambda: next(busy_police.paths(busy_police.SCENES["ambiente1"])),
        lambda: next(busy_police.shortest_plans(busy_police.SCENES["ambiente1"])),
        lambda: busy_police.solve(busy_police.SCENES["ambiente1"], method="dfs"),
        lambda: pacman.BOARDS["seed"],
        lambda: pacman.solve(pacman.BOARDS["seed"]),
        lambda: VIEW,
        lambda: minesweeper.Game(minesweeper.Field(1, 2, {(1, 2)})),
        lambda: minesweeper.Field(1, 2, {(1, 2)}),
        lambda: minesweeper.infer(VIEW),
        lambda: minesweeper.why(VIEW, (1, 2)),
        lambda: four_in_a_line.Position(),
        lambda: four_in_a_line.reach([[[1, 4]], []]),
        lambda: four_in_a_line.solve(four_in_a_line.Position.from_moves("5317537632113617273613")),
        lambda: center.Position(5),
        lambda: center.Position(3, "hex"),
        lambda: center.solve(center.Position(3)),
        lambda: center.solve(center.Position(3, swap=True)),
        lambda: center.cooperative_win(3),
        lambda: center.reach(["xoo..", ".x...", ".....", ".....", "....."]),
        lambda: center.reach(["xx...", ".....", ".....", ".....", "....."]),
    ],
)
def test_a_notebook_shows_the_object_as_svg(make: Callable[[], Any]) -> None:
    assert ElementTree.fromstring(make()._repr_svg_()).tag == f"{SVG}svg"


def legend(picture: Picture) -> set[str]:
    return {entry.words for entry in picture.legend if entry.where != "svg"}


def test_a_legend_explains_what_is_on_the_board_and_nothing_else() -> None:
    scene = busy_police.SCENES["ambiente1"]
    assert "jump" not in legend(busy_police.draw(scene, busy_police.solve(scene)))  # 18 moves without one
    scene = busy_police.SCENES["ambiente2"]
    assert "jump" in legend(busy_police.draw(scene, busy_police.solve(scene)))
    assert "not legal" not in legend(center.draw(center.Position(size=3)))  # but for the centre, which has a sign of its own
    assert "not legal" in legend(center.draw(center.Position(size=5)))
    view = minesweeper.View.from_text("1-\n--", mines=1)
    picture = minesweeper.draw(view, minesweeper.infer(view))
    sample = next(entry.sample for entry in picture.legend if entry.words == "risk of a mine")
    assert isinstance(sample, Tile)
    assert sample.sign.strip() in str(picture).partition("└")[0]


def test_the_seeds_boards_fit_into_80_columns() -> None:
    drawn = [busy_police.draw(scene, busy_police.solve(scene)) for scene in busy_police.SCENES.values()]
    drawn += [pacman.draw(pacman.BOARDS["seed"], pacman.solve(pacman.BOARDS["seed"])), four_in_a_line.draw(four_in_a_line.Position())]
    drawn += [center.draw(center.Position(size)) for size in (5, 7, 9)]
    assert max(len(line) for picture in drawn for line in picture.text().splitlines()) <= 80


def test_the_pictures_of_the_documents_are_what_the_program_draws() -> None:
    pictures: dict[str, Picture] = runpy.run_path(str(ROOT / "docs" / "pictures.py"))["pictures"]()
    kept = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert sorted(kept) == sorted(pictures)
    stale = [name for name, picture in pictures.items() if kept[name] != picture.svg() + "\n"]
    assert not stale, f"run `make pictures`: {stale} changed"

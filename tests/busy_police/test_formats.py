"""Scenes read and write the original's facts, and errors in a text say where they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from cpsolve.errors import FormatError, ModelError
from models.busy_police import SCENES, Scene, solve
from models.busy_police.formats import draw
from tests.routes_oracle import scenes


@given(scenes())
@settings(deadline=None, max_examples=60, derandomize=True)
def test_a_written_scene_reads_back_as_itself(scene: Scene) -> None:
    assert Scene.from_prolog(scene.to_prolog()) == scene
    assert len(str(scene).splitlines()) == 2 * scene.floors


@given(scenes())
@settings(deadline=None, max_examples=100, derandomize=True)
def test_a_scene_reads_back_from_its_drawing_and_its_plain_map(scene: Scene) -> None:
    assert Scene.from_text(str(scene)) == scene
    assert Scene.from_text(scene.to_text()) == scene


def test_things_in_one_cell_have_a_sign_of_their_own() -> None:
    for officer, fugitive, evidence in (((1, 1), (1, 1), [(1, 1)]), ((1, 1), (1, 1), []), ((1, 1), (2, 1), [(1, 1), (2, 1)])):
        scene = Scene(12, 2, [(3, 1)], [(1, 1), (2, 1), (11, 1)], officer, fugitive, evidence)
        assert Scene.from_text(str(scene)) == Scene.from_text(scene.to_text()) == scene


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PzF", "line 1, column 2: found 'z': a cell is one of"),
        ("P.F\n..", "line 2, column 2: expected 3 cells as on the top floor, found 2"),
        ("P.F\n  P", "line 2, column 1: found ' '"),
        ("P.F\n..P", "line 2, column 3: expected one officer, found a second"),
        ("..F", "nothing says where the officer is: expected the sign P"),
        ("P.F\n  |", "below the lowest floor"),
        ("1 | P . F |\nhello", "line 2, column 1: expected a floor"),
        ("  |", "expected a map"),
    ],
)
def test_a_bad_map_says_where(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Scene.from_text(text)


def test_arguments_go_before_facts() -> None:
    scene = Scene.from_prolog("policial(1, 1). fugitivo(2, 1). dimensoes(3, 3).", officer=(3, 1), width=4)
    assert (scene.officer, scene.fugitive, scene.width, scene.floors) == ((3, 1), (2, 1), 4, 3)


def test_the_seeds_rules_in_the_text_are_left_out() -> None:
    text = "carrinho(7, 1).\nobstaculo(X, Y) :- carrinho(X, Y); X < 1; X > 10.\nconsegue(estado(H, V), estado(H, V), R, R).\n"
    assert Scene.from_prolog(text, officer=(1, 1), fugitive=(2, 1)).carts == {(7, 1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("carrinho(7, 1).\ncarro(1, 2).", "line 2, column 1: expected carrinho/2, escada/2, .* found carro/2"),
        ("carrinho(7).", r"line 1, column 1: expected two integers, carrinho\(Hor, Ver\), found carrinho\(7\)\."),
        ("carrinho(7, b).", "expected two integers"),
        ("policial(1, 1). policial(2, 1).", "line 1, column 17: expected one policial/2, found a second"),
        ("fugitivo(1, 1).", r"nothing says where the officer is: expected the fact policial\(Hor, Ver\), or the option officer"),
        ("carrinho(7, 1", "line 1, column 14: expected ',' or '\\)', found the end of the text"),
    ],
)
def test_errors_say_where_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Scene.from_prolog(text)


def test_a_text_with_a_scene_that_cannot_be_is_refused() -> None:
    with pytest.raises(ModelError, match=r"the cart at \(11, 1\) is outside"):
        Scene.from_prolog("carrinho(11, 1).", officer=(1, 1), fugitive=(2, 1))


def test_a_drawing_shows_the_path() -> None:
    scene = SCENES["ambiente4"]
    drawn = draw(scene, solve(scene).cells)
    assert drawn.count("·") + drawn.count("H") > str(scene).count("H")
    assert drawn.splitlines()[-2].split() == list("1|..P···o·H.|")

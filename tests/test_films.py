"""Pictures and films that people keep: files of every kind, pages that play by themselves, searches at work."""

from __future__ import annotations

import json
import os
import re
import stat
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from typer.testing import CliRunner

from cpsolve import catalogue
from cpsolve.app.command import app
from cpsolve.drawing import Film, Picture, Tile, images
from cpsolve.drawing.searches import frames, watch
from cpsolve.errors import ModelError
from cpsolve.files import write
from cpsolve.puzzles import search
from models import pacman

BOARD = pacman.BOARDS["seed"]
PLAN = pacman.solve(BOARD)
FILM = Film("Pacman", [pacman.draw(BOARD, PLAN, step=step) for step in range(4)])


def solve(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["solve", *args])
    assert result.exit_code == code, result.output
    return result.output


def played(page: str) -> list[str]:
    """The frames as the page puts them together."""
    (data,) = re.findall(r'<script id="film" type="application/json">(.*?)</script>', page, re.DOTALL)
    film = json.loads(data)
    return ["\n".join(film["lines"][line] for line in frame) for frame in film["frames"]]


# -- files


@pytest.mark.parametrize(("suffix", "start"), [("svg", b"<svg"), ("html", b"<!doctype html>"), ("png", b"\x89PNG"), ("PNG", b"\x89PNG")])
def test_a_picture_is_saved_as_its_suffix_says(tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"board.{suffix}"
    pacman.draw(BOARD).save(target)
    assert target.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["board.jpg", "board", "board.svg.gz", "svg"])
def test_a_picture_is_not_saved_as_what_it_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match=r"\.svg, \.html, \.png"):
        pacman.draw(BOARD).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "board.svg"
    target.write_text("before")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        pacman.draw(BOARD).save(target)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_files_have_the_permissions_of_any_other_file_and_links_stay_links(tmp_path: Path) -> None:
    plain, target, link = tmp_path / "plain", tmp_path / "board.svg", tmp_path / "link.svg"
    plain.write_text("")
    write(target, b"1")
    assert target.stat().st_mode == plain.stat().st_mode
    target.chmod(0o640)
    link.symlink_to(target)
    write(link, b"2")
    assert link.is_symlink()
    assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (b"2", 0o640)


def test_pixels_without_their_packages_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install 'cpsolve\[images\]'"):
        pacman.draw(BOARD).save(tmp_path / "board.png")
    assert "cpsolve[images]" in solve("pacman", "--gif", str(tmp_path / "film.gif"), code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_png_shows_the_colours_of_the_picture() -> None:
    picture = Picture("One cell", 1, 1, {(0, 0): Tile(fill="#0072B2")})
    image = Image.open(BytesIO(picture.png())).convert("RGB")
    root = ElementTree.fromstring(picture.svg())
    assert image.size == tuple(2 * round(float(root.attrib[side])) for side in ("width", "height"))
    assert {(0, 0x72, 0xB2), (255, 255, 255)} <= {colour for _, colour in image.getcolors(10_000) or []}


# -- pages


def test_a_page_plays_the_very_pictures() -> None:
    assert played(FILM.html()) == [picture.svg() for picture in FILM.frames]


def test_a_page_asks_for_nothing_outside_itself() -> None:
    page = FILM.html()
    assert "default-src 'none'" in page
    assert set(re.findall(r"https?://[\w./]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"<(?:img|iframe|object|embed)|\ssrc=|@import|url\(", page)


def test_no_word_in_a_picture_can_leave_its_place_on_the_page() -> None:
    nasty = "</script><script>alert(1)</script> $title ${x} & <b>"
    picture = Picture(nasty, 1, 1, {(0, 0): Tile(note=nasty)}, captions=(nasty,))
    page = Film(nasty, [picture, picture]).html()
    assert "<script>alert" not in page
    assert page.count("<script") == 2
    assert played(page) == [picture.svg()] * 2


def test_a_page_of_one_picture_has_nothing_to_play() -> None:
    assert '<div id="controls" hidden>' in pacman.draw(BOARD).html()
    assert '<div id="controls">' in FILM.html()


def test_a_film_is_little_larger_than_its_pictures_are_different() -> None:
    assert len(FILM.html()) < 0.6 * sum(len(picture.svg()) for picture in FILM.frames) + 8_000


def test_a_film_needs_frames_and_time() -> None:
    with pytest.raises(ModelError, match="at least one frame"):
        Film("Nothing", [])
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ModelError, match="positive number of seconds"):
            Film("Pacman", FILM.frames, seconds)


def test_a_gif_has_a_frame_for_every_picture_and_holds_the_last() -> None:
    moving = Image.open(BytesIO(FILM.gif()))
    assert getattr(moving, "n_frames", 1) == len(FILM.frames)
    times = []
    for number in range(len(FILM.frames)):
        moving.seek(number)
        times.append(moving.info["duration"])
    assert times == [500, 500, 500, 2000]


# -- searches


@pytest.mark.parametrize("method", ["dfs", "bfs"])
def test_what_is_watched_is_what_the_search_does(method: str) -> None:
    alone = getattr(search, method)(BOARD)
    plan, states = watch(BOARD, getattr(search, method))
    assert (plan.moves, len(states)) == (alone.moves, alone.stats["states"])
    assert states[0] == BOARD.start()
    assert len(set(states)) == len(states) or method == "dfs"


def test_the_numbers_on_a_film_of_a_search_add_up() -> None:
    plan, states = watch(BOARD, search.bfs)
    shown = list(frames(states, plan, "bfs", lambda *args, **options: pacman.draw(BOARD, *args, **options), most=50))
    assert len(shown) <= 53
    looked = [int(found) for tile in shown[-2].tiles.values() for found in re.findall(r"looked at (\d+) time", tile.note)]
    assert sum(looked) == len(states)
    assert shown[-1].routes
    assert f"{len(states)} states" in shown[-1].captions[-1]


@pytest.mark.parametrize("game", [name for name in catalogue.games() if catalogue.game(name).watch])
@pytest.mark.parametrize("method", ["dfs", "bfs", "astar"])
def test_every_walking_game_shows_its_searches_on_a_page(tmp_path: Path, game: str, method: str) -> None:
    page = tmp_path / "film.html"
    assert f"found by {method}" in solve(game, "--method", method, "--watch", "--html", str(page))
    assert len(played(page.read_text(encoding="utf-8"))) > 10


# -- the command line


def test_a_plan_is_kept_as_a_page_a_gif_and_a_snapshot(tmp_path: Path) -> None:
    page, moving, still = tmp_path / "film.html", tmp_path / "film.gif", tmp_path / "step.svg"
    solve("pacman", "--html", str(page), "--gif", str(moving), "--svg", str(still), "--step", "3", "--delay", "0.2")
    shown = played(page.read_text(encoding="utf-8"))
    assert len(shown) == 15
    assert still.read_text(encoding="utf-8").strip() == shown[3]
    with Image.open(moving) as film:
        assert film.info["duration"] == 200


def test_a_picture_without_moves_is_kept_as_a_page(tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    solve("minesweeper", "--html", str(page))
    assert len(played(page.read_text(encoding="utf-8"))) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--html", "film.svg"], "--html writes HTML: give it a file that ends in .html"),
        (["--svg", "film.png"], "--svg writes SVG"),
        (["--html", "-", "--svg", "-"], "standard output takes one of --svg, --html"),
        (["--html", "-", "--json"], "standard output takes one of --html, --json"),
        (["--html", "/nowhere/film.html"], "cannot write /nowhere/film.html"),
        (["--watch"], "--watch needs --animate or --html or --gif"),
        (["--step", "3"], "--step needs --svg"),
        (["--svg", "-", "--step", "99"], "the last step is 14"),
        (["--html", "-", "--delay", "0"], "more than 0"),
        (["--html", "-", "--all"], "give --all or --html, not both"),
        (["--html", "-", "--watch", "--method", "circuit"], "only a search can be watched, dfs, bfs, astar"),
    ],
)
def test_films_that_cannot_be_are_refused_in_words(options: list[str], said: str) -> None:
    assert said in solve("pacman", *options, code=2)

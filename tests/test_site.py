"""The documents as others get them: the site, the reference, the README on a package index, the source distribution."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tarfile
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest

import cpsolve
from cpsolve import catalogue

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@pytest.fixture(scope="module")
def site() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "site.py"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_relative_link_of_a_document_leads_somewhere(document: Path, site: dict[str, Any]) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    made = {f"films/{site['film_name'](*film)}" for film in site["FILMS"]} | {f"reference/{name}" for name in site["pages"]()}
    links = re.findall(r"\]\((?!#|[a-z]+:)([^)\s#]+)", text)
    missing = [link for link in links if link not in made and not (document.parent / link).exists()]
    assert missing == []


def test_the_reference_has_every_public_name(site: dict[str, Any]) -> None:
    pages = site["pages"]()
    for name in cpsolve.__all__:
        assert re.search(rf"^## {name} ", pages["cpsolve.md"], re.MULTILINE), name
    for game in catalogue.games():
        package = catalogue.module_of(game).rpartition(".")[0]
        page = pages[f"{package.replace('.', '_')}.md"]
        for name in __import__(package, fromlist=["__all__"]).__all__:
            assert re.search(rf"^## {name} ", page, re.MULTILINE), (package, name)


def test_every_film_of_the_gallery_is_made(site: dict[str, Any]) -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"films/([\w-]+\.html)", gallery)) == sorted(site["film_name"](*film) for film in site["FILMS"])
    assert len(site["film"]("pacman", "auto", False).frames) == 15


# -- what is released


def build(tmp_path: Path, repository: str) -> tarfile.TarFile:
    variables = {**os.environ, "CPSOLVE_REPOSITORY": repository}
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = tmp_path.glob("*.tar.gz")
    return tarfile.open(found)


def test_a_source_distribution_has_all_that_its_tests_need(tmp_path: Path) -> None:
    with build(tmp_path, "") as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("this is no checkout: what belongs to the project is not known")
    missing = [name for name in tracked.stdout.splitlines() if name not in held and not name.startswith(".")]
    assert missing == []


def test_on_a_package_index_links_and_pictures_lead_into_the_repository(tmp_path: Path) -> None:
    repository = "https://code.example/cpsolve"
    with build(tmp_path, repository) as archive:
        member = next(name for name in archive.getnames() if name.endswith("/PKG-INFO"))
        file = archive.extractfile(member)
        assert file is not None
        with file:
            told = BytesParser().parse(file)
    text = str(told.get_payload())
    assert f"![Pacman: dot, ghosts, cherry]({repository}/raw/main/docs/pictures/pacman.svg)" in text
    assert re.findall(r"\]\((?!#|https?:)", text) == []
    assert f"Homepage, {repository}" in told.get_all("Project-URL", [])

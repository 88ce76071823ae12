"""A browser for tests of the page: Debian's Chromium, driven by Playwright; without one the tests are skipped with a word why.

``make browser`` installs what is needed where it can.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.test_catalogue import write_foreign_game
from tests.web.serving import ROOT, Address, serving

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
AXE = ROOT / "build" / "browser" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The page, with a foreign game installed beside ours."""
    folder = tmp_path_factory.mktemp("site")
    write_foreign_game(folder)
    with serving("--workers", "2", environment={**os.environ, "PYTHONPATH": str(folder)}) as address:
        yield address


@pytest.fixture(scope="session")
def own_games() -> Iterator[Address]:
    """The page with our games alone."""
    with serving("--workers", "2") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make browser installs it")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


Opener = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, server: Address) -> Iterator[Opener]:
    """Opens an address of the page, in a size and a theme; at the end no error may stand on the console."""
    contexts, errors = [], list[str]()

    def opened(path: str = "/", size: str = "desktop", theme: str = "light", status: int = 200, at: str = server, **options: Any) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, has_touch=size == "phone", accept_downloads=True, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        expected = ("422", "404") if status == 404 else ("422",)
        page.on(
            "console",
            lambda message: (
                None if message.type != "error" or any(each in message.text for each in expected) else errors.append(message.text)
            ),
        )
        assert page.goto(f"{at}{path}").status == status
        page.wait_for_selector("html[data-ready=yes]")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def pictures() -> Path:
    """Where tests leave screenshots."""
    folder = ROOT / "build" / "browser" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    return folder

"""The page: how long a worker takes for an Expert position, how soon a browser can be used, and how much the page weighs.

Of a position is timed what a warm worker does with it, from its text to the JSON of the answer. Positions are those that an exact player
meets: some have proven cells, in some a guess is forced and the expert looks ahead. In a browser (Chromium, through Playwright, where both
are installed) is timed what a visitor waits for: from the first byte of the server to the board with its analysis.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import cpsolve.app.web
from benchmarks.measure import Row, seconds, timing
from cpsolve.app.web import work
from models.minesweeper import Field, View, infer
from models.minesweeper.rules import Game

STATIC = Path(cpsolve.app.web.__file__).parent / "static"
MOST_BYTES = 300_000
USABLE = """
() => document.querySelector('.board svg') && document.querySelector('.said li') &&
  performance.now() - performance.getEntriesByType('navigation')[0].responseStart
"""
"""Milliseconds since the server's first byte, once the board and what follows from it are there."""


def run(quick: bool) -> Iterator[Row]:
    """All rows."""
    games = 4 if quick else 30
    work.warm_up()
    for label, positions in (("with proven cells", list(met(games, False))), ("a guess is forced", list(met(games, True)))):
        bodies = [{"instance": view.to_text(), "options": {"mines": view.mines}} for view in positions]
        for action, words in (("solve", "analysed and drawn"), ("draw", "drawn")):
            jobs = [{"action": action, "game": "minesweeper", "body": body} for body in bodies]
            times = [_answered(job) for job in jobs]
            note = f"processor time; {len(jobs)} positions of 30×16 with 99 mines"
            yield Row(f"Expert, {label}: {words}", timing(times), target="≤ 50 ms" if action == "solve" else "", note=note)
    yield from _in_a_browser(3 if quick else 10)
    weight = sum(path.stat().st_size for path in STATIC.iterdir())
    if weight > MOST_BYTES:
        raise AssertionError(f"the page weighs {weight:,} bytes, more than {MOST_BYTES:,}")
    reading = seconds(lambda: [path.read_bytes() for path in STATIC.iterdir()])
    yield Row("the page read from disk", timing([reading]), note=f"{weight:,} bytes before compression, of {MOST_BYTES:,} allowed")


def _in_a_browser(rounds: int) -> Iterator[Row]:
    """How soon an Expert position stands on the page, each time in a browser that has nothing of it yet; no row without a browser."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        print("the page in a browser is not timed: make browser installs Chromium and Playwright", file=sys.stderr)
        return
    fragment = urlencode({"board": next(met(1, False)).to_text(), "options": '{"mines": 99}'})
    times, sizes, answers, got = list[float](), list[int](), list[int](), list[Any]()
    with _serving() as address, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(rounds):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            got.clear()
            page.on("response", lambda response: got.append(response))
            page.goto(f"{address}minesweeper#{fragment}")
            times.append(page.wait_for_function(USABLE).json_value() / 1000)
            sizes.append(sum(len(response.body()) for response in got if response.request.method == "GET"))
            answers.append(sum(len(response.body()) for response in got if response.request.method == "POST"))
            context.close()
        browser.close()
    note = f"{max(sizes):,} bytes before compression, of {MOST_BYTES:,} allowed, and {max(answers):,} of the board drawn and analysed"
    if max(sizes) > MOST_BYTES:
        raise AssertionError(f"the page weighs {max(sizes):,} bytes, more than {MOST_BYTES:,}")
    yield Row("an Expert position on the page in Chromium, after the server's first byte", timing(times), target="≤ 1 s", note=note)


@contextmanager
def _serving() -> Iterator[str]:
    """The address of a server that runs while the body does."""
    command = [sys.executable, "-m", "cpsolve", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+/", server.stdout.readline())
            assert found is not None
            yield found.group()
        finally:
            server.terminate()


def _answered(job: Mapping[str, Any]) -> float:
    """The processor time of an answer: a busy machine does not change it."""
    start = time.process_time()
    status, text = work.run(job)
    taken = time.process_time() - start
    if status != 200:
        raise AssertionError(text)
    return taken


def met(games: int, guess: bool) -> Iterator[View]:
    """Positions that an exact player meets, in one of which per game a guess is forced or not.

    >>> next(met(1, False)).mines
    99
    """
    for seed in range(games):
        game = Game(Field.random(16, 30, 99, seed=seed), first_click="opening", seed=seed)
        game.open((8, 15))
        found: View | None = None
        while game.status == "playing":
            answer = infer(game.view)
            if bool(answer.safe) != guess:
                found = game.view
            if not answer.safe:
                break
            for cell in answer.safe:
                game.open(cell)
        if found is not None:
            yield found

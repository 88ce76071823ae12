"""The page: how long a worker takes for an Expert position, analysed and drawn, and how much the page weighs.

What is timed is what a warm worker does with a question, from the text of the position to the JSON of the answer; the way to the browser
is not. Positions are those that an exact player meets: some have proven cells, in some a guess is forced and the expert looks ahead.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cpsolve.app.web
from benchmarks.measure import Row, seconds, timing
from cpsolve.app.web import work
from models.minesweeper import Field, View, infer
from models.minesweeper.rules import Game

STATIC = Path(cpsolve.app.web.__file__).parent / "static"
MOST_BYTES = 300_000


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
    weight = sum(path.stat().st_size for path in STATIC.iterdir())
    if weight > MOST_BYTES:
        raise AssertionError(f"the page weighs {weight:,} bytes, more than {MOST_BYTES:,}")
    reading = seconds(lambda: [path.read_bytes() for path in STATIC.iterdir()])
    yield Row("the page read from disk", timing([reading]), note=f"{weight:,} bytes before compression, of {MOST_BYTES:,} allowed")


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

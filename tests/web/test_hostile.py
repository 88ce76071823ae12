"""Bodies that nobody means well with: whatever is asked, the answer is clean, never that of a bug.

The application is asked in this process, with a pool that works at once, so that many bodies take little time:
``CPSOLVE_HOSTILE=100000`` asks a hundred thousand.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import string
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from fastapi import Request

from cpsolve.app.web import server, work
from cpsolve.app.web.pool import Limits
from cpsolve.app.web.schema import Question

NUMBER = int(os.environ.get("CPSOLVE_HOSTILE", "1500"))
SECONDS = 1.0
GAMES = ("minesweeper", "four-in-a-line", "center", "busy-police", "pacman")
GOOD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("minesweeper", {"instance": "001-\n001-\n113-\n----", "options": {"mines": 3}, "spot": "1,4", "brush": "2"}),
    ("minesweeper", {"new": {"rows": 4, "columns": 5, "mines": 3, "seed": 1}, "moves": ["1,1", "f2,5"], "move": "4,5", "spot": "4,5"}),
    ("minesweeper", {"instance": "3x2x1\nHHH\n1HF", "spot": "1,1", "brush": "-"}),
    ("four-in-a-line", {"instance": "44444326213163", "moves": ["4"], "move": "1", "spot": "1", "brush": "a", "level": 1}),
    ("four-in-a-line", {"new": {"rows": 4, "columns": 4, "connect": 3}, "moves": ["1", "2"], "move": "3", "spot": "2", "brush": "."}),
    ("center", {"new": {"size": 3, "shape": "hex", "swap": True}, "moves": ["1,1", "swap"], "move": "1,2", "spot": "2,2", "brush": "x"}),
    ("busy-police", {"named": "ambiente1", "spot": "5,1", "brush": "evidence", "method": "astar", "frames": True}),
    ("pacman", {"spot": "2,2", "brush": "wall", "method": "dfs", "number": 3, "most": 5, "frames": True}),
    ("pacman", {"instance": "%%%\n%P.%\n%%%", "spot": "1,1", "brush": "ghost"}),
)
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 7, 2**70, 1e308, "", "1,1", "9,9", "-1,2", "swap", "f1,1", "ff1,1", "\x00", "é" * 50, "٣,٣", "²", "1" * 99),
    *(
        [],
        [[]],
        {},
        {"mines": 2},
        {"mines": -1},
        {"": None},
        {"size": 3},
        {"rows": 0},
        ["1", 2],
        ["1,1"] * 40,
        ["f1,1", "1,1"],
        {"prolog": True},
    ),
)
NAMES = (*Question.model_fields, "x")


def bodies(number: int, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """A game and a body: odd values, garbled texts, raw bytes, and good questions with something changed."""
    for _ in range(number):
        game = chance.choice(GAMES)
        match chance.randrange(6):
            case 0:
                yield game, json.dumps({chance.choice(NAMES): chance.choice(ODD) for _ in range(chance.randrange(1, 5))}).encode()
            case 1:
                text = "".join(chance.choice(string.printable + "-123F.xoab[](),") for _ in range(chance.randrange(60)))
                yield (
                    game,
                    json.dumps({"instance": text, "spot": "1,1", "move": "1", "options": chance.choice([{}, {"mines": 1}])}).encode(),
                )
            case 2:
                yield game, bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
            case _:
                game, good = chance.choice(GOOD)
                yield game, json.dumps(changed(good, chance)).encode()


def changed(good: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A good question with one or two of its parts changed: another value, a letter of a text, an option."""
    body = dict(good)
    for _ in range(chance.randrange(1, 3)):
        name = chance.choice((*good, chance.choice(NAMES)))
        value = body.get(name)
        if isinstance(value, str) and value and chance.random() < 0.7:
            place = chance.randrange(len(value))
            body[name] = value[:place] + chance.choice(("", "9", "\n", ",", "x", "-", "(", "%")) + value[place + chance.randrange(2) :]
        elif isinstance(value, dict) and value and chance.random() < 0.7:
            body[name] = {**value, chance.choice(list(value)): chance.choice(ODD)}
        elif isinstance(value, list) and chance.random() < 0.7:
            body[name] = [*value, chance.choice(("1", "1,1", "2,2", "f1,1", "", "swap", "99"))]
        else:
            body[name] = chance.choice(ODD)
    return body


class AtOnce:
    """A pool without processes: a job that raises is one that a worker would have failed with."""

    processes: tuple[int, ...] = ()
    idle, waiting, full = 1, 0, False

    def __init__(self, target: str, limits: Limits, preload: str = "") -> None:
        self.limits = limits
        self.failures: list[str] = []

    async def start(self) -> None:
        """There is nothing to start."""

    async def close(self) -> None:
        """There is nothing to end."""

    async def run(self, job: Any, seconds: float | None = None, tell: Callable[[Any], None] = lambda said: None) -> Any:
        """What the worker does."""
        try:
            return work.run(job, tell)
        except BaseException:
            self.failures.append(f"{job}\n{traceback.format_exc()}")
            return None


def test_hostile_bodies_get_a_clean_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "Pool", AtOnce)
    app = server.make_app(Limits(seconds=SECONDS))
    seen: Counter[int] = Counter()
    chance = random.Random(int(os.environ.get("CPSOLVE_HOSTILE_SEED", "1")))

    async def everything() -> None:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for game, body in bodies(NUMBER, chance):
                action = chance.choice(list(work.ACTIONS))
                address = f"/api/v1/{game}/{action}" if chance.random() < 0.95 else "/api/v1/models/queens"
                answer = await client.post(address, content=body, headers={"content-type": "application/json"})
                seen[answer.status_code] += 1
                assert answer.status_code in (200, 400, 404, 422, 504), (address, body, answer.text, app.state.pool.failures)
                if answer.headers["content-type"] == "application/x-ndjson":
                    last = json.loads(answer.text.splitlines()[-1])
                    assert last["status"] in (200, 404, 422, 504), (address, body, last, app.state.pool.failures)
                elif answer.status_code != 200:
                    assert answer.json()["error"]

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(everything())).result()
    print(dict(seen))
    assert min(seen[200], seen[400], seen[422]) > NUMBER / 50


class Endless(AtOnce):
    """A pool whose jobs say something and never end."""

    async def run(self, job: Any, seconds: float | None = None, tell: Callable[[Any], None] = lambda said: None) -> Any:
        tell({"states": 1})
        await asyncio.Event().wait()


@pytest.mark.parametrize("heard", [0, 1])
def test_a_client_that_leaves_during_a_run_leaves_nothing_behind(heard: int) -> None:
    async def left() -> None:
        leaving, sent = asyncio.Event(), 0

        async def receive() -> dict[str, Any]:
            await leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal sent
            sent += bool(message.get("body"))
            if sent >= heard:
                leaving.set()

        pool: Any = Endless("", Limits())
        desk = server._Desk(pool, 0)
        scope = {"type": "http", "asgi": {"spec_version": "2.4"}, "method": "POST", "path": "/", "headers": []}
        response = await desk.told(Request(scope, receive), {"action": "run"})
        await response(scope, receive, send)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            assert not (await asyncio.wait(others, timeout=5))[1]

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(left())).result()

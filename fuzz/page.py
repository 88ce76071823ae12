"""The page's interface with odd bodies, addresses and headers: only the statuses that are documented, and never that of a bug.

The application is asked in this process, with a pool that works at once; bodies are those of the tests of the page, and garbled ones.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

import httpx
from fastapi import FastAPI

from cpsolve.app.web import server, work
from cpsolve.app.web.pool import Limits
from fuzz.garbling import garbled
from fuzz.readers import examples
from fuzz.runner import Kind, Wrong
from tests.web.test_hostile import GAMES, GOOD, SECONDS, AtOnce, bodies

STATUSES = (200, 307, 400, 404, 405, 413, 422, 429, 503, 504)
PLACES = (
    "",
    "/",
    "/healthz",
    "/favicon.ico",
    "/center",
    "/chess",
    "/api/v1/games",
    "/api/v1/models",
    "/api/v1/x",
    "/static/",
    "/%00",
    "/..%2f",
)
HEADERS = (
    {"content-type": "application/json"},
    {"content-type": "text/plain"},
    {"content-type": "application/json; charset=utf-16"},
    {"content-type": "application/json", "host": "example.org"},
    {"content-type": "application/json", "host": "localhost:8000"},
    {"content-type": "application/json", "origin": "http://[::1"},
    {"content-type": "application/json", "origin": "null"},
)


def make_body(random: Random) -> dict[str, Any]:
    """A question to a game, with odd values in it or garbled as a whole."""
    game, body = next(bodies(1, random))
    text = body.decode("utf-8", "surrogateescape")
    if random.random() < 0.2:
        text = garbled(random, text, [json.dumps(good) for _, good in GOOD])
    elif random.random() < 0.3:
        kinds = {name: text for name, texts in examples().items() for text in texts}
        kind = random.choice(list(kinds))
        game = next((name for name in GAMES if kind.startswith(name)), "pacman")
        board = garbled(random, kinds[kind], list(kinds.values())).encode("utf-8", "replace").decode()
        text = json.dumps({"instance": board, "spot": "1,1", "move": random.choice(["1", "1,1"]), "time_limit": 0.5})
    action = random.choice(list(work.ACTIONS))
    address = f"/api/v1/{game}/{action}" if random.random() < 0.95 else f"/api/v1/models/{random.choice(['queens', 'magic square', 'x'])}"
    return {"method": "POST", "address": address, "headers": HEADERS[0], "body": text}


def make_request(random: Random) -> dict[str, Any]:
    """Any method on any address with any headers."""
    address = random.choice(PLACES) if random.random() < 0.7 else f"/api/v1/{random.choice(GAMES)}/{random.choice(list(work.ACTIONS))}"
    if random.random() < 0.2:
        address = "/" + garbled(random, address, PLACES).encode("ascii", "ignore").decode().lstrip("/")
    method = random.choice(["GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "X"])
    body = random.choice(["", "{}", "[]", "null", "[" * 5000, "{" * 5000, '{"moves": ' + "[" * 900 + "]" * 900 + "}", "x" * 300_000])
    return {"method": method, "address": address, "headers": random.choice(HEADERS), "body": body}


@cache
def application() -> FastAPI:
    """The application with a pool that works at once."""
    with patch.object(server, "Pool", AtOnce):
        return server.make_app(Limits(seconds=SECONDS))


def check(value: Mapping[str, Any]) -> None:
    """Sends a request and looks at the answer."""
    answer = asyncio.run(_send(value))
    failures = application().state.pool.failures
    told = "\n".join(failures)
    failures.clear()
    if answer.status_code not in STATUSES or told:
        raise Wrong(f"status {answer.status_code}\n{answer.text[:500]}\n{told}")
    kind = answer.headers.get("content-type", "")
    if kind == "application/x-ndjson":
        last = json.loads(answer.text.splitlines()[-1])
        if last["status"] not in STATUSES:
            raise Wrong(f"the last line has status {last['status']}: {last}")
    elif answer.status_code not in (200, 307) and value["method"] != "HEAD" and not kind.startswith("text/html"):
        if not isinstance(answer.json()["error"], str) or "code" not in answer.json():
            raise Wrong(f"status {answer.status_code} without words: {answer.text[:500]}")
    elif kind == "application/json" and value["method"] != "HEAD":
        json.loads(answer.text, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise Wrong(f"{name} is not JSON")


async def _send(value: Mapping[str, Any]) -> httpx.Response:
    transport = httpx.ASGITransport(app=application(), raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        try:
            request = client.build_request(
                value["method"], value["address"], content=value["body"].encode("utf-8", "surrogateescape"), headers=value["headers"]
            )
        except httpx.InvalidURL:
            request = client.build_request(value["method"], "/")
        answer = await transport.handle_async_request(request)  # the client itself fails where a redirection is too long for it
        await answer.aread()
        return answer


KINDS = {"bodies": Kind(make_body, check), "requests": Kind(make_request, check)}

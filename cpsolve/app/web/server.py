"""The HTTP side of the page: addresses, limits, headers; every answer comes from a worker of the pool.

Before a request reaches an address, :class:`Guard` has checked its ``Host`` and ``Origin``, bounded its body, and seen to it that the
answer carries a strict Content-Security-Policy: nothing inline, nothing from elsewhere. No input is ever sent back but as JSON.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import ExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from cpsolve import __version__, catalogue
from cpsolve.app.web import work
from cpsolve.app.web.pool import Busy, Late, Limits, Lost, Pool
from cpsolve.app.web.schema import Error, ModelQuestion, Question

STATIC = Path(__file__).parent / "static"
MOST_BYTES = 256 * 1024
"""The largest body."""
MOST_PASSED_OVER, PASSING_OVER = 64 << 20, 2.0
"""Bytes, and seconds, of a body that is too large which are read and forgotten before it is refused."""
RETRY = 2
"""Seconds after which a client that was turned away may ask again."""
LOCAL = ("localhost", "127.0.0.1", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}

CODES = {400: "bad-input", 413: "too-large", 422: "bad-input", 429: "busy", 500: "internal", 503: "busy", 504: "time-limit"}
"""What programs read of a refusal, by its status; any other is ``not-found``."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Guard:
    """Checks requests before anything else sees them, and adds headers to answers."""

    def __init__(self, app: Any, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((name, value) for name, value in HEADERS.items() if name not in present)]
            await send(message)

        origin = headers.get(b"origin", b"").decode("latin-1")
        if not self._known(headers.get(b"host", b"").decode("latin-1")) or (origin and not self._known(origin.partition("//")[2])):
            await _refuse(guarded, 400, "this server does not answer under that name: start it with --allow-host NAME")
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > MOST_BYTES:
            await _pass_over(receive)
            await _refuse(guarded, 413, f"the body is too large: expected at most {MOST_BYTES:,} bytes")
            return
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MOST_BYTES:
                await _pass_over(receive)
                raise HTTPException(413, f"the body is too large: expected at most {MOST_BYTES:,} bytes")
            return message

        await self.app(scope, bounded, guarded)

    def _known(self, host: str) -> bool:
        name = host[: host.rindex("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]
        return name.lower() in self.hosts


async def _pass_over(receive: Receive) -> None:
    """Reads what is left of a body and forgets it: closing a connection with something unread takes the answer away from the client.

    One that sends more than that, or too slowly, may lose its answer.
    """
    left = MOST_PASSED_OVER
    with suppress(TimeoutError):
        async with asyncio.timeout(PASSING_OVER):
            while left > 0:
                message = await receive()
                if not message.get("more_body"):
                    return
                left -= len(message["body"])


async def _refuse(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error, "code": CODES[status]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# -- the application


def make_app(limits: Limits | None = None, hosts: Iterable[str] = LOCAL, per_client: int = 0) -> FastAPI:
    """The application; ``per_client`` bounds the questions of one address at a time, 0 for any number."""
    pool = Pool("cpsolve.app.web.work:run", limits or Limits(), preload="cpsolve.app.web.preloaded")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        yield
        await pool.close()

    app = FastAPI(
        title="cpsolve",
        version=__version__,
        description="Games and puzzles as constraint models: solved, counted, explained, played.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.pool = pool
    app.add_middleware(Guard, hosts=tuple(hosts))
    _errors(app)
    _api(app, _Desk(pool, per_client))
    _pages(app)
    return app


FULL = "all workers are busy and the queue is full: try again in a moment"


class _Desk:
    """Passes jobs to the pool, and what becomes of them to whoever asked."""

    def __init__(self, pool: Pool, per_client: int) -> None:
        self.pool, self.per_client = pool, per_client
        self.asking: dict[str, int] = {}

    async def answer(self, request: Request, job: dict[str, Any]) -> Response:
        """The answer to a job; a client that goes away stops it."""
        with self._counted(request) as welcome:
            if not welcome:
                return self._too_many()
            asked = asyncio.ensure_future(self._run(job))
            gone = asyncio.ensure_future(_gone(request))
            try:
                await asyncio.wait({asked, gone}, return_when=asyncio.FIRST_COMPLETED)
                return asked.result() if asked.done() else Response(status_code=499)  # nobody reads it
            finally:
                asked.cancel()
                gone.cancel()

    async def told(self, request: Request, job: dict[str, Any]) -> Response:
        """The same as lines of JSON: what is known of the job while it runs, and last its status with the answer."""
        with ExitStack() as stack:
            if not stack.enter_context(self._counted(request)):
                return self._too_many()
            if self.pool.full:
                return _turned_away(503, FULL)
            return _Lines(self._lines(request, job), stack.pop_all())

    async def _lines(self, request: Request, job: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        notes: asyncio.Queue[Any] = asyncio.Queue()
        waits = not self.pool.idle
        asked = asyncio.ensure_future(self._run(job, notes.put_nowait))
        gone = asyncio.ensure_future(_gone(request))
        note = asyncio.ensure_future(notes.get())
        try:
            if waits:
                yield b'{"waiting": true}\n'
            while not asked.done():
                await asyncio.wait({asked, gone, note}, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    return
                if note.done():
                    said, note = note.result(), asyncio.ensure_future(notes.get())
                    yield json.dumps(said).encode() + b"\n"
            answer = asked.result()
            yield b'{"status": %d, "answer": %s}\n' % (answer.status_code, bytes(answer.body))
        finally:
            for task in (asked, gone, note):
                task.cancel()

    @contextmanager
    def _counted(self, request: Request) -> Iterator[bool]:
        """Counts a question of a client while it runs; whether it may be asked."""
        client = request.client.host if request.client else ""
        if self.per_client and self.asking.get(client, 0) >= self.per_client:
            yield False
            return
        self.asking[client] = self.asking.get(client, 0) + 1
        try:
            yield True
        finally:
            self.asking[client] -= 1
            if not self.asking[client]:
                del self.asking[client]

    def _too_many(self) -> Response:
        return _turned_away(429, f"at most {self.per_client} questions at a time, please")

    async def _run(self, job: dict[str, Any], tell: Callable[[Any], None] = lambda said: None) -> Response:
        allowed = self.pool.limits.seconds
        if "body" in job and "time_limit" in job["body"]:
            given = job["body"]["time_limit"]
            job["body"]["time_limit"] = allowed if given is None else min(given, allowed)
        try:
            reply = await self.pool.run(job, allowed + 1, tell)
        except Busy:
            return _turned_away(503, FULL)
        except Late:
            return _refused(504, f"this takes longer than the {allowed:g} s that the server allows")
        except Lost:
            return _turned_away(503, "the worker ended in the middle of this; try again, or a smaller instance")
        if reply is None:
            return _refused(500, "something went wrong in the server; its log says what")
        status, text = reply
        return Response(text, status, media_type="application/json")


class _Lines(StreamingResponse):
    """Lines of JSON, one by one; ``stack`` is closed when the last is sent or nobody reads them any more."""

    def __init__(self, lines: AsyncGenerator[bytes, None], stack: ExitStack) -> None:
        super().__init__(lines, media_type="application/x-ndjson")
        self.lines, self.stack = lines, stack

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Sends them."""
        with self.stack:
            async with aclosing(self.lines):
                await super().__call__(scope, receive, send)


async def _gone(request: Request) -> None:
    """Returns when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _refused(status: int, error: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": error, "code": CODES.get(status, "not-found")}, status, headers)


def _turned_away(status: int, error: str) -> JSONResponse:
    return _refused(status, error, {"Retry-After": str(RETRY)})


def _errors(app: FastAPI) -> None:
    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        """Which part of the body is wrong; the part itself is not sent back."""
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:] if not isinstance(part, str) or len(part) < 40)
        return _refused(422, f"{where or 'the body'}: {str(first['msg'])[:200]}")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return FileResponse(STATIC / "index.html", 404)  # a person who mistyped: the page shows what there is
        words = {404: "there is nothing at this address", 405: "this address takes other methods", 400: "the body is no JSON"}
        return _refused(error.status_code, words.get(error.status_code, str(error.detail)))


SAID: dict[int | str, dict[str, Any]] = {status: {"model": Error} for status in (400, 404, 413, 422, 429, 503, 504)}
SUMMARIES = {
    "solve": "what follows from an instance: a plan, scores, exact risks",
    "draw": "an instance as a picture, with its text and how it stands",
    "why": "why a cell is what it is, or what speaks for and against a move",
    "legal": "the legal moves",
    "move": "an instance after a move, a given one or the computer's",
    "hint": "the best move",
    "paint": "an instance with something put on a cell",
    "review": "where a game was lost",
    "write": "an instance in every format of the game",
    "count": "the number of solutions",
    "every": "solutions, one after another",
    "best": "the best solutions, one by one",
    "run": "solve as lines of JSON: states and seconds while it runs, last the status and the answer",
}


def _api(app: FastAPI, desk: _Desk) -> None:
    @app.get("/healthz", summary="whether the server works")
    async def healthz() -> dict[str, Any]:
        pool = desk.pool
        return {"status": "ok", "version": __version__, "workers": len(pool.processes), "idle": pool.idle, "waiting": pool.waiting}

    @app.get("/api/v1/games", responses=SAID, summary="the games and what each offers")
    async def games(request: Request) -> Response:
        return await desk.answer(request, {"action": "games"})

    @app.get("/api/v1/models", responses=SAID, summary="models that can be asked without a game")
    async def models(request: Request) -> Response:
        return await desk.answer(request, {"action": "models"})

    @app.post("/api/v1/models/{model}", responses=SAID, summary="a question to a model: solve, count, sample, backbone, conflict")
    async def model(model: str, question: ModelQuestion, request: Request) -> Response:
        return await desk.answer(request, {"action": "model", "model": model, "body": question.model_dump()})

    def add(action: str) -> None:
        async def ask(game: str, question: Question, request: Request) -> Response:
            answer = desk.told if action == work.WATCHED else desk.answer
            return await answer(request, {"action": action, "game": game, "body": question.model_dump()})

        app.post(f"/api/v1/{{game}}/{action}", responses=SAID, summary=SUMMARIES[action], operation_id=action)(ask)

    for action in work.ACTIONS:
        add(action)


def _pages(app: FastAPI) -> None:
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.get("/", include_in_schema=False)
    async def home() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/{page}", include_in_schema=False)
    async def page(page: str) -> FileResponse:
        if page != "models" and catalogue.key(page) not in catalogue.games():
            raise HTTPException(404)
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

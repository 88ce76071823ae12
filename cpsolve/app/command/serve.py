"""``cpsolve serve``: the page, on this machine unless told otherwise."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cpsolve.app.command.outcome import BadInput, note, seconds, trouble

EXAMPLES = ("cpsolve serve", "cpsolve serve --port 8080 --open")


def serve(
    port: Annotated[int, typer.Option("--port", help="Where to listen; 0 for any free port.", min=0, max=65535)] = 8000,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Listen here: others can then reach the page.")] = "127.0.0.1",
    allow_host: Annotated[list[str] | None, typer.Option("--allow-host", metavar="NAME", help="Answer under this name too.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    workers: Annotated[int, typer.Option("--workers", metavar="N", help="Processes that solve; 0 for one per core.", min=0)] = 0,
    queue: Annotated[int, typer.Option("--queue", metavar="N", help="Questions that may wait.", min=0)] = 64,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", help="The longest answer.", min=0.1, callback=seconds)
    ] = 30.0,
    memory: Annotated[int, typer.Option("--memory", metavar="MB", help="Memory of a worker; 0 for any.", min=0)] = 2048,
) -> None:
    """Open the page: enter positions, ask why, play, in a browser."""
    import asyncio
    import socket

    import uvicorn

    from cpsolve.app.web.pool import Limits
    from cpsolve.app.web.server import LOCAL, make_app

    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)  # only workers write long numbers, and nobody may send one
    local = host in ("127.0.0.1", "::1", "localhost")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        option = "--host" if isinstance(error, socket.gaierror) else "--port"
        raise BadInput(f"cannot listen on {host}, port {port}: {trouble(error)}; give another {option}") from error
    names = [*LOCAL, f"[{host}]" if ":" in host else host, *(allow_host or ())]
    limits = Limits(workers or max(2, os.cpu_count() or 2), queue, time_limit, memory)
    app = make_app(limits, names, per_client=0 if local else 16)
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else names[3]}:{listener.getsockname()[1]}/"
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))

    async def run() -> None:
        note("starting: on a new machine the games are compiled first, which takes a minute")
        serving = asyncio.ensure_future(server.serve([listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.05)
        if server.started:
            typer.echo(f"the page is at {address} (Ctrl-C ends it)")
            if open_page:
                import webbrowser

                webbrowser.open(address)
        await serving

    asyncio.run(run())

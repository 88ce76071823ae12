"""Worker processes for a server: each does one job at a time, within limits of time and memory.

A job that is cancelled, or that takes too long, is interrupted as by Ctrl-C; a worker that does not come back at once is killed, and
another takes its place. Workers are forked from a server process that has loaded and compiled everything before (``forkserver``), so a
new one is ready within milliseconds. Jobs wait in a queue of limited length; beyond it there is :class:`Busy`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from cpsolve.processes import end_with_parent
from cpsolve.words import allow_long_numbers

Tell = Callable[[Any], None]
GRACE = 0.5
"""Seconds that an interrupted worker has to come back."""


class Busy(Exception):
    """All workers work, and as many jobs wait as may."""


class Late(Exception):
    """The time of a job was over."""


class Lost(Exception):
    """The worker ended in the middle of a job."""


@dataclass(frozen=True)
class Limits:
    """What a pool may use: workers, jobs that wait, seconds per job, and megabytes per worker (0 for any number)."""

    workers: int = 2
    queue: int = 64
    seconds: float = 30.0
    megabytes: int = 2048


class _Worker:
    """A process and the parent's end of its pipe."""

    def __init__(self, context: Any, target: str, megabytes: int) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, target, megabytes), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, job: Any, tell: Tell) -> Any:
        """Sends a job and waits for what becomes of it; ``tell`` gets what the job says before. Lost when the worker ends."""
        try:
            self.connection.send(job)
            while True:
                last, said = self.connection.recv()
                if last:
                    return said
                tell(said)
        except (EOFError, OSError) as error:
            raise Lost from error

    def interrupt(self) -> None:
        """As if Ctrl-C were pressed in the worker."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGINT)

    def end(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Pool:
    """Some workers that run ``target``, the name ``module:function`` of what turns a job into an answer.

    The function is called with the job and with ``tell``, by which it may say how far it is.
    """

    def __init__(self, target: str, limits: Limits, preload: str = "") -> None:
        self.target, self.limits = target, limits
        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if preload and "forkserver" in methods:
            self._context.set_forkserver_preload([preload])
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(2 * limits.workers, thread_name_prefix="worker")
        self._background: set[asyncio.Task[None]] = set()
        self._open = False
        self.waiting = 0

    async def start(self) -> None:
        """Starts the workers."""
        self._open = True
        for _ in range(self.limits.workers):
            await self._add()

    async def close(self) -> None:
        """Ends the workers."""
        self._open = False
        for task in list(self._background):
            task.cancel()
        for worker in list(self._workers):
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    @property
    def processes(self) -> list[int]:
        """The process numbers of the workers."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    @property
    def idle(self) -> int:
        """How many workers wait for a job."""
        return self._free.qsize()

    @property
    def full(self) -> bool:
        """Whether no worker is free and as many jobs wait as may."""
        return self._free.empty() and self.waiting >= self.limits.queue

    async def run(self, job: Any, seconds: float | None = None, tell: Tell = lambda said: None) -> Any:
        """What the target makes of a job; Busy, Late or Lost when nothing does. Cancelling it frees the worker.

        ``tell`` is called in this thread with whatever the job says before it has an answer.
        """
        if self.full:
            raise Busy
        self.waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self.waiting -= 1
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._threads, worker.ask, job, partial(_told, loop, tell))
        try:
            answer = await asyncio.wait_for(asyncio.shield(asked), self.limits.seconds if seconds is None else seconds)
        except TimeoutError:
            self._later(self._stop(worker, asked))
            raise Late from None
        except asyncio.CancelledError:
            self._later(self._stop(worker, asked))
            raise
        except Lost:
            self._later(self._replace(worker))
            raise
        self._free.put_nowait(worker)
        return answer

    async def _stop(self, worker: _Worker, asked: asyncio.Future[Any]) -> None:
        """Interrupts a job; the worker goes on with the next, or another does."""
        worker.interrupt()
        await asyncio.wait([asked], timeout=GRACE)
        if asked.done() and asked.exception() is None:
            self._free.put_nowait(worker)
        else:
            await self._replace(worker)
            with contextlib.suppress(Lost):
                await asked

    async def _replace(self, worker: _Worker) -> None:
        self._workers.discard(worker)
        worker.end()
        await self._add()

    async def _add(self) -> None:
        if self._open:
            loop = asyncio.get_running_loop()
            worker = await loop.run_in_executor(None, _Worker, self._context, self.target, self.limits.megabytes)
            self._workers.add(worker)
            self._free.put_nowait(worker)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def _told(loop: asyncio.AbstractEventLoop, tell: Tell, said: Any) -> None:
    """Passes on what a worker says; when the server has ended meanwhile, nobody hears it."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(tell, said)


# -- in the worker


class _Interrupts:
    """Ctrl-C that counts only while a job runs, and never tears a message: what comes between two jobs is too late."""

    def __init__(self) -> None:
        self.working = self.sending = self.missed = False
        signal.signal(signal.SIGINT, self._interrupted)

    def _interrupted(self, number: int, frame: object) -> None:
        if self.sending:
            self.missed = True
        elif self.working:
            raise KeyboardInterrupt

    def whole(self, send: Callable[[], None]) -> None:
        """Sends a message of a job; an interrupt meanwhile comes after it."""
        self.sending = True
        try:
            send()
        finally:
            self.sending = False
        if self.missed:
            self.missed = False
            raise KeyboardInterrupt


def _serve(connection: Connection, target: str, megabytes: int) -> None:
    """The life of a worker: job after job, until the parent is gone."""
    interrupts = _Interrupts()
    allow_long_numbers()
    end_with_parent()
    module, _, name = target.partition(":")
    function: Callable[[Any, Tell], Any] = getattr(importlib.import_module(module), name)
    _limit_memory(megabytes)

    def tell(said: Any) -> None:
        interrupts.whole(lambda: connection.send((False, said)))

    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        answer: Any = None
        try:
            interrupts.working, interrupts.missed = True, False
            answer = function(job, tell)
            interrupts.working = False
        except KeyboardInterrupt:
            interrupts.working = False
        except BaseException:
            interrupts.working = False
            traceback.print_exc(file=sys.stderr)
        connection.send((True, answer))


def _limit_memory(megabytes: int) -> None:
    """Lets the process take so much more memory than it has now, where the system can say that."""
    try:
        import resource
    except ImportError:
        return
    if megabytes:
        with contextlib.suppress(ValueError, OSError):
            status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
            taken = int(next(line for line in status if line.startswith("VmData")).split()[1]) * 1024
            resource.setrlimit(resource.RLIMIT_DATA, (taken + megabytes * 2**20, resource.RLIM_INFINITY))

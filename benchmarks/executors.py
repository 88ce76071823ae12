"""Where long work is done: in threads, in processes, or by the workers of a dask scheduler."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from typing import Any


def executor_of(name: str, workers: int) -> Any:
    """The executor of a name: ``threads``, ``processes``, or the address of a dask scheduler."""
    if name == "threads":
        return ThreadPoolExecutor(workers)
    if name == "processes":
        return ProcessPoolExecutor(workers)
    from distributed import Client

    return Client(name)


def finished(executor: Any, running: Collection[Any]) -> Iterator[Any]:
    """The futures of an executor as they come to their end; those of dask in any order."""
    return as_completed(running) if isinstance(executor, Executor) else iter(running)

"""Processes that work for another one, as those of a campaign, a comparison and the page do."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """Has this process end as soon as the one that started it is gone, however that ended: there is nobody left to work for.

    In a process that nobody started by ``multiprocessing`` nothing happens.

    >>> end_with_parent()
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()

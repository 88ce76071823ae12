"""What a process of its own does to ask ``ms-toollib`` about one board; apart, so that the process loads nothing else of ours."""

from __future__ import annotations

import time
from multiprocessing.connection import Connection


def ask(board: list[list[int]], mines: int, parent: Connection) -> None:
    """Tells the parent that it is ready, and then how many seconds the peer took."""
    import ms_toollib

    parent.send("ready")
    begin = time.perf_counter()
    ms_toollib.cal_probability_csp(board, float(mines))
    parent.send(time.perf_counter() - begin)

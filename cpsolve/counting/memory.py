"""The budget of counting is memory: every large array is asked for here, and refused before it is made when it would not fit.

Numbers of ways are kept in 64-bit words, lowest first; Python's own integers come back at the end.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpsolve.errors import DiagramTooWide
from cpsolve.limits import budget, bytes_of, in_megabytes

GIGABYTE = 1 << 30


def available() -> int:
    """Half of the memory that is free now, at most 2 GB."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            free = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return 2 * GIGABYTE
    return min(2 * GIGABYTE, free // 2)


class Memory:
    """How many bytes may be used, and how many are; ``max_nodes`` further limits the nodes of a diagram.

    >>> Memory(10**6).table(1024, 2).nbytes
    16384
    """

    def __init__(self, limit: int | None = None, max_nodes: int | None = None) -> None:
        self.max_nodes = None if max_nodes is None else budget(max_nodes, "max_nodes")
        self.limit = available() if limit is None else bytes_of(limit)
        self.used = 0

    def apart(self) -> Memory:
        """The same budget for work that may be left unfinished: what that has booked then need not be given back.

        >>> memory = Memory(1000)
        >>> memory.apart().take(800)
        >>> memory.used
        0
        """
        return copy(self)

    def check(self, size: int, width: int = 0) -> None:
        """DiagramTooWide if there is no room for some bytes more; ``width`` is the number of states met, for the error."""
        if self.used + size > self.limit:
            raise DiagramTooWide(
                f"counting needs more than {in_megabytes(self.limit)} of memory (a layer of {width:,} states or more): "
                "the model is too wide. Raise max_memory, list with model.solutions(), or state it with constraints on fewer variables",
                width,
                self.limit,
            )

    def take(self, size: int, width: int = 0) -> None:
        """Books some bytes."""
        self.check(size, width)
        self.used += size

    def check_nodes(self, nodes: int) -> None:
        """DiagramTooWide when there are more nodes than were allowed."""
        if self.max_nodes is not None and nodes > self.max_nodes:
            raise DiagramTooWide(
                f"the diagram is too wide: it has {nodes:,} nodes or more, and the budget is {self.max_nodes:,} nodes in all. "
                "Raise max_nodes, list with model.solutions(), or state the model with constraints on fewer variables",
                nodes,
                self.max_nodes,
            )

    @property
    def most_values(self) -> int:
        """How many values of a variable or an expression may be listed one by one."""
        return self.limit // 200 if self.max_nodes is None else self.max_nodes

    def give_back(self, size: int) -> None:
        """Books that some bytes are free again."""
        self.used -= size

    def table(self, rows: int, columns: int) -> NDArray[np.uint64]:
        """An empty table of words."""
        self.take(rows * columns * 8, rows // 2)
        return np.zeros((rows, columns), np.uint64)

    def release(self, array: NDArray[Any]) -> None:
        """Books that an array is no longer needed."""
        self.give_back(array.nbytes)


def int_sum(words: NDArray[np.uint64]) -> int:
    """The sum of the numbers in the rows of an array.

    >>> int_sum(np.array([[1, 1], [2, 0]], np.uint64)) == 3 + 2**64
    True
    """
    low = (words & np.uint64(0xFFFFFFFF)).sum(axis=0, dtype=np.uint64).tolist()
    high = (words >> np.uint64(32)).sum(axis=0, dtype=np.uint64).tolist()
    return sum((a + (b << 32)) << (64 * i) for i, (a, b) in enumerate(zip(low, high, strict=True)))


def integers(words: NDArray[np.uint64]) -> list[int]:
    """The rows of an array as numbers.

    >>> integers(np.array([[1, 1], [2, 0]], np.uint64))
    [18446744073709551617, 2]
    """
    return [int.from_bytes(row.tobytes(), "little") for row in np.ascontiguousarray(words, "<u8")]

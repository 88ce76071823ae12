"""What outlives a change of a model, so that one constraint more is not compiling from nothing.

Nothing here can be stale. An automaton is found again only by all that decides it: the constraint itself, the order in which its variables
are read, and the values they may have. A diagram is kept with the constraints it stands for, and serves a model that has these and more.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cpsolve.expressions import Variable

if TYPE_CHECKING:
    from cpsolve.counting.product import Diagram
    from cpsolve.model import Model, NamedConstraint

Tables = list[NDArray[np.int32]]

ROOM = 64 << 20
"""Bytes of tables that a model keeps."""


MOST = 100_000
"""Automata that a model keeps."""


@dataclass
class Kept:
    """Tables of automata by what decides them, whose they are, and a diagram with the variables and constraints that it stands for.

    ``made`` is how many tables had to be made, ``extended`` how many diagrams were made of an earlier one.
    """

    tables: dict[Hashable, Tables] = field(default_factory=dict)
    automata: dict[Hashable, tuple[tuple[int, ...], Tables] | bool] = field(default_factory=dict)
    diagram: tuple[tuple[Variable, ...], tuple[NamedConstraint, ...], Diagram] | None = None
    made: int = 0
    extended: int = 0
    size: int = 0

    def keep(self, key: Hashable, tables: Tables) -> None:
        """Keeps new tables if there is room; all others go where it is needed."""
        self.made += 1
        size = sum([table.nbytes for table in tables])
        if size > ROOM:
            return
        self.size += size
        if self.size > ROOM:
            self.size, self.tables, self.automata = size, {}, {}
        self.tables[key] = tables

    def remember(self, key: Hashable, automaton: tuple[tuple[int, ...], Tables] | bool) -> None:
        """Keeps whose the tables are: the places at which they are read among those of the constraint's variables, or what is certain."""
        if isinstance(automaton, tuple) and sum([table.nbytes for table in automaton[1]]) > ROOM:
            return
        if len(self.automata) >= MOST:
            self.automata = {}
        self.automata[key] = automaton

    def keep_diagram(self, model: Model, diagram: Diagram) -> None:
        """Keeps the diagram of a model if there is room."""
        if sum([arcs.nbytes for component in diagram.components for arcs in component.arcs]) <= ROOM:
            self.diagram = model.variables, model.constraints, diagram


def kept_of(model: Model) -> Kept:
    """What a model and its copies keep.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> kept_of(m) is kept_of(m.copy())
    True
    """
    kept: Kept = model.lasting.setdefault("counting", Kept())
    return kept

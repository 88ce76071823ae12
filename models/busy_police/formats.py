"""The texts of Busy Police: the original's Prolog facts, a drawing, a plain map, and the original's five scenes.

``carrinho(Hor, Ver)``, ``escada(Hor, Ver)`` and ``evidencia(Hor, Ver)`` are the original's. It gives the officer, the fugitive and
the size elsewhere (in the query and in a rule); here ``policial/2``, ``fugitivo/2`` and ``dimensoes/2`` may say them, so that
a scene fits in one file. The original's program loads such a file too.

A drawing or map has one line per floor, the top floor first, and one sign per cell (``SIGNS``). Ladders stand between the floors that they
join: as ``H`` in the drawing, ``|`` in the map, below the cell that they lead up to. ``H`` in a cell is the foot of a ladder too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from cpsolve.errors import FormatError
from cpsolve.limits import looking
from cpsolve.prolog import Struct, Term, parse_facts, to_facts
from cpsolve.prolog import to_text as term_text
from cpsolve.puzzles.boards_as_text import last_place, lines_of, places_of, signs_in
from cpsolve.puzzles.plans import MOST_CELLS, Cell, Plan
from models.busy_police.rules import Scene, State

WIDTH, FLOORS = 10, 5
"""The size of the original's scenes."""


def from_prolog(
    text: str, officer: Cell | None = None, fugitive: Cell | None = None, width: int | None = None, floors: int | None = None
) -> Scene:
    """A scene from facts; what the arguments say goes before what the facts say. Rules in the text are left out.

    >>> scene = from_prolog("carrinho(8, 1). escada(2, 1).", officer=(10, 1), fugitive=(10, 5))
    >>> scene.carts, scene.width, scene.floors
    (frozenset({(8, 1)}), 10, 5)
    """
    found: dict[str, list[Cell]] = {name: [] for name in ("carrinho", "escada", "evidencia", "policial", "fugitivo", "dimensoes")}
    for fact in parse_facts(text, skip_rules=True):
        term = fact.term
        if not isinstance(term, Struct) or term.name not in found:
            found_text = term.indicator if isinstance(term, Struct) else repr(term)
            raise fact.error(f"expected carrinho/2, escada/2, evidencia/2, policial/2, fugitivo/2 or dimensoes/2, found {found_text}")
        match term.args:
            case (int(first), int(second)):
                cell = (first, second)
            case _:
                raise fact.error(f"expected two integers, {term.name}(Hor, Ver), found {to_facts([term]).strip()}")
        if term.name in ("policial", "fugitivo", "dimensoes") and found[term.name]:
            raise fact.error(f"expected one {term.name}/2, found a second")
        found[term.name].append(cell)
    size = found["dimensoes"][0] if found["dimensoes"] else (WIDTH, FLOORS)
    return Scene(
        size[0] if width is None else width,
        size[1] if floors is None else floors,
        found["carrinho"],
        found["escada"],
        _place("officer", "policial", officer, found["policial"]),
        _place("fugitive", "fugitivo", fugitive, found["fugitivo"]),
        found["evidencia"],
    )


def _place(name: str, predicate: str, given: Cell | None, found: list[Cell], sign: str = "") -> Cell:
    if given is not None:
        return given
    if not found:
        expected = f"the sign {sign}" if sign else f"the fact {predicate}(Hor, Ver)"
        raise FormatError(f"nothing says where the {name} is: expected {expected}, or the option {name}: a column and a floor")
    return found[0]


def to_prolog(scene: Scene) -> str:
    """A scene as facts, the original's first.

    >>> print(to_prolog(Scene(3, 2, [(2, 1)], [(3, 1)], (1, 1), (1, 2))), end="")
    carrinho(2, 1).
    escada(3, 1).
    policial(1, 1).
    fugitivo(1, 2).
    dimensoes(3, 2).
    """
    facts = [Struct("carrinho", cell) for cell in sorted(scene.carts)]
    facts += [Struct("escada", cell) for cell in sorted(scene.ladders)]
    facts += [Struct("evidencia", cell) for cell in sorted(scene.evidence)]
    facts += [Struct("policial", scene.officer), Struct("fugitivo", scene.fugitive), Struct("dimensoes", (scene.width, scene.floors))]
    return to_facts(facts, spaced=True)


def draw(scene: Scene, path: Iterable[Cell] = ()) -> str:
    """The scene as text, top floor first: officer ``P``, fugitive ``F``, cart ``o``, ladder ``H``, evidence ``e``, path ``·``.

    Where several are in one cell there is a sign for it: ``p`` is the officer on evidence, for example; see ``SIGNS``.

    >>> print(draw(Scene(4, 2, [(2, 1)], [(4, 1)], (1, 1), (1, 2), evidence=[(2, 2)])))
    2 | F e . . |
      |       H |
    1 | P o . H |
        1 2 3 4
    """
    marks = dict.fromkeys(path, "·") | _marks(scene)
    margin = len(str(scene.floors))
    column_width = len(str(scene.width))
    lines = []
    for floor in range(scene.floors, 0, -1):
        row = " ".join(marks.get((column, floor), ".").rjust(column_width) for column in range(1, scene.width + 1))
        lines.append(f"{floor:>{margin}} | {row} |")
        if floor > 1:
            rungs = " ".join(
                ("H" if (column, floor - 1) in scene.ladders else " ").rjust(column_width) for column in range(1, scene.width + 1)
            )
            lines.append(f"{'':>{margin}} | {rungs} |")
    lines.append(f"{'':>{margin}}   " + " ".join(f"{column:>{column_width}}" for column in range(1, scene.width + 1)))
    return "\n".join(lines)


SIGNS = {
    "P": ("officer",),
    "F": ("fugitive",),
    "e": ("evidence",),
    "o": ("cart",),
    "H": ("ladder",),
    "p": ("officer", "evidence"),
    "f": ("fugitive", "evidence"),
    "&": ("officer", "fugitive"),
    "@": ("officer", "fugitive", "evidence"),
    ".": (),
    "·": (),
}
"""What a sign says of its cell."""
MEANS = {things: sign for sign, things in SIGNS.items() if things}


def _marks(scene: Scene) -> dict[Cell, str]:
    """The sign of every cell that is not free."""
    marks = dict.fromkeys(scene.ladders, "H") | dict.fromkeys(scene.carts, "o")
    for cell in {*scene.evidence, scene.officer, scene.fugitive}:
        there = (("officer", cell == scene.officer), ("fugitive", cell == scene.fugitive), ("evidence", cell in scene.evidence))
        marks[cell] = MEANS[tuple(name for name, here in there if here)]
    return marks


def to_text(scene: Scene) -> str:
    """The scene as a plain map, one sign per cell and a line of ladders between floors.

    >>> print(to_text(Scene(4, 2, [(2, 1)], [(4, 1)], (1, 1), (1, 2), evidence=[(2, 2)])))
    Fe..
       |
    Po.H
    """
    marks = _marks(scene)
    lines = []
    for floor in range(scene.floors, 0, -1):
        lines.append("".join(marks.get((column, floor), ".") for column in range(1, scene.width + 1)))
        rungs = "".join("|" if (column, floor - 1) in scene.ladders else " " for column in range(1, scene.width + 1)).rstrip()
        if rungs:
            lines.append(rungs)
    return "\n".join(lines)


def from_text(text: str, officer: Cell | None = None, fugitive: Cell | None = None) -> Scene:
    """A scene from a drawing like that of ``str``, or from a plain map; what the arguments say goes before what it shows.

    >>> scene = from_text("Fe..\\n   |\\nPo.H")
    >>> from_text(str(scene)) == from_text(to_text(scene)) == scene
    True
    """
    lines = lines_of(text, MOST_CELLS, MOST_CELLS)
    drawn = any(line.count("|") == 2 and line.strip()[:1].isdecimal() for _, line in looking(lines, "reading the scene"))
    rows = list(looking(_drawn_rows(lines) if drawn else _map_rows(lines), "reading the scene"))
    floors = [row for row in rows if not row.between]
    if not floors:
        raise FormatError("expected a map, one line per floor, found none")
    width = floors[0].size
    if width * len(floors) > MOST_CELLS:
        raise FormatError(f"a map of {width:,} by {len(floors):,} is too large: expected at most {MOST_CELLS:,} cells", floors[0].line)
    found: dict[str, list[Cell]] = {name: [] for name in ("officer", "fugitive", "evidence", "cart", "ladder")}
    for (column, floor), sign, row, place in looking(_cells(rows, width, len(floors)), "reading the scene"):
        if row.between:
            if sign != " ":
                found["ladder"].append((column, floor - 1))
            continue
        if sign not in SIGNS:
            raise FormatError(f"found {sign!r}: a cell is one of {' '.join(SIGNS)}", row.line, place)
        for thing in SIGNS[sign]:
            if thing in ("officer", "fugitive") and found[thing]:
                raise FormatError(f"expected one {thing}, found a second", row.line, place)
            found[thing].append((column, floor))
    if any(below < 1 for _, below in found["ladder"]):
        raise FormatError("a ladder hangs below the lowest floor: expected ladders between two floors")
    return Scene(
        width,
        len(floors),
        found["cart"],
        set(found["ladder"]),  # the foot of a ladder and its rungs are one
        _place("officer", "policial", officer, found["officer"], "P"),
        _place("fugitive", "fugitivo", fugitive, found["fugitive"], "F"),
        found["evidence"],
    )


class Row(NamedTuple):
    """A line of a map: its number, how many cells it has, where its first one stands, and whether it is between floors.

    ``text`` has one character per cell; ``spaced`` says that the cells are set apart.
    """

    line: int
    text: str
    size: int
    first: int
    between: bool
    spaced: bool
    pitch: int = 1

    def signs(self) -> Iterator[tuple[str, int]]:
        """The signs of the cells, and where they stand in the line."""
        if self.spaced:
            return places_of(self.text, self.first)
        return ((sign, self.first + self.pitch * number) for number, sign in enumerate(self.text))

    def last(self) -> int:
        """Where the last of them stands."""
        return last_place(self.text, self.first) if self.spaced else max(1, self.first + self.pitch * (self.size - 1))


def _cells(rows: list[Row], width: int, floors: int) -> Iterator[tuple[Cell, str, Row, int]]:
    """The signs of a map with their cells and places, the top floor first; what stands between floors belongs to the floor above."""
    floor = floors + 1
    for row in rows:
        floor -= not row.between
        if row.size > width if row.between else row.size != width:
            raise FormatError(f"expected {width} cells as on the top floor, found {row.size}", row.line, row.last())
        for column, (sign, place) in enumerate(row.signs(), start=1):
            yield (column, floor), sign, row, place


def _map_rows(lines: list[tuple[int, str]]) -> Iterator[Row]:
    for number, line in lines:
        if text := line.rstrip():
            yield Row(number, text, len(text), 1, between=not text.strip(" |"), spaced=False)


def _drawn_rows(lines: list[tuple[int, str]]) -> Iterator[Row]:
    width = 0
    for number, line in lines:
        if line.count("|") != 2:
            if line.strip(" 0123456789"):
                raise FormatError("expected a floor such as '1 | P . H |' or the ladders between two", number, 1)
            continue
        label, inside, _ = line.split("|")
        start = len(label) + 2
        if label.strip():
            size = signs_in(inside)
            width = width or size
            yield Row(number, inside, size, start, between=False, spaced=True)
        else:
            pitch = max(1, (len(inside) - 1) // max(1, width))  # cells are as wide as the number of the last column
            text = inside[pitch - 1 : max(0, len(inside) - 1) : pitch]
            yield Row(number, text, len(text), start + pitch - 1, between=True, spaced=False, pitch=pitch)


def answer(scene: Scene, plan: Plan[State]) -> str:
    """A plan as the original prints it: the states before the arrest, the last one first; with evidence, a state of its own per piece.

    >>> from models.busy_police import solve
    >>> scene = Scene(3, 1, [], [], officer=(1, 1), fugitive=(3, 1), evidence=[(2, 1)])
    >>> answer(scene, solve(scene))
    'R = [estado(2, 1, [evidencia(2, 1)]), estado(2, 1, []), estado(1, 1, [])] .'
    """
    states: list[Struct] = []
    collected: list[Term] = []
    for before, state in zip((None, *plan.states), plan.states, strict=False):
        states.append(Struct("estado", (*state.cell, *([list(collected)] if scene.evidence else []))))
        if state.collected - (before.collected if before else frozenset()):
            collected.insert(0, Struct("evidencia", state.cell))
            states.append(Struct("estado", (*state.cell, list(collected))))
    return f"R = {term_text(list(reversed(states[:-1])), spaced=True)} ."


def film(scene: Scene, plan: Plan[State], number: int) -> Iterator[str]:
    """The drawings of a plan, one per state, with the cells walked so far.

    >>> from models.busy_police import solve
    >>> scene = Scene(3, 1, [], [], officer=(1, 1), fugitive=(3, 1))
    >>> print(list(film(scene, solve(scene), 1))[-1])
    path 1, move 2 of 2: walk right
    1 | · · & |
        1 2 3
    """
    for step, state in enumerate(plan.states):
        here = Scene(scene.width, scene.floors, scene.carts, scene.ladders, state.cell, scene.fugitive, scene.evidence - state.collected)
        told = f"path {number}, move {step} of {len(plan.moves)}" + (f": {plan.moves[step - 1]}" if step else "")
        yield f"{told}\n{draw(here, [walked.cell for walked in plan.states[:step]])}"


_FACTS = {
    "ambiente1": """
        carrinho(8, 1). carrinho(3, 2). carrinho(4, 3). carrinho(3, 5). carrinho(4, 5).
        escada(2, 1). escada(9, 1). escada(5, 2). escada(3, 3). escada(8, 3). escada(10, 3). escada(1, 4). escada(6, 4).
        policial(10, 1). fugitivo(10, 5).""",
    "ambiente2": """
        carrinho(8, 1). carrinho(3, 2). carrinho(7, 3). carrinho(3, 4). carrinho(4, 5).
        escada(2, 1). escada(9, 1). escada(10, 1). escada(6, 2). escada(1, 3). escada(8, 3). escada(1, 4). escada(9, 4).
        policial(5, 1). fugitivo(7, 5).""",
    "ambiente3": """
        carrinho(3, 2). carrinho(5, 2). carrinho(7, 2). carrinho(7, 3). carrinho(8, 4). carrinho(7, 5).
        escada(9, 1). escada(1, 2). escada(10, 3). escada(5, 4).
        policial(3, 1). fugitivo(1, 5).""",
    "ambiente4": """
        carrinho(7, 1). carrinho(7, 2). carrinho(7, 3). carrinho(7, 4). carrinho(7, 5).
        escada(9, 1). escada(2, 2). escada(10, 3). escada(4, 3). escada(6, 4).
        policial(3, 1). fugitivo(10, 5).""",
}
_FACTS["evidencias"] = _FACTS["ambiente4"] + " evidencia(1, 5). evidencia(1, 4). evidencia(1, 3)."

SCENES: Mapping[str, Scene] = MappingProxyType({name: from_prolog(facts) for name, facts in _FACTS.items()})
"""The original's scenes: ``ambiente1`` to ``ambiente4``, and ``evidencias``, the fourth with evidence to collect."""

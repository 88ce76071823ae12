"""The texts of Pacman: the original's ``params.pl``, its drawing, a plain map, and its board.

``dimensoes(Largura, Altura)``, ``posicao(Objeto, X, Y)`` for ``pacman``, ``ponto`` and ``cereja``, and ``posicao(fantasma, Lista)``
with a list of ``[X, Y]`` are the original's; ``posicao(parede, Lista)`` adds walls.

A drawing or map has one line per row, the top row first, and one sign per cell (``SIGNS``); the original's drawing sets them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cpsolve.errors import FormatError, ModelError
from cpsolve.limits import looking
from cpsolve.prolog import Atom, Fact, Struct, Term, parse_facts, to_facts
from cpsolve.prolog import to_text as term_text
from cpsolve.puzzles.boards_as_text import last_place, lines_of, places_of, signs_in
from cpsolve.puzzles.plans import MOST_CELLS, Cell, Plan
from models.pacman.rules import Board, State

_SINGLE = ("pacman", "ponto", "cereja")
_LISTS = ("fantasma", "parede")


def from_prolog(text: str) -> Board:
    """A board from the facts of ``params.pl``. Rules in the text are left out.

    >>> from_prolog('''dimensoes(3, 2). posicao(pacman, 0, 0). posicao(ponto, 1, 0).
    ...     posicao(cereja, 2, 0). posicao(fantasma, [[0, 1], [1, 1]]).''').ghosts == {(0, 1), (1, 1)}
    True
    """
    places: dict[str, Cell] = {}
    lists: dict[str, list[Cell]] = {}
    for fact in parse_facts(text, skip_rules=True):
        match fact.term:
            case Struct("dimensoes", (int(width), int(height))):
                _once(fact, "dimensoes/2", "dimensoes" in places)
                places["dimensoes"] = (width, height)
            case Struct("posicao", (Atom(thing), int(x), int(y))) if thing in _SINGLE:
                _once(fact, f"posicao({thing}, X, Y)", thing in places)
                places[thing] = (x, y)
            case Struct("posicao", (Atom(thing), [*items])) if thing in _LISTS:
                _once(fact, f"posicao({thing}, Lista)", thing in lists)
                lists[thing] = [_pair(fact, item) for item in items]
            case other:
                raise fact.error(
                    "expected dimensoes(Largura, Altura), posicao(Objeto, X, Y) for pacman, ponto or cereja, "
                    f"or posicao(Objeto, Lista) for fantasma or parede, found {_short(other)}"
                )
    for name in ("dimensoes", *_SINGLE):
        if name not in places:
            expected = "dimensoes(Largura, Altura)" if name == "dimensoes" else f"posicao({name}, X, Y)"
            raise FormatError(f"expected the fact {expected}, found none")
    (width, height), pacman, dot, cherry = (places[name] for name in ("dimensoes", *_SINGLE))
    return Board(width, height, pacman, dot, cherry, lists.get("fantasma", []), lists.get("parede", []))


def _once(fact: Fact, what: str, again: bool) -> None:
    if again:
        raise fact.error(f"expected one {what}, found a second")


def _pair(fact: Fact, item: Term) -> Cell:
    match item:
        case [int(x), int(y)]:
            return x, y
    raise fact.error(f"expected cells [X, Y] in the list, found {_short(item)}")


def _short(term: Term) -> str:
    text = term_text(term, spaced=True)
    return text if len(text) <= 60 else text[:60] + "…"


def to_prolog(board: Board) -> str:
    """A board as ``params.pl``.

    >>> print(to_prolog(BOARDS["seed"]), end="")
    dimensoes(5, 5).
    posicao(pacman, 0, 0).
    posicao(ponto, 1, 2).
    posicao(cereja, 4, 4).
    posicao(fantasma, [[0, 3], [1, 1], [3, 2], [3, 4]]).
    """
    facts = [Struct("dimensoes", (board.width, board.height))]
    for name, cell in zip(_SINGLE, (board.pacman, board.dot, board.cherry), strict=True):
        facts.append(Struct("posicao", (Atom(name), *cell)))
    facts.append(Struct("posicao", (Atom("fantasma"), [list(cell) for cell in sorted(board.ghosts)])))
    if board.walls:
        facts.append(Struct("posicao", (Atom("parede"), [list(cell) for cell in sorted(board.walls)])))
    return to_facts(facts, spaced=True)


def draw(board: Board, state: State | None = None) -> str:
    """The original's drawing of a board, in ``state`` if given; walls are ``#``.

    >>> print(draw(Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], walls=[(2, 1)])))
    ---------------
    |   <   o   C   |
    ---------------
    |   x   _   #   |
    ---------------
    """
    state = board.start() if state is None else state
    marks = dict.fromkeys(board.walls, "#") | {board.cherry: "C"}
    if not state.dot_eaten:
        marks[board.dot] = "o"
    marks |= dict.fromkeys(state.ghosts, "x")
    marks[state.cell] = "<"
    rule = "-----" * board.width
    rows = ["|" + "".join(f"   {marks.get((x, y), '_')}" for x in range(board.width)) + "   |" for y in range(board.height)]
    return "\n".join([rule, *(line for row in rows for line in (row, rule))])


def state_list(board: Board, state: State) -> str:
    """A state as the original's list of the board's positions, row by row; walls, which it does not know, are ``parede``.

    >>> board = Board(3, 1, (0, 0), (1, 0), (2, 0), [])
    >>> state_list(board, board.start())
    '[pacman,ponto,cereja]'
    """
    names = dict.fromkeys(board.walls, "parede") | {board.cherry: "cereja"} | dict.fromkeys(state.ghosts, "fantasma")
    if not state.dot_eaten:
        names[board.dot] = "ponto"
    names[state.cell] = "pacman"
    return f"[{','.join(names.get((x, y), 'vazio') for y in range(board.height) for x in range(board.width))}]"


def answer(board: Board, plan: Plan[State]) -> str:
    """A plan as the original hands it to its interface: the size, then one list per state, the last state first.

    >>> from models.pacman import solve
    >>> board = Board(3, 1, (0, 0), (1, 0), (2, 0), [])
    >>> print(answer(board, solve(board)))
    3x1
    [vazio,vazio,pacman]
    [vazio,pacman,cereja]
    [pacman,ponto,cereja]
    """
    if not isinstance(board, Board):
        raise ModelError("the original knows no maze of food: leave --prolog out")
    return "\n".join([f"{board.width}x{board.height}", *(state_list(board, state) for state in reversed(plan.states))])


def film(board: Board, plan: Plan[State], number: int) -> Iterator[str]:
    """What the original's interface shows of one execution: a drawing per state below the number of the execution, then GAME OVER.

    >>> from models.pacman import solve
    >>> board = Board(3, 1, (0, 0), (1, 0), (2, 0), [])
    >>> texts = list(film(board, solve(board), 1))
    >>> print(texts[0])
    Execucao numero: 1
    ---------------
    |   <   o   C   |
    ---------------
    >>> texts[-1].split()
    ['GAME', 'OVER']
    """
    for state in plan.states:
        yield f"Execucao numero: {number}\n{draw(board, state)}"
    if plan:
        yield "\n" * (board.height // 2 + 1) + " " * (board.width // 3) + "GAME OVER"


SIGNS = {"P": "pacman", "<": "pacman", "o": "dot", "C": "cherry", "x": "ghost", "X": "ghost", "#": "wall", ".": "", "_": "", " ": ""}
"""What a sign says of its cell."""


def to_text(board: Board) -> str:
    """The board as a plain map: ``P`` Pacman, ``o`` the dot, ``x`` a ghost, ``C`` the cherry, ``#`` a wall, ``.`` free.

    >>> print(to_text(Board(3, 2, (0, 0), (1, 0), (2, 0), [(0, 1)], walls=[(2, 1)])))
    PoC
    x.#
    """
    marks = dict.fromkeys(board.walls, "#") | dict.fromkeys(board.ghosts, "x")
    marks |= {board.pacman: "P", board.dot: "o", board.cherry: "C"}
    return "\n".join("".join(marks.get((x, y), ".") for x in range(board.width)) for y in range(board.height))


def from_text(text: str) -> Board:
    """A board from the original's drawing, or from a plain map.

    >>> board = from_text("PoC\\nx.#")
    >>> from_text(draw(board)) == from_text(to_text(board)) == board
    True
    """
    found: dict[str, list[Cell]] = {name: [] for name in ("pacman", "dot", "cherry", "ghost", "wall")}
    lines = [(number, line) for number, line in lines_of(text, MOST_CELLS, MOST_CELLS) if line.strip(" -")]
    if not lines:
        raise FormatError("expected a map, one line per row, found none")
    width = _width(lines[0][1])
    if width * len(lines) > MOST_CELLS:
        raise FormatError(f"a map of {width:,} by {len(lines):,} is too large: expected at most {MOST_CELLS:,} cells", lines[0][0])
    for x, y, sign, number, place in looking(_cells(lines, width), "reading the board"):
        if sign not in SIGNS:
            raise FormatError(f"found {sign!r}: a cell is one of {' '.join(SIGNS).strip()} or a space", number, place)
        if thing := SIGNS[sign]:
            if thing in ("pacman", "dot", "cherry") and found[thing]:
                raise FormatError(f"expected one {thing}, found a second", number, place)
            found[thing].append((x, y))
    for thing, sign in (("pacman", "P"), ("dot", "o"), ("cherry", "C")):
        if not found[thing]:
            raise FormatError(f"nothing says where {thing if thing == 'pacman' else f'the {thing}'} is: expected the sign {sign}")
    return Board(width, len(lines), found["pacman"][0], found["dot"][0], found["cherry"][0], found["ghost"], found["wall"])


def _drawn(line: str) -> bool:
    """Whether a line is a row of the original's drawing, not of a plain map."""
    return line.count("|") == 2


def _width(line: str) -> int:
    return signs_in(line) if _drawn(line) else len(line.rstrip())


def _cells(lines: list[tuple[int, str]], width: int) -> Iterator[tuple[int, int, str, int, int]]:
    """The signs of a map: x and y, the sign, its line and its place there."""
    for y, (number, line) in enumerate(lines):
        if (found := _width(line)) != width:
            last = last_place(line) if _drawn(line) else max(1, found)
            raise FormatError(f"expected {width} cells as in the first row, found {found}", number, last)
        signs = places_of(line) if _drawn(line) else ((sign, place) for place, sign in enumerate(line.rstrip(), start=1))
        for x, (sign, place) in enumerate(signs):
            yield x, y, sign, number, place


_SEED = """
    dimensoes(5, 5).
    posicao(pacman, 0, 0).
    posicao(ponto, 1, 2).
    posicao(cereja, 4, 4).
    posicao(fantasma, [[0, 3], [1, 1], [3, 2], [3, 4]]).
"""

BOARDS: Mapping[str, Board] = MappingProxyType({"seed": from_prolog(_SEED)})
"""The original's board."""

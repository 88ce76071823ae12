"""Links of puzzle sites, such as ``https://puzz.link/p?slither/5/5/cbcbcddad``, read and written for sixteen kinds of puzzles.

Such a link says the kind, the columns, the rows, and then the clues cell by cell, row by row, in a few characters; runs of cells without a
clue are single letters. The encodings are those of the player pzprjs (Hirofumi Fujiwara, sabo2 and others; https://github.com/robx/pzprjs).
Each of them is here a :class:`_Code`, a pair of functions; ``KINDS`` says which ones a kind of puzzle is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NoReturn

from cpsolve.errors import FormatError, ModelError
from cpsolve.puzzles.boards import Cell, GridPuzzle

SITE = "https://puzz.link/p?"
LARGEST = 1000
"""More rows or columns than this are taken for a mistake."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
WAYS = (None, "up", "down", "left", "right")
"""Directions by their number in a link."""
Values = dict[int, Any]
"""What was found at the first, second … of some places; those without anything are left out. None is a clue whose number is not told."""


class _Text:
    """The text of a link and how far it is read; errors know the line and the column."""

    def __init__(self, text: str, line: int, column: int) -> None:
        self._text, self._line, self._column = text, line, column
        self._place = 0

    @property
    def is_read(self) -> bool:
        return self._place == len(self._text)

    def next(self) -> str:
        """The next character, which stays to be read."""
        return self._text[self._place]

    def take(self, count: int = 1) -> str:
        """The next characters."""
        if self._place + count > len(self._text):
            self._place = len(self._text)
            self.fail("the link ends in the middle of a clue")
        self._place += count
        return self._text[self._place - count : self._place]

    def part(self) -> tuple[str, int]:
        """What follows up to the next slash (which is read too), and where it starts."""
        start = self._place
        head, slash, _ = self._text[start:].partition("/")
        self._place += len(head) + len(slash)
        return head, start

    def back(self, count: int = 1) -> None:
        """Has the last characters read once more."""
        self._place -= count

    def digits(self, count: int, base: int) -> int:
        """A number of that many digits."""
        word = self.take(count)
        if any(digit not in DIGITS[:base] for digit in word):
            self.back(count)
            self.fail(f"expected {count} digits of base {base}, got {word!r}" if count > 1 else f"expected a digit, got {word!r}")
        return int(word, base)

    def goes_on(self, done: int, count: int, what: str = "places") -> None:
        """FormatError if all is read before all of something is done."""
        if self.is_read:
            self.fail(f"the link ends after {done} of {count} {what}")

    def fail(self, message: str, place: int | None = None) -> NoReturn:
        """FormatError at what comes next, or at the given place."""
        raise FormatError(message, self._line, self._column + (self._place if place is None else place))


# -- values in the order of places


@dataclass(frozen=True)
class _Code:
    """How values are read from and written to a link, given how many places there are for them."""

    read: Callable[[_Text, int], Values]
    write: Callable[[Values, int], str]


def _reader(one: Callable[[_Text], tuple[Values, int]], *, beyond: bool = False) -> Callable[[_Text, int], Values]:
    """Reads until all places are told. ``one`` takes some characters and gives what they say of the next places, from 0, and how many
    places these are; with ``beyond`` the last of them may lie beyond the last place."""

    def read(text: _Text, count: int) -> Values:
        found: Values = {}
        place = 0
        while place < count:
            text.goes_on(place, count)
            values, step = one(text)
            found.update({place + offset: value for offset, value in values.items() if place + offset < count})
            place += step
            if place > count and not beyond:
                text.back()
                text.fail(f"this leads beyond the last of {count} places")
        return found

    return read


def _with_gaps(first: str, read_one: Callable[[_Text], Any], write_one: Callable[[Any], str]) -> _Code:
    """Values one after another; the letters from ``first`` to z stand for 1, 2 … places without one."""
    low = DIGITS.index(first)
    longest = len(DIGITS) - low

    def one(text: _Text) -> tuple[Values, int]:
        if first <= text.next() <= "z":
            return {}, DIGITS.index(text.take()) - low + 1
        return {0: read_one(text)}, 1

    def write(values: Values, count: int) -> str:
        parts, gap = [], 0
        for place in range(count):
            if place in values:
                parts += [_gap(gap), write_one(values[place])]
                gap = 0
            else:
                gap += 1
        return "".join([*parts, _gap(gap)])

    def _gap(length: int) -> str:
        whole, rest = divmod(length, longest)
        return "z" * whole + (DIGITS[low + rest - 1] if rest else "")

    return _Code(_reader(one), write)


def _read_number(text: _Text) -> int | None:
    """A number in base 16: one digit, two after "-", three after "+", and three more ways to say larger ones."""
    sign = text.take()
    if sign == ".":
        return None
    for mark, digits, more in (("-", 2, 0), ("+", 3, 0), ("=", 3, 4096), ("%", 3, 8192)):
        if sign == mark:
            return text.digits(digits, 16) + more
    text.back()
    if sign not in DIGITS[:16]:
        text.fail(f"expected a number from 0 to f, '-', '+', '.' or a letter from g to z, got {sign!r}")
    return text.digits(1, 16)


def _write_number(value: Any) -> str:
    if value is None:
        return "."
    for limit, mark, less in ((16, "", 0), (256, "-", 0), (4096, "+", 0), (8192, "=", 4096), (12288, "%", 8192)):
        if 0 <= value < limit:
            return mark + format(value - less, "x").zfill(3 if less else 1)
    raise ModelError(f"a link has numbers from 0 to 12287: cannot write {value}")


def _read_arrow(text: _Text) -> tuple[str | None, int | None]:
    sign = text.take()
    if sign == "-":
        way = text.digits(1, 16)
        number: int | None = text.digits(3, 16)
    elif sign in "56789":
        way, number = int(sign) - 5, text.digits(2, 16)
    elif sign in "01234":
        way = int(sign)
        number = text.digits(1, 16) if text.is_read or text.next() != "." else None
        if number is None:
            text.take()
    else:
        text.back()
        text.fail(f"expected an arrow from 0 to 9, '-' or a letter from a to z, got {sign!r}")
    if way >= len(WAYS):
        text.back(4)
        text.fail(f"expected a direction from 0 to 4, got {way}")
    return WAYS[way], number


def _write_arrow(value: Any) -> str:
    way, number = WAYS.index(value[0]), value[1]
    if number is None:
        return f"{way}."
    if 0 <= number < 16:
        return f"{way}{number:x}"
    if 16 <= number < 256:
        return f"{way + 5}{number:x}"
    if 256 <= number < 4096:
        return f"-{way}{number:x}"
    raise ModelError(f"a link has numbers from 0 to 4095 beside arrows: cannot write {number}")


SUMS = "0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""0 to 45: beyond 19 in capitals, as the small letters from k on are gaps."""


def _read_sum(text: _Text) -> int | None:
    sign = text.take()
    if sign not in SUMS:
        text.back()
        text.fail(f"expected a sum, from 0 to 9, a to j (10 to 19) or A to Z (20 to 45), got {sign!r}")
    return SUMS.index(sign) or None


def _write_sum(value: Any) -> str:
    if value is not None and not 0 < value < len(SUMS):
        raise ModelError(f"a link has sums from 1 to {len(SUMS) - 1}: cannot write {value}")
    return SUMS[value or 0]


def _read_sums(text: _Text) -> tuple[int | None, int | None]:
    """The sums (down, right) of a dark cell."""
    if text.next() == ".":
        text.take()
        return None, None
    return _read_sum(text), _read_sum(text)


def _write_sums(value: Any) -> str:
    return "." if tuple(value) == (None, None) else _write_sum(value[0]) + _write_sum(value[1])


def _one_of_four(text: _Text) -> tuple[Values, int]:
    """Numbers from 0 to 4; with 5 or 10 added, one or two places without a number follow."""
    sign = text.take()
    if sign == ".":
        return {0: None}, 1
    if sign in DIGITS[:15]:
        gap, number = divmod(DIGITS.index(sign), 5)
        return {0: number}, 1 + gap
    if sign in DIGITS[16:]:
        return {}, DIGITS.index(sign) - 15
    text.back()
    text.fail(f"expected a number from 0 to e, '.' or a letter from g to z, got {sign!r}")


def _write_four(values: Values, count: int) -> str:
    parts, place, gap = [], 0, 0
    while place < count:
        if place not in values:
            gap += 1
            place += 1
            if gap == 20 or place == count:
                parts.append(DIGITS[gap + 15])
                gap = 0
            continue
        if gap:
            parts.append(DIGITS[gap + 15])
            gap = 0
        number = values[place]
        if number is None:
            parts.append(".")
            place += 1
            continue
        if not 0 <= number <= 4:
            raise ModelError(f"a link has numbers from 0 to 4 here: cannot write {number}")
        free = next((step for step in (1, 2) if place + step in values), 3) - 1  # up to two places without a number go with it
        parts.append(DIGITS[number + 5 * free])
        place += 1 + free
    return "".join(parts)


COLOURS = {1: "white", 2: "black"}


def _three_circles(text: _Text) -> tuple[Values, int]:
    """Three places at a time: nothing, a white or a black circle, as a number of base 3 in one digit of base 27."""
    three = text.digits(1, 27)
    return {offset: COLOURS[circle] for offset, circle in enumerate((three // 9, three // 3 % 3, three % 3)) if circle}, 3


def _write_circles(values: Values, count: int) -> str:
    numbers = {colour: number for number, colour in COLOURS.items()}
    for circle in values.values():
        if circle not in numbers:
            raise ModelError(f"circles are 'white' or 'black', got {circle!r}")
    digits = [numbers[values[place]] if place in values else 0 for place in range(count)] + [0, 0]
    return "".join(DIGITS[9 * digits[i] + 3 * digits[i + 1] + digits[i + 2]] for i in range(0, count, 3))


def _one_told(text: _Text) -> tuple[Values, int]:
    """A number of base 36 for every place: one digit, or two after "-"; "." for none, "@" for one that is not told."""
    sign = text.take()
    if sign == "-":
        return {0: text.digits(2, 36)}, 1
    if sign in "%@.":
        return {} if sign == "." else {0: None}, 1
    text.back()
    return {0: text.digits(1, 36)}, 1


def _write_full(values: Values, count: int) -> str:
    parts = []
    for place in range(count):
        value = values.get(place, -1)
        if value is not None and not -1 <= value < 36**2:
            raise ModelError(f"a link has numbers from 0 to {36**2 - 1} here: cannot write {value}")
        if value is None:
            parts.append("@")
        elif value == -1:
            parts.append(".")
        else:
            parts.append(DIGITS[value] if value < 36 else "-" + DIGITS[value // 36] + DIGITS[value % 36])
    return "".join(parts)


def _one_mark(text: _Text) -> tuple[Values, int]:
    """A mark with the places that follow without one (0 to h), or places without a mark (i to z: 1 to 18)."""
    step = text.digits(1, 36)
    return ({0: True}, 1 + step) if step < 18 else ({}, step - 17)


def _write_marks(values: Values, count: int) -> str:
    parts, place = [], 0
    while place < count:
        marked = place in values
        end = place + 1
        while end < count and end not in values and end - place < 18:
            end += 1
        parts.append(DIGITS[end - place - 1 + (0 if marked else 18)])
        place = end
    return "".join(parts)


NUMBERS = _with_gaps("g", _read_number, _write_number)
ARROWS = _with_gaps("a", _read_arrow, _write_arrow)
SUM_CELLS = _with_gaps("k", _read_sums, _write_sums)
FOUR = _Code(_reader(_one_of_four, beyond=True), _write_four)
CIRCLES = _Code(_reader(_three_circles, beyond=True), _write_circles)
FULL = _Code(_reader(_one_told), _write_full)
MARKS = _Code(_reader(_one_mark), _write_marks)


# -- boards


def _cells(code: _Code, text: _Text, rows: int, columns: int) -> dict[Cell, Any]:
    return {divmod(place, columns): value for place, value in code.read(text, rows * columns).items()}


def _write_cells(code: _Code, puzzle: GridPuzzle) -> str:
    return code.write({row * puzzle.columns + column: clue for (row, column), clue in puzzle.clues.items()}, puzzle.rows * puzzle.columns)


def _read_borders(text: _Text, rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Regions from the walls between them: first those between columns, then those between rows, five at a time in base 32."""

    def walls(count: int) -> list[bool]:
        found: list[bool] = []
        while len(found) < count:
            text.goes_on(len(found), count, "walls")
            five = text.digits(1, 32)
            found += [bool(five & bit) for bit in (16, 8, 4, 2, 1)]
        return found

    upright, level = walls(rows * (columns - 1)), walls((rows - 1) * columns)
    regions: dict[Cell, int] = {}
    count = 0
    for start in ((row, column) for row in range(rows) for column in range(columns)):
        if start in regions:
            continue
        regions[start] = count
        queue = [start]
        for row, column in queue:
            open_to = []
            if column + 1 < columns and not upright[row * (columns - 1) + column]:
                open_to.append((row, column + 1))
            if column and not upright[row * (columns - 1) + column - 1]:
                open_to.append((row, column - 1))
            if row + 1 < rows and not level[row * columns + column]:
                open_to.append((row + 1, column))
            if row and not level[(row - 1) * columns + column]:
                open_to.append((row - 1, column))
            for cell in open_to:
                if cell not in regions:
                    regions[cell] = count
                    queue.append(cell)
        count += 1
    return tuple(tuple(regions[row, column] for column in range(columns)) for row in range(rows))


def _write_borders(puzzle: GridPuzzle) -> str:
    regions = puzzle.regions
    if not regions:
        raise ModelError(f"{puzzle.kind}: the puzzle has no regions to write")
    upright = [row[column] != row[column + 1] for row in regions for column in range(puzzle.columns - 1)]
    level = [one != other for above, below in pairwise(regions) for one, other in zip(above, below, strict=True)]
    words = []
    for walls in (upright, level):
        for start in range(0, len(walls), 5):
            five = walls[start : start + 5]
            words.append(DIGITS[sum(bit for wall, bit in zip(five, (16, 8, 4, 2, 1), strict=False) if wall)])
    return "".join(words)


def _read_clues(kind: str, code: _Code) -> Callable[[_Text, int, int], GridPuzzle]:
    return lambda text, rows, columns: GridPuzzle(kind, rows, columns, _cells(code, text, rows, columns))


def _read_rooms(text: _Text, rows: int, columns: int) -> GridPuzzle:
    regions = _read_borders(text, rows, columns)
    firsts = [room[0] for room in GridPuzzle("heyawake", rows, columns, regions=regions).rooms()]
    numbers = NUMBERS.read(text, len(firsts))
    return GridPuzzle("heyawake", rows, columns, {firsts[place]: number for place, number in numbers.items()}, regions)


def _write_rooms(puzzle: GridPuzzle) -> str:
    rooms = puzzle.rooms()
    numbers: Values = {}
    for place, room in enumerate(rooms):
        told = [puzzle.clues[cell] for cell in room if cell in puzzle.clues]
        if len(told) > 1:
            raise ModelError(f"{puzzle.kind}: the room of {room[0]} has {len(told)} numbers, a link has one per room")
        if told:
            numbers[place] = told[0]
    return _write_borders(puzzle) + NUMBERS.write(numbers, len(rooms))


def _read_stars(text: _Text, rows: int, columns: int) -> GridPuzzle:
    word, start = text.part()
    if not word.isdigit() or len(word) > len(str(LARGEST)) or int(word) < 1:
        text.fail(f"expected the number of stars, got {word!r}", start)
    return GridPuzzle("star battle", rows, columns, regions=_read_borders(text, rows, columns), number=int(word))


def _write_stars(puzzle: GridPuzzle) -> str:
    return f"{puzzle.number}/{_write_borders(puzzle)}"


def _read_kakuro(text: _Text, rows: int, columns: int) -> GridPuzzle:
    clues = _cells(SUM_CELLS, text, rows, columns)
    top = tuple(None if (0, column) in clues else _outer_sum(text) for column in range(columns))
    left = tuple(None if (row, 0) in clues else _outer_sum(text) for row in range(rows))
    return GridPuzzle("kakuro", rows, columns, clues, outside={"top": top, "left": left})


def _outer_sum(text: _Text) -> int | None:
    if text.is_read:
        text.fail("the link ends before the sums of all rows and columns")
    return _read_sum(text)


def _write_kakuro(puzzle: GridPuzzle) -> str:
    top, left = puzzle.outside.get("top", (None,) * puzzle.columns), puzzle.outside.get("left", (None,) * puzzle.rows)
    outer = [top[column] for column in range(puzzle.columns) if (0, column) not in puzzle.clues]
    outer += [left[row] for row in range(puzzle.rows) if (row, 0) not in puzzle.clues]
    return _write_cells(SUM_CELLS, puzzle) + "".join(map(_write_sum, outer))


def _read_sides(text: _Text, counts: Mapping[Any, int]) -> dict[Any, tuple[Any, ...]]:
    """One number, or None, per place along some sides of the board."""
    numbers = NUMBERS.read(text, sum(counts.values()))
    sides, start = {}, 0
    for side, count in counts.items():
        sides[side] = tuple(numbers.get(start + place) for place in range(count))
        start += count
    return sides


def _write_sides(puzzle: GridPuzzle, counts: Mapping[Any, int]) -> str:
    listed = [entry for side, count in counts.items() for entry in puzzle.outside.get(side, (None,) * count)]
    return NUMBERS.write({place: entry for place, entry in enumerate(listed) if entry is not None}, len(listed))


def _read_tents(text: _Text, rows: int, columns: int) -> GridPuzzle:
    sides = _read_sides(text, {"top": columns, "left": rows})
    trees = dict.fromkeys(_cells(MARKS, text, rows, columns), "tree")
    return GridPuzzle("tents", rows, columns, trees, outside=sides)


def _write_tents(puzzle: GridPuzzle) -> str:
    return _write_sides(puzzle, {"top": puzzle.columns, "left": puzzle.rows}) + _write_cells(MARKS, puzzle)


def _read_skyscrapers(text: _Text, rows: int, columns: int) -> GridPuzzle:
    sides = _read_sides(text, {"top": columns, "bottom": columns, "left": rows, "right": rows})
    clues = {} if text.is_read else _cells(NUMBERS, text, rows, columns)
    return GridPuzzle("skyscrapers", rows, columns, clues, outside=sides)


def _write_skyscrapers(puzzle: GridPuzzle) -> str:
    counts = {"top": puzzle.columns, "bottom": puzzle.columns, "left": puzzle.rows, "right": puzzle.rows}
    return _write_sides(puzzle, counts) + (_write_cells(NUMBERS, puzzle) if puzzle.clues else "")


def _read_nonogram(text: _Text, rows: int, columns: int) -> GridPuzzle:
    """Half as many numbers per line as it has cells, rounded up, nearest to the board first."""
    deep, wide = (rows + 1) // 2, (columns + 1) // 2
    numbers = NUMBERS.read(text, columns * deep + rows * wide)
    if None in numbers.values():
        text.fail("expected numbers of a nonogram, got one that is not told ('.')")

    def line(start: int, count: int) -> tuple[int, ...]:
        return tuple(numbers[place] for place in reversed(range(start, start + count)) if place in numbers)

    top = tuple(line(column * deep, deep) for column in range(columns))
    left = tuple(line(columns * deep + row * wide, wide) for row in range(rows))
    return GridPuzzle("nonogram", rows, columns, outside={"top": top, "left": left})


def _write_nonogram(puzzle: GridPuzzle) -> str:
    deep, wide = (puzzle.rows + 1) // 2, (puzzle.columns + 1) // 2
    values: Values = {}
    start = 0
    for side, count in (("top", deep), ("left", wide)):
        for numbers in puzzle.outside[side]:  # type: ignore[index]
            if len(numbers) > count:
                raise ModelError(f"nonogram: {numbers} are more numbers than fit into {2 * count} cells")
            values.update({start + place: number for place, number in enumerate(reversed(numbers))})
            start += count
    return NUMBERS.write(values, start)


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle in links: its name there, further names that sites use, and how its clues are read and written."""

    site: str
    read: Callable[[_Text, int, int], GridPuzzle]
    write: Callable[[GridPuzzle], str]
    also: tuple[str, ...] = ()


def _plain(kind: str, code: _Code, site: str = "", also: tuple[str, ...] = ()) -> Kind:
    return Kind(site or kind, _read_clues(kind, code), lambda puzzle: _write_cells(code, puzzle), also)


KINDS: dict[str, Kind] = {
    "slitherlink": _plain("slitherlink", FOUR, "slither", ("slitherlink",)),
    "masyu": _plain("masyu", CIRCLES, "mashu", ("masyu", "pearl")),
    "yajilin": _plain("yajilin", ARROWS, also=("yajirin",)),
    "heyawake": Kind("heyawake", _read_rooms, _write_rooms),
    "nurikabe": _plain("nurikabe", NUMBERS),
    "hitori": _plain("hitori", FULL),
    "fillomino": _plain("fillomino", NUMBERS),
    "hashi": _plain("hashi", NUMBERS, "hashikake", ("hashi", "bridges")),
    "shikaku": _plain("shikaku", NUMBERS),
    "akari": _plain("akari", FOUR, "lightup", ("akari", "bijutsukan")),
    "sudoku": _plain("sudoku", NUMBERS),
    "kakuro": Kind("kakuro", _read_kakuro, _write_kakuro),
    "star battle": Kind("starbattle", _read_stars, _write_stars),
    "skyscrapers": Kind("skyscrapers", _read_skyscrapers, _write_skyscrapers),
    "tents": Kind("tents", _read_tents, _write_tents),
    "nonogram": Kind("nonogram", _read_nonogram, _write_nonogram),
}
"""The kinds of puzzles that have links, by their names in :class:`GridPuzzle`."""

_BY_SITE = {name: kind for kind in KINDS.values() for name in (kind.site, *kind.also)}
_LOOKS_ONLY = {"yajilin": "b"}
"""Flags that change how a puzzle is shown and not what it is."""


def read(link: str) -> GridPuzzle:
    """The puzzle that a link shows; FormatError where it is none, or of a kind or a variant that is not known here.

    >>> puzzle = read("https://puzz.link/p?slither/5/5/cbcbcddad")
    >>> puzzle.kind, puzzle.rows, puzzle.clues[0, 0], len(puzzle.clues)
    ('slitherlink', 5, 2, 9)
    """
    if not isinstance(link, str):
        raise ModelError(f"expected a link as text, got {link!r:.60}")
    body = link.strip()
    before = link[: len(link) - len(link.lstrip())] if body else ""
    if not body or "\n" in body:  # not taken apart: there may be millions of lines
        second = len(body) - len(body[body.find("\n") :].lstrip()) if body else 0
        lines = body.count("\n") + 1 if body else 0
        raise FormatError(f"expected one link, got {lines:,} lines", (before + body[:second]).count("\n") + 1)
    number, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    if not body.isascii():
        raise FormatError("expected letters, digits and signs of plain ASCII", number, column)
    if "?" in body:
        address, _, body = body.partition("?")
        column += len(address) + 1
    text = _Text(body, number, column)
    name, start = text.part()
    kind = _BY_SITE.get(name)
    if kind is None:
        text.fail(f"expected a kind of puzzle among {', '.join(sorted(_BY_SITE))}, got {name!r}", start)
    word, start = text.part()
    if word in ("", _LOOKS_ONLY.get(kind.site)):
        word, start = text.part()
    sizes = []
    for what in ("columns", "rows"):
        if not word.isdigit() or len(word) > len(str(LARGEST)) or not 1 <= int(word) <= LARGEST:
            text.fail(f"expected the number of {what}, from 1 to {LARGEST}, got {word!r} (variants of rules are not known here)", start)
        sizes.append(int(word))
        if what == "columns":
            word, start = text.part()
    puzzle = kind.read(text, sizes[1], sizes[0])
    if not text.is_read and text.next() != "/":
        text.fail(f"expected the end of the link, got {text.next()!r}")
    return puzzle


def write(puzzle: GridPuzzle, site: str = SITE) -> str:
    """The link of a puzzle, to be opened in a browser, edited and shared; ModelError if a link cannot say it.

    >>> write(GridPuzzle("nurikabe", 2, 3, {(0, 1): 12, (1, 2): None}))
    'https://puzz.link/p?nurikabe/3/2/gci.'
    """
    kind = KINDS.get(puzzle.kind)
    if kind is None:
        raise ModelError(f"there are links for {', '.join(sorted(KINDS))}: cannot write one for {puzzle.kind!r}")
    return f"{site}{kind.site}/{puzzle.columns}/{puzzle.rows}/{kind.write(puzzle)}"

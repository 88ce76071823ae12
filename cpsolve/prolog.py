"""Prolog facts and terms as plain data: read, written, never executed.

A term is a Python value: an ``int``, an :class:`Atom`, a ``str`` (Prolog's "text"), a ``list`` or a :class:`Struct`. Whatever
computes (rules, directives, variables, operators) is not data: it is refused, or left out when the caller says so. The text
is read token by token with fixed limits on its length, on nesting and on numbers, so hostile input ends in an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cpsolve.errors import FormatError, ModelError
from cpsolve.limits import look

MAX_CHARACTERS = 4_000_000
MAX_DEPTH = 100
MAX_DIGITS = 1_000


class Atom(str):
    """A Prolog atom; equal to the text of its name.

    >>> Atom("lisbon") == "lisbon", Atom("lisbon")
    (True, Atom('lisbon'))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Struct:
    """A compound term: a name and at least one argument.

    >>> Struct("escada", (2, 1))
    Struct(name='escada', args=(2, 1))
    """

    name: str
    args: tuple[Term, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.args, tuple) or not self.args:
            raise ModelError(f"a compound term needs a tuple of at least one argument, {self.name!r} got {self.args!r}")

    @property
    def indicator(self) -> str:
        """The name and the number of arguments, as Prolog writes it: ``escada/2``."""
        return f"{self.name}/{len(self.args)}"


Term: TypeAlias = "int | str | Atom | Struct | list[Term]"


@dataclass(frozen=True, slots=True)
class Fact:
    """A term that stood as a fact, and where: ``line`` and ``column`` count from 1."""

    term: Term
    line: int
    column: int

    def error(self, message: str) -> FormatError:
        """An error about this fact that says where it stands."""
        return FormatError(message, self.line, self.column)


# -- reading


def parse_facts(text: str, *, skip_rules: bool = False) -> list[Fact]:
    """The facts of a Prolog text, in order, with the places where they stand.

    A directive, a rule or a fact with variables is an error; with ``skip_rules`` it is left out.

    >>> parse_facts("escada(2, 1). % up\\nwin(X) :- escada(X, 1).", skip_rules=True)
    [Fact(term=Struct(name='escada', args=(2, 1)), line=1, column=1)]
    >>> parse_facts("escada(2, 1)")
    Traceback (most recent call last):
        ...
    cpsolve.errors.FormatError: line 1, column 13: expected '.' after the fact, found the end of the text
    """
    reader = _Reader(text)
    facts = []
    while reader.peek().kind != "end of text":
        line, column = reader.place(reader.begin_clause())
        try:
            facts.append(Fact(_clause(reader), line, column))
        except FormatError:
            if not (skip_rules and reader.finish_clause()):
                raise
    return facts


def parse_terms(text: str, *, skip_rules: bool = False) -> list[Term]:
    """The terms of all facts of a Prolog text; see :func:`parse_facts`.

    >>> parse_terms("tamanho(4). /* mines */ mina(2,4). jogo_encerrado.")
    [Struct(name='tamanho', args=(4,)), Struct(name='mina', args=(2, 4)), Atom('jogo_encerrado')]
    """
    return [fact.term for fact in parse_facts(text, skip_rules=skip_rules)]


def parse_term(text: str) -> Term:
    """The one term that a text holds; a final ``.`` may follow it.

    >>> parse_term("[[1,4], [2,4], [' ', -3]]")
    [[1, 4], [2, 4], [Atom(' '), -3]]
    """
    reader = _Reader(text)
    term = _term(reader, 1)
    if reader.peek().kind == "end":
        reader.take()
    if (left := reader.peek()).kind != "end of text":
        raise reader.error(f"expected the end of the term, found {left.describe()}", left)
    return term


class _Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def computes(self) -> bool:
        return self.kind == "variable" or (self.kind == "symbol" and self.text in (":-", "?-", "-->"))

    def describe(self) -> str:
        if self.kind in ("end", "end of text"):
            return "'.'" if self.kind == "end" else "the end of the text"
        noun = {"variable": "the variable ", "symbol": "the operator ", "float": "the number "}.get(self.kind, "")
        return noun + (self.text if len(self.text) <= 40 else self.text[:40] + "…")


# The repetitions in quotes are possessive: a quote that never ends must not be tried in every other way.
_TOKEN = re.compile(
    r"""
    (?P<space>    \s+ | %[^\n]* | /\*(?s:.*?)\*/ )
  | (?P<end>      \.(?=\s|%|\Z) )
  | (?P<code>     0'(?: \\. | '' | [^\\] ) )
  | (?P<float>    [0-9]+ (?: \.[0-9]+ (?:[eE][+-]?[0-9]+)? | [eE][+-]?[0-9]+ ) )
  | (?P<integer>  [0-9]+ )
  | (?P<word>     [^\W\d]\w* )
  | (?P<quoted>   '(?: [^'\\\n] | '' | \\x[0-9a-fA-F]+\\ | \\[0-7]+\\ | \\(?s:.) )*+' )
  | (?P<string>   "(?: [^"\\\n] | "" | \\x[0-9a-fA-F]+\\ | \\[0-7]+\\ | \\(?s:.) )*+" )
  | (?P<back>     `(?: [^`\\\n] | `` | \\x[0-9a-fA-F]+\\ | \\[0-7]+\\ | \\(?s:.) )*+` )
  | (?P<punctuation> [()\[\]{},|] )
  | (?P<symbol>   [!;] | (?!/\*)[-+*/\\^<>=~:.?@\#&$]+ )
    """,
    re.VERBOSE,
)


class _Reader:
    """A text and the next token in it; nothing more is kept, so a hostile text costs no memory."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise ModelError(f"expected Prolog text, got {type(text).__name__}: decode bytes first")
        if len(text) > MAX_CHARACTERS:
            raise FormatError(f"the text has {len(text):,} characters, expected at most {MAX_CHARACTERS:,}")
        self._text = text
        self._line, self._line_start, self._counted = 1, 0, 0
        self._taken = 0
        self._next = self._read(0)
        self._computes = False

    def peek(self) -> _Token:
        """The next token."""
        return self._next

    def take(self) -> _Token:
        """The next token, which is then behind us; the end of the text stays."""
        token = self._next
        self._taken += 1
        if self._taken % 1000 == 0:
            look("reading facts")
        self._computes = self._computes or token.computes
        if token.kind != "end of text":
            self._next = self._read(token.start + len(token.text))
        return token

    def begin_clause(self) -> int:
        """Where the next clause starts."""
        self._computes = False
        return self._next.start

    def finish_clause(self) -> bool:
        """Reads on to the clause's final '.'; tells whether the clause was complete and no data."""
        while (kind := self._next.kind) not in ("end", "end of text"):
            self.take()
        self.take()
        return kind == "end" and self._computes

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, from 1."""
        if offset < self._counted:
            return self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset)
        self._line += self._text.count("\n", self._counted, offset)
        self._line_start = max(self._line_start, self._text.rfind("\n", self._counted, offset) + 1)
        self._counted = offset
        return self._line, offset - self._line_start + 1

    def error(self, message: str, where: _Token | int) -> FormatError:
        """An error at a token or an offset."""
        return FormatError(message, *self.place(where if isinstance(where, int) else where.start))

    def _read(self, offset: int) -> _Token:
        while offset < len(self._text):
            match = _TOKEN.match(self._text, offset)
            if match is None:
                raise self.error(self._unreadable(offset), offset)
            kind = str(match.lastgroup)
            if kind == "word":
                first = match.group()[0]
                kind = "variable" if first == "_" or first.isupper() or first.istitle() else "atom"
            if kind != "space":
                return _Token(kind, match.group(), offset)
            offset = match.end()
        return _Token("end of text", "", len(self._text))

    def _unreadable(self, offset: int) -> str:
        if self._text.startswith("/*", offset):
            return "the comment that starts here has no end: expected */"
        character = self._text[offset]
        if character in "'\"`":
            return f"the quoted text that starts here has no end: expected {character} on the same line"
        return f"expected a Prolog term, found the character {character!r}"


def _clause(reader: _Reader) -> Term:
    first = reader.peek()
    if first.kind == "end":
        raise reader.error("expected a fact before '.'", first)
    if first.kind == "symbol" and first.computes:
        raise reader.error("this is a directive, expected a fact: only data is read, nothing is executed", first)
    term = _term(reader, 1)
    left = reader.peek()
    if left.kind == "symbol" and left.computes:
        raise reader.error(f"this is a rule ({left.text}), expected a fact: only data is read, nothing is executed", left)
    if left.kind != "end":
        raise reader.error(f"expected '.' after the fact, found {left.describe()}", left)
    reader.take()
    return term


def _term(reader: _Reader, depth: int) -> Term:
    token = reader.peek()
    if depth > MAX_DEPTH:
        raise reader.error(f"terms are nested more than {MAX_DEPTH} deep", token)
    if token.kind == "integer":
        return _integer(reader)
    if token.kind == "string":
        return _unescape(reader, reader.take())
    if token.kind in ("atom", "quoted"):
        reader.take()
        name = token.text if token.kind == "atom" else _unescape(reader, token)
        opening = reader.peek()
        if opening.text == "(" and opening.start == token.start + len(token.text):
            reader.take()
            return Struct(name, tuple(_sequence(reader, ")", depth)))
        return Atom(name)
    if token.text == "-":
        reader.take()
        number = reader.peek()
        if number.kind != "integer" or number.start != token.start + 1:
            raise reader.error(f"expected digits right after '-', found {number.describe()}", number)
        return -_integer(reader)
    if token.text == "[":
        reader.take()
        if reader.peek().text == "]":
            reader.take()
            return []
        return _sequence(reader, "]", depth)
    expected = "an integer" if token.kind == "float" else "a number, an atom, a list or a compound term"
    raise reader.error(f"expected {expected}, found {token.describe()}", token)


def _sequence(reader: _Reader, closing: str, depth: int) -> list[Term]:
    items = [_term(reader, depth + 1)]
    while (token := reader.peek()).text == ",":
        reader.take()
        items.append(_term(reader, depth + 1))
    if token.text != closing:
        raise reader.error(f"expected ',' or '{closing}', found {token.describe()}", token)
    reader.take()
    return items


def _integer(reader: _Reader) -> int:
    token = reader.take()
    if len(token.text) > MAX_DIGITS:
        raise reader.error(f"the number has {len(token.text):,} digits, expected at most {MAX_DIGITS:,}", token)
    return int(token.text)


def _unescape(reader: _Reader, token: _Token) -> str:
    quote = token.text[0]

    def plain(match: re.Match[str]) -> str:
        escape = match.group()
        if escape == quote * 2:
            return quote
        if escape[1] in _ESCAPES:
            return _ESCAPES[escape[1]]
        digits, base = (escape[2:-1], 16) if escape[1] == "x" else (escape[1:-1], 8)
        if not digits or len(digits) > 8 or (code := int(digits, base)) > 0x10FFFF:
            where = token.start + 1 + match.start()
            raise reader.error(f"expected an escape such as \\n or \\x41\\, found {escape[:20]}", where)
        return chr(code)

    return re.sub(rf"{quote}{quote}|\\x[0-9a-fA-F]+\\|\\[0-7]+\\|\\(?s:.)", plain, token.text[1:-1])


_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "\n": "",
}  # fmt: skip


# -- writing


def to_text(term: Term, *, spaced: bool = False) -> str:
    """A term as Prolog text that reads back as the same term; ``spaced`` puts a space after each comma.

    >>> to_text(Struct("posicao", (Atom("fantasma"), [[0, 3], [1, 1]])))
    'posicao(fantasma,[[0,3],[1,1]])'
    >>> to_text([Atom("x"), Atom("X"), -1], spaced=True)
    "[x, 'X', -1]"
    """
    parts: list[str] = []
    _write(term, ", " if spaced else ",", parts, 1)
    return "".join(parts)


def to_facts(terms: Iterable[Term], *, spaced: bool = False) -> str:
    """Terms as facts, one a line.

    >>> print(to_facts([Struct("tamanho", (4,)), Struct("mina", (2, 4))]), end="")
    tamanho(4).
    mina(2,4).
    """
    return "".join(to_text(term, spaced=spaced) + ".\n" for term in terms)


def _write(term: Term, comma: str, parts: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ModelError(f"terms are nested more than {MAX_DEPTH} deep: they could not be read back")
    if isinstance(term, Atom):
        parts.append(_quoted(term, "'") if not _BARE.fullmatch(term) else str(term))
    elif isinstance(term, str):
        parts.append(_quoted(term, '"'))
    elif isinstance(term, int) and not isinstance(term, bool):
        if abs(term) >= 10**MAX_DIGITS:
            raise ModelError(f"a number of more than {MAX_DIGITS:,} digits could not be read back")
        parts.append(str(term))
    elif isinstance(term, list | Struct):
        if isinstance(term, Struct):
            _write(Atom(term.name), comma, parts, depth)
        items: Iterable[Term] = term if isinstance(term, list) else term.args
        parts.append("[" if isinstance(term, list) else "(")
        for number, item in enumerate(items):
            parts.append(comma if number else "")
            _write(item, comma, parts, depth + 1)
        parts.append("]" if isinstance(term, list) else ")")
    else:
        raise ModelError(f"expected an int, str, Atom, list or Struct to write as a Prolog term, got {term!r}")


_BARE = re.compile(r"[a-z][a-zA-Z0-9_]*")


def _quoted(text: str, quote: str) -> str:
    def escaped(character: str) -> str:
        if character in (quote, "\\"):
            return "\\" + character
        if character == "\n":
            return "\\n"
        return character if character.isprintable() else f"\\x{ord(character):x}\\"

    return quote + "".join(map(escaped, text)) + quote

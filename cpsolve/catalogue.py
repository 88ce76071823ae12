"""Which games there are, and what a game says of itself.

A game is found through the entry-point group ``cpsolve.games``: its package names a :class:`Game`, and the command line, the tour and
the terminal show whatever that description holds. The toolkit knows no game by name; the games that come with it use the same door as
anybody else's (``docs/adding_a_game.md``). Looking at the names loads nothing; :func:`game` loads one description.

A description is plain data and functions. What a function returns is a value too: an :class:`Answer` can be shown as a picture, told in
sentences or given as data, and nothing of it is made before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from importlib import metadata
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from cpsolve.checks import NOT_CHECKED, Check
from cpsolve.errors import ModelError
from cpsolve.limits import loading

if TYPE_CHECKING:
    from cpsolve.drawing import Picture, Place
    from cpsolve.puzzles.sessions import Menu, Session
    from cpsolve.puzzles.showcase import Stop
    from cpsolve.puzzles.verifying import Findings

GAMES, COMMANDS = "cpsolve.games", "cpsolve.commands"
"""The groups of entry points: games, and commands of single games."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class MissingOption(ModelError):
    """Something has to be said beside a text before it can be read: the ``option`` of that name; at a terminal it is asked for."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.option = option

    def __reduce__(self) -> tuple[Any, ...]:
        return MissingOption, (str(self), self.option)


class Outcome(IntEnum):
    """How a question ended; the numbers are the exit codes of the command line."""

    SOLVED = 0
    NO_SOLUTION = 1
    LIMIT_REACHED = 3


@dataclass(frozen=True)
class Option:
    """Something a person may say beside an instance: ``--name`` on the command line, a field on a page.

    ``kind`` is the type of its value (str, int, float, or bool for a switch); ``choices`` are all values allowed, looked up when they
    are needed. ``menu`` asks for the value in a game that is played, unless the values known so far make the question needless.
    """

    name: str
    help: str
    kind: type = str
    metavar: str = ""
    least: int | float | None = None
    choices: Callable[[], Iterable[Any]] | None = None
    menu: Callable[[Mapping[str, Any]], Menu[Any] | None] | None = None

    @property
    def flag(self) -> str:
        """How it is written on the command line.

        >>> Option("first_click", "what the first cell may be").flag
        '--first-click'
        """
        return f"--{self.name.replace('_', '-')}"

    def check(self, value: Any) -> None:
        """ModelError unless the value is None, or one of the choices and no endless number.

        >>> Option("mode", "who plays", choices=lambda: ("alone", "together")).check("never")
        Traceback (most recent call last):
        cpsolve.errors.ModelError: --mode is one of alone, together, not 'never'
        """
        if isinstance(value, float) and not isfinite(value):
            raise ModelError(f"{self.flag} takes {self.metavar.lower() or 'a number'}, not {value:g}")
        if value is not None and self.choices is not None and value not in (known := list(self.choices())):
            raise ModelError(f"{self.flag} is one of {', '.join(map(str, known))}, not {value!r}")

    def take(self, value: Any) -> None:
        """ModelError unless the value is None, or of the kind and one of the choices: for one that comes from a file.

        >>> Option("size", "the side", int, least=1).take("large")
        Traceback (most recent call last):
        cpsolve.errors.ModelError: --size takes int, not 'large'
        """
        if value is None:
            return
        if not isinstance(value, self.kind) or isinstance(value, bool) != (self.kind is bool):
            raise ModelError(f"{self.flag} takes {self.kind.__name__}, not {value!r:.40}")
        if self.least is not None and isinstance(value, int | float) and value < self.least:
            raise ModelError(f"{self.flag} is at least {self.least}, not {value!r:.40}")
        self.check(value)


def taken(options: Iterable[Option], values: Mapping[str, Any], strange: str) -> dict[str, Any]:
    """The values of options as a file has them, without those that are None; ModelError for one that is not what its option takes.

    >>> taken([Option("size", "the side", int)], {"size": 3}, "nothing is made with")
    {'size': 3}
    >>> taken([], {"size": 3}, "nothing is made with")
    Traceback (most recent call last):
    cpsolve.errors.ModelError: nothing is made with size
    """
    known = {option.name: option for option in options}
    for name, value in values.items():
        if name not in known:
            raise ModelError(f"{strange} {name:.60}")
        known[name].take(value)
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Instance:
    """A named instance: its text in the game's format, and what has to be said beside it."""

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        """It as plain data, as a saved answer holds what was asked.

        >>> Instance("001-", {"mines": 1}).data()
        {'text': '001-', 'options': {'mines': 1}}
        """
        return {"text": self.text, "options": dict(self.options)}


@dataclass(frozen=True)
class Summary:
    """An answer in figures, to be set beside those of other methods.

    ``answer`` is in words; ``value`` is the same for the same answer (a length, say), and a number where less is better; ``proven`` says
    that no answer is better; ``states`` is how many were looked at, where that means something.
    """

    answer: str = ""
    value: Any = None
    proven: bool = False
    states: int | None = None


@dataclass(frozen=True)
class Growth:
    """Something of which an instance can have more: ``make(instance, size, seed)`` gives a random instance like it with that much of it.

    Sizes that do not ``fit`` are passed over.
    """

    unit: str
    make: Callable[[Any, int, int], Any]
    fits: Callable[[int], bool] = lambda size: True


@dataclass(frozen=True)
class Answer:
    """What a game says to a question: how it ended, and functions that make the picture, the data and the sentences.

    ``frames`` are the pictures of a film; ``data`` is what scripts get, as plain values that JSON knows. ``text`` is printed as it
    stands, in place of picture and sentences: an answer in a format that other programs read; ``texts`` are the same of a film.
    """

    data: Callable[[], Mapping[str, Any]]
    sentences: Callable[[], Sequence[str]]
    picture: Callable[[], Picture] | None = None
    frames: Callable[[], Iterable[Picture]] | None = None
    text: Callable[[], str] | None = None
    texts: Callable[[], Iterable[str]] | None = None
    outcome: Outcome = Outcome.SOLVED
    summary: Callable[[], Summary] | None = None


@dataclass(frozen=True)
class Listed:
    """One of many answers in a list: a line for people, data for scripts, perhaps a film of pictures or of drawings as text.

    Without data it is a line that stands at the end of the list and is no answer.
    """

    line: str
    data: Mapping[str, Any] | None
    frames: Callable[[], Iterable[Picture | str]] | None = None


@dataclass(frozen=True)
class Play:
    """How a game is played at a terminal: what can be chosen beforehand, and the session that is made of the choices.

    ``check(**choices)`` raises a ModelError for choices that do not go together, before anything is asked. With ``read`` a game can
    begin from a text: what it makes of it, with the options that ``read_options`` names, is given to the session (and to ``check`` and
    the menus) as ``instance``.
    """

    session: Callable[..., Session]
    options: tuple[Option, ...] = ()
    check: Callable[..., None] = lambda **choices: None
    examples: tuple[str, ...] = ()
    read: Callable[..., Any] | None = None
    read_options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Generator:
    """How new instances are made: ``make(*sizes, **options)``; ``sizes`` says what the numbers are.

    ``files`` are the texts that are written, by the names of their files; ``show`` is the drawing that is printed.
    """

    make: Callable[..., Any]
    sizes: str
    files: Mapping[str, Callable[[Any], str]]
    show: Callable[[Any], str] = str
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    promised: Callable[[Any, float | None], Findings] | None = None
    """``promised(instance, time_limit)`` checks by the rules what is true of every instance made, that it can be solved say."""


@dataclass(frozen=True)
class Spot:
    """A place of a picture that a person can point at: its name, as moves and questions have it, and what it is, in words."""

    name: str
    words: str


@dataclass(frozen=True)
class Standing:
    """How an instance stands: in words, who is to move, whether it is over, the moves that there are, and who has won ("" for nobody)."""

    words: str
    to_move: str = ""
    over: bool = False
    legal: tuple[str, ...] = ()
    winner: str = ""


@dataclass(frozen=True)
class Interaction:
    """What a person can do with an instance on a board that answers: point, move, ask, paint. Every part may be left out.

    Moves and spots are short texts. ``write(instance)`` is what ``read`` makes the same instance of; ``spots`` are the places to point
    at; ``move(instance, move)`` gives the instance after a move and raises when it is not legal; ``reply(instance, level, seed)`` is
    the computer's move, at one of ``levels``. ``paint(instance, spot, brush)`` puts one of ``brushes`` there. ``new(**options)`` begins
    a game, with ``new_options``. ``analyse`` answers for a page what ``Game.solve`` answers for scripts, where that is not enough;
    ``hint`` and ``why(instance, spot)`` are its smaller questions, and ``review(start, moves)`` looks back on a game.
    """

    write: Callable[[Any], Instance] | None = None
    paste: Callable[..., tuple[Any, str]] | None = None
    """``paste(text, **options)`` reads what ``Game.read`` refuses, in formats of others, and says what it understood."""
    spots: Callable[[Any], Mapping[Place, Spot]] | None = None
    standing: Callable[[Any], Standing] | None = None
    move: Callable[[Any, str], Any] | None = None
    cells: Callable[[Any], Sequence[Sequence[str]]] | None = None
    """What is on every cell, row by row from the top, for programs; a space where there is nothing."""
    reply: Callable[[Any, Any, int], str] | None = None
    levels: Mapping[int, str] = field(default_factory=dict)
    named_levels: Mapping[str, str] = field(default_factory=dict)
    """Computer players that ``reply`` knows by a name instead of a level."""
    players: tuple[str, ...] = ()
    brushes: Mapping[str, str] = field(default_factory=dict)
    paint: Callable[[Any, str, str], Any] | None = None
    new: Callable[..., Any] | None = None
    new_options: tuple[Option, ...] = ()
    begun: Callable[[Any], Mapping[str, Any] | None] | None = None
    """The options by which ``new`` begins this very game; None for an instance that is no such game."""
    analyse: Callable[..., Answer] | None = None
    hint: Callable[..., Answer] | None = None
    why: Callable[[Any, str], Answer] | None = None
    review: Callable[[Any, Sequence[str]], Answer] | None = None
    every_best: Callable[..., Iterator[Answer]] | None = None
    """The best solutions one after another, where there may be several."""


class Counted(NamedTuple):
    """How many solutions there are, the noun to count them by, and what a second engine said of the number, if one was asked."""

    number: int
    noun: str
    check: Check = NOT_CHECKED


@dataclass(frozen=True)
class Game:
    """All that the application needs to know of a game; only the first five have to be there.

    ``read(text, **options)`` makes an instance of a text, with ``read_options``; ``inline`` tells whether a word on the command line is
    itself such a text and not the name of a file. ``solve(instance, method=…, time_limit=…, check=…, **options)`` gives an
    :class:`Answer`, with ``solve_options`` and one of ``methods`` (the first is the default); ``reads`` are the methods for which a
    text is read otherwise. ``count`` gives the number of solutions with the noun to count them by, ``every`` lists them, with
    the ``solve_options``. ``writers``
    turn an instance into texts of various formats, ``generator`` makes new ones. ``tour`` shows the game off, ``warm_up`` compiles what
    it needs. ``interaction`` is for a page on which the board can be pointed at; a game without one still gets a
    page that reads, draws and solves.
    """

    name: str
    title: str
    summary: str
    read: Callable[..., Any]
    solve: Callable[..., Answer]
    instances: Callable[[], Mapping[str, Instance]] = dict
    """Named instances; the first is taken when none is given."""
    rules: str = ""
    read_options: tuple[Option, ...] = ()
    solve_options: tuple[Option, ...] = ()
    methods: Callable[[], Mapping[str, str]] = dict
    """Methods by name, each with a word on what it is."""
    reads: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    inline: Callable[[str], bool] = lambda word: False
    count: Callable[..., Counted] | None = None
    every: Callable[..., Iterator[Listed]] | None = None
    animated: bool = False
    watch: Callable[..., Answer] | None = None
    """``watch(instance, method=…, time_limit=…)`` answers as ``solve`` does, with the film of the search and not of its plan."""
    apart: tuple[str, ...] = ()
    """Methods that answer another question than the rest: they are not compared with them."""
    grow: Mapping[str, Growth] = field(default_factory=dict)
    """What can grow, by name: how the methods cope with more of it is compared."""
    draw: Callable[[Any], Picture] | None = None
    writers: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    play: Play | None = None
    generator: Generator | None = None
    tour: Callable[[], Stop] | None = None
    warm_up: Callable[[], object] | None = None
    interaction: Interaction = Interaction()
    verify: Callable[..., Findings] | None = None
    """``verify(instance, data, time_limit=…)`` checks by the rules alone what ``data`` says of an answer; Refuted when it is not so."""
    verifies: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """The same for the answers of other commands, by name: ``hint(instance, data, time_limit=…)``, ``review(start, moves, data,
    time_limit=…)``, and ``compare(instance, time_limit=…)``, which gives the value of the best answer: infinity where there is none,
    a number of ``verifying.Solutions``, None when that takes too long."""
    proof: tuple[Callable[[str], bool], Callable[..., Findings]] | None = None
    """Proofs in a text of the game's own: whether a text is one, and its check."""
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.name != key(self.name):
            raise ModelError(f"a game's name is in small letters with dashes: {key(self.name)!r}, not {self.name!r}")

    def named(self, name: str | None = None, **options: Any) -> Any:
        """The instance of a name (the first for None); options that are given take the place of its own."""
        instances = self.instances()
        if name is None:
            if not instances:
                raise ModelError(f"{self.name} has no instance of its own: give one")
            name = next(iter(instances))
        if name not in instances:
            raise ModelError(f"{self.name} has no instance {name!r}; it has {', '.join(instances) or 'none with a name'}")
        given = {option: value for option, value in options.items() if value is not None}
        return self.read(instances[name].text, **{**instances[name].options, **given})


@dataclass(frozen=True)
class Command:
    """A command of one game beside ``solve`` and ``play``: ``run(instance, **options)`` gives an :class:`Answer`.

    With an ``argument`` (its help) the command takes a file, or a text that ``inline`` recognises, which ``read`` makes an instance of;
    without one ``run`` gets the options alone. ``drawn`` says whether there is a picture to write with ``--svg``.
    """

    name: str
    game: str
    summary: str
    run: Callable[..., Answer]
    argument: str = ""
    metavar: str = "FILE"
    read: Callable[..., Any] = str
    inline: Callable[[str], bool] = lambda word: False
    read_options: tuple[Option, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    drawn: bool = True
    verify: Callable[..., Findings] | None = None
    """``verify(instance, data, time_limit=…)`` checks a saved answer by the rules; without an ``argument`` it gets the data alone."""


# -- what is installed


def key(name: str) -> str:
    """The name of a game as the catalogue has it.

    >>> key("Four_In_A_Row")
    'four-in-a-row'
    """
    return name.lower().replace("_", "-")


@cache
def _installed(group: str) -> dict[str, metadata.EntryPoint]:
    found: dict[str, metadata.EntryPoint] = {}
    for point in metadata.entry_points(group=group):
        found.setdefault(key(point.name), point)
    return found


def games() -> tuple[str, ...]:
    """The names of the installed games, without loading any."""
    return tuple(_installed(GAMES))


def commands() -> tuple[str, ...]:
    """The names of the commands that games bring along, without loading any."""
    return tuple(_installed(COMMANDS))


def game(name: str) -> Game:
    """The description of a game, loaded now.

    >>> all(game(name).name == name for name in games())
    True
    """
    if key(name) not in _installed(GAMES):
        raise ModelError(f"there is no game {name!r}; there are {', '.join(games()) or 'none installed'}")
    return cast(Game, _load(GAMES, key(name), Game))


def command(name: str) -> Command:
    """The description of a command that a game brings along, loaded now."""
    if key(name) not in _installed(COMMANDS):
        raise ModelError(f"no game has a command {name!r}")
    return cast(Command, _load(COMMANDS, key(name), Command))


def module_of(name: str) -> str:
    """The module that describes a game.

    >>> [name for name in games() if not module_of(name)]
    []
    """
    return _installed(GAMES)[key(name)].module


def _load(group: str, name: str, kind: type) -> object:
    point = _installed(group)[name]
    try:
        with loading():
            found = point.load()
    except (ImportError, AttributeError) as error:
        raise ModelError(f"{name} cannot be loaded from {point.value}: {error}") from error
    if not isinstance(found, kind):
        raise ModelError(f"{name}: {point.value} is {type(found).__name__}, expected a cpsolve.catalogue.{kind.__name__}")
    return found

"""The loop between a session and a console: what is typed becomes a command, what the session says is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from cpsolve.app.terminal.consoles import Console, KeyConsole, LineConsole, on_a_terminal
from cpsolve.catalogue import Game
from cpsolve.errors import ModelError
from cpsolve.puzzles.sessions import Menu, Session

T = TypeVar("T")

THINKING = "thinking … (the first time on a machine the search is compiled: a minute)"


def run(session: Session, console: Console) -> None:
    """Plays a session until the person leaves or the input ends."""
    console.show(session)
    while not session.closed:
        if session.busy:
            command = console.command(session, within=session.pace) if session.pace else ""
        else:
            command = console.command(session)
        if command is None:
            return
        if session.busy and not command:
            console.note(THINKING)
            session.advance()
        else:
            if session.word(command) in session.slow:
                console.note(THINKING)
            session.do(command)
        if not session.closed:
            console.show(session)


def play(start: Callable[[Console], Session | None]) -> int:
    """Opens the console that fits, lets ``start`` ask for what it needs and plays the session that it makes.

    Returns the exit code: 0, or 130 after Ctrl-C. ``start`` returns None when the person leaves the menu.
    """
    try:
        with KeyConsole() if on_a_terminal() else LineConsole() as console:
            session = start(console)
            if session is not None:
                run(session, console)
    except KeyboardInterrupt:
        return 130
    if session is not None:
        console.farewell(session)
    return 0


def ask(console: Console, menu: Menu[T]) -> T | None:
    """The person's answer to a menu; None when they leave it."""
    run(menu, console)
    return menu.answer


def play_game(game: Game, **given: Any) -> int:
    """Plays a game at the terminal, from an ``instance`` if one is given; choices that are not given are asked for.

    Returns the exit code: 0, or 130 after Ctrl-C.
    """
    if game.play is None:
        raise ModelError(f"{game.name} is not played at a terminal")
    how = game.play
    for option in how.options:
        option.check(given.get(option.name))
    how.check(**given)

    def start(console: Console) -> Session | None:
        chosen = {option.name: given.get(option.name) for option in how.options}
        if "instance" in given:
            chosen["instance"] = given["instance"]
        for option in how.options:
            menu = None if chosen[option.name] is not None or option.menu is None else option.menu(chosen)
            if menu is not None:
                chosen[option.name] = ask(console, menu)
                if chosen[option.name] is None:
                    return None
        return how.session(**{name: value for name, value in chosen.items() if value is not None})

    return play(start)

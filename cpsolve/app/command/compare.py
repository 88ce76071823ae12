"""``cpsolve compare GAME``: one instance by every method, or how each method grows; as a table, a chart, and data for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from cpsolve import catalogue
from cpsolve.app.command.building import JSON, TIME_LIMIT, GameGroup, instance_argument, make
from cpsolve.app.command.outcome import LIMIT_REACHED, SOLVED, BadInput, load
from cpsolve.app.command.output import check_files, console, give, put, say, working
from cpsolve.catalogue import Game, Growth, Option
from cpsolve.words import duration

if TYPE_CHECKING:
    from cpsolve.app.comparing import Point, Row

EXAMPLES = ("cpsolve compare GAME", "cpsolve compare GAME FILE --svg chart.svg", "cpsolve compare GAME --grow WHAT 1..40")
LIMIT = 5.0
"""Seconds that every method gets, unless another limit is given."""
BOARDS = 3

METHODS = Option("methods", "Only these, separated by commas.", metavar="A,B")
GROWING = (
    Option("boards", f"With --grow: how many random boards of each size ({BOARDS} unless given).", int, "N", least=1),
    Option("seed", "With --grow: which boards (0 unless given).", int, "N", least=0),
)
CHART = Option("svg", "Write the chart as SVG too (- for standard output).", metavar="FILE")


class Compare(GameGroup):
    """``cpsolve compare``: a command per game."""

    def command_of(self, game: str) -> Any:
        """``cpsolve compare GAME``, with what can grow there."""
        return comparing(catalogue.game(game))


def comparing(game: Game) -> Any:
    """The command that compares the methods of a game."""
    growths = game.grow
    what = "; ".join(f"{name} ({growth.unit})" for name, growth in growths.items())
    told = f"Show how every method grows, as in --grow WHAT 1..40. WHAT: {what}."
    grow = Option("grow", told, tuple[str, str], "WHAT SIZES")
    options = (METHODS, TIME_LIMIT, *((grow, *GROWING) if growths else ()), *game.read_options, CHART, JSON)
    lines = (f"cpsolve compare {game.name}", *(f"cpsolve compare {game.name} --grow {name} 1..20" for name in list(growths)[:1]))
    summary = f"{game.title}: the same instance by every method, side by side."
    return make(game.name, lambda **values: _run(game, **values), summary, options, lines, instance_argument(game))


def _run(game: Game, **values: Any) -> None:
    check_files({"svg": values["svg"]}, values["json"])
    known = game.methods()
    if not known:
        raise BadInput(f"{game.name} names no methods: there is nothing to compare")
    chosen = (
        [name.strip() for name in values["methods"].split(",")]
        if values["methods"] is not None
        else [name for name in known if name not in game.apart]
    )
    for name in chosen:
        if name not in known:
            raise BadInput(f"{game.name} has no method {name!r}; it has {', '.join(known)}")
    limit = LIMIT if values["time_limit"] is None else values["time_limit"]
    if not 0 < limit < float("inf"):
        raise BadInput(f"--time-limit takes a positive number of seconds here, not {limit:g}")
    if values.get("grow") is None:
        for only in ("boards", "seed"):
            if values.get(only) is not None:
                raise BadInput(f"--{only} needs --grow")
    instance = load(game, values["source"], {option.name: values[option.name] for option in game.read_options})
    if values.get("grow") is None:
        _one(game, instance, chosen, limit, values)
    else:
        _growth(game, instance, chosen, limit, values)


# -- one instance


def _one(game: Game, instance: Any, methods: list[str], limit: float, values: dict[str, Any]) -> None:
    from cpsolve.app.comparing import compare, distinct, verdict

    with working("comparing") as progress:
        rows = compare(game, instance, methods, limit, progress=progress.update)
    rows, choice = distinct(rows, methods[0])
    fit = [row for row in rows if row.state != "refused"]
    told = [*verdict(fit), *([choice] if choice else []), *_refused([row for row in rows if row not in fit])]
    if values["svg"] is not None:
        put((_bars(game, fit, limit, told) + "\n").encode(), values["svg"])
    if values["json"]:
        write = game.interaction.write
        asked = {"game": game.name, "command": "compare", **({} if write is None else {"instance": write(instance).data()})}
        give({**asked, "time_limit": limit, "methods": [row.as_dict() for row in rows], "verdict": told})
    elif values["svg"] != "-":
        _table(game, fit, limit)
        say(*told)
    raise typer.Exit(SOLVED if any(row.answered for row in rows) else LIMIT_REACHED)


def _refused(rows: list[Row]) -> list[str]:
    """A sentence per reason for which methods refuse the instance."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reasons.setdefault(row.note, []).append(row.method)
    return [f"{', '.join(methods)} {'is' if len(methods) == 1 else 'are'} not for this: {note}" for note, methods in reasons.items()]


def _table(game: Game, rows: list[Row], limit: float) -> None:
    from rich.table import Table

    out = console()
    table = Table(title=f"{game.title}: every method gets {duration(limit)}", title_justify="left")
    table.add_column("method", no_wrap=True)
    table.add_column("answer", ratio=3)
    table.add_column("proven")
    for column in ("states", "time", "memory"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        answer = row.summary.answer if row.answered else row.note or "no answer yet"
        proven = ("yes" if row.summary.proven else "no") if row.answered else ""
        states = "" if row.summary.states is None else f"{row.summary.states:,}"
        table.add_row(row.method, answer, proven, states, _time(row), _memory(row.memory))
    out.print(table)


def _time(row: Row) -> str:
    return duration(row.seconds) if row.answered else f"> {duration(row.seconds)}"


def _memory(memory: int | None) -> str:
    if memory is None:
        return ""
    return f"{memory / 2**20:,.1f} MB" if memory >= 2**20 else f"{memory / 2**10:,.0f} kB"


def _bars(game: Game, rows: list[Row], limit: float, told: list[str]) -> str:
    from cpsolve.drawing.charts import Bar, Panel, bars

    panels = (
        Panel("time", tuple(Bar(row.seconds, _time(row), not row.answered) for row in rows)),
        Panel("states", tuple(Bar(row.summary.states, _number(row.summary.states), not row.answered) for row in rows)),
        Panel("memory", tuple(Bar(row.memory, _memory(row.memory), not row.answered) for row in rows)),
    )
    names = [f"{row.method}: {row.summary.answer if row.answered else 'no answer yet'}" for row in rows]
    return bars(f"{game.title}: every method, at most {duration(limit)} each", names, panels, told)


def _number(states: int | None) -> str:
    return "" if states is None else f"{states:,}"


# -- growth


def _growth(game: Game, instance: Any, methods: list[str], limit: float, values: dict[str, Any]) -> None:
    from cpsolve.app.comparing import grow, growth_verdict, instances_of, sizes

    name, text = values["grow"]
    growths = game.grow
    if name not in growths:
        raise BadInput(f"{name!r} does not grow in {game.name}; what does is {', '.join(growths)}")
    growth = growths[name]
    wanted = [size for size in sizes(text) if growth.fits(size)]
    if not wanted:
        raise BadInput(f"no {name} of {text} makes a board: {growth.unit} are chosen otherwise")
    boards = BOARDS if values["boards"] is None else values["boards"]
    seed = 0 if values["seed"] is None else values["seed"]
    if len(methods) > 1 and values["methods"] is None:
        methods = methods[1:] if methods[0] == "auto" else methods
    with working("growing") as progress:
        sized, end = instances_of(lambda size, number: growth.make(instance, size, number), wanted, boards, seed)
        points = list(grow(game, sized, methods, limit, progress=progress.update))
    told = [*growth_verdict(points, growth.unit), *([end] if end else [])]
    if values["svg"] is not None:
        put((_lines(game, growth, points, limit, boards, told) + "\n").encode(), values["svg"])
    if values["json"]:
        data = {"game": game.name, "grow": name, "unit": growth.unit, "time_limit": limit, "boards": boards, "seed": seed}
        give({**data, "points": [point.as_dict() for point in points], "verdict": told})
    elif values["svg"] != "-":
        _growth_table(game, growth, points, limit, boards)
        say(*told)


def _growth_table(game: Game, growth: Growth, points: list[Point], limit: float, boards: int) -> None:
    from rich.table import Table

    title = f"{game.title}: median time of {boards} random boards, at most {duration(limit)} each"
    table = Table(title=title, title_justify="left")
    table.add_column(growth.unit, justify="right")
    methods = list(dict.fromkeys(point.method for point in points))
    for method in methods:
        table.add_column(method, justify="right", no_wrap=True)
    found = {(point.size, point.method): point for point in points}
    for size in dict.fromkeys(point.size for point in points):
        cells = []
        for method in methods:
            point = found.get((size, method))
            cells.append("" if point is None else "stops" if point.seconds is None else duration(point.seconds))
        table.add_row(str(size), *cells)
    console().print(table)


def _lines(game: Game, growth: Growth, points: list[Point], limit: float, boards: int, told: list[str]) -> str:
    from cpsolve.drawing.charts import Line, lines

    drawn = []
    for method in dict.fromkeys(point.method for point in points):
        own = [point for point in points if point.method == method]
        solved = tuple((float(point.size), point.seconds) for point in own if point.seconds is not None)
        drawn.append(Line(method, solved, next((float(point.size) for point in own if point.seconds is None), None)))
    captions = [f"median of {boards} random boards of each size", *told]
    return lines(f"{game.title}: time against {growth.unit}", growth.unit, drawn, limit, duration, captions)

"""``cpsolve backends``: what is installed, and what each part can answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from cpsolve.app.command.output import console, give

EXAMPLES = ("cpsolve backends --json",)


def backends(as_json: Annotated[bool, typer.Option("--json", help="Plain data for scripts.")] = False) -> None:
    """List the installed backends and what each answers."""
    from rich.table import Table

    from cpsolve.solvers import backends as installed

    found = installed()
    if as_json:
        give({name: asdict(capabilities) for name, capabilities in found.items()})
        return
    table = Table(title="Backends")
    for column in ("name", "package", "answers", "made for"):
        table.add_column(column, overflow="fold")
    for name, capabilities in found.items():
        table.add_row(name, f"{capabilities.package} {capabilities.version}", ", ".join(capabilities.questions), capabilities.note)
    console().print(table)

"""Plots of the results, as SVG and PNG: times on a logarithmic axis, a series as lines, other rows as pairs of points.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; every method also has a marker of its own. Without matplotlib
there are no plots, and :func:`save` says so.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import INSTALL, Row, Timing, peer_module
from benchmarks.record import PICTURES, Kept, stops, write_bytes

# Okabe & Ito, "Color Universal Design" (2008), without yellow, which is too pale for lines
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
OURS = "cpsolve"
NAMES = {OURS: "cpsolve (circuit)", "dfs": "naive DFS (any plan)", "bfs": "BFS", "astar": "A*", "horizon": "CP, step by step"}


def save(kept: Kept, folder: Path) -> str:
    """Draws the plot of a topic beside its table; gives a line for the user when that was not possible."""
    if peer_module("matplotlib") is None:
        for suffix in PICTURES:
            kept.path(folder, suffix).unlink(missing_ok=True)  # it would show the figures of an earlier run
        return f"{kept.topic}: no plot, matplotlib is missing: {INSTALL}"
    if not kept.rows:
        return f"{kept.topic}: no plot, there are no rows"
    matplotlib = importlib.import_module("matplotlib")
    # text becomes outlines, and names of parts do not depend on chance: the same figures give the same file
    with matplotlib.rc_context({"svg.hashsalt": kept.topic, "font.size": 10}):
        figure = _lines(kept.rows) if any(row.series for row in kept.rows) else _points(kept.rows)
        figure.suptitle(f"{kept.topic}: {kept.mode} run on {kept.machine['cores']} cores, Python {kept.machine['python']}", fontsize=12)
        for suffix in PICTURES:
            picture = io.BytesIO()
            metadata = {"Date": None} if suffix == ".svg" else {}
            figure.savefig(picture, format=suffix[1:], dpi=110, metadata=metadata)
            write_bytes(kept.path(folder, suffix), picture.getvalue())
    return ""


def _figure(width: float, height: float) -> Any:
    return importlib.import_module("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")


# -- series


def _lines(rows: Sequence[Row]) -> Any:
    """One panel a series: time against size, one line a method; above the limit stands what was stopped."""
    series = list(dict.fromkeys(row.series for row in rows if row.series))
    methods = [OURS, *dict.fromkeys(row.peer for row in rows if row.peer)]
    columns = min(2, len(series))
    figure = _figure(6.5 * columns, 5.2 * -(-len(series) // columns))
    panels = figure.subplots(-(-len(series) // columns), columns, squeeze=False).flat
    for panel, name in zip(panels, series, strict=False):
        _series_panel(panel, [row for row in rows if row.series == name], methods)
    return figure


def _series_panel(panel: Any, rows: list[Row], methods: list[str]) -> None:
    ends = {stop.method: stop for stop in stops(rows)}
    sizes = sorted({row.size for row in rows if row.size is not None})
    limits = [stop.limit for stop in ends.values() if stop.limit is not None]
    raised = 1.2  # hollow markers stand above the limit, each higher than the one before, so that none hides another
    panel.set_yscale("log")
    if min(sizes) > 0 and max(sizes) >= 8 * min(sizes):
        panel.set_xscale("log")
    elif max(sizes) >= 50:  # small sizes, where methods stop, would be squeezed together; a logarithm knows no 0
        panel.set_xscale("function", functions=(_signed_root, _signed_square))
    panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
    panel.xaxis.set_minor_locator(importlib.import_module("matplotlib.ticker").NullLocator())
    for number, method in enumerate(methods):
        measured = _measured(rows, method)
        if not measured:
            continue
        style = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
        solved = [(size, took) for size, took in measured if not took.stopped]
        below = [took.seconds - took.least for _, took in solved]
        above = [took.most - took.seconds for _, took in solved]
        stop = ends[method]
        if stop.stopped is None:
            label = f"{NAMES.get(method, method)}: solved all, up to {stop.solved:,}"
        else:
            label = f"{NAMES.get(method, method)}: stops at {stop.stopped:,}"
        points = [size for size, _ in solved], [took.seconds for _, took in solved]
        panel.errorbar(*points, yerr=[below, above], label=label, capsize=2, linewidth=1.6, elinewidth=0.8, markersize=6, **style)
        for size, took in measured:
            if took.stopped:
                height = took.seconds * raised
                if solved:
                    panel.plot([solved[-1][0], size], [solved[-1][1].seconds, height], color=style["color"], linestyle=":", linewidth=1.2)
                panel.plot([size], [height], markerfacecolor="white", markersize=8, linestyle="", markeredgewidth=1.6, **style)
                raised *= 1.6
    if limits:
        top = limits[0] * raised * 2
        panel.axhspan(limits[0], top, color="0.9", zorder=0)
        panel.set_ylim(top=top)
        told = f"hollow: not solved within {limits[0]:g} s (how high they stand means nothing)"
        panel.text(0.01, 0.985, told, transform=panel.transAxes, va="top", fontsize=9, color="0.25")
    panel.set_title(rows[0].series)
    panel.set_xlabel(rows[0].unit)
    panel.set_ylabel("seconds (median of the boards, least to most)")
    panel.grid(True, which="major", color="0.85", linewidth=0.6)
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, fontsize=9, frameon=False)


def _signed_root(values: Any) -> Any:
    """The square root, also left of 0, where the margin of a panel lies."""
    return np.sign(values) * np.sqrt(np.abs(values))


def _signed_square(values: Any) -> Any:
    return np.sign(values) * np.square(values)


def _measured(rows: list[Row], method: str) -> list[tuple[int, Timing]]:
    """The sizes and timings of one method, each size once."""
    found: dict[int, Timing] = {}
    for row in rows:
        took = row.ours if method == OURS else row.theirs if row.peer == method else None
        if row.size is not None and took is not None:
            found[row.size] = took
    return sorted(found.items())


# -- rows


def _points(rows: Sequence[Row]) -> Any:
    """One line a row: our time and the peer's, with the ratio at the right."""
    figure = _figure(10.5, 1.6 + 0.3 * len(rows))
    panel = figure.subplots()
    peers = list(dict.fromkeys(row.peer for row in rows if row.theirs is not None))
    style = {
        peer: {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
        for number, peer in enumerate([OURS, *peers])
    }
    shown: set[str] = set()
    for place, row in enumerate(rows):
        _point(panel, row.ours, place, style[OURS], "" if OURS in shown else OURS)
        if row.theirs is not None:
            panel.plot([row.ours.seconds, row.theirs.seconds], [place, place], color="0.75", linewidth=1, zorder=1)
            _point(panel, row.theirs, place, style[row.peer], "" if row.peer in shown else row.peer)
        shown |= {OURS, row.peer}
        text = "peer missing" if row.missing else "" if row.ratio is None else f"ratio {row.ratio_text}"
        panel.text(1.01, place, text, transform=panel.get_yaxis_transform(), va="center", fontsize=9)
    panel.set_yticks(range(len(rows)), [row.name for row in rows], fontsize=9)
    panel.set_ylim(len(rows) - 0.4, -0.6)
    panel.set_xscale("log")
    panel.set_xlabel("seconds (bars: least to most; hollow: stopped at its time limit; ratio below 1: cpsolve is faster)")
    panel.grid(True, axis="x", which="major", color="0.85", linewidth=0.6)
    figure.legend(loc="outside lower center", ncols=min(5, len(peers) + 1), frameon=False, fontsize=9)
    return figure


def _point(panel: Any, took: Timing, place: int, style: dict[str, str], label: str) -> None:
    low, high = (0.0, 0.0) if took.stopped else (max(0.0, took.seconds - took.least), max(0.0, took.most - took.seconds))
    face = "white" if took.stopped else style["color"]
    extra = {"label": label} if label else {}
    panel.errorbar(
        [took.seconds],
        [place],
        xerr=[[low], [high]],
        capsize=2,
        elinewidth=0.8,
        markersize=6,
        linestyle="",
        markerfacecolor=face,
        **style,
        **extra,
    )

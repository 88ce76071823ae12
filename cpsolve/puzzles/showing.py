"""A puzzle on the command line: printed, solved, is that the only answer, and how one finds it, step by step.

A script has a function that makes the model of a puzzle and one that draws it; :func:`show` does the rest.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from cpsolve.deduction import Step
from cpsolve.drawing import Picture
from cpsolve.drawing.text import written_in
from cpsolve.errors import CPSolveError, LimitError, ModelError, TimeLimitError
from cpsolve.expressions import Variable, collect
from cpsolve.graphs import GridEdges
from cpsolve.model import Model
from cpsolve.puzzles import links
from cpsolve.puzzles.boards import GridPuzzle, at
from cpsolve.results import Status
from cpsolve.words import listed

SOLVED, NO_SOLUTION, BAD_INPUT, LIMIT_REACHED, INTERRUPTED = 0, 1, 2, 3, 130
P = TypeVar("P")
GIVEN = "given"
"""Constraints whose names start so are known from the start: they are no reasons."""
_PLACE = re.compile(r"\(?(\d+), ?(\d+)\)?")


def show(
    model: Callable[[P], tuple[Model, Any]],
    draw: Callable[[P, Any, Any], Picture],
    text: str,
    read: Callable[[str], P] = links.read,  # type: ignore[assignment]
    arguments: Sequence[str] | None = None,
) -> int:
    """Prints a puzzle (of ``text``, or of the link or file that the command line names) and its solution; returns an exit code.

    ``model`` gives the model and its variables; ``draw`` gets the puzzle, those variables and the solution, or None for both.
    Exit codes: 0 solved, 1 no solution, 2 bad input, 3 limit reached, 130 stopped by Ctrl-C.
    """
    options = _options(arguments)
    try:
        puzzle = read(_text_of(options.puzzle) if options.puzzle else text)
        _check_kind(puzzle, read(text))
        m, variables = model(puzzle)
        _print(str(draw(puzzle, None, None)))
        result = m.solve(time_limit=options.time_limit, progress=True)
        if result.status is Status.INFEASIBLE:
            _print("There is no solution: these cannot all hold:", *(f"  {entry.name}" for entry in m.conflict()))
            return NO_SOLUTION
        if result.solution is None:
            raise TimeLimitError("the time limit passed before a solution was found; allow more with --time-limit")
        solved = draw(puzzle, variables, result.solution)
        _print("", str(solved))
        if result.objective is None:
            over = variables_in(variables)
            _print("This is the only solution." if m.unique(over, time_limit=options.time_limit) else "There are other solutions.")
            _steps(m, over, options.steps, options.time_limit)
        else:
            proof = "proven to be best" if result.status is Status.OPTIMAL else f"the best found; none can pass {result.bound}"
            _print(f"{result.objective} is {proof}.")
        if options.svg:
            solved.save(options.svg)
    except LimitError as error:
        print(error, file=sys.stderr)
        return LIMIT_REACHED
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return INTERRUPTED
    except (CPSolveError, OSError, UnicodeError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    return SOLVED


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Solves a puzzle and says how; without an argument, its own.")
    parser.add_argument(
        "puzzle", nargs="?", help="a link, such as https://puzz.link/p?slither/5/5/cbcbcddad, or a file; - reads standard input"
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the solution into a file, .svg, .html or .png")
    parser.add_argument("--steps", type=int, default=4, metavar="N", help="how many of the first steps to tell (4)")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="give up after this many seconds for each question")
    return parser.parse_args(arguments)


def _text_of(argument: str) -> str:
    if argument == "-":
        return sys.stdin.read()
    if "?" in argument or re.match(r"[a-z]+/\d+/\d+/", argument):
        return argument
    try:
        return Path(argument).read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError(f"cannot read {argument!r} ({error.strerror}): give a link with a '?' or the name of a file") from None


def _print(*lines: str) -> None:
    print(written_in("\n".join(lines), sys.stdout.encoding))


def _check_kind(puzzle: Any, own: Any) -> None:
    """A link of another kind of puzzle is for another script."""
    if isinstance(puzzle, GridPuzzle) and puzzle.kind != own.kind:
        raise ModelError(f"this solves {own.kind}, and the link shows {puzzle.kind}: give it to the script of that name")


def variables_in(answer: Any) -> list[Variable]:
    """The variables in what a function ``model`` returns beside the model: an array, a dict, edges, or several of these.

    >>> m = Model()
    >>> len(variables_in((m.bool_vars((2, 2)), {"a": m.bool_var()})))
    5
    """
    if isinstance(answer, GridEdges):
        return [variable for _, _, variable in answer.triples]
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    if isinstance(answer, tuple | list):
        return [variable for part in answer for variable in variables_in(part)]
    return [item for item in collect([answer]) if isinstance(item, Variable)]


def _steps(m: Model, over: Sequence[Variable], count: int, time_limit: float | None) -> None:
    known = [entry for entry in m.constraints if entry.name.startswith(GIVEN)]
    steps = list(islice(m.steps(givens=known, over=over, time_limit=time_limit), max(count, 0) + 1))
    for number, step in enumerate(steps[: max(count, 0)], start=1):
        _print(f"{number}. {step_in_words(step)}")
    if len(steps) > count > 0:
        _print("… and so on.")


def step_in_words(step: Step) -> str:
    """A step as a sentence: cells are called r1c1 and so on, by the indices in the names of variables.

    >>> m = Model()
    >>> shaded = m.bool_vars((1, 2), name="shaded")
    >>> _ = m.add(shaded.sum() == 2, name="two in the row")
    >>> step_in_words(next(m.steps()))
    'shaded: r1c1, r1c2 – because of: two in the row'
    """
    given = f" – given {facts_in_words(step.given)}" if step.given else ""
    return f"{facts_in_words(step.facts)} – because of: {'; '.join(step.because) or 'what is known'}{given}"


def facts_in_words(facts: Mapping[Variable, int], most: int = 8) -> str:
    """Values of variables in words; those of 0/1 variables as "shaded" and "not shaded", by the variables' names.

    >>> x = Model().int_vars((2, 2), 1, 4, name="x")
    >>> facts_in_words({x[0, 1]: 3, x[1, 1]: 4})
    'r1c2 is 3, r2c2 is 4'
    """
    flags: dict[str, list[str]] = {}
    values: list[str] = []
    for variable, value in facts.items():
        name, bracket, rest = str(variable).partition("[" if "[" in str(variable) else "(")
        places = ["–".join(at((int(row), int(column))) for row, column in _PLACE.findall(rest))] if bracket else []
        if (variable.lo, variable.hi) == (0, 1):
            flags.setdefault(name if value else f"no {name}" if name in ("line", "edge") else f"not {name}", []).extend(places or [""])
        else:
            place = places[0] if places and places[0] else name
            amount = "no" if value == variable.lo == 0 else str(value)
            if "–" in place:
                values.append(f"{amount} {name.removesuffix('s') if value == 1 else name} {place}")
            elif name in ("x", place):
                values.append(f"{place} is {value}")
            else:
                values.append(f"{place} is no {name}" if amount == "no" else f"{place} is {name} {value}")
    words = [f"{flag}: {listed(places, most)}" if any(places) else flag for flag, places in flags.items()]
    return "; ".join(([listed(values, most)] if values else []) + words)

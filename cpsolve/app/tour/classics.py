"""The classic puzzles of the tour: what one model can be asked. Each is solved, counted, sampled or explained."""

from __future__ import annotations

from typing import Any

import numpy as np

import cpsolve as cp
from cpsolve.puzzles.showcase import Stop


def solved(model: cp.Model) -> cp.Solution:
    """The solution of a model that must have one; it has been checked against every constraint."""
    solution = model.solve().solution
    if solution is None:
        raise cp.InfeasibleError(f"{model!r} should have a solution", model.conflict())
    return solution


def magic_square() -> Stop:
    """The numbers 1 to 9 with equal rows, columns and diagonals."""
    stop = Stop("Magic square")
    m = cp.Model("magic square")
    x = m.int_vars((3, 3), 1, 9, name="x")
    m.add(cp.all_different(x), name="all different")
    m.add(x.sum(axis=0) == 15, name="columns")
    m.add(x.sum(axis=1) == 15, name="rows")
    m.add([x.trace() == 15, x[::-1].trace() == 15], name="diagonals")
    stop.tell("solve", "a square, shown below")
    stop.tell("count", f"{m.count()} squares")
    stop.tell("backbone", ", ".join(f"{variable} = {value}" for variable, value in m.backbone().items()))
    corner = m.distribution(x[0, 0])
    stop.tell("distribution", "a corner is " + ", ".join(f"{value} ({share})" for value, share in corner.items()))
    stop.drawing = "\n".join(" ".join(map(str, row)) for row in solved(m)[x])
    return stop


def send_more_money() -> Stop:
    """A sum of words in which every letter stands for a digit."""
    stop = Stop("SEND + MORE = MONEY")
    m = cp.Model("cryptarithm")
    letters = {letter: m.int_var(int(letter in "SM"), 9, letter) for letter in "SENDMORY"}

    def number(word: str) -> Any:
        return sum(letters[letter] * 10**place for place, letter in enumerate(reversed(word)))

    m.add(cp.all_different(list(letters.values())), name="different digits")
    m.add(number("SEND") + number("MORE") == number("MONEY"), name="the sum")
    digits = {letter: solved(m)[variable] for letter, variable in letters.items()}
    written = {word: "".join(str(digits[letter]) for letter in word) for word in ("SEND", "MORE", "MONEY")}
    stop.tell("solve", f"{written['SEND']} + {written['MORE']} = {written['MONEY']}")
    stop.tell("solutions", f"{len(list(m.solutions()))}, so every letter is certain")
    return stop


def queens() -> Stop:
    """Eight queens that do not attack each other."""
    stop = Stop("Eight queens")
    m = cp.Model("queens")
    row = m.int_vars(8, 0, 7, name="row")
    for name, slope in (("rows", 0), ("rising diagonals", 1), ("falling diagonals", -1)):
        m.add(cp.all_different(row + slope * np.arange(8)), name=name)
    stop.tell("count", f"{m.count()} ways")
    corner, middle = m.marginals([row[0] == 0, row[0] == 3], exact=True)
    stop.tell("marginals", f"a queen stands in a corner in {corner} of them, in the middle of an edge in {middle}")
    placed = m.sample(1, seed=8)[0][row]
    stop.tell("sample", "one of them, drawn fairly, shown below")
    stop.drawing = "\n".join(" ".join("Q" if placed[column] == r else "·" for column in range(8)) for r in range(8))
    return stop


def dominoes() -> Stop:
    """Thirty-two dominoes that cover a chessboard."""
    stop = Stop("Dominoes on a chessboard")
    m = cp.Model("dominoes")
    squares = [(r, c) for r in range(8) for c in range(8)]
    place = {(a, b): m.bool_var(f"{a}-{b}") for a in squares for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in squares}
    for square in squares:
        m.add(cp.exactly_one([chosen for ends, chosen in place.items() if square in ends]), name=f"square {square}")
    stop.tell("count", f"{m.count():,} tilings, without listing one")
    upright = sum(chosen for (a, b), chosen in place.items() if a[1] == b[1])
    by_number = m.count_by(upright)
    likeliest = max(by_number, key=by_number.__getitem__)
    stop.tell("count_by", f"most often {likeliest} dominoes stand upright: in {by_number[likeliest]:,} tilings")
    tiling = m.sample(1, seed=3)[0]
    stop.tell("sample", "one of them, drawn fairly, shown below")
    marks = {}
    for (a, b), chosen in place.items():
        if tiling[chosen]:
            marks[a], marks[b] = ("╻ ", "╹ ") if a[1] == b[1] else ("╺━", "╸ ")
    stop.drawing = "\n".join("".join(marks[r, c] for c in range(8)).rstrip() for r in range(8))
    return stop


def round_trip() -> Stop:
    """The shortest tour of some cities (distances in kilometres, as the crow flies)."""
    stop = Stop("Round trip in Portugal")
    places = {"Lisboa": (487, 4287), "Porto": (532, 4556), "Coimbra": (549, 4450), "Braga": (548, 4600), "Évora": (596, 4270),
              "Faro": (596, 4097), "Aveiro": (530, 4500), "Beja": (600, 4208)}  # fmt: skip
    m = cp.Model("round trip")
    distance = {(a, b): round(np.hypot(*np.subtract(places[a], places[b]))) for a in places for b in places if a != b}
    drive = {arc: m.bool_var(f"{arc[0]}→{arc[1]}") for arc in distance}
    m.add(cp.circuit([(a, b, chosen) for (a, b), chosen in drive.items()]), name="one round trip")
    m.minimize(sum(distance[arc] * chosen for arc, chosen in drive.items()))
    improving: list[int | None] = []
    result = m.solve(on_solution=lambda better: improving.append(better.objective))
    assert result.solution is not None
    following = dict(arc for arc, chosen in drive.items() if result.solution[chosen])
    route = ["Lisboa"]
    while len(route) <= len(places):
        route.append(following[route[-1]])
    stop.tell("solve", f"{result.objective} km ({result.status.value}, bound {result.bound}) after {' → '.join(map(str, improving))}")
    stop.tell("count", f"{m.count():,} round trips there are")
    stop.drawing = " → ".join(route)
    return stop


def dinner() -> Stop:
    """Four guests on a bench of four chairs: who sits where, why, and one wish too many."""
    stop = Stop("Why, and why not")
    m = cp.Model("dinner")
    ana, rui, eva, gil = guests = [m.int_var(1, 4, name) for name in ("Ana", "Rui", "Eva", "Gil")]
    m.add(cp.all_different(guests), name="one guest a chair")
    m.add(ana < rui, name="Ana left of Rui")
    m.add(cp.absolute(rui - eva) == 1, name="Rui beside Eva")
    m.add(eva > 1, name="Eva not first")
    m.add(rui <= 2, name="Rui on the left half")
    m.add(gil != 3, name="Gil not third")
    stop.tell("backbone", ", ".join(f"{guest} = {chair}" for guest, chair in m.backbone().items()))
    stop.tell("explain Eva = 3", "; ".join(reason.name for reason in m.explain(eva == 3)))
    m.add(gil < eva, name="Gil left of Eva")
    stop.tell("conflict, once Gil wants to sit left of Eva", "; ".join(reason.name for reason in m.conflict()))
    return stop

"""Writes the texts of random models: domains, expressions, constraints and conditions nested in each other.

What is written speaks of ``x[0]``, ``x[1]`` … and of ``cp``; :mod:`fuzz.plain` tells what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random

from fuzz import plain

MOST_ASSIGNMENTS = 256
POWERS = (28, 30, 31, 32, 33, 40, 52, 53, 55, 60, 61, 62)
"""The powers of two near which numbers are drawn."""
Domain = tuple[int, ...]
"""The least and the largest value; three values or more are all that there are."""
FORMS = ("({0}) == ({1})", "({0}) | ({1})", "({1}).implies({0})", "({0}).implies({1})", "~({0})", "({0}) ^ ({1})", "({0}) != ({1})")
"""A condition reified, negated, or beside another."""


def values_of(domain: Domain) -> Sequence[int]:
    """All values of a variable.

    >>> list(values_of((2, 5))), values_of((2, 5, 9))
    ([2, 3, 4, 5], (2, 5, 9))
    """
    return range(domain[0], domain[1] + 1) if len(domain) == 2 else domain


class Writer:
    """Writes constraints over variables with given domains; ``number`` draws the numbers beside them."""

    def __init__(self, random: Random, bounds: Sequence[Domain], number: Callable[[Random], int]) -> None:
        self.random = random
        self.bounds = tuple(bounds)
        self.number = number
        self.names = [f"x[{i}]" for i in range(len(bounds))]
        self.bools = [name for name, domain in zip(self.names, bounds, strict=True) if domain == (0, 1)]

    def assignment(self) -> list[plain.Number]:
        """A value for each variable."""
        return [plain.Number(self.random.choice(values_of(domain))) for domain in self.bounds]

    def some(self, names: Sequence[str], least: int, most: int) -> list[str]:
        """A few different ones of the names."""
        return self.random.sample(names, min(len(names), self.random.randint(least, most)))

    def several(self, write: Callable[[], str], least: int, most: int) -> str:
        """A list of a few texts."""
        return f"[{', '.join(write() for _ in range(self.random.randint(least, most)))}]"

    def variable(self) -> str:
        """One of the names."""
        return self.random.choice(self.names)

    def total(self, names: Sequence[str]) -> str:
        """A sum with a coefficient for each name."""
        terms = [f"{self.number(self.random) or 1}*{name}" for name in names]
        constant = self.number(self.random) if self.random.random() < 0.2 else 0
        return " + ".join([*terms, str(constant)] if constant else terms).replace("+ -", "- ")

    def reachable(self, text: str) -> int:
        """A value that the text can have, or one beside it."""
        value = int(eval(text, {"x": self.assignment(), "cp": plain}))
        return value + (self.random.randint(-2, 2) if self.random.random() < 0.2 else 0)

    # -- expressions

    def expression(self) -> str:
        """An integer expression: mostly a sum."""
        match self.random.choice(["sum", "sum", "sum", "variable", "maximum", "minimum", "absolute", "element"]):
            case "variable":
                return self.variable()
            case "maximum" | "minimum" as kind:
                return f"cp.{kind}({', '.join(self.total(self.some(self.names, 1, 2)) for _ in range(2))})"
            case "absolute":
                return f"cp.absolute({self.total(self.some(self.names, 1, 3))})"
            case "element" if self.bools:
                return f"cp.element({self.several(self.entry, 2, 3)}, {self.random.choice(self.bools)})"
        return self.total(self.some(self.names, 1, 5))

    def entry(self) -> str:
        """A number or a variable."""
        return self.random.choice([str(self.number(self.random)), self.variable()])

    def formula(self) -> str:
        """An integer expression with a product, a division or a count in it."""
        left = self.random.choice([self.variable, self.expression])()
        match self.random.choice(["product", "square", "division", "division", "among", "count", "sum of conditions"]):
            case "product":
                return f"({left})*({self.random.choice([self.variable, self.expression])()})"
            case "square":
                return f"({left})**2"
            case "division":
                divisor = self.random.choice(
                    [f"cp.maximum({self.variable()}, 1)", f"cp.minimum({self.variable()}, -2)", "2", "3", "-2", "-3"]
                )
                return f"({left}) {self.random.choice(['//', '%'])} ({divisor})"
            case "among":
                return f"cp.among({self.several(self.variable, 0, 4)}, {[self.reachable(self.variable()) for _ in range(2)]})"
            case "count":
                return f"cp.count({self.several(self.variable, 0, 4)}, {self.entry()})"
        return f"2*({self.leaf()}) - ({self.leaf()})"

    # -- conditions

    def comparison(self, left: str, operators: Sequence[str] = ("==", "==", "==", "!=", "<=", ">=", "<", ">")) -> str:
        """``left`` compared with a number that it can have."""
        return f"({left} {self.random.choice(operators)} {self.reachable(left)})"

    def literal(self) -> str:
        """A 0/1 variable, sometimes negated, or a comparison of a variable with a value."""
        if self.bools and self.random.random() < 0.8:
            return ("~" if self.random.random() < 0.2 else "") + self.random.choice(self.bools)
        return self.comparison(self.variable(), ("==", "<=", "!="))

    def literals(self) -> str:
        """Some literals, as arguments."""
        return ", ".join(self.literal() for _ in range(self.random.randint(2, 4)))

    def table(self) -> str:
        """A table of rows that the variables can have, or nearly."""
        names = self.some(self.names, 1, 3)
        columns = [
            self.random.choice([name, name, f"{self.random.choice([2, -1, 3])}*{name} + {self.random.randint(-1, 1)}"]) for name in names
        ]
        rows = [tuple(self.reachable(column) for column in columns) for _ in range(self.random.randint(1, 5))]
        return f"cp.table([{', '.join(columns)}], {rows})"

    def automaton(self) -> str:
        """An automaton of up to three states over values that the variables can have."""
        names = [self.variable() for _ in range(self.random.randint(1, 4))]
        steps = {(self.random.randrange(3), self.reachable(self.random.choice(names))): self.random.randrange(3) for _ in range(9)}
        moves = [(tail, label, head) for (tail, label), head in steps.items()]
        return f"cp.automaton([{', '.join(names)}], 0, {self.random.sample(range(3), self.random.randint(1, 2))}, {moves})"

    def leaf(self) -> str:
        """A condition that is not made of others."""
        match self.random.choice(["comparison", "comparison", "one", "different", "table", "automaton"]):
            case "one":
                return f"cp.{self.random.choice(['at_most_one', 'exactly_one'])}({self.literals()})"
            case "different":
                return f"cp.all_different({', '.join(self.variable() for _ in range(self.random.randint(2, 3)))})"
            case "table":
                return self.table()
            case "automaton":
                return self.automaton()
        return self.comparison(self.expression())

    def rare(self) -> str:
        """One of the conditions that :meth:`leaf` does not write, on lists or on time."""
        entry, whether = self.entry, self.random.random() < 0.5
        match self.random.choice(["formula", "different", "inverse", "lex", "increasing", "cardinality", "least", "overlap", "cumulative"]):
            case "formula":
                return self.comparison(self.formula())
            case "different":
                return f"cp.all_different({self.several(self.formula if whether else self.expression, 0, 3)})"
            case "inverse":
                size = self.random.randint(1, 2)
                return f"cp.inverse({self.several(entry, size, size)}, {self.several(self.variable, size, size)})"
            case "lex":
                size = self.random.randint(0, 3)
                return f"cp.lex_less({self.several(entry, size, size)}, {self.several(entry, size, size)}, or_equal={whether})"
            case "increasing":
                return f"cp.increasing({self.several(entry, 0, 4)}, strict={whether})"
            case "cardinality":
                often = {self.reachable(self.variable()): self.random.choice(["1", "(0, 1)", self.variable()]) for _ in range(2)}
                times = ", ".join(f"{value}: {text}" for value, text in often.items())
                return f"cp.cardinality({self.several(self.variable, 0, 4)}, {{{times}}}, closed={self.random.random() < 0.3})"
            case "least":
                return f"cp.at_least({entry()}, {self.literals()})"
            case "overlap":
                return f"cp.no_overlap({self.several(self.task, 0, 3)})"
        tasks = self.random.randint(0, 3)
        demands = [self.random.randint(0, 3) for _ in range(tasks)]
        return f"cp.cumulative({self.several(self.task, tasks, tasks)}, {demands}, {entry()})"

    def task(self) -> str:
        """An interval of time."""
        duration = self.random.choice([str(self.random.randint(0, 3)), f"cp.absolute({self.variable()})"])
        return f"cp.interval({self.entry()}, {duration}, {self.random.choice(['True', self.literal()])})"

    def on_graph(self) -> str:
        """A condition on a small graph: of arcs, of edges or of nodes."""
        kind = self.random.choice(["circuit", "circuit", "loop", "path", "acyclic", "connected", "regions", "region_sizes"])
        count = self.random.randint(2, 4)
        pairs = [(one, other) for one in range(count) for other in range(count) if one < other or kind == "circuit"]
        edges = self.random.sample(pairs, self.random.randint(1, min(len(pairs), 7)))
        if kind == "circuit" and self.random.random() < 0.2:
            edges.append(self.random.choice(edges))
        chosen = f"[{', '.join(f'({one}, {other}, {self.literal()})' for one, other in edges)}]"
        shape = f"cp.graph({edges}, nodes=range({count}))"
        labels = self.several(self.variable if self.random.random() < 0.7 else self.entry, count, count)
        match kind:
            case "path":
                return f"cp.path({chosen}, {', '.join(map(str, self.random.sample(self.random.choice(edges), 2)))})"
            case "connected":
                return f"cp.connected({self.several(self.literal, count, count)}, {shape})"
            case "region_sizes":
                return f"cp.region_sizes({labels}, {shape}, {self.random.choice([labels, self.several(self.entry, count, count)])})"
            case "regions" if self.random.random() < 0.5:
                root, size = self.random.randrange(count), self.random.choice([str(self.random.randint(0, count)), self.variable()])
                label = self.reachable(self.variable())
                return f"cp.regions({labels}, {shape}, roots={{{label}: {root}}}, sizes={{{label}: {size}}})"
            case "regions":
                return f"cp.regions({labels}, {shape})"
        return f"cp.{kind}({chosen})"

    def under_condition(self, inner: str, other: str) -> str:
        """``inner`` reified, negated, or beside ``other`` in a formula."""
        return self.random.choice(FORMS).format(inner, other)

    def nested(self, depth: int, leaf: Callable[[], str] | None = None) -> str:
        """Any condition, with conditions in it."""
        if depth == 0 or self.random.random() < 0.3:
            return (leaf or self.leaf)()
        other = self.nested(depth - 1, leaf) if self.random.random() < 0.5 else self.literal()
        return self.under_condition(self.nested(depth - 1, leaf), other)

    def any_leaf(self) -> str:
        """A condition of any kind that is not made of others."""
        return self.random.choice([self.leaf, self.rare, self.rare, self.on_graph])()


# -- numbers and domains


def digit(random: Random) -> int:
    """A small number."""
    return random.randint(-9, 9)


def large(random: Random) -> int:
    """A number near a power of two, or a small one."""
    if random.random() < 0.5:
        return random.randint(-3, 3)
    return random.choice((1, -1)) * ((1 << random.choice(POWERS[:-2])) + random.randint(-9, 9))


def booleans(random: Random, least: int, most: int) -> list[Domain]:
    """The domains of some 0/1 variables."""
    return [(0, 1)] * random.randint(least, most)


def integers(random: Random, wide: bool, gaps: bool = False) -> list[Domain]:
    """The domains of a few variables: some 0/1, some with a few values, if ``wide`` near a power of two, some with ``gaps``."""
    domains: list[Domain] = []
    while len(domains) < 6:
        domain: Domain = (0, 1)
        if random.random() < 0.6:
            base = random.choice((1, -1)) * 2 ** random.choice(POWERS[1:-2]) if wide and random.random() < 0.6 else 0
            lo = base + random.randint(-3, 2)
            hi = lo + random.randint(0, 3)
            domain = max(lo, -(2**60)), min(hi, 2**60)
            if gaps and random.random() < 0.3:
                domain = tuple(sorted(random.sample(range(-2, 4), 3)))
        if domain[0] > domain[-1] or prod(hi - lo + 1 for lo, *_, hi in [*domains, domain]) > MOST_ASSIGNMENTS:
            break
        domains.append(domain)
    return domains or [(0, 1)]

"""Random small models over every constraint, in both polarities and nested in each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

import cpsolve as cp
from cpsolve import Expression, Model, Variable

MOST_ASSIGNMENTS = 400


class Source:
    """Draws expressions and conditions over the variables of one model."""

    def __init__(self, draw: Callable[..., Any], variables: list[Variable]) -> None:
        self.draw = draw
        self.variables = variables
        self.bools = [variable for variable in variables if variable.is_boolean]

    def integer(self, low: int, high: int) -> int:
        drawn: int = self.draw(st.integers(low, high))
        return drawn

    def choice(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def number(self, depth: int) -> Expression:
        """An integer expression."""
        kinds = ["variable", "variable", "sum"] + ["element", "maximum", "minimum", "absolute", "condition", "product", "division"] * (
            depth > 0
        )
        match self.choice(kinds):
            case "sum":
                total: Any = self.integer(-2, 2)
                for _ in range(self.integer(1, 3)):
                    total = total + self.integer(-2, 3) * self.number(depth - 1 if depth else 0)
                return total if isinstance(total, Expression) else self.choice(self.variables)
            case "element":
                size = self.integer(1, 3)
                array = [self.integer(-1, 3) if self.integer(0, 1) else self.number(0) for _ in range(size)]
                indices = [variable for variable in self.variables if variable.lo >= 0 and variable.hi < size]
                return cp.element(array, self.choice(indices) if indices else self.integer(0, size - 1))
            case "maximum":
                return cp.maximum([self.number(depth - 1) for _ in range(self.integer(1, 3))])
            case "minimum":
                return cp.minimum([self.number(depth - 1) for _ in range(self.integer(1, 3))], self.integer(-1, 2))
            case "absolute":
                return cp.absolute(self.number(depth - 1))
            case "product":
                left = self.number(depth - 1)
                product: Expression = left**2 if self.integer(0, 2) == 0 else left * self.number(depth - 1)
                return product
            case "division":
                divisor = cp.maximum(self.number(0), 1) if self.integer(0, 1) else self.choice([-3, -2, 2, 3])
                quotient: Expression = self.number(depth - 1) // divisor if self.integer(0, 1) else self.number(depth - 1) % divisor
                return quotient
            case "condition":
                condition: Expression = self.condition(depth - 1)
                return condition
        chosen: Expression = self.choice(self.variables)
        return chosen

    def condition(self, depth: int) -> Any:
        """A constraint, a 0/1 variable or a truth value."""
        leaves = ["compare", "compare", "bool", "different", "table", "most", "one", "automaton", "circuit"]
        leaves += ["inverse", "lex", "increasing", "cardinality", "overlap", "cumulative"]
        leaves += ["loop", "path", "acyclic", "connected", "regions", "region_sizes"]
        kinds = leaves + ["and", "or", "not", "xor", "implies"] * (2 if depth > 0 else 0)
        match self.choice(kinds):
            case "bool" if self.bools:
                return self.choice(self.bools)
            case "different":
                return cp.all_different([self.number(min(depth, 1)) for _ in range(self.integer(0, 3))])
            case "table":
                width = self.integer(1, 3)
                rows = self.draw(st.lists(st.tuples(*[st.integers(-1, 3)] * width), max_size=5))
                return cp.table([self.choice(self.variables) if depth < 2 else self.number(1) for _ in range(width)], rows)
            case "most":
                return cp.at_most_one([self.literal(depth) for _ in range(self.integer(0, 3))])
            case "one":
                return cp.exactly_one([self.literal(depth) for _ in range(self.integer(0, 3))])
            case "automaton":
                states = st.integers(0, 2)
                steps = self.draw(st.dictionaries(st.tuples(states, st.integers(-1, 3)), states, max_size=8))
                return cp.automaton(
                    [self.choice(self.variables) if depth < 2 else self.number(1) for _ in range(self.integer(0, 3))],
                    self.integer(0, 2),
                    self.draw(st.sets(states)),
                    [(tail, label, head) for (tail, label), head in steps.items()],
                )
            case "circuit":
                nodes = self.integer(1, 3)
                arcs = [(a, b) for a in range(nodes) for b in range(nodes)]
                chosen = self.draw(st.lists(st.sampled_from(arcs), min_size=1, max_size=7))
                return cp.circuit([(f"n{a}", f"n{b}", self.literal(depth)) for a, b in chosen])
            case "inverse":
                size = self.integer(1, 2)
                return cp.inverse([self.number(0) for _ in range(size)], [self.choice(self.variables) for _ in range(size)])
            case "lex":
                size = self.integer(0, 3)
                words = [[self.number(0) for _ in range(size)] for _ in range(2)]
                return cp.lex_less(words[0], words[1], or_equal=self.draw(st.booleans()))
            case "increasing":
                return cp.increasing([self.number(0) for _ in range(self.integer(0, 3))], strict=self.draw(st.booleans()))
            case "cardinality":
                items = [self.number(0) for _ in range(self.integer(0, 3))]
                values = self.draw(st.sets(st.integers(-1, 3), max_size=2))
                times: dict[int, Any] = {value: self.choice([1, (0, 1), self.number(0)]) for value in values}
                several = cp.at_least(self.integer(0, 2), cp.among(items, [0, 2]) >= 1, cp.count(items, self.number(0)) == 1)
                return cp.cardinality(items, times, closed=self.integer(0, 3) == 0) if self.integer(0, 1) else several
            case "overlap" | "cumulative" as kind:
                tasks = [cp.interval(self.number(0), self.duration(), self.literal(depth)) for _ in range(self.integer(0, 3))]
                if kind == "overlap":
                    return cp.no_overlap(tasks)
                capacity = self.number(0) if self.integer(0, 1) else self.integer(0, 3)
                return cp.cumulative(tasks, [self.integer(0, 2) for _ in tasks], capacity)
            case "loop" | "path" | "acyclic" as kind:
                nodes = self.integer(2, 4)
                pairs = [(a, b) for a in range(nodes) for b in range(a)]
                edges = [
                    (f"n{a}", f"n{b}", self.literal(depth)) for a, b in self.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
                ]
                if kind == "path":
                    return cp.path(edges, *edges[self.integer(0, len(edges) - 1)][:2])
                return cp.loop(edges) if kind == "loop" else cp.acyclic(edges)
            case "connected" | "regions" | "region_sizes" as kind:
                nodes = self.integer(1, 4)
                pairs = [(a, b) for a in range(nodes) for b in range(a)]
                shape = cp.graph(self.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [], nodes=range(nodes))
                if kind == "connected":
                    return cp.connected([self.literal(depth) for _ in shape.nodes], shape)
                labels = [self.choice(self.variables) if self.integer(0, 3) else self.integer(0, 2) for _ in shape.nodes]
                if kind == "regions":
                    return cp.regions(labels, shape)
                return cp.region_sizes(labels, shape, labels if self.integer(0, 1) else [self.number(0) for _ in shape.nodes])
            case "and":
                return cp.all_of([self.condition(depth - 1) for _ in range(self.integer(0, 3))])
            case "or":
                return cp.any_of([self.condition(depth - 1) for _ in range(self.integer(0, 3))])
            case "not":
                inner = self.condition(depth - 1)
                return (not inner) if isinstance(inner, bool) else ~inner
            case "xor":
                return cp.all_of(self.condition(depth - 1)) ^ self.condition(depth - 1)
            case "implies":
                return cp.any_of(self.condition(depth - 1)).implies(self.condition(depth - 1))
        left, right = self.number(depth), self.number(depth) if self.integer(0, 2) == 0 else self.integer(-2, 4)
        return self.compare(self.choice(["==", "!=", "<=", "<", ">=", ">"]), left, right)

    def compare(self, symbol: str, left: Expression, right: Any) -> Any:
        match symbol:
            case "==":
                return left == right
            case "!=":
                return left != right
            case "<=":
                return left <= right
            case "<":
                return left < right
            case ">=":
                return left >= right
        return left > right

    def duration(self) -> Any:
        """A number that is not negative."""
        return self.integer(0, 2) if self.integer(0, 1) else cp.maximum(self.number(0), 0)

    def literal(self, depth: int) -> Any:
        """Mostly 0/1 variables and their negations, sometimes a truth value or a nested condition."""
        kind = self.integer(0, 9)
        if kind == 0:
            return self.draw(st.booleans())
        if kind == 1 and depth > 0:
            return self.condition(depth - 1)
        if not self.bools:
            return self.choice(self.variables) >= self.integer(-1, 2)
        variable = self.choice(self.bools)
        return ~variable if kind == 2 else variable


@st.composite
def sources(draw: st.DrawFn) -> tuple[Model, Source]:
    """An empty model over a few variables, and a source of expressions over them."""
    model = Model("random")
    size = 1
    for number in range(draw(st.integers(1, 6))):
        low, high = (0, 1) if draw(st.booleans()) else (low := draw(st.integers(-2, 2)), low + draw(st.integers(0, 3)))
        if size * (high - low + 1) > MOST_ASSIGNMENTS:
            break
        size *= high - low + 1
        model.int_var(low, high, f"x{number}")
    return model, Source(draw, list(model.variables))


@st.composite
def models(draw: st.DrawFn) -> tuple[Model, Source]:
    """A model with a few constraints over a few variables."""
    model, source = draw(sources())
    for number in range(draw(st.integers(0, 4))):
        model.add(source.condition(draw(st.integers(0, 2))), name=f"c{number}")
    return model, source

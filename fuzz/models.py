"""Random models, every question and every backend, against brute force.

A model is written as text (``Spec``), so that it can be shown as a program, built, and made smaller when an answer is wrong. The kinds are
the shapes in which solvers have been wrong: reified comparisons beside at-most-one, tables and automata under conditions, and numbers near
the powers of two where a solver changes its arithmetic. Every optimum is compared, with presolve on and off.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import prod
from random import Random
from typing import Any

import cpsolve as cp
from cpsolve import Model, Status, Variable
from fuzz.runner import Kind, Refused, Wrong

Values = dict[Variable, int]

MOST_ASSIGNMENTS = 256
POWERS = (28, 30, 31, 32, 33, 40, 52, 53, 55, 60, 61, 62)
"""The powers of two near which numbers are drawn."""


@dataclass(frozen=True)
class Spec:
    """A model as text: the bounds of ``x[0]``, ``x[1]`` …, constraints over them, and an objective with its verb."""

    bounds: tuple[tuple[int, int], ...]
    constraints: tuple[str, ...]
    objective: str
    verb: str = "maximize"

    def build(self) -> Model:
        """The model; Refused if the toolkit does not take it."""
        model = Model()
        scope: dict[str, Any] = {"cp": cp, "x": [model.int_var(lo, hi, f"x[{i}]") for i, (lo, hi) in enumerate(self.bounds)]}
        try:
            for number, text in enumerate(self.constraints):
                model.add(eval(text, scope), name=f"c{number}")
            getattr(model, self.verb)(eval(self.objective, scope))
        except cp.ModelError as error:
            raise Refused(str(error)) from None
        return model

    def program(self, question: str) -> str:
        """A program that builds this model and asks the question again."""
        bounds = ", ".join(map(str, self.bounds))
        lines = [
            "import cpsolve as cp",
            "m = cp.Model()",
            f'x = [m.int_var(lo, hi, f"x[{{i}}]") for i, (lo, hi) in enumerate([{bounds}])]',
            *(f'm.add({text}, name="c{number}")' for number, text in enumerate(self.constraints)),
            f"m.{self.verb}({self.objective})",
            question,
        ]
        return "\n".join(lines)

    def smaller(self) -> Iterator[Spec]:
        """Models with one thing less."""
        for number in range(len(self.constraints)):
            yield replace(self, constraints=self.constraints[:number] + self.constraints[number + 1 :])
        for number, (lo, hi) in enumerate(self.bounds):
            if lo < hi:
                yield replace(self, bounds=(*self.bounds[:number], (lo, lo), *self.bounds[number + 1 :]))
                yield replace(self, bounds=(*self.bounds[:number], (hi, hi), *self.bounds[number + 1 :]))


# -- writing models


def _finish(writer: Writer, constraints: Sequence[str], number: Callable[[Random], int] = digit) -> Spec:
    """The model with these constraints, in random order, and an objective over some of the variables."""
    random = writer.random
    objective = Writer(random, writer.bounds, number).total(writer.some(writer.names, 1, len(writer.names)))
    shuffled = random.sample(list(constraints), len(constraints))
    return Spec(writer.bounds, tuple(shuffled), objective, random.choice(["maximize", "minimize"]))


def reified(random: Random, number: Callable[[Random], int]) -> Spec:
    """A 0/1 variable that says whether a sum over all has a value, beside at-most-one."""
    writer = Writer(random, booleans(random, 4, 7), number)
    constraints = []
    for _ in range(random.choice([1, 1, 1, 2])):
        sign = random.choice(["==", "==", "==", "!=", "<=", ">="])
        left = writer.total(writer.some(writer.names, 2, 7) if random.random() < 0.3 else writer.names)
        variable = random.choice(writer.names)
        constraints.append(f"{variable} == {writer.comparison(left, [sign])}")
        others = writer.some([name for name in writer.names if name != variable], 1, 2)
        constraints.append(f"cp.at_most_one({', '.join([variable, *others] if random.random() < 0.7 else [*others, writer.literal()])})")
    if random.random() < 0.2:
        constraints.append(f"{writer.literal()} | {writer.literal()}")
    return _finish(writer, constraints, lambda random: random.randint(-3, 3))


def logic(random: Random, number: Callable[[Random], int]) -> Spec:
    """Several conditions over 0/1 variables, nested in each other."""
    writer = Writer(random, booleans(random, 5, 8), number)
    constraints = []
    for _ in range(random.randint(2, 5)):
        inner = writer.comparison(writer.total(writer.some(writer.names, 2, 5)))
        one = f"cp.{random.choice(['at_most_one', 'at_most_one', 'exactly_one', 'any_of'])}({writer.literals()})"
        constraints.append(random.choice([writer.under_condition(inner, writer.literal()), one, one, writer.nested(1)]))
    return _finish(writer, constraints)


def conditional(random: Random, wide: bool) -> Spec:
    """Tables and automata under conditions."""
    writer = Writer(random, integers(random, wide), digit)
    constraints = []
    for _ in range(random.randint(1, 3)):
        inner = writer.table() if random.random() < 0.5 else writer.automaton()
        other = random.choice([writer.literal, writer.table, writer.automaton])()
        constraints.append(inner if random.random() < 0.2 else writer.under_condition(inner, other))
    return _finish(writer, constraints)


def domains(random: Random) -> Spec:
    """Variables near powers of two in every constraint."""
    writer = Writer(random, integers(random, wide=True), lambda random: random.choice((1, 1, -1, 2, -1)))
    return _finish(writer, [writer.nested(random.randint(0, 2)) for _ in range(random.randint(1, 3))])


def objectives(random: Random) -> Spec:
    """Objectives with coefficients near powers of two."""
    writer = Writer(random, integers(random, wide=random.random() < 0.3), lambda random: random.randint(-3, 3))
    return _finish(writer, [writer.nested(random.randint(0, 1)) for _ in range(random.randint(1, 3))], large)


def everything(random: Random) -> Spec:
    """Small numbers in every constraint, nested."""
    writer = Writer(random, integers(random, wide=False), lambda random: random.randint(-3, 3))
    return _finish(writer, [writer.nested(random.randint(0, 3)) for _ in range(random.randint(1, 4))])


# -- asking


def solutions(model: Model) -> list[Values]:
    """All solutions, by trying every assignment."""
    domains = [range(variable.lo, variable.hi + 1) for variable in model.variables]
    found = []
    for values in product(*domains):
        assignment = dict(zip(model.variables, values, strict=True))
        if all(entry.constraint.value(assignment) for entry in model.constraints):
            found.append(assignment)
    return found


@dataclass(frozen=True)
class Question:
    """What is asked: a name, how a program asks it, and what it answers (first) and should have (second)."""

    asked: str
    answers: Callable[[Model, list[Values]], tuple[Any, Any]]


def _optimum(**how: Any) -> Question:
    def answers(model: Model, found: list[Values]) -> tuple[Any, Any]:
        result = model.solve(**how)
        assert model.objective is not None
        best = min((model.sense * model.objective.value(values) for values in found), default=None)
        expected = (Status.INFEASIBLE, None, None) if best is None else (Status.OPTIMAL, model.sense * best, model.sense * best)
        return (result.status, result.objective, result.bound), expected

    return Question(f"print(m.solve({', '.join(f'{name}={value!r}' for name, value in how.items())}))", answers)


def _first_answer(model: Model, found: list[Values]) -> tuple[Any, Any]:
    """A search that ends at its first solution: its bound must not exclude the optimum, nor its answer beat it."""
    result = model.solve(options={"stop_after_first_solution": True})
    assert model.objective is not None
    best = min((model.sense * model.objective.value(values) for values in found), default=None)
    if best is None or result.objective is None or result.bound is None:
        return result.status, Status.INFEASIBLE if best is None else Status.FEASIBLE
    return model.sense * result.bound <= best <= model.sense * result.objective, True


def _listed(backend: str) -> Question:
    def answers(model: Model, found: list[Values]) -> tuple[Any, Any]:
        listing = model.solutions(backend=backend)
        keys = sorted(tuple(solution[variable] for variable in model.variables) for solution in listing)
        return (keys, listing.complete), (sorted(tuple(values.values()) for values in found), True)

    return Question(f"print(sorted(tuple(s.values()) for s in m.solutions(backend={backend!r})))", answers)


def _projected(backend: str) -> Question:
    def answers(model: Model, found: list[Values]) -> tuple[Any, Any]:
        over = model.variables[::2]
        keys = sorted(tuple(solution.values()) for solution in model.solutions(over=over, backend=backend))
        return keys, sorted({tuple(values[variable] for variable in over) for values in found})

    return Question(f"print(sorted(tuple(s.values()) for s in m.solutions(over=x[::2], backend={backend!r})))", answers)


def _counts(model: Model, found: list[Values]) -> tuple[Any, Any]:
    assert model.objective is not None
    by = model.count_by(model.objective)
    return (model.count(), by), (len(found), dict(Counter(model.objective.value(values) for values in found)))


def _backbone(model: Model, found: list[Values]) -> tuple[Any, Any]:
    shared = {str(v): found[0][v] for v in model.variables if len({values[v] for values in found}) == 1} if found else "no solution"
    try:
        return {str(variable): value for variable, value in model.backbone().items()}, shared
    except cp.InfeasibleError:
        return "no solution", shared


def _conflict(model: Model, found: list[Values]) -> tuple[Any, Any]:
    """[] for a model with a solution; else a list that has none, and has one without any of its members."""
    conflict = model.conflict()
    if found:
        return [str(entry) for entry in conflict], []
    return _minimal(model, conflict, lambda values: True), (False, [])


def _minimal(model: Model, entries: Sequence[cp.NamedConstraint], also: Callable[[Values], bool]) -> tuple[bool, list[str]]:
    """Whether the constraints have a solution together, and which of them could be left out without getting one."""

    def solvable(part: Sequence[cp.NamedConstraint]) -> bool:
        relaxed = model.copy()
        relaxed._constraints = list(part)
        return any(map(also, solutions(relaxed)))

    idle = [str(member) for member in entries if not solvable([entry for entry in entries if entry is not member])]
    return solvable(entries), idle


def _explained(model: Model, found: list[Values]) -> tuple[Any, Any]:
    """The reasons of a fact about the first variable: its value in the first solution, or its lower bound."""
    variable = model.variables[0]
    fact = variable == (found[0][variable] if found else variable.lo)
    holds = all(fact.value(values) for values in found)
    try:
        reasons = model.explain(fact)
    except cp.NotImpliedError as error:
        return (holds, bool(model.violations(error.counterexample)), error.counterexample[fact]), (False, False, False)
    except cp.InfeasibleError as error:
        return (bool(found), _minimal(model, error.conflict, lambda values: True)[0]), (False, False)
    return (holds, _minimal(model, reasons, lambda values: not fact.value(values))), (True, (False, []))


def _checked(model: Model, found: list[Values]) -> tuple[Any, Any]:
    """The second opinion agrees with the first."""
    return bool(model.solve(check=True).checked), True


NO_PRESOLVE = {"max_presolve_iterations": 1}  # as little as there can be: without any, CP-SAT may end the process
ALWAYS = (_optimum(), _optimum(options=NO_PRESOLVE))
SOMETIMES = (
    _optimum(backend="python-constraint"),
    _optimum(backend="diagram"),
    _optimum(seed=7),
    _optimum(workers=2),
    Question('print(m.solve(options={"stop_after_first_solution": True}))', _first_answer),
    *(_listed(backend) for backend in ("cpsat", "cpsat", "python-constraint", "diagram")),
    *(_projected(backend) for backend in ("cpsat", "python-constraint", "diagram")),
    Question("print(m.count(), m.count_by(m.objective))", _counts),
    Question("print(m.backbone())", _backbone),
    Question("print(m.backbone())", _backbone),
    Question("print(m.conflict())", _conflict),
    Question("print(m.conflict())", _conflict),
    Question("try:\n    print(m.explain(x[0] == x[0].lo))\nexcept cp.CPSolveError as error:\n    print(error)", _explained),
    Question("print(m.solve(check=True))", _checked),
)
QUESTIONS = {question.asked: question for question in (*ALWAYS, *SOMETIMES)}


def trial(write: Callable[[Random], Spec]) -> Kind:
    """Writes a model and asks for its optimum in two ways, and two other questions."""

    def make(random: Random) -> dict[str, Any]:
        spec = write(random)
        return {**asdict(spec), "questions": [question.asked for question in (*ALWAYS, *random.sample(SOMETIMES, 2))]}

    return Kind(make, check, fewer)


def check(value: Mapping[str, Any]) -> None:
    """Builds a model and asks its questions."""
    spec = spec_of(value)
    model = spec.build()
    found = solutions(model)
    for asked in value["questions"]:
        if told := ask(QUESTIONS[asked], model, found):
            raise Wrong(f"{told}\n{spec.program(asked)}")


def spec_of(value: Mapping[str, Any]) -> Spec:
    """The model of an input."""
    bounds = tuple((lo, hi) for lo, hi in value["bounds"])
    return Spec(bounds, tuple(value["constraints"]), value["objective"], value["verb"])


def fewer(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One question instead of several, or a smaller model."""
    if len(value["questions"]) > 1:
        yield from ({**value, "questions": [asked]} for asked in value["questions"])
    yield from ({**asdict(spec), "questions": value["questions"]} for spec in spec_of(value).smaller())


def ask(question: Question, model: Model, found: list[Values]) -> str:
    """What was wrong with the answer, or "". A backend may say that the model is too large for it."""
    try:
        given, expected = question.answers(model, found)
    except (cp.UnsupportedError, cp.DiagramTooWide):
        return ""
    except Exception:  # no question may end in another error
        return traceback.format_exc()
    return "" if given == expected else f"answered {given}, right is {expected}"


KINDS: dict[str, Kind] = {
    "reified equality": trial(lambda random: reified(random, digit)),
    "reified equality, large coefficients": trial(lambda random: reified(random, large)),
    "logic": trial(lambda random: logic(random, digit)),
    "logic, large coefficients": trial(lambda random: logic(random, large)),
    "tables and automata under conditions": trial(lambda random: conditional(random, wide=False)),
    "the same, wide domains": trial(lambda random: conditional(random, wide=True)),
    "wide domains": trial(domains),
    "large objectives": trial(objectives),
    "everything": trial(everything),
}

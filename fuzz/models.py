"""Random models, every question and every backend, against brute force.

A model is written as text (``Spec``), so that it can be shown as a program, built, made smaller when an answer is wrong, and judged by
:mod:`fuzz.plain`, which shares nothing with the toolkit. The kinds are the shapes in which solvers have been wrong: reified comparisons
beside at-most-one, tables and automata under conditions, and numbers near the powers of two where a solver changes its arithmetic; and
every constraint that there is. Every optimum is compared, with presolve on and off.
"""

from __future__ import annotations

import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import cpsolve as cp
from cpsolve import Model, Status, Variable
from fuzz import plain
from fuzz.runner import Kind, Refused, Wrong
from fuzz.writing import Domain, Writer, booleans, digit, integers, large, values_of

Values = dict[Variable, int]
BACKENDS = ("cpsat", "python-constraint", "diagram", "sat")


@dataclass(frozen=True)
class Spec:
    """A model as text: the domains of ``x[0]``, ``x[1]`` …, constraints over them, and an objective with its verb."""

    bounds: tuple[Domain, ...]
    constraints: tuple[str, ...]
    objective: str
    verb: str = "maximize"

    def build(self) -> Model:
        """The model; Refused if the toolkit does not take it."""
        model = Model()
        variables = [_variable(model, domain, f"x[{i}]") for i, domain in enumerate(self.bounds)]
        scope: dict[str, Any] = {"cp": cp, "x": variables}
        try:
            for number, text in enumerate(self.constraints):
                model.add(eval(text, scope), name=f"c{number}")
            getattr(model, self.verb)(eval(self.objective, scope))
        except cp.ModelError as error:
            raise Refused(str(error)) from None
        return model

    def program(self, question: str) -> str:
        """A program that builds this model and asks the question again."""
        made = [
            f"m.int_var{'_of(' if len(each) > 2 else '('}{list(each) if len(each) > 2 else f'{each[0]}, {each[1]}'}" for each in self.bounds
        ]
        lines = [
            "import cpsolve as cp",
            "m = cp.Model()",
            f"x = [{', '.join(f'{each}, name={chr(34)}x[{i}]{chr(34)})' for i, each in enumerate(made))}]",
            *(f'm.add({text}, name="c{number}")' for number, text in enumerate(self.constraints)),
            f"m.{self.verb}({self.objective})",
            question,
        ]
        return "\n".join(lines)

    def smaller(self) -> Iterator[Spec]:
        """Models with one thing less."""
        for number in range(len(self.constraints)):
            yield replace(self, constraints=self.constraints[:number] + self.constraints[number + 1 :])
        for number, domain in enumerate(self.bounds):
            if domain[0] < domain[-1]:
                for end in (domain[0], domain[-1]):
                    yield replace(self, bounds=(*self.bounds[:number], (end, end), *self.bounds[number + 1 :]))


def _variable(model: Model, domain: Domain, name: str) -> Variable:
    return model.int_var(*domain, name=name) if len(domain) == 2 else model.int_var_of(domain, name)


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
    """Small numbers in every constraint that solvers know well, nested."""
    writer = Writer(random, integers(random, wide=False), lambda random: random.randint(-3, 3))
    return _finish(writer, [writer.nested(random.randint(0, 3)) for _ in range(random.randint(1, 4))])


def rarely(random: Random, wide: bool) -> Spec:
    """Constraints on lists and on time, products, divisions and counts, with gaps in domains."""
    numbers = (lambda random: random.choice((1, 1, -1, 2, -1))) if wide else (lambda random: random.randint(-3, 3))
    writer = Writer(random, integers(random, wide, gaps=True), numbers)
    spec = _finish(writer, [writer.nested(random.randint(0, 2), writer.any_leaf) for _ in range(random.randint(1, 3))])
    return spec if wide or random.random() < 0.5 else replace(spec, objective=writer.formula())


def graphs(random: Random) -> Spec:
    """Constraints on graphs, alone and under conditions, over 0/1 variables and a few labels."""
    domains = booleans(random, 3, 7) if random.random() < 0.7 else integers(random, wide=False)
    writer = Writer(random, domains, lambda random: random.randint(-2, 3))
    constraints = [writer.nested(random.choice([0, 0, 1, 2]), writer.on_graph) for _ in range(random.randint(1, 2))]
    return _finish(writer, [*constraints, *(writer.leaf() for _ in range(random.randint(0, 1)))])


# -- what is right


@dataclass(frozen=True)
class Truth:
    """Every assignment, the names of the constraints that it breaks, and the value of the objective, by the plain meaning of the text."""

    assignments: tuple[Values, ...]
    broken: tuple[frozenset[str], ...]
    objectives: tuple[int, ...]
    sense: int

    @classmethod
    def of(cls, spec: Spec, model: Model) -> Truth:
        """Judges every assignment."""
        constraints = [(f"c{number}", compile(text, "constraint", "eval")) for number, text in enumerate(spec.constraints)]
        objective = compile(spec.objective, "objective", "eval")
        assignments, broken, objectives = [], [], []
        for values in product(*(range(domain[0], domain[-1] + 1) for domain in spec.bounds)):
            scope = {"cp": plain, "x": [plain.Number(value) for value in values]}
            outside = [number for number, domain in enumerate(spec.bounds) if values[number] not in values_of(domain)]
            assignments.append(dict(zip(model.variables, values, strict=True)))
            broken.append(
                frozenset(name for name, code in constraints if not eval(code, scope)).union(f"domain of x[{i}]" for i in outside)
            )
            objectives.append(int(eval(objective, scope)))
        return cls(tuple(assignments), tuple(broken), tuple(objectives), model.sense)

    @property
    def found(self) -> list[Values]:
        """All solutions."""
        return self.under(None)

    def under(self, names: Iterable[str] | None) -> list[Values]:
        """The assignments that break none of the named constraints, or none at all."""
        kept = None if names is None else frozenset(names)
        judged = zip(self.assignments, self.broken, strict=True)
        return [values for values, broken in judged if not (broken if kept is None else broken & kept)]

    @property
    def worth(self) -> list[int]:
        """The value of the objective in every solution."""
        return [value for value, broken in zip(self.objectives, self.broken, strict=True) if not broken]

    @property
    def best(self) -> int | None:
        """The best of them; None without a solution."""
        return max(self.worth, key=lambda value: -self.sense * value, default=None)


def _keys(found: Iterable[Mapping[Variable, int]], over: Sequence[Variable]) -> list[tuple[int, ...]]:
    """Each different assignment of some variables once, in order."""
    return sorted({tuple(values[variable] for variable in over) for values in found})


def _shared(found: Sequence[Values], over: Sequence[Variable]) -> dict[Variable, int]:
    """The variables that have one value in all solutions."""
    return {variable: found[0][variable] for variable in over if len({values[variable] for values in found}) == 1}


# -- asking


@dataclass(frozen=True)
class Question:
    """What is asked: how a program asks it, and what is answered (first) and right (second)."""

    asked: str
    answers: Callable[[Model, Truth], tuple[Any, Any]]


def _written(how: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in how.items())


def _optimum(**how: Any) -> Question:
    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        result = model.solve(**how)
        best = truth.best
        return (result.status, result.objective, result.bound), (Status.INFEASIBLE if best is None else Status.OPTIMAL, best, best)

    return Question(f"print(m.solve({_written(how)}))", answers)


def _first_answer(model: Model, truth: Truth) -> tuple[Any, Any]:
    """A search that ends at its first solution: its bound must not exclude the optimum, nor its answer beat it."""
    result = model.solve(backend="cpsat", options={"stop_after_first_solution": True})
    best = truth.best
    if best is None or result.objective is None or result.bound is None:
        return result.status, Status.INFEASIBLE if best is None else Status.FEASIBLE
    return model.sense * result.bound <= model.sense * best <= model.sense * result.objective, True


def _listed(backend: str) -> Question:
    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        listing = model.solutions(backend=backend)
        keys = sorted(tuple(solution[variable] for variable in model.variables) for solution in listing)
        return (keys, listing.complete), (_keys(truth.found, model.variables), True)

    return Question(f"print(sorted(tuple(s.values()) for s in m.solutions(backend={backend!r})))", answers)


def _projected(backend: str) -> Question:
    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        over = model.variables[::2]
        keys = sorted(tuple(solution.values()) for solution in model.solutions(over=over, backend=backend))
        return keys, _keys(truth.found, over)

    return Question(f"print(sorted(tuple(s.values()) for s in m.solutions(over=x[::2], backend={backend!r})))", answers)


def _counts(model: Model, truth: Truth) -> tuple[Any, Any]:
    given = model.count(check=True), model.count_by(model.objective), model.unique(), model.count(at_most=3)
    number = len(truth.found)
    return given, (number, dict(Counter(truth.worth)), number == 1, min(number, 3))


def _counted(**how: Any) -> Question:
    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        over = model.variables[::2]
        return (model.count(**how), model.count(over=over, **how)), (len(truth.found), len(_keys(truth.found, over)))

    return Question(f"print(m.count({_written(how)}), m.count(over=x[::2], {_written(how)}))", answers)


def _shares(model: Model, truth: Truth) -> tuple[Any, Any]:
    """Marginals, a distribution, and samples that are solutions."""
    number = len(truth.found)
    conditions = [variable == variable.hi for variable in model.variables]
    try:
        given = model.marginals(conditions, exact=True).tolist(), model.distribution(model.objective), model.sample(5, seed=1)
    except cp.InfeasibleError:
        return number, 0
    shares = [Fraction(sum(values[variable] == variable.hi for values in truth.found), number) for variable in model.variables]
    worth = {value: Fraction(ways, number) for value, ways in Counter(truth.worth).items()}
    strange = set(_keys(given[2], model.variables)) - set(_keys(truth.found, model.variables))
    return (*given[:2], len(given[2]), strange), (shares, worth, 5, set())


def _possible(model: Model, truth: Truth) -> tuple[Any, Any]:
    given = model.possible(model.variables[0]), model.possible(model.objective)
    return given, (sorted({values[model.variables[0]] for values in truth.found}), sorted(set(truth.worth)))


def _backbone(backend: str) -> Question:
    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        try:
            return model.backbone(backend=backend), _shared(truth.found, model.variables) if truth.found else "no solution"
        except cp.InfeasibleError:
            return truth.found, []

    return Question(f"print(m.backbone(backend={backend!r}))", answers)


def _conflict(backend: str) -> Question:
    """[] for a model with a solution; else a list that has none, and has one without any of its members."""

    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        conflict = [entry.name for entry in model.conflict(backend=backend)]
        if truth.found:
            return conflict, []
        return _minimal(truth, conflict, lambda values: True), (False, [])

    return Question(f"print(m.conflict(backend={backend!r}))", answers)


def _minimal(truth: Truth, names: Sequence[str], also: Callable[[Values], bool]) -> tuple[bool, list[str]]:
    """Whether the constraints have a solution together, and which of them could be left out without getting one."""
    idle = [member for member in names if not any(map(also, truth.under(name for name in names if name != member)))]
    return any(map(also, truth.under(names))), idle


def _explained(backend: str) -> Question:
    """The reasons of a fact about the first variable, its value in the first solution or its lower bound: minimal, and smallest."""

    def answers(model: Model, truth: Truth) -> tuple[Any, Any]:
        variable = model.variables[0]
        value = truth.found[0][variable] if truth.found else variable.lo
        holds = all(values[variable] == value for values in truth.found)

        def refuted(values: Values) -> bool:
            return values[variable] != value

        try:
            reasons = [entry.name for entry in model.explain(variable == value, backend=backend)]
            smallest = [entry.name for entry in model.explain(variable == value, smallest=True, backend=backend)]
        except cp.NotImpliedError as error:
            return (holds, bool(model.violations(error.counterexample)), error.counterexample[variable] == value), (False, False, False)
        except cp.InfeasibleError as error:
            return (truth.found, truth.under(entry.name for entry in error.conflict)), ([], [])
        first = next(
            list(names)
            for size in range(len(model.constraints) + 1)
            for names in combinations([entry.name for entry in model.constraints], size)
            if not any(map(refuted, truth.under(names)))
        )
        return (holds, _minimal(truth, reasons, refuted), smallest), (True, (False, []), first)

    asked = f"try:\n    print(m.explain(x[0] == x[0].lo, backend={backend!r}))\nexcept cp.CPSolveError as error:\n    print(error)"
    return Question(asked, answers)


def _steps(model: Model, truth: Truth) -> tuple[Any, Any]:
    """All steps together tell what is certain, but for what the domains tell."""
    over = [variable for variable in model.variables if variable.lo < variable.hi]
    try:
        told = {variable: value for step in model.steps() for variable, value in step.facts.items()}
    except cp.InfeasibleError:
        return truth.found, []
    return told, _shared(truth.found, over) if truth.found else "no solution"


def _clues(model: Model, truth: Truth) -> tuple[Any, Any]:
    """Told the clues, there is one solution; with one clue less, several."""
    if not truth.found:
        return None, None
    answer = truth.found[0]
    clues = model.minimal_clues(answer, list(model.variables), seed=1)

    def left(told: Sequence[Variable]) -> int:
        return sum(all(values[clue] == answer[clue] for clue in told) for values in truth.found)

    return (left(clues), [clue for clue in clues if left([other for other in clues if other is not clue]) == 1]), (1, [])


def _grown(model: Model, truth: Truth) -> tuple[Any, Any]:
    """Asked, with a constraint more, and asked again."""
    twin, variable = model.copy(), model.variables[-1]
    value = truth.found[0][variable] if truth.found else variable.lo
    given, right = [], []
    for found in (truth.found, [values for values in truth.found if values[variable] != value]):
        status = Status.OPTIMAL if found else Status.INFEASIBLE
        given.append([twin.count(), twin.solve().status, twin.solve(backend="sat").status, twin.unique(), twin.possible(variable)])
        right.append([len(found), status, status, len(found) == 1, sorted({values[variable] for values in found})])
        twin.add(variable != value)
    return given, right


def _broken(model: Model, truth: Truth) -> tuple[Any, Any]:
    """The constraints themselves say which of them an assignment breaks; those of a model that was pickled too."""
    again: Model = pickle.loads(pickle.dumps(model))
    renamed = [dict(zip(again.variables, values.values(), strict=True)) for values in truth.assignments]
    given = [
        [frozenset(entry.name for entry in each.violations(values)) for values in all_values]
        for each, all_values in ((model, truth.assignments), (again, renamed))
    ]
    return given, [[*truth.broken], [*truth.broken]]


def _checked(model: Model, truth: Truth) -> tuple[Any, Any]:
    """The second opinion agrees with the first."""
    return bool(model.solve(check=True).checked), True


NO_PRESOLVE = {"max_presolve_iterations": 1}  # as little as there can be: without any, CP-SAT may end the process
ALWAYS = (_optimum(), _optimum(backend="cpsat", options=NO_PRESOLVE))
SOMETIMES = (
    *(_optimum(backend=backend) for backend in ("python-constraint", "diagram", "sat")),
    _optimum(seed=7),
    _optimum(workers=2),
    Question('print(m.solve(backend="cpsat", options={"stop_after_first_solution": True}))', _first_answer),
    *(_listed(backend) for backend in (*BACKENDS, "cpsat")),
    *(_projected(backend) for backend in BACKENDS),
    Question("print(m.count(check=True), m.count_by(m.objective), m.unique(), m.count(at_most=3))", _counts),
    *(_counted(**how) for how in ({}, {"backend": "ganak"})),
    Question("print(m.marginals([v == v.hi for v in x], exact=True), m.distribution(m.objective), m.sample(5, seed=1))", _shares),
    Question("print(m.possible(x[0]), m.possible(m.objective))", _possible),
    *(_backbone(backend) for backend in ("cpsat", "diagram", "sat")),
    *(ask_for(backend) for ask_for in (_conflict, _explained) for backend in ("cpsat", "cpsat", "sat")),
    Question("print(*m.steps(), sep='\\n')", _steps),
    Question("print(m.minimal_clues(dict(next(m.solutions())), x, seed=1))", _clues),
    Question("print(m.count(), m.solve(), m.unique()); m.add(x[-1] != x[-1].lo); print(m.count(), m.solve(), m.unique())", _grown),
    Question("print(*([e.name for e in m.violations(s)] for s in m.copy().solutions()))", _broken),
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
    truth = Truth.of(spec, model)
    for asked in value["questions"]:
        if told := ask(QUESTIONS[asked], model, truth):
            raise Wrong(f"{told}\n{spec.program(asked)}")


def spec_of(value: Mapping[str, Any]) -> Spec:
    """The model of an input."""
    return Spec(tuple(map(tuple, value["bounds"])), tuple(value["constraints"]), value["objective"], value["verb"])


def fewer(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One question instead of several, or a smaller model."""
    if len(value["questions"]) > 1:
        yield from ({**value, "questions": [asked]} for asked in value["questions"])
    yield from ({**asdict(spec), "questions": value["questions"]} for spec in spec_of(value).smaller())


def ask(question: Question, model: Model, truth: Truth) -> str:
    """What was wrong with the answer, or "". A backend may say that the model is too large for it."""
    try:
        given, right = question.answers(model, truth)
    except (cp.UnsupportedError, cp.DiagramTooWide):
        return ""
    except Exception:  # no question may end in another error
        return traceback.format_exc()
    return "" if given == right else f"answered {given}, right is {right}"


# -- models with too many assignments to try

LITTLE = 1.0
"""Seconds for a question about such a model: what is not answered then is no failure."""


def make_planted(random: Random) -> dict[str, Any]:
    """A model over wide ranges, and an assignment that is a solution of it: what this breaks is negated."""
    domains: list[Domain] = []
    for _ in range(random.randint(2, 4)):
        low, width = large(random) >> 1, abs(large(random)) >> 1
        domains.append((0, 1) if random.random() < 0.4 else (max(low, -(2**60)), min(low + width, 2**60)))
    numbers = random.choice([digit, large, lambda random: random.choice((1, 1, -1, 2, -1))])
    writer = Writer(random, domains, numbers)
    answer = [random.choice([values_of(domain)[0], values_of(domain)[-1], random.choice(values_of(domain))]) for domain in domains]
    scope = {"cp": plain, "x": [plain.Number(value) for value in answer]}
    texts = [writer.nested(random.randint(0, 2), writer.any_leaf if random.random() < 0.5 else None) for _ in range(random.randint(1, 3))]
    spec = _finish(writer, [text if eval(text, scope) else f"~({text})" for text in texts])
    return {**asdict(spec), "answer": answer}


def check_planted(value: Mapping[str, Any]) -> None:
    """No question denies the solution that there is, and every solution told is one."""
    spec = spec_of(value)
    model = spec.build()
    answer = dict(zip(model.variables, value["answer"], strict=True))
    for backend in ("cpsat", "sat"):
        with suppress(cp.LimitError, cp.UnsupportedError):
            _deny_nothing(spec, model, answer, backend)


def _deny_nothing(spec: Spec, model: Model, answer: Values, backend: str) -> None:
    def judged(text: str, values: Mapping[Variable, int]) -> int:
        return int(eval(text, {"cp": plain, "x": [plain.Number(values[variable]) for variable in model.variables]}))

    def demand(right: bool, asked: str, told: object) -> None:
        if not right:
            raise Wrong(f"told {told}, although {[*answer.values()]} is a solution\n{spec.program(f'print(m.{asked})')}")

    result = model.solve(backend=backend, time_limit=LITTLE)
    demand(result.status is not Status.INFEASIBLE, f"solve(backend={backend!r})", result)
    best = model.sense * judged(spec.objective, answer)
    if result.status is Status.OPTIMAL and result.objective is not None:
        demand(model.sense * result.objective <= best, f"solve(backend={backend!r})", result)
    listing = model.solutions(limit=4, time_limit=LITTLE, backend=backend)
    found = list(listing)
    for solution in (*found, *([result.solution] if result.solution else [])):
        broken = [text for text in spec.constraints if not judged(text, solution)]
        demand(not broken, f"solve(backend={backend!r})", f"{solution}, which breaks {broken}")
    if listing.complete:
        keys = _keys(found, model.variables)
        demand(tuple(answer.values()) in keys, f"solutions(backend={backend!r})", keys)
    certain = model.backbone(backend=backend, time_limit=LITTLE)
    demand(all(answer[variable] == told for variable, told in certain.items()), f"backbone(backend={backend!r})", certain)
    conflict = model.conflict(backend=backend, time_limit=LITTLE)
    demand(not conflict, f"conflict(backend={backend!r})", conflict)


def fewer_constraints(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The same with a constraint less: the solution stays one."""
    for number in range(len(value["constraints"])):
        yield {**value, "constraints": [*value["constraints"][:number], *value["constraints"][number + 1 :]]}


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
    "rare constraints": trial(lambda random: rarely(random, wide=False)),
    "rare constraints, wide domains": trial(lambda random: rarely(random, wide=True)),
    "graphs": trial(graphs),
    "wide ranges with a solution": Kind(make_planted, check_planted, fewer_constraints),
}

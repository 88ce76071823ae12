"""Solving as people do: one small deduction after another, and puzzles made by dropping clues.

A *fact* is a variable's value. A *step* is the facts that follow from few rules together with what is already known; the fewer rules, the
easier. All of it is asked of one incremental SAT solver, in which each rule has a switch.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cpsolve.constraints import LazyConstraint
from cpsolve.errors import AmbiguousError, InfeasibleError, ModelError
from cpsolve.expressions import And, Comparison, Condition, Variable, as_condition, walk
from cpsolve.limits import Deadline
from cpsolve.results import Solution

if TYPE_CHECKING:
    from cpsolve.model import Model, NamedConstraint
    from cpsolve.solvers.sat import Program


FEW = 2
"""Known values that are few enough: no fewer are looked for."""
ROUNDS = 3
"""How many answers are cut off before a known value counts as needed."""


@dataclass(frozen=True)
class Step:
    """A deduction: ``facts`` (variables with their values) follow from the rules in ``because`` and from what was known before.

    Where a rule is about the whole of a graph, such as a loop, ``given`` are the few known values that it takes; else None.
    """

    facts: Mapping[Variable, int]
    because: tuple[str, ...]
    given: Mapping[Variable, int] | None = None

    @property
    def size(self) -> int:
        """How many rules it takes: the fewer, the easier."""
        return len(self.because)

    def __str__(self) -> str:
        given = f" and {_listed(self.given)}" if self.given else ""
        return f"{_listed(self.facts)} because of {', '.join(self.because) or 'what is known'}{given}"


def _listed(facts: Mapping[Variable, int]) -> str:
    return ", ".join(f"{variable} = {value}" for variable, value in facts.items())


def _program(model: Model) -> Program:
    """A solver that has the model's variables and none of its constraints; UnsupportedError without PySAT."""
    from cpsolve.solvers import backend

    backend("conflict", name="sat")  # says what to install if it is not there
    from cpsolve.solvers.sat import Program

    return Program(model, constraints=False)


def _switched(switches: Iterable[int], on: Iterable[int]) -> list[int]:
    """Assumptions that turn some switches on and all others off: what is off must not be satisfied by accident, cut after cut."""
    chosen = set(on)
    return [switch if switch in chosen else -switch for switch in switches]


class Rules:
    """Rules with a switch each and facts that are known: which rules prove a further fact, and which known facts does that take?"""

    def __init__(self, model: Model, groups: Mapping[str, Sequence[NamedConstraint]], known: Iterable[Condition], focused: bool) -> None:
        self._model = model
        self._program = _program(model)
        self._encoding = self._program.encoding
        self._groups, self._given = groups, list(known)
        self.names: dict[int, str] = {}
        self._wide: set[int] = set()
        self._known: dict[int, tuple[Variable, int]] = {}
        for name, entries in groups.items():
            switch = self._encoding.new()
            self.names[switch] = name
            for entry in entries:
                self._encoding.post(entry.constraint, (switch,))
                if focused and any(isinstance(part, LazyConstraint) for part in walk(entry.constraint)):
                    self._wide.add(switch)
        for condition in self._given:
            match condition:
                case Comparison(left=Variable() as variable, op="==", right=int() as value):
                    self.learn(variable, value)
                case _:
                    self._encoding.post(condition)

    def __enter__(self) -> Rules:
        return self

    def __exit__(self, *error: object) -> None:
        self._program.__exit__(None, None, None)

    def _holds(self, rules: Iterable[int], more: Iterable[int], deadline: Deadline, known: Iterable[int] | None = None) -> bool:
        """Whether some rules, what is known and further literals can hold; with a part of what is known, for all that is quickly seen."""
        assumptions = [*_switched(self.names, rules), *(self._known if known is None else known), *more]
        return self._program.holds(assumptions, deadline, "steps", None if known is None else ROUNDS)

    def literal(self, variable: Variable, value: int) -> int:
        """The literal "the variable has this value"."""
        return self._encoding.numbers[variable].equal(value)

    def learn(self, variable: Variable, value: int) -> None:
        """From now on this is known: for good, or, where it will be asked which known facts matter, in each question."""
        literal = self.literal(variable, value)
        if self._wide:
            self._known[literal] = variable, value
        else:
            self._encoding.clause([literal])

    def certain(self, over: Sequence[Variable], deadline: Deadline) -> dict[Variable, int]:
        """The variables that all rules together determine, with their values. InfeasibleError when the rules contradict each other."""
        program = self._program
        if not self._holds(self.names, [], deadline):
            raise self._contradiction(deadline)
        numbers = self._encoding.numbers
        constant = {variable: numbers[variable].read(program.truth) for variable in over}
        while constant:
            ask = self._encoding.new()
            self._encoding.clause([-self.literal(variable, value) for variable, value in constant.items()], [ask])
            if not self._holds(self.names, [ask], deadline):
                break
            constant = {variable: value for variable, value in constant.items() if numbers[variable].read(program.truth) == value}
        return constant

    def _contradiction(self, deadline: Deadline) -> InfeasibleError:
        """The error that names rules and givens which cannot all hold."""
        stated = self._model.copy()
        stated._constraints = []
        for name, entries in self._groups.items():
            stated.add(And(tuple(entry.constraint for entry in entries)), name=name)
        for condition in self._given:
            stated.add(condition, name=f"given {condition}")
        conflict = stated.conflict(time_limit=deadline.left())
        names = "; ".join(entry.name for entry in conflict)
        return InfeasibleError(f"there is no solution: these cannot all hold: {names}", conflict)

    def proof(self, variable: Variable, value: int, most: int, deadline: Deadline, hint: Sequence[int] | None) -> list[int] | None:
        """A minimal list of rules (by switch) that prove a fact, if it has at most ``most`` members; ``hint`` is one to begin with."""
        opposite = [-self.literal(variable, value)]
        core = list(hint) if hint is not None else None
        if core is None:
            if self._holds(self.names, opposite, deadline):
                return None
            core = [literal for literal in self._program.core() if literal in self.names]
        return self._needed(core, most, lambda rules: self._holds(rules, opposite, deadline))

    def follows(self, variable: Variable, value: int, rules: Sequence[int], deadline: Deadline, known: Iterable[int] | None = None) -> bool:
        """Whether a fact follows from these rules and what is known, or some of it."""
        return not self._holds(rules, [-self.literal(variable, value)], deadline, known)

    def is_wide(self, rules: Iterable[int]) -> bool:
        """Whether one of the rules is about the whole of a graph."""
        return not self._wide.isdisjoint(rules)

    def nearest(
        self, facts: Mapping[Variable, int], rules: list[int], deadline: Deadline
    ) -> tuple[list[int], dict[Variable, int], dict[Variable, int]]:
        """Of facts that follow from rules and what is known, those that take few known values: rules, facts and these values."""
        best, first = list(self._known), next(iter(facts))
        for variable, value in facts.items():
            opposite = [-self.literal(variable, value)]
            if not self._holds(rules, opposite, deadline):
                core = set(self._program.core())
                taken = [literal for literal in self._known if literal in core]
                needed = self._needed(taken, len(best) - 1, partial(self._holds, rules, opposite, deadline))
                if needed is not None:
                    best, first = needed, variable
                if len(best) <= FEW:
                    break
        fewer = self.proof(first, facts[first], len(rules), deadline, rules) or rules
        if len(fewer) < len(rules):  # what another fact took is more than this one does
            return self.nearest({first: facts[first]}, fewer, deadline)
        near = {
            variable: value
            for variable, value in facts.items()
            if variable is first or self.follows(variable, value, rules, deadline, best)
        }
        return rules, near, dict(sorted((self._known[literal] for literal in best), key=lambda known: known[0].index))

    def _needed(self, core: list[int], most: int, holds: Callable[[list[int]], bool]) -> list[int] | None:
        """Those of some literals of which none can be spared, if there are at most some number; ``holds`` asks whether some are too few."""
        needed: list[int] = []
        while core:
            candidate, *others = core
            if holds([*needed, *others]):
                needed.append(candidate)
                if len(needed) > most:
                    return None
                core = others
            else:
                kept = set(self._program.core())
                core = [literal for literal in others if literal in kept]
        return needed if len(needed) <= most else None


def groups_of(model: Model, rules: Mapping[str, Any] | None, without: Iterable[NamedConstraint] = ()) -> dict[str, list[NamedConstraint]]:
    """The rules by name: the given groups of entries that ``add`` returned, or each constraint of the model by itself."""
    apart = {id(entry) for entry in without}
    if rules is None:
        found: dict[str, list[NamedConstraint]] = {}
        for entry in model.constraints:
            if id(entry) not in apart:
                found.setdefault(entry.name, []).append(entry)
        return found
    own = {id(entry) for entry in model.constraints}
    groups = {}
    for name, entries in rules.items():
        groups[name] = [entry for entry in _entries(entries) if id(entry) not in apart]
        if strangers := [entry for entry in groups[name] if id(entry) not in own]:
            raise ModelError(f"the rule {name!r} lists {strangers[0]}, which is no entry of this model: give what model.add returned")
    return groups


def _entries(item: Any) -> list[Any]:
    if isinstance(item, list | tuple):
        return [entry for part in item for entry in _entries(part)]
    return [item]


def known_of(model: Model, givens: Any) -> tuple[list[Condition], list[NamedConstraint]]:
    """What is known at the start, as conditions: values of variables, conditions, or entries of the model (which are then no rules)."""
    if givens is None:
        return [], []
    if isinstance(givens, Mapping):
        return [Comparison(variable, "==", int(value)) for variable, value in givens.items()], []
    if not isinstance(givens, Iterable):
        raise ModelError(f"givens: expected values by variable, or a list of conditions or entries of the model, got {givens!r}")
    conditions: list[Condition] = []
    entries: list[NamedConstraint] = []
    own = {id(entry): entry for entry in model.constraints}
    for item in _entries(list(givens)):
        if id(item) in own:
            entries.append(own[id(item)])
            conditions.append(own[id(item)].constraint)
        else:
            conditions.append(as_condition(item))
    return conditions, entries


def steps(
    model: Model,
    over: Sequence[Variable],
    groups: Mapping[str, Sequence[NamedConstraint]],
    known: Iterable[Condition],
    deadline: Deadline,
    most: int,
    focused: bool = True,
) -> Generator[Step, None, None]:
    """The easiest next deduction, again and again, as long as one of at most ``most`` rules is left.

    ``focused``: rules about the whole of a graph give a few facts at a time, those that take few known values.
    """
    with deadline.watched():
        stated = Rules(model, groups, known, focused)
    with stated as rules:
        left = rules.certain(over, deadline)
        proofs: dict[Variable, list[int]] = {}
        for variable, value in list(left.items()):
            if rules.follows(variable, value, [], deadline):
                rules.learn(variable, value)
                del left[variable]  # known from the start
        while left:
            best: list[int] | None = None
            for variable, value in sorted(left.items(), key=lambda item: len(proofs.get(item[0], range(1000)))):
                limit = most if best is None else len(best) - 1
                if limit < 1:
                    break
                found = rules.proof(variable, value, limit, deadline, proofs.get(variable))
                if found is None and variable in proofs:  # what was enough for it may be more than is needed by now
                    found = rules.proof(variable, value, limit, deadline, None)
                if found is not None:
                    proofs[variable] = found
                    best = found
            if best is None:
                return
            facts = {variable: value for variable, value in left.items() if rules.follows(variable, value, best, deadline)}
            given = None
            if rules.is_wide(best):
                proofs.update(dict.fromkeys(facts, best))
                best, facts, given = rules.nearest(facts, best, deadline)
            yield Step(facts, tuple(rules.names[switch] for switch in sorted(best)), given)
            for variable, value in facts.items():
                rules.learn(variable, value)
                del left[variable]
                proofs.pop(variable, None)


def minimal_clues(
    model: Model,
    solution: Solution,
    clues: Sequence[Condition],
    rules: Sequence[NamedConstraint],
    over: Sequence[Variable],
    seed: int,
    deadline: Deadline,
) -> list[int]:
    """The numbers of clues that are needed for the solution to be the only one: without any of them there is another."""
    with deadline.watched(), _program(model) as program:
        encoding = program.encoding
        for entry in rules:
            encoding.post(entry.constraint)
        switches = [encoding.new() for _ in clues]
        for clue, switch in zip(clues, switches, strict=True):
            encoding.post(clue, (switch,))
        encoding.clause([-encoding.numbers[variable].equal(solution[variable]) for variable in over])
        if program.holds(switches, deadline, "dropping clues"):
            other = program.solution()
            differing = [variable for variable in over if other[variable] != solution[variable]]
            raise AmbiguousError(f"all clues together admit another solution, with {differing[0]} = {other[differing[0]]}; give more clues")
        number = {switch: i for i, switch in enumerate(switches)}
        core = [literal for literal in switches if literal in set(program.core())] if seed is None else list(switches)
        random.Random(seed).shuffle(core)
        needed: list[int] = []
        while core:
            candidate, *others = core
            if program.holds(_switched(switches, [*needed, *others]), deadline, "dropping clues"):
                needed.append(candidate)
                core = others
            else:
                core = others  # it was not needed; which others are not is left to chance, so that every kind of puzzle can come out
        return sorted(number[switch] for switch in needed)

"""Expressions: what a model is written in.

Everything here is an integer expression; a :class:`Constraint` is one whose value is 0 or 1, so it can be added to a
model, combined with ``& | ~ ^`` and counted in a sum alike. Expressions are immutable data: they know their parts, their
value under an assignment and an interval that contains it under a partial one. They know no solver.

A glossary: an *atom* is any expression but a sum; a *term* is a coefficient times an atom; an *assignment* maps variables
to integers, and may be partial where :meth:`Expression.interval` is asked.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from cpsolve.arrays import ExpressionArray, elementwise
from cpsolve.errors import ModelError, SymbolicTruthError, UnsupportedError
from cpsolve.limits import look, looking

Assignment = Mapping["Variable", int]
Interval = tuple[int, int]
NOTHING: Assignment = {}

SHALLOW = 4
"""Up to this depth evaluating a shared part again costs less than remembering it."""
MANY = 1000
"""From this number of parts on the time is looked at between them."""
DEEPEST = 150
"""Deeper expressions would run into Python's own limit on recursion, when evaluated or pickled."""
INT64_MAX = 2**63 - 1
DOMAIN_MAX = 2**60
"""The largest bound of a variable's domain; answers are exact up to it."""
SUM_MAX = 2**62
"""Sums, comparisons and objectives stay below this: solvers add two such numbers in 64 bits. Up to it answers are exact."""


def as_int(value: Any) -> int:
    """A Python int from any integer (Python, bool or numpy); anything else is a ModelError.

    >>> as_int(np.int64(3)), as_int(True)
    (3, 1)
    """
    if type(value) is int:
        return value
    if isinstance(value, int | np.integer | np.bool_):
        return int(value)
    if isinstance(value, float | np.floating):
        hint = f"write {int(value)}" if float(value).is_integer() else "multiply the whole constraint by a common denominator"
        raise ModelError(f"models are over integers and {value} is a float: {hint}")
    raise ModelError(f"expected an integer or an expression, got {value!r} ({type(value).__name__})")


class _Memory(Mapping["Variable", int]):
    """An assignment that remembers what deep expressions came to, because parts may be shared by many."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self.get = assignment.get  # type: ignore[method-assign]
        self.values_known: dict[Expression, int] = {}
        self.intervals_known: dict[Expression, Interval] = {}

    def __getitem__(self, variable: Variable) -> int:
        return self._assignment[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._assignment)

    def __len__(self) -> int:
        return len(self._assignment)


def as_int64(value: Any) -> int:
    """A Python int that solvers can hold in 64 bits; anything else is a ModelError."""
    number = as_int(value)
    if not -INT64_MAX <= number <= INT64_MAX:
        raise ModelError(f"the number {number} does not fit in 64 bits")
    return number


def remembering(assignment: Assignment = NOTHING) -> Assignment:
    """The same assignment, under which asking deep expressions again costs nothing."""
    return _Memory(assignment)


def _comparing(symbol: str, operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The method of an expression that compares it with something else."""

    def compare(self: Expression, other: Any) -> Any:
        if type(other) is int or isinstance(other, Expression):
            return Comparison(self, symbol, other)
        if isinstance(other, np.ndarray):
            return elementwise(operation, self, other)
        return Comparison(self, symbol, as_int(other))

    return compare


class Expression:
    """An integer expression. Operators build larger ones; comparing gives a :class:`Constraint`."""

    __slots__ = ()
    __array_ufunc__ = None  # numpy hands operators with arrays over to the methods below

    kind: ClassVar[str] = ""
    """What people call this kind of constraint or function; backends declare which kinds they have a form of their own for."""
    decomposes: ClassVar[bool] = False
    """Whether it can say itself in simpler parts, for backends that have no form of their own for it."""
    depth: int
    """How deeply conditions and functions are nested; 0 for a variable."""

    @property
    def args(self) -> tuple[Expression, ...]:
        """The direct parts of this expression."""
        raise NotImplementedError

    def value(self, assignment: Assignment) -> int:
        """The value under a complete assignment."""
        if self.depth <= SHALLOW:
            return self._value(assignment)
        memory = assignment if type(assignment) is _Memory else _Memory(assignment)
        if self not in memory.values_known:
            memory.values_known[self] = self._value(memory)
        return memory.values_known[self]

    def interval(self, assignment: Assignment = NOTHING) -> Interval:
        """Bounds on the value under a partial assignment: exact once every variable is assigned."""
        if self.depth <= SHALLOW:
            return self._interval(assignment)
        memory = assignment if type(assignment) is _Memory else _Memory(assignment)
        if self not in memory.intervals_known:
            look("bounding expressions")
            memory.intervals_known[self] = self._interval(memory)
        return memory.intervals_known[self]

    def _value(self, assignment: Assignment) -> int:
        raise NotImplementedError

    def _interval(self, assignment: Assignment) -> Interval:
        raise NotImplementedError

    # -- arithmetic

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Linear):
            return Linear([self], None, 0, self.depth)._plus(other, 1)
        if isinstance(other, Expression):
            return Linear([self, other], None, 0, max(self.depth, other.depth))
        if isinstance(other, np.ndarray):
            return elementwise(operator.add, self, other)
        constant = as_int(other)
        return Linear([self], None, constant, self.depth) if constant else self

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.add, other, self)
        return self + other

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return Linear([self], None, 0, self.depth)._plus(other, -1)
        if isinstance(other, np.ndarray):
            return elementwise(operator.sub, self, other)
        return self + -as_int(other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return Product(self, other)
        if isinstance(other, np.ndarray):
            return elementwise(operator.mul, self, other)
        return Linear([self], [as_int64(other)], 0, self.depth)

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.floordiv, self, other)
        return Quotient(self, as_expression(other))

    def __rfloordiv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.floordiv, other, self)
        return Quotient(as_expression(other), self)

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.mod, self, other)
        return Remainder(self, as_expression(other))

    def __rmod__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.mod, other, self)
        return Remainder(as_expression(other), self)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.pow, self, other)
        if isinstance(other, Expression) or as_int(other) < 0:
            raise ModelError(f"({self}) ** ({other}): the exponent must be an integer, 0 or more; for others write element(table, index)")
        result: Any = Linear([], None, 1) if not other else self
        for _ in range(as_int(other) - 1):
            result = result * self
        return result

    def _not_whole(self, other: Any) -> NoReturn:
        raise ModelError(f"{self} is a whole number: divide with // and %; for other functions write element(table of values, {self})")

    __truediv__ = __rtruediv__ = __rpow__ = _not_whole

    def __abs__(self) -> Expression:
        return Absolute(self)

    # -- comparison

    __eq__ = _comparing("==", operator.eq)
    __ne__ = _comparing("!=", operator.ne)
    __le__ = _comparing("<=", operator.le)
    __lt__ = _comparing("<", operator.lt)
    __ge__ = _comparing(">=", operator.ge)
    __gt__ = _comparing(">", operator.gt)
    __hash__ = object.__hash__

    # -- logic, for expressions whose value is 0 or 1

    def __and__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.and_, self, other)
        return And((as_condition(self), as_condition(other)))

    def __rand__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.and_, other, self)
        return And((as_condition(other), as_condition(self)))

    def __or__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.or_, self, other)
        return Or((as_condition(self), as_condition(other)))

    def __ror__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.or_, other, self)
        return Or((as_condition(other), as_condition(self)))

    def __xor__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return elementwise(operator.xor, self, other)
        return Xor((as_condition(self), as_condition(other)))

    def __rxor__(self, other: Any) -> Any:
        return self ^ other

    def __invert__(self) -> Any:
        return Not(as_condition(self))

    def implies(self, other: Any) -> Any:
        """The constraint "if this holds, so does ``other``".

        >>> import cpsolve as cp
        >>> m = cp.Model()
        >>> raining, umbrella = m.bool_var("raining"), m.bool_var("umbrella")
        >>> raining.implies(umbrella)
        raining -> umbrella
        """
        if isinstance(other, np.ndarray):
            return elementwise(lambda a, b: a.implies(b), self, other)
        return Implies(as_condition(self), as_condition(other))

    # -- misuse

    def __bool__(self) -> NoReturn:
        raise SymbolicTruthError(
            f"`{self}` has no truth value before it is solved. Add a constraint with model.add(...); for and, or, not write "
            "& | ~ with parentheses; for a chain like 1 < x < 5 write (1 < x) & (x < 5); for max, min, any, all write "
            "cp.maximum, cp.minimum, cp.any_of, cp.all_of; to read a solved value write solution[...]; to look a variable up "
            "in a list compare with `is`; to compare a numpy array of expressions make it with cp.array([...])"
        )

    def __repr__(self) -> str:
        return str(self)

    def _operand(self) -> str:
        """How this expression prints as part of a larger one."""
        return str(self)


class Variable(Expression):
    """An integer variable of one model. Made by ``Model.int_var`` and ``Model.bool_var``; compares by identity.

    ``index`` is its place in the model, ``lo`` and ``hi`` its bounds (inclusive).
    """

    __slots__ = ("_name", "hi", "index", "lo")
    depth = 0

    def __init__(self, index: int, lo: int, hi: int, name: str = "") -> None:
        self.index = index
        self.lo = lo
        self.hi = hi
        self._name = name

    @property
    def name(self) -> str:
        """The given name, or one made from the index."""
        return self._name or f"v{self.index}"

    @property
    def is_boolean(self) -> bool:
        """Whether the only possible values are 0 and 1."""
        return self.lo >= 0 and self.hi <= 1

    @property
    def args(self) -> tuple[Expression, ...]:
        return ()

    def value(self, assignment: Assignment) -> int:
        return assignment[self]

    def interval(self, assignment: Assignment = NOTHING) -> Interval:
        value = assignment.get(self)
        return (self.lo, self.hi) if value is None else (value, value)

    def __add__(self, other: Any) -> Any:
        if type(other) is Variable:  # the common case, made fast
            return Linear([self, other], None, 0)
        return super().__add__(other)

    def __str__(self) -> str:
        return self.name


class Linear(Expression):
    """A sum of integer multiples of atoms and a constant; coefficients of None are all 1.

    ``terms + more`` shares the growing lists of its left side and looks only at its own first ``size`` entries, so that a
    sum of n terms built one by one costs n steps, not n squared.
    """

    __slots__ = ("_atoms", "_coefficients", "constant", "depth", "size")

    def __init__(self, atoms: list[Expression], coefficients: list[int] | None, constant: int, depth: int = 0) -> None:
        self._atoms = atoms
        self._coefficients = coefficients
        self.size = len(atoms)
        self.constant = constant
        self.depth = depth

    @property
    def atoms(self) -> tuple[Expression, ...]:
        """The atoms in the order written; an atom may come more than once."""
        return tuple(self._atoms) if self.size == len(self._atoms) else tuple(self._atoms[: self.size])

    @property
    def coefficients(self) -> tuple[int, ...]:
        """The coefficient of each of ``atoms``."""
        return (1,) * self.size if self._coefficients is None else tuple(self._coefficients[: self.size])

    @property
    def is_plain(self) -> bool:
        """Whether all coefficients were left at 1."""
        return self._coefficients is None

    @property
    def args(self) -> tuple[Expression, ...]:
        return self.atoms

    def _plus(self, other: Expression, sign: int) -> Linear:
        more = other if isinstance(other, Linear) else Linear([other], None, 0, other.depth)
        coefficients = None
        if sign != 1 or not self.is_plain or not more.is_plain:
            own = self._coefficients
            coefficients = own if own is not None and len(own) == self.size else list(self.coefficients)
            coefficients.extend([sign * coefficient for coefficient in more.coefficients])
        atoms = self._atoms if len(self._atoms) == self.size else self._atoms[: self.size]
        atoms.extend(more.atoms)
        return Linear(atoms, coefficients, self.constant + sign * more.constant, max(self.depth, more.depth))

    def __add__(self, other: Any) -> Any:
        if type(other) is Variable and self._coefficients is None and len(self._atoms) == self.size:  # the common case, made fast
            self._atoms.append(other)
            return Linear(self._atoms, None, self.constant, self.depth)
        if isinstance(other, Expression):
            return self._plus(other, 1)
        if isinstance(other, np.ndarray):
            return elementwise(operator.add, self, other)
        return self._shifted(as_int(other))

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return self._plus(other, -1)
        if isinstance(other, np.ndarray):
            return elementwise(operator.sub, self, other)
        return self._shifted(-as_int(other))

    def _shifted(self, by: int) -> Linear:
        if not by:
            return self
        result = Linear(self._atoms, self._coefficients, self.constant + by, self.depth)
        result.size = self.size
        return result

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Expression | np.ndarray):
            return super().__mul__(other)
        factor = as_int64(other)
        return Linear(list(self.atoms), [c * factor for c in self.coefficients], self.constant * factor, self.depth)

    def value(self, assignment: Assignment) -> int:
        total = self.constant
        for atom, coefficient in zip(self.atoms, self.coefficients, strict=True):
            total += coefficient * atom.value(assignment)
        return total

    def interval(self, assignment: Assignment = NOTHING) -> Interval:
        low = high = self.constant
        for atom, coefficient in zip(self.atoms, self.coefficients, strict=True):
            a, b = atom.interval(assignment)
            if coefficient >= 0:
                low, high = low + coefficient * a, high + coefficient * b
            else:
                low, high = low + coefficient * b, high + coefficient * a
        return low, high

    def __reduce__(self) -> tuple[Any, ...]:
        return Linear, (list(self.atoms), None if self.is_plain else list(self.coefficients), self.constant, self.depth)

    def __str__(self) -> str:
        text = ""
        for atom, coefficient in zip(self.atoms, self.coefficients, strict=True):
            size = abs(coefficient)
            term = atom._operand() if size == 1 else f"{size}*{atom._operand()}"
            text += (f" {'-' if coefficient < 0 else '+'} " if text else "-" * (coefficient < 0)) + term
        if not text:
            return str(self.constant)
        return text + (f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else "")

    def _operand(self) -> str:
        return f"({self})"


class Compound(Expression):
    """An expression made of parts."""

    __slots__ = ("args", "depth")

    def __init__(self, args: tuple[Expression, ...]) -> None:
        self.args = args  # type: ignore[misc]
        self.depth = 1 + max((arg.depth for arg in args), default=0)
        if self.depth > DEEPEST:
            raise _too_deep()

    def compute(self, values: Sequence[int]) -> int:
        """The value from those of ``args``. A subclass has this, or its own ``_value``."""
        raise NotImplementedError

    def _value(self, assignment: Assignment) -> int:
        return self.compute([arg.value(assignment) for arg in self.args])


def _too_deep() -> ModelError:
    return ModelError(f"expressions are nested more than {DEEPEST} deep: name parts of them, as in model.add(part == model.bool_var())")


# -- functions of expressions


class Function(Compound):
    """A number made of other numbers by anything but a sum.

    A subclass says its value, its interval and (``definition``) in simpler constraints when another number equals it: that is
    what a backend uses that has no form of its own for it.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.decomposes = cls.definition is not Function.definition

    def definition(self, result: Expression) -> Condition:
        """The constraint "``result`` equals this" in simpler parts; ``result`` has this function's interval as its domain."""
        raise UnsupportedError(f"{self.kind} has no decomposition: {self}")


class Element(Function):
    """``array[index]`` with an index that is an expression; made by :func:`element`."""

    __slots__ = ("array", "index")
    kind = "element"

    def __init__(self, array: tuple[Expression | int, ...], index: Expression) -> None:
        low, high = index.interval()
        if low < 0 or high >= len(array):
            raise ModelError(
                f"element: the index {index} ranges over {low}..{high} but the array has {len(array)} entries "
                f"(0..{len(array) - 1}); give the index a smaller domain or pad the array"
            )
        super().__init__((index, *(entry for entry in array if isinstance(entry, Expression))))
        self.array = array
        self.index = index

    def _value(self, assignment: Assignment) -> int:
        entry = self.array[self.index.value(assignment)]
        return entry.value(assignment) if isinstance(entry, Expression) else entry

    def _interval(self, assignment: Assignment) -> Interval:
        first, last = self.index.interval(assignment)
        ends = [e.interval(assignment) if isinstance(e, Expression) else (e, e) for e in self.array[first : last + 1]]
        return min(low for low, _ in ends), max(high for _, high in ends)

    def definition(self, result: Expression) -> Condition:
        first, last = self.index.interval()
        return And(tuple(Implies(self.index == i, result == self.array[i]) for i in range(first, last + 1)))

    def __str__(self) -> str:
        return f"element([{', '.join(map(str, self.array))}], {self.index})"


class Extremum(Function):
    """The largest or least of some expressions; made by :func:`maximum` and :func:`minimum`."""

    __slots__ = ()
    sign: ClassVar[int]
    """1 for the largest, -1 for the least."""

    def __init__(self, args: tuple[Expression, ...]) -> None:
        flat: list[Expression] = []
        for arg in args:
            flat.extend(arg.args if type(arg) is type(self) else (arg,))
        super().__init__(tuple(flat))

    @property
    def pick(self) -> Callable[[Iterable[int]], int]:
        """Python's own ``max`` or ``min``."""
        return max if self.sign > 0 else min

    def definition(self, result: Expression) -> Condition:
        beyond = ">=" if self.sign > 0 else "<="
        return And((*(Comparison(result, beyond, arg) for arg in self.args), Or(tuple(Comparison(result, "==", arg) for arg in self.args))))

    def compute(self, values: Sequence[int]) -> int:
        return self.pick(values)

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        return self.pick(low for low, _ in ends), self.pick(high for _, high in ends)

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(map(str, self.args))})"


class Maximum(Extremum):
    """The largest of some expressions; made by :func:`maximum`."""

    __slots__ = ()
    kind = "maximum"
    sign = 1


class Minimum(Extremum):
    """The least of some expressions; made by :func:`minimum`."""

    __slots__ = ()
    kind = "minimum"
    sign = -1


class Absolute(Function):
    """The distance of an expression from zero; made by :func:`absolute` or Python's ``abs``."""

    __slots__ = ()
    kind = "absolute"

    def __init__(self, arg: Expression) -> None:
        super().__init__((arg,))

    def compute(self, values: Sequence[int]) -> int:
        return abs(values[0])

    def _interval(self, assignment: Assignment) -> Interval:
        low, high = self.args[0].interval(assignment)
        return max(0, low, -high), max(-low, high)

    def definition(self, result: Expression) -> Condition:
        return Maximum((self.args[0], -self.args[0])).definition(result)

    def __str__(self) -> str:
        return f"absolute({self.args[0]})"


MOST_CASES = 10_000
"""A function that is spelled out value by value is refused when there are more."""


class Product(Function):
    """One number times another; made by ``*`` and ``**``."""

    __slots__ = ()
    kind = "product"

    def __init__(self, left: Expression, right: Expression) -> None:
        super().__init__((left, right))
        if max(map(abs, self._interval(NOTHING))) >= SUM_MAX:
            raise ModelError(f"{self} can go beyond 64 bits (the limit is 2**62): give its factors smaller domains")

    def compute(self, values: Sequence[int]) -> int:
        return values[0] * values[1]

    def _interval(self, assignment: Assignment) -> Interval:
        (a, b), (c, d) = (arg.interval(assignment) for arg in self.args)
        ends = (a * c, a * d, b * c, b * d)
        if self.args[0] is self.args[1]:
            return (0 if a <= 0 <= b else min(a * a, b * b)), max(a * a, b * b)
        return min(ends), max(ends)

    def definition(self, result: Expression) -> Condition:
        one, other = sorted(self.args, key=lambda arg: arg.interval()[1] - arg.interval()[0])
        values = _few_values(self, one)
        if one is other:
            return And(tuple(Implies(one == value, result == value * value) for value in values))
        return And(tuple(Implies(one == value, Comparison(result, "==", value * other)) for value in values))

    def __str__(self) -> str:
        return f"{_factor(self.args[0])} * {_factor(self.args[1])}"

    def _operand(self) -> str:
        return f"({self})"


class _Division(Function):
    """What the quotient and the remainder share: a divisor that is never 0."""

    __slots__ = ()
    symbol: ClassVar[str]

    def __init__(self, dividend: Expression, divisor: Expression) -> None:
        super().__init__((dividend, divisor))
        low, high = divisor.interval()
        if low <= 0 <= high:
            raise ModelError(f"{self}: the divisor ranges over {low}..{high}; give it a domain without 0")

    def _corners(self, assignment: Assignment) -> tuple[Interval, Interval]:
        return self.args[0].interval(assignment), self.args[1].interval(assignment)

    def __str__(self) -> str:
        return f"{_factor(self.args[0])} {self.symbol} {_factor(self.args[1])}"

    def definition(self, result: Expression) -> Condition:
        try:
            return self._definition(result)
        except ModelError as error:  # of numbers that nobody wrote
            raise UnsupportedError(f"{self} cannot be spelled out: {error}") from None

    def _definition(self, result: Expression) -> Condition:
        raise NotImplementedError

    def _operand(self) -> str:
        return f"({self})"


class Quotient(_Division):
    """One number divided by another, rounded down as Python does; made by ``//``."""

    __slots__ = ()
    kind = "quotient"
    symbol = "//"

    def compute(self, values: Sequence[int]) -> int:
        return values[0] // values[1]

    def _interval(self, assignment: Assignment) -> Interval:
        (a, b), (c, d) = self._corners(assignment)
        ends = (a // c, a // d, b // c, b // d)
        return min(ends), max(ends)

    def _definition(self, result: Expression) -> Condition:
        dividend, divisor = self.args
        parts: list[Condition] = []
        for value in _few_values(self, divisor):
            rest = dividend - value * result  # from 0 on towards the divisor
            fits = And((rest >= 0, rest < value)) if value > 0 else And((rest <= 0, rest > value))
            parts.append(fits if divisor.interval() == (value, value) else Implies(divisor == value, fits))
        return And(tuple(parts))


class Remainder(_Division):
    """What a division rounded down leaves, with the sign of the divisor as in Python; made by ``%``."""

    __slots__ = ()
    kind = "remainder"
    symbol = "%"

    def compute(self, values: Sequence[int]) -> int:
        return values[0] % values[1]

    def _interval(self, assignment: Assignment) -> Interval:
        (a, b), (c, d) = self._corners(assignment)
        if a == b and c == d:
            return a % c, a % c
        if c == d and a // c == b // c:
            return a % c, b % c
        low, high = (0, d - 1) if c > 0 else (c + 1, 0)
        return (low, min(high, b)) if c > 0 and a >= 0 else (low, high)

    def _definition(self, result: Expression) -> Condition:
        dividend, divisor = self.args
        quotient = Quotient(dividend, divisor)
        if divisor.interval()[0] == divisor.interval()[1]:
            return Comparison(result, "==", dividend - divisor.interval()[0] * quotient)
        return Comparison(result, "==", dividend - Product(divisor, quotient))


def _few_values(function: Function, arg: Expression) -> range:
    low, high = arg.interval()
    if high - low >= MOST_CASES:
        raise UnsupportedError(f"{function} is spelled out value by value, and {arg} has {high - low + 1:,}; use the backend 'cpsat'")
    return range(low, high + 1)


def _factor(expression: Expression) -> str:
    return f"({expression})" if isinstance(expression, Linear) and (expression.size != 1 or expression.constant) else expression._operand()


# -- constraints


class Constraint(Expression):
    """An expression whose value is 0 or 1: it fails or holds. Its interval is (0, 1) while it may do either.

    A subclass says its value, its interval and (``decomposition``) the same in simpler constraints: that is what a backend
    uses that has no form of its own for it, also under conditions and negated.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.decomposes = cls.decomposition is not Constraint.decomposition

    def decomposition(self) -> Condition:
        """An equivalent condition over the same variables, in simpler parts."""
        raise UnsupportedError(f"{self.kind} has no decomposition: {self}")

    def _operand(self) -> str:
        return f"({self})"


class GlobalConstraint(Compound, Constraint):
    """A constraint on any number of expressions: the base of those with a name.

    A subclass has a ``kind``, ``compute`` (does it hold for these values?) and ``decomposition``; ``_interval`` where it can
    tell before everything is known, which lets searches cut off early; and fast paths where a backend has something better.
    """

    __slots__ = ()

    def _interval(self, assignment: Assignment) -> Interval:
        ends = [arg.interval(assignment) for arg in self.args]
        if any(low != high for low, high in ends):
            return 0, 1
        holds = int(self.compute([low for low, _ in ends]))
        return holds, holds


Condition = Constraint | Variable
"""What can be true or false: a constraint, or a variable over 0 and 1."""


def as_condition(value: Any) -> Condition:
    """A constraint or a 0/1 variable as it is; True and False as constraints that always or never hold."""
    if isinstance(value, Constraint):
        return value
    if isinstance(value, Variable):
        if value.is_boolean:
            return value
        raise ModelError(
            f"{value} ranges over {value.lo}..{value.hi}: a condition needs a 0/1 variable or a comparison such as {value} == 1"
        )
    if isinstance(value, Expression):
        raise ModelError(f"({value}) is a number: a condition needs a 0/1 variable or a comparison such as ({value}) == 1")
    if isinstance(value, int | np.integer | np.bool_) and value in (0, 1):
        return And(()) if value else Or(())
    raise ModelError(f"expected a constraint, a 0/1 variable, True or False, got {value!r} ({type(value).__name__})")


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}


class Comparison(Constraint):
    """``left op right`` with one of ``== != <= < >= >``."""

    __slots__ = ("depth", "left", "op", "right")
    kind = "comparison"

    def __init__(self, left: Expression, op: str, right: Expression | int) -> None:
        self.left = left
        self.op = op
        self.right = right
        self.depth = 1 + (left.depth if type(right) is int else max(left.depth, right.depth))  # type: ignore[union-attr]
        if self.depth > DEEPEST:
            raise _too_deep()

    @property
    def args(self) -> tuple[Expression, ...]:
        return (self.left, self.right) if isinstance(self.right, Expression) else (self.left,)

    def _value(self, assignment: Assignment) -> int:
        right = self.right.value(assignment) if isinstance(self.right, Expression) else self.right
        return COMPARE[self.op](self.left.value(assignment), right)

    def _interval(self, assignment: Assignment) -> Interval:
        a, b = self.left.interval(assignment)
        c, d = self.right.interval(assignment) if isinstance(self.right, Expression) else (self.right, self.right)
        return compare_intervals(self.op, a - d, b - c)

    def __str__(self) -> str:
        return f"{_side(self.left)} {self.op} {_side(self.right)}"


def _side(side: Expression | int) -> str:
    return side._operand() if isinstance(side, Constraint) else str(side)


def compare_intervals(op: str, low: int, high: int) -> Interval:
    """What ``difference op 0`` can be when the difference lies in low..high.

    >>> compare_intervals("<=", 1, 5), compare_intervals("==", -1, 1), compare_intervals("!=", 1, 2)
    ((0, 0), (0, 1), (1, 1))
    """
    if op in ("==", "!="):
        certain, possible = low == high == 0, low <= 0 <= high
        return (int(certain), int(possible)) if op == "==" else (int(not possible), int(not certain))
    if op in (">=", ">"):
        low, high = -high, -low
    limit = 0 if op in ("<=", ">=") else -1
    return int(high <= limit), int(low <= limit)


class Logic(Compound, Constraint):
    """A condition made of conditions."""

    __slots__ = ()
    args: tuple[Condition, ...]

    def _ends(self, assignment: Assignment) -> list[Interval]:
        """The bounds of each part."""
        parts = self.args if len(self.args) < MANY else looking(self.args, "bounding expressions")
        return [part.interval(assignment) for part in parts]


class And(Logic):
    """All of some conditions hold."""

    __slots__ = ()
    kind = "and"

    def __init__(self, args: Iterable[Condition]) -> None:
        super().__init__(_flatten(And, args))

    def _value(self, assignment: Assignment) -> int:
        return all(arg.value(assignment) for arg in self.args)

    def _interval(self, assignment: Assignment) -> Interval:
        ends = self._ends(assignment)
        return min((low for low, _ in ends), default=1), min((high for _, high in ends), default=1)

    def __str__(self) -> str:
        return " & ".join(arg._operand() for arg in self.args) if len(self.args) > 1 else f"all_of({', '.join(map(str, self.args))})"


class Or(Logic):
    """At least one of some conditions holds."""

    __slots__ = ()
    kind = "or"

    def __init__(self, args: Iterable[Condition]) -> None:
        super().__init__(_flatten(Or, args))

    def _value(self, assignment: Assignment) -> int:
        return any(arg.value(assignment) for arg in self.args)

    def _interval(self, assignment: Assignment) -> Interval:
        ends = self._ends(assignment)
        return max((low for low, _ in ends), default=0), max((high for _, high in ends), default=0)

    def __str__(self) -> str:
        return " | ".join(arg._operand() for arg in self.args) if len(self.args) > 1 else f"any_of({', '.join(map(str, self.args))})"


class Xor(Logic):
    """An odd number of some conditions holds: of two, exactly one."""

    __slots__ = ()
    kind = "xor"

    def __init__(self, args: Iterable[Condition]) -> None:
        super().__init__(_flatten(Xor, args))

    def _value(self, assignment: Assignment) -> int:
        return sum(bool(arg.value(assignment)) for arg in self.args) % 2

    def _interval(self, assignment: Assignment) -> Interval:
        ends = self._ends(assignment)
        if any(low != high for low, high in ends):
            return 0, 1
        odd = sum(low for low, _ in ends) % 2
        return odd, odd

    def __str__(self) -> str:
        return " ^ ".join(arg._operand() for arg in self.args)


def _flatten(kind: type[Logic], args: Iterable[Condition]) -> tuple[Condition, ...]:
    flat: list[Condition] = []
    for arg in args:
        flat.extend(arg.args if isinstance(arg, kind) else (arg,))
    return tuple(flat)


class Not(Logic):
    """A condition does not hold."""

    __slots__ = ()
    kind = "not"

    def __init__(self, arg: Condition) -> None:
        super().__init__((arg,))

    @property
    def arg(self) -> Condition:
        """The condition that does not hold."""
        return self.args[0]

    def _value(self, assignment: Assignment) -> int:
        return not self.arg.value(assignment)

    def _interval(self, assignment: Assignment) -> Interval:
        low, high = self.arg.interval(assignment)
        return 1 - high, 1 - low

    def __invert__(self) -> Condition:
        return self.arg

    def __str__(self) -> str:
        return f"~{self.arg._operand()}"

    def _operand(self) -> str:
        return str(self)


class Implies(Logic):
    """If one condition holds, so does another."""

    __slots__ = ()
    kind = "implies"

    def __init__(self, left: Condition, right: Condition) -> None:
        super().__init__((left, right))

    @property
    def left(self) -> Condition:
        """The condition that is enough."""
        return self.args[0]

    @property
    def right(self) -> Condition:
        """The condition that follows."""
        return self.args[1]

    def _value(self, assignment: Assignment) -> int:
        return not self.left.value(assignment) or bool(self.right.value(assignment))

    def _interval(self, assignment: Assignment) -> Interval:
        a, b = self.left.interval(assignment)
        c, d = self.right.interval(assignment)
        return max(1 - b, c), max(1 - a, d)

    def __str__(self) -> str:
        return f"{self.left._operand()} -> {self.right._operand()}"


# -- walking over expressions


def walk(*roots: Expression) -> Iterator[Expression]:
    """Every part of the given expressions, each object once, parents before their parts."""
    seen: set[int] = set()
    stack: list[Expression] = list(reversed(roots))
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(reversed(node.args))


def scope(*roots: Expression) -> tuple[Variable, ...]:
    """The variables of the given expressions, each once, in the order met."""
    if len(roots) == 1 and type(root := roots[0]) is Comparison and type(root.left) is Linear and type(root.right) is int:
        atoms = root.left.atoms  # the common case, made fast
        if all(type(atom) is Variable for atom in atoms):
            return tuple(dict.fromkeys(atoms))  # type: ignore[arg-type]
    return tuple(node for node in walk(*roots) if isinstance(node, Variable))


def linear_form(*terms: tuple[int, Expression | int]) -> tuple[dict[Expression, int], int]:
    """The sum of the given (coefficient, expression) terms as {atom: coefficient} and a constant.

    Equal atoms are merged and those that cancel out are dropped.

    >>> import cpsolve as cp
    >>> x = cp.Model().int_var(0, 9, "x")
    >>> linear_form((1, 2 * x + 3), (-1, x), (-1, 5))
    ({x: 1}, -2)
    """
    total: dict[Expression, int] = {}
    constant = 0
    for factor, expression in terms:
        if isinstance(expression, int):
            constant += factor * expression
        elif isinstance(expression, Linear):
            constant += factor * expression.constant
            for atom, coefficient in zip(expression.atoms, expression.coefficients, strict=True):
                total[atom] = total.get(atom, 0) + factor * coefficient
        else:
            total[expression] = total.get(expression, 0) + factor
    return {atom: coefficient for atom, coefficient in total.items() if coefficient}, constant


def collect(items: Iterable[Any]) -> Iterator[Any]:
    """The elements of nested lists, tuples, arrays and iterators, in order."""
    for item in items:
        if isinstance(item, np.ndarray):
            yield from item.ravel().tolist()
        elif isinstance(item, Expression) or not isinstance(item, Iterable) or isinstance(item, str | bytes):
            yield item
        else:
            yield from collect(item)


def as_expression(value: Any) -> Expression:
    """An expression as it is; an integer as a constant expression."""
    return value if isinstance(value, Expression) else Linear([], None, as_int(value))


def array(items: Sequence[Any]) -> ExpressionArray:
    """A numpy array from nested lists of expressions and integers, with operators that work element by element.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> a, b = m.int_var(0, 5, "a"), m.int_var(0, 5, "b")
    >>> cp.array([a, b]) + 1 <= 3
    ExpressionArray([a + 1 <= 3, b + 1 <= 3], dtype=object)
    """
    return np.array(items, dtype=object).view(ExpressionArray)

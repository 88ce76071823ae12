"""The changes that are made to the code: a comparison, an operator, a number, a condition, a statement or a result is made wrong."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
NEGATED_ELSEWHERE = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
"""Comparisons whose own change is the same as negating them."""


@dataclass(frozen=True)
class Change:
    """One change of one file; the ``number`` tells apart changes that look the same."""

    path: str
    function: str
    line: int
    text: str
    before: str
    after: str
    on_loading: bool
    """Whether the line runs when the file is loaded, outside of any function."""
    number: int
    apply: Callable[[], None]

    @property
    def key(self) -> str:
        """What identifies it, also after lines above it have moved."""
        return f"{self.path} in {self.function}: {self.before} -> {self.after}\n    {self.text}\n    {self.number}"

    @property
    def explained_as(self) -> tuple[str, str]:
        """Under which two lines ``explained.txt`` explains it."""
        return f"{self.path} in {self.function}: {self.before} -> {self.after}", self.text

    def draw(self, seed: int) -> bytes:
        """Its place in the order of a seed."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).digest()


class Changes:
    """Walks through the syntax tree of one file and lists what can be changed.

    >>> found = Changes("a.py", "def f(x):\\n    return x if x < 5 else 0", ()).found
    >>> [(change.before, change.after) for change in found]
    [('return x if x < 5 else 0', 'return None'), ('x < 5', 'not x < 5'), ('x < 5', 'x <= 5'), ('5', '6'), ('0', '1')]
    """

    def __init__(self, path: str, source: str, excluded: Collection[int]) -> None:
        self.path = path
        self.lines = source.splitlines()
        self.excluded = excluded
        self.tree = ast.parse(source)
        self.found: list[Change] = []
        self._seen: Counter[str] = Counter()
        self._inside = 0
        self._body(self.tree, "module")

    def _add(self, node: ast.AST, function: str, after: ast.AST, apply: Callable[[], None]) -> None:
        line: int = getattr(node, "lineno")  # noqa: B009 - only nodes that have a place come here
        if line in self.excluded:
            return
        change = Change(self.path, function, line, self.lines[line - 1].strip(), short(node), short(after), not self._inside, 0, apply)
        self._seen[change.key] += 1
        self.found.append(replace(change, number=self._seen[change.key]))

    def _put(self, parent: ast.AST, field: str, index: int | None, node: ast.AST, new: ast.AST, function: str) -> None:
        """One thing in place of another."""
        ast.copy_location(new, node)

        def apply() -> None:
            if index is None:
                setattr(parent, field, new)
            else:
                getattr(parent, field)[index] = new
            ast.fix_missing_locations(self.tree)

        self._add(node, function, new, apply)

    def _body(self, parent: ast.AST, function: str) -> None:
        """Everything below a node, but for annotations, decorators, docstrings and what only a type checker reads."""
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list", "type_comment", "format_spec", "bases"):
                continue
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.AST) and not unread(node):
                    self._change(parent, field, index, node, function)
                    name = getattr(node, "name", None) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None
                    inner = function if name is None else name if function == "module" else f"{function}.{name}"
                    if not (name is not None and getattr(node, "lineno") in self.excluded):  # noqa: B009
                        step = int(isinstance(node, ast.FunctionDef)) - int(isinstance(node, ast.arguments))  # defaults are made outside
                        self._inside += step
                        self._body(node, inner)
                        self._inside -= step

    def _change(self, parent: ast.AST, field: str, index: int | None, node: ast.AST, function: str) -> None:
        def put(new: ast.AST) -> None:
            self._put(parent, field, index, node, new, function)

        match node:
            case ast.Constant(value=bool(value)):
                put(ast.Constant(not value))
            case ast.Constant(value=int(value)):
                put(ast.Constant(value + 1))
            case ast.Compare(left=left, ops=ops, comparators=others):
                for at, operator in enumerate(ops):
                    put(ast.Compare(left, [*ops[:at], COMPARISONS[type(operator)](), *ops[at + 1 :]], others))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS and not (is_text(left) or of_types(node, function)):
                put(ast.BinOp(left, OPERATORS[type(op)](), right))
            case ast.AugAssign(target=target, op=op, value=value) if type(op) in OPERATORS:
                put(ast.AugAssign(target, OPERATORS[type(op)](), value))
            case ast.BoolOp(op=op, values=values):
                put(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
                put(operand)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords) if name in CALLS:
                put(ast.Call(ast.Name(CALLS[name], ast.Load()), arguments, keywords))
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                put(ast.Return(ast.Constant(None)))
            case ast.Break():
                put(ast.Continue())
            case ast.Continue():
                put(ast.Break())
            case ast.Expr() | ast.Raise() | ast.Delete():
                put(ast.Pass())
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                put(ast.Pass())
            case _:
                pass
        if isinstance(node, ast.AugAssign):
            put(ast.Pass())
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            self._negate(node, "test", None, node.test, function)
        if isinstance(node, ast.comprehension):
            for at, condition in enumerate(node.ifs):
                self._negate(node, "ifs", at, condition, function)

    def _negate(self, parent: ast.AST, field: str, index: int | None, test: ast.expr, function: str) -> None:
        own = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], NEGATED_ELSEWHERE)
        if not (own or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)) or isinstance(test, ast.Constant)):
            self._put(parent, field, index, test, ast.UnaryOp(ast.Not(), test), function)


def unread(node: ast.AST) -> bool:
    """Whether changing it means nothing: a docstring, a plain ``...``, what is for type checkers only, a check that is never to fail."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.keyword(arg="strict"):
            return True
        case _:
            return False


def is_text(node: ast.expr) -> bool:
    """Whether text is joined here: another operator would only be an error."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def of_types(node: ast.BinOp, function: str) -> bool:
    """Whether ``A | B`` stands for types: then ``&`` would only be an error."""
    ends = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    return isinstance(node.op, ast.BitOr) and (
        function == "module" or (bool(ends) and all(part.id[0].isupper() or part.id in ("int", "float", "str", "bool") for part in ends))
    )


def short(node: ast.AST) -> str:
    """The code in one line, not too long."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:70]} … {text[-27:]}"


def drawn(changes: Iterable[Change], size: int, seed: int) -> list[Change]:
    """A sample of the changes, spread over the files in proportion; the same for the same seed, also when other code changes."""
    by_file: dict[str, list[Change]] = {}
    for change in changes:
        by_file.setdefault(change.path, []).append(change)
    total = sum(map(len, by_file.values()))
    size = min(size, total)
    shares = {path: size * len(found) / total for path, found in by_file.items()}
    numbers = {path: int(share) for path, share in shares.items()}
    for path in sorted(shares, key=lambda path: numbers[path] - shares[path])[: size - sum(numbers.values())]:
        numbers[path] += 1
    return list(_first(by_file, numbers, seed))


def _first(by_file: dict[str, list[Change]], numbers: dict[str, int], seed: int) -> Iterator[Change]:
    for path, found in by_file.items():
        yield from sorted(found, key=lambda change: change.draw(seed))[: numbers[path]]

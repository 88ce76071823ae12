"""Numpy arrays of expressions.

Numpy would turn ``array == 15`` into an array of Python booleans; :class:`ExpressionArray` keeps the expressions. Apart
from operators and sums it is an ordinary ``numpy.ndarray`` of objects: slicing, reshaping, transposing and stacking work.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np


def elementwise(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> ExpressionArray:
    """``operation`` over two broadcast operands, as an array of whatever it returns."""
    result = np.frompyfunc(operation, 2, 1)(_plain(left), _plain(right))
    return np.asarray(result, dtype=object).view(ExpressionArray)


def _plain(operand: Any) -> np.ndarray[Any, Any]:
    if isinstance(operand, np.ndarray):
        return operand.view(np.ndarray)
    if isinstance(operand, list | tuple):
        return np.asarray(operand, dtype=object)
    cell = np.empty((), dtype=object)
    cell[()] = operand
    return cell


class ExpressionArray(np.ndarray[Any, np.dtype[np.object_]]):
    """An array of variables, expressions or constraints whose operators work element by element.

    >>> import cpsolve as cp
    >>> m = cp.Model()
    >>> x = m.int_vars((2, 2), 0, 9, name="x")
    >>> x.sum(axis=0) == 10
    ExpressionArray([x[0,0] + x[1,0] == 10, x[0,1] + x[1,1] == 10],
                    dtype=object)
    """

    __hash__ = None

    def sum(self, axis: Any = None, *_: Any, **options: Any) -> Any:
        """The sum of all elements, or along ``axis`` (an integer or a tuple of them)."""
        if axis is None and not options:
            return sum(self.ravel().tolist())
        if unknown := {name for name, value in options.items() if value is not None and name in ("dtype", "out", "where")}:
            raise TypeError(f"sum of expressions takes axis and keepdims only, not {', '.join(sorted(unknown))}")
        keepdims = bool(options.get("keepdims", False))
        if axis is None:
            axis = tuple(range(self.ndim))
        axes = tuple(a % self.ndim for a in (axis if isinstance(axis, tuple) else (axis,)))
        kept = [a for a in range(self.ndim) if a not in axes]
        shape = tuple(self.shape[a] for a in kept)
        rows = np.transpose(self, kept + list(axes)).reshape(int(np.prod(shape, dtype=int)), -1).tolist()
        if not shape and not keepdims:
            return sum(rows[0])
        result = np.empty(len(rows), dtype=object)
        for position, row in enumerate(rows):
            result[position] = sum(row)
        if keepdims:
            shape = tuple(1 if a in axes else self.shape[a] for a in range(self.ndim))
        return result.reshape(shape).view(ExpressionArray)

    def implies(self, other: Any) -> ExpressionArray:
        """Element by element ``a.implies(b)``."""
        return elementwise(lambda a, b: a.implies(b), self, other)

    def __eq__(self, other: Any) -> Any:
        return elementwise(operator.eq, self, other)

    def __ne__(self, other: Any) -> Any:
        return elementwise(operator.ne, self, other)

    def __lt__(self, other: Any) -> Any:
        return elementwise(operator.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return elementwise(operator.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return elementwise(operator.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return elementwise(operator.ge, self, other)

    def __add__(self, other: Any) -> Any:
        return elementwise(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return elementwise(operator.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return elementwise(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return elementwise(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        return elementwise(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return elementwise(operator.mul, other, self)

    def __and__(self, other: Any) -> Any:
        return elementwise(operator.and_, self, other)

    def __rand__(self, other: Any) -> Any:
        return elementwise(operator.and_, other, self)

    def __or__(self, other: Any) -> Any:
        return elementwise(operator.or_, self, other)

    def __ror__(self, other: Any) -> Any:
        return elementwise(operator.or_, other, self)

    def __xor__(self, other: Any) -> Any:
        return elementwise(operator.xor, self, other)

    def __rxor__(self, other: Any) -> Any:
        return elementwise(operator.xor, other, self)

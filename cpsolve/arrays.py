"""Numpy arrays of expressions.

Numpy would turn ``array == 15`` into an array of Python booleans; :class:`ExpressionArray` keeps the expressions. Apart
from operators and sums it is an ordinary ``numpy.ndarray`` of objects: slicing, reshaping, transposing and stacking work.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple


def elementwise(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """``operation`` over two broadcast operands, as an array of whatever it returns (not an array where neither has a shape)."""
    result = np.frompyfunc(operation, 2, 1)(_plain(left), _plain(right))
    return result.view(ExpressionArray) if isinstance(result, np.ndarray) else result


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
    __array_priority__ = 1.0  # stacking gives an ExpressionArray

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if array.ndim == 0 else array.view(ExpressionArray)

    def sum(self, axis: Any = None, dtype: None = None, out: None = None, keepdims: bool = False, **others: Any) -> Any:  # type: ignore[override]
        """The sum of all elements, or along ``axis`` (an integer or a tuple of them)."""
        if refused := [*others, *(name for name, given in (("dtype", dtype), ("out", out)) if given is not None)]:
            raise TypeError(f"a sum of expressions takes axis and keepdims, not {', '.join(refused)}")
        if axis is None and not keepdims:
            return sum(self.ravel().tolist())
        axes = tuple(range(self.ndim)) if axis is None else normalize_axis_tuple(axis, self.ndim)
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

    def implies(self, other: Any) -> Any:
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

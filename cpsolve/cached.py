"""Values of an object that are worked out when they are first asked for, and kept.

``functools.cached_property`` of Python 3.11 holds one lock for all objects of a class while it works: threads wait for each other's
objects, whatever their time limits, and a child process that is forked meanwhile waits for ever. From 3.12 on it has no lock, as here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801 - to users and type checkers it is that of functools
        """A method that is asked like an attribute and called once. Threads that ask at the same time may all call it, and get one answer.

        >>> class Word:
        ...     @cached_property
        ...     def letters(self):
        ...         print("counting")
        ...         return 5
        >>> word = Word()
        >>> word.letters + word.letters
        counting
        10
        """

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self._function, self._name = function, function.__name__
            self.__doc__ = function.__doc__

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._function(instance))

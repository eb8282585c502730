"""Results that are kept in memory: made once, by one thread, and so many at most."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A cache whose keys hold everything that a value depends on, so that nothing in it is ever out of date.

    most  values that are kept; the one that was not asked for the longest goes first

    Threads that ask for the same key at the same time wait for the one that makes its value; a failure is not kept.

    >>> squares = Kept[int](most=2)
    >>> [squares.get(number, lambda number=number: number**2) for number in (2, 3, 2)], len(squares)
    ([4, 9, 4], 2)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            turn = self._making.setdefault(key, Lock())
        with turn:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            try:
                value = make()
                with self._lock:
                    self._values[key] = value
                    while len(self._values) > self._most:
                        self._values.popitem(last=False)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return value

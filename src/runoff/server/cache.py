"""Results that are kept in memory: made once, by one thread, and so many at most."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import BoundedSemaphore, Lock
from typing import Generic, TypeVar

from runoff.errors import BusyError

Value = TypeVar("Value")
BUSY = "others are asking for what takes long to compute; try again in a few seconds"


class Kept(Generic[Value]):
    """A cache whose keys hold everything that a value depends on, so that nothing in it is ever out of date.

    most     values that are kept; the one that was not asked for the longest goes first
    waiting  threads that may wait for values that others make; one more is told to come back, with a `BusyError`
    weigh    how heavy a value is, and `heaviest` how heavy all may be together; the newest stays, whatever it weighs

    Threads that ask for the same key at the same time wait for the one that makes its value; a failure is theirs too,
    and is not kept.

    >>> squares = Kept[int](most=2)
    >>> [squares.get(number, lambda number=number: number**2) for number in (2, 3, 2)], len(squares)
    ([4, 9, 4], 2)
    """

    def __init__(
        self,
        *,
        most: int,
        waiting: int | None = None,
        weigh: Callable[[Value], int] | None = None,
        heaviest: int = 0,
    ) -> None:
        self._most = most
        self._most_waiting = waiting
        self._weigh = weigh or (lambda _value: 0)
        self._heaviest = heaviest
        self._weight = 0
        self.waiting = 0
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Future[Value]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def find(self, key: Hashable) -> Value | None:
        """The value of a key if it is there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: Hashable, value: Value) -> None:
        """Keep a value that was made elsewhere."""
        with self._lock:
            if key in self._values:
                self._weight -= self._weigh(self._values.pop(key))
            self._values[key] = value
            self._weight += self._weigh(value)
            while len(self._values) > self._most or (self._weight > self._heaviest and len(self._values) > 1):
                _, gone = self._values.popitem(last=False)
                self._weight -= self._weigh(gone)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            making = self._making.get(key)
            if making is None:
                mine = self._making[key] = Future()
            elif self._most_waiting is not None and self.waiting >= self._most_waiting:
                raise BusyError(BUSY)
            else:
                self.waiting += 1
        if making is not None:
            try:
                return making.result()
            finally:
                with self._lock:
                    self.waiting -= 1
        try:
            value = make()
        except BaseException as error:
            self._done(key)
            mine.set_exception(error)
            raise
        self.keep(key, value)
        self._done(key)
        mine.set_result(value)
        return value

    def _done(self, key: Hashable) -> None:
        with self._lock:
            del self._making[key]


class ComputingSlots:
    """So many threads at once, so many more that wait for their turn, and a `BusyError` for everybody else.

    >>> turns = ComputingSlots(at_once=1, waiting=0)
    >>> with turns:
    ...     "mine"
    'mine'
    """

    def __init__(self, *, at_once: int, waiting: int) -> None:
        self._room = at_once + waiting
        self.inside = 0
        self._lock = Lock()
        self._turn = BoundedSemaphore(at_once)

    def __enter__(self) -> None:
        with self._lock:
            if self.inside >= self._room:
                raise BusyError(BUSY)
            self.inside += 1
        self._turn.acquire()

    def __exit__(self, *_: object) -> None:
        self._turn.release()
        with self._lock:
            self.inside -= 1

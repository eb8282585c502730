"""Caches in memory: values made once by one thread, background values, computing slots and rate limits."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDoneError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import BoundedSemaphore, Lock, Thread
from typing import Any, Final, Generic, TypeVar

from runoff.errors import BusyError, TooOftenError

Value = TypeVar("Value")
BUSY = "the server is busy with other requests; try again in a few seconds"
PATIENCE: Final = 5.0
"""Seconds that a request waits."""
NOT_YET: Final = "this is being computed; the page looks again by itself in a few seconds"
WINDOW: Final = timedelta(minutes=5)
MOST_KNOWN: Final = 10_000
"""Visitors that are counted; beyond that, those who asked longest ago are forgotten."""


class Kept(Generic[Value]):
    """A cache whose keys hold everything that a value depends on, so that nothing in it is ever out of date.

    most     values that are kept; the one that was not asked for the longest goes first
    waiting  threads that may wait for values that others make; one more gets a `BusyError`
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
    """A number of threads at once, some more that wait for their turn, and a `BusyError` for everybody else.

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


class PersonalTurns:
    """A number of turns at once, one for each person at a time, so that nobody takes all of them.

    waiting  how many more of one person may wait for their turn; the next gets a `BusyError`
    seconds  how long one waits

    >>> turns = PersonalTurns(at_once=2, waiting=0, seconds=1)
    >>> with turns.turn("ann"), turns.turn("bob"):
    ...     "both"
    'both'
    >>> with turns.turn("ann"), turns.turn("ann"):
    ...     "never"
    Traceback (most recent call last):
    ...
    runoff.errors.BusyError: others of your files are being read; try again in a minute
    """

    def __init__(self, *, at_once: int, waiting: int, seconds: float) -> None:
        self._most = 1 + waiting
        self._seconds = seconds
        self._free = BoundedSemaphore(at_once)
        self._lock = Lock()
        self._own: dict[str, tuple[Lock, int]] = {}

    @contextmanager
    def turn(self, who: str) -> Iterator[None]:
        """Wait for the turn of a person, then for a free one."""
        with self._lock:
            own, inside = self._own.get(who, (Lock(), 0))
            if inside >= self._most:
                raise BusyError("others of your files are being read; try again in a minute")
            self._own[who] = own, inside + 1
        try:
            with self._waited(own), self._waited(self._free):
                yield
        finally:
            with self._lock:
                own, inside = self._own.pop(who)
                if inside > 1:
                    self._own[who] = own, inside - 1

    @contextmanager
    def _waited(self, gate: Lock | BoundedSemaphore) -> Iterator[None]:
        if not gate.acquire(timeout=self._seconds):
            raise BusyError("other files are being read; try again later")
        try:
            yield
        finally:
            gate.release()


@dataclass(frozen=True, kw_only=True)
class Found(Generic[Value]):
    """A value, and whether it is that of the key that was asked for, or an earlier one."""

    value: Value
    is_current: bool


class Latest(Generic[Value]):
    """Values of things that change, such as a campaign: serves the previous value while a new one is computed.

    One value is computed at a time for each thing, in a background thread. Before there is any, a `BusyError` says to
    come back.

    >>> squares = Latest[int](Kept(most=2))
    >>> squares.get("a thing", 3, lambda: 9)
    Found(value=9, is_current=True)
    """

    def __init__(self, kept: Kept[Value], *, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._kept = kept
        self._lock = Lock()
        self._making: dict[Hashable, Future[Value]] = {}
        self._last: dict[Hashable, Value] = {}
        self._failed: dict[Hashable, tuple[Hashable, BaseException]] = {}

    def get(self, thing: Hashable, key: Hashable, make: Callable[[], Value]) -> Found[Value]:
        """The value of a key of a thing, or the last of that thing; a failure of `make` is raised."""
        with self._lock:
            kept = self._kept.find(key)
            if kept is not None:
                return Found(value=kept, is_current=True)
            failed = self._failed.pop(thing, None)
            making = self._making.get(thing)
            if making is None and (failed is None or failed[0] != key):
                making = self._making[thing] = Future()
                Thread(target=self._make, args=(thing, key, make, making), daemon=True).start()
        if making is None:
            raise failed[1] if failed else BusyError(NOT_YET)
        try:
            making.result(timeout=self.patience)
        except NotDoneError:
            pass
        except BaseException:
            # It is reported now.
            self._failed.pop(thing, None)
            raise
        return self._found(thing, key)

    def _found(self, thing: Hashable, key: Hashable) -> Found[Value]:
        kept = self._kept.find(key)
        if kept is not None:
            return Found(value=kept, is_current=True)
        if thing not in self._last:
            raise BusyError(NOT_YET)
        return Found(value=self._last[thing], is_current=False)

    def _make(self, thing: Hashable, key: Hashable, make: Callable[[], Value], making: Future[Any]) -> None:
        try:
            value = make()
        except BaseException as error:  # noqa: BLE001  # it is raised where somebody asks
            with self._lock:
                # Kept until it was reported: whoever asked may have stopped waiting.
                self._failed[thing] = key, error
                del self._making[thing]
            making.set_exception(error)
            return
        self._kept.keep(key, value)
        with self._lock:
            self._last[thing] = value
            del self._making[thing]
        making.set_result(value)


class RateLimit:
    """Rate limit for expensive views, per visitor: how many in five minutes that were not cached.

    >>> limit, noon = RateLimit(most=1), datetime(2026, 3, 14, 12)
    >>> limit.take("ann", noon)
    >>> limit.take("ann", noon)
    Traceback (most recent call last):
    ...
    runoff.errors.TooOftenError: you have asked for 1 new filters or comparisons in 5 minutes; the next ...
    >>> limit.take("bob", noon), limit.take("ann", noon + WINDOW)
    (None, None)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._taken: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str, now: datetime) -> None:
        """Count one more for a visitor, or raise `TooOftenError`; an empty name is not counted."""
        if not who:
            return
        with self._lock:
            times = self._taken.setdefault(who, deque())
            self._taken.move_to_end(who)
            while times and times[0] <= now - WINDOW:
                times.popleft()
            if len(times) >= self._most:
                free_at = times[0] + WINDOW
                minutes = int(WINDOW.total_seconds() // 60)
                raise TooOftenError(
                    f"you have asked for {self._most:,} new filters or comparisons in {minutes} minutes; the next from "
                    f"{free_at:%H:%M:%S} (UTC)",
                    free_at=free_at,
                )
            times.append(now)
            while len(self._taken) > MOST_KNOWN:
                self._taken.popitem(last=False)

    @contextmanager
    def charge(self, who: str, now: datetime) -> Iterator[None]:
        """Count one more for a visitor, unless the work fails: who was sent away, or got a fault, got nothing."""
        self.take(who, now)
        try:
            yield
        except BaseException:
            with self._lock, suppress(KeyError, ValueError):
                self._taken[who].remove(now)
            raise

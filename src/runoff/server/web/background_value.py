"""What takes long is made in the background: a request waits for it a little, and has the last one meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotDoneError
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeVar

from runoff.errors import BusyError
from runoff.server.cache import Kept

Value = TypeVar("Value")
PATIENCE: Final = 5.0
"""Seconds that a request waits."""
NOT_YET: Final = "this is being computed; the page looks again by itself in a few seconds"


@dataclass(frozen=True, kw_only=True)
class Found(Generic[Value]):
    """A value, and whether it is that of the key that was asked for, or an earlier one."""

    value: Value
    is_current: bool


class Latest(Generic[Value]):
    """Values of things that change, such as a campaign: one is made at a time for each thing, in a thread of its own.

    A thing that changes faster than its value is made is never without one: the last that was made is given, and said
    to be earlier. Before there is any, a `BusyError` says to come back.

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
            # It is told now.
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
                # Kept until it was told: whoever asked may have stopped waiting.
                self._failed[thing] = key, error
                del self._making[thing]
            making.set_exception(error)
            return
        self._kept.keep(key, value)
        with self._lock:
            self._last[thing] = value
            del self._making[thing]
        making.set_result(value)

"""Small writes of several threads in one transaction, because bringing it to the disk takes longer than all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from sqlalchemy import Connection

Kind = TypeVar("Kind")
Work = Callable[["Connection"], Any]
MOST: Final = 100
"""The most writes in one transaction, so that the first of them does not wait for long."""


@dataclass(eq=False)
class _Small:
    """A small write: who asked for it waits until it is done, or until it is up to them to do it."""

    work: Work
    result: Any = None
    error: BaseException | None = None
    is_done: bool = False
    signal: Lock = field(default_factory=Lock)


class Together:
    """Threads that hand in small writes: one of them does all that wait, in the order in which they were handed in.

    write      does a work in one transaction and returns what it returned, or raises
    is_passing whether an error means that the transaction has to be begun again
    """

    def __init__(
        self, write: Callable[[Callable[[Connection], None]], None], is_passing: Callable[[BaseException], bool]
    ) -> None:
        self._write = write
        self._is_passing = is_passing
        self._guard = Lock()
        self._waiting: deque[_Small] = deque()
        self._is_led = False

    def do(self, work: Callable[[Connection], Kind]) -> Kind:
        """Do a work, alone or with others; return what it returned when the disk has it."""
        own = _Small(work)
        own.signal.acquire()
        with self._guard:
            self._waiting.append(own)
            leads, self._is_led = not self._is_led, True
        if not leads:
            own.signal.acquire()
        if not own.is_done:
            self._lead()
        if own.error is not None:
            raise own.error
        return cast("Kind", own.result)

    def _lead(self) -> None:
        chosen: list[_Small] = []
        try:
            self._write(lambda connection: self._do_all(connection, chosen))
        except BaseException as error:  # noqa: BLE001, raised again by all who asked
            # If it came to nothing at all, for the one who leads alone; others try for themselves.
            chosen = chosen or self._chosen(1)
            for one in chosen:
                one.error = error
        finally:
            for one in chosen:
                one.is_done = True
                one.signal.release()
            with self._guard:
                if self._waiting:
                    self._waiting[0].signal.release()
                else:
                    self._is_led = False

    def _chosen(self, most: int) -> list[_Small]:
        """The first ones that wait; who leads is the first of all."""
        with self._guard:
            return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def _do_all(self, connection: Connection, chosen: list[_Small]) -> None:
        # Begun again, it is for the same ones.
        if not chosen:
            chosen += self._chosen(MOST)
        if len(chosen) == 1:
            chosen[0].result = chosen[0].work(connection)
            return
        for one in chosen:
            self._do_one(connection, one)

    def _do_one(self, connection: Connection, one: _Small) -> None:
        """One of several: if it fails, what it wrote is taken back and the others are not touched."""
        one.error = None
        connection.exec_driver_sql("SAVEPOINT small")
        try:
            one.result = one.work(connection)
        except Exception as error:
            if self._is_passing(error):
                raise
            one.error = error
            connection.exec_driver_sql("ROLLBACK TO small")
        connection.exec_driver_sql("RELEASE small")

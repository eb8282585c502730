"""FairLock: threads of one process that want to write wait in a line, the first first."""

from __future__ import annotations

from collections import deque
from threading import Lock


class FairLock:
    """One writer at a time, in the order in which they asked.

    SQLite has one writer, and those who find it busy sleep and look again: who looks at the right moment is next, and
    some look for seconds. In a line nobody is passed over.

    >>> turns = FairLock()
    >>> turns.take(seconds=1), turns.take(seconds=0)
    (True, False)
    >>> turns.give_back()
    >>> turns.take(seconds=0)
    True
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()
        self._taken = False

    def take(self, *, seconds: float) -> bool:
        """Wait for the turn, at most so long; whether it was had."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            own = Lock()
            own.acquire()
            self._waiting.append(own)
        if own.acquire(timeout=seconds):
            return True
        with self._guard:
            # Perhaps it was handed over between the end of the wait and here.
            if own.acquire(blocking=False):
                return True
            self._waiting.remove(own)
            return False

    def give_back(self) -> None:
        """Hand the turn to who has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False

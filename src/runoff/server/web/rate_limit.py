"""How much that takes long one visitor may ask for: so much in a while, counted in the memory of this server."""

from __future__ import annotations

from collections import OrderedDict, deque
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from runoff.errors import TooOftenError

WINDOW: Final = timedelta(minutes=5)
MOST_KNOWN: Final = 10_000
"""Visitors whose share is counted; of more, those are forgotten who asked longest ago."""


class Shares:
    """What each visitor has asked for in the last five minutes that nobody had asked for before.

    >>> shares, noon = Shares(most=1), datetime(2026, 3, 14, 12)
    >>> shares.take("ann", noon)
    >>> shares.take("ann", noon)
    Traceback (most recent call last):
    ...
    runoff.errors.TooOftenError: you have asked for 1 new filters or comparisons in 5 minutes; the next ...
    >>> shares.take("bob", noon), shares.take("ann", noon + WINDOW)
    (None, None)
    """

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._taken: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str, now: datetime) -> None:
        """Count one more for a visitor, or raise `TooOftenError`; an empty name is nobody, and is not counted."""
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

"""A reader for tests in which many files are read: in the process of the test, which takes no time to start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runoff.server.cases.uploads.limited_process import LimitedReader, Result
from runoff.server.cases.uploads.plain_data import pack, unpack


class HereReader(LimitedReader):
    """Reads at once and without limits, and lets everything through the same bytes as the real one."""

    def read(
        self, work: Callable[..., Any], request: Mapping[str, Any], *, called: str, into: Callable[[Any], Result]
    ) -> Result:
        """What the function makes of the request."""
        return into(unpack(pack(work(**unpack(pack(dict(request)))))))


HERE = HereReader()

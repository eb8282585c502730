"""What a hostile file lets its reader do; few imports, because every reader loads them."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def planted(what: str, sign: str) -> None:
    """Take all memory, never end, or die by a signal; the number of the process is written to `sign` first."""
    Path(sign).write_text(str(os.getpid()), encoding="utf-8")
    if what == "memory":
        kept = []
        while True:
            kept.append(bytes(10_000_000))
    while what == "loop":
        pass
    os.kill(os.getpid(), getattr(signal, what))

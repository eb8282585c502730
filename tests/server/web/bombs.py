"""Small files that hold 10 GB when they are decompressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from importlib import import_module

from runoff.files.streams import _ZSTD

LINE = b"q1 Q0 d1 1 1.0 x\n"
PIECE = 100_000_000
PIECES = 100


def _zstd(content: bytes) -> bytes:
    packed: bytes = import_module(_ZSTD).compress(content)
    return packed


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lambda content: lzma.compress(content, preset=0),
    "zst": _zstd,
}


def bomb(kind: str, line: bytes = LINE) -> bytes:
    """A bomb: one compressed piece, many times; every format takes pieces one behind the other."""
    return PACKERS[kind](line * (PIECE // len(line))) * PIECES

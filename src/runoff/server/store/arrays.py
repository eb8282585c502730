"""Arrays as bytes: compressed, with a hash, and nothing in them that could be executed."""

from __future__ import annotations

import hashlib
import io
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from runoff.errors import StoreError


@dataclass(frozen=True)
class PackedArray:
    """An array as it is stored; the hash is of the content before compression."""

    content_hash: str
    content: bytes


def pack_array(array: npt.NDArray[np.generic]) -> PackedArray:
    """An array as compressed bytes in numpy's own format.

    >>> unpack_array(pack_array(np.array([[1, 0], [0, 2]], dtype=np.int8)))
    array([[1, 0],
           [0, 2]], dtype=int8)
    """
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    plain = buffer.getvalue()
    # Level 1: grades compress well at any level, and this one is several times as fast as the default.
    return PackedArray(hashlib.sha256(plain).hexdigest(), zlib.compress(plain, 1))


def unpack_array(packed: PackedArray) -> npt.NDArray[np.generic]:
    """The array, after its hash was checked."""
    try:
        plain = zlib.decompress(packed.content)
    except zlib.error as error:
        raise StoreError(f"a stored array is damaged ({error}); compute it again") from error
    if hashlib.sha256(plain).hexdigest() != packed.content_hash:
        raise StoreError("a stored array is damaged: its hash is not the one that was noted; compute it again")
    loaded: npt.NDArray[np.generic] = np.load(io.BytesIO(plain), allow_pickle=False)
    return loaded

"""Plain data between processes: JSON, bytes and arrays of numbers. Unlike a pickle, reading it runs nothing.

The form: the length of the JSON in 8 bytes, the JSON, then the bytes of all arrays, end to end.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

import numpy as np

MOST_JSON: Final = 250_000_000
"""Bytes of JSON that are read; arrays have no limit of their own."""
DTYPES: Final = ("bool", "int8", "uint8", "int64", "float64")
_HEAD: Final = 8
_MARK: Final = "$"


def pack(value: Any) -> bytes:
    """A value as bytes: None, numbers, text, bytes, arrays of `DTYPES`, and lists and dicts of these.

    Tuples come back as lists, and the keys of dicts have to be text.
    """
    blobs: list[bytes] = []
    text = json.dumps([_plain(value, blobs), [len(blob) for blob in blobs]], separators=(",", ":")).encode()
    return b"".join([len(text).to_bytes(_HEAD, "little"), text, *blobs])


def unpack(content: bytes, *, most_json: int = MOST_JSON) -> Any:
    """The value that some bytes hold; a ValueError if they were not made by `pack`. Arrays are read-only.

    >>> unpack(pack({"grades": np.array([1, 0]), "name": "bm25", "labels": b"q1 0 d1 1"}))
    {'grades': array([1, 0]), 'name': 'bm25', 'labels': b'q1 0 d1 1'}
    """
    end = _HEAD + int.from_bytes(content[:_HEAD], "little")
    if end > min(len(content), _HEAD + most_json):
        raise ValueError("the JSON is longer than allowed, or cut off")
    try:
        value, sizes = json.loads(content[_HEAD:end])
        blobs = []
        for size in sizes:
            if type(size) is not int or not 0 <= size <= len(content) - end:
                raise ValueError("an array is cut off")
            blobs.append(content[end : end + size])
            end += size
        if end != len(content):
            raise ValueError("there is more than was announced")
        return _value(value, blobs)
    except (TypeError, KeyError, IndexError, RecursionError) as error:
        raise ValueError(f"not of this form ({type(error).__name__})") from None


def _plain(value: Any, blobs: list[bytes]) -> Any:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        blobs.append(value)
        return {_MARK: "bytes", "blob": len(blobs) - 1}
    if isinstance(value, np.ndarray):
        if value.dtype.name not in DTYPES:
            raise ValueError(f"an array of {value.dtype} is not plain; expected one of {', '.join(DTYPES)}")
        blobs.append(value.tobytes())
        return {_MARK: "array", "blob": len(blobs) - 1, "dtype": value.dtype.name, "shape": list(value.shape)}
    if isinstance(value, (list, tuple)):
        return [_plain(item, blobs) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        items = [(key, _plain(item, blobs)) for key, item in value.items()]
        # A key of somebody's file may be the mark itself.
        return {_MARK: "dict", "items": items} if _MARK in value else dict(items)
    raise ValueError(f"a {type(value).__name__} is not plain data")


def _value(value: Any, blobs: list[bytes]) -> Any:
    if isinstance(value, list):
        return [_value(item, blobs) for item in value]
    if not isinstance(value, dict):
        return value
    if _MARK not in value:
        return {key: _value(item, blobs) for key, item in value.items()}
    if value[_MARK] == "dict":
        return {str(key): _value(item, blobs) for key, item in value["items"]}
    blob = blobs[value["blob"]]
    if value[_MARK] == "bytes":
        return blob
    shape, name = [int(length) for length in value["shape"]], value["dtype"]
    if value[_MARK] != "array" or name not in DTYPES or min(shape, default=0) < 0:
        raise ValueError("unknown kind of data")
    dtype = np.dtype(name)
    if math.prod(shape) * dtype.itemsize != len(blob):
        raise ValueError("an array has another size than announced")
    if name == "bool" and np.frombuffer(blob, dtype=np.uint8).max(initial=0) > 1:
        raise ValueError("a byte is neither true nor false")
    return np.frombuffer(blob, dtype=dtype).reshape(shape)

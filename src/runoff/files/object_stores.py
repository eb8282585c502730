"""Object stores: files behind an address such as `s3://bucket/run`, by fsspec, and what may be wrong there."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from runoff.errors import InputError, MissingExtraError, RunoffError, UsageError

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]*://")
_TAGS: Final = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")
"""What stores call the tag of a content or, where they have none, the time of its change; the first there is counts."""


def is_address(source: object) -> bool:
    """Whether something is an address in an object store, such as `s3://bucket/run`."""
    return isinstance(source, str) and _ADDRESS.match(source) is not None


def opened_store(address: str) -> tuple[Any, str]:
    """The store of an address, with no memory of what it held before, and the place in it."""
    import fsspec

    store, place = fsspec.core.url_to_fs(address)
    store.invalidate_cache()
    return store, place


@contextmanager
def opened_object(address: str) -> Iterator[tuple[Any, str]]:
    """A Parquet file in a store, and its stamp: its size and the tag of its content."""
    import fsspec
    from pyarrow.parquet import ParquetFile

    store, place = fsspec.core.url_to_fs(address)
    about = store.info(place)
    tag = next((about[key] for key in _TAGS if about.get(key) is not None), "")
    with store.open(place, "rb") as file, ParquetFile(file) as opened:
        yield opened, f"{about.get('size')}:{tag}"


@contextmanager
def explained_store(address: str, *, is_listing: bool = False) -> Iterator[None]:
    """Whatever a store says becomes an error that names the address; what is wrong with a content is left as it is.

    is_listing  no content is read, so that nothing can be wrong with it
    """
    try:
        yield
    except RunoffError:
        raise
    except ImportError as error:
        raise _missing(address, error) from None
    except FileNotFoundError:
        expected = "a Parquet file, or a folder or pattern of such, in the store"
        raise InputError([f"{address}: no such file; expected {expected}; check bucket and name"]) from None
    except Exception as error:
        if not is_listing and _is_of_content(error):
            raise
        if isinstance(error, OSError) and error.errno == errno.EBUSY:  # as s3fs says it
            raise changed_problem(address) from None
        raise _unreadable(address, error) from None


def changed_problem(path: str) -> InputError:
    """Of a file that is not what it was when its rows were counted."""
    what = "has changed during the work, or another machine has another copy of it"
    return InputError([f"{path}: {what}; expected one file that stays as it is; run again"])


def _is_of_content(error: Exception) -> bool:
    """Whether a file was read and is no good: pyarrow's errors are without a number."""
    is_of_network = isinstance(error, (PermissionError, ConnectionError, TimeoutError))
    is_of_arrow = type(error).__module__.startswith("pyarrow") or type(error) is OSError
    return is_of_arrow and not is_of_network and getattr(error, "errno", None) is None


def _unreadable(address: str, error: Exception) -> InputError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    what = "a store that answers and lets us in"
    todo = "check the address, and the store's endpoint and credentials, here and on every worker"
    return InputError([f"{address}: cannot be read ({reason}); expected {what}; {todo}"])


def _missing(address: str, error: ImportError) -> RunoffError:
    """What to install: our own extra, or what fsspec needs for this kind of store, in its words."""
    if error.name in {"fsspec", "pyarrow"}:
        return MissingExtraError(f"reading {address}", "cluster")
    return UsageError(f"{address}: {error}; expected the package of fsspec for this kind of address; install it")

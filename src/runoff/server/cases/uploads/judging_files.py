"""Texts and judgments that somebody sent, read in a process with limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runoff.files.judging.judgments import read_judgments
from runoff.files.judging.texts import Texts, read_texts
from runoff.files.streams import source_name
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import renamed
from runoff.tables.preferences import Preferences


def count_texts(path: Path, ids: Sequence[str], *, reader: LimitedReader) -> int:
    """How many of some ids have a text in a collection."""
    request = {"path": str(path), "ids": list(ids), "max_bytes": reader.max_bytes}
    return reader.read(count_in, request, called=str(path), into=int)


def read_texts_apart(path: Path, ids: Sequence[str], *, called: str, reader: LimitedReader) -> Texts:
    """The texts of some ids in a collection, as `read_texts` finds them; its errors name `called`."""
    request = {"path": str(path), "ids": list(ids), "max_bytes": reader.max_bytes}

    def into(plain: Mapping[str, Any]) -> Texts:
        by_id = {str(text_id): str(text) for text_id, text in plain.items()}
        missing = tuple(text_id for text_id in dict.fromkeys(ids) if text_id not in by_id)
        return Texts(name=called, by_id=by_id, missing=missing)

    with renamed(called, path):
        return reader.read(texts_in, request, called=called, into=into)


def count_in(path: str, ids: Sequence[str], max_bytes: int) -> int:
    """What `count_texts` returns, found in this process."""
    return len(read_texts(path, ids, max_bytes=max_bytes).by_id)


def texts_in(path: str, ids: Sequence[str], max_bytes: int) -> dict[str, str]:
    """Texts by id, found in this process."""
    return read_texts(path, ids, max_bytes=max_bytes).by_id


def read_judgments_apart(source: Path | bytes, *, reader: LimitedReader) -> Preferences:
    """The judgments of a file of any form that `runoff tally` reads."""
    place = source if isinstance(source, bytes) else str(source)
    return reader.read(judgments_in, {"source": place}, called=source_name(place), into=Preferences.of)


def judgments_in(source: str | bytes) -> Sequence[Sequence[Any]]:
    """The rows of a file, found in this process."""
    return [tuple(row) for row in read_judgments(source)]

"""The scores of a run that a stranger sent, made where the file is read: in a process with limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from runoff.errors import InputError
from runoff.files.qrels import read_qrels
from runoff.reading.runs import ScoredRun
from runoff.server.cases.uploads.limited_process import LimitedReader
from runoff.server.cases.uploads.run import board_of_settings, readable_run, score_upload, settings_for_scoring
from runoff.tables.serps import Serps

if TYPE_CHECKING:
    from runoff.tables.settings import BoardSettings

_ARRAYS = {"grades": ("int8", 2), "retrieved": ("int64", 1), "judged": ("int64", 2), "depth_tied": ("bool", 1)}


@dataclass(frozen=True, kw_only=True, eq=False)
class UploadScores:
    """A run on one label set: the queries of the labels, a value for each, and SERPs where the measure has any."""

    query_ids: Sequence[str]
    values: NDArray[np.float64]
    serps: Serps | None
    missing_queries: int

    @classmethod
    def of(cls, scored: ScoredRun) -> UploadScores:
        """The same of a run that was scored on one measure."""
        missing = scored.facts.missing_queries
        return cls(query_ids=scored.query_ids, values=scored.values[0], serps=scored.serps, missing_queries=missing)


@dataclass(frozen=True, kw_only=True)
class ScoringLabels:
    """ScoringLabels to score on: their name, a file or its content, and the board as it is under them."""

    name: str
    source: Path | bytes
    board: BoardSettings


def score_apart(
    path: Path, labels: Sequence[ScoringLabels], *, name: str, called: str, max_bytes: int, reader: LimitedReader
) -> list[UploadScores]:
    """Score a run on some label sets; one process reads the file once for each."""
    request = {
        "path": str(path),
        "labels": [
            {
                "name": one.name,
                "source": one.source if isinstance(one.source, bytes) else str(one.source),
                "settings": settings_for_scoring(one.board),
            }
            for one in labels
        ],
        "name": name,
        "called": called,
        "max_bytes": max_bytes,
    }

    def into(plain: Sequence[Mapping[str, Any]]) -> list[UploadScores]:
        if len(plain) != len(labels):
            raise ValueError("scores of other labels")
        return [_scores(one, name) for one in plain]

    return reader.read(scores_in, request, called=called, into=into)


def scores_in(
    path: str, labels: Sequence[Mapping[str, Any]], name: str, called: str, max_bytes: int
) -> list[dict[str, Any]]:
    """What `score_apart` returns as plain data, found in this process."""
    found = []
    with readable_run(Path(path), called=called, max_bytes=max_bytes) as readable:
        for one in labels:
            source = one["source"]
            try:
                qrels = read_qrels(source if isinstance(source, bytes) else Path(source), name=one["name"])
            except InputError:
                # Not the sender's fault, and its words would show private labels.
                raise RuntimeError("labels of the board cannot be read") from None
            board = board_of_settings(one["settings"])
            scored = score_upload(readable, qrels, board, name=name, max_bytes=max_bytes)
            found.append(_plain(UploadScores.of(scored)))
    return found


def _plain(scores: UploadScores) -> dict[str, Any]:
    serps = scores.serps
    arrays = None if serps is None else {key: getattr(serps, key) for key in _ARRAYS}
    return {
        "query_ids": list(scores.query_ids),
        "values": np.asarray(scores.values, dtype=np.float64),
        "missing_queries": scores.missing_queries,
        "serps": arrays,
        "tie_rule": "" if serps is None else serps.tie_rule,
        "extra_queries": 0 if serps is None else serps.extra_queries,
        "fractions": None if serps is None or serps.values is None else list(serps.values),
    }


def _scores(plain: Mapping[str, Any], name: str) -> UploadScores:
    query_ids = tuple(str(query_id) for query_id in plain["query_ids"])
    serps = None
    if plain["serps"] is not None:
        arrays = {key: _checked(plain["serps"][key], *form, len(query_ids)) for key, form in _ARRAYS.items()}
        serps = Serps(
            run=name,
            query_ids=query_ids,
            tie_rule=str(plain["tie_rule"]),
            extra_queries=int(plain["extra_queries"]),
            values=None if plain["fractions"] is None else tuple(float(grade) for grade in plain["fractions"]),
            grades=arrays["grades"],
            retrieved=arrays["retrieved"],
            judged=arrays["judged"],
            depth_tied=arrays["depth_tied"],
        )
    return UploadScores(
        query_ids=query_ids,
        values=_checked(plain["values"], "float64", 1, len(query_ids)),
        serps=serps,
        missing_queries=int(plain["missing_queries"]),
    )


def _checked(array: NDArray[Any], dtype: str, dimensions: int, rows: int) -> NDArray[Any]:
    """The array, if it has this form."""
    if array.dtype.name != dtype or array.ndim != dimensions or len(array) != rows:
        raise ValueError("an array of another form")
    return array

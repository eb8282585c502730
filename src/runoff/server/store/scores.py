"""Means, verdicts, and arrays per query on open labels."""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, func, select

from runoff.errors import ConflictError, StoreError, UsageError
from runoff.server.store._rows import add, many, note
from runoff.server.store.label_sets import load_label_set, load_query_set
from runoff.server.store.models.boards import ANALYSIS, RUN, SCORE, VERDICT
from runoff.verdicts.facet import spoken


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


@dataclass(frozen=True, kw_only=True)
class ScoreKey:
    """What a number is about: a run, a label set and a query set; `kernel` names the version of the computation."""

    run_id: int
    label_set_id: int
    query_set_id: int
    kernel: str


@dataclass(frozen=True, kw_only=True)
class MeanScore(ScoreKey):
    """The mean score of a run; it may be of sealed labels, since it is of no single query."""

    measure: str
    mean: float
    queries: int
    missing_queries: int


@dataclass(frozen=True, kw_only=True)
class StoredVerdict(ScoreKey):
    """What was concluded of a run against the record of its day.

    Without a champion it was the first. With one, and without a verdict, the two could not be compared.
    """

    champion_id: int | None
    strict: str | None
    do_no_harm: str | None
    sentence: str
    policy: Mapping[str, Any]
    decided_at: datetime

    @property
    def overall(self) -> str | None:
        """The verdict; one that was decided before there was an overall one is that under do no harm."""
        verdict = self.policy.get("overall", self.do_no_harm)
        return None if verdict is None else str(verdict)

    @property
    def how(self) -> tuple[str, ...]:
        """What the verdict rests on, in words."""
        return tuple(map(str, self.policy.get("how", ())))

    @property
    def spoken(self) -> str:
        """The verdict with what it rests on, in words; empty for the first run."""
        if self.champion_id is None:
            return ""
        return "not compared" if self.overall is None else spoken(self.overall, self.how)


def save_analysis(
    connection: Connection, condition: ScoreKey, kind: str, array: npt.NDArray[np.generic], *, now: datetime
) -> None:
    """Keep an array per query, such as the SERPs, of open labels and open queries; sealed ones are refused."""
    labels = load_label_set(connection, condition.label_set_id)
    queries = load_query_set(connection, condition.query_set_id)
    if labels.sealed or queries.sealed:
        raise UsageError(
            f"label set {labels.name!r} or query set {queries.name!r} is sealed; "
            "its values per query are kept in the sealed store only"
        )
    if load_analysis(connection, condition, kind) is not None:
        return
    packed = pack_array(array)
    add(connection, ANALYSIS, sealed=False, kind=kind, created_at=now, **asdict(condition), **asdict(packed))


def load_analysis(connection: Connection, condition: ScoreKey, kind: str) -> npt.NDArray[np.generic] | None:
    """An array that was kept, or None; one of another version of the computation is not returned."""
    query = select(ANALYSIS.c.content_hash, ANALYSIS.c.content)
    for name, value in {**asdict(condition), "kind": kind}.items():
        query = query.where(ANALYSIS.c[name] == value)
    row = connection.execute(query).one_or_none()
    return None if row is None else unpack_array(PackedArray(row.content_hash, bytes(row.content)))


def save_score(connection: Connection, score: MeanScore, *, now: datetime) -> None:
    """Keep a mean; a run is scored once per condition, measure and kernel."""
    clash = f"run {score.run_id} has a mean {score.measure} on these labels and queries already"
    add(connection, SCORE, clash, created_at=now, **asdict(score))


def load_scores(connection: Connection, board_id: int, *, run_id: int | None = None) -> tuple[MeanScore, ...]:
    """The means of all runs of a board, or of one; who may see which is not asked here."""
    runs = select(RUN.c.id).where(RUN.c.board_id == board_id)
    where = [SCORE.c.run_id.in_(runs)] + ([] if run_id is None else [SCORE.c.run_id == run_id])
    return many(connection, MeanScore, SCORE, *where)


def load_scored_counts(
    connection: Connection, board_id: int, *, label_set_id: int = 0, query_set_id: int = 0, kernel: str = ""
) -> tuple[int, int]:
    """How many runs of a board are scored, and how many of these have a mean on such labels, queries and kernel."""
    same = (SCORE.c.label_set_id == label_set_id) & (SCORE.c.query_set_id == query_set_id) & (SCORE.c.kernel == kernel)
    done = select(SCORE.c.run_id).where(SCORE.c.run_id == RUN.c.id, same).exists()
    query = select(func.count(), func.count().filter(done)).where(RUN.c.board_id == board_id, RUN.c.state == "scored")
    scored, known = connection.execute(query.select_from(RUN)).one()
    return int(scored), int(known)


def save_verdict(connection: Connection, verdict: StoredVerdict) -> None:
    """Keep the verdict on a run; it is never decided again, also when labels change."""
    if verdict.champion_id == verdict.run_id:
        raise ConflictError(f"run {verdict.run_id} cannot be compared with itself")
    clash = f"run {verdict.run_id} has its verdict on these labels and queries already"
    row = asdict(verdict) | {"policy": dict(verdict.policy)}
    add(connection, VERDICT, clash, **row)
    details = {"champion": verdict.champion_id, "overall": verdict.overall}
    note(connection, "verdict", "run", verdict.run_id, actor=None, now=verdict.decided_at, **details)


def load_verdicts(connection: Connection, board_id: int, *, run_id: int | None = None) -> tuple[StoredVerdict, ...]:
    """The verdicts on all runs of a board, or on one, in the order in which they were decided."""
    runs = select(RUN.c.id).where(RUN.c.board_id == board_id)
    where = [VERDICT.c.run_id.in_(runs)] + ([] if run_id is None else [VERDICT.c.run_id == run_id])
    return many(connection, StoredVerdict, VERDICT, *where)


def load_analysed_runs(
    connection: Connection, kind: str, *, label_set_id: int, query_set_id: int, kernel: str
) -> frozenset[int]:
    """The numbers of the runs whose array of a kind was kept under these labels, queries and kernel."""
    same = (ANALYSIS.c.label_set_id == label_set_id) & (ANALYSIS.c.query_set_id == query_set_id)
    query = select(ANALYSIS.c.run_id).where(same, ANALYSIS.c.kind == kind, ANALYSIS.c.kernel == kernel)
    return frozenset(connection.execute(query).scalars())


def load_verdict_count(connection: Connection, board_id: int) -> int:
    """How many runs of a board have their verdict."""
    runs = select(RUN.c.id).where(RUN.c.board_id == board_id)
    return int(connection.execute(select(func.count()).where(VERDICT.c.run_id.in_(runs))).scalar_one())

"""Means, verdicts, and arrays per query on open labels."""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, Table, false, func, select
from sqlalchemy.exc import IntegrityError

from runoff.errors import ConflictError, StoreError, UsageError
from runoff.server.store._rows import add, many, note
from runoff.server.store.models.boards import ANALYSIS, RUN, SCORE, VERDICT
from runoff.verdicts.facet import spoken

KIND: Final = "serps"
"""The kind of all arrays that are kept."""


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
class ScoreCondition:
    """What a score was computed on: a label set, a query set, and the version of the computation."""

    label_set_id: int
    query_set_id: int
    computation_version: str

    def rows_of(self, table: Table) -> list[ColumnElement[bool]]:
        """The conditions for the rows of a table that belong to it."""
        return [table.c[name] == getattr(self, name) for name in ScoreCondition.__dataclass_fields__]


@dataclass(frozen=True, kw_only=True)
class MeanScore(ScoreCondition):
    """The mean score of a run; it may be of sealed labels, since it is of no single query."""

    run_id: int
    measure: str
    mean: float
    queries: int
    missing_queries: int


@dataclass(frozen=True, kw_only=True)
class StoredVerdict(ScoreCondition):
    """What was concluded of a run against the record of its day.

    Without a champion it was the first. With one, and without a verdict, the two could not be compared.
    """

    run_id: int
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
    connection: Connection, condition: ScoreCondition, run_id: int, array: npt.NDArray[np.generic], *, now: datetime
) -> None:
    """Keep the SERPs of a run on open labels and open queries; the database refuses sealed ones."""
    try:
        save_array(connection, ANALYSIS, condition, run_id, array, now=now, sealed=False)
    except IntegrityError as error:
        raise UsageError(
            f"label set {condition.label_set_id} or query set {condition.query_set_id} is sealed or missing; what is "
            "sealed is kept per query in the sealed store only"
        ) from error


def load_analysis(
    connection: Connection, condition: ScoreCondition, run_id: int, *, table: Table = ANALYSIS
) -> npt.NDArray[np.generic] | None:
    """The SERPs of a run that were kept, or None; those of another version of the computation are not returned."""
    query = select(table.c.content_hash, table.c.content).where(table.c.run_id == run_id, *condition.rows_of(table))
    row = connection.execute(query).one_or_none()
    return None if row is None else unpack_array(PackedArray(row.content_hash, bytes(row.content)))


def save_array(
    connection: Connection,
    table: Table,
    condition: ScoreCondition,
    run_id: int,
    array: npt.NDArray[np.generic],
    *,
    now: datetime,
    **row: Any,
) -> None:
    """Keep an array per query of a run in a table, unless it is there."""
    where = [table.c.run_id == run_id, *condition.rows_of(table)]
    if connection.execute(select(table.c.id).where(*where)).one_or_none() is None:
        row |= {"run_id": run_id, "kind": KIND, "created_at": now}
        add(connection, table, **row, **asdict(condition), **asdict(pack_array(array)))


def save_score(connection: Connection, score: MeanScore, *, now: datetime) -> None:
    """Keep a mean; a run is scored once per condition and measure."""
    clash = f"run {score.run_id} has a mean {score.measure} on these labels and queries already"
    add(connection, SCORE, clash, created_at=now, **asdict(score))


def load_scores(
    connection: Connection, board_id: int, *, run_id: int | None = None, condition: ScoreCondition | None = None
) -> tuple[MeanScore, ...]:
    """The means of all runs of a board, or of one run or condition; who may see which is not checked here."""
    where: list[ColumnElement[bool]] = [SCORE.c.run_id.in_(select(RUN.c.id).where(RUN.c.board_id == board_id))]
    where += [] if run_id is None else [SCORE.c.run_id == run_id]
    where += [] if condition is None else condition.rows_of(SCORE)
    return many(connection, MeanScore, SCORE, *where)


def load_scored_counts(
    connection: Connection, board_id: int, condition: ScoreCondition | None = None
) -> tuple[int, int]:
    """How many runs of a board are scored, and how many of these have a mean under a condition."""
    same = [false()] if condition is None else condition.rows_of(SCORE)
    done = select(SCORE.c.run_id).where(SCORE.c.run_id == RUN.c.id, *same).exists()
    query = select(func.count(), func.count().filter(done)).where(RUN.c.board_id == board_id, RUN.c.state == "scored")
    scored, with_mean = connection.execute(query.select_from(RUN)).one()
    return int(scored), int(with_mean)


def save_verdict(connection: Connection, verdict: StoredVerdict) -> None:
    """Keep the verdict on a run; it is never decided again, also when labels change."""
    if verdict.champion_id == verdict.run_id:
        raise ConflictError(f"run {verdict.run_id} cannot be compared with itself")
    clash = f"run {verdict.run_id} has its verdict on these labels and queries already"
    row = asdict(verdict) | {"policy": dict(verdict.policy)}
    add(connection, VERDICT, clash, **row)
    details = {"champion": verdict.champion_id, "overall": verdict.policy.get("overall", verdict.do_no_harm)}
    note(connection, "verdict", "run", verdict.run_id, actor=None, now=verdict.decided_at, **details)


def load_verdicts(connection: Connection, board_id: int, *, run_id: int | None = None) -> tuple[StoredVerdict, ...]:
    """The verdicts on all runs of a board, or on one, in the order in which they were decided."""
    runs = select(RUN.c.id).where(RUN.c.board_id == board_id)
    where = [VERDICT.c.run_id.in_(runs)] + ([] if run_id is None else [VERDICT.c.run_id == run_id])
    return many(connection, StoredVerdict, VERDICT, *where)


def load_analysed_runs(connection: Connection, condition: ScoreCondition) -> frozenset[int]:
    """The numbers of the runs whose SERPs were kept under a condition."""
    return frozenset(connection.execute(select(ANALYSIS.c.run_id).where(*condition.rows_of(ANALYSIS))).scalars())


def load_verdict_count(connection: Connection, board_id: int) -> int:
    """How many runs of a board have their verdict."""
    runs = select(RUN.c.id).where(RUN.c.board_id == board_id)
    return int(connection.execute(select(func.count()).where(VERDICT.c.run_id.in_(runs))).scalar_one())

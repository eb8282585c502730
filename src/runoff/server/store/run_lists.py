"""Fingerprints of the lists of runs: by them runs are compared without reading a file again."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sqlalchemy import Connection, insert, select

from runoff.server.store.models.boards import RUN_LISTS
from runoff.server.store.scores import PackedArray, pack_array, unpack_array

if TYPE_CHECKING:
    from runoff.boards.suspicious import Fingerprints


def save_run_lists(connection: Connection, run_id: int, lists: Fingerprints) -> None:
    """Keep the fingerprints of a run; once, because its file never changes."""
    if not has_run_lists(connection, run_id):
        packed = pack_array(lists)
        row = {"run_id": run_id, "content_hash": packed.content_hash, "content": packed.content}
        connection.execute(insert(RUN_LISTS).values(**row))


def has_run_lists(connection: Connection, run_id: int) -> bool:
    """Whether the fingerprints of a run are kept."""
    return connection.execute(select(RUN_LISTS.c.run_id).where(RUN_LISTS.c.run_id == run_id)).first() is not None


def load_run_lists(connection: Connection, run_ids: Collection[int]) -> dict[int, Fingerprints]:
    """The fingerprints of some runs by number; without those of which none are kept."""
    rows = connection.execute(select(RUN_LISTS).where(RUN_LISTS.c.run_id.in_(run_ids)))
    return {row.run_id: unpack_array(PackedArray(row.content_hash, bytes(row.content))) for row in rows}  # type: ignore[misc]

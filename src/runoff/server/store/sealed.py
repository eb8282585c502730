"""Private labels, hidden queries, and everything per query about them.

Two workflows may import this, `score_submission` and `private_audit`; the import contract `sealed` sees to that. What
leaves them is means, intervals and verdicts.
"""

from __future__ import annotations

import hmac
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Table, delete, func, insert, select

from runoff.errors import NotFoundError, UsageError
from runoff.server.store._rows import note
from runoff.server.store.boards import StoredBoard, save_hidden_subset
from runoff.server.store.label_sets import LabelSet, NewVersion, QuerySet, save_label_set, save_query_set
from runoff.server.store.models.sealed import HIDDEN_SHARE, SEALED_ANALYSIS, SEALED_LABELS, SEALED_QUERIES
from runoff.server.store.scores import ScoreCondition, load_analysis, save_array


@dataclass(frozen=True, kw_only=True)
class HiddenShare:
    """Which public queries are left out of everything that the public sees about scores.

    share   how many of them
    secret  the key that decides which, 32 bytes in hexadecimal; it is drawn once for a board and never shown
    """

    share: float
    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise UsageError(f"share={self.share} cannot be used; expected 0 or more and below 1, such as 0.2")
        if len(self.secret) != 64:
            raise UsageError("the secret of a hidden share has to be 32 bytes in hexadecimal; draw a new one")

    def left_out(self, query_ids: Iterable[str]) -> frozenset[str]:
        """The queries that are left out: those whose keyed hash, as a number from 0 to 1, is below the share.

        Each query is decided by itself, so neither the order of the queries nor other queries change it, and a larger
        share leaves out the same queries and more. If the share is above 0, one query at least is left out.

        >>> hidden = HiddenShare(share=0.5, secret="ab" * 32)
        >>> sorted(hidden.left_out(["q1", "q2", "q3", "q4"]))
        ['q1', 'q3']
        """
        key = bytes.fromhex(self.secret)
        places = {
            query_id: int.from_bytes(hmac.digest(key, query_id.encode(), "sha256")[:8], "big") / 2**64
            for query_id in query_ids
        }
        if not self.share or not places:
            return frozenset()
        found = frozenset(query_id for query_id, place in places.items() if place < self.share)
        return found or frozenset({min(places, key=places.__getitem__)})


def save_sealed_labels(
    connection: Connection, new: NewVersion, content: bytes, *, judged: int, actor: int | None, now: datetime,
    in_use: bool = True,
) -> LabelSet:  # fmt: skip
    """Add a version of private labels; `content` is the qrels file."""
    saved = save_label_set(connection, _sealed(new), judged=judged, actor=actor, now=now, in_use=in_use)
    connection.execute(insert(SEALED_LABELS).values(label_set_id=saved.id, content=zlib.compress(content)))
    return saved


def load_sealed_labels(connection: Connection, label_set_id: int) -> bytes:
    """The qrels file of private labels."""
    return _content(connection, SEALED_LABELS, label_set_id)


def save_sealed_queries(
    connection: Connection, new: NewVersion, content: bytes, *, actor: int | None, now: datetime
) -> QuerySet:
    """Add a version of private or hidden queries; `content` is the list of them."""
    saved = save_query_set(connection, _sealed(new), actor=actor, now=now)
    connection.execute(insert(SEALED_QUERIES).values(query_set_id=saved.id, content=zlib.compress(content)))
    return saved


def load_sealed_queries(connection: Connection, query_set_id: int) -> bytes:
    """The list of private or hidden queries."""
    return _content(connection, SEALED_QUERIES, query_set_id)


def save_sealed_analysis(
    connection: Connection, condition: ScoreCondition, run_id: int, array: npt.NDArray[np.generic], *, now: datetime
) -> None:
    """Keep the SERPs of a run on private labels or queries."""
    save_array(connection, SEALED_ANALYSIS, condition, run_id, array, now=now)


def load_sealed_analysis(
    connection: Connection, condition: ScoreCondition, run_id: int
) -> npt.NDArray[np.generic] | None:
    """The SERPs of a run on private labels or queries that were kept, or None."""
    return load_analysis(connection, condition, run_id, table=SEALED_ANALYSIS)


def save_hidden_share(
    connection: Connection, board_id: int, hidden: HiddenShare, *, actor: int | None, now: datetime
) -> StoredBoard:
    """Set which share of the public queries is hidden; the log says that it was set, and not to what.

    The board gets the number of a new subset, so that nothing that was computed under the old one is shown; 0 if
    nothing is hidden any more.
    """
    same = HIDDEN_SHARE.c.board_id == board_id
    newest = select(func.coalesce(func.max(HIDDEN_SHARE.c.hidden_subset), 0)).where(same)
    number = int(connection.execute(newest).scalar_one())
    row = {"share": hidden.share, "secret": hidden.secret, "hidden_subset": number + 1}
    connection.execute(delete(HIDDEN_SHARE).where(same))
    connection.execute(insert(HIDDEN_SHARE).values(board_id=board_id, **row))
    note(connection, "set hidden share", "board", board_id, actor=actor, now=now)
    return save_hidden_subset(connection, board_id, number + 1 if hidden.share else 0)


def load_hidden_share(connection: Connection, board_id: int) -> HiddenShare | None:
    """Which share of the public queries is hidden, or None."""
    query = select(HIDDEN_SHARE.c.share, HIDDEN_SHARE.c.secret).where(HIDDEN_SHARE.c.board_id == board_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else HiddenShare(share=row.share, secret=row.secret)


def _sealed(new: NewVersion) -> NewVersion:
    if new.content_hash is not None:
        raise UsageError("a sealed version has no content hash; a hash could be guessed by trial")
    return new


def _content(connection: Connection, table: Table, number: int) -> bytes:
    (name,) = table.primary_key.columns
    content = connection.execute(select(table.c.content).where(name == number)).scalar_one_or_none()
    if content is None:
        raise NotFoundError(f"{name.name} {number} has no sealed content")
    return zlib.decompress(bytes(content))

"""Test pairs in the hands of organisers: drawn, looked at, added, removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.errors import UsageError
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.plan import save_drawn_pairs
from runoff.server.cases.judging.prepare import find_texts
from runoff.server.cases.judging.sources import campaign_pools, load_sources
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_pools import (
    KnownPair,
    load_known_pairs,
    load_texts,
    save_known_pair_removed,
    save_known_pairs,
)
from runoff.server.store.campaigns import load_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class ShownKnownPair:
    """A test pair with its texts; ids where there are none."""

    known: KnownPair
    query: str
    right: str
    wrong: str


def list_known_pairs(database: Database, campaign_id: int, *, actor: Actor) -> tuple[ShownKnownPair, ...]:
    """The test pairs of a campaign, with texts, to be looked at."""
    require(actor, "manage campaign")
    with database.read() as connection:
        known = load_known_pairs(connection, campaign_id)
        queries = load_texts(connection, campaign_id, "query", [one.query_id for one in known])
        ids = [doc for one in known for doc in (one.right_doc, one.wrong_doc)]
        docs = load_texts(connection, campaign_id, "document", ids)
    return tuple(
        ShownKnownPair(
            known=one,
            query=queries.get(one.query_id, one.query_id),
            right=docs.get(one.right_doc, one.right_doc),
            wrong=docs.get(one.wrong_doc, one.wrong_doc),
        )
        for one in known
    )


def draw_campaign_pairs(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    actor: Actor,
    now: datetime,
    max_bytes: int = 2**31 - 1,
    reader: LimitedReader = USUAL_READER,
) -> int:
    """Draw test pairs of a draft before it starts, so that they can be looked at; return how many are new."""
    require(actor, "manage campaign")
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
        sources = load_sources(connection, files, campaign)
        pools = campaign_pools(connection, campaign, sources)
    number = database.write(
        lambda connection: save_drawn_pairs(connection, campaign, pools, sources.qrels, actor=actor.id, now=now)
    )
    with database.read() as connection:
        known = load_known_pairs(connection, campaign_id)
    _save_texts(database, files, campaign_id, [one.pair for one in known], max_bytes, reader)
    return number


def add_known_pairs(
    database: Database,
    files: FileStore,
    campaign_id: int,
    pairs: Sequence[tuple[str, str, str]],
    *,
    actor: Actor,
    now: datetime,
    max_bytes: int = 2**31 - 1,
    reader: LimitedReader = USUAL_READER,
) -> int:
    """Add test pairs, (query, right answer, wrong answer) each; new tasks have them. Return how many are new."""
    require(actor, "manage campaign")
    if not pairs:
        raise UsageError("no test pairs; expected one or more")
    _save_texts(database, files, campaign_id, pairs, max_bytes, reader)
    return database.write(
        lambda connection: save_known_pairs(connection, campaign_id, pairs, drawn=False, actor=actor.id, now=now)
    )


def remove_known_pair(database: Database, campaign_id: int, known_pair_id: int, *, actor: Actor, now: datetime) -> None:
    """Remove a test pair: it is in no new task, and who fails it in an old one is not stopped for it."""
    require(actor, "manage campaign")
    database.write(
        lambda connection: save_known_pair_removed(connection, campaign_id, known_pair_id, actor=actor.id, now=now)
    )


def _save_texts(
    database: Database,
    files: FileStore,
    campaign_id: int,
    pairs: Sequence[tuple[str, str, str]],
    max_bytes: int,
    reader: LimitedReader,
) -> None:
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    wanted = [(query_id, doc_id) for query_id, *docs in pairs for doc_id in docs]
    texts = find_texts(database, files, campaign, wanted, max_bytes=max_bytes, reader=reader)

    def keep(connection: Connection) -> int:
        return texts.save(connection, campaign_id)

    database.write(keep)

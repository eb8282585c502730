"""What organisers add to a campaign: texts that assessors read, and test pairs whose answer is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.errors import ConflictError, InputError, UsageError
from runoff.files.qrels import read_qrels
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.plan import save_drawn_pairs
from runoff.server.cases.judging.sources import base_labels, campaign_pools, find_texts, load_sources
from runoff.server.cases.judging.start import pool_items
from runoff.server.cases.uploads.judging_files import count_texts
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_pools import (
    load_known_pairs,
    save_known_pairs,
)
from runoff.server.store.campaigns import Campaign, load_campaign, save_campaign_settings
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore, Incoming

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class TextCoverage:
    """How many of the queries and documents that may be judged have a text; tasks need those of their own."""

    queries: int
    queries_wanted: int
    docs: int
    docs_wanted: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return self.queries == self.queries_wanted and self.docs == self.docs_wanted


def save_campaign_texts(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    queries: Incoming,
    docs: Incoming,
    actor: Actor,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> TextCoverage:
    """Let a campaign have these texts; a file with faults, or without a single text that is wanted, is refused.

    Wanted are the queries that are judged and the documents of their pools; while runs are unread, the labels.
    """
    require(actor, "manage campaign")
    with database.read() as connection:
        query_ids, wanted = _wanted(connection, files, load_campaign(connection, campaign_id))
    asked = (queries, query_ids, "query"), (docs, wanted, "document")
    counts = _counts([(sent.path, ids, what) for sent, ids, what in asked], reader)

    def work(connection: Connection) -> None:
        before = load_campaign(connection, campaign_id)
        settings = replace(before, query_texts=kept[0].content_hash, doc_texts=kept[1].content_hash)
        save_campaign_settings(connection, campaign_id, settings, version=before.version, actor=actor.id, now=now)

    # Held until the row is there, so that nobody takes the files for left-overs.
    with files.holding():
        kept = queries.keep(), docs.keep()
        database.write(work)
    return TextCoverage(queries=counts[0], queries_wanted=len(query_ids), docs=counts[1], docs_wanted=len(wanted))


def _wanted(connection: Connection, files: FileStore, campaign: Campaign) -> tuple[list[str], list[str]]:
    """Queries and documents that may be judged."""
    try:
        sources = load_sources(connection, files, campaign)
    except (ConflictError, UsageError):
        qrels = read_qrels(files.path(str(base_labels(connection, campaign).content_hash)))
        return list(qrels.query_ids), sorted({doc_id for _, doc_id, grade in qrels if grade > 0})
    items = pool_items(campaign, campaign_pools(connection, campaign, sources), sources)
    return sorted({item.query_id for item in items}), sorted({item.doc_id for item in items})


def _counts(asked: list[tuple[Path, list[str], str]], reader: LimitedReader) -> list[int]:
    """How many of some ids have a text in each file; the faults of all files are raised at once."""
    counts: list[int] = []
    problems: list[str] = []
    for path, ids, what in asked:
        try:
            number = count_texts(path, ids, reader=reader)
        except InputError as error:
            problems += error.problems
            continue
        counts.append(number)
        if ids and not number:
            like = f"expected ids such as '{ids[0]}'; check that this is the right file"
            problems.append(f"{path}: no text of any {what}; {like}")
    if problems:
        raise InputError(problems)
    return counts


def draw_campaign_pairs(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    actor: Actor,
    now: datetime,
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
    _save_texts(database, files, campaign_id, [one.pair for one in known], reader)
    return number


def add_known_pairs(
    database: Database,
    files: FileStore,
    campaign_id: int,
    pairs: Sequence[tuple[str, str, str]],
    *,
    actor: Actor,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> int:
    """Add test pairs, (query, right answer, wrong answer) each; new tasks have them. Return how many are new."""
    require(actor, "manage campaign")
    if not pairs:
        raise UsageError("no test pairs; expected one or more")
    _save_texts(database, files, campaign_id, pairs, reader)
    return database.write(
        lambda connection: save_known_pairs(connection, campaign_id, pairs, drawn=False, actor=actor.id, now=now)
    )


def _save_texts(
    database: Database,
    files: FileStore,
    campaign_id: int,
    pairs: Sequence[tuple[str, str, str]],
    reader: LimitedReader,
) -> None:
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    wanted = [(query_id, doc_id) for query_id, *docs in pairs for doc_id in docs]
    texts = find_texts(database, files, campaign, wanted, reader=reader)

    def keep(connection: Connection) -> int:
        return texts.save(connection, campaign_id)

    database.write(keep)

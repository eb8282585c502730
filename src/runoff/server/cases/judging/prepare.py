"""The heavy parts of a campaign: reading its runs once, and the texts of its documents out of a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from runoff.files.qrels import read_qrels
from runoff.server.cases.judging.sources import TALLY_DEPTH, base_labels
from runoff.server.cases.uploads.judging_files import read_texts_apart
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name, read_top
from runoff.server.store.campaign_pools import Tops, load_campaign_runs, load_text_ids, save_texts, save_tops
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.submissions import StoredRun, load_run

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class FoundTexts:
    """Texts that are to be kept, of queries and of documents, by id."""

    queries: dict[str, str] = field(default_factory=dict)
    docs: dict[str, str] = field(default_factory=dict)

    def save(self, connection: Connection, campaign_id: int) -> int:
        """Keep them, and return how many are new."""
        return save_texts(connection, campaign_id, "query", self.queries) + save_texts(
            connection, campaign_id, "document", self.docs
        )


def read_depth(campaign: Campaign) -> int:
    """How many ranks of each run a campaign needs."""
    return max(campaign.depth, TALLY_DEPTH)


def load_unread(connection: Connection, campaign: Campaign, *, more: Sequence[int] = ()) -> tuple[StoredRun, ...]:
    """The runs of a campaign, and more, whose top documents are not kept to the depth that it needs."""
    there = set(load_campaign_runs(connection, campaign.id))
    numbers = load_campaign_runs(connection, campaign.id, unread=True, depth=read_depth(campaign))
    return tuple(load_run(connection, one) for one in (*numbers, *(one for one in more if one not in there)))


def read_tops(
    database: Database,
    files: FileStore,
    campaign: Campaign,
    *,
    more: Sequence[int] = (),
    max_bytes: int,
    reader: LimitedReader = USUAL_READER,
) -> Iterator[tuple[int, Tops]]:
    """Read the runs of `load_unread`: number and top documents of one after the other; nothing is kept."""
    with database.read() as connection:
        unread = load_unread(connection, campaign, more=more)
        labels = base_labels(connection, campaign)
    wanted = set(read_qrels(files.path(str(labels.content_hash))).query_ids) if unread else set()
    for run in unread:
        called = clean_file_name(str(run.metadata.get("file_name", "")))
        path = files.path(run.content_hash)
        top = read_top(path, read_depth(campaign), name=run.name, called=called, max_bytes=max_bytes, reader=reader)
        tops: dict[str, list[str]] = {}
        for query_id, doc_id, _ in top:
            if query_id in wanted:
                tops.setdefault(query_id, []).append(doc_id)
        yield run.id, tops


def read_campaign_runs(
    database: Database, files: FileStore, campaign_id: int, *, max_bytes: int, reader: LimitedReader = USUAL_READER
) -> int:
    """Read the runs of a campaign that were not read yet, and keep their top documents; return how many they were."""
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    number = 0
    for run_id, tops in read_tops(database, files, campaign, max_bytes=max_bytes, reader=reader):
        _keep(database, campaign, run_id, tops)
        number += 1
    return number


def find_texts(
    database: Database,
    files: FileStore,
    campaign: Campaign,
    pairs: Iterable[tuple[str, str]],
    *,
    max_bytes: int,
    reader: LimitedReader = USUAL_READER,
) -> FoundTexts:
    """The texts of some (query, document) that are not kept yet; a missing one is an error that names it.

    The collection is streamed: of millions of passages those that are asked for are in memory and no more.
    """
    if campaign.query_texts is None or campaign.doc_texts is None:
        return FoundTexts()
    asked = list(pairs)
    with database.read() as connection:
        queries = {query_id for query_id, _ in asked} - load_text_ids(connection, campaign.id, "query")
        docs = {doc_id for _, doc_id in asked} - load_text_ids(connection, campaign.id, "document")
    return FoundTexts(
        queries=_read(files, campaign.query_texts, sorted(queries), "query", max_bytes, reader),
        docs=_read(files, campaign.doc_texts, sorted(docs), "document", max_bytes, reader),
    )


def _read(
    files: FileStore, content_hash: str, ids: list[str], what: str, max_bytes: int, reader: LimitedReader
) -> dict[str, str]:
    if not ids:
        return {}
    # Where the server keeps the file says nothing to anybody else.
    called = {"query": "texts of the queries", "document": "texts of the documents"}[what]
    found = read_texts_apart(files.path(content_hash), ids, called=called, max_bytes=max_bytes, reader=reader)
    found.require_all(what)
    return found.by_id


def _keep(database: Database, campaign: Campaign, run_id: int, tops: Tops) -> None:
    depth = read_depth(campaign)
    database.write(lambda connection: save_tops(connection, campaign.id, run_id, tops, depth=depth))

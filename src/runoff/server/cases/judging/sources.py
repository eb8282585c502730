"""What a campaign is made from: its labels, the top documents of its runs, and the texts of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from runoff.errors import ConflictError, NotFoundError, UsageError
from runoff.files.qrels import read_qrels
from runoff.preferences import Pools, make_pools, sample_queries
from runoff.reading.sources import as_run
from runoff.server.cases.uploads.judging_files import read_texts_apart
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name, read_top
from runoff.server.store.boards import StoredBoard, load_board
from runoff.server.store.campaign_pools import (
    Tops,
    load_campaign_runs,
    load_pool,
    load_text_ids,
    load_tops,
    save_texts,
    save_tops,
)
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.label_sets import LabelSet, load_campaign_labels, load_label_sets
from runoff.server.store.submissions import StoredRun, load_run, load_runs
from runoff.tables.qrels import Qrels
from runoff.tables.run import Run

if TYPE_CHECKING:
    from sqlalchemy import Connection

TALLY_DEPTH: Final = 10
"""Ranks that the impact on a board is computed from."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignSources:
    """The base labels of a campaign, and its runs cut to the ranks that matter, in the order in which they came.

    labels  the newest open version that this campaign did not make itself
    """

    board: StoredBoard
    labels: LabelSet
    qrels: Qrels
    runs: tuple[Run, ...]


def board_of(connection: Connection, campaign: Campaign) -> StoredBoard:
    """The board of a campaign."""
    if campaign.board_id is None:
        raise UsageError(f"campaign {campaign.slug!r} has no board; expected one to take runs and labels from")
    return load_board(connection, campaign.board_id)


def base_labels(connection: Connection, campaign: Campaign) -> LabelSet:
    """The newest open version of the campaign's label set that it did not make itself."""
    own = {one.label_set_id for one in load_campaign_labels(connection, campaign.id)}
    known = [one for one in load_label_sets(connection, board_of(connection, campaign).id) if not one.sealed]
    versions = [one for one in known if one.name == campaign.label_set and one.id not in own]
    if not versions:
        names = ", ".join(dict.fromkeys(one.name for one in known)) or "none"
        raise UsageError(f"the board has no open label set {campaign.label_set!r}; expected one of {names}; choose one")
    return versions[-1]


def run_names(connection: Connection, campaign: Campaign, *, more: Iterable[int] = ()) -> dict[int, str]:
    """Names of the campaign's runs by number, in the order in which they came into it, and of more behind them.

    They are those of the board: a name that is there already gets its run's number.
    """
    own = dict.fromkeys((*load_campaign_runs(connection, campaign.id), *more))
    seen: set[str] = set()
    names = {}
    for run in load_runs(connection, board_of(connection, campaign).id, state="scored"):
        name = f"{run.name} (run {run.id})" if run.name in seen else run.name
        seen.add(run.name)
        names[run.id] = name
    return {number: names[number] for number in own if number in names}


def load_sources(
    connection: Connection, files: FileStore, campaign: Campaign, *, read: Mapping[int, Tops] | None = None
) -> CampaignSources:  # fmt: skip
    """Labels and runs of a campaign; the files of its runs must have been read before (`read_campaign_runs`).

    read  top documents that are not kept, of its own runs and of others, which come last
    """
    just = read or {}
    unread = [one for one in load_campaign_runs(connection, campaign.id, unread=True) if one not in just]
    if unread:
        raise ConflictError(
            f"{len(unread):,} runs of campaign {campaign.slug!r} are still to be read; wait until they are"
        )
    labels = base_labels(connection, campaign)
    if labels.content_hash is None:
        raise NotFoundError(f"label set {labels.name!r} is sealed")
    tops = {**load_tops(connection, campaign.id), **just}
    runs = [
        as_run(_scored(tops[number]), name=name)
        for number, name in run_names(connection, campaign, more=just).items()
        if tops.get(number)
    ]
    if not runs:
        raise UsageError(f"campaign {campaign.slug!r} has no runs; expected one or more; choose some")
    return CampaignSources(
        board=board_of(connection, campaign),
        labels=labels,
        qrels=read_qrels(files.path(labels.content_hash), name=labels.name),
        runs=tuple(runs),
    )


def campaign_pools(connection: Connection, campaign: Campaign, sources: CampaignSources) -> Pools:
    """The pools of the queries that are judged: those of the plan so far, and drawn ones up to the sample's size."""
    whole = make_pools([run.top(campaign.depth) for run in sources.runs], sources.qrels, depth=campaign.depth)
    if campaign.sample is None:
        return whole
    there = tuple(dict.fromkeys(item.query_id for item in load_pool(connection, campaign.id)))
    missing = campaign.sample - len(there)
    if missing <= 0:
        return whole.only(there)
    if not there:
        return whole.only(sample_queries(whole, campaign.sample, seed=campaign.seed))
    chosen = set(there)
    rest = whole.only([query_id for query_id in whole.query_ids if query_id not in chosen])
    # Another seed than the first draw's, or the same places would be drawn again.
    return whole.only((*there, *sample_queries(rest, missing, seed=campaign.seed + len(there))))


def _scored(tops: Tops) -> dict[str, dict[str, float]]:
    return {
        query_id: {doc_id: -float(rank) for rank, doc_id in enumerate(docs, start=1)} for query_id, docs in tops.items()
    }


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
        top = read_top(path, read_depth(campaign), name=run.name, called=called, reader=reader)
        tops: dict[str, list[str]] = {}
        for query_id, doc_id, _ in top:
            if query_id in wanted:
                tops.setdefault(query_id, []).append(doc_id)
        yield run.id, tops


def read_campaign_runs(
    database: Database, files: FileStore, campaign_id: int, *, reader: LimitedReader = USUAL_READER
) -> int:
    """Read the runs of a campaign that were not read yet, and keep their top documents; return how many they were."""
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    number = 0
    for run_id, tops in read_tops(database, files, campaign, reader=reader):
        _keep(database, campaign, run_id, tops)
        number += 1
    return number


def find_texts(
    database: Database,
    files: FileStore,
    campaign: Campaign,
    pairs: Iterable[tuple[str, str]],
    *,
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
        queries=_read(files, campaign.query_texts, sorted(queries), "query", reader),
        docs=_read(files, campaign.doc_texts, sorted(docs), "document", reader),
    )


def _read(files: FileStore, content_hash: str, ids: list[str], what: str, reader: LimitedReader) -> dict[str, str]:
    if not ids:
        return {}
    # Where the server keeps the file says nothing to anybody else.
    called = {"query": "texts of the queries", "document": "texts of the documents"}[what]
    found = read_texts_apart(files.path(content_hash), ids, called=called, reader=reader)
    found.require_all(what)
    return found.by_id


def _keep(database: Database, campaign: Campaign, run_id: int, tops: Tops) -> None:
    depth = read_depth(campaign)
    database.write(lambda connection: save_tops(connection, campaign.id, run_id, tops, depth=depth))

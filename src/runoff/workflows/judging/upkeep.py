"""Standing campaigns: a run that is scored brings the comparisons that it makes necessary."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.preferences import candidates_of, needed_pairs, quality, updated_labels
from runoff.store.campaign_pools import PoolItem, load_pool, save_campaign_runs, save_pool
from runoff.store.campaigns import Campaign, load_campaign, lock_campaign
from runoff.store.database import Database
from runoff.store.files import FileStore
from runoff.store.jobs import Job, finish_job
from runoff.tables.preferences import Preferences
from runoff.workflows.judging.plan import save_missing_tasks
from runoff.workflows.judging.prepare import find_texts, read_campaign_runs
from runoff.workflows.judging.sources import CampaignSources, load_sources, run_names
from runoff.workflows.judging.votes import load_votes

if TYPE_CHECKING:
    from sqlalchemy import Connection


def add_run(
    database: Database,
    files: FileStore,
    campaign_id: int,
    run_id: int,
    *,
    now: Callable[[], datetime],
    max_bytes: int,
    job: Job | None = None,
) -> Campaign:
    """Take a run into a standing campaign: its top documents that never met the best known answer become pairs.

    How many top documents of a run are looked at is the campaign's depth. In the sequential way they are candidates
    behind those that are there. Where queries were sampled, those of the sample alone.

    Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062
    """
    database.write(lambda connection: save_campaign_runs(connection, campaign_id, [run_id], actor=None, now=now()))
    read_campaign_runs(database, files, campaign_id, max_bytes=max_bytes)
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
        sources = load_sources(connection, files, campaign)
        name = run_names(connection, campaign).get(run_id)
        kept = quality(load_votes(connection, campaign)).kept
        pool = load_pool(connection, campaign_id)
    pooled = {item.query_id for item in pool}
    asked = [query_id for query_id in sources.qrels.query_ids if campaign.sample is None or query_id in pooled]
    if campaign.way == "full":
        pairs = _pairs(campaign, sources, kept, name, set(asked))
        docs = [(query_id, doc_id) for query_id, *both in pairs for doc_id in both]
    else:
        pairs, candidates = [], candidates_of(sources.qrels, sources.runs, depth=campaign.depth)
        docs = [(query_id, doc_id) for query_id in asked for doc_id in candidates.get(query_id, ())]
    there = {(item.query_id, item.doc_id) for item in pool}
    labels = {(query_id, doc_id) for query_id, doc_id, grade in sources.qrels if grade > 0}
    items = [
        PoolItem(query_id=query_id, doc_id=doc_id, runs=1, labelled=(query_id, doc_id) in labels)
        for query_id, doc_id in dict.fromkeys(docs)
        if (query_id, doc_id) not in there
    ]
    wanted = [(item.query_id, item.doc_id) for item in items]
    texts = find_texts(database, files, campaign, wanted, max_bytes=max_bytes)

    def keep(connection: Connection) -> Campaign:
        campaign = lock_campaign(connection, campaign_id)
        save_pool(connection, campaign_id, items)
        texts.save(connection, campaign_id)
        if campaign.way == "full":
            save_missing_tasks(connection, campaign, pairs)
        if job is not None:
            new = len(pairs) if campaign.way == "full" else len(items)
            finish_job(connection, job, result={"state": "added", "pairs": new}, now=now())
        return campaign

    return database.write(keep)


def _pairs(
    campaign: Campaign, sources: CampaignSources, kept: Preferences, name: str | None, asked: set[str]
) -> list[tuple[str, str, str]]:
    """What the run makes it necessary to judge."""
    labels = updated_labels(sources.qrels, kept).labels
    runs = [run for run in sources.runs if run.name == name]
    needed = needed_pairs(runs, labels, kept, depth=campaign.depth)
    return [pair for one in needed for pair in one.pairs if pair[0] in asked]

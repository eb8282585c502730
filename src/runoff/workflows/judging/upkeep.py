"""Standing campaigns: a run that is scored brings the comparisons that it makes necessary."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.preferences import needed_pairs, quality, updated_labels
from runoff.store.campaign_pools import PoolItem, load_pool, save_campaign_runs, save_pool
from runoff.store.campaigns import Campaign, load_campaign, lock_campaign
from runoff.store.database import Database
from runoff.store.files import FileStore
from runoff.store.jobs import Job, finish_job
from runoff.workflows.judging.plan import save_missing_tasks
from runoff.workflows.judging.prepare import find_texts, read_campaign_runs
from runoff.workflows.judging.sources import load_sources, run_names
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

    Where queries were sampled, those of the sample alone. Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062
    """
    database.write(lambda connection: save_campaign_runs(connection, campaign_id, [run_id], actor=None, now=now()))
    read_campaign_runs(database, files, campaign_id, max_bytes=max_bytes)
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
        sources = load_sources(connection, files, campaign)
        name = run_names(connection, campaign).get(run_id)
        kept = quality(load_votes(connection, campaign)).kept
        judged = {item.query_id for item in load_pool(connection, campaign_id)}
    labels = updated_labels(sources.qrels, kept).labels
    runs = [run for run in sources.runs if run.name == name]
    pairs = [
        pair
        for one in needed_pairs(runs, labels, kept)
        for pair in one.pairs
        if campaign.sample is None or pair[0] in judged
    ]
    old = {(query_id, doc_id) for query_id, doc_id, grade in sources.qrels if grade > 0}
    items = [
        PoolItem(query_id=query_id, doc_id=doc_id, runs=1, labelled=(query_id, doc_id) in old)
        for query_id, *docs in pairs
        for doc_id in docs
    ]
    items = list({(item.query_id, item.doc_id): item for item in items}.values())
    wanted = [(item.query_id, item.doc_id) for item in items]
    texts = find_texts(database, files, campaign, wanted, max_bytes=max_bytes)

    def keep(connection: Connection) -> Campaign:
        campaign = lock_campaign(connection, campaign_id)
        save_pool(connection, campaign_id, items)
        texts.save(connection, campaign_id)
        if campaign.way == "full":
            save_missing_tasks(connection, campaign, pairs)
        if job is not None:
            finish_job(connection, job, result={"state": "added", "pairs": len(pairs)}, now=now())
        return campaign

    return database.write(keep)

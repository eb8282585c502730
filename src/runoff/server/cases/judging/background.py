"""Jobs of campaigns: reading runs, planning, looking at extensions, taking new runs into standing campaigns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from runoff.errors import ConflictError, InputError, UsageError
from runoff.preferences import candidates_of, needed_pairs, quality, updated_labels
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.judging.extend import do_look
from runoff.server.cases.judging.plan import save_missing_tasks
from runoff.server.cases.judging.sources import (
    CampaignSources,
    FoundTexts,
    find_texts,
    load_sources,
    read_campaign_runs,
    read_depth,
    read_tops,
    run_names,
)
from runoff.server.cases.judging.start import TRIES, Extension, plan_campaign
from runoff.server.cases.judging.votes import load_votes
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_pools import PoolItem, Tops, load_pool, save_campaign_runs, save_pool, save_tops
from runoff.server.store.campaigns import KIND, LOOK, PLAN, READ, UPKEEP, Campaign, load_campaign, lock_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job
from runoff.server.store.submissions import load_run
from runoff.tables.preferences import Preferences

if TYPE_CHECKING:
    from sqlalchemy import Connection


def add_run(
    database: Database,
    files: FileStore,
    campaign_id: int,
    run_id: int,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
    job: Job | None = None,
) -> Campaign:
    """Take a run into a standing campaign: its top documents that never met the best known answer become pairs.

    How many top documents of a run are looked at is the campaign's depth. In the sequential way they are candidates
    behind those that are there. Where queries were sampled, those of the sample alone.

    The run, its documents, their texts and the pairs come in together, or not at all: what cannot be used, such as a
    document without a text, raises without a job, and with one the job's result has the problems.

    Arabzadeh et al. 2021, section 6, https://arxiv.org/abs/2109.00062
    """
    try:
        for _ in range(TRIES):
            new = _new(database, files, campaign_id, run_id, reader=reader)
            made = database.write(lambda connection, new=new: _keep(connection, new, job, now()))  # type: ignore[misc]
            if made is not None:
                return made
        raise ConflictError(f"campaign {campaign_id} was changed while run {run_id} was being added; try again")
    except (InputError, UsageError) as error:
        if job is None:
            raise
        problems = renamed_problems(error)
        return database.write(lambda connection: _give_up(connection, campaign_id, run_id, problems, job, now()))


@dataclass(frozen=True, kw_only=True)
class _New:
    """What a run brings into a campaign, as it was then: pairs for `full`, and documents with their texts.

    read  top documents that are not kept yet
    """

    campaign: Campaign
    run_id: int
    read: dict[int, Tops]
    pairs: list[tuple[str, str, str]]
    items: list[PoolItem]
    texts: FoundTexts


def _new(database: Database, files: FileStore, campaign_id: int, run_id: int, *, reader: LimitedReader) -> _New:
    """Everything that is slow, outside of the transaction."""
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    read = dict(read_tops(database, files, campaign, more=[run_id], reader=reader))
    with database.read() as connection:
        sources = load_sources(connection, files, campaign, read=read)
        name = run_names(connection, campaign, more=[run_id]).get(run_id)
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
    texts = find_texts(database, files, campaign, wanted, reader=reader)
    return _New(campaign=campaign, run_id=run_id, read=read, pairs=pairs, items=items, texts=texts)


def _keep(connection: Connection, new: _New, job: Job | None, now: datetime) -> Campaign | None:
    """The campaign with the run; None if it was changed meanwhile, as by an extension that wants deeper pools."""
    campaign = lock_campaign(connection, new.campaign.id)
    if campaign.version != new.campaign.version:
        return None
    save_campaign_runs(connection, campaign.id, [new.run_id], actor=None, now=now)
    for run_id, tops in new.read.items():
        save_tops(connection, campaign.id, run_id, tops, depth=read_depth(campaign))
    save_pool(connection, campaign.id, new.items)
    new.texts.save(connection, campaign.id)
    if campaign.way == "full":
        save_missing_tasks(connection, campaign, new.pairs)
    if job is not None:
        number = len(new.pairs) if campaign.way == "full" else len(new.items)
        finish_job(connection, job, result={"state": "added", "pairs": number}, now=now)
    return campaign


def _give_up(
    connection: Connection, campaign_id: int, run_id: int, problems: list[str], job: Job, now: datetime
) -> Campaign:
    """The campaign as it was; the job says why."""
    head = f"run {load_run(connection, run_id).name!r} was not added"
    finish_job(connection, job, result={"state": "failed", "problems": [head, *problems]}, now=now)
    return load_campaign(connection, campaign_id)


def _pairs(
    campaign: Campaign, sources: CampaignSources, kept: Preferences, name: str | None, asked: set[str]
) -> list[tuple[str, str, str]]:
    """What the run makes it necessary to judge."""
    labels = updated_labels(sources.qrels, kept).labels
    runs = [run for run in sources.runs if run.name == name]
    needed = needed_pairs(runs, labels, kept, depth=campaign.depth)
    return [pair for one in needed for pair in one.pairs if pair[0] in asked]


CAMPAIGN_KINDS = (KIND,)


def do_campaign_job(
    database: Database,
    files: FileStore,
    job: Job,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
) -> str:
    """Do a job of a campaign and say what it was; its results and its end are one transaction."""
    campaign_id, step = int(job.payload["campaign_id"]), str(job.payload["step"])
    if step == READ:
        read = read_campaign_runs(database, files, campaign_id, reader=reader)
        database.write(
            lambda connection: finish_job(connection, job, result={"state": "read", "runs": read}, now=now())
        )
    elif step == PLAN:
        more = Extension.of(job.payload["more"]) if "more" in job.payload else None
        plan_campaign(database, files, campaign_id, more=more, now=now, reader=reader, job=job)
    elif step == LOOK:
        do_look(database, files, job, now=now, reader=reader)
    elif step == UPKEEP:
        run_id = int(job.payload["run_id"])
        add_run(database, files, campaign_id, run_id, now=now, reader=reader, job=job)
    else:
        raise UsageError(f"a campaign has no step {step!r}; expected {READ}, {PLAN}, {LOOK} or {UPKEEP}")
    return step

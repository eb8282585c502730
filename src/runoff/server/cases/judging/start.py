"""Preview and start of a campaign: what it will cost, what it still lacks, and its plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import ConflictError, InputError, UsageError
from runoff.preferences import JudgingCost, Pools, candidates_of, judging_cost
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.judging.next_pairs import AS_GOOD_AS, PER_MATCH
from runoff.server.cases.judging.plan import save_drawn_pairs, save_missing_tasks
from runoff.server.cases.judging.sources import (
    CampaignSources,
    FoundTexts,
    campaign_pools,
    find_texts,
    load_sources,
    read_depth,
    read_tops,
)
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_plans import renew_statistics
from runoff.server.store.campaign_pools import (
    PoolItem,
    Tops,
    load_campaign_runs,
    load_known_pairs,
    save_campaign_runs,
    save_pool,
    save_tops,
)
from runoff.server.store.campaigns import (
    Campaign,
    load_campaign,
    lock_campaign,
    save_campaign_state,
    save_extension,
    save_planned,
    save_unstarted,
)
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job
from runoff.tables.campaign_settings import WAYS, Way

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class Extension:
    """More judgments of each pair, more queries (a larger sample, or all), deeper pools, more runs.

    What is left empty stays as it is; labels that are newer than the plan are taken in by any extension.

    >>> Extension.of(Extension(depth=3, run_ids=(7,)).to_dict())
    Extension(judgments_per_pair=None, sample=None, all_queries=False, depth=3, run_ids=(7,))
    """

    judgments_per_pair: int | None = None
    sample: int | None = None
    all_queries: bool = False
    depth: int | None = None
    run_ids: tuple[int, ...] = ()

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Extension:
        """The extension that a job was given."""
        return cls(**{**row, "run_ids": tuple(row.get("run_ids", ()))})

    def to_dict(self) -> dict[str, Any]:
        """The extension as a job keeps it."""
        return {**asdict(self), "run_ids": list(self.run_ids)}

    def applied_to(self, campaign: Campaign) -> Campaign:
        """The campaign as it will be; or raise, where something would become less."""
        if campaign.planned_at is None:
            raise UsageError(f"campaign {campaign.slug!r} has no plan yet; change its settings instead")
        for name, words in (("judgments_per_pair", "judgments per pair"), ("depth", "ranks of each run")):
            before, asked = getattr(campaign, name), getattr(self, name)
            if asked is not None and asked < before:
                raise UsageError(f"{asked:,} {words}; expected {before:,} or more")
        if campaign.sample is None and self.sample is not None:
            raise UsageError("all queries are judged already; expected no sample")
        if campaign.sample is not None and self.sample is not None and self.sample < campaign.sample:
            raise UsageError(f"a sample of {self.sample:,} queries; expected {campaign.sample:,} or more, or all")
        return replace(
            campaign,
            judgments_per_pair=self.judgments_per_pair or campaign.judgments_per_pair,
            depth=self.depth or campaign.depth,
            sample=None if self.all_queries else self.sample or campaign.sample,
        )


@dataclass(frozen=True, kw_only=True)
class CampaignPreview:
    """A campaign in numbers.

    runs, queries, documents  what is pooled
    sizes       (documents in a pool, queries with such a pool), the smallest first
    full_pairs  all pairs of the pools
    pairs       those that are judged: all, or for `sequential` one fewer than each pool has documents
    judgments   of real pairs; test_judgments: of test pairs
    cost        tasks and money; for `sequential` an estimate, as are its judgments: 4.5 for each pair on average
    full_judgments  what judging all pairs would take; for `sequential` three times each, which is about as good
    hours       of all assessors together, test pairs among them
    """

    runs: int
    queries: int
    documents: int
    sizes: tuple[tuple[int, int], ...]
    full_pairs: int
    pairs: int
    judgments: int
    test_judgments: int
    cost: JudgingCost
    hours: float
    full_judgments: int = 0


def preview_ways(connection: Connection, files: FileStore, campaign: Campaign) -> dict[Way, CampaignPreview]:
    """What starting a campaign would do in each way, from the same pools; its runs must have been read."""
    sources = load_sources(connection, files, campaign)
    pools = campaign_pools(connection, campaign, sources)
    return {way: preview_of(replace(campaign, way=way), pools, runs=len(sources.runs)) for way in WAYS}


def preview_of(campaign: Campaign, pools: Pools, *, runs: int) -> CampaignPreview:
    """The numbers of some pools."""
    met = int((pools.sizes[pools.sizes > 0] - 1).sum())
    pairs = pools.pair_count if campaign.way == "full" else met
    judgments = pairs * campaign.judgments_per_pair if campaign.way == "full" else round(pairs * PER_MATCH)
    cost = judging_cost(
        pairs if campaign.way == "full" else judgments,
        judgments_per_pair=campaign.judgments_per_pair if campaign.way == "full" else 1,
        pairs_per_task=campaign.pairs_per_task,
        pay=campaign.pay,
        fee=campaign.fee,
    )
    tests = cost.tasks * campaign.tests_per_task
    return CampaignPreview(
        runs=runs,
        queries=len(pools.query_ids),
        documents=len(pools.item_doc),
        sizes=tuple((size, count) for size, count in enumerate(pools.histogram.tolist()) if count),
        full_pairs=pools.pair_count,
        pairs=pairs,
        judgments=judgments,
        test_judgments=tests,
        cost=cost,
        full_judgments=pools.pair_count * (campaign.judgments_per_pair if campaign.way == "full" else AS_GOOD_AS),
        hours=(judgments + tests) * campaign.seconds_per_pair / 3600,
    )


TRIES: Final = 3
"""How often something is made again, because the campaign was changed meanwhile."""


def plan_campaign(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
    more: Extension | None = None,
    actor: int | None = None,
    job: Job | None = None,
) -> Campaign:
    """Read what is to be read, make or complete the plan with its texts and test pairs, and open the campaign.

    The plan, the texts and the end of the job are one transaction. What cannot be used, such as a document without a
    text, makes the campaign a draft again: without a job it raises, with one the job's result has the problems.

    more  what the campaign is to have more of; if the plan cannot be made, it stays as it was
    """
    try:
        for _ in range(TRIES):
            parts = _parts(database, files, campaign_id, more=more, now=now(), reader=reader)
            made = database.write(lambda connection, parts=parts: _keep(connection, parts, more, actor, job, now()))  # type: ignore[misc]
            if made is not None:
                database.write(renew_statistics)
                return made
        raise ConflictError(f"campaign {campaign_id} was changed while its plan was made; try again")
    except (InputError, UsageError) as error:
        problems = renamed_problems(error)
        database.write(lambda connection: _give_up(connection, campaign_id, problems, job, now()))
        if job is None:
            raise
        with database.read() as connection:
            return load_campaign(connection, campaign_id)


def pool_items(campaign: Campaign, pools: Pools, sources: CampaignSources) -> list[PoolItem]:
    """The documents of some pools, with how many runs brought each and whether it is a label.

    In the sequential way they are candidates, as in `runoff maintain --sequential`: all labels of the query come first,
    then the top documents in the order of the runs.
    """
    docs = list(pools.docs)
    tops: dict[tuple[str, str], int] = {}
    for run in sources.runs:
        for query_id, doc_id, _ in run.top(max(pools.depth, 1)):
            tops[query_id, doc_id] = tops.get((query_id, doc_id), 0) + 1
    labels = {(query_id, doc_id) for query_id, doc_id, grade in sources.qrels if grade > 0}
    if campaign.way == "sequential":
        candidates = candidates_of(sources.qrels, sources.runs, depth=campaign.depth)
        pairs = [(query_id, doc_id) for query_id in pools.query_ids for doc_id in candidates.get(query_id, ())]
    else:
        rows = zip(pools.item_query.tolist(), pools.item_doc.tolist(), strict=True)
        pairs = [(pools.query_ids[query], docs[doc]) for query, doc in rows]
    return [
        PoolItem(query_id=pair[0], doc_id=pair[1], runs=tops.get(pair, 0), labelled=pair in labels) for pair in pairs
    ]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Parts:
    """What a plan is kept with; `campaign` is as it will be, `runs` are those that it had before."""

    campaign: Campaign
    runs: tuple[int, ...]
    read: dict[int, Tops]
    pools: Pools
    items: list[PoolItem]
    texts: FoundTexts


def _parts(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    more: Extension | None,
    now: datetime,
    reader: LimitedReader,
) -> _Parts:
    """Everything that is slow, outside of the transaction."""
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
    campaign = campaign if more is None else more.applied_to(campaign)
    added = () if more is None else more.run_ids
    read = dict(read_tops(database, files, campaign, more=added, reader=reader))
    with database.read() as connection:
        runs = load_campaign_runs(connection, campaign_id)
        sources = load_sources(connection, files, campaign, read=read)
        pools = campaign_pools(connection, campaign, sources)
    _draw_known(database, campaign, pools, sources, now)
    with database.read() as connection:
        known = [one.pair for one in load_known_pairs(connection, campaign_id)]
    items = pool_items(campaign, pools, sources)
    wanted = [(item.query_id, item.doc_id) for item in items]
    wanted += [(query_id, doc_id) for query_id, *docs in known for doc_id in docs]
    texts = find_texts(database, files, campaign, wanted, reader=reader)
    return _Parts(campaign=campaign, runs=runs, read=read, pools=pools, items=items, texts=texts)


def _draw_known(database: Database, campaign: Campaign, pools: Pools, sources: CampaignSources, now: datetime) -> None:
    """Draw test pairs where organisers have not given or drawn enough for a task."""
    with database.read() as connection:
        enough = len(load_known_pairs(connection, campaign.id)) >= campaign.tests_per_task
    if not enough:
        database.write(
            lambda connection: save_drawn_pairs(connection, campaign, pools, sources.qrels, actor=None, now=now)
        )


def _keep(
    connection: Connection, parts: _Parts, more: Extension | None, actor: int | None, job: Job | None, now: datetime
) -> Campaign | None:  # fmt: skip
    """The campaign with its plan; None if it was changed meanwhile."""
    campaign_id = parts.campaign.id
    campaign = lock_campaign(connection, campaign_id)
    # A run that a standing campaign took in meanwhile is pooled as deep as the others.
    if campaign.version != parts.campaign.version or load_campaign_runs(connection, campaign_id) != parts.runs:
        return None
    if more is not None:
        asked = {name: getattr(parts.campaign, name) for name in ("judgments_per_pair", "sample", "depth")}
        campaign = save_extension(connection, campaign_id, **asked, actor=actor, now=now)
        save_campaign_runs(connection, campaign_id, more.run_ids, actor=actor, now=now)
    for run_id, tops in parts.read.items():
        save_tops(connection, campaign_id, run_id, tops, depth=read_depth(campaign))
    save_pool(connection, campaign_id, parts.items)
    parts.texts.save(connection, campaign_id)
    # The pairs of `sequential` are due one after the other, and their tasks are made when somebody asks.
    tasks = save_missing_tasks(connection, campaign, parts.pools.pairs()) if campaign.way == "full" else 0
    save_planned(connection, campaign_id, now=now)
    if campaign.state == "draft":
        save_campaign_state(connection, campaign_id, "open", actor=None, now=now)
    if job is not None:
        finish_job(connection, job, result={"state": "planned", "tasks": tasks}, now=now)
    return load_campaign(connection, campaign_id)


def _give_up(connection: Connection, campaign_id: int, problems: list[str], job: Job | None, now: datetime) -> None:
    if load_campaign(connection, campaign_id).planned_at is None:
        save_unstarted(connection, campaign_id, now=now)
    if job is not None:
        version = load_campaign(connection, campaign_id).version
        result = {"state": "failed", "problems": problems, "version": version}
        finish_job(connection, job, result=result, now=now)

"""Extension of a running campaign: what it would take, and doing it; nothing that was judged is asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from runoff.errors import InputError, UsageError
from runoff.preferences import judging_cost
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.boards.files import renamed_problems
from runoff.server.cases.judging.next_pairs import PER_MATCH
from runoff.server.cases.judging.plan import check_known, pair_key
from runoff.server.cases.judging.sources import base_labels, campaign_pools, load_sources, load_unread, read_tops
from runoff.server.cases.judging.start import Extension, plan_campaign, pool_items
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_plans import load_batches, load_planned_pairs
from runoff.server.store.campaign_pools import load_campaign_runs, load_known_pairs, load_pool
from runoff.server.store.campaigns import LOOK, PLAN, Campaign, load_campaign, save_campaign_job
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.jobs import Job, finish_job
from runoff.server.store.submissions import load_run

if TYPE_CHECKING:
    from sqlalchemy import Connection

INLINE_BYTES: Final = 20_000_000
INLINE_JUDGMENTS: Final = 20_000
"""Campaigns whose files together are smaller, and that can ask for no more, are planned at once, others by a job."""


@dataclass(frozen=True, kw_only=True)
class ExtensionPreview:
    """What an extension adds to a campaign.

    version    of the campaign that was looked at
    runs, queries, documents  that come into the pools
    pairs      that were not asked for so far; for `sequential` the matches that come, if no answer is replaced
    judgments  of real pairs, more copies of old ones among them; for `sequential` an estimate: 4.5 a match
    tests      judgments of test pairs
    tasks, cost, hours  what all of it takes, hours of all assessors together
    """

    version: int
    runs: int
    queries: int
    documents: int
    pairs: int
    judgments: int
    tests: int
    tasks: int
    cost: float
    hours: float


def preview_extension(
    database: Database,
    files: FileStore,
    campaign_id: int,
    more: Extension,
    *,
    reader: LimitedReader = USUAL_READER,
) -> ExtensionPreview:
    """What an extension would add; files that are needed are read, and nothing is stored."""
    with database.read() as connection:
        before = load_campaign(connection, campaign_id)
        campaign = more.applied_to(before)
        check_runs(connection, campaign, more.run_ids)
    read = dict(read_tops(database, files, campaign, more=more.run_ids, reader=reader))
    with database.read() as connection:
        sources = load_sources(connection, files, campaign, read=read)
        pools = campaign_pools(connection, campaign, sources)
        items = pool_items(campaign, pools, sources)
        there = {(item.query_id, item.doc_id) for item in load_pool(connection, campaign_id)}
        known = [one.pair for one in load_known_pairs(connection, campaign_id)]
        planned, batches = load_planned_pairs(connection, campaign_id), load_batches(connection, campaign_id)
        runs = len(set(more.run_ids) - set(load_campaign_runs(connection, campaign_id)))
    new = [(item.query_id, item.doc_id) for item in items if (item.query_id, item.doc_id) not in there]
    queries = {query_id for query_id, _ in new} - {query_id for query_id, _ in there}
    if campaign.way == "full":
        pairs = {pair_key(pair) for pair in pools.pairs()} - planned
        check_known(sorted(pairs), known, campaign.tests_per_task)
        tasks, judgments = _full_work(campaign, len(pairs), batches)
        number = len(pairs)
    else:
        # The first document of a query that is new meets nobody.
        number = len(new) - len(queries)
        judgments = round(PER_MATCH * number)
        tasks = judging_cost(judgments, pairs_per_task=campaign.pairs_per_task).tasks
    tests = tasks * campaign.tests_per_task
    return ExtensionPreview(
        version=before.version, runs=runs, queries=len(queries), documents=len(new), pairs=number, judgments=judgments,
        tests=tests, tasks=tasks, cost=round(tasks * (campaign.pay + campaign.fee), 2),
        hours=(judgments + tests) * campaign.seconds_per_pair / 3600,
    )  # fmt: skip


def look_at_extension(
    database: Database,
    files: FileStore,
    campaign_id: int,
    more: Extension,
    *,
    actor: Actor,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> ExtensionPreview | None:
    """What an extension would add, at once if it is little work; None if a job was queued to find out."""
    require(actor, "manage campaign")
    with database.read() as connection:
        campaign = more.applied_to(load_campaign(connection, campaign_id))
        check_runs(connection, campaign, more.run_ids)
        can_be_now = is_small(connection, campaign, more=more.run_ids)
    if can_be_now:
        return preview_extension(database, files, campaign_id, more, reader=at_once(reader))
    database.write(lambda connection: save_campaign_job(connection, campaign, LOOK, more=more.to_dict(), now=now))
    return None


def do_look(
    database: Database,
    files: FileStore,
    job: Job,
    *,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
) -> None:
    """Do the job of `look_at_extension`; its result holds the preview, or the problems."""
    campaign_id, more = int(job.payload["campaign_id"]), Extension.of(job.payload["more"])
    result: dict[str, Any]
    try:
        found = preview_extension(database, files, campaign_id, more, reader=reader)
        result = {"state": "looked", "preview": asdict(found)}
    except (InputError, UsageError) as error:
        result = {"state": "failed", "problems": renamed_problems(error)}
    database.write(lambda connection: finish_job(connection, job, result=result, now=now()))


def looked_at(campaign: Campaign, job: Job | None) -> tuple[Extension, ExtensionPreview] | None:
    """The extension that a job has looked at, as long as the campaign is as it was then."""
    result: Mapping[str, Any] = {} if job is None or job.state != "done" else job.result or {}
    if job is None or "preview" not in result or result["preview"]["version"] != campaign.version:
        return None
    return Extension.of(job.payload["more"]), ExtensionPreview(**result["preview"])


def extend_campaign(
    database: Database,
    files: FileStore,
    campaign_id: int,
    more: Extension,
    *,
    actor: Actor,
    now: Callable[[], datetime],
    reader: LimitedReader = USUAL_READER,
) -> Campaign:
    """Ask for more of a campaign that has started, at once or by a job; what was judged stays, and the version grows.

    If the larger plan cannot be made, the campaign stays as it was.
    """
    require(actor, "manage campaign")
    with database.read() as connection:
        before = load_campaign(connection, campaign_id)
        campaign = more.applied_to(before)
        check_runs(connection, campaign, more.run_ids)
        can_be_now = campaign.doc_texts is None and is_small(connection, campaign, more=more.run_ids)
    if can_be_now:
        return plan_campaign(database, files, campaign_id, more=more, actor=actor.id, now=now, reader=at_once(reader))
    database.write(lambda connection: save_campaign_job(connection, campaign, PLAN, more=more.to_dict(), now=now()))
    return before


def at_once(reader: LimitedReader) -> LimitedReader:
    """A reader for work that a request waits for: a small file may be large when it is decompressed."""
    return replace(reader, max_bytes=min(reader.max_bytes, 50 * INLINE_BYTES))


def check_runs(connection: Connection, campaign: Campaign, run_ids: Sequence[int]) -> None:
    """Refuse runs that are not scored runs of the campaign's board."""
    for run_id in run_ids:
        run = load_run(connection, run_id)
        if run.board_id != campaign.board_id or run.state != "scored":
            raise UsageError(f"run {run_id} is not a scored run of the campaign's board; choose another")


def is_small(connection: Connection, campaign: Campaign, *, more: Sequence[int] = ()) -> bool:
    """Whether a plan can be made within a request: few bytes to read, and few judgments.

    more  runs that are to come into the campaign
    """
    docs = campaign.depth * (len(load_campaign_runs(connection, campaign.id)) + len(more)) + 1
    queries = campaign.sample or base_labels(connection, campaign).queries
    most = queries * docs * (docs - 1) // 2 * campaign.judgments_per_pair
    size = sum(run.size for run in load_unread(connection, campaign, more=more))
    return most <= INLINE_JUDGMENTS and size <= INLINE_BYTES


def _full_work(campaign: Campaign, pairs: int, batches: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Tasks and judgments: all copies of new pairs, and the copies that batches lack."""
    copies = campaign.judgments_per_pair
    lacking = [(max(copies - last, 0), real) for last, real in batches.values()]
    tasks = -(-pairs // campaign.pairs_per_task) * copies + sum(more for more, _ in lacking)
    return tasks, pairs * copies + sum(more * real for more, real in lacking)

"""Judgments from a file into a campaign; the same file, or the same task in another file, comes in once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.errors import ConflictError
from runoff.preferences import mark_test_pairs
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.enter import make_assessor
from runoff.server.cases.judging.votes import load_task_table, pseudonym, task_name
from runoff.server.cases.uploads.judging_files import read_judgments_apart
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.store.campaign_links import CrowdWorker, load_worker, save_entry, save_worker
from runoff.server.store.campaign_plans import PlannedPair, PlannedTask, load_tasks
from runoff.server.store.campaigns import Campaign, lock_campaign
from runoff.server.store.database import Database
from runoff.server.store.judgments import ImportedAnswer, ImportedTask, load_assigned, load_imported, save_imported
from runoff.server.store.participation import load_participation, save_consent, save_stopped
from runoff.tables.preferences import Judgment, Preferences

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOBODY = "unnamed"
Groups = dict[tuple[str, str], list[Judgment]]


@dataclass(frozen=True, kw_only=True)
class ImportResult:
    """What came in: tasks and judgments that are new, and tasks that were there already."""

    tasks: int
    judgments: int
    known_tasks: int
    discarded_tasks: int


def import_judgments(
    database: Database,
    campaign_id: int,
    source: Path | bytes | Preferences,
    *,
    actor: Actor,
    now: datetime,
    reader: LimitedReader = USUAL_READER,
) -> ImportResult:
    """Take in judgments of any form that `runoff tally` reads, a file or `Preferences`, in one transaction.

    Rows of one assessor and task are one task, done; with a failed test pair it is discarded and the assessor stopped.
    An open task that was given out elsewhere under its exported name takes its place in the plan. Rows without an
    assessor are of one who is not named, and rows without a task are one task for each assessor. A task that came in
    before is passed over; with other answers it is refused.
    """
    require(actor, "manage campaign")
    table = source if isinstance(source, Preferences) else read_judgments_apart(source, reader=reader)
    return database.write(lambda connection: _import(connection, campaign_id, table, now))


def _import(connection: Connection, campaign_id: int, table: Preferences, now: datetime) -> ImportResult:
    campaign = lock_campaign(connection, campaign_id)
    marked = mark_test_pairs(table, load_task_table(connection, campaign).known_answers)
    groups: Groups = {}
    for row in marked:
        groups.setdefault((row.assessor or NOBODY, row.task or ""), []).append(row)
    plan = {
        task_name(campaign, task.batch, task.copy): task
        for task in load_tasks(connection, campaign_id)
        if task.state == "open"
    }
    there = load_imported(connection, campaign_id)
    exported = {
        (pseudonym(campaign, person), task_name(campaign, batch, copy))
        for person, batch, copy in load_assigned(connection, campaign_id)
    }
    tasks = judgments = known = discarded = 0
    for (assessor, task), rows in groups.items():
        new = _task(assessor, task, rows)
        if (assessor, task) in exported or there.get((assessor, task)) == new.content_hash:
            known += 1
            continue
        if (assessor, task) in there:
            raise ConflictError(
                f"task {task!r} of assessor {assessor!r} was imported before with other answers; expected the same; "
                "look at both files"
            )
        _save(connection, campaign, new, plan, now)
        tasks, judgments, discarded = tasks + 1, judgments + len(rows), discarded + new.failed
    return ImportResult(tasks=tasks, judgments=judgments, known_tasks=known, discarded_tasks=discarded)


def _save(
    connection: Connection, campaign: Campaign, new: ImportedTask, plan: dict[str, PlannedTask], now: datetime
) -> None:
    person_id = _person(connection, campaign, new.assessor, now)
    task = plan.get(new.task)
    own = None if task is None else {pair.key for pair in task.pairs}
    matches = own == {answer.pair.key for answer in new.answers}
    save_imported(connection, campaign.id, new, person_id, task=task if matches else None, now=now)
    if matches and not new.failed:
        del plan[new.task]
    if new.failed:
        save_stopped(connection, campaign.id, person_id, left=False, now=now)


def _person(connection: Connection, campaign: Campaign, assessor: str, now: datetime) -> int:
    """The person behind a name of a file: the same name in the same campaign is the same person."""
    site = f"import {campaign.id}"
    name = hashlib.sha256(assessor.encode()).hexdigest() if len(assessor) > 200 else assessor
    known = load_worker(connection, site, name)
    if known is not None:
        return known.person_id
    made = make_assessor(connection, display_name="Assessor", now=now)
    save_worker(connection, CrowdWorker(site=site, worker_id=name, person_id=made.id))
    save_entry(connection, campaign.id, made.id, link_id=None, reference="import", now=now)
    if load_participation(connection, campaign.id, made.id) is None:
        save_consent(connection, campaign.id, made.id, now=now)
    return made.id


def _task(assessor: str, task: str, rows: list[Judgment]) -> ImportedTask:
    answers = []
    for row in rows:
        sides = {row.left: "left", row.right: "right", None: "tie"}
        pair = PlannedPair(
            query_id=row.query_id,
            left_doc=row.left,
            right_doc=row.right,
            expected=None if row.expected is None else sides[row.expected],  # type: ignore[arg-type]
        )
        answers.append(
            ImportedAnswer(pair=pair, preferred=sides[row.preferred], seconds=row.seconds or 0.0)  # type: ignore[arg-type]
        )
    content = repr(sorted((one.pair.key, one.preferred, one.pair.left_doc) for one in answers))
    return ImportedTask(
        assessor=assessor,
        task=task,
        content_hash=hashlib.sha256(content.encode()).hexdigest(),
        answers=tuple(answers),
        failed=any(one.pair.expected is not None and one.preferred != one.pair.expected for one in answers),
    )

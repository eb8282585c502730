"""The judgments and tasks of a campaign as tables and files for tally and maintain; assessors have pseudonyms."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.files.judging.table import render_judgment_csv
from runoff.files.judging.task_table import csv_lines, render_tasks
from runoff.files.qrels import render_qrels
from runoff.preferences import quality, tournament
from runoff.preferences.sequential import Tallies, Tally
from runoff.preferences.tasks import pair_id
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.store.campaign_plans import load_tasks
from runoff.server.store.campaign_pools import PoolItem, load_pool, load_removed_known_pairs
from runoff.server.store.campaigns import Campaign
from runoff.server.store.judgments import StoredJudgment, load_failed_tests, load_judgments, load_pair_votes
from runoff.tables.preferences import Judgment, Preferences
from runoff.tables.tasks import JudgingPair, Tasks

if TYPE_CHECKING:
    from sqlalchemy import Connection


def pseudonym(campaign: Campaign, person_id: int) -> str:
    """What an assessor is called outside; the same person has another pseudonym in every campaign."""
    return f"a-{hashlib.sha256(f'runoff {campaign.id} {campaign.slug} {person_id}'.encode()).hexdigest()[:10]}"


def task_name(campaign: Campaign, batch: int, copy: int) -> str:
    """What a task is called outside."""
    return f"{campaign.slug}-{batch}-{copy}"


def load_votes(connection: Connection, campaign: Campaign) -> Preferences:
    """All judgments of tasks that were done, and of those that were discarded for a failed test pair.

    Judgments of test pairs that were removed are left out; tasks that were discarded for nothing else are done by then.
    """
    removed = set(load_removed_known_pairs(connection, campaign.id))
    rows = [
        (is_done, row)
        for is_done in (True, False)
        for row in load_judgments(connection, campaign.id, states=("done",) if is_done else ("discarded",))
        if row.expected is None or _known(row) not in removed
    ]
    failed = {(row.task_id, row.person_id) for _, row in rows if row.expected and row.preferred != row.expected}
    people = {row.person_id for _, row in rows}
    names = {person_id: pseudonym(campaign, person_id) for person_id in people}
    return Preferences.of(
        [_judgment(campaign, row, names) for is_done, row in rows if is_done or (row.task_id, row.person_id) in failed],
        name=campaign.slug,
    )


def load_task_table(connection: Connection, campaign: Campaign) -> Tasks:
    """All tasks of the plan; test pairs that were removed are left out."""
    removed = set(load_removed_known_pairs(connection, campaign.id))
    rows = []
    for task in load_tasks(connection, campaign.id):
        for place, pair in enumerate(task.pairs, start=1):
            sides = {"left": pair.left_doc, "right": pair.right_doc}
            expected = None if pair.expected is None else sides[pair.expected]
            wrong = next(doc for doc in sides.values() if doc != (expected or pair.left_doc))
            if expected is None or (pair.query_id, expected, wrong) not in removed:
                name, number = task_name(campaign, task.batch, task.copy), pair_id(pair.query_id, *sides.values())
                rows.append(JudgingPair(name, place, number, pair.query_id, pair.left_doc, pair.right_doc, expected))
    return Tasks(name=campaign.slug, pairs=tuple(rows))


def _known(row: StoredJudgment) -> tuple[str, str, str]:
    right, wrong = (row.left_doc, row.right_doc) if row.expected == "left" else (row.right_doc, row.left_doc)
    return row.query_id, right, wrong


def _judgment(campaign: Campaign, row: StoredJudgment, names: Mapping[int, str]) -> Judgment:
    sides = {"left": row.left_doc, "right": row.right_doc, "tie": None}
    return Judgment(
        query_id=row.query_id,
        left=row.left_doc,
        right=row.right_doc,
        preferred=sides[row.preferred],
        assessor=names[row.person_id],
        task=task_name(campaign, row.batch, row.copy),
        seconds=row.seconds,
        expected=None if row.expected is None else sides[row.expected],
    )


def load_tallies(connection: Connection, campaign: Campaign, *, queries: Collection[str] | None = None) -> Tallies:
    """Of each query and pair of documents, both ways round, how often each was preferred, and neither.

    These are the judgments of `load_votes` that pass `quality`, counted by the database.

    queries  of which; None: of all
    """
    removed = set(load_removed_known_pairs(connection, campaign.id))
    tests = load_failed_tests(connection, campaign.id, queries=queries)
    failed = {one for one, *known in tests if tuple(known) not in removed}
    found: dict[str, dict[tuple[str, str], Tally]] = {}
    for query_id, left, right, answer, number in load_pair_votes(
        connection, campaign.id, without=failed, queries=queries
    ):
        own = found.setdefault(query_id, {})
        ahead, behind, ties = own.get((left, right), (0, 0, 0))
        ahead, behind = ahead + number * (answer == "left"), behind + number * (answer == "right")
        ties += number * (answer == "tie")
        own[left, right], own[right, left] = (ahead, behind, ties), (behind, ahead, ties)
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignExport:
    """Everything of a campaign that can leave the server: assessors have pseudonyms."""

    campaign: Campaign
    judgments: Preferences
    tasks: Tasks
    pool: tuple[PoolItem, ...]

    def files(self) -> dict[str, Iterator[str]]:
        """The lines of its files, by name; `preference.qrels` is empty before the first judgment that counts."""
        pool: list[tuple[str, ...] | list[object]] = [("query", "document", "runs", "labelled")]
        pool += [[item.query_id, item.doc_id, item.runs, int(item.labelled)] for item in self.pool]
        kept = quality(self.judgments).kept
        return {
            "judgments.csv": render_judgment_csv(self.judgments),
            "tasks.csv": render_tasks(self.tasks),
            "pool.csv": csv_lines(pool),
            "preference.qrels": render_qrels(tournament(kept).qrels()) if len(kept) else iter(()),
        }


def export_campaign(connection: Connection, campaign: Campaign, *, actor: Actor) -> CampaignExport:
    """What a campaign has, for files; right answers of test pairs are in it, so it is for organisers alone."""
    require(actor, "manage campaign")
    return CampaignExport(
        campaign=campaign,
        judgments=load_votes(connection, campaign),
        tasks=load_task_table(connection, campaign),
        pool=load_pool(connection, campaign.id),
    )

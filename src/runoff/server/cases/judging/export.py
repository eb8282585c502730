"""A campaign as the files that `runoff tally` and `runoff maintain` read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runoff.files.judging.table import render_judgment_csv
from runoff.files.judging.task_table import csv_lines, render_tasks
from runoff.files.qrels import render_qrels
from runoff.preferences import quality, tournament
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.votes import load_task_table, load_votes
from runoff.server.store.campaign_pools import PoolItem, load_pool
from runoff.server.store.campaigns import Campaign
from runoff.tables.preferences import Preferences
from runoff.tables.tasks import Tasks

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignExport:
    """Everything of a campaign that can leave the server: assessors have pseudonyms."""

    campaign: Campaign
    judgments: Preferences
    tasks: Tasks
    pool: tuple[PoolItem, ...]

    def judgment_lines(self) -> Iterator[str]:
        """CSV of all judgments, discarded ones and test pairs among them: for `runoff tally`."""
        return render_judgment_csv(self.judgments)

    def task_lines(self) -> Iterator[str]:
        """The task file, with the right answers of test pairs: for `runoff tally --tasks`."""
        return render_tasks(self.tasks)

    def pool_lines(self) -> Iterator[str]:
        """CSV of the documents that are judged."""
        rows: list[tuple[str, ...] | list[object]] = [("query", "document", "runs", "labelled")]
        rows += [[one.query_id, one.doc_id, one.runs, int(one.labelled)] for one in self.pool]
        return csv_lines(rows)

    def qrels_lines(self) -> Iterator[str]:
        """The preference qrels, as `runoff tally --qrels-out` writes them; nothing before the first judgment."""
        kept = quality(self.judgments).kept
        return render_qrels(tournament(kept).qrels()) if len(kept) else iter(())

    def files(self) -> dict[str, Iterator[str]]:
        """All of them, by file name."""
        return {
            "judgments.csv": self.judgment_lines(),
            "tasks.csv": self.task_lines(),
            "pool.csv": self.pool_lines(),
            "preference.qrels": self.qrels_lines(),
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

"""The texts that assessors read: two files of a collection, read through before a campaign has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.errors import InputError
from runoff.files.qrels import read_qrels
from runoff.files.texts import read_texts
from runoff.store.campaign_pools import load_tops
from runoff.store.campaigns import CampaignSettings, load_campaign, save_campaign_settings
from runoff.store.database import Database
from runoff.store.files import FileStore, Incoming
from runoff.workflows.judging.sources import base_labels
from runoff.workflows.permissions import Actor, require

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, kw_only=True)
class TextCoverage:
    """How many of the queries and documents that may be judged have a text; tasks need those of their own."""

    queries: int
    queries_wanted: int
    docs: int
    docs_wanted: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return self.queries == self.queries_wanted and self.docs == self.docs_wanted


def save_campaign_texts(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    queries: Incoming,
    docs: Incoming,
    actor: Actor,
    now: datetime,
    max_bytes: int,
) -> TextCoverage:
    """Let a campaign have these texts; a file with faults, or without a single text that is wanted, is refused.

    Documents that are wanted are the labels and the top documents of the runs that were read by now.
    """
    require(actor, "manage campaign")
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
        qrels = read_qrels(files.path(str(base_labels(connection, campaign).content_hash)))
        tops = load_tops(connection, campaign_id)
    wanted = {doc_id for _, doc_id, grade in qrels if grade > 0}
    wanted |= {doc for lists in tops.values() for docs_of in lists.values() for doc in docs_of[: campaign.depth]}
    asked = (queries, list(qrels.query_ids), "query"), (docs, sorted(wanted), "document")
    counts = _counts([(sent.path, ids, what) for sent, ids, what in asked], max_bytes)

    def work(connection: Connection) -> None:
        before = load_campaign(connection, campaign_id)
        own = {name: getattr(before, name) for name in CampaignSettings.__dataclass_fields__}
        settings = replace(CampaignSettings(**own), query_texts=kept[0].content_hash, doc_texts=kept[1].content_hash)
        save_campaign_settings(connection, campaign_id, settings, version=before.version, actor=actor.id, now=now)

    # Held until the row is there, so that nobody takes the files for left-overs.
    with files.holding():
        kept = queries.keep(), docs.keep()
        database.write(work)
    return TextCoverage(queries=counts[0], queries_wanted=len(qrels.query_ids), docs=counts[1], docs_wanted=len(wanted))


def _counts(asked: list[tuple[Path, list[str], str]], max_bytes: int) -> list[int]:
    """How many of some ids have a text in each file; the faults of all files are raised at once."""
    counts: list[int] = []
    problems: list[str] = []
    for path, ids, what in asked:
        try:
            found = read_texts(path, ids, max_bytes=max_bytes)
        except InputError as error:
            problems += error.problems
            continue
        counts.append(len(found.by_id))
        if ids and not found.by_id:
            like = f"expected ids such as '{ids[0]}'; check that this is the right file"
            problems.append(f"{found.name}: no text of any {what}; {like}")
    if problems:
        raise InputError(problems)
    return counts

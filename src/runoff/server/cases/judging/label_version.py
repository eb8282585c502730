"""A new version of the labels from a campaign, with what it changes, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from runoff.errors import ConflictError
from runoff.files.judging.table import render_judgment_csv
from runoff.files.qrels import LabelVersion, digest_of, read_labels, render_labels
from runoff.files.query_list import read_query_list
from runoff.phrases import as_sentence, counted
from runoff.preferences import SequentialResult, quality, settled_labels, tournament, updated_labels, with_answers
from runoff.preferences.maintenance import best_known
from runoff.server.cases.accounts.permissions import Actor, require
from runoff.server.cases.judging.next_pairs import load_searches
from runoff.server.cases.judging.sources import base_labels, board_of, load_sources, run_names
from runoff.server.cases.judging.votes import load_votes
from runoff.server.cases.labels.versions import changes_on_board
from runoff.server.cases.runs.score import queue_rescoring
from runoff.server.cases.uploads.limited_process import USUAL_READER, LimitedReader
from runoff.server.cases.uploads.run import clean_file_name, read_top
from runoff.server.cases.views.serp_arrays import needed_depth, under
from runoff.server.cases.views.stored_board import newest
from runoff.server.store.campaign_pools import PoolItem, load_pool
from runoff.server.store.campaigns import Campaign, load_campaign
from runoff.server.store.database import Database
from runoff.server.store.files import FileStore
from runoff.server.store.label_sets import (
    CampaignLabel,
    LabelSet,
    NewVersion,
    load_label_sets,
    load_query_sets,
    save_campaign_label,
    save_label_set,
)
from runoff.server.store.submissions import load_run
from runoff.tables.board import PUBLIC
from runoff.tables.preferences import Preferences
from runoff.tables.qrels import Qrels
from runoff.verbs._label_changes import DEPTH, LabelChangesResult, shared_queries
from runoff.verbs._labels import grades_said

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LARGEST: Final = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class HastyJudgments:
    """Judgments that count although they took less than `below` seconds: nobody reads two passages in that time.

    number, of  these judgments, and all that count
    queries     those whose labels change and that have such a judgment
    """

    below: float
    number: int
    of: int
    queries: int

    @property
    def warning(self) -> str:
        """What is said of them where labels are proposed and where they are shown; empty if there are none."""
        if not self.number:
            return ""
        changed = f", some of them on {counted(self.queries, 'query', 'queries')} whose labels change"
        return (
            f"Warning: {self.number:,} of {counted(self.of, 'judgment')} ({self.number / self.of:.0%}) took less than "
            f"{self.below:g} seconds{changed if self.queries else ''}."
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ProposedLabels:
    """Labels after the judgments of a campaign, before they are a version.

    effect  which queries have other best known answers, and what becomes of the ranks and verdicts of the runs
    about   what becomes of graded labels; empty for labels that are answers alone
    hasty   judgments that took less time than the campaign calls too fast
    unmet   judged queries that keep their labels, because one of these is newer than the plan and met no other document
    """

    labels: LabelVersion
    content: bytes
    judgments: int
    effect: LabelChangesResult
    about: str = ""
    unmet: tuple[str, ...] = ()
    hasty: HastyJudgments

    @property
    def changed(self) -> tuple[str, ...]:
        """The queries whose best known answers are others than before."""
        return self.effect.changed


@dataclass(frozen=True, kw_only=True, eq=False)
class MadeVersion:
    """A new version of the labels of a board, and its effect."""

    label_set: LabelSet
    proposed: ProposedLabels


def propose_labels(
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    actor: Actor,
    reader: LimitedReader = USUAL_READER,
) -> ProposedLabels:
    """What a new version would hold and change; nothing is stored.

    A campaign of whole pools (`full`, not standing) gives the winners of the tournaments, as `runoff tally`; a
    sequential one the best known answers after the decided matches, as `runoff maintain --sequential`; a standing one
    of whole pools replaces the best known answer by what is preferred to it, as `runoff maintain`. Queries without a
    judgment keep their labels, and so do those with a label that is newer than the plan, until an extension of the
    campaign has brought it to the others. Graded labels keep all of their rows, and new answers join the best of them;
    a campaign with `single_best` makes them into answers of grade 1.
    """
    require(actor, "manage campaign")
    with database.read() as connection:
        campaign = load_campaign(connection, campaign_id)
        sources = load_sources(connection, files, campaign)
        votes = load_votes(connection, campaign)
        found = load_searches(connection, campaign) if campaign.way == "sequential" else ()
        names = run_names(connection, campaign)
        unmet = unmet_queries(campaign, sources.qrels, load_pool(connection, campaign_id))
        stored = [(load_run(connection, number), name) for number, name in names.items()]
        versions = [one for one in load_label_sets(connection, sources.board.id) if one.name == sources.labels.name]
        query_sets = newest(load_query_sets(connection, sources.board.id))
        public = query_sets[PUBLIC].content_hash if PUBLIC in query_sets else None
    kept = quality(votes).kept
    if not len(kept):
        raise ConflictError(f"campaign {campaign.slug!r} has no judgments that count yet; wait for some")
    old = read_labels(files.path(str(sources.labels.content_hash)), name=sources.labels.name)
    answers = new_answers(campaign, sources.qrels, kept, found)
    changes = {query_id: docs for query_id, docs in answers.items() if query_id not in unmet}
    updated = with_answers(sources.qrels, changes, single_answers=campaign.single_best, name=sources.qrels.name)
    judgments = digest_of("".join(render_judgment_csv(votes)).encode())
    lines = render_labels(updated.labels, version=versions[-1].version + 1, parent=old.digest, judgments=[judgments])
    content = "".join(lines).encode()
    new = read_labels(content, name=sources.labels.name)
    board = under(sources.board, sources.labels)
    depth = needed_depth(board) or DEPTH
    runs = [
        read_top(
            files.path(run.content_hash),
            depth,
            name=name,
            called=clean_file_name(str(run.metadata.get("file_name", ""))),
            reader=reader,
        )
        for run, name in stored
    ]
    shared = shared_queries(old, new)
    if public is not None:
        wanted = set(read_query_list(files.path(public)))
        shared = [query_id for query_id in shared if query_id in wanted] or shared
    serps = [[run.serps(labels.qrels.only(shared), depth=depth) for run in runs] for labels in (old, new)]
    effect = changes_on_board(sources.board, sources.labels, (old, new), serps)
    return ProposedLabels(
        labels=new,
        content=content,
        judgments=len(kept),
        about=grades_said(old.qrels, updated),
        unmet=tuple(query_id for query_id in answers if query_id in unmet),
        effect=effect,
        hasty=hasty_judgments(kept, effect.changed, below=campaign.too_fast),
    )


def make_label_version(  # noqa: PLR0913
    database: Database,
    files: FileStore,
    campaign_id: int,
    *,
    note: str = "",
    seen: str = "",
    proposed: ProposedLabels | None = None,
    reader: LimitedReader = USUAL_READER,
    actor: Actor,
    now: datetime,
) -> MadeVersion:
    """Make the new version, queue the scoring of all runs on it, and tell its effect on ranks and verdicts.

    seen      the digest of the proposal that somebody looked at: if other judgments count by now, nothing is made
    proposed  the proposal itself, where it is known, so that it is not computed again
    """
    require(actor, "manage campaign")
    if proposed is None:
        proposed = propose_labels(database, files, campaign_id, actor=actor, reader=reader)
    if seen and seen != proposed.labels.digest:
        raise ConflictError("the judgments have changed since you looked; see what they change now")
    stored = files.save([proposed.content], limit=_LARGEST)

    def work(connection: Connection) -> LabelSet:
        campaign = load_campaign(connection, campaign_id)
        board, base = board_of(connection, campaign), base_labels(connection, campaign)
        qrels = proposed.labels.qrels
        new = NewVersion(
            board_id=board.id,
            name=base.name,
            queries=len(qrels.query_ids),
            content_hash=stored.content_hash,
            note=_note(note or f"{proposed.judgments:,} judgments of campaign {campaign.slug}", proposed),
            relevance_level=base.relevance_level,
        )
        # Used when somebody says so: until runs are scored on it, a board of it would be empty.
        made = save_label_set(connection, new, judged=len(qrels), actor=actor.id, now=now, in_use=False)
        kept = CampaignLabel(
            label_set_id=made.id,
            campaign_id=campaign_id,
            judgments=proposed.judgments,
            changed=len(proposed.changed),
            at=now,
        )
        save_campaign_label(connection, kept, actor=actor.id)
        queue_rescoring(connection, board, now=now)
        return made

    return MadeVersion(label_set=database.write(work), proposed=proposed)


def _note(text: str, proposed: ProposedLabels) -> str:
    """The note of a version: the warning stays with the labels, whoever looks at them."""
    return " ".join(filter(None, (as_sentence(text) if proposed.hasty.warning else text, proposed.hasty.warning)))


def hasty_judgments(kept: Preferences, changed: Sequence[str], *, below: float) -> HastyJudgments:
    """The judgments that count and took less than `below` seconds; those whose time is not known are not among them."""
    hasty = [row for row in kept if row.seconds is not None and row.seconds < below]
    queries = {row.query_id for row in hasty} & set(changed)
    return HastyJudgments(below=below, number=len(hasty), of=len(kept), queries=len(queries))


def new_answers(
    campaign: Campaign, qrels: Qrels, kept: Preferences, found: Sequence[SequentialResult] = ()
) -> dict[str, tuple[str, ...]]:
    """The best known answers of the queries that were judged; `found` is how far a sequential campaign has come."""
    if campaign.way == "full" and not campaign.standing:
        winners = tournament(kept)
        answers = dict(zip(winners.query_ids, winners.winners, strict=True))
    else:
        judged = {row.query_id for row in kept}
        single = campaign.single_best
        labels = (
            updated_labels(qrels, kept, single_answers=single)
            if campaign.way == "full"
            else settled_labels(qrels, found, single_answers=single)
        )
        updated = best_known(labels.labels)
        answers = {query_id: docs for query_id, docs in updated.items() if query_id in judged}
    if not campaign.single_best:
        return answers
    return {query_id: (_single(docs, query_id, qrels, kept),) for query_id, docs in answers.items()}


def unmet_queries(campaign: Campaign, qrels: Qrels, pool: Sequence[PoolItem]) -> frozenset[str]:
    """The queries of the plan with a label that the plan does not have, because it is newer.

    Such a label has met nobody, so nothing that was judged can take its place. Of whole pools the first label of a
    query is one of them; in sequence all are. A standing campaign of whole pools replaces only what was beaten.
    """
    if campaign.way == "full" and campaign.standing:
        return frozenset()
    there = {(item.query_id, item.doc_id) for item in pool}
    planned = {item.query_id for item in pool}
    best = best_known(qrels)
    asked = {query_id: docs[:1] for query_id, docs in best.items()} if campaign.way == "full" else best
    return frozenset(
        query_id
        for query_id, docs in asked.items()
        if query_id in planned and any((query_id, doc_id) not in there for doc_id in docs)
    )


def _single(docs: tuple[str, ...], query_id: str, qrels: Qrels, kept: Preferences) -> str:
    """One of several answers that are as good: a label of before, else the one with most votes, else the first."""
    if len(docs) == 1:
        return docs[0]
    before = set(best_known(qrels).get(query_id, ()))
    votes = dict.fromkeys(docs, 0)
    for row in kept:
        if row.query_id == query_id and row.preferred in votes:
            votes[row.preferred] += 1
    return min(docs, key=lambda doc: (doc not in before, -votes[doc], doc))

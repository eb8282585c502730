"""Organisers make, start, pause and close campaigns."""

from dataclasses import replace

import pytest

from runoff.errors import ConflictError, NotAllowedError, UsageError
from runoff.server.cases.accounts.permissions import Actor
from runoff.server.cases.judging.manage import (
    change_campaign,
    choose_runs,
    close_campaign,
    create_campaign,
    pause_campaign,
    resume_campaign,
    start_campaign,
)
from runoff.server.cases.judging.start import preview_ways
from runoff.server.store.campaign_pools import load_campaign_runs
from runoff.server.store.campaigns import load_campaign, load_campaign_problems
from runoff.server.store.jobs import load_jobs
from tests.server.store.backends import both_databases


def test_from_draft_to_close(campaigned):
    draft = campaigned.draft()
    assert draft.state == "draft"
    with pytest.raises(UsageError, match="is a draft; start it first"):
        pause_campaign(campaigned.database, draft.id, actor=campaigned.organiser, now=campaigned.now())
    opened = campaigned.start(draft)
    assert opened.state == "open"
    assert opened.planned_at == opened.started_at == campaigned.now()
    with pytest.raises(ConflictError, match="started already"):
        campaigned.start(draft)
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    assert pause_campaign(campaigned.database, draft.id, **options).state == "paused"
    assert resume_campaign(campaigned.database, draft.id, **options).state == "open"
    assert close_campaign(campaigned.database, draft.id, **options).state == "closed"


def test_only_organisers_manage(campaigned):
    stranger = Actor(id=99, role="member")
    with pytest.raises(NotAllowedError):
        create_campaign(campaigned.database, campaigned.settings(), [], actor=stranger, now=campaigned.now())
    draft = campaigned.draft()
    with pytest.raises(NotAllowedError):
        start_campaign(campaigned.database, campaigned.files, draft.id, actor=stranger, now=campaigned.now)


def test_runs_and_labels_are_those_of_the_board(campaigned):
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    with pytest.raises(UsageError, match="no open label set 'other'; expected one of dev"):
        create_campaign(campaigned.database, campaigned.settings(label_set="other"), [], **options)
    empty = campaigned.draft(runs=0)
    with pytest.raises(UsageError, match="has no runs"):
        campaigned.start(empty)
    choose_runs(campaigned.database, empty.id, campaigned.run_ids, **options)
    choose_runs(campaigned.database, empty.id, campaigned.run_ids[:2], **options)
    assert campaigned.read(load_campaign_runs, empty.id) == tuple(campaigned.run_ids[:2])
    assert campaigned.read(load_campaign_runs, empty.id, unread=True) == tuple(campaigned.run_ids[:2])
    with pytest.raises(ConflictError, match="still to be read"):
        campaigned.read(preview_ways, campaigned.files, empty)[empty.way]
    campaigned.work()
    assert campaigned.read(preview_ways, campaigned.files, empty)[empty.way].runs == 2


def test_a_change_that_needs_deeper_ranks_reads_the_runs_again(campaigned):
    draft = campaigned.draft()
    jobs = len(campaigned.read(load_jobs, kinds=("campaign",)))
    options = {"actor": campaigned.organiser, "now": campaigned.now()}
    same = replace(campaigned.settings(), depth=2)
    changed = change_campaign(campaigned.database, draft.id, same, version=1, **options)
    assert len(campaigned.read(load_jobs, kinds=("campaign",))) == jobs
    deeper = replace(same, depth=20)
    change_campaign(campaigned.database, draft.id, deeper, version=changed.version, **options)
    assert len(campaigned.read(load_jobs, kinds=("campaign",))) == jobs + 1
    assert campaigned.read(load_campaign_runs, draft.id, unread=True) == tuple(campaigned.run_ids)


@both_databases
def test_the_start_is_a_job_if_there_are_texts_and_failures_make_it_a_draft_again(campaigned):
    queries = campaigned.files.save([b"q0\tcats\n"], limit=1000).content_hash
    docs = campaigned.files.save([b"a.q0\tabout cats\n"], limit=1000).content_hash
    draft = campaigned.draft(query_texts=queries, doc_texts=docs)
    started = start_campaign(
        campaigned.database, campaigned.files, draft.id, actor=campaigned.organiser, now=campaigned.now
    )
    assert (started.state, started.started_at) == ("draft", campaigned.now())
    campaigned.work()
    assert campaigned.read(load_campaign, draft.id).started_at is None
    problems = campaigned.read(load_campaign_problems, draft.id)
    assert any("no text of query 'q1'" in problem for problem in problems)

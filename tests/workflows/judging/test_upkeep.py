"""A run that is scored later brings its missing pairs into standing campaigns."""

import pytest

from runoff.preferences import needed_pairs, quality, updated_labels
from runoff.store.campaign_plans import load_tasks
from runoff.store.campaign_pools import load_campaign_runs, load_pool
from runoff.store.submissions import NewRun, load_run, save_run
from runoff.workflows.inputs import as_run
from runoff.workflows.judging.next_pairs import load_steps
from runoff.workflows.judging.sources import load_sources
from runoff.workflows.judging.votes import load_votes
from tests.workflows.judging.campaigned import run_text


def submit(campaigned, seed):
    text = run_text(seed).encode()
    file = campaigned.files.save([text], limit=1_000_000)
    first = campaigned.read(load_run, campaigned.run_ids[0])
    new = NewRun(
        board_id=campaigned.board.id, team_id=first.team_id, submitted_by=first.submitted_by,
        submission_key=f"new {seed}", name=f"new {seed}", content_hash=file.content_hash, size=file.size, baseline=True,
    )  # fmt: skip
    campaigned.database.write(lambda c: save_run(c, new, now=campaigned.wait(minutes=1)))
    campaigned.work()
    return text


def real(campaigned, campaign):
    tasks = campaigned.read(load_tasks, campaign.id)
    return {pair.key for task in tasks for pair in task.pairs if pair.expected is None}


def test_pairs_that_a_new_run_makes_necessary_appear(campaigned):
    campaign = campaigned.opened(standing=True)
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    before = real(campaigned, campaign)
    sources = campaigned.read(load_sources, campaigned.files, campaign)
    kept = quality(campaigned.read(load_votes, campaign)).kept
    text = submit(campaigned, 7)
    run = as_run(text, name="new")
    (needed,) = needed_pairs([run], updated_labels(sources.qrels, kept).labels, kept)
    assert needed.pairs
    expected = {(query, *sorted(docs)) for query, *docs in needed.pairs}
    assert real(campaigned, campaign) - before == expected
    assert campaigned.run_ids[-1] in campaigned.read(load_campaign_runs, campaign.id)
    docs = {(item.query_id, item.doc_id) for item in campaigned.read(load_pool, campaign.id)}
    assert {(query, doc) for query, *both in needed.pairs for doc in both} <= docs
    assert campaigned.judge_all(campaign, [campaigned.assessor(campaign)]) > 0


def test_in_a_sequential_campaign_new_documents_are_candidates(campaigned):
    campaign = campaigned.opened(standing=True, way="sequential")
    campaigned.judge_all(campaign, [campaigned.assessor(campaign)])
    assert all(step.pair is None for step in campaigned.read(load_steps, campaign).values())
    submit(campaigned, 7)
    assert any(step.pair is not None for step in campaigned.read(load_steps, campaign).values())


@pytest.mark.parametrize("standing", [True, False])
def test_only_standing_campaigns_take_runs_in(campaigned, standing):
    campaign = campaigned.opened(standing=standing, runs=2)
    before = len(campaigned.read(load_campaign_runs, campaign.id))
    submit(campaigned, 8)
    assert len(campaigned.read(load_campaign_runs, campaign.id)) == before + standing
